from __future__ import annotations

from pathlib import Path

import pytest

from server_kills import run_and_kill


@pytest.mark.study
def test_two_kills_lose_nothing_and_double_nothing(tmp_path: Path) -> None:
    run_and_kill(tmp_path, kills=2, seed=3, submissions=1)
