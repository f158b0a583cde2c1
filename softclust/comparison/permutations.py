"""`chance()`: what a measure is worth when the objects of one clustering are permuted."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from .._checks import ClusteringError, IncompleteWarning, check_choice, check_whole, named_keywords
from .._frames import frame_first
from .._parallel import Progress
from .._warnings import quiet, warn
from ..clusterings import Clustering
from ..clusterings.alignment import Policies
from ..ensembles.replicates import (
    ReplicateFailure,
    Streams,
    check_executor,
    run_blocks,
    run_replicates,
)
from ..measures import Measure, get_measure, measure_of
from ..measures.joint import Joint, settled_source
from ..measures.statistic import Source
from ..tables.contingency import Contingency, contingency
from ..tables.partition_models import check_model
from ..tables.parts import kept_labels, part_codes, parts_of
from ..tables.strata import Strata
from .chance_record import Chance
from .chance_rows import (
    ALTERNATIVES,
    Plan,
    from_draws,
    from_laws,
    from_moments,
    from_two_moments,
)
from .columns import sides_of
from .null_tables import RandomTables, Wanted, as_row, exact_laws
from .restricted_null import (
    Blocks,
    PermutedGroups,
    StratifiedTables,
    stratified_laws,
    stratified_moments,
    within,
)
from .several import _listen, exchanged

if TYPE_CHECKING:
    from .._types import (
        RNG,
        Alternative,
        ArrayLike,
        ClusteringLike,
        MissingRules,
        NoiseRules,
        NullMethod,
        NullModel,
        Objects,
        SourceLike,
    )


__all__ = ["Chance", "chance"]

METHODS = ("auto", "tables", "exact", "moments", "permutations")


@frame_first
@named_keywords
def chance(x: SourceLike | None = None, y: ClusteringLike | None = None,
           measure: str | Iterable[str] | Mapping[str, Mapping[str, Any]] | None = None, *,
           data: Any = None, method: NullMethod = "auto", model: NullModel = "permutation",
           fixed: Literal["x", "y"] | None = None, alternative: Alternative = "alike",
           noise: NoiseRules = "cluster", noise_label: Any = -1, missing: MissingRules = "raise",
           objects: Objects = "same", n_permutations: int = 999, max_tables: float = 1e6,
           rng: RNG = None, executor: Executor | None = None, indices: ArrayLike | None = None,
           groups: ArrayLike | None = None, strata: ArrayLike | None = None,
           progress: Progress | bool | None = False) -> Chance:
    r"""Null mean, chance-corrected value and p-value of any measure.

    The objects of y are permuted. This keeps the sizes and the fuzziness of both clusterings and
    removes any association between them. For two hard clusterings, or a table, only the table of
    counts matters and is drawn directly (up to 1e9 objects), which takes well below a millisecond.

    Parameters
    ----------
    x, y : clustering-like
        Anything `as_clustering` takes, with the same n >= 2 objects; or x a `Joint` or a
        `ContingencyTable`, and no y. With `data` the names of two of its columns.
    measure : str, sequence of str, or mapping of str to dict
        Names of measures of two clusterings that give a number or an interval; a mapping gives
        the options of each, such as ``{"alpha_rand_index": {"alpha": 0.2}}``. All of them are
        evaluated on the same permutations and share what they have in common.
    data : data frame, optional
        As in `compare`: ``chance(data=frame, x="a", y="b", measure="rand_index")``.
    method : {"auto", "tables", "exact", "moments", "permutations"}, optional
        "tables": random tables with these cluster sizes. "exact": all such tables. "moments":
        exact mean, sd and skewness, and a p-value from them by Pearson's type III; for measures
        that are linear in the pairs together in both (Rand, adjusted Rand, Fowlkes-Mallows, ...).
        "permutations": permuted objects, for any kinds. "auto": "tables" where a table is enough
        and no `indices` are given, else "permutations".
    model : {"permutation", "number", "all"}, optional
        What is held fixed: the sizes of the clusters, their number, or nothing but n; see
        `chance_level`. The last two are for hard clusterings and random tables.
    fixed : {None, "x", "y"}, optional
        The side that stays as it is under "number" and "all"; None: both are random.
    alternative : {"alike", "unlike", "two-sided"}, optional
        What counts against chance: values at least as alike, at least as unlike, or either
        (twice the smaller p-value, at most 1).
    noise, noise_label, missing, objects : optional
        What noise and missing labels are and how objects are matched, as in `align`; the objects
        kept are permuted.
    n_permutations : int
        Permutations or random tables, at least 1; p-values are at least 1 / (n_permutations + 1).
    max_tables : float, optional
        Tables that "exact" may visit.
    rng : None, int or Generator, optional
        Source of the draws, one child each: results do not depend on threads or workers.
    executor : concurrent.futures.Executor, optional
        Where the draws run, in chunks of about half a second; here by default.
    indices : array-like of int, shape (m, n), optional
        Ready permutations, one a row, in place of drawn ones.
    groups : array-like, shape (n,), optional
        Group of each object (patient, document), the unit of an experiment: where the labels of
        y, or else of x, are constant within groups, the labels of whole groups are permuted.
        "exact" counts all arrangements, "permutations" (the default) draws them.
    strata : array-like, shape (n,), optional
        Stratum of each object (batch, site): y is permuted within strata, so that agreement which
        the strata explain is no evidence. "moments" then gives mean and sd but no p-value.
    progress : bool or callable
        True for a progress bar, or a function (done, total).

    Returns
    -------
    Chance
        One row per measure (two for the ends of an interval): ``observed``, ``mean``, ``sd``,
        ``skewness``, ``z``, ``adjusted``, ``p_value``, ``p_value_error``, ``null``;
        ``.summary()``, ``.to_frame()``, ``.plot()``.

    Raises
    ------
    ClusteringError
        If a measure does not take a kind, `indices` are no permutations, objects have weights, or
        there are more than `max_tables` tables.
    ValueError
        If a measure is unknown, is one of a single clustering or gives a record; or an option is
        not allowed, such as "moments" for a measure that is not linear.
    TypeError
        If `measure` is missing or has no such option.

    Warns
    -----
    IncompleteWarning
        If Ctrl-C stopped the run: the record rests on the permutations that were finished.

    See Also
    --------
    chance_level, compare, adjusted_rand_index

    Notes
    -----
    .. math:: \mathrm{adjusted} = \frac{S - E}{\mathrm{best} - E}, \quad p = \frac{1 + m_+}{1 + m}

    S is the observed value, E the mean over permutations, and best the end of the measure's range
    that means "most alike". So the adjusted value is 1 at the best value and 0 on average, also for
    a dissimilarity; it is nan where the range is unbounded or E is the best value. m_+ is the
    number of the m permutations that are at least as alike; the p-value is valid for any m. With
    "exact" it is the share of all tables that are at least as alike. E has the standard error
    sd/sqrt(m), or is exact. Permutations where the measure is undefined count against the
    alternative, whichever it is. Values that differ by less than 1e-12, and by less than a
    thousandth of the sd, are equal; for measures that are linear in the pairs together in both,
    this number itself is compared, an integer. Random tables come from
    ``scipy.stats.random_table``: above 1e9 objects it fails, so this function raises there. Normal
    tails are not used: for three and more clusters they are wrong by a factor of ten at p = 0.01.
    For two clusters against two, "exact" is as fast as "moments", whose p-value may be off by a
    factor of 2 there.

    Theory: docs/theory/tables.md.

    References
    ----------
    L. Hubert and P. Arabie (1985), Comparing partitions, Journal of Classification 2, 193-218.
    W. M. Patefield (1981), Algorithm AS 159: An efficient method of generating random R x C tables
    with given row and column totals, Applied Statistics 30, 91-97.

    Examples
    --------
    >>> import softclust
    >>> truth, found = [0] * 10 + [1] * 10, [0] * 9 + [1] * 11
    >>> result = softclust.chance(truth, found, ["rand_index", "alpha_rand_interval"], rng=0)
    >>> result
    Chance(x: hard, y: hard, n_objects=20, 2 measures, 999 random tables)
    >>> row = result["rand_index"]
    >>> round(row.observed, 4), round(row.adjusted, 1), row.p_value
    (0.9, 0.8, 0.001)
    >>> row = softclust.chance(truth, found, "rand_index", method="exact")["rand_index"]
    >>> round(row.p_value, 6), round(row.mean, 6)
    (0.000119, 0.501108)
    """
    if measure is None:
        raise TypeError("measure is missing; the name of a measure is needed, such as "
                        "chance(x, y, 'rand_index') or chance(table, measure='rand_index')")
    x, y, missing = sides_of(x, y, data, None, missing)
    if x is None:
        raise TypeError("x is missing; give two clusterings, or data= with two of its columns")
    source, alignment = settled_source(x, y, ("x", "y"),
                                       Policies(noise, noise_label, missing, objects))
    wanted, swap, said = _words(measure)
    if swap:
        source = exchanged(source)
    check_executor(executor)
    check_choice("alternative", alternative, ALTERNATIVES)
    check_model(model, fixed)
    if groups is not None or strata is not None:
        return _restricted(source, wanted, groups, strata, method=method, model=model,
                           fixed=fixed, alternative=alternative, indices=indices,
                           max_tables=max_tables, count=n_permutations, rng=rng,
                           executor=executor, progress=progress, alignment=alignment)
    way = _method(source, wanted, method, model, indices)
    plan = Plan(wanted=wanted, method=way, model=model, fixed=fixed, alternative=alternative)
    ready, count = _ready(indices, source.n_objects, n_permutations)
    observed, notes = _observed(source, wanted)
    notes = [*said, *notes]
    if way == "exact":
        laws = exact_laws(source.statistic(Contingency), wanted, max_tables)
        return replace(from_laws(source, plan, observed, laws, notes), alignment=alignment)
    if way == "moments":
        return replace(from_moments(source, plan, observed, notes), alignment=alignment)
    null, pairs, lost = _null(source, plan, ready, count, rng, executor, progress)
    for text in lost:
        warn(f"{text}; the record rests on these", IncompleteWarning, stacklevel=2)
    made = from_draws(source, plan, observed, null, pairs, count, [*notes, *lost])
    return replace(made, alignment=alignment)


def _method(source: Source, wanted: Wanted, method: str, model: str, indices: Any) -> str:
    """The method that is used, or what is wrong with the one asked for."""
    check_choice("method", method, METHODS)
    if source.weighted:
        raise ClusteringError("objects have weights, and a null model needs the weight of each; "
                              'chance_level(..., fixed=) has exact means, or count without weights')
    enough = source.both_hard and not any(
        options.get("weights") is not None for _, options in wanted)
    if method == "auto":
        method = "tables" if enough and indices is None else "permutations"
    if indices is not None and method != "permutations":
        raise ValueError(f'indices are permutations; with method="{method}" they have no effect')
    if method == "permutations":
        if source.sums is not None:
            raise ClusteringError("sums of memberships have no objects to permute; give both "
                                  "clusterings")
        if not source.has_objects:
            raise ClusteringError("a table has no objects to permute (indices, "
                                  'method="permutations", or a measure that needs the objects); '
                                  'method="tables" draws tables, table.expand() makes labels')
    elif not enough:
        raise ClusteringError(f'method="{method}" needs two hard clusterings and measures that '
                              'read their table; method="permutations" takes the others')
    if model != "permutation" and method != "tables":
        raise ValueError(f'model="{model}" with method="{method}": only random tables serve '
                         'this model; take method="tables"')
    if method == "moments":
        for name, options in wanted:
            m = get_measure(name)
            if not m.linear_in_pairs or options.get("model", "permutation") != "permutation":
                raise ValueError(f'{name} with method="moments": moments are known for measures '
                                 "that are linear in the pairs together in both; take "
                                 '"exact" or "tables"')
    return method


def _restricted(source: Source, wanted: Wanted, groups: Any, strata: Any, *, method: str,
                model: str, fixed: str | None, alternative: str, indices: Any, max_tables: float,
                count: Any, rng: Any, executor: Executor | None, progress: Any,
                alignment: Any) -> Chance:
    """y permuted within strata, or the labels of whole groups."""
    what = "groups" if strata is None else "strata"
    if groups is not None and strata is not None:
        raise ClusteringError("groups and strata are both given; permute whole groups, or within "
                              "strata: leave one of them out")
    if model != "permutation" or fixed is not None:
        raise ClusteringError(f'{what} with model="{model}"'
                              f'{"" if fixed is None else f" and fixed={fixed!r}"}: objects are '
                              'permuted, which is model="permutation" without fixed')
    if indices is not None:
        raise ClusteringError(f"indices and {what} are both given; ready permutations need no "
                              f"{what}: leave one of them out")
    check_choice("method", method, METHODS)
    given = kept_labels(groups if strata is None else strata, what, alignment)
    if strata is None and method == "auto":
        method = "permutations"
    method = _method(source, wanted, method, model, None)
    count = check_whole("n_permutations", count)
    plan = Plan(wanted=wanted, method=method, model=model, fixed=fixed, alternative=alternative)
    observed, notes = _observed(source, wanted)
    work: Any
    if strata is None:
        if method in ("tables", "moments"):
            raise ValueError(f'method="{method}" with groups: take "exact" or "permutations"')
        blocks = Blocks.of(source, given)
        notes.append(f"labels of {blocks.side} are permuted among {blocks.labels.size} groups")
        if method == "exact":
            laws = blocks.laws(wanted, max_tables)
            return replace(from_laws(source, plan, observed, laws, notes), alignment=alignment)
        work = PermutedGroups(blocks=blocks, wanted=wanted, streams=Streams(rng))
    else:
        found = None if method == "permutations" else Strata(parts_of(source, "strata", given))
        codes, names = (part_codes("strata", given, source.n_objects) if found is None
                        else (None, found.parts.names))
        notes.append(f"y is permuted within {len(names)} strata")
        if found is None:
            work = _Within(task=_Task(
                x=source.objects.x, y=source.objects.y, wanted=wanted, streams=Streams(rng),
                indices=None, strata=codes,
                tables=not any("weights" in options for _, options in wanted)))
        else:
            if method == "exact":
                laws = stratified_laws(found, wanted, max_tables)
                return replace(from_laws(source, plan, observed, laws, notes),
                               alignment=alignment)
            if method == "moments":
                numbers = [stratified_moments(found, source, name, options)
                           for name, options in wanted]
                return replace(from_two_moments(source, plan, observed, numbers, notes),
                               alignment=alignment)
            work = StratifiedTables(strata=found, wanted=wanted, streams=Streams(rng))
    rows: list[np.ndarray] = []
    pairs: list[int] = []
    lost: list[str] = []

    def keep(start: int, stop: int, part: tuple[list[np.ndarray], list[int]]) -> None:
        rows.extend(part[0])
        pairs.extend(part[1])
    try:
        run_blocks(work, 0, count, keep, executor=executor, progress=progress, what=plan.draws)
    except KeyboardInterrupt:
        if not rows:
            raise
        lost.append(f"interrupted after {len(rows)} of {count} {plan.draws}")
        warn(f"{lost[0]}; the record rests on these", IncompleteWarning, stacklevel=3)
    made = from_draws(source, plan, observed, np.array(rows), pairs or None, count,
                      [*notes, *lost])
    return replace(made, alignment=alignment)


@dataclass(frozen=True, kw_only=True)
class _Within:
    """A block of permutations within strata."""

    task: _Task

    def __call__(self, start: int, stop: int) -> tuple[list[np.ndarray], list[int]]:
        return [self.task(b) for b in range(start, stop)], []


def _null(source: Source, plan: Plan, ready: np.ndarray | None, count: int, rng: Any,
          executor: Executor | None, progress: Any
          ) -> tuple[np.ndarray, list[int] | None, list[str]]:
    """Values (m, k) of the draws, their pairs together in both, and what is missing."""
    rows: list[np.ndarray] = []
    pairs: list[int] | None = None
    lost: list[str] = []
    try:
        if plan.method == "tables":
            pairs = found = []
            work = RandomTables(source=source.statistic(Contingency), wanted=plan.wanted,
                                streams=Streams(rng), model=plan.model, fixed=plan.fixed)

            def keep(start: int, stop: int, part: tuple[np.ndarray, list[int]]) -> None:
                rows.extend(part[0])
                found.extend(part[1])
            run_blocks(work, 0, count, keep, executor=executor, progress=progress,
                       what="random tables")
        else:
            joint = source.objects
            task = _Task(x=joint.x, y=joint.y, wanted=plan.wanted, streams=Streams(rng),
                         indices=ready,
                         tables=not any("weights" in options for _, options in plan.wanted))
            with quiet():
                run_replicates(task, 0, count, lambda b, values: rows.append(values),
                               fail=_fail, executor=executor, progress=progress,
                               what="permutations")
    except KeyboardInterrupt:
        if not rows:
            raise
        lost.append(f"interrupted after {len(rows)} of {count} {plan.draws}")
    return np.array(rows), pairs if plan.model == "permutation" else None, lost


# -- what was asked ---------------------------------------------------------------------------
def _words(measure: Any) -> tuple[Wanted, bool, list[str]]:
    """What is wanted, whether with the sides exchanged, and what words of fields mean."""
    single = isinstance(measure, str) or callable(measure)
    words = [measure_of(each) for each in ([measure] if single else measure)]
    said = [f"{w.word} is {w.call}" + ("; the rows are of the measure, not of 1 - value"
                                       if w.complement else "") for w in words if w.field]
    if not said:
        return _wanted(measure), False, []
    if len({w.swap for w in words}) > 1:
        raise ValueError("some of these words exchange x and y: ask for each alone ("
                         + "; ".join(said) + ")")
    more = measure if isinstance(measure, Mapping) else {}
    names = [w.name for w in words]
    if len(set(names)) < len(names):
        raise ValueError("two of these words are one measure, which is evaluated once a "
                         "permutation: ask for each alone (" + "; ".join(said) + ")")
    meant = {w.name: {**w.options, **more.get(w.word, {})} for w in words}
    return _wanted(meant), words[0].swap, said


def _wanted(measure: Any) -> Wanted:
    if isinstance(measure, str) or callable(measure):
        asked: list[tuple[Any, dict[str, Any]]] = [(measure, {})]
    elif isinstance(measure, Mapping):
        asked = [(name, dict(options)) for name, options in measure.items()]
    else:
        asked = [(name, {}) for name in measure]
    if not asked:
        raise ValueError("measure is empty; at least one name is needed "
                         "(softclust.list_measures() lists them)")
    asked = [(get_measure(name).name, options) for name, options in asked]
    names = [name for name, _ in asked]
    if len(set(names)) < len(names):
        raise ValueError("a measure is named twice; each is evaluated once a permutation")
    for name, options in asked:
        m = get_measure(name)
        if m.arity != 2:
            raise ValueError(f"{name} is a measure of one clustering; permuting objects does not "
                             "change it")
        _check_options(m, options)
    return tuple(asked)


def _check_options(m: Measure, options: Mapping[str, Any]) -> None:
    allowed = [name for name in m.options if name not in ("progress", "rng")]
    for name in options:
        if name not in allowed:
            raise TypeError(f"{m.name} has no option {name!r} here; " + (
                f"its options are {', '.join(allowed)}" if allowed else "it has none"))


def _ready(indices: Any, n: int, n_permutations: Any) -> tuple[np.ndarray | None, int]:
    if indices is None:
        return None, check_whole("n_permutations", n_permutations)
    rows = np.asarray(indices)
    if rows.ndim != 2 or rows.shape[1] != n or not rows.shape[0] or rows.dtype.kind not in "iu":
        raise ClusteringError(f"indices has shape {rows.shape} and dtype {rows.dtype}; whole "
                              f"numbers of shape (m, {n}) are needed, a permutation in each row")
    bad = (np.sort(rows, axis=1) != np.arange(n)).any(axis=1)
    if bad.any():
        raise ClusteringError(f"indices[{int(bad.argmax())}] is not a permutation of 0, ..., "
                              f"{n - 1}; each row must have every position once")
    return np.ascontiguousarray(rows, dtype=np.int64), rows.shape[0]


# -- values -----------------------------------------------------------------------------------
def _observed(source: Source, wanted: Wanted) -> tuple[list[tuple[float, ...]], list[str]]:
    found, notes = [], []
    for name, options in wanted:
        m = get_measure(name)
        m.check_kinds(source, options)
        result, said = _listen(lambda m=m, o=options: m.function(source, **o))  # type: ignore[misc]
        found.append(as_row(m.listed_value(result)))
        notes += [f"{name}: {text}" for text in said]
    return found, notes


@dataclass(frozen=True, kw_only=True)
class _Task:
    """All measures on one permutation; (k,) numbers, the ends one after the other."""

    x: Clustering
    y: Clustering
    wanted: Wanted
    streams: Streams
    indices: np.ndarray | None
    first: int = 0
    #: whether tables of counts are enough for two hard clusterings
    tables: bool = True
    #: stratum of each object, within which objects are permuted
    strata: np.ndarray | None = None
    measures: dict[str, Measure] = field(default_factory=dict, compare=False)
    #: what belongs to x, which stays as it is
    of_x: dict[Hashable, Any] = field(default_factory=dict, compare=False)

    def __call__(self, b: int) -> np.ndarray:
        if self.strata is not None:
            order = within(self.strata, self.streams.generator(b))
        elif self.indices is None:
            order = self.streams.generator(b).permutation(self.x.n_objects)
        else:
            order = self.indices[b - self.first]
        source = self._permuted(order)
        values: list[float] = []
        with quiet():
            for name, options in self.wanted:
                m = self.measures.get(name) or self.measures.setdefault(name, get_measure(name))
                values += as_row(m.listed_value(m.evaluate(source, options)))
        return np.array(values)

    def _permuted(self, order: np.ndarray) -> Source:
        """x and y in another order; only their table where both are hard and that is enough."""
        x, y = self.x, self.y
        if self.tables and (a := x.hard_codes) is not None and (b := y.hard_codes) is not None:
            return contingency(a, x.n_clusters, b[order], y.n_clusters)
        return Joint.of_checked(x, y.subset(order), self.of_x)

    def part(self, start: int, stop: int) -> _Task:
        """What a worker needs for permutations `start` to `stop` - 1."""
        if self.indices is None:
            return self
        return replace(self, indices=self.indices[start - self.first:stop - self.first],
                       first=start)

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"measures": {}, "of_x": {}}   # made anew by the worker


def _fail(failure: ReplicateFailure) -> None:
    raise RuntimeError(f"permutation {failure.replicate} failed: {failure.reason}")
