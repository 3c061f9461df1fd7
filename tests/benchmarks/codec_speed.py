"""Print what a prompt costs on the wire: bytes, and microseconds to write and to read.

The prompts are those of whole random deals, forced decisions left out as in a match.
Each figure is processor time of the fastest of several runs, so that a busy machine
spoils it little::

    python tests/benchmarks/codec_speed.py
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import zip_longest
from random import Random
from statistics import mean
from time import process_time
from typing import TypeVar

from thousand.codec import (
    ResponseReader,
    ResponseWriter,
    decode_request,
    encode_request,
    encode_response,
)
from thousand.messages import Answer, Prompt, Request, Response
from thousand.rules import Action, Deal, Decision, Game, deal_cards
from thousand.testing import decisions
from thousand.view import View

_T = TypeVar("_T")

DEALS = 12
RUNS = 25
TABLES = 32
"""Prompts in one message of a match with many tables."""


def random_decisions(table: int, rng: Random) -> list[tuple[View, Action]]:
    """Play random deals at a table; give what seat 0 saw and did where it had a choice."""
    found = []
    for number in range(1, DEALS + 1):
        game = Game((120, 345, 880), (None, None, 1), number)
        deal = Deal(game.dealer, *deal_cards(rng.randbytes(16), number))
        for view in decisions(deal, game, number=table):
            action = rng.choice(deal.legal_actions())
            if view.seat == 0:
                found.append((view, action))
            deal.apply(action)
    return found


def microseconds(work: Callable[[_T], object], messages: list[_T], count: int) -> float:
    """Time some work on messages that carry `count` items together: microseconds for each."""
    times = []
    for _ in range(RUNS):
        begin = process_time()
        for message in messages:
            work(message)
        times.append(1e6 * (process_time() - begin) / count)
    return min(times)


def main() -> None:
    """Print the table."""
    rng = Random(1)
    tables = [random_decisions(table, rng) for table in range(TABLES)]
    # Together goes what the tables ask at the same time, at most one of each.
    full = [[each for each in row if each is not None] for row in zip_longest(*tables)]
    played = [each for row in full for each in row]
    count = len(played)

    for decision in Decision:
        sizes = [
            len(encode_response(Response(prompts=(Prompt(number, view),))))
            for number, (view, _) in enumerate(played, 1)
            if view.decision is decision
        ]
        print(f"{decision.name.lower():6} {mean(sizes):4.0f} bytes, at most {max(sizes)}")

    for rows in ([[each] for each in played], full):
        responses = [
            Response(prompts=tuple(Prompt(1 + place, view) for place, (view, _) in enumerate(row)))
            for row in rows
        ]
        requests = [
            Request(answers=tuple(Answer(1 + place, act) for place, (_, act) in enumerate(row)))
            for row in rows
        ]
        writer, reader = ResponseWriter(), ResponseReader()
        sent = [writer.write(response) for response in responses]
        assert [reader.read(data) for data in sent] == responses
        back = [encode_request(request) for request in requests]
        figures = [
            microseconds(ResponseWriter().write, responses, count),
            microseconds(ResponseReader().read, sent, count),
            microseconds(encode_request, requests, count),
            microseconds(decode_request, back, count),
        ]
        print(
            f"{count / len(rows):4.1f} in a message: prompt written in {figures[0]:.1f} µs, read "
            f"in {figures[1]:.1f}; answer written in {figures[2]:.1f}, read in {figures[3]:.1f}; "
            f"together {sum(figures):.1f}"
        )


if __name__ == "__main__":
    main()
