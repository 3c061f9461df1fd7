"""Every field of every line of a log, changed: each change is seen, at the right line.

Each corruption is tried twice: by someone who forgets the checksum, and by a forger who
makes it right again. What only the checksum guards, a forger gets away with; the table
says so of each such field.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec
import pytest

from log_forger import read_values, write_raw, write_values
from thousand_referee.errors import LogError
from thousand_referee.matchlog.records import (
    DealLine,
    EndLine,
    FaultLine,
    GameLine,
    Line,
    MatchLine,
)
from thousand_referee.matchlog.verify import verify_log

Value = dict[str, Any]
Path_ = tuple[str | int, ...]
Change = Callable[[Any], Any]


@dataclass(frozen=True)
class Corruption:
    """A change to one field of the first line of a kind that fits.

    `seen` tells what finds it out: the line itself ("here"), the checksum alone, or
    the first later line that fits a description.
    """

    kind: str
    path: Path_
    change: Change
    seen: Literal["here", "checksum"] | Callable[[Value], bool] = "here"
    which: Callable[[Value], bool] = lambda value: True

    def __str__(self) -> str:
        return ".".join(map(str, (self.kind, *self.path)))


def to(value: Any) -> Change:
    return lambda _: value


def add(amount: float) -> Change:
    return lambda old: old + amount


def swapped(old: list[Any]) -> list[Any]:
    return [old[1], old[0], *old[2:]]


def scaled(histogram: Value) -> Value:
    """Shift all times up by three octaves, consistently."""
    counts = {str(int(bucket) + 12): count for bucket, count in histogram["counts"].items()}
    return {"worst_us": histogram["worst_us"] * 8, "counts": counts}


def is_fault(**fields: Any) -> Callable[[Value], bool]:
    return lambda value: value["type"] == "fault" and fields.items() <= value.items()


def is_deal(value: Value) -> bool:
    return value["type"] == "deal"


def is_second_crash(value: Value) -> bool:
    return is_fault(kind="crash", out="match")(value)


def marries(deal: Value) -> bool:
    return any(trick["marriage"] for trick in deal["tricks"][1:2])


def is_on_barrel(deal: Value) -> bool:
    return deal["barrel"][0] is not None


def is_not_won_by_2(game: Value) -> bool:
    return game["winners"] != [2]


MATCH = [
    Corruption("match", ("format",), to(0)),
    Corruption("match", ("format",), to(2)),
    Corruption("match", ("match",), add("x")),
    Corruption("match", ("tournament",), to("another")),
    Corruption("match", ("tournament",), to(""), "checksum"),
    Corruption("match", ("bots", 0, "name"), to("")),
    Corruption("match", ("bots", 0, "name"), to("zoe")),
    Corruption("match", ("bots", 0, "name"), to("boris")),
    Corruption("match", ("bots",), swapped),
    Corruption("match", ("bots", 1, "version"), to("")),
    Corruption("match", ("bots", 1, "version"), to("other"), "checksum"),
    Corruption("match", ("first_block",), to(-1)),
    Corruption("match", ("first_block",), add(1)),
    Corruption("match", ("games",), add(1)),
    Corruption("match", ("games",), add(-1)),
    Corruption("match", ("time", "move_ms"), to(0)),
    Corruption("match", ("time", "move_ms"), to(999), "checksum"),
    Corruption("match", ("time", "bank_ms"), to(-1)),
    Corruption("match", ("time", "bank_ms"), to(8_000), lambda value: is_fault()(value)),
    Corruption("match", ("time", "connect_ms"), to(0)),
    Corruption("match", ("time", "connect_ms"), to(1), "checksum"),
    Corruption("match", ("time", "match_ms"), to(-5)),
    Corruption("match", ("time", "match_ms"), to(5), "checksum"),
    Corruption("match", ("faults", "per_game"), to(0)),
    Corruption("match", ("faults", "per_game"), add(1), is_fault(out="game")),
    Corruption("match", ("faults", "per_game"), add(-1), is_fault()),
    Corruption("match", ("faults", "restarts"), to(-1)),
    Corruption("match", ("faults", "restarts"), to(0), is_fault(kind="crash")),
    Corruption("match", ("faults", "restarts"), to(9), is_second_crash),
    Corruption("match", ("rules", "target"), add(1)),
    Corruption("match", ("rules", "deals"), add(-1)),
    Corruption("match", ("seeds", 0), lambda old: old[:-1]),
    Corruption("match", ("seeds", 0), lambda old: old.upper()),
    Corruption("match", ("seeds", 0), lambda old: "zz" + old[2:]),
    Corruption("match", ("seeds", 0), lambda old: " " + old[1:]),
    Corruption("match", ("seeds", 0), to("0" * 32), lambda value: value.get("game") == 0),
    Corruption("match", ("seeds",), lambda old: [old[0], old[0], *old[2:]]),
    Corruption("match", ("seeds",), swapped, is_deal),
    Corruption("match", ("tables",), to(0)),
    Corruption("match", ("tables",), to(1), lambda value: value.get("game") == 1),
    Corruption("match", ("tables",), to(3), "checksum"),
    Corruption("match", ("started",), to("yesterday")),
    Corruption("match", ("started",), to("2026-01-02T03:04:05")),
    Corruption("match", ("started",), to("2027-01-02T03:04:05+00:00"), "checksum"),
]

DEAL = [
    Corruption("deal", ("game",), to(7)),
    Corruption("deal", ("game",), to(-1)),
    Corruption("deal", ("game",), lambda old: 1 - old),
    Corruption("deal", ("deal",), to(0)),
    Corruption("deal", ("deal",), add(1)),
    Corruption("deal", ("deal",), to(10**30)),
    Corruption("deal", ("dealer",), lambda old: (old + 1) % 3),
    Corruption("deal", ("hands", 0, 0), to("XX")),
    Corruption("deal", ("hands", 0), swapped),
    Corruption("deal", ("hands", 1), lambda old: old[:-1]),
    Corruption("deal", ("hands",), swapped),
    Corruption("deal", ("talon",), swapped),
    Corruption("deal", ("talon", 2), to("")),
    Corruption("deal", ("bids", 0, 0), lambda old: (old + 1) % 3),
    Corruption("deal", ("bids", 0, 1), to(None)),
    Corruption("deal", ("bids", 0, 1), add(1)),
    Corruption("deal", ("bids", 0, 1), to(10**30)),
    Corruption("deal", ("bids",), lambda old: old[:-1]),
    Corruption("deal", ("bids",), lambda old: [*old, [0, None]]),
    Corruption("deal", ("bids",), to([])),
    Corruption("deal", ("declarer",), lambda old: (old + 1) % 3),
    Corruption("deal", ("declarer",), to(-2)),
    Corruption("deal", ("gifts",), swapped),
    Corruption("deal", ("gifts", 0), to("ZZ")),
    Corruption("deal", ("contract",), add(5)),
    Corruption("deal", ("contract",), add(-5)),
    Corruption("deal", ("contract",), to(10**30)),
    Corruption("deal", ("tricks",), lambda old: old[:-1]),
    Corruption("deal", ("tricks",), lambda old: [*old, old[0]]),
    Corruption("deal", ("tricks", 3, "lead"), lambda old: (old + 1) % 3),
    Corruption("deal", ("tricks", 3, "lead"), add(3)),
    Corruption("deal", ("tricks", 3, "cards"), swapped),
    Corruption("deal", ("tricks", 3, "cards", 0), to("as")),
    Corruption("deal", ("tricks", 0, "marriage"), to(True)),
    Corruption("deal", ("tricks", 1, "marriage"), to(False), which=marries),
    Corruption("deal", ("points", 0), add(1)),
    Corruption("deal", ("points",), lambda old: [old[1], old[2], old[0]]),
    Corruption("deal", ("scores", 1), add(5)),
    Corruption("deal", ("barrel", 0), to(2)),
    Corruption("deal", ("barrel", 0), to(None), which=is_on_barrel),
    Corruption("deal", ("asked", 0), add(1)),
    Corruption("deal", ("asked", 2), add(-1)),
    Corruption("deal", ("asked", 1), to(-1)),
    Corruption("deal", ("ms", 0), to(-0.5)),
    Corruption("deal", ("ms", 0), add(0.125), "checksum"),
]

GAME = [
    Corruption("game", ("game",), lambda old: 2 if old != 2 else 1),
    Corruption("game", ("game",), to(3)),
    Corruption("game", ("block",), add(1)),
    Corruption("game", ("places",), swapped),
    Corruption("game", ("places", 0), lambda old: old % 3 + 1),
    Corruption("game", ("winners",), to([])),
    Corruption("game", ("winners",), to([2]), which=is_not_won_by_2),
    Corruption("game", ("scores", 0), add(5)),
    Corruption("game", ("deals",), add(1)),
    Corruption("game", ("out",), lambda old: [0] if old != [0] else []),
    Corruption("game", ("out",), lambda old: [*old, 3]),
]

FAULT = [
    Corruption("fault", ("game",), to(None)),
    Corruption("fault", ("game",), lambda old: 1 - old),
    Corruption("fault", ("deal",), to(None)),
    Corruption("fault", ("deal",), add(1)),
    Corruption("fault", ("seat",), to(3)),
    Corruption("fault", ("seat",), lambda old: (old + 1) % 3),
    Corruption("fault", ("kind",), to("sloth")),
    Corruption("fault", ("kind",), to("illegal"), which=is_fault(kind="crash")),
    Corruption("fault", ("kind",), to("timeout"), which=is_fault(kind="illegal")),
    Corruption("fault", ("kind",), to("malformed"), "checksum", is_fault(kind="illegal")),
    Corruption("fault", ("detail",), to("")),
    Corruption("fault", ("detail",), to("other words"), "checksum"),
    Corruption("fault", ("prompt",), to(None)),
    Corruption("fault", ("prompt",), to({})),
    Corruption("fault", ("prompt", "hand"), swapped),
    Corruption("fault", ("prompt", "seat"), lambda old: float(old)),
    Corruption("fault", ("prompt", "points", 0), add(1)),
    Corruption("fault", ("prompt", "bank_ms"), to(-1)),
    Corruption("fault", ("prompt", "bank_ms"), to(True)),
    Corruption("fault", ("prompt", "bank_ms"), to(10_001)),
    Corruption("fault", ("prompt", "bank_ms"), to(1), "checksum"),
    Corruption("fault", ("prompt", "decision"), to("sleep")),
    Corruption("fault", ("prompt",), lambda old: {**old, "more": 1}),
    Corruption("fault", ("answer",), to("x"), which=is_fault(kind="timeout")),
    Corruption("fault", ("answer",), to(None), which=is_fault(kind="illegal")),
    Corruption("fault", ("answer",), to("x"), "checksum", is_fault(kind="malformed")),
    Corruption("fault", ("action",), to("pass")),
    Corruption("fault", ("action",), to(None)),
    Corruption("fault", ("out",), to("bounds")),
    Corruption("fault", ("out",), to("game"), which=is_fault(out=None)),
    Corruption("fault", ("out",), to("match"), which=is_fault(out=None, kind="illegal")),
    Corruption("fault", ("out",), to(None), which=is_fault(out="game")),
    Corruption("fault", ("out",), to(None), which=is_fault(out="match")),
]

END = [
    Corruption("end", ("match",), add("x")),
    Corruption("end", ("games",), add(1)),
    Corruption("end", ("times", 0, "worst_us"), add(10**9)),
    Corruption("end", ("times", 0, "worst_us"), to(-1)),
    Corruption("end", ("times", 0, "worst_us"), to(10**400)),
    Corruption("end", ("times", 0, "counts"), to({})),
    Corruption("end", ("times", 0, "counts"), lambda old: {**old, "999999999": 1}),
    Corruption("end", ("times", 0, "counts"), lambda old: {**old, "04": 1}),
    Corruption("end", ("times", 0), lambda old: {**old, "more": 1}),
    Corruption("end", ("times", 0), to({})),
    Corruption("end", ("lag_ms",), to(-1.0)),
    Corruption("end", ("lag_ms",), to(2.5), "checksum"),
]

CHECKSUM = Corruption("end", ("sha256",), to("0" * 64))

ALL = [*MATCH, *DEAL, *GAME, *FAULT, *END, CHECKSUM]


def corrupted(values: list[Value], corruption: Corruption) -> tuple[list[Value], int]:
    """Give the log with the corruption, and the line that must be named, if one can be."""
    values = copy.deepcopy(values)
    index = next(
        index
        for index, value in enumerate(values)
        if value["type"] == corruption.kind and corruption.which(value)
    )
    *parents, last = corruption.path
    holder: Any = values[index]
    for key in parents:
        holder = holder[key]
    before = copy.deepcopy(holder[last])
    holder[last] = corruption.change(before)
    assert holder[last] != before or type(holder[last]) is not type(before)
    if callable(corruption.seen):
        index = next(i for i in range(index + 1, len(values)) if corruption.seen(values[i]))
    return values, index + 1


@pytest.mark.parametrize("corruption", ALL, ids=str)
def test_a_changed_field_is_found_out(
    corruption: Corruption, eventful_log: Path, tmp_path: Path
) -> None:
    values, line = corrupted(read_values(eventful_log), corruption)
    path = write_values(tmp_path / eventful_log.name, values, forged=False)
    with pytest.raises(LogError) as caught:
        verify_log(path)
    assert caught.value.line == (len(values) if corruption.seen == "checksum" else line)
    assert caught.value.file == str(path)


@pytest.mark.parametrize("corruption", ALL[:-1], ids=str)
def test_a_forger_is_found_out_where_the_figure_can_be_redone(
    corruption: Corruption, eventful_log: Path, tmp_path: Path
) -> None:
    values, line = corrupted(read_values(eventful_log), corruption)
    path = write_values(tmp_path / eventful_log.name, values, forged=True)
    if corruption.seen == "checksum":
        verify_log(path)  # nothing else can tell
        return
    with pytest.raises(LogError) as caught:
        verify_log(path)
    assert caught.value.line == line


@pytest.mark.parametrize(
    ("path", "change", "name"),
    [
        (("asked", 1), add(-1), "asked[1]"),
        (("ms", 1), add(500_000), "times[1]"),
        (("ms", 1), to(0.0), "times[1]"),
    ],
)
def test_figures_of_seats_without_faults_must_fit_exactly(
    path: Path_, change: Change, name: str, clean_log: Path, tmp_path: Path
) -> None:
    values = read_values(clean_log)
    deals = [value for value in values if value["type"] == "deal"]
    for deal in deals if change(1.0) == 0 else deals[:1]:
        deal[path[0]][path[1]] = change(deal[path[0]][path[1]])
    with pytest.raises(LogError) as caught:
        verify_log(write_values(tmp_path / clean_log.name, values, forged=True))
    assert caught.value.problem.startswith(name)


@pytest.mark.parametrize("change", [scaled, to({"worst_us": 0, "counts": {}})], ids=["more", "no"])
def test_times_of_seats_without_faults_must_fit_the_deals(
    change: Change, clean_log: Path, tmp_path: Path
) -> None:
    values = read_values(clean_log)
    values[-1]["times"][2] = change(values[-1]["times"][2])
    with pytest.raises(LogError, match=r"times\[2\]") as caught:
        verify_log(write_values(tmp_path / clean_log.name, values, forged=True))
    assert caught.value.line == len(values)


def field_paths(struct: type, prefix: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield the names that lead to each field of a line, without places in lists."""
    for name, hint in get_type_hints(struct).items():
        inner = [hint, *get_args(hint)]
        structs = [each for each in inner if isinstance(each, type) and is_struct(each)]
        if structs:
            yield from field_paths(structs[0], (*prefix, name))
        else:
            yield (*prefix, name)


def is_struct(hint: type) -> bool:
    return get_origin(hint) is None and issubclass(hint, msgspec.Struct)


def test_the_table_has_every_field_of_every_line() -> None:
    kinds = {"match": MatchLine, "deal": DealLine, "fault": FaultLine, "game": GameLine}
    kinds["end"] = EndLine
    assert set(kinds.values()) == set(get_args(Line))
    fields = {(kind, *path) for kind, line in kinds.items() for path in field_paths(line)}
    tried = {(each.kind, *(p for p in each.path if isinstance(p, str))) for each in ALL}
    assert {field for field in fields if not any(t[: len(field)] == field for t in tried)} == set()


KEYS = [
    (kind, key)
    for kind, line in zip(("match", "deal", "fault", "game", "end"), get_args(Line), strict=True)
    for key in ("type", *line.__struct_fields__)
]


@pytest.mark.parametrize(("kind", "key"), KEYS)
@pytest.mark.parametrize("how", ["missing", "wrong type", "twice", "unknown", "moved"])
def test_every_key_stands_there_once_with_a_value_of_its_type(
    how: str, kind: str, key: str, eventful_log: Path, tmp_path: Path
) -> None:
    values = read_values(eventful_log)
    index = next(index for index, value in enumerate(values) if value["type"] == kind)
    value = values[index]
    pairs = [(name, each) for name, each in value.items() if name != key]
    place = list(value).index(key)
    if how == "twice":
        pairs.insert(place, (key, value[key]))
        pairs.insert(place, (key, value[key]))
    elif how == "wrong type":
        pairs.insert(place, (key, {"a": [1.5]} if key != "prompt" else "text"))
    elif how == "unknown":
        pairs.insert(place, (key + "2", value[key]))
        pairs.insert(place, (key, value[key]))
    elif how == "moved":
        pairs.insert(0 if place else len(pairs), (key, value[key]))
        if place == 1:
            pairs.reverse()
    lines = [msgspec.json.encode(each) + b"\n" for each in values]
    spelled = (msgspec.json.encode(k) + b":" + msgspec.json.encode(v) for k, v in pairs)
    lines[index] = b"{" + b",".join(spelled) + b"}\n"
    forged = kind != "end"
    with pytest.raises(LogError) as caught:
        verify_log(write_raw(tmp_path / eventful_log.name, lines, forged=forged))
    assert caught.value.line == index + 1
