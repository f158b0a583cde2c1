"""Good completions where no exact method fits: moves of one object, from several starts."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from .problem import Problem
from .values import Expected, sums_of, values_of

#: steps of one start
MAX_STEPS = 300


class Fill:
    """What each gap adds to the table: rows (r, s), columns (r, s), both (r, s)."""

    def __init__(self, problem: Problem, rng: np.random.Generator) -> None:
        r, s = problem.shape
        self.problem = problem
        self.rows = np.array([rng.multinomial(c, np.full(s, 1 / s)) for c in problem.rows]
                             ).reshape(r, s)
        self.columns = np.array([rng.multinomial(c, np.full(r, 1 / r)) for c in problem.columns]
                                ).reshape(s, r).T.copy()
        self.both = rng.multinomial(problem.both, np.full(r * s, 1 / (r * s))).reshape(r, s)

    @property
    def table(self) -> np.ndarray:
        """The completed table."""
        return self.problem.table + self.rows + self.columns + self.both

    def moves(self) -> Iterator[tuple[np.ndarray, tuple[int, int], tuple[int, int]]]:
        """Parts with the cells that one object leaves and enters."""
        r, s = self.problem.shape
        for k, j in np.argwhere(self.rows):
            yield from ((self.rows, (k, j), (k, m)) for m in range(s) if m != j)
        for k, j in np.argwhere(self.columns):
            yield from ((self.columns, (k, j), (m, j)) for m in range(r) if m != k)
        for k, j in np.argwhere(self.both):
            yield from ((self.both, (k, j), (i, m)) for i in range(r) for m in range(s)
                        if (i, m) != (k, j))


def climb(problem: Problem, name: str, upwards: bool, n_starts: int, rng: np.random.Generator
          ) -> tuple[float, np.ndarray]:
    """The best value found and its table."""
    best, best_table = np.nan, problem.table
    expected = Expected()
    for _ in range(n_starts):
        fill = Fill(problem, rng)
        value, table = _climb(fill, name, upwards, expected)
        if np.isnan(best) or (value > best if upwards else value < best):
            best, best_table = value, table
    return float(best), best_table


def _climb(fill: Fill, name: str, upwards: bool, expected: Expected) -> tuple[float, np.ndarray]:
    sign = 1.0 if upwards else -1.0
    value = float(values_of(name, sums_of(fill.table[None]), expected)[0])
    for _ in range(MAX_STEPS):
        moves = list(fill.moves())
        if not moves:
            break
        tables = np.repeat(fill.table[None], len(moves), axis=0)
        for i, (_, old, new) in enumerate(moves):
            tables[i][old] -= 1
            tables[i][new] += 1
        values = sign * values_of(name, sums_of(tables), expected)
        values[np.isnan(values)] = -np.inf
        place = int(np.argmax(values))
        if not values[place] > sign * value + 1e-14:
            break
        value = sign * float(values[place])
        part, old, new = moves[place]
        part[old] -= 1
        part[new] += 1
    return value, fill.table
