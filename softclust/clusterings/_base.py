"""What the five kinds of clustering share: names, immutability, equality, pickling, the doors
to the conversions.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from .._checks import ClusteringError, frozen

if TYPE_CHECKING:
    import pandas as pd
    from statsmodels.iolib.table import SimpleTable

    from .evidential import EvidentialClustering
    from .fuzzy import FuzzyClustering
    from .hard import HardClustering
    from .possibilistic import PossibilisticClustering
    from .relation import Relation
    from .rough import RoughClustering


class Clustering:
    """Base class of the five kinds; not made directly.

    Instances are frozen: arrays are own, read-only copies in C order (float64, int64 or bool).
    """

    __slots__ = ("_cache", "_cluster_names", "_object_names")
    __hash__ = None  # type: ignore[assignment]

    _cache: dict[str, Any]
    _cluster_names: tuple[Any, ...] | None
    _object_names: tuple[Any, ...] | None

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
            _object_names=_names(object_names, self.n_objects, "object_names", "objects"),
            _cluster_names=_names(cluster_names, self.n_clusters, "cluster_names", "clusters"),
            _cache={},
        )

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen; make a new one instead")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen; make a new one instead")

    def __getstate__(self) -> dict[str, Any]:
        slots = (*self._fields, "_object_names", "_cluster_names")
        return {name: getattr(self, name) for name in slots}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._set(**state, _cache={})

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
        """Names of the objects, or None when none were given."""
        return self._object_names

    @property
    def cluster_names(self) -> tuple[Any, ...]:
        """Names of the clusters; 0, 1, ... when none were given."""
        if self._cluster_names is None:
            return tuple(range(self.n_clusters))
        return self._cluster_names

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

    # -- doors to the conversions (conversions.py) ------------------------------------------
    def to_evidential(self, focal_sets: Any = "full") -> EvidentialClustering:
        """The same clustering as masses on sets of clusters; nothing is lost.

        See `softclust.clusterings.conversions.to_evidential`.
        """
        from . import conversions
        return conversions.to_evidential(self, focal_sets)

    def to_fuzzy(self, rule: str = "pignistic") -> FuzzyClustering:
        """Memberships by a named rule: ``"pignistic"`` or ``"plausibility"``.

        See `softclust.clusterings.conversions.to_fuzzy`.
        """
        from . import conversions
        return conversions.to_fuzzy(self, rule)

    def to_rough(self, rule: str = "interval_dominance", *, on_empty: str = "raise",
                 tie_tol: float = 1e-12) -> RoughClustering:
        """Lower and upper approximations by ``"interval_dominance"`` or ``"max_mass"``.

        See `softclust.clusterings.conversions.to_rough`.
        """
        from . import conversions
        return conversions.to_rough(self, rule, on_empty=on_empty, tie_tol=tie_tol)

    def to_possibilistic(self) -> PossibilisticClustering:
        """The contour function (plausibility of each single cluster) as typicalities.

        See `softclust.clusterings.conversions.to_possibilistic`.
        """
        from . import conversions
        return conversions.to_possibilistic(self)

    def harden(self, rule: str = "max_plausibility", *, tie_tol: float = 1e-12) -> HardClustering:
        """One label per object: ``"max_plausibility"``, ``"max_belief"``, ``"max_pignistic"``.

        See `softclust.clusterings.conversions.harden`.
        """
        from . import conversions
        return conversions.harden(self, rule, tie_tol=tie_tol)

    def normalize(self, rule: str = "dempster") -> Clustering:
        """Move or divide away the mass on the empty set: ``"dempster"``, ``"yager"``.

        See `softclust.clusterings.conversions.normalize`.
        """
        from . import conversions
        return conversions.normalize(self, rule)

    def belief(self, sets: Any = None) -> np.ndarray:
        """Belief of sets of clusters, shape (n, s); single clusters by default.

        See `softclust.clusterings.conversions.belief`.
        """
        from . import conversions
        return conversions.belief(self, sets)

    def plausibility(self, sets: Any = None) -> np.ndarray:
        """Plausibility of sets of clusters, shape (n, s); single clusters by default.

        See `softclust.clusterings.conversions.plausibility`.
        """
        from . import conversions
        return conversions.plausibility(self, sets)

    def pignistic(self, normalized: bool = True) -> np.ndarray:
        """Pignistic probabilities, shape (n, c).

        See `softclust.clusterings.conversions.pignistic`.
        """
        from . import conversions
        return conversions.pignistic(self, normalized=normalized)

    def relation(self) -> Relation:
        """The pair masses same / different / undetermined / conflict.

        See `softclust.clusterings.relation.Relation`.
        """
        from .relation import Relation
        return Relation(self)

    # -- objects and tables -----------------------------------------------------------------
    def subset(self, indices: Any) -> Clustering:
        """The clustering of some of the objects; clusters stay, empty ones too.

        Parameters
        ----------
        indices : array-like of int, or boolean mask of length n
            Positions of the objects, in the order wanted; repeats are allowed.

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
        rows = _object_positions(indices, self.n_objects)
        new = object.__new__(type(self))
        new._set(**{f: self._take(f, rows) for f in self._fields})
        names = None
        if self._object_names is not None:
            names = [self._object_names[i] for i in rows]
        new._set(_object_names=None if names is None else tuple(names),
                 _cluster_names=self._cluster_names, _cache={})
        return new

    def _take(self, field: str, rows: np.ndarray) -> Any:
        return np.ascontiguousarray(getattr(self, field)[rows])

    def summary(self) -> SimpleTable:
        """A short table: kind, sizes, and how certain the clustering is.

        Returns
        -------
        statsmodels.iolib.table.SimpleTable
            Prints as text; ``.as_html()`` and ``.as_latex_tabular()`` give the other forms.
        """
        from . import frames
        return frames.summary(self)

    def to_frame(self) -> pd.DataFrame:
        """One row per object, one column per cluster (or focal set), names kept.

        Returns
        -------
        pandas.DataFrame
        """
        from . import frames
        return frames.to_frame(self)


def _names(names: Iterable[Any] | None, count: int, argument: str, what: str
           ) -> tuple[Any, ...] | None:
    if names is None:
        return None
    result = tuple(n.item() if isinstance(n, np.generic) else n for n in names)
    if len(result) != count:
        raise ClusteringError(f"{argument} has {len(result)} names for {count} {what}; "
                              "give one name each")
    if len(set(result)) != count:
        raise ClusteringError(f"{argument} has repeated names; make them distinct")
    return result


def _object_positions(indices: Any, n: int) -> np.ndarray:
    rows = np.asarray(indices)
    if rows.ndim != 1:
        raise ClusteringError(f"indices has {rows.ndim} dimensions; one is needed")
    if rows.dtype == bool:
        if rows.shape[0] != n:
            raise ClusteringError(f"the mask has length {rows.shape[0]} for {n} objects")
        rows = np.flatnonzero(rows)
    if rows.size == 0:
        raise ClusteringError("indices selects no object; at least one is needed")
    if rows.dtype.kind not in "iu":
        raise TypeError(f"indices has dtype {rows.dtype}; integers or a boolean mask are needed")
    if rows.min() < -n or rows.max() >= n:
        raise ClusteringError(f"indices reach from {rows.min()} to {rows.max()} "
                              f"for {n} objects (0 to {n - 1})")
    return np.where(rows < 0, rows + n, rows).astype(np.int64)
