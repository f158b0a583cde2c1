"""Comparing clusterings: by one or all measures, with confidence intervals and chance levels.

`several` has `compare`, `matrix` has `compare_all`, `permutations` has `chance`; `limits` resamples
objects for confidence intervals.
"""

from .comparison_record import ComparedMeasure, Comparison
from .several import compare

__all__ = ["ComparedMeasure", "Comparison", "compare"]
