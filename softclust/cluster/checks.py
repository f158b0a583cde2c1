"""Checks of the arguments of clusterers: sizes, counts, numbers, weights."""

from __future__ import annotations

import math
import numbers
from typing import Any

import numpy as np

from .._checks import MOST, ClusteringError, check_whole
from ..clusterings.object_table import ObjectTable

#: least spread of a feature: squares of its thousandth part keep all digits
MIN_SPREAD = 1e-140


def count_distinct(x: np.ndarray, enough: int) -> int:
    """Number of distinct rows of x, or a number >= `enough` if there are at least that many."""
    first = np.unique(x[:10 * enough], axis=0).shape[0]
    return first if first >= enough else np.unique(x, axis=0).shape[0]


def check_spread(x: np.ndarray) -> None:
    """Raise when squared distances between all rows of x would vanish; equal rows are no error."""
    spread = float((x.max(axis=0) - x.min(axis=0)).max())
    if 0.0 < spread < MIN_SPREAD:
        raise ClusteringError(f"the features of X differ by at most {spread:.3g}; {MIN_SPREAD:g} "
                              "is needed, so that squares do not vanish: multiply X by a constant")


def check_scale(table: ObjectTable) -> None:
    """Raise for numbers whose squared distances would overflow or vanish."""
    if table.is_numeric:
        check_spread(table.numbers)


def check_count(name: str, value: Any) -> None:
    """Raise unless `value` is a whole number >= 1."""
    if not isinstance(value, numbers.Integral) or isinstance(value, bool) or value < 1:
        raise ClusteringError(f"{name} is {value!r}; a whole number >= 1 is needed")
    if int(value) > MOST:
        check_whole(name, value)   # says that this would never end


def check_number(name: str, value: Any, low: float, *, strict: bool = False,
                 high: float = math.inf) -> None:
    """Raise unless `value` is a finite number in [low, high], or above `low` when strict."""
    ok = isinstance(value, numbers.Real) and not isinstance(value, bool)
    if ok:
        ok = math.isfinite(value) and value <= high and (value > low if strict else value >= low)
    if not ok:
        allowed = f"> {low:g}" if strict else f">= {low:g}"
        if high < math.inf:
            allowed += f" and <= {high:g}"
        raise ClusteringError(f"{name} is {value!r}; a finite number {allowed} is needed")


def check_weights(sample_weight: Any, n: int) -> np.ndarray:
    """Weights as (n,) float64; ones when None."""
    if sample_weight is None:
        return np.ones(n)
    try:
        weights = np.array(sample_weight, dtype=np.float64)
    except (TypeError, ValueError):
        raise ClusteringError("sample_weight cannot be read as numbers") from None
    if weights.shape != (n,):
        raise ClusteringError(f"sample_weight has shape {weights.shape}; ({n},) is needed, "
                              "one weight per object")
    if not np.isfinite(weights).all() or (weights < 0).any():
        i = int(np.flatnonzero(~(np.isfinite(weights) & (weights >= 0)))[0])
        raise ClusteringError(f"sample_weight[{i}] is {weights[i]}; finite weights >= 0 are "
                              "needed")
    if not weights.any():
        raise ClusteringError("sample_weight is zero for every object; at least one must be "
                              "positive")
    return weights
