"""Prompts to bytes and back: nine tenths of all that is sent, so made to be fast.

Setting twenty fields of a message object costs more than all else about a prompt, so it
is written by hand, field by field. And either side keeps what stays in a deal.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from thousand.cards import CARDS, Card, Suit
from thousand.codec.flat import barrel_bytes, read_barrel, read_bids, read_cards, read_flags
from thousand.codec.staying import Staying
from thousand.codec.wire import (
    VARINTS,
    bytes_field,
    bytes_tag,
    bytes_tags,
    number_field,
    number_fields,
    number_tag,
    varint,
    zigzag,
)
from thousand.messages import Prompt
from thousand.rules import Decision
from thousand.v1 import game_pb2
from thousand.view import View

_DECISIONS: Final = {int(decision): decision for decision in Decision}
_SUITS: Final = (None, *Suit)
_card: Final = CARDS.__getitem__
_small: Final = VARINTS.__getitem__

# What stands before each field of PlayResponse, of Prompt and of View; or the field itself.
_PROMPT: Final = bytes_tag(3)

_ID: Final = number_tag(1)
_GAME: Final = number_tag(2)
_DECISION: Final = number_fields(3, 1 + max(Decision))
_VIEW: Final = bytes_tag(4)
_AMOUNTS: Final = bytes_tag(5)
_CARDS: Final = bytes_tags(6)
_ANNOUNCEABLE: Final = bytes_tags(7)
_BANK_MS: Final = number_tag(8)

_SEAT: Final = number_fields(1, 3)
_DEAL: Final = number_tag(2)
_DEALER: Final = number_fields(3, 3)
_SCORES: Final = bytes_tag(4)
_BARREL: Final = bytes_tag(5)
_HAND: Final = bytes_tags(6)
_BIDDERS: Final = bytes_tag(7)
_BIDS: Final = bytes_tag(8)
_CONTRACT: Final = number_tag(9)
_DECLARER: Final = tuple([number_tag(10) + varint(seat) for seat in range(3)])
_TALON: Final = bytes_tag(11)
_GIFTS: Final = bytes_tag(12)
_PLAYED: Final = bytes_tags(13)
_LEADS: Final = bytes_tags(14)
_ANNOUNCED: Final = bytes_tags(15)
_TRUMP: Final = number_fields(16, 1 + len(Suit))
_POINTS: Final = bytes_tags(17)


class PromptWriter:
    """Writes prompts to one seat."""

    def __init__(self) -> None:
        self.staying = Staying(_before_hand, _after_hand)

    def field(self, prompt: Prompt) -> bytes:
        """Write a prompt, as a field of a PlayResponse."""
        number, view = prompt
        (
            decision, _, game, _, _, _, _, hand, _, _, _, _, _, played, leads, announced,
            trump, points, amounts, cards, announceable, bank_ms,
        ) = view  # fmt: skip
        before_hand, after_hand = self.staying.parts(view, game, decision)
        point_bytes = b"".join(map(_small, points))
        view_bytes = b"".join((
            before_hand,
            _HAND[len(hand)], bytes(hand),
            after_hand,
            _PLAYED[len(played)], bytes(played),
            _LEADS[len(leads)], bytes(leads),
            _ANNOUNCED[len(announced)], bytes(announced),
            b"" if trump is None else _TRUMP[trump + 1],
            _POINTS[len(point_bytes)], point_bytes,
        ))  # fmt: skip
        prompt_bytes = b"".join((
            number_field(_ID, number),
            number_field(_GAME, game),
            _DECISION[decision],
            _VIEW, _small(len(view_bytes)), view_bytes,
            bytes_field(_AMOUNTS, b"".join(map(_small, amounts))) if amounts else b"",
            _CARDS[len(cards)], bytes(cards),
            _ANNOUNCEABLE[len(announceable)], bytes(announceable),
            number_field(_BANK_MS, bank_ms),
        ))  # fmt: skip
        return b"".join((_PROMPT, _small(len(prompt_bytes)), prompt_bytes))


def _before_hand(view: View) -> bytes:
    """Write the fields of a view that stay for a deal."""
    return b"".join((
        _SEAT[view.seat],
        number_field(_DEAL, view.deal),
        _DEALER[view.dealer],
        bytes_field(_SCORES, b"".join(map(zigzag, view.scores))),
        bytes_field(_BARREL, barrel_bytes(view.barrel)),
    ))  # fmt: skip


def _after_hand(view: View) -> bytes:
    """Write the fields of a view that stay while cards are played."""
    return b"".join((
        bytes_field(_BIDDERS, bytes([bidder for bidder, _ in view.bids])),
        bytes_field(_BIDS, b"".join([varint(amount or 0) for _, amount in view.bids])),
        number_field(_CONTRACT, view.contract),
        b"" if view.declarer is None else _DECLARER[view.declarer],
        bytes_field(_TALON, bytes(view.talon)),
        bytes_field(_GIFTS, bytes(view.gifts)),
    ))  # fmt: skip


_BeforeHand: TypeAlias = tuple[int, tuple[int, ...], tuple[int | None, ...]]
_AfterHand: TypeAlias = tuple[
    tuple[tuple[int, int | None], ...], int, int | None, tuple[Card, ...], tuple[Card, ...]
]


class PromptReader:
    """Reads prompts to one seat."""

    def __init__(self) -> None:
        self.staying = Staying(_read_before_hand, _read_after_hand)

    def read(self, message: game_pb2.Prompt) -> Prompt:
        """Read a prompt; LookupError or ValueError for a value that is not known."""
        view, game = message.view, message.game
        decision = _DECISIONS[message.decision]
        (dealer, scores, barrel), after_hand = self.staying.parts(view, game, decision)
        bids, contract, declarer, talon, gifts = after_hand
        # The cards played are never the same twice; hands are, so `read_cards` keeps them.
        # Straight to the tuple: the class itself would first go through 22 arguments.
        read = tuple.__new__(View, (
            decision, view.seat, game, view.deal, dealer, scores, barrel, read_cards(view.hand),
            bids, contract, declarer, talon, gifts, tuple(map(_card, view.played)),
            tuple(view.leads), read_flags(view.announced), _SUITS[view.trump],
            tuple(view.points[:]), () if decision is Decision.PLAY else tuple(message.amounts[:]),
            read_cards(message.cards), read_cards(message.announceable), message.bank_ms,
        ))  # fmt: skip
        return Prompt(message.id, read)


def _read_before_hand(view: game_pb2.View) -> _BeforeHand:
    return view.dealer, tuple(view.scores[:]), read_barrel(view.barrel)


def _read_after_hand(view: game_pb2.View) -> _AfterHand:
    return (
        read_bids(view.bidders, tuple(view.bids[:])),
        view.contract,
        view.declarer if view.HasField("declarer") else None,
        read_cards(view.talon),
        read_cards(view.gifts),
    )
