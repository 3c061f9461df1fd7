"""Tries to get out of its sandbox in many ways, prints what it could do, and plays on.

It prints one line, ``PROBE`` and a JSON object: for each attempt, null if it is
impossible, else what was possible. `host.json` beside it, if there, tells what there is
to find on the machine. Nothing here does harm where it succeeds.
"""

from __future__ import annotations

import ctypes
import json
import mmap
import os
import platform
import resource
import socket
import stat
import struct
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from thousand import Bot, Play, View, run

HERE = Path(__file__).parent
HOST = json.loads((HERE / "host.json").read_text()) if (HERE / "host.json").exists() else {}
OWN_SOCKET = os.environ["THOUSAND_ADDRESS"].removeprefix("unix:")
TMP = Path("/tmp")
DOCUMENTATION_IPV4, DOCUMENTATION_IPV6 = "192.0.2.1", "2001:db8::1"  # nobody's addresses
MEMORY_MB = 1_024  # more than a sandbox allows
FORKS = 512
FILES = 100_000
ENOUGH = 10  # of a kind to report
OPEN_FILES = 5_000

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

libc = ctypes.CDLL(None, use_errno=True)
probes: dict[str, Callable[[], object]] = {}


def probe(function: Callable[[], object]) -> Callable[[], object]:
    """Register an attempt: what it returns was possible, unless it is nothing."""
    probes[function.__name__.replace("_", " ")] = function
    return function


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


def paths(*roots: str) -> Iterator[Path]:
    for root in roots:
        for folder, names, files in os.walk(root):
            if folder == "/":
                names[:] = [name for name in names if name not in ("proc", "sys")]
            yield Path(folder)
            yield from (Path(folder, name) for name in files)


def mode_of(path: Path) -> int:
    try:
        return path.lstat().st_mode
    except OSError:
        return 0


def in_child(action: Callable[[], None]) -> int:
    """Do something in a child; give its exit status, negative for a signal."""
    child = os.fork()
    if child == 0:
        try:
            action()
            os._exit(0)
        except BaseException:
            os._exit(1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


# The network


@probe
def other_network_interfaces() -> object:
    return [name for _, name in socket.if_nameindex() if name != "lo"]


@probe
def a_route_to_IPv4_addresses() -> object:  # noqa: N802
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.connect((DOCUMENTATION_IPV4, 9))  # looks for a route, sends nothing
        return "yes"


@probe
def a_route_to_IPv6_addresses() -> object:  # noqa: N802
    with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as sender:
        sender.connect((DOCUMENTATION_IPV6, 9))
        return "yes"


@probe
def name_servers() -> object:
    found = []
    for line in Path("/etc/resolv.conf").read_text().splitlines():
        words = line.split()
        if len(words) == 2 and words[0] == "nameserver":
            family = socket.AF_INET6 if ":" in words[1] else socket.AF_INET
            with socket.socket(family, socket.SOCK_DGRAM) as sender:
                if sender.connect_ex((words[1], 53)) == 0 and not words[1].startswith("127."):
                    found.append(words[1])
    return found


@probe
def services_on_localhost() -> object:
    ports = [*range(1, 1025), 2375, 2376, 5432, 6379, 8080, HOST.get("port", 8000)]
    found = []
    for port in ports:
        with socket.socket() as caller:
            if caller.connect_ex(("127.0.0.1", port)) == 0:
                found.append(port)
    return found


@probe
def the_machine_by_its_bridge() -> object:
    with socket.socket() as caller:
        caller.settimeout(1)
        return caller.connect_ex(("172.17.0.1", HOST.get("port", 1))) in (0, 111)


@probe
def abstract_sockets() -> object:
    with socket.socket(socket.AF_UNIX) as caller:
        caller.connect("\0" + HOST.get("abstract", "no such"))
        return "yes"


@probe
def the_hypervisor_by_vsock() -> object:
    socket.socket(getattr(socket, "AF_VSOCK", 40), socket.SOCK_STREAM).close()
    return "such a socket can be made"


@probe
def the_kernels_ciphers_by_sockets() -> object:
    socket.socket(socket.AF_ALG, socket.SOCK_SEQPACKET).close()
    return "yes"


@probe
def raw_sockets() -> object:
    socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP).close()
    return "yes"


@probe
def packet_sockets() -> object:
    socket.socket(socket.AF_PACKET, socket.SOCK_RAW).close()
    return "yes"


@probe
def a_new_network_interface() -> object:
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0) as kernel:
        link = struct.pack("BxHiII", 0, 0, 0, 0, 0)
        kind = struct.pack("HH", 9, 1) + b"dummy"
        info = struct.pack("HH", 4 + len(kind) + 3, 18) + kind + b"\0\0\0"
        kernel.send(struct.pack("IHHII", 16 + len(link + info), 16, 0x605, 1, 0) + link + info)
        error = struct.unpack_from("i", kernel.recv(4096), 16)[0]
        return error == 0


# Files, mounts and sockets


@probe
def other_sockets() -> object:
    there = [HOST[key] for key in ("socket", "sockets") if key in HOST]
    found = [str(path) for path in paths("/") if stat.S_ISSOCK(mode_of(path))]
    return [path for path in (*found, *there) if path != OWN_SOCKET and Path(path).exists()]


@probe
def the_engines_socket() -> object:
    names = ("docker.sock", "containerd/containerd.sock", "docker/containerd/containerd.sock")
    return [name for name in names for run in ("/run", "/var/run") if Path(run, name).exists()]


@probe
def folders_to_write_to() -> object:
    found = []
    for path in paths("/", "/proc/self", "/dev", "/sys/fs/cgroup"):
        if TMP in (path, *path.parents) or not stat.S_ISDIR(mode_of(path)):
            continue
        try:
            (path / "probe").write_text("x")
        except OSError:
            continue
        found.append(str(path))
        if len(found) == ENOUGH:
            break
    return found


@probe
def files_to_write_to() -> object:
    found = []
    for path in paths("/"):
        if TMP in path.parents or not stat.S_ISREG(mode_of(path)):
            continue
        try:
            path.open("ab").close()
        except OSError:
            continue
        found.append(str(path))
        if len(found) == ENOUGH:
            break
    return found


@probe
def changing_the_socket() -> object:
    for change in (lambda: os.chmod(OWN_SOCKET, 0o777), lambda: os.unlink(OWN_SOCKET)):
        try:
            change()
        except OSError:
            continue
        return "yes"
    return None


@probe
def files_of_the_machine() -> object:
    return [path for path in HOST.get("files", ()) if Path(path).exists()]


@probe
def mounts_of_the_machine() -> object:
    usual = {"/", OWN_SOCKET, "/etc/resolv.conf", "/etc/hostname", "/etc/hosts"}
    usual |= {"/sbin/docker-init", "/usr/sbin/docker-init"}
    found = []
    for line in Path("/proc/self/mountinfo").read_text().splitlines():
        fields = line.split()
        kind = fields[fields.index("-") + 1]
        is_real = kind not in ("proc", "sysfs", "tmpfs", "devpts", "mqueue", "cgroup", "cgroup2")
        if is_real and (fields[4] not in usual or "ro" not in fields[5].split(",")):
            found.append(f"{kind} at {fields[4]} {fields[5]}")
    return found


@probe
def programs_in_tmp() -> object:
    program = TMP / "program"
    program.write_bytes(Path("/bin/sh").read_bytes())
    program.chmod(0o755)
    return subprocess.run([program, "-c", "exit 7"], check=False).returncode == 7


@probe
def code_mapped_from_tmp() -> object:
    with (TMP / "code").open("w+b") as file:
        file.write(b"\xc3" * 4096)
        file.flush()
        mmap.mmap(file.fileno(), 4096, mmap.MAP_PRIVATE, mmap.PROT_READ | mmap.PROT_EXEC).close()
    return "yes"


@probe
def passwords() -> object:
    return Path("/etc/shadow").read_text()


@probe
def device_nodes() -> object:
    os.mknod(TMP / "mem", stat.S_IFCHR | 0o666, os.makedev(1, 1))
    return "yes"


@probe
def devices() -> object:
    names = ("mem", "kmem", "port", "kmsg", "vda", "sda", "nvme0n1", "fuse", "kvm", "vsock", "net")
    return [name for name in names if os.path.exists(f"/dev/{name}")]


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


def report() -> None:
    found: dict[str, object] = {}
    for name, attempt in probes.items():
        try:
            found[name] = attempt() or None
        except (OSError, ValueError, MemoryError):
            found[name] = None
        except Exception as error:
            found[name] = f"the probe broke: {error!r}"
    print("PROBE", json.dumps(found, default=str), flush=True)


class ProbeBot(Bot):
    """Plays anything, once it has reported."""

    def play(self, view: View) -> Play:
        return self.rng.choice(view.legal_plays)


if __name__ == "__main__":
    report()
    run(ProbeBot)
