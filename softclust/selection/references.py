"""Reference data without clusters: each cluster of a clustering replaced by one of its own spread.

The one null of the package for "is there more than this?": the test of clusters and replication in
other data draw from it. Theory: docs/theory/evidence.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from .._checks import ClusteringError, check_choice, frozen
from .._types import RNG, ArrayLike
from ..clusterings.object_table import as_objects
from ..clusterings.objects import ordered
from ..results.text import position
from ..running.random_numbers import as_generator

#: shapes of a reference cluster
SHAPES = ("uniform", "gaussian")
#: most features: covariances and their eigenvectors are computed
MAX_FEATURES = 2000
#: values are whole multiples of their unit within this share of it
_MULTIPLE = 1e-6
#: eigenvalues that differ by less than this share, squared, are equal
_SPHERE = 1e-12
#: share of rows that may repeat
_REPEATED = 0.05
#: largest share of distinct values of a feature with levels
_LEVELS = 1 / 3
#: fewest levels with uneven gaps, and share of objects at levels far from others
_FEW_LEVELS, _ALONE = 5, 0.4
#: indicators of a category above this many standard deviations of the numbers look like clusters
_HEAVY = 1.2


def units_of(x: np.ndarray) -> np.ndarray:
    """The unit in which each feature is recorded, (d,); 0 for none.

    A feature with ties has a unit if all its values are whole multiples, counted from the least, of
    the smallest gap between them.
    """
    units = np.zeros(x.shape[1])
    for j, column in enumerate(x.T):
        values = np.unique(column)
        if 1 < values.size < column.size:
            gap = float(np.diff(values).min())
            steps = (values - values[0]) / gap
            if (np.abs(steps - np.rint(steps)) <= _MULTIPLE).all():
                units[j] = gap
    return units


def untied(x: np.ndarray, seed: np.random.SeedSequence
           ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Data without ties at levels, the units of the other features, and which have levels.

    Levels are few values that are no multiples of a unit, such as logarithms of counts: one that
    repeats gets noise up to the middle between it and its neighbours.
    """
    units, levels, rng = units_of(x), np.zeros(x.shape[1], np.bool_), np.random.default_rng(seed)
    for j in np.flatnonzero(units == 0.0):
        values, codes, counts = np.unique(x[:, j], return_inverse=True, return_counts=True)
        if 1 < values.size <= _LEVELS * codes.size:
            x, levels[j], gaps = x if levels.any() else x.copy(), True, np.diff(values)
            way = rng.uniform(-0.5, 0.5, codes.size)
            step = np.where(way < 0, np.append(gaps[0], gaps)[codes],
                            np.append(gaps, gaps[-1])[codes])
            x[:, j] += np.where(counts[codes] > 1, way * step, 0.0)
    return x, units, levels


def with_unit_noise(x: np.ndarray, units: np.ndarray, seed: np.random.SeedSequence) -> np.ndarray:
    """Data with uniform noise of one unit in the features that have a unit."""
    if not units.any():
        return x
    return np.asarray(x + np.random.default_rng(seed).uniform(-0.5, 0.5, x.shape) * units)


def copies(x: np.ndarray, recorded: np.ndarray) -> int:
    """Number of rows that repeat others, if chance does not explain it; else 0.

    Where all features are `recorded` in units or levels, rows coincide: as often as in normal data
    of the same rank correlations and the same values. Features of two values count as one.
    """
    rows = x.shape[0]
    repeated = rows - np.unique(x, axis=0).shape[0]
    if repeated <= _REPEATED * rows:
        return 0
    if recorded.all():
        from scipy.special import ndtr, ndtri
        from scipy.stats import rankdata
        codes = [np.unique(column, return_inverse=True)[1].reshape(-1) for column in x.T]
        two = np.array([each.max() == 1 for each in codes])
        codes = [each for each in codes if each.max() > 1]
        if two.any():
            codes.append(np.unique(x[:, two], axis=0, return_inverse=True)[1].reshape(-1))
        if len(codes) < 2:
            return 0
        scores = ndtri(np.array([rankdata(each) for each in codes]) / (rows + 1))
        drawn = ndtr(np.random.default_rng(0).multivariate_normal(
            np.zeros(len(codes)), np.corrcoef(scores), rows, method="eigh"))
        same = np.array([np.sort(each)[(share * rows).astype(np.int64).clip(0, rows - 1)]
                         for each, share in zip(codes, drawn.T)])
        if repeated <= 2 * (rows - np.unique(same, axis=1).shape[1]) + _REPEATED * rows:
            return 0
    return int(repeated)


def _category(x: np.ndarray, units: np.ndarray) -> int | None:
    """The first indicator of a category that is too heavy for the test, or None.

    Indicators are neighbouring columns of two values of which one is the larger in each row.
    """
    inside, start, total = np.zeros(x.shape[1], np.bool_), 0, np.zeros(x.shape[0], np.int64)
    for j, column in enumerate(x.T):
        high = (column > column.min()).astype(np.int64)
        two = units[j] > 0 and np.ptp(column) <= 1.5 * units[j]
        total = total + high
        if not two or total.max() > 1:   # no indicator, or the first of another category
            start, total = (j, high) if two else (j + 1, 0 * high)
        elif total.min() == 1 and j > start:
            inside[start:j + 1], start, total = True, j + 1, 0 * high
    rest = x[:, ~inside].std(axis=0).max(initial=0.0)
    heavy = np.flatnonzero(inside & (units > _HEAVY * rest))
    return int(heavy[0]) if heavy.size else None


def _uneven(x: np.ndarray, units: np.ndarray, levels: np.ndarray) -> int | None:
    """The first feature with few levels of which many are far from the next one, or None."""
    for j in np.flatnonzero((units > 0.0) | levels):
        values, counts = np.unique(x[:, j], return_counts=True)
        gaps = np.diff(values)
        wide = gaps > (2.5 * units[j] if units[j] > 0.0 else 4.0 * gaps.min())
        alone = counts[np.append(True, wide) & np.append(wide, True)].sum()
        if wide.any() and (values.size < _FEW_LEVELS or (
                units[j] > 0.0 and values.size <= _LEVELS * len(x) and alone >= _ALONE * len(x))):
            return int(j)
    return None


def cautions(x: np.ndarray, units: np.ndarray, levels: np.ndarray, reference: str, n: int
             ) -> Iterator[tuple[str, bool]]:
    """Notes on what limits a test of n objects against references; True: on what makes it wrong."""
    recorded = int(np.count_nonzero(units))
    for count, what in ((recorded, "recorded in units; noise of one unit was added"),
                        (int(levels.sum()), "recorded at a few levels; noise up to halfway to the "
                                            "next level was added")):
        if count:
            yield f"1 feature is {what}" if count == 1 else f"{count} features are {what}", False
    if (column := _uneven(x, units, levels)) is not None:
        yield (f"feature {position(column)} has few levels with wide gaps between, which look like "
               "clusters and make p too small; number the levels, or test the other features by "
               "themselves"), True
    if repeated := copies(x, (units > 0) | levels):
        yield (f"{repeated} of {x.shape[0]} rows repeat others: copies are no evidence and make p "
               "too small; drop them"), True
    if (column := _category(x, units)) is not None:
        yield (f"feature {position(column)} is an indicator of a category that weighs more than "
               "the numbers: categories are clusters by themselves and make p too small; give "
               "indicators of 0 and 1 beside numbers of standard deviation 1, or test the numbers "
               "by themselves"), True
    if reference == "gaussian":
        if (units > x.std(axis=0)).any():
            yield ("the unit of a feature exceeds its standard deviation, where the Gaussian "
                   "reference rejects too often; use 'uniform'"), True
        if n < 10 * units.size:
            yield ("with fewer than 10 objects per feature the level of the Gaussian reference is "
                   "less certain; 'uniform' is safer"), False


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterShape:
    """Mean and spread of one cluster.

    Attributes
    ----------
    rows : (n_g,) int64
        Its objects.
    mean : (d,) float64
    variances : (d,) float64, falling
        Eigenvalues of the covariance, shrunk towards their mean.
    vectors : (d, d) float64
        Eigenvectors as columns.
    shrinkage : float
        Share f in [0, 1] of the spread of the eigenvalues that is kept.
    """

    rows: np.ndarray
    mean: np.ndarray
    variances: np.ndarray
    vectors: np.ndarray
    shrinkage: float

    @classmethod
    def of(cls, x: np.ndarray, rows: np.ndarray, units: np.ndarray) -> ClusterShape:
        """Shape of the objects `rows` of x, recorded in these units."""
        d, n = x.shape[1], rows.size
        mean = x[rows].mean(axis=0)
        if n == 1:   # the object itself
            return cls(rows=rows, mean=mean, variances=np.zeros(d), vectors=np.eye(d),
                       shrinkage=0.0)
        moved = x[rows] - mean
        values, vectors = np.linalg.eigh(moved.T @ moved / (n - 1) + np.diag(units**2 / 12))
        values, vectors = np.maximum(values[::-1], 0.0), vectors[:, ::-1]
        kept = shrinkage(values, n)
        center = values.mean()
        return cls(rows=rows, mean=mean, variances=center + kept * (values - center),
                   vectors=vectors, shrinkage=kept)

    def draw(self, shape: str, rng: np.random.Generator) -> np.ndarray:
        """As many points as the cluster has objects, (n_g, d)."""
        size = self.rows.size, self.mean.size
        z = rng.standard_normal(size) if shape == "gaussian" else rng.uniform(
            -np.sqrt(3.0), np.sqrt(3.0), size)
        return np.asarray(self.mean + (z * np.sqrt(self.variances)) @ self.vectors.T)


def shrinkage(values: np.ndarray, n: int) -> float:
    """Share of the spread of sample eigenvalues that is not noise (Srivastava 2005)."""
    q, d = n - 1, values.size
    values = np.ldexp(values, -np.frexp(values.max())[1])   # whose squares are finite
    squares, square = float((values**2).mean()), float(values.mean()) ** 2
    if q < 2 or squares - square <= _SPHERE * square:
        return 0.0
    unbiased = q * q / ((q - 1) * (q + 2)) * (squares - d * square / q)
    return float(np.sqrt(min(1.0, max(0.0, (unbiased - square) / (squares - square)))))


@dataclass(frozen=True, slots=True, kw_only=True)
class References:
    """Draws data sets in which each cluster is one flat or Gaussian cluster.

    Attributes
    ----------
    shape : {"uniform", "gaussian"}
    clusters : tuple of ClusterShape
    """

    shape: str
    clusters: tuple[ClusterShape, ...]

    @classmethod
    def of(cls, x: np.ndarray, labels: np.ndarray, shape: str, units: np.ndarray) -> References:
        """References of checked data with a cluster for every object."""
        order = np.argsort(labels, kind="stable")
        groups = np.split(order, np.flatnonzero(np.diff(labels[order])) + 1)
        return cls(shape=shape, clusters=tuple(ClusterShape.of(x, rows, units) for rows in groups))

    def draw(self, rng: np.random.Generator) -> np.ndarray:
        """One data set, (n, d)."""
        n = sum(cluster.rows.size for cluster in self.clusters)
        x = np.empty((n, self.clusters[0].mean.size))
        for cluster in self.clusters:
            x[cluster.rows] = cluster.draw(self.shape, rng)
        return x


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceSets:
    """Reference sets of one step, made when they are needed.

    Attributes
    ----------
    seed : SeedSequence
        Of the step.
    references : References or None
    function : callable or None
        Of (x, labels, rng).
    given : (B, n, d) or None
    """

    seed: np.random.SeedSequence
    x: np.ndarray
    labels: np.ndarray
    references: References | None = None
    function: Any = None
    given: np.ndarray | None = None

    def child(self, *key: int) -> np.random.SeedSequence:
        """Seed of a reference, or of a fit to it."""
        return np.random.SeedSequence(self.seed.entropy, pool_size=self.seed.pool_size,
                                      spawn_key=(*self.seed.spawn_key, *key))

    def make(self, b: int) -> np.ndarray:
        """Reference b, (n, d)."""
        if self.given is not None:
            return self.given[b]
        rng = np.random.default_rng(self.child(b))
        if self.references is not None:
            return self.references.draw(rng)
        made = np.asarray(self.function(self.x, self.labels, rng), dtype=np.float64)
        if made.shape != self.x.shape or not np.isfinite(made).all():
            raise ClusteringError(f"reference {b} has shape {made.shape} or entries that are not "
                                  f"finite; {self.x.shape} finite numbers are needed")
        return made


def draw_references(X: ArrayLike, labels: ArrayLike | None = None, *, n_references: int = 1,
                    shape: Literal["uniform", "gaussian"] = "uniform", rng: RNG = None
                    ) -> np.ndarray:
    r"""Draw data sets that have no more clusters than a clustering has.

    Parameters
    ----------
    X : array-like, shape (n, d)
        Finite numbers, at most 2,000 features.
    labels : array-like, shape (n,), optional
        A cluster for every object; by default all are in one.
    n_references : int
        Number of data sets B.
    shape : {"uniform", "gaussian"}
        Each cluster is uniform on a box along its principal axes, or Gaussian.
    rng : None, int or Generator, optional

    Returns
    -------
    ndarray, shape (B, n, d)
        Row i of each set belongs to the cluster of object i.

    Raises
    ------
    ClusteringError
        If X is not a table of finite numbers, or has too many features.

    Notes
    -----
    .. math:: x = m_g + V z, \quad \mathrm{var} z_j = a + f (l_j - a)

    with the mean m_g of cluster g, eigenvalues l and eigenvectors V of its covariance, their mean
    a, and the share f of the spread of the eigenvalues that is not sampling error (Srivastava
    2005). Time O(d^3) per cluster and O(n d^2) per set.

    Theory: docs/theory/evidence.md.

    References
    ----------
    M. S. Srivastava (2005), Some tests concerning the covariance matrix in high dimensional data,
    Journal of the Japan Statistical Society 35, 251-272.

    Examples
    --------
    >>> import numpy as np
    >>> from softclust.selection.references import draw_references
    >>> x = np.random.default_rng(0).normal(size=(50, 2)) * [3, 1]
    >>> sets = draw_references(x, n_references=200, rng=0)
    >>> sets.shape, bool(2 < sets[:, :, 0].std() < 4)
    ((200, 50, 2), True)
    """
    table = as_objects(X)
    x = table.numbers
    labels = ordered(labels, table.matched_names, called=("X", "labels"))
    check_features(x)
    check_choice("shape", shape, SHAPES)
    groups = np.zeros(x.shape[0], np.int64) if labels is None else np.unique(
        np.asarray(labels), return_inverse=True)[1].reshape(-1)
    if groups.size != x.shape[0]:
        raise ClusteringError(f"labels has {groups.size} entries for {x.shape[0]} objects")
    references, generator = References.of(x, groups, shape, units_of(x)), as_generator(rng)
    return frozen(np.array([references.draw(generator) for _ in range(n_references)]))


def check_features(x: np.ndarray) -> None:
    """Raise for more features than covariances can have."""
    if x.shape[1] > MAX_FEATURES:
        raise ClusteringError(f"X has {x.shape[1]} features; references need the covariance of at "
                              f"most {MAX_FEATURES}: reduce the features first")
