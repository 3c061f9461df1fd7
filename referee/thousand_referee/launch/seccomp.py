"""Which system calls a bot in a container may make: those of ordinary programs.

The engine's own list is longer, and older engines let containers talk to the machine's
hypervisor (vsock, which no network setting closes) and use io_uring. A bot computes,
keeps files in ``/tmp`` and talks over one Unix socket; it gets what Python, Go, Rust,
Java, JavaScript and .NET need for that. All else is refused as if the kernel didn't
know it, or (by older engines) for want of permission. Programs of another architecture,
32-bit ones say, don't run.
"""

from __future__ import annotations

import json
import socket
from typing import Any, Final

_ENOSYS: Final = 38
_NEW_NAMESPACES: Final = 0x7E02_0000
"""The flags of `clone` that ask for new namespaces."""

_FAMILIES: Final = (socket.AF_UNIX, socket.AF_INET, socket.AF_INET6, socket.AF_NETLINK)
"""Sockets one can make. All but the first lead nowhere, but libraries ask for them."""

_PERSONALITIES: Final = (0, 0xFFFF_FFFF)
"""The usual one, and the question which it is."""

_CALLS: Final = """
    access chdir chmod chown close close_range copy_file_range creat dup dup2 dup3 faccessat
    faccessat2 fadvise64 fallocate fchdir fchmod fchmodat fchmodat2 fchown fchownat fcntl
    fdatasync fgetxattr flistxattr flock fstat fstatfs fsync ftruncate futimesat getcwd
    getdents getdents64 getxattr inotify_add_watch inotify_init inotify_init1
    inotify_rm_watch ioctl lchown lgetxattr link linkat listxattr llistxattr lseek lstat
    memfd_create mkdir mkdirat newfstatat open openat openat2 pipe pipe2 pread64 preadv
    preadv2 pwrite64 pwritev pwritev2 read readahead readlink readlinkat readv rename
    renameat renameat2 rmdir sendfile splice stat statfs statx symlink symlinkat sync
    sync_file_range syncfs tee truncate umask unlink unlinkat utime utimensat utimes
    vmsplice write writev

    epoll_create epoll_create1 epoll_ctl epoll_pwait epoll_pwait2 epoll_wait eventfd
    eventfd2 poll ppoll pselect6 select signalfd signalfd4 timerfd_create timerfd_gettime
    timerfd_settime

    brk madvise membarrier mincore mlock mlock2 mlockall mmap mprotect mremap msync munlock
    munlockall munmap pkey_alloc pkey_free pkey_mprotect riscv_flush_icache

    accept accept4 bind connect getpeername getsockname getsockopt listen recvfrom recvmmsg
    recvmsg sendmmsg sendmsg sendto setsockopt shutdown socketpair

    alarm clock_getres clock_gettime clock_nanosleep getitimer gettimeofday nanosleep
    setitimer time timer_create timer_delete timer_getoverrun timer_gettime timer_settime
    times

    arch_prctl capget capset execve execveat exit exit_group fork futex futex_requeue
    futex_wait futex_waitv futex_wake get_robust_list get_thread_area getcpu getegid geteuid
    getgid getgroups getpgid getpgrp getpid getppid getpriority getrandom getresgid getresuid
    getrlimit getrusage getsid gettid getuid ioprio_get kill landlock_add_rule
    landlock_create_ruleset landlock_restrict_self pause pidfd_open pidfd_send_signal prctl
    prlimit64 restart_syscall rseq rt_sigaction rt_sigpending rt_sigprocmask
    rt_sigqueueinfo rt_sigreturn rt_sigsuspend rt_sigtimedwait rt_tgsigqueueinfo
    sched_get_priority_max sched_get_priority_min sched_getaffinity sched_getattr
    sched_getparam sched_getscheduler sched_rr_get_interval sched_setaffinity sched_setattr
    sched_setparam sched_setscheduler sched_yield seccomp set_robust_list set_thread_area
    set_tid_address setpgid setpriority setrlimit setsid sigaltstack sysinfo tgkill tkill
    uname vfork wait4 waitid
"""


def seccomp_profile() -> str:
    """Give the list as the engine reads it, in JSON."""
    return json.dumps(
        {
            "defaultAction": "SCMP_ACT_ERRNO",
            "defaultErrnoRet": _ENOSYS,
            "syscalls": [
                _allow(*_CALLS.split()),
                *(_allow("socket", value=family) for family in _FAMILIES),
                *(_allow("personality", value=each) for each in _PERSONALITIES),
                _allow("clone", value=_NEW_NAMESPACES, compare="SCMP_CMP_MASKED_EQ"),
                # Its flags lie in memory, where they can't be looked at; libraries then
                # fall back on clone.
                {"names": ["clone3"], "action": "SCMP_ACT_ERRNO", "errnoRet": _ENOSYS},
            ],
        }
    )


def _allow(*names: str, value: int | None = None, compare: str = "SCMP_CMP_EQ") -> dict[str, Any]:
    """Allow calls; with `value` only if their first argument is that, or has none of its bits."""
    rule: dict[str, Any] = {"names": names, "action": "SCMP_ACT_ALLOW"}
    if value is not None:
        rule["args"] = [{"index": 0, "value": int(value), "valueTwo": 0, "op": compare}]
    return rule
