"""Declared differences (README.md) that a row of `crosscheck` may meet, by their number."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ._crosscheck_r import Answer

#: squares below rounding, relative to n^2 products of numbers up to 1
_NEARLY_ZERO = 1e-6


def _zero_by_zero(record: Any, ours: float, answer: Answer, sides: dict[str, Any]) -> bool:
    """R gives NaN or Inf for 0/0; softclust the best value if they are equal, else nan.

    The fuzziness of a single cluster, scaled by what is possible, is 0/0 as well.
    """
    if not answer.given or math.isfinite(answer.value):
        return False
    if math.isnan(ours):
        return True
    if len(sides) == 1:
        return ours == 0.0 and sides["x"].n_clusters == 1
    best = 1.0 if record.sense == "agreement" else 0.0
    return ours == best and _equal_partitions(sides)


def _equal_partitions(sides: dict[str, Any]) -> bool:
    if len(sides) < 2 or any(side.kind != "hard" for side in sides.values()):
        return False
    a, b = sides["x"].labels, sides["y"].labels
    both = np.unique(np.stack([a, b]), axis=1).shape[1]
    return both == np.unique(a).size == np.unique(b).size


def _negative_costs(record: Any, ours: float, answer: Answer, sides: dict[str, Any]) -> bool:
    """clue's Gordon-Vichi method stops when rounding makes a cost of (nearly) 0 negative."""
    return (record.name == "gordon_vichi_dissimilarity" and not answer.given
            and "negative" in answer.note)


def _negative_square(record: Any, ours: float, answer: Answer, sides: dict[str, Any]) -> bool:
    """clue's comemberships are NaN when rounding makes a square of (nearly) 0 negative."""
    return (record.name == "comembership_dissimilarity" and answer.given
            and math.isnan(answer.value) and ours <= _NEARLY_ZERO * sides["x"].n_objects)


def _more_clusters(record: Any, ours: float, answer: Answer, sides: dict[str, Any]) -> bool:
    """partitionComparison's classification error stops when x has more clusters than y."""
    if record.name != "transfer_distance" or answer.given or len(sides) < 2:
        return False
    used = [np.unique(side.labels).size for side in sides.values() if side.kind == "hard"]
    return len(used) == 2 and used[0] > used[1] and "nrow(w) == ncol(w)" in answer.note


def _shifted_logarithms(record: Any, ours: float, answer: Answer, sides: dict[str, Any]) -> bool:
    """dtwclust adds 2.2e-16 inside logarithms, so its 0/0 of two single clusters is a number."""
    return (record.name == "fuzzy_normalized_mutual_information" and answer.given
            and math.isnan(ours))


def _one_height(record: Any, ours: float, answer: Answer, sides: dict[str, Any]) -> bool:
    """clue's symdiff stops if all heights are 0, BO if both trees have one height, the same."""
    return (record.name == "dendrogram_proximity" and not answer.given and "'col'" in answer.note
            and any(np.unique(side.heights).size == 1 for side in sides.values()))


#: whether the difference of this number explains a row: record, softclust's value, R's answer,
#: the clusterings
DECLARED: dict[int, Callable[[Any, float, Answer, dict[str, Any]], bool]] = {
    5: _zero_by_zero, 6: _negative_costs, 7: _negative_square, 28: _more_clusters,
    29: _shifted_logarithms, 31: _one_height,
}


def declared(record: Any, ours: float, answer: Answer, sides: dict[str, Any]) -> int | None:
    """Return the number of the declared difference that explains a row, or None.

    Parameters
    ----------
    record : softclust's record of the measure
    ours : float
    answer : Answer
    sides : dict
        The clusterings.

    Returns
    -------
    int or None
    """
    return next((number for number, explains in DECLARED.items()
                 if explains(record, ours, answer, sides)), None)
