"""Functions of the R package clue under their own names, for any clustering-like arguments.

Clusterings may be anything `softclust.as_clustering` takes. Clusters, columns and objects count
from 0. Values are R's, its peculiarities included (`spec` of differences: README.md): soft
partitions are hardened silently where a method needs hard ones, ties at random.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import softclust as sc

from . import RConversionError
from ._call import call

__all__ = ["cl_agreement", "cl_class_ids", "cl_dissimilarity", "cl_membership", "n_of_classes",
           "n_of_objects", "solve_LSAP"]

_PROXIMITY = """function(x, y, method, options) {{
  value <- do.call(clue::{0}, c(if (is.null(y)) list(x) else list(x, y),
                                list(method = method), options))
  value <- as.matrix(value)
  array(as.double(value), dim(value))
}}"""


def cl_agreement(x: Any, y: Any = None, method: str = "euclidean", **options: Any) -> Any:
    """Agreement of clusterings, ``clue::cl_agreement``.

    Parameters
    ----------
    x, y : clustering-like, or Ensemble or list of clusterings
    method : str
        "euclidean", "manhattan", "Rand", "cRand", "NMI", "KP", "angle", "diag", "FM", "Jaccard",
        "purity", "PS".
    **options
        Further arguments of the method, as in clue.

    Returns
    -------
    float or ndarray
        A float for two clusterings, (B, B) for one ensemble (R puts 1 on its diagonal whatever
        the measure), (A, B) for two. NaN or infinite where R is.

    Raises
    ------
    RUnavailableError, RError

    Examples
    --------
    >>> from r_bridge import clue
    >>> clue.cl_agreement([0, 0, 1], [0, 1, 1], method="Rand")
    0.33333333333333337
    """
    return _proximity("cl_agreement", x, y, method, options)


def cl_dissimilarity(x: Any, y: Any = None, method: str = "euclidean", **options: Any) -> Any:
    """Dissimilarity of clusterings, ``clue::cl_dissimilarity``.

    Parameters
    ----------
    x, y : clustering-like, or Ensemble or list of clusterings
    method : str
        "euclidean", "manhattan", "comemberships", "symdiff", "Rand", "GV1", "BA/A", "BA/C",
        "BA/D", "BA/E", "VI", "Mallows", "CSSD".
    **options
        Further arguments of the method, as in clue.

    Returns
    -------
    float or ndarray
        A float for two clusterings, (B, B) for one ensemble, (A, B) for two.

    Raises
    ------
    RUnavailableError, RError

    Examples
    --------
    >>> from r_bridge import clue
    >>> clue.cl_dissimilarity([0, 0, 1], [0, 1, 1], method="BA/A")
    1.0
    """
    return _proximity("cl_dissimilarity", x, y, method, options)


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
    """
    code = """function(x, k) {
      value <- if (is.null(k)) clue::cl_membership(x) else clue::cl_membership(x, k)
      array(as.double(value), dim(value))
    }"""
    return call(code, sc.as_clustering(x), k)


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
    """
    return call("function(x) as.integer(clue::cl_class_ids(x))", sc.as_clustering(x)) - 1


def n_of_classes(x: Any) -> int:
    """Number of non-empty classes, ``clue::n_of_classes``.

    Parameters
    ----------
    x : clustering-like

    Returns
    -------
    int
    """
    return int(call("function(x) clue::n_of_classes(x)", sc.as_clustering(x))[0])


def n_of_objects(x: Any) -> int:
    """Number of objects, ``clue::n_of_objects``.

    Parameters
    ----------
    x : clustering-like

    Returns
    -------
    int
    """
    return int(call("function(x) clue::n_of_objects(x)", sc.as_clustering(x))[0])


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
    """
    table = np.asarray(x, dtype=np.float64)
    return call("function(x, maximum) as.integer(clue::solve_LSAP(x, maximum))",
                table, bool(maximum)) - 1


def _proximity(function: str, x: Any, y: Any, method: str, options: dict[str, Any]) -> Any:
    sides = [_side(x)] + ([] if y is None else [_side(y)])
    if y is None and not isinstance(sides[0], sc.Ensemble):
        raise RConversionError("y is missing; give two clusterings, or an ensemble as x")
    matrix = call(_PROXIMITY.format(function), sides[0], sides[1] if len(sides) > 1 else None,
                  method, options)
    if any(isinstance(side, sc.Ensemble) for side in sides):
        return matrix
    return float(matrix[0, 0])


def _side(value: Any) -> Any:
    """An ensemble when a list holds clusterings rather than labels, else a clustering."""
    if isinstance(value, sc.Ensemble):
        return value
    if isinstance(value, (list, tuple)) and any(_is_whole(v) for v in value):
        return sc.Ensemble(value)
    return sc.as_clustering(value)


def _is_whole(value: Any) -> bool:
    return hasattr(value, "n_clusters") or isinstance(value, (list, tuple, np.ndarray))
