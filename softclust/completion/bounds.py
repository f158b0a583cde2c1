"""`completion_bounds`: which method for which end."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .._checks import (
    ClusteringError,
    InexactWarning,
    UndefinedMeasureWarning,
    check_choice,
    frozen,
)
from .._random import as_generator
from .._warnings import quiet, warn
from ..measures import get_measure
from .boxes import ROOT, least_alike
from .exact import by_margins, by_tables, count_margins, count_tables, margins_fit, tables_of
from .inner import climb
from .matched import least_transfer, most_transfer
from .outer import adjusted_bounds, outer_bounds
from .problem import Labels, Problem, read_labels
from .record import CompletionBounds
from .roots import most_alike_by_root
from .values import DISTANCES, MATCHED, MEASURES, Expected, sums_of, values_of
from .whole import Found, Limits, most_alike

METHODS = ("auto", "enumeration")
#: so few tables are listed before anything else is tried
FEW_TABLES = 2_000
#: so few margins are listed before boxes are tried
FEW_MARGINS = 10_000
#: new clusters on each side that moves of single objects may use
NEW_CLUSTERS = 6
#: without searches of its own, and relatives that have them
ADJUSTED, NORMALIZED, VARIATION = ("adjusted_mutual_information", "normalized_mutual_information",
                                   "variation_of_information")


@dataclass(frozen=True, slots=True, kw_only=True)
class _End:
    """One end: a table, what is proved of it, and how it was found."""

    table: np.ndarray
    exact: bool
    bound: float | None
    method: str
    n_states: int = 0
    n_nodes: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Task:
    """What is asked, for y complete where one side is."""

    problem: Problem
    grown: Problem
    name: str
    any_cluster: bool
    max_states: int
    max_nodes: int
    until: float
    n_starts: int
    rng: np.random.Generator

    def limits(self) -> Limits:
        """Fresh nodes, the common end of time."""
        return Limits(nodes=self.max_nodes, until=self.until)


def completion_bounds(x: Any, y: Any, *, measure: str = "adjusted_rand_index",
                      clusters: str = "observed", noise_label: Any = None, method: str = "auto",
                      max_states: int = 200_000, max_nodes: int = 1_000_000,
                      time_limit: float | None = None, n_starts: int = 20, rng: Any = None,
                      progress: Any = None) -> CompletionBounds:
    r"""Range of a measure over all ways to fill in missing labels, with certificates.

    Parameters
    ----------
    x, y : array-like, shape (n,)
        Labels, some of them missing (None, nan, NA), or hard clusterings.
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
    max_nodes : int
        Largest number of nodes of a search.
    time_limit : float, optional
        Seconds after which searches stop with what they have.
    n_starts : int
        Random fillings that are improved where no exact method fits.
    rng : None, int or Generator
        Source of these random fillings.
    progress : ignored
        For symmetry with other functions.

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
    measure is undefined are left out; equal partitions count as 1 (distance 0). When one side is
    complete, some most alike completion puts all objects with the same known label and a missing
    one into one cluster, so a search over these groups finds it; a least alike completion is found
    by branch and bound over row sums. Finding a most alike completion is strongly NP-hard when the
    number of clusters is part of the input. The transfer distance takes a matching and an integer
    programme. Adjusted mutual information is exact where all row sums, or all tables, can be
    listed; else its ends are bracketed by those of the variation of information. With gaps on both
    sides the less alike end is listed or bracketed, and so is the more alike end of the adjusted
    measures and of mutual information. "Exact" is up to the rounding of doubles: 1e-12 of n^2 for
    pairs, or of n ln n. R: ``sc_completion_bounds``.

    Theory: docs/theory/partial-labels.md.

    Examples
    --------
    >>> import softclust as sc
    >>> found = sc.completion_bounds([0, 0, 1, None], [0, 0, 1, 1])
    >>> round(found.low, 3), found.high
    (0.0, 1.0)
    >>> found.completions("high")[0].labels
    array([0, 0, 1, 1])
    """
    begun = time.monotonic()
    name = get_measure(measure).name
    check_choice("clusters", clusters, ("observed", "any"))
    check_choice("method", method, METHODS)
    labels = read_labels(x, y, noise_label)
    given = labels.problem()
    any_cluster = clusters == "any"
    if not any_cluster and 0 in given.shape:
        side = "x" if given.shape[0] == 0 else "y"
        raise ClusteringError(f"{side} has no label at all, so no cluster occurs that could fill "
                              'its gaps; clusters="any" makes new ones')
    swapped = bool(given.rows.any()) and not given.columns.any() and given.both == 0
    problem = given.swapped() if swapped else given
    task = _Task(problem=problem, grown=problem.grown() if any_cluster else problem, name=name,
                 any_cluster=any_cluster, max_states=max_states, max_nodes=max_nodes,
                 until=math.inf if time_limit is None else begun + time_limit, n_starts=n_starts,
                 rng=as_generator(rng))
    low, high = _ends(task, labels, method, swapped)
    if swapped:
        low, high = (replace(end, table=np.ascontiguousarray(end.table.T)) for end in (low, high))
    return _record(labels, given, name, clusters, low, high, begun)


def _ends(task: _Task, labels: Labels, method: str, swapped: bool) -> tuple[_End, _End]:
    tables = count_tables(task.grown)
    if task.name not in MEASURES:
        return _listed_by_measure(task, labels, tables, swapped)
    if method == "enumeration" or tables <= min(FEW_TABLES, task.max_states):
        if tables > task.max_states:
            raise ClusteringError(f"there are {tables} tables of counts, more than max_states="
                                  f'{task.max_states}; method="auto" needs fewer, or raise it')
        return _enumerated(task)
    if task.name in MATCHED:
        return _matched(task)
    if task.problem.one_side and not task.any_cluster and (
            count_margins(task.problem) <= FEW_MARGINS or task.name == ADJUSTED) and margins_fit(
                task.problem, task.max_states):
        return _by_margins(task)
    return _searched(task, tables)


def _enumerated(task: _Task) -> tuple[_End, _End]:
    name = "transfer_distance" if task.name in MATCHED else task.name
    if name == "transfer_distance":
        return _matched(task, listed=True)
    found = by_tables(task.grown, name)
    return tuple(_End(table=table, exact=True, bound=None, method="all tables",  # type: ignore
                      n_states=found.n_states) for table in (found.low_table, found.high_table))


def _by_margins(task: _Task) -> tuple[_End, _End]:
    found = by_margins(task.problem, task.name)
    return tuple(_End(table=table, exact=True, bound=None, method="margins",  # type: ignore
                      n_states=found.n_states) for table in (found.low_table, found.high_table))


def _searched(task: _Task, tables: int) -> tuple[_End, _End]:
    """Searches, then lists, then brackets."""
    problem, name = task.problem, task.name
    alike, unlike = _most(task, name), _least(task, name)
    ends: list[_End | None] = [
        _found(unlike, "boxes of margins"), _found(alike, "whole types")]
    if name in DISTANCES:
        ends.reverse()
    if any(end is None or not end.exact for end in ends):
        listed = None
        if problem.one_side and not task.any_cluster and margins_fit(problem, task.max_states):
            listed = _by_margins(task)
        elif tables <= task.max_states:
            listed = _enumerated(task)
        if listed is not None:
            ends = [end if end is not None and end.exact else other
                    for end, other in zip(ends, listed)]
    if name == ADJUSTED and problem.one_side and None in ends:
        return _adjusted(task)
    low, high = (end if end is not None and end.exact else _bracketed(task, upwards, end)
                 for upwards, end in enumerate(ends))
    return low, high


def _most(task: _Task, name: str) -> Found | None:
    if name == ROOT:
        return most_alike_by_root(task.problem, task.limits(), task.any_cluster)
    return most_alike(task.problem, name, task.limits(), task.any_cluster)


def _least(task: _Task, name: str) -> Found | None:
    return None if task.any_cluster else least_alike(task.problem, name, task.limits())


def _adjusted(task: _Task) -> tuple[_End, _End]:
    """Brackets of the adjusted mutual information from those of its relatives."""
    bounds = list(outer_bounds(task.problem, VARIATION, task.any_cluster))
    ends: list[_End] = []
    for upwards, search in enumerate((_least, _most)):
        found = {name: search(task, name) for name in (VARIATION, NORMALIZED)}
        tables = [one.table for one in found.values() if one is not None]
        if not tables:
            ends.append(_bracketed(task, upwards, None))
            continue
        values = [values_of(ADJUSTED, sums_of(t[None]), Expected())[0] for t in tables]
        place = int(np.nanargmax(values) if upwards else np.nanargmin(values))
        ends.append(_End(table=tables[place], exact=False, bound=None, method="relatives and bound",
                         n_nodes=sum(one.n_nodes for one in found.values() if one is not None)))
        relative = found[VARIATION]
        if relative is not None:
            # The most alike completion has the least variation of information.
            proved = relative.level if relative.exact else relative.bound
            bounds[1 - upwards] = bounds[1 - upwards] if proved is None else float(proved)
    brackets = adjusted_bounds(task.problem, task.any_cluster, *bounds)
    low, high = (replace(end, bound=bound) for end, bound in zip(ends, brackets))
    return low, high


def _found(found: Found | None, method: str) -> _End | None:
    if found is None:
        return None
    return _End(table=found.table, exact=found.exact, bound=found.bound, method=method,
                n_nodes=found.n_nodes)


def _bracketed(task: _Task, upwards: int, known: _End | None) -> _End:
    """A good completion and a bound."""
    guide = NORMALIZED if task.name == ADJUSTED else task.name
    value, table = climb(_room(task), guide, bool(upwards), task.n_starts, task.rng)
    if known is not None:
        other = float(values_of(guide, sums_of(known.table[None]), Expected())[0])
        if math.isnan(value) or (other > value if upwards else other < value):
            table = known.table
    bound = outer_bounds(task.problem, task.name, task.any_cluster)[upwards]
    if known is not None and known.bound is not None:
        bound = min(bound, known.bound) if upwards else max(bound, known.bound)
    return _End(table=table, exact=False, bound=bound, method="moves and bound",
                n_nodes=0 if known is None else known.n_nodes)


def _matched(task: _Task, listed: bool = False) -> tuple[_End, _End]:
    """Ends of the transfer distance, and of what falls with it."""
    low = least_transfer(task.problem, task.any_cluster)
    ends = [_End(table=low.table, exact=True, bound=None, method="matching")]
    if task.any_cluster and count_tables(task.grown) > task.max_states:
        _, table = _most_by_moves(task)
        from .matched import transfer_of
        floor = task.problem.n - (int(task.problem.table.sum()) - transfer_of(task.problem.table)
                                  if task.problem.table.size else 0)
        ends.append(_End(table=table, exact=False, bound=float(min(floor, task.problem.n - 1)),
                         method="moves and bound"))
    elif task.any_cluster:
        ends.append(_most_listed(task))
    else:
        left = None if math.isinf(task.until) else max(0.1, task.until - time.monotonic())
        high = most_transfer(task.problem, left)
        ends.append(_End(table=high.table, exact=high.exact, bound=None if high.exact else
                         high.bound, method="integer programme"))
    if task.name == "coclassification_index":
        ends.reverse()
        ends = [end if end.bound is None else replace(end, bound=1.0 - end.bound / task.problem.n)
                for end in ends]
    elif task.name == "partition_distance":
        ends = [end if end.bound is None else replace(end, bound=end.bound / (task.problem.n - 1))
                for end in ends]
    return ends[0], ends[1]


def _most_listed(task: _Task) -> _End:
    from .matched import transfer_of
    best, table, count = -1, task.problem.table, 0
    for tables in tables_of(task.grown):
        count += len(tables)
        values = [transfer_of(t) for t in tables]
        place = int(np.argmax(values))
        if values[place] > best:
            best, table = values[place], tables[place]
    return _End(table=table, exact=True, bound=None, method="all tables", n_states=count)


def _most_by_moves(task: _Task) -> tuple[float, np.ndarray]:
    return climb(_room(task), VARIATION, True, task.n_starts, task.rng)


def _room(task: _Task) -> Problem:
    """Clusters that moves may use; some new ones serve for many."""
    return task.problem.grown(NEW_CLUSTERS) if task.any_cluster else task.problem


def _listed_by_measure(task: _Task, labels: Labels, tables: int, swapped: bool
                       ) -> tuple[_End, _End]:
    """Any other measure, evaluated on every table."""
    if tables > task.max_states:
        raise ClusteringError(
            f"{task.name} is listed over all completions only, and there are {tables} tables of "
            f"counts, more than max_states={task.max_states}; measures with a method of their own "
            "are " + ", ".join(MEASURES))
    function = get_measure(task.name).function
    best: list[tuple[float, np.ndarray] | None] = [None, None]
    with quiet(UndefinedMeasureWarning):
        for found in tables_of(task.grown):
            for table in found:
                value = function(*labels.filled(table.T if swapped else table))
                if not isinstance(value, (int, float)):
                    raise ValueError(f"{task.name} gives no number; measures with a method of "
                                     "their own are " + ", ".join(MEASURES))
                value = float(value)
                for side, sign in enumerate((-1.0, 1.0)):
                    now = best[side]
                    if not math.isnan(value) and (now is None or sign * value > sign * now[0]):
                        best[side] = (value, table)
    first = next(tables_of(task.grown))[0]
    made = [_End(table=first if b is None else b[1], exact=True, bound=None, method="all tables",
                 n_states=tables) for b in best]
    return made[0], made[1]


def _record(labels: Labels, given: Problem, name: str, clusters: str, low: _End, high: _End,
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
             "bound; raise max_states, max_nodes or time_limit", InexactWarning, stacklevel=3)
    return CompletionBounds(
        measure=name, clusters=clusters, low=values[0], high=values[1], low_bound=bounds[0],
        high_bound=bounds[1], exact_low=low.exact, exact_high=high.exact,
        low_table=frozen(low.table.copy()), high_table=frozen(high.table.copy()),
        method_low=low.method, method_high=high.method, n_states=max(low.n_states, high.n_states),
        n_nodes=low.n_nodes + high.n_nodes, n_missing=given.n_missing, n_objects=given.n,
        status="exact" if exact else "bracketed", seconds=time.monotonic() - begun, labels=labels)
