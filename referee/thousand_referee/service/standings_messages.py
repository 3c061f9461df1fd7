"""Standings as messages of the service's protocol, and back again for the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from thousand.v1 import arena_pb2 as pb

if TYPE_CHECKING:  # it brings numpy along
    from thousand_referee.ratings.results import Difference, Standings, StandingsRow

_SAME = (
    *("rank", "name", "elo", "elo_low", "elo_high", "games", "blocks", "win_share"),
    *("mean_place", "points_per_deal", "points_low", "points_high", "faults"),
    *("time_median_ms", "time_p99_ms", "time_worst_ms"),
)
"""What a row and its message have in common, under the same names."""


def standings_message(standings: Standings, matches: int) -> pb.GetStandingsResponse:
    """Give standings that were computed from so many matches."""
    return pb.GetStandingsResponse(
        rows=[_row_message(row) for row in standings.rows],
        games=standings.games,
        matches=matches,
        blocks=standings.blocks,
        games_left_out=standings.games_left_out,
    )


def standings_in(message: pb.GetStandingsResponse) -> Standings:
    """Give the standings in a message; of the differences, it has only each row's to the next."""
    from thousand_referee.ratings.results import Standings

    below = [*message.rows[1:], None]
    return Standings(
        rows=tuple(map(_row_in, message.rows, below)),
        differences=(),
        games=message.games,
        blocks=message.blocks,
        games_left_out=message.games_left_out,
    )


def _row_message(row: StandingsRow) -> pb.StandingsRow:
    lead = row.to_next
    return pb.StandingsRow(
        **{name: getattr(row, name) for name in _SAME},
        better_than_next=row.better_than_next,
        lead_low=None if lead is None else lead.low,
        lead_high=None if lead is None else lead.high,
    )


def _row_in(message: pb.StandingsRow, below: pb.StandingsRow | None) -> StandingsRow:
    from thousand_referee.ratings.results import StandingsRow

    row: dict[str, Any] = {name: _value(message, name) for name in _SAME}
    return StandingsRow(**row, to_next=_lead(message, below))


def _lead(message: pb.StandingsRow, below: pb.StandingsRow | None) -> Difference | None:
    from thousand_referee.ratings.results import Difference

    if below is None or not (message.HasField("elo") and below.HasField("elo")):
        return None
    return Difference(
        first=message.name,
        second=below.name,
        elo=message.elo - below.elo,
        low=_value(message, "lead_low"),
        high=_value(message, "lead_high"),
        games=0,
        score=None,
    )


def _value(message: pb.StandingsRow, name: str) -> Any:
    """Give a field, None for one that isn't known."""
    if message.DESCRIPTOR.fields_by_name[name].has_presence and not message.HasField(name):  # type: ignore[arg-type]
        return None
    return getattr(message, name)
