"""Makes real match logs in no time: games played in this process, faults and all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from thousand.defaults import default_action
from thousand.rules import Action, Bid, Deal, Game, Give, Play, Raise, block_seed, deal_cards
from thousand.rules.game import LAST_DEAL, TARGET
from thousand.view import View
from thousand_referee.faults import FaultKind
from thousand_referee.matchlog.records import (
    FORMAT,
    BotLine,
    FaultLine,
    GameLine,
    MatchLine,
    RulesLine,
)
from thousand_referee.matchlog.spelling import action_text, prompt_of
from thousand_referee.matchlog.writer import LogWriter, deal_line
from thousand_referee.schedule import SEATINGS, match_id
from thousand_referee.spec import FaultLimits, TimeLimits
from thousand_referee.times import TimeHistogram

TOURNAMENT_SEED = "a seed for tests"


def choose_boldly(view: View, random: Random) -> Action:
    """Choose like a bold beginner, so that games are lively and not too long."""
    if view.legal_plays:
        announcing = [play for play in view.legal_plays if play.announce]
        leading_high = Play(max(view.cards, key=lambda card: card.points))
        return random.choice(announcing or [leading_high, *view.legal_plays])
    if view.legal_bids:
        return Bid(random.choice([view.legal_bids[0]] * 9 + [*view.legal_bids[:4]]))
    if view.legal_raises:
        return Raise(random.choice([view.contract] * 9 + [*view.legal_raises[:3]]))
    to_left, to_right = random.sample(sorted(view.legal_gifts, key=lambda card: card.points)[:3], 2)
    return Give(to_left, to_right)


@dataclass
class LogMaker:
    """Plays one match, `tables` games at a time, and logs it.

    `fault_rate` is the share of decisions at which a fault happens; every kind gets
    its turn. A bot is out of the match at a crash when no restart is left.
    """

    names: tuple[str, str, str] = ("anna", "boris", "clara")
    first_block: int = 0
    games: int = 3
    tables: int = 2
    fault_rate: float = 0.0
    faults: FaultLimits = field(default_factory=FaultLimits)
    seed: int = 0
    started: str = "2026-01-02T03:04:05+00:00"
    choose: Callable[[View, Random], Action] = choose_boldly
    _out: set[int] = field(default_factory=set)
    _restarts: list[int] = field(default_factory=lambda: [0, 0, 0])

    @property
    def match(self) -> str:
        """The match's id."""
        trio = sorted(self.names, key=str.encode)
        seating = SEATINGS.index(tuple(map(trio.index, self.names)))
        return match_id("test", trio, self.first_block, seating)

    def make(self, folder: Path) -> Path:
        """Play the match and give the path of its finished log."""
        self._random = Random(self.seed)
        self._times = [TimeHistogram() for _ in range(3)]
        with LogWriter(folder, self.header()) as log:
            self._log = log
            waiting = [self._play(game) for game in range(self.games)]
            playing: list[Iterator[None]] = []
            while waiting or playing:
                while waiting and len(playing) < self.tables:
                    playing.append(waiting.pop(0))
                table = self._random.choice(playing)
                if next(table, "over") == "over":
                    playing.remove(table)
            first, second, third = (histogram.to_json() for histogram in self._times)
            return log.finish(self.games, (first, second, third), 1.25)

    def header(self) -> MatchLine:
        """Give the match's first line."""
        first, second, third = (BotLine(name, f"v-{name}") for name in self.names)
        return MatchLine(
            format=FORMAT,
            match=self.match,
            tournament="test",
            bots=(first, second, third),
            first_block=self.first_block,
            games=self.games,
            time=TimeLimits(),
            faults=self.faults,
            rules=RulesLine(TARGET, LAST_DEAL),
            seeds=tuple(self._seed_of(game).hex() for game in range(self.games)),
            tables=self.tables,
            started=self.started,
        )

    def _seed_of(self, game: int) -> bytes:
        return block_seed(TOURNAMENT_SEED, self.names, self.first_block + game)

    def _play(self, number: int) -> Iterator[None]:
        """Play a game; hand over to another table after every question that was put."""
        game, out, faults = Game(), set(self._out), [0, 0, 0]
        while not game.is_over:
            deal = Deal(game.dealer, *deal_cards(self._seed_of(number), game.deals + 1))
            asked, ms = [0, 0, 0], [0.0, 0.0, 0.0]
            while not deal.is_over:
                action = deal.forced()
                if action is None:
                    seat, view = deal.seat, View.of(deal, game, number=number, bank_ms=9_000)
                    if seat not in out | self._out:
                        asked[seat] += 1
                        yield
                    action = default_action(view)
                    if seat not in out | self._out:
                        if self._random.random() < self.fault_rate:
                            faults[seat] += 1
                            if self._fault(view, faults[seat]):
                                out.add(seat)
                        else:
                            action = self.choose(view, self._random)
                            microseconds = int(10 ** self._random.uniform(0, 5))
                            self._times[seat].add(microseconds)
                            ms[seat] += microseconds / 1000
                deal.apply(action)
            game = game.settle(deal.outcome)
            self._log.write(deal_line(number, deal, game, asked, ms))
        out |= self._out
        places = game.places(out)
        self._log.write(
            GameLine(
                game=number,
                block=self.first_block + number,
                places=places,
                winners=tuple(seat for seat in range(3) if places[seat] == 1),
                scores=game.scores,
                deals=game.deals,
                out=tuple(sorted(out)),
            )
        )

    def _fault(self, view: View, count: int) -> bool:
        """Log a fault; give whether the seat is out of the game now."""
        kind = self._random.choice([kind for kind in FaultKind if kind != FaultKind.NO_START])
        out = "game" if count == self.faults.per_game else None
        if kind == FaultKind.CRASH:
            if self._restarts[view.seat] == self.faults.restarts:
                out = "match"
                self._out.add(view.seat)
            else:
                self._restarts[view.seat] += 1
        answers = {FaultKind.ILLEGAL: "999", FaultKind.MALFORMED: "\x1b[31mrubbish"}
        self._log.write(
            FaultLine(
                game=view.game,
                deal=view.deal,
                seat=view.seat,
                kind=kind,
                detail=f"a {kind} by way of trial",
                prompt=prompt_of(view),
                answer=answers.get(kind),
                action=action_text(default_action(view)),
                out=out,
            )
        )
        return out is not None


GOLDEN = Path(__file__).parent / "golden"


def golden_maker() -> LogMaker:
    """Give the maker of the golden log: one game with everything in it, and nasty names."""
    return LogMaker(
        names=("anna", "bo\x1b[31mris", "[bold]clara"), seed=85, fault_rate=0.012, games=1, tables=1
    )


if __name__ == "__main__":  # makes the golden log anew, and what is shown of it
    from thousand_referee.matchlog.show import show_game, show_match

    path = golden_maker().make(GOLDEN)
    shown = "\n".join([*show_match(path), "", *show_game(path, 0), ""])
    path.with_name(path.name.replace(".jsonl.gz", ".txt")).write_text(shown, encoding="utf-8")
