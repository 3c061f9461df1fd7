"""What one seat may know of a game, and nothing more."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from thousand.cards import PACK, Card, Suit, cards_in, mask_of
from thousand.rules import Deal, Decision, Game, Play, plays_in, winning_place


class Trick(NamedTuple):
    """A trick, whole or begun: who led, the cards in playing order, what was announced."""

    lead: int
    cards: tuple[Card, ...]
    announced: bool


class View(NamedTuple):
    """Everything a seat knows when it is asked, and its legal choices.

    Seats are 0 to 2, clockwise. Lists by seat have three elements.

    Attributes:
        decision: what is asked.
        seat: the seat that is asked: yours.
        game: number of the game in the match, from 0.
        deal: number of the deal in the game, from 1.
        dealer: the dealer's seat.
        scores: by seat, before this deal.
        barrel: by seat, deals used on the barrel, or None.
        hand: your cards, by suit and strength.
        bids: (seat, amount) in order; None is a pass.
        contract: highest bid so far, then the contract; 0 before the first bid.
        declarer: None until the auction has ended.
        talon: its three cards, empty until the auction has ended.
        gifts: those you know: your own two as declarer (left, right), or the one received.
        played: all cards played in this deal, in order.
        leads: who led each trick, the present one included.
        announced: for each trick begun, whether its lead announced a marriage.
        trump: None while there is none.
        points: by seat, tricks and marriages of this deal so far.
        amounts: legal bids (0 is a pass) or legal contracts, else empty.
        cards: cards you may give (any two) or play, else empty.
        announceable: those of them whose lead may announce a marriage.
        bank_ms: time left in this game beyond the time for each decision.
    """

    decision: Decision
    seat: int
    game: int
    deal: int
    dealer: int
    scores: tuple[int, ...]
    barrel: tuple[int | None, ...]
    hand: tuple[Card, ...]
    bids: tuple[tuple[int, int | None], ...]
    contract: int
    declarer: int | None
    talon: tuple[Card, ...]
    gifts: tuple[Card, ...]
    played: tuple[Card, ...]
    leads: tuple[int, ...]
    announced: tuple[bool, ...]
    trump: Suit | None
    points: tuple[int, ...]
    amounts: tuple[int, ...]
    cards: tuple[Card, ...]
    announceable: tuple[Card, ...]
    bank_ms: int = 0

    @classmethod
    def of(cls, deal: Deal, game: Game, *, number: int = 0, bank_ms: int = 0) -> View:
        """Show the deal to the seat whose decision it is; `number` is the game's in the match.

        ValueError when the deal is over.
        """
        seat, decision = deal.seat, deal.decision
        amounts: tuple[int, ...] = ()
        cards: tuple[Card, ...] = ()
        announceable: tuple[Card, ...] = ()
        if decision is Decision.PLAY:
            cards = cards_in(deal.playable())
            announceable = cards_in(deal.announceable())
        elif decision is Decision.BID:
            amounts = tuple([amount or 0 for amount in deal.legal_bids()])
        elif decision is Decision.RAISE:
            amounts = deal.legal_raises()
        elif decision is Decision.GIVE:
            cards = deal.legal_gifts()
        else:
            raise ValueError("the deal is over; nobody is asked")
        # Straight to the tuple: the class itself would first go through 22 arguments.
        return tuple.__new__(cls, (
            decision, seat, number, game.deals + 1, deal.dealer, game.scores, game.barrel,
            cards_in(deal.hands[seat]), tuple(deal.bids), deal.contract, deal.declarer,
            () if deal.declarer is None else deal.talon, gifts_known_to(deal, seat),
            tuple(deal.played), tuple(deal.leads), tuple(deal.announced), deal.trump,
            tuple(deal.points), amounts, cards, announceable, bank_ms,
        ))  # fmt: skip

    @property
    def legal_bids(self) -> tuple[int | None, ...]:
        """Every legal bid, None for a pass; empty unless a bid is asked."""
        if self.decision is not Decision.BID:
            return ()
        return tuple(amount or None for amount in self.amounts)

    @property
    def legal_raises(self) -> tuple[int, ...]:
        """Every legal contract, the present one first; empty unless a raise is asked."""
        return self.amounts if self.decision is Decision.RAISE else ()

    @property
    def legal_gifts(self) -> tuple[Card, ...]:
        """The ten cards, any two of which may be given; empty unless gifts are asked."""
        return self.cards if self.decision is Decision.GIVE else ()

    @property
    def legal_plays(self) -> tuple[Play, ...]:
        """Every legal play; a card that may announce stands there twice."""
        if self.decision is not Decision.PLAY:
            return ()
        return plays_in(mask_of(self.cards), mask_of(self.announceable))

    @property
    def left(self) -> int:
        """The seat on your left, who plays after you."""
        return (self.seat + 1) % 3

    @property
    def right(self) -> int:
        """The seat on your right, who plays before you."""
        return (self.seat + 2) % 3

    @property
    def is_declarer(self) -> bool:
        """Whether you play the contract."""
        return self.declarer == self.seat

    @property
    def trick(self) -> tuple[Card, ...]:
        """The cards of the present trick, in playing order; empty when you lead."""
        return self.played[len(self.played) - len(self.played) % 3 :]

    @property
    def winning(self) -> int | None:
        """The seat whose card is winning the present trick; None when you lead."""
        trick = self.trick
        return (self.leads[-1] + winning_place(trick, self.trump)) % 3 if trick else None

    @property
    def tricks(self) -> tuple[Trick, ...]:
        """All tricks of the deal, the present one included if a card lies there."""
        return tuple(
            Trick(lead, self.played[3 * index : 3 * index + 3], announced)
            for index, (lead, announced) in enumerate(zip(self.leads, self.announced, strict=False))
        )

    @property
    def unseen(self) -> tuple[Card, ...]:
        """Cards neither in your hand nor played: they are in the other two hands.

        Before the talon is turned up, three of them are in it. Gifts and talon cards
        that have not been played are among them, though you may know who has them.
        """
        return cards_in(PACK & ~(mask_of(self.hand) | mask_of(self.played)))

    def sample_worlds(self, rng: Random, n: int) -> list[Deal]:
        """Draw `n` complete deals in which all that this seat knows is true.

        All such deals are equally likely. Each is in the state of this view, so it can be
        played on. See `thousand.worlds`. ValueError when the view contradicts itself.
        """
        from thousand.worlds import sample_worlds

        return sample_worlds(self, rng, n)

    def __str__(self) -> str:
        """Write the view on one line, for people: all of it that is not empty."""
        texts = [f"you are seat {self.seat} of game {self.game}, deal {self.deal}"]
        for name, value in zip(self._fields, self, strict=True):
            if name not in _IN_THE_LEAD and value not in ((), None):
                texts.append(f"{name} {_text_of(value)}")
        return "; ".join(texts)


_IN_THE_LEAD = ("decision", "seat", "game", "deal")


def _text_of(value: object) -> str:
    """Write a field of a view: tuples in square brackets, ``-`` for None."""
    if isinstance(value, Suit):
        return value.name.lower()
    if isinstance(value, tuple):
        return f"[{' '.join(map(_text_of, value))}]"
    return "-" if value is None else str(value)


def gifts_known_to(deal: Deal, seat: int) -> tuple[Card, ...]:
    """Give the gifts a seat knows: the giver both, a receiver the one received (rule 12)."""
    if not deal.gifts or deal.declarer is None:
        return ()
    if seat == deal.declarer:
        return deal.gifts
    return (deal.gifts[(seat - deal.declarer) % 3 - 1],)
