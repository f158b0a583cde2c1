"""Generators of data: recipes, published values, seeds, messages."""

import json
import math
import pickle
from pathlib import Path

import numpy as np
import pytest

import softclust as sc

datasets = sc.datasets
GOLDEN = Path(__file__).parent / "golden"
EXPERIMENT = json.loads((GOLDEN / "simulated-experiment.json").read_text())
DRAWN = {
    "overlapping_gaussians": lambda rng: datasets.overlapping_gaussians(50, rng=rng),
    "unequal": lambda rng: datasets.overlapping_gaussians(50, covariance="unequal", rng=rng),
    **{f"bbc_{k}": lambda rng, k=k: datasets.bbc_gaussians(k, rng) for k in range(1, 7)},
    "noisy_circles": lambda rng: datasets.noisy_circles(50, rng=rng),
    "noisy_moons": lambda rng: datasets.noisy_moons(50, rng=rng),
    "anisotropic_blobs": lambda rng: datasets.anisotropic_blobs(50, rng=rng),
    "ring": lambda rng: datasets.ring(51, rng=rng),
    "bars": lambda rng: datasets.bars(51, rng=rng),
    "semicircles": lambda rng: datasets.semicircles(51, rng=rng),
}


@pytest.mark.parametrize("name", DRAWN)
def test_same_seed_same_bits_and_read_only(name):
    one, two, other = DRAWN[name](3), DRAWN[name](np.random.default_rng(3)), DRAWN[name](4)
    assert one.data.tobytes() == two.data.tobytes()
    assert one.data.tobytes() != other.data.tobytes()
    assert (one.labels == two.labels).all()
    n, p = one.data.shape
    assert one.labels.shape == (n,)
    assert (len(one.feature_names), len(one.label_names)) == (p, one.labels.max() + 1)
    assert one.source
    with pytest.raises(ValueError, match="read-only"):
        one.data[0, 0] = 1.0
    again = pickle.loads(pickle.dumps(one))
    assert (again.data == one.data).all()


@pytest.mark.parametrize("run", EXPERIMENT["runs"], ids=lambda run: str(run["n"]))
def test_overlapping_gaussians_follow_the_three_lines_of_the_recipe(run):
    n = run["n"]
    y = np.repeat([0, 1, 2], [n - 2 * (n // 3), n // 3, n // 3])
    mu = np.array([[0, 0], [2, 0], [1, math.sqrt(3)]])
    x = mu[y] + np.random.default_rng(42).standard_normal((n, 2))
    found = datasets.overlapping_gaussians(n)
    np.testing.assert_allclose(found.data, x, rtol=0, atol=1e-15)   # 2 sqrt(3)/2 rounds
    assert (found.labels == y).all()
    np.testing.assert_allclose(found.data[:3], run["x_head"], atol=1e-12)
    assert found.data.sum() == pytest.approx(run["x_sum"], abs=1e-8)


def test_unequal_classes_have_the_stated_shares_and_covariances():
    found = datasets.overlapping_gaussians(20_000, separation=3.0, covariance="unequal", rng=1)
    assert np.bincount(found.labels).tolist() == [8000, 6000, 6000]
    wanted = [[[1, .5], [.5, 1]], [[1.5, -.4], [-.4, .6]], [[.7, 0], [0, 1.4]]]
    middles = [[0, 0], [3, 0], [1.5, 1.5 * math.sqrt(3)]]
    for k in range(3):
        x = found.data[found.labels == k]
        # standard errors: 1.4/sqrt(6000) = .018 for means, about .03 for covariances
        np.testing.assert_allclose(x.mean(axis=0), middles[k], atol=0.08)
        np.testing.assert_allclose(np.cov(x.T), wanted[k], atol=0.12)


@pytest.mark.parametrize(("number", "sizes", "middles", "covariance"), [
    (1, [33] * 3, [[1.5, 0], [-1.5, 0], [0, 2.598076]], [[1, 0], [0, 1]]),
    (2, [99, 66, 33], [[1.5, 0], [-1.5, 0], [0, 2.598076]], [[1, 0], [0, 1]]),
    (3, [33] * 3, [[1, 0], [-1, 0], [0, 1.732051]], [[1, 0], [0, 1]]),
    (4, [33] * 3, [[1.5, 0], [-1.5, 0], [0, 2.598076]], [[1, .25], [.25, 1]]),
    (5, [66] * 5, [[3, 0], [0, 3], [-3, 0], [0, -3], [0, 0]], [[.75, 0], [0, .75]]),
    (6, [66] * 4, [[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]], np.eye(3)),
])
def test_mixtures_of_the_bagging_paper(number, sizes, middles, covariance):
    rng = np.random.default_rng(number)
    draws = [datasets.bbc_gaussians(number, rng) for _ in range(60)]
    assert np.bincount(draws[0].labels).tolist() == sizes
    labels = np.concatenate([d.labels for d in draws])
    data = np.vstack([d.data for d in draws])
    for k in range(len(sizes)):
        x = data[labels == k]
        # at least 1980 objects: standard errors below .023 (means) and .032 (covariances)
        np.testing.assert_allclose(x.mean(axis=0), middles[k], atol=0.1)
        np.testing.assert_allclose(np.cov(x.T), covariance, atol=0.15)


@pytest.mark.parametrize(("item", "name", "n_clusters", "eps"), [
    ("table1-NC", "noisy_circles", 2, .3), ("table1-NM", "noisy_moons", 2, .3),
    ("table1-NS", "anisotropic_blobs", 3, .15)])
def test_data_of_the_prayatul_paper(item, name, n_clusters, eps):
    from sklearn.cluster import DBSCAN, Birch
    items = json.loads((GOLDEN / "prayatul.json").read_text())["items"]
    stored = next(i for i in items if i["id"] == item)["input"]["labels"]
    found = getattr(datasets, name)()
    assert "".join(map(str, found.labels)) == stored["truth"]
    birch = Birch(n_clusters=n_clusters, threshold=.5).fit_predict(found.data)
    assert sc.adjusted_rand_index(list(stored["BIRCH"]), birch) == 1.0
    # on circles and moons DBSCAN finds the truth; noise is one more label
    dbscan = DBSCAN(eps=eps, min_samples=5).fit_predict(found.data)
    expected = stored.get("DBSCAN", stored["truth"])
    assert sc.adjusted_rand_index(list(expected), dbscan.astype(str)) == 1.0
    np.testing.assert_allclose(found.data.mean(axis=0), 0.0, atol=1e-12)
    np.testing.assert_allclose(found.data.std(axis=0), 1.0, atol=1e-12)
    plain = getattr(datasets, name)(standardize=False)
    np.testing.assert_allclose((plain.data - plain.data.mean(axis=0)) / plain.data.std(axis=0),
                               found.data, atol=1e-12)


def test_shapes():
    ring = datasets.ring(2000, rng=0)
    distance = np.hypot(*ring.data.T)
    assert distance[ring.labels == 1].mean() == pytest.approx(3.0, abs=0.05)
    assert distance[ring.labels == 0].max() < 3.0
    bars = datasets.bars(2001, gap=0.5, rng=0)
    assert np.bincount(bars.labels).tolist() == [1001, 1000]
    assert bars.data.min() >= 0.0
    assert (bars.data.max(axis=0) <= [2.0, 0.5]).all()
    left = bars.data[bars.labels == 0, 0].max()
    right = bars.data[bars.labels == 1, 0].min()
    assert left <= 0.75
    assert right >= 1.25
    half = datasets.semicircles(400, noise=0.0, rng=0)
    upper, lower = (half.data[half.labels == k] for k in (0, 1))
    np.testing.assert_allclose(np.hypot(*upper.T), 3.0)
    np.testing.assert_allclose(np.hypot(*(lower - [3.0, 1.5]).T), 3.0)
    assert (upper[:, 1] >= -1e-12).all()
    assert (lower[:, 1] <= 1.5 + 1e-12).all()


@pytest.mark.parametrize(("call", "message"), [
    (lambda: datasets.overlapping_gaussians(2), "n is 2; a whole number of at least 3"),
    (lambda: datasets.overlapping_gaussians(10.0), "n is 10.0; a whole number"),
    (lambda: datasets.overlapping_gaussians(True), "n is True"),
    (lambda: datasets.overlapping_gaussians(10, separation=-1), "separation is -1; .* >= 0"),
    (lambda: datasets.overlapping_gaussians(10, separation="far"), "separation is 'far'"),
    (lambda: datasets.overlapping_gaussians(10, covariance="full"), "covariance='full'"),
    (lambda: datasets.overlapping_gaussians(10, rng=-1), "rng is -1"),
    (lambda: datasets.bbc_gaussians(7), "number is 7; the mixtures have the numbers 1 to 6"),
    (lambda: datasets.noisy_circles(factor=1.0), "factor is 1.0"),
    (lambda: datasets.noisy_moons(noise=math.nan), "noise is nan"),
    (lambda: datasets.noisy_moons(rng="seed"), "rng is 'seed'"),
    (lambda: datasets.bars(gap=2.0), "gap is 2.0"),
    (lambda: datasets.semicircles(1), "n is 1; a whole number of at least 2"),
])
def test_messages(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_iris_has_the_numbers_of_scikit_learn():
    from sklearn.datasets import load_iris
    ours, theirs = datasets.load_iris(), load_iris()
    assert ours.data.tobytes() == theirs.data.tobytes()
    assert (ours.labels == theirs.target).all()
    assert ours.feature_names == tuple(theirs.feature_names)
    assert ours.label_names == tuple(theirs.target_names)
