"""Tables of many columns: nothing grows faster than their number, and what is left out is said."""

import numpy as np
import pytest

import softclust as sc
from softclust.reporting import (
    plan,
)
from softclust.reporting.plan import WIDE

N, P = 40, 800


@pytest.fixture(scope="module")
def wide():
    x = np.random.default_rng(0).normal(size=(N, P))
    x[:20, :60] += 3.0
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(np.linalg, "eigh", narrow(np.linalg.eigh))
        patch.setattr(np.linalg, "cholesky", narrow(np.linalg.cholesky))
        return sc.report(x, n_clusters=[2, 3], quick=True, algorithms=["k-means", "mixture"])


def narrow(function):
    def checked(a, *args, **kwargs):
        assert np.shape(a)[-1] < P, "a matrix of features by features"
        return function(a, *args, **kwargs)
    return checked


def test_everything_is_done_without_matrices_of_features_by_features(wide):
    assert wide.n_clusters == 2
    assert [step.message for step in wide.steps if step.state != "done"] == []


def test_what_is_left_out_is_said(wide, tmp_path):
    found = wide
    assert set(found.criteria) == {"silhouette", "gap", "entropy"}
    assert "covariance_type='diag'" in found.fit("mixture").settings
    found.to_html(tmp_path / "o.html")
    text = (tmp_path / "o.html").read_text(encoding="utf-8")
    assert "leaves out what grows faster" in text
    assert "Test, choice and criteria look at the first 10 principal components." in text
    assert "Nothing here tests" not in text   # the choice has a p-value
    assert "The first 200 of 800 features" in text
    assert "x201<" not in text
    assert len(found.to_data()["data"]["features"]) == P


def test_components_of_many_features_are_those_of_few(monkeypatch):
    x = np.random.default_rng(1).normal(size=(30, WIDE + 1))
    x[:15, :40] += 2.0
    scores, shares = plan.principal(x)
    monkeypatch.setattr(plan, "WIDE", 10**9)
    expected = plan.principal(x)
    # Eigenvectors by two algorithms, well apart from the third one.
    np.testing.assert_allclose(scores, expected[0], atol=1e-9)
    np.testing.assert_allclose(shares, expected[1], rtol=1e-9)
