"""The least alike completion of x when y is complete: boxes of row sums.

Maximised is beta X - alpha W with alpha, beta > 0. In a box lo <= row sums <= hi each phi lies
below its chord, so that columns separate; each is filled by falling marginal gain. The filled table
is feasible. A side of width 1 needs no halving: there the chord meets phi at whole numbers inside
and lies below it outside.
"""

from __future__ import annotations

import heapq
from itertools import count

import numpy as np
from scipy.special import xlogy

from .certificates import bound_on_unlike
from .problem import Problem
from .ratios import LINEAR, RATIOS, Costs, Number, costs_at, level_of
from .values import DISTANCES
from .whole import Found, Limits


def least_alike(problem: Problem, name: str, limits: Limits) -> Found | None:
    """The table least alike; None where the boxes do not apply."""
    if name not in LINEAR + RATIOS or not problem.one_side:
        return None
    best, nodes = problem.table + _even(problem), 0
    while True:
        level = level_of(name, best)
        costs = costs_at(name, level, problem)
        if costs.beta <= 0:
            return None
        search = _Boxes(problem, costs, limits)
        table = search.run(best)
        nodes += search.n_nodes
        better = _worse(name, level_of(name, table), level)
        if better:
            best = table
        if not better or not search.finished or name in LINEAR:
            bound = None if search.finished else bound_on_unlike(
                name, problem, float(level), search.bound)
            return Found(table=best, level=float(level_of(name, best)), exact=search.finished,
                         n_nodes=nodes, bound=bound)


def _worse(name: str, now: Number, before: Number) -> bool:
    margin = 1e-13 if isinstance(now, float) else 0
    return now > before + margin if name in DISTANCES else now < before - margin


def _even(problem: Problem) -> np.ndarray:
    """Each column spread evenly."""
    r = problem.shape[0]
    base, rest = np.divmod(problem.columns, r)
    return base[None] + (np.arange(r)[:, None] < rest[None])


class _Boxes:
    """One search for the greatest beta X - alpha W."""

    def __init__(self, problem: Problem, costs: Costs, limits: Limits) -> None:
        self.problem, self.costs, self.limits = problem, costs, limits
        used = problem.columns > 0
        self.table = problem.table[:, used]
        self.fill = problem.columns[used]
        self.a = problem.table.sum(axis=1)
        # Scaled so that float arithmetic serves: what is compared is alpha : beta.
        self.alpha = 1.0
        self.beta = float(costs.beta) / float(costs.alpha)
        scale = float(problem.n) ** 2 if costs.pairs else problem.n * np.log(problem.n)
        self.margin = 1e-12 * scale * (1.0 + self.beta)
        most = int((self.table.max(initial=0) + self.fill.max(initial=0)) + 2)
        self.steps = np.diff(xlogy(np.arange(most), np.arange(most)))
        self.outside = float(self._phi(problem.table[:, ~used]).sum())
        self.n_nodes, self.finished = 0, True
        self.bound = np.inf

    def _phi(self, t: np.ndarray) -> np.ndarray:
        return np.square(t, dtype=np.float64) if self.costs.pairs else xlogy(t, t)

    def value(self, added: np.ndarray) -> float:
        """beta X - alpha W of the table with `added` (r, s used)."""
        rows = self.a + added.sum(axis=1)
        return float(self.beta * self._phi(rows).sum()
                     - self.alpha * (self._phi(self.table + added).sum() + self.outside))

    def run(self, known: np.ndarray) -> np.ndarray:
        """The best table; `known` is feasible."""
        total = int(self.fill.sum())
        used = self.problem.columns > 0
        best_added = (known - self.problem.table)[:, used]
        best = self.value(best_added)
        ticket = count()
        low, high = self.a.copy(), self.a + total
        bound, added = self._bound(low, high)
        queue = [(-bound, next(ticket), low, high, added)]
        while queue and -queue[0][0] > best + self.margin:
            if self.limits.over:
                self.finished = False
                break
            _, _, low, high, added = heapq.heappop(queue)
            for lo, hi in self._halves(low, high, added):
                self.n_nodes += 1
                self.limits.nodes -= 1
                bound, added_now = self._bound(lo, hi)
                value = self.value(added_now)
                if value > best:
                    best, best_added = value, added_now
                if bound > best + self.margin and (hi - lo).max() > 1:
                    heapq.heappush(queue, (-bound, next(ticket), lo, hi, added_now))
        self.bound = max(best, -queue[0][0] if queue else best) + self.margin
        out = self.problem.table.copy()
        out[:, used] += best_added
        return out

    def _halves(self, low: np.ndarray, high: np.ndarray, added: np.ndarray
                ) -> list[tuple[np.ndarray, np.ndarray]]:
        """Two boxes, cut where the chord is furthest above phi for the filled table."""
        rows = self.a + added.sum(axis=1)
        inside = np.clip(rows, low, high)
        gap = self._chord(low, high, inside) - self._phi(inside)
        wide = np.where(high - low > 1, gap, -1.0)
        k = int(np.argmax(wide)) if wide.max() > 0.0 else int(np.argmax(high - low))
        middle = (low[k] + high[k]) // 2
        made = []
        for end in (0, 1):
            lo, hi = low.copy(), high.copy()
            if end == 0:
                hi[k] = middle
            else:
                lo[k] = middle + 1
            if self._tighten(lo, hi):
                made.append((lo, hi))
        return made

    def _tighten(self, lo: np.ndarray, hi: np.ndarray) -> bool:
        """Cut the box by the total; False when nothing is left."""
        total = int(self.a.sum() + self.fill.sum())
        for _ in range(2):
            np.minimum(hi, total - (lo.sum() - lo), out=hi)
            np.maximum(lo, total - (hi.sum() - hi), out=lo)
        return bool((lo <= hi).all())

    def _chord(self, low: np.ndarray, high: np.ndarray, at: np.ndarray) -> np.ndarray:
        slope = self._slopes(low, high)
        return self._phi(low) + slope * (at - low)

    def _slopes(self, low: np.ndarray, high: np.ndarray) -> np.ndarray:
        width = np.maximum(high - low, 1)
        return (self._phi(low + width) - self._phi(low)) / width

    def _bound(self, low: np.ndarray, high: np.ndarray) -> tuple[float, np.ndarray]:
        """Greatest value with chords, and the table that has it."""
        slope = self.beta * self._slopes(low, high)
        added = self._filled(slope)
        rows = self.a + added.sum(axis=1)
        chords = self.beta * (self._phi(low) + self._slopes(low, high) * (rows - low))
        cells = self.alpha * (self._phi(self.table + added).sum() + self.outside)
        return float(chords.sum() - cells), added

    def _filled(self, slope: np.ndarray) -> np.ndarray:
        """Each column's objects, one by one where slope_k - alpha (phi(t + 1) - phi(t)) is most.

        The gain falls with t, so a column takes every gain above one level; found by bisection.
        """
        t, c = self.table, self.fill
        gain_first = slope[:, None] - self.alpha * (self._phi(t + 1) - self._phi(t))
        top = gain_first.max(axis=0)
        most = t + c[None]
        bottom = (slope[:, None] - self.alpha * (self._phi(most + 1) - self._phi(most))).min(axis=0)
        low, high = bottom - 1.0, top + 1.0
        for _ in range(64):
            level = (low + high) / 2
            taken = self._taken(slope, level)
            reached = taken.sum(axis=0)
            if (reached == c).all():
                return taken
            enough = reached >= c
            low, high = np.where(enough, level, low), np.where(enough, high, level)
        added = self._taken(slope, high)
        rest = c - added.sum(axis=0)
        if rest.any():
            self._top_up(slope, added, rest)
        return added

    def _taken(self, slope: np.ndarray, level: np.ndarray) -> np.ndarray:
        """Objects whose gain is above the level, at most all of the column."""
        steps = (slope[:, None] - level[None]) / self.alpha   # phi(t + 1) - phi(t) is below this
        if self.costs.pairs:
            cells = np.ceil((steps - 1.0) / 2.0)
        else:
            cells = np.searchsorted(self.steps, steps)   # how many steps are below
        return np.clip(cells - self.table, 0, self.fill[None]).astype(np.int64)

    def _top_up(self, slope: np.ndarray, added: np.ndarray, rest: np.ndarray) -> None:
        """The last objects of each column, whose gains are equal up to rounding."""
        for j in np.flatnonzero(rest):
            for _ in range(int(rest[j])):
                t = self.table[:, j] + added[:, j]
                gain = slope - self.alpha * (self._phi(t + 1) - self._phi(t))
                added[int(np.argmax(gain)), j] += 1
