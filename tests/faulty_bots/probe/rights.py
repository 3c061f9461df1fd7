"""Attempts on other processes, on more rights, and on more than one's share."""

from __future__ import annotations

import os
import resource
import stat
import subprocess
import time
from pathlib import Path

from probing import (
    FILES,
    FORKS,
    HOST,
    MEMORY_MB,
    OPEN_FILES,
    TMP,
    in_child,
    libc,
    mode_of,
    paths,
    probe,
)

# Processes


def processes() -> list[int]:
    return [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]


@probe
def processes_of_others() -> object:
    parents = {1, os.getpid(), os.getppid()}
    return [number for number in processes() if number not in parents]


@probe
def tokens_of_others() -> object:
    found = []
    for number in processes():
        try:
            environment = Path(f"/proc/{number}/environ").read_bytes()
        except OSError:
            continue
        own = f"THOUSAND_TOKEN={os.environ['THOUSAND_TOKEN']}".encode()
        tokens = (item for item in environment.split(b"\0") if item.startswith(b"THOUSAND_TOKEN="))
        found += [number for token in tokens if token != own]
    return found


@probe
def signals_to_the_machine() -> object:
    if "process" not in HOST:
        return None
    os.kill(HOST["process"], 0)
    return "yes"


@probe
def tracing_the_machine() -> object:
    return "yes" if libc.ptrace(16, HOST.get("process", 2**22), None, None) == 0 else None


@probe
def namespaces_of_the_machine() -> object:
    for name in ("mnt", "net", "pid"):
        descriptor = os.open(f"/proc/1/ns/{name}", os.O_RDONLY)
        if libc.setns(descriptor, 0) == 0:
            return name
    return None


# Rights


@probe
def capabilities() -> object:
    lines = Path("/proc/self/status").read_text().splitlines()
    return [line for line in lines if line.startswith("Cap") and int(line.split()[1], 16)]


@probe
def new_privileges() -> object:
    return "NoNewPrivs:\t1" not in Path("/proc/self/status").read_text()


@probe
def running_without_a_filter_of_system_calls() -> object:
    return "Seccomp:\t2" not in Path("/proc/self/status").read_text()


@probe
def becoming_root() -> object:
    for change in (lambda: os.setuid(0), lambda: os.setgid(0), lambda: os.setgroups([0])):
        try:
            change()
        except OSError:
            continue
        return "yes"
    return os.getuid() == 0 or os.getgid() == 0


@probe
def setuid_programs() -> object:
    found = []
    for path in paths("/bin", "/sbin", "/usr"):
        mode = mode_of(path)
        if stat.S_ISREG(mode) and mode & stat.S_ISUID and os.access(path, os.X_OK):
            with subprocess.Popen(
                [path], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            ) as child:
                time.sleep(0.05)
                try:
                    status = Path(f"/proc/{child.pid}/status").read_text()
                except OSError:
                    status = ""
                child.kill()
            if "Uid:" in status and "0" in status.split("Uid:")[1].split("\n")[0].split():
                found.append(str(path))
    return found


@probe
def raising_limits() -> object:
    found = []
    for name in ("NOFILE", "CORE", "MSGQUEUE", "MEMLOCK"):
        kind = getattr(resource, f"RLIMIT_{name}", None)
        if kind is not None:
            try:
                resource.setrlimit(kind, (1 << 20, 1 << 20))
            except (OSError, ValueError):
                continue
            found.append(name)
    return found


@probe
def a_higher_priority() -> object:
    os.setpriority(os.PRIO_PROCESS, 0, -10)
    return "yes"


@probe
def real_time_priority() -> object:
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    return "yes"


@probe
def hiding_from_the_memory_killer() -> object:
    Path("/proc/self/oom_score_adj").write_text("-1000")
    return "yes"


# More than one's share


@probe
def more_memory() -> object:
    def take() -> None:
        blocks = [os.urandom(1024) * 1024 for _ in range(MEMORY_MB)]
        assert len(blocks) == MEMORY_MB

    return f"{MEMORY_MB} MB" if in_child(take) == 0 else None


@probe
def swap() -> object:
    old, new = Path("/sys/fs/cgroup/memory"), Path("/sys/fs/cgroup/memory.swap.max")
    if new.exists():
        return new.read_text().strip() != "0"
    limits = [(old / f"memory.{kind}limit_in_bytes").read_text() for kind in ("", "memsw.")]
    return limits[0] != limits[1]


@probe
def many_processes() -> object:
    children = []
    try:
        for _ in range(FORKS):
            child = os.fork()
            if child == 0:
                time.sleep(60)
                os._exit(0)
            children.append(child)
        return f"{FORKS} processes"
    finally:
        for child in children:
            os.kill(child, 9)
            os.waitpid(child, 0)


@probe
def a_full_disk() -> object:
    try:
        with (TMP / "big").open("wb") as file:
            for _ in range(MEMORY_MB):
                file.write(bytes(1 << 20))
        return f"{MEMORY_MB} MB"
    finally:
        (TMP / "big").unlink()


@probe
def many_files() -> object:
    made = []
    try:
        for number in range(FILES):
            (TMP / str(number)).touch()
            made.append(number)
        return f"{FILES} files"
    finally:
        for number in made:
            (TMP / str(number)).unlink()


@probe
def many_open_files() -> object:
    descriptors = []
    try:
        for _ in range(OPEN_FILES):
            descriptors += [os.open("/dev/null", os.O_RDONLY)]
        return f"{OPEN_FILES} open files"
    finally:
        for descriptor in descriptors:
            os.close(descriptor)
