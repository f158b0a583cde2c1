"""Integer programs of rough partition distances, by HiGHS (scipy.optimize.milp).

The farthest distance uses the dual of assignment: with integer prices u of the labels of x and v
of those of y, u_a + v_b >= T_ab, the sum of all prices is at least every matching in the table T.

One of the two bounds is checked in whole numbers here (a table, or prices, is at hand). The other
is HiGHS' own bound, computed in floating point and rounded with a slack: it is trusted, not
proved.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from .problem import LimitReached, Limits
from .rough_types import RoughTypes

if TYPE_CHECKING:
    from scipy.sparse import csr_array

#: an integer program may have so many entries
MOST_ENTRIES = 1_000_000
#: seconds of the first attempt at a program; each further attempt may take twice as long
_FIRST_ATTEMPT = 2.0
#: how often limits are asked while HiGHS works, in seconds
_POLL = 0.05
#: what HiGHS' bound may lack by its tolerances, and as a part of the bound by rounding
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
    most = types.n
    if solution is not None:
        table = _table_of(types, t_of, a_of, np.rint(solution[2 * size:]).astype(np.int64))
        if table is not None:
            most = min(most, _matched(table))
    return min(bound, most), most, status


def _table_of(types: RoughTypes, t_of: np.ndarray, a_of: np.ndarray, y: np.ndarray
              ) -> np.ndarray | None:
    """Objects by label of x that could have each label of y; None if y misses a count."""
    totals = np.zeros(types.m.shape[0], np.int64)
    np.add.at(totals, t_of, y)
    if (y < 0).any() or (totals != types.m).any():
        return None
    table = np.zeros((types.k, types.c), np.int64)
    np.add.at(table, a_of, y[:, None] * types.y_sets[types.cols[t_of]])
    return table


def _matched(table: np.ndarray) -> int:
    from scipy.optimize import linear_sum_assignment
    rows, columns = linear_sum_assignment(table, maximize=True)
    return int(table[rows, columns].sum())


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
            given = min(seconds, max(limits.seconds_left(), 1e-3))
            answer = _watched(partial(
                milp, cost, integrality=np.ones(cost.shape[0]), bounds=Bounds(low, high),
                constraints=constraints, options={"time_limit": given, "mip_rel_gap": 0.0}),
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
    least = 0 if bound == -math.inf else max(
        0, math.ceil(bound - _SLACK - _RELATIVE * abs(bound)))
    return best, least, status


def _watched(run: Callable[[], Any], limits: Limits) -> Any:
    """What `run` returns, from a thread; limits are asked while it works."""
    answer: Future[Any] = Future()

    def work() -> None:
        try:
            answer.set_result(run())
        except BaseException as error:
            answer.set_exception(error)

    # Not of a pool, whose threads hold up the end of the process.
    threading.Thread(target=work, daemon=True, name="softclust-highs").start()
    while not wait([answer], _POLL).done:
        limits.check(text="integer program")
    return answer.result()
