"""Sides of a comparison named as columns of a frame: `compare(data=frame, x="a", y="b")`."""

from __future__ import annotations

from typing import Any

from .._checks import ClusteringError
from .._frames import as_frame, check_columns, columns_of, is_lazy
from ..tables.counter import contingency_table


def sides_of(x: Any, y: Any, data: Any, weights: Any, missing: Any) -> tuple[Any, Any, Any]:
    """Both sides and the policy for missing labels that is left to do.

    Two columns of a frame in memory; or their table, without y, where an engine has the rows or
    objects have weights.
    """
    if data is None and weights is None:
        return x, y, missing
    if x is None or y is None:
        raise TypeError("x and y are needed: with data the names of two of its columns")
    if weights is None and _in_memory(data):
        columns = dict(columns_of(data) or [])
        check_columns([x, y], list(columns))
        return columns[x], columns[y], missing
    if missing not in ("raise", "drop"):
        raise ClusteringError(f"missing={missing!r} needs the objects; with weights, and for rows "
                              'in an engine, missing is "raise" or "drop"')
    return contingency_table(x, y, data=data, weights=weights, missing=missing), None, "raise"


def called_after(names: tuple[str, str], x: Any, y: Any, data: Any) -> tuple[str, str]:
    """The sides named after their columns, where nobody named them."""
    return (str(x), str(y)) if data is not None and tuple(names) == ("x", "y") else names


def _in_memory(data: Any) -> bool:
    if type(data).__module__.partition(".")[0] == "pandas":
        return True
    frame = as_frame(data)
    return frame is not None and not is_lazy(frame)
