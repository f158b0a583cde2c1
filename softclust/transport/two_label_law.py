"""Two labels, one side hard or rough: the joint law of a few counts, then closed forms."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from .._parallel import run_chunks
from . import _kernels
from .parts import few_labels, parts_of
from .problem import Finding, Limits, Problem
from .solvers import solver

#: multiply-adds in about 20 ms
SLICE = 1 << 24


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoLabels:
    """What the two-label algorithm counts: objects that surely do something, laws of others.

    Attributes
    ----------
    differ, open_ : int
        Objects with one fixed label whose random label surely differs, surely is open.
    moved, opened : (J,) float64
        The others with one fixed label: probabilities that their label differs, is open.
    both : (Q,) float64
        Objects with both labels in the fixed part: probability that the random one is open too.
    """

    differ: int
    open_: int
    moved: np.ndarray
    opened: np.ndarray
    both: np.ndarray

    @property
    def n_states(self) -> int:
        rows = self.moved.shape[0] + 1
        return rows * (rows + 1) // 2 * (int(((self.both > 0) & (self.both < 1)).sum()) + 1)


def _two_labels(problem: Problem) -> TwoLabels:
    parts = parts_of(problem)
    mass = parts.mass
    by_mask = np.zeros((parts.n, 4))
    for k, mask in enumerate(parts.random_masks):
        by_mask[:, mask] = mass[:, k]
    mask = parts.fixed_masks[parts.fixed]
    single = mask < 3
    moved = by_mask[single, 3 - mask[single]]
    opened = by_mask[single, 3]
    sure = (moved == 1.0) | (opened == 1.0) | ((moved == 0.0) & (opened == 0.0))
    return TwoLabels(differ=int((moved == 1.0).sum()), open_=int((opened == 1.0).sum()),
                     moved=np.ascontiguousarray(moved[~sure]),
                     opened=np.ascontiguousarray(opened[~sure]),
                     both=np.ascontiguousarray(by_mask[~single, 3]))


def _fits_two_labels(problem: Problem, limits: Limits) -> str:
    return few_labels(problem, 2) or limits.too_many(
        problem.kept("two labels", lambda: _two_labels(problem)).n_states)


@solver("exact", cost="O(n^3), two labels", fits=_fits_two_labels,
        cheap=lambda problem: problem.n <= 300)
def two_label_law(problem: Problem, end: str, limits: Limits) -> Finding:
    """Two labels: joint law of the numbers of differing and of open objects, then closed forms."""
    ends, states = problem.kept("two label ends", lambda: _two_label_ends(problem, limits))
    return Finding.exact(ends[0] if end == "lower" else ends[1], n_states=states)


def _two_label_ends(problem: Problem, limits: Limits) -> tuple[tuple[float, float], int]:
    kernels = _kernels.two_labels
    two = problem.kept("two labels", lambda: _two_labels(problem))
    j = two.moved.shape[0]
    law = np.zeros((j + 1, j + 1))
    law[0, 0] = 1.0
    spare = np.empty(j + 2)
    first = 0
    while first < j:
        stop = min(j, first + max(1, SLICE // ((first + 2) * (first + 2))))
        kernels.two_label_steps(law, spare, two.moved, two.opened, first, stop)
        first = stop
        limits.check(0.5 * (first / j) ** 3, "two labels: law of the counts")
    # The law of the number of objects open on both sides: one row of the same recursion.
    n_open = two.both.shape[0]
    both = np.zeros(n_open + 1)
    both[0] = 1.0
    for probability in two.both:
        both[1:] = (1.0 - probability) * both[1:] + probability * both[:-1]
        both[0] *= 1.0 - probability
    rows = np.zeros((j + 1, 2))
    h = np.arange(problem.n + 1.0)
    near = np.minimum(h, problem.n - h) if problem.base == "partition" else h * (problem.n - h)
    run_chunks(
        lambda a, b: kernels.two_label_ends(law, both, near, two.differ, two.open_, a, b, rows),
        j + 1, (SLICE >> 2) // ((j + 1) * (n_open + 1)),
        progress=lambda done, total: limits.check(0.5 + 0.5 * done / total, "two labels: ends"))
    return (math.fsum(rows[:, 0]), math.fsum(rows[:, 1])), two.n_states
