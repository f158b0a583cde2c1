"""Rough clusterings as sets of compatible partitions: ends of their entropies, tables they reach.

Objects with the same candidate clusters are exchangeable, so everything counts types of objects:
`sets` (t, c) bool and `counts` (t,) int64. Sums of squares are exact integers.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np

from ..clusterings import Clustering

#: up to this many linked clusters the least entropy is found by a recursion over their subsets
SUBSET_CLUSTERS = 20
#: random orders of clusters tried beyond that
_RANDOM_ORDERS = 200
#: tables evaluated at once
_BLOCK = 1 << 14


@dataclass(frozen=True, slots=True, kw_only=True)
class Types:
    """Objects by their candidate clusters.

    Attributes
    ----------
    sets : (t, c) bool
        Candidates; none is empty.
    counts : (t,) int64
        Number of objects of each type.
    """

    sets: np.ndarray
    counts: np.ndarray

    @property
    def shares(self) -> np.ndarray:
        """1 over the number of candidates, on the candidates, (t, c)."""
        return self.sets / self.sets.sum(axis=1)[:, None]


@dataclass(frozen=True, slots=True, kw_only=True)
class SquareEnds:
    """Smallest and greatest sum of squared cluster sizes over compatible partitions.

    `exact` is True if `greatest` is the maximum; otherwise it is the value of some compatible
    partition.
    """

    smallest: int
    greatest: int
    exact: bool


def candidates(x: Clustering) -> np.ndarray:
    """Candidate clusters of each object of a hard or rough clustering, (n, c) bool."""
    return x.plausibility() > 0.0


def types(sets: np.ndarray) -> Types:
    """The types of objects with these candidates."""
    packed = np.packbits(sets, axis=1)
    _, first, counts = np.unique(packed, axis=0, return_index=True, return_counts=True)
    return Types(sets=sets[first], counts=counts.astype(np.int64))


def pair_types(x: Clustering, y: Clustering) -> tuple[Types, Types]:
    """Types of objects by their candidates on both sides; the same objects in both."""
    first, second = candidates(x), candidates(y)
    both = types(np.hstack([first, second]))
    r = first.shape[1]
    return (Types(sets=both.sets[:, :r], counts=both.counts),
            Types(sets=both.sets[:, r:], counts=both.counts))


def meet(x: Types, y: Types) -> Types:
    """Types over pairs of clusters; pairs that no object has as candidates are left out."""
    sets = (x.sets[:, :, None] & y.sets[:, None, :]).reshape(x.sets.shape[0], -1)
    return Types(sets=np.ascontiguousarray(sets[:, sets.any(axis=0)]), counts=x.counts)


# -- entropies ------------------------------------------------------------------------------------


def square_ends(x: Types, rng: np.random.Generator) -> SquareEnds:
    """Ends of the sum of squared cluster sizes, over groups of clusters that share candidates."""
    # Groups are linked by chains of shared candidates; counts by BLAS, only zero or not matters.
    numbers = x.sets.astype(np.float32)
    linked = (numbers.T @ numbers > 0) | np.eye(x.sets.shape[1], dtype=bool)
    while True:
        numbers = linked.astype(np.float32)
        further = numbers @ numbers > 0
        if (further == linked).all():
            break
        linked = further
    smallest = greatest = 0
    exact = True
    for inside in (np.flatnonzero(row) for k, row in enumerate(linked) if row.argmax() == k):
        mine = x.sets[:, inside].any(axis=1)
        counts = x.counts[mine]
        if inside.size == 1:
            square = int(counts.sum()) ** 2
            smallest, greatest = smallest + square, greatest + square
            continue
        sets = x.sets[np.ix_(mine, inside)]
        smallest += _least_squares(sets, counts)
        if inside.size <= SUBSET_CLUSTERS:
            greatest += _greatest_squares(sets, counts)
        else:
            greatest += _large_squares(sets, counts, rng)
            exact = False
    return SquareEnds(smallest=smallest, greatest=greatest, exact=exact)


def _greatest_squares(sets: np.ndarray, counts: np.ndarray) -> int:
    """Greatest sum of squared sizes: a vertex of the size vectors, from an order of clusters.

    best(S) = max over k in S of best(S without k) + (h(S) - h(S without k))^2, where h(S) counts
    the objects with a candidate in S.
    """
    c = sets.shape[1]
    bits = 1 << np.arange(c, dtype=np.int64)
    inside = np.zeros(1 << c, dtype=np.int64)
    np.add.at(inside, sets @ bits, counts)
    cardinality = np.zeros(1 << c, dtype=np.int8)
    for b in range(c):
        halves = inside.reshape(-1, 2, 1 << b)
        halves[:, 1] += halves[:, 0]
        cardinality[1 << b:2 << b] = cardinality[:1 << b] + 1
    # Objects with a candidate in S: all but those with candidates in the complement only.
    met = int(counts.sum()) - inside[::-1]
    best = np.zeros(1 << c, dtype=np.int64)
    by_size = np.split(np.argsort(cardinality, kind="stable"),
                       np.cumsum([math.comb(c, k) for k in range(c)]))
    for layer in by_size[1:]:
        for bit in bits.tolist():
            chosen = layer[(layer & bit) != 0]
            rest = chosen - bit
            best[chosen] = np.maximum(best[chosen], best[rest] + (met[chosen] - met[rest]) ** 2)
    return int(best[-1])


def _large_squares(sets: np.ndarray, counts: np.ndarray, rng: np.random.Generator) -> int:
    """A large sum of squared sizes: the greedy order of clusters and random ones."""
    def of_order(order: Iterator[int] | None) -> int:
        rest, total = counts.copy(), 0
        for _ in range(sets.shape[1]):
            k = int((rest @ sets).argmax()) if order is None else next(order)
            total += int(rest[sets[:, k]].sum()) ** 2
            rest[sets[:, k]] = 0
        return total

    c = sets.shape[1]
    return max(of_order(None), *(of_order(iter(rng.permutation(c).tolist()))
                                 for _ in range(_RANDOM_ORDERS)))


def _least_squares(sets: np.ndarray, counts: np.ndarray) -> int:
    """Least sum of squared sizes: chains of moves from large to small clusters until none helps.

    A chain k -> l helps when k has at least 2 objects more than l; without one the sizes are
    optimal (an optimal semi-matching).
    """
    width = sets.sum(axis=1)
    # Even shares to begin with; the remainder goes to the first candidates.
    placed = sets * (counts // width)[:, None]
    placed += sets & (np.cumsum(sets, axis=1) <= (counts % width)[:, None])
    sizes = placed.sum(axis=0)
    while True:
        step = (placed > 0).T.astype(np.int32) @ sets.astype(np.int32) > 0
        chain = _helpful_chain(step, sizes)
        if not chain:
            return sum(int(size) ** 2 for size in sizes)
        kinds = [int(np.where(sets[:, b], placed[:, a], -1).argmax())
                 for a, b in pairwise(chain)]
        moved = min(int(sizes[chain[0]] - sizes[chain[-1]]) // 2,
                    *(int(placed[t, a]) for t, a in zip(kinds, chain)))
        for t, (a, b) in zip(kinds, pairwise(chain)):
            placed[t, a] -= moved
            placed[t, b] += moved
        sizes[chain[0]] -= moved
        sizes[chain[-1]] += moved


def _helpful_chain(step: np.ndarray, sizes: np.ndarray) -> list[int]:
    """Shortest chain of clusters from a largest possible one to the smallest it reaches."""
    for start in np.argsort(-sizes, kind="stable").tolist():
        before = {start: -1}
        front = [start]
        for k in front:   # grows while it is read: breadth first
            for m in np.flatnonzero(step[k]).tolist():
                if m not in before:
                    before[m] = k
                    front.append(m)
        end = min(front, key=lambda k: int(sizes[k]))
        if sizes[start] >= sizes[end] + 2:
            chain = [end]
            while chain[-1] != start:
                chain.append(before[chain[-1]])
            return chain[::-1]
    return []


# -- tables of compatible pairs -------------------------------------------------------------------


def reached_tables(x: Types, y: Types, limit: float) -> np.ndarray | None:
    """Contingency tables of all compatible pairs, (b, r s); None when they may exceed `limit`.

    Objects of a type are exchangeable: only the number in each cell matters.
    """
    r, s = x.sets.shape[1], y.sets.shape[1]
    n = int(x.counts.sum())
    tables = np.zeros((1, r * s), dtype=np.int16 if n < 1 << 15 else np.int64)
    todo = []
    for a, b, count in zip(x.sets, y.sets, x.counts.tolist()):
        cells = (np.flatnonzero(a)[:, None] * s + np.flatnonzero(b)).ravel()
        if cells.size == 1:
            tables[0, cells[0]] += count
        else:
            todo.append((math.comb(count + cells.size - 1, count), count, cells))
    for ways, count, cells in sorted(todo, key=lambda item: item[0]):
        if ways * tables.shape[0] > limit:
            return None
        wide = np.repeat(tables, ways, axis=0).reshape(tables.shape[0], ways, r * s)
        wide[:, :, cells] += _compositions(count, cells.size).astype(tables.dtype)
        tables = np.unique(wide.reshape(-1, r * s), axis=0)
    return tables


def _compositions(total: int, parts: int) -> np.ndarray:
    """All ways to write `total` as a sum of `parts` >= 2 numbers >= 0, (ways, parts)."""
    bars = np.array(list(combinations(range(total + parts - 1), parts - 1)), dtype=np.int64)
    edges = np.hstack([np.full((len(bars), 1), -1), bars,
                       np.full((len(bars), 1), total + parts - 1)])
    return np.diff(edges, axis=1) - 1


def sampled_tables(x: Types, y: Types, size: int, rng: np.random.Generator) -> np.ndarray:
    """Tables of `size` pairs of compatible partitions, each candidate equally likely."""
    r, s = x.sets.shape[1], y.sets.shape[1]
    tables = np.zeros((size, r * s), dtype=np.int64)
    for a, b, count in zip(x.sets, y.sets, x.counts.tolist()):
        cells = (np.flatnonzero(a)[:, None] * s + np.flatnonzero(b)).ravel()
        tables[:, cells] += rng.multinomial(count, np.full(cells.size, 1 / cells.size), size=size)
    return tables


def information_ends(tables: np.ndarray, r: int, n: int, entropy: str) -> tuple[float, float]:
    """Least and greatest mutual information of tables (b, r s) of n objects."""
    low, high = math.inf, -math.inf
    terms = np.arange(n + 1, dtype=np.float64)
    if entropy == "shannon":
        terms[1:] *= np.log(terms[1:])
    for first in range(0, tables.shape[0], _BLOCK):
        cells = tables[first:first + _BLOCK].astype(np.int64).reshape(-1, r, tables.shape[1] // r)
        parts = cells.reshape(cells.shape[0], -1), cells.sum(axis=2), cells.sum(axis=1)
        if entropy == "shannon":
            inner, rows, columns = (terms[part].sum(axis=1) for part in parts)
            values = (inner - rows - columns + terms[n]) / n
        else:
            inner, rows, columns = ((part * part).sum(axis=1) for part in parts)
            values = (n * n - rows - columns + inner) / (n * n)
        low, high = min(low, float(values.min())), max(high, float(values.max()))
    return max(0.0, low), max(0.0, high)
