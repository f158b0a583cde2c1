"""Membership measures by trying every order of columns; x and y are membership rows."""

from itertools import permutations
from math import sqrt


def padded(x, y):
    """Both matrices with the same number of columns."""
    c = max(len(x[0]), len(y[0]))
    return ([list(row) + [0] * (c - len(row)) for row in x],
            [list(row) + [0] * (c - len(row)) for row in y])


def orders(x):
    return permutations(range(len(x[0])))


def euclidean_membership_distance(x, y):
    x, y = padded(x, y)
    return min(sqrt(sum((u[k] - v[p]) ** 2 for u, v in zip(x, y) for k, p in enumerate(order)))
               for order in orders(x))


def euclidean_membership_index(x, y):
    return 1 - euclidean_membership_distance(x, y) / sqrt(2 * len(x))


def manhattan_membership_distance(x, y):
    x, y = padded(x, y)
    return min(sum(abs(u[k] - v[p]) for u, v in zip(x, y) for k, p in enumerate(order))
               for order in orders(x))


def manhattan_membership_index(x, y):
    return 1 - manhattan_membership_distance(x, y) / (2 * len(x))


def coclassification_index(x, y):
    x, y = padded(x, y)
    return max(sum(u[k] * v[p] for u, v in zip(x, y) for k, p in enumerate(order))
               for order in orders(x)) / len(x)


def matched_cosine_index(x, y):
    squares = [sum(u * u for row in side for u in row) for side in (x, y)]
    return coclassification_index(x, y) * len(x) / sqrt(squares[0] * squares[1])


def comembership_dissimilarity(x, y):
    def inner(side, i, j):
        return sum(a * b for a, b in zip(side[i], side[j]))
    n = len(x)
    return sqrt(sum((inner(x, i, j) - inner(y, i, j)) ** 2 for i in range(n) for j in range(n)))


def gordon_vichi_dissimilarity(x, y):
    a = [col for col in zip(*x) if any(col)]
    b = [col for col in zip(*y) if any(col)]
    if len(a) > len(b):
        a, b = b, a
    return sqrt(min(sum((u - v) ** 2 for k, q in enumerate(chosen) for u, v in zip(a[k], b[q]))
                    for chosen in permutations(range(len(b)), len(a))))
