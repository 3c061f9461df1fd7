"""Questions and actions in the written form of a log's fault lines."""

from __future__ import annotations

from typing import Any

from thousand.cards import text_of
from thousand.rules import Action, Bid, Give, Play, Raise
from thousand.view import View


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
    """Write an action: `pass`, `120` (a bid or a contract), `AS TH`, `KH`, `KH announce`.

    Gifts are named in the order left, right.
    """
    match action:
        case Bid(None):
            return "pass"
        case Bid(amount) | Raise(amount):
            return str(amount)
        case Give(to_left, to_right):
            return f"{to_left} {to_right}"
        case Play(card, announce):
            return f"{card} announce" if announce else str(card)
