"""What the probe's attempts share: a list of them, and what they look with."""

from __future__ import annotations

import ctypes
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

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

libc = ctypes.CDLL(None, use_errno=True)
probes: dict[str, Callable[[], object]] = {}


def probe(function: Callable[[], object]) -> Callable[[], object]:
    """Register an attempt: what it returns was possible, unless it is nothing."""
    probes[function.__name__.replace("_", " ")] = function
    return function


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
