"""The report: what is refused, with row, column and remedy."""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from report_frames import IRIS, QUICK, frame, write

import softclust as sc
from softclust import cli
from softclust.reporting.data import read_objects

DEFAULTS = {"label": None, "columns": None, "drop": None, "id": None, "scale": "standard",
            "drop_missing": False}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(capsys):
    def call(*arguments):
        code = cli.main(["report", *map(str, arguments)])
        said = capsys.readouterr()
        return code, said.out, said.err
    return call


def read(**options):
    return read_objects(options.pop("data"), **{**DEFAULTS, **options})


def test_features_are_standardised_and_the_label_kept_apart():
    o = read(data=frame(), label="species", id="id")
    assert o.columns == ("sl", "sw", "pl", "pw")
    np.testing.assert_allclose(o.x.mean(axis=0), 0, atol=1e-14)   # rounding of 50 additions
    np.testing.assert_allclose(o.x.std(axis=0, ddof=1), 1, rtol=1e-14)
    np.testing.assert_allclose(o.original(), frame()[["sl", "sw", "pl", "pw"]], rtol=1e-13)
    assert o.label.cluster_names == ("setosa", "versicolor", "virginica")
    assert o.name(1) == "f3"
    assert not o.x.flags.writeable


def test_numeric_labels_are_ordered_as_numbers():
    table = frame().assign(species=[10, 9] * 25)
    assert read(data=table, label="species", id="id").label.cluster_names == ("9", "10")


def test_matrices_have_features_by_number():
    o = read(data=IRIS.data[:9], scale="none")
    assert o.columns == ("x1", "x2", "x3", "x4")
    assert o.name(0) == "row 1"
    np.testing.assert_array_equal(o.x, IRIS.data[:9])


@pytest.mark.parametrize(("change", "options", "message"), [
    (lambda t: t.assign(sl=t.sl.where(t.sl > 4.5)), {},
     r"misses values: 'sl' in row 15 \(id 'f42'\).*--drop.*1 of 50 rows out \(--drop-missing, "
     r"or --auto\)"),
    (lambda t: t.assign(species=t.species.where(t.index == 4)), {},
     "the label 'species' is missing in all rows but 1"),
    (lambda t: t.assign(note="x"), {},
     r"'note' \('x' in row 1 \(id 'f0'\)\) is not a number.*leave "
     r"out with --drop note, or leave out all such columns with --auto"),
    (lambda t: t.assign(yes=True), {}, "'yes' \\(True or False"),
    (lambda t: t.assign(sl=t.sl.astype(str).str.replace(".", ",")), {},
     "decimal commas with --decimal ','"),
    (lambda t: t.assign(one=1.0, two=2), {}, "'one', 'two' are the same in every row.*--drop one,"),
    (lambda t: t.assign(id="a"), {}, "the id 'a' in column 'id' more than once"),
    (lambda t: t, {"--label": "Specie"}, "no column 'Specie'; similar: 'species'"),
    (lambda t: t, {"--label": "q"}, "no column 'q'; it has 'sl', 'sw'"),
    (lambda t: t, {"--label": "id", "--drop": "species"},
     "the label 'id' has 50 different values in 50 rows"),
    (lambda t: t.assign(species="a"), {}, "the label 'species' is 'a' in every row"),
    (lambda t: t[:1], {}, "has 1 row; at least 4"),
    (lambda t: t.assign(sl=np.inf), {}, "inf in row 1"),
    (lambda t: pd.concat([t[::20]] * 4).assign(id=range(12)), {"--clusters": "3"},
     "3 distinct rows; at most 2 clusters"),
    (lambda t: t, {"--columns": "sl,species", "--label": "id"}, "is not a number"),
    (lambda t: t, {"--columns": "id,sl"}, "'id' .*is not a number.*take it out of --columns"),
    (lambda t: t[["id", "species"]], {}, "no column of features"),
    (lambda t: t, {"--id": "species"}, "the id 'setosa' in column 'species' more than once"),
    (lambda t: t, {"--drop": "species"}, "'species' is the label and among --drop"),
])
def test_data_errors_name_rows_columns_and_remedies(run, change, options, message):
    given = {"--label": "species"} | options
    code, out, err = run(write(change(frame())), *QUICK, *[a for p in given.items() for a in p])
    assert (code, out) == (1, "")
    assert re.search(message, err), err
    assert "Traceback" not in err
    assert not Path("report.html").exists()


@pytest.mark.parametrize(("text", "message"), [
    ("", "d.csv is empty"),
    ("a,b\n", "no rows"),
    ("a;b\n1;2\n3;4\n5;6\n", "one column, 'a;b': it seems to be separated by semicolons; if so, "
     "use --separator ';'"),
    ("a,b\n1,2\n3,4,5\n6,7\n", "3 cells in line 3 and 2 column names"),
    ("a,a\n1,2\n", "two columns called 'a'"),
    ("1.5,2\n3,4\n", "--header"),
])
def test_files_that_are_no_tables(run, text, message):
    Path("d.csv").write_text(text)
    code, _, err = run("d.csv", *QUICK)
    assert code == 1
    assert message in err


def test_bytes_are_no_table(run):
    Path("d.csv").write_bytes(bytes(range(255, 100, -1)))
    assert "UTF-8" in run("d.csv")[2]


def test_separators_and_decimals():
    table = frame()
    write(table, sep=";", decimal=",")
    again = read(data="d.csv", label="species", separator=";", decimal=",")
    np.testing.assert_array_equal(again.x, read(data=table, label="species", id="id").x)
    write(table[["sl", "sw"]], sep=";", decimal=",")   # a first column that is not an id
    np.testing.assert_array_equal(read(data="d.csv", separator=";", decimal=",", scale="none").x,
                                  table[["sl", "sw"]])


def test_columns_that_were_left_out_are_listed():
    write(frame().assign(note="x"))
    assert read(data="d.csv", label="species", drop=["note"]).left_out == ("note",)
    chosen = read(data="d.csv", label="species", columns=["pl", "pw"])
    assert chosen.columns == ("pl", "pw")
    assert chosen.left_out == ("sl", "sw", "note")


@pytest.mark.parametrize("first", [0, 1])
def test_a_column_that_counts_the_rows_is_no_feature(first):
    table = frame().assign(sample=np.arange(50) + first)
    write(table)
    for data in (table.drop(columns="id"), "d.csv"):
        o = read(data=data, label="species")
        assert o.columns == ("sl", "sw", "pl", "pw")
        assert (o.counting, o.left_out) == (("sample",), ())
    assert "sample" in read(data="d.csv", label="species", columns=["sl", "sample"]).columns
    assert read(data=table[["sample"]]).columns == ("sample",)
    shuffled = table.assign(sample=table["sample"].to_numpy()[::-1])
    assert "sample" in read(data=shuffled, label="species", id="id").columns


def test_a_label_that_is_no_name_of_a_column():
    with pytest.raises(TypeError, match=r"label is of type Series.*data.assign\(label="):
        sc.report(frame(), label=frame()["species"])


def test_rows_with_missing_values_leave_only_on_request():
    table = frame()
    table.loc[[2, 7], "sl"] = np.nan
    o = read(data=table, label="species", id="id", drop_missing=True)
    assert (o.n_objects, o.rows_left_out, o.name(2)) == (48, 2, "f9")
    assert o.label.n_objects == 48


def test_objects_without_label_are_clustered_and_left_out_of_comparisons_with_it(run):
    table = frame()
    whole = read(data=table, label="species", id="id")
    table.loc[[2, 7, 30], "species"] = None
    for drop in (False, True):
        o = read(data=table, label="species", id="id", drop_missing=drop)
        assert (o.n_objects, o.rows_left_out, o.label.n_objects) == (50, 0, 47)
        np.testing.assert_array_equal(o.x, whole.x)
        assert sorted(set(range(50)) - set(o.labelled.tolist())) == [2, 7, 30]
    given = {"clusters": 3, "algorithms": ["fuzzy"], "quick": True}
    found = sc.report(table, label="species", id="id", **given)
    other = sc.report(frame(), label="species", id="id", **given)
    for fit, same in zip(found.fits, other.fits):
        np.testing.assert_array_equal(fit.labels.labels, same.labels.labels)
        row = found.against[fit.key].labels.rows[0]
        assert row.low == sc.adjusted_rand_index(o.label, fit.labels.subset(o.labelled))
    assert "label" not in found.matrix.names[0]
    assert found.to_frame()["species"].isna().sum() == 3
    assert found.to_data()["data"]["label"]["n_without"] == 3
    found.to_html("o.html")
    text = Path("o.html").read_text(encoding="utf-8")
    assert "missing for 3 of 50 objects" in text
    assert "3 objects without a label are grey" in text


def test_noise_in_the_label_is_a_group_or_left_out(run):
    table = frame().replace({"species": {"setosa": "0", "versicolor": "1", "virginica": "2"}})
    table["species"] = table["species"].astype(float)
    table.loc[[2, 7, 30], "species"], table.loc[[4, 31], "species"] = -1.0, np.nan
    o = read(data=table, label="species", id="id")
    assert o.label.cluster_names == ("-1", "0", "1", "2")   # whole numbers, in spite of the gaps
    assert (o.label_alignment.n_noise, o.label_alignment.n_missing) == ((0, 3), (0, 2))
    o = read(data=table, label="species", id="id", noise="drop")
    assert sorted(set(range(50)) - set(o.labelled.tolist())) == [2, 4, 7, 30, 31]
    assert o.label.cluster_names == ("0", "1", "2")
    o = read(data=table, label="species", id="id", missing="cluster", noise="drop",
             noise_label={"0", 1})
    assert o.label.cluster_names == ("-1", "2", "missing")
    write(table)
    code, out, _ = run("d.csv", "--label", "species", "--clusters", 3, "--noise", "drop", *QUICK,
                       "--json", "o.json")
    assert code == 0
    assert "“species” is missing for 2 of 50 objects" in out
    assert "“species” is noise for 3 of 50 objects" in out
    run("d.csv", "--label", "species", "--clusters", 3, *QUICK, "--out", "kept.html")
    assert "3 of 50 objects (6 %) have the label of noise and count as one more group; " in Path(
        "kept.html").read_text(encoding="utf-8")
    import json
    found = json.loads(Path("o.json").read_text(encoding="utf-8"))
    assert found["command"].count("--noise drop") == 1
    label = found["data"]["label"]
    assert [label[k] for k in ("n_without", "noise", "n_noise", "missing", "n_missing")] == [
        5, "drop", 3, "drop", 2]
    fit = np.array(found["objects"]["clusters"]["k-means"])
    known = (table["species"] >= 0).to_numpy()
    row = next(r for one in found["label_agreement"] if one["key"] == "k-means"
               for r in one["hardened"] if r["measure"] == "adjusted_rand_index")
    assert row["low"] == pytest.approx(sc.adjusted_rand_index(
        table["species"][known].to_numpy(), fit[known]), abs=1e-12)
    with pytest.raises(sc.ClusteringError, match="species: 3 objects are noise"):
        read(data=table, label="species", id="id", noise="raise")
    with pytest.raises(ValueError, match="a report takes 'cluster', 'drop', 'raise'"):
        read(data=table, label="species", id="id", noise="singletons")


def test_an_index_serves_as_ids():
    table = frame().set_index("id")
    assert read(data=table, label="species").name(1) == "f3"
    assert read(data=table, label="species", id=False).name(1) == "row 2"
    table.index = ["a"] * 50
    with pytest.raises(sc.ClusteringError, match=r"'a' more than once.*id=False"):
        read(data=table, label="species")


def test_the_first_column_may_be_the_label():
    write(frame()[["species", "sl", "sw", "pl"]])
    assert read(data="d.csv", label="species").columns == ("sl", "sw", "pl")


@pytest.mark.parametrize(("clusters", "message"), [
    (1, "distinct whole numbers >= 2"), ([2, 2], "distinct"), ("x", "whole numbers"),
    (2.5, "whole numbers"), ([], "distinct"), (60, "at most 49 clusters"),
])
def test_numbers_of_clusters_in_python(clusters, message):
    with pytest.raises(ValueError, match=message):
        sc.report(frame(), label="species", id="id", clusters=clusters, pictures=False)


@pytest.mark.parametrize(("options", "message"), [
    ({"algorithms": "kmeans"}, "similar: 'k-means'"), ({"algorithms": ["qqq"]}, "choose one of"),
    ({"seed": -1}, "seed is -1"), ({"seed": 1.5}, "seed"), ({"scale": "log"}, "scale"),
    ({"columns": ["sl"], "drop": ["sw"]}, "exclude each other"),
    ({"drop": ["sl", "sl"]}, "names a column twice"),
])
def test_options_in_python(options, message):
    with pytest.raises(ValueError, match=message):
        sc.report(frame(), **({"label": "species", "id": "id", "pictures": False} | options))


@pytest.mark.parametrize("data", [[[1, 2], [3]], "text", [1, 2, 3], [["a"], ["b"]]])
def test_what_is_no_table_in_python(data):
    with pytest.raises((sc.ClusteringError, FileNotFoundError)):
        sc.report(data, pictures=False)


def test_auto_leaves_out_what_cannot_be_used():
    """Text, constants and rows with gaps; the record names them."""
    table = frame()
    table = table.assign(note="x", same=1.0, sl=table.sl.where(table.index != table.index[3]))
    found = sc.report(table, label="species", auto=True, clusters=3, algorithms="k-means",
                      quick=True, pictures=False)
    assert {"note", "same"} <= set(found.objects.left_out)
    assert found.objects.rows_left_out == 1
    with pytest.raises(sc.ClusteringError, match="auto=True"):
        sc.report(table, label="species", quick=True, pictures=False)


def test_the_number_of_groups_is_tried():
    rng = np.random.default_rng(0)
    groups = np.repeat(np.arange(8), 6)
    x = pd.DataFrame(rng.normal(size=(48, 2)) + 9.0 * groups[:, None], columns=["a", "b"])
    found = sc.report(x.assign(g=groups), label="g", algorithms="k-means", quick=True,
                      pictures=False, id=False)
    assert found.plan.candidates == tuple(range(2, 10))
    kept = sc.report(x.assign(g=groups), label="g", clusters=range(2, 4), algorithms="k-means",
                     quick=True, pictures=False, id=False)
    assert kept.plan.candidates == (2, 3), "a range that was given stays"


def test_columns_may_be_an_index_of_pandas():
    table = pd.DataFrame(np.random.default_rng(0).normal(size=(20, 3)), columns=list("pqr"))
    for options in ({"columns": table.columns[:2]}, {"drop": table.columns[2:]}):
        found = sc.report(table, clusters=2, algorithms="k-means", quick=True, pictures=False,
                          **options)
        assert found.fits[0].centers.shape == (2, 2)
