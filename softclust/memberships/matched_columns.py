"""Statistics of matched clusters: columns of memberships, and costs between single clusters."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from .._checks import ClusteringError, read_only
from ..clusterings import Clustering
from ..clusterings.focal import MassTable
from ..measures.resamples import MOST_KEPT, Draws
from ..measures.statistic import Replicates, Statistic, interpolated
from ..running.threads import run_chunks
from ..tables.contingency import Contingency, derived
from ..tables.matching import MatchedObjects
from ..tables.pair_counts import PairCounts
from . import _kernels

#: largest table of costs
MAX_BYTES = 1 << 32
#: costs of objects that are held at a time
CELLS = 1 << 17


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


# -- costs between single clusters ------------------------------------------------------------
def _sparse(table: MassTable) -> tuple[np.ndarray, ...]:
    """Masses, sets as lists of clusters, and non-empty masses, as the kernel takes them."""
    sets = table.sets
    starts = np.concatenate([[0], np.cumsum(sets.sum(axis=1))]).astype(np.int64)
    return (read_only(table.mass), read_only(table.index), starts,
            np.nonzero(sets)[1].astype(np.int64), read_only(table.nonempty))


def cluster_forms(first: MassTable, second: MassTable, c: int) -> np.ndarray:
    """r between cluster k of x and l of y at alpha 0, 1/2, 1, of each object: (n, 3, c, c)."""
    n = first.mass.shape[0]
    out = np.zeros((n, 3, c, c))
    _kernels.restrictions.add_costs(*_sparse(first), *_sparse(second), 0, n, True, out)
    return out


def restriction_costs(x: Clustering, y: Clustering) -> np.ndarray:
    """W[q, k, l], (3, c, c): sum over objects of r between cluster k of x and l of y.

    q = 0, 1, 2 for alpha 0, 1/2, 1; c = max(c1, c2), missing clusters are empty.
    Time O(n (f c + c^2)), memory O(c^2).
    """
    c = max(x.n_clusters, y.n_clusters)
    if 72 * c * c > MAX_BYTES:
        raise ClusteringError(f"{c} clusters make {c * c:.3g} costs for each alpha, more than "
                              f"{MAX_BYTES / 1e9:.3g} GB allow: merge or drop clusters first")
    n, sides = x.n_objects, [*_sparse(x.mass_table()), *_sparse(y.mass_table())]
    # Blocks are added in their order, and kept: few enough that memory does not grow with n.
    step = max(1, CELLS // (c * c), -(-n // max(1, (1 << 22) // (24 * c * c))))
    out = np.zeros((-(-n // step), 1, 3, c, c))

    def work(first: int, last: int) -> None:
        for block in range(first, last):
            _kernels.restrictions.add_costs(*sides, block * step, min(n, (block + 1) * step),
                                            False, out[block])

    run_chunks(work, len(out), 1)
    return np.asarray(out.sum(axis=(0, 1)))


# -- the cheapest one-to-one matching of clusters, where ambiguity costs alpha --------------------
#: largest table of costs of every object
MOST_NUMBERS = 1 << 25
#: objects whose costs are held at a time
ROWS = 1 << 14
#: objects up to which equally good matchings of clusters are told apart by the solver, object by
#: object; beyond it they count as one, which may change the last bit of a sum
ONE_BY_ONE = 5_000
_TOO_MANY = "there are too many objects and clusters to keep the costs of every object"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MatchingCosts(Statistic):
    """Costs between single clusters, summed over objects.

    Attributes
    ----------
    costs : ndarray, shape (3, c, c) or (R, 3, c, c), or None
        Cost of cluster k of x for cluster l of y at alpha 0, 1/2, 1; c the larger number of
        clusters. None for two hard clusterings.
    lowest : int or None
        The cheapest matching of two hard clusterings: the same for every alpha.
    n_objects : int
    """

    costs: np.ndarray | None = None
    lowest: int | None = None
    n_objects: int

    def matched(self, alpha: float) -> Any:
        """Cost of the cheapest one-to-one matching at `alpha`; an array for replicates."""
        if self.lowest is not None:
            return self.lowest
        assert self.costs is not None
        costs = at_alpha(self.costs, alpha)
        if costs.ndim == 2:
            return _cheapest(costs)
        return np.array([_cheapest(each) for each in costs])

    @classmethod
    def of(cls, source: Any) -> MatchingCosts:
        """Statistic of a pair of clusterings; of two hard ones from the table of counts."""
        if source.both_hard:
            matched = source.statistic(MatchedObjects)
            return cls(lowest=2 * matched.moved, n_objects=matched.n)
        pair = source.objects
        return cls(costs=pair.restriction_costs, n_objects=pair.n_objects)

    @classmethod
    def left_out(cls, source: Any) -> Replicates:
        """Without each object in turn."""
        if source.both_hard:
            return derived(cls, source.without_each(Contingency))
        pair, n = source.objects, source.n_objects
        if object_size(pair.x, pair.y) > MOST_NUMBERS // max(1, min(n, ROWS)):
            return Replicates.none(_TOO_MANY)
        return Replicates(times=np.ones(n, np.int64),
                          statistic=_LeftOut(pair=pair, all_objects=source.statistic(cls)))

    @classmethod
    def resampled(cls, source: Any, draws: Draws) -> Replicates:
        """Statistic of objects drawn again."""
        if source.both_hard:
            return derived(cls, source.redrawn(Contingency, draws))
        pair, n = source.objects, source.n_objects
        size = object_size(pair.x, pair.y)
        if n * size > MOST_NUMBERS or draws.count * size > MOST_KEPT:
            return Replicates.none(_TOO_MANY)
        shape = source.statistic(cls).costs.shape
        sums = draws.sums(object_costs(pair.x, pair.y)).reshape(draws.count, *shape)
        return Replicates(times=np.ones(draws.count, np.int64),
                          statistic=cls(costs=sums, n_objects=draws.n_objects))


def at_alpha(costs: np.ndarray, alpha: float) -> np.ndarray:
    """Costs interpolated between alpha 0, 1/2 and 1, given along axis -3.

    Costs are interpolated, not their optimum: the best matching depends on alpha.
    """
    r0, half, r1 = np.moveaxis(costs, -3, 0)
    return interpolated(r0, half, r1, alpha)


def _cheapest(costs: np.ndarray) -> float:
    from scipy.optimize import linear_sum_assignment
    rows, columns = linear_sum_assignment(costs)
    return float(costs[rows, columns].sum())


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _LeftOut:
    """`MatchingCosts` without each object; nothing of size n c^2 is kept.

    One object moves the cost of a matching by little. Where the best matching of all objects is
    better than every other by more than that, it is the best without the object, too; elsewhere
    it is computed again.
    """

    pair: Any
    all_objects: MatchingCosts
    n_objects: int = field(init=False)
    #: costs, by alpha
    known: dict[float, np.ndarray] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "n_objects", self.pair.n_objects - 1)

    def matched(self, alpha: float) -> np.ndarray:
        """Cost of the cheapest matching without each object, (n,)."""
        if alpha not in self.known:
            # The costs of objects are formed once for the values of alpha that are used most.
            wanted = (0.0, 0.5, 1.0) if alpha in (0.0, 0.5, 1.0) else (alpha,)
            self.known.update(zip(wanted, self._matched(wanted)))
        return self.known[alpha]

    def _matched(self, alphas: tuple[float, ...]) -> np.ndarray:
        from scipy.optimize import linear_sum_assignment
        pair, n, sums = self.pair, self.pair.n_objects, self.all_objects.costs
        assert sums is not None
        out, gain = np.empty((2, len(alphas), n))
        totals = [at_alpha(sums, alpha) for alpha in alphas]
        columns = np.array([linear_sum_assignment(total)[1] for total in totals])
        r0, half, r1 = np.eye(3)
        weights = np.array([interpolated(r0, half, r1, alpha) for alpha in alphas])
        tables, c = (pair.x.mass_table(), pair.y.mass_table()), sums.shape[1]
        place, step = np.arange(c), max(1, CELLS // (c * c))

        def work(start: int, stop: int) -> None:
            part = slice(start, stop)
            costs = cluster_forms(tables[0].part(part), tables[1].part(part), c)
            left = np.maximum(sums - costs, 0.0)
            for a, chosen in enumerate(columns):
                value = np.einsum("q,mqkl->mkl", weights[a], costs)
                gain[a, part] = (value.max(axis=2) - value[:, place, chosen]).sum(axis=1)
                out[a, part] = left[:, :, place, chosen].sum(axis=2) @ weights[a]

        run_chunks(work, n, step)
        for total, chosen, alpha, values, gains in zip(totals, columns, alphas, out, gain):
            lead = _lead(pair, total, chosen) - 1e-9 * max(1.0, float(total.max()))
            again = np.flatnonzero(lead <= gains)
            for start in range(0, again.size, ROWS):
                objects = again[start:start + ROWS]
                some = pair.subset(objects)
                every = object_costs(some.x, some.y).reshape(-1, *sums.shape)
                left = at_alpha(np.maximum(sums - every, 0.0), alpha)
                values[objects] = [_cheapest(costs) for costs in left]
        return out


def _lead(pair: Any, total: np.ndarray, columns: np.ndarray) -> float:
    """Difference between the costs of the best and the second best matching.

    The side with fewer clusters has empty ones, which are alike: matchings that only exchange
    them cost the same whatever object is left out. For many objects they count as one matching.
    """
    from scipy.optimize import linear_sum_assignment
    c = columns.size
    best = float(total[np.arange(c), columns].sum())
    alike = [np.arange(c), np.arange(c)]
    if pair.n_objects > ONE_BY_ONE:
        for same, clusters in zip(alike, pair.n_clusters):
            same[clusters:] = c
    forbidden, lead = float(total.sum()) + 1.0, np.inf
    for row, column in enumerate(columns):
        changed = total.copy()
        changed[np.ix_(alike[0] == alike[0][row], alike[1] == alike[1][column])] = forbidden
        other = float(changed[linear_sum_assignment(changed)].sum())
        if other < forbidden:
            lead = min(lead, other - best)
    return lead


def object_size(x: Clustering, y: Clustering) -> int:
    """Numbers of one object in `object_costs`."""
    return 3 * max(x.n_clusters, y.n_clusters) ** 2


def object_costs(x: Clustering, y: Clustering) -> np.ndarray:
    """Costs between single clusters, by object, (n, 3 c c)."""
    n, c = x.n_objects, max(x.n_clusters, y.n_clusters)
    first, second = x.mass_table(), y.mass_table()
    out = np.empty((n, 3 * c * c))
    step = max(1, CELLS // (c * c))

    def work(start: int, stop: int) -> None:
        part = slice(start, stop)
        out[part] = cluster_forms(first.part(part), second.part(part), c).reshape(stop - start, -1)

    run_chunks(work, n, step)
    return out
