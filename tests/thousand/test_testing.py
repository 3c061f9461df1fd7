"""The fake referee: single decisions, whole games, and what it says of illegal choices."""

from __future__ import annotations

from typing import ClassVar

import pytest

from thousand import Bot, Card, DealEnd, GameEnd, Play, View
from thousand.errors import IllegalAction
from thousand.messages import GameStart
from thousand.rules import Action, Bid, Decision, Give, Raise
from thousand.testing import MATCH, ScriptedReferee, ask, check, play_game, position

ACE = Card.parse("AS")
BID = position(Decision.BID, "AS TS KS QS 9H JH 9C", bids=[100])
GIVE = position(Decision.GIVE, "AS TS KS QS 9H JH 9C TC 9D JD")
RAISE = position(Decision.RAISE, "AS TS KS QS 9H JH 9C TC")
LEAD = position(Decision.PLAY, "KH QH 9S TS KS QC AC", played="AS JS QS")


class First(Bot):
    """Plays the first of its legal plays, and counts what it sees."""

    seen: ClassVar[list[object]] = []

    def play(self, view: View) -> Play:
        return view.legal_plays[0]

    def on_deal_end(self, deal: DealEnd) -> None:
        self.seen.append(deal)

    def on_game_end(self, game: GameEnd) -> None:
        self.seen.append(game)


class Lucky(Bot):
    """Draws lots."""

    def bid(self, view: View) -> int | None:
        return self.rng.choice(view.legal_bids[:2])

    def play(self, view: View) -> Play:
        return self.rng.choice(view.legal_plays)


class Cheat(First):
    """Leads a card it does not hold."""

    def play(self, view: View) -> Play:
        return Play(view.unseen[0])


def test_ask_gives_the_action() -> None:
    assert ask(First, BID) == Bid(None)
    assert ask(First, LEAD) == LEAD.legal_plays[0]


def test_ask_names_an_illegal_choice() -> None:
    with pytest.raises(IllegalAction) as caught:
        ask(Cheat, LEAD)
    assert str(caught.value).startswith(
        "Play(card=Card.parse('9C'), announce=False) is not legal; when asked to play, "
        "legal were: 9S, KS, TS, QC, AC, QH, KH, QH!, KH!. The view: you are seat 1"
    )


@pytest.mark.parametrize(
    ("view", "action"),
    [
        (BID, Bid(None)),
        (BID, Bid(160)),
        (GIVE, Give(ACE, Card.parse("9H"))),
        (RAISE, Raise(100)),
        (LEAD, Play(Card.parse("KH"), announce=True)),
    ],
)
def test_check_accepts_legal_actions(view: View, action: Action) -> None:
    check(view, action)


@pytest.mark.parametrize(
    ("view", "action"),
    [
        (BID, Bid(100)),
        (BID, Bid(165)),
        (BID, Raise(105)),
        (GIVE, Give(ACE, ACE)),
        (GIVE, Give(ACE, Card.parse("AH"))),
        (RAISE, Raise(95)),
        (LEAD, Play(Card.parse("KS"), announce=True)),
        (LEAD, Play(ACE)),
        (LEAD, Bid(None)),
    ],
)
def test_check_refuses_illegal_actions(view: View, action: Action) -> None:
    with pytest.raises(IllegalAction):
        check(view, action)


def test_a_scripted_referee_keeps_the_order_of_its_questions() -> None:
    referee = ScriptedReferee(First)
    referee.tell(GameStart(0))
    assert referee.ask(LEAD, BID) == (LEAD.legal_plays[0], Bid(None))
    assert referee.ask(RAISE) == (Raise(100),)


def test_a_whole_game_repeats_with_its_seed() -> None:
    first, again, other = (play_game([Lucky, First, Lucky], seed=seed) for seed in (1, 1, 2))
    assert first == again != other
    game, places = first
    assert game.is_over
    assert places == game.places()


def test_everybody_is_told_of_each_deal_and_the_end() -> None:
    First.seen.clear()
    game, places = play_game([First, Lucky, Lucky])
    *deals, end = First.seen
    assert [deal.deal for deal in deals if isinstance(deal, DealEnd)] == [*range(1, game.deals + 1)]
    assert end == GameEnd(0, places, game.scores)


def test_a_whole_game_finds_illegal_choices() -> None:
    with pytest.raises(IllegalAction, match="is not legal; when asked to play"):
        play_game([First, Cheat, First])


def test_a_game_needs_three() -> None:
    with pytest.raises(ValueError, match="needs three bot classes, not 2"):
        play_game([First, First])


def test_the_limits_of_the_match_are_there() -> None:
    class Curious(First):
        def on_game_start(self) -> None:
            assert self.match == MATCH

    ask(Curious, LEAD)
