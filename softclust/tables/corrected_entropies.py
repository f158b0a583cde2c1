"""Entropies corrected for bias and for cells that were not seen (Chao, Wang, Jost 2013).

With n objects, f1 cells of one object and f2 of two, the estimate is

    sum_x (x/n) sum_{k=x}^{n-1} 1/k  +  (f1/n) sum_{r>=n} q^(r-n+1) / r,   q = 1 - A.

The first part is Zhang's estimate; the second is what cells without any object add. Its printed
finite form cancels badly, the series has positive terms. Without one object only the terms of its
cell change, so that all estimates without an object cost as much as one.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..measures.statistic import Replicates, Source, Statistic
from .contingency import Contingency
from .sums import T_LOG_T

#: the series of unseen cells is summed term by term where A is larger, or up to this many objects
_SMALL_A, _FEW = 0.01, 100
#: differences of harmonic numbers by their asymptotic series above this
_ASYMPTOTIC = 50
#: exp(z) E1(z) by its asymptotic series above this (exp overflows later)
_LARGE_Z = 50.0


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectedEntropies(Statistic):
    """Corrected entropies of x, of y and of both together, in nats.

    Attributes
    ----------
    h_x, h_y, h_xy : float
    """

    h_x: Any
    h_y: Any
    h_xy: Any

    @property
    def mutual(self) -> Any:
        """Corrected mutual information, which may be below 0."""
        return self.h_x + self.h_y - self.h_xy

    @classmethod
    def of(cls, source: Source) -> CorrectedEntropies:
        """Statistic of the table of two hard clusterings."""
        x, y, both = _parts(source)
        return cls(h_x=x.whole, h_y=y.whole, h_xy=both.whole)

    @classmethod
    def left_out(cls, source: Source) -> Replicates:
        """Without an object of each cell. O(cells)."""
        table = source.statistic(Contingency)
        x, y, both = _parts(source)
        return Replicates(times=table.counts, statistic=cls(
            h_x=x.without[table.rows], h_y=y.without[table.cols], h_xy=both.without))


    @classmethod
    def of_groups(cls, source: Any) -> CorrectedEntropies:
        """Statistic whose correction for bias is multiplied by the design effect of the groups."""
        x, y, both = _of_groups(source)
        return cls(h_x=x.whole, h_y=y.whole, h_xy=both.whole)

    @classmethod
    def left_out_groups(cls, source: Any) -> Replicates:
        """Statistic without each group, with fixed design effects. O(cells of all groups)."""
        x, y, both = _of_groups(source)
        return Replicates(times=np.ones(source.n_groups, np.int64), statistic=cls(
            h_x=x.without, h_y=y.without, h_xy=both.without))


@dataclass(frozen=True, slots=True)
class _Entropy:
    """The estimate of counts, and without an object of each of them."""

    whole: float
    without: np.ndarray


def _parts(source: Source) -> tuple[_Entropy, _Entropy, _Entropy]:
    def compute() -> tuple[_Entropy, _Entropy, _Entropy]:
        c = source.statistic(Contingency)
        return _entropy(c.a), _entropy(c.b), _entropy(c.counts)

    return source.kept("corrected entropies", compute)


def _of_groups(source: Any) -> tuple[_Entropy, _Entropy, _Entropy]:
    def compute() -> tuple[_Entropy, _Entropy, _Entropy]:
        p, c = source.parts, source.table
        cells = np.searchsorted(c.rows * c.s + c.cols, p.rows * p.s + p.cols)
        x, y, both = ((*source.margin("x"), c.a), (*source.margin("y"), c.b),
                      (p.part, cells, p.counts, c.counts))
        return (_without_groups(source, *x), _without_groups(source, *y),
                _without_groups(source, *both))

    return source.kept("corrected entropies", compute)


def _without_groups(source: Any, part: np.ndarray, cell: np.ndarray, counts: np.ndarray,
                    total: np.ndarray) -> _Entropy:
    """H + max(1, k) times the correction, whole and without each group.

    `counts` objects of group `part` are in `cell`, which has `total[cell]` objects of all.
    """
    from scipy.special import digamma
    n, groups, sizes = float(total.sum()), source.n_groups, source.sizes
    before, after = total[cell], total[cell] - counts

    def changed(values: np.ndarray) -> np.ndarray:
        return np.bincount(part, weights=values, minlength=groups)

    effect = 1.0
    used = int(np.count_nonzero(total))
    if used > 1 and groups < n:
        spread = (changed(counts * (counts * n / before)).sum() - float(sizes @ sizes))
        effect = max(1.0, spread * groups / (groups - 1) / (n * n / (n - 1) * (used - 1)))
    left = n - sizes

    def sums(phi: Callable[[np.ndarray], np.ndarray]) -> list[Any]:
        """Sum of phi over the cells, of all objects and without each group."""
        each = phi(total)
        whole = math.fsum(each)
        return [whole, whole - changed(each[cell] - phi(after))]

    plain, seen = sums(T_LOG_T.values), sums(lambda t: t * digamma(np.maximum(t, 1)))
    f1, f2 = (sums(lambda t, k=k: (t == k).astype(float)) for k in (1, 2))   # type: ignore[misc]

    def estimate(k: int, size: Any) -> Any:
        h = np.log(size) - plain[k] / size
        # The part of cells without any object, for each combination of numbers once.
        rare = np.column_stack(np.broadcast_arrays(
            np.rint(f1[k]), np.rint(f2[k]), np.rint(size))).astype(int)
        used, places = np.unique(rare, axis=0, return_inverse=True)
        unseen = np.array([_unseen(*row) for row in used.tolist()])[places.reshape(-1)]
        corrected = digamma(size) - seen[k] / size + (
            unseen if np.ndim(size) else float(unseen[0]))
        return h + effect * (corrected - h)

    return _Entropy(float(estimate(0, n)), estimate(1, left))


def corrected(counts: np.ndarray) -> float:
    """The estimate of counts (k,) int64 >= 0, not all of them 0."""
    return _entropy(counts).whole


def _entropy(counts: np.ndarray) -> _Entropy:
    sizes, place, times = np.unique(counts, return_inverse=True, return_counts=True)
    n = int((sizes * times).sum())
    used = sizes > 0
    gaps = np.zeros(sizes.shape[0])
    gaps[used] = harmonic_gap(sizes[used], n)
    seen = math.fsum((sizes * times * gaps).tolist()) / n
    f1, f2, f3 = (int(times[sizes == k].sum()) for k in (1, 2, 3))
    whole = seen + _unseen(f1, f2, n)
    if n == 1:
        return _Entropy(whole, np.full(counts.shape, np.nan))
    # Of an object less: the differences themselves, so that they keep their digits.
    left = seen + (seen - gaps - (sizes == 1)) / (n - 1)
    rest = np.full(sizes.shape[0], _unseen(f1, f2, n - 1))
    rest[sizes == 1] = _unseen(f1 - 1, f2, n - 1)
    rest[sizes == 2] = _unseen(f1 + 1, f2 - 1, n - 1)
    rest[sizes == 3] = _unseen(f1, f2 + 1, n - 1) if f3 else 0.0
    return _Entropy(whole, (left + rest)[place.reshape(-1)])


def harmonic_gap(x: np.ndarray, n: int) -> np.ndarray:
    """1/x + ... + 1/(n-1) for whole numbers 1 <= x <= n."""
    from scipy.special import digamma
    size = x.astype(np.float64)
    gaps = digamma(float(n)) - digamma(size)
    many = size > _ASYMPTOTIC
    u, v = 1.0 / size[many], 1.0 / n
    gaps[many] = (np.log1p((n - size[many]) / size[many]) + (u - v) / 2
                   + (u * u - v * v) / 12 - (u**4 - v**4) / 120 + (u**6 - v**6) / 252)
    return gaps


def _unseen(f1: int, f2: int, n: int) -> float:
    """Contribution of cells without any object."""
    if f1 <= 0:
        return 0.0
    if f2 > 0:
        a = 2.0 * f2 / ((n - 1.0) * f1 + 2.0 * f2)
    else:
        a = 2.0 / ((n - 1.0) * (f1 - 1.0) + 2.0)
    if a >= 1.0:
        return 0.0
    # Sum over r >= n of q^(r-n+1) / r, q = 1 - a.
    if a > _SMALL_A:
        series = _terms(a, n, n + math.ceil(40.0 / a))
    elif n >= _FEW:
        series = _tail(a, n)
    else:
        series = _terms(a, n, _FEW) + math.exp((_FEW - n) * math.log1p(-a)) * _tail(a, _FEW)
    return f1 / n * series


def _terms(a: float, n: int, stop: int) -> float:
    """The terms of r = n to stop - 1."""
    r = np.arange(n, stop)
    return math.fsum((np.exp((r - n + 1) * math.log1p(-a)) / r).tolist())


def _tail(a: float, n: int) -> float:
    """The sum by Euler and Maclaurin, for n >= 100 and a <= .01."""
    slope = -math.log1p(-a)
    n2, z = 1.0 / n, n * slope
    if z <= _LARGE_Z:
        from scipy.special import exp1
        integral = math.exp(z) * float(exp1(z))   # exp(z) E1(z)
    else:
        integral, term = 0.0, 1.0 / z
        for k in range(1, 20):
            integral += term
            term *= -k / z
    return (1.0 - a) * (
        integral + n2 / 2 + (slope + n2) * n2 / 12
        - (slope**3 + 3 * slope**2 * n2 + 6 * slope * n2**2 + 6 * n2**3) * n2 / 720)


def n_rare(c: Contingency) -> int:
    """Objects outside the cells that are the largest of their row or of their column."""
    rows, cols = np.zeros(c.r, np.int64), np.zeros(c.s, np.int64)
    np.maximum.at(rows, c.rows, c.counts)
    np.maximum.at(cols, c.cols, c.counts)
    main = (c.counts == rows[c.rows]) | (c.counts == cols[c.cols])
    return int(c.counts[~main].sum())
