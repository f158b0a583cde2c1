"""Reports on objects in groups, and where clusters and label disagree."""

import re

import numpy as np
import pandas as pd
import pytest

import softclust as sc
from softclust.reporting.page import page


def cells(n_patients=12, each=5, seed=3):
    """Cells of three types; each patient shifts the features of its cells."""
    rng = np.random.default_rng(seed)
    kinds = {"T": (0, 0, 0), "B": (3, 0, 2), "NK": (0, 3, 0)}
    rows = [[f"p{patient}", kind, *(np.array(middle) + shift + rng.normal(0, 0.8, 3))]
            for patient in range(n_patients) for shift in [rng.normal(0, 1.2, 3)]
            for kind, middle in kinds.items() for _ in range(each)]
    return pd.DataFrame(rows, columns=["patient", "kind", "a", "b", "c"])


@pytest.fixture(scope="module")
def made():
    return sc.report(cells(), label="kind", groups="patient", n_clusters=3, quick=True,
                     algorithms=["k-means", "fuzzy"], date="2026-01-01")


@pytest.fixture(scope="module")
def text(made):
    return " ".join(re.sub("<.*?>", "", page(made)).split())


def test_intervals_are_those_of_compare_with_groups(made):
    table = cells()
    assert made.objects.columns == ("a", "b", "c"), "groups are no feature"
    for key, against in made.against.items():
        row = against.labels.rows[0]
        by_group, independent = (
            sc.compare(table["kind"].tolist(), made.fit(key).labels, ci="jackknife",
                       measures=["adjusted_rand_index"], **options).rows[0]
            for options in ({"groups": table["patient"].tolist()}, {}))
        assert (row.ci_low, row.ci_high) == (by_group.ci_low, by_group.ci_high)
        assert made.to_data()["limits_by_group"]["limits_if_independent"][key] == [
            independent.ci_low, independent.ci_high]
        assert row.ci_high - row.ci_low > independent.ci_high - independent.ci_low


def test_the_ranking_samples_groups(made):
    expected = sc.rank_clusterings(
        cells()["kind"].tolist(), {fit.title: fit.labels for fit in made.done_fits},
        groups=cells()["patient"].tolist(), n_draws=10_000)
    np.testing.assert_array_equal(made.ranking.high, expected.high)


def test_the_page_says_what_is_sampled(made, text):
    assert "Confidence intervals by patient" in text
    assert "12 groups are sampled" in text
    assert "Confidence intervals treat the patient groups as a sample" in text
    assert made.to_data()["limits_by_group"]["n_groups"] == 12


def test_the_disagreement_is_that_of_explain(made, text):
    best = max(made.against, key=lambda key: made.against[key].labels.rows[0].low)
    names = [str(k + 1) for k in range(3)]
    clusters = sc.HardClustering(made.fit(best).labels.labels, cluster_names=names)
    why = sc.explain(cells()["kind"].tolist(), clusters, names=("kind", made.fit(best).title))
    found = made.to_data()["disagreement"]
    assert found["total"] == pytest.approx(why.total, rel=1e-12)
    assert found["total"] == pytest.approx(
        1 - sc.adjusted_rand_index(cells()["kind"].tolist(), clusters), rel=1e-12)
    assert found["sentences"] == why.changes.sentences()
    for sentence in found["sentences"]:
        assert sentence in text
    assert "disagreement" in made.pictures
    listed = re.search(r"The objects that disagree most(.*?)</table>", page(made), re.DOTALL)[1]
    assert f"row {why.top(1)[0][0] + 1}<" in listed


def test_without_groups_and_without_a_label_there_is_no_section():
    plain = sc.report(cells().drop(columns=["patient", "kind"]), n_clusters=3, quick=True,
                      algorithms="k-means", pictures=False)
    data = plain.to_data()
    assert data["disagreement"] is None
    assert data["limits_by_group"] is None


def test_a_clustering_equal_to_the_label():
    table = pd.DataFrame({"x": [0.0, 0.1, 0.2, 9.0, 9.1, 9.2], "k": list("aaabbb")})
    made = sc.report(table, label="k", n_clusters=2, quick=True, algorithms="k-means",
                     pictures=False)
    assert "k-means and k are the same." in re.sub("<.*?>", "", page(made))


def test_wrong_groups():
    table = cells(4)
    with pytest.raises(sc.ClusteringError, match="no column 'patiant'; similar: 'patient'"):
        sc.report(table, groups="patiant", n_clusters=2)
    with pytest.raises(ValueError, match="'patient' is the groups and among columns="):
        sc.report(table, groups="patient", columns=["a", "patient"], n_clusters=2)
    table.loc[3, "patient"] = None
    with pytest.raises(sc.ClusteringError, match=r"no 'patient' in data row 4.*groups= out"):
        sc.report(table, label="kind", groups="patient", n_clusters=2)


def test_groups_of_rows_that_are_left_out_go_with_them(capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    table = cells(4)
    table.loc[0, "a"] = np.nan
    table.to_csv("cells.csv", index=False)
    from softclust.cli import main
    assert main(["report", "cells.csv", "--label", "kind", "--groups", "patient", "--auto",
                 "--clusters", "2:4", "--algorithms", "k-means", "--quick", "--no-pictures"]) == 0
    assert "report written" in capsys.readouterr().err
    written = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert ("softclust report cells.csv --label kind --groups patient --clusters 2:4 --algorithms "
            "k-means --quick --auto --no-pictures --seed 0") in re.sub("<.*?>", "", written)
