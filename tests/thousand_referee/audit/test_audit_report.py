"""What an audit tells of signs that luck explains, and how figures are written."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from thousand_referee.audit.auditor import Audit, BotFigures
from thousand_referee.audit.collusion import CollusionReport, Help, Margin
from thousand_referee.audit.report import audit_json, audit_lines


def sign(helped: str, p: float, help_: float = 1.0) -> Help:
    return Help(helped, "z", Margin.POINTS, help_, 0.5, p, None, 20)


def audit(
    *strongest: Help, notes: tuple[str, ...] = (), faults: str = "", output: Path = Path("/no")
) -> Audit:
    bots = {"anna": BotFigures(faults=Counter(faults.split()))}
    return Audit(
        tournament="t", matches=6, games=6, blocks=1, move_ms=None, bots=bots, output=output,
         lag=None, voids=(), wrong_logs=(), stray_logs=(),
        collusion=CollusionReport((), strongest, 12), suspicious=(), troubles=(), notes=notes,
    )  # fmt: skip


def test_signs_that_luck_explains_are_told_only_on_request() -> None:
    found = audit(sign("anna", 0.03), sign("boris", 0.2, -0.01))
    told = "\n".join(audit_lines(found))
    assert "anna with z there: +1.0 ± 1.0 points a deal" in told
    assert "boris" not in told
    verbose = "\n".join(audit_lines(found, verbose=True))
    assert "boris with z there: 0.0 ± 1.0 points a deal" in verbose
    assert [each["helped"] for each in audit_json(found)["collusion"]["strongest"]] == [
        "anna", "boris",
    ]  # fmt: skip
    assert "signs" not in "\n".join(audit_lines(audit(sign("boris", 0.2))))


def test_a_busy_machine_is_no_trouble() -> None:
    lines = list(audit_lines(audit(notes=("the machine was busy",))))
    assert lines[0].startswith("t: nothing suspicious (6 games")
    assert lines[1] == "  note: the machine was busy"


def test_where_bots_crashed_the_folder_of_what_they_printed_is_named(tmp_path: Path) -> None:
    line = f"  what they printed: {tmp_path}, a folder for each match"
    assert line in audit_lines(audit(faults="timeout crash", output=tmp_path))
    assert line not in audit_lines(audit(faults="timeout", output=tmp_path))
    gone = audit_lines(audit(faults="crash", output=tmp_path / "gone"))
    assert not any("what they printed" in each for each in gone)
