"""One run: what is drawn, fitted, and who gets which label; picklable for workers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .._checks import ClusteringError
from ._draws import Scheme, draw_one
from .clusterers import fitted_labels, prepared
from .replicates import Streams

ABSENT, NOISE = -2, -1


@dataclass(frozen=True, slots=True, kw_only=True)
class Axes:
    """Principal axes of the data.

    Attributes
    ----------
    mean : (d,) float64
    axes : (k, d) float64
        Orthonormal rows.
    spread : (k,) float64
        Standard deviation of the jitter, or of the data, along each axis.
    """

    mean: np.ndarray
    axes: np.ndarray
    spread: np.ndarray

    @classmethod
    def of(cls, x: np.ndarray, quantile: float | None) -> Axes:
        """With the standard deviation of x, or a quantile of the positive gaps of its scores."""
        mean = x.mean(axis=0)
        axes = np.linalg.svd(x - mean, full_matrices=False)[2]
        scores = (x - mean) @ axes.T
        if quantile is None:
            return cls(mean=mean, axes=axes, spread=scores.std(axis=0, ddof=1))
        gaps = np.diff(np.sort(scores, axis=0), axis=0)
        spread = [float(np.quantile(g[g > 0], quantile)) if (g > 0).any() else 0.0
                  for g in gaps.T]
        return cls(mean=mean, axes=axes, spread=np.array(spread))


@dataclass(frozen=True, slots=True, kw_only=True)
class RunTask:
    """Labels of run b, (n,): a cluster each, `NOISE` or `ABSENT` settled as -1.

    Attributes
    ----------
    x : (n, d) float64
    estimator : clusterer or callable
    scheme : str
    draw : Scheme or None
        Of subsamples and bootstrap samples.
    axes : Axes or None
        Of jitter and noise.
    keep : bool
        Whether copies of an object are fitted as such.
    predict : bool
    noise : str
    replaced : (float, float)
    indices : tuple of (m,) int64, or None
        Ready draws.
    streams : Streams
    """

    x: np.ndarray
    estimator: Any
    scheme: str
    draw: Scheme | None
    axes: Axes | None
    keep: bool
    predict: bool
    noise: str
    replaced: tuple[float, float]
    indices: tuple[np.ndarray, ...] | None
    streams: Streams

    def __call__(self, b: int) -> np.ndarray:
        rng = self.streams.generator(b)
        rows, places = self._sample(b, rng)
        found, fit = labels_of(self.estimator, rows, int(rng.integers(2**31)))
        labels = np.full(self.x.shape[0], ABSENT, dtype=np.int64)
        objects, first = np.unique(places, return_index=True)
        first = first[objects >= 0]                   # of several copies the first
        labels[objects[objects >= 0]] = found[first]
        if self.predict:
            left = labels == ABSENT
            if left.any():
                labels[left] = classified(fit, rows, found, self.x[left])
        settled = _settled(labels, self.noise)
        if (settled < 0).all():
            raise ClusteringError("every object is noise, so no object has a cluster")
        return settled

    def _sample(self, b: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """What is fitted, (m, d), and the object of each row, -1 for none."""
        n = self.x.shape[0]
        if self.scheme == "jitter":
            assert self.axes is not None
            moves = rng.standard_normal((n, self.axes.spread.size)) * self.axes.spread
            return self.x + moves @ self.axes.axes, np.arange(n)
        if self.scheme == "noise":
            assert self.axes is not None
            share, wide = self.replaced
            chosen = rng.random(n) < share
            scores = rng.uniform(-wide, wide, (n, self.axes.spread.size)) * self.axes.spread
            rows = self.x.copy()
            rows[chosen] = (self.axes.mean + scores @ self.axes.axes)[chosen]
            return rows, np.where(chosen, -1, np.arange(n))
        if self.indices is not None:
            places = self.indices[b]
        else:
            assert self.draw is not None
            places = draw_one(self.draw, rng)[0]
        if not self.keep:
            places = np.unique(places)
        return self.x[places], places


def labels_of(estimator: Any, rows: np.ndarray, seed: int, n_clusters: int | None = None
              ) -> tuple[np.ndarray, Any]:
    """Labels of rows as int64, `NOISE` for noise, and the fit; None for a function."""
    if not hasattr(estimator, "fit"):
        found = np.asarray(estimator(rows) if n_clusters is None else estimator(rows, n_clusters))
        if found.shape != (rows.shape[0],):
            raise ClusteringError(f"estimator(X) gave labels of shape {found.shape} for "
                                  f"{rows.shape[0]} objects")
        return _codes(found), None
    fit = prepared(estimator, n_clusters, seed)
    return _codes(fitted_labels(fit, rows, None)), fit


def classified(fit: Any, rows: np.ndarray, labels: np.ndarray, new: np.ndarray) -> np.ndarray:
    """Labels of new objects: by ``predict``, else those of the nearest mean of a cluster."""
    if callable(getattr(fit, "predict", None)):
        return _codes(np.asarray(fit.predict(new)))
    clusters = np.unique(labels[labels >= 0])
    if not clusters.size:
        raise ClusteringError("every object is noise, so no cluster has a mean")
    from scipy.spatial.distance import cdist
    means = np.array([rows[labels == k].mean(axis=0) for k in clusters])
    return np.asarray(clusters[cdist(new, means, "sqeuclidean").argmin(axis=1)])


def _codes(labels: np.ndarray) -> np.ndarray:
    if labels.dtype.kind in "iu" and labels.size and labels.min() >= NOISE:
        return labels.astype(np.int64)
    if labels.dtype.kind in "iu":
        raise ClusteringError(f"the clusterer gave the label {labels.min()}; clusters are 0, 1, "
                              "..., and -1 is noise")
    return np.unique(labels, return_inverse=True)[1].reshape(-1).astype(np.int64)


def _settled(labels: np.ndarray, noise: str) -> np.ndarray:
    """Noise as a cluster, as single objects, or absent; -1 for absent."""
    mask, top = labels == NOISE, int(labels.max()) + 1
    found = np.where(labels == ABSENT, -1, labels)
    if noise == "cluster":
        found[mask] = max(top, 0)
    elif noise == "singletons":
        found[mask] = max(top, 0) + np.arange(np.count_nonzero(mask))
    return found
