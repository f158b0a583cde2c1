"""Transport dissimilarities from the definition, by listing everything.

A side is a list over objects of {set of labels: mass}; masses may be Fractions.
"""

from functools import cache
from itertools import permutations, product

import numpy as np


def transport_value(x, y, base="rand", alpha=0.5):
    """Least mean distance between focal rough clusterings (eq. 14, 15), normalised."""
    return cost_of_laws(focal_clusterings(x), focal_clusterings(y), len(x), base, alpha)


def nested_transport_value(x, y, base="rand", alpha=0.5):
    """The same of possibilities of whole clusterings; sides are degrees, one row per object."""
    return cost_of_laws(nested_clusterings(x), nested_clusterings(y), len(x), base, alpha)


def nested_clusterings(degrees):
    """Eq. 13: a clustering is as possible as its least possible object; masses of the cuts."""
    possible = {chosen: min(row[k] for row, k in zip(degrees, chosen))
                for chosen in product(range(len(degrees[0])), repeat=len(degrees))}
    levels = sorted({*possible.values()} - {0}, reverse=True)
    found = {}
    for level, below in zip(levels, [*levels[1:], 0]):
        cut = frozenset(canonical(c) for c, degree in possible.items() if degree >= level)
        found[cut] = found.get(cut, 0) + level - below
    return found


def cost_of_laws(left, right, n, base, alpha):
    """Least mean distance of two laws of sets of hard clusterings of n objects."""
    most = n * (n - 1) / 2 if base == "rand" else n - 1
    costs = [[rough_distance(a, b, base, alpha) / most for b in right] for a in left]
    p, q = [float(v) for v in left.values()], [float(v) for v in right.values()]
    if len(p) == 1 or len(q) == 1:
        return float(sum(u * v * costs[i][j] for i, u in enumerate(p) for j, v in enumerate(q)))
    return least_cost(p, q, costs)


def focal_clusterings(side):
    """{set of hard clusterings, each a canonical tuple: probability} of independent objects."""
    found = {}
    for chosen in product(*(row.items() for row in side)):
        probability = 1
        for _, mass in chosen:
            probability = probability * mass
        if probability:
            compatible = frozenset(map(canonical, product(*(sorted(s) for s, _ in chosen))))
            found[compatible] = found.get(compatible, 0) + probability
    return found


def canonical(labels):
    """Labels numbered by first appearance."""
    names = {}
    return tuple(names.setdefault(label, len(names)) for label in labels)


@cache
def rough_distance(a, b, base, alpha):
    """(1 - alpha) closest + alpha Hausdorff distance of two sets of hard clusterings."""
    table = [[hard_distance(u, v, base) for v in b] for u in a]
    closest = min(map(min, table))
    hausdorff = max(max(map(min, table)), max(map(min, zip(*table))))
    return (1 - alpha) * closest + alpha * hausdorff


@cache
def hard_distance(a, b, base):
    """Pairs on which two hard clusterings disagree, or objects to move."""
    n = len(a)
    if base == "rand":
        return sum((a[i] == a[j]) != (b[i] == b[j]) for i in range(n) for j in range(i))
    k = max(max(a), max(b)) + 1
    return n - max(sum(order[u] == v for u, v in zip(a, b)) for order in permutations(range(k)))


def least_cost(p, q, costs):
    """Cost of the best coupling of two laws by linear programming."""
    from scipy.optimize import linprog
    r, s = len(p), len(q)
    rows = np.zeros((r + s, r * s))
    for i in range(r):
        rows[i, i * s:(i + 1) * s] = 1
    for j in range(s):
        rows[r + j, j::s] = 1
    total = sum(p)
    solved = linprog(np.ravel(costs), A_eq=rows, b_eq=[*p, *(v * total / sum(q) for v in q)],
                     method="highs")
    assert solved.status == 0, solved.message
    return float(solved.fun)


def law(clustering):
    """A clustering of softclust as a list over objects of {set of labels: mass}."""
    table = clustering.to_evidential()
    sets = [frozenset(np.flatnonzero(row).tolist()) for row in np.asarray(table.focal_sets)]
    return [{s: float(m) for s, m in zip(sets, row) if m} for row in np.asarray(table.mass)]


def transport_dissimilarity(x, y, base="rand", alpha=0.5):
    """As `transport_value`, on clusterings."""
    return transport_value(law(x), law(y), base, alpha)


def transport_rand_index(x, y, base="rand", alpha=0.5):
    """1 - transport dissimilarity."""
    return 1 - transport_value(law(x), law(y), base, alpha)
