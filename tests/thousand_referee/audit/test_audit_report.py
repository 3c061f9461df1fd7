"""What an audit tells of signs that luck explains, and how figures are written."""

from __future__ import annotations

from pathlib import Path

from thousand_referee.audit.auditor import Audit
from thousand_referee.audit.collusion import CollusionReport, Help, Margin
from thousand_referee.audit.report import audit_json, audit_lines


def sign(helped: str, p: float, help_: float = 1.0) -> Help:
    return Help(helped, "z", Margin.POINTS, help_, 0.5, p, None, 20)


def audit(*strongest: Help, notes: tuple[str, ...] = ()) -> Audit:
    return Audit(
        tournament="t", matches=6, games=6, blocks=1, move_ms=None, bots={},
        output=Path("/nowhere"), lag=None, voids=(), wrong_logs=(), stray_logs=(),
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
