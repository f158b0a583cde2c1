"""Fuzzy c-means against e1071::cmeans, live, from the same centres."""

import numpy as np
import pytest
from sklearn.datasets import load_iris

from r_bridge import call
from softclust.cluster import FuzzyCMeans

pytestmark = pytest.mark.r

CMEANS = """function(x, centers, m, weights) {
  fit <- e1071::cmeans(x, centers, iter.max = 20000, m = m, weights = weights,
                       control = list(reltol = 1e-15))
  list(membership = unname(fit$membership), centers = unname(fit$centers),
       withinerror = fit$withinerror)
}"""


def data(name):
    if name == "iris":
        x = load_iris().data
        return x, x[[0, 50, 100]]
    rng = np.random.default_rng(1)
    x = rng.normal(size=(200, 5)) + 4.0 * rng.normal(size=(4, 5))[rng.integers(4, size=200)]
    return x, x[:4] + 0.01


@pytest.mark.parametrize("name", ["iris", "mixture"])
@pytest.mark.parametrize("m", [1.3, 1.5, 2.0, 3.0])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_same_fit(name, m, weighted):
    x, start = data(name)
    w = np.random.default_rng(2).integers(1, 5, size=len(x)).astype(float)
    w = w if weighted else np.ones(len(x))
    theirs = call(CMEANS, x, start, m, w)
    fit = FuzzyCMeans(len(start), m=m, init=start, tol=1e-12, max_iter=20000).fit(
        x, sample_weight=w)
    # R stops when the objective changes by 1e-15 of itself; it is quadratic around the solution,
    # so memberships are then right to about sqrt(1e-15)
    np.testing.assert_allclose(theirs["membership"], fit.membership_, rtol=0, atol=2e-6)
    np.testing.assert_allclose(theirs["centers"], fit.cluster_centers_, rtol=0, atol=2e-6)
    # at the solution errors of the centres count by their squares
    assert theirs["withinerror"][0] * w.sum() == pytest.approx(fit.objective_, rel=1e-12)
