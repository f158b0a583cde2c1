"""Disagreeing pairs, closest labels (end "lower"): F5 for all kinds, F6 for two large labels."""

from __future__ import annotations

import math

import numpy as np

from . import _kernels
from .couplings import Masses, relabellings, touched
from .problem import Finding, LimitReached, Limits, Problem
from .soft_bounds import kept_pairs_low, matched, sides
from .solvers import solver

#: relabellings that the descent of F5 starts from; all of three labels
MAX_STARTS = 6
#: starts that are followed beyond the first sweeps
MAX_FOLLOWED = 2
FIRST_SWEEPS = 2
MAX_SWEEPS = 200
#: the descent of F5 ends when a sweep gains less than this part of all pairs
GAIN = 1e-12
#: numbers of all couplings of labels together; above, the couplings of F2 have to do
MAX_JOINT = 20_000_000
#: elementary steps of the kernel in about 30 ms
_SLICE = 2e7


class Descent:
    """Couplings of the labels of each object, improved object by object (F5).

    The mean number of disagreeing pairs is linear in each object's coupling, so a step to the
    cheapest one never raises it.
    """

    def __init__(self, x: Masses, y: Masses, limits: Limits) -> None:
        self.x, self.y, self.limits = x, y, limits
        c, f, g = x.c, x.sets.shape[0], y.sets.shape[0]
        k = _kernels.couplings
        self._total = np.zeros((c, c))
        self._prices = np.empty((c, c))
        self._scratch = (np.empty((f, g)), np.empty((f, g), dtype=np.int64),
                         np.empty(k.numbers_size(f, g)), np.empty(k.marks_size(f, g), np.int64))
        self._step = max(1, int(_SLICE / (500.0 + 80.0 * f * g + 4.0 * c * c)))

    def start(self, tau: tuple[int, ...]) -> np.ndarray:
        """Couplings (n, c, c) that keep label a with tau(a) where they can."""
        joint = np.zeros((self.x.n, self.x.c, self.x.c))
        self._prices[:] = 1.0
        self._prices[np.arange(self.x.c), list(tau)] = 0.0
        self._sweep(joint, True)
        return joint

    def sweep(self, joint: np.ndarray) -> float:
        """One round over the objects; the mean number of disagreeing pairs after it."""
        self._sweep(joint, False)
        return self.pairs(joint)

    def _sweep(self, joint: np.ndarray, fixed: bool) -> None:
        np.sum(joint, axis=0, out=self._total)   # anew: no rounding is carried along
        for first in range(0, self.x.n, self._step):
            _kernels.couplings.descent_sweep(
                self.x.mass, self.y.mass, *self.x.members, *self.y.members, self._prices, fixed,
                first, min(first + self._step, self.x.n), joint, self._total, *self._scratch)
            self.limits.check()

    def pairs(self, joint: np.ndarray) -> float:
        """Mean number of disagreeing pairs when objects are independent."""
        total, sums = joint.sum(axis=0), np.zeros(3)
        _kernels.couplings.expected_pairs(joint, 0, self.x.n, sums)
        r, s = total.sum(axis=1), total.sum(axis=0)
        together_x = (float(r @ r) - sums[0]) / 2
        together_y = (float(s @ s) - sums[1]) / 2
        return float(together_x + together_y - (float((total * total).sum()) - sums[2]))


def descent_high(problem: Problem, limits: Limits) -> tuple[float, str]:
    """Least mean of disagreeing pairs that the descents reach, and the status."""
    x, y = sides(problem)
    best, status = float(problem.most), "ok"
    try:
        if problem.n * problem.c ** 2 > MAX_JOINT:
            found = matched(x, y, limits)
            return min(best, touched(found.high, problem.n)), status
        descent = Descent(x, y, limits)
        reached: list[tuple[float, int, np.ndarray]] = []
        for tau in relabellings(x, y)[:MAX_STARTS]:
            joint = descent.start(tau)
            best = min(best, descent.pairs(joint))
            for _ in range(FIRST_SWEEPS):
                value = descent.sweep(joint)
            best = min(best, value)
            reached.append((value, len(reached), joint))
            reached = sorted(reached, key=lambda item: item[:2])[:MAX_FOLLOWED]
        for value, _, joint in reached:
            for _ in range(MAX_SWEEPS):
                before, value = value, descent.sweep(joint)
                best = min(best, value)
                if before - value <= GAIN * problem.most:
                    break
    except LimitReached as stop:
        status = stop.status
    return best, status


@solver("F5", guarantee="certificate", bases=("rand",), ends=("lower",),
        cost="a pair sum; some ten sweeps of n small transports",
        cheap=lambda p: p.c <= 4 and p.n <= 500)
def descended_pairs(problem: Problem, end: str, limits: Limits) -> Finding:
    """Bounds of the fewest disagreeing pairs: pair by pair below, couplings by descent above."""
    low, high, status = 0.0, float(problem.most), "ok"
    try:
        low = kept_pairs_low(problem, limits)
    except LimitReached as stop:
        status = stop.status
    if status == "ok":
        high, status = descent_high(problem, limits)
    return Finding(low=low, high=max(low, high), solver="F5", status=status)


def _two_fuzzy_labels(problem: Problem, limits: Limits) -> str:
    if problem.c != 2 or not all(kind in ("hard", "fuzzy") for kind in problem.kinds):
        return "two fuzzy sides with two clusters are needed"
    return ""


@solver("F6", guarantee="certificate", bases=("rand",), cost="O(n)", fits=_two_fuzzy_labels,
        cheap=lambda p: True)
def fluctuating_labels(problem: Problem, end: str, limits: Limits) -> Finding:
    """A lower bound for two fuzzy sides with two clusters, sharp for many objects.

    Proof. With labels U_i, V_i in {0, 1}, h objects differ and D = psi(h) = h (n - h). Signs e_i
    of u_i - v_i and f_i of u_i + v_i - 1 give H = sum e_i (U_i - V_i) <= h and
    H' = sum f_i (U_i + V_i - 1) <= n - h, with means `first` and `second`. psi is concave and
    psi(h) = psi(n - h), so D >= min(psi(H), psi(H')) = psi(H) - (psi(H) - psi(H'))^+.
    E psi(H) = psi(first) - var H, and sd H <= sigma whatever the coupling (Minkowski; each side
    is a sum of independent terms), the same for H'. psi(H) - psi(H') is Y - gap, with
    |Y| <= |n - 2 first| |H - first| + (H - first)^2 and the same of H', so (E Y^2)^(1/2) <=
    `spread` (fourth moments by Minkowski again); (Y - gap)^+ <= Y^2 / (4 gap).
    """
    u, v, n = problem.x.membership[:, 0], problem.y.membership[:, 0], problem.n
    first, second = float(np.abs(u - v).sum()), float(np.abs(u + v - 1.0).sum())
    if first * (n - first) > second * (n - second):
        first, second = second, first
    low, gap = first * (n - first), second * (n - second) - first * (n - first)
    (var_u, fourth_u), (var_v, fourth_v) = _moments(u), _moments(v)
    sigma = math.sqrt(var_u) + math.sqrt(var_v)
    fourth = (fourth_u ** 0.25 + fourth_v ** 0.25) ** 2
    spread = (abs(n - 2 * first) + abs(n - 2 * second)) * sigma + 2 * fourth
    if spread > 0:
        low -= sigma * sigma + (spread * spread / (4 * gap) if gap > 0 else math.inf)
    return Finding(low=max(low, 0.0), high=math.inf, solver="F6")


def _moments(u: np.ndarray) -> tuple[float, float]:
    """Variance and fourth central moment of the number of objects with the label."""
    q = u * (1.0 - u)
    variance = float(q.sum())
    return variance, max(0.0, float((q * (1.0 - 6.0 * q)).sum()) + 3.0 * variance ** 2)
