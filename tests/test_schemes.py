"""Bootstrap schemes: laws, golden values, priors, files, messages."""

import json
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
import scipy.stats
from strategies import JIT_OFF

import softclust as sc
from softclust.running.random_numbers import Streams

GOLDEN = {item["id"]: item for item in json.loads(
    (Path(__file__).parent / "golden" / "bbc.json").read_text(encoding="utf-8"))["items"]}
SAMPLERS = [name for name in GOLDEN if name.startswith("sampler-")]
LINE = (((37 * np.arange(50)) % 50) / 10 - 2.5)[:, None]
#: without JIT fewer replicates: the same code, and bits are compared elsewhere
MANY = 40_000 if not JIT_OFF else 400


def test_indices_follow_efron():
    draws = sc.bootstrap_indices(7, 6000, rng=3)
    assert draws.shape == (6000, 7)
    assert draws.dtype == np.int64
    counts = np.bincount(draws.ravel(), minlength=7)
    # 42,000 uniform draws: a p-value below 1e-6 would be a fault
    assert scipy.stats.chisquare(counts).pvalue > 1e-6


def test_subsamples_are_sets_all_equally_likely():
    draws = sc.subsample_indices(5, 10_000, size=2, rng=4)
    assert (np.diff(draws, axis=1) > 0).all()
    counts = np.unique(draws @ [5, 1], return_counts=True)[1]
    assert counts.size == 10
    assert scipy.stats.chisquare(counts).pvalue > 1e-6
    assert sc.subsample_indices(9, 1, size=0.5, rng=0).shape == (1, 4)
    assert sc.subsample_indices(4, 1, size=1.0, rng=0).tolist() == [[0, 1, 2, 3]]


def test_weights_are_dirichlet():
    weights = sc.bayesian_bootstrap_weights(4, MANY // 4, rng=5)
    np.testing.assert_allclose(weights.sum(axis=1), 1, rtol=1e-14)
    # one weight of Dirichlet(1, 1, 1, 1) is Beta(1, 3)
    assert scipy.stats.kstest(weights[:, 2], scipy.stats.beta(1, 3).cdf).pvalue > 1e-6


@pytest.mark.skipif(JIT_OFF, reason="two million draws: slow without JIT, bits are compared")
def test_variance_of_the_mean_under_efron_and_rubin():
    item = GOLDEN["scheme-variances"]["expected"]
    efron = LINE[sc.bootstrap_indices(50, MANY, rng=1), 0].mean(axis=1)
    rubin = (sc.bayesian_bootstrap_weights(50, MANY, rng=1) * LINE[:, 0]).sum(axis=1)
    assert efron.var() == pytest.approx(item["efron"], rel=0.03)
    assert rubin.var() == pytest.approx(item["rubin"], rel=0.03)


@pytest.mark.skipif(JIT_OFF, reason="two million draws: slow without JIT, bits are compared")
@pytest.mark.parametrize(("name", "prior"), [
    pytest.param(name, prior, marks=pytest.mark.slow if prior == "scipy" else ())
    for name, prior in zip(SAMPLERS, ["mixture", "scipy", "function"], strict=True)])
def test_proper_bayesian_bootstrap(name, prior):
    item = GOLDEN[name]
    given = item["input"]
    chosen = {"mixture": sc.GaussianMixturePrior([1.0], [[0.5]], [[[4.0]]]),
              "scipy": scipy.stats.norm(0.5, 2),
              "function": lambda size, rng: rng.normal(0.5, 2, (size, 1))}[prior]
    draws = sc.proper_bayesian_bootstrap(
        LINE, prior=chosen, prior_weight=given["confidence"], sample_size=given["m"],
        n_resamples=MANY, rng=11)
    total = (draws.weights * draws.points[:, :, 0]).sum(axis=1)
    expected, tolerance = item["expected"], item["tolerance"]
    assert total.mean() == pytest.approx(expected["mean"], abs=tolerance["mean"])
    assert total.var() == pytest.approx(expected["variance"], rel=0.03)
    assert (draws.source < 0).mean() == pytest.approx(
        expected["mean_share_of_prior_draws"], abs=tolerance["mean_share_of_prior_draws"])


@pytest.mark.parametrize("m", [1, 20, 2000])
def test_gamma_shapes_of_few_and_many_draws(m):
    """(n + k)/m far from 1 takes the general gamma sampler, below 1 its boost."""
    count = 3000 if m < 100 and not JIT_OFF else 60
    draws = sc.proper_bayesian_bootstrap(LINE, prior=scipy.stats.norm(), prior_weight=0.2,
                                         sample_size=m, n_resamples=count, rng=2)
    a = 50 / 0.8 / m
    np.testing.assert_allclose(draws.weights.sum(axis=1), 1, rtol=1e-12)
    if m > 1 and count > 1000:
        law = scipy.stats.beta(a, a * (m - 1))
        assert scipy.stats.kstest(draws.weights[:, 0], law.cdf).pvalue > 1e-6


@pytest.mark.parametrize(("w", "m"), [(0.0, 50), (0.5, 50), (0.7, 20)])
def test_shape_of_the_weights(w, m):
    """a = (n + k)/m with k = w n/(1 - w): the second moment of a Dirichlet weight."""
    draws = sc.proper_bayesian_bootstrap(LINE, prior=scipy.stats.norm(), prior_weight=w,
                                         sample_size=m, n_resamples=400, rng=3)
    a = (50 + w * 50 / (1 - w)) / m
    # at least 8000 weights: the error of their mean square is about 2 %
    assert (draws.weights**2).mean() == pytest.approx((a + 1) / (m * (m * a + 1)), rel=0.07)


def test_fixed_prior_draws_have_their_number_at_any_place():
    draws = sc.proper_bayesian_bootstrap(LINE, prior=scipy.stats.norm(), prior_weight=0.3,
                                         sample_size=10, n_resamples=2000 if not JIT_OFF else 300,
                                         prior_draws="fixed", rng=1)
    prior = draws.source < 0
    assert (prior.sum(axis=1) == 3).all()
    assert scipy.stats.chisquare(prior.sum(axis=0)).pvalue > 1e-6
    assert (np.bincount(draws.source[~prior], minlength=50) > 0).all()


def test_replicates_do_not_depend_on_how_many_there_are():
    prior = sc.GaussianMixturePrior([0.4, 0.6], np.zeros((2, 2)), np.array([np.eye(2)] * 2))
    x = np.random.default_rng(0).normal(size=(9, 2))
    few, many = (sc.proper_bayesian_bootstrap(x, prior=prior, prior_weight=0.5, n_resamples=b,
                                              rng=4) for b in (3, 8))
    for name in ("points", "source", "weights"):
        np.testing.assert_array_equal(getattr(few, name), getattr(many, name)[:3])


# -- files and ready draws ----------------------------------------------------------------------
def some_draws():
    return sc.proper_bayesian_bootstrap(
        np.random.default_rng(0).normal(size=(6, 3)) * 1e-7, prior=scipy.stats.multivariate_normal(
            np.zeros(3)), prior_weight=0.5, n_resamples=4, sample_size=5, rng=8)


def test_a_file_gives_back_the_same_bits(tmp_path):
    draws = some_draws()
    draws.save(tmp_path / "draws.csv")
    back = sc.BootstrapDraws.load(tmp_path / "draws.csv")
    for name in ("points", "source", "weights"):
        np.testing.assert_array_equal(getattr(draws, name), getattr(back, name))
    frame = draws.to_frame()
    assert list(frame)[:4] == ["replicate", "draw", "source", "weight"]
    assert frame.shape == (20, 7)


@pytest.mark.r
@pytest.mark.skipif(shutil.which("Rscript") is None, reason="R is not installed")
def test_r_reads_the_file(tmp_path):
    draws = some_draws()
    draws.save(tmp_path / "draws.csv")
    code = (f'd <- read.csv("{tmp_path / "draws.csv"}"); '
            'cat(nrow(d), sum(d$source < 0), sprintf("%.15g", sum(d$weight * d$x2)))')
    shown = subprocess.run(["Rscript", "--vanilla", "-e", code], capture_output=True, text=True,
                           check=True, timeout=60).stdout.split()
    assert shown[:2] == ["20", str((draws.source < 0).sum())]
    # R's own reading of decimals may differ in the last bit
    assert float(shown[2]) == pytest.approx((draws.weights * draws.points[:, :, 1]).sum(),
                                            rel=1e-12)


@pytest.mark.parametrize(("change", "message"), [
    (lambda text: text.replace("replicate,", "group,", 1), "columns"),
    (lambda text: "\n".join(text.splitlines()[:-1]) + "\n", "same number"),
    (lambda text: "\n".join([*text.splitlines()[:1], *text.splitlines()[:0:-1]]) + "\n",
     "not ordered")])
def test_files_that_are_something_else_are_refused(tmp_path, change, message):
    some_draws().save(tmp_path / "draws.csv")
    text = (tmp_path / "draws.csv").read_text(encoding="ascii")
    (tmp_path / "draws.csv").write_text(change(text), encoding="ascii")
    with pytest.raises(sc.ClusteringError, match=message):
        sc.BootstrapDraws.load(tmp_path / "draws.csv")


@pytest.mark.parametrize(("fields", "message"), [
    ({"source": [[0.5, 1]]}, "whole numbers"), ({"source": [[-2, 0]]}, "-1 for the prior"),
    ({"weights": [[0.0, 0.0]]}, "all 0"), ({"weights": [[1.0, -1.0]]}, "numbers >= 0"),
    ({"points": [[[0.0]]]}, "do not fit"), ({"points": [[[np.nan], [0.0]]]}, "not finite")])
def test_ready_draws_are_checked(fields, message):
    good = {"points": [[[0.0], [1.0]]], "source": [[0, 1]], "weights": [[0.5, 0.5]]}
    assert sc.BootstrapDraws(**good).n_resamples == 1
    with pytest.raises(sc.ClusteringError, match=message):
        sc.BootstrapDraws(**{**good, **fields})


# -- priors -------------------------------------------------------------------------------------
def test_a_mixture_from_labels():
    rng = np.random.default_rng(1)
    x = rng.normal(size=(30, 2))
    labels = np.repeat([0, 1, 2], [5, 10, 15])
    for ddof in (0, 1):
        prior = sc.GaussianMixturePrior.from_labels(x, labels, scale=3.0, ddof=ddof)
        np.testing.assert_allclose(prior.weights, np.array([5, 10, 15]) / 30)
        for k in range(3):
            np.testing.assert_allclose(prior.means[k], x[labels == k].mean(axis=0))
            np.testing.assert_allclose(
                prior.covariances[k], 3 * np.cov(x[labels == k].T, ddof=ddof), rtol=1e-12)
    pooled = sc.GaussianMixturePrior.from_labels(x, labels, covariance="pooled").covariances
    expected = sum((np.sum(labels == k) - 1) * np.cov(x[labels == k].T) for k in range(3)) / 27
    np.testing.assert_allclose(pooled, np.array([expected] * 3), rtol=1e-12)
    diagonal = sc.GaussianMixturePrior.from_labels(x, labels, covariance="diagonal")
    np.testing.assert_allclose(diagonal.covariances[0],
                               np.diag(x[:5].var(axis=0, ddof=1)), rtol=1e-12)
    ridge = sc.GaussianMixturePrior.from_labels(x, labels, covariance="ridge").covariances
    added = 1e-6 * np.trace(np.cov(x.T)) / 2 * np.eye(2)
    np.testing.assert_allclose(ridge[1], np.cov(x[labels == 1].T) + added, rtol=1e-12)


def test_density_and_samples_of_a_mixture():
    covariances = [[[2.0, 0.5], [0.5, 1.0]], [[0.5, 0.0], [0.0, 0.1]]]
    prior = sc.GaussianMixturePrior([0.3, 0.7], [[0.0, 1.0], [4.0, 0.0]], covariances)
    x = np.array([[0.0, 0.0], [3.0, 0.5]])
    laws = [scipy.stats.multivariate_normal(m, c) for m, c in zip(prior.means, covariances)]
    expected = np.log(0.3 * laws[0].pdf(x) + 0.7 * laws[1].pdf(x))
    np.testing.assert_allclose(prior.log_density(x), expected, rtol=1e-12)
    sample = prior.sample(20_000, rng=2)
    mean = prior.weights @ prior.means
    # three standard errors of a mean of 20,000 draws with variance below 5
    np.testing.assert_allclose(sample.mean(axis=0), mean, atol=0.05)
    np.testing.assert_allclose(prior.roots()[0] @ prior.roots()[0], covariances[0], rtol=1e-12)


def test_a_singular_covariance_is_a_degenerate_normal():
    prior = sc.GaussianMixturePrior([1.0], [[1.0, 2.0]], [[[1.0, 1.0], [1.0, 1.0]]])
    sample = prior.sample(50, rng=0) - [1.0, 2.0]
    np.testing.assert_allclose(sample[:, 0], sample[:, 1], atol=1e-12)
    with pytest.raises(sc.ClusteringError, match="ridge"):
        prior.log_density([[0.0, 0.0]])


@pytest.mark.parametrize(("fields", "message"), [
    ({"weights": [0.5, 0.6]}, "sum 1"), ({"means": [[0.0]]}, "do not fit"),
    ({"covariances": [[[1.0, 2.0], [0.0, 1.0]]] * 2}, "not symmetric"),
    ({"covariances": [[[1.0, 2.0], [2.0, 1.0]]] * 2}, "negative eigenvalue")])
def test_mixtures_are_checked(fields, message):
    good = {"weights": [0.5, 0.5], "means": np.zeros((2, 2)),
            "covariances": np.array([np.eye(2)] * 2)}
    with pytest.raises(sc.ClusteringError, match=message):
        sc.GaussianMixturePrior(**{**good, **fields})


# -- messages -----------------------------------------------------------------------------------
@pytest.mark.parametrize(("call", "message"), [
    (lambda: sc.bootstrap_indices(0, 5), "n is 0"),
    (lambda: sc.bootstrap_indices(5, 2.5), "n_resamples is 2.5"),
    (lambda: sc.subsample_indices(5, 1, size=6), "size is 6"),
    (lambda: sc.subsample_indices(5, 1, size=1.5), "size is 1.5"),
    (lambda: sc.GaussianMixturePrior([1.0], [[0]], [[[1]]]).sample(2.5), "size is 2.5"),
    (lambda: sc.GaussianMixturePrior([1.0], [[0]], [[[1]]]).sample(-1), "size is -1"),
    (lambda: sc.GaussianMixturePrior([1.0], [[0]], [[[1]]]).log_density([[0, 1]]),
     "X has 2 features; the mixture has 1"),
    (lambda: sc.GaussianMixturePrior.from_labels(LINE, [0] * len(LINE), ddof=-5), "ddof is -5"),
    (lambda: sc.GaussianMixturePrior.from_labels(LINE, [0] * len(LINE), n_clusters=2.5),
     "n_clusters is 2.5"),
    (lambda: proper(prior_weight=1.0), "prior_weight is 1.0"),
    (lambda: proper(sample_size=0), "sample_size is 0"),
    (lambda: proper(prior=lambda size, rng: np.zeros((size, 2))), "features of X"),
    (lambda: proper(prior=lambda size, rng: np.full((size, 1), np.nan)), "not finite"),
    (lambda: proper(prior=sc.GaussianMixturePrior([1.0], [[0, 0]], [np.eye(2)])), "2 features")])
def test_messages(call, message):
    with pytest.raises(sc.ClusteringError, match=message):
        call()


@pytest.mark.parametrize(("text", "message"), [
    (b"replicate,draw,source,weight,x1\n", "0 draws"),
    (b"replicate,draw,source,weight,x1\n0,0,a,1,1\n", "cannot be read as draws: .*'a'"),
    (b"replicate,draw,source,weight,x1\n0,0,1.5,1,1\n", "source that is not a whole number"),
    (b"\xff\xfe", "cannot be read as draws"), (b"", "has the columns"),
    (b"replicate,draw,source\n0,0,1\n", "has the columns")])
def test_files_of_draws_are_checked(tmp_path, text, message):
    path = tmp_path / "draws.csv"
    path.write_bytes(text)
    with pytest.raises(sc.ClusteringError, match=message):
        sc.BootstrapDraws.load(path)


@pytest.mark.parametrize("draw", [sc.bootstrap_indices, sc.bayesian_bootstrap_weights,
                                  sc.subsample_indices])
def test_messages_name_the_argument_of_random_numbers(draw):
    with pytest.raises(ValueError, match=r"^rng is 'x'"):
        draw(3, 2, rng="x")


def proper(**options):
    return sc.proper_bayesian_bootstrap(LINE, **{
        "prior": scipy.stats.norm(), "prior_weight": 0.5, "n_resamples": 2, **options})


def test_a_prior_is_something_that_draws():
    with pytest.raises(TypeError, match=r"scipy\.stats"):
        proper(prior=4)


# -- bits ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("d", [1, 2, 3, 4, 7])
def test_points_of_the_prior_are_means_and_products_with_roots(d):
    from softclust.ensembles.schemes import PROPER, Scheme, draw_block
    rng = np.random.default_rng(d)
    root = rng.normal(size=(d, d))
    unit, moved = (sc.GaussianMixturePrior(weights=[1.0], means=[mean], covariances=[cov])
                   for mean, cov in ((np.zeros(d), np.eye(d)), (np.arange(d), root @ root.T)))
    drawn = [draw_block(Scheme(code=PROPER, n=9, d=d, m=9, prior_weight=0.7, prior=prior),
                        Streams(np.random.default_rng(2)), 0, 3) for prior in (unit, moved)]
    at = drawn[0][0] < 0
    assert at.any()
    np.testing.assert_allclose(drawn[1][1][at], moved.means[0] + drawn[0][1][at] @ moved.roots()[0],
                               rtol=1e-12, atol=1e-12)
