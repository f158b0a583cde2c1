"""Objects kept by the best choice of cells, and how far that choice can be trusted.

A choice is one cell for each cluster of x ("rows"), or a one-to-one matching of clusters
("matching"). The largest count over all choices is too optimistic: where another choice is nearly
as good, the choice is made on one half of the objects and counted on the other. Another choice is
nearly as good where a random half of the objects makes it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..measures.statistic import Source, Statistic
from .contingency import Contingency, OfTables, by_columns, by_rows
from .matching import most_matched
from .sums import TableSums

#: random halves; the number was not tuned
HALVES = 20
#: numpy draws without replacement from fewer objects than this
_MOST_DRAWN = 10**9


@dataclass(frozen=True, slots=True, kw_only=True)
class LargestCounts(OfTables):
    """The largest count of each cluster, of x and of y, added up.

    Attributes
    ----------
    n : int
        Number of objects; of a cover x the sum of its clusters' sizes.
    table : Contingency or None
    sums : (int, int) or None
        The sums over the clusters of x and of y, where the table is not known.
    same : bool
        Whether they are two covers with the same clusters.
    """

    n: Any
    table: Contingency | None = None
    sums: Any = None
    same: bool = False

    @classmethod
    def of(cls, source: Source) -> LargestCounts:
        """Statistic of two hard clusterings or covers."""
        if not source.both_hard:
            from ..covers.cover_overlaps import CoverOverlaps
            c = source.statistic(CoverOverlaps)
            best = np.zeros(c.a.shape[0], np.int64), np.zeros(c.b.shape[0], np.int64)
            for largest, places in zip(best, (c.rows, c.cols)):
                np.maximum.at(largest, places, c.counts)
            return cls(n=int(c.a.sum()), sums=tuple(int(each.sum()) for each in best),
                       same=c.same)
        table = source.statistic(Contingency)
        return cls(n=table.n, table=table)

    @classmethod
    def of_table_sums(cls, sums: TableSums) -> LargestCounts:
        """Statistic of sums over a table that was counted elsewhere."""
        return cls(n=sums.n, sums=sums.largest)

    @property
    def of_x(self) -> Any:
        """Sum over the clusters of x."""
        if self.table is None:
            return self.sums[0]
        return int(by_rows(self.table, np.maximum, self.table.counts).sum())

    @property
    def of_y(self) -> Any:
        """Sum over the clusters of y."""
        if self.table is None:
            return self.sums[1]
        return int(by_columns(self.table, np.maximum, self.table.counts).sum())


@dataclass(frozen=True, slots=True, kw_only=True)
class BestChoice(Statistic):
    """The best choice of cells.

    Attributes
    ----------
    n, matched : int
        Objects, and those in chosen cells.
    """

    n: int
    matched: int

    @classmethod
    def of(cls, source: Source, *, choice: str) -> BestChoice:
        """Statistic of the table of two hard clusterings."""
        table = source.statistic(Contingency)
        matched = (source.statistic(LargestCounts).of_x if choice == "rows"
                else most_matched(table))
        return cls(n=table.n, matched=matched)


@dataclass(frozen=True, slots=True, kw_only=True)
class Halves:
    """Choices made on random halves of the objects.

    Attributes
    ----------
    matched : ndarray, shape (HALVES,), int64
        Objects in the chosen cells among those that took no part in the choice.
    size : int
        Number of the objects that took no part.
    changed : bool
        Whether some half chose other cells than all objects: the choice is nearly tied.
    """

    matched: np.ndarray
    size: int
    changed: bool


def nearly_tied(codes: np.ndarray, counts: np.ndarray) -> bool:
    """Test whether in some row the two largest counts differ by less than twice their error.

    `codes` (k,) says which row each count is in; cells that are not listed count 0.
    """
    order = np.lexsort((-counts, codes))
    rows, sorted_counts = codes[order], counts[order]
    first = np.flatnonzero(np.diff(rows, prepend=-1))
    largest = sorted_counts[first]
    second = np.zeros_like(largest)
    more = first + 1 < rows.shape[0]
    following = np.minimum(first + 1, rows.shape[0] - 1)
    more &= rows[following] == rows[first]
    second[more] = sorted_counts[following[more]]
    return bool((largest - second < 2.0 * np.sqrt(largest + second)).any())


def choose_in_halves(source: Source, choice: str, rng: np.random.Generator) -> Halves:
    """The best choice of cells by the objects of random halves."""
    c = source.statistic(Contingency)
    a, b = c.a[c.rows], c.b[c.cols]
    # Does not depend on the order of clusters or sides.
    order = np.lexsort((np.minimum(a, b), np.maximum(a, b), c.counts))
    rows, cols, counts = c.rows[order], c.cols[order], c.counts[order]
    half, whole = c.n // 2, set(chosen_cells(rows, cols, counts, choice).tolist())
    matched, changed = np.empty(HALVES, np.int64), False
    for k in range(HALVES):
        if c.n < _MOST_DRAWN:
            drawn = rng.multivariate_hypergeometric(counts, half, method="marginals")
        else:
            drawn = rng.binomial(counts, 0.5)
        chosen = chosen_cells(rows, cols, drawn, choice)
        matched[k] = (counts - drawn)[chosen].sum()
        changed = changed or set(chosen.tolist()) != whole
    return Halves(matched=matched, size=c.n - half, changed=changed)


def chosen_cells(rows: np.ndarray, cols: np.ndarray, counts: np.ndarray, choice: str) -> np.ndarray:
    """Positions of the cells chosen by these counts; cells without an object are not chosen."""
    if choice == "rows":
        order = np.lexsort((-counts, rows))
        cells = order[np.flatnonzero(np.diff(rows[order], prepend=-1))]
    else:
        from scipy.optimize import linear_sum_assignment
        used_x, i = np.unique(rows, return_inverse=True)
        used_y, j = np.unique(cols, return_inverse=True)
        table, place = (np.full((used_x.shape[0], used_y.shape[0]), fill) for fill in (0, -1))
        table[i, j], place[i, j] = counts, np.arange(counts.shape[0])
        cells = place[linear_sum_assignment(table, maximize=True)]
        cells = cells[cells >= 0]
    return cells[counts[cells] > 0]


def matching_changes(costs: Callable[[Any], np.ndarray], n: int, rng: np.random.Generator) -> bool:
    """Test whether some random half of n objects matches clusters otherwise than all objects."""
    from scipy.optimize import linear_sum_assignment
    whole = linear_sum_assignment(costs(np.arange(n)))[1]
    return any((linear_sum_assignment(costs(rng.permutation(n)[:n // 2]))[1] != whole).any()
               for _ in range(HALVES))
