"""What a person's line means."""

from __future__ import annotations

import pytest

from thousand.cards import Card
from thousand.rules import Bid, Decision, Give, Play, Raise
from thousand.testing import position
from thousand_referee.play.reading import Misread, choices, read_action

BID = position(Decision.BID, "AS KS 9H TD 9D JC QC", bids=(100,))
GIVE = position(Decision.GIVE, "AS KS QS 9H TD 9D JC QC AH TH")
RAISE = position(Decision.RAISE, "AS KS QS 9H TD AC AH TH")
PLAY = position(Decision.PLAY, "KH QH 9S TS KS QC AC", played="AS JS QS")
QUEEN, TEN = Card.parse("QH"), Card.parse("TS")


def test_choices_are_numbered_as_the_hand_is_shown() -> None:
    assert [str(choice) for choice in choices(GIVE)] == [
        "AS", "KS", "QS", "QC", "JC", "TD", "9D", "AH", "TH", "9H",
    ]  # fmt: skip
    assert [str(choice) for choice in choices(PLAY)] == [
        "TS", "KS", "9S", "AC", "QC", "KH", "KH!", "QH", "QH!",
    ]  # fmt: skip
    assert choices(BID)[:3] == (Bid(None), Bid(105), Bid(110))


@pytest.mark.parametrize(
    ("view", "line", "action"),
    [
        (BID, "1", Bid(None)),
        (BID, " P ", Bid(None)),
        (BID, "pass", Bid(None)),
        (BID, "110", Bid(110)),
        (BID, "2", Bid(105)),
        (RAISE, "1", Raise(100)),
        (RAISE, "120", Raise(120)),
        (PLAY, "1", Play(TEN)),
        (PLAY, "ts", Play(TEN)),
        (PLAY, "10s", Play(TEN)),
        (PLAY, "10♠", Play(TEN)),
        (PLAY, "QH", Play(QUEEN)),
        (PLAY, "qh!", Play(QUEEN, announce=True)),
        (PLAY, "9", Play(QUEEN, announce=True)),
        (GIVE, "7 10", Give(Card.parse("9D"), Card.parse("9H"))),
        (GIVE, "9d, 9h", Give(Card.parse("9D"), Card.parse("9H"))),
    ],
)
def test_a_line_is_understood(view: object, line: str, action: object) -> None:
    assert read_action(view, line) == action  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("view", "line"),
    [
        (BID, "0x"), (BID, "101"), (BID, "995"), (BID, "-1"), (BID, "1 2"), (BID, "²"),
        (RAISE, "p"), (RAISE, "99"),
        (PLAY, "0"), (PLAY, "10"), (PLAY, "AS"), (PLAY, "KS!"), (PLAY, "\x1b[A"), (PLAY, "9" * 400),
        (GIVE, "1"), (GIVE, "1 1"), (GIVE, "1 2 3"), (GIVE, "1 11"), (GIVE, "JH 9D"),
    ],
)  # fmt: skip
def test_nonsense_is_refused(view: object, line: str) -> None:
    with pytest.raises(Misread):
        read_action(view, line)  # type: ignore[arg-type]
