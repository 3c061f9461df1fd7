"""How quickly pages come while many look at a large tournament that is being played.

    python tests/benchmarks/page_load.py [GAMES] [--clients 200] [--seconds 60]

A store with made-up results of so many games between 100 bots (100,000 unless told) and a
small tournament with real logs are served by uvicorn in a process of its own. Meanwhile a
match is entered every second, so that standings are fitted again and again. Of the clients,
120 of 200 keep the standings open, and poll them every 3 s with the tag of what they have,
as `live.js` does; the others open a page every 2 to 6 s. Each has a connection of its own.
It prints, for each kind of page, requests, bytes and the p50, p99 and worst of the times to
the whole answer, in milliseconds, as the clients see them; they share the machine's
processors with the server. The first ten seconds, in which all 200 arrive at a server that has
just started and has no ratings yet, are summed up apart.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import os
import random
import sys
import tempfile
import threading
import time
from collections import defaultdict
from itertools import islice
from pathlib import Path
from typing import Any

import httpx2

sys.path.insert(0, str(Path(__file__).parents[1]))

from million_games import PLAYED, _spec, fill, summary_of, tournament_of

from thousand_referee.tournament import open_arena
from thousand_referee.tournament_file import TournamentFile
from thousand_referee.web import queries
from thousand_referee.web.app import make_app
from web_arena import make_tournament

POLL_SECONDS = 3.0
THINK_SECONDS = (2.0, 6.0)
WATCHERS = 0.6
ARRIVAL_SECONDS = 10.0


def serve(data: Path, pipe: Any) -> None:
    """Serve, and tell the port."""
    import uvicorn

    with open_arena(data) as arena:
        server = uvicorn.Server(
            uvicorn.Config(make_app(arena), port=0, log_level="error", timeout_keep_alive=30)
        )

        def tell() -> None:
            while not server.started:
                time.sleep(0.02)
            pipe.send(server.servers[0].sockets[0].getsockname()[1])
            pipe.recv()
            server.should_exit = True

        threading.Thread(target=tell, daemon=True).start()
        server.run()
        used = os.times()
        pipe.send({"server_cpu_s": round(used.user + used.system, 1)})


def play_on(data: Path, file: TournamentFile) -> None:
    """Enter one of the matches that are left every second."""
    bots = {entry.name: entry.bot.as_entry(entry.name) for entry in file.entries}
    plan = file.plan()
    with open_arena(data) as arena:
        for planned in islice(plan, len(plan) - PLAYED, None):
            time.sleep(1.0)
            summary = summary_of(_spec(planned, file, bots))
            arena.store.enter_match(summary, "none")


def addresses_of(data: Path) -> dict[str, list[str]]:
    """Give addresses of every kind of page."""
    with open_arena(data) as arena:
        small = queries.tournament_row(arena.store, "test")
        large = queries.tournament_row(arena.store, "load")
        assert small is not None
        assert large is not None
        logged = [row.match for row in queries.match_page(arena.store, small).rows]
        made_up = [row.match for row in queries.match_page(arena.store, large).rows]
    tournament = "/tournaments/load"
    bots = [entry.name for entry in large.entries]
    return {
        "home": ["/"],
        "tournament": [tournament] * 4,
        "standings.json": [f"{tournament}/standings.json"],
        "matches": [f"{tournament}/matches"],
        "matches of a bot": [f"{tournament}/matches?bot={bot}" for bot in bots],
        "matches, late page": [f"{tournament}/matches?before={n}" for n in range(100, 4000, 100)],
        "match": [f"{tournament}/matches/{match}" for match in made_up],
        "bot": [f"/bots/{bot}" for bot in bots],
        "game": [f"/tournaments/test/matches/{match}/games/0" for match in logged],
    }


class Load:
    """The clients, and what they measured."""

    def __init__(self, base: str, addresses: dict[str, list[str]], seconds: float) -> None:
        self._base = base
        self._addresses = addresses
        self._begin = time.perf_counter()
        self._end = self._begin + seconds
        self.times: dict[str, list[float]] = defaultdict(list)
        self.bytes: dict[str, int] = defaultdict(int)
        self.failed: dict[str, int] = defaultdict(int)

    async def run(self, clients: int) -> None:
        """Let all clients look until the time is over."""
        watchers = round(clients * WATCHERS)
        async with asyncio.TaskGroup() as group:
            for number in range(clients):
                group.create_task(self._watch() if number < watchers else self._browse())

    async def _watch(self) -> None:
        async with httpx2.AsyncClient(base_url=self._base, timeout=60, verify=False) as client:
            await asyncio.sleep(random.uniform(0, POLL_SECONDS))
            await self._get(client, "tournament", "/tournaments/load")
            tag = ""
            while time.perf_counter() < self._end:
                await asyncio.sleep(POLL_SECONDS)
                headers = {"If-None-Match": tag} if tag else {}
                tag = await self._get(client, "live.json", "/tournaments/load/live.json", headers)

    async def _browse(self) -> None:
        async with httpx2.AsyncClient(base_url=self._base, timeout=60, verify=False) as client:
            while time.perf_counter() < self._end:
                await asyncio.sleep(random.uniform(*THINK_SECONDS))
                kind = random.choice(list(self._addresses))
                await self._get(client, kind, random.choice(self._addresses[kind]))

    async def _get(
        self, client: httpx2.AsyncClient, kind: str, address: str, headers: Any = None
    ) -> str:
        began = time.perf_counter()
        try:
            answer = await client.get(address, headers=headers)
        except httpx2.TransportError:
            answer = await client.get(address, headers=headers)  # once more, as browsers do
        is_early = began < self._begin + ARRIVAL_SECONDS
        kind = "(arrival)" if is_early else kind
        self.times[kind].append(time.perf_counter() - began)
        self.bytes[kind] += len(answer.content)
        if answer.status_code not in (200, 304):
            self.failed[kind] += 1
        return str(answer.headers.get("etag", ""))


def quantile(values: list[float], share: float) -> float:
    """Give a quantile in milliseconds."""
    ordered = sorted(values)
    return round(1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))], 1)


def main() -> None:
    """Print a line for each kind of page."""
    parser = argparse.ArgumentParser()
    parser.add_argument("games", nargs="?", type=int, default=100_000)
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60)
    options = parser.parse_args()
    random.seed(1)
    context = multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        file = tournament_of("load", options.games + 20 * PLAYED, is_full=False)
        print(json.dumps({"step": "fill"} | fill(data, None, file)), flush=True)
        make_tournament(data, blocks=1, games_per_match=1)
        ours, theirs = context.Pipe()
        process = context.Process(target=serve, args=(data, theirs))
        process.start()
        base = f"http://127.0.0.1:{ours.recv()}"
        player = context.Process(target=play_on, args=(data, file), daemon=True)
        player.start()
        load = Load(base, addresses_of(data), options.seconds)
        used = os.times()
        asyncio.run(load.run(options.clients))
        now = os.times()
        player.terminate()
        ours.send("stop")
        server = ours.recv()
        process.join()
    for kind in sorted(load.times):
        times = load.times[kind]
        line = {
            "page": kind,
            "requests": len(times),
            "mean_bytes": load.bytes[kind] // len(times),
            "p50_ms": quantile(times, 0.5),
            "p99_ms": quantile(times, 0.99),
            "worst_ms": quantile(times, 1),
            "failed": load.failed[kind],
        }
        print(json.dumps(line))
    every = [each for kind, times in load.times.items() if kind != "(arrival)" for each in times]
    whole = {
        "page": "all after the arrival",
        "requests": len(every),
        "per_second": round(len(every) / (options.seconds - ARRIVAL_SECONDS), 1),
        "p50_ms": quantile(every, 0.5),
        "p99_ms": quantile(every, 0.99),
        "client_cpu_s": round(now.user + now.system - used.user - used.system, 1),
    }
    print(json.dumps(whole | server))


if __name__ == "__main__":
    main()
