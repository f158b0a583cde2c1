"""Two independent tables of the same objects: data thinning.

Theory: docs/theory/cohorts.md.
"""

from __future__ import annotations

import numbers
from typing import Any, Literal

import numpy as np

from .._checks import ClusteringError, check_choice, frozen, shown
from .._types import RNG, ArrayLike
from ..clusterings.object_table import check_size
from ..running.random_numbers import as_generator

FAMILIES = ("poisson", "negative_binomial", "gaussian")


def thin(X: ArrayLike, family: Literal["poisson", "negative_binomial", "gaussian"] = "poisson", *,
         share: float = 0.5, size: float | ArrayLike | None = None,
         variance: float | ArrayLike | None = None, rng: RNG = None
         ) -> tuple[np.ndarray, np.ndarray]:
    r"""Split a table into two independent ones of the same objects, whose sum it is.

    Cluster the first and test the features of the second: they did not make the clusters.

    Parameters
    ----------
    X : array-like, shape (n, d)
        Whole numbers >= 0 for the counts, finite numbers for "gaussian".
    family : {"poisson", "negative_binomial", "gaussian"}
        Law of an entry, given its mean.
    share : float in (0, 1)
        Share of the information in the first table.
    size : float or array-like, shape (d,)
        "negative_binomial": r > 0, for variance = mean + mean^2 / r; one for all features or one
        for each.
    variance : float or array-like, shape (d,) or (d, d)
        "gaussian": variance of each feature, or their covariance matrix.
    rng : None, int or Generator, optional

    Returns
    -------
    first, second : ndarray, shape (n, d)
        int64 for counts, else float64; their sum is X.

    Raises
    ------
    ClusteringError
        If X does not suit the family.
    ValueError
        If an option is out of range, missing, or belongs to another family.

    See Also
    --------
    resampled_clusterings, cluster_test

    Notes
    -----
    .. math:: x = x^{(1)} + x^{(2)}, \quad x^{(1)} \text{ and } x^{(2)} \text{ independent}

    Given x, the first entry is binomial(x, share) ("poisson"), beta-binomial(x, share r, (1 -
    share) r) ("negative_binomial"), or share x + sqrt(share (1 - share) variance) z with a standard
    normal z ("gaussian"). The tables are independent if the family and its size or variance are
    right; else they stay correlated, and nothing in the data of one object shows it: look at the
    correlation of the two tables *within clusters*. Poisson thinning of counts that vary more than
    Poisson leaves tests that reject far too often.

    Theory: docs/theory/cohorts.md.

    References
    ----------
    A. Neufeld, A. Dharamshi, L. L. Gao, D. Witten (2024), Data thinning for convolution-closed
    distributions, Journal of Machine Learning Research 25 (57), 1-35.

    Examples
    --------
    >>> import numpy as np
    >>> import softclust
    >>> counts = np.random.default_rng(0).poisson(4, size=(100, 3))
    >>> first, second = softclust.thin(counts, rng=0)
    >>> bool((first + second == counts).all())
    True
    """
    check_choice("family", family, FAMILIES)
    if not isinstance(share, numbers.Real) or not 0.0 < float(share) < 1.0:
        raise ValueError(f"share is {shown(share)}; a number between 0 and 1 is needed")
    for name, value, owner in (("size", size, "negative_binomial"),
                               ("variance", variance, "gaussian")):
        if (value is None) == (family == owner):
            raise ValueError(f"{name} is needed for family={owner!r}" if value is None else
                             f"{name} belongs to family={owner!r}; {family!r} does not use it")
    x, generator, share = _table(X, counts=family != "gaussian"), as_generator(rng), float(share)
    if family == "gaussian":
        noise = generator.standard_normal(x.shape) @ _root(variance, x.shape[1])
        first = share * x + np.sqrt(share * (1.0 - share)) * noise
    elif family == "poisson":
        first = generator.binomial(x, share)
    else:
        r = _per_feature("size", size, x.shape[1])
        first = generator.binomial(x, generator.beta(share * r, (1.0 - share) * r, x.shape))
    return frozen(first), frozen(x - first)


def _table(X: Any, counts: bool) -> np.ndarray:
    try:
        x = np.asarray(X, dtype=np.float64)
    except (TypeError, ValueError):
        raise ClusteringError("X is not a table of numbers") from None
    if x.ndim != 2 or not x.size:
        raise ClusteringError(f"X has shape {x.shape}; (objects, features) is needed")
    if not np.isfinite(x).all():
        i, j = (int(v) for v in np.argwhere(~np.isfinite(x))[0])
        raise ClusteringError(f"X[{i}, {j}] is {x[i, j]}; finite numbers are needed")
    if not counts:
        check_size(x)
        return x
    wrong = (x < 0) | (x != np.trunc(x)) | (x >= 2.0**53)
    if wrong.any():
        i, j = (int(v) for v in np.argwhere(wrong)[0])
        raise ClusteringError(f"X[{i}, {j}] is {x[i, j]:g}; whole numbers >= 0 are needed: counts "
                              "that were normalised or transformed cannot be thinned")
    return x.astype(np.int64)


def _per_feature(name: str, value: Any, d: int) -> np.ndarray:
    try:
        values = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        values = np.full(d, np.nan)
    if values.shape not in ((), (d,)) or not (np.isfinite(values) & (values > 0)).all():
        raise ValueError(f"{name} is {shown(value)}; a number > 0, or one for each of {d} "
                         "features, is needed")
    return np.broadcast_to(values, (d,))


def _root(variance: Any, d: int) -> np.ndarray:
    """Matrix R with R' R the covariance, (d, d)."""
    values = np.asarray(variance, dtype=np.float64)
    if values.shape != (d, d) or d == 1:
        return np.diag(np.sqrt(_per_feature("variance", values.reshape(-1) if d == 1 else variance,
                                            d)))
    if not np.isfinite(values).all() or not np.allclose(values, values.T):
        raise ValueError("variance is a matrix that is not symmetric or not finite")
    try:
        return np.linalg.cholesky(values).T
    except np.linalg.LinAlgError:
        raise ValueError("variance is a matrix that is not positive definite") from None
