"""The label of a report: known groups, with what noise and missing labels are."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .._checks import ClusteringError, check_choice, frozen, shown
from ..clusterings import Aligned, HardClustering, align
from ..results.frames import as_frame, library
from ..tables.contingency_table import ContingencyTable
from ..tables.counting import cross_counts
from .features import (
    MISSING_VALUES,
    MOST_TEXTS,
    Encoding,
    days_and_texts,
    is_category,
    with_medians,
)
from .plan import principal

if TYPE_CHECKING:
    import pandas as pd

    from .._types import Missing, Noise

NOISE = ("cluster", "drop", "raise")
MISSING = ("drop", "cluster", "raise")


# -- from a user's table to the objects of a report; nothing is silently dropped or changed -------
SCALES = ("standard", "none")
#: as many names, rows or values are listed in a message
_LISTED = 5
#: rows from which on a column 1, 2, 3, ... counts them
_COUNTED = 5


@dataclass(frozen=True, kw_only=True, eq=False)   # no slots: `components` are kept
class Objects:
    """The objects of a report.

    Attributes
    ----------
    source : str
        File name, or "data".
    x : (n, p) float64
        Features, scaled as `scale` says; indicators are 0 or 1.
    columns : tuple of str
        Names of the features.
    mean, deviation, smallest, largest : (p,) float64
        Of the features as given; the deviation with divisor n - 1.
    scale : str
        "standard" (mean 0, deviation 1) or "none".
    names : tuple of str or None
        Ids of the objects.
    id_column : str or None
        Where they come from.
    id_guessed : bool
        Whether the id column was recognised rather than asked for.
    label : HardClustering or None
        Known groups of the objects in `labelled`.
    labelled : (m,) int64
        The objects whose label is known, in order; all of them when none is missing.
    label_name : str
        Their column; empty without.
    groups : tuple of str or None
        The group that each object is sampled with, such as a patient.
    groups_name : str
        Their column; empty without.
    label_alignment : Aligned or None
        What was done about noise and missing labels: "data", then the label.
    left_out : tuple of str
        Columns that the user left out.
    left_out_text : tuple of str
        Those of them that hold text.
    rows_left_out : int
        Rows with missing values that the user left out.
    values_filled : int
        Missing values that became medians, or a text of their own.
    encoding : Encoding or None
        How columns became features.
    counting : tuple of str
        Columns that count the rows, which are no features.
    groups : tuple of str or None
        Group of each object, of the column `groups_name`.
    noise_labels : frozenset of str
        Names of noise and missing labels among the groups; they need not occur.
    last : (str, Clustering) or None
        Other clusters of these objects, and where they come from.
    cohort : Objects or None
        Objects of another cohort with the same features.
    """

    source: str
    x: np.ndarray
    columns: tuple[str, ...]
    mean: np.ndarray
    deviation: np.ndarray
    smallest: np.ndarray
    largest: np.ndarray
    scale: str
    names: tuple[str, ...] | None
    id_column: str | None
    id_guessed: bool
    label: HardClustering | None
    labelled: np.ndarray
    label_name: str
    label_alignment: Aligned | None
    left_out: tuple[str, ...]
    rows_left_out: int
    values_filled: int = 0
    encoding: Encoding
    left_out_text: tuple[str, ...] = ()
    counting: tuple[str, ...] = ()
    groups: tuple[str, ...] | None = None
    groups_name: str = ""
    noise_labels: frozenset[str] = frozenset()
    last: tuple[str, Any] | None = None
    cohort: Objects | None = None

    @property
    def n_objects(self) -> int:
        """Number of objects n."""
        return int(self.x.shape[0])

    @cached_property
    def components(self) -> tuple[np.ndarray, np.ndarray]:
        """The objects on their first two principal components, and their shares of variance."""
        return principal(self.x)

    @property
    def group_names(self) -> list[str]:
        """Names of the known groups; empty without a label."""
        label = self.label
        return [] if label is None else [str(v) for v in label.cluster_names
                                         or range(label.n_clusters)]

    @property
    def n_groups(self) -> int | None:
        """The number of `groups`."""
        return None if self.groups is None else len(set(self.groups))

    @property
    def known_groups(self) -> list[str] | None:
        """The groups of the objects whose label is known."""
        return None if self.groups is None else [self.groups[i] for i in self.labelled.tolist()]

    def known(self, clustering: Any) -> Any:
        """The part of a clustering whose label is known."""
        whole = self.labelled.size == self.n_objects
        return clustering if whole else clustering.subset(self.labelled)

    def table(self, labels: HardClustering) -> ContingencyTable:
        """The known groups, in their order, against clusters."""
        assert self.label is not None
        counts = cross_counts(self.label.labels, self.known(labels).labels, self.label.n_clusters,
                              labels.n_clusters)
        return ContingencyTable.from_counts(counts, rows=self.group_names,
                                            columns=range(labels.n_clusters))

    def name(self, i: int) -> str:
        """Name of object i: its id, else its row, from 1."""
        return f"row {i + 1}" if self.names is None else self.names[i]

    def original(self) -> np.ndarray:
        """The features as given, (n, p), up to rounding."""
        if self.scale == "none":
            return self.x
        values = self.x * self.deviation + self.mean
        # What is 0 but for rounding was 0.
        ends = np.maximum(np.abs(self.smallest), np.abs(self.largest))
        values[np.abs(values) < 1e-13 * ends] = 0.0
        indicators = self.encoding.indicators
        values[:, indicators] = self.x[:, indicators]
        return values


def read_objects(data: Any, *, label: str | None, id: str | bool | None,
                 columns: Sequence[str] | None, drop: Sequence[str] | None, scale: str,
                 missing_values: str = "raise", noise: Noise = "cluster", noise_label: Any = -1,
                 missing: Missing = "drop", header: bool | None = None,
                 separator: str | None = None, decimal: str = ".", dashes: bool = False,
                 auto: bool = False, groups: str | None = None, like: Encoding | None = None
                 ) -> Objects:
    """The objects in a file, a data frame or a matrix; errors name what to change.

    `dashes`: call options as the command line does. `like`: features of other objects.
    """
    check_choice("scale", scale, SCALES)
    check_choice("missing_values", missing_values, MISSING_VALUES)
    for what, name in (("label", label), ("id", id), ("groups", groups)):
        if name is not None and not isinstance(name, (str, int, bool)):
            raise TypeError(f"{what} is of type {type(name).__name__}; the name of a column is "
                            f"needed: add the values to the table, as in data.assign({what}=...), "
                            f'and give {what}="{what}"')
    # Other policies would leave a report without groups to show.
    for name, rule, allowed in (("noise", noise, NOISE), ("missing", missing, MISSING)):
        if rule not in allowed:
            raise ValueError(
                f"{f'--{name}' if dashes else name} is {shown(rule)}; a report takes "
                f"{', '.join(map(repr, allowed))} for its label, because it shows the groups one "
                "by one. For other policies save the clusters found (to_frame) and compare them "
                f"with the label: compare(..., {name}={shown(rule)})")
    source, frame, id_column, guessed = _table(
        data, id, header, separator, decimal,
        {n for n in (label, groups, *(columns or ()), *(drop or ())) if n is not None})
    reader = _Reader(source, frame, "--{}" if dashes else "{}=")
    reader.check_names(label=label, groups=groups, columns=columns, drop=drop,
                       id_column=id_column)
    chosen = list(columns) if columns else [
        c for c in frame.columns if c not in (label, groups, *(drop or ()))]
    named = hasattr(data, "columns") or isinstance(data, (str, Path))
    counting = []   # columns 0, 1, 2, ... or 1, 2, 3, ..., which carry no information
    for c in chosen if named and not columns and len(frame) >= _COUNTED else ():
        numbers = (frame[c].to_numpy(dtype=np.float64, na_value=np.nan)
                   if frame[c].dtype.kind in "iuf" else np.array([np.nan]))
        if numbers[0] in (0.0, 1.0) and (np.diff(numbers) == 1.0).all():
            counting.append(c)
    chosen = [c for c in chosen if c not in counting] or counting
    counting = [c for c in counting if c not in chosen]
    table, dates, texts = frame, list[str](), list[str]()
    if auto:
        missing_values = "drop" if missing_values == "raise" else missing_values
        table, dates, texts = days_and_texts(frame, chosen, like)
        if not columns:
            unusable = reader.unusable(table, texts, missing_values)
            drop = [*(drop or ()), *unusable]
            chosen = [c for c in chosen if c not in unusable]
    few = [c for c in texts if like is not None or is_category(table[c])]
    reader.check_numbers(chosen, {*dates, *few}, asked=bool(columns), auto=auto,
                         label=label)
    table = table[chosen]
    rows_left_out, values_filled = reader.check_missing(table, missing_values), 0
    if missing_values == "median":
        table, values_filled = with_medians(table, texts)
    kept = table.notna().all(axis=1).to_numpy()
    table, used = table[kept], frame[kept]
    if groups is not None and used[groups].isna().any():
        raise ClusteringError(f"{source} has no {groups!r} in data row "
                              f"{int(frame[groups].isna().to_numpy().argmax()) + 1}; every object "
                              f"needs one, or leave {reader.option('groups')} out")
    encoding = Encoding(given=tuple(chosen), dates=tuple(c for c in dates if c in chosen), texts={
        c: tuple(sorted(table[c].unique())) for c in texts if c in chosen})
    names, values = (like or encoding).features(table, source)
    values, indicators = np.ascontiguousarray(values), (like or encoding).indicators
    reader.check_values(values, names, ~indicators if like else None)
    known_label, labelled, done = None, np.arange(values.shape[0]), None
    noise_labels = frozenset(map(str, noise_label if isinstance(noise_label, (set, frozenset))
                                 else [noise_label]))
    if label is not None:
        # Objects without a label are clustered like the others: the label finds no clusters.
        known = used[label].notna().to_numpy()
        named_groups = reader.groups(label, used[label][known])
        everybody = HardClustering(np.zeros(len(used), np.int64), object_names=range(len(used)))
        done = align(
            everybody, HardClustering(named_groups.labels, cluster_names=named_groups.cluster_names,
                                      object_names=np.flatnonzero(known).tolist()),
            noise=("cluster", noise), missing=("raise", missing), noise_label=(-1, noise_labels),
            objects="all", names=("data", label))
        merged, labelled = done[1].as_hard(label), done.positions[0]
        known_label = HardClustering(merged.labels, cluster_names=merged.cluster_names)
    mean, deviation = values.mean(axis=0), values.std(axis=0, ddof=1)
    x = values
    if scale == "standard":
        x = np.where(indicators, values, (values - mean) / np.where(indicators, 1.0, deviation))
    out = [c for c in frame.columns if c not in {*chosen, *counting, label, groups}]
    return Objects(
        source=source, x=frozen(np.ascontiguousarray(x)), columns=tuple(map(str, names)),
        mean=mean, deviation=deviation, smallest=values.min(axis=0), largest=values.max(axis=0),
        scale=scale, names=None if id_column is None else tuple(map(str, used.index.tolist())),
        id_column=id_column, id_guessed=guessed, label=known_label, labelled=frozen(labelled),
        label_name=label or "", label_alignment=done, groups_name=groups or "",
        groups=None if groups is None else tuple(map(str, used[groups])),
        noise_labels=noise_labels | {"noise", "missing"},
        counting=tuple(map(str, counting)), left_out=tuple(map(str, out)),
        rows_left_out=rows_left_out, values_filled=values_filled, encoding=like or encoding,
        left_out_text=tuple(str(c) for c in out if frame[c].dtype.kind not in "iufb"))


def read_last(data: Any, objects: Objects, *, header: bool | None = None,
              separator: str | None = None, decimal: str = ".", dashes: bool = False
              ) -> tuple[str, Any]:
    """Clusters of the same objects in a file, a frame or labels; and where they come from."""
    from .. import as_clustering
    named = isinstance(data, (str, Path)) or hasattr(data, "columns")
    source, frame = "the given labels", None
    if named:
        ids = objects.names is not None
        source, frame, _, _ = _table(data, None if ids else False, header, separator, decimal,
                                     {"k-means"})
        choice = [c for c in frame.columns if c == "k-means"] or list(frame.columns)
        if len(choice) != 1:
            raise ClusteringError(
                f"{source} has the columns {listed(choice)}; one column of clusters is needed, or "
                "one called 'k-means' (and ids, if the data have some)")
        labels = frame[choice[0]].dropna()
        if ids:
            labels.index = labels.index.map(str)
    else:
        labels = data
    last = as_clustering(labels.tolist() if frame is not None else labels)
    if objects.names is not None and frame is not None:
        return source, last.renamed([str(i) for i in labels.index])
    if last.n_objects != objects.n_objects:
        raise ClusteringError(f"{source} has {last.n_objects} objects and the data "
                              f"{objects.n_objects}; ids in both tables match objects, else the "
                              "rows must be the same")
    return source, (last if objects.names is None or last.object_names is not None
                    else last.renamed(objects.names))


# -- reading ----------------------------------------------------------------------------------
def _table(data: Any, id: str | bool | None, header: bool | None, separator: str | None,
           decimal: str, named: set[str]) -> tuple[str, pd.DataFrame, str | None, bool]:
    """Name, data frame (ids in the index), id column, and whether that was guessed."""
    import pandas as pd

    from ..cli.files import looks_like_id, read_table
    if isinstance(data, (str, Path)):
        name, options = Path(data).name, {"header": header, "separator": separator,
                                          "decimal": decimal}
        has_id = False if isinstance(id, str) else id
        table = read_table(str(data), has_id=has_id, **options)   # type: ignore[arg-type]
        if table.guessed and table.id_column in named and table.id_column is not None:
            table = read_table(str(data), has_id=False, **options)   # type: ignore[arg-type]
        if isinstance(id, str):
            return name, _with_ids(name, table.frame, id), id, False
        if table.id_column is None:
            return name, table.frame, None, False
        return name, table.frame, table.id_column or "the first column", table.guessed
    if (other := as_frame(data)) is not None and library(data) != "pandas":
        data = pd.DataFrame({name: other[name].to_list() for name in other.columns})
    if not isinstance(data, pd.DataFrame):
        try:
            matrix = np.asarray(data, dtype=np.float64)
        except (TypeError, ValueError):
            raise ClusteringError("data cannot be read as numbers; a file name, a DataFrame or a "
                                  "matrix (objects, features) is needed") from None
        if matrix.ndim != 2:
            raise ClusteringError(f"data has shape {matrix.shape}; a matrix (objects, features) "
                                  "is needed")
        return "data", pd.DataFrame(matrix, columns=[f"x{q + 1}" for q in range(matrix.shape[1])]
                                    ), None, False
    frame = data.set_axis([str(c) for c in data.columns], axis=1)
    if len(set(frame.columns)) < frame.shape[1]:
        raise ClusteringError("data has two columns of the same name; make the names distinct")
    if isinstance(id, str):
        return "data", _with_ids("data", frame, id), id, False
    has_ids = id is not False and not isinstance(frame.index, pd.RangeIndex)
    if has_ids and not frame.index.is_unique:
        twice = frame.index[frame.index.duplicated()][0]
        raise ClusteringError(f"the index of data has {str(twice)!r} more than once; ids must be "
                              "distinct: give id=False when it does not hold ids")
    # The first column of a frame with the default index is an id by the rule for files.
    if has_ids or id is False or frame.shape[1] == 0 or (
            id is None and (frame.columns[0] in named or not looks_like_id(frame))):
        return "data", frame, "the index" if has_ids else None, False
    column = str(frame.columns[0])
    return "data", _with_ids("data", frame, column), column, id is None


def _with_ids(source: str, frame: pd.DataFrame, column: str) -> pd.DataFrame:
    if column not in frame.columns:
        raise ClusteringError(unknown_column(source, column, list(frame.columns)))
    ids = frame[column]
    if ids.isna().any():
        raise ClusteringError(f"{source} has no id in data row "
                              f"{int(ids.isna().to_numpy().argmax()) + 1} (column {column!r}); "
                              "every object needs one, or take another column")
    repeated = ids[ids.duplicated()]
    if len(repeated):
        raise ClusteringError(f"{source} has the id {str(repeated.iloc[0])!r} in column {column!r} "
                              f"more than once ({len(repeated)} repeats); ids must be distinct")
    return frame.drop(columns=column).set_axis(ids.astype(str).to_list(), axis=0)


def unknown_column(source: str, column: str, columns: Sequence[str]) -> str:
    """Message for a column that does not exist."""
    lower = {c.lower(): c for c in columns}
    near = [lower[c] for c in get_close_matches(column.lower(), lower, cutoff=0.6)]
    known = f"similar: {listed(near)}" if near else f"it has {listed(columns, 12)}"
    return f"{source} has no column {column!r}; {known}"


def listed(names: Iterable[Any], length: int = _LISTED) -> str:
    """Names in quotes, at most `length` of them."""
    names = list(names)
    text = ", ".join(repr(str(n)) for n in names[:length])
    return text if len(names) <= length else f"{text}, ... ({len(names)} in all)"


# -- checks -----------------------------------------------------------------------------------
class _Reader:
    """Checks of one table; every message says what to do with which option."""

    def __init__(self, source: str, frame: pd.DataFrame, style: str) -> None:
        self.source, self.frame, self.style = source, frame, style

    def option(self, name: str) -> str:
        """An option as the user wrote it."""
        dashed = self.style.startswith("--")
        return self.style.format(name.replace("_", "-") if dashed else name)

    def row(self, i: int) -> str:
        """Name of row i."""
        index = self.frame.index
        called = f" (id {index[i]!r})" if index.dtype.kind not in "iu" else ""
        return f"{i + 1}{called}"

    def check_names(self, *, label: str | None, groups: str | None, columns: Sequence[str] | None,
                    drop: Sequence[str] | None, id_column: str | None) -> None:
        singles = [name for name in (label, groups) if name is not None]
        for name in (*singles, *(columns or ()), *(drop or ())):
            if name == id_column:
                raise ClusteringError(f"column {name!r} of {self.source} holds the ids; it can be "
                                      "nothing else")
            if name not in self.frame.columns:
                raise ClusteringError(unknown_column(self.source, name, list(self.frame.columns)))
        if columns and drop:
            raise ValueError(f"{self.option('columns')} and {self.option('drop')} exclude each "
                             "other; what is not among the columns named is left out")
        for listed_names, name in ((columns, "columns"), (drop, "drop")):
            for what, single in (("label", label), ("groups", groups)):
                if single is not None and single in (listed_names or ()):
                    raise ValueError(f"{single!r} is the {what} and among {self.option(name)}; the "
                                     f"{what} is never a feature, take it out there")
            if listed_names and len(set(listed_names)) < len(listed_names):
                raise ValueError(f"{self.option(name)} names a column twice")

    def check_numbers(self, chosen: list[str], settled: Collection[str], *, asked: bool,
                      auto: bool, label: str | None) -> None:
        """Raise unless all chosen columns are numbers, but those that become numbers."""
        from pandas.api.types import is_bool_dtype, is_numeric_dtype
        if not chosen:
            raise ClusteringError(f"{self.source} has no column of features besides the id and "
                                  "the label; at least one is needed")
        wrong = [c for c in chosen if c not in settled and (
            is_bool_dtype(self.frame[c]) or not is_numeric_dtype(self.frame[c]))]
        if not wrong:
            return
        shown = [f"{c!r} ({self._example(c)})" for c in wrong[:_LISTED]]
        text = ", ".join(shown) + (f" and {len(wrong) - _LISTED} more" if len(wrong) > _LISTED
                                   else "")
        what = "is not a number" if len(wrong) == 1 else "are not numbers"
        remedy = [f"leave out with {self.option('drop')}{self._value(wrong)}",
                  f"give {self._flag('auto')}, which makes indicators of text of at most "
                  f"{MOST_TEXTS} values and days of dates, and leaves other text out"]
        if label is None:
            remedy.append(f"name known groups with {self.option('label')}{self._value(wrong[:1])}")
        heads = (self.frame[c].dropna().astype(str).head(50) for c in wrong)
        if any(text.str.fullmatch(r"\s*[-+]?\d*,\d+\s*").mean() > 0.5 for text in heads):
            remedy.append(f"read decimal commas with {self.option('decimal')}{self._value([','])}")
        if asked:
            remedy[0] = f"take it out of {self.option('columns').rstrip('=')}"
        if auto:
            what += f", nor text of at most {MOST_TEXTS} values that occur twice on average"
            del remedy[1]
        raise ClusteringError(f"{self.source}: {text} {what}, as features must be: "
                              f"{', or '.join(remedy)}")

    def _flag(self, name: str) -> str:
        return self.option(name) + ("" if self.style.startswith("--") else "True")

    def unusable(self, table: pd.DataFrame, texts: Sequence[str], missing_values: str
                 ) -> list[str]:
        """Columns of text of many values, or the same in every row that is left."""
        out = [c for c in map(str, table) if (c in texts and not is_category(table[c]))
               or table[c].nunique() < 2]
        rest = table.drop(columns=out)
        whole = rest.dropna() if missing_values == "drop" else rest
        return out + [c for c in map(str, rest) if len(whole) and whole[c].nunique() < 2]

    def _value(self, names: Sequence[str]) -> str:
        if self.style.startswith("--"):
            text = ",".join(names)
            return f" {text!r}" if " " in text or text == "," else f" {text}"
        return repr(names[0]) if len(names) == 1 else repr(list(names))

    def _example(self, column: str) -> str:
        import pandas as pd
        values = self.frame[column]
        if values.dtype.kind == "b":
            return "True or False; write 1 and 0 if that is meant"
        try:
            numbers = pd.to_numeric(values, errors="coerce") if values.dtype.kind not in "mM" else (
                values.isna().map({True: 0.0, False: np.nan}))
        except OverflowError:
            return "whole numbers too large for a float"
        bad = np.flatnonzero((numbers.isna() & values.notna()).to_numpy())
        if not bad.size:
            return f"type {values.dtype}"
        example = str(values.iloc[bad[0]])
        example = example if len(example) <= 60 else f"{example[:57]}..."
        return f"{example!r} in row {self.row(int(bad[0]))}"

    def check_missing(self, features: pd.DataFrame, missing_values: str) -> int:
        """Number of rows that the user leaves out; an error when there are some unasked."""
        median = f"{self.option('missing_values')}{self._value(['median'])}"
        missing = features.isna()
        rows = missing.any(axis=1).to_numpy()
        if not rows.any() or missing_values == "median":
            if missing.all().any():
                raise ClusteringError(f"{self.source} has no value in column "
                                      f"{missing.columns[missing.all()][0]!r}; leave it out")
            return 0
        if missing_values == "drop":
            if rows.all():
                raise ClusteringError(f"{self.source} misses a value in every row; nothing would "
                                      f"be left: {median} fills them in, or leave columns out")
            return int(rows.sum())
        parts = []
        for c in missing.columns[missing.any()][:_LISTED]:
            at = np.flatnonzero(missing[c].to_numpy())
            parts.append(f"{str(c)!r} in row{'s' if at.size > 1 else ''} "
                         + ", ".join(self.row(int(i)) for i in at[:_LISTED])
                         + (f", ... ({at.size} rows)" if at.size > _LISTED else ""))
        more = int(missing.any().sum()) - len(parts)
        raise ClusteringError(
            f"{self.source} misses values: {'; '.join(parts)}"
            + (f"; and in {more} more columns" if more else "")
            + f". Fill them in (medians: {median}), leave these columns out "
            f"({self.option('drop').rstrip('=')}), or leave the {int(rows.sum())} of {rows.size} "
            f"rows out ({self.option('missing_values')}{self._value(['drop'])}, or "
            f"{self._flag('auto')})")

    def check_values(self, x: np.ndarray, chosen: list[str], varying: np.ndarray | None) -> None:
        """Raise for few rows, infinite values and constant features, of `varying` ones if given."""
        if x.shape[0] < 4:
            raise ClusteringError(f"{self.source} has {x.shape[0]} row{'s' * (x.shape[0] != 1)}; "
                                  "at least 4 objects are needed for a report")
        wild = np.argwhere(~np.isfinite(x))
        if wild.size:
            i, j = (int(k) for k in wild[0])
            raise ClusteringError(f"{self.source} has {x[i, j]} in row {self.row(i)}, column "
                                  f"{chosen[j]!r}; finite numbers are needed")
        constant = [c for c, low, high, may in zip(
            chosen, x.min(axis=0), x.max(axis=0), [True] * len(chosen) if varying is None
            else varying) if low == high and may]
        if constant:
            raise ClusteringError(
                f"{self.source}: {listed(constant)} {'is' if len(constant) == 1 else 'are'} the "
                "same in every row and cannot tell objects apart; leave out with "
                f"{self.option('drop')}{self._value(constant)} or {self._flag('auto')}")

    def groups(self, name: str, values: pd.Series) -> HardClustering:
        if values.dtype.kind == "f" and self.frame[name].isna().any() and (values % 1 == 0).all():
            values = values.astype(np.int64)   # whole numbers that gaps made floats
        if len(values) < 2:
            raise ClusteringError(f"the label {name!r} is missing in all rows but {len(values)}; "
                                  f"leave {self.option('label')} out")
        # 1, True and 1.0 are equal, as are 0.0 and -0.0; here their texts count.
        texts = [str(v) for v in values]

        def numbers_first(text: str) -> tuple[bool, float, str]:
            try:
                number = float(text)
            except ValueError:
                number = np.nan
            return not np.isfinite(number), number if np.isfinite(number) else 0.0, text
        names = sorted(set(texts), key=numbers_first)
        if len(names) == 1:
            raise ClusteringError(f"the label {name!r} is {names[0]!r} in every row; at least two "
                                  f"groups are needed, or leave {self.option('label')} out")
        if len(names) > max(2, len(values) // 2):
            raise ClusteringError(f"the label {name!r} has {len(names)} different values in "
                                  f"{len(values)} rows: it does not name groups. If it is an id, "
                                  f"say {self.option('id')}{self._value([name])}")
        codes = {v: k for k, v in enumerate(names)}
        return HardClustering([codes[v] for v in texts], cluster_names=names)


def check_numbers_of_clusters(clusters: Any, x: np.ndarray, dashes: bool) -> tuple[int, ...]:
    """The numbers of clusters as ints >= 2, at most the number of distinct rows less one."""
    from operator import index
    option = "--clusters" if dashes else "n_clusters"
    example = "3 or 2:6" if dashes else "3 or range(2, 7)"
    try:
        numbers: list[Any] = [clusters] if np.isscalar(clusters) else list(clusters)
        ks = tuple(index(k) for k in numbers)
    except TypeError:
        raise ValueError(f"{option} is {clusters!r}; whole numbers are needed, such as {example}"
                         ) from None
    if not ks or min(ks) < 2 or len(set(ks)) < len(ks):
        raise ValueError(f"{option} is {list(ks)}; distinct whole numbers >= 2 are needed, such as "
                         f"{example}")
    # Most data have enough distinct rows at their beginning.
    enough = max(ks) + 1
    distinct = np.unique(x[:20 * enough], axis=0).shape[0]
    if distinct < enough:
        distinct = np.unique(x, axis=0).shape[0]
    if distinct < enough:
        raise ClusteringError(f"{max(ks)} clusters are asked for and the data have {distinct} "
                              f"distinct rows; at most {distinct - 1} clusters make sense: give "
                              f"{option} a smaller number")
    return tuple(sorted(ks))
