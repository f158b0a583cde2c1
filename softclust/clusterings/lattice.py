"""Refinement of hard clusterings: finest common coarsening, coarsest common refinement."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._checks import ClusteringError
from .._types import ClusteringLike
from ._base import Clustering
from .arrays import components
from .coercion import as_clustering
from .ensemble import Ensemble
from .hard import HardClustering
from .labels import by_appearance
from .objects import check_object_names


def meet(*clusterings: ClusteringLike) -> HardClustering:
    r"""Coarsest common refinement: objects are together only where all clusterings join them.

    Parameters
    ----------
    *clusterings : clustering-like
        One or more hard clusterings of the same objects; or one `Ensemble`.

    Returns
    -------
    HardClustering
        Clusters numbered by first appearance.

    Raises
    ------
    ClusteringError
        If one is not hard, or numbers or names of objects differ.

    See Also
    --------
    join, is_refinement, contingency_table

    Notes
    -----
    .. math:: x \wedge y

    The clusters are the non-empty intersections of clusters. Time O(n log n) for each clustering.
    R: ``clue::cl_meet``.

    Examples
    --------
    >>> import softclust
    >>> softclust.meet([0, 0, 0, 1, 1], [0, 0, 1, 1, 1]).labels
    array([0, 0, 1, 2, 2])
    """
    members = _hard(clusterings)
    codes = by_appearance(members[0].labels)
    for member in members[1:]:
        # Both are below n: their pair fits an int64 for n up to 3e9.
        codes = by_appearance(codes * member.n_clusters + member.labels)
    return HardClustering(codes, object_names=_naming(members))


def join(*clusterings: ClusteringLike) -> HardClustering:
    r"""Finest common coarsening: objects are together where a chain of clusters links them.

    Parameters
    ----------
    *clusterings : clustering-like
        One or more hard clusterings of the same objects; or one `Ensemble`.

    Returns
    -------
    HardClustering
        Clusters numbered by first appearance.

    Raises
    ------
    ClusteringError
        If one is not hard, or numbers or names of objects differ.

    See Also
    --------
    meet, is_refinement, lattice_distance

    Notes
    -----
    .. math:: x \vee y

    The clusters are the connected components of "same cluster in at least one". Time O(n) for each
    clustering. R: ``clue::cl_join``.

    Examples
    --------
    >>> import softclust
    >>> softclust.join([0, 0, 1, 1, 2], [0, 1, 1, 2, 3]).labels
    array([0, 0, 0, 0, 1])
    """
    from scipy.sparse import coo_array
    members = _hard(clusterings)
    codes = by_appearance(members[0].labels)
    for member in members[1:]:
        groups = int(codes.max()) + 1
        size = groups + member.n_clusters
        edges = coo_array((np.ones(codes.shape[0], dtype=np.int8),
                           (codes, groups + member.labels)), shape=(size, size))
        _, component = components(edges)
        codes = by_appearance(component[codes])
    return HardClustering(codes, object_names=_naming(members))


def is_refinement(x: ClusteringLike, y: ClusteringLike) -> bool:
    r"""Test whether every cluster of x lies inside one cluster of y.

    Parameters
    ----------
    x, y : clustering-like
        Hard clusterings of the same objects.

    Returns
    -------
    bool

    Raises
    ------
    ClusteringError
        If one is not hard, or numbers or names of objects differ.

    See Also
    --------
    meet, join

    Notes
    -----
    .. math:: x \le y

    x refines y where every row of the contingency table has one non-zero entry. Time O(n).

    Examples
    --------
    >>> import softclust
    >>> softclust.is_refinement([0, 1, 2, 2], [0, 0, 1, 1])
    True
    >>> softclust.is_refinement([0, 0, 1, 1], [0, 1, 2, 2])
    False
    """
    a, b = _hard((x, y))
    inside = np.zeros(a.n_clusters, dtype=np.int64)
    inside[a.labels] = b.labels   # any object of the cluster will do
    return bool((inside[a.labels] == b.labels).all())


def _naming(members: list[HardClustering]) -> tuple[Any, ...] | None:
    """The names of the first member whose objects have some."""
    return next((m.naming for m in members if m.naming is not None), None)


def _hard(clusterings: tuple[Any, ...]) -> list[HardClustering]:
    if len(clusterings) == 1 and isinstance(clusterings[0], Ensemble):
        clusterings = tuple(clusterings[0].complete())
    if not clusterings:
        raise TypeError("at least one clustering is needed")
    members: list[HardClustering] = []
    if len(clusterings) == 1 and isinstance(clusterings[0], (list, tuple)) and clusterings[0] and (
            all(isinstance(member, Clustering) for member in clusterings[0])):
        raise TypeError("one list of clusterings is given; give them one by one, as meet(a, b), or "
                        "as an Ensemble")
    for k, clustering in enumerate(clusterings):
        member = as_clustering(clustering, name=f"clustering {k}")
        if not isinstance(member, HardClustering):
            way = "patterns()" if member.kind == "cover" else "harden()"
            raise ClusteringError(f"clustering {k} is {member.kind}; a hard clustering is needed: "
                                  f".{way} makes one by a named rule")
        if members and member.n_objects != members[0].n_objects:
            raise ClusteringError(f"clustering {k} has {member.n_objects} objects and clustering 0 "
                                  f"has {members[0].n_objects}; the same objects are needed")
        members.append(member)
    check_object_names((f"clustering {k}", member) for k, member in enumerate(members))
    return members
