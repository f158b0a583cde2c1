"""Count tables of a random side and the exact base distances of many of them.

The inner problems need only the number of objects with each pair (fixed set, random set).
Tables are flat rows of counts, laid out for the kernel that solves them:

- "labels", both sets single labels: contingency tables;
- "hard", one of them a single label: classes by sets (bit masks) of the other side;
- "types": fixed sets by random sets.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations, product
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment

from ...running.random_numbers import as_generator, spawn
from ...running.threads import run_chunks
from .couplings import cheapest_plan
from .focal_transport import extremes, least_cost
from .hard_and_random import Cells, distinct_rows
from .moved_objects import bounds_by_prices, fewest_moved, most_moved
from .plan import EndState, solve
from .problem import (
    MAX_MASK_LABELS,
    MAX_ORDER_LABELS,
    MAX_SET_LABELS,
    NESTED,
    Distance,
    Finding,
    LimitReached,
    Limits,
    Problem,
    RandomSide,
    Sampling,
    SideParts,
    base_distance,
    canonical,
    few_labels,
    parts_of,
    solver,
    status_of,
)
from .rough_sides import (
    BoxSearch,
    TypeSearch,
    all_relabellings,
    fewest_pairs,
    most_pairs,
    types_of_masks,
)

#: nodes of one search before it is continued in slices
_FEW_NODES = 4096
#: tables of a chunk
_CHUNK = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Solved:
    """Bounds of many tables, equal when solved; (m,) int64 each."""

    low: np.ndarray
    high: np.ndarray
    nodes: np.ndarray


class Layout:
    """Layout of the counts of a problem, and the solver of its inner problems."""

    def __init__(self, parts: SideParts, base: str) -> None:
        self.base = base
        fixed, random = parts.fixed_masks, parts.random_masks
        self.name = {"both": "labels", "": "types"}.get(parts.hard, "hard")
        owners, sets = (random, fixed) if parts.hard == "random" else (fixed, random)
        self.k, self.c = _labels(owners), _labels(sets)
        rows, columns = owners, sets
        if self.name != "types":
            rows = 1 << np.arange(self.k)
            columns = 1 << np.arange(self.c) if self.name == "labels" else np.arange(1 << self.c)
        self.shape = rows.size, columns.size
        self.left, self.right = np.repeat(rows, columns.size), np.tile(columns, rows.size)
        row, column = ((masks[:, None] == places).argmax(axis=1)
                       for masks, places in ((owners, rows), (sets, columns)))
        cell = row[:, None] * columns.size + column
        self.cell = np.ascontiguousarray(cell.T if parts.hard == "random" else cell)

    @property
    def cells(self) -> int:
        """Entries of a table."""
        return self.shape[0] * self.shape[1]

    def slow(self, end: str) -> bool:
        """Test whether an end has no kernel: each inner problem takes milliseconds."""
        return self.name == "types" and end == "upper"

    @cached_property
    def keeps(self) -> np.ndarray:
        """(cells, r) float64 of 0 and 1: a table times this has the objects that may be kept.

        By pair of labels where one side has single labels; else under each one-to-one map.
        """
        size = max(self.k, self.c)
        bits = (self.left[:, None] >> np.arange(size)) & 1
        if self.name != "types":
            held = ((self.right[:, None] >> np.arange(self.c)) & 1)[:, None, :]
            return (bits[:, :self.k, None] * held).reshape(self.cells, -1).astype(np.float64)
        assert size <= MAX_ORDER_LABELS
        images = np.stack([(bits << order).sum(axis=1) for order in permutations(range(size))])
        return (images & self.right != 0).T.astype(np.float64)

    def solve(self, tables: np.ndarray, end: str, limits: Limits, text: str = "",
              max_nodes: int = 0) -> Solved:
        """Bounds of the end's distance of the rows of `tables` (m, cells).

        With `max_nodes`, searches stop there; else they continue in slices, up to the limits.
        """
        m = tables.shape[0]
        low, nodes = np.zeros((2, m), dtype=np.int64)
        high = np.full(m, 1 << 62)
        if not self.slow(end):
            until = max_nodes or min(limits.max_nodes, _FEW_NODES)
            run_chunks(lambda first, last: self._solve(tables, end, until, low, high, nodes, first,
                                                       last), m, _CHUNK,
                       progress=lambda done, total: limits.check(text=text))
        if self.slow(end) or not (max_nodes and self.base == "rand"):
            self._finish(tables, end, limits, low, high, nodes)
        return Solved(low=low, high=high, nodes=nodes)

    def _solve(self, tables: np.ndarray, end: str, until: int, low: np.ndarray, high: np.ndarray,
               nodes: np.ndarray, first: int, last: int) -> None:
        """Bounds of the tables `first` to `last` - 1, searched until this many nodes."""
        part = tables[first:last]
        shaped = part.reshape(-1, *self.shape)
        if end == "lower" and self.base == "partition":
            matched = (part @ self.keeps).astype(np.int64)   # whole: in any order
            best = matched.max(axis=1)
            if self.name != "types":
                best = np.array([table[linear_sum_assignment(table, maximize=True)].sum()
                                 for table in matched.reshape(-1, self.k, self.c)])
            low[first:last] = high[first:last] = part.sum(axis=1) - best
        elif self.base == "partition":
            low[first:last], high[first:last] = bounds_by_prices(shaped)
        elif end == "upper":
            boxes = BoxSearch(*self.shape)
            for i, cnt in enumerate(shaped, first):
                boxes.begin(cnt)
                boxes.run(until)
                low[i], high[i], nodes[i] = boxes.bounds()
        else:
            types = self.types()
            for i, best in enumerate(types.started(part).tolist(), first):
                types.begin(tables[i], best)
                types.run(until)
                low[i], high[i], nodes[i] = types.bounds()

    def types(self) -> TypeSearch:
        """A search over the entries of a table; sets that no object has do not matter."""
        labels = np.arange(max(self.k, self.c))
        left, right = (masks[:, None] >> labels[:size] & 1 == 1
                       for masks, size in ((self.left, self.k), (self.right, self.c)))
        return TypeSearch(left, right, all_relabellings(self.k, self.c))

    def _finish(self, tables: np.ndarray, end: str, limits: Limits, low: np.ndarray,
                high: np.ndarray, nodes: np.ndarray) -> None:
        """Solve tables that the kernels left open, one after the other, in slices."""
        inner = _INNER[self.base, end]
        known: dict[bytes, tuple[int, int]] = {}
        for i in np.flatnonzero(low < high):
            key = tables[i].tobytes()
            if key not in known:
                limits.check(text="inner problems")
                used = np.flatnonzero(tables[i])
                solved = inner(types_of_masks(self.left[used], self.right[used], tables[i][used]),
                              limits)
                if solved.status in ("time_limit", "cancelled"):
                    raise LimitReached(solved.status)
                nodes[i] += solved.n_nodes
                known[key] = int(solved.low), int(solved.high)
            low[i], high[i] = max(low[i], known[key][0]), min(high[i], known[key][1])


_INNER = {("rand", "lower"): fewest_pairs, ("rand", "upper"): most_pairs,
          ("partition", "lower"): fewest_moved, ("partition", "upper"): most_moved}


def _labels(masks: np.ndarray) -> int:
    return int(np.bitwise_or.reduce(masks)).bit_length()


# -- all counts that a random side can have: exact when they are few ------------------------------
#: a state whose inner problem has no kernel counts as this many
_SLOW = 400
#: entries of the tables of one block of states
_ENTRIES = 1 << 17


def predicted_states(parts: SideParts) -> int:
    """At most this many joint states: a product of C(m + f - 1, f - 1) over groups.

    m objects of the group are not certain, f sets have mass on them.
    """
    total = 1
    for g in range(len(parts.fixed_masks)):
        mass = parts.mass[parts.fixed == g]
        random = ((mass > 0).sum(axis=1) > 1)
        m, f = int(random.sum()), int((mass[random] > 0).any(axis=0).sum())
        if m:
            total *= math.comb(m + f - 1, f - 1)
    return total


def _tables_fit(problem: Problem, limits: Limits) -> str:
    hard = problem.x.kind == "hard" or problem.y.kind == "fuzzy"
    return (few_labels(problem, MAX_SET_LABELS if hard else MAX_ORDER_LABELS)
            or limits.too_many(_predicted(problem)))


def _predicted(problem: Problem) -> int:
    return problem.kept("predicted states", lambda: predicted_states(parts_of(problem)))


@solver("exact", cost="O(states), one inner problem each", fits=_tables_fit)
def count_enumeration(problem: Problem, end: str, limits: Limits) -> Finding:
    """Enumeration of all possible tables of counts, with probabilities and exact distances."""
    parts = parts_of(problem)
    layout = problem.kept("layout", lambda: Layout(parts, problem.base))
    if layout.slow(end) and (reason := limits.too_many(_SLOW * _predicted(problem))):
        return Finding(status="max_states", note=f"{reason}; each of slow inner problems counts "
                                                 f"as {_SLOW}")
    laws = problem.kept("group laws", lambda: group_laws(parts, limits))
    total = math.prod(len(chances) for _, chances in laws)
    block = max(1, _ENTRIES // layout.cells)
    lows, highs, shares = [], [], []
    with Finding() as finding:
        for first in range(0, total, block):
            limits.check(first / total, "states of the counts")
            tables, weights = _states(laws, layout, first, min(first + block, total))
            solved = layout.solve(tables, end, limits)
            lows.append(math.fsum(weights * solved.low))
            highs.append(math.fsum(weights * solved.high))
            shares.append(math.fsum(weights))
            finding.n_nodes += int(solved.nodes.sum())
            finding.n_states += tables.shape[0]
    finding.low, finding.high = math.fsum(lows), math.fsum(highs)
    if finding.n_states < total:
        finding.high += max(0.0, 1.0 - math.fsum(shares)) * problem.most
    elif finding.low != finding.high:
        finding.status = "max_nodes"
    return finding


def _states(laws: list[Cells], layout: Layout, first: int, stop: int
            ) -> tuple[np.ndarray, np.ndarray]:
    """Tables of the joint states `first` to `stop` - 1, the last group fastest; probabilities."""
    tables = np.zeros((stop - first, layout.cells), dtype=np.int64)
    weights = np.ones(stop - first)
    rest = np.arange(first, stop)
    for (counts, chances), cell in zip(reversed(laws), layout.cell[::-1]):
        rest, row = np.divmod(rest, len(chances))
        weights *= chances[row]
        tables[:, cell] = counts[row]
    return tables, weights


def group_laws(parts: SideParts, limits: Limits) -> list[Cells]:
    """The laws of the count vectors of all groups; time O(objects * states) of the largest."""
    laws: list[Cells] = []
    unit = np.eye(parts.mass.shape[1], dtype=np.int64)
    for g in range(len(parts.fixed_masks)):
        mass = parts.mass[parts.fixed == g]
        random = (mass > 0).sum(axis=1) > 1
        counts: np.ndarray = (mass[~random] > 0).sum(axis=0)[None]
        chances: np.ndarray = np.ones(1)
        for row in mass[random]:   # object after object
            limits.check(math.nan, "law of the counts")
            some = np.flatnonzero(row)
            counts, code = distinct_rows(np.concatenate([counts + unit[k] for k in some]))
            chances = np.bincount(code, np.concatenate([chances * row[k] for k in some]))
        laws.append((counts, chances))
    return laws


# -- controls of Monte Carlo draws: functions of count tables that are near a distance ------------
# Their means are known, since they are made of sums of independent terms; they are chosen at the
# mean counts, before anything is drawn.
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


def mean_table(draws: DrawnTables) -> np.ndarray:
    """Mean counts, (cells,) float64."""
    return np.bincount(draws.cell.reshape(-1), draws.chances.reshape(-1),
                       draws.layout.cells).astype(np.float64)


# -- moved objects ----------------------------------------------------------------------------
def matched_control(draws: DrawnTables, end: str) -> Control:
    """Moved objects under one matching of labels: the best one for the mean counts."""
    layout, n, mean = draws.layout, draws.parts.n, mean_table(draws)
    labels = np.arange(max(layout.k, layout.c))
    left, right = (masks[:, None] >> labels & 1 == 1 for masks in (layout.left, layout.right))
    if end == "upper":   # surely matched: single labels
        left, right = (sets & (sets.sum(axis=1) == 1)[:, None] for sets in (left, right))
    table = np.array([[mean[left[:, a] & right[:, b]].sum() for b in labels] for a in labels])
    _, columns = linear_sum_assignment(table, maximize=True)
    overlaps = (left & right[:, columns]).any(axis=1).astype(np.int64)
    # Following one matching can only keep fewer objects than the best one.
    return Control(mean=n - float(mean @ overlaps), below=float(-n), above=0.0, weights=overlaps,
                   layout=layout, n=n)


# -- disagreeing pairs ------------------------------------------------------------------------
def closest_control(draws: DrawnTables) -> Control:
    """Disagreeing pairs when each type of objects goes to one pair of labels."""
    layout = draws.layout
    cells, counts = _scaled(draws)
    types = layout.types()
    table = np.zeros((1, layout.cells), dtype=np.int64)
    table[0, cells] = counts
    values = types.started(table, each=True)
    chosen = types.choices[int(values.argmin()), cells]

    # Whole types move to better pairs of labels until none is better.
    shape = types.shape
    pairs = np.bincount(chosen, counts, shape[0] * shape[1]).astype(np.int64).reshape(shape)
    moved = True
    while moved:
        moved = False
        for place, (kind, count) in enumerate(zip(cells, counts)):
            pairs.flat[chosen[place]] -= count
            prices = pairs.sum(axis=1)[:, None] + pairs.sum(axis=0) - 2 * pairs
            a, b = types.cells[:, types.first[kind]:types.first[kind + 1]]
            best = prices[a, b].argmin()
            if prices[a[best], b[best]] < prices.flat[chosen[place]]:
                chosen[place], moved = a[best] * shape[1] + b[best], True
            pairs.flat[chosen[place]] += count

    weights = np.zeros((layout.cells, layout.k * layout.c))
    weights[cells, chosen] = 1.0
    # The choice is one of those that the closest distance takes its minimum over.
    return _quadratic(draws, weights, above=0.0)


def _scaled(draws: DrawnTables) -> tuple[np.ndarray, np.ndarray]:
    """Entries that can have objects, and their mean counts in small whole parts."""
    mean = mean_table(draws)
    cells = np.flatnonzero(mean > 0)
    counts = np.maximum(1, np.rint(mean[cells] * (_OBJECTS / draws.parts.n))).astype(np.int64)
    return cells, counts


def farthest_control(draws: DrawnTables) -> Control:
    """Disagreeing pairs when types are shared among labels as in the farthest choice."""
    layout = draws.layout
    assert layout.name == "hard"
    cells, counts = _scaled(draws)
    table = np.zeros(layout.shape, dtype=np.int64)
    table.flat[cells] = counts
    # Rows t_a with large |s|^2 - 2 |T|^2 in the base polytopes of the beliefs, (k, c).
    search = BoxSearch(*layout.shape)
    search.begin(table)
    search.run(_NODES)
    weights = np.zeros((*layout.shape, layout.k, layout.c))
    for a in range(layout.k):
        used = np.flatnonzero(table[a])
        weights[a, used, a] = _shares(table[a, used], used, search.rows[a])
    max_pairs = draws.parts.n * (draws.parts.n - 1) / 2
    return _quadratic(draws, weights.reshape(layout.cells, -1), above=max_pairs)


def _shares(counts: np.ndarray, sets: np.ndarray, row: np.ndarray) -> np.ndarray:
    """Share of each set's objects in each label so that labels get `row`, (sets, c)."""
    cost = 1.0 - (sets[:, None] >> np.arange(row.shape[0]) & 1)
    plan = cheapest_plan(counts.astype(np.float64), row.astype(np.float64), cost, Limits())[0]
    plan[cost > 0] = 0.0
    return np.asarray(plan / plan.sum(axis=1, keepdims=True))


def _quadratic(draws: DrawnTables, weights: np.ndarray, above: float) -> Control:
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
    max_pairs = n * (n - 1) / 2
    return Control(mean=total / 2, below=-max_pairs, above=above, weights=weights, layout=layout,
                   n=n)


# -- Monte Carlo with exact inner solutions and control variates ----------------------------------
# Each draw is a table of counts; its distance is solved exactly, and what is kept is the
# difference from a control: a simple function of the table that nearly equals the distance and
# whose mean is known. Draws come in blocks, one child generator each, so the bits do not depend
# on threads; the ends share the same draws.
#: default number of draws; where inner problems take milliseconds
N_SAMPLES, N_SLOW = 4000, 400
#: draws of one child generator
BLOCK = 100
#: draws between two checks of the standard error
_ROUND = 1000
#: draws that must differ from the most frequent one for a normal interval
_MANY = 30


@dataclass
class Kept:
    """Results of the draws of one end: bounds of distance - control, the first `done`."""

    control: Control
    low: np.ndarray
    high: np.ndarray
    done: int = 0
    n_nodes: int = 0
    n_unsolved: int = 0


class DrawnTables:
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
        """State of an end; its control is fixed before anything is drawn."""
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
            # From its start, because the other end draws the same numbers again.
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
        state = self.end(end)
        while state.done < stop:
            first, last = state.done, min(state.done + BLOCK, stop)
            limits.check(first / size, f"draws of the {end} end")
            tables = self.tables(first, last)
            solved = self.layout.solve(tables, end, limits, f"draws of the {end} end",
                                       max(1, limits.max_nodes // size))
            near = state.control.of(tables)
            state.low[first:last], state.high[first:last] = solved.low - near, solved.high - near
            state.done = last
            state.n_nodes += int(solved.nodes.sum())
            state.n_unsolved += int((solved.low < solved.high).sum())


def wanted_draws(problem: Problem, layout: Layout, end: str) -> int:
    """Number of draws requested for an end; all that there are with ready uniforms."""
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


@solver("unbiased", cost="O(n) per draw, and its inner problem", fits=_fits)
def monte_carlo(problem: Problem, end: str, limits: Limits) -> Finding:
    """Random tables of counts solved exactly, differences from a control with known mean."""
    draws = problem.kept("draws", lambda: DrawnTables(problem))
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
        status, done = status_of(stopped), min(state.done for _, state in ends)
        if done < 2:
            raise LimitReached(status) from None
    return _estimate(problem, ends, done, status)


def _mixed(ends: list[tuple[float, Kept]], done: int) -> np.ndarray:
    """(2, done): bounds of the mixed differences."""
    return np.asarray(sum(weight * np.stack([state.low[:done], state.high[:done]])
                          for weight, state in ends))


def _spread(bounds: np.ndarray) -> float:
    """Standard error of the mean of the middle of the bounds."""
    return float(np.std(bounds.mean(axis=0), ddof=1) / math.sqrt(bounds.shape[1]))


def _estimate(problem: Problem, ends: list[tuple[float, Kept]], done: int, status: str
              ) -> Finding:
    mixed = _mixed(ends, done)
    mean, below, above = (math.fsum(weight * getattr(state.control, what) for weight, state in ends)
                          for what in ("mean", "below", "above"))
    low, high = (mean_interval(values, below, above, problem.sampling.level) for values in mixed)
    ci = np.clip([mean + low[0], mean + high[1]], 0.0, float(problem.most)).tolist()
    unsolved = max(state.n_unsolved for _, state in ends)
    note = "" if not unsolved else (
        f"{unsolved} of {done} draws are known by bounds only, their middle was averaged and the "
        "confidence interval covers both; max_nodes is for all draws together")
    return Finding(
        estimate=mean + math.fsum(mixed.mean(axis=0)) / done, se=_spread(mixed),
        ci=(ci[0], ci[1]), n_draws=done, n_nodes=sum(state.n_nodes for _, state in ends),
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


def rare_sum(values: np.ndarray, largest_value: float, m: int, level: float) -> tuple[float, float]:
    """Interval of m times the mean of values that are nearly always 0, at most `most`."""
    from scipy.special import gammaincinv
    total, squares = math.fsum(values), math.fsum(values**2)
    if largest_value == 0.0:
        return 0.0, 0.0
    if total == 0.0:
        return 0.0, m * largest_value * -math.expm1(math.log1p(-level) / m)
    tail = (1.0 - level) / 2
    largest = float(values.max())
    low = squares / total * float(gammaincinv(total**2 / squares, tail))
    wide = squares + largest**2
    high = wide / (total + largest) * float(
        gammaincinv((total + largest) ** 2 / wide, 1.0 - tail))
    return low, min(high, m * largest_value)


# -- nested sampling as in the paper (S-RI, S-PD), and draws for any base distance ----------------
# Focal rough clusterings are drawn, inside each some labellings, and the extremes and the transport
# of the sample are taken for those of the whole. Both steps are biased (transport.md, G), unless
# every labelling is listed and one coupling exists.
#: labellings inside a focal clustering up to which they are listed, for any base distance
_LISTED = 64


def sample_ends(problem: Problem, base: Any, limits: Limits) -> dict[str, EndState]:
    """Estimates of both ends and the value; certificates from the cheap bounds."""
    if problem.base in ("rand", "partition"):
        # Ends that share a state must not share estimates.
        states = {end: EndState(low=s.low, high=s.high, solver=s.solver, notes=list(s.notes),
                                n_nodes=s.n_nodes)
                  for end, s in solve(problem, "certified", limits).items()}
    else:
        states = {end: EndState(low=-math.inf, high=math.inf)
                  for end in ("lower", "upper", "value")}
    for end, draws in _draw(problem, base_distance(problem, base), limits).items():
        states[end].draws = draws
        if draws.status != "ok":
            states[end].status = draws.status
    return states


def _draw(problem: Problem, distance: Distance, limits: Limits) -> dict[str, Finding]:
    """The three estimates, in raw units."""
    sampling = problem.sampling
    rng = as_generator(sampling.rng)
    x_rng, y_rng = spawn(rng, 2)
    size = sampling.n_draws or (1000 if problem.point_mass else 100)
    logical = [side.kind in ("hard", "rough") for side in (problem.x, problem.y)]
    status = "ok"
    (x, x_listed), (y, y_listed) = (
        _labellings(side, size if all(logical) or not one else 1, child, sampling,
                    0 if problem.base in ("rand", "partition") or all(logical) else _LISTED)
        for side, one, child in ((problem.x, logical[0], x_rng), (problem.y, logical[1], y_rng)))
    unbiased = problem.point_mass and x_listed and y_listed
    if all(logical):
        # Two point masses: one pair of samples, all draws pooled. Extremes need each but once.
        x, y = ([list(dict.fromkeys(u for drawn in side for u in drawn))] for side in (x, y))
    closest, farthest = np.zeros((len(x), len(y))), np.zeros((len(x), len(y)))
    done = 0
    try:
        for i, a in enumerate(x):
            for j, b in enumerate(y):
                limits.check(done / (len(x) * len(y)), "nested sampling")
                closest[i, j], farthest[i, j] = extremes(a, b, distance)
                done += 1
    except (LimitReached, KeyboardInterrupt) as stop:
        status = status_of(stop)
    rows, columns = (done // len(y), len(y)) if len(x) > 1 else (min(done, 1), done)
    closest, farthest = closest[:rows, :columns], farthest[:rows, :columns]
    findings = {}
    for end in ("lower", "upper", "value"):
        alpha = problem.alpha_of(end)
        cost = (1.0 - alpha) * closest + alpha * farthest
        finding = Finding(solver=NESTED, n_draws=max(cost.shape), status=status)
        if cost.size:
            p = np.full(cost.shape[0], 1.0 / cost.shape[0])
            q = np.full(cost.shape[1], 1.0 / cost.shape[1])
            finding.estimate = least_cost(p, q, cost, Limits()).high
        if unbiased and cost.size > 1:
            finding.solver, finding.se = "listed draws", float(cost.std(ddof=1)) / cost.size**0.5
            finding.ci = mean_interval(cost.reshape(-1), *problem.reach, sampling.level)
        findings[end] = finding
    return findings


def _labellings(side: RandomSide, size: int, rng: np.random.Generator, sampling: Sampling,
                listed: int) -> tuple[list[list[tuple[int, ...]]], bool]:
    """`size` focal rough clusterings, each as distinct labellings drawn uniformly inside.

    Up to `listed` labellings are not drawn but listed; second, whether they all were.
    """
    cumulated = np.cumsum(side.mass, axis=1)
    cumulated[:, -1] = np.inf
    order = np.argsort(~side.sets, axis=1, kind="stable")   # labels of each set first
    sizes = side.sets.sum(axis=1)
    members = [tuple(np.flatnonzero(row).tolist()) for row in side.sets]
    drawn, complete = [], listed > 0
    for child in spawn(rng, size):
        focal = (child.random(side.n)[:, None] >= cumulated).sum(axis=1)
        if math.prod(sizes[focal].tolist()) <= listed:
            drawn.append(list(dict.fromkeys(
                map(canonical, product(*(members[k] for k in focal.tolist()))))))
            continue
        inner = 1 if bool((sizes[focal] == 1).all()) else sampling.n_inner
        complete &= inner == 1
        position = (child.random((inner, side.n)) * sizes[focal]).astype(np.int64)
        labels = order[focal[None, :], position]
        drawn.append(list(dict.fromkeys(canonical(row.tolist()) for row in labels)))
    return drawn, complete
