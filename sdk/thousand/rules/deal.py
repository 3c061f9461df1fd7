"""One deal as a state machine: auction, gifts, raise, eight tricks (rules 6 to 19).

A `Deal` always waits for one `Decision` of one `seat`, or is over. Each decision has a
complete set of legal choices, and a method that carries one out:

========  ======================  =====================
decision  legal choices           carried out by
========  ======================  =====================
BID       `legal_bids`            `bid`
GIVE      `legal_gifts`, any two  `give`
RAISE     `legal_raises`          `raise_contract`
PLAY      `legal_plays`           `play`
========  ======================  =====================

`apply` takes any `Action`. An illegal one raises `IllegalAction` and changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from thousand.cards import (
    CARD_POINTS,
    PACK,
    SUIT_MASKS,
    SUIT_OF,
    Card,
    CardMask,
    Suit,
    cards_in,
    marriage_points_in,
    marriages_in,
    mask_of,
)
from thousand.errors import IllegalAction, MalformedAction
from thousand.rules.actions import Action, Bid, Decision, Give, Play, Raise, gives_in, plays_in

MINIMUM_BID: Final = 100
BASE_LIMIT: Final = 120
STEP: Final = 5
_LEFT_OF: Final = (1, 2, 0)
_RIGHT_OF: Final = (2, 0, 1)
_AMOUNTS: Final = range(MINIMUM_BID, BASE_LIMIT + marriage_points_in(PACK) + 1, STEP)
_BIDS: Final = {amount: Bid(amount) for amount in (None, *_AMOUNTS)}
_RAISES: Final = {amount: Raise(amount) for amount in _AMOUNTS}


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a deal ended: all that scoring over deals needs (rule 19).

    `points` are card points of tricks plus announced marriages, by seat, not rounded.
    """

    declarer: int
    contract: int
    points: tuple[int, int, int]


def limit_of(hand: CardMask) -> int:
    """Give the highest bid a hand allows: 120 plus its whole marriages (rule 9)."""
    return BASE_LIMIT + marriage_points_in(hand)


class Deal:
    """A deal being played. Read its attributes freely; change it by its methods only.

    Attributes:
        dealer: seat 0 to 2.
        dealt: the three hands of seven cards as they were dealt, by seat.
        talon: the three cards of the talon.
        decision: what is asked now; None when the deal is over.
        seat: whose decision it is.
        hands: the cards held now, by seat.
        bids: (seat, amount) in order, None for a pass, forehand first.
        declarer: None until the auction has ended.
        contract: the highest bid so far, then the contract; 0 before the first bid.
        gifts: to the declarer's left and right, empty until given.
        played: cards in playing order, three to a trick.
        leads: who led each trick, the present one included.
        announced: for each trick begun, whether its lead announced a marriage.
        trump: None until a marriage is announced (rule 16).
        points: by seat, tricks and marriages so far.
    """

    __slots__ = (
        "announced", "bids", "contract", "dealer", "dealt", "decision", "declarer", "gifts",
        "hands", "leads", "played", "points", "seat", "talon", "trump",
    )  # fmt: skip

    dealer: int
    dealt: tuple[CardMask, CardMask, CardMask]
    talon: tuple[Card, ...]
    decision: Decision | None
    seat: int
    hands: list[CardMask]
    bids: list[tuple[int, int | None]]
    declarer: int | None
    contract: int
    gifts: tuple[Card, ...]
    played: list[Card]
    leads: list[int]
    announced: list[bool]
    trump: Suit | None
    points: list[int]

    def __init__(self, dealer: int, hands: Sequence[Sequence[Card]], talon: Sequence[Card]) -> None:
        """Begin with the auction (rules 6 and 7).

        `hands` are three times seven cards by seat and `talon` the other three;
        ValueError when they are not the 24 cards of the pack.
        """
        sizes = [len(cards) for cards in (*hands, talon)]
        masks = [mask_of(cards) for cards in (*hands, talon)]
        if sizes != [7, 7, 7, 3] or masks[0] | masks[1] | masks[2] | masks[3] != PACK:
            raise ValueError("a deal needs three hands of 7 cards and a talon of 3, all different")
        first, second, third, _ = masks
        self.dealer = dealer
        self.dealt = (first, second, third)
        self.talon = tuple(talon)
        self.decision = Decision.BID
        self.seat = self.forehand
        self.hands = [first, second, third]
        self.bids = []
        self.declarer = None
        self.contract = 0
        self.gifts = ()
        self.played = []
        self.leads = []
        self.announced = []
        self.trump = None
        self.points = [0, 0, 0]

    def copy(self) -> Deal:
        """Give an independent deal in the same state, to try things on."""
        twin = object.__new__(Deal)
        twin.dealer = self.dealer
        twin.dealt = self.dealt
        twin.talon = self.talon
        twin.decision = self.decision
        twin.seat = self.seat
        twin.hands = self.hands[:]
        twin.bids = self.bids[:]
        twin.declarer = self.declarer
        twin.contract = self.contract
        twin.gifts = self.gifts
        twin.played = self.played[:]
        twin.leads = self.leads[:]
        twin.announced = self.announced[:]
        twin.trump = self.trump
        twin.points = self.points[:]
        return twin

    @property
    def forehand(self) -> int:
        """The dealer's left, who opens the auction (rule 7)."""
        return _LEFT_OF[self.dealer]

    @property
    def is_over(self) -> bool:
        """Whether all eight tricks are played."""
        return self.decision is None

    @property
    def outcome(self) -> Outcome:
        """The result of a deal that is over; ValueError before."""
        if self.decision is not None or self.declarer is None:
            raise ValueError("the deal is not over")
        first, second, third = self.points
        return Outcome(self.declarer, self.contract, (first, second, third))

    # What is legal

    def legal_bids(self) -> tuple[int | None, ...]:
        """Give every legal bid, None for a pass (rules 7 to 9)."""
        raises = range(
            self.contract + STEP if self.bids else MINIMUM_BID,
            limit_of(self.hands[self.seat]) + 1,
            STEP,
        )
        return (None, *raises) if self.bids else tuple(raises)

    def legal_gifts(self) -> tuple[Card, ...]:
        """Give the declarer's ten cards, any two of which may be given (rule 12)."""
        return cards_in(self.hands[self.seat])

    def legal_raises(self) -> tuple[int, ...]:
        """Give every legal contract, the present one first (rule 13)."""
        limit = limit_of(self.hands[self.seat])
        return (self.contract, *range(self.contract + STEP, limit + 1, STEP))

    def playable(self) -> CardMask:
        """Give the cards that may be played to the trick (rule 15)."""
        hand = self.hands[self.seat]
        trick_cards = len(self.played) % 3
        if not trick_cards:
            return hand
        following = hand & SUIT_MASKS[SUIT_OF[self.played[-trick_cards]]]
        if following:
            return following
        if self.trump is not None:
            return hand & SUIT_MASKS[self.trump] or hand
        return hand

    def announceable(self) -> CardMask:
        """Give the cards whose lead may announce a marriage (rules 17 and 18)."""
        if not self.played or len(self.played) % 3:
            return 0
        return marriages_in(self.hands[self.seat])

    def legal_plays(self) -> tuple[Play, ...]:
        """Give every legal play; a card that may announce stands there twice."""
        return plays_in(self.playable(), self.announceable())

    def legal_actions(self) -> tuple[Action, ...]:
        """Give every legal action of the present decision; none when the deal is over."""
        if self.decision is Decision.PLAY:
            return self.legal_plays()
        if self.decision is Decision.BID:
            return tuple([_BIDS[amount] for amount in self.legal_bids()])
        if self.decision is Decision.RAISE:
            return tuple([_RAISES[amount] for amount in self.legal_raises()])
        if self.decision is Decision.GIVE:
            return gives_in(self.hands[self.seat])
        return ()

    def forced(self) -> Action | None:
        """Give the only legal action, or None where there is a choice."""
        if self.decision is Decision.PLAY:
            playable = self.playable()
            if playable & (playable - 1):  # two cards or more, as always with a marriage
                return None
            return plays_in(playable)[0]
        if self.decision is Decision.BID:
            bids = self.legal_bids()
            return _BIDS[bids[0]] if len(bids) == 1 else None
        if self.decision is Decision.RAISE:
            amounts = self.legal_raises()
            return _RAISES[amounts[0]] if len(amounts) == 1 else None
        return None

    # What changes the deal

    def apply(self, action: Action) -> None:
        """Carry out any action; `IllegalAction` if it is not legal now."""
        if isinstance(action, Play):
            self.play(action.card, announce=action.announce)
        elif isinstance(action, Bid):
            self.bid(action.amount)
        elif isinstance(action, Give):
            self.give(action.to_left, action.to_right)
        elif isinstance(action, Raise):
            self.raise_contract(action.amount)
        else:
            raise MalformedAction(f"{action!r} is not an action; use Bid, Give, Raise or Play")

    def bid(self, amount: int | None) -> None:
        """Bid, or pass with None (rules 7 to 10)."""
        self._expect(Decision.BID)
        legal = self.legal_bids()
        if amount not in legal:
            shown = "a pass" if amount is None else f"a bid of {amount}"
            raise IllegalAction(f"{shown} is not among the legal bids {_spell(legal)}")
        self.bids.append((self.seat, amount))
        if amount is not None:
            self.contract = amount
        passed = {seat for seat, bid in self.bids if bid is None}
        seat = _LEFT_OF[self.seat]
        if seat in passed:
            seat = _LEFT_OF[seat]
        self.seat = seat
        if len(passed) == 2:
            self.declarer = seat
            self.hands[seat] |= mask_of(self.talon)
            self.decision = Decision.GIVE

    def give(self, to_left: Card, to_right: Card) -> None:
        """Give one card to each opponent (rule 12)."""
        self._expect(Decision.GIVE)
        gifts = 1 << to_left | 1 << to_right
        if to_left == to_right or gifts & ~self.hands[self.seat]:
            raise IllegalAction(
                f"{to_left} and {to_right} are not two different cards of the declarer's ten"
            )
        self.hands[self.seat] ^= gifts
        self.hands[_LEFT_OF[self.seat]] |= 1 << to_left
        self.hands[_RIGHT_OF[self.seat]] |= 1 << to_right
        self.gifts = (to_left, to_right)
        self.decision = Decision.RAISE

    def raise_contract(self, amount: int) -> None:
        """Raise the contract, or keep it by naming it again (rule 13)."""
        self._expect(Decision.RAISE)
        legal = self.legal_raises()
        if amount not in legal:
            raise IllegalAction(
                f"a contract of {amount} is not among the legal ones {_spell(legal)}"
            )
        self.contract = amount
        self.leads.append(self.seat)
        self.decision = Decision.PLAY

    def play(self, card: Card, *, announce: bool = False) -> None:
        """Play a card, and announce its marriage if asked to (rules 14 to 18)."""
        self._expect(Decision.PLAY)
        bit = 1 << card
        if not bit & self.playable():
            raise IllegalAction(f"{card} is not among the playable {_spell(self.legal_plays())}")
        if announce and not bit & self.announceable():
            raise IllegalAction(f"{card} can't announce a marriage here")
        seat = self.seat
        self.hands[seat] ^= bit
        if not len(self.played) % 3:
            self.announced.append(announce)
            if announce:
                self.trump = SUIT_OF[card]
                self.points[seat] += self.trump.marriage_value
        self.played.append(card)
        if len(self.played) % 3:
            self.seat = _LEFT_OF[seat]
        else:
            self._finish_trick()

    def _finish_trick(self) -> None:
        """Give the trick to its winner, who leads to the next (rules 14 and 16)."""
        trick = self.played[-3:]
        winner = (self.leads[-1] + winning_place(trick, self.trump)) % 3
        self.points[winner] += sum([CARD_POINTS[card] for card in trick])
        self.seat = winner
        if len(self.played) == 24:
            self.decision = None
        else:
            self.leads.append(winner)

    def _expect(self, decision: Decision) -> None:
        if self.decision is not decision:
            now = "the deal is over" if self.decision is None else f"now is {self.decision.name}"
            raise IllegalAction(f"this is no time to {decision.name}: {now}")


def winning_place(trick: Sequence[Card], trump: Suit | None) -> int:
    """Say which card of a trick, in playing order from 0, is winning it (rule 16)."""
    winning = 0
    for place in range(1, len(trick)):
        if _beats(trick[place], trick[winning], trump):
            winning = place
    return winning


def _beats(card: Card, winning: Card, trump: Suit | None) -> bool:
    """Say whether a card takes the trick over from the card that is winning it so far."""
    if SUIT_OF[card] is SUIT_OF[winning]:
        return card > winning
    return SUIT_OF[card] == trump


def _spell(choices: Sequence[object]) -> str:
    return ", ".join("pass" if choice is None else str(choice) for choice in choices)
