"""Which of the given clusters are apart, and which are one cluster cut in pieces?

Theory: docs/theory/separation.md.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Literal

import numpy as np

from .._checks import ClusteringError, check_choice, check_significance, frozen, shown
from .._types import RNG, ArrayLike, ClusteringLike, FrameLike, Workers
from ..clusterings.coercion import read_side
from ..clusterings.object_table import as_objects
from ..clusterings.objects import ordered
from ..clusterings.sides import Asked
from ..results.records import POSITION, Columns, Drawn, Framed, Record, Tidied
from ..results.summary import SummaryTable, right
from ..results.text import both, position
from ..running.interrupts import keep_finished
from ..running.jobs import check_executor, run_jobs
from ..running.random_numbers import Streams
from ..running.threads import Progress
from ..running.warnings import warn
from ..tables.frame_sides import frame_columns
from .compared_pairs import SAME, ComparedPair, PairReferences, nearest_rows
from .references import SHAPES, cautions, check_features, untied, with_unit_noise

#: least order of the labels on the line between two clusters
_ORDER = 0.8
#: features above which references take long, and notes of one kind that are written out
_MANY, _WRITTEN = 100, 5


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ClusterPairs(Framed):
    """The pairs of clusters that `separation_test` compared.

    Attributes
    ----------
    first, second : (P,) int64
        Positions of the clusters, first < second; rising.
    objects : (P,) int64
        Objects in the balanced window between them.
    order : (P,) float64
        How well one threshold on the line through both means parts the clusters: the largest
        difference of their distribution functions; 1 is without a mistake.
    dip : (P,) float64
        Dip of the places of the objects in the window.
    separation : (P,) float64
        sqrt(objects) times the dip; 0 where `order` is below .8.
    reference_mean, reference_high : (P,) float64
        Mean and (1 - significance) quantile of the separations of the references.
    z : (P,) float64
        How many standard deviations of the references the separation is above their mean; nan if
        they do not vary.
    p_value : (P,) float64
        1 for a pair that an interrupted test did not reach.
    references : (P, B) float64
        Separations of the references.
    names : tuple
        Label of each cluster.

    Notes
    -----
    ``to_frame()``: one row per pair, with the labels of both clusters; without the references.

    Examples
    --------
    >>> import softclust
    >>> iris = softclust.datasets.load_iris()
    >>> softclust.separation_test(iris.data, iris.labels, rng=0).pairs.to_frame().shape
    (2, 10)
    """

    first: Annotated[np.ndarray, "i p <names"] = field(metadata=POSITION)
    second: Annotated[np.ndarray, "i p <names"] = field(metadata=POSITION)
    objects: Annotated[np.ndarray, "i p >=0"]
    order: Annotated[np.ndarray, "f p"]
    dip: Annotated[np.ndarray, "f p"]
    separation: Annotated[np.ndarray, "f p"]
    reference_mean: Annotated[np.ndarray, "f p"]
    reference_high: Annotated[np.ndarray, "f p"]
    z: Annotated[np.ndarray, "f p"]
    p_value: Annotated[np.ndarray, "f p 0..1"]
    references: Annotated[np.ndarray, "f p _"]
    names: Annotated[tuple[Any, ...], "distinct"]

    def _frame(self) -> Columns:
        return Columns(_named(self, ("objects", "order", "dip", "separation", "reference_mean",
                                     "reference_high", "z", "p_value")))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ClusterEdges(Framed):
    """The edges of the tree of clusters by which `separation_test` makes groups.

    Attributes
    ----------
    first, second : (K - 1,) int64
        Positions of the clusters; edges by rising p-value.
    p_value : (K - 1,) float64
    adjusted : (K - 1,) float64
        By Holm's method for K - 1 tests; clusters joined by an edge above the significance are one
        group.
    names : tuple
        Label of each cluster.

    Notes
    -----
    ``to_frame()``: one row per edge, with the labels of both clusters.

    Examples
    --------
    >>> import softclust
    >>> iris = softclust.datasets.load_iris()
    >>> found = softclust.separation_test(iris.data, iris.labels, rng=0)
    >>> found.edges.to_frame()["first"].tolist(), found.edges.adjusted.round(3).tolist()
    ([0, 1], [0.01, 0.965])
    """

    first: Annotated[np.ndarray, "i e <names"] = field(metadata=POSITION)
    second: Annotated[np.ndarray, "i e <names"] = field(metadata=POSITION)
    p_value: Annotated[np.ndarray, "f e 0..1"]
    adjusted: Annotated[np.ndarray, "f e 0..1"]
    names: Annotated[tuple[Any, ...], "distinct"]

    def _frame(self) -> Columns:
        return Columns(_named(self, ("p_value", "adjusted")))


def _named(rows: ClusterPairs | ClusterEdges, columns: Iterable[str]) -> dict[str, Any]:
    """Columns of pairs, with the labels of their clusters."""
    return {side: [rows.names[g] for g in getattr(rows, side)] for side in ("first", "second")} | {
        name: getattr(rows, name) for name in columns}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class SeparationTest(Drawn, Tidied, Record):
    """Which of K clusters are apart, and which are one; made by `separation_test`.

    Attributes
    ----------
    clusters : tuple
        The K labels, sorted.
    objects : (K,) int64
        Objects with each label.
    p_value : (K,) float64
        The largest p-value of the pairs of each cluster: of its separation from *every* other.
    adjusted : (K,) float64
        The same, adjusted for K - 1 tests.
    rival : (K,) int64
        Position of the cluster from which each is least apart.
    apart : (K,) bool
        Whether the cluster is a group of its own.
    group : (K,) int64
        Group of each cluster; groups are numbered by their first cluster.
    pairs : ClusterPairs
        The pairs that were compared.
    edges : ClusterEdges
        The tree by which groups are made.
    labels : (n,) int64
        Merged labels: the number of the group; then those of the clusters in `small`; -1 for noise
        and missing labels.
    small : tuple
        Labels of clusters that are too small to judge, sorted.
    means : (K + small, d) float64
        Mean of each cluster, then of the small ones.
    moved : int
        Objects of no cluster (noise, missing labels, small clusters) that count in the nearest one.
    units : (d,) float64
        Unit of each feature that is recorded in one; else 0.
    window : int or str
    reference : str
        "uniform", "gaussian", "given" sets or a "function".
    n_references : int
    significance : float
    notes : tuple of str
    missing : str
        Empty, or how far an interrupted test came.
    invalid : str
        Empty, or why no p-value holds for these data; each p is 1 then, and no cluster is apart.

    Notes
    -----
    ``to_frame()``: one row per cluster. Columns cluster, objects, group, rival (labels),
    separation, reference_mean, z (of the pair with the rival), p_value, adjusted, apart.

    Examples
    --------
    >>> import numpy as np
    >>> import softclust
    >>> iris = softclust.datasets.load_iris()
    >>> found = softclust.separation_test(iris.data, np.array(iris.label_names)[iris.labels], rng=0)
    >>> found.sentence
    '1 of 3 clusters is apart from every other; versicolor and virginica are one.'
    >>> found.to_frame()["apart"].tolist(), found.group
    ([True, False, False], array([0, 1, 1]))
    """

    _chart = "plot_separation_test"
    _tidy = "term=cluster estimate=separation p_value=adjusted"
    _glance = ("n_groups", "significance")

    clusters: Annotated[tuple[Any, ...], "distinct"]
    objects: Annotated[np.ndarray, "i clusters >=0"]
    p_value: Annotated[np.ndarray, "f clusters 0..1"]
    adjusted: Annotated[np.ndarray, "f clusters 0..1"]
    rival: Annotated[np.ndarray, "i clusters <clusters"] = field(metadata=POSITION)
    apart: Annotated[np.ndarray, "b clusters"]
    group: Annotated[np.ndarray, "i clusters >=0"] = field(metadata=POSITION)
    pairs: ClusterPairs
    edges: ClusterEdges
    labels: Annotated[np.ndarray, "i n -1<clusters"] = field(metadata=POSITION)
    small: tuple[Any, ...]
    means: Annotated[np.ndarray, "f _ _"]
    moved: int
    units: Annotated[np.ndarray, "f _"]
    window: int | str
    reference: str
    n_references: int
    significance: float
    notes: tuple[str, ...] = ()
    missing: str = ""
    invalid: str = ""

    @property
    def n_groups(self) -> int:
        """Number of groups G."""
        return int(self.group.max()) + 1

    @property
    def merged(self) -> tuple[tuple[int, ...], ...]:
        """Positions of the clusters of each group of several."""
        groups = [tuple(np.flatnonzero(self.group == g).tolist()) for g in range(self.n_groups)]
        return tuple(group for group in groups if len(group) > 1)

    @property
    def sentence(self) -> str:
        """The answer in one sentence."""
        count, k = int(self.apart.sum()), len(self.clusters)
        if self.invalid:
            return f"Not tested: {self.invalid}."
        if count == k:
            which = "Both" if k == 2 else f"All {k}"
            return f"{which} clusters are apart from each other."
        are = "are" if count else "may be"
        one = "; ".join(f"{self._of(group)} {are} one" for group in self.merged)
        if not count:
            return f"No cluster is apart from every other: {one}."
        return (f"{count} of {k} clusters {'is' if count == 1 else 'are'} apart from every other; "
                f"{one}.")

    def _of(self, positions: Iterable[int]) -> str:
        """Labels of clusters in words."""
        return both(position(self.clusters[g]) for g in positions)

    def __repr__(self) -> str:
        return (f"SeparationTest({len(self.clusters)} clusters, {self.n_groups} groups, "
                f"window={self.window!r})")

    def _frame(self) -> Columns:
        places = {pair: r for r, pair in enumerate(zip(self.pairs.first.tolist(),
                                                       self.pairs.second.tolist()))}
        rows = [places[min(g, r), max(g, r)] for g, r in enumerate(self.rival.tolist())]
        return Columns({
            "cluster": [*self.clusters], "objects": self.objects, "group": self.group,
            "rival": [self.clusters[r] for r in self.rival],
            **{name: getattr(self.pairs, name)[rows] for name in (
                "separation", "reference_mean", "z")},
            "p_value": self.p_value, "adjusted": self.adjusted, "apart": self.apart})

    def _table(self) -> SummaryTable:
        frame = self._frame().data
        flat = {"uniform": "one flat cluster of the same spread",
                "gaussian": "one Gaussian cluster of the same spread"}.get(
                    self.reference, "the reference data")
        window = f"{self.window} window" if self.window == "whole" else f"window {self.window}"
        sets = f"{self.reference} reference, {self.n_references} sets"
        p, adjusted = ([math.nan] * len(frame) if self.invalid else frame[name]
                       for name in ("p_value", "adjusted"))
        return SummaryTable.of(
            {"cluster": right(position(c) for c in frame["cluster"]), "objects": self.objects,
             "group": right(position(g) for g in frame["group"].tolist()),
             "rival": right(position(c) for c in frame["rival"]),
             "separation": right(frame["separation"], ".3f"),
             "reference": right(_written(frame["reference_mean"], ".3f")),
             "z": right(_written(frame["z"], "z.1f")), "p-value": right(_written(p, ".3f")),
             "adjusted": right(_written(adjusted, ".3f"))},
            title=f"{'Not tested' if self.invalid else self.sentence[:-1]} ({window}, {sets}, "
                  f"significance {self.significance:g})",
            notes=[*(f"{self._of(group)} are not more separated than {flat}, cut in two."
                     for group in (() if self.invalid else self.merged)),
                   *(f"Note: {note}." for note in self.notes)])


def _written(values: Iterable[float], form: str) -> list[str]:
    """Numbers as texts, nan as an empty one."""
    return ["" if math.isnan(v) else format(v, form) for v in values]


def separation_test(X: ArrayLike, labels: ClusteringLike, *, data: FrameLike | None = None,
                    window: Literal["whole"] | int = "whole",
                    reference: Literal["uniform", "gaussian"] | Callable[..., Any] = "uniform",
                    n_references: int | None = None,
                    reference_sets: Mapping[tuple[Any, Any], ArrayLike] | None = None,
                    min_size: int = 10, max_objects: int = 500, noise_label: Any = -1,
                    significance: float = 0.05, rng: RNG = None, executor: Workers | None = None,
                    progress: Progress | bool | None = False) -> SeparationTest:
    r"""Test which of the given clusters are apart, and which are one cluster cut in pieces.

    Parameters
    ----------
    X : array-like, shape (n, d)
        Finite numbers.
    labels : clustering-like, n objects
        One cluster for every object, from anywhere; noise and missing labels (None, nan) are in
        none. Labels with names (a Series, a mapping) are matched with those of a frame `X`. With
        `data` the name of a column.
    data : data frame, optional
        Frame of the same objects that has the labels as a column, such as ``adata.obs``.
    window : "whole" or int >= 10
        "whole" looks along the line between the means of two clusters: for clusters that are convex
        lumps. A number looks at this many objects of each that are nearest to the gap: for curved
        or nested clusters; 25, or 15 where curves have fewer than 100 objects a piece.
    reference : {"uniform", "gaussian"} or callable
        One cluster is flat (safe for any shape that is denser in the middle) or Gaussian (more
        power; splits flat clusters). Or a function (U, sides, rng) that returns data of the shape
        of U, the objects of one pair; sides are 0 or 1.
    n_references : int, optional
        Reference sets of a pair; by default 199, or as many as K clusters need:
        (K - 1) / significance - 1.
    reference_sets : mapping, optional
        From pairs of labels (first, second), first < second, to ready sets (B, N, d).
    min_size : int >= 2
        Clusters with fewer objects are not judged.
    max_objects : int
        Of larger clusters this many objects are drawn.
    noise_label : label or set of labels
        Labels that mean noise.
    significance : float in (0, 0.5]
        Probability, at most, that pieces of one cluster are called apart.
    rng : None, int, SeedSequence or Generator, optional
        Reference b of a pair depends on `rng`, the pair and b only.
    executor : concurrent.futures.Executor or "joblib", optional
        Where the references are cut; in local threads by default.
    progress : bool or callable, optional
        True shows a progress bar over references.

    Returns
    -------
    SeparationTest
        ``.apart`` and ``.group`` of each cluster, ``.labels`` merged, ``.plot()``.

    Raises
    ------
    ClusteringError
        If X is not a table of finite numbers, has more than 2,000 features or other objects than
        `labels`, if there are fewer than two clusters of `min_size`, or if reference sets have
        other shapes.
    ValueError
        If an option is out of range.

    Warns
    -----
    UserWarning
        If rows repeat, or the Gaussian reference is not valid.
    IncompleteWarning
        If Ctrl-C stopped it; pairs that were not finished count as one cluster.

    See Also
    --------
    cluster_test, cluster_stability, thin

    Notes
    -----
    .. math:: s_{ij} = \sqrt{2m} D_{ij}, \quad p_{ij} = \frac{1 + \#\{b: s_b \ge s_{ij}\}}{1 + B}

    D is the dip (Hartigan and Hartigan 1985) of the places, on the line through the means of
    clusters i and j, of the m objects of i that are nearest to j and the m of j nearest to i. s is
    0 if no threshold on this line parts them (order below .8). s_b is the same of a reference: one
    cluster of the mean and spread of both, cut in two along each of its first three principal axes
    and moved by k-means from there, as well as it can be. Pairs of neighbours are compared, those
    between which an object lies; with a number for `window` all pairs.

    A cluster is apart if it is apart from every other. Groups come from the maximum spanning tree
    of the p-values, whose K - 1 edges are tested by Holm's method: if each p-value is valid, the
    probability that pieces of one cluster come into different groups is at most `significance`.

    Noise counts in the nearest cluster, since a clusterer that removes what lies between its
    clusters makes a gap. "Not apart" is not "the same": overlapping or small clusters may have
    been missed. Features recorded in units get uniform noise of one unit. Time: three k-means of
    every reference; memory of a block of references.

    Theory: docs/theory/separation.md.

    References
    ----------
    J. A. Hartigan, P. M. Hartigan (1985), The dip test of unimodality, Annals of Statistics 13,
    70-84.
    R. L. Berger (1982), Multiparameter hypothesis testing and acceptance sampling, Technometrics
    24, 295-300.
    S. Holm (1979), A simple sequentially rejective multiple test procedure, Scandinavian Journal of
    Statistics 6, 65-70.

    Examples
    --------
    >>> import softclust
    >>> from sklearn.cluster import KMeans
    >>> x = softclust.datasets.load_iris().data
    >>> six = KMeans(6, n_init=10, random_state=0).fit_predict(x)
    >>> found = softclust.separation_test(x, six, rng=0)
    >>> found.n_groups, found.group
    (2, array([0, 1, 1, 1, 1, 0]))
    """
    check_executor(executor)
    if window != "whole" and not (_whole(window) and window >= 10):
        raise ValueError(f'window is {shown(window)}; "whole" or a whole number >= 10 is needed')
    if not callable(reference):
        check_choice("reference", reference, SHAPES)
    significance = check_significance(significance)
    for name, value, least in (("min_size", min_size, 2), ("max_objects", max_objects, min_size)):
        if not (_whole(value) and value >= least):
            raise ValueError(f"{name} is {shown(value)}; a whole number >= {least} is needed")
    table = as_objects(X)
    raw = table.numbers
    check_features(raw)
    if data is not None:
        if not isinstance(labels, str):
            raise TypeError(f"labels is of type {type(labels).__name__}; with data= the name of a "
                            "column is needed")
        [labels] = frame_columns(data, [labels])
    labels = ordered(labels, table.matched_names, called=("X", "labels"))
    given = _Clusters.of(labels, raw.shape[0], noise_label, int(min_size))
    k, codes, streams = len(given.names), given.codes, Streams(rng, "rng")
    name = "given" if reference_sets is not None else (
        "function" if callable(reference) else reference)
    plain, units, levels = raw, np.zeros(raw.shape[1]), np.zeros(raw.shape[1], np.bool_)
    if name in SHAPES:
        raw, units, levels = untied(raw, streams.seed(0, 1))
    x = with_unit_noise(raw, units, streams.seed(0))
    means = np.array([x[codes == g].mean(axis=0) for g in range(k + len(given.small))])
    members = _members(x, codes, means[:k], window)
    thinned = [g for g, rows in enumerate(members) if rows.size > max_objects]
    for g in thinned:
        members[g] = np.sort(streams.generator(1, g).choice(members[g], int(max_objects),
                                                            replace=False))
    first, second = _neighbours(x, members, means[:k], window)
    compared = tuple(ComparedPair.of(x, (i, j), given.names, members, window)
                     for i, j in zip(first.tolist(), second.tolist()))
    if reference_sets is not None:
        compared = tuple(pair.with_sets(reference_sets, x.shape[1]) for pair in compared)
        if len({len(pair.sets) for pair in compared if pair.sets is not None}) > 1:
            raise ClusteringError("reference_sets has pairs with different numbers of sets; all "
                                  "need the same")
    count = _count(n_references, compared[0].sets, k, significance)
    notes, invalid = [], ""
    for text, wrong in cautions(plain, units, levels, name,
                                min(pair.rows.size for pair in compared)):
        notes.append(text)
        if wrong:
            invalid = invalid or (text if name in SHAPES else "")
            warn(text, UserWarning)
    null = PairReferences(x=raw, pairs=compared, count=count, units=units, streams=streams,
                          reference=reference, curved=window != "whole")
    drawn, done = np.full(len(compared) * count, np.nan), 0

    def add(start: int, stop: int, found: np.ndarray) -> None:
        nonlocal done
        drawn[start:stop], done = found, stop

    with keep_finished("pairs", len(compared), lambda: done // count, "call it again") as stopped:
        run_jobs(null, range(0 if invalid else drawn.size), add, ranges=True, executor=executor,
                 progress=progress, what="references")
    references = drawn.reshape(-1, count)
    references[done // count:] = np.nan
    pairs = _pairs(compared, given.names, x, references, significance)
    edges, group = groups_of(k, pairs, significance)
    p, rival = _rivals(k, pairs)
    merged = np.append(group, np.arange(len(given.small)) + group.max() + 1)
    stopped.warn()
    found = SeparationTest(
        clusters=given.names, objects=frozen(given.sizes[:k]), p_value=frozen(p),
        adjusted=frozen(edges.adjusted[np.searchsorted(edges.p_value, p)]), rival=frozen(rival),
        apart=frozen(np.bincount(group)[group] == 1), group=frozen(group), pairs=pairs,
        edges=edges, labels=frozen(np.where(codes < 0, -1, merged[codes])), small=given.small,
        means=frozen(means), moved=int(np.count_nonzero((codes < 0) | (codes >= k))),
        units=frozen(units), window=window if window == "whole" else int(window),
        reference=name, n_references=count, significance=significance,
        missing=stopped.text, invalid=invalid)
    notes.extend(_notes(found, compared, int(max_objects) if thinned else 0, int(min_size)))
    if stopped:
        notes.append(f"{stopped.text}; the others count as p = 1")
    return replace(found, notes=tuple(notes))


# -- the clusters -----------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class _Clusters:
    """The given clusters: those that are judged by sorted label, then the small ones.

    Attributes
    ----------
    codes : (n,) int64
        -1 for noise and missing labels.
    names, small : tuple
    sizes : (K + small,) int64
    """

    codes: np.ndarray
    names: tuple[Any, ...]
    small: tuple[Any, ...]
    sizes: np.ndarray

    @classmethod
    def of(cls, labels: Any, n: int, noise_label: Any, min_size: int) -> _Clusters:
        """Read labels for n objects."""
        side = read_side(labels, Asked(noise="cluster", noise_label=noise_label, missing="drop"),
                         "labels")
        base, called, found = side.base, (), np.full(n, -1)
        if base is not None and base.hard_codes is None:
            raise ClusteringError(f"labels is a {base.kind} clustering; one cluster for every "
                                  "object is needed")
        if side.n != n:
            raise ClusteringError(f"labels has {side.n} entries for {n} objects")
        if base is not None:
            called = base.cluster_names
            found = np.asarray(base.hard_codes, np.int64)[
                ... if side.source is None else side.source]
        for mask in (side.noise, side.missing):
            if mask is not None:
                found[mask] = -1
        sizes = np.bincount(found[found >= 0], minlength=1)
        judged = np.flatnonzero(sizes >= min_size)
        if judged.size < 2:
            what = "1 cluster" if judged.size else "0 clusters"
            raise ClusteringError(f"labels has {what} of at least {min_size} objects; two are "
                                  f"needed (min_size={min_size})")
        small = np.flatnonzero((sizes > 0) & (sizes < min_size))
        places = np.full(sizes.size + 1, -1)   # the last one is for -1
        order = np.concatenate([judged, small])
        places[order] = np.arange(order.size)
        names = [called[g] for g in order]
        return cls(codes=places[found], sizes=sizes[order], names=tuple(names[:judged.size]),
                   small=tuple(names[judged.size:]))


def _members(x: np.ndarray, codes: np.ndarray, means: np.ndarray, window: Any) -> list[np.ndarray]:
    """Rows of each cluster, with the objects of no cluster in the nearest one."""
    k = means.shape[0]
    labelled = np.flatnonzero((codes >= 0) & (codes < k))
    outside = np.flatnonzero((codes < 0) | (codes >= k))
    owner = codes.copy()
    owner[outside] = (nearest_rows(x[outside], means)[0][:, 0] if window == "whole" else
                      codes[labelled[nearest_rows(x[outside], x[labelled])[0][:, 0]]])
    return [np.flatnonzero(owner == g) for g in range(k)]


def _neighbours(x: np.ndarray, members: list[np.ndarray], means: np.ndarray, window: Any
                ) -> tuple[np.ndarray, np.ndarray]:
    """Pairs of clusters to compare: all, or those between which an object lies, and a tree."""
    from scipy.spatial.distance import pdist
    first, second = np.triu_indices(len(means), 1)
    if window != "whole":
        return first, second
    near = np.sort(nearest_rows(x[np.concatenate(members)], means, 2)[0], axis=1)
    tree = _spanning_tree(len(means), first, second, np.argsort(pdist(means), kind="stable"))[0]
    pairs = np.unique(np.concatenate([near, np.column_stack([first, second])[tree]]), axis=0)
    return pairs[:, 0], pairs[:, 1]


def _spanning_tree(k: int, first: np.ndarray, second: np.ndarray, order: np.ndarray
                   ) -> tuple[np.ndarray, np.ndarray]:
    """Pairs that join components, taken in this order (Kruskal), and the component of each cluster.

    Components are numbered by their first cluster.
    """
    lowest, taken = np.arange(k), []
    for e in order:
        a, b = lowest[first[e]], lowest[second[e]]
        if a != b:
            lowest[lowest == max(a, b)] = min(a, b)
            taken.append(e)
    return np.array(taken, np.int64), np.unique(lowest, return_inverse=True)[1].reshape(-1)


# -- the pairs --------------------------------------------------------------------------------
def _pairs(compared: tuple[ComparedPair, ...], names: tuple[Any, ...], x: np.ndarray,
           references: np.ndarray, significance: float) -> ClusterPairs:
    """The record of the pairs; references that were not reached are nan."""
    objects, order, dip = (np.array(v) for v in zip(*(pair.separation(x) for pair in compared)))
    separation = np.where(order >= _ORDER - SAME, np.sqrt(objects) * dip, 0.0)
    count = references.shape[1]
    sd = references.std(axis=1, ddof=1) if count > 1 else np.zeros(len(compared))
    mean = references.mean(axis=1)
    above = (references >= separation[:, None] - SAME).sum(axis=1)
    first, second = np.array([pair.clusters for pair in compared]).T
    columns = {
        "first": first, "second": second, "objects": objects, "order": order, "dip": dip,
        "separation": separation, "references": references, "reference_mean": mean,
        "reference_high": np.quantile(references, 1 - significance, axis=1),
        "z": np.divide(separation - mean, sd, out=np.full(sd.size, np.nan), where=sd > 0),
        "p_value": np.where(np.isnan(mean), 1.0, (1 + above) / (1 + count))}
    return ClusterPairs(names=names, **{name: frozen(np.ascontiguousarray(values))
                                        for name, values in columns.items()})


def _count(n_references: Any, sets: Any, k: int, significance: float) -> int:
    """Number of references of a pair, enough for the smallest adjusted p-value."""
    needed = math.ceil((k - 1) / significance - 1e-9) - 1
    if sets is None and n_references is None:
        return max(199, needed)
    if sets is None and not (_whole(n_references) and n_references >= 1):
        raise ValueError(f"n_references is {shown(n_references)}; a whole number >= 1 is needed")
    count = int(n_references) if sets is None else len(sets)
    if (k - 1) / (1 + count) > significance + SAME:
        least = _short((k - 1) / (1 + count), ".3g")
        raise ValueError(f"{count} references give an adjusted p of {least} at least for {k} "
                         f"clusters; significance {significance:g} needs n_references >= {needed}")
    return count


def _whole(value: Any) -> bool:
    return isinstance(value, numbers.Integral) and not isinstance(value, bool)


def _short(value: float, form: str = ".2f") -> str:
    """A number below 1 without its leading 0."""
    text = format(value, form)
    return text[1:] if text.startswith("0.") else text


# -- groups -----------------------------------------------------------------------------------
def groups_of(k: int, pairs: ClusterPairs, significance: float) -> tuple[ClusterEdges, np.ndarray]:
    """Edges of the maximum spanning tree of the p-values, and the group of each cluster."""
    p = pairs.p_value
    tree = np.sort(_spanning_tree(k, pairs.first, pairs.second,
                                  np.lexsort((pairs.separation, -p)))[0])
    tree = tree[np.argsort(p[tree], kind="stable")]
    adjusted = np.minimum(np.maximum.accumulate(np.arange(k - 1, 0, -1) * p[tree]), 1.0)
    group = _spanning_tree(k, pairs.first, pairs.second, tree[adjusted > significance + SAME])[1]
    edges = ClusterEdges(first=frozen(pairs.first[tree]), second=frozen(pairs.second[tree]),
                         p_value=frozen(p[tree]), adjusted=frozen(adjusted), names=pairs.names)
    return edges, group


def _rivals(k: int, pairs: ClusterPairs) -> tuple[np.ndarray, np.ndarray]:
    """Largest p-value of each cluster's pairs, and the other cluster of that pair."""
    p, rival = np.empty(k), np.empty(k, np.int64)
    order = np.lexsort((pairs.separation, -pairs.p_value))
    first, second = pairs.first[order], pairs.second[order]
    for g in range(k):
        e = int(np.argmax((first == g) | (second == g)))
        p[g], rival[g] = pairs.p_value[order[e]], first[e] + second[e] - g
    return p, rival


# -- notes ------------------------------------------------------------------------------------
def _notes(test: SeparationTest, compared: tuple[ComparedPair, ...], thinned: int, min_size: int
           ) -> Iterable[str]:
    """Notes on what limits the test."""
    if test.means.shape[1] > _MANY:
        yield (f"{test.means.shape[1]} features make a pair of clusters take long: reduce the "
               "features first")
    sizes = np.bincount(test.labels[test.labels >= 0])[test.n_groups:]
    if sizes.size == 1:
        yield (f"cluster {position(test.small[0])} has {sizes[0]} "
               f"object{'s' * int(sizes[0] > 1)}: too small to judge")
    elif sizes.size:
        yield (f"clusters {both(map(position, test.small))} have fewer than {min_size} objects: "
               "too small to judge")
    if test.moved:
        are, each = ("is", "it") if test.moved == 1 else ("are", "each")
        yield (f"{test.moved} of {test.labels.size} objects {are} noise; {each} counts in its "
               "nearest cluster")
    if thinned:
        yield f"clusters of more than {thinned} objects were thinned"
    half = [pair for pair in compared if 2 * pair.rows.size > pair.objects]
    if half and test.window != "whole":
        more = f" and of {len(half) - 1} other pairs" if len(half) > 1 else ""
        yield (f"window {test.window} is half of clusters {both(map(position, half[0].names))}"
               f"{more}: nearly the whole window")
    pairs, edges, joined = test.pairs, test.edges, test.group[test.pairs.first]
    names = [position(name) for name in test.clusters]
    crossed = np.flatnonzero(pairs.order < _ORDER - SAME)
    for e in crossed[:_WRITTEN]:
        i, j = names[pairs.first[e]], names[pairs.second[e]]
        order = _short(math.floor(pairs.order[e] * 100) / 100)
        yield (f"labels cross the line between {i} and {j} (order {order}): nested or curved "
               "clusters, or labels that do not follow a gap; window=25 looks near the gap only"
               if test.window == "whole" else
               f"labels of {i} and {j} are mixed near their border (order {order})")
    kept = edges.adjusted > test.significance + SAME
    ways = [*zip(edges.first[kept].tolist(), edges.second[kept].tolist())]
    chains = np.flatnonzero((joined == test.group[pairs.second]) & (
        (len(names) - 1) * pairs.p_value <= test.significance + SAME))
    for e in chains[:_WRITTEN]:
        i, j = int(pairs.first[e]), int(pairs.second[e])
        between = [f"{names[g]} ({test.objects[g]} objects)" for g in _between(ways, i, j)]
        yield (f"{names[i]} and {names[j]} are apart as a pair, but "
               f"{'both are joined to' if len(between) == 1 else 'joined by'} {both(between)}")
    for rest, what in ((crossed, "crossed by labels"), (chains, "apart as a pair, but joined")):
        if rest.size > _WRITTEN:
            yield f"pairs of clusters {what}: {rest.size} in all"


def _between(edges: list[tuple[int, int]], start: int, end: int) -> list[int]:
    """Clusters on the way from one to another in a forest."""
    before, queue = {start: start}, [start]
    for g in queue:
        for h in (*(b for a, b in edges if a == g), *(a for a, b in edges if b == g)):
            if h not in before:
                before[h] = g
                queue.append(h)
    way = [before[end]]
    while way[-1] != start:
        way.append(before[way[-1]])
    return way[-2::-1]
