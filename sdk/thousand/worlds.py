"""Deals as they may be: complete deals consistent with everything a seat knows.

A *world* of a view is a complete deal, that is the three hands of seven cards dealt,
the talon as a set, and the declarer's gifts if they have been given, from which the
public bids, contract, plays and announcements are all legal and lead to exactly this
view. So a world agrees with

- the seat's own cards, the talon once it was turned up, and the gifts the seat knows;
- who played which card (rule 14), and who has shown to be void of a suit by not following
  it, and of trumps by not trumping either (rule 15);
- marriages announced: the announcer held the other half too (rule 17);
- bids and raises above 120: they were within the limit of the hand (rules 9 and 13).

Two worlds that differ in nothing but a gift that the seat hasn't seen are two worlds,
though all hands are now the same: in one of them more of the talon was passed on. Every
world is drawn with the same probability. This is the posterior if all cards dealt are
equally likely, which they are, and if nothing is read into the choices that players
made, which a bot may do better by weighing the worlds it has drawn.

Worlds are counted, not found by trial: the unseen cards are split among the places they
may be in, and how many splits there are is a product of binomials. Only the places of
kings and queens that a bid above 120 depends on are tried one by one (at most eight
cards), and for a defender each card that may have been the other defender's gift. So
the time is bounded, whatever the view.

Sampling worlds to choose a play is the Monte Carlo method of M. L. Ginsberg, "GIB:
Imperfect Information in a Computationally Challenging Game", JAIR 14 (2001) 303-358.
J. R. Long, N. R. Sturtevant, M. Buro and T. Furtak, "Understanding the Success of Perfect
Information Monte Carlo Sampling in Game Tree Search", AAAI 2010, say when it works.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, product
from math import comb
from random import Random
from typing import Final, NamedTuple, TypeVar

from thousand.cards import (
    PACK,
    SUIT_MASKS,
    Card,
    CardMask,
    Suit,
    cards_in,
    marriage_points_in,
    marriages_in,
    mask_of,
)
from thousand.rules import Deal, Decision, Game
from thousand.rules.deal import BASE_LIMIT
from thousand.view import View

_T = TypeVar("_T")

_TALON: Final = 3
"""The talon as a place for cards, next to the seats 0 to 2."""


def sample_worlds(view: View, rng: Random, n: int) -> list[Deal]:
    """Draw `n` worlds, with replacement: deals in the very state that the view shows.

    Each is a deal of its own to play on with. ValueError when the view contradicts itself.
    """
    worlds = Worlds(view)
    return [worlds.draw(rng) for _ in range(n)]


class Worlds:
    """All worlds of a view: counted once, then drawn one at a time.

    ValueError when the view contradicts itself, so that there is none.

    Attributes:
        count: how many worlds there are.
    """

    def __init__(self, view: View) -> None:
        self._record = _Record.of(view)
        self._branches = tuple(_branches_of(view, self._record))
        self._ends = tuple(accumulate(branch.worlds for branch in self._branches))
        self.count: int = self._ends[-1] if self._ends else 0
        if not self.count:
            raise ValueError(f"no deal leads to this view, it contradicts itself: {view}")
        # All that is public is the same in every world. So one deal is played from its
        # beginning under the rules, and every world is a copy of it with other cards.
        first = self._branches[0]
        self._model = _replay(self._record.cards_of(first, first.place(first.bits)), view)

    def draw(self, rng: Random) -> Deal:
        """Draw one world; all are equally likely."""
        branch = self._branches[bisect_right(self._ends, rng.randrange(self.count))]
        cards = self._record.cards_of(branch, branch.place(rng.sample(branch.bits, branch.drawn)))
        world = self._model.copy()
        world.hands = cards.hands
        world.dealt = cards.dealt
        world.talon = cards.talon
        world.gifts = cards.gifts
        return world


class _Cards(NamedTuple):
    """The cards of a world: what was dealt, what was given, and what is held now."""

    hands: list[CardMask]
    dealt: tuple[CardMask, CardMask, CardMask]
    talon: tuple[Card, ...]
    gifts: tuple[Card, ...]


class _Record(NamedTuple):
    """What a view tells of each seat's cards. Masks and amounts are by seat.

    Attributes:
        seat, declarer, talon: as in the view.
        gifts: to the declarer's left and right; None for a gift that is not known.
        played: cards each seat has played.
        never: cards that can't be in a seat's hand now: of suits it is void of.
        halves: cards that are in a seat's hand now, unless it has played them: the other
            halves of marriages it has announced.
        bid: each seat's highest bid.
        raised: the contract if it is above the highest bid, else 0.
    """

    seat: int
    declarer: int | None
    talon: tuple[Card, ...]
    gifts: tuple[Card | None, ...]
    played: list[CardMask]
    never: list[CardMask]
    halves: list[CardMask]
    bid: list[int]
    raised: int

    @classmethod
    def of(cls, view: View) -> _Record:
        """Read bids and tricks (rules 9, 13, 15 and 17)."""
        bid = [0, 0, 0]
        for seat, amount in view.bids:
            bid[seat] = amount or bid[seat]
        raised = view.contract if view.contract > max(bid) else 0
        gifts: tuple[Card | None, ...] = view.gifts
        if len(gifts) == 1:
            gifts = (*gifts, None) if view.declarer == view.right else (None, *gifts)
        played, never, halves = [0, 0, 0], [0, 0, 0], [0, 0, 0]
        trump: Suit | None = None
        for trick in view.tricks:
            for place, card in enumerate(trick.cards):
                seat, led = (trick.lead + place) % 3, trick.cards[0].suit
                played[seat] |= 1 << card
                if trick.announced and not place:
                    trump = led
                    if card.partner is not None:
                        halves[seat] |= 1 << card.partner
                if card.suit is not led:
                    never[seat] |= SUIT_MASKS[led]
                    if trump is not None and card.suit is not trump:
                        never[seat] |= SUIT_MASKS[trump]
        return cls(view.seat, view.declarer, view.talon, gifts, played, never, halves, bid, raised)

    def cards_of(self, branch: _Branch, places: list[CardMask]) -> _Cards:
        """Give the cards of the world in which the cards held now are in these places."""
        hands = places[:3]
        if self.declarer is None:
            first, second, third = hands
            return _Cards(hands, (first, second, third), cards_in(places[_TALON]), ())
        dealt = [held | played for held, played in zip(hands, self.played, strict=True)]
        if branch.gifts:
            for receiver, gift in enumerate(branch.gifts, self.declarer + 1):
                dealt[receiver % 3] &= ~(1 << gift)
                dealt[self.declarer] |= 1 << gift
        dealt[self.declarer] &= ~mask_of(self.talon)
        first, second, third = dealt
        return _Cards(hands, (first, second, third), self.talon, branch.gifts)


class _Claim(NamedTuple):
    """A hand must hold marriages worth so much: those in `known`, and hidden ones.

    Hidden cards count if they go to `place` and are in `counted`.
    """

    least: int
    place: int
    known: CardMask
    counted: CardMask

    def could_use(self, cards: CardMask) -> CardMask:
        """Give those of the cards that would make a marriage, alone or with known ones."""
        return marriages_in(self.known | cards & self.counted) & cards

    def is_met(self, cards: CardMask) -> bool:
        """Say whether the claim holds if of all hidden cards these go to its place."""
        return marriage_points_in(self.known | cards & self.counted) >= self.least


class _Branch(NamedTuple):
    """Some of the worlds: a few cards are placed, and the rest is split in any way.

    Attributes:
        gifts: the declarer's, to the left and right; empty before they are given.
        placed: by place, the cards that are there in all these worlds.
        bits: the rest, as masks of one card each.
        shares: (place, number of the rest that go there).
        drawn: how many of the rest go to all places but the last.
        worlds: how many these are.
    """

    gifts: tuple[Card, ...]
    placed: tuple[CardMask, ...]
    bits: tuple[CardMask, ...]
    shares: tuple[tuple[int, int], ...]
    drawn: int
    worlds: int

    def place(self, cards: Sequence[CardMask]) -> list[CardMask]:
        """Give the cards of each place, if the rest is handed out in this order."""
        places = [*self.placed]
        begin = given = 0
        for place, number in self.shares[:-1]:
            share = sum(cards[begin : begin + number])
            places[place] |= share
            given |= share
            begin += number
        places[self.shares[-1][0]] |= sum(self.bits) ^ given
        return places


def _branches_of(view: View, record: _Record) -> Iterator[_Branch]:
    """Divide the worlds of a view into branches that have no world in common."""
    hand = mask_of(view.hand)
    hidden = PACK & ~hand & ~mask_of(view.played)
    size = 7 if view.decision in (Decision.BID, Decision.GIVE) else 8
    others = (view.left, view.right)
    rooms = {seat: size - record.played[seat].bit_count() for seat in others}
    if record.declarer is None:
        rooms[_TALON] = 3
    for gifts in _possible_gifts(record, hidden):
        given = {seat: 1 << card for seat, card in _receivers(record.declarer, gifts)}
        homes = [given.get(seat, 0) | record.halves[seat] for seat in range(3)]
        if record.declarer is not None:
            homes[record.declarer] |= mask_of(record.talon) & ~mask_of(gifts)
        placed = [0, 0, 0, 0]
        placed[view.seat] = hand
        if _place_known(record, homes, hidden, placed, others):
            claims = [claim for seat in others for claim in _claims_on(record, seat, given)]
            yield from _split(gifts, placed, rooms, hidden, claims)


def _possible_gifts(record: _Record, hidden: CardMask) -> Iterator[tuple[Card, ...]]:
    """Give all pairs of gifts there may have been, or one empty pair before they are given."""
    if not record.gifts:
        yield ()
        return
    choices: list[tuple[Card, ...]] = []
    for seat, gift in _receivers(record.declarer, record.gifts):
        choices.append(cards_in(hidden | record.played[seat]) if gift is None else (gift,))
    yield from product(*choices)


def _receivers(declarer: int | None, gifts: Sequence[_T]) -> list[tuple[int, _T]]:
    """Say who received which gift: to the declarer's left, and to the right (rule 12)."""
    if declarer is None:
        return []
    return [((declarer + place) % 3, gift) for place, gift in enumerate(gifts, 1)]


def _place_known(
    record: _Record,
    homes: Sequence[CardMask],
    hidden: CardMask,
    placed: list[CardMask],
    others: tuple[int, int],
) -> bool:
    """Place the hidden cards that can be in one hand only; False when that is impossible.

    `homes` are, by seat, cards that are in its hand now unless it has played them.
    """
    for seat, home in enumerate(homes):
        can_hold = placed[seat] | record.played[seat]
        if home & ~(can_hold | hidden if seat in others else can_hold):
            return False
    if record.declarer is not None:
        left, right = others
        placed[left] |= hidden & (homes[left] | record.never[right])
        placed[right] |= hidden & (homes[right] | record.never[left])
        return not placed[left] & placed[right]
    return True


def _claims_on(record: _Record, seat: int, given: dict[int, CardMask]) -> Iterator[_Claim]:
    """Give what a seat's bids say of its seven cards, and a raise of its eight (rule 13)."""
    played, received = record.played[seat], given.get(seat, 0)
    if record.bid[seat] > BASE_LIMIT:
        if seat == record.declarer:
            received = mask_of(record.talon)
            played |= sum(given.values())
        yield _Claim(record.bid[seat] - BASE_LIMIT, seat, played & ~received, ~received)
    if seat == record.declarer and record.raised > BASE_LIMIT:
        yield _Claim(record.raised - BASE_LIMIT, seat, record.played[seat], PACK)


def _split(
    gifts: tuple[Card, ...],
    placed: Sequence[CardMask],
    rooms: Mapping[int, int],
    hidden: CardMask,
    claims: Sequence[_Claim],
) -> Iterator[_Branch]:
    """Split the hidden cards that are not placed so that every place is full.

    `rooms` says how many hidden cards each place has, those placed included. One branch
    comes of each way to place the cards that a claim may depend on.
    """
    free = hidden & ~sum(placed[place] for place in rooms)
    doubtful = 0
    for claim in claims:
        doubtful |= claim.could_use(free | placed[claim.place]) & free
    cards = cards_in(doubtful)
    for choice in product(rooms, repeat=len(cards)):
        masks = [*placed]
        for card, place in zip(cards, choice, strict=True):
            masks[place] |= 1 << card
        shares = sorted(
            [(place, room - masks[place].bit_count()) for place, room in rooms.items()],
            key=_by_size,
        )
        if shares[0][1] < 0 or not all(claim.is_met(masks[claim.place]) for claim in claims):
            continue
        bits = tuple([1 << card for card in cards_in(free & ~doubtful)])
        left, count = len(bits), 1
        if sum(share for _, share in shares) != left:
            continue  # the view has too many cards, or too few
        for _, share in shares:
            count *= comb(left, share)
            left -= share
        drawn = len(bits) - shares[-1][1]
        yield _Branch(gifts, tuple(masks), bits, tuple(shares), drawn, count)


def _by_size(share: tuple[int, int]) -> int:
    return share[1]


def _replay(cards: _Cards, view: View) -> Deal:
    """Play a world from its beginning to the view; ValueError if it comes out different."""
    deal = Deal(view.dealer, [cards_in(hand) for hand in cards.dealt], cards.talon)
    try:
        for _, amount in view.bids:
            deal.bid(amount)
        if cards.gifts:
            deal.give(*cards.gifts)
            if view.decision is Decision.PLAY:
                deal.raise_contract(view.contract)
        for trick in view.tricks:
            for place, card in enumerate(trick.cards):
                deal.play(card, announce=trick.announced and not place)
        game = Game(_three(view.scores), _three(view.barrel), view.deal - 1)
        shown = View.of(deal, game, number=view.game, bank_ms=view.bank_ms)
    except ValueError as error:
        raise ValueError(f"the view contradicts itself: {error}. The view: {view}") from error
    wrong = [name for name in View._fields if getattr(shown, name) != getattr(view, name)]
    if wrong:
        raise ValueError(
            f"the view contradicts itself: after these bids and plays, {', '.join(wrong)} "
            f"would be otherwise. The view: {view}; it should be: {shown}"
        )
    return deal


def _three(values: tuple[_T, ...]) -> tuple[_T, _T, _T]:
    first, second, third = values
    return first, second, third
