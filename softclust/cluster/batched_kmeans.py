"""Thousands of small weighted k-means problems in one call, for bagging.

Internal. The k-means that users call is scikit-learn's `KMeans`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..running.threads import get_num_threads, progress_bar, run_chunks
from . import _kernels

CONVERGED, STOPPED, EMPTY = 0, 1, 2
#: placeholder for uniform numbers where starts are given, and vice versa
NO_UNIFORMS, NO_STARTS = np.empty((0, 0, 0)), np.empty((0, 0, 0, 0))
#: seconds of work handed to a thread, and a guess of what one distance term takes, over all passes
_CHUNK_SECONDS, _TERM_SECONDS = 0.05, 3e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchedKMeans:
    """Fits of B replicates.

    Attributes
    ----------
    labels : (B, n) int32, or None
        In 0, ..., K - 1; -1 for objects of weight 0 or never drawn. None when not requested.
    centers : (B, K, d) float64
        Weighted means of the clusters.
    inertia : (B,) float64
        Weighted sum of squared distances to the nearest centre, in squared units of X.
    n_iter : (B,) int64
        Assignment passes of the best start; the last one changes nothing (as scikit-learn
        counts).
    status : (B,) int64
        0: converged. 1: labels still changed after `max_iter` passes; labels and inertia belong
        to `centers`, which are then not the means of the labels. 2: fewer distinct points than
        clusters; some cluster has no point, its centre is where it started, and inertia is 0.
    best_start : (B,) int64
        Start with the smallest inertia, the first among those within a share of 1e-12.
    """

    labels: np.ndarray | None
    centers: np.ndarray
    inertia: np.ndarray
    n_iter: np.ndarray
    status: np.ndarray
    best_start: np.ndarray


def batched_kmeans(X: Any, *, weights: Any = None, uniforms: Any = None, init: Any = None,
                   max_iter: int = 300, labels: bool = True) -> BatchedKMeans:
    """Weighted k-means of many small problems; the arguments are not checked.

    Parameters
    ----------
    X : array-like, shape (n, d) or (B, n, d)
        Points shared by all replicates, or the points of each.
    weights : array-like, shape (B, n) or (n,), optional
        Weights >= 0, of each replicate or shared, some of them positive; points of weight 0 are
        left out. Default: ones.
    uniforms : array-like, shape (B, n_init, K)
        Numbers in [0, 1) for n_init cold starts by weighted k-means++ with one candidate per step.
        Either these or `init`.
    init : array-like, shape (K, d), (B, K, d) or (B, n_init, K, d)
        Centres to start from.
    max_iter : int, optional
        Largest number of assignment passes of a start.
    labels : bool, optional
        Whether to keep the labels, B times n numbers.

    Returns
    -------
    BatchedKMeans

    Notes
    -----
    Lloyd's iterations until no label changes. A start is given up if 50 more passes that gain as
    much as its last one would not make it the best so far. The nearest centre has the lowest index
    among equally near ones. An empty cluster takes the point farthest from its centre (the lowest
    index on ties; the lowest empty cluster first) and the pass repeats. k-means++ chooses the first
    point whose cumulated weight (then weight times squared distance to the nearest centre) exceeds
    the uniform number times the total.

    Bits do not depend on the number of threads. Labels are those of distances in double precision;
    they are first sought in single precision, which settles all but near ties. Time O(B n_init
    passes m K d) for m points of positive weight; memory of the arguments, the results, and O(n d)
    per thread.

    Examples
    --------
    >>> import numpy as np
    >>> from softclust.cluster.batched_kmeans import batched_kmeans
    >>> x = np.array([[0.0], [1.0], [8.0], [9.0]])
    >>> fit = batched_kmeans(x, weights=[[1, 1, 1, 1], [1, 3, 0, 2]], init=[[0.0], [9.0]])
    >>> fit.labels
    array([[ 0,  0,  1,  1],
           [ 0,  0, -1,  1]], dtype=int32)
    >>> fit.centers[:, :, 0]
    array([[0.5 , 8.5 ],
           [0.75, 9.  ]])
    """
    x = _contiguous(X, 3)
    n, d = x.shape[1:]
    weight = np.ones((1, n)) if weights is None else _contiguous(weights, 2)
    x, shift = near_origin(x)
    if init is None:
        numbers, start = _contiguous(uniforms, 3), NO_STARTS
        n_init, clusters = numbers.shape[1:]
    else:
        numbers, start = NO_UNIFORMS, _contiguous(init, 3)
        start = (start if start.ndim == 4 else start[:, None]) - shift[:, None]
        n_init, clusters = start.shape[1:3]
    count = max(x.shape[0], weight.shape[0], numbers.shape[0], start.shape[0])
    whole = BatchedKMeans(
        labels=np.empty((count, n), np.int32) if labels else None,
        centers=np.empty((count, clusters, d)), inertia=np.empty(count),
        n_iter=np.empty(count, np.int64), status=np.empty(count, np.int64),
        best_start=np.empty(count, np.int64))

    def work(first: int, last: int) -> None:
        part = slice(first, last)   # of what each replicate has for itself
        fit = fit_block(
            x[part] if x.shape[0] > 1 else x, weight[part] if weight.shape[0] > 1 else weight,
            last - first, uniforms=numbers[part], init=start[part] if start.shape[0] > 1 else start,
            max_iter=max_iter, labels=labels)
        whole.centers[part], whole.inertia[part] = fit.centers, fit.inertia
        whole.n_iter[part], whole.status[part] = fit.n_iter, fit.status
        whole.best_start[part] = fit.best_start
        if whole.labels is not None:
            whole.labels[part] = fit.labels

    # Replicates are independent, so the split may depend on the number of threads: several chunks
    # each.
    size = min(int(_CHUNK_SECONDS / (_TERM_SECONDS * n_init * n * clusters * d)),
               -(-count // (4 * get_num_threads())))
    with progress_bar(False, "k-means") as callback:
        run_chunks(work, count, max(1, size), progress=callback)
    whole.centers[...] += shift
    return whole


def near_origin(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Points (B, n, d) minus an origin near their mean, and that origin (B, 1, d).

    The origin is a multiple of a power of two: whole numbers lose no digits, so ties stay ties.
    """
    mean = x.mean(axis=1, keepdims=True)
    step = np.ldexp(1.0, np.frexp(np.abs(x - mean).max(axis=1, keepdims=True))[1] - 3)
    shift = np.rint(mean / step) * step
    return x - shift, shift


def fit_block(points: np.ndarray, weights: np.ndarray, count: int, *, uniforms: np.ndarray,
              init: np.ndarray, max_iter: int, labels: bool = True) -> BatchedKMeans:
    """Some replicates in this thread, as `_kernels.kmeans.fit_replicates` takes them."""
    n, d = points.shape[1:]
    clusters = (uniforms if uniforms.size else init).shape[2]
    cluster_labels = np.empty((count, n), dtype=np.int32)
    result = BatchedKMeans(
        labels=cluster_labels if labels else None, centers=np.empty((count, clusters, d)),
        inertia=np.empty(count), n_iter=np.empty(count, dtype=np.int64),
        status=np.empty(count, dtype=np.int64), best_start=np.empty(count, dtype=np.int64))
    # Scaled exactly, so that single precision holds the squares.
    widest = np.maximum(points.max(axis=(1, 2)), -points.min(axis=(1, 2)))
    unit = np.ldexp(1.0, -np.maximum(np.frexp(widest)[1], -500))
    block, single = _kernels.kmeans.BLOCK, np.float32
    n_blocks = -(-n // block) + 1   # one of them gathers some objects
    scores, label = np.empty((2, n_blocks, block), single), np.empty((n_blocks, block), np.int64)
    _kernels.kmeans.fit_replicates(
        points, unit, weights, uniforms, init, max_iter, cluster_labels, result.centers,
        result.inertia, result.n_iter, result.status, result.best_start, np.empty((n, d)),
        np.empty((3, n)), np.empty((3, n + 3), np.int64), np.empty((clusters, d)),
        np.empty((clusters, d + 1)), np.empty(clusters), np.empty(clusters, np.int64),
        np.zeros((n_blocks, d, block), single), np.empty((clusters, d + 1), single),
        np.empty(block, single), scores, scores.reshape(2, -1), label, label.reshape(-1))
    result.centers[...] /= unit[:, None, None]
    result.inertia[...] /= unit * unit
    return result


def nearest_labels(x: np.ndarray, centers: np.ndarray) -> np.ndarray:
    """Nearest of the centres (B, K, d) of each replicate to points (n, d), the lowest on ties.

    (B, n) int64. Both are near the origin, see `near_origin`; BLAS has one thread.
    """
    count, clusters, d = centers.shape
    flat = centers.reshape(-1, d)
    scores = (flat * flat).sum(axis=1)[:, None] - 2 * (flat @ x.T)
    return np.asarray(scores.reshape(count, clusters, -1).argmin(axis=1))


def _contiguous(values: Any, axes: int) -> np.ndarray:
    """Contiguous array for the kernel, with a first axis for all replicates if it has none."""
    array = np.require(values, np.float64, ["C", "W", "E"])
    return array[None] if array.ndim < axes else array
