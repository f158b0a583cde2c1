"""`compare_all()`: all pairs of several clusterings, compared by one measure."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from operator import attrgetter
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np

from .._checks import ClusteringError, check_choice, frozen, shown
from ..clusterings.alignment import Policies
from ..measures import Measure, get_measure, registry
from ..results.frames import same_frames
from ..results.records import Columns, Interval, Record, Value
from ..results.summary import SummaryTable
from ..results.text import ROUNDED_ZERO, in_words, number
from ..running.interrupts import keep_finished
from ..running.jobs import check_executor
from ..running.threads import Progress
from ..soft_pairs.pair_chance import SORTED
from ..soft_pairs.pair_sums import in_blocks
from ..tables.frame_sides import Units
from .comparison_record import Resampling
from .pairs import (
    Members,
    Together,
    check_kinds,
    columns_to_compare,
    evaluate_pairs,
    limits_of_pairs,
    members_of,
)
from .several import pair_measure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from .._types import (
        RNG,
        ArrayLike,
        EnsembleLike,
        FrameLike,
        MissingRules,
        NoiseRules,
        Objects,
        Workers,
    )
    from ..clusterings import Aligned
    from .scaling import IntervalMDS

#: largest number of clusterings for which all are printed
_PRINTED = 12
#: rounding error allowed on the diagonal before scaling
ROUNDING = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class ComparisonMatrix(Record):
    """Several clusterings compared with each other by one measure; made by `compare_all`.

    Attributes
    ----------
    names, kinds : tuple of str
        One per clustering.
    measure : str
        Name of the measure: ``softclust.<measure>`` is its function.
    options : mapping
        Options passed to the measure.
    sense : str
        "agreement" (larger is more alike) or "dissimilarity" (smaller is more alike).
    symmetric : bool
        True if the measure is known to be symmetric: then each pair was computed once.
    lower, upper : ndarray, shape (n, n)
        Ends of the interval of row against column; equal if the measure returns numbers. The
        diagonal compares each clustering with itself.
    value : ndarray, shape (n, n)
        The number; nan if the measure returns intervals, and where it is undefined.
    n_objects : int, or ndarray of shape (n, n)
        Number of objects; one number per pair if each pair is compared on its own objects.
    ci_low, ci_high : ndarray, shape (n, n), or None
        Ends of the confidence interval of each pair (the outer ones for an interval); nan on the
        diagonal and where there is none, with the reason in `notes`. None if none was requested.
    level : float
        Confidence level of the intervals.
    notes : tuple of str
        Warnings of the measure, "a, b: text", and remarks on confidence intervals.
    alignment : Aligned or None
        How noise, missing labels and differing objects were treated; None if there were none.

    Notes
    -----
    ``to_frame()``: one row for each ordered pair of clusterings, the diagonal included. Indexed by
    names (x, y): kind_x, kind_y, lower, upper, value; with ``ci=`` also ci_low and ci_high.

    Examples
    --------
    >>> import softclust
    >>> matrix = softclust.compare_all({"a": [0, 0, 1, 1], "b": [0, 0, 1, 2]}, measure="rand_index")
    >>> matrix.value.round(4)
    array([[1.    , 0.8333],
           [0.8333, 1.    ]])
    >>> matrix["a", "b"]
    0.8333333333333334
    >>> matrix.to_frame()["value"].round(4).tolist()
    [1.0, 0.8333, 0.8333, 1.0]
    >>> print(softclust.compare_all({"a": [0, 0, 1, 1], "b": [0, 0, 1, 2]}).summary())
    adjusted_rand_index (agreement) of 2 clusterings of 4 objects
    ...
    a  hard  1.000  0.571
    ...
    """

    names: Annotated[tuple[str, ...], "distinct"]
    kinds: Annotated[tuple[str, ...], "names"]
    measure: Annotated[str, "measure"]
    options: Mapping[str, Any] = field(default_factory=dict)
    sense: str
    symmetric: bool
    lower: Annotated[np.ndarray, "f names names"]
    upper: Annotated[np.ndarray, "f names names"]
    value: Annotated[np.ndarray, "f names names"]
    n_objects: int | np.ndarray
    ci_low: Annotated[np.ndarray | None, "f names names"] = None
    ci_high: Annotated[np.ndarray | None, "f names names"] = None
    level: Annotated[float, "0..1"] = 0.95
    notes: tuple[str, ...] = ()
    alignment: Aligned | None = None

    def __len__(self) -> int:
        return len(self.names)

    def __repr__(self) -> str:
        return (f"ComparisonMatrix({self.label}, {len(self)} clusterings of "
                f"{self.objects_text})")

    def __str__(self) -> str:
        if len(self) <= _PRINTED:
            return self._table().as_text()
        half = _PRINTED // 2
        shown = [*range(half), *range(len(self) - half, len(self))]
        more = [f"The first and the last {half} of {len(self)} clusterings are shown; .summary() "
                "shows all."]
        return self._part(shown, more).as_text()

    def __getitem__(self, pair: tuple[str, str]) -> Value:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise TypeError(f"{shown(pair)} is not a pair of names, such as "
                            f"matrix[{self.names[0]!r}, {self.names[-1]!r}]")
        at = self._place(pair[0]), self._place(pair[1])
        if self.interval_valued:
            return Interval(float(self.lower[at]), float(self.upper[at]))
        return float(self.value[at])

    def _place(self, name: str) -> int:
        if name not in self.names:
            raise KeyError(f"no clustering is called {name!r}; the names are "
                           + ", ".join(map(repr, self.names)))
        return self.names.index(name)

    @property
    def label(self) -> str:
        """Measure with its options: ``alpha_rand_index (alpha=0.2)``."""
        if not self.options:
            return self.measure
        return f"{self.measure} ({', '.join(f'{k}={v}' for k, v in self.options.items())})"

    @property
    def objects_text(self) -> str:
        """Number of objects compared: ``150 objects``, ``97 to 150 objects per pair``."""
        if isinstance(self.n_objects, int):
            return f"{self.n_objects} objects"
        apart = self.n_objects[~np.eye(len(self), dtype=np.bool_)]
        low, high = (int(f(apart)) if apart.size else int(self.n_objects[0, 0])
                     for f in (np.min, np.max))
        return f"{low} objects per pair" if low == high else f"{low} to {high} objects per pair"

    @property
    def interval_valued(self) -> bool:
        """True if the measure returns intervals: no entry has a value where its ends are known."""
        return bool(np.isnan(self.value).all() and not np.isnan(self.lower).all())

    def _frame(self) -> Columns:
        n = len(self)
        limits = {} if self.ci_low is None or self.ci_high is None else {
            "ci_low": self.ci_low.ravel(), "ci_high": self.ci_high.ravel()}
        return Columns(
            {"kind_x": np.repeat(self.kinds, n), "kind_y": np.tile(self.kinds, n),
             "lower": self.lower.ravel(), "upper": self.upper.ravel(),
             "value": self.value.ravel(), **limits},
            {"x": [name for name in self.names for _ in range(n)], "y": self.names * n})

    def _table(self) -> SummaryTable:
        return self._part(range(len(self)), [])

    def _part(self, places: Sequence[int], more: list[str]) -> SummaryTable:
        """The table of these rows and columns."""
        rows = [[self.names[i], self.kinds[i],
                 *("" if self.symmetric and j < i else self.text(i, j) + self._limits_text(i, j)
                   for j in places)] for i in places]
        larger = "larger" if self.sense == "agreement" else "smaller"
        notes = [f"{self.sense.capitalize()}: {larger} is more alike."]
        if not self.symmetric:
            notes.append("Rows are x, columns y: the measure is not symmetric.")
        if self.alignment is not None:
            notes.insert(0, f"{self.alignment.header}.")
        if not isinstance(self.n_objects, int):
            notes.append("Each pair is compared on its own objects (n_objects): entries need not "
                         "obey the triangle inequality, whatever the measure.")
        if self.ci_low is not None:
            notes.append(f"In parentheses: {100 * self.level:g} % confidence intervals "
                         "(jackknife); the labels are held fixed.")
        return SummaryTable(
            rows, ["", "kind", *(self.names[j] for j in places)],
            aligns="ll" + "r" * len(places),
            title=f"{self.label} ({self.sense}) of {len(self)} clusterings of "
                  f"{self.objects_text}",
            notes=[*more, *notes, *(f"Note: {note}." for note in self.notes)])

    def text(self, i: int, j: int) -> str:
        """Format the entry in row i, column j as in tables and charts.

        Parameters
        ----------
        i, j : int

        Returns
        -------
        str
            Three decimals; an interval in brackets, unless both ends look the same.
        """
        low, high = float(self.lower[i, j]), float(self.upper[i, j])
        if math.isnan(low) or math.isnan(high):
            return "undefined"
        ends = _short(low), _short(high)
        return ends[0] if ends[0] == ends[1] else f"[{ends[0]}, {ends[1]}]"

    def most_alike(self, names: Iterable[str] | None = None) -> str:
        """The two clusterings that are most alike for certain, and the two that are least alike.

        Parameters
        ----------
        names : iterable of str, optional
            The clusterings to look at; all by default.

        Returns
        -------
        str
            A sentence; empty for fewer than two clusterings. Intervals are compared by the end that
            is worse for the answer.

        Raises
        ------
        KeyError
            If a clustering does not exist.

        Examples
        --------
        >>> import softclust
        >>> runs = {"a": [0, 0, 1, 1], "b": [0, 1, 0, 1], "c": [0, 0, 1, 2]}
        >>> softclust.compare_all(runs, measure="rand_index").most_alike()
        'Most alike are a and c (Rand index 0.833), least alike a and b (0.333).'
        """
        places = sorted(map(self._place, self.names if names is None else names))
        pairs = [(i, j) for i in places for j in places
                 if i < j and not math.isnan(self.lower[i, j] + self.upper[i, j])]
        if not pairs:
            return ""
        ends = [(float(self.lower[pair]), float(self.upper[pair])) for pair in pairs]
        if self.sense != "agreement":
            ends = [(-high, -low) for low, high in ends]
        near = max(range(len(pairs)), key=lambda k: ends[k][0])
        far = min(range(len(pairs)), key=lambda k: ends[k][1])
        pair, values = ([f"{self.names[pairs[k][0]]} and {self.names[pairs[k][1]]}" for k in (
            near, far)], [self.text(*pairs[k]) for k in (near, far)])
        return (f"Most alike are {pair[0]} ({in_words(self.label)} {values[0]})"
                + (f", least alike {pair[1]} ({values[1]})." if near != far else "."))

    def _limits_text(self, i: int, j: int) -> str:
        if self.ci_low is None or self.ci_high is None or math.isnan(self.ci_low[i, j]):
            return ""
        return f" ({_short(self.ci_low[i, j])} to {_short(self.ci_high[i, j])})"

    def ordered(self, order: Literal["dendrogram"] | list[str] | tuple[str, ...] = "dendrogram"
                ) -> ComparisonMatrix:
        """Return the same matrix with its clusterings in another order.

        Parameters
        ----------
        order : "dendrogram" or sequence of str
            "dendrogram": the leaves of the average-linkage dendrogram of the dissimilarities
            (midpoints of intervals; an agreement s counts as max - s, and an asymmetric measure as
            the mean of both directions), turned so that neighbours are alike. Or all names, in the
            desired order.

        Returns
        -------
        ComparisonMatrix

        Raises
        ------
        ClusteringError
            If an entry is undefined ("dendrogram").
        ValueError
            If the names are not those of the matrix, each once.

        Examples
        --------
        >>> import softclust
        >>> runs = {"a": [0, 0, 1, 1], "b": [0, 1, 0, 1], "c": [0, 0, 1, 2], "d": [0, 1, 0, 2]}
        >>> softclust.compare_all(runs, measure="rand_index").ordered().names
        ('a', 'c', 'd', 'b')
        """
        if isinstance(order, str):
            check_choice("order", order, ("dendrogram",))
            # Leaves of the average-linkage dendrogram, neighbours as alike as possible.
            from scipy.cluster.hierarchy import leaves_list, linkage
            from scipy.spatial.distance import squareform
            middle = (self.lower + self.upper) / 2
            middle = (middle + middle.T) / 2
            _need_defined(self, middle, "a dendrogram needs every entry: leave one of them out, "
                          "or give the order as names")
            if self.sense == "agreement":
                middle = middle.max() - middle
            np.fill_diagonal(middle, 0.0)
            rows = np.arange(len(self))
            if len(self) > 2:
                condensed = squareform(np.maximum(middle, 0.0), checks=False)
                rows = np.asarray(leaves_list(linkage(condensed, "average",
                                                      optimal_ordering=True)), np.int64)
        else:
            names = list(order)
            if sorted(names) != sorted(self.names):
                raise ValueError(f"order={shown(names)} must have each of the names once: "
                                 + ", ".join(map(repr, self.names)))
            rows = np.array([self.names.index(name) for name in names])
        moved: dict[str, Any] = {name: frozen(matrix[np.ix_(rows, rows)]) for name in (
            "lower", "upper", "value", "n_objects", "ci_low", "ci_high")
            if isinstance(matrix := getattr(self, name), np.ndarray)}
        return replace(self, names=tuple(self.names[k] for k in rows),
                       kinds=tuple(self.kinds[k] for k in rows), **moved)

    def plot(self, ax: Axes | None = None, *, kind: Literal["heat", "circles"] = "heat",
             order: Literal["dendrogram"] | list[str] | tuple[str, ...] | None = None,
             **options: Any) -> Axes:
        """Draw a heat map with the numbers, or circles at distances that fit the intervals.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw; a new figure by default.
        kind : {"heat", "circles"}
            "heat": `softclust.plotting.plot_matrix`. "circles": the chart of `mds`.
        order : "dendrogram" or sequence of str, optional
            As in `ordered`, for "heat"; by default the order of the matrix.
        **options
            Options of `mds`, for "circles".

        Returns
        -------
        matplotlib.axes.Axes

        Raises
        ------
        ImportError
            If matplotlib is missing; the message says how to install it.
        """
        if check_choice("kind", kind, ("heat", "circles")) == "circles":
            if order is not None:
                raise ValueError("circles have no order; leave it out")
            return self.mds(**options).plot(ax=ax)
        if options:
            raise TypeError(f'a heat map has no option {next(iter(options))!r}; options of mds '
                            'need kind="circles"')
        from ..plotting import plot_matrix
        return plot_matrix(self if order is None else self.ordered(order), ax=ax)

    def mds(self, **options: Any) -> IntervalMDS:
        """Represent each clustering as a circle, at distances that fit the intervals.

        Parameters
        ----------
        **options
            Options of `interval_mds`: n_components, n_init, weights, init, tol, max_iter, rng.

        Returns
        -------
        IntervalMDS
            ``.plot()`` draws it. An agreement s is scaled as the dissimilarity 1 - s.

        Raises
        ------
        ClusteringError
            If the measure is not symmetric, is undefined for a pair, is an agreement whose best
            value is not 1, or is not at its best for a clustering and itself.

        Examples
        --------
        >>> import softclust
        >>> matrix = softclust.compare_all({"a": [0, 0, 1, 1], "b": [0, 0, 1, 2]},
        ...                                measure="rand_index")
        >>> matrix.mds(rng=0).center_distances.round(4)[0]
        array([0.    , 0.1667])
        """
        from .scaling import interval_mds
        lower, upper = _dissimilarities(self)
        return interval_mds(lower, upper, names=self.names, **options)


@same_frames
def compare_all(clusterings: EnsembleLike | None = None, *, measure: str | None = None,
                data: FrameLike | None = None, columns: Collection[Any] | None = None,
                weights: ArrayLike | None = None, names: Iterable[str] | None = None,
                noise: NoiseRules = None, noise_label: Any = -1,
                missing: MissingRules = "raise", objects: Objects = "same",
                drop: Literal["listwise", "pair"] = "listwise",
                ci: Literal["jackknife"] | None = None, level: float = 0.95,
                groups: ArrayLike | None = None, strata: ArrayLike | None = None, rng: RNG = None,
                executor: Workers | None = None, progress: Progress | bool | None = False,
                **options: Any) -> ComparisonMatrix:
    """Compare several clusterings of the same objects with each other by one measure.

    Parameters
    ----------
    clusterings : Ensemble, mapping, DataFrame or sequence of clustering-like
        Clusterings in any form that `Ensemble` takes; each is converted once. If objects are
        absent, runs are compared on the objects of both; entries are nan if these are fewer than 2.
        For a frame in an engine (polars lazy, DuckDB, Ibis, PySpark) the rows are grouped by all
        columns in one scan, and measures that depend on a table are available.
    measure : str, optional
        Name of a measure of two clusterings that returns a number or an interval. By default one
        that is corrected for chance: the adjusted Rand index for hard clusterings, the Frobenius
        adjusted Rand index for memberships, the Omega index for covers, and the adjusted alpha-Rand
        index for other kinds; if that takes long (more than 1000 objects) or has no exact form
        (mass on the empty set) the alpha-Rand interval, which is not corrected.
    data : data frame, optional
        Another name of `clusterings` for a frame.
    columns : sequence of str, optional
        The columns of the frame to compare; by default all.
    weights : str, optional
        Column of weights of the objects, as in `contingency_table`.
    names : sequence of str, optional
        Names of the clusterings; by default keys of the mapping or names of Series, else "0", ...
    noise, noise_label, missing, objects : optional
        How to treat noise and missing labels and how to match objects, as in `align`. With
        ``missing="bounds"`` entries are ranges over all ways to fill in missing labels
        (`completion_bounds`).
    drop : {"listwise", "pair"}
        An object that is left out of one clustering is left out of all ("listwise"), or only of the
        pairs with this clustering ("pair"); ``n_objects`` is then a matrix.
    ci : {"jackknife"}, optional
        Confidence intervals of each pair, as in `compare`, for one pair at a time. None: none.
    level : float
        Nominal coverage of each interval.
    groups, strata : array-like, shape (n,), or name of a column of the frame, optional
        Group and stratum of each object, as in `compare`, for the confidence intervals.
    rng : None, int or Generator, optional
        For a measure with random draws (one with an option ``rng``): each pair gets a child
        generator of its own, so that no entry depends on workers.
    executor : concurrent.futures.Executor or "joblib", optional
        Where pairs are evaluated, in chunks of about half a second; in local threads by default.
    progress : bool or callable, optional
        True for a progress bar over the pairs, or a function (pairs_done, pairs_total).
    **options
        Options of the measure, such as ``alpha=0.2``.

    Returns
    -------
    ComparisonMatrix
        ``lower``, ``upper``, ``value`` (n, n); ``.summary()``, ``.to_frame()``, ``.plot()``,
        ``.mds()``. If the measure is undefined (0/0) entries are nan and ``notes`` says why.

    Raises
    ------
    ClusteringError
        Before anything is computed: if a clustering is of a kind that the measure does not take,
        or the clusterings are not of the same n >= 2 objects.
    ValueError
        If the measure is unknown (the message has the nearest names), is for a single clustering or
        does not return a number.
    TypeError
        If the measure has no such option; the message lists those that it has.

    See Also
    --------
    compare, interval_mds, medoid, rank_clusterings

    Notes
    -----
    n(n+1)/2 evaluations for a symmetric measure (the other triangle is its mirror image), n^2 for
    any other. The diagonal is computed like every other entry. What belongs to one clustering is
    computed once, and sums over pairs of objects (alpha-Rand and credal indices of soft
    clusterings, up to 100,000 objects) are computed in one sweep for all pairs of clusterings:
    every entry has the same bits as its single call. Memory O(n^2) for the n clusterings, twice
    their memberships, and what one evaluation needs.

    Examples
    --------
    >>> import softclust
    >>> runs = {"truth": [0, 0, 1, 1],
    ...         "fuzzy": [[0.9, 0.1], [0.8, 0.2], [0.0, 1.0], [0.3, 0.7]],
    ...         "rough": softclust.RoughClustering.from_upper([[1, 0], [1, 0], [1, 1], [0, 1]])}
    >>> matrix = softclust.compare_all(runs)
    >>> matrix
    ComparisonMatrix(adjusted_alpha_rand_index, 3 clusterings of 4 objects)
    >>> softclust.compare_all(runs, measure="alpha_rand_interval")["truth", "rough"]
    Interval(low=0.5, high=1.0)
    """
    m = None if measure is None else pair_measure(measure, options, compare_all)
    check_choice("drop", drop, ("listwise", "pair"))
    if (clusterings is None) == (data is None):
        raise TypeError("give clusterings, or a data frame as data=")
    units, how = Units.named(groups, strata), Resampling(ci, level)
    if ci is None:
        how.check_unused(units.what)
    else:
        check_choice("ci", ci, ("jackknife",))
    clusterings, units = columns_to_compare(data if clusterings is None else clusterings, columns,
                                            weights, missing, units)
    policies = Policies(noise, noise_label, missing, objects)
    if isinstance(missing, str) and missing == "bounds":
        for name in (*options, *(name for name, value in (("executor", executor), ("ci", ci))
                                 if value is not None)):
            raise ValueError(f'missing="bounds" gives ranges; leave out {name}')
    check_executor(executor)
    members = members_of(clusterings, names, drop, policies)
    counts = members.n_objects
    if m is None:
        m = pair_measure(_usual(members, int(np.max(counts))).name, options, compare_all)
    if rng is not None and "rng" not in m.options and missing != "bounds":
        raise TypeError(f"{m.name} makes no random draws; leave out rng")
    check_kinds(m, members)
    if isinstance(counts, int) and counts < 2:
        raise ClusteringError("the clusterings have 1 object; at least 2 are needed to compare")
    symmetric = m.symmetric(options, members.kinds)
    n = len(members.names)
    lower, upper, value = (np.full((n, n), math.nan) for _ in range(3))
    pairs = [(i, j) for i in range(n) for j in range(i if symmetric else 0, n)]
    if rng is None:   # so that what is finished grows evenly
        pairs = list(chain.from_iterable(in_blocks(pairs, int(np.max(counts)))))
    entries: list[Any] = []
    with keep_finished("pairs", len(pairs), lambda: len(entries),
                       "compare the pairs with nan on their own") as stop:
        for entry in evaluate_pairs(m, members, pairs, options, rng=rng, executor=executor,
                                    progress=progress):
            entries.append(entry)
    finished = dict(zip(pairs, entries))
    pairs = sorted(finished)
    entries = [finished[pair] for pair in pairs]
    places = np.array(pairs).T
    for matrix, numbers in zip((lower, upper, value), zip(*(entry[:3] for entry in entries))):
        matrix[*places] = numbers
        if symmetric:
            matrix[*places[::-1]] = numbers
    called = [f"{members.names[i]}, {members.names[j]}" for i, j in pairs]
    notes = [*members.notes]
    concerned: dict[str, list[str]] = {}   # pairs, by what is said of them
    for (*_, warned), name in zip(entries, called):
        for text in warned:
            concerned.setdefault(text, []).append(name)
    notes += [f"{'; '.join(of[:3])}{f' and {len(of) - 3} more pairs' * (len(of) > 3)}: {text}"
              for text, of in concerned.items()]
    ends: dict[str, np.ndarray] = {}
    if ci is not None and not stop:
        ends = {name: np.full((n, n), math.nan) for name in ("ci_low", "ci_high")}
        limits, about = limits_of_pairs(
            m, members, pairs, [Interval(*entry[:2]) if math.isnan(entry[2]) else entry[2]
                                 for entry in entries], options, how, units)
        for (i, j), name, each in zip(pairs, called, limits):
            if each is None:
                continue
            for at in {(i, j), (j, i)} if symmetric else {(i, j)}:
                ends["ci_low"][at], ends["ci_high"][at] = each.low.low, each.high.high
            if each.note:
                notes.append(f"{name}: {each.note}")
        notes += [about] if about else []
    notes += stop.notes
    stop.warn()
    return ComparisonMatrix(
        names=members.names, kinds=members.kinds, measure=m.name, options=dict(options),
        sense=m.sense, symmetric=symmetric, lower=frozen(lower), upper=frozen(upper),
        value=frozen(value), n_objects=counts, notes=tuple(notes), level=level,
        **{name: frozen(array) for name, array in ends.items()},
        alignment=members.alignment)


def _usual(members: Members, n: int) -> Measure:
    """The first measure for these kinds that is corrected for chance and 1 for equal clusterings.
    """
    kinds = members.kinds
    wanted = ("chance-corrected", "symmetric", "reflexive")
    # Means over permutations that sort pairs of objects exist and are fast.
    expected_soon = set(kinds) <= {"hard", "rough"} or (
        n * (n - 1) // 2 <= SORTED and isinstance(members, Together)
        and not any(x.mass_table().nonempty.size for x in members.clusterings.values()
                    if x.kind != "cover"))
    for m in sorted(registry().values(), key=attrgetter("place")):
        if (m.arity == 2 and all(map(m.takes_kind, kinds))
                and all(m.claims(name, kinds) for name in wanted)
                and ("max_pairs" not in m.options or expected_soon)):
            return m
    return get_measure("alpha_rand_interval")


def _short(value: float) -> str:
    """Format with three decimals, or with more where they matter."""
    if abs(value) < ROUNDED_ZERO or 5e-4 <= abs(value) < 1e4:
        return f"{value if abs(value) >= ROUNDED_ZERO else 0.0:.3f}"
    return number(value) if math.isinf(value) else f"{value:.2g}"


# -- as dissimilarities, for dendrograms and circles ------------------------------------------
def _need_defined(matrix: ComparisonMatrix, values: np.ndarray, way_out: str) -> None:
    for i, j in np.argwhere(np.isnan(values)):
        raise ClusteringError(f"{matrix.label} is undefined for {matrix.names[i]!r} and "
                              f"{matrix.names[j]!r}; {way_out}")


def _dissimilarities(matrix: ComparisonMatrix) -> tuple[np.ndarray, np.ndarray]:
    """Bounds for the scaling; a diagonal that differs from zero by rounding becomes zero."""
    m = get_measure(matrix.measure)
    if not matrix.symmetric:
        raise ClusteringError(f"{matrix.label} is not symmetric; circles need a symmetric measure, "
                              "such as 'alpha_rand_interval'")
    lower, upper = np.array(matrix.lower), np.array(matrix.upper)
    _need_defined(matrix, lower, "leave one of them out")
    if matrix.sense == "agreement":
        if callable(m.bounds) or m.bounds[1] != 1.0:
            raise ClusteringError(f"{matrix.label} is an agreement whose best value is not 1; "
                                  "circles need one with best value 1, or a dissimilarity")
        lower, upper = 1.0 - upper, 1.0 - lower
    itself = np.maximum(np.abs(np.diagonal(lower)), np.abs(np.diagonal(upper)))
    if itself.max() > ROUNDING:
        k = int(itself.argmax())
        raise ClusteringError(f"{matrix.label} is not at its best for {matrix.names[k]!r} and "
                              f"itself ({matrix.text(k, k)}); circles need a measure that is")
    np.fill_diagonal(lower, 0.0)
    np.fill_diagonal(upper, 0.0)
    return lower, upper
