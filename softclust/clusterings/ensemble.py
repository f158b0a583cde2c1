"""Several clusterings of the same objects, each of all of them or of some."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property
from operator import index as as_index
from typing import Any, Literal, overload

import numpy as np

from .._checks import ClusteringError, frozen, shown
from .._types import ArrayLike, EnsembleLike, MissingRules, NoiseRules, Objects
from ..results.frames import run_columns
from ..results.records import Columns, Drawn, Record
from ..results.summary import SummaryTable, right
from ..results.text import number
from ._base import KINDS, Clustering
from ._runs import check_run_names, numbered_by_appearance, read_runs, runs_from_indices
from .alignment import Aligned, Policies, settled
from .arrays import NUMBERED, checked_names, frame_names, object_positions
from .coercion import as_clustering
from .draws import GAPS, draws_matrix, tell_runs
from .hard import HardClustering
from .labels import MissingLabels
from .objects import check_object_names, matching_hint, own_names
from .tabulation import Tabulation, tabulate


class Ensemble(Drawn, Record, Sequence[Clustering]):
    """Clusterings of the same objects, in order and by name.

    A clustering may hold only some of the objects, such as a run on a subsample. An object that it
    does not hold is absent from it and does not count there; `present` is the mask. The guide lists
    all ways to make an ensemble.

    Parameters
    ----------
    clusterings : sequence of clustering-like, mapping, DataFrame or list of pairs
        Anything `as_clustering` takes, of any kinds and numbers of clusters. A mapping gives names
        and clusterings, and so does a list of pairs (name, clustering); a data frame (pandas,
        polars, pyarrow) has a row per object and a hard clustering per column; an array has a
        clustering per row.
    names : sequence of str, optional
        Distinct names; by default the keys of the mapping or names of Series, else "0", "1", ...
    noise, noise_label, missing, objects : optional
        Treatment of noise, missing labels and differing objects, as in `align`: all clusterings are
        restricted to the objects kept, and `alignment` records what was done. In addition,
        ``missing="absent"`` treats objects without a label as absent from that clustering; labels
        must then be whole numbers.

    Raises
    ------
    ClusteringError
        If it is empty, one of them is not a clustering, numbers or names of objects differ, or
        names are repeated or not strings (an integer would be taken for a position).

    See Also
    --------
    resampled_clusterings : makes runs on subsamples.

    Notes
    -----
    Of runs (`from_runs`, `from_indices`, ``missing="absent"``) the labels are stored, renumbered by
    first appearance in the smallest of int8, int16 and int32. Their clusterings are made on
    request, of the objects that they hold, with the names of these (or their positions).

    ``to_frame()``: one row per clustering. Indexed by name: kind, n_clusters, and the shares of
    objects that are certainly in one cluster (``certain``), undecided between clusters
    (``undecided``: mean mass outside single clusters and the empty set) and assigned to none
    (``empty``: mean mass of the empty set). Where objects are absent, indexed by run: number of
    objects labelled, their share, n_clusters.

    Examples
    --------
    >>> import softclust
    >>> runs = softclust.Ensemble({"a": [0, 0, 1], "b": [[0.9, 0.1], [0.6, 0.4], [0.2, 0.8]]})
    >>> runs.names, runs.kinds
    (('a', 'b'), ('hard', 'fuzzy'))
    >>> runs["a"].labels
    array([0, 0, 1])
    >>> [x.n_clusters for x in runs]
    [2, 2]
    >>> softclust.Ensemble([[0, 0, 1, None], [None, 5, 5, 2]], missing="absent")
    Ensemble(2 clusterings of 4 objects, 2 absent labels)
    """

    _chart = "plot_members"

    __hash__ = None  # type: ignore[assignment]
    _alignment: Aligned | None
    #: the clusterings, or labels (B, n) of runs; the other is made when it is needed
    _members: tuple[Clustering, ...] | None
    _rows: np.ndarray | None
    _names: tuple[str, ...]
    #: names of the objects of runs
    _naming: Any

    def __init__(self, clusterings: EnsembleLike, names: Iterable[str] | None = None, *,
                 noise: NoiseRules = None, noise_label: Any = -1,
                 missing: MissingRules | Literal["absent"] = "raise", objects: Objects = "same"
                 ) -> None:
        if missing == "absent" or (isinstance(clusterings, Ensemble)
                                   and not clusterings.is_complete):
            # policies that have no use with absent objects
            gaps = missing if missing in ("raise", "absent") else "raise"
            for name, value, default in (("noise", noise, None), ("noise_label", noise_label, -1),
                                         ("missing", missing, gaps), ("objects", objects, "same")):
                if value != default:
                    raise ClusteringError(f"{name}={value!r} is for clusterings with noise or "
                                          f"gaps, and absent objects are left out: leave {name} "
                                          "out, or settle it first with align(...)")
            made = Ensemble.from_runs(clusterings, absent_label=None, names=names)
            self._fill(None, made._rows, made._names, made._naming)
            return
        parts, labels = parts_of(clusterings, names)
        try:
            ready, alignment = settled(parts, [str(v) for v in labels],
                                       Policies(noise, noise_label, missing, objects))
            members = tuple(as_clustering(c, name=f"clusterings[{label!r}]")
                            for c, label in zip(ready, labels))
        except MissingLabels as error:
            raise ClusteringError(f'{error}; Ensemble(..., missing="absent") takes runs that label '
                                  "some of the objects each") from None
        _check_objects(members, labels)
        self._fill(members, None, tuple(str(v) for v in labels), None, alignment)

    def _fill(self, members: tuple[Clustering, ...] | None, rows: np.ndarray | None,
              names: tuple[str, ...], naming: Any = None, alignment: Aligned | None = None
              ) -> None:
        if rows is not None and naming is not NUMBERED:
            naming = checked_names(naming, rows.shape[1], "object")
        self.__dict__.update(_members=members, _rows=None if rows is None else frozen(rows),
                             _names=names, _naming=naming, _alignment=alignment)

    @classmethod
    def _made(cls, *parts: Any) -> Ensemble:
        """Build from valid parts: members, rows, names, naming, alignment."""
        new = object.__new__(cls)
        new._fill(*parts)
        return new

    @classmethod
    def _restored(cls, parts: tuple[Any, ...]) -> Ensemble:
        """The ensemble of parts that were read from a text."""
        members, rows, names, _, _ = parts
        new = cls._made(*parts)
        if (members is None) == (rows is None):
            raise ClusteringError("a stored ensemble has either clusterings or labels of runs")
        if rows is None:
            if not members or not all(isinstance(member, Clustering) for member in members):
                raise ClusteringError("a stored ensemble has clusterings")
            check_run_names(names, len(members), names)
            _check_objects(members, names)
        else:
            check_run_names(names, len(rows), names, "runs")
            if rows.dtype.kind != "i" or rows.ndim != 2 or not np.array_equal(
                    numbered_by_appearance(rows, names), rows):
                raise ClusteringError("the runs of a stored ensemble are not in their form")
        if not isinstance(new._alignment, (Aligned, type(None))):
            raise ClusteringError("the alignment of a stored ensemble is something else")
        return new

    @classmethod
    def from_runs(cls, labels: EnsembleLike, *, absent_label: int | None = -1,
                  names: Iterable[str] | None = None, object_names: Collection[Any] | None = None
                  ) -> Ensemble:
        """Make an ensemble of runs that each label some of the objects.

        Parameters
        ----------
        labels : array-like, shape (B, n), DataFrame, mapping, or list of runs
            Whole numbers, a run per row of an array; a DataFrame has a row per object and a run per
            column. Objects with `absent_label` or a missing label (nan, None, ``pd.NA``, masked)
            are absent. Labels have no order, and those of different runs are unrelated.
        absent_label : int or None, optional
            The number that means "not in this run"; None for none.
        names : sequence of str, optional
            Distinct names of the runs; by default the columns of a frame, else "0", "1", ...
        object_names : sequence, optional
            Distinct names of the objects; by default the index of a DataFrame.

        Returns
        -------
        Ensemble

        Raises
        ------
        ClusteringError
            If there is no run, a run labels no object, runs differ in length, a label is not a
            whole number, or is negative and not `absent_label`.

        Examples
        --------
        >>> import softclust
        >>> runs = softclust.Ensemble.from_runs([[0, 0, 1, -1], [-1, 5, 5, 2]])
        >>> runs.labels
        array([[ 0,  0,  1, -1],
               [-1,  0,  0,  1]], dtype=int8)
        >>> runs.counts
        array([1, 2, 2, 1])
        >>> runs[1].object_names
        (1, 2, 3)
        """
        if isinstance(labels, Ensemble):
            object_names = labels.naming if object_names is None else object_names
            check_run_names(tuple(names or labels.names), len(labels), names, "runs")
            return cls._made(None, labels.labels, tuple(names or labels.names), object_names)
        if object_names is None:
            object_names = frame_names(labels)[0]
        codes, run_names = read_runs(labels, absent_label, names)
        return cls._made(None, numbered_by_appearance(codes, run_names), run_names, object_names)

    @classmethod
    def from_indices(cls, labels: Iterable[ArrayLike], indices: Iterable[ArrayLike], n_objects: int,
                     *, absent_label: int | None = -1, names: Iterable[str] | None = None,
                     object_names: Collection[Any] | None = None) -> Ensemble:
        """Make an ensemble of runs given by the objects that each of them labels.

        Parameters
        ----------
        labels, indices : sequences of B arrays
            Run b gives object ``indices[b][t]`` the label ``labels[b][t]``. An object that
            occurs several times in a run, as in a bootstrap sample, must have one label.
        n_objects : int
            Objects are 0, ..., n_objects - 1.
        absent_label, names, object_names : optional
            As in `from_runs`.

        Returns
        -------
        Ensemble

        Raises
        ------
        ClusteringError
            As `from_runs`; if an index is out of range, or an object gets two labels in one run.

        Examples
        --------
        >>> import softclust
        >>> softclust.Ensemble.from_indices([[0, 1], [1, 1]], [[0, 2], [3, 2]], 4).labels
        array([[ 0, -1,  1, -1],
               [-1, -1,  0,  0]], dtype=int8)
        """
        codes, run_names = runs_from_indices(labels, indices, n_objects, absent_label, names)
        return cls._made(None, numbered_by_appearance(codes, run_names), run_names, object_names)

    @classmethod
    def from_draws(cls, draws: EnsembleLike) -> Ensemble:
        """Make an ensemble of posterior draws of a partition.

        Parameters
        ----------
        draws : array of int, shape (S, n) or (chains, draws, n), xarray variable or DataFrame
            A row of an array is a draw, as in ArviZ and salso; dimensions of an xarray variable,
            such as ``idata.posterior["z"]``, are recognised by their names. A DataFrame has a row
            per object and a draw per column, as everywhere. Also hard clusterings, in a list or by
            name.

        Returns
        -------
        Ensemble
            Of S clusterings, the draws of the first chain first.

        Raises
        ------
        ClusteringError
            If labels are missing or not whole numbers.

        Warns
        -----
        UserWarning
            If an array or frame may be transposed; the text says how it was read.

        Examples
        --------
        >>> import softclust
        >>> softclust.Ensemble.from_draws([[[0, 0, 1], [0, 1, 1]], [[0, 0, 0], [0, 0, 1]]])
        Ensemble(4 clusterings of 3 objects)
        """
        return cls._of_draws(draws)[0]

    @classmethod
    def _of_draws(cls, draws: Any) -> tuple[Ensemble, int]:
        """The ensemble of `from_draws`, and the number of chains, 0 for draws without chains."""
        if isinstance(draws, (Clustering, str, bytes)):
            raise ClusteringError(f"draws is a single {type(draws).__name__}; give draws as rows "
                                  "of a matrix, or as an Ensemble")
        if isinstance(draws, (Ensemble, dict)) or (
                isinstance(draws, (list, tuple)) and draws and isinstance(draws[0], Clustering)):
            made = draws if isinstance(draws, Ensemble) else cls(draws)
            chains = 0
        else:
            labels, naming = draws_matrix(draws)
            chains = labels.shape[0] if labels.ndim == 3 else 0
            made = cls.from_runs(labels.reshape(-1, labels.shape[-1]), absent_label=None,
                                 object_names=naming)
        if not made.is_complete:
            b, i = (int(v) for v in np.argwhere(~made.present)[0])
            raise ClusteringError(f"object {made._called(i)!r} is absent from draw "
                                  f"{made._names[b]!r}; {GAPS}")
        return made, chains

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError("Ensemble is frozen; make a new one instead")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("Ensemble is frozen; make a new one instead")

    def __reduce__(self) -> tuple[Any, ...]:
        return Ensemble._made, (self._members, self._rows, self._names, self._naming,
                                self._alignment)

    # -- contents -----------------------------------------------------------------------------
    @cached_property
    def clusterings(self) -> tuple[Clustering, ...]:
        """The clusterings in order."""
        return tuple(self) if self._members is None else self._members

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the clusterings."""
        return self._names

    @property
    def alignment(self) -> Aligned | None:
        """Treatment of noise, missing labels and absent objects; None if there were none."""
        return self._alignment

    @property
    def kinds(self) -> tuple[str, ...]:
        """Kind of each clustering."""
        if self._members is None:
            return ("hard",) * len(self)
        return tuple(c.kind for c in self._members)

    @cached_property
    def n_clusters(self) -> tuple[int, ...]:
        """Number of clusters of each clustering."""
        if self._members is None:
            return tuple((self.labels.max(axis=1).astype(np.int64) + 1).tolist())
        return tuple(c.n_clusters for c in self._members)

    @property
    def n_objects(self) -> int:
        """Number of objects n."""
        return self.clusterings[0].n_objects if self._rows is None else int(self._rows.shape[1])

    @property
    def object_names(self) -> tuple[Any, ...] | None:
        """Names of the objects, of the first clustering that has them, or None."""
        if self._members is None:
            return None if self._naming is NUMBERED else self._naming
        return next((c.object_names for c in self._members if c.object_names is not None), None)

    @property
    def naming(self) -> tuple[Any, ...] | None:
        """Value of ``object_names`` for a clustering of the same objects."""
        if self._members is None:
            return self._naming
        return next((c.naming for c in self._members if c.naming is not None), None)

    # -- who took part ------------------------------------------------------------------------
    @cached_property
    def labels(self) -> np.ndarray:
        """Labels of hard clusterings by first appearance, -1 for absent, (B, n), read-only.

        int8, int16 or int32; ClusteringError where a clustering is not hard.
        """
        if self._rows is not None:
            return self._rows
        for name, member in zip(self._names, self.clusterings):
            if member.hard_codes is None:
                raise ClusteringError(f"member {name!r} is {member.kind}; runs are hard "
                                      "clusterings: .harden() makes one by a named rule")
        return frozen(numbered_by_appearance(
            (member.as_hard().labels for member in self.clusterings), self._names))

    @property
    def n_runs(self) -> int:
        """Number of clusterings B."""
        return len(self._names)

    @cached_property
    def present(self) -> np.ndarray:
        """Mask of the objects that each clustering holds, (B, n) bool."""
        return frozen(np.ones((len(self), self.n_objects), dtype=np.bool_)
                      if self._rows is None else self._rows >= 0)

    @cached_property
    def counts(self) -> np.ndarray:
        """Number of clusterings that hold each object, (n,) int64."""
        return frozen(np.count_nonzero(self.present, axis=0).astype(np.int64))

    @cached_property
    def is_complete(self) -> bool:
        """True if every clustering holds every object."""
        return self._rows is None or bool((self._rows >= 0).all())

    def complete(self) -> Ensemble:
        """Return this ensemble if every clustering holds every object.

        Raises
        ------
        ClusteringError
            If an object is absent from a clustering.
        """
        if not self.is_complete:
            b, i = (int(v) for v in np.argwhere(~self.present)[0])
            raise ClusteringError(f"object {self._called(i)!r} is absent from run "
                                  f"{self._names[b]!r}; all objects in every run are needed here: "
                                  "take .subset of the objects that are in all of them "
                                  "(runs.counts == runs.n_runs)")
        return self

    def _run(self, b: int) -> Clustering:
        """Clustering b, of the objects that run b labels."""
        if self._rows is None:
            return self.clusterings[b]
        if "clusterings" in self.__dict__:
            return self.clusterings[b]
        held = self._rows[b] >= 0
        codes = self._rows[b][held]
        count = int(codes.max()) + 1
        run = HardClustering.of_codes(codes.astype(np.min_scalar_type(count - 1)), count, None)
        if held.all():
            return run if self._naming is None else run.renamed(self._naming)
        return run.renamed(tuple(self._called(int(i)) for i in np.flatnonzero(held)))

    def _called(self, i: int) -> Any:
        return i if self.object_names is None else self.object_names[i]

    # -- as a sequence ------------------------------------------------------------------------
    def __len__(self) -> int:
        return len(self._names)

    def __iter__(self) -> Iterator[Clustering]:
        return map(self._run, range(len(self)))

    @overload
    def __getitem__(self, key: int | str) -> Clustering: ...

    @overload
    def __getitem__(self, key: slice) -> Ensemble: ...

    def __getitem__(self, key: int | str | slice) -> Clustering | Ensemble:
        if isinstance(key, slice):
            if not self._names[key]:
                raise ClusteringError("the slice holds no clustering; at least one is needed")
            done = None if self._alignment is None else self._alignment._sides(key)
            return Ensemble._made(None if self._members is None else self._members[key],
                                  None if self._rows is None else self._rows[key].copy(),
                                  self._names[key], self._naming, done)
        if isinstance(key, str):
            if key not in self._names:
                raise KeyError(f"no clustering is called {shown(key)}; the names are "
                               + ", ".join(map(repr, self._names)))
            return self._run(self._names.index(key))
        try:
            position = as_index(key)
        except TypeError:
            raise TypeError(f"{shown(key)} is not a name, position or slice") from None
        if not -len(self) <= position < len(self):
            raise IndexError(f"position {position} is out of range for {len(self)} clusterings")
        return self._run(position % len(self))

    def index(self, value: object, start: int = 0, stop: int | None = None) -> int:
        """Position of the first clustering equal to `value`; ValueError when there is none."""
        for position in range(*slice(start, stop).indices(len(self))):
            if self.clusterings[position] is value or self.clusterings[position] == value:
                return position
        raise ValueError(f"{shown(value)} is not among the {len(self)} clusterings; for the place "
                         "of a name use names.index(name)")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Ensemble):
            return NotImplemented
        return (self._names == other._names and self.object_names == other.object_names
                and self.n_objects == other.n_objects and self.clusterings == other.clusterings)

    def __repr__(self) -> str:
        absent = 0 if self.is_complete else self.present.size - int(self.counts.sum())
        return (f"Ensemble({len(self)} clusterings of {self.n_objects} objects"
                + (f", {absent} absent label{'s' if absent > 1 else ''})" if absent else ")"))

    __str__ = __repr__

    def subset(self, indices: ArrayLike | slice) -> Ensemble:
        """Ensemble of some of the objects.

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
            If an index is out of range, a mask has the wrong length, nothing is left, or a run
            labels none of the objects.

        Examples
        --------
        >>> import softclust
        >>> softclust.Ensemble([[0, 0, 1], [0, 1, 1]]).subset([0, 2]).n_objects
        2
        """
        if self._rows is not None:
            rows = object_positions(indices, self.n_objects)
            names: Any = None
            if self._naming is not None:
                names = (tuple(rows.tolist()) if self._naming is NUMBERED
                         else tuple(self._naming[i] for i in rows))
            codes = (run[rows].astype(np.int64) for run in self._rows)
            return Ensemble._made(None, numbered_by_appearance(codes, self._names), self._names,
                                  names)
        if self._alignment is not None:
            done = self._alignment.subset(indices)
            return Ensemble._made(done.clusterings, None, self._names, None, done)
        return Ensemble([c.subset(indices) for c in self.clusterings], self._names)

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
        Clusterings of the same kind are equal when they differ only in the names of clusters and in
        empty clusters; memberships are compared to the last bit. Time O(n c log c) each. R:
        ``clue::cl_tabulate``, which counts relabelled copies separately.

        Examples
        --------
        >>> import softclust
        >>> table = softclust.Ensemble([[0, 0, 1], [1, 1, 0], [0, 1, 1]]).tabulate()
        >>> len(table.clusterings), table.counts
        (2, array([2, 1]))
        """
        return tabulate(self)

    def _frame(self) -> Columns:
        if not self.is_complete:
            held = self.present.sum(axis=1)
            return Columns({"n_objects": held, "share": held / self.n_objects,
                            "n_clusters": self.n_clusters}, {"run": self.names})
        certain, undecided, empty = zip(*(x.certainty() for x in self))
        return Columns({"kind": self.kinds, "n_clusters": self.n_clusters, "certain": certain,
                        "undecided": undecided, "empty": empty}, {"name": self.names})

    def _table(self) -> SummaryTable:
        if not self.is_complete:
            quantities = {"objects per run": self.present.sum(axis=1),
                          "clusters per run": np.array(self.n_clusters),
                          "runs per object": self.counts}
            values = quantities.values()
            never = int(np.count_nonzero(self.counts == 0))
            return SummaryTable.of(
                {"quantity": quantities, "least": right(v.min() for v in values),
                 "median": right((np.median(v) for v in values), "g"),
                 "most": right(v.max() for v in values)},
                title=f"{self.n_runs} runs of {self.n_objects} objects",
                notes=[f"{never} objects are in no run."] if never else [])
        certain, undecided, empty = zip(*(x.certainty() for x in self))
        return SummaryTable.of(
            {"name": self.names, "kind": self.kinds, "clusters": right(self.n_clusters),
             "certain": right(certain, number), "undecided": right(undecided, number),
             "empty": right(empty, number)},
            title=f"{len(self)} clusterings of {self.n_objects} objects",
            notes=["Mean masses on single clusters, on larger sets, and on the empty set; a cover "
                   "has none."])


KINDS.ensemble = Ensemble


def parts_of(clusterings: Any, names: Iterable[str] | None = None
             ) -> tuple[list[Any], tuple[str, ...]]:
    """Input of `Ensemble` as a list with distinct names."""
    parts, keys = _parts(clusterings)
    if not parts:
        raise ClusteringError("clusterings is empty; at least one clustering is needed")
    labels = tuple(keys if names is None else names)
    check_run_names(labels, len(parts), names)
    return parts, labels


def _parts(clusterings: Any) -> tuple[list[Any], list[str]]:
    """Clusterings and their names from a mapping, a DataFrame or a sequence."""
    if isinstance(clusterings, Clustering):
        raise ClusteringError("clusterings is a single clustering; give a list of them")
    if isinstance(clusterings, Ensemble):
        return list(clusterings.complete()), list(clusterings.names)
    if (columns := run_columns(clusterings)) is not None:
        return columns
    if hasattr(clusterings, "items") and hasattr(clusterings, "keys"):
        pairs = list(clusterings.items())
        return [value for _, value in pairs], [key for key, _ in pairs]
    tell_runs("clusterings", clusterings)
    try:
        parts = list(clusterings)
    except TypeError:
        raise ClusteringError(f"clusterings is of type {type(clusterings).__name__}; a list, a "
                              "dict or a DataFrame of clusterings is needed") from None
    if all(type(part) is tuple and len(part) == 2 and type(part[0]) is str for part in parts):
        return [part[1] for part in parts], [part[0] for part in parts]
    return parts, list(own_names(parts, [str(i) for i in range(len(parts))]))


def _check_objects(members: tuple[Clustering, ...], labels: tuple[str, ...]) -> None:
    n = members[0].n_objects
    for label, member in zip(labels, members):
        if member.n_objects != n:
            raise ClusteringError(f"clustering {label!r} has {member.n_objects} objects and "
                                  f"{labels[0]!r} has {n}; the same objects are needed"
                                  + matching_hint(member, members[0]))
    check_object_names((f"clustering {label!r}", member)
                       for label, member in zip(labels, members))
