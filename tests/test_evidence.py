"""`cluster_test`: the dip, golden values, invariances, level, messages."""

import json
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from naive import evidence as naive
from sklearn.cluster import DBSCAN, AgglomerativeClustering, KMeans

import softclust as sc
from softclust.running.warnings import quiet
from softclust.selection.evidence import weakest
from softclust.selection.references import References, draw_references, units_of, untied

CASES = json.loads((Path(__file__).parent / "golden" / "evidence.json").read_text())["cases"]
QUICK = {"n_references": 19, "rng": 0}


def balls(*centres, n=40, d=2, seed=0, sd=1.0):
    rng = np.random.default_rng(seed)
    return np.concatenate([rng.normal(size=(n, d)) * sd + np.resize([c, 0.0], d) for c in centres])


def cases(function):
    return [pytest.param(c["input"], c["kwargs"], c["expected"], id=c["id"])
            for c in CASES if c["function"] == function]


# -- values ---------------------------------------------------------------------------------------
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("given", "options", "expected"), cases("separation"))
def test_separation(given, options, expected):
    labels = np.array(given["labels"])
    step = sc.cluster_test(given["x"], int(labels.max()) + 1, estimator=lambda x, k: labels,
                           reference_sets=[given["x"]]).steps[0]
    assert step.statistic[0] == pytest.approx(expected["statistic"], abs=1e-9)
    for k, pair in enumerate(expected["pairs"]):
        for name, value in pair.items():
            assert getattr(step.pairs, name)[k] == pytest.approx(value, abs=1e-9)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("given", "options", "expected"), cases("p_value"))
def test_p_values(given, options, expected):
    labels = np.array(given["labels"])
    step = sc.cluster_test(given["x"], estimator=lambda x, k: labels,
                           reference_sets=given["reference_sets"], **options).steps[0]
    assert step.references[0] == pytest.approx(expected["references"], abs=1e-9)
    assert step.p_value == pytest.approx(float(Fraction(expected["p_value"])), abs=1e-12)
    assert step.z[0] == pytest.approx(expected["z"], abs=1e-9)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("given", "options", "expected"), cases("several"))
def test_several_numbers_have_one_p_value(given, options, expected):
    labels = {int(k): np.array(v) for k, v in given["labels"].items()}
    found = sc.cluster_test(given["x"], estimator=lambda x, k: labels[k],
                            reference_sets=given["reference_sets"], **options)
    step = found.steps[0]
    assert step.statistic == pytest.approx(expected["statistic"], abs=1e-9)
    assert step.z == pytest.approx(expected["z"], abs=1e-9)
    assert step.p_value == pytest.approx(float(Fraction(expected["p_value"])), abs=1e-12)
    assert found.best == expected["best"]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("given", "options", "expected"), cases("reference_shape"))
def test_shape_of_the_reference(given, options, expected):
    found = sc.cluster_test(given["x"], 2, **QUICK)
    assert found.reference_variances == pytest.approx(expected["variances"], abs=1e-8)
    assert found.shrinkage == pytest.approx(expected["shrinkage"], abs=1e-8)
    assert found.units == pytest.approx(expected["units"], abs=1e-12)


def test_the_dip_is_that_of_the_definition():
    rng = np.random.default_rng(0)
    for trial in range(60):
        n = int(rng.integers(2, 9))
        x = (rng.integers(5, size=n) if trial % 3 == 0 else
             rng.normal(size=n) + 3 * (rng.random(n) < 0.5)).astype(float)
        cut = int(rng.integers(1, n))
        order = np.argsort(x)
        labels = np.zeros(n, np.int64)
        labels[order[cut:]] = 1
        if x[labels == 0].mean() == x[labels == 1].mean():
            continue   # no line
        assert weakest(x[None, :, None], labels[None], 2)[0] == pytest.approx(
            naive.separation(x[:, None].tolist(), labels.tolist()), abs=1e-9)


def test_separation_of_three_clusters_in_the_plane():
    rng = np.random.default_rng(5)
    x, labels = rng.normal(size=(21, 2)), np.repeat([0, 1, 2], 7)
    assert weakest(x[None], labels[None], 3)[0] == pytest.approx(
        naive.separation(x.tolist(), labels.tolist()), abs=1e-9)


def test_the_shrunk_spread_is_right_on_average():
    rng = np.random.default_rng(1)
    truth, d = np.array([4.0, 1.0, 1.0, 0.5]), 4
    squares = []
    for _ in range(400):
        x = rng.normal(size=(30, d)) * np.sqrt(truth)
        values = References.of(x, np.zeros(30, int), "uniform", np.zeros(d)).clusters[0].variances
        squares.append((values**2).mean())
    assert np.mean(squares) == pytest.approx((truth**2).mean(), rel=0.1)


def test_references_have_the_moments_of_their_clusters():
    x = np.concatenate([balls(0, n=60) * [3, 1], balls(20, n=40, seed=1)])
    labels = np.repeat(["a", "b"], [60, 40])
    for shape in ("uniform", "gaussian"):
        sets = draw_references(x, labels, n_references=300, shape=shape, rng=0)
        for group in ("a", "b"):
            mean = sets[:, labels == group].mean(axis=(0, 1))
            np.testing.assert_allclose(mean, x[labels == group].mean(axis=0), atol=0.15)
        assert sets[:, :60, 0].std() == pytest.approx(x[:60, 0].std(ddof=1), rel=0.06)


def test_units_are_found_where_values_repeat():
    rng = np.random.default_rng(0)
    x = np.column_stack([rng.normal(size=50), rng.integers(5, size=50),
                         rng.integers(9, size=50) / 4, np.ones(50)])
    assert units_of(x).tolist() == [0.0, 1.0, 0.25, 0.0]


# -- what it says ---------------------------------------------------------------------------------
def test_one_two_and_three_round_clusters():
    for truth in (1, 2, 3):
        found = sc.cluster_test(balls(*range(0, 7 * truth, 7)), n_references=39, rng=0)
        assert found.best == truth
        assert (found.p_value[:-1] == 1 / 40).all()
        assert found.p_value[-1] > 0.05
        assert np.unique(found.labels).size == truth


@pytest.mark.filterwarnings("ignore:cluster 0 has:UserWarning", "ignore:cluster 1 has:UserWarning")
@pytest.mark.parametrize("reference", ["uniform", "gaussian"])
def test_shapes_of_one_cluster_are_not_refuted(reference):
    rng = np.random.default_rng(3)
    shapes = {"outlier": np.vstack([balls(0, n=99), [[10.0, 0.0]]]),
              "heavy tails": rng.standard_t(3, size=(100, 2)),
              "skewed": np.exp(rng.normal(size=(100, 2))), "long": balls(0, n=100) * [5, 1]}
    for name, x in shapes.items():
        found = sc.cluster_test(x, 2, reference=reference, n_references=39, rng=1)
        assert found.best == 1, name


@pytest.mark.parametrize("reference", ["uniform", "gaussian"])
def test_a_small_cluster_far_away_is_found(reference):
    x = np.concatenate([balls(0, n=80), balls(8, n=20, seed=1)])
    assert sc.cluster_test(x, reference=reference, n_references=39, rng=0).best == 2


def test_moving_turning_scaling_and_reordering_change_nothing():
    x = np.random.default_rng(2).normal(size=(50, 3)) + np.repeat([[0], [4]], 25, axis=0)
    labels = np.repeat([0, 1, 1, 0, 2], 10)
    turn = np.linalg.qr(np.random.default_rng(0).normal(size=(3, 3)))[0]
    own = weakest(x[None], labels[None], 3)[0]
    order = np.random.default_rng(1).permutation(50)
    for other, names in ((x + 7, labels), (x @ turn, labels), (3 * x, labels), (-x, labels),
                         (x[order], labels[order]), (x, (labels + 1) % 3)):
        assert weakest(other[None], names[None], 3)[0] == pytest.approx(own, abs=1e-9)


def test_the_same_bits_on_any_number_of_threads_and_workers(monkeypatch):
    x = balls(0, 6)
    results = []
    for threads in (1, 4):
        sc.set_num_threads(threads)
        results.append(sc.cluster_test(x, [2, 3], n_references=39, rng=5))
    sc.set_num_threads(None)
    monkeypatch.setattr("softclust.selection.evidence._HELD", 500)
    with ThreadPoolExecutor(2) as pool:
        results.append(sc.cluster_test(x, [2, 3], n_references=39, rng=5, executor=pool))
    other = sc.cluster_test(x, [2, 3], n_references=39, rng=6)
    for found in results[1:]:
        for a, b in zip(results[0].steps, found.steps):
            np.testing.assert_array_equal(a.references, b.references)
    np.testing.assert_array_equal(other.steps[0].statistic, results[0].steps[0].statistic)
    assert (other.steps[0].references != results[0].steps[0].references).any()


def test_clusterers_of_scikit_learn_and_functions():
    x = balls(0, 7)
    for estimator in (KMeans(n_init=3), AgglomerativeClustering(),
                      lambda rows, k: AgglomerativeClustering(k).fit_predict(rows)):
        found = sc.cluster_test(x, [2, 3], estimator=estimator, **QUICK)
        assert found.best == 2
    assert "level is known for k-means and Ward" in " ".join(found.notes)
    drawn = sc.cluster_test(x, 2, reference=lambda X, k, rng: rng.normal(size=X.shape), **QUICK)
    assert drawn.reference == "function"
    assert drawn.best == 2


def test_the_record_prints_is_a_frame_and_can_be_drawn():
    pytest.importorskip("matplotlib")
    found = sc.cluster_test(balls(0, 7), range(1, 5), n_references=39, rng=0)
    frame = found.to_frame()
    assert frame.columns.tolist() == ["against", "n_clusters", "statistic", "reference_mean",
                                      "reference_high", "z", "p_value", "first", "second"]
    assert frame["against"].tolist() == [1, 1, 1, 2, 2]
    assert str(found).startswith("Evidence for 2 clusters (k-means, uniform reference, 39 sets")
    assert "No evidence of more than 2." in str(found)
    tidy = found.tidy()
    assert tidy["term"].tolist() == ["2", "3", "4", "3", "4"]
    assert tidy["against"].tolist() == [1, 1, 1, 2, 2]
    # The p-value of a step is in the row of the number with the largest z.
    assert tidy["p_value"].iloc[0] == 1 / 40
    assert tidy["p_value"].isna().sum() == 3
    assert frame["z"][3:].argmax() == tidy["p_value"][3:].notna().to_numpy().argmax()
    assert set(tidy["method"]) == {"k-means, uniform reference"}
    assert found.plot().get_title(loc="left") == "against 1 cluster: p = 0.025"
    assert "against 2 clusters" in found.plot(step=2).get_title(loc="left")
    with pytest.raises(ValueError, match="steps 1 to 2"):
        found.plot(step=3)
    assert sc.cluster_test(balls(0, 7), 2, **QUICK).plot().get_ylabel() == "references"
    most = sc.cluster_test(balls(0, 7, 14), [2, 3], **QUICK)
    assert str(most).startswith("Evidence for at least 3 clusters")


# -- odd input ------------------------------------------------------------------------------------
X = balls(0, 6, n=20)


@pytest.mark.parametrize(("arguments", "error", "message"), [
    ({"n_clusters": []}, ValueError, "distinct numbers"),
    ({"n_clusters": 1}, ValueError, "at least 2 are needed"),
    ({"n_clusters": [3, 2]}, ValueError, "rising numbers"),
    ({"n_clusters": [2, 2]}, ValueError, "distinct numbers"),
    ({"n_clusters": 50}, sc.ClusteringError, "of 40 distinct objects"),
    ({"reference": "box"}, ValueError, "uniform"),
    ({"significance": 0.95}, ValueError, "significance is 0.95; a number above 0 and at most"),
    ({"level": 0.95}, TypeError, "level is that of .* significance=0.05"),
    ({"n_references": 9}, ValueError, r"9 references give p = 0.1 at least; .* >= 19"),
    ({"n_references": 0}, ValueError, "whole number >= 1"),
    ({"reference_sets": np.zeros((3, 5, 2))}, sc.ClusteringError, r"\(B, 40, 2\) is needed"),
    ({"reference": lambda X, labels, rng: X[:3]}, sc.ClusteringError, "reference 0 has shape"),
    ({"estimator": DBSCAN()}, sc.ClusteringError, "DBSCAN has no number of clusters to set"),
    ({"estimator": lambda x, k: np.full(len(x), -1)}, sc.ClusteringError,
     "need a cluster for every object: give a clusterer without noise"),
    ({"estimator": lambda x, k: np.arange(len(x)) % k}, sc.ClusteringError,
     r"same labels for the rows in another order.*separation_test\(X, labels\)"),
    ({"estimator": lambda x, k: np.zeros(len(x), int), "n_clusters": 3}, sc.ClusteringError,
     "the clusterer found 1 cluster of 3"),
])
def test_wrong_arguments(arguments, error, message):
    with pytest.raises(error, match=message):
        sc.cluster_test(X, **{"n_references": 19, **arguments})


@pytest.mark.filterwarnings("ignore:cluster . has 1 object")
def test_references_cut_into_other_numbers_are_no_evidence():
    """Cut at a fixed distance, data of one cluster stay whole: p would be small for one outlier."""
    def cut(distance):
        tree = AgglomerativeClustering(None, linkage="average", distance_threshold=distance)
        return lambda x, k: tree.fit_predict(x)

    x = np.concatenate([balls(0, n=39), [[14.0, 0.0]]])
    for at_distance in (cut(10.0), cut(0.9)):
        k = np.unique(at_distance(x, 0)).size
        with pytest.warns(UserWarning, match="does not cut data of one cluster into as"):
            found = sc.cluster_test(x, k, estimator=at_distance, n_references=19, rng=0)
        assert found.sentence.startswith("Not tested: the clusterer does not cut data of one")
        assert np.isnan(found.steps[0].p_value)
        assert found.best == 1


@pytest.mark.parametrize("data", [[[1.0, np.nan]] * 5, [["a", "b"]] * 5, [1.0, 2.0, 3.0],
                                  np.zeros((20, 2))], ids=["nan", "text", "vector", "constant"])
def test_wrong_data(data):
    with pytest.raises(sc.ClusteringError):
        sc.cluster_test(data, 2, n_references=19)


def test_repeated_rows_and_small_clusters_are_warned_of():
    x = balls(0, n=30)
    with pytest.warns(UserWarning, match="30 of 60 rows repeat others: copies are no evidence"):
        assert "drop them" in sc.cluster_test(np.repeat(x, 2, axis=0), 2, **QUICK).notes[0]
    far = np.vstack([x, [[40.0, 0.0]]])
    with pytest.warns(UserWarning, match=r"has 1 object \(place 30\)"):
        sc.cluster_test(far, 2, **QUICK)
    counts = np.random.default_rng(0).integers(2, size=(60, 8))
    with pytest.warns(UserWarning, match="use 'uniform'"):
        found = sc.cluster_test(counts, 2, reference="gaussian", **QUICK)
    assert "8 features are recorded in units" in found.notes[0]
    assert "fewer than 10 objects per feature" in " ".join(found.notes)


@pytest.mark.filterwarnings("ignore:cluster . has")
def test_a_later_step_without_references_keeps_what_is_known():
    x = np.concatenate([balls(0, n=40), balls(1, n=40) + [30.0, 0.0]])

    def clusterer(points, k):   # three clusters in the data only
        labels = (points[:, 0] > 15).astype(int)
        return labels if k == 2 or (points is not x and not np.array_equal(points, x)) else (
            labels + (points[:, 1] > np.median(points[:, 1])) * labels)

    def lumps(points, labels, rng):
        return rng.uniform(0, 1 + 29 * (labels.max() == 0), size=points.shape)

    with pytest.warns(UserWarning, match="data of 2 clusters into as many as it was asked"):
        found = sc.cluster_test(x, [2, 3], estimator=clusterer, reference=lumps, n_references=19,
                                rng=0)
    assert found.invalid == ""
    assert found.best == 2
    assert found.steps[0].p_value == 0.05
    assert np.isnan(found.steps[1].p_value)
    assert "nan" not in str(found)


# -- data for which no p-value holds -----------------------------------------------------------
def rounded(n=40):
    return np.round(np.random.default_rng(1).normal(size=(n, 2)), 1)


@pytest.mark.parametrize(("x", "why"), [
    (np.repeat(rounded(), 3, axis=0), "82 of 120 rows repeat others"),
    (np.random.default_rng(0).choice([1.0, 2, 5, 10, 20, 50], size=(60, 2)),
     "feature 0 has few levels with wide gaps"),
    (np.log1p(np.random.default_rng(0).choice([0.0, 1, 100], size=(60, 2))),
     "feature 0 has few levels with wide gaps"),
    (np.column_stack([rounded(60), np.eye(3)[np.arange(60) % 3] * 2]),
     "feature 2 is an indicator of a category that weighs more"),
    (np.hstack([np.eye(2)[np.random.default_rng(b).integers(2, size=60)] for b in range(4)]),
     "feature 0 is an indicator of a category that weighs more")],
    ids=["copies", "levels", "logarithms", "heavy category", "categories only"])
def test_nothing_is_claimed_where_p_would_be_too_small(x, why):
    with pytest.warns(UserWarning, match=why):
        found = sc.cluster_test(x, [2, 3], **QUICK)
    assert found.sentence.startswith(f"Not tested: {why}")
    assert found.best == 1
    assert np.isnan(found.p_value).all()
    assert str(found).startswith("Not tested (k-means")
    assert "vidence" not in str(found).replace("copies are no evidence", "")
    # A null model of one's own is one's own claim.
    with quiet(UserWarning):
        own = sc.cluster_test(x, 2, reference=lambda x, labels, rng: x, **QUICK)
    assert own.invalid == ""


@pytest.mark.parametrize("x", [
    np.random.default_rng(0).integers(2, size=(60, 4)),          # 16 patterns of answers
    np.rint(np.random.default_rng(0).normal(size=(200, 2))),
    np.column_stack([rounded(60), np.eye(3)[np.arange(60) % 3]]),
    np.random.default_rng(0).poisson(2, size=(100, 2)),
    np.append(np.arange(40) % 5, 20 + np.arange(40) % 5)[:, None],
    np.log1p(np.random.default_rng(0).poisson(2, size=(100, 2)))],
    ids=["binary", "rounded", "light category", "counts", "two clusters", "logarithms of counts"])
def test_ties_of_other_data_are_no_obstacle(x):
    found = sc.cluster_test(x, 2, **QUICK)
    assert found.invalid == ""
    assert found.best == 1 + (np.shape(x)[1] == 1)


def test_levels_that_repeat_get_noise_up_to_halfway_to_their_neighbours():
    column = np.log1p(np.repeat([0, 1, 2, 5, 9], [30, 20, 20, 9, 1]))
    x, units, levels = untied(np.column_stack([column, np.arange(80)]), np.random.SeedSequence(0))
    assert (units.tolist(), levels.tolist()) == ([0.0, 0.0], [True, False])
    np.testing.assert_array_equal(x[:, 1], np.arange(80))
    halves = np.diff(np.unique(column)) / 2
    places = np.unique(column, return_inverse=True)[1]
    down, up = np.append(halves[0], halves)[places], np.append(halves, halves[-1])[places]
    moved = x[:, 0] - column
    assert ((-down <= moved) & (moved <= up)).all()
    assert moved[-1] == 0.0     # the only one
    assert np.unique(x[:79, 0]).size == 79


def test_some_fits_of_references_may_fail():
    calls = []

    def clusters(x, k):
        calls.append(len(x))
        if len(calls) == 5:
            raise RuntimeError("no luck")
        return (x[:, 0] > np.median(x[:, 0])).astype(int)

    found = sc.cluster_test(X, 2, estimator=clusters, n_references=39, rng=0)
    assert np.isinf(found.steps[0].references).sum() == 1
    assert "references that could not be clustered: 1" in found.notes[-1]
    assert found.p_value[0] >= 2 / 40
    with pytest.raises(sc.ClusteringError, match="could not be clustered, the first for: Value"):
        sc.cluster_test(X, 2, estimator=fails_on_references, n_references=19, rng=0)


def fails_on_references(x, k):
    if not np.array_equal(np.sort(x, axis=0), np.sort(X, axis=0)):
        raise ValueError("never")
    return (x[:, 0] > 3).astype(int)


def test_an_interrupted_test_keeps_its_steps():
    seen = []

    def stop(done, total):
        seen.append(done)
        if len(seen) > 1 and seen[-1] < seen[-2]:   # the second step began
            raise KeyboardInterrupt

    with pytest.warns(sc.IncompleteWarning, match="interrupted after 1 of"):
        found = sc.cluster_test(balls(0, 7, 14), [2, 3, 4], progress=stop, **QUICK)
    assert len(found.steps) == 1
    assert found.missing.startswith("interrupted after 1")
    assert found.sentence.startswith(f"Evidence for at least {found.best} clusters")


# -- level and power, in short --------------------------------------------------------------------
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("law", "options", "low", "high"), [
    (lambda r: r.uniform(-1, 1, (100, 2)) * [4, 1], {}, 0.0, 0.10),
    (lambda r: r.normal(size=(50, 100)), {}, 0.0, 0.06),
    (lambda r: r.normal(size=(100, 2)), {"reference": "gaussian"}, 0.005, 0.11),
    (lambda r: r.standard_t(3, size=(100, 5)), {"reference": "gaussian"}, 0.0, 0.09),
    (lambda r: r.normal(size=(100, 2)) + np.repeat([[0, 0], [5, 0]], 50, axis=0), {}, 0.95, 1.0),
], ids=["long box", "more features than objects", "Gaussian", "heavy tails", "5 sd apart"])
def test_level_and_power(law, options, low, high):
    sets = 200
    rejected = [sc.cluster_test(law(np.random.default_rng([7, b])), 2, n_references=99, rng=b,
                                **options).best == 2 for b in range(sets)]
    assert low <= np.mean(rejected) <= high


@pytest.mark.slow
@pytest.mark.parametrize(("law", "tested"), [
    ("logarithms of counts of mean 1", True), ("logarithms of counts of mean 3", True),
    ("levels 1, 2, 5, 10, 20, 50", False), ("rounded to .1, each row three times", False),
    ("two numbers, three categories of two", True), ("the same, indicators of 0 and 2", False),
    ("three categories of three", False)])
def test_level_with_ties(law, tested, monkeypatch):
    monkeypatch.syspath_prepend(Path(__file__).parent / "benchmarks")
    from ties_level import level
    evidence, untested = level(law, 40)
    assert evidence <= 0.125 + 1e-9     # .05, and two standard errors of .035
    assert untested == (not tested)
