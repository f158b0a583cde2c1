"""Kernels written out for fixed numbers of features give the bits of the general one."""

import numpy as np
import pytest
from strategies import JIT_OFF, all_subsets, random_clustering

import softclust as sc

#: rows to the left of column 256 meet whole tiles to its right, where the kernels differ
N_OBJECTS = 260 if JIT_OFF else 600


def evidential(rng, sets, empty=False):
    focal = np.array(sets)
    if empty:
        focal = np.vstack([np.zeros((1, focal.shape[1]), dtype=int), focal])
    return sc.EvidentialClustering(rng.dirichlet(np.ones(len(focal)), N_OBJECTS), focal)


def fuzzy(rng, c):
    return sc.FuzzyClustering(rng.dirichlet(np.ones(c), N_OBJECTS))


def pairs_of_clusterings():
    """Few, because every shape compiles for some seconds."""
    rng = np.random.default_rng(21)
    three = all_subsets(3)
    return {
        "evidential, evidential": (evidential(rng, three), evidential(rng, three)),
        "with empty sets": (evidential(rng, three[:4], True), evidential(rng, three[2:6], True)),
        "fuzzy, fuzzy": (fuzzy(rng, 3), fuzzy(rng, 4)),
        "no singletons": (evidential(rng, [[1, 1, 0], [0, 0, 1]]), evidential(rng, [[1, 1, 0, 0],
                                                                                   [0, 0, 1, 1]])),
    }


@pytest.mark.slow
@pytest.mark.parametrize("name", list(pairs_of_clusterings())[1 if JIT_OFF else 0:])
def test_same_bits_as_the_general_kernel(name):
    x, y = pairs_of_clusterings()[name]
    generated = sc.alpha_rand_curve(x, y, method="generated")
    assert generated.method == "generated"
    assert generated.sums == sc.alpha_rand_curve(x, y, method="pairs").sums
    assert (sc.credal_rand_index(x, y, method="generated")
            == sc.credal_rand_index(x, y, method="pairs"))


def test_refused():
    rng = np.random.default_rng(22)
    x, y = (random_clustering(rng, "possibilistic", 5, 3) for _ in range(2))
    with pytest.raises(sc.ClusteringError, match="generated"):
        sc.alpha_rand_index(x, y, method="generated")
    z = random_clustering(rng, "fuzzy", 5, 3)
    for distance in ("jousselme", "conflict"):
        with pytest.raises(sc.ClusteringError, match="generated"):
            sc.credal_rand_index(z, z, distance=distance, method="generated")


@pytest.mark.parametrize("n", [2, 64, 65, 130] if JIT_OFF else [2, 64, 65, 193, 1000, 2500])
def test_the_short_kernel_of_memberships_has_the_bits_of_the_general_one(n):
    from softclust._kernels import relations
    from softclust.statistics import pairs
    rng = np.random.default_rng(n)
    x, y = (pairs.side(sc.FuzzyClustering(rng.dirichlet(np.ones(c), size=n))) for c in (3, 5))
    short, general = (pairs.kernel_sums(x, y, np.zeros(0), False, None, units=units)
                      for units in (None, relations.pair_units))
    np.testing.assert_array_equal(short[:relations.BELIEF + 1], general[:relations.BELIEF + 1])


def test_no_kernel_is_generated_for_memberships_unless_it_is_asked_for(monkeypatch):
    from softclust.statistics import pairs
    monkeypatch.setattr(pairs, "GENERATE_FROM", 10)
    rng = np.random.default_rng(23)
    x, y = (sc.FuzzyClustering(rng.dirichlet(np.ones(3), 100)) for _ in range(2))
    assert sc.alpha_rand_curve(x, y).method == "pairs"
