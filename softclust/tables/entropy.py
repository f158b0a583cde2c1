"""Entropies, mutual information and its mean under permutation, of contingency tables.

In nats. Each number is computed once per table and kept with it.

All sums have terms >= 0, so nothing cancels. With m = a b / n the expected count of a cell,
t its count and d = (t - m) / m, mutual information is

    (1/n) sum of m g(d) over all cells,    g(d) = (1 + d) log(1 + d) - d >= 0,

because counts and expected counts have the same sum; the expected mutual information is the
same with the mean of g over t hypergeometric with margins a and b. Variation of information is
(1/n) sum of t log(a b / t^2).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from .._checks import ClusteringError, check_weights
from ..measures.resamples import Draws
from ..measures.statistic import Replicates, Statistic
from ..running.threads import run_chunks
from .contingency import Contingency, contingency_from_table, derived
from .counting import exact_dot, is_dense
from .partition_models import RandomPartition, excess
from .sums import T_LOG_T, Sums, TableSums

#: cells and hypergeometric terms at a time
_CELLS = 1 << 14
#: up to this total the products of two margins fit an int64
_PRODUCTS_FIT = 3_037_000_499
#: hypergeometric terms of one mean at most
MOST_TERMS = 1e9


def entropy(sizes: np.ndarray) -> float:
    """Entropy of a partition with clusters of these sizes, >= 0; 0 for a single cluster."""
    sizes = sizes[sizes > 0].astype(np.float64)
    total = sizes.sum()
    # log(n / a) as log1p((n - a) / a): exact 0 for a = n, no loss for a near n.
    return float((sizes * np.log1p((total - sizes) / sizes)).sum() / total)


class Information(Statistic):
    """Entropies of two hard clusterings and what they share, in nats: a view of sums of t log t.

    Attributes
    ----------
    n : int
    h_x, h_y : float
    mutual, variation : float
        I = H(x) + H(y) - H(x, y), and H(x | y) + H(y | x).
    expected : float
        Mean of I when the objects of y are permuted.
    equal : bool
        Whether both partitions are the same.
    sizes : (ndarray, ndarray)
        Sizes of the clusters of x and of y.

    Notes
    -----
    Arrays along a leading axis for many tables. For one table each number is computed at its first
    use, in terms that do not cancel.
    """

    phi = T_LOG_T
    sizes: Any = None

    def __init__(self, sums: Sums) -> None:
        self.n, self.sizes, self.equal = sums.n, sums.sizes, sums.equal
        logarithm = np.log(sums.n)
        self.h_x = np.maximum(0.0, logarithm - sums.rows / sums.n)
        self.h_y = np.maximum(0.0, logarithm - sums.columns / sums.n)
        self.mutual = np.maximum(
            0.0, logarithm + (sums.cells - sums.rows - sums.columns) / sums.n)
        self.variation = np.maximum(0.0, (sums.rows + sums.columns - 2.0 * sums.cells) / sums.n)

    @classmethod
    def from_sums(cls, sums: Sums) -> Information:
        """Statistic of sums of t log t."""
        return cls(sums)

    @classmethod
    def of_table_sums(cls, sums: TableSums, *, weights: Any = None) -> Information:
        """Statistic of sums over a table that was counted elsewhere."""
        if weights is not None:
            raise ClusteringError("weights need the objects, and these are sums over their table")
        cells, rows, columns = sums.logs
        view = cls(Sums(n=sums.n, cells=cells, rows=rows, columns=columns))
        for name, value in vars(view).items():
            if isinstance(value, np.floating):
                setattr(view, name, float(value))
        return view

    @classmethod
    def of(cls, source: Any, *, weights: Any = None) -> Information:
        """Statistic of the table of counts, or of the objects where these have weights."""
        if weights is None:
            return TableInformation(source.statistic(Contingency))
        pair = source.objects
        (x, y), s = pair.codes, pair.n_clusters[1]
        w = check_weights(weights, pair.n_objects)
        keys = x.astype(np.int64) * s + y
        return _of_parts(variation=weighted_variation(keys[w > 0], s, w[w > 0]))

    @classmethod
    def of_labels(cls, x: np.ndarray, y: np.ndarray) -> Information | None:
        """Statistic of two arrays of integers."""
        table = Contingency.of_labels(x, y)
        return None if table is None else TableInformation(table)

    @classmethod
    def modelled(cls, x: RandomPartition, y: RandomPartition) -> Information:
        """Means of two independent random partitions."""
        return _of_parts(h_x=modelled_entropy(x), h_y=modelled_entropy(y),
                         mutual=modelled_information(x, y))

    def permuted(self) -> Information | None:
        """Means when the objects of y are permuted; None for objects with weights."""
        if self.sizes is None:
            return None
        alike = self.equal and all(is_constant(sizes, self.n) for sizes in self.sizes)
        return _of_parts(h_x=self.h_x, h_y=self.h_y, mutual=self.expected, n=self.n, equal=alike,
                         sizes=self.sizes)

    @property
    def expected(self) -> Any:
        """Mean of I when the objects of y are permuted, from the sizes of the clusters."""
        if self.sizes is None:
            raise ClusteringError("the expected mutual information needs the sizes of the clusters,"
                                  " not only sums over them")
        a, b = self.sizes
        if a.ndim == 1:
            return _expected_of_sizes(a.tobytes(), b.tobytes())
        a, b = (np.sort(side, axis=1)[:, ::-1] for side in (a, b))
        pairs = zip(a, b) if len(a) == len(b) else ((u, v) for u in a for v in b)   # one is single
        return np.array([_expected_of_sizes(u.tobytes(), v.tobytes()) for u, v in pairs])

    @classmethod
    def left_out(cls, source: Any, *, weights: Any = None) -> Replicates:
        """Without an object of each cell."""
        return (derived(cls, source.without_each(Contingency)) if weights is None
                else Replicates.none(_WEIGHTED))

    @classmethod
    def resampled(cls, source: Any, draws: Draws, *, weights: Any = None) -> Replicates:
        """Statistic of objects drawn again."""
        return (derived(cls, source.redrawn(Contingency, draws)) if weights is None
                else Replicates.none(_WEIGHTED))


class TableInformation(Information):
    """Entropies and information of one table, to full relative accuracy.

    Parameters
    ----------
    table : Contingency
    like : TableInformation, optional
        Of a table with the same cluster sizes: what depends on these is taken from there.
    """

    def __init__(self, table: Contingency, like: TableInformation | None = None) -> None:
        self.table, self.like = table, like
        self.n, self.sizes, self.equal = table.n, (table.a, table.b), table.same_partition

    @property
    def h_x(self) -> float:
        """Entropy of x."""
        c = (self.like or self).table
        if "h_x" not in c.memory:
            c.memory["h_x"] = entropy(c.a)
        return c.memory["h_x"]

    @property
    def h_y(self) -> float:
        """Entropy of y."""
        c = (self.like or self).table
        if "h_y" not in c.memory:
            c.memory["h_y"] = entropy(c.b)
        return c.memory["h_y"]

    @property
    def mutual(self) -> float:
        """I = H(x) + H(y) - H(x, y), >= 0, to full relative accuracy.

        Exactly H(y) where x refines y, and H(x) where y refines x; else the sum of m g(d) over all
        cells of the table, divided by n.
        """
        c = self.table
        if "mutual" not in c.memory:
            c.memory["mutual"] = (self.h_y if c.x_refines_y else self.h_x if c.y_refines_x
                                  else _excess_sum(c) / c.n)
        return c.memory["mutual"]

    @property
    def variation(self) -> float:
        """H(x | y) + H(y | x), >= 0, to full relative accuracy; exactly 0 for equal partitions."""
        c = self.table
        if "variation" not in c.memory:
            c.memory["variation"] = 0.0 if self.equal else (
                _variation_sum(c.rows, c.cols, c.counts, c.a, c.b) / c.n)
        return c.memory["variation"]

    @property
    def expected(self) -> float:
        """Mean of I when the objects of y are permuted at random, to full relative accuracy.

        Where every permutation gives the same I (a side is one cluster or all singletons) it is
        exactly that value.
        """
        of = self.like or self
        c = of.table
        if "expected" not in c.memory:
            c.memory["expected"] = (of.mutual if is_constant(c.a, c.n) or is_constant(c.b, c.n)
                                    else _expected(c.a, c.b, c.n))
        return c.memory["expected"]


def _of_parts(**parts: Any) -> Information:
    view = Information.__new__(Information)
    if "variation" not in parts:
        parts["variation"] = parts["h_x"] + parts["h_y"] - 2.0 * parts["mutual"]
        parts.setdefault("equal", False)
    for name, value in parts.items():
        setattr(view, name, value)
    return view


@lru_cache(maxsize=1 << 14)
def _expected_of_sizes(a: bytes, b: bytes) -> float:
    x, y = np.frombuffer(a, np.int64), np.frombuffer(b, np.int64)
    n = int(x.sum())
    if is_constant(x, n) or is_constant(y, n):   # every order of the objects has the same I
        return min(entropy(x), entropy(y))
    return _expected(x, y, n)


_WEIGHTED = "resampling is not defined for weighted objects"


def is_constant(sizes: np.ndarray, n: int) -> bool:
    """Test whether a partition with these sizes is one cluster or all singletons."""
    return int(np.count_nonzero(sizes)) in (1, n)


def weighted_variation(keys: np.ndarray, s: int, weights: np.ndarray) -> float:
    """H(x | y) + H(y | x) with weighted objects; keys are x * s + y, weights > 0."""
    cells, places = np.unique(keys, return_inverse=True)
    rows = np.unique(cells // s, return_inverse=True)[1]
    cols = np.unique(cells % s, return_inverse=True)[1]
    counts = np.bincount(places.reshape(-1), weights=weights)
    # Margins from the cells, so that a cluster with one cell has exactly its weight.
    a, b = np.bincount(rows, weights=counts), np.bincount(cols, weights=counts)
    return max(0.0, _variation_sum(rows, cols, counts, a, b) / math.fsum(weights))


def _variation_sum(rows: np.ndarray, cols: np.ndarray, counts: np.ndarray, a: np.ndarray,
                   b: np.ndarray) -> float:
    """Sum of t log(a b / t^2) over the cells."""
    def terms(part: slice) -> np.ndarray:
        t = counts[part].astype(np.float64)
        u, v = a[rows[part]] - counts[part], b[cols[part]] - counts[part]
        return t * np.log1p((u * (v + t) + v * t) / (t * t))   # a b - t^2 = u b + v t

    return _sum_of_blocks(terms, counts.shape[0])


def _excess_sum(c: Contingency) -> float:
    """Sum of m g(d) over all cells of the table."""
    # A dense table of so few objects that their labels would be listed is listed, too: the same
    # counts have the same bits, wherever they come from.
    table = c.table if is_dense(c.r * c.s, c.n) else None
    rows, cols, counts = c.rows, c.cols, c.counts
    kind: type = np.int64 if c.n <= _PRODUCTS_FIT else np.float64   # exact differences

    def terms(part: slice) -> np.ndarray:
        if table is None:
            t, a, b = counts[part], c.a[rows[part]], c.b[cols[part]]
        else:
            first, last = part.start // c.s, -(-part.stop // c.s)
            t, a, b = np.broadcast_arrays(table[first:last], c.a[first:last, None], c.b)
        t, a, b = t.astype(kind), a.astype(kind), b.astype(kind)
        p = a * b
        d = (t * kind(c.n) - p) / np.maximum(p, 1)
        return (p / c.n * excess(d)).ravel()

    if table is not None:
        return _sum_of_blocks(terms, c.r * c.s, max(1, _CELLS // c.s) * c.s)
    # The cells without objects: each adds its expected count.
    absent = c.n * c.n - exact_dot(c.a[rows], c.b[cols])
    return math.fsum([_sum_of_blocks(terms, c.n_cells), absent / c.n])


def _sum_of_blocks(terms: Callable[[slice], np.ndarray], count: int, size: int = _CELLS) -> float:
    out = np.empty(-(-count // size))

    def work(start: int, stop: int) -> None:
        for block in range(start, stop):
            out[block] = terms(slice(block * size, min((block + 1) * size, count))).sum()

    run_chunks(work, out.size, 4)
    return math.fsum(out)


def _expected(a: np.ndarray, b: np.ndarray, n: int) -> float:
    """Expected mutual information from the margins, equal ones treated once."""
    a, a_times = np.unique(a[a > 0], return_counts=True)
    b, b_times = np.unique(b[b > 0], return_counts=True)
    return _expected_of(a, a_times, b, b_times, n)


def _expected_of(a: np.ndarray, a_times: np.ndarray, b: np.ndarray, b_times: np.ndarray, n: int
                 ) -> float:
    """Expected mutual information from sizes and (mean) numbers of clusters of each size."""
    first = np.repeat(a.astype(np.float64), b.size)
    second = np.tile(b.astype(np.float64), a.size)
    times = np.outer(a_times, b_times).ravel()
    mean = first * second / n
    spread = np.sqrt(mean * (n - first) / n * (n - second) / max(n - 1, 1))
    terms = np.minimum(np.ceil(20.0 + 9.0 * spread), np.minimum(first, second)).astype(np.int64)
    # Pairs of margins with about as many terms go together.
    order = np.argsort(terms, kind="stable")
    ends = np.searchsorted(np.cumsum(terms[order]), np.arange(_CELLS, terms.sum() + _CELLS, _CELLS))
    bounds = np.unique(np.concatenate([[0], np.minimum(ends + 1, order.size), [order.size]]))
    out = np.empty(bounds.size - 1)

    def work(start: int, stop: int) -> None:
        for block in range(start, stop):
            part = order[bounds[block]:bounds[block + 1]]
            out[block] = (times[part] * _expected_excess(
                first[part], second[part], float(n), int(terms[part].max()))).sum()

    run_chunks(work, out.size, 1)
    return math.fsum(out) / n


def _expected_excess(a: np.ndarray, b: np.ndarray, n: float, count: int) -> np.ndarray:
    """m times the mean of g over t hypergeometric with margins a and b of n, (k,).

    From the mode up and down, each of `count` terms is the one before times a ratio of small
    numbers; their own sum normalises them, so no factorial is needed.
    """
    a, b = a[:, None], b[:, None]
    c, p = n - a - b, a * b
    mode = np.minimum(np.maximum(np.floor((a + 1.0) * ((b + 1.0) / (n + 2.0))),
                                 np.maximum(0.0, -c)), np.minimum(a, b))
    step = np.arange(count)
    weight, total = np.ones(a.shape[0]), excess((mode * n - p) / p)[:, 0]
    for up in (True, False):
        v = mode + step if up else mode - step
        ratio = ((a - v) * (b - v) / ((v + 1.0) * (c + v + 1.0)) if up
                 else v * (c + v) / ((a - v + 1.0) * (b - v + 1.0)))
        share = np.cumprod(ratio, axis=1)
        d = ((v + (1.0 if up else -1.0)) * n - p) / p
        weight += share.sum(axis=1)
        total += (share * excess(np.maximum(d, -1.0))).sum(axis=1)
    return p[:, 0] / n * (total / weight)


def modelled_information(x: RandomPartition, y: RandomPartition) -> float:
    """Mean of I of two independent random partitions."""
    (a, a_times), (b, b_times) = x.mean_sizes(), y.mean_sizes()
    terms = len(a) * len(b) * (20.0 + 18.0 * math.sqrt(float(a.mean()) * float(b.mean()) / x.n))
    if terms > MOST_TERMS:
        raise ClusteringError(f"the mean of the mutual information would take {terms:.0g} terms "
                              f"(at most {MOST_TERMS:g}); chance(..., model=) draws partitions")
    return _expected_of(a, a_times, b, b_times, x.n)


def modelled_entropy(x: RandomPartition) -> float:
    """Mean entropy of a random partition."""
    sizes, times = x.mean_sizes()
    shares = sizes / x.n
    return max(0.0, -math.fsum((times * shares * np.log(shares)).tolist()))


# -- bounds over completions of missing labels, a `completion.problem.IncompleteTable` --------
def mutual_bounds(problem: Any, any_cluster: bool) -> tuple[float, float]:
    """Bounds on the mutual information."""
    return 0.0, math.log(problem.n if any_cluster else max(1, min(problem.shape)))


def variation_bounds(problem: Any, any_cluster: bool) -> tuple[float, float]:
    """Bounds on the variation of information."""
    n, known = problem.n, int(problem.table.sum())
    r, s = problem.shape
    high = math.log(n)
    if not any_cluster:
        high = min(high, math.log(max(r, 1)) + math.log(max(s, 1)))
    if known == 0:
        return 0.0, high
    value = TableInformation(contingency_from_table(problem.table)).variation
    # n VI never falls when an object is added.
    return max(0.0, known * value / n * (1.0 - 1e-12)), high


def adjusted_bounds(problem: Any, any_cluster: bool) -> tuple[float, float]:
    """Bounds on the adjusted mutual information from those on the variation of information.

    The index is 1 - VI / 2 / (mean entropy - E). E, the expected information, is at least 0 and at
    most (r - 1)(s - 1)/(n - 1): Jensen's inequality for the size-biased hypergeometric counts, and
    ln u <= u - 1.
    """
    low, high = variation_bounds(problem, any_cluster)
    gaps = int(problem.columns.sum()) + problem.both, int(problem.rows.sum()) + problem.both
    known = [problem.table.sum(axis=1) + problem.rows, problem.table.sum(axis=0) + problem.columns]
    if any_cluster:
        known = [np.append(a, np.zeros(gap, np.int64)) for a, gap in zip(known, gaps)]
    chance = (known[0].size - 1) * (known[1].size - 1) / (problem.n - 1)
    lows, highs = [], []
    for counts, gap in zip(known, gaps):
        n = int(counts.sum()) + gap
        ordered = np.sort(counts)
        level, k = 0.0, np.arange(1, counts.size + 1)
        if gap:   # the smallest k are raised to the same height, above which the others stand
            heights = (np.cumsum(ordered) + gap) / k
            level = float(heights[np.flatnonzero(ordered < heights)[-1]])
        full = np.append(ordered[:-1], ordered[-1] + gap) / n   # one cluster takes all gaps
        even = np.maximum(ordered, level) / n                   # or the smallest do
        lows.append(float(-T_LOG_T.values(full).sum()))
        highs.append(float(-T_LOG_T.values(even).sum()))
    narrow, wide = sum(lows) / 2 - chance, sum(highs) / 2
    return (1.0 - high / 2 / narrow * (1.0 + 1e-12) if narrow > 0.0 else -math.inf,
            1.0 - low / 2 / wide * (1.0 - 1e-12) if wide > 0.0 else 1.0)

