"""Ready runs as the functions of stability take them."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._checks import ClusteringError, check_weights
from ..clusterings import Ensemble


def as_runs(runs: Any, name: str = "runs", *, least: int = 1) -> Ensemble:
    """`runs` as labels of `least` runs or more; an error where labels are negative."""
    found = _read(runs, name)
    if found.n_runs < least:
        raise ClusteringError(f"{name} holds {found.n_runs} run; at least {least} are needed")
    return found


def _read(runs: Any, name: str) -> Ensemble:
    if isinstance(runs, np.ndarray) and runs.ndim == 2 and runs.dtype.kind in "iu":
        if runs.size and runs.min() < 0:
            raise ClusteringError(_negative(name, int(runs.min())))
    elif not isinstance(runs, Ensemble):
        runs = Ensemble(runs)
        check_labels(runs, name)
    return Ensemble.from_runs(runs)


def check_labels(members: Ensemble, name: str = "runs") -> None:
    """Raise where a hard clustering that was given as labels has negative ones."""
    for member in members:
        low = member.cluster_names[0] if member.hard_codes is not None else 0
        if isinstance(low, int) and low < 0:
            raise ClusteringError(_negative(name, low))


def _negative(name: str, label: int) -> str:
    return (f"{name} holds the label {label}, which may mean absent or noise: give "
            "Ensemble.from_runs(labels, absent_label=) for objects that a run does not hold, or "
            "Ensemble(labels, noise=) to say what noise is")


def run_weights(weights: Any, count: int) -> np.ndarray | None:
    """Weights of runs, finite and >= 0, not all 0; None where all are equal."""
    if weights is None:
        return None
    w = check_weights(weights, count, "runs")
    return None if (w == w[0]).all() else w
