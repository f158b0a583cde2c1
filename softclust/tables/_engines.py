"""Thin doors to engines: polars, pyarrow, dask, pandas. Types are known by the name of their
module; nothing is imported that the user has not imported.

An engine with a GROUP BY that keeps missing labels counts itself (polars, pyarrow); pandas and
dask drop rows with a missing label when they group, so our kernel counts their blocks.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from .._checks import ClusteringError
from ._labelled_counts import count_into, of_labels
from ._table_counts import Tally
from .contingency_table import ContingencyTable

#: rows of one batch of a dataset
BATCH = 1_000_000


def _module(value: Any) -> str:
    return type(value).__module__.partition(".")[0]


def is_dask(value: Any) -> bool:
    """Whether `value` is a collection of dask."""
    return _module(value) in ("dask", "dask_expr") and hasattr(value, "dask")


def of_columns(data: Any, x: Any, y: Any, weights: Any, frequencies: Any, missing: str
               ) -> ContingencyTable:
    """The table of two columns of a frame of any engine."""
    if y is None:
        raise TypeError("y is missing; x and y name two columns of data")
    engine = _module(data)
    named = [name for name in (x, y, weights, frequencies) if name is not None]
    _check_names(data, named, engine)
    if is_dask(data):
        return _dask_blocks([[data[name] for name in named]], weights, frequencies, missing)
    if engine == "polars":
        return _polars(data, x, y, weights, frequencies, missing)
    if engine == "pyarrow":
        return _arrow(data, x, y, weights, frequencies, missing)
    return of_labels(data[x], data[y], None if weights is None else data[weights],
                     None if frequencies is None else data[frequencies], missing)


def _check_names(data: Any, named: list[Any], engine: str) -> None:
    if hasattr(data, "collect_schema"):
        columns = data.collect_schema().names()
    elif engine == "pyarrow":
        columns = data.schema.names
    else:
        columns = list(getattr(data, "columns", data))
    for name in named:
        if not isinstance(name, (str, int, tuple)):
            raise TypeError(f"with data, x, y and weights are names of columns, not "
                            f"{type(name).__name__}")
        if name not in columns:
            raise ClusteringError(f"data has no column {name!r}; its columns are "
                                  f"{', '.join(map(repr, columns))}")


# -- results of GROUP BY ----------------------------------------------------------------------
def _grouped(x: Any, y: Any, counts: np.ndarray, missing: str) -> ContingencyTable:
    """The table of groups; a group without a label is missing labels, `counts` objects."""
    from ..clusterings.missing import known_labels
    tally = Tally()
    lost = np.zeros(len(counts), bool)
    for side, labels in (("x", x), ("y", y)):
        mask, _ = known_labels(labels)
        if mask is None:
            continue
        if missing == "raise":
            raise ClusteringError(f"{side} has {int(counts[mask].sum())} missing labels; "
                                  'missing="drop" leaves out objects without a label')
        lost |= mask
    keep = np.flatnonzero(~lost)
    count_into(tally, [x[i] for i in keep], [y[i] for i in keep], None, counts[keep], missing, "")
    tally.dropped += int(counts[lost].sum())
    return ContingencyTable._of_tally(tally)


def _polars(data: Any, x: Any, y: Any, weights: Any, frequencies: Any, missing: str
            ) -> ContingencyTable:
    import polars as pl
    if weights is not None or frequencies is not None:
        frame = data.select(list(dict.fromkeys([x, y, weights or frequencies])))
        frame = frame.collect() if hasattr(frame, "collect") else frame
        return of_labels(frame[x], frame[y], None if weights is None else frame[weights],
                         None if frequencies is None else frame[frequencies], missing)
    # polars counts in 32 bits: the sum of a column of 64-bit ones is exact.
    lazy = data.lazy().select(pl.col(x).alias("_x"), pl.col(y).alias("_y"))
    ones = lazy.with_columns(pl.lit(1, dtype=pl.Int64).alias("_one"))
    grouped = ones.group_by("_x", "_y").agg(pl.col("_one").sum().alias("_count"))
    try:
        frame = grouped.collect(engine="streaming")
    except TypeError:   # older versions
        frame = grouped.collect(streaming=True)
    return _grouped(frame["_x"].to_list(), frame["_y"].to_list(), frame["_count"].to_numpy(),
                    missing)


def _arrow(data: Any, x: Any, y: Any, weights: Any, frequencies: Any, missing: str
           ) -> ContingencyTable:
    kind = type(data).__name__
    if kind in ("Table", "RecordBatch") and weights is None and frequencies is None:
        import pyarrow as pa
        table = pa.Table.from_arrays([_column(data, x), _column(data, y)], names=["_x", "_y"])
        grouped = table.group_by(["_x", "_y"]).aggregate([([], "count_all")])
        return _grouped(grouped["_x"].to_pylist(), grouped["_y"].to_pylist(),
                        grouped["count_all"].to_numpy(), missing)
    tally = Tally()
    for k, batch in enumerate(_batches(data, [x, y, weights, frequencies])):
        found = {name: _column(batch, name) for name in (x, y, weights, frequencies)
                 if name is not None}
        count_into(tally, _labels(found[x]), _labels(found[y]),
                   None if weights is None else found[weights].to_numpy(zero_copy_only=False),
                   None if frequencies is None
                   else found[frequencies].to_numpy(zero_copy_only=False),
                   missing, f" in batch {k}")
    return ContingencyTable._of_tally(tally)


def _labels(column: Any) -> Any:
    """Arrow labels for our kernels; integers with nulls must not become floats."""
    if column.null_count:
        return column.to_pylist()
    if str(column.type).startswith("dictionary"):
        column = column.cast(column.type.value_type)
    return column.to_numpy(zero_copy_only=False)


def _column(data: Any, name: Any) -> Any:
    column = data.column(name)
    return column.combine_chunks() if hasattr(column, "combine_chunks") and (
        not str(column.type).startswith("dictionary")) else column


def _batches(data: Any, names: list[Any]) -> Iterator[Any]:
    columns = list(dict.fromkeys(name for name in names if name is not None))
    if hasattr(data, "scanner"):    # a dataset
        yield from data.to_batches(columns=columns, batch_size=BATCH)
    elif hasattr(data, "to_batches"):
        yield from data.select(columns).to_batches(max_chunksize=BATCH)
    else:                           # a reader
        yield from data


# -- dask -------------------------------------------------------------------------------------
def of_dask(x: Any, y: Any, weights: Any, frequencies: Any, missing: str) -> ContingencyTable:
    """The table of dask arrays or Series: blocks are counted where they are, tables merged."""
    given = [x, y, *(v for v in (weights, frequencies) if v is not None)]
    if not all(is_dask(v) for v in given):
        raise ClusteringError("some of x, y and weights are dask collections and some are not; "
                              "make all of them dask collections, or none")
    series = [hasattr(v, "npartitions") and not hasattr(v, "chunks") for v in given]
    if not any(series):
        given = _same_chunks(given)
    elif not all(series):
        raise ClusteringError("x and y are a dask array and a dask Series; make both the same: "
                              "series.to_dask_array(lengths=True)")
    return _dask_blocks([given], weights, frequencies, missing)


def _same_chunks(arrays: list[Any]) -> list[Any]:
    if any(a.ndim != 1 for a in arrays):
        raise ClusteringError("x and y must be one-dimensional dask arrays")
    known = not any(np.isnan(size) for a in arrays for size in a.chunks[0])
    if known:
        if len({a.shape[0] for a in arrays}) > 1:
            raise ClusteringError(f"x has {arrays[0].shape[0]} labels and y has "
                                  f"{arrays[1].shape[0]}; two labels per object are needed")
        return [arrays[0], *(a.rechunk(arrays[0].chunks) for a in arrays[1:])]
    return arrays


def _dask_blocks(columns: list[list[Any]], weights: Any, frequencies: Any, missing: str
                 ) -> ContingencyTable:
    from dask import compute, delayed
    blocks = [list(np.ravel(np.array(column.to_delayed(), dtype=object)))
              for column in columns[0]]
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
        raise ClusteringError(f"x and y have other rows{where} ({lengths[0]} and {lengths[1]}); "
                              "rows are paired by position, so put both columns into one frame "
                              "and give data=frame")
    tally = Tally()
    more = parts[2] if len(parts) > 2 else None
    count_into(tally, parts[0], parts[1], more if role == "weights" else None,
               more if role == "frequencies" else None, missing, where)
    return ContingencyTable._of_tally(tally)


def _merged(tables: list[ContingencyTable]) -> ContingencyTable:
    return tables[0].merge(*tables[1:])
