"""Sums of products of memberships: pair measures without a loop over pairs.

Inner products u_i . u_j of all pairs i < j follow from the small matrices U'V, U'U and V'V and
from the squared lengths of the rows, O(n r s).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from .._checks import ClusteringError, check_choice
from ..clusterings import Clustering
from ..measures.resamples import Draws
from ..measures.statistic import Replicates, Source, Statistic
from ..tables.pair_counts import PairCounts
from .bilinear import MAX_CELLS, column_sums, cross_sums

_NO_INDEX = np.zeros((0, 0), dtype=np.int64)
_STEP = 1 << 14  # objects between two checks for Ctrl-C


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MembershipColumns:
    """Memberships of one side, as kernels of sums read them.

    Attributes
    ----------
    values : (n, e) float64
        Entries of each object.
    index : (n, e) int64
        Cluster of each entry; shape (0, 0) when entry k belongs to cluster k.
    n_clusters : int
    """

    values: np.ndarray
    index: np.ndarray
    n_clusters: int

    @property
    def totals(self) -> np.ndarray:
        """Sums over the objects, (n_clusters,)."""
        if not self.index.size:
            return column_sums(self.values)
        return np.bincount(self.index.ravel(), self.values.ravel(), minlength=self.n_clusters)

    @property
    def squares(self) -> np.ndarray:
        """Squared length of each row, (n,)."""
        return np.einsum("ij,ij->i", self.values, self.values)

    def unit_rows(self) -> MembershipColumns:
        """The rows divided by their lengths."""
        lengths = np.sqrt(self.squares)[:, None]
        return replace(self, values=self.values / lengths)

    def dense(self) -> np.ndarray:
        """The matrix (n, n_clusters)."""
        if not self.index.size:
            return self.values
        matrix = np.zeros((self.values.shape[0], self.n_clusters))
        np.put_along_axis(matrix, self.index, self.values, axis=1)
        return matrix


def columns(clustering: Clustering) -> MembershipColumns:
    """Memberships or typicalities of a hard, fuzzy or possibilistic clustering."""
    n, c = clustering.n_objects, clustering.n_clusters
    if clustering.kind == "hard":
        labels = clustering.labels  # type: ignore[attr-defined]
        return MembershipColumns(values=np.ones((n, 1)), n_clusters=c,
                                 index=np.ascontiguousarray(labels[:, None]))
    matrix = (clustering.memberships() if clustering.has_memberships
              else clustering.typicality)  # type: ignore[attr-defined]
    return MembershipColumns(values=np.ascontiguousarray(matrix), index=_NO_INDEX, n_clusters=c)


def cross(x: MembershipColumns, y: MembershipColumns) -> np.ndarray:
    """U'V, (r, s)."""
    if x.n_clusters * y.n_clusters > MAX_CELLS:
        raise ClusteringError(f"{x.n_clusters} by {y.n_clusters} clusters would need "
                              f"{x.n_clusters * y.n_clusters:.2g} sums of products (at most "
                              f"{MAX_CELLS}); leave out empty clusters")
    return cross_sums(x.values, x.index, x.n_clusters, y.values, y.index, y.n_clusters)


def squared_norm(matrix: np.ndarray) -> float:
    """Sum of the squared entries, rounded once."""
    return math.fsum((matrix * matrix).ravel())


@dataclass(frozen=True, slots=True, kw_only=True)
class ProductMoments:
    """Sums over i < j of psi = u_i . u_j and psi' = v_i . v_j.

    Attributes
    ----------
    both : float or array
        Sum of psi psi'.
    first, second : float or array
        Sums of psi and of psi'.
    n_pairs : int
    """

    both: Any
    first: Any
    second: Any
    n_pairs: int


class MembershipMoments(Statistic):
    """Sums over the objects of products of memberships u of x and v of y.

    Each is formed at its first use. Sums that were made elsewhere, and merged, are
    `summed_memberships.SummedMoments`.
    """

    def __init__(self, x: MembershipColumns, y: MembershipColumns) -> None:
        self._x, self._y = x, y
        self.n_objects = int(x.values.shape[0])

    @classmethod
    def of(cls, source: Source) -> MembershipMoments:
        """Statistic of the memberships of both sides."""
        return cls(*sides(source))

    @cached_property
    def cross(self) -> np.ndarray:
        """U'V, (r, s)."""
        return cross(self._x, self._y)

    @cached_property
    def totals(self) -> tuple[np.ndarray, np.ndarray]:
        """Sums of the memberships in each cluster, (r,) and (s,)."""
        return self._x.totals, self._y.totals

    @cached_property
    def cross_norm(self) -> float:
        """||U'V||^2."""
        return squared_norm(self.cross)

    @cached_property
    def own_norms(self) -> tuple[float, float]:
        """||U'U||^2 and ||V'V||^2."""
        return _own_norm(self._x), _own_norm(self._y)

    @cached_property
    def total_norms(self) -> tuple[float, float]:
        """||U'1||^2 and ||V'1||^2: the sums of all u_i . u_j and v_i . v_j."""
        first, second = self.totals
        return squared_norm(first), squared_norm(second)

    @cached_property
    def traces(self) -> tuple[float, float]:
        """Sums of the squared memberships."""
        return float(self._x.squares.sum()), float(self._y.squares.sum())

    @cached_property
    def both(self) -> float:
        """Sum of the products of the squared lengths of both rows."""
        return float((self._x.squares * self._y.squares).sum())

    @cached_property
    def pairs(self) -> ProductMoments:
        """Sums over the pairs of objects."""
        n, (in_x, in_y), (all_x, all_y) = self.n_objects, self.traces, self.total_norms
        return ProductMoments(both=(self.cross_norm - self.both) / 2, first=(all_x - in_x) / 2,
                           second=(all_y - in_y) / 2, n_pairs=n * (n - 1) // 2)

    def pairs_left_out(self) -> ProductMoments:
        """Sums over the pairs without each object, arrays (n,). O(n r s)."""
        x, y, all_, n = self._x, self._y, self.pairs, self.n_objects
        u, v, own_u, own_v = x.dense(), y.dense(), x.squares, y.squares
        in_x, in_y = self.totals
        both = bilinear_rows(u, self.cross, v) - own_u * own_v
        return ProductMoments(both=all_.both - both, first=all_.first - (u @ in_x - own_u),
                           second=all_.second - (v @ in_y - own_v),
                           n_pairs=(n - 1) * (n - 2) // 2)


def bilinear_rows(u: np.ndarray, matrix: np.ndarray, v: np.ndarray) -> np.ndarray:
    """u_i' M v_i of each object, (n,)."""
    out = np.empty(u.shape[0])
    for first in range(0, u.shape[0], _STEP):
        part = slice(first, first + _STEP)
        out[part] = np.einsum("ij,ij->i", u[part] @ matrix, v[part])
    return out


@dataclass(frozen=True, slots=True, kw_only=True)
class FrobeniusMoments(Statistic):
    """Sums that the Frobenius indices need.

    Attributes
    ----------
    cross : float
        ||U'V||^2.
    own_x, own_y : float
        ||U'U||^2 and ||V'V||^2.
    sum_x, sum_y : float
        Sums of all u_i . u_j and of all v_i . v_j, i = j included.
    trace_x, trace_y : float
        Sums of the squared entries.
    n : int
    """

    cross: Any = math.nan
    own_x: Any = math.nan
    own_y: Any = math.nan
    sum_x: Any = math.nan
    sum_y: Any = math.nan
    trace_x: Any = math.nan
    trace_y: Any = math.nan
    n: int
    #: of two hard clusterings, whose indices come from the exact pair counts
    counts: Any = None

    @classmethod
    def of(cls, source: Source) -> FrobeniusMoments:
        """Statistic of memberships, or the pair counts of two hard clusterings."""
        if source.both_hard:
            return cls(n=source.n_objects, counts=source.statistic(PairCounts))
        m = source.statistic(MembershipMoments)
        return cls(cross=m.cross_norm, own_x=m.own_norms[0], own_y=m.own_norms[1],
                   sum_x=m.total_norms[0], sum_y=m.total_norms[1], trace_x=m.traces[0],
                   trace_y=m.traces[1], n=m.n_objects)

    @classmethod
    def left_out(cls, source: Source) -> Replicates:
        """Without each object, O(n (r + s)^2)."""
        if source.both_hard:
            return PairCounts.left_out(source).mapped(
                lambda p: cls(n=source.n_objects - 1, counts=p))
        m, sums, (x, y) = source.statistic(cls), source.statistic(MembershipMoments), sides(source)
        u, v, own_u, own_v, (in_x, in_y) = x.dense(), y.dense(), x.squares, y.squares, sums.totals
        return Replicates(times=np.ones(m.n, np.int64), statistic=cls(
            cross=m.cross - 2 * bilinear_rows(u, sums.cross, v) + own_u * own_v,
            own_x=m.own_x - 2 * bilinear_rows(u, cross(x, x), u) + own_u * own_u,
            own_y=m.own_y - 2 * bilinear_rows(v, cross(y, y), v) + own_v * own_v,
            sum_x=m.sum_x - 2 * (u @ in_x) + own_u,
            sum_y=m.sum_y - 2 * (v @ in_y) + own_v,
            trace_x=m.trace_x - own_u, trace_y=m.trace_y - own_v, n=m.n - 1))

    @classmethod
    def resampled(cls, source: Source, draws: Draws) -> Replicates | None:
        """Statistic of two hard clusterings whose objects are drawn again; None for others."""
        if not source.both_hard:
            return None
        return PairCounts.resampled(source, draws).mapped(
            lambda p: cls(n=source.n_objects, counts=p))

    @property
    def expected(self) -> Any:
        """Mean of ||U'V||^2 when the objects of one side are permuted at random."""
        n = self.n
        return (self.trace_x * self.trace_y / n
                + (self.sum_x - self.trace_x) * (self.sum_y - self.trace_y) / (n * (n - 1)))


def _own_norm(x: MembershipColumns) -> float:
    """||U'U||^2; of labels the product is diagonal."""
    return squared_norm(x.totals if x.index.size else cross(x, x))


def sides(source: Source) -> tuple[MembershipColumns, MembershipColumns]:
    """Memberships of both sides, formed once for each clustering."""
    joint = source.objects
    return joint.of_side("x", "columns", columns), joint.of_side("y", "columns", columns)


# -- pairs counted on the product of two membership matrices instead of a contingency table -------
SCALES = ("none", "possibilistic")


@dataclass(frozen=True, slots=True, kw_only=True)
class MembershipPairs(Statistic):
    """The counts a, b, c, d, and joined pairs of each side, of the product C = phi U'V.

    nan where no object has membership in a cluster of x and in one of y.
    """

    a: Any
    b: Any
    c: Any
    d: Any
    joined_x: Any
    joined_y: Any
    n_pairs: Any

    @classmethod
    def of(cls, source: Any, *, scale: str = "none") -> MembershipPairs:
        """Statistic of memberships; of two hard clusterings the pair counts."""
        check_choice("scale", scale, SCALES)
        if source.both_hard:
            return cls._of_counts(source.statistic(PairCounts))
        n = source.n_objects
        table = source.statistic(MembershipMoments).cross
        if scale == "possibilistic":
            whole = math.fsum(table.ravel())
            table = table * (n / whole) if whole > 0.0 else np.full_like(table, math.nan)
        total = math.fsum(table.ravel())
        squares = squared_norm(table)
        rows, columns = squared_norm(table.sum(axis=1)), squared_norm(table.sum(axis=0))
        return cls(a=(squares - total) / 2, b=(rows - squares) / 2, c=(columns - squares) / 2,
                   d=(n * n + squares - rows - columns) / 2, joined_x=(rows - total) / 2,
                   joined_y=(columns - total) / 2, n_pairs=source.n_pairs)

    @classmethod
    def left_out(cls, source: Any, *, scale: str = "none") -> Replicates | None:
        """Statistic of two hard clusterings without each object; None for others."""
        return (source.without_each(PairCounts).mapped(cls._of_counts) if source.both_hard
                else None)

    @classmethod
    def resampled(cls, source: Any, draws: Draws, *, scale: str = "none") -> Replicates | None:
        """Statistic of two hard clusterings whose objects are drawn again; None for others."""
        return (source.redrawn(PairCounts, draws).mapped(cls._of_counts)
                if source.both_hard else None)

    @classmethod
    def _of_counts(cls, p: PairCounts) -> MembershipPairs:
        return cls(a=p.n11, b=p.n10, c=p.n01, d=p.n00, joined_x=p.in_x, joined_y=p.in_y,
                   n_pairs=p.n_pairs)
