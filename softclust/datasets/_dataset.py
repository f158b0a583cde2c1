"""The record that every function of this package returns."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._checks import ClusteringError, frozen


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Dataset:
    """Data with known classes.

    Attributes
    ----------
    name : str
    data : ndarray, shape (n, p), float64
        Read-only measurements.
    labels : ndarray, shape (n,), int64
        Read-only class of each object: positions in `label_names`.
    feature_names, label_names : tuple of str
    source : str
        Where the data come from.
    """

    name: str
    data: np.ndarray
    labels: np.ndarray
    feature_names: tuple[str, ...]
    label_names: tuple[str, ...]
    source: str

    def __repr__(self) -> str:
        n, p = self.data.shape
        return f"Dataset({self.name!r}, {n} objects, {p} features, {len(self.label_names)} classes)"


def dataset(name: str, data: Any, labels: Any, *, source: str,
            feature_names: Iterable[str] | None = None,
            label_names: Iterable[str] | None = None) -> Dataset:
    """A Dataset with read-only arrays; features x1, x2, ... and classes 0, 1, ... by default."""
    data = frozen(np.array(data, dtype=np.float64, order="C"))
    labels = frozen(np.array(labels, dtype=np.int64))
    features = feature_names or (f"x{q + 1}" for q in range(data.shape[1]))
    classes = label_names or (str(k) for k in range(int(labels.max()) + 1))
    return Dataset(name=name, data=data, labels=labels, feature_names=tuple(features),
                   label_names=tuple(classes), source=source)


def check_size(n: Any, least: int) -> int:
    """`n` when it is a whole number of at least `least` objects."""
    if isinstance(n, bool) or not hasattr(n, "__index__") or n < least:
        raise ClusteringError(f"n is {n!r}; a whole number of at least {least} objects is needed")
    return int(n)


def check_real(name: str, value: Any, low: float, high: float = np.inf) -> float:
    """`value` as a finite float in [low, high]."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = np.nan
    if not (np.isfinite(number) and low <= number <= high):
        allowed = f">= {low:g}" if high == np.inf else f"in [{low:g}, {high:g}]"
        raise ClusteringError(f"{name} is {value!r}; a finite number {allowed} is needed")
    return number
