"""Possibilistic clusterings: typicalities between 0 and 1."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

import numpy as np

from ..results.text import capital, part
from ._base import KINDS, Clustering
from .arrays import check_range, float_matrix
from .focal import (
    MassTable,
    best_sets,
    consonant,
    consonant_levels,
    is_whole,
    largest_over,
)

if TYPE_CHECKING:
    from .._types import ArrayLike
    from .cover import CoverClustering


class PossibilisticClustering(Clustering):
    """Possibilistic clustering: degrees in [0, 1] to which each cluster is possible for an object.

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

    ``to_frame()``: one row per object. One column of typicalities per cluster; `as_clustering`
    with ``kind="possibilistic"`` makes the clustering of it again.

    Examples
    --------
    >>> import softclust
    >>> softclust.PossibilisticClustering([[1.0, 0.3], [0.2, 0.1]])
    PossibilisticClustering(n_objects=2, n_clusters=2)
    """

    __slots__ = ("_typicality",)
    _typicality: np.ndarray
    kind = "possibilistic"
    _fields = ("_typicality",)

    def __init__(self, typicality: ArrayLike, *, object_names: Collection[Any] | None = None,
                 cluster_names: Collection[Any] | None = None) -> None:
        matrix = float_matrix(typicality, "typicality")
        check_range(matrix, "typicality", 1.0)
        self._fill((object_names, cluster_names), typicality, _typicality=matrix)

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
            If `threshold` is not a number above 0 and up to 1.

        Examples
        --------
        >>> import softclust
        >>> x = softclust.PossibilisticClustering([[0.9, 0.6], [0.8, 0.1]])
        >>> x.to_cover(threshold=0.5).clusters
        (array([0, 1]), array([0]))
        """
        return self._thresholded(self.typicality, threshold)

    @property
    def is_logical(self) -> bool:
        return is_whole(self._typicality)

    def _masses(self) -> MassTable:
        return consonant(self._typicality)

    @property
    def empty_mass(self) -> np.ndarray:
        return 1.0 - self._typicality.max(axis=1)

    def _all_on_empty(self) -> np.ndarray:
        return np.asarray(self._typicality.max(axis=1) == 0.0)

    def _entries(self) -> tuple[np.ndarray, np.ndarray]:
        order, levels = consonant_levels(self._typicality)
        nested = np.bitwise_or.accumulate(np.uint64(1) << order.astype(np.uint64), axis=1)
        none = np.zeros((self.n_objects, 1), dtype=np.uint64)
        return np.hstack([none, nested]), np.hstack([self.empty_mass[:, None], levels])

    def _belief(self, sets: np.ndarray) -> np.ndarray:
        return np.asarray(self._typicality.max(axis=1, keepdims=True)
                          - largest_over(self._typicality, ~sets))

    def _plausibility(self, sets: np.ndarray) -> np.ndarray:
        return largest_over(self._typicality, sets)

    def _shares(self) -> np.ndarray:
        order, levels = consonant_levels(self._typicality)
        shares = levels / np.arange(1, self.n_clusters + 1)
        result = np.empty_like(shares)
        np.put_along_axis(result, order, np.cumsum(shares[:, ::-1], axis=1)[:, ::-1], axis=1)
        return result

    def _likeliest_sets(self, on_empty: str, tie_tol: float) -> np.ndarray:
        order, levels = consonant_levels(self._typicality)
        size = best_sets(np.hstack([self.empty_mass[:, None], levels]), True, on_empty, tie_tol)
        size[size < 0] = self.n_clusters
        return np.asarray(np.argsort(order, axis=1) < size[:, None])

    def to_possibilistic(self) -> PossibilisticClustering:
        return self

    def _normalized(self, rule: str) -> PossibilisticClustering:
        largest = self._typicality.max(axis=1, keepdims=True)
        return self._derive(PossibilisticClustering, _typicality=(
            # the mass moved to all clusters lifts every plausibility
            np.minimum(self._typicality + (1.0 - largest), 1.0) if rule == "yager"
            else self._typicality / largest))

    @property
    def sentence(self) -> str:
        second = np.sort(self._typicality, axis=1)[:, -2:-1]
        both = int((second > 0.5).sum())
        return (f"{capital(part(both, self.n_objects))} {'has' if both == 1 else 'have'} a "
                "typicality above 0.5 for more than one cluster (0 to 1, for each cluster on its "
                "own).")

    def _values(self) -> np.ndarray:
        return self._typicality


KINDS.possibilistic = PossibilisticClustering
