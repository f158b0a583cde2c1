"""A hard or rough side against a random one: what is fixed, what is random; two labels."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from .._parallel import run_ranges
from . import _kernels
from .problem import Finding, Limits, Problem
from .solvers import solver

#: algorithms that list sets of labels, permutations of labels
MAX_SET_LABELS = 8
MAX_ORDER_LABELS = 6
#: multiply-adds in about 20 ms
SLICE = 1 << 24


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """Each object's fixed and random part, labels renumbered within each side.

    Attributes
    ----------
    fixed : (n,) int64
        Which of `fixed_masks` each object has.
    fixed_masks, random_masks : (G,), (f,) int64
        Sets of labels as bit masks.
    mass : (n, f) float64
        Probabilities of the random sets.
    n_labels : int
        Labels of the side that uses more.
    hard : str
        Which part is always a single label: "fixed", "random", "both" or "".
    """

    fixed: np.ndarray
    fixed_masks: np.ndarray
    random_masks: np.ndarray
    mass: np.ndarray
    n_labels: int
    hard: str

    @property
    def n(self) -> int:
        return int(self.fixed.shape[0])


def parts_of(problem: Problem) -> Parts:
    """The parts of a problem whose first side is hard or rough; kept."""
    return problem.kept("parts", lambda: _parts(problem))


def _parts(problem: Problem) -> Parts:
    used, fixed = np.unique(problem.x.code, return_inverse=True)
    fixed_masks, c1 = _renumbered(problem.x.sets[used])
    random_masks, c2 = _renumbered(problem.y.sets)
    hard = {(True, True): "both", (True, False): "fixed", (False, True): "random",
            (False, False): ""}[problem.x.kind == "hard", problem.y.kind == "fuzzy"]
    return Parts(fixed=np.ascontiguousarray(fixed.reshape(-1).astype(np.int64)),
                 fixed_masks=fixed_masks, random_masks=random_masks, mass=problem.y.mass,
                 n_labels=max(c1, c2), hard=hard)


def _renumbered(sets: np.ndarray) -> tuple[np.ndarray, int]:
    """Bit masks of 0/1 rows over the labels in use, and how many those are."""
    sets = sets[:, sets.any(axis=0)]
    bits = np.left_shift(1, np.arange(sets.shape[1], dtype=np.int64))
    return (sets * bits).sum(axis=1), sets.shape[1]


def used_labels(problem: Problem) -> int:
    """Labels of the side that uses more (cheaper than `parts_of`, any number of labels)."""
    return problem.kept("used labels", lambda: max(
        int(problem.x.sets[np.unique(problem.x.code)].any(axis=0).sum()),
        int(problem.y.sets.any(axis=0).sum())))


def few_labels(problem: Problem, most: int) -> str:
    """"" or why an algorithm that lists something of the labels does not fit."""
    c = used_labels(problem)
    return "" if c <= most else f"{c} labels; at most {most}"


# -- E5 ---------------------------------------------------------------------------------------
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
    reason = few_labels(problem, 2)
    if reason:
        return reason
    states = problem.kept("two labels", lambda: _two_labels(problem)).n_states
    return (f"{states:.2g} states; max_states is {limits.max_states:.2g}"
            if states > limits.max_states else "")


@solver("E5", guarantee="exact", cost="O(n^3), two labels", fits=_fits_two_labels,
        cheap=lambda problem: problem.n <= 300)
def two_labels(problem: Problem, end: str, limits: Limits) -> Finding:
    """Two labels: joint law of the numbers of differing and of open objects, then closed forms."""
    ends, states = problem.kept("E5", lambda: _two_label_ends(problem, limits))
    value = ends[0] if end == "lower" else ends[1]
    return Finding(low=value, high=value, solver="E5", n_states=states)


def _two_label_ends(problem: Problem, limits: Limits) -> tuple[tuple[float, float], int]:
    kernels = _kernels.random_counts
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
    # A row p has j + 1 - p entries: ranges of about equal work.
    cells = np.cumsum(np.arange(j + 1, 0, -1)) * (n_open + 1)
    marks = np.searchsorted(cells, np.arange(1, math.ceil(cells[-1] / (SLICE >> 2)) + 1)
                            * (SLICE >> 2))
    bounds = np.unique(np.concatenate([[0], np.minimum(marks + 1, j + 1), [j + 1]]))
    chunks = [(int(a), int(b)) for a, b in pairwise(bounds)]
    run_ranges(
        lambda a, b: kernels.two_label_ends(law, both, problem.n, two.differ, two.open_, n_open,
                                            problem.base == "partition", a, b, rows),
        chunks, [b - a for a, b in chunks],
        progress=lambda done, total: limits.check(0.5 + 0.5 * done / total, "two labels: ends"))
    return (math.fsum(rows[:, 0]), math.fsum(rows[:, 1])), two.n_states

