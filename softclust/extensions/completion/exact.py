"""Ends by listing: all tables of counts, or all margins of one side with the ends of W."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np

from ...tables.sum_formula import Formula
from ...tables.sums import Sums
from .problem import IncompleteTable

#: tables processed at a time
CHUNK = 4096
#: states times ways of one column that the listing of margins takes
MAX_STEPS = 50_000_000


class Ends:
    """Tables of the least and the greatest value so far; those of `table` where none has any."""

    def __init__(self, table: np.ndarray) -> None:
        self.tables, self.n_states = [table, table], 0
        self._best: list[float] = [math.nan, math.nan]

    def look(self, values: np.ndarray, table_of: Any) -> None:
        """Take the least and greatest of `values`; ``table_of(i)`` is the table of the i-th."""
        if np.isnan(values).all():
            return
        for end, place in enumerate((int(np.nanargmin(values)), int(np.nanargmax(values)))):
            value, best = float(values[place]), self._best[end]
            if math.isnan(best) or (value < best if end == 0 else value > best):
                self._best[end], self.tables[end] = value, table_of(place)


def compositions(total: int, parts: int) -> np.ndarray:
    """All ways to write `total` as an ordered sum of `parts` numbers >= 0, (m, parts) int64."""
    if parts == 1:
        return np.array([[total]], dtype=np.int64)
    bars = np.array(list(combinations(range(total + parts - 1), parts - 1)), dtype=np.int64)
    ends = np.full((bars.shape[0], 1), total + parts - 1)
    starts = np.full((bars.shape[0], 1), -1)
    return np.diff(np.hstack([starts, bars, ends]), axis=1) - 1


# -- all tables -------------------------------------------------------------------------------
def count_tables(problem: IncompleteTable) -> int:
    """Number of tables that `tables_of` lists."""
    r, s = problem.shape
    count = math.comb(problem.both + r * s - 1, max(r * s - 1, 0))
    for total in problem.rows.tolist():
        count *= math.comb(total + s - 1, max(s - 1, 0))
    for total in problem.columns.tolist():
        count *= math.comb(total + r - 1, max(r - 1, 0))
    return count


def tables_of(problem: IncompleteTable) -> Iterator[np.ndarray]:
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


def by_tables(problem: IncompleteTable, formula: Formula) -> Ends:
    """Ends over all tables."""
    ends = Ends(next(tables_of(problem))[0])
    for tables in tables_of(problem):
        ends.n_states += len(tables)
        ends.look(formula.values(Sums.of_tables(tables, formula.phi)), tables.__getitem__)
    return ends


# -- margins of one side ----------------------------------------------------------------------
def count_margins(problem: IncompleteTable) -> int:
    """Row sums that completions of x can have, when y is complete."""
    r = problem.shape[0]
    return math.comb(int(problem.columns.sum()) + r - 1, max(r - 1, 0))


def margins_fit(problem: IncompleteTable, max_states: int) -> bool:
    """Test whether the listing of margins is within its limits."""
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


def by_margins(problem: IncompleteTable, formula: Formula) -> Ends:
    """Ends when y is complete: given both margins a measure is monotone in W.

    Column after column, with the least and the greatest W for each vector of row sums, in
    lexicographic order. A key is the vector without its last entry, as one number.
    """
    phi, total, r = formula.phi.values, int(problem.columns.sum()), problem.shape[0]
    weights = (total + 1)**np.arange(r - 2, -1, -1)
    states = np.zeros((1, r), dtype=np.int64)
    keys, values = np.zeros(1, dtype=np.int64), np.full((2, 1), phi(problem.table).sum())
    values = values * np.array([[1], [-1]])   # of the greatest: its negative is the least
    trail: Trail = []
    seen = 0
    for j in sorted(np.flatnonzero(problem.columns).tolist(), key=lambda j: problem.columns[j]):
        ways = compositions(int(problem.columns[j]), r)
        steps = ways[:, :-1] @ weights
        gain = phi(problem.table[:, j] + ways).sum(axis=1) - phi(problem.table[:, j]).sum()
        gains = np.stack([gain, -gain])
        seen += int(problem.columns[j])
        states = compositions(seen, r)
        reached = states[:, :-1] @ weights
        extremes = np.full((2, len(states)), np.inf)
        chosen = np.zeros(extremes.shape, dtype=np.int32)
        # Over the fewer of states and ways; the others then lead to distinct states.
        for i in range(min(len(keys), len(ways))):
            over_ways = len(ways) <= len(keys)
            places = np.searchsorted(reached, keys + steps[i] if over_ways else keys[i] + steps)
            sums = values + gains[:, i:i + 1] if over_ways else values[:, i:i + 1] + gains
            for side in (0, 1):
                better = np.flatnonzero(sums[side] < extremes[side, places])
                extremes[side, places[better]] = sums[side, better]
                chosen[side, places[better]] = i if over_ways else better
        keys, values = reached, extremes
        trail.append((j, ways, steps, reached, chosen))
    a = problem.table.sum(axis=1) + states
    b = (problem.table.sum(axis=0) + problem.columns)[None]
    ends = Ends(next(tables_of(problem))[0])
    ends.n_states = len(states)
    for side, w in enumerate((values[0], -values[1])):
        sums = Sums(n=problem.n, cells=w, rows=phi(a).sum(axis=1), columns=phi(b).sum(axis=1),
                    sizes=(a, b))
        ends.look(formula.values(sums), lambda i, side=side: _table(problem, i, trail, side))
    return ends


Trail = list[tuple[int, np.ndarray, np.ndarray, np.ndarray, np.ndarray]]


def _table(problem: IncompleteTable, place: int, trail: Trail, side: int) -> np.ndarray:
    """The table that leads to a state, from the last column back."""
    table, key = problem.table.copy(), int(trail[-1][3][place]) if trail else 0
    for j, ways, steps, reached, chosen in reversed(trail):
        way = int(chosen[side, np.searchsorted(reached, key)])
        table[:, j] += ways[way]
        key -= int(steps[way])
    return table
