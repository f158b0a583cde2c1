"""Oracles for the relational measures, from the definitions, in exact rational arithmetic.

A clustering is a `Masses`: a list with one mass function per object, each a dictionary from
sets of clusters (frozenset of int; the empty set is allowed) to numbers. Pair masses are summed
over pairs of focal sets, the pair dissimilarity is the optimum of its transport programme, and
assignments are tried one by one. Nothing here uses the closed formulas under test.

Equation numbers: Campagner, Ciucci, Denoeux (2023), Information Sciences 623, 70-93.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache
from itertools import permutations
from typing import NamedTuple

SAME, DIFFERENT, UNDETERMINED, CONFLICT = range(4)
#: the four pair statements as subsets of {same, different}
STATEMENTS = (frozenset("s"), frozenset("d"), frozenset("sd"), frozenset())
HALF = Fraction(1, 2)


class Masses(list):
    """Mass functions of the objects, with the number of clusters (unused ones count)."""

    def __init__(self, rows, n_clusters=None):
        super().__init__(rows)
        used = max((k + 1 for row in self for focal in row for k in focal), default=1)
        self.n_clusters = used if n_clusters is None else n_clusters

    __hash__ = object.__hash__   # for the caches below: the same object, the same masses


# -- the five kinds as mass functions ------------------------------------------------------


def hard_masses(labels, n_clusters=None):
    """All mass on the set of the object's own cluster."""
    labels = [int(k) for k in labels]
    n_clusters = max(labels) + 1 if n_clusters is None else n_clusters
    return Masses([{frozenset([k]): Fraction(1)} for k in labels], n_clusters)


def rough_masses(upper):
    """All mass on the set of possible clusters."""
    rows = [{frozenset(k for k, u in enumerate(row) if u): Fraction(1)} for row in upper]
    return Masses(rows, len(upper[0]))


def fuzzy_masses(membership):
    """Memberships are masses on single clusters."""
    rows = [{frozenset([k]): Fraction(u) for k, u in enumerate(row) if Fraction(u) != 0}
            for row in membership]
    return Masses(rows, len(membership[0]))


def possibilistic_masses(typicality):
    """Consonant masses: m({typicality >= v_l}) = v_l - v_(l+1); the rest on the empty set."""
    rows = []
    for row in typicality:
        row = [Fraction(v) for v in row]
        levels = sorted({v for v in row if v > 0}, reverse=True)
        masses = {}
        for level, lower in zip(levels, [*levels[1:], Fraction(0)]):
            masses[frozenset(k for k, v in enumerate(row) if v >= level)] = level - lower
        if max(row) < 1:
            masses[frozenset()] = 1 - max(row)
        rows.append(masses)
    return Masses(rows, len(typicality[0]))


def evidential_masses(mass, focal_sets):
    """Masses as given, zeros left out."""
    sets = [frozenset(k for k, u in enumerate(row) if u) for row in focal_sets]
    rows = [{a: Fraction(v) for a, v in zip(sets, row) if Fraction(v) != 0} for row in mass]
    return Masses(rows, len(focal_sets[0]))


# -- masses of pairs and of single clusters -------------------------------------------------


def pair_mass(m1, m2):
    """(same, different, undetermined, conflict) of two objects, eq. 3."""
    result = [Fraction(0)] * 4
    for a, u in m1.items():
        for b, v in m2.items():
            if not a or not b:
                result[CONFLICT] += u * v
            elif not a & b:
                result[DIFFERENT] += u * v
            elif len(a) == 1 and a == b:
                result[SAME] += u * v
            else:
                result[UNDETERMINED] += u * v
    return tuple(result)


def restriction(m, k):
    """(cluster k, another, undetermined, empty) of one object, eq. 26-29."""
    result = [Fraction(0)] * 4
    for a, u in m.items():
        if not a:
            result[CONFLICT] += u
        elif k not in a:
            result[DIFFERENT] += u
        elif len(a) == 1:
            result[SAME] += u
        else:
            result[UNDETERMINED] += u
    return tuple(result)


def relation(x):
    """Pair masses of all i < j, in the order (0, 1), (0, 2), ..."""
    return _kept_relation(x) if isinstance(x, Masses) else _kept_relation.__wrapped__(x)


@lru_cache(maxsize=64)
def _kept_relation(x):
    return [pair_mass(x[i], x[j]) for i in range(len(x)) for j in range(i + 1, len(x))]


def pair_table(x, y):
    """Sum over i < j of m1(a) m2(b), rows a of x, columns b of y."""
    table = [[Fraction(0)] * 4 for _ in range(4)]
    for m1, m2 in zip(relation(x), relation(y)):
        for a in range(4):
            for b in range(4):
                table[a][b] += m1[a] * m2[b]
    return table


# -- the transport programme ----------------------------------------------------------------


def statement_costs(alpha):
    """Costs between the four statements, eq. 22."""
    alpha = Fraction(alpha)

    def cost(a, b):
        if a == b:
            return Fraction(0)
        return alpha if {a, b} in ({SAME, UNDETERMINED}, {DIFFERENT, UNDETERMINED}) else Fraction(1)

    return [[cost(a, b) for b in range(4)] for a in range(4)]


class Transport(NamedTuple):
    """Optimal plan and the dual potentials that prove it: f_a + h_b <= cost, equal where used."""

    value: Fraction
    plan: list
    f: list
    h: list


def transport(supply, demand, cost):
    """Least cost of moving `supply` to `demand`, by cheapest augmenting paths.

    Exact: numbers become integers over a common denominator. When totals differ (rounded input)
    the smaller total is moved.
    """
    supply = [Fraction(v) for v in supply]
    demand = [Fraction(v) for v in demand]
    unit = math.lcm(*(v.denominator for v in supply + demand))
    price = math.lcm(*(v.denominator for row in cost for v in row))
    left = [int(v * unit) for v in supply]
    room = [int(v * unit) for v in demand]
    costs = [[int(v * price) for v in row] for row in cost]
    plan = [[0] * len(demand) for _ in supply]
    while any(left) and any(room):
        path = _cheapest_path(left, room, costs, plan)
        amount = min(left[path[0][0]], room[path[-1][1]],
                     *(plan[a][b] for a, b, forward in path if not forward))
        for a, b, forward in path:
            plan[a][b] += amount if forward else -amount
        left[path[0][0]] -= amount
        room[path[-1][1]] -= amount
    f, h = _potentials(costs, plan)
    value = sum(costs[a][b] * plan[a][b] for a in range(len(supply)) for b in range(len(demand)))
    return Transport(
        Fraction(value, unit * price),
        [[Fraction(v, unit) for v in row] for row in plan],
        [Fraction(v, price) for v in f], [Fraction(v, price) for v in h])


def _cheapest_path(left, room, costs, plan):
    """Arcs (a, b, forward) of a cheapest path from spare supply to spare demand (Bellman-Ford)."""
    p, q = len(left), len(room)
    to_row = [0 if amount else None for amount in left]
    to_column = [None] * q
    from_column, from_row = [None] * p, [None] * q
    changed = True
    while changed:
        changed = False
        for a in range(p):
            if to_row[a] is None:
                continue
            for b in range(q):
                length = to_row[a] + costs[a][b]
                if to_column[b] is None or length < to_column[b]:
                    to_column[b], from_row[b], changed = length, a, True
        for a in range(p):
            for b in range(q):
                if plan[a][b] and to_column[b] is not None:
                    length = to_column[b] - costs[a][b]
                    if to_row[a] is None or length < to_row[a]:
                        to_row[a], from_column[a], changed = length, b, True
    b = min((b for b in range(q) if room[b]), key=to_column.__getitem__)
    path = []
    while True:
        a = from_row[b]
        path.append((a, b, True))
        if from_column[a] is None:
            break
        b = from_column[a]
        path.append((a, b, False))
    return path[::-1]


def _potentials(costs, plan):
    """Dual potentials: shortest distances in the residual graph, all nodes starting at 0."""
    p, q = len(costs), len(costs[0])
    row, column = [0] * p, [0] * q
    changed = True
    while changed:
        changed = False
        for a in range(p):
            for b in range(q):
                if row[a] + costs[a][b] < column[b]:
                    column[b], changed = row[a] + costs[a][b], True
                if plan[a][b] and column[b] - costs[a][b] < row[a]:
                    row[a], changed = column[b] - costs[a][b], True
    return [-v for v in row], column


@lru_cache(maxsize=200_000)
def r_alpha(m1, m2, alpha):
    """Dissimilarity of two pair masses: optimum of the transport programme, eq. 23."""
    return transport(m1, m2, statement_costs(alpha)).value


# -- measures ---------------------------------------------------------------------------------


def sum_r(x, y, alpha):
    """Sum of r_alpha over i < j."""
    return sum(r_alpha(m1, m2, Fraction(alpha)) for m1, m2 in zip(relation(x), relation(y)))


def alpha_rand_index(x, y, *, alpha=HALF, pairs="distinct"):
    """eq. 24; ``pairs="all"``: mean over all ordered pairs, an object agreeing with itself."""
    n = len(x)
    total = sum_r(x, y, alpha)
    if pairs == "all":
        return (n * n - 2 * total) / (n * n)
    return 1 - total / (n * (n - 1) // 2)


def alpha_rand_interval(x, y, *, pairs="distinct"):
    """(value at alpha 1, value at alpha 0)."""
    return (alpha_rand_index(x, y, alpha=1, pairs=pairs),
            alpha_rand_index(x, y, alpha=0, pairs=pairs))


class Curve(NamedTuple):
    """The alpha-Rand index as a function of alpha."""

    x: Masses
    y: Masses
    sums: tuple
    n_pairs: int

    def at(self, alpha):
        """The index at one alpha, by its own programmes."""
        return alpha_rand_index(self.x, self.y, alpha=alpha)


def alpha_rand_curve(x, y):
    """Sums of r at alpha 0, 1/2, 1, and the index at any alpha."""
    sums = tuple(sum_r(x, y, alpha) for alpha in (Fraction(0), HALF, Fraction(1)))
    return Curve(x, y, sums, len(x) * (len(x) - 1) // 2)


def belief_distance(m1, m2):
    """Half the sum over all subsets of {same, different} of |Bel1 - Bel2|, eq. 35."""
    def belief(m, a):
        return sum(m[b] for b, inner in enumerate(STATEMENTS) if inner and inner <= a)

    return sum(abs(belief(m1, a) - belief(m2, a)) for a in STATEMENTS) / 2


def jousselme_squared(m1, m2):
    """Half of d' J d, J the Jaccard similarities of the subsets, empty-empty 1 (eq. 36)."""
    def jaccard(a, b):
        return Fraction(len(a & b), len(a | b)) if a | b else Fraction(1)

    d = [u - v for u, v in zip(m1, m2)]
    return sum(d[a] * d[b] * jaccard(STATEMENTS[a], STATEMENTS[b])
               for a in range(4) for b in range(4)) / 2


def conflict(m1, m2):
    """Mass of the pairs of subsets without a common element (section 2.3.1)."""
    return sum(m1[a] * m2[b] for a in range(4) for b in range(4)
               if not STATEMENTS[a] & STATEMENTS[b])


def credal_rand_index(x, y, *, distance="belief"):
    """1 - mean distance of the pair masses, eq. 9 (a float for ``"jousselme"``)."""
    distances = {"belief": belief_distance, "conflict": conflict,
                 "jousselme": lambda a, b: math.sqrt(jousselme_squared(a, b))}
    values = [distances[distance](m1, m2) for m1, m2 in zip(relation(x), relation(y))]
    total = math.fsum(values) if distance == "jousselme" else sum(values)
    return 1 - total / len(values)


def pair_nonspecificity(x):
    """Mean of sum_A m(A) log2 |A| over pairs, the empty set counting as both statements."""
    size = [len(a) or 2 for a in STATEMENTS]
    values = [sum(m[a] * int(math.log2(size[a])) for a in range(4)) for m in relation(x)]
    return sum(values) / len(values)


@lru_cache(maxsize=64)
def restriction_costs(x, y, alpha):
    """W[k][l]: sum over objects of r between cluster k of x and cluster l of y."""
    c = max(x.n_clusters, y.n_clusters)
    alpha = Fraction(alpha)
    return [[sum(r_alpha(restriction(m1, k), restriction(m2, l), alpha) for m1, m2 in zip(x, y))
             for l in range(c)] for k in range(c)]


def alpha_partition_dissimilarity(x, y, *, alpha=HALF, denominator="2(n-1)"):
    """eq. 30 by trying every permutation of the clusters, missing clusters being empty."""
    w = restriction_costs(x, y, alpha)
    best = min(sum(w[k][tau[k]] for k in range(len(w))) for tau in permutations(range(len(w))))
    return best / {"2(n-1)": 2 * (len(x) - 1), "2n": 2 * len(x)}[denominator]


def alpha_partition_interval(x, y, *, denominator="2(n-1)"):
    """(value at alpha 0, value at alpha 1)."""
    return tuple(alpha_partition_dissimilarity(x, y, alpha=alpha, denominator=denominator)
                 for alpha in (0, 1))
