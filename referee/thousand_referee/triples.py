"""Triples out of N points, so that every pair is together equally often: the balanced designs.

`balanced_triples(points, each)` gives triples of the points 0, 1, … in which

- every point is in `each` triples, or one more or one fewer (most are in `each`);
- any two pairs of points are together equally often, or one is once more often.

No design does better: the numbers of pairs rarely divide. That it holds is checked
whenever a design is made, and tests look at every small case.

**Construction.** Fix how often each pair shall be together: L times, or L + 1 times for
the pairs of a circulant graph with as many edges at each point as `each` asks for; where
three doesn't divide the sum, one or two points give up or take an edge. This multigraph is
cut into triangles by Stinson's hill climbing (D. R. Stinson, "Hill-climbing algorithms for
the construction of combinatorial designs", Annals of Discrete Mathematics 26, 1985): while
pairs are left, take a point with two of them, x-y and x-z, and make the triangle x-y-z; if
y-z is used up, undo a triangle that has it. With L = 0 that only works for nearly all
pairs, so a largest packing is made then, and sorted so that all of its beginnings use the
points evenly; its beginnings are the designs. And there is a multiple of every pair that
can be cut up exactly, from L = 1 (points = 1 or 3 modulo 6) to L = 6: what `each` asks
beyond it repeats that design.

So designs for growing `each` contain one another, as far as the packing goes. Chance is
drawn from a generator with a fixed seed: the same arguments give the same triples on any
machine.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from random import Random
from typing import Final, TypeAlias

Triple: TypeAlias = tuple[int, int, int]

EXACT_MULTIPLES: Final = (2, 1, 6, 1, 2, 3)
"""By the number of points modulo 6: how often each pair is together in an exact design.

The least that the divisibility of edges by three and of edges at a point by two allows,
and it exists for every number (H. Hanani, "The existence and construction of balanced
incomplete block designs", Annals of Mathematical Statistics 32, 1961).
"""

ATTEMPTS: Final = 60


def balanced_triples(points: int, each: int) -> dict[Triple, int]:
    """Give triples (ascending) and how often each is there, in an order that begins evenly.

    See the module's text. ValueError for fewer than 3 points or `each` below 1.
    """
    if points < 3 or each < 1:
        raise ValueError(f"no design with {points} points, each in {each} triples")
    if points == 3:
        return {(0, 1, 2): each}
    exact_each = EXACT_MULTIPLES[points % 6] * (points - 1) // 2
    repeats, rest = divmod(each, exact_each)
    packed_each = _packed_each(points)
    packing: list[Triple] = []
    if repeats or rest <= packed_each:
        packing = _in_even_order(points, _cut(points, packed_each))
    counts: dict[Triple, int] = {}
    if repeats:
        _add(counts, packing, repeats)
        missing = _all_pairs(points, EXACT_MULTIPLES[points % 6])
        _take_pairs(missing, packing)
        if packed_each < exact_each:
            others = _climb(points, missing, Random(f"exact {points}"))
            if others is None:
                raise ArithmeticError(
                    f"found no exact design of {points} points; try fewer triples"
                )
            _add(counts, _in_even_order(points, others), repeats)
    if rest == packed_each:
        _add(counts, packing, 1)
    elif rest < packed_each:
        _add(counts, packing[: _nearest_third(points * rest)], 1)
    else:
        _add(counts, _in_even_order(points, _cut(points, rest)), 1)
    _check(points, each, counts)
    return counts


def _packed_each(points: int) -> int:
    """Give in how many triples most points are in the largest packing that is made."""
    return (points - 3) // 2 if points % 6 == 5 else (points - 1) // 2


def _nearest_third(total: int) -> int:
    """Divide by three, to the nearest whole number."""
    return (total + 1) // 3


def _add(counts: dict[Triple, int], triples: Iterable[Triple], times: int) -> None:
    for triple in triples:
        counts[triple] = counts.get(triple, 0) + times


def _check(points: int, each: int, counts: dict[Triple, int]) -> None:
    """Raise ArithmeticError unless the design is balanced as promised."""
    uses = [0] * points
    pairs = dict.fromkeys(combinations(range(points), 2), 0)
    for triple, times in counts.items():
        for point in triple:
            uses[point] += times
        for pair in combinations(triple, 2):
            pairs[pair] += times
    together = pairs.values()
    if min(uses) < each - 1 or max(uses) > each + 1 or max(together) > min(together) + 1:
        raise ArithmeticError(f"the design of {points} points, each in {each}, isn't balanced")


def _cut(points: int, each: int) -> list[Triple]:
    """Cut up a multigraph that puts every point in `each` triples, one more or one fewer.

    Some small ones can't be cut up, so others are tried, which are less and less regular.
    """
    for attempt in range(ATTEMPTS):
        random = Random(f"cut {points} {each} {attempt}")
        wanted = _wanted_pairs(points, each, attempt // 4, random)
        triples = wanted and _climb(points, wanted, random)
        if triples:
            return triples
    raise ArithmeticError(
        f"found no balanced design of {points} points, each in {each}; try another number"
    )


# How often each pair shall be together: a symmetric matrix


def _all_pairs(points: int, times: int) -> list[list[int]]:
    return [[times * (one != other) for other in range(points)] for one in range(points)]


def _change(pairs: list[list[int]], one: int, other: int, by: int) -> None:
    pairs[one][other] += by
    pairs[other][one] += by


def _take_pairs(pairs: list[list[int]], triples: Iterable[Triple]) -> None:
    for triple in triples:
        for one, other in combinations(triple, 2):
            _change(pairs, one, other, -1)


def _wanted_pairs(points: int, each: int, unrest: int, random: Random) -> list[list[int]] | None:
    """Give a multigraph with 2 `each` edges at most points and a number divisible by three.

    `unrest` more points give up two edges, and as many take two. None if chance found none.
    """
    times, more = divmod(2 * each, points - 1)
    pairs = _all_pairs(points, times)
    for distance in range(1, more // 2 + 1):
        for one in range(points):
            _change(pairs, one, (one + distance) % points, 1)
    if more % 2:
        for one in range(points // 2):
            _change(pairs, one, one + points // 2, 1)
    missing = -points * each % 3
    if more == 0:
        if missing:
            _add_cycle(pairs, 3 + missing, random)
        return pairs
    # An edge more and two edges fewer are the same modulo three, and the other way round.
    steps = [(), (1,), (-1,)][missing]
    restless = [1, -1] if random.random() < 0.5 else [-1, 1]
    for ways in (steps, [-step for step in steps for _ in range(2)]):
        shifted = [list(row) for row in pairs]
        untouched = set(range(points))
        if all(
            _shift(shifted, times, step, untouched, random) for step in (*ways, *unrest * restless)
        ):
            return shifted
    return None


def _add_cycle(pairs: list[list[int]], length: int, random: Random) -> None:
    cycle: list[int] = []
    while len(cycle) < length:
        point = int(random.random() * len(pairs))
        if point not in cycle:
            cycle.append(point)
    for place, point in enumerate(cycle):
        _change(pairs, cycle[place - 1], point, 1)


def _shift(
    pairs: list[list[int]], times: int, step: int, untouched: set[int], random: Random
) -> bool:
    """Give an untouched point two edges more (`step` 1) or fewer (-1), and the whole one.

    Two neighbours x, y make up for it: they lose, or get, the edge x-y. False if there
    is no such point.
    """
    plenty, few = (times, times + 1) if step > 0 else (times + 1, times)
    for point in sorted(untouched, key=lambda _: random.random()):
        side = [other for other, count in enumerate(pairs[point]) if count == plenty]
        links = [
            (x, y) for x, y in combinations(side, 2) if pairs[x][y] == few and point not in (x, y)
        ]
        if links:
            x, y = links[int(random.random() * len(links))]
            _change(pairs, point, x, step)
            _change(pairs, point, y, step)
            _change(pairs, x, y, -step)
            untouched.remove(point)
            return True
    return False


def _in_even_order(points: int, triples: Iterable[Triple]) -> list[Triple]:
    """Sort triples so that every beginning uses the points evenly: always the least used."""
    uses = [0] * points
    waiting = [(0, number, triple) for number, triple in enumerate(triples)]
    heapq.heapify(waiting)
    ordered = []
    while waiting:
        known, number, triple = waiting[0]
        now = sum(uses[point] ** 2 for point in triple)
        if now != known:  # it has grown since: uses only do
            heapq.heapreplace(waiting, (now, number, triple))
            continue
        heapq.heappop(waiting)
        ordered.append(triple)
        for point in triple:
            uses[point] += 1
    return ordered


def _climb(points: int, pairs: Sequence[Sequence[int]], random: Random) -> list[Triple] | None:
    """Cut a multigraph up into triangles, in an order of chance; None if it takes too long."""
    state = _Climb(points, pairs)
    draw = random.random
    for _ in range(2_000 + 40 * points * points):
        if not state.open_points:
            triples = list(state.triples())
            return sorted(triples, key=lambda _: draw())
        x = state.open_points[int(draw() * len(state.open_points))]
        ends = state.ends[x]
        first = int(draw() * len(ends))
        y = ends[first]
        if len(ends) > 1:
            z = ends[first - 1 - int(draw() * (len(ends) - 1))]
        else:  # only x-y is left at x, twice: free another pair of x
            z = int(draw() * points)
            if z in (x, y) or not state.undo(x, z, draw()):
                continue
        if (state.left[y][z] or state.undo(y, z, draw())) and state.left[x][y] and state.left[x][z]:
            state.make(x, y, z)
    return None


class _Climb:
    """Which pairs are left, and which triangles were made of the others.

    `left[x][y]` counts a pair; `ends[x]` are the points with which x has a pair left, in
    no order, and `open_points` those that have any.
    """

    def __init__(self, points: int, pairs: Sequence[Sequence[int]]) -> None:
        self.left = [[0] * points for _ in range(points)]
        self.ends: list[list[int]] = [[] for _ in range(points)]
        self.open_points: list[int] = []
        self._place = [[0] * points for _ in range(points)]
        self._open_place = [0] * points
        self._thirds: list[list[list[int]]] = [[[] for _ in range(points)] for _ in range(points)]
        for x, y in combinations(range(points), 2):
            for _ in range(pairs[x][y]):
                self._give_back(x, y)

    def triples(self) -> Iterator[Triple]:
        """Yield the triangles, points ascending."""
        for x, y in combinations(range(len(self.left)), 2):
            for z in self._thirds[x][y]:
                if z > y:
                    yield x, y, z

    def make(self, x: int, y: int, z: int) -> None:
        """Make a triangle of pairs that are left."""
        for one, other, third in ((x, y, z), (x, z, y), (y, z, x)):
            self._use_up(one, other)
            self._thirds[one][other].append(third)
            self._thirds[other][one].append(third)

    def undo(self, x: int, y: int, chance: float) -> bool:
        """Undo one triangle with this pair; False if there is none."""
        thirds = self._thirds[x][y]
        if not thirds:
            return False
        z = thirds[int(chance * len(thirds))]
        for one, other, third in ((x, y, z), (x, z, y), (y, z, x)):
            self._thirds[one][other].remove(third)
            self._thirds[other][one].remove(third)
            self._give_back(one, other)
        return True

    def _use_up(self, x: int, y: int) -> None:
        for one, other in ((x, y), (y, x)):
            self.left[one][other] -= 1
            if not self.left[one][other]:
                _remove_at(self.ends[one], self._place[one], self._place[one][other])
                if not self.ends[one]:
                    _remove_at(self.open_points, self._open_place, self._open_place[one])

    def _give_back(self, x: int, y: int) -> None:
        for one, other in ((x, y), (y, x)):
            if not self.left[one][other]:
                if not self.ends[one]:
                    self._open_place[one] = len(self.open_points)
                    self.open_points.append(one)
                self._place[one][other] = len(self.ends[one])
                self.ends[one].append(other)
            self.left[one][other] += 1


def _remove_at(items: list[int], places: list[int], place: int) -> None:
    """Remove an item by moving the last one there; `places` says where each item is."""
    last = items.pop()
    if place < len(items):
        items[place] = last
        places[last] = place
