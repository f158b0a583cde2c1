"""`chance()`: measures compared with their values when the objects are permuted at random."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

import numpy as np

from .._checks import ClusteringError, IncompleteWarning, check_choice, check_whole
from .._types import (
    RNG,
    Alternative,
    ArrayLike,
    ClusteringLike,
    FrameLike,
    MissingRules,
    NoiseRules,
    NullMethod,
    NullModel,
    Objects,
    SourceLike,
    Workers,
)
from ..clusterings.alignment import Policies
from ..measures import get_measure, measure_of
from ..measures.joint import settled_source
from ..measures.statistic import Source
from ..results.frames import frame_first
from ..running.jobs import ReplicateFailure, check_executor, run_jobs
from ..running.random_numbers import Streams
from ..running.threads import Progress
from ..running.warnings import quiet, warn
from ..tables.contingency import Contingency
from ..tables.frame_sides import NOTHING, Units, read_columns
from ..tables.partition_models import check_model
from ..tables.parts import kept_labels, names_of, part_codes, parts_of
from ..tables.strata import Strata
from .chance_record import (
    Chance,
    Plan,
    from_draws,
    from_laws,
    from_moments,
    observe,
)
from .null_models import (
    MOST_DRAWN,
    Blocks,
    Permutations,
    PermutedGroups,
    RandomTables,
    Wanted,
    exact_laws,
    stratified_laws,
)
from .several import exchanged, pair_measure

__all__ = ["Chance", "chance"]

ALTERNATIVES = ("alike", "unlike", "two-sided")
METHODS = ("auto", "tables", "exact", "moments", "permutations")


@frame_first
def chance(x: SourceLike | None = None, y: ClusteringLike | None = None,
           measure: str | Iterable[str] | Mapping[str, Mapping[str, Any]] | None = None, *,
           data: FrameLike | tuple[FrameLike, FrameLike] | None = None,
           on: str | Sequence[str] | None = None, method: NullMethod = "auto",
           model: NullModel = "permutation", fixed: Literal["x", "y"] | None = None,
           alternative: Alternative = "alike", noise: NoiseRules = None,
           noise_label: Any = -1, missing: MissingRules = "raise", objects: Objects = "same",
           n_permutations: int = 999, max_tables: float = 1e6, rng: RNG = None,
           executor: Workers | None = None, indices: ArrayLike | None = None,
           groups: ArrayLike | None = None, strata: ArrayLike | None = None,
           progress: Progress | bool | None = False) -> Chance:
    r"""Compare the value of any measure with chance: null mean, corrected value and p-value.

    The objects of y are permuted. This keeps the cluster sizes and the fuzziness of both
    clusterings and removes any association between them. For two hard clusterings, or a table, only
    the table of counts matters; it is drawn directly (up to 1e9 objects), in well below a
    millisecond.

    Parameters
    ----------
    x, y : clustering-like
        Anything `as_clustering` takes, with the same n >= 2 objects; or x a `Joint` or a
        `ContingencyTable`, without y. With `data`, the names of two of its columns.
    measure : str, sequence of str, or mapping of str to dict
        Names of measures of two clusterings that return a number or an interval; a mapping gives
        the options of each, such as ``{"alpha_rand_index": {"alpha": 0.2}}``. All of them are
        evaluated on the same permutations and share intermediate results.
    data, on : optional
        As in `compare`: ``chance(data=frame, x="a", y="b", measure="rand_index")``.
    method : {"auto", "tables", "exact", "moments", "permutations"}, optional
        "tables": random tables with these cluster sizes. "exact": all such tables. "moments":
        exact mean, sd and skewness, and a p-value from them by Pearson's type III; for measures
        that are linear in the number of pairs together in both (Rand, adjusted Rand,
        Fowlkes-Mallows, ...). "permutations": permuted objects, for any kinds. "auto": "tables" if
        a table is enough and no `indices` are given, else "permutations".
    model : {"permutation", "number", "all"}, optional
        What is held fixed: the sizes of the clusters, their number, or nothing but n; see
        `chance_level`. The last two are for hard clusterings and random tables.
    fixed : {None, "x", "y"}, optional
        The side that is held fixed under "number" and "all"; None: both are random.
    alternative : {"alike", "unlike", "two-sided"}, optional
        What counts against chance: values at least as alike, at least as unlike, or either
        (twice the smaller p-value, at most 1).
    noise, noise_label, missing, objects : optional
        How to treat noise and missing labels and how to match objects, as in `align`; the remaining
        objects are permuted.
    n_permutations : int
        Permutations or random tables, at least 1; p-values are at least 1 / (n_permutations + 1).
    max_tables : float, optional
        Maximum number of tables for "exact".
    rng : None, int or Generator, optional
        Seed or generator; each draw has its own child, so results do not depend on workers.
    executor : concurrent.futures.Executor or "joblib", optional
        Where the draws run, in chunks of about half a second; in this process by default.
    indices : array-like of int, shape (m, n), optional
        Given permutations, one per row, instead of drawn ones.
    groups : array-like, shape (n,), or name of a column of data, optional
        Group of each object (patient, document), the unit of an experiment: if the labels of y, or
        else of x, are constant within groups, the labels of whole groups are permuted. "exact"
        counts all arrangements, "permutations" (the default) draws them.
    strata : array-like, shape (n,), or name of a column of data, optional
        Stratum of each object (batch, site): y is permuted within strata, so that agreement
        explained by the strata does not count as evidence. "moments" then gives mean and sd but no
        p-value.
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
        If a measure does not take a kind, `indices` are not permutations, objects have weights, or
        there are more than `max_tables` tables.
    ValueError
        If a measure is unknown, is for a single clustering or does not return a number, or an
        option is not allowed, such as "moments" for a measure that is not linear.
    TypeError
        If `measure` is missing or an option is unknown.

    Warns
    -----
    IncompleteWarning
        If Ctrl-C stopped the run: the result uses the permutations that were finished.

    See Also
    --------
    chance_level, compare, adjusted_rand_index

    Notes
    -----
    .. math:: \mathrm{adjusted} = \frac{S - E}{\mathrm{best} - E}, \quad p = \frac{1 + m_+}{1 + m}

    S is the observed value, E the mean over permutations, and best the end of the measure's range
    that means "most alike". So the adjusted value is 1 at the best value and 0 on average, also for
    a dissimilarity; it is nan if the range is unbounded or E is the best value. m_+ is the number
    of the m permutations that are at least as alike; the p-value is valid for any m. With "exact"
    it is the share of all tables that are at least as alike. E has the standard error sd/sqrt(m),
    or is exact. Permutations for which the measure is undefined count against the alternative,
    whichever it is. Values that differ by less than 1e-12, and by less than a thousandth of the sd,
    count as equal; for measures that are linear in the number of pairs together in both, this
    integer is compared instead. Random tables come from ``scipy.stats.random_table``, which fails
    above 1e9 objects, so this function raises there. Normal tails are not used: with three or more
    clusters they are wrong by a factor of ten at p = 0.01. For two clusters against two, "exact" is
    as fast as "moments", whose p-value may be off by a factor of 2 there.

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
    units = NOTHING if groups is None and strata is None else Units.named(groups, strata)
    policies = Policies(noise, noise_label, missing, objects)
    if data is not None or on is not None:
        x, y, policies, units = read_columns(x, y, data, None, policies, units, on)
    if x is None:
        raise TypeError("x is missing; give two clusterings, or data= with two of its columns")
    source, alignment = settled_source(x, y, ("x", "y"), policies)
    if not units.what and units.known_to(source).what:
        raise ClusteringError("the table was counted with groups, whose objects are not "
                              "independent: give the labels and groups=, and whole groups are "
                              "permuted; or count without groups=")
    wanted, swap, notes = _read_measures(measure)
    if swap:
        source = exchanged(source)
    check_executor(executor)
    check_choice("alternative", alternative, ALTERNATIVES)
    check_model(model, fixed)
    if units is not NOTHING:
        if groups is not None and strata is not None:
            raise ClusteringError("groups and strata are both given; permute whole groups, or "
                                  "within strata: leave one of them out")
        if model != "permutation" or fixed is not None:
            raise ClusteringError(f'{units.what} with model="{model}"'
                                  f'{"" if fixed is None else f" and fixed={fixed!r}"}: objects '
                                  'are permuted, which is model="permutation" without fixed')
        if indices is not None:
            raise ClusteringError(f"indices and {units.what} are both given; given permutations "
                                  f"need no {units.what}: leave one of them out")
        if groups is not None and method in ("tables", "moments"):
            raise ValueError(f'method="{method}" with groups: use "exact" or "permutations"')
        if strata is None and method == "auto":
            method = "permutations"
    way = _method(source, wanted, method, model, indices)
    ready, count = None, n_permutations
    if indices is not None:
        rows, n = np.asarray(indices), source.n_objects
        if rows.ndim != 2 or rows.shape[1] != n or not rows.shape[0] or rows.dtype.kind not in "iu":
            raise ClusteringError(f"indices has shape {rows.shape} and dtype {rows.dtype}; whole "
                                  f"numbers of shape (m, {n}) are needed, a permutation in each "
                                  "row")
        bad = (np.sort(rows, axis=1) != np.arange(n)).any(axis=1)
        if bad.any():
            raise ClusteringError(f"indices[{int(bad.argmax())}] is not a permutation of 0, ..., "
                                  f"{n - 1}; each row must have every position once")
        ready, count = np.ascontiguousarray(rows, dtype=np.int64), rows.shape[0]
    plan = Plan(wanted=wanted, method=way, model=model, fixed=fixed, alternative=alternative,
                n_permutations=check_whole("n_permutations", count), max_tables=max_tables,
                alignment=alignment,
                draws="permutations" if way == "permutations" else "random tables")
    observed, warned = observe(source, wanted)
    notes += warned
    # Groups whose labels are permuted, or strata as tables or as codes of the objects.
    blocks, tables, codes = None, None, None
    if units is not NOTHING:
        what = units.what
        labels = kept_labels(getattr(units, what), what, alignment)
        named = f" ({name})" if (name := "".join(units.columns)) else ""
        if what == "groups":
            blocks = Blocks.of(source, labels)
            notes.append(f"labels of {blocks.side} are permuted among {blocks.labels.size} "
                         f"groups{named}")
        elif way == "permutations":
            codes, names = part_codes("strata", labels, source.n_objects, names_of(source))
            notes.append(f"y is permuted within {len(names)} strata{named}")
        else:
            parts = parts_of(source, "strata", labels)
            tables = Strata(parts)
            notes.append(f"y is permuted within {parts.n_parts} strata{named}")
    if way == "exact":
        laws = (blocks.laws(wanted, max_tables) if blocks is not None else
                stratified_laws(tables, wanted, max_tables) if tables is not None else
                exact_laws(source.statistic(Contingency), wanted, max_tables))
        return from_laws(source, plan, observed, laws, notes)
    if way == "moments":
        return from_moments(source, plan, observed, notes, tables)
    work: Any
    streams = Streams(rng)
    if blocks is not None:
        work = PermutedGroups(wanted=wanted, streams=streams, blocks=blocks)
    elif way == "permutations":
        work = Permutations(wanted=wanted, streams=streams, x=source.objects.x,
                            y=source.objects.y, indices=ready, strata=codes)
    else:
        if source.n_objects > MOST_DRAWN:
            raise ClusteringError(
                f"the table has {source.n_objects} objects; random tables have at most "
                f'{MOST_DRAWN:.0e}: use method="moments" (measures that are linear in pairs) or '
                '"exact" (few clusters), or a random sample of the objects')
        work = RandomTables(wanted=wanted, streams=streams, strata=tables, model=model,
                            source=source.statistic(Contingency), fixed=fixed)
    values: list[np.ndarray] = []
    pairs: list[int] = []

    def keep(start: int, stop: int, part: tuple[list[np.ndarray], list[int]]) -> None:
        values.extend(part[0])
        pairs.extend(part[1])

    try:
        if isinstance(work, RandomTables):
            run_jobs(work, range(plan.n_permutations), keep, ranges=True, executor=executor,
                     progress=progress, what=plan.draws)
        else:
            with quiet():
                run_jobs(work, range(plan.n_permutations), lambda b, row: values.append(row),
                         fail=_fail, executor=executor, progress=progress, what=plan.draws)
    except KeyboardInterrupt:
        if not values:
            raise
        notes.append(f"interrupted after {len(values)} of {plan.n_permutations} {plan.draws}")
        warn(f"{notes[-1]}; the result uses only these", IncompleteWarning, stacklevel=2)
    return from_draws(source, plan, observed, np.array(values),
                      pairs if model == "permutation" else None, notes)


def _method(source: Source, wanted: Wanted, method: str, model: str, indices: Any) -> str:
    """Return the method to use; raise if the requested one is impossible."""
    check_choice("method", method, METHODS)
    if source.weighted:
        raise ClusteringError(
            "objects have weights, and a null model needs the weight of each object; chance_level"
            "(..., fixed=) has exact means, or count without weights")
    enough = source.both_hard
    for _, options in wanted:
        enough = enough and options.get("weights") is None
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
                              'depend on their table only; use method="permutations" for others')
    if model != "permutation" and method != "tables":
        raise ValueError(f'model="{model}" with method="{method}": this model needs random '
                         'tables; use method="tables"')
    if method == "moments":
        for name, options in wanted:
            m = get_measure(name)
            if not m.linear_in_pairs or options.get("model", "permutation") != "permutation":
                raise ValueError(f'{name} with method="moments": moments are known for measures '
                                 "that are linear in the pairs together in both; use "
                                 '"exact" or "tables"')
    return method


# -- reading the arguments --------------------------------------------------------------------
def _read_measures(measure: Any) -> tuple[Wanted, bool, list[str]]:
    """The measures, whether the sides are exchanged, and the meaning of terms from other fields."""
    if isinstance(measure, str) or callable(measure):
        measure = [measure]
    options_of = measure if isinstance(measure, Mapping) else {}
    wanted: dict[str, dict[str, Any]] = {}
    notes: list[str] = []
    swaps: set[bool] = set()
    for each in measure:
        word = measure_of(each)
        options = {**word.options, **options_of.get(each, {})}
        m = pair_measure(word.name, options)
        if word.field:
            notes.append(f"{word.word} is {word.call}"
                         + ("; the rows are of the measure, not of 1 - value"
                            if word.complement else ""))
        if m.name in wanted:
            raise ValueError(f"{m.name} is named twice, but each measure is evaluated once per "
                             "permutation: request each separately"
                             + (f" ({'; '.join(notes)})" if notes else ""))
        wanted[m.name] = options
        swaps.add(word.swap)
    if not wanted:
        raise ValueError("measure is empty; at least one name is needed "
                         "(softclust.list_measures() lists them)")
    if len(swaps) > 1:
        raise ValueError("some of these words exchange x and y: request each separately ("
                         + "; ".join(notes) + ")")
    return tuple(wanted.items()), swaps == {True}, notes


def _fail(failure: ReplicateFailure) -> None:
    raise RuntimeError(f"permutation {failure.replicate} failed: {failure.reason}")
