"""Hard clusterings: one label per object."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from ..results.records import Columns
from ..results.text import both, many, whole
from ._base import KINDS, Clustering
from ._clusters import read_clusters
from .arrays import NUMBERED, checked_names, frame_names
from .focal import MassTable, certain
from .labels import by_appearance, label_codes

if TYPE_CHECKING:
    from .._types import ArrayLike
    from .cover import CoverClustering

#: sizes of clusters that are listed in a sentence
LISTED = 15


class HardClustering(Clustering):
    """A partition: each object belongs to exactly one cluster.

    Parameters
    ----------
    labels : array-like, shape (n,)
        Integers, strings, booleans or categoricals, one per object and all of one type; no
        missing values. Distinct values become the clusters in sorted order (categoricals: in the
        order of their categories, unused ones left out). Any integer is a name like any other,
        -1 included. Whole floats are read as integers, as scikit-learn does.
    n_clusters : int, optional
        Declare that `labels` are codes 0, ..., n_clusters - 1; clusters may be empty.
    cluster_names, object_names : sequence, optional
        Distinct names. With `cluster_names` and without `n_clusters`, `labels` are codes into
        the names. A pandas Series gives its index as object names.

    Raises
    ------
    ClusteringError
        If `labels` is empty, not one-dimensional, mixed, has missing values or fractions, or is
        out of the declared range.

    Notes
    -----
    Time O(n) for integers, categoricals and strings (O(n log n) for integers with more than 65,536
    distinct values in a wide range). Labels are kept in the smallest unsigned type that holds them
    (1 byte per object up to 256 clusters); the int64 array `labels` is made at its first use. As
    masses: m_i({y_i}) = 1. R: ``clue::as.cl_hard_partition(labels + 1)``.

    ``to_frame()``: one row per object. One categorical column ``cluster``; `as_clustering`
    makes the clustering of the column again.

    Examples
    --------
    >>> import softclust
    >>> x = softclust.HardClustering(["b", "a", "b"])
    >>> x.labels, x.cluster_names
    (array([1, 0, 1]), ('a', 'b'))
    >>> softclust.HardClustering([0, 2, 2], n_clusters=4).n_clusters
    4
    """

    __slots__ = ("_codes", "_n_clusters")
    _codes: np.ndarray
    _n_clusters: int
    kind = "hard"
    _fields = ("_codes", "_n_clusters")

    def __init__(self, labels: ArrayLike, *, n_clusters: int | None = None,
                 cluster_names: Collection[Any] | None = None,
                 object_names: Collection[Any] | None = None) -> None:
        if n_clusters is None and cluster_names is not None:
            cluster_names = tuple(cluster_names)
            n_clusters = len(cluster_names)
        codes, count, names = label_codes(labels, n_clusters)
        if object_names is None and type(labels) not in (list, np.ndarray):
            object_names = frame_names(labels)[0]
        # Names that were found among the labels are distinct.
        self._set(_codes=codes, _n_clusters=count, _cache={}, _numbered=object_names is NUMBERED,
                  _cluster_names=names if cluster_names is None else checked_names(
                      cluster_names, count, "cluster"),
                  _object_names=None if object_names is None else checked_names(
                      object_names, codes.shape[0], "object"))

    @classmethod
    def _of_parts(cls, *parts: Any) -> Self:
        codes, count, objects, clusters = parts
        return cls(codes, n_clusters=int(count), object_names=objects, cluster_names=clusters)

    @classmethod
    def of_codes(cls, codes: np.ndarray, n_clusters: int, cluster_names: tuple[Any, ...] | None
                 ) -> HardClustering:
        """Make a partition of codes 0, ..., n_clusters - 1 of unsigned type, without checks."""
        new = object.__new__(cls)
        new._fill((None, cluster_names), _codes=codes, _n_clusters=n_clusters)
        return new

    @classmethod
    def from_clusters(cls, clusters: Mapping[Any, Iterable[Any]] | Iterable[Iterable[Any]], *,
                      n_objects: int | None = None, objects: Collection[Any] | None = None
                      ) -> HardClustering:
        """Make a partition from its clusters, each given by its objects.

        Parameters
        ----------
        clusters : iterable of iterables, or mapping
            The objects of each cluster; a mapping names the clusters. Empty clusters stay.
        n_objects : int, optional
            Objects are 0, ..., n_objects - 1.
        objects : sequence, optional
            The objects in order, which become their names. By default the objects are those of the
            clusters, sorted (in order of first appearance if they cannot be sorted), and become
            names: objects in no cluster are then missing.

        Returns
        -------
        HardClustering

        Raises
        ------
        ClusteringError
            If an object is in two clusters (`CoverClustering.from_clusters` takes those), in
            none, or not among `objects`.

        Notes
        -----
        Time and memory O(n).

        Examples
        --------
        >>> import softclust
        >>> x = softclust.HardClustering.from_clusters([{"a", "c"}, {"b"}])
        >>> x.labels, x.object_names
        (array([0, 1, 0]), ('a', 'b', 'c'))
        """
        labels, count, names, called = read_clusters(clusters, n_objects, objects)
        return cls(labels, n_clusters=count, cluster_names=called, object_names=names)

    @property
    def n_objects(self) -> int:
        return int(self._codes.shape[0])

    @property
    def n_clusters(self) -> int:
        return self._n_clusters

    @property
    def labels(self) -> np.ndarray:
        """Cluster of each object, (n,) int64 in 0, ..., c - 1: positions in `cluster_names`."""
        if "labels" not in self._cache:
            labels = self._codes.astype(np.int64)
            labels.setflags(write=False)
            self._cache["labels"] = labels
        return self._cache["labels"]

    @property
    def codes(self) -> np.ndarray:
        """The labels in the smallest unsigned integer type that holds them, (n,)."""
        return self._codes

    @property
    def sizes(self) -> np.ndarray:
        """Number of objects in each cluster, (c,) int64."""
        return np.bincount(self._codes, minlength=self.n_clusters).astype(np.int64)

    def _take(self, field: str, rows: np.ndarray) -> Any:
        return self._n_clusters if field == "_n_clusters" else self._codes[rows]

    def to_cover(self) -> CoverClustering:
        """Convert to a cover with the same clusters, where each object is in one.

        Returns
        -------
        CoverClustering

        Examples
        --------
        >>> import softclust
        >>> softclust.HardClustering([0, 1, 0]).to_cover().clusters
        (array([0, 2]), array([1]))
        """
        return self._derive(KINDS.cover, _starts=np.arange(self.n_objects + 1),
                            _columns=self.labels.copy(), _n_clusters=self.n_clusters)

    @property
    def membership(self) -> np.ndarray:
        """Memberships 0 and 1, (n, c) float64, made at each use."""
        return np.eye(self.n_clusters)[self._codes]

    @property
    def hard_codes(self) -> np.ndarray:
        return self._codes

    @property
    def by_object(self) -> tuple[np.ndarray, np.ndarray]:
        return np.arange(self.n_objects + 1), self.labels

    @property
    def has_memberships(self) -> bool:
        return True

    def memberships(self, called: str = "x") -> np.ndarray:
        return self.membership

    def as_hard(self, called: str = "x") -> HardClustering:
        return self

    def reordered(self, order: np.ndarray) -> HardClustering:
        place = np.empty(order.size, dtype=self._codes.dtype)
        place[order] = np.arange(order.size)
        new = self._derive(HardClustering, _codes=place[self._codes],
                           _n_clusters=self._n_clusters)
        return new._names_in(order)

    def _occurs(self) -> np.ndarray:
        return self.sizes > 0

    def _only(self, kept: np.ndarray) -> HardClustering:
        place = np.zeros(self._n_clusters, dtype=np.min_scalar_type(kept.size - 1))
        place[kept] = np.arange(kept.size)
        return self._derive(HardClustering, _codes=place[self._codes], _n_clusters=kept.size)

    @property
    def is_logical(self) -> bool:
        return True

    def _masses(self) -> MassTable:
        return certain(self._codes, None, self.n_clusters)

    @property
    def empty_mass(self) -> np.ndarray:
        return np.zeros(self.n_objects)

    def _listed(self) -> tuple[np.ndarray, np.ndarray]:
        return self.membership, np.eye(self.n_clusters, dtype=np.bool_)

    def _entries(self) -> tuple[np.ndarray, np.ndarray]:
        return ((np.uint64(1) << self._codes.astype(np.uint64))[:, None],
                np.ones((self.n_objects, 1)))

    def _belief(self, sets: np.ndarray) -> np.ndarray:
        return sets.T[self._codes].astype(np.float64)

    _plausibility = _belief

    def _shares(self) -> np.ndarray:
        return self.membership

    def _hardened(self, rule: str, tie_tol: float) -> HardClustering:
        return self

    def certainty(self) -> tuple[float, float, float]:
        return 1.0, 0.0, 0.0

    @property
    def sentence(self) -> str:
        sizes = self.sizes.tolist()
        least, most = min(sizes), max(sizes)
        told = (f"{many(most, 'object')}{' each' * (len(sizes) > 1)}" if least == most else
                f"{both(map(whole, sizes))} objects" if len(sizes) <= LISTED else
                f"{whole(least)} to {many(most, 'object')}")
        clusters = f"{len(sizes)} clusters have" if len(sizes) > 1 else "only cluster has"
        return f"The {clusters} {told}; nothing is said about uncertainty."

    def _summary_rows(self) -> tuple[list[list[str]], list[str]]:
        return [], []

    def _size_texts(self) -> list[str]:
        return [str(int(size)) for size in self.sizes]

    def _frame(self) -> Columns:
        import pandas as pd
        names = pd.Index(list(self.cluster_names), tupleize_cols=False)
        return Columns({"cluster": pd.Categorical.from_codes(self.labels, names)},
                       self._rows_named())

    def equality_key(self) -> tuple[str, int, bytes]:
        return self.kind, 0, by_appearance(self.labels).tobytes()


KINDS.hard = HardClustering
