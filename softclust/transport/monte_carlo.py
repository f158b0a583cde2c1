"""Monte Carlo with exact inner solutions and control variates.

Each draw is a table of counts; its distance is solved exactly, and what is kept is the
difference from a control: a simple function of the table that nearly equals the distance and
whose mean is known. Draws come in blocks, one child generator each, so the bits do not depend
on threads; the ends share the same draws.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._random import as_generator, spawn
from .controls import Control, closest_control, farthest_control, matched_control
from .count_tables import Layout
from .parts import MAX_ORDER_LABELS, MAX_SET_LABELS, few_labels, parts_of
from .problem import MAX_MASK_LABELS, Finding, LimitReached, Limits, Problem, status_of
from .solvers import solver

#: draws, when the caller does not say how many; where inner problems take milliseconds
N_SAMPLES, N_SLOW = 4000, 400
#: draws of one child generator
BLOCK = 100
#: draws between two looks at the standard error
_ROUND = 1000
#: draws that must differ from the most frequent one for a normal interval
_MANY = 30


@dataclass
class Kept:
    """What is kept of the draws of one end: bounds of distance - control, the first `done`."""

    control: Control
    low: np.ndarray
    high: np.ndarray
    done: int = 0
    n_nodes: int = 0
    n_unsolved: int = 0


class Draws:
    """The draws of a problem: tables by block, differences by end."""

    def __init__(self, problem: Problem) -> None:
        self.parts = parts_of(problem)
        self.layout: Layout = problem.kept("layout", lambda: Layout(self.parts, problem.base))
        mass = self.parts.mass
        # The likeliest set first: most objects are placed by one comparison.
        order = np.argsort(-mass, axis=1, kind="stable")
        order = order[:, :int((mass > 0).sum(axis=1).max())]
        chances = np.take_along_axis(mass, order, axis=1)
        self.cumulative = np.minimum(np.cumsum(chances, axis=1), 1.0)
        # The last set with mass takes what rounding left.
        last = np.arange(order.shape[1]) >= (chances > 0).sum(axis=1)[:, None] - 1
        self.cumulative[last] = 1.0
        self.chances = np.diff(self.cumulative, axis=1, prepend=0.0)
        self.cell = np.ascontiguousarray(self.layout.cell[self.parts.fixed[:, None], order])
        self.uniforms = problem.sampling.uniforms
        self.most = max(wanted_draws(problem, self.layout, end) for end in ("lower", "upper"))
        if self.uniforms is None:
            self.children = spawn(as_generator(problem.sampling.rng), -(-self.most // BLOCK))
        self.ends: dict[str, Kept] = {}

    def end(self, name: str) -> Kept:
        """What is kept of an end; its control is fixed before anything is drawn."""
        if name not in self.ends:
            control = (matched_control(self, name) if self.layout.base == "partition" else
                       closest_control(self) if name == "lower" else farthest_control(self))
            self.ends[name] = Kept(control, np.empty(self.most), np.empty(self.most))
        return self.ends[name]

    def tables(self, first: int, stop: int) -> np.ndarray:
        """Tables of draws `first` to `stop` - 1 of one block."""
        if self.uniforms is not None:
            uniforms = self.uniforms[first:stop]
        else:
            # From its start, for the other end draws the same numbers again.
            bits: Any = self.children[first // BLOCK].bit_generator
            child = np.random.Generator(type(bits)(bits.seed_seq))
            uniforms = child.random((stop - first, self.parts.n))
        entry = np.zeros(uniforms.shape, dtype=np.int64)
        for ends in self.cumulative.T[:-1]:
            entry += uniforms >= ends
        cells = self.cell[np.arange(self.parts.n), entry]
        cells += self.layout.cells * np.arange(stop - first)[:, None]
        return np.bincount(cells.ravel(), minlength=(stop - first) * self.layout.cells
                           ).reshape(-1, self.layout.cells)

    def extend(self, end: str, stop: int, size: int, limits: Limits) -> None:
        """Solve draws of one end until `stop` of `size` are kept.

        All searches together have `max_nodes` nodes, in equal shares.
        """
        kept = self.end(end)
        while kept.done < stop:
            first, last = kept.done, min(kept.done + BLOCK, stop)
            limits.check(first / size, f"draws of the {end} end")
            tables = self.tables(first, last)
            solved = self.layout.solve(tables, end, limits, f"draws of the {end} end",
                                       max(1, limits.max_nodes // size))
            near = kept.control.of(tables)
            kept.low[first:last], kept.high[first:last] = solved.low - near, solved.high - near
            kept.done = last
            kept.n_nodes += int(solved.nodes.sum())
            kept.n_unsolved += int((solved.low < solved.high).sum())


def wanted_draws(problem: Problem, layout: Layout, end: str) -> int:
    """How many draws of an end were asked for; all that there are with ready uniforms."""
    wanted, uniforms = problem.sampling.n_draws, problem.sampling.uniforms
    if wanted is None:
        slow = layout.slow("upper" if end == "value" else end)
        wanted = N_SLOW if slow and uniforms is None else N_SAMPLES
    return wanted if uniforms is None else min(wanted, uniforms.shape[0])


def _fits(problem: Problem, limits: Limits) -> str:
    if problem.sampling.n_draws is not None and problem.sampling.n_draws < 2:
        return "fewer than 2 draws"
    x, y = problem.kinds
    if (x, y) == ("hard", "fuzzy"):
        return few_labels(problem, MAX_MASK_LABELS)
    if x == "hard" or y == "fuzzy" or problem.base == "rand":
        return few_labels(problem, MAX_SET_LABELS)
    return few_labels(problem, MAX_ORDER_LABELS)


@solver("unbiased", cost="O(n) a draw, and its inner problem", fits=_fits)
def monte_carlo(problem: Problem, end: str, limits: Limits) -> Finding:
    """Random tables of counts solved exactly, differences from a control with known mean."""
    draws = problem.kept("draws", lambda: Draws(problem))
    sampling = problem.sampling
    alpha = 0.0 if problem.one_end else problem.alpha_of(end)
    weights = {name: weight for name, weight in (("lower", 1.0 - alpha), ("upper", alpha))
               if weight > 0}
    ends = [(weight, draws.end(name)) for name, weight in weights.items()]
    size = wanted_draws(problem, draws.layout, end)
    status, done = "ok", 0
    try:
        while done < size:
            stop = min(done + _ROUND, size)
            for name in weights:
                draws.extend(name, stop, size, limits)
            done = stop
            if sampling.target_se is not None and _spread(_mixed(ends, done)) <= (
                    sampling.target_se * problem.most):
                break
    except (LimitReached, KeyboardInterrupt) as stopped:
        status, done = status_of(stopped), min(kept.done for _, kept in ends)
        if done < 2:
            raise LimitReached(status) from None
    return _estimate(problem, ends, done, status)


def _mixed(ends: list[tuple[float, Kept]], done: int) -> np.ndarray:
    """(2, done): bounds of the mixed differences."""
    return np.asarray(sum(weight * np.stack([kept.low[:done], kept.high[:done]])
                          for weight, kept in ends))


def _spread(kept: np.ndarray) -> float:
    """Standard error of the mean of the middle of the bounds."""
    return float(np.std(kept.mean(axis=0), ddof=1) / math.sqrt(kept.shape[1]))


def _estimate(problem: Problem, ends: list[tuple[float, Kept]], done: int, status: str
              ) -> Finding:
    mixed = _mixed(ends, done)
    mean, below, above = (math.fsum(weight * getattr(kept.control, what) for weight, kept in ends)
                          for what in ("mean", "below", "above"))
    low, high = (mean_interval(values, below, above, problem.sampling.level) for values in mixed)
    ci = np.clip([mean + low[0], mean + high[1]], 0.0, float(problem.most)).tolist()
    unsolved = max(kept.n_unsolved for _, kept in ends)
    note = "" if not unsolved else (
        f"{unsolved} of {done} draws are known by bounds only, their middle was averaged and the "
        "confidence interval covers both; max_nodes is for all draws together")
    return Finding(
        estimate=mean + math.fsum(mixed.mean(axis=0)) / done, se=_spread(mixed),
        ci=(ci[0], ci[1]), n_draws=done, n_nodes=sum(kept.n_nodes for _, kept in ends),
        n_unsolved=unsolved, status=status, note=note)


def mean_interval(values: np.ndarray, below: float, above: float, level: float
                  ) -> tuple[float, float]:
    """Confidence interval of a mean.

    Normal, unless nearly all values are the same: then few others were seen, or none, and the
    interval is that of a sum of Poisson events with weights (Fay and Feuer 1997), on each side
    of the frequent value; with none seen, 1 - (1 - level)^(1/m) of the range.

    Parameters
    ----------
    values : (m,) float64
    below, above : float
        Range of possible values.
    level : float
    """
    from statistics import NormalDist
    m = values.shape[0]
    distinct, counts = np.unique(values, return_counts=True)
    often = float(distinct[counts.argmax()])
    centre = math.fsum(values) / m
    if m - counts.max() >= _MANY:
        half = NormalDist().inv_cdf(0.5 + level / 2) * float(np.std(values, ddof=1)) / (
            math.sqrt(m))
        return centre - half, centre + half
    up, down = max(0.0, above - often), max(0.0, often - below)
    if counts.max() == m:
        share = -math.expm1(math.log1p(-level) / m)
        return often - share * down, often + share * up
    both = up > 0 and down > 0
    each = (1.0 + level) / 2 if both else level
    rises = rare_sum(np.maximum(values - often, 0.0), up, m, each)
    falls = rare_sum(np.maximum(often - values, 0.0), down, m, each)
    return often + (rises[0] - falls[1]) / m, often + (rises[1] - falls[0]) / m


def rare_sum(values: np.ndarray, most: float, m: int, level: float) -> tuple[float, float]:
    """Interval of m times the mean of values that are nearly always 0, at most `most`."""
    from scipy.special import gammaincinv
    total, squares = math.fsum(values), math.fsum(values**2)
    if most == 0.0:
        return 0.0, 0.0
    if total == 0.0:
        return 0.0, m * most * -math.expm1(math.log1p(-level) / m)
    tail = (1.0 - level) / 2
    largest = float(values.max())
    low = squares / total * float(gammaincinv(total**2 / squares, tail))
    wide = squares + largest**2
    high = wide / (total + largest) * float(
        gammaincinv((total + largest) ** 2 / wide, 1.0 - tail))
    return low, min(high, m * most)
