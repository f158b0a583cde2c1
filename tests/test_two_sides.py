"""Functions of two sides: frames, two tables with a key, names of Series, keywords, summaries."""

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest

import softclust as sc
from softclust import results

NOW = pd.DataFrame({"id": range(8), "segment": list("aabbccaa")})
OLD = pd.DataFrame({"id": [3, 2, 1, 0, 7, 6, 5, 9], "segment": list("bbaaacca")})
CELLS = pd.DataFrame({"annotation": list("ttttbbbb"), "res6": [4, 4, 5, 5, 0, 0, 0, 1],
                      "res3": [0, 0, 0, 0, 1, 1, 1, 1], "donor": list("uvuvuvuv")})
FUNCTIONS = {"compare": lambda *a, **k: sc.compare(*a, measures="ARI", **k).rows[0].value,
             "chance": lambda *a, **k: sc.chance(*a, measure="ARI", rng=0,
                                           **k)["adjusted_rand_index"].p_value,
             "cluster_changes": lambda *a, **k: str(sc.cluster_changes(*a, **k)),
             "explain": lambda *a, **k: sc.explain(*a, **k).value,
             "chance_level": lambda *a, **k: sc.chance_level(*a, measure="MI", **k),
             "influence": lambda *a, **k: sc.influence(*a, **k).gain.tolist(),
             "match_clusters": lambda *a, **k: sc.match_clusters(*a, **k).diagonal}
for_functions = pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS)


@for_functions
def test_two_columns_of_a_frame(function):
    expected = function(CELLS["annotation"], CELLS["res6"])
    assert function(data=CELLS, x="annotation", y="res6") == expected
    assert function(pl.from_pandas(CELLS), x="annotation", y="res6") == expected


@for_functions
def test_two_tables_with_a_key(function):
    ids = [0, 1, 2, 3, 5, 6, 7]   # 4 is in the first only, 9 in the second only
    sides = [frame.set_index("id").loc[ids, "segment"] for frame in (NOW, OLD)]
    expected = function(*(side.to_list() for side in sides))
    for left, right in ((NOW, OLD), (pl.from_pandas(NOW), pl.from_pandas(OLD))):
        assert function(left, right, on="id", x="segment", y="segment") == expected


def test_tables_of_an_engine_are_joined_there():
    base = duckdb.connect()
    for name, frame in (("now", NOW), ("old", OLD)):
        base.register(name, frame)
    tables = base.table("now"), base.table("old")
    found = sc.compare(*tables, on="id", x="segment", y="segment", measures="ARI")
    assert found.rows[0].value == FUNCTIONS["compare"](NOW, OLD, on="id", x="segment", y="segment")
    base.close()


def test_versions_are_columns_of_one_frame_or_of_a_table_each():
    halves = np.repeat([0, 1], 6)
    runs = pd.DataFrame({f"{version}{seed}": np.roll(halves, seed * (version == "new"))
                         for version in ("old", "new") for seed in range(3)}).assign(id=range(12))
    old, new = ([f"{version}{seed}" for seed in range(3)] for version in ("old", "new"))
    expected = sc.compare_versions(runs[old], runs[new]).statistic
    assert sc.compare_versions(data=runs, old=old, new=new).statistic == expected
    assert sc.compare_versions(data=pl.from_pandas(runs), old=old, new=new).statistic == expected
    shuffled = runs.iloc[::-1]
    found = sc.compare_versions(data=(runs, shuffled), on="id", old=old, new=new)
    assert found.statistic == expected
    assert found.agreement.names[0] == "old old0"
    fewer = sc.compare_versions(data=(runs, shuffled[2:]), on="id", old=old, new=new)
    assert fewer.agreement.n_objects == 10
    with pytest.raises(TypeError, match="two tables and the key"):
        sc.compare_versions(data=(runs, shuffled), old=old, new=new)


def test_prayatul_takes_columns():
    frame = pd.DataFrame({"t": [0, 0, 1, 1], "a": [0, 0, 1, 1], "b": [0, 1, 1, 1],
                          "w": [1, 2, 1, 1]})
    expected = sc.prayatul(frame["t"], frame["a"], frame["b"], weights=frame["w"])
    found = sc.prayatul("t", "a", "b", data=frame, weights="w")
    assert (found.delta, found.names) == (expected.delta, ("a", "b"))
    table = sc.prayatul_all("t", ["a", "b"], data=pl.from_pandas(frame), weights="w")
    assert table["a", "b"].delta == expected.delta


def test_gaps_are_bounded_for_columns_and_for_two_tables():
    now = pd.DataFrame({"id": [3, 1, 2, 5, 4], "k": ["a", "a", None, "b", "b"]})
    old = pd.DataFrame({"id": [1, 2, 3, 5, 6], "k": [0, 0, 0, 1, None]})
    expected = sc.completion_bounds(["a", "a", None, "b"], [0, 0, 0, 1])
    found = sc.completion_bounds(now, old, on="id", x="k", y="k")
    assert (found.low, found.high) == (expected.low, expected.high)
    one = now.assign(j=[0, 0, 0, 1, 1])
    found = sc.completion_bounds(data=pl.from_pandas(one), x="k", y="j")
    direct = sc.completion_bounds(one["k"], one["j"])
    assert (found.low, found.high) == (direct.low, direct.high)
    with pytest.raises(sc.ClusteringError, match="in common"):
        sc.completion_bounds(now, old.assign(id=range(10, 15)), on="id", x="k", y="k")


def test_an_unknown_keyword_is_one_of_the_function_first():
    x, y = CELLS["annotation"], CELLS["res6"]
    for function in (sc.explain, sc.influence, sc.cluster_changes, sc.chance_level):
        with pytest.raises(TypeError, match=f"^{function.__name__} has no keyword 'my_option'"):
            function(x, y, measure="rand_index", my_option=1)
    with pytest.raises(TypeError, match=r"^compare_all has no keyword 'my_option'"):
        sc.compare_all([x, y], my_option=1)
    with pytest.raises(TypeError, match=r"^rank_clusterings has no keyword 'my_option'"):
        sc.rank_clusterings(x, [x, y], my_option=1)


def test_what_only_one_table_has_is_said_or_kept():
    found = sc.compare(NOW, OLD, on="id", x="segment", y="segment", measures="ARI")
    assert "1 absent" in str(found)
    with pytest.raises(sc.ClusteringError, match="missing"):
        sc.compare(NOW, OLD, on="id", x="segment", y="segment", objects="all")
    twice = pd.concat([OLD, OLD.head(1)])
    with pytest.raises(sc.ClusteringError, match="key 3 occurs twice"):
        sc.compare(NOW, twice, on="id", x="segment", y="segment")
    with pytest.raises(TypeError, match="on="):
        sc.compare(NOW, OLD, x="segment", y="segment")


def test_clusterings_and_groups_are_columns():
    ranked = sc.rank_clusterings(data=CELLS, truth="annotation", clusterings=["res6", "res3"])
    assert ranked.names == ("res6", "res3")
    assert ranked.possibly_best == (0, 1)   # they differ in five cells
    split = sc.agreement_by_strata(data=CELLS, x="annotation", y="res6", strata="donor")
    assert split.names == ("u", "v")
    with pytest.raises(sc.ClusteringError, match="no column 'res7'"):
        sc.rank_clusterings(data=CELLS, truth="annotation", clusterings=["res7", "res3"])


def test_sides_have_the_names_of_their_series():
    for x, y in ((CELLS["annotation"], CELLS["res6"]),
                 (pl.from_pandas(CELLS)["annotation"], pl.from_pandas(CELLS)["res6"])):
        assert sc.compare(x, y, measures="ARI").names == ("annotation", "res6")
        assert "annotation t is split into res6 4 and 5" in str(sc.cluster_changes(x, y))
        assert "annotation t is split" in str(sc.explain(x, y))
        assert sc.compare(x, y, measures="ARI", names=("A", "B")).names == ("A", "B")
    assert sc.compare(NOW["segment"], NOW["segment"], measures="ARI").names == ("x", "y")


@pytest.mark.parametrize("call", [
    lambda: sc.rank_clusterings(CELLS["annotation"], CELLS[["res6", "res3"]], dat=1),
    lambda: sc.cluster_changes(CELLS["annotation"], CELLS["res6"], dat=1),
    lambda: sc.explain(CELLS["annotation"], CELLS["res6"], dat=1),
    lambda: sc.influence(CELLS["annotation"], CELLS["res6"], dat=1),
    lambda: sc.compare_all(CELLS[["res6", "res3"]], dat=1)])
def test_an_unknown_keyword_is_that_of_the_function(call):
    with pytest.raises(TypeError, match=r"^(rank_clusterings|cluster_changes|explain|influence|"
                                        r"compare_all) has no keyword 'dat'.*mean 'data'"):
        call()


# -- prints -----------------------------------------------------------------------------------
def tree(seed):
    points = np.random.default_rng(seed).normal(size=(8, 2))
    from scipy.cluster.hierarchy import linkage
    return sc.as_dendrogram(linkage(points))


def test_every_result_has_a_summary_with_the_names_of_the_user():
    frame, truth = CELLS, CELLS["annotation"].tolist()
    x, y = frame["annotation"], frame["res6"]
    found = [sc.order_flows({"a": x, "b": y}), sc.influence(x, y), sc.explain(x, y),
             sc.cluster_changes(x, y), sc.medoid(frame[["res6", "res3"]]),
             sc.dendrogram_curve(tree(0), tree(1)), sc.dendrogram_map(tree(0), tree(1)),
             sc.level_agreement(tree(0), truth), sc.best_cut(tree(0), truth),
             sc.best_cut(tree(0), truth).chance(19, rng=0), sc.untangle(tree(0), tree(1), rng=0),
             sc.tie_range([0, 0, 1, 1], [[0.0], [1.0], [2.0], [9.0]], method="single", rng=0),
             sc.alpha_rand_estimate([0, 0, 1, 1] * 50, [0, 0, 1, 2] * 50, rng=0)]
    for each in found:
        text = each.summary().as_text()
        assert text
        assert "array(" not in text
        assert "array(" not in str(each)
    flows = str(found[0])
    assert "a" in flows
    assert "t, b" in flows or "b, t" in flows
    # parts of results, which their results print
    parts = {"ChanceRow", "ClusterEdges", "ClusterEvent", "ClusterPairs", "ClusterTestStep",
             "ConfidenceLimits", "ReplicateFailure", "SeparatedPairs", "SummaryTable"}
    for name in dir(results):
        record = getattr(results, name)
        if isinstance(record, type) and not name.startswith("_") and name not in parts:
            assert hasattr(record, "summary"), name


def test_numbers_are_rounded_to_what_is_meant():
    rng = np.random.default_rng(0)
    x = rng.integers(5, size=3000)
    y = np.where(rng.random(3000) < 0.9, x, rng.integers(5, size=3000))
    text = str(sc.agreement_by_strata(x, y, rng.integers(2, size=3000)))
    assert "e-0" not in text
    shares = str(sc.explain(x, y)).splitlines()[-1]
    assert "(0 %)" not in shares
    assert "1 object moved" in str(sc.cluster_changes([0] * 9 + [1] * 9, [0] * 9 + [0] + [1] * 8))
    alike = str(sc.explain([0, 0, 1, 1], [0, 1, 0, 1]))
    assert alike.endswith("0, 1, 2, 3: 25 % each.")


def test_records_with_nan_equal_themselves():
    nan = float("nan")
    assert sc.Interval(nan, 1.0) == sc.Interval(float("nan"), 1.0)
    assert sc.Interval(nan, 1.0) != sc.Interval(0.0, 1.0)
    assert hash(sc.Interval(nan, 1.0)) == hash(sc.Interval(float("nan"), 1.0))
    sides = [0, 0, 1, 1], [[1, 0], [0.5, 0.5], [0.2, 0.8], [0, 1]]
    assert sc.compare(*sides) == sc.compare(*sides)
    runs = [*sides, [0, 1, 1, 1]]
    assert sc.compare_all(runs) == sc.compare_all(runs)
    assert sc.compare_all(runs) != sc.compare_all(runs[::-1])


def test_a_weekly_job_keeps_its_results_as_text():
    rng = np.random.default_rng(0)
    x = rng.integers(3, size=40)
    y = np.where(rng.random(40) < 0.8, x, rng.integers(3, size=40))
    runs, points = [x, y, rng.integers(3, size=40)], rng.normal(size=(40, 2))
    tree = sc.Dendrogram([[0, 1, 1.0], [2, 3, 1.5], [4, 5, 2.0]])
    kept = [sc.compare(x, y, ci="jackknife"), sc.chance(x, y, "ARI", rng=0), sc.compare_all(runs),
            sc.compare([0, -1, 1, 1], [0, 0, 1, 1], noise="drop"), sc.consensus(runs),
            sc.compare_versions(runs, runs), sc.cluster_changes(x, y), sc.explain(x, y),
            sc.cluster_number(points, range(2, 4), n_resamples=20, rng=0), sc.medoid(runs),
            sc.cluster_stability(x, runs), sc.Ensemble(runs), sc.as_clustering(x).to_fuzzy(),
            sc.untangle(tree, tree, rng=0)]
    for record in kept:
        text = record.to_json()
        again = results.from_json(text)
        assert type(again) is type(record)
        assert again.summary().as_text() == record.summary().as_text()
        assert again.to_json() == text
    assert results.from_json(kept[0].to_json()) == kept[0]
    assert results.from_json(results.Estimate(
        value=float("nan"), half_width=0.1, level=0.95, n_pairs=3, n_controls=0, bound="normal",
        entropy=None).to_json()).half_width == 0.1


@pytest.mark.parametrize("text", [
    "", "{}", "[1, 2]", '{"format": "softclust record", "version": 1}',
    '{"format": "softclust record", "version": 99, "record": 1}',
    '{"format": "softclust record", "version": 1, "record": {"record": "os:system", "fields": {}}}',
    '{"format": "softclust record", "version": 1, "record": {"object": "softclust.tables.counter:'
    'np", "made": "_made", "of": {"tuple": []}}}'])
def test_text_that_is_no_result_is_an_error_and_runs_nothing(text):
    with pytest.raises(sc.ClusteringError):
        results.from_json(text)
