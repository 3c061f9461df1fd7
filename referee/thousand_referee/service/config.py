"""The arena server's settings, from a TOML file.

All keys may be left out; ``docs/SERVER.md`` explains them::

    data = "arena-data"              # relative to this file
    store = ""                       # URL of a database elsewhere
    listen = "127.0.0.1:7800"        # for authors' commands (gRPC)
    http = "127.0.0.1:7880"          # for browsers
    address = ""                     # what people type to reach the pages, for links
    tournaments = ["tournaments"]    # tournament files, or folders of them
    jobs = 1                         # matches at a time, of all tournaments
    dask = ""                        # scheduler of a cluster that plays them, tcp://HOST:8786
    insecure = false                 # allow other machines without TLS
    trusted_authors = false          # allow other machines although bots aren't locked in
    [tls]                            # files, relative to this one
    certificate = "server.pem"
    key = "server.key"
    [limits]                         # the keys of Limits
    [sandbox]                        # where bots are checked, and play where a tournament
                                     # file has none; the keys of spec.Sandbox
"""

from __future__ import annotations

from ipaddress import ip_address
from pathlib import Path
from typing import Final

import msgspec

from thousand_referee.errors import ConfigError
from thousand_referee.spec import Sandbox
from thousand_referee.toml_files import read_toml
from thousand_referee.tournament_file import TournamentFile, read_tournament

DEFAULT_LISTEN: Final = "127.0.0.1:7800"
DEFAULT_HTTP: Final = "127.0.0.1:7880"


class Limits(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What one author, and one submission, may use.

    `archive_mb` and `unpacked_mb` are sizes before and after unpacking, `files` the number
    of files. An author may have `waiting` submissions that aren't done, make `per_day`, and
    enter bots that are ready in tournaments `enters_per_hour` times. Of a bot `versions` are
    kept. A submission may take `check_seconds`, its image's build included. None is taken
    while less than `free_mb` is free where the data folder is.
    """

    archive_mb: int = 20
    unpacked_mb: int = 100
    files: int = 2_000
    waiting: int = 3
    per_day: int = 50
    enters_per_hour: int = 20
    versions: int = 50
    check_seconds: int = 900
    free_mb: int = 1_000


class Tls(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The files of a certificate (with its chain) and its key, in PEM."""

    certificate: str
    key: str


class ServerConfig(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The keys of the file. Paths are absolute once `read_config` gave them.

    Without `jobs` there is one match at a time for two processors here, or two for each of
    the cluster's workers.
    """

    data: str = "arena-data"
    store: str = ""
    listen: str = DEFAULT_LISTEN
    http: str = DEFAULT_HTTP
    address: str = ""
    tournaments: tuple[str, ...] = ()
    jobs: int | None = None
    dask: str = ""
    insecure: bool = False
    trusted_authors: bool = False
    tls: Tls | None = None
    limits: Limits = Limits()
    sandbox: Sandbox = Sandbox()

    def tournament_files(self) -> tuple[Path, ...]:
        """Give the tournament files; ConfigError for a path that is neither file nor folder."""
        found: list[Path] = []
        for name in self.tournaments:
            path = Path(name)
            if path.is_dir():
                found += sorted(path.glob("*.toml"))
            elif path.is_file():
                found.append(path)
            else:
                raise ConfigError(f"{path}: no such file or folder; correct it in tournaments")
        return tuple(found)

    def read_tournaments(self) -> list[TournamentFile]:
        """Read the tournament files; ConfigError for one that is wrong, or not safe.

        Tournaments that bots can be entered in have the server's sandbox unless they name
        their own. Whatever they have must lock bots in if strangers may submit them.
        """
        files = []
        for path in self.tournament_files():
            file = read_tournament(path, arena_sandbox=self.sandbox)
            if file.is_for_arena and file.sandbox.kind != "docker":
                reachable = _address_for_strangers(self)
                if reachable is not None:
                    raise ConfigError(
                        f"{path}: sandbox.kind: bots can be entered by whoever reaches "
                        f'{reachable}, and could run anything here; set kind = "docker" '
                        "(or leave [sandbox] out, if the server's has it), or "
                        "trusted_authors = true in the server's settings"
                    )
            files.append(file)
        return files


def read_config(path: Path | None, data: Path | None = None) -> ServerConfig:
    """Read a configuration, or give the default one; `data` counts more than the file's key.

    ConfigError, naming file and key and what is allowed there, for whatever is wrong.
    """
    config = ServerConfig() if path is None else read_toml(path, ServerConfig)
    where = "the server's settings" if path is None else str(path)
    base = Path.cwd() if path is None else path.absolute().parent
    _check_numbers(where, config)
    tls = config.tls
    if tls is not None:
        tls = Tls(
            certificate=_file(where, base, "tls.certificate", tls.certificate),
            key=_file(where, base, "tls.key", tls.key),
        )
    for key in ("listen", "http"):
        _check_address(where, key, config)
    return msgspec.structs.replace(
        config,
        data=str((base / config.data) if data is None else data.absolute()),
        tournaments=tuple(str(base / each) for each in config.tournaments),
        tls=tls,
    )


def split_address(text: str) -> tuple[str, int] | None:
    """Give host and port of ``HOST:PORT`` or ``[IPV6]:PORT``; None if that is none."""
    host, colon, port = text.rpartition(":")
    if not (
        colon
        and host
        and "/" not in host
        and port.isascii()
        and port.isdecimal()
        and int(port) < 65_536
    ):
        return None
    return host.removeprefix("[").removesuffix("]"), int(port)


def _address_for_strangers(config: ServerConfig) -> str | None:
    """Give an address at which authors who aren't trusted may be; None if there is none."""
    if config.trusted_authors:
        return None
    for address in (config.listen, config.http):
        parts = split_address(address)
        if parts is None or not is_loopback(parts[0]):
            return address
    return None


def _check_address(where: str, key: str, config: ServerConfig) -> None:
    text = getattr(config, key)
    parts = split_address(text)
    if parts is None:
        raise ConfigError(f"{where}: {key}: expected HOST:PORT, got {text!r}")
    if is_loopback(parts[0]):
        return
    if config.tls is None and not config.insecure:
        raise ConfigError(
            f"{where}: {key}: {text} can be reached from other machines, and tokens would cross "
            "the network as they are; set [tls], or insecure = true if something else encrypts"
        )
    if config.sandbox.kind != "docker" and not config.trusted_authors:
        raise ConfigError(
            f"{where}: {key}: {text} can be reached from other machines, and whoever submits a "
            'bot can run anything here; set kind = "docker" in [sandbox], or trusted_authors = true'
        )


def is_loopback(host: str) -> bool:
    """Whether a host is this machine, and can't be reached from another one."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _check_numbers(where: str, config: ServerConfig) -> None:
    numbers = {} if config.jobs is None else {"jobs": config.jobs}
    numbers |= {f"limits.{key}": value for key, value in _limits_of(config).items()}
    for key, value in numbers.items():
        if not 1 <= value <= 1_000_000:
            raise ConfigError(f"{where}: {key}: expected 1 to 1000000, got {value}")


def _limits_of(config: ServerConfig) -> dict[str, int]:
    return {key: getattr(config.limits, key) for key in Limits.__struct_fields__}


def _file(where: str, base: Path, key: str, name: str) -> str:
    path = base / name
    if not path.is_file():
        raise ConfigError(f"{where}: {key}: {path}: no such file; correct it")
    return str(path)
