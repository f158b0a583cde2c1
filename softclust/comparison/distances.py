"""The entries of a matrix of comparisons as dissimilarities, for dendrograms and circles."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .._checks import ClusteringError
from ..measures import get_measure

if TYPE_CHECKING:
    from .matrix import ComparisonMatrix

#: rounding allowed on the diagonal of what is scaled
ROUNDING = 1e-9


def middles(matrix: ComparisonMatrix) -> np.ndarray:
    """Dissimilarities between rows, (n, n), symmetric with a zero diagonal."""
    middle = (matrix.lower + matrix.upper) / 2
    middle = (middle + middle.T) / 2
    if np.isnan(middle).any():
        i, j = (int(k) for k in np.argwhere(np.isnan(middle))[0])
        raise ClusteringError(f"{matrix.label} is undefined for {matrix.names[i]!r} and "
                              f"{matrix.names[j]!r}; a dendrogram needs every entry: leave one of "
                              "them out, or give the order as names")
    if matrix.sense == "agreement":
        middle = middle.max() - middle
    np.fill_diagonal(middle, 0.0)
    return np.maximum(middle, 0.0)


def dissimilarities(matrix: ComparisonMatrix) -> tuple[np.ndarray, np.ndarray]:
    """Bounds for the scaling; what differs from a zero diagonal by rounding becomes zero."""
    m = get_measure(matrix.measure)
    if not matrix.symmetric:
        raise ClusteringError(f"{matrix.label} is not symmetric; circles need a symmetric measure, "
                              "such as 'alpha_rand_interval'")
    lower, upper = np.array(matrix.lower), np.array(matrix.upper)
    if np.isnan(lower).any():
        i, j = (int(k) for k in np.argwhere(np.isnan(lower))[0])
        raise ClusteringError(f"{matrix.label} is undefined for {matrix.names[i]!r} and "
                              f"{matrix.names[j]!r}; leave one of them out")
    if matrix.sense == "agreement":
        if callable(m.bounds) or m.bounds[1] != 1.0:
            raise ClusteringError(f"{matrix.label} is an agreement whose best value is not 1; "
                                  "circles need one that is, or a dissimilarity")
        lower, upper = 1.0 - upper, 1.0 - lower
    own = np.maximum(np.abs(np.diagonal(lower)), np.abs(np.diagonal(upper)))
    if own.max() > ROUNDING:
        k = int(own.argmax())
        raise ClusteringError(f"{matrix.label} finds {matrix.names[k]!r} different from itself "
                              f"({matrix.text(k, k)}); circles need a measure that does not")
    np.fill_diagonal(lower, 0.0)
    np.fill_diagonal(upper, 0.0)
    return lower, upper
