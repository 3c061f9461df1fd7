"""The view of any position, set up from the little that a test wants to say about it.

A position is reached by a real deal under the real rules; cards that the test does not
name go where they fit. So what comes out is a view that a match could show.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from thousand.cards import CARDS, Card, Rank, Suit
from thousand.rules import Deal, Decision, Game, Play, winning_place
from thousand.view import View

_TALON: Final = 3
"""Where cards lie during the auction that are in no hand, next to the seats 0 to 2."""


def position(
    decision: Decision,
    hand: str,
    *,
    bids: Sequence[int | None] | None = None,
    contract: int | None = None,
    talon: str = "",
    gifts: str = "",
    played: str = "",
    game: Game | None = None,
) -> View:
    """Give the view of the seat that is asked for `decision` with the cards of `hand`.

    Cards are written with blanks between them, ``"AS KS 9H"``. Which seat is asked
    follows from the rest. With what is left out, forehand (seat 1) is asked for the
    first bid, or is the declarer and plays 100.

    Args:
        decision: what is asked.
        hand: the cards held when asked: 7 for a bid, 10 for gifts, 8 for a raise, and
            for a play 8 less those this seat has played.
        bids: all bids so far, forehand's first, None for a pass.
        contract: the contract, where it was raised above the last bid.
        talon: the three cards of the talon; any three of the declarer's if left out.
        gifts: those this seat knows: the declarer's two (left, right) or the one received.
        played: the cards played so far, in order; ``KH!`` announces the marriage.
        game: scores, barrel and deals before this deal (they give the dealer).

    ValueError, with the reason, when no deal was found that leads there.
    """
    game = Game() if game is None else game
    if bids is None:
        bids = () if decision is Decision.BID else (100, None, None)
    try:
        story = _Story(
            dealer=game.dealer,
            decision=decision,
            hand=_cards(hand),
            bids=bids,
            contract=contract,
            talon=_cards(talon),
            gifts=_cards(gifts),
            plays=[
                Play(Card.parse(word.removesuffix("!")), word.endswith("!"))
                for word in played.split()
            ],
        )
        return View.of(_deal_of(story), game)
    except ValueError as error:
        raise ValueError(f"no deal was found for this position: {error}") from error


class _Story(NamedTuple):
    """What is known of a position."""

    dealer: int
    decision: Decision
    hand: tuple[Card, ...]
    bids: Sequence[int | None]
    contract: int | None
    talon: tuple[Card, ...]
    gifts: tuple[Card, ...]
    plays: Sequence[Play]


class _Tricks(NamedTuple):
    """Who played each card, who is next, and which suits each seat can't have any more."""

    owners: list[int]
    seat: int
    voids: list[set[Suit]]


def _deal_of(story: _Story) -> Deal:
    """Play a deal to the position."""
    _check_stage(story)
    seat, bidder = _auction(story.dealer, story.bids)
    tricks = _follow(seat, story.plays)
    hands = _place_cards(story, bidder, tricks)
    gifts: list[Card] = []
    if story.decision > Decision.GIVE:
        gifts = _choose_gifts(story, bidder, tricks.seat, hands)
        for receiver, card in zip(((bidder + 1) % 3, (bidder + 2) % 3), gifts, strict=True):
            _move(card, hands[receiver], hands[bidder], "a gift")
    talon: Sequence[Card] = sorted(hands[_TALON])
    if story.decision > Decision.BID:
        talon = story.talon or _spare_first(hands[bidder])[:3]
        for card in talon:
            _move(card, hands[bidder], hands[_TALON], "of the talon")
    deal = Deal(story.dealer, [sorted(hands[seat]) for seat in range(3)], talon)
    for amount in story.bids:
        deal.bid(amount)
    if gifts:
        deal.give(*gifts)
    if story.decision is Decision.PLAY:
        deal.raise_contract(deal.contract if story.contract is None else story.contract)
    for play in story.plays:
        deal.apply(play)
    return deal


def _check_stage(story: _Story) -> None:
    """Raise ValueError if something is told that comes later than the decision."""
    later = {
        "talon": story.decision < Decision.GIVE and story.talon,
        "gifts": story.decision < Decision.RAISE and story.gifts,
        "contract": story.decision < Decision.PLAY and story.contract is not None,
        "played": story.decision < Decision.PLAY and story.plays,
    }
    for name, is_told in later.items():
        if is_told:
            raise ValueError(f"{name} comes after the {story.decision.name.lower()}")
    if (story.decision is Decision.BID) is (list(story.bids).count(None) == 2):
        raise ValueError(
            f"bids {list(story.bids)} don't lead to the {story.decision.name.lower()}; "
            "the auction ends with the second pass"
        )


def _auction(dealer: int, bids: Iterable[int | None]) -> tuple[int, int]:
    """Say who bids next, and who bid highest (rules 7 to 10).

    When two have passed, both are the declarer.
    """
    seat = highest = (dealer + 1) % 3
    passed = set()
    for amount in bids:
        if amount is None:
            passed.add(seat)
        else:
            highest = seat
        seat = (seat + 1) % 3
        if seat in passed:
            seat = (seat + 1) % 3
    return seat, highest


def _follow(declarer: int, plays: Sequence[Play]) -> _Tricks:
    """Follow the tricks (rules 14 to 18)."""
    owners: list[int] = []
    voids: list[set[Suit]] = [set(), set(), set()]
    seat, trump = declarer, None
    for index, (card, announce) in enumerate((play.card, play.announce) for play in plays):
        trick = [play.card for play in plays[index - index % 3 : index + 1]]
        if announce:
            trump = card.suit
        if card.suit is not trick[0].suit:
            voids[seat].add(trick[0].suit)
            if trump is not None and card.suit is not trump:
                voids[seat].add(trump)
        owners.append(seat)
        seat = (seat + 1) % 3
        if len(trick) == 3:
            seat = (seat + winning_place(trick, trump)) % 3
    return _Tricks(owners, seat, voids)


def _place_cards(story: _Story, bidder: int, tricks: _Tricks) -> list[set[Card]]:
    """Give the cards of each place, all that were played included, gifts with their receivers."""
    asked, decision = tricks.seat, story.decision
    hands: list[set[Card]] = [set(), set(), set(), set()]
    for seat, play in zip(tricks.owners, story.plays, strict=True):
        hands[seat].add(play.card)
    left = {Decision.BID: 7, Decision.GIVE: 10}.get(decision, 8) - len(hands[asked])
    if len(story.hand) != left:
        raise ValueError(f"seat {asked} is asked with {left} cards in hand, not {len(story.hand)}")
    hands[asked] |= set(story.hand)
    named = sorted((*story.hand, *(play.card for play in story.plays)))
    for card, after in pairwise(named):
        if card == after:
            raise ValueError(f"{card} is named twice")
    rooms = {
        seat: (8 if decision > Decision.GIVE else 7) - len(hands[seat])
        for seat in range(3)
        if seat != asked
    }
    if decision is Decision.BID:
        rooms[_TALON] = 3
    allowed = {
        card: _allowed_places(card, story, bidder, tricks, rooms)
        for card in CARDS
        if card not in named
    }
    # Cards that fit in one place only come first. Then what is left of the talon goes to the
    # declarer, who gave at most one card of it to a player, and marriages to the highest
    # bidder, who may have needed them to bid.
    order = sorted(
        allowed,
        key=lambda card: (len(allowed[card]), card not in story.talon, not _is_noble(card), -card),
    )
    for card in order:
        free = [place for place in allowed[card] if rooms[place]]
        if not free:
            raise ValueError(f"nobody can hold {card}")
        rooms[free[0]] -= 1
        hands[free[0]].add(card)
    return hands


def _allowed_places(
    card: Card, story: _Story, bidder: int, tricks: _Tricks, places: Iterable[int]
) -> list[int]:
    """Give the places where an unseen card may lie, the likeliest first."""
    for seat, play in zip(tricks.owners, story.plays, strict=True):
        if play.announce and play.card.partner == card:
            return [seat] if seat in places else []
    if tricks.seat == bidder and card in story.gifts:
        return [(bidder + 1 + story.gifts.index(card)) % 3]
    fitting = [place for place in places if place == _TALON or card.suit not in tricks.voids[place]]
    return sorted(fitting, key=lambda place: place != bidder)


def _choose_gifts(
    story: _Story, declarer: int, asked: int, hands: Sequence[Collection[Card]]
) -> list[Card]:
    """Give the gifts to the left and right; those not named are cards that nobody misses."""
    receivers = [(declarer + 1) % 3, (declarer + 2) % 3]
    knows = receivers if asked == declarer else [asked]
    if len(story.gifts) not in (0, len(knows)):
        raise ValueError(f"seat {asked} knows {len(knows)} of the gifts, not {len(story.gifts)}")
    named = dict(zip(knows, story.gifts, strict=False))
    gifts = []
    for receiver in receivers:
        of_talon = [card for card in story.talon if card in hands[receiver]]
        known = [named[receiver]] if receiver in named else of_talon
        gifts.append((known or _spare_first(hands[receiver]))[0])
    return gifts


def _spare_first(cards: Iterable[Card]) -> list[Card]:
    """Sort cards so that halves of marriages come last, and cheap ones first."""
    return sorted(cards, key=lambda card: (_is_noble(card), card.points, card))


def _is_noble(card: Card) -> bool:
    return card.rank in (Rank.QUEEN, Rank.KING)


def _move(card: Card, source: set[Card], target: set[Card], what: str) -> None:
    if card not in source:
        raise ValueError(f"{card} can't be {what}; look at who must have held it")
    source.remove(card)
    target.add(card)


def _cards(text: str) -> tuple[Card, ...]:
    return tuple(Card.parse(word) for word in text.split())
