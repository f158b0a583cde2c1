"""Bayesian bagged clustering: golden values, naive oracle, options, edges, messages."""

import json
import warnings
from pathlib import Path

import numpy as np
import pytest
import scipy.stats
from naive.bagging import fit_replicate, nearest, votes_of
from scipy.optimize import linear_sum_assignment
from sklearn.base import clone
from sklearn.cluster import AgglomerativeClustering, KMeans
from sklearn.datasets import load_iris
from sklearn.mixture import GaussianMixture
from strategies import JIT_OFF
from together import SOME_OR_ALL

import softclust as sc
from softclust.ensembles.schemes import draw_one
from softclust.running.random_numbers import Streams

BBC = json.loads((Path(__file__).parent / "golden" / "bbc.json").read_text(encoding="utf-8"))
GOLDEN = {item["id"]: item for item in BBC["items"]}
DATA = {name: np.array(rows) for name, rows in BBC["data"].items()}
FIXED = [name for name in GOLDEN if name.startswith("fixed-")]
def renamed(options):
    """Stored options by their names of today."""
    return {"prior_weight" if name == "confidence" else name: value
            for name, value in (options or {}).items()}


many = pytest.mark.skipif(JIT_OFF, reason="thousands of k-means fits: minutes without JIT")


def small(rng, n=14, d=2, k=3):
    return rng.normal(size=(n, d)) + 2.5 * rng.normal(size=(k, d))[np.arange(n) % k]


# -- golden -------------------------------------------------------------------------------------
@pytest.mark.parametrize("key", GOLDEN["draws-12"]["expected"]["results"])
def test_ready_draws(key):
    item = GOLDEN["draws-12"]
    given, expected = item["input"], item["expected"]["results"][key]
    weighting, votes = key.split("/")
    draws = sc.BootstrapDraws(points=given["points"], source=given["source"],
                              weights=given["weights"])
    fit = sc.BayesianBaggedClustering(
        given["n_clusters"], prior_weight=given["confidence"], scale=given["scale"], init="warm",
        weighted=weighting == "weighted", votes=votes)
    fit.fit(given["X"], base=(given["base_labels"], given["base_centers"]), draws=draws)
    np.testing.assert_array_equal(fit.votes_, expected["votes"])
    assert fit.mean_entropy_ == pytest.approx(expected["S_bar"], abs=1e-9)
    assert fit.pairwise_entropy_.maximum == pytest.approx(expected["S_lm_bar"], abs=1e-9)
    assert list(fit.pairwise_entropy_.pair) == expected["pair"]
    np.testing.assert_allclose(fit.prior_.weights, item["expected"]["prior_weights"], atol=1e-9)
    np.testing.assert_allclose(fit.prior_.covariances, item["expected"]["prior_covariances"],
                               atol=1e-9)


@many
@pytest.mark.parametrize("name", [
    pytest.param(name, marks=[pytest.mark.slow] * (name in ("fixed-1-2", "fixed-1-4")))
    for name in FIXED])
def test_mean_entropies_on_fixed_data(name):
    item = GOLDEN[name]
    given = item["input"]
    fits = [sc.BayesianBaggedClustering(given["n_clusters"], n_resamples=500, random_state=seed,
                                        **renamed(given["options"])).fit(DATA[given["data"]])
            for seed in range(5)]
    got = {"mean_entropy": np.mean([fit.mean_entropy_ for fit in fits]),
           "max_pair_mean": np.mean([fit.pairwise_entropy_.maximum for fit in fits])}
    for what, value in item["expected"].items():
        assert got[what] == pytest.approx(value, abs=item["tolerance"][what])


@many
@pytest.mark.parametrize("number", [1, *(pytest.param(k, marks=pytest.mark.slow) for k in (2, 3))])
@SOME_OR_ALL
def test_choice_of_k_over_fresh_data(number, whole):
    """The quick run takes 8 of the 20 data sets, and asks for the same share of hits."""
    item = GOLDEN[f"choose-{number}"]["expected"]
    hits = np.zeros(2, dtype=int)
    count = 20 if whole else 8
    for seed in range(count):
        x = sc.datasets.bbc_gaussians(number, rng=seed).data
        fits = [sc.BayesianBaggedClustering(k, random_state=seed).fit(x) for k in range(2, 7)]
        hits += [np.argmin([fit.mean_entropy_ for fit in fits]) == 1,
                 np.argmin([fit.pairwise_entropy_.maximum for fit in fits]) == 1]
    assert hits[0] >= item["mean_entropy_hits_at_least"] * count / 20
    assert hits[1] >= item["max_pair_mean_hits_at_least"] * count / 20


def iris_table(labels):
    table = np.zeros((3, 3), dtype=int)
    np.add.at(table, (load_iris().target, labels), 1)
    return table[:, linear_sum_assignment(-table)[1]]


@many
@pytest.mark.parametrize(("scale", "confidence"),
                         GOLDEN["iris-bbc"]["input"]["scale_confidence"])
def test_iris(scale, confidence):
    for seed in range(2):
        fit = sc.BayesianBaggedClustering(3, scale=scale, prior_weight=confidence, n_resamples=300,
                                          random_state=seed).fit(load_iris().data)
        table = iris_table(fit.labels_)
        assert 16 - 1 <= 150 - np.trace(table) <= 17 + 1
        if seed == 0:
            np.testing.assert_array_equal(iris_table(fit.base_labels_),
                                          GOLDEN["iris-kmeans"]["expected"]["table"])


@many
@pytest.mark.parametrize("init", ["k-means++", "warm"])
def test_two_species_merge_with_cold_starts_only(init):
    low, high = GOLDEN["iris-bbc-100"]["expected"][init]
    x, species = load_iris(return_X_y=True)
    fit = sc.BayesianBaggedClustering(3, scale=100, prior_weight=0.1, n_resamples=300, init=init,
                                      random_state=0).fit(x)
    assert low <= np.bincount(fit.labels_[species > 0]).max() <= high


@many
def test_mean_number_of_selections():
    item = GOLDEN["selections"]
    for w, expected in zip(item["input"]["confidence"], item["expected"]["mean"]):
        means = [sc.BayesianBaggedClustering(2, prior_weight=w, n_init=1, random_state=seed)
                 .fit(DATA["ds1"]).n_selected_.mean() for seed in range(3)]
        assert np.mean(means) == pytest.approx(expected, rel=0.03)


def test_a_cluster_of_one_object_is_a_point_of_the_prior():
    x = np.array([[0, 0], [0.1, 0], [0, 0.1], [0.1, 0.1], [9, 9]])
    model = sc.BayesianBaggedClustering(2, prior_weight=0.9, n_resamples=50, n_init=2,
                                        random_state=0)
    with pytest.warns(sc.ResamplingWarning, match="1 object"):
        fit = model.fit(x, base=[0, 0, 0, 0, 1])
    draws = fit.resamples(x)
    prior = draws.points[draws.source < 0]
    far = ((prior - 9) ** 2).sum(axis=1) < (prior**2).sum(axis=1)
    assert (prior[far] == 9).all()
    assert far.mean() == pytest.approx(0.2, abs=0.1)


# -- oracle -------------------------------------------------------------------------------------
def seeds_of(model, b):
    """The numbers that child b draws after its sample: seeding, and the tie of the overlap."""
    rng = Streams(model.random_state).generator(b)
    draw_one(model._scheme_, rng)
    numbers = rng.random(model.n_init * model.n_clusters + 1)
    return numbers[:-1].reshape(model.n_init, model.n_clusters), numbers[-1]


@pytest.mark.parametrize("votes", ["draws", "once", "all"])
@pytest.mark.parametrize("weighted", [True, False])
@pytest.mark.parametrize("init", ["k-means++", "warm"])
def test_votes_against_the_oracle(votes, weighted, init):
    rng = np.random.default_rng(5)
    x = small(rng)
    model = sc.BayesianBaggedClustering(3, n_resamples=12, n_init=2, init=init, votes=votes,
                                        weighted=weighted, never_selected="base", random_state=9)
    fit = model.fit(x)
    draws = fit.resamples(x)
    expected = np.zeros_like(fit.votes_)
    ties = 0
    for b in range(12):
        seeds, uniform = seeds_of(fit, b)
        source = draws.source[b].tolist()
        labels, centers = fit_replicate(
            x.tolist(), draws.points[b].tolist(), source, draws.weights[b].tolist(),
            weighted=weighted, seeds=seeds,
            starts=fit.base_centers_.tolist() if init == "warm" else None)
        if votes == "all":
            labels = [nearest(point, centers) for point in x]
        pairs, tied = votes_of(labels, source, fit.base_labels_, 3, uniform, votes,
                               "once" if votes != "draws" else "draws")
        ties += tied
        for i, k in pairs:
            expected[i, k] += 1
    np.testing.assert_array_equal(fit.votes_, expected)
    assert fit.n_overlap_ties_ == ties
    np.testing.assert_array_equal(fit.n_selected_, expected.sum(axis=1))


def test_replayed_draws_are_the_same_fit():
    x = small(np.random.default_rng(1), n=20)
    fit = sc.BayesianBaggedClustering(3, n_resamples=15, n_init=2, random_state=3).fit(x)
    again = sc.BayesianBaggedClustering(3, n_init=2, random_state=3).fit(x, draws=fit.resamples(x))
    np.testing.assert_array_equal(again.votes_, fit.votes_)
    np.testing.assert_array_equal(again.cluster_centers_, fit.cluster_centers_)
    with pytest.raises(sc.ClusteringError, match="what you gave"):
        again.resamples(x)


def test_permuted_base_labels_permute_the_columns():
    x = small(np.random.default_rng(2), n=90)
    model = sc.BayesianBaggedClustering(
        3, n_resamples=20, n_init=3, random_state=4, never_selected="base",
        prior=scipy.stats.multivariate_normal(np.zeros(2)))   # one that knows no order
    fit = clone(model).fit(x)
    turned = np.array([2, 0, 1])
    again = model.fit(x, base=(turned[fit.base_labels_], fit.base_centers_[[1, 2, 0]]))
    assert fit.n_overlap_ties_ == 0, "ties are chosen by the order of the clusters"
    np.testing.assert_array_equal(again.votes_[:, turned], fit.votes_)


# -- options ------------------------------------------------------------------------------------
@pytest.mark.parametrize("prior", [
    scipy.stats.multivariate_normal([0, 0], [[4, 1], [1, 2]]),
    lambda size, rng: rng.uniform(-3, 3, (size, 2)),
    sc.GaussianMixturePrior([1.0], [[0.0, 0.0]], [np.eye(2)])])
def test_any_prior(prior):
    x = small(np.random.default_rng(3), n=20)
    fit = sc.BayesianBaggedClustering(2, prior=prior, n_resamples=10, n_init=1,
                                      never_selected="base", random_state=0).fit(x)
    draws = fit.resamples(x)
    assert (draws.source < 0).any()
    again = sc.BayesianBaggedClustering(2, prior=prior, n_init=1, never_selected="base",
                                        random_state=0).fit(x, draws=draws)
    np.testing.assert_array_equal(fit.votes_, again.votes_)


@pytest.mark.parametrize("options", [
    {"init": "random"}, {"base_init": "random", "base_n_init": 1}, {"covariance": "pooled"},
    {"covariance": "diagonal", "ddof": 0}, {"covariance": "ridge"}, {"prior_draws": "fixed"},
    {"sample_size": 7}, {"sample_size": 60}, {"prior_weight": 0.0}, {"ties": "random"},
    {"matching": "truematch"}, {"matching": "truematch_heuristic"}])
def test_options_give_memberships(options):
    x = small(np.random.default_rng(4), n=20)
    fit = sc.BayesianBaggedClustering(**{
        "n_clusters": 3, "n_resamples": 20, "n_init": 2, "never_selected": "base",
        "random_state": 0, **options}).fit(x)
    np.testing.assert_allclose(fit.membership_.sum(axis=1), 1, rtol=1e-14)
    assert fit.labels_.shape == (20,)
    assert fit.clustering_.n_clusters == 3
    expected = fit.n_resamples_ * (1 - fit.prior_weight) * (fit.sample_size or 20)
    # drawn objects are binomial: five standard deviations
    assert abs(fit.n_selected_.sum() - expected) <= 5 * np.sqrt(expected) + 1
    if options.get("prior_draws") == "fixed":
        assert fit.n_selected_.sum() == 20 * 10
    new = fit.predict_proba(x)
    np.testing.assert_allclose(new.sum(axis=1), 1, rtol=1e-14)
    np.testing.assert_array_equal(fit.predict(x), new.argmax(axis=1))


@pytest.mark.parametrize(("clusterer", "weighted"), [
    (KMeans(n_init=1, tol=1e-3), True), (GaussianMixture(), False),
    (AgglomerativeClustering(), False)])
def test_any_clusterer_gets_the_number_of_clusters(clusterer, weighted):
    x = small(np.random.default_rng(5), n=30)
    fit = sc.BayesianBaggedClustering(3, estimator=clusterer, weighted=weighted, n_resamples=4,
                                      never_selected="base", random_state=0).fit(x)
    assert fit.votes_.shape == (30, 3)
    assert fit.n_resamples_ == 4


def test_a_clusterer_without_weights_is_told_apart():
    with pytest.raises(sc.ClusteringError, match="weighted=False"):
        sc.BayesianBaggedClustering(2, estimator=AgglomerativeClustering()).fit(np.eye(5))


def test_two_clusters_have_one_entropy():
    fit = sc.BayesianBaggedClustering(2, n_resamples=40, n_init=2, random_state=0).fit(
        small(np.random.default_rng(6), n=30))
    assert fit.mean_entropy_ == pytest.approx(fit.pairwise_entropy_.maximum, abs=1e-12)
    np.testing.assert_allclose(fit.entropy_, sc.membership_entropy(fit.clustering_,
                                                                   average=False), atol=1e-14)


@pytest.mark.parametrize("matching", ["trace", "truematch"])
def test_an_object_drawn_with_weight_zero_votes(matching):
    """Weights may underflow when draws are many; the object was drawn all the same."""
    x = np.array([[0.0], [1.0], [10.0], [11.0]])
    draws = sc.BootstrapDraws(points=[[[0.0], [1.0], [10.0], [11.0]]], source=[[0, 1, 2, 3]],
                              weights=[[0.5, 0.0, 0.25, 0.25]])
    fit = sc.BayesianBaggedClustering(2, matching=matching, random_state=0).fit(
        x, base=[0, 0, 1, 1], draws=draws)
    np.testing.assert_array_equal(fit.votes_, [[1, 0], [1, 0], [0, 1], [0, 1]])
    assert fit.cluster_centers_[0, 0, 0] == 0.0


# -- edges --------------------------------------------------------------------------------------
def test_objects_never_selected():
    x = small(np.random.default_rng(7), n=12)
    model = sc.BayesianBaggedClustering(2, prior_weight=0.95, n_resamples=5, n_init=1,
                                        random_state=1)
    with pytest.warns(sc.ResamplingWarning, match="never selected"):
        fit = model.fit(x)
    never = fit.n_selected_ == 0
    assert never.any()
    assert np.isnan(fit.membership_[never]).all()
    assert np.isnan(fit.entropy_[never]).all()
    np.testing.assert_array_equal(fit.labels_[never], fit.base_labels_[never])
    assert np.isfinite(fit.mean_entropy_)
    with pytest.raises(sc.ClusteringError, match="never_selected='base'"):
        _ = fit.clustering_
    filled = sc.BayesianBaggedClustering(**{**model.get_params(), "never_selected": "base"}).fit(x)
    np.testing.assert_array_equal(filled.membership_[never].argmax(axis=1),
                                  filled.base_labels_[never])
    assert filled.clustering_.n_objects == 12


@pytest.mark.parametrize(("x", "k"), [
    (np.arange(4.0)[:, None], 4), (np.repeat(np.arange(3.0), 5)[:, None], 3),
    (np.random.default_rng(0).normal(size=(6, 9)), 2)])
def test_few_and_equal_objects(x, k):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sc.ResamplingWarning)   # clusters of one object
        fit = sc.BayesianBaggedClustering(k, n_resamples=30, n_init=2, never_selected="base",
                                          prior_weight=0.3, random_state=0).fit(x)
    np.testing.assert_allclose(fit.membership_.sum(axis=1), 1)


def test_many_clusters_are_matched_beyond_the_counted_ones():
    """13 clusters: equal optima are not counted, and the matching is as good."""
    x = np.arange(26)[:, None] // 2 * 10.0 + np.arange(26)[:, None] % 2
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sc.ResamplingWarning)
        fit = sc.BayesianBaggedClustering(13, prior_weight=0.0, n_resamples=6, init="warm",
                                          never_selected="base", random_state=0).fit(
                                              x, base=np.arange(26) // 2)
    drawn = fit.n_selected_ > 0
    assert (fit.votes_.argmax(axis=1) == np.arange(26) // 2)[drawn].mean() > 0.8


@pytest.mark.parametrize(("options", "x", "message"), [
    ({"prior_weight": 1.0}, None, "prior_weight is 1.0"),
    ({"prior_weight": -0.1}, None, "prior_weight"),
    ({"prior_weight": 1.5}, None, "prior_weight"), ({"scale": -1}, None, "scale is -1"),
    ({"scale": float("nan")}, None, "scale is nan"), ({"n_resamples": 0}, None, "n_resamples"),
    ({"n_clusters": 9}, None, "distinct"), ({"votes": "twice"}, None, "votes"),
    ({"covariance": "round"}, None, "covariance"), ({"ddof": 2}, None, "ddof"),
    ({"init": "cold"}, None, "init"), ({}, np.array([[0.0], [np.nan]]), "NaN"),
    ({}, np.arange(5.0), "1D")])
def test_bad_input(options, x, message):
    with pytest.raises(ValueError, match=message):
        sc.BayesianBaggedClustering(**{"n_clusters": 2, **options}).fit(
            np.arange(8.0)[:, None] if x is None else x)


@pytest.mark.parametrize(("draws", "message"), [
    (sc.BootstrapDraws(points=[[[0.0]]], source=[[3]], weights=[[1.0]]), "differ from the rows"),
    (sc.BootstrapDraws(points=[[[0.0]]], source=[[30]], weights=[[1.0]]), "sources up to 30"),
    (sc.BootstrapDraws(points=[[[0.0, 1.0]]], source=[[0]], weights=[[1.0]]), "2 features")])
def test_draws_of_other_data(draws, message):
    with pytest.raises(sc.ClusteringError, match=message):
        sc.BayesianBaggedClustering(2).fit(np.arange(8.0)[:, None], draws=draws)


@pytest.mark.parametrize(("base", "message"), [
    ([0, 1], "one whole number"), ([0, 1, 2, 0, 0, 0, 0, 0], "n_clusters=2"),
    ([0] * 8, "has no object"), (([0, 1] * 4, [[0.0]]), "centers have shape")])
def test_bad_base(base, message):
    with pytest.raises(sc.ClusteringError, match=message):
        sc.BayesianBaggedClustering(2).fit(np.arange(8.0)[:, None], base=base)
