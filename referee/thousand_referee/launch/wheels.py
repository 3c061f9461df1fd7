"""Python packages for images: the SDK packed from what is installed here, others fetched.

They are fetched by this machine's pip, with its settings, as wheels only and by name
only: so no code of a stranger's package runs outside of a container, and no image needs
a network to be built.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
import tempfile
import zipfile
from base64 import urlsafe_b64encode
from collections.abc import Iterable, Sequence
from importlib import metadata
from pathlib import Path
from typing import Final

import msgspec

import thousand
from thousand_referee.errors import ConfigError, MatchVoid

DISTRIBUTION: Final = "thousand-arena"

DESCRIBE: Final = (
    "import json, platform, sys; "
    "print(json.dumps({'python': sys.version_info[:2], 'machine': platform.machine(), "
    "'glibc': platform.libc_ver()[1].split('.')}))"
)
"""A program that prints the `Target` it runs on, as JSON."""

_MACHINES_PROBLEMS: Final = ("connection broken by", "No space left on device")
"""In pip's words: what isn't the requirements' doing."""

_OLDEST_GLIBC: Final = 5
_MUSL_MINORS: Final = (1, 2)
_EPOCH: Final = (1980, 1, 1, 0, 0, 0)
_REQUIREMENT: Final = re.compile(
    r"[A-Za-z0-9][A-Za-z0-9._-]*\s*(\[[A-Za-z0-9._,\s-]*\])?"
    r"\s*((===|==|~=|!=|<=|>=|<|>)\s*[A-Za-z0-9.*+!_-]+\s*,?\s*)*(;[^@;]*)?"
)


class Target(msgspec.Struct, frozen=True):
    """What wheels must fit; `glibc` is ``("2", "36")``, or empty texts with musl."""

    python: tuple[int, int]
    machine: str
    glibc: tuple[str, ...]

    def platforms(self) -> list[str]:
        """Give the names of platforms whose wheels run there."""
        if len(self.glibc) < 2:
            return [f"musllinux_1_{minor}_{self.machine}" for minor in _MUSL_MINORS]
        minors = range(int(self.glibc[1]), _OLDEST_GLIBC - 1, -1)
        names = [f"manylinux_2_{minor}_{self.machine}" for minor in minors]
        return [*names, f"manylinux2014_{self.machine}"]


def runtime_requirements() -> list[str]:
    """Give what the SDK needs, in the versions installed here: those it was tested with."""
    needed = [text for text in metadata.requires(DISTRIBUTION) or () if "extra ==" not in text]
    names = [re.split(r"[^A-Za-z0-9._-]", text, maxsplit=1)[0] for text in needed]
    return [f"{name}=={metadata.version(name)}" for name in names]


def read_requirements(path: Path) -> list[str]:
    """Read a bot's requirements.txt: names and versions, nothing else; ConfigError."""
    found = []
    text = path.read_text(encoding="utf-8", errors="replace")
    for number, line in enumerate(text.splitlines(), start=1):
        requirement = re.sub(r"(^|\s)#.*", "", line).strip()
        if not requirement:
            continue
        if not _REQUIREMENT.fullmatch(requirement):
            raise ConfigError(
                f"{path}:{number}: {requirement[:80]!r} is not installed; only names and versions "
                'are, such as "numpy>=2": no options, files or addresses'
            )
        found.append(requirement)
    return found


def fetch_wheels(requirements: Sequence[str], target: Target, folder: Path) -> None:
    """Download wheels, and those they need, into a folder; ConfigError with pip's words.

    `MatchVoid` if it is the network or the disk that fails.
    """
    version = ".".join(map(str, target.python))
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as listed:
        listed.write("\n".join(requirements))
        listed.flush()
        command = [
            *(sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"),
            *("--no-input", "--only-binary=:all:", "--implementation=cp"),
            *(f"--python-version={version}", f"--dest={folder}", f"--requirement={listed.name}"),
            *(f"--platform={name}" for name in target.platforms()),
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        problem = "\n  ".join((done.stderr or done.stdout).strip().splitlines()[-5:])
        is_ours = any(words in done.stderr for words in _MACHINES_PROBLEMS)
        raise (MatchVoid if is_ours else ConfigError)(
            f"can't fetch wheels of {', '.join(requirements)} for Python {version} on "
            f"{target.machine}; pip said:\n  {problem}"
        )


def pack_sdk() -> tuple[str, bytes]:
    """Pack the SDK as it is installed here into a wheel; give its file name and contents.

    The same files make the same bytes.
    """
    version = metadata.version(DISTRIBUTION)
    name = DISTRIBUTION.replace("-", "_")
    about = f"{name}-{version}.dist-info"
    needs = (text for text in metadata.requires(DISTRIBUTION) or () if "extra ==" not in text)
    head = f"Metadata-Version: 2.1\nName: {DISTRIBUTION}\nVersion: {version}\n"
    files = dict(_sdk_files())
    files[f"{about}/METADATA"] = (
        head + "".join(f"Requires-Dist: {text}\n" for text in needs)
    ).encode()
    files[f"{about}/WHEEL"] = (
        f"Wheel-Version: 1.0\nGenerator: {DISTRIBUTION}\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    ).encode()
    record = "".join(f"{path},sha256={_hash(data)},{len(data)}\n" for path, data in files.items())
    files[f"{about}/RECORD"] = f"{record}{about}/RECORD,,\n".encode()
    with tempfile.TemporaryFile() as packed:
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as wheel:
            for path, data in files.items():
                entry = zipfile.ZipInfo(path, _EPOCH)
                entry.external_attr = 0o644 << 16
                wheel.writestr(entry, data, zipfile.ZIP_DEFLATED)
        packed.seek(0)
        return f"{name}-{version}-py3-none-any.whl", packed.read()


def _sdk_files() -> Iterable[tuple[str, bytes]]:
    """Yield the SDK's files by their paths in a wheel, in order."""
    package = Path(thousand.__path__[0])
    for path in sorted(package.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path.relative_to(package.parent).as_posix(), path.read_bytes()


def _hash(data: bytes) -> str:
    return urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
