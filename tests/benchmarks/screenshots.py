"""Pictures of all pages: a phone and a desktop, in light and dark.

    python tests/benchmarks/screenshots.py OUT [--data DATA]

Without a data folder, one with made-up tournaments is used. It prints a line for each page
that is wider than the screen; there should be none.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))

from thousand_referee.service.submission_store import SubmissionStore
from thousand_referee.submitted import State
from thousand_referee.tournament import open_arena
from thousand_referee.web import queries
from thousand_referee.web.security import COOKIE
from web_arena import CHROMIUM, made_up_arena, served, submit

SIZES = {"phone": (360, 740), "desktop": (1280, 800)}


def pages_of(data: Path) -> dict[str, str]:
    """Give an address of every kind of page, by name."""
    with open_arena(data) as arena:
        submissions = SubmissionStore(arena.store).submissions()
        rows = queries.tournament_rows(arena.store)
        row = max(rows, key=lambda each: each.games)
        match = queries.match_page(arena.store, row).rows[0].match
    tournament = f"/tournaments/{row.name}"
    game = f"{tournament}/matches/{match}/games/0"
    return {
        "home": "/",
        "tournament": tournament,
        "matches": f"{tournament}/matches",
        "match": f"{tournament}/matches/{match}",
        "game-start": game,
        "game-talon": f"{game}#2-5",
        "game-play": f"{game}#3-17",
        "game-seen": f"{game}#3-12",
        "game-end": f"{game}#4-99",
        "bots": "/bots",
        "bot": f"/bots/{row.names[0]}",
        "not-found": "/tournaments/nothing",
        "submissions": "/submissions",
        "submission": f"/submissions/{submissions[0].id if submissions else 'none'}",
        "sign-in": "/sign-in",
    }


def add_submissions(data: Path) -> str:
    """Put some submissions in, and give the token of the last one's author."""
    with open_arena(data) as arena:
        store = SubmissionStore(arena.store)
        for bot, author in (("anna", "ada"), ("boris", "bob"), ("ace", "eve")):
            number, token = submit(arena.store, bot, author)
            if bot == "boris":
                store.change(number, State.CHECKING)
        store.change(number, State.CHECKING, "unpacked 3 files\nbuilt the image in 12 s\n")
        problem = "trick 3 of deal 1: the bot answered KH, which is not among the playable cards"
        report = {
            "ready": False,
            "sittings": [
                {
                    "games": 12,
                    "of_games": 41,
                    "median_ms": 0.56,
                    "p99_ms": 3.8,
                    "worst_ms": 10.7,
                    "memory_kb": 44_504,
                }
            ],
            "problem": problem,
        }
        store.refuse(number, problem, report)
    return token


def shoot(page: Page, base: str, addresses: dict[str, str], out: Path, name: str) -> None:
    """Take a picture of each page as a whole."""
    for kind, address in addresses.items():
        page.goto("about:blank")
        page.goto(base + address, wait_until="networkidle")
        while "being computed" in page.content():
            page.wait_for_timeout(500)
            page.reload(wait_until="networkidle")
        if kind == "game-seen":
            page.keyboard.press("1")
        width, room = page.evaluate(
            "[document.documentElement.scrollWidth, document.documentElement.clientWidth]"
        )
        if width > room:
            print(f"{name}: {kind} is {width} px wide on {room} px")
        page.screenshot(path=out / f"{kind}-{name}.png", full_page=True)


def main() -> None:
    """Take all pictures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=Path)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--only", help="pages to take, by the beginning of their names")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        data = options.data or made_up_arena(Path(folder))
        token = "" if options.data else add_submissions(data)
        addresses = {
            kind: address
            for kind, address in pages_of(data).items()
            if not options.only or kind.startswith(options.only)
        }
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        with served(data, has_submissions=True) as base:
            for size, (width, height) in SIZES.items():
                for scheme in ("light", "dark"):
                    context = browser.new_context(
                        viewport={"width": width, "height": height},
                        color_scheme=scheme,  # type: ignore[arg-type]
                        device_scale_factor=1,
                    )
                    if token:
                        cookie = {"name": COOKIE, "value": token, "url": base}
                        context.add_cookies([cookie])  # type: ignore[list-item]
                    shoot(context.new_page(), base, addresses, options.out, f"{size}-{scheme}")
                    context.close()
        browser.close()


if __name__ == "__main__":
    main()
