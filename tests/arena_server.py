"""Runs the real arena server in tests, and calls it."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from arena_runs import COMMAND, EXAMPLE_BOTS
from thousand_referee.bots import read_bot
from thousand_referee.service.accounts import Accounts
from thousand_referee.service.client import ArenaClient
from thousand_referee.service.submission_store import SubmissionStore, new_submission_id
from thousand_referee.submitted import Role
from thousand_referee.tournament import open_arena

LIMITS = "waiting = 50\nper_day = 500\n"


@dataclass
class ArenaServer:
    """A server's folder; it may be started and stopped many times."""

    folder: Path
    tournaments: tuple[Path, ...] = ()
    extra: str = ""
    limits: str = LIMITS
    process: subprocess.Popen[str] | None = None
    address: str = ""
    pages: str = ""
    tokens: dict[str, str] = field(default_factory=dict)

    @property
    def data(self) -> Path:
        return self.folder / "data"

    def add_user(self, name: str, role: Role = Role.AUTHOR) -> str:
        with open_arena(self.data, create=True) as arena:
            self.tokens[name] = Accounts(arena.store).add(name, role)
        return self.tokens[name]

    def revoke(self, name: str) -> None:
        with open_arena(self.data) as arena:
            Accounts(arena.store).revoke(name)

    def add_version(self, user: str, source: Path) -> None:
        """Add a version of a bot as if it had been submitted and had passed its check."""
        bot = read_bot(source)
        with open_arena(self.data) as arena:
            store = SubmissionStore(arena.store)
            owner = store.user(self.tokens[user])
            assert owner is not None
            home = arena.data.bots / bot.name / bot.version
            shutil.copytree(source, home)
            submission = new_submission_id()
            store.add(
                submission, bot=bot.name, user=owner, archive_sha256="", tournament=None,
                most_waiting=9, most_a_day=99,
            )  # fmt: skip
            columns = {"version": bot.version, "digest": bot.digest, "command": list(bot.command)}
            store.accept(submission, columns, {"ready": True})

    def start(self) -> None:
        """Start it, and wait until it is ready."""
        config = self.folder / "server.toml"
        names = ", ".join(f'"{path}"' for path in self.tournaments)
        config.write_text(
            'data = "data"\nlisten = "127.0.0.1:0"\nhttp = "127.0.0.1:0"\njobs = 1\n'
            f"tournaments = [{names}]\n{self.extra}\n[limits]\n{self.limits}\n"
        )
        with (self.folder / "server.log").open("a") as log:
            self.process = subprocess.Popen(
                [str(COMMAND), "serve", "--config", str(config)],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env=os.environ | {"THOUSAND_TEST_FOLDER": str(self.folder)},
                start_new_session=True,
            )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line.startswith("ready: authors at "), self.log
        self.address, _, pages = line.removeprefix("ready: authors at ").partition(", pages at ")
        self.pages = pages.strip().rstrip("/")

    def client(self, user: str) -> ArenaClient:
        return ArenaClient(self.address, self.tokens.get(user, user), tls=False)

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Send it a signal and wait for its end; give its exit status."""
        assert self.process is not None
        self.process.send_signal(number)
        status = self.process.wait(timeout=60)
        assert self.process.stdout is not None
        self.process.stdout.close()
        self.process = None
        return status

    @property
    def log(self) -> str:
        return (self.folder / "server.log").read_text()


@contextmanager
def arena_server(folder: Path, **settings: object) -> Iterator[ArenaServer]:
    """Make a server, not started yet; it is killed at the end if it runs."""
    server = ArenaServer(folder, **settings)  # type: ignore[arg-type]
    try:
        yield server
    finally:
        if server.process is not None:
            server.stop(signal.SIGKILL)


def open_tournament(folder: Path, *bots: str | Path, blocks: int = 1, name: str = "open") -> Path:
    """Write the file of an open tournament with some bots in it, by default example bots."""
    lines = [
        f'name = "{name}"', 'mode = "open"', f"blocks_per_entry = {blocks}",
        "games_per_match = 1", "tables = 2", 'seed = "five"',
    ]  # fmt: skip
    lines += [f'[[entry]]\nbot = "{EXAMPLE_BOTS / bot}"' for bot in bots]
    path = folder / f"{name}.toml"
    path.write_text("\n".join(lines))
    return path


def bot_folder(folder: Path, name: str, source: str = "cautious", extra: str = "") -> Path:
    """Write a bot that plays like an example bot, under another name and with other files."""
    target = folder / name
    target.mkdir(parents=True, exist_ok=True)
    code = (EXAMPLE_BOTS / source / "bot.py").read_text()
    code = code.replace("if __name__ ==", f'print("I am {name}", flush=True)\nif __name__ ==')
    (target / "bot.py").write_text(f"{code}\n# {extra}\n")
    (target / "bot.toml").write_text(f'name = "{name}"\ncommand = ["python", "bot.py"]\n')
    return target
