"""Every method of the server, called by everybody who may and may not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import grpc
import pytest
from google.protobuf.descriptor_pool import Default
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from arena_server import ArenaServer, arena_server, open_tournament
from thousand.v1 import arena_pb2 as pb
from thousand_referee.errors import RefereeError, ServiceError
from thousand_referee.service.access import ACCESS
from thousand_referee.service.methods import METHODS
from thousand_referee.service.statuses import STATUSES, error_of, status_of
from thousand_referee.submitted import Role
from thousand_referee.tournament import open_arena
from thousand_referee.tournament_file import read_tournament

NOBODY = ("no token", "wrong", "revoked")
OK = grpc.StatusCode.OK
DENIED = grpc.StatusCode.PERMISSION_DENIED
MISSING = grpc.StatusCode.NOT_FOUND
WRONG_STATE = grpc.StatusCode.FAILED_PRECONDITION
ARCHIVE = b"not an archive"
SUBMISSION = "SUBMISSION"
"""Stands for anna's submission, which is only known when the server runs."""


def bot(name: str) -> list[pb.SubmitBotRequest]:
    about = pb.SubmittedBot(
        name=name, archive_sha256=sha256(ARCHIVE).digest(), archive_bytes=len(ARCHIVE)
    )
    return [pb.SubmitBotRequest(bot=about), pb.SubmitBotRequest(chunk=ARCHIVE)]


@dataclass(frozen=True)
class Row:
    """A request about what is anna's, and what comes of it for boris, for her and the boss."""

    request: Any
    another: grpc.StatusCode
    owner: grpc.StatusCode
    organiser: grpc.StatusCode


ROWS = {
    "SubmitBot": Row(bot("ace"), DENIED, OK, DENIED),
    "GetSubmission": Row(pb.GetSubmissionRequest(submission=SUBMISSION), DENIED, OK, OK),
    "ListSubmissions": Row(pb.ListSubmissionsRequest(), OK, OK, OK),
    "ListBots": Row(pb.ListBotsRequest(), OK, OK, OK),
    "ListTournaments": Row(pb.ListTournamentsRequest(), OK, OK, OK),
    "GetTournament": Row(pb.GetTournamentRequest(tournament="open"), OK, OK, OK),
    "EnterBot": Row(pb.EnterBotRequest(tournament="open", bot="ace"), DENIED, MISSING, MISSING),
    "StartTournament": Row(
        pb.StartTournamentRequest(tournament="open"), DENIED, DENIED, WRONG_STATE
    ),
    "CloseTournament": Row(pb.CloseTournamentRequest(tournament="open"), DENIED, DENIED, OK),
    "GetStandings": Row(pb.GetStandingsRequest(tournament="open"), OK, OK, OK),
    "ListMatches": Row(pb.ListMatchesRequest(tournament="open"), OK, OK, OK),
    "ListGames": Row(pb.ListGamesRequest(tournament="open"), OK, OK, OK),
    "DownloadLog": Row(
        pb.DownloadLogRequest(tournament="open", match="m"), MISSING, MISSING, MISSING
    ),
    "GetBotOutput": Row(
        pb.GetBotOutputRequest(tournament="open", match="m", bot="ace"), DENIED, MISSING, MISSING
    ),
    "WatchTournament": Row(pb.WatchTournamentRequest(tournament="open"), OK, OK, OK),
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ArenaServer]:
    folder = tmp_path_factory.mktemp("arena")
    files = [open_tournament(folder, "cautious", name=name) for name in ("open", "stuck")]
    with arena_server(folder, tournaments=tuple(files)) as server:
        for name in ("anna", "boris", "revoked"):
            server.add_user(name)
        server.add_user("boss", Role.ORGANISER)
        server.revoke("revoked")
        with open_arena(server.data) as arena:
            arena.store.create_or_resume(read_tournament(files[1]), "")
        files[1].write_text(files[1].read_text().replace("five", "another"))
        server.start()
        yield server
        assert "Traceback" not in server.log
        assert all(token not in server.log for token in server.tokens.values())


@pytest.fixture(scope="module")
def submission(server: ArenaServer) -> str:
    """The id of anna's submission of the bot ``ace``."""
    with server.client("anna") as client:
        response = METHODS["SubmitBot"].call(client._channel)(
            iter(bot("ace")), metadata=client._metadata
        )
    name: str = response.submission
    return name


def call(server: ArenaServer, method: str, user: str, submission: str) -> grpc.StatusCode:
    """Call a method with its row's request; give the status."""
    request = ROWS[method].request
    if method == "GetSubmission":
        request = pb.GetSubmissionRequest(submission=submission)
    with server.client(user) as client:
        metadata = () if user == "no token" else client._metadata
        sent = iter(request) if METHODS[method].client_streams else request
        try:
            response = METHODS[method].call(client._channel)(sent, metadata=metadata, timeout=30)
            if METHODS[method].server_streams:
                next(response)
                response.cancel()
        except grpc.RpcError as error:
            code, details = error.code(), error.details()  # type: ignore[attr-defined]
        else:
            code, details = OK, "it worked"
    assert details
    return code


def test_every_method_has_a_row() -> None:
    """A new method needs one here, and one in the table that is enforced."""
    service = Default().FindServiceByName("thousand.v1.ArenaService")
    names = {method.name for method in service.methods}
    assert names == set(ROWS) == set(ACCESS) == set(METHODS)


@pytest.mark.parametrize("method", ROWS)
def test_who_may_call(server: ArenaServer, submission: str, method: str) -> None:
    row = ROWS[method]
    for user in NOBODY:
        assert call(server, method, user, submission) is grpc.StatusCode.UNAUTHENTICATED, user
    found = [call(server, method, user, submission) for user in ("boris", "anna", "boss")]
    assert found == [row.another, row.owner, row.organiser]


@pytest.mark.parametrize("header", ["Basic x", "Bearer", "bearer ", "Bearer x y", ""])
def test_headers_that_are_none(server: ArenaServer, header: str) -> None:
    with server.client("anna") as client, pytest.raises(grpc.RpcError) as caught:
        METHODS["ListBots"].call(client._channel)(
            pb.ListBotsRequest(), metadata=(("authorization", header),)
        )
    assert caught.value.code() is grpc.StatusCode.UNAUTHENTICATED  # type: ignore[attr-defined]


def test_a_method_that_is_none(server: ArenaServer) -> None:
    with server.client("anna") as client, pytest.raises(grpc.RpcError) as caught:
        client._channel.unary_unary("/thousand.v1.ArenaService/DeleteAll")(  # type: ignore[call-arg]
            b"", metadata=client._metadata
        )
    assert caught.value.code() is grpc.StatusCode.UNIMPLEMENTED  # type: ignore[attr-defined]


def test_a_tournament_that_can_not_go_on_says_why_and_stops_no_other(
    server: ArenaServer,
) -> None:
    with server.client("anna") as client:
        listed = client.call("ListTournaments", pb.ListTournamentsRequest()).tournaments
    trouble = {each.name: each.trouble for each in listed}
    assert trouble.keys() == {"open", "stuck"}
    assert not trouble["open"]
    assert "'stuck' can't go on: seed was 'five', is 'another'" in trouble["stuck"]


def test_health_and_reflection_are_for_everybody(server: ArenaServer) -> None:
    with grpc.insecure_channel(server.address) as channel:
        health = health_pb2_grpc.HealthStub(channel)
        for service in ("", "thousand.v1.ArenaService"):
            answer = health.Check(health_pb2.HealthCheckRequest(service=service))
            assert answer.status == health_pb2.HealthCheckResponse.SERVING
        stub = reflection_pb2_grpc.ServerReflectionStub(channel)  # type: ignore[no-untyped-call]
        request = reflection_pb2.ServerReflectionRequest(list_services="")
        (listed,) = stub.ServerReflectionInfo(iter([request]))
        names = {service.name for service in listed.list_services_response.service}
    assert "thousand.v1.ArenaService" in names


def test_every_error_has_a_status_and_comes_back_as_itself() -> None:
    assert set(STATUSES) == set(ServiceError.__subclasses__())
    for kind in STATUSES:
        status, text = status_of(kind("the arena says: no\x1b[2J"))

        class Answer(grpc.RpcError, grpc.Call):  # type: ignore[misc]
            def code(self) -> grpc.StatusCode:
                return status  # noqa: B023

            def details(self) -> str:
                return text  # noqa: B023

        Answer.__abstractmethods__ = frozenset()
        back = error_of(Answer(), "here")
        assert type(back) is kind
        assert str(back) == "the arena says: no\\x1b[2J"
    assert status_of(RefereeError("/secret/path"))[1].startswith("the arena made a mistake")
