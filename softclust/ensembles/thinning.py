"""Two independent tables of the same objects: data thinning.

Theory: docs/theory/cohorts.md.
"""

from __future__ import annotations

import math
import numbers
from typing import Any, Literal

import numpy as np
from scipy.sparse import csr_array, csr_matrix, issparse, sparray

from .._checks import ClusteringError, check_choice, frozen, shown
from .._types import RNG, ArrayLike, ClusteringLike, FrameLike, Sparse
from ..clusterings import as_clustering
from ..clusterings.object_table import check_size
from ..results.frames import columns_of, library
from ..running.random_numbers import as_generator

#: a size above which a negative binomial count is as good as Poisson
_POISSON = 1e6
FAMILIES = ("poisson", "negative_binomial", "gaussian")


def thin(X: ArrayLike | FrameLike | Sparse,
         family: Literal["poisson", "negative_binomial", "gaussian"] = "poisson", *,
         share: float = 0.5, size: float | ArrayLike | Literal["within"] | None = None,
         variance: float | ArrayLike | None = None, labels: ClusteringLike | None = None,
         rng: RNG = None) -> tuple[Any, Any]:
    r"""Split a table into two independent ones of the same objects, whose sum it is.

    Cluster the first and test the features of the second: they did not make the clusters.

    Parameters
    ----------
    X : array-like, data frame or sparse matrix, shape (n, d)
        Whole numbers >= 0 for the counts, finite numbers for "gaussian", which no sparse matrix
        can stay.
    family : {"poisson", "negative_binomial", "gaussian"}
        Law of an entry, given its mean.
    share : float in (0, 1)
        Share of the information in the first table.
    size : float, array-like, shape (d,), or "within"
        "negative_binomial": r > 0, for variance = mean + mean^2 / r; one for all features or one
        for each. "within" estimates it from the moments within the clusters of `labels`, and prints
        the correlation of the two tables within them, which is near 0 if it is right.
    variance : float or array-like, shape (d,) or (d, d)
        "gaussian": variance of each feature, or their covariance matrix.
    labels : clustering-like, optional
        Clusters of the objects from a first look at X, for ``size="within"``.
    rng : None, int or Generator, optional

    Returns
    -------
    first, second : ndarray, data frame or sparse array, shape (n, d)
        Of the kind of X, with its names; int64 for counts, else float64. Their sum is X.

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

    Moments over all objects take the differences between clusters for noise, so their size is too
    small and the tables are negatively correlated. Those within clusters k of n_k objects, with
    means m_k and variances v_k, give

    .. math:: 1/r = \frac{\sum_k (n_k - 1)(v_k - m_k)}{\sum_k (n_k - 1)(m_k^2 - v_k/n_k)}

    of each feature; where that is not positive, the feature is thinned as Poisson.

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
    if (labels is None) == (isinstance(size, str) and size == "within"):
        raise ValueError('size="within" needs labels=' if labels is None else
                         'labels= belongs to size="within"')
    generator, share = as_generator(rng), float(share)
    if issparse(X):
        if family == "gaussian":
            raise ClusteringError("gaussian thinning gives no zeros; give X.toarray() if it fits")
        sparse = csr_array(X)
        sparse.sum_duplicates()
        counts = (np.zeros(0, np.int64) if not sparse.nnz else
                  _table(sparse.data[:, None], counts=True)[:, 0])
        whole = csr_array((counts, sparse.indices, sparse.indptr), shape=sparse.shape)
        r = None if family == "poisson" else _sizes(size, whole, labels)[sparse.indices]
        drawn = _binomial(counts, share, r, generator)
        # scanpy takes matrices, and reads arrays of this kind wrongly.
        like = csr_array if isinstance(X, sparray) else csr_matrix
        first, second = (like((part, sparse.indices.copy(), sparse.indptr.copy()),
                              shape=sparse.shape) for part in (drawn, counts - drawn))
        if labels is not None:
            _print_correlation(first, second, labels)
        return first, second
    columns = columns_of(X)
    table = X if columns is None else np.column_stack([np.asarray(c) for _, c in columns])
    x = _table(table, counts=family != "gaussian")
    if family == "gaussian":
        noise = generator.standard_normal(x.shape) @ _root(variance, x.shape[1])
        first = share * x + np.sqrt(share * (1.0 - share)) * noise
    else:
        first = _binomial(x, share, None if family == "poisson" else _sizes(size, x, labels),
                          generator)
    if labels is not None:
        _print_correlation(first, x - first, labels)
    return _like(X, frozen(first), columns), _like(X, frozen(x - first), columns)


def _binomial(x: np.ndarray, share: float, r: np.ndarray | None, rng: np.random.Generator
              ) -> np.ndarray:
    """The first table of counts: binomial, or beta-binomial with sizes r."""
    if r is None:
        return np.asarray(rng.binomial(x, share), dtype=np.int64)
    return np.asarray(rng.binomial(x, rng.beta(share * r, (1.0 - share) * r, x.shape)), np.int64)


def _like(X: Any, table: np.ndarray, columns: Any) -> Any:
    """A table as a frame of the kind of X; itself where X is none."""
    if columns is None:
        return table
    if library(X) == "pandas":
        return type(X)(table, index=X.index, columns=X.columns)
    import narwhals.stable.v2 as nw
    frame = nw.from_native(X)
    return nw.from_dict({name: table[:, j] for j, (name, _) in enumerate(columns)},
                        backend=nw.get_native_namespace(frame)).to_native()


def _within(x: Any, labels: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Sizes of the clusters (k, 1), and sums of entries and of their squares, (k, d)."""
    codes = as_clustering(labels, name="labels").as_hard("labels").codes
    if codes.size != x.shape[0]:
        raise ClusteringError(f"labels has {codes.size} labels for {x.shape[0]} objects")
    k = int(codes.max()) + 1
    of = csr_array((np.ones(codes.size), (codes, np.arange(codes.size))), shape=(k, codes.size))
    both = [of @ x, of @ (x.multiply(x) if issparse(x) else np.square(x, dtype=np.float64))]
    sums, squares = (np.asarray(each.toarray() if issparse(each) else each) for each in both)
    return np.bincount(codes, minlength=k)[:, None].astype(np.float64), sums, squares


def _sizes(size: Any, x: Any, labels: Any) -> np.ndarray:
    """The size of each feature, (d,), as given or from the moments within clusters."""
    if labels is None:
        return _per_feature("size", size, x.shape[1])
    n, sums, squares = _within(x, labels)
    mean = sums / n
    variance = (squares - n * mean**2) / np.maximum(n - 1.0, 1.0)
    more = ((n - 1.0) * (variance - mean)).sum(axis=0)
    square = ((n - 1.0) * (mean**2 - variance / n)).sum(axis=0)
    known = (more > 0.0) & (square > 0.0)
    return np.where(known, np.minimum(_POISSON, square / np.where(known, more, 1.0)), _POISSON)


def _print_correlation(first: Any, second: Any, labels: Any) -> None:
    """Print the mean over features of the correlation of both tables within clusters."""
    (n, a, aa), (_, b, bb), (_, _, both) = (_within(x, labels) for x in (
        first, second, first + second))
    cov, va, vb = ((each - sums).sum(axis=0) for each, sums in (
        ((both - aa - bb) / 2, a * b / n), (aa, a * a / n), (bb, b * b / n)))
    known = (va > 0.0) & (vb > 0.0)
    mean = float((cov[known] / np.sqrt(va[known] * vb[known])).mean()) if known.any() else math.nan
    print(f"Correlation of the two tables within {n.size} clusters, mean of {known.sum()} "
          f"features: {mean:.3f} (near 0 if the size is right).")


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
                         "features, is needed"
                         + ("; or 'within', with labels" if name == "size" else ""))
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
