"""Reads people's TOML files into structs, with errors that name the file and the key."""

from __future__ import annotations

import re
import tomllib
from difflib import get_close_matches
from pathlib import Path
from typing import Final, TypeVar

import msgspec

from thousand_referee.errors import ConfigError

_Struct = TypeVar("_Struct", bound=msgspec.Struct)

_PROBLEM: Final = re.compile(r"(?P<problem>.*?)(?: - at `\$\.?(?P<path>.*)`)?", re.DOTALL)
_FIELD: Final = re.compile(
    r"Object (?P<what>missing required|contains unknown) field `(?P<name>.*)`"
)
_ITEM: Final = re.compile(r"\[(\d+)\]\.?")


def read_toml(path: Path, struct: type[_Struct], wanted: str = "") -> _Struct:
    """Read a whole file as `struct`; ConfigError for whatever is wrong with it.

    `wanted` tells who gave a file of quite another kind what to give. Members of lists
    are counted from 1, as people do: ``entry 2: bot: expected …``.
    """
    try:
        if path.exists() and not path.is_file():
            raise ConfigError(f"{path}: not a file; give {wanted or 'the path of a TOML file'}")
        document = tomllib.loads(path.read_bytes().decode())
    except FileNotFoundError:
        raise ConfigError(f"{path}: no such file; check the path") from None
    except OSError as error:
        raise ConfigError(f"{path}: can't be read ({error.strerror}); check the path") from None
    except UnicodeDecodeError as error:
        raise ConfigError(
            f"{path}: not UTF-8 text (byte {error.start}); save it as UTF-8"
        ) from None
    except ValueError as error:  # tomllib's own error, and int's for thousands of digits
        remedy = f", or give {wanted}" if wanted else ""
        raise ConfigError(f"{path}: not TOML: {error}; correct it there{remedy}") from None
    except RecursionError:
        raise ConfigError(f"{path}: nested too deeply; no key needs that") from None
    try:
        return msgspec.convert(document, struct)
    except msgspec.ValidationError as error:
        problem = _explain(str(error), struct)
        shown = problem if problem.isprintable() else repr(problem)
        raise ConfigError(f"{path}: {shown}") from None


def _explain(message: str, struct: type[msgspec.Struct]) -> str:
    """Turn msgspec's sentence with a path at its end into one that begins with the key."""
    parts = _PROBLEM.fullmatch(message)
    assert parts is not None  # the pattern matches any text
    path = parts["path"] or ""
    where = _ITEM.sub(lambda item: f" {int(item[1]) + 1}: ", path).removesuffix(": ")
    field = _FIELD.fullmatch(parts["problem"])
    if field is None:
        problem = parts["problem"].replace("`", "").replace(" | null", "")
        problem = problem.replace("object", "table").replace("array", "list")
        return f"{where}: {problem[0].lower()}{problem[1:]}"
    separator = ": " if path.endswith("]") else "." if path else ""
    if field["what"] == "missing required":
        return f"{where}{separator}{field['name']}: missing; add this key"
    known = _struct_at(path, struct).__struct_encode_fields__
    near = get_close_matches(field["name"], known, n=1)
    meant = f"did you mean {near[0]}? " if near else ""
    keys = ", ".join(known)
    return f"{where}{separator}{field['name']}: unknown key; {meant}the keys here are {keys}"


def _struct_at(path: str, struct: type[msgspec.Struct]) -> type[msgspec.Struct]:
    """Give the struct of the table at a path such as ``entry[1]`` or ``time``."""
    for name in _ITEM.sub(".", path).removesuffix(".").split(".") if path else ():
        kind = next(field.type for field in msgspec.structs.fields(struct) if field.name == name)
        kinds = (kind, *getattr(kind, "__args__", ()))
        struct = next(k for k in kinds if isinstance(k, type) and issubclass(k, msgspec.Struct))
    return struct
