"""Reduced information by drawing balls from urns, in fractions; pairs by loops."""

from collections import Counter
from fractions import Fraction
from functools import cache
from math import exp, log, nan

#: values of alpha that are tried: the largest likelihood lies close to one of them
GRID = [Fraction(exp(k / 5)).limit_denominator(1000) for k in range(-20, 21)]


def probability(labels, q, alpha):
    """Probability of a sequence of labels from an urn of q colours of weight alpha (a fraction)."""
    drawn, p = Counter(), Fraction(1)
    for k, label in enumerate(labels):
        p *= Fraction(alpha + drawn[label]) / (q * alpha + k)
        drawn[label] += 1
    return p


def likelihood(x, y, alpha):
    """Probability of y with a fresh urn in each cluster of x."""
    q, p = len(set(y)), Fraction(1)
    for cluster in set(x):
        p *= probability([b for a, b in zip(x, y) if a == cluster], q, alpha)
    return p


def log_likelihood(x, y, grid):
    """Largest over a grid of alpha, and in the limits 0 and infinity: a bound from below."""
    return largest(tuple(x), tuple(y), tuple(grid))


@cache
def largest(x, y, grid):
    q, n = len(set(y)), len(y)
    values = [-n * log(q)]   # alpha infinite: all colours alike
    if all(len({b for a, b in zip(x, y) if a == cluster}) == 1 for cluster in set(x)):
        values.append(-len(set(x)) * log(q))   # alpha 0: only the first ball of an urn is open
    for alpha in grid:
        p = likelihood(x, y, alpha)
        values.append(log(p.numerator) - log(p.denominator))
    return max(values)


def reduced_mutual_information(x, y, grid=GRID):
    """RMI(x, y), y the truth."""
    return (log_likelihood(x, y, grid) - log_likelihood([0] * len(y), y, grid)) / len(y)


def normalized_reduced_mutual_information(x, y, average="arithmetic", grid=GRID):
    """NRMI; nan for 0/0."""
    def told(a, b):
        return reduced_mutual_information(a, b, grid)
    over, under = told(x, y), told(y, y)
    if average == "arithmetic":
        over, under = over + told(y, x), under + told(x, x)
    return nan if abs(under) < 1e-9 else over / under


def given_pairs(x, y, i, j):
    """n11, n10, n01, n00 of listed pairs."""
    found = Counter((x[a] == x[b], y[a] == y[b]) for a, b in zip(i, j))
    return tuple(found[joined] for joined in ((True, True), (True, False), (False, True),
                                              (False, False)))
