"""Templates made into pages. All that they print is text, whoever wrote it.

Jinja escapes markup; `printable` shows control characters, on top of that, in everything
that a template prints. Texts of several lines go through the filter `multiline`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import msgspec
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from thousand_referee.text import printable
from thousand_referee.web import charts
from thousand_referee.web.links import Links
from thousand_referee.web.progress import duration_text

TEMPLATES: Final = Path(__file__).parent / "templates"
STATIC: Final = Path(__file__).parent / "static"
MISSING: Final = "—"
MOST_CHARACTERS: Final = 64_000
"""Of a text of several lines only the end is shown, if it is longer."""


def render(template: str, links: Links, **context: Any) -> str:
    """Make a page from a template; names it uses and isn't given are errors."""
    return _environment.get_template(template).render(links=links, **context)


def prepare() -> None:
    """Compile all templates, so that nobody has to wait for that later."""
    for name in _environment.list_templates():
        _environment.get_template(name)


def multiline(text: str) -> Markup:
    """Give a text of several lines, for a <pre>: all but its newlines made printable."""
    shown = text if len(text) <= MOST_CHARACTERS else "…" + text[-MOST_CHARACTERS:]
    lines = shown.replace("\r\n", "\n").split("\n")
    return Markup("\n").join(escape(printable(line.replace("\t", "    "))) for line in lines)


def json_data(value: Any) -> Markup:
    """Give a value as JSON that can stand in a <script> of type application/json."""
    text = msgspec.json.encode(value).decode()
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(text)


def figure(value: float | None, spec: str = ",") -> str:
    """Give a number by a format, or a dash if there is none."""
    return MISSING if value is None else format(value, spec).replace("-", "−")


def day(text: str | None) -> str:
    """Give the day and minute of an ISO time."""
    return MISSING if not text else text[:16].replace("T", " ")


def _printed(value: Any) -> Any:
    return printable(value) if type(value) is str else value


_environment: Final = Environment(
    loader=FileSystemLoader(TEMPLATES),
    autoescape=True,
    undefined=StrictUndefined,
    finalize=_printed,
    trim_blocks=True,
    lstrip_blocks=True,
)
_environment.filters |= {
    "day": day,
    "duration": duration_text,
    "figure": figure,
    "json_data": json_data,
    "multiline": multiline,
    "time": charts.time_text,
}
_environment.auto_reload = False
_environment.globals |= {"MISSING": MISSING}
