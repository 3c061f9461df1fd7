"""A tournament in containers whose engine is killed in the middle and started again."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from arena_runs import COMMAND, REPOSITORY, played_games, tournament_file, wait_until
from docker_bench import BASE_IMAGE, engine, with_image
from match_maker import EXAMPLES
from private_engine import PrivateEngine
from thousand_referee.matchlog.reader import find_logs, read_log
from thousand_referee.matchlog.records import FaultLine

BOTS = ("counter", "cautious", "random")
BLOCKS = 1
SECONDS = 240.0


@dataclass(frozen=True)
class Outcome:
    """What became of a tournament: its games, faults and voids, and what it said."""

    games: dict[tuple[str, int], list[object]]
    faults: int
    voids: int
    seconds: float
    text: str


def images() -> list[str]:
    """Build the images of the bots with the machine's engine; give all tags that are needed."""
    ids = [with_image(EXAMPLES / name).image for name in BOTS]
    tags = [BASE_IMAGE]
    with engine() as api:
        for image in ids:
            tags += api.inspect_image(image)["RepoTags"]
        for layer in api.history(ids[0]):
            tags += [tag for tag in layer["Tags"] or () if tag not in tags]
    return tags


def file(folder: Path) -> Path:
    """Write the tournament's file."""
    sandbox = f'[sandbox]\nkind = "docker"\nbase_image = "{BASE_IMAGE}"'
    return tournament_file(folder, *BOTS, blocks=BLOCKS, games_per_match=1, extra=sandbox)


def run(
    folder: Path, private: PrivateEngine, *, kill: int | None = None, after: float = 0.0
) -> Outcome:
    """Run the tournament; end the engine so long after the first game, start it again later."""
    data = folder / "data"
    began = time.monotonic()
    with (folder / "said").open("w+") as said:
        command: Sequence[str | Path] = [COMMAND, "tournament", "run", file(folder)]
        with subprocess.Popen(
            [*map(str, command), "--data", str(data), "--jobs", "2"],
            stdout=said,
            stderr=said,
            cwd=REPOSITORY,
            env=os.environ | {"DOCKER_HOST": private.address},
            start_new_session=True,
        ) as process:
            try:
                if kill is not None:
                    assert wait_until(lambda: any(find_logs(data / "logs")), 90)
                    time.sleep(after)
                    private.end(kill)
                    time.sleep(1.0)
                    private.start()
                process.wait(SECONDS)
            finally:
                if process.poll() is None:
                    os.killpg(process.pid, signal.SIGKILL)
        said.seek(0)
        text = said.read()
    assert process.returncode == 0, text
    faults = [
        line
        for path in find_logs(data / "logs")
        for _, line in read_log(path)
        if isinstance(line, FaultLine)
    ]
    with private.client() as api:
        assert api.containers(all=True) == [], "containers are left"
    seconds = time.monotonic() - began
    return Outcome(played_games(data), len(faults), text.count(" is void "), seconds, text)
