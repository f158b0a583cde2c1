"""Errors, warnings and the small checks that every door shares.

A message says what was given, what is allowed and what to do.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable
from typing import Any

import numpy as np

ROW_SUM_TOLERANCE = 1e-8


class ClusteringError(ValueError):
    """An argument is not a clustering of the needed form."""

    __module__ = "softclust"   # what users import and tracebacks name


class UndefinedMeasureWarning(UserWarning):
    """A measure is 0/0 for these clusterings; nan was returned."""

    __module__ = "softclust"


def warn_undefined(measure: str, reason: str) -> float:
    """Warn that `measure` is undefined because of `reason`; return nan."""
    warnings.warn(f"{measure} is undefined: {reason}; nan is returned",
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


def frozen(array: np.ndarray) -> np.ndarray:
    """`array` marked read-only."""
    array.setflags(write=False)
    return array
