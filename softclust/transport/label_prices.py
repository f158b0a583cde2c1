"""Most moved objects of rough sides: whole prices of labels prove how many every choice keeps.

With a hard side prices descend; what they leave open, and two rough
sides, are integer programs.
"""

from __future__ import annotations

from itertools import permutations

import numpy as np
from scipy.optimize import linear_sum_assignment

from .box_search import beliefs
from .integer_programs import MOST_ENTRIES, least_kept
from .label_matching import assignable
from .problem import Finding, Limits, Problem
from .relabellings import moved_bounds
from .rough_types import MOST_SUBSET_LABELS, RoughTypes, rough_types
from .solvers import solver

#: turns of tables and diagonals that answer each other, and labels up to which they are tried
_ROUNDS, _MOST_LISTED = 100, 5
#: entries of an array at once
_ENTRIES = 1 << 20


@solver("exact", cost="O(n + 2^c), else an integer program", fits=assignable,
        cheap=lambda p: p.c <= 6)
def label_prices(problem: Problem, end: str, limits: Limits) -> Finding:
    """Most moved objects of a hard and a rough side, by prices of labels."""
    return most_moved(rough_types(problem), limits)


@solver("exact", cost="O(n), two integer programs", fits=assignable, cheap=lambda p: p.c <= 3)
def integer_programs(problem: Problem, end: str, limits: Limits) -> Finding:
    """Most moved objects of two rough sides (Hausdorff), by two integer programs."""
    return most_moved(rough_types(problem), limits)


def most_moved(types: RoughTypes, limits: Limits) -> Finding:
    """Most moved objects of types: prices with a hard side, then integer programs."""
    low, high, status, note = 0, types.n, "ok", ""
    hard = types.hard_first()
    if hard is not None and hard.c <= MOST_SUBSET_LABELS:
        low, high = (int(bound[0]) for bound in bounds_by_prices(hard.counts_by_mask()[None]))
    elif types.n_cells <= MOST_ENTRIES:
        low, high = moved_bounds(types)
    if low < high and types.n_cells > MOST_ENTRIES:
        status, note = "max_states", "too many types for an integer program"
    elif low < high:
        directed = 0
        # With a hard side only the labels of the other one are open.
        for side in (types, types.swapped()) if hard is None else (hard.swapped(),):
            least, most, stopped = least_kept(side, limits)
            low, directed = max(low, types.n - most), max(directed, types.n - least)
            status = status if stopped == "ok" else stopped
        high = min(high, directed)
    return Finding.integers(low, high, status, note=note)


def bounds_by_prices(tables: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Bounds of the most moved objects, of tables (m, k, 2^c) of classes by label sets; (m,) each.

    low by prices of labels that descend F (duality of assignment), high by what every table
    keeps on one diagonal, on some diagonal, on an average of diagonals.
    """
    bel = beliefs(tables)
    _, k, f = bel.shape
    c = f.bit_length() - 1
    n, size = bel[:, :, -1].sum(axis=1), max(k, c)
    kept = np.array([sure[linear_sum_assignment(sure, maximize=True)].sum()
                     for sure in bel[:, :, 1 << np.arange(c)]])
    # With V the sum of the prices of labels, u_a >= (n_a - V) / K rounded up; V matters mod K.
    even = [v - ((v - bel[:, :, -1]) // size).sum(axis=1) for v in range(size)]
    goal = np.maximum(kept, np.min(even, axis=0))
    value = descended(bel, np.zeros((len(bel), c), np.int64), goal)[0]
    rest = np.flatnonzero(value > goal)
    if rest.size and size <= _MOST_LISTED:
        goal[rest] = np.maximum(goal[rest], _mixed_bound(tables[rest], size))
    return n - value, n - np.minimum(goal, value)


def descended(bel: np.ndarray, v: np.ndarray, goal: np.ndarray
              ) -> tuple[np.ndarray, np.ndarray]:
    """Descend F from the prices v (m, c), as far as `goal` (m,); F(v) and v.

    By steps in {-1, 0, 1}^c, halved; for more than four labels by steps of sets of labels, all up
    or all down.
    """
    c = v.shape[1]
    sets = np.arange(1 << c)[:, None] >> np.arange(c) & 1
    moves = (np.indices((3,) * c).reshape(c, -1).T - 1 if c <= 4
             else np.concatenate([sets[1:], -sets[1:]]))
    step = np.maximum(1, bel[:, :, -1].sum(axis=1) // 8)
    value = _needed(bel, v[:, None])[:, 0]
    while (active := np.flatnonzero((step > 0) & (value > goal))).size:
        best = np.full(active.size, 1 << 62)
        place = np.zeros(active.size, np.int64)
        block = max(1, _ENTRIES // (active.size * bel.shape[1] * bel.shape[2]))
        for first in range(0, len(moves), block):
            trials = v[active, None] + step[active, None, None] * moves[first:first + block]
            values = _needed(bel[active], trials)
            at = values.argmin(axis=1)
            lower = values[np.arange(active.size), at]
            place[lower < best], best = (at + first)[lower < best], np.minimum(best, lower)
        falls = best < value[active]
        some = active[falls]
        v[some] += step[some, None] * moves[place[falls]]
        value[some] = best[falls]
        step[active[~falls]] //= 2
    return value, v


def _needed(bel: np.ndarray, v: np.ndarray) -> np.ndarray:
    """F(v) = sum of v + of the least feasible whole u: n - F(v) objects can be moved.

    bel (m, k, 2^c), v (m, p, c) prices of labels; (m, p). Labels that are missing, with k > c,
    have the price 0.
    """
    (_, k, f), c = bel.shape, v.shape[2]
    sets = np.arange(1, f)[:, None] >> np.arange(c) & 1
    spare = (v @ sets.T)[:, :, None] - bel[:, None, :, 1:]
    need = -(spare // sets.sum(axis=1)).min(axis=3)
    if k > c:
        need = np.maximum(need, 0)
    total = v.sum(axis=2) + need.sum(axis=2)
    return np.asarray(total - (c - k) * v.min(axis=2) if k < c else total)


def _mixed_bound(cnt: np.ndarray, size: int) -> np.ndarray:
    """What every table keeps on an average of diagonals, and so on the best of them; (m,).

    Diagonals and tables answer each other in turn (fictitious play): the next diagonal is the
    best for all tables so far, the next table puts every object where the fewest of the
    diagonals so far pass.
    """
    m, k, f = cnt.shape
    c = f.bit_length() - 1
    diagonals = np.eye(size, dtype=np.int64)[list(permutations(range(size)))]
    outside = (np.arange(f)[:, None] >> np.arange(c) & 1 == 0) * (1 << 40)
    passes, table = np.zeros((2, m, size, size), np.int64)
    best = np.zeros(m, np.int64)
    for turn in range(1, _ROUNDS + 1):
        passes += diagonals[np.einsum("mab,pab->mp", table, diagonals).argmax(axis=1)]
        prices = passes[:, :k, None, :c] + outside
        where = prices.argmin(axis=3)
        kept = (cnt * np.where(cnt > 0, prices.min(axis=3), 0)).sum(axis=(1, 2))
        for b in range(c):
            table[:, :k, b] += (cnt * (where == b)).sum(axis=2)
        best = np.maximum(best, -(-kept // turn))
    return best
