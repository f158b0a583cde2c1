"""The dip by its definition: a linear programme for every position of the mode."""

import math

import numpy as np
from scipy.optimize import linprog


def dip(sample):
    """min over unimodal distribution functions G of sup |F - G|; G may jump at the mode.

    For a mode at value m: G is convex on the values up to the mode and concave from it on. The
    unknowns are G just below and at each value, and the distance.
    """
    values = sorted(set(sample))
    n, k = len(sample), len(values)
    below = [sum(v < w for v in sample) / n for w in values]
    upto = [sum(v <= w for v in sample) / n for w in values]
    if k == 1:
        return 1 / (2 * n)
    return min(_of_mode(values, below, upto, mode) for mode in range(k))


def _of_mode(values, below, upto, mode):
    k = len(values)
    # G at the values left of the mode is continuous (convex), so is G right of it; at the mode it
    # may jump: unknowns g_0..g_(k-1), one more for G at the mode from the right, and the distance.
    size = k + 2
    right, distance = k, k + 1
    rows, bounds = [], []

    def at(i, side):
        """Unknown for G at value i from the left (0) or the right (1)."""
        return right if i == mode and side else i

    def less(terms, bound):
        row = [0.0] * size
        for j, weight in terms:
            row[j] += weight
        rows.append(row)
        bounds.append(bound)

    for i in range(k):
        for side, share in ((0, below[i]), (1, upto[i])):
            less([(at(i, side), 1.0), (distance, -1.0)], share)
            less([(at(i, side), -1.0), (distance, -1.0)], -share)
        if i != mode:   # continuous: near the value G meets both steps of F
            continue
    for i in range(k - 1):   # G rises
        less([(at(i, 1), 1.0), (at(i + 1, 0), -1.0)], 0.0)
    less([(mode, 1.0), (right, -1.0)], 0.0)

    def slope(i):
        """Terms of the slope between values i and i + 1."""
        step = values[i + 1] - values[i]
        return [(at(i, 1), -1.0 / step), (at(i + 1, 0), 1.0 / step)]

    for i in range(k - 2):
        if i + 1 < mode:     # convex: slopes rise
            less(slope(i) + [(j, -w) for j, w in slope(i + 1)], 0.0)
        elif i + 1 > mode:   # concave: slopes fall
            less(slope(i + 1) + [(j, -w) for j, w in slope(i)], 0.0)
    cost = [0.0] * size
    cost[distance] = 1.0
    found = linprog(cost, A_ub=np.array(rows), b_ub=bounds, bounds=[(0, 1)] * (size - 1) + [(0, 1)])
    return found.fun


def window(first, second):
    """Equally many values nearest to the other cluster, and their number."""
    m = min(len(first), len(second))
    return sorted(first)[len(first) - m:] + sorted(second)[:m]


def separation(x, labels):
    """Least sqrt(2m) dip over pairs of clusters."""
    clusters = sorted(set(labels))
    best = math.inf
    for a, i in enumerate(clusters):
        for j in clusters[a + 1:]:
            of_i = [row for row, k in zip(x, labels) if k == i]
            of_j = [row for row, k in zip(x, labels) if k == j]
            way = [sum(v) / len(of_j) - sum(u) / len(of_i) for u, v in zip(zip(*of_i), zip(*of_j))]
            places = [[round(sum(p * w for p, w in zip(row, way)), 12) for row in rows]
                      for rows in (of_i, of_j)]
            inside = window(*places)
            best = min(best, math.sqrt(len(inside)) * dip(inside))
    return best
