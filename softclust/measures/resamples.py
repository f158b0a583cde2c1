"""Bootstrap resamples as weights of the objects, and sums over them.

A resample is a weight w_i of each object. Sums over objects count object i w_i times; the pair
i < j counts w_i w_j times, and no object is paired with itself: counting the copies of an object
as pairs would add n(n-1)/2 / n agreements to a bootstrap resample on average.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np

from ..running.blas import one_thread

T = TypeVar("T")

#: numbers kept for all resamples together
MOST_KEPT = 1 << 26
#: up to this many pairs every object is left out, beyond them at least this many objects
MOST_PAIRS, FEWEST_SAMPLED = 50_000_000, 1000
#: seed of that sample, so that limits are deterministic
_SAMPLE = 19610607


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Draws:
    """Bootstrap resamples of n objects, drawn when they are needed.

    Attributes
    ----------
    n_objects, count : int
        Objects drawn in each resample, and number of resamples.
    seeds : object
        ``seeds.generator(b)`` draws resample b.
    run : callable
        ``run(work, stop, what)`` calls ``work(start, stop)`` on ranges of 0, ..., stop and returns
        the parts in their order.
    """

    n_objects: int
    count: int
    seeds: Any
    run: Callable[[Any, int, str], list[Any]]
    #: cache of results for these draws
    memory: dict[Hashable, Any] = field(default_factory=dict)

    def kept(self, key: Hashable, compute: Callable[[], T]) -> T:
        """Cached result of `compute` under `key`."""
        if key not in self.memory:
            self.memory[key] = compute()
        return self.memory[key]

    def squares(self) -> np.ndarray:
        """Sums of squared weights, (count,) int64."""
        work = _SumSquares(self.n_objects, self.seeds)
        return np.concatenate(self.run(work, self.count, "resamples"))

    def sums(self, values: np.ndarray) -> np.ndarray:
        """Weighted sums over the objects of values (n, q), (count, q)."""
        return np.concatenate(self.run(_SumObjects(values, self.seeds), self.count, "resamples"))


def objects_left_out(n: int) -> np.ndarray:
    """Objects to leave out where each costs O(n): all, or a fixed random sample, (m,) int64.

    Up to `MOST_PAIRS` pairs, all of them; beyond, as many as visit that number of pairs, but at
    least 1000.
    """
    if n * (n - 1) // 2 <= MOST_PAIRS:
        return np.arange(n)
    rng = np.random.default_rng(_SAMPLE)
    return np.sort(rng.choice(n, max(FEWEST_SAMPLED, MOST_PAIRS // n), replace=False))


def drawn_weights(n: int, rng: np.random.Generator) -> np.ndarray:
    """Number of times each of n objects is drawn in n draws with replacement, (n,) int64."""
    return np.bincount(rng.integers(n, size=n), minlength=n)


# -- work on a range of resamples -------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class _SumSquares:
    n: int
    seeds: Any

    def __call__(self, start: int, stop: int) -> np.ndarray:
        weights = (drawn_weights(self.n, self.seeds.generator(b)) for b in range(start, stop))
        return np.array([int(w @ w) for w in weights])


@dataclass(frozen=True, slots=True)
class _SumObjects:
    values: np.ndarray
    seeds: Any

    def __call__(self, start: int, stop: int) -> np.ndarray:
        out = np.empty((stop - start, self.values.shape[1]))
        for b in range(start, stop):
            weights = drawn_weights(self.values.shape[0], self.seeds.generator(b))
            with one_thread():
                out[b - start] = weights.astype(np.float64) @ self.values
        return out
