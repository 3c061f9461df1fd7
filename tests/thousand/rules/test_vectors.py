"""The rules against vectors from an independent implementation."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from thousand.cards import Card
from thousand.rules import Action, Bid, Deal, Decision, Game, Give, Outcome, Play, Raise

CASES = Path(__file__).parents[2] / "cases"


def vectors(name: str) -> list[Any]:
    return [json.loads(line) for line in (CASES / name).read_text(encoding="utf-8").splitlines()]


DEALS = vectors("deals.jsonl")
SETTLEMENTS = vectors("settlements.jsonl")


def cards(texts: list[str]) -> tuple[Card, ...]:
    return tuple(Card.parse(text) for text in texts)


def legal_in(vector: dict[str, Any]) -> set[Action]:
    """Read the complete set of legal actions of one decision."""
    legal = vector["legal"]
    match vector["kind"]:
        case "bid":
            return {Bid(amount) for amount in legal}
        case "give":
            ten = cards(legal)
            return {Give(left, right) for left in ten for right in ten if left != right}
        case "raise":
            return {Raise(amount) for amount in legal}
        case "play":
            return {Play(Card.parse(text), announce) for text, announce in legal}
    raise ValueError(vector["kind"])


def choice_in(vector: dict[str, Any]) -> Action:
    """Read the action that was taken."""
    choice = vector["choice"]
    match vector["kind"]:
        case "bid":
            return Bid(choice)
        case "give":
            return Give(*cards(choice))
        case "raise":
            return Raise(choice)
        case "play":
            return Play(Card.parse(choice[0]), choice[1])
    raise ValueError(vector["kind"])


def listed_by(deal: Deal) -> set[Action]:
    """Give the legal actions as the method for this kind of decision lists them."""
    match deal.decision:
        case Decision.BID:
            return {Bid(amount) for amount in deal.legal_bids()}
        case Decision.GIVE:
            gifts = deal.legal_gifts()
            return {Give(left, right) for left in gifts for right in gifts if left != right}
        case Decision.RAISE:
            return {Raise(amount) for amount in deal.legal_raises()}
        case Decision.PLAY:
            return set(deal.legal_plays())
    return set()


def test_all_vectors_are_there() -> None:
    assert (len(DEALS), len(SETTLEMENTS)) == (60, 83)


@pytest.mark.parametrize("vector", DEALS, ids=lambda vector: "+".join(vector["features"]))
def test_a_whole_deal_has_the_legal_choices_and_the_outcome_of_the_vector(
    vector: dict[str, Any],
) -> None:
    deal = Deal(vector["dealer"], [cards(hand) for hand in vector["hands"]], cards(vector["talon"]))
    for number, decision in enumerate(vector["decisions"]):
        expected = legal_in(decision)
        legal = deal.legal_actions()
        assert deal.decision is Decision[decision["kind"].upper()], number
        assert deal.seat == decision["seat"], number
        assert set(legal) == listed_by(deal) == expected, number
        assert len(legal) == len(expected), number
        assert deal.forced() == (legal[0] if len(expected) == 1 else None), number
        deal.apply(choice_in(decision))
    assert deal.is_over
    assert (deal.legal_actions(), deal.forced()) == ((), None)
    outcome = deal.outcome
    assert outcome == Outcome(vector["declarer"], vector["contract"], tuple(vector["points"]))
    settled = Game().settle(outcome)
    assert (settled.scores[outcome.declarer] > 0) == vector["made"]


@pytest.mark.parametrize("vector", SETTLEMENTS, ids=lambda vector: vector["note"])
def test_a_deal_has_the_effect_of_the_vector_on_a_game(vector: dict[str, Any]) -> None:
    before, deal, after = vector["before"], vector["deal"], vector["after"]
    game = Game(tuple(before["scores"]), tuple(before["barrel"]), before["deals"])
    settled = game.settle(Outcome(deal["declarer"], deal["contract"], tuple(deal["points"])))
    assert settled.scores == tuple(after["scores"])
    assert settled.barrel == tuple(after["barrel"])
    assert settled.deals == after["deals"]
    assert settled.declarer == deal["declarer"]
    assert settled.is_over == after["over"]
    assert settled.winners == tuple(after["winners"])
    if settled.is_over:
        assert settled.places() == tuple(after["places"])
