"""The parts of a decision, measured without any process or connection."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from random import Random

from thousand.bot import Bot
from thousand.cards import Card
from thousand.codec import ResponseReader, ResponseWriter, decode_request, encode_request
from thousand.messages import Request
from thousand.player import Player
from thousand.rules import Deal, Game, deal_cards
from thousand.view import View
from thousand_referee.bench.full import bench_spec
from thousand_referee.referee import Referee


@dataclass(frozen=True, slots=True)
class Conversation:
    """What a whole match in one process cost.

    `seconds` are processor seconds, by part: the referee's work (rules, views, clock,
    log lines), writing and reading messages on either side, and the bots.
    """

    decisions: int
    seconds: dict[str, float]


class CheapBot(Bot):
    """The bench's bot, to be asked in this process."""

    def play(self, view: View) -> Card:
        """Choose without looking."""
        return view.cards[0]


def converse(games: int, tables: int) -> Conversation:
    """Play the bench's match with referee and bots in one process, message by message."""
    watch = _Stopwatch()
    spec = bench_spec(Path("/nowhere"), games, tables)
    referee = Referee(spec, lambda _line: None)
    players = [Player(CheapBot) for _ in range(3)]
    writers = [ResponseWriter() for _ in range(3)]
    readers = [ResponseReader() for _ in range(3)]
    decisions = 0
    for seat, player in enumerate(players):
        list(player.receive(referee.welcome(seat)))
    seat = 0
    while not referee.is_over:
        watch.start()
        response = referee.take(seat, 0.0)
        if response is not None:
            watch.lap("referee")
            sent = writers[seat].write(response)
            watch.lap("referee writes")
            response = readers[seat].read(sent)
            watch.lap("bot reads")
            answers = tuple(players[seat].receive(response))
            watch.lap("bot")
            came = encode_request(Request(answers=answers))
            watch.lap("bot writes")
            request = decode_request(came)
            watch.lap("referee reads")
            referee.hear(seat, request.answers, 0.0)
            watch.lap("referee")
            decisions += len(answers)
        seat = (seat + 1) % 3
    return Conversation(decisions, watch.seconds)


def measure_rules(deals: int) -> float:
    """Give random deals a second: dealing, legal actions at every decision, settlement."""
    random = Random(1)
    began = time.perf_counter()
    game = Game()
    for number in range(1, deals + 1):
        deal = Deal(number % 3, *deal_cards(b"a seed for deals", number))
        while not deal.is_over:
            actions = deal.legal_actions()
            deal.apply(actions[int(random.random() * len(actions))])
        game = game.settle(deal.outcome)
        if game.is_over:
            game = Game()
    return deals / (time.perf_counter() - began)


class _Stopwatch:
    """Processor time by part."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._last = 0.0

    def start(self) -> None:
        self._last = time.process_time()

    def lap(self, part: str) -> None:
        now = time.process_time()
        self.seconds[part] = self.seconds.get(part, 0.0) + now - self._last
        self._last = now
