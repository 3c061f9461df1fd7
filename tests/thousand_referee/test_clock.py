"""The clock, rule by rule. Times are small whole seconds, so that sums are exact."""

from __future__ import annotations

import pytest

from thousand_referee.clock import Clock
from thousand_referee.spec import TimeLimits

MOVE, BANK, MATCH = 1, 10, 100


def new_clock(grace: float = 0.0) -> Clock:
    limits = TimeLimits(move_ms=1000 * MOVE, bank_ms=1000 * BANK, match_ms=1000 * MATCH)
    return Clock(limits, grace)


def test_time_runs_from_the_sending_of_the_prompt() -> None:
    clock = new_clock()
    clock.start(1, game=0, now=50)
    assert clock.stop([1], 53).seconds == 3


def test_time_runs_from_the_previous_answer_if_that_came_later() -> None:
    clock = new_clock()
    clock.start(1, game=0, now=50)
    clock.start(2, game=1, now=50)
    clock.stop([1], 53)
    assert clock.stop([2], 54).seconds == 1


def test_the_time_between_an_answer_and_the_next_prompt_is_free() -> None:
    clock = new_clock()
    clock.start(1, game=0, now=50)
    clock.stop([1], 51)
    clock.start(2, game=0, now=90)
    assert clock.stop([2], 91).seconds == 1


def test_answers_in_one_message_share_its_time() -> None:
    clock = new_clock()
    for prompt_id in range(4):
        clock.start(prompt_id, game=prompt_id, now=0)
    assert clock.stop([0, 1, 2, 3], 2).seconds == 0.5
    assert clock.charged == 2


def test_a_decision_within_its_time_leaves_the_bank_alone() -> None:
    clock = new_clock()
    clock.start(1, game=0, now=0)
    assert not clock.stop([1], MOVE).late
    assert clock.bank_ms(0) == 1000 * BANK


def test_what_goes_beyond_is_drawn_from_the_bank_of_the_game() -> None:
    clock = new_clock()
    clock.start(1, game=0, now=0)
    assert not clock.stop([1], MOVE + 4).late
    assert (clock.bank_ms(0), clock.bank_ms(1)) == (6000, 10_000)


def test_the_bank_lasts_for_the_whole_game() -> None:
    clock = new_clock()
    for turn in range(2):
        clock.start(turn, game=0, now=100 * turn)
        assert not clock.stop([turn], 100 * turn + MOVE + 4).late
    clock.start(2, game=0, now=200)
    assert clock.stop([2], 200 + MOVE + 3).late == {2}
    assert clock.bank_ms(0) == 0


def test_a_game_that_is_over_takes_its_bank_along() -> None:
    clock = new_clock()
    clock.start(1, game=0, now=0)
    clock.stop([1], MOVE + 4)
    clock.forget_game(0)
    assert clock.bank_ms(0) == 1000 * BANK


def test_only_the_game_whose_bank_is_empty_is_late() -> None:
    clock = new_clock()
    clock.start(1, game=0, now=0)
    clock.stop([1], MOVE + BANK)
    clock.start(2, game=0, now=20)
    clock.start(3, game=1, now=20)
    assert clock.stop([2, 3], 20 + 2 * (MOVE + 1)).late == {2}


def test_an_empty_bank_makes_a_timeout() -> None:
    clock = new_clock()
    clock.start(1, game=0, now=0)
    assert not clock.is_due(MOVE + BANK)
    assert clock.is_due(MOVE + BANK + 0.001)
    assert clock.expire(MOVE + BANK + 0.001) == (1, MOVE + BANK + 0.001)
    assert clock.bank_ms(0) == 0


def test_a_moment_of_grace_is_for_input_that_lies_unread() -> None:
    clock = new_clock(grace=0.5)
    clock.start(1, game=0, now=0)
    assert not clock.is_due(MOVE + BANK + 0.5)
    assert clock.is_due(MOVE + BANK + 0.6)
    assert not clock.stop([1], MOVE + BANK + 0.5).late
    assert clock.bank_ms(0) == 0


def test_nothing_is_due_while_nothing_is_asked() -> None:
    clock = new_clock()
    assert not clock.is_due(1e9)
    assert not clock.is_running


def test_each_answer_gives_the_oldest_open_prompt_its_full_time() -> None:
    clock = new_clock()
    clock.start(1, game=0, now=0)
    clock.start(2, game=1, now=0)
    clock.stop([2], 8)
    assert not clock.is_due(8 + MOVE + BANK)
    assert clock.is_due(9 + MOVE + BANK)


def test_after_a_timeout_the_next_prompt_waits_until_the_bot_speaks() -> None:
    clock = new_clock()
    clock.start(1, game=0, now=0)
    clock.start(2, game=1, now=0)
    clock.expire(12)
    clock.break_silence(12.5)
    assert not clock.is_due(12.5 + MOVE + BANK)
    assert clock.stop([2], 14.5).seconds == 2


def test_an_answer_may_break_the_silence_and_is_charged_nothing_for_it() -> None:
    clock = new_clock()
    clock.start(1, game=0, now=0)
    clock.start(2, game=1, now=0)
    clock.expire(12)
    assert clock.stop([2], 12.5).seconds == 0
    assert not clock.is_silent


def test_a_bot_silent_one_move_time_after_a_timeout_is_hung() -> None:
    clock = new_clock()
    clock.start(1, game=0, now=0)
    clock.start(2, game=1, now=0)
    clock.expire(12)
    assert clock.is_silent
    assert not clock.is_due(12 + MOVE)
    assert clock.is_due(12.1 + MOVE)


def test_idle_words_do_not_stop_the_clock() -> None:
    clock = new_clock()
    clock.start(1, game=0, now=0)
    for now in range(1, 11):
        clock.break_silence(now)
    assert clock.is_due(MOVE + BANK + 0.1)
    assert clock.stop([1], 11).seconds == 11


def test_a_restart_clears_what_is_open_but_forgets_no_charge() -> None:
    clock = new_clock()
    clock.start(1, game=0, now=0)
    clock.start(2, game=1, now=0)
    clock.expire(12)
    clock.restart()
    assert not clock.is_running
    assert not clock.is_silent
    assert (clock.charged, clock.bank_ms(0)) == (12, 0)
    clock.start(2, game=1, now=30)
    assert clock.stop([2], 31).seconds == 1


def test_the_match_has_a_limit_for_all_time_charged() -> None:
    clock = new_clock()
    for turn in range(10):
        assert not clock.is_used_up
        clock.start(turn, game=turn, now=100 * turn)
        clock.stop([turn], 100 * turn + 10.5)
    assert clock.is_used_up


def test_only_an_open_prompt_can_be_answered() -> None:
    clock = new_clock()
    clock.start(1, game=0, now=0)
    assert clock.is_sent(1)
    clock.stop([1], 1)
    assert not clock.is_sent(1)
    with pytest.raises(KeyError):
        clock.stop([1], 2)
