"""Bot folders: what `bot.toml` says, and a digest of the files it stands for.

`bot.toml` has four keys, of which only `command` is required::

    name = "Counter"                 # default: the folder's name
    command = ["python", "bot.py"]   # started in the folder
    description = "Counts trumps."
    dockerfile = "Dockerfile"        # builds its image for the Docker sandbox

**Command.** ``python`` and ``python3`` mean the interpreter the referee runs in. Another
word without a slash is looked for on PATH. A path is relative to the folder and doesn't
leave it, or is absolute. In a container only what is in the image counts: there a bot
without a Dockerfile of its own finds its folder, and Python.

**Version.** The digest is SHA-256 over ``"thousand bot files 1" | 0`` and, for each file
in ascending order of its path's bytes, ``kind | 0 | path | 0 | digest``. The path is
relative to the folder, with slashes. The kind is ``f``, ``x`` (the owner may execute
it) or ``l`` (a symbolic link). The digest is the SHA-256, 32 bytes, of the file's
contents; for a link, of the relative path it leads to. Folders called ``__pycache__`` or
``.git`` and files ``*.pyc`` don't count.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
from collections.abc import Iterator, Sequence
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Final

import msgspec

from thousand_referee.errors import ConfigError
from thousand_referee.spec import BotVersion
from thousand_referee.toml_files import read_toml

MAX_FILES: Final = 10_000
MAX_BYTES: Final = 100_000_000
MAX_DESCRIPTION: Final = 1_000

INTERPRETER_NAMES: Final = ("python", "python3")
NAME_RULE: Final = (
    "1 to 64 characters: letters A to Z, digits, spaces and - _ . + #, "
    "the first a letter or digit, the last no space or dot"
)
_NAME: Final = re.compile(r"[A-Za-z0-9]([A-Za-z0-9 \-_.+#]{0,62}[A-Za-z0-9\-_+#])?")
_EXAMPLES: Final = Path("example_bots")
"""Where the examples are for who works in the repository."""
_SKIPPED_FOLDERS: Final = frozenset({"__pycache__", ".git"})


class BotFolder(msgspec.Struct, frozen=True, kw_only=True):
    """A bot as its folder (absolute) describes it. `digest` has 64 hex digits."""

    name: str
    command: tuple[str, ...]
    description: str
    folder: Path
    digest: str
    dockerfile: str | None = None

    @property
    def version(self) -> str:
        """The first 16 digits of the digest: what logs and people call the bot's version."""
        return self.digest[:16]

    def as_entry(self, name: str) -> BotVersion:
        """Give what a match needs to know of this bot, entered under `name`."""
        return BotVersion(
            name=name, version=self.version, folder=str(self.folder), command=self.command
        )


class _BotFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The keys of bot.toml."""

    command: tuple[str, ...]
    name: str | None = None
    description: str = ""
    dockerfile: str | None = None


def is_name(text: str) -> bool:
    """Whether a bot, entry or tournament may be called this: see `NAME_RULE`.

    Such a name is safe as a file's or folder's name, and in a terminal.
    """
    return _NAME.fullmatch(text) is not None


def read_bot(folder: Path, *, in_container: bool = False) -> BotFolder:
    """Read a bot's folder; ConfigError, naming file and key, for whatever is wrong with it.

    Whether the command can be run here is checked unless the bot runs in a container.
    """
    file = folder / "bot.toml"
    if not folder.is_dir():
        problem = "not a folder" if folder.exists() else "no such folder"
        example = _EXAMPLES / folder
        is_example = len(folder.parts) == 1 and (example / "bot.toml").is_file()
        remedy = f"did you mean {example}?" if is_example else "give the path of a bot's folder"
        raise ConfigError(f"{folder}: {problem}; {remedy}")
    if not file.exists():
        raise ConfigError(f'{file}: no such file; write one with command = ["python", "bot.py"]')
    content = read_toml(file, _BotFile)
    folder = folder.resolve()
    name = folder.name if content.name is None else content.name
    if not is_name(name):
        source = " (the folder's name; set this key)" if content.name is None else ""
        raise ConfigError(f"{file}: name: {name!r}{source} is no name; use {NAME_RULE}")
    if len(content.description) > MAX_DESCRIPTION:
        raise ConfigError(
            f"{file}: description: {len(content.description)} characters; "
            f"shorten it to {MAX_DESCRIPTION}"
        )
    try:
        _check_command(folder, content.command, in_container)
    except ConfigError as error:
        raise ConfigError(f"{file}: command: {error}") from None
    if content.dockerfile is not None and not _is_inside(folder, content.dockerfile):
        raise ConfigError(
            f"{file}: dockerfile: {content.dockerfile!r} is no file in the bot's folder; correct it"
        )
    return BotFolder(
        name=name,
        command=content.command,
        description=content.description,
        folder=folder,
        digest=_digest_of(folder),
        dockerfile=content.dockerfile,
    )


def _is_inside(folder: Path, name: str) -> bool:
    """Whether this is the relative path of a file in the folder, without detours."""
    path = Path(name)
    return not path.is_absolute() and ".." not in path.parts and (folder / path).is_file()


def _check_command(folder: Path, command: Sequence[str], in_container: bool) -> None:
    """Raise ConfigError unless the command can be run: see the module's text."""
    if not command or not command[0]:
        raise ConfigError('empty; give the program and its arguments: ["python", "bot.py"]')
    if any("\0" in word for word in command):
        raise ConfigError("contains a zero character; remove it")
    program = command[0]
    path = folder / program
    if in_container or program in INTERPRETER_NAMES:
        return
    if "/" not in program:
        if shutil.which(program) is None:
            remedy = f'write "./{program}"' if path.is_file() else "install or correct it"
            raise ConfigError(f"{program!r} is not found on PATH; {remedy}")
        return
    if ".." in Path(program).parts:
        raise ConfigError(f"{program!r} leaves the bot's folder; put the program in there")
    if not path.is_file():
        raise ConfigError(f"{program!r} is not found in the bot's folder; correct it")
    if not os.access(path, os.X_OK):
        raise ConfigError(f"{program!r} is not executable; run chmod +x on it")


def _digest_of(folder: Path) -> str:
    """Digest the files that make a bot, as the module's docstring lays down."""
    files = sorted(files_in(folder), key=os.fsencode)
    result = sha256(b"thousand bot files 1\0")
    total = 0
    for file in files:
        path = folder / file
        try:
            kind, digest, size = _digest_file(folder, path)
        except OSError as error:
            raise ConfigError(
                f"{path}: can't be read ({error.strerror}); make it readable or remove it"
            ) from None
        total += size
        if total > MAX_BYTES:
            raise ConfigError(
                f"{folder}: more than {MAX_BYTES // 1_000_000} MB; keep data, builds and "
                "virtual environments out of a bot's folder"
            )
        result.update(b"\0".join((kind, os.fsencode(file), digest)))
    return result.hexdigest()


def files_in(folder: Path) -> Iterator[str]:
    """Yield the relative paths of a bot's files and links that count, in no given order."""
    count = 0
    for parent, folders, files in os.walk(folder, onerror=_refuse_unreadable):
        linked = [name for name in folders if Path(parent, name).is_symlink()]
        folders[:] = [name for name in folders if name not in _SKIPPED_FOLDERS]
        for name in (*files, *linked):
            if name.endswith(".pyc") or name in _SKIPPED_FOLDERS:
                continue
            count += 1
            if count > MAX_FILES:
                raise ConfigError(
                    f"{folder}: more than {MAX_FILES} files; keep data, builds and "
                    "virtual environments out of a bot's folder"
                )
            yield Path(parent, name).relative_to(folder).as_posix()


def _refuse_unreadable(error: OSError) -> None:
    raise ConfigError(f"{error.filename}: can't be read ({error.strerror}); make it readable")


def _digest_file(folder: Path, path: Path) -> tuple[bytes, bytes, int]:
    """Give a file's kind, digest and size in bytes (0 for a link)."""
    status = path.lstat()
    if stat.S_ISLNK(status.st_mode):
        return b"l", sha256(os.fsencode(_target_of(folder, path))).digest(), 0
    if not stat.S_ISREG(status.st_mode):
        raise ConfigError(f"{path}: neither file nor folder; remove it from the bot's folder")
    if status.st_size > MAX_BYTES:
        return b"f", b"", status.st_size
    with path.open("rb") as file:
        digest = file_digest(file, "sha256").digest()
    return (b"x" if status.st_mode & stat.S_IXUSR else b"f"), digest, status.st_size


def _target_of(folder: Path, link: Path) -> str:
    """Give the path, relative to the folder, that a link leads to."""
    try:
        return link.resolve().relative_to(folder).as_posix()
    except (ValueError, RuntimeError):
        raise ConfigError(
            f"{link}: a link that leaves the bot's folder; replace it by what it leads to"
        ) from None
