"""Makes docs/FAULTY_BOTS.md from what the tests with faulty bots have noted.

Run by `make fault-table`: ``python tests/fault_table.py RESULTS``.
"""

from __future__ import annotations

import json
import os
import sys
import tomllib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "faulty_bots"

HEAD = """# Matches with faulty bots

Each bot of `tests/faulty_bots` at one table with two honest bots, two short games at a
time, as plain processes and locked into containers. No honest bot was charged with any
fault, every game was played to its end, and the log was verified. "Left behind" are
processes, containers, sockets and files; "referee" is by how much its process grew.
Bots that only a container can stop were not let loose without one.

Made by `make fault-table` on {date}, on {processors} processors.

| Bot | What it does | Launcher | Its faults | Bound, s | Took, s | Left behind | Referee, MB |
|---|---|---|---|---|---|---|---|
"""


def row(result: dict[str, Any]) -> str:
    """Write a line of the table."""
    about = tomllib.loads((FOLDER / result["bot"] / "bot.toml").read_text())["description"]
    faults = ", ".join(f"{count} {kind}" for kind, count in sorted(result["faults"].items()))
    cells = (
        f"`{result['bot']}`", about, result["launcher"], faults or "none",
        f"{result['bound']:.0f}", f"{result['took']:.1f}", ", ".join(result["left"]) or "nothing",
        f"{result['megabytes']:.1f}",
    )  # fmt: skip
    return "| " + " | ".join(cells) + " |\n"


def main(results: Path) -> None:
    found = [json.loads(line) for line in results.read_text().splitlines()]
    found.sort(key=lambda result: (result["bot"], result["launcher"]))
    date = f"{datetime.now(UTC):%Y-%m-%d}"
    sys.stdout.write(HEAD.format(date=date, processors=os.cpu_count()) + "".join(map(row, found)))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
