"""Sums of phi(t) over the cells, the rows and the columns of a table of two hard clusterings.

For phi(t) = t^2 they are pairs of objects (`PairCounts`), for phi(t) = t log t entropies
(`Information`). Null laws, completions, posterior draws and dendrograms make these sums; the
formula of a measure reads them through one of the two views.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True, slots=True)
class Phi:
    """A convex function phi of counts.

    Attributes
    ----------
    values : callable
        phi of an array of counts.
    whole : callable
        phi of one count as a whole number of units.
    unit : float
        That unit.
    """

    values: Callable[[Any], Any]
    whole: Callable[[int], int]
    unit: float


def _whole_t_log_t(t: int) -> int:
    return round(math.ldexp(t * math.log(t), _BITS)) if t else 0


_BITS = 45
SQUARE = Phi(lambda t: t * t, lambda t: t * t, 1)
T_LOG_T = Phi(lambda t: t * np.log(np.where(t > 0, t, 1)), _whole_t_log_t, 2.0**-_BITS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sums:
    """Sums of phi of one table, or of many along a leading axis.

    Attributes
    ----------
    n : int or array
        Number of objects.
    cells, rows, columns : number or array
        Sums of phi over the cells, over the sizes of the clusters of x, and of those of y.
    sizes : (array, array) or None
        Sizes of the clusters of x (..., r) and of y (..., s), for what needs more than the sums.
    """

    n: Any
    cells: Any
    rows: Any
    columns: Any
    sizes: tuple[np.ndarray, np.ndarray] | None = None

    @property
    def equal(self) -> Any:
        """Whether both partitions are the same: else a sum differs by 2 log 2 at least."""
        return (self.rows - self.cells < 0.5) & (self.columns - self.cells < 0.5)

    @classmethod
    def of_tables(cls, tables: np.ndarray, phi: Phi) -> Sums:
        """Statistic of tables (m, r, s) of the same number of objects."""
        a, b = tables.sum(axis=2), tables.sum(axis=1)
        return cls(n=int(tables[0].sum()), cells=phi.values(tables).sum(axis=(1, 2)),
                   rows=phi.values(a).sum(axis=1), columns=phi.values(b).sum(axis=1), sizes=(a, b))
