"""Consensus, medoid and comparisons of runs that label some of the objects each."""

import json
import warnings
from pathlib import Path

import naive.consensus as oracle
import numpy as np
import pytest

import softclust as sc
from softclust.ensembles import (
    consensus_search,
)
from softclust.ensembles import consensus_search as search
from softclust.ensembles.consensus import checked_weights
from softclust.ensembles.consensus_fits import Members

CASES = {case["id"]: case for case in json.loads(
    (Path(__file__).parent / "golden" / "stability.json").read_text(encoding="utf-8"))["cases"]}
CONSENSUS = [name for name, case in CASES.items() if case["function"] == "consensus"]
METHODS = ("SE", "HE", "SM", "HM", "DWH")


def runs_of(case):
    return [[None if v == "." else int(v) for v in row] for row in case["input"]["runs"]]


def random_runs(seed, *, n=6, many=3, k=3, share=0.7):
    """Runs of n objects, each object in one at least, each run with two at least."""
    rng = np.random.default_rng(seed)
    while True:
        labels = np.where(rng.random((many, n)) < share, rng.integers(0, k, (many, n)), -1)
        if (labels >= 0).any(axis=0).all() and ((labels >= 0).sum(axis=1) >= 2).all():
            return labels


def quietly(*args, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sc.ResamplingWarning)
        return sc.consensus(*args, **options)


def pairs_of(runs, n_clusters, *, weights=None, scaled=True):
    members = Members(runs, n_clusters)
    return search.Pairs.of(members, checked_weights(weights, members.count),
                           scaled=scaled)


# -- stored and enumerated values -------------------------------------------------------------
@pytest.mark.parametrize("name", CONSENSUS)
def test_stored_optima_and_bounds(name):
    case = CASES[name]
    k, tol, expected = case["input"]["n_clusters"], case["abs_tol"], case["expected"]
    runs = sc.Ensemble.from_runs(runs_of(case))
    for method in ("SE", "HE", "HM", "SM"):
        found = quietly(runs, method=method, n_clusters=k, rng=0)
        least = expected["optimum"]["SE" if method == "SE" else "HE"]
        assert found.objective == pytest.approx(least, abs=tol)
        assert found.bound <= least + tol
    pairs = pairs_of(runs, k)
    assert consensus_search.pair_bound(pairs.least(), pairs.weights) == pytest.approx(
        expected["pairs_bound_SE"], abs=tol)
    plain = pairs_of(runs, k, scaled=False)
    assert consensus_search.transport_bound(plain.least(), plain.weights) == pytest.approx(
        expected["transport_bound_HE"], abs=tol)
    found = quietly(runs, n_clusters=k, rng=0, max_nodes=50_000)
    assert found.optimal


@pytest.mark.parametrize("seed", range(8))
def test_enumerated_optima_and_bounds(seed):
    labels = random_runs(seed)
    weights = [[1, 1, 1], [3, 1, 2]][seed % 2]
    rows = [[None if v < 0 else v for v in run] for run in sc.Ensemble.from_runs(labels).labels]
    runs = sc.Ensemble.from_runs(labels)
    pairs = pairs_of(runs, 3, weights=weights)
    assert consensus_search.pair_bound(pairs.least(), pairs.weights) == pytest.approx(
        oracle.partial_pairs_bound(rows, weights, 3), abs=1e-12)
    for method in ("SE", "HE", "HM"):
        least = oracle.partial_optimum(rows, weights, 3, method)
        found = quietly(runs, method=method, n_clusters=3, weights=weights, rng=seed)
        assert found.objective == pytest.approx(least, abs=1e-9)
        assert 0.0 <= found.bound <= least + 1e-9


@pytest.mark.parametrize("method", METHODS)
def test_the_objective_is_that_of_the_clustering(method):
    labels = random_runs(1, n=12, many=5)
    runs = sc.Ensemble.from_runs(labels)
    found = quietly(runs, method=method, rng=0)
    m, value = found.membership, 0.0
    for b in range(5):
        for i in np.flatnonzero(runs.present[b]):
            row = np.zeros(m.shape[1])
            row[found.permutations[b, runs.labels[b, i]]] = 1.0
            gap = np.abs(m[i] - row)
            value += (gap.sum() if method in ("SM", "HM") else (gap * gap).sum()) / 5
    assert found.objective == pytest.approx(value, abs=1e-12)
    np.testing.assert_allclose(m.sum(axis=1), 1.0, atol=1e-12)


# -- relations between ensembles --------------------------------------------------------------
@pytest.mark.parametrize("method", [*METHODS, "GV1"])
def test_complete_runs_have_the_bits_of_an_ensemble(method):
    labels = np.random.default_rng(0).integers(0, 3, (4, 15))
    complete = sc.Ensemble.from_runs(labels)
    one = sc.consensus(complete, method=method, rng=1)
    other = sc.consensus(sc.Ensemble(list(complete)), method=method, rng=1)
    np.testing.assert_array_equal(one.membership, other.membership)
    assert one.objective == other.objective
    np.testing.assert_array_equal(one.bound, other.bound)


@pytest.mark.parametrize("method", ["SE", "HE", "SM"])
def test_the_partial_road_gives_complete_runs_the_same_values(method, monkeypatch):
    labels = np.random.default_rng(3).integers(0, 3, (5, 12))
    complete = sc.Ensemble.from_runs(labels)
    whole = sc.consensus(complete, method=method, rng=1)
    monkeypatch.setattr(sc.Ensemble, "is_complete", False)
    part = sc.consensus(complete, method=method, rng=1)
    assert part.objective == pytest.approx(whole.objective, abs=1e-12)
    assert part.bound <= part.objective


@pytest.mark.parametrize("method", ["SE", "HE", "SM", "HM"])
def test_weights_runs_and_names_of_labels(method):
    labels = random_runs(5, n=10, many=4, share=0.8)
    runs = sc.Ensemble.from_runs(labels)
    plain = quietly(runs, method=method, rng=0, weights=[1, 2, 1, 1])
    doubled = quietly(runs, method=method, rng=0, weights=[2, 4, 2, 2])
    assert doubled.objective == pytest.approx(plain.objective, abs=1e-12)
    twice = quietly(sc.Ensemble.from_runs(labels[[0, 1, 1, 2, 3]]), method=method, rng=0)
    assert twice.objective == pytest.approx(plain.objective, abs=1e-9)
    zero = quietly(sc.Ensemble.from_runs(np.vstack([labels, labels[:1]])), method=method, rng=0,
                   weights=[1, 2, 1, 1, 0])
    assert zero.objective == pytest.approx(plain.objective, abs=1e-9)
    renamed = sc.Ensemble.from_runs(np.where(labels >= 0, 7 - labels, -1)[::-1][:, ::-1])
    again = quietly(renamed, method=method, rng=0, weights=[1, 1, 2, 1])
    assert again.objective == pytest.approx(plain.objective, abs=1e-9)


def test_without_stored_products(monkeypatch):
    runs = sc.Ensemble.from_runs(random_runs(2, n=20, many=6))
    whole = quietly(runs, rng=0)
    monkeypatch.setattr(search, "_GRAM", 0)
    part = quietly(runs, rng=0)
    assert part.objective == pytest.approx(whole.objective, rel=1e-12)
    assert part.bound == pytest.approx(whole.bound, rel=1e-12)


def test_subsamples_of_clear_clusters_are_put_together():
    rng = np.random.default_rng(0)
    truth = np.repeat(np.arange(4), 25)
    labels = np.full((30, 100), -1)
    for row in labels:
        held = rng.permutation(100)[:50]
        noisy = np.where(rng.random(50) < 0.1, rng.integers(0, 4, 50), truth[held])
        row[held] = rng.permutation(4)[noisy]
    runs = sc.Ensemble.from_runs(labels)
    for method in METHODS:
        found = sc.consensus(runs, method=method, rng=1)
        assert sc.adjusted_rand_index(found.labels, truth) == pytest.approx(1.0)
    votes = sc.mmcc(runs, rng=0)
    assert sc.adjusted_rand_index(votes.labels, truth) == pytest.approx(1.0)
    np.testing.assert_array_equal(votes.votes.sum(axis=1), runs.counts)


def test_mmcc_is_that_of_an_array_of_codes():
    runs = sc.Ensemble.from_runs(random_runs(4, n=9), object_names=list("abcdefghi"))
    found = sc.mmcc(runs, rng=0)
    np.testing.assert_array_equal(found.votes, sc.mmcc(np.array(runs.labels), rng=0).votes)
    assert found.clustering.object_names == tuple("abcdefghi")


def test_dwh_begins_with_the_largest_run():
    labels = [[0, 0, -1, -1], [0, 1, 1, 1], [1, -1, 0, 0]]
    runs = sc.Ensemble.from_runs(labels)
    found = sc.consensus(runs, method="DWH")
    same = sc.consensus(runs, method="DWH", order=[1, 0, 2])
    np.testing.assert_array_equal(found.membership, same.membership)
    assert found.permutations[1].tolist() == [0, 1]


# -- errors and warnings ----------------------------------------------------------------------
def test_objects_in_no_run_and_parts_apart():
    runs = sc.Ensemble.from_runs([[0, 1, -1, -1], [0, 1, -1, -1]], object_names=list("abcd"))
    with pytest.raises(sc.ClusteringError, match=r"object 'c' is in no run .*\.subset"):
        sc.consensus(runs)
    apart = sc.Ensemble.from_runs([[0, 1, -1, -1], [-1, -1, 0, 1]])
    with pytest.warns(sc.ResamplingWarning, match="2 objects and 2 others"):
        sc.consensus(apart, rng=0)
    linked = sc.Ensemble.from_runs([[0, 1, -1, -1], [-1, -1, 0, 1], [-1, 0, 1, -1]])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sc.consensus(linked, rng=0)
    with pytest.warns(sc.ResamplingWarning, match="parts"):
        sc.consensus(linked, rng=0, weights=[1, 1, 0])
    with pytest.raises(ValueError, match="GV1 needs complete runs"):
        sc.consensus(linked, method="GV1")


# -- pairs of runs ----------------------------------------------------------------------------
@pytest.mark.parametrize("measure", ["adjusted_rand_index", "variation_of_information",
                                     "euclidean_membership_distance", "alpha_rand_interval"])
def test_each_pair_on_its_common_objects(measure):
    labels = random_runs(6, n=12, many=4)
    labels[3] = -1
    labels[3, [int(np.flatnonzero(labels[0] >= 0)[0])]] = 0     # one object in common with run 0
    labels[3, [int(np.flatnonzero(labels[0] < 0)[0])]] = 0
    runs = sc.Ensemble.from_runs(labels)
    matrix = sc.compare_all(runs, measure=measure)
    for i in range(4):
        for j in range(4):
            both = (labels[i] >= 0) & (labels[j] >= 0)
            if both.sum() < 2:
                assert np.isnan(matrix.lower[i, j])
                continue
            value = getattr(sc, measure)(labels[i][both], labels[j][both])
            low = getattr(value, "low", value)
            np.testing.assert_allclose(matrix.lower[i, j], low, atol=1e-15)
    assert any("fewer than 2 objects" in note for note in matrix.notes)
    held = (labels >= 0).astype(int)
    np.testing.assert_array_equal(matrix.n_objects, held @ held.T)


def test_pairs_on_workers_and_complete_runs():
    from concurrent.futures import ThreadPoolExecutor
    runs = sc.Ensemble.from_runs(random_runs(7, n=10, many=4))
    with ThreadPoolExecutor(2) as pool:
        one = sc.compare_all(runs, measure="rand_index", executor=pool)
    np.testing.assert_array_equal(one.value, sc.compare_all(runs, measure="rand_index").value)
    labels = np.random.default_rng(0).integers(0, 3, (3, 9))
    full = sc.Ensemble.from_runs(labels, names=["a", "b", "c"])
    one = sc.compare_all(full, measure="rand_index")
    other = sc.Ensemble(list(full), full.names)
    assert one["a", "b"] == sc.compare_all(other, measure="rand_index")["a", "b"]
    with pytest.raises(sc.ClusteringError, match="absent objects are left out: leave missing out"):
        sc.compare_all(runs, measure="rand_index", missing="drop")
    named = sc.compare_all(runs, measure="rand_index", names=["a", "b", "c", "d"])
    assert named.names == ("a", "b", "c", "d")


def test_medoid_of_runs():
    labels = [[0, 0, 1, 1, -1], [0, 0, 1, -1, 1], [0, 1, 0, 1, 0]]
    runs = sc.Ensemble.from_runs(labels, names=["a", "b", "c"])
    found = sc.medoid(runs, measure="rand_index")
    matrix = sc.compare_all(runs, measure="rand_index").value
    np.testing.assert_allclose(found.totals, (1.0 - matrix).sum(axis=1))
    assert found.clustering == runs[found.index]
    apart = sc.Ensemble.from_runs([[0, 1, -1, -1], [-1, -1, 0, 1]])
    with pytest.raises(ValueError, match="undefined for members '0' and '1'"):
        sc.medoid(apart)
