"""Two hard clusterings with missing labels, as counts that determine their completions."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any

import numpy as np

from ..._checks import ClusteringError
from ...clusterings import HardClustering
from ...clusterings.coercion import read_side
from ...clusterings.objects import object_difference, same_names
from ...clusterings.sides import Asked, Side
from ...tables.counting import cross_counts


@dataclass(frozen=True, kw_only=True)
class IncompleteTable:
    """Counts of objects by their known labels.

    Attributes
    ----------
    table : (r, s) int64
        Known on both sides.
    rows : (r,) int64
        Known in x, missing in y: each picks a column.
    columns : (s,) int64
        Known in y, missing in x: each picks a row.
    both : int
        Missing on both sides: each picks a cell.
    """

    table: np.ndarray
    rows: np.ndarray
    columns: np.ndarray
    both: int

    @cached_property
    def n(self) -> int:
        """Number of objects."""
        return int(self.table.sum() + self.rows.sum() + self.columns.sum()) + self.both

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of clusters allowed."""
        return self.table.shape[0], self.table.shape[1]

    @property
    def n_missing(self) -> tuple[int, int, int]:
        """Missing in x only, in y only, in both."""
        return int(self.columns.sum()), int(self.rows.sum()), self.both

    @property
    def one_side(self) -> bool:
        """True if y is complete."""
        return self.both == 0 and not self.rows.any()

    def swapped(self) -> IncompleteTable:
        """x and y exchanged."""
        return IncompleteTable(table=np.ascontiguousarray(self.table.T), rows=self.columns,
                       columns=self.rows, both=self.both)

    def grown(self, limit: int | None = None) -> IncompleteTable:
        """The table with an empty row and column for each object that may form a new cluster.

        `most`: no more than these.
        """
        r, s = self.shape
        more_r = int(self.columns.sum()) + self.both
        more_s = int(self.rows.sum()) + self.both
        if limit is not None:
            more_r, more_s = min(limit, more_r), min(limit, more_s)
        table = np.zeros((r + more_r, s + more_s), dtype=np.int64)
        table[:r, :s] = self.table
        return IncompleteTable(table=table, rows=np.pad(self.rows, (0, more_r)),
                       columns=np.pad(self.columns, (0, more_s)), both=self.both)


@dataclass(frozen=True, kw_only=True)
class Labels:
    """Codes of the objects, -1 where missing, and names of the clusters that occur."""

    x: Annotated[np.ndarray, "i n >=-1"]
    y: Annotated[np.ndarray, "i n >=-1"]
    x_names: tuple[Any, ...]
    y_names: tuple[Any, ...]
    naming: tuple[Any, ...] | None

    def problem(self) -> IncompleteTable:
        """The counts."""
        r, s = len(self.x_names), len(self.y_names)
        return IncompleteTable(
            table=cross_counts(self.x, self.y, r, s),
            rows=np.bincount(self.x[(self.x >= 0) & (self.y < 0)], minlength=r).astype(np.int64),
            columns=np.bincount(self.y[(self.x < 0) & (self.y >= 0)], minlength=s).astype(np.int64),
            both=int(((self.x < 0) & (self.y < 0)).sum()))

    def filled(self, table: np.ndarray) -> tuple[HardClustering, HardClustering]:
        """A pair of clusterings that has this table of counts."""
        x, y = self.x.copy(), self.y.copy()
        r, s = len(self.x_names), len(self.y_names)
        known = (x >= 0) & (y >= 0)
        places = x[known] * table.shape[1] + y[known]
        more = table - np.bincount(places, minlength=table.size).reshape(table.shape)
        parts = _split(more, np.bincount(x[(x >= 0) & (y < 0)], minlength=table.shape[0]),
                       np.bincount(y[(x < 0) & (y >= 0)], minlength=table.shape[1]))
        for k in range(table.shape[0]):
            y[np.flatnonzero((x == k) & (self.y < 0) & (self.x >= 0))] = np.repeat(
                np.arange(table.shape[1]), parts[0][k])
        for j in range(table.shape[1]):
            x[np.flatnonzero((self.y == j) & (self.x < 0))] = np.repeat(
                np.arange(table.shape[0]), parts[1][:, j])
        gaps = np.flatnonzero((self.x < 0) & (self.y < 0))
        cells = np.repeat(np.arange(table.size), parts[2].ravel())
        x[gaps], y[gaps] = cells // table.shape[1], cells % table.shape[1]
        return (_made(x, self.x_names, table.shape[0], r, self.naming),
                _made(y, self.y_names, table.shape[1], s, self.naming))


def _made(codes: np.ndarray, names: tuple[Any, ...], count: int, known: int,
          naming: tuple[Any, ...] | None) -> HardClustering:
    new = [f"new {i}" for i in range(count - known)]
    used = np.flatnonzero(np.bincount(codes, minlength=count))
    rank = np.zeros(count, dtype=np.int64)
    rank[used] = np.arange(used.size)
    every = (*names, *new)
    return HardClustering(rank[codes], n_clusters=used.size,
                          cluster_names=[every[k] for k in used], object_names=naming)


def _split(more: np.ndarray, rows: np.ndarray, columns: np.ndarray
           ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Counts added to a table as parts with given row sums, column sums and rest.

    A flow: each row sends its `rows`, each column its `columns`, the rest is free.
    """
    if not rows.any():
        a = np.zeros_like(more)
        b = _fit(more.T, columns).T
        return a, b, more - b
    if not columns.any():
        a = _fit(more, rows)
        return a, np.zeros_like(more), more - a
    from scipy.optimize import linprog
    r, s = more.shape
    size = r * s
    # A + B <= more with row sums of A and column sums of B: a flow, so corners are whole.
    cells = np.arange(size)
    upper = np.hstack([np.eye(size), np.eye(size)])
    equal = np.zeros((r + s, 2 * size))
    equal[cells // s, cells] = 1
    equal[r + cells % s, size + cells] = 1
    solution = linprog(np.zeros(2 * size), A_ub=upper, b_ub=more.ravel(), A_eq=equal,
                    b_eq=np.concatenate([rows, columns]), method="highs-ds")
    parts = np.rint(solution.x).astype(np.int64).reshape(2, r, s)
    return parts[0], parts[1], more - parts[0] - parts[1]


def _fit(more: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Parts of `more` with these row sums."""
    before = np.cumsum(more, axis=1) - more
    return np.clip(rows[:, None] - before, 0, more)


# -- reading ----------------------------------------------------------------------------------
def read_labels(x: Any, y: Any, noise_label: Any) -> Labels:
    """Codes of two hard clusterings; noise counts as missing when a label for it is given."""
    asked = Asked(noise=None if noise_label is None else "drop", noise_label=noise_label,
                  missing="drop")
    sides = [read_side(x, asked, "x"), read_side(y, asked, "y")]
    for name, side in zip("xy", sides):
        if side.base is not None and side.base.hard_codes is None:
            raise ClusteringError(f"{name} is {side.base.kind}; labels, some of them missing, are "
                                  "needed")
    a, b = sides
    if a.n != b.n:
        raise ClusteringError(f"x has {a.n} objects and y has {b.n}; clusterings of the same "
                              'objects are needed: align(x, y, objects="common") makes them so')
    if a.n < 2:
        raise ClusteringError("x and y have 1 object; at least 2 are needed to compare")
    if a.names is not None and b.names is not None and not same_names(a.names, b.names):
        raise ClusteringError(object_difference(("x", a.names), ("y", b.names)))
    (codes_x, names_x), (codes_y, names_y) = _codes(a), _codes(b)
    return Labels(x=codes_x, y=codes_y, x_names=names_x, y_names=names_y,
                  naming=a.naming if a.naming is not None else b.naming)


def _codes(side: Side) -> tuple[np.ndarray, tuple[Any, ...]]:
    codes = np.full(side.n, -1, dtype=np.int64)
    if side.base is None:
        return codes, ()
    source = np.arange(side.n) if side.source is None else side.source
    inside = source >= 0
    codes[inside] = side.base.as_hard().codes[source[inside]]
    if side.noise is not None:
        codes[side.noise] = -1
    # -1 takes the last place, which is not counted.
    used = np.flatnonzero(np.bincount(codes + 1, minlength=side.base.n_clusters + 1)[1:])
    rank = np.full(side.base.n_clusters + 1, -1)
    rank[used] = np.arange(used.size)
    return rank[codes], tuple(side.base.cluster_names[k] for k in used)
