"""Exact sums of whole numbers and of their products."""

from __future__ import annotations

import numpy as np

#: sums in double precision below which those of int64 do not overflow
_FITS = 2.0**62


def exact_dot(u: np.ndarray, v: np.ndarray) -> int:
    """Sum of u * v of whole numbers from 0 to 2^63 - 1, as an exact Python integer."""
    if not u.size or float(u.max()) * v.sum(dtype=np.float64) < _FITS:
        return int(np.dot(u.astype(np.int64), v.astype(np.int64)))
    return int(np.dot(u.astype(object), v.astype(object)))


def exact_total(values: np.ndarray) -> int:
    """Sum of whole numbers from 0 to 2^63 - 1, as an exact Python integer."""
    if values.sum(dtype=np.float64) < _FITS:
        return int(values.sum(dtype=np.int64))
    return int(values.astype(object).sum())
