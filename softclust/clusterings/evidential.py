"""Evidential (credal) clusterings: masses on sets of clusters."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

import numpy as np

from .._checks import ClusteringError
from .._types import ArrayLike
from ..results.records import Columns
from ._base import KINDS, Clustering
from .arrays import boolean_matrix, check_range, check_row_sums, float_matrix, matrix_names
from .focal import MassTable, bit_masks, check_focal_sets, is_whole, table
from .set_names import set_names


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

    ``to_frame()``: one row per object. One column of masses per focal set, named like
    ``{a, b}``; `as_clustering` with ``kind="evidential"`` makes the clustering of it again.

    Examples
    --------
    >>> import softclust
    >>> x = softclust.EvidentialClustering([[0.7, 0.3], [0.0, 1.0]], [[1, 0], [1, 1]])
    >>> x.n_clusters
    2
    """

    __slots__ = ("_focal_sets", "_mass")
    _focal_sets: np.ndarray
    _mass: np.ndarray
    kind = "evidential"
    _fields = ("_mass", "_focal_sets")

    def __init__(self, mass: ArrayLike, focal_sets: ArrayLike, *,
                 object_names: Collection[Any] | None = None,
                 cluster_names: Collection[Any] | None = None) -> None:
        masses = float_matrix(mass, "mass", columns="focal sets")
        sets = boolean_matrix(focal_sets, "focal_sets")
        check_focal_sets(sets, masses.shape[1])
        check_range(masses, "mass", 0.0, None)
        check_row_sums(masses, "mass", "give the missing mass to the empty set (first focal set) "
                                       "or to all clusters, whichever is meant", original=mass)
        self._fill((matrix_names(mass, object_names, None)[0],
                    matrix_names(focal_sets, None, cluster_names)[1]),
                   _mass=masses, _focal_sets=sets)

    @classmethod
    def from_dicts(cls, rows: Iterable[Mapping[Any, float]], *,
                   cluster_names: Collection[Any] | None = None,
                   object_names: Collection[Any] | None = None) -> EvidentialClustering:
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
        >>> import softclust
        >>> x = softclust.EvidentialClustering.from_dicts([{"a": 1.0}, {("a", "b"): 0.5, (): 0.5}])
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
        mentioned = {name for row in parsed for focal in row for name in focal}
        if cluster_names is None:
            names = sorted(mentioned, key=lambda v: (str(type(v)), v))
        else:
            names = list(cluster_names)
            unknown = mentioned - set(names)
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

    def reordered(self, order: np.ndarray) -> EvidentialClustering:
        new = self._derive(EvidentialClustering, _mass=self._mass,
                           _focal_sets=np.ascontiguousarray(self._focal_sets[:, order]))
        return new._names_in(order)

    def _occurs(self) -> np.ndarray:
        return np.asarray(self._focal_sets[(self._mass > 0.0).any(axis=0)].any(axis=0))

    def _only(self, kept: np.ndarray) -> EvidentialClustering:
        gone = np.ones(self.n_clusters, dtype=np.bool_)
        gone[kept] = False
        sets = ~self._focal_sets[:, gone].any(axis=1)   # the others have no mass
        return self._derive(EvidentialClustering, _mass=np.ascontiguousarray(self._mass[:, sets]),
                            _focal_sets=np.ascontiguousarray(self._focal_sets[sets][:, kept]))

    @property
    def is_logical(self) -> bool:
        return is_whole(self._mass)

    def _masses(self) -> MassTable:
        return table(self._mass, self._focal_sets, self.empty_mass)

    def _listed(self) -> tuple[np.ndarray, np.ndarray]:
        return self._mass, self._focal_sets

    def _normalized(self, rule: str) -> EvidentialClustering:
        mass, sets = np.array(self._mass), self._focal_sets
        if rule == "dempster":
            mass[:, 0] = 0.0
            mass /= self._nonempty_totals(mass)[:, None]
            return self._derive(EvidentialClustering, _mass=mass, _focal_sets=sets)
        whole = np.flatnonzero(sets.all(axis=1))
        if not whole.size:
            sets = np.vstack([sets, np.ones(self.n_clusters, dtype=np.bool_)])
            mass = np.hstack([mass, np.zeros((self.n_objects, 1))])
            whole = np.array([sets.shape[0] - 1])
        mass[:, whole[0]] += mass[:, 0]
        mass[:, 0] = 0.0
        return self._derive(EvidentialClustering, _mass=mass, _focal_sets=sets)

    def _summary_rows(self) -> tuple[list[list[str]], list[str]]:
        rows, notes = super()._summary_rows()
        return [["focal sets", str(self._focal_sets.shape[0])], *rows], notes

    def _frame(self) -> Columns:
        sets = set_names(self.cluster_names, self._focal_sets)
        return Columns({name: self._mass[:, b] for b, name in enumerate(sets)},
                       self._rows_named(), "focal set")

    def equality_key(self) -> tuple[str, int, bytes]:
        raise ClusteringError(
            "an evidential clustering's copies with other names of clusters are not found; "
            ".to_fuzzy(), .to_rough() or .harden() makes another kind by a named rule")

    def _take(self, field: str, rows: np.ndarray) -> Any:
        return self._focal_sets if field == "_focal_sets" else self._mass[rows]


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


KINDS.evidential = EvidentialClustering
