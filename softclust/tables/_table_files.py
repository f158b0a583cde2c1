"""Contingency tables on disk: npz files of integers and text."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .._checks import ClusteringError
from .._stored import check_arrays, check_header, read_npz, readable
from .._writing import whole_file
from .exact import FloatSums

if TYPE_CHECKING:
    from .contingency_table import ContingencyTable

_FORMAT, _VERSION = "softclust contingency table", 1
_ADVICE = "a file that ContingencyTable.save wrote is needed"
_KINDS = {"bool": bool, "int": int, "str": str}


def save_table(table: ContingencyTable, path: Path) -> None:
    """Write `table`; whole or not at all."""
    header: dict[str, Any] = {"format": _FORMAT, "version": _VERSION,
                              "n_dropped": table.n_dropped, "weighted": table.weighted}
    arrays: dict[str, np.ndarray] = {"rows": table.rows, "columns": table.columns}
    for side, names in (("x", table.x_names), ("y", table.y_names)):
        kind = type(names[0]).__name__ if names else "int"
        if kind not in _KINDS or any(type(v) is not _KINDS[kind] for v in names):
            raise ClusteringError(f"{side} has labels of type {kind}; whole numbers, strings and "
                                  "booleans can be saved: [str(v) for v in labels] makes strings")
        header[f"{side}_kind"] = kind
        arrays[f"{side}_names"] = _bytes(list(names))
    if table._sums is None:
        arrays["counts"] = table.counts
    else:
        arrays.update(table._sums._asdict())
    arrays["header"] = _bytes(header)
    with whole_file(path, "wb") as file:
        np.savez_compressed(file, **arrays)   # type: ignore[arg-type]


def load_table(path: Path, build: Callable[..., ContingencyTable]) -> ContingencyTable:
    """Read what `save_table` wrote; `build` makes a table of its parts."""
    found = read_npz(path, "a contingency table", _ADVICE)
    with readable(path, "a contingency table", _ADVICE):
        header: Any = json.loads(found["header"].tobytes()) if "header" in found else None
        check_header(header, path, "contingency table", _FORMAT, _VERSION, _ADVICE)
        names = [_names(found, header, side) for side in "xy"]
        dropped, weighted = header["n_dropped"], header["weighted"]
        if type(dropped) is not int or dropped < 0 or type(weighted) is not bool:
            raise ValueError("n_dropped or weighted is not what it should be")
        k = check_arrays(found, rows="i k", columns="i k")["k"]
        for codes, own in ((found["rows"], names[0]), (found["columns"], names[1])):
            if k and not 0 <= codes.min() <= codes.max() < len(own):
                raise ValueError("a cell has a cluster that has no name")
        cells = found["rows"] * len(names[1]) + found["columns"]
        if (np.diff(cells) <= 0).any():
            raise ValueError("the cells are not in order")
        if weighted:
            check_arrays(found, group="i m", exponent="i m", limbs="i m 7")
            group = found["group"]
            if (found["limbs"] < 0).any() or not np.array_equal(np.unique(group), np.arange(k)):
                raise ValueError("the weights do not fit the cells")
            counts: Any = FloatSums(group, found["exponent"], found["limbs"])
        else:
            counts = found["counts"]
            check_arrays({"counts": counts}, counts=f"i {k}")
            if (counts <= 0).any():
                raise ValueError("a cell has no objects")
        return build(names[0], names[1], found["rows"], found["columns"], counts, dropped)


def _names(found: dict[str, np.ndarray], header: dict[str, Any], side: str) -> tuple[Any, ...]:
    kind = _KINDS[header[f"{side}_kind"]]
    names = json.loads(found[f"{side}_names"].tobytes())
    if not isinstance(names, list) or any(type(name) is not kind for name in names) or (
            len(set(names)) < len(names)):
        raise ValueError(f"the names of {side} are no distinct values of one type")
    return tuple(names)


def _bytes(content: Any) -> np.ndarray:
    text = json.dumps(content, ensure_ascii=False).encode("utf-8", "surrogatepass")
    return np.frombuffer(text, np.uint8)

