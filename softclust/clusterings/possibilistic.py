"""Possibilistic clusterings: typicalities between 0 and 1."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ._base import _METHODS, Clustering
from .arrays import check_range, float_matrix, matrix_names

if TYPE_CHECKING:
    from .cover import CoverClustering


class PossibilisticClustering(Clustering):
    """Typicalities: how possible each cluster is for each object.

    Parameters
    ----------
    typicality : array-like, shape (n, c)
        Entries in [0, 1]; no condition on rows. Where the largest entry of a row is below 1,
        the missing part is mass on the empty set (a zero row: the object fits no cluster).
    object_names, cluster_names : sequence, optional
        Distinct names; a DataFrame gives its index and columns.

    Raises
    ------
    ClusteringError
        If an entry is not finite or outside [0, 1].

    Notes
    -----
    As masses: with p_1 >= ... >= p_c the sorted typicalities of an object and p_(c+1) = 0, mass
    p_r - p_(r+1) on the set of the first r clusters and 1 - p_1 on the empty set. Memory n c
    float64.

    Examples
    --------
    >>> import softclust as sc
    >>> sc.PossibilisticClustering([[1.0, 0.3], [0.2, 0.1]])
    PossibilisticClustering(n_objects=2, n_clusters=2)
    """

    __slots__ = ("_typicality",)
    _typicality: np.ndarray
    kind = "possibilistic"
    _fields = ("_typicality",)

    def __init__(self, typicality: Any, *, object_names: Sequence[Any] | None = None,
                 cluster_names: Sequence[Any] | None = None) -> None:
        matrix = float_matrix(typicality, "typicality")
        check_range(matrix, "typicality", 0.0, 1.0)
        self._set(_typicality=matrix)
        self._set_names(*matrix_names(typicality, object_names, cluster_names))

    @property
    def n_objects(self) -> int:
        return int(self._typicality.shape[0])

    @property
    def n_clusters(self) -> int:
        return int(self._typicality.shape[1])

    @property
    def typicality(self) -> np.ndarray:
        """Typicalities pi_ik, (n, c) float64 in [0, 1]."""
        return self._typicality

    def to_cover(self, *, threshold: float) -> CoverClustering:
        """The cover of clusters in which the typicality is at least a threshold.

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
        >>> x = sc.PossibilisticClustering([[0.9, 0.6], [0.8, 0.1]])
        >>> x.to_cover(threshold=0.5).clusters
        (array([0, 1]), array([0]))
        """
        return _METHODS["to_cover"](self, threshold)
