"""Rows of a matrix on the probability simplex, fitted in the L1 norm."""

import numpy as np

from ._jit import kernel

#: slopes of equal weight sums differ by rounding only
SLACK = 1e-12


@kernel
def fit_rows_l1(values, weights, fitted, points, slopes, candidates):
    """For each row the m on the simplex with least sum_b w_b sum_j |y_bj - m_j|.

    `values` (rows, k, B) in [0, 1], `weights` (rows, B), or (1, B) for all rows, each of sum 1,
    `fitted` (rows, k) receives m.
    Scratch: `points`, `slopes` (k, B), `candidates` (k * (B + 1),).

    Each coordinate's loss is piecewise linear with slopes -1 + 2 (weight of the values up to
    m). Its minimisers of f_j(m) - lam m form an interval [lower_j, upper_j]; the least lam with
    sum upper_j >= 1 is found by bisection over all slopes, and m divides lower and upper in the
    same proportion for all coordinates.
    """
    k = values.shape[1]
    many = values.shape[2]
    for i in range(values.shape[0]):
        own = i if weights.shape[0] > 1 else 0
        count = 0
        for j in range(k):
            order = np.argsort(values[i, j])
            total = 0.0
            for t in range(many):
                points[j, t] = values[i, j, order[t]]
                total += weights[own, order[t]]
                slopes[j, t] = 2.0 * total - 1.0
            slopes[j, many - 1] = 1.0
            candidates[count] = -1.0
            count += 1
            for t in range(many):
                candidates[count] = slopes[j, t]
                count += 1
        candidates[:count].sort()
        low = 0
        high = count - 1
        while low < high:
            middle = (low + high) // 2
            if _sum_upper(points, slopes, k, many, candidates[middle]) >= 1.0:
                high = middle
            else:
                low = middle + 1
        lam = candidates[low]
        least = 0.0
        most = 0.0
        for j in range(k):
            least += _lower(points[j], slopes[j], many, lam)
            most += _upper(points[j], slopes[j], many, lam)
        share = 0.0
        if most > least:
            share = min(max((1.0 - least) / (most - least), 0.0), 1.0)
        for j in range(k):
            a = _lower(points[j], slopes[j], many, lam)
            b = _upper(points[j], slopes[j], many, lam)
            fitted[i, j] = a + share * (b - a)


@kernel
def _sum_upper(points, slopes, k, many, lam):
    total = 0.0
    for j in range(k):
        total += _upper(points[j], slopes[j], many, lam)
    return total


@kernel
def _upper(points, slopes, many, lam):
    """Largest m in [0, 1] whose left slope is at most lam."""
    low = 0
    high = many
    while low < high:
        middle = (low + high) // 2
        if slopes[middle] > lam + SLACK:
            high = middle
        else:
            low = middle + 1
    if low == many:
        return 1.0
    return points[low]


@kernel
def _lower(points, slopes, many, lam):
    """Least m in [0, 1] whose right slope is at least lam."""
    if lam <= -1.0 + SLACK:
        return 0.0
    low = 0
    high = many
    while low < high:
        middle = (low + high) // 2
        if slopes[middle] >= lam - SLACK:
            high = middle
        else:
            low = middle + 1
    if low == many:
        return 1.0
    return points[low]
