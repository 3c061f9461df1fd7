"""Deals, views and messages to try the SDK with."""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from thousand.cards import CARDS
from thousand.messages import (
    Answer,
    DealEnd,
    GameEnd,
    GameStart,
    Hello,
    Notice,
    Prompt,
    Request,
    Response,
    Welcome,
)
from thousand.rules import Action, Bid, Deal, Game, Give, Play, Raise, deal_cards
from thousand.view import View

GAME = Game((120, -345, 880), (None, None, 1), deals=40, declarer=2)

uint32 = st.integers(0, 2**32 - 1)
prompt_ids = st.integers(0, 2**64 - 1)
cards = st.sampled_from(CARDS)
bids = st.none() | st.integers(1, 2**32 - 1)


def step(deal: Deal, rng: Random) -> None:
    """Carry out any legal action, more often an announcement and a small bid than not."""
    actions = deal.legal_actions()
    keen = [action for action in actions if isinstance(action, Play) and action.announce]
    small = [action for action in actions[:2] if isinstance(action, Bid)]
    deal.apply(rng.choice(keen or small or actions) if rng.random() < 0.7 else rng.choice(actions))


@st.composite
def deals(draw: st.DrawFn, *, over: bool = False) -> Deal:
    """Draw a deal that waits for any decision, or one that is over."""
    seed, rng = draw(st.binary(min_size=16, max_size=16)), Random(draw(st.integers(0, 2**32)))
    deal = Deal(GAME.dealer, *deal_cards(seed, 1))
    left = 100 if over else draw(st.integers(0, 34))
    while not deal.is_over and left:
        before = deal.copy()
        step(deal, rng)
        left -= 1
    return before if deal.is_over and not over else deal


def views() -> st.SearchStrategy[View]:
    """Draw a view of any decision."""
    return st.builds(
        lambda deal, number, bank: View.of(deal, GAME, number=number, bank_ms=bank),
        deals(),
        uint32,
        uint32,
    )


def actions() -> st.SearchStrategy[Action]:
    """Draw any action that can be written, legal somewhere or not."""
    return st.one_of(
        st.builds(Bid, bids),
        st.builds(Raise, uint32),
        st.builds(Give, cards, cards),
        st.builds(Play, cards, st.booleans()),
    )


def requests() -> st.SearchStrategy[Request]:
    """Draw a bot's message."""
    return st.builds(
        Request,
        st.none() | st.builds(Hello, st.text(), uint32, st.text()),
        st.lists(st.builds(Answer, prompt_ids, actions()), max_size=8).map(tuple),
    )


def notices() -> st.SearchStrategy[Notice]:
    """Draw a notice."""
    scores = st.tuples(*[st.integers(-(2**31), 2**31 - 1)] * 3)
    places = st.sampled_from([(1, 2, 3), (1, 1, 3), (2, 1, 2), (1, 1, 1)])
    return st.one_of(
        st.builds(GameStart, uint32),
        st.builds(GameEnd, uint32, places, scores),
        st.builds(
            lambda deal, number: DealEnd.of(deal, GAME.settle(deal.outcome), number=number),
            deals(over=True),
            uint32,
        ),
    )


def _game(prompt: Prompt) -> int:
    """Two prompts of one game are never open at once."""
    return prompt.view.game


def responses() -> st.SearchStrategy[Response]:
    """Draw a referee's message."""
    return st.builds(
        Response,
        st.none() | st.builds(Welcome, uint32, uint32, uint32, uint32, st.binary(max_size=40)),
        st.lists(notices(), max_size=3).map(tuple),
        st.lists(st.builds(Prompt, prompt_ids, views()), max_size=3, unique_by=_game).map(tuple),
        st.none() | st.text(),
    )
