"""One bot's clock: whose time runs, what it is charged, when it has run out.

The clock does not look at the time; every method is told. Times are in seconds of the
referee's fair time (`lag.FairTime`), which stands still while the referee is late.

A decision's time runs from the later of "its prompt was sent" and "the previous answer
came". So a bot with many open prompts is charged for its own work once, not for each.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from thousand_referee.spec import TimeLimits


@dataclass(frozen=True, slots=True)
class Charge:
    """What answers in one message cost: `seconds` each; `late` are those over all limits."""

    seconds: float
    late: frozenset[int]


class Clock:
    """Time of one bot in one match, over all its games.

    `grace` seconds are forgiven at the very end of a decision's time, for input that
    had arrived but was not read yet. `charged` is all the time charged in the match, in
    seconds.
    """

    def __init__(self, limits: TimeLimits, grace: float = 0.0) -> None:
        self._limits = limits
        self._move = limits.move_ms / 1000
        self._full_bank = limits.bank_ms / 1000
        self._match = limits.match_ms / 1000
        self._grace = grace
        self._sent: dict[int, tuple[float, int]] = {}
        self._banks: dict[int, float] = {}
        self._spoke = float("-inf")
        self._silent_since: float | None = None
        self.charged = 0.0

    def bank_ms(self, game: int) -> int:
        """What is left of a game's bank."""
        bank = self._banks.get(game)
        return self._limits.bank_ms if bank is None else int(bank * 1000)

    def start(self, prompt_id: int, game: int, now: float) -> None:
        """A prompt was sent."""
        self._sent[prompt_id] = (now, game)

    def stop(self, prompt_ids: Collection[int], now: float) -> Charge:
        """Answers to these open prompts, one at least, came in one message.

        They share the time since the first of them could be worked on. What exceeds
        the time for a decision is drawn from its game's bank.
        """
        self.break_silence(now)
        started = max(self._spoke, min(self._sent[prompt_id][0] for prompt_id in prompt_ids))
        seconds = max(0.0, now - started) / len(prompt_ids)
        late = set()
        for prompt_id in prompt_ids:
            _, game = self._sent.pop(prompt_id)
            self.charged += seconds
            if seconds > self._move:
                bank = self._banks.get(game, self._full_bank) - (seconds - self._move)
                self._banks[game] = max(0.0, bank)
                if bank < -self._grace:
                    late.add(prompt_id)
        self._spoke = now
        return Charge(seconds, frozenset(late))

    def break_silence(self, now: float) -> None:
        """The bot said something, whatever it was.

        After a timeout that starts its time again. Otherwise it changes nothing: only
        answers end a decision's time, or a bot could think for ever between idle words.
        """
        if self._silent_since is not None:
            self._spoke = now
            self._silent_since = None

    def is_due(self, now: float) -> bool:
        """Whether the oldest open prompt, or a silence after a timeout, has run out.

        `is_silent` says which of the two it is.
        """
        if self._silent_since is not None:
            return now > self._silent_since + self._move + self._grace
        if not self._sent:
            return False
        sent, game = next(iter(self._sent.values()))
        allowed = self._move + self._banks.get(game, self._full_bank) + self._grace
        return now > max(self._spoke, sent) + allowed

    @property
    def is_silent(self) -> bool:
        """Whether the bot has said nothing since a timeout."""
        return self._silent_since is not None

    @property
    def is_used_up(self) -> bool:
        """Whether the bot has spent its time for the whole match."""
        return self.charged > self._match

    def expire(self, now: float) -> tuple[int, float]:
        """Close the oldest open prompt as timed out; give its id and the seconds charged.

        The next prompt's time starts when the bot speaks again. KeyError when none is open.
        """
        prompt_id = next(iter(self._sent))
        sent, game = self._sent.pop(prompt_id)
        seconds = max(0.0, now - max(self._spoke, sent))
        self.charged += seconds
        self._banks[game] = 0.0
        self._silent_since = now
        return prompt_id, seconds

    def is_sent(self, prompt_id: int) -> bool:
        """Whether a prompt was sent and is still open."""
        return prompt_id in self._sent

    @property
    def is_running(self) -> bool:
        """Whether any prompt was sent and is still open."""
        return bool(self._sent)

    def forget_game(self, game: int) -> None:
        """A game has ended; its bank is of no more use."""
        self._banks.pop(game, None)

    def restart(self) -> None:
        """The bot's process was replaced: nothing is open, nobody silent."""
        self._sent.clear()
        self._spoke = float("-inf")
        self._silent_since = None
