"""Clusterings with so many focal sets that the pair loop is cheaper than moments."""

import numpy as np
import pytest
import strategies

import softclust as sc
from softclust._statistics import pairs
from softclust._statistics.restriction import restrictions


@pytest.mark.parametrize("kind", ["rough", "possibilistic", "evidential"])
@pytest.mark.parametrize("empty", [False, True])
def test_the_pair_loop_gives_the_same_sums(kind, empty, monkeypatch):
    rng = np.random.default_rng(3)
    if empty and kind == "rough":
        empty = False  # a rough clustering has no empty mass
    x = strategies.random_clustering(rng, kind, 30, 3, empty=empty)
    y = strategies.random_clustering(rng, "fuzzy", 30, 2)
    by_moments = sc.pair_nonspecificity(x), sc.credal_rand_index(x, y, distance="conflict")
    monkeypatch.setattr(pairs, "_MOMENTS", 0.0)
    by_pairs = sc.pair_nonspecificity(x), sc.credal_rand_index(x, y, distance="conflict")
    # two orders of summation of 435 numbers in [0, 1]
    assert by_pairs == pytest.approx(by_moments, abs=1e-13)


def test_hundred_clusters_take_the_pair_loop():
    x = sc.PossibilisticClustering(np.random.default_rng(0).random((120, 100)))
    with pytest.raises(sc.ClusteringError, match="pair table"):
        # 12,000 nested sets a side make 1.4e8 moments
        _ = sc.Joint(x, x).pair_table
    assert 0.0 < sc.pair_nonspecificity(x) < 1.0
    assert 0.0 < sc.credal_rand_index(x, x, distance="conflict") < 1.0


def test_restrictions_are_masses_of_two_sets():
    x = sc.EvidentialClustering.from_dicts([{(0,): 0.5, (0, 1): 0.2, (): 0.3}, {(1,): 1.0}])
    expected = [[[0.5, 0.0, 0.2, 0.3], [0.0, 0.5, 0.2, 0.3]],
                [[0.0, 1.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]]]
    np.testing.assert_allclose(restrictions(x), expected, atol=1e-15)
