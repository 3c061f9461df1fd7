"""What an author may rely on."""

from __future__ import annotations

import inspect
import pydoc
import subprocess
import sys

import pytest

import thousand
import thousand.testing
from thousand import Bot, run


def test_the_public_names() -> None:
    assert set(thousand.__all__) == {
        *("Bot", "run", "View", "Trick", "Play"),
        *("Card", "CARDS", "Rank", "Suit", "Decision"),
        *("Welcome", "DealEnd", "GameEnd"),
        *("Bid", "Give", "Raise"),
    }
    assert set(thousand.testing.__all__) == {
        *("MATCH", "ScriptedReferee", "ask", "check", "decisions", "play_game", "position"),
    }


@pytest.mark.parametrize("module", [thousand, thousand.testing])
def test_every_public_name_is_there_and_documented(module: object) -> None:
    for name in module.__all__:  # type: ignore[attr-defined]
        thing = getattr(module, name)
        if callable(thing):
            assert inspect.getdoc(thing), name


def test_help_on_bot_shows_the_methods_in_order() -> None:
    text = pydoc.plain(pydoc.render_doc(Bot))
    methods = [name for name in vars(Bot) if not name.startswith("_")]
    assert methods == [
        *("bid", "give", "raise_contract", "play"),
        *("on_game_start", "on_deal_end", "on_game_end"),
    ]
    for name in methods:
        assert f" {name}(self" in text
    assert "Choose from ``view.legal_bids``; None passes." in text


def test_importing_the_sdk_imports_no_grpc_and_nothing_of_the_referee() -> None:
    """`import thousand` stays quick, for tests of a bot."""
    code = (
        "import sys, thousand, thousand.testing;"
        "print([name for name in sys.modules if name.split('.')[0] in"
        " ('grpc', 'google', 'asyncio', 'thousand_referee', 'msgspec')])"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert result.stdout == "[]\n"


class Lazy(Bot):
    """Has no play."""


@pytest.mark.parametrize("wrong", [Lazy(), int, "Lazy", None])
def test_run_needs_a_class_of_bots(wrong: object) -> None:
    with pytest.raises(TypeError, match=r"run needs a class that extends Bot, as in run\(MyBot\)"):
        run(wrong)  # type: ignore[arg-type]


def test_run_needs_a_play() -> None:
    with pytest.raises(TypeError, match=r"Lazy must have a method play\(self, view\)"):
        run(Lazy)
