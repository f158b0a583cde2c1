"""Dendrograms from R: R's numbering of objects and merges becomes SciPy's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from . import RConversionError


def merges_from_r(tree: Mapping[str, Any]) -> np.ndarray:
    """Merges of an ``hclust`` tree in the form of `scipy.cluster.hierarchy.linkage`.

    Parameters
    ----------
    tree : mapping
        With ``merge`` (n - 1, 2), in which objects are -1, ..., -n and merges 1, ..., n - 1, and
        ``height`` (n - 1,): what ``r_bridge.call`` returns for
        ``unclass(h)[c("merge", "height")]``.

    Returns
    -------
    ndarray, shape (n - 1, 3), float64
        Nodes joined (objects 0, ..., n - 1; merge t makes node n + t) and height: what
        `softclust.pair_roc` takes.

    Raises
    ------
    RConversionError
        If `tree` is nothing of that kind.

    Examples
    --------
    >>> import r_bridge
    >>> r_bridge.merges_from_r({"merge": [[-1, -2], [-3, 1]], "height": [1.0, 2.5]})
    array([[0. , 1. , 1. ],
           [2. , 3. , 2.5]])
    """
    if not isinstance(tree, Mapping) or not {"merge", "height"} <= set(tree):
        raise RConversionError("tree has no merge and height; in R, "
                               'unclass(h)[c("merge", "height")] takes them from hclust')
    try:
        merge = np.asarray(tree["merge"], dtype=np.float64)
        height = np.asarray(tree["height"], dtype=np.float64).reshape(-1)
    except (TypeError, ValueError):
        raise RConversionError("merge and height of tree cannot be read as numbers") from None
    n = height.size + 1
    if merge.shape != (n - 1, 2):
        raise RConversionError(f"merge has shape {merge.shape} for {height.size} heights; "
                               f"({n - 1}, 2) is needed")
    if not ((merge != 0) & (merge == np.floor(merge)) & (merge >= -n) & (merge < n)).all():
        raise RConversionError(f"merge needs -1 to -{n} for objects and 1 to {n - 1} for merges")
    nodes = np.where(merge < 0, -merge - 1, n - 1 + merge)
    return np.column_stack([nodes, height])
