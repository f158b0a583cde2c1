"""The measures of a Prayatul matrix as quotients of linear forms of its four entries."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np

from ..._checks import UndefinedMeasureWarning
from ..._records import Interval
from ..._warnings import warn

OUTCOMES = ("both_right", "right_wrong", "wrong_right", "both_wrong")
#: the five measures of the paper, eq. 5 to 9
MEASURES = ("comparative_deviation", "polarization", "comparative_rightness",
            "effective_rightness", "effective_superiority")
RANDS = ("rand_primary", "rand_alternative", "rand_between")
SYMBOLS = {"comparative_deviation": "sigma", "polarization": "alpha",
           "comparative_rightness": "xi_c", "effective_rightness": "xi_e",
           "effective_superiority": "phi"}
#: numerator and denominator as coefficients of BR, RW, WR, BW
FORMS: dict[str, tuple[tuple[int, int, int, int], tuple[int, int, int, int]]] = {
    "comparative_deviation": ((0, 1, -1, 0), (0, 1, 1, 0)),
    "polarization": ((1, 1, 0, -1), (1, 1, 1, 1)),
    "comparative_rightness": ((1, 1, 0, 0), (1, 1, 1, 0)),
    "effective_rightness": ((1, 1, -1, 0), (1, 1, 1, 0)),
    "effective_superiority": ((1, 1, -1, 0), (1, 1, 1, 1)),
    "delta": ((0, 1, -1, 0), (1, 1, 1, 1)),
    "rand_primary": ((1, 1, 0, 0), (1, 1, 1, 1)),
    "rand_alternative": ((1, 0, 1, 0), (1, 1, 1, 1)),
    "rand_between": ((1, 0, 0, 1), (1, 1, 1, 1)),
}
#: what intervals are given for
INFERRED = ("delta", *MEASURES)
RANGES = {name: (0.0, 1.0) if name in ("comparative_rightness", *RANDS) else (-1.0, 1.0)
          for name in FORMS}
#: where the unknown cells of the 3 x 3 matrix may go: RU, WU, UR, UW, UU
_UNKNOWN = (((0, 2), (0, 1)), ((1, 2), (2, 3)), ((2, 0), (0, 2)), ((2, 1), (1, 3)),
            ((2, 2), (0, 1, 2, 3)))


def form(coefficients: Sequence[int], counts: Sequence[Any]) -> Any:
    """Linear form of the four counts, in Python integers when they are."""
    return sum(c * v for c, v in zip(coefficients, counts) if c)


def quotient(name: str, counts: Sequence[Any]) -> float:
    """A measure; nan where it is 0/0. One division, so exact integers round once."""
    above, below = FORMS[name]
    divisor = form(below, counts)
    return float(form(above, counts) / divisor) if divisor > 0 else math.nan


def quotients(name: str, counts: np.ndarray) -> np.ndarray:
    """The same for every row of `counts` (m, 4)."""
    above, below = (counts @ np.array(f, dtype=np.float64) for f in FORMS[name])
    return np.divide(above, below, out=np.full(above.shape, np.nan), where=below > 0)


def measured(counts: Sequence[Any], zero_division: float) -> dict[str, float]:
    """All measures; undefined ones get `zero_division`, with a warning when that is nan."""
    values = {name: quotient(name, counts) for name in FORMS}
    undefined = [name for name, value in values.items() if math.isnan(value)]
    if undefined and math.isnan(zero_division):
        reason = ("no pair is right in the primary or in the alternative" if len(undefined) > 1
                  else "primary and alternative are right about the same pairs (hard ones: "
                       "they are the same partition)")
        verb = "are" if len(undefined) > 1 else "is"
        warn(f"{', '.join(undefined)} {verb} undefined: {reason}; nan is returned "
             "(zero_division=0.0 gives the author's 0)",
             UndefinedMeasureWarning, stacklevel=4)
    return {name: zero_division if name in undefined else value
            for name, value in values.items()}


def allocations(matrix: np.ndarray) -> np.ndarray:
    """The 64 corner allocations of what is unknown, (64, 4) counts."""
    base = matrix[:2, :2].ravel()
    rows = []
    for places in product(*(targets for _, targets in _UNKNOWN)):
        counts = base.copy()
        for (cell, _), place in zip(_UNKNOWN, places):
            counts[place] += matrix[cell]
        rows.append(counts)
    return np.array(rows)


def bounds(matrix: np.ndarray) -> dict[str, Interval]:
    """Least and greatest value of each measure and of each count over the allocations."""
    corners = allocations(matrix)
    found = {name: corners[:, k] for k, name in enumerate(OUTCOMES)}
    found |= {name: quotients(name, corners) for name in FORMS}
    result = {}
    for name, values in found.items():
        defined = values[~np.isnan(values)]
        result[name] = (Interval(float(defined.min()), float(defined.max())) if defined.size
                        else Interval(math.nan, math.nan))
    return result
