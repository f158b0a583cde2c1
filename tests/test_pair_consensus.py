"""Consensus by pairs of objects, co-association, and clusters of clusterings."""

import json
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from naive import consensus as naive
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform

import softclust as sc

STORED = json.loads((Path(__file__).parent / "golden/r/clue_consensus.json").read_text(
    encoding="utf-8"))["ensembles"]
RUNS = [[0, 0, 1, 1, 2], [0, 0, 0, 1, 1], [0, 1, 1, 2, 2], [0, 0, 1, 1, 1]]


def members_of(case):
    return [sc.HardClustering(m) if np.ndim(m) == 1 else sc.FuzzyClustering(m)
            for m in case["members"]]


# -- GV3 and soft symmetric differences --------------------------------------------------------
@pytest.mark.parametrize("name", STORED)
@pytest.mark.parametrize("method", ["GV3", "soft/symdiff"])
def test_at_least_as_good_as_clue(name, method):
    """Stored memberships of clue; its value of GV3 lacks a constant, which M does not change."""
    case = STORED[name]
    found = sc.consensus(members_of(case), method=method, rng=0, n_starts=2,
                         n_clusters=case["k_max"])
    members, w = case["members"], [1.0] * len(case["members"])
    if np.ndim(members[0]) == 1:
        members = [(np.array(m) - np.min(m)).tolist() for m in members]
    theirs = naive.pair_objective(members, w, case["results"][method]["membership"], method)
    ours = naive.pair_objective(members, w, found.membership.tolist(), method)
    assert found.objective == pytest.approx(ours, rel=1e-9)
    assert ours <= theirs * (1 + 1e-7)
    assert found.bound <= found.objective
    reported = case["results"][method]["objval_reported"]
    if method == "soft/symdiff":   # clue counts each pair twice
        assert 2 * theirs == pytest.approx(reported, rel=1e-9)
    else:
        mean = np.mean([c @ c.T for m in members_of(case) for c in [m.memberships()]], axis=0)
        m = np.array(case["results"][method]["membership"])
        assert np.square(mean - m @ m.T).sum() == pytest.approx(reported, rel=1e-9)


@pytest.mark.parametrize("method", ["GV3", "soft/symdiff"])
def test_bounds_hold_for_random_memberships(method):
    rng = np.random.default_rng(1)
    members = [rng.dirichlet([0.4] * 3, 6) for _ in range(4)]
    w = [0.1, 0.5, 0.2, 0.2]
    found = sc.consensus(members, method=method, weights=w, rng=0, n_clusters=2)
    drawn = [naive.pair_objective([m.tolist() for m in members], w,
                                  rng.dirichlet([0.3] * 2, 6).tolist(), method)
             for _ in range(300)]
    assert found.bound <= found.objective <= min(drawn)
    if method == "soft/symdiff":
        assert found.bound == pytest.approx(naive.pair_medians([m.tolist() for m in members], w),
                                            rel=1e-12)
    assert (found.membership.shape, found.permutations.shape) == ((6, 2), (4, 3))
    again = sc.consensus(members, method=method, weights=w, rng=0, n_clusters=2)
    assert np.array_equal(again.membership, found.membership)
    near = sc.consensus(members, method=method, weights=w, n_clusters=2, start=found.membership)
    assert near.objective <= found.objective * (1 + 1e-9)


def test_equal_members_cost_nothing():
    y = np.random.default_rng(2).dirichlet([1.0] * 3, 8)
    found = sc.consensus([y, y[:, ::-1]], method="GV3", rng=0)
    assert found.objective < 1e-6
    assert found.bound == pytest.approx(0, abs=1e-12)
    one = sc.consensus([[0, 0, 0], [0, 0, 0]], method="GV3", rng=0)
    assert (one.membership.tolist(), one.objective) == ([[1.0]] * 3, 0)


def test_no_soft_clustering_beats_the_hard_ones_of_hard_members():
    rng = np.random.default_rng(3)
    found = sc.consensus(RUNS, method="soft/symdiff", rng=0)
    assert (found.optimal, found.clustering.kind) == (True, "fuzzy")
    assert found.objective == naive.best_hard(RUNS, [1] * 4, 3)
    for _ in range(300):
        m = rng.dirichlet([rng.choice([0.1, 1.0])] * 3, 5).tolist()
        assert naive.pair_objective(RUNS, [1] * 4, m, "soft/symdiff") >= found.objective - 1e-12


# -- hard symmetric differences ------------------------------------------------------------------
@pytest.mark.parametrize("limit", [None, 1, 2, 3])
@pytest.mark.parametrize("seed", range(4))
def test_hard_symdiff_is_the_best_of_all_partitions(seed, limit):
    rng = np.random.default_rng(seed)
    runs, w = rng.integers(0, 3, (5, 6)), rng.integers(1, 4, 5).astype(float)
    runs[:, 5] = runs[:, 4]   # two objects that all members join
    found = sc.consensus(list(runs), method="hard/symdiff", weights=w, n_clusters=limit, rng=0)
    best = naive.best_hard(runs.tolist(), w.tolist(), limit)
    assert found.objective == pytest.approx(best, abs=1e-12)
    assert found.bound <= best + 1e-12
    assert found.optimal or limit is not None


def test_an_integer_programme_proves_what_the_search_does_not():
    """Ensembles of the 20 on which the bound of `posterior_partition` leaves a gap."""
    rng, proved = np.random.default_rng(0), 0
    for _ in range(20):
        runs = list(rng.integers(0, 4, (9, 12)))
        search = sc.posterior_partition(runs, loss="binder", rng=0)
        found = sc.consensus(runs, method="hard/symdiff", rng=0)
        assert found.optimal
        assert search.bound * 72 - 1e-9 <= found.objective <= search.expected_loss * 72 + 1e-9
        proved += not search.optimal
    assert proved


# -- co-association ------------------------------------------------------------------------------
@pytest.mark.parametrize("method", ["average", "complete", "single"])
def test_coassociation_cuts_the_tree_of_one_minus_the_shares(method):
    rng = np.random.default_rng(4)
    truth = np.repeat([0, 1, 2], 8)
    runs = [np.where(rng.random(24) < 0.3, rng.integers(0, 3, 24), truth) for _ in range(25)]
    w = rng.random(25)
    shares = np.mean([w[b] * (r[:, None] == r) for b, r in enumerate(runs)], axis=0) / w.mean()
    tree = linkage(squareform(1 - shares, checks=False), method)
    found = sc.consensus(runs, method="coassociation", linkage=method, weights=w, n_clusters=3)
    assert sc.adjusted_rand_index(found.labels, fcluster(tree, 3, "maxclust")) == 1
    assert np.allclose(found.merges, tree, rtol=0, atol=1e-12)
    assert sc.as_dendrogram(found.merges).cut(3) == found.clustering
    assert np.isnan([found.objective, found.bound]).all()
    b = np.array([[found.permutations[i, label] for label in run] for i, run in enumerate(runs)])
    assert (b == found.labels).mean() > 0.6


def test_coassociation_of_partial_runs_and_ties():
    labels = [[0, 0, 1, 1, -1], [-1, 0, 1, 1, 1], [0, 0, -1, 1, 1], [0, 1, 1, 2, 2]]
    partial = sc.Ensemble.from_runs(labels, absent_label=-1)
    found = sc.consensus(partial, method="coassociation", n_clusters=2)
    assert found.labels.tolist() == [0, 0, 1, 1, 1]
    with pytest.raises(sc.ClusteringError, match="no run together"):
        sc.consensus(sc.Ensemble.from_runs([[0, 0, -1], [-1, 0, 1]], absent_label=-1),
                     method="coassociation")
    with pytest.raises(sc.ClusteringError, match=r"no cut of the tree has 2 clusters: 2 merges "
                       r"have the height 1\. Take n_clusters=1 or 3"):
        sc.consensus([[0, 0, 1, 2]], method="coassociation", n_clusters=2)
    with pytest.raises(sc.ClusteringError, match="at most 4 clusters"):
        sc.consensus([[0, 0, 1, 2]], method="coassociation", n_clusters=5)


@pytest.mark.parametrize(("options", "message"), [
    ({"method": "coassociation", "n_starts": 3}, "has no search"),
    ({"method": "coassociation", "linkage": "mean"}, "linkage='mean'"),
    ({"method": "SE", "linkage": "single"}, "needs method coassociation"),
    ({"method": "hard/symdiff", "start": RUNS[0]}, "takes no start"),
    ({"method": "GV3", "order": [0, 1, 2, 3]}, "order= needs"),
    ({"method": "GV3", "n_starts": 0}, "n_starts")])
def test_options_that_do_not_apply(options, message):
    with pytest.raises(ValueError, match=message):
        sc.consensus(RUNS, **options)


def test_members_that_do_not_fit():
    with pytest.raises(sc.ClusteringError, match="hard members"):
        sc.consensus([[[0.5, 0.5], [1, 0]]], method="hard/symdiff")
    partial = sc.Ensemble.from_runs([[0, 0, -1], [0, 0, 1]], absent_label=-1)
    for method in ("GV3", "soft/symdiff", "hard/symdiff"):
        with pytest.raises(ValueError, match="complete runs"):
            sc.consensus(partial, method=method)


# -- clusters of clusterings -----------------------------------------------------------------------
def test_pclust_is_the_best_of_all_groupings():
    rng = np.random.default_rng(5)
    runs = rng.integers(0, 2, (6, 5))
    runs[:, 0] = 0
    found = sc.pclust(list(runs), 2, method="hard/symdiff", n_starts=15, rng=0)
    best = min(sum(sum(group) * naive.best_hard(runs[np.array(group, dtype=bool)].tolist(),
                                                [1] * sum(group))
                   for group in (chosen, [1 - c for c in chosen]) if sum(group))
               for chosen in product([0, 1], repeat=6))
    assert found.objective == pytest.approx(best, abs=1e-9)
    assert (found.clustering.kind, len(found.prototypes)) == ("hard", 2)


@pytest.mark.parametrize("method", ["SE", "HM", "GV1", "GV3", "soft/symdiff"])
@pytest.mark.parametrize("m", [1.0, 1.5])
def test_pclust_objective_and_fixed_point(method, m):
    w = [1.0, 2.0, 1.0, 1.0]
    found = sc.pclust(RUNS, 2, method=method, m=m, weights=w, n_starts=1, max_iter=5, rng=0)
    u, d = found.membership, found.distances
    assert found.objective == pytest.approx(float((np.array(w)[:, None] * u ** m * d).sum()))
    assert np.allclose(u.sum(axis=1), 1)
    for b in range(4):   # no other memberships of this member are better
        for share in np.linspace(0, 1, 21):
            assert (u[b] ** m * d[b]).sum() <= share ** m * d[b, 0] + (
                1 - share) ** m * d[b, 1] + 1e-12
    if method in ("GV3", "soft/symdiff"):
        for j, prototype in enumerate(found.prototypes):
            assert d[0, j] == pytest.approx(naive.pair_objective(
                [RUNS[0]], [1], prototype.memberships().tolist(), method), abs=1e-9)


def test_pclust_reads_and_checks():
    runs = sc.Ensemble({"a": [0, 0, 1, 1], "b": [1, 1, 0, 0], "c": [0, 1, 0, 1]})
    found = sc.pclust(runs, 2, rng=0)
    assert found.to_frame()["member"].tolist() == ["a", "b", "c"]
    assert found.clustering.object_names == ("a", "b", "c")
    assert "2 clusters" in repr(found)
    assert "Clusters of 3" in str(found)
    assert found.objective == pytest.approx(0, abs=1e-12)
    for options, message in (({"k": 4}, "k is 4; 3 members"), ({"k": 2, "m": 0.5}, "m is 0.5"),
                             ({"k": 2, "method": "DWH"}, "method='DWH'"),
                             ({"k": 2, "n_starts": 0}, "n_starts")):
        with pytest.raises(ValueError, match=message):
            sc.pclust(runs, **options)
    with pytest.raises(ValueError, match="complete"):
        sc.pclust(sc.Ensemble.from_runs([[0, 0, -1], [0, 0, 1]], absent_label=-1), 1)
