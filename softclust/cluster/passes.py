"""Passes of c-means over blocks of objects, in NumPy.

The arrays of a block have a row per cluster, so that every step runs along the objects. Distances
are sums of squared differences in the order of the features. Blocks have a fixed size and their
sums are added in order; no BLAS takes part, whose bits may depend on its threads.

With r in [0, 1] a ratio of squared distances, z = r^(1/(m-1)) and s = sum of the z (fuzzy) or
1 + z (possibilistic), memberships to the power m are r z s^-m: one power per membership.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.spatial.distance import cdist

from ..running.threads import run_chunks

#: numbers in an array of a block, and least objects of a block
NUMBERS = 1 << 14
LEAST = 64
#: is added to relative distances, which may be 0
_LEAST_SHARE = 1e-3


@dataclass(frozen=True, slots=True, kw_only=True)
class Data:
    """Checked training data.

    Attributes
    ----------
    x : (n, p) float64, C order
        Objects.
    weights : (n,) float64
        Weights >= 0, not all 0.
    origin : (p,) float64
        Medians of the features of objects of positive weight: sums of differences to them keep
        digits where objects lie far from zero, or some objects far from all others.
    columns : (p, n) float64
        Features in rows, minus the origin.
    scale : float
        Square root of the mean over features of the weighted variance (divisor: sum of
        weights): the unit of `tol`; exactly 0 when all objects of positive weight are equal.
    """

    x: np.ndarray
    weights: np.ndarray
    origin: np.ndarray
    columns: np.ndarray
    scale: float

    @classmethod
    def of(cls, x: np.ndarray, weights: np.ndarray | None = None) -> Data:
        """Training data from checked objects and weights; the weights are 1 when None."""
        w = np.ones(x.shape[0]) if weights is None else weights
        positive = w > 0.0
        columns = x.T.copy()
        origin = np.median(columns if positive.all() else columns[:, positive], axis=1)
        columns -= origin[:, None]
        share = w / w.max()
        share /= share.sum()
        mean = np.einsum("ji,i->j", columns, share)
        squares = sum(float(np.einsum("i,i,i->", share, y, y))
                      for y in (row - m for row, m in zip(columns, mean)))
        return cls(x=x, weights=w, origin=origin, columns=columns,
                   scale=math.sqrt(squares / x.shape[1]))


def count_blocks(n: int, rows: int) -> int:
    """Number of blocks of n objects, for arrays of this many rows."""
    return -(-n // _size(rows))


def run_blocks(work: Callable[[int, slice], object], n: int, rows: int) -> None:
    """Call ``work(block, objects)`` for all blocks of n objects, on threads."""
    size = _size(rows)

    def run(start: int, stop: int) -> None:
        for block in range(start, stop):
            work(block, slice(block * size, min((block + 1) * size, n)))

    run_chunks(run, count_blocks(n, rows), 1)


def _size(rows: int) -> int:
    return max(LEAST, NUMBERS // rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pass:
    """Sums of one pass over the objects, where a_ik is w_i times a membership to the power m.

    Attributes
    ----------
    steps : (c, p) float64
        From the present centres to the next; 0 where `totals` is 0.
    totals : (c,) float64
        Sums of a_ik over the objects.
    costs : (c,) float64
        Terms of the objective, by clusters.
    """

    steps: np.ndarray
    totals: np.ndarray
    costs: np.ndarray

    @property
    def objective(self) -> float:
        """The objective for the present centres."""
        return math.fsum(self.costs)


#: of objects (B, p) and weights (B,): a_ik and terms of the objective, (c, B) both
Terms = Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]


def fuzzy_pass(data: Data, centers: np.ndarray, m: float) -> Pass:
    """One pass of fuzzy c-means."""
    def terms(x: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        d2, r, z, total = _fuzzy_ratios(x, centers, m)
        r *= z
        r *= weights * (1.0 / total) ** m
        d2 *= r
        return r, d2
    return _pass(data, centers, terms)


def relative_pass(data: Data, centers: np.ndarray, m: float) -> Pass:
    """One pass of c-means by relative distances; a_ik is taken before memberships sum to 1."""
    def terms(x: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        d2, shares, u = _relative_shares(x, centers, m)
        # Over the largest possible value: 1e3^(m^2) would overflow.
        return (_LEAST_SHARE / shares) ** (m * m) * weights, u**m * d2 * weights
    return _pass(data, centers, terms)


def possibilistic_pass(data: Data, centers: np.ndarray, eta: np.ndarray, m: float) -> Pass:
    """One pass of possibilistic c-means with fixed eta (c,).

    A term of the objective, w t^m d2 + eta w (1 - t)^m, is w min(d2, eta) (1 + z)^(1-m).
    """
    def terms(x: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        near, low, r, z = _possibilistic_ratios(x, centers, eta, m)
        total = 1.0 + z
        g = weights * (1.0 / total) ** m
        low *= g * total
        r *= z
        return g * np.where(near, 1.0, r), low
    return _pass(data, centers, terms)


def hard_pass(data: Data, centers: np.ndarray) -> Pass:
    """One pass of k-means; ties go to the lowest cluster."""
    clusters = np.arange(centers.shape[0])[:, None]

    def terms(x: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        d2 = cdist(centers, x, "sqeuclidean")
        a = np.where(clusters == d2.argmin(axis=0), weights, 0.0)
        return a, a * d2
    return _pass(data, centers, terms)


def memberships(x: np.ndarray, centers: np.ndarray, m: float) -> np.ndarray:
    """Fuzzy memberships (n, c) of the objects."""
    out = np.empty((x.shape[0], centers.shape[0]))

    def work(_block: int, part: slice) -> None:
        _, _, z, total = _fuzzy_ratios(x[part], centers, m)
        out[part] = (z / total).T

    run_blocks(work, *out.shape)
    return out


def relative_memberships(x: np.ndarray, centers: np.ndarray, m: float) -> np.ndarray:
    """Memberships (n, c) by relative distances."""
    out = np.empty((x.shape[0], centers.shape[0]))

    def work(_block: int, part: slice) -> None:
        out[part] = _relative_shares(x[part], centers, m)[2].T

    run_blocks(work, *out.shape)
    return out


def typicalities(x: np.ndarray, centers: np.ndarray, eta: np.ndarray, m: float) -> np.ndarray:
    """Possibilistic typicalities (n, c) of the objects."""
    out = np.empty((x.shape[0], centers.shape[0]))

    def work(_block: int, part: slice) -> None:
        near, _, _, z = _possibilistic_ratios(x[part], centers, eta, m)
        out[part] = (np.where(near, 1.0, z) / (1.0 + z)).T

    run_blocks(work, *out.shape)
    return out


def _fuzzy_ratios(x: np.ndarray, centers: np.ndarray, m: float) -> tuple[np.ndarray, ...]:
    """Squared distances d2, r = least d2 / d2 and z, (c, B) each; the sums of z, (B,).

    An object on one or several centres has r = 1 there and 0 elsewhere.
    """
    d2 = cdist(centers, x, "sqeuclidean")
    nearest = d2.min(axis=0)
    with np.errstate(invalid="ignore"):
        r = nearest / d2
    if not nearest.all():
        r[d2 == 0.0] = 1.0
    z = r ** (1.0 / (m - 1.0))
    return d2, r, z, z.sum(axis=0)


def _relative_shares(x: np.ndarray, centers: np.ndarray, m: float) -> tuple[np.ndarray, ...]:
    """Squared distances; distances over their sum (0 / 0 is 0) + .001; memberships; (c, B) each."""
    d2 = cdist(centers, x, "sqeuclidean")
    d = np.sqrt(d2)
    total = d.sum(axis=0)
    shares = d / np.where(total > 0.0, total, 1.0) + _LEAST_SHARE
    z = (shares.min(axis=0) / shares) ** m
    return d2, shares, z / z.sum(axis=0)


def _possibilistic_ratios(x: np.ndarray, centers: np.ndarray, eta: np.ndarray, m: float
                          ) -> tuple[np.ndarray, ...]:
    """Indicator d2 <= eta, min(d2, eta), r = the smaller over the larger, and z; (c, B) each.

    Typicalities are 1 / (1 + z) where d2 <= eta and z / (1 + z) elsewhere, so nothing overflows;
    eta = 0 gives 1 on the centre and 0 elsewhere.
    """
    d2, bound = cdist(centers, x, "sqeuclidean"), eta[:, None]
    low, high = np.minimum(d2, bound), np.maximum(d2, bound)
    r = np.divide(low, high, out=np.zeros_like(low), where=high > 0.0)
    return d2 <= bound, low, r, r ** (1.0 / (m - 1.0))


def _pass(data: Data, centers: np.ndarray, terms: Terms) -> Pass:
    c, p = centers.shape
    n = data.x.shape[0]
    out = np.empty((count_blocks(n, c), c, p + 2))

    def work(block: int, part: slice) -> None:
        a, costs = terms(data.x[part], data.weights[part])
        sums = out[block]
        np.einsum("ki,ji->kj", a, data.columns[:, part], out=sums[:, :p])
        sums[:, p] = a.sum(axis=1)
        sums[:, p + 1] = costs.sum(axis=1)

    run_blocks(work, n, c)
    sums = out.sum(axis=0)
    totals = sums[:, p]
    present = totals > 0.0
    # Nothing near a centre (m close to 1, a bad start): the centre stays.
    steps = np.zeros((c, p))
    steps[present] = (sums[present, :p] / totals[present, None]
                      - (centers[present] - data.origin))
    return Pass(steps=steps, totals=totals, costs=sums[:, p + 1])
