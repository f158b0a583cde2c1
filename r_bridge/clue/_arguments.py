"""Arguments of clue's functions: clusterings, or ensembles of them."""

from __future__ import annotations

from typing import Any

import numpy as np

import softclust as sc


def ensemble_or_clustering(value: Any, name: str) -> Any:
    """An ensemble when a list holds clusterings rather than labels, else a clustering.

    A list of lists of floats is one matrix, as for `softclust.as_clustering`.
    """
    if isinstance(value, sc.Ensemble):
        return value
    if (isinstance(value, (list, tuple)) and any(_is_whole(v) for v in value)
            and not _is_matrix(value)):
        return sc.Ensemble(value)
    return partition(value, name)


def partition(value: Any, name: str = "x") -> Any:
    """A hard or fuzzy clustering; clue has no others."""
    found = sc.as_clustering(value, name=name)
    if found.kind not in ("hard", "fuzzy"):
        raise sc.ClusteringError(f"{name} is {found.kind}; clue takes hard and fuzzy clusterings: "
                                 ".to_fuzzy() and .harden() make them")
    return found


def ensemble(value: Any) -> sc.Ensemble:
    """An ensemble; a single clustering raises."""
    found = ensemble_or_clustering(value, "x")
    if not isinstance(found, sc.Ensemble):
        raise sc.ClusteringError("x is one clustering; an Ensemble or a list of clusterings is "
                                 "needed")
    return found


def _is_whole(value: Any) -> bool:
    return hasattr(value, "n_clusters") or isinstance(value, (list, tuple, np.ndarray))


def _is_matrix(value: Any) -> bool:
    return (all(isinstance(row, (list, tuple)) for row in value)
            and any(isinstance(v, float) for row in value for v in row))


def same_objects(x: Any, y: Any) -> None:
    """Raise ClusteringError unless x and y have the same objects in the same order."""
    if x.n_objects != y.n_objects:
        raise sc.ClusteringError(f"x has {x.n_objects} objects and y has {y.n_objects}; give "
                                 "clusterings of the same objects")
    if x.object_names is None or y.object_names is None or x.object_names == y.object_names:
        return
    first = next(i for i, (a, b) in enumerate(zip(x.object_names, y.object_names)) if a != b)
    raise sc.ClusteringError(
        f"object {first} is {x.object_names[first]!r} in x and {y.object_names[first]!r} in y; "
        "the names must agree in order (.subset reorders objects)")


def with_names(clustering: Any, like: Any) -> Any:
    """`clustering` with the object names of `like`: R's functions drop them."""
    if like.object_names is None or clustering.object_names is not None:
        return clustering
    if isinstance(clustering, sc.HardClustering):
        return sc.HardClustering(clustering.labels, n_clusters=clustering.n_clusters,
                                 object_names=like.object_names,
                                 cluster_names=clustering.cluster_names)
    return sc.FuzzyClustering(clustering.membership, object_names=like.object_names,
                              cluster_names=clustering.cluster_names)
