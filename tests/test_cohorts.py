"""`replicate` and `thin`: golden values, one long cloud, odd input, the command line."""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache, partial
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from naive import cohorts as naive
from scipy.sparse import csr_array, csr_matrix
from sklearn.cluster import DBSCAN, AgglomerativeClustering, KMeans
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import softclust as sc
from softclust.cli import main

CASES = json.loads((Path(__file__).parent / "golden" / "cohorts.json").read_text())["cases"]
QUICK = {"n_resamples": 10, "n_splits": 3, "n_references": 19, "rng": 0}


def of(function):
    return [pytest.param(c, id=c["id"]) for c in CASES if c["function"] == function]


def three(seed, n=40, apart=5.0, d=2):
    rng = np.random.default_rng(seed)
    corners = np.zeros((3, d))
    corners[1, 0] = corners[2, 1] = apart
    return rng.normal(size=(3 * n, d)) + np.repeat(corners, n, axis=0)


A, B = three(1), three(2)


# -- values ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("case", of("replicate"))
def test_stored_values(case):
    given = case["input"]
    cohorts = {name: (given[name], given[f"labels_{name}"]) for name in "AB"}
    found = sc.replicate(cohorts, **case["kwargs"])
    frame = found.to_frame()
    for source, target in ("AB", "BA"):
        expected = case["expected"][f"{source} to {target}"]
        rows = frame[(frame["from"] == source) & (frame["to"] == target)]
        assert found.carried[source, target].tolist() == expected["carried"]
        value = found.agreement["AB".index(source), "AB".index(target)]
        assert value == pytest.approx(expected["agreement"], abs=1e-10)
        for name in ("size", "carried_size", "jaccard", "pairs_kept", "in_group"):
            wanted = [np.nan if v is None else v for v in expected[name]]
            np.testing.assert_allclose(rows[name].astype(float), wanted, atol=1e-10)
        assert rows["event"].iloc[-1] in ("kept", "split", "merged", "mixed", "gone")


def test_values_by_loops():
    rng = np.random.default_rng(3)
    x, y = (np.round(rng.normal(size=(n, 2)), 2) for n in (14, 12))
    of_x, of_y = rng.integers(3, size=14), rng.integers(3, size=12)
    found = sc.replicate([(x, of_x), (y, of_y)])
    carried = naive.carried(x.tolist(), of_x.tolist(), y.tolist())
    assert found.carried["A", "B"].tolist() == carried
    for row in found.clusters:
        if row["from"] == "A":
            told = naive.cluster(row["cluster"], carried, of_y.tolist(), y.tolist())
            for name, value in zip(("jaccard", "pairs_kept", "in_group"), told):
                assert row[name] == pytest.approx(np.nan if value is None else float(value),
                                                  nan_ok=True)


def test_the_order_of_cohorts_does_not_matter():
    cohorts = {"a": A, "b": B, "c": three(3)}
    found = sc.replicate(cohorts, KMeans(3, n_init=2), **QUICK)
    order = ["c", "a", "b"]
    again = sc.replicate({name: cohorts[name] for name in order}, KMeans(3, n_init=2), **QUICK)
    at = [found.names.index(name) for name in order]
    for name in ("agreement", "se", "floor", "p_value"):
        np.testing.assert_array_equal(getattr(again, name), getattr(found, name)[np.ix_(at, at)])


def test_the_same_bits_on_workers():
    found = sc.replicate([A, B], KMeans(3, n_init=2), **QUICK)
    with ThreadPoolExecutor(2) as pool:
        again = sc.replicate([A, B], KMeans(3, n_init=2), executor=pool, **QUICK)
    np.testing.assert_array_equal(found.se, again.se)
    np.testing.assert_array_equal(found.floor, again.floor)


def test_prediction_strength_is_the_agreement_of_halves():
    x = three(5)
    strength = sc.prediction_strength(x, KMeans(n_init=2), [3], n_splits=1, rng=4).values[0, 0]
    from softclust.running.random_numbers import Streams
    from softclust.selection.replication import random_halves
    rng = Streams(4, "rng").generator(0)
    halves = random_halves(x, rng)
    seed = int(rng.integers(2**31))
    fits = [KMeans(3, n_init=2, random_state=seed).fit(half) for half in halves]
    cohorts = [(half, fit.labels_) for half, fit in zip(halves, fits)]
    found = sc.replicate(cohorts, measure="prediction_strength_index")
    assert strength == pytest.approx((found.agreement[0, 1] + found.agreement[1, 0]) / 2)
    other = sc.prediction_strength(x, KMeans(n_init=2), [3], n_splits=2, rng=4,
                                   measure="adjusted_rand_index",
                                   classifier=KNeighborsClassifier(3))
    assert (other.values > 0.8).all()


# -- what it says ---------------------------------------------------------------------------------
def test_clusters_are_found_again():
    found = sc.replicate([A, B], KMeans(3, n_init=5), n_resamples=20, n_splits=3, n_references=39,
                         rng=0)
    assert found.replicated("A", "B") is True
    assert found.low[0, 1] <= found.agreement[0, 1] <= found.high[0, 1] <= 1
    assert found.floor[0, 1] < 0.8 < found.ceiling[0]
    assert found.agreement[0, 0] == found.ceiling[0]
    assert "3 clusters of A are found again in B, as well as in halves of it: adjusted" in (
        found.sentence("A", "B"))
    assert found.evidence[0].p_value[0] == 1 / 40
    assert found.tidy()["estimate"].min() > 0.8


def two(axis=0, distance=20.0, seed=0):
    x = np.random.default_rng(seed).normal(size=(100, 2))
    x[50:, axis] += distance
    return x


@cache
def clear():
    return sc.replicate({"a": two(seed=1), "b": two(seed=2)}, KMeans(2, n_init=2), **QUICK)


def test_two_clear_clusters_are_found_again():
    # Cuts of one long cloud often agree fully, too: nothing is above 1, so p says little.
    found = clear()
    assert found.agreement[0, 1] == found.ceiling[1] == 1.0
    assert np.isnan(found.high[0, 1])   # no resample says how it would vary
    assert (found.verdict("a", "b"), found.replicated("a", "b")) == ("as well", True)
    assert found.sentence("a", "b").startswith("2 clusters of a are found again in b, as well as "
                                               "in halves of it: adjusted Rand index 1.00; ")


def test_clusters_elsewhere_and_no_clusters():
    a, other = two(seed=1), two(axis=1, seed=2)
    cloud = np.random.default_rng(3).normal(size=(100, 2)) * [5, 1]
    found = sc.replicate({"a": a, "other": other, "cloud": cloud}, KMeans(2, n_init=2), **QUICK)
    assert found.verdict("a", "other") == found.verdict("other", "a") == "elsewhere"
    assert found.sentence("a", "other").startswith(
        "Both cohorts have clusters, but those of a are not found again in other: adjusted")
    for pair in (("a", "cloud"), ("cloud", "a")):
        assert found.verdict(*pair) == "no clusters"
        assert found.replicated(*pair) is False
        assert found.sentence(*pair).startswith(
            "No evidence of more than one cluster in cloud (2 asked), so there is nothing to find ")


@pytest.mark.parametrize(("high", "ceiling", "p", "verdict"), [
    (0.9, 0.9, 0.5, "as well"), (0.9, 0.91, 0.5, "elsewhere"), (0.9, 0.91, 0.05, "less well"),
    (np.nan, 0.8, 0.5, "as well"), (np.nan, 0.91, 0.5, "elsewhere"), (0.9, np.nan, 0.05, "found"),
    (0.9, np.nan, 0.5, "elsewhere"), (0.9, 0.91, np.nan, "elsewhere")])
def test_verdicts(high, ceiling, p, verdict):
    found = replace(clear(), high=np.full((2, 2), high), ceiling=np.full(2, ceiling),
                    p_value=np.full((2, 2), p), agreement=np.full((2, 2), 0.8))
    assert found.verdict("a", "b") == verdict
    assert found.replicated("a", "b") is (verdict != "elsewhere")
    assert ("but less well than in halves" in found.sentence("a", "b")) == (verdict == "less well")


def test_more_significance_needs_more_evidence():
    found = sc.replicate([A, B], KMeans(3, n_init=2), **QUICK)
    assert found.replicated("A", "B") is True
    assert replace(found, significance=0.01).verdict("A", "B") == "no clusters"   # p = .05


def test_one_long_cloud_is_not_replicated():
    clouds = [np.random.default_rng(k).normal(size=(150, 2)) * [4, 1] for k in (1, 2)]
    found = sc.replicate(clouds, KMeans(2, n_init=5), **QUICK)
    assert found.agreement[0, 1] > 0.6   # k-means cuts both across
    assert found.floor[0, 1] > 0.5
    assert found.replicated("A", "B") is False
    assert "one cluster" in found.sentence("A", "B")


def test_a_shift_is_seen_and_scaling_each_cohort_helps():
    shifted = B * [1, 10] + [3, 50]
    # The scaler of a pipeline is the sender's, also for the objects of the receiver.
    plain = sc.replicate([A, shifted], make_pipeline(StandardScaler(), KMeans(3, n_init=5)),
                         reference=None, **QUICK)
    scaled = sc.replicate([StandardScaler().fit_transform(x) for x in (A, shifted)],
                          KMeans(3, n_init=5), reference=None, **QUICK)
    assert plain.agreement[0, 1] < 0.6 < 0.9 < scaled.agreement[0, 1]
    assert plain.ceiling[1] > 0.9   # there are clusters in B, but they lie elsewhere
    assert "may reach this, too" in scaled.sentence("A", "B")
    assert scaled.evidence is None
    assert scaled.replicated("A", "B") is None


def test_other_ways_to_carry_labels():
    for estimator, classifier in ((AgglomerativeClustering(3), None),
                                  (AgglomerativeClustering(3), KNeighborsClassifier(3)),
                                  (lambda x: KMeans(3, n_init=2).fit_predict(x), None)):
        found = sc.replicate([A, B], estimator, classifier=classifier, reference=None, **QUICK)
        assert found.agreement[0, 1] > 0.9
        assert ("nearest mean" in " ".join(found.notes)) == (classifier is None)


def test_the_same_objects_are_no_other_data():
    found = sc.replicate({"a": A, "b": np.vstack([A[:60], B[60:]])}, KMeans(3, n_init=2), **QUICK)
    assert found.verdict("a", "b") == found.verdict("b", "a") == "not tested"
    assert found.replicated("a", "b") is None
    assert "Not tested: a and b have 60 rows in common" in found.sentence("a", "b")
    assert np.isnan(found.p_value).all()
    # Few values coincide by chance.
    rng = np.random.default_rng(0)
    found = sc.replicate([rng.integers(4, size=(100, 3)), rng.integers(4, size=(100, 3))],
                         KMeans(2, n_init=2), **QUICK)
    assert not found.invalid


def test_copies_in_a_cohort_leave_no_verdict():
    found = sc.replicate({"a": np.repeat(A, 2, axis=0), "b": B}, KMeans(3, n_init=2), **QUICK)
    assert found.verdict("b", "a") == "not tested"
    assert "Not tested: a: 120 of 240 rows repeat" in found.sentence("b", "a")
    assert "a not tested, b p = " in str(found)


def test_an_agreement_that_never_varies_has_no_interval():
    found = sc.replicate([A * 0.1 + 10 * np.repeat(np.eye(3), 40, axis=0)[:, :2],
                          B * 0.1 + 10 * np.repeat(np.eye(3), 40, axis=0)[:, :2]],
                         KMeans(3, n_init=5), **QUICK)
    assert found.agreement[0, 1] == 1.0
    assert found.se[0, 1] == 0.0
    assert np.isnan(found.high[0, 1])
    assert "does not show how it would vary: no interval" in found.notes[0]
    assert "adjusted Rand index 1.00; halves" in found.sentence("A", "B")


def test_noise_is_no_cluster_and_is_left_out():
    labels = np.repeat([0, 1, 2], 40)
    noisy = np.where(np.arange(120) % 10 == 0, -1, labels)
    found = sc.replicate([(A, noisy), (B, noisy)])
    assert set(found.to_frame()["cluster"]) == {0, 1, 2}
    assert found.agreement[0, 1] > 0.9
    assert np.isnan(found.se).all()
    assert "there is no interval, ceiling or floor" in " ".join(found.notes)


def test_frames_have_their_columns_by_name():
    a, b = (pd.DataFrame(x, columns=["u", "v"]) for x in (A, B))
    found = sc.replicate({"a": a, "b": b[["v", "u"]]}, KMeans(3, n_init=2), reference=None, **QUICK)
    plain = sc.replicate({"a": A, "b": B}, KMeans(3, n_init=2), reference=None, **QUICK)
    np.testing.assert_array_equal(found.agreement, plain.agreement)
    with pytest.raises(sc.ClusteringError, match=r"cohort b has other columns than a: missing"):
        sc.replicate({"a": a, "b": b.rename(columns={"v": "w"})}, KMeans(3))


def test_charts():
    pytest.importorskip("matplotlib")
    found = sc.replicate([A, B], KMeans(3, n_init=2), **QUICK)
    assert found.plot().get_xlabel() == "found in"
    assert len(found.plot(kind="clusters").patches) == 6


@pytest.mark.parametrize(("cohorts", "estimator", "options", "error", "message"), [
    ([A], KMeans(3), {}, sc.ClusteringError, "1 cohort is given; at least two"),
    ([A, B], None, {}, sc.ClusteringError, "estimator is needed"),
    ([A, B[:, :1]], KMeans(3), {}, sc.ClusteringError, "B has 1 features and A has 2"),
    ([A, B * np.nan], KMeans(3), {}, sc.ClusteringError, "cohort B: X is not a table of finite"),
    ([(A, [0, 1]), B], KMeans(3), {}, sc.ClusteringError, "labels of shape"),
    ([A, B[:2]], KMeans(3), {}, ValueError, "n_samples=2"),
    ([A, B], KMeans(3), {"level": 2}, ValueError, "level is 2; .* between 0 and 1"),
    ([A, B], KMeans(3), {"significance": 0.95}, ValueError, "significance is 0.95; .* as 0.05"),
    ([A, B], KMeans(3), {"alpha": 0.05}, TypeError, "did you mean 'significance'"),
    ([A, B], KMeans(3), {"reference": "box"}, ValueError, "uniform"),
    ([A, B], KMeans(3), {"n_resamples": -1}, ValueError, "whole number"),
    ([A, B], KMeans(3), {"measure": "variation_of_information"}, ValueError, "not an agreement"),
    ([A, B], KMeans(3), {"measure": "nothing"}, ValueError, "nothing"),
    ([A, B], DBSCAN(eps=1e-9), {}, sc.ClusteringError, "noise"),
])
def test_wrong_input(cohorts, estimator, options, error, message):
    with pytest.raises(error, match=message):
        sc.replicate(cohorts, estimator, **{**QUICK, **options})


def test_odd_cohorts_are_noted():
    twice = sc.replicate([A, A.copy()], KMeans(3, n_init=2), reference=None, **QUICK)
    assert "A and B are the same table" in " ".join(twice.notes)
    flat = np.column_stack([A, np.ones(120)]), np.column_stack([B, B[:, 0]])
    found = sc.replicate(flat, KMeans(3, n_init=2), reference=None, **QUICK)
    assert "feature 2 is constant in A only" in found.notes


@pytest.mark.parametrize(("calls", "wanted"), [
    (5, "5 of 10 resamples"), (11, "1 of 3 splits"), (31, "18 of 20 references"),
    (34, "0 of 2 tests of clusters"), (54, "1 of 2 tests of clusters")])
def test_one_interrupt_ends_everything(calls, wanted):
    seen = []

    def stop(done, total):
        seen.append((done, total))
        if len(seen) == calls:
            raise KeyboardInterrupt

    with pytest.warns(sc.IncompleteWarning, match=f"interrupted after {wanted}.*call it again"):
        found = sc.replicate([A, B], AgglomerativeClustering(3), rng=0, progress=stop,
                             n_resamples=10, n_splits=3, n_references=20)
    assert len(seen) == calls   # nothing went on
    assert found.missing == f"interrupted after {wanted}"
    assert found.missing in found.notes
    assert found.verdict("A", "B") == "not tested"
    assert found.replicated("A", "B") is None
    assert found.sentence("A", "B").endswith(f"Not tested: interrupted after {wanted}.")
    assert np.isfinite(found.se[0, 1])
    assert np.isfinite(found.ceiling[0]) == (calls > 10)
    assert np.isfinite(found.p_value[0, 1]) == (calls > 13)
    assert found.plot().get_xlabel() == "found in"


def test_the_agreement_is_kept_before_the_first_resample():
    fits = []

    def fit(x):
        fits.append(len(x))
        if len(fits) == 3:
            raise KeyboardInterrupt
        return KMeans(3, n_init=1, random_state=0).fit_predict(x)

    with pytest.warns(sc.IncompleteWarning, match="0 of 200 resamples"):
        found = sc.replicate([A, B], fit, rng=0)
    assert len(fits) == 3
    assert found.agreement[0, 1] > 0.9
    assert np.isnan(found.se).all()


def test_huge_numbers():
    found = sc.replicate([A * 1e130, B * 1e130], KMeans(3, n_init=2), **QUICK)
    assert found.verdict("A", "B") == "as well"


def test_the_level_is_known_for_scaled_kmeans():
    scaled = make_pipeline(StandardScaler(), KMeans(3, n_init=2))
    assert sc.replicate([A, B], scaled, **QUICK).notes == ()
    single = AgglomerativeClustering(3, linkage="average")
    assert "A: the level is known for k-means and Ward, not for AgglomerativeClustering" in (
        sc.replicate([A, B], single, **QUICK).notes)


# -- thinning -------------------------------------------------------------------------------------
@pytest.mark.parametrize("case", of("thin"))
def test_the_law_of_the_first_table(case):
    given = case["input"]
    size = {} if given["size"] is None else {"size": given["size"]}
    first, second = sc.thin(np.full((20_000, 1), given["count"]), given["family"],
                            share=given["share"], rng=0, **size)
    law = np.bincount(first[:, 0], minlength=given["count"] + 1) / 20_000
    wanted = np.array(case["expected"]["law_of_first"])
    assert (np.abs(law - wanted) <= 5 * np.sqrt(wanted * (1 - wanted) / 20_000)).all()
    assert (first + second == given["count"]).all()


def test_thinned_tables_are_independent():
    rng = np.random.default_rng(0)
    n = 20_000
    covariance = np.array([[2.0, 0.5], [0.5, 1.0]])
    tables = {
        "poisson": (rng.poisson(3, (n, 2)), {}),
        "negative_binomial": (rng.negative_binomial(2, 0.4, (n, 2)), {"size": [2.0, 2.0]}),
        "gaussian": (rng.multivariate_normal([1, 2], covariance, n), {"variance": covariance})}
    for family, (x, options) in tables.items():
        first, second = sc.thin(x, family, share=0.3, rng=1, **options)
        np.testing.assert_allclose(first + second, x, atol=1e-12)
        assert first.mean() == pytest.approx(0.3 * x.mean(), rel=0.03)
        for j in range(2):
            assert abs(np.corrcoef(first[:, j], second[:, j])[0, 1]) < 0.03
    wrong = sc.thin(tables["negative_binomial"][0], "poisson", rng=1)   # more than Poisson varies
    assert np.corrcoef(wrong[0][:, 0], wrong[1][:, 0])[0, 1] > 0.2


def counted(seed, n=2000, d=40):
    rng = np.random.default_rng(seed)
    group = rng.integers(4, size=n)
    return rng.negative_binomial(2, 2 / (2 + rng.gamma(2, size=(4, d))[group])), group


def test_the_size_comes_from_the_moments_within_clusters(capsys):
    x, group = counted(0)
    means = [x[group == k].mean(axis=0) for k in range(4)]
    spread = [x[group == k].var(axis=0, ddof=1) for k in range(4)]
    sizes = np.bincount(group)
    r = 1 / (sum((m - 1) * (v - mean) for m, v, mean in zip(sizes, spread, means))
             / sum((m - 1) * (mean**2 - v / m) for m, v, mean in zip(sizes, spread, means)))
    assert np.median(r) == pytest.approx(2, rel=0.1)
    given = sc.thin(x, "negative_binomial", size=r, rng=0)
    capsys.readouterr()
    found = sc.thin(x, "negative_binomial", size="within", labels=group, rng=0)
    printed = float(capsys.readouterr().out.partition("features: ")[2].split()[0])
    # Equal to rounding in r, so equal but where a draw sits on an edge.
    assert (found[0] != given[0]).mean() < 1e-3
    correlations = []
    for j in range(x.shape[1]):
        first, second = (part[:, j] - np.array(
            [part[group == k, j].mean() for k in range(4)])[group] for part in found)
        correlations.append((first @ second) / np.sqrt((first @ first) * (second @ second)))
    assert printed == pytest.approx(np.mean(correlations), abs=6e-4)
    assert abs(printed) < 0.01
    wrong = x.mean(axis=0)**2 / (x.var(axis=0) - x.mean(axis=0))   # moments over all objects
    both = sc.thin(x, "negative_binomial", size=wrong, rng=0)
    rows = group == 0
    assert np.mean([np.corrcoef(both[0][rows, j], both[1][rows, j])[0, 1]
                    for j in range(x.shape[1])]) < -0.03


def test_sparse_counts_and_frames_stay_what_they_are(capsys):
    x, group = counted(1, 60, 3)
    sparse = csr_matrix(x.astype(np.float32))
    for options in ({}, {"family": "negative_binomial", "size": "within", "labels": group}):
        first, second = sc.thin(sparse, rng=0, **options)
        assert type(first) is type(second) is csr_matrix   # scanpy reads csr_array wrongly
        assert type(sc.thin(csr_array(sparse), rng=0, **options)[0]) is csr_array
        assert first.dtype == np.int64
        assert ((first + second) != sparse).nnz == 0
        assert 0.3 * x.sum() < first.sum() < 0.7 * x.sum()
    np.testing.assert_array_equal(sc.thin(sparse, rng=0)[0].toarray(), sc.thin(x, rng=0)[0])
    frame = pd.DataFrame(x, columns=["u", "v", "w"], index=[f"cell {i}" for i in range(60)])
    for part, plain in zip(sc.thin(frame, rng=0), sc.thin(x, rng=0)):
        pd.testing.assert_frame_equal(part, pd.DataFrame(plain, frame.index, frame.columns))
    polars = pytest.importorskip("polars")
    part = sc.thin(polars.DataFrame(x, schema=["u", "v", "w"]), rng=0)[1]
    assert (type(part), part.columns) == (polars.DataFrame, ["u", "v", "w"])


@pytest.mark.parametrize(("x", "options", "error", "message"), [
    ([[1.5]], {}, sc.ClusteringError, r"X\[0, 0\] is 1.5; whole numbers >= 0"),
    ([[-1]], {}, sc.ClusteringError, "whole numbers"),
    ([[np.nan]], {}, sc.ClusteringError, "finite"),
    ([1, 2], {}, sc.ClusteringError, "shape"), ([["a"]], {}, sc.ClusteringError, "not a table"),
    ([[1]], {"share": 1.0}, ValueError, "between 0 and 1"),
    ([[1]], {"size": 2}, ValueError, "belongs to family='negative_binomial'"),
    ([[1]], {"family": "negative_binomial"}, ValueError, "size is needed"),
    ([[1]], {"family": "negative_binomial", "size": "within"}, ValueError, "needs labels="),
    ([[1]], {"family": "negative_binomial", "size": 2, "labels": [0]}, ValueError, "belongs to"),
    (csr_matrix([[1.5]]), {}, sc.ClusteringError, "whole numbers"),
    (csr_matrix([[1]]), {"family": "gaussian", "variance": 1}, sc.ClusteringError, "no zeros"),
    ([[1]], {"family": "negative_binomial", "size": 0}, ValueError, "a number > 0"),
    ([[1, 1]], {"family": "gaussian", "variance": [[1, 2], [2, 1]]}, ValueError, "not positive"),
    ([[1, 1]], {"family": "gaussian", "variance": [[1, 2], [0, 1]]}, ValueError, "not symmetric"),
    ([[1]], {"family": "binomial"}, ValueError, "poisson"),
])
def test_wrong_thinning(x, options, error, message):
    with pytest.raises(error, match=message):
        sc.thin(x, **options)


def test_runs_on_thinned_tables():
    counts = np.random.default_rng(0).poisson(5, (60, 3))
    runs = sc.resampled_clusterings(counts, KMeans(2, n_init=2), scheme="thin", n_resamples=3,
                                    rng=0)
    assert (runs.n_runs, runs.n_objects) == (3, 60)
    with pytest.raises(ValueError, match="whole numbers"):
        sc.resampled_clusterings(counts + 0.5, KMeans(2), scheme="thin", n_resamples=2)
    with pytest.raises(ValueError, match="share belongs to scheme='thin'"):
        sc.resampled_clusterings(counts, KMeans(2), share=0.3, n_resamples=2)


# -- the command line -----------------------------------------------------------------------------
def test_the_command(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for name, x in (("a", A[::2]), ("b", B[::2])):
        pd.DataFrame(x, columns=["u", "v"]).to_csv(f"{name}.csv", index=False)
    monkeypatch.setattr("softclust.selection.replicate", partial(
        sc.replicate, n_resamples=20, n_splits=2, n_references=19))
    assert main(["replicate", "a.csv", "b.csv", "--json", "-", "--report", "r.html"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["n_clusters"] == 3
    assert data["pairs"][0]["replicated"] is True
    assert "<table" in Path("r.html").read_text()
    assert main(["replicate", "a.csv", "b.csv", "--clusters", "1"]) == 2
    assert main(["replicate", "a.csv", "b.csv", "--significance", "0.95"]) == 2
    assert main(["replicate", "a.csv", "b.csv", "--level", "95"]) == 2
    assert main(["replicate", "a.csv"]) == 2
    Path("t.csv").write_text("u,v\n1,x\n2,y\n")
    assert main(["replicate", "a.csv", "t.csv", "--clusters", "2"]) == 1
    assert "not numeric: 'v'" in capsys.readouterr().err


def test_an_interrupted_command_leaves_good_files(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for name, x in (("a", A), ("b", B)):
        pd.DataFrame(x, columns=["u", "v"]).to_csv(f"{name}.csv", index=False)
    for name in ("r.html", "r.json", "r.svg"):
        Path(name).write_text("good")

    def stop(done, total):
        raise KeyboardInterrupt

    def interrupted(*cohorts, progress, **options):
        return sc.replicate(*cohorts, progress=stop, **options)

    monkeypatch.setattr("softclust.selection.replicate", interrupted)
    files = ["--report", "r.html", "--json", "r.json", "--plot", "r.svg"]
    assert main(["replicate", "a.csv", "b.csv", "--clusters", "3", *files]) == 130
    assert "interrupted after 1 of 200 resamples" in capsys.readouterr().err
    assert all(Path(name).read_text() == "good" for name in ("r.html", "r.json", "r.svg"))
