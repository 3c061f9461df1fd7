"""Images of bots: built once, from what is in the folder, without a network."""

from __future__ import annotations

import json
import secrets
import shutil
import zipfile
from io import BytesIO
from pathlib import Path

import pytest

from docker_bench import BASE_IMAGE, engine, needs_docker, program, sandbox, with_image
from match_maker import EXAMPLES, FAULTY
from thousand_referee.bots import BotFolder, read_bot
from thousand_referee.errors import ConfigError
from thousand_referee.launch.context import bot_files, pack
from thousand_referee.launch.images import build_images
from thousand_referee.launch.wheels import (
    Target,
    fetch_wheels,
    pack_sdk,
    read_requirements,
    runtime_requirements,
)

CAPABILITIES = (
    *("SYS_ADMIN", "NET_ADMIN", "NET_RAW", "SYS_MODULE", "SYS_TIME", "SYS_NICE", "SYSLOG"),
    *("SYS_PTRACE", "SYS_RAWIO", "MKNOD", "DAC_READ_SEARCH", "SYS_CHROOT", "SETUID", "SETGID"),
)
"""Those with which the probe does no harm to the machine."""

with_docker = pytest.mark.usefixtures("needs_docker")
pytestmark = pytest.mark.timeout(300)
__all__ = ["needs_docker"]


def build(
    logs: Path, *bots: BotFolder, base_image: str = BASE_IMAGE
) -> tuple[list[str], list[str]]:
    """Build images; give their ids, and what was said meanwhile."""
    said: list[str] = []
    settings = sandbox(base_image=base_image)
    return list(build_images(bots, settings, logs, said.append).values()), said


def run(image: str, *command: str) -> str:
    """Run a command in an image, as nobody in particular; give its output."""
    with engine() as api:
        config = api.create_host_config(network_mode="none")
        container = api.create_container(
            image, entrypoint=list(command), user="12345:12345", host_config=config
        )["Id"]
        try:
            api.start(container)
            api.wait(container)
            return str(api.logs(container).decode())
        finally:
            api.remove_container(container, force=True)


@with_docker
def test_an_image_is_built_once_for_each_version(tmp_path: Path) -> None:
    folder = program(tmp_path / "bot", f"print(1)  # {secrets.token_hex()}")
    first, said = build(tmp_path / "logs", read_bot(folder))
    assert any(f"the image of bot {read_bot(folder).version}" in text for text in said)
    assert len(list((tmp_path / "logs").glob("bot-*.log"))) == 1
    again, said = build(tmp_path / "logs", read_bot(folder))
    assert (again, said) == (first, [])
    (folder / "bot.py").write_text("print(2)")
    other, _ = build(tmp_path / "logs", read_bot(folder))
    assert other != first
    assert run(other[0], "python", "bot.py") == "2\n"


@with_docker
def test_what_is_in_a_python_bots_image(tmp_path: Path) -> None:
    folder = program(tmp_path / "bot", "", data__txt="x")
    (folder / "bot.py").chmod(0o600)
    (folder / "tool").write_text("#!/bin/sh\necho tool\n")
    (folder / "tool").chmod(0o700)
    (folder / "link").symlink_to("data.txt")
    image = with_image(folder).image
    listed = run(image, "ls", "-lL", "/bot")
    assert "-rw-r--r-- 1 root root" in listed
    assert run(image, "./tool") == "tool\n"
    assert run(image, "cat", "link") == "x"
    versions = (
        "from importlib.metadata import version as v; print(v('thousand-arena'), v('grpcio'))"
    )
    assert f"grpcio=={run(image, 'python', '-c', versions).split()[1]}" in runtime_requirements()
    assert "Error" in run(image, "python", "-c", "import thousand_referee")


@with_docker
def test_requirements_are_installed(tmp_path: Path) -> None:
    folder = program(tmp_path / "bot", "")
    (folder / "requirements.txt").write_text("# a small one\niniconfig >= 2  # really\n")
    assert "iniconfig" in run(
        with_image(folder).image, "python", "-c", "import iniconfig as i; print(i)"
    )


@with_docker
def test_a_bot_may_bring_a_dockerfile(tmp_path: Path) -> None:
    folder = program(tmp_path / "bot", "")
    (folder / "bot.toml").write_text('command = ["/opt/my-bot"]\ndockerfile = "build/Dockerfile"\n')
    (folder / "new").write_text(secrets.token_hex())
    (folder / "build").mkdir()
    (folder / "build" / "Dockerfile").write_text(
        "ARG RUNTIME_IMAGE\nFROM $RUNTIME_IMAGE\nCOPY new /opt/\n"
        "RUN printf '#!/bin/sh\\necho mine' > /opt/my-bot && chmod 755 /opt/my-bot\n"
        "RUN python3 -c 'import socket; print(socket.if_nameindex())'\n"
    )
    bot = read_bot(folder, in_container=True)
    images, _ = build(tmp_path / "logs", bot)
    assert run(images[0], "/opt/my-bot") == "mine\n"
    (log,) = (tmp_path / "logs").glob("bot-*.log")
    assert "[(1, 'lo')]" in log.read_text()


@with_docker
@pytest.mark.parametrize(
    ("dockerfile", "problem"),
    [
        ("FROM $RUNTIME_IMAGE\nRUN echo from here; echo 'no \x1b[31m compiler'; exit 3", "exit 3"),
        ("FROM $RUNTIME_IMAGE\nVOLUME /data", "declares VOLUME /data; take that out"),
        ("FROM no-such-image-here:1", "no-such-image-here"),
        ("NONSENSE", "(?i)unknown instruction: nonsense"),
    ],
)
def test_a_build_that_fails_names_the_bot_and_the_reason(
    tmp_path: Path, dockerfile: str, problem: str
) -> None:
    folder = program(tmp_path / "bad bot", "")
    (folder / "bot.toml").write_text('command = ["x"]\ndockerfile = "Dockerfile"\n')
    (folder / "Dockerfile").write_text(f"ARG RUNTIME_IMAGE\n{dockerfile}\n")
    bot = read_bot(folder, in_container=True)
    with pytest.raises(ConfigError, match=problem) as raised:
        build(tmp_path / "logs", bot)
    assert "bad bot" in str(raised.value)
    assert "\x1b" not in str(raised.value)
    if "compiler" in dockerfile:
        assert r"  no \x1b[31m compiler" in str(raised.value)
    with pytest.raises(ConfigError, match=problem):
        build(tmp_path / "logs", bot)


@with_docker
def test_a_base_image_that_is_no_good(tmp_path: Path) -> None:
    bot = read_bot(EXAMPLES / "random")
    with pytest.raises(
        ConfigError, match=r"can't fetch the base image no-such/image:1.*base_image"
    ):
        build(tmp_path, bot, base_image="no-such/image:1")
    with engine() as api:
        layer = pack({"file": b"x"})
        with layer as tar:
            api.import_image_from_data(tar.read(), repository="thousand-arena/test-empty")
    with pytest.raises(ConfigError, match="'thousand-arena/test-empty' has no usable python3"):
        build(tmp_path, bot, base_image="thousand-arena/test-empty")


@with_docker
def test_the_probe_finds_what_is_open(tmp_path: Path) -> None:
    """In a container that is hardly locked in, most attempts succeed: they can."""
    folder = tmp_path / "probe"
    shutil.copytree(FAULTY / "probe", folder)
    image = with_image(folder).image
    with engine() as api:
        container = api.create_container(
            image,
            entrypoint=["python", "bot.py"],
            environment={"THOUSAND_ADDRESS": "unix:/none", "THOUSAND_TOKEN": "x"},
            host_config=api.create_host_config(
                network_mode="none",
                cap_add=list(CAPABILITIES),
                security_opt=["seccomp=unconfined", "apparmor=unconfined"],
                mem_limit="4g",
                tmpfs={"/tmp": "size=2g,exec,dev,suid"},
            ),
        )["Id"]
        try:
            api.start(container)
            api.wait(container)
            text = api.logs(container, stderr=False).decode()
        finally:
            api.remove_container(container, force=True)
    found = json.loads(text.partition("PROBE ")[2].splitlines()[0])
    possible = {name for name, what in found.items() if what is not None}
    assert len(possible) > 40, sorted(set(found) - possible)
    assert {"capabilities", "system call: mount", "device nodes", "programs in tmp"} <= possible


# Without an engine


def test_the_sdk_packs_alike_and_alone() -> None:
    name, data = pack_sdk()
    assert pack_sdk() == (name, data)
    names = zipfile.ZipFile(BytesIO(data)).namelist()
    assert "thousand/client.py" in names
    assert not [each for each in names if "referee" in each or each.endswith(".pyc")]


@pytest.mark.parametrize(
    "line",
    [
        "--index-url http://x", "-e .", "./local", "git+https://x/y", "name @ https://x",
        "-r other", "numpy==1 --hash=sha256:0", "/etc/passwd", "$HOME", "a b",
    ],
)  # fmt: skip
def test_requirements_are_names_and_versions(tmp_path: Path, line: str) -> None:
    path = tmp_path / "requirements.txt"
    path.write_text(f"numpy\n{line}\n")
    with pytest.raises(ConfigError, match=r"requirements.txt:2: .* only names and versions"):
        read_requirements(path)


def test_good_requirements(tmp_path: Path) -> None:
    path = tmp_path / "requirements.txt"
    good = ["numpy", "numpy>=2,<3", "a[b,c] == 1.*", 'x ~= 1.0 ; python_version < "3.12"']
    path.write_text("\n".join(["", "# nothing", *good, "y  # why"]))
    assert read_requirements(path) == [*good, "y"]


def test_wheels_that_are_not_there(tmp_path: Path) -> None:
    target = Target((3, 11), "x86_64", ("2", "36"))
    with pytest.raises(
        ConfigError, match=r"can't fetch wheels of thousand-arena==99 for Python 3.11"
    ):
        fetch_wheels(["thousand-arena==99"], target, tmp_path)


def test_platforms_of_a_target() -> None:
    assert Target((3, 11), "x", ("2", "18")).platforms()[:2] == [
        "manylinux_2_18_x",
        "manylinux_2_17_x",
    ]
    assert Target((3, 11), "x", ("",)).platforms() == ["musllinux_1_1_x", "musllinux_1_2_x"]


def test_files_pack_alike_whoever_checked_them_out(tmp_path: Path) -> None:
    packed = []
    for mode in (0o600, 0o664):
        folder = program(tmp_path / str(mode), "")
        (folder / "bot.py").chmod(mode)
        with pack(bot_files(read_bot(folder))) as tar:
            packed.append(tar.read())
    assert packed[0] == packed[1]
