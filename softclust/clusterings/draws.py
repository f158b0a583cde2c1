"""Posterior draws of partitions as users have them, as one array."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._checks import ClusteringError, shown
from .._warnings import warn
from .objects import check_indexes, naming_of

#: dimensions of xarray objects, or names of an index, that are no objects to cluster
_CHAIN, _DRAW = ("chain", "chains"), ("draw", "draws", "sample", "iteration")
#: rows of a frame per column from which on its rows may be draws
_TALL = 4
GAPS = "draws must be complete; thin or complete them"


def draws_matrix(draws: Any) -> tuple[np.ndarray, Any]:
    """Draws as integers or floats (S, n) or (chains, draws, n), and names of objects.

    A row of an array or list is a draw; in a frame rows are objects and columns are draws.
    """
    naming = None
    if hasattr(draws, "columns") and hasattr(draws, "shape"):
        _tell_reading(draws)
        draws, naming = np.asarray(draws).T, naming_of(draws)
    elif isinstance(draws, (list, tuple)) and draws:
        check_indexes((f"draw {s}", row) for s, row in enumerate(draws))
        naming = naming_of(draws[0])
    return _numbers(_ordered(draws)), naming


def _tell_reading(frame: Any) -> None:
    """Say how a frame was read that looks as if its rows were draws."""
    (rows, columns), index = frame.shape, getattr(frame, "index", None)
    named = {str(name).lower() for name in getattr(index, "names", ())}
    if rows > _TALL * columns or named & {*_CHAIN, *_DRAW}:
        warn(f"draws is a frame with {rows} rows and {columns} columns, read as {columns} draws of "
             f"{rows} objects: in a frame rows are objects and columns are draws; where a row is a "
             "draw, give frame.T or frame.to_numpy()", UserWarning, stacklevel=4)


def _ordered(draws: Any) -> Any:
    """The values of an xarray object in the order chain, draw, object; others as they are."""
    if hasattr(draws, "posterior") or hasattr(draws, "data_vars"):
        raise ClusteringError(f"draws is a {type(draws).__name__}, which holds several variables; "
                              "give the one with the labels, as in idata.posterior['z']")
    dims = getattr(draws, "dims", None)
    if dims is None or not hasattr(draws, "transpose"):
        return draws
    lead = [d for names in (_CHAIN, _DRAW) for d in dims if d in names]
    rest = [d for d in dims if d not in lead]
    if len(rest) != 1:
        raise ClusteringError(f"draws has the dimensions {', '.join(map(str, dims))}; chain, draw "
                              "and one dimension of objects are needed: select one of the others")
    return draws.transpose(*lead, *rest).values


def _numbers(draws: Any) -> np.ndarray:
    """Whole numbers in two or three dimensions."""
    if isinstance(draws, np.ma.MaskedArray):
        if np.ma.getmaskarray(draws).any():
            raise ClusteringError(f"draws has masked labels; {GAPS}")
        draws = draws.data
    try:
        found = np.asarray(draws)
    except ValueError:
        raise ClusteringError("draws has rows of different lengths; one label for each object in "
                              "every draw is needed") from None
    if found.ndim == 1 and found.size:
        raise ClusteringError(f"draws has shape {found.shape}, which is one clustering; give draws "
                              "as rows")
    if found.ndim not in (2, 3) or not found.size:
        raise ClusteringError(f"draws has shape {found.shape}; (draws, objects) or (chains, draws, "
                              "objects) with at least one of each are needed")
    if found.dtype.kind == "O":
        found = _from_objects(found)
    if found.dtype.kind not in "iubf":
        raise ClusteringError(f"draws holds labels of dtype {found.dtype}; whole numbers are "
                              "needed: pandas.factorize makes them")
    return found


def _from_objects(found: np.ndarray) -> np.ndarray:
    """Numbers kept as Python objects; None and pandas' NA count as missing."""
    try:
        return np.asarray(found.tolist(), dtype=np.float64)
    except (TypeError, ValueError):
        missing = any(v is None or type(v).__name__ in ("NAType", "NaTType") for v in found.flat)
        raise ClusteringError(f"draws has missing labels; {GAPS}" if missing else
                              f"draws holds {shown(next(iter(found.flat)))}, which is no whole "
                              "number; integer labels are needed") from None
