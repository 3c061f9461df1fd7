"""Attempts to reach the network, and files, mounts and sockets of the machine."""

from __future__ import annotations

import mmap
import os
import socket
import stat
import struct
import subprocess
from pathlib import Path

from probing import (
    DOCUMENTATION_IPV4,
    DOCUMENTATION_IPV6,
    ENOUGH,
    HOST,
    OWN_SOCKET,
    TMP,
    mode_of,
    paths,
    probe,
)

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
