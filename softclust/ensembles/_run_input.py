"""Ready runs as the functions of stability take them."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._checks import ClusteringError, check_weights
from ..clusterings import Ensemble, PartialEnsemble


def as_runs(runs: Any, name: str = "runs", *, least: int = 1) -> PartialEnsemble:
    """`runs` as a PartialEnsemble of `least` runs or more; an error where labels are negative."""
    found = _read(runs, name)
    if found.n_runs < least:
        raise ClusteringError(f"{name} holds {found.n_runs} run; at least {least} are needed")
    return found


def _read(runs: Any, name: str) -> PartialEnsemble:
    if isinstance(runs, PartialEnsemble):
        return runs
    if isinstance(runs, np.ndarray) and runs.ndim == 2 and runs.dtype.kind in "iu":
        if runs.size and runs.min() < 0:
            raise ClusteringError(_negative(name, int(runs.min())))
        return PartialEnsemble(runs)
    if isinstance(runs, Ensemble):
        return PartialEnsemble(runs)
    members = Ensemble(runs)
    check_labels(members, name)
    return PartialEnsemble(members)


def check_labels(members: Ensemble, name: str = "runs") -> None:
    """Raise where a hard clustering that was given as labels has negative ones."""
    for member in members:
        low = member.cluster_names[0] if member.hard_codes is not None else 0
        if isinstance(low, int) and low < 0:
            raise ClusteringError(_negative(name, low))


def _negative(name: str, label: int) -> str:
    return (f"{name} holds the label {label}, which may mean absent or noise: give "
            "PartialEnsemble(labels, absent_label=) for objects that a run does not hold, or "
            "Ensemble(labels, noise=) to say what noise is")


def run_weights(weights: Any, count: int) -> np.ndarray | None:
    """Weights of runs, finite and >= 0, not all 0; None where all are equal."""
    if weights is None:
        return None
    w = check_weights(weights, count, "runs")
    return None if (w == w[0]).all() else w
