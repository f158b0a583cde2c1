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
#: states times ways of one column that the margin programme takes
MAX_STEPS = 20_000_000


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
    """Whether the margin programme is within its limits."""
    if count_margins(problem) > max_states:
        return False
    r, seen = problem.shape[0], 0
    for total in sorted(problem.columns[problem.columns > 0].tolist()):
        if (math.comb(seen + r - 1, max(r - 1, 0)) * math.comb(total + r - 1, max(r - 1, 0))
                > MAX_STEPS):
            return False
        seen += total
    return True


def by_margins(problem: Problem, name: str) -> Ends:
    """Ends when y is complete: given both margins a measure is monotone in W."""
    pairs = name in PAIRS
    columns = sorted(np.flatnonzero(problem.columns).tolist(), key=lambda j: problem.columns[j])
    r = problem.shape[0]
    base = int(problem.columns.sum()) + 1
    weights = np.array([base**k for k in range(r)], dtype=object)
    if base**r < 1 << 62:
        weights = weights.astype(np.int64)
    states = np.zeros((1, r), dtype=np.int64)
    start = _phi(problem.table, pairs).sum()
    least, most = np.array([start]), np.array([start])
    trail = []
    for j in columns:
        ways = compositions(int(problem.columns[j]), r)
        gains = (_phi(problem.table[:, j] + ways, pairs).sum(axis=1)
                 - _phi(problem.table[:, j], pairs).sum())
        keys = ((states @ weights)[:, None] + (ways @ weights)[None]).ravel()
        distinct, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
        inverse = inverse.reshape(-1)
        chosen = []
        for value, sign in ((least, 1), (most, -1)):
            total = (value[:, None] + gains[None]).ravel()
            order = np.lexsort((sign * total, inverse))
            heads = order[np.searchsorted(inverse[order], np.arange(distinct.shape[0]))]
            chosen.append((total[heads], heads))
        trail.append((j, ways, chosen[0][1], chosen[1][1]))
        (least, _), (most, _) = chosen
        states = states[first // len(ways)] + ways[first % len(ways)]
    return _best_margins(problem, name, states, least, most, trail)


def _phi(t: np.ndarray, pairs: bool) -> np.ndarray:
    return t * t if pairs else xlogy(t, t)


def _best_margins(problem: Problem, name: str, states: np.ndarray, least: np.ndarray,
                  most: np.ndarray, trail: list[tuple[int, np.ndarray, np.ndarray, np.ndarray]]
                  ) -> Ends:
    expected = Expected()
    a = problem.table.sum(axis=1) + states
    b = np.broadcast_to(problem.table.sum(axis=0) + problem.columns, (len(a), problem.shape[1]))
    found: list[tuple[float, np.ndarray] | None] = [None, None]
    for side, w in enumerate((least, most)):
        values = values_of(name, _sums(problem.n, w, a, b, name in LOGS), expected)
        for end in (0, 1):
            if np.isnan(values).all():
                continue
            place = int(np.nanargmin(values) if end == 0 else np.nanargmax(values))
            now = found[end]
            if now is None or (values[place] < now[0] if end == 0 else values[place] > now[0]):
                found[end] = float(values[place]), _table(problem, place, trail, side)
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


def _table(problem: Problem, place: int, trail: list[tuple[int, np.ndarray, np.ndarray,
                                                           np.ndarray]], side: int) -> np.ndarray:
    """The table that leads to a state, from the last column back."""
    table = problem.table.copy()
    for j, ways, low, high in reversed(trail):
        head = int((low if side == 0 else high)[place])
        table[:, j] += ways[head % len(ways)]
        place = head // len(ways)
    return table
