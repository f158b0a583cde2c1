"""Entropies, mutual information and its mean under permutation, of contingency tables.

In nats. Each number is computed once per table and kept with it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import _kernels
from .._checks import ClusteringError, check_weights
from .._parallel import run_chunks
from .base import Replicates, Statistic
from .contingency import Contingency, derived
from .counting import is_dense
from .draws import Draws
from .exact import exact_dot
from .partition_models import RandomSide

#: cells per chunk of work (some milliseconds), and cells per block of a table
_CELLS_PER_CHUNK = 1 << 18
_CELLS_PER_BLOCK = 4096
#: hypergeometric terms per chunk (some milliseconds)
_TERMS_PER_CHUNK = 1 << 19
#: hypergeometric terms of one mean at most
MOST_TERMS = 1e9


def entropy(sizes: np.ndarray) -> float:
    """Entropy of a partition with clusters of these sizes, >= 0; 0 for a single cluster."""
    sizes = sizes[sizes > 0].astype(np.float64)
    total = sizes.sum()
    # log(n / a) as log1p((n - a) / a): exact 0 for a = n, no loss for a near n.
    return float((sizes * np.log1p((total - sizes) / sizes)).sum() / total)


def row_entropy(c: Contingency) -> float:
    """Entropy of x."""
    return c.kept("row_entropy", lambda: entropy(c.a))


def column_entropy(c: Contingency) -> float:
    """Entropy of y."""
    return c.kept("column_entropy", lambda: entropy(c.b))


def mutual_information(c: Contingency) -> float:
    """I = H(x) + H(y) - H(x, y), >= 0, to full relative accuracy.

    Exactly H(y) where x refines y, and H(x) where y refines x.
    """
    def compute() -> float:
        if c.x_refines_y:
            return column_entropy(c)
        if c.y_refines_x:
            return row_entropy(c)
        return _sum(c, _kernels.information.EXCESS) / c.n

    return c.kept("mutual_information", compute)


def variation(c: Contingency) -> float:
    """H(x | y) + H(y | x), >= 0, to full relative accuracy; exactly 0 for equal partitions."""
    return c.kept("variation", lambda: (
        0.0 if c.same_partition else _sum(c, _kernels.information.VARIATION) / c.n))


@dataclass(frozen=True, slots=True, kw_only=True)
class Variation(Statistic):
    """H(x | y) + H(y | x) of two hard clusterings, whose objects may weigh differently."""

    value: float

    @classmethod
    def of(cls, source: Any, *, weights: Any = None) -> Variation:
        """From the table of counts, or from the objects where these have weights."""
        if weights is None:
            return cls(value=variation(source.statistic(Contingency)))
        pair = source.objects
        (x, y), s = pair.codes, pair.n_clusters[1]
        w = check_weights(weights, pair.n_objects)
        keys = x.astype(np.int64) * s + y
        return cls(value=weighted_variation(keys[w > 0], s, w[w > 0]))

    @classmethod
    def left_out(cls, source: Any, *, weights: Any = None) -> Replicates:
        """Without an object of each cell."""
        return (derived(cls, source.without_each(Contingency)) if weights is None
                else Replicates.none(_WEIGHTED))

    @classmethod
    def resampled(cls, source: Any, draws: Draws, *, weights: Any = None) -> Replicates:
        """Of objects drawn again."""
        return (derived(cls, source.redrawn(Contingency, draws)) if weights is None
                else Replicates.none(_WEIGHTED))


_WEIGHTED = "objects with weights have no form for resampled objects"


def expected_mutual_information(c: Contingency) -> float:
    """Mean of I when the objects of y are permuted at random, to full relative accuracy.

    Where every permutation gives the same I (a side is one cluster or all singletons) it is
    exactly that value.
    """
    def compute() -> float:
        if is_constant(c.a, c.n) or is_constant(c.b, c.n):
            return mutual_information(c)
        return _expected(c.a, c.b, c.n)

    return c.kept("expected_mutual_information", compute)


def is_constant(sizes: np.ndarray, n: int) -> bool:
    """Whether a partition with these sizes is one cluster or all singletons."""
    return int(np.count_nonzero(sizes)) in (1, n)


def weighted_variation(keys: np.ndarray, s: int, weights: np.ndarray) -> float:
    """H(x | y) + H(y | x) with weighted objects; keys are x * s + y, weights > 0."""
    kernels = _kernels.information
    cells, places = np.unique(keys, return_inverse=True)
    rows = np.unique(cells // s, return_inverse=True)[1]
    cols = np.unique(cells % s, return_inverse=True)[1]
    counts = np.bincount(places.reshape(-1), weights=weights)
    # Margins from the cells, so that a cluster with one cell has exactly its weight.
    a, b = np.bincount(rows, weights=counts), np.bincount(cols, weights=counts)
    blocks = -(-len(cells) // kernels.CELLS)
    out, products = np.empty(blocks), np.empty(blocks, np.int64)
    total = math.fsum(weights)
    _run(lambda start, stop: kernels.sum_cells(
        rows, cols, counts, a, b, total, kernels.VARIATION, start, stop, out, products),
        blocks, kernels.CELLS)
    return max(0.0, math.fsum(out) / total)




def _run(work: Callable[[int, int], object], blocks: int, cells_per_block: int) -> None:
    run_chunks(work, blocks, max(1, _CELLS_PER_CHUNK // cells_per_block))


def _sum(c: Contingency, what: int) -> float:
    """Sum over the cells of the table; blocks by its shape alone.

    A dense table of so few objects that their labels would be listed is listed, too: the same
    counts have the same bits, wherever they come from.
    """
    kernels = _kernels.information
    n = float(c.n)
    if c.table is not None and is_dense(c.r * c.s, c.n):
        table, rows = c.table, max(1, _CELLS_PER_BLOCK // c.s)
        blocks = -(-c.r // rows)
        out = np.empty(blocks)
        _run(lambda start, stop: kernels.sum_table(
            table, c.a, c.b, n, what, rows, start, stop, out), blocks, rows * c.s)
        return math.fsum(out)
    blocks = -(-c.n_cells // kernels.CELLS)
    out, products = np.empty(blocks), np.empty(blocks, np.int64)
    rows_, cols, counts = c.rows, c.cols, c.counts
    _run(lambda start, stop: kernels.sum_cells(
        rows_, cols, counts, c.a, c.b, n, what, start, stop, out, products),
        blocks, kernels.CELLS)
    if what == kernels.EXCESS:
        # The cells without objects: each adds its expected count.
        inside = (sum(products.tolist()) if c.n <= kernels.PRODUCTS_FIT
                  else exact_dot(c.a[rows_], c.b[cols]))
        absent = c.n * c.n - inside
        return math.fsum([*out, absent / c.n])
    return math.fsum(out)


def _expected(a: np.ndarray, b: np.ndarray, n: int) -> float:
    """Expected mutual information from the margins, equal ones treated once."""
    (a, a_times), (b, b_times) = (np.unique(m[m > 0], return_counts=True) for m in (a, b))
    return _expected_of(a, a_times, b, b_times, n)


def _expected_of(a: np.ndarray, a_times: np.ndarray, b: np.ndarray, b_times: np.ndarray, n: int
                 ) -> float:
    """The same from sizes and (mean) numbers of clusters of each."""
    kernels = _kernels.information
    blocks = -(-len(a) * len(b) // kernels.PAIRS)
    out = np.empty(blocks)
    # A pair has about 18 standard deviations of terms; a rough guess sets the chunks.
    spread = math.sqrt(float(a.mean()) * float(b.mean()) / n)
    chunk = max(1, int(_TERMS_PER_CHUNK / (kernels.PAIRS * (20.0 + 18.0 * spread))))
    given = [m.astype(np.float64) for m in (a, a_times, b, b_times)]
    run_chunks(lambda start, stop: kernels.sum_expected(*given, float(n), start, stop, out),
               blocks, chunk)
    return math.fsum(out) / n


def modelled_information(x: RandomSide, y: RandomSide) -> float:
    """Mean of I of two independent random partitions."""
    (a, a_times), (b, b_times) = x.mean_sizes(), y.mean_sizes()
    terms = len(a) * len(b) * (20.0 + 18.0 * math.sqrt(float(a.mean()) * float(b.mean()) / x.n))
    if terms > MOST_TERMS:
        raise ClusteringError(f"the mean of the mutual information would take {terms:.0g} terms "
                              f"(at most {MOST_TERMS:g}); chance(..., model=) draws partitions")
    return _expected_of(a, a_times, b, b_times, x.n)


def modelled_entropy(x: RandomSide) -> float:
    """Mean entropy of a random partition."""
    sizes, times = x.mean_sizes()
    shares = sizes / x.n
    return max(0.0, -math.fsum((times * shares * np.log(shares)).tolist()))
