"""Evidential (credal) clusterings: masses on sets of clusters."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, Literal

import numpy as np

from .._checks import ClusteringError, check_choice, shown
from .._types import ArrayLike
from ..results.records import Columns
from ..results.text import part
from ..results.text import value as value_text
from ._base import KINDS, Clustering
from .arrays import boolean_matrix, check_range, check_row_sums, float_matrix, frame_names
from .focal import (
    MassTable,
    bit_masks,
    bits,
    check_focal_sets,
    check_mass_size,
    is_whole,
    table,
)
from .objects import matched
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
        check_range(masses, "mass")
        check_row_sums(masses, "mass", "give the missing mass to the empty set (first focal set) "
                                       "or to all clusters, whichever is meant", original=mass)
        self._fill((frame_names(mass)[0] if object_names is None else object_names,
                    frame_names(focal_sets)[1] if cluster_names is None else cluster_names),
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
        parsed: list[dict[frozenset[Any], float]] = []
        for i, given in enumerate(rows):
            if not isinstance(given, Mapping):
                raise ClusteringError(f"rows[{i}] is {type(given).__name__}; a dict from sets of "
                                      "clusters to masses is needed")
            parsed.append({})
            for key, value in given.items():
                named = frozenset(key) if isinstance(key, (tuple, frozenset)) else frozenset([key])
                if named in parsed[i]:
                    raise ClusteringError(f"rows[{i}] names the set {set(named) or '{}'} twice")
                try:
                    parsed[i][named] = float(value)
                except (TypeError, ValueError):
                    raise ClusteringError(f"rows[{i}] gives {key!r} the mass {value!r}; a number "
                                          "is needed") from None
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

    def combine(self, other: Clustering,
                rule: Literal["dempster", "conjunctive", "disjunctive"] = "dempster"
                ) -> EvidentialClustering:
        r"""Combine two independent sources on the same objects and clusters.

        Parameters
        ----------
        other : Clustering
            Of any kind but a cover, of the same objects. Its clusters are matched by name.
        rule : {"dempster", "conjunctive", "disjunctive"}
            "conjunctive": both sources are right, and their sets are intersected; conflict stays
            as mass on the empty set. "dempster": the same, divided by 1 - conflict. "disjunctive":
            one of them is right, and their sets are united.

        Returns
        -------
        EvidentialClustering
            On the focal sets that occur, in bit mask order.

        Raises
        ------
        ClusteringError
            If objects or clusters differ, or the sources of an object are in total conflict
            ("dempster").

        Notes
        -----
        .. math::

            m_1 \oplus m_2(A) = \frac{1}{1 - K} \sum_{B \cap C = A} m_1(B) m_2(C), \quad
            K = \sum_{B \cap C = \emptyset} m_1(B) m_2(C)

        (Campagner, Ciucci and Denoeux 2023, eq. 32). All rules are associative and commutative.
        Evidence from the same data is not independent: combining a clustering with itself makes it
        more certain. Time O(n f g), f and g the focal sets of the two.

        Examples
        --------
        >>> import softclust
        >>> x = softclust.EvidentialClustering.from_dicts([{"a": 0.5, ("a", "b"): 0.5}])
        >>> y = softclust.EvidentialClustering.from_dicts([{"b": 0.4, ("a", "b"): 0.6}])
        >>> x.combine(y, "conjunctive").to_frame().round(3).to_dict("list")
        {'{}': [0.2], '{a}': [0.3], '{b}': [0.2], '{a, b}': [0.3]}
        >>> x.combine(y).to_frame().round(3).to_dict("list")
        {'{a}': [0.375], '{b}': [0.25], '{a, b}': [0.375]}
        """
        check_choice("rule", rule, ["dempster", "conjunctive", "disjunctive"])
        a, b = self.to_evidential("occurring"), self._beside(other).to_evidential("occurring")
        masks, others = a.focal_masks[:, None], b.focal_masks[None]
        codes, place = np.unique(masks | others if rule == "disjunctive" else masks & others,
                                 return_inverse=True)
        check_mass_size(self.n_objects, codes.size)
        columns = np.zeros((codes.size, self.n_objects))
        for (i, j), k in np.ndenumerate(place.reshape(masks.size, others.size)):
            columns[k] += a.mass[:, i] * b.mass[:, j]
        if rule == "dempster" and not codes[0]:
            total = columns[1:].sum(axis=0)
            if not total.all():
                raise ClusteringError(
                    f"object {int(np.argmin(total))} has total conflict: no cluster is possible by "
                    'both sources; rule="conjunctive" keeps it as mass on the empty set')
            codes, columns = codes[1:], columns[1:] / total
        used = columns.any(axis=1)
        return self._derive(EvidentialClustering, _focal_sets=bits(codes[used], self.n_clusters),
                            _mass=np.ascontiguousarray(columns[used].T))

    def _beside(self, other: Clustering) -> Clustering:
        """The other clustering with its objects and clusters in the order of these."""
        if not isinstance(other, Clustering):
            raise TypeError(f"other is {shown(other)}; a clustering is needed: as_clustering(...) "
                            "makes one")
        if other.n_objects != self.n_objects:
            raise ClusteringError(f"this clustering has {self.n_objects} objects and other has "
                                  f"{other.n_objects}; the same objects are needed")
        names, others = self.cluster_names, other.cluster_names
        if set(names) != set(others):
            raise ClusteringError(
                f"the clusters of this clustering are {names} and of other {others}; one frame is "
                "needed: extend(parts) and coarsen(parts) change it, cluster_names= names it")
        order = matched(self.matched_names, other.matched_names,
                        called=("this clustering", "other"))
        other = other if order is None else other.subset(order)
        return other.reordered(np.array([others.index(name) for name in names]))

    def extend(self, parts: Mapping[Any, Any]) -> EvidentialClustering:
        """Express the masses on a finer frame (vacuous extension).

        Parameters
        ----------
        parts : mapping
            Each cluster, by name, to the list of finer clusters that it consists of.

        Returns
        -------
        EvidentialClustering
            Of the finer clusters, in the order of the clusters and their lists; the mass of a set
            is on the union of its parts.

        Raises
        ------
        ClusteringError
            If a cluster is missing or unknown, has no parts, or a part is listed twice; if there
            are more than 64 finer clusters.

        See Also
        --------
        coarsen : the way back: ``x.extend(parts).coarsen(parts)`` is x.

        Notes
        -----
        Campagner, Ciucci and Denoeux 2023, eq. 37: m(rho(A)) = m(A). Time O(n f).

        Examples
        --------
        >>> import softclust
        >>> x = softclust.EvidentialClustering.from_dicts([{"a": 0.7, ("a", "b"): 0.3}])
        >>> x.extend({"a": ["a1", "a2"], "b": ["b"]}).to_frame().to_dict("list")
        {'{a1, a2}': [0.7], '{a1, a2, b}': [0.3]}
        """
        coarse, fine, inside = _partition(parts)
        self._check_frame(coarse, "a key of parts")
        of_cluster = inside[[coarse.index(name) for name in self.cluster_names]]
        order = np.argsort(of_cluster.argmax(axis=0), kind="stable")
        sets = self._focal_sets @ of_cluster[:, order]
        return EvidentialClustering(self._mass, sets, object_names=self.naming,
                                    cluster_names=[fine[j] for j in order])

    def coarsen(self, parts: Mapping[Any, Any]) -> EvidentialClustering:
        """Express the masses on a coarser frame (outer reduction).

        Parameters
        ----------
        parts : mapping
            Each coarser cluster, by name, to the list of clusters that it joins.

        Returns
        -------
        EvidentialClustering
            Of the coarser clusters, in the order of `parts`. The mass of a set goes to the set of
            all coarser clusters that it meets.

        Raises
        ------
        ClusteringError
            If a cluster is missing, unknown or listed twice, or a list is empty.

        See Also
        --------
        extend : the other way; it does not bring back what coarsening lost.

        Notes
        -----
        Campagner, Ciucci and Denoeux 2023, eq. 38. Time O(n f).

        Examples
        --------
        >>> import softclust
        >>> x = softclust.EvidentialClustering.from_dicts([{"a": 0.2, ("a", "b"): 0.3, "c": 0.5}])
        >>> x.coarsen({"ab": ["a", "b"], "c": ["c"]}).to_frame().to_dict("list")
        {'{ab}': [0.5], '{c}': [0.5]}
        """
        coarse, fine, inside = _partition(parts)
        self._check_frame(fine, "in the lists of parts")
        of_cluster = inside[:, [fine.index(name) for name in self.cluster_names]]
        codes, place = np.unique(bit_masks(self._focal_sets @ of_cluster.T), return_inverse=True)
        mass = np.zeros((self.n_objects, codes.size))
        for b, k in enumerate(place.reshape(-1)):
            mass[:, k] += self._mass[:, b]
        return EvidentialClustering(mass, bits(codes, len(coarse)), object_names=self.naming,
                                    cluster_names=coarse)

    def _check_frame(self, names: list[Any], where: str) -> None:
        for group, text in ((set(self.cluster_names) - set(names), f"is not {where}"),
                            (set(names) - set(self.cluster_names), f"is {where}, and no cluster")):
            if group:
                raise ClusteringError(f"{sorted(map(repr, group))[0]} {text}; the clusters are "
                                      f"{self.cluster_names}")

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

    @property
    def sentence(self) -> str:
        n, sizes = self.n_objects, self._focal_sets.sum(axis=1)
        heaviest = sizes[self._mass.argmax(axis=1)]
        possible = int((self.possible_clusters().sum(axis=1) > 1).sum())
        return (f"The heaviest set is a single cluster for "
                f"{part(int((heaviest == 1).sum()), n)}, several clusters (undecided) for "
                f"{part(int((heaviest > 1).sum()), n)}, and the empty set (an outlier) for "
                f"{part(int((heaviest == 0).sum()), n)}; a single cluster holds "
                f"{value_text(self.certainty()[0])} of the mass on average (0 to 1; 1 is decided). "
                "With the mass of all sets counted, more than one cluster stays possible for "
                f"{part(possible, n)}.")

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


def _partition(parts: Mapping[Any, Any]) -> tuple[list[Any], list[Any], np.ndarray]:
    """Coarser clusters, finer clusters, and which consists of which (coarser, finer) bool."""
    if not isinstance(parts, Mapping):
        raise TypeError(f"parts is {shown(parts)}; a dict from coarser clusters to lists of finer "
                        "clusters is needed")
    pairs: list[tuple[int, Any]] = []
    for k, (name, members) in enumerate(parts.items()):
        if isinstance(members, str) or not isinstance(members, Collection) or not len(members):
            raise ClusteringError(f"parts[{name!r}] is {shown(members)}; a list of at least one "
                                  "finer cluster is needed")
        pairs += [(k, member) for member in members]
    fine = [member for _, member in pairs]
    for j, member in enumerate(fine):
        if member in fine[:j]:
            raise ClusteringError(f"parts lists {member!r} twice; each finer cluster belongs to "
                                  "one coarser cluster")
    inside = np.zeros((len(parts), len(fine)), dtype=np.bool_)
    inside[[k for k, _ in pairs], np.arange(len(fine))] = True
    return list(parts), fine, inside


KINDS.evidential = EvidentialClustering
