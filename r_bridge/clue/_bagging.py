"""Bagged clustering and repeated runs of an algorithm of R."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

import softclust as sc

from .._call import call

# The function by its name: pkg::name, or the first of the usual packages that has it.
FIND = """
  find <- function(name) {
    parts <- strsplit(name, "::", fixed = TRUE)[[1L]]
    if (length(parts) == 2L) return(getExportedValue(parts[1L], parts[2L]))
    for (package in c("stats", "e1071", "cluster"))
      if (length(find.package(package, quiet = TRUE)) &&
          name %in% getNamespaceExports(package)) return(getExportedValue(package, name))
    stop("stats, e1071 and cluster have no function ", name, "; write package::", name,
         call. = FALSE)
  }
"""
_BAG = """function(x, B, k, algorithm, parameters) {""" + FIND + """
  value <- unclass(clue::cl_membership(clue::cl_bag(x, B, k, find(algorithm), parameters)))
  array(as.double(value), dim(value))
}"""
_BOOT = """function(x, B, k, algorithm, parameters, resample) {""" + FIND + """
  runs <- clue::cl_boot(x, B, k, find(algorithm), parameters, resample)
  clue::cl_ensemble(list = lapply(runs, clue::as.cl_partition))
}"""
_NAME = re.compile(r"([A-Za-z][\w.]*::)?[A-Za-z.][\w.]*")


def cl_bag(x: Any, B: int, k: int, algorithm: str = "kmeans",
           parameters: dict[str, Any] | None = None, seed: int | None = None
           ) -> sc.FuzzyClustering:
    """Bagged clustering (BagClust1 as clue has it), ``clue::cl_bag``.

    Parameters
    ----------
    x : array-like, shape (n, p)
        Data, float.
    B : int
        Bootstrap samples.
    k : int
        Clusters.
    algorithm : str
        An R function of data and k that clue can predict from: "kmeans" (stats), "cmeans"
        (e1071), "pam", "clara" (cluster), or "package::function".
    parameters : dict, optional
        Further arguments of the function.
    seed : int, optional
        Of R's random numbers.

    Returns
    -------
    FuzzyClustering
        Mean membership over the samples, each matched to the clustering of all objects.

    Raises
    ------
    RError
        If the function fails, or clue cannot predict from what it returns.
    ValueError
        If `x` is not a matrix or `algorithm` no name.

    Notes
    -----
    clue's arguments ``method`` and ``control`` are not offered: they have no effect there
    (README.md, difference 17). softclust's counterpart is `BaggedClustering(votes="all")`.

    Examples
    --------
    >>> import numpy as np
    >>> from r_bridge import clue
    >>> x = np.array([[0.0], [0.5], [1.0], [9.0], [9.5], [10.0]])
    >>> clue.cl_bag(x, 5, 2, seed=1).harden().sizes
    array([3, 3])
    """
    matrix = call(_BAG, _data(x), int(B), int(k), _name(algorithm), parameters or {}, seed=seed)
    return sc.FuzzyClustering(matrix)


def cl_boot(x: Any, B: int, k: int, algorithm: str = "kmeans",
            parameters: dict[str, Any] | None = None, resample: bool = False,
            seed: int | None = None) -> sc.Ensemble:
    """Repeat an algorithm with other random starts or samples, ``clue::cl_boot``.

    Parameters
    ----------
    x : array-like, shape (n, p)
        Data, float.
    B : int
        Runs.
    k : int
        Clusters.
    algorithm, parameters
        As in `cl_bag`.
    resample : bool
        Draw objects with replacement too; all objects are then assigned.
    seed : int, optional
        Of R's random numbers.

    Returns
    -------
    Ensemble
        B clusterings, hard or fuzzy as the algorithm has it.

    Raises
    ------
    RError
        If the function fails.
    ValueError
        If `x` is not a matrix or `algorithm` no name.

    Examples
    --------
    >>> import numpy as np
    >>> from r_bridge import clue
    >>> x = np.array([[0.0], [0.5], [1.0], [9.0], [9.5], [10.0]])
    >>> len(clue.cl_boot(x, 4, 2, seed=1))
    4
    """
    return call(_BOOT, _data(x), int(B), int(k), _name(algorithm), parameters or {},
                bool(resample), seed=seed)


def _data(x: Any) -> np.ndarray:
    data = np.asarray(x, dtype=np.float64)
    if data.ndim != 2:
        raise ValueError(f"x has {data.ndim} dimensions; a matrix of objects by variables is "
                         "needed")
    return data


def _name(algorithm: Any) -> str:
    if not isinstance(algorithm, str) or not _NAME.fullmatch(algorithm):
        raise ValueError(f"algorithm is {algorithm!r}; the name of an R function is needed, such "
                         "as 'kmeans' or 'cluster::pam'")
    return algorithm
