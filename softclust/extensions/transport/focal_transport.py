"""The definition, solved exactly, when few focal clusterings are possible.

A clustering is listed up to renamed labels: as the column of objects of each label, columns
sorted. Objects with one certain label are not in the list. The costs of all pairs
of hard clusterings are found once, those of the focal rough clusterings read from them, and
one transport problem is left, whose prices prove the value.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice, product
from typing import Any

import numpy as np

from ...tables.contingency import Contingency, contingency
from ...tables.matching import best_assignments, most_matched
from ...tables.pair_counts import PairCounts
from .couplings import Masses, cheapest_plan, sides
from .hard_and_random import distinct_rows
from .plan import EndState
from .problem import (
    Distance,
    Finding,
    Labels,
    LimitReached,
    Limits,
    Problem,
    RandomSide,
    base_distance,
    canonical,
    solver,
    status_of,
)

#: bits of a column: objects that are listed, and the rank of the column of certain objects
MAX_BITS = 62
#: relative gap between plan and prices that is rounding
GAP = 1e-11
#: largest number of states (by formula) that `compare()` lists by default
CHEAP_STATES = 40_000
#: cells of a temporary table, steps of a slice
_CELLS = 1_000_000


class TooMany(Exception):
    """More focal clusterings than `max_states`."""

    def __init__(self, states: float) -> None:
        super().__init__(f"{states:.3g} focal clusterings")
        self.states = states


@dataclass(frozen=True)
class FocalLaw:
    """The law of the focal rough clusterings of one side, up to renamed labels.

    Attributes
    ----------
    mass : (s,) float64
        Probability of each, summing to 1.
    clusterings : (h, c) int64
        The hard clusterings in any of them: column of each label, over the `listed` objects.
    start, members : (s + 1,), (w,) int64
        ``members[start[k]:start[k + 1]]``: hard clusterings compatible with the k-th.
    listed : (l,) int64
        Objects without a certain label.
    certain : (n, c) bool
        The label, in the order of the columns, of every other object.
    """

    mass: np.ndarray
    clusterings: np.ndarray
    start: np.ndarray
    members: np.ndarray
    listed: np.ndarray
    certain: np.ndarray


def focal_law(z: Masses, max_states: int, limits: Limits) -> FocalLaw:
    """List the focal clusterings of a side; TooMany beyond `most`."""
    used = z.mass > 0.0
    union = used.astype(np.float64) @ z.sets.astype(np.float64) > 0
    listed = np.flatnonzero(union.sum(axis=1) > 1)
    certain = union.copy()
    certain[listed] = False
    states = float(np.prod(used[listed].sum(axis=1).astype(np.float64)))
    if states > max_states:
        raise TooMany(states)
    # Labels with certain objects keep their place: their columns carry a rank in high bits.
    order = np.argsort(~certain.any(axis=0), kind="stable")
    certain = np.ascontiguousarray(certain[:, order])
    rank = np.where(certain.any(axis=0), np.arange(z.c), z.c).astype(np.int64)
    if listed.size + int(z.c).bit_length() > MAX_BITS:
        raise TooMany(2.0 ** listed.size)
    columns = (rank << listed.size)[None, :]
    mass: np.ndarray = np.ones(1)
    for place, i in enumerate(listed):
        sets = np.flatnonzero(used[i])
        bits = z.sets[sets][:, order].astype(np.int64) << place
        columns = (columns[:, None, :] | bits[None]).reshape(-1, z.c)
        mass = np.outer(mass, z.mass[i, sets]).reshape(-1)
        limits.check()
    columns, which = distinct_rows(np.sort(columns, axis=1))
    mass = np.bincount(which, weights=mass)
    clusterings, start, members = _compatible(columns, listed.size, max_states, limits)
    return FocalLaw(mass=mass / mass.sum(), clusterings=clusterings, start=start,
                    members=members, listed=listed, certain=certain)


def _compatible(columns: np.ndarray, n_listed: int, max_states: int, limits: Limits
                ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Hard clusterings compatible with each rough one: all distinct, start, members."""
    owner = np.arange(columns.shape[0])
    hard = columns >> n_listed << n_listed   # the ranks alone
    for place in range(n_listed):
        allowed = (columns[owner] >> place) & 1
        rows, labels = np.nonzero(allowed)
        if rows.size > max_states:
            raise TooMany(rows.size)
        hard, owner = hard[rows], owner[rows]
        hard[np.arange(rows.size), labels] |= np.int64(1) << place
        limits.check()
    distinct, which = distinct_rows(np.sort(hard, axis=1))
    pairs = np.unique(owner * np.int64(distinct.shape[0]) + which)
    owner, members = pairs // distinct.shape[0], pairs % distinct.shape[0]
    start = np.searchsorted(owner, np.arange(columns.shape[0] + 1))
    return distinct & ((np.int64(1) << n_listed) - 1), start, members


def _counted(z: Masses) -> tuple[float, float]:
    """Focal clusterings and hard clusterings of a side, renamed ones counted apart."""
    used = z.mass > 0.0
    union = used.astype(np.float64) @ z.sets.astype(np.float64) > 0
    with np.errstate(over="ignore"):
        return (float(np.prod(used.sum(axis=1).astype(np.float64))),
                float(np.prod(union.sum(axis=1).astype(np.float64))))


def _predicted(problem: Problem) -> float:
    """States by formula: of x times of y, of focal or of hard clusterings, renamed apart."""
    (focal, hard), (other_focal, other_hard) = (_counted(z) for z in sides(problem))
    return max(focal * other_focal, hard * other_hard)


def _laws(problem: Problem, limits: Limits) -> tuple[FocalLaw, FocalLaw] | float:
    """The laws of both sides, or the number of states if too many."""
    def compute() -> tuple[FocalLaw, FocalLaw] | float:
        # No list is shorter than by the number of ways to rename the labels.
        fewest = _predicted(problem) / float(math.factorial(min(problem.c, 20))) ** 2
        if fewest > limits.max_states:
            return fewest
        try:
            first, second = (focal_law(z, limits.max_states, limits) for z in sides(problem))
        except TooMany as stop:
            return stop.states
        work = max(first.mass.size * second.mass.size,
                   first.clusterings.shape[0] * second.clusterings.shape[0],
                   first.clusterings.shape[0] * second.members.size / 100,
                   second.clusterings.shape[0] * first.members.size / 100)
        return (first, second) if work <= limits.max_states else float(work)
    return problem.kept(("focal laws", limits.max_states), compute)


def _by_counts(problem: Problem, limits: Limits) -> FocalGroups | None:
    """Groups of equal rows, where their counts are fewer states than labellings."""
    sides = problem.kept("focal groups", lambda: groups(problem))
    if sides is None:
        return None
    states = sides.states[0] * sides.states[1]
    # Renamed labellings are one state, so counting halves the other number twice.
    return sides if states <= min(limits.max_states, _predicted(problem) / 4) else None


def _few(problem: Problem, limits: Limits) -> str:
    if _by_counts(problem, limits) is not None:
        return ""
    laws = _laws(problem, limits)
    return "" if isinstance(laws, tuple) else limits.too_many(laws, at_least="at least ")


@solver("exact", cost="states of x times states of y: focal clusterings up to renamed labels",
        fits=_few, cheap=lambda p: _predicted(p) <= CHEAP_STATES
        or _by_counts(p, Limits(max_states=CHEAP_STATES)) is not None)
def focal_transport(problem: Problem, end: str, limits: Limits) -> Finding:
    """Exact transport between all focal clusterings, proved by its prices."""
    few = _by_counts(problem, limits)
    if few is not None:
        a, p = count_law(few.sizes, few.u)
        b, q = count_law(few.sizes, few.v)
        return least_cost(p, q, count_costs(a, b, few.sizes, problem.base), limits)
    laws = _laws(problem, limits)
    assert isinstance(laws, tuple)
    first, second = laws
    low, high = problem.kept("focal costs", lambda: _costs(first, second, problem.base, limits))
    alpha = problem.alpha_of(end)
    cost = low if alpha == 0.0 else high if alpha == 1.0 else (1 - alpha) * low + alpha * high
    return least_cost(first.mass, second.mass, cost, limits)


def least_cost(a: np.ndarray, b: np.ndarray, cost: np.ndarray, limits: Limits) -> Finding:
    """The transport problem in slices; a bracket when a limit stops it."""
    m, k = cost.shape
    plan, u, v, status = cheapest_plan(a, b, cost, limits)
    # Prices are made feasible once more, so that they prove the bound whatever was rounded.
    v = (cost - u[:, None]).min(axis=0)
    u = (cost - v[None, :]).min(axis=1)
    low, high = float(a @ u + b @ v), float((plan * cost).sum())
    supply, demand = np.maximum(a - plan.sum(axis=1), 0), np.maximum(b - plan.sum(axis=0), 0)
    if status != "ok" and demand.sum() > 0:   # the rest is spread evenly
        high += float(supply @ cost @ demand) / float(demand.sum())
    if status == "ok" and high - low <= GAP * max(1.0, float(cost.max())):
        low = high = max(min(0.0, float(cost.min())), (low + high) / 2)
    return Finding(low=low, high=max(low, high), n_states=m * k, status=status)


def _costs(first: FocalLaw, second: FocalLaw, base: str, limits: Limits
           ) -> tuple[np.ndarray, np.ndarray]:
    """Least and Hausdorff distance of all pairs of focal rough clusterings."""
    table = _distances(first, second, base, limits)
    fewest = np.empty((first.mass.size, second.mass.size))
    farthest = np.empty_like(fewest)
    _directed(table, first, second, fewest, farthest, limits)
    again, back = np.empty_like(fewest.T), np.empty_like(fewest.T)
    _directed(np.ascontiguousarray(table.T), second, first, again, back, limits)
    return fewest, np.maximum(farthest, back.T)


def _directed(table: np.ndarray, first: FocalLaw, second: FocalLaw, fewest: np.ndarray,
              farthest: np.ndarray, limits: Limits) -> None:
    """min and max over the members of the first of the distance to the second set."""
    near = np.empty((table.shape[0], second.mass.size))
    rows = max(1, _CELLS // second.members.size)
    for at in range(0, table.shape[0], rows):
        near[at:at + rows] = np.minimum.reduceat(table[at:at + rows, second.members],
                                                 second.start[:-1], axis=1)
        limits.check()
    columns = max(1, _CELLS // first.members.size)
    for at in range(0, near.shape[1], columns):
        picked = near[first.members, at:at + columns]
        fewest[:, at:at + columns] = np.minimum.reduceat(picked, first.start[:-1], axis=0)
        farthest[:, at:at + columns] = np.maximum.reduceat(picked, first.start[:-1], axis=0)
        limits.check()


def _distances(first: FocalLaw, second: FocalLaw, base: str, limits: Limits) -> np.ndarray:
    """Disagreeing pairs or moved objects of all pairs of hard clusterings, (h, h') float64."""
    objects = np.union1d(first.listed, second.listed)
    whole = np.setdiff1d(np.arange(first.certain.shape[0]), objects)
    fixed = first.certain[whole].astype(np.float64).T @ second.certain[whole]
    a, b = _members(first, objects), _members(second, objects)
    c = fixed.shape[0]
    out = np.empty((a.shape[0], b.shape[0]))
    rows = max(1, _CELLS // (b.shape[0] * c * c))
    for at in range(0, a.shape[0], rows):
        tables = np.tensordot(a[at:at + rows], b, axes=(1, 1)).swapaxes(1, 2) + fixed
        if base == "rand":
            squares = sum((sizes ** 2).sum(axis=-1)
                          for sizes in (tables.sum(axis=-1), tables.sum(axis=-2)))
            out[at:at + rows] = squares / 2 - (tables ** 2).sum(axis=(-2, -1))
        else:
            matched = best_assignments(tables.reshape(-1, c, c))[1]
            out[at:at + rows] = first.certain.shape[0] - matched.reshape(-1, b.shape[0])
        limits.check()
    return out


def _members(law: FocalLaw, objects: np.ndarray) -> np.ndarray:
    """Indicators that `objects` have a label in each hard clustering, (h, objects, c) float64."""
    members = np.tile(law.certain[objects].astype(np.float64), (law.clusterings.shape[0], 1, 1))
    for place, i in enumerate(law.listed):
        members[:, np.searchsorted(objects, i)] = (law.clusterings >> place) & 1
    return members


# -- focal transport of two fuzzy sides with two clusters and few distinct rows, by counts --------
# Objects with the same pair of rows are exchangeable on both sides, and the distances do not depend
# on which is which: a state is the number of objects with label 0 in each group, and two states
# cost what their best matching costs. Proof: given the counts both sides are spread evenly over the
# objects of a group, so renaming the objects of a best matching at random is a coupling, and no
# coupling does better than the best matching of its counts.
@dataclass(frozen=True)
class FocalGroups:
    """Groups of objects with equal pairs of rows: sizes (g,), probabilities u, v of label 0."""

    sizes: np.ndarray
    u: np.ndarray
    v: np.ndarray

    @property
    def states(self) -> tuple[float, float]:
        """Counts that are possible on each side; certain rows leave no choice."""
        first, second = (float(np.prod(np.where((p > 0) & (p < 1), self.sizes + 1.0, 1.0)))
                         for p in (self.u, self.v))
        return first, second


def groups(problem: Problem) -> FocalGroups | None:
    """The groups, when both sides are fuzzy with two labels."""
    if problem.c != 2 or not all(kind in ("hard", "fuzzy") for kind in problem.kinds):
        return None
    rows = np.column_stack([z.membership[:, 0] / z.membership.sum(axis=1)
                            for z in (problem.x, problem.y)])
    rows, sizes = np.unique(rows, axis=0, return_counts=True)
    return FocalGroups(sizes, rows[:, 0], rows[:, 1])


def count_law(sizes: np.ndarray, p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Counts of label 0 by group, (s, g) int64, and their probabilities (s,)."""
    counts, mass = np.zeros((1, 0), dtype=np.int64), np.ones(1)
    for m, q in zip(sizes.tolist(), p.tolist()):
        if 0.0 < q < 1.0:
            k = np.arange(m + 1)
            # Ratios from the mode on: logarithms of factorials would cost digits.
            mode = min(m, int((m + 1) * q))
            up, down = k[mode:m], k[mode:0:-1]
            rise = np.cumprod((m - up) / (up + 1.0) * (q / (1.0 - q)))
            fall = np.cumprod(down / (m - down + 1.0) * ((1.0 - q) / q if mode else 0.0))
            law = np.concatenate([fall[::-1], [1.0], rise])
            law /= law.sum()
        else:
            k, law = np.array([m if q == 1.0 else 0]), np.ones(1)
        counts = np.column_stack([np.repeat(counts, k.size, axis=0),
                                  np.tile(k, counts.shape[0])])
        mass = np.outer(mass, law).reshape(-1)
    return counts, mass / mass.sum()


def count_costs(a: np.ndarray, b: np.ndarray, sizes: np.ndarray, base: str) -> np.ndarray:
    """Least distance between clusterings with counts a (s, g) and b (s', g), (s, s') float64.

    h objects differ in their label, h between the sum of |R - S| and that of
    min(R + S, 2m - R - S); h(n - h) and min(h, n - h) are concave in h.
    """
    n = int(sizes.sum())
    closest, farthest = (np.zeros((a.shape[0], b.shape[0])) for _ in range(2))
    for g, m in enumerate(sizes.tolist()):
        r, s = a[:, g, None], b[None, :, g]
        closest += np.abs(r - s)
        farthest += np.minimum(r + s, 2 * m - r - s)
    if base == "rand":
        return np.minimum(closest * (n - closest), farthest * (n - farthest))
    return np.minimum(closest, n - farthest)


# -- the definition by brute force: every focal rough clustering, every labelling, plain Python ---
# For tiny inputs and for tests, with any base distance that does not depend on label names.
Rough = frozenset[Labels]
#: combinations handled between two checks of the clock
_SLICE = 2000


def enumerate_ends(problem: Problem, base: Any, limits: Limits) -> dict[str, EndState]:
    """Both ends and the value by listing everything; the bracket [0, most] if that is too much."""
    states = {end: EndState(low=0.0, high=float(problem.most), solver="enumerate")
              for end in ("lower", "upper", "value")}
    predicted = max(count_choices(problem.x), count_choices(problem.y))
    try:
        if predicted > limits.max_states:
            raise LimitReached("max_states")
        x, y = _law(problem.x, limits), _law(problem.y, limits)
        predicted = len(x) * len(y)
        if predicted > limits.max_states:
            raise LimitReached("max_states")
        values = _values(problem, x, y, base_distance(problem, base), limits)
    except (LimitReached, KeyboardInterrupt) as stop:
        if problem.base not in ("rand", "partition"):
            # No bracket is known for such a base, so a partial result would be useless.
            if isinstance(stop, KeyboardInterrupt):
                raise
            raise ValueError(
                f"enumeration would visit {float(predicted):.3g} choices of labels and was "
                f"stopped by {stop.status}; raise that limit, or use method='sample'") from None
        status = status_of(stop)
        for state in states.values():
            state.status = status
            state.notes.append(f"enumerate: {float(predicted):.3g} choices of labels, "
                               f"max_states is {float(limits.max_states):.3g}")
        return states
    return {end: EndState(low=value, high=value, solver="enumerate", n_states=len(x) * len(y))
            for end, value in values.items()}


def count_choices(side: RandomSide) -> int:
    """Choices of a focal set and a label in it, over all objects."""
    sizes = side.sets.sum(axis=1)
    return math.prod(int(sizes[row > 0].sum()) for row in side.mass)


def _law(side: RandomSide, limits: Limits) -> dict[Rough, float]:
    """Probability of every set of compatible hard clusterings."""
    members = [tuple(np.flatnonzero(row).tolist()) for row in side.sets]
    focal = [[(members[k], float(row[k])) for k in np.flatnonzero(row)] for row in side.mass]
    law: dict[Rough, float] = {}
    chosen: Iterator[Any] = product(*focal)
    while block := list(islice(chosen, _SLICE)):
        limits.check(text="listing focal clusterings")
        for sets in block:
            compatible = frozenset(map(canonical, product(*(labels for labels, _ in sets))))
            law[compatible] = law.get(compatible, 0.0) + math.prod(m for _, m in sets)
    return law


def _values(problem: Problem, x: dict[Rough, float], y: dict[Rough, float], distance: Distance,
            limits: Limits) -> dict[str, float]:
    cached = cache(distance)
    ends = cache(lambda a, b: extremes(a, b, cached))
    closest, farthest = np.zeros((len(x), len(y))), np.zeros((len(x), len(y)))
    for i, a in enumerate(x):
        limits.check(i / len(x), "enumerating")
        for j, b in enumerate(y):
            closest[i, j], farthest[i, j] = ends(a, b)
    p, q = np.array(list(x.values())), np.array(list(y.values()))
    p, q = p / p.sum(), q / q.sum()
    value = (1.0 - problem.alpha) * closest + problem.alpha * farthest
    return {end: least_cost(p, q, cost, limits).low
            for end, cost in (("lower", closest), ("upper", farthest), ("value", value))}


def extremes(a: Iterable[Labels], b: Iterable[Labels], distance: Distance) -> tuple[float, float]:
    """Closest and Hausdorff distance of two sets of labellings."""
    table = [[distance(u, v) for v in b] for u in a]
    return min(map(min, table)), max(max(map(min, table)), max(map(min, zip(*table))))


# -- two hard clusterings: the base distances themselves ------------------------------------------
@solver("exact", cost="O(n + cells)", cheap=lambda p: True)
def contingency_table(problem: Problem, end: str, limits: Limits) -> Finding:
    """Disagreeing pairs of two hard clusterings from their contingency table."""
    pairs = PairCounts.of(_contingency(problem))
    return Finding.exact(float(pairs.n10 + pairs.n01))


@solver("exact", cost="O(n + c^3)", cheap=lambda p: True)
def assignment(problem: Problem, end: str, limits: Limits) -> Finding:
    """Moved objects of two hard clusterings by an assignment."""
    return Finding.exact(float(problem.n - most_matched(_contingency(problem))))


def _contingency(problem: Problem) -> Contingency:
    """Counts of objects by label of x and of y."""
    c = problem.c
    return problem.kept("contingency",
                        lambda: contingency(problem.x.labels, c, problem.y.labels, c))
