"""Tables counted by engines: pyarrow, polars, dask, duckdb; what they do with missing labels."""

import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import pytest

import softclust as sc

X = ["a", "b", "b", None, "a", "c", "b"] * 30
Y = [0, 0, 1, 1, 0, 1, None] * 30
KNOWN = [i for i in range(len(X)) if X[i] is not None and Y[i] is not None]
FULL = sc.contingency_table([X[i] for i in KNOWN], [Y[i] for i in KNOWN])
FRAME = pd.DataFrame({"x": pd.Series(X, dtype=object), "y": pd.array(Y, dtype="Int64")})


def check(count):
    """Missing labels raise, or are dropped and counted."""
    with pytest.raises(sc.ClusteringError, match="missing label"):
        count("raise")
    table = count("drop")
    assert table.n_dropped == len(X) - len(KNOWN)
    assert sc.ContingencyTable.from_counts(table.dense(), rows=table.x_names,
                                           columns=table.y_names) == FULL


def test_pandas():
    check(lambda missing: sc.contingency_table("x", "y", data=FRAME, missing=missing))


def arrow():
    pa = pytest.importorskip("pyarrow")
    return pa, pa.table({"x": pa.array(X), "y": pa.array(Y, pa.int64())})


def test_arrow_tables_arrays_and_readers():
    pa, table = arrow()
    check(lambda missing: sc.contingency_table("x", "y", data=table, missing=missing))
    reader = pa.RecordBatchReader.from_batches(table.schema, table.to_batches(max_chunksize=40))
    assert sc.contingency_table("x", "y", data=reader, missing="drop").n_objects == FULL.n_objects
    known = table.take(KNOWN)
    assert sc.contingency_table(known["x"], known["y"]) == FULL
    coded = known.set_column(0, "x", known["x"].dictionary_encode())
    assert sc.contingency_table("x", "y", data=coded) == FULL


def test_arrow_datasets(tmp_path):
    _, table = arrow()
    parquet, dataset = pytest.importorskip("pyarrow.parquet"), pytest.importorskip(
        "pyarrow.dataset")
    for k in range(3):
        parquet.write_table(table.slice(70 * k, 70), tmp_path / f"{k}.parquet")
    found = dataset.dataset(tmp_path)
    check(lambda missing: sc.contingency_table("x", "y", data=found, missing=missing))
    with pytest.raises(sc.ClusteringError, match="no column 'z'"):
        sc.contingency_table("x", "z", data=found)


def test_polars():
    pl = pytest.importorskip("polars")
    frame = pl.DataFrame({"x": X, "y": Y})
    check(lambda missing: sc.contingency_table("x", "y", data=frame, missing=missing))
    check(lambda missing: sc.contingency_table("x", "y", data=frame.lazy(), missing=missing))
    known = frame.drop_nulls()
    assert sc.contingency_table(known["x"], known["y"]) == FULL
    assert sc.contingency_table("x", "y", data=known.with_columns(w=2), frequencies="w"
                                ).n_objects == 2 * FULL.n_objects
    grouped = known.lazy().group_by("x", "y").len("count")
    assert sc.ContingencyTable.from_frame(grouped) == FULL


def test_duckdb():
    duckdb = pytest.importorskip("duckdb")
    frame = FRAME.iloc[KNOWN]   # noqa: F841 - duckdb finds it by its name
    found = duckdb.sql("SELECT x, y, count(*) AS count FROM frame GROUP BY x, y").df()
    assert sc.ContingencyTable.from_frame(found) == FULL


# -- dask -------------------------------------------------------------------------------------
def test_dask_frames_and_series():
    dd = pytest.importorskip("dask.dataframe")
    frame = dd.from_pandas(FRAME, npartitions=4)
    check(lambda missing: sc.contingency_table("x", "y", data=frame, missing=missing))
    known = dd.from_pandas(FRAME.iloc[KNOWN].reset_index(drop=True), npartitions=3)
    table = sc.contingency_table(known["x"], known["y"])
    assert table == FULL


def test_dask_series_are_paired_only_when_their_rows_are_the_same():
    dd = pytest.importorskip("dask.dataframe")
    left = dd.from_pandas(pd.Series(np.arange(20) % 3), npartitions=2)
    other = dd.from_pandas(pd.Series(np.arange(20) % 2, index=np.arange(20) + 1), npartitions=2)
    with pytest.raises(sc.ClusteringError, match=r"differ in rows in partition \d.*data=frame"):
        sc.contingency_table(left, other)
    with pytest.raises(sc.ClusteringError, match="2 partitions and y has 4"):
        sc.contingency_table(left, dd.from_pandas(pd.Series(np.arange(20) % 2), npartitions=4))


def test_dask_arrays():
    da = pytest.importorskip("dask.array")
    x, y = np.arange(100) % 5, np.arange(100) % 3
    whole = sc.contingency_table(x, y)
    assert sc.contingency_table(da.from_array(x, chunks=30), da.from_array(y, chunks=17)) == whole
    assert sc.contingency_table(da.from_array(x, 30), da.from_array(y, 30),
                                weights=da.ones(100, chunks=10)) == sc.contingency_table(
        x, y, weights=np.ones(100))
    with pytest.raises(sc.ClusteringError, match="x has 100 labels and y has 99"):
        sc.contingency_table(da.from_array(x, 30), da.from_array(y[:99], 30))
    with pytest.raises(sc.ClusteringError, match="some are not"):
        sc.contingency_table(da.from_array(x, 30), y)


def test_a_failing_block_fails_all():
    da = pytest.importorskip("dask.array")
    x = da.from_array(np.arange(100) % 5, chunks=25).map_blocks(
        lambda block, block_info=None: 1 // 0 if block_info[0]["chunk-location"] == (2,)
        else block, dtype=np.int64, meta=np.empty(0, np.int64))
    with pytest.raises(ZeroDivisionError):
        sc.contingency_table(x, x)
    bad = da.from_array(np.array([0.0, 1.0, np.nan, 1.0]), chunks=2)
    with pytest.raises(sc.ClusteringError, match="x has 1 missing label in partition 1"):
        sc.contingency_table(bad, bad)


@pytest.fixture(scope="module")
def cluster():
    """Two processes of dask; a task whose worker is lost twice is given up."""
    distributed, dask = pytest.importorskip("distributed"), pytest.importorskip("dask")
    with (dask.config.set({"distributed.scheduler.allowed-failures": 1}),
          distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True,
                                   dashboard_address=":0") as processes,
          distributed.Client(processes)):
        yield distributed


def on_block(act):
    """Labels 0, ..., 5 of 10,000 objects in ten blocks; `act` is called for the sixth."""
    da = pytest.importorskip("dask.array")

    def block_of(block, block_info=None):
        if block_info and block_info[0]["chunk-location"] == (5,):
            act()
        return block
    x = np.random.default_rng(0).integers(0, 6, 10_000)
    return x, da.from_array(x, 1000).map_blocks(block_of, dtype=x.dtype, meta=x[:0])


@pytest.mark.slow
def test_dask_on_a_cluster_of_two_processes(cluster):
    x, labels = on_block(lambda: None)
    assert sc.contingency_table(labels, labels % 2) == sc.contingency_table(x, x % 2)
    assert sc.contingency_table(labels, labels, weights=labels * 0.5) == sc.contingency_table(
        x, x, weights=x * 0.5)


@pytest.mark.slow
def test_a_failing_block_fails_all_on_a_cluster(cluster):
    def fail():
        raise OSError("block 5 cannot be read")
    with pytest.raises(OSError, match="block 5 cannot be read"):
        sc.contingency_table(*[on_block(fail)[1]] * 2)


@pytest.mark.slow
@pytest.mark.parametrize("once", [True, False])
def test_a_lost_worker_on_a_cluster(cluster, tmp_path, once):
    """Its blocks are counted again elsewhere, exactly once; or all fails, with the reason."""
    died = tmp_path / "died"

    def die():
        if not (once and died.exists()):
            died.touch()
            os._exit(1)
    x, labels = on_block(die)
    if once:
        assert sc.contingency_table(labels, labels % 2) == sc.contingency_table(x, x % 2)
        assert died.exists()
        return
    with pytest.raises(cluster.scheduler.KilledWorker, match="worker"):
        sc.contingency_table(labels, labels % 2)


def test_chunks_are_counted_on_workers():
    x, y = np.arange(1000) % 7, np.arange(1000) % 4
    chunks = [(x[i:i + 50], y[i:i + 50]) for i in range(0, 1000, 50)]
    with ThreadPoolExecutor(2) as pool:
        assert sc.contingency_table(chunks, executor=pool) == sc.contingency_table(x, y)
