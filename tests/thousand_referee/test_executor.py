"""Match processes: killing one costs one call, killing their parent leaves nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import pytest

from match_maker import EXAMPLES, ROOT
from thousand_referee.executor import LocalExecutor

SECONDS = 60


@pytest.fixture
def executor() -> Iterator[LocalExecutor]:
    with LocalExecutor(2, ahead=0) as executor:
        yield executor


def sleep_then_tell(seconds: float) -> int:
    time.sleep(seconds)
    return os.getpid()


def fail() -> None:
    raise ValueError("as it was told to")


def survives(number: int) -> bool:
    os.kill(os.getpid(), number)
    time.sleep(0.05)
    return True


def test_calls_run_at_once_in_processes_that_are_used_again(executor: LocalExecutor) -> None:
    first, second = (executor.submit(sleep_then_tell, 0.2) for _ in range(2))
    processes = {first.result(SECONDS), second.result(SECONDS)}
    assert len(processes) == 2
    assert os.getpid() not in processes
    third, fourth = (executor.submit(sleep_then_tell, 0.2) for _ in range(2))
    assert {third.result(SECONDS), fourth.result(SECONDS)} == processes


def test_an_error_reaches_the_caller_and_the_process_lives_on(executor: LocalExecutor) -> None:
    with pytest.raises(ValueError, match="as it was told to"):
        executor.submit(fail).result(SECONDS)
    assert executor.submit(sleep_then_tell, 0).result(SECONDS)


def test_a_killed_process_fails_its_call_only(executor: LocalExecutor) -> None:
    victim = executor.submit(sleep_then_tell, 0).result(SECONDS)
    calls = [executor.submit(sleep_then_tell, 1.5) for _ in range(2)]
    os.kill(victim, signal.SIGKILL)
    outcomes = [call.exception(SECONDS) for call in calls]
    assert [type(outcome) for outcome in outcomes if outcome] == [BrokenProcessPool]
    assert executor.submit(sleep_then_tell, 0).result(SECONDS) != victim


def test_a_lane_whose_process_was_killed_gets_a_new_one(executor: LocalExecutor) -> None:
    for _ in range(3):
        pid = executor.submit(sleep_then_tell, 0.1).result(SECONDS)
        os.kill(pid, signal.SIGKILL)
        time.sleep(0.3)
    both = [executor.submit(sleep_then_tell, 0.2) for _ in range(2)]
    assert len({call.result(SECONDS) for call in both}) == 2


def test_signals_of_the_terminal_are_left_to_the_coordinator(executor: LocalExecutor) -> None:
    assert executor.submit(survives, signal.SIGINT).result(SECONDS)
    assert executor.submit(survives, signal.SIGTERM).result(SECONDS)


COORDINATOR = """
    import sys, time
    from pathlib import Path

    sys.path.insert(0, sys.argv[1])
    from match_maker import bot, match_spec
    from thousand_referee.executor import LocalExecutor
    from thousand_referee.match import play_match

    if __name__ == "__main__":
        examples, folder = Path(sys.argv[2]), Path(sys.argv[3])
        bots = [bot(examples / name) for name in ("random", "cautious", "counter")]
        executor = LocalExecutor(2)
        for number in range(2):
            executor.submit(play_match, match_spec(folder, *bots, name=f"m{number}", games=500))
        time.sleep(3600)
"""


def running_below(pid: int) -> set[int]:
    """Find the processes below one, zombies aside."""
    parents = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                state, parent = (folder / "stat").read_text().rpartition(")")[2].split()[:2]
            except OSError:
                continue
            if state != "Z":
                parents[int(folder.name)] = int(parent)
    found: set[int] = set()
    fresh = {pid}
    while fresh:
        fresh = {child for child, parent in parents.items() if parent in fresh} - found
        found |= fresh
    return found


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def wait_until(condition: object, seconds: float) -> bool:
    assert callable(condition)
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.02)
    return bool(condition())


@pytest.fixture
def coordinator(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A process that plays two matches, both under way."""
    script = tmp_path / "coordinator.py"
    script.write_text(textwrap.dedent(COORDINATOR))
    arguments = [str(ROOT / "tests"), str(EXAMPLES), str(tmp_path)]
    process = subprocess.Popen([sys.executable, str(script), *arguments])
    try:
        # Two workers, six keepers, six bots; and a deal in both logs.
        logs = [tmp_path / "logs" / f"m{number}.jsonl" for number in range(2)]
        assert wait_until(
            lambda: all(log.exists() and log.read_bytes().count(b"\n") > 1 for log in logs), SECONDS
        )
        assert len(running_below(process.pid)) >= 14
        yield process
    finally:
        process.kill()
        process.wait()


def test_when_the_coordinator_is_killed_workers_and_bots_are_gone(
    coordinator: subprocess.Popen[bytes],
) -> None:
    family = running_below(coordinator.pid)
    coordinator.kill()
    started = time.monotonic()
    wait_until(lambda: not any(map(is_running, family)), 10)
    assert not any(map(is_running, family))
    assert time.monotonic() - started < 2


def test_when_a_worker_is_killed_its_bots_are_gone_and_the_other_plays_on(
    coordinator: subprocess.Popen[bytes],
) -> None:
    def workers() -> list[int]:
        return [pid for pid in running_below(coordinator.pid) if len(running_below(pid)) == 6]

    victim, other = workers()
    family, spared = running_below(victim), running_below(other)
    os.kill(victim, signal.SIGKILL)
    assert wait_until(lambda: not any(map(is_running, family)), 5)
    assert all(map(is_running, spared))


def test_processes_stand_back_as_far_as_they_are_told() -> None:
    executor = LocalExecutor(1, ahead=0, niceness=3)
    try:
        assert executor.submit(os.nice, 0).result(timeout=30) == os.nice(0) + 3
    finally:
        executor.shutdown()
