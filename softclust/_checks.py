"""Errors, warnings and the small checks that every door shares.

A message says what was given, what is allowed and what to do.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from ._warnings import warn

ROW_SUM_TOLERANCE = 1e-8


class ClusteringError(ValueError):
    """An argument is not a clustering of the needed form."""

    __module__ = "softclust"   # what users import and tracebacks name


class UndefinedMeasureWarning(UserWarning):
    """A measure is 0/0 for these clusterings; nan was returned."""

    __module__ = "softclust"


class IncompleteWarning(UserWarning):
    """Part of the work failed or was interrupted; what is finished was kept."""

    __module__ = "softclust"


def warn_undefined(measure: str, reason: str) -> float:
    """Warn that `measure` is undefined because of `reason`; return nan."""
    warn(f"{measure} is undefined: {reason}; nan is returned",
         UndefinedMeasureWarning, stacklevel=3)
    return math.nan


def check_alpha(alpha: Any) -> float:
    """`alpha` as a float in [0, 1]."""
    try:
        value = float(alpha)
    except (TypeError, ValueError):
        raise TypeError(f"alpha must be a number in [0, 1], not {alpha!r}") from None
    if not 0.0 <= value <= 1.0:
        raise ClusteringError(f"alpha is {alpha}; a number in [0, 1] is needed")
    return value


def check_choice(name: str, value: Any, allowed: Iterable[str]) -> str:
    """`value` when it is one of `allowed`."""
    allowed = list(allowed)
    if value not in allowed:
        raise ValueError(f"{name}={value!r} is not known; choose one of "
                         + ", ".join(repr(a) for a in allowed))
    return value


def check_weights(weights: Any, n: int) -> np.ndarray:
    """`weights` as n finite numbers >= 0, not all of them 0."""
    try:
        w = np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError):
        raise ClusteringError(f"weights cannot be read as numbers; one number >= 0 for each of "
                              f"the {n} objects is needed") from None
    if w.shape != (n,):
        raise ClusteringError(f"weights has shape {w.shape}; one number >= 0 for each of the {n} "
                              "objects is needed")
    bad = np.flatnonzero(~(np.isfinite(w) & (w >= 0.0)))
    if bad.size:
        raise ClusteringError(f"weights[{bad[0]}] is {w[bad[0]]}; finite numbers >= 0 are needed")
    if not w.any():
        raise ClusteringError("weights are all 0; at least one object with weight > 0 is needed")
    return w


def frozen(array: np.ndarray) -> np.ndarray:
    """`array` marked read-only."""
    array.setflags(write=False)
    return array
