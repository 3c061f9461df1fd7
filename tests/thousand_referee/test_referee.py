"""The referee: the rules about clock and faults, each as a story told by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from match_maker import match_spec
from referee_bench import Bench, illegal_action, short_games, wrong_action
from thousand.messages import Answer, BadAnswer, GameEnd, GameStart
from thousand.rules import Bid
from thousand_referee.faults import FaultKind
from thousand_referee.lag import BEAT_SECONDS
from thousand_referee.referee import GRACE_SECONDS, STALE_LIMIT
from thousand_referee.spec import FaultLimits, TimeLimits

MOVE, BANK = 1, 2
LIMITS = TimeLimits(move_ms=1000 * MOVE, bank_ms=1000 * BANK, connect_ms=1000, match_ms=60_000)
TOO_LONG = MOVE + BANK + 2 * GRACE_SECONDS


def bench(
    folder: Path = Path("/nowhere"),
    *,
    games: int = 1,
    tables: int = 1,
    restarts: int = 2,
    per_game: int = 3,
    limits: TimeLimits = LIMITS,
) -> Bench:
    faults = FaultLimits(per_game=per_game, restarts=restarts)
    return Bench(match_spec(folder, games=games, tables=tables, time=limits, faults=faults))


# Sending


def test_a_match_without_faults_is_played_to_its_end(tmp_path: Path) -> None:
    match = bench(games=5, tables=2)
    match.play_out()
    assert match.faults == []
    assert sorted(game.game for game in match.games) == [0, 1, 2, 3, 4]
    assert len(match.verified(tmp_path).games) == 5


def test_only_so_many_tables_are_played_at_once() -> None:
    match = bench(games=5, tables=2)
    match.send()
    assert match.notices[0] == []
    seat = match.asked()
    assert [note for note in match.notices[seat] if isinstance(note, GameStart)] == [
        GameStart(0),
        GameStart(1),
    ]
    assert {prompt.view.game for prompt in match.sent[seat]} == {0, 1}


def test_prompts_wait_while_the_bot_works_on_the_message_before() -> None:
    match = bench(games=2, tables=2)
    seat = match.asked()
    first, second = match.sent[seat]
    match.say(seat, Answer(first.id, Bid(100)))
    while match.referee.seats[seat].prompts == []:
        match.send()
        other = next(other for other in range(3) if other != seat and match.sent[other])
        match.answer(other)
    match.send()
    assert match.sent[seat] == [second]
    match.say(seat, Answer(second.id, Bid(100)))
    match.send()
    assert len(match.sent[seat]) > 0


def test_prompts_wait_for_those_of_a_quarter_of_the_tables_while_others_work() -> None:
    match = bench(games=12, tables=12)
    first = match.asked()
    then = (first + 1) % 3
    match.answer(first, count=2)
    match.send()
    assert match.sent[then] == []
    match.answer(first, count=1)
    match.send()
    assert len(match.sent[then]) == 3


def test_prompts_wait_no_longer_than_two_beats() -> None:
    match = bench(games=12, tables=12)
    first = match.asked()
    then = (first + 1) % 3
    match.answer(first, count=1)
    match.wait(BEAT_SECONDS)
    match.send()
    assert match.sent[then] == []
    match.wait(BEAT_SECONDS)
    match.send()
    assert len(match.sent[then]) == 1


def test_nobodys_clock_runs_for_a_prompt_that_was_not_sent() -> None:
    match = bench()
    match.wait(1000)
    seat = match.asked()
    match.wait(MOVE)
    match.answer(seat)
    assert match.faults == []
    assert match.referee.seats[seat].clock.charged == MOVE


def test_prompt_numbers_are_the_seats_own() -> None:
    """Shared numbers would tell a bot how often the others had a choice."""
    match = bench(games=3)
    numbers: list[list[int]] = [[], [], []]
    while not match.referee.is_over:
        match.send()
        for seat in range(3):
            numbers[seat] += [prompt.id for prompt in match.sent[seat]]
            if match.sent[seat]:
                match.answer(seat)
    assert numbers == [list(range(1, len(seen) + 1)) for seen in numbers]


def test_at_the_end_everybody_is_told_how_the_last_game_ended() -> None:
    match = bench()
    match.play_out()
    assert [isinstance(notices[-1], GameEnd) for notices in match.notices] == [True] * 3


# Faults


def test_an_illegal_answer_is_replaced_by_the_default_action(tmp_path: Path) -> None:
    match = bench()
    seat = match.asked()
    match.answer(seat, illegal_action)
    match.play_out()
    (fault,) = match.faults
    assert (fault.kind, fault.seat, fault.answer, fault.action) == ("illegal", seat, "5", "100")
    assert fault.prompt is not None
    assert fault.prompt["decision"] == "bid"
    match.verified(tmp_path)


def test_an_answer_to_another_question_is_malformed(tmp_path: Path) -> None:
    match = bench()
    seat = match.asked()
    match.answer(seat, wrong_action)
    match.play_out()
    assert [fault.kind for fault in match.faults] == [FaultKind.MALFORMED]
    match.verified(tmp_path)


def test_an_answer_that_can_not_be_read_is_malformed(tmp_path: Path) -> None:
    match = bench()
    seat = match.asked()
    match.say(seat, BadAnswer(match.sent[seat][0].id, "all Greek"))
    match.play_out()
    assert [(fault.kind, fault.detail) for fault in match.faults] == [("malformed", "all Greek")]
    match.verified(tmp_path)


def test_no_answer_in_time_is_a_timeout(tmp_path: Path) -> None:
    match = bench()
    seat = match.asked()
    match.wait(MOVE + BANK)
    assert match.faults == []
    match.wait(2 * GRACE_SECONDS)
    assert [(fault.kind, fault.seat, fault.action) for fault in match.faults] == [
        ("timeout", seat, "100")
    ]
    match.play_out()
    match.verified(tmp_path)


def test_an_answer_that_comes_too_late_is_a_timeout_too() -> None:
    match = bench()
    seat = match.asked()
    match.now += TOO_LONG
    match.answer(seat)
    assert [fault.kind for fault in match.faults] == [FaultKind.TIMEOUT]


def test_a_late_answer_after_the_timeout_is_stale_and_the_bot_goes_on() -> None:
    match = bench()
    seat = match.asked()
    late = match.sent[seat][0]
    match.wait(TOO_LONG)
    match.say(seat, Answer(late.id, Bid(120)))
    assert match.referee.seats[seat].stale == 1
    match.wait(10 * MOVE)
    assert not match.referee.seats[seat].wants_restart
    assert len(match.faults) == 1


def test_a_bot_silent_one_move_time_after_a_timeout_is_restarted(tmp_path: Path) -> None:
    match = bench(games=8, tables=8)
    seat = match.asked()
    assert len(match.sent[seat]) == 8
    match.wait(TOO_LONG)
    match.wait(MOVE + 2 * GRACE_SECONDS)
    assert match.referee.seats[seat].wants_restart
    hang, silence = match.faults
    assert (hang.game, silence.game) == (0, None)
    assert "silent" in silence.detail
    match.play_out()
    assert len(match.faults) == 2
    match.verified(tmp_path)


def test_answers_to_nothing_are_ignored_and_counted() -> None:
    match = bench()
    seat = match.asked()
    before = list(match.lines)
    (prompt,) = match.sent[seat]
    match.say(seat, Answer(prompt.id + 7, Bid(100)), Answer(0, Bid(100)))
    match.say((seat + 1) % 3, Answer(prompt.id, Bid(100)))
    assert match.lines == before
    assert [match.referee.seats[seat].stale, match.referee.seats[(seat + 1) % 3].stale] == [2, 1]


def test_of_two_answers_to_a_prompt_the_first_counts() -> None:
    match = bench()
    seat = match.asked()
    (prompt,) = match.sent[seat]
    match.say(seat, Answer(prompt.id, Bid(105)), Answer(prompt.id, Bid(110)))
    assert match.referee.seats[seat].stale == 1
    match.say(seat, Answer(prompt.id, Bid(115)))
    assert match.referee.seats[seat].stale == 2
    other = match.asked()
    assert match.sent[other][0].view.bids == ((seat, 105),)


def test_idle_words_give_no_time_to_think(tmp_path: Path) -> None:
    match = bench()
    seat = match.asked()
    for _ in range(10):
        match.say(seat)
        match.say(seat, Answer(0, Bid(100)))
        match.wait(TOO_LONG / 9)
    assert match.faults[0].kind == "timeout"
    match.play_out()
    match.verified(tmp_path)


@pytest.mark.parametrize("answers", [(), (Answer(0, Bid(100)),)])
def test_a_bot_that_talks_too_much_is_restarted(answers: tuple[Answer, ...]) -> None:
    match = bench()
    seat = match.asked()
    for _ in range(STALE_LIMIT):
        match.say(seat, *answers)
    assert match.faults == []
    match.say(seat, *answers)
    assert match.referee.seats[seat].wants_restart
    assert [fault.kind for fault in match.faults] == [FaultKind.MALFORMED]


def test_three_faults_put_a_bot_out_of_that_game_only(tmp_path: Path) -> None:
    match = bench(games=2)
    seat = match.asked()
    while len(match.faults) < 3:
        match.send()
        for each in range(3):
            match.answer(each, *([illegal_action] if each == seat else []))
    assert [fault.out for fault in match.faults] == [None, None, "game"]
    match.play_out()
    assert len(match.faults) == 3
    first, second = match.games
    assert (first.out, first.places[seat]) == ((seat,), 3)
    assert second.out == ()
    assert match.deals[-1].asked[seat] > 0
    match.verified(tmp_path)


# Losing a bot


def test_a_crash_costs_one_table_a_fault_and_the_rest_is_asked_again(tmp_path: Path) -> None:
    match = bench(games=8, tables=8)
    seat = match.asked()
    views = [prompt.view for prompt in match.sent[seat]]
    match.referee.lose(seat, FaultKind.CRASH, "it fell", match.now)
    assert [(fault.kind, fault.game) for fault in match.faults] == [("crash", 0)]
    match.restart(seat)
    match.send()
    assert [prompt.view for prompt in match.sent[seat]][:7] == views[1:]
    assert match.notices[seat] == [GameStart(game) for game in range(8)]
    match.play_out()
    match.verified(tmp_path)


def test_a_crash_while_nothing_is_asked_costs_no_table_anything(tmp_path: Path) -> None:
    match = bench()
    seat = (match.asked() + 1) % 3
    match.referee.lose(seat, FaultKind.CRASH, "it fell", match.now)
    (fault,) = match.faults
    assert (fault.game, fault.prompt, fault.action, fault.out) == (None, None, None, None)
    match.play_out()
    match.verified(tmp_path)


def test_while_a_bot_restarts_nothing_is_sent_heard_or_charged() -> None:
    match = bench()
    seat = match.asked()
    match.referee.lose(seat, FaultKind.CRASH, "it fell", match.now)
    assert not match.referee.has_news(seat)
    match.referee.hear(seat, (Answer(1, Bid(100)),), match.now)
    match.referee.lose(seat, FaultKind.CRASH, "it fell again", match.now)
    match.wait(1000)
    assert len([fault for fault in match.faults if fault.seat == seat]) == 1
    assert match.referee.seats[seat].stale == 0


def test_without_a_restart_left_a_bot_is_out_of_the_match(tmp_path: Path) -> None:
    match = bench(games=6, tables=2, restarts=1)
    seat = match.asked()
    match.referee.lose(seat, FaultKind.CRASH, "it fell", match.now)
    match.restart(seat)
    match.send()
    match.referee.lose(seat, FaultKind.CRASH, "it fell again", match.now)
    assert match.referee.seats[seat].is_out
    assert [fault.out for fault in match.faults] == [None, "match"]
    match.play_out()
    assert [(game.out, game.places[seat]) for game in match.games] == [((seat,), 3)] * 6
    match.verified(tmp_path)


def test_time_for_the_whole_match_is_limited(tmp_path: Path) -> None:
    limits = TimeLimits(move_ms=1000, bank_ms=0, match_ms=5_000)
    match = bench(games=2, limits=limits)
    while not match.referee.is_over:
        match.send()
        for seat in range(3):
            if match.sent[seat]:
                match.now += 0.9 if seat == 0 else 0.0
                match.answer(seat)
    (fault,) = match.faults
    assert (fault.seat, fault.kind, fault.out) == (0, "timeout", "match")
    assert match.referee.seats[0].clock.charged == pytest.approx(5.4)
    match.verified(tmp_path)


def test_timeouts_count_towards_the_time_for_the_whole_match(tmp_path: Path) -> None:
    limits = TimeLimits(move_ms=1000, bank_ms=4000, match_ms=5_000)
    match = bench(limits=limits)
    seat = match.asked()
    match.wait(5 + 2 * GRACE_SECONDS)
    assert match.referee.seats[seat].is_out
    assert [fault.out for fault in match.faults] == [None, "match"]
    match.play_out()
    match.verified(tmp_path)


def test_three_bots_that_are_out_end_500_games_at_once(tmp_path: Path) -> None:
    with short_games(1):
        match = bench(games=500, tables=8, restarts=0)
        for seat in range(3):
            match.referee.lose(seat, FaultKind.NO_START, "it never came", match.now)
        assert match.referee.is_over
        assert len(match.games) == 500
        assert match.games[-1].out == (0, 1, 2)
        assert match.verified(tmp_path).games[-1].places == (1, 1, 1)


def test_nothing_is_a_fault_once_the_match_is_over() -> None:
    match = bench()
    match.play_out()
    before = list(match.lines)
    for seat in range(3):
        match.referee.hear(seat, (Answer(1, Bid(100)),) * 2 * STALE_LIMIT, match.now)
        match.referee.lose(seat, FaultKind.CRASH, "it left", match.now)
    match.wait(1000)
    assert match.lines == before
    assert not any(state.wants_restart or state.is_out for state in match.referee.seats)


def test_a_bot_silent_at_the_end_is_not_restarted() -> None:
    match = bench(per_game=1)
    while not match.referee.is_over:
        match.send()
        for seat in range(3):
            if not match.sent[seat]:
                continue
            if seat == 0 and match.faults == []:
                match.wait(TOO_LONG)
            match.answer(seat)
    match.wait(1000)
    assert len(match.faults) == 1
