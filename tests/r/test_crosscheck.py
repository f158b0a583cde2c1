"""Every registered measure with an R call agrees with R, live."""

import itertools
import json
import math
import re
from pathlib import Path

import numpy as np
import pytest
from r_cases import KINDS, TOLERANCE, clustering
from scipy.cluster.hierarchy import linkage

import softclust as sc
from r_bridge import _crosscheck, _crosscheck_r, call, crosscheck

pytestmark = pytest.mark.r

HARD = json.loads((Path(__file__).parent.parent / "golden/r/hard_packages.json").read_text(
    encoding="utf-8"))["cases"]

def partitions(n):
    """All partitions of n objects as labels."""
    def grow(labels):
        if len(labels) == n:
            yield labels
            return
        for label in range(max(labels, default=-1) + 2):
            yield from grow([*labels, label])
    return list(grow([]))


def calls(*kinds):
    """Measure and R call for each row that `crosscheck` has for these kinds."""
    records = map(sc.get_measure, sc.list_measures().index)
    return [(m, c) for m in records if m.takes(*kinds) for c in m.r_calls]


def check_rows(result, *kinds, versions):
    """Every recorded call was asked and agrees."""
    expected = calls(*kinds)
    assert [(row.measure, row.code) for row in result.rows] == [(m.name, c.code)
                                                               for m, c in expected]
    assert result.failures == ()
    # Nothing passes by not being asked.
    for (_, each), row in zip(expected, result.rows):
        asked = all(versions.get(p) is not None for p in each.packages)
        assert row.compared or not asked or "which a" in row.note, row
        assert "declared" not in row.note, row


@pytest.mark.parametrize("n", [5, 40, 300])
@pytest.mark.parametrize(("kind_x", "kind_y"), list(itertools.product(KINDS, repeat=2)))
def test_random_pairs(kind_x, kind_y, n, r_session):
    rng = np.random.default_rng([n, KINDS.index(kind_x), KINDS.index(kind_y)])
    for _ in range(5 if (kind_x, kind_y) == ("hard", "hard") else 1):
        result = crosscheck(clustering(kind_x, n, rng), clustering(kind_y, n, rng), tol=TOLERANCE)
        check_rows(result, kind_x, kind_y, versions=r_session)


@pytest.mark.parametrize("kind", KINDS)
def test_measures_of_one_clustering(kind, r_session):
    for n in (5, 40, 300):
        result = crosscheck(clustering(kind, n, np.random.default_rng(n)), tol=TOLERANCE)
        check_rows(result, kind, versions=r_session)


@pytest.mark.slow
def test_all_partitions_of_four_objects():
    """225 pairs; where R gives NaN for equal partitions, softclust gives the best value."""
    declared = {}
    for x, y in itertools.product(partitions(4), repeat=2):
        result = crosscheck(x, y, tol=TOLERANCE)
        assert result.failures == (), (x, y)
        for row in result.rows:
            if row.note.startswith("declared"):
                assert row.note == "declared difference 5"
                if row.measure == "prediction_strength_index":
                    # R gives Inf where x has no pair to keep; ours is nan unless they are equal.
                    assert row.r == math.inf
                    assert x == [0, 1, 2, 3]
                    assert row.softclust == 1.0 if x == y else math.isnan(row.softclust)
                    continue
                assert x == y
                assert math.isnan(row.r)
                declared.setdefault((row.measure, row.package), []).append(tuple(x))
    one_class, singletons = (0, 0, 0, 0), (0, 1, 2, 3)
    assert declared == {
        ("adjusted_rand_index", "clue"): [one_class, singletons],
        ("adjusted_rand_index", "mclust"): [singletons],
        ("jaccard_index", "clue"): [singletons],
        ("fowlkes_mallows_index", "clue"): [singletons],
        ("katz_powell_index", "clue"): [one_class],
        ("normalized_mutual_information", "clue"): [one_class],
        ("normalized_variation_of_information", "clue"): [one_class],
    }


# -- the record --------------------------------------------------------------------------------
def test_record():
    result = crosscheck([0, 0, 1, 2], [0, 1, 1, 2], measures=["rand_index", "jaccard_index"])
    frame = result.to_frame()
    assert frame.index.tolist() == ["rand_index", "rand_index", "jaccard_index"]
    assert frame.columns.tolist() == ["softclust", "R", "difference", "failed", "note",
                                      "package"]
    assert frame["package"].tolist() == ["clue", "e1071", "clue"]
    assert result.max_difference <= 1e-15
    assert "3 of 3 compared, 0 failed" in str(result)


def test_calls_under_other_options():
    result = crosscheck([0, 0, 1, 2], [0, 1, 1, 2], measures=["normalized_mutual_information"])
    row = next(row for row in result.rows if row.package == "clue")
    assert row.label == "normalized_mutual_information(average='geometric')"
    assert row.compared
    assert row.softclust == sc.normalized_mutual_information([0, 0, 1, 2], [0, 1, 1, 2],
                                                            average="geometric")


@pytest.mark.parametrize("tol", [-1.0, math.nan])
def test_tolerance_must_not_be_negative(tol):
    with pytest.raises(ValueError, match="tol"):
        crosscheck([0, 1], [0, 1], tol=tol)


def test_summary_names_what_was_not_asked(r_session):
    soft = sc.FuzzyClustering([[0.5, 0.5], [1.0, 0.0], [0.2, 0.8]])
    text = str(crosscheck(soft, soft))
    assert "fclust" in text.split("\n")[0]
    assert "RI.F" not in text


def with_r(monkeypatch, name, expression):
    """Give a measure another R call; the registry itself stays as it is."""
    import dataclasses
    record = sc.get_measure(name)
    changed = dataclasses.replace(record, r_calls=(type(record.r_calls[0])(expression),))
    monkeypatch.setattr(sc, "get_measure", lambda asked: changed)


@pytest.mark.parametrize(("expression", "note"), [
    ("0.25", ""),
    ("NaN", ""),
    ("stop('not today')", "not today"),
    ("c(1, 2)", "2 numbers"),
    ("numeric()", "0 numbers"),
])
def test_a_difference_is_a_failure(monkeypatch, expression, note):
    with_r(monkeypatch, "rand_index", expression)
    result = crosscheck([0, 0, 1], [0, 1, 1], measures=["rand_index"])
    assert len(result.failures) == 1
    assert note in result.rows[0].note
    assert "FAILED" in str(result)


@pytest.mark.parametrize("expression", ["0.25", "NaN", "stop('not today')", "numeric()"])
def test_a_failed_row_says_why(monkeypatch, expression):
    with_r(monkeypatch, "rand_index", expression)
    result = crosscheck([0, 0, 1], [0, 1, 1], measures=["rand_index"])
    row, = result.rows
    assert row.failed
    assert row.note
    frame = result.to_frame()
    assert frame["failed"].tolist() == [True]
    assert frame["note"].tolist() == [row.note]


def test_a_clustering_that_r_refuses_is_a_note(monkeypatch):
    """As evclust does for one cluster: the other rows are still compared."""
    from r_bridge import _r_code
    monkeypatch.setattr(_r_code, "EVIDENTIAL_TO_R", """function(mass, sets)
      if (ncol(sets) < 2) stop("one cluster") else list()""")
    rows = crosscheck([0, 0, 0], [0, 1, 1], tol=TOLERANCE).rows
    assert [row for row in rows if row.failed] == []
    refused = [row for row in rows if row.package == "evclust"]
    assert refused
    assert all(row.note == "R cannot hold x: one cluster" for row in refused)
    assert not any(row.compared for row in refused)
    assert sum(row.compared for row in rows) > 10


def test_one_object():
    rows = crosscheck([0]).rows
    assert any(row.compared for row in rows)
    assert all(row.note for row in rows if not row.compared)


@pytest.mark.parametrize(("x", "y", "number"), [([0, 1, 2], [0, 0, 1], 28),
                                                ([0, 0, 1], [0, 1, 2], None)])
def test_partition_comparison_stops_for_more_clusters_in_x(monkeypatch, x, y, number):
    with_r(monkeypatch, "transfer_distance", "stop('nrow(w) == ncol(w) is not TRUE')")
    row, = crosscheck(x, y, measures=["transfer_distance"]).rows
    assert row.failed == (number is None)
    assert row.note == (f"declared difference {number}" if number else
                        "nrow(w) == ncol(w) is not TRUE")


def test_a_missing_package_is_a_note(monkeypatch):
    with_r(monkeypatch, "rand_index", "nosuchpackage::f(x)")
    row, = crosscheck([0, 0, 1], [0, 1, 1], measures=["rand_index"]).rows
    assert "nosuchpackage is not installed" in row.note
    assert math.isnan(row.r)
    assert not row.failed
    assert not row.compared


@pytest.mark.parametrize(("expression", "value"), [
    ("sum(x_labels * y_labels)", 1 * 1 + 1 * 2 + 2 * 2),
    ("sum(x_membership[, 2] * y_membership[, 2])", 1),
    ("clue::n_of_classes(x) * 10 + clue::n_of_objects(y)", 23),
    ("(function(v, x_labels = 5) v + x_labels)(x_membership[3, 2])", 6),
    ("suppressWarnings({ warning('w'); 1 })", 1),
    ("{ warning('w'); 1 }", 1),
])
def test_what_an_r_call_sees(monkeypatch, expression, value):
    with_r(monkeypatch, "rand_index", expression)
    row, = crosscheck([0, 0, 1], [0, 1, 1], measures=["rand_index"]).rows
    assert row.r == value


def test_a_variable_that_the_kind_lacks_is_a_note(monkeypatch):
    soft = sc.FuzzyClustering([[0.5, 0.5], [1.0, 0.0]])
    with_r(monkeypatch, "credal_rand_index", "sum(x_labels)")
    row, = crosscheck(soft, soft, measures=["credal_rand_index"]).rows
    assert "needs x_labels, which a fuzzy clustering has not" in row.note
    assert not row.failed


def test_where_r_approximates_more_is_allowed(monkeypatch):
    import dataclasses
    record = sc.get_measure("rand_index")
    call_ = dataclasses.replace(record.r_calls[0], code=f"{1 / 3} + 1e-7", inexact=1e-6)
    monkeypatch.setattr(sc, "get_measure",
                        lambda asked: dataclasses.replace(record, r_calls=(call_,)))
    assert crosscheck([0, 0, 1], [0, 1, 1], measures=["rand_index"]).failures == ()
    exact = dataclasses.replace(call_, inexact=0.0)
    monkeypatch.setattr(sc, "get_measure",
                        lambda asked: dataclasses.replace(record, r_calls=(exact,)))
    assert len(crosscheck([0, 0, 1], [0, 1, 1], measures=["rand_index"]).failures) == 1


def stored_answers(case):
    """Recorded calls of packages that are not here, with the values stored from them."""
    named = {"aricode::NMI(x_labels, y_labels, variant = 'max')": "NMI_max",
             "aricode::NMI(x_labels, y_labels, variant = 'min')": "NMI_min",
             "aricode::NMI(x_labels, y_labels, variant = 'joint')": "NMI_joint",
             "genieclust::pair_sets_index(x_labels, y_labels, simplified = TRUE)":
                 "pair_sets_index_simplified"}
    special = {"NaN": math.nan, "Inf": math.inf, "-Inf": -math.inf}
    for name in sc.list_measures().index:
        record = sc.get_measure(name)
        for each in record.r_calls:
            package = each.packages[0]
            if package not in ("aricode", "genieclust", "partitionComparison"):
                continue
            functions = re.findall(rf"{package}::(\w+)", each.code)
            keys = [k for k in (named.get(each.code), *functions) if k in case[package]]
            value = case[package][keys[0]]
            if isinstance(value, dict):  # it stops: the recorded call goes another way there
                assert keys[0] == "classificationErrorDistance"
                value = 0.0
            value = float(special.get(value, value) if isinstance(value, str) else value)
            factor = len(case["x"]) if "length(x_labels) *" in each.code else 1
            yield record, each, value * factor


@pytest.mark.parametrize("name", list(HARD))
def test_values_stored_from_other_packages_would_pass(name):
    """What `crosscheck` says where these packages are installed, degenerate cases included."""
    case = HARD[name]
    sides = {"x": sc.as_clustering(case["x"]), "y": sc.as_clustering(case["y"])}
    joint = sc.Joint(sides["x"], sides["y"])
    answers = list(stored_answers(case))
    assert len(answers) == 18
    for record, each, value in answers:
        row = _crosscheck._row(record, each, _crosscheck._ours(record, each, joint, sides),
                               _crosscheck_r.Answer(value=value, given=True), sides, TOLERANCE)
        assert not row.failed, row
        assert row.note in ("", "declared difference 5")
        assert row.note == "" or not math.isfinite(value)


def test_values_beyond_doubles():
    record = sc.get_measure("rand_index")
    row = _crosscheck._row(record, record.r_calls[0], math.inf,
                           _crosscheck_r.Answer(value=math.inf, given=True), {}, 1e-9)
    assert (row.difference, row.failed) == (0.0, False)


def test_measures_without_an_r_call():
    with pytest.raises(ValueError, match="records no R call"):
        crosscheck([0, 1], [0, 1], measures=["fuzzy_gamma_index"])
    with pytest.raises(ValueError, match="does not take fuzzy and hard"):
        crosscheck([[0.5, 0.5], [0.5, 0.5]], [0, 1], measures=["rand_index"])


def test_crosscheck_needs_the_same_objects():
    with pytest.raises(sc.ClusteringError, match="objects"):
        crosscheck([0, 1], [0, 1, 2])


# -- command line ------------------------------------------------------------------------------
def test_command_line(tmp_path, monkeypatch, capsys):
    from softclust import cli
    a, b = tmp_path / "a.csv", tmp_path / "b.csv"
    a.write_text("id,label\np,0\nq,0\nr,1\n")
    b.write_text("id,label\nr,1\nq,1\np,0\n")
    given = ["crosscheck", str(a), str(b), "--measures", "rand_index,jaccard_index"]
    assert cli.main(given) == 0
    assert "3 of 3 compared, 0 failed" in capsys.readouterr().out
    assert cli.main([*given, "--format", "csv"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "measure,softclust,R,difference,failed,note,package"
    assert lines[1].startswith("rand_index,0.333333")
    assert len(lines) == 4
    assert cli.main([*given, "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["failures"] == 0
    assert [row["package"] for row in data["rows"]] == ["clue", "e1071", "clue"]
    with_r(monkeypatch, "rand_index", "0")
    assert cli.main([*given[:-1], "rand_index"]) == 1
    assert "FAILED" in capsys.readouterr().out


def test_json_has_null_where_r_gives_nothing(tmp_path, capsys):
    from softclust import cli
    a = tmp_path / "a.csv"
    a.write_text("label\n0\n0\n0\n")
    assert cli.main(["crosscheck", str(a), str(a), "--format", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    row = next(r for r in rows if (r["measure"], r["package"]) == ("katz_powell_index", "clue"))
    assert (row["softclust"], row["r"], row["note"]) == (1.0, None, "declared difference 5")


@pytest.mark.parametrize(("options", "message"), [
    (["--measures", "nonsense"], "there is no measure 'nonsense'"),
    (["--measures", "fuzzy_gamma_index"], "records no R call"),
    (["--tol", "-1"], "a number >= 0 is needed"),
    (["--format", "pdf"], "invalid choice"),
])
def test_wrong_usage_ends_with_2(tmp_path, capsys, options, message):
    from softclust import cli
    assert cli.main(["crosscheck", "no.csv", "no.csv", *options]) == 2
    assert message in capsys.readouterr().err


def test_command_line_says_what_the_data_do_not_allow(tmp_path, capsys):
    from softclust import cli
    assert cli.main(["crosscheck", "no.csv", "no.csv"]) == 1
    assert "no.csv" in capsys.readouterr().err


# -- what the calls name -------------------------------------------------------------------------
def test_registered_calls_use_known_names_only():
    """A call that names anything but the bound variables would fail for every user."""
    bound = set(_crosscheck_r.VARIABLES)
    for record, each in [(m, c) for m in map(sc.get_measure, sc.list_measures().index)
                         for c in m.r_calls]:
        free = call("""function(code) {
          walk <- function(e) if (is.call(e)) {
            if (identical(e[[1]], quote(`::`))) character() else
              if (identical(e[[1]], quote(`$`))) walk(e[[2]]) else
              unlist(lapply(as.list(e), walk))
          } else if (is.name(e)) as.character(e)
          unique(walk(parse(text = code)[[1]]))
        }""", each.code)
        base = {name for name in free if call("function(n) exists(n, baseenv())", name)}
        assert set(free) - base <= bound, record.name


# -- trees ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("n", [3, 20, 60])
def test_trees(n):
    rng = np.random.default_rng(n)
    data = rng.integers(0, 4, (n, 2)) + rng.random((n, 2)) * (n != 20)   # n = 20: ties
    x, y = (sc.Dendrogram(linkage(data, how)) for how in ("average", "single"))
    result = crosscheck(x, y, tol=TOLERANCE)
    assert len(result.rows) == 17
    assert all(row.compared for row in result.rows)
    assert result.failures == ()


def test_trees_on_the_command_line(tmp_path, capsys):
    for name, text in (("a.nwk", "((a:1,b:1):1,c:2);"), ("b.tree", "(a:3,(b:2,c:2):1);")):
        (tmp_path / name).write_text(text)
    files = [str(tmp_path / "a.nwk"), str(tmp_path / "b.tree")]
    assert _crosscheck.main([*files, "--format", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert {row["softclust"] for row in rows if row["options"] == {"method": "manhattan"}} == {3.0}
    with pytest.raises(sc.ClusteringError, match="give another one"):
        crosscheck(sc.Dendrogram([[0, 1, 1]]))
    with pytest.raises(ValueError, match="no R call for trees"):
        crosscheck(sc.Dendrogram([[0, 1, 1]]), sc.Dendrogram([[0, 1, 1]]), ["rand_index"])
    with pytest.raises(sc.ClusteringError, match="heights of y fall"):
        crosscheck(sc.Dendrogram([[0, 1, 1], [2, 3, 2]]), sc.Dendrogram([[0, 1, 2], [2, 3, 1]]))
