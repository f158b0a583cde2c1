"""Oracles of further hard indices: pairs looked at, one-to-one matchings tried, sets of objects."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations, permutations

from .hard import entropies, fowlkes_mallows_index, mutual_information, pair_counts, same_partition


def clusters(x):
    """The clusters as sets of objects."""
    return [{i for i, label in enumerate(x) if label == k} for k in sorted(set(x))]


def best_matching(x, y, weight):
    """Largest sum of weights over one-to-one pairs of clusters, every way tried."""
    a, b = clusters(x), clusters(y)
    if len(a) <= len(b):
        ways = (zip(a, chosen) for chosen in permutations(b, len(a)))
    else:
        ways = (zip(chosen, b) for chosen in permutations(a, len(b)))
    return max(sum(weight(u, v) for u, v in way) for way in ways)


# -- pairs --------------------------------------------------------------------------------------


def rand_distance(x, y):
    p = pair_counts(x, y)
    return Fraction(p.n10 + p.n01, sum(p))


def symmetric_difference_distance(x, y):
    """Size of the symmetric difference of the two sets of joined pairs."""
    def joined(labels):
        return {(i, j) for i, j in combinations(range(len(labels)), 2) if labels[i] == labels[j]}
    return len(joined(x) ^ joined(y))


def adjusted_fowlkes_mallows_index(x, y):
    """(FM - its mean) / (1 - its mean), the mean over all orders of the objects of y."""
    if same_partition(x, y):
        return 1.0
    value = fowlkes_mallows_index(x, y)
    if math.isnan(value):
        return value
    values = [fowlkes_mallows_index(x, list(order)) for order in permutations(y)]
    mean = sum(values) / len(values)
    return (value - mean) / (1 - mean)


def wallace_index(x, y):
    p = pair_counts(x, y)
    if same_partition(x, y):
        return Fraction(1)
    return Fraction(p.n11, p.n11 + p.n10) if p.n11 + p.n10 else math.nan


def katz_powell_index(x, y):
    """Pearson's correlation of the entries of both n x n tables."""
    if same_partition(x, y):
        return 1.0
    n = len(x)
    u = [x[i] == x[j] for i in range(n) for j in range(n)]
    v = [y[i] == y[j] for i in range(n) for j in range(n)]
    mean_u, mean_v = Fraction(sum(u), n * n), Fraction(sum(v), n * n)
    both = sum((a - mean_u) * (b - mean_v) for a, b in zip(u, v))
    squares = sum((a - mean_u) ** 2 for a in u) * sum((b - mean_v) ** 2 for b in v)
    return float(both) / math.sqrt(squares) if squares else math.nan


def prediction_strength_index(x, y):
    if same_partition(x, y):
        return Fraction(1)
    shares = []
    for cluster in clusters(x):
        pairs = list(combinations(sorted(cluster), 2))
        if pairs:
            shares.append(Fraction(sum(y[i] == y[j] for i, j in pairs), len(pairs)))
    return min(shares, default=math.nan)


# -- information --------------------------------------------------------------------------------


def normalized_variation_of_information(x, y):
    if same_partition(x, y):
        return 0.0
    return 1 - mutual_information(x, y) / entropies(x, y)[2]


def normalized_information_distance(x, y):
    if same_partition(x, y):
        return 0.0
    return 1 - mutual_information(x, y) / max(entropies(x, y)[:2])


# -- sets ---------------------------------------------------------------------------------------


def transfer_distance(x, y):
    return len(x) - best_matching(x, y, lambda u, v: len(u & v))


def normalized_accuracy_index(x, y):
    c = max(len(clusters(x)), len(clusters(y)))
    if c == 1:
        return Fraction(1)
    accuracy = Fraction(len(x) - transfer_distance(x, y), len(x))
    return (accuracy - Fraction(1, c)) / (1 - Fraction(1, c))


def matched_kappa_index(x, y):
    """The largest kappa of all matchings that keep the most objects."""
    if same_partition(x, y):
        return Fraction(1)
    small, large = sorted((clusters(x), clusters(y)), key=len)
    n, values = len(x), []
    for partners in permutations(large, len(small)):
        kept = sum(len(u & v) for u, v in zip(small, partners))
        chance = Fraction(sum(len(u) * len(v) for u, v in zip(small, partners)), n * n)
        values.append((kept, (Fraction(kept, n) - chance) / (1 - chance)))
    return max(values)[1]


def adjusted_asymmetric_accuracy_index(x, y):
    if same_partition(x, y):
        return Fraction(1)
    r = len(clusters(x))
    if r == 1:
        return math.nan
    mean = best_matching(x, y, lambda u, v: Fraction(len(u & v), len(u))) / r
    return (mean - Fraction(1, r)) / (1 - Fraction(1, r))


def pair_sets_index(x, y, simplified=False):
    if same_partition(x, y):
        return Fraction(1)
    a, b = (sorted(map(len, clusters(side)), reverse=True) for side in (x, y))
    expected = sum(Fraction(u * v, len(x) * max(u, v)) for u, v in zip(a, b))
    if simplified:
        expected = Fraction(1)
    overlap = best_matching(x, y, lambda u, v: Fraction(len(u & v), max(len(u), len(v))))
    return max(Fraction(0), (overlap - expected) / (max(len(a), len(b)) - expected))


def purity_index(x, y):
    best = sum(max(len(u & v) for v in clusters(y)) for u in clusters(x))
    return Fraction(best, len(x))


def van_dongen_distance(x, y):
    n = len(x)
    return int(2 * n - n * purity_index(x, y) - n * purity_index(y, x))


def larsen_aone_index(x, y):
    best = [max(Fraction(2 * len(u & v), len(u) + len(v)) for v in clusters(y))
            for u in clusters(x)]
    return sum(best) / len(best)


def lattice_distance(x, y):
    """Shortest path of mergers of two clusters and splits of one, breadth first."""
    def named(labels):
        names = {}
        return tuple(names.setdefault(label, len(names)) for label in labels)

    def neighbours(p):
        # A step up merges two clusters; a step down is a step up from below.
        for a, b in combinations(sorted(set(p)), 2):
            yield named([a if label == b else label for label in p])
        for k in sorted(set(p)):
            inside = [i for i, label in enumerate(p) if label == k]
            for bits in range(1, 2 ** (len(inside) - 1)):
                apart = {i for place, i in enumerate(inside) if bits >> place & 1}
                yield named([-1 if i in apart else label for i, label in enumerate(p)])

    goal, seen, front, steps = named(y), {named(x)}, {named(x)}, 0
    while goal not in seen:
        front = {q for p in front for q in neighbours(p)} - seen
        seen |= front
        steps += 1
    return steps
