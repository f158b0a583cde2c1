"""Labels counted where they are: in memory, in a frame, in two tables of a database, in dask.

An engine groups and sums; one row per pair of labels is collected. pandas drops rows
with a missing label from groups of some types, so our kernel counts its columns.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from .._checks import ClusteringError, check_choice
from ..clusterings.objects import names_in, ordered
from ..results.frames import as_frame, check_columns, is_lazy, labels_of, library
from ..running.interrupts import engine_interrupts
from ._table_sources import count_into
from .contingency_table import ContingencyTable, PartedTable
from .table_counts import Tally, coded_cells, weight_sums

#: rows of one batch of a dataset
BATCH = 1_000_000
OBJECTS = ("common", "x", "y", "all")


def of_labels(x: Any, y: Any, weights: Any, frequencies: Any, missing: str) -> ContingencyTable:
    """The table of two label vectors in memory."""
    tally = Tally()
    count_into(tally, x, y, weights, frequencies, missing, "")
    return ContingencyTable._of_tally(tally)


def of_columns(data: Any, x: Any, y: Any, weights: Any, frequencies: Any, missing: str
               ) -> ContingencyTable:
    """The table of two columns of a frame of any engine."""
    if y is None:
        raise TypeError("y is missing; x and y name two columns of data")
    named = [name for name in (x, y, weights, frequencies) if name is not None]
    if is_dask(data):
        check_columns(named, list(data.columns))
        return of_blocks([data[name] for name in named], weights, frequencies, missing)
    if library(data) == "pandas" or isinstance(data, Mapping):
        check_columns(named, list(getattr(data, "columns", data)))
        return of_labels(data[x], data[y], None if weights is None else data[weights],
                         None if frequencies is None else data[frequencies], missing)
    tally = Tally()
    for frame in _parts(data, named):
        check_columns(named, frame.collect_schema().names())
        grouped(frame, [x, y], weights, frequencies).add_to(tally, 0, 1, missing)
    return ContingencyTable._of_tally(tally)


def of_parts(data: Any, x: Any, y: Any, frequencies: Any, groups: Any, strata: Any,
             missing: Literal["raise", "drop"]) -> PartedTable:
    """The table of two vectors or columns, with those of the groups and strata."""
    named = [name for name in (x, y, groups, strata, frequencies) if name is not None]
    if is_dask(data):
        tables = [of_parts(block.compute(), x, y, frequencies, groups, strata, missing)
                  for block in data.partitions]
        return tables[0].merge(*tables[1:])
    if data is not None and not (library(data) == "pandas" or isinstance(data, Mapping)):
        names = [name for name in (x, y, groups, strata) if name is not None]
        cells = []
        for frame in _parts(data, named):
            check_columns(named, frame.collect_schema().names())
            cells.append(grouped(frame, names, None, frequencies))
        columns = iter([[label for part in cells for label in (
            part.labels[k].tolist() if isinstance(part.labels[k], np.ndarray)
            else part.labels[k])] for k in range(len(names))])
        counts = np.concatenate([part.rows if part.frequencies is None else part.frequencies
                                 for part in cells])
        return PartedTable.of_cells(next(columns), next(columns), counts,
                                    None if groups is None else next(columns),
                                    None if strata is None else next(columns), missing)
    if data is not None:
        check_columns(named, list(getattr(data, "columns", data)))
        x, y, frequencies, groups, strata = (None if name is None else data[name] for name in (
            x, y, frequencies, groups, strata))
    sides = x, y
    x, y = (getattr(side, "labels", side) for side in sides)
    if len(x) != len(y):
        raise ClusteringError(f"x has {len(x)} objects and y has {len(y)}; labels of the same "
                              "objects are needed")
    if data is None:
        objects = names_in(sides[0]) or names_in(sides[1])
        frequencies, groups, strata = (
            ordered(each, objects, called=("x", name)) for name, each in (
                ("frequencies", frequencies), ("groups", groups), ("strata", strata)))
    counts = np.ones(len(x), np.int64) if frequencies is None else frequencies
    return PartedTable.of_cells(x, y, counts, groups, strata, missing)


def _parts(data: Any, named: list[Any]) -> Iterator[Any]:
    """The frame, or the batches of a dataset or reader of pyarrow, as frames of narwhals."""
    frame = as_frame(data)
    if frame is not None:
        yield frame
        return
    if hasattr(data, "scanner"):
        check_columns(named, data.schema.names)
        data = data.scanner(columns=list(dict.fromkeys(named)), batch_size=BATCH).to_reader()
    if type(data).__name__ == "RecordBatch":
        data = [data]
    elif not hasattr(data, "read_next_batch"):
        raise TypeError(f"data is of type {type(data).__name__}; a frame of pandas, polars, "
                        "pyarrow, dask, DuckDB, Ibis or PySpark is needed")
    import pyarrow as pa
    for batch in data:
        yield as_frame(pa.Table.from_batches([batch]))


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedRows:
    """Rows with the same labels in some columns, counted by their engine.

    Attributes
    ----------
    labels : list
        Labels of the k groups in each column, arrays or lists.
    rows : (k,) int64
        Rows of each group.
    frequencies, weights : (k,) array or None
        Sums of the column of frequencies or of weights.
    squares, used : (k,) array or None
        Sums of the squared weights, and numbers of weights above 0.
    """

    labels: list[Any]
    rows: np.ndarray
    frequencies: np.ndarray | None = None
    weights: np.ndarray | None = None
    squares: np.ndarray | None = None
    used: np.ndarray | None = None

    def add_to(self, tally: Tally, i: int, j: int, missing: str) -> None:
        """Add the table of columns i and j; a group without a label is as many missing labels."""
        rows = self.rows if self.frequencies is None else self.frequencies
        counts = rows if self.weights is None else self.weights
        used, ((x, x_names), (y, y_names)), dropped = coded_cells(
            self.labels[i], self.labels[j], rows, counts, missing)
        if self.weights is None:
            sums: Any = counts[used].astype(np.int64)
        else:
            assert self.squares is not None
            assert self.used is not None
            sums = weight_sums(*(values[used].astype(np.float64) for values in (
                self.weights, self.squares, self.used)))
        tally.add_counts(x.astype(np.int64), y.astype(np.int64), sums, (x_names, y_names), dropped)


@engine_interrupts()
def grouped(frame: Any, columns: list[Any], weights: Any, frequencies: Any) -> CountedRows:
    """One group per combination of labels; weights or frequencies are summed by the engine."""
    import narwhals.stable.v2 as nw
    number = weights if frequencies is None else frequencies
    names = [f"c{k}_" for k in range(len(columns))]
    chosen = [nw.col(column).alias(name) for column, name in zip(columns, names)]
    if frame.implementation.is_polars():   # which counts in 32 bits, and sums in 64
        chosen.append(nw.lit(1, dtype=nw.Int64).alias("one_"))
        sums = [nw.col("one_").sum().alias("rows_")]
    else:
        sums = [nw.len().alias("rows_")]
    if number is not None:
        chosen.append(nw.col(number).alias("w_"))
        sums += [nw.col(name).sum() for name in ("w_", "own_", "used_", "bad_")]
    frame = frame.select(*chosen)
    if number is not None:
        whole = frequencies is not None and frame.collect_schema()["w_"].is_integer()
        real = nw.col("w_").cast(nw.Float64)
        bad = ~real.is_finite() | (real < 0)
        if frequencies is not None and not whole:
            bad = bad | (real != real.floor())
        frame = frame.with_columns(nw.col("w_").cast(nw.Int64) if whole else real.alias("w_"),
                                   (real * real).alias("own_"),
                                   (real > 0).cast(nw.Int64).alias("used_"),
                                   bad.fill_null(True).cast(nw.Int64).alias("bad_"))
    groups = frame.group_by(*names).agg(*sums)
    if number is not None:
        groups = groups.with_columns(*(nw.col(name).cast(nw.Int64) for name in (
            "used_", "bad_", *(("w_",) if whole else ()))))
    groups = _in_memory(groups)
    counted = {"labels": [labels_of(groups.get_column(name)) for name in names],
               "rows": groups.get_column("rows_").to_numpy().astype(np.int64)}
    if number is None:
        return CountedRows(**counted)
    wrong = int(groups.get_column("bad_").sum() or 0)
    what, needed = (("weights", "finite") if frequencies is None else ("frequencies", "whole"))
    if wrong:
        raise ClusteringError(f"{what} has {wrong} values that are not allowed; {needed} numbers "
                              ">= 0 are needed")
    sums = groups.get_column("w_").to_numpy()
    if frequencies is None:
        return CountedRows(**counted, weights=sums, squares=groups.get_column("own_").to_numpy(),
                      used=groups.get_column("used_").to_numpy())
    if sums.size and sums.astype(np.float64).sum() >= (2.0**63 if whole else 2.0**53):
        raise ClusteringError("frequencies add up to too many objects; fewer than 2^63 (2^53 "
                              "where the column holds floats) are allowed")
    return CountedRows(**counted, frequencies=sums)


def _in_memory(frame: Any) -> Any:
    """The rows of a result of an engine."""
    if not is_lazy(frame):
        return frame
    polars = frame.implementation.is_polars()
    return frame.collect(**({"engine": "streaming"} if polars else {}))


# -- two tables -------------------------------------------------------------------------------
def of_two_frames(left: Any, right: Any, on: Any, x: Any, y: Any, objects: str, missing: str
                  ) -> ContingencyTable:
    """The table of labels in two frames with a common key, joined where they are.

    A key that one of the frames lacks is an object without a label on that side.
    """
    check_choice("objects", objects, OBJECTS)
    if x is None or y is None:
        raise TypeError("x and y are missing; they name the column of labels of each table")
    keys = [on] if isinstance(on, str) else list(on)
    names = [f"key{i}_" for i in range(len(keys))]
    import narwhals.stable.v2 as nw
    frames: list[Any] = []
    for side, data, label in (("left", left, x), ("right", right, y)):
        frame = as_frame(data)
        if frame is None:
            raise TypeError(f"{side} is of type {type(data).__name__}; with on, two frames of the "
                            "same library are needed")
        check_columns([*keys, label], frame.collect_schema().names())
        frame = frame.select(*(nw.col(key).alias(f"key{i}_") for i, key in enumerate(keys)),
                             nw.col(label).alias(f"c{len(frames)}_"),
                             nw.lit(1).alias(f"in_{side}_"))
        frames.append(frame)
        # An object with several rows in a table would be counted several times by a join.
        repeated = frame.group_by(*names).agg(nw.len().alias("rows_")).filter(
            nw.col("rows_") > 1).select("rows_")
        if len(_in_memory(repeated.head(1))):
            raise ClusteringError(f"the {side} table has several rows with the same "
                                  f"{', '.join(map(str, keys))}; one row per object is needed")
    if frames[0].implementation != frames[1].implementation:
        raise TypeError("left and right are frames of different libraries; give two of the same")
    both = frames[0].join(frames[1], on=names, how="full", suffix="_right")
    known = [nw.col(f"in_{side}_").is_null() for side in ("left", "right")]
    groups = both.with_columns(only_right_=known[0].cast(nw.Int64),
                               only_left_=known[1].cast(nw.Int64)).group_by(
        "c0_", "c1_", "only_left_", "only_right_").agg(nw.len().alias("rows_"))
    groups = _in_memory(groups)
    only = [groups.get_column(f"only_{side}_").to_numpy() == 1 for side in ("left", "right")]
    rows = groups.get_column("rows_").to_numpy().astype(np.int64)
    lost = int(rows[only[0]].sum()), int(rows[only[1]].sum())
    keep = ~((only[0] & (objects in ("common", "y"))) | (only[1] & (objects in ("common", "x"))))
    tally = Tally()
    CountedRows(labels=[labels_of(groups.get_column(f"c{k}_")) for k in range(2)],
           rows=rows * keep).add_to(tally, 0, 1, missing)
    return ContingencyTable._of_tally(tally, unmatched=lost)


# -- dask ----------------------------------------------------------------------------------------
def is_dask(value: Any) -> bool:
    """Test whether `value` is a dask collection."""
    return library(value) in ("dask", "dask_expr") and hasattr(value, "dask")


def of_dask(x: Any, y: Any, weights: Any, frequencies: Any, missing: str) -> ContingencyTable:
    """The table of dask arrays or Series: blocks are counted where they are, tables merged."""
    columns = [x, y, *(v for v in (weights, frequencies) if v is not None)]
    if not all(is_dask(v) for v in columns):
        raise ClusteringError("some of x, y and weights are dask collections and some are not; "
                              "make all of them dask collections, or none")
    series = [hasattr(v, "npartitions") and not hasattr(v, "chunks") for v in columns]
    if not any(series):
        if any(a.ndim != 1 for a in columns):
            raise ClusteringError("x and y must be one-dimensional dask arrays")
        if not any(np.isnan(size) for a in columns for size in a.chunks[0]):
            if len({a.shape[0] for a in columns}) > 1:
                raise ClusteringError(f"x has {x.shape[0]} labels and y has {y.shape[0]}; two "
                                      "labels per object are needed")
            columns = [x, *(a.rechunk(x.chunks) for a in columns[1:])]
    elif not all(series):
        raise ClusteringError("x and y are a dask array and a dask Series; make both the same: "
                              "series.to_dask_array(lengths=True)")
    return of_blocks(columns, weights, frequencies, missing)


def of_blocks(columns: list[Any], weights: Any, frequencies: Any, missing: str
              ) -> ContingencyTable:
    """The table of columns whose blocks are paired by position."""
    from dask import compute, delayed
    blocks = [list(np.ravel(np.array(column.to_delayed(), dtype=object)))
              for column in columns]
    sizes = {len(b) for b in blocks}
    if len(sizes) > 1:
        raise ClusteringError(f"x has {len(blocks[0])} partitions and y has {len(blocks[1])}; "
                              "partitions are paired by position: put both columns into one frame "
                              "and give data=frame")
    count = delayed(_count_block, pure=False)
    merge = delayed(_merged, pure=False)
    role = "weights" if weights is not None else "frequencies" if frequencies is not None else ""
    tables = [count(parts, missing, k, role) for k, parts in enumerate(zip(*blocks))]
    while len(tables) > 1:
        tables = [merge(tables[i:i + 8]) for i in range(0, len(tables), 8)]
    return compute(tables[0])[0] if tables else ContingencyTable._of_tally(Tally())


def _count_block(parts: Any, missing: str, number: int, role: str) -> ContingencyTable:
    """The table of one block; its rows must be the same on both sides."""
    where = f" in partition {number}"
    indexes = [part.index for part in parts if hasattr(part, "index") and hasattr(part, "iloc")]
    lengths = [len(part) for part in parts]
    if len(set(lengths)) > 1 or any(not indexes[0].equals(other) for other in indexes[1:]):
        raise ClusteringError(f"x and y differ in rows{where} ({lengths[0]} and {lengths[1]}); "
                              "rows are paired by position, so put both columns into one frame "
                              "and give data=frame")
    tally = Tally()
    more = parts[2] if len(parts) > 2 else None
    count_into(tally, parts[0], parts[1], more if role == "weights" else None,
               more if role == "frequencies" else None, missing, where)
    return ContingencyTable._of_tally(tally)


def _merged(tables: list[ContingencyTable]) -> ContingencyTable:
    return tables[0].merge(*tables[1:])
