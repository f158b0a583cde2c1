"""Fuzzy clusterings: memberships that sum to 1."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ._base import _METHODS, Clustering
from .arrays import check_range, check_row_sums, float_matrix, matrix_names

if TYPE_CHECKING:
    from .cover import CoverClustering


class FuzzyClustering(Clustering):
    """A fuzzy (probabilistic) partition.

    Parameters
    ----------
    membership : array-like, shape (n, c)
        Entries >= 0, every row summing to 1 within 1e-8. Sparse matrices are made dense.
    object_names, cluster_names : sequence, optional
        Distinct names; a DataFrame gives its index and columns.

    Raises
    ------
    ClusteringError
        If an entry is negative or not finite, or a row does not sum to 1 (the message says
        which and its sum). Rows are never rescaled.

    Notes
    -----
    As masses: m_i({k}) = u_ik. Memory n c float64. R: ``clue::as.cl_partition(membership)``.

    Examples
    --------
    >>> import softclust as sc
    >>> sc.FuzzyClustering([[0.9, 0.1], [0.4, 0.6]])
    FuzzyClustering(n_objects=2, n_clusters=2)
    """

    __slots__ = ("_membership",)
    _membership: np.ndarray
    kind = "fuzzy"
    _fields = ("_membership",)

    def __init__(self, membership: Any, *, object_names: Sequence[Any] | None = None,
                 cluster_names: Sequence[Any] | None = None) -> None:
        matrix = float_matrix(membership, "membership")
        check_range(matrix, "membership", 0.0, None)
        check_row_sums(matrix, "membership",
                       "divide the rows by their sums yourself if that is meant, or use "
                       "PossibilisticClustering for typicalities", given=membership)
        self._set(_membership=matrix)
        self._set_names(*matrix_names(membership, object_names, cluster_names))

    @property
    def n_objects(self) -> int:
        return int(self._membership.shape[0])

    @property
    def n_clusters(self) -> int:
        return int(self._membership.shape[1])

    @property
    def membership(self) -> np.ndarray:
        """Memberships u_ik, (n, c) float64, rows summing to 1."""
        return self._membership

    def to_cover(self, *, threshold: float) -> CoverClustering:
        """The cover of clusters in which the membership is at least a threshold.

        Parameters
        ----------
        threshold : float
            Above 0 and up to 1. Objects below it everywhere are in no cluster.

        Returns
        -------
        CoverClustering

        Raises
        ------
        ClusteringError
            If `threshold` is no number above 0 and up to 1.

        Examples
        --------
        >>> import softclust as sc
        >>> x = sc.FuzzyClustering([[0.5, 0.5], [0.9, 0.1]])
        >>> x.to_cover(threshold=0.5).clusters
        (array([0, 1]), array([0]))
        """
        return _METHODS["to_cover"](self, threshold)
