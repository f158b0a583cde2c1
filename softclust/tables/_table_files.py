"""Contingency tables on disk: npz files of integers and text."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .._checks import ClusteringError
from ..results.stored import as_bytes, check_arrays, read_npz, readable, write_npz

if TYPE_CHECKING:
    from .contingency_table import ContingencyTable, PartedTable

_FORMAT = "softclust contingency table"
_ADVICE = "a file that ContingencyTable.save wrote is needed"
_PARTS = ("part_rows", "part_columns", "part_counts")
_KINDS = {"bool": bool, "int": int, "str": str}


def save_table(table: ContingencyTable, path: Path) -> None:
    """Write `table` to a file, completely or not at all."""
    header: dict[str, Any] = {"n_dropped": table.n_dropped, "weighted": table.weighted}
    arrays: dict[str, np.ndarray] = {"rows": table.rows, "columns": table.columns}

    def names_of(what: str, names: tuple[Any, ...]) -> None:
        kind = type(names[0]).__name__ if names else "int"
        if kind not in _KINDS or any(type(v) is not _KINDS[kind] for v in names):
            raise ClusteringError(f"{what} has labels of type {kind}; whole numbers, strings and "
                                  "booleans can be saved: [str(v) for v in labels] makes strings")
        header[f"{what}_kind"] = kind
        arrays[f"{what}_names"] = as_bytes(list(names))

    names_of("x", table.x_names)
    names_of("y", table.y_names)
    arrays["counts"] = table._summed
    for what in ("groups", "strata"):
        part = getattr(table, f"_{what}", None)
        if part is not None:
            arrays[what] = part[0]
            names_of(what, part[1])
    if hasattr(table, "part_counts"):
        arrays.update({name: getattr(table, name) for name in _PARTS})
    write_npz(path, _FORMAT, 2, arrays, packed=True, **header)


def load_table(path: Path, plain: type[ContingencyTable], parted: type[PartedTable]
               ) -> ContingencyTable:
    """Read what `save_table` wrote."""
    header, arrays = read_npz(path, _FORMAT, 2, _ADVICE)
    with readable(path, "a contingency table", _ADVICE):
        sides = [_names(arrays, header, side) for side in "xy"]
        dropped, weighted = header["n_dropped"], header["weighted"]
        if type(dropped) is not int or dropped < 0 or type(weighted) is not bool:
            raise ValueError("n_dropped or weighted is not what it should be")
        if weighted and header["version"] < 2:
            raise ClusteringError(f"{path} holds weights as an older softclust wrote them; "
                                  "count the labels again")
        counts = arrays.get("counts", np.zeros(0))
        cells = check_cells(sides, arrays, weighted)
        kind = parted if "part_counts" in arrays else plain
        table = kind._of(sides[0], sides[1], arrays["rows"], arrays["columns"], counts, dropped)
        if not isinstance(table, parted):
            return table
        # The tables of groups and strata, which add up to that of all objects.
        check_arrays(arrays, **dict.fromkeys(_PARTS, "i m"))
        rows, columns, counts = (arrays[name] for name in _PARTS)
        _check_codes(rows, table.x_names)
        _check_codes(columns, table.y_names)
        place = np.searchsorted(cells, rows * len(table.y_names) + columns)
        if (counts <= 0).any() or not np.array_equal(
                np.bincount(place, counts, minlength=cells.size), table.counts):
            raise ValueError("the parts do not add up to the table")
        codes: list[np.ndarray] = []
        names: list[tuple[Any, ...] | None] = []
        for what in ("groups", "strata"):
            named = _names(arrays, header, what) if what in arrays else None
            codes.append(arrays.get(what, np.zeros_like(rows)))
            check_arrays({what: codes[-1]}, **{what: f"i {rows.size}"})
            if named is not None:
                _check_codes(codes[-1], named)
            names.append(named)
        table._with_parts(np.column_stack([rows, columns, *codes]), counts, names[0], names[1])
        return table


def check_cells(sides: Sequence[tuple[Any, ...]], arrays: Mapping[str, np.ndarray], weighted: bool
                ) -> np.ndarray:
    """The cells by their numbers; ValueError unless they and the counts are those of a table."""
    k = check_arrays(arrays, rows="i k", columns="i k")["k"]
    _check_codes(arrays["rows"], sides[0])
    _check_codes(arrays["columns"], sides[1])
    cells: np.ndarray = arrays["rows"] * len(sides[1]) + arrays["columns"]
    if (np.diff(cells) <= 0).any():
        raise ValueError("the cells are not in order")
    check_arrays(arrays, counts=f"f 4 {k}" if weighted else f"i {k}")
    counts = arrays["counts"]
    if weighted:
        weights, squares, products, objects = counts
        if not np.isfinite(counts).all() or (counts < 0).any() or (counts[[0, 1, 3]] == 0).any(
                ) or (objects % 1).any() or not np.allclose(
                    np.sqrt(squares + 2 * products), weights, rtol=1e-6, atol=0.0):
            raise ValueError("the weights do not fit the cells")
    elif (counts <= 0).any():
        raise ValueError("a cell has no objects")
    return cells


def _check_codes(codes: np.ndarray, names: tuple[Any, ...]) -> None:
    if codes.size and not 0 <= codes.min() <= codes.max() < len(names):
        raise ValueError("a cell has a cluster that has no name")


def _names(arrays: dict[str, np.ndarray], header: dict[str, Any], side: str) -> tuple[Any, ...]:
    kind = _KINDS[header[f"{side}_kind"]]
    names = json.loads(arrays[f"{side}_names"].tobytes())
    if not isinstance(names, list) or any(type(name) is not kind for name in names) or (
            len(set(names)) < len(names)):
        raise ValueError(f"the names of {side} are no distinct values of one type")
    return tuple(names)
