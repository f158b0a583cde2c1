"""Random small clusterings with rational masses, and trials of a statement on many pairs."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

import softclust as sc

KINDS = ("hard", "rough", "fuzzy", "evidential")


def soften(rows, n_clusters=None):
    """A clustering of `by_hand` as one of softclust (labels 1, 2, ...)."""
    most = n_clusters or max(label for row in rows for focal in row for label in focal)
    return sc.EvidentialClustering.from_dicts(
        [{tuple(sorted(focal)): float(mass) for focal, mass in row.items()} for row in rows],
        cluster_names=list(range(1, most + 1)))


def transported(x, y, base="rand", alpha=0.5):
    """Transport dissimilarity of two clusterings of `by_hand` by softclust, which must be exact."""
    found = sc.transport_dissimilarity(soften(x), soften(y), base=base, alpha=float(alpha))
    assert found.exact
    return found.value


def random_clustering(kind, n, c, rng):
    """One random clustering in the notation of `by_hand`."""
    sets = [frozenset(k + 1 for k in range(c) if bits >> k & 1) for bits in range(1, 2**c)]
    single = [s for s in sets if len(s) == 1]
    rows = []
    for _ in range(n):
        among = single if kind in ("hard", "fuzzy") else sets
        size = 1 if kind in ("hard", "rough") else int(rng.integers(1, 3))
        chosen = rng.choice(len(among), size=size, replace=False)
        parts = rng.integers(1, 4, size=size)
        rows.append({among[k]: Fraction(int(p), int(parts.sum())) for k, p in zip(chosen, parts)})
    return rows


def pairs_of_kinds():
    """All ten unordered pairs of kinds."""
    return [(a, b) for i, a in enumerate(KINDS) for b in KINDS[i:]]


def trial(statement, kinds, trials, *, n=4, c=3, seed=0):
    """Number of random pairs of these kinds for which `statement(x, y)` is false."""
    rng = np.random.default_rng(seed)
    failed = 0
    for _ in range(trials):
        x, y = (soften(random_clustering(kind, n, c, rng), c) for kind in kinds)
        failed += not statement(x, y)
    return failed


def all_distances(d, n, c):
    """d_0 and d_1 of all rough clusterings of n objects in c clusters, as sets of partitions.

    Each rough clustering is a set of partitions; d is the table of distances of all partitions.
    """
    from itertools import product
    labels = sorted({canonical(p) for p in product(range(c), repeat=n)})
    place = {p: k for k, p in enumerate(labels)}
    table = np.array([[float(d(a, b)) for b in labels] for a in labels])
    choices = [tuple(k for k in range(c) if bits >> k & 1) for bits in range(1, 2**c)]
    found = {frozenset(place[canonical(p)] for p in product(*sets))
             for sets in product(choices, repeat=n)}
    members = np.array([[k in s for k in range(len(labels))] for s in found])
    nearest = np.array([table[:, row].min(axis=1) for row in members])   # set, partition
    closest = np.array([nearest[:, row].min(axis=1) for row in members]).T
    directed = np.array([nearest[:, row].max(axis=1) for row in members]).T
    return closest, np.maximum(directed, directed.T)


def canonical(labels):
    """Labels numbered by their first appearance: one name for each partition."""
    names = {}
    return tuple(names.setdefault(label, len(names)) for label in labels)


def worst_factor(d):
    """Largest d(x, z) / (d(x, y) + d(y, z)): at most 1 for a metric."""
    worst = 0.0
    for y in range(len(d)):
        detour = d[:, [y]] + d[[y], :]
        worst = max(worst, float((d[detour > 1e-12] / detour[detour > 1e-12]).max()))
    return worst
