"""What the report says of clusters and known classes."""

import numpy as np
import pandas as pd
import pytest
from report_frames import IRIS

import softclust as sc
from softclust.reporting.section import in_short
from softclust.results.text import counting_from
from softclust.tables.correspondence import headline

NAMES = ["setosa", "versicolor", "virginica"]


def table(counts, names=NAMES):
    return sc.ContingencyTable.from_counts(counts, rows=names, columns=range(len(counts[0])))


@pytest.mark.parametrize(("counts", "told"), [
    ([[50, 0], [0, 50], [0, 50]],
     "“setosa” has a cluster of its own, and “versicolor” and “virginica” share one"),
    ([[50, 0, 0], [0, 39, 11], [0, 14, 36]], "each group has a cluster of its own"),
    ([[25, 25, 0], [0, 0, 50], [0, 0, 50]],
     "“versicolor” and “virginica” share one cluster, and “setosa” is spread over several"),
    ([[5, 5, 5, 5], [6, 4, 5, 5], [5, 5, 4, 6]], "every group is spread over many"),
])
def test_headlines(counts, told):
    assert headline(table(counts)) == told
    assert table(counts).sentence.startswith(f"{told[0].upper()}{told[1:]}; ")


def test_headlines_of_many_classes_count():
    names = [f"g{k}" for k in range(20)]
    counts = np.zeros((20, 5), dtype=int)
    counts[np.arange(20), np.arange(20) // 4] = 9
    assert headline(table(counts, names)) == "none of the 20 groups have clusters of their own"
    counts = 9 * np.eye(20, dtype=int)
    assert headline(table(counts, names), "kind") == (
        "each group of “kind” has a cluster of its own")


def test_mergers_and_splits_are_named():
    with counting_from(1):
        said = table([[50, 0, 0], [2, 48, 0], [0, 25, 25]]).sentences()
    assert said == ["Cluster 1 is “setosa” (and 2 other objects); cluster 2 is “versicolor” and "
                    "“virginica”; cluster 3 is “virginica”.",
                    "“virginica” is split between clusters 2 and 3."]


@pytest.fixture(scope="module")
def flowers():
    table = pd.DataFrame(IRIS.data, columns=["sl", "sw", "pl", "pw"])
    table["species"] = [IRIS.label_names[k] for k in IRIS.labels]
    return sc.report(table, label="species", quick=True, algorithms="k-means", n_clusters=[2, 4],
                     pictures=False)


def test_the_number_of_classes_stands_beside_the_chosen_number(flowers, tmp_path):
    assert flowers.n_clusters == 2
    first, second, *rest = in_short(flowers)
    assert first == ("There is evidence of 2 clusters (p = 0.025 against data of one cluster). The "
                     "most reproducible number is 2, but 4 may be as good. Divided into 2 "
                     "clusters: “setosa” has a cluster of its own, and "
                     "“versicolor” and “virginica” share one.")
    assert second.startswith("With 3 clusters, as many as “species” has groups, each group has a "
                             "cluster of its own: 125 of 150 objects (83 %) are in the cluster of "
                             "their own group")
    assert second.endswith("14 of “virginica” are in that of “versicolor”, 11 the other way round "
                           "(adjusted Rand index 0.62).")
    assert any("nearest to the label. The adjusted Rand index is 0.57 (95 % confidence interval "
               "0.47 to 0.66; chance gives 0)." in text for text in rest)
    found = flowers.at_classes
    fit = flowers.fit("k-means")
    assert found.n_clusters == (3, 3)
    assert found.n_objects == 150
    data = flowers.to_data()["number_of_clusters"]["at_number_of_classes"]
    assert data["adjusted_rand_index"] == sc.adjusted_rand_index(found)
    assert data["n_moved"] == sc.transfer_distance(found)
    assert data["counts"] == found.dense().tolist()
    assert fit.labels.n_clusters == 2
    page = tmp_path / "o.html"
    flowers.to_html(page)
    text = page.read_text(encoding="utf-8")
    assert "Cluster 1 is “versicolor” and “virginica”; cluster 2 is “setosa”." in text
    assert "2 (chosen)" in text
    assert "3 (groups of species)" in text


def test_doubts_do_not_contradict_the_label():
    rng = np.random.default_rng(2)
    x = rng.normal(size=(150, 60))   # many features, of which few tell groups apart
    x[:75, :12] += 1.6
    table = pd.DataFrame(x, columns=[f"x{j}" for j in range(60)])
    table["group"] = ["a"] * 75 + ["b"] * 75
    found = sc.report(table, label="group", quick=True, algorithms="k-means", n_clusters=[2, 3],
                      pictures=False)
    text = found.summary()
    assert sc.adjusted_rand_index(found.at_classes) > 0.65
    assert "There may be no clusters" not in text
    assert text.startswith("There is evidence of 2 clusters (p = 0.025 against data of one "
                           "cluster). The data suggest 2 clusters: each group of “group” has a "
                           "cluster of its own; all 150 objects are in the cluster of their own "
                           "group.")
    assert "With 60 features silhouettes are small" in text


def test_features_are_named_and_codes_pointed_out(tmp_path):
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"size": rng.normal(size=60), "weight": rng.normal(size=60),
                          "region": rng.integers(1, 4, 60)})
    found = sc.report(table, quick=True, algorithms="k-means", n_clusters=2)
    found.to_html(tmp_path / "o.html")
    text = (tmp_path / "o.html").read_text(encoding="utf-8")
    assert "60 objects with 3 features: “size”, “weight” and “region”." in text
    assert "“region” holds only a few distinct whole numbers" in text
    assert "cluster 1 (" in text   # the alternative text of a picture
