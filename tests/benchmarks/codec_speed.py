"""Print what a prompt costs on the wire: bytes, and microseconds to write and to read.

The prompts are those of whole random deals, forced decisions left out as in a match.
Each figure is processor time of the fastest of several runs, so that a busy machine
spoils it little::

    python tests/benchmarks/codec_speed.py
"""

from __future__ import annotations

from collections.abc import Callable
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

DEALS = 100
RUNS = 25
TABLES = 32
"""Prompts in one message of a match with many tables."""


def random_decisions(deals: int, seed: int = 1) -> list[tuple[View, Action]]:
    """Play random deals; give the view and the action of each decision with a choice."""
    rng = Random(seed)
    found = []
    for number in range(1, deals + 1):
        game = Game((120, 345, 880), (None, None, 1), number % 190)
        deal = Deal(game.dealer, *deal_cards(bytes(16), number))
        for view in decisions(deal, game, number=number % TABLES):
            action = rng.choice(deal.legal_actions())
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


def chunks(items: list[_T], size: int) -> list[tuple[_T, ...]]:
    """Cut a list into tuples of `size`."""
    return [tuple(items[start : start + size]) for start in range(0, len(items), size)]


def main() -> None:
    """Print the table."""
    played = random_decisions(DEALS)
    prompts = [Prompt(number, view) for number, (view, _) in enumerate(played, 1)]
    answers = [Answer(number, action) for number, (_, action) in enumerate(played, 1)]
    count = len(prompts)

    for decision in Decision:
        sizes = [
            len(encode_response(Response(prompts=(prompt,))))
            for prompt in prompts
            if prompt.view.decision is decision
        ]
        print(f"{decision.name.lower():6} {mean(sizes):4.0f} bytes, at most {max(sizes)}")

    for size in (1, TABLES):
        responses = [Response(prompts=chunk) for chunk in chunks(prompts, size)]
        requests = [Request(answers=chunk) for chunk in chunks(answers, size)]
        sent = [encode_response(response) for response in responses]
        back = [encode_request(request) for request in requests]
        figures = [
            microseconds(ResponseWriter().write, responses, count),
            microseconds(ResponseReader().read, sent, count),
            microseconds(encode_request, requests, count),
            microseconds(decode_request, back, count),
        ]
        print(
            f"{size:2} in a message: prompt written in {figures[0]:.1f} µs, read in "
            f"{figures[1]:.1f}; answer written in {figures[2]:.1f}, read in {figures[3]:.1f}; "
            f"together {sum(figures):.1f}"
        )


if __name__ == "__main__":
    main()
