"""The pages by a client: what they show, what they refuse, and what every answer says."""

from __future__ import annotations

import csv
import io
import json
import tarfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import insert, update
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient
from starlette.types import Receive, Scope, Send

from store_maker import entry_of, tournament_of
from thousand_referee.store.engine import writing
from thousand_referee.store.schema import bot_versions, matches, tournaments
from thousand_referee.tournament import Arena, open_arena
from thousand_referee.web.app import make_app
from thousand_referee.web.queries import MatchRow
from web_arena import NAMES, get_rated, make_tournament

GAME = "/tournaments/test/matches/{}/games/0"


def test_the_list_tells_how_far_a_tournament_is(client: TestClient) -> None:
    page = client.get("/").text
    assert 'href="/tournaments/test"' in page
    assert "24 of 24 games" in page
    assert "complete" in page


def test_an_empty_arena_says_what_to_do(tmp_path: Path) -> None:
    with open_arena(tmp_path / "data", create=True) as arena, ThreadPoolExecutor(1) as executor:
        client = TestClient(make_app(arena, executor=executor))
        assert "thousand tournament run" in client.get("/").text
        assert "No bot has entered" in client.get("/bots").text


def test_a_tournament_without_matches_names_its_entries(tmp_path: Path) -> None:
    with open_arena(tmp_path / "data", create=True) as arena, ThreadPoolExecutor(1) as executor:
        arena.store.create_or_resume(tournament_of(), "")
        client = TestClient(make_app(arena, executor=executor))
        page = client.get("/tournaments/test").text
        assert "No match is finished yet" in page
        assert "anna" in page
        assert "not begun" in page
        table = client.get("/tournaments/test/standings.csv").text.splitlines()
        assert len(table) == 1 + 3
        assert "Entered; no match is finished yet" in client.get("/bots/anna").text


def test_a_tournament_without_entries_is_shown(tmp_path: Path) -> None:
    with open_arena(tmp_path / "data", create=True) as arena, ThreadPoolExecutor(1) as executor:
        with writing(arena.store.engine) as connection:
            row = {"name": "new", "config": {"mode": "open"}, "phase": "open"}
            connection.execute(insert(tournaments).values(row))
        client = TestClient(make_app(arena, executor=executor))
        assert "open for entries" in client.get("/").text
        assert "it takes three to play" in client.get("/tournaments/new").text
        assert client.get("/tournaments/new/standings.csv").text.startswith("rank,name,elo,")
        assert client.get("/tournaments/new/matches").status_code == 200


def test_standings_have_every_bot_its_interval_and_who_beats_whom(client: TestClient) -> None:
    page = get_rated(client, "/tournaments/test")
    for name in NAMES:
        assert f'href="/bots/{name}"' in page
    assert page.count('<circle class="dot') == len(NAMES)
    assert page.count('class="self"') == len(NAMES)
    assert "24 games in 4 complete blocks" in page


def test_standings_for_programs_are_those_of_the_command(client: TestClient) -> None:
    found = client.get("/tournaments/test/standings.json").json()
    assert found["tournament"] == "test"
    assert [row["rank"] for row in found["rows"]] == [1, 2, 3, 4]
    rows = list(csv.DictReader(io.StringIO(client.get("/tournaments/test/standings.csv").text)))
    assert [row["name"] for row in rows] == [row["name"] for row in found["rows"]]


def test_what_has_not_changed_is_not_sent_again(client: TestClient) -> None:
    get_rated(client, "/tournaments/test/live.json")
    first = client.get("/tournaments/test/live.json")
    assert first.json()["is_final"] is True
    again = client.get(
        "/tournaments/test/live.json", headers={"If-None-Match": first.headers["etag"]}
    )
    assert (again.status_code, again.content) == (304, b"")


def test_matches_can_be_listed_by_bot(client: TestClient, match: MatchRow) -> None:
    assert match.match.removeprefix("test-") in client.get("/tournaments/test/matches").text
    by_bot = client.get("/tournaments/test/matches?bot=dora").text
    assert by_bot.count("<tr>") - 1 == 18
    assert client.get("/tournaments/test/matches?bot=nobody").status_code == 404


def test_a_match_links_its_games_and_its_log(client: TestClient, match: MatchRow) -> None:
    page = client.get(f"/tournaments/test/matches/{match.match}").text
    assert page.count("/games/") == 1
    log = client.get(f"/tournaments/test/matches/{match.match}/{match.match}.jsonl.gz")
    assert log.content[:2] == b"\x1f\x8b"
    assert "attachment" in log.headers["content-disposition"]


def test_all_logs_come_as_one_archive(client: TestClient, web_data: Path) -> None:
    sent = client.get("/tournaments/test/logs.tar").content
    with tarfile.open(fileobj=io.BytesIO(sent)) as archive:
        found = {
            member.name: archive.extractfile(member).read()  # type: ignore[union-attr]
            for member in archive
        }
    logs = web_data / "logs"
    right = {str(p.relative_to(logs)): p.read_bytes() for p in logs.rglob("*.jsonl.gz")}
    assert found == right


def test_a_game_has_its_steps_in_the_page_and_as_json(client: TestClient, match: MatchRow) -> None:
    address = GAME.format(match.match)
    page = client.get(address).text
    inside = page.partition('id="game">')[2].partition("</script>")[0]
    alone = client.get(f"{address}/game.json").json()
    assert json.loads(inside) == alone
    assert alone["names"] == list(match.names)
    words = client.get(f"{address}/telling.txt")
    assert words.headers["content-type"] == "text/plain; charset=utf-8"
    assert "The game is over" in words.text


def test_a_bot_shows_its_results_and_times(client: TestClient) -> None:
    page = get_rated(client, "/bots/anna")
    assert "Decision time" in page
    assert "v-anna" in page
    assert "trace-own" in page


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("/nothing", "no such page"),
        ("/tournaments/none", "no tournament"),
        ("/tournaments/test/matches/none", "no finished match"),
        ("/bots/none", "no bot"),
        ("/tournaments/test/matches/MATCH/games/1", "no game 1"),
        ("/tournaments/test/matches/MATCH/games/-1", "no such page"),
        ("/tournaments/test/matches/MATCH/other.jsonl.gz", "not on this machine"),
        ("/static/../app.py", "no such page"),
        ("/static/%2e%2e/app.py", "no such page"),
        ("/bots/%3Cscript%3E", "no bot &#39;&lt;script&gt;&#39;"),
        ("/submissions", "no such page"),
    ],
)
def test_what_is_not_there_says_so(
    client: TestClient, match: MatchRow, address: str, told: str
) -> None:
    answer = client.get(address.replace("MATCH", match.match))
    assert answer.status_code == 404
    assert told in answer.text.lower() or told in answer.text
    assert 'href="/"' in answer.text


@pytest.mark.parametrize("address", ["/", "/tournaments/test", "/nothing", "/static/arena.css"])
def test_every_answer_keeps_browsers_here(client: TestClient, address: str) -> None:
    headers = client.get(address).headers
    assert headers["content-security-policy"].startswith("default-src 'self';")
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"


def test_pages_need_no_exception_from_the_policy(client: TestClient, match: MatchRow) -> None:
    for address in ("/", "/tournaments/test", "/bots/anna", GAME.format(match.match)):
        page = get_rated(client, address)
        assert " style=" not in page
        assert "<style" not in page
        assert " onclick" not in page
        assert "http://" not in page
        assert "https://" not in page


def test_the_server_answers_how_it_is(client: TestClient) -> None:
    assert client.get("/healthz").json() == {"status": "ok"}


def test_figures_for_machines_are_at_one_address(arena: Arena) -> None:
    async def figures(scope: Scope, receive: Receive, send: Send) -> None:
        await PlainTextResponse("games 7")(scope, receive, send)

    with ThreadPoolExecutor(1) as executor:
        client = TestClient(make_app(arena, metrics=figures, executor=executor))
        answer = client.get("/metrics", follow_redirects=False)
    assert (answer.status_code, answer.text) == (200, "games 7")
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_the_application_fits_ratings_in_a_process_of_its_own(arena: Arena) -> None:
    with TestClient(make_app(arena)) as client:
        assert "24 games in 4 complete blocks" in get_rated(client, "/tournaments/test")
        assert len(client.get("/tournaments/test/standings.json").json()["rows"]) == 4


def test_a_mistake_of_ours_is_a_page_too(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thousand_referee.web.queries.bot_rows", lambda store: 1 / 0)
    answer = client.get("/bots")
    assert answer.status_code == 500
    assert "Try again, or tell the organiser" in answer.text
    assert "default-src 'self'" in answer.headers["content-security-policy"]


def test_hostile_text_stays_text(tmp_path: Path) -> None:
    with open_arena(tmp_path / "data", create=True) as arena:
        make_tournament(tmp_path / "data", NAMES[:3], blocks=1, games_per_match=1)
        evil = "<script>alert(1)</script>\x1b[31m\u202e"
        with writing(arena.store.engine) as connection:
            connection.execute(update(bot_versions).values(description=evil))
        with ThreadPoolExecutor(1) as executor:
            page = get_rated(TestClient(make_app(arena, executor=executor)), "/bots/anna")
    assert "&lt;script&gt;alert(1)&lt;/script&gt;\\x1b[31m\\u202e" in page
    assert "<script>" not in page


def test_a_log_outside_of_the_logs_is_not_sent(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with open_arena(data, create=True) as arena, ThreadPoolExecutor(1) as executor:
        make_tournament(data, NAMES[:3], blocks=1, games_per_match=1, until=1)
        with writing(arena.store.engine) as connection:
            connection.execute(update(matches).values(log="../arena.sqlite"))
        client = TestClient(make_app(arena, executor=executor))
        row = client.get("/tournaments/test/matches").text
        match = (
            "test-" + row.partition('href="/tournaments/test/matches/test-')[2].partition('"')[0]
        )
        log = client.get(f"/tournaments/test/matches/{match}/{match}.jsonl.gz")
        assert log.status_code == 404
        assert client.get(f"/tournaments/test/matches/{match}/games/0").status_code == 404
        archive = client.get("/tournaments/test/logs.tar").content
        assert archive.strip(b"\0") == b""


def test_a_log_that_is_gone_or_broken_says_so(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with open_arena(data, create=True) as arena, ThreadPoolExecutor(1) as executor:
        make_tournament(data, NAMES[:3], blocks=1, games_per_match=1, until=2)
        client = TestClient(make_app(arena, executor=executor))
        broken, gone = sorted((data / "logs" / "test").glob("*.gz"))
        broken.write_bytes(broken.read_bytes()[:200])
        gone.unlink()
        answer = client.get(GAME.format(broken.name.removesuffix(".jsonl.gz")))
        assert answer.status_code == 500
        assert "the log is cut" in answer.text
        assert str(tmp_path) not in answer.text
        answer = client.get(GAME.format(gone.name.removesuffix(".jsonl.gz")))
        assert answer.status_code == 404
        assert "not on this machine" in answer.text


def test_names_with_signs_of_addresses_are_found(tmp_path: Path) -> None:
    names = ("a#2", "b+c d", "c.d")
    data = tmp_path / "data"
    with open_arena(data, create=True) as arena, ThreadPoolExecutor(1) as executor:
        file = tournament_of(name="x #1", entries=tuple(map(entry_of, names)))
        arena.store.create_or_resume(file, "")
        client = TestClient(make_app(arena, executor=executor))
        assert 'href="/tournaments/x%20%231"' in client.get("/").text
        page = client.get("/tournaments/x%20%231").text
        assert 'href="/bots/a%232"' in page
        assert client.get("/bots/a%232").status_code == 200
        assert client.get("/bots/b%2Bc%20d").status_code == 200


def test_the_arena_is_only_read(arena: Arena, client: TestClient) -> None:
    before = arena.store.tournament("test")
    assert client.post("/tournaments/test").status_code == 405
    assert arena.store.tournament("test") == before
