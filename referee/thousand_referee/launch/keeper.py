"""A process that keeps one bot's process, and leaves nothing of it behind.

Run as a script by the launcher, with the standard library alone. It reads an order (one
line of JSON) from standard input, starts the bot in a session of its own, drains its
output into a capped file, and tells on standard output, a JSON line each, when the bot
has exited and when nothing is left of it. When standard input closes, because the
referee wants it or is dead itself, it kills all that the bot has started: orphans come
to this process since it is their subreaper.

A command that can't be run counts as a bot that exited with status 127, as in a shell.
What is the machine's fault, such as a full disk, is told as `failed`.

Order: ``command`` (list), ``folder``, ``environment`` (dict), ``output`` (path),
``output_limit`` (bytes of the beginning to keep; as much of the end is kept too).
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import json
import os
import resource
import select
import signal
import subprocess
import sys
import time
from typing import Any

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
READ_BYTES = 1 << 16
KILL_SECONDS = 10.0
OPEN_FILES = 1024
SCARCITY = (errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE, errno.ENOSPC)

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


def prepare_bot(keeper: int) -> None:
    """In the bot's process before its program starts: die with the keeper, plain signals.

    So many open files can't use up those of the referee, whose socket they may dial.
    """
    _libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != keeper:
        os._exit(1)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGPIPE, signal.SIGCHLD):
        signal.signal(number, signal.SIG_DFL)
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if most == resource.RLIM_INFINITY or most > OPEN_FILES:
        resource.setrlimit(resource.RLIMIT_NOFILE, (OPEN_FILES, OPEN_FILES))


def descendants() -> dict[int, int]:
    """Find every process below this one, zombies aside; give the process group of each."""
    parents: dict[int, int] = {}
    groups: dict[int, int] = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            with contextlib.suppress(OSError, ValueError), open(f"/proc/{name}/stat", "rb") as stat:
                state, parent, group = stat.read().rpartition(b")")[2].split()[:3]
                parents[int(name)] = int(parent)
                if state != b"Z":
                    groups[int(name)] = int(group)
    found: set[int] = set()
    fresh = {os.getpid()}
    while fresh:
        fresh = {child for child, parent in parents.items() if parent in fresh} - found
        found |= fresh
    return {child: groups[child] for child in found if child in groups}


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
    """Stop, then kill, everything below; give whether nothing is left.

    By groups too: a process that forks and ends, again and again, is gone before its
    number is used, but its group is not.
    """
    end = time.monotonic() + KILL_SECONDS
    while living := descendants():
        groups = set(living.values()) - {os.getpgrp()}
        for number in (signal.SIGSTOP, signal.SIGKILL):
            for group in groups:
                with contextlib.suppress(OSError):
                    os.killpg(group, number)
            for child in living:
                with contextlib.suppress(OSError):
                    os.kill(child, number)
        reap(bot)
        if time.monotonic() > end:
            return False
        time.sleep(0.002)
    reap(bot)
    return True


def start(command: list[str], folder: str, environment: dict[str, str]) -> subprocess.Popen[bytes]:
    """Start the bot in a session of its own."""
    keeper = os.getpid()
    return subprocess.Popen(
        command,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        preexec_fn=lambda: prepare_bot(keeper),
    )


def watch(bot: subprocess.Popen[bytes], output: Output, wake: int) -> tuple[int | None, bool]:
    """Drain the bot's output until it exits or must end.

    Give its exit status, if it has exited, and whether its output is still open.
    """
    assert bot.stdout is not None
    pipe = bot.stdout.fileno()
    waiting = [0, pipe, wake]
    while True:
        ready, _, _ = select.select(waiting, [], [])
        if pipe in ready:
            data = os.read(pipe, READ_BYTES)
            output.add(data)
            if not data:
                waiting.remove(pipe)
        if wake in ready:
            os.read(wake, READ_BYTES)
            status = reap(bot.pid)
            if status is not None:
                return status, pipe in waiting
        if 0 in ready and not os.read(0, READ_BYTES):
            return None, pipe in waiting


def drain(pipe: int, output: Output) -> None:
    """Take what still lies in the pipe: nothing more comes, everybody is dead."""
    os.set_blocking(pipe, False)
    for _ in range((1 << 20) // READ_BYTES):
        with contextlib.suppress(BlockingIOError):
            data = os.read(pipe, READ_BYTES)
            output.add(data)
            if data:
                continue
        return


def keep(order: dict[str, Any]) -> None:
    """Start the bot, drain it until it ends or must end, and clean up."""
    try:
        output = Output(order["output"], order["output_limit"])
    except OSError as error:
        tell(event="failed", reason=str(error))
        return
    _libc.prctl(PR_SET_CHILD_SUBREAPER, 1)
    wake_read, wake_write = os.pipe()
    os.set_blocking(wake_write, False)
    signal.set_wakeup_fd(wake_write, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    clean = True
    left = 0
    try:
        bot = start(order["command"], order["folder"], order["environment"])
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        if isinstance(error, subprocess.SubprocessError) or (
            isinstance(error, OSError) and error.errno in SCARCITY
        ):
            tell(event="failed", reason=str(error))
        else:
            output.add(f"can't start {order['command'][0]}: {error}\n".encode())
            tell(event="exited", status=127)
    else:
        tell(event="started", pid=bot.pid)
        assert bot.stdout is not None
        status, is_open = watch(bot, output, wake_read)
        if status is not None:
            tell(event="exited", status=status)
            left = len(descendants())
        clean = kill_all(bot.pid)
        if is_open:
            drain(bot.stdout.fileno(), output)
    output.close()
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    tell(
        event="gone",
        clean=clean,
        left=left,
        cpu_ms=round(1000 * (usage.ru_utime + usage.ru_stime)),
        memory_kb=usage.ru_maxrss,
    )


if __name__ == "__main__":
    # Whoever tells every process to end tells the referee too; the bot's end is told first.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    order_line = b""
    while not order_line.endswith(b"\n"):
        piece = os.read(0, 1)
        if not piece:
            sys.exit(1)
        order_line += piece
    keep(json.loads(order_line))
