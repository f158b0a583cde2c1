"""One bootstrap scheme as the kernels need it, and many replicates drawn by it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from .. import _kernels
from .._parallel import run_chunks
from .prior import GaussianMixturePrior
from .replicates import Streams

EFRON, BAYESIAN, SUBSAMPLE, PROPER = 0, 1, 2, 3
#: draws handed to a thread at once
_CHUNK = 1 << 17


class Draws(NamedTuple):
    """A scheme as the kernels take it; see `Scheme`."""

    scheme: int
    n: int
    prior_weight: float
    fixed: int
    cumulated: np.ndarray
    means: np.ndarray
    roots: np.ndarray
    shape: float


@lru_cache(maxsize=4)   # of a prior by its identity: it never changes
def _mixture(prior: GaussianMixturePrior) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Cumulated weights, means and transposed roots."""
    return (np.cumsum(prior.weights), np.array(prior.means),
            np.ascontiguousarray(prior.roots().transpose(0, 2, 1)))


class DrawRoom(NamedTuple):
    """What a draw works in."""

    uniforms: np.ndarray
    normals: np.ndarray
    places: np.ndarray
    by_component: np.ndarray


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
    prior : GaussianMixturePrior, optional
        PROPER: where such draws come from. None leaves their points to the caller.
    """

    code: int
    n: int
    d: int
    m: int
    prior_weight: float = 0.0
    fixed: int = -1
    shape: float = 1.0
    prior: GaussianMixturePrior | None = None

    @property
    def weighted(self) -> bool:
        """Whether the scheme draws weights."""
        return self.code in (BAYESIAN, PROPER)

    def arguments(self) -> Draws:
        """As the kernels take it."""
        if self.prior is None:
            mixture = (
                np.ones(1), np.zeros((1, self.d)), np.zeros((1, self.d, self.d)))
        else:
            mixture = _mixture(self.prior)
        return Draws(int(self.code), int(self.n), float(self.prior_weight), int(self.fixed),
                     *mixture, float(self.shape))

    def scratch(self) -> DrawRoom:
        """What a draw works in: uniform numbers, normal ones in pairs, places of draws, and
        their order by components, with one place to spare."""
        normals = self.m * self.d if self.code == PROPER else 0
        return DrawRoom(np.empty(max(self.n, self.m)), np.empty(normals + normals % 2),
                        np.empty(self.m, dtype=np.int64), np.empty(self.m + 1, dtype=np.int64))

    def one(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Room for one replicate: source, points, weights."""
        return (np.empty(self.m, dtype=np.int64),
                np.empty((self.m if self.code == PROPER else 0, self.d)), np.ones(self.m))


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
        """Those of replicates `start` to `stop` - 1, as copies a kernel may take."""
        a, b = start - self.first, stop - self.first

        def cut(array: np.ndarray, own: bool) -> np.ndarray:
            return np.array(array[a:b] if own else array)
        return Ready(first=start, source=cut(self.source, True),
                     points=cut(self.points, self.points.shape[1] > 0),
                     weights=cut(self.weights, self.weights.shape[0] > 1
                                 or self.source.shape[0] == 1))


def draw_block(scheme: Scheme, streams: Streams, first: int, last: int
               ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Replicates `first` to `last` - 1: source (B, m), points (B, m, d) or (1, 0, d), weights.

    Points are set where source is -1 and otherwise left undefined. Weights have one row of ones
    when the scheme draws none.
    """
    count = last - first
    source = np.empty((count, scheme.m), dtype=np.int64)
    points = (np.empty((count, scheme.m, scheme.d)) if scheme.code == PROPER
              else np.empty((1, 0, scheme.d)))
    weights = np.ones((count if scheme.weighted else 1, scheme.m))
    states = streams.states(first, last)
    arguments = scheme.arguments()

    def work(start: int, stop: int) -> None:
        def rows(array: np.ndarray, own: bool) -> np.ndarray:
            return array[start:stop] if own else array
        _kernels.bagging.draw_replicates(
            states[start:stop], arguments, scheme.scratch(), source[start:stop],
            rows(points, scheme.code == PROPER), rows(weights, scheme.weighted))

    run_chunks(work, count, max(1, _CHUNK // scheme.m))
    return source, points, weights


def draw_one(scheme: Scheme, state: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """One replicate from its state, which moves on: source (m,), points (m, d), weights (m,)."""
    source, points, weights = scheme.one()
    _kernels.bagging.draw(state, scheme.arguments(), scheme.scratch(), source, points, weights)
    return source, points, weights


def drawn(uniforms: np.ndarray) -> np.ndarray:
    """Objects floor(u n) of uniform numbers, (n,) or (B, n)."""
    n = uniforms.shape[-1]
    return np.minimum((uniforms * n).astype(np.int64), n - 1)
