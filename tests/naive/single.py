"""Oracles for one clustering: belief functions of one object and uncertainty, by definition.

Mass functions are dictionaries from sets of clusters (frozenset of int) to numbers, as in
`relational.Masses`.
"""

from __future__ import annotations

import math


def belief(mass, chosen):
    """Mass of the non-empty sets within `chosen`, eq. 31."""
    chosen = frozenset(chosen)
    return sum((v for focal, v in mass.items() if focal and focal <= chosen), start=0)


def plausibility(mass, chosen):
    """Mass of the sets that meet `chosen`, eq. 31."""
    chosen = frozenset(chosen)
    return sum((v for focal, v in mass.items() if focal & chosen), start=0)


def pignistic(mass, k, normalized=True):
    """Mass of the sets with cluster k, divided by their sizes (and by 1 - m(empty))."""
    share = sum((v / len(focal) for focal, v in mass.items() if k in focal), start=0)
    return share / (1 - mass.get(frozenset(), 0)) if normalized else share


def nonspecificity(x):
    """Mean of sum m(A) log |A| + m(empty) log c over the objects, divided by log c."""
    c = x.n_clusters
    if c == 1:
        return 0.0
    total = 0.0
    for mass in x:
        for focal, v in mass.items():
            total += float(v) * math.log(len(focal) if focal else c)
    return total / (len(x) * math.log(c))


def membership_entropy(x, *, base=2, average=True):
    """Mean of -sum u log u over the rows of a membership matrix."""
    values = [-sum(float(u) * math.log(float(u), base) for u in row if u > 0) for row in x]
    return sum(values) / len(values) if average else values


def fuzziness(x, *, method="partition_coefficient", normalize=True):
    """Bezdek's coefficients over the columns with some membership."""
    n = len(x)
    c = sum(any(row[k] for row in x) for k in range(len(x[0])))
    if method == "partition_entropy":
        raw = membership_entropy(x, base=math.e)
        return raw / math.log(c) if normalize and c > 1 else raw
    raw = sum(float(u) ** 2 for row in x for u in row) / n
    if normalize:
        return (1 - raw) / (1 - 1 / c) if c > 1 else 0.0
    return raw


def margin(x):
    """Largest less second largest entry of each row; 1 for rows of one entry."""
    return [1.0 if len(row) == 1 else sorted(row)[-1] - sorted(row)[-2] for row in x]


def dissimilarity_accounted_for(x, d):
    n, c = len(x), len(x[0])
    within = sum(x[i][k] * d[i][j] * x[j][k]
                 for i in range(n) for j in range(n) for k in range(c))
    weight = sum(sum(row[k] for row in x) ** 2 for k in range(c))
    return 1 - within / weight / (sum(map(sum, d)) / n**2)
