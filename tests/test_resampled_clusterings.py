"""Runs on parts of the data, prediction strength, and the number of clusters by stability."""

import warnings
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from itertools import pairwise

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from naive.stability import best_jaccard
from sklearn.cluster import DBSCAN, AgglomerativeClustering, KMeans

import softclust as sc
from softclust.ensembles.resampled_runs import Axes

RNG = np.random.default_rng(0)
CENTRES = np.array([[0.0, 0.0], [6.0, 0.0], [0.0, 6.0]])
TRUTH = np.repeat([0, 1, 2], 12)
X = CENTRES[TRUTH] + 0.4 * RNG.standard_normal((36, 2))


def nearest_centre(x):
    """A clusterer as a function: labels by the true centres."""
    return ((x[:, None] - CENTRES) ** 2).sum(axis=2).argmin(axis=1)


def far_is_noise(x):
    """Labels by the true centres, noise beyond a distance."""
    distance = np.sqrt(((x[:, None] - CENTRES) ** 2).sum(axis=2))
    return np.where(distance.min(axis=1) < 0.5, distance.argmin(axis=1), -1)


def all_noise(x):
    return np.full(len(x), -1)


def fails_when_first_is_absent(x):
    if not (x == X[0]).all(axis=1).any():
        raise ValueError("the first object is missing")
    return nearest_centre(x)


def halves(x, k):
    """Cuts the first feature into k intervals of equal size."""
    return np.minimum(np.argsort(np.argsort(x[:, 0])) * k // len(x), k - 1)


# -- who is drawn -----------------------------------------------------------------------------
def test_subsamples_are_those_of_subsample_indices():
    runs = sc.resampled_clusterings(X, nearest_centre, n_resamples=6, size=10, rng=3)
    drawn = sc.subsample_indices(36, 6, size=10, rng=3)
    for b in range(6):
        assert np.flatnonzero(runs.present[b]).tolist() == drawn[b].tolist()
        assert sc.adjusted_rand_index(runs[b], TRUTH[drawn[b]]) == 1.0
    assert runs.names == tuple("012345")


@pytest.mark.parametrize("duplicates", ["drop", "keep"])
def test_bootstrap_samples_are_those_of_bootstrap_indices(duplicates):
    sizes = []

    def clusterer(x):
        sizes.append(len(x))
        return nearest_centre(x)

    runs = sc.resampled_clusterings(X, clusterer, scheme="bootstrap", n_resamples=5, rng=4,
                                    duplicates=duplicates)
    drawn = sc.bootstrap_indices(36, 5, rng=4)
    for b in range(5):
        assert np.flatnonzero(runs.present[b]).tolist() == np.unique(drawn[b]).tolist()
    assert sizes == [36 if duplicates == "keep" else np.unique(row).size for row in drawn]


def test_the_label_of_the_first_copy_counts():
    indices = [[4, 2, 4, 7], [1, 1, 1, 0]]
    runs = sc.resampled_clusterings(X, lambda x: np.arange(len(x)), scheme="bootstrap",
                                    indices=indices, duplicates="keep")
    assert runs.labels[0, [2, 4, 7]].tolist() == [0, 1, 2]   # 1, 0, 3 by first appearance
    assert runs.n_clusters == (3, 2)
    plain = sc.resampled_clusterings(X, nearest_centre, indices=indices)
    assert plain.counts[[0, 1, 2, 4, 7]].tolist() == [1] * 5


def test_jitter_by_its_definition():
    moved = []

    def clusterer(x):
        moved.append(x)
        return nearest_centre(x)

    runs = sc.resampled_clusterings(X, clusterer, scheme="jitter", jitter=0.5, n_resamples=400,
                                    rng=0)
    assert runs.is_complete
    centred = X - X.mean(axis=0)
    _, vectors = np.linalg.eigh(centred.T @ centred)
    for j in range(2):
        scores = sorted(centred @ vectors[:, j])
        gaps = [b - a for a, b in pairwise(scores) if b > a]
        along = (np.array(moved) - X) @ vectors[:, j]
        assert along.std() == pytest.approx(np.quantile(gaps, 0.5), rel=0.03)
    tied = Axes.of(np.array([[0.0, 0.0], [0.0, 0.0], [3.0, 0.0]]), 0.05)
    assert tied.spread[0] == pytest.approx(3.0)   # gaps of 0 do not count
    assert tied.spread[1] == 0.0


def test_noise_replaces_some_objects_by_uniform_ones():
    seen = []

    def clusterer(x):
        seen.append(x)
        return nearest_centre(x)

    runs = sc.resampled_clusterings(X, clusterer, scheme="noise", replaced=(0.2, 3),
                                    n_resamples=200, rng=0)
    assert (1 - runs.present.mean()) == pytest.approx(0.2, abs=0.02)
    axes = Axes.of(X, None)
    for rows, present in zip(seen, runs.present):
        np.testing.assert_array_equal(rows[present], X[present])
        scores = (rows[~present] - X.mean(axis=0)) @ axes.axes.T / axes.spread
        assert (np.abs(scores) <= 3 + 1e-9).all()
    replaced = np.concatenate([(rows[~p] - X.mean(axis=0)) @ axes.axes.T / axes.spread
                               for rows, p in zip(seen, runs.present)])
    assert replaced.std() == pytest.approx(3 / np.sqrt(3), rel=0.05)


# -- labels -----------------------------------------------------------------------------------
@pytest.mark.parametrize("noise", ["cluster", "singletons", "drop"])
def test_what_noise_is(noise):
    runs = sc.resampled_clusterings(X, far_is_noise, n_resamples=5, noise=noise, rng=0)
    drawn = sc.subsample_indices(36, 5, rng=0)
    for b in range(5):
        labels = far_is_noise(X[drawn[b]])
        own = runs.labels[b, drawn[b]]
        outside = labels < 0
        assert outside.any()
        if noise == "drop":
            assert (own[outside] == -1).all()
        elif noise == "cluster":
            assert len(set(own[outside])) == 1
        else:
            assert len(set(own[outside])) == outside.sum()
        assert sc.adjusted_rand_index(own[~outside], labels[~outside]) == 1.0
        assert set(own[outside]) & set(own[~outside]) == set()


@pytest.mark.parametrize("estimator", [KMeans(3, n_init=3), AgglomerativeClustering(3),
                                       nearest_centre])
def test_everybody_gets_a_label(estimator):
    for scheme in ("subsample", "bootstrap", "noise"):
        runs = sc.resampled_clusterings(X, estimator, scheme=scheme, predict=True, n_resamples=4,
                                        rng=0)
        assert runs.is_complete
        assert all(sc.adjusted_rand_index(run, TRUTH) == 1.0 for run in runs)


def test_clusterers_of_scikit_learn_and_names():
    frame = pd.DataFrame(X, index=[f"o{i}" for i in range(36)])
    runs = sc.resampled_clusterings(frame, DBSCAN(eps=1.5, min_samples=3), n_resamples=12, rng=0)
    assert runs.object_names[:2] == ("o0", "o1")
    assert sc.consensus(runs, rng=0).clustering.object_names == runs.object_names
    words = sc.resampled_clusterings(X, lambda x: np.array(list("abc"))[nearest_centre(x)],
                                     n_resamples=2, rng=0)
    assert words.n_clusters == (3, 3)


# -- the same bits ----------------------------------------------------------------------------
def test_workers_and_more_runs_change_no_bits():
    estimator = KMeans(4, n_init=1)
    one = sc.resampled_clusterings(X, estimator, n_resamples=12, rng=7)
    with ThreadPoolExecutor(3) as pool:
        assert sc.resampled_clusterings(X, estimator, n_resamples=12, rng=7, executor=pool) == one
    assert sc.resampled_clusterings(X, estimator, n_resamples=5, rng=7) == one[:5]
    assert sc.resampled_clusterings(X, estimator, n_resamples=12, rng=8) != one


@pytest.mark.slow
def test_processes_change_no_bits():
    one = sc.resampled_clusterings(X, KMeans(4, n_init=1), n_resamples=6, rng=7)
    with ProcessPoolExecutor(2) as pool:
        found = sc.resampled_clusterings(X, KMeans(4, n_init=1), n_resamples=6, rng=7,
                                         executor=pool)
    assert found == one


def test_failures_are_left_out_and_said():
    with pytest.warns(sc.FailedReplicatesWarning, match="runs failed and are left out; run "):
        runs = sc.resampled_clusterings(X, fails_when_first_is_absent, n_resamples=20, rng=0)
    assert 0 < runs.n_runs < 20
    assert (runs.labels[:, 0] == 0).all()
    drawn = sc.subsample_indices(36, 20, rng=0)
    assert runs.names == tuple(str(b) for b in range(20) if 0 in drawn[b])
    with pytest.raises(sc.ClusteringError, match=r"all 3 runs failed; run 0: .*every object is"):
        sc.resampled_clusterings(X, all_noise, n_resamples=3, noise="drop", rng=0)


def test_an_interrupt_keeps_finished_runs():
    calls = []

    def clusterer(x):
        calls.append(1)
        if len(calls) == 4:
            raise KeyboardInterrupt
        return nearest_centre(x)

    with pytest.warns(sc.IncompleteWarning, match="after 3 of 10 runs; .* call it again"):
        runs = sc.resampled_clusterings(X, clusterer, n_resamples=10, rng=0)
    assert runs == sc.resampled_clusterings(X, nearest_centre, n_resamples=3, rng=0)
    calls[:] = [1, 1, 1]
    with pytest.raises(KeyboardInterrupt):
        sc.resampled_clusterings(X, clusterer, n_resamples=10, rng=0)


def test_progress_is_told():
    told = []
    sc.resampled_clusterings(X, nearest_centre, n_resamples=4, rng=0,
                             progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (4, 4)


@pytest.mark.parametrize(("options", "error", "message"), [
    ({"scheme": "no"}, ValueError, "scheme="), ({"size": 0}, sc.ClusteringError, "size is 0"),
    ({"n_resamples": 0}, ValueError, "n_resamples is 0"),
    ({"duplicates": "keep"}, ValueError, "duplicates belongs to scheme='bootstrap'"),
    ({"scheme": "jitter", "size": 0.4}, ValueError, "size belongs to scheme='subsample'"),
    ({"scheme": "jitter", "jitter": 0}, ValueError, "jitter is 0"),
    ({"scheme": "noise", "replaced": 3}, ValueError, "replaced is 3"),
    ({"scheme": "noise", "replaced": (1.0, 4)}, ValueError, "replaced is"),
    ({"noise": "raise"}, ValueError, "noise="), ({"indices": []}, sc.ClusteringError, "empty"),
    ({"indices": [[99]]}, sc.ClusteringError, "from 99 to 99; 0 to 35"),
    ({"indices": [[0.5]]}, sc.ClusteringError, "whole numbers"),
    ({"estimator": KMeans}, TypeError, "is the class KMeans"),
    ({"estimator": 3}, TypeError, "estimator is a int"),
    ({"estimator": lambda x: [0]}, sc.ClusteringError, r"labels of shape \(1,\)"),
    ({"estimator": lambda x: np.full(len(x), -5)}, sc.ClusteringError, "gave the label -5"),
    ({"executor": 3}, TypeError, "executor is 3"),
])
def test_errors(options, error, message):
    given = {"estimator": nearest_centre, "n_resamples": 2, **options}
    with pytest.raises(error, match=message):
        sc.resampled_clusterings(X, given.pop("estimator"), **given)


def test_no_table():
    with pytest.raises(sc.ClusteringError, match="not a table of finite numbers"):
        sc.resampled_clusterings([[np.nan], [1.0]], nearest_centre, scheme="jitter")


# -- prediction strength ----------------------------------------------------------------------
def naive_strength(test, labels, other, other_labels):
    """Share of the pairs of the worst cluster of `test` that the means of the others join."""
    means = {k: other[[v == k for v in other_labels]].mean(axis=0) for k in set(other_labels)}
    near = [min(means, key=lambda k: float(((row - means[k]) ** 2).sum())) for row in test]
    worst = []
    for k in set(labels):
        own = [i for i, v in enumerate(labels) if v == k]
        pairs = [(i, j) for i in own for j in own if i < j]
        if pairs:
            worst.append(sum(near[i] == near[j] for i, j in pairs) / len(pairs))
    return min(worst)


def test_prediction_strength_by_its_definition():
    from softclust.running.random_numbers import Streams
    found = sc.prediction_strength(X, halves, [2, 3, 4], n_splits=4, rng=5)
    for b in range(4):
        order = Streams(5, "rng").generator(b).permutation(36)
        one, other = X[np.sort(order[:18])], X[np.sort(order[18:])]
        for j, k in enumerate((2, 3, 4)):
            labels = [halves(part, k).tolist() for part in (one, other)]
            value = (naive_strength(one, labels[0], other, labels[1])
                     + naive_strength(other, labels[1], one, labels[0])) / 2
            assert found.values[j, b] == pytest.approx(value, abs=1e-15)
    np.testing.assert_allclose(found.mean, found.values.mean(axis=1))
    np.testing.assert_allclose(found.standard_error, found.values.std(axis=1, ddof=1) / 2)


def test_the_number_chosen():
    found = sc.prediction_strength(X, KMeans(n_init=3), n_splits=6, rng=0)
    assert found.best == 3
    assert "1.0000*" in str(found)
    assert sc.prediction_strength(X, KMeans(n_init=3), n_splits=6, rng=0).values.tolist() == (
        found.values.tolist())
    loose = np.random.default_rng(1).standard_normal((40, 2))
    none = sc.prediction_strength(loose, KMeans(n_init=3), [4, 5], n_splits=4, threshold=1.0, rng=0)
    assert none.best == 1
    assert "one cluster" in str(none)
    assert none.to_frame()["best"].sum() == 0
    one = sc.prediction_strength(X, KMeans(n_init=1), [1], n_splits=2, rng=0)
    assert one.values.tolist() == [[1.0, 1.0]]


def test_an_interrupt_keeps_finished_splits():
    calls = []

    def clusterer(x, k):
        calls.append(1)
        if len(calls) == 6:
            raise KeyboardInterrupt
        return halves(x, k)

    with pytest.warns(sc.IncompleteWarning, match="after 2 of 9 splits"):
        found = sc.prediction_strength(X, clusterer, [2], n_splits=9, rng=0)
    assert found.values.shape == (1, 2)
    assert "interrupted" in repr(found)
    assert "Interrupted" in str(found)


@pytest.mark.parametrize(("options", "error", "message"), [
    ({"n_splits": 0}, ValueError, "n_splits is 0"), ({"threshold": 0}, ValueError, "threshold"),
    ({"n_clusters": [30]}, sc.ClusteringError, "half of 36 objects has 18"),
    ({"estimator": DBSCAN()}, sc.ClusteringError, "DBSCAN has no number of clusters"),
])
def test_errors_of_prediction_strength(options, error, message):
    given = {"estimator": halves, **options}
    with pytest.raises(error, match=message):
        sc.prediction_strength(X, given.pop("estimator"), **given)


# -- criteria ---------------------------------------------------------------------------------
@pytest.mark.parametrize("criterion", ["pac", "instability", "jaccard"])
def test_numbers_of_clusters_by_stability(criterion):
    estimator = KMeans(n_init=2)
    found = sc.cluster_number(X, [2, 3, 4], criterion=criterion, estimator=estimator,
                              n_resamples=10, rng=0)
    assert found.best == 3
    seed = np.random.default_rng(0).integers(0, 2**63 - 1, size=4).tolist()[0]
    fit = KMeans(2, n_init=2, random_state=seed % 2**32)
    runs = sc.resampled_clusterings(X, fit, n_resamples=10, rng=seed)
    if criterion == "pac":
        value = sc.coassociation(runs).pac()
        assert "no null value" in str(found)
    elif criterion == "instability":
        value = sc.label_instability(runs).normalized
    else:
        reference = fit.fit(X).labels_.tolist()
        rows = [[None if v < 0 else v for v in row] for row in runs.labels.tolist()]
        value = np.mean([min(float(best_jaccard(reference, row, k)) for k in (0, 1))
                         for row in rows])
        assert found.mc_error[0, 0] > 0
    assert found.criterion[0, 0] == pytest.approx(value, abs=1e-12)


def test_options_of_the_criteria():
    with pytest.raises(sc.ClusteringError, match="one cluster always comes back"):
        sc.cluster_number(X, [1, 2], criterion="pac")
    with pytest.raises(ValueError, match="n_starts belongs to criterion='gap'"):
        sc.cluster_number(X, [2], criterion="pac", n_starts=3)
    default = sc.cluster_number(X, [3], criterion="pac", n_resamples=3, rng=0)
    assert default.criterion[0, 0] == 0.0


def test_an_interrupt_within_a_criterion_ends_the_search():
    calls = []

    class Stops(KMeans):
        def fit(self, x, y=None, sample_weight=None):
            calls.append(1)
            if len(calls) == 8:
                raise KeyboardInterrupt
            return super().fit(x)

    with pytest.warns(sc.IncompleteWarning, match="after 1 of 2 fits"):
        found = sc.cluster_number(X, [2, 3], criterion="pac", estimator=Stops(n_init=1),
                                  n_resamples=5, rng=0)
    assert found.missing == (3,)
    assert found.best is None


def test_chart_of_prediction_strength():
    mpl.use("Agg")
    import matplotlib.pyplot as plt
    found = sc.prediction_strength(X, halves, [2, 3], n_splits=3, rng=0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ax = found.plot()
    assert [line.get_ydata()[0] for line in ax.lines if line.get_gid() == "threshold"] == [0.8]
    assert ax.get_title(loc="left").startswith(f"best: K = {found.best}")
    plt.close("all")
