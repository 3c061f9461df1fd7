"""Exact play of a deal with all hands known: the declarer against the two defenders.

**Model.** The two defenders are one coalition that shares all it knows. The declarer
plays for as many points as possible in the end (rule 19: card points and marriages, those
had already included); the coalition plays for as few. What the defenders score, and who
of them, does not matter. All of rules 14 to 18 is played: who holds a marriage may
announce it, or lead its cards without, and each announcement changes the trump, also one
by a defender. `makes_contract` asks the smaller question whether the declarer can reach
the contract whatever the defenders do.

**Method.** A search with a null window ("does the declarer get this many more?") that
returns a bound on the value (fail-soft alpha-beta), repeated until upper and lower bound
meet, as in A. Plaat, J. Schaeffer, W. Pijls and A. de Bruin, "Best-first fixed-depth
minimax algorithms", Artificial Intelligence 87 (1996) 255-293; the questions halve the
range that is left. Both bounds of every position before a lead are kept in a table under
the three hands, the leader and the trump, which is all that its value depends on.

**Equivalent cards.** Cards of one hand are *touching* if no card that another hand holds,
or that lies in the trick, ranks between them. Every rank has points of its own, so
touching cards are never quite the same. But playing one instead of the other changes who
wins nothing, now or later, so the values differ by no more than the points of the two
cards. A card is skipped if the bound found for one that touches it, give or take this
difference, answers the question. This is exact. King and queen of a marriage in hand touch
each other and no other card here, as playing one of them destroys the marriage. No other
cards are collapsed.

**Speed.** `tests/benchmarks/solver_speed.py` prints it. Each card tried takes 1.7 µs here,
spent on calls, tuples and integer objects. A native core would do the same search with a
few shifts, one look-up of moves and one probe of a flat table for each card, some 50 ns
together: about 30 times as fast, which is worth two more cards a hand in the same time.
"""

from __future__ import annotations

from typing import Final

from thousand.cards import CardMask, marriage_points_in, mask_of, points_in
from thousand.rules import Deal, Decision, Play, winning_place
from thousand.solver_moves import FAR, KINGS, MARRIAGES, NO_TRUMP, leads_of, replies_to

_LEFT_OF: Final = (1, 2, 0)
_RIGHT_OF: Final = (2, 0, 1)


def solve(deal: Deal) -> int:
    """Give the declarer's points at the end of the deal if both sides play their best.

    ValueError unless the deal waits for a play.
    """
    return Solver().solve(deal)


def best_plays(deal: Deal) -> tuple[tuple[Play, int], ...]:
    """Give every legal play and the declarer's points at the end if it is made.

    The best plays come first: those with most points for a declarer, with fewest for a
    defender. After the play, both sides play their best. ValueError unless the deal waits
    for a play.
    """
    return Solver().best_plays(deal)


def makes_contract(deal: Deal) -> bool:
    """Say whether the declarer can make the contract against any defence.

    One question where `solve` needs several. ValueError unless the deal waits for a play.
    """
    return Solver().makes_contract(deal)


class Solver:
    """Answers as the functions of this module do, and remembers the positions it has met.

    What it remembers is true in any deal, so one solver may serve for all worlds of a
    decision. It needs some 300 bytes for each position, and forgets none.
    """

    def __init__(self) -> None:
        self._bounds: dict[tuple[CardMask, CardMask, CardMask, int, int], tuple[int, int]] = {}

    def solve(self, deal: Deal) -> int:
        """Give the declarer's points at the end, see `solve`."""
        _expect_play(deal)
        return self._value(deal)

    def best_plays(self, deal: Deal) -> tuple[tuple[Play, int], ...]:
        """Give every play with the declarer's points at the end, see `best_plays`."""
        _expect_play(deal)
        values: list[tuple[Play, int]] = []
        value: int | None = None
        for play in deal.legal_plays():
            after = deal.copy()
            after.apply(play)
            value = self._value(after, value)
            values.append((play, value))
        values.sort(key=_value_of, reverse=deal.seat == deal.declarer)
        return tuple(values)

    def makes_contract(self, deal: Deal) -> bool:
        """Say whether the contract can be made, see `makes_contract`."""
        _expect_play(deal)
        return self._bound(deal, deal.contract) >= deal.contract

    def _value(self, deal: Deal, guess: int | None = None) -> int:
        """Ask whether the declarer reaches so many points until only one answer is left."""
        assert deal.declarer is not None
        low = deal.points[deal.declarer]
        trick = deal.played[len(deal.played) - len(deal.played) % 3 :]
        high = low + points_in(sum(deal.hands) | mask_of(trick))
        high += marriage_points_in(deal.hands[deal.declarer])
        need = (low + high + 1) // 2 if guess is None else max(low + 1, min(high, guess))
        while low < high:
            bound = self._bound(deal, need)
            if bound >= need:
                low = bound
                need = low + 1 if bound == guess else (low + high + 1) // 2
            else:
                high = bound
                need = (low + high + 1) // 2
        return low

    def _bound(self, deal: Deal, need: int) -> int:
        """Give a lower bound of the declarer's points if it is `need` or more, else an upper one.

        So do the methods below, for the points still to be won in a position. It is given
        by the `hands`, which are changed and restored; `place` is who plays now; `left` is
        the sum of the points in the hands. `won` are the points that lie in the trick.
        """
        declarer = deal.declarer
        assert declarer is not None
        hands = [deal.hands[(declarer + place) % 3] for place in range(3)]
        place = (deal.seat - declarer) % 3
        trump = NO_TRUMP if deal.trump is None else int(deal.trump)
        trick = deal.played[len(deal.played) - len(deal.played) % 3 :]
        points, left = deal.points[declarer], points_in(sum(hands))
        won = points_in(mask_of(trick))
        more = need - points
        if not trick:
            return points + self._lead(hands, place, trump, left, more)
        led, best = int(trick[0].suit), 1 << trick[winning_place(trick, deal.trump)]
        if len(trick) == 1:
            return points + self._second(hands, place, trump, led, best, won, left, more)
        winner = (deal.leads[-1] + winning_place(trick, deal.trump) - declarer) % 3
        return points + self._third(hands, place, trump, led, best, winner, won, left, more)

    def _lead(self, hands: list[CardMask], place: int, trump: int, left: int, need: int) -> int:
        """Bound the points from a position before a lead."""
        if need <= 0 or not left:
            return 0
        first, second, third = hands
        most = left + MARRIAGES[first & first << 1 & KINGS]
        if most < need:
            return most
        position = (first, second, third, place, trump)
        known = self._bounds.get(position)
        if known is None:
            low, high = 0, most
        else:
            low, high = known
            if low >= need:
                return low
            if high < need:
                return high
        is_declarer = not place
        hand = hands[place]
        left_of = _LEFT_OF[place]
        best, value = (-1, 0) if is_declarer else (FAR, 0)
        for suit, new_trump, gain, moves in leads_of(hand, (first | second | third) ^ hand, trump):
            if not is_declarer:
                gain = 0
            for card, points, difference in moves:
                if is_declarer:
                    value += difference
                    if value < need:
                        if value > best:
                            best = value
                        continue
                else:
                    value -= difference
                    if value >= need:
                        if value < best:
                            best = value
                        continue
                hands[place] = hand ^ card
                value = gain + self._second(
                    hands, left_of, new_trump, suit, card, points, left - points, need - gain
                )
                if (value > best) is is_declarer:
                    best = value
                if (value >= need) is is_declarer:
                    break
            else:
                continue
            break
        hands[place] = hand
        if best >= need:
            self._bounds[position] = (best if best > low else low, high)
        else:
            self._bounds[position] = (low, best if best < high else high)
        return best

    def _second(
        self,
        hands: list[CardMask],
        place: int,
        trump: int,
        led: int,
        lead: CardMask,
        won: int,
        left: int,
        need: int,
    ) -> int:
        """Bound the points from a position with one card in the trick, of suit `led`."""
        if need <= 0:
            return 0
        is_declarer = not place
        hand = hands[place]
        others = (hands[0] | hands[1] | hands[2]) ^ hand | lead
        moves, to_beat = replies_to(hand, others, trump, led, lead)
        left_of, right_of = _LEFT_OF[place], _RIGHT_OF[place]
        best, value = (-1, 0) if is_declarer else (FAR, 0)
        for card, points, difference in moves:
            if is_declarer:
                value += difference
                if value < need:
                    if value > best:
                        best = value
                    continue
            else:
                value -= difference
                if value >= need:
                    if value < best:
                        best = value
                    continue
            hands[place] = hand ^ card
            winning, winner = (card, place) if card > to_beat else (lead, right_of)
            value = self._third(
                hands, left_of, trump, led, winning, winner, won + points, left - points, need
            )
            if (value > best) is is_declarer:
                best = value
            if (value >= need) is is_declarer:
                break
        hands[place] = hand
        return best

    def _third(
        self,
        hands: list[CardMask],
        place: int,
        trump: int,
        led: int,
        winning: CardMask,
        winner: int,
        won: int,
        left: int,
        need: int,
    ) -> int:
        """Bound the points from a position with two cards in the trick, one of them winning."""
        if need <= 0:
            return 0
        is_declarer = not place
        hand = hands[place]
        others = (hands[0] | hands[1] | hands[2]) ^ hand | winning
        moves, to_beat = replies_to(hand, others, trump, led, winning)
        best, value = (-1, 0) if is_declarer else (FAR, 0)
        for card, points, difference in moves:
            if is_declarer:
                value += difference
                if value < need:
                    if value > best:
                        best = value
                    continue
            else:
                value -= difference
                if value >= need:
                    if value < best:
                        best = value
                    continue
            hands[place] = hand ^ card
            leader = place if card > to_beat else winner
            if leader:
                value = self._lead(hands, leader, trump, left - points, need)
            else:
                gain = won + points
                value = gain + self._lead(hands, 0, trump, left - points, need - gain)
            if (value > best) is is_declarer:
                best = value
            if (value >= need) is is_declarer:
                break
        hands[place] = hand
        return best


def _value_of(entry: tuple[Play, int]) -> int:
    return entry[1]


def _expect_play(deal: Deal) -> None:
    if deal.decision is not Decision.PLAY:
        now = "is over" if deal.decision is None else f"waits for a {deal.decision.name.lower()}"
        raise ValueError(f"only a deal that waits for a play can be solved; this one {now}")
