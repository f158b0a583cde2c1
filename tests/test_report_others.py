"""Reports beside other data: what changed since last week, and found again in a cohort?"""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.cluster import KMeans

import softclust as sc
from softclust.cli import main

IRIS = sc.datasets.load_iris()
FRAME = pd.DataFrame(IRIS.data, columns=[f"f{k}" for k in range(4)],
                     index=[f"flower {i}" for i in range(150)])
QUICK = {"n_clusters": 3, "quick": True, "pictures": False, "algorithms": "k-means"}


def z(frame):
    return (frame - frame.mean()) / frame.std()


def test_what_changed_since_last_week(tmp_path):
    path = tmp_path / "last.csv"
    # another order, five flowers fewer, two clusters merged
    last = pd.Series(KMeans(3, n_init=5, random_state=0).fit_predict(z(FRAME)), index=FRAME.index)
    merged = last.replace({2: 1}).iloc[::-1].iloc[5:]
    merged.rename("cluster").to_csv(path, index_label="id")
    found = sc.report(FRAME, compare=path, **QUICK)
    assert ("The clusters of last.csv and those of today differ by more than seeds of k-means "
            "explain (p = 0.05). The adjusted Rand index is ") in found.summary()
    data = found.to_data()["changed"]
    assert data["n_objects"] == 145
    assert data["changed"] is True
    assert [e["kind"] for e in data["events"]].count("split") == 1
    page = found.to_data()["text"]["changed"]
    assert any("is split into k-means now" in text for text in page)
    assert any("k-means was run 19 times" in text for text in page)


def test_the_same_clusters_did_not_change():
    again = KMeans(3, n_init=10, random_state=3).fit_predict(z(FRAME))
    found = sc.report(FRAME.reset_index(drop=True), compare=again, **QUICK)
    assert ("There is no evidence that the clusters of the given labels and those of today differ "
            "by more than seeds") in found.summary()
    assert found.to_data()["changed"]["changed"] is False


def test_clusters_found_again_in_a_cohort(tmp_path, capsys):
    rng = np.random.default_rng(0)
    blobs = pd.DataFrame(rng.normal(size=(120, 2))
                         + np.repeat([[0, 0], [8, 0], [0, 8]], 40, axis=0))
    for name, part in (("first", blobs.iloc[::2]), ("second", blobs.iloc[1::2])):
        part.to_csv(tmp_path / f"{name}.csv", index_label="id")
    out, numbers = tmp_path / "report.html", tmp_path / "report.json"
    assert main(["report", str(tmp_path / "first.csv"), "--cohort", str(tmp_path / "second.csv"),
                 "--clusters", "3", "--quick", "--no-pictures", "--algorithms", "k-means",
                 "--out", str(out), "--json", str(numbers)]) == 0
    printed = capsys.readouterr().out
    assert "3 clusters of first.csv are found again in second.csv" in printed
    page = out.read_text(encoding="utf-8")
    assert "Found again?" in page
    assert "--cohort" in page
    data = json.loads(numbers.read_text(encoding="utf-8"))["replication"]
    assert data["replicated"] is True
    assert np.array(data["agreement"])[0, 1] > 0.9


@pytest.mark.parametrize(("options", "message"), [
    ({"compare": FRAME.iloc[:, :2]}, "one column of clusters is needed"),
    ({"compare": [0, 1, 1]}, "3 objects and the data 150"),
    ({"cohort": FRAME.iloc[:, :2]}, "f2")])
def test_other_files_that_do_not_fit(options, message):
    with pytest.raises(ValueError, match=message):
        sc.report(FRAME, **options, **QUICK)


def test_reports_without_them_have_no_such_sections():
    found = sc.report(FRAME, **QUICK)
    assert found.to_data()["changed"] is None
    assert found.to_data()["replication"] is None
    assert "changed" not in found.to_data()["text"]
