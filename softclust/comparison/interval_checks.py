"""Checks of matrices of interval dissimilarities; messages name the first offending pair."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._checks import ClusteringError

#: rounding allowed in symmetry, in zeros and in lower <= upper
ROUNDING = 1e-12


def _matrix(name: str, values: Any) -> np.ndarray:
    try:
        matrix = np.array(values, dtype=np.float64, order="C")
    except (TypeError, ValueError):
        raise ClusteringError(f"{name} cannot be read as a matrix of numbers") from None
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or not matrix.size:
        raise ClusteringError(f"{name} has shape {matrix.shape}; a square matrix (n, n) with "
                              "n >= 1 is needed")
    return matrix


def _refuse(bad: np.ndarray, text: str, *matrices: np.ndarray) -> None:
    """Raise with the first pair where `bad`; `text` has {pair} and one {} a matrix."""
    if bad.any():
        i, j = (int(k) for k in np.argwhere(bad)[0])
        raise ClusteringError(text.format(*(m[i, j] for m in matrices), pair=f"[{i}, {j}]"))


def _check_symmetric(name: str, matrix: np.ndarray) -> None:
    _refuse(~np.isfinite(matrix), name + "{pair} is {}; finite numbers are needed", matrix)
    _refuse(np.abs(matrix - matrix.T) > ROUNDING,
            name + "{pair} is {} but its mirror entry is {}; a symmetric matrix is needed",
            matrix, matrix.T)


def check_intervals(lower: Any, upper: Any) -> tuple[np.ndarray, np.ndarray]:
    """Both bounds as symmetric (n, n) arrays with 0 <= lower <= upper and zero diagonal."""
    low, high = _matrix("lower", lower), _matrix("upper", upper)
    if low.shape != high.shape:
        raise ClusteringError(f"lower has shape {low.shape} and upper {high.shape}; the same "
                              "things are needed in both")
    for name, matrix in (("lower", low), ("upper", high)):
        _check_symmetric(name, matrix)
        _refuse((np.abs(matrix) > ROUNDING) & np.eye(matrix.shape[0], dtype=bool),
                name + "{pair} is {}; a thing has dissimilarity 0 with itself", matrix)
    _refuse(low < -ROUNDING, "lower{pair} is {}; dissimilarities >= 0 are needed (for an "
            "agreement s give 1 - s)", low)
    _refuse(low > high + ROUNDING, "lower{pair} is {}, above upper{pair}, {}; exchange them", low,
            high)
    # What differs only by rounding is made equal, so that exact input gives exact radii.
    low, high = (np.triu(m, 1) + np.triu(m, 1).T for m in (low, high))
    low = np.maximum(low, 0.0)
    return low, np.maximum(low, high)


def check_weights(weights: Any, n: int) -> np.ndarray:
    """Weights of the pairs as a symmetric (n, n) array; ones when None."""
    if weights is None:
        return np.ones((n, n))
    w = _matrix("weights", weights)
    if w.shape != (n, n):
        raise ClusteringError(f"weights has shape {w.shape}; ({n}, {n}) is needed")
    _check_symmetric("weights", w)
    _refuse(w < 0.0, "weights{pair} is {}; weights >= 0 are needed", w)
    if n > 1 and not w[np.triu_indices(n, 1)].any():
        raise ClusteringError("weights is 0 for every pair; at least one must be positive")
    return w
