"""Oracles for confidence limits: each object deleted, binomial tails summed, 60 digits.

Tables are lists of rows of whole numbers, labels plain lists.
"""

from __future__ import annotations

import math
from decimal import Decimal, getcontext
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations
from math import comb


def jackknife_error(values):
    """From the estimates without each object."""
    n = len(values)
    mean = sum(values) / n
    return math.sqrt((n - 1) / n * sum((v - mean) ** 2 for v in values))


@cache
def student(level, df):
    """Two-sided quantile of Student's law, by bisection on its density summed by Simpson's rule."""
    constant = math.exp(math.lgamma((df + 1) / 2) - math.lgamma(df / 2)) / math.sqrt(df * math.pi)

    def inside(t, steps=2000):
        h = t / steps
        def density(x):
            return constant * (1 + x * x / df) ** (-(df + 1) / 2)
        total = density(0) + density(t)
        total += sum((4 if k % 2 else 2) * density(k * h) for k in range(1, steps))
        return 2 * h / 3 * total

    low, high = 0.0, 1000.0
    while inside(high) < level:
        high *= 2
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if inside(middle) < level else (low, middle)
        if high < 50 and high - low < 1e-13:
            break
    return (low + high) / 2


def log_limits(value, error, *, n, level, best, larger=True, bounds=(-math.inf, math.inf),
               floor=0.0, df=0, t=None):
    """Limits on the logarithm of the distance from the best value; symmetric where best is None."""
    t = student(level, n - 1) if t is None else t
    s = max(error, floor)
    if best is None:
        low, high = value - t * s, value + t * s
    else:
        d = best - value if larger else value - best
        near, far = d * math.exp(-t * s / d), d * math.exp(t * s / d)
        if floor and df:
            near -= t * t * floor / math.sqrt(2 * df)
        low, high = (best - far, best - near) if larger else (best + near, best + far)
    return max(low, bounds[0]), min(high, bounds[1])


def proportion_limits(kept, n, level):
    """Clopper-Pearson: bisection on sums of binomial terms."""
    tail = (1 - level) / 2

    def at_least(p):
        return math.fsum(comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(kept, n + 1))

    def at_most(p):
        return math.fsum(comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(kept + 1))

    def solve(below):
        low, high = 0.0, 1.0
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if below(middle) else (low, middle)
        return (low + high) / 2

    return (solve(lambda p: at_least(p) < tail) if kept else 0.0,
            solve(lambda p: at_most(p) > tail) if kept < n else 1.0)


# -- entropies --------------------------------------------------------------------------------
def corrected_entropy(counts, digits=60):
    """The printed finite form, in Decimal with digits to spare for what it cancels."""
    counts = [int(x) for x in counts if x > 0]
    n, f1, f2 = sum(counts), counts.count(1), counts.count(2)
    getcontext().prec = digits + 20
    first = Decimal(0)
    for size in set(counts):
        harmonic = sum((Decimal(1) / k for k in range(size, n)), Decimal(0))
        first += counts.count(size) * size * harmonic
    first /= n
    if f1 == 0:
        return float(first)
    a = (Fraction(2 * f2, (n - 1) * f1 + 2 * f2) if f2
         else Fraction(2, (n - 1) * (f1 - 1) + 2))
    if a == 1:
        return float(first)
    share = Decimal(a.numerator) / Decimal(a.denominator)
    q = 1 - share
    lost = int(-n * q.ln() / Decimal(10).ln()) + 10
    getcontext().prec = digits + 20 + lost
    share = Decimal(a.numerator) / Decimal(a.denominator)
    q = 1 - share
    rest, power = -share.ln(), Decimal(1)
    for r in range(1, n):
        power *= q
        rest -= power / r
    return float(first + Decimal(f1) / n * rest / q ** (n - 1))


def labels_of(table):
    """Labels of x and y with this table."""
    cells = [(k, l) for k, row in enumerate(table) for l, count in enumerate(row)
             for _ in range(count)]
    return [k for k, _ in cells], [l for _, l in cells]


def _entropies(x, y):
    def of(labels):
        return corrected_entropy([labels.count(v) for v in set(labels)])

    return of(x), of(y), of(list(zip(x, y)))


def corrected_information(name, x, y):
    """The corrected estimate of an information measure."""
    h_x, h_y, both = _entropies(x, y)
    mutual = h_x + h_y - both
    if name == "mutual_information":
        return mutual
    if name == "variation_of_information":
        return 2 * both - h_x - h_y
    over, under = {"normalized_mutual_information": (mutual, (h_x + h_y) / 2),
                   "normalized_variation_of_information": (both - mutual, both),
                   "normalized_information_distance": (max(h_x, h_y) - mutual, max(h_x, h_y)),
                   }[name]
    return over / under if under else math.nan


def rare_objects(table):
    """Objects outside cells that are the largest of their row or column."""
    columns = list(zip(*table))
    return sum(count for row in table for l, count in enumerate(row)
               if count < max(row) and count < max(columns[l]))


def sd_of_n11(x, y):
    """Over all orders of the objects of y."""
    pairs = list(combinations(range(len(x)), 2))
    counts = [sum(x[i] == x[j] and order[i] == order[j] for i, j in pairs)
              for order in permutations(y)]
    mean = Fraction(sum(counts), len(counts))
    return math.sqrt(sum((c - mean) ** 2 for c in counts) / len(counts))


# -- rankings ---------------------------------------------------------------------------------
def ranked(estimates, influences, best, larger, critical, n):
    """Steps 2 to 4 of multiple comparisons with the best, in loops."""
    m = len(estimates)
    far = [max(best - e if larger else e - best, 0.0) for e in estimates]
    phi = [-2 * math.sqrt(d) for d in far]
    sign = 1 if larger else -1
    scaled = [[sign * v / math.sqrt(max(d, 1 / n)) for v in column]
              for d, column in zip(far, influences)]
    se = [[math.sqrt(sum((a - b) ** 2 for a, b in zip(scaled[i], scaled[j])) / (n * (n - 1)))
           for j in range(m)] for i in range(m)]
    d = [[phi[i] - phi[j] for j in range(m)] for i in range(m)]
    w = [[(math.sqrt(far[i]) + math.sqrt(far[j])) / 2 for j in range(m)] for i in range(m)]
    high, possible = [], []
    for i in range(m):
        others = [j for j in range(m) if j != i]
        high.append(max(0.0, min((d[i][j] + critical[i] * se[i][j]) * w[i][j] for j in others)))
        tied = all(se[i][j] <= 1e-12 or d[i][j] + critical[i] * se[i][j] > 0 for j in others)
        if tied or phi[i] == max(phi):
            possible.append(i)
    low = []
    for i in range(m):
        rivals = [j for j in possible if j != i]
        low.append(min([0.0, *((d[i][j] - critical[j] * se[i][j]) * w[i][j] for j in rivals)])
                   if rivals else 0.0)
    gain = [min(far[j] for j in range(m) if j != i) - far[i] for i in range(m)]
    return {"gain": gain, "low": low, "high": high, "possibly_best": possible, "se": se}
