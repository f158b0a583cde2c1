"""Names and sums of a contingency table as arrays and as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .._summary import SummaryTable
from .._text import number
from .exact import WholeSums

if TYPE_CHECKING:
    from .contingency_table import ContingencyTable

#: rows and columns that are shown
SHOWN = 12


def summary_table(table: ContingencyTable) -> SummaryTable:
    """A table of the largest clusters of both sides with their counts and sums."""
    rows, columns = _largest(table.x_sizes), _largest(table.y_sizes)
    r, s = table.n_clusters
    cells = _shown_cells(table, rows, columns)
    body = [[str(table.x_names[k]), *cells[i], _text(table.x_sizes[k])]
            for i, k in enumerate(rows)]
    body.append(["sum", *(_text(table.y_sizes[j]) for j in columns), _text(table.total_weight)])
    notes = []
    if len(rows) < r or len(columns) < s:
        notes.append(f"The {len(rows)} largest of {r} clusters of x and {len(columns)} of {s} "
                     "of y; sums are of all.")
    if table.n_dropped:
        notes.append(f"{table.n_dropped} objects with a missing label were left out.")
    weight = f", total weight {number(table.total_weight)}" if table.weighted else ""
    return SummaryTable(
        body, ["x \\ y", *(str(table.y_names[j]) for j in columns), "sum"],
        aligns="l" + "r" * (len(columns) + 1), notes=notes,
        title=f"Contingency table of {table.n_objects} objects{weight}, {r} by {s} clusters")


def _largest(sizes: np.ndarray) -> list[int]:
    """The largest clusters, in their order."""
    if sizes.shape[0] <= SHOWN:
        return list(range(sizes.shape[0]))
    return sorted(np.argsort(-sizes, kind="stable")[:SHOWN].tolist())


def _shown_cells(table: ContingencyTable, rows: list[int], columns: list[int]) -> list[list[str]]:
    place_x, place_y = ({k: i for i, k in enumerate(found)} for found in (rows, columns))
    cells = [["0"] * len(columns) for _ in rows]
    chosen = np.flatnonzero(np.isin(table.rows, rows) & np.isin(table.columns, columns))
    for k, j, count in zip(table.rows[chosen].tolist(), table.columns[chosen].tolist(),
                           table.counts[chosen].tolist()):
        cells[place_x[k]][place_y[j]] = _text(count)
    return cells


def _text(count: Any) -> str:
    return number(float(count)) if isinstance(count, (float, np.floating)) else str(int(count))


def names_array(names: tuple[Any, ...]) -> np.ndarray:
    """Labels as an array of their own type."""
    if all(type(v) in (int, bool, str) for v in names):
        try:
            return np.array(names)
        except OverflowError:
            pass
    array = np.empty(len(names), object)
    array[:] = names
    return array


def by_row(whole: WholeSums, rows: np.ndarray, r: int) -> tuple[list[int], np.ndarray]:
    """Sums of squared weights, and numbers of objects, by cluster of x."""
    squares, objects = [0] * r, np.zeros(r, np.int64)
    for row, q in zip(rows.tolist(), whole.squares):
        squares[row] += q
    np.add.at(objects, rows, whole.objects)
    return squares, objects
