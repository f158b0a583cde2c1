"""Prior distributions of the data, for the proper Bayesian bootstrap."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from .._checks import ClusteringError, check_choice, check_whole, finite_array, frozen, shown
from .._types import RNG, ArrayLike, Covariance
from ..cluster.checks import check_number
from ..clusterings.object_table import as_objects
from ..results.text import position
from ..running.blas import one_thread
from ..running.random_numbers import as_generator
from ..running.warnings import warn
from .replicates import ResamplingWarning

COVARIANCES = ("full", "pooled", "diagonal", "ridge")
#: "ridge" adds so much of the mean variance of all data
_RIDGE = 1e-6
#: negative eigenvalues of a covariance up to this share of the largest are rounding
_EIGEN_TOLERANCE = 1e-10

#: (size, generator) -> points (size, d)
Sampler = Callable[[int, np.random.Generator], Any]


@dataclass(frozen=True, slots=True, eq=False)
class GaussianMixturePrior:
    """A mixture of Gaussian distributions.

    Attributes
    ----------
    weights : (K,) float64
        Shares of the components, >= 0 with sum 1.
    means : (K, d) float64
    covariances : (K, d, d) float64
        Symmetric, no negative eigenvalues. They may be singular: such a component lies on a
        plane, or on a point.

    Raises
    ------
    ClusteringError
        If shapes or values are not allowed.

    Examples
    --------
    >>> import softclust
    >>> prior = softclust.GaussianMixturePrior(weights=[0.25, 0.75], means=[[0.0], [8.0]],
    ...                                        covariances=[[[1.0]], [[4.0]]])
    >>> prior.sample(3, rng=1).shape
    (3, 1)
    >>> prior.log_density([[8.0]]).round(4)
    array([-1.8998])
    """

    weights: np.ndarray
    means: np.ndarray
    covariances: np.ndarray

    def __post_init__(self) -> None:
        weights, means, covariances = (
            finite_array(name, getattr(self, name), axes)
            for name, axes in (("weights", 1), ("means", 2), ("covariances", 3)))
        count, d = means.shape
        if weights.shape != (count,) or covariances.shape != (count, d, d):
            raise ClusteringError(
                f"weights {weights.shape}, means {means.shape} and covariances "
                f"{covariances.shape} do not fit; (K,), (K, d) and (K, d, d) are needed")
        if weights.min() < 0 or abs(weights.sum() - 1) > 1e-8:
            raise ClusteringError(f"weights are {weights.tolist()}; numbers >= 0 with sum 1 are "
                                  "needed")
        for k, matrix in enumerate(covariances):
            size = float(np.abs(matrix).max())
            if np.abs(matrix - matrix.T).max() > 1e-8 * size:
                raise ClusteringError(f"covariances[{k}] is not symmetric")
            lowest = float(np.linalg.eigvalsh(matrix).min())
            if lowest < -1e-8 * size:
                raise ClusteringError(f"covariances[{k}] has the negative eigenvalue "
                                      f"{lowest:.3g}; a covariance has none")
        for name, value in (("weights", weights), ("means", means), ("covariances", covariances)):
            object.__setattr__(self, name, frozen(value))

    @classmethod
    def from_labels(cls, X: ArrayLike, labels: ArrayLike, centers: ArrayLike | None = None, *,
                    scale: float = 1.0, ddof: int = 1, covariance: Covariance = "full",
                    n_clusters: int | None = None) -> GaussianMixturePrior:
        """Make the mixture that a clustering suggests: shares, centres, scaled covariances.

        Parameters
        ----------
        X : array-like, shape (n, d)
            Objects.
        labels : array-like of int, shape (n,)
            Clusters 0, ..., K - 1.
        centers : array-like, shape (K, d), optional
            Means of the components; by default the means of the clusters.
        scale : float
            Factor > 0 on the covariances.
        ddof : int
            Covariances have the divisor n_j - ddof.
        covariance : {"full", "pooled", "diagonal", "ridge"}
            "full": of each cluster, about its mean. "pooled": common to all, the sum of (n_j - 1)
            C_j divided by n - K (by n with ``ddof=0``). "diagonal": only variances. "ridge": "full"
            plus 1e-6 times the mean variance of all data on the diagonal.
        n_clusters : int, optional
            K, if not all clusters appear in `labels`.

        Returns
        -------
        GaussianMixturePrior
            A cluster of one object gets covariance 0, with a warning.
        """
        x = as_objects(X, minimum=1).numbers
        codes = np.asarray(labels)
        if codes.shape != (x.shape[0],) or codes.dtype.kind not in "iu" or codes.min() < 0:
            raise ClusteringError(f"labels has shape {codes.shape} and type {codes.dtype}; one "
                                  f"whole number >= 0 for each of {x.shape[0]} objects is needed")
        if n_clusters is not None:
            n_clusters = check_whole("n_clusters", n_clusters)
        count = max(int(codes.max()) + 1, 0 if centers is None else np.shape(centers)[0],
                    n_clusters or 0)
        check_choice("covariance", covariance, COVARIANCES)
        check_number("scale", scale, 0.0, strict=True)
        if ddof not in (0, 1):
            raise ClusteringError(f"ddof is {ddof!r}; 0 or 1 is needed")
        sizes = np.bincount(codes, minlength=count)
        parts = [x[codes == k] for k in range(count)]
        if centers is None:
            means = np.array([rows.mean(axis=0) if rows.size else np.zeros(x.shape[1])
                              for rows in parts])
        else:
            means = finite_array("centers", centers, 2)
            if means.shape != (count, x.shape[1]):
                raise ClusteringError(f"centers has shape {means.shape}; ({count}, {x.shape[1]}) "
                                      "is needed")
        small = [k for k in range(count) if 0 < sizes[k] <= ddof]
        if small and covariance in ("full", "diagonal"):
            warn(f"cluster {position(small[0])} has {sizes[small[0]]} object: its component of the "
                 "prior is a point; covariance='pooled' or 'ridge' gives it spread",
                 ResamplingWarning, stacklevel=3)

        n, d = x.shape
        scatters = np.array([_scatter(rows) for rows in parts])
        covariances = scatters / np.maximum(sizes - ddof, 1)[:, None, None]
        if covariance == "pooled":
            divisor = n - (sizes > 0).sum() if ddof else n
            common = scatters.sum(axis=0) / divisor if divisor > 0 else np.zeros((d, d))
            covariances = np.broadcast_to(common, scatters.shape)
        elif covariance == "diagonal":
            covariances = covariances * np.eye(d)
        elif covariance == "ridge":
            mean_variance = np.trace(_scatter(x)) / max(n - ddof, 1) / d
            covariances = covariances + _RIDGE * mean_variance * np.eye(d)
        return cls(weights=sizes / n, means=means, covariances=scale * covariances)

    @property
    def n_components(self) -> int:
        """Number of components K."""
        return int(self.means.shape[0])

    def roots(self) -> np.ndarray:
        """Symmetric square roots of the covariances, (K, d, d)."""
        values, vectors = np.linalg.eigh(self.covariances)
        values = np.where(values > _EIGEN_TOLERANCE * values[:, -1:], values, 0.0)
        scaled = vectors * np.sqrt(values)[:, None, :]
        return np.array([products(np.ascontiguousarray(u), np.ascontiguousarray(v))
                         for u, v in zip(scaled, vectors)])

    def sample(self, size: int, rng: RNG = None) -> np.ndarray:
        """Draw independent points, (size, d).

        Parameters
        ----------
        size : int
        rng : None, int or Generator
        """
        size = check_whole("size", size, 0)
        generator = as_generator(rng)
        shares = np.cumsum(self.weights)
        k = np.searchsorted(shares[:-1], generator.random(size), side="right")
        noise = generator.standard_normal((size, self.means.shape[1]))
        return np.asarray(self.means[k] + (self.roots()[k] * noise[:, None, :]).sum(axis=2))

    def log_density(self, X: ArrayLike) -> np.ndarray:
        """Compute the logarithm of the density at the rows of X, (n,).

        Raises
        ------
        ClusteringError
            If a component with a positive share is singular: it has no density.
        """
        x = as_objects(X, minimum=1).numbers
        d = self.means.shape[1]
        if x.shape[1] != d:
            raise ClusteringError(f"X has {x.shape[1]} features; the mixture has {d}")
        terms = []
        for k in np.flatnonzero(self.weights > 0):
            values, vectors = np.linalg.eigh(self.covariances[k])
            if not values[0] > _EIGEN_TOLERANCE * values[-1]:
                raise ClusteringError(f"the covariance of component {position(k)} is singular: it "
                                      "has no density; covariance='ridge' makes a regular one")
            z = ((x - self.means[k]) @ vectors) / np.sqrt(values)
            terms.append(math.log(self.weights[k]) - 0.5 * (
                (z**2).sum(axis=1) + np.log(values).sum() + d * math.log(2 * math.pi)))
        return np.asarray(np.logaddexp.reduce(np.array(terms), axis=0))


def as_sampler(prior: Any, d: int) -> GaussianMixturePrior | Sampler:
    """A mixture, or a function (size, generator) -> points; scipy's distributions become one."""
    if isinstance(prior, GaussianMixturePrior):
        if prior.means.shape[1] != d:
            raise ClusteringError(f"prior has {prior.means.shape[1]} features; X has {d}")
        return prior
    if callable(getattr(prior, "rvs", None)):
        return partial(_drawn, prior)
    if callable(prior):
        return prior
    raise TypeError(f"prior is {shown(prior)}; a GaussianMixturePrior, a frozen distribution of "
                    "scipy.stats or a function (size, generator) -> points is needed")


def _drawn(distribution: Any, size: int, rng: np.random.Generator) -> Any:
    return distribution.rvs(size=size, random_state=rng)


def sample_from(sampler: Sampler, size: int, d: int, rng: np.random.Generator) -> np.ndarray:
    """`size` points from a function, checked."""
    points = np.asarray(sampler(size, rng), dtype=np.float64)
    if points.size == size * d and (d == 1 or size == 1):
        points = points.reshape(size, d)   # scipy drops axes of length 1
    if points.shape != (size, d):
        raise ClusteringError(f"prior gave an array of shape {points.shape}; ({size}, {d}) is "
                              "needed: points with the features of X")
    if not np.isfinite(points).all():
        raise ClusteringError("prior gave numbers that are not finite")
    return np.ascontiguousarray(points)


def _scatter(rows: np.ndarray) -> np.ndarray:
    """Sum of products of deviations from the mean, (d, d)."""
    d = rows.shape[1]
    if not rows.shape[0]:
        return np.zeros((d, d))
    z = np.ascontiguousarray((rows - rows.mean(axis=0)).T)
    return products(z, z)


def products(u: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Sums of products of all rows of u and of v, (K, n) each; (K, K)."""
    with one_thread():   # its rounding may depend on its threads
        return np.asarray(u @ v.T)
