"""Sizes of the clusters of random partitions."""

from __future__ import annotations

import math

import numpy as np

from .._checks import ClusteringError
from .partition_models import poisson_mean, truncated_poisson, urns

#: chance that all clusters occur among uniform labels, from which these are drawn until they do
_LIKELY = 0.1
#: draws of sizes before giving up
_MOST = 2_000_000


def draw_sizes(model: str, sizes: np.ndarray, n: int, rng: np.random.Generator) -> np.ndarray:
    """Sizes of a uniform partition with as many clusters ("number") or any ("all")."""
    if model == "all":
        m, chances = urns(n)
        count = int(m[np.searchsorted(np.cumsum(chances), rng.random())])
        found = rng.multinomial(n, np.full(count, 1.0 / count))
        return found[found > 0]
    return _surjective(n, int(np.count_nonzero(sizes)), rng)


def _surjective(n: int, k: int, rng: np.random.Generator) -> np.ndarray:
    """Sizes of uniform labels among which all of k values occur, in any order."""
    if k == 1 or k == n:
        return np.full(k, n // k)
    # The chance that a value is missing is about k exp(-n/k).
    if k * math.exp(-n / k) <= -math.log(_LIKELY):
        shares = np.full(k, 1.0 / k)
        for _ in range(_MOST):
            sizes = rng.multinomial(n, shares)
            if sizes.all():
                return sizes
    # Else k zero-truncated Poisson numbers until their sum is n; how often each size occurs is
    # multinomial, so that an attempt does not take k numbers.
    z = poisson_mean(n, k)
    values, chances = truncated_poisson(z, n - k + 1)
    chances /= chances.sum()
    rows = math.ceil(3.0 * math.sqrt(k * (n / k) * (1.0 + z - n / k))) + 1
    for _ in range(_MOST // rows + 1):
        times = rng.multinomial(k, chances, size=rows)
        hits = np.flatnonzero(times @ values == n)
        if hits.size:
            return np.repeat(values, times[hits[0]])
    raise ClusteringError(f"no partition of {n} objects into {k} clusters was drawn in {_MOST} "
                          "attempts")
