from __future__ import annotations

import json
from pathlib import Path

import pytest

from thousand_referee.errors import ConfigError
from thousand_referee.spec import FaultLimits, TimeLimits
from thousand_referee.tournament_file import read_tournament

TOURNAMENTS = Path(__file__).parents[2] / "tournaments"
ENTRIES = "".join(f'[[entry]]\nbot = "bots/{name}"\n' for name in ("one", "two", "three"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("one", "two", "three"):
        bot = tmp_path / "bots" / name
        bot.mkdir(parents=True)
        (bot / "bot.toml").write_text('command = ["python", "bot.py"]')
    broken = tmp_path / "bots" / "broken"
    broken.mkdir()
    (broken / "bot.toml").write_text("command = 7")
    return tmp_path


def write(folder: Path, text: str, name: str = "cup.toml") -> Path:
    file = folder / name
    file.write_bytes(text.encode())
    return file


def test_entries_alone_are_enough(folder: Path) -> None:
    tournament = read_tournament(write(folder, ENTRIES))
    assert tournament.name == "cup"
    assert tournament.seed is None
    assert (tournament.blocks, tournament.games_per_match, tournament.tables) == (20, 20, 64)
    assert (tournament.time, tournament.faults) == (TimeLimits(), FaultLimits())
    assert tournament.names == ("one", "two", "three")
    assert tournament.challengers == ()
    assert tournament.entries[0].bot.folder == folder / "bots" / "one"


def test_every_key(folder: Path) -> None:
    text = """
        name = "Cup 2"
        seed = "a long one"
        blocks = 1
        games_per_match = 3
        tables = 256
        [time]
        move_ms = 1
        bank_ms = 0
        connect_ms = 2
        match_ms = 3
        [faults]
        per_game = 1
        restarts = 0
        [sandbox]
        kind = "docker"
        base_image = "python:3.13"
        build_network = true
build_args = { NODE_IMAGE = "node:22" }
        memory_mb = 512
        cpus = 1.5
        cpuset = "0-2,7"
        pids = 99
        tmp_mb = 1
        open_files = 64
        runtime = "runsc"
        [[entry]]
        bot = "bots/one"
        [[entry]]
        bot = "bots/one"
        name = "twin"
        gauntlet = true
        [[entry]]
        bot = "./bots/../bots/two/"
        gauntlet = false
    """
    tournament = read_tournament(write(folder, text))
    assert (tournament.name, tournament.seed) == ("Cup 2", "a long one")
    assert tournament.names == ("one", "twin", "two")
    assert tournament.challengers == ("twin",)
    assert tournament.entries[1].bot == tournament.entries[0].bot
    assert json.loads(json.dumps(tournament.config())) == {
        "schedule": "full",
        "blocks": 1,
        "games_per_match": 3,
        "tables": 256,
        "time": {"move_ms": 1, "bank_ms": 0, "connect_ms": 2, "match_ms": 3},
        "faults": {"per_game": 1, "restarts": 0},
        "sandbox": {
            "kind": "docker",
            "base_image": "python:3.13",
            "build_network": True,
            "build_args": {"NODE_IMAGE": "node:22"},
            "memory_mb": 512,
            "cpus": 1.5,
            "cpuset": "0-2,7",
            "pids": 99,
            "tmp_mb": 1,
            "open_files": 64,
            "runtime": "runsc",
        },
    }


def test_a_balanced_schedule(folder: Path) -> None:
    text = f'schedule = "balanced"\nblocks_per_entry = 5\n{ENTRIES}'
    tournament = read_tournament(write(folder, text))
    assert (tournament.schedule, tournament.blocks_per_entry) == ("balanced", 5)
    config = tournament.config()
    assert (config["schedule"], config["blocks_per_entry"]) == ("balanced", 5)
    assert "blocks" not in config
    assert tournament.plan().games == 5 * 6


@pytest.mark.parametrize(
    ("seed", "text"), [("7", "7"), ("-3", "-3"), ('"7"', "7"), ('"é x"', "é x")]
)
def test_a_seed_is_text(folder: Path, seed: str, text: str) -> None:
    assert read_tournament(write(folder, f"seed = {seed}\n{ENTRIES}")).seed == text


FOURTH = ENTRIES + "[[entry]]\n"
BAD_FILES = {
    "no entries": ("", "entry: a tournament needs at least 3 entries, got 0; add"),
    "two entries": (ENTRIES[: ENTRIES.rindex("[[")], "entry: a tournament needs at least 3"),
    "entry isn't a list": ("entry = 3", "entry: expected list, got int"),
    "entry isn't a table": ("entry = [1, 2, 3]", "entry 1: expected table, got int"),
    "entry without bot": (FOURTH + 'name = "x"', "entry 4: bot: missing; add this key"),
    "bot is a number": (FOURTH + "bot = 4", "entry 4: bot: expected str, got int"),
    "bot is empty": (FOURTH + 'bot = ""', "entry 4: bot: expected a folder, got ''"),
    "bot has a zero": (FOURTH + r'bot = "a\u0000"', "entry 4: bot: expected a folder"),
    "bot is nowhere": (FOURTH + 'bot = "bots/four"', "bots/four: no such folder; give"),
    "bot is a file": (FOURTH + 'bot = "cup.toml"', "entry 4: bot: "),
    "bot is broken": (FOURTH + 'bot = "bots/broken"', "bot.toml: command: expected list, got int"),
    "unknown entry key": (
        FOURTH + 'bto = "x"',
        "entry 4: bto: unknown key; did you mean bot? the keys here are bot",
    ),
    "gauntlet isn't a bool": (
        FOURTH + 'bot = "bots/one"\ngauntlet = 1',
        "entry 4: gauntlet: expected bool, got int",
    ),
    "same name twice": (
        FOURTH + 'bot = "bots/one"',
        "entry 4 (bots/one): it is called 'one', as entry 1 is; add name = \"one-2\" to that",
    ),
    "same given name": (
        FOURTH + 'bot = "bots/one"\nname = "three"',
        "entry 4 (bots/one): it is called 'three', as entry 3 is; change that to name = ",
    ),
    "entry's name is bad": (
        FOURTH + 'bot = "bots/one"\nname = "../x"',
        "entry 4: name: '../x' is no name; use 1 to 64 characters",
    ),
    "entry's name is a number": (
        FOURTH + 'bot = "bots/one"\nname = 4',
        "entry 4: name: expected str, got int",
    ),
    "name is a number": ("name = 3\n" + ENTRIES, "name: expected str, got int"),
    "name is empty": ('name = ""\n' + ENTRIES, "name: '' is no name; use"),
    "name leaves": ('name = ".."\n' + ENTRIES, "name: '..' is no name; use"),
    "seed is a float": ("seed = 0.5\n" + ENTRIES, "seed: expected int | str, got float"),
    "seed is a bool": ("seed = true\n" + ENTRIES, "seed: expected int | str, got bool"),
    "seed is empty": ('seed = ""\n' + ENTRIES, "seed: expected a number or 1 to 200 printable"),
    "seed has a zero": ('seed = "a\\u0000"\n' + ENTRIES, "seed: expected a number or"),
    "seed is long": (f'seed = "{"x" * 201}"\n' + ENTRIES, "seed: expected a number or"),
    "seed is huge": (f"seed = 0x{'f' * 5000}\n" + ENTRIES, "seed: expected a number or"),
    "blocks is 0": ("blocks = 0\n" + ENTRIES, "blocks: expected 1 to 99999, got 0"),
    "blocks is huge": (f"blocks = 0x{'f' * 5000}\n" + ENTRIES, "blocks: expected 1 to 99999"),
    "blocks is text": ('blocks = "5"\n' + ENTRIES, "blocks: expected int, got str"),
    "blocks of the other schedule": (
        "blocks_per_entry = 3\n" + ENTRIES,
        'blocks_per_entry: is for schedule = "balanced"; set that, or blocks',
    ),
    "no blocks": ('schedule = "balanced"\n' + ENTRIES, "blocks_per_entry: missing; a balanced"),
    "blocks twice": (
        'schedule = "balanced"\nblocks = 1\nblocks_per_entry = 3\n' + ENTRIES,
        "blocks: is for each trio",
    ),
    "balanced gauntlet": (
        'schedule = "balanced"\nblocks_per_entry = 3\n' + ENTRIES + "gauntlet = true",
        'entry 3: gauntlet: a gauntlet needs schedule = "full"',
    ),
    "blocks per entry": ("blocks_per_entry = 0\n" + ENTRIES, "blocks_per_entry: expected 1 to"),
    "schedule": ('schedule = "swiss"\n' + ENTRIES, "schedule: invalid enum value"),
    "no games": ("games_per_match = 0\n" + ENTRIES, "games_per_match: expected 1 to 1000, got 0"),
    "no tables": ("tables = 0\n" + ENTRIES, "tables: expected 1 to 256, got 0"),
    "many tables": ("tables = 257\n" + ENTRIES, "tables: expected 1 to 256, got 257"),
    "tables is a float": ("tables = 2.0\n" + ENTRIES, "tables: expected int, got float"),
    "move is text": ('[time]\nmove_ms = "1 s"\n' + ENTRIES, "time.move_ms: expected int, got str"),
    "move is 0": ("[time]\nmove_ms = 0\n" + ENTRIES, "time.move_ms: expected 1 to 86400000, got 0"),
    "bank is negative": ("[time]\nbank_ms = -1\n" + ENTRIES, "time.bank_ms: expected 0 to"),
    "connect is 0": ("[time]\nconnect_ms = 0\n" + ENTRIES, "time.connect_ms: expected 1 to"),
    "match is 0": ("[time]\nmatch_ms = 0\n" + ENTRIES, "time.match_ms: expected 1 to"),
    "no faults": ("[faults]\nper_game = 0\n" + ENTRIES, "faults.per_game: expected 1 to 1000"),
    "little memory": ("[sandbox]\nmemory_mb = 1\n" + ENTRIES, "sandbox.memory_mb: expected 32 to"),
    "no processor": ("[sandbox]\ncpus = nan\n" + ENTRIES, "sandbox.cpus: expected 0.1 to 1024"),
    "cpuset": ('[sandbox]\ncpuset = "all"\n' + ENTRIES, "sandbox.cpuset: expected processors"),
    "sandbox kind": ('[sandbox]\nkind = "jail"\n' + ENTRIES, "sandbox.kind: invalid enum value"),
    "restarts": ("[faults]\nrestarts = -1\n" + ENTRIES, "faults.restarts: expected 0 to 1000"),
    "time is a number": ("time = 3\n" + ENTRIES, "time: expected table, got int"),
    "unknown key": (
        "block = 3\n" + ENTRIES,
        "block: unknown key; did you mean blocks? the keys here are entry, name",
    ),
    "unknown time": (
        "[time]\nmove = 3\n" + ENTRIES,
        "time.move: unknown key; did you mean move_ms? the keys here are move_ms, bank_ms",
    ),
    "hostile key": ('"a\\u001b[1m" = 3\n' + ENTRIES, "'a\\x1b[1m: unknown key"),
    "not TOML": ("blocks = = 3\n" + ENTRIES, "not TOML: Invalid value (at line 1, column 10)"),
    "key twice": ("blocks = 3\nblocks = 3\n" + ENTRIES, "not TOML: Cannot overwrite a value"),
    "endless number": (f"seed = {'9' * 5000}\n" + ENTRIES, "not TOML: Exceeds the limit"),
    "endless nesting": ("seed = " + "[" * 50_000, "nested too deeply"),
}


@pytest.mark.parametrize(("text", "problem"), BAD_FILES.values(), ids=BAD_FILES.keys())
def test_a_bad_file_is_named_with_its_key(folder: Path, text: str, problem: str) -> None:
    file = write(folder, text)
    with pytest.raises(ConfigError) as caught:
        read_tournament(file)
    message = str(caught.value)
    assert message.startswith(f"{file}: ")
    assert problem in message
    assert message.isprintable()


def test_a_file_name_that_is_no_name_needs_the_key(folder: Path) -> None:
    with pytest.raises(
        ConfigError, match=r"name: '@' \(the file's name; set this key\) is no name"
    ):
        read_tournament(write(folder, ENTRIES, "@.toml"))
    assert read_tournament(write(folder, 'name = "at"\n' + ENTRIES, "@.toml")).name == "at"


def test_files_that_cannot_be_read(folder: Path) -> None:
    with pytest.raises(ConfigError, match=r"none\.toml: no such file; check the path"):
        read_tournament(folder / "none.toml")
    with pytest.raises(ConfigError, match="bots: not a file"):
        read_tournament(folder / "bots")
    with pytest.raises(ConfigError, match=r"cup\.toml/x\.toml: can't be read \(Not a directory\)"):
        read_tournament(write(folder, ENTRIES) / "x.toml")
    (folder / "latin.toml").write_bytes(b'name = "caf\xe9"')
    with pytest.raises(ConfigError, match=r"latin\.toml: not UTF-8 text \(byte 11\)"):
        read_tournament(folder / "latin.toml")


@pytest.mark.parametrize("name", ["demo", "smoke"])
def test_the_files_people_copy_are_right(name: str) -> None:
    tournament = read_tournament(TOURNAMENTS / f"{name}.toml")
    assert tournament.name == name
    assert tournament.seed is not None
    assert {"counter", "cautious", "random"} <= set(tournament.names)
