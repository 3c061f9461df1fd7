"""How long calls to an arena server take while it checks bots, plays matches and fits.

    python tests/benchmarks/server_response.py [SECONDS]

One client calls methods that read the database, another asks for standings, a third
submits bots. The percentiles are of the first one's calls, in milliseconds; the same
without the others' load first.
"""

from __future__ import annotations

import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from arena_server import ArenaServer, arena_server, bot_folder, open_tournament
from thousand.v1 import arena_pb2 as pb


def main() -> None:
    """Print two lines."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 20.0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        file = open_tournament(folder, "cautious", "random", blocks=1_000)
        with arena_server(folder, tournaments=(file,), limits="waiting = 90\n") as server:
            server.add_user("anna")
            server.start()
            print(f"idle:  {measure(server, seconds / 4)}", flush=True)
            stopping = threading.Event()
            loads = [
                threading.Thread(target=load, args=(server, stopping))
                for load in (submitting(folder), asking)
            ]
            for thread in loads:
                thread.start()
            time.sleep(3)
            print(f"busy:  {measure(server, seconds)}", flush=True)
            stopping.set()
            for thread in loads:
                thread.join()
            server.stop()


def measure(server: ArenaServer, seconds: float) -> str:
    """Call for so long; spell the percentiles."""
    times = []
    end = time.monotonic() + seconds
    with server.client("anna") as client:
        while time.monotonic() < end:
            began = time.perf_counter()
            client.call("GetTournament", pb.GetTournamentRequest(tournament="open"))
            times.append((time.perf_counter() - began) * 1000)
            time.sleep(0.01)
    times.sort()
    spelled = [f"p{share} {times[len(times) * share // 100]:.1f} ms" for share in (50, 90, 99)]
    return f"{len(times)} calls, {', '.join(spelled)}, worst {times[-1]:.1f} ms"


def submitting(folder: Path) -> Callable[[ArenaServer, threading.Event], None]:
    """Submit one bot after the other, and enter each."""

    def run(server: ArenaServer, stopping: threading.Event) -> None:
        number = 0
        with server.client("anna") as client:
            while not stopping.is_set():
                number += 1
                bot = bot_folder(folder, f"ace{number}", extra=str(number))
                client.submit(bot, tournament="open")
                stopping.wait(3)

    return run


def asking(server: ArenaServer, stopping: threading.Event) -> None:
    """Ask for standings again and again."""
    with server.client("anna") as client:
        while not stopping.is_set():
            client.call("GetStandings", pb.GetStandingsRequest(tournament="open"))
            stopping.wait(0.2)


if __name__ == "__main__":
    main()
