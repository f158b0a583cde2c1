"""Clusterings with so many focal sets that the pair loop is cheaper than moments."""

import numpy as np
import pytest
import strategies

import softclust as sc
from softclust.memberships import _kernels
from softclust.memberships.matched_columns import _sparse
from softclust.soft_pairs import pair_sums, uncertainty


@pytest.mark.parametrize("kind", ["rough", "possibilistic", "evidential"])
@pytest.mark.parametrize("empty", [False, True])
def test_the_pair_loop_gives_the_same_sums(kind, empty, monkeypatch):
    rng = np.random.default_rng(3)
    if empty and kind == "rough":
        empty = False  # a rough clustering has no empty mass
    x = strategies.random_clustering(rng, kind, 30, 3, empty=empty)
    y = strategies.random_clustering(rng, "fuzzy", 30, 2)
    by_moments = sc.pair_nonspecificity(x), sc.credal_rand_index(x, y, distance="conflict")
    monkeypatch.setattr(pair_sums, "PAIR_COST", 0.0)
    monkeypatch.setattr(uncertainty, "PAIR_COST", 0.0)
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
    single, wider = np.empty(2), np.empty(2)
    for i, (alone, more, mass) in enumerate([([0.5, 0], [0.2, 0.2], 0.7), ([0, 1], [0, 0], 1.0)]):
        assert _kernels.restrictions.restrict(i, *_sparse(x.mass_table()), single, wider) == mass
        assert (single.tolist(), wider.tolist()) == (alone, more)


def test_many_clusters_need_no_table_of_clusters():
    # 30,000 clusters: a matrix of clusters by clusters, or objects by clusters, would not fit
    n = 30_000
    labels = np.arange(n)
    fuzzy = np.random.default_rng(0).dirichlet(np.ones(3), n)
    agreement = sc.alpha_rand_interval(labels, fuzzy)
    assert agreement.low == agreement.high
    # singletons say "different" of every pair: what agrees is the mass on "different"
    total = fuzzy.sum(axis=0)
    same = (total @ total - (fuzzy**2).sum()) / (n * (n - 1))
    assert agreement.low == pytest.approx(1 - same, abs=1e-12)
    assert sc.alpha_partition_dissimilarity(labels, labels[::-1] // 2) == pytest.approx(
        n / 2 / (n - 1))


def test_a_pair_loop_too_large_for_memory_is_refused(monkeypatch):
    from softclust.soft_pairs import pair_rows as features
    monkeypatch.setattr(features, "MAX_BYTES", 10_000)
    with pytest.raises(sc.ClusteringError, match="GB in the pair loop"):
        sc.alpha_rand_index(np.arange(40), np.arange(40) // 2, method="pairs")
