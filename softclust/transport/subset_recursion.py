"""Expected moved objects of a hard and a fuzzy side by a recursion over classes and label sets."""

from __future__ import annotations

import itertools
import math

import numpy as np

from .problem import Finding, Limits, Problem
from .random_table import quick_bounds, random_table, row_cells
from .row_laws import Cells, distinct_rows, likely_cells
from .solvers import solver

#: values that are merged at a time
ROWS = 1 << 18


def _subsets_fit(problem: Problem, limits: Limits) -> str:
    table = random_table(problem)
    if table.size > 8:
        return "there are more than 8 labels"
    states, steps = predicted_states(table.free)
    return limits.too_many(max(row_cells(table), states, steps / 10))


@solver("exact", cost="O(states), predicted", fits=_subsets_fit)
def subset_recursion(problem: Problem, end: str, limits: Limits) -> Finding:
    """Expected moved objects by a recursion over classes and subsets of labels."""
    table = random_table(problem)
    order = np.argsort(table.free, kind="stable")
    with quick_bounds(problem) as found:
        rows = [likely_cells(table.members(a), limits) for a in order]
        largest, states = largest_by_subsets(rows, limits)
        return Finding.exact(problem.n - largest, n_states=states)
    return found


def predicted_states(free: np.ndarray) -> tuple[float, float]:
    """Upper bounds of the states of `largest_by_subsets` and of its steps from state to state.

    free : (K,) objects of each class whose label is not certain
    """
    size = free.shape[0]
    most, steps, states, products, objects = 1.0, 0.0, 1.0, 1.0, 0
    for a, m in enumerate(np.sort(free), start=1):
        cells = math.comb(int(m) + size - 1, size - 1)
        steps += states * cells
        products *= cells
        objects += int(m)
        # Differences of two values stay within as many places as objects are free, both ways.
        subsets = math.comb(size, a)
        states = min(products, float(2 * objects + 1) ** (subsets - 1))
        most = max(most, states * max(1.0, subsets / 8) if a < size else 1.0)
    return most, steps


def largest_by_subsets(rows: list[Cells], limits: Limits) -> tuple[float, int]:
    """Expected largest matching of a table of independent rows, and the states visited.

    V_a(S), |S| = a, is the largest matching of the first a rows with the labels S:
    V_a(S) = max over b in S of V_(a-1)(S - b) + T[a, b]. A state is V minus its maximum; equal
    states are merged and the expected maximum is added up on the way.
    """
    size = len(rows)
    values = np.zeros((1, 1), dtype=np.int64)
    weights = np.ones(1)
    largest, states = 0.0, 0
    for a, (counts, p) in enumerate(rows, start=1):
        takes = _takes(size, a)
        step = max(1, ROWS // (counts.shape[0] * len(takes)))
        parts: list[Cells] = []
        for start in range(0, values.shape[0], step):
            chunk = values[start:start + step]
            new = np.stack([
                np.max([chunk[:, None, before] + counts[None, :, b] for before, b in options],
                       axis=0) for options in takes], axis=-1).reshape(-1, len(takes))
            weight = (weights[start:start + step, None] * p).ravel()
            top = new.max(axis=1)
            largest += float(weight @ top)
            if a < size:
                parts.append(_merged(new - top[:, None], weight))
                if sum(w.shape[0] for _, w in parts) > 4 * ROWS:
                    parts = [_merged_parts(parts)]
            limits.check()
        if a < size:
            values, weights = _merged_parts(parts)
            states += values.shape[0]
    return largest, states


def _takes(size: int, a: int) -> list[list[tuple[int, int]]]:
    """For each set S of `a` labels: (number of S without b, b) for b in S."""
    numbers = {s: i for i, s in enumerate(itertools.combinations(range(size), a - 1))}
    return [[(numbers[tuple(x for x in s if x != b)], b) for b in s]
            for s in itertools.combinations(range(size), a)]


def _merged_parts(parts: list[Cells]) -> Cells:
    return _merged(np.concatenate([v for v, _ in parts]), np.concatenate([w for _, w in parts]))


def _merged(values: np.ndarray, weights: np.ndarray) -> Cells:
    """Distinct rows with their summed weights."""
    distinct, code = distinct_rows(values)
    return distinct, np.bincount(code, weights=weights, minlength=distinct.shape[0])
