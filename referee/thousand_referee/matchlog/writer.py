"""Writing a match log: line by line while the match runs, compressed when it is over."""

from __future__ import annotations

import gzip
import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Final, Self

import msgspec

from thousand.cards import cards_in, text_of
from thousand.rules import Deal, Game
from thousand_referee.errors import DataError
from thousand_referee.matchlog.records import DealLine, EndLine, Line, MatchLine, TrickLine

RUNNING_SUFFIX: Final = ".jsonl"
FINISHED_SUFFIX: Final = ".jsonl.gz"

_LEVEL: Final = 6
"""Of compression: the last percents that higher ones gain cost four times the time."""

_encoder: Final = msgspec.json.Encoder()


class LogWriter:
    """The log of one match being played; `DataError` when the disk doesn't take it.

    It lies in `folder` as ``MATCH.jsonl`` until `finish` makes it ``MATCH.jsonl.gz``.
    As a context manager it deletes a log that was not finished inside the block.
    """

    def __init__(self, folder: Path, header: MatchLine) -> None:
        """Begin the log, in place of an unfinished one of an earlier try."""
        self.path: Final = folder / (header.match + RUNNING_SUFFIX)
        self._finished: Final = folder / (header.match + FINISHED_SUFFIX)
        self._temporary: Final = folder / (header.match + FINISHED_SUFFIX + ".tmp")
        self._match: Final = header.match
        self._sha256: Final = sha256()
        with _writing(self.path):
            folder.mkdir(parents=True, exist_ok=True)
            # A new file, not the old one emptied: a lost worker may still write to that.
            self.path.unlink(missing_ok=True)
            self._file: BinaryIO = self.path.open("x+b")
        try:
            self.write(header)
        except BaseException:
            self.abandon()
            raise

    def write(self, *lines: Line) -> None:
        """Append lines and hand them to the operating system."""
        data = _encoded(lines)
        with _writing(self.path):
            self._file.write(data)
            self._file.flush()
        self._sha256.update(data)

    def finish(
        self,
        games: int,
        times: tuple[dict[str, Any], dict[str, Any], dict[str, Any]],
        lag_ms: float,
    ) -> Path:
        """Write the end line, compress, and give the path of the finished log.

        `times` are the histograms of charged time by seat, `lag_ms` the referee's own
        longest lag in milliseconds. The finished log appears whole or not at all.
        """
        end = EndLine(
            match=self._match, games=games, times=times, lag_ms=round(float(lag_ms), 3), sha256=""
        )
        self._sha256.update(checked_part(_encoded([end])))
        self.write(msgspec.structs.replace(end, sha256=self._sha256.hexdigest()))
        with _writing(self._finished):
            self._compress()
            self._temporary.replace(self._finished)
            _sync_folder(self._finished.parent)
            self._file.close()
            self.path.unlink(missing_ok=True)
        return self._finished

    def abandon(self) -> None:
        """Close and delete the log; nothing happens when it is finished."""
        if self._file.closed:
            return
        # What can't be deleted does no harm: the next try replaces it.
        with suppress(OSError):
            self._file.close()
        for path in (self.path, self._temporary):
            with suppress(OSError):
                path.unlink(missing_ok=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.abandon()

    def _compress(self) -> None:
        self._file.seek(0)
        with self._temporary.open("wb") as raw:
            # Neither name nor time of day: the same match makes the same file.
            with gzip.GzipFile("", "wb", _LEVEL, raw, mtime=0) as packed:
                shutil.copyfileobj(self._file, packed)
            raw.flush()
            os.fsync(raw.fileno())


def _encoded(lines: Sequence[Line]) -> bytes:
    """Encode lines; what no UTF-8 can hold, as in names of files, is written as ``\\udc80``."""
    try:
        return _encoder.encode_lines(lines)
    except UnicodeEncodeError:
        return _encoder.encode_lines([_printable(msgspec.to_builtins(line)) for line in lines])


def _printable(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, dict):
        return {_printable(key): _printable(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_printable(each) for each in value]
    return value


def checked_part(end: bytes) -> bytes:
    """Give the bytes of an end line that its checksum covers: those before it."""
    return end[: end.rindex(b',"sha256":')]


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    """Translate the operating system's errors, once."""
    try:
        yield
    except OSError as error:
        raise DataError(
            f"can't write the match log {path}: {error.strerror or error}; "
            "free some space there, or choose a data folder that can be written"
        ) from error


def _sync_folder(folder: Path) -> None:
    """Make a renaming in this folder outlast a power cut."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def deal_line(
    game_number: int, deal: Deal, after: Game, asked: Sequence[int], ms: Sequence[float]
) -> DealLine:
    """Describe a deal that is over; `after` is the game's state once it is settled.

    `asked` and `ms` are by seat: decisions asked, and milliseconds charged, which are
    written to the microsecond. ValueError when the deal is not over.
    """
    outcome = deal.outcome
    first_hand, second_hand, third_hand = (tuple(text_of(cards_in(hand))) for hand in deal.dealt)
    to_left, to_right = text_of(deal.gifts)
    first_asked, second_asked, third_asked = asked
    first_ms, second_ms, third_ms = (round(float(each), 3) for each in ms)
    return DealLine(
        game=game_number,
        deal=after.deals,
        dealer=deal.dealer,
        hands=(first_hand, second_hand, third_hand),
        talon=tuple(text_of(deal.talon)),
        bids=tuple(deal.bids),
        declarer=outcome.declarer,
        gifts=(to_left, to_right),
        contract=outcome.contract,
        tricks=_trick_lines(deal),
        points=outcome.points,
        scores=after.scores,
        barrel=after.barrel,
        asked=(first_asked, second_asked, third_asked),
        ms=(first_ms, second_ms, third_ms),
    )


def _trick_lines(deal: Deal) -> tuple[TrickLine, ...]:
    cards = text_of(deal.played)
    tricks = zip(cards[::3], cards[1::3], cards[2::3], strict=True)
    return tuple(map(TrickLine, deal.leads, tricks, deal.announced))
