from __future__ import annotations

from pathlib import Path

import pytest

from arena_server import arena_server, bot_folder, open_tournament
from thousand.v1 import arena_pb2 as pb
from thousand_referee.errors import TooMuch
from thousand_referee.service.hourly import HourlyLimit
from thousand_referee.submitted import Role, User


def test_so_often_in_any_hour() -> None:
    clock = [1_000.0]
    limit = HourlyLimit(2, "entered bots", lambda: clock[0])
    anna, boris = (User(name, Role.AUTHOR, "", None) for name in ("anna", "boris"))
    limit.use(anna)
    clock[0] += 600
    limit.use(anna)
    with pytest.raises(TooMuch, match="you entered bots 2 times in the last hour; wait 50 min"):
        limit.use(anna)
    limit.use(boris)
    clock[0] += 3_000
    limit.use(anna)
    with pytest.raises(TooMuch, match="wait 10 minutes"):
        limit.use(anna)
    for _ in range(3):
        limit.use(User("boss", Role.ORGANISER, "", None))


def test_bots_are_not_entered_again_and_again(tmp_path: Path) -> None:
    file = open_tournament(tmp_path)
    limits = "enters_per_hour = 3\n"
    with arena_server(tmp_path, tournaments=(file,), limits=limits) as server:
        server.add_user("anna")
        server.add_version("anna", bot_folder(tmp_path, "ace"))
        server.add_version("anna", bot_folder(tmp_path, "ace", extra="better"))
        server.start()
        with server.client("anna") as client:
            for number in (1, 2, 1):
                request = pb.EnterBotRequest(tournament="open", bot="ace", number=number)
                client.call("EnterBot", request)
            with pytest.raises(TooMuch, match="you entered bots 3 times"):
                client.call("EnterBot", request)
