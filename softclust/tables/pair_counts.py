"""Pairs of objects by whether each of two hard clusterings joins them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from .._checks import ClusteringError
from .._parallel import Progress
from ..measures.draws import Draws
from ..measures.statistic import Replicates, Source, Statistic
from .contingency import Contingency, drawn_counts, exact_squares
from .pair_tables import sweep_tables

#: bits of sums of products of weights: products of two such sums are finite floats
_MOST_BITS = 500
FAR_APART = ("weights differ by so many orders of magnitude that digits would be lost; leave out "
             "the objects with almost no weight, or give them weight 0")


@dataclass(frozen=True, slots=True, kw_only=True)
class PairCounts(Statistic):
    """Pairs of distinct objects by whether each clustering joins them.

    Attributes
    ----------
    n11 : int
        Together in both.
    n10 : int
        Together in x only.
    n01 : int
        Together in y only.
    n00 : int
        Apart in both.

    Notes
    -----
    Python integers, exact for any number of objects; sums of degrees, floats, from
    `fuzzy_pair_counts` of soft clusterings. Replicates have arrays of floats, one number each.

    Examples
    --------
    >>> import softclust as sc
    >>> sc.PairCounts(n11=1, n10=1, n01=0, n00=4).n_pairs
    6
    """

    n11: Any
    n10: Any
    n01: Any
    n00: Any
    #: numbers of objects and of clusters of x and y; None where these are not known
    shape: tuple[int, int, int] | None = field(default=None, repr=False, compare=False)

    @property
    def n_pairs(self) -> Any:
        """Number of pairs, n(n-1)/2."""
        return self.n11 + self.n10 + self.n01 + self.n00

    @property
    def in_x(self) -> Any:
        """Pairs that x joins."""
        return self.n11 + self.n10

    @property
    def in_y(self) -> Any:
        """Pairs that y joins."""
        return self.n11 + self.n01

    @property
    def equal(self) -> Any:
        """Whether x and y join the same pairs."""
        return (self.n10 == 0) & (self.n01 == 0)

    @classmethod
    def of(cls, source: Source) -> PairCounts:
        """From the squared counts of the table, exact."""
        table = source.statistic(Contingency)
        n, squares = table.n, table.squares
        rows, columns = exact_squares(table.a, n), exact_squares(table.b, n)
        n11 = (squares - table.own) // 2
        n10 = (rows - squares) // 2
        n01 = (columns - squares) // 2
        pairs = (n * n - table.own) // 2
        return cls(n11=n11, n10=n10, n01=n01, n00=pairs - n11 - n10 - n01,
                   shape=(n, *table.n_used))

    @classmethod
    def of_weights(cls, rows: np.ndarray, cols: np.ndarray, weights: list[int], own: int
                   ) -> tuple[PairCounts, int]:
        """From whole weights of cells and the sum `own` of the squared weights of the objects.

        Exact, in units of 2^e; e, which is returned too, is above 0 for weights of more than some
        250 bits only.

        Raises
        ------
        ClusteringError
            If weights differ by so much that counts in such units would lose digits.
        """
        in_x, in_y = (dict.fromkeys(codes.tolist(), 0) for codes in (rows, cols))
        for row, col, weight in zip(rows.tolist(), cols.tolist(), weights):
            in_x[row] += weight
            in_y[col] += weight
        total, both, one, other = (sum(w * w for w in part) for part in (
            [sum(weights)], weights, in_x.values(), in_y.values()))
        counts = [both - own, one - both, other - both, total - one - other + both]
        shift = max(0, (total - own).bit_length() - _MOST_BITS)
        if shift and any(count and count >> shift < 1 << 53 for count in counts):
            raise ClusteringError(FAR_APART)
        n11, n10, n01, n00 = (count >> 1 + shift for count in counts)
        return cls(n11=n11, n10=n10, n01=n01, n00=n00,
                   shape=(total, len(in_x), len(in_y))), shift

    def with_n11(self, n11: int) -> PairCounts:
        """Other pairs together in both, with the same cluster sizes."""
        x, y = self.in_x, self.in_y
        return replace(self, n11=n11, n10=x - n11, n01=y - n11, n00=self.n_pairs - x - y + n11)

    @classmethod
    def of_labels(cls, x: np.ndarray, y: np.ndarray) -> PairCounts | None:
        """Of two arrays of integers."""
        table = Contingency.of_labels(x, y)
        return None if table is None else cls.of(table)

    @classmethod
    def of_pairs(cls, labels: np.ndarray, pairs: np.ndarray,
                 progress: Progress | None = None) -> PairCounts | None:
        """Of many pairs of rows of labels, -1 for absent objects; int64, exact. See `sweep_tables`.
        """
        sums = np.zeros((pairs.shape[0], 4), np.int64)   # n, squares of cells, rows and columns

        def use(first: int, tables: np.ndarray) -> None:
            rows, columns = tables.sum(axis=2), tables.sum(axis=1)
            sums[first:first + tables.shape[0]] = np.column_stack([
                rows.sum(axis=1), *(np.einsum("pk,pk->p", v, v) for v in (
                    tables.reshape(tables.shape[0], -1), rows, columns))])

        if not sweep_tables(labels, pairs, use, progress=progress):
            return None
        n, squares, in_x, in_y = sums.T
        n11, n10, n01 = (squares - n) // 2, (in_x - squares) // 2, (in_y - squares) // 2
        return cls(n11=n11, n10=n10, n01=n01, n00=n * (n - 1) // 2 - n11 - n10 - n01)

    def __getitem__(self, at: int) -> PairCounts:
        """One of the pairs of `of_pairs`, in Python integers."""
        return PairCounts(n11=int(self.n11[at]), n10=int(self.n10[at]), n01=int(self.n01[at]),
                          n00=int(self.n00[at]))

    @classmethod
    def left_out(cls, source: Source) -> Replicates:
        """Without an object of each cell: it takes its own pairs away. O(cells)."""
        table, p = source.statistic(Contingency), source.statistic(cls)
        t = table.counts.astype(np.float64)
        a, b = table.a[table.rows].astype(np.float64), table.b[table.cols].astype(np.float64)
        without = cls(n11=p.n11 - (t - 1.0), n10=p.n10 - (a - t), n01=p.n01 - (b - t),
                      n00=p.n00 - (table.n - a - b + t))
        return Replicates(times=table.counts, statistic=without)

    @classmethod
    def resampled(cls, source: Source, draws: Draws) -> Replicates:
        """Of objects drawn again; copies of an object form no pair."""
        counts, own = drawn_counts(source, draws)
        if counts is None:
            return Replicates.none(own)
        table = source.statistic(Contingency)
        squares = _sums_of_squares(counts)
        rows, columns = (
            _sums_of_squares(_sums_by(codes, size, counts))
            for codes, size in ((table.rows, table.r), (table.cols, table.s)))
        n = float(draws.n_objects)
        n11, n10, n01 = (squares - own) / 2, (rows - squares) / 2, (columns - squares) / 2
        found = cls(n11=n11, n10=n10, n01=n01, n00=(n * n - own) / 2 - n11 - n10 - n01)
        return Replicates(times=np.ones(draws.count, np.int64), statistic=found)


def _sums_by(codes: np.ndarray, size: int, counts: np.ndarray) -> np.ndarray:
    """Sums of counts (B, n_cells) over the cells of each cluster, (B, size)."""
    order = np.argsort(codes, kind="stable")
    used, starts = np.unique(codes[order], return_index=True)
    out = np.zeros((counts.shape[0], size))
    out[:, used] = np.add.reduceat(counts[:, order], starts, axis=1)
    return out


def _sums_of_squares(counts: np.ndarray) -> np.ndarray:
    """Sum of the squares of each row; whole numbers are exact below 2^53."""
    values = counts.astype(np.float64)
    return np.einsum("bk,bk->b", values, values)


def expected_counts(p: PairCounts) -> PairCounts:
    """Pair counts when the objects of one hard clustering are permuted at random."""
    first, second, n = p.n11 + p.n10, p.n11 + p.n01, p.n_pairs
    both = first * second / n
    return PairCounts(n11=both, n10=first - both, n01=second - both,
                      n00=n - first - second + both)
