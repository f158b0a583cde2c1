"""`completion_bounds`: which method for which end."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from ..._checks import (
    ClusteringError,
    InexactWarning,
    UndefinedMeasureWarning,
    check_choice,
    frozen,
    shown,
)
from ..._types import RNG, ClusteringLike, FrameLike
from ...measures import Measure, get_measure, registry
from ...results.frames import frame_first
from ...running.random_numbers import as_generator
from ...running.warnings import quiet, warn
from ...tables.frame_sides import sides_of
from ...tables.pair_counts import PairCounts
from .bounds_record import CompletionBounds
from .exact import (
    Ends,
    Formula,
    by_margins,
    by_tables,
    count_tables,
    margins_fit,
    tables_of,
)
from .inner import climb
from .matched import least_transfer, most_transfer, transfer_of
from .outer import outer_bounds
from .problem import IncompleteTable, Labels, read_labels

METHODS = ("auto", "enumeration")
#: up to this many tables are listed before anything else is tried
FEW_TABLES = 2_000
#: new clusters on each side that moves of single objects may use
NEW_CLUSTERS = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class _End:
    """One end: a table, its proved bound, and the method that found it."""

    table: np.ndarray
    exact: bool
    bound: float | None
    method: str
    n_states: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Question:
    """The question, with y complete if one side is."""

    gaps: IncompleteTable
    problem: IncompleteTable
    grown: IncompleteTable
    measure: Measure
    formula: Formula
    any_cluster: bool
    max_states: int
    until: float
    n_starts: int
    rng: np.random.Generator


@frame_first
def completion_bounds(x: ClusteringLike | None = None, y: ClusteringLike | None = None, *,
                      data: FrameLike | tuple[FrameLike, FrameLike] | None = None,
                      on: str | Sequence[str] | None = None, measure: str = "adjusted_rand_index",
                      clusters: Literal["observed", "any"] = "observed",
                      noise_label: Any = None,
                      method: Literal["auto", "enumeration"] = "auto", max_states: int = 200_000,
                      time_limit: float | None = None, n_starts: int = 20, rng: RNG = None,
                      progress: object = False) -> CompletionBounds:
    r"""Range of a measure over all ways to fill in missing labels, with certificates.

    Parameters
    ----------
    x, y : array-like, shape (n,)
        Labels, some of them missing (None, nan, NA), or hard clusterings.
    data, on : optional
        One frame, of which x and y name columns, or two with the key `on`; as in `compare`.
    measure : str
        Name of a measure of hard clusterings. Those without a method of their own are listed
        over all completions.
    clusters : {"observed", "any"}
        Gaps are filled by the clusters that occur on their side, or also by new ones.
    noise_label : label or set of labels, optional
        Noise that counts as missing; by default it is a cluster.
    method : {"auto", "enumeration"}
        "enumeration" lists all tables of counts.
    max_states : int
        Largest number of tables or margins to list.
    time_limit : float, optional
        Seconds after which the integer program and the search return their best result so far.
    n_starts : int
        Random fillings that are improved where no exact method fits.
    rng : None, int or Generator
        Seed or Generator of these random fillings.
    progress : ignored
        Accepted for consistency with other functions.

    Returns
    -------
    CompletionBounds
        `low` and `high` are attained; `interval` holds every completion.

    Raises
    ------
    ClusteringError
        If a side is not hard, or a side without any label is to be filled by clusters that occur.

    Warns
    -----
    InexactWarning
        If a limit was reached before an end was proved.
    UndefinedMeasureWarning
        If the measure is undefined for every completion: nan.

    See Also
    --------
    align, compare

    Notes
    -----
    .. math::

        \left[ \min_{x', y'} S(x', y'), \; \max_{x', y'} S(x', y') \right] \quad \text{over
        completions } x', y'

    A completion x' or y' fills each gap with one of the clusters allowed. Completions where the
    measure is undefined are left out; equal partitions count as 1 (distance 0). If there are few
    completions, all tables of counts are listed. If one side is complete, its possible row sums are
    listed, each with the least and the greatest table, which is exact for every measure here. The
    transfer distance takes a matching and an integer program. Otherwise, completions are improved
    by moving objects, from several starts: `low` and `high` are then values that were attained, and
    each true end lies between such a value and a bound from counting pairs by what is known of
    them. Finding a most alike completion is strongly NP-hard when the number of clusters is part of
    the input. "Exact" is up to the rounding of doubles: 1e-12 of n^2 for pairs, or of n ln n. R:
    ``sc_completion_bounds``.

    Theory: docs/theory/partial-labels.md.

    Examples
    --------
    >>> import softclust
    >>> found = softclust.completion_bounds([0, 0, 1, None], [0, 0, 1, 1])
    >>> round(found.low, 3), found.high
    (0.0, 1.0)
    >>> found.completions("high")[0].labels
    array([0, 0, 1, 1])
    """
    begun = time.monotonic()
    m = get_measure(measure)
    name = m.name
    check_choice("clusters", clusters, ("observed", "any"))
    check_choice("method", method, METHODS)
    left: Any
    left, right, policies = sides_of(x, y, data, on)
    if right is None:
        raise ClusteringError("completion_bounds needs the labels: collect the rows of an engine "
                              "first; a table of counts has no missing ones")
    if policies.objects == "common":
        left = left[left.index.isin(right.index)]
        if left.empty:
            raise ClusteringError(f"the tables have no key {shown(on)} in common")
        right = right.reindex(left.index)
    labels = read_labels(left, right, noise_label)
    gaps = labels.problem()
    any_cluster = clusters == "any"
    if not any_cluster and 0 in gaps.shape:
        side = "x" if gaps.shape[0] == 0 else "y"
        raise ClusteringError(f"{side} has no label at all, so no cluster occurs that could fill "
                              'its gaps; clusters="any" makes new ones')
    swapped = bool(gaps.rows.any()) and not gaps.columns.any() and gaps.both == 0
    problem = gaps.swapped() if swapped else gaps
    task = _Question(gaps=gaps, problem=problem, measure=m, formula=Formula(m, swapped),
                 grown=problem.grown() if any_cluster else problem, any_cluster=any_cluster,
                 max_states=max_states, n_starts=n_starts, rng=as_generator(rng),
                 until=math.inf if time_limit is None else begun + time_limit)
    low, high = _ends(task, labels, method, swapped)
    if swapped:
        low, high = (replace(end, table=np.ascontiguousarray(end.table.T)) for end in (low, high))
    return _record(labels, gaps, name, clusters, low, high, begun)


def _ends(task: _Question, labels: Labels, method: str, swapped: bool) -> tuple[_End, _End]:
    tables = count_tables(task.grown)
    if not has_method(task.measure):
        return _listed_by_measure(task, labels, tables, swapped)
    if method == "enumeration" or tables <= min(FEW_TABLES, task.max_states):
        if tables > task.max_states:
            raise ClusteringError(f"there are {tables} tables of counts, more than max_states="
                                  f'{task.max_states}; method="auto" needs fewer, or raise it')
        return _enumerated(task)
    if task.measure.linear == "matched":
        return _matched(task)
    if task.problem.one_side and not task.any_cluster and margins_fit(task.problem,
                                                                      task.max_states):
        return _listed(by_margins(task.problem, task.formula), "margins")
    if tables <= task.max_states:
        return _enumerated(task)
    return _searched(task, 0), _searched(task, 1)


def has_method(m: Measure) -> bool:
    """Test whether ranges over completions are known without listing all of them."""
    return m.of_sums or m.linear == "matched"


def _methods() -> str:
    return ", ".join(m.name for m in registry().values() if has_method(m))


def _enumerated(task: _Question) -> tuple[_End, _End]:
    if task.measure.linear == "matched":
        return _matched(task)
    return _listed(by_tables(task.grown, task.formula), "all tables")


def _listed(ends: Ends, method: str) -> tuple[_End, _End]:
    low, high = (_End(table=table, exact=True, bound=None, method=method, n_states=ends.n_states)
                 for table in ends.tables)
    return low, high


def _searched(task: _Question, upwards: int) -> _End:
    """A good completion and a bound."""
    m = task.measure
    alike = bool(upwards) != (m.sense == "dissimilarity")
    if (alike and task.any_cluster and task.problem.one_side and m.linear == "sums"
            and m.statistic is PairCounts):
        # The greatest Rand index when x is filled by any clusters and y is complete: all objects
        # of a type C_l go to the row with the greatest 2 T_kl - a_k, or to a row of their own if
        # none is above 0. No two types choose one row: both would have more than half of it.
        table, sums = task.grown.table.copy(), task.grown.table.sum(axis=1)
        new = np.flatnonzero(sums == 0).tolist()
        for j in np.flatnonzero(task.grown.columns):
            gains = 2 * task.grown.table[:, j] - sums
            row = int(gains.argmax())
            table[row if gains[row] > 0 else new.pop(), j] += task.grown.columns[j]
        return _End(table=table, exact=True, bound=None, method="whole types")
    table = climb(_room(task), task.formula, bool(upwards), task.n_starts, task.rng, task.until)
    return _End(table=table, exact=False, method="moves and bound",
                bound=outer_bounds(task.gaps, task.formula, task.any_cluster)[upwards])


def _matched(task: _Question) -> tuple[_End, _End]:
    """Ends of the transfer distance, and of what falls with it."""
    low = least_transfer(task.problem, task.any_cluster)
    ends = [_End(table=low.table, exact=True, bound=None, method="matching")]
    if task.any_cluster and count_tables(task.grown) > task.max_states:
        guide = Formula(get_measure("variation_of_information"))
        table = climb(_room(task), guide, True, task.n_starts, task.rng, task.until)
        floor = task.problem.n - (int(task.problem.table.sum()) - transfer_of(task.problem.table)
                                  if task.problem.table.size else 0)
        ends.append(_End(table=table, exact=False, bound=float(min(floor, task.problem.n - 1)),
                         method="moves and bound"))
    elif task.any_cluster:
        most, table, count = -1, task.problem.table, 0
        for tables in tables_of(task.grown):
            count += len(tables)
            values = [transfer_of(t) for t in tables]
            place = int(np.argmax(values))
            if values[place] > most:
                most, table = values[place], tables[place]
        ends.append(_End(table=table, exact=True, bound=None, method="all tables",
                         n_states=count))
    else:
        left = None if math.isinf(task.until) else max(0.1, task.until - time.monotonic())
        high = most_transfer(task.problem, left)
        ends.append(_End(table=high.table, exact=high.exact, bound=None if high.exact else
                         high.bound, method="integer programme"))
    # The measure is affine in the number of transfers.
    n = task.problem.n
    best, one = (float(task.measure.function([0] * n, [0] * (n - moved) + [1] * moved))
                 for moved in (0, 1))
    ends = [end if end.bound is None else replace(end, bound=best + end.bound * (one - best))
            for end in ends]
    return (ends[0], ends[1]) if one > best else (ends[1], ends[0])


def _room(task: _Question) -> IncompleteTable:
    """Clusters that moves may use; some new ones serve for many."""
    return task.problem.grown(NEW_CLUSTERS) if task.any_cluster else task.problem


def _listed_by_measure(task: _Question, labels: Labels, tables: int, swapped: bool
                       ) -> tuple[_End, _End]:
    """Any other measure, evaluated on every table."""
    if tables > task.max_states:
        raise ClusteringError(
            f"{task.measure.name} has no method but to list all completions, and there are "
            f"{tables} tables of counts, more than max_states={task.max_states}; measures with a "
            "method of their own are " + _methods())
    function = task.measure.function
    best: list[tuple[float, np.ndarray] | None] = [None, None]
    with quiet(UndefinedMeasureWarning):
        for batch in tables_of(task.grown):
            for table in batch:
                value = function(*labels.filled(table.T if swapped else table))
                if not isinstance(value, (int, float)):
                    raise ValueError(f"{task.measure.name} does not give a number; measures with a "
                                     "method of their own are " + _methods())
                value = float(value)
                for side, sign in enumerate((-1.0, 1.0)):
                    now = best[side]
                    if not math.isnan(value) and (now is None or sign * value > sign * now[0]):
                        best[side] = (value, table)
    first = next(tables_of(task.grown))[0]
    made = [_End(table=first if b is None else b[1], exact=True, bound=None, method="all tables",
                 n_states=tables) for b in best]
    return made[0], made[1]


def _record(labels: Labels, gaps: IncompleteTable, name: str, clusters: str, low: _End, high: _End,
            begun: float) -> CompletionBounds:
    function = get_measure(name).function
    with quiet(UndefinedMeasureWarning):
        values = [float(function(*labels.filled(end.table))) for end in (low, high)]
    if any(map(math.isnan, values)):
        warn(f"{name} is undefined for every completion; nan is returned",
             UndefinedMeasureWarning, stacklevel=3)
    bounds = [value if end.exact or end.bound is None else
              min(value, end.bound) if i == 0 else max(value, end.bound)
              for i, (value, end) in enumerate(zip(values, (low, high)))]
    exact = low.exact and high.exact
    if not exact:
        ends = " and ".join(which for which, end in (("low", low), ("high", high))
                            if not end.exact)
        warn(f"the {ends} end of {name} over completions is not proved: it lies between value and "
             "bound; raise max_states or time_limit", InexactWarning, stacklevel=3)
    return CompletionBounds(
        measure=name, clusters=clusters, low=values[0], high=values[1], low_bound=bounds[0],
        high_bound=bounds[1], exact_low=low.exact, exact_high=high.exact,
        low_table=frozen(low.table.copy()), high_table=frozen(high.table.copy()),
        method_low=low.method, method_high=high.method, n_states=max(low.n_states, high.n_states),
        n_missing=gaps.n_missing, n_objects=gaps.n,
        status="exact" if exact else "bracketed", seconds=time.monotonic() - begun, labels=labels)
