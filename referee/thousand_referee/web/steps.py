"""A logged deal as steps to be looked at one by one, so that a browser needs no rules.

A deal's steps are: dealt, each bid, the talon, the gifts, the contract, 24 cards, the result.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import msgspec

from thousand.cards import Card, cards_in, text_of
from thousand.rules import Action, Bid, Deal, Give, Play, Raise, winning_place
from thousand_referee.matchlog.records import DealLine, FaultLine
from thousand_referee.matchlog.replay import steps
from thousand_referee.matchlog.telling import barrel_news
from thousand_referee.text import printable

_LASTING: Final = ("contract", "declarer", "trump", "points", "known")


class Step(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One step, and how the deal stands after it.

    `kind` is deal, bid, talon, give, raise, play or result, and `seat` whose step it is.
    `next` is who is asked then. `texts` tell it by who looks on: seats 0 to 2, where that
    differs from `text`, which tells all. `card` is what was played; `gifts` went to the
    declarer's left and right. `winner` took the trick that is now whole.

    The following are left out while they stay as they were; at first there are none.
    `known` are, by seat, cards in others' hands that the seat knows to be there; `points`
    are those of the deal by seat so far.
    """

    kind: str
    text: str
    seat: int
    next: int | None = None
    texts: tuple[str, ...] = ()
    card: str = ""
    gifts: tuple[str, ...] = ()
    winner: int | None = None
    faults: tuple[str, ...] = ()
    contract: int | None = None
    declarer: int | None = None
    trump: str | None = None
    points: tuple[int, ...] | None = None
    known: tuple[tuple[str, ...], ...] | None = None


class DealSteps(msgspec.Struct, frozen=True, kw_only=True):
    """A deal: how it was dealt, the game before and after it, its steps."""

    deal: int
    dealer: int
    hands: tuple[tuple[str, ...], ...]
    talon: tuple[str, ...]
    before: tuple[int, ...]
    barrel: tuple[int | None, ...]
    scores: tuple[int, ...]
    barrel_after: tuple[int | None, ...]
    declarer: int
    contract: int
    is_made: bool
    ms: tuple[float, ...]
    steps: tuple[Step, ...]


def card_name(card: Card) -> str:
    """Give a card as people read it: ``10♥``."""
    letter = card.rank.letter
    return ("10" if letter == "T" else letter) + card.suit.symbol


def deal_steps(
    line: DealLine,
    faults: Iterable[FaultLine],
    names: Sequence[str],
    before: tuple[int, ...],
    barrel: tuple[int | None, ...],
) -> DealSteps:
    """Lay a deal out in steps; `before` and `barrel` are the game's state before it.

    `names` are printable. `Mismatch` or ValueError where the log can't be.
    """
    hands = [[Card.parse(text) for text in hand] for hand in line.hands]
    deal = Deal(line.dealer, hands, [Card.parse(text) for text in line.talon])
    maker = _StepMaker(line, deal, names)
    found = [*maker.all_steps(barrel)]
    for fault in faults:
        place = _place_of(fault, found)
        told = (*found[place].faults, fault_text(fault, names))
        found[place] = msgspec.structs.replace(found[place], faults=told)
    return DealSteps(
        deal=line.deal,
        dealer=line.dealer,
        hands=tuple(tuple(text_of(reversed(cards_in(mask)))) for mask in deal.dealt),
        talon=line.talon,
        before=before,
        barrel=barrel,
        scores=line.scores,
        barrel_after=line.barrel,
        declarer=line.declarer,
        contract=line.contract,
        is_made=line.points[line.declarer] >= line.contract,
        ms=line.ms,
        steps=tuple(found),
    )


def fault_text(line: FaultLine, names: Sequence[str]) -> str:
    """Tell a fault in one line."""
    told = f"{names[line.seat]}: {printable(line.kind)}: {printable(line.detail)}"
    if line.answer is not None:
        told += f'; the answer was "{printable(line.answer)}"'
    if line.action is not None:
        told += f"; played instead: {printable(line.action)}"
    if line.out is not None:
        told += f"; out of the {printable(line.out)}"
    return told


class _StepMaker:
    """Plays a deal once, telling each step."""

    def __init__(self, line: DealLine, deal: Deal, names: Sequence[str]) -> None:
        self._line = line
        self._deal = deal
        self._names = names
        self._known: list[set[Card]] = [set(), set(), set()]
        self._told: dict[str, object] = {"contract": 0, "points": (0, 0, 0), "known": ((),) * 3}

    def all_steps(self, barrel: Sequence[int | None]) -> Iterator[Step]:
        """Yield the steps of the whole deal."""
        deal = self._deal
        yield self._step("deal", deal.dealer, f"{self._names[deal.dealer]} deals")
        pending: tuple[Action, int] | None = None
        for action in steps(self._line, deal):
            if pending is not None:
                yield from self._after(*pending)
            pending = action, deal.seat
        if pending is None or not deal.is_over:
            raise ValueError(f"deal {self._line.deal} is not played to its end")
        yield from self._after(*pending)
        yield self._result(barrel)

    def _after(self, action: Action, seat: int) -> Iterator[Step]:
        """Tell an action that was carried out."""
        name, deal = self._names[seat], self._deal
        match action:
            case Bid(amount):
                told = f"{name} {'passes' if amount is None else f'bids {amount}'}"
                yield self._step("bid", seat, told, is_bid=True)
                if deal.declarer is not None:
                    yield self._talon(deal.declarer)
            case Give(to_left, to_right):
                yield self._gifts(seat, to_left, to_right)
            case Raise(amount):
                bid = max(amount for _, amount in deal.bids if amount is not None)
                how = f"keeps {amount}" if amount == bid else f"raises to {amount}"
                yield self._step("raise", seat, f"{name} {how}")
            case Play(card, announce):
                yield self._play(seat, card, announce)

    def _talon(self, declarer: int) -> Step:
        cards = " ".join(card_name(card) for card in self._deal.talon)
        for seat in range(3):
            if seat != declarer:
                self._known[seat].update(self._deal.talon)
        return self._step("talon", declarer, f"{self._names[declarer]} takes the talon: {cards}")

    def _gifts(self, seat: int, to_left: Card, to_right: Card) -> Step:
        left, right = (seat + 1) % 3, (seat + 2) % 3
        for other in (left, right):
            self._known[other].clear()  # any of the talon's cards may have gone to the third
        self._known[seat] = {to_left, to_right}
        name = self._names[seat]
        gives = {
            left: f"{card_name(to_left)} to {self._names[left]}",
            right: f"{card_name(to_right)} to {self._names[right]}",
        }
        whole = f"{name} gives {gives[left]}, {gives[right]}"
        texts = [whole, whole, whole]
        texts[left] = f"{name} gives {gives[left]}, a card to {self._names[right]}"
        texts[right] = f"{name} gives a card to {self._names[left]}, {gives[right]}"
        return msgspec.structs.replace(
            self._step("give", seat, whole),
            texts=tuple(texts),
            gifts=tuple(text_of((to_left, to_right))),
        )

    def _play(self, seat: int, card: Card, announce: bool) -> Step:
        deal = self._deal
        told = f"{self._names[seat]} plays {card_name(card)}"
        partner = card.partner
        if announce and partner is not None:
            value = card.suit.marriage_value
            told += f" and announces the marriage of {value}: trump is {card.suit.symbol}"
            for other in range(3):
                if other != seat:
                    self._known[other].add(partner)
        winner = None
        trick = deal.played[-3:]
        if not len(deal.played) % 3:
            lead = deal.leads[len(deal.played) // 3 - 1]
            winner = (lead + winning_place(trick, deal.trump)) % 3
            told += f"; {self._names[winner]} takes {sum(each.points for each in trick)}"
        for known in self._known:
            known.discard(card)
        return msgspec.structs.replace(
            self._step("play", seat, told),
            card=str(card),
            winner=winner,
        )

    def _result(self, barrel: Sequence[int | None]) -> Step:
        line, declarer = self._line, self._line.declarer
        over = line.points[declarer] - line.contract
        told = f"{self._names[declarer]} " + (
            f"makes {line.contract}, {over} over"
            if over >= 0
            else f"fails {line.contract} by {-over}"
        )
        for seat in range(3):
            news = barrel_news(line, seat, barrel[seat], self._names[seat])
            told += f". Barrel: {news}" if news else ""
        return self._step("result", declarer, told)

    def _step(self, kind: str, seat: int, text: str, *, is_bid: bool = False) -> Step:
        """Give a step with the state of the deal after it; a bid's is told before the talon."""
        deal = self._deal
        is_auction_over = is_bid and deal.declarer is not None
        state = {
            "contract": deal.contract,
            "declarer": None if is_bid else deal.declarer,
            "trump": None if deal.trump is None else deal.trump.letter,
            "points": tuple(deal.points),
            "known": tuple(tuple(text_of(sorted(cards))) for cards in self._known),
        }
        news = {key: state[key] for key in _LASTING if state[key] != self._told.get(key)}
        self._told |= news
        return Step(
            kind=kind,
            text=text,
            seat=seat,
            next=None if is_auction_over or deal.decision is None else deal.seat,
            **news,  # type: ignore[arg-type]
        )


def _place_of(fault: FaultLine, found: Sequence[Step]) -> int:
    """Find the step that answers the question of a fault; 0, the deal itself, without one."""
    prompt = fault.prompt or {}
    decision = prompt.get("decision")
    done = prompt.get({"bid": "bids", "play": "played"}.get(str(decision), ""))
    missing = len(done) if isinstance(done, list) else 0
    for number, step in enumerate(found):
        if step.kind == decision:
            if not missing:
                return number
            missing -= 1
    return 0
