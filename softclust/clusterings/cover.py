"""Covers: each object belongs to all clusters of a set, which may be empty."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, NoReturn

import numpy as np

from .._checks import ClusteringError, check_choice, check_whole
from ..results.text import part
from ._base import KINDS, Clustering
from ._clusters import in_order, read_cover, read_labels
from .arrays import NUMBERED, boolean_matrix
from .fuzzy import FuzzyClustering
from .incidence import coded_rows, entries_of_rows, transposed
from .labels import by_appearance

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from .._types import ArrayLike, Sparse
    from .hard import HardClustering

#: largest matrix of memberships that a conversion makes
MAX_BYTES = 2**31


class CoverClustering(Clustering):
    """Overlapping clusters: each object belongs to all clusters of a set, which may be empty.

    Parameters
    ----------
    membership : array-like or scipy sparse, bool or 0/1, shape (n, c)
        Entry (i, k) says whether object i is in cluster k. Objects in no cluster, empty clusters
        and equal clusters are allowed. Sparse matrices are never made dense.
    object_names, cluster_names : sequence, optional
        Distinct names; a DataFrame gives its index and columns.

    Raises
    ------
    ClusteringError
        If `membership` has no objects, or an entry other than 0 and 1.

    Notes
    -----
    Communities and tags are covers: "belongs to all of these". A `RoughClustering` says "belongs to
    one of these, and which is not known". A cover does not describe one unknown label, so it has no
    masses; `to_fuzzy` and `patterns` convert it to other kinds. Memory O(n + c + memberships).

    ``to_frame()``: one row per object. One boolean column per cluster; `as_clustering` with
    ``kind="cover"`` makes the clustering of it again.

    Examples
    --------
    >>> import softclust
    >>> x = softclust.CoverClustering([[1, 0], [1, 1], [0, 1], [0, 0]])
    >>> x.sizes, x.multiplicity, x.uncovered
    (array([2, 2]), array([1, 2, 1, 0]), array([3]))
    """

    __slots__ = ("_columns", "_n_clusters", "_starts")
    #: clusters of object i, ascending: _columns[_starts[i]:_starts[i + 1]]
    _starts: np.ndarray
    _columns: np.ndarray
    _n_clusters: int
    kind = "cover"
    _fields = ("_starts", "_columns", "_n_clusters")

    def __init__(self, membership: ArrayLike | Sparse, *,
                 object_names: Collection[Any] | None = None,
                 cluster_names: Collection[Any] | None = None) -> None:
        if type(membership).__module__.startswith("scipy.sparse"):
            sparse: Any = membership
            if len(sparse.shape) != 2 or not sparse.shape[0]:
                raise ClusteringError(f"membership has shape {sparse.shape}; (objects, clusters) "
                                      "with at least one object is needed")
            rows = sparse.tocsr(copy=True)
            rows.sum_duplicates()
            rows.eliminate_zeros()
            wrong = rows.data != 1
            if wrong.any():
                raise ClusteringError(f"membership has the entry {rows.data[wrong][0]:g}; "
                                      "True/False or 0/1 entries are needed")
            rows.sort_indices()
            starts, columns = rows.indptr.astype(np.int64), rows.indices.astype(np.int64)
            count = sparse.shape[1]
        else:
            shape: tuple[int, ...] = getattr(membership, "shape", ())
            # A cover may have no cluster.
            matrix = (np.zeros(shape, dtype=np.bool_) if len(shape) == 2 and shape[0] and not
                      shape[1] else boolean_matrix(membership, "membership"))
            count = matrix.shape[1]
            starts = np.concatenate([[0], np.cumsum(matrix.sum(axis=1))]).astype(np.int64)
            columns = np.nonzero(matrix)[1].astype(np.int64)
        self._fill((object_names, cluster_names), membership, _starts=starts,
                   _columns=columns, _n_clusters=int(count))

    @classmethod
    def _of_parts(cls, *parts: Any) -> CoverClustering:
        starts, columns, count, objects, clusters = parts
        rises = np.diff(columns) > 0
        rises[starts[1:-1][(starts[1:-1] > 0) & (starts[1:-1] < columns.size)] - 1] = True
        if starts.dtype.kind + columns.dtype.kind != "ii" or starts[0] or (
                np.diff(starts) < 0).any() or starts[-1] != columns.size or not rises.all() or (
                columns < 0).any() or (columns >= count).any() or starts.size < 2:
            raise ClusteringError("the objects of a stored cover and their clusters do not fit")
        return cls.of_entries(np.repeat(np.arange(starts.size - 1), np.diff(starts)), columns,
                              starts.size - 1, int(count), object_names=objects,
                              cluster_names=clusters)

    @classmethod
    def of_entries(cls, objects: np.ndarray, clusters: np.ndarray, n_objects: int,
                   n_clusters: int, *, object_names: Collection[Any] | None = None,
                   cluster_names: Collection[Any] | None = None) -> CoverClustering:
        """Make a cover of distinct pairs (object, cluster), without checks."""
        order = np.lexsort((clusters, objects))
        counts = np.bincount(objects, minlength=n_objects)
        new = object.__new__(cls)
        new._fill((object_names, cluster_names), _n_clusters=int(n_clusters),
                  _starts=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
                  _columns=np.ascontiguousarray(clusters[order], dtype=np.int64))
        return new

    @classmethod
    def from_clusters(cls, clusters: Mapping[Any, Iterable[Any]] | Iterable[Iterable[Any]], *,
                      n_objects: int | None = None, objects: Collection[Any] | None = None
                      ) -> CoverClustering:
        """Make a cover from its clusters, each given by its objects.

        Parameters
        ----------
        clusters : iterable of iterables, or mapping
            The objects of each cluster; a mapping names the clusters. Communities of networkx
            are such sets, those of cdlib its ``.communities``, and a cover of igraph is
            ``from_clusters(list(cover), n_objects=cover.n)``.
        n_objects : int, optional
            Objects are 0, ..., n_objects - 1.
        objects : sequence, optional
            The objects in order, which become their names. By default the objects are those of the
            clusters, sorted (in order of first appearance if they cannot be sorted), and become
            names: objects in no cluster are then missing.

        Returns
        -------
        CoverClustering

        Raises
        ------
        ClusteringError
            If an object is not among `objects` or 0, ..., n_objects - 1, is in a cluster twice,
            or there are no objects. Also if the sets look like the labels of each object (more
            sets than elements, empty or equal sets of texts) and neither `n_objects` nor `objects`
            says what the objects are.
        TypeError
            If both `n_objects` and `objects` are given.

        See Also
        --------
        from_labels : From the labels of each object.

        Examples
        --------
        >>> import softclust
        >>> x = softclust.CoverClustering.from_clusters([{"a", "b"}, {"b", "c"}], objects="abcd")
        >>> x.sizes, x.uncovered
        (array([2, 2]), array([3]))
        """
        where, which, n, count, names, called = read_cover(clusters, n_objects, objects)
        return cls.of_entries(where, which, n, count, object_names=names, cluster_names=called)

    @classmethod
    def from_labels(cls, labels: Iterable[Any] | Mapping[Any, Any], *, separator: str | None = None,
                    object_names: Collection[Any] | None = None) -> CoverClustering:
        """Make a cover from the labels of each object, such as the codes of a text.

        Parameters
        ----------
        labels : iterable or mapping
            For each object a set or list of labels, in a list, an array or a Series; a mapping
            from objects to their labels names the objects, as the index of a Series does. An
            object with an empty set is in no cluster. One whose labels are missing (None, nan,
            NA) is absent; the others keep their names, or their numbers 0, ..., n - 1, by which
            ``objects="common"`` matches them.
        separator : str, optional
            Split text at this: with ";" the labels of ``"a; b"`` are "a" and "b". Blanks around
            labels and empty parts do not count.
        object_names : sequence, optional
            Distinct names of the objects.

        Returns
        -------
        CoverClustering
            One cluster for each label, named by it; sorted, in order of first appearance if labels
            cannot be sorted.

        Raises
        ------
        ClusteringError
            If `labels` is text without `separator`, or has something else than collections of
            labels, an object has a label twice or one that is missing, or no object is left.

        See Also
        --------
        from_clusters : From the objects of each cluster.

        Examples
        --------
        >>> import softclust
        >>> x = softclust.CoverClustering.from_labels([{"joy"}, {"joy", "fear"}, set(), None])
        >>> x.cluster_names, x.sizes, x.uncovered, x.object_names
        (('fear', 'joy'), array([1, 2]), array([2]), (0, 1, 2))
        >>> softclust.CoverClustering.from_labels({"t1": "a; b", "t2": "b"}, separator=";").sizes
        array([1, 2])
        """
        known, missing, names = read_labels(labels, separator, object_names)
        if missing.any():
            if names is None or names is NUMBERED:
                names = range(missing.shape[0])
            names = [name for name, gone in zip(names, missing.tolist()) if not gone]
        return cls._of_labels(known, names)

    @classmethod
    def _of_labels(cls, labels: list[list[Any]], names: Collection[Any] | None) -> CoverClustering:
        """A cover from the distinct labels of each object."""
        called = in_order(dict.fromkeys(label for each in labels for label in each))
        place = {label: k for k, label in enumerate(called)}
        return cls.of_entries(
            np.repeat(np.arange(len(labels)), [len(each) for each in labels]),
            np.array([place[label] for each in labels for label in each], dtype=np.int64),
            len(labels), len(called), object_names=names, cluster_names=called)

    # -- contents -----------------------------------------------------------------------------
    @property
    def n_objects(self) -> int:
        return int(self._starts.shape[0]) - 1

    @property
    def n_clusters(self) -> int:
        return self._n_clusters

    @property
    def by_object(self) -> tuple[np.ndarray, np.ndarray]:
        """Starts (n + 1,) and clusters: those of object i from starts[i] to starts[i + 1]."""
        return self._starts, self._columns

    @property
    def by_cluster(self) -> tuple[np.ndarray, np.ndarray]:
        """Starts (c + 1,) and objects: those of cluster k from starts[k] to starts[k + 1]."""
        if "by cluster" not in self._cache:
            lists = transposed(self._starts, self._columns, self._n_clusters)
            for array in lists:
                array.setflags(write=False)
            self._cache["by cluster"] = lists
        return self._cache["by cluster"]

    @property
    def membership(self) -> csr_array:
        """Memberships, (n, c) bool, as a scipy sparse array."""
        from scipy.sparse import csr_array
        data = np.ones(self._columns.shape[0], dtype=np.bool_)
        return csr_array((data, self._columns.copy(), self._starts.copy()),
                         shape=(self.n_objects, self.n_clusters))

    @property
    def clusters(self) -> tuple[np.ndarray, ...]:
        """Objects of each cluster, ascending."""
        starts, objects = self.by_cluster
        return tuple(objects[a:b] for a, b in zip(starts[:-1].tolist(), starts[1:].tolist()))

    @property
    def sizes(self) -> np.ndarray:
        """Number of objects in each cluster, (c,) int64."""
        return np.bincount(self._columns, minlength=self.n_clusters).astype(np.int64)

    @property
    def multiplicity(self) -> np.ndarray:
        """Number of clusters of each object, (n,) int64."""
        return np.diff(self._starts)

    @property
    def uncovered(self) -> np.ndarray:
        """Objects in no cluster, ascending."""
        return np.flatnonzero(self.multiplicity == 0)

    def _taken(self, rows: np.ndarray) -> dict[str, Any]:
        starts, entries = entries_of_rows(self._starts, rows)
        return {"_starts": starts, "_columns": self._columns[entries],
                "_n_clusters": self._n_clusters}

    def occurring(self) -> CoverClustering:
        return self if self.sizes.all() else self.drop_small(1)

    # -- other clusterings and tables ---------------------------------------------------------
    def drop_small(self, size: int = 2) -> CoverClustering:
        """The cover without its clusters of fewer than `size` objects.

        Parameters
        ----------
        size : int, optional
            The default drops empty clusters and those of one object, as coreference scorers do with
            mentions that nothing refers to.

        Returns
        -------
        CoverClustering
            Of the same objects; those of dropped clusters may now be in no cluster.

        Examples
        --------
        >>> import softclust
        >>> x = softclust.CoverClustering.from_clusters([{0, 1}, {2}], n_objects=4)
        >>> x.drop_small().sizes, x.drop_small().uncovered
        (array([2]), array([2, 3]))
        """
        large = np.flatnonzero(self.sizes >= check_whole("size", size, 0))
        rank = np.full(self.n_clusters, -1)
        rank[large] = np.arange(large.size)
        clusters = rank[self._columns]
        objects = np.repeat(np.arange(self.n_objects), self.multiplicity)
        inside = clusters >= 0
        return CoverClustering.of_entries(
            objects[inside], clusters[inside], self.n_objects, large.size,
            object_names=self.naming,
            cluster_names=[self.cluster_names[k] for k in large.tolist()])

    def patterns(self) -> HardClustering:
        """The hard clustering of objects that are in the same clusters.

        Returns
        -------
        HardClustering
            Clusters numbered by first appearance; objects in no cluster are one of them.

        Examples
        --------
        >>> import softclust
        >>> softclust.CoverClustering([[1, 0], [1, 1], [1, 0], [0, 0]]).patterns().labels
        array([0, 1, 0, 2])
        """
        codes = by_appearance(coded_rows(self._starts, self._columns, self._n_clusters))
        return KINDS.hard(codes, n_clusters=int(codes.max()) + 1, object_names=self.naming)

    def overlaps(self, other: CoverClustering | HardClustering) -> csr_array:
        """Numbers of objects that each cluster shares with each cluster of another clustering.

        Parameters
        ----------
        other : CoverClustering or HardClustering
            Of the same objects.

        Returns
        -------
        scipy.sparse.csr_array, shape (c, c'), int64
            `match_table` takes it.

        Raises
        ------
        ClusteringError
            If `other` is of another kind, or the objects differ.

        Notes
        -----
        Time O(sum over objects of the products of their multiplicities).

        Examples
        --------
        >>> import softclust
        >>> x = softclust.CoverClustering([[1, 0], [1, 1], [0, 1]])
        >>> x.overlaps(x).toarray()
        array([[2, 1],
               [1, 2]])
        """
        from .objects import check_object_names
        if getattr(other, "kind", None) not in ("hard", "cover"):
            kind = getattr(other, "kind", type(other).__name__)
            raise ClusteringError(f"other is {kind}; a cover or a hard clustering is needed: "
                                  ".to_cover(threshold=...) makes one of memberships")
        y = other.to_cover()
        if y.n_objects != self.n_objects:
            raise ClusteringError(f"other has {y.n_objects} objects and this cover has "
                                  f"{self.n_objects}; the same objects are needed")
        check_object_names([("the cover", self), ("other", other)])
        return (self.membership.astype(np.int64).T @ y.membership.astype(np.int64)).tocsr()

    def to_fuzzy(self, rule: Literal["shares"] = "shares"  # type: ignore[override]
                 ) -> FuzzyClustering:
        """Memberships that divide each object evenly among its clusters.

        Parameters
        ----------
        rule : {"shares"}
            1/(number of clusters of the object) for each of them.

        Returns
        -------
        FuzzyClustering

        Raises
        ------
        ClusteringError
            If an object is in no cluster.

        Examples
        --------
        >>> import softclust
        >>> softclust.CoverClustering([[1, 1], [0, 1]]).to_fuzzy().membership
        array([[0.5, 0.5],
               [0. , 1. ]])
        """
        if rule in ("pignistic", "plausibility"):
            self._masses()
        check_choice("rule", rule, ["shares"])
        alone = self.uncovered
        if alone.size:
            raise ClusteringError(
                f"{self._called(int(alone[0]))} is in no cluster ({alone.size} such), so it has "
                "no shares; drop such objects with .subset(cover.multiplicity > 0), or add a "
                "cluster for them")
        n, c = self.n_objects, self.n_clusters
        if 8 * n * c > MAX_BYTES:
            raise ClusteringError(f"memberships of {n} objects in {c} clusters take "
                                  f"{8 * n * c / 2**30:.3g} GiB; at most {MAX_BYTES / 2**30:.3g} "
                                  "GiB are made: take fewer objects by .subset(...)")
        shares = np.zeros((n, c))
        many = self.multiplicity
        shares[np.repeat(np.arange(n), many), self._columns] = np.repeat(1.0 / many, many)
        return self._derive(KINDS.fuzzy, _membership=shares)

    def _called(self, i: int) -> str:
        return f"object {i if self._object_names is None else self._object_names[i]!r}"

    def to_cover(self) -> CoverClustering:
        """Return this cover."""
        return self

    def certainty(self) -> tuple[float, float, float]:
        return math.nan, math.nan, math.nan

    @property
    def sentence(self) -> str:
        many, n = self.multiplicity, self.n_objects
        return (f"In several clusters: {part(int((many > 1).sum()), n)}; in none: "
                f"{part(int((many == 0).sum()), n)}.")

    def _summary_rows(self) -> tuple[list[list[str]], list[str]]:
        from ..results.text import number
        many = self.multiplicity
        return [["objects in no cluster", str(int((many == 0).sum()))],
                ["objects in several clusters", str(int((many > 1).sum()))],
                ["mean number of clusters of an object", number(float(many.mean()))]], []

    def _size_texts(self) -> list[str]:
        return [str(int(size)) for size in self.sizes]

    def _values(self) -> np.ndarray:
        if self.n_objects * self.n_clusters > MAX_BYTES:
            raise ClusteringError(f"a frame of {self.n_objects} objects by {self.n_clusters} "
                                  f"clusters takes more than {MAX_BYTES / 2**30:.3g} GiB; "
                                  ".membership is sparse, .clusters lists the objects of each "
                                  "cluster")
        return np.asarray(self.membership.toarray())

    def equality_key(self) -> tuple[str, int, bytes]:
        parts = sorted(part.tobytes() for part in self.clusters if part.size)
        return self.kind, len(parts), b"".join(len(part).to_bytes(8, "little") + part
                                               for part in parts)

    # -- what a cover does not have -----------------------------------------------------------
    def _masses(self) -> NoReturn:
        raise ClusteringError(
            "a cover has no masses: its objects belong to all of their clusters, not to one that "
            'is unknown. .to_fuzzy(rule="shares") divides each object among its clusters, '
            ".patterns() is the hard clustering of objects in the same clusters")

    def relation(self) -> NoReturn:
        """Raise ClusteringError: a cover has no masses."""
        self._masses()


KINDS.cover = CoverClustering
