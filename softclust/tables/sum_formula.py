"""The formula of a measure on sums of phi, as those need it who have the sums alone."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..measures import Measure
from ..running.warnings import quiet
from .sums import Phi, Sums


@dataclass(frozen=True, slots=True)
class Formula:
    """The formula of a measure on sums of phi, for problems with x and y exchanged or not."""

    measure: Measure
    swapped: bool = False

    @property
    def phi(self) -> Phi:
        """The function of which it reads the sums."""
        assert self.measure.statistic is not None
        phi: Phi = self.measure.statistic.phi
        return phi

    def values(self, sums: Sums) -> np.ndarray:
        """The measure of each table, nan where undefined, (m,)."""
        cells, rows, columns = (np.asarray(v, np.float64) for v in (
            sums.cells, sums.rows, sums.columns))
        sizes = sums.sizes
        if self.swapped:
            rows, columns = columns, rows
            sizes = None if sizes is None else sizes[::-1]
        cells, rows, columns = np.broadcast_arrays(cells, rows, columns)
        return self.of(replace(sums, cells=cells, rows=rows, columns=columns, sizes=sizes))

    def of(self, sums: Sums) -> np.ndarray:
        """The measure from sums given as arrays of floats."""
        assert self.measure.statistic is not None
        return self.at(self.measure.statistic.from_sums(sums))

    def at(self, statistic: Any) -> np.ndarray:
        """The measure at a statistic with arrays of floats."""
        assert self.measure.formula is not None
        with quiet(), np.errstate(all="ignore"):
            return np.asarray(self.measure.formula(statistic), np.float64)
