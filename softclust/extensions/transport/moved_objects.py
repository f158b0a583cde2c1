"""Integer programs of rough partition distances, by HiGHS (scipy.optimize.milp).

The farthest distance uses the dual of assignment: with integer prices u of the labels of x and v
of those of y, u_a + v_b >= T_ab, the sum of all prices is at least every matching in the table T.

One of the two bounds is checked here in whole numbers, from a table or prices. The other is HiGHS'
own bound, computed in floating point and rounded with a slack: it is trusted, not proved.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from functools import partial
from itertools import permutations
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.optimize import linear_sum_assignment

from .couplings import coupling_bound, kept_matched, moved_low, sides
from .laws import expected_positive
from .problem import (
    MAX_ORDER_LABELS,
    MAX_SET_LABELS,
    Finding,
    LimitReached,
    Limits,
    Problem,
    SideParts,
    group_mass,
    parts_of,
    solver,
    used_labels,
)
from .rough_sides import (
    MOST_SUBSET_LABELS,
    RoughTypes,
    beliefs,
    meetings,
    moved_bounds,
    moved_by,
    rough_types,
)

if TYPE_CHECKING:
    from scipy.sparse import csr_array

#: an integer program may have this many entries
MOST_ENTRIES = 1_000_000
#: seconds of the first attempt at a program; each further attempt may take twice as long
_FIRST_ATTEMPT = 2.0
#: seconds between checks of the limits while HiGHS works
_POLL = 0.05
#: error of HiGHS' bound by its tolerances, and relative error by rounding
_SLACK, _RELATIVE = 1e-5, 1e-9


def least_kept(types: RoughTypes, limits: Limits) -> tuple[int, int, str]:
    """Bounds of min over labels C of x of the most kept objects, y following.

    Variables u (k), v (c), y_ta = objects of type t with label a. Returns (low, high, status).
    """
    from scipy.sparse import csr_array
    k, c, m = types.k, types.c, types.m
    size = max(k, c)
    in_x, in_y = types.x_sets[types.rows], types.y_sets[types.cols]
    t_of, a_of = np.nonzero(in_x)
    n_open = t_of.shape[0]
    # Row a * size + b: u_a + v_b - sum of y_ta over types with b in B_t >= 0.
    cells = np.arange(size * size)
    var, b_of = np.nonzero(in_y[t_of])
    rows = [cells, cells, a_of[var] * size + b_of]
    cols = [cells // size, size + cells % size, 2 * size + var]
    data = [np.ones(size * size), np.ones(size * size), -np.ones(var.shape[0])]
    at_least = csr_array((np.concatenate(data), (np.concatenate(rows), np.concatenate(cols))),
                         shape=(size * size, 2 * size + n_open))
    equal = csr_array((np.ones(n_open), (t_of, 2 * size + np.arange(n_open))),
                      shape=(m.shape[0], 2 * size + n_open))
    cost = np.concatenate([np.ones(2 * size), np.zeros(n_open)])
    high = np.concatenate([np.full(2 * size, float(types.n)), m[t_of].astype(float)])
    solution, bound, status = _solve(cost, at_least, np.zeros(size * size),
                                     (equal, m.astype(float)), np.zeros(high.shape[0]), high,
                                     limits)
    n = types.n
    if solution is not None:
        y = np.rint(solution[2 * size:]).astype(np.int64)
        totals = np.zeros(m.shape[0], np.int64)
        np.add.at(totals, t_of, y)
        if (y >= 0).all() and (totals == m).all():   # no count is missed
            # Objects by label of x that could have each label of y.
            table = np.zeros((k, c), np.int64)
            np.add.at(table, a_of, y[:, None] * in_y[t_of])
            n = min(n, int(table[linear_sum_assignment(table, maximize=True)].sum()))
    return min(bound, n), n, status


def fewest_apart(types: RoughTypes, limits: Limits) -> tuple[int, np.ndarray | None, str]:
    """A lower bound of the objects whose sets are apart under a relabelling, and a good one.

    Variables: whether label a is called b (k c), whether a type is apart (t). Returns (low,
    labels of y for those of x, status); label c or above is none.
    """
    from scipy.sparse import csr_array
    k, c, n_types = types.k, types.c, types.m.shape[0]
    cells = k * c
    met = np.nonzero((types.x_sets[types.rows][:, :, None]
                      & types.y_sets[types.cols][:, None, :]).reshape(n_types, cells))
    each, ones = np.arange(cells), np.ones(cells)
    rows = np.concatenate([met[0], np.arange(n_types), n_types + each // c,
                           n_types + k + each % c])
    columns = np.concatenate([met[1], cells + np.arange(n_types), each, each])
    data = np.concatenate([np.ones(met[0].size + n_types), -ones, -ones])
    at_least = csr_array((data, (rows, columns)), shape=(n_types + k + c, cells + n_types))
    solution, low, status = _solve(
        np.concatenate([np.zeros(cells), types.m]), at_least,
        np.concatenate([np.ones(n_types), -np.ones(k + c)]), None, np.zeros(cells + n_types),
        np.ones(cells + n_types), limits)
    if solution is None:
        return low, None, status
    called = np.rint(solution[:cells]).reshape(k, c)
    return low, np.where(called.any(axis=1), called.argmax(axis=1), c), status


def _solve(cost: np.ndarray, at_least: csr_array, need: np.ndarray,
           equal: tuple[csr_array, np.ndarray] | None, low: np.ndarray, high: np.ndarray,
           limits: Limits) -> tuple[np.ndarray | None, int, str]:
    """Best integer solution found, a bound of the optimum (an integer), status.

    HiGHS works in a thread of its own in attempts of growing length, so that limits and Ctrl-C
    are respected; an attempt that is left behind ends by its own time limit.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp
    constraints = [LinearConstraint(at_least, need, np.inf)]
    if equal is not None:
        constraints.append(LinearConstraint(equal[0], equal[1], equal[1]))
    best, bound = None, -math.inf
    seconds = _FIRST_ATTEMPT
    try:
        while True:
            limits.check(text="integer program")
            time_limit = min(seconds, max(limits.seconds_left(), 1e-3))
            answer = _watched(partial(
                milp, cost, integrality=np.ones(cost.shape[0]), bounds=Bounds(low, high),
                constraints=constraints, options={"time_limit": time_limit, "mip_rel_gap": 0.0}),
                limits)
            if answer.x is not None and (best is None or cost @ answer.x < cost @ best):
                best = answer.x
            if answer.mip_dual_bound is not None and math.isfinite(answer.mip_dual_bound):
                bound = max(bound, answer.mip_dual_bound)
            if answer.status != 1:
                break
            seconds *= 2
        status = "ok"
    except LimitReached as stop:
        status = stop.status
    cutoff = 0 if bound == -math.inf else max(
        0, math.ceil(bound - _SLACK - _RELATIVE * abs(bound)))
    return best, cutoff, status


def _watched(run: Callable[[], Any], limits: Limits) -> Any:
    """Result of `run` in a thread, while limits are checked."""
    answer: Future[Any] = Future()

    def work() -> None:
        try:
            answer.set_result(run())
        except BaseException as error:
            answer.set_exception(error)

    # Not from a pool, whose threads delay the end of the process.
    threading.Thread(target=work, daemon=True, name="softclust-highs").start()
    while not wait([answer], _POLL).done:
        limits.check(text="integer program")
    return answer.result()


# -- fewest moved objects of two hard or rough sides: an assignment of labels ---------------------
#: an assignment may have this many labels
_MOST_ASSIGNED = 4000


def assignable(problem: Problem, limits: Limits) -> str:
    types = rough_types(problem)
    size = max(types.k, types.c)
    return "" if size <= _MOST_ASSIGNED else f"{size} labels; assignments stop at {_MOST_ASSIGNED}"


@solver("exact", cost="O(n + c^3)", fits=assignable, cheap=lambda p: p.c <= 100)
def label_matching(problem: Problem, end: str, limits: Limits) -> Finding:
    """Fewest moved objects of two hard or rough sides, by an assignment of labels."""
    return fewest_moved(rough_types(problem), limits)


def fewest_moved(types: RoughTypes, limits: Limits) -> Finding:
    """Fewest moved objects of types.

    An assignment bounds the relabellings from below, and decides where every type has one label
    on one side or meets under all of them; else an integer program decides.
    """
    x_size, y_size = types.x_sets.sum(axis=1)[types.rows], types.y_sets.sum(axis=1)[types.cols]
    open_ = x_size + y_size <= max(types.k, types.c)
    table = meetings(types, open_)
    rows, columns = linear_sum_assignment(table, maximize=True)
    low = max(0, int(types.m[open_].sum()) - int(table[rows, columns].sum()))
    if (~open_ | (x_size == 1) | (y_size == 1)).all():
        return Finding.exact(float(low))
    high, status, note = moved_by(types, columns[:types.k]), "ok", ""
    if low < high and types.n_cells > MOST_ENTRIES:
        status, note = "max_states", "too many types for an integer program"
    elif low < high:
        fewest, called, status = fewest_apart(types, limits)
        low = max(low, fewest)
        high = high if called is None else min(high, moved_by(types, called))
    return Finding.integers(low, high, status, note=note)


# -- most moved objects of rough sides: whole prices of labels prove how many every choice keeps --
# With a hard side prices descend; what they leave open, and two rough
# sides, are integer programs.
#: rounds of tables and diagonals that answer each other, and labels up to which they are tried
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
            fewest, largest, stopped = least_kept(side, limits)
            low, directed = max(low, types.n - largest), max(directed, types.n - fewest)
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
    matched = np.array([sure[linear_sum_assignment(sure, maximize=True)].sum()
                     for sure in bel[:, :, 1 << np.arange(c)]])
    # With V the sum of the prices of labels, u_a >= (n_a - V) / K rounded up; V matters mod K.
    even = [v - ((v - bel[:, :, -1]) // size).sum(axis=1) for v in range(size)]
    goal = np.maximum(matched, np.min(even, axis=0))
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
    """Objects that every table keeps on an average of diagonals, so on the best of them; (m,).

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
        unmoved = (cnt * np.where(cnt > 0, prices.min(axis=3), 0)).sum(axis=(1, 2))
        for b in range(c):
            table[:, :k, b] += (cnt * (where == b)).sum(axis=2)
        best = np.maximum(best, -(-unmoved // turn))
    return best


# -- bounds of moved objects against a random side: one matching of labels, what others gain ------
#: prices are sought in these parts of an object, one after the other; 0 stands for no prices
_UNITS = (0, 1, 1024)


@solver("certificate", cost="O(n^2) for each order of the labels, each set of labels",
        cheap=lambda problem: problem.n <= 2000 and used_labels(problem) <= 4)
def matching_bounds(problem: Problem, end: str, limits: Limits) -> Finding:
    """Bounds by one matching of labels and convolutions of what other matchings could gain."""
    parts = parts_of(problem)
    enough = 0.01 * limits.tol * problem.most
    if end == "upper":
        if parts.n_labels > MAX_SET_LABELS or not parts.hard:
            return coupling_bound(problem, end, limits)
        return _farthest_bounds(parts, limits, enough)

    # d0 = n - E max over tau of L_tau, the objects whose sets meet under tau. For every pair of
    # sets the two choices of labels and tau may be taken in any order. One tau, the best in the
    # mean, gives `high`.
    few = parts.n_labels <= MAX_ORDER_LABELS
    with Finding() as bounds:
        if parts.hard in ("fixed", "both") or not few:
            bounds.low, bounds.high = _by_columns(parts, limits, enough)
        if bounds.high - bounds.low > 10 * enough and few:
            # max L_tau <= L_best + sum over tau of (L_tau - L_best)^+; one coupling exists.
            matched = kept_matched(problem, limits)
            bounds.high = min(bounds.high, matched.high)
            bounds.low = max(bounds.low, moved_low(*sides(problem), matched, limits))
    return bounds


def _steps(plus: np.ndarray, minus: np.ndarray, drop: int) -> np.ndarray:
    """Laws of terms +1, 0, -drop, (m, drop + 2) from -drop on; terms that are 0 left out."""
    some = (plus > 0) | (minus > 0)
    plus, minus = plus[some], minus[some]
    law = np.zeros((plus.shape[0], drop + 2))
    law[:, drop] = np.maximum(0.0, 1.0 - plus - minus)
    law[:, 0] += minus
    law[:, drop + 1] += plus
    return law


def _by_columns(parts: SideParts, limits: Limits, enough: float) -> tuple[float, float]:
    """Weak duality with integer prices v of the labels of the random side.

    max over tau of sum_a T[a, tau a] <= sum_b v_b + sum_a max_b (T[a, b] - v_b), with T[a, b]
    the number of objects whose sets have a and b. With single labels on one side the sum is
    what tau matches; else it is at least that, an object may count more than once. For the best
    permutation tau of the mean table, max_b (T[a, b] - v_b) <= T[a, tau a] - v_(tau a) + the sum
    over b of (T[a, b] - T[a, tau a] - v_b + v_(tau a))^+, and the prices cancel over a: this
    holds for any v and any number of labels, padded to a square table.
    """
    c = parts.n_labels
    owned, holds = (np.pad(sets, ((0, 0), (0, c - sets.shape[1])))   # unused labels up to c
                    for sets in (parts.fixed_sets, parts.random_sets))
    weight = group_mass(parts)
    table = np.zeros((c, c))
    for g, k in zip(*np.nonzero(weight)):
        table[np.ix_(owned[g], holds[k])] += weight[g, k]
    rows, best = linear_sum_assignment(table, maximize=True)
    meets = owned.astype(np.int64) @ holds[:, best].T > 0   # (G, f)
    high = parts.n - float((weight * meets).sum())

    # Whole prices near v with T[a, b] - T[a, tau a] <= v_b - v_(tau a): the mean of the least and
    # the greatest solution with v_0 = 0, by longest paths.
    gap = np.empty((c, c))   # gap[b', b]: v_b - v_b' must be at least this
    gap[best] = table - table[rows, best][:, None]
    for k in range(c):
        gap = np.maximum(gap, gap[:, k:k + 1] + gap[k:k + 1, :])
    v = np.rint((gap[0] - gap[:, 0]) / 2).astype(np.int64)

    gain = float(table[rows, best].sum()) - (parts.n - high)
    for a in range(c):
        mass = parts.mass[owned[parts.fixed, a]]
        for b in range(c):
            if b == best[a]:
                continue
            limits.check(a / c, "bounds by prices of labels")
            plus = mass[:, holds[:, b] & ~holds[:, best[a]]].sum(axis=1)
            minus = mass[:, holds[:, best[a]] & ~holds[:, b]].sum(axis=1)
            shift = int(v[best[a]] - v[b])
            gain += expected_positive(_steps(plus, minus, 1), -1, shift=shift,
                                      enough=enough / (c * c), limits=limits)
    return high - max(gain, 0.0), high


def _farthest_bounds(parts: SideParts, limits: Limits, enough: float) -> Finding:
    """d1 with one side of single labels: n - E min over v of F(v), F of hard against rough.

    Proof. high: whatever is chosen, an object of class a whose set is {tau a} is kept by tau.
    low: for whole v let u_a be the largest ceil((bel_a(S) - v(S)) / |S|). The capacities
    u_a + v_b are whole, at least bel_a({b}) >= 0, and room for every S: by Hall's theorem some
    table of the class and its sets has T[a, b] <= u_a + v_b, so it keeps at most
    F(v) = sum u + sum v under every matching, and n - F(v) objects can be forced to move. F(v)
    is at most its terms for S = {tau a}, where v cancels, plus the positive parts of the
    others' excess (`_gain`). A class is a sum of independent terms in both readings: x hard and
    its sets random, or x rough and the class of each object random.
    """
    c = parts.n_labels
    belief = mean_belief(parts)
    singles = 1 << np.arange(c)
    rows, best = linear_sum_assignment(belief[:, singles], maximize=True)
    with Finding(high=parts.n - float(belief[rows, singles[best]].sum())) as bounds:
        for units in _UNITS:
            v = prices(belief, units) if units else np.zeros(c, dtype=np.int64)
            bounds.low = max(bounds.low, bounds.high - _gain(parts, best, v, limits, enough))
            if bounds.high - bounds.low <= 10 * enough:
                break
    return bounds


def mean_belief(parts: SideParts) -> np.ndarray:
    """E bel_a(S), (c, 2^c): the mean number of objects of class a whose set lies in S."""
    owners, sets, table = parts.fixed_masks, parts.random_masks, group_mass(parts)
    if parts.hard == "random":
        owners, sets, table = sets, owners, table.T
    belief = np.zeros((parts.n_labels, 1 << parts.n_labels))
    masks = np.arange(belief.shape[1])
    for g, k in np.argwhere(table):
        belief[int(owners[g]).bit_length() - 1, masks & sets[k] == sets[k]] += table[g, k]
    return belief


def prices(belief: np.ndarray, units: int) -> np.ndarray:
    """Whole numbers v that make F(v) small for beliefs in this many parts of an object."""
    v = np.zeros((1, belief.shape[0]), dtype=np.int64)
    tables = np.rint(belief * units).astype(np.int64)[None]
    v = descended(tables, v, np.array([-(1 << 62)]))[1][0]
    return np.rint(v / units).astype(np.int64)


def _gain(parts: SideParts, best: np.ndarray, v: np.ndarray, limits: Limits, enough: float
          ) -> float:
    """Sum over classes a and sets S of E ceil((X_aS - v(S) + |S| v_(best a))/|S|)^+."""
    c = parts.n_labels
    gain = 0.0
    share = enough / (c << c)
    for a in range(c):
        # Masses of the sets that objects of class a may have.
        if parts.hard == "random":
            chance = parts.mass[:, parts.random_masks == 1 << a].sum(axis=1)
            mass = chance[chance > 0, None]
            sets = parts.fixed_masks[parts.fixed[chance > 0], None]
        else:
            mass = parts.mass[(parts.fixed_masks == 1 << a)[parts.fixed]]
            sets = parts.random_masks[None]
        is_best = sets == 1 << best[a]
        single = np.where(is_best, mass, 0.0).sum(axis=1)
        for mask in range(1, 1 << c):
            if mask == 1 << best[a]:
                continue
            limits.check(a / c, "bounds by sets of labels")
            size = mask.bit_count()
            shift = int(size * v[best[a]] - v[mask >> np.arange(c) & 1 == 1].sum())
            drop = size - (mask >> int(best[a]) & 1)
            inside = np.where((sets & ~mask == 0) & ~is_best, mass, 0.0).sum(axis=1)
            gain += expected_positive(_steps(inside, single, drop), -drop, shift=shift,
                                      divisor=size, enough=share, limits=limits)
    return gain
