"""Evidential (credal) clusterings: masses on sets of clusters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from .._checks import ClusteringError
from ._base import Clustering
from .arrays import boolean_matrix, check_range, check_row_sums, float_matrix, matrix_names

MAX_CLUSTERS = 64


class EvidentialClustering(Clustering):
    """A credal partition: one mass function over sets of clusters per object.

    Parameters
    ----------
    mass : array-like, shape (n, f)
        Entries >= 0, every row summing to 1 within 1e-8.
    focal_sets : array-like of bool or 0/1, shape (f, c)
        Row b marks the clusters of set b, c <= 64. Rows are distinct; the empty set may occur
        once, as the first row, and carries the mass of "none of the clusters".
    object_names, cluster_names : sequence, optional
        Distinct names.

    Raises
    ------
    ClusteringError
        If shapes do not fit, a set occurs twice, the empty set is not first, an entry is
        negative or not finite, or a row does not sum to 1.

    Notes
    -----
    Nothing is normalised: mass on the empty set stays until `normalize` is called. Memory n f
    float64. R: a ``credpart`` of package evclust.

    Examples
    --------
    >>> import softclust as sc
    >>> x = sc.EvidentialClustering([[0.7, 0.3], [0.0, 1.0]], [[1, 0], [1, 1]])
    >>> x.n_clusters
    2
    """

    __slots__ = ("_focal_sets", "_mass")
    _focal_sets: np.ndarray
    _mass: np.ndarray
    kind = "evidential"
    _fields = ("_mass", "_focal_sets")

    def __init__(self, mass: Any, focal_sets: Any, *, object_names: Sequence[Any] | None = None,
                 cluster_names: Sequence[Any] | None = None) -> None:
        masses = float_matrix(mass, "mass", columns="focal sets")
        sets = boolean_matrix(focal_sets, "focal_sets")
        check_focal_sets(sets, masses.shape[1])
        check_range(masses, "mass", 0.0, None)
        check_row_sums(masses, "mass", "give the missing mass to the empty set (first focal set) "
                                       "or to all clusters, whichever is meant", given=mass)
        self._set(_mass=masses, _focal_sets=sets)
        names = matrix_names(mass, object_names, None)[0]
        columns = matrix_names(focal_sets, None, cluster_names)[1]
        self._set_names(names, columns)

    @classmethod
    def from_dicts(cls, rows: Iterable[Mapping[Any, float]], *,
                   cluster_names: Sequence[Any] | None = None,
                   object_names: Sequence[Any] | None = None) -> EvidentialClustering:
        """Make a credal partition from one dictionary per object, for small examples.

        Parameters
        ----------
        rows : iterable of dict
            Keys are sets of clusters: a tuple or frozenset of names, a single name, or ``()``
            for the empty set. Values are masses; each dictionary sums to 1.
        cluster_names : sequence, optional
            All clusters in order; by default the names that occur, sorted.
        object_names : sequence, optional
            Distinct names.

        Raises
        ------
        ClusteringError
            If a set names a cluster outside `cluster_names`, or as in the class.

        Examples
        --------
        >>> import softclust as sc
        >>> x = sc.EvidentialClustering.from_dicts([{"a": 1.0}, {("a", "b"): 0.5, (): 0.5}])
        >>> x.focal_sets.astype(int)
        array([[0, 0],
               [1, 0],
               [1, 1]])
        >>> x.mass
        array([[0. , 1. , 0. ],
               [0.5, 0. , 0.5]])
        """
        parsed = [_parse_row(i, row) for i, row in enumerate(rows)]
        if not parsed:
            raise ClusteringError("rows is empty; at least one object is needed")
        found = {name for row in parsed for focal in row for name in focal}
        if cluster_names is None:
            names = sorted(found, key=lambda v: (str(type(v)), v))
        else:
            names = list(cluster_names)
            unknown = found - set(names)
            if unknown:
                raise ClusteringError(f"cluster {sorted(map(repr, unknown))[0]} is not in "
                                      f"cluster_names {names!r}: the mass lies outside the frame")
        if not names:
            raise ClusteringError("no cluster is named; give cluster_names when all mass is on "
                                  "the empty set")
        position = {name: k for k, name in enumerate(names)}
        sets = sorted({focal for row in parsed for focal in row},
                      key=lambda s: sum(1 << position[v] for v in s))
        mass = np.array([[row.get(s, 0.0) for s in sets] for row in parsed], dtype=float)
        focal = np.array([[name in s for name in names] for s in sets])
        integers = all(isinstance(v, int) for v in names) and names == list(range(len(names)))
        return cls(mass, focal, cluster_names=None if integers else names,
                   object_names=object_names)

    @property
    def n_objects(self) -> int:
        return int(self._mass.shape[0])

    @property
    def n_clusters(self) -> int:
        return int(self._focal_sets.shape[1])

    @property
    def mass(self) -> np.ndarray:
        """Masses m_i(A), (n, f) float64, rows summing to 1."""
        return self._mass

    @property
    def focal_sets(self) -> np.ndarray:
        """Sets of clusters, (f, c) bool; the empty set, if present, is the first row."""
        return self._focal_sets

    @property
    def focal_masks(self) -> np.ndarray:
        """The focal sets as bit masks, (f,) uint64: bit k is cluster k."""
        return bit_masks(self._focal_sets)

    @property
    def empty_mass(self) -> np.ndarray:
        """Mass on the empty set, (n,) float64."""
        if self._focal_sets[0].any():
            return np.zeros(self.n_objects)
        return self._mass[:, 0].copy()

    def _take(self, field: str, rows: np.ndarray) -> Any:
        return self._focal_sets if field == "_focal_sets" else self._mass[rows]


def bit_masks(sets: np.ndarray) -> np.ndarray:
    """0/1 rows as uint64 bit masks, (f,): bit k is column k."""
    powers = np.left_shift(np.uint64(1), np.arange(sets.shape[1], dtype=np.uint64))
    return (sets * powers).sum(axis=1, dtype=np.uint64)


def _parse_row(i: int, row: Mapping[Any, float]) -> dict[frozenset[Any], float]:
    if not isinstance(row, Mapping):
        raise ClusteringError(f"rows[{i}] is {type(row).__name__}; a dict from sets of clusters "
                              "to masses is needed")
    result: dict[frozenset[Any], float] = {}
    for key, value in row.items():
        focal = frozenset(key) if isinstance(key, (tuple, frozenset)) else frozenset([key])
        if focal in result:
            raise ClusteringError(f"rows[{i}] names the set {set(focal) or '{}'} twice")
        try:
            result[focal] = float(value)
        except (TypeError, ValueError):
            raise ClusteringError(f"rows[{i}] gives {key!r} the mass {value!r}; a number is "
                                  "needed") from None
    return result


def check_focal_sets(sets: np.ndarray, columns: int) -> None:
    """Raise ClusteringError unless the rows of `sets` are distinct, the empty set first at most.
    """
    f, c = sets.shape
    if f != columns:
        raise ClusteringError(f"mass has {columns} columns for {f} focal_sets; "
                              "one column per set is needed")
    if c > MAX_CLUSTERS:
        raise ClusteringError(f"focal_sets has {c} clusters; at most {MAX_CLUSTERS} are possible")
    empty = np.flatnonzero(~sets.any(axis=1))
    if empty.size and (empty.size > 1 or empty[0] != 0):
        raise ClusteringError(f"the empty set is focal set {', '.join(map(str, empty))}; it may "
                              "occur once, as the first: reorder the columns of mass")
    masks = bit_masks(sets)
    values, first = np.unique(masks, return_index=True)
    if values.size < f:
        b = int(np.setdiff1d(np.arange(f), first)[0])
        a = int(np.flatnonzero(masks == masks[b])[0])
        raise ClusteringError(f"focal_sets rows {a} and {b} are the same set; add up their "
                              "columns of mass first")
