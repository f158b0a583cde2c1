"""Orthopartitions by enumeration; a rough clustering is a list of sets of candidate clusters."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations, product

from .hard import mutual_information


def compatible(x):
    """Every choice of one candidate per object."""
    return product(*(sorted(candidates) for candidates in x))


def logical_entropy(labels):
    """Share of the ordered pairs of objects, equal ones included, in different clusters."""
    n = len(labels)
    return Fraction(sum(a != b for a in labels for b in labels), n * n)


def logical_entropy_interval(x):
    values = [logical_entropy(labels) for labels in compatible(x)]
    return min(values), max(values)


def mutual_information_interval(x, y, entropy="shannon"):
    def value(a, b):
        if entropy == "shannon":
            return mutual_information(a, b)
        return logical_entropy(a) + logical_entropy(b) - logical_entropy(tuple(zip(a, b)))
    values = [value(a, b) for a in compatible(x) for b in compatible(y)]
    return min(values), max(values)


def meet_of(x, y):
    return [set(product(a, b)) for a, b in zip(x, y)]


def normalized(value, own, normalizer):
    if normalizer == "none":
        return value
    divisor = max(own) if normalizer == "max" else min(own)
    return value / divisor if divisor else math.nan


def soft_average_mutual_information(x, y, normalizer="none"):
    first, second, both = (sum(logical_entropy_interval(z)) / 2 for z in (x, y, meet_of(x, y)))
    return normalized(first + second - both, (first, second), normalizer)


def expected_logical_entropy(x):
    n = len(x)
    agree = [Fraction(len(a & b), len(a) * len(b)) for a, b in combinations(x, 2)]
    return sum((1 - p for p in agree), start=Fraction(0)) * 2 / (n * n)


def soft_logical_mutual_information(x, y, normalizer="none"):
    own = expected_logical_entropy(x), expected_logical_entropy(y)
    value = sum(own) - expected_logical_entropy(meet_of(x, y))
    return normalized(value, own, normalizer)


def rough_purity_index(x, y):
    def shared(k, m):
        return sum((Fraction(1, len(a) * len(b)) for a, b in zip(x, y) if k in a and m in b),
                   start=Fraction(0))
    rows, columns = set().union(*x), set().union(*y)
    return sum(max(shared(k, m) for m in columns) for k in rows) / len(x)
