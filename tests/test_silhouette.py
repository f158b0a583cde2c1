"""The mean silhouette width against its definition and scikit-learn's."""

import numpy as np
import pytest
from naive.silhouettes import widths
from sklearn.metrics import silhouette_score

from softclust.selection import criteria
from softclust.selection.criteria import silhouette as mean_silhouette

#: rounding of squared distances by |x|^2 + |y|^2 - 2 x y, of data of the order of 1
ROUNDING = 1e-12


@pytest.mark.parametrize("seed", range(5))
def test_the_definition_and_scikit_learn(seed):
    rng = np.random.default_rng(seed)
    n, d, k = int(rng.integers(8, 90)), int(rng.integers(1, 6)), int(rng.integers(2, 6))
    x = rng.normal(size=(n, d))
    labels = 10 * rng.permutation(np.arange(n) % k)   # any codes
    found = mean_silhouette(x, labels)
    assert found == pytest.approx(np.mean(widths(x.tolist(), labels.tolist())), abs=ROUNDING)
    assert found == pytest.approx(silhouette_score(x, labels), abs=ROUNDING)


def test_objects_alone_count_nothing():
    x, labels = [[0.0], [1.0], [5.0], [9.0]], [0, 0, 1, 2]
    # Widths 1 - 1/5, 1 - 1/4, 0, 0
    assert mean_silhouette(np.array(x), np.array(labels)) == pytest.approx(
        (0.8 + 0.75) / 4, abs=ROUNDING)
    assert np.mean(widths(x, labels)) == pytest.approx((0.8 + 0.75) / 4)


def test_objects_in_one_place_count_nothing():
    x, labels = np.zeros((4, 2)), np.array([0, 0, 1, 1])
    assert mean_silhouette(x, labels) == 0.0 == np.mean(widths(x.tolist(), labels.tolist()))


def test_a_shift_changes_nothing():
    rng = np.random.default_rng(0)
    x, labels = rng.normal(size=(50, 3)), np.arange(50) % 3
    shifted = mean_silhouette(x + 1e6, labels)
    assert shifted == pytest.approx(mean_silhouette(x, labels), abs=1e-8)


def test_blocks_of_rows_do_not_matter(monkeypatch):
    rng = np.random.default_rng(1)
    x, labels = rng.normal(size=(101, 2)), np.arange(101) % 4
    whole = mean_silhouette(x, labels)
    monkeypatch.setattr(criteria, "_WORKING_MEMORY", 1e-3)   # few rows at once
    assert mean_silhouette(x, labels) == pytest.approx(whole, abs=ROUNDING)
