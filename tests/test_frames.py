"""Frames of every library that is installed give the same counts; two tables with one key."""

import numpy as np
import pandas as pd
import pytest

import softclust as sc
from softclust.results.text import counting_from

#: what Ibis itself says when it reads from a newer DuckDB
pytestmark = [pytest.mark.filterwarnings("ignore:fetch_arrow_table"),
              pytest.mark.filterwarnings("ignore:.*is deprecated, use to_arrow")]
RNG = np.random.default_rng(0)
N = 300
FRAME = pd.DataFrame({
    "id": np.arange(N), "a": RNG.choice(["u", "v", "w"], N),
    "b": RNG.integers(-1, 4, N), "w": RNG.integers(0, 5, N) / 2, "f": RNG.integers(0, 4, N)})
GAPS = FRAME.assign(a=FRAME["a"].astype(object).where(FRAME["id"] % 7 > 0, None),
                    b=FRAME["b"].astype("Int64").mask(FRAME["id"] % 11 == 0))
SQL = ("SELECT id, CAST(a AS VARCHAR) AS a, CAST(b AS BIGINT) AS b, w, CAST(f AS BIGINT) AS f "
       "FROM frame")


def polars(frame):
    return pytest.importorskip("polars").from_pandas(frame)


def duck(frame):
    return pytest.importorskip("duckdb").sql(SQL)


def batches(frame):
    return pytest.importorskip("pyarrow").Table.from_pandas(frame).to_reader(max_chunksize=70)


def ibis(frame):
    pytest.importorskip("duckdb")
    table = pytest.importorskip("pyarrow").Table.from_pandas(frame)
    return pytest.importorskip("ibis").memtable(table)


def ibis_table(frame):
    backend = pytest.importorskip("ibis").duckdb.connect()
    return backend.create_table("labels", pytest.importorskip("pyarrow").Table.from_pandas(frame))


def spark(frame):
    pytest.importorskip("pyspark")
    session = pytest.importorskip("pyspark.sql").SparkSession.builder.master("local[1]").config(
        "spark.ui.enabled", "false").getOrCreate()
    return session.createDataFrame(frame.astype(object).where(frame.notna(), None).values.tolist(),
                                   "id long, a string, b long, w double, f long")


ENGINES = {
    "pandas": lambda frame: frame,
    "polars": polars,
    "polars lazy": lambda frame: polars(frame).lazy(),
    "pyarrow": lambda frame: pytest.importorskip("pyarrow").Table.from_pandas(frame),
    "pyarrow reader": batches,
    "dask": lambda frame: pytest.importorskip("dask.dataframe").from_pandas(frame, npartitions=3),
    "duckdb": duck,
    "ibis": ibis,
}
EVERY = pytest.mark.parametrize("made", [
    *(pytest.param(made, id=name) for name, made in ENGINES.items()),
    pytest.param(spark, id="pyspark", marks=pytest.mark.slow)])


@EVERY
def test_every_engine_counts_the_same(made):
    table = sc.contingency_table(FRAME["a"], FRAME["b"])
    assert sc.contingency_table("a", "b", data=made(FRAME)) == table
    with pytest.raises(sc.ClusteringError, match="missing label"):
        sc.contingency_table("a", "b", data=made(GAPS))
    known = GAPS.dropna()
    found = sc.contingency_table("a", "b", data=made(GAPS), missing="drop")
    assert found.n_dropped == N - len(known)
    expected = sc.contingency_table(known["a"], known["b"])
    assert found.to_frame("pandas").equals(expected.to_frame())


@EVERY
def test_every_engine_groups_by_groups_and_strata(made):
    """One GROUP BY more; objects without a label are left out, and so are groups of these."""
    table = sc.contingency_table(FRAME["a"], FRAME["b"], groups=FRAME["id"] % 9,
                                 strata=FRAME["f"])
    frame = FRAME.assign(id=FRAME["id"] % 9)
    found = sc.contingency_table("a", "b", data=made(frame), groups="id", strata="f")
    assert isinstance(found, sc.PartedTable)
    assert (found.group, found.stratum) == (table.group, table.stratum)
    assert found.part_counts.tolist() == table.part_counts.tolist()
    assert {type(name) for name in (*found.group, *found.stratum)} == {int}
    assert found == table
    known = GAPS.dropna()
    found = sc.contingency_table("a", "b", data=made(GAPS), groups="id", missing="drop")
    assert found.group == tuple(known["id"])
    assert found.n_dropped == found.transpose().n_dropped == N - len(known)


@EVERY
def test_every_engine_adds_weights_and_frequencies(made):
    copies = sc.contingency_table("a", "b", data=FRAME, frequencies="f")
    assert sc.contingency_table("a", "b", data=made(FRAME), frequencies="f") == copies
    weighted = sc.contingency_table("a", "b", data=FRAME, weights="w")
    found = sc.contingency_table("a", "b", data=made(FRAME), weights="w")
    assert found.n_objects == weighted.n_objects
    # Engines add floats in orders of their own: the last digits depend on it.
    assert found.own_weight == pytest.approx(weighted.own_weight, rel=1e-12)
    pd.testing.assert_frame_equal(found.to_frame("pandas"), weighted.to_frame("pandas"), rtol=1e-12)
    assert sc.adjusted_rand_index(found) == pytest.approx(sc.adjusted_rand_index(weighted),
                                                          rel=1e-12)
    bad = FRAME.assign(w=FRAME["w"].where(FRAME["id"] > 0, -1.0), f=FRAME["f"] - 1)
    for role in ("w", "f"):
        with pytest.raises(sc.ClusteringError, match=r"(finite|whole) numbers >= 0"):
            sc.contingency_table("a", "b", data=made(bad),
                                 **{"weights" if role == "w" else "frequencies": role})


@pytest.mark.parametrize("made", [pytest.param(made, id=name) for name, made in ENGINES.items()
                                  if name not in ("pyarrow reader", "dask")])
def test_two_tables_with_one_key(made):
    left, right = FRAME[FRAME["id"] < 280], FRAME[FRAME["id"] >= 40].sample(frac=1, random_state=0)
    both = FRAME[(FRAME["id"] >= 40) & (FRAME["id"] < 280)]
    table = sc.contingency_table(made(left), made(right), on="id", x="a", y="b")
    assert table == sc.contingency_table(both["a"], both["b"])
    assert table.n_unmatched == (40, 20)
    with pytest.raises(sc.ClusteringError, match="missing label"):
        sc.contingency_table(made(left), made(right), on="id", x="a", y="b", objects="x")
    for objects, dropped in (("x", 40), ("y", 20), ("all", 60)):
        found = sc.contingency_table(made(left), made(right), on="id", x="a", y="b",
                                     objects=objects, missing="drop")
        assert (found.n_objects, found.n_dropped) == (240, dropped)
    with pytest.raises(sc.ClusteringError, match="right table has several rows"):
        sc.contingency_table(made(left), made(pd.concat([right, right])), on="id", x="a", y="b")


WIDE = pd.DataFrame({name: RNG.integers(0, 3, 60) for name in ("k3", "ward", "leiden")})


@pytest.mark.parametrize("made", [pytest.param(lambda frame: frame, id="pandas"),
                                  pytest.param(polars, id="polars"),
                                  pytest.param(ENGINES["pyarrow"], id="pyarrow")])
def test_columns_are_runs_with_their_names(made):
    frame = made(WIDE)
    expected = {name: WIDE[name].to_numpy() for name in WIDE}
    assert sc.Ensemble(frame).names == tuple(WIDE.columns)
    assert sc.Ensemble(frame)["ward"].labels.tolist() == WIDE["ward"].tolist()
    assert sc.Ensemble(frame, missing="absent").names == tuple(WIDE.columns)
    matrix = sc.compare_all(frame)
    assert matrix.names == tuple(WIDE.columns)
    np.testing.assert_array_equal(matrix.value, sc.compare_all(expected).value)
    flows, orders = sc.order_flows(frame), sc.order_flows(expected)
    assert flows.crossings == orders.crossings
    soft = sc.as_clustering(made(pd.DataFrame({"low": [0.75, 0.5], "high": [0.25, 0.5]})))
    assert soft.kind == "fuzzy"
    assert soft.cluster_names == ("low", "high")


def test_rows_in_an_engine_are_not_read_unasked():
    with pytest.raises(sc.ClusteringError, match="in its engine"):
        sc.Ensemble(polars(WIDE).lazy())


@pytest.mark.parametrize("made", [pytest.param(made, id=name) for name, made in ENGINES.items()
                                  if name not in ("pyarrow reader", "dask")])
def test_columns_are_named_in_compare_chance_and_compare_all(made):
    frame = made(FRAME)
    expected = sc.compare(FRAME["a"].tolist(), FRAME["b"].tolist(), names=("a", "b"))
    found = sc.compare(frame, x="a", y="b")
    assert found.names == ("a", "b")
    assert [row.value for row in found] == [row.value for row in expected]
    weighted = sc.contingency_table("a", "b", data=FRAME, weights="w")
    assert (sc.compare(data=made(FRAME), x="a", y="b", weights="w").value("rand_index")
            == pytest.approx(sc.rand_index(weighted), rel=1e-12))
    row = sc.chance(data=made(FRAME), x="a", y="b", measure="rand_index", rng=0)["rand_index"]
    assert row.p_value == sc.chance(FRAME["a"], FRAME["b"], "rand_index", rng=0)[
        "rand_index"].p_value
    matrix = sc.compare_all(made(FRAME), columns=["a", "b", "f"])
    runs = {name: FRAME[name].tolist() for name in ("a", "b", "f")}
    assert matrix.names == ("a", "b", "f")
    np.testing.assert_array_equal(matrix.value, sc.compare_all(runs).value)
    assert (sc.compare_all(data=made(FRAME), columns=["a", "b"], weights="w",
                           measure="rand_index").value[0, 1]
            == pytest.approx(sc.rand_index(weighted), rel=1e-12))


def test_frames_come_first_in_a_pipe():
    assert FRAME.pipe(sc.compare, x="a", y="b").names == ("a", "b")
    assert FRAME.pipe(sc.contingency_table, x="a", y="b").n_objects == N
    with pytest.raises(TypeError, match="twice"):
        sc.compare(FRAME, data=FRAME, x="a", y="b")
    with pytest.raises(sc.ClusteringError, match="no column 'z'"):
        sc.compare(FRAME, x="a", y="z")


SUMMED = [("rand_index", {}), ("adjusted_rand_index", {}), ("jaccard_index", {}),
          ("fowlkes_mallows_index", {}), ("wallace_index", {}),
          ("symmetric_difference_distance", {}),
          ("katz_powell_index", {}), ("adjusted_fowlkes_mallows_index", {}),
          ("mutual_information", {}), ("variation_of_information", {}),
          ("normalized_mutual_information", {}), ("normalized_mutual_information",
                                                  {"average": "geometric"}),
          ("normalized_variation_of_information", {}), ("normalized_information_distance", {}),
          ("homogeneity_index", {}), ("completeness_index", {}), ("v_measure_index", {"beta": 2.0}),
          ("pair_f_index", {"part": "recall"}), ("pair_f_index", {"self_pairs": True}),
          ("purity_index", {}), ("van_dongen_distance", {}), ("muc_index", {}),
          ("bcubed_index", {}), ("bcubed_index", {"part": "precision"}),
          ("bcubed_index", {"part": "recall"}), ("cluster_f_index", {}),
          ("cluster_f_index", {"part": "precision"}), ("cluster_f_index", {"part": "recall"})]
MANY = pd.DataFrame({"a": RNG.integers(0, 900, 2000), "b": RNG.integers(0, 700, 2000)})
PAIRS = {"many clusters": MANY, "equal": MANY.assign(b=MANY["a"] * 2), "one cluster": MANY.assign(
    b=0), "apart": pd.DataFrame({"a": np.arange(50), "b": np.arange(50) % 7})}


@pytest.mark.filterwarnings("ignore::softclust.UndefinedMeasureWarning")
@pytest.mark.parametrize("name", PAIRS)
def test_sql_and_sums_of_an_engine_give_what_the_table_gives(name):
    duckdb = pytest.importorskip("duckdb")
    frame = PAIRS[name]
    with duckdb.connect() as base:
        base.register("labels", frame)
        sums = sc.table_sums("a", "b", data=base.sql("SELECT * FROM labels"))
        table = sc.contingency_table("a", "b", data=frame)
        assert sc.pair_counts(sums) == sc.pair_counts(table)
        assert sums.squares == sc.table_sums("a", "b", data=frame).squares
        for measure, options in SUMMED:
            value = getattr(sc.measures, measure)(table, **options)
            row = base.execute(sc.sql(measure, x="a", y="b", table="labels", **options)).fetchone()
            assert row[0] == len(frame)
            found = getattr(sc.measures, measure)(sums, **options)
            for other in (found, np.nan if row[-1] is None else row[-1]):
                np.testing.assert_allclose(other, value, rtol=1e-12, atol=1e-12, err_msg=measure)


@pytest.mark.parametrize("made", [
    pytest.param(duck, id="duckdb"), pytest.param(ibis, id="ibis"),
    pytest.param(ibis_table, id="ibis table"), pytest.param(polars, id="polars"),
    pytest.param(spark, id="pyspark", marks=pytest.mark.slow)])
def test_sums_in_every_engine(made):
    sums = sc.table_sums("a", "b", data=made(GAPS))
    table = sc.contingency_table("a", "b", data=GAPS, missing="drop")
    assert sc.adjusted_rand_index(sums) == sc.adjusted_rand_index(table)
    for measure in ("v_measure_index", "purity_index", "bcubed_index", "cluster_f_index"):
        function = getattr(sc.measures, measure)
        assert function(sums) == pytest.approx(function(table), abs=1e-12)
        alone = sc.table_sums("a", "b", data=made(GAPS), measures=measure)
        assert function(alone) == pytest.approx(function(table), abs=1e-12)
    with pytest.raises(sc.ClusteringError, match="contingency table is needed"):
        sc.transfer_distance(sums)


def test_sums_that_were_not_asked_for():
    sums = sc.table_sums("a", "b", data=duck(FRAME), measures=["purity_index", "rand_index"])
    table = sc.contingency_table("a", "b", data=FRAME)
    assert sc.purity_index(sums) == sc.purity_index(table)
    assert sc.pair_counts(sums) == sc.pair_counts(table)
    with pytest.raises(sc.ClusteringError, match=r"table_sums\(..., measures=\)"):
        sc.v_measure_index(sums)
    with pytest.raises(ValueError, match="no query"):
        sc.table_sums("a", "b", data=duck(FRAME), measures="adjusted_mutual_information")
    query = sc.sql("purity_index", x="a", y="b", table="labels")
    assert "y_squares" not in query
    assert "LN(" not in query


def test_sql_of_other_dialects():
    import sqlite3
    base = sqlite3.connect(":memory:")
    MANY.to_sql('odd "name"', base, index=False)
    query = sc.sql("v_measure_index", x="a", y="b", table='"odd ""name"""', dialect="sqlite")
    assert base.execute(query).fetchone()[-1] == pytest.approx(
        sc.v_measure_index(MANY["a"], MANY["b"]), abs=1e-12)
    assert "`a`" in sc.sql("rand_index", x="a", y="b", table="t", dialect="spark")
    with pytest.raises(ValueError, match="no query with these options"):
        sc.sql("adjusted_mutual_information", x="a", y="b", table="t")
    with pytest.raises(ValueError, match="dialect"):
        sc.sql("rand_index", x="a", y="b", table="t", dialect="oracle")
    base.close()


def test_the_verbs_of_broom():
    result = sc.compare(WIDE["k3"], WIDE["ward"], measures=["rand_index", "adjusted_rand_index"],
                        ci="jackknife")
    tidy = result.tidy()
    assert [*tidy] == ["term", "estimate", "std_error", "conf_low", "conf_high", "p_value",
                       "method"]
    assert tidy["estimate"].tolist() == [row.value for row in result]
    assert tidy["conf_high"].tolist() == [row.ci_high for row in result]
    assert result.glance()["n_objects"].tolist() == [60]
    ends = sc.compare([0, 0, 1], [[0.5, 0.5], [1, 0], [0, 1]], measures="alpha_rand_interval")
    assert len(ends.tidy()) == 2
    test = sc.chance(WIDE["k3"], WIDE["ward"], "rand_index", rng=0)
    assert test.tidy("polars")["p_value"].to_list() == [test["rand_index"].p_value]
    assert test.glance()["method"].tolist() == ["tables"]


def _frames_of_two(library):
    values = {"a": [0, 0, 1, 1, 2, 2] * 5, "b": [0, 0, 1, 2, 2, 2] * 5}
    if library == "pandas":
        return pd.DataFrame(values)
    return pytest.importorskip(library).DataFrame(values) if library == "polars" else (
        pytest.importorskip(library).table(values))


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_results_are_frames_of_the_kind_that_came_in(library):
    frame = _frames_of_two(library)
    result = sc.compare(data=frame, x="a", y="b", measures="rand_index")
    for made in (result, sc.contingency_table("a", "b", data=frame), sc.compare_all(frame),
                 sc.chance(frame["a"], frame["b"], "rand_index", rng=0), sc.consensus(frame),
                 sc.align(frame["a"], frame["b"])):
        assert type(made.to_frame()) is type(frame), type(made)
        assert isinstance(made.to_frame("pandas"), pd.DataFrame)
    assert type(result.tidy()) is type(result.glance()) is type(frame)
    assert isinstance(sc.compare(list(range(4)), [0] * 4).to_frame(), pd.DataFrame)


def test_results_of_arrays_are_frames_of_pandas_and_others_when_asked():
    polars = pytest.importorskip("polars")
    result = sc.compare(np.array([0, 0, 1]), [0, 1, 1], measures="rand_index")
    assert isinstance(result.to_frame(), pd.DataFrame)
    assert isinstance(result.to_frame("polars"), polars.DataFrame)
    assert result.to_frame("polars")["value"].to_list() == [result.value("rand_index")]


def test_tidy_of_records_has_the_numbers_of_their_frames():
    truth = [0, 1, 2] * 20
    ranking = sc.rank_clusterings(truth, {"a": [0, 1, 2] * 19 + [0, 2, 1], "b": [0, 1, 1] * 20})
    stability = sc.cluster_stability([0, 0, 1, 1], [[0, 0, 1, 1], [0, 1, 1, 1]])
    sampled = sc.sampled_truth([0, 0, 1, 1], [0, 0, 0, 1], design="clusters", probabilities=1)
    for result, columns in ((ranking, {"estimate": "gain", "conf_low": "low"}),
                            (stability, {"estimate": "jaccard", "std_error": "standard_error"}),
                            (sampled, {"estimate": "value", "conf_high": "high"})):
        tidy, frame = result.tidy(), result.to_frame()
        assert tidy["term"].tolist() == [str(name) for name in frame.index]
        for column, source in columns.items():
            np.testing.assert_array_equal(tidy[column], frame[source].to_numpy(float))
        assert len(result.glance()) == 1
    with counting_from(1):   # as R does
        assert stability.tidy()["term"].tolist() == ["1", "2"]
    assert ranking.glance()["answer"].tolist() == [ranking.answer]


def test_augment_has_one_row_per_object_with_its_name():
    runs = [pd.Series([0, 0, 1], index=list("pqr")), pd.Series([0, 1, 1], index=list("pqr"))]
    consensus = sc.consensus(runs)
    assert consensus.augment()["object"].tolist() == ["p", "q", "r"]
    assert consensus.augment()["label"].tolist() == consensus.to_frame()["label"].tolist()
    consistency = sc.element_consistency([[0, 0, 1], [0, 1, 1]])
    assert consistency.augment()["object"].tolist() == [0, 1, 2]
    assert consistency.augment()["value"].tolist() == consistency.values.tolist()
    found = sc.posterior_partition([[0, 0, 1], [0, 0, 1], [0, 1, 1]], rng=0).augment()
    assert found["label"].tolist() == [0, 0, 1]


@pytest.mark.slow
def test_two_tables_bigger_than_the_memory_they_are_given(tmp_path):
    """The join spills to disk: files of 200 MB, 100 MB of memory; the counts by arithmetic."""
    duckdb = pytest.importorskip("duckdb")
    path, n = tmp_path / "two.duckdb", 3_000_000
    with duckdb.connect(path) as base:
        for name, first in (("predicted", 0), ("truth", 1000)):
            base.execute(f"CREATE TABLE {name} AS SELECT hash(i) AS id, i % 6 AS label, "
                         f"repeat('x', 40) || hash(i + 1) AS note FROM range({first}, {n + first}) "
                         "AS r(i)")
    assert path.stat().st_size > 150e6
    with duckdb.connect(path, read_only=True, config={
            "memory_limit": "100MB", "temp_directory": str(tmp_path), "threads": "1"}) as base:
        table = sc.contingency_table(base.table("predicted"), base.table("truth"), on="id",
                                     x="label", y="label")
    assert table.n_unmatched == (1000, 1000)
    assert table.n_objects == n - 1000
    np.testing.assert_array_equal(table.dense(), np.diag([len(range(1000 + (k - 1000) % 6, n, 6))
                                                          for k in range(6)]))
