"""The exact law of tables with given margins, when the objects of y are permuted.

P(T) = prod a! prod b! / (n! prod T!). All tables are visited row by row. For sums over cells the
states are the sorted remaining columns (Mehta and Patel 1983), with equal sums merged, which is
far fewer than the tables. Weights are integers: numbers of arrangements.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction

import numpy as np

from .._checks import ClusteringError

#: states and sums that are visited for one table that is allowed
_WORK = 4
#: objects of a row up to which its fillings are counted exactly
_DEGREE = 10**6


def count_tables(a: np.ndarray, b: np.ndarray, limit: float) -> int:
    """Number of tables with margins a and b; more than `most` when it gives up."""
    rows = sorted(v for v in a.tolist() if v)
    first = tuple(sorted(v for v in b.tolist() if v))
    states: dict[tuple[int, ...], int] = {first: 1}
    work = _least_work(rows, first)
    for row in rows[:-1]:
        after: dict[tuple[int, ...], int] = defaultdict(int)
        work += sum(_n_fillings(row, columns) for columns in states)
        if work > _WORK * limit:
            return int(limit) + 1
        for columns, times in states.items():
            for filled in _fillings(row, columns):
                left = tuple(sorted(c - t for c, t in zip(columns, filled) if c > t))
                after[left] += times
        states = after
    return sum(states.values())


def _n_fillings(row: int, columns: tuple[int, ...]) -> float:
    """Number of ways to share `row` objects among columns with this much room; a lower bound
    where there are more than a million objects."""
    total = sum(columns)
    degree = min(row, total - row, _DEGREE)
    if degree < 0:
        return 0.0
    # What the second largest column may take.
    width = sorted(columns)[-2] if len(columns) > 1 else 0
    fewest = min(width, row) - max(0, row - (total - width)) + 1.0
    # The coefficient of x^row in the product of 1 + x + ... + x^c: symmetric, rising to the middle.
    ways = np.zeros(degree + 1)
    ways[0] = 1.0
    for c in columns:
        sums = np.cumsum(ways)
        ways = sums.copy()
        ways[c + 1:] -= sums[:max(0, degree - c)]
        if ways[-1] > 1e30:   # only grows
            break
    return max(fewest, float(ways[-1]))


def _least_work(rows: list[int], columns: tuple[int, ...]) -> float:
    """States that are visited at least: remaining columns, each in at most s! orders."""
    left = np.cumsum(rows)
    middle = int(np.minimum(left, left[-1] - left).max()) if rows else 0
    return _n_fillings(middle, columns) / math.factorial(min(len(columns), 100))


def _fillings(row: int, columns: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """All ways to share `row` objects among columns with this much room."""
    rooms = [0] * (len(columns) + 1)
    for j in range(len(columns) - 1, -1, -1):
        rooms[j] = rooms[j + 1] + columns[j]
    filled = [0] * len(columns)

    def place(j: int, left: int) -> Iterator[tuple[int, ...]]:
        if j == len(columns) - 1:
            filled[j] = left
            yield tuple(filled)
            return
        for t in range(max(0, left - rooms[j + 1]), min(columns[j], left) + 1):
            filled[j] = t
            yield from place(j + 1, left - t)

    return place(0, row) if columns and row <= rooms[0] else iter(())


def too_many(limit: float) -> ClusteringError:
    """Message for more tables than allowed."""
    return ClusteringError(f"there are more than max_tables = {limit:g} tables with these cluster "
                           'sizes; raise max_tables, or take method="tables" (random tables)')


def all_tables(a: np.ndarray, b: np.ndarray, limit: float) -> Iterator[tuple[np.ndarray, Fraction]]:
    """Every table (r, s) with its probability.

    Raises
    ------
    ClusteringError
        If there are more than `most`.
    """
    if count_tables(a, b, limit) > limit:
        raise too_many(limit)
    rows, columns = a.tolist(), b.tolist()
    factorial = math.factorial
    over = math.prod(map(factorial, rows)) * math.prod(map(factorial, columns))
    under = factorial(sum(rows))
    table = np.zeros((len(rows), len(columns)), np.int64)

    def fill(k: int, left: tuple[int, ...], cells: int) -> Iterator[tuple[np.ndarray, Fraction]]:
        if k == len(rows) - 1:
            table[k] = left
            arrangements = cells * math.prod(map(factorial, left))
            yield table, Fraction(over, under * arrangements)
            return
        for filled in _fillings(rows[k], left):
            table[k] = filled
            yield from fill(k + 1, tuple(c - t for c, t in zip(left, filled)),
                            cells * math.prod(map(factorial, filled)))

    yield from fill(0, tuple(columns), 1)


def law_of_sums(a: np.ndarray, b: np.ndarray, value: Callable[[int], int], limit: float
                ) -> dict[int, Fraction]:
    """Probabilities of the sums of ``value(t)``, a whole number, over the cells t of a table.

    Raises
    ------
    ClusteringError
        If more than about `most` states and sums would be visited.
    """
    rows, columns = (sorted(v for v in sizes.tolist() if v) for sizes in (a, b))
    if len(columns) > len(rows):
        rows, columns = columns, rows
    worth = _Kept(value)
    ways = _Kept(math.factorial)
    states: dict[tuple[int, ...], dict[int, int]] = {tuple(columns): {0: 1}}
    work = _least_work(rows, tuple(columns))
    for row in rows:
        after: dict[tuple[int, ...], dict[int, int]] = {}
        for left in states:
            work += _n_fillings(row, left)
            if work > _WORK * limit:
                raise too_many(limit)
        whole = ways[row]
        for left, sums in states.items():
            for filled in _fillings(row, left):
                times, more = whole, 0
                for t in filled:
                    times //= ways[t]
                    more += worth[t]
                rest = tuple(sorted(c - t for c, t in zip(left, filled) if c > t))
                into = after.setdefault(rest, {})
                work += len(sums) / 8
                if work > _WORK * limit:
                    raise too_many(limit)
                for total, count in sums.items():
                    into[total + more] = into.get(total + more, 0) + count * times
        states = after
    (weights,) = states.values()
    whole = math.factorial(sum(rows)) // math.prod(map(math.factorial, columns))
    return {total: Fraction(count, whole) for total, count in sorted(weights.items())}


class _Kept(dict[int, int]):
    """Values of a function, each computed once."""

    def __init__(self, function: Callable[[int], int]) -> None:
        super().__init__()
        self.function = function

    def __missing__(self, key: int) -> int:
        value = self[key] = self.function(key)
        return value


def table_sampler(a: np.ndarray, b: np.ndarray) -> Callable[[np.random.Generator], np.ndarray]:
    """A function that draws a table (r, s) int64 with margins a and b, up to 1e9 objects."""
    from scipy.stats import random_table
    rows, columns = np.flatnonzero(a), np.flatnonzero(b)
    # SciPy 1.17 returns garbage where a margin is 0 or there is only one row or column.
    law = random_table(a[rows], b[columns]) if min(rows.size, columns.size) > 1 else None

    def draw(rng: np.random.Generator) -> np.ndarray:
        table = np.zeros((a.size, b.size), np.int64)
        table[rows[:, None], columns] = (law.rvs(1, random_state=rng)[0] if law is not None
                                         else np.minimum.outer(a[rows], b[columns]))
        return table

    return draw
