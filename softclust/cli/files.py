"""Clusterings in files, for the command line: CSV and parquet tables, matched by id."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from .._checks import ClusteringError
from ..clusterings import Clustering, CoverClustering, EvidentialClustering, as_clustering
from ..clusterings.set_names import read_set
from ..results.stored import readable
from .text_tables import MISSING, plain_suffix, read_text_table

if TYPE_CHECKING:
    import pandas as pd

    from .._types import Kind

#: names that make a first column an id column (besides names that end in "_id")
ID_NAMES = ("", "id", "index", "name", "object")

ID_RULE = """the first of several columns is an id when its name is empty, id, index, name, object \
or ends in _id (upper or lower case) and it has no fractions, or when it has text that differs \
in every row"""
HEADER_RULE = """the first line holds the column names; a first line that has only numbers needs \
--header or --no-header, unless it counts the columns (0,1,2 or 1,2,3)"""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileTable:
    """A file as read.

    Attributes
    ----------
    path : str
        Path as the user wrote it.
    frame : DataFrame
        Data columns; the index has the ids, as text, if there are any.
    id_column : str or None
        Name of the id column.
    guessed : bool
        True if the id column was recognised, not requested.
    """

    path: str
    frame: pd.DataFrame
    id_column: str | None
    guessed: bool

    @property
    def id_text(self) -> str:
        """Name of the id column in messages."""
        return (f"column {self.id_column!r} of {self.path}" if self.id_column
                else f"the first column of {self.path}, which has no name,")

    def of_rows(self, rows: Any, column: str | None) -> FileTable:
        """The table of some objects, without columns of a matrix that only others are in."""
        frame = self.frame.loc[rows]
        if column is None and frame.shape[1] > 1 and len(frame) < len(self.frame):
            emptied = (frame == 0).all() & ~(self.frame == 0).all()
            frame = frame.loc[:, ~emptied] if not emptied.all() else frame
        return replace(self, frame=frame)


def read_table(path: str, *, has_id: bool | None = None, header: bool | None = None,
               separator: str | None = None, decimal: str = ".") -> FileTable:
    """Read a CSV, tab-separated (.tsv, .tab) or parquet (.parquet, .pq) file.

    Text may be compressed (.gz, .bz2, .xz, .zip).

    Parameters
    ----------
    path : str
    has_id : bool, optional
        The first column is (not) an id; see `ID_RULE`, which decides by default.
    header : bool, optional
        The first line holds (no) column names; see `HEADER_RULE`, which decides by default.
    separator : str, optional
        Column separator, one character. By default a tab for .tsv and .tab, else a comma.
    decimal : str
        Decimal point.
    """
    if plain_suffix(path) in (".parquet", ".pq"):
        require_pyarrow()
        import pandas as pd
        with readable(path, "parquet"):
            frame = pd.read_parquet(path)
        frame.columns = [str(c) for c in frame.columns]
        for name, values in frame.items():
            if values.dtype == object and (values.map(np.ndim) > 0).any():
                raise ClusteringError(f"column {name} of {path} holds lists; one label per row is "
                                      "needed (for objects in several clusters: text such as a;b "
                                      "and --split ';', or one column of 0 and 1 per cluster)")
        if not isinstance(frame.index, pd.RangeIndex):
            # An index set by the user is an id column like any other.
            called = "index" if frame.index.name is None else str(frame.index.name)
            frame.insert(0, called if called not in frame.columns else "", frame.index)
            frame = frame.reset_index(drop=True)
    else:
        frame = read_text_table(path, separator, header, decimal)
    if frame.shape[0] == 0:
        raise ClusteringError(f"{path} has no rows; one row per object is needed")
    if frame.index.name is None and frame.columns.empty:
        raise ClusteringError(f"{path} has no columns")
    return _take_ids(path, frame, has_id, decimal)


def require_pyarrow() -> None:
    """Raise an error that says how to get pyarrow if it is missing."""
    try:
        import pyarrow  # noqa: F401
    except ImportError as error:
        raise ImportError("reading parquet files needs pyarrow, which is not installed: "
                          "pip install 'softclust[parquet]', or use CSV") from error


def _take_ids(path: str, frame: pd.DataFrame, has_id: bool | None, decimal: str) -> FileTable:
    guessed = has_id is None
    if has_id is None:
        has_id = looks_like_id(frame, decimal)
    name = str(frame.columns[0])
    if not has_id:
        data = frame.copy()
        data.isetitem(0, _as_data(data.iloc[:, 0], decimal))   # type: ignore[arg-type]
        return FileTable(path=path, frame=data, id_column=None, guessed=guessed)
    if frame.shape[1] < 2:
        raise ClusteringError(f"{path} has one column, {name!r}; with --id at least two are "
                              "needed, the id and the clustering")
    ids = frame.iloc[:, 0]
    empty = ids.isna() | (ids.astype(str) == "")
    if empty.any():
        raise ClusteringError(f"{path} has no id in data row {int(empty.to_numpy().argmax()) + 1} "
                              f"(column {name!r}); every object needs one, or use --no-id")
    ids = ids.astype(str)
    repeated = ids[ids.duplicated()]
    if len(repeated):
        raise ClusteringError(f"{path} has the id {repeated.iloc[0]!r} in column {name!r} more "
                              "than once; make ids distinct, or use --no-id")
    data = frame.iloc[:, 1:].set_axis(list(ids), axis=0)
    return FileTable(path=path, frame=data, id_column=name, guessed=guessed)


def looks_like_id(frame: pd.DataFrame, decimal: str = ".") -> bool:
    """Return True if the first column has ids, by `ID_RULE`."""
    if frame.shape[1] < 2:
        return False
    name = str(frame.columns[0]).strip().lower()
    values = frame.iloc[:, 0]
    text = _as_data(values, decimal)
    if name in ID_NAMES or name.endswith("_id") or name.startswith("unnamed:"):
        # Fractions, such as memberships in a cluster called "id", are not ids.
        return text.dtype.kind != "f" or bool((text.dropna() % 1.0 == 0.0).all())
    return text.dtype.kind not in "iufb" and not values.duplicated().any()


def _as_data(values: pd.Series, decimal: str) -> pd.Series:
    """The first column, which was read as text because of ids, with the type of its values."""
    import pandas as pd
    if values.dtype.kind in "iufb" or getattr(values.dtype, "kind", "O") not in "OSU":
        return values
    values = values.where(~values.isin(MISSING))
    different = values.unique()
    if len(different) <= 2 and set(different) <= {"True", "False"}:
        return values == "True"
    try:
        return pd.to_numeric(values if decimal == "." else values.str.replace(decimal, "."))
    except (ValueError, TypeError, OverflowError):
        return values


def same_objects(a: FileTable, b: FileTable, objects: Literal["same", "common"] = "same"
                 ) -> tuple[FileTable, FileTable, list[str]]:
    """Both tables with the same objects in the order of `a`, and a note on those left out.

    Parameters
    ----------
    a, b : FileTable
        Without ids the rows are matched by position.
    objects : {"same", "common"}
        An id that one file lacks is an error (same), or only the objects that both files have are
        compared (common).
    """
    if (a.id_column is None) != (b.id_column is None):
        with_id, without = (a, b) if b.id_column is None else (b, a)
        raise ClusteringError(
            f"{with_id.path} has an id column ({with_id.id_column!r}) and {without.path} has "
            "none; add an id column to both, or remove it to match row by row")
    if a.id_column is None:
        return a, b, []
    alone = [(table, table.frame.index.difference(other.frame.index, sort=False))
             for table, other in ((a, b), (b, a))]
    if objects == "same" and any(len(left) for _, left in alone):
        parts = [f"only in {table.path}: {_some(left)}" for table, left in alone if len(left)]
        raise ClusteringError("the ids differ; both files must have the same objects ("
                              + "; ".join(parts) + "), or give --objects common to compare those "
                              "that both have")
    ids = a.frame.index.intersection(b.frame.index, sort=False)
    if not len(ids):
        raise ClusteringError(f"{a.path} and {b.path} have no id in common")
    notes = [f"{len(left)} of {table.frame.shape[0]} objects of {table.path} are left out: they "
            f"are not in the other file ({_some(left)})" for table, left in alone if len(left)]
    return (replace(a, frame=a.frame.loc[ids]), replace(b, frame=b.frame.loc[ids]), notes)


def without_missing(a: FileTable, b: FileTable, columns: tuple[str | None, str | None],
                    missing: Literal["raise", "drop"] = "raise"
                    ) -> tuple[FileTable, FileTable, list[str]]:
    """Both tables without the objects that lack an entry in one of them, and a note on these.

    Parameters
    ----------
    a, b : FileTable
    columns : (str or None, str or None)
        The column that is used of each, or all.
    missing : {"raise", "drop"}
        A missing label or membership is an error (raise), or the object is left out (drop).
    """
    rows, notes = None, []
    if a.frame.shape[0] != b.frame.shape[0]:
        return a, b, []   # an error that is reported elsewhere
    for table, column in zip((a, b), columns):
        used = table.frame if column not in table.frame.columns else table.frame[[column]]
        lacking = used.isna().any(axis=1).to_numpy()
        if lacking.any():
            where = _some(table.frame.index[lacking]) if table.id_column else (
                "data row " + _some((lacking.nonzero()[0] + 1).tolist()))
            what = f"{int(lacking.sum())} of {lacking.size} objects lack an entry in {table.path}"
            if missing == "raise":
                raise ClusteringError(f"{what} ({where}): fill it in, or give --missing drop to "
                                      "leave out objects with missing entries")
            notes.append(f"{what} and are left out ({where})")
            rows = lacking if rows is None else rows | lacking
    if rows is None:
        return a, b, []
    if rows.all():
        raise ClusteringError(f"every object lacks an entry in {a.path} or {b.path}; nothing is "
                              "left to compare")
    return replace(a, frame=a.frame[~rows]), replace(b, frame=b.frame[~rows]), notes


def _some(ids: Any) -> str:
    text = ", ".join(repr(i) for i in ids[:5])
    return text if len(ids) <= 5 else f"{text}, ... ({len(ids)} ids)"


def without_columns(table: FileTable, columns: dict[str, str]) -> tuple[FileTable, dict[str, Any]]:
    """The table without some columns, and these by name: groups and strata of its objects."""
    for name, column in columns.items():
        if column not in table.frame.columns:
            raise ClusteringError(f"{table.path} has no column {column!r} for {name}; it has "
                                  + ", ".join(map(repr, table.frame.columns)))
    values = {name: table.frame[column] for name, column in columns.items()}
    if not values:
        return table, {}
    return replace(table, frame=table.frame.drop(columns=list(columns.values()))), values


def check_numeric(path: str, frame: pd.DataFrame, way_out: str = "leave them out") -> None:
    """Raise if columns are not numeric; `way_out` may name them as {}."""
    words = frame.select_dtypes(exclude="number").columns
    if len(words):
        raise ClusteringError(f"{path} has columns that are not numeric: "
                              f"{', '.join(map(repr, words))}; {way_out.format(','.join(words))}")


def to_clustering(table: FileTable, *, kind: Kind | None = None, column: str | None = None,
                  normalize: bool = False, gaps: bool = False, noise: bool = False,
                  split: str | None = None) -> Any:
    """The clustering in a table: labels in one column, else a matrix.

    Parameters
    ----------
    table : FileTable
    kind : str, optional
        By default one column (or the one named) has hard labels and several columns have a
        matrix, whose kind is found by the rule of `as_clustering`.
    column : str, optional
        Column of the hard labels.
    normalize : bool
        Divide each row of memberships or masses by its sum, for numbers that were rounded.
    gaps, noise : bool
        Labels of which some are missing are returned as they are (gaps); so are memberships, whose
        rows may leave a part to noise (noise).
    split : str, optional
        The column of labels holds several per object, split at this character: overlapping
        clusters.
    """
    frame = table.frame
    if column is not None and column not in frame.columns:
        raise ClusteringError(f"{table.path} has no column {column!r}; it has "
                              + ", ".join(map(repr, frame.columns)))
    if split is not None and kind in (None, "cover") and (
            column is not None or frame.shape[1] == 1):
        labels = frame[column] if column is not None else frame.iloc[:, 0]
        sets = labels.astype(object).where(labels.isna(), labels.astype(str))
        try:
            if gaps and labels.isna().any():
                return sets.map(lambda text: {part.strip() for part in text.split(split)
                                              if part.strip()}, na_action="ignore")
            return CoverClustering.from_labels(sets, separator=split)
        except ClusteringError as error:
            raise ClusteringError(f"{table.path}: {error}") from None
    if column is not None and kind not in (None, "hard"):
        raise ClusteringError(f"a column of labels ({column!r}) was named for {table.path}, "
                              f"whose kind is {kind}; columns of labels are for hard clusterings")
    if kind == "hard" and column is None and frame.shape[1] > 1:
        raise ClusteringError(f"{table.path} has {frame.shape[1]} columns besides ids: "
                              f"name the one that holds the labels with --column "
                              f"({', '.join(map(repr, frame.columns))})")
    if column is not None or frame.shape[1] == 1:
        labels = frame[column] if column is not None else frame.iloc[:, 0]
        if gaps and labels.isna().any():
            return labels
        return as_clustering(labels, kind or "hard", name=table.path)
    if kind == "evidential":
        return _evidential(table, normalize)
    from pandas.api.types import is_numeric_dtype
    text = [name for name, dtype in frame.dtypes.items() if not is_numeric_dtype(dtype)]
    if text:
        raise ClusteringError(f"{table.path} has {frame.shape[1]} columns besides ids, and "
                              f"{', '.join(map(repr, text[:5]))}{', ...' * (len(text) > 5)} "
                              f"{'is not a number' if len(text) == 1 else 'are not numbers'}: a "
                              "matrix of clusters has numbers only; name a column of labels with "
                              f"--column, such as --column {text[0]}")
    if noise and kind in (None, "fuzzy") and not normalize:
        return frame
    return as_clustering(frame, kind, name=table.path, normalize="rows" if normalize else None)


def _evidential(table: FileTable, normalize: bool) -> Clustering:
    """Masses; the name of each column is its set as to_frame() writes it: {}, {a}, {a, b}."""
    try:
        sets = [read_set(str(column)) for column in table.frame.columns]
        names = list(dict.fromkeys(name for focal in sets for name in focal))
        if all(name.isdecimal() for name in names):
            names.sort(key=int)
        if not names:
            raise ClusteringError("no column names a cluster; the name of each column must be "
                                  "a set of clusters such as {}, {a} or {a, b}")
        # The empty set comes first, whatever the place of its column.
        order = sorted(range(len(sets)), key=lambda b: len(sets[b]) > 0)
        focal_sets = [[name in sets[b] for name in names] for b in order]
        mass = table.frame.iloc[:, order]
        if normalize:
            mass = mass.set_axis(range(len(order)), axis=1)
            mass = mass.div(mass.sum(axis=1), axis=0)
        return EvidentialClustering(mass, focal_sets, cluster_names=names)
    except ClusteringError as error:
        raise ClusteringError(f"{table.path}: {error}") from None
