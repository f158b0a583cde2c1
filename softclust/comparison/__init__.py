"""Comparing clusterings: two by all measures, many by one, limits, and chance.

`several` has `compare`, `matrix` has `compare_all`, `permutations` has `chance`; `limits` resamples
objects for confidence limits.
"""

from .record import ComparedMeasure, Comparison
from .several import compare

__all__ = ["ComparedMeasure", "Comparison", "compare"]
