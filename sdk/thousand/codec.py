"""Values to protobuf messages and back; the only place that knows both.

Cards travel as bytes of card numbers, lists by seat as packed numbers: flat, because
a message inside a message for each card costs several times as much.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from google.protobuf.message import DecodeError

from thousand.cards import CARDS, Card, Suit
from thousand.errors import MalformedMessage
from thousand.messages import (
    Answer,
    BadAnswer,
    DealEnd,
    GameEnd,
    GameStart,
    Hello,
    Notice,
    Prompt,
    Request,
    Response,
    Welcome,
)
from thousand.rules import Action, Bid, Decision, Give, Play, Raise
from thousand.v1 import bot_pb2, game_pb2
from thousand.view import View

_DECISIONS = {int(decision): decision for decision in Decision}
_SUITS = (None, *Suit)
_KEPT: Final = 1024
"""Enough for the deals of all tables that are played at a time. What is kept is never changed."""


def encode_request(request: Request) -> bytes:
    """Write a bot's message. A `BadAnswer` is only ever read: ValueError for one."""
    message = bot_pb2.PlayRequest(answers=[_answer_message(answer) for answer in request.answers])
    if request.hello is not None:
        hello = request.hello
        message.hello.token = hello.token
        message.hello.protocol = hello.protocol
        message.hello.software = hello.software
    return message.SerializeToString()


def decode_request(data: bytes) -> Request:
    """Read a bot's message; `MalformedMessage` if it is not one.

    A single answer that can't be read becomes a `BadAnswer`.
    """
    try:
        message = bot_pb2.PlayRequest.FromString(data)
    except DecodeError as error:
        raise MalformedMessage(f"{len(data)} bytes that are no PlayRequest") from error
    hello = None
    if message.HasField("hello"):
        hello = Hello(message.hello.token, message.hello.protocol, message.hello.software)
    return Request(hello, tuple([_read_answer(answer) for answer in message.answers]))


def encode_response(response: Response) -> bytes:
    """Write a referee's message."""
    message = bot_pb2.PlayResponse(
        notices=[_notice_message(notice) for notice in response.notices],
        prompts=[_prompt_message(prompt) for prompt in response.prompts],
    )
    if response.welcome is not None:
        welcome = response.welcome
        message.welcome.games = welcome.games
        message.welcome.tables = welcome.tables
        message.welcome.move_ms = welcome.move_ms
        message.welcome.bank_ms = welcome.bank_ms
        message.welcome.seed = welcome.seed
    if response.goodbye is not None:
        message.goodbye.reason = response.goodbye
    return message.SerializeToString()


def decode_response(data: bytes) -> Response:
    """Read a referee's message; `MalformedMessage` if it is not one."""
    try:
        message = bot_pb2.PlayResponse.FromString(data)
    except DecodeError as error:
        raise MalformedMessage(f"{len(data)} bytes that are no PlayResponse") from error
    welcome = None
    if message.HasField("welcome"):
        sent = message.welcome
        welcome = Welcome(sent.games, sent.tables, sent.move_ms, sent.bank_ms, sent.seed)
    try:
        return Response(
            welcome,
            tuple([_read_notice(notice) for notice in message.notices]),
            tuple([_read_prompt(prompt) for prompt in message.prompts]),
            message.goodbye.reason if message.HasField("goodbye") else None,
        )
    except (LookupError, ValueError) as error:
        raise MalformedMessage(f"a PlayResponse with an unknown value: {error}") from error


def _answer_message(answer: Answer | BadAnswer) -> game_pb2.Answer:
    if isinstance(answer, BadAnswer):
        raise ValueError(f"a bad answer can't be written: {answer.problem}")
    match answer.action:
        case Play(card, announce):
            return game_pb2.Answer(
                prompt_id=answer.prompt_id,
                decision=game_pb2.DECISION_PLAY,
                cards=bytes((card,)),
                announce=announce,
            )
        case Bid(amount):
            return game_pb2.Answer(
                prompt_id=answer.prompt_id, decision=game_pb2.DECISION_BID, amount=amount or 0
            )
        case Give(to_left, to_right):
            return game_pb2.Answer(
                prompt_id=answer.prompt_id,
                decision=game_pb2.DECISION_GIVE,
                cards=bytes((to_left, to_right)),
            )
        case Raise(amount):
            return game_pb2.Answer(
                prompt_id=answer.prompt_id, decision=game_pb2.DECISION_RAISE, amount=amount
            )


def _read_answer(message: game_pb2.Answer) -> Answer | BadAnswer:
    decision = _DECISIONS.get(message.decision)
    if decision is None:
        return BadAnswer(message.prompt_id, f"unknown decision {message.decision}")
    if decision is Decision.BID:
        return Answer(message.prompt_id, Bid(message.amount or None))
    if decision is Decision.RAISE:
        return Answer(message.prompt_id, Raise(message.amount))
    numbers = message.cards
    wanted = 1 if decision is Decision.PLAY else 2
    if len(numbers) != wanted or max(numbers) > 23:
        return BadAnswer(
            message.prompt_id,
            f"{decision.name} needs {wanted} card number{'s' * (wanted > 1)} from 0 to 23, "
            f"not {list(numbers[:8])}",
        )
    action: Action
    if decision is Decision.PLAY:
        action = Play(CARDS[numbers[0]], message.announce)
    else:
        action = Give(CARDS[numbers[0]], CARDS[numbers[1]])
    return Answer(message.prompt_id, action)


def _prompt_message(prompt: Prompt) -> game_pb2.Prompt:
    view = prompt.view
    message = game_pb2.Prompt(
        id=prompt.id,
        game=view.game,
        decision=int(view.decision),  # type: ignore[arg-type]
        view=_settled_part(
            view.seat, view.deal, view.dealer, view.scores, view.barrel, view.bids,
            view.contract, view.declarer, view.talon, view.gifts,
        ),
        amounts=view.amounts,
        cards=bytes(view.cards),
        announceable=bytes(view.announceable),
        bank_ms=view.bank_ms,
    )  # fmt: skip
    moving = message.view
    moving.hand = bytes(view.hand)
    moving.played = bytes(view.played)
    moving.leads = bytes(view.leads)
    moving.announced = bytes(view.announced)
    if view.trump is not None:
        moving.trump = view.trump + 1  # type: ignore[assignment]
    moving.points.extend(view.points)
    return message


@lru_cache(maxsize=_KEPT)
def _settled_part(
    seat: int,
    deal: int,
    dealer: int,
    scores: tuple[int, ...],
    barrel: tuple[int | None, ...],
    bids: tuple[tuple[int, int | None], ...],
    contract: int,
    declarer: int | None,
    talon: tuple[Card, ...],
    gifts: tuple[Card, ...],
) -> game_pb2.View:
    """Give what stays in a seat's views while the cards are played; it is to be copied."""
    return game_pb2.View(
        seat=seat,
        deal=deal,
        dealer=dealer,
        scores=scores,
        barrel=_barrel_bytes(barrel),
        bidders=bytes([bidder for bidder, _ in bids]),
        bids=[amount or 0 for _, amount in bids],
        contract=contract,
        declarer=declarer,
        talon=bytes(talon),
        gifts=bytes(gifts),
    )


def _read_prompt(message: game_pb2.Prompt) -> Prompt:
    view = message.view
    return Prompt(
        message.id,
        View(
            _DECISIONS[message.decision],
            view.seat,
            message.game,
            view.deal,
            view.dealer,
            tuple(view.scores[:]),
            _read_barrel(view.barrel),
            _read_cards(view.hand),
            _read_bids(view.bidders, tuple(view.bids[:])),
            view.contract,
            view.declarer if view.HasField("declarer") else None,
            _read_cards(view.talon),
            _read_cards(view.gifts),
            _read_cards(view.played),
            tuple(view.leads),
            _read_flags(view.announced),
            _SUITS[view.trump],
            tuple(view.points[:]),
            tuple(message.amounts[:]),
            _read_cards(message.cards),
            _read_cards(message.announceable),
            message.bank_ms,
        ),
    )


@lru_cache(maxsize=_KEPT)
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
                    barrel=_barrel_bytes(notice.barrel),
                )
            )


def _read_notice(message: game_pb2.Notice) -> Notice:
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
                tuple([_read_cards(hand) for hand in deal.hands]),
                _read_cards(deal.talon),
                _read_bids(deal.bidders, tuple(deal.bids[:])),
                deal.declarer,
                deal.contract,
                _read_cards(deal.gifts),
                _read_cards(deal.played),
                tuple(deal.leads),
                _read_flags(deal.announced),
                tuple(deal.points),
                tuple(deal.scores),
                _read_barrel(deal.barrel),
            )
        case _:
            raise MalformedMessage("a notice of no known kind")


def _barrel_bytes(barrel: Sequence[int | None]) -> bytes:
    return bytes([0 if used is None else used + 1 for used in barrel])


# Many prompts repeat these: a hand is also what may be led, a talon stays for a deal.


@lru_cache(maxsize=_KEPT)
def _read_bids(bidders: bytes, bids: tuple[int, ...]) -> tuple[tuple[int, int | None], ...]:
    return tuple([(seat, bid or None) for seat, bid in zip(bidders, bids, strict=True)])


@lru_cache(maxsize=_KEPT)
def _read_cards(numbers: bytes) -> tuple[Card, ...]:
    return tuple([CARDS[number] for number in numbers])


@lru_cache(maxsize=_KEPT)
def _read_barrel(flags: bytes) -> tuple[int | None, ...]:
    return tuple([flag - 1 if flag else None for flag in flags])


@lru_cache(maxsize=_KEPT)
def _read_flags(flags: bytes) -> tuple[bool, ...]:
    return tuple([flag == 1 for flag in flags])
