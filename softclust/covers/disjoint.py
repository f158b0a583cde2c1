"""Overlaps of disjoint clusters, some objects in none, and their best one-to-one matching."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._checks import ClusteringError
from ..clusterings.arrays import components
from ..measures.statistic import Source, Statistic
from ..tables.contingency import Contingency, exact_squares
from ..tables.counting import exact_total
from ..tables.matching import matched_cells
from ..tables.pair_counts import PairCounts
from ..tables.sums import TableSums
from .cover_overlaps import CoverOverlaps, cover_of


@dataclass(frozen=True, slots=True, kw_only=True)
class DisjointOverlaps(Statistic):
    """Sizes of clusters, of all their objects, and the numbers of objects that they share.

    Attributes
    ----------
    n : int
        Number of objects, those in no cluster included.
    a, b : (r,), (s,) int64
        Sizes of the non-empty clusters.
    rows, cols, counts : (m,) int64
        Pairs of clusters that meet, and their common objects, row by row.
    self_weight : int or None
        Sum of the squared weights of the objects; None where each weighs 1.
    same : bool
        Whether x and y have the same clusters.
    """

    n: int
    a: np.ndarray
    b: np.ndarray
    rows: np.ndarray
    cols: np.ndarray
    counts: np.ndarray
    self_weight: int | None
    same: bool

    @classmethod
    def of(cls, source: Source) -> DisjointOverlaps:
        """Statistic of two hard clusterings, or of covers whose clusters are disjoint."""
        self_weight = source.statistic(Contingency).own_weight if source.both_hard else None
        if not source.both_hard:
            joint = source.objects
            for side in "xy":
                x = cover_of(joint, side)
                several = np.flatnonzero(x.multiplicity > 1)
                if several.size:
                    i = int(several[0])
                    called = i if x.object_names is None else x.object_names[i]
                    raise ClusteringError(
                        f"{side} has object {called!r} in {int(x.multiplicity[i])} clusters "
                        f"({several.size} objects are in several); disjoint clusters are needed "
                        "here. bcubed_index, omega_index and best_match_index take clusters that "
                        "overlap")
        overlaps = source.statistic(CoverOverlaps)
        return cls(n=overlaps.n, a=overlaps.a, b=overlaps.b, rows=overlaps.rows, cols=overlaps.cols,
                   counts=overlaps.counts, self_weight=self_weight, same=overlaps.same)

    @classmethod
    def of_labels(cls, x: np.ndarray, y: np.ndarray) -> DisjointOverlaps | None:
        """Statistic of two arrays of integers."""
        table = Contingency.of_labels(x, y)
        return None if table is None else cls.of(table)

    @classmethod
    def of_table_sums(cls, sums: TableSums) -> OverlapSums:
        """Sums over a table of two hard clusterings that was counted elsewhere."""
        return OverlapSums(sums)

    @property
    def n_cells(self) -> int:
        """Number of pairs of clusters that meet."""
        return self.counts.size

    @property
    def clusters(self) -> tuple[int, int]:
        """Numbers of clusters of x and y."""
        return self.a.size, self.b.size

    @property
    def equal(self) -> int:
        """Number of clusters that x and y have in common."""
        return int(((self.counts == self.a[self.rows]) & (self.counts == self.b[self.cols])).sum())

    @property
    def squares(self) -> tuple[int, ...]:
        """Sums of squares of the common objects, and of the sizes of the clusters of x and y."""
        return tuple(exact_squares(v, exact_total(v)) for v in (self.counts, self.a, self.b))

    @property
    def joined(self) -> tuple[int, ...]:
        """Pairs of distinct objects joined by both, by x, and by y."""
        return tuple(self.pairs(sizes) for sizes in (self.counts, self.a, self.b))

    @property
    def shared(self) -> int:
        """Objects in a cluster of both."""
        return exact_total(self.counts)

    @property
    def in_x(self) -> int:
        """Objects in a cluster of x."""
        return exact_total(self.a)

    @property
    def in_y(self) -> int:
        """Objects in a cluster of y."""
        return exact_total(self.b)

    def pairs(self, sizes: np.ndarray) -> int:
        """Pairs of distinct objects inside groups of these sizes."""
        total = exact_total(sizes)
        selves = total if self.self_weight is None else self.self_weight
        return (exact_squares(sizes, total) - selves) // 2

    def without_weights(self, what: str) -> DisjointOverlaps:
        """The statistic itself; raises where objects have weights."""
        if self.self_weight is not None:
            raise ClusteringError(f"{what} is not defined for weighted objects; count the objects "
                                  "without weights")
        return self


@dataclass(frozen=True, slots=True)
class OverlapSums:
    """The part of `DisjointOverlaps` that is known from sums over the table.

    Each number is looked up only when it is needed, because others may not have been added. `same`
    is None: for two hard clusterings it follows from the numbers.
    """

    sums: TableSums
    same = None

    @property
    def shared(self) -> Any:
        """Objects in a cluster of both: all."""
        return self.sums.n

    in_x = in_y = n = shared

    @property
    def n_cells(self) -> Any:
        """Number of pairs of clusters that meet."""
        return self.sums.cells

    @property
    def clusters(self) -> tuple[Any, Any]:
        """Numbers of clusters of x and y."""
        return self.sums.clusters

    @property
    def equal(self) -> Any:
        """Number of clusters that x and y have in common."""
        return self.sums.equal

    @property
    def squares(self) -> tuple[Any, ...]:
        """Sums of squares of the common objects, and of the sizes of the clusters of x and y."""
        return self.sums.squares

    @property
    def joined(self) -> tuple[Any, ...]:
        """Pairs of distinct objects joined by both, by x, and by y."""
        pairs = PairCounts.of_table_sums(self.sums)
        return pairs.n11, pairs.in_x, pairs.in_y

    @property
    def counts(self) -> Any:
        """The cells are not known from sums: raises ClusteringError."""
        raise ClusteringError("the contingency table is needed, and these are sums over it")

    a = b = counts

    def without_weights(self, what: str) -> OverlapSums:
        """The statistic itself."""
        return self


def best_cells(rows: np.ndarray, cols: np.ndarray, weights: Callable[[np.ndarray], np.ndarray]
               ) -> np.ndarray:
    """Positions of the cells of the heaviest one-to-one matching, ascending.

    ``weights(cells)`` gives the weights >= 0 of the cells of a component of the table: components
    are matched one by one.
    """
    if not rows.size:
        return np.zeros(0, np.int64)
    from scipy.sparse import coo_array
    r, s = int(rows.max()) + 1, int(cols.max()) + 1
    edges = coo_array((np.ones(rows.size, np.int8), (rows, r + cols)), shape=(r + s, r + s))
    part = components(edges)[1][rows]
    order = np.argsort(part, kind="stable")
    starts = np.flatnonzero(np.diff(part[order], prepend=-1))
    single = np.diff(starts, append=rows.size) == 1
    matched = [order[starts[single]]]
    for start, stop in zip(starts[~single], np.append(starts[1:], rows.size)[~single]):
        cells = order[start:stop]
        matched.append(cells[matched_cells(rows[cells], cols[cells], weights(cells))])
    return np.sort(np.concatenate(matched))


def expected_cells(o: DisjointOverlaps) -> float:
    """Mean number of non-zero cells when the objects of y are permuted."""
    from scipy.special import gammaln
    (a, times), (b, more) = (np.unique(v, return_counts=True) for v in (o.a, o.b))
    a, b = a[:, None], b[None, :]
    rest = o.n - a - b
    # C(n - a, b)/C(n, b), the chance that two clusters do not meet
    logs = (gammaln(o.n - a + 1) + gammaln(o.n - b + 1)
            - gammaln(o.n + 1) - gammaln(np.maximum(rest, 0) + 1))
    meet = np.where(rest < 0, 1.0, -np.expm1(logs))
    return float((times[:, None] * more * meet).sum())
