"""`PartedTable`: a contingency table that keeps the tables of groups and strata of its objects."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from .._checks import ClusteringError, frozen
from ._parts import Parts, part_codes
from ._table_sources import from_frame, whole_counts
from .contingency_table import ContingencyTable


class PartedTable(ContingencyTable):
    """A contingency table with the tables of the groups and strata of its objects.

    Made by ``contingency_table(x, y, groups=, strata=)`` and
    ``ContingencyTable.from_frame(frame, group=, stratum=)``. Every function takes it as the table
    of all objects; with ``groups=True`` or ``strata=True`` `compare`, `chance`, `chance_level` and
    the corrected indices read its parts.

    Attributes
    ----------
    group, stratum : tuple or None
        Group and stratum of each cell of the parts; None where it has none.
    part_rows, part_columns, part_counts : ndarray, shape (m,), int64
        Positions in `x_names` and `y_names`, and objects, of these cells.

    Examples
    --------
    >>> import softclust as sc
    >>> table = sc.contingency_table([0, 0, 1, 1], [0, 0, 1, 2], strata=["a", "b", "a", "b"])
    >>> table.stratum, table.part_counts.tolist()
    (('a', 'a', 'b', 'b'), [1, 1, 1, 1])
    >>> round(sc.adjusted_rand_index(table, strata=True), 4)
    0.0
    """

    __slots__ = ("group", "part_columns", "part_counts", "part_rows", "stratum")

    group: tuple[Any, ...] | None
    stratum: tuple[Any, ...] | None
    part_rows: np.ndarray
    part_columns: np.ndarray
    part_counts: np.ndarray

    @classmethod
    def of_cells(cls, x: Any, y: Any, counts: Any, group: Any, stratum: Any) -> PartedTable:
        """Of labels with counts, and the groups and strata they are in; equal cells add."""
        whole = whole_counts(counts, "counts")
        size = whole.shape[0]
        tally = from_frame({"x": x, "y": y, "count": whole}, "x", "y", "count")
        table: PartedTable = cls._of_tally(tally)   # type: ignore[assignment]
        keys = [_places(x, table.x_names), _places(y, table.y_names)]
        named = []
        for what, labels in (("strata", stratum), ("groups", group)):
            codes, names = (np.zeros(size, np.int64), (None,)) if labels is None else part_codes(
                what, labels, size)
            keys.insert(0, codes)
            named.insert(0, names)
        cells, places = np.unique(np.column_stack(keys)[whole > 0], axis=0, return_inverse=True)
        summed = np.zeros(cells.shape[0], np.int64)
        np.add.at(summed, places.reshape(-1), whole[whole > 0])
        for name, value in (
                ("group", None if group is None else tuple(named[0][k] for k in cells[:, 0])),
                ("stratum", None if stratum is None else tuple(named[1][k] for k in cells[:, 1])),
                ("part_rows", frozen(cells[:, 2].copy())),
                ("part_columns", frozen(cells[:, 3].copy())), ("part_counts", frozen(summed))):
            object.__setattr__(table, name, value)
        return table

    def parts(self, what: str) -> Parts:
        """The tables of all "groups" or "strata"."""
        labels = self.group if what == "groups" else self.stratum
        if labels is None:
            raise ClusteringError(f"the table has no {what}: count with {what}=")
        codes, names = part_codes(what, list(labels), len(labels))
        r, s = self.n_clusters
        keys, places = np.unique((codes * r + self.part_rows) * s + self.part_columns,
                                 return_inverse=True)
        counts = np.zeros(keys.shape[0], np.int64)
        np.add.at(counts, places.reshape(-1), self.part_counts)
        return Parts(names=names, r=r, s=s, part=keys // (r * s), rows=keys // s % r,
                     cols=keys % s, counts=counts)

    def strata_of_groups(self) -> tuple[np.ndarray, tuple[Any, ...]]:
        """Stratum of each group, and the names of the strata."""
        assert self.group is not None
        assert self.stratum is not None
        groups, names = part_codes("groups", list(self.group), len(self.group))
        strata, called = part_codes("strata", list(self.stratum), len(self.stratum))
        from ._groups import check_nested
        return check_nested(groups, names, strata), called

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
        columns: list[list[Any]] = [[], [], [], [], []]
        for table in tables:
            assert isinstance(table, PartedTable)
            for column, values in zip(columns, table._cells()):
                column.extend(values if values is not None else [])
        x, y, counts, group, stratum = columns
        return self.of_cells(x, y, np.array(counts, np.int64), group or None, stratum or None)

    def _cells(self) -> tuple[Any, ...]:
        return ([self.x_names[k] for k in self.part_rows.tolist()],
                [self.y_names[k] for k in self.part_columns.tolist()],
                self.part_counts.tolist(), self.group, self.stratum)

    def transpose(self) -> PartedTable:
        """The table with x and y exchanged."""
        x, y, counts, group, stratum = self._cells()
        return self.of_cells(y, x, np.array(counts, np.int64), group, stratum)

    def save(self, path: str | Path) -> None:
        """Raise: files hold no parts; ``total().save(path)`` writes the table of all objects."""
        raise ClusteringError("a table with groups or strata cannot be saved yet; total() drops "
                              "them, a data frame of its cells keeps them")

    def __reduce__(self) -> Any:
        x, y, counts, group, stratum = self._cells()
        return _parted, (x, y, np.array(counts, np.int64), group, stratum)


def _parted(x: Any, y: Any, counts: Any, group: Any, stratum: Any) -> PartedTable:
    """A pickled table."""
    return PartedTable.of_cells(x, y, counts, group, stratum)


def _places(labels: Any, names: tuple[Any, ...]) -> np.ndarray:
    """Positions of labels among the names of a table."""
    places = {name: k for k, name in enumerate(names)}
    return np.array([places[label] for label in (
        labels.tolist() if hasattr(labels, "tolist") else list(labels))], np.int64)
