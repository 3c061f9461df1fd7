"""Log lines from the rules' values: deals, questions and actions in written form."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from thousand.cards import cards_in, text_of
from thousand.rules import Action, Bid, Deal, Game, Give, Play, Raise
from thousand.view import View

from thousand_referee.matchlog.records import DealLine, FaultLine, TrickLine


def deal_line(
    game_number: int, deal: Deal, after: Game, asked: Sequence[int], ms: Sequence[float]
) -> DealLine:
    """Describe a deal that is over; `after` is the game's state once it is settled.

    `asked` and `ms` are by seat: decisions asked, and milliseconds charged, which are
    written to the microsecond. ValueError when the deal is not over.
    """
    outcome = deal.outcome
    first_hand, second_hand, third_hand = (tuple(text_of(cards_in(hand))) for hand in deal.dealt)
    to_left, to_right = text_of(deal.gifts)
    first_asked, second_asked, third_asked = asked
    first_ms, second_ms, third_ms = (round(float(each), 3) for each in ms)
    return DealLine(
        game=game_number,
        deal=after.deals,
        dealer=deal.dealer,
        hands=(first_hand, second_hand, third_hand),
        talon=tuple(text_of(deal.talon)),
        bids=tuple(deal.bids),
        declarer=outcome.declarer,
        gifts=(to_left, to_right),
        contract=outcome.contract,
        tricks=_trick_lines(deal),
        points=outcome.points,
        scores=after.scores,
        barrel=after.barrel,
        asked=(first_asked, second_asked, third_asked),
        ms=(first_ms, second_ms, third_ms),
    )


def _trick_lines(deal: Deal) -> tuple[TrickLine, ...]:
    cards = text_of(deal.played)
    return tuple(
        TrickLine(
            lead, (cards[3 * number], cards[3 * number + 1], cards[3 * number + 2]), announced
        )
        for number, (lead, announced) in enumerate(zip(deal.leads, deal.announced, strict=True))
    )


def fault_line(
    kind: str,
    seat: int,
    detail: str,
    *,
    view: View | None = None,
    answer: str | None = None,
    action: Action | None = None,
    out: str | None = None,
) -> FaultLine:
    """Describe a fault; `view` is the question that was open, if there was one."""
    return FaultLine(
        game=None if view is None else view.game,
        deal=None if view is None else view.deal,
        seat=seat,
        kind=kind,
        detail=detail,
        prompt=None if view is None else prompt_of(view),
        answer=answer,
        action=None if action is None else action_text(action),
        out=out,
    )


def prompt_of(view: View) -> dict[str, Any]:
    """Give a question as plain values, under the names of the view's attributes."""
    return {
        "decision": view.decision.name.lower(),
        "seat": view.seat,
        "game": view.game,
        "deal": view.deal,
        "dealer": view.dealer,
        "scores": list(view.scores),
        "barrel": list(view.barrel),
        "hand": text_of(view.hand),
        "bids": [list(bid) for bid in view.bids],
        "contract": view.contract,
        "declarer": view.declarer,
        "talon": text_of(view.talon),
        "gifts": text_of(view.gifts),
        "played": text_of(view.played),
        "leads": list(view.leads),
        "announced": list(view.announced),
        "trump": None if view.trump is None else view.trump.letter,
        "points": list(view.points),
        "amounts": list(view.amounts),
        "cards": text_of(view.cards),
        "announceable": text_of(view.announceable),
        "bank_ms": view.bank_ms,
    }


def action_text(action: Action) -> str:
    """Write an action: `pass`, `bid 120`, `give AS TH`, `contract 130`, `play KH`, `announce KH`.

    Gifts are named in the order left, right.
    """
    match action:
        case Bid(None):
            return "pass"
        case Bid(amount):
            return f"bid {amount}"
        case Give(to_left, to_right):
            return f"give {to_left} {to_right}"
        case Raise(amount):
            return f"contract {amount}"
        case Play(card, announce):
            return f"announce {card}" if announce else f"play {card}"
