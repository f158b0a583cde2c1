"""Labels, weights and frequencies of objects, counted into a tally."""

from __future__ import annotations

from typing import Any

from .._checks import ClusteringError
from ..clusterings.objects import check_indexes
from ._table_sources import object_weights, whole_counts
from .contingency_table import ContingencyTable
from .table_counts import Chunk, Tally


def count_into(tally: Tally, x: Any, y: Any, weights: Any, frequencies: Any, missing: str,
               where: str) -> None:
    """Count labels; frequencies are counts, weights are sums."""
    if weights is not None and frequencies is not None:
        raise ValueError("weights and frequencies exclude each other: copies of objects form "
                         "pairs, the parts of a weight do not")
    check_indexes((("x", x), ("y", y), ("weights", weights), ("frequencies", frequencies)), where)
    numbers = (whole_counts(frequencies, "frequencies") if frequencies is not None
               else object_weights(weights) if weights is not None else None)
    if numbers is not None and numbers.ndim != 1:
        raise ClusteringError(f"frequencies has shape {numbers.shape}; one per object is needed")
    chunk = Chunk(x, y, numbers, missing, where)
    tally.add_chunk(chunk, frequencies=frequencies is not None, where=where)


def of_labels(x: Any, y: Any, weights: Any, frequencies: Any, missing: str) -> ContingencyTable:
    """The table of two label vectors in memory."""
    tally = Tally()
    count_into(tally, x, y, weights, frequencies, missing, "")
    return ContingencyTable._of_tally(tally)
