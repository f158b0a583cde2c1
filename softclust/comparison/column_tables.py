"""`compare_all` of the columns of a frame: tables where an engine has the rows, or with weights."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .._checks import ClusteringError
from .._frames import as_frame, check_columns, columns_of, is_lazy
from ..tables.contingency_table import ContingencyTable
from ..tables.frame_counts import grouped
from ..tables.table_counts import Tally
from .pairs import Paired


class ColumnTables(Paired):
    """Columns of labels in an engine, or with weights: every pair has a table of counts.

    One scan groups the rows by all columns; the tables are sums over these groups.
    """

    def __init__(self, data: Any, columns: Sequence[Any], weights: Any, missing: str) -> None:
        frame = as_frame(data)
        if frame is None:
            raise TypeError(f"clusterings is of type {type(data).__name__}; weights= and columns= "
                            "are for a data frame")
        check_columns([*columns, *([] if weights is None else [weights])],
                      frame.collect_schema().names())
        self.names, self.missing = tuple(map(str, columns)), missing
        self.groups = grouped(frame, list(columns), weights, None)

    @property
    def kinds(self) -> tuple[str, ...]:
        """Labels are hard."""
        return ("hard",) * len(self.names)

    @property
    def notes(self) -> list[str]:
        """Objects that were left out, of pairs of columns."""
        return []

    def joint(self, i: int, j: int) -> Any:
        """The table of columns i and j."""
        tally = Tally()
        self.groups.add_to(tally, i, j, self.missing)
        return ContingencyTable._of_tally(tally)

    def count(self, i: int, j: int) -> int:
        """Objects in the table of columns i and j."""
        return int(self.joint(i, j).n_objects)


def columns_to_compare(data: Any, columns: Sequence[Any] | None, weights: Any, missing: Any
                       ) -> Any:
    """What `compare_all` compares of a frame: its columns, or tables where an engine has them."""
    frame = as_frame(data)
    if frame is None:
        if weights is None and columns is None:
            return data
        raise TypeError(f"clusterings is of type {type(data).__name__}; weights= and columns= are "
                        "for a data frame")
    if isinstance(columns, str):
        raise TypeError(f"columns is {columns!r}; a list of names is needed")
    chosen = list(columns if columns is not None
                  else (name for name in frame.collect_schema().names() if name != weights))
    if weights is not None or is_lazy(frame):
        if missing not in ("raise", "drop"):
            raise ClusteringError(f"missing={missing!r} needs the objects; with weights, and for "
                                  'rows in an engine, missing is "raise" or "drop"')
        return ColumnTables(data, chosen, weights, missing)
    if columns is None:
        return data
    present = dict(columns_of(data) or [])
    check_columns(chosen, list(present))
    return {str(name): present[name] for name in chosen}
