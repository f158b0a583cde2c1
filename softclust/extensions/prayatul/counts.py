"""Pairs of objects by whether two hard clusterings are right about them (spec prayatul).

Everything follows from sums S over cells of m(m-1)/2: with T pairs in all,

    RW = (S_q - S_pq) + (S_gp - S_gq)      WR = (S_p - S_pq) + (S_gq - S_gp)
    BW = S_g - S_gp - S_gq + S_pq          BR = T - RW - WR - BW

The three-way cells are made only for rows, parts and resampling. The row of an object follows
from the same formulas with T replaced by n - 1 and S by the size of its cell less one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Annotated, Any

import numpy as np

from ..._checks import ClusteringError
from ...clusterings import HardClustering
from ...clusterings.labels import label_codes
from ...tables.contingency import (
    Contingency,
    cell_of_objects,
    contingency,
    contingency_from_table,
    exact_squares,
)

#: both right, right wrong, wrong right, both wrong
Four = tuple[Any, Any, Any, Any]

#: most objects that a table of counts is spread out to, for resampling
MOST_SPREAD = 10**8


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """Contribution of each object, or of each cell of objects with equal rows.

    Attributes
    ----------
    rows, same : ndarray, shape (m, 4)
        Partners by both right, right wrong, wrong right, both wrong; all, and those of the same
        class (None where that is not defined).
    partners : ndarray, shape (m,)
        Number (weight) of partners.
    count : ndarray, shape (m,)
        Objects that a row stands for.
    weights : ndarray, shape (m,)
        Weight of each of these objects.
    """

    rows: np.ndarray
    same: np.ndarray | None
    partners: np.ndarray
    count: np.ndarray
    weights: np.ndarray


def four(total: Any, g: Any, p: Any, q: Any, gp: Any, gq: Any, pq: Any) -> Four:
    """BR, RW, WR, BW from the sums; exactly 0 for RW and WR when p and q are one partition."""
    rw = (q - pq) + (gp - gq)
    wr = (p - pq) + (gq - gp)
    bw = (g - gp) - (gq - pq)
    return total - rw - wr - bw, rw, wr, bw


def four_same(g: Any, gp: Any, gq: Any, gpq: Any) -> Four:
    """The same for pairs inside one class."""
    return gpq, gp - gpq, gq - gpq, (g - gp) - (gq - gpq)


def not_negative(values: Four) -> Four:
    """Set values that rounding made negative to 0."""
    a, b, c, d = (max(float(v), 0.0) for v in values)
    return a, b, c, d


def joined_pairs(squares: int, n: int) -> int:
    """S of a table from the sum of its squared counts."""
    return (squares - n) // 2


def square_sum(values: np.ndarray) -> float:
    """Sum of squares; the same bits for the same numbers in any order."""
    squares = values[values != 0.0]
    squares = np.sort(squares * squares)
    return float(squares.sum())


@dataclass(frozen=True, slots=True, kw_only=True)
class _Cells:
    """Occupied cells of truth x primary x alternative: codes and counts, (m,) int64 each."""

    g: np.ndarray
    p: np.ndarray
    q: np.ndarray
    count: np.ndarray
    #: cell of each object, made on demand
    find: Callable[[], np.ndarray]


@dataclass(frozen=True, kw_only=True)
class HardTriple:
    """Truth, primary and alternative, all hard, perhaps with weights of the objects.

    Attributes
    ----------
    gp, gq, pq : Contingency
    sides : (truth, primary, alternative) or None
        None when made from a table of counts.
    weights : ndarray, shape (n,), or None
    cells : callable
        Makes the three-way cells.
    """

    gp: Contingency
    gq: Contingency
    pq: Contingency
    sides: tuple[HardClustering, HardClustering, HardClustering] | None
    weights: Annotated[np.ndarray | None, "f gp.n >=0 finite"] = None
    table: Annotated[np.ndarray | None, "i r s t >=0"] = None

    coupling = "hard"

    def _check(self) -> None:
        if self.table is not None:
            again = triple_of_table(self.table)
        elif self.sides is not None:
            again = hard_triple(*self.sides)
        else:
            raise ClusteringError("a stored triple has no objects and no counts")
        if any(one.n != other.n or one.squares != other.squares
               or not np.array_equal(one.a, other.a) or not np.array_equal(one.b, other.b)
               for one, other in ((self.gp, again.gp), (self.gq, again.gq), (self.pq, again.pq))):
            raise ClusteringError("the tables of a stored triple do not fit its clusterings")

    @property
    def n(self) -> int:
        """Number of objects."""
        return self.gp.n

    @cached_property
    def pairs(self) -> int | float:
        """Number (total weight) of pairs."""
        if self.weights is None:
            return self.n * (self.n - 1) // 2
        return weighted_pairs(self.weights)

    @cached_property
    def counts(self) -> Four:
        """BR, RW, WR, BW; Python integers without weights."""
        if self.weights is not None:
            return self.weighted(self.weights)
        return four(self.pairs, *self.sums)

    @cached_property
    def sums(self) -> tuple[int, int, int, int, int, int]:
        """S_g, S_p, S_q, S_gp, S_gq, S_pq without weights."""
        n = self.n
        g, p, q = (joined_pairs(exact_squares(sizes, n), n)
                   for sizes in (self.gp.a, self.gp.b, self.gq.b))
        gp, gq, pq = (joined_pairs(c.squares, n) for c in (self.gp, self.gq, self.pq))
        return g, p, q, gp, gq, pq

    @cached_property
    def cells(self) -> _Cells:
        """The occupied three-way cells."""
        if self.sides is not None:
            g, p, q = self.sides
            pairs, n_pairs, names = label_codes(g.codes.astype(np.int64) * p.n_clusters + p.codes)
            table = contingency(pairs, n_pairs, q.codes, q.n_clusters)
            of_g, of_p = np.divmod(np.array(names or range(n_pairs), np.int64), p.n_clusters)
            return _Cells(g=of_g[table.rows], p=of_p[table.rows], q=table.cols, count=table.counts,
                          find=lambda: cell_of_objects(table, pairs, q.codes))
        assert self.table is not None
        rows, columns, layers = np.nonzero(self.table)
        count = self.table[rows, columns, layers]

        def find() -> np.ndarray:
            n = int(count.sum())
            if n > MOST_SPREAD:
                raise ClusteringError(f"the table counts {n} objects, more than the {MOST_SPREAD} "
                                      "that can be resampled one by one; .jackknife() needs the "
                                      "cells alone")
            return np.repeat(np.arange(count.shape[0]), count)

        return _Cells(g=rows, p=columns, q=layers, count=count, find=find)

    @cached_property
    def cell_of_object(self) -> np.ndarray:
        """Row of `cells` of each object, (n,) int64."""
        return self.cells.find()

    @cached_property
    def _groups(self) -> list[Any]:
        """Cluster, or pair of clusters, of each cell: for g, p, q, gp, gq, pq."""
        return groups_of(self.cells.g, self.cells.p, self.cells.q)

    @cached_property
    def same_class(self) -> Four:
        """The four counts among pairs inside one class."""
        if self.weights is not None:
            g, _, _, gp, gq, _, gpq = self._weighted_sums(self.weights)
            return not_negative(four_same(g, gp, gq, gpq))
        gpq = joined_pairs(exact_squares(self.cells.count, self.n), self.n)
        g, _, _, gp, gq, _ = self.sums
        return four_same(g, gp, gq, gpq)

    def rows(self, by: str = "cell") -> Rows:
        """Rows of cells (without weights), or of all objects."""
        if by == "cell":
            if self.weights is not None:
                raise ClusteringError('by="cell" needs objects of equal weight; by="object" gives '
                                      "a row for each")
            weight: np.ndarray = self.cells.count
            each: np.ndarray | int = 1
            count, weights = weight, np.ones(weight.shape[0])
            total: Any = self.n
        else:
            each = np.ones(self.n, np.int64) if self.weights is None else self.weights
            weight = self.cells.count if self.weights is None else self._cell_weights(each)
            count, weights = np.ones(self.n, np.int64), each.astype(np.float64)
            total = each.sum()
        # Total weight of the group of each cell.
        sizes = []
        for group in self._groups:
            totals = np.zeros(int(group.max()) + 1, weight.dtype)
            np.add.at(totals, group, weight)
            sizes.append(totals[group])
        g, _, _, gp, gq, _ = sizes
        rows = np.stack(four(total, *sizes), axis=1)
        same = np.stack(four_same(g, gp, gq, weight), axis=1)
        if by == "object":
            rows, same = rows[self.cell_of_object], same[self.cell_of_object]
        rows[:, 0] -= each
        same[:, 0] -= each
        if self.weights is not None:
            rows, same = np.maximum(rows, 0.0), np.maximum(same, 0.0)
        partners = np.broadcast_to(np.asarray(total - each), (rows.shape[0],))
        return Rows(rows=rows, same=same, partners=partners, count=count, weights=weights)

    def _cell_weights(self, weights: np.ndarray) -> np.ndarray:
        return np.bincount(self.cell_of_object, weights, minlength=self.cells.count.shape[0])

    def prepare(self) -> None:
        """Make what `weighted` shares, before threads ask for it."""
        self.cell_of_object, self._groups  # noqa: B018

    def _weighted_sums(self, weights: np.ndarray) -> list[float]:
        """S of g, p, q, gp, gq, pq, gpq; only pairs of distinct objects.

        (sum of squared totals - sum of w_i^2) / 2.
        """
        cells = self._cell_weights(weights)
        squares = float(np.sum(weights * weights))
        totals = [*(np.bincount(group, cells) for group in self._groups), cells]
        return [(square_sum(total) - squares) / 2 for total in totals]

    def weighted(self, weights: np.ndarray) -> Four:
        """The four counts when object i has weight w_i."""
        sums = self._weighted_sums(weights)[:6]
        return not_negative(four(weighted_pairs(weights), *sums))

    def swapped(self) -> HardTriple:
        """Primary and alternative exchanged."""
        sides = None if self.sides is None else (self.sides[0], self.sides[2], self.sides[1])
        table = None if self.table is None else self.table.transpose(0, 2, 1)
        return HardTriple(gp=self.gq, gq=self.gp, pq=self.pq, sides=sides, weights=self.weights,
                          table=table)


def groups_of(*codes: np.ndarray | None) -> list[Any]:
    """Codes of g, p, q and of the cells of gp, gq, pq; None where a side has none."""
    groups: list[Any] = list(codes)
    for u, v in combinations(codes, 2):
        groups.append(None if u is None or v is None else
                      label_codes(u * (int(v.max()) + 1) + v)[0].astype(np.int64))
    return groups


def weighted_pairs(weights: np.ndarray) -> float:
    """((sum w)^2 - sum w^2) / 2."""
    return (float(weights.sum()) ** 2 - float(np.sum(weights * weights))) / 2


def hard_triple(g: HardClustering, p: HardClustering, q: HardClustering,
                weights: np.ndarray | None = None, shared: dict[Any, Any] | None = None
                ) -> HardTriple:
    """The triple of three clusterings; `shared` keeps tables for other triples."""
    tables = {} if shared is None else shared

    def table(x: HardClustering, y: HardClustering) -> Contingency:
        # The clusterings are kept with their table, so that no id can come back.
        if (id(x), id(y)) not in tables:
            tables[id(x), id(y)] = x, y, contingency(x.codes, x.n_clusters, y.codes, y.n_clusters)
        counted: Contingency = tables[id(x), id(y)][2]
        return counted

    return HardTriple(gp=table(g, p), gq=table(g, q), pq=table(p, q), sides=(g, p, q),
                      weights=weights)


def triple_of_table(table: np.ndarray) -> HardTriple:
    """The triple of an (r, s, t) table of counts, int64."""
    gp, gq, pq = (contingency_from_table(table.sum(axis=axis)) for axis in (2, 1, 0))
    return HardTriple(gp=gp, gq=gq, pq=pq, sides=None, table=table)
