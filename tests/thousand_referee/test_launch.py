"""Bots as processes: what they may see, what is kept of their output, and that nothing stays."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Awaitable, Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from thousand_referee.errors import MatchVoid
from thousand_referee.launch import process
from thousand_referee.launch.process import (
    OUTPUT_LIMIT,
    ProcessLauncher,
    RunningProcess,
    bot_environment,
    command_line,
)
from thousand_referee.spec import BotVersion

TOKEN = "a-token-of-this-test"
Life = Callable[[RunningProcess], Awaitable[None]]

LEAVES_ORPHAN = """
    import os, time
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            print("orphan", os.getpid(), flush=True)
            time.sleep(3600)
        os._exit(0)
    os.wait()
"""


def run(coroutine: Coroutine[Any, Any, str]) -> str:
    return asyncio.run(asyncio.wait_for(coroutine, 60))


async def live(
    folder: Path, program: str, life: Life | None = None, command: tuple[str, ...] = ()
) -> str:
    """Run a program as a bot until it exits, or for as long as `life` takes; say how it ended."""
    (folder / "bot.py").write_text(textwrap.dedent(program))
    command = command or ("python", "bot.py")
    running = await ProcessLauncher().start(
        BotVersion("bot", "0", str(folder), command),
        address="unix:/nowhere",
        token=TOKEN,
        output=folder / "out" / "bot.log",
    )
    try:
        await (life(running) if life else asyncio.wait((running.exited,)))
    finally:
        await running.end()
    return running.exited.result()


def output(folder: Path) -> str:
    return (folder / "out" / "bot.log").read_text()


def is_alive(pid: int) -> bool:
    """Whether a process runs; one that has ended and waits to be reaped does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def ends_within(seconds: float, pid: int) -> bool:
    end = time.monotonic() + seconds
    while is_alive(pid) and time.monotonic() < end:
        time.sleep(0.01)
    return not is_alive(pid)


async def printed(folder: Path) -> list[str]:
    """Wait for a whole line of output; give its words."""
    path = folder / "out" / "bot.log"
    for _ in range(2000):
        if path.exists() and path.read_text().endswith("\n"):
            return path.read_text().split()
        await asyncio.sleep(0.01)
    raise AssertionError("nothing was printed")


def test_both_outputs_go_to_the_file(tmp_path: Path) -> None:
    program = """
        import sys
        print("to standard output")
        print("to standard error", file=sys.stderr)
    """
    assert run(live(tmp_path, program)) == "it exited with status 0"
    assert output(tmp_path) == "to standard output\nto standard error\n"


def test_of_a_long_output_beginning_and_end_are_kept(tmp_path: Path) -> None:
    program = 'print("first", " ".join(map(str, range(1_000_000))), "last")'
    run(live(tmp_path, program))
    text = output(tmp_path)
    size = len("first last\n") + sum(len(f" {number}") for number in range(1_000_000))
    assert text.startswith("first 0 1 2 3")
    assert text.endswith("999999 last\n")
    assert f"[... {size - 2 * OUTPUT_LIMIT} bytes left out ...]" in text
    assert len(text) < 2 * OUTPUT_LIMIT + 60


@pytest.mark.parametrize("count", [OUTPUT_LIMIT - 1, OUTPUT_LIMIT, 2 * OUTPUT_LIMIT])
def test_an_output_that_fits_is_kept_whole(tmp_path: Path, count: int) -> None:
    run(live(tmp_path, f'import sys; sys.stdout.write("x" * {count})'))
    assert output(tmp_path) == "x" * count


def test_what_a_bot_wrote_before_it_was_killed_is_kept(tmp_path: Path) -> None:
    async def kill_when_it_has_spoken(_: RunningProcess) -> None:
        await printed(tmp_path)

    program = 'import time; print("last words"); time.sleep(3600)'
    run(live(tmp_path, program, kill_when_it_has_spoken))
    assert output(tmp_path) == "last words\n"


@pytest.mark.parametrize(
    ("program", "how"),
    [
        ("raise SystemExit(3)", "it exited with status 3"),
        ("import os; os.kill(os.getpid(), 11)", "it was killed by SIGSEGV"),
        ("import os; os.kill(os.getpid(), 40)", "it was killed by signal 40"),
    ],
)
def test_how_it_ended_is_told(tmp_path: Path, program: str, how: str) -> None:
    assert run(live(tmp_path, program)) == how


@pytest.mark.parametrize(
    ("command", "problem"),
    [
        (("./bot",), "No such file"),
        (("no-such-program-anywhere",), "No such file"),
        (("./bot.py",), "Permission denied"),
        (("./folder",), "Permission denied"),
    ],
)
def test_a_command_that_can_not_be_run_is_a_bot_that_exits(
    tmp_path: Path, command: tuple[str, ...], problem: str
) -> None:
    (tmp_path / "folder").mkdir()
    assert run(live(tmp_path, "", command=command)) == "it exited with status 127"
    assert problem in output(tmp_path)


def test_a_file_that_is_no_program_is_a_bot_that_exits(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("neither binary nor script")
    (tmp_path / "text").chmod(0o755)
    assert run(live(tmp_path, "", command=("./text",))) == "it exited with status 127"
    assert "can't start" in output(tmp_path)


def test_an_output_file_that_can_not_be_written_is_not_the_bots_fault(tmp_path: Path) -> None:
    (tmp_path / "out" / "bot.log").mkdir(parents=True)
    with pytest.raises(MatchVoid, match="can't start a bot"):
        run(live(tmp_path, ""))


def test_an_output_folder_that_can_not_be_made_is_not_the_bots_fault(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("a file")
    with pytest.raises(MatchVoid, match="can't start a process for bot"):
        run(live(tmp_path, ""))


def test_nothing_of_the_referees_environment_leaks_but_the_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("A_SECRET", "of the referee")
    run(live(tmp_path, "import json, os; print(json.dumps(dict(os.environ)))"))
    seen = json.loads(output(tmp_path))
    assert seen == bot_environment("unix:/nowhere", TOKEN) | {"LC_CTYPE": seen.get("LC_CTYPE")} or (
        seen == bot_environment("unix:/nowhere", TOKEN)
    )
    assert "A_SECRET" not in seen


def test_nothing_of_the_referees_environment_leaks_through_the_keeper(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("A_SECRET", "of the referee")
    run(live(tmp_path, "import os; print(open(f'/proc/{os.getppid()}/environ').read())"))
    assert output(tmp_path) == "\n"


def test_a_bot_has_no_open_files_but_its_own(tmp_path: Path) -> None:
    program = """
        import os
        print(sorted(os.readlink(f"/proc/self/fd/{fd}") for fd in (0, 1, 2)))
        print(len(os.listdir("/proc/self/fd")))
    """
    with (tmp_path / "secret").open("w") as file:
        os.set_inheritable(file.fileno(), True)
        run(live(tmp_path, program))
    lines = output(tmp_path).splitlines()
    assert lines[0].startswith("['/dev/null', 'pipe:")
    assert lines[1] == "4"


def test_a_bot_starts_with_plain_signals_in_a_session_of_its_own(tmp_path: Path) -> None:
    program = """
        import os, signal
        print(signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGINT).__name__)
        print(os.getsid(0) == os.getpid(), os.getcwd())
    """
    former = signal.signal(signal.SIGTERM, signal.SIG_IGN)
    try:
        run(live(tmp_path, program))
    finally:
        signal.signal(signal.SIGTERM, former)
    assert output(tmp_path) == f"0 default_int_handler\nTrue {tmp_path}\n"


def test_children_are_killed_when_the_bot_exits(tmp_path: Path) -> None:
    program = """
        import subprocess
        print(subprocess.Popen(["sleep", "3600"]).pid)
    """
    assert run(live(tmp_path, program)) == "it exited with status 0"
    assert not is_alive(int(output(tmp_path)))


def test_orphans_in_sessions_of_their_own_are_killed(tmp_path: Path) -> None:
    async def wait_for_exit(running: RunningProcess) -> None:
        await printed(tmp_path)
        await asyncio.wait((running.exited,))

    run(live(tmp_path, LEAVES_ORPHAN, wait_for_exit))
    assert not is_alive(int(output(tmp_path).split()[1]))


def test_a_bot_that_ignores_signals_or_is_stopped_is_killed_at_once(tmp_path: Path) -> None:
    program = """
        import os, signal
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        print(os.getpid(), flush=True)
        os.kill(os.getpid(), signal.SIGSTOP)
    """

    async def end_it(_: RunningProcess) -> None:
        await printed(tmp_path)

    run(live(tmp_path, program, end_it))
    assert not is_alive(int(output(tmp_path)))


def test_what_it_used_is_known_in_the_end(tmp_path: Path) -> None:
    async def measure() -> str:
        seen: list[RunningProcess] = []

        async def life(running: RunningProcess) -> None:
            seen.append(running)
            await asyncio.wait((running.exited,))

        how = await live(tmp_path, "data = b'x' * 50_000_000; sum(range(3_000_000))", life)
        assert seen[0].memory_kb > 50_000
        assert seen[0].cpu_ms > 10
        return how

    run(measure())


# Keepers that are lost


def test_when_the_keeper_is_killed_the_bot_and_its_orphans_are_too(tmp_path: Path) -> None:
    program = LEAVES_ORPHAN + "    time.sleep(3600)\n"

    async def kill_keeper(running: RunningProcess) -> None:
        await printed(tmp_path)
        running._keeper.kill()
        await asyncio.wait((running.exited,))

    assert run(live(tmp_path, program, kill_keeper)) == "its keeper was killed"
    assert not is_alive(int(output(tmp_path).split()[1]))


def test_a_keeper_that_was_stopped_goes_on(tmp_path: Path) -> None:
    async def stop_keeper(running: RunningProcess) -> None:
        await printed(tmp_path)
        running._keeper.send_signal(signal.SIGSTOP)

    program = "import os, time; print(os.getpid()); time.sleep(3600)"
    run(live(tmp_path, program, stop_keeper))
    assert not is_alive(int(output(tmp_path)))


def test_a_keeper_that_is_stopped_for_good_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "KEEPER_SECONDS", 1.0)
    program = """
        import os, signal, time
        print(os.getpid(), flush=True)
        time.sleep(0.5)  # or its keeper would not even have read that
        while True:
            os.kill(os.getppid(), signal.SIGSTOP)
    """

    async def end_it(_: RunningProcess) -> None:
        await printed(tmp_path)
        await asyncio.sleep(1)

    run(live(tmp_path, program, end_it))
    assert not is_alive(int(output(tmp_path)))


def test_a_bot_that_writes_to_its_keepers_output_hurts_only_itself(tmp_path: Path) -> None:
    program = """
        import os, time
        print(os.getpid(), flush=True)
        time.sleep(0.5)  # or its keeper would not even have read that
        with open(f"/proc/{os.getppid()}/fd/1", "w") as events:
            events.write("I am the keeper\\n" * 10_000)
        time.sleep(3600)
    """
    assert run(live(tmp_path, program)) == "its keeper was killed"
    assert not is_alive(int(output(tmp_path)))


def test_ending_a_bot_may_be_cancelled_and_called_again(tmp_path: Path) -> None:
    async def end_twice(running: RunningProcess) -> None:
        await printed(tmp_path)
        first = asyncio.create_task(running.end())
        await asyncio.sleep(0)
        first.cancel()
        await asyncio.wait((first,))
        await running.end()

    program = "import os, time; print(os.getpid()); time.sleep(3600)"
    run(live(tmp_path, program, end_twice))
    assert not is_alive(int(output(tmp_path)))


def test_when_the_referee_is_killed_everything_ends(tmp_path: Path) -> None:
    referee = """
        import asyncio, sys
        from pathlib import Path
        sys.path.insert(0, sys.argv[1])
        from thousand_referee.launch.process import ProcessLauncher
        from thousand_referee.spec import BotVersion

        async def main():
            folder = Path(sys.argv[2])
            bot = BotVersion("bot", "0", str(folder), ("python", "bot.py"))
            await ProcessLauncher().start(
                bot, address="unix:/nowhere", token="t", output=folder / "out" / "bot.log"
            )
            await asyncio.sleep(3600)

        asyncio.run(main())
    """
    (tmp_path / "bot.py").write_text(textwrap.dedent(LEAVES_ORPHAN) + "time.sleep(3600)\n")
    roots = str(Path(process.__file__).parents[2])
    parent = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(referee), roots, str(tmp_path)]
    )
    orphan = int(asyncio.run(printed(tmp_path))[1])
    parent.kill()
    parent.wait()
    assert ends_within(2, orphan)


def test_python_is_the_interpreter_that_runs_the_referee(tmp_path: Path) -> None:
    assert command_line(("python", "bot.py"), tmp_path) == [sys.executable, "bot.py"]
    assert command_line(("python3", "bot.py"), tmp_path) == [sys.executable, "bot.py"]


def test_a_path_is_looked_for_in_the_bots_folder_and_a_word_on_the_path(tmp_path: Path) -> None:
    assert command_line(("bin/bot", "-v"), tmp_path) == [str(tmp_path / "bin/bot"), "-v"]
    assert command_line(("/bin/sh",), tmp_path) == ["/bin/sh"]
    assert command_line(("node", "bot.js"), tmp_path) == ["node", "bot.js"]
