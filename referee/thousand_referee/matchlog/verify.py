"""Verifying a match log: every line is judged by the rules, the seeds and the other lines.

The cards are dealt again from the block seeds, every action is carried out again, and
every figure is compared. What remains is guarded by the end line's checksum only:
versions, `started`, limits within reason, `detail`, the answer of a malformed fault,
the bank in a prompt, the exact times; and names, if the match is of no tournament.

What is proved of `asked`: a seat that is not out was asked every decision that had more
than one choice. A seat whose fault put it out was asked up to and including that
question, and nothing afterwards. A seat that left the match for a fault elsewhere was
asked some of the questions of the deal in progress, its first ones, and nothing in
later deals. To what was not asked, and after every fault, the default action was played.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Final

import msgspec

from thousand.rules import block_seed
from thousand.rules.dealing import SEED_BYTES
from thousand.rules.game import LAST_DEAL, TARGET
from thousand_referee.errors import LogError
from thousand_referee.faults import FaultKind
from thousand_referee.matchlog.reader import parse_lines, read_lines
from thousand_referee.matchlog.records import (
    FORMAT,
    DealLine,
    EndLine,
    FaultLine,
    GameLine,
    Line,
    MatchLine,
)
from thousand_referee.matchlog.replay import Mismatch, expect, shown
from thousand_referee.matchlog.summary import MatchSummary, summarize
from thousand_referee.matchlog.verify_game import GameCheck
from thousand_referee.matchlog.verify_times import check_times
from thousand_referee.matchlog.writer import FINISHED_SUFFIX, RUNNING_SUFFIX, checked_part
from thousand_referee.schedule import SEATINGS, match_id

_REPLACING: Final = frozenset({FaultKind.CRASH, FaultKind.NO_START})
"""Faults after which the bot's process is always replaced."""


def verify_log(path: Path, tournament_seed: str | None = None) -> MatchSummary:
    """Verify a whole log and sum it up; `LogError` names the first line that is wrong.

    With `tournament_seed`, the block seeds are checked too. The file must be named
    after its match.
    """
    return summarize(_verified(path, tournament_seed))


def _verified(path: Path, tournament_seed: str | None) -> Iterator[Line]:
    """Yield the lines of a log, each verified.

    A fault line is fully judged only with the line of its deal. So when a line turns
    out to be wrong, those before it that still await judgement are seen to first.
    """
    check = _MatchCheck(path, tournament_seed)
    first: LogError | None = None
    try:
        for number, line, raw in parse_lines(path, read_lines(path)):
            try:
                check.take(number, line, raw)
            except Mismatch as mismatch:
                wrong = mismatch.line or number
                if first is None or wrong < first.line:
                    first = LogError(str(path), wrong, mismatch.problem)
            if first is None:
                yield line
            elif not check.doubts_before(first.line):
                break
    except LogError as error:
        first = first or error
    if first is not None:
        raise first


@dataclass(slots=True)
class _SeatRecord:
    """What a match's lines have told of a seat so far; `never_asked_from` is a game's number."""

    kinds: Counter[str] = field(default_factory=Counter)
    is_out: bool = False
    never_asked_from: int = 0
    asked: int = 0
    ms: float = 0.0


class _MatchCheck:
    """Follows the lines of one log; `Mismatch` where one is wrong."""

    def __init__(self, path: Path, tournament_seed: str | None) -> None:
        self._path = path
        self._tournament_seed = tournament_seed
        self._header: MatchLine | None = None
        self._sha256 = sha256()
        self._games: dict[int, GameCheck] = {}
        self._ended: set[int] = set()
        self._wrong: set[int] = set()
        self._seats = tuple(_SeatRecord() for _ in range(3))
        self._deals = 0

    def doubts_before(self, number: int) -> bool:
        """Say whether a line before this one still awaits judgement."""
        doubts = (
            check.first_doubt for game, check in self._games.items() if game not in self._wrong
        )
        return any(doubt is not None and doubt < number for doubt in doubts)

    def take(self, number: int, line: Line, raw: bytes) -> None:
        """Check the next line."""
        if raw != msgspec.json.encode(line) + b"\n":
            self._give_up(line)
            raise Mismatch(
                "the line is not as it was written: a key is missing or stands there twice, "
                "or keys, numbers or spaces were changed"
            )
        if isinstance(line, MatchLine):
            self._take_header(line)
        elif isinstance(line, EndLine):
            self._take_end(line, raw)
        elif line.game not in self._wrong:
            try:
                self._take_game_line(number, line)
            except Mismatch:
                self._give_up(line)
                raise
        self._sha256.update(raw)

    def _give_up(self, line: Line) -> None:
        """Judge no more lines of this line's game: they would seem wrong because of it."""
        if isinstance(line, DealLine | FaultLine | GameLine) and line.game is not None:
            self._wrong.add(line.game)

    def _take_header(self, line: MatchLine) -> None:
        expect("format", line.format, FORMAT)
        if self._path.name not in (line.match + FINISHED_SUFFIX, line.match + RUNNING_SUFFIX):
            raise Mismatch(f"match is {shown(line.match)}, which is not the file's name")
        names = [bot.name for bot in line.bots]
        for name, text in (
            *((f"bots[{seat}].name", bot.name) for seat, bot in enumerate(line.bots)),
            *((f"bots[{seat}].version", bot.version) for seat, bot in enumerate(line.bots)),
        ):
            if not text:
                raise Mismatch(f"{name} is empty")
        if len(set(names)) < 3:
            raise Mismatch(f"bots are {shown(names)}; the three must differ")
        if line.tournament:  # a match on its own has none, and any id
            trio = sorted(names, key=str.encode)
            seating = SEATINGS.index(tuple(trio.index(name) for name in names))
            expect("match", line.match, match_id(line.tournament, trio, line.first_block, seating))
        for name, value, least in (
            ("first_block", line.first_block, 0),
            ("games", line.games, 1),
            ("time.move_ms", line.time.move_ms, 1),
            ("time.bank_ms", line.time.bank_ms, 0),
            ("time.connect_ms", line.time.connect_ms, 1),
            ("time.match_ms", line.time.match_ms, 1),
            ("faults.per_game", line.faults.per_game, 1),
            ("faults.restarts", line.faults.restarts, 0),
            ("tables", line.tables, 1),
        ):
            if value < least:
                raise Mismatch(f"{name} is {value}; it must be at least {least}")
        expect("rules.target", line.rules.target, TARGET)
        expect("rules.deals", line.rules.deals, LAST_DEAL)
        self._check_seeds(line, names)
        try:
            is_aware = datetime.fromisoformat(line.started).tzinfo is not None
        except ValueError:
            is_aware = False
        if not is_aware:
            raise Mismatch(f"started is {shown(line.started)}, no time of day with its time zone")
        self._header = line

    def _check_seeds(self, line: MatchLine, names: list[str]) -> None:
        expect("games", line.games, len(line.seeds))
        for game, seed in enumerate(line.seeds):
            try:
                is_seed = bytes.fromhex(seed).hex() == seed and len(seed) == 2 * SEED_BYTES
            except ValueError:
                is_seed = False
            if not is_seed:
                raise Mismatch(f"seeds[{game}] is {shown(seed)}, not {2 * SEED_BYTES} hex digits")
            if self._tournament_seed is not None:
                right = block_seed(self._tournament_seed, names, line.first_block + game).hex()
                expect(f"seeds[{game}] (of the tournament's seed)", seed, right)
        if len(set(line.seeds)) < len(line.seeds):
            raise Mismatch("seeds: two games have the same")

    def _take_game_line(self, number: int, line: DealLine | FaultLine | GameLine) -> None:
        out_of_match = {seat for seat in range(3) if self._seats[seat].is_out}
        match line:
            case DealLine():
                self._game(line.game).take_deal(line, out_of_match)
                self._deals += 1
                for seat, record in enumerate(self._seats):
                    record.asked += line.asked[seat]
                    record.ms += line.ms[seat]
            case FaultLine():
                self._take_fault(number, line)
            case GameLine():
                self._game(line.game).take_end(line, out_of_match)
                self._ended.add(line.game)

    def _take_fault(self, number: int, line: FaultLine) -> None:
        header = self._checked_header()
        _check_fault_alone(line)
        record = self._seats[line.seat]
        if record.is_out:
            raise Mismatch(f"seat {line.seat} is out of the match, it can't fault any more")
        is_match_over = line.game is None and line.kind == FaultKind.TIMEOUT
        replaced = sum(record.kinds[kind] for kind in _REPLACING)
        if line.kind in _REPLACING and replaced >= header.faults.restarts and line.out != "match":
            raise Mismatch(
                f'out is {shown(line.out)}; it must be "match": '
                f"all {header.faults.restarts} restarts were used before"
            )
        restarts = record.kinds.total() - record.kinds[FaultKind.ILLEGAL]
        if line.out == "match" and line.kind == FaultKind.ILLEGAL:
            raise Mismatch('out is "match"; an illegal answer costs a game at most')
        if line.out == "match" and not is_match_over and restarts < header.faults.restarts:
            raise Mismatch(
                f'out is "match"; that can\'t be: of {header.faults.restarts} restarts '
                f"at most {restarts} were used before"
            )
        if line.game is not None:
            self._game(line.game).take_fault(number, line, header.faults.per_game)
        record.kinds[line.kind] += 1
        if line.out == "match":
            record.is_out = True
            record.never_asked_from = len(self._ended) + header.tables

    def _game(self, number: int) -> GameCheck:
        """Give the check of a game that may go on; games start in order, `tables` at a time."""
        header = self._checked_header()
        if not 0 <= number < header.games:
            raise Mismatch(f"game is {number}; it must be from 0 to {header.games - 1}")
        if number in self._ended:
            raise Mismatch(f"game {number} has ended before")
        if number >= len(self._ended) + header.tables:
            raise Mismatch(
                f"game {number} can't have begun: {len(self._ended)} games have ended, "
                f"and {header.tables} are played at a time, in order"
            )
        if number not in self._games:
            self._games[number] = GameCheck(
                number,
                header.first_block + number,
                bytes.fromhex(header.seeds[number]),
                header.time.bank_ms,
                {
                    seat
                    for seat, record in enumerate(self._seats)
                    if record.is_out and number >= record.never_asked_from
                },
            )
        return self._games[number]

    def _take_end(self, line: EndLine, raw: bytes) -> None:
        header = self._checked_header()
        expect("match", line.match, header.match)
        expect("games", line.games, header.games)
        missing = sorted(set(range(header.games)) - self._ended - self._wrong)
        if missing:
            raise Mismatch(f"game {missing[0]} has no end")
        for seat, record in enumerate(self._seats):
            check_times(
                seat, line.times[seat], record.asked, record.ms, self._deals, not record.kinds
            )
        if line.lag_ms < 0:
            raise Mismatch(f"lag_ms is {line.lag_ms}; it must be 0 or more")
        self._sha256.update(checked_part(raw))
        expect("sha256", line.sha256, self._sha256.hexdigest())

    def _checked_header(self) -> MatchLine:
        if self._header is None:
            raise Mismatch("the match line is wrong", 1)
        return self._header


def _check_fault_alone(line: FaultLine) -> None:
    """Check what a fault line must be by itself."""
    if line.kind not in set(FaultKind):
        raise Mismatch(f"kind is {shown(line.kind)}; it must be one of {', '.join(FaultKind)}")
    if not line.detail:
        raise Mismatch("detail is empty")
    if line.out not in (None, "game", "match"):
        raise Mismatch(f'out is {shown(line.out)}; it must be null, "game" or "match"')
    nulls = {name for name in ("game", "deal", "prompt", "action") if getattr(line, name) is None}
    if len(nulls) not in (0, 4):
        raise Mismatch(f"{min(nulls)} is null; game, deal, prompt and action go together")
    if nulls and (line.kind == FaultKind.ILLEGAL or line.out == "game"):
        raise Mismatch("game is null; this fault needs a question that was open")
    if line.kind == FaultKind.ILLEGAL and line.answer is None:
        raise Mismatch("answer is null; an illegal one must be told")
    if line.kind not in (FaultKind.ILLEGAL, FaultKind.MALFORMED) and line.answer is not None:
        raise Mismatch(f"answer is {shown(line.answer)}; after a {line.kind} it must be null")
