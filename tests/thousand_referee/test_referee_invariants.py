"""Whatever bots do and whenever they do it: the match ends, and its log is right."""

from __future__ import annotations

import tempfile
from pathlib import Path
from random import Random

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from match_maker import match_spec
from referee_bench import Bench, illegal_action, short_games, wrong_action
from thousand.defaults import default_action
from thousand.messages import Answer, BadAnswer, Prompt
from thousand.rules import Action, Bid, Give, Play, Raise
from thousand.view import View
from thousand_referee.faults import FaultKind
from thousand_referee.referee import GRACE_SECONDS
from thousand_referee.spec import FaultLimits, TimeLimits

LIMITS = TimeLimits(move_ms=1000, bank_ms=2000, connect_ms=1000, match_ms=200_000)


def any_legal(random: Random, view: View) -> Action:
    if view.legal_plays:
        return random.choice(view.legal_plays)
    if view.legal_gifts:
        return Give(*random.sample(view.legal_gifts, 2))
    if view.legal_raises:
        return Raise(random.choice(view.legal_raises))
    return Bid(random.choice(view.legal_bids))


def any_answer(random: Random, prompt: Prompt, trouble: float) -> Answer | BadAnswer:
    if random.random() >= trouble:
        return Answer(prompt.id, any_legal(random, prompt.view))
    match random.randrange(5):
        case 0:
            return BadAnswer(prompt.id, "all Greek")
        case 1:
            return Answer(prompt.id + random.randrange(1, 5), Play(prompt.view.hand[0]))
        case 2:
            return Answer(prompt.id, wrong_action(prompt.view))
        case 3:
            return Answer(prompt.id, default_action(prompt.view))
        case _:
            return Answer(prompt.id, illegal_action(prompt.view))


def any_event(random: Random, match: Bench, trouble: float) -> None:
    """Let something happen."""
    seat = random.randrange(3)
    if match.referee.seats[seat].wants_restart:
        if random.random() < 0.3:
            match.restart(seat)
        return
    if random.random() < trouble / 4:
        kinds = (FaultKind.CRASH, FaultKind.NO_START, FaultKind.MALFORMED)
        match.referee.lose(seat, random.choice(kinds), "it is lost", match.now)
    elif random.random() < trouble / 2:
        match.wait(random.choice((0.1, 0.9, 1.1, 3.1, 3.5, 20)))
    elif random.random() < trouble:
        match.say(seat)
    elif match.sent[seat]:
        count = random.randint(1, len(match.sent[seat]))
        prompts = random.sample(match.sent[seat], count)
        match.say(seat, *(any_answer(random, prompt, trouble) for prompt in prompts))
    else:
        match.send()


# Traces of a failing match are long: not worth the minutes it takes to shrink them.
PHASES = (Phase.explicit, Phase.reuse, Phase.generate)


@settings(max_examples=40, deadline=None, phases=PHASES)
@given(
    st.randoms(use_true_random=False),
    st.integers(1, 4),
    st.integers(1, 3),
    st.sampled_from((0.005, 0.05, 0.3)),
    st.builds(FaultLimits, per_game=st.integers(1, 3), restarts=st.integers(0, 2)),
)
def test_every_match_ends_and_its_log_is_right(
    random: Random, games: int, tables: int, trouble: float, faults: FaultLimits
) -> None:
    spec = match_spec(
        Path("/nowhere"), games=games, tables=tables, time=LIMITS, faults=faults, seed="any"
    )
    match = Bench(spec)
    random = Random(random.getrandbits(64))
    with short_games(6), tempfile.TemporaryDirectory() as folder:
        for _ in range(1_000):
            if match.referee.is_over:
                break
            any_event(random, match, trouble)
            for seat, state in enumerate(match.referee.seats):
                if state.is_out or state.wants_restart:
                    match.sent[seat].clear()
                    assert not match.referee.has_news(seat)
        match.play_out()
        assert not any(state.open for state in match.referee.seats)
        assert len(match.verified(Path(folder)).games) == games


@settings(max_examples=10, deadline=None, phases=PHASES)
@given(st.integers(1, 20), st.integers(1, 8), st.integers(0, 3), st.floats(0.05, 5))
def test_three_bots_that_say_nothing_do_not_keep_a_match_from_ending(
    games: int, tables: int, restarts: int, step: float
) -> None:
    faults = FaultLimits(per_game=3, restarts=restarts)
    match = Bench(
        match_spec(Path("/nowhere"), games=games, tables=tables, time=LIMITS, faults=faults)
    )
    started = match.now
    with short_games(3):
        while not match.referee.is_over:
            for seat in range(3):
                if match.referee.seats[seat].wants_restart:
                    match.restart(seat)
            match.send()
            match.wait(step)
    assert len(match.games) == games
    hang = (2 * LIMITS.move_ms + LIMITS.bank_ms) / 1000 + 2 * (GRACE_SECONDS + step)
    assert match.now - started <= 3 * (restarts + 1) * hang
