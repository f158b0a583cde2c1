"""Random partitions of n objects: with given sizes, a given number of clusters, or any.

Gates and Ahn (2017). Every partition of a model is equally likely. A model is "permutation" (the
sizes as they are), "number" (k clusters) or "all" (any number).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from .._checks import ClusteringError, check_choice, shown

MODELS = ("permutation", "number", "all")
#: message where fixed= has no effect
FIXED = 'fixed= names the side that stays under model="number" or "all"; leave it out here'
#: up to this many objects numbers of partitions are counted as integers
EXACT = 200
#: sizes at a time in sums over the circle
_SIZES = 1024
#: objects from which on the share of joined pairs is smooth enough in n for three values
_SMOOTH = 10**8


@dataclass(frozen=True, slots=True)
class RandomPartition:
    """One random side: the model, the sizes of the clusters as they are, and n."""

    model: str
    sizes: np.ndarray
    n: int

    @property
    def k(self) -> int:
        """Number of clusters that are not empty."""
        return int(np.count_nonzero(self.sizes))

    def joined(self) -> float:
        """Chance that two objects are together."""
        if self.model == "permutation":
            pairs = sum(size * (size - 1) for size in self.sizes.tolist())
            return pairs / (self.n * (self.n - 1))
        return joined_of_number(self.n, self.k) if self.model == "number" else joined_of_all(self.n)

    def mean_sizes(self) -> tuple[np.ndarray, np.ndarray]:
        """Sizes, and the mean number of clusters of each."""
        if self.model == "permutation":
            sizes, times = np.unique(self.sizes[self.sizes > 0], return_counts=True)
            return sizes, times.astype(np.float64)
        n, k = self.n, self.k
        if self.model == "number" and k in (1, n):
            return np.array([n // k]), np.array([float(k)])
        if n <= EXACT:
            return np.arange(1, n + 1), _mean_numbers(self.model, n, k)
        return _sizes_of_all(n) if self.model == "all" else _sizes_of_number(n, k)


def sides(model: str, fixed: str | None, a: np.ndarray, b: np.ndarray, n: int
          ) -> tuple[RandomPartition, RandomPartition]:
    """The models of both sides; the fixed one keeps its sizes."""
    check_model(model, fixed)
    return (RandomPartition("permutation" if fixed == "x" else model, a, n),
            RandomPartition("permutation" if fixed == "y" else model, b, n))


def check_model(model: str, fixed: str | None) -> None:
    """Raise ValueError unless model and fixed are known."""
    check_choice("model", model, MODELS)
    if fixed not in (None, "x", "y"):
        raise ValueError(f"fixed is {shown(fixed)}; None, 'x' or 'y' is needed")


# -- any partition ----------------------------------------------------------------------------
@lru_cache(maxsize=8)
def urns(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Numbers m of urns and their chances under Dobinski's weights m^n / m!.

    n objects thrown into m urns, m by this law, empty urns dropped, are a uniform partition
    (Stam 1983).
    """
    from scipy.special import gammaln, lambertw
    mode = max(1.0, round(n / float(lambertw(float(n)).real)))
    sd = math.sqrt(1.0 / (n / mode**2 + 1.0 / mode))
    reach = math.ceil(14.0 * sd) + 20
    d = np.arange(max(1.0, mode - reach), mode + reach + 1.0) - mode
    m, u = mode + d, d / mode
    if mode < 1000:
        log = n * np.log(m) - gammaln(m + 1.0)
    else:
        # Differences from the mode: logarithms of factorials of large numbers lose digits.
        log = (d * (n / mode - math.log(mode)) + n * (excess(u) - u * np.log1p(u))
               - mode * excess(u)
               - 0.5 * np.log1p(u) - (1.0 / m - 1.0 / mode) / 12.0)
    weights = np.exp(log - log.max())
    return m, weights / weights.sum()


def excess(d: np.ndarray) -> np.ndarray:
    """g(d) = (1 + d) log(1 + d) - d for d >= -1, to about 1e-15.

    For small d as z (d + 2 (1 + d) q), in which nothing cancels: log(1 + d) = 2 z (1 + q),
    z = d / (2 + d), q = z^2/3 + z^4/5 + ...
    """
    y = 1.0 + d
    z = d / (2.0 + d)
    u = z * z
    q = np.full_like(u, 1.0 / 19.0)
    for k in range(17, 1, -2):
        q *= u
        q += 1.0 / k
    near = z * (d + 2.0 * y * (u * q))
    far = np.abs(d) >= 0.25
    if far.any():
        y, d = y[far], d[far]
        near[far] = y * np.log(np.where(y > 0.0, y, 1.0)) - d
    return near


def joined_of_all(n: int) -> float:
    """Bell(n - 1) / Bell(n)."""
    if n <= EXACT:
        return bell_numbers(n)[n - 1] / bell_numbers(n)[n]
    if n > 10**14:
        from scipy.special import lambertw
        return float(lambertw(float(n)).real) / n
    m, chances = urns(n)
    return float((chances / m).sum())


@lru_cache(maxsize=4)
def bell_numbers(n: int) -> tuple[int, ...]:
    """Bell(0), ..., Bell(n), by the triangle."""
    numbers, row = [1], [1]
    for _ in range(n):
        after = [row[-1]]
        for value in row:
            after.append(after[-1] + value)
        row = after
        numbers.append(row[0])
    return tuple(numbers)


# -- k clusters -------------------------------------------------------------------------------
def joined_of_number(n: int, k: int) -> float:
    """S(n - 1, k) / S(n, k), S the Stirling numbers of the second kind."""
    if k == 1:
        return 1.0
    if k == n:
        return 0.0
    if n <= EXACT:
        column = stirling_column(n, k)
        return column[n - 1] / column[n]
    if n / k > 60.0 + math.log(k):
        return 1.0 / k
    z = poisson_mean(n, k)
    t, log, mean = _on_circle(k, z, k * (n / k) * (1.0 + z - n / k))
    value = np.exp(log - 1j * (n - mean) * t)
    ratio = 1.0 + float((value * np.expm1(1j * t)).real.sum() / value.real.sum())
    return z / n * ratio


def _on_circle(k: int, z: float, variance: float) -> tuple[np.ndarray, np.ndarray, float]:
    """Angles t, log G(t) - i t N, and N, for the trapezium rule.

    G is the generating function of the sum of k zero-truncated Poisson(z) numbers on the circle
    |.| = z, and N a number near the mean, so that phases stay small.
    """
    if variance < 400.0:
        t = 2.0 * math.pi * np.arange(800) / 800.0
        t[t > math.pi] -= 2.0 * math.pi
    else:
        t = np.linspace(-9.5, 9.5, 1601) / math.sqrt(variance)
    u = t * t   # sin t - t of small t by its series
    series = -t * u / 6.0 * (1.0 - u / 20.0 * (1.0 - u / 42.0 * (1.0 - u / 72.0)))
    bend = np.where(np.abs(t) < 0.3, series, np.sin(t) - t)
    log = z * (-2.0 * np.sin(t / 2.0) ** 2 + 1j * bend)
    w = z * np.exp(1j * t)
    if z < 0.3:
        return t, k * (log + _log_share(w) - _log_share(z)), k * (1.0 + z)
    return t, k * (log + np.log1p(-np.exp(-w)) - math.log(-math.expm1(-z))), k * z


def _log_share(w: Any) -> Any:
    """log((1 - exp(-w)) / w) of small w, by its series."""
    u = w * w
    return -w / 2.0 + u / 24.0 * (1.0 - u / 120.0 * (1.0 - u / 63.0 * (1.0 - 3.0 * u / 160.0)))


def truncated_poisson(z: float, limit: int) -> tuple[np.ndarray, np.ndarray]:
    """Sizes t up to `most`, and their chances under Poisson(z) given t >= 1, above 1e-22."""
    reach = 10.0 * math.sqrt(z) + 60.0
    sizes = np.arange(max(1, math.floor(z - reach)), min(limit, math.ceil(z + reach)) + 1)
    return sizes, _poisson(sizes, z) / -math.expm1(-z)


def _poisson(t: np.ndarray, z: float) -> np.ndarray:
    """Chances of t >= 1 events, of which z are expected (Loader 2000)."""
    from scipy.special import gammaln
    u, far = (t - z) / z, 1.0 * t
    few = gammaln(far + 1.0) - (far + 0.5) * np.log(far) + far - 0.5 * math.log(2.0 * math.pi)
    v = 1.0 / (far * far)
    many = (1.0 - v * (1 / 30 - v * (1 / 105 - v / 140))) / (12.0 * far)
    return np.exp(-z * excess(u) - np.where(far < 20, few, many)) / np.sqrt(2.0 * math.pi * far)


def _sizes_of_number(n: int, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Sizes and mean numbers of clusters: one has t objects, the k - 1 others the rest."""
    if n / k > 200.0 + math.log(k):
        # Of uniform labels all occur, to the last bit: sizes are binomial.
        p, sizes = 1.0 / k, truncated_poisson(n / k, n - 1)[0]
        times = _poisson(sizes, n * p) * _poisson(n - sizes, n * (1.0 - p))
        return sizes, times * (k / times.sum())
    z = poisson_mean(n, k)
    sizes, chances = truncated_poisson(z, n - k + 1)
    if k == 2:
        rest = _poisson(n - sizes, z)
    else:
        angles, log, mean = _on_circle(k - 1, z, (k - 1) * (n / k) * (1.0 + z - n / k))
        rest = np.concatenate([
            np.exp(log - 1j * ((n - mean) - sizes[i:i + _SIZES, None]) * angles).real.sum(axis=1)
            for i in range(0, len(sizes), _SIZES)])
    times = chances * np.maximum(rest, 0.0)
    used = times > 1e-20 * times.max()
    return sizes[used], times[used] * (k / times.sum())


def _sizes_of_all(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Sizes t and mean numbers of clusters, C(n, t) Bell(n - t) / Bell(n)."""
    times, left = [n * joined_of_all(n)], n
    share: Callable[[int], float] = joined_of_all
    if n >= _SMOOTH:   # just below n, where it hardly changes, by a parabola
        first, middle, last = (joined_of_all(n - j) for j in (0, 100, 200))

        def parabola(m: int) -> float:
            s = (n - m) / 100.0
            return (first + s * (middle - first)
                    + 0.5 * s * (s - 1.0) * (last - 2.0 * middle + first))
        share = parabola
    while times[-1] > 1e-20 * max(times) or len(times) < 2:
        left -= 1
        times.append(times[-1] * left / (len(times) + 1) * share(left))
    return np.arange(1, len(times) + 1), np.array(times)


def poisson_mean(n: int, k: int) -> float:
    """z with z / (1 - exp(-z)) = n / k > 1."""
    from scipy.optimize import brentq
    mean = n / k
    if mean - 1.0 < 1e-7:
        return 2.0 * (n - k) / k

    def gap(z: float) -> float:
        return z / -math.expm1(-z) - mean
    return float(brentq(gap, (mean - 1.0), max(mean, 2.5 * (mean - 1.0)), xtol=1e-300, rtol=1e-15))


@lru_cache(maxsize=8)
def stirling_column(n: int, k: int) -> tuple[int, ...]:
    """S(0, k), ..., S(n, k)."""
    column = [1] + [0] * n
    for j in range(1, k + 1):
        after = [0] * (n + 1)
        for i in range(j, n + 1):
            after[i] = column[i - 1] + j * after[i - 1]
        column = after
    return tuple(column)


@lru_cache(maxsize=8)
def _mean_numbers(model: str, n: int, k: int) -> np.ndarray:
    """Mean numbers of clusters of sizes 1, ..., n."""
    if model == "all":
        fewer, whole = bell_numbers(n), bell_numbers(n)[n]
    else:
        fewer, whole = stirling_column(n, k - 1), stirling_column(n, k)[n]
    means, ways = [], 1
    for t in range(1, n + 1):
        ways = ways * (n - t + 1) // t
        means.append(ways * fewer[n - t] / whole)
    return np.array(means)


# -- draws ------------------------------------------------------------------------------------
#: chance that all clusters occur among uniform labels, from which these are drawn until they do
_LIKELY = 0.1
#: draws of sizes before giving up
_MOST = 2_000_000


def draw_sizes(model: str, sizes: np.ndarray, n: int, rng: np.random.Generator) -> np.ndarray:
    """Sizes of a uniform partition with as many clusters ("number") or any ("all")."""
    if model == "all":
        m, chances = urns(n)
        count = int(m[np.searchsorted(np.cumsum(chances), rng.random())])
        drawn = rng.multinomial(n, np.full(count, 1.0 / count))
        return drawn[drawn > 0]
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
