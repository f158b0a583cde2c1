"""Arguments of clue's functions: clusterings, or ensembles of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

import softclust as sc


def ensemble_or_clustering(value: Any, name: str) -> Any:
    """An ensemble when a list holds clusterings rather than labels, else a clustering or a tree.

    A list of lists of floats is one matrix, as for `softclust.as_clustering`; an ensemble of trees
    is a list of `Dendrogram`.
    """
    if isinstance(value, sc.Ensemble):
        return value
    if isinstance(value, (list, tuple)) and any(_is_tree(v) for v in value):
        trees = [partition(v, f"{name}[{i}]") for i, v in enumerate(value)]
        for i, each in enumerate(trees):
            if not isinstance(each, sc.Dendrogram):
                raise sc.ClusteringError(f"{name}[{i}] is a {each.kind} clustering, others are "
                                         "trees; give members of one kind")
            same_objects(trees[0], each)
        return trees
    if (isinstance(value, (list, tuple)) and any(_is_whole(v) for v in value)
            and not _is_matrix(value)):
        return sc.Ensemble(value)
    return partition(value, name)


def partition(value: Any, name: str = "x") -> Any:
    """A hard or fuzzy clustering, or a tree; clue has no others."""
    if _is_tree(value):
        return sc.as_dendrogram(value)
    found = sc.as_clustering(value, name=name)
    if found.kind not in ("hard", "fuzzy"):
        raise sc.ClusteringError(f"{name} is {found.kind}; clue takes hard and fuzzy clusterings: "
                                 ".to_fuzzy() and .harden() make them")
    return found


def is_ensemble(value: Any) -> bool:
    """True if `ensemble_or_clustering` gave an ensemble of clusterings or a list of trees."""
    return isinstance(value, (sc.Ensemble, list))


def ensemble(value: Any) -> Any:
    """An ensemble or a list of trees; a single clustering raises."""
    found = ensemble_or_clustering(value, "x")
    if not is_ensemble(found):
        raise sc.ClusteringError("x is one clustering; an Ensemble or a list of clusterings is "
                                 "needed")
    return found


def dissimilarities(value: Any, n: int | None = None) -> np.ndarray:
    """Condensed dissimilarities, of n objects if n is given, from these or from a square matrix."""
    d = np.asarray(value, dtype=np.float64)
    if d.ndim == 2 and d.shape[0] == d.shape[1] and np.array_equal(d, d.T, equal_nan=True):
        d = d[np.triu_indices(len(d), 1)]
    size = round((1 + (1 + 8 * d.size) ** 0.5) / 2) if n is None else n
    if d.shape != (size * (size - 1) // 2,) or not d.size:
        needed = f"({n}, {n}) or ({n * (n - 1) // 2},) is needed for {n} objects" if n else \
            "a symmetric matrix (n, n), or (n (n - 1) / 2,), is needed"
        raise ValueError(f"d has shape {np.shape(value)}; {needed}")
    return d


def _is_tree(value: Any) -> bool:
    return isinstance(value, sc.Dendrogram) or (
        isinstance(value, Mapping) and {"merge", "height"} <= set(value))


def _is_whole(value: Any) -> bool:
    return hasattr(value, "n_clusters") or isinstance(value, (list, tuple, np.ndarray))


def _is_matrix(value: Any) -> bool:
    return (all(isinstance(row, (list, tuple)) for row in value)
            and any(isinstance(v, float) for row in value for v in row))


def same_objects(x: Any, y: Any) -> None:
    """Raise ClusteringError unless x and y have the same objects in the same order."""
    x, y = (side[0] if isinstance(side, list) else side for side in (x, y))
    if isinstance(x, sc.Dendrogram) != isinstance(y, sc.Dendrogram):
        raise sc.ClusteringError("one side is a tree and the other a clustering; give two of a "
                                 "kind (Dendrogram.cut makes a clustering)")
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
    if isinstance(clustering, sc.Dendrogram):   # clue numbers objects that have no names
        like = like[0] if isinstance(like, list) else like
        return clustering if like.object_names is not None else sc.Dendrogram(clustering.merges)
    if like.object_names is None or clustering.object_names is not None:
        return clustering
    if isinstance(clustering, sc.HardClustering):
        return sc.HardClustering(clustering.labels, n_clusters=clustering.n_clusters,
                                 object_names=like.object_names,
                                 cluster_names=clustering.cluster_names)
    return sc.FuzzyClustering(clustering.membership, object_names=like.object_names,
                              cluster_names=clustering.cluster_names)
