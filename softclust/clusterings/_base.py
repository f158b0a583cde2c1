"""What all kinds of clustering share: names, equality, pickling, doors to the conversions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np

from .._checks import frozen
from .._records import Drawn
from .arrays import NUMBERED, checked_names, object_positions

if TYPE_CHECKING:
    import pandas as pd
    from statsmodels.iolib.table import SimpleTable

    from .evidential import EvidentialClustering
    from .fuzzy import FuzzyClustering
    from .hard import HardClustering
    from .possibilistic import PossibilisticClustering
    from .relation import Relation
    from .rough import RoughClustering

C = TypeVar("C", bound="Clustering")
D = TypeVar("D", bound="Clustering")
F = TypeVar("F", bound=Callable[..., Any])

#: what the methods below call: functions that know all kinds, which this file cannot import
_METHODS: dict[str, Callable[..., Any]] = {}


def method(function: F) -> F:
    """Make `function` the method of its name of every clustering."""
    _METHODS[function.__name__] = function
    return function


class Clustering(Drawn):
    """Base class of the five kinds and of covers; not made directly.

    Instances are frozen: arrays are own, read-only copies in C order (float64, int64 or bool).
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
    #: names of the slots that hold the data, in constructor order
    _fields: ClassVar[tuple[str, ...]]

    # -- construction ---------------------------------------------------------------------
    def _set(self, **values: Any) -> None:
        """Set slots once, from the constructor; arrays become read-only."""
        for name, value in values.items():
            if isinstance(value, np.ndarray):
                frozen(value)
            object.__setattr__(self, name, value)

    def _set_names(self, object_names: Iterable[Any] | None,
                   cluster_names: Iterable[Any] | None) -> None:
        self._set(
            _object_names=checked_names(object_names, self.n_objects, "object"),
            _cluster_names=checked_names(cluster_names, self.n_clusters, "cluster"),
            _numbered=object_names is NUMBERED, _cache={},
        )

    def _derive(self, kind: type[D], **fields: Any) -> D:
        """A clustering of these objects and clusters from arrays that are right and owned."""
        new = object.__new__(kind)
        new._set(**fields, _object_names=self._object_names, _cluster_names=self._cluster_names,
                 _numbered=self._numbered, _cache={})
        return new

    def renamed(self: C, object_names: Iterable[Any] | None) -> C:
        """This clustering with other names of its objects."""
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

    # -- identity -------------------------------------------------------------------------
    @property
    def n_objects(self) -> int:
        """Number of objects n."""
        raise NotImplementedError

    @property
    def n_clusters(self) -> int:
        """Number of clusters c, empty ones included."""
        raise NotImplementedError

    @property
    def object_names(self) -> tuple[Any, ...] | None:
        """Names of the objects; None when none were given, or by the default index of pandas."""
        return self._object_names

    @property
    def matched_names(self) -> Sequence[Any] | None:
        """What the objects are called when clusterings are compared or aligned.

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
        """What a clustering of the same objects takes as ``object_names``."""
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

    # -- doors to what is marked `method` in conversions.py, belief.py, relation.py, frames.py ---
    def to_evidential(self, focal_sets: Any = "full") -> EvidentialClustering:
        """The same clustering as masses on sets of clusters; nothing is lost.

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
        >>> import softclust as sc
        >>> sc.FuzzyClustering([[0.9, 0.1]]).to_evidential().mass
        array([[0. , 0.9, 0.1, 0. ]])
        """
        return _METHODS["to_evidential"](self, focal_sets)

    def to_fuzzy(self, rule: str = "pignistic") -> FuzzyClustering:
        """Memberships that sum to 1, by a named rule.

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
        >>> import softclust as sc
        >>> sc.RoughClustering.from_upper([[1, 1], [0, 1]]).to_fuzzy().membership
        array([[0.5, 0.5],
               [0. , 1. ]])
        """
        return _METHODS["to_fuzzy"](self, rule)

    def to_rough(self, rule: str = "interval_dominance", *, on_empty: str = "raise",
                 tie_tol: float = 1e-12) -> RoughClustering:
        """The clusters that remain possible for each object, by a named rule.

        Parameters
        ----------
        rule : {"interval_dominance", "max_mass"}
            T_i = clusters of positive plausibility that reaches the largest belief (all clusters
            when all mass is on the empty set), or the set with the largest mass.
        on_empty : {"raise", "vacuous", "nonempty"}
            For "max_mass", when the empty set has the largest mass (an outlier): an error, all
            clusters, or the best other set.
        tie_tol : float
            Within this distance numbers are equal; of equal masses the first set wins.

        Returns
        -------
        RoughClustering

        Raises
        ------
        ClusteringError
            As `on_empty` says.

        Notes
        -----
        R evclust breaks ties at random, with relative tolerance 1e-5, and counts a cluster of
        plausibility 0 as not dominated when no cluster has belief.

        Examples
        --------
        >>> import softclust as sc
        >>> x = sc.EvidentialClustering.from_dicts([{"a": 0.4, ("a", "b"): 0.6}, {"b": 1.0}])
        >>> x.to_rough("max_mass").upper
        array([[ True,  True],
               [False,  True]])
        """
        return _METHODS["to_rough"](self, rule, on_empty=on_empty, tie_tol=tie_tol)

    def to_possibilistic(self) -> PossibilisticClustering:
        """The contour function, the plausibility of each single cluster, as typicalities.

        Returns
        -------
        PossibilisticClustering

        Examples
        --------
        >>> import softclust as sc
        >>> sc.EvidentialClustering([[0.5, 0.5]], [[1, 0], [1, 1]]).to_possibilistic().typicality
        array([[1. , 0.5]])
        """
        return _METHODS["to_possibilistic"](self)

    def harden(self, rule: str = "max_plausibility", *, tie_tol: float = 1e-12) -> HardClustering:
        """One label per object, by a named rule.

        Parameters
        ----------
        rule : {"max_plausibility", "max_belief", "max_pignistic"}
            What is largest; all three are the largest membership of a fuzzy clustering.
        tie_tol : float
            Within this distance of the largest, the lowest cluster wins.

        Returns
        -------
        HardClustering
            With the same clusters, empty ones too.

        Raises
        ------
        ClusteringError
            If an object has all its mass on the empty set: no label is better than another.

        Examples
        --------
        >>> import softclust as sc
        >>> sc.FuzzyClustering([[0.2, 0.8], [0.5, 0.5]]).harden().labels
        array([1, 0])
        """
        return _METHODS["harden"](self, rule, tie_tol=tie_tol)

    def normalize(self: C, rule: str = "dempster") -> C:
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
            Of the same kind; hard, rough and fuzzy clusterings have no empty mass and come back
            as they are.

        Raises
        ------
        ClusteringError
            If all mass of an object is on the empty set, except for "yager".

        Examples
        --------
        >>> import softclust as sc
        >>> x = sc.EvidentialClustering.from_dicts([{(): 0.5, "a": 0.25, ("a", "b"): 0.25}])
        >>> x.normalize("yager").mass
        array([[0.  , 0.25, 0.75]])
        """
        return _METHODS["normalize"](self, rule)

    def belief(self, sets: Any = None) -> np.ndarray:
        """Belief: the mass of the non-empty sets within a set of clusters.

        Parameters
        ----------
        sets : None, "all", or array of bool or 0/1, shape (s, c)
            Single clusters, every subset in bit mask order, or the rows given.

        Returns
        -------
        ndarray, shape (n, s)
            In [0, 1]; Bel(A) = sum of m(B) over non-empty B within A [transport paper, eq. 31].

        Notes
        -----
        Time O(n f s), "all" O(n c 2^c) by the fast zeta transform.

        Examples
        --------
        >>> import softclust as sc
        >>> x = sc.EvidentialClustering.from_dicts([{"a": 0.4, ("a", "b"): 0.6}])
        >>> x.belief(), x.belief([[1, 1]])
        (array([[0.4, 0. ]]), array([[1.]]))
        """
        return _METHODS["belief"](self, sets)

    def plausibility(self, sets: Any = None) -> np.ndarray:
        """Plausibility: the mass of the sets that meet a set of clusters.

        Parameters
        ----------
        sets : None, "all", or array of bool or 0/1, shape (s, c)
            Single clusters, every subset in bit mask order, or the rows given.

        Returns
        -------
        ndarray, shape (n, s)
            In [0, 1]; Pl(A) = sum of m(B) over B that meet A [transport paper, eq. 31].

        Notes
        -----
        Time as for `belief`.

        Examples
        --------
        >>> import softclust as sc
        >>> x = sc.EvidentialClustering.from_dicts([{"a": 0.4, ("a", "b"): 0.6}])
        >>> x.plausibility()
        array([[1. , 0.6]])
        """
        return _METHODS["plausibility"](self, sets)

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
        >>> import softclust as sc
        >>> x = sc.EvidentialClustering.from_dicts([{"a": 0.4, ("a", "b"): 0.6}])
        >>> x.pignistic()
        array([[0.7, 0.3]])
        """
        return _METHODS["pignistic"](self, normalized=normalized)

    def relation(self) -> Relation:
        """The pair masses same / different / undetermined / conflict.

        See `softclust.clusterings.relation.Relation`.
        """
        return _METHODS["relation"](self)

    # -- objects and tables -----------------------------------------------------------------
    def subset(self: C, indices: Any) -> C:
        """The clustering of some of the objects; clusters stay, empty ones too.

        Parameters
        ----------
        indices : array-like of int, slice, or boolean mask of length n
            Positions of the objects, in the order wanted. An object may be taken several times,
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
        >>> import softclust as sc
        >>> sc.HardClustering(["a", "b", "a"]).subset([2, 0]).labels
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

    def summary(self) -> SimpleTable:
        """A short table: kind, sizes, and how certain the clustering is.

        Returns
        -------
        statsmodels.iolib.table.SimpleTable
            Prints as text; ``.as_html()`` and ``.as_latex_tabular()`` give the other forms.

        Examples
        --------
        >>> import softclust as sc
        >>> print(sc.HardClustering(["a", "b", "a"]).summary())
        Hard clustering
        ========================
        quantity           value
        ------------------------
        objects                3
        clusters               2
        size of cluster a      2
        size of cluster b      1
        ========================
        """
        return _METHODS["summary"](self)

    def to_frame(self) -> pd.DataFrame:
        """One row per object, names of objects and clusters kept.

        Returns
        -------
        pandas.DataFrame
            Hard: one categorical column ``cluster``. Rough: one boolean column per cluster, the
            upper approximation. Cover: one boolean column per cluster. Fuzzy, possibilistic: one
            column per cluster. Evidential: one column per focal set, named like ``{a, b}``.
            `as_clustering` makes the clustering of it again (of the column of a hard one; rough,
            cover, possibilistic and evidential with their kind).

        Examples
        --------
        >>> import softclust as sc
        >>> sc.FuzzyClustering([[0.9, 0.1]], cluster_names=["a", "b"]).to_frame()
        cluster    a    b
        0        0.9  0.1
        """
        return _METHODS["to_frame"](self)
