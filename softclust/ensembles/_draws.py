"""One bootstrap scheme, and replicates drawn by it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from .prior import GaussianMixturePrior, sample_from
from .replicates import Streams, one_blas_thread

EFRON, BAYESIAN, SUBSAMPLE, PROPER = 0, 1, 2, 3


@lru_cache(maxsize=4)   # of a prior by its identity: it never changes
def _mixture(prior: GaussianMixturePrior) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Cumulated weights, means and transposed roots."""
    return (np.cumsum(prior.weights)[:-1], np.array(prior.means),
            np.ascontiguousarray(prior.roots().transpose(0, 2, 1)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Scheme:
    """How a replicate of n objects with d features is drawn.

    Attributes
    ----------
    code : int
        EFRON, BAYESIAN (Rubin), SUBSAMPLE or PROPER.
    n, d, m : int
        Objects, features, draws of a replicate.
    prior_weight : float
        Probability of a draw from the prior.
    fixed : int
        Exact number of such draws, or -1.
    shape : float
        Of the gamma numbers behind the weights.
    prior : GaussianMixturePrior or function (size, generator) -> points, optional
        PROPER: where such draws come from.
    """

    code: int
    n: int
    d: int
    m: int
    prior_weight: float = 0.0
    fixed: int = -1
    shape: float = 1.0
    prior: Any = None

    @property
    def weighted(self) -> bool:
        """Whether the scheme draws weights."""
        return self.code in (BAYESIAN, PROPER)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready:
    """Given draws of replicates from number `first` on.

    Attributes
    ----------
    source : (B, m) int64
    points : (B, m, d) float64, or (1, 0, d)
    weights : (B, m) float64, or (1, m)
    """

    first: int
    source: np.ndarray
    points: np.ndarray
    weights: np.ndarray

    def digest(self, stop: int) -> bytes:
        """Tells the draws of replicates up to `stop` - 1 from others."""
        cut = self.rows(self.first, stop)
        found = hashlib.blake2b(digest_size=16)
        for array in (cut.source, np.where(cut.source[..., None] < 0, cut.points, 0.0)
                      if cut.points.size else cut.points, cut.weights):
            found.update(np.ascontiguousarray(array).tobytes())
        return found.digest()

    def rows(self, start: int, stop: int) -> Ready:
        """Those of replicates `start` to `stop` - 1."""
        a, b = start - self.first, stop - self.first

        def cut(array: np.ndarray, own: bool) -> np.ndarray:
            return array[a:b] if own else array
        return Ready(first=start, source=cut(self.source, True),
                     points=cut(self.points, self.points.shape[1] > 0),
                     weights=cut(self.weights, self.weights.shape[0] > 1
                                 or self.source.shape[0] == 1))

    def one(self, b: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Replicate b, as `draw_one` gives it."""
        part = self.rows(b, b + 1)
        return part.source[0], part.points[0], part.weights[0]


def draw_one(scheme: Scheme, rng: np.random.Generator
             ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """One replicate: source (m,), -1 for the prior; points (m, d) or (0, d); weights (m,).

    Points are set where source is -1. Weights have the sum 1; ones where the scheme draws none.
    """
    n, d, m = scheme.n, scheme.d, scheme.m
    nothing = np.empty((0, d))
    if scheme.code == EFRON:
        return rng.integers(0, n, m), nothing, np.ones(m)
    if scheme.code == SUBSAMPLE:
        return np.sort(rng.choice(n, m, replace=False)), nothing, np.ones(m)
    if scheme.code == BAYESIAN:
        weights = rng.standard_exponential(n)
        return np.arange(n), nothing, weights / weights.sum()
    # Every number is drawn, used or not: curves over the prior's weight differ by it alone.
    source = rng.integers(0, n, m)
    prior = (rng.permutation(m) < scheme.fixed if scheme.fixed >= 0
             else rng.random(m) < scheme.prior_weight)
    source[prior] = -1
    if isinstance(scheme.prior, GaussianMixturePrior):
        cumulated, means, roots = _mixture(scheme.prior)
        component = np.searchsorted(cumulated, rng.random(m), side="right")
        points = rng.standard_normal((m, d))
        for k in range(means.shape[0]):
            at = np.flatnonzero(prior & (component == k))
            points[at] = means[k] + points[at] @ roots[k]
    elif prior.any():
        points = sample_from(scheme.prior, m, d, rng.spawn(1)[0])
    else:
        points = np.zeros((m, d))
    weights = rng.standard_gamma(scheme.shape, m)
    return source, points, weights / weights.sum()


def draw_block(scheme: Scheme, streams: Streams, first: int, last: int
               ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Replicates `first` to `last` - 1: source (B, m), points (B, m, d) or (1, 0, d), weights.

    Weights have one row of ones when the scheme draws none.
    """
    count, proper = last - first, scheme.code == PROPER
    source = np.empty((count, scheme.m), dtype=np.int64)
    points = np.empty((count if proper else 1, scheme.m if proper else 0, scheme.d))
    weights = np.ones((count if scheme.weighted else 1, scheme.m))
    with one_blas_thread():
        for i in range(count):
            source[i], extra, weight = draw_one(scheme, streams.generator(first + i))
            if proper:
                points[i] = extra
            if scheme.weighted:
                weights[i] = weight
    return source, points, weights
