"""SLAGLO, SLDID and the increment density: stored values, naive oracle, single linkage, moons."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from naive import increments as naive
from scipy.cluster.hierarchy import is_valid_linkage, linkage
from scipy.integrate import quad
from sklearn.base import clone
from sklearn.datasets import load_iris, make_moons
from strategies import JIT_OFF

import softclust as sc
from softclust.cluster.experimental import ExperimentalWarning, _log_density, increment_density

ITEMS = json.loads((Path(__file__).parent / "golden/initialisation.json").read_text())["items"]
ITEM = next(item for item in ITEMS if item["id"] == "increment-density")
N_MOONS = 150 if JIT_OFF else 500


def fitted(estimator, x):
    with pytest.warns(ExperimentalWarning, match="is experimental"):
        return estimator.fit(x)


def three_groups(seed):
    """Of different density."""
    rng = np.random.default_rng(seed)
    group = rng.integers(0, 3, (26, 1))
    return rng.normal(size=(26, 2)) * np.array([0.05, 0.3, 1.0])[group] + 3 * group


def sets_of(merges, n):
    """Objects and height of every merge."""
    members = {i: frozenset([i]) for i in range(n)}
    result = []
    for t, (a, b, height, size) in enumerate(merges):
        members[n + t] = members.pop(int(a)) | members.pop(int(b))
        assert len(members[n + t]) == size
        result.append((members[n + t], height))
    return result


def same_partition(a, b):
    return len(set(zip(a, b))) == len(set(a)) == len(set(b))


def test_stored_densities():
    np.testing.assert_allclose(increment_density(ITEM["input"]["w"], ITEM["input"]["mean"]),
                               ITEM["expected"], rtol=0, atol=ITEM["tolerance"])


@pytest.mark.parametrize("mean", [0.3, 1.0, 40.0])
def test_density_integrates_to_one_and_has_its_mean(mean):
    def p(w):
        return float(increment_density(w, mean))
    # 60 means hold all but exp(-900) of the mass
    assert quad(p, 0, 60 * mean, points=[mean, 5 * mean])[0] == pytest.approx(1, abs=1e-9)
    first = quad(lambda w: w * p(w), 0, 60 * mean, points=[mean, 5 * mean])[0]
    assert first == pytest.approx(mean, rel=1e-9)


def test_density_against_its_formula_and_far_out():
    w = np.linspace(0, 5, 40)
    np.testing.assert_allclose(increment_density(w, 0.8), [naive.density(v, 0.8) for v in w],
                               rtol=1e-9)   # the formula as printed cancels
    assert increment_density(-1.0, 0.8) == 0
    # the series takes over without a step; the slope of the logarithm is about -4 z there
    z = 50.0 * np.array([1 - 1e-12, 1 + 1e-12])
    b = 2 - math.sqrt(2)
    below, above = _log_density(z * 2 * math.sqrt(2) / (math.sqrt(math.pi) * b), 1.0)
    assert below - above == pytest.approx(4 * 50 * 1e-10, abs=2e-8)
    assert np.isfinite(_log_density(np.array([1e6]), 1.0)).all()


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("alpha", [0.5, 2.0, 4.0])
def test_slaglo_against_the_oracle(seed, alpha):
    x = three_groups(seed)
    fit = fitted(sc.cluster.SLAGLO(3, alpha=alpha, min_size=4), x)
    merges, isolated = naive.linkage(x.tolist(), naive.gap_test(alpha, 4))
    compare(fit, merges, isolated)


@pytest.mark.parametrize("min_size", [3, 4])
@pytest.mark.parametrize("first", [0, 10, 20])
def test_sldid_against_the_oracle(first, min_size):
    # many seeds: only some trees have a pair whose test is close
    for seed in range(first, first + 10):
        x = three_groups(seed)
        fit = fitted(sc.cluster.SLDID(3, min_size=min_size), x)
        compare(fit, *naive.linkage(x.tolist(), naive.length_test(min_size)))


def compare(fit, merges, isolated):
    ours = sets_of(fit.merges_, 26)
    assert [s for s, _ in ours] == [s for s, _ in merges]
    np.testing.assert_allclose([h for _, h in ours], [h for _, h in merges], rtol=1e-13)
    found = [frozenset(np.flatnonzero(fit.isolated_ == k).tolist())
             for k in range(fit.isolated_.max() + 1)]
    assert set(found) == set(isolated)


def test_oracle_runs_isolate_something():
    for estimator in (sc.cluster.SLAGLO(alpha=0.5, min_size=4), sc.cluster.SLDID(min_size=4)):
        most = [fitted(estimator, three_groups(seed)).isolated_.max() for seed in range(6)]
        assert max(most) >= 1


@pytest.mark.parametrize("estimator", [sc.cluster.SLAGLO(2, alpha=1e9, min_size=5),
                                       sc.cluster.SLDID(2, min_size=40)])
def test_without_isolation_it_is_single_linkage(estimator):
    rng = np.random.default_rng(1)
    x = rng.normal(size=(40, 3))
    fit = fitted(estimator, x)
    expected = linkage(x, "single")
    np.testing.assert_array_equal(fit.merges_[:, [0, 1, 3]], expected[:, [0, 1, 3]])
    np.testing.assert_allclose(fit.merges_[:, 2], expected[:, 2], rtol=1e-14)
    assert is_valid_linkage(fit.merges_)
    assert (fit.isolated_ == -1).all()


def test_slaglo_on_iris_is_single_linkage():
    x = np.unique(load_iris().data, axis=0)
    fit = fitted(sc.cluster.SLAGLO(2, alpha=3.0), x)
    # heights of single linkage do not depend on the order of ties
    np.testing.assert_allclose(np.sort(fit.merges_[:, 2]),
                               np.sort(linkage(x, "single")[:, 2]), rtol=0, atol=1e-13)


@pytest.mark.parametrize("estimator", [
    *(sc.cluster.SLAGLO(2, alpha=a) for a in (1.0, 3.0, 5.0, 10.0)),
    sc.cluster.SLDID(2, min_size=20)], ids=str)
def test_two_moons_are_found(estimator):
    x, truth = make_moons(N_MOONS, noise=0.05, random_state=0)
    fit = fitted(estimator, x)
    assert sc.adjusted_rand_index(fit.labels_, truth) == 1
    assert same_partition(fit.clustering_.labels, fit.labels_)


def test_labels_of_every_number_of_clusters():
    rng = np.random.default_rng(2)
    x = rng.normal(size=(12, 2))
    for k in range(1, 13):
        fit = fitted(sc.cluster.SLAGLO(k, min_size=3), x)
        labels = np.arange(12)
        for members, _ in sets_of(fit.merges_, 12)[:12 - k]:
            labels[list(members)] = min(members)
        assert same_partition(labels, fit.labels_)
        np.testing.assert_array_equal(fit.labels_, np.unique(labels, return_inverse=True)[1])
        assert fit.labels_.dtype == np.int64


def test_equal_objects_and_a_single_one():
    fit = fitted(sc.cluster.SLAGLO(2, min_size=3), np.zeros((8, 2)))
    assert (fit.merges_[:, 2] == 0).all()
    fit = fitted(sc.cluster.SLDID(2, min_size=3), np.r_[np.zeros((5, 1)), np.ones((5, 1))])
    np.testing.assert_array_equal(fit.labels_, [0] * 5 + [1] * 5)
    fit = fitted(sc.cluster.SLDID(1), [[3.0]])
    assert fit.merges_.shape == (0, 4)
    np.testing.assert_array_equal(fit.labels_, [0])


@pytest.mark.parametrize(("estimator", "message"), [
    (sc.cluster.SLAGLO(0), "n_clusters is 0"),
    (sc.cluster.SLAGLO(5), "n_clusters is 5; X has 4 objects"),
    (sc.cluster.SLAGLO(min_size=2), "min_size is 2; at least 3"),
    (sc.cluster.SLDID(min_size=2.5), "min_size is 2.5"),
    (sc.cluster.SLAGLO(alpha=0), "alpha is 0; a finite number > 0"),
    (sc.cluster.SLAGLO(alpha=math.nan), "alpha is nan"),
])
def test_messages(estimator, message):
    with pytest.raises(sc.ClusteringError, match=message):
        estimator.fit(np.eye(4))


def test_density_needs_a_positive_mean():
    with pytest.raises(sc.ClusteringError, match="mean is 0"):
        increment_density(1.0, 0)


@pytest.mark.parametrize("estimator", [sc.cluster.SLAGLO(), sc.cluster.SLDID()], ids=str)
def test_scikit_learn_conventions(estimator):
    assert clone(estimator).get_params() == estimator.get_params()
    x = np.random.default_rng(3).normal(size=(15, 2))
    with pytest.warns(ExperimentalWarning):
        labels = clone(estimator).fit_predict(x)
    np.testing.assert_array_equal(labels, fitted(estimator, x).labels_)
    with pytest.raises(ValueError, match="NaN"):
        estimator.fit([[np.nan], [1.0]])


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("estimator", [sc.cluster.SLAGLO(), sc.cluster.SLDID()], ids=str)
def test_scikit_learn_checks(estimator):
    from sklearn.utils.estimator_checks import check_estimator
    check_estimator(estimator)
