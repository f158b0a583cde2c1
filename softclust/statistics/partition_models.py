"""Random partitions of n objects: with given sizes, a given number of clusters, or any.

Gates and Ahn (2017). Every partition of a model is equally likely. A model is "permutation" (the
sizes as they are), "number" (k clusters) or "all" (any number).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from .._checks import ClusteringError, check_choice, shown

MODELS = ("permutation", "number", "all")
#: up to this many objects numbers of partitions are counted as integers
EXACT = 200
#: objects up to which mean numbers of clusters of each size are computed
MOST_SIZES = 3000


@dataclass(frozen=True, slots=True)
class RandomSide:
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
        if self.n > MOST_SIZES:
            raise ClusteringError(
                f'the mean entropy under model="{self.model}" is computed for up to {MOST_SIZES} '
                f"objects, here are {self.n}; chance(..., model=) draws partitions")
        return np.arange(1, self.n + 1), _mean_numbers(self.model, self.n, self.k)


def sides(model: str, fixed: str | None, a: np.ndarray, b: np.ndarray, n: int
          ) -> tuple[RandomSide, RandomSide]:
    """The models of both sides; the fixed one keeps its sizes."""
    check_model(model, fixed)
    return (RandomSide("permutation" if fixed == "x" else model, a, n),
            RandomSide("permutation" if fixed == "y" else model, b, n))


def check_model(model: str, fixed: str | None) -> None:
    """Raise ValueError unless model and fixed are known."""
    check_choice("model", model, MODELS)
    if fixed not in (None, "x", "y"):
        raise ValueError(f"fixed is {shown(fixed)}; None, 'x' or 'y' is needed")


def expected_rand(x: RandomSide, y: RandomSide) -> float:
    """Mean Rand index of independent sides."""
    p, q = x.joined(), y.joined()
    return p * q + (1.0 - p) * (1.0 - q)


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
        log = (d * (n / mode - math.log(mode)) + n * _log_less(u)
               - mode * ((1.0 + u) * np.log1p(u) - u if mode < 1e6 else _excess(u))
               - 0.5 * np.log1p(u) - (1.0 / m - 1.0 / mode) / 12.0)
    weights = np.exp(log - log.max())
    return m, weights / weights.sum()


def _log_less(u: np.ndarray) -> np.ndarray:
    """log(1 + u) - u, by its series where u is small."""
    series = -u * u * (1 / 2 - u * (1 / 3 - u * (1 / 4 - u * (1 / 5 - u * (1 / 6 - u / 7)))))
    return np.where(np.abs(u) < 1e-3, series, np.log1p(u) - u)


def _excess(u: np.ndarray) -> np.ndarray:
    """(1 + u) log(1 + u) - u, by its series where u is small."""
    series = u * u * (1 / 2 - u * (1 / 6 - u * (1 / 12 - u * (1 / 20 - u * (1 / 30 - u / 42)))))
    return np.where(np.abs(u) < 1e-3, series, (1.0 + u) * np.log1p(u) - u)


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
    found, row = [1], [1]
    for _ in range(n):
        after = [row[-1]]
        for value in row:
            after.append(after[-1] + value)
        row = after
        found.append(row[0])
    return tuple(found)


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
    mean = n / k
    variance = k * mean * (1.0 + z - mean)
    if variance < 400.0:
        t = 2.0 * math.pi * np.arange(800) / 800.0
    else:
        t = np.linspace(-9.5, 9.5, 1601) / math.sqrt(variance)
    # log of the generating function of k zero-truncated Poisson numbers on the circle |.| = z
    inner = np.log1p(-np.exp(-z * np.exp(1j * t))) - math.log(-math.expm1(-z))
    log = k * (z * (-2.0 * np.sin(t / 2.0) ** 2 + 1j * np.sin(t)) + inner) - 1j * n * t
    value = np.exp(log)
    ratio = 1.0 + float((value * np.expm1(1j * t)).real.sum() / value.real.sum())
    return z / n * ratio


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
    found, ways = [], 1
    for t in range(1, n + 1):
        ways = ways * (n - t + 1) // t
        found.append(ways * fewer[n - t] / whole)
    return np.array(found)
