"""A partition or a cover given by its clusters, which are collections of objects."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from .._checks import ClusteringError, check_whole


def read_clusters(clusters: Any, n_objects: int | None, objects: Collection[Any] | None
                  ) -> tuple[np.ndarray, int, list[Any] | None, list[Any] | None]:
    """Labels (n,) int64, number of clusters, names of objects and of clusters."""
    members, called = _parts(clusters, n_objects, objects)
    cluster_of = _numbered(members)
    order, place = _order(cluster_of, n_objects, objects)
    labels = np.full(len(place), -1, dtype=np.int64)
    for name, k in cluster_of.items():
        labels[_position(name, k, place, n_objects)] = k
    if (labels < 0).any():
        lost = [order[i] for i in np.flatnonzero(labels < 0).tolist()]
        raise ClusteringError(f"object {lost[0]!r} is in no cluster ({len(lost)} such objects); "
                              "leave such objects out, give each a cluster of its own, or make a "
                              "cover: CoverClustering.from_clusters")
    names = None if n_objects is not None else list(order)
    return labels, len(members), names, called


def read_cover(clusters: Any, n_objects: int | None, objects: Collection[Any] | None
               ) -> tuple[np.ndarray, np.ndarray, int, int, list[Any] | None, list[Any] | None]:
    """Objects and clusters of all memberships, numbers of both, and their names."""
    members, called = _parts(clusters, n_objects, objects)
    cluster_of = {name: k for k, cluster in enumerate(members) for name in cluster}
    if called and len(cluster_of) < len(members) and all(len(each) == 1 for each in members):
        raise ClusteringError(
            f"each of the {len(members)} values of the mapping is a single object, and objects "
            "repeat: this looks like a mapping from objects to their clusters; a mapping from "
            "clusters to their objects is needed")
    order, place = _order(cluster_of, n_objects, objects)
    where = np.array([_position(name, k, place, n_objects)
                      for k, cluster in enumerate(members) for name in cluster], dtype=np.int64)
    sizes = [len(cluster) for cluster in members]
    for k, cluster in enumerate(members):
        if len(set(cluster)) < len(cluster):
            twice = next(name for name in cluster if cluster.count(name) > 1)
            raise ClusteringError(f"object {twice!r} is twice in cluster {k}; once is needed")
    which = np.repeat(np.arange(len(members)), sizes)
    names = None if n_objects is not None else list(order)
    return where, which, len(order), len(members), names, called


def _parts(clusters: Any, n_objects: int | None, objects: Collection[Any] | None
           ) -> tuple[list[list[Any]], list[Any] | None]:
    """Objects of each cluster, and names of the clusters."""
    if n_objects is not None and objects is not None:
        raise TypeError("n_objects and objects exclude each other; objects determines the number")
    called = list(clusters) if isinstance(clusters, Mapping) else None
    collections = list(clusters.values()) if isinstance(clusters, Mapping) else _listed(clusters)
    return [_members(k, cluster) for k, cluster in enumerate(collections)], called


def _order(cluster_of: Mapping[Any, int], n_objects: int | None, objects: Collection[Any] | None
           ) -> tuple[Sequence[Any], dict[Any, int]]:
    """The objects in order, and the place of each."""
    if not cluster_of and n_objects is None and objects is None:
        raise ClusteringError("the clusters have no objects; at least one object is needed")
    order = (range(check_whole("n_objects", n_objects)) if n_objects is not None
             else list(objects) if objects is not None else _sorted(cluster_of))
    if not len(order):
        raise ClusteringError("objects is empty; at least one object is needed")
    return order, {name: i for i, name in enumerate(order)}


def _position(name: Any, k: int, place: Mapping[Any, int], n_objects: int | None) -> int:
    if name not in place:
        among = "objects" if n_objects is None else f"0, ..., {n_objects - 1}"
        raise ClusteringError(f"object {name!r} of cluster {k} is not among {among}")
    return place[name]


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
    cluster_of: dict[Any, int] = {}
    for k, cluster in enumerate(members):
        for name in cluster:
            j = cluster_of.setdefault(name, k)
            if j != k:
                raise ClusteringError(
                    f"object {name!r} is in the sets {j} and {k}; in a hard clustering each object "
                    "is in one. CoverClustering.from_clusters takes clusters that overlap. Were "
                    "these the clusters that are possible for each object, a 0/1 matrix with one "
                    "row per object (RoughClustering.from_upper) or one dictionary per object "
                    "(EvidentialClustering.from_dicts) says that")
    return cluster_of


def _sorted(cluster_of: Mapping[Any, int]) -> list[Any]:
    try:
        return sorted(cluster_of)
    except TypeError:
        return list(cluster_of)


