"""Who plays a bot that breaks down is told why, and where its output lies."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena_runs import EXAMPLE_BOTS, thousand
from quick_commands import quick
from thousand_referee.bot_output import last_words, output_files, output_folder_of


@pytest.fixture(scope="module")
def bot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bot with a slip of the pen."""
    folder = tmp_path_factory.mktemp("bots") / "nameerr"
    folder.mkdir()
    (folder / "bot.toml").write_text('command = ["python", "bot.py"]\n')
    (folder / "bot.py").write_text(
        "from thousand import Bot, run\n"
        "class Slip(Bot):\n"
        "    def play(self, view):\n"
        "        return veiw.cards[0]\n"
        "run(Slip)\n"
    )
    return folder


def test_a_match_with_a_bot_that_crashes(bot: Path, tmp_path: Path) -> None:
    data = tmp_path / "data"
    others = [EXAMPLE_BOTS / "counter"] * 2
    done = thousand("match", bot, *others, "--games", "1", "--seed", "s", "--data", data)
    (log,) = (data / "logs" / "_matches").iterdir()
    match = log.name.removesuffix(".jsonl.gz")
    output = data / "output" / "_matches" / match / "0-nameerr.log"
    lines = done.stdout.splitlines()
    assert "nameerr crashed: NameError: name 'veiw' is not defined" in lines[4]
    assert lines[5] == f"  what it printed: {output}, and 2 more of its restarts"
    for arguments in (("show", match), ("show", match, "--game", "0")):
        _, told, _ = quick("log", *arguments, "--data", data)
        assert told.count(f"what it printed: {output}") == 1
    output.unlink()
    _, told, _ = quick("log", "show", match, "--data", data)
    assert "crash" in told
    assert "what it printed" not in told


def test_the_last_words_are_short_and_safe(tmp_path: Path) -> None:
    first, second = tmp_path / "0-b.log", tmp_path / "0-b-restart-1.log"
    first.write_text("Traceback (most recent call last):\n  File x\nValueError: \x1b[31m1\n")
    second.write_text("so long" + "!" * 500)
    files = output_files(tmp_path, 0, "b")
    assert files == [first, second]
    assert last_words(files) == "ValueError: \\x1b[31m1"
    assert last_words([second]) == "so long" + "!" * 192 + "…"
    assert last_words([]) == ""


def test_a_name_in_a_log_leads_to_no_other_folder(tmp_path: Path) -> None:
    (tmp_path / "0-").mkdir()
    (tmp_path / "secret.log").write_text("")
    assert output_files(tmp_path, 0, "/../secret") == []
    log = tmp_path / "data" / "logs" / "t" / "m1.jsonl.gz"
    assert output_folder_of(log) == tmp_path / "data" / "output" / "t" / "m1"
