"""The grid of a reliability simulation: rules, sizes, fractions and reliabilities."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .._checks import ClusteringError, check_choice, check_whole, shown
from ..tables.matching import METHODS

VERSIONS = ("free", "fixed")
#: fractions and reliabilities are whole numbers of this part of 1
UNITS = 10_000

#: method, version, fraction, reliability
Key = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Grid:
    """Cells of the simulation."""

    methods: tuple[str, ...]
    versions: tuple[str, ...]
    fractions: np.ndarray
    reliabilities: np.ndarray

    def keys(self) -> list[Key]:
        """Cells in the order of the arrays."""
        fractions, reliabilities = units(self.fractions), units(self.reliabilities)
        return [(METHODS.index(m), VERSIONS.index(v), f, rel) for m in self.methods
                for v in self.versions for f in fractions for rel in reliabilities]


def checked_grid(method: Any, fixed: Any, fractions: Any, reliabilities: Any, n_objects: Any
                 ) -> Grid:
    """The grid, or an error that says what is wrong with it."""
    methods = (method,) if isinstance(method, str) or not np.iterable(method) else tuple(method)
    for name in methods:
        check_choice("method", name, METHODS)
    flags = tuple(fixed) if np.iterable(fixed) else (fixed,)
    if not all(isinstance(flag, (bool, np.bool_)) for flag in flags):
        raise TypeError(f"fixed is {shown(fixed)}; True, False or several of them are needed")
    n_objects = check_whole("n_objects", n_objects, 2)
    f, rel = _numbers("fractions", fractions), _numbers("reliabilities", reliabilities)
    ones = np.round(f * n_objects)
    if not ((ones >= 1) & (ones <= n_objects - 1)).all():
        raise ClusteringError(f"fractions {f[(ones < 1) | (ones > n_objects - 1)]} leave one of "
                              f"two clusters of {n_objects} objects empty; round(f n) in 1, ..., "
                              "n - 1 is needed")
    if not ((rel >= 0) & (rel <= 1)).all():
        raise ClusteringError(f"reliabilities {rel[(rel < 0) | (rel > 1)]} are outside [0, 1]")
    versions = tuple(VERSIONS[int(flag)] for flag in flags)
    for name, values in (("method", methods), ("fixed", versions), ("fractions", units(f)),
                         ("reliabilities", units(rel))):
        if not len(values) or len(set(values)) < len(values):
            raise ClusteringError(f"{name} is empty or has equal entries; different ones are "
                                  f"needed (of numbers, steps of {1 / UNITS:g} are told apart)")
    return Grid(methods, versions, np.array(units(f)) / UNITS, np.array(units(rel)) / UNITS)


def _numbers(name: str, values: Any) -> np.ndarray:
    try:
        array = np.array(values, dtype=np.float64, ndmin=1)
    except (TypeError, ValueError):
        raise ClusteringError(f"{name} cannot be read as numbers") from None
    if array.ndim != 1 or not np.isfinite(array).all():
        raise ClusteringError(f"{name} must be a list of finite numbers")
    return array


def units(values: np.ndarray) -> list[int]:
    """Whole numbers of steps."""
    return [round(value * UNITS) for value in values.tolist()]
