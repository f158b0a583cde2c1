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

from ._jit import bits_of, fma, from_bits, inlined, kernel

#: what is compiled, in messages
TOPIC = "information measures"

#: what `sum_table` and `sum_cells` add up
EXCESS = 0
VARIATION = 1
#: cells per block of `sum_cells`, pairs of margins per block of `sum_expected`
CELLS = 4096
PAIRS = 8
#: up to this total the products of margins of one block sum to less than 2^63
PRODUCTS_FIT = 3_037_000_499.0
#: terms treated at once; the scratch arrays have this length
TERMS = 512
#: hypergeometric terms below this share of the largest are left out
NEGLIGIBLE = 1e-18
LOG_2 = math.log(2.0)
#: bits of sqrt(1/2)
_ROOT_HALF = 0x3FE6A09E667F3BCD


@inlined
def split(d):
    """y = 1 + d = 2^e m with m in [sqrt(1/2), sqrt(2)): y, e, z = (m - 1) / (m + 1), and q.

    log m = 2 (z + z^3/3 + z^5/5 + ...) = 2 z (1 + q). No table, no call: loops vectorise, and the
    bits are the same on every machine.
    """
    y = max(0.0, 1.0 + d)
    bits = bits_of(y)
    e = (bits - _ROOT_HALF) >> 52
    m = from_bits(bits - (e << 52))
    # d itself where that is m - 1, because 1 + d has lost digits of a small d
    z = (d if e == 0 else m - 1.0) / (m + 1.0)
    u = z * z
    q = fma(u, 1.0 / 25.0, 1.0 / 23.0)
    q = fma(u, q, 1.0 / 21.0)
    q = fma(u, q, 1.0 / 19.0)
    q = fma(u, q, 1.0 / 17.0)
    q = fma(u, q, 1.0 / 15.0)
    q = fma(u, q, 1.0 / 13.0)
    q = fma(u, q, 1.0 / 11.0)
    q = fma(u, q, 1.0 / 9.0)
    q = fma(u, q, 1.0 / 7.0)
    q = fma(u, q, 1.0 / 5.0)
    q = fma(u, q, 1.0 / 3.0)
    return y, e, z, u * q


@inlined
def log_one_plus(d):
    """log(1 + d) for d > -1, to the last digits."""
    _, e, z, q = split(d)
    return fma(float(e), LOG_2, fma(2.0 * z, q, 2.0 * z))


@inlined
def excess(d):
    """g(d) = (1 + d) log(1 + d) - d for d >= -1, to about 1e-15; where e = 0 (d from -.29 to
    .41) as z (d + 2 (1 + d) q), in which nothing cancels.
    """
    y, e, z, q = split(d)
    logarithm = fma(float(e), LOG_2, fma(2.0 * z, q, 2.0 * z))
    return z * fma(2.0 * y, q, d) if e == 0 else fma(y, logarithm, -d)


@inlined
def excess_term(t, a, b, n):
    """m g(d) of a cell with count t; 0 where a margin is 0."""
    p = a * b
    rest = fma(a, b, -p)
    return p / n * excess((fma(t, n, -p) - rest) / (p if p > 0.0 else 1.0))


@inlined
def variation_term(t, a, b):
    """t log(a b / t^2) of a cell with count t; 0 for t = 0."""
    p = a * b
    rest = fma(a, b, -p)
    divisor = t if t > 0.0 else 1.0
    return t * log_one_plus((fma(-t, t, p) + rest) / (divisor * divisor))


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
def sum_table(table, a, b, n, what, rows, start, stop, out):
    """Sums of the terms of blocks of `rows` rows of `table` (r, s) into out (blocks,).

    Cells without objects count too: their excess is their expected count.
    """
    terms = np.empty(TERMS)
    for block in range(start, stop):
        total = 0.0
        for k in range(block * rows, min((block + 1) * rows, a.shape[0])):
            size = float(a[k])
            for first in range(0, b.shape[0], TERMS):
                row = table[k, first:first + TERMS]
                others = b[first:first + TERMS]
                if what == EXCESS:
                    for m in range(row.shape[0]):
                        terms[m] = excess_term(float(row[m]), size, float(others[m]), n)
                else:
                    for m in range(row.shape[0]):
                        terms[m] = variation_term(float(row[m]), size, float(others[m]))
                total += add_up(terms[:row.shape[0]])
        out[block] = total


@kernel
def sum_cells(rows, columns, counts, a, b, n, what, start, stop, out, products):
    """The same for blocks of a list of non-zero cells; the sums of a b, exact, of each block
    into products (blocks,) tell what the cells without objects would add (up to PRODUCTS_FIT).
    """
    terms = np.empty(CELLS)
    for block in range(start, stop):
        first = block * CELLS
        last = min(first + CELLS, counts.shape[0])
        product = 0
        for i in range(first, last):
            size = a[rows[i]]
            other = b[columns[i]]
            if what == EXCESS:
                if n <= PRODUCTS_FIT:
                    product += int(size) * int(other)
                terms[i - first] = excess_term(float(counts[i]), float(size), float(other), n)
            else:
                terms[i - first] = variation_term(float(counts[i]), float(size), float(other))
        out[block] = add_up(terms[:last - first])
        products[block] = product


@kernel
def expected_excess(a, b, n, weights, terms):
    """m times the mean of g over t hypergeometric with margins a and b of n.

    From the mode up and down, each term is the one before times a ratio of small numbers; their
    own sum normalises them, so no factorial is needed. Scratch: weights, terms (TERMS,).
    """
    p = a * b
    rest = fma(a, b, -p)
    inverse = 1.0 / p
    c = n - a - b
    low = max(0.0, -c)
    high = min(a, b)
    mode = min(max(math.floor((a + 1.0) * ((b + 1.0) / (n + 2.0))), low), high)
    total_weight = 1.0
    total = excess((fma(mode, n, -p) - rest) * inverse)
    for step in (1.0, -1.0):
        end = high if step > 0.0 else low
        t = mode
        h = 1.0
        size = 16
        while t != end and h > NEGLIGIBLE:
            count = int(min(float(size), abs(end - t)))
            if step > 0.0:
                for j in range(count):
                    v = t + j
                    weights[j] = ((a - v) * (b - v)) / ((v + 1.0) * (c + v + 1.0))
            else:
                for j in range(count):
                    v = t - j
                    weights[j] = (v * (c + v)) / ((a - v + 1.0) * (b - v + 1.0))
            for j in range(count):
                h *= weights[j]
                weights[j] = h
                if h <= NEGLIGIBLE:
                    count = j + 1
                    break
            first = t + step
            for j in range(count):
                d = (fma(first + step * j, n, -p) - rest) * inverse
                terms[j] = weights[j] * excess(d)
            total_weight += add_up(weights[:count])
            total += add_up(terms[:count])
            t += step * count
            size = min(2 * size, TERMS)
    return p / n * (total / total_weight)


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
