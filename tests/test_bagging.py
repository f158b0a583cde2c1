"""BagClust1: golden votes, clue's stored bagging, oracle, schemes, any clusterer, continuation."""

import json
import os
import pickle
import signal
import threading
from itertools import permutations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from naive.bagging import fit_replicate, matchings, nearest, votes_of
from sklearn.base import BaseEstimator, ClusterMixin, clone
from sklearn.cluster import DBSCAN, AgglomerativeClustering, KMeans
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.estimator_checks import check_estimator
from strategies import JIT_OFF
from together import SPARSE_CHECKS

import softclust as sc
from softclust.ensembles.resampled_kmeans import match_tables
from softclust.ensembles.schemes import draw_one
from softclust.running.random_numbers import Streams

FOLDER = Path(__file__).parent / "golden"
GOLDEN = {item["id"]: item for item in json.loads(
    (FOLDER / "bbc.json").read_text(encoding="utf-8"))["items"]}
CLUE = json.loads((FOLDER / "r" / "clue_misc.json").read_text(encoding="utf-8"))["bagging"]


def blobs(seed=0, n=24, d=2, k=3):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)) + 2.5 * rng.normal(size=(k, d))[np.arange(n) % k]


# -- golden -------------------------------------------------------------------------------------
class Recorded(ClusterMixin, BaseEstimator):
    """Gives recorded labels, one set after the other."""

    waiting: list = []   # noqa: RUF012  (shared on purpose: bagging fits copies)

    def fit(self, X, y=None):
        self.labels_ = np.array(self.waiting.pop(0))
        return self


@pytest.mark.parametrize("votes", ["once", "draws"])
def test_bagclust1_votes(votes):
    item = GOLDEN["bagclust1-10"]
    given, expected = item["input"], item["expected"]
    Recorded.waiting[:] = [given["base_labels"], *given["labels"]]
    with pytest.warns(sc.ResamplingWarning, match="1 of 10 objects"):
        fit = sc.BaggedClustering(estimator=Recorded(), votes=votes).fit(
            np.arange(10.0)[:, None], indices=given["indices"])
    np.testing.assert_array_equal(fit.votes_, expected[f"votes_{votes}"])
    never = fit.n_selected_ == 0
    assert np.isnan(fit.membership_[never]).all()
    assert fit.labels_[never] == np.array(given["base_labels"])[never]
    if votes == "once":
        np.testing.assert_array_equal(fit.labels_, expected["labels"])


@pytest.mark.parametrize("name", CLUE)
def test_bagging_of_clue(name):
    case = CLUE[name]
    x, start = np.array(case["x"]), np.array(case["start"])
    if case["algorithm"] == "cmeans":
        clusterer = sc.cluster.FuzzyCMeans(case["k"], m=case["fuzzifier"], init=start, tol=1e-12,
                                           max_iter=5000)
    else:
        clusterer = KMeans(case["k"], init=start, n_init=1, max_iter=100, tol=0,
                           algorithm="lloyd")
    fit = sc.BaggedClustering(estimator=clusterer, votes="all").fit(
        x, indices=np.array(case["indices"]) - 1)
    # spec: cmeans of e1071 stops by a relative tolerance, compare at 1e-6
    np.testing.assert_allclose(fit.membership_, case["bagged"],
                               atol=1e-6 if case["algorithm"] == "cmeans" else 1e-12)
    if case["algorithm"] != "cmeans":
        own = sc.BaggedClustering(n_clusters=case["k"], init="warm", votes="all").fit(
            x, base=(fit.base_labels_, start), indices=np.array(case["indices"]) - 1)
        np.testing.assert_allclose(own.membership_, case["bagged"], atol=1e-12)


# -- oracle -------------------------------------------------------------------------------------
@pytest.mark.parametrize("votes", ["once", "draws", "all"])
@pytest.mark.parametrize("scheme", ["bootstrap", "bayesian", "subsample"])
def test_votes_against_the_oracle(votes, scheme):
    x = blobs(n=15)
    fit = sc.BaggedClustering(n_clusters=3, n_resamples=10, n_init=2, votes=votes, scheme=scheme,
                              never_selected="base", random_state=3).fit(x)
    draws = fit.resamples(x)
    expected = np.zeros_like(fit.votes_)
    for b in range(10):
        rng = Streams(3).generator(b)
        draw_one(fit._scheme_, rng)
        numbers = rng.random(7)
        source = draws.source[b].tolist()
        labels, centers = fit_replicate(
            x.tolist(), draws.points[b].tolist(), source, draws.weights[b].tolist(),
            weighted=scheme == "bayesian", seeds=numbers[:6].reshape(2, 3))
        if votes == "all":
            labels = [nearest(point, centers) for point in x]
        for i, k in votes_of(labels, source, fit.base_labels_, 3, numbers[6], votes, "draws")[0]:
            expected[i, k] += 1
    np.testing.assert_array_equal(fit.votes_, expected)


@pytest.mark.parametrize("clusterer", [None, KMeans(3, n_init=1, tol=1e-3)])
def test_the_overlap_counts_draws_where_votes_count_once(clusterer):
    """Few objects without groups: both overlaps often name the clusters differently."""
    x = np.random.default_rng(1).normal(size=(7, 2))
    model = sc.BaggedClustering(estimator=clusterer, n_clusters=3, n_resamples=40, n_init=1,
                                keep_estimators=clusterer is not None, random_state=7)
    fit = model.fit(x)
    draws = fit.resamples(x)
    expected = {"draws": np.zeros_like(fit.votes_), "once": np.zeros_like(fit.votes_)}
    for b in range(40):
        rng = Streams(7).generator(b)
        rng.integers(0, 7, 7)
        if clusterer is not None:
            rng.integers(2**31)   # its seed
        numbers = rng.random(4 if clusterer is None else 1)
        source = draws.source[b].tolist()
        if clusterer is None:
            labels, _ = fit_replicate(x.tolist(), draws.points[b].tolist(), source, [1.0] * 7,
                                      weighted=False, seeds=[numbers[:3]])
        else:
            labels = fit.estimators_[b].labels_.tolist()
        for overlap, votes in expected.items():
            for i, k in votes_of(labels, source, fit.base_labels_, 3, numbers[-1], "once",
                                 overlap)[0]:
                votes[i, k] += 1
    np.testing.assert_array_equal(fit.votes_, expected["draws"])
    assert (expected["draws"] != expected["once"]).any(), "this case tells nothing"


@pytest.mark.parametrize("k", [2, 3, 5])
def test_equal_matchings_are_chosen_uniformly(k):
    """Against the list of all optima, at every boundary of the uniform number."""
    rng = np.random.default_rng(k)
    for _ in range(30):
        table = rng.integers(0, 3, (k, k))
        optimal = matchings(table.tolist())
        for uniform in {0.0, 0.5, *(j / len(optimal) for j in range(len(optimal)))}:
            names, tied = match_tables(table[None], 0, np.array([[uniform]]))
            assert tied == (len(optimal) > 1)
            chosen = optimal[int(uniform * len(optimal))]
            assert names[0].tolist() == [chosen.index(j) for j in range(k)]


def test_ready_indices_and_weights():
    x = blobs()
    indices = sc.bootstrap_indices(24, 12, rng=5)
    drawn = sc.BaggedClustering(n_clusters=3, n_resamples=12, random_state=5).fit(x)
    given = sc.BaggedClustering(n_clusters=3, random_state=5).fit(x, indices=indices)
    np.testing.assert_array_equal(drawn.votes_, given.votes_)
    weights = sc.bayesian_bootstrap_weights(24, 12, rng=5)
    drawn = sc.BaggedClustering(n_clusters=3, n_resamples=12, scheme="bayesian",
                                random_state=5).fit(x)
    given = sc.BaggedClustering(n_clusters=3, scheme="bayesian", random_state=5).fit(
        x, weights=weights)
    np.testing.assert_array_equal(drawn.votes_, given.votes_)
    again = sc.BaggedClustering(n_clusters=3, scheme="bayesian", random_state=5).fit(
        x, draws=drawn.resamples(x))
    np.testing.assert_array_equal(drawn.votes_, again.votes_)


def test_parameters_of_kmeans_are_used_as_given():
    x = np.random.default_rng(0).normal(size=(60, 2))
    fits = [sc.BaggedClustering(5, n_resamples=20, random_state=0, **options).fit(x).votes_
            for options in ({"n_init": 1}, {"estimator": KMeans(5, n_init=1)},
                            {"estimator": KMeans(n_init=1), "n_init": 7})]
    np.testing.assert_array_equal(fits[0], fits[1])
    np.testing.assert_array_equal(fits[0], fits[2])
    few = sc.BaggedClustering(estimator=KMeans(5, n_init=1, max_iter=1), random_state=0)
    with pytest.warns(ConvergenceWarning, match="max_iter=1"):
        few.fit(x)
    for estimator in (KMeans(3), AgglomerativeClustering(3)):
        with pytest.raises(sc.ClusteringError, match="n_clusters is 4 and the estimator's "
                           "n_clusters is 3"):
            sc.BaggedClustering(4, estimator=estimator).fit(x)


# -- any clusterer ------------------------------------------------------------------------------
def test_leftover_clusters_get_columns_of_their_own():
    Recorded.waiting[:] = [[0, 0, 1, 1], [0, 1, 2, 2], [0, 0, 0, 0]]
    indices = np.array([[0, 1, 2, 3]] * 2)
    fit = sc.BaggedClustering(estimator=Recorded()).fit(np.arange(4.0)[:, None], indices=indices)
    assert fit.votes_.shape == (4, 3)
    np.testing.assert_array_equal(fit.votes_.sum(axis=1), [2, 2, 2, 2])
    assert fit.votes_[2, 1] >= 1
    assert fit.n_overlap_ties_ == 2


class Moody(ClusterMixin, BaseEstimator):
    """Fails now and then, by its random state."""

    def __init__(self, share=0.3, random_state=None):
        self.share = share
        self.random_state = random_state

    def fit(self, X, y=None):
        if X.shape[0] and np.random.default_rng(self.random_state).random() < self.share:
            raise RuntimeError("not today")
        self.labels_ = (X[:, 0] > np.median(X[:, 0])).astype(int)
        return self


def test_failed_replicates_are_named_and_the_others_count():
    x = blobs()
    base = (x[:, 0] > 0).astype(int)
    with pytest.warns(sc.FailedReplicatesWarning, match="of 30 replicates failed"):
        fit = sc.BaggedClustering(estimator=Moody(), n_resamples=30, random_state=2).fit(
            x, base=base)
    assert 0 < len(fit.failures_) < 30
    assert fit.n_resamples_ == 30 - len(fit.failures_)
    assert fit.failures_[0].reason == "RuntimeError: not today"
    assert fit.n_selected_.max() <= fit.n_resamples_
    model = sc.BaggedClustering(estimator=Moody(share=1.1), n_resamples=5, random_state=2)
    with pytest.raises(sc.ClusteringError, match=r"all 5 replicates failed.*not today"):
        model.fit(x, base=base)
    assert not hasattr(model, "votes_")


def test_noise_is_no_cluster():
    with pytest.raises(sc.ClusteringError, match="-1 marks noise"):
        sc.BaggedClustering(estimator=DBSCAN(eps=0.01)).fit(blobs())


def test_what_a_clusterer_cannot_do_is_said_in_fit():
    x = blobs()
    with pytest.raises(sc.ClusteringError, match="no predict"):
        sc.BaggedClustering(estimator=AgglomerativeClustering(), votes="all").fit(x)
    with pytest.raises(sc.ClusteringError, match="sample_weight"):
        sc.BaggedClustering(estimator=AgglomerativeClustering(), scheme="bayesian").fit(x)
    with pytest.raises(TypeError, match="without fit"):
        sc.BaggedClustering(estimator="k-means").fit(x)


def test_prediction_by_kept_fits():
    x = blobs()
    model = sc.BaggedClustering(estimator=KMeans(3, n_init=1, tol=1e-3), n_resamples=6,
                                random_state=0)
    fit = model.fit(x)
    with pytest.raises(sc.ClusteringError, match="keep_estimators=True"):
        fit.predict(x)
    with pytest.raises(AttributeError, match="k-means"):
        _ = fit.cluster_centers_
    fit = model.set_params(keep_estimators=True).fit(x)
    assert len(fit.estimators_) == 6
    shares = fit.predict_proba(x)
    expected = np.zeros((24, 3))
    for one, (_, codes, cluster) in zip(fit.estimators_, fit._kept_):
        expected[np.arange(24), cluster[np.searchsorted(codes, one.predict(x))]] += 1 / 6
    np.testing.assert_allclose(shares, expected)
    soft = sc.BaggedClustering(estimator=sc.cluster.FuzzyCMeans(3, n_init=1), n_resamples=3,
                               votes="all", keep_estimators=True, random_state=0).fit(x)
    # every object votes in every replicate, so old objects as new ones get their memberships
    np.testing.assert_allclose(soft.predict_proba(x), soft.membership_, atol=1e-12)


def test_prediction_by_nearest_aligned_centres():
    x = blobs()
    fit = sc.BaggedClustering(n_clusters=3, n_resamples=20, random_state=0).fit(x)
    expected = np.zeros((24, 3))
    for centers in fit.cluster_centers_:
        for i, point in enumerate(x):
            expected[i, nearest(point, centers)] += 1 / 20
    np.testing.assert_allclose(fit.predict_proba(x), expected, atol=1e-14)
    assert fit.assign(x).kind == "fuzzy"


# -- adding replicates --------------------------------------------------------------------------
@pytest.mark.parametrize("clusterer", [None, KMeans(3, n_init=1, tol=1e-3)])
def test_replicates_added_are_as_in_one_go(clusterer):
    x = blobs()
    model = sc.BaggedClustering(estimator=clusterer, n_clusters=3, n_resamples=16, random_state=8)
    whole = model.fit(x)
    votes, membership = whole.votes_.copy(), whole.membership_.copy()
    model = clone(model).set_params(n_resamples=6).fit(x)
    model.set_params(warm_start=True, n_resamples=16).fit(x)
    np.testing.assert_array_equal(model.votes_, votes)
    np.testing.assert_array_equal(model.membership_, membership)
    if clusterer is None:
        np.testing.assert_array_equal(model.cluster_centers_, whole.cluster_centers_)


def test_a_continuation_must_be_one():
    x = blobs()
    fit = sc.BaggedClustering(n_clusters=3, n_resamples=6, warm_start=True, random_state=8).fit(x)
    with pytest.raises(sc.ClusteringError, match="6 replicates are fitted"):
        fit.set_params(n_resamples=3).fit(x)
    fit.set_params(n_resamples=9)
    with pytest.raises(sc.ClusteringError, match="not the data"):
        fit.fit(x + 1)
    with pytest.raises(sc.ClusteringError, match="leave base out"):
        fit.fit(x, base=fit.base_labels_)
    with pytest.raises(sc.ClusteringError, match="n_clusters was 3"):
        fit.set_params(n_clusters=2).fit(x)
    assert fit.set_params(n_clusters=3).fit(x).n_resamples_ == 9


class Sleepy(ClusterMixin, BaseEstimator):
    """Takes its time."""

    def fit(self, X, y=None):
        threading.Event().wait(0.05)
        self.labels_ = (X[:, 0] > 0).astype(int)
        return self


@pytest.mark.parametrize("clusterer", [Sleepy(), None])
def test_an_interrupted_fit_keeps_what_is_finished_and_goes_on(clusterer):
    x = blobs(n=40)
    base = np.arange(40) % 2
    # Seconds of work on any machine after the first of them are finished.
    total = 2000 if clusterer is not None else 2_000_000 if not JIT_OFF else 3000
    begun = threading.Event()

    def interrupt():
        begun.wait()
        os.kill(os.getpid(), signal.SIGINT)

    model = sc.BaggedClustering(estimator=clusterer, n_clusters=2, n_init=1, n_resamples=total,
                                warm_start=True, random_state=1, never_selected="base",
                                progress=lambda done, total: begun.set())
    threading.Thread(target=interrupt, daemon=True).start()
    with pytest.raises(KeyboardInterrupt, match=f"of {total} replicates, which are kept: .*with "
                       "warm_start=True, fit adds the others") as stop:
        model.fit(x, base=base)
    done = model.n_resamples_
    assert f"interrupted after {done} of" in str(stop.value)
    assert 0 < done < total
    assert model.n_selected_.sum() > 0
    model.set_params(n_resamples=done + 6).fit(x)
    whole = clone(model).set_params(warm_start=False).fit(x, base=base)
    np.testing.assert_array_equal(model.votes_, whole.votes_)


# -- bits, copies, scikit-learn -----------------------------------------------------------------
@pytest.mark.parametrize("n", [24, 600])
def test_threads_do_not_matter(n):
    x = blobs(n=n)
    results = []
    for threads in (1, 3):
        sc.set_num_threads(threads)
        try:
            results.append(sc.BaggedClustering(n_clusters=3, n_init=2, random_state=1,
                                               n_resamples=200 if not JIT_OFF else 8).fit(x))
        finally:
            sc.set_num_threads(None)
    np.testing.assert_array_equal(results[0].votes_, results[1].votes_)
    np.testing.assert_array_equal(results[0].cluster_centers_, results[1].cluster_centers_)


def test_replicates_cut_short_warn():
    with pytest.warns(ConvergenceWarning, match="max_iter=1"):
        sc.BaggedClustering(n_clusters=3, n_init=1, max_iter=1, n_resamples=20,
                            random_state=0).fit(blobs(n=60))


def test_ties_of_votes_go_to_the_base_label_or_to_chance():
    Recorded.waiting[:] = [[0, 0, 1, 1], [0, 0, 0, 1], [0, 1, 1, 1]]
    indices = np.array([[0, 1, 2, 3]] * 2)
    fit = sc.BaggedClustering(estimator=Recorded()).fit(np.arange(4.0)[:, None], indices=indices)
    np.testing.assert_array_equal(fit.votes_, [[2, 0], [1, 1], [1, 1], [0, 2]])
    assert fit.labels_.tolist() == [0, 0, 1, 1]
    seen = set()
    for seed in range(20):
        Recorded.waiting[:] = [[0, 0, 1, 1], [0, 0, 0, 1], [0, 1, 1, 1]]
        fit = sc.BaggedClustering(estimator=Recorded(), ties="random", random_state=seed)
        seen.add(tuple(fit.fit(np.arange(4.0)[:, None], indices=indices).labels_.tolist()))
    assert seen == {(0, a, b, 1) for a in (0, 1) for b in (0, 1)}


def test_clone_pickle_and_frames():
    frame = pd.DataFrame(blobs(), columns=["a", "b"])
    from concurrent.futures import ThreadPoolExecutor
    with ThreadPoolExecutor(1) as pool:
        fit = sc.BaggedClustering(n_clusters=3, n_resamples=9, random_state=1,
                                  executor=pool).fit(frame)
        assert clone(fit).executor is pool
        back = pickle.loads(pickle.dumps(fit))
    assert back.executor is None
    assert back.clustering_ == fit.clustering_
    np.testing.assert_array_equal(back.predict(frame), fit.predict(frame))
    assert fit.feature_names_in_.tolist() == ["a", "b"]
    assert sc.as_clustering(fit).kind == "fuzzy"


@pytest.mark.slow
@pytest.mark.skipif(JIT_OFF, reason="scikit-learn's checks fit hundreds of times: minutes "
                    "without JIT, and nothing in them depends on it")
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("model", [
    sc.BaggedClustering(n_clusters=3, n_resamples=20, n_init=1),
    sc.BayesianBaggedClustering(3, n_resamples=20, n_init=1),
    sc.BaggedClustering(estimator=KMeans(n_init=1), n_resamples=3, keep_estimators=True)])
def test_check_estimator(model):
    check_estimator(model, on_skip=None, expected_failed_checks=SPARSE_CHECKS)


def test_two_ready_kinds_are_one_too_many():
    with pytest.raises(sc.ClusteringError, match="indices and weights are given"):
        sc.BaggedClustering().fit(blobs(), indices=[[0]], weights=[[1.0]])


def test_every_matching_rule_serves_a_clusterer():
    x = blobs(n=40)
    tables = {}
    for matching in ("trace", "truematch", "truematch_heuristic"):
        fit = sc.BaggedClustering(estimator=KMeans(3, n_init=2), matching=matching, n_resamples=8,
                                  random_state=0).fit(x)
        tables[matching] = fit.membership_
        assert fit.votes_.shape == (40, 3)
    # separated groups: every rule finds the same names, up to nothing
    best = min(np.abs(tables["trace"] - tables["truematch"][:, list(p)]).max()
               for p in permutations(range(3)))
    assert best < 0.5
