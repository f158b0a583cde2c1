"""Columns of two membership matrices, their products, and the best match of columns."""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any

import numpy as np

from ..clusterings import Clustering
from ..measures.resamples import Draws
from ..measures.statistic import Replicates, Statistic
from ..tables.assignment import MatchedObjects
from ..tables.contingency import Contingency, derived
from ..tables.pair_counts import PairCounts


class MatchedColumns(Statistic):
    """Memberships of two hard or fuzzy clusterings with their columns matched one to one.

    Attributes
    ----------
    n_objects : int
    own_x, own_y : float
        Sums of squared memberships.
    matched : float
        Largest sum of products of matched columns.

    Notes
    -----
    The narrower side gets empty columns. Two hard clusterings are known only by their table.
    """

    def __init__(self, source: Any) -> None:
        self.source, self.n_objects = source, source.n_objects
        self.hard = source.both_hard
        if self.hard:
            objects = source.statistic(MatchedObjects)
            self.n_objects = objects.n   # the total weight where objects have weights
            self.own_x = self.own_y = float(objects.n)
            self.matched = float(objects.matched)
            return
        from scipy.optimize import linear_sum_assignment
        self.own_x, self.own_y = float(self.squares_x.sum()), float(self.squares_y.sum())
        self._match = linear_sum_assignment(self.cross, maximize=True)
        self.matched = float(self.cross[self._match].sum())

    @classmethod
    def of(cls, source: Any) -> MatchedColumns:
        """Statistic of memberships, of sums of them, or of the table of two hard clusterings."""
        if source.sums is not None and not source.both_hard:
            return SummedColumns(source)
        return cls(source)

    @classmethod
    def left_out(cls, source: Any) -> Replicates | None:
        """Without each object; of soft clusterings under the matching of all objects, O(n r s)."""
        if source.both_hard:
            return derived(cls, source.without_each(Contingency))
        return Replicates(times=np.ones(source.n_objects, np.int64),
                          statistic=WithoutEach(source.statistic(cls)))

    @classmethod
    def resampled(cls, source: Any, draws: Draws) -> Replicates | None:
        """Statistic of two hard clusterings whose objects are drawn again; None for others."""
        return derived(cls, source.redrawn(Contingency, draws)) if source.both_hard else None

    # -- columns ------------------------------------------------------------------------------
    @property
    def _width(self) -> int:
        return max(self.source.n_clusters)

    @cached_property
    def sides(self) -> tuple[np.ndarray, np.ndarray]:
        """Memberships of both sides by column, (c, n) each."""
        return self._rows("x"), self._rows("y")

    def _rows(self, side: str) -> np.ndarray:
        c = self._width

        def padded(clustering: Clustering) -> np.ndarray:
            rows = np.zeros((c, clustering.n_objects))
            rows[:clustering.n_clusters] = clustering.memberships().T
            return rows
        return self.source.objects.of_side(side, ("membership rows", c), padded)

    @cached_property
    def cross(self) -> np.ndarray:
        """Sums of products of a column of x with one of y."""
        if self.hard:
            return self.source.statistic(Contingency).dense().astype(np.float64)
        u, v = self.sides
        return u @ v.T

    @cached_property
    def squares_x(self) -> np.ndarray:
        """Squared length of each column of x."""
        return self.cross.sum(axis=1) if self.hard else self._squares("x")

    @cached_property
    def squares_y(self) -> np.ndarray:
        """Squared length of each column of y."""
        return self.cross.sum(axis=0) if self.hard else self._squares("y")

    def _squares(self, side: str) -> np.ndarray:
        u = self._rows(side)
        return self.source.objects.of_side(side, ("membership squares", u.shape[0]),
                                           lambda _: (u * u).sum(axis=1))

    # -- sums over matched columns ------------------------------------------------------------
    @cached_property
    def squared(self) -> float:
        """Smallest sum of squared differences of matched columns."""
        if self.hard:
            return 2.0 * (self.n_objects - self.matched)
        # From differences: from products, equal clusterings would be 1e-8 apart.
        return self._squared(*self._match)

    @cached_property
    def absolute(self) -> float:
        """Smallest sum of absolute differences of columns, with its own best match."""
        if self.hard:
            return 2.0 * (self.n_objects - self.matched)
        from scipy.optimize import linear_sum_assignment
        u, v = self.sides
        cost = np.array([[np.abs(a - b).sum() for b in v] for a in u])
        rows, columns = self._absolute_match = linear_sum_assignment(cost)
        return float(cost[rows, columns].sum())

    @cached_property
    def squared_disjoint(self) -> float:
        """Smallest sum of squared differences over min(r, s) pairs of columns in use."""
        from scipy.optimize import linear_sum_assignment
        in_x, in_y = np.flatnonzero(self.squares_x > 0), np.flatnonzero(self.squares_y > 0)
        cost = (self.squares_x[:, None] + self.squares_y[None, :]
                - 2.0 * self.cross)[np.ix_(in_x, in_y)]
        rows, columns = linear_sum_assignment(cost)
        self._disjoint_match = in_x[rows], in_y[columns]
        if self.hard:
            return float(cost[rows, columns].sum())
        return self._squared(in_x[rows], in_y[columns])

    def _squared(self, rows: np.ndarray, columns: np.ndarray) -> float:
        u, v = self.sides
        return sum(float(((u[k] - v[m]) ** 2).sum()) for k, m in zip(rows, columns))

    @cached_property
    def comembership(self) -> float:
        """||U U' - V V'||_F^2, without the n x n matrices."""
        if self.hard:
            p = self.source.statistic(PairCounts)
            return 2.0 * (p.n10 + p.n01)
        a, b = self._own("x"), self._own("y")
        both = float((self.cross * self.cross).sum())
        rest = a - 2.0 * both + b
        # Differences below rounding are none.
        return rest if rest > 64 * np.finfo(float).eps * (a + b) else 0.0

    def _own(self, side: str) -> float:
        u = self._rows(side)
        return self.source.objects.of_side(side, ("own comemberships", u.shape[0]),
                                           lambda _: float(((u @ u.T) ** 2).sum()))

    @property
    def cosine(self) -> float:
        """Cosine of the matched matrices."""
        return min(self.matched / math.sqrt(self.own_x * self.own_y), 1.0)


class SummedColumns(MatchedColumns):
    """`MatchedColumns` of sums of memberships."""

    def __init__(self, source: Any) -> None:
        from scipy.optimize import linear_sum_assignment
        sums = source.sums
        width = max(sums.shape)
        self.source, self.n_objects, self.hard = source, sums.n, False
        self._sums = sums.placed((np.arange(sums.shape[0]), np.arange(sums.shape[1])),
                                 (width, width))
        self._match = linear_sum_assignment(self.cross, maximize=True)
        first, second, both = self._sums.blocks
        self.own_x, self.own_y = float(first.trace()), float(second.trace())
        self.matched = float(both[self._match].sum())

    @cached_property
    def cross(self) -> np.ndarray:
        """Sums of products of a column of x with one of y."""
        return self._sums.blocks[2]

    @cached_property
    def squared(self) -> float:
        """Smallest sum of squared differences of matched columns."""
        return float(self._sums.squared_gaps[self._match].sum())

    @cached_property
    def absolute(self) -> float:
        """Smallest sum of absolute differences of columns, with its own best match."""
        return self._least(self._sums.gaps)

    @cached_property
    def squared_disjoint(self) -> float:
        """Smallest sum of squared differences over min(r, s) pairs of columns in use."""
        used = [np.flatnonzero(size > 0) for size in self._sums.sizes]
        return self._least(self._sums.squared_gaps[np.ix_(*used)])

    def _own(self, side: str) -> float:
        block = self._sums.blocks["xy".index(side)]
        return float((block * block).sum())

    @staticmethod
    def _least(costs: np.ndarray) -> float:
        from scipy.optimize import linear_sum_assignment
        return float(costs[linear_sum_assignment(costs)].sum())


class WithoutEach:
    """Sums of `MatchedColumns` without each object, (n,) each, its matchings held fixed."""

    def __init__(self, whole: MatchedColumns) -> None:
        self._whole = whole
        self._u, self._v = whole.sides
        self.n_objects = whole.n_objects - 1

    @cached_property
    def own_x(self) -> np.ndarray:
        """Sums of squared memberships of x."""
        return self._whole.own_x - (self._u * self._u).sum(axis=0)

    @cached_property
    def own_y(self) -> np.ndarray:
        """Sums of squared memberships of y."""
        return self._whole.own_y - (self._v * self._v).sum(axis=0)

    @cached_property
    def matched(self) -> np.ndarray:
        """Sums of products of matched columns."""
        rows, columns = self._whole._match
        return self._whole.matched - (self._u[rows] * self._v[columns]).sum(axis=0)

    @cached_property
    def squared(self) -> np.ndarray:
        """Sums of squared differences of matched columns."""
        return self._squared(self._whole.squared, self._whole._match)

    @cached_property
    def squared_disjoint(self) -> np.ndarray:
        """Sums of squared differences over pairs of columns in use."""
        return self._squared(self._whole.squared_disjoint, self._whole._disjoint_match)

    def _squared(self, total: float, match: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
        gaps = self._u[match[0]] - self._v[match[1]]
        return np.maximum(total - (gaps * gaps).sum(axis=0), 0.0)

    @cached_property
    def absolute(self) -> np.ndarray:
        """Sums of absolute differences of columns."""
        total = self._whole.absolute   # makes its matching
        rows, columns = self._whole._absolute_match
        return np.maximum(total - np.abs(self._u[rows] - self._v[columns]).sum(axis=0), 0.0)

    @cached_property
    def comembership(self) -> np.ndarray:
        """||U U' - V V'||_F^2; nothing is matched."""
        u, v = self._u, self._v
        own_u, own_v = (u * u).sum(axis=0), (v * v).sum(axis=0)

        def taken(a: np.ndarray, matrix: np.ndarray, b: np.ndarray) -> np.ndarray:
            return np.einsum("in,in->n", a, matrix @ b)

        part = (2 * taken(u, u @ u.T, u) - own_u**2 + 2 * taken(v, v @ v.T, v) - own_v**2
                - 4 * taken(u, self._whole.cross, v) + 2 * own_u * own_v)
        return np.maximum(self._whole.comembership - part, 0.0)

    @property
    def cosine(self) -> np.ndarray:
        """Cosine of the matched matrices."""
        return np.minimum(self.matched / np.sqrt(self.own_x * self.own_y), 1.0)
