"""The gap statistic: within-cluster dispersion against that of uniform reference data."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._random import spawn
from ..cluster.batched_kmeans import batched_kmeans

#: numbers in the reference sets of one block
_BLOCK = 1 << 22


def log_dispersions(x: np.ndarray, n_clusters: int, power: int, rng: np.random.Generator,
                    n_starts: int) -> np.ndarray:
    """Natural logarithms of W for data sets x, (B, n, d) -> (B,), by the best of some k-means.

    W = sum over clusters of (sum of d_ij^power over ordered pairs) / (2 size).
    """
    many, n, d = x.shape
    step = max(1, _BLOCK // (n * d))
    found = np.empty(many)
    children = spawn(rng, many)
    for start in range(0, many, step):
        part = x[start:start + step]
        uniforms = np.stack([child.random((n_starts, n_clusters))
                             for child in children[start:start + step]])
        fit = batched_kmeans(part, uniforms=uniforms, labels=power != 2)
        if power == 2:
            found[start:start + step] = fit.inertia
        else:
            assert fit.labels is not None
            found[start:start + step] = [
                dispersion(points, labels, n_clusters) for points, labels in zip(part, fit.labels)]
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(found))


def dispersion(points: np.ndarray, labels: np.ndarray, n_clusters: int) -> float:
    """Sum over clusters of the mean distance to all members, halved: power 1."""
    from scipy.spatial.distance import cdist
    total = 0.0
    for k in range(n_clusters):
        own = points[labels == k]
        size = own.shape[0]
        step = max(1, _BLOCK // max(1, size))
        inner = sum(float(cdist(own[i:i + step], own).sum()) for i in range(0, size, step))
        total += inner / (2 * size) if size else 0.0
    return total


def reference_sets(x: np.ndarray, count: int, kind: str, rng: np.random.Generator) -> np.ndarray:
    """Uniform data (count, n, d) in the box of x, along features or principal axes."""
    n, d = x.shape
    mean = x.mean(axis=0)
    axes = np.eye(d)
    if kind == "pca":
        axes = np.linalg.svd(x - mean, full_matrices=False)[2]
    turned = (x - mean) @ axes.T
    low, high = turned.min(axis=0), turned.max(axis=0)
    drawn = np.stack([child.random((n, axes.shape[0])) for child in spawn(rng, count)])
    return np.asarray((low + (high - low) * drawn) @ axes + mean)


def gap_of(x: np.ndarray, references: np.ndarray, n_clusters: int, power: int, seed: Any,
           n_starts: int) -> tuple[float, float]:
    """gap(K) = mean log W* - log W, and s_K = sd sqrt(1 + 1/B)."""
    own, other = (np.random.default_rng(s) for s in np.random.SeedSequence(seed).spawn(2))
    log_w = log_dispersions(x[None], n_clusters, power, own, n_starts)[0]
    log_reference = log_dispersions(references, n_clusters, power, other, n_starts)
    many = references.shape[0]
    return (float(log_reference.mean() - log_w),
            float(log_reference.std() * np.sqrt(1 + 1 / many)))
