"""Distances of all pairs of rows, compared between two sides; expectations over pairs of pairs."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from .. import _kernels
from .._checks import ClusteringError
from .._parallel import Progress, run_chunks
from .bilinear import compensated
from .moments import Columns
from .pair_values import PairValues
from .triangle import run_triangle

#: kernel distance and its factor for c clusters
METRICS = {
    "total_variation": (0, lambda c: 0.5), "maximum": (1, lambda c: 1.0),
    "euclidean": (2, lambda c: math.sqrt(0.5)), "cosine": (3, lambda c: 1.0),
    "manhattan": (0, lambda c: 1.0 / c), "euclidean_cube": (2, lambda c: math.sqrt(1.0 / c)),
}
_STEP = 1 << 16  # sampled pairs at a time


@dataclass(frozen=True, slots=True, kw_only=True)
class Distances:
    """Rows of one side and their distance, as the kernels read them."""

    x: np.ndarray
    norm: int
    scale: float

    @property
    def n(self) -> int:
        """Number of objects."""
        return int(self.x.shape[1])

    def of_all_pairs(self) -> PairValues:
        """The distances of all pairs i < j."""
        kernels = _kernels.concordance
        return PairValues(n=self.n, block=kernels.BLOCK, fill=lambda first, stop, origin, out:
                          kernels.distance_units(self.x, self.scale, self.norm, first, stop,
                                                 origin, out))

    def of_pairs(self, pairs: np.ndarray) -> np.ndarray:
        """The distances of the listed pairs (m, 2)."""
        out = np.empty(pairs.shape[0])
        for first in range(0, pairs.shape[0], _STEP):
            part = pairs[first:first + _STEP]
            u, v = self.x[:, part[:, 0]], self.x[:, part[:, 1]]
            gaps = np.abs(u - v)
            found = (gaps.sum(axis=0), gaps.max(axis=0), np.sqrt((gaps * gaps).sum(axis=0)),
                     np.maximum(1.0 - (u * v).sum(axis=0), 0.0))[self.norm]
            out[first:first + _STEP] = self.scale * found
        return out


def distances(side: Columns, metric: str) -> Distances:
    """One side with a metric of `METRICS`."""
    norm, factor = METRICS[metric]
    rows = side.unit_rows() if metric == "cosine" else side
    return Distances(x=np.ascontiguousarray(rows.dense().T), norm=norm,
                     scale=factor(side.n_clusters))


def concordance_sums(x: Distances, y: Distances, progress: Progress | bool | None = None
                     ) -> tuple[float, float, float]:
    """Sums over i < j of |d1 - d2|, d1 and d2, O(n^2 (r + s)) time, O(n (r + s)) memory."""
    kernels = _kernels.concordance
    sums = np.empty((-(-x.n // kernels.BLOCK), 3))

    def work(start: int, stop: int) -> None:
        kernels.concordance_units(x.x, x.scale, y.x, y.scale, x.norm, start, stop,
                                  np.empty((2, kernels.TILE)), sums)

    run_triangle(work, x.n, kernels.BLOCK, x.x.shape[0] + y.x.shape[0] + 8, progress=progress)
    a, b, c = compensated(sums).tolist()
    return a, b, c


def concordance_rows(x: Distances, y: Distances, objects: np.ndarray) -> np.ndarray:
    """Sums of |d1 - d2| over the pairs of each of these objects, (m,). O(m n (r + s))."""
    kernels = _kernels.concordance
    out = np.empty(objects.shape[0])

    def work(first: int, stop: int) -> None:
        kernels.concordance_rows(x.x, x.scale, y.x, y.scale, x.norm, objects, first, stop,
                                 np.empty((2, kernels.TILE)), out)

    per_object = x.n * (x.x.shape[0] + y.x.shape[0] + 8)
    run_chunks(work, objects.shape[0], max(1, int(2e7 / per_object)))
    return out


def products_of_all_pairs(left: np.ndarray, right: np.ndarray) -> PairValues:
    """sum_a left[a, i] right[a, j] for all pairs i < j; left and right (a, n)."""
    kernels = _kernels.concordance
    return PairValues(n=left.shape[1], block=kernels.BLOCK, fill=lambda first, stop, origin, out:
                      kernels.product_units(left, right, first, stop, origin, out))


def mean_gaps(x: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    """Means of |x_p - y_q| and max(x_p - y_q, 0) over all p, q; sorts x and y in place."""
    x.sort()
    y.sort()
    state = np.zeros(7)
    _kernels.concordance.mean_gaps(x, y, x.size, y.size, state)
    return float(state[3] + state[4]), float(state[5] + state[6])


def gaps_of_others(x: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    """As `mean_gaps` over p != q, for pairs drawn independently: unbiased. Sorts x and y."""
    m = x.size
    d = x - y
    own = float(np.abs(d).sum()), float(np.maximum(d, 0.0).sum())
    whole = mean_gaps(x, y)
    return tuple((m * m * w - o) / (m * (m - 1.0)) for w, o in zip(whole, own))  # type: ignore[return-value]


def check_pairs(n_pairs: int, max_pairs: float, measure: str) -> None:
    """ClusteringError when sorting all pairs would take longer than allowed."""
    if n_pairs > max_pairs:
        raise ClusteringError(
            f"{measure} sorts {n_pairs} numbers a side, in several passes over all pairs, for the "
            f"exact expectation; max_pairs is {max_pairs:g}: raise it, or take "
            'method="sampled" for an estimate from n_pairs random pairs')
