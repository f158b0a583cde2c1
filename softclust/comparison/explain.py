"""`explain()` and `cluster_changes()`: a number traced to objects, clusters, splits and merges."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np
from scipy.special import xlogy

from .._checks import ClusteringError, check_choice, check_whole, frozen
from ..clusterings.alignment import Policies, side_names
from ..clusterings.arrays import components
from ..covers.disjoint import best_cells
from ..covers.walks import ElementSimilarities, groups_of
from ..measures import Measure, Shares, registry
from ..measures.joint import settled_source
from ..measures.statistic import Source
from ..results.frames import frame_first
from ..results.records import Columns, Drawn, EqualValues, Record
from ..results.summary import SummaryTable
from ..results.text import ROUNDED_ZERO, position
from ..running.warnings import quiet
from ..tables.contingency import Contingency, cell_of_objects
from ..tables.frame_sides import sides_of
from ..tables.set_matching import transfer_distance
from ..tables.set_overlaps import lattice_distance
from .influence import cluster_names, need_hard, prepared

if TYPE_CHECKING:
    from .._types import (
        ClusteringLike,
        FrameLibrary,
        FrameLike,
        MissingRules,
        NoiseRules,
        Objects,
        SourceLike,
    )
    from .influence import Influence

#: events with at least this share of the disagreement get a sentence of their own
_TOLD = 0.05
#: number of clusters named in one sentence
_NAMED = 4


# -- records --------------------------------------------------------------------------------------
#: kinds of events
EVENTS = ("kept", "split", "merge", "mixed", "dissolved", "assembled")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ClusterEvent(EqualValues):
    """A group of clusters of x and of y that share most of their objects.

    Attributes
    ----------
    kind : str
        "kept", "split", "merge", "mixed", "dissolved" (a cluster of x without a majority) or
        "assembled" (one of y).
    x, y : tuple of int
        Codes of the clusters.
    count : int
        Objects on its major cells.
    exact : bool
        True if its rows and columns have no other cell.
    share : float
        Its part of the disagreement, in the measure's own unit; nan if not known.

    Examples
    --------
    >>> import softclust
    >>> event = softclust.cluster_changes([0, 0, 1, 1], [0, 0, 0, 0]).events[0]
    >>> event.kind, event.x, event.y, event.exact
    ('merge', (0, 1), (0,), True)
    """

    kind: Annotated[str, "key EVENTS"]
    x: tuple[Annotated[int, ">=0"], ...]
    y: tuple[Annotated[int, ">=0"], ...]
    count: Annotated[int, ">=0"]
    exact: bool
    share: float


@dataclass(frozen=True, kw_only=True, eq=False)
class ClusterChanges(Record):
    """Splits, merges and moves between two clusterings; made by `cluster_changes`.

    Attributes
    ----------
    events : tuple of ClusterEvent
        Events by decreasing share.
    moves : tuple of (int, int, int)
        Cluster of x, cluster of y and number of objects of every other cell, by decreasing number.
    moved : int
        Objects that moved.
    moved_share : float
        Rest of the disagreement, not due to the events.
    total : float
        1 - value of an agreement, value of a dissimilarity.
    measure : str
    names : (str, str)
        Names of the sides.
    cluster_names : (tuple, tuple)
        Names of the clusters of x and y.
    operations : int
        Smallest number of splits and merges, without moves (`lattice_distance`).
    transfers : int
        Smallest number of moves, without splits and merges (`transfer_distance`).

    Notes
    -----
    ``to_frame()``: one row per event, then one per move. Columns kind, x, y (names of clusters),
    count, exact, share.

    Examples
    --------
    >>> import softclust
    >>> found = softclust.cluster_changes([0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1])
    >>> [event.kind for event in found.events], found.moves
    (['kept', 'kept'], ((0, 1, 1),))
    """

    events: tuple[ClusterEvent, ...]
    moves: tuple[tuple[int, int, int], ...]
    moved: int
    moved_share: float
    total: float
    measure: Annotated[str, "measure"]
    names: tuple[str, str]
    cluster_names: tuple[tuple[Any, ...], tuple[Any, ...]]
    _source: Source

    def _check(self) -> None:
        sides = [{k for event in self.events for k in event.x} | {move[0] for move in self.moves},
                 {k for event in self.events for k in event.y} | {move[1] for move in self.moves}]
        if self._source.n_clusters != tuple(map(len, self.cluster_names)) or not all(
                codes <= {*range(len(names))} for codes, names in zip(sides, self.cluster_names)):
            raise ClusteringError("the changes of a stored result do not fit its clusters")

    @cached_property
    def operations(self) -> int:
        """Smallest number of splits and merges, without moves."""
        return int(lattice_distance(self._source))

    @cached_property
    def transfers(self) -> int:
        """Smallest number of moves, without splits and merges."""
        return int(transfer_distance(self._source))

    def _frame(self) -> Columns:
        x, y = self.cluster_names
        rows = [(e.kind, tuple(x[k] for k in e.x), tuple(y[k] for k in e.y), e.count, e.exact,
                 e.share) for e in self.events]
        rows += [("move", (x[k],), (y[j],), count, False, math.nan) for k, j, count in self.moves]
        columns = ("kind", "x", "y", "count", "exact", "share")
        return Columns({name: [row[at] for row in rows] for at, name in enumerate(columns)})

    def sentences(self) -> list[str]:
        """The changes in words, the largest share first."""
        changed = []
        for event in self.events:
            if event.kind != "kept":
                of_x, of_y = (_named(side, [names[k] for k in codes]) for side, names, codes in
                              zip(self.names, self.cluster_names, (event.x, event.y)))
                verb = "are" if len(event.x) > 1 else "is"
                changed.append((event.share, {
                    "split": f"{of_x} {verb} split into {of_y}",
                    "merge": f"{of_x} {verb} merged in {of_y}",
                    "mixed": f"{of_x} are split and merged into {of_y}",
                    "dissolved": f"{of_x} {verb} dissolved",
                    "assembled": f"{of_y} is assembled from parts"}[event.kind]))
        if self.moves:
            parts = [f"{_named(self.names[0], [self.cluster_names[0][k]])} to "
                     f"{_named(self.names[1], [self.cluster_names[1][j]])}"
                     for k, j, _ in self.moves[:_NAMED - 1]]
            more = "" if len(self.moves) < _NAMED else ", ..."
            noun = "object" if self.moved == 1 else "objects"
            changed.append((self.moved_share,
                            f"{self.moved} {noun} moved ({', '.join(parts)}{more})"))
        if math.isnan(self.moved_share) or not self.total:
            return [f"{text}." for _, text in changed]
        changed.sort(key=lambda each: -each[0])
        large = [each for each in changed if each[0] >= _TOLD * self.total]
        rest = sum(share for share, _ in changed) - sum(share for share, _ in large)
        lines = [f"{100 * share / self.total:.0f} %: {text}." for share, text in large]
        if rest > 1e-9 * self.total:
            lines.append(f"{100 * rest / self.total:.0f} %: other.")
        return lines

    def _table(self) -> SummaryTable:
        first, *sentences = str(self).split("\n")
        return SummaryTable([[text] for text in sentences], ["change"], title=first)

    def __str__(self) -> str:
        n_kept = sum(e.kind == "kept" for e in self.events)
        first = (f"{self.names[0]} to {self.names[1]}: {n_kept} kept, "
                 f"{len(self.events) - n_kept} changed, {self.moved} "
                 f"object{'' if self.moved == 1 else 's'} moved")
        return "\n".join([first, *self.sentences()])


def _named(side: str, names: list[Any]) -> str:
    """Name clusters of a side, such as "truth 1 and 2"."""
    texts = [str(position(name)) for name in names[:_NAMED]]
    if len(names) > _NAMED:
        texts.append(f"{len(names) - _NAMED} more")
    return f"{side} " + " and ".join(filter(None, [", ".join(texts[:-1]), *texts[-1:]]))


@dataclass(frozen=True, kw_only=True, eq=False)
class Explanation(Drawn):
    """Shares of objects and clusters in a disagreement; made by `explain`.

    Attributes
    ----------
    measure : str
    value : float
    total : float
        The disagreement: 1 - value of an agreement, value of a dissimilarity.
    label : str
        Name of the total, such as "1 - ARI".
    objects : ndarray, shape (n,)
        Shares of the objects; raises for a table.
    has_cells : bool
        True if clusters and cells have shares, too.
    x_clusters, y_clusters : ndarray, shape (r,) and (s,)
        Shares of the clusters. This and the following attributes raise if a side is not hard: the
        disagreement is then divided among objects only.
    cells : ndarray, shape (m, 3), int64
        Cluster of x, cluster of y and number of objects of each non-empty cell.
    cell_shares, cell_split, cell_merge : ndarray, shape (m,)
        Shares of the cells, and their split and merge parts.
    split, merge : float
        Parts of the total due to pairs (or information) that x joins and y separates, and vice
        versa; nan if the measure has one term only.
    unique : bool
        False if several one-to-one matchings are best; the first is used.
    changes : ClusterChanges
        Splits, merges and moves; computed on first access.
    influence : Influence
        Influence of each object; computed on first access.
    names : (str, str)
        Names of the sides.
    cluster_names : (tuple, tuple)
        Names of the clusters.
    object_names : tuple or None

    Examples
    --------
    >>> import softclust
    >>> why = softclust.explain([0, 0, 1, 1], [0, 1, 1, 1], "rand_index")
    >>> why.total, why.objects.tolist(), why.top(1)
    (0.5, [0.08333333333333333, 0.25, 0.08333333333333333, 0.08333333333333333], [(1, 0.25)])
    """

    _chart = "plot_explanation"

    measure: Annotated[str, "measure"]
    value: float
    total: float
    label: str
    names: tuple[str, str]
    unique: bool = True
    _source: Source
    _options: Mapping[str, Any]
    _shares: Shares
    #: shares of the cells, and their split and merge parts
    _by_cell: tuple[Annotated[np.ndarray, "f m"], Annotated[np.ndarray, "f m"],
                    Annotated[np.ndarray, "f m"]] | None = None
    _by_object: Annotated[np.ndarray | None, "f _source.n_objects"] = None
    _top: int = 10

    @property
    def has_cells(self) -> bool:
        """True if clusters and cells have shares, not objects only."""
        return self._by_cell is not None

    def _cell_parts(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        if self._by_cell is None:
            raise ClusteringError(
                f"{self.measure} of {' and '.join(self._source.kinds)} clusterings has shares of "
                "objects only; shares of clusters and cells, and changes, need two hard "
                "clusterings")
        return self._by_cell

    @property
    def cells(self) -> np.ndarray:
        """Cluster of x, cluster of y and number of objects of each non-empty cell, (m, 3)."""
        self._cell_parts()
        c = self._source.statistic(Contingency)
        return frozen(np.column_stack([c.rows, c.cols, c.counts]))

    @property
    def cell_shares(self) -> np.ndarray:
        """Shares of the cells, (m,)."""
        return frozen(self._cell_parts()[0])

    @property
    def cell_split(self) -> np.ndarray:
        """Parts of the shares that x joins and y separates, (m,); nan for a measure with one term.
        """
        return frozen(self._cell_parts()[1])

    @property
    def cell_merge(self) -> np.ndarray:
        """Parts of the shares that y joins and x separates, (m,); nan for a measure with one term.
        """
        return frozen(self._cell_parts()[2])

    @property
    def split(self) -> float:
        """Sum of `cell_split`."""
        return float(self.cell_split.sum())

    @property
    def merge(self) -> float:
        """Sum of `cell_merge`."""
        return float(self.cell_merge.sum())

    @property
    def x_clusters(self) -> np.ndarray:
        """Shares of the clusters of x, (r,)."""
        shares, c = self.cell_shares, self._source.statistic(Contingency)
        return frozen(np.bincount(c.rows, shares, c.r))

    @property
    def y_clusters(self) -> np.ndarray:
        """Shares of the clusters of y, (s,)."""
        shares, c = self.cell_shares, self._source.statistic(Contingency)
        return frozen(np.bincount(c.cols, shares, c.s))

    @cached_property
    def objects(self) -> np.ndarray:
        """Shares of the objects, (n,) float64.

        Raises
        ------
        ClusteringError
            If only a table of counts is known.
        """
        if self._by_object is not None:
            return frozen(self._by_object)
        if not self._source.has_objects:
            raise ClusteringError("a table of counts has no objects; give both "
                                  "clusterings")
        c = self._source.statistic(Contingency)
        each = self.cell_shares / c.counts
        return frozen(each[cell_of_objects(c, *self._source.objects.codes)])

    @property
    def object_names(self) -> tuple[Any, ...] | None:
        """Names of the objects, if they have any."""
        names: tuple[Any, ...] | None = (
            self._source.objects.x.object_names if self._source.has_objects else None)
        return names

    @property
    def cluster_names(self) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """Names of the clusters of both sides."""
        return cluster_names(self._source)

    @cached_property
    def changes(self) -> ClusterChanges:
        """Splits, merges and moves; computed on first access."""
        self._cell_parts()
        return _ledger(self._source, self.measure, self.names, self._shares, self.total)

    @cached_property
    def influence(self) -> Influence:
        """Influence of each object; computed on first access."""
        from .influence import influence
        return influence(self._source, measure=self.measure, **self._options)

    def top(self, k: int | None = None) -> list[tuple[Any, float]]:
        """The k objects with the largest shares, by name if they have names, and their shares."""
        count = self._top if k is None else check_whole("k", k, 0)
        shares, names = self.objects, self.object_names
        return [(i if names is None else names[i], float(shares[i]))
                for i in np.argsort(-shares, kind="stable")[:count].tolist() if shares[i] > 0]

    def to_frame(self, what: Literal["cells", "objects", "x", "y", "changes"] = "cells",
                 backend: FrameLibrary = "pandas") -> Any:
        """The shares as a data frame.

        Parameters
        ----------
        what : {"cells", "objects", "x", "y", "changes"}
            What the shares refer to.
        backend : str
            Package of the data frame: "pandas", "polars", "pyarrow", ...

        Returns
        -------
        data frame
            cells: x, y, count, share, split, merge; objects, x, y: share; changes: events and
            moves.
        """
        check_choice("what", what, ("cells", "objects", "x", "y", "changes"))
        if what == "changes":
            return self.changes.to_frame(backend)
        x, y = self.cluster_names
        if what == "objects":
            names = self.object_names
            columns = Columns({"share": self.objects},
                              {"object": range(self.objects.size) if names is None else names})
        elif what == "cells":
            i, j, counts = self.cells.T
            columns = Columns({
                "x": [x[k] for k in i.tolist()], "y": [y[k] for k in j.tolist()], "count": counts,
                "share": self.cell_shares, "split": self.cell_split, "merge": self.cell_merge})
        else:
            columns = (Columns({"share": self.x_clusters}, {"x": x}) if what == "x" else
                       Columns({"share": self.y_clusters}, {"y": y}))
        return columns.to_pandas() if backend == "pandas" else columns.to_native(backend)

    def summary(self) -> SummaryTable:
        """The sentences as a table to print.

        Returns
        -------
        SummaryTable
        """
        first, *sentences = str(self).split("\n")
        return SummaryTable([[text] for text in sentences], ["explanation"], title=first)

    def _repr_html_(self) -> str:
        return self.summary().as_html()

    def __str__(self) -> str:
        value = self.value if abs(self.value) >= ROUNDED_ZERO else 0.0
        lines = [f"{self.measure} = {value:.4g}"]
        phrase = f"the disagreement ({self.label} = {self.total:.3g})"
        if not self.total:
            lines.append("The clusterings agree.")
        elif not self.has_cells:
            lines.append(f"Objects only share {phrase}: not both clusterings are hard.")
        else:
            text = "\n".join(self.changes.sentences())
            lines.append(text.replace(" %: ", f" % of {phrase}: ", 1))
        if not self.unique:
            lines.append("Several one-to-one matchings are best; the shares are for the first.")
        if self._source.has_objects and (top := self.top()):
            shares = [f"{100 * share / self.total:.2g} %" for _, share in top]
            alike = len(set(shares)) == 1 and len(top) > 1
            lines.append("Objects with the largest shares: " + ", ".join(
                str(position(name)) if alike else f"{position(name)} ({share})"
                for (name, _), share in zip(top, shares)) + (f": {shares[0]} each." if alike
                                                             else "."))
        return "\n".join(lines)


# -- shares ---------------------------------------------------------------------------------------
def shares_of(m: Measure, options: Mapping[str, Any], kinds: tuple[str, str]) -> Shares:
    """Shares of the measure for clusterings of these kinds under these options.

    Raises
    ------
    ClusteringError
        If it has no shares for these kinds; the message names measures that have.
    ValueError
        If it has no shares at all, or not under these options.
    """
    def of_kinds(each: Measure) -> list[Shares]:
        return [shares for shares in each.shares if set(kinds) <= set(shares.kinds)
                and (shares.base != "pair means" or set(kinds) != {"hard"})]

    values = {**m.defaults, **options}
    for shares in of_kinds(m):
        if all(values.get(name) == value for name, value in shares.options.items()):
            return shares
    others = [each.name for each in registry().values() if of_kinds(each)]
    near = [name for name in others if set(name.split("_")) & set(m.name.split("_")) - {"index"}]
    if m.shares and not of_kinds(m):
        raise ClusteringError(
            f"explain divides {m.name} of two hard clusterings; these are {kinds[0]} and "
            f"{kinds[1]}: harden() makes hard ones by a named rule. "
            + (f"Objects (not clusters) have shares of {', '.join(others)}" if others else
               "No measure of these kinds has shares"))
    raise ValueError(f"{m.name} has no shares that add up"
                     + (" under these options" if m.shares else "") + "; these measures have: "
                     + ", ".join((near or others)[:4]))


def _terms(source: Source, shares: Shares) -> tuple[np.ndarray, np.ndarray | None, bool]:
    """Split and merge term of one object of each cell; True if they are unique.

    The merge term is None if the measure does not distinguish the two.
    """
    c, base = source.statistic(Contingency), shares.base
    t, a, b = (v.astype(np.float64) for v in (c.counts, c.a[c.rows], c.b[c.cols]))
    if base == "element":
        return 1.0 - t / np.maximum(a, b), None, True
    if base == "matching":
        off, unique = source.kept("off the matching", lambda: _off_matching(c))
        return off, None, unique
    if base == "pairs":
        split, merge = (a - t) / 2.0, (b - t) / 2.0
    elif base == "information":
        split, merge = np.log1p((a - t) / t), np.log1p((b - t) / t)
    elif base == "bcubed":
        split, merge = 1.0 - t / a, 1.0 - t / b
    elif base == "operations":
        split, merge = ((1.0 - 1.0 / np.bincount(codes)[codes]) / t for codes in (c.rows, c.cols))
    else:
        assert base == "partner"
        split, merge = _off_best(c.counts, c.rows), _off_best(c.counts, c.cols)
    return split * shares.split, merge * shares.merge, True


def _off_best(counts: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """1 outside the largest cell of a cluster; with q largest cells 1 - 1/q in each."""
    largest = np.zeros(int(codes.max()) + 1, counts.dtype)
    np.maximum.at(largest, codes, counts)
    best = counts == largest[codes]
    return np.where(best, 1.0 - 1.0 / np.bincount(codes, best)[codes], 1.0)


#: largest number of cells for which all are tried to find the first of several best matchings
_TRIED = 400


def _off_matching(c: Contingency) -> tuple[np.ndarray, bool]:
    """1 outside the best one-to-one matching, the first by sorted pairs; True if it is unique."""
    counts = c.counts.astype(np.float64)
    chosen = best_cells(c.rows, c.cols, counts.take)
    best = float(counts[chosen].sum())
    # Among matchings of the same weight this prefers those with other cells.
    others = counts * (chosen.size + 1)
    others[chosen] -= 1.0
    unique = np.array_equal(best_cells(c.rows, c.cols, others.take), chosen)
    if not unique and c.n_cells <= _TRIED:
        # The best matching that comes first when its pairs are sorted.
        fixed: list[int] = []
        free = np.arange(c.n_cells)
        while free.size:
            cell = free[0]
            others = free[(c.rows[free] != c.rows[cell]) & (c.cols[free] != c.cols[cell])]
            weights = counts[others]
            rest = weights[best_cells(c.rows[others], c.cols[others], weights.take)].sum()
            if counts[[*fixed, cell]].sum() + rest == best:
                fixed.append(cell)
                free = others
            else:
                free = free[1:]
        chosen = np.array(fixed, np.int64)
    off = np.ones(c.n_cells)
    off[chosen] = 0.0
    return off, unique


def _pair_objects(source: Source, m: Measure, options: Mapping[str, Any], total: float
                  ) -> np.ndarray:
    """Half of the mean dissimilarity of each object's pairs, relative to the mean over all pairs.

    Without object i, the mean over the other pairs lacks its pairs.
    """
    n = source.n_objects
    if n == 2:
        return np.full(2, total / 2)
    statistic_options = m.options_of("statistic", options)
    statistic_options.pop("progress", None)
    assert m.statistic is not None
    without = source.without_each(m.statistic, **statistic_options)
    if without is None or without.lacking or without.of_sample:
        raise ClusteringError(f"{m.name} has no shares here: " + (
            "under these options pairs are not summed by object" if without is None else
            without.lacking or f"{n} objects have too many pairs; use a sample of the objects"))
    return (total - (n - 2) / n * total_of(m, m.replicated(without, options)[:, 0])) / 2


def total_of(m: Measure, value: Any) -> Any:
    """The disagreement."""
    return 1.0 - value if m.sense == "agreement" else value


@frame_first
def explain(x: SourceLike | None = None, y: ClusteringLike | None = None,
            measure: str = "adjusted_rand_index", *,
            data: FrameLike | tuple[FrameLike, FrameLike] | None = None,
            on: str | Sequence[str] | None = None, names: tuple[str, str] = ("x", "y"),
            top: int = 10, noise: NoiseRules = None,
            noise_label: Any = -1, missing: MissingRules = "raise",
            objects: Objects = "same", **options: Any) -> Explanation:
    r"""Trace the value of a measure to the objects and clusters behind it.

    Parameters
    ----------
    x, y : clustering-like
        Two clusterings of the same n >= 2 objects; or x a `Joint` or a table, without y. Most
        measures need hard ones; see Notes.
    measure : str, optional
        A measure whose disagreement is a sum over objects, or a term from another field.
    data, on : optional
        One frame, of which x and y name columns, or two with the key `on`; as in `compare`.
    names : (str, str), optional
        Names of the sides in sentences; by default those of their columns or Series.
    top : int, optional
        Number of objects to print.
    noise, noise_label, missing, objects : optional
        As in `align`; this is done first.
    **options
        Options of the measure.

    Returns
    -------
    Explanation
        Shares of the disagreement (1 - value of an agreement) by object, cluster and cell, each
        summing to it; splits, merges and moves; prints as sentences. If a side is not hard, shares
        of the objects only.

    Raises
    ------
    ClusteringError
        If the measure has no shares for clusterings of these kinds, the objects differ, or they
        have weights.
    ValueError
        If the measure has no shares that add up; the message names some that have.

    See Also
    --------
    cluster_changes, influence, compare

    Notes
    -----
    .. math:: 1 - S = c \sum_i (s_i + m_i)

    with the split term s (pairs or information of object i that x joins and y separates), the
    merge term m, and one constant c, the measure's own unit.

    All objects of a cell of the table have the same share, so the time is O(n + cells). Pairs: each
    disagreeing pair counts half for either object; for the adjusted Rand index the shares are those
    of the Rand index in another unit. Information: log(a/T) and log(b/T). Matchings and best
    partners: 1 for an object outside. Shares depend on the measure.

    If a side is not hard, only objects have shares: half of the mean dissimilarity of the object's
    pairs (`alpha_rand_index`, `concordance_index`, `credal_rand_index`), and 1 - similarity around
    the object (`element_centric_index` and its adjusted form, also for covers). This takes as long
    as leaving out each object.

    Theory: docs/theory/fields.md.

    References
    ----------
    M. Meila (2007), Comparing clusterings: an information based distance, Journal of Multivariate
    Analysis 98, 873-895.

    Examples
    --------
    >>> import softclust
    >>> truth, found = [0, 0, 0, 1, 1, 2, 2], [0, 0, 0, 1, 1, 1, 1]
    >>> why = softclust.explain(truth, found, "rand_index", names=("truth", "found"), top=0)
    >>> print(why)
    rand_index = 0.8095
    100 % of the disagreement (1 - RI = 0.19): truth 1 and 2 are merged in found 1.
    >>> why.objects.round(3)
    array([0.   , 0.   , 0.   , 0.048, 0.048, 0.048, 0.048])
    """
    names = side_names(x, y, names)
    x, y, policies = sides_of(x, y, data, on, Policies(noise, noise_label, missing, objects))
    source, m, values, sides = prepared(settled_source(x, y, names, policies)[0], measure, options,
                                        explain, names)
    shares = shares_of(m, values, source.kinds)
    value = float(m.function(source, **values))
    total = float(total_of(m, value))
    short = m.abbreviations[0] if m.abbreviations else m.name
    by_cell, by_object, unique = None, None, True
    if source.both_hard:
        c = source.statistic(Contingency)
        split, merge, unique = _terms(source, shares)
        terms = split if merge is None else split + merge
        mass = float((c.counts * terms).sum())
        of_cells = c.counts * (total / mass if mass else 0.0)
        nowhere = np.full(terms.shape, np.nan)
        by_cell = (of_cells * terms, *((nowhere, nowhere) if merge is None else
                                       (of_cells * split, of_cells * merge)))
    else:
        if shares.base == "element":   # 1 - similarity around each object
            similar = source.statistic(ElementSimilarities,
                                       damping=values.get("damping", m.defaults.get("damping")))
            terms = np.asarray(1.0 - similar.values[groups_of(source.objects, similar)])
        else:
            terms = _pair_objects(source, m, values, total)
        mass = float(terms.sum())
        by_object = terms * (total / mass if mass else 0.0)
    return Explanation(
        measure=m.name, value=value, total=total, names=sides, unique=unique,
        label=f"1 - {short}" if m.sense == "agreement" else short, _source=source,
        _options=values, _shares=shares, _by_cell=by_cell, _by_object=by_object,
        _top=check_whole("top", top, 0))


# -- splits, merges and moves ---------------------------------------------------------------------
@frame_first
def cluster_changes(x: SourceLike | None = None, y: ClusteringLike | None = None, *,
                    data: FrameLike | tuple[FrameLike, FrameLike] | None = None,
                    on: str | Sequence[str] | None = None,
                    measure: str = "adjusted_rand_index", names: tuple[str, str] = ("x", "y"),
                    noise: NoiseRules = None, noise_label: Any = -1,
                    missing: MissingRules = "raise", objects: Objects = "same",
                    **options: Any) -> ClusterChanges:
    r"""Find which clusters were kept, split, merged or mixed, and which objects moved.

    Parameters
    ----------
    x, y : clustering-like
        Two hard clusterings of the same n >= 2 objects; or x a `Joint` or a table, without y.
    measure : str, optional
        The measure whose disagreement is divided among the events.
    data, on : optional
        One frame, of which x and y name columns, or two with the key `on`; as in `compare`.
    names : (str, str), optional
        Names of the sides; by default those of their columns or Series.
    noise, noise_label, missing, objects : optional
        As in `align`; this is done first.
    **options
        Options of the measure.

    Returns
    -------
    ClusterChanges
        Events by decreasing share, and the moves of single objects.

    Raises
    ------
    ClusteringError
        If a side is not hard, the objects differ, or have weights.
    ValueError
        If the measure has no shares that add up.

    See Also
    --------
    explain, lattice_distance, transfer_distance

    Notes
    -----
    .. math:: T_{kl} > a_k / 2 \quad \text{or} \quad T_{kl} > b_l / 2

    A cell is major if it holds more than half of its row or of its column; events are the connected
    components of the major cells, so there is no threshold to choose. The share of an event is the
    disagreement of the table restricted to its major cells (measures of pairs and of information);
    the moves have the rest, which is never negative.

    Theory: docs/theory/fields.md.

    Examples
    --------
    >>> import softclust
    >>> print(softclust.cluster_changes([0, 0, 0, 1, 1, 2, 2], [0, 0, 0, 1, 1, 1, 1]))
    x to y: 1 kept, 1 changed, 0 objects moved
    100 %: x 1 and 2 are merged in y 1.
    """
    names = side_names(x, y, names)
    x, y, policies = sides_of(x, y, data, on, Policies(noise, noise_label, missing, objects))
    source, m, values, sides = prepared(settled_source(x, y, names, policies)[0], measure, options,
                                        cluster_changes, names)
    need_hard(source, "cluster_changes")
    with quiet():
        value = float(m.function(source, **values))
    return _ledger(source, m.name, sides, shares_of(m, values, source.kinds), total_of(m, value))


def _ledger(source: Source, measure: str, names: tuple[str, str], shares: Shares, total: float
            ) -> ClusterChanges:
    from scipy.sparse import coo_array
    c = source.statistic(Contingency)
    major = (2 * c.counts > c.a[c.rows]) | (2 * c.counts > c.b[c.cols])
    rows, cols, counts = c.rows[major], c.cols[major], c.counts[major]
    edges = coo_array((np.ones(rows.size, np.int8), (rows, c.r + cols)),
                      shape=(c.r + c.s, c.r + c.s))
    n_parts, part = components(edges)
    members: dict[int, list[int]] = {}
    for node in np.flatnonzero(np.concatenate([c.a > 0, c.b > 0])).tolist():
        members.setdefault(int(part[node]), []).append(node)
    above, below = part[c.rows], part[c.r + c.cols]
    touching = np.bincount(above, minlength=n_parts) + np.bincount(
        below[above != below], minlength=n_parts)
    exact = touching == np.bincount(part[rows], minlength=n_parts)
    sizes = np.bincount(part[rows], counts, n_parts)
    event_shares = np.full(n_parts, math.nan)
    if shares.base in ("pairs", "information"):
        whole = _costs(c, c.rows, c.cols, c.counts, np.zeros_like(part), shares)[0]
        unit = total / whole if whole > 0.0 else 0.0
        event_shares = unit * np.maximum(0.0, _costs(c, rows, cols, counts, part, shares))
    events = []
    for group, nodes in members.items():
        of_x = tuple(k for k in nodes if k < c.r)
        of_y = tuple(k - c.r for k in nodes if k >= c.r)
        events.append(ClusterEvent(kind=_kind(len(of_x), len(of_y)), x=of_x, y=of_y,
                                   count=int(sizes[group]), exact=bool(exact[group]),
                                   share=float(event_shares[group])))
    events.sort(key=lambda e: -e.share if e.share == e.share else 0.0)
    minor = np.flatnonzero(~major)
    minor = minor[np.argsort(-c.counts[minor], kind="stable")]
    moved = int(c.counts[minor].sum())
    explained = math.fsum(e.share for e in events)
    return ClusterChanges(
        events=tuple(events), moved=moved, total=total, measure=measure, names=names,
        moves=tuple(zip(*(v[minor].tolist() for v in (c.rows, c.cols, c.counts)))),
        # nan where the shares of the events are
        moved_share=float(np.maximum(0.0, total - explained)) if moved else 0.0 * explained,
        cluster_names=cluster_names(source), _source=source)


def _costs(c: Contingency, rows: np.ndarray, cols: np.ndarray, counts: np.ndarray,
           part: np.ndarray, shares: Shares) -> np.ndarray:
    """Cost of splits and merges of the cells of each part; `part` is of rows, then of columns."""
    t = counts.astype(np.float64)
    sums = np.zeros(int(part.max()) + 1)
    for codes, parts, counted in ((rows, part[:c.r], shares.split),
                                  (cols, part[c.r:], shares.merge)):
        if counted:
            margins = np.bincount(codes, t, parts.size)
            sums += np.bincount(parts, _potential(margins, shares.base), sums.size)
            sums -= np.bincount(parts[codes], _potential(t, shares.base), sums.size)
    return sums


def _potential(sizes: np.ndarray, base: str) -> np.ndarray:
    return sizes * sizes / 2.0 if base == "pairs" else xlogy(sizes, sizes)


def _kind(r: int, s: int) -> str:
    if r and s:
        return ("kept" if s == 1 else "split") if r == 1 else ("merge" if s == 1 else "mixed")
    return "dissolved" if r else "assembled"
