"""The cluster information criterion: stored values, definition, invariance, odd input."""

import json
from pathlib import Path

import naive.matching as oracle
import numpy as np
import pandas as pd
import pytest

import softclust as sc

ITEMS = [item for item in json.loads(
    (Path(__file__).parent / "golden" / "truecluster.json").read_text(encoding="utf-8"))["items"]
    if item["id"].startswith("cic-")]
#: printed with so many digits
STORED = 1e-9
#: sums of some hundred logarithms
CLOSE = 1e-12


def parts(cic):
    return cic.uncertainty, cic.complexity, cic.information, cic.criterion


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item["id"])
def test_stored_values(item):
    rows = np.array([r["row"] for r in item["input"]["rows"] for _ in range(r["count"])],
                    dtype=float)
    cic, expected = sc.cluster_information_criterion(rows), item["expected"]
    for name in ("uncertainty", "complexity", "information", "criterion"):
        assert getattr(cic, name) == pytest.approx(expected[name], abs=STORED)
    signed = sc.cluster_information_criterion(rows, information="signed")
    assert signed.information == pytest.approx(expected["information_signed"], abs=STORED)


@pytest.mark.parametrize("signed", [False, True])
def test_by_definition_and_invariance(signed):
    rng = np.random.default_rng(0)
    information = "signed" if signed else "absolute"
    for _ in range(20):
        n, c = rng.integers(2, 30), rng.integers(1, 5)
        rows = rng.dirichlet(np.full(c, 0.3), n)
        rows[rng.random(n) < 0.3] = np.eye(c)[0]
        cic = sc.cluster_information_criterion(rows, information=information)
        expected = oracle.information_criterion(rows.tolist(), signed)
        assert np.allclose(parts(cic), expected, rtol=0, atol=CLOSE)
        with_n = sc.cluster_information_criterion(rows, information=information, complexity="n")
        expected = oracle.information_criterion(rows.tolist(), signed, divisor=int(n))
        assert np.allclose(parts(with_n), expected, rtol=0, atol=CLOSE)
        other = np.hstack([rows[:, rng.permutation(c)], np.zeros((n, 2))])[rng.permutation(n)]
        moved = sc.cluster_information_criterion(other, information=information)
        assert np.allclose(parts(moved), parts(cic), rtol=0, atol=CLOSE)


def test_hard_clusterings_by_sizes_and_by_rows():
    labels = [0, 0, 1, 1, 1, 2]
    hard = sc.cluster_information_criterion(labels)
    rows = sc.cluster_information_criterion(np.eye(4)[labels])
    assert np.allclose(parts(hard), parts(rows), rtol=0, atol=CLOSE)
    assert hard.information == pytest.approx(
        (1 - hard.complexity) * np.log2(hard.effective_clusters), abs=CLOSE)
    assert parts(sc.cluster_information_criterion([0, 0, 0])) == (0, 0, 0, 0)


def test_one_object():
    assert parts(sc.cluster_information_criterion([[1.0, 0.0]])) == (0, 0, 0, 0)
    cic = sc.cluster_information_criterion([[0.5, 0.5]])
    assert cic.uncertainty == 1
    assert np.isnan([cic.complexity, cic.information, cic.criterion]).all()


def test_rows_of_nan_are_left_out_with_a_warning():
    rows = np.array([[1.0, 0.0], [np.nan, np.nan], [0.0, 1.0]])
    with pytest.warns(sc.UndefinedMeasureWarning, match="1 of 3 rows"):
        cic = sc.cluster_information_criterion(rows)
    assert cic == sc.cluster_information_criterion(rows[[0, 2]])
    with pytest.raises(sc.ClusteringError, match="every row"):
        sc.cluster_information_criterion(rows[[1]])


def test_says_where_it_comes_from():
    cic = sc.cluster_information_criterion([0, 0, 1])
    assert "defining article is not public" in str(cic)
    assert "not public" in sc.cluster_information_criterion.__doc__
    assert cic.to_frame().loc[0, "criterion"] == cic.criterion
    assert "<table" in cic._repr_html_()


def test_messages():
    with pytest.raises(sc.ClusteringError, match=r"x is rough.*x\.to_fuzzy"):
        sc.cluster_information_criterion(sc.RoughClustering.from_upper([[1, 1], [1, 0]]))
    with pytest.raises(ValueError, match="information"):
        sc.cluster_information_criterion([0, 1], information="mutual")
    with pytest.raises(ValueError, match="complexity"):
        sc.cluster_information_criterion([0, 1], complexity="none")


def test_rows_of_nan_of_a_frame_are_left_out():
    frame = pd.DataFrame([[0.2, 0.8], [np.nan, np.nan], [1.0, 0.0]], index=["a", "b", "c"])
    with pytest.warns(sc.UndefinedMeasureWarning, match="1 of 3 rows"):
        found = sc.cluster_information_criterion(frame)
    assert found == sc.cluster_information_criterion([[0.2, 0.8], [1.0, 0.0]])


def test_one_cluster_has_no_negative_zero():
    for x in ([0, 0, 0], [[1.0], [1.0]]):
        found = sc.cluster_information_criterion(x)
        assert not np.signbit([found.criterion, found.information]).any()
