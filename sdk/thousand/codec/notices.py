"""Notices to bytes and back."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from thousand.codec.flat import KEPT, barrel_bytes, read_barrel, read_bids, read_cards, read_flags
from thousand.codec.wire import bytes_tag, varint
from thousand.errors import MalformedMessage
from thousand.messages import DealEnd, GameEnd, GameStart, Notice
from thousand.v1 import game_pb2

_NOTICE: Final = bytes_tag(2)


@lru_cache(maxsize=KEPT)
def notice_field(notice: Notice) -> bytes:
    """Write a notice, as a field of a PlayResponse; it goes to three seats."""
    data = _notice_message(notice).SerializeToString()
    return b"".join((_NOTICE, varint(len(data)), data))


def _notice_message(notice: Notice) -> game_pb2.Notice:
    match notice:
        case GameStart():
            return game_pb2.Notice(game_start=game_pb2.GameStart(game=notice.game))
        case GameEnd():
            return game_pb2.Notice(
                game_end=game_pb2.GameEnd(
                    game=notice.game, places=bytes(notice.places), scores=notice.scores
                )
            )
        case DealEnd():
            return game_pb2.Notice(
                deal_end=game_pb2.DealEnd(
                    game=notice.game,
                    deal=notice.deal,
                    dealer=notice.dealer,
                    hands=[bytes(hand) for hand in notice.hands],
                    talon=bytes(notice.talon),
                    bidders=bytes([seat for seat, _ in notice.bids]),
                    bids=[amount or 0 for _, amount in notice.bids],
                    declarer=notice.declarer,
                    contract=notice.contract,
                    gifts=bytes(notice.gifts),
                    played=bytes(notice.played),
                    leads=bytes(notice.leads),
                    announced=bytes(notice.announced),
                    points=notice.points,
                    scores=notice.scores,
                    barrel=barrel_bytes(notice.barrel),
                )
            )


def read_notice(message: game_pb2.Notice) -> Notice:
    """Read a notice; LookupError or ValueError for a value that is not known."""
    match message.WhichOneof("notice"):
        case "game_start":
            return GameStart(message.game_start.game)
        case "game_end":
            game = message.game_end
            return GameEnd(game.game, tuple(game.places), tuple(game.scores))
        case "deal_end":
            deal = message.deal_end
            return DealEnd(
                deal.game,
                deal.deal,
                deal.dealer,
                tuple([read_cards(hand) for hand in deal.hands]),
                read_cards(deal.talon),
                read_bids(deal.bidders, tuple(deal.bids[:])),
                deal.declarer,
                deal.contract,
                read_cards(deal.gifts),
                read_cards(deal.played),
                tuple(deal.leads),
                read_flags(deal.announced),
                tuple(deal.points),
                tuple(deal.scores),
                read_barrel(deal.barrel),
            )
        case _:
            raise MalformedMessage("a notice of no known kind")
