"""Measures as functions of the sums of phi over cells and margins of many tables at once.

phi = t^2 for pair counts, t ln t for information: W over cells, X over rows, Y over columns.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from scipy.special import gammaln, xlogy

PAIRS = ("rand_index", "rand_distance", "symmetric_difference_distance", "adjusted_rand_index",
         "jaccard_index", "fowlkes_mallows_index")
LOGS = ("mutual_information", "normalized_mutual_information", "adjusted_mutual_information",
        "variation_of_information", "normalized_variation_of_information")
MATCHED = ("transfer_distance", "partition_distance", "coclassification_index")
MEASURES = (*PAIRS, *LOGS, *MATCHED)
DISTANCES = ("rand_distance", "symmetric_difference_distance", "variation_of_information",
             "normalized_variation_of_information", "transfer_distance", "partition_distance")


@dataclass(frozen=True, kw_only=True)
class Sums:
    """Sums of m tables of n objects; int64 for pairs, float64 for logarithms."""

    n: int
    w: np.ndarray
    x: np.ndarray
    y: np.ndarray
    log_w: np.ndarray
    log_x: np.ndarray
    log_y: np.ndarray
    a: np.ndarray
    b: np.ndarray

    @property
    def equal(self) -> np.ndarray:
        """Whether both partitions are the same."""
        return (self.w == self.x) & (self.w == self.y)


def sums_of(tables: np.ndarray) -> Sums:
    """Sums of tables (m, r, s)."""
    a, b = tables.sum(axis=2), tables.sum(axis=1)
    return Sums(n=int(tables[0].sum()), w=(tables * tables).sum(axis=(1, 2)), x=(a * a).sum(axis=1),
                y=(b * b).sum(axis=1), log_w=xlogy(tables, tables).sum(axis=(1, 2)),
                log_x=xlogy(a, a).sum(axis=1), log_y=xlogy(b, b).sum(axis=1), a=a, b=b)


@dataclass(slots=True)
class Expected:
    """Expected mutual information of margins, each computed once."""

    kept: dict[tuple[bytes, bytes], float] = field(default_factory=dict)

    def of(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """For margins (m, r) and (m, s), (m,)."""
        return np.array([self._one(u, v) for u, v in zip(a, b)])

    def _one(self, a: np.ndarray, b: np.ndarray) -> float:
        a, b = np.sort(a[a > 0]), np.sort(b[b > 0])
        key = (a.tobytes(), b.tobytes())
        if key not in self.kept:
            self.kept[key] = _expected_information(a, b)
        return self.kept[key]


def _expected_information(a: np.ndarray, b: np.ndarray) -> float:
    """Mean of the mutual information over tables with these margins [Vinh et al. 2010]."""
    n = int(a.sum())
    logs = gammaln(np.arange(n + 2) + 0.0)   # logs[t + 1] = ln t!
    total = []
    sizes, times = np.unique(b, return_counts=True)
    for u, repeats in zip(*np.unique(a, return_counts=True)):
        for v, more in zip(sizes, times):
            t = np.arange(max(1, u + v - n), min(u, v) + 1)
            if not t.size:
                continue
            chance = (logs[u + 1] + logs[v + 1] + logs[n - u + 1] + logs[n - v + 1] - logs[n + 1]
                      - logs[t + 1] - logs[u - t + 1] - logs[v - t + 1] - logs[n - u - v + t + 1])
            parts = t / n * np.log(n * t / (u * v)) * np.exp(chance)
            total.append(float(parts.sum()) * int(repeats) * int(more))
    return math.fsum(total)


def values_of(name: str, sums: Sums, expected: Expected) -> np.ndarray:
    """The measure of each table, nan where undefined; equal partitions are alike, (m,)."""
    with np.errstate(divide="ignore", invalid="ignore"):
        found = _pairs(name, sums) if name in PAIRS else _logs(name, sums, expected)
    return np.where(sums.equal, 0.0 if name in DISTANCES else found if name ==
                    "mutual_information" else 1.0, found)


def _pairs(name: str, sums: Sums) -> np.ndarray:
    n = sums.n
    m = n * (n - 1) // 2
    both, p, q = (sums.w - n) // 2, (sums.x - n) // 2, (sums.y - n) // 2
    apart = (p + q - 2 * both).astype(np.float64)
    if name == "symmetric_difference_distance":
        return apart
    if name == "rand_distance":
        return apart / m
    if name == "rand_index":
        return (m - apart) / m
    if name == "jaccard_index":
        return both / (p + q - both)
    if name == "fowlkes_mallows_index":
        return both / np.sqrt(p.astype(np.float64) * q)
    chance = p.astype(np.float64) * q / m
    return (both - chance) / ((p + q) / 2 - chance)


def _logs(name: str, sums: Sums, expected: Expected) -> np.ndarray:
    n = sums.n
    h_x, h_y = (np.maximum(0.0, math.log(n) - v / n) for v in (sums.log_x, sums.log_y))
    h_xy = np.maximum(0.0, math.log(n) - sums.log_w / n)
    shared = np.maximum(0.0, h_x + h_y - h_xy)
    if name == "mutual_information":
        return shared
    if name == "variation_of_information":
        return np.maximum(0.0, 2 * h_xy - h_x - h_y)
    if name == "normalized_variation_of_information":
        return 1.0 - shared / h_xy
    if name == "normalized_mutual_information":
        return shared / ((h_x + h_y) / 2)
    chance = expected.of(sums.a, sums.b)
    return (shared - chance) / ((h_x + h_y) / 2 - chance)
