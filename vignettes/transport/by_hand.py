"""The definitions of the transport paper in exact rational arithmetic, for small examples.

Nothing here knows softclust. A clustering is a list with one dictionary an object, from sets of
labels (frozenset) to masses (Fraction); everything is listed, nothing is clever. Equation numbers:
Campagner, Ciucci, Denoeux (2023), Information Sciences 623, 70-93.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, permutations, product

HALF = Fraction(1, 2)
ALPHAS = (Fraction(0), HALF, Fraction(1))


# -- writing clusterings down -----------------------------------------------------------------
def rough(text):
    """"1|12|3": object 1 in cluster 1, object 2 in 1 or 2, object 3 in 3."""
    return [{frozenset(int(label) for label in part): Fraction(1)} for part in text.split("|")]


def fuzzy(*rows):
    """One row of memberships an object, as text: "1/2 1/2 0"."""
    return [{frozenset([k + 1]): Fraction(u) for k, u in enumerate(row.split()) if Fraction(u)}
            for row in rows]


def evidential(*rows):
    """One dictionary an object, from text such as "12" to masses."""
    return [{frozenset(int(label) for label in key): Fraction(m) for key, m in row.items()}
            for row in rows]


# -- hard clusterings, eq. 6 and 10 -----------------------------------------------------------
def disagreement(a, b):
    """1 - Rand: share of pairs that are together in one clustering and apart in the other."""
    pairs = list(combinations(range(len(a)), 2))
    return Fraction(sum((a[i] == a[j]) != (b[i] == b[j]) for i, j in pairs), len(pairs))


def moved(a, b):
    """Partition distance: objects to move, divided by n - 1."""
    labels = sorted({*a, *b})
    matched = max(sum(dict(zip(labels, order))[u] == v for u, v in zip(a, b))
                  for order in permutations(labels))
    return Fraction(len(a) - matched, len(a) - 1)


# -- rough clusterings, eq. 14 ----------------------------------------------------------------
def compatible(rough_clustering):
    """C(R): all hard clusterings that choose one of the labels of every object.

    Given as one set of labels an object, or as `rough` makes it: one set of mass 1.
    """
    sets = [next(iter(row)) if isinstance(row, dict) else row for row in rough_clustering]
    return list(product(*map(sorted, sets)))


def closest(r1, r2, d):
    """d_0: least distance of a compatible pair."""
    return min(d(a, b) for a in compatible(r1) for b in compatible(r2))


def hausdorff(r1, r2, d):
    """d_1: Hausdorff distance of the sets of compatible hard clusterings."""
    table = [[d(a, b) for b in compatible(r2)] for a in compatible(r1)]
    return max(max(map(min, table)), max(map(min, zip(*table))))


# -- any clusterings, eq. 11 and 15 -----------------------------------------------------------
def law(clustering):
    """m_M: {focal rough clustering: mass}, the objects independent."""
    found = {}
    for chosen in product(*(row.items() for row in clustering)):
        mass = Fraction(1)
        for _, m in chosen:
            mass *= m
        if mass:
            key = tuple(focal for focal, _ in chosen)
            found[key] = found.get(key, Fraction(0)) + mass
    return found


def transport(x, y, d, alpha):
    """d_alpha of eq. 15."""
    left, right = law(x), law(y)
    cost = [[(1 - alpha) * closest(r, s, d) + alpha * hausdorff(r, s, d) for s in right]
            for r in left]
    return least_cost(list(left.values()), list(right.values()), cost)


def least_cost(p, q, cost):
    """Least mean cost of a coupling of p and q, with its proof.

    A floating-point solver proposes a coupling and prices; both are rounded to fractions and
    checked exactly: the coupling has the margins p and q, no price exceeds its cost, and the two
    values are equal. So the value is the optimum.
    """
    if len(p) == 1 or len(q) == 1:
        return sum(u * v * cost[i][j] for i, u in enumerate(p) for j, v in enumerate(q))
    import numpy as np
    from scipy.optimize import linprog
    r, s = len(p), len(q)
    rows = np.zeros((r + s, r * s))
    for i in range(r):
        rows[i, i * s:(i + 1) * s] = 1
    for j in range(s):
        rows[r + j, j::s] = 1
    flat = [float(c) for row in cost for c in row]
    found = linprog(flat, A_eq=rows, b_eq=[float(v) for v in (*p, *q)], method="highs-ds")

    def exactly(v):
        return Fraction(float(v)).limit_denominator(10_000)

    sigma = [[exactly(found.x[i * s + j]) for j in range(s)] for i in range(r)]
    f = [exactly(v) for v in found.eqlin.marginals[:r]]
    g = [exactly(v) for v in found.eqlin.marginals[r:]]
    assert [sum(row) for row in sigma] == p
    assert [sum(column) for column in zip(*sigma)] == q
    assert all(v >= 0 for row in sigma for v in row)
    assert all(f[i] + g[j] <= cost[i][j] for i in range(r) for j in range(s))
    value = sum(sigma[i][j] * cost[i][j] for i in range(r) for j in range(s))
    assert value == sum(u * v for u, v in zip(f, p)) + sum(u * v for u, v in zip(g, q))
    return value


# -- pairs of objects, eq. 3, 22 to 24 --------------------------------------------------------
STATEMENTS = ("same", "different", "undetermined", "conflict")


def pair_mass(mi, mj):
    """Masses on same, different, undetermined and conflict of two objects."""
    mass = dict.fromkeys(STATEMENTS, Fraction(0))
    for (a, u), (b, v) in product(mi.items(), mj.items()):
        if not a or not b:
            mass["conflict"] += u * v
        elif not a & b:
            mass["different"] += u * v
        elif len(a) == len(b) == 1:
            mass["same"] += u * v
        else:
            mass["undetermined"] += u * v
    return [mass[name] for name in STATEMENTS]


def statement_cost(alpha):
    """Eq. 22: 0 for the same statement, alpha if one of them is undetermined, else 1."""
    return [[0 if a == b else alpha if "conflict" not in (a, b) and "undetermined" in (a, b) else 1
             for b in STATEMENTS] for a in STATEMENTS]


def alpha_rand(x, y, alpha):
    """Rand_alpha of eq. 24: the mean over distinct pairs."""
    pairs = list(combinations(range(len(x)), 2))
    return 1 - sum(least_cost(pair_mass(x[i], x[j]), pair_mass(y[i], y[j]), statement_cost(alpha))
                   for i, j in pairs) / len(pairs)


# -- clusters, eq. 26 to 30 -------------------------------------------------------------------
def restricted(row, k):
    """A mass function on {k, not k, either}, and its empty mass."""
    mass = dict.fromkeys(STATEMENTS, Fraction(0))
    for focal, m in row.items():
        name = ("conflict" if not focal else "different" if k not in focal else
                "same" if len(focal) == 1 else "undetermined")
        mass[name] += m
    return [mass[name] for name in STATEMENTS]


def delta(x, y, alpha):
    """The alpha partition dissimilarity of eq. 30, divided by 2(n - 1)."""
    labels = sorted({label for row in (*x, *y) for focal in row for label in focal})
    cost = statement_cost(alpha)
    table = {(k, m): sum(least_cost(restricted(a, k), restricted(b, m), cost)
                         for a, b in zip(x, y)) for k in labels for m in labels}
    return (min(sum(table[k, m] for k, m in zip(labels, order)) for order in permutations(labels))
            / (2 * (len(x) - 1)))
