"""Limits on the logarithm of the distance from the best value, and limits of proportions.

Near the best value few objects deviate: errors are like those of Poisson counts, and symmetric
limits miss. At independence the first-order term vanishes: the standard error has a floor there,
and the limit towards the best value a second-order term.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

#: exp of more is infinite
_MOST = 700.0
#: resampled distances below this share of the value count as this share
LEAST_SHARE = 1.0 / 16.0
BEYOND = "the corrected value is beyond the best"
AT_BEST = "the value is the best there is, from which these limits measure distances"


def student(level: float, df: float) -> float:
    """Two-sided quantile of Student's law."""
    from scipy.special import stdtrit
    return float(stdtrit(df, (1.0 + level) / 2.0))


def proportion(kept: int, n: int, level: float) -> tuple[float, float]:
    """Clopper-Pearson limits of kept of n objects."""
    from scipy.special import betaincinv
    tail = (1.0 - level) / 2.0
    low = float(betaincinv(kept, n - kept + 1, tail)) if kept else 0.0
    high = float(betaincinv(kept + 1, n - kept, 1.0 - tail)) if kept < n else 1.0
    return low, high


@dataclass(frozen=True, slots=True, kw_only=True)
class LogLimits:
    """How far the limits of one end reach.

    Attributes
    ----------
    best : float or None
        The best value; None where there is none: limits are symmetric then.
    larger : bool
        Whether larger values are better.
    quantile : float
        Of Student's law.
    floor : float
        Least standard error; 0 where there is none.
    degrees : int
        (r - 1)(s - 1), for the second-order term that goes with the floor.
    """

    best: float | None
    larger: bool
    quantile: float
    floor: float = 0.0
    degrees: int = 0

    def distance(self, value: float) -> float:
        """How far a value is from the best, > 0 where it is worse."""
        assert self.best is not None
        return self.best - value if self.larger else value - self.best

    def around(self, value: float, error: float) -> tuple[float, float] | None:
        """Limits around a value with this standard error (at least the floor); None beyond best."""
        if self.best is None:
            return value - self.quantile * error, value + self.quantile * error
        far = self.distance(value)
        if far <= 0.0:
            return None
        reach = min(self.quantile * error / far, _MOST)
        second = (self.quantile**2 * self.floor / math.sqrt(2.0 * self.degrees)
                  if self.floor > 0.0 and self.degrees else 0.0)
        return self._ends(far * math.exp(-reach) - second, far * math.exp(reach))

    def reflected(self, value: float, resampled: np.ndarray, level: float
                  ) -> tuple[float, float] | None:
        """Resampled values reflected at the value, on the logarithmic scale."""
        assert self.best is not None
        far = self.distance(value)
        if far <= 0.0:
            return None
        others = self.best - resampled if self.larger else resampled - self.best
        others = np.maximum(others, far * LEAST_SHARE)
        low, high = np.quantile(others, [(1 - level) / 2, (1 + level) / 2])
        return self._ends(far * far / float(high), far * far / float(low))

    def _ends(self, near: float, far: float) -> tuple[float, float]:
        """Limits from the least and the greatest distance."""
        assert self.best is not None
        return ((self.best - far, self.best - near) if self.larger
                else (self.best + near, self.best + far))
