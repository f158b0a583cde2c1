"""Statistics of covers: overlaps of clusters, and pairs by the clusters that hold both.

Hard clusterings are covers of disjoint clusters; a table of counts says all about two of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .._checks import ClusteringError
from ..clusterings import CoverClustering
from ..clusterings.incidence import coded_rows
from ..measures.statistic import Replicates, Source, Statistic
from ..running.threads import run_chunks
from ..tables.contingency import Contingency, OfTables, derived
from ..tables.counting import exact_dot
from ..tables.pair_counts import PairCounts
from ..tables.sums import TableSums
from . import _kernels

#: steps of a chunk of units, about 0.1 s
_CHUNK = 50_000_000
#: up to this many visits of members distinct rows are not sought
_FEW = 2_000_000
#: clusters that hold one in this many rows are rows of ones and zeros: a loop over all of them is
#: faster than visits of the members
_DENSE = 8


def cover_of(source: Any, side: str) -> CoverClustering:
    """A side of a pair as a cover, made once."""
    return source.of_side(side, "cover", lambda z: z if z.kind == "cover" else z.to_cover())


# -- overlaps -------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class CoverOverlaps(Statistic):
    """Sizes of the non-empty clusters and numbers of objects that they share.

    Attributes
    ----------
    n : int
        Number of objects, those in no cluster included.
    a, b : (r,), (s,) int64
        Sizes of the non-empty clusters.
    rows, cols, counts : (m,) int64
        Pairs of clusters that meet, and their common objects, row by row.
    """

    n: int
    a: np.ndarray
    b: np.ndarray
    rows: np.ndarray
    cols: np.ndarray
    counts: np.ndarray

    @classmethod
    def of(cls, source: Source) -> CoverOverlaps:
        """Statistic of two covers. O(sum over objects of the products of their multiplicities)."""
        if source.both_hard:
            table = source.statistic(Contingency)
            return cls._of_used(table.n, table.a, table.b, table.rows, table.cols, table.counts)
        joint = source.objects
        x, y = cover_of(joint, "x"), cover_of(joint, "y")
        shared = x.overlaps(y).tocoo()
        order = np.lexsort((shared.col, shared.row))
        return cls._of_used(x.n_objects, x.sizes, y.sizes, shared.row[order].astype(np.int64),
                            shared.col[order].astype(np.int64), shared.data[order])

    @classmethod
    def _of_used(cls, n: int, a: np.ndarray, b: np.ndarray, rows: np.ndarray, cols: np.ndarray,
                 counts: np.ndarray) -> CoverOverlaps:
        """Statistic without empty clusters."""
        in_x, in_y = np.cumsum(a > 0) - 1, np.cumsum(b > 0) - 1
        return cls(n=n, a=a[a > 0], b=b[b > 0], rows=in_x[rows], cols=in_y[cols], counts=counts)

    @property
    def same(self) -> bool:
        """True if x and y have the same non-empty clusters, each equally often."""
        if self.a.shape != self.b.shape:
            return False
        a, b = self.a[self.rows], self.b[self.cols]
        alike = (a == self.counts) & (b == self.counts)
        of_x = np.bincount(self.rows[alike], minlength=self.a.shape[0])
        of_y = np.bincount(self.cols[alike], minlength=self.b.shape[0])
        return bool(of_x.all() and of_y.all()
                    and (of_x[self.rows[alike]] == of_y[self.cols[alike]]).all())


# -- pairs of objects -----------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class CoverPairs(OfTables):
    """Pairs of distinct objects by the number of clusters that hold both.

    Attributes
    ----------
    n_pairs : int
    differ : int
        Pairs with different numbers in x and y.
    met : int
        Sum over numbers of the pairs of x times the pairs of y that have this number: divided by
        the square of `n_pairs`, the mean share of pairs with equal numbers over permutations of
        the objects.
    same : bool
        Whether x and y are equal covers; checked only where all pairs have the same number.
    """

    n_pairs: Any
    differ: Any
    met: Any
    same: bool

    @property
    def expected(self) -> float:
        """Mean share of pairs with equal numbers when the objects of a side are permuted."""
        return self.met / self.n_pairs**2

    @classmethod
    def of(cls, source: Source) -> CoverPairs:
        """Statistic of two covers."""
        if source.both_hard:
            p = source.statistic(PairCounts)
            return _of_counts(p.n_pairs, p.n10 + p.n01, [p.n_pairs - p.in_x, p.in_x],
                              [p.n_pairs - p.in_y, p.in_y], p.equal)
        visited = source.kept("pairs of covers", lambda: _visit_pairs(source.objects))
        n = source.n_objects
        pairs = n * (n - 1) // 2
        of_x, of_y = ([pairs - sum(counts), *counts] for counts in (visited.by_x, visited.by_y))
        same = max(of_x) == pairs and source.statistic(CoverOverlaps).same
        return _of_counts(pairs, visited.differ, of_x, of_y, same)


def _of_counts(pairs: Any, differ: Any, of_x: list[Any], of_y: list[Any], same: Any) -> CoverPairs:
    """Statistic of numbers of pairs by count 0, 1, ... of each side."""
    return CoverPairs(n_pairs=pairs, differ=differ, met=sum(p * q for p, q in zip(of_x, of_y)),
                      same=bool(same))


@dataclass(frozen=True, slots=True, kw_only=True)
class BCubed(Statistic):
    """Means of min(c_x, c_y)/c_x over the pairs of each object, c the clusters that hold both.

    Attributes
    ----------
    precision, recall : float
        Divided by c_x and by c_y, and averaged over the objects in some cluster of that side; an
        object pairs with itself too. nan without any object.
    same : bool
        Whether x and y are equal covers; checked only where one of these is nan.
    """

    precision: Any
    recall: Any
    same: bool

    @classmethod
    def of(cls, source: Source, *, weights: str = "size") -> BCubed:
        """Statistic of two covers; "equal" weights the clusters of y alike (hard sides)."""
        if source.both_hard:
            t = source.statistic(Contingency)
            squares, total = t.counts.astype(np.float64) ** 2, t.n
            if weights == "equal":
                squares, total = squares / t.b[t.cols], t.n_used[1]
            return cls(precision=float((squares / t.a[t.rows]).sum()) / total,
                       recall=float((squares / t.b[t.cols]).sum()) / total, same=False)
        if weights == "equal":
            raise ClusteringError('weights="equal" is for two hard clusterings; covers take '
                                  'weights="size"')
        visited = source.kept("pairs of covers", lambda: _visit_pairs(source.objects))
        means = [_mean(values, visited.counts) for values in (visited.precision, visited.recall)]
        same = bool(np.isnan(means).any()) and source.statistic(CoverOverlaps).same
        return cls(precision=means[0], recall=means[1], same=same)

    @classmethod
    def of_table_sums(cls, sums: TableSums, *, weights: str = "size") -> BCubed:
        """Statistic of sums over a table that was counted elsewhere."""
        if weights == "equal":
            raise ClusteringError('weights="equal" needs the contingency table, not sums over it')
        return cls(precision=sums.shares[0] / sums.n, recall=sums.shares[1] / sums.n, same=False)

    @classmethod
    def left_out(cls, source: Source, *, weights: str = "size") -> Replicates | None:
        """Without an object of each cell of two hard clusterings."""
        if not source.both_hard:
            return None
        return derived(cls, source.without_each(Contingency), weights=weights)

    @classmethod
    def left_out_groups(cls, source: Any, *, weights: str = "size") -> Replicates | None:
        """Without each group, of two hard clusterings. O(cells of all groups)."""
        if not source.both_hard or weights != "size":
            return None
        p, table, groups = source.parts, source.table, source.n_groups
        # What a group takes away from the squared cells of each of its clusters.
        lost = p.counts * (2.0 * source.counts - p.counts)
        means = []
        for side, sizes, of_cells, of_parts in (("x", table.a, table.rows, p.rows),
                                                ("y", table.b, table.cols, p.cols)):
            squares = np.bincount(of_cells, table.counts.astype(np.float64) ** 2, sizes.size)
            part, cluster, inside = source.margin(side)
            place = np.searchsorted(part * sizes.size + cluster,
                                    p.part * sizes.size + of_parts)
            rest = squares[cluster] - np.bincount(place, lost, part.size)
            others = sizes[cluster] - inside
            shares = squares / np.maximum(sizes, 1)
            change = np.where(others > 0, rest / np.maximum(others, 1), 0.0) - shares[cluster]
            means.append((shares.sum() + np.bincount(part, change, groups))
                         / (table.n - source.sizes))
        return Replicates(times=np.ones(groups, np.int64),
                          statistic=cls(precision=means[0], recall=means[1], same=False))


def _mean(values: np.ndarray, counts: np.ndarray) -> float:
    """Mean of the values that are defined, each counted `counts` times."""
    defined = ~np.isnan(values)
    total = int(counts[defined].sum())
    return float((values[defined] * counts[defined]).sum()) / total if total else float("nan")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Visited:
    """Result of a visit of all pairs: unordered pairs; values of rows and how often they occur."""

    differ: int
    by_x: list[int]
    by_y: list[int]
    precision: np.ndarray
    recall: np.ndarray
    counts: np.ndarray


def _visit_pairs(source: Any) -> _Visited:
    """Visit each pair of objects from both sides; many objects by their distinct rows."""
    from scipy.sparse import hstack
    kernels = _kernels.covers
    x, y = cover_of(source, "x"), cover_of(source, "y")
    copies = np.ones(x.n_objects, np.int64)
    if _visits(x, y) > _FEW:
        codes = coded_rows(*y.by_object, y.n_clusters, coded_rows(*x.by_object, x.n_clusters))
        _, first, copies = np.unique(codes, return_index=True, return_counts=True)
        x, y = x.subset(first), y.subset(first)
    n = copies.size
    units = -(-n // kernels.BLOCK)
    differ = np.zeros(units, np.int64)
    by_x, by_y = (np.zeros((units, 1 + int(z.multiplicity.max(initial=0))), np.int64)
                  for z in (x, y))
    precision, recall = np.empty((2, n))
    joint = hstack([x.membership, y.membership], format="csr", dtype=np.uint8)
    by_cluster = joint.tocsc()
    lists = [array.astype(np.int64) for array in (joint.indptr, joint.indices, by_cluster.indptr,
                                                  by_cluster.indices)]
    is_dense = (joint.nnz * _DENSE > np.prod(joint.shape)
                and max(by.shape[1] for by in (by_x, by_y)) <= 256)   # counts are of one byte
    dense = np.ascontiguousarray(joint.toarray().T) if is_dense else np.empty((0, 0), np.uint8)

    def work(start: int, stop: int) -> None:
        kernels.count_pairs(
            *lists, dense, np.int64(x.n_clusters), copies, start, stop, np.zeros((2, n), np.int32),
            np.zeros((2, dense.shape[1]), np.uint8), np.empty(n, np.int64),
            np.zeros((by_x.shape[1], by_y.shape[1]), np.int64), differ, by_x, by_y, precision,
            recall)

    run_chunks(work, units, max(1, int(units * _CHUNK / max(1, 4 * _visits(x, y)))))
    of_x, of_y = ([sum(column) // 2 for column in each.T[1:].tolist()] for each in (by_x, by_y))
    return _Visited(differ=sum(differ.tolist()) // 2, by_x=of_x, by_y=of_y, precision=precision,
                    recall=recall, counts=copies)


def _visits(x: CoverClustering, y: CoverClustering) -> int:
    """Visits of members of clusters."""
    return sum(exact_dot(z.sizes, z.sizes) for z in (x, y))
