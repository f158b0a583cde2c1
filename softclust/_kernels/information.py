"""Sums over contingency tables for mutual information, and their mean under permutations.

All sums have terms >= 0, so nothing cancels. With m = a b / n the expected count of a cell,
t its count and d = (t - m) / m, mutual information is

    (1/n) sum of m g(d) over all cells,    g(d) = (1 + d) log(1 + d) - d >= 0,

because counts and expected counts have the same sum; the expected mutual information is the
same with the mean of g over t hypergeometric with margins a and b. Variation of information is
(1/n) sum of t log(a b / t^2).
"""

import math

import numpy as np

from ._jit import fma, kernel

#: what `sum_table` and `sum_cells` add up
EXCESS = 0
VARIATION = 1
#: cells per block of `sum_cells`, pairs of margins per block of `sum_expected`
CELLS = 4096
PAIRS = 8
#: hypergeometric terms treated at once
TERMS = 512
#: up to this |d| a series replaces the logarithm
NEAR = 0.25
#: hypergeometric terms below this share of the largest are left out
NEGLIGIBLE = 1e-18


@kernel
def excess_near(d):
    """g(d) for |d| <= 1/4: with z = d / (2 + d), g = z (d + 2 (1 + d) (z^2/3 + z^4/5 + ...)).

    The first term left out is below 1e-17 of the sum.
    """
    z = d / (2.0 + d)
    u = z * z
    p = fma(u, 1.0 / 21.0, 1.0 / 19.0)
    p = fma(u, p, 1.0 / 17.0)
    p = fma(u, p, 1.0 / 15.0)
    p = fma(u, p, 1.0 / 13.0)
    p = fma(u, p, 1.0 / 11.0)
    p = fma(u, p, 1.0 / 9.0)
    p = fma(u, p, 1.0 / 7.0)
    p = fma(u, p, 1.0 / 5.0)
    p = fma(u, p, 1.0 / 3.0)
    return z * fma(2.0 * (1.0 + d), u * p, d)


@kernel
def excess(d):
    """g(d) for d >= -1."""
    if abs(d) <= NEAR:
        return excess_near(d)
    if d <= -1.0:
        return 1.0
    return (1.0 + d) * math.log1p(d) - d


@kernel
def cell_term(t, a, b, n, what):
    """The term of a cell with count t > 0 and margins a, b: m g(d), or t log(a b / t^2)."""
    p = a * b
    rest = fma(a, b, -p)
    if what == EXCESS:
        return p / n * excess((fma(t, n, -p) - rest) / p)
    return t * math.log1p((fma(-t, t, p) + rest) / (t * t))


@kernel
def sum_table(table, a, b, n, what, rows, start, stop, out):
    """Sums of the terms of blocks of `rows` rows of `table` (r, s) into out (blocks,).

    Neumaier's sum: the rounding of every addition is added at the end.
    """
    for block in range(start, stop):
        total = 0.0
        lost = 0.0
        for k in range(block * rows, min((block + 1) * rows, a.shape[0])):
            row = table[k]
            size = float(a[k])
            absent = 0
            for m in range(row.shape[0]):
                if row[m] == 0:
                    absent += int(b[m])
                    continue
                term = cell_term(float(row[m]), size, float(b[m]), n, what)
                new = total + term
                lost += (total - new) + term if total >= term else (term - new) + total
                total = new
            if what == EXCESS:
                term = size / n * float(absent)
                new = total + term
                lost += (total - new) + term if total >= term else (term - new) + total
                total = new
        out[block] = total + lost


@kernel
def sum_cells(rows, columns, counts, a, b, n, what, start, stop, out, products):
    """The same for a list of non-zero cells; sums of a b, exact, into products (blocks,)."""
    for block in range(start, stop):
        total = 0.0
        lost = 0.0
        product = 0
        for i in range(block * CELLS, min((block + 1) * CELLS, counts.shape[0])):
            size = a[rows[i]]
            other = b[columns[i]]
            product += int(size) * int(other)
            term = cell_term(float(counts[i]), float(size), float(other), n, what)
            new = total + term
            lost += (total - new) + term if total >= term else (term - new) + total
            total = new
        out[block] = total + lost
        products[block] = product


@kernel
def near_terms(first, step, n, p, rest, weights, terms):
    """``terms = weights * g(d)`` for t = first, first + step, ..., all |d| <= 1/4."""
    inverse = 1.0 / p
    for j in range(weights.shape[0]):
        d = (fma(first + step * j, n, -p) - rest) * inverse
        terms[j] = weights[j] * excess_near(d)


@kernel
def far_terms(first, step, n, p, rest, weights, terms):
    """The same for any d > -1 outside. One logarithm serves all t within a fifth of it:

    log(t / m) = log(t0 / m) + log(t / t0), and with z = (t - t0) / (t + t0), |z| <= 1/9, the
    second is 2 (z + z^3/3 + ...).
    """
    inverse = 1.0 / p
    count = weights.shape[0]
    start = 0
    while start < count:
        t0 = first + step * start
        if t0 == 0.0:
            terms[start] = weights[start]
            return
        stop = min(count, start + 1 + int(0.2 * t0))
        base = math.log(t0 * n * inverse)
        for j in range(start, stop):
            t = first + step * j
            d = (fma(t, n, -p) - rest) * inverse
            z = (t - t0) / (t + t0)
            u = z * z
            q = fma(u, 1.0 / 17.0, 1.0 / 15.0)
            q = fma(u, q, 1.0 / 13.0)
            q = fma(u, q, 1.0 / 11.0)
            q = fma(u, q, 1.0 / 9.0)
            q = fma(u, q, 1.0 / 7.0)
            q = fma(u, q, 1.0 / 5.0)
            q = fma(u, q, 1.0 / 3.0)
            logarithm = base + 2.0 * fma(z * u, q, z)
            terms[j] = weights[j] * fma(1.0 + d, logarithm, -d)
        start = stop


@kernel
def add_up(values):
    """Sum of `values` in four interleaved parts."""
    s0 = s1 = s2 = s3 = 0.0
    whole = values.shape[0] // 4 * 4
    for i in range(0, whole, 4):
        s0 += values[i]
        s1 += values[i + 1]
        s2 += values[i + 2]
        s3 += values[i + 3]
    for i in range(whole, values.shape[0]):
        s0 += values[i]
    return (s0 + s1) + (s2 + s3)


@kernel
def expected_excess(a, b, n, weights, terms):
    """m times the mean of g over t hypergeometric with margins a and b of n.

    From the mode up and down, each term is the one before times a ratio of small numbers; their
    own sum normalises them, so no factorial is needed. Scratch: weights, terms (TERMS,).
    """
    p = a * b
    rest = fma(a, b, -p)
    m = p / n
    c = n - a - b
    low = max(0.0, -c)
    high = min(a, b)
    mode = min(max(math.floor((a + 1.0) * ((b + 1.0) / (n + 2.0))), low), high)
    total_weight = 1.0
    total = excess((fma(mode, n, -p) - rest) / p)
    for step in (1.0, -1.0):
        end = high if step > 0.0 else low
        t = mode
        h = 1.0
        size = 16
        while t != end and h > NEGLIGIBLE:
            count = int(min(float(size), abs(end - t)))
            if step > 0.0:
                near = math.floor(m + NEAR * m) - t
                for j in range(count):
                    v = t + j
                    weights[j] = ((a - v) * (b - v)) / ((v + 1.0) * (c + v + 1.0))
            else:
                near = t - math.ceil(m - NEAR * m)
                for j in range(count):
                    v = t - j
                    weights[j] = (v * (c + v)) / ((a - v + 1.0) * (b - v + 1.0))
            for j in range(count):
                h *= weights[j]
                weights[j] = h
                if h <= NEGLIGIBLE:
                    count = j + 1
                    break
            near = int(min(max(near, 0.0), float(count)))
            near_terms(t + step, step, n, p, rest, weights[:near], terms)
            far_terms(t + step * (near + 1), step, n, p, rest, weights[near:count],
                      terms[near:count])
            total_weight += add_up(weights[:count])
            total += add_up(terms[:count])
            t += step * count
            size = min(2 * size, TERMS)
    return m * (total / total_weight)


@kernel
def sum_expected(a, a_times, b, b_times, n, start, stop, out):
    """Sums of `expected_excess` over blocks of pairs of distinct margins into out (blocks,).

    Pair number i * len(b) + j is a[i], b[j], counted a_times[i] * b_times[j] times.
    """
    weights = np.empty(TERMS)
    terms = np.empty(TERMS)
    pairs = a.shape[0] * b.shape[0]
    for block in range(start, stop):
        total = 0.0
        for pair in range(block * PAIRS, min((block + 1) * PAIRS, pairs)):
            i = pair // b.shape[0]
            j = pair - i * b.shape[0]
            total += a_times[i] * b_times[j] * expected_excess(a[i], b[j], n, weights, terms)
        out[block] = total
