"""Standings on their way through the service's protocol."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from simulated_games import simulate
from thousand.v1 import arena_pb2 as pb
from thousand_referee.ratings import Standings, standings
from thousand_referee.service.standings_messages import standings_in, standings_message

STRENGTHS = {"ann": 0.8, "bob": 0.2, "cat": 0.0}


def expected(table: Standings) -> Standings:
    """What a message has of a table: differences to the next only, without their games."""
    rows = (
        replace(row, to_next=row.to_next and replace(row.to_next, games=0, score=None))
        for row in table.rows
    )
    return replace(table, rows=tuple(rows), differences=())


def test_a_table_arrives_as_it_was() -> None:
    for blocks in (3, 12):  # without intervals, and with them
        games = simulate(STRENGTHS, blocks, np.random.default_rng(1))
        table = standings([*games, *games[:0]], names=[*STRENGTHS, "late"], resamples=100)
        sent = standings_message(table, 7).SerializeToString()
        message = pb.GetStandingsResponse.FromString(sent)
        assert message.matches == 7
        assert standings_in(message) == expected(table)
        assert (table.rows[0].elo_low is None) is (blocks == 3)


def test_an_empty_table_too() -> None:
    table = standings([], names=["ann", "bob"], resamples=100)
    assert standings_in(standings_message(table, 0)) == table
