"""The report: data that are refused, steps, sentences, HTML, JSON, interruption, determinism."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import softclust as sc
from softclust import cli
from softclust.report import command, pictures, sentences, steps, words
from softclust.report.data import Objects, read_objects

IRIS = sc.datasets.load_iris()
QUICK = ["--quick", "--date", "2026-01-01"]
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


def frame(step=3):
    """Some iris flowers with short names and ids."""
    table = pd.DataFrame(IRIS.data, columns=["sl", "sw", "pl", "pw"])
    table.insert(0, "id", [f"f{i}" for i in range(150)])
    table["species"] = [IRIS.label_names[k] for k in IRIS.labels]
    return table[::step].reset_index(drop=True)


def write(table, name="d.csv", **options):
    table.to_csv(name, index=False, **options)
    return name


@pytest.fixture(scope="module")
def full():
    """One report with everything, made once."""
    return sc.report(frame(), label="species", id="id", clusters=range(2, 5), quick=True,
                     date="2026-01-01")


def read(**options):
    return read_objects(options.pop("data"), **{**DEFAULTS, **options})


# -- data ---------------------------------------------------------------------------------------
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
     r"misses values: 'sl' in row 15 \(id 'f42'\).*--drop.*1 of 50 rows out \(--drop-missing\)"),
    (lambda t: t.assign(species=t.species.where(t.index != 4)), {},
     r"'species' in row 5 \(id 'f12'\)"),
    (lambda t: t.assign(note="x"), {},
     r"'note' \('x' in row 1 \(id 'f0'\)\) is not a number.*Nothing is left out unasked: leave "
     r"out with --drop note"),
    (lambda t: t.assign(yes=True), {}, "'yes' \\(True or False"),
    (lambda t: t.assign(sl=t.sl.astype(str).str.replace(".", ",")), {},
     "decimal commas with --decimal ','"),
    (lambda t: t.assign(one=1.0, two=2), {}, "'one', 'two' are the same in every row.*--drop one,"),
    (lambda t: t.assign(id="a"), {}, "the id 'a' in column 'id' more than once"),
    (lambda t: t, {"--label": "Specie"}, "no column 'Specie'; near: 'species'"),
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
    ("a;b\n1;2\n3;4\n5;6\n", "one column, 'a;b': it seems to be separated by ;; say so with "
     "--separator ';'"),
    ("a,b\n1,2\n3,4,5\n6,7\n", "cannot be read as a table"),
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
    write(table[["sl", "sw"]], sep=";", decimal=",")   # a first column that is no id
    np.testing.assert_array_equal(read(data="d.csv", separator=";", decimal=",", scale="none").x,
                                  table[["sl", "sw"]])


def test_columns_that_were_left_out_are_listed():
    write(frame().assign(note="x"))
    assert read(data="d.csv", label="species", drop=["note"]).left_out == ("note",)
    chosen = read(data="d.csv", label="species", columns=["pl", "pw"])
    assert chosen.columns == ("pl", "pw")
    assert chosen.left_out == ("sl", "sw", "note")


def test_rows_with_missing_values_leave_only_on_request():
    table = frame()
    table.loc[[2, 7], "sl"] = np.nan
    o = read(data=table, label="species", id="id", drop_missing=True)
    assert (o.n_objects, o.rows_left_out, o.name(2)) == (48, 2, "f9")
    assert o.label.n_objects == 48


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
    ({"algorithms": "kmeans"}, "near: 'k-means'"), ({"algorithms": ["qqq"]}, "choose one of"),
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


# -- numbers ------------------------------------------------------------------------------------
def test_every_step_is_done(full):
    assert [s for s in full.steps if s.state != "done"] == []
    assert full.complete
    done = [fit.key for fit in full.done_fits]
    assert done == ["k-means", "mixture", "fuzzy", "rough", "evidential", "possibilistic",
                    "bagged"]


def test_numbers_are_those_of_the_functions(full):
    label, k = full.objects.label, full.n_clusters
    for fit in full.done_fits:
        against = full.against[fit.key]
        assert fit.clustering.n_clusters == k
        assert against.labels.value("adjusted_rand_index") == sc.adjusted_rand_index(
            label, fit.labels)
        assert against.soft.value("alpha_rand_interval") == sc.alpha_rand_interval(
            label, fit.clustering)
        assert full.matrix["species", fit.title] == against.soft.value("alpha_rand_interval")
    shares = full.fit("bagged").clustering.membership
    np.testing.assert_array_equal(full.stability.share, shares.max(axis=1))


def test_clusters_have_one_order(full):
    first = full.fit("k-means").labels.labels
    sizes = np.bincount(first)
    assert list(sizes) == sorted(sizes, reverse=True)
    for fit in full.done_fits:
        same = (fit.labels.labels == first).mean()
        assert same >= max((np.roll(np.arange(full.n_clusters), r)[fit.labels.labels] == first
                            ).mean() for r in range(full.n_clusters))


def test_most_criteria_decide(full):
    bests = [c.best for c in full.criteria.values()]
    assert bests.count(full.n_clusters) == max(bests.count(k) for k in bests)
    assert set(full.label_curve) == {2, 3, 4}


@pytest.mark.parametrize(("bests", "chosen"), [((3, 2, 2), 2), ((4, 3, 2), 4), ((-1, 5, 3), 5),
                                               ((2, 2, 3), 2), ((4, 1, 1), 4)])
def test_ties_go_to_the_first_criterion(bests, chosen):
    class One:
        def __init__(self, best):
            self.best = best
    work = steps.Work.__new__(steps.Work)
    work.found = {"criteria": dict(enumerate(map(One, bests)))}
    work._choose()
    assert work.found["n_clusters"] == chosen


def test_data_without_clusters_are_called_so():
    noise = np.random.default_rng(0).normal(size=(60, 3))
    found = sc.report(noise, clusters=[2, 3], algorithms="k-means", quick=True, pictures=False)
    assert found.criteria["gap"].n_clusters.tolist() == [1, 2, 3]
    assert found.criteria["gap"].best == 1
    assert "There may be no clusters: " in str(found)
    assert "gap statistic prefers a single cluster" in str(found)
    assert found.n_clusters in (2, 3)


def test_large_data_use_samples():
    table = sc.datasets.overlapping_gaussians(2100, separation=5.0, rng=1)
    found = sc.report(table.data, clusters=3, algorithms="k-means", quick=True, pictures=False)
    assert found.plan.n_pairs == found.matrix.n_objects == 2000
    assert found.fit("k-means").clustering.n_objects == 2100
    one, two = (steps.Work(found.objects, found.plan)._sample(50, 1) for _ in range(2))
    np.testing.assert_array_equal(one, two)
    assert (np.diff(one) > 0).all()
    assert "2,000 of the 2,100 objects" in " ".join(sentences.agreement(found))


def test_an_algorithm_that_fails_leaves_its_message(monkeypatch):
    from softclust.report import fits

    def broken(x, k, plan):
        raise RuntimeError("oh dear")
    monkeypatch.setitem(fits._FITS, "rough", broken)
    found = sc.report(frame(), label="species", id="id", clusters=3, pictures=False, quick=True,
                      algorithms=["rough", "fuzzy"])
    assert found.complete
    assert found.fit("rough") is None
    states = {s.name: (s.state, s.message) for s in found.steps}
    assert states["cluster:rough"] == ("failed", "oh dear")
    assert states["label:fuzzy"] == ("done", "")
    found.to_html("r.html")
    text = Path("r.html").read_text()
    assert "Rough k-means gave no clustering: oh dear." in re.sub(r"<.*?>", "", text)
    assert any("rough k-means" in line for line in sentences.in_short(found))


def test_warnings_are_in_the_report_and_not_on_the_terminal():
    far = np.r_[np.random.default_rng(0).normal(size=(60, 2)), [[1e6, 1e6]]]
    found = sc.report(far, clusters=[2, 3], algorithms="k-means", quick=True, pictures=False)
    step = next(s for s in found.steps if s.name == "number:entropy")
    assert step.state == "done"
    assert "cluster 1 has 1 object" in step.message
    found.to_html("r.html")
    assert "done, with a warning: " in Path("r.html").read_text()


def test_names_may_be_anything():
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.normal(size=(40, 2)), columns=["$a_b$ \\frac{", "x" * 120])
    table["$label^"] = np.where(np.arange(40) < 20, "_under_score" * 5, "$x^2_{ 名")
    found = sc.report(table, label="$label^", clusters=2, algorithms="k-means", quick=True)
    assert [s for s in found.steps if s.state != "done" or s.message] == []
    found.to_html("r.html")
    Page(Path("r.html").read_text())


@pytest.mark.parametrize("n", [4, 5, 9])
def test_few_objects(n):
    table = pd.DataFrame(np.random.default_rng(n).normal(size=(n, 2)), columns=["a", "b"])
    table["group"] = ["u", "v"] * (n // 2) + ["u"] * (n % 2)
    found = sc.report(table, label="group", clusters=[2, 3] if n > 4 else 2, quick=True,
                      pictures=False)
    assert [s.name for s in found.steps if s.state != "done"] in ([], ["cluster:possibilistic"])
    found.to_html("r.html")
    found.to_json("r.json")


def test_without_kmeans_the_report_still_stands(monkeypatch):
    from softclust.report import fits

    def broken(x, k, plan):
        raise MemoryError
    monkeypatch.setitem(fits._FITS, "k-means", broken)
    found = sc.report(frame(), label="species", id="id", clusters=3, pictures=False, quick=True,
                      algorithms=["fuzzy"])
    assert [fit.key for fit in found.done_fits] == ["fuzzy"]
    assert found.stability is None
    found.to_html("r.html")
    found.to_json("r.json")


def test_one_feature_and_no_label():
    table = frame()[["pl"]]
    found = sc.report(table, clusters=[2, 3], algorithms="rough", quick=True)
    assert [s for s in found.steps if s.state != "done"] == []
    assert found.against == {}
    found.to_html("r.html")
    assert 'href="#label"' not in Path("r.html").read_text()


# -- sentences ----------------------------------------------------------------------------------
@pytest.mark.parametrize(("given", "text"), [
    ((0.5681, np.nan), "0.57"), ((0.5681, 0.02), "0.57"),
    ((0.9439, 0.003), "0.944"), ((0.99901, np.nan), "0.999"),
    ((0.99999, np.nan), "nearly 1"), ((1.0, 0.0), "1.000"), ((0.0, np.nan), "0.00"),
    ((1e-9, np.nan), "nearly 0"), ((-0.004, np.nan), "-0.004"), ((np.nan, 0.1), "undefined"),
])
def test_values_have_as_many_digits_as_they_deserve(given, text):
    assert words.value(*given) == text


def test_words():
    assert words.part(0, 150) == "none of 150 objects"
    assert words.part(150, 150) == "all 150 objects"
    assert words.part(12, 150) == "12 of 150 objects (8 %)"
    assert words.part(3, 50_000) == "3 of 50,000 objects (below 0.1 %)"
    assert words.both(["a", "b", "c"]) == "a, b and c"
    assert words.interval(0.561, 0.711) == "0.56 to 0.71"
    assert words.interval(0.7, 0.7001) == "0.70"
    assert [words.general(v) for v in (0.0, 5.843, 186.2, 12345.6, 1e9, 0.00123)] == [
        "0", "5.84", "186", "12,350", "1e+09", "0.00123"]
    assert [words.error(v) for v in (0.0471, 0.00031)] == ["0.05", "0.0003"]
    assert [words.agreement(v) for v in (0.95, 0.85, 0.7, 0.3)] == [
        "excellent", "good", "moderate", "poor"]


def test_sentences_hold_the_numbers(full):
    text = "\n".join(sentences.in_short(full))
    best = max(full.against.values(), key=lambda a: a.labels.rows[0].low).labels.rows[0]
    assert "50 objects with 4 features" in text
    assert words.value(best.low, (best.ci_high - best.ci_low) / 2) in text
    assert f"goes on with {full.n_clusters}" in text
    assert str(full) == full.summary() == text
    for said in (sentences.number, sentences.label, sentences.agreement, sentences.stability):
        for paragraph in said(full):
            assert paragraph.endswith((".", ")."))
            assert "nan" not in paragraph.split()


def test_options_are_named_as_the_user_writes_them():
    found = sc.report(frame(), label="species", id="id", clusters=2, pictures=False, quick=True,
                      algorithms="k-means")
    assert "clusters=3 compares" in str(found)
    assert "--" not in str(found)


# -- HTML ---------------------------------------------------------------------------------------
class Page(HTMLParser):
    """Collects what the tests look at; raises where tags do not close in order."""

    VOID = ("meta", "br", "hr", "img", "link", "input")

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.ids, self.links, self.headings, self.attributes = [], [], [], [], []
        self.tags, self.roles = [], []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.tags.append((tag, given))
        self.attributes += attrs
        if "id" in given:
            self.ids.append(given["id"])
        for name in ("href", "xlink:href", "src"):
            if name in given:
                self.links.append(given[name])
        if re.fullmatch(r"h[1-6]", tag):
            self.headings.append(int(tag[1]))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in self.VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.fixture(scope="module")
def html(full, tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "report.html"
    full.to_html(path)
    return path.read_text(encoding="utf-8")


def test_the_page_is_well_formed_and_refers_to_nothing_else(html):
    page = Page(html)
    assert len(set(page.ids)) == len(page.ids)
    assert page.links
    for link in page.links:
        assert link.startswith(("#", "data:image/png;base64,")), link[:80]
        assert not link.startswith("#") or link[1:] in page.ids
    for reference in re.findall(r"url\((.*?)\)", html):
        assert reference.strip("'\"")[1:] in page.ids
    assert "@import" not in html
    assert not {tag for tag, _ in page.tags} & {"script", "link", "iframe", "img", "object"}
    # What remains of addresses are names of XML namespaces, which nobody fetches.
    assert set(re.findall(r"https?://[^\s\"<>]+", html)) <= {
        "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}


def test_the_page_can_be_used_without_seeing_it(html):
    page = Page(html)
    assert dict(page.tags)["html"] == {"lang": "en"}
    assert page.headings[0] == 1
    assert page.headings.count(1) == 1
    assert all(b <= a + 1 for a, b in zip(page.headings, page.headings[1:]))
    pictures_ = [given for tag, given in page.tags if tag == "svg"]
    assert len(pictures_) >= 13
    assert all(given["role"] == "img" and len(given["aria-label"]) > 20 for given in pictures_)
    assert all(given.get("scope") in ("col", "row") for tag, given in page.tags if tag == "th")
    assert ("main", {"id": "main"}) in page.tags


def test_all_sections_are_there(html):
    for key in ("short", "data", "number", "clusterings", "label", "agreement", "stability",
                "made"):
        assert f'<section id="{key}"' in html
        assert f'href="#{key}"' in html
    for text in ("2026-01-01", "seed", f"softclust {sc.__version__}", "numpy"):
        assert text in html


def test_what_users_write_is_escaped():
    table = frame().rename(columns={"sl": "<b>&"})
    table["species"] = table.species.str.replace("setosa", '<script>"x"')
    sc.report(table, label="species", id="id", clusters=2, algorithms="k-means", quick=True,
              pictures=False).to_html("r.html")
    text = Path("r.html").read_text()
    assert "<script" not in text
    assert "<b>" not in text
    assert "&lt;script&gt;" in text
    Page(text)


def test_pictures_of_many_objects_are_small(monkeypatch):
    monkeypatch.setattr(steps.Work, "_agree", lambda self: None)   # pairs take long without JIT
    table = sc.datasets.overlapping_gaussians(4000, separation=4.0, rng=1)
    sc.report(table.data, clusters=3, algorithms="fuzzy", quick=True).to_html("r.html")
    text = Path("r.html").read_text()
    assert len(text) < 1_500_000
    assert "3,000 of 4,000, drawn at random" in text
    assert "data:image/png" in text


def test_principal_components_keep_distances():
    points, shares = pictures.principal(IRIS.data[:, :2])
    given = IRIS.data[:, :2]
    np.testing.assert_allclose(np.linalg.norm(points[0] - points[1]),
                               np.linalg.norm(given[0] - given[1]), rtol=1e-12)
    assert abs(shares.sum() - 1) < 1e-12
    assert shares[0] >= shares[1]


# -- JSON ---------------------------------------------------------------------------------------
#: version 1: keys may be added, none of these may go
SCHEMA = {
    "": {"format", "version", "softclust", "complete", "interrupted", "date", "command",
         "settings", "versions", "steps", "data", "number_of_clusters", "clusterings",
         "label_agreement", "agreement", "stability", "objects", "text"},
    "settings": {"candidates", "algorithms", "seed", "quick", "pictures", "n_criteria", "n_pairs",
                 "n_drawn", "n_entropy", "n_references", "n_bagged", "n_starts", "scale"},
    "data": {"source", "n_objects", "n_features", "features", "id_column", "id_guessed", "label",
             "columns_left_out", "rows_left_out"},
    "number_of_clusters": {"chosen", "given", "criteria", "label_adjusted_rand_index"},
    "number_of_clusters.criteria.gap": {"best", "rule", "n_clusters", "value", "standard_error",
                                        "failures"},
    "clusterings.0": {"key", "title", "kind", "n_clusters", "sizes", "settings", "warnings",
                      "failure", "fuzziness", "nonspecificity"},
    "label_agreement.0": {"key", "limits_level", "limits_method", "hardened", "as_it_is"},
    "label_agreement.0.hardened.0": {"measure", "options", "sense", "low", "high", "limits",
                                     "chance", "range", "note"},
    "agreement": {"measure", "sense", "n_objects", "names", "low", "high", "circles"},
    "stability": {"n_replicates", "mean_share", "mean_entropy_bits", "n_below_0.95",
                  "share_by_cluster", "most_exchanged"},
    "objects": {"names", "clusters", "stable_share"},
    "steps.0": {"name", "title", "state", "message"},
}


def test_the_schema_of_version_1(full):
    full.to_json("r.json")
    data = json.loads(Path("r.json").read_text())
    assert (data["format"], data["version"]) == ("softclust-report", 1)
    for path, keys in SCHEMA.items():
        part = data
        for name in filter(None, path.split(".")):
            part = part[int(name) if name.isdigit() else name]
        assert set(part) == keys, path
    assert data == full.to_data()
    assert data["objects"]["clusters"]["k-means"] == (full.fit("k-means").labels.labels + 1
                                                      ).tolist()
    assert data["data"]["label"]["groups"][0] == {"name": "setosa", "size": 17}


def test_to_frame_has_a_row_an_object(full):
    table = full.to_frame()
    assert table.shape == (50, 9)
    assert table.index[1] == "f3"
    assert table["k-means"].min() == 1
    assert list(table["species"][:2]) == ["setosa", "setosa"]


# -- determinism --------------------------------------------------------------------------------
def test_same_seed_same_bytes(full, html):
    sc.set_num_threads(1)
    try:
        again = sc.report(frame(), label="species", id="id", clusters=range(2, 5), quick=True,
                          date="2026-01-01")
    finally:
        sc.set_num_threads(None)
    again.to_html("again.html")
    assert Path("again.html").read_text() == html
    assert again.to_data() == full.to_data()


def test_the_date_is_an_option(monkeypatch):
    from softclust.report.run import report_date
    assert report_date("some day") == "some day"
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    assert report_date(None) == "1970-01-02"
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "soon")
    with pytest.raises(ValueError, match="SOURCE_DATE_EPOCH"):
        report_date(None)


# -- interruption -------------------------------------------------------------------------------
@pytest.mark.parametrize("method", ["_criterion", "_fit", "_bag", "_agree"])
def test_what_is_finished_survives_ctrl_c(monkeypatch, run, method):
    def interrupted(self, *given):
        raise KeyboardInterrupt
    monkeypatch.setattr(steps.Work, method, interrupted)
    write(frame())
    code, out, err = run("d.csv", "--label", "species", "--clusters", "2:3", *QUICK, "--json",
                         "r.json", "--algorithms", "k-means")
    assert code == 130
    assert "interrupted; what was finished is in report.html" in err
    assert "This report is incomplete" in out
    page = Path("report.html").read_text()
    Page(page)
    assert "Not reached before the interruption: " in page
    data = json.loads(Path("r.json").read_text())
    assert data["complete"] is False
    states = [step["state"] for step in data["steps"]]
    assert states.count("interrupted") == 1
    at = states.index("interrupted")
    assert set(states[:at]) == {"done"}
    assert set(states[at + 1:]) <= {"not reached"}
    assert data["interrupted"] == data["steps"][at]["title"]


def test_an_interrupted_report_in_python_warns(monkeypatch):
    def interrupted(self):
        raise KeyboardInterrupt
    monkeypatch.setattr(steps.Work, "_bag", interrupted)
    with pytest.warns(sc.IncompleteWarning, match="bagged k-means"):
        found = sc.report(frame(), label="species", id="id", clusters=3, pictures=False,
                          quick=True, algorithms="k-means")
    assert found.fit("k-means") is not None


def test_an_interrupted_criterion_ends_the_work(monkeypatch):
    """cluster_number keeps what it has and does not raise."""
    from softclust.selection import numbers
    calls = []

    def once(self, x):
        calls.append(1)
        if len(calls) > 1:
            raise KeyboardInterrupt
        return numbers.CellValue(criterion=0.5)
    monkeypatch.setattr(numbers.SilhouetteCell, "__call__", once)
    with pytest.warns(sc.IncompleteWarning):
        found = sc.report(frame(), label="species", id="id", pictures=False, quick=True)
    assert found.criteria["silhouette"].best == 2
    assert found.n_clusters is None
    found.to_html("r.html")
    found.to_json("r.json")


@pytest.mark.slow
def test_ctrl_c_in_a_process_of_its_own():
    """A real signal: a partial report, exit code 130, no traceback."""
    table = sc.datasets.overlapping_gaussians(100_000, separation=4.0, rng=1)
    write(pd.DataFrame(table.data, columns=["a", "b"]))
    process = subprocess.Popen([sys.executable, "-m", "softclust.cli", "report", "d.csv",
                                "--no-pictures"], stderr=subprocess.PIPE, text=True,
                               stdout=subprocess.DEVNULL)
    # The search for a number of clusters takes seconds on any machine.
    time.sleep(4.0)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert "interrupted" in err
    assert "Traceback" not in err


# -- command line -------------------------------------------------------------------------------
def test_one_command(run):
    write(frame())
    code, out, err = run("d.csv", "--label", "species", "--clusters", "3", *QUICK, "--json",
                         "r.json", "--algorithms", "k-means,mixture", "--threads", "1")
    sc.set_num_threads(None)
    assert code == 0
    assert "50 objects with 4 features" in out
    assert "note: column 'id' is taken as id (--no-id: it is data)" in err
    assert "report written to report.html and r.json" in err
    data = json.loads(Path("r.json").read_text())
    assert data["command"] == ("softclust report d.csv --label species --clusters 3 --algorithms "
                               "k-means,mixture --quick --seed 0")
    assert data["command"] in Path("report.html").read_text()
    assert [c["key"] for c in data["clusterings"]] == ["k-means", "mixture", "bagged"]


def test_numbers_to_standard_output(run):
    write(frame())
    code, out, _ = run("d.csv", "--label", "species", "--clusters", "2", *QUICK, "--json", "-",
                       "--algorithms", "k-means", "--no-pictures", "--out", "other.html")
    assert code == 0
    assert json.loads(out)["number_of_clusters"]["chosen"] == 2
    assert Path("other.html").exists()


def test_an_older_report_is_replaced(run):
    write(frame())
    Path("report.html").write_text("old")
    code, _, _ = run("d.csv", "--label", "species", "--clusters", "2", *QUICK, "--algorithms",
                     "k-means", "--no-pictures")
    assert code == 0
    assert Path("report.html").read_text().startswith("<!DOCTYPE html>")


@pytest.mark.parametrize(("out", "message"), [
    ("nowhere/r.html", "No such folder"), (".", "Is a directory"), ("d.csv", "is the data file"),
])
def test_targets_are_checked_before_the_work(run, monkeypatch, out, message):
    write(frame())
    monkeypatch.setattr(steps.Work, "run", lambda *a: pytest.fail("it began to work"))
    for option in ("--out", "--json"):
        code, _, err = run("d.csv", option, out, "--label", "species")
        assert code == 1
        assert message in err


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_an_unwritable_folder(run, tmp_path):
    write(frame())
    (tmp_path / "shut").mkdir(mode=0o500)
    assert "Permission denied" in run("d.csv", "--out", "shut/r.html")[2]


@pytest.mark.parametrize(("arguments", "message"), [
    ([], "required: DATA"),
    (["d.csv", "--clusters", "1"], "at least 2 clusters"),
    (["d.csv", "--clusters", "6:2"], "from large to small"),
    (["d.csv", "--clusters", "two"], "a number such as 3, a range such as 2:6"),
    (["d.csv", "--clusters", "2:3:4"], "a range such as 2:6"),
    (["d.csv", "--clusters", "2,2"], "twice"),
    (["d.csv", "--algorithms", "kmeans"], "near: 'k-means'"),
    (["d.csv", "--columns", "a", "--drop", "b"], "exclude each other"),
    (["d.csv", "--id", "a", "--no-id"], "exclude each other"),
    (["d.csv", "--columns", ","], "names nothing"),
    (["d.csv", "--seed", "-1"], "--seed is -1"),
    (["d.csv", "--threads", "0"], "--threads is 0"),
    (["d.csv", "--separator", "::"], "one character"),
    (["d.csv", "--scale", "log"], "invalid choice"),
])
def test_wrong_usage_exits_2(run, arguments, message):
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert message in err


def test_missing_file(run):
    code, _, err = run("nowhere.csv")
    assert code == 1
    assert "nowhere.csv: No such file or directory" in err


def test_help(run):
    code, out, _ = run("--help")
    assert code == 0
    text = " ".join(out.split())
    for part in ("--label", "--clusters", "2:6", "Nothing is left out", "Ctrl-C", "--debug"):
        assert part in text


def test_lists_and_ranges():
    assert command.numbers_of("3") == [3]
    assert command.numbers_of("2:6") == [2, 3, 4, 5, 6]
    assert command.numbers_of("2,4,8") == [2, 4, 8]
    assert command.names(" a, b,") == ["a", "b"]


def test_the_function_and_the_package_share_a_name():
    import softclust.report
    assert callable(sc.report)
    assert isinstance(sc.Report, type)
    assert softclust.report.report is not None
    assert Objects.__slots__
