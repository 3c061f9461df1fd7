"""Images for bots: one for each version, on top of a runtime image with the SDK.

An image is built when there is none with its tag, which is a digest of all that goes
in: so once for each bot version, and again when the SDK or the base image changes. It
is named by its id from then on. No build has a network, except for bots' own
Dockerfiles if the tournament allows it. Those are the only code of strangers that runs
here outside of the sandbox: as root of a container with the engine's defaults.
"""

from __future__ import annotations

import hashlib
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import docker
import msgspec
from docker.errors import APIError, ImageNotFound
from docker.utils import parse_repository_tag

import thousand
from thousand_referee.bots import BotFolder, read_bot
from thousand_referee.errors import BuildFailed, ConfigError, MatchVoid
from thousand_referee.launch.context import Content, bot_files, folder_files, pack
from thousand_referee.launch.engine import (
    OWNER_LABEL,
    check_engine,
    open_engine,
    owner,
    remove_container,
    sweep,
    translated,
)
from thousand_referee.launch.keeper import Output
from thousand_referee.launch.prune import BOT_REPOSITORY, RUNTIME_REPOSITORY, mark_used
from thousand_referee.launch.wheels import (
    DESCRIBE,
    Target,
    fetch_wheels,
    pack_sdk,
    read_requirements,
    runtime_requirements,
)
from thousand_referee.spec import BotVersion, Sandbox
from thousand_referee.text import printable

LOG_LIMIT: Final = 256 * 1024
"""Bytes kept of the beginning, and again of the end, of a build's log."""

BUILD_SECONDS: Final = 1_800
BUILD_MEMORY_MB: Final = 4_096
LAST_LINES: Final = 10

TARGET_LABEL: Final = "thousand-arena.target"
"""On the runtime image: the `Target` that its wheels fit, as JSON."""

_INSTALL: Final = (
    "python -m pip install --no-index --find-links /opt/bot-wheels "
    "--no-cache-dir --disable-pip-version-check"
)
_PACKAGED: Final = Path(__file__).with_name("Dockerfile")

_MACHINES_PROBLEMS: Final = ("no space left on device", "cannot allocate memory")
"""In the engine's words: what a build meets with that is not the bot's doing."""

Say = Callable[[str], None]


def build_images(
    bots: Iterable[BotFolder], sandbox: Sandbox, logs: Path, say: Say
) -> dict[str, str]:
    """Give the id of each bot's image by the digest of its files; build what isn't there.

    Also remove containers of dead runs. `BuildFailed`, with the build's last lines, if
    that is the bot's doing; ConfigError for all else, such as an engine that can't be used
    as `sandbox` has it, or a base image that is no good.
    """
    with _builder(sandbox, logs, say) as builder:
        runtime = builder.build_runtime()
        return {bot.digest: builder.build_bot(bot, runtime) for bot in bots}


def runtime_image(sandbox: Sandbox, logs: Path, say: Say) -> str:
    """Give the id of the image that bots' images are made from; see `build_images`."""
    with _builder(sandbox, logs, say) as builder:
        return builder.build_runtime()


def in_images(
    bots: Iterable[BotVersion], sandbox: Sandbox, logs: Path, say: Say
) -> list[BotVersion]:
    """Give bots with the images that they run in; see `build_images`."""
    bots = list(bots)
    folders = [read_bot(Path(bot.folder), in_container=True) for bot in bots]
    images = build_images(folders, sandbox, logs, say)
    return [
        msgspec.structs.replace(bot, version=folder.version, image=images[folder.digest])
        for bot, folder in zip(bots, folders, strict=True)
    ]


@contextmanager
def _builder(sandbox: Sandbox, logs: Path, say: Say) -> Iterator[_Builder]:
    """Give what builds, once the engine is found to be good; its trouble is ConfigError.

    No match is under way yet that could be void.
    """
    try:
        with open_engine() as api:
            check_engine(api, sandbox)
            sweep(api)
            yield _Builder(api, sandbox, logs, say)
    except MatchVoid as error:
        raise ConfigError(str(error)) from error


@contextmanager
def _as_build_failed() -> Iterator[None]:
    """Whatever is wrong now is the bot's doing, unless it is the machine's (`MatchVoid`)."""
    try:
        yield
    except ConfigError as error:
        raise BuildFailed(str(error)) from error


class _Builder:
    """Builds images with one engine, and writes a log of each."""

    def __init__(self, api: docker.APIClient, sandbox: Sandbox, logs: Path, say: Say) -> None:
        self._api = api
        self._sandbox = sandbox
        self._logs = logs
        self._say = say

    def build_runtime(self) -> str:
        """Give the id of the runtime image."""
        name = self._sandbox.base_image
        base = self._base_image(name)
        dockerfile = _runtime_dockerfile().read_bytes()
        wheel, packed = pack_sdk()
        needs = runtime_requirements()
        tag = f"{RUNTIME_REPOSITORY}:{_digest(base, dockerfile, packed, needs)}"
        if (found := self._find(tag)) is not None:
            mark_used(self._api, tag)
            return found
        target = self._describe(base)
        with tempfile.TemporaryDirectory() as wheels:
            fetch_wheels(needs, target, Path(wheels))
            content = {
                "Dockerfile": dockerfile,
                f"sdk/{wheel}": packed,
                **folder_files(Path(wheels), "wheels"),
            }
            return self._build(
                f"the runtime image (from {name})",
                content,
                tag,
                buildargs={"BASE_IMAGE": base},
                labels={TARGET_LABEL: msgspec.json.encode(target).decode()},
            )

    def build_bot(self, bot: BotFolder, runtime: str) -> str:
        """Give the id of a bot's image."""
        own = sorted(self._sandbox.build_args.items()) if bot.dockerfile is not None else []
        tag = f"{BOT_REPOSITORY}:{_digest(runtime, bot.digest, bot.dockerfile, *own)}"
        if (found := self._find(tag)) is not None:
            mark_used(self._api, tag)
            return found
        with _as_build_failed():
            return self._build_new(bot, runtime, tag)

    def _build_new(self, bot: BotFolder, runtime: str, tag: str) -> str:
        """Build an image that isn't there; ConfigError for what is wrong with the bot."""
        what = f"the image of {bot.name} {bot.version}"
        args = {"RUNTIME_IMAGE": runtime, "BASE_IMAGE": self._sandbox.base_image}
        args |= self._sandbox.build_args
        if bot.dockerfile is not None:
            image = self._build(
                what,
                bot_files(bot),
                tag,
                dockerfile=bot.dockerfile,
                buildargs=args,
                network_mode="default" if self._sandbox.build_network else "none",
            )
        else:
            with tempfile.TemporaryDirectory() as wheels:
                content = self._python_bot(bot, runtime, Path(wheels))
                image = self._build(what, content, tag)
        self._check(bot, image, tag)
        return image

    def _python_bot(self, bot: BotFolder, runtime: str, wheels: Path) -> dict[str, Content]:
        """Give what the image of a bot without a Dockerfile is built from."""
        lines = [f"FROM {runtime}"]
        content = bot_files(bot, "bot")
        path = bot.folder / "requirements.txt"
        needs = read_requirements(path) if path.is_file() else []
        if needs:
            labels = self._config_of(runtime)["Labels"]
            target = msgspec.json.decode(labels[TARGET_LABEL], type=Target)
            self._say(f"fetching what {bot.name} needs: {', '.join(needs)}")
            fetch_wheels(needs, target, wheels)
            content |= folder_files(wheels, "wheels")
            content["requirements.txt"] = "\n".join(needs).encode()
            lines += [
                "COPY wheels /opt/bot-wheels",
                "COPY requirements.txt /opt/bot-requirements.txt",
                f"RUN {_INSTALL} -r /opt/bot-requirements.txt",
            ]
        content["Dockerfile"] = "\n".join([*lines, "COPY bot /bot", ""]).encode()
        return content

    def _check(self, bot: BotFolder, image: str, tag: str) -> None:
        """Refuse an image that holes the sandbox, or isn't that of these files any more."""
        volumes = self._config_of(image).get("Volumes")
        problem = None
        if volumes:
            problem = f"its Dockerfile declares VOLUME {', '.join(volumes)}; take that out"
        elif read_bot(bot.folder, in_container=True).digest != bot.digest:
            problem = "its files changed while it was built; run again"
        if problem is not None:
            with translated("can't remove an image"):
                self._api.remove_image(tag)
            raise ConfigError(f"{bot.folder}: {problem}")

    def _base_image(self, name: str) -> str:
        """Give the id of the base image; pull it if it isn't here."""
        if (found := self._find(name)) is not None:
            return found
        self._say(f"fetching the base image {name}")
        try:
            with translated(f"can't fetch the base image {name}"):
                repository, tag = parse_repository_tag(name)
                self._api.pull(repository, tag or "latest")
        except MatchVoid as error:
            raise ConfigError(
                f"{error}; name one that is here by base_image in [sandbox]"
            ) from error
        found = self._find(name)
        if found is None:
            raise ConfigError(f"sandbox.base_image: {name!r} was fetched, but isn't there")
        return found

    def _find(self, name: str) -> str | None:
        """Give the id of an image, or None if there is none of this name here."""
        with translated(f"can't look for image {name}"):
            try:
                return str(self._api.inspect_image(name)["Id"])  # type: ignore[no-untyped-call]
            except ImageNotFound:
                return None

    def _config_of(self, image: str) -> Mapping[str, Any]:
        with translated("can't look at an image"):
            config: Mapping[str, Any] = self._api.inspect_image(image)["Config"]  # type: ignore[no-untyped-call]
        return config

    def _describe(self, base: str) -> Target:
        """Ask the base image which Python it has, in a container without any rights."""
        container = None
        try:
            with translated("can't run the base image"):
                container = self._api.create_container(
                    base,
                    entrypoint=["python3", "-I", "-c", DESCRIBE],
                    labels={OWNER_LABEL: owner()},
                    host_config=self._api.create_host_config(
                        network_mode="none", cap_drop=["ALL"], read_only=True
                    ),
                )["Id"]
                self._api.start(container)
                self._api.wait(container)
                answer = self._api.logs(container, stderr=False)
            return msgspec.json.decode(answer, type=Target)
        except (MatchVoid, msgspec.DecodeError) as error:
            raise ConfigError(
                f"sandbox.base_image: {self._sandbox.base_image!r} has no usable python3 "
                f"({error}); name an image with Python 3.11 or newer"
            ) from error
        finally:
            if container is not None:
                remove_container(self._api, container)

    def _build(self, what: str, content: Mapping[str, Content], tag: str, **options: Any) -> str:
        """Build an image; give its id. ConfigError with the last lines of its log.

        `MatchVoid` where the machine is at fault.
        """
        log = self._logs / f"{tag.rpartition('/')[2].replace(':', '-')}.log"
        self._say(f"building {what}; log: {log}")
        try:
            self._logs.mkdir(parents=True, exist_ok=True)
            output = Output(str(log), LOG_LIMIT)
        except OSError as error:
            raise MatchVoid(f"{log}: {error.strerror}; make it writable") from error
        try:
            problem = self._run_build(what, content, tag, output, options)
        finally:
            output.close()
        image = self._find(tag)
        if problem is None and image is not None:
            return image
        text = log.read_text(encoding="utf-8", errors="replace").strip()
        last = "".join(f"\n  {printable(line)}" for line in text.splitlines()[-LAST_LINES:])
        told = f"can't build {what}; the last lines of {log}:{last}"
        if problem is None or any(words in problem for words in _MACHINES_PROBLEMS):
            raise MatchVoid(told)
        raise ConfigError(told)

    def _run_build(
        self,
        what: str,
        content: Mapping[str, Content],
        tag: str,
        output: Output,
        options: Mapping[str, Any],
    ) -> str | None:
        """Let the engine build, its words going to `output`; give its error, if any."""
        memory = BUILD_MEMORY_MB << 20
        end = time.monotonic() + BUILD_SECONDS
        with translated(f"can't build {what}"), pack(content) as context:
            try:
                steps: Iterable[dict[str, Any]] = self._api.build(
                    fileobj=context,
                    custom_context=True,
                    tag=tag,
                    rm=True,
                    forcerm=True,
                    decode=True,
                    timeout=BUILD_SECONDS,
                    container_limits={"memory": memory, "memswap": memory},
                    **{"network_mode": "none", **options},
                )
                for step in steps:
                    problem = step.get("error")
                    if problem is None and time.monotonic() > end:
                        problem = f"it took longer than {BUILD_SECONDS} s"
                    output.add(str(step.get("stream", "")).encode())
                    if problem is not None:
                        output.add(f"{problem}\n".encode())
                        return str(problem)
            except APIError as error:
                if not error.is_client_error():
                    raise
                output.add(f"{error.explanation}\n".encode())  # such as a Dockerfile that is none
                return str(error.explanation)
        return None


def _runtime_dockerfile() -> Path:
    """Find the runtime image's Dockerfile: packaged, or beside the SDK in a checkout."""
    return _PACKAGED if _PACKAGED.exists() else Path(thousand.__path__[0]).with_name("Dockerfile")


def _digest(*parts: object) -> str:
    """Give 32 hex digits for what goes into an image."""
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:32]
