"""A real Dask cluster for tests: a scheduler and workers in processes of their own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from arena_runs import wait_until

DASK = [str(Path(sys.executable).parent / "dask")]
QUIET = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


class Cluster:
    """A scheduler, and workers that come and go."""

    def __init__(self, folder: Path, port: str = "0") -> None:
        folder.mkdir(exist_ok=True)
        self._folder = folder
        self._file = folder / "scheduler.json"
        self._scheduler = self._run(
            "scheduler", "--host", "127.0.0.1", "--port", port, "--no-dashboard"
        )
        assert wait_until(self._is_there, 30)
        self.address: str = json.loads(self._file.read_text())["address"]
        self.workers: list[subprocess.Popen[bytes]] = []

    def _is_there(self) -> bool:
        try:
            return bool(json.loads(self._file.read_text()))
        except (OSError, ValueError):
            return False

    def add_worker(self, *options: str) -> None:
        self.workers.append(
            self._run(
                *("worker", "--nthreads", "1", "--no-nanny", "--no-dashboard"),
                *("--local-directory", str(self._folder), "--host", "127.0.0.1"),
                *options,
            )
        )

    def stop(self) -> None:
        for process in (*self.workers, self._scheduler):
            process.kill()
            process.wait()

    def _run(self, *words: str) -> subprocess.Popen[bytes]:
        command = [*DASK, *words, "--scheduler-file", str(self._file)]
        return subprocess.Popen(command, **QUIET)  # type: ignore[call-overload,no-any-return]
