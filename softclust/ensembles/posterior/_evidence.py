"""Frames about the clusters and objects of an estimate: how well the draws support them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..._parallel import run_chunks
from . import _kernels
from ._draws import Draws
from ._losses import LossRule

#: entries of a block of objects by clusters
_BLOCK = 1 << 21


def cluster_columns(labels: np.ndarray, draws: Draws) -> dict[str, np.ndarray]:
    """One row per cluster."""
    labels = np.array(labels)
    sizes = np.bincount(labels)
    sums = np.zeros((3, sizes.size))
    table = np.zeros((int(draws.n_clusters.max()), sizes.size), np.int64)
    step = max(1, _BLOCK * 16 // draws.n_objects)
    for lo in range(0, draws.n_distinct, step):
        part = slice(lo, lo + step)
        _kernels.evidence.of_clusters(labels, sizes, draws.rows[part], draws.n_clusters[part],
                                      draws.weights[part], table, *sums)
    sums /= draws.weights.sum()
    pairs = sizes * (sizes - 1) / 2
    with np.errstate(invalid="ignore"):
        together = np.where(pairs > 0, sums[0] / pairs, np.nan)
    return {"size": sizes, "together": together, "exact": sums[1], "jaccard": sums[2]}


def object_columns(labels: np.ndarray, draws: Draws, rule: LossRule) -> dict[str, Any]:
    """One row per object."""
    import pandas as pd
    labels = np.array(labels)
    n, sizes = labels.size, np.bincount(labels)
    columns = np.empty((4, n))
    other = np.full(n, -1)
    total = float(draws.weights.sum())
    most = int(draws.n_clusters.max())

    def work(start: int, stop: int) -> None:
        shared, logs = np.zeros((stop - start, sizes.size)), np.zeros((stop - start, 4))
        _kernels.evidence.of_objects(labels, sizes, draws.rows, draws.n_clusters, draws.weights,
                                     np.zeros((most, sizes.size), np.int64), shared, logs, start,
                                     stop)
        shared /= total
        logs /= total
        own, rows = labels[start:stop], np.arange(stop - start)
        columns[0, start:stop] = _shares(logs, sizes[own], rule, n)
        with np.errstate(invalid="ignore"):
            columns[1, start:stop] = (shared[rows, own] - 1.0) / np.where(
                sizes[own] > 1, sizes[own] - 1.0, np.nan)
        means = shared / sizes
        means[rows, own] = -1.0
        best = means.argmax(axis=1)
        columns[2, start:stop] = means[rows, best]
        other[start:stop] = best

    run_chunks(work, n, max(1, _BLOCK // sizes.size))
    single = sizes.size == 1
    return {"label": labels, "loss": columns[0], "own": columns[1],
            "other": pd.array([pd.NA] * n if single else other, dtype="Int64"),
            "other_p": np.full(n, np.nan) if single else columns[2]}


def _shares(logs: np.ndarray, sizes: np.ndarray, rule: LossRule, n: int) -> np.ndarray:
    """What each object adds to the expected loss, for vi and binder."""
    a = rule.a
    if rule.name == "vi":
        return np.asarray((a * logs[:, 0] + (2.0 - a) * np.log(sizes) - 2.0 * logs[:, 2]) / n)
    if rule.name == "binder":
        return np.asarray((a * logs[:, 1] + (2.0 - a) * sizes - 2.0 * logs[:, 3]) / n**2)
    return np.full(logs.shape[0], np.nan)
