"""How many objects the best choice of cells keeps, and how far that choice can be trusted.

A choice is one cell for each cluster of x ("rows"), or a one-to-one matching of clusters
("matching"). The largest count over all choices flatters: where another choice is nearly as good,
the choice is made on one half of the objects and counted on the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .assignment import most_matched
from .base import Source, Statistic
from .contingency import Contingency, by_rows

CHOICES = ("rows", "matching")
#: random halves; the number was not tuned
HALVES = 20
#: numpy draws without replacement from fewer objects than this
_MOST_DRAWN = 10**9


@dataclass(frozen=True, slots=True, kw_only=True)
class BestChoice(Statistic):
    """The best choice of cells.

    Attributes
    ----------
    n, kept : int
        Objects, and those in chosen cells.
    tied : bool
        Whether some choice is nearly as good.
    """

    n: int
    kept: int
    tied: bool

    @classmethod
    def of(cls, source: Source, *, choice: str) -> BestChoice:
        """Of the table of two hard clusterings."""
        c = source.statistic(Contingency)
        if choice == "rows":
            kept = int(by_rows(c, np.maximum, c.counts).sum())
            return cls(n=c.n, kept=kept, tied=nearly_tied(c.rows, c.counts))
        return cls(n=c.n, kept=most_matched(c), tied=nearly_tied(c.rows, c.counts)
                   or nearly_tied(c.cols, c.counts))


def nearly_tied(codes: np.ndarray, counts: np.ndarray) -> bool:
    """Whether in some row the two largest counts differ by less than twice their error.

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


def kept_in_halves(source: Source, choice: str, rng: np.random.Generator
                   ) -> tuple[np.ndarray, int]:
    """Objects kept in the other half by choices made on one, (HALVES,) int64, and its size."""
    c = source.statistic(Contingency)
    order = _canonical(c)
    rows, cols, counts = c.rows[order], c.cols[order], c.counts[order]
    half = c.n // 2
    kept = np.empty(HALVES, np.int64)
    for k in range(HALVES):
        if c.n < _MOST_DRAWN:
            drawn = rng.multivariate_hypergeometric(counts, half, method="marginals")
        else:
            drawn = rng.binomial(counts, 0.5)
        rest = counts - drawn
        kept[k] = rest[_chosen(rows, cols, drawn, choice)].sum()
    return kept, c.n - half


def _canonical(c: Contingency) -> np.ndarray:
    """An order of the cells that does not depend on the order of clusters or sides."""
    a, b = c.a[c.rows], c.b[c.cols]
    return np.lexsort((np.minimum(a, b), np.maximum(a, b), c.counts))


def _chosen(rows: np.ndarray, cols: np.ndarray, counts: np.ndarray, choice: str) -> Any:
    """Positions of the cells chosen by these counts."""
    if choice == "rows":
        order = np.lexsort((-counts, rows))
        return order[np.flatnonzero(np.diff(rows[order], prepend=-1))]
    from scipy.optimize import linear_sum_assignment
    used_x, i = np.unique(rows, return_inverse=True)
    used_y, j = np.unique(cols, return_inverse=True)
    table, place = (np.full((used_x.shape[0], used_y.shape[0]), fill) for fill in (0, -1))
    table[i, j], place[i, j] = counts, np.arange(counts.shape[0])
    found = place[linear_sum_assignment(table, maximize=True)]
    return found[found >= 0]
