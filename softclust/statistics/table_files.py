"""Contingency tables on disk: npz files of integers and text."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .._checks import ClusteringError
from .._writing import whole_file
from .exact import FloatSums

if TYPE_CHECKING:
    from .tables import ContingencyTable

_FORMAT, _VERSION = "softclust contingency table", 1
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
    try:
        with np.load(path, allow_pickle=False) as archive:
            found = {name: archive[name] for name in archive.files}
        header = json.loads(found["header"].tobytes())
        if header["format"] != _FORMAT:
            raise KeyError("format")
    except FileNotFoundError:
        raise
    except (ValueError, KeyError, OSError, TypeError, AttributeError, zipfile.BadZipFile):
        raise ClusteringError(f"{path} is no contingency table; a file that "
                              "ContingencyTable.save wrote is needed") from None
    if header["version"] > _VERSION:
        raise ClusteringError(f"{path} was written by a newer softclust (format "
                              f"{header['version']}, known up to {_VERSION}); update softclust")
    try:
        names = [tuple(map(_KINDS[header[f"{side}_kind"]],
                           json.loads(found[f"{side}_names"].tobytes()))) for side in "xy"]
        counts = (FloatSums(found["group"], found["exponent"], found["limbs"])
                  if header["weighted"] else found["counts"])
        rows, columns = found["rows"], found["columns"]
        _check(rows, columns, names)
        return build(names[0], names[1], rows, columns, counts, int(header["n_dropped"]))
    except (KeyError, ValueError, IndexError, TypeError):
        raise ClusteringError(f"{path} is damaged: its parts do not fit together") from None


def _bytes(content: Any) -> np.ndarray:
    text = json.dumps(content, ensure_ascii=False).encode("utf-8", "surrogatepass")
    return np.frombuffer(text, np.uint8)


def _check(rows: np.ndarray, columns: np.ndarray, names: list[tuple[Any, ...]]) -> None:
    for codes, own in ((rows, names[0]), (columns, names[1])):
        if codes.dtype != np.int64 or codes.shape != rows.shape or (
                codes.size and not 0 <= codes.min() <= codes.max() < len(own)):
            raise ValueError
