"""`compare()`: the measures that suit two clusterings, in one result."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Any, Literal

from .._checks import (
    ClusteringError,
    UndefinedMeasureWarning,
    check_alpha,
    check_choice,
)
from .._types import (
    RNG,
    ArrayLike,
    ClusteringLike,
    FrameLike,
    Limits,
    MeasuresLike,
    MissingRules,
    NoiseRules,
    Objects,
    SourceLike,
    Workers,
)
from ..clusterings.alignment import Policies, side_names
from ..extensions import feature
from ..measures import Measure, MeasureWord, get_measure, measure_of, registry
from ..measures.joint import Joint, settled_source
from ..measures.limit_rules import LogScale
from ..measures.record import USED_LESS_OFTEN, of_one, unknown_option
from ..measures.statistic import Source
from ..results.frames import frame_first
from ..results.records import Interval
from ..running.jobs import check_executor
from ..running.warnings import listening, quiet
from ..tables.frame_sides import NOTHING, Units, read_columns
from ..tables.pair_counts import PairCounts
from ..tables.sums import TableSums
from .comparison_record import ComparedMeasure, Comparison, ConfidenceLimits, Resampling

__all__ = ["compare", "ComparedMeasure", "Comparison", "ConfidenceLimits"]


@frame_first
def compare(x: SourceLike | None = None, y: ClusteringLike | None = None, *,
            data: FrameLike | tuple[FrameLike, FrameLike] | None = None,
            on: str | Sequence[str] | None = None, weights: ArrayLike | None = None,
            measures: MeasuresLike | None = None, alpha: float | None = None,
            names: tuple[str, str] = ("x", "y"), noise: NoiseRules = None,
            noise_label: Any = -1, missing: MissingRules | Literal["bounds"] = "raise",
            objects: Objects = "same", reference: Literal["x", "y"] = "y", ci: Limits | None = None,
            level: float = 0.95, n_resamples: int = 999, groups: ArrayLike | None = None,
            strata: ArrayLike | None = None, pairs: Literal["all", "within"] = "all",
            rng: RNG = None, executor: Workers | None = None, progress: bool = False
            ) -> Comparison:
    """Compare two clusterings of the same objects by the measures that suit their kinds.

    Parameters
    ----------
    x, y : clustering-like
        Anything `as_clustering` takes, with the same n >= 2 objects. `x` may also be a `Joint`, a
        `ContingencyTable` or `MembershipSums`, without `y`. With `data`, the names of two of its
        columns.
    data : data frame, optional
        Data frame of any library that `contingency_table` takes; it may also be the first argument,
        as in ``frame.pipe(compare, x="a", y="b")``. Rows in an engine are counted there.
    on : str or sequence of str, optional
        The key of two tables: ``compare(now, old, on="id", x="segment", y="segment")`` matches
        their rows; x is a column of the first, y of the second. Objects of one table only are left
        out and counted, unless `objects` says otherwise.
    weights : name of a column of data, or array-like of float >= 0, optional
        Weight of each object, as in `contingency_table`; confidence intervals then need `groups`
        and an index that counts pairs.
    measures : str, function or sequence of these, optional
        Measures to show, in this order: their names, their functions, or terms from other fields
        ("pairwise precision", "MUC"; see `softclust.measures.list_words`); "all" for those that are
        used less often, too. By default the usual
        measures that suit both kinds: those corrected for chance first, then shares of pairs, then
        the others. Several names of the same number share one row (``also``). ``left_out`` of the
        result lists the other measures that take these kinds.
    alpha : float in [0, 1], optional
        Cost of ambiguity relative to an error, for the measures with this option; the default of
        each measure otherwise.
    names : (str, str), optional
        Names of the clusterings in tables and charts.
    noise, noise_label, missing, objects : optional
        How to treat noise and missing labels and how to match objects, as in `align`; this is done
        first. ``missing="bounds"`` gives, for each measure that allows it, the range over all ways
        to fill in missing labels (`completion_bounds`). Confidence intervals then refer to the
        objects kept.
    reference : {"y", "x"}, optional
        The side that is the truth. "x" exchanges the sides of every measure that is not known to be
        symmetric, and the notes say so.
    ci : {"bootstrap", "jackknife"}, optional
        Confidence intervals by resampling objects: leaving out each object ("jackknife",
        recommended), or bootstrap resamples. The method used for a measure is in its ``ci.method``;
        see Notes. By default there are no intervals.
    level : float
        Confidence level of the intervals.
    n_resamples : int
        Number of bootstrap resamples.
    groups : array-like, shape (n,), or name of a column of data, optional
        Group of each object (patient, document, image), if groups are the sample and objects within
        a group may depend on each other. The values do not change; the intervals are centred at the
        value for pairs of different groups.
    strata : array-like, shape (n,), or name of a column of data, optional
        Stratum of each object, or of each group, if objects or groups were sampled within strata
        whose sizes are fixed.
    pairs : {"all", "within"}, optional
        "within": only pairs of objects of the same group count, for labels that have a meaning only
        inside a group (instances in an image, entities in a document). For indices that count
        pairs, with `groups` and the jackknife.
    rng : None, int or Generator, optional
        Seed or generator for the bootstrap and for random halves of the objects (see Notes);
        without it the halves have a fixed seed. Results do not depend on threads or workers.
    executor : concurrent.futures.Executor or "joblib", optional
        Where sums over resampled objects and pairs are computed; in local threads by default.
    progress : bool, optional
        Show a progress bar on stderr during passes over pairs of objects.

    Returns
    -------
    Comparison
        One row per measure: value or interval, sense, range, chance level where known, source,
        confidence interval if requested (``ci_low``, ``ci_high``; for both ends of an interval in
        ``ci``). Confidence intervals stay inside the fixed range of a measure. A measure that is
        undefined here (0/0) is nan, with the reason in ``notes``.

    Raises
    ------
    ClusteringError
        If the objects differ, or a measure named in `measures` does not take these kinds.
    ValueError
        If a name is unknown (the message suggests the nearest ones), a measure is for a single
        clustering or does not return a number, an option for confidence intervals is not allowed,
        or `alpha`, `rng` or `executor` has no effect for the chosen measures.

    Warns
    -----
    IncompleteWarning
        If Ctrl-C stopped the confidence intervals; those that are finished are kept.

    See Also
    --------
    compare_all, chance, rank_clusterings, align

    Notes
    -----
    The measures share one `Joint`, so the contingency table and the pass over pairs are computed
    once. Time O(n) for two hard clusterings and if one side is hard or rough; O(n^2) for other
    pairs of soft clusterings, in blocks that can be interrupted by Ctrl-C, with memory O(n).

    Confidence intervals hold the labels fixed and treat the objects as a random sample. They cover
    the population value: the value that the measure approaches as n grows while the *rules* that
    give objects their labels (or memberships) stay the same. They do not cover refitting the
    clusterings on other data (see `reliability_simulation`), repeated measurements of one object,
    or the mean of the measure at this n, which includes its bias. A finite list of objects that
    were all compared has no sampling error. In simulations 95 % intervals cover the population
    value in about 95 % of samples; the guide has the table and the exceptions.

    Each measure has its method. Indices that count pairs: an interval for the logarithm of the
    distance from the best value, with a standard error of at least that of permuted labels.
    Information measures: the same, around an estimate by `corrected_entropy`, because the plug-in
    value is biased; with ``ci="bootstrap"`` the resamples are reflected at the value. NMI and AMI
    have the same population value and the same interval. Shares of objects in the best choice of
    cells (purity, matched objects): an interval for a proportion; where another choice is nearly as
    good, the choice is made on one half of the objects and counted on the other (with `rng`). Soft
    measures: the jackknife in closed form; above 5e7 pairs it uses a sample of the objects.
    Measures without a shortcut, such as those of covers: one evaluation without each object if all
    take at most 5 seconds (by the time of the first ones; up to 200 objects always), else without
    each of 100 random groups of objects, for kinds for which this was simulated; ``ci.method`` says
    which. Measures that are numbers of
    objects or pairs: the interval of the share, times the total. In a bootstrap resample copies of
    the same object never form a pair.

    There is no interval, and the note gives the reason, if the value is a minimum or maximum over
    classes, if there is no disagreement, or if fewer than 5 objects lie outside the main cells
    (information measures). Intervals of pair counts that rest on fewer than 5 such objects are not
    ``reliable``.

    Time O(n) per resample for two hard clusterings, O(n f) if one is hard, O(n^2) otherwise;
    jackknife: O(n^2) at most, once, or as many evaluations as there are objects or 100.

    Theory: docs/theory/limits.md.

    Examples
    --------
    >>> import softclust
    >>> species = ["setosa", "setosa", "virginica", "virginica"]
    >>> found = [[0.9, 0.1], [0.8, 0.2], [0.0, 1.0], [0.3, 0.7]]
    >>> result = softclust.compare(species, found)
    >>> result
    Comparison(x: hard, y: fuzzy, n_objects=4, ... measures)
    >>> round(result.value("alpha_rand_index"), 4)
    0.7367

    Confidence interval of the Rand index of 60 objects:

    >>> truth, labels = [0, 1, 2] * 20, [0, 1, 2] * 15 + [0, 2, 1] * 5
    >>> row = softclust.compare(truth, labels, measures="rand_index", ci="jackknife").rows[0]
    >>> round(row.ci_low, 3), round(row.value, 3), round(row.ci_high, 3)
    (0.712, 0.831, 0.915)
    """
    if executor is not None:
        check_executor(executor)
    called = side_names(x, y, names)
    policies = Policies(noise, noise_label, missing, objects)
    units = NOTHING
    if groups is not None or strata is not None:
        units = Units.named(groups, strata)
    if data is not None or on is not None or weights is not None:
        x, y, policies, units = read_columns(x, y, data, weights, policies, units, on)
    if x is None:
        raise TypeError("x is missing; give two clusterings, or data= with two of its columns")
    if isinstance(missing, str) and missing == "bounds":
        if ci is not None or alpha is not None:
            raise ValueError('missing="bounds" gives ranges, which have no confidence interval and '
                             "no alpha; leave out ci and alpha")
        return feature("compare_completions")(x, y, measures, called, policies)
    source, alignment = settled_source(x, y, called, policies)
    sample, how = None, Resampling(ci, level, n_resamples, rng, executor, progress)
    if ci is not None:
        units = units.known_to(source)
        from .limits import check_options
        check_options(how, source, units.weighted is not None)
        if units.what:
            from .group_limits import grouped
            sample = grouped(source, units, alignment)
    elif rng is not None or executor is not None or units is not NOTHING:
        how.check_unused(units.what)
    if pairs != "all" and check_choice("pairs", pairs, ("all", "within")) and sample is None:
        raise ValueError('pairs="within" has no effect without groups of several objects and ci')
    if reference != "y":
        check_choice("reference", reference, ("y", "x"))
    if alpha is not None:
        alpha = check_alpha(alpha)
    left_out: dict[str, str] = {}
    also: dict[str, list[str]] = {}
    every = isinstance(measures, (str, list, tuple)) and measures in ("all", ["all"], ("all",))
    if measures is None or every:
        chosen, left_out, also = _usual(source, alpha, every)
    else:
        chosen = _choose(source, measures)
    if alpha is not None and not also and not any("alpha" in m.options for m, _ in chosen):
        raise ValueError("alpha has no effect: none of the measures has this option; leave it out "
                         "or add one that has it, such as 'alpha_rand_index'")
    if pairs == "within":
        chosen = _within(chosen, measures)
    common = {"alpha": alpha} if alpha is not None else {}
    if progress:
        common["progress"] = True
    rows, asked, notes, turned = [], [], [], None
    for m, word in chosen:
        options = {**m.compare_options, **word.options}
        for name in common:
            if name in m.options:
                options[name] = common[name]
        seen: Any = source
        if reference == "x" and not m.symmetric(options, source.kinds):
            word = replace(word, swap=not word.swap)
        if word.swap:
            turned = exchanged(source) if turned is None else turned
            seen = turned
        if pairs == "within":
            from .group_limits import pairs_of
            if word.swap:
                raise ValueError(f'{word.word} with pairs="within" has y as its reference; '
                                 'exchange x and y instead of using reference="x"')
            seen = pairs_of(sample, m, pairs)
        row = _evaluate(m, seen, options, word)
        if pairs == "within" and not seen.corrected:
            row = replace(row, chance=math.nan)
        if m.name in also:
            row = replace(row, also=tuple(also[m.name]))
        rows.append(row)
        if row.note:
            notes.append(row.note if row.note.startswith(f"{row.name} ")
                         else f"{row.name}: {row.note}")
        asked.append(None if word.swap or word.options or word.complement
                     else (m, options, row.value))
    if ci is not None:
        rows, notes = _with_limits(rows, asked, source, sample, how, pairs)
        if sample is None and hasattr(source, "parts"):
            notes.append("the intervals do not use the strata of the table; the labels with "
                         "strata= do")
    return Comparison(
        rows=tuple(rows), names=called, kinds=source.kinds, n_objects=source.n_objects,
        n_clusters=source.n_clusters, ci=ci, level=level, alignment=alignment, left_out=left_out,
        notes=tuple(notes))


def _usual(source: Source, alpha: float | None, every: bool = False
           ) -> tuple[list[tuple[Measure, MeasureWord]], dict[str, str], dict[str, list[str]]]:
    """The measures shown by default (with `every` those that are used less often, too), the others
    that take these kinds with the reason why they are not shown, and the other names of a number.
    """
    named: dict[str, Measure] = {}
    left_out: dict[str, str] = {}
    for m in registry().values():
        if not m.takes(*source.kinds):
            continue
        why = m.unlisted(source)
        if not why and isinstance(source, TableSums):
            try:
                m.evaluate(source, m.compare_options)
            except ClusteringError as error:   # sums over the table are not enough
                why = str(error)
        if why and not (every and why == USED_LESS_OFTEN):
            left_out[m.name] = why
        else:
            named[m.name] = m
    usual: list[tuple[Measure, MeasureWord]] = []
    also: dict[str, list[str]] = {}
    for m in sorted(named.values(), key=attrgetter("place")):
        target = m
        while (same := target.same_number(source, alpha)) in named:
            target = named[same]
        if target is m:
            usual.append((m, MeasureWord(word=m.name, name=m.name)))
        else:
            also.setdefault(target.name, []).append(m.name)
    return usual, left_out, also


def exchanged(source: Source) -> Source:
    """The source with its sides exchanged."""
    if source.has_objects:
        return Joint.of_checked(source.objects.y, source.objects.x)
    if source.both_hard and hasattr(source, "transpose"):
        return source.transpose()
    raise ClusteringError("sums of memberships do not record which side is which: exchange the "
                          "clusterings before they are summed")


def pair_measure(name: Any, options: Iterable[str] = (), caller: Any = None) -> Measure:
    """The measure of two clusterings with this name and these options, given to `caller`."""
    m = get_measure(name)
    if m.arity != 2:
        raise ValueError(of_one(m))
    for option in options:
        if option not in m.options or option in ("progress", "rng"):
            raise unknown_option(option, m, caller)
    return m


def _choose(source: Source, wanted: Any) -> list[tuple[Measure, MeasureWord]]:
    """The measures to evaluate; those given by name must suit both kinds."""
    chosen: dict[str, tuple[Measure, MeasureWord]] = {}
    for each in wanted if isinstance(wanted, Iterable) and not isinstance(wanted, str) and (
            not callable(wanted)) else [wanted]:
        word = measure_of(each)
        m = get_measure(word.name)
        if not word.field:
            word = replace(word, word=word.name)
        options = {**m.compare_options, **word.options}
        m.check_kinds(source, options)
        if source.sums is not None and (lacking := m.beyond_sums(source, options)):
            raise ClusteringError(lacking)
        chosen[word.word] = m, word
    if not chosen:
        raise ValueError("measures is empty; name at least one, or leave it out for all")
    return list(chosen.values())


def _within(chosen: list[tuple[Measure, MeasureWord]], wanted: Any
            ) -> list[tuple[Measure, MeasureWord]]:
    """The measures that depend on pairs within groups only; all that were named must."""
    # Others need pairs of an object with itself, or are numbers of pairs.
    counting = [(m, word) for m, word in chosen
                if m.statistic is PairCounts and not word.swap
                and isinstance(m.limits, LogScale) and m.limits.formula is None]
    if not counting or (wanted is not None and len(counting) < len(chosen)):
        name = next(word.word for m, word in chosen if (m, word) not in counting)
        raise ClusteringError(f'{name} does not work with pairs="within"; indices that count pairs '
                              "do, such as adjusted_rand_index")
    return counting


def _evaluate(m: Measure, source: Source, options: dict[str, Any], word: MeasureWord
              ) -> ComparedMeasure:
    """One row, under the requested name; the note has the measure behind it."""
    with listening(UndefinedMeasureWarning) as notes:
        value = m.listed_value(m.evaluate(source, options))
    mean = None
    if not source.weighted:
        # Where the mean is undefined the measure has already warned.
        with quiet(UndefinedMeasureWarning):
            mean = m.mean_permuted(source, options)
    low, high = m.range(source)
    settings = {name: options[name] for name in m.compare_options} if m.compare_options else {}
    if "alpha" in m.options and m.shown is None:
        # A measure shown as an interval over alpha has no alpha of its own.
        settings["alpha"] = options.get("alpha", m.defaults["alpha"])
    row = ComparedMeasure(
        name=m.name, value=value, sense=m.sense, source=m.source, note="; ".join(notes),
        range=(-math.inf if low is None else float(low), math.inf if high is None else float(high)),
        chance=math.nan if mean is None else mean, options=settings)
    if not (word.field or word.swap):
        return row
    row = replace(row, name=word.word, note="; ".join([word.call, *notes]))
    if not word.complement:
        return row
    assert not isinstance(value, Interval)
    return replace(row, value=1.0 - value, range=(1.0 - row.range[1], 1.0 - row.range[0]),
                   sense="dissimilarity" if m.sense == "agreement" else "agreement",
                   chance=1.0 - row.chance)


def _with_limits(rows: list[ComparedMeasure], asked: list[Any], source: Source, sample: Any,
                 how: Resampling, pairs: str) -> tuple[list[ComparedMeasure], list[str]]:
    """The rows with their confidence intervals; their notes, and the note on the sample."""
    from .limits import limits, no_limits
    sampled = []
    wanted = list(filter(None, asked))
    if sample is None:
        made = limits(source, wanted, how)
    else:
        from .group_limits import description, group_limits
        made = group_limits(sample, wanted, how, pairs)
        sampled = [description(sample, made, pairs)]
    complete, notes, remaining = [], [], iter(made)
    for row, each in zip(rows, asked):
        ci = next(remaining) if each is not None else no_limits(
            how.level, "intervals need the default options of a measure and y as the reference")
        note = f"{row.note}; {ci.note}" if row.note and ci.note else row.note or ci.note
        complete.append(replace(row, ci=ci, note=note))
        if note:
            notes.append(f"{row.name}: {note}")
    return complete, notes + sampled
