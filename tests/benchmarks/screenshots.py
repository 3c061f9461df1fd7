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

from thousand_referee.tournament import open_arena
from thousand_referee.web import queries
from web_arena import CHROMIUM, made_up_arena, served

SIZES = {"phone": (360, 740), "desktop": (1280, 800)}


def pages_of(data: Path) -> dict[str, str]:
    """Give an address of every kind of page, by name."""
    with open_arena(data) as arena:
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
        "submission": "/submissions/1",
        "sign-in": "/sign-in",
    }


def shoot(page: Page, base: str, addresses: dict[str, str], out: Path, name: str) -> None:
    """Take a picture of each page as a whole."""
    for kind, address in addresses.items():
        page.goto("about:blank")
        page.goto(base + address, wait_until="networkidle")
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
        addresses = {
            kind: address
            for kind, address in pages_of(data).items()
            if not options.only or kind.startswith(options.only)
        }
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        with served(data) as base:
            for size, (width, height) in SIZES.items():
                for scheme in ("light", "dark"):
                    context = browser.new_context(
                        viewport={"width": width, "height": height},
                        color_scheme=scheme,  # type: ignore[arg-type]
                        device_scale_factor=1,
                    )
                    shoot(context.new_page(), base, addresses, options.out, f"{size}-{scheme}")
                    context.close()
        browser.close()


if __name__ == "__main__":
    main()
