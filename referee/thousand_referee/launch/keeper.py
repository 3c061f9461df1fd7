"""A process that keeps one bot's process, and leaves nothing of it behind.

Run as a script by the launcher, with the standard library alone. It reads an order (one
line of JSON) from standard input, starts the bot in a session of its own, drains its
output into a capped file, and tells on standard output, a JSON line each, when the bot
has exited and when nothing is left of it. When standard input closes, because the
referee wants it or is dead itself, it kills all that the bot has started: orphans come
to this process since it is their subreaper.

Order: ``command`` (list), ``folder``, ``environment`` (dict), ``output`` (path),
``output_limit`` (bytes of the beginning to keep; as much of the end is kept too).
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import resource
import select
import signal
import subprocess
import sys
import time

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
READ_BYTES = 1 << 16
KILL_SECONDS = 10.0

_libc = ctypes.CDLL(None, use_errno=True)


class Output:
    """A bot's output: the beginning goes to the file at once, the end when it is closed."""

    def __init__(self, path: str, limit: int) -> None:
        self._file = open(path, "wb", buffering=0)  # noqa: SIM115 - closed by close()
        self._limit = limit
        self._tail = b""
        self.size = 0

    def add(self, data: bytes) -> None:
        """Take what the bot wrote."""
        room = max(0, self._limit - self.size)
        self.size += len(data)
        if room:
            with contextlib.suppress(OSError):
                self._file.write(data[:room])
        self._tail = (self._tail + data[room:])[-self._limit :]

    def close(self) -> None:
        """Write the end, and how much between beginning and end is missing."""
        missing = self.size - self._limit - len(self._tail)
        note = b"\n[... %d bytes left out ...]\n" % missing if missing > 0 else b""
        with contextlib.suppress(OSError):
            self._file.write(note + self._tail)
        self._file.close()


def tell(**event: object) -> None:
    """Report to the launcher; it may be gone."""
    with contextlib.suppress(OSError):
        os.write(1, json.dumps(event).encode() + b"\n")


def prepare_bot() -> None:
    """In the bot's process before its program starts: die with the keeper."""
    _libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def descendants() -> set[int]:
    """Find every living process below this one."""
    parents: dict[int, int] = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            with contextlib.suppress(OSError, ValueError), open(f"/proc/{name}/stat", "rb") as stat:
                state, parent = stat.read().rpartition(b")")[2].split()[:2]
                if state != b"Z":
                    parents[int(name)] = int(parent)
    found: set[int] = set()
    fresh = {os.getpid()}
    while fresh:
        fresh = {child for child, parent in parents.items() if parent in fresh} - found
        found |= fresh
    return found


def reap(bot: int) -> int | None:
    """Take the exit status of every child that has ended; give the bot's if it is there."""
    status = None
    with contextlib.suppress(ChildProcessError):
        while True:
            child, child_status = os.waitpid(-1, os.WNOHANG)
            if child == 0:
                break
            if child == bot:
                status = os.waitstatus_to_exitcode(child_status)
    return status


def kill_all(bot: int) -> bool:
    """Stop, then kill, everything below; give whether nothing is left."""
    end = time.monotonic() + KILL_SECONDS
    while living := descendants():
        for number in (signal.SIGSTOP, signal.SIGKILL):
            for child in living:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(child, number)
        reap(bot)
        if time.monotonic() > end:
            return False
        time.sleep(0.002)
    reap(bot)
    return True


def keep(order: dict[str, object]) -> None:
    """Start the bot, drain it until it ends or must end, and clean up."""
    command, environment = order["command"], order["environment"]
    assert isinstance(command, list)
    assert isinstance(environment, dict)
    output = Output(str(order["output"]), int(str(order["output_limit"])))
    _libc.prctl(PR_SET_CHILD_SUBREAPER, 1)
    wake_read, wake_write = os.pipe()
    os.set_blocking(wake_write, False)
    signal.set_wakeup_fd(wake_write, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    try:
        bot = subprocess.Popen(
            command,
            cwd=str(order["folder"]),
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=prepare_bot,
        )
    except OSError as error:
        output.add(f"can't start {command[0]}: {error.strerror}\n".encode())
        output.close()
        tell(event="exited", status=127)
        tell(event="gone", clean=True)
        return
    tell(event="started", pid=bot.pid)
    assert bot.stdout is not None
    pipe = bot.stdout.fileno()
    waiting = [0, pipe, wake_read]
    status = None
    while status is None:
        ready, _, _ = select.select(waiting, [], [])
        if pipe in ready:
            data = os.read(pipe, READ_BYTES)
            output.add(data)
            if not data:
                waiting.remove(pipe)
        if wake_read in ready:
            os.read(wake_read, READ_BYTES)
            status = reap(bot.pid)
        if 0 in ready and not os.read(0, READ_BYTES):
            break
    if status is not None:
        tell(event="exited", status=status)
    clean = kill_all(bot.pid)
    while pipe in waiting and select.select([pipe], [], [], 0)[0]:
        data = os.read(pipe, READ_BYTES)
        output.add(data)
        if not data:
            break
    output.close()
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    tell(
        event="gone",
        clean=clean,
        cpu_ms=round(1000 * (usage.ru_utime + usage.ru_stime)),
        memory_kb=usage.ru_maxrss,
        output_bytes=output.size,
    )


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    order_line = b""
    while not order_line.endswith(b"\n"):
        piece = os.read(0, 1)
        if not piece:
            sys.exit(1)
        order_line += piece
    keep(json.loads(order_line))
