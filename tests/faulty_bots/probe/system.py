"""Attempts on the kernel: its settings, its memory, and system calls."""

from __future__ import annotations

import ctypes
import os
import platform
import stat
from pathlib import Path

from probing import (
    in_child,
    libc,
    mode_of,
    paths,
    probe,
    probes,
)

# Numbers of system calls on x86-64, with arguments that are as harmless as can be.
CALLS: dict[str, tuple[int, tuple[object, ...]]] = {
    "mount": (165, (b"none", b"/tmp", b"tmpfs", 0, None)),
    "umount": (166, (b"/proc", 2)),
    "fsopen": (430, (b"tmpfs", 0)),
    "pivot_root": (155, (b"/tmp", b"/tmp")),
    "chroot": (161, (b"/tmp",)),
    "open_by_handle_at": (304, (-1, None, 0)),
    "unshare user namespace": (272, (0x10000000,)),
    "unshare mount namespace": (272, (0x00020000,)),
    "unshare network namespace": (272, (0x40000000,)),
    "clone user namespace": (56, (0x10000011, None, None, None, None)),
    "clone3": (435, (None, 0)),
    "add_key": (248, (b"user", b"probe", b"x", 1, -3)),
    "request_key": (249, (b"user", b"probe", None, -3)),
    "keyctl": (250, (0, -4, 1)),
    "bpf": (321, (0, None, 0)),
    "perf_event_open": (298, (None, 0, -1, -1, 0)),
    "userfaultfd": (323, (0,)),
    "io_uring_setup": (425, (1, None)),
    "ptrace": (101, (0, 0, None, None)),
    "process_vm_readv": (310, (1, None, 0, None, 0, 0)),
    "kcmp": (312, (1, 1, 0, 0, 0)),
    "modify_ldt": (154, (0, None, 0)),
    "kexec_load": (246, (0, 0, None, 0)),
    "init_module": (175, (None, 0, b"")),
    "finit_module": (313, (-1, b"", 0)),
    "delete_module": (176, (b"no_such_module", 0)),
    "reboot": (169, (0, 0, 0, None)),
    "swapon": (167, (b"/tmp/no", 0)),
    "acct": (163, (None,)),
    "iopl": (172, (3,)),
    "ioperm": (173, (0x80, 1, 1)),
    "syslog": (103, (10, None, 0)),
    "sethostname": (170, (b"x", 1)),
    "quotactl": (179, (0, None, 0, None)),
    "clock_settime": (227, (0, None)),
}
REFUSED = {1, 13, 38}  # EPERM, EACCES, ENOSYS: the call itself is refused


def call(name: str) -> object:
    """Make a system call; any error but a refusal says that the kernel looked at it."""
    number, arguments = CALLS[name]
    if platform.machine() != "x86_64":
        return None

    def act() -> None:
        result = libc.syscall(number, *arguments)
        os._exit(0 if result == -1 and ctypes.get_errno() in REFUSED else ctypes.get_errno() or 255)

    error = in_child(act)
    return None if error == 0 else f"error {error}"


# The kernel


@probe
def kernel_settings_to_write() -> object:
    names = ("kernel/core_pattern", "kernel/hostname", "vm/swappiness", "kernel/modprobe")
    found = []
    for path in [Path("/proc/sysrq-trigger"), *(Path("/proc/sys", name) for name in names)]:
        try:
            path.open("w").close()
        except OSError:
            continue
        found.append(str(path))
    return found


@probe
def system_files_to_write() -> object:
    found = []
    for path in paths("/sys"):
        try:
            if stat.S_ISREG(mode_of(path)) and mode_of(path) & 0o222:
                path.open("w").close()
                found.append(str(path))
        except OSError:
            continue
    return found


@probe
def kernel_memory_and_secrets() -> object:
    found = []
    for name in ("kcore", "kmsg", "keys", "timer_list", "sched_debug", "kpagecount"):
        try:
            with Path("/proc", name).open("rb") as file:
                if file.read(16):
                    found.append(name)
        except OSError:
            continue
    return found


@probe
def kernel_addresses() -> object:
    with Path("/proc/kallsyms").open() as file:
        return int(file.readline().split()[0], 16)


for _name in CALLS:
    probes[f"system call: {_name}"] = lambda name=_name: call(name)
