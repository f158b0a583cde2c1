"""Random clusterings of every kind, for the comparisons with R."""

import itertools

import numpy as np

import softclust as sc

#: rounding of sums over 300 objects; seen are 3e-16 (hard) and 8e-12 (fuzzy)
TOLERANCE = 1e-9
KINDS = ("hard", "rough", "fuzzy", "possibilistic", "evidential")


def clustering(kind, n, rng):
    c = int(rng.integers(2, 6))
    if kind == "hard":
        return sc.HardClustering(rng.integers(0, c, n))
    if kind == "fuzzy":
        return sc.FuzzyClustering(rng.dirichlet(np.full(c, 0.5), n))
    if kind == "possibilistic":
        return sc.PossibilisticClustering(rng.random((n, c)))
    if kind == "rough":
        upper = rng.random((n, c)) < 0.4
        upper[np.arange(n), rng.integers(0, c, n)] = True
        return sc.RoughClustering.from_upper(upper)
    sets = np.array(list(itertools.product([0, 1], repeat=2)))
    return sc.EvidentialClustering(rng.dirichlet(np.ones(4), n), sets)
