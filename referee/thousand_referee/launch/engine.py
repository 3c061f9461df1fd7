"""The Docker engine of this machine: reached, checked, and rid of what dead runs left.

Every error of docker-py and of the connection becomes `MatchVoid` in `translated`; for
commands that only set up, the caller turns that into `ConfigError`.
"""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final

import docker
import requests
from docker.errors import APIError, DockerException, NotFound

from thousand_referee.errors import ConfigError, MatchVoid
from thousand_referee.spec import Sandbox

PATIENCE_SECONDS: Final = 60.0
"""A match waits so long for an engine that is being restarted."""

CALL_SECONDS: Final = 60.0
"""An engine that takes longer for one call is as good as dead."""

OWNER_LABEL: Final = "thousand-arena.owner"
"""On every container: the process that started it, as `owner` spells it."""

DEFAULT_ADDRESS: Final = "unix:///var/run/docker.sock"


class EngineLost(MatchVoid):
    """The engine doesn't answer, as opposed to one that refuses."""


def engine_address() -> str:
    """Give the engine's socket; ConfigError for an engine of another machine.

    Containers reach the referee by a socket of this machine.
    """
    address = os.environ.get("DOCKER_HOST") or DEFAULT_ADDRESS
    if not address.startswith("unix://"):
        raise ConfigError(
            f"DOCKER_HOST is {address}: bots' containers must run on the referee's machine; "
            "unset it, or name an engine by unix://"
        )
    return address


@contextmanager
def open_engine(patience: float = 0.0) -> Iterator[docker.APIClient]:
    """Connect to the engine; wait `patience` seconds for one that doesn't answer (yet)."""
    address = engine_address()
    end = time.monotonic() + patience
    while True:
        try:
            with translated("can't be used"):
                _knock()
                api = docker.APIClient(address, version="auto", timeout=int(CALL_SECONDS))
            break
        except EngineLost:
            if time.monotonic() >= end:
                raise
            time.sleep(0.5)
    try:
        yield api
    finally:
        api.close()


def is_alive(api: docker.APIClient) -> bool:
    """Whether the engine still takes new connections; one that is shutting down doesn't.

    It stops listening before it stops containers.
    """
    try:
        _knock()
        return bool(api.ping())
    except (DockerException, requests.RequestException, OSError):
        return False


def _knock() -> None:
    """Connect to the engine and hang up; OSError if it doesn't listen."""
    with socket.socket(socket.AF_UNIX) as caller:
        caller.settimeout(CALL_SECONDS)
        caller.connect(engine_address().removeprefix("unix://"))


@contextmanager
def translated(what: str) -> Iterator[None]:
    """Turn whatever goes wrong with the engine into one line: `EngineLost` or `MatchVoid`."""
    try:
        yield
    except APIError as error:
        reason = str(error.explanation or error)
        raise MatchVoid(f"Docker: {what}: {' '.join(reason.split())}") from error
    except (DockerException, requests.RequestException, OSError) as error:
        raise EngineLost(f"Docker: {what}: {_explain(error)}") from error


def _explain(error: BaseException) -> str:
    """Say what keeps us from the engine, and what helps."""
    causes = "".join(repr(cause) for cause in _chain(error))
    if "PermissionError" in causes:
        return "no permission; add the arena's user to the group docker, and log in again"
    if "Timeout" in causes or "timed out" in causes:
        return f"no answer within {CALL_SECONDS:.0f} s; restart the engine"
    return (
        f"no engine answers at {engine_address()}; install or start it "
        '(systemctl start docker), or set kind = "process" in [sandbox]'
    )


def _chain(error: BaseException) -> Iterator[BaseException]:
    seen: BaseException | None = error
    while seen is not None:
        yield seen
        seen = seen.__cause__ or seen.__context__


def check_engine(api: docker.APIClient, sandbox: Sandbox) -> None:
    """Raise ConfigError unless the engine can lock bots in as `sandbox` has it."""
    with translated("it doesn't describe itself"):
        info: Mapping[str, Any] = api.info()
    abilities = {
        "MemoryLimit": "limit memory",
        "SwapLimit": "keep bots from swap (boot the machine with swapaccount=1)",
        "PidsLimit": "limit processes",
        "CpuCfsQuota": "limit processor time",
    }
    for key, ability in abilities.items():
        if not info.get(key):
            raise ConfigError(f"Docker: this engine can't {ability}; it is no sandbox without")
    if not any("name=seccomp" in option for option in info.get("SecurityOptions") or ()):
        raise ConfigError("Docker: this engine has no seccomp; it is no sandbox without")
    processors = int(info["NCPU"])
    if sandbox.cpus > processors:
        raise ConfigError(f"sandbox.cpus: {sandbox.cpus:g}, but there are {processors}; lower it")
    if sandbox.runtime and sandbox.runtime not in info["Runtimes"]:
        known = ", ".join(sorted(info["Runtimes"]))
        raise ConfigError(
            f"sandbox.runtime: this Docker engine has no {sandbox.runtime!r}, only {known}; "
            "install it there, or leave the key out"
        )


def owner() -> str:
    """Spell this process: boot, process id namespace, process id, start time."""
    return f"{_boot()} {_namespace()} {os.getpid()} {_start_of('self')}"


def sweep(api: docker.APIClient) -> None:
    """Remove containers that dead processes, or earlier matches of this one, left.

    A process plays one match at a time, so at its start none of its own may be left.
    Those of processes that can't be seen from here, in another container say, stay.
    """
    with translated("can't list containers"):
        found = api.containers(all=True, filters={"label": OWNER_LABEL})
    for container in found:
        whose = container["Labels"][OWNER_LABEL]
        if whose == owner() or _is_dead(whose):
            remove_container(api, container["Id"])


def remove_container(api: docker.APIClient, container: str) -> None:
    """Kill and remove a container with all that is in it; it may be gone already."""
    end = time.monotonic() + CALL_SECONDS
    with translated("can't remove a container"):
        while True:
            try:
                return api.remove_container(container, force=True, v=True)
            except NotFound:
                return None
            except APIError as error:
                # Somebody else is removing it: wait for that.
                if error.status_code != HTTPStatus.CONFLICT or time.monotonic() > end:
                    raise
                time.sleep(0.02)


def inspect_state(api: docker.APIClient, container: str) -> Mapping[str, Any]:
    """Give a container's state; `MatchVoid` if somebody else removes it."""
    with translated("can't look at a container"):
        try:
            state: Mapping[str, Any] = api.inspect_container(container)["State"]
        except NotFound:
            state = {"Status": "removed"}
    if state["Status"] in ("removing", "dead", "removed"):
        raise MatchVoid("Docker: somebody removed a bot's container in mid-match")
    return state


def read_use(api: docker.APIClient, container: str) -> tuple[int, int] | None:
    """Give a running container's processor time (ms) and memory (KiB); None if it has ended.

    Memory is without what the kernel can drop, such as files that were read.
    """
    with translated("can't look at a container"):
        try:
            found: Mapping[str, Any] = api.stats(container, stream=False, one_shot=True)
        except NotFound:
            return None
    memory, processor = found["memory_stats"], found["cpu_stats"]["cpu_usage"]
    if "usage" not in memory:
        return None
    kept = memory.get("stats", {})
    droppable = kept.get("total_inactive_file", kept.get("inactive_file", 0))
    held = max(0, memory["usage"] - droppable)
    return round(processor["total_usage"] / 1e6), held // 1024


def _is_dead(whose: str) -> bool:
    """Whether the process that `owner` spelled so has ended for certain."""
    parts = whose.split()
    if len(parts) != 4:
        return False
    boot, namespace, pid, start = parts
    if boot != _boot():
        return True
    return namespace == _namespace() and _start_of(pid) != start


def _boot() -> str:
    return Path("/proc/sys/kernel/random/boot_id").read_text().strip()


def _namespace() -> str:
    return str(Path("/proc/self/ns/pid").readlink())


def _start_of(pid: str) -> str:
    """Give when a process was started, in ticks since boot; empty if none lives."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(errors="replace")
    except OSError:
        return ""
    state, *fields = stat.rpartition(")")[2].split()
    return "" if state in "ZX" else fields[18]
