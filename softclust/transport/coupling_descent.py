"""Disagreeing pairs, closest labels of two soft sides: pair sums below, descent above."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from . import _kernels
from .coupled_matching import kept_matched, kept_pairs_low, sides
from .couplings import Masses, coupled_in_parts, relabellings, scratch, touched
from .problem import Finding, Limits, Problem
from .solvers import solver

MAX_SWEEPS = 200
#: a descent ends when a sweep gains less than this part of all pairs
GAIN = 1e-12
#: numbers of all couplings of labels together; above, those of `matched` have to do
MAX_JOINT = 20_000_000
#: elementary steps of the kernel in about 30 ms
_SLICE = 2e7


class Descent:
    """Couplings of the labels of each object, improved object by object.

    The mean number of disagreeing pairs is linear in each object's coupling, so a step to the
    cheapest one never raises it.
    """

    def __init__(self, x: Masses, y: Masses, limits: Limits) -> None:
        self.x, self.y, self.limits = x, y, limits
        c, f, g = x.c, x.sets.shape[0], y.sets.shape[0]
        self._step = max(1, int(_SLICE / (500.0 + 80.0 * f * g + 4.0 * c * c)))
        self._shape = c, f, g

    def start(self, tau: tuple[int, ...]) -> np.ndarray:
        """Couplings (n, c, c) that keep label a with tau(a) where they can."""
        c, f, g = self._shape
        kept = np.eye(c, dtype=bool)[list(tau)]
        pairs = self.x.sets[:, None, :, None] & self.y.sets[None, :, None, :]
        # The first pair of labels that is kept, else the first: (f, g)
        cell = (pairs * (1 + kept)).reshape(f * g, c * c).argmax(axis=1)
        cost = 1.0 - (pairs & kept).any(axis=(2, 3))
        joint = np.zeros((self.x.n, c, c))
        labels = np.eye(c * c)[cell]

        def use(first: int, stop: int, plans: np.ndarray, u: np.ndarray, v: np.ndarray) -> None:
            joint[first:stop] = np.einsum("ik,kl->il", plans.reshape(-1, f * g), labels
                                          ).reshape(-1, c, c)

        coupled_in_parts(self.x, self.y, cost, self.limits, use)
        return joint

    def sweep(self, joint: np.ndarray) -> float:
        """One round over the objects; the mean number of disagreeing pairs after it."""
        c, f, g = self._shape
        total = joint.sum(axis=0)   # anew: no rounding is carried along
        room = (np.empty((c, c)), np.empty((f, g), dtype=np.int64), *scratch(f, g))
        for first in range(0, self.x.n, self._step):
            _kernels.couplings.couple(
                self.x.mass, self.y.mass, np.empty((f, g)), first,
                min(first + self._step, self.x.n), np.empty((0, f, g)), np.empty((0, f)),
                np.empty((0, g)), True, *self.x.members, *self.y.members, joint, total, *room)
            self.limits.check()
        return self.pairs(joint)

    def pairs(self, joint: np.ndarray) -> float:
        """Mean number of disagreeing pairs when objects are independent."""
        def squares(masses: np.ndarray) -> float:
            """Sum over pairs of objects of how likely they are together, twice."""
            own = masses.reshape(-1)
            return float((masses.sum(axis=0) ** 2).sum() - np.einsum("i,i->", own, own))

        return (squares(joint.sum(axis=2)) + squares(joint.sum(axis=1))) / 2 - squares(joint)


def descent_highs(problem: Problem, limits: Limits) -> Iterator[float]:
    """Mean numbers of disagreeing pairs of couplings, each no worse than the one before."""
    x, y = sides(problem)
    if problem.n * problem.c ** 2 > MAX_JOINT:
        yield touched(kept_matched(problem, limits).high, problem.n)
        return
    descent = Descent(x, y, limits)
    joint = descent.start(relabellings(x, y)[0])
    best = descent.pairs(joint)
    yield best
    for _ in range(MAX_SWEEPS):
        before, best = best, min(best, descent.sweep(joint))
        yield best
        if before - best <= GAIN * problem.most:
            return


@solver("certificate", cost="a pair sum; some ten sweeps of n small transports",
        cheap=lambda p: p.c <= 4 and p.n <= 500)
def coupling_descent(problem: Problem, end: str, limits: Limits) -> Finding:
    """Bounds of the fewest disagreeing pairs: pair by pair below, couplings by descent above."""
    with Finding() as bounds:
        bounds.low = kept_pairs_low(problem, limits)
        for high in descent_highs(problem, limits):
            bounds.high = high
    return bounds
