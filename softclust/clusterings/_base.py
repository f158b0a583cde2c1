"""Base class of all kinds of clustering: names, equality, pickling, masses, conversions, tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self, TypeVar

import numpy as np

from .._checks import ClusteringError, UndefinedMeasureWarning, check_choice, shown
from ..results.records import Columns, Drawn, Record
from ..results.summary import SummaryTable
from ..running.warnings import warn
from .arrays import NUMBERED, boolean_matrix, checked_names, frame_names, object_positions
from .certainty import Certainty
from .focal import (
    MAX_CLUSTERS,
    MassTable,
    best_sets,
    bit_masks,
    check_focal_sets,
    first_best,
    occurring_sets,
    on_full_sets,
    on_sets,
    sums_over,
)

if TYPE_CHECKING:
    from .._types import ArrayLike
    from .cover import CoverClustering
    from .ensemble import Ensemble
    from .evidential import EvidentialClustering
    from .fuzzy import FuzzyClustering
    from .hard import HardClustering
    from .possibilistic import PossibilisticClustering
    from .relation import Relation
    from .rough import RoughClustering

C = TypeVar("C", bound="Clustering")
D = TypeVar("D", bound="Clustering")
#: up to this many numbers the masses of a soft clustering are cached
_KEPT = 1 << 16
#: more clusters without objects are not read from a text
EMPTY_CLUSTERS = 1 << 16
#: a summary lists the sizes of this many clusters, the rest in one line
MAX_SIZES = 12


class _Kinds:
    """The classes that conversions make, set by their files, which import this one."""

    hard: type[HardClustering]
    rough: type[RoughClustering]
    fuzzy: type[FuzzyClustering]
    possibilistic: type[PossibilisticClustering]
    evidential: type[EvidentialClustering]
    cover: type[CoverClustering]
    relation: type[Relation]
    ensemble: type[Ensemble]


KINDS = _Kinds()
#: for each kind, the kinds as which measures may take it
_TAKEN_AS: dict[str, tuple[str, ...]] = {}


class Clustering(Certainty, Drawn, Record):
    """Base class of the five kinds and of covers; not instantiated directly.

    A kind is one class: it has a `kind`, slots for its data (`_fields`; by default the first has a
    row for each object, the last a column for each cluster), and `_masses`, its masses on sets of
    clusters. Belief, conversions, frames and summaries follow from the masses; a kind overrides
    what it knows in closed form.

    Instances are frozen: arrays are read-only copies in C order (float64, int64 or bool).
    """

    __slots__ = ("_cache", "_cluster_names", "_numbered", "_object_names")
    __hash__ = None  # type: ignore[assignment]

    _cache: dict[str, Any]
    _cluster_names: tuple[Any, ...] | None
    _object_names: tuple[Any, ...] | None
    #: whether the objects are 0, ..., n - 1 by the default index of a pandas object
    _numbered: bool

    _chart = "plot_clustering"
    kind: ClassVar[str]
    #: the kinds as which measures take it when they do not take its own kind
    taken_as: ClassVar[tuple[str, ...]] = ()
    #: names of the slots that hold the data, in constructor order
    _fields: ClassVar[tuple[str, ...]]

    def __init_subclass__(cls) -> None:
        _TAKEN_AS[cls.kind] = cls.taken_as

    @staticmethod
    def stands_for(kind: str) -> tuple[str, ...]:
        """Kinds as which measures take a kind that is not their own."""
        return _TAKEN_AS.get(kind, ())

    # -- construction ---------------------------------------------------------------------
    def _set(self, **values: Any) -> None:
        """Set slots once, from the constructor; arrays become read-only."""
        for name, value in values.items():
            if type(value) is np.ndarray:
                value.setflags(write=False)
            object.__setattr__(self, name, value)

    def _fill(self, names: tuple[Iterable[Any] | None, Iterable[Any] | None],
              matrix: Any = None, **fields: Any) -> None:
        """Set the data and names, by default those of the index and the columns of `matrix`."""
        objects, clusters = names
        if matrix is not None and type(matrix) is not np.ndarray:
            index, columns = frame_names(matrix)
            objects = index if objects is None else objects
            clusters = columns if clusters is None else clusters
        self._set(**fields, _numbered=objects is NUMBERED, _cache={})
        self._set(_object_names=None if objects is None else checked_names(
                      objects, self.n_objects, "object"),
                  _cluster_names=None if clusters is None else checked_names(
                      clusters, self.n_clusters, "cluster"))

    def _derive(self, kind: type[D], **fields: Any) -> D:
        """A clustering of these objects and clusters from arrays that are valid and not shared."""
        new = object.__new__(kind)
        new._set(**fields, _object_names=self._object_names, _cluster_names=self._cluster_names,
                 _numbered=self._numbered, _cache={})
        return new

    def renamed(self: C, object_names: Iterable[Any] | None) -> C:
        """Copy of this clustering with other object names."""
        new = self._derive(type(self), **{f: getattr(self, f) for f in self._fields})
        new._set(_object_names=checked_names(object_names, self.n_objects, "object"),
                 _numbered=object_names is NUMBERED)
        return new

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen; make a new one instead")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen; make a new one instead")

    def __getstate__(self) -> dict[str, Any]:
        slots = (*self._fields, "_object_names", "_cluster_names", "_numbered")
        return {name: getattr(self, name) for name in slots}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._set(**{"_numbered": False, **state}, _cache={})

    @classmethod
    def _restored(cls, state: Mapping[str, Any]) -> Self:
        """The clustering of a state that was read from a text, by the checks of its constructor."""
        parts = [np.array(state[field]) for field in cls._fields]
        new = cls._of_parts(*parts, NUMBERED if state["_numbered"] is True
                            else state["_object_names"], state["_cluster_names"])
        if new.n_clusters > new.n_objects + EMPTY_CLUSTERS:
            raise ClusteringError(f"a stored clustering of {new.n_objects} objects has "
                                  f"{new.n_clusters} clusters; it was changed, or is damaged")
        return new

    @classmethod
    def _of_parts(cls, *parts: Any) -> Self:
        """The clustering of the data in `_fields`, names of objects and names of clusters."""
        *data, objects, clusters = parts
        kind: Any = cls
        return kind(*data, object_names=objects, cluster_names=clusters)

    # -- identity -------------------------------------------------------------------------
    @property
    def n_objects(self) -> int:
        """Number of objects n."""
        return int(getattr(self, self._fields[0]).shape[0])

    @property
    def n_clusters(self) -> int:
        """Number of clusters c, empty ones included."""
        return int(getattr(self, self._fields[-1]).shape[1])

    @property
    def object_names(self) -> tuple[Any, ...] | None:
        """Names of the objects; None when none were given, or by the default index of pandas."""
        return self._object_names

    @property
    def matched_names(self) -> Sequence[Any] | None:
        """Object names that are used to compare or align clusterings.

        `object_names`; 0, ..., n - 1 for a pandas object with its default index; else None, and
        objects are matched by position.
        """
        return range(self.n_objects) if self._numbered else self._object_names

    @property
    def cluster_names(self) -> tuple[Any, ...]:
        """Names of the clusters; 0, 1, ... when none were given."""
        if self._cluster_names is None:
            return tuple(range(self.n_clusters))
        return self._cluster_names

    @property
    def naming(self) -> tuple[Any, ...] | None:
        """Value of ``object_names`` for a clustering of the same objects."""
        return NUMBERED if self._numbered else self._object_names

    def __len__(self) -> int:
        return self.n_objects

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Clustering):
            return NotImplemented
        return (
            self.kind == other.kind
            and self.cluster_names == other.cluster_names
            and self._object_names == other._object_names
            and all(np.array_equal(getattr(self, f), getattr(other, f)) for f in self._fields)
        )

    def __repr__(self) -> str:
        return (f"{type(self).__name__}(n_objects={self.n_objects}, "
                f"n_clusters={self.n_clusters})")

    __str__ = __repr__

    # -- what measures ask for ----------------------------------------------------------------
    @property
    def hard_codes(self) -> np.ndarray | None:
        """Codes (n,) of the clusters of a hard clustering; None of any other kind."""
        return None

    @property
    def by_object(self) -> tuple[np.ndarray, np.ndarray] | None:
        """Starts (n + 1,) and clusters of the objects where these are certain, as in sparse rows.

        Of hard clusterings and covers; None of kinds that leave them open.
        """
        return None

    @property
    def has_memberships(self) -> bool:
        """True if it has `memberships`."""
        return False

    def memberships(self, called: str = "x") -> np.ndarray:
        """Memberships (n, c) of a hard or fuzzy clustering; others raise ClusteringError.

        `called` is the name of the clustering in the message.
        """
        raise ClusteringError(f"{called} is {self.kind}; a hard or fuzzy clustering is needed: "
                              f"{called}.to_fuzzy() or {called}.harden() makes one by a named rule")

    def as_hard(self, called: str = "x") -> HardClustering:
        """Return this clustering if it is hard; others raise ClusteringError."""
        way = "patterns()" if self.kind == "cover" else "harden()"
        raise ClusteringError(f"{called} is {self.kind}; a hard clustering is needed: "
                              f"{called}.{way} makes one by a named rule")

    def reordered(self: C, order: np.ndarray) -> C:
        """Copy of this clustering with its clusters reordered: ``order[j]`` becomes j."""
        new = self._derive(type(self), **{f: np.ascontiguousarray(getattr(self, f)[:, order])
                                          for f in self._fields})
        return new._names_in(order)

    def _names_in(self: C, order: np.ndarray) -> C:
        if self._cluster_names is not None:
            names = tuple(self._cluster_names[j] for j in order.tolist())
            self._set(_cluster_names=None if names == tuple(range(len(names))) else names)
        return self

    def occurring(self: C) -> C:
        """This clustering without the clusters that no object may be in; they keep their names.

        One without any such cluster is returned as it is.
        """
        kept = np.flatnonzero(self._occurs())
        if kept.size in (0, self.n_clusters):
            return self
        names = tuple(self.cluster_names[j] for j in kept.tolist())
        new = self._only(kept)
        new._set(_cluster_names=None if names == tuple(range(len(names))) else names)
        return new

    def _occurs(self) -> np.ndarray:
        """Return a mask (c,) of the clusters that an object may be in."""
        return np.any(getattr(self, self._fields[-1]) > 0, axis=0)

    def _only(self: C, kept: np.ndarray) -> C:
        """A copy with only these clusters, which are all that occur."""
        return self._derive(type(self), **{
            f: np.ascontiguousarray(getattr(self, f)[:, kept]) for f in self._fields})

    # -- masses: what a kind says of itself -------------------------------------------------
    def mass_table(self) -> MassTable:
        """Masses on the non-empty focal sets that occur; kept where the table is small."""
        if "masses" in self._cache:
            return self._cache["masses"]
        table = self._masses()
        if table.mass.size <= _KEPT or self.kind == "hard":
            self._cache["masses"] = table
        return table

    def _masses(self) -> MassTable:
        raise NotImplementedError

    @property
    def is_logical(self) -> bool:
        """True if every object has one focal set of mass exactly 1."""
        return self.mass_table().logical

    @property
    def empty_mass(self) -> np.ndarray:
        """Mass on the empty set, (n,) float64."""
        nonempty = self.mass_table().nonempty
        return 1.0 - nonempty if nonempty.size else np.zeros(self.n_objects)

    @property
    def has_empty_mass(self) -> bool:
        """True if the empty set carries mass for some object."""
        return bool((self.empty_mass > 0.0).any())

    def _all_on_empty(self) -> np.ndarray:
        """Mask of objects with no mass on any cluster, (n,) bool."""
        masses, sets = self._listed()
        nowhere = masses[:, sets.any(axis=1)].max(axis=1, initial=0.0) == 0.0
        return np.logical_or(nowhere, self.empty_mass >= 1.0)

    def _refuse_all_on_empty(self, what: str) -> None:
        """Raise ClusteringError when `what` is undefined because an object has no mass at all."""
        if self.has_empty_mass and (undefined := self._all_on_empty()).any():
            raise ClusteringError(
                f"{what} is undefined for {_objects(undefined)} with all mass on the empty set; "
                'normalize("yager") gives that mass to the set of all clusters, subset(...) leaves '
                "such objects out")

    def _listed(self) -> tuple[np.ndarray, np.ndarray]:
        """Masses (n, f) on sets (f, c), the empty set first where it has mass."""
        table = self.mass_table()
        if not table.nonempty.size:
            return table.dense(), table.sets
        return (np.hstack([self.empty_mass[:, None], table.dense()]),
                np.vstack([np.zeros((1, self.n_clusters), dtype=np.bool_), table.sets]))

    def _entries(self) -> tuple[np.ndarray, np.ndarray]:
        """Sets as bit masks, (1, r) for all objects or (n, r), and their masses (n, r)."""
        masses, sets = self._listed()
        return bit_masks(sets)[None], masses

    def _belief(self, sets: np.ndarray) -> np.ndarray:
        masses, focal = self._listed()
        outside = sums_over(focal, ~sets) > 0.0
        return sums_over(masses, ~outside.T & focal.any(axis=1))

    def _plausibility(self, sets: np.ndarray) -> np.ndarray:
        masses, focal = self._listed()
        return sums_over(masses, (sums_over(focal, sets) > 0.0).T)

    def _shares(self) -> np.ndarray:
        """Masses divided evenly over the clusters of their sets, (n, c); sums 1 - m(empty)."""
        masses, focal = self._listed()
        sizes = np.maximum(focal.sum(axis=1, keepdims=True), 1)
        return np.einsum("if,kf->ik", masses, np.ascontiguousarray((focal / sizes).T))

    def _nonempty_totals(self, shares: np.ndarray) -> np.ndarray:
        """Sums of `shares` of the non-empty mass; 1 for objects without empty mass.

        The sums, rather than 1 - m(empty), because rows of masses may sum to 1 + 1e-8: where
        little mass is left, its part of that error is large.
        """
        return np.where(self.empty_mass > 0.0, shares.sum(axis=1), 1.0)

    def _sets(self, sets: Any, argument: str = "sets") -> np.ndarray:
        """The requested sets, (s, c) bool; single clusters by default."""
        if sets is None:
            return np.eye(self.n_clusters, dtype=np.bool_)
        array = boolean_matrix(sets, argument)
        if array.shape[1] != self.n_clusters:
            raise ClusteringError(f"{argument} has {array.shape[1]} columns for {self.n_clusters} "
                                  "clusters; one column per cluster is needed")
        return array

    def _all_beliefs(self) -> np.ndarray:
        """Bel of every subset in bit mask order, (n, 2^c), by the fast zeta transform."""
        values = np.array(self.to_evidential(focal_sets="full").mass)
        values[:, 0] = 0.0
        for k in range(self.n_clusters):
            halves = values.reshape(self.n_objects, -1, 2, 1 << k)
            halves[:, :, 1, :] += halves[:, :, 0, :]
        return values

    # -- other kinds, by named rules ----------------------------------------------------------
    def to_evidential(self, focal_sets: ArrayLike = "full") -> EvidentialClustering:
        """Convert to masses on sets of clusters, without loss.

        Parameters
        ----------
        focal_sets : {"full", "occurring"} or array of bool or 0/1, shape (f, c)
            All 2**c sets in bit mask order (column b holds cluster k when bit k of b is set; up
            to 16 clusters and 2 GiB), those that have mass for some object, or the given ones.

        Returns
        -------
        EvidentialClustering
            Hard: mass 1 on {label}. Rough: 1 on the set T_i. Fuzzy: u_ik on {k}. Possibilistic:
            with typicalities p_1 >= ... >= p_c, mass p_r - p_(r+1) on the set of the first r
            clusters (p_(c+1) = 0) and 1 - p_1 on the empty set.

        Raises
        ------
        ClusteringError
            If there are too many clusters or sets, or a set with mass is not among those given.

        Notes
        -----
        Time and memory O(n f).

        Examples
        --------
        >>> import softclust
        >>> softclust.FuzzyClustering([[0.9, 0.1]]).to_evidential().mass
        array([[0. , 0.9, 0.1, 0. ]])
        """
        if self.n_clusters > MAX_CLUSTERS:
            raise ClusteringError(f"there are {self.n_clusters} clusters; evidential clusterings "
                                  f"have at most {MAX_CLUSTERS}")
        if isinstance(focal_sets, str):
            check_choice("focal_sets", focal_sets, ["full", "occurring"])
            if focal_sets == "full":
                mass, sets = on_full_sets(*self._entries(), self.n_objects, self.n_clusters)
                return self._derive(KINDS.evidential, _mass=mass, _focal_sets=sets)
            sets = occurring_sets(*self._entries(), self.n_clusters)
        else:
            sets = self._sets(focal_sets, "focal_sets")
            check_focal_sets(sets, sets.shape[0])
        mass = on_sets(*self._entries(), sets, self.cluster_names)
        return self._derive(KINDS.evidential, _mass=mass, _focal_sets=sets)

    def to_fuzzy(self, rule: Literal["pignistic", "plausibility"] = "pignistic") -> FuzzyClustering:
        """Convert to memberships that sum to 1, by a named rule.

        Parameters
        ----------
        rule : {"pignistic", "plausibility"}
            The mass of each set divided evenly over its clusters, or plausibilities divided by
            their sum. Rough: 1/|T_i| on T_i either way. Fuzzy stays as it is.

        Returns
        -------
        FuzzyClustering

        Raises
        ------
        ClusteringError
            If an object has all its mass on the empty set.

        Notes
        -----
        Time O(n f c), f the focal sets of an evidential clustering.

        Examples
        --------
        >>> import softclust
        >>> softclust.RoughClustering.from_upper([[1, 1], [0, 1]]).to_fuzzy().membership
        array([[0.5, 0.5],
               [0. , 1. ]])
        """
        check_choice("rule", rule, ["pignistic", "plausibility"])
        return self._to_fuzzy(rule)

    def _to_fuzzy(self, rule: str) -> FuzzyClustering:
        self._refuse_all_on_empty("a membership")
        shares = self._shares() if rule == "pignistic" else self.plausibility()
        totals = self._nonempty_totals(shares) if rule == "pignistic" else shares.sum(axis=1)
        return self._derive(KINDS.fuzzy, _membership=shares / totals[:, None])

    def to_rough(self, rule: Literal["interval_dominance", "max_mass"] = "interval_dominance", *,
                 on_empty: Literal["raise", "vacuous", "nonempty"] = "raise",
                 tie_tol: float = 1e-12) -> RoughClustering:
        """Convert to the sets of clusters possible for each object, by a named rule.

        Parameters
        ----------
        rule : {"interval_dominance", "max_mass"}
            T_i = the clusters whose plausibility is positive and at least the largest belief (all
            clusters when all mass is on the empty set), or the set with the largest mass.
        on_empty : {"raise", "vacuous", "nonempty"}
            For "max_mass", when the empty set has the largest mass (an outlier): an error, all
            clusters, or the best other set.
        tie_tol : float
            Numbers within this distance are equal; among equal masses the first set wins.

        Returns
        -------
        RoughClustering

        Raises
        ------
        ClusteringError
            As `on_empty` says.

        Notes
        -----
        evclust in R breaks ties at random, with relative tolerance 1e-5, and counts a cluster of
        plausibility 0 as not dominated when no cluster has any belief.

        Examples
        --------
        >>> import softclust
        >>> x = softclust.EvidentialClustering.from_dicts([{"a": 0.4, ("a", "b"): 0.6}, {"b": 1.0}])
        >>> x.to_rough("max_mass").upper
        array([[ True,  True],
               [False,  True]])
        """
        check_choice("rule", rule, ["interval_dominance", "max_mass"])
        check_choice("on_empty", on_empty, ["raise", "vacuous", "nonempty"])
        _check_tolerance(tie_tol)
        return self._to_rough(rule, on_empty, tie_tol)

    def _to_rough(self, rule: str, on_empty: str, tie_tol: float) -> RoughClustering:
        if rule == "max_mass":
            upper = self._likeliest_sets(on_empty, tie_tol)
        else:
            # Positive plausibility matters where no single cluster has belief: without it
            # {a, b} of three clusters would become all three.
            high, low = self.plausibility(), self.belief()
            upper = (high > tie_tol) & (high >= low.max(axis=1, keepdims=True) - tie_tol)
            upper[~upper.any(axis=1)] = True
        lower = upper & (upper.sum(axis=1) == 1)[:, None]
        return self._derive(KINDS.rough, _lower=lower, _upper=upper)

    def _likeliest_sets(self, on_empty: str, tie_tol: float) -> np.ndarray:
        """The set of the largest mass of each object, (n, c) bool."""
        masses, sets = self._listed()
        best = best_sets(masses, not sets[0].any(), on_empty, tie_tol)
        return np.where(best[:, None] < 0, True, sets[best])

    def to_possibilistic(self) -> PossibilisticClustering:
        """Convert to typicalities: the plausibility of each single cluster (contour function).

        Returns
        -------
        PossibilisticClustering

        Examples
        --------
        >>> import softclust
        >>> x = softclust.EvidentialClustering([[0.5, 0.5]], [[1, 0], [1, 1]])
        >>> x.to_possibilistic().typicality
        array([[1. , 0.5]])
        """
        # Masses may sum to 1 + 1e-8; a typicality may not exceed 1.
        return self._derive(KINDS.possibilistic,
                            _typicality=np.minimum(self.plausibility(), 1.0))

    def harden(self, rule: Literal["max_plausibility", "max_belief", "max_pignistic"]
               = "max_plausibility", *, tie_tol: float = 1e-12) -> HardClustering:
        """Convert to one label per object, by a named rule.

        Parameters
        ----------
        rule : {"max_plausibility", "max_belief", "max_pignistic"}
            The quantity that is maximised; for a fuzzy clustering all three are the membership.
        tie_tol : float
            Within this distance of the largest, the lowest cluster wins.

        Returns
        -------
        HardClustering
            With the same clusters, including empty ones.

        Raises
        ------
        ClusteringError
            If an object has all its mass on the empty set: no label is better than another.

        Examples
        --------
        >>> import softclust
        >>> softclust.FuzzyClustering([[0.2, 0.8], [0.5, 0.5]]).harden().labels
        array([1, 0])
        """
        check_choice("rule", rule, ["max_plausibility", "max_belief", "max_pignistic"])
        _check_tolerance(tie_tol)
        return self._hardened(rule, tie_tol)

    def _hardened(self, rule: str, tie_tol: float) -> HardClustering:
        self._refuse_all_on_empty("a label")
        scores = (self.plausibility() if rule == "max_plausibility" else
                  self.belief() if rule == "max_belief" else self.pignistic())
        labels = first_best(scores, tie_tol)
        return self._derive(KINDS.hard, _n_clusters=self.n_clusters,
                            _codes=labels.astype(np.min_scalar_type(self.n_clusters - 1)))

    def normalize(self: C, rule: Literal["dempster", "yager", "maximum"] = "dempster") -> C:
        """Remove the mass on the empty set, by a named rule.

        Parameters
        ----------
        rule : {"dempster", "yager", "maximum"}
            Divide the other masses by their sum 1 - m(empty); give m(empty) to the set of all
            clusters; divide typicalities by the largest of each object (possibilistic only, and
            the same as "dempster").

        Returns
        -------
        Clustering
            Of the same kind; hard, rough and fuzzy clusterings have no empty mass and are returned
            unchanged.

        Raises
        ------
        ClusteringError
            If all mass of an object is on the empty set, except for "yager".

        Examples
        --------
        >>> import softclust
        >>> x = softclust.EvidentialClustering.from_dicts([{(): 0.5, "a": 0.25, ("a", "b"): 0.25}])
        >>> x.normalize("yager").mass
        array([[0.  , 0.25, 0.75]])
        """
        check_choice("rule", rule, ["dempster", "yager", "maximum"])
        if rule == "maximum" and self.kind != "possibilistic":
            raise ClusteringError(f'rule="maximum" is for typicalities and this is {self.kind}; '
                                  '"dempster" and "yager" work for every kind')
        if not self.has_empty_mass:
            return self
        if rule != "yager":
            self._refuse_all_on_empty(f"{rule} normalization")
        return self._normalized(rule)

    def _normalized(self: C, rule: str) -> C:
        raise NotImplementedError

    def belief(self, sets: ArrayLike | None = None) -> np.ndarray:
        """Belief: the mass of the non-empty sets within a set of clusters.

        Parameters
        ----------
        sets : None, "all", or array of bool or 0/1, shape (s, c)
            Single clusters, every subset in bit mask order, or the rows given.

        Returns
        -------
        ndarray, shape (n, s)
            In [0, 1]; Bel(A) = sum of m(B) over non-empty B within A (Campagner, Ciucci and Denoeux
            2023, eq. 31).

        Notes
        -----
        Time O(n f s), "all" O(n c 2^c) by the fast zeta transform.

        Examples
        --------
        >>> import softclust
        >>> x = softclust.EvidentialClustering.from_dicts([{"a": 0.4, ("a", "b"): 0.6}])
        >>> x.belief(), x.belief([[1, 1]])
        (array([[0.4, 0. ]]), array([[1.]]))
        """
        if isinstance(sets, str):
            check_choice("sets", sets, ["all"])
            return self._all_beliefs()
        return self._belief(self._sets(sets))

    def plausibility(self, sets: ArrayLike | None = None) -> np.ndarray:
        """Plausibility: the mass of the sets that meet a set of clusters.

        Parameters
        ----------
        sets : None, "all", or array of bool or 0/1, shape (s, c)
            Single clusters, every subset in bit mask order, or the rows given.

        Returns
        -------
        ndarray, shape (n, s)
            In [0, 1]; Pl(A) = sum of m(B) over B that meet A (Campagner, Ciucci and Denoeux 2023,
            eq. 31).

        Notes
        -----
        Time as for `belief`.

        Examples
        --------
        >>> import softclust
        >>> x = softclust.EvidentialClustering.from_dicts([{"a": 0.4, ("a", "b"): 0.6}])
        >>> x.plausibility()
        array([[1. , 0.6]])
        """
        if isinstance(sets, str):
            check_choice("sets", sets, ["all"])
            beliefs = self._all_beliefs()
            # Pl(A) = Bel(all) - Bel(complement of A); column b has its complement at 2^c - 1 - b.
            return beliefs[:, -1:] - beliefs[:, ::-1]
        return self._plausibility(self._sets(sets))

    def pignistic(self, normalized: bool = True) -> np.ndarray:
        """Pignistic probabilities: the mass of each set divided evenly over its clusters.

        Parameters
        ----------
        normalized : bool
            Whether to divide by 1 - m(empty).

        Returns
        -------
        ndarray, shape (n, c)
            Between belief and plausibility when not normalized. Rows are nan, with an
            `UndefinedMeasureWarning`, where all mass is on the empty set.

        Examples
        --------
        >>> import softclust
        >>> x = softclust.EvidentialClustering.from_dicts([{"a": 0.4, ("a", "b"): 0.6}])
        >>> x.pignistic()
        array([[0.7, 0.3]])
        """
        shares = self._shares()
        if not normalized or not self.has_empty_mass:
            return shares
        undefined = self._all_on_empty()
        if undefined.any():
            warn(f"pignistic probabilities are undefined for {_objects(undefined)} with all mass "
                 "on the empty set; nan is returned there", UndefinedMeasureWarning, stacklevel=3)
        return shares / np.where(undefined, np.nan, self._nonempty_totals(shares))[:, None]

    def relation(self) -> Relation:
        """The pair masses same / different / undetermined / conflict.

        See `softclust.clusterings.relation.Relation`.
        """
        return KINDS.relation(self)

    def _thresholded(self, values: np.ndarray, threshold: Any) -> CoverClustering:
        """The cover of the clusters in which `values` (n, c) reach the threshold."""
        if (isinstance(threshold, bool) or not isinstance(threshold, (int, float, np.number))
                or not 0.0 < threshold <= 1.0):
            raise ClusteringError(f"threshold is {threshold!r}; a number above 0 and up to 1 is "
                                  "needed")
        inside = values >= threshold
        starts = np.concatenate([[0], np.cumsum(inside.sum(axis=1))]).astype(np.int64)
        return self._derive(KINDS.cover, _starts=starts, _columns=np.nonzero(inside)[1],
                            _n_clusters=self.n_clusters)

    # -- objects and tables -----------------------------------------------------------------
    def subset(self: C, indices: ArrayLike | slice) -> C:
        """Clustering of some of the objects; all clusters are kept, even if empty.

        Parameters
        ----------
        indices : array-like of int, slice, or boolean mask of length n
            Positions of the objects, in the desired order. An object may be taken several times,
            as in a bootstrap sample; its name is then repeated.

        Returns
        -------
        Clustering
            Of the same kind.

        Raises
        ------
        ClusteringError
            If an index is out of range, a mask has the wrong length, or nothing is left.

        Examples
        --------
        >>> import softclust
        >>> softclust.HardClustering(["a", "b", "a"]).subset([2, 0]).labels
        array([0, 0])
        """
        rows = object_positions(indices, self.n_objects)
        new = self._derive(type(self), **self._taken(rows))
        if self._numbered:
            # Positions in the pandas object are its names, as in frame.iloc[rows].
            new._set(_numbered=False, _object_names=tuple(rows.tolist()))
        elif self._object_names is not None:
            new._set(_object_names=tuple(map(self._object_names.__getitem__, rows.tolist())))
        return new

    def _taken(self, rows: np.ndarray) -> dict[str, Any]:
        """The slots of the clustering of the objects at `rows`."""
        return {f: self._take(f, rows) for f in self._fields}

    def _take(self, field: str, rows: np.ndarray) -> Any:
        return np.ascontiguousarray(getattr(self, field)[rows])

    def _table(self) -> SummaryTable:
        more, notes = self._summary_rows()
        rows = [["objects", str(self.n_objects)], ["clusters", str(self.n_clusters)], *more]
        sizes = self._size_texts()
        listed = sizes if len(sizes) <= MAX_SIZES else sizes[:MAX_SIZES - 1]
        rows += [[f"size of cluster {k}", text] for k, text in zip(self.cluster_names, listed)]
        if len(listed) < len(sizes):
            rows.append(["...", f"{len(sizes) - len(listed)} more clusters"])
        return SummaryTable(rows, ["quantity", "value"], aligns="lr", notes=notes,
                            title=f"{self.kind.capitalize()} clustering")

    def _summary_rows(self) -> tuple[list[list[str]], list[str]]:
        """Rows of the summary between the counts and the sizes, and its notes."""
        from ..results.text import number
        single, larger, empty = self.certainty()
        return ([["mass on single clusters", number(single)],
                 ["mass on larger sets", number(larger)],
                 ["mass on the empty set", number(empty)]],
                ["Masses are means over the objects.",
                 "Sizes: sum of beliefs to sum of plausibilities."])

    def _size_texts(self) -> list[str]:
        """Sizes of the clusters as texts: counts, sums of memberships, belief to plausibility."""
        low, high = self.belief().sum(axis=0), self.plausibility().sum(axis=0)
        return [f"{a:.2f} to {b:.2f}" for a, b in zip(low, high)]

    def _frame(self) -> Columns:
        values = self._values()
        return Columns({name: values[:, k] for k, name in enumerate(self.cluster_names)},
                       self._rows_named(), "cluster")

    def _rows_named(self) -> dict[str | None, Any]:
        """The index of a frame with one row per object."""
        if self.object_names is None:
            return {} if self.n_clusters else {None: range(self.n_objects)}
        return {None: self.object_names}

    def _values(self) -> np.ndarray:
        """One column per cluster, (n, c), for frames and for comparing copies."""
        return self.plausibility()

    def equality_key(self) -> tuple[str, int, bytes]:
        """Key that is equal for clusterings which differ only in names and empty clusters."""
        columns = self._values().T.astype(np.float64)
        used = columns[columns.any(axis=1)]
        used = used[np.lexsort(used.T[::-1])] + 0.0   # -0.0 is 0.0
        return self.kind, used.shape[0], used.tobytes()


def _objects(which: np.ndarray) -> str:
    count, first = int(which.sum()), int(np.flatnonzero(which)[0])
    return f"object {first}" if count == 1 else f"{count} objects (the first is {first})"


def _check_tolerance(tie_tol: Any) -> None:
    if not (isinstance(tie_tol, (int, float, np.number)) and 0.0 <= tie_tol < 1.0):
        raise ValueError(f"tie_tol is {shown(tie_tol)}; a number in [0, 1) is needed")
