"""Logs that several tests take apart."""

from __future__ import annotations

from pathlib import Path

import pytest

from log_maker import LogMaker
from thousand_referee.spec import FaultLimits


@pytest.fixture(scope="session")
def clean_log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished log without a fault."""
    return LogMaker(seed=3, games=2, tables=1).make(tmp_path_factory.mktemp("clean"))


@pytest.fixture(scope="session")
def eventful_log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished log with faults of every kind, seats out of a game and of the match."""
    limits = FaultLimits(per_game=2, restarts=1)
    maker = LogMaker(seed=468, games=2, tables=2, fault_rate=0.004, faults=limits)
    return maker.make(tmp_path_factory.mktemp("eventful"))
