"""What goes into the ratings, and what comes out."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One game that was played to its end. Everything in threes is by seat.

    `trio` names the bots. Games of the same three bots (in any seating) with the same
    `block` number were played with the same cards. `places` are 1 to 3, equal places
    shared (1, 2, 2 or 1, 1, 3). `points` are the seat's own points in its deals, as
    the cards scored them, summed over the game's `deals` deals.
    """

    trio: tuple[str, str, str]
    block: int
    places: tuple[int, int, int]
    points: tuple[int, int, int]
    deals: int
    faults: tuple[int, int, int] = (0, 0, 0)


@dataclass(frozen=True, slots=True)
class Difference:
    """How much better one bot is than another.

    `elo` is the difference of their ratings, `low` to `high` its 95% interval (None
    with too few blocks). `games` counts the games they met in, and `score` is the
    first bot's share of them: placed ahead of the second 1, same place 1/2, behind 0
    (None if they never met).
    """

    first: str
    second: str
    elo: float
    low: float | None
    high: float | None
    games: int
    score: float | None

    @property
    def is_clear(self) -> bool:
        """Whether the first bot is better, its 95% interval being clear of zero."""
        return self.low is not None and self.low > 0

    def reversed(self) -> Difference:
        """Give the same difference, seen from the second bot."""
        return Difference(
            first=self.second,
            second=self.first,
            elo=-self.elo,
            low=None if self.high is None else -self.high,
            high=None if self.low is None else -self.low,
            games=self.games,
            score=None if self.score is None else 1 - self.score,
        )


@dataclass(frozen=True, slots=True)
class StandingsRow:
    """One bot's line in the standings, all of it from complete blocks.

    Without a complete block, `elo` and all other averages are None. An interval
    (`elo_low` to `elo_high`, `points_low` to `points_high`; 95%) is None with too few
    blocks, and so is the rating interval of the anchor, whose rating is a convention.
    `win_share` is the share of games won, a win shared by k counting 1/k;
    `mean_place` is the mean of the places as recorded. Times are charged times per
    decision; None without any. `to_next` compares with the row below, and is None in
    the last row that has a rating.
    """

    rank: int
    name: str
    elo: float | None
    elo_low: float | None
    elo_high: float | None
    games: int
    blocks: int
    win_share: float | None
    mean_place: float | None
    points_per_deal: float | None
    points_low: float | None
    points_high: float | None
    faults: int
    time_median_ms: float | None
    time_p99_ms: float | None
    time_worst_ms: float | None
    to_next: Difference | None

    @property
    def better_than_next(self) -> bool:
        """Whether the lead over the next row is significant (95%)."""
        return self.to_next is not None and self.to_next.is_clear


@dataclass(frozen=True, slots=True)
class Standings:
    """The table of a tournament, best first; bots without a complete block come last.

    `differences` holds every pair of rated bots, the higher ranked first, in the order
    of the rows: (1, 2), (1, 3), … (2, 3), …. `games` and `blocks` count what the table
    rests on; `games_left_out` counts the games of blocks that aren't complete yet.
    """

    rows: tuple[StandingsRow, ...]
    differences: tuple[Difference, ...]
    games: int
    blocks: int
    games_left_out: int

    def row(self, name: str) -> StandingsRow:
        """Give a bot's row; KeyError if there is no such bot."""
        for row in self.rows:
            if row.name == name:
                return row
        raise KeyError(name)

    def difference(self, first: str, second: str) -> Difference:
        """Compare two bots; KeyError unless both are rated, and different."""
        above, below = self.row(first).rank - 1, self.row(second).rank - 1
        if above > below:
            return self.difference(second, first).reversed()
        rated = sum(row.elo is not None for row in self.rows)
        if above == below or below >= rated:
            raise KeyError(f"no difference between {first!r} and {second!r}")
        return self.differences[above * (2 * rated - above - 1) // 2 + below - above - 1]
