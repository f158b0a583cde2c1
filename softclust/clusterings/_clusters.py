"""A partition or a cover given by the objects of its clusters, or by the labels of its objects."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from .._checks import ClusteringError, check_whole, shown
from ..results.frames import as_frame
from .arrays import NUMBERED, Keys, frame_names
from .labels import is_missing

#: how to read what may be clusters or the labels of objects
BY_OBJECT = """CoverClustering.from_labels reads the labels of each object, \
CoverClustering.from_clusters(..., objects=[...]) the objects of each cluster"""


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
    if n_objects is None and objects is None:
        check_no_labels(members)
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


def check_no_labels(sets: Sequence[Collection[Any]]) -> None:
    """Raise for sets that look like the labels of each object, rather than clusters of objects.

    Sets that overlap, and are more than their elements; or of texts that occur twice on average,
    with empty or equal sets.
    """
    elements = frozenset().union(*sets)
    total = sum(map(len, sets))
    if total == len(elements):
        return
    texts = total >= 2 * len(elements) and all(isinstance(each, str) for each in elements)
    odd = [what for what, found in (
        ("more sets than elements", len(sets) > len(elements)),
        ("empty sets", texts and not all(map(len, sets))),
        ("equal sets", texts and len(set(map(frozenset, sets))) < len(sets))) if found]
    if odd:
        raise ClusteringError(
            f"these {len(sets)} sets have {len(elements)} distinct elements, and there are "
            f"{' and '.join(odd)}: they may be the labels of {len(sets)} objects rather than "
            f"clusters of {len(elements)}; {BY_OBJECT}")


def read_labels(labels: Any, separator: str | None, object_names: Collection[Any] | None
                ) -> tuple[list[list[Any]], np.ndarray, Any]:
    """The labels of each object that is known, a mask (n,) of the others, names of all objects.

    Names are None where there are none.
    """
    names: Any = object_names if object_names is not None else frame_names(labels)[0]
    if isinstance(labels, Mapping):
        names = Keys(labels) if object_names is None else object_names
        labels = labels.values()
    if as_frame(labels) is not None or isinstance(labels, (str, bytes)) or (
            not isinstance(labels, Iterable)):
        raise ClusteringError(f"labels is of type {type(labels).__name__}; a list with the labels "
                              "of each object, a Series or a mapping is needed "
                              "(CoverClustering(matrix) takes a 0/1 matrix or frame)")
    given = labels.to_pylist() if hasattr(labels, "to_pylist") else list(labels)
    missing = np.array([is_missing(each) for each in given], dtype=np.bool_)
    if not len(given) or missing.all():
        raise ClusteringError("no object has labels; at least one object is needed (one with an "
                              "empty set is in no cluster)")
    named = names is not None and names is not NUMBERED
    if named and len(names) != len(given):
        raise ClusteringError(f"object_names has {len(names)} names for {len(given)} objects")
    names = list(names) if named and type(names) is not Keys else names
    known = []
    for i, each in enumerate(given):
        if missing[i]:
            continue
        called = f"object {names[i]!r}" if named else f"object {i}"
        if separator is not None and isinstance(each, str):
            each = [part for text in each.split(separator) if (part := text.strip())]
        if isinstance(each, (str, bytes)) or not isinstance(each, Iterable):
            raise ClusteringError(
                f"the labels of {called} are {shown(each)}; a set or list of labels is needed"
                + (': separator=";" splits text such as "a;b"' if isinstance(each, str) else
                   ", also for a single one"))
        found = [v.item() if isinstance(v, np.generic) else v for v in each]
        if any(map(is_missing, found)):
            raise ClusteringError(f"a label of {called} is missing: leave it out of the set, or "
                                  "give None in place of the set if none is known")
        if any(isinstance(v, (list, set, dict, tuple, np.ndarray)) for v in found):
            raise ClusteringError(f"the labels of {called} are {shown(each)}; a set of labels, "
                                  "each a text or a number, is needed")
        if len(set(found)) < len(found):
            twice = next(label for label in found if found.count(label) > 1)
            raise ClusteringError(f"{called} has the label {twice!r} twice; once is needed")
        known.append(found)
    return known, missing, names


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
             else list(objects) if objects is not None else in_order(cluster_of))
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
                    "these the labels of each object, CoverClustering.from_labels reads them. "
                    "Were they the clusters that are possible for each, a 0/1 matrix with one "
                    "row per object (RoughClustering.from_upper) or one dictionary per object "
                    "(EvidentialClustering.from_dicts) says that")
    return cluster_of


def in_order(names: Collection[Any]) -> list[Any]:
    """Names sorted; as they are where they cannot be."""
    try:
        return sorted(names)
    except TypeError:
        return list(names)
