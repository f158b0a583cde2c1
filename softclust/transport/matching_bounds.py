"""Bounds of moved objects against a random side: one matching of labels, what others gain."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .coupled_matching import kept_matched, moved_low, sides
from .coupling_bound import coupling_bound
from .label_prices import descended
from .laws import expected_positive
from .parts import MAX_ORDER_LABELS, MAX_SET_LABELS, Parts, group_mass, parts_of, used_labels
from .problem import Finding, Limits, Problem
from .solvers import solver

#: prices are sought in these parts of an object, one after the other; 0 stands for no prices
_UNITS = (0, 1, 1024)


@solver("certificate", cost="O(n^2) for each order of the labels, each set of labels",
        cheap=lambda problem: problem.n <= 2000 and used_labels(problem) <= 4)
def matching_bounds(problem: Problem, end: str, limits: Limits) -> Finding:
    """Bounds by one matching of labels and convolutions of what other matchings could gain."""
    parts = parts_of(problem)
    enough = 0.01 * limits.tol * problem.most
    if end == "lower":
        return _closest_bounds(problem, parts, limits, enough)
    if parts.n_labels > MAX_SET_LABELS or not parts.hard:
        return coupling_bound(problem, end, limits)
    return _farthest_bounds(parts, limits, enough)


def _closest_bounds(problem: Problem, parts: Parts, limits: Limits, enough: float) -> Finding:
    """d0 = n - E max over tau of L_tau, the objects whose sets meet under tau.

    For every pair of sets the two choices of labels and tau may be taken in any order. One tau,
    the best in the mean, gives `high`.
    """
    few = parts.n_labels <= MAX_ORDER_LABELS
    with Finding() as bounds:
        if parts.hard in ("fixed", "both") or not few:
            bounds.low, bounds.high = _by_columns(parts, limits, enough)
        if bounds.high - bounds.low > 10 * enough and few:
            # max L_tau <= L_best + sum over tau of (L_tau - L_best)^+; one coupling exists.
            found = kept_matched(problem, limits)
            bounds.high = min(bounds.high, found.high)
            bounds.low = max(bounds.low, moved_low(*sides(problem), found, limits))
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


def _by_columns(parts: Parts, limits: Limits, enough: float) -> tuple[float, float]:
    """Weak duality with integer prices v of the labels of the random side.

    max over tau of sum_a T[a, tau a] <= sum_b v_b + sum_a max_b (T[a, b] - v_b), with T[a, b]
    the number of objects whose sets have a and b. With single labels on one side the sum is
    what tau matches; else it is at least that, an object may count more than once. For the best
    permutation tau of the mean table, max_b (T[a, b] - v_b) <= T[a, tau a] - v_(tau a) + the sum
    over b of (T[a, b] - T[a, tau a] - v_b + v_(tau a))^+, and the prices cancel over a: this
    holds for any v and any number of labels, padded to a square table.
    """
    from scipy.optimize import linear_sum_assignment
    c = parts.n_labels
    owned, holds = (_padded(sets, c) for sets in (parts.fixed_sets, parts.random_sets))
    weight = group_mass(parts)
    table = np.zeros((c, c))
    for g, k in zip(*np.nonzero(weight)):
        table[np.ix_(owned[g], holds[k])] += weight[g, k]
    rows, best = linear_sum_assignment(table, maximize=True)
    meets = owned.astype(np.int64) @ holds[:, best].T > 0   # (G, f)
    high = parts.n - float((weight * meets).sum())
    v = _column_prices(table, best)
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


def _padded(sets: np.ndarray, c: int) -> np.ndarray:
    """Sets with columns of labels that nobody has, up to `c`."""
    return np.pad(sets, ((0, 0), (0, c - sets.shape[1])))


def _column_prices(table: np.ndarray, best: np.ndarray) -> np.ndarray:
    """Whole numbers near v with M[a, b] - M[a, best a] <= v_b - v_(best a), (c,) int64.

    The mean of the least and the greatest solution with v_0 = 0: longest paths.
    """
    c = table.shape[0]
    gap = np.empty((c, c))   # gap[b', b]: v_b - v_b' must be at least this
    gap[best] = table - table[np.arange(c), best][:, None]
    for k in range(c):
        gap = np.maximum(gap, gap[:, k:k + 1] + gap[k:k + 1, :])
    return np.rint((gap[0] - gap[:, 0]) / 2).astype(np.int64)


def _farthest_bounds(parts: Parts, limits: Limits, enough: float) -> Finding:
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
    from scipy.optimize import linear_sum_assignment
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


def mean_belief(parts: Parts) -> np.ndarray:
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
    """Whole numbers v that make F(v) small for beliefs in so many parts of an object."""
    v = np.zeros((1, belief.shape[0]), dtype=np.int64)
    tables = np.rint(belief * units).astype(np.int64)[None]
    v = descended(tables, v, np.array([-(1 << 62)]))[1][0]
    return np.rint(v / units).astype(np.int64)


def _gain(parts: Parts, best: np.ndarray, v: np.ndarray, limits: Limits, enough: float) -> float:
    """Sum over classes a and sets S of E ceil((X_aS - v(S) + |S| v_(best a))/|S|)^+."""
    c = parts.n_labels
    gain = 0.0
    share = enough / (c << c)
    for a in range(c):
        inside, single = _class_terms(parts, a, int(best[a]))
        for mask in range(1, 1 << c):
            if mask == 1 << best[a]:
                continue
            limits.check(a / c, "bounds by sets of labels")
            size = mask.bit_count()
            shift = int(size * v[best[a]] - v[mask >> np.arange(c) & 1 == 1].sum())
            drop = size - (mask >> int(best[a]) & 1)
            gain += expected_positive(_steps(inside(mask), single, drop), -drop, shift=shift,
                                      divisor=size, enough=share, limits=limits)
    return gain


def _class_terms(parts: Parts, a: int, best: int
                 ) -> tuple[Callable[[int], np.ndarray], np.ndarray]:
    """For class a: P(set within S and not {best}) by S, and P(set is {best})."""
    if parts.hard == "random":
        chance = parts.mass[:, parts.random_masks == 1 << a].sum(axis=1)
        mass = chance[chance > 0, None]
        sets = parts.fixed_masks[parts.fixed[chance > 0], None]
    else:
        mass = parts.mass[(parts.fixed_masks == 1 << a)[parts.fixed]]
        sets = parts.random_masks[None]

    def inside(mask: int) -> np.ndarray:
        return np.where((sets & ~mask == 0) & (sets != 1 << best), mass, 0.0).sum(axis=1)
    return inside, np.where(sets == 1 << best, mass, 0.0).sum(axis=1)
