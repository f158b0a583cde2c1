"""Commands of the R package's group "stability": runs on parts of the objects."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

import softclust as sc

from ._front import command, verbs
from ._front_fitting import checked, from_one, from_zero, list_of

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
    histogram = found.histogram
    return {"pac": found.pac(), "mean": found.mean, "area": found.area,
            "pac_limits": found.pac_interval(), "n_pairs": found.n_pairs,
            "never_together": found.never_together, "value": found.values,
            "count": found.counts, "band": found.cdf_band(), "exact": found.exact,
            "n_draws": found.n_draws, "least_held": found.least_held,
            "median_held": found.median_held, "n_runs": found.runs.n_runs,
            "n_objects": found.runs.n_objects,
            "histogram": None if histogram is None else histogram, "drew": not found.exact,
            **verbs(found)}


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
    return {"values": found.values, "jaccard": found.jaccard,
            "standard_error": found.standard_error, "dissolved": found.dissolved,
            "recovered": found.recovered, "absent": found.absent, "consensus": found.consensus,
            "objects": found.objects, "sizes": found.reference.sizes,
            "clusters": [str(k + 1) for k in range(found.reference.n_clusters)]
            if all(isinstance(k, int) for k in found.reference.cluster_names)
            else [str(k) for k in found.reference.cluster_names],
            "limits": list(found.limits), "n_runs": found.n_runs, **verbs(found)}


@command
def element_consistency(runs: Any, damping: float, reference: Any, seed: Any
                        ) -> dict[str, Any]:
    """`softclust.element_consistency`."""
    place = int(from_zero([reference], "reference")[0]) if isinstance(reference, int) else reference
    found = sc.element_consistency(runs, damping=damping, reference=place, rng=seed)
    return {"values": found.values, "index": found.index, "agreement": found.agreement,
            "n_pairs": found.n_pairs, "n_sampled": found.n_sampled, **verbs(found)}


@command
def label_instability(runs: Any, n_draws: int, seed: Any) -> dict[str, Any]:
    """`softclust.label_instability`."""
    found = sc.label_instability(runs, n_draws=n_draws, rng=seed)
    return {"value": found.value, "null": found.null, "null_error": found.null_error,
            "normalized": found.normalized, "n_clusters": found.n_clusters,
            "n_objects": found.n_objects, "n_runs": found.n_runs, "n_pairs": found.n_pairs,
            **verbs(found)}


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
    return {"best": found.best, "n_clusters": found.n_clusters, "mean": found.mean,
            "standard_error": found.standard_error, "values": found.values,
            "threshold": found.threshold, **verbs(found)}
