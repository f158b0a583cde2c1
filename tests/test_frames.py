"""Frames of every library that is installed give the same counts; two tables with one key."""

import numpy as np
import pandas as pd
import pytest

import softclust as sc

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
    assert found.to_frame().equals(sc.contingency_table(known["a"], known["b"]).to_frame())


@EVERY
def test_every_engine_adds_weights_and_frequencies(made):
    copies = sc.contingency_table("a", "b", data=FRAME, frequencies="f")
    assert sc.contingency_table("a", "b", data=made(FRAME), frequencies="f") == copies
    weighted = sc.contingency_table("a", "b", data=FRAME, weights="w")
    found = sc.contingency_table("a", "b", data=made(FRAME), weights="w")
    assert found.n_objects == weighted.n_objects
    assert found.own_weight == weighted.own_weight
    assert found.to_frame().equals(weighted.to_frame())
    assert sc.adjusted_rand_index(found) == sc.adjusted_rand_index(weighted)
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
            == sc.rand_index(weighted))
    row = sc.chance(data=made(FRAME), x="a", y="b", measure="rand_index", rng=0)["rand_index"]
    assert row.p_value == sc.chance(FRAME["a"], FRAME["b"], "rand_index", rng=0)[
        "rand_index"].p_value
    matrix = sc.compare_all(made(FRAME), columns=["a", "b", "f"])
    runs = {name: FRAME[name].tolist() for name in ("a", "b", "f")}
    assert matrix.names == ("a", "b", "f")
    np.testing.assert_array_equal(matrix.value, sc.compare_all(runs).value)
    assert (sc.compare_all(data=made(FRAME), columns=["a", "b"], weights="w",
                           measure="rand_index").value[0, 1] == sc.rand_index(weighted))


def test_frames_come_first_in_a_pipe():
    assert FRAME.pipe(sc.compare, x="a", y="b").names == ("a", "b")
    assert FRAME.pipe(sc.contingency_table, x="a", y="b").n_objects == N
    with pytest.raises(TypeError, match="twice"):
        sc.compare(FRAME, data=FRAME, x="a", y="b")
    with pytest.raises(sc.ClusteringError, match="no column 'z'"):
        sc.compare(FRAME, x="a", y="z")
