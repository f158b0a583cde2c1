"""Distances of all pairs of rows, compared between two sides; expectations over pairs of pairs."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._checks import ClusteringError
from .._parallel import Progress, run_chunks
from ._features import products
from ._pair_values import MeanGaps, PairValues
from ._triangle import run_triangle
from .bilinear import column_sums
from .moments import Columns

#: distance, as SciPy calls it, and its factor for c clusters
METRICS = {
    "total_variation": ("cityblock", lambda c: 0.5), "maximum": ("chebyshev", lambda c: 1.0),
    "euclidean": ("euclidean", lambda c: math.sqrt(0.5)), "cosine": ("cosine", lambda c: 1.0),
    "manhattan": ("cityblock", lambda c: 1.0 / c),
    "euclidean_cube": ("euclidean", lambda c: math.sqrt(1.0 / c)),
}
#: rows of a block
BLOCK = 32
_STEP = 1 << 16  # sampled pairs at a time


@dataclass(frozen=True, slots=True, kw_only=True)
class Distances:
    """Rows of one side (n, c) and their distance; rows of length 1 for "cosine"."""

    x: np.ndarray
    norm: str
    scale: float

    @property
    def n(self) -> int:
        """Number of objects."""
        return int(self.x.shape[0])

    def between(self, rows: Any, columns: slice) -> np.ndarray:
        """The distances of rows and columns."""
        from scipy.spatial.distance import cdist
        if self.norm == "cosine":
            return np.maximum(1.0 - products(self.x[rows].T, self.x[columns].T), 0.0)
        return cdist(self.x[rows], self.x[columns], self.norm) * self.scale

    def of_all_pairs(self) -> PairValues:
        """The distances of all pairs i < j."""
        return _of_blocks(self.n, self.between)

    def of_pairs(self, pairs: np.ndarray) -> np.ndarray:
        """The distances of the listed pairs (m, 2)."""
        out = np.empty(pairs.shape[0])
        for first in range(0, pairs.shape[0], _STEP):
            part = pairs[first:first + _STEP]
            u, v = self.x[part[:, 0]], self.x[part[:, 1]]
            gaps = np.abs(u - v)
            if self.norm == "cityblock":
                found = gaps.sum(axis=1)
            elif self.norm == "chebyshev":
                found = gaps.max(axis=1)
            elif self.norm == "euclidean":
                found = np.sqrt((gaps * gaps).sum(axis=1))
            else:
                found = np.maximum(1.0 - (u * v).sum(axis=1), 0.0)
            out[first:first + _STEP] = self.scale * found
        return out


def _of_blocks(n: int, between: Callable[[slice, slice], np.ndarray]) -> PairValues:
    """Numbers of all pairs i < j from those of rows and columns."""
    def fill(first: int, stop: int, out: np.ndarray) -> None:
        at = 0
        for start in range(first * BLOCK, min(stop * BLOCK, n), BLOCK):
            end = min(start + BLOCK, n)
            found = between(slice(start, end), slice(start, n))
            values = found[np.arange(start, n) > np.arange(start, end)[:, None]]
            out[at:at + values.size] = values
            at += values.size

    return PairValues(n=n, block=BLOCK, fill=fill)


def distances(side: Columns, metric: str) -> Distances:
    """One side with a metric of `METRICS`."""
    norm, factor = METRICS[metric]
    rows = side.unit_rows() if metric == "cosine" else side
    return Distances(x=rows.dense(), norm=norm, scale=factor(side.n_clusters))


def concordance_sums(x: Distances, y: Distances, progress: Progress | bool | None = None
                     ) -> tuple[float, float, float]:
    """Sums over i < j of |d1 - d2|, d1 and d2, O(n^2 (r + s)) time, O(n (r + s)) memory."""
    sums = np.empty((-(-x.n // BLOCK), 3))

    def work(start: int, stop: int) -> None:
        for block in range(start, stop):
            rows = slice(block * BLOCK, min((block + 1) * BLOCK, x.n))
            d1, d2 = (np.triu(z.between(rows, slice(rows.start, x.n)), 1) for z in (x, y))
            sums[block] = np.abs(d1 - d2).sum(), d1.sum(), d2.sum()

    run_triangle(work, x.n, BLOCK, x.x.shape[1] + y.x.shape[1] + 8, progress=progress)
    a, b, c = column_sums(sums).tolist()
    return a, b, c


def concordance_rows(x: Distances, y: Distances, objects: np.ndarray) -> np.ndarray:
    """Sums of |d1 - d2| over the pairs of each of these objects, (m,). O(m n (r + s))."""
    out = np.empty(objects.shape[0])

    def work(first: int, stop: int) -> None:
        for block in range(first, stop):
            part = slice(block * BLOCK, (block + 1) * BLOCK)
            d1, d2 = (z.between(objects[part], slice(None)) for z in (x, y))
            out[part] = np.abs(d1 - d2).sum(axis=1)

    run_chunks(work, -(-objects.shape[0] // BLOCK), 1)
    return out


def products_of_all_pairs(left: np.ndarray, right: np.ndarray) -> PairValues:
    """sum_a left[a, i] right[a, j] for all pairs i < j; left and right (a, n)."""
    return _of_blocks(left.shape[1], lambda rows, columns: products(
        left[:, rows], right[:, columns]))


def mean_gaps(x: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    """Means of |x_p - y_q| and max(x_p - y_q, 0) over all p, q; sorts x and y in place."""
    x.sort()
    y.sort()
    means = MeanGaps(x.size, y.size)
    means.add(x, y)
    return means.apart, means.above


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
