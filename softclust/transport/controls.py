"""Controls of Monte Carlo draws: functions of count tables that are near a distance.

Their means are known, since they are made of sums of independent terms; they are chosen at the
mean counts, before anything is drawn.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from .box_search import BoxSearch
from .count_tables import Layout
from .couplings import cheapest_plan
from .problem import Limits
from .type_search import TypeSearch

if TYPE_CHECKING:
    from .monte_carlo import Draws

#: mean counts are rounded to whole numbers after they were scaled to this many objects
_OBJECTS = 1 << 28
#: nodes of the search for the farthest choice
_NODES = 200


@dataclass(frozen=True, kw_only=True)
class Control:
    """A control.

    Attributes
    ----------
    mean : float
        Its mean.
    below, above : float
        Range of distance - control.
    weights : array
        "rand": shares of each entry of a table in each pair of labels (cells, k * c); the
        control is D of the table of pairs of labels, which may have parts of objects.
        "partition": 1 where objects of an entry are kept, (cells,); the control is the others.
    layout : Layout
    n : int
    """

    mean: float
    below: float
    above: float
    weights: np.ndarray
    layout: Layout
    n: int

    def of(self, tables: np.ndarray) -> np.ndarray:
        """Control of tables (m, cells); (m,) float64."""
        if self.weights.ndim == 1:
            return (self.n - tables @ self.weights).astype(np.float64)
        # Not by BLAS, whose bits depend on its threads.
        cells = np.einsum("mq,qj->mj", tables, self.weights)
        shared = cells.reshape(-1, self.layout.k, self.layout.c)
        sizes = sum((shared.sum(axis=axis) ** 2).sum(axis=1) for axis in (1, 2))
        return np.asarray(sizes / 2 - (cells ** 2).sum(axis=1))


def mean_table(draws: Draws) -> np.ndarray:
    """Mean counts, (cells,) float64."""
    return np.bincount(draws.cell.reshape(-1), draws.chances.reshape(-1),
                       draws.layout.cells).astype(np.float64)


# -- moved objects ----------------------------------------------------------------------------
def matched_control(draws: Draws, end: str) -> Control:
    """Moved objects under one matching of labels: the best one for the mean counts."""
    layout, n, mean = draws.layout, draws.parts.n, mean_table(draws)
    labels = np.arange(max(layout.k, layout.c))
    left, right = (masks[:, None] >> labels & 1 == 1 for masks in (layout.left, layout.right))
    if end == "upper":   # surely matched: single labels
        left, right = (sets & (sets.sum(axis=1) == 1)[:, None] for sets in (left, right))
    table = np.array([[mean[left[:, a] & right[:, b]].sum() for b in labels] for a in labels])
    from scipy.optimize import linear_sum_assignment
    _, columns = linear_sum_assignment(table, maximize=True)
    kept = (left & right[:, columns]).any(axis=1).astype(np.int64)
    # Following one matching can only keep fewer objects than the best one.
    return Control(mean=n - float(mean @ kept), below=float(-n), above=0.0, weights=kept,
                   layout=layout, n=n)


# -- disagreeing pairs ------------------------------------------------------------------------
def closest_control(draws: Draws) -> Control:
    """Disagreeing pairs when each type of objects goes to one pair of labels."""
    layout = draws.layout
    cells, counts = _scaled(draws)
    types = layout.types()
    table = np.zeros((1, layout.cells), dtype=np.int64)
    table[0, cells] = counts
    values = types.started(table, each=True)
    chosen = _improved(types, cells, counts, types.choices[int(values.argmin()), cells])
    weights = np.zeros((layout.cells, layout.k * layout.c))
    weights[cells, chosen] = 1.0
    # The choice is one of those that the closest distance takes its minimum over.
    return _quadratic(draws, weights, above=0.0)


def _improved(types: TypeSearch, kinds: np.ndarray, counts: np.ndarray, chosen: np.ndarray
              ) -> np.ndarray:
    """Move whole types to better pairs of labels until none is better."""
    shape = types.shape
    table = np.bincount(chosen, counts, shape[0] * shape[1]).astype(np.int64).reshape(shape)
    moved = True
    while moved:
        moved = False
        for place, (kind, count) in enumerate(zip(kinds, counts)):
            table.flat[chosen[place]] -= count
            prices = table.sum(axis=1)[:, None] + table.sum(axis=0) - 2 * table
            a, b = types.cells[:, types.first[kind]:types.first[kind + 1]]
            best = prices[a, b].argmin()
            if prices[a[best], b[best]] < prices.flat[chosen[place]]:
                chosen[place], moved = a[best] * shape[1] + b[best], True
            table.flat[chosen[place]] += count
    return chosen


def _scaled(draws: Draws) -> tuple[np.ndarray, np.ndarray]:
    """Entries that can have objects, and their mean counts in small whole parts."""
    mean = mean_table(draws)
    cells = np.flatnonzero(mean > 0)
    counts = np.maximum(1, np.rint(mean[cells] * (_OBJECTS / draws.parts.n))).astype(np.int64)
    return cells, counts


def farthest_control(draws: Draws) -> Control:
    """Disagreeing pairs when types are shared among labels as in the farthest choice."""
    layout = draws.layout
    assert layout.name == "hard"
    cells, counts = _scaled(draws)
    table = np.zeros(layout.cells, dtype=np.int64)
    table[cells] = counts
    rows = _farthest_rows(table.reshape(layout.shape))
    weights = np.zeros((*layout.shape, layout.k, layout.c))
    for a in range(layout.k):
        used = np.flatnonzero(table.reshape(layout.shape)[a])
        weights[a, used, a] = _shares(table.reshape(layout.shape)[a, used], used, rows[a])
    most = draws.parts.n * (draws.parts.n - 1) / 2
    return _quadratic(draws, weights.reshape(layout.cells, -1), above=most)


def _farthest_rows(cnt: np.ndarray) -> np.ndarray:
    """Rows t_a with large |s|^2 - 2 |T|^2 in the base polytopes of the beliefs, (k, c) int64."""
    search = BoxSearch(*cnt.shape)
    search.begin(cnt)
    search.run(_NODES)
    return search.rows


def _shares(counts: np.ndarray, sets: np.ndarray, row: np.ndarray) -> np.ndarray:
    """Share of each set's objects in each label so that labels get `row`, (sets, c)."""
    cost = 1.0 - (sets[:, None] >> np.arange(row.shape[0]) & 1)
    plan = cheapest_plan(counts.astype(np.float64), row.astype(np.float64), cost, Limits())[0]
    plan[cost > 0] = 0.0
    return np.asarray(plan / plan.sum(axis=1, keepdims=True))


def _quadratic(draws: Draws, weights: np.ndarray, above: float) -> Control:
    """The mean of D_w: squares of sums of independent terms, mean^2 + variances."""
    layout, n = draws.layout, draws.parts.n
    k, c = layout.k, layout.c
    shaped = weights.reshape(layout.cells, k, c)
    total = 0.0
    for values, factor in ((shaped.sum(axis=2), 1.0), (shaped.sum(axis=1), 1.0), (weights, -2.0)):
        mean = np.zeros((n, values.shape[1]))
        square = np.zeros(n)
        for e in range(draws.cell.shape[1]):
            term = values[draws.cell[:, e]]
            mean += draws.chances[:, e, None] * term
            square += draws.chances[:, e] * (term**2).sum(axis=1)
        spread = square.sum() - (mean**2).sum()
        total += factor * (float((mean.sum(axis=0) ** 2).sum()) + float(spread))
    most = n * (n - 1) / 2
    return Control(mean=total / 2, below=-most, above=above, weights=weights, layout=layout, n=n)
