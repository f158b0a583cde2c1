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


def with_unit_noise(x: np.ndarray, units: np.ndarray, seed: np.random.SeedSequence) -> np.ndarray:
    """Data with uniform noise of one unit in the features that have a unit."""
    if not units.any():
        return x
    return np.asarray(x + np.random.default_rng(seed).uniform(-0.5, 0.5, x.shape) * units)


def cautions(x: np.ndarray, units: np.ndarray, reference: str, n: int
             ) -> Iterator[tuple[str, bool]]:
    """Notes on what limits a test of n objects against references; True: on what makes it wrong."""
    rows, recorded = x.shape[0], int(np.count_nonzero(units))
    if recorded:
        what = "1 feature is" if recorded == 1 else f"{recorded} features are"
        yield f"{what} recorded in units; noise of one unit was added", False
    repeated = rows - np.unique(x, axis=0).shape[0]
    if repeated > _REPEATED * rows and recorded < units.size:
        yield (f"{repeated} of {rows} rows repeat others: copies are no evidence; p is too small, "
               "drop them"), True
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
