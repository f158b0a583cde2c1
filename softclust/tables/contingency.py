"""Contingency tables of two hard clusterings."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field, fields, replace
from typing import Annotated, Any

import numpy as np

from .._checks import ClusteringError, frozen
from ..measures.resamples import MOST_KEPT, Draws, drawn_weights
from ..measures.statistic import Replicates, Source, Statistic
from . import counting
from .counting import (
    MOST_DENSE_CELLS,
    Cells,
    count_dense,
    count_few,
    count_labels,
    exact_dot,
    exact_total,
    is_dense,
)

#: up to this total the sums of squares fit int64
_SQUARES_FIT = 3_037_000_499
#: objects up to which a table is resampled object by object
EACH_OBJECT = 10_000
#: cells visited by all tables that leave one object out
MOST_CELLS = 1 << 31


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Contingency(Source, Statistic):
    """Numbers of objects that each cluster of x shares with each cluster of y.

    Attributes
    ----------
    n : int
        Number of objects, the sum of all counts.
    r, s : int
        Numbers of clusters of x and y, empty ones included.
    a : ndarray, shape (r,), int64
        Cluster sizes of x, the row sums.
    b : ndarray, shape (s,), int64
        Cluster sizes of y, the column sums.
    n_cells : int
        Number of non-zero cells.
    squares : int
        Sum of the squared counts, exact.

    Notes
    -----
    The counts are kept as a table when that is small beside the objects, else as a list of
    non-zero cells; `rows`, `cols`, `counts` and `dense` give either form.
    """

    n: int
    r: int
    s: int
    a: Annotated[np.ndarray, "i r >=0"]
    b: Annotated[np.ndarray, "i s >=0"]
    n_cells: int
    squares: Annotated[int, "big"]
    #: (r, s) uint8, uint32 or int64, or None
    table: Annotated[np.ndarray | None, "f r s"]
    #: sum of the squared weights of the objects; None where each weighs 1
    own_weight: int | None = None
    #: the same by cluster of x, and its number of objects; None where each weighs 1
    own_rows: tuple[list[int], np.ndarray] | None = None
    #: rows, columns and counts of the non-zero cells, where these were counted
    listed: tuple[Annotated[np.ndarray, "i n_cells"], Annotated[np.ndarray, "i n_cells"],
                  Annotated[np.ndarray, "i n_cells"]] | None = None
    #: cache: the list of cells, and statistics of the table
    memory: dict[Hashable, Any] = field(default_factory=dict, compare=False)

    def _check(self) -> None:
        self.memory.clear()
        rows, columns, counts = self.listed or self._nonzero()
        cells = rows * self.s + columns
        if rows.min(initial=0) < 0 or columns.min(initial=0) < 0 or (columns >= self.s).any() or (
                rows >= self.r).any() or (np.diff(cells) <= 0).any() or (counts <= 0).any():
            raise ClusteringError("the cells of a stored table do not fit")
        again = contingency_from_cells(rows, columns, counts, self.r, self.s)
        if (self.n, self.n_cells, self.squares) != (again.n, again.n_cells, again.squares) or not (
                np.array_equal(self.a, again.a) and np.array_equal(self.b, again.b)):
            raise ClusteringError("the sums of a stored table do not fit its cells")

    @classmethod
    def of(cls, source: Any) -> Contingency:
        """The table of two hard clusterings."""
        if isinstance(source, Contingency):
            return source
        x, y = source.codes
        return contingency(x, source.n_clusters[0], y, source.n_clusters[1])

    @classmethod
    def of_labels(cls, x: np.ndarray, y: np.ndarray) -> Contingency | None:
        """The table of two arrays of integers, read once and never coded."""
        n = x.shape[0]
        if n <= counting.SMALL:
            cells = count_few(x, y)
            return None if cells is None else _from_cells(cells, len(cells.a), len(cells.b), n)
        dense = count_labels(x, y)
        return None if dense is None else _from_dense(dense[0], n)

    @classmethod
    def left_out(cls, source: Source) -> Replicates:
        """One table for each cell, without an object of it."""
        table = source.statistic(Contingency)
        if table.n_cells**2 > MOST_CELLS:
            return Replicates.none(f"{table.n_cells} cells are too many to leave out an object of "
                                   'each; ci="bootstrap" can')

        def each() -> Iterator[Contingency]:
            for cell in range(table.n_cells):
                counts = table.counts.copy()
                counts[cell] -= 1
                yield weighted_contingency(table, counts, table.n - 1)

        return Replicates(times=table.counts, each=each)

    @classmethod
    def resampled(cls, source: Any, draws: Any) -> Replicates:
        """One table for each resample of the objects."""
        counts, self_pairs = drawn_counts(source, draws)
        if counts is None:
            return Replicates.none(self_pairs)
        table = source.statistic(Contingency)

        def each() -> Iterator[Contingency]:
            for b in range(draws.count):
                yield weighted_contingency(table, counts[b], int(self_pairs[b]))

        return Replicates(times=np.ones(draws.count, np.int64), each=each)

    def __repr__(self) -> str:
        return f"Contingency(n={self.n}, r={self.r}, s={self.s}, n_cells={self.n_cells})"

    @property
    def n_objects(self) -> int:
        """Number of objects."""
        return self.n

    @property
    def n_clusters(self) -> tuple[int, int]:
        """Numbers of clusters of x and y, empty ones included."""
        return self.r, self.s

    @property
    def self_pairs(self) -> int:
        """Sum of the squared weights of the objects: n where each weighs 1."""
        return self.n if self.own_weight is None else self.own_weight

    @property
    def n_pairs(self) -> int:
        """Sum of w_i w_j over pairs of distinct objects."""
        return (self.n * self.n - self.self_pairs) // 2

    @property
    def rows(self) -> np.ndarray:
        """Cluster of x of each non-zero cell, (n_cells,) int64, in row-major order."""
        return (self.listed or self._nonzero())[0]

    @property
    def cols(self) -> np.ndarray:
        """Cluster of y of each non-zero cell, (n_cells,) int64."""
        return (self.listed or self._nonzero())[1]

    @property
    def counts(self) -> np.ndarray:
        """Number of objects of each non-zero cell, (n_cells,) int64."""
        return (self.listed or self._nonzero())[2]

    def __getstate__(self) -> dict[str, Any]:
        # Only the cells go along: the rest is computed again, and some of it cannot be pickled.
        state = {each.name: getattr(self, each.name) for each in fields(self)}
        return state | {"memory": {}}

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():
            object.__setattr__(self, name, value)

    def _nonzero(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        if "cells" not in self.memory:
            assert self.table is not None
            rows, cols = np.nonzero(self.table)
            self.memory["cells"] = (frozen(rows), frozen(cols),
                                    frozen(self.table[rows, cols].astype(np.int64)))
        return self.memory["cells"]

    def dense(self) -> np.ndarray:
        """The table of counts, (r, s) int64.

        Raises
        ------
        ClusteringError
            If the table has more than 2^27 cells (1 GiB).
        """
        if self.r * self.s > MOST_DENSE_CELLS:
            raise ClusteringError(
                f"the table of {self.r} by {self.s} clusters has {self.r * self.s} cells, more "
                f"than the {MOST_DENSE_CELLS} allowed; use the {self.n_cells} non-zero ones")
        if self.table is not None:
            return self.table.astype(np.int64)
        dense = np.zeros((self.r, self.s), np.int64)
        dense[self.rows, self.cols] = self.counts
        return dense

    @property
    def n_used(self) -> tuple[int, int]:
        """Numbers of clusters of x and y that are not empty."""
        return int(np.count_nonzero(self.a)), int(np.count_nonzero(self.b))

    @property
    def same_partition(self) -> bool:
        """True if x and y are the same partition, up to names and empty clusters."""
        return (self.n_cells,) * 2 == self.n_used

    @property
    def x_refines_y(self) -> bool:
        """True if every cluster of x lies inside one cluster of y."""
        return self.n_cells == int(np.count_nonzero(self.a))

    @property
    def y_refines_x(self) -> bool:
        """True if every cluster of y lies inside one cluster of x."""
        return self.n_cells == int(np.count_nonzero(self.b))


def exact_squares(counts: np.ndarray, total: int) -> int:
    """Sum of the squared `counts`, which sum to `total`, as an exact Python integer."""
    flat = counts.reshape(-1).astype(np.int64)
    return int(np.dot(flat, flat)) if total <= _SQUARES_FIT else exact_dot(flat, flat)


def by_rows(c: Contingency, reduce: np.ufunc, values: np.ndarray) -> np.ndarray:
    """`values` of the non-zero cells reduced within each non-empty cluster of x, in order."""
    starts = np.flatnonzero(np.diff(c.rows, prepend=-1))
    return reduce.reduceat(values, starts)


def by_columns(c: Contingency, reduce: np.ufunc, values: np.ndarray) -> np.ndarray:
    """`values` of the non-zero cells reduced within each non-empty cluster of y, in order."""
    order = np.argsort(c.cols, kind="stable")
    starts = np.flatnonzero(np.diff(c.cols[order], prepend=-1))
    return reduce.reduceat(values[order], starts)


def contingency(x_codes: np.ndarray, r: int, y_codes: np.ndarray, s: int) -> Contingency:
    """The table of the clusters of the same objects.

    Parameters
    ----------
    x_codes : ndarray, shape (n,), unsigned integer
        Codes 0, ..., r - 1.
    r : int
    y_codes : ndarray, shape (n,), unsigned integer
        Codes 0, ..., s - 1.
    s : int

    Returns
    -------
    Contingency
        With a table where that is small beside the objects, else with its non-zero cells.

    Notes
    -----
    Time O(n + r s) and memory O(r s) per thread while r s <= max(4 n, 1e6); beyond that the
    pairs are sorted by counting: time and memory O(n + r + s).
    """
    n = x_codes.shape[0]
    if n > counting.SMALL and counting.fits(r * s, n):   # the rule of `is_dense`
        table = count_dense(x_codes, y_codes, 0, 0, r, s)
        assert table is not None   # codes are in their range
        return _from_dense(table, n)
    if r * s >= 1 << 63:
        raise ClusteringError(f"{r} by {s} clusters are more than can be numbered; "
                              "leave out empty clusters")
    keys = x_codes.astype(np.int64) * s + y_codes
    cells, counts = np.unique(keys, return_counts=True)
    rows, cols = np.divmod(cells, s)
    return _from_cells(Cells(rows, cols, counts, np.bincount(x_codes, minlength=r),
                             np.bincount(y_codes, minlength=s)), r, s, n)


def contingency_from_table(table: Any) -> Contingency:
    """A contingency from its (r, s) table of counts.

    Raises
    ------
    ClusteringError
        If `table` is not a two-dimensional array of whole numbers >= 0 that sum to at least 1.
    """
    values = np.asarray(table)
    if values.ndim != 2 or values.dtype.kind not in "iu":
        raise ClusteringError(f"table has shape {values.shape} and dtype {values.dtype}; "
                              "a two-dimensional array of integers is needed")
    if values.size == 0 or values.min() < 0 or not values.any():
        raise ClusteringError("table has no count or a negative one; counts >= 0 are needed, "
                              "not all of them zero")
    counts = np.ascontiguousarray(values, dtype=np.int64)
    return _from_dense(counts, sum(counts.ravel().tolist()))


def contingency_from_cells(rows: np.ndarray, cols: np.ndarray, counts: np.ndarray, r: int, s: int,
                           *, n_objects: int | None = None, self_pairs: int | None = None,
                           own_rows: tuple[list[int], np.ndarray] | None = None) -> Contingency:
    """A contingency from its non-zero cells in row-major order, (k,) int64 each.

    Dense or listed by the rule by which the labels of `n_objects` objects (default: the sum of
    the counts) are counted, so that sums over it have the same bits.
    """
    n = exact_total(counts)
    a, b = np.zeros(r, np.int64), np.zeros(s, np.int64)
    np.add.at(a, rows, counts)
    np.add.at(b, cols, counts)
    listed = _from_cells(Cells(rows, cols, counts, a, b), r, s, n, self_pairs)
    objects = n if n_objects is None else n_objects
    table = None
    if is_dense(r * s, objects):
        largest = int(counts.max(initial=0))
        kind = np.uint8 if largest < 1 << 8 else np.uint32 if largest < 1 << 32 else np.int64
        table = np.zeros((r, s), kind)
        table[rows, cols] = counts
    return replace(listed, table=table, own_rows=own_rows)


def _from_dense(table: np.ndarray, n: int) -> Contingency:
    r, s = table.shape
    a, b = (table.sum(axis=axis, dtype=np.int64) for axis in (1, 0))
    return Contingency(n=n, r=r, s=s, a=frozen(a), b=frozen(b),
                       n_cells=int(np.count_nonzero(table)), squares=exact_squares(table, n),
                       table=frozen(table))


def _from_cells(cells: Cells, r: int, s: int, n: int, self_pairs: int | None = None) -> Contingency:
    for array in cells:
        array.setflags(write=False)
    listed = cells.rows, cells.cols, cells.counts
    return Contingency(n=n, r=r, s=s, a=cells.a, b=cells.b,
                       n_cells=cells.counts.shape[0], squares=exact_squares(cells.counts, n),
                       table=None, own_weight=self_pairs, listed=listed)


# -- resampled objects ------------------------------------------------------------------------
def weighted_contingency(original: Contingency, counts: np.ndarray, self_pairs: int) -> Contingency:
    """The contingency with other counts (n_cells,) in the non-zero cells of `original`.

    `own` is the sum of the squared weights of the objects.
    """
    used = counts > 0
    rows, cols, left = original.rows[used], original.cols[used], counts[used]
    a, b = np.zeros(original.r, np.int64), np.zeros(original.s, np.int64)
    np.add.at(a, rows, left)
    np.add.at(b, cols, left)
    return _from_cells(Cells(rows, cols, left, a, b), original.r, original.s, int(left.sum()),
                       self_pairs)


def drawn_counts(source: Any, draws: Draws) -> tuple[np.ndarray | None, Any]:
    """Cell counts (B, n_cells) and sums of squared weights (B,), or None and why not."""
    def compute() -> tuple[np.ndarray | None, Any]:
        table = source.statistic(Contingency)
        if draws.count * table.n_cells > MOST_KEPT:
            return None, (f"{table.n_cells} cells are too many for {draws.count} resamples; "
                          "take fewer")
        work: Any
        if source.has_objects or table.n <= EACH_OBJECT:
            cells = (cell_of_objects(table, *source.codes) if source.has_objects
                     else np.repeat(np.arange(table.n_cells), table.counts))
            work = _CountCells(cells, table.n_cells, draws.seeds)
        else:
            work = _DrawCells(table.counts, table.n, draws.seeds)
        parts = draws.run(work, draws.count, "resamples")
        return (np.concatenate([part[0] for part in parts]),
                np.concatenate([part[1] for part in parts]))

    return draws.kept("drawn counts", compute)


def cell_of_objects(table: Contingency, x_codes: np.ndarray, y_codes: np.ndarray) -> np.ndarray:
    """Position of the cell of each object among the non-zero cells, (n,) int64."""
    keys = table.rows * table.s + table.cols
    wanted = x_codes.astype(np.int64) * table.s + y_codes
    if not is_dense(table.r * table.s, table.n):
        return np.searchsorted(keys, wanted)
    places = np.empty(table.r * table.s, np.int64)
    places[keys] = np.arange(keys.shape[0])
    return places[wanted]


@dataclass(frozen=True, slots=True)
class _CountCells:
    """Cell counts (m, n_cells) and sums of squared weights (m,) of resamples."""

    cells: np.ndarray
    n_cells: int
    seeds: Any

    def __call__(self, start: int, stop: int) -> tuple[np.ndarray, np.ndarray]:
        counts = np.empty((stop - start, self.n_cells), np.int64)
        self_pairs = np.empty(stop - start, np.int64)
        n = self.cells.shape[0]
        for b in range(start, stop):
            weights = drawn_weights(n, self.seeds.generator(b))
            # Sums of whole numbers in float64 are exact; this reads the cells in their order.
            counts[b - start] = np.bincount(self.cells, weights, minlength=self.n_cells)
            self_pairs[b - start] = int(weights @ weights)
        return counts, self_pairs


@dataclass(frozen=True, slots=True)
class _DrawCells:
    """Resampled cell counts for a table of many objects, drawn as multinomial counts."""

    counts: np.ndarray
    n: int
    seeds: Any

    def __call__(self, start: int, stop: int) -> tuple[np.ndarray, np.ndarray]:
        sizes = self.counts.astype(np.float64)
        counts = np.empty((stop - start, self.counts.shape[0]), np.int64)
        self_pairs = np.empty(stop - start, np.int64)
        for b in range(start, stop):
            rng = self.seeds.generator(b)
            drawn = counts[b - start] = rng.multinomial(self.n, sizes / self.n)
            # Two of m draws from t objects hit the same one with chance 1/t, pairwise independent.
            pairs = drawn * (drawn - 1.0) / 2.0
            mean = float((pairs / sizes).sum())
            sd = math.sqrt(float((pairs / sizes * (1.0 - 1.0 / sizes)).sum()))
            self_pairs[b - start] = self.n + 2 * max(0, round(rng.normal(mean, sd)))
        return counts, self_pairs


def derived(kind: Any, tables: Replicates | None, **options: Any) -> Any:
    """Replicates of a statistic that is computed from the tables one by one."""
    if tables is None or tables.lacking or tables.each is None:
        return tables
    every = tables.each
    return Replicates(times=tables.times,
                      each=lambda: (t.statistic(kind, **options) for t in every()))


class OfTables(Statistic):
    """A statistic of the table of two hard clusterings: its replicates are those of tables."""

    __slots__ = ()

    @classmethod
    def of_labels(cls, x: np.ndarray, y: np.ndarray) -> Any:
        """Statistic of two arrays of integers."""
        table = Contingency.of_labels(x, y)
        return None if table is None else cls.of(table)

    @classmethod
    def left_out(cls, source: Source, **options: Any) -> Replicates | None:
        """Without an object of each cell; None for other than hard clusterings."""
        return (derived(cls, source.without_each(Contingency), **options) if source.both_hard
                else None)

    @classmethod
    def resampled(cls, source: Source, draws: Any, **options: Any) -> Replicates | None:
        """Statistic of objects drawn again; None for other than hard clusterings."""
        return (derived(cls, source.redrawn(Contingency, draws), **options) if source.both_hard
                else None)
