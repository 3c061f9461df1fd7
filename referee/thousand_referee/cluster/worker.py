"""What a worker runs: one match, with bots that came with it, whose log goes back."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from threading import Lock
from typing import Final

import msgspec

from thousand_referee.bots import read_bot
from thousand_referee.cluster.bundle import unpack
from thousand_referee.errors import BotChanged, ConfigError, DataError, MatchVoid
from thousand_referee.match import play_match
from thousand_referee.matchlog.writer import FINISHED_SUFFIX
from thousand_referee.spec import BotVersion, MatchSpec
from thousand_referee.versions import check_version

OUTPUT_BYTES: Final = 100_000
"""So much of what a bot printed goes back, from its end."""

_one_at_a_time: Final = Lock()
"""A worker with several threads would share one processor between matches."""


@dataclass(frozen=True, slots=True)
class Played:
    """A match that was played elsewhere: its finished log, and what the bots printed.

    `outputs` are names of files and their contents; bots that said nothing are left out.
    """

    log: bytes
    outputs: tuple[tuple[str, bytes], ...]


def program_version() -> str:
    """Give the version of this package."""
    return version("thousand-arena")


def play_here(
    spec: MatchSpec, digests: Sequence[str], coordinator: str, home: str, *bundles: bytes
) -> Played:
    """Play a match on this machine; `digests` and `bundles` are by seat.

    `coordinator` is the version of the coordinator's program, `home` the folder for bots
    that were unpacked, which this process doesn't share; empty for one of its own.
    MatchVoid for whatever is wrong with this machine.
    """
    if coordinator != program_version():
        raise MatchVoid(
            f"a worker has thousand-arena {program_version()}, the coordinator {coordinator}; "
            "install the same on both"
        )
    with _one_at_a_time, tempfile.TemporaryDirectory(prefix="thousand-match-") as scratch:
        cache = _home(home)
        try:
            first, second, third = (
                _settle(cache, bot, digest, bundle, spec)
                for bot, digest, bundle in zip(spec.bots, digests, bundles, strict=True)
            )
            logs, output = Path(scratch, "logs"), Path(scratch, "output")
            play_match(
                msgspec.structs.replace(
                    spec,
                    bots=(first, second, third),
                    log_dir=str(logs),
                    output_dir=str(output),
                )
            )
            log = (logs / (spec.match + FINISHED_SUFFIX)).read_bytes()
            return Played(log, tuple(_outputs(output / spec.match)))
        except (ConfigError, DataError, OSError) as error:
            raise MatchVoid(f"a worker can't play it: {error}") from None


def _outputs(folder: Path) -> list[tuple[str, bytes]]:
    if not folder.is_dir():
        return []
    found = []
    for path in sorted(folder.iterdir()):
        content = path.read_bytes()[-OUTPUT_BYTES:]
        if content:
            found.append((path.name, content))
    return found


_homes: Final[dict[str, Path]] = {}


def _home(base: str) -> Path:
    """Give this process's folder for bots; Dask's folders are swept after a worker's death."""
    if base not in _homes:
        if not base:
            from distributed import get_worker

            _homes[base] = Path(get_worker().local_directory) / "thousand-bots"
        else:
            _homes[base] = Path(base)
    return _homes[base]


def _settle(
    cache: Path, bot: BotVersion, digest: str, bundle: bytes, spec: MatchSpec
) -> BotVersion:
    """Give the bot as it is on this machine, unpacked if need be, with its image if it has one."""
    folder = cache / digest
    here = msgspec.structs.replace(bot, folder=str(folder))
    try:
        check_version(here)
    except BotChanged:
        # Not there yet, or not whole.
        shutil.rmtree(folder, ignore_errors=True)
        unpack(bundle, folder, digest)
    if spec.sandbox.kind != "docker":
        read_bot(folder)  # can its command be run here?
        return here
    from thousand_referee.launch.images import build_images

    described = read_bot(folder, in_container=True)
    images = build_images([described], spec.sandbox, cache / "builds", lambda _: None)
    return msgspec.structs.replace(here, image=images[digest])
