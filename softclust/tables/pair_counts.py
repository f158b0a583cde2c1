"""Pairs of objects by whether each of two hard clusterings joins them."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from ..measures.resamples import Draws
from ..measures.statistic import Replicates, Source, Statistic
from ..running.threads import Progress
from .contingency import Contingency, drawn_counts, exact_squares
from .counting import sweep_tables
from .partition_models import RandomPartition
from .quotient import root
from .sums import SQUARE, Sums, TableSums


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
    Python integers, exact for any number of objects; floats (sums of degrees) from
    `fuzzy_pair_counts` of soft clusterings. Replicates are arrays of floats.

    Examples
    --------
    >>> import softclust
    >>> softclust.PairCounts(n11=1, n10=1, n01=0, n00=4).n_pairs
    6
    """

    n11: Any
    n10: Any
    n01: Any
    n00: Any
    #: pairs of an object with itself: n, or the sum of the squared weights
    self_pairs: Any = field(default=None, repr=False, compare=False)
    #: numbers of objects and of clusters of x and y; None where these are not known
    shape: tuple[int, int, int] | None = field(default=None, repr=False, compare=False)

    phi: ClassVar[Any] = SQUARE

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
        """True if x and y join the same pairs."""
        return (self.n10 == 0) & (self.n01 == 0)

    @classmethod
    def of(cls, source: Source) -> PairCounts:
        """Exact pair counts of a table."""
        table = source if isinstance(source, Contingency) else source.statistic(Contingency)
        n, r, s = table.n, int(np.count_nonzero(table.a)), int(np.count_nonzero(table.b))
        sums = Sums(n=n, cells=table.squares, rows=exact_squares(table.a, n),
                    columns=exact_squares(table.b, n))
        return cls.from_sums(sums, self_pairs=table.own_weight, shape=(n, r, s))

    @classmethod
    def from_sums(cls, sums: Sums, self_pairs: Any = None,
                  shape: tuple[int, int, int] | None = None) -> PairCounts:
        """Statistic of sums of squares; `own` is the sum of the squared weights of the objects."""
        n, self_pairs = sums.n, sums.n if self_pairs is None else self_pairs
        # Differences are even: whole numbers stay whole.
        kind = getattr(sums.cells, "dtype", np.dtype(type(sums.cells))).kind
        whole = kind in "iu"
        halved = operator.floordiv if whole else operator.truediv
        n11, n10, n01 = (halved(sums.cells - self_pairs, 2), halved(sums.rows - sums.cells, 2),
                         halved(sums.columns - sums.cells, 2))
        return cls(n11=n11, n10=n10, n01=n01, n00=halved(n * n - self_pairs, 2) - n11 - n10 - n01,
                   self_pairs=self_pairs, shape=shape)

    @classmethod
    def of_table_sums(cls, sums: TableSums) -> PairCounts:
        """Statistic of sums over a table that was counted elsewhere."""
        cells, rows, columns = sums.squares
        known = isinstance(sums.clusters[0], int)
        return cls.from_sums(Sums(n=sums.n, cells=cells, rows=rows, columns=columns),
                             shape=(sums.n, *sums.clusters) if known else None)

    @classmethod
    def modelled(cls, x: RandomPartition, y: RandomPartition) -> PairCounts:
        """Means of two independent random partitions."""
        n_pairs = x.n * (x.n - 1) / 2
        return cls.of_shares(x.joined(), y.joined(), n_pairs)

    @classmethod
    def of_shares(cls, in_x: Any, in_y: Any, n_pairs: Any) -> PairCounts:
        """Means where x and y join a pair independently, with these chances."""
        return cls(n11=in_x * in_y * n_pairs, n10=in_x * (1.0 - in_y) * n_pairs,
                   n01=(1.0 - in_x) * in_y * n_pairs,
                   n00=(1.0 - in_x) * (1.0 - in_y) * n_pairs)

    def permuted(self, n11: Any = None) -> PairCounts:
        """Counts when the objects of one side are permuted, with n11 pairs together in both.

        By default their mean, for whole numbers an exact fraction.
        """
        if n11 is None:
            product = (self.n11 + self.n10) * (self.n11 + self.n01)
            n_pairs = self.n11 + self.n10 + self.n01 + self.n00
            n11 = (Fraction(product, n_pairs) if isinstance(product, int)
                   else product / n_pairs)
        fewer = self.n11 - n11
        return replace(self, n11=n11, n10=self.n10 + fewer, n01=self.n01 + fewer,
                       n00=self.n00 - fewer)

    @classmethod
    def of_weights(cls, rows: np.ndarray, cols: np.ndarray, sums: np.ndarray, n: int
                   ) -> PairCounts:
        """Pair counts of `weight_sums` (4, k) of cells; `n` is the total in units of the table.

        Pairs of different cells are differences of squares: of whole numbers, so that none
        cancels.
        """
        fractions, exponents = np.frexp(sums[0])
        lowest = int(exponents.min(initial=0))
        weights = [int(f) << e for f, e in zip((fractions * 2.0**53).tolist(),
                                               (exponents - lowest).tolist())]
        in_x, in_y = (dict.fromkeys(codes.tolist(), 0) for codes in (rows, cols))
        for row, col, weight in zip(rows.tolist(), cols.tolist(), weights):
            in_x[row] += weight
            in_y[col] += weight
        total, both, one, other = (sum(w * w for w in part) for part in (
            [sum(weights)], weights, in_x.values(), in_y.values()))
        n10, n01, n00 = (math.ldexp(float(count), 2 * (lowest - 53) - 1) for count in (
            one - both, other - both, total - one - other + both))
        return cls(n11=math.fsum(sums[2]), n10=n10, n01=n01, n00=n00,
                   self_pairs=math.fsum(sums[1]), shape=(n, len(in_x), len(in_y)))

    @classmethod
    def of_labels(cls, x: np.ndarray, y: np.ndarray) -> PairCounts | None:
        """Statistic of two arrays of integers."""
        table = Contingency.of_labels(x, y)
        return None if table is None else cls.of(table)

    @classmethod
    def of_pairs(cls, labels: np.ndarray, pairs: np.ndarray,
                 progress: Progress | None = None) -> PairCounts | None:
        """Exact pair counts of many pairs of rows of labels, -1 for absent; see `sweep_tables`.
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
        return cls.from_sums(Sums(n=n, cells=squares, rows=in_x, columns=in_y))

    def converted(self, to: Callable[[Any], Any]) -> PairCounts:
        """Copy with ``to(value)`` of every number: one pair of `of_pairs`, or floats."""
        return PairCounts(n11=to(self.n11), n10=to(self.n10), n01=to(self.n01), n00=to(self.n00),
                          self_pairs=to(self.self_pairs))

    @classmethod
    def left_out(cls, source: Source) -> Replicates:
        """Without an object of each cell: it takes its own pairs away. O(cells)."""
        table, p = source.statistic(Contingency), source.statistic(cls)
        t = table.counts.astype(np.float64)
        a, b = table.a[table.rows].astype(np.float64), table.b[table.cols].astype(np.float64)
        without = cls(n11=p.n11 - (t - 1.0), n10=p.n10 - (a - t), n01=p.n01 - (b - t),
                      n00=p.n00 - (table.n - a - b + t), self_pairs=p.self_pairs - 1.0)
        return Replicates(times=table.counts, statistic=without)

    @classmethod
    def of_groups(cls, source: Any) -> PairCounts:
        """Pairs of objects of different groups."""
        return cls.between(source.squares[0])

    @classmethod
    def left_out_groups(cls, source: Any) -> Replicates:
        """Pair counts without each group. O(cells of all groups)."""
        return Replicates(times=np.ones(source.n_groups, np.int64),
                          statistic=cls.between(source.squares[1]))

    @classmethod
    def drawn_groups(cls, squares: Any) -> Replicates:
        """Statistic of groups drawn again; copies of a group form no pair."""
        return Replicates(times=np.ones(squares.objects.shape[0], np.int64),
                          statistic=cls.between(squares))

    @classmethod
    def between(cls, squares: Any) -> PairCounts:
        """Pair counts from sums of squares that lack the pairs inside groups."""
        n11 = squares.cells / 2
        n10, n01 = squares.rows / 2 - n11, squares.columns / 2 - n11
        return cls(n11=n11, n10=n10, n01=n01, n00=squares.objects / 2 - n11 - n10 - n01)

    @classmethod
    def resampled(cls, source: Source, draws: Draws) -> Replicates:
        """Statistic of objects drawn again; copies of an object form no pair."""
        counts, self_pairs = drawn_counts(source, draws)
        if counts is None:
            return Replicates.none(self_pairs)
        table = source.statistic(Contingency)
        margins = []   # sums of the squared counts of the clusters of x, and of y
        for codes, size in ((table.rows, table.r), (table.cols, table.s)):
            order = np.argsort(codes, kind="stable")
            used, starts = np.unique(codes[order], return_index=True)
            sizes = np.zeros((counts.shape[0], size))
            sizes[:, used] = np.add.reduceat(counts[:, order], starts, axis=1)
            margins.append(_sums_of_squares(sizes))
        statistic = cls.from_sums(
            Sums(n=float(draws.n_objects), cells=_sums_of_squares(counts), rows=margins[0],
                 columns=margins[1]), self_pairs.astype(np.float64))
        return Replicates(times=np.ones(draws.count, np.int64), statistic=statistic)


def _sums_of_squares(counts: np.ndarray) -> np.ndarray:
    """Sum of the squares of each row; whole numbers are exact below 2^53."""
    values = counts.astype(np.float64)
    return np.einsum("bk,bk->b", values, values)



# -- quotients: numerator and denominator, of counts that may be fuzzy ------------------------
def rand(p: PairCounts) -> tuple[Any, Any]:
    """Share of agreeing pairs."""
    return p.n11 + p.n00, p.n_pairs


def adjusted_rand(p: PairCounts) -> tuple[Any, Any]:
    """Hubert and Arabie's correction of the Rand index."""
    a, b, c, d = p.n11, p.n10, p.n01, p.n00
    return 2 * (a * d - b * c), b * b + c * c + 2 * a * d + (a + d) * (b + c)


def jaccard(p: PairCounts) -> tuple[Any, Any]:
    """Joined pairs of both among those of either."""
    return p.n11, p.n11 + p.n10 + p.n01


def fowlkes_mallows(p: PairCounts) -> tuple[Any, Any]:
    """Joined pairs of both over the geometric mean of those of each."""
    return p.n11, root(p.n11 + p.n10) * root(p.n11 + p.n01)


def gamma(p: PairCounts) -> tuple[Any, Any]:
    """Correlation of "same" in x and in y."""
    n, first, second = p.n_pairs, p.n11 + p.n10, p.n11 + p.n01
    under: Any = 1
    for margin in (first, second, n - first, n - second):
        under = under * root(np.maximum(margin, 0.0) if isinstance(margin, np.ndarray)
                             else max(margin, 0.0))
    return n * p.n11 - first * second, under


def minkowski(p: PairCounts) -> tuple[Any, Any]:
    """Squared Minkowski measure, reference x."""
    return p.n10 + p.n01, p.n11 + p.n10
