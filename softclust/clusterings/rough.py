"""Rough clusterings: each object belongs to one of a set of clusters."""

from __future__ import annotations

from collections.abc import Collection
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from .._checks import ClusteringError, check_whole
from .._types import ArrayLike
from ._base import KINDS, Clustering
from .arrays import boolean_matrix
from .focal import MassTable, bit_masks, of_sets, sums_over

if TYPE_CHECKING:
    from .ensemble import Ensemble


class RoughClustering(Clustering):
    """Rough clustering: object i belongs to exactly one, unknown cluster of its set T_i.

    Parameters
    ----------
    lower, upper : array-like of bool or 0/1, shape (n, c)
        ``upper[i, k]``: cluster k is possible for object i (k in T_i); ``lower[i, k]``: it is
        certain, that is T_i = {k}. Every T_i has at least one cluster.
    object_names, cluster_names : sequence, optional
        Distinct names; a DataFrame `upper` gives its index and columns.

    Raises
    ------
    ClusteringError
        If the shapes differ, an upper row is empty, or `lower` is not exactly the singleton
        rows of `upper` (a freely chosen lower approximation has no meaning for pairs of
        objects: use `RoughClustering.from_upper`).

    Notes
    -----
    As masses: m_i(T_i) = 1. Memory 2 n c bytes.

    ``to_frame()``: one row per object. One boolean column per cluster, the upper approximation;
    `as_clustering` with ``kind="rough"`` makes the clustering of it again.

    Examples
    --------
    >>> import softclust
    >>> x = softclust.RoughClustering.from_upper([[True, False], [True, True]])
    >>> x.lower
    array([[ True, False],
           [False, False]])
    """

    __slots__ = ("_lower", "_upper")
    _lower: np.ndarray
    _upper: np.ndarray
    kind = "rough"
    _fields = ("_lower", "_upper")

    def __init__(self, lower: ArrayLike, upper: ArrayLike, *,
                 object_names: Collection[Any] | None = None,
                 cluster_names: Collection[Any] | None = None) -> None:
        low = boolean_matrix(lower, "lower")
        up = boolean_matrix(upper, "upper")
        if low.shape != up.shape:
            raise ClusteringError(f"lower has shape {low.shape} and upper {up.shape}; "
                                  "they must be equal")
        expected = _certain(up)
        if not np.array_equal(low, expected):
            i = int(np.flatnonzero((low != expected).any(axis=1))[0])
            raise ClusteringError(
                f"lower row {i} does not fit upper row {i}: lower is True exactly where upper "
                "has a single cluster; RoughClustering.from_upper(upper) derives it")
        self._fill((object_names, cluster_names), upper, _lower=low, _upper=up)

    @classmethod
    def from_upper(cls, upper: ArrayLike, *, object_names: Collection[Any] | None = None,
                   cluster_names: Collection[Any] | None = None) -> RoughClustering:
        """Make a rough clustering from only the upper approximation.

        Parameters
        ----------
        upper : array-like of bool or 0/1, shape (n, c)
            Row i marks the clusters possible for object i; none may be empty.
        object_names, cluster_names : sequence, optional
            As in the class.

        Examples
        --------
        >>> import softclust
        >>> softclust.RoughClustering.from_upper([[1, 0], [1, 1]]).n_clusters
        2
        """
        up = boolean_matrix(upper, "upper")
        new = object.__new__(cls)
        new._fill((object_names, cluster_names), upper, _lower=_certain(up), _upper=up)
        return new

    @property
    def lower(self) -> np.ndarray:
        """Certain memberships, (n, c) bool."""
        return self._lower

    @property
    def upper(self) -> np.ndarray:
        """Possible memberships T_i, (n, c) bool."""
        return self._upper

    @property
    def boundary(self) -> np.ndarray:
        """Possible but not certain memberships, (n, c) bool."""
        return self._upper & ~self._lower

    def compatible(self, max_clusterings: int = 10_000) -> Ensemble:
        """List the hard clusterings that are compatible with this one, C(R).

        Parameters
        ----------
        max_clusterings : int, optional
            The list is an error if it is longer.

        Returns
        -------
        Ensemble
            Every choice of one possible cluster for each object, the last object varying fastest;
            with all clusters of this clustering, also where one is empty.

        Raises
        ------
        ClusteringError
            If there are more than `max_clusterings`.

        Notes
        -----
        C(R) = {C : C(x) in R(x) for all x} of Campagner, Ciucci and Denoeux (2023), section 2.2:
        the product of the sizes of the sets. Time and memory O(n) for each.

        Examples
        --------
        >>> import softclust
        >>> x = softclust.RoughClustering.from_upper([[1, 0], [1, 1], [1, 1]])
        >>> [clustering.labels.tolist() for clustering in x.compatible()]
        [[0, 0, 0], [0, 0, 1], [0, 1, 0], [0, 1, 1]]
        """
        check_whole("max_clusterings", max_clusterings)
        count = prod(self._upper.sum(axis=1).tolist())
        if count > max_clusterings:
            raise ClusteringError(
                f"{count if count < 1e15 else 'more than 1e15'} hard clusterings are compatible, "
                f"and max_clusterings is {max_clusterings}; raise it, or take fewer objects by "
                "subset(...)")
        open_ = np.flatnonzero(~self._lower.any(axis=1))
        labels = np.tile(self._upper.argmax(axis=1).astype(np.min_scalar_type(self.n_clusters - 1)),
                         (count, 1))
        labels[:, open_] = list(product(*map(np.flatnonzero, self._upper[open_])))
        return KINDS.ensemble([self._derive(KINDS.hard, _codes=codes, _n_clusters=self.n_clusters)
                               for codes in labels])

    @property
    def is_logical(self) -> bool:
        return True

    def _masses(self) -> MassTable:
        return of_sets(self._upper)

    @property
    def empty_mass(self) -> np.ndarray:
        return np.zeros(self.n_objects)

    def _entries(self) -> tuple[np.ndarray, np.ndarray]:
        return bit_masks(self._upper)[:, None], np.ones((self.n_objects, 1))

    def _belief(self, sets: np.ndarray) -> np.ndarray:
        return (sums_over(self._upper, ~sets) == 0.0).astype(np.float64)

    def _plausibility(self, sets: np.ndarray) -> np.ndarray:
        return (sums_over(self._upper, sets) > 0.0).astype(np.float64)

    def _shares(self) -> np.ndarray:
        return np.asarray(self._upper / self._upper.sum(axis=1, keepdims=True))

    def _to_rough(self, rule: str, on_empty: str, tie_tol: float) -> RoughClustering:
        return self

    @property
    def sentence(self) -> str:
        n, several = self.n_objects, int((self._upper.sum(axis=1) > 1).sum())
        verdict = ("" if several < 2 else
                   " Few objects lie between clusters." if several < 0.05 * n else
                   " A fair number of objects lie between clusters." if several < 0.25 * n else
                   " Many objects lie between clusters, so the clusters are not well separated.")
        return f"{super().sentence}{verdict}"

    def _size_texts(self) -> list[str]:
        low, high = self.belief().sum(axis=0), self.plausibility().sum(axis=0)
        return [f"{int(a)}" if a == b else f"{int(a)} to {int(b)}" for a, b in zip(low, high)]

    def _values(self) -> np.ndarray:
        return self._upper


def _certain(upper: np.ndarray) -> np.ndarray:
    """The lower approximation that belongs to an upper one; ClusteringError for an empty row."""
    # Half the time of upper.sum(axis=1), which is slow over few columns.
    sizes = np.einsum("ij->i", upper.view(np.uint8), dtype=np.int64, casting="unsafe")
    if (sizes == 0).any():
        i = int(np.flatnonzero(sizes == 0)[0])
        raise ClusteringError(
            f"upper row {i} has no cluster; every object needs at least one: for an outlier "
            "use EvidentialClustering with mass on the empty set, for total ignorance all "
            "clusters")
    return np.asarray(upper & (sizes == 1)[:, None])


KINDS.rough = RoughClustering
