"""The pages in a real browser: the replay is driven, standings follow, nothing leaves the host."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from thousand_referee.service.submission_store import SubmissionStore
from thousand_referee.submitted import State
from thousand_referee.tournament import Arena, open_arena
from thousand_referee.web import queries
from thousand_referee.web.games import GameSteps, read_game
from web_arena import CHROMIUM, is_missing, make_tournament, served, submit

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PHONE = {"width": 360, "height": 740}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if not Path(CHROMIUM).exists():
        is_missing("no Chromium: install Debian's chromium, or set $THOUSAND_CHROMIUM")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
        )
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def base(web_data: Path, browser: Browser) -> Iterator[str]:
    with served(web_data) as base:
        yield base


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page of a phone's size; the test fails if it complains, or asks another host."""
    context = browser.new_context(viewport=PHONE, reduced_motion="reduce")  # type: ignore[arg-type]
    page = context.new_page()
    page.set_default_timeout(10_000)
    complaints: list[str] = []
    hosts: set[str] = set()
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: hosts.add(re.sub(r"(?<=\w)/.*", "", request.url)))
    yield page
    context.close()
    assert [each for each in complaints if "404" not in each] == []
    assert len({host for host in hosts if host.startswith("http")}) <= 1


@pytest.fixture
def game(arena: Arena, match: queries.MatchRow) -> GameSteps:
    return read_game(arena.data.logs / match.log, 0)


@pytest.fixture
def replay(page: Page, base: str, match: queries.MatchRow) -> Page:
    answer = page.goto(f"{base}/tournaments/test/matches/{match.match}/games/0")
    assert answer is not None
    assert answer.headers["content-security-policy"].startswith("default-src 'self'")
    page.wait_for_selector("html[data-ready]")
    return page


def told(page: Page) -> str:
    return page.inner_text("#now .told")


def hand(page: Page, seat: int) -> list[str]:
    cards = page.locator(f".seat-{seat} .hand .card")
    return [str(cards.nth(n).get_attribute("aria-label")) for n in range(cards.count())]


def place(page: Page) -> str:
    return page.url.partition("#")[2]


def test_a_game_is_stepped_through(replay: Page, game: GameSteps) -> None:
    first = game.deals[0].steps
    assert told(replay) == first[0].text
    assert [len(hand(replay, seat)) for seat in range(3)] == [7, 7, 7]
    for number in (1, 2):
        replay.click("[data-do=forward]")
        assert told(replay) == first[number].text
    assert place(replay) == "1-2"
    replay.keyboard.press("ArrowLeft")
    assert place(replay) == "1-1"
    replay.keyboard.press("PageDown")
    assert place(replay) == "2-0"
    replay.keyboard.press("PageUp")
    replay.keyboard.press("End")
    assert place(replay) == f"{len(game.deals)}-{len(game.deals[-1].steps) - 1}"
    assert replay.is_disabled("[data-do=forward]")
    scores = [replay.inner_text(f".seat-{seat} .total") for seat in range(3)]
    assert scores == [str(score).replace("-", "−") for score in game.scores]


def test_all_cards_are_played_in_the_end(replay: Page, game: GameSteps) -> None:
    steps = game.deals[0].steps
    talon = next(number for number, step in enumerate(steps) if step.kind == "talon")
    replay.evaluate(f"location.hash = '#1-{talon}'")
    replay.wait_for_function("document.querySelector('#now .told').textContent.includes('talon')")
    declarer = game.deals[0].declarer
    assert len(hand(replay, declarer)) == 10
    for _ in steps[talon + 1 :]:
        replay.keyboard.press("ArrowRight")
    assert [hand(replay, seat) for seat in range(3)] == [[], [], []]
    assert told(replay) == steps[-1].text


def test_a_link_opens_its_step(page: Page, base: str, match: queries.MatchRow) -> None:
    page.goto(f"{base}/tournaments/test/matches/{match.match}/games/0#2-3")
    page.wait_for_selector("html[data-ready]")
    assert page.inner_text("#deal-number") == "2"
    assert page.locator("#steps [aria-current=step]").get_attribute("href") == "#2-3"


def test_who_looks_on_sees_what_the_seat_knew(replay: Page, game: GameSteps) -> None:
    down = "a card face down"
    replay.keyboard.press("0")
    assert hand(replay, 1) == [down] * 7
    assert down not in hand(replay, 0)
    assert replay.locator(".talon .back").count() == 3
    talon = next(n for n, step in enumerate(game.deals[0].steps) if step.kind == "talon")
    for _ in range(talon):
        replay.keyboard.press("ArrowRight")
    assert replay.locator(".talon .back").count() == 0
    declarer = game.deals[0].declarer
    onlooker = (declarer + 1) % 3
    replay.keyboard.press(str(onlooker))
    if onlooker == 0:  # it was looking on already, and has looked away
        replay.keyboard.press("0")
    assert hand(replay, declarer).count(down) == 7
    replay.keyboard.press("ArrowRight")
    assert hand(replay, declarer) == [down] * 8
    assert f"a card to {game.names[(declarer + 2) % 3]}" in told(replay)
    for _ in range(3):
        replay.keyboard.press("k")
    everyone = replay.input_value("#looks")
    while everyone:
        replay.keyboard.press("k")
        everyone = replay.input_value("#looks")
    assert down not in hand(replay, 0) + hand(replay, 1) + hand(replay, 2)


def test_the_chart_jumps(replay: Page) -> None:
    replay.click("#chart a[data-deal='3']")
    replay.wait_for_selector("#deal-number:text-is('3')")
    assert place(replay) == "3-0"
    replay.focus("#chart a[data-deal='2']")
    replay.keyboard.press("Enter")
    replay.wait_for_selector("#deal-number:text-is('2')")


def test_playing_goes_on_and_pauses(replay: Page) -> None:
    replay.keyboard.press(" ")
    assert replay.get_attribute("[data-do=play]", "aria-pressed") == "true"
    replay.wait_for_url("**#1-1")
    replay.keyboard.press(" ")
    assert replay.get_attribute("[data-do=play]", "aria-pressed") == "false"


def test_stepping_moves_nothing_else(replay: Page) -> None:
    places = "['.controls', '.seat-0', '.middle', '#chart', '#steps'].map((each) => \
        document.querySelector(each).getBoundingClientRect().toJSON())"
    before = replay.evaluate(places)
    for _ in range(20):
        replay.keyboard.press("ArrowRight")
    assert replay.evaluate(places) == before


def test_no_page_is_wider_than_a_phone(page: Page, base: str, match: queries.MatchRow) -> None:
    there = f"/tournaments/test/matches/{match.match}"
    for address in ("/", "/tournaments/test", "/bots/anna", there, f"{there}/games/0", "/nothing"):
        page.goto(base + address)
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], address


def test_standings_follow_a_running_tournament(
    page: Page, browser: Browser, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    names = ("anna", "boris", "clara")
    make_tournament(data, names, blocks=2, games_per_match=1, until=6)
    with served(data) as base:
        page.goto(f"{base}/tournaments/test")
        assert "6 of 12 games" in page.inner_text("#live")
        page.focus("#live a")
        focused = page.evaluate("document.activeElement.getAttribute('href')")
        make_tournament(data, names, blocks=2, games_per_match=1)
        page.wait_for_selector("#live :text('of 12 games'):has-text('12 of 12')")
        assert page.evaluate("document.activeElement.getAttribute('href')") == focused


def test_an_author_follows_a_submission(page: Page, tmp_path: Path) -> None:
    data = tmp_path / "data"
    with open_arena(data, create=True) as arena:
        number, token = submit(arena.store, "ace", "anna")
        with served(data, has_submissions=True) as base:
            page.goto(f"{base}/sign-in")
            page.fill("#token", token)
            page.keyboard.press("Enter")
            page.click(f"text={number}")
            assert "It is next" in page.inner_text("#live")
            evil = "<script>document.title = 'taken'</script> <b>no</b>\x1b[31m"
            SubmissionStore(arena.store).change(number, State.BUILDING, evil)
            SubmissionStore(arena.store).refuse(number, evil)
            page.wait_for_selector("#live .reason")
            assert page.inner_text("#live .reason") == evil.replace("\x1b", "\\x1b")
            assert page.locator("#live b:text('no')").count() == 0
            assert page.title() != "taken"
            assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_an_exported_game_is_replayed_from_the_disk(
    page: Page, site: Path, match: queries.MatchRow, game: GameSteps
) -> None:
    page.goto((site / "index.html").as_uri())
    page.click("text=test")
    page.click("text=All matches")
    page.click(f"text={match.match.removeprefix('test-')}")
    page.click("table.games a")
    page.wait_for_selector("html[data-ready]")
    page.keyboard.press("ArrowRight")
    assert told(page) == game.deals[0].steps[1].text


def test_the_keyboard_reaches_the_content_first(page: Page, base: str) -> None:
    page.goto(f"{base}/tournaments/test")
    page.keyboard.press("Tab")
    skip: Any = page.evaluate("document.activeElement.textContent")
    assert skip == "Skip to the content"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "content"
