"""Commands of the R package's group "stability": runs on parts of the objects."""

from __future__ import annotations

from typing import Any

import numpy as np

import softclust as sc

from ._front import command, from_zero, list_of, whole
from ._front_records import Options, checked


def _runs(runs: Any) -> dict[str, Any]:
    labels = np.where(runs.labels < 0, np.nan, runs.labels + 1.0)
    return {"labels": whole(labels), "counts": runs.counts,
            "n_clusters": np.array(runs.n_clusters)}


@command
def partial_ensemble(labels: np.ndarray, absent_label: Any, names: Any, objects: Any
                     ) -> dict[str, Any]:
    """`softclust.Ensemble.from_runs` of a matrix with a run per row."""
    return _runs(sc.Ensemble.from_runs(
        np.atleast_2d(labels), absent_label=None if absent_label is None else int(absent_label),
        names=list_of(names), object_names=None if objects is None else list_of(objects)))


@command
def resampled_clusterings(data: np.ndarray, n_clusters: int, options: Options, seed: Any
                          ) -> dict[str, Any]:
    """`softclust.resampled_clusterings` with scikit-learn's k-means."""
    from sklearn.cluster import KMeans
    options = dict(options)
    kmeans = KMeans(n_clusters, n_init=options.pop("n_init", 10))
    if "size" in options:
        options["size"] = _size(options["size"])
    if "indices" in options:
        options["indices"] = from_zero(options["indices"], "indices")
    given = checked(sc.resampled_clusterings, options, "sc_resampled_clusterings()", ("n_init",))
    found = sc.resampled_clusterings(data, kmeans, rng=seed, **given)
    return _runs(found) | {"runs": [str(int(name) + 1) for name in found.names]}


@command
def run_indices(n: int, n_resamples: int, scheme: str, size: Any, seed: Any) -> list[np.ndarray]:
    """Sampled objects (from 1) for R's clusterers, one vector per run."""
    if scheme == "bootstrap":
        return [np.unique(row) + 1.0 for row in sc.bootstrap_indices(n, n_resamples, rng=seed)]
    return [row + 1.0 for row in sc.subsample_indices(n, n_resamples, size=_size(size), rng=seed)]


def _size(size: Any) -> Any:
    """Read a size: a number above 1 counts objects, a number up to 1 is a share."""
    return size if isinstance(size, int) and size > 1 else float(size)


@command
def coassociation_matrix(runs: Any, weights: Any, max_objects: int) -> np.ndarray:
    """The matrix of `softclust.coassociation`."""
    found = sc.coassociation(runs, weights=weights, n_draws=1, rng=0)
    return np.asarray(found.matrix(max_objects))
