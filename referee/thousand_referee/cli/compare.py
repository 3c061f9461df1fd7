"""``thousand compare``: is the new bot better than the old one?"""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TextIO

import click

from thousand_referee.cli.options import SEED, data_option
from thousand_referee.cli.status_line import StatusLine
from thousand_referee.compare.sequential import LARGEST_ELO, Plan, SequentialTest, Verdict

if TYPE_CHECKING:
    from thousand_referee.compare.matches import Contest
    from thousand_referee.coordinator import Drain
    from thousand_referee.matchlog.summary import MatchSummary
    from thousand_referee.spec import MatchSpec

_TABLES: Final = 16
_PLAN: Final = Plan()
_STOPPING: Final = "finishing the matches under way; press Ctrl-C again to stop at once"


@click.command("compare")
@click.argument("new", type=click.Path(path_type=Path))
@click.argument("old", type=click.Path(path_type=Path))
@click.option(
    "--against",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="BOT",
    help="The third bot at the table, instead of a twin of OLD; may be given several times.",
)
@click.option(
    "--elo0", type=float, default=_PLAN.elo0, show_default=True, help="Up to here, no difference."
)
@click.option(
    "--elo1",
    type=float,
    default=_PLAN.elo1,
    show_default=True,
    help="From here on, a difference that is to be found.",
)
@click.option(
    "--alpha",
    type=float,
    default=_PLAN.alpha,
    show_default=True,
    help="Share of equal bots that are called better or worse.",
)
@click.option(
    "--beta",
    type=float,
    default=_PLAN.beta,
    show_default=True,
    help="Share of bots better by elo1 that are not called so.",
)
@click.option("--max-blocks", type=click.IntRange(2), default=2000, show_default=True)
@click.option("--seed", type=SEED, help="Seed of the cards; by default another one each time.")
@click.option(
    "--jobs",
    type=click.IntRange(1, 256),
    help="Matches at a time; by default one for every two processors.",
)
@data_option
@click.option("--json", "as_json", is_flag=True, help="Print the outcome as JSON.")
def compare_command(
    new: Path,
    old: Path,
    against: tuple[Path, ...],
    elo0: float,
    elo1: float,
    alpha: float,
    beta: float,
    max_blocks: int,
    seed: str | None,
    jobs: int | None,
    data: Path,
    as_json: bool,
) -> None:
    """Play until it is clear whether NEW is better than OLD, worse, or neither.

    Block after block is played, the same cards in all seatings, until a sequential test
    decides. The third at the table is a twin of OLD, or with --against other bots in
    turn. All are folders with a bot.toml. With the same seed the same bots get the same
    verdict.
    """
    from thousand_referee.compare.matches import planned_matches
    from thousand_referee.coordinator import draining, play_matches
    from thousand_referee.data_folder import SINGLE_MATCHES, DataFolder
    from thousand_referee.executor import LocalExecutor
    from thousand_referee.single_match import new_id
    from thousand_referee.spec import TimeLimits

    try:
        test = SequentialTest(Plan(elo0, elo1, alpha, beta))
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    contest = _contest(new, old, against)
    folder = DataFolder.open(data, create=True)
    seed = seed or secrets.token_hex(8)
    specs = planned_matches(
        contest,
        name=f"compare-{new_id()}",
        seed=seed,
        blocks=max_blocks,
        tables=_TABLES,
        time=TimeLimits(),
        log_dir=str(folder.logs / SINGLE_MATCHES),
        output_dir=str(folder.output / SINGLE_MATCHES),
    )
    jobs = jobs or max(1, (os.cpu_count() or 1) // 2)
    executor = LocalExecutor(jobs)
    watcher = _Watcher(contest, test, max_blocks)
    with draining(partial(watcher.say, _STOPPING), _stop) as drain:
        watcher.drain = drain
        try:
            play_matches(specs, executor, executor.at_once, watcher, drain)
        finally:
            watcher.clear()
            executor.shutdown()
    outcome = _outcome(contest, test, watcher.faults, seed)
    if as_json:
        from thousand_referee.cli.output import json_text

        click.echo(json_text(outcome))
    else:
        _print(contest, test, watcher.faults)
    if drain.is_wanted and test.verdict is Verdict.UNDECIDED:
        sys.exit(130)


def _contest(new: Path, old: Path, against: Sequence[Path]) -> Contest:
    """Read the bots, each under a name of its own."""
    from thousand_referee.compare.matches import Contest
    from thousand_referee.single_match import read_entries

    first, second, twin, *thirds = read_entries([new, old, old, *against])
    return Contest(first, second, twin, tuple(thirds))


class _Watcher:
    """Puts blocks to the test as they come in, and tells how it goes."""

    drain: Drain

    def __init__(
        self, contest: Contest, test: SequentialTest, most: int, out: TextIO | None = None
    ) -> None:
        from thousand_referee.compare.matches import BlockScores

        self.faults = 0
        self._contest = contest
        self._test = test
        self._scores = BlockScores(contest)
        self._most = most
        self._games = 0
        self._line = StatusLine(out)

    def started(self, spec: MatchSpec) -> None:
        """A match was started."""

    def finished(self, spec: MatchSpec, summary: MatchSummary) -> None:
        """Take a match's games; stop once all is clear."""
        self._games += len(summary.games)
        for bot, kinds in zip(summary.bots, summary.faults, strict=True):
            if bot.name == self._contest.new.name:
                self.faults += sum(kinds.values())
        self._scores.add(summary)
        for score in self._scores.take():
            if self._test.add(score) is not Verdict.UNDECIDED:
                self.drain.is_wanted = True
                return

    def voided(self, spec: MatchSpec, reason: str) -> None:
        """Say that a match is played again."""
        self.say(f"{spec.match} is void and will be played again: {reason}")

    def ticked(self) -> None:
        """Tell how it stands, if it is time to."""
        self._line.tick(self._describe)

    def say(self, text: str) -> None:
        """Write a line of its own."""
        self._line.say(text)

    def clear(self) -> None:
        """Take the line of progress off the terminal."""
        self._line.clear()

    def _describe(self) -> str:
        """Say how it stands: ``compare: 288 games, +23 Elo (-8 to +54), 40% to "better"``."""
        if self._test.estimate is None:
            return f"compare: {self._games:,} games, no estimate yet"
        return f"compare: {self._games:,} games, {_elo(self._test)}, {self._leaning()}"

    def _leaning(self) -> str:
        """Say how near the test is to its verdict; it ends at 100%, or with the last block."""
        test = self._test
        better, worse = test.ratios
        low, high = test.plan.bounds
        if better > 0 or worse > 0:
            name, ratio = ("better", better) if better >= worse else ("worse", worse)
            share = ratio / high
        else:
            name, share = "no difference", min(better / low, worse / low)
        # A few blocks are played in any case, however clear it is.
        return f'{min(share, 0.99):.0%} of the way to "{name}"'


def _elo(test: SequentialTest) -> str:
    estimate = test.estimate
    if estimate is None:
        return "no estimate yet"
    return f"{estimate.elo:+.0f} Elo ({estimate.low:+.0f} to {estimate.high:+.0f})"


def _result(test: SequentialTest) -> str:
    """Give the estimate; of a bot that always wins, or always loses, only its near end."""
    estimate = test.estimate
    if estimate is not None and abs(estimate.elo) >= LARGEST_ELO:
        more = estimate.elo > 0
        return f"more than {estimate.low:+.0f} Elo" if more else f"below {estimate.high:+.0f} Elo"
    return _elo(test)


def _outcome(contest: Contest, test: SequentialTest, faults: int, seed: str) -> dict[str, Any]:
    """Give the outcome for programs."""
    better, worse = test.ratios
    low, high = test.plan.bounds
    return {
        "verdict": test.verdict,
        "new": {"name": contest.new.name, "version": contest.new.version},
        "old": {"name": contest.old.name, "version": contest.old.version},
        "against": [bot.name for bot in contest.thirds],
        "blocks": test.blocks,
        "games": test.blocks * contest.games_per_block,
        "score": test.mean,
        "estimate": test.estimate,
        "evidence": {"better": better, "worse": worse, "no": low, "yes": high},
        "plan": test.plan,
        "faults": faults,
        "seed": seed,
    }


def _print(contest: Contest, test: SequentialTest, faults: int) -> None:
    """Say what came out, in a sentence or two."""
    new, old = contest.new.name, contest.old.name
    said = {
        Verdict.BETTER: f"{new} is better than {old}",
        Verdict.WORSE: f"{new} is worse than {old}",
        Verdict.NO_DIFFERENCE: f"no difference between {new} and {old}",
        Verdict.UNDECIDED: f"undecided between {new} and {old}",
    }[test.verdict]
    games = test.blocks * contest.games_per_block
    click.echo(f"{said}: {_result(test)}, after {test.blocks:,} blocks ({games:,} games)")
    if faults:
        click.echo(f"{new} committed {faults} faults: see thousand log list, and its output")


def _stop() -> None:
    """End without waiting: match processes notice, and end their bots."""
    print("\nstopped at once", file=sys.stderr, flush=True)
    os._exit(130)
