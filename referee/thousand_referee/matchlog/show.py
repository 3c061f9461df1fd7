"""Match logs as text that people like to read at a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.text import Text

from thousand_referee.errors import LogError
from thousand_referee.matchlog.reader import read_log
from thousand_referee.matchlog.records import DealLine, FaultLine, GameLine, Line, MatchLine
from thousand_referee.matchlog.telling import Teller


def show_match(path: Path, *, color: bool = False) -> Iterator[str]:
    """Tell who sat where and how each game ended, line by line.

    With `color`, lines have the escape sequences of a terminal. `LogError` as
    `read_log`, and where a line makes no sense.
    """
    lines = read_log(path)
    teller = Teller(_header_of(lines))
    yield from _spell(teller.header(), color)
    for number, line in lines:
        texts: list[Text] = []
        with _making_sense(path, number):
            if isinstance(line, GameLine):
                texts = teller.game_in_short(line)
            elif isinstance(line, FaultLine) and (line.game is None or line.out == "match"):
                texts = [teller.fault(line)]
        yield from _spell(texts, color)


def show_game(
    path: Path, game: int, deal: int | None = None, *, color: bool = False
) -> Iterator[str]:
    """Tell a whole game, or one deal of it, line by line.

    With `color`, lines have the escape sequences of a terminal. `LogError` as
    `read_log`, where a line makes no sense, and when there is no such game or deal.
    """
    lines = read_log(path)
    header = _header_of(lines)
    teller = Teller(header)
    if not 0 <= game < header.games:
        raise LogError(str(path), 0, f"there is no game {game}; games are 0 to {header.games - 1}")
    yield from _spell([*teller.header(), *teller.game_title(game)], color)
    faults: list[FaultLine] = []
    deals = 0
    for number, line in lines:
        texts: list[Text] = []
        with _making_sense(path, number):
            if isinstance(line, FaultLine) and _concerns(line, game, deals):
                faults.append(line)
            elif isinstance(line, DealLine) and line.game == game:
                deals += 1
                texts = teller.deal(line, faults)
                faults = []
                if deal not in (None, line.deal):
                    texts = []
            elif isinstance(line, GameLine) and line.game == game:
                if deal is None:
                    texts = teller.end(line)
                elif not 1 <= deal <= deals:
                    raise LogError(
                        str(path), 0, f"game {game} has no deal {deal}; deals are 1 to {deals}"
                    )
                yield from _spell(texts, color)
                return
        yield from _spell(texts, color)


def _concerns(fault: FaultLine, game: int, deals: int) -> bool:
    """Say whether a fault is told with a game of which so many deals are over."""
    if fault.game is None:
        return deals > 0 or fault.out == "match"
    return fault.game == game


def _header_of(lines: Iterator[tuple[int, Line]]) -> MatchLine:
    _, line = next(lines)
    assert isinstance(line, MatchLine)  # the reader sees to it
    return line


@contextmanager
def _making_sense(path: Path, number: int) -> Iterator[None]:
    """Translate what goes wrong when a line names seats or cards that don't exist."""
    try:
        yield
    except (IndexError, ValueError) as error:
        raise LogError(
            str(path), number, f"can't be shown ({error}); `thousand log verify` tells more"
        ) from error


def _spell(texts: Iterable[Text], color: bool) -> Iterator[str]:
    if not color:
        yield from (text.plain for text in texts)
        return
    console = Console(force_terminal=True, color_system="standard", no_color=False)
    for text in texts:
        with console.capture() as capture:
            console.print(text, soft_wrap=True, end="")
        yield capture.get()
