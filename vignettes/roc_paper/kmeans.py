"""k-means as in the paper: distinct random objects as starts, one start a run, many runs."""

from __future__ import annotations

from typing import Any

import numpy as np

import softclust as sc
from softclust.cluster.batched_kmeans import batched_kmeans


def random_runs(x: np.ndarray, kmax: int, runs: int, rng: Any) -> dict[int, Any]:
    """k to fits of `runs` runs (labels and inertia); thousands of k-means a second."""
    found = {}
    for k in range(1, kmax + 1):
        starts = np.stack([x[rng.choice(len(x), k, replace=False)] for _ in range(runs)])
        found[k] = batched_kmeans(x, init=starts)
    return found


def mean_curve(fits: dict[int, Any], truth: Any) -> Any:
    """Errors averaged over the runs at each k, then one area [section 2.3]."""
    return sc.pair_roc_partitions(truth, {k: list(fit.labels) for k, fit in fits.items()})


def best_curve(fits: dict[int, Any], truth: Any) -> Any:
    """The run of least inertia at each k."""
    return sc.pair_roc_partitions(
        truth, {k: fit.labels[fit.inertia.argmin()] for k, fit in fits.items()})


def var_part_curve(x: np.ndarray, kmax: int, truth: Any) -> Any:
    """One run from the start of Su and Dy (2007)."""
    return sc.pair_roc_partitions(
        truth, {k: batched_kmeans(x, init=sc.cluster.var_part(x, k)).labels[0]
         for k in range(1, kmax + 1)})


def all_points(fits: dict[int, Any], truth: Any) -> tuple[np.ndarray, np.ndarray]:
    """eps1 and eps2 of every run, (runs, kmax)."""
    runs = len(next(iter(fits.values())).labels)
    curves = [sc.pair_roc_partitions(truth, {k: fit.labels[r] for k, fit in fits.items()})
              for r in range(runs)]
    return np.array([c.eps1 for c in curves]), np.array([c.eps2 for c in curves])


def standard_error(eps1: np.ndarray, eps2: np.ndarray, repeats: int = 400) -> float:
    """Standard error of the area of the mean curve: runs are drawn anew, at each k for itself."""
    rng = np.random.default_rng(0)
    runs, kmax = eps1.shape
    areas = []
    for _ in range(repeats):
        rows = rng.integers(0, runs, (runs, kmax))
        x, y = (np.take_along_axis(e, rows, axis=0).mean(axis=0) for e in (eps1, eps2))
        x, y = np.r_[0.0, x, 1.0], np.r_[1.0, y, 0.0]
        areas.append(float(np.sum(np.diff(x) * (y[1:] + y[:-1]) / 2)))
    return float(np.std(areas))
