"""Match logs as text that people like to read at a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.text import Text

from thousand_referee.bot_output import (
    PROCESS_FAULTS,
    output_files,
    output_folder_of,
    where_to_read,
)
from thousand_referee.errors import LogError
from thousand_referee.matchlog.reader import read_log
from thousand_referee.matchlog.records import DealLine, FaultLine, GameLine, Line, MatchLine
from thousand_referee.matchlog.telling import Teller


def show_match(path: Path, *, color: bool = False) -> Iterator[str]:
    """Tell who sat where and how each game ended, line by line.

    Faults of the match as a whole come first, then the games by their numbers, which may
    have ended in another order. With `color`, lines have the escape sequences of a
    terminal. `LogError` as `read_log`, and where a line makes no sense.
    """
    lines = read_log(path)
    header = _header_of(lines)
    teller = Teller(header)
    outputs = _Outputs(path, header)
    yield from _spell(teller.header(), color)
    games: dict[int, list[Text]] = {}
    trouble: LogError | None = None
    try:
        for number, line in lines:
            texts: list[Text] = []
            with _making_sense(path, number):
                if isinstance(line, GameLine):
                    games[line.game] = teller.game_in_short(line)
                elif isinstance(line, FaultLine) and _concerns_match(line):
                    texts = [teller.fault(line), *outputs.of(line)]
            yield from _spell(texts, color)
    except LogError as error:
        trouble = error
    for game in sorted(games):
        yield from _spell(games[game], color)
    if trouble is not None:
        raise trouble


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
    opening = [*teller.header(), *teller.game_title(game)]
    if deal is None:
        yield from _spell(opening, color)
    outputs = _Outputs(path, header)
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
                texts += [text for fault in faults for text in outputs.of(fault)]
                faults = []
            elif isinstance(line, GameLine) and line.game == game:
                texts = teller.end(line)
        if deal is None:
            yield from _spell(texts, color)
        elif isinstance(line, DealLine) and (line.game, line.deal) == (game, deal):
            yield from _spell([*opening, *texts], color)
            return
        if isinstance(line, GameLine) and line.game == game:
            break
    if deal is not None:
        raise LogError(str(path), 0, f"game {game} has no deal {deal}; deals are 1 to {deals}")


class _Outputs:
    """Finds what the bots of a match printed, and tells of each only once."""

    def __init__(self, log: Path, header: MatchLine) -> None:
        self._folder = output_folder_of(log)
        self._header = header
        self._told: set[int] = set()

    def of(self, fault: FaultLine) -> list[Text]:
        """Say where the output is of a bot whose process failed, if it is there."""
        if fault.kind not in PROCESS_FAULTS or fault.seat in self._told:
            return []
        self._told.add(fault.seat)
        name = self._header.bots[fault.seat].name
        files = output_files(self._folder, fault.seat, name)
        return [Text(f"    {where_to_read(files)}")] if files else []


def _concerns_match(fault: FaultLine) -> bool:
    """Say whether a fault is told with a whole match: where a process failed, or a bot left."""
    return fault.game is None or fault.out == "match" or fault.kind in PROCESS_FAULTS


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
