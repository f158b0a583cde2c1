"""Tolerances for printed numbers that are the result of chance."""

from __future__ import annotations

from typing import Any

import numpy as np

#: share of runs that a tolerance lets pass
LEVEL = 0.9999


def one_run(values: Any, half_unit: float, *, level: float = LEVEL) -> float:
    """Largest distance of one more run from the mean of `values`, plus half a printed unit.

    A paper's number from a simulation is one run of it. With R runs of ours of mean m and standard
    deviation s, one more run lies in m +- t s sqrt(1 + 1/R) with probability `level` (t: quantile
    of Student's distribution with R - 1 degrees of freedom).
    """
    from scipy.stats import t
    runs = np.asarray(values, dtype=float)
    quantile = float(t.ppf((1 + level) / 2, runs.size - 1))
    return half_unit + quantile * float(runs.std(ddof=1)) * np.sqrt(1 + 1 / runs.size)
