"""The protocol's files: the generated code is theirs, and they keep one style.

The style is that of buf's STANDARD rules, as far as these few files need it, and a
comment on whatever a reader who has nothing else could ask about.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
from google.protobuf import descriptor_pb2
from google.protobuf.descriptor import FileDescriptor

from thousand.v1 import arena_pb2, bot_pb2, cards_pb2, game_pb2

ROOT = Path(__file__).parents[2]
PROTO = ROOT / "proto"
FILES = sorted(PROTO.rglob("*.proto"))
MODULES: dict[str, FileDescriptor] = {
    module.DESCRIPTOR.name: module.DESCRIPTOR
    for module in (arena_pb2, bot_pb2, cards_pb2, game_pb2)
}

SUITS = {f"SUIT_{name}" for name in ("SPADES", "CLUBS", "DIAMONDS", "HEARTS")}
OBVIOUS = SUITS | {"GameStart game_start", "DealEnd deal_end", "GameEnd game_end"}
"""What needs no comment of its own."""


def test_the_generated_code_is_that_of_the_files() -> None:
    python = ROOT / ".venv-proto" / "bin" / "python"
    if not python.exists():
        reason = f"no {python.relative_to(ROOT)}; make it from proto/requirements.txt"
        if os.environ.get("THOUSAND_REQUIRE_ALL"):
            pytest.fail(reason)
        pytest.skip(reason)
    result = subprocess.run(
        [python, PROTO / "generate.py", "--check"], capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr


def test_all_files_are_checked() -> None:
    assert [path.relative_to(PROTO).as_posix() for path in FILES] == sorted(MODULES)


def schema(file: FileDescriptor) -> descriptor_pb2.FileDescriptorProto:
    """Give what a file declares, as a message."""
    proto = descriptor_pb2.FileDescriptorProto()
    file.CopyToProto(proto)
    return proto


SCHEMAS = [schema(file) for file in MODULES.values()]
MESSAGES = [message for file in SCHEMAS for message in file.message_type]
ENUMS = [enum for file in SCHEMAS for enum in file.enum_type]


def test_packages_are_folders() -> None:
    for file in SCHEMAS:
        assert file.syntax == "proto3"
        assert file.package == "thousand.v1"
        assert re.fullmatch(r"thousand/v1/[a-z_]+\.proto", file.name)


def test_messages_and_fields_are_named_in_one_style() -> None:
    for message in MESSAGES:
        assert re.fullmatch(r"([A-Z][a-z0-9]+)+", message.name)
        assert not message.nested_type
        assert not message.enum_type
        for field in message.field:
            assert re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", field.name)


def test_field_numbers_leave_no_gap() -> None:
    """An addition takes the next number."""
    for message in MESSAGES:
        numbers = [field.number for field in message.field]
        assert numbers == list(range(1, len(numbers) + 1)), message.name


def test_enums_begin_with_unspecified_and_carry_their_prefix() -> None:
    for enum in ENUMS:
        prefix = re.sub(r"(?<!^)(?=[A-Z])", "_", enum.name).upper()
        zero = enum.value[0]
        assert (zero.name, zero.number) == (f"{prefix}_UNSPECIFIED", 0)
        for value in enum.value:
            assert re.fullmatch(rf"{prefix}_[A-Z0-9_]+", value.name)


def test_services_and_their_messages_are_named_after_each_other() -> None:
    services = [service for file in SCHEMAS for service in file.service]
    assert services
    for service in services:
        assert re.fullmatch(r"([A-Z][a-z0-9]+)+Service", service.name)
        for method in service.method:
            assert method.input_type == f".thousand.v1.{method.name}Request"
            assert method.output_type == f".thousand.v1.{method.name}Response"


def uncommented(text: str) -> list[str]:
    """Give each declaration without a comment in the line above it."""
    found = []
    above = ""
    for line in (raw.strip() for raw in text.splitlines()):
        declaration = re.sub(r"\s*(=.*)?[;{(].*", "", line)
        declares = re.match(r"(message|enum|service|rpc|oneof) |.*= \d+;", line)
        obvious = declaration in OBVIOUS or declaration.endswith("_UNSPECIFIED")
        if declares and not obvious and not above.startswith("//"):
            found.append(declaration)
        above = line
    return found


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_everything_is_commented(file: Path) -> None:
    assert uncommented(file.read_text()) == []


def test_what_is_not_commented_is_found() -> None:
    text = (
        "// M.\nmessage M {\n  // A.\n  bytes a = 1;\n  bytes b = 2;\n}\n\nenum E {\n  E_X = 1;\n}"
    )
    assert uncommented(text) == ["bytes b", "enum E", "E_X"]
