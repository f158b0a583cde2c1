"""Partitions and trees: fuzziness, validity, meet, join."""

from __future__ import annotations

from typing import Any

import numpy as np

import softclust as sc

from .._call import call
from ._arguments import (
    dissimilarities,
    ensemble_or_clustering,
    is_ensemble,
    partition,
    same_objects,
    with_names,
)


def cl_fuzziness(x: Any, method: str | None = None, normalize: bool = True) -> Any:
    """Fuzziness of a partition or of each in an ensemble, ``clue::cl_fuzziness``.

    Parameters
    ----------
    x : clustering-like, or Ensemble or list of clusterings
    method : str, optional
        "PC" (partition coefficient, the default) or "PE" (partition entropy).
    normalize : bool
        Scale to 0 (hard) ... 1 (uniform).

    Returns
    -------
    float, or ndarray of shape (B,) for an ensemble

    Raises
    ------
    RUnavailableError, RError

    Examples
    --------
    >>> from r_bridge import clue
    >>> clue.cl_fuzziness([[0.5, 0.5], [1.0, 0.0]])
    0.5
    """
    side = ensemble_or_clustering(x, "x")
    found = call("""function(x, method, normalize)
      as.vector(clue::cl_fuzziness(x, method, normalize))""", side, method, bool(normalize))
    return found if is_ensemble(side) else float(found[0])


def cl_validity(x: Any, d: Any) -> Any:
    """Share of the dissimilarities that a partition or tree accounts for, ``clue::cl_validity``.

    Parameters
    ----------
    x : clustering-like or Dendrogram
    d : array-like, shape (n, n) or (n(n-1)/2,)
        Dissimilarities of the objects; condensed ones in SciPy's order.

    Returns
    -------
    float, or ndarray of shape (2,) for a tree
        1 - mean within classes / mean of all; variance and deviance accounted for.

    Raises
    ------
    ValueError
        If `d` does not fit the number of objects.
    RUnavailableError, RError

    Examples
    --------
    >>> from r_bridge import clue
    >>> clue.cl_validity([0, 0, 1], [1.0, 5.0, 5.0])
    0.8363636363636364
    """
    side = partition(x)
    n = side.n_objects
    found = call("""function(x, d, n) unlist(clue::cl_validity(x, structure(d, Size = n,
      Diag = FALSE, Upper = FALSE, class = "dist")), use.names = FALSE)""", side,
                 dissimilarities(d, n), n)
    return found if isinstance(side, sc.Dendrogram) else float(found[0])


def cl_meet(x: Any, y: Any = None) -> Any:
    """Coarsest common refinement of hard partitions, ``clue::cl_meet``.

    Parameters
    ----------
    x, y : clustering-like; or x an Ensemble or list of clusterings and no y
        Hard.

    Returns
    -------
    HardClustering, or Dendrogram for trees
        Classes as R numbers them; compare partitions, not labels.

    Raises
    ------
    ClusteringError
        If one is soft (R hardens it for the meet, and mixes up its classes for the join), or the
        objects differ.

    Examples
    --------
    >>> from r_bridge import clue
    >>> clue.cl_meet([0, 0, 1, 1], [0, 1, 1, 1]).n_clusters
    3
    """
    return _lattice("meet", x, y)


def cl_join(x: Any, y: Any = None) -> Any:
    """Finest common coarsening of hard partitions, ``clue::cl_join``.

    Parameters
    ----------
    x, y : clustering-like; or x an Ensemble or list of clusterings and no y
        Hard. clue stops when labels are not 1, ..., k; empty clusters are left out first.

    Returns
    -------
    HardClustering, or Dendrogram for trees
        Classes as R numbers them; compare partitions, not labels.

    Raises
    ------
    ClusteringError
        If one is soft (R hardens it for the meet, and mixes up its classes for the join), or the
        objects differ.

    Examples
    --------
    >>> from r_bridge import clue
    >>> clue.cl_join([0, 0, 1, 1], [0, 1, 1, 1]).n_clusters
    1
    """
    return _lattice("join", x, y)


def _lattice(what: str, x: Any, y: Any) -> Any:
    first = ensemble_or_clustering(x, "x")
    if y is None and not is_ensemble(first):
        raise sc.ClusteringError("y is missing; give two clusterings, or an ensemble as x")
    members = list(first) if is_ensemble(first) else [first]
    if y is not None:
        members.append(partition(y, "y"))
        same_objects(first, members[-1])
    if isinstance(members[0], sc.Dendrogram):
        code = f"""function(x) clue::cl_{what}(clue::cl_ensemble(
          list = lapply(x, clue::as.cl_hierarchy)))"""
        return with_names(call(code, members), members)
    # Numbers without gaps, which clue's join needs: gaps stay in a partition's class ids.
    without_gaps = sc.Ensemble([_without_gaps(member) for member in members])
    found = call(f"function(x) clue::cl_class_ids(clue::cl_{what}(x))", without_gaps)
    return with_names(found, without_gaps)


def _without_gaps(x: Any) -> sc.HardClustering:
    if not isinstance(x, sc.HardClustering):
        raise sc.ClusteringError(f"a member is {x.kind}; hard clusterings are needed (.harden())")
    return sc.HardClustering(np.unique(x.labels, return_inverse=True)[1],
                             object_names=x.object_names)
