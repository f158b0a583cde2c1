"""Choosing the number of clusters: stored values, agreement with its parts, odd input."""

import dataclasses
import json
import warnings
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.cluster import DBSCAN, AgglomerativeClustering, KMeans
from strategies import JIT_OFF

import softclust as sc
from softclust.selection import cells, numbers
from softclust.selection.criteria import CRITERIA

GOLDEN = Path(__file__).parent / "golden" / "bbc.json"
#: without JIT each k-means start takes milliseconds: few objects and replicates then
SETTINGS = {"n_resamples": 24 if JIT_OFF else 40, "rng": 0}
thousands_of_fits = pytest.mark.skipif(JIT_OFF, reason="thousands of k-means fits; the same code "
                                       "runs on fewer in the other tests")


@cache
def golden():
    return json.loads(GOLDEN.read_text())


def item(name):
    return next(i for i in golden()["items"] if i["id"] == name)


def stored(name):
    return np.array(golden()["data"][name])


@cache
def data():
    return sc.datasets.bbc_gaussians(1, rng=1).data[::5 if JIT_OFF else 1]


@cache
def on_two_scales(most):
    """The entropies of 2 to `most` clusters, fitted once."""
    return sc.cluster_number(data(), range(2, most + 1), scale=[1.0, 3.0], **SETTINGS)


# -- stored values ------------------------------------------------------------------------------


def test_silhouettes_of_stored_data():
    expected = {int(k): v for k, v in item("silhouette-1")["expected"].items()}
    found = sc.cluster_number(stored("ds1"), sorted(expected), criterion="silhouette", rng=3)
    # printed digits
    assert found.criterion[:, 0] == pytest.approx([expected[k] for k in sorted(expected)], abs=1e-4)


@pytest.mark.slow
@thousands_of_fits
@pytest.mark.parametrize("number", [1, 2, 3])
def test_choice_over_fresh_data_sets(number):
    """Counts out of 20 as stored."""
    wanted = item(f"choose-{number}")["expected"]
    hits = {"entropy": 0, "pairwise_entropy": 0}
    for seed in range(20):
        x = sc.datasets.bbc_gaussians(number, rng=100 + seed).data
        # a race leaves the pairwise entropies of what it gives up too low
        found = sc.cluster_number(x, race=False, rng=seed)
        hits["entropy"] += found.best == 3
        hits["pairwise_entropy"] += int(
            found.n_clusters[found.pairwise_entropy[:, 0].argmin()]) == 3
    assert hits["entropy"] >= wanted["mean_entropy_hits_at_least"]
    assert hits["pairwise_entropy"] >= wanted["max_pair_mean_hits_at_least"]


# -- agreement with its parts -------------------------------------------------------------------


def test_cells_are_fits_of_the_estimator():
    """The blocks of replicates that the jackknife needs change no bit of the fit."""
    seeds = np.random.default_rng(0).integers(0, 2**63 - 1, size=3).tolist()
    found = on_two_scales(3)
    for j, k in enumerate((2, 3)):
        for s, scale in enumerate((1.0, 3.0)):
            fit = sc.BayesianBaggedClustering(k, scale=scale, n_resamples=SETTINGS["n_resamples"],
                                              random_state=seeds[j] % 2**32).fit(data())
            assert found.entropy[j, s] == fit.mean_entropy_
            assert found.pairwise_entropy[j, s] == fit.pairwise_entropy_.maximum
            assert tuple(found.pair[j, s]) == fit.pairwise_entropy_.pair
    assert (found.criterion == found.entropy).all()
    # two clusters have one pair, so both entropies are the same number
    assert found.entropy[0] == pytest.approx(found.pairwise_entropy[0], abs=1e-12)


@thousands_of_fits
def test_jackknife_by_hand():
    estimator = sc.BayesianBaggedClustering(3, n_resamples=20, random_state=4)
    votes = [v.astype(float) for v in cells.votes_after(estimator, data(), cells.marks_of(20))]
    assert len(votes) == 20
    assert (votes[-1] == estimator.votes_).all()
    left_out = []
    for b in range(20):
        rest = votes[-1] - (votes[b] - (votes[b - 1] if b else 0))
        rest = rest[rest.sum(axis=1) > 0]
        u = rest / rest.sum(axis=1, keepdims=True)
        left_out.append(sc.membership_entropy(u, log_base=2))
    expected = np.sqrt(19 / 20 * ((left_out - np.mean(left_out)) ** 2).sum())
    found = cells.EntropyCell(criterion="entropy", estimator=sc.BayesianBaggedClustering(
        3, n_resamples=20, random_state=4))(data())
    assert found.mc_error == pytest.approx(expected, rel=1e-12)


@thousands_of_fits
class RandomLabels(ClusterMixin, BaseEstimator):
    """A clusterer without a clue: equal numbers of objects, at random."""

    def __init__(self, n_clusters=2, random_state=None):
        self.n_clusters, self.random_state = n_clusters, random_state

    def fit(self, X, y=None):
        self.rng_ = np.random.default_rng(self.random_state)
        self.labels_ = self.predict(X)
        return self

    def predict(self, X):
        return self.rng_.permutation(np.arange(len(X)) % self.n_clusters)


def test_cic_of_one_cluster():
    """Table 7: "single 100" is 0, above the -.936 of two clusters at random."""
    random = sc.MultipleMatchClustering(estimator=RandomLabels(), n_resamples=400, tol=None)
    found = sc.cluster_number(np.arange(100.0)[:, None], [1, 2, 3], criterion="cic",
                              estimator=random, rng=0)
    assert (found.best, found.edge) == (1, "")
    assert found.criterion[0, 0] == 0 == sc.cluster_information_criterion([0] * 100).criterion
    assert found.criterion[1, 0] == pytest.approx(-0.936, abs=0.04)
    clear = sc.cluster_number(data(), [1, 2, 3], criterion="cic", n_resamples=60, rng=1)
    assert clear.best == 3
    alone = sc.cluster_number(data(), 1, criterion="cic")
    assert (alone.best, alone.criterion.item()) == (1, 0)


def test_pairwise_criterion_and_cic_and_other_clusterers():
    pairs = sc.cluster_number(data(), [2, 3], criterion="pairwise_entropy", **SETTINGS)
    assert (pairs.criterion == pairs.pairwise_entropy).all()
    cic = sc.cluster_number(data(), [2, 3], criterion="cic", n_resamples=60, rng=1)
    assert cic.best == 3
    assert np.isnan(cic.mc_error).all()
    bagged = sc.cluster_number(data(), [2, 3], rng=1,
                               estimator=sc.BaggedClustering(n_clusters=2, n_resamples=40))
    assert bagged.best == 3
    from sklearn.mixture import GaussianMixture

    class Labelled(GaussianMixture):
        def fit(self, X, y=None):
            super().fit(X)
            self.labels_ = self.predict(X)
            return self

    found = sc.cluster_number(data(), [2, 3], criterion="silhouette", estimator=Labelled(), rng=0)
    assert found.best == 3


def test_a_choice_at_the_edge_of_the_range_is_said():
    x = sc.datasets.bbc_gaussians(1, rng=1).data   # a fifth of it has no best at 3
    high = sc.cluster_number(x, [2, 3], criterion="silhouette", rng=0)
    assert (high.best, high.edge) == (3, "largest")
    assert "3 is the largest number tried: try larger ones." in str(high)
    low = sc.cluster_number(x, [3, 4, 5], criterion="silhouette", rng=0)
    assert (low.best, low.edge) == (3, "smallest")
    assert "3 is the smallest number tried: try smaller ones." in str(low)
    inside = sc.cluster_number(x, [2, 3, 4], criterion="silhouette", rng=0)
    assert (inside.best, inside.edge) == (3, "")
    assert "number tried" not in str(inside)
    assert sc.cluster_number(x, 3, criterion="silhouette", rng=0).edge == ""


# -- workers, failures, interruption --------------------------------------------------------------


def test_executor_changes_no_bit():
    serial = on_two_scales(3)
    with ThreadPoolExecutor(2) as executor:
        parallel = sc.cluster_number(data(), [2, 3], scale=[1, 3], executor=executor, **SETTINGS)
    for name in ("criterion", "mc_error", "entropy", "pair"):
        assert (getattr(serial, name) == getattr(parallel, name)).all()


def test_a_failing_cell_is_named_and_the_others_kept(monkeypatch):
    true_call = cells.EntropyCell.__call__

    def call(self, x):
        if self.estimator.n_clusters == 3:
            raise RuntimeError("no luck")
        return true_call(self, x)

    monkeypatch.setattr(cells.EntropyCell, "__call__", call)
    with pytest.warns(sc.IncompleteWarning, match="K = 3, scale 1: RuntimeError: no luck"):
        found = sc.cluster_number(data(), [2, 3, 4], **SETTINGS)
    assert np.isnan(found.criterion[1, 0])
    assert np.isfinite(found.criterion[[0, 2], 0]).all()
    assert found.best in (2, 4)
    assert "no luck" in str(found)


def test_interrupt_keeps_finished_cells(monkeypatch):
    true_call = cells.EntropyCell.__call__

    def call(self, x):
        if self.estimator.n_clusters == 4:
            raise KeyboardInterrupt
        return true_call(self, x)

    monkeypatch.setattr(cells.EntropyCell, "__call__", call)
    with pytest.warns(sc.IncompleteWarning, match="interrupted after 2 of 4 fits; .* evaluate the "
                      "rest in a call of its own") as said:
        found = sc.cluster_number(data(), [2, 3, 4, 5], **SETTINGS)
    assert said[0].filename == __file__
    assert found.best is None
    assert (found.best_by_scale == -1).all()
    assert found.missing == (4, 5)
    assert not found.complete
    assert np.isfinite(found.criterion[:2]).all()
    assert np.isnan(found.criterion[2:]).all()
    assert "interrupted before 4, 5" in repr(found)
    assert "best=None" in repr(found)
    assert "Interrupted before K = 4, 5: no number is chosen" in str(found)
    assert "*" not in str(found)
    assert "Interrupted before K = 4, 5" in str(found.taxonomy())
    assert not found.to_frame()["best"].any()
    monkeypatch.setattr(cells.EntropyCell, "__call__",
                        lambda self, x: (_ for _ in ()).throw(KeyboardInterrupt()))
    with pytest.raises(KeyboardInterrupt):
        sc.cluster_number(data(), [2, 3], **SETTINGS)


def test_every_fit_failing_is_an_error(monkeypatch):
    def call(self, x):
        raise RuntimeError("no luck")

    monkeypatch.setattr(cells.LabelsCell, "__call__", call)
    with pytest.raises(sc.ClusteringError, match="every fit failed: K = 2: RuntimeError: no luck"):
        sc.cluster_number(data(), [2, 3], criterion="silhouette", rng=0)


@pytest.mark.parametrize(("given", "message"), [
    ({"criterion": "aic"}, "choose one of 'silhouette'"),
    ({"n_clusters": []}, "distinct numbers >= 1"),
    ({"n_clusters": [2, 2]}, "distinct numbers >= 1"),
    ({"n_clusters": [0, 2]}, "distinct numbers >= 1"),
    ({"n_clusters": ["a"]}, "whole numbers are needed"),
    ({"n_clusters": [1, 2]}, "entropy 0 whatever the data"),
    ({"n_clusters": [1], "criterion": "pac"}, "always comes back"),
    ({"n_clusters": [1], "criterion": "silhouette"}, "undefined"),
    ({"n_clusters": [2, 100]}, "K = 100 clusters of (99|20) distinct objects .* at most (99|20)"),
    ({"scale": [1, 1]}, "distinct numbers > 0"),
    ({"scale": -1}, "distinct numbers > 0"),
    ({"scale": 2, "criterion": "gap"}, "scale belongs to the entropies"),
    ({"rule": "1se"}, "rule belongs to criterion='gap'"),
    ({"criterion": "gap", "rule": "least"}, "choose one of 'max', '1se'"),
    ({"criterion": "gap", "power": 3}, "power is 3"),
    ({"criterion": "gap", "reference": "ball"}, "choose one of 'pca', 'box'"),
    ({"criterion": "gap", "n_references": 1}, "at least 2"),
    ({"criterion": "gap", "reference_sets": np.zeros((2, 3, 2))}, "is needed"),
    ({"reference_sets": np.zeros((2, 99, 2))}, "belongs to criterion='gap'"),
    ({"criterion": "gap", "estimator": sc.BaggedClustering()}, "leave estimator out"),
    ({"estimator": sc.BaggedClustering(), "n_resamples": 10}, "set it in your estimator"),
    ({"estimator": sc.BaggedClustering(), "scale": 3}, "no parameter scale"),
])
def test_bad_options(given, message):
    with pytest.raises(ValueError, match=message):
        sc.cluster_number(data(), **given)


@pytest.mark.parametrize("x", [[], [1.0, 2.0], [[1.0, np.nan], [1, 2]], [["a", "b"], ["c", "d"]],
                               [[1.0, 2.0]]])
def test_what_is_no_table(x):
    with pytest.raises(sc.ClusteringError, match=r"X is not a table|X has [01] objects? "):
        sc.cluster_number(x)


def test_clusterer_without_a_number_of_clusters():
    from sklearn.cluster import DBSCAN
    with pytest.raises(ValueError, match="no parameter n_clusters"):
        sc.cluster_number(data(), criterion="silhouette", estimator=DBSCAN())


# -- record and charts ---------------------------------------------------------------------------


def test_record_reads_and_frames():
    found = on_two_scales(3)
    text = str(found)
    assert "Number of clusters by mean membership entropy" in text
    assert "blurred pair" in text
    assert "scale 3" in text
    one = str(sc.cluster_number(data(), [2, 3], **SETTINGS))
    assert "entropy  MC error" in one
    assert "Blurred pair: the two clusters" in one
    frame = found.to_frame()
    assert list(frame.n_clusters) == [2, 3, 2, 3]
    assert frame[frame.best].n_clusters.tolist() == found.best_by_scale.tolist()
    assert f"ClusterNumber(entropy, best={found.best}" in repr(found)


@pytest.fixture
def plt():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    yield plt
    plt.close("all")


def test_charts(plt):
    found = on_two_scales(4)
    ax = found.plot()
    rings = [line for line in ax.lines if line.get_gid() == "best"]
    assert [line.get_xdata().round().tolist() for line in rings] == [[k] for k in
                                                                    found.best_by_scale]
    ax = found.plot(kind="taxonomy")
    assert ax.lines[0].get_xdata() == pytest.approx(found.entropy[:, 0])
    assert {t.get_text() for t in ax.texts} >= {"clear", "many small doubts"}
    # Names of points that coincide on two scales stand on two sides.
    sides = {t.get_position() for t in ax.texts if t.get_text().split(" ")[0] == "3"}
    assert len(sides) == 2
    with pytest.raises(ValueError, match="choose one of 'curves', 'taxonomy'"):
        found.plot(kind="pie")
    silhouettes = sc.cluster_number(data(), [2, 3], criterion="silhouette", rng=0)
    with pytest.raises(ValueError, match="has no entropies"):
        silhouettes.plot(kind="taxonomy")


def test_simplex_places(plt):
    u = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [1 / 3, 1 / 3, 1 / 3]])
    ax = sc.plotting.plot_simplex(u)
    places = np.vstack([c.get_offsets() for c in ax.collections])
    assert np.hypot(*places.T).round(12).tolist().count(1.0) == 3
    assert np.abs(places).sum(axis=1).min() == pytest.approx(0, abs=1e-12)
    four = np.full((2, 4), 0.25)
    assert "projection" in sc.plotting.plot_simplex(four).get_title(loc="left")
    part = sc.plotting.plot_simplex([[0, 0, 0, 1.0], [.5, .5, 0, 0]], clusters=(0, 1, 2))
    assert "1 objects not in them" in part.get_title(loc="left")
    strip = sc.plotting.plot_simplex([[.2, .8], [1, 0]])
    assert sum(bar.get_height() for bar in strip.patches) == 2


@pytest.mark.parametrize(("given", "error", "message"), [
    (([0, 0, 0],), sc.ClusteringError, "one cluster has no simplex"),
    ((sc.RoughClustering.from_upper([[1, 1], [1, 0]]),), sc.ClusteringError, "is rough"),
])
def test_simplex_of_other_clusterings(plt, given, error, message):
    with pytest.raises(error, match=message):
        sc.plotting.plot_simplex(*given)


@pytest.mark.parametrize(("options", "message"), [
    ({"labels": [0]}, "labels has shape"), ({"sizes": [1, -1]}, "not negative"),
    ({"clusters": (0,)}, "two or three"), ({"clusters": (0, 7)}, "two or three")])
def test_simplex_options(plt, options, message):
    with pytest.raises(ValueError, match=message):
        sc.plotting.plot_simplex([[.2, .3, .5], [1, 0, 0]], **options)


@thousands_of_fits
def test_no_warning_of_blocks_reaches_the_user():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sc.cluster_number(data(), [3], n_resamples=60, rng=0)


# -- clusterers inside, options of other criteria, sets without dispersion ------------------------
@pytest.mark.parametrize("inner", [KMeans(7, n_init=1), AgglomerativeClustering(7)])
def test_a_clusterer_inside_bagging_gets_each_number(inner):
    x = data()[::3]
    found = sc.cluster_number(x, [2, 4], rng=0, estimator=sc.BaggedClustering(
        estimator=inner, n_resamples=6, never_selected="base"))
    for j, k in enumerate((2, 4)):
        cell = numbers._cell(CRITERIA["entropy"], sc.BaggedClustering(estimator=inner), k, 1.0, 0,
                             0.5, None)
        assert cell.estimator.estimator.n_clusters == k
        assert found.pair[j].max() < k
    assert inner.n_clusters == 7, "the given one is left alone"


def test_a_clusterer_inside_that_takes_no_number_is_refused():
    bagged = sc.BaggedClustering(estimator=DBSCAN(3.0), n_resamples=5)
    with pytest.raises(ValueError, match="DBSCAN has no parameter n_clusters"):
        sc.cluster_number(data(), [2, 3], estimator=bagged)


@pytest.mark.parametrize(("given", "error", "message"), [
    ({"n_resamples": 0}, sc.ClusteringError, "n_resamples is 0; a whole number >= 1"),
    ({"n_resamples": 2.5}, sc.ClusteringError, r"n_resamples is 2\.5"),
    ({"n_resamples": 0, "criterion": "cic"}, sc.ClusteringError, "n_resamples is 0"),
    ({"n_resamples": 9, "criterion": "silhouette"}, ValueError, "n_resamples belongs to .*'cic'"),
    ({"n_resamples": 9, "criterion": "gap"}, ValueError, "n_resamples belongs to"),
    ({"prior_weight": 2}, sc.ClusteringError, "^prior_weight is 2; a number in"),
    ({"prior_weight": 0.2, "criterion": "cic"}, ValueError, "prior_weight belongs to"),
    ({"prior_weight": 0.2, "estimator": KMeans()}, ValueError, "set it in your estimator"),
    ({"n_references": 5}, ValueError, "n_references belongs to criterion='gap'; 'entropy' does"),
    ({"power": 1}, ValueError, "power belongs to"),
    ({"reference": "box", "criterion": "cic"}, ValueError, "reference belongs to"),
    ({"scale": "a"}, ValueError, "scale is 'a'"), ({"executor": 3}, TypeError, "executor is 3")])
def test_options_that_would_not_be_heeded(given, error, message):
    with pytest.raises(error, match=message):
        sc.cluster_number(data(), [2, 3], **given)


@pytest.mark.parametrize(("sets", "message"), [
    (np.full((3, 6, 1), np.nan), "not finite"), (np.empty((0, 6, 1)), "B >= 2"),
    (np.zeros((1, 6, 1)), "B >= 2"), ("a", "cannot be read")])
def test_reference_sets_are_checked(sets, message):
    with pytest.raises(ValueError, match=message):
        sc.cluster_number(np.arange(6.0)[:, None], [2], criterion="gap", reference_sets=sets)


def test_no_gap_without_dispersion():
    """Rounding left 1e-31 of W, and 70 as the gap of four points that appear five times."""
    atoms = np.repeat(data()[:4], 5, axis=0)
    with pytest.warns(sc.IncompleteWarning, match="K = 4: .*W is 0"):
        found = sc.cluster_number(atoms, [2, 3, 4], criterion="gap", rule="1se", n_references=5,
                                  rng=0)
    assert np.isnan(found.criterion[2, 0])
    assert found.best == 3, "1se never takes a number without a value"
    with pytest.raises(sc.ClusteringError, match=r"every fit failed: K = 1: .*W is 0"):
        sc.cluster_number(np.ones((5, 2)), 1, criterion="gap", n_references=5)


def test_taxonomy_table():
    found = on_two_scales(4)
    table = found.taxonomy()
    cells_ = [table.headers, *table.rows]
    assert cells_[0] == ["scale", "clusters", "mean entropy", "pairwise entropy", "blurred pair"]
    rows = [(s, k) for s in range(2) for k in range(3)]
    for (s, k), row in zip(rows, cells_[1:], strict=True):
        assert [row[0], row[1]] == [f"{found.scale[s]:g}", str(found.n_clusters[k])]
        assert float(row[2].rstrip("*")) == pytest.approx(found.entropy[k, s], abs=5e-5)
        assert float(row[3].rstrip("*")) == pytest.approx(found.pairwise_entropy[k, s], abs=5e-5)
        assert row[2].endswith("*") == (k == np.argmin(found.entropy[:, s]))
        assert row[3].endswith("*") == (k == np.argmin(found.pairwise_entropy[:, s]))
        assert row[4] == ",".join(map(str, found.pair[k, s]))
    assert "many small doubts" in table.as_text()
    one = sc.cluster_number(data(), [2], criterion="silhouette", rng=0)
    with pytest.raises(ValueError, match="'silhouette' has no entropies"):
        one.taxonomy()


def test_cells_that_an_executor_gave_up_say_so():
    class Lazy(ThreadPoolExecutor):
        """Runs the first cell only."""

        def submit(self, fn, /, *args, **kwargs):
            future = super().submit(fn, *args, **kwargs) if not self.seen else Future()
            if self.seen:
                future.cancel()
            self.seen = True
            return future

    with Lazy(1) as executor:
        executor.seen = False
        with pytest.warns(sc.IncompleteWarning, match="K = 3: CancelledError: the executor did"):
            found = sc.cluster_number(data(), [2, 3], criterion="silhouette", rng=0,
                                      executor=executor)
    assert found.best == 2


def test_a_wrong_keyword_names_the_near_one():
    with pytest.raises(TypeError, match=r"cluster_number has no keyword 'random_state'.*'rng'"):
        sc.cluster_number([[0.0], [1.0], [2.0]], range(2, 3), random_state=0)


def test_numbers_that_the_errors_cannot_tell_apart_are_named():
    x = sc.datasets.bbc_gaussians(1, rng=1).data
    clear = sc.cluster_number(x, [2, 3, 4], n_resamples=100, rng=0)
    assert clear.near_best == []
    near = dataclasses.replace(
        clear, n_clusters=np.array([7, 8, 9]), best=9, best_by_scale=np.array([9]),
        criterion=np.array([[0.3], [0.1068], [0.0973]]),
        mc_error=np.array([[0.02], [0.0079], [0.0104]]))
    assert near.near_best == [8]
    assert "best=9 of 7, 8, 9, close: 8)" in repr(near)
    assert "(bits): 9, or 8" in str(near)
    assert "9 and 8 differ by less than 2 Monte Carlo errors" in " ".join(str(near).split())
    assert dataclasses.replace(near, rule="1se").near_best == []
