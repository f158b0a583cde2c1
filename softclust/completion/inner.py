"""Good completions where no exact method fits: moves of one object, from several starts."""

from __future__ import annotations

import numpy as np
from scipy.special import xlogy

from .problem import Problem
from .values import Expected, Sums, sums_of, values_of

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

    def moves(self) -> np.ndarray:
        """Which part one object leaves (0, 1, 2), its cell, and the cell it enters, (m, 5)."""
        r, s = self.problem.shape
        found = []
        for part, cells in enumerate((self.rows, self.columns, self.both)):
            old = np.argwhere(cells)
            if not old.size:
                continue
            targets = (np.array([[0, j] for j in range(s)]) if part == 0 else
                       np.array([[k, 0] for k in range(r)]) if part == 1 else
                       np.argwhere(np.ones((r, s))))
            pairs = np.hstack([np.repeat(old, len(targets), axis=0),
                               np.tile(targets, (len(old), 1))])
            if part == 0:
                pairs[:, 2] = pairs[:, 0]
            elif part == 1:
                pairs[:, 3] = pairs[:, 1]
            pairs = pairs[(pairs[:, :2] != pairs[:, 2:]).any(axis=1)]
            found.append(np.hstack([np.full((len(pairs), 1), part), pairs]))
        return np.vstack(found) if found else np.zeros((0, 5), dtype=np.int64)


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
        moves = fill.moves()
        if not len(moves):
            break
        values = sign * values_of(name, _after(fill.table, moves), expected)
        values[np.isnan(values)] = -np.inf
        place = int(np.argmax(values))
        if not (np.isnan(value) or values[place] > sign * value + 1e-12 * (1.0 + abs(value))):
            break
        value = sign * float(values[place])
        part, k, j, k_new, j_new = moves[place]
        cells = (fill.rows, fill.columns, fill.both)[part]
        cells[k, j] -= 1
        cells[k_new, j_new] += 1
    return value, fill.table


def _after(table: np.ndarray, moves: np.ndarray) -> Sums:
    """Sums after each move alone."""
    _, k, j, k_new, j_new = moves.T
    a, b = table.sum(axis=1), table.sum(axis=0)
    now = sums_of(table[None])
    row, column = k != k_new, j != j_new
    w, log_w = _change(table[k, j], table[k_new, j_new], np.ones(len(k), dtype=np.bool_))
    x, log_x = _change(a[k], a[k_new], row)
    y, log_y = _change(b[j], b[j_new], column)
    return Sums(n=now.n, w=now.w + w, x=now.x + x, y=now.y + y, log_w=now.log_w + log_w,
                log_x=now.log_x + log_x, log_y=now.log_y + log_y, a=a[None], b=b[None])


def _change(old: np.ndarray, new: np.ndarray, moved: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Changes of t^2 and t ln t where one object goes from a sum to another."""
    square = 2 * (new - old) + 2
    logs = (xlogy(old - 1, old - 1) - xlogy(old, old) + xlogy(new + 1, new + 1) - xlogy(new, new))
    return np.where(moved, square, 0), np.where(moved, logs, 0.0)
