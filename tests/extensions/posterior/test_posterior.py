"""Posterior draws: losses, the estimate, its bounds; against enumeration and stored values."""

import json
import pickle
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import naive.posterior as oracle
import numpy as np
import pytest

import softclust as sc
from softclust.extensions.posterior import _bounds as bounds
from softclust.extensions.posterior import _search as search
from softclust.extensions.posterior._draws import read_draws
from softclust.extensions.posterior._losses import LOSSES, METRICS, LossRule

CASES = json.loads((Path(__file__).parents[2] / "golden" / "posterior.json").read_text(
    encoding="utf-8"))["cases"]
RULES = [*((name, 1.0) for name in LOSSES), ("vi", 0.6), ("vi", 1.5), ("binder", 0.6),
         ("binder", 1.5)]


def cases(function):
    return [pytest.param(case, id=case["id"]) for case in CASES if case["function"] == function]


def rows(strings):
    return np.array([[int(digit) for digit in text] for text in strings])


def rule_of(key):
    name, a = key.split(" a=")
    return name, float(a)


def noisy(n, many, seed, clusters=3, noise=0.25):
    """Draws around one partition."""
    rng = np.random.default_rng(seed)
    base = rng.integers(0, clusters, n)
    found = np.where(rng.random((many, n)) < noise, rng.integers(0, clusters + 1, (many, n)), base)
    return found


@pytest.mark.parametrize("case", cases("expected_loss"))
def test_stored_losses(case):
    for key, wanted in case["expected"].items():
        name, a = rule_of(key)
        found = sc.expected_loss(rows(case["input"]["estimates"]), rows(case["input"]["draws"]),
                                 loss=name, a=a)
        assert found == pytest.approx(wanted, abs=case["abs_tol"])


@pytest.mark.parametrize("case", cases("posterior_partition"))
def test_stored_estimates(case):
    draws = rows(case["input"]["draws"])
    for key, wanted in case["expected"].items():
        name, a = rule_of(key)
        found = sc.posterior_partition(draws, loss=name, a=a, rng=0)
        assert found.expected_loss == pytest.approx(wanted["expected_loss"], abs=case["abs_tol"])
        if wanted["unique"]:
            assert found.labels.tolist() == wanted["labels"]
        assert found.optimal is (found.gap <= 1e-9)
        if name == "omari":
            assert np.isnan(found.bound)
        else:
            stored = max(value for which, value in wanted.items() if which.endswith("_bound"))
            assert stored - case["abs_tol"] <= found.bound <= found.expected_loss
            assert 0.0 <= found.gap <= 1.0


@pytest.mark.parametrize("case", cases("posterior_partition"))
def test_stored_bounds(case):
    draws, rng = read_draws(rows(case["input"]["draws"])), np.random.default_rng(0)
    for key, wanted in case["expected"].items():
        name, a = rule_of(key)
        made = {"coupling_bound": lambda n=name: bounds.coupling_bound(draws, LossRule(n, 1.0),
                                                                       rng),
                "jensen_bound": lambda a=a: bounds.object_bound(draws, a),
                "triangles_bound": lambda a=a: bounds.pair_bound(draws, a)}
        for which, function in made.items():
            if which in wanted:
                assert function() == pytest.approx(wanted[which], abs=case["abs_tol"])


@pytest.mark.parametrize(("name", "a"), RULES)
@pytest.mark.parametrize("seed", range(3))
def test_enumerated_optimum(name, a, seed):
    draws = noisy(4 + seed, 6 + seed, seed)
    weights = None if seed < 2 else np.random.default_rng(seed).random(len(draws)).tolist()
    least, best = oracle.optimum(name, draws.tolist(), a, weights)
    found = sc.posterior_partition(draws, loss=name, a=a, weights=weights, rng=seed)
    assert found.expected_loss == pytest.approx(least, abs=1e-12)
    assert tuple(found.labels) in best
    if name != "omari":
        assert 0.0 <= found.bound <= least + 1e-12
    assert found.distances == pytest.approx(
        [oracle.loss(name, found.labels, z, a) for z in draws.tolist()], abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("name", LOSSES)
def test_enumerated_optimum_of_eight_objects(name):
    draws = noisy(8, 12, 5, noise=0.4)
    least, _ = oracle.optimum(name, draws.tolist())
    assert sc.posterior_partition(draws, loss=name, rng=0).expected_loss == pytest.approx(least)


@pytest.mark.parametrize("name", METRICS)
def test_metrics_on_all_partitions_of_four_objects(name):
    every = oracle.partitions(4)
    table = np.array([sc.expected_loss(every, [z], loss=name) for z in every])
    assert table == pytest.approx(table.T, abs=1e-14)
    assert ((table < 1e-12) == np.eye(len(every), dtype=bool)).all()
    assert (table[:, :, None] <= table[:, None, :] + table.T[None, :, :] + 1e-12).all()


def test_limited_number_of_clusters():
    draws = noisy(5, 9, 3, clusters=4)
    for most in (1, 2, 3):
        least, best = oracle.optimum("vi", draws.tolist(), most=most)
        found = sc.posterior_partition(draws, max_clusters=most, rng=0)
        assert found.expected_loss == pytest.approx(least)
        assert tuple(found.labels) in best


@pytest.mark.parametrize("name", LOSSES)
def test_a_posterior_without_doubt(name):
    found = sc.posterior_partition([[7, 7, 2], [0, 0, 5]], loss=name, rng=0)
    assert found.labels.tolist() == [0, 0, 1]
    assert found.expected_loss == 0.0
    assert found.optimal
    assert found.n_distinct == 1
    for few in ([[0]], [[0, 1]], [[0, 0], [1, 1]], [[0, 1, 2], [2, 1, 0]]):
        assert sc.posterior_partition(few, loss=name, rng=0).expected_loss == 0.0


def test_same_bits_for_any_number_of_threads_and_an_executor():
    draws = noisy(30, 40, 1)
    found = []
    for threads in (1, 4):
        sc.set_num_threads(threads)
        try:
            found.append(sc.posterior_partition(draws, rng=3))
        finally:
            sc.set_num_threads(None)
    with ThreadPoolExecutor(2) as pool:
        found.append(sc.posterior_partition(draws, rng=3, executor=pool))
    for other in found[1:]:
        assert other.labels.tolist() == found[0].labels.tolist()
        for what in ("expected_loss", "bound", "n_starts", "n_hits", "standard_error"):
            assert getattr(other, what) == getattr(found[0], what)


@pytest.mark.parametrize("name", LOSSES)
def test_equal_draws_count_as_often_as_they_occur(name):
    draws = noisy(6, 5, 2)
    counts = [3, 1, 2, 1, 1]
    many = np.repeat(draws, counts, axis=0)
    whole = sc.posterior_partition(many, loss=name, rng=0)
    weighted = sc.posterior_partition(draws, loss=name, weights=counts, rng=0)
    assert whole.n_draws == 8
    assert whole.n_distinct == weighted.n_distinct < 8
    assert whole.expected_loss == pytest.approx(weighted.expected_loss, abs=1e-14)
    assert whole.labels.tolist() == weighted.labels.tolist()
    if name != "omari":
        assert whole.bound == pytest.approx(weighted.bound, abs=1e-8)


def test_nothing_depends_on_labels_or_on_the_order_of_draws_and_objects():
    draws = noisy(12, 15, 4)
    rng = np.random.default_rng(0)
    found = sc.posterior_partition(draws, rng=0)
    renamed = np.array([rng.permutation(9)[row] for row in draws])[rng.permutation(15)]
    assert sc.posterior_partition(renamed, rng=1).labels.tolist() == found.labels.tolist()
    order = rng.permutation(12)
    turned = sc.posterior_partition(draws[:, order], rng=2)
    assert turned.labels.tolist() == list(oracle.by_appearance(found.labels[order]))
    assert turned.bound == pytest.approx(found.bound)


def test_draws_of_weight_zero_are_left_out():
    draws = noisy(6, 8, 6)
    weights = np.array([1, 0, 2, 1, 0, 1, 1, 3.0])
    found = sc.posterior_partition(draws, weights=weights, rng=0)
    held = sc.posterior_partition(draws[weights > 0], weights=weights[weights > 0], rng=0)
    assert found.expected_loss == pytest.approx(held.expected_loss, abs=1e-15)
    assert found.bound == pytest.approx(held.bound, abs=1e-8)
    assert found.distances.size == 8
    assert found.ball().n_inside <= 6


def test_blocks_and_weights_of_the_coupling(monkeypatch):
    draws = noisy(6, 30, 7)
    rule, rng = LossRule.of("vi"), np.random.default_rng(0)
    whole = bounds.coupling_bound(read_draws(draws), rule, rng)
    monkeypatch.setattr(bounds, "_TOGETHER", 10)
    monkeypatch.setattr(bounds, "_BLOCK", 7)
    monkeypatch.setattr(bounds, "_WEIGHTED", 8)
    least, _ = oracle.optimum("vi", draws.tolist())
    for given in (read_draws(draws), read_draws(draws, np.ones(30))):
        parts = bounds.coupling_bound(given, rule, rng)
        assert 0.0 < parts <= whole + 1e-9
    assert whole <= least
    assert bounds.coupling_bound(read_draws(draws), rule, rng, deadline=0.0) < whole


def test_the_bound_by_pairs_without_triangles(monkeypatch):
    draws = noisy(9, 20, 8, noise=0.5)
    with_triangles = bounds.pair_bound(read_draws(draws), 1.5)
    monkeypatch.setattr(bounds, "_TRIANGLES", 3)
    monkeypatch.setattr(bounds, "_ROWS", 20)
    p = (draws[:, :, None] == draws[:, None, :]).mean(axis=0)[np.triu_indices(9, 1)]
    assert bounds.pair_bound(read_draws(draws), 1.5) == pytest.approx(
        2 * np.minimum(1.5 * p, 0.5 * (1 - p)).sum() / 81)
    assert with_triangles > bounds.pair_bound(read_draws(draws), 1.5) + 0.001


def test_frames_add_up():
    draws = noisy(10, 20, 9)
    p = (draws[:, :, None] == draws[:, None, :]).mean(axis=0)
    for name in ("vi", "binder"):
        for a in (1.0, 0.7):
            found = sc.posterior_partition(draws, loss=name, a=a, rng=0)
            assert found.objects()["loss"].sum() == pytest.approx(found.expected_loss)
    labels, frame, clusters = found.labels, found.objects(), found.clusters()
    for i in range(10):
        own = [j for j in range(10) if labels[j] == labels[i] and j != i]
        assert frame["own"][i] == pytest.approx(p[i, own].mean() if own else np.nan, nan_ok=True)
        others = {k: p[i, labels == k].mean() for k in set(labels) - {labels[i]}}
        assert frame["other_p"][i] == pytest.approx(max(others.values()))
    for k, row in clusters.iterrows():
        held = set(np.flatnonzero(labels == k))
        sets = [[set(np.flatnonzero(np.array(z) == v)) for v in set(z)] for z in draws.tolist()]
        assert row["size"] == len(held)
        assert row["exact"] == pytest.approx(np.mean([held in s for s in sets]))
        assert row["jaccard"] == pytest.approx(np.mean(
            [max(len(held & v) / len(held | v) for v in s) for s in sets]))
        inside = [p[i, j] for i in held for j in held if i < j]
        assert row["together"] == pytest.approx(np.mean(inside) if inside else np.nan, nan_ok=True)
    assert np.isnan(sc.posterior_partition(draws, loss="nvi", rng=0).objects()["loss"]).all()
    assert sc.posterior_partition([[0, 0, 0]] * 2, rng=0).objects()["other"].isna().all()


def test_standard_errors():
    draws = noisy(8, 36, 10)
    found = sc.posterior_partition(draws, rng=0)
    assert found.standard_error == pytest.approx(found.distances.std(ddof=1) / 6)
    chains = sc.posterior_partition(draws.reshape(2, 18, 8), rng=0)
    means = found.distances.reshape(2, 18)[:, :16].reshape(8, 4).mean(axis=1)
    assert chains.standard_error == pytest.approx(means.std(ddof=1) / np.sqrt(8))
    equal = sc.posterior_partition(draws, weights=np.ones(36), rng=0)
    assert equal.standard_error == pytest.approx(found.standard_error)
    assert np.isnan(sc.posterior_partition(draws[:1], rng=0).standard_error)


@pytest.mark.slow   # compiles the search for wider labels
def test_labels_beyond_eight_bits():
    draws = np.stack([np.arange(260), np.arange(260) // 2])
    found = sc.posterior_partition(draws.tolist(), loss="binder", max_clusters=3, rng=0, n_starts=1)
    assert found.n_clusters == 3


def test_estimates_with_more_clusters_than_columns_at_first():
    rng = np.random.default_rng(0)
    few = sc.posterior_partition(rng.integers(0, 30, (4, 40)), loss="binder", a=0.2, rng=0,
                                 n_starts=2)
    assert few.n_clusters > 30


def test_tables_beyond_their_limit_name_the_remedy(monkeypatch):
    monkeypatch.setattr(search, "TABLE_BYTES", 200)
    with pytest.raises(sc.ClusteringError, match="give max_clusters=, or thin the draws"):
        sc.posterior_partition(noisy(20, 30, 0), rng=0)


def test_the_criterion_of_mcclust_ext_is_no_bound():
    """Its "VI.lb" takes log E|z(i)| for E log|z(i)|: more than the loss, and so not offered."""
    draws = [[0, 0, 0, 0], [0, 1, 2, 3]]
    loss = sc.expected_loss([0, 1, 2, 3], draws)[0] / np.log(2)
    joined = np.mean([np.equal.outer(z, z) for z in draws], axis=0)
    criterion = np.mean(np.log2(joined.sum(axis=1)) - 2 * np.log2(joined.diagonal()))
    assert loss == pytest.approx(1.0)
    assert criterion == pytest.approx(1.3219, abs=1e-4)
    assert sc.posterior_partition(draws, rng=0).bound <= loss * np.log(2)


def test_the_record_travels():
    found = sc.posterior_partition(noisy(6, 9, 0), rng=0)
    copy = pickle.loads(pickle.dumps(found))
    assert copy.labels.tolist() == found.labels.tolist()
    assert copy.objects().equals(found.objects())
    assert "PosteriorPartition(6 objects" in repr(copy)
    assert "<table" in copy._repr_html_()
    assert str(copy) == str(found)


def test_losses_are_the_measures_that_name_them():
    rng = np.random.default_rng(4)
    draws = [rng.integers(k, size=40) for k in rng.integers(1, 6, 20)]
    for name, value in {
            "vi": sc.variation_of_information,
            "nvi": sc.normalized_variation_of_information,
            "nid": sc.normalized_information_distance,
            "omari": lambda x, z: 1 - sc.adjusted_rand_index(x, z)}.items():
        assert sc.expected_loss(draws[:3], draws, loss=name) == pytest.approx(
            [np.mean([value(x, z) for z in draws]) for x in draws[:3]], abs=1e-12), name


def test_a_measure_is_a_loss():
    """Its own search ends where moves of objects cannot gain, and the table knows the sums."""
    rng = np.random.default_rng(7)
    draws = [np.where(rng.random(12) < 0.8, np.arange(12) % 3, rng.integers(4, size=12))
             for _ in range(20)]
    values = sc.expected_loss(draws[:3], draws, loss="jaccard_index")
    assert values == pytest.approx([np.mean([1 - sc.jaccard_index(x, z) for z in draws])
                                    for x in draws[:3]], rel=1e-12)
    found = sc.posterior_partition(draws, loss="jaccard_index", rng=0)
    assert found.expected_loss <= sc.expected_loss(draws, draws, loss="jaccard_index").min() + 1e-12
    for i in range(12):
        for k in range(int(found.labels.max()) + 2):
            moved = found.labels.copy()
            moved[i] = k
            assert sc.expected_loss(moved, draws, loss="jaccard_index")[0] >= (
                found.expected_loss - 1e-9)
    pairs = sc.expected_loss(draws[0], draws, loss="symmetric_difference_distance")
    assert pairs[0] == np.mean([sc.symmetric_difference_distance(draws[0], z) for z in draws])
    same = sc.posterior_partition(draws, loss="variation_of_information", rng=0)
    assert same.loss == "vi"
    with pytest.raises(ValueError, match="not a loss"):
        sc.expected_loss(draws[0], draws, loss="purity_index")
