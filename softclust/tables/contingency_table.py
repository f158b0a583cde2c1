"""`ContingencyTable`: counts of the pairs of labels of two hard clusterings, from anywhere."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

import numpy as np

from .._checks import ClusteringError, frozen
from ..measures.statistic import Source
from ..results.records import Columns, Drawn, Record
from ..results.summary import SummaryTable
from ..results.text import capital, number
from ._table_sources import from_frame as frame_tally
from ._table_sources import whole_counts
from .contingency import Contingency, contingency_from_cells
from .counting import MOST_DENSE_CELLS
from .pair_counts import PairCounts
from .parts import Parts, part_codes
from .table_counts import Tally, coded_cells, used_names

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from .._types import ArrayLike, FrameLike, Sparse, StrPath

#: rows and columns that are shown
SHOWN = 12
#: objects that `expand` makes at most
MOST_EXPANDED = 10**8
#: sums of weights are counted in a unit that keeps their total below 2^60, which may change none
#: of them by more than this share
_BITS, _ROUNDED = 60, 1e-6
_FAR_APART = ("weights differ by so many orders of magnitude that digits would be lost; leave out "
              "the objects with almost no weight, or give them weight 0")


class ContingencyTable(Drawn, Record, Source):
    """Numbers of objects that two hard clusterings put into each pair of clusters.

    Made by `contingency_table`, `ContingencyCounter`, or one of the class methods. Every measure
    of two hard clusterings takes it in place of x and y, with the same bits.

    Attributes
    ----------
    n_objects : int
        Number of objects; of those with a weight above 0 where objects have weights.
    x_names, y_names : tuple
        The labels of each side that occur, sorted by value.
    x_sizes, y_sizes : ndarray, shape (r,) and (s,)
        Sums of the rows and of the columns.
    rows, columns : ndarray, shape (k,), int64
        Positions in `x_names` and `y_names` of the non-empty cells, in row-major order.
    counts : ndarray, shape (k,)
        Objects in each of these cells, int64; sums of weights, float64, where objects have
        weights.
    n_cells : int
        Number k of non-empty cells.
    n_dropped : int
        Objects that were left out because a label was missing.
    n_unmatched : (int, int)
        Of two tables joined by a key: objects in the first only, and in the second only.
    weighted : bool
        Whether objects have weights.
    total_weight, own_weight : number
        Sums of the weights and of the squared weights; n where each object weighs 1.
    sentence : str
        Which groups of x have a cluster of y of their own, and how many objects are in it.

    Notes
    -----
    Counts are exact below 2^63. Sums of weights may differ in the last digits with
    the order of chunks.

    ``to_frame()``: one row per non-empty cell: x, y, count, sorted.

    Examples
    --------
    >>> import softclust
    >>> table = softclust.ContingencyTable.from_counts([[5, 1], [0, 4]], rows=["a", "b"])
    >>> table
    ContingencyTable(n_objects=10, 2 x 2 clusters, 3 cells)
    >>> round(softclust.adjusted_rand_index(table), 4), table.x_names
    (0.597, ('a', 'b'))
    >>> softclust.contingency_table(["a", "b", "b"], [1, 1, 1]).to_frame()
       x  y  count
    0  a  1      1
    1  b  1      2
    """

    _chart = "plot_contingency"

    __slots__ = ("_counted", "_n_objects", "_sums", "_unit", "memory", "n_dropped", "n_unmatched",
                 "x_names", "y_names")

    memory: dict[Hashable, Any]
    x_names: tuple[Any, ...]
    y_names: tuple[Any, ...]
    n_dropped: int
    n_unmatched: tuple[int, int]
    _counted: Contingency
    _n_objects: int
    _sums: np.ndarray | None
    _unit: float

    def __init__(self) -> None:
        raise TypeError("ContingencyTable is made by contingency_table(x, y), "
                        "ContingencyTable.from_counts, from_frame or load")

    @classmethod
    def _of(cls, x_names: tuple[Any, ...], y_names: tuple[Any, ...], rows: np.ndarray,
            cols: np.ndarray, counts: Any, n_dropped: int) -> ContingencyTable:
        """The table of sorted cells with counts, or with `weight_sums` (4, k)."""
        table = object.__new__(cls)
        r, s = len(x_names), len(y_names)
        sums = pairs = None
        unit = 1.0
        if counts.ndim == 2:
            sums, objects = frozen(counts), int(counts[3].sum())
            total = math.fsum(sums[0])
            # Units of one where all is whole, as in counts.
            digits = 0 if total < 2.0**_BITS and not (sums % 1).any() else (
                _BITS - math.frexp(total)[1])
            unit = 2.0**-digits
            whole = np.maximum(np.rint(sums[0] / unit), 1.0).astype(np.int64)
            if sums.size and (np.abs(whole * unit / sums[0] - 1.0) > _ROUNDED).any():
                raise ClusteringError(_FAR_APART)
            pairs = PairCounts.of_weights(rows, cols, sums, int(whole.sum()))
            own_rows, objects_of_rows = [0] * r, np.bincount(rows, sums[3], minlength=r)
            for row, weight, products in zip(rows.tolist(), whole.tolist(),
                                             (sums[2] / unit / unit).tolist()):
                own_rows[row] += weight * weight - 2 * round(products)
            counted = contingency_from_cells(rows, cols, whole, r, s, n_objects=objects,
                                             self_pairs=sum(own_rows),
                                             own_rows=(own_rows, objects_of_rows))
        else:
            counted = contingency_from_cells(rows, cols, counts, r, s)
            objects = counted.n
        for name, value in (("x_names", x_names), ("y_names", y_names), ("n_dropped", n_dropped),
                            ("_counted", counted), ("_n_objects", objects), ("_sums", sums),
                            ("_unit", unit), ("memory", {}), ("n_unmatched", (0, 0))):
            object.__setattr__(table, name, value)
        table.keep(Contingency, counted)
        if pairs is not None:
            table.keep(PairCounts, pairs)
        return table

    @classmethod
    def _of_tally(cls, tally: Tally, unmatched: tuple[int, int] = (0, 0)) -> ContingencyTable:
        table = cls._of(*tally.cells(), tally.dropped)
        object.__setattr__(table, "n_unmatched", unmatched)
        return table

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a ContingencyTable cannot be changed ({name}); merge() makes a new "
                             "one")

    # -- other sources ------------------------------------------------------------------------
    @classmethod
    def from_counts(cls, counts: ArrayLike | Sparse, *, rows: Iterable[Any] | None = None,
                    columns: Iterable[Any] | None = None) -> ContingencyTable:
        """A table from counts.

        Parameters
        ----------
        counts : array-like
            Matrix (r, s) of whole numbers >= 0: an array, nested lists, a sparse array of scipy,
            or a data frame whose index and columns are the labels, such as of
            ``pandas.crosstab``. Or a vector with the labels of each count in `rows` and
            `columns`.
        rows, columns : sequence, optional
            Labels of the rows and columns of a matrix, by default those of the frame, else 0, 1,
            ...; the two labels of each count of a vector. Repeated cells add.

        Returns
        -------
        ContingencyTable
            Labels without any object are left out.

        Raises
        ------
        ClusteringError
            If a count is negative, fractional or too large, or labels are missing or mixed.

        Examples
        --------
        >>> import softclust
        >>> softclust.ContingencyTable.from_counts([3, 1, 2], rows="aab", columns=[0, 1, 1]).dense()
        array([[3, 1],
               [0, 2]])
        """
        from ._table_sources import from_counts
        return cls._of_tally(from_counts(counts, rows, columns))

    @classmethod
    def from_frame(cls, frame: FrameLike, *, x: Hashable = "x", y: Hashable = "y",
                   count: Hashable = "count", group: Hashable = None, stratum: Hashable = None
                   ) -> ContingencyTable:
        """A table from the result of a GROUP BY: one row per pair of labels, with its count.

        Parameters
        ----------
        frame : data frame
            Of pandas, polars, pyarrow, or a mapping of columns. Rows with the same pair add.
        x, y, count : str
            Names of the columns.
        group, stratum : str, optional
            Names of the columns with the group and the stratum, of one more GROUP BY: the table
            keeps one table per part.

        Returns
        -------
        ContingencyTable

        Raises
        ------
        ClusteringError
            If a label is missing, or a count is not a whole number >= 0.

        Notes
        -----
        ``groupby`` of pandas and dask and ``pandas.crosstab`` silently drop rows with a missing
        label: pass ``dropna=False``.

        Examples
        --------
        >>> import pandas as pd
        >>> import softclust
        >>> frame = pd.DataFrame({"x": ["a", "b"], "y": [0, 1], "count": [3, 2]})
        >>> softclust.ContingencyTable.from_frame(frame).n_objects
        5
        """
        tally, columns = frame_tally(frame, x, y, count), cast(Any, frame)
        if group is None and stratum is None:
            return cls._of_tally(tally)
        labels, others, counts, groups, strata = (
            list(columns[name]) if name is not None else None
            for name in (x, y, count, group, stratum))
        return PartedTable.of_cells(labels, others, counts, groups, strata)

    @classmethod
    def load(cls, path: StrPath) -> ContingencyTable:
        """Read a table that `save` wrote.

        Parameters
        ----------
        path : str or Path

        Returns
        -------
        ContingencyTable

        Raises
        ------
        ClusteringError
            If the file is not a contingency table.
        """
        from ._table_files import load_table
        return load_table(Path(path), ContingencyTable, PartedTable)

    def save(self, path: StrPath) -> None:
        """Write the table to an npz file: integers, text and a header, never pickled objects.

        The tables of groups and strata are saved too.
        """
        from ._table_files import save_table
        save_table(self, Path(path))

    # -- a source of statistics ---------------------------------------------------------------
    @property
    def n_objects(self) -> int:
        """Number of objects; of those with a weight above 0 where objects have weights."""
        return self._n_objects

    @property
    def n_clusters(self) -> tuple[int, int]:
        """Numbers of clusters of x and y."""
        return len(self.x_names), len(self.y_names)

    @property
    def weighted(self) -> bool:
        """True if objects have weights."""
        return self._sums is not None

    @property
    def total_weight(self) -> Any:
        """Sum of the weights; n where each object weighs 1."""
        return (self._n_objects if self._sums is None
                else math.fsum(self._sums[0]))

    @property
    def own_weight(self) -> Any:
        """Sum of the squared weights; n where each object weighs 1."""
        return (self._n_objects if self._sums is None
                else math.fsum(self._sums[1]))

    @property
    def n_pairs(self) -> Any:
        """Number of pairs of distinct objects, or the sum of the products of their weights."""
        return self.statistic(PairCounts).n_pairs

    def in_weights(self, value: Any, degree: int) -> Any:
        """A count of objects (degree 1) in weights; pairs (degree 2) are counted in them."""
        return value if self._sums is None or degree != 1 else value * self._unit

    # -- its content --------------------------------------------------------------------------
    @property
    def x_sizes(self) -> np.ndarray:
        """Sums of the rows, (r,)."""
        return self._sizes(self.rows, self._counted.a)

    @property
    def y_sizes(self) -> np.ndarray:
        """Sums of the columns, (s,)."""
        return self._sizes(self.columns, self._counted.b)

    def _sizes(self, codes: np.ndarray, counted: np.ndarray) -> np.ndarray:
        return counted if self._sums is None else frozen(
            np.bincount(codes, self._sums[0], minlength=counted.shape[0]))

    @property
    def rows(self) -> np.ndarray:
        """Positions in `x_names` of the non-empty cells, (k,) int64."""
        return self._counted.rows

    @property
    def columns(self) -> np.ndarray:
        """Positions in `y_names` of the non-empty cells, (k,) int64."""
        return self._counted.cols

    @property
    def counts(self) -> np.ndarray:
        """Objects, or their weight, in the non-empty cells, (k,) int64 or float64."""
        return self._counted.counts if self._sums is None else self._sums[0]

    @property
    def _summed(self) -> np.ndarray:
        """Counts or sums of weights, as `_of` and `Tally.add_counts` take them."""
        return self._counted.counts if self._sums is None else self._sums

    @property
    def n_cells(self) -> int:
        """Number of non-empty cells."""
        return self._counted.n_cells

    def dense(self) -> np.ndarray:
        """The table as a matrix, (r, s) int64 or float64.

        Returns
        -------
        ndarray

        Raises
        ------
        ClusteringError
            If it would have more than 2^27 cells (1 GiB).
        """
        r, s = self.n_clusters
        if r * s > MOST_DENSE_CELLS:
            raise ClusteringError(f"the table of {r} by {s} clusters has {r * s} cells, more than "
                                  f"the {MOST_DENSE_CELLS} allowed; to_sparse() has the "
                                  f"{self.n_cells} that are not empty")
        table = np.zeros((r, s), self.counts.dtype)
        table[self.rows, self.columns] = self.counts
        return table

    def object_counts(self) -> np.ndarray:
        """Number of objects in each cell, whatever their weights, (r, s) int64."""
        table = np.zeros(self.n_clusters, np.int64)
        table[self.rows, self.columns] = self.counts if self._sums is None else self._sums[3]
        return table

    @property
    def sentence(self) -> str:
        """Which groups of x have a cluster of y of their own, and how many objects are in it."""
        from .correspondence import headline, own_cluster
        return f"{capital(headline(self))}; {own_cluster(self)}."

    def sentences(self) -> list[str]:
        """The groups of x in each cluster of y, and the groups that are split.

        Returns
        -------
        list of str

        Notes
        -----
        A group is in a cluster with at least a third of its objects.

        Examples
        --------
        >>> import softclust
        >>> counts = [[50, 0, 0], [2, 48, 0]]
        >>> table = softclust.ContingencyTable.from_counts(counts, rows=["a", "b"])
        >>> table.sentences()
        ['Cluster 0 is “a” (and 2 other objects); cluster 1 is “b”.']
        >>> table.sentence
        'Each group has a cluster of its own; 98 of 100 objects (98 %) are in the cluster of ...
        """
        from .correspondence import correspondence
        return correspondence(self)

    def _frame(self) -> Columns:
        return Columns({"x": names_array(self.x_names)[self.rows],
                        "y": names_array(self.y_names)[self.columns], "count": self.counts})

    def to_sparse(self) -> csr_array:
        """The table as a sparse array of scipy, (r, s).

        Returns
        -------
        scipy.sparse.csr_array
        """
        from scipy.sparse import csr_array
        return csr_array((self.counts, (self.rows, self.columns)), shape=self.n_clusters)

    def expand(self) -> tuple[np.ndarray, np.ndarray]:
        """Labels of objects with this table, sorted by cell.

        Returns
        -------
        (ndarray, ndarray)
            Labels of x and of y, (n,) each.

        Raises
        ------
        ClusteringError
            If there are more than 1e8 objects, or objects have weights.

        Examples
        --------
        >>> import softclust
        >>> x, y = softclust.ContingencyTable.from_counts([[2, 0], [1, 1]]).expand()
        >>> x.tolist(), y.tolist()
        ([0, 0, 1, 1], [0, 0, 0, 1])
        """
        if self.weighted:
            raise ClusteringError("the table has sums of weights, which do not tell the weight of "
                                  "each object; only counts can be expanded")
        if self.n_objects > MOST_EXPANDED:
            raise ClusteringError(f"the table has {self.n_objects} objects; at most "
                                  f"{MOST_EXPANDED} are expanded")
        x, y = np.repeat(self.rows, self.counts), np.repeat(self.columns, self.counts)
        return names_array(self.x_names)[x], names_array(self.y_names)[y]

    # -- other tables -------------------------------------------------------------------------
    def merge(self, *others: ContingencyTable) -> ContingencyTable:
        """The table of the objects of all tables together.

        Parameters
        ----------
        *others : ContingencyTable

        Returns
        -------
        ContingencyTable
            The same for any order and grouping; sums of weights may differ in the last digits.

        Raises
        ------
        ClusteringError
            If labels are of different types, or only some of the tables have weights.

        Examples
        --------
        >>> import softclust
        >>> a = softclust.contingency_table([0, 1], [0, 0])
        >>> b = softclust.contingency_table([1, 2], [0, 1])
        >>> a.merge(b) == a + b == softclust.contingency_table([0, 1, 1, 2], [0, 0, 0, 1])
        True
        """
        tally = Tally()
        for table in (self, *others):
            if not isinstance(table, ContingencyTable):
                raise TypeError(f"a ContingencyTable merges with others only, not with a "
                                f"{type(table).__name__}")
            table._add_to(tally)
        return self._of_tally(tally)

    def _add_to(self, tally: Tally) -> None:
        tally.add_counts(self.rows, self.columns, self._summed, (self.x_names, self.y_names),
                         self.n_dropped)

    def __add__(self, other: Any) -> ContingencyTable:
        return self.merge(other) if isinstance(other, ContingencyTable) else NotImplemented

    def transpose(self) -> ContingencyTable:
        """The table with x and y exchanged."""
        tally = Tally()
        tally.add_counts(self.columns, self.rows, self._summed, (self.y_names, self.x_names),
                         self.n_dropped)
        return self._of_tally(tally)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ContingencyTable):
            return NotImplemented
        return all(np.array_equal(a, b) if isinstance(a, np.ndarray) else a == b
                   for a, b in zip(self._parts(), other._parts()))

    __hash__ = None   # type: ignore[assignment]

    def _parts(self) -> tuple[Any, ...]:
        kinds = tuple(tuple(map(type, names[:1])) for names in (self.x_names, self.y_names))
        return (self.n_dropped, self.weighted, kinds, self.x_names, self.y_names, self.rows,
                self.columns, self._summed)

    def __reduce__(self) -> Any:
        return ContingencyTable._of, (self.x_names, self.y_names, self.rows, self.columns,
                                      self._summed, self.n_dropped)

    @classmethod
    def _restored(cls, parts: tuple[Any, ...]) -> ContingencyTable:
        """The table of parts that were read from a text."""
        from ._table_files import check_cells
        x_names, y_names, rows, columns, counts, n_dropped = parts
        for names in (x_names, y_names):
            if not isinstance(names, tuple) or len(set(names)) < len(names):
                raise ValueError("the names of clusters are no distinct values")
        if type(n_dropped) is not int or n_dropped < 0:
            raise ValueError("n_dropped is not what it should be")
        check_cells((x_names, y_names), {"rows": rows, "columns": columns, "counts": counts},
                    counts.ndim == 2)
        return cls._of(*parts)

    # -- to read ------------------------------------------------------------------------------
    def __repr__(self) -> str:
        r, s = self.n_clusters
        weight = f", total_weight={self.total_weight:.6g}" if self.weighted else ""
        dropped = f", {self.n_dropped} dropped" if self.n_dropped else ""
        one, other = self.n_unmatched
        lost = f", {one} in x only, {other} in y only" if one or other else ""
        return (f"ContingencyTable(n_objects={self.n_objects}{weight}, {r} x {s} clusters, "
                f"{self.n_cells} cell{'' if self.n_cells == 1 else 's'}{dropped}{lost})")

    def _table(self) -> SummaryTable:
        return summary_table(self)


class PartedTable(ContingencyTable):
    """A contingency table with the tables of the groups and strata of its objects.

    Made by ``contingency_table(x, y, groups=, strata=)`` and
    ``ContingencyTable.from_frame(frame, group=, stratum=)``. Every function takes it as the table
    of all objects; with ``groups=True`` or ``strata=True`` `compare`, `chance`, `chance_level` and
    the corrected indices read its parts.

    Attributes
    ----------
    part_rows, part_columns, part_counts : ndarray, shape (m,), int64
        Positions in `x_names` and `y_names`, and objects, of these cells.

    Examples
    --------
    >>> import softclust
    >>> table = softclust.contingency_table([0, 0, 1, 1], [0, 0, 1, 2], strata=["a", "b", "a", "b"])
    >>> table.stratum, table.part_counts.tolist()
    (('a', 'a', 'b', 'b'), [1, 1, 1, 1])
    >>> round(softclust.adjusted_rand_index(table, strata=True), 4)
    0.5
    """

    __slots__ = ("_groups", "_strata", "part_columns", "part_counts", "part_rows")

    part_rows: np.ndarray
    part_columns: np.ndarray
    part_counts: np.ndarray
    _groups: tuple[np.ndarray, tuple[Any, ...]] | None
    _strata: tuple[np.ndarray, tuple[Any, ...]] | None

    @classmethod
    def of_cells(cls, x: Any, y: Any, counts: Any, group: Any, stratum: Any,
                 missing: Literal["raise", "drop"] = "raise", n_dropped: int = 0) -> PartedTable:
        """Table of labels with counts, groups and strata; equal cells add."""
        whole = whole_counts(counts, "counts")
        used, ((rows, x_names), (columns, y_names)), dropped = coded_cells(
            x, y, whole, whole, missing)
        rows, columns, whole_used = rows.astype(np.int64), columns.astype(np.int64), whole[used]
        tally = Tally()
        tally.add_counts(rows, columns, whole_used, (x_names, y_names), dropped + n_dropped)
        table: PartedTable = cls._of_tally(tally)   # type: ignore[assignment]
        keys: list[np.ndarray] = []
        parts: list[tuple[Any, ...] | None] = []
        for codes, names, in_order in ((rows, x_names, table.x_names),
                                       (columns, y_names, table.y_names)):
            places = {name: k for k, name in enumerate(in_order)}
            keys.append(np.array([places[name] for name in names], np.int64)[codes])
        for what, labels in (("groups", group), ("strata", stratum)):
            if labels is None:
                keys.append(np.zeros(rows.size, np.int64))
                parts.append(None)
            else:
                codes, names = part_codes(what, labels, whole.size)
                names, codes = used_names(names, codes[used])
                keys.append(codes)
                parts.append(names)
        by_part = [*keys[2:], *keys[:2]]
        cells = np.ravel_multi_index(by_part, [int(codes.max(initial=0)) + 1 for codes in by_part])
        order = np.argsort(cells, kind="stable")
        first = np.flatnonzero(np.diff(cells[order], prepend=-1))
        return table._with_parts(np.column_stack(keys)[order[first]],
                                 np.add.reduceat(whole_used[order], first), *parts)

    def _with_parts(self, cells: np.ndarray, counts: np.ndarray,
                    groups: tuple[Any, ...] | None, strata: tuple[Any, ...] | None
                    ) -> PartedTable:
        """Set the cells (m, 4) of the parts: row, column, group and stratum of each."""
        rows, columns, of_groups, of_strata = (frozen(codes.copy()) for codes in cells.T)
        for name, value in (("part_rows", rows), ("part_columns", columns),
                            ("part_counts", frozen(counts)),
                            ("_groups", None if groups is None else (of_groups, groups)),
                            ("_strata", None if strata is None else (of_strata, strata))):
            object.__setattr__(self, name, value)
        return self

    @property
    def group(self) -> tuple[Any, ...] | None:
        """Group of each cell of the parts; None where these have none."""
        return None if self._groups is None else _labels(*self._groups)

    @property
    def stratum(self) -> tuple[Any, ...] | None:
        """Stratum of each cell of the parts; None where these have none."""
        return None if self._strata is None else _labels(*self._strata)

    def has_parts(self, what: Literal["groups", "strata"]) -> bool:
        """Test whether the table was counted with "groups" or "strata"."""
        return (self._groups if what == "groups" else self._strata) is not None

    def parts(self, what: Literal["groups", "strata"]) -> Parts:
        """The tables of all "groups" or "strata"."""
        part = self._groups if what == "groups" else self._strata
        if part is None:
            raise ClusteringError(f"the table has no {what}: count with {what}=")
        codes, names = part
        r, s = self.n_clusters
        keys, places = np.unique((codes * r + self.part_rows) * s + self.part_columns,
                                 return_inverse=True)
        counts = np.zeros(keys.shape[0], np.int64)
        np.add.at(counts, places.reshape(-1), self.part_counts)
        return Parts(names=names, r=r, s=s, part=keys // (r * s), rows=keys // s % r,
                     cols=keys % s, counts=counts)

    def strata_of_groups(self) -> tuple[np.ndarray, tuple[Any, ...]]:
        """Stratum of each group, and the names of the strata."""
        assert self._groups is not None
        assert self._strata is not None
        from .groups import check_nested
        return check_nested(*self._groups, self._strata[0]), self._strata[1]

    def total(self) -> ContingencyTable:
        """The table of all objects, without its parts."""
        return ContingencyTable._of(self.x_names, self.y_names, self.rows, self.columns,
                                    self.counts, self.n_dropped)

    def merge(self, *others: ContingencyTable) -> PartedTable:
        """The table of the objects of all tables together; cells of equal parts add.

        Raises
        ------
        ClusteringError
            If only some of the tables have groups, or strata.
        """
        tables = [self, *others]
        for name in ("group", "stratum"):
            if len({getattr(table, name, None) is None for table in tables}) > 1:
                raise ClusteringError(f"only some of the tables have a {name}; merge their "
                                      "total()")
        cells = zip(*(table._cells() for table in tables))   # type: ignore[attr-defined]
        x, y, counts, group, stratum = (
            None if each[0] is None else [value for part in each for value in part]
            for each in cells)
        return self.of_cells(x, y, counts, group, stratum,
                             n_dropped=sum(table.n_dropped for table in tables))

    def _cells(self) -> tuple[Any, ...]:
        """Labels, counts, groups and strata of the cells of the parts."""
        return (_labels(self.part_rows, self.x_names), _labels(self.part_columns, self.y_names),
                self.part_counts.tolist(), self.group, self.stratum)

    def transpose(self) -> PartedTable:
        """The table with x and y exchanged."""
        x, y, counts, group, stratum = self._cells()
        return self.of_cells(y, x, counts, group, stratum, n_dropped=self.n_dropped)

    @classmethod
    def _restored(cls, parts: tuple[Any, ...]) -> PartedTable:
        return cls.of_cells(*parts)

    def __reduce__(self) -> Any:
        return PartedTable.of_cells, (*self._cells(), "raise", self.n_dropped)


def _labels(codes: np.ndarray, names: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(names[k] for k in codes.tolist())


# -- text ----------------------------------------------------------------------------------------
def summary_table(table: ContingencyTable) -> SummaryTable:
    """A table of the largest clusters of both sides with their counts and sums."""
    rows, columns = _largest(table.x_sizes), _largest(table.y_sizes)
    r, s = table.n_clusters
    cells = [["0"] * len(columns) for _ in rows]
    chosen = np.flatnonzero(np.isin(table.rows, rows) & np.isin(table.columns, columns))
    for k, j, count in zip(table.rows[chosen].tolist(), table.columns[chosen].tolist(),
                           table.counts[chosen].tolist()):
        cells[rows.index(k)][columns.index(j)] = _text(count)
    body = [[str(table.x_names[k]), *cells[i], _text(table.x_sizes[k])]
            for i, k in enumerate(rows)]
    body.append(["sum", *(_text(table.y_sizes[j]) for j in columns), _text(table.total_weight)])
    notes = []
    if len(rows) < r or len(columns) < s:
        notes.append(f"The {len(rows)} largest of {r} clusters of x and {len(columns)} of {s} "
                     "of y; sums are over all.")
    if table.n_dropped:
        notes.append(f"{table.n_dropped} objects with a missing label were left out.")
    weight = f", total weight {number(table.total_weight)}" if table.weighted else ""
    return SummaryTable(
        body, ["x \\ y", *(str(table.y_names[j]) for j in columns), "sum"],
        aligns="l" + "r" * (len(columns) + 1), notes=notes,
        title=f"Contingency table of {table.n_objects} objects{weight}, {r} by {s} clusters")


def _largest(sizes: np.ndarray) -> list[int]:
    """The largest clusters, in their order."""
    if sizes.shape[0] <= SHOWN:
        return list(range(sizes.shape[0]))
    return sorted(np.argsort(-sizes, kind="stable")[:SHOWN].tolist())


def _text(count: Any) -> str:
    return number(float(count)) if isinstance(count, (float, np.floating)) else str(int(count))


def names_array(names: tuple[Any, ...]) -> np.ndarray:
    """Labels as an array of their own type."""
    if all(type(v) in (int, bool, str) for v in names):
        try:
            return np.array(names)
        except OverflowError:
            pass
    array = np.empty(len(names), object)
    array[:] = names
    return array
