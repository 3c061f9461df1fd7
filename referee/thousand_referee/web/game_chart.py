"""The chart of a game's scores over its deals, to jump with."""

from __future__ import annotations

from dataclasses import dataclass

from thousand_referee.web.charts import Line, Scale, lines_of, scale_of
from thousand_referee.web.games import GameSteps


@dataclass(frozen=True, slots=True)
class DealColumn:
    """The part of the chart that stands for a deal: place and width in percent, its label."""

    deal: int
    x: float
    width: float
    label: str


@dataclass(frozen=True, slots=True)
class GameChart:
    """`lines` are by seat in a drawing of 100 by 100; `ticks` are places from above, labels."""

    lines: tuple[Line, ...]
    columns: tuple[DealColumn, ...]
    scale: Scale


def game_chart(game: GameSteps) -> GameChart:
    """Lay a game's scores out; deal k stands between the scores before and after it."""
    count = len(game.deals)
    scores = [(0, 0, 0), *(deal.scores for deal in game.deals)]
    scale = scale_of([float(score) for each in scores for score in each], ticks=3)
    series = {
        str(seat): [(float(number), float(each[seat])) for number, each in enumerate(scores)]
        for seat in range(3)
    }
    lines = lines_of(series, Scale(0, count, ()), scale, 100, 100)
    columns = tuple(
        DealColumn(
            deal.deal,
            round(100 * number / count, 3),
            round(100 / count, 3),
            f"Deal {deal.deal}: {game.names[deal.declarer]} "
            f"{'makes' if deal.is_made else 'fails'} {deal.contract}; "
            + ", ".join(
                f"{name} {score}" for name, score in zip(game.names, deal.scores, strict=True)
            ),
        )
        for number, deal in enumerate(game.deals)
    )
    return GameChart(tuple(lines[str(seat)] for seat in range(3)), columns, scale)
