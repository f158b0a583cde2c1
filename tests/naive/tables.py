"""Contingency tables by their definition: loops over objects, pairs, tables and partitions."""

from collections import Counter
from fractions import Fraction
from itertools import combinations, permutations
from math import factorial, prod


def count_label_pairs(x, y):
    """How many objects have each pair of labels."""
    return Counter(zip(x, y))


def weighted_pair_sums(x, y, w):
    """Sums of w_i w_j over the pairs of distinct objects: together in both, in x, in y, in none."""
    sums = [Fraction(0)] * 4
    weights = [Fraction(v) for v in w]
    for i, j in combinations(range(len(x)), 2):
        place = 2 * (x[i] != x[j]) + (y[i] != y[j])
        sums[place] += weights[i] * weights[j]
    return sums


def _joined_pairs(x, y):
    """Pairs together in both."""
    return sum(x[i] == x[j] and y[i] == y[j] for i, j in combinations(range(len(x)), 2))


def joined_pairs_law(a, b, value=_joined_pairs):
    """The law of value(x, y) when the labels y of all objects are permuted."""
    x = [k for k, size in enumerate(a) for _ in range(size)]
    y = [k for k, size in enumerate(b) for _ in range(size)]
    found = Counter(value(x, order) for order in permutations(y))
    return {v: Fraction(times, factorial(len(y))) for v, times in found.items()}


def chance_of_table(table):
    """prod a! prod b! / (n! prod T!)."""
    rows, columns = [sum(row) for row in table], [sum(column) for column in zip(*table)]
    return Fraction(prod(map(factorial, rows)) * prod(map(factorial, columns)),
                    factorial(sum(rows)) * prod(factorial(t) for row in table for t in row))


def all_label_partitions(n):
    """All partitions of n objects as labels by first appearance."""
    def extend(labels, used):
        if len(labels) == n:
            yield tuple(labels)
            return
        for k in range(used + 1):
            yield from extend([*labels, k], max(used, k + 1))
    return extend([0], 1) if n else iter([()])


def mean_under_model(value, x, y, model, fixed):
    """Mean of value over all partitions of a model."""
    n = len(x)

    def side(name, given):
        if name == fixed:
            return [tuple(given)]
        return [p for p in all_label_partitions(n)
                if model == "all" or len(set(p)) == len(set(given))]
    first, second = side("x", x), side("y", y)
    return sum(value(u, v) for u in first for v in second) / (len(first) * len(second))
