"""Whether a tournament can go on as its file now describes it.

What would change the results of matches, or the meaning of those played, may not
change. Allowed are: other `tables`; more entries, unless they turn everyone-meets-everyone
into a gauntlet; more `blocks`, if those so far fill whole matches, because the old
schedule is then the beginning of the new one. A balanced schedule may change in whatever
way keeps all of its matches. An open one has no schedule to keep.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from thousand.rules import block_seed
from thousand_referee.balanced import balanced_schedule
from thousand_referee.errors import ConfigError
from thousand_referee.store.values import StoredEntry, StoredTournament
from thousand_referee.tournament_file import Entry, TournamentFile


def resumed_seed(
    stored: StoredTournament,
    seed_proof: Mapping[str, Any] | None,
    ranges: Iterable[tuple[int, int]],
    file: TournamentFile,
) -> str:
    """Give the tournament's seed, if the file goes on with it; ConfigError if it can't.

    The error names the first difference. `seed_proof` is a block's seed, for when the
    tournament's isn't stored. `ranges` are the first blocks and numbers of games of the
    matches played.
    """
    seed = _check_seed(stored, seed_proof, file)
    _check_settings(stored, file)
    if "games_per_match" not in stored.config:
        _check_ranges(ranges, file)
    entries = {entry.name: entry for entry in file.entries}
    for old in stored.entries:
        _check_entry(stored.name, old, entries.pop(old.name, None))
    if (
        stored.config.get("blocks_per_entry") is not None
        and file.mode == "fixed"
        and not (file.accepts_entries and stored.matches == 0)
    ):
        _check_balanced(stored, file)
    was_gauntlet = any(entry.gauntlet for entry in stored.entries)
    for name, entry in entries.items():
        if entry.gauntlet and not was_gauntlet:
            raise _refusal(
                stored.name,
                f"the new entry {name!r} would turn it into a gauntlet",
                "enter it without gauntlet",
            )
    return seed


def _check_seed(
    stored: StoredTournament, proof: Mapping[str, Any] | None, file: TournamentFile
) -> str:
    if stored.seed is not None:
        if file.seed not in (None, stored.seed):
            raise _refusal(stored.name, f"seed was {stored.seed!r}, is {file.seed!r}", "undo this")
        return stored.seed
    if file.seed is None:
        raise _refusal(
            stored.name, "its seed is unknown (only its match logs are left)", "set seed"
        )
    if proof and block_seed(file.seed, proof["trio"], proof["block"]).hex() != proof["seed"]:
        raise _refusal(stored.name, f"its matches had another seed than {file.seed!r}", "undo this")
    return file.seed


def _check_settings(stored: StoredTournament, file: TournamentFile) -> None:
    before, now = _flat(stored.config), _flat(file.config())
    if "blocks" in before:
        before.setdefault("schedule", "full")  # there was no other when this was stored
    if "games_per_match" in before:  # more is known of it than its logs tell
        before.setdefault("mode", "fixed")
        now.setdefault("mode", "fixed")
    for key, value in now.items():
        old = before.get(key, value)
        if key == "tables" or old == value:
            continue
        if key not in ("blocks", "blocks_per_entry"):
            raise _refusal(stored.name, f"{key} was {old}, is {value}", "undo this")
        if value < old:
            raise _refusal(
                stored.name, f"{key} was {old}, is {value}", "undo this (it may be raised only)"
            )
        if key == "blocks" and old % before["games_per_match"]:
            raise _refusal(
                stored.name,
                f"blocks was {old}, is {value}",
                f"undo this ({old} is no multiple of games_per_match, so it can't be raised)",
            )


def _check_ranges(ranges: Iterable[tuple[int, int]], file: TournamentFile) -> None:
    for first_block, games in sorted(ranges):
        most = least = file.games_per_match
        key, blocks = "blocks_per_entry", file.blocks_per_entry
        if file.blocks is not None:
            key, blocks = "blocks", file.blocks
            most = least = min(file.games_per_match, blocks - first_block)
        else:
            least = 1  # it depends on the trio
        if first_block % file.games_per_match or not least <= games <= most:
            raise _refusal(
                file.name,
                f"it has matches of {games} games from block {first_block} on, "
                f"but {key} is {blocks} and games_per_match {file.games_per_match}",
                "set them as they were",
            )


def _check_balanced(stored: StoredTournament, file: TournamentFile) -> None:
    """Refuse a balanced schedule that doesn't have all matches of the stored one."""
    blocks, games = stored.config["blocks_per_entry"], stored.config["games_per_match"]
    names = [entry.name for entry in stored.entries]
    if (blocks, sorted(names)) == (file.blocks_per_entry, sorted(file.names)):
        return
    before = balanced_schedule(names, blocks, games)
    if not set(before) <= set(file.plan()):
        what = f"blocks_per_entry was {blocks}, is {file.blocks_per_entry}"
        if len(names) < len(file.names):
            what = f"it had {len(names)} entries and has {len(file.names)}"
        raise _refusal(
            stored.name, f"{what}, and its balanced schedule would be another", "undo this"
        )


def _check_entry(tournament: str, old: StoredEntry, new: Entry | None) -> None:
    if new is None:
        raise _refusal(tournament, f"entry {old.name!r} is missing", "put it back")
    if new.bot.version != old.version:
        raise _refusal(
            tournament,
            f"the files of entry {old.name!r} changed, from version {old.version} to "
            f"{new.bot.version}",
            "restore them, enter the new version as another entry",
        )
    if old.gauntlet not in (None, new.gauntlet):
        raise _refusal(
            tournament,
            f"gauntlet of entry {old.name!r} was {_word(old.gauntlet)}, is {_word(new.gauntlet)}",
            "undo this",
        )


def _refusal(tournament: str, problem: str, remedy: str) -> ConfigError:
    return ConfigError(
        f"tournament {tournament!r} can't go on: {problem}; {remedy}, or start another "
        f'tournament: set another name in the file, such as name = "{tournament}-2"'
    )


def _flat(config: Mapping[str, Any]) -> dict[str, Any]:
    """Give nested settings under names such as ``time.move_ms``."""
    flat: dict[str, Any] = {}
    for key, value in config.items():
        if isinstance(value, Mapping):
            flat |= {f"{key}.{inner}": each for inner, each in value.items()}
        else:
            flat[key] = value
    return flat


def _word(value: bool | None) -> str:
    return str(value).lower()
