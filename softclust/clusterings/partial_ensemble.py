"""Several hard clusterings that each label some of the objects."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from operator import index as as_index
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from .._checks import ClusteringError, frozen, shown
from .._records import Drawn
from .._summary import SummaryTable
from ._runs import numbered_by_appearance, read_runs, runs_from_indices
from .arrays import NUMBERED, checked_names, frame_names, object_positions
from .ensemble import Ensemble
from .hard import HardClustering

if TYPE_CHECKING:
    import pandas as pd


class PartialEnsemble(Drawn, Sequence[HardClustering]):
    """Hard clusterings ("runs") that each label some of the same objects.

    Runs on subsamples or bootstrap samples, or with different gaps. An object that a run does not
    label is absent from it: it costs nothing there and counts for nothing.

    Parameters
    ----------
    labels : array-like, shape (B, n), DataFrame, mapping, or list of runs
        Whole numbers, a run per row; in a DataFrame or mapping a run per column. Absent are
        `absent_label` and what is missing: nan, None, ``pd.NA``, masked. Within a run labels are
        names without order; no label of one run has to do with that of another.
    absent_label : int or None, optional
        The number that means "not in this run"; None for none.
    names : sequence of str, optional
        Distinct names of the runs; by default the columns of a frame, else "0", "1", ...
    object_names : sequence, optional
        Distinct names of the objects; by default the index of a DataFrame.

    Raises
    ------
    ClusteringError
        If there is no run, a run labels no object, runs differ in length, a label is no whole
        number, or it is negative and not `absent_label`.

    See Also
    --------
    Ensemble : clusterings of any kind that all cover all objects.
    resampled_clusterings : makes runs on subsamples.

    Notes
    -----
    Labels of each run are renumbered 0, 1, ... by first appearance and kept in the smallest of
    int8, int16 and int32 (1 byte per run and object up to 128 clusters). A run taken out,
    ``runs[b]``, is the clustering of the objects that it labels, with their names (their
    positions where objects have none). Time and memory O(B n).

    Theory: docs/theory/ensembles.md.

    Examples
    --------
    >>> import softclust as sc
    >>> runs = sc.PartialEnsemble([[0, 0, 1, -1], [-1, 5, 5, 2]])
    >>> runs
    PartialEnsemble(2 runs of 4 objects)
    >>> runs.labels
    array([[ 0,  0,  1, -1],
           [-1,  0,  0,  1]], dtype=int8)
    >>> runs.counts
    array([1, 2, 2, 1])
    >>> runs[1].object_names
    (1, 2, 3)
    """

    _chart = "plot_members"

    __hash__ = None  # type: ignore[assignment]
    _labels: np.ndarray
    _names: tuple[str, ...]
    _object_names: tuple[Any, ...] | None
    _numbered: bool

    def __init__(self, labels: Any, *, absent_label: int | None = -1,
                 names: Iterable[str] | None = None,
                 object_names: Sequence[Any] | None = None) -> None:
        if isinstance(labels, (PartialEnsemble, Ensemble)) and object_names is None:
            object_names = labels.naming
        elif object_names is None:
            object_names = frame_names(labels)[0]
        if isinstance(labels, PartialEnsemble):
            names = labels.names if names is None else names
            labels, absent_label = labels.labels, -1
        codes, found = read_runs(labels, absent_label, names)
        self._set(numbered_by_appearance(codes, found), found, object_names)

    def _set(self, labels: np.ndarray, names: tuple[str, ...], object_names: Any) -> None:
        values = {"_labels": frozen(labels), "_names": names,
                  "_object_names": checked_names(object_names, labels.shape[1], "object"),
                  "_numbered": object_names is NUMBERED}
        self.__dict__.update(values)

    @classmethod
    def _of(cls, labels: np.ndarray, names: tuple[str, ...], object_names: Any) -> PartialEnsemble:
        """Of labels by first appearance already."""
        new = object.__new__(cls)
        new._set(labels, names, object_names)
        return new

    @classmethod
    def from_indices(cls, labels: Any, indices: Any, n_objects: int, *,
                     absent_label: int | None = -1, names: Iterable[str] | None = None,
                     object_names: Sequence[Any] | None = None) -> PartialEnsemble:
        """Runs given by the objects that each of them labels.

        Parameters
        ----------
        labels, indices : sequences of B arrays
            Run b gives object ``indices[b][t]`` the label ``labels[b][t]``. An object that
            occurs several times in a run, as in a bootstrap sample, must have one label.
        n_objects : int
            Objects are 0, ..., n_objects - 1.
        absent_label, names, object_names : optional
            As in the constructor.

        Returns
        -------
        PartialEnsemble

        Raises
        ------
        ClusteringError
            As the constructor; if an index is out of range, or an object gets two labels in one
            run.

        Examples
        --------
        >>> import softclust as sc
        >>> sc.PartialEnsemble.from_indices([[0, 1], [1, 1]], [[0, 2], [3, 2]], 4).labels
        array([[ 0, -1,  1, -1],
               [-1, -1,  0,  0]], dtype=int8)
        """
        codes, found = runs_from_indices(labels, indices, n_objects, absent_label, names)
        return cls._of(numbered_by_appearance(codes, found), found, object_names)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError("PartialEnsemble is frozen; make a new one instead")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("PartialEnsemble is frozen; make a new one instead")

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuilt, (self._labels, self._names, self.naming)

    # -- what it holds ------------------------------------------------------------------------
    @property
    def labels(self) -> np.ndarray:
        """Labels by first appearance, -1 for absent, (B, n) int8, int16 or int32, read-only."""
        return self._labels

    @cached_property
    def present(self) -> np.ndarray:
        """Whether a run labels an object, (B, n) bool."""
        return frozen(self._labels >= 0)

    @cached_property
    def counts(self) -> np.ndarray:
        """Number of runs that label each object, (n,) int64."""
        return frozen(np.count_nonzero(self._labels >= 0, axis=0).astype(np.int64))

    @cached_property
    def n_clusters(self) -> np.ndarray:
        """Number of clusters of each run, (B,) int64."""
        return frozen(self._labels.max(axis=1).astype(np.int64) + 1)

    @property
    def n_runs(self) -> int:
        """Number of runs B."""
        return int(self._labels.shape[0])

    @property
    def n_objects(self) -> int:
        """Number of objects n."""
        return int(self._labels.shape[1])

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the runs."""
        return self._names

    @property
    def kinds(self) -> tuple[str, ...]:
        """Kind of each run: "hard"."""
        return ("hard",) * self.n_runs

    @property
    def object_names(self) -> tuple[Any, ...] | None:
        """Names of the objects, or None."""
        return self._object_names

    @property
    def naming(self) -> tuple[Any, ...] | None:
        """What a clustering of the same objects takes as ``object_names``."""
        return NUMBERED if self._numbered else self._object_names

    @cached_property
    def is_complete(self) -> bool:
        """Whether every run labels every object."""
        return bool((self._labels >= 0).all())

    def to_ensemble(self) -> Ensemble:
        """The same runs as an `Ensemble`, where all label all objects.

        Returns
        -------
        Ensemble
            Of hard clusterings.

        Raises
        ------
        ClusteringError
            If an object is absent from a run.

        Examples
        --------
        >>> import softclust as sc
        >>> sc.PartialEnsemble([[3, 3, 1], [0, 1, 1]]).to_ensemble()
        Ensemble(2 clusterings of 3 objects)
        """
        if not self.is_complete:
            b, i = (int(v) for v in np.argwhere(self._labels < 0)[0])
            raise ClusteringError(f"object {self._called(i)!r} is absent from run "
                                  f"{self._names[b]!r}; an Ensemble needs all objects in every "
                                  "run: take .subset of the objects that are in all of them "
                                  "(runs.counts == runs.n_runs)")
        return Ensemble([self._run(b) for b in range(self.n_runs)], self._names)

    def _run(self, b: int) -> HardClustering:
        """Run b as a clustering of the objects that it labels."""
        held = self._labels[b] >= 0
        count = int(self.n_clusters[b])
        codes = self._labels[b][held].astype(np.min_scalar_type(count - 1))
        run = HardClustering.of_codes(codes, count, None)
        if held.all():
            return run if self.naming is None else run.renamed(self.naming)
        return run.renamed(tuple(self._called(int(i)) for i in np.flatnonzero(held)))

    def _called(self, i: int) -> Any:
        return i if self._object_names is None else self._object_names[i]

    # -- as a sequence ------------------------------------------------------------------------
    def __len__(self) -> int:
        return self.n_runs

    def __iter__(self) -> Iterator[HardClustering]:
        return (self._run(b) for b in range(self.n_runs))

    @overload
    def __getitem__(self, key: int | str) -> HardClustering: ...

    @overload
    def __getitem__(self, key: slice) -> PartialEnsemble: ...

    def __getitem__(self, key: int | str | slice) -> HardClustering | PartialEnsemble:
        if isinstance(key, slice):
            if not self._names[key]:
                raise ClusteringError("the slice holds no run; at least one is needed")
            return self._of(self._labels[key].copy(), self._names[key], self.naming)
        if isinstance(key, str):
            if key not in self._names:
                raise KeyError(f"no run is called {shown(key)}; the names are "
                               + ", ".join(map(repr, self._names)))
            return self._run(self._names.index(key))
        try:
            position = as_index(key)
        except TypeError:
            raise TypeError(f"{shown(key)} is no name, position or slice") from None
        if not -len(self) <= position < len(self):
            raise IndexError(f"position {position} is out of range for {len(self)} runs")
        return self._run(position % len(self))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PartialEnsemble):
            return NotImplemented
        return (self._names == other._names and self._object_names == other._object_names
                and np.array_equal(self._labels, other._labels))

    def __repr__(self) -> str:
        return f"PartialEnsemble({self.n_runs} runs of {self.n_objects} objects)"

    def subset(self, indices: Any) -> PartialEnsemble:
        """The same runs of some of the objects.

        Parameters
        ----------
        indices : array-like of int, slice, or boolean mask of length n
            As in `HardClustering.subset`.

        Returns
        -------
        PartialEnsemble

        Raises
        ------
        ClusteringError
            If an index is out of range, a mask has the wrong length, or a run labels none of the
            objects.

        Examples
        --------
        >>> import softclust as sc
        >>> sc.PartialEnsemble([[0, 0, 1, -1], [-1, 0, 0, 1]]).subset([1, 2]).is_complete
        True
        """
        rows = object_positions(indices, self.n_objects)
        names: Any = None
        if self._numbered:
            names = tuple(rows.tolist())
        elif self._object_names is not None:
            names = tuple(self._object_names[i] for i in rows)
        codes = (run[rows].astype(np.int64) for run in self._labels)
        return self._of(numbered_by_appearance(codes, self._names), self._names, names)

    # -- tables -------------------------------------------------------------------------------
    def to_frame(self) -> pd.DataFrame:
        """One row per run.

        Returns
        -------
        pandas.DataFrame
            Indexed by name: ``n_objects`` that the run labels, their ``share``, ``n_clusters``.

        Examples
        --------
        >>> import softclust as sc
        >>> sc.PartialEnsemble([[0, 0, 1, -1], [-1, 0, 0, 1]]).to_frame()["share"].tolist()
        [0.75, 0.75]
        """
        import pandas as pd
        held = self.present.sum(axis=1)
        return pd.DataFrame({"n_objects": held, "share": held / self.n_objects,
                             "n_clusters": self.n_clusters},
                            index=pd.Index(self._names, name="run"))

    def summary(self) -> SummaryTable:
        """A short table: how many objects the runs label, and how often each object is labelled.

        Returns
        -------
        SummaryTable
            Prints as text; ``.as_html()``, ``.as_latex_tabular()`` and ``.as_csv()`` give the other
            forms.

        Examples
        --------
        >>> import softclust as sc
        >>> print(sc.PartialEnsemble([[0, 0, 1, -1], [-1, 0, 0, 1]]).summary())
        2 runs of 4 objects
        =====================================
        quantity          least  median  most
        -------------------------------------
        objects per run       3       3     3
        clusters per run      2       2     2
        runs per object       1     1.5     2
        =====================================
        """
        rows = [[what, f"{values.min()}", f"{np.median(values):g}", f"{values.max()}"]
                for what, values in (("objects per run", self.present.sum(axis=1)),
                                     ("clusters per run", self.n_clusters),
                                     ("runs per object", self.counts))]
        never = int(np.count_nonzero(self.counts == 0))
        notes = [f"{never} objects are in no run."] if never else []
        return SummaryTable(rows, ["quantity", "least", "median", "most"], aligns="lrrr",
                            title=f"{self.n_runs} runs of {self.n_objects} objects", notes=notes)


def _rebuilt(labels: np.ndarray, names: tuple[str, ...], object_names: Any) -> PartialEnsemble:
    return PartialEnsemble._of(labels.copy(), names, object_names)
