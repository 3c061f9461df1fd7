"""Tries to get out of its sandbox in many ways, prints what it could do, and plays on.

It prints one line, ``PROBE`` and a JSON object: for each attempt, null if it is
impossible, else what was possible. `host.json` beside it, if there, tells what there is
to find on the machine. Nothing here does harm where it succeeds.
"""

from __future__ import annotations

import json

import outside
import rights
import system
from probing import probes

from thousand import Bot, Play, View, run

__all__ = ["outside", "rights", "system"]


def report() -> None:
    found: dict[str, object] = {}
    for name, attempt in probes.items():
        try:
            found[name] = attempt() or None
        except (OSError, ValueError, MemoryError):
            found[name] = None
        except Exception as error:
            found[name] = f"the probe broke: {error!r}"
    print("PROBE", json.dumps(found, default=str), flush=True)


class ProbeBot(Bot):
    """Plays anything, once it has reported."""

    def play(self, view: View) -> Play:
        return self.rng.choice(view.legal_plays)


if __name__ == "__main__":
    report()
    run(ProbeBot)
