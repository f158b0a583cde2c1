"""Good completions where no exact method fits: moves of objects of a cell, from several starts."""

from __future__ import annotations

import time
from itertools import chain

import numpy as np

from ...tables.sum_formula import Formula
from ...tables.sums import Phi, Sums
from .problem import IncompleteTable

#: steps of one start
MAX_STEPS = 300
#: parts of a cell that move at once, as divisors
SHARES = (1 << 40, 32, 4, 1)


class Fill:
    """Counts that the gaps add to the table: rows (r, s), columns (r, s), both (r, s)."""

    problem: IncompleteTable
    rows: np.ndarray
    columns: np.ndarray
    both: np.ndarray

    def __init__(self, problem: IncompleteTable, rng: np.random.Generator) -> None:
        r, s = problem.shape
        self.problem = problem
        self.rows = np.array([rng.multinomial(c, np.full(s, 1 / s)) for c in problem.rows]
                             ).reshape(r, s)
        self.columns = np.array([rng.multinomial(c, np.full(r, 1 / r)) for c in problem.columns]
                                ).reshape(s, r).T.copy()
        self.both = rng.multinomial(problem.both, np.full(r * s, 1 / (r * s))).reshape(r, s)

    @classmethod
    def whole(cls, problem: IncompleteTable, smallest: bool) -> Fill:
        """Fill each type into its largest known cell, or its smallest."""
        fill = cls.__new__(cls)
        table = -problem.table if smallest else problem.table
        fill.problem = problem
        fill.rows, fill.columns, fill.both = np.zeros((3, *problem.shape), dtype=np.int64)
        fill.rows[np.arange(problem.shape[0]), table.argmax(axis=1)] = problem.rows
        fill.columns[table.argmax(axis=0), np.arange(problem.shape[1])] = problem.columns
        fill.both.flat[table.argmax()] = problem.both
        return fill

    @property
    def table(self) -> np.ndarray:
        """The completed table."""
        return self.problem.table + self.rows + self.columns + self.both

    def moves(self) -> np.ndarray:
        """Moves (m, 6): part that objects leave (0, 1, 2), their cell, the new cell, and number.

        All in the cell, or a share of them, one at least.
        """
        r, s = self.problem.shape
        moves = []
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
            there = cells[pairs[:, 0], pairs[:, 1]]
            for share in SHARES:
                many = np.maximum(there // share, 1)
                some = np.column_stack([np.full(len(pairs), part), pairs, many])
                moves.append(some if share == SHARES[0] else some[many > 1])
        return np.vstack(moves) if moves else np.zeros((0, 6), dtype=np.int64)


def climb(problem: IncompleteTable, formula: Formula, upwards: bool, n_starts: int,
          rng: np.random.Generator, until: float) -> np.ndarray:
    """The table of the best value found; no start after the time `until`."""
    sign = 1.0 if upwards else -1.0
    best, best_table = np.nan, problem.table
    fills = chain((Fill.whole(problem, smallest) for smallest in (False, True)),
                  (Fill(problem, rng) for _ in range(n_starts)))
    for fill in fills:
        value = sign * float(formula.values(Sums.of_tables(fill.table[None], formula.phi))[0])
        for _ in range(MAX_STEPS):
            moves = fill.moves()
            if not len(moves):
                break
            values = sign * formula.values(_after(fill.table, moves, formula.phi))
            values[np.isnan(values)] = -np.inf
            place = int(np.argmax(values))
            if not (np.isnan(value) or values[place] > value + 1e-12 * (1.0 + abs(value))):
                break
            value = float(values[place])
            part, k, j, k_new, j_new, many = moves[place]
            cells = (fill.rows, fill.columns, fill.both)[part]
            cells[k, j] -= many
            cells[k_new, j_new] += many
        if np.isnan(best) or value > best:
            best, best_table = value, fill.table
        if time.monotonic() > until:
            break
    return best_table


def _after(table: np.ndarray, moves: np.ndarray, phi: Phi) -> Sums:
    """Sums after each move alone; cluster sizes are those before, for what needs them."""
    _, k, j, k_new, j_new, many = moves.T
    a, b = table.sum(axis=1), table.sum(axis=0)

    def change(old: np.ndarray, new: np.ndarray, moved: np.ndarray) -> np.ndarray:
        gain = (phi.values(old - moved) - phi.values(old) + phi.values(new + moved)
                - phi.values(new))
        return np.where(moved > 0, gain, 0)

    now = Sums.of_tables(table[None], phi)
    return Sums(n=now.n, cells=now.cells + change(table[k, j], table[k_new, j_new], many),
                rows=now.rows + change(a[k], a[k_new], many * (k != k_new)),
                columns=now.columns + change(b[j], b[j_new], many * (j != j_new)),
                sizes=(a[None], b[None]))
