"""``thousand play``: a person in a real match, through a pipe and at a terminal."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from arena_runs import COMMAND, EXAMPLE_BOTS, REPOSITORY, processes_with, thousand, wait_until
from thousand_referee.matchlog.reader import find_logs, read_log
from thousand_referee.matchlog.records import FaultLine, GameLine, MatchLine

SECONDS = 60


def play(data: Path, typed: str, *options: str | Path) -> str:
    """Play with lines from a pipe; give what was printed."""
    done = subprocess.run(
        [str(COMMAND), "play", "--seed", "3", "--data", str(data), *map(str, options)],
        input=typed,
        capture_output=True,
        text=True,
        cwd=REPOSITORY,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


def only_log(data: Path) -> Path:
    (log,) = find_logs(data / "logs")
    return log


def test_a_whole_game_through_a_pipe(tmp_path: Path) -> None:
    """A person who always takes the first choice, and any two cards to give."""
    printed = play(tmp_path, "1\n1 2\n" * 3000)
    assert "The game is over: 1st " in printed
    assert "counter sits on your left, cautious on your right" in printed
    log = only_log(tmp_path)
    assert not [line for _, line in read_log(log) if isinstance(line, FaultLine)]
    assert "1 logs verified, 0 wrong" in thousand("log", "verify", "--data", tmp_path).stdout
    shown = thousand("log", "show", log, "--game", "0").stdout
    assert "you at seat 0, counter at seat 1, cautious at seat 2" in shown
    (match,) = re.findall(r"thousand log show (\S+)", printed)
    assert match in log.name


def test_the_table_is_shown_before_each_question(tmp_path: Path) -> None:
    printed = play(tmp_path, "1\n1\n1\nq\n")
    last = printed.rpartition("Deal 1, dealt by you")[2]
    for part in ("scores", "bids", "contract", "talon", "trick 2", "on table", "points", "hand"):
        assert f"\n  {part} " in last, part
    assert "trick 1 " not in last
    hand = re.search(r"  hand +♠ (.*?) +♣ (.*?) +♦ (.*?) +♥ (.*)", last)
    assert hand is not None


def test_quitting_leaves_a_log_that_is_whole(tmp_path: Path) -> None:
    printed = play(tmp_path, "1\n1\nq\n", "--games", "2")
    assert "the bots finished without you" in printed
    lines = [line for _, line in read_log(only_log(tmp_path))]
    (fault,) = (line for line in lines if isinstance(line, FaultLine))
    assert (fault.seat, fault.out) == (0, "match")
    assert "the person at the terminal left" in fault.detail
    assert [line.out for line in lines if isinstance(line, GameLine)] == [(0,), (0,)]
    assert "0 wrong" in thousand("log", "verify", "--data", tmp_path).stdout
    match = lines[0]
    assert isinstance(match, MatchLine)
    asked = thousand(
        "replay", f"{match.match}/0", "--bot", EXAMPLE_BOTS / "counter", "--seat", "0",
        "--data", tmp_path,
    )  # fmt: skip
    assert "of 3 decisions" in asked.stdout or "all 3 decisions" in asked.stdout


def test_the_end_of_input_is_quitting_too(tmp_path: Path) -> None:
    assert "the bots finished without you" in play(tmp_path, "")


def test_input_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "typed").write_text("1\nq\n")
    with (tmp_path / "typed").open() as typed:
        done = subprocess.run(
            [str(COMMAND), "play", "--data", str(tmp_path / "data")],
            stdin=typed,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
    assert (done.returncode, done.stderr) == (0, "")


def test_help_tricks_mistakes_and_hints(tmp_path: Path) -> None:
    typed = "?\nt\nh\nnonsense\n\n1\nt\nq\n"
    printed = play(tmp_path, typed, "--hint", EXAMPLE_BOTS / "counter")
    assert "Type the number of a choice" in printed
    assert "no trick yet" in printed
    assert "counter would choose: pass" in printed
    assert "'nonsense' is not among the choices" in printed
    assert "start with --hint BOT" in play(tmp_path / "second", "h\nq\n")


def test_a_hint_bot_that_fails_spoils_no_game(tmp_path: Path) -> None:
    faulty = REPOSITORY / "tests" / "faulty_bots" / "dies_on_import"
    printed = play(tmp_path, "h\nh\n1\nq\n", "--hint", faulty)
    assert "no hints: dies_on_import: " in printed
    assert printed.count("no hint: dies_on_import gives no hints any more") == 2
    assert "the bots finished without you" in printed


def test_hostile_names_are_made_safe(tmp_path: Path) -> None:
    """A bot's name can't be hostile, but its folder and what it says can."""
    folder = tmp_path / "bad\x1b[31m"
    folder.mkdir()
    done = thousand("play", "--hint", folder, "--data", tmp_path / "data", check=False)
    assert done.returncode == 1
    assert "\x1b" not in done.stderr


@contextmanager
def at_terminal(data: Path) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """Start the command on a terminal of its own."""
    controller, terminal = pty.openpty()
    process = subprocess.Popen(
        [str(COMMAND), "play", "--seed", "3", "--data", str(data)],
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        cwd=REPOSITORY,
        env=os.environ | {"TERM": "xterm-256color"},
        start_new_session=True,
    )
    os.close(terminal)
    try:
        yield process, controller
    finally:
        process.kill()
        process.wait()
        os.close(controller)


def read_until(controller: int, text: str) -> str:
    """Read what is printed, up to a text."""
    printed = b""
    end = time.monotonic() + SECONDS
    while text.encode() not in printed and time.monotonic() < end:
        if select.select([controller], [], [], 0.5)[0]:
            try:
                printed += os.read(controller, 4096)
            except OSError:
                break  # the terminal's other side is closed
    assert text in printed.decode(errors="replace"), printed
    return printed.decode(errors="replace")


def test_at_a_terminal_red_suits_are_red(tmp_path: Path) -> None:
    with at_terminal(tmp_path) as (process, controller):
        shown = read_until(controller, "your bid (? helps): ")
        assert re.search(r"\x1b\[31m[♦♥]", shown)
        os.write(controller, b"1\n")
        assert "on table" in read_until(controller, "your card (? helps): ")
        os.write(controller, b"q\n")
        read_until(controller, "read it: thousand log show")
        assert process.wait(SECONDS) == 0


@pytest.mark.parametrize("times", [1, 2])
def test_ctrl_c_quits_and_a_second_one_stops_at_once(tmp_path: Path, times: int) -> None:
    with at_terminal(tmp_path) as (process, controller):
        read_until(controller, "your bid (? helps): ")
        for _ in range(times):
            process.send_signal(signal.SIGINT)
            time.sleep(0.05)
        read_until(controller, "You left" if times == 1 else "stopped")
        assert process.wait(SECONDS) == (0 if times == 1 else 130)
    assert wait_until(lambda: not processes_with(f"{tmp_path}"))
    kept = [path.name.endswith(".gz") for path in find_logs(tmp_path / "logs")]
    assert kept == ([True] if times == 1 else [])
