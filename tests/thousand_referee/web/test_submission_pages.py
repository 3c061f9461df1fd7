"""Submissions by a client: what is for everybody, what for the author, and signing in."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update
from starlette.testclient import TestClient

from thousand_referee.service.accounts import Accounts
from thousand_referee.service.submission_store import SubmissionStore, new_submission_id
from thousand_referee.store.engine import writing
from thousand_referee.store.schema import entries, submissions
from thousand_referee.submitted import Role, State
from thousand_referee.tournament import Arena, open_arena
from thousand_referee.web.app import make_app
from web_arena import make_tournament

EVIL = "<script>alert(1)</script>\n\x1b[31mred\u202e"
SHOWN = "&lt;script&gt;alert(1)&lt;/script&gt;\n\\x1b[31mred\\u202e"


@pytest.fixture
def own_arena(tmp_path: Path) -> Iterator[Arena]:
    with open_arena(tmp_path / "data", create=True) as arena:
        yield arena


@pytest.fixture
def tokens(own_arena: Arena) -> dict[str, str]:
    accounts = Accounts(own_arena.store)
    roles = {"anna": Role.AUTHOR, "boris": Role.AUTHOR, "olga": Role.ORGANISER}
    return {name: accounts.add(name, role) for name, role in roles.items()}


@pytest.fixture
def client(own_arena: Arena, tokens: dict[str, str]) -> Iterator[TestClient]:
    with ThreadPoolExecutor(1) as executor:
        app = make_app(own_arena, SubmissionStore(own_arena.store), executor=executor)
        yield TestClient(app, base_url="https://arena.test")


def submit(arena: Arena, token: str, bot: str = "ace") -> str:
    user = Accounts(arena.store).user_of(token)
    assert user is not None
    number = new_submission_id()
    limits: dict[str, Any] = {"most_waiting": 9, "most_a_day": 9, "tournament": None}
    SubmissionStore(arena.store).add(number, bot=bot, user=user, archive_sha256="0" * 64, **limits)
    return number


def sign_in(client: TestClient, token: str, **headers: str) -> Any:
    return client.post("/sign-in", data={"token": token}, headers=headers, follow_redirects=False)


def test_nothing_submitted_says_how(client: TestClient) -> None:
    assert "thousand submit mybot" in client.get("/submissions").text


def test_the_reason_is_for_the_author_and_organisers(
    client: TestClient, own_arena: Arena, tokens: dict[str, str]
) -> None:
    number = submit(own_arena, tokens["anna"])
    SubmissionStore(own_arena.store).change(number, State.CHECKING, EVIL)
    report = {"ready": False, "sittings": [{"games": EVIL}, "x"], "problem": EVIL}
    SubmissionStore(own_arena.store).refuse(number, EVIL, report)
    address = f"/submissions/{number}"
    for name in (None, "boris"):
        if name:
            sign_in(client, tokens[name])
        page = client.get(address).text
        assert "refused" in page
        assert "alert(1)" not in page
        assert "alert(1)" not in client.get(f"{address}/live.json").text
    for name in ("anna", "olga"):
        sign_in(client, tokens[name])
        page = client.get(address)
        assert page.text.count(SHOWN) == 2  # the reason and the build log
        assert "<script>" not in page.text
        assert page.headers["cache-control"] == "no-store"
        assert client.get(f"{address}/live.json").json()["is_final"] is True


@pytest.mark.parametrize("state", [State.QUEUED, State.BUILDING, State.CHECKING])
def test_a_submission_tells_how_far_it_is(
    client: TestClient, own_arena: Arena, tokens: dict[str, str], state: State
) -> None:
    number = submit(own_arena, tokens["anna"])
    SubmissionStore(own_arena.store).change(number, state)
    page = client.get(f"/submissions/{number}").text
    assert f"chip-{state.value}" in page
    assert f'data-live="/submissions/{number}/live.json"' in page
    assert client.get(f"/submissions/{number}/live.json").json()["is_final"] is False


def test_a_version_that_passed_stands_on_its_bots_page(
    client: TestClient, own_arena: Arena, tokens: dict[str, str]
) -> None:
    number = submit(own_arena, tokens["anna"])
    values = {"version": "a" * 16, "digest": "a" * 64, "command": ["x"], "description": EVIL}
    SubmissionStore(own_arena.store).accept(number, values, {"ready": True})
    assert "It passed. It is version 1" in client.get(f"/submissions/{number}").text
    page = client.get("/bots/ace").text
    assert "a" * 16 in page
    assert "<script>" not in page
    assert "It plays in no tournament yet" in page


def test_a_token_is_kept_from_scripts_and_other_sites(
    client: TestClient, tokens: dict[str, str]
) -> None:
    answer = sign_in(client, tokens["anna"])
    assert answer.status_code == 303
    assert answer.headers["location"] == "/submissions?own=1"
    cookie = answer.headers["set-cookie"].lower()
    for word in ("httponly", "samesite=strict", "secure", "path=/"):
        assert word in cookie
    assert "Signed in as <b>anna</b>" in client.get("/sign-in").text
    assert "signed in as <b>anna</b>" in client.get("/submissions?own=1").text
    client.post("/sign-out")
    assert "<h1>Sign in</h1>" in client.get("/sign-in").text


@pytest.mark.parametrize("token", ["", "wrong", "x" * 201, "é", "x" * 5_000])
def test_a_wrong_token_signs_nobody_in(client: TestClient, token: str) -> None:
    answer = sign_in(client, token)
    assert answer.status_code == 403
    assert "set-cookie" not in answer.headers


def test_a_revoked_token_signs_nobody_in(
    client: TestClient, own_arena: Arena, tokens: dict[str, str]
) -> None:
    sign_in(client, tokens["anna"])
    Accounts(own_arena.store).revoke("anna")
    assert "<h1>Sign in</h1>" in client.get("/sign-in").text
    assert sign_in(client, tokens["anna"]).status_code == 403


@pytest.mark.parametrize(
    "headers",
    [{"Origin": "https://evil.test"}, {"Sec-Fetch-Site": "cross-site"}, {"Origin": "null"}],
)
def test_forms_of_other_sites_are_refused(
    client: TestClient, tokens: dict[str, str], headers: dict[str, str]
) -> None:
    assert sign_in(client, tokens["anna"], **headers).status_code == 403
    assert client.post("/sign-out", headers=headers).status_code == 403


def test_a_form_of_this_site_is_taken(client: TestClient, tokens: dict[str, str]) -> None:
    headers = {"Origin": "https://arena.test", "Sec-Fetch-Site": "same-origin"}
    assert sign_in(client, tokens["anna"], **headers).status_code == 303


def test_what_a_bot_printed_is_for_its_owner(
    client: TestClient, own_arena: Arena, tokens: dict[str, str]
) -> None:
    submitted = {name: submit(own_arena, tokens["anna"], name) for name in ("ace", "king")}
    submit(own_arena, tokens["boris"], "x")  # before the house had a bot of that name
    make_tournament(own_arena.data.path, ("ace", "king", "x"), blocks=1, games_per_match=1, until=1)
    with writing(own_arena.store.engine) as connection:
        for name, submission in submitted.items():
            source = select(submissions.c.id).where(submissions.c.submission == submission)
            connection.execute(
                update(entries)
                .where(entries.c.name == name)
                .values(submission_id=source.scalar_subquery())
            )
    (path,) = (own_arena.data.logs / "test").iterdir()
    match = path.name.removesuffix(".jsonl.gz")
    folder = own_arena.data.output / "test" / match
    folder.mkdir(parents=True)
    (folder / "0-ace.log").write_text("<b>hello</b>")
    (folder / "2-x.log").write_text("the house's")
    address = f"/tournaments/test/matches/{match}/output"
    assert client.get(f"{address}/0").status_code == 403
    sign_in(client, tokens["boris"])
    assert [client.get(f"{address}/{seat}").status_code for seat in range(3)] == [403] * 3
    sign_in(client, tokens["olga"])
    assert client.get(f"{address}/2").text == "the house's"
    sign_in(client, tokens["anna"])
    assert [client.get(f"{address}/{seat}").status_code for seat in (1, 2)] == [404, 403]
    answer = client.get(f"{address}/0")
    assert answer.text == "<b>hello</b>"
    assert answer.headers["content-type"].startswith("text/plain")
    assert client.get(f"{address}/3").status_code == 404
