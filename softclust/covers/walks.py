"""Walks from an object to a cluster that holds it and on to an object of this cluster.

With A the weights of objects in clusters, R the rows of A and Q the rows of A' divided by their
sums, a walk stops after each step with probability 1 - d. Where it ends is p_i = R_i K Q with K =
(1 - d)(I - d Q R)^-1, a matrix of clusters by clusters; an object in no cluster stays where it is.
Objects with equal rows in both clusterings have the same values, so only distinct rows are visited.
On a partition p_i is uniform on the cluster of i, whatever d.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from .._checks import ClusteringError
from ..clusterings import Clustering
from ..clusterings.arrays import components
from ..clusterings.incidence import coded_rows
from ..measures.joint import Joint
from ..measures.statistic import Replicates, Source, Statistic
from ..running.threads import progress_bar, run_chunks
from ..tables.contingency import Contingency, OfTables, derived
from .cover_overlaps import CoverOverlaps

#: clusters of a component up to which its walks are solved as a dense system
MOST_DENSE = 2000
#: entries of the rows of a block
_BLOCK = 2_000_000
#: share of non-zero entries from which a matrix is kept dense
_DENSE = 0.1
#: up to this many entries a matrix is always dense
_SMALL = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ElementSimilarities(OfTables):
    """Similarities of two clusterings around the objects.

    Attributes
    ----------
    values : (g,) float64
        Similarity of the objects of each group, from 0 to 1.
    counts : (g,) int64
        Objects of each group.
    groups : (n,) int64 or None
        Group of each object; None for two hard clusterings, see `groups_of`.
    """

    resampled: ClassVar[Any] = None

    values: np.ndarray
    counts: np.ndarray
    groups: np.ndarray | None

    @property
    def mean(self) -> float:
        """Mean over the objects."""
        return float((self.values * self.counts).sum()) / int(self.counts.sum())

    @classmethod
    def of(cls, source: Source, *, damping: float = 0.9) -> ElementSimilarities:
        """Statistic of hard or fuzzy clusterings or covers."""
        if source.both_hard:
            table = source.statistic(Contingency)
            return cls(values=table.counts / np.maximum(table.a[table.rows], table.b[table.cols]),
                       counts=table.counts, groups=None)
        joint = source.objects
        groups = row_codes(joint.y, row_codes(joint.x))
        _, first, counts = np.unique(groups, return_index=True, return_counts=True)
        sides = [Walks.of(z.subset(first), counts, damping) for z in (joint.x, joint.y)]
        values = np.empty(counts.shape[0])

        def work(start: int, stop: int) -> None:
            apart = [side.rows(start, stop) for side in sides]
            gaps = (np.abs(apart[0] - apart[1]) * counts).sum(axis=1)
            # An object in no cluster stays: the entry of the object itself is 1.
            places = np.arange(start, stop)
            stays = [side.alone[places].astype(np.float64) for side in sides]
            at = [rows[places - start, places] for rows in apart]
            gaps += np.abs(at[0] + stays[0] - at[1] - stays[1]) - np.abs(at[0] - at[1])
            values[places] = 1.0 - gaps / 2.0

        width = counts.shape[0] + max(side.n_clusters for side in sides)
        step = max(1, _BLOCK // width)

        with progress_bar(None, "walks of objects") as report:
            run_chunks(work, counts.shape[0], step, progress=report)
        return cls(values=np.clip(values, 0.0, 1.0), counts=counts, groups=groups)


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectedSimilarity(Statistic):
    """The index of two hard clusterings, corrected for the bias of the larger cluster size.

    The larger of two sizes is on average too large where they are nearly equal. Their difference
    has about the variance of the number of objects that are in one of the clusters only, and
    this is taken from its square.

    Attributes
    ----------
    mean : float
        Corrected index.
    expected : float
        Mean of the index over permutations of the objects.
    """

    mean: float
    expected: float

    @property
    def adjusted(self) -> float:
        """(mean - expected)/(1 - expected); nan where the expected index is 1."""
        return (self.mean - self.expected) / (1.0 - self.expected) if self.expected < 1.0 else (
            float("nan"))

    @classmethod
    def of(cls, source: Source) -> CorrectedSimilarity:
        """Statistic of the table of two hard clusterings."""
        table = source.statistic(Contingency)
        a, b = table.a[table.rows].astype(np.float64), table.b[table.cols].astype(np.float64)
        gap = np.sqrt(np.maximum((a - b) ** 2 - (a + b - 2.0 * table.counts), 0.0))
        shares = table.counts.astype(np.float64) ** 2 / ((a + b + gap) / 2.0)
        return cls(mean=float(shares.sum()) / table.n, expected=_of_partitions(table))

    @classmethod
    def left_out(cls, source: Source) -> Replicates:
        """Without an object of each cell."""
        tables = source.without_each(Contingency)
        assert tables is not None
        return derived(cls, tables)


def groups_of(joint: Joint, similarities: ElementSimilarities) -> np.ndarray:
    """Group of each object; for two hard clusterings its cell of their table."""
    if similarities.groups is not None:
        return similarities.groups
    table, (x, y) = joint.statistic(Contingency), joint.codes
    return np.searchsorted(table.rows * table.s + table.cols, x.astype(np.int64) * table.s + y)


def row_codes(x: Clustering, codes: np.ndarray | None = None) -> np.ndarray:
    """Codes of objects, equal exactly for those with equal rows of x and equal `codes`."""
    if x.hard_codes is not None:
        rows_of = x.hard_codes.astype(np.int64)
    elif (places := x.by_object) is not None:
        return coded_rows(*places, x.n_clusters, codes)
    else:
        rows = np.ascontiguousarray(x.memberships() + 0.0)   # -0.0 is 0.0
        raw = rows.view(np.dtype((np.void, rows.dtype.itemsize * rows.shape[1])))
        rows_of = np.unique(raw.reshape(-1), return_inverse=True)[1].reshape(-1)
    if codes is not None:
        rows_of = codes * (int(rows_of.max()) + 1) + rows_of
    return np.unique(rows_of, return_inverse=True)[1].reshape(-1)


def weights_of(x: Clustering) -> Any:
    """Weights of objects in clusters as floats, (n, c): sparse where most are 0."""
    from scipy.sparse import csr_array
    small = x.n_objects * x.n_clusters <= _SMALL
    if (places := x.by_object) is None:
        membership = x.memberships()
        full = small or np.count_nonzero(membership) > _DENSE * membership.size
        return membership if full else csr_array(membership)
    starts, columns = places
    matrix = csr_array((np.ones(columns.size), columns, starts),
                       shape=(x.n_objects, x.n_clusters))
    return matrix.toarray() if small else matrix


@dataclass(frozen=True, slots=True, kw_only=True)
class Walks:
    """End points of walks from g groups of objects, in each object of each group.

    Attributes
    ----------
    first : (g, c)
        R K in parts: the clusters of the last step, for all groups, or R where `solve` is given.
    last : (c, g)
        Q: share of an object of each group in each cluster.
    solve : callable or None
        Multiplies rows (b, c) by K.
    alone : (g,) bool
        Objects in no cluster.
    """

    first: Any
    last: Any
    solve: Any
    alone: np.ndarray
    n_clusters: int

    @classmethod
    def of(cls, x: Clustering, counts: np.ndarray, damping: float) -> Walks:
        """Statistic of a clustering of one object of each group and the sizes of the groups."""
        weights = weights_of(x)
        sizes = np.asarray(counts @ weights).reshape(-1)
        used = sizes > 0.0
        if not used.all():
            weights = weights[:, np.flatnonzero(used)]
            sizes = sizes[used]
        totals = np.asarray(weights.sum(axis=1)).reshape(-1)
        alone = totals <= 0.0
        r = _scaled(weights, 1.0 / np.where(alone, 1.0, totals))
        q = _scaled(weights.T, 1.0 / sizes) if sizes.size else weights.T
        step = q @ _scaled(r, counts.astype(np.float64))
        return cls(first=r, last=q, solve=_Stops.of(step, damping) if sizes.size else None,
                   alone=alone, n_clusters=int(sizes.shape[0]))

    def rows(self, start: int, stop: int) -> np.ndarray:
        """Probabilities to end in one object of each group, (b, g); 0 from isolated objects."""
        if self.solve is None:
            return np.zeros((stop - start, self.alone.shape[0]))
        ends = self.solve(_dense(self.first[start:stop]))
        if isinstance(self.last, np.ndarray):
            return ends @ self.last
        return np.ascontiguousarray((self.last.T @ ends.T).T)


def _scaled(matrix: Any, factors: np.ndarray) -> Any:
    """Rows times factors."""
    if isinstance(matrix, np.ndarray):
        return matrix * factors[:, None]
    from scipy.sparse import csr_array
    rows = csr_array(matrix)
    return csr_array((rows.data * np.repeat(factors, np.diff(rows.indptr)), rows.indices,
                      rows.indptr), shape=rows.shape)


def _dense(matrix: Any) -> np.ndarray:
    return matrix if isinstance(matrix, np.ndarray) else matrix.toarray()


@dataclass(frozen=True, slots=True)
class _Stops:
    """Multiplies rows by K = (1 - d)(I - d S)^-1, S the steps between clusters, by components."""

    small: Any
    large: list[tuple[np.ndarray, Any]]
    damping: float

    @classmethod
    def of(cls, step: Any, damping: float) -> _Stops:
        """K of the steps (c, c) between clusters; that of small components is kept as a matrix."""
        from scipy.sparse import csr_array, eye_array
        from scipy.sparse.linalg import splu
        c = step.shape[0]
        if isinstance(step, np.ndarray) and c * c <= _SMALL:
            return cls((1.0 - damping) * np.linalg.inv(np.eye(c) - damping * step), [], damping)
        steps = csr_array(step)
        number, part = components(steps)
        order, many = np.argsort(part, kind="stable"), np.bincount(part, minlength=number)
        single = many[part] == 1
        # A cluster that meets no other one: its walks stay in it.
        places = [np.flatnonzero(single)]
        rows, cols, data = list(places), list(places), [np.ones(places[0].shape[0])]
        large = []
        for members in np.split(order, np.cumsum(many)[:-1]):
            if members.shape[0] == 1:
                continue
            inside = steps[members][:, members]
            if members.shape[0] > MOST_DENSE:
                matrix = (eye_array(members.shape[0]) - damping * inside).tocsc()
                large.append((members, splu(matrix)))
                continue
            block = (1.0 - damping) * np.linalg.inv(
                np.eye(members.shape[0]) - damping * inside.toarray())
            rows.append(np.repeat(members, members.shape[0]))
            cols.append(np.tile(members, members.shape[0]))
            data.append(block.reshape(-1))
        small = csr_array((np.concatenate(data), (np.concatenate(rows), np.concatenate(cols))),
                         shape=(c, c))
        # dense where it is small or has many entries
        if c * c <= _SMALL or small.nnz > _DENSE * (c * c):
            return cls(small.toarray(), large, damping)
        return cls(small, large, damping)

    def __call__(self, rows: np.ndarray) -> np.ndarray:
        if isinstance(self.small, np.ndarray):
            ends = rows @ self.small
        else:
            ends = np.ascontiguousarray((self.small.T @ rows.T).T)
        for members, factors in self.large:
            solved = factors.solve(np.ascontiguousarray(rows[:, members].T), trans="T")
            ends[:, members] = (1.0 - self.damping) * solved.T
        return ends


# -- chance ---------------------------------------------------------------------------------------
def expected_similarity(source: Source, damping: float, max_pairs: float, measure: str) -> float:
    """Mean of the index over all permutations of the objects of one side.

    Over them each diagonal entry of the walks of x meets each one of y, and each entry off the
    diagonal each other one.
    """
    key = "expected element-centric", damping
    if key in source.memory:
        return source.memory[key]
    if source.both_hard:
        source.memory[key] = _of_partitions(source.statistic(Contingency))
        return source.memory[key]
    joint, n = source.objects, source.n_objects
    for name, z in (("x", joint.x), ("y", joint.y)):
        entries = entries_of(joint, name)
        if entries > max_pairs:
            raise ClusteringError(
                f"{measure} sorts {entries} numbers of {name} ({z.kind}) for the exact "
                f"expectation; max_pairs is {max_pairs:g}: raise it, or take "
                "element_centric_index, and chance(...) for an estimate of its mean")
    sides = [joint.of_side(name, ("ends of walks", damping), lambda z: _values(z, damping))
             for name in ("x", "y")]
    stays = _mean_gap(sides[0][0], sides[1][0])
    others = _mean_gap(sides[0][1], sides[1][1])
    source.memory[key] = 1.0 - (stays + (n - 1) * others) / 2.0
    return source.memory[key]


def same_clusters(source: Source) -> bool:
    """Test whether both sides are equal except for names, order and empty clusters."""
    if source.both_hard:
        return source.statistic(Contingency).same_partition
    if "fuzzy" not in source.kinds:
        return source.statistic(CoverOverlaps).same
    columns = []
    for z in (source.objects.x, source.objects.y):
        weights = _dense(weights_of(z)).T
        used = weights[weights.any(axis=1)]
        columns.append(used[np.lexsort(used.T[::-1])])
    return np.array_equal(columns[0], columns[1])


def entries_of(joint: Any, name: str) -> int:
    """Number of entries of walks that are sorted for a side; 0 for a hard clustering."""
    side = joint.x if name == "x" else joint.y
    if side.hard_codes is not None:
        return 0
    return int(joint.of_side(name, "distinct rows", row_codes).max() + 1) ** 2


def _of_partitions(table: Contingency) -> float:
    """Expected similarity of two partitions, in O(products of distinct sizes)."""
    n = table.n
    a, of_a = np.unique(table.a[table.a > 0], return_counts=True)
    b, of_b = np.unique(table.b[table.b > 0], return_counts=True)
    u, v = a.astype(np.float64)[:, None], b.astype(np.float64)[None]
    # a b / max(a, b) is the smaller one.
    pairs = np.minimum(u, v) * (1.0 + (u - 1.0) * (v - 1.0) / (n - 1)) / n
    return float((pairs * of_a[:, None] * of_b[None]).sum()) / n


Weighted = tuple[np.ndarray, np.ndarray]


def _values(x: Clustering, damping: float) -> tuple[Weighted, Weighted]:
    """Distinct entries of the walks on the diagonal and off it, and how often each occurs."""
    n = x.n_objects
    if x.hard_codes is not None:
        sizes = np.bincount(x.hard_codes)
        sizes, many = np.unique(sizes[sizes > 0], return_counts=True)
        inside = many * sizes * (sizes - 1)
        return ((1.0 / sizes, (many * sizes).astype(np.float64)),
                (np.append(1.0 / sizes, 0.0),
                 np.append(inside, n * (n - 1) - inside.sum()).astype(np.float64)))
    codes = row_codes(x)
    _, first, counts = np.unique(codes, return_index=True, return_counts=True)
    walks = Walks.of(x.subset(first), counts, damping)
    g = counts.shape[0]
    step = max(1, _BLOCK // (g + walks.n_clusters))
    diagonal, parts = np.empty(g), []
    for start in range(0, g, step):
        stop = min(start + step, g)
        rows, at = walks.rows(start, stop), np.arange(start, stop)
        pairs = counts[at, None] * counts[None].astype(np.float64)
        pairs[at - start, at] -= counts[at]
        diagonal[at] = rows[at - start, at]
        parts.append(_summed(rows.reshape(-1), pairs.reshape(-1)))
    diagonal[walks.alone] = 1.0
    others = (_summed(np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts]))
              if len(parts) > 1 else parts[0])
    return _summed(diagonal, counts.astype(np.float64)), others


def _summed(values: np.ndarray, counts: np.ndarray) -> Weighted:
    """Distinct values, ascending, with the sums of their counts."""
    distinct, places = np.unique(values, return_inverse=True)
    return distinct, np.bincount(places.reshape(-1), weights=counts, minlength=distinct.shape[0])


def _mean_gap(x: Weighted, y: Weighted) -> float:
    """Mean of |u - v| over all u of x and v of y: the area between their distributions."""
    values = np.concatenate([x[0], y[0]])
    order = np.argsort(values, kind="stable")
    split = x[0].shape[0]
    of_x, of_y = np.zeros((2, values.shape[0]))
    of_x[:split], of_y[split:] = x[1], y[1]
    # Counts are whole numbers, so their sums are exact.
    low_x, low_y = (np.cumsum(w[order])[:-1] / w.sum() for w in (of_x, of_y))
    gaps = np.diff(values[order])
    return float((gaps * (low_x * (1.0 - low_y) + low_y * (1.0 - low_x))).sum())
