"""Labels in dask arrays and Series: blocks are counted where they are, tables merged."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._checks import ClusteringError
from .._frames import library
from ._labelled_counts import count_into
from .contingency_table import ContingencyTable
from .table_counts import Tally


def is_dask(value: Any) -> bool:
    """Whether `value` is a collection of dask."""
    return library(value) in ("dask", "dask_expr") and hasattr(value, "dask")


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
    return of_blocks(given, weights, frequencies, missing)


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
