"""What programs read: values as JSON."""

from __future__ import annotations

from typing import Any

import msgspec


def json_text(value: Any) -> str:
    """Write dataclasses, structs and plain values as indented JSON, keys in their order."""
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode()
