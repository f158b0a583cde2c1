"""Commands of the R package's group "stability": runs on parts of the objects."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

import softclust as sc

from ._front import command, crossing, from_one
from ._front_fitting import checked, from_zero, list_of

Options = Mapping[str, Any]


def _runs(runs: Any) -> dict[str, Any]:
    return {"labels": from_one(runs.labels), "counts": runs.counts,
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
        options["indices"] = [from_zero(list_of(row), "indices") for row in options["indices"]]
    given = checked(sc.resampled_clusterings, options, "sc_resampled_clusterings()",
                    more=("n_resamples",), elsewhere=("n_init",))
    found = sc.resampled_clusterings(data, kmeans, rng=seed, **given)
    return _runs(found) | {"runs": from_one([int(name) for name in found.names])}


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
def coassociation(runs: Any, options: Options, seed: Any) -> dict[str, Any]:
    """`softclust.coassociation`."""
    options = checked(sc.coassociation, options, "sc_coassociation()", more=("n_draws",))
    found = sc.coassociation(runs, rng=seed, **options)
    kept = crossing(found, "mean area n_pairs never_together exact n_draws least_held median_held "
                    "histogram")
    return kept | {"pac": found.pac(), "pac_limits": found.pac_interval(), "value": found.values,
                   "count": found.counts, "band": found.cdf_band(), "n_runs": found.runs.n_runs,
                   "n_objects": found.runs.n_objects, "drew": not found.exact}


@command
def coassociation_matrix(runs: Any, weights: Any, max_objects: int) -> np.ndarray:
    """The matrix of `softclust.coassociation`."""
    found = sc.coassociation(runs, weights=weights, n_draws=1, rng=0)
    return np.asarray(found.matrix(max_objects))


@command
def cluster_stability(reference: Any, runs: Any, options: Options) -> dict[str, Any]:
    """`softclust.cluster_stability`."""
    options = checked(sc.cluster_stability, options, "sc_cluster_stability()")
    found = sc.cluster_stability(reference, runs, **options)
    kept = crossing(found, "values jaccard standard_error dissolved recovered absent consensus "
                    "objects limits n_runs")
    names = found.reference.cluster_names
    return kept | {"sizes": found.reference.sizes,
                   "clusters": [str(k + 1 if isinstance(k, int) else k) for k in names]}


@command
def element_consistency(runs: Any, damping: float, reference: Any, seed: Any
                        ) -> dict[str, Any]:
    """`softclust.element_consistency`."""
    place = int(from_zero([reference], "reference")[0]) if isinstance(reference, int) else reference
    found = sc.element_consistency(runs, damping=damping, reference=place, rng=seed)
    return crossing(found, "values index agreement n_pairs n_sampled")


@command
def label_instability(runs: Any, n_draws: int, seed: Any) -> dict[str, Any]:
    """`softclust.label_instability`."""
    found = sc.label_instability(runs, n_draws=n_draws, rng=seed)
    return crossing(found, "value null null_error normalized n_clusters n_objects n_runs n_pairs")


@command
def prediction_strength(data: np.ndarray, n_clusters: Any, options: Options, seed: Any
                        ) -> dict[str, Any]:
    """`softclust.prediction_strength` with scikit-learn's k-means."""
    from sklearn.cluster import KMeans
    options = dict(options)
    kmeans = KMeans(n_init=options.pop("n_init", 10))
    given = checked(sc.prediction_strength, options, "sc_prediction_strength()",
                    elsewhere=("n_init",))
    found = sc.prediction_strength(data, kmeans, [int(k) for k in list_of(n_clusters)], rng=seed,
                                   **given)
    return crossing(found, "best n_clusters mean standard_error values threshold")
