"""Ensembles: consensus, medoid, k-medoids, distinct members."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

import softclust as sc

from .._call import call
from ._arguments import dissimilarities, ensemble, with_names

_CONSENSUS = """function(x, method, weights, control, kind, power) {
  value <- clue::cl_consensus(x, method, weights, control)
  told <- attr(value$.Data, "meta")
  w <- rep_len(weights, length(x))
  list(
    clustering = value,
    objval = if (is.null(told$objval)) NA_real_ else as.double(told$objval),
    converged = told$converged,
    objective = if (is.null(kind)) NA_real_ else
      sum(w * as.vector(clue::cl_dissimilarity(x, value, method = kind))^power) / sum(w))
}"""

#: dissimilarity and power of the criterion of each method of clue
_CRITERIA = {
    "se": ("euclidean", 2), "he": ("euclidean", 2), "soft/euclidean": ("euclidean", 2),
    "hard/euclidean": ("euclidean", 2), "dwh": ("euclidean", 2),
    "sm": ("manhattan", 1), "hm": ("manhattan", 1), "soft/manhattan": ("manhattan", 1),
    "hard/manhattan": ("manhattan", 1), "gv1": ("GV1", 2), "hard/symdiff": ("symdiff", 1),
}
_OF_TREES = {"euclidean": ("euclidean", 2), "cophenetic": ("euclidean", 2),
             "manhattan": ("manhattan", 1), "majority": ("symdiff", 1)}


@dataclass(frozen=True, slots=True, kw_only=True)
class ClueConsensus:
    """Result of `cl_consensus`.

    Attributes
    ----------
    clustering : HardClustering or FuzzyClustering, or Dendrogram
    method : str
    objval : float
        The criterion as clue reports it, nan when it reports none. With several starts it is
        wrong for SE, HE, SM and HM unless the last run was the best (README.md, difference 8).
    objective : float
        The criterion recomputed in R for `clustering`: weighted mean over the members of the
        dissimilarity to its power; nan for methods whose criterion is no such mean.
    converged : bool or None
        None when clue does not say.
    """

    clustering: Any
    method: str
    objval: float
    objective: float
    converged: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ClueMedoids:
    """Result of `cl_pam`.

    Attributes
    ----------
    labels : ndarray of int64, shape (B,)
        Group of each member, from 0.
    medoid_indices : ndarray of int64, shape (k,)
        Member that stands for each group, from 0.
    prototypes : Ensemble or list of Dendrogram
        Those k members; None for objects of which only dissimilarities are given.
    criterion : float
        Sum of the dissimilarities of the members to their medoids.
    """

    labels: np.ndarray
    medoid_indices: np.ndarray
    prototypes: Any
    criterion: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ClueTabulation:
    """Result of `cl_tabulate`.

    Attributes
    ----------
    clusterings : Ensemble or list of Dendrogram
        The distinct members. For clue relabelled copies are distinct; `Ensemble.tabulate` counts
        them as one.
    counts : ndarray of int64
    """

    clusterings: Any
    counts: np.ndarray


def cl_consensus(x: Any, method: str | None = None, weights: Any = 1,
                 control: dict[str, Any] | None = None, seed: int | None = None
                 ) -> ClueConsensus:
    """Consensus of an ensemble, ``clue::cl_consensus``.

    Parameters
    ----------
    x : Ensemble or list of clusterings, or of Dendrogram
        Hard and fuzzy members.
    method : str, optional
        "SE" (the default), "HE", "SM", "HM", "GV1", "GV3", "DWH", "soft/symdiff",
        "hard/symdiff"; of trees "euclidean" (the default), "manhattan", "majority".
    weights : float or array-like, shape (B,)
        Weights >= 0 of the members.
    control : dict, optional
        clue's options by name: ``k``, ``maxiter``, ``nruns``, ``reltol``, ``start`` (an (n, k)
        array or a list of them), ``order`` (for "DWH", members counted from 0), ...
    seed : int, optional
        Of R's random numbers: starts are random unless given.

    Returns
    -------
    ClueConsensus
        Record with the clustering, clue's criterion and the recomputed one.

    Raises
    ------
    RError
        If clue stops; GV1 does on (nearly) equal fuzzy partitions (README.md, difference 6).
    ClusteringError
        If x is not an ensemble.

    Examples
    --------
    >>> from r_bridge import clue
    >>> runs = [[0, 0, 1, 1], [0, 0, 1, 1], [0, 1, 1, 1]]
    >>> result = clue.cl_consensus(runs, method="HE", seed=1)
    >>> result.clustering.n_clusters, round(result.objective, 6)
    (2, 0.666667)
    """
    members = ensemble(x)
    trees = isinstance(members, list)
    name = ("euclidean" if trees else "SE") if method is None else str(method)
    kind, power = (_OF_TREES if trees else _CRITERIA).get(name.lower(), (None, 1))
    options = dict(control or {})
    if "order" in options:
        options["order"] = np.asarray(options["order"], dtype=np.int64) + 1
    found = call(_CONSENSUS, members, name, np.asarray(weights, dtype=np.float64).reshape(-1),
                 options, kind, power, seed=seed)
    objval, told = float(found["objval"][0]), found["converged"]
    return ClueConsensus(
        clustering=with_names(found["clustering"], members), method=name, objval=objval,
        objective=float(found["objective"][0]),
        converged=None if told is None or math.isnan(objval) else bool(told[0]))


def cl_medoid(x: Any, method: str = "euclidean") -> Any:
    """Find the member with the smallest sum of dissimilarities, ``clue::cl_medoid``.

    Parameters
    ----------
    x : Ensemble or list of clusterings
    method : str
        A dissimilarity of `cl_dissimilarity`.

    Returns
    -------
    HardClustering or FuzzyClustering, or Dendrogram
        As R returns it (empty clusters left out).

    Raises
    ------
    RError
    ClusteringError
        If x is not an ensemble.

    Examples
    --------
    >>> from r_bridge import clue
    >>> clue.cl_medoid([[0, 0, 1, 1], [0, 0, 1, 1], [0, 1, 1, 1]]).labels
    array([0, 0, 1, 1])
    """
    members = ensemble(x)
    found = call("function(x, method) clue::cl_medoid(x, method)", members, method)
    return with_names(found, members)


def cl_pam(x: Any, k: int, method: str = "euclidean") -> ClueMedoids:
    """k medoids of an ensemble, ``clue::cl_pam``.

    Parameters
    ----------
    x : Ensemble or list of clusterings
    k : int
        Number of groups.
    method : str
        A dissimilarity of `cl_dissimilarity`.

    Returns
    -------
    ClueMedoids

    Raises
    ------
    RError
    ClusteringError
        If x is not an ensemble.

    Examples
    --------
    >>> from r_bridge import clue
    >>> clue.cl_pam([[0, 0, 1, 1], [0, 0, 1, 1], [0, 1, 2, 3]], 2).labels
    array([0, 0, 1])
    """
    members = ensemble(x)
    found = call("""function(x, k, method) {
      fit <- clue::cl_pam(x, k, method)
      list(labels = as.integer(fit$cluster), medoids = as.integer(fit$medoid_ids),
           criterion = as.double(fit$criterion))
    }""", members, int(k), method)
    medoids = found["medoids"] - 1
    prototypes: Any = [members[int(i)] for i in medoids]
    if isinstance(members, sc.Ensemble):
        prototypes = sc.Ensemble(prototypes, [members.names[int(i)] for i in medoids])
    return ClueMedoids(labels=found["labels"] - 1, medoid_indices=medoids, prototypes=prototypes,
                       criterion=float(found["criterion"][0]))


def kmedoids(d: Any, k: int) -> ClueMedoids:
    """k medoids of objects, the best ones, ``clue::kmedoids``.

    Parameters
    ----------
    d : array-like, shape (n, n) or (n(n-1)/2,)
        Dissimilarities of the objects; condensed ones in SciPy's order.
    k : int
        Number of groups.

    Returns
    -------
    ClueMedoids
        Exact, by binary programming in R: for few objects.

    Raises
    ------
    RUnavailableError, RError
    ValueError
        If `d` is not that of a number of objects.

    Examples
    --------
    >>> from r_bridge import clue
    >>> clue.kmedoids([1.0, 5.0, 5.0], 2).labels
    array([0, 0, 1])
    """
    found = call("""function(d, k) unclass(clue::kmedoids(structure(d, Diag = FALSE, Upper = FALSE,
      Size = as.integer((1 + sqrt(1 + 8 * length(d))) / 2), class = "dist"), k))[1:3]""",
                 dissimilarities(d), int(k))
    return ClueMedoids(labels=found["cluster"] - 1, medoid_indices=found["medoid_ids"] - 1,
                       prototypes=None, criterion=float(found["criterion"][0]))


@dataclass(frozen=True, slots=True, kw_only=True)
class ClueClusters:
    """Clusters of clusterings; result of `cl_pclust`.

    Attributes
    ----------
    clustering : HardClustering or FuzzyClustering
        Of the B members: their cluster, or their memberships if m > 1.
    prototypes : Ensemble or list of Dendrogram
        The consensus of each cluster.
    """

    clustering: Any
    prototypes: Any


def cl_pclust(x: Any, k: int, method: str | None = None, m: float = 1.0, weights: Any = 1,
              control: dict[str, Any] | None = None, seed: int | None = None) -> ClueClusters:
    """Clusters of clusterings with a consensus each, ``clue::cl_pclust``.

    Parameters
    ----------
    x : Ensemble or list of clusterings, or of Dendrogram
    k : int
        Number of clusters.
    method : str, optional
        Of `cl_consensus`.
    m : float
        1: each member is in one cluster; larger: memberships, softer with m.
    weights : float or array-like, shape (B,)
        Weights >= 0 of the members.
    control : dict, optional
        clue's options by name: ``maxiter``, ``nruns``, ``reltol``, ``start``, ...
    seed : int, optional
        Of R's random numbers.

    Returns
    -------
    ClueClusters

    Raises
    ------
    RError
    ClusteringError
        If x is not an ensemble.

    Examples
    --------
    >>> from r_bridge import clue
    >>> runs = [[0, 0, 1, 1], [0, 0, 1, 1], [0, 1, 0, 1], [0, 1, 0, 1]]
    >>> clue.cl_pclust(runs, 2, seed=1).clustering.sizes
    array([2, 2])
    """
    members = ensemble(x)
    found = call("""function(x, k, method, m, weights, control) {
      fit <- clue::cl_pclust(x, k, method, m, weights, control)
      parts <- unclass(fit)$.Data
      list(clustering = if (m > 1) clue::cl_membership(fit) else
             clue::as.cl_hard_partition(clue::cl_class_ids(fit)),
           prototypes = lapply(seq_along(parts$prototypes), function(i) parts$prototypes[[i]]))
    }""", members, int(k), method, float(m), np.asarray(weights, dtype=np.float64).reshape(-1),
                 control or {}, seed=seed)
    prototypes = [with_names(each, members) for each in found["prototypes"]]
    return ClueClusters(
        clustering=found["clustering"],
        prototypes=prototypes if isinstance(members, list) else sc.Ensemble(prototypes))


def cl_tabulate(x: Any) -> ClueTabulation:
    """Distinct members of an ensemble and how often each occurs, ``clue::cl_tabulate``.

    Parameters
    ----------
    x : Ensemble or list of clusterings

    Returns
    -------
    ClueTabulation
        Members that differ only in the names of their clusters count as distinct.

    Raises
    ------
    RError
    ClusteringError
        If x is not an ensemble.

    Examples
    --------
    >>> from r_bridge import clue
    >>> clue.cl_tabulate([[0, 0, 1], [1, 1, 0], [0, 0, 1]]).counts
    array([2, 1])
    """
    members = ensemble(x)
    found = call("""function(x) {
      table <- clue::cl_tabulate(x)
      list(values = lapply(seq_along(table$values), function(i) table$values[[i]]),
           counts = as.integer(table$counts))
    }""", members)
    values = [with_names(each, members) for each in found["values"]]
    return ClueTabulation(counts=found["counts"], clusterings=values if isinstance(members, list)
                          else sc.Ensemble(values))
