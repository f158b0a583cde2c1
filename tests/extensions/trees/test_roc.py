"""ROC curves over the number of clusters: oracles, closed forms, ties, odd input."""

import math
import subprocess
import sys
import warnings

import numpy as np
import pandas as pd
import pytest
from naive import roc as naive
from scipy.cluster.hierarchy import cophenet, linkage
from sklearn.cluster import AgglomerativeClustering
from sklearn.metrics import roc_auc_score

import softclust as sc

METHODS = ("single", "complete", "average", "ward", "centroid", "median", "weighted")


def random_tree(seed, n):
    """Merges of random live nodes: trees that no linkage makes, long chains among them."""
    rng = np.random.default_rng(seed)
    live, rows = list(range(n)), []
    for t in range(n - 1):
        last = live.pop() if seed % 3 == 0 else live.pop(int(rng.integers(len(live))))
        other = live.pop(int(rng.integers(len(live))))
        pair = [last, other] if seed % 2 else [other, last]
        rows.append([*pair, float(rng.integers(1, 6)) if seed % 4 == 1 else t + 1.0])
        live.append(n + t)
    if seed % 4 == 1:
        for row, height in zip(rows, sorted(row[2] for row in rows)):
            row[2] = height
    return np.array(rows)


def truth_of(seed, n):
    labels = np.random.default_rng(seed + 1000).integers(0, 1 + seed % 5 + 1, n)
    labels[:2] = 0
    labels[2] = 1
    return labels


@pytest.mark.parametrize("seed", range(24))
def test_every_cut_of_random_trees_against_the_oracle(seed):
    n = (3, 4, 7, 20, 40)[seed % 5]
    merges, truth = random_tree(seed, n), truth_of(seed, n)
    labelled = np.random.default_rng(seed).random(n) < 0.7
    labelled[:3] = True
    for mask in (None, labelled):
        roc = sc.pair_roc(truth, merges, ties="order", labelled=mask)
        expected = np.array(naive.pair_roc(merges, truth.tolist(), mask))
        np.testing.assert_array_equal(roc.k, expected[:, 0])
        # both are single divisions of the same integers
        np.testing.assert_array_equal(roc.eps1, expected[:, 1])
        np.testing.assert_array_equal(roc.eps2, expected[:, 2])
        assert roc.proper
    roc = sc.pair_roc(truth, merges, ties="order")
    assert roc.auc == pytest.approx(naive.closed_form(merges, truth.tolist()), abs=1e-12)
    assert roc.auc == pytest.approx(naive.area(list(zip(roc.eps1, roc.eps2))), abs=1e-12)
    exchanged = naive.area(list(zip(roc.eps2[::-1], roc.eps1[::-1])))
    assert roc.auc == pytest.approx(exchanged, abs=1e-12)


def test_many_classes_cost_no_memory_per_class():
    """Every object a class of its own but two: a table of objects by classes is never made."""
    n = 3000
    truth = np.arange(n)
    truth[1] = 0
    chain = np.column_stack([np.r_[0, np.arange(n, 2 * n - 2)], np.arange(1, n), np.arange(1, n)])
    roc = sc.pair_roc(truth, chain)
    assert roc.auc == 0.0
    assert (roc.pairs_same, roc.k_best) == (1, n - 1)


def test_blocks_are_points_of_the_curve_in_order():
    for seed in (1, 5, 9, 13):
        merges, truth = random_tree(seed, 20), truth_of(seed, 20)
        block, order = (sc.pair_roc(truth, merges, ties=t) for t in ("block", "order"))
        kept = np.isin(order.k, block.k)
        np.testing.assert_array_equal(order.eps1[kept], block.eps1)
        heights = merges[:, 2]
        assert block.k.size == np.unique(heights).size + 1
        for kmax in range(1, 21):
            roc = sc.pair_roc(truth, merges, max_clusters=kmax)
            assert roc.max_clusters_used == min(block.k[block.k >= kmax])
            assert roc.k[-1] == roc.max_clusters_used


@pytest.mark.parametrize("method", ["single", "complete", "average", "ward", "weighted"])
def test_area_of_blocks_is_the_ordinary_roc_area(method):
    rng = np.random.default_rng(3)
    x = rng.integers(0, 5, (40, 2)).astype(float)   # many ties
    truth = rng.integers(0, 3, 40)
    merges = linkage(x, method)
    i, j = np.triu_indices(40, 1)
    expected = 1 - roc_auc_score(truth[i] == truth[j], -np.round(cophenet(merges), 9))
    assert sc.pair_roc(truth, merges).auc == pytest.approx(expected, abs=1e-12)


def test_blocks_of_single_linkage_do_not_depend_on_the_order_of_objects():
    iris = sc.datasets.load_iris()
    areas = []
    for seed in range(5):
        order = np.random.default_rng(seed).permutation(150)
        noise = 1 + 1e-12 * np.random.default_rng(seed).normal(size=(150, 1))
        merges = linkage(iris.data[order] * noise[order], "single")
        areas.append(sc.pair_roc(iris.labels[order], merges).auc)
    assert np.ptp(areas) < 1e-12


def test_a_hierarchy_with_the_classes_has_area_zero_and_stays_there():
    x = np.array([0.0, 0.1, 0.2, 5.0, 5.1, 9.0, 9.2])[:, None]
    truth = ["a", "a", "a", "b", "b", "c", "c"]
    merges = linkage(x, "average")
    roc = sc.pair_roc(truth, merges)
    assert (roc.auc, roc.k_best, roc.min_sum) == (0.0, 3, 0.0)
    parts = sc.pair_roc_subsets(truth, merges, fractions=[0.6, 1], n_draws=20, rng=0)
    assert not parts.auc.any()


def test_pair_error_is_one_minus_rand_and_may_choose_another_k():
    iris = sc.datasets.load_iris()
    merges = linkage(iris.data, "single")
    by_sum = sc.pair_roc(iris.labels, merges, ties="order")
    by_pairs = sc.pair_roc(iris.labels, merges, ties="order", criterion="pair_error")
    assert (by_sum.k_best, by_pairs.k_best) == (2, 20)
    labels = naive.cuts(merges.tolist(), 150)
    for k in (1, 2, 20, 77):
        assert by_sum.pair_error[k - 1] == pytest.approx(
            1 - sc.rand_index(labels[k], iris.labels), abs=1e-15)


def test_inversions_are_kept_in_their_order_and_said():
    x = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, 0.8], [9.0, 9.0]])
    merges = linkage(x, "centroid")
    assert (np.diff(merges[:, 2]) < 0).any()
    roc = sc.pair_roc([0, 0, 1, 1], merges)
    assert roc.inversions
    assert "not monotone" in str(roc)
    np.testing.assert_array_equal(
        np.column_stack([roc.k, roc.eps1, roc.eps2]),
        naive.pair_roc(merges, [0, 0, 1, 1]))


# -- degenerate cases --------------------------------------------------------------------------
CHAIN = [[0, 1, 1.0], [2, 4, 2.0], [3, 5, 3.0]]


@pytest.mark.parametrize(("truth", "mask", "which"), [
    ([0, 1, 2, 3], None, "eps1"), ([0, 0, 0, 0], None, "eps2"),
    ([0, 0, 1, 1], [1, 0, 1, 0], "eps1"), ([0, 0, 1, 1], [1, 0, 0, 0], "both"),
    ([0, 0, 1, 1], [0, 0, 0, 0], "both")])
def test_rates_without_pairs_are_undefined(truth, mask, which):
    mask = None if mask is None else np.array(mask, dtype=bool)
    runs = {1: [0, 0, 0, 0], 3: [0, 0, 1, 2]}
    for call in (lambda: sc.pair_roc(truth, CHAIN, labelled=mask),
                 lambda: sc.pair_roc_partitions(truth, runs, labelled=mask)):
        with pytest.warns(sc.UndefinedMeasureWarning, match="0/0") as record:
            roc = call()
        assert len(record) == 1
        assert math.isnan(roc.auc)
        assert math.isnan(roc.k_best)
        assert np.isnan(roc.eps1).all() == (which in ("eps1", "both"))
        assert np.isnan(roc.eps2).all() == (which in ("eps2", "both"))
        assert "undefined" in str(roc)


def test_one_cluster_alone_is_chance():
    roc = sc.pair_roc([0, 0, 1, 1], CHAIN, max_clusters=1)
    assert (roc.k.tolist(), roc.auc, roc.k_best) == ([1], 0.5, 1)


def test_two_objects():
    with pytest.warns(sc.UndefinedMeasureWarning):
        sc.pair_roc([0, 1], [[0, 1, 1.0]])


@pytest.mark.parametrize(("merges", "message"), [
    ([[0, 1, 1], [2, 3, 2]], "has 3 objects and truth has 4"),
    ([[0, 1, 1], [2, 4, 2], [3, 4, 3]], r"row 2 \(3, 4, 3\): it joins a node that is joined"),
    ([[0, 0, 1], [2, 4, 2], [3, 5, 3]], r"row 0 \(0, 0, 1\): it joins a node that is joined"),
    ([[0, 1, 1], [2, 5, 2], [3, 4, 3]], r"row 1 \(2, 5, 2\): it joins a node that is made"),
    ([[0, 1, 1], [2, 4, np.inf], [3, 5, 3]], r"row 1 .*height is not finite"),
    ([[-1, -2, 1], [-3, 1, 2], [-4, 2, 3]], r"row 0 .*R's negative"),
    ([[0, 1.5, 1], [2, 4, 2], [3, 5, 3]], r"row 0 .*whole numbers"),
    ([[0, 1], [2, 4], [3, 5]], r"shape \(3, 2\)"),
    ("abc", "cannot be read"),
])
def test_what_is_no_dendrogram_is_refused_with_its_row(merges, message):
    with pytest.raises(sc.ClusteringError, match=message):
        sc.pair_roc([0, 0, 1, 1], merges)


@pytest.mark.parametrize(("options", "message"), [
    ({"max_clusters": 0}, "max_clusters is 0"), ({"max_clusters": 5}, "from 1 to 4"),
    ({"max_clusters": 1.5}, "max_clusters is 1.5"),
    ({"ties": "first"}, "ties='first'"), ({"tie_tol": -1}, "tie_tol"),
    ({"labelled": [0, 4]}, "distinct positions from 0 to 3"),
    ({"labelled": [1, 1, 0, 0]}, "distinct positions"), ({"labelled": [[0, 1]]}, "a mask"),
    ({"labelled": [True, False]}, "a mask"), ({"labelled": ["a"]}, "truth has no names"),
    ({"labelled": [0.0, 1.0]}, "a mask"), ({"labelled": []}, "a mask"),
    ({"criterion": "f"}, "criterion='f'")])
def test_odd_options(options, message):
    with pytest.raises(ValueError, match=message):
        sc.pair_roc([0, 0, 1, 1], CHAIN, **options)


def test_odd_truth():
    with pytest.raises(sc.ClusteringError, match="1 object"):
        sc.pair_roc([0], np.zeros((0, 4)))
    with pytest.raises(sc.ClusteringError, match="missing"):
        sc.pair_roc(["a", None, "b", "b"], CHAIN)
    fuzzy = [[0.9, 0.1]] * 4
    with pytest.raises(sc.ClusteringError, match=r"truth is fuzzy.*harden\(\).*expected=True"):
        sc.pair_roc(fuzzy, CHAIN)
    rough = sc.RoughClustering.from_upper([[1, 1]] * 4)
    with pytest.raises(sc.ClusteringError, match=r"truth is rough.*to_fuzzy\(\)"):
        sc.pair_roc(rough, CHAIN, expected=True)


# -- expected errors ---------------------------------------------------------------------------
@pytest.mark.parametrize("seed", range(6))
def test_expected_errors_of_a_soft_truth(seed):
    n = 12
    rng = np.random.default_rng(seed)
    merges, truth = random_tree(seed, n), rng.dirichlet([0.5] * 3, n)
    mask = rng.random(n) < 0.8
    roc = sc.pair_roc(truth, merges, expected=True, ties="order", labelled=mask)
    labels = naive.cuts(merges, n)
    for k, eps1, eps2 in zip(roc.k, roc.eps1, roc.eps2):
        hard = [[float(a == b) for b in range(2 * n)] for a in labels[k]]
        chosen = np.flatnonzero(mask)
        separated, joined, same, different = naive.expected_errors(
            [hard[i] for i in chosen], truth[chosen].tolist())
        # sums of some hundred products in another order
        assert eps1 == pytest.approx(separated / same, abs=1e-12)
        assert eps2 == pytest.approx(joined / different, abs=1e-12)
    assert roc.expected
    assert "Expected errors" in str(roc)


def test_expected_errors_of_certain_labels_are_the_plain_ones():
    merges, truth = random_tree(2, 20), truth_of(2, 20)
    certain = np.eye(truth.max() + 1)[truth]
    plain, expected = sc.pair_roc(truth, merges), sc.pair_roc(certain, merges, expected=True)
    np.testing.assert_array_equal(plain.eps1, expected.eps1)
    np.testing.assert_array_equal(plain.eps2, expected.eps2)
    runs = {k: labels for k, labels in naive.cuts(merges, 20).items() if k < 6}
    soft = {k: np.eye(40)[labels] for k, labels in runs.items()}
    a, b = sc.pair_roc_partitions(truth, runs), sc.pair_roc_partitions(certain, soft, expected=True)
    np.testing.assert_allclose(a.eps1, b.eps1, atol=1e-12)
    np.testing.assert_allclose(a.eps2, b.eps2, atol=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_expected_errors_of_soft_partitions(seed):
    rng = np.random.default_rng(seed)
    truth = (rng.dirichlet([0.3] * 2, 9) if seed % 2
             else np.eye(2)[rng.permutation([0, 1] * 4 + [0])])
    runs = {k: [rng.dirichlet([0.4] * k, 9) for _ in range(2)] for k in (2, 3, 4)}
    roc = sc.pair_roc_partitions(truth, runs, expected=True)
    for k, eps1, eps2 in zip(roc.k, roc.eps1, roc.eps2):
        found = [naive.expected_errors(run.tolist(), truth.tolist()) for run in runs[int(k)]]
        assert eps1 == pytest.approx(np.mean([s / total for s, _, total, _ in found]), abs=1e-12)
        assert eps2 == pytest.approx(np.mean([j / total for _, j, _, total in found]), abs=1e-12)


# -- partitions --------------------------------------------------------------------------------
def test_partitions_of_a_dendrogram_give_its_curve():
    merges, truth = random_tree(4, 20), truth_of(4, 20)
    tree = sc.pair_roc(truth, merges, ties="order")
    for runs in (naive.cuts(merges, 20), list(naive.cuts(merges, 20).items())):
        roc = sc.pair_roc_partitions(truth, runs)
        np.testing.assert_array_equal(roc.k, tree.k)
        np.testing.assert_array_equal(roc.eps1, tree.eps1)
        assert roc.auc == tree.auc
    # gaps are joined by straight lines
    gaps = {k: v for k, v in naive.cuts(merges, 20).items() if k in (2, 5, 9)}
    roc = sc.pair_roc_partitions(truth, gaps)
    at = np.isin(tree.k, roc.k)
    assert roc.auc == pytest.approx(naive.area(list(zip(tree.eps1[at], tree.eps2[at]))), abs=1e-14)


def test_runs_may_come_in_many_forms():
    truth = [0, 0, 1, 1]
    one, two = [0, 0, 1, 1], [0, 1, 1, 1]
    forms = [[one, two], np.array([one, two]), [sc.HardClustering(one), two],
             sc.Ensemble([one, two]), (np.array(one), np.array(two))]
    points = [sc.pair_roc_partitions(truth, {2: runs}) for runs in forms]
    assert {(p.eps1[0], p.eps2[0], p.n_runs[0]) for p in points} == {(0.25, 0.25, 2)}


def test_of_equally_good_k_the_smallest_is_best():
    runs = {1: [0] * 4, 2: [0, 0, 1, 1], 3: [0, 0, 1, 1], 4: [0, 1, 2, 3]}
    assert sc.pair_roc_partitions([0, 0, 1, 1], runs).k_best == 2
    assert sc.pair_roc_partitions([0, 0, 1, 1], runs, criterion="pair_error").k_best == 2


def test_fewer_clusters_than_k_belong_to_k():
    roc = sc.pair_roc_partitions([0, 0, 1, 1], {1: [0] * 4, 5: [0, 0, 1, 1]})
    assert (roc.k.tolist(), roc.k_best) == ([1, 5], 5)


@pytest.mark.parametrize(("partitions", "message"), [
    ({}, "is empty"), ({0: [0, 1, 2]}, "k = 0"), ({True: [0, 1, 2]}, "k = True"),
    ({"2": [0, 0, 1]}, "k = '2'"), ([(2, [0, 0, 1]), (2, [0, 1, 1])], "k = 2 twice"),
    ({2: [0, 0, 1, 1]}, r"partitions\[2\] has 4 objects and truth has 3"),
    ([[0, 0, 1]], "nor pairs"), (7, "nor pairs"),
    ({2: np.array([[0.5, 0.5]] * 3)}, r"partitions\[2\] is fuzzy")])
def test_odd_partitions(partitions, message):
    with pytest.raises(sc.ClusteringError, match=message):
        sc.pair_roc_partitions([0, 0, 1], partitions)


def test_labelled_objects_by_mask_position_or_name():
    iris = sc.datasets.load_iris()
    merges, some = linkage(iris.data, "average"), np.arange(0, 150, 2)
    mask = np.isin(np.arange(150), some)
    expected = sc.pair_roc(iris.labels, merges, labelled=mask).auc
    named = sc.HardClustering(iris.labels, object_names=[f"o{i}" for i in range(150)])
    assert sc.pair_roc(iris.labels, merges, labelled=some[::-1]).auc == expected
    assert sc.pair_roc(named, merges, labelled=[f"o{i}" for i in some]).auc == expected
    assert sc.pair_roc_partitions(named, {3: iris.labels}, labelled=["o0", "o1", "o149"]).auc == 0
    with pytest.raises(sc.ClusteringError, match="distinct names of objects"):
        sc.pair_roc(named, merges, labelled=["o0", "o150"])
    numbered = sc.HardClustering(iris.labels, object_names=range(150, 0, -1))
    with pytest.raises(sc.ClusteringError, match="positions or names; give a mask"):
        sc.pair_roc(numbered, merges, labelled=some)
    assert sc.pair_roc(numbered, merges, labelled=mask).auc == expected
    series = pd.Series(mask, index=numbered.object_names)
    assert sc.pair_roc(numbered, merges, labelled=series).auc == expected
    with pytest.raises(sc.ClusteringError, match="order"):
        sc.pair_roc(numbered, merges, labelled=series[::-1])


def test_trees_of_every_source():
    iris = sc.datasets.load_iris()
    merges = linkage(iris.data, "average")
    fitted = AgglomerativeClustering(3, linkage="average", compute_distances=True,
                                     compute_full_tree=True).fit(iris.data)
    hclust = {"merge": np.where(merges[:, :2] < 150, -merges[:, :2] - 1, merges[:, :2] - 149),
              "height": merges[:, 2]}
    for ties in ("block", "order"):
        expected = sc.pair_roc(iris.labels, merges, ties=ties)
        for tree in (fitted, hclust, sc.Dendrogram(merges, ties=ties)):
            assert sc.pair_roc(iris.labels, tree, ties=ties).auc == pytest.approx(
                expected.auc, rel=1e-12)
            assert sc.pair_roc_subsets(iris.labels, tree, fractions=[1], n_draws=1, rng=0,
                                       ties=ties).ties == ties
    with pytest.raises(sc.ClusteringError, match="compute_distances=True"):
        sc.pair_roc(iris.labels, AgglomerativeClustering(3).fit(iris.data))


# -- parts of the labels -----------------------------------------------------------------------
def test_all_labels_give_the_area_itself():
    iris = sc.datasets.load_iris()
    merges = linkage(iris.data, "ward")
    parts = sc.pair_roc_subsets(iris.labels, merges, fractions=[0.2, 1.0], n_draws=4,
                                max_clusters=20,
                                rng=1)
    assert set(parts.auc[1]) == {sc.pair_roc(iris.labels, merges,
                                             max_clusters=20).auc} == {parts.auc_all}
    assert parts.sd[1] == 0.0
    assert parts.n_labelled.tolist() == [30, 150]


def test_ready_draws_replay_and_are_subsets():
    merges, truth = random_tree(4, 20), truth_of(4, 20)
    rng = np.random.default_rng(0)
    draws = [[rng.permutation(20)[:m] for _ in range(3)] for m in (12, 16)]
    parts = sc.pair_roc_subsets(truth, merges, indices=draws, ties="order")
    assert parts.fractions.tolist() == [0.6, 0.8]
    for f in range(2):
        for b in range(3):
            mask = np.isin(np.arange(20), draws[f][b])
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                assert parts.auc[f, b] == sc.pair_roc(truth, merges, labelled=mask,
                                                      ties="order").auc
    assert parts.sampling == "given"


def test_partitions_with_part_of_the_labels():
    """Figure 5 for k-means: the area of `pair_roc_partitions` for each draw, and of loops."""
    rng, truth = np.random.default_rng(5), truth_of(4, 20)
    runs = {1: [0] * 20, 3: [rng.integers(0, 3, 20), rng.integers(0, 3, 20)],
            5: rng.integers(0, 5, 20)}
    draws = [[rng.permutation(20)[:m] for _ in range(3)] for m in (12, 16)]
    for given in (runs, list(runs.items())):
        parts = sc.pair_roc_subsets(truth, given, indices=draws)
        assert parts.auc_all == sc.pair_roc_partitions(truth, runs).auc
        for f in range(2):
            for b, draw in enumerate(draws[f]):
                points = []
                for entry in runs.values():
                    each = [naive.pair_errors(*(np.array(v)[draw] for v in (run, truth)))
                            for run in naive_runs(entry)]
                    points.append(tuple(np.mean([e[side] / e[side + 2] for e in each])
                                        for side in (0, 1)))
                assert parts.auc[f, b] == pytest.approx(naive.area(points), abs=1e-12)
                assert parts.auc[f, b] == sc.pair_roc_partitions(truth, runs, labelled=draw).auc
    assert (parts.max_clusters, parts.max_clusters_used, parts.ties) == (5, 5, None)
    soft = sc.pair_roc_subsets(truth, {2: rng.dirichlet([1, 1], 20)}, indices=draws, expected=True)
    assert np.isfinite(soft.auc).all()
    for option in ({"max_clusters": 3}, {"ties": "order"}, {"tie_tol": 0.1}):
        with pytest.raises(sc.ClusteringError, match="belong to a tree"):
            sc.pair_roc_subsets(truth, runs, **option)
    with pytest.raises(sc.ClusteringError, match="has 3 objects and truth has 20"):
        sc.pair_roc_subsets(truth, {2: [0, 0, 1]})


def naive_runs(entry):
    return entry if np.ndim(entry) == 2 or isinstance(entry[0], np.ndarray) else [entry]


def test_undefined_draws():
    merges = random_tree(3, 20)
    truth = [0] * 18 + [1, 1]
    parts = sc.pair_roc_subsets(truth, merges, fractions=[0.2], n_draws=40, undefined="nan", rng=0)
    assert 0 < parts.defined[0] < 40
    assert np.isnan(parts.auc).sum() == 40 - parts.defined[0]
    parts = sc.pair_roc_subsets(truth, merges, fractions=[0.15], n_draws=40, rng=0)
    assert parts.defined[0] == 40
    with pytest.raises(sc.ClusteringError, match="1000 draws of 2 objects"):
        sc.pair_roc_subsets(truth, merges, fractions=[0.1], n_draws=1, rng=0)


def test_stratified_draws_follow_the_classes():
    merges = random_tree(3, 20)
    truth = np.array([0] * 10 + [1] * 6 + [2] * 4)
    parts = sc.pair_roc_subsets(truth, merges, fractions=[0.5], n_draws=3, stratified=True, rng=0)
    assert parts.sampling == "stratified"
    from softclust.extensions.trees.roc import _quota
    assert _quota(truth, 10).tolist() == [5, 3, 2]
    assert _quota(truth, 11).sum() == 11
    with pytest.raises(sc.ClusteringError, match=r"takes \[1, 1, 0\]"):
        sc.pair_roc_subsets(truth, merges, fractions=[0.1], stratified=True, rng=0)
    soft = np.eye(3)[truth]
    with pytest.raises(sc.ClusteringError, match="needs hard classes"):
        sc.pair_roc_subsets(soft, merges, stratified=True, expected=True)
    same = [sc.pair_roc_subsets(t, merges, fractions=[0.6], n_draws=5, rng=3, expected=True,
                                undefined="nan").auc for t in (truth, soft)]
    np.testing.assert_array_equal(*same)


@pytest.mark.parametrize(("options", "message"), [
    ({"fractions": []}, "is empty"), ({"fractions": [1.2]}, "1.2"), ({"fractions": [0.05]}, "0.05"),
    ({"n_draws": 0}, "n_draws is 0"), ({"indices": [[]]}, "same number of draws"),
    ({"indices": [[[0, 0, 1]]]}, "names an object twice"), ({"indices": [[[0, 99]]]}, "leaves"),
    ({"undefined": "skip"}, "undefined='skip'")])
def test_odd_parts(options, message):
    with pytest.raises(ValueError, match=message):
        sc.pair_roc_subsets(truth_of(3, 20), random_tree(3, 20), **options)


def test_bits_do_not_depend_on_threads():
    merges, truth = random_tree(5, 40), truth_of(5, 40)
    found = []
    for threads in (1, 8):
        sc.set_num_threads(threads)
        try:
            found.append(sc.pair_roc_subsets(truth, merges, n_draws=30, rng=7,
                                             fractions=[0.3, 0.8]).auc)
        finally:
            sc.set_num_threads(None)
    np.testing.assert_array_equal(*found)


# -- ties --------------------------------------------------------------------------------------
def test_ties_in_the_data_show_as_a_range():
    grid = np.array([[i, j] for i in range(4) for j in range(4)], dtype=float)
    truth = [0, 0, 1, 1] * 4
    found = sc.tie_range(truth, grid, method="complete", n_draws=10, rng=0)
    assert not found.tie_free
    assert found.low <= found.given <= found.high
    # condensed distances are the same data
    from scipy.spatial.distance import pdist
    again = sc.tie_range(truth, pdist(grid), method="complete", n_draws=10, rng=0)
    np.testing.assert_array_equal(found.auc, again.auc)
    spread = np.random.default_rng(0).normal(size=(16, 2))
    assert sc.tie_range(truth, spread, n_draws=10, rng=0).tie_free


@pytest.mark.parametrize(("data", "options", "message"), [
    ([[np.nan], [1], [2]], {}, "finite"), ("ab", {}, "cannot be read"),
    ([1.0, 2.0], {}, "n \\(n - 1\\) / 2"), ([[1], [2], [3]], {"n_draws": 0}, "n_draws"),
    ([[1], [2], [3]], {"jitter": 0.1}, "jitter"), ([[1], [2], [3]], {"method": "x"}, "method='x'")])
def test_odd_data_for_ties(data, options, message):
    with pytest.raises(ValueError, match=message):
        sc.tie_range([0, 0, 1], data, **options)


# -- records and charts ------------------------------------------------------------------------
def test_frames_and_tables():
    merges, truth = random_tree(1, 20), truth_of(1, 20)
    roc = sc.pair_roc(truth, merges, max_clusters=6)
    frame = roc.to_frame()
    assert frame.index.name == "k"
    assert frame.columns.tolist() == ["eps1", "eps2", "sum", "pair_error", "n_runs"]
    text = " ".join(str(roc).split())
    assert "it depends on that k" in text
    if roc.max_clusters_used > 6:
        assert "k = 6 is not attained" in text
    assert roc.summary().as_html() == roc._repr_html_()
    parts = sc.pair_roc_subsets(truth, merges, fractions=[0.5, 1], n_draws=3, rng=0)
    assert parts.to_frame().columns.tolist() == ["n_labelled", "mean", "sd", "defined"]
    assert "speaks of labels that came in an order" in " ".join(str(parts).split())


def test_charts():
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    iris = sc.datasets.load_iris()
    curves = {m: sc.pair_roc(iris.labels, linkage(iris.data, m),
                             max_clusters=20) for m in METHODS[:3]}
    ax = sc.plotting.plot_roc(curves)
    assert ax.get_xlim()[0] < 0 < 1 < ax.get_xlim()[1]
    labels = ax.get_legend_handles_labels()[1]
    assert labels[0] == "single: area 0.0869, best k 2"
    best = [line for line in ax.lines if line.get_gid() == "best"]
    assert len(best) == 3
    assert best[0].get_xydata().tolist() == [[curves["single"].eps1[1], curves["single"].eps2[1]]]
    assert {"1", "2"} <= {text.get_text() for text in ax.texts}
    # curves that stop early are closed by a dotted line to (1, 0)
    closing = [line for line in ax.lines if line.get_linestyle() == ":"]
    assert all(line.get_xydata()[-1].tolist() == [1.0, 0.0] for line in closing)
    assert len(closing) == 3
    errors = sc.plotting.plot_roc_errors(curves)
    assert errors.get_ylabel() == "sum of both shares"
    one = curves["average"].plot(what="errors")
    assert len(one.get_legend_handles_labels()[1]) == 3
    with pytest.raises(ValueError, match="what="):
        curves["average"].plot(what="both")
    parts = sc.pair_roc_subsets(iris.labels, linkage(iris.data), n_draws=3, rng=0)
    assert parts.plot().get_xlabel() == "labelled objects, %"
    with pytest.raises(ValueError, match="nothing to draw"):
        sc.plotting.plot_roc({})
    with pytest.warns(sc.UndefinedMeasureWarning):
        sc.pair_roc([0, 0, 0, 0], CHAIN).plot()
    plt.close("all")


def test_pair_roc_loads_neither_pandas_nor_scipy():
    code = ("import softclust as sc, sys; sc.pair_roc([0, 0, 1], [[0, 1, 1.0], [2, 3, 2.0]]);"
            "print([m for m in ('pandas', 'scipy.stats', 'matplotlib') if m in sys.modules])")
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_a_dendrogram_goes_in_with_its_ties_and_names():
    tree = sc.Dendrogram.from_newick("((a:1,b:1):1,(c:1,d:1):1);")
    plain = sc.pair_roc([0, 0, 1, 1], tree.merges)
    for truth in ([0, 0, 1, 1], dict(zip("abcd", [0, 0, 1, 1]))):
        assert sc.pair_roc(truth, tree).auc == plain.auc
    for names in ("bacd", "cabd", "dcab"):
        classes = {name: int(name in "cd") for name in names}
        assert sc.pair_roc(classes, tree).auc == plain.auc
    with pytest.raises(sc.ClusteringError, match="truth and the dendrogram are different"):
        sc.pair_roc(dict(zip("abce", [0, 0, 1, 1])), tree)
    with pytest.raises(sc.ClusteringError, match="has 4 objects and truth has 3"):
        sc.pair_roc([0, 0, 1], tree)
