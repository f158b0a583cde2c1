"""Fuzzy clusterings: memberships that sum to 1."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

import numpy as np

from ..results.text import part, value
from ._base import KINDS, Clustering
from .arrays import check_range, check_row_sums, float_matrix
from .focal import MassTable, is_whole, sums_over, table

if TYPE_CHECKING:
    from .._types import ArrayLike
    from .cover import CoverClustering

#: largest membership below which the cluster of an object is doubtful
DOUBTFUL = 0.6


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
        If an entry is negative or not finite, or a row does not sum to 1 (the message gives the row
        and its sum). Rows are never rescaled.

    Notes
    -----
    As masses: m_i({k}) = u_ik. Memory n c float64. R: ``clue::as.cl_partition(membership)``.

    ``to_frame()``: one row per object. One column of memberships per cluster; `as_clustering`
    makes the clustering of it again.

    Examples
    --------
    >>> import softclust
    >>> softclust.FuzzyClustering([[0.9, 0.1], [0.4, 0.6]])
    FuzzyClustering(n_objects=2, n_clusters=2)
    """

    __slots__ = ("_membership",)
    _membership: np.ndarray
    kind = "fuzzy"
    _fields = ("_membership",)

    def __init__(self, membership: ArrayLike, *, object_names: Collection[Any] | None = None,
                 cluster_names: Collection[Any] | None = None) -> None:
        matrix = float_matrix(membership, "membership")
        check_range(matrix, "membership")
        check_row_sums(matrix, "membership",
                       "divide the rows by their sums yourself if that is meant, or use "
                       "PossibilisticClustering for typicalities", original=membership)
        self._fill((object_names, cluster_names), membership, _membership=matrix)

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
            If `threshold` is not a number above 0 and up to 1.

        Examples
        --------
        >>> import softclust
        >>> x = softclust.FuzzyClustering([[0.5, 0.5], [0.9, 0.1]])
        >>> x.to_cover(threshold=0.5).clusters
        (array([0, 1]), array([0]))
        """
        return self._thresholded(self.membership, threshold)

    @property
    def has_memberships(self) -> bool:
        return True

    def memberships(self, called: str = "x") -> np.ndarray:
        return self._membership

    @property
    def is_logical(self) -> bool:
        return is_whole(self._membership)

    def _masses(self) -> MassTable:
        return table(self._membership, None)

    @property
    def empty_mass(self) -> np.ndarray:
        return np.zeros(self.n_objects)

    def _listed(self) -> tuple[np.ndarray, np.ndarray]:
        return self._membership, np.eye(self.n_clusters, dtype=np.bool_)

    def _belief(self, sets: np.ndarray) -> np.ndarray:
        return sums_over(self._membership, sets)

    _plausibility = _belief

    def _to_fuzzy(self, rule: str) -> FuzzyClustering:
        return self

    def certainty(self) -> tuple[float, float, float]:
        return 1.0, 0.0, 0.0

    @property
    def sentence(self) -> str:
        largest, even = self._membership.max(axis=1), 1 / self.n_clusters
        mean, few = float(largest.mean()), int((largest < DOUBTFUL).sum())
        text = (f"The largest membership of an object is {value(mean)} on average "
                f"({value(even)} to 1; 1 is certain); it is below {DOUBTFUL} for "
                f"{part(few, self.n_objects)}.")
        if mean < even + 0.3 * (1 - even):
            text += (" Memberships are nearly even, so this clustering says little. Fuzzy c-means "
                     "does that in many dimensions or where clusters overlap.")
        return text

    def _summary_rows(self) -> tuple[list[list[str]], list[str]]:
        rows, notes = super()._summary_rows()
        return rows, notes[:1]

    def _size_texts(self) -> list[str]:
        return [f"{size:.2f}" for size in self.belief().sum(axis=0)]

    def _values(self) -> np.ndarray:
        return self._membership


KINDS.fuzzy = FuzzyClustering
