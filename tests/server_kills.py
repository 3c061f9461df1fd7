"""Kills a running arena server again and again, and looks at what it leaves."""

from __future__ import annotations

import json
import random
import signal
import time
from collections import Counter
from pathlib import Path

from arena_runs import played_games, processes_with, thousand, wait_until
from arena_server import ArenaServer, arena_server, bot_folder, open_tournament
from thousand.v1 import arena_pb2 as pb
from thousand_referee.errors import ServiceError

BOTS = ("cautious", "random", "counter")
HOUSE_GAMES = 6
FINAL = (pb.SUBMISSION_STATE_READY, pb.SUBMISSION_STATE_REFUSED)


def run_and_kill(folder: Path, kills: int, seed: int, submissions: int = 100) -> str:
    """Run a server with a tournament and submissions, killing it; give what happened.

    AssertionError if anything was lost or doubled. At a random moment between 0 and 4
    seconds the server is killed with signal 9 while it plays, checks and takes bots in.
    What it had confirmed before that must be there when it runs again, and every bot entered.
    """
    chance = random.Random(seed)
    files = [open_tournament(folder, *BOTS, blocks=1), folder / "cup.toml"]
    files[1].write_text("accepts_entries = true\n")
    confirmed: list[str] = []
    tried = 0
    with arena_server(folder, tournaments=tuple(files)) as server:
        server.add_user("anna")
        for _ in range(kills):
            server.start()
            end = time.monotonic() + chance.uniform(0, 4)
            if tried < submissions:
                tried += 1
                confirmed += _submit(server, folder, tried)
            time.sleep(max(0.0, end - time.monotonic()))
            server.stop(signal.SIGKILL)
            assert wait_until(lambda: not processes_with(str(folder)))
        _drain(server)
        server.start()
        with server.client("anna") as client:
            listed = client.call("ListSubmissions", pb.ListSubmissionsRequest(limit=200))
            found = {each.submission for each in listed.submissions}
            _wait_for_all(server, found)
            watched = pb.WatchTournamentRequest(tournament="open")
            assert list(client.stream("WatchTournament", watched))[-1].complete
        assert server.stop() == 0
    _look(server, confirmed, found)
    return f"{kills} kills, {len(confirmed)} of {tried} submissions confirmed"


def _drain(server: ArenaServer) -> None:
    """Start it, and let it finish the match under way."""
    logs = server.data / "logs" / "open"
    began = time.time()
    server.start()

    def is_played(path: Path) -> bool:
        # Not one that was left by a kill, nor one that waits for its turn.
        try:
            return path.stat().st_mtime > began and b'"deal"' in path.read_bytes()
        except FileNotFoundError:
            return False

    def count() -> int:
        return len(list(logs.glob("*.gz")))

    done = count()
    assert done == HOUSE_GAMES or wait_until(
        lambda: count() > done or any(map(is_played, logs.glob("*.jsonl")))
    )
    assert server.stop() == 0
    assert list(logs.glob("*.jsonl")) == []
    assert count() > done or done == HOUSE_GAMES


def _submit(server: ArenaServer, folder: Path, number: int) -> list[str]:
    """Submit a bot; give its id unless the server is no more."""
    bot = bot_folder(folder, f"ace{number}", extra=str(number))
    try:
        with server.client("anna") as client:
            return [client.submit(bot, "cup").submission]
    except ServiceError:
        return []


def _wait_for_all(server: ArenaServer, submissions: set[str]) -> None:
    with server.client("anna") as client:
        for submission in submissions:
            request = pb.GetSubmissionRequest(submission=submission)

            def is_ready(request: pb.GetSubmissionRequest = request) -> bool:
                found = client.call("GetSubmission", request).submission
                assert found.state != pb.SUBMISSION_STATE_REFUSED, found.reason
                return bool(found.state == pb.SUBMISSION_STATE_READY)

            assert wait_until(is_ready, 180), server.log[-6_000:]


def _look(server: ArenaServer, confirmed: list[str], listed: set[str]) -> None:
    """Compare all that is left with what must be there, and with nothing else."""
    games = played_games(server.data)  # fails on a game that is there twice
    assert len(games) == HOUSE_GAMES, sorted(games)
    verified = json.loads(thousand("log", "verify", "--json", "--data", server.data).stdout)
    assert verified, verified
    stored = json.loads(thousand("tournament", "list", "--json", "--data", server.data).stdout)
    cup, played = sorted(stored, key=lambda each: str(each["name"]))
    assert (played["games"], played["matches"]) == (HOUSE_GAMES, HOUSE_GAMES)
    bots = {path.name for path in (server.data / "bots").iterdir()}
    assert {entry["name"] for entry in cup["entries"]} == bots
    assert set(confirmed) <= listed
    assert list((server.data / "incoming").iterdir()) == []
    versions = Counter(path.parent.name for path in (server.data / "bots").glob("*/*"))
    assert set(versions.values()) <= {1}
    assert len(versions) == len(listed)
    assert "Traceback" not in server.log, server.log
    assert wait_until(lambda: not processes_with(str(server.folder)))
