"""``thousand replay``: a bot gets what the logged seat got, and its differences are shown."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from arena_runs import thousand
from log_maker import LogMaker
from match_maker import EXAMPLES, FAULTY, bot, match_spec
from referee_bench import short_games
from thousand.codec import decode_response
from thousand.messages import DealEnd, GameEnd, GameStart, Notice, Response
from thousand.rules import Bid
from thousand.view import View
from thousand_referee.bots import read_bot
from thousand_referee.errors import LogError
from thousand_referee.interview import BotFailed
from thousand_referee.launch.process import ProcessLauncher
from thousand_referee.match import Match, play_match
from thousand_referee.replaying import LoggedGame, Question, Reply, prompts, read_game, replies
from thousand_referee.sockets import socket_folder
from thousand_referee.spec import BotVersion

BOTS = ("counter", "cautious", "random")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[int, list[Response]]]:
    """A short match, and all that was sent to each of its seats."""
    folder = tmp_path_factory.mktemp("played")
    sent: dict[int, list[Response]] = {0: [], 1: [], 2: []}
    taken = Match.take

    def take(self: Match, seat: int) -> bytes | None:
        data = taken(self, seat)
        if data is not None:
            sent[seat].append(decode_response(data))
        return data

    with pytest.MonkeyPatch.context() as patch, short_games(4):
        patch.setattr(Match, "take", take)
        entries = [read_bot(EXAMPLES / name).as_entry(name) for name in BOTS]
        play_match(match_spec(folder, *entries, games=2, tables=2, seed="replay"))
    return folder / "logs" / "m.jsonl.gz", sent


def ask(logged: LoggedGame, seat: int, entry: BotVersion, output: Path) -> list[Reply]:
    async def collect() -> list[Reply]:
        with socket_folder() as folder:
            asked = replies(logged, seat, entry, ProcessLauncher(), folder, output)
            return [reply async for reply in asked]

    return asyncio.run(collect())


@pytest.mark.parametrize("seat", [0, 1, 2])
@pytest.mark.parametrize("game", [0, 1])
def test_prompts_and_notices_are_those_that_were_sent(
    played: tuple[Path, dict[int, list[Response]]], seat: int, game: int
) -> None:
    path, sent = played
    told: list[View | Notice] = []
    for response in sent[seat]:
        told += [notice for notice in response.notices if notice.game == game]
        told += [
            prompt.view._replace(bank_ms=0)
            for prompt in response.prompts
            if prompt.view.game == game
        ]
    again = [
        each.view._replace(bank_ms=0) if isinstance(each, Question) else each
        for each in prompts(read_game(path, game), seat)
    ]
    assert again == told
    assert isinstance(again[0], GameStart)
    assert isinstance(again[-1], GameEnd)
    assert sum(isinstance(each, DealEnd) for each in again) == 4


@pytest.mark.parametrize(("seat", "name"), [(0, "counter"), (1, "cautious")])
def test_a_deterministic_bot_agrees_with_itself(
    played: tuple[Path, dict[int, list[Response]]], tmp_path: Path, seat: int, name: str
) -> None:
    logged = read_game(played[0], 1)
    found = ask(logged, seat, bot(EXAMPLES / name), tmp_path / "output")
    assert len(found) == logged.decisions_of(seat)
    assert not any(reply.differs for reply in found)


def test_another_bot_differs_and_the_game_goes_on_as_logged(
    played: tuple[Path, dict[int, list[Response]]], tmp_path: Path
) -> None:
    logged = read_game(played[0], 0)
    found = ask(logged, 1, bot(EXAMPLES / "counter"), tmp_path / "output")
    assert len(found) == logged.decisions_of(1)
    differing = [reply for reply in found if reply.differs]
    assert 0 < len(differing) < len(found)
    assert all(reply.is_legal for reply in found)
    views = [each.view for each in prompts(logged, 1) if isinstance(each, Question)]
    assert [reply.question.view for reply in found] == views


def test_faults_are_known_and_seats_that_are_out_are_not_asked(tmp_path: Path) -> None:
    maker = LogMaker(games=2, fault_rate=0.05, seed=3)
    path = maker.make(tmp_path)
    for game in range(2):
        logged = read_game(path, game)
        for seat in range(3):
            questions = [each for each in prompts(logged, seat) if isinstance(each, Question)]
            assert len(questions) == logged.decisions_of(seat)
            faults = [each.fault for each in questions if each.fault is not None]
            assert faults == [fault for fault in logged.faults if fault.seat == seat]


@pytest.mark.parametrize(("name", "said"), [("dies_in_the_middle", "exited"), ("silent", "answer")])
def test_a_bot_that_fails_is_told(
    played: tuple[Path, dict[int, list[Response]]], tmp_path: Path, name: str, said: str
) -> None:
    import msgspec

    logged = read_game(played[0], 0)
    time = msgspec.structs.replace(logged.header.time, move_ms=300, bank_ms=200)
    header = msgspec.structs.replace(logged.header, time=time)
    hurried = LoggedGame(logged.path, header, 0, logged.deals, logged.faults, logged.end)
    with pytest.raises(BotFailed, match=said):
        ask(hurried, 1, bot(FAULTY / name), tmp_path / "output")


def test_a_bot_that_does_not_start_is_told(
    played: tuple[Path, dict[int, list[Response]]], tmp_path: Path
) -> None:
    logged = read_game(played[0], 0)
    with pytest.raises(BotFailed, match=r"exited_at_once|exits_at_once.*before it said hello"):
        ask(logged, 1, bot(FAULTY / "exits_at_once"), tmp_path / "output")


def test_an_illegal_answer_is_called_so(
    played: tuple[Path, dict[int, list[Response]]],
) -> None:
    question = next(
        each for each in prompts(read_game(played[0], 0), 0) if isinstance(each, Question)
    )
    assert not Reply(question, Bid(995)).is_legal
    assert Reply(question, question.logged).is_legal


def test_a_game_that_is_not_there_is_told(
    played: tuple[Path, dict[int, list[Response]]],
) -> None:
    with pytest.raises(LogError, match="there is no game 7; games are 0 to 1"):
        read_game(played[0], 7)


# The command


def test_the_command_prints_the_view_of_each_difference(
    played: tuple[Path, dict[int, list[Response]]],
) -> None:
    path = played[0]
    own = thousand("replay", path, "--game", "1", "--bot", EXAMPLES / "counter")
    assert "counter answers all" in own.stdout
    counter = ("replay", f"{path}/0", "--bot", EXAMPLES / "counter", "--seat", "1")
    other = thousand(*counter).stdout
    outcome = json.loads(thousand(*counter, "--json").stdout)
    assert outcome["differences"]
    assert f"{len(outcome['differences'])} of {outcome['decisions']} decisions" in other
    assert other.count("  logged ") == len(outcome["differences"])
    for label in ("scores", "bids", "hand"):
        assert f"  {label} " in other
    assert {"♠", "♣", "♦", "♥"} <= set(other)


def test_the_command_needs_a_seat_where_no_such_bot_sat(tmp_path: Path) -> None:
    path = LogMaker(games=1).make(tmp_path)
    done = thousand("replay", path, "--bot", EXAMPLES / "counter", check=False)
    assert done.returncode == 1
    assert "choose a seat: 0 anna, 1 boris, 2 clara" in done.stderr
    twice = thousand("replay", f"{path}/0", "--game", "0", "--bot", EXAMPLES, check=False)
    assert "given twice" in twice.stderr


def test_names_of_a_log_are_made_safe(tmp_path: Path) -> None:
    path = LogMaker(names=("a\x1b[31m", "b\n", "c"), games=1).make(tmp_path)
    done = thousand("replay", path, "--bot", EXAMPLES / "counter", "--seat", "2")
    assert "\x1b" not in done.stdout
    assert "a\\x1b[31m" in done.stdout
