"""Bagging by its definition, with loops: overlap by all permutations, votes, pairwise entropies."""

import math
from itertools import permutations

from .kmeans import kmeans, kmeans_plusplus


def matchings(table):
    """All permutations rows -> columns with the largest sum, in lexicographic order."""
    k = len(table)
    sums = {p: sum(table[i][p[i]] for i in range(k)) for p in permutations(range(k))}
    most = max(sums.values())
    return [p for p in sorted(sums) if sums[p] == most]


def votes_of(labels, source, base, k, uniform, voting, overlap):
    """Votes of one replicate, (object, cluster) pairs; whether the matching was tied.

    `labels` of the draws; for voting "all" of all objects.
    """
    if voting == "all":
        pairs = list(enumerate(labels))
        counted = pairs
    else:
        pairs = [(i, label) for i, label in zip(source, labels) if i >= 0]
        counted = pairs if overlap == "draws" else list(dict(reversed(pairs)).items())
    table = [[0] * k for _ in range(k)]
    for i, label in counted:
        table[base[i]][label] += 1
    optimal = matchings(table)
    chosen = optimal[math.floor(uniform * len(optimal))]
    if voting == "once":
        pairs = list(dict(reversed(pairs)).items())
    return [(i, chosen.index(label)) for i, label in pairs], len(optimal) > 1


def fit_replicate(x, points, source, weights, *, weighted, starts=None, seeds=None):
    """k-means of the drawn points, draws of one object merged: labels of the draws, centres."""
    merged = [0.0] * len(x)
    extra, masses = [], []
    for point, i, w in zip(points, source, weights):
        w = w if weighted else 1.0
        if i >= 0:
            merged[i] += w
        else:
            extra.append(point)
            masses.append(w)
    everything, mass = [*x, *extra], [*merged, *masses]
    alive = [i for i, w in enumerate(mass) if w > 0]
    rows, kept = [everything[i] for i in alive], [mass[i] for i in alive]
    given = [starts] if starts is not None else [kmeans_plusplus(rows, kept, u) for u in seeds]
    best = kmeans(rows, kept, given[0])
    for start in given[1:]:
        other = kmeans(rows, kept, start)
        if other[2] < best[2] * (1 - 1e-12):   # the same clusters, found by another way, are tied
            best = other
    of_object = dict(zip(alive, best[0]))
    labels = [of_object[i] if i >= 0 else -1 for i in source]
    return labels, best[1]


def nearest(point, centers):
    """Lowest index of the nearest centre."""
    distances = [sum((a - b) ** 2 for a, b in zip(point, c)) for c in centers]
    return distances.index(min(distances))


def pairwise_entropy(membership, drop=False, base=2.0):
    """Mean S_lm for every pair l < m."""
    c = len(membership[0])
    means = {}
    for l in range(c):
        for m in range(l + 1, c):
            values = []
            for u in membership:
                if u[l] + u[m] > 0:
                    q = u[l] / (u[l] + u[m])
                    values.append(-sum(p * math.log(p, base) for p in (q, 1 - q) if p > 0))
                elif not drop:
                    values.append(0.0)
            means[l, m] = sum(values) / len(values) if values else 0.0
    return means
