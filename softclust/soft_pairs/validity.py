"""Share of the dissimilarities between objects that a clustering accounts for."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._checks import ClusteringError, warn_undefined
from .._types import ArrayLike, ClusteringLike
from ..clusterings import as_clustering
from ..clusterings.object_table import distances_between
from ..measures.joint import Joint

#: a symmetric matrix may differ from its transpose by this, relative to its largest entry
SYMMETRY_TOLERANCE = 1e-8
#: rows between two checks for Ctrl-C
_ROWS = 1024


def dissimilarity_accounted_for(x: ClusteringLike, d: ArrayLike) -> float:
    r"""Share of the mean dissimilarity that is between, not within, clusters.

    Parameters
    ----------
    x : clustering-like
        n >= 2 objects, c clusters; hard or fuzzy.
    d : array-like, shape (n, n) or (n (n-1) / 2,)
        Dissimilarities >= 0 of the objects: symmetric with zeros on the diagonal, or the pairs
        i < j in the order of ``scipy.spatial.distance.pdist``.

    Returns
    -------
    float
        1 - mean dissimilarity within clusters / mean dissimilarity. 1 when all objects of a cluster
        are at distance 0; 0 for one cluster; negative when clusters are wider than the data as a
        whole. Undefined, nan with a warning, when all dissimilarities are 0.

    Raises
    ------
    ClusteringError
        If x is neither hard nor fuzzy, or d is not as described.

    Warns
    -----
    UndefinedMeasureWarning
        If the value is undefined: nan.

    See Also
    --------
    fuzziness, cluster_information_criterion

    Notes
    -----
    .. math:: 1 - \frac{\sum_k u_k' D u_k}{\mathrm{mean}(D) \sum_k (\sum_i u_{ik})^2}

    D is the matrix of dissimilarities and u_k column k of the memberships. Both means are over
    ordered pairs and include the zeros of the diagonal. Time O(n^2 c). The matrix is not copied;
    from condensed dissimilarities none is made. R: ``clue::cl_validity(x, d)``.

    References
    ----------
    K. Hornik (2005), A CLUE for CLUster Ensembles, Journal of Statistical Software 14(12).

    Examples
    --------
    >>> import softclust
    >>> softclust.dissimilarity_accounted_for([0, 0, 1], [[0, 1, 4], [1, 0, 4], [4, 4, 0]])
    0.8
    """
    clustering = as_clustering(x.x if isinstance(x, Joint) else x, name="x")
    n = clustering.n_objects
    membership = clustering.memberships()
    values = _dissimilarities(distances_between(d, clustering.matched_names, called=("x", "d"))
                              if np.shape(d) == (n, n) else d, n)
    if values.ndim == 2:
        total = float(values.sum())
        within = sum(float((membership[a:a + _ROWS] * (values[a:a + _ROWS] @ membership)).sum())
                     for a in range(0, n, _ROWS))
    else:
        total, within, first = 2.0 * float(values.sum()), 0.0, 0
        for i in range(n - 1):
            row = values[first:first + n - 1 - i]
            within += 2.0 * float(membership[i] @ (row @ membership[i + 1:]))
            first += n - 1 - i
    if total == 0.0:
        return warn_undefined("dissimilarity_accounted_for", "all dissimilarities are 0 (0/0)")
    weight = float((membership.sum(axis=0) ** 2).sum())
    return 1.0 - (within / weight) / (total / n**2)


def _dissimilarities(d: Any, n: int) -> np.ndarray:
    """The checked matrix or pairs."""
    try:
        values = np.asarray(d, dtype=np.float64)
    except (TypeError, ValueError):
        raise ClusteringError(f"d cannot be read as numbers; a matrix ({n}, {n}) or "
                              f"{n * (n - 1) // 2} pairs are needed") from None
    if n < 2 or values.shape not in ((n, n), (n * (n - 1) // 2,)):
        raise ClusteringError(f"d has shape {values.shape} for {n} objects; a matrix ({n}, {n}) "
                              f"or {n * (n - 1) // 2} pairs of at least 2 objects are needed")
    if not (np.isfinite(values) & (values >= 0.0)).all():
        raise ClusteringError("d has an entry that is negative, nan or infinite; dissimilarities "
                              ">= 0 are needed")
    if values.ndim == 2:
        if values.diagonal().any():
            raise ClusteringError("d has a diagonal entry that is not 0; an object is at "
                                  "dissimilarity 0 from itself (give 1 - s for similarities s)")
        gaps = (abs(values[a:a + _ROWS] - values[:, a:a + _ROWS].T).max()
                for a in range(0, n, _ROWS))
        if max(gaps) > SYMMETRY_TOLERANCE * values.max():
            raise ClusteringError("d is not symmetric; (d + d.T) / 2 makes it so")
    return values
