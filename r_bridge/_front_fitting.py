"""Commands of the R package that fit: clusterers and bagging.

Each takes decoded arguments (`_front.decode`) and returns a record as a dict with the names that
R shows. Positions (labels, clusters, objects) count from 1 in what R gets and gives.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.spatial.distance import cdist

import softclust as sc
from softclust.running.warnings import quiet

from . import RError
from ._front import DECODERS, command, decode, from_zero, named, whole
from ._front_records import Options, run


# -- clusterers ---------------------------------------------------------------------------------
@command
def assign(data: np.ndarray, method: str, centers: np.ndarray, options: Options,
           fitted: Options) -> dict[str, Any]:
    """Assign new objects by the centres of a fit: their clustering and labels."""
    again = named(method)(centers.shape[0], **options)
    again.cluster_centers_ = centers
    again.n_features_in_ = centers.shape[1]
    for name, value in fitted.items():
        setattr(again, f"{name}_", np.atleast_1d(value))
    return {"clustering": again.assign(data), "labels": whole(again.predict(data) + 1)}


# -- bagging ------------------------------------------------------------------------------------
class ReadyFits:
    """Clusterer whose fits were made in R; the b-th call of `fit` is replicate b.

    Replicates run one after another in the order of their numbers, so counting is enough.

    Parameters
    ----------
    drawn : (B, m) array
        Labels of the drawn objects of each replicate, from 1; ones where the fit failed.
    everyone : (B, n) array or None
        Labels of all objects, if R predicted them.
    failures : list of str
        Why the fit failed, or "".
    indices : (B, m) int64
        Who was drawn.
    """

    def __init__(self, drawn: np.ndarray, everyone: np.ndarray | None, failures: list[str],
                 indices: np.ndarray) -> None:
        self.drawn, self.everyone, self.failures = drawn, everyone, failures
        self.indices = indices
        self.replicate = -1
        if everyone is not None:
            self.predict = self._predict

    def __sklearn_clone__(self) -> ReadyFits:
        return self

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return no parameters: R has already used them."""
        return {}

    def set_params(self) -> ReadyFits:
        """Do nothing: there are no parameters."""
        return self

    def fit(self, X: Any) -> ReadyFits:
        """Advance to the next replicate."""
        self.replicate += 1
        failure = self.failures[self.replicate]
        if failure:
            raise RError(failure)
        self.labels_ = from_zero(np.atleast_1d(self.drawn[self.replicate]), "labels")
        return self

    def _predict(self, X: Any) -> np.ndarray:
        assert self.everyone is not None
        labels = from_zero(np.atleast_1d(self.everyone[self.replicate]), "predicted labels")
        if len(X) == labels.size:
            return labels
        left = np.setdiff1d(np.arange(labels.size), self.indices[self.replicate])
        return np.asarray(labels[left])


DECODERS["rf"] = lambda given: ReadyFits(*(decode(given.get(name)) for name in (
    "drawn", "everyone", "failures", "source")))


@command
def shares(data: np.ndarray, centers: np.ndarray) -> dict[str, Any]:
    """Share of the replicates whose k-th centre is nearest to new objects; the lowest on ties."""
    clusters = np.eye(centers.shape[1])
    nearest = (cdist(data, each, "sqeuclidean").argmin(axis=1) for each in centers)
    votes = sum(clusters[labels] for labels in nearest) / len(centers)
    return {"clustering": sc.FuzzyClustering(votes), "labels": whole(votes.argmax(axis=1) + 1)}


# -- settings -----------------------------------------------------------------------------------
class _Seen:
    """A clusterer that notes what it is asked: tables of rows, and (table, parameters) by call."""

    def __init__(self) -> None:
        self.tables: dict[bytes, tuple[int, np.ndarray]] = {}
        self.calls: list[tuple[int, dict[str, Any]]] = []

    def __call__(self, rows: np.ndarray, **parameters: Any) -> np.ndarray:
        place, _ = self.tables.setdefault(rows.tobytes(), (len(self.tables), rows))
        self.calls.append((place, parameters))
        return np.zeros(len(rows), np.int64)


@command
def settings_calls(X: np.ndarray, grid: Options, options: Options, seed: Any) -> dict[str, Any]:
    """Tables and calls for which R makes labels by a function of its own."""
    seen = _Seen()
    with quiet():
        run("compare_settings", {"X": X, "estimator": seen, "param_grid": listed(grid)}, options,
            seed=seed, what="sc_compare_settings()")
    return {"tables": [rows for _, rows in seen.tables.values()],
            "places": [place + 1 for place, _ in seen.calls],
            "parameters": [parameters for _, parameters in seen.calls]}


@command
def settings(X: np.ndarray, grid: Options, options: Options, seed: Any, name: str | None = None,
             labels: list[Any] | None = None) -> Any:
    """Compare settings of a clusterer of Python by its name, or of R by its labels, by call."""
    made = iter(labels or [])

    def ready(rows: np.ndarray, **_: Any) -> Any:
        given = next(made)
        if isinstance(given, str):
            raise RError(given)
        return np.atleast_1d(given)
    return run("compare_settings", {"X": X, "estimator": name or ready, "param_grid": listed(grid)},
               options, seed=seed, what="sc_compare_settings()")


def listed(grid: Options) -> dict[str, list[Any]]:
    """A grid of R: vectors of one element are numbers there, as are whole numbers."""
    def whole_number(value: Any) -> Any:
        return int(value) if isinstance(value, float) and value == int(value) else value
    return {key: [whole_number(v) for v in np.atleast_1d(values).tolist()]
            for key, values in grid.items()}
