"""Which labels are missing: None, nan, NA, masked, or the code -1 of a categorical."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .labels import (
    foreign_array,
    is_missing,
    is_missing_type,
    is_pandas,
)


def known_labels(labels: Any) -> tuple[np.ndarray | None, Any]:
    """Mask (n,) of the missing labels, None when there are none, and the labels that are known.

    Those that are known are of the type given; whatever is wrong with them is found later.
    """
    if isinstance(labels, Sequence) and not isinstance(labels, (str, bytes)):
        return _of_list(labels)
    if isinstance(labels, np.ma.MaskedArray):
        mask = np.ma.getmaskarray(labels)
        return _split(mask, labels.data) if mask.ndim == 1 else (None, labels)
    if is_pandas(labels):
        mask = np.asarray(labels.isna())
        return _split(mask, labels) if mask.ndim == 1 else (None, labels)
    array = labels if isinstance(labels, np.ndarray) else foreign_array(labels)
    if array.ndim != 1:
        return None, labels
    if array.dtype.kind == "f":
        return _split(np.isnan(array), array)
    if array.dtype.kind == "O":
        return _of_list(array.tolist())
    return None, array


def _of_list(values: Sequence[Any]) -> tuple[np.ndarray | None, Any]:
    if not any(map(is_missing_type, set(map(type, values)))):
        return None, values
    mask = np.fromiter(map(is_missing, values), dtype=np.bool_, count=len(values))
    if not mask.any():
        return None, values
    return mask, [value for value, missing in zip(values, mask) if not missing]


def _split(mask: np.ndarray, labels: Any) -> tuple[np.ndarray | None, Any]:
    return (mask, labels[~mask]) if mask.any() else (None, labels)
