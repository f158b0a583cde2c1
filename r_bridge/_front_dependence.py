"""Commands of the R package's group "dependence": strata and sampled truth."""

from __future__ import annotations

from typing import Any

import numpy as np

import softclust as sc

from ._front import command, frame, verbs


@command
def agreement_by_strata(x: Any, y: Any, strata: Any) -> dict[str, Any]:
    """`softclust.agreement_by_strata`; the strata as a data frame."""
    found = sc.agreement_by_strata(x, y, strata)
    numbers = ("total", "from_strata", "beyond", "adjusted", "joined_within", "joined_between",
               "expected_within", "expected_between", "sd", "z")
    return {**{name: float(getattr(found, name)) for name in numbers}, "answer": found.answer,
            **verbs(found),
            "rows": frame({"stratum": list(found.names), "size": found.sizes.astype(float),
                           "value": found.values, "expected": found.expected,
                           "weight": found.weights})}


@command
def conditional_mutual_information(x: Any, y: Any, strata: Any, log_base: Any = None) -> float:
    """`softclust.conditional_mutual_information`."""
    return sc.conditional_mutual_information(x, y, strata, log_base=log_base)


@command
def sampled_truth(predicted: Any, truth: Any, known: Any, design: str, probabilities: Any,
                  level: float, sample: Any = None, measures: Any = None) -> dict[str, Any]:
    """`softclust.sampled_truth`; positions count from 1 in R, `known` marks known truth."""
    labels = [label if there else None
              for label, there in zip(np.atleast_1d(truth).tolist(), np.atleast_1d(known).tolist())]
    found = sc.sampled_truth(
        predicted, labels, design=design, probabilities=_numbers(probabilities), level=level,
        sample=None if sample is None else np.atleast_1d(sample).astype(np.int64) - 1,
        measures=measures)
    return _record(found)


@command
def sampled_pairs(predicted: Any, i: Any, j: Any, same: Any, probabilities: Any, level: float,
                  measures: Any = None) -> dict[str, Any]:
    """`softclust.sampled_pairs`; positions count from 1 in R."""
    first, second = (np.atleast_1d(side).astype(np.int64) - 1 for side in (i, j))
    found = sc.sampled_pairs(predicted, first, second, np.atleast_1d(same),
                             probabilities=_numbers(probabilities), level=level,
                             measures=measures)
    return _record(found)


def _numbers(probabilities: Any) -> Any:
    return float(probabilities) if np.ndim(probabilities) == 0 else np.asarray(probabilities)


def _record(found: sc.results.SampledTruth) -> dict[str, Any]:
    numbers = ("value", "standard_error", "low", "high", "degrees_of_freedom", "n_effective")
    rows = frame({"measure": [row.name for row in found],
                  **{name: np.array([getattr(row, name) for row in found], dtype=float)
                     for name in numbers},
                  "method": [row.method for row in found], "note": [row.note for row in found]})
    return {"rows": rows, "n_units": found.n_units, "design": found.design,
            "totals": np.array(list(found.totals.values()), dtype=float),
            "total_names": list(found.totals), "n_objects": found.n_objects,
            "level": found.level, "title": found.title, **verbs(found)}
