"""Several clusterings of the same objects."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import index as as_index
from typing import TYPE_CHECKING, Any, overload

from .._checks import ClusteringError, shown
from .._records import Drawn
from .._summary import SummaryTable
from ._base import Clustering
from .alignment import Aligned, settled
from .coercion import as_clustering
from .frames import ensemble_frame, ensemble_summary
from .labels import MISSING
from .objects import check_object_names
from .tabulation import Tabulation, tabulate

if TYPE_CHECKING:
    import pandas as pd



class Ensemble(Drawn, Sequence[Clustering]):
    """Clusterings of the same objects, in order and by name.

    Parameters
    ----------
    clusterings : sequence of clustering-like, mapping or DataFrame
        Anything `as_clustering` takes, of any kinds and numbers of clusters. A mapping gives
        names and clusterings, a DataFrame one hard clustering per column.
    names : sequence of str, optional
        Distinct names; by default the keys of the mapping, else "0", "1", ...
    noise, noise_label, missing, objects : optional
        What noise and missing labels are and how objects are matched, as in `align`: all
        clusterings are about the objects that are kept. `alignment` says what was done.

    Raises
    ------
    ClusteringError
        If it is empty, one of them is no clustering, numbers or names of objects differ, or
        names are repeated or no strings (an integer would be taken for a position).

    Examples
    --------
    >>> import softclust as sc
    >>> runs = sc.Ensemble({"a": [0, 0, 1], "b": [[0.9, 0.1], [0.6, 0.4], [0.2, 0.8]]})
    >>> runs.names, runs.kinds
    (('a', 'b'), ('hard', 'fuzzy'))
    >>> runs["a"].labels
    array([0, 0, 1])
    >>> [x.n_clusters for x in runs]
    [2, 2]
    """

    _chart = "plot_members"

    __slots__ = ("_alignment", "_clusterings", "_names")
    __hash__ = None  # type: ignore[assignment]
    _clusterings: tuple[Clustering, ...]
    _names: tuple[str, ...]
    _alignment: Aligned | None

    def __init__(self, clusterings: Any, names: Iterable[str] | None = None, *,
                 noise: Any = "cluster", noise_label: Any = -1, missing: Any = "raise",
                 objects: str = "same") -> None:
        given, labels = parts_of(clusterings, names)
        try:
            ready, alignment = settled(given, [str(v) for v in labels], noise=noise,
                                       noise_label=noise_label, missing=missing, objects=objects)
            members = tuple(as_clustering(c, name=f"clusterings[{label!r}]")
                            for c, label in zip(ready, labels))
        except ClusteringError as error:
            if MISSING not in str(error):
                raise
            raise ClusteringError(f"{error}; PartialEnsemble takes runs that label some of the "
                                  "objects each") from None
        _check_objects(members, labels)
        object.__setattr__(self, "_alignment", alignment)
        object.__setattr__(self, "_clusterings", members)
        object.__setattr__(self, "_names", tuple(str(v) for v in labels))

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError("Ensemble is frozen; make a new one instead")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("Ensemble is frozen; make a new one instead")

    def __reduce__(self) -> tuple[Any, ...]:
        return Ensemble._made, (self._clusterings, self._names, self._alignment)

    @classmethod
    def _made(cls, members: tuple[Clustering, ...], names: tuple[str, ...],
              alignment: Aligned | None) -> Ensemble:
        """An ensemble of ready clusterings, with the record of what was done to them."""
        made = cls(members, names)
        object.__setattr__(made, "_alignment", alignment)
        return made

    @property
    def clusterings(self) -> tuple[Clustering, ...]:
        """The clusterings in order."""
        return self._clusterings

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the clusterings."""
        return self._names

    @property
    def alignment(self) -> Aligned | None:
        """What was done about noise, missing labels and other objects; None for nothing."""
        return self._alignment

    @property
    def kinds(self) -> tuple[str, ...]:
        """Kind of each clustering."""
        return tuple(c.kind for c in self._clusterings)

    @property
    def n_clusters(self) -> tuple[int, ...]:
        """Number of clusters of each clustering."""
        return tuple(c.n_clusters for c in self._clusterings)

    @property
    def n_objects(self) -> int:
        """Number of objects n."""
        return self._clusterings[0].n_objects

    @property
    def object_names(self) -> tuple[Any, ...] | None:
        """Names of the objects, of the first clustering that has them, or None."""
        found = (c.object_names for c in self._clusterings if c.object_names is not None)
        return next(found, None)

    @property
    def naming(self) -> tuple[Any, ...] | None:
        """What a clustering of the same objects takes as ``object_names``."""
        return next((c.naming for c in self._clusterings if c.naming is not None), None)

    def __len__(self) -> int:
        return len(self._clusterings)

    @overload
    def __getitem__(self, key: int | str) -> Clustering: ...

    @overload
    def __getitem__(self, key: slice) -> Ensemble: ...

    def __getitem__(self, key: int | str | slice) -> Clustering | Ensemble:
        if isinstance(key, slice):
            done = None if self._alignment is None else self._alignment._sides(key)
            return Ensemble._made(self._clusterings[key], self._names[key], done)
        if isinstance(key, str):
            if key not in self._names:
                raise KeyError(f"no clustering is called {shown(key)}; the names are "
                               + ", ".join(map(repr, self._names)))
            return self._clusterings[self._names.index(key)]
        try:
            position = as_index(key)
        except TypeError:
            raise TypeError(f"{shown(key)} is no name, position or slice") from None
        if not -len(self) <= position < len(self):
            raise IndexError(f"position {position} is out of range for {len(self)} clusterings")
        return self._clusterings[position]

    def index(self, value: Any, start: int = 0, stop: int | None = None) -> int:
        """Position of the first clustering equal to `value`; ValueError when there is none."""
        for position in range(*slice(start, stop).indices(len(self))):
            if self._clusterings[position] is value or self._clusterings[position] == value:
                return position
        raise ValueError(f"{shown(value)} is not among the {len(self)} clusterings; for the place "
                         "of a name use names.index(name)")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Ensemble):
            return NotImplemented
        return self._names == other._names and self._clusterings == other._clusterings

    def __repr__(self) -> str:
        return f"Ensemble({len(self)} clusterings of {self.n_objects} objects)"

    def subset(self, indices: Any) -> Ensemble:
        """The same clusterings of some of the objects.

        Parameters
        ----------
        indices : array-like of int, slice, or boolean mask of length n
            As in `HardClustering.subset`.

        Returns
        -------
        Ensemble
            Its `alignment` counts the objects left out as dropped.

        Raises
        ------
        ClusteringError
            If an index is out of range, a mask has the wrong length, or nothing is left.

        Examples
        --------
        >>> import softclust as sc
        >>> sc.Ensemble([[0, 0, 1], [0, 1, 1]]).subset([0, 2]).n_objects
        2
        """
        if self._alignment is not None:
            done = self._alignment.subset(indices)
            return Ensemble._made(done.clusterings, self._names, done)
        return Ensemble([c.subset(indices) for c in self._clusterings], self._names)

    def tabulate(self) -> Tabulation:
        """Distinct clusterings and how often each occurs; relabelled copies count as one.

        Returns
        -------
        Tabulation
            ``.clusterings`` (the distinct ones in order of appearance), ``.counts``, ``.index``.

        Raises
        ------
        ClusteringError
            If a clustering is evidential.

        Notes
        -----
        Clusterings of the same kind are equal when they differ in the names of clusters and in
        empty clusters only; memberships are compared to the last bit. Time O(n c log c) each. R:
        ``clue::cl_tabulate``, which counts copies with other labels apart.

        Examples
        --------
        >>> import softclust as sc
        >>> table = sc.Ensemble([[0, 0, 1], [1, 1, 0], [0, 1, 1]]).tabulate()
        >>> len(table.clusterings), table.counts
        (2, array([2, 1]))
        """
        return tabulate(self)

    def to_frame(self) -> pd.DataFrame:
        """One row per clustering.

        Returns
        -------
        pandas.DataFrame
            Indexed by name: kind, n_clusters, and the shares of objects that are assigned to one
            cluster for certain (``certain``), undecided between clusters (``undecided``: mean
            mass outside single clusters and the empty set) and assigned to none (``empty``: mean
            mass of the empty set).

        Examples
        --------
        >>> import softclust as sc
        >>> sc.Ensemble({"a": [0, 0, 1], "b": [0, 1, 2]}).to_frame()["n_clusters"].tolist()
        [2, 3]
        """
        return ensemble_frame(self)

    def summary(self) -> SummaryTable:
        """A table with one row per clustering, the columns of `to_frame`.

        Returns
        -------
        SummaryTable
            Prints as text; ``.as_html()``, ``.as_latex_tabular()`` and ``.as_csv()`` give the other
            forms.

        Examples
        --------
        >>> import softclust as sc
        >>> table = sc.Ensemble([[0, 0, 1], [0, 1, 2]]).summary()
        """
        return ensemble_summary(self)


def parts_of(clusterings: Any, names: Iterable[str] | None = None
             ) -> tuple[list[Any], tuple[str, ...]]:
    """What `Ensemble` takes, as a list and distinct names."""
    given, keys = _parts(clusterings)
    if not given:
        raise ClusteringError("clusterings is empty; at least one clustering is needed")
    labels = tuple(keys if names is None else names)
    check_run_names(labels, len(given), names)
    return given, labels


def _parts(clusterings: Any) -> tuple[list[Any], list[str]]:
    """Clusterings and their names from a mapping, a DataFrame or a sequence."""
    if isinstance(clusterings, Clustering):
        raise ClusteringError("clusterings is a single clustering; give a list of them")
    if isinstance(clusterings, Ensemble):
        return list(clusterings.clusterings), list(clusterings.names)
    if hasattr(clusterings, "items") and hasattr(clusterings, "keys"):
        pairs = list(clusterings.items())
        keys = [key for key, _ in pairs]
        if type(getattr(clusterings, "columns", None)).__name__ == "RangeIndex":
            keys = [str(key) for key in keys]
        return [value for _, value in pairs], keys
    try:
        given = list(clusterings)
    except TypeError:
        raise ClusteringError(f"clusterings is of type {type(clusterings).__name__}; a list, a "
                              "dict or a DataFrame of clusterings is needed") from None
    return given, [str(i) for i in range(len(given))]


def check_run_names(labels: tuple[Any, ...], count: int, names: Any,
                    what: str = "clusterings") -> None:
    """Raise unless there are `count` distinct strings; `names` is what the user gave."""
    if isinstance(names, str):
        raise ClusteringError(f"names is the string {names!r}; a list of names is needed")
    if len(labels) != count:
        raise ClusteringError(f"names has {len(labels)} names for {count} {what}; "
                              "give one name each")
    for label in labels:
        if not isinstance(label, str):
            raise ClusteringError(f"the name {label!r} is of type {type(label).__name__}; names "
                                  f"must be strings, such as {str(label)!r}: numbers are positions")
    if len(set(labels)) != count:
        twice = next(v for v in labels if labels.count(v) > 1)
        raise ClusteringError(f"the name {twice!r} is repeated; names must be distinct")


def _check_objects(members: tuple[Clustering, ...], labels: tuple[str, ...]) -> None:
    n = members[0].n_objects
    for label, member in zip(labels, members):
        if member.n_objects != n:
            raise ClusteringError(f"clustering {label!r} has {member.n_objects} objects and "
                                  f"{labels[0]!r} has {n}; the same objects are needed")
    check_object_names((f"clustering {label!r}", member)
                       for label, member in zip(labels, members))
