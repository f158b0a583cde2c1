"""Measures of covers and element-centric similarity, by their definitions.

A clustering is a list of rows: the weights of an object in the clusters, 0 and 1 for covers.
"""

import math
from itertools import combinations, permutations

import numpy as np


def _clusters(rows):
    """Non-empty clusters as sets."""
    found = [frozenset(i for i, row in enumerate(rows) if row[k])
             for k in range(len(rows[0]) if rows else 0)]
    return [c for c in found if c]


def _same(x, y):
    return sorted(map(sorted, _clusters(x))) == sorted(map(sorted, _clusters(y)))


def _together(rows, i, j):
    return sum(1 for a, b in zip(rows[i], rows[j]) if a and b)


def cover_rand_index(x, y):
    pairs = list(combinations(range(len(x)), 2))
    return sum(_together(x, i, j) == _together(y, i, j) for i, j in pairs) / len(pairs)


def omega_index(x, y):
    pairs = list(combinations(range(len(x)), 2))
    of_x, of_y = ([_together(z, i, j) for i, j in pairs] for z in (x, y))
    expected = sum(of_x.count(c) * of_y.count(c) for c in set(of_x)) / len(pairs) ** 2
    if expected == 1:
        return 1.0 if _same(x, y) else math.nan
    return (cover_rand_index(x, y) - expected) / (1 - expected)


def _h(p):
    return -p * math.log(p) if p > 0 else 0.0


def _given(a, b, n):
    t = len(a & b)
    p11, p10, p01 = t / n, (len(a) - t) / n, (len(b) - t) / n
    p00 = (n - len(a) - len(b) + t) / n
    if _h(p11) + _h(p00) < _h(p10) + _h(p01) - 1e-12:
        return _entropy(a, n)
    return _h(p11) + _h(p10) + _h(p01) + _h(p00) - _entropy(b, n)


def _entropy(a, n):
    return _h(len(a) / n) + _h(1 - len(a) / n)


def overlapping_normalized_mutual_information(x, y, average="max"):
    if _same(x, y):
        return 1.0
    n, xs, ys = len(x), _clusters(x), _clusters(y)

    def conditional(a, others):
        return max(0.0, min([_entropy(a, n), *(_given(a, b, n) for b in others)]))

    if average == "lfk":
        if not (xs and ys):
            return math.nan
        means = []
        for us, vs in ((xs, ys), (ys, xs)):
            ratios = [conditional(a, vs) / _entropy(a, n) if len(a) < n else float(a not in vs)
                      for a in us]
            means.append(sum(ratios) / len(ratios))
        return 1 - sum(means) / 2
    hx, hy = (sum(_entropy(a, n) for a in z) for z in (xs, ys))
    under = max(hx, hy) if average == "max" else (hx + hy) / 2
    if under == 0:
        return math.nan
    return (hx - sum(conditional(a, ys) for a in xs)
            + hy - sum(conditional(b, xs) for b in ys)) / 2 / under


def best_match_index(x, y, overlap="f1", weights="equal", side="both"):
    xs, ys = _clusters(x), _clusters(y)
    if not (xs or ys):
        return 1.0
    if not (xs and ys):
        return 0.0 if (side == "x" and xs) or (side == "y" and ys) else math.nan

    def f(a, b):
        t = len(a & b)
        return 2 * t / (len(a) + len(b)) if overlap == "f1" else t / len(a | b)

    means = []
    for us, vs in ((xs, ys), (ys, xs)):
        w = [len(a) if weights == "size" else 1 for a in us]
        means.append(sum(m * max(f(a, b) for b in vs) for m, a in zip(w, us)) / sum(w))
    return {"x": means[0], "y": means[1], "both": sum(means) / 2}[side]


def purity_of_covers(x, y):
    xs, ys = _clusters(x), _clusters(y)
    if not xs:
        return math.nan if ys else 1.0
    return sum(max((len(a & b) for b in ys), default=0) for a in xs) / sum(map(len, xs))


def bcubed_index(x, y, part="f1"):
    def precision(x, y):
        means = []
        for i in range(len(x)):
            shares = [min(_together(x, i, j), _together(y, i, j)) / _together(x, i, j)
                      for j in range(len(x)) if _together(x, i, j)]
            if shares:
                means.append(sum(shares) / len(shares))
        return sum(means) / len(means) if means else math.nan

    p, r = precision(x, y), precision(y, x)
    value = {"precision": p, "recall": r}.get(part)
    if value is None:
        if 0.0 in (p, r):
            return 0.0   # 2 tp/(2 tp + fp + fn), also where the other part is 0/0
        value = 2 * p * r / (p + r) if p + r else p + r
    return 1.0 if math.isnan(value) and _same(x, y) else value


def page_ranks(rows, damping=0.9):
    """(n, n): row i is the personalised PageRank of object i on the element graph."""
    a = np.array(rows, dtype=float).reshape(len(rows), -1)
    n = len(a)
    walk = np.zeros((n, n))
    for i in range(n):
        if not a[i].sum():
            walk[i, i] = 1
            continue
        for k in range(a.shape[1]):
            if a[:, k].sum():
                walk[i] += a[i, k] / a[i].sum() * a[:, k] / a[:, k].sum()
    return (1 - damping) * np.linalg.inv(np.eye(n) - damping * walk)


def element_similarities(x, y, damping=0.9):
    p, q = page_ranks(x, damping), page_ranks(y, damping)
    return 1 - np.abs(p - q).sum(axis=1) / (2 * damping)


def element_centric_index(x, y, damping=0.9):
    return float(element_similarities(x, y, damping).mean())


def adjusted_element_centric_index(x, y, damping=0.9):
    """The mean over all orders of the objects of y is taken from all of them."""
    p, q = page_ranks(x, damping), page_ranks(y, damping)
    n = len(p)
    orders = [list(order) for order in permutations(range(n))]
    mean = sum(1 - np.abs(p - q[np.ix_(o, o)]).sum() / (2 * damping * n) for o in orders)
    mean /= len(orders)
    if 1 - mean < 1e-12:
        sides = [sorted(c for c in zip(*z) if any(c)) for z in (x, y)]
        return 1.0 if sides[0] == sides[1] else math.nan
    return (element_centric_index(x, y, damping) - mean) / (1 - mean)
