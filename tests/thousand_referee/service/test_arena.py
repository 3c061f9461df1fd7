"""The arena as authors and organisers use it: real server, real commands, real matches."""

from __future__ import annotations

import gzip
import json
import signal
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from arena_runs import (
    EXAMPLE_BOTS,
    processes_with,
    thousand,
    unfinished_logs,
    wait_until,
)
from arena_server import ArenaServer, arena_server, bot_folder, open_tournament
from thousand.v1 import arena_pb2 as pb
from thousand_referee.cli.main import thousand as commands
from thousand_referee.errors import (
    ConfigError,
    Missing,
    NotAllowed,
    NotSignedIn,
    RefereeError,
    Unacceptable,
    WrongState,
)
from thousand_referee.submitted import Role

FIXED = """
name = "cup"
accepts_entries = true
blocks = 1
games_per_match = 1
tables = 2
seed = 6
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ArenaServer]:
    folder = tmp_path_factory.mktemp("arena")
    cup = folder / "cup.toml"
    entries = [f'[[entry]]\nbot = "{EXAMPLE_BOTS / bot}"' for bot in ("cautious", "random")]
    cup.write_text("\n".join([FIXED, *entries]))
    files = (open_tournament(folder, "cautious", "random"), cup)
    with arena_server(folder, tournaments=files) as server:
        for name in ("anna", "boris"):
            server.add_user(name)
        server.add_user("boss", Role.ORGANISER)
        server.start()
        yield server
        assert server.stop() == 0
        assert "Traceback" not in server.log
        verified = thousand("log", "verify", "--data", server.data)
        assert "0 problems" in verified.stdout or verified.returncode == 0


def run(server: ArenaServer, user: str, *arguments: str | Path) -> Result:
    """Run a command in this process, which is quicker, with a user's token."""
    environment = {"THOUSAND_TOKEN": server.tokens.get(user, user)}
    return CliRunner().invoke(commands, [*map(str, arguments)], env=environment)


def ask(server: ArenaServer, user: str, *arguments: str) -> Result:
    return run(server, user, "server", *arguments, "--server", server.address)


def submit(server: ArenaServer, user: str, bot: Path, *options: str) -> tuple[int, Any]:
    """Submit by the command; give its exit status, and what it printed or raised."""
    arguments = ("submit", bot, "--server", server.address, "--json", *options)
    done = run(server, user, *arguments)
    if isinstance(done.exception, RefereeError):
        return 1, str(done.exception)
    return done.exit_code, json.loads(done.stdout)


def watch(server: ArenaServer, tournament: str) -> list[pb.WatchTournamentResponse]:
    with server.client("anna") as client:
        request = pb.WatchTournamentRequest(tournament=tournament)
        return list(client.stream("WatchTournament", request))


def listed(server: ArenaServer, method: str, tournament: str, size: int) -> list[Any]:
    """Read all pages of matches or games."""
    found: list[Any] = []
    kind = getattr(pb, f"{method}Request")
    token = ""
    with server.client("boris") as client:
        while True:
            request = kind(tournament=tournament, page_size=size, page_token=token)
            response = client.call(method, request)
            page = response.matches if method == "ListMatches" else response.games
            assert len(page) <= size
            found += page
            token = response.next_page_token
            if not token:
                return found


def test_from_a_folder_to_the_standings_and_the_next_version(
    server: ArenaServer, tmp_path: Path
) -> None:
    bot = bot_folder(tmp_path, "ace")
    status, told = submit(server, "anna", bot, "--tournament", "open")
    assert (status, told["state"], told["number"], told["reason"]) == (0, "ready", 1, "")
    assert told["page"].startswith(f"{server.pages}/bots/ace")
    with urllib.request.urlopen(told["page"]) as page:
        assert "ace" in page.read().decode()
    home = server.data / "bots" / "ace" / told["version"]
    assert sorted(path.name for path in home.iterdir()) == ["bot.py", "bot.toml"]
    assert list((server.data / "incoming").iterdir()) == []

    updates = watch(server, "open")
    assert [update.complete for update in updates][-1]
    assert updates[-1].tournament.games == updates[-1].tournament.games_planned == 6
    matches = listed(server, "ListMatches", "open", 5)
    assert len({match.match for match in matches}) == len(matches) == 6
    assert all("ace" in match.entries for match in matches)

    # The same files are the same version; others are the next one, in the place of the first.
    assert submit(server, "anna", bot)[1]["number"] == 1
    again = run(server, "anna", "submit", bot, "--server", server.address)
    assert "unchanged: it is ace, version 1" in again.stdout
    server.add_version("anna", bot_folder(tmp_path, "ace", extra="better"))
    with server.client("anna") as client:
        request = pb.EnterBotRequest(tournament="open", bot="ace")
        entered = client.call("EnterBot", request)
        assert (entered.entry, list(entered.retired)) == ("ace#2", ["ace"])
        assert client.call("EnterBot", request).entry == "ace#2"
    assert wait_until(lambda: len(listed(server, "ListMatches", "open", 100)) > 6)
    with server.client("boss") as client:
        client.call("CloseTournament", pb.CloseTournamentRequest(tournament="open"))
    with server.client("anna") as client, pytest.raises(WrongState, match="takes no entries"):
        client.call("EnterBot", pb.EnterBotRequest(tournament="open", bot="ace", number=1))
    assert watch(server, "open")[-1].tournament.phase == pb.TOURNAMENT_PHASE_CLOSED
    later = listed(server, "ListMatches", "open", 100)
    assert later[:6] == matches
    assert 6 < len(later) < 12
    assert all({"ace#2", "cautious", "random"} == set(each.entries) for each in later[6:])

    with server.client("boris") as client:
        rated = {"ace": 6, "ace#2": 0, "cautious": 6, "random": 6}

        def are_fitted() -> bool:  # after slow work there is a rest before the next
            table = client.call("GetStandings", pb.GetStandingsRequest(tournament="open"))
            return {row.name: row.games for row in table.rows} == rated

        assert wait_until(are_fitted, 60)
        games = listed(server, "ListGames", "open", 7)
        assert len({(game.match, game.game) for game in games}) == len(games) == len(later)
        match = later[-1].match
        request = pb.DownloadLogRequest(tournament="open", match=match)
        log = b"".join(each.chunk for each in client.stream("DownloadLog", request))
        assert json.loads(gzip.decompress(log).splitlines()[0])["match"] == match
        bots = client.call("ListBots", pb.ListBotsRequest()).bots
        (ace,) = [bot for bot in bots if bot.name == "ace"]
        assert [version.number for version in ace.versions] == [1, 2]
    with server.client("anna") as client:
        request = pb.GetBotOutputRequest(tournament="open", match=match, bot="ace")
        output = client.call("GetBotOutput", request)
        assert (output.output, output.cut) == (b"I am ace\n", False)
    # As the pages and the standings call them.
    short = match.removeprefix("open-")
    assert ask(server, "anna", "output", "open", short, "ace#2").stdout == "I am ace\n"
    assert ask(server, "boss", "output", "open", match, "cautious").exit_code == 0
    assert isinstance(ask(server, "anna", "output", "open", match, "cautious").exception, Missing)
    assert (
        str(tmp_path / "log")
        in ask(server, "anna", "log", "open", short, "--out", str(tmp_path / "log")).stdout
    )
    table = ask(server, "boris", "standings", "open").stdout
    assert "Standings of open" in table
    assert "points/deal" in table
    lines = ask(server, "boris", "matches", "open", "--bot", "ace#2").stdout.splitlines()
    assert [line.split()[0] for line in lines] == [each.match for each in later[6:]]
    two = ask(server, "boris", "matches", "open", "--most", "2", "--json")
    assert [each["match"] for each in json.loads(two.stdout)] == [each.match for each in later[:2]]
    assert "--most 4 shows more" in ask(server, "boris", "matches", "open", "--most", "2").stderr
    with urllib.request.urlopen(f"{server.pages}/bots/ace") as page:
        text = page.read().decode()
    assert 0 < text.index("<small>as ace#2</small>") < text.index('<span class="chip">retired')


def test_bots_that_are_refused(server: ArenaServer, tmp_path: Path) -> None:
    wrong = bot_folder(tmp_path, "wrong")
    (wrong / "bot.py").write_text("import sys\nprint('no luck \\x1b[2J')\nsys.exit(3)\n")
    status, told = submit(server, "boris", wrong)
    assert (status, told["state"]) == (1, "refused")
    assert "exited with status 3" in told["reason"]
    report = json.loads(told["report_json"])
    assert report["ready"] is False
    assert any("no luck" in line for line in report["problem"]["output"])
    assert told["page"].startswith(f"{server.pages}/submissions/")
    shown = run(server, "boris", "submit", wrong, "--server", server.address).stdout
    assert "the end of what it printed:\n    no luck" in shown
    assert str(server.data) not in json.dumps(told)
    assert not (server.data / "bots" / "wrong").exists()

    status, told = submit(server, "anna", wrong)
    assert (status, told) == (
        1,
        "bot 'wrong' is somebody else's; give yours another name in bot.toml",
    )
    for name in ("ace#7", "x" * 60):  # names of bots, but not of those that are submitted
        long = bot_folder(tmp_path, "long")
        (long / "bot.toml").write_text(f'name = "{name}"\ncommand = ["python", "bot.py"]\n')
        assert "bot's name" in submit(server, "anna", long)[1]
    with server.client("boris") as client:
        about = pb.SubmittedBot(name="x", archive_sha256=bytes(32), archive_bytes=5)
        call = pb.SubmitBotRequest
        from thousand_referee.service.methods import METHODS

        for requests, problem in [
            ([], "must carry the bot"),
            ([call(chunk=b"x")], "must carry the bot"),
            ([call(bot=about), call(chunk=b"hello")], "another SHA-256"),
            ([call(bot=about), call(chunk=b"hi")], "2 of 5 bytes"),
            ([call(bot=about), call(chunk=b"too long")], "more was sent"),
            ([call(bot=about), call(bot=about)], "more was sent"),
        ]:
            with pytest.raises(Unacceptable, match=problem), client._translated():
                METHODS["SubmitBot"].call(client._channel)(
                    iter(requests), metadata=client._metadata
                )
    assert not [path for path in (server.data / "incoming").iterdir() if path.suffix == ".part"]


def test_a_fixed_tournament_waits_for_entries_and_its_start(
    server: ArenaServer, tmp_path: Path
) -> None:
    with server.client("boss") as boss:
        with pytest.raises(WrongState, match="2 entries; it needs 3"):
            boss.call("StartTournament", pb.StartTournamentRequest(tournament="cup"))
        for number in (1, 2):
            server.add_version("boris", bot_folder(tmp_path, "king", extra=f"the {number}."))
            entered = boss.call("EnterBot", pb.EnterBotRequest(tournament="cup", bot="king"))
            assert list(entered.retired) == ["king"] * (number - 1)
        request = pb.GetTournamentRequest(tournament="cup")
        entries = boss.call("GetTournament", request).entries
        assert [(each.name, each.bot) for each in entries] == [
            ("cautious", ""), ("king#2", "king"), ("random", ""),
        ]  # fmt: skip
        boss.call("StartTournament", pb.StartTournamentRequest(tournament="cup"))
        assert wait_until(lambda: len(listed(server, "ListMatches", "cup", 9)) > 0)
        with pytest.raises(WrongState, match="waits for no start: it is played already"):
            boss.call("StartTournament", pb.StartTournamentRequest(tournament="cup"))
        with pytest.raises(WrongState, match="takes no entries"):
            boss.call("EnterBot", pb.EnterBotRequest(tournament="cup", bot="king"))
        boss.call("CloseTournament", pb.CloseTournamentRequest(tournament="cup"))
        last = watch(server, "cup")[-1].tournament
        assert (last.phase, last.games_planned) == (pb.TOURNAMENT_PHASE_CLOSED, 6)
        assert 0 < last.games < 6


def test_what_is_not_there(server: ArenaServer) -> None:
    with server.client("boss") as client:
        for method, request in [
            ("GetTournament", pb.GetTournamentRequest(tournament="nope")),
            ("GetStandings", pb.GetStandingsRequest(tournament="nope")),
            ("ListMatches", pb.ListMatchesRequest(tournament="nope")),
            ("ListMatches", pb.ListMatchesRequest(tournament="open", entry="nobody")),
            ("StartTournament", pb.StartTournamentRequest(tournament="../x")),
            ("GetSubmission", pb.GetSubmissionRequest(submission="../../etc/passwd")),
            ("EnterBot", pb.EnterBotRequest(tournament="open", bot="nope")),
        ]:
            with pytest.raises(Missing):
                client.call(method, request)
        for token in ("x", "1.2.3", "-1", "9" * 30, "1.x"):
            with pytest.raises(Unacceptable, match="page_token"):
                client.call("ListGames", pb.ListGamesRequest(tournament="open", page_token=token))


def test_commands_of_authors_and_organisers(server: ArenaServer) -> None:
    def call(*arguments: str, user: str = "anna") -> Result:
        return ask(server, user, *arguments)

    assert "cup: " in call("tournaments").stdout
    listed = json.loads(call("tournaments", "--json").stdout)["tournaments"]
    assert [each["name"] for each in listed] == ["cup", "open"]
    for command in (("bots",), ("submissions",), ("standings", "open"), ("bots", "--json")):
        assert call(*command, user="boss").exit_code == 0
    assert isinstance(call("start", "cup").exception, NotAllowed)
    assert isinstance(call("bots", user="guess").exception, NotSignedIn)
    unsure = ask(server, "boss", "close", "cup")
    assert (unsure.exit_code, unsure.stdout) == (1, "")
    assert "Close cup? It can't be opened again" in unsure.stderr
    # As people see it.
    done = thousand(
        *("server", "start", "cup", "--server", server.address),
        check=False,
        THOUSAND_TOKEN=server.tokens["anna"],
    )
    assert done.stderr == "error: this is for organisers only; ask one to do it\n"


def test_metrics(server: ArenaServer) -> None:
    with urllib.request.urlopen(f"{server.pages}/metrics/") as page:
        text = page.read().decode()
    for name in (
        'thousand_submissions{state="ready"}', 'thousand_matches_total{result="void"} 0.0',
        "thousand_games_total", "thousand_queue_length", "thousand_standings_fit_seconds_count",
    ):  # fmt: skip
        assert name in text, text
    with urllib.request.urlopen(f"{server.pages}/healthz") as page:
        assert page.status == 200


def test_a_second_signal_does_not_wait_for_matches(tmp_path: Path) -> None:
    slow = bot_folder(tmp_path, "slow")
    code = (slow / "bot.py").read_text()
    (slow / "bot.py").write_text(code.replace('print("I am slow"', "import time; time.sleep(9"))
    file = open_tournament(tmp_path, slow, "random", "counter")
    with arena_server(tmp_path, tournaments=(file,)) as server:
        server.add_user("anna")
        server.start()
        process = server.process
        assert process is not None
        assert wait_until(lambda: bool(unfinished_logs(server.data)))
        process.send_signal(signal.SIGTERM)
        assert wait_until(lambda: "finishing the matches" in server.log)
        assert server.stop() == 130
        assert wait_until(lambda: not processes_with(str(tmp_path)))


@pytest.mark.parametrize(
    ("keys", "problem"),
    [
        ('listen = "0.0.0.0:7800"', r"listen: 0.0.0.0:7800 can be reached from other machines"),
        ('http = "192.168.1.1:80"', r"http: 192.168.1.1:80 can be reached"),
        ('listen = "0.0.0.0:7800"\ninsecure = true', "whoever submits a bot can run anything"),
        ('listen = "7800"', "expected HOST:PORT"),
        ("jobs = 0", "jobs: expected 1 to"),
        ("job = 1", "job: unknown key"),
        ("[limits]\nper_day = -1", "limits.per_day: expected"),
        ('[tls]\ncertificate = "a"\nkey = "b"', "tls.certificate: .*no such file"),
        ('tournaments = ["nope"]', "no such file or folder"),
    ],
)
def test_settings_that_are_wrong(keys: str, problem: str, tmp_path: Path) -> None:
    from thousand_referee.service.config import read_config

    (tmp_path / "server.toml").write_text(keys)
    with pytest.raises(ConfigError, match=problem):
        read_config(tmp_path / "server.toml").tournament_files()
