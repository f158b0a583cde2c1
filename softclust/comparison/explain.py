"""`explain()` and `cluster_changes()`: a number traced to objects, clusters, splits and merges."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import xlogy

from .._checks import ClusteringError, check_choice, check_whole, frozen
from .._records import Drawn
from .._warnings import quiet
from ..clusterings.alignment import Policies, settled
from ..clusterings.arrays import components
from ..covers.disjoint import best_cells
from ..measures import Measure, Shares, measure_of, registry
from ..measures.statistic import Source
from ..tables.contingency import Contingency, by_columns, by_rows, cell_of_objects
from ..tables.set_matching import transfer_distance
from ..tables.set_overlaps import lattice_distance
from .influence import prepared

if TYPE_CHECKING:
    import pandas as pd

    from .influence import Influence

#: events with at least this share of the disagreement have a sentence of their own
_TOLD = 0.05
#: clusters named in one sentence
_NAMED = 4


# -- records --------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterEvent:
    """Clusters of x and of y that hold most of each other.

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
        Whether no other cell is in its rows and columns.
    share : float
        Its part of the disagreement, in the measure's own unit; nan where it is not known.

    Examples
    --------
    >>> import softclust
    >>> event = softclust.cluster_changes([0, 0, 1, 1], [0, 0, 0, 0]).events[0]
    >>> event.kind, event.x, event.y, event.exact
    ('merge', (0, 1), (0,), True)
    """

    kind: str
    x: tuple[int, ...]
    y: tuple[int, ...]
    count: int
    exact: bool
    share: float


@dataclass(frozen=True, kw_only=True, eq=False)
class ClusterChanges:
    """The ledger of splits, merges and moves between two clusterings; made by `cluster_changes`.

    Attributes
    ----------
    events : tuple of ClusterEvent
        By falling share.
    moves : tuple of (int, int, int)
        Cluster of x, cluster of y and number of objects of every other cell, by falling number.
    moved : int
        Objects that moved.
    moved_share : float
        What the events leave of the disagreement.
    total : float
        1 - value of an agreement, value of a dissimilarity.
    measure : str
    names : (str, str)
        What the sides are called.
    cluster_names : (tuple, tuple)
        Names of the clusters of x and y.
    operations : int
        Least number of splits and merges, without moves (`lattice_distance`).
    transfers : int
        Least number of moves, without splits and merges (`transfer_distance`).

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
    measure: str
    names: tuple[str, str]
    cluster_names: tuple[tuple[Any, ...], tuple[Any, ...]]
    _source: Source

    @cached_property
    def operations(self) -> int:
        """Least number of splits and merges, without moves."""
        return int(lattice_distance(self._source))

    @cached_property
    def transfers(self) -> int:
        """Least number of moves, without splits and merges."""
        return int(transfer_distance(self._source))

    def to_frame(self) -> pd.DataFrame:
        """One row per event, then one per move.

        Returns
        -------
        pandas.DataFrame
            kind, x, y (names of clusters), count, exact, share.
        """
        import pandas as pd
        x, y = self.cluster_names
        rows = [(e.kind, tuple(x[k] for k in e.x), tuple(y[k] for k in e.y), e.count, e.exact,
                 e.share) for e in self.events]
        rows += [("move", (x[k],), (y[j],), count, False, math.nan) for k, j, count in self.moves]
        return pd.DataFrame(rows, columns=["kind", "x", "y", "count", "exact", "share"])

    def sentences(self) -> list[str]:
        """What happened, the largest share first."""
        told: list[tuple[float, str]] = [
            (event.share, self._told(event)) for event in self.events if event.kind != "kept"]
        if self.moves:
            told.append((self.moved_share, self._moved()))
        if math.isnan(self.moved_share) or not self.total:
            return [f"{text}." for _, text in told]
        told.sort(key=lambda each: -each[0])
        large = [each for each in told if each[0] >= _TOLD * self.total]
        rest = sum(share for share, _ in told) - sum(share for share, _ in large)
        found = [f"{100 * share / self.total:.0f} %: {text}." for share, text in large]
        if rest > 1e-9 * self.total:
            found.append(f"{100 * rest / self.total:.0f} %: other.")
        return found

    def __str__(self) -> str:
        kept = sum(e.kind == "kept" for e in self.events)
        lines = [f"{self.names[0]} to {self.names[1]}: {kept} kept, "
                 f"{len(self.events) - kept} changed, {self.moved} objects moved"]
        return "\n".join([*lines, *self.sentences()])

    def _told(self, event: ClusterEvent) -> str:
        of_x, of_y = (_named(side, [names[k] for k in codes]) for side, names, codes in
                      zip(self.names, self.cluster_names, (event.x, event.y)))
        several = "are" if len(event.x) > 1 else "is"
        return {"split": f"{of_x} {several} split into {of_y}",
                "merge": f"{of_x} {several} merged in {of_y}",
                "mixed": f"{of_x} are split and merged into {of_y}",
                "dissolved": f"{of_x} {several} dissolved",
                "assembled": f"{of_y} is assembled from parts",
                "kept": f"{of_x} is kept as {of_y}"}[event.kind]

    def _moved(self) -> str:
        parts = [f"{_named(self.names[0], [self.cluster_names[0][k]])} to "
                 f"{_named(self.names[1], [self.cluster_names[1][j]])}"
                 for k, j, _ in self.moves[:_NAMED - 1]]
        more = "" if len(self.moves) < _NAMED else ", ..."
        noun = "object" if self.moved == 1 else "objects"
        return f"{self.moved} {noun} moved ({', '.join(parts)}{more})"


def _named(side: str, names: list[Any]) -> str:
    """Clusters of a side, such as "truth 1 and 2"."""
    texts = [str(name) for name in names[:_NAMED]]
    if len(names) > _NAMED:
        return f"{side} {', '.join(texts)} and {len(names) - _NAMED} more"
    return f"{side} " + (" and ".join([", ".join(texts[:-1]), texts[-1]]) if len(texts) > 1
                         else texts[0])


@dataclass(frozen=True, kw_only=True, eq=False)
class Explanation(Drawn):
    """Where two clusterings disagree by one measure; made by `explain`.

    Attributes
    ----------
    measure : str
        The measure, as it was asked for.
    value : float
    total : float
        The disagreement: 1 - value of an agreement, value of a dissimilarity.
    split, merge : float
        Parts of the total by pairs (or information) that x joins and y separates, and the other
        way; nan where the measure has one term only.
    x_clusters, y_clusters : ndarray, shape (r,) and (s,)
        Shares of the clusters.
    cells : ndarray, shape (m, 3), int64
        Cluster of x, cluster of y and number of objects of each non-empty cell.
    cell_shares, cell_split, cell_merge : ndarray, shape (m,)
        Shares of the cells.
    names : (str, str)
        What the sides are called.
    cluster_names : (tuple, tuple)
        Names of the clusters.
    object_names : tuple or None
    unique : bool
        False where several one-to-one matchings are best; the first is used.
    changes : ClusterChanges
        The ledger of splits, merges and moves.
    objects : ndarray, shape (n,)
        Shares of the objects; raises for a table.
    influence : Influence
        What each object changes, computed when it is first asked for.
    label : str
        What the total is, in words.

    Examples
    --------
    >>> import softclust
    >>> why = softclust.explain([0, 0, 1, 1], [0, 1, 1, 1], "rand_index")
    >>> why.total, why.objects.tolist(), why.top(1)
    (0.5, [0.08333333333333333, 0.25, 0.08333333333333333, 0.08333333333333333], [(1, 0.25)])
    """

    _chart = "plot_explanation"

    measure: str
    value: float
    total: float
    split: float
    merge: float
    x_clusters: np.ndarray
    y_clusters: np.ndarray
    cells: np.ndarray
    cell_shares: np.ndarray
    cell_split: np.ndarray
    cell_merge: np.ndarray
    names: tuple[str, str]
    cluster_names: tuple[tuple[Any, ...], tuple[Any, ...]]
    object_names: tuple[Any, ...] | None
    unique: bool
    changes: ClusterChanges
    label: str
    _source: Source
    _options: Mapping[str, Any]
    _cell_of: np.ndarray | None
    _top: int

    @property
    def objects(self) -> np.ndarray:
        """Shares of the objects, (n,) float64.

        Raises
        ------
        ClusteringError
            If only a table of counts is known.
        """
        if self._cell_of is None:
            raise ClusteringError("a table of counts does not know its objects; give both "
                                  "clusterings")
        with np.errstate(invalid="ignore"):
            each = self.cell_shares / self.cells[:, 2]
        return each[self._cell_of]

    @cached_property
    def influence(self) -> Influence:
        """What each object changes; computed when it is first asked for."""
        from .influence import influence
        return influence(self._source, measure=self.measure, **self._options)

    def top(self, k: int | None = None) -> list[tuple[Any, float]]:
        """The k objects with the largest shares, and these; their names where they have some."""
        count = self._top if k is None else check_whole("k", k, 0)
        shares = self.objects
        found = [i for i in np.argsort(-shares, kind="stable")[:count].tolist() if shares[i] > 0]
        names = self.object_names
        return [(i if names is None else names[i], float(shares[i])) for i in found]

    def to_frame(self, what: str = "cells") -> pd.DataFrame:
        """The shares as a data frame.

        Parameters
        ----------
        what : {"cells", "objects", "x", "y", "changes"}
            Of what.

        Returns
        -------
        pandas.DataFrame
            cells: x, y, count, share, split, merge; objects, x, y: share; changes: the ledger.
        """
        import pandas as pd
        check_choice("what", what, ("cells", "objects", "x", "y", "changes"))
        if what == "changes":
            return self.changes.to_frame()
        if what == "objects":
            index = pd.Index(range(self.objects.size) if self.object_names is None
                             else list(self.object_names), name="object")
            return pd.DataFrame({"share": self.objects}, index=index)
        if what in ("x", "y"):
            side = "xy".index(what)
            return pd.DataFrame({"share": (self.x_clusters, self.y_clusters)[side]},
                                index=pd.Index(list(self.cluster_names[side]), name=what))
        x, y = self.cluster_names
        return pd.DataFrame({
            "x": [x[k] for k in self.cells[:, 0].tolist()],
            "y": [y[k] for k in self.cells[:, 1].tolist()], "count": self.cells[:, 2],
            "share": self.cell_shares, "split": self.cell_split, "merge": self.cell_merge})

    def __str__(self) -> str:
        sentences = self.changes.sentences()
        what = f"the disagreement ({self.label} = {self.total:.3g})"
        if sentences and " %: " in sentences[0]:
            sentences[0] = sentences[0].replace(" %: ", f" % of {what}: ", 1)
        lines = [f"{self.measure} = {self.value:.4g}"]
        lines += sentences if self.total else ["The clusterings agree."]
        if not self.unique:
            lines.append("Several one-to-one matchings are best; the shares are for the first.")
        if self._cell_of is not None and (top := self.top()):
            lines.append("Objects with the largest shares: "
                         + ", ".join(f"{name} ({100 * share / self.total:.0f} %)"
                                     for name, share in top) + ".")
        return "\n".join(lines)


# -- shares ---------------------------------------------------------------------------------------
def shares_of(m: Measure, options: Mapping[str, Any]) -> Shares:
    """How the measure divides under these options.

    Raises
    ------
    ValueError
        If it does not; the message names measures that do.
    """
    given = {**m.defaults, **options}
    for found in m.shares:
        if all(given.get(name) == value for name, value in found.options.items()):
            return found
    others = [each.name for each in registry().values() if each.shares]
    near = [name for name in others if set(name.split("_")) & set(m.name.split("_")) - {"index"}]
    raise ValueError(f"{m.name} has no shares that add up"
                     + (" under these options" if m.shares else "") + "; these measures have: "
                     + ", ".join((near or others)[:4]))


def _terms(c: Contingency, base: str) -> tuple[np.ndarray, np.ndarray, bool]:
    """Split and merge term of one object of each cell, and whether they are unique."""
    t, a, b = (v.astype(np.float64) for v in (c.counts, c.a[c.rows], c.b[c.cols]))
    if base == "pairs":
        return (a - t) / 2.0, (b - t) / 2.0, True
    if base == "information":
        return np.log1p((a - t) / t), np.log1p((b - t) / t), True
    if base == "bcubed":
        return 1.0 - t / a, 1.0 - t / b, True
    if base == "element":
        return 1.0 - t / np.maximum(a, b), np.full(t.shape, np.nan), True
    if base == "operations":
        rows = np.bincount(c.rows, minlength=c.r)[c.rows]
        columns = np.bincount(c.cols, minlength=c.s)[c.cols]
        return (1.0 - 1.0 / rows) / t, (1.0 - 1.0 / columns) / t, True
    if base == "partner":
        return _off_best(c, by_rows, c.rows), _off_best(c, by_columns, c.cols), True
    off, unique = _off_matching(c)
    return off, np.full(t.shape, np.nan), unique


def _off_best(c: Contingency, reduce: Any, codes: np.ndarray) -> np.ndarray:
    """1 off the largest cell of a cluster; of q largest ones 1 - 1/q each."""
    used, place = np.unique(codes, return_inverse=True)
    largest = reduce(c, np.maximum, c.counts)[place]
    best = c.counts == largest
    times = np.bincount(place, best, used.size)[place]
    return np.where(best, 1.0 - 1.0 / times, 1.0)


def _off_matching(c: Contingency) -> tuple[np.ndarray, bool]:
    """1 off the best one-to-one matching, the first by sorted pairs; and whether it is unique."""
    counts = c.counts.astype(np.float64)
    best = float(counts[best_cells(c.rows, c.cols, lambda at: counts[at])].sum())
    chosen = _first_best(c, best) if c.n_cells <= _TRIED else best_cells(
        c.rows, c.cols, lambda at: counts[at])
    unique = True
    if c.n_cells <= _TRIED:
        for cell in chosen.tolist():
            rest = np.delete(np.arange(c.n_cells), cell)
            other = rest[best_cells(c.rows[rest], c.cols[rest], counts[rest].take)]
            if counts[other].sum() == best:
                unique = False
                break
    off = np.ones(c.n_cells)
    off[chosen] = 0.0
    return off, unique


#: cells up to which all cells are tried for the first of several best matchings
_TRIED = 400


def _first_best(c: Contingency, best: float) -> np.ndarray:
    """Cells of the best matching that comes first when its pairs are sorted."""
    counts = c.counts.astype(np.float64)
    fixed: list[int] = []
    left = np.arange(c.n_cells)
    total = 0.0
    for cell in range(c.n_cells):
        if cell not in left:
            continue
        others = left[(c.rows[left] != c.rows[cell]) & (c.cols[left] != c.cols[cell])]
        weights = counts[others]
        rest = weights[best_cells(c.rows[others], c.cols[others], weights.take)].sum()
        if total + counts[cell] + rest == best:
            fixed.append(cell)
            total += counts[cell]
            left = others
        else:
            left = left[left != cell]
    return np.array(fixed, np.int64)


def total_of(m: Measure, value: float) -> float:
    """The disagreement."""
    return 1.0 - value if m.sense == "agreement" else value


def _cluster_names(source: Source) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    if source.has_objects:
        joint = source.objects
        return tuple(joint.x.cluster_names), tuple(joint.y.cluster_names)
    names = getattr(source, "x_names", None), getattr(source, "y_names", None)
    c = source.statistic(Contingency)
    return tuple(names[0] or range(c.r)), tuple(names[1] or range(c.s))


def explain(x: Any, y: Any = None, measure: str = "adjusted_rand_index", *,
            names: tuple[str, str] = ("x", "y"), top: int = 10, noise: Any = "cluster",
            noise_label: Any = -1, missing: Any = "raise", objects: str = "same",
            **options: Any) -> Explanation:
    r"""Trace the value of a measure to the objects and clusters behind it.

    Parameters
    ----------
    x, y : clustering-like
        Two hard clusterings of the same n >= 2 objects; or x a `Joint` or a table and no y.
    measure : str, optional
        A measure whose disagreement is a sum over objects, or a word of a field.
    names : (str, str), optional
        What the sides are called in sentences.
    top : int, optional
        Objects that are printed.
    noise, noise_label, missing, objects : optional
        As in `align`; done before anything is compared.
    **options
        Options of the measure.

    Returns
    -------
    Explanation
        Shares of the disagreement (1 - value of an agreement) by object, cluster and cell, each
        summing to it; the ledger of splits, merges and moves; prints as sentences.

    Raises
    ------
    ClusteringError
        If a side is not hard, the objects differ, or have weights.
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
    disagreeing pair is half of either object; for the adjusted Rand index the shares are those of
    the Rand index in another unit. Information: log(a/T) and log(b/T). Matchings and best
    partners: 1 for an object outside. Shares are of one measure only.

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
    called = str(names[0]), str(names[1])
    policies = Policies(noise, noise_label, missing, objects)
    if y is not None:
        (x, y), _ = settled((x, y), called, policies)
    elif not policies.usual:
        raise TypeError("x is a Joint or a table, whose objects are settled; give both clusterings")
    source, m, given = prepared(x, y, measure, options)
    if measure_of(measure).swap:
        called = called[1], called[0]
    found = shares_of(m, given)
    value = float(m.function(source, **given))
    total = total_of(m, value)
    c = source.statistic(Contingency)
    split, merge, unique = _terms(c, found.base)
    split, merge, one = _kept_terms(split, merge, found)
    counts = c.counts.astype(np.float64)
    both = split + np.where(np.isnan(merge), 0.0, merge)
    mass = math.fsum((counts * both).tolist())
    unit = total / mass if mass else 0.0
    share = unit * counts * both
    cells = np.column_stack([c.rows, c.cols, c.counts])
    parts = [unit * counts * term for term in (split, merge)]
    joint = source.objects if source.has_objects else None
    short = m.abbreviations[0] if m.abbreviations else m.name
    return Explanation(
        measure=m.name, value=value, total=total,
        split=math.nan if one else float(np.nansum(parts[0])),
        merge=math.nan if one else float(np.nansum(parts[1])),
        x_clusters=frozen(np.bincount(c.rows, share, c.r)),
        y_clusters=frozen(np.bincount(c.cols, share, c.s)), cells=frozen(cells),
        cell_shares=frozen(share), cell_split=frozen(np.full_like(share, np.nan) if one
                                                     else parts[0]),
        cell_merge=frozen(np.full_like(share, np.nan) if one else parts[1]), names=called,
        cluster_names=_cluster_names(source),
        object_names=None if joint is None else joint.x.object_names, unique=unique,
        changes=_ledger(source, m, given, called, found, total),
        label=f"1 - {short}" if m.sense == "agreement" else short, _source=source,
        _options=given, _cell_of=None if joint is None else cell_of_objects(c, *joint.codes),
        _top=check_whole("top", top, 0))


def _kept_terms(split: np.ndarray, merge: np.ndarray, found: Shares
                ) -> tuple[np.ndarray, np.ndarray, bool]:
    """The terms that the measure has, 0 for others; and whether these are not told apart."""
    if found.base in ("element", "matching"):
        return split, np.zeros_like(split), True
    return (split if found.split else np.zeros_like(split),
            merge if found.merge else np.zeros_like(merge), False)


# -- the ledger -----------------------------------------------------------------------------------
def cluster_changes(x: Any, y: Any = None, *, measure: str = "adjusted_rand_index",
                    names: tuple[str, str] = ("x", "y"), **options: Any) -> ClusterChanges:
    r"""Tell which clusters were kept, split, merged or mixed, and which objects moved.

    Parameters
    ----------
    x, y : clustering-like
        Two hard clusterings of the same n >= 2 objects; or x a `Joint` or a table and no y.
    measure : str, optional
        The measure whose disagreement the events share.
    names : (str, str), optional
        What the sides are called.
    **options
        Options of the measure.

    Returns
    -------
    ClusterChanges
        Events by falling share, and the moves of single objects.

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
    components of the major cells, and there is no threshold to choose. The share of an event is
    the disagreement of the table cut to its major cells (measures of pairs and of information);
    the moves have the rest, which is never negative.

    Theory: docs/theory/fields.md.

    Examples
    --------
    >>> import softclust
    >>> print(softclust.cluster_changes([0, 0, 0, 1, 1, 2, 2], [0, 0, 0, 1, 1, 1, 1]))
    x to y: 1 kept, 1 changed, 0 objects moved
    100 %: x 1 and 2 are merged in y 1.
    """
    source, m, given = prepared(x, y, measure, options)
    called = str(names[0]), str(names[1])
    if measure_of(measure).swap:
        called = called[1], called[0]
    with quiet():
        value = float(m.function(source, **given))
    return _ledger(source, m, given, called, shares_of(m, given), total_of(m, value))


def _ledger(source: Source, m: Measure, options: Mapping[str, Any], names: tuple[str, str],
            found: Shares, total: float) -> ClusterChanges:
    from scipy.sparse import coo_array
    c = source.statistic(Contingency)
    major = (2 * c.counts > c.a[c.rows]) | (2 * c.counts > c.b[c.cols])
    rows, cols, counts = c.rows[major], c.cols[major], c.counts[major]
    edges = coo_array((np.ones(rows.size, np.int8), (rows, c.r + cols)),
                      shape=(c.r + c.s, c.r + c.s))
    part = components(edges)[1]
    used = np.concatenate([c.a > 0, c.b > 0])
    members: dict[int, list[int]] = {}
    for node in np.flatnonzero(used).tolist():
        members.setdefault(int(part[node]), []).append(node)
    n_parts = int(part.max()) + 1
    above, below = part[c.rows], part[c.r + c.cols]
    touching = np.bincount(above, minlength=n_parts) + np.bincount(
        below[above != below], minlength=n_parts)
    exact = touching == np.bincount(part[rows], minlength=n_parts)
    objects = np.bincount(part[rows], counts, int(part.max()) + 1)
    of_events, unit = np.full(int(part.max()) + 1, math.nan), 0.0
    if found.base in ("pairs", "information"):
        whole = _costs(c, c.rows, c.cols, c.counts, np.zeros_like(part), found)[0]
        unit = total / whole if whole > 0.0 else 0.0
        of_events = unit * np.maximum(0.0, _costs(c, rows, cols, counts, part, found))
    events = []
    for group, nodes in members.items():
        of_x = tuple(k for k in nodes if k < c.r)
        of_y = tuple(k - c.r for k in nodes if k >= c.r)
        events.append(ClusterEvent(kind=_kind(len(of_x), len(of_y)), x=of_x, y=of_y,
                                   count=int(objects[group]),
                                   exact=bool(exact[group]),
                                   share=float(of_events[group])))
    events.sort(key=lambda e: -e.share if e.share == e.share else 0.0)
    minor = ~major
    order = np.argsort(-c.counts[minor], kind="stable")
    moves = tuple(zip(*(v[minor][order].tolist() for v in (c.rows, c.cols, c.counts))))
    explained = math.fsum(e.share for e in events)
    moved = int(c.counts[minor].sum())
    moved_share = max(0.0, total - explained) if moved else 0.0 * explained
    return ClusterChanges(
        events=tuple(events), moves=moves, moved=moved, moved_share=moved_share, total=total,
        measure=m.name, names=names, cluster_names=_cluster_names(source), _source=source)


def _costs(c: Contingency, rows: np.ndarray, cols: np.ndarray, counts: np.ndarray,
           part: np.ndarray, found: Shares) -> np.ndarray:
    """Cost of splits and merges of the cells of each part; `part` is of rows, then of columns."""
    t = counts.astype(np.float64)
    sums = np.zeros(int(part.max()) + 1)
    for codes, own, wanted in ((rows, part[:c.r], found.split), (cols, part[c.r:], found.merge)):
        if wanted:
            margins = np.bincount(codes, t, own.size)
            sums += np.bincount(own, _potential(margins, found.base), sums.size)
            sums -= np.bincount(own[codes], _potential(t, found.base), sums.size)
    return sums


def _potential(sizes: np.ndarray, base: str) -> np.ndarray:
    return sizes * sizes / 2.0 if base == "pairs" else xlogy(sizes, sizes)


def _kind(r: int, s: int) -> str:
    if r and s:
        return ("kept" if s == 1 else "split") if r == 1 else ("merge" if s == 1 else "mixed")
    return "dissolved" if r else "assembled"
