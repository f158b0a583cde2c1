"""Random contingency tables with given margins, for counts up to 2^62.

Row after row, cell after cell, each count is hypergeometric given those before it. A cell whose
standard deviation is at most 6 is drawn from its terms relative to the mode, normalised by their
own sum. Others are drawn by ratio of uniforms (Stadlober 1990). Logarithms of factorials of large
numbers would lose all digits of their differences; these are formed directly instead.
"""

import math

import numpy as np

from ._jit import JIT_ENABLED, borrowing, inlined, python_form
from .random import load, step, store

#: standard deviation up to which terms are added up
SMALL = 6.0
#: terms below this share of the largest are left out
NEGLIGIBLE = 1e-18
#: constants of the ratio of uniforms: 2 sqrt(2/e), 3 - 2 sqrt(3/e)
_D1 = 1.7155277699214135
_D2 = 0.8989161620588988
#: 1 / (k (k - 1)) for k = 18, ..., 2
_SERIES = tuple(1.0 / (k * (k - 1.0)) for k in range(18, 1, -1))
#: below this a factorial is taken from the gamma function
_FEW = 16


def _cross(a, b, m, n):
    """a b - m n of whole numbers from 0 to 2^63 - 1, in Python."""
    exact = int(a) * int(b) - int(m) * int(n)
    high, low = divmod(abs(exact), 1 << 64)
    size = high * 18446744073709551616.0 + float(low)
    return -size if exact < 0 else size


if JIT_ENABLED:
    _32, _LOW, _ONE, _NONE = np.uint64(32), np.uint64(0xFFFFFFFF), np.uint64(1), np.uint64(0)

    @inlined
    def _product(a, b):
        """The two words of a * b."""
        u, v = np.uint64(a), np.uint64(b)
        ul, uh, vl, vh = u & _LOW, u >> _32, v & _LOW, v >> _32
        low = ul * vl
        middle = uh * vl + (low >> _32)
        other = ul * vh + (middle & _LOW)
        return uh * vh + (middle >> _32) + (other >> _32), (other << _32) | (low & _LOW)

    @inlined
    def cross(a, b, m, n):
        """a b - m n of whole numbers from 0 to 2^63 - 1, to the last digit or nearly so."""
        high, low = _product(a, b)
        high2, low2 = _product(m, n)
        less = high < high2 or (high == high2 and low < low2)
        if less:
            high, low, high2, low2 = high2, low2, high, low
        borrow = _ONE if low < low2 else _NONE
        size = float(high - high2 - borrow) * 18446744073709551616.0 + float(low - low2)
        return -size if less else size

    python_form(cross, _cross)

else:
    cross = _cross


@inlined
def _correction(k):
    """log(k!) - (k + 1/2) log k + k - log(2 pi)/2 for k >= 16."""
    w = 1.0 / k
    v = w * w
    return w * (1.0 / 12.0 - v * (1.0 / 360.0 - v * (1.0 / 1260.0 - v * (1.0 / 1680.0))))


@borrowing
def step_of_log_factorial(m, d):
    """log((m + d)!) - log(m!) - d log m, for m >= 1 and m + d >= 0."""
    big = float(m)
    if m < _FEW or m + d < _FEW:
        return math.lgamma(big + d + 1.0) - math.lgamma(big + 1.0) - d * math.log(big)
    u = d / big
    if abs(u) < 0.002:
        # (1 + u) log(1 + u) - u = u^2/2 - u^3/6 + u^4/12 - ..., and log(1 + u)
        excess = u * u * (1 / 2 - u * (1 / 6 - u * (1 / 12 - u * (1 / 20 - u * (1 / 30 - u / 42)))))
        logarithm = u * (1.0 - u * (1 / 2 - u * (1 / 3 - u * (1 / 4 - u * (1 / 5 - u / 6)))))
    else:
        logarithm = math.log1p(u)
        if abs(u) < 0.1:
            total = 0.0
            for k in range(17):
                total = _SERIES[k] - u * total
            excess = u * u * total
        else:
            excess = (1.0 + u) * logarithm - u
    return big * excess + 0.5 * logarithm + _correction(big + d) - _correction(big)


@borrowing
def log_ratio(a, b, n, m, d):
    """log of the hypergeometric probability of m + d relative to that of m; 1 <= m < a, b."""
    rest = n - a - b + m
    linear = d * math.log1p(cross(a, b, m, n) / (float(m) * float(rest)))
    return (linear - step_of_log_factorial(m, d) - step_of_log_factorial(a - m, -d)
            - step_of_log_factorial(b - m, -d) - step_of_log_factorial(rest, d))


@borrowing
def _from_terms(state, a, b, n):
    """A count from its terms; a, b <= n / 2."""
    c = n - a - b
    high = min(a, b)
    mode = min(int((a + 1.0) * ((b + 1.0) / (n + 2.0))), high)
    s0, s1, s2, s3 = load(state)
    share, s0, s1, s2, s3 = step(s0, s1, s2, s3)
    store(state, s0, s1, s2, s3)
    total = 1.0
    h = 1.0
    v = mode
    while v < high and h > NEGLIGIBLE:
        h *= (float(a - v) * float(b - v)) / ((v + 1.0) * float(c + v + 1))
        v += 1
        total += h
    h = 1.0
    v = mode
    while v > 0 and h > NEGLIGIBLE:
        h *= (float(v) * float(c + v)) / (float(a - v + 1) * float(b - v + 1))
        v -= 1
        total += h
    wanted = share * total - 1.0
    if wanted < 0.0:
        return mode
    h = 1.0
    v = mode
    while v < high and h > NEGLIGIBLE:
        h *= (float(a - v) * float(b - v)) / ((v + 1.0) * float(c + v + 1))
        v += 1
        wanted -= h
        if wanted < 0.0:
            return v
    h = 1.0
    v = mode
    while v > 0 and h > NEGLIGIBLE:
        h *= (float(v) * float(c + v)) / (float(a - v + 1) * float(b - v + 1))
        v -= 1
        wanted -= h
        if wanted < 0.0:
            return v
    return mode


@borrowing
def _from_ratio(state, a, b, n, mean, variance):
    """A count by ratio of uniforms; a, b <= n / 2."""
    high = min(a, b)
    m = int((a + 1.0) * ((b + 1.0) / (n + 2.0)))
    offset = cross(a, b, m, n) / float(n) + 0.5
    width = _D1 * math.sqrt(variance + 0.5) + _D2
    reach = 16.0 * math.sqrt(variance + 0.5) + 2.0
    s0, s1, s2, s3 = load(state)
    while True:
        x, s0, s1, s2, s3 = step(s0, s1, s2, s3)
        y, s0, s1, s2, s3 = step(s0, s1, s2, s3)
        if x == 0.0:
            continue
        w = offset + width * (y - 0.5) / x
        if not abs(w) <= reach:
            continue
        d = math.floor(w)
        if m + d < 0 or m + d > high:
            continue
        t = log_ratio(a, b, n, m, d)
        if x * (4.0 - x) - 3.0 <= t:
            break
        if x * (x - t) >= 1.0:
            continue
        if 2.0 * math.log(x) <= t:
            break
    store(state, s0, s1, s2, s3)
    return m + d


@borrowing
def draw_count(state, a, b, n):
    """How many of `a` objects drawn from n are among `b` marked ones."""
    if a == 0 or b == 0:
        return 0
    # Both at most n / 2, so that the mean is small where the variance is.
    other_a = a > n - a
    u = n - a if other_a else a
    other_b = b > n - b
    v = n - b if other_b else b
    if u == 0 or v == 0:
        t = 0
    else:
        mean = float(u) * (float(v) / float(n))
        variance = mean * (1.0 - u / float(n)) * (float(n - v) / max(1.0, n - 1.0))
        if variance <= SMALL * SMALL:
            t = _from_terms(state, u, v, n)
        else:
            t = _from_ratio(state, u, v, n, mean, variance)
    if other_a:
        t = v - t
    return a - t if other_b else t


def _steps(states, rows, columns, scratch, out, start, stop):
    return (stop - start) * rows.shape[0] * columns.shape[0] * 200


@borrowing(steps=_steps)
def draw_tables(states, rows, columns, scratch, out, start, stop):
    """Tables `start` to `stop` - 1 with margins `rows` (r,) and `columns` (s,) into out[i - start].

    Table i comes from states[i - start] alone. Scratch: (s,) int64.
    """
    r = rows.shape[0]
    s = columns.shape[0]
    for i in range(stop - start):
        left = 0
        for j in range(s):
            scratch[j] = columns[j]
            left += columns[j]
        for k in range(r - 1):
            need = rows[k]
            total = left
            for j in range(s - 1):
                t = draw_count(states[i], need, scratch[j], total)
                out[i, k, j] = t
                need -= t
                total -= scratch[j]
                scratch[j] -= t
            out[i, k, s - 1] = need
            scratch[s - 1] -= need
            left -= rows[k]
        for j in range(s):
            out[i, r - 1, j] = scratch[j]


@borrowing
def sums_of_squares(tables, high, low, start, stop):
    """The two words of the sum of squares of each of tables (m, r, s)."""
    for i in range(start, stop):
        top = 0
        # Sums of squares of 31-bit halves: 2^62 q2 + 2^31 q1 + q0, carried on.
        bottom = 0
        for k in range(tables.shape[1]):
            for j in range(tables.shape[2]):
                t = int(tables[i, k, j])
                h = t >> 31
                g = t & 2147483647
                bottom += g * g
                middle = 2 * h * g + (bottom >> 31)
                bottom &= 2147483647
                bottom += (middle & 2147483647) << 31
                top += h * h + (middle >> 31) + (bottom >> 62)
                bottom &= 4611686018427387903
        high[i] = top
        low[i] = bottom
