"""Thousands of small weighted k-means problems in one call: what bagging runs on.

Internal. The k-means that users call is scikit-learn's `KMeans`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from .. import _kernels
from .._checks import ClusteringError
from .._parallel import Progress, get_num_threads, progress_bar, run_ranges
from .checks import check_count

CONVERGED, STOPPED, EMPTY = 0, 1, 2
#: most and least seconds of work handed to a thread, and a guess of what one distance term takes
_CHUNK_SECONDS = 0.05
_LEAST_SECONDS = 0.002
_TERM_SECONDS = 1e-9
#: passes that a guess of the work counts on
_PASSES = 10
#: bytes of a page
_PAGE = 4096


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchedKMeans:
    """Fits of B replicates.

    Attributes
    ----------
    labels : (B, n) int32, or None
        In 0, ..., K - 1; -1 for objects of weight 0 or never drawn. None when not asked for.
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
        Which start had the smallest inertia, the first among those within a share of 1e-12.
    """

    labels: np.ndarray | None
    centers: np.ndarray
    inertia: np.ndarray
    n_iter: np.ndarray
    status: np.ndarray
    best_start: np.ndarray


def batched_kmeans(X: Any, *, weights: Any = None, indices: Any = None, uniforms: Any = None,
                   init: Any = None, max_iter: int = 300, labels: bool = True,
                   progress: Progress | bool | None = None) -> BatchedKMeans:
    """Weighted k-means of many small problems.

    Parameters
    ----------
    X : array-like, shape (n, d) or (B, n, d)
        Points shared by all replicates, or the points of each.
    weights : array-like, shape (B, n) or (n,), optional
        Weights >= 0, of each replicate or shared; points of weight 0 are left out. With
        `indices` they are the weights of the draws, (B, draws) or (draws,). Default: ones.
    indices : array-like of int, shape (B, draws), optional
        Ready draws: the weight of an object is the sum of the weights of its draws.
    uniforms : array-like, shape (B, n_init, K)
        Numbers in [0, 1) for n_init cold starts by weighted k-means++ with one candidate a step.
        Either these or `init`.
    init : array-like, shape (K, d), (B, K, d) or (B, n_init, K, d)
        Centres to start from.
    max_iter : int, optional
        Most assignment passes of a start.
    labels : bool, optional
        Keep the labels; B times n of them may be many.
    progress : bool or callable, optional
        True shows a bar; a function is called with (done, B).

    Returns
    -------
    BatchedKMeans

    Raises
    ------
    ClusteringError
        If an array has the wrong shape, entries that are not finite or not allowed, or a
        replicate has no positive weight.

    Notes
    -----
    Lloyd's iterations until no label changes. The nearest centre has the lowest index among
    equally near ones. An empty cluster takes the point farthest from its centre (the lowest
    index on ties; the lowest empty cluster first) and the pass repeats. k-means++ chooses the
    first point whose cumulated weight (then weight times squared distance to the nearest centre)
    exceeds the uniform number times the total.

    Bits depend neither on the number of threads nor on whether kernels are compiled. Time
    O(B n_init passes m K d) for m points of positive weight; memory of the arguments, the
    results, and O(n d) a thread.

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
    check_count("max_iter", max_iter)
    x = _points(X)
    n, d = x.shape[1:]
    draws = _indices(indices, n)
    weight = _weights(weights, n if draws is None else draws.shape[1], "point" if draws is None
                      else "draw")
    numbers, start = _starts(uniforms, init, d)
    given = {"X": x.shape[0], "weights": weight.shape[0],
             "indices": 1 if draws is None else draws.shape[0],
             "init" if numbers is None else "uniforms":
             start.shape[0] if numbers is None else numbers.shape[0]}
    n_replicates = _common("B", given, own=[name for name, rows in (
        ("indices", draws), ("uniforms", numbers)) if rows is not None])
    clusters = (start if numbers is None else numbers).shape[2]
    result = BatchedKMeans(
        labels=np.empty((n_replicates, n), dtype=np.int32) if labels else None,
        centers=np.empty((n_replicates, clusters, d)), inertia=np.empty(n_replicates),
        n_iter=np.empty(n_replicates, dtype=np.int64),
        status=np.empty(n_replicates, dtype=np.int64),
        best_start=np.empty(n_replicates, dtype=np.int64))
    kept = np.empty((0, 0), dtype=np.int32) if result.labels is None else result.labels
    draws = np.empty((0, 0), dtype=np.int64) if draws is None else draws
    numbers = np.empty((0, 0, 0)) if numbers is None else numbers

    rooms: list[tuple[Any, ...]] = []   # as many as there are threads: fresh memory takes time

    def work(first: int, last: int) -> None:
        kept[first:last] = -1   # here, where threads share the first touch of fresh memory
        try:
            room = rooms.pop()
        except IndexError:
            room = _scratch(n, d, clusters, n_init)
        _kernels.centroids.fit_replicates(
            first, last, x, draws, weight, numbers, start, max_iter, kept, result.centers,
            result.inertia, result.n_iter, result.status, result.best_start,
            *room)
        rooms.append(room)

    n_init = (numbers if numbers.size else start).shape[1]
    seconds = _TERM_SECONDS * _PASSES * n_init * n * clusters * d
    # Replicates are independent, so the cut may follow the number of threads: some turns each.
    size = min(int(_CHUNK_SECONDS / seconds),
               max(int(_LEAST_SECONDS / seconds), n_replicates // (4 * get_num_threads())))
    size = max(1, size)
    chunks = [(i, min(i + size, n_replicates)) for i in range(0, n_replicates, size)]
    with progress_bar(progress, "k-means") as callback:
        run_ranges(work, chunks, [last - first for first, last in chunks], progress=callback)
    return result


class Bounds(NamedTuple):
    """What passes over points in tiles work in: their order, tiles in it, margins, see the kernel.

    All but `order` and `moved` are empty where no pass is shortened.
    """

    order: np.ndarray
    moved: np.ndarray
    tiles: np.ndarray
    margins: np.ndarray
    squares: np.ndarray
    chosen: np.ndarray
    marks: np.ndarray
    drift: np.ndarray
    old: np.ndarray
    spare: np.ndarray


def _from_line(line: int, *shape: int, dtype: type = np.float64) -> np.ndarray:
    """An empty array of numbers of eight bytes that begins with this cache line of a page.

    Vectors of a tile then lie in one cache line, which saves 5 to 15 % of the time, and arrays
    that begin with different lines do not drive each other out of the first-level cache.
    """
    numbers = _PAGE // 8
    size = math.prod(shape)
    room: np.ndarray = np.empty(size + numbers, dtype=dtype)
    skipped = (line * _kernels.seeding.TILE - room.ctypes.data // 8) % numbers
    return room[skipped:skipped + size].reshape(shape)


def _bounds(n: int, d: int, clusters: int) -> Bounds:
    block, tile = _kernels.seeding.BLOCK, _kernels.seeding.TILE
    places = -(-n // block) * block
    kept = _kernels.seeding.tiled(d)
    used = kept and _kernels.bounds.worth_bounds(clusters, d)
    tiles, k = (places // tile, clusters) if used else (0, 0)
    lanes = -(-k // tile) * tile
    return Bounds(
        order=np.empty(places if kept else 0, dtype=np.int64),
        moved=np.empty(places + 1 if kept else 0, dtype=np.int64),
        tiles=_from_line(0, tiles, d, tile), margins=_from_line(8, tiles, lanes),
        squares=np.empty((k, tile)), chosen=np.empty(k + 1, dtype=np.int64),
        marks=np.empty(lanes, dtype=np.int64), drift=np.empty(lanes), old=np.empty((k, d)),
        spare=np.empty((places // block if used else 0, block)))


def point_arrays(n: int, d: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Points in blocks or tiles, their moments or rows, and their masses, for at most n points."""
    block, tile = _kernels.seeding.BLOCK, _kernels.seeding.TILE
    blocks = -(-n // block)
    masses = _from_line(48, blocks, block)
    if _kernels.seeding.tiled(d):
        return (_from_line(0, blocks * (block // tile), d, tile), _from_line(0, blocks, block, d),
                masses)
    return np.empty((blocks, d, block)), np.empty((blocks, d, block)), masses


def starts_abreast(n_init: int, n: int, d: int, clusters: int) -> int:
    """How many starts the kernels seed together, or iterate in turns."""
    centroids = _kernels.centroids
    if _kernels.seeding.tiled(d):
        return centroids.SEEDED_TOGETHER if n_init >= centroids.SEEDED_TOGETHER else 1
    few = n <= centroids.ABREAST_BLOCKS * _kernels.seeding.BLOCK
    return min(n_init, centroids.ABREAST) if few and centroids.written_out(clusters, d) else 1


def fit_scratch(n: int, d: int, clusters: int, n_init: int) -> tuple[Any, ...]:
    """What a fit of at most n points works in, from `current` to `bounds`."""
    block, run, turns = (_kernels.seeding.BLOCK, _kernels.seeding.RUN,
                         _kernels.centroids.TURNS)
    blocks, sets = -(-n // block), starts_abreast(n_init, n, d, clusters)
    # current, before, nearest, values, runs, total, new, counts, sums, passes, ends, bounds
    return (_from_line(0, sets, blocks, block, dtype=np.int64),
            np.empty((sets, blocks, block), dtype=np.int64), _from_line(16, sets, blocks, block),
            _from_line(32, sets if _kernels.seeding.tiled(d) else 1, blocks, block),
            np.empty(2 * blocks * (block // run)), np.empty(block),
            np.empty(block, dtype=np.int64), np.empty(clusters, dtype=np.int64),
            np.empty((sets, turns, clusters * (d + 1))), np.empty(sets, dtype=np.int64),
            np.empty(sets, dtype=np.int64), _bounds(n, d, clusters))


def _scratch(n: int, d: int, clusters: int, n_init: int) -> tuple[Any, ...]:
    """What one call of the kernel works in."""
    # objects; points, moments, masses; index, trial
    return (np.empty(n), *point_arrays(n, d), np.empty(n + 1, dtype=np.int64),
            np.empty((starts_abreast(n_init, n, d, clusters), clusters, d)),
            *fit_scratch(n, d, clusters, n_init))


def _numbers(name: str, value: Any) -> np.ndarray:
    try:
        array = np.ascontiguousarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise ClusteringError(f"{name} cannot be read as an array of numbers") from None
    if not array.size:
        raise ClusteringError(f"{name} has shape {array.shape}; it must not be empty")
    # The extremes are finite exactly when all are; nan passes through both.
    if not (np.isfinite(array.min()) and np.isfinite(array.max())):
        raise ClusteringError(f"{name} has entries that are not finite")
    return array


def _points(X: Any) -> np.ndarray:
    x = _numbers("X", X)
    if x.ndim not in (2, 3):
        raise ClusteringError(f"X has shape {x.shape}; (n, d) or (B, n, d) is needed")
    return x if x.ndim == 3 else x[None]


def _indices(indices: Any, n: int) -> np.ndarray | None:
    if indices is None:
        return None
    array = np.asarray(indices)
    if array.ndim != 2 or not array.size or array.dtype.kind not in "iu":
        raise ClusteringError(f"indices has shape {array.shape} and type {array.dtype}; whole "
                              "numbers of shape (B, draws) are needed")
    whole = np.ascontiguousarray(array, dtype=np.int64)
    if whole.view(np.uint64).max() >= n:   # negative ones are the largest
        raise ClusteringError(f"indices are in {array.min()}..{array.max()}; 0..{n - 1} is "
                              "needed, positions of the points in X")
    return whole


def _weights(weights: Any, size: int, what: str) -> np.ndarray:
    if weights is None:
        return np.ones((1, size))
    array = _numbers("weights", weights)
    array = array[None] if array.ndim == 1 else array
    if array.ndim != 2 or array.shape[1] != size:
        raise ClusteringError(f"weights has shape {np.shape(weights)}; (B, {size}) or ({size},) "
                              f"is needed, one weight per {what}")
    if array.min() < 0:
        b, i = (int(v[0]) for v in np.nonzero(array < 0))
        raise ClusteringError(f"weights[{b}, {i}] is {array[b, i]}; weights >= 0 are needed")
    empty = np.flatnonzero(array.max(axis=1) == 0)
    if empty.size:
        raise ClusteringError(f"weights of replicate {empty[0]} are all 0; at least one must be "
                              "positive")
    return array


def _starts(uniforms: Any, init: Any, d: int) -> tuple[np.ndarray | None, np.ndarray]:
    """Uniform numbers (B, n_init, K) or None, and starts (., n_init, K, d)."""
    if (uniforms is None) == (init is None):
        raise ClusteringError("give either uniforms (cold starts by k-means++) or init (centres)")
    if init is None:
        numbers = _numbers("uniforms", uniforms)
        if numbers.ndim != 3:
            raise ClusteringError(f"uniforms has shape {numbers.shape}; (B, n_init, K) is needed")
        if numbers.min() < 0 or numbers.max() >= 1:
            raise ClusteringError(f"uniforms are in [{numbers.min()}, {numbers.max()}]; numbers "
                                  "in [0, 1) are needed")
        return numbers, np.empty((0, 0, 0, 0))
    centers = _numbers("init", init)
    if centers.ndim not in (2, 3, 4) or centers.shape[-1] != d:
        raise ClusteringError(f"init has shape {centers.shape}; (K, {d}), (B, K, {d}) or "
                              f"(B, n_init, K, {d}) is needed")
    if centers.ndim == 4:
        return None, centers
    return None, (centers[None] if centers.ndim == 2 else centers)[:, None]


def _common(what: str, given: dict[str, int], own: list[str]) -> int:
    """The number of replicates; an argument with one row serves all, except those in `own`."""
    count = max(given.values())
    for name, rows in given.items():
        if rows != count and (rows != 1 or name in own):
            listed = ", ".join(f"{key} {value}" for key, value in given.items())
            raise ClusteringError(f"rows for {what} replicates differ: {listed}; give {count} or, "
                                  "where arguments may be shared, leave the first axis out")
    return count
