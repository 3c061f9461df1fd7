"""Text that strangers wrote, made safe to print."""

from __future__ import annotations


def printable(text: str) -> str:
    r"""Give a text with everything that doesn't simply print shown as an escape.

    That is control characters (escape sequences of terminals and newlines among them),
    marks that change the direction of writing, invisible ones, and spaces other than
    the plain one: ``\n``, ``\x1b``, ``\u202e``. The rest is left as it is; square
    brackets too, so it goes to rich as a `Text`, never as markup.
    """
    if text.isprintable():
        return text
    return "".join(
        character if character.isprintable() else ascii(character)[1:-1] for character in text
    )


def cut(text: str, length: int) -> str:
    """Give a text of at most so many characters; one that is cut ends in ``…``."""
    return text if len(text) <= length else text[: length - 1] + "…"
