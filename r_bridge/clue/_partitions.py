"""One partition: memberships, labels, margins, fuzziness, validity, meet, join, assignment."""

from __future__ import annotations

from typing import Any

import numpy as np

import softclust as sc

from .._call import call
from ._arguments import ensemble_or_clustering, partition, same_objects, with_names


def cl_membership(x: Any, k: int | None = None) -> np.ndarray:
    """Membership matrix, ``clue::cl_membership``.

    Parameters
    ----------
    x : clustering-like
    k : int, optional
        Number of columns, at least that of x; the further ones are 0.

    Returns
    -------
    ndarray, shape (n, k)
        As clue arranges it: empty clusters left out, zero columns last.

    Raises
    ------
    RUnavailableError, RError

    Examples
    --------
    >>> from r_bridge import clue
    >>> clue.cl_membership([0, 1, 1], 3)
    array([[1., 0., 0.],
           [0., 1., 0.],
           [0., 1., 0.]])
    """
    code = """function(x, k) {
      value <- if (is.null(k)) clue::cl_membership(x) else clue::cl_membership(x, k)
      array(as.double(value), dim(value))
    }"""
    return call(code, partition(x), k)


def cl_class_ids(x: Any) -> np.ndarray:
    """Label of each object, ``clue::cl_class_ids``.

    Parameters
    ----------
    x : clustering-like
        Soft clusterings are hardened by R, ties at random.

    Returns
    -------
    ndarray of int64, shape (n,)
        Counted from 0.

    Raises
    ------
    RUnavailableError, RError

    Examples
    --------
    >>> from r_bridge import clue
    >>> clue.cl_class_ids([[0.75, 0.25], [0.125, 0.875]])
    array([0, 1])
    """
    return call("function(x) as.integer(clue::cl_class_ids(x))", partition(x)) - 1


def n_of_classes(x: Any) -> int:
    """Number of non-empty classes, ``clue::n_of_classes``.

    Parameters
    ----------
    x : clustering-like

    Returns
    -------
    int

    Raises
    ------
    RUnavailableError, RError

    Examples
    --------
    >>> import softclust
    >>> from r_bridge import clue
    >>> clue.n_of_classes(softclust.HardClustering([0, 2, 2], n_clusters=4))
    2
    """
    return int(call("function(x) clue::n_of_classes(x)", partition(x))[0])


def n_of_objects(x: Any) -> int:
    """Number of objects, ``clue::n_of_objects``.

    Parameters
    ----------
    x : clustering-like

    Returns
    -------
    int

    Raises
    ------
    RUnavailableError, RError

    Examples
    --------
    >>> from r_bridge import clue
    >>> clue.n_of_objects([0, 1, 1])
    3
    """
    return int(call("function(x) clue::n_of_objects(x)", partition(x))[0])


def cl_margin(x: Any) -> np.ndarray:
    """Largest minus second largest membership of each object, ``clue::cl_margin``.

    Parameters
    ----------
    x : clustering-like

    Returns
    -------
    ndarray, shape (n,)
        1 for hard partitions. Near ties may come out negative (softclust's `margin` never does).

    Raises
    ------
    RUnavailableError, RError

    Examples
    --------
    >>> from r_bridge import clue
    >>> clue.cl_margin([[0.75, 0.25], [0.5, 0.5]])
    array([0.5, 0. ])
    """
    return call("function(x) as.vector(clue::cl_margin(x))", partition(x))


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
    return found if isinstance(side, sc.Ensemble) else float(found[0])


def cl_validity(x: Any, d: Any) -> float:
    """Share of the dissimilarities that a partition accounts for, ``clue::cl_validity``.

    Parameters
    ----------
    x : clustering-like
    d : array-like, shape (n, n) or (n(n-1)/2,)
        Dissimilarities of the objects; condensed ones in SciPy's order.

    Returns
    -------
    float
        1 - mean within classes / mean of all.

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
    n, values = side.n_objects, np.asarray(d, dtype=np.float64)
    if values.shape == (n, n):
        values = values[np.triu_indices(n, 1)]
    if values.shape != (n * (n - 1) // 2,):
        raise ValueError(f"d has shape {values.shape}; ({n}, {n}) or ({n * (n - 1) // 2},) is "
                         f"needed for {n} objects")
    found = call("""function(x, d, n) unlist(clue::cl_validity(x, structure(d, Size = n,
      Diag = FALSE, Upper = FALSE, class = "dist")), use.names = FALSE)""", side, values, n)
    return float(found[0])


def cl_meet(x: Any, y: Any = None) -> sc.HardClustering:
    """Coarsest common refinement of hard partitions, ``clue::cl_meet``.

    Parameters
    ----------
    x, y : clustering-like; or x an Ensemble or list of clusterings and no y
        Hard.

    Returns
    -------
    HardClustering
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


def cl_join(x: Any, y: Any = None) -> sc.HardClustering:
    """Finest common coarsening of hard partitions, ``clue::cl_join``.

    Parameters
    ----------
    x, y : clustering-like; or x an Ensemble or list of clusterings and no y
        Hard. clue stops when labels are not 1, ..., k; empty clusters are left out first.

    Returns
    -------
    HardClustering
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


def _lattice(what: str, x: Any, y: Any) -> sc.HardClustering:
    first = ensemble_or_clustering(x, "x")
    if y is None and not isinstance(first, sc.Ensemble):
        raise sc.ClusteringError("y is missing; give two clusterings, or an ensemble as x")
    if y is not None:
        second = partition(y, "y")
        same_objects(first, second)
        first = sc.Ensemble([*(first if isinstance(first, sc.Ensemble) else [first]), second])
    # Numbers without gaps, which clue's join needs: gaps stay in a partition's class ids.
    without_gaps = sc.Ensemble([_without_gaps(member) for member in first])
    found = call(f"function(x) clue::cl_class_ids(clue::cl_{what}(x))", without_gaps)
    return with_names(found, first)


def _without_gaps(x: Any) -> sc.HardClustering:
    if not isinstance(x, sc.HardClustering):
        raise sc.ClusteringError(f"a member is {x.kind}; hard clusterings are needed (.harden())")
    return sc.HardClustering(np.unique(x.labels, return_inverse=True)[1],
                             object_names=x.object_names)


def solve_LSAP(x: Any, maximum: bool = False) -> np.ndarray:
    """Optimal assignment of rows to columns, ``clue::solve_LSAP``.

    Parameters
    ----------
    x : array-like, shape (rows, columns)
        Nonnegative, rows <= columns (R stops otherwise; softclust's own solver takes any finite
        table).
    maximum : bool
        Maximise the sum instead of minimising it.

    Returns
    -------
    ndarray of int64, shape (rows,)
        The column of each row, from 0. Under ties the columns are arbitrary, the sum is not.

    Raises
    ------
    RUnavailableError, RError

    Examples
    --------
    >>> from r_bridge import clue
    >>> clue.solve_LSAP([[4.0, 1.0, 3.0], [2.0, 0.0, 5.0]])
    array([2, 1])
    """
    table = np.asarray(x, dtype=np.float64)
    return call("function(x, maximum) as.integer(clue::solve_LSAP(x, maximum))",
                table, bool(maximum)) - 1
