"""Agreements and dissimilarities of partitions and ensembles."""

from __future__ import annotations

from typing import Any

from .. import RConversionError
from .._call import call
from ._arguments import ensemble_or_clustering, is_ensemble, same_objects

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
    x, y : clustering-like or Dendrogram, or Ensemble or list of such
    method : str
        "euclidean", "manhattan", "Rand", "cRand", "NMI", "KP", "angle", "diag", "FM", "Jaccard",
        "purity", "PS"; of trees "euclidean", "manhattan", "cophenetic", "angle", "gamma".
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
    x, y : clustering-like or Dendrogram, or Ensemble or list of such
    method : str
        "euclidean", "manhattan", "comemberships", "symdiff", "Rand", "GV1", "BA/A", "BA/C",
        "BA/D", "BA/E", "VI", "Mallows", "CSSD"; of trees "euclidean", "manhattan", "cophenetic",
        "gamma", "symdiff", "Chebyshev", "Lyapunov", "BO" (with ``delta=``), "spectral".
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


def _proximity(function: str, x: Any, y: Any, method: str, options: dict[str, Any]) -> Any:
    first = ensemble_or_clustering(x, "x")
    if y is None:
        if not is_ensemble(first):
            raise RConversionError("y is missing; give two clusterings, or an ensemble as x")
        return call(_PROXIMITY.format(function), first, None, method, options)
    second = ensemble_or_clustering(y, "y")
    same_objects(first, second)
    matrix = call(_PROXIMITY.format(function), first, second, method, options)
    if is_ensemble(first) or is_ensemble(second):
        return matrix
    return float(matrix[0, 0])
