"""An audit as people read it, conclusions first, and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any, Final

from thousand_referee.audit.auditor import LAG_SHARES, Audit, BotFigures
from thousand_referee.audit.collusion import FEWEST_BLOCKS, LEVEL, SMALLEST_HELP, Help, Margin
from thousand_referee.bot_output import PROCESS_FAULTS, near_path
from thousand_referee.text import printable

_WORTH_TELLING: Final = 0.05
"""A sign that is likelier than so by luck alone is no news."""
_LISTED: Final = 20
"""Of a long list, so many are printed; JSON has all."""


def audit_lines(audit: Audit, *, verbose: bool = False) -> Iterator[str]:
    """Yield the report line by line, safe to print.

    Signs of collusion that are nothing out of the ordinary are told if it is `verbose`.
    """
    yield f"{_verdict(audit)} ({audit.games:,} games in {audit.matches:,} matches)"
    for text in audit.suspicious:
        yield f"  suspicious: {printable(text)}"
    for text in audit.troubles:
        yield f"  trouble: {printable(text)}"
    for text in audit.notes:
        yield f"  note: {printable(text)}"
    yield ""
    yield from _bot_lines(audit)
    yield ""
    yield from _machine_lines(audit)
    yield from _collusion_lines(audit, verbose)


def _verdict(audit: Audit) -> str:
    name = printable(audit.tournament)
    if audit.suspicious:
        return f"{name}: look into this"
    if audit.troubles:
        return f"{name}: nothing suspicious, but not all went well"
    return f"{name}: nothing suspicious"


def _bot_lines(audit: Audit) -> Iterator[str]:
    header = ("bot", "decisions", "faults", "in 1,000", "too slow", "median ms", "p99", "worst")
    rows: list[tuple[str, ...]] = [header]
    rows += [_bot_row(name, figures) for name, figures in audit.bots.items()]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for cells in rows:
        first, *others = cells
        yield "  ".join(
            [first.ljust(widths[0])]
            + [cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True)]
        )
    for name, figures in audit.bots.items():
        if figures.faults:
            kinds = ", ".join(
                f"{count:,} {kind} ({figures.rate(count):.2f} in 1,000)"
                for kind, count in sorted(figures.faults.items())
            )
            yield f"  {printable(name)}: {kinds}"
    failed = any(PROCESS_FAULTS & figures.faults.keys() for figures in audit.bots.values())
    if failed and audit.output.is_dir():
        yield f"  what they printed: {near_path(audit.output)}, a folder for each match"


def _bot_row(name: str, figures: BotFigures) -> tuple[str, ...]:
    times = figures.times
    return (
        printable(name),
        f"{figures.asked:,}",
        f"{figures.faults.total():,}",
        f"{figures.rate(figures.faults.total()):.2f}",
        f"{figures.slow:,}",
        *(
            "—" if value is None else f"{value:.2f}" if value < 10 else f"{value:,.0f}"
            for value in (times.quantile(0.5), times.quantile(0.99), times.worst_ms)
        ),
    )


def _machine_lines(audit: Audit) -> Iterator[str]:
    if audit.lag is not None:
        named = ("median", "90%", "99%", "worst")
        texts = [
            f"{name} {value:,.0f}"
            for name, value in zip(named, audit.lag.quantiles_ms, strict=True)
        ]
        yield (
            f"referee's lag by match, ms: {', '.join(texts)} "
            f"(in {printable(audit.lag.worst_match)})"
        )
    yield f"void matches: {len(audit.voids)}"
    yield from _some([f"{void.at} {void.match}: {void.reason}" for void in reversed(audit.voids)])
    yield f"logs: {audit.matches:,} verified, {len(audit.wrong_logs):,} wrong or missing"
    yield from _some([*audit.wrong_logs, *(f"{name}: stray" for name in audit.stray_logs)])


def _some(texts: list[str]) -> Iterator[str]:
    for text in texts[:_LISTED]:
        yield f"  {printable(text)}"
    if len(texts) > _LISTED:
        yield f"  and {len(texts) - _LISTED:,} more: see --json"


def _collusion_lines(audit: Audit, verbose: bool) -> Iterator[str]:
    report = audit.collusion
    if not report.tests:
        yield (
            f"collusion: nothing can be said with fewer than four bots, or fewer than "
            f"{FEWEST_BLOCKS} complete blocks of each trio"
        )
        return
    yield (
        f"collusion: {report.tests} tests over {audit.blocks:,} blocks, corrected by Holm: at "
        f"most {LEVEL:.0%} of clean tournaments have anyone accused. Help up to "
        f"{SMALLEST_HELP[Margin.POINTS]:g} points a deal or {SMALLEST_HELP[Margin.PLACES]:.0%} of "
        "games passes for habit."
    )
    signs = [each for each in report.strongest if verbose or each.p < _WORTH_TELLING]
    if report.accused:
        yield "  accused:"
        yield from (f"    {_help_text(each)}" for each in report.accused)
    if signs:
        yield "  the strongest signs, which prove nothing:"
        yield from (f"    {_help_text(each)}" for each in signs)


def _help_text(help_: Help) -> str:
    if help_.margin is Margin.POINTS:
        size = f"{_signed(help_.help)} ± {2 * help_.error:.1f} points a deal"
    else:
        size = f"{_signed(100 * help_.help)} ± {200 * help_.error:.1f}% of games"
    chance = f"p {help_.p:.2g}"
    if help_.corrected is not None:
        chance += f", corrected {help_.corrected:.2g}"
    return (
        f"{printable(help_.helped)} with {printable(help_.helper)} there: {size} "
        f"({chance}; {help_.blocks} blocks)"
    )


def _signed(value: float) -> str:
    """Write a figure with its sign, but nothing as ``0.0``."""
    rounded = round(value, 1)
    return f"{rounded:+.1f}" if rounded else "0.0"


def audit_json(audit: Audit) -> dict[str, Any]:
    """Give the audit as plain values."""
    return {
        "tournament": audit.tournament,
        "suspicious": list(audit.suspicious),
        "troubles": list(audit.troubles),
        "notes": list(audit.notes),
        "matches": audit.matches,
        "games": audit.games,
        "blocks": audit.blocks,
        "bots": {
            name: {
                "decisions": figures.asked,
                "faults": dict(figures.faults),
                "too_slow": figures.slow,
                "median_ms": figures.times.quantile(0.5),
                "p99_ms": figures.times.quantile(0.99),
                "worst_ms": figures.times.worst_ms,
            }
            for name, figures in audit.bots.items()
        },
        "lag_ms": None
        if audit.lag is None
        else {
            "quantiles": dict(zip(map(str, LAG_SHARES), audit.lag.quantiles_ms, strict=True)),
            "worst_match": audit.lag.worst_match,
        },
        "voids": [
            {"match": void.match, "bots": void.bots, "reason": void.reason, "at": void.at}
            for void in audit.voids
        ],
        "wrong_logs": list(audit.wrong_logs),
        "stray_logs": list(audit.stray_logs),
        "collusion": asdict(audit.collusion),
    }
