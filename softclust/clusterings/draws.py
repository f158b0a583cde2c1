"""Reading of posterior draws of partitions into one array."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._checks import ClusteringError, shown
from ..running.warnings import warn
from .objects import check_indexes, naming_of

#: dimensions of xarray objects, or names of an index, that are not objects to cluster
_CHAIN, _DRAW = ("chain", "chains"), ("draw", "draws", "sample", "iteration")
#: a table with this many times as many rows as columns may be transposed, and so may an array of
#: few draws or few objects
_TALL, _FEW_DRAWS, _FEW = 4, 200, 50
GAPS = "draws must be complete; thin or complete them"


def draws_matrix(draws: Any) -> tuple[np.ndarray, Any]:
    """Draws as integers or floats (S, n) or (chains, draws, n), and names of objects.

    A row of an array or list is a draw; in a frame rows are objects and columns are draws.
    """
    naming = None
    if hasattr(draws, "columns") and hasattr(draws, "shape"):
        objects, count = draws.shape
        index = {str(name).lower() for name in getattr(getattr(draws, "index", None), "names", ())}
        if objects > _TALL * count or index & {*_CHAIN, *_DRAW}:
            warn(f"draws is a frame with {objects} rows and {count} columns, read as {count} draws "
                 f"of {objects} objects: in a frame rows are objects and columns are draws; if a "
                 "row is a draw, give frame.T or frame.to_numpy()", UserWarning, stacklevel=4)
        draws, naming = np.asarray(draws).T, naming_of(draws)
    elif isinstance(draws, (list, tuple)) and draws:
        check_indexes((f"draw {s}", row) for s, row in enumerate(draws))
        naming = naming_of(draws[0])
    elif isinstance(draws, np.ndarray) and draws.ndim == 2 and draws.size:
        count, objects = draws.shape
        if objects > max(_TALL * count, _FEW) and count < _FEW_DRAWS:
            tell_array("draws", count, objects, "draws")

    if hasattr(draws, "posterior") or hasattr(draws, "data_vars"):
        raise ClusteringError(f"draws is a {type(draws).__name__}, which holds several variables; "
                              "give the one with the labels, as in idata.posterior['z']")
    dims = getattr(draws, "dims", None)
    if dims is not None and hasattr(draws, "transpose"):
        # an xarray object, in the order chain, draw, object
        lead = [d for names in (_CHAIN, _DRAW) for d in dims if d in names]
        rest = [d for d in dims if d not in lead]
        if len(rest) != 1:
            raise ClusteringError(f"draws has the dimensions {', '.join(map(str, dims))}; chain, "
                                  "draw and one dimension of objects are needed: select one of "
                                  "the others")
        draws = draws.transpose(*lead, *rest).values
    return _numbers(draws), naming


def tell_array(name: str, rows: int, columns: int, what: str) -> None:
    """Warn how an array was read that may be transposed."""
    warn(f"{name} is an array with {rows} rows and {columns} columns, read as {rows} {what} of "
         f"{columns} objects; if a row is an object, give the transpose (.T)", UserWarning,
         stacklevel=5)


def tell_runs(name: str, runs: Any) -> None:
    """`tell_array` of many clusterings of very few objects."""
    if isinstance(runs, np.ndarray) and runs.ndim == 2 and runs.size:
        count, objects = runs.shape
        if count > max(_TALL * objects, _FEW) and objects < _FEW:
            tell_array(name, count, objects, "clusterings")


def _numbers(draws: Any) -> np.ndarray:
    """Whole numbers in two or three dimensions."""
    if isinstance(draws, np.ma.MaskedArray):
        if np.ma.getmaskarray(draws).any():
            raise ClusteringError(f"draws has masked labels; {GAPS}")
        draws = draws.data
    try:
        labels = np.asarray(draws)
    except ValueError:
        raise ClusteringError("draws has rows of different lengths; one label for each object in "
                              "every draw is needed") from None
    if labels.ndim == 1 and labels.size:
        raise ClusteringError(f"draws has shape {labels.shape}, which is one clustering; give "
                              "draws as rows")
    if labels.ndim not in (2, 3) or not labels.size:
        raise ClusteringError(f"draws has shape {labels.shape}; (draws, objects) or (chains, "
                              "draws, objects) with at least one of each are needed")
    if labels.dtype.kind == "O":   # None and pandas' NA count as missing
        try:
            labels = np.asarray(labels.tolist(), dtype=np.float64)
        except (TypeError, ValueError):
            gaps = any(v is None or type(v).__name__ in ("NAType", "NaTType") for v in labels.flat)
            raise ClusteringError(f"draws has missing labels; {GAPS}" if gaps else
                                  f"draws holds {shown(next(iter(labels.flat)))}, which is not a "
                                  "whole number; integer labels are needed") from None
    if labels.dtype.kind not in "iubf":
        raise ClusteringError(f"draws holds labels of dtype {labels.dtype}; whole numbers are "
                              "needed: pandas.factorize makes them")
    if labels.min() < 0:
        raise ClusteringError(f"draws holds the label {labels.min():g}, which is negative; {GAPS}, "
                              "and give noise a label >= 0")
    return labels
