"""A bot's side of the conversation: one bot a game, seeds, and what is no answer."""

from __future__ import annotations

from hashlib import sha256
from random import Random
from typing import Any, ClassVar

import pytest

from thousand import Bot, Card, DealEnd, GameEnd, Play, View, Welcome
from thousand.errors import MalformedMessage
from thousand.messages import Answer, GameStart, Prompt, Response
from thousand.player import Player, decide, seat_bot
from thousand.rules import Bid, Decision, Give, Raise
from thousand.testing import MATCH, position

BID = position(Decision.BID, "AS TS KS QS 9H JH 9C", bids=[100])
GIVE = position(Decision.GIVE, "AS TS KS QS 9H JH 9C TC 9D JD")
RAISE = position(Decision.RAISE, "AS TS KS QS 9H JH 9C TC")
PLAY = position(Decision.PLAY, "AS TS KS QS 9H JH 9C TC")
ACE, TEN = Card.parse("AS"), Card.parse("TS")


class Diary(Bot):
    """Writes down what it is told; plays its first card."""

    pages: ClassVar[list[Any]] = []

    def on_game_start(self) -> None:
        self.pages.append(("start", self, self.match))

    def on_deal_end(self, deal: DealEnd) -> None:
        self.pages.append(("deal", self, deal))

    def on_game_end(self, game: GameEnd) -> None:
        self.pages.append(("game", self, game))

    def play(self, view: View) -> Card:
        self.pages.append(("play", self, view))
        return view.cards[0]


@pytest.fixture(autouse=True)
def empty_diary() -> None:
    Diary.pages = []


def receive(player: Player, **fields: Any) -> list[Answer]:
    return list(player.receive(Response(**fields)))


def welcomed(bot_class: type[Bot]) -> Player:
    player = Player(bot_class)
    assert receive(player, welcome=MATCH) == []
    return player


def returning(choice: object) -> Bot:
    """Give a bot that returns this whatever it is asked."""

    class Parrot(Bot):
        def bid(self, view: View) -> Any:
            return choice

        give = raise_contract = play = bid

    return Parrot()


def test_prompts_are_answered_in_order() -> None:
    prompts = tuple(Prompt(id_, view) for id_, view in ((8, PLAY), (3, BID), (5, GIVE)))
    first, second, third = receive(welcomed(Diary), prompts=prompts)
    assert first == Answer(8, Play(PLAY.cards[0]))
    assert second == Answer(3, Bid(None))
    assert third.prompt_id == 5
    assert isinstance(third.action, Give)


def test_an_answer_comes_before_the_next_question_is_asked() -> None:
    answers = welcomed(Diary).receive(Response(prompts=(Prompt(1, PLAY), Prompt(2, PLAY))))
    next(answers)
    assert [page[0] for page in Diary.pages] == ["start", "play"]


def test_notices_come_before_prompts() -> None:
    player = welcomed(Diary)
    receive(player, notices=(GameStart(0),), prompts=(Prompt(1, PLAY),))
    assert [page[0] for page in Diary.pages] == ["start", "play"]
    assert Diary.pages[0][2] == MATCH


def test_one_bot_a_game() -> None:
    player = welcomed(Diary)
    for game in (0, 1, 0):
        receive(player, prompts=(Prompt(1, PLAY._replace(game=game)),))
    bots = [page[1] for page in Diary.pages if page[0] == "play"]
    assert bots[0] is bots[2]
    assert bots[0] is not bots[1]
    assert sum(page[0] == "start" for page in Diary.pages) == 2


def test_a_bot_is_dropped_when_its_game_has_ended() -> None:
    player = welcomed(Diary)
    end = GameEnd(0, (1, 2, 3), (1000, 500, 0))
    receive(player, notices=(GameStart(0), end))
    assert [page[0] for page in Diary.pages] == ["start", "game"]
    assert Diary.pages[1][2] == end
    receive(player, notices=(GameStart(0),))
    assert Diary.pages[0][1] is not Diary.pages[2][1]


def test_nothing_may_come_before_the_welcome() -> None:
    with pytest.raises(MalformedMessage, match="before it said welcome"):
        receive(Player(Diary), prompts=(Prompt(1, PLAY),))


def test_each_game_has_random_numbers_of_its_own_that_repeat() -> None:
    drawn = [seat_bot(Diary, MATCH, game).rng.random() for game in (0, 0, 1)]
    assert drawn[0] == drawn[1] != drawn[2]
    other = Welcome(1, 1, 1, 1, b"another seed")
    assert seat_bot(Diary, other, 0).rng.random() != drawn[0]


def test_a_games_random_numbers_are_those_of_the_documented_seed() -> None:
    """SHA-256 of "thousand game 1", a zero byte, the seed and the game (4 bytes)."""
    digest = sha256(b"thousand game 1\0" + b"a seed" + b"\0\0\1\2").digest()
    expected = Random(int.from_bytes(digest, "big")).random()
    assert seat_bot(Diary, Welcome(1, 1, 1, 1, b"a seed"), 258).rng.random() == expected


@pytest.mark.parametrize(
    ("view", "choice", "action"),
    [
        (BID, None, Bid(None)),
        (BID, 0, Bid(None)),
        (BID, 105, Bid(105)),
        (GIVE, (ACE, TEN), Give(ACE, TEN)),
        (GIVE, [ACE, TEN], Give(ACE, TEN)),
        (RAISE, 100, Raise(100)),
        (PLAY, ACE, Play(ACE)),
        (PLAY, Play(ACE), Play(ACE)),
        (PLAY, Play(ACE, announce=True), Play(ACE, announce=True)),
    ],
)
def test_what_a_bot_may_return(view: View, choice: object, action: object) -> None:
    assert decide(returning(choice), view) == action


@pytest.mark.parametrize(
    ("view", "choice", "message"),
    [
        (BID, "100", "bid must return an int from 0 to 1000, or None to pass, not '100'"),
        (BID, True, "or None to pass, not True"),
        (BID, -5, "not -5"),
        (BID, 1e2, "not 100.0"),
        (BID, 10**30, "not 1000000000000"),
        (BID, ACE, "not Card.parse('AS')"),
        (GIVE, ACE, "give must return two Cards, (to_left, to_right), not Card.parse('AS')"),
        (GIVE, (ACE,), "two Cards"),
        (GIVE, (ACE, TEN, ACE), "two Cards"),
        (GIVE, (5, 4), "not (5, 4)"),
        (GIVE, "AS", "not 'AS'"),
        (GIVE, Give(ACE, TEN), "two Cards"),
        (RAISE, None, "raise_contract must return an int from 0 to 1000, not None; is a return"),
        (PLAY, None, "play must return a Card or a Play, not None; is a return missing?"),
        (PLAY, "AS", "play must return a Card or a Play, not 'AS'"),
        (PLAY, 5, "not 5"),
        (PLAY, Play(5), "not Play(card=5, announce=False)"),  # type: ignore[arg-type]
        (PLAY, Play(ACE, announce="yes"), "announce='yes'"),  # type: ignore[arg-type]
        (PLAY, Bid(100), "not Bid(amount=100)"),
    ],
)
def test_what_a_bot_must_not_return(view: View, choice: object, message: str) -> None:
    with pytest.raises(TypeError) as caught:
        decide(returning(choice), view)
    assert str(caught.value).startswith("Parrot.")
    assert message in str(caught.value)


def test_a_failing_bot_is_told_what_it_was_asked() -> None:
    class Broken(Bot):
        def play(self, view: View) -> Card:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError) as caught:
        receive(welcomed(Broken), prompts=(Prompt(1, PLAY),))
    assert caught.value.__notes__ == [f"The bot was asked to play: {PLAY}"]


def test_a_bot_without_play() -> None:
    class Lazy(Bot):
        pass

    with pytest.raises(NotImplementedError, match=r"Lazy must have a method play\(self, view\)"):
        receive(welcomed(Lazy), prompts=(Prompt(1, PLAY),))


def test_the_defaults_of_a_bot() -> None:
    bot = seat_bot(Diary, MATCH, 0)
    assert decide(bot, BID) == Bid(None)
    assert decide(bot, RAISE) == Raise(100)
    assert decide(bot, GIVE) == Give(Card.parse("9C"), Card.parse("9D"))
