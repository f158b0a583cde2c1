"""The nested sampling of section 4.1 for many objects: all contingency tables in one product.

The same estimate as ``sc.transport_dissimilarity(method="sample")``, which is made for small data
and checks every step; this one draws a thousand labellings of ten thousand objects in a second.
"""

from __future__ import annotations

from itertools import permutations

import numpy as np
from scipy.optimize import linear_sum_assignment

import softclust as sc


def labellings(clustering, draws, inner, rng):
    """Compatible hard clusterings, (outer, inner, n): focal rough clusterings, draws inside each.

    A hard clustering needs one draw, a rough one has one focal clustering, a fuzzy one has one
    labelling in each; else there are draws / inner focal clusterings.
    """
    whole = sc.as_clustering(clustering).to_evidential()
    n = whole.n_objects
    cumulated = np.cumsum(whole.mass, axis=1)
    cumulated[:, -1] = np.inf
    order, sizes = np.argsort(~whole.focal_sets, axis=1, kind="stable"), whole.focal_sets.sum(1)
    logical = bool((whole.mass.max(axis=1) == 1.0).all())
    single = bool((sizes[(whole.mass > 0).any(axis=0)] == 1).all())
    outer = 1 if logical else draws if single else draws // inner
    inner = 1 if single else draws // outer
    labels = np.empty((outer, inner, n), dtype=np.int8)
    for k in range(outer):
        focal = (rng.random((n, 1)) >= cumulated).sum(axis=1)
        labels[k] = order[focal, (rng.random((inner, n)) * sizes[focal]).astype(np.int64)]
    return labels


def distances(a, b):
    """Distances of all hard clusterings a (S, n) and b (T, n): two tables (S, T)."""
    n, c = a.shape[1], int(max(a.max(), b.max())) + 1
    table = np.zeros((len(a) * c, len(b) * c), dtype=np.float32)   # counts up to 2^24 are exact
    for part in range(0, n, 2000):
        here = slice(part, part + 2000)
        one, two = ((labels[:, None, here] == np.arange(c)[:, None]).astype(np.float32)
                    .reshape(len(labels) * c, -1) for labels in (a, b))
        table += one @ two.T
    table = table.reshape(len(a), c, len(b), c)
    matched = np.max([sum(table[:, k, :, order[k]] for k in range(c))
                      for order in permutations(range(c))], axis=0)
    rows, columns = table[:, :, 0].sum(axis=2), table[0].sum(axis=0)
    same = np.square(table, dtype=np.float64).sum(axis=(1, 3))
    left, right = (np.square(v, dtype=np.float64).sum(axis=1) for v in (rows, columns))
    return {"rand": (left[:, None] + right - 2 * same) / (n * (n - 1)),
            "partition": (n - matched.astype(np.float64)) / (n - 1)}


def sampled(x, y, *, draws=1000, inner=20, rng=None):
    """{base: (d_0, d_1)} from drawn labellings: extremes inside, transport outside."""
    rng = np.random.default_rng(rng)
    a, b = (labellings(side, draws, inner, rng) for side in (x, y))
    found = {}
    for base, table in distances(a.reshape(-1, a.shape[2]), b.reshape(-1, b.shape[2])).items():
        table = table.reshape(a.shape[:2] + b.shape[:2])
        closest = table.min(axis=(1, 3))
        farthest = np.maximum(table.min(axis=3).max(axis=1), table.min(axis=1).max(axis=2))
        found[base] = transported(closest), transported(farthest)
    return found


def transported(cost):
    """Least mean cost of a coupling of two uniform laws, one size a multiple of the other."""
    rows, columns = cost.shape
    if 1 in cost.shape:
        return float(cost.mean())
    most = max(rows, columns)
    cost = np.repeat(np.repeat(cost, most // rows, axis=0), most // columns, axis=1)
    return float(cost[linear_sum_assignment(cost)].mean())
