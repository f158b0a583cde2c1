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
            "missing_values": "raise"}


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
     r"misses values: 'sl' in row 15 \(id 'f42'\).*--missing-values median.*--drop.*1 of 50 "
     r"rows out \(--missing-values drop, or --auto\)"),
    (lambda t: t.assign(species=t.species.where(t.index == 4)), {},
     "the label 'species' is missing in all rows but 1"),
    (lambda t: t.assign(note="x"), {},
     r"'note' \('x' in row 1 \(id 'f0'\)\) is not a number.*leave "
     r"out with --drop note, or give --auto, which makes indicators of text"),
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
    (lambda t: t, {"--columns": "id,sl", "--auto": ""},
     "nor text of at most 20 values .*take it out of --columns"),
    (lambda t: t[["id", "species"]], {}, "no column of features"),
    (lambda t: t, {"--id": "species"}, "the id 'setosa' in column 'species' more than once"),
    (lambda t: t, {"--drop": "species"}, "'species' is the label and among --drop"),
])
def test_data_errors_name_rows_columns_and_remedies(run, change, options, message):
    given = {"--label": "species"} | options
    code, out, err = run(write(change(frame())), *QUICK,
                         *[a for p in given.items() for a in p if a])
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
    o = read(data=table, label="species", id="id", missing_values="drop")
    assert (o.n_objects, o.rows_left_out, o.name(2)) == (48, 2, "f9")
    whole = table.assign(sl=(10 * table["sl"]).round().astype("Int64"))   # missing is pd.NA
    for given, factor in ((table, 1.0), (whole, 10.0)):
        filled = read(data=given, label="species", id="id", missing_values="median")
        assert (filled.n_objects, filled.rows_left_out, filled.values_filled) == (50, 0, 2)
        middle = np.median(table["sl"].dropna()) * factor
        np.testing.assert_allclose(filled.original()[[2, 7], 0], middle, rtol=1e-13)
    assert o.label.n_objects == 48


def test_objects_without_label_are_clustered_and_left_out_of_comparisons_with_it(run):
    table = frame()
    whole = read(data=table, label="species", id="id")
    table.loc[[2, 7, 30], "species"] = None
    for drop in ("raise", "drop"):
        o = read(data=table, label="species", id="id", missing_values=drop)
        assert (o.n_objects, o.rows_left_out, o.label.n_objects) == (50, 0, 47)
        np.testing.assert_array_equal(o.x, whole.x)
        assert sorted(set(range(50)) - set(o.labelled.tolist())) == [2, 7, 30]
    given = {"n_clusters": 3, "algorithms": ["fuzzy"], "quick": True}
    found = sc.report(table, label="species", id="id", **given)
    other = sc.report(frame(), label="species", id="id", pictures=False, **given)
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
    given = ("d.csv", "--label", "species", "--clusters", 3, "--algorithms", "k-means", *QUICK)
    code, out, _ = run(*given, "--noise", "drop", "--json", "o.json")
    assert code == 0
    assert "“species” is missing for 2 of 50 objects" in out
    assert "“species” is noise for 3 of 50 objects" in out
    run(*given, "--no-pictures", "--out", "kept.html")
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
        sc.report(frame(), label="species", id="id", n_clusters=clusters, pictures=False)


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
    table = table.assign(note=[f"n{i // 2}" for i in table.index], same=1.0,
                         sl=table.sl.where(table.index != table.index[3]))
    found = sc.report(table, label="species", auto=True, n_clusters=3, algorithms="k-means",
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
    kept = sc.report(x.assign(g=groups), label="g", n_clusters=range(2, 4), algorithms="k-means",
                     quick=True, pictures=False, id=False)
    assert kept.plan.candidates == (2, 3), "a range that was given stays"


def test_columns_may_be_an_index_of_pandas():
    table = pd.DataFrame(np.random.default_rng(0).normal(size=(20, 3)), columns=list("pqr"))
    for options in ({"columns": table.columns[:2]}, {"drop": table.columns[2:]}):
        found = sc.report(table, n_clusters=2, algorithms="k-means", quick=True, pictures=False,
                          **options)
        assert found.fits[0].centers.shape == (2, 2)


# -- text, dates and gaps -----------------------------------------------------------------------
def customers(n, seed=0):
    """Customers with numbers, texts, dates, remarks; 3 to 10 % of the values are missing."""
    g = np.random.default_rng(seed)
    segment = g.integers(3, size=n)
    table = pd.DataFrame({
        "customer_id": [f"c{i}" for i in range(n)], "age": 30.0 + 12 * segment + g.normal(0, 4, n),
        "spent": np.round(50.0 * (3 - segment) + g.normal(0, 12, n), 2),
        "city": g.choice(["Bergen", "Oslo", "Tromso"], size=n),
        "plan": np.array(["basic", "plus"])[(segment + g.integers(2, size=n)) % 2],
        "since": (np.datetime64("2020-01-01") + g.integers(900, size=n)).astype(str),
        "remark": [f"called {g.integers(10**6)} times" for _ in range(n)]})
    for column, share in zip(table.columns[1:], (0.03, 0.05, 0.1, 0.03, 0.05, 0.1)):
        table[column] = table[column].where(g.random(n) >= share, None)
    return table


def features_by_hand(table, median):
    """Ids and features of a table of customers, in plain Python."""
    import datetime
    rows = table.astype(object).where(table.notna(), None).to_dict("records")
    for row in rows:
        if row["since"] is not None:
            row["since"] = (datetime.date.fromisoformat(row["since"])
                            - datetime.date(1970, 1, 1)).days
    used = ["age", "spent", "city", "plan", "since"]
    if not median:
        rows = [row for row in rows if all(row[c] is not None for c in used)]
    for c in ("age", "spent", "since"):
        there = sorted(row[c] for row in rows if row[c] is not None)
        middle = (there[(len(there) - 1) // 2] + there[len(there) // 2]) / 2
        values = [middle if row[c] is None else row[c] for row in rows]
        mean = sum(values) / len(values)
        sd = (sum((v - mean)**2 for v in values) / (len(values) - 1))**0.5
        for row, value in zip(rows, values):
            row[c] = (value - mean) / sd
    towns = ["Bergen", "Oslo", "Tromso"]
    if median:
        towns.insert(0, None)
    plans = [None, "basic", "plus"][not median:]
    return [row["customer_id"] for row in rows], [
        [row["age"], row["spent"], *(float(row["city"] == v) for v in towns),
         *(float(row["plan"] == v) for v in plans), row["since"]] for row in rows]


@pytest.mark.parametrize("median", [False, True])
def test_text_becomes_indicators_and_dates_become_days(median):
    table = customers(200)
    o = read(data=table, auto=True, missing_values="median" if median else "raise")
    ids, x = features_by_hand(table, median)
    assert o.names == tuple(ids)
    np.testing.assert_allclose(o.x, x, rtol=1e-12, atol=1e-13)   # rounding of 200 additions
    missing = ("city = (missing)",) * median
    assert o.columns == ("age", "spent", *missing, "city = Bergen", "city = Oslo", "city = Tromso",
                         *("plan = (missing)",) * median, "plan = basic", "plan = plus", "since")
    assert (o.encoding.dates, o.left_out, o.left_out_text) == (("since",), ("remark",), ("remark",))
    gaps = table[["age", "spent", "city", "plan", "since"]].isna()
    assert o.rows_left_out == (0 if median else gaps.any(axis=1).sum())
    assert o.values_filled == (gaps.to_numpy().sum() if median else 0)
    np.testing.assert_allclose(o.original()[:, 0], table["age"].fillna(table["age"].median())[
        table["customer_id"].isin(ids)].astype(float), rtol=1e-13)


def test_frames_with_dates_and_categories_read_like_files():
    table = customers(60)
    write(table)
    pl = pytest.importorskip("polars")
    typed = table.assign(since=pd.to_datetime(table["since"]), city=table["city"].astype(
        "category"))
    of_polars = pl.DataFrame({c: [None if v != v else v for v in table[c]] for c in table})
    ways = [read(data=data, auto=True) for data in (table, "d.csv", typed, of_polars)]
    for o in ways[1:]:
        assert (o.columns, o.names) == (ways[0].columns, ways[0].names)
        np.testing.assert_array_equal(o.x, ways[0].x)


def test_texts_that_are_no_categories_are_left_out_and_named():
    n = 50
    table = pd.DataFrame({"v": np.random.default_rng(0).normal(size=n),
                          "many": [f"a{i % 21}" for i in range(n)],
                          "twenty": [f"a{i % 20}" for i in range(n)],
                          "yes": np.arange(n) % 2 == 0, "one": "x",
                          "odd": ["3.4.2021"] * 25 + ["5/6/2021"] * 25, "none": [None] * n,
                          "stay": pd.to_timedelta(np.arange(n) ** 2, unit="h")})
    o = read(data=table, auto=True, id=False)
    assert set(o.left_out) == {"many", "one", "none"}
    assert {k: len(v) for k, v in o.encoding.texts.items()} == {"twenty": 20, "yes": 2, "odd": 2}
    assert o.original()[:, -1].tolist() == pytest.approx([i**2 / 24 for i in range(n)], rel=1e-12)
    short = read(data=table[:8], auto=True, id=False)
    assert set(short.encoding.texts) == {"yes"}   # of 8 rows at most 4 values


def test_a_report_of_customers_runs_at_the_first_try(run, folder):
    table = customers(5000)
    code, _, err = run(write(table, "c.csv"), *QUICK)
    assert code == 1
    assert "'city'" in err
    assert "--auto" in err
    code, out, err = run("c.csv", "--auto", "--algorithms", "k-means", "--no-pictures", *QUICK,
                         "--json", "c.json", "--clusters", 3)
    assert (code, "Traceback" in err) == (0, False)
    kept = len(features_by_hand(table, False)[0])
    assert f"{5000 - kept:,} of 5,000 rows (2" in out
    assert "--missing-values median keeps the rows" in out
    assert "“city” (3 values) and “plan” (2 values) became indicators" in out
    assert "√2 = 1.4" in out
    assert "“remark” (text)" in out
    import json
    found = json.loads(Path("c.json").read_text(encoding="utf-8"))
    assert found["data"]["indicators"] == {"city": ["Bergen", "Oslo", "Tromso"],
                                           "plan": ["basic", "plus"]}
    assert found["objects"]["names"][:3] == features_by_hand(table, False)[0][:3]
    assert "--auto" in found["command"]


def test_few_rows_with_gaps_need_no_other_way(run):
    table = customers(300)[["age", "spent", "city"]].dropna(subset=["age", "city"])[:200]
    table.iloc[3, 1] = None
    out = sc.report(table.reset_index(drop=True), auto=True, n_clusters=3, algorithms="k-means",
                    quick=True, pictures=False).summary()
    assert "with missing values were left out" in out
    assert "median" not in out


def test_another_cohort_has_the_same_indicators():
    first, second = customers(200), customers(150, seed=1)
    second = second[second["city"] != "Oslo"].reset_index(drop=True)
    o = read(data=first, auto=True)
    options = {"auto": True, "columns": o.encoding.given, "like": o.encoding}
    cohort = read(data=second, **options)
    assert cohort.columns == o.columns
    assert not cohort.x[:, cohort.columns.index("city = Oslo")].any()
    second.loc[0, "city"] = "Bodo"
    with pytest.raises(sc.ClusteringError, match="has 'Bodo' in column 'city'"):
        read(data=second, missing_values="median", **options)


@pytest.mark.slow
def test_clusters_of_customers_are_found_again():
    """Indicators are no more scaled for the other cohort than in the report."""
    found = sc.report(customers(300), cohort=customers(300, seed=1), auto=True, n_clusters=3,
                      algorithms="k-means", quick=True, pictures=False)
    assert found.more["again"].agreement[0, 1] > 0.9
    assert found.objects.cohort.columns == found.objects.columns
