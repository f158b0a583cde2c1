"""Ends by listing: all tables of counts, or all margins of one side with the ends of W."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy.special import xlogy

from .problem import Problem
from .values import LOGS, PAIRS, Expected, Sums, sums_of, values_of

#: tables looked at in one go
CHUNK = 4096
#: states times ways of one column that the listing of margins takes
MAX_STEPS = 50_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Ends:
    """Least and greatest value with tables that attain them; nan when undefined throughout."""

    low: float
    high: float
    low_table: np.ndarray
    high_table: np.ndarray
    n_states: int


def compositions(total: int, parts: int) -> np.ndarray:
    """All ways to write `total` as an ordered sum of `parts` numbers >= 0, (m, parts) int64."""
    if parts == 1:
        return np.array([[total]], dtype=np.int64)
    bars = np.array(list(combinations(range(total + parts - 1), parts - 1)), dtype=np.int64)
    ends = np.full((bars.shape[0], 1), total + parts - 1)
    starts = np.full((bars.shape[0], 1), -1)
    return np.diff(np.hstack([starts, bars, ends]), axis=1) - 1


# -- all tables -------------------------------------------------------------------------------
def count_tables(problem: Problem) -> int:
    """How many tables `tables_of` lists."""
    r, s = problem.shape
    count = math.comb(problem.both + r * s - 1, max(r * s - 1, 0))
    for total in problem.rows.tolist():
        count *= math.comb(total + s - 1, max(s - 1, 0))
    for total in problem.columns.tolist():
        count *= math.comb(total + r - 1, max(r - 1, 0))
    return count


def tables_of(problem: Problem) -> Iterator[np.ndarray]:
    """All tables, (m, r, s) at a time."""
    r, s = problem.shape
    options = []
    for k in np.flatnonzero(problem.rows):
        ways = compositions(int(problem.rows[k]), s)
        added = np.zeros((ways.shape[0], r, s), dtype=np.int64)
        added[:, k, :] = ways
        options.append(added)
    for j in np.flatnonzero(problem.columns):
        ways = compositions(int(problem.columns[j]), r)
        added = np.zeros((ways.shape[0], r, s), dtype=np.int64)
        added[:, :, j] = ways
        options.append(added)
    if problem.both:
        options.append(compositions(problem.both, r * s).reshape(-1, r, s))
    groups: list[np.ndarray] = []
    for added in sorted(options, key=len):
        if groups and len(groups[-1]) * len(added) <= CHUNK:
            groups[-1] = (groups[-1][:, None] + added[None]).reshape(-1, r, s)
        else:
            groups.append(added)
    yield from _sums_of_groups(problem.table[None], groups)


def _sums_of_groups(base: np.ndarray, groups: list[np.ndarray]) -> Iterator[np.ndarray]:
    if not groups:
        yield base
    elif len(groups) == 1:
        for start in range(0, len(groups[0]), CHUNK):
            yield base + groups[0][start:start + CHUNK]
    else:
        for added in groups[0]:
            yield from _sums_of_groups(base + added, groups[1:])


def by_tables(problem: Problem, name: str) -> Ends:
    """Ends over all tables."""
    expected = Expected()
    best: list[tuple[float, np.ndarray] | None] = [None, None]
    count = 0
    for tables in tables_of(problem):
        count += len(tables)
        values = values_of(name, sums_of(tables), expected)
        if np.isnan(values).all():
            continue
        for side, place in enumerate((int(np.nanargmin(values)), int(np.nanargmax(values)))):
            value, now = float(values[place]), best[side]
            if now is None or (value < now[0] if side == 0 else value > now[0]):
                best[side] = (value, tables[place])
    return _ends(best, problem, count)


def _ends(best: list[tuple[float, np.ndarray] | None], problem: Problem, count: int) -> Ends:
    low, high = best
    if low is None or high is None:
        first = next(tables_of(problem))[0]
        return Ends(low=math.nan, high=math.nan, low_table=first, high_table=first, n_states=count)
    return Ends(low=low[0], high=high[0], low_table=low[1], high_table=high[1], n_states=count)


# -- margins of one side ----------------------------------------------------------------------
def count_margins(problem: Problem) -> int:
    """Row sums that completions of x can have, when y is complete."""
    r = problem.shape[0]
    return math.comb(int(problem.columns.sum()) + r - 1, max(r - 1, 0))


def margins_fit(problem: Problem, max_states: int) -> bool:
    """Whether the listing of margins is within its limits."""
    if count_margins(problem) > max_states:
        return False
    r, seen = problem.shape[0], 0
    if (int(problem.columns.sum()) + 1)**max(r - 1, 0) >= 1 << 62:
        return False
    for total in sorted(problem.columns[problem.columns > 0].tolist()):
        if (math.comb(seen + r - 1, max(r - 1, 0)) * math.comb(total + r - 1, max(r - 1, 0))
                > MAX_STEPS):
            return False
        seen += total
    return True


def by_margins(problem: Problem, name: str) -> Ends:
    """Ends when y is complete: given both margins a measure is monotone in W.

    Column after column, with the least and the greatest W for each vector of row sums, in
    lexicographic order. A key is the vector without its last entry, as one number.
    """
    pairs, total, r = name in PAIRS, int(problem.columns.sum()), problem.shape[0]
    weights = (total + 1)**np.arange(r - 2, -1, -1)
    states = np.zeros((1, r), dtype=np.int64)
    keys, values = np.zeros(1, dtype=np.int64), np.full((2, 1), _phi(problem.table, pairs).sum())
    values = values * np.array([[1], [-1]])   # of the greatest: its negative is the least
    trail: Trail = []
    seen = 0
    for j in sorted(np.flatnonzero(problem.columns).tolist(), key=lambda j: problem.columns[j]):
        ways = compositions(int(problem.columns[j]), r)
        steps = ways[:, :-1] @ weights
        gain = (_phi(problem.table[:, j] + ways, pairs).sum(axis=1)
                - _phi(problem.table[:, j], pairs).sum())
        gains = np.stack([gain, -gain])
        seen += int(problem.columns[j])
        states = compositions(seen, r)
        reached = states[:, :-1] @ weights
        found = np.full((2, len(states)), np.inf)
        chosen = np.zeros(found.shape, dtype=np.int32)
        # Over the fewer of states and ways; the others then lead to distinct states.
        for i in range(min(len(keys), len(ways))):
            over_ways = len(ways) <= len(keys)
            places = np.searchsorted(reached, keys + steps[i] if over_ways else keys[i] + steps)
            sums = values + gains[:, i:i + 1] if over_ways else values[:, i:i + 1] + gains
            for side in (0, 1):
                better = np.flatnonzero(sums[side] < found[side, places])
                found[side, places[better]] = sums[side, better]
                chosen[side, places[better]] = i if over_ways else better
        keys, values = reached, found
        trail.append((j, ways, steps, reached, chosen))
    return _best_margins(problem, name, states, values, trail)


def _phi(t: np.ndarray, pairs: bool) -> np.ndarray:
    return t * t if pairs else xlogy(t, t)


Trail = list[tuple[int, np.ndarray, np.ndarray, np.ndarray, np.ndarray]]


def _best_margins(problem: Problem, name: str, states: np.ndarray, values: np.ndarray,
                  trail: Trail) -> Ends:
    expected = Expected()
    a = problem.table.sum(axis=1) + states
    b = np.broadcast_to(problem.table.sum(axis=0) + problem.columns, (len(a), problem.shape[1]))
    found: list[tuple[float, np.ndarray] | None] = [None, None]
    for side, w in enumerate((values[0], -values[1])):
        if name in PAIRS:
            w = w.astype(np.int64)
        measured = values_of(name, _sums(problem.n, w, a, b, name in LOGS), expected)
        for end in (0, 1):
            if np.isnan(measured).all():
                continue
            place = int(np.nanargmin(measured) if end == 0 else np.nanargmax(measured))
            now = found[end]
            if now is None or (measured[place] < now[0] if end == 0 else measured[place] > now[0]):
                found[end] = float(measured[place]), _table(problem, place, trail, side)
    return _ends(found, problem, len(states))


def _sums(n: int, w: np.ndarray, a: np.ndarray, b: np.ndarray, logs: bool) -> Sums:
    zero = np.zeros(len(a))
    if logs:
        # Equal partitions: the three sums agree up to rounding, here told apart by a margin.
        log_x, log_y = xlogy(a, a).sum(axis=1), xlogy(b, b).sum(axis=1)
        alike = (np.abs(w - log_x) + np.abs(w - log_y)) <= 1e-11 * (1.0 + np.abs(w))
        return Sums(n=n, w=np.where(alike, 0, 1), x=np.zeros(len(a), np.int64), log_w=w,
                    y=np.zeros(len(a), np.int64), log_x=log_x, log_y=log_y, a=a, b=b)
    return Sums(n=n, w=w, x=(a * a).sum(axis=1), y=(b * b).sum(axis=1), log_w=zero, log_x=zero,
                log_y=zero, a=a, b=b)


def _table(problem: Problem, place: int, trail: Trail, side: int) -> np.ndarray:
    """The table that leads to a state, from the last column back."""
    table, key = problem.table.copy(), int(trail[-1][3][place]) if trail else 0
    for j, ways, steps, reached, chosen in reversed(trail):
        way = int(chosen[side, np.searchsorted(reached, key)])
        table[:, j] += ways[way]
        key -= int(steps[way])
    return table
