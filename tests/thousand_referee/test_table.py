"""A table: one game, driven by hand."""

from __future__ import annotations

import pytest

from thousand.errors import IllegalAction
from thousand.rules import Bid, Decision, deal_cards
from thousand_referee.table import DealSettled, GameOver, Table

SEED = bytes(16)


def new_table(*out: int) -> Table:
    return Table(number=4, block=9, seed=SEED, out=set(out))


def play_by_default(table: Table) -> list[DealSettled | GameOver]:
    """Ask every question, answer with the default, to the end of the game."""
    events = list(table.advance())
    while not table.is_over:
        table.count_asked()
        table.charge(table.seat, 2.0)
        table.answer(table.default())
        events += table.advance()
    return events


def test_the_first_question_is_forehands_bid_on_the_seeds_cards() -> None:
    table = new_table()
    assert list(table.advance()) == []
    view = table.view(bank_ms=77)
    assert (table.seat, view.seat, view.decision) == (1, 1, Decision.BID)
    assert (view.game, view.deal, view.bank_ms) == (4, 1, 77)
    assert set(view.hand) == set(deal_cards(SEED, 1)[0][1])


def test_an_illegal_answer_changes_nothing() -> None:
    table = new_table()
    list(table.advance())
    before = table.view(0)
    with pytest.raises(IllegalAction):
        table.answer(Bid(None))
    assert table.view(0) == before


def test_a_decision_with_one_choice_is_not_asked() -> None:
    table = new_table()
    list(table.advance())
    while not table.is_over:
        view = table.view(0)
        choices = len(view.legal_bids or view.legal_raises or view.legal_gifts or view.legal_plays)
        assert choices > 1
        table.answer(table.default())
        list(table.advance())


def test_every_deal_ends_with_what_was_asked_and_charged() -> None:
    *deals, end = play_by_default(new_table())
    assert isinstance(end, GameOver)
    for number, event in enumerate(deals, start=1):
        assert isinstance(event, DealSettled)
        assert event.after.deals == number
        assert sum(event.asked) > 0
        assert event.ms == tuple(2.0 * asked for asked in event.asked)
        assert (event.notice.game, event.notice.deal) == (4, number)


def test_the_game_ends_with_places_for_all() -> None:
    end = play_by_default(new_table())[-1]
    assert isinstance(end, GameOver)
    assert end.places == end.game.places()
    assert end.winners == end.game.winners
    assert end.notice.scores == end.game.scores


def test_a_seat_that_is_out_is_not_asked_and_is_placed_last() -> None:
    table = new_table(1)
    events = list(table.advance())
    while not table.is_over:
        assert table.seat != 1
        table.answer(table.default())
        events += table.advance()
    end = events[-1]
    assert isinstance(end, GameOver)
    assert (end.places[1], end.out) == (3, (1,))
    assert 1 not in end.winners


def test_a_game_of_seats_that_are_all_out_ends_by_itself() -> None:
    table = new_table(0, 1, 2)
    events = list(table.advance())
    assert table.is_over
    end = events[-1]
    assert isinstance(end, GameOver)
    assert end.places == (1, 1, 1)
