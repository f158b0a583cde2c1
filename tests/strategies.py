"""Clusterings for tests: exhaustive lists, seeded random ones, hypothesis strategies.

Random entries are fractions with small denominators (halves, thirds, quarters, eighths,
twelfths, with many zeros and ones), so that ties, extremes and equal rows occur, and so that
`naive_masses` can recover the exact rational numbers behind the floats.
"""

from __future__ import annotations

import os
from fractions import Fraction
from itertools import combinations, permutations, product

import naive
import numpy as np
from hypothesis import strategies as st

import softclust as sc

KINDS = ("hard", "rough", "fuzzy", "possibilistic", "evidential")
DENOMINATORS = (1, 1, 2, 2, 3, 4, 6, 8, 12)
#: kernels then run as Python: tests with many objects take fewer
JIT_OFF = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")


# -- exhaustive -----------------------------------------------------------------------------


def all_partitions(n):
    """All partitions of n objects as lists of labels (restricted growth strings)."""
    result = [[0]]
    for _ in range(n - 1):
        result = [[*labels, k] for labels in result for k in range(max(labels) + 2)]
    return result


def partition_pairs(n):
    """All pairs of partitions of n objects, each but for the order of the objects."""
    first = [x for x in all_partitions(n) if x == sorted(x)
             and sorted(map(x.count, set(x))) == [x.count(k) for k in sorted(set(x))]]
    return product(first, all_partitions(n))


def all_subsets(c):
    """All non-empty sets of c clusters as 0/1 rows."""
    return [[(bits >> k) & 1 for k in range(c)] for bits in range(1, 2**c)]


def all_rough(n, c):
    """All rough clusterings of n objects over c clusters."""
    return [sc.RoughClustering.from_upper(list(rows)) for rows in product(all_subsets(c), repeat=n)]


def all_fuzzy(n, c):
    """All fuzzy clusterings of n objects over c clusters with entries 0, 1/2, 1."""
    rows = [row for row in product((0.0, 0.5, 1.0), repeat=c) if sum(row) == 1.0]
    return [sc.FuzzyClustering(list(chosen)) for chosen in product(rows, repeat=n)]


def all_covers(n, most):
    """All covers of n objects with up to `most` different clusters, none of them empty."""
    sets = [c for k in range(1, n + 1) for c in combinations(range(n), k)]
    return [sc.CoverClustering.from_clusters(chosen, n_objects=n)
            for k in range(most + 1) for chosen in combinations(sets, k)]


# -- seeded -----------------------------------------------------------------------------------


def fraction_rows(rng, n, f):
    """n random rows of f fractions that sum to 1, as floats; some rows repeat."""
    rows = []
    for _ in range(n):
        if rows and rng.random() < 0.25:
            rows.append(rows[rng.integers(len(rows))])
            continue
        total = int(rng.choice(DENOMINATORS))
        support = rng.choice(f, size=rng.integers(1, f + 1), replace=False)
        counts = np.zeros(f, dtype=int)
        for k in rng.choice(support, size=total):
            counts[k] += 1
        rows.append(counts / total)
    return np.array(rows)


def random_clustering(rng, kind, n, c, empty=False):
    """A random clustering of one kind; `empty` allows mass on the empty set."""
    if kind == "hard":
        return sc.HardClustering(rng.integers(c, size=n), n_clusters=c)
    if kind == "rough":
        sets = np.array(all_subsets(c))
        return sc.RoughClustering.from_upper(sets[rng.integers(len(sets), size=n)])
    if kind == "fuzzy":
        return sc.FuzzyClustering(fraction_rows(rng, n, c))
    if kind == "possibilistic":
        total = rng.choice(DENOMINATORS, size=(n, 1))
        typicality = rng.integers(0, total + 1, size=(n, c)) / total
        if not empty:
            typicality[np.arange(n), rng.integers(c, size=n)] = 1.0
        return sc.PossibilisticClustering(typicality)
    sets = np.array(all_subsets(c))
    chosen = rng.permutation(len(sets))[: rng.integers(1, min(len(sets), 7) + 1)]
    focal = sets[chosen]
    if empty:
        focal = np.vstack([np.zeros((1, c), dtype=int), focal])
    return sc.EvidentialClustering(fraction_rows(rng, n, len(focal)), focal)


def random_pairs(seed, kinds=KINDS, count=40, empty=True, n_max=8, c_max=4):
    """`count` pairs of clusterings of fewer than n_max objects, kinds drawn from `kinds`."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        n = int(rng.integers(2, n_max))
        yield tuple(random_clustering(rng, str(rng.choice(kinds)), n,
                                      int(rng.integers(1, c_max + 1)), empty) for _ in range(2))


# -- hypothesis -------------------------------------------------------------------------------


@st.composite
def _weights(draw, f):
    """f integers with a positive sum that divides 12, 8, ...: a row of fractions."""
    total = draw(st.sampled_from(DENOMINATORS))
    places = draw(st.lists(st.integers(0, f - 1), min_size=total, max_size=total))
    return np.bincount(places, minlength=f) / total


@st.composite
def _rows(draw, n, row):
    """n rows, some of them equal."""
    pool = draw(st.lists(row, min_size=1, max_size=n))
    return [pool[draw(st.integers(0, len(pool) - 1))] for _ in range(n)]


@st.composite
def clusterings(draw, n, kinds=KINDS, max_clusters=4, empty=True):
    """A clustering of n objects of one of `kinds`, clusters possibly unused."""
    kind = draw(st.sampled_from(kinds))
    c = draw(st.integers(1, max_clusters))
    if kind == "hard":
        labels = draw(st.lists(st.integers(0, c - 1), min_size=n, max_size=n))
        return sc.HardClustering(labels, n_clusters=c)
    if kind == "rough":
        return sc.RoughClustering.from_upper(draw(_rows(n, st.sampled_from(all_subsets(c)))))
    if kind == "fuzzy":
        return sc.FuzzyClustering(draw(_rows(n, _weights(c))))
    if kind == "possibilistic":
        entry = st.sampled_from([0.0, 1.0, 0.5, 0.25, 0.125, 1 / 3, 2 / 3])
        typicality = np.array(draw(_rows(n, st.lists(entry, min_size=c, max_size=c))))
        if not empty:
            typicality[:, draw(st.integers(0, c - 1))] = 1.0
        return sc.PossibilisticClustering(typicality)
    focal = draw(st.lists(st.sampled_from(all_subsets(c)), min_size=1, max_size=7, unique_by=tuple))
    if empty and draw(st.booleans()):
        focal = [[0] * c, *focal]
    return sc.EvidentialClustering(draw(_rows(n, _weights(len(focal)))), focal)


@st.composite
def clustering_pairs(draw, kinds=KINDS, min_objects=2, max_objects=7, max_clusters=4, empty=True):
    """Two clusterings of the same objects."""
    n = draw(st.integers(min_objects, max_objects))
    one = clusterings(n, kinds=kinds, max_clusters=max_clusters, empty=empty)
    return draw(one), draw(one)


# -- the same clustering in other forms ---------------------------------------------------------


def naive_masses(x, exact=True):
    """Naive mass functions of a clustering.

    With `exact` every float stands for the nearest fraction with a denominator of at most 64;
    otherwise for itself.
    """
    def numbers(matrix):
        return [[Fraction(float(v)).limit_denominator(64) if exact else Fraction(float(v))
                 for v in row] for row in matrix]

    if x.kind == "hard":
        return naive.hard_masses(x.labels, x.n_clusters)
    if x.kind == "rough":
        return naive.rough_masses(x.upper.tolist())
    if x.kind == "fuzzy":
        return naive.fuzzy_masses(numbers(x.membership))
    if x.kind == "possibilistic":
        return naive.possibilistic_masses(numbers(x.typicality))
    return naive.evidential_masses(numbers(x.mass), x.focal_sets.tolist())


def content(x):
    """The masses as a hashable value: equal for equal content whatever the kind."""
    return tuple(frozenset(row.items()) for row in naive_masses(x))


def relabelled_contents(x, n_clusters):
    """Contents of x under every permutation of n_clusters >= c clusters."""
    rows = naive_masses(x)
    return {tuple(frozenset((frozenset(order[k] for k in focal), v) for focal, v in row.items())
                  for row in rows) for order in permutations(range(n_clusters))}


def same_content(x):
    """The clustering rebuilt in every kind that can hold it, its own left out."""
    n, c = x.n_objects, x.n_clusters
    result = []
    if x.kind == "hard":
        onehot = np.eye(c)[x.labels]
        result = [sc.RoughClustering.from_upper(onehot), sc.FuzzyClustering(onehot),
                  sc.PossibilisticClustering(onehot), sc.EvidentialClustering(onehot, np.eye(c))]
    elif x.kind == "rough":
        result = [sc.PossibilisticClustering(x.upper), _from_masses(x)]
    elif x.kind == "fuzzy":
        result = [sc.EvidentialClustering(x.membership, np.eye(c))]
    elif x.kind == "possibilistic":
        result = [_from_masses(x)]
    assert all(y.n_objects == n and y.n_clusters == c for y in result)
    return result


def _from_masses(x):
    rows = naive_masses(x, exact=False)
    focal = sorted({a for row in rows for a in row}, key=lambda a: (len(a), sorted(a)))
    mass = [[float(row.get(a, 0)) for a in focal] for row in rows]
    return sc.EvidentialClustering(mass, [[k in a for k in range(x.n_clusters)] for a in focal])


def relabel(x, order):
    """x with its clusters renamed: new cluster k is old cluster order[k]."""
    order = np.asarray(order)
    if x.kind == "hard":
        return sc.HardClustering(np.argsort(order)[x.labels], n_clusters=x.n_clusters)
    if x.kind == "cover":
        return sc.CoverClustering(x.membership.toarray()[:, order]) if len(order) else x
    if x.kind == "rough":
        return sc.RoughClustering(x.lower[:, order], x.upper[:, order])
    if x.kind == "fuzzy":
        return sc.FuzzyClustering(x.membership[:, order])
    if x.kind == "possibilistic":
        return sc.PossibilisticClustering(x.typicality[:, order])
    return sc.EvidentialClustering(x.mass, x.focal_sets[:, order])


def with_unused_clusters(x, extra):
    """x with `extra` more clusters that no object belongs to."""
    def wider(matrix):
        return np.hstack([matrix, np.zeros((len(matrix), extra))])

    if x.kind == "hard":
        return sc.HardClustering(x.labels, n_clusters=x.n_clusters + extra)
    if x.kind == "rough":
        return sc.RoughClustering.from_upper(wider(x.upper))
    if x.kind == "fuzzy":
        return sc.FuzzyClustering(wider(x.membership))
    if x.kind == "possibilistic":
        return sc.PossibilisticClustering(wider(x.typicality))
    return sc.EvidentialClustering(x.mass, wider(x.focal_sets))


def shuffle_focal_sets(rng, x):
    """An evidential clustering with its focal sets in another order (the empty set first)."""
    order = rng.permutation(len(x.focal_sets))
    order = np.array(sorted(order, key=lambda b: x.focal_sets[b].any()))  # stable
    return sc.EvidentialClustering(x.mass[:, order], x.focal_sets[order])
