"""Strangers' text, made safe to print."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thousand_referee.text import printable


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("", ""),
        ("Żółw [b]x[/b] \\n ♥ 龍", "Żółw [b]x[/b] \\n ♥ 龍"),
        ("a\nb\r\tc", "a\\nb\\r\\tc"),
        ("\x1b[31mred\x9b0m", "\\x1b[31mred\\x9b0m"),
        ("\x00\x7f", "\\x00\\x7f"),
        ("\u202eevil\u2066\u200b\ufeff", "\\u202eevil\\u2066\\u200b\\ufeff"),
        ("\u2028\u00a0", "\\u2028\\xa0"),
        ("\ud800\U000e0001", "\\ud800\\U000e0001"),
    ],
)
def test_what_does_not_simply_print_is_escaped(text: str, shown: str) -> None:
    assert printable(text) == shown


@given(st.text(st.characters()))
def test_the_result_always_prints(text: str) -> None:
    shown = printable(text)
    assert shown.isprintable()
    assert printable(shown) == shown
