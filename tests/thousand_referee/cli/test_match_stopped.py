"""A single match that is stopped can't be gone on with: it says so, and leaves no log."""

from __future__ import annotations

import signal
from pathlib import Path

from arena_runs import EXAMPLE_BOTS, has_begun, start, wait_until


def test_a_match_that_is_stopped_twice_leaves_no_log(tmp_path: Path) -> None:
    bots = [EXAMPLE_BOTS / "random"] * 3
    running = start("match", *bots, "--games", "10000", "--data", tmp_path / "data")
    try:
        assert wait_until(lambda: has_begun(tmp_path / "data"))
        running.send_signal(signal.SIGINT)
        assert running.stderr is not None
        while not running.stderr.readline().startswith("finishing the match; press Ctrl-C again"):
            assert running.poll() is None
        running.send_signal(signal.SIGINT)
        _, errors = running.communicate(timeout=30)
    finally:
        running.kill()
        running.wait()
    assert running.returncode == 130
    assert errors.strip().splitlines()[0] == "stopped at once; nothing is kept of the match"
    assert not list((tmp_path / "data" / "logs" / "_matches").iterdir())
