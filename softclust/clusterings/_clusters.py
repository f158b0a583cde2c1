"""A partition given by its clusters: sets of objects to one label per object."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from .._checks import ClusteringError


def read_clusters(clusters: Any, n_objects: int | None, objects: Sequence[Any] | None
                  ) -> tuple[np.ndarray, int, list[Any] | None, list[Any] | None]:
    """Labels (n,) int64, number of clusters, names of objects and of clusters."""
    if n_objects is not None and objects is not None:
        raise TypeError("n_objects and objects exclude each other; objects says how many there are")
    called = list(clusters) if isinstance(clusters, Mapping) else None
    given = list(clusters.values()) if isinstance(clusters, Mapping) else _listed(clusters)
    members = [_members(k, cluster) for k, cluster in enumerate(given)]
    found = _numbered(members)
    if not found:
        raise ClusteringError("the clusters have no objects; at least one object is needed")
    order = (range(_count(n_objects)) if n_objects is not None
             else list(objects) if objects is not None else _sorted(found))
    place = {name: i for i, name in enumerate(order)}
    labels = np.full(len(place), -1, dtype=np.int64)
    for name, k in found.items():
        if name not in place:
            among = "objects" if n_objects is None else f"0, ..., {n_objects - 1}"
            raise ClusteringError(f"object {name!r} of cluster {k} is not among {among}")
        labels[place[name]] = k
    if (labels < 0).any():
        lost = [order[i] for i in np.flatnonzero(labels < 0)]
        raise ClusteringError(f"object {lost[0]!r} is in no cluster ({len(lost)} such objects); "
                              "leave such objects out, or give each a cluster of its own")
    names = None if n_objects is not None else list(order)
    return labels, len(members), names, called


def _listed(clusters: Any) -> list[Any]:
    if isinstance(clusters, (str, bytes)) or not isinstance(clusters, Iterable):
        raise ClusteringError(f"clusters is of type {type(clusters).__name__}; a list with the "
                              "objects of each cluster is needed")
    return list(clusters)


def _members(k: int, cluster: Any) -> list[Any]:
    if isinstance(cluster, (str, bytes)) or not isinstance(cluster, Iterable):
        raise ClusteringError(f"cluster {k} is {cluster!r}; a collection of its objects is needed")
    return [v.item() if isinstance(v, np.generic) else v for v in cluster]


def _numbered(members: list[list[Any]]) -> dict[Any, int]:
    """Cluster of each object, in the order of first appearance."""
    found: dict[Any, int] = {}
    for k, cluster in enumerate(members):
        for name in cluster:
            j = found.setdefault(name, k)
            if j != k:
                raise ClusteringError(
                    f"object {name!r} is in the sets {j} and {k}; in a hard clustering each object "
                    "is in one. Were these the clusters that are possible for each object, a 0/1 "
                    "matrix with one row per object (RoughClustering.from_upper) or one dictionary "
                    "per object (EvidentialClustering.from_dicts) says that")
    return found


def _sorted(found: dict[Any, int]) -> list[Any]:
    try:
        return sorted(found)
    except TypeError:
        return list(found)


def _count(n_objects: Any) -> int:
    count = operator.index(n_objects)
    if count < 1:
        raise ClusteringError(f"n_objects is {count}; a whole number >= 1 is needed")
    return count
