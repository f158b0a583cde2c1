"""Quotients that may be 0/0, for one value and for arrays of replicates."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from .._checks import warn_undefined


def quotient(over: Any, under: Any, *, name: str, reason: str | Callable[[], str],
             equal: Any = False, at_equal: float = 1.0, zero: float = 0.0,
             undefined: str = "", positive: bool = False) -> Any:
    """over / under; `at_equal` where `equal` holds, nan where |under| <= `zero` otherwise.

    With `positive` it is nan where under <= `zero`.
    A single undefined value warns that measure `name` is undefined for this `reason`, or for
    `undefined` where numerator or denominator are nan already; replicates do not.
    """
    if hasattr(under, "quotient"):   # a term of SQL
        return under.quotient(over, equal, at_equal, zero, positive)
    if isinstance(under, np.ndarray):
        small = (under if positive else np.abs(under)) <= zero
        value = np.where(small, np.nan, over / np.where(small, 1.0, under))
        return np.where(equal, at_equal, value)
    if equal:
        return at_equal
    if (under if positive else abs(under)) <= zero:
        return warn_undefined(name, reason() if callable(reason) else reason)
    value = over / under
    return warn_undefined(name, undefined) if undefined and value != value else value


def root(value: Any) -> Any:
    """Square root with the bits of `math.sqrt`, for one value and for arrays."""
    return np.sqrt(value) if hasattr(value, "__array_ufunc__") else math.sqrt(value)


def least(first: Any, second: Any) -> Any:
    """The smaller of two, for one value and for arrays; nan stays nan."""
    if hasattr(first, "__array_ufunc__") or hasattr(second, "__array_ufunc__"):
        return np.minimum(first, second)
    return min(first, second)


def largest(first: Any, second: Any) -> Any:
    """The larger of two, for one value and for arrays."""
    return -least(-first, -second)
