"""Oracles for hard clusterings: loops over pairs, matchings and permutations of the objects.

Labels are plain lists. Counts and pair indices are exact rationals; entropies take logarithms of
exact quotients; the expected mutual information is the mean over all orders of the objects.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations, permutations
from typing import NamedTuple


class PairCounts(NamedTuple):
    n11: int
    n10: int
    n01: int
    n00: int


def pair_counts(x, y):
    """Every pair of objects looked at."""
    n11 = n10 = n01 = n00 = 0
    for i, j in combinations(range(len(x)), 2):
        in_x, in_y = x[i] == x[j], y[i] == y[j]
        n11 += in_x and in_y
        n10 += in_x and not in_y
        n01 += in_y and not in_x
        n00 += not in_x and not in_y
    return PairCounts(n11, n10, n01, n00)


def contingency(x, y):
    """Counts by (cluster of x, cluster of y), non-zero ones only."""
    cells = {}
    for a, b in zip(x, y):
        cells[a, b] = cells.get((a, b), 0) + 1
    return cells


def same_partition(x, y):
    """Whether x and y join the same pairs."""
    p = pair_counts(x, y)
    return p.n10 == p.n01 == 0


# -- pair counting --------------------------------------------------------------------------


def rand_index(x, y):
    p = pair_counts(x, y)
    return Fraction(p.n11 + p.n00, sum(p))


def jaccard_index(x, y):
    p = pair_counts(x, y)
    if same_partition(x, y):
        return Fraction(1)
    return Fraction(p.n11, p.n11 + p.n10 + p.n01)


def fowlkes_mallows_index(x, y):
    p = pair_counts(x, y)
    if same_partition(x, y):
        return 1.0
    square = (p.n11 + p.n10) * (p.n11 + p.n01)
    return p.n11 / math.sqrt(square) if square else math.nan


def adjusted_rand_index(x, y):
    """(Rand - its mean) / (1 - its mean), the mean over all orders of the objects of y."""
    if same_partition(x, y):
        return Fraction(1)
    mean = mean_over_orders(rand_index, x, y)
    return (rand_index(x, y) - mean) / (1 - mean)


def mean_over_orders(measure, x, y):
    """Mean of a measure over all n! orders of the objects of y."""
    values = [measure(x, list(order)) for order in permutations(y)]
    return sum(values) / len(values)


# -- information ------------------------------------------------------------------------------


def entropy(weights):
    """-sum p log p of the shares p of the weights."""
    total = sum(weights)
    return -sum(w / total * math.log(w / total) for w in weights if w)


def entropies(x, y, weights=None):
    """H(x), H(y), H(x, y) with weighted objects."""
    weights = [1] * len(x) if weights is None else weights
    sums = {}, {}, {}
    for a, b, w in zip(x, y, weights):
        for part, key in zip(sums, (a, b, (a, b))):
            part[key] = part.get(key, 0) + w
    return tuple(entropy(part.values()) for part in sums)


def mutual_information(x, y):
    h_x, h_y, h_xy = entropies(x, y)
    return h_x + h_y - h_xy


def average_entropy(x, y, average):
    h_x, h_y, h_xy = entropies(x, y)
    return {"arithmetic": (h_x + h_y) / 2, "geometric": math.sqrt(max(0.0, h_x * h_y)),
            "max": max(h_x, h_y), "min": min(h_x, h_y), "joint": h_xy}[average]


def normalized_mutual_information(x, y, average="arithmetic"):
    if same_partition(x, y):
        return 1.0
    divisor = average_entropy(x, y, average)
    return mutual_information(x, y) / divisor if abs(divisor) > 1e-12 else math.nan


def adjusted_mutual_information(x, y, average="arithmetic"):
    """(I - its mean) / (average entropy - its mean), the mean over all orders of y."""
    if same_partition(x, y):
        return 1.0
    mean = mean_over_orders(mutual_information, x, y)
    divisor = average_entropy(x, y, average) - mean
    return (mutual_information(x, y) - mean) / divisor if abs(divisor) > 1e-12 else math.nan


def variation_of_information(x, y, weights=None):
    h_x, h_y, h_xy = entropies(x, y, weights)
    return 2 * h_xy - h_x - h_y


# -- matching ---------------------------------------------------------------------------------


def partition_distance(x, y):
    """(n - matched) / (n - 1), every one-to-one matching of clusters tried."""
    cells = contingency(x, y)
    rows, columns = sorted({a for a, _ in cells}), sorted({b for _, b in cells})
    if len(rows) > len(columns):
        return partition_distance(y, x)
    best = max(sum(cells.get(pair, 0) for pair in zip(rows, chosen))
               for chosen in permutations(columns, len(rows)))
    return Fraction(len(x) - best, len(x) - 1)
