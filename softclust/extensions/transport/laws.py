"""Laws of sums of independent integers, and their mean excess over a number.

Certificates of transport values need E (X - s)^+ of sums X of independent integers. All bounds
here are upper bounds: the part cut off counts as if it had the largest value.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...running.threads import run_chunks
from . import _kernels
from .problem import Finding, Limits, Problem, few_labels, parts_of, solver

#: ends of a law below this are cut off; 1e6 terms lose about 1e-24
TINY = 1e-30
#: multiplications between two checks of the clock, about 20 ms
SLICE = 1 << 24
#: from this many terms on Chernoff's bound is tried first
MANY_TERMS = 1000
#: largest exponent of one term in a moment generating function
STEEPEST = 20.0


class SumLaw:
    """The law of a sum X of independent integers; term i is lo + j with probability p[i, j].

    Parameters
    ----------
    p : (m, w) float64
        Rows sum to 1.
    lo : int
    limits : Limits
        Asked between slices.

    Attributes
    ----------
    p : (k,) float64
        Probabilities of the values `low`, ..., `high`.
    low, high : int
    dropped : float
        Probability outside, at most.
    least, most : int
        Range of the sum.
    """

    def __init__(self, p: np.ndarray, lo: int, limits: Limits) -> None:
        terms, width = p.shape
        self.least, self.most = _range(p, lo)
        laws = np.zeros((2, terms * (width - 1) + 1))
        laws[0, 0] = 1.0
        window, dropped, at = np.array([0, 1]), np.zeros(1), 0
        p = np.ascontiguousarray(p)
        while at < terms:
            at = _kernels.row_laws.add_terms(p, at, SLICE, TINY, laws, window, dropped)
            if at < terms:
                limits.check()
        begin, end = (int(w) for w in window)
        self.p = laws[terms % 2, begin:end].copy()
        self.low, self.high = terms * lo + begin, terms * lo + end - 1
        self.dropped = float(dropped[0])

    @classmethod
    def of(cls, values: np.ndarray, mass: np.ndarray, limits: Limits) -> SumLaw:
        """The law of a sum over objects of whole numbers: values and mass, (n, f) each."""
        used = mass > 0.0
        smallest = np.where(used, values, np.inf).min(axis=1)
        steps = np.where(used, values - smallest[:, None], 0.0).astype(np.int64)
        random = steps.any(axis=1)
        steps, mass = steps[random], mass[random]
        p = np.zeros((mass.shape[0], int(steps.max(initial=0)) + 1))
        for s in range(mass.shape[1]):
            p[np.arange(mass.shape[0]), steps[:, s]] += mass[:, s]
        law, shift = cls(p, 0, limits), int(smallest.sum())
        law.low, law.high = law.low + shift, law.high + shift
        law.least, law.most = law.least + shift, law.most + shift
        return law

    @property
    def values(self) -> np.ndarray:
        """The values that `p` belongs to, (k,) int64."""
        return np.arange(self.low, self.high + 1)

    @cached_property
    def _above(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """P(X >= v), E (X - v)^+ and E ((X - v)^+)^2 at the values: sums of positive terms."""
        above = np.cumsum(self.p[::-1])[::-1]
        excess = np.append(np.cumsum(above[1:][::-1])[::-1], 0.0)
        # E ((X - s)^+)^2 = sum over t >= s of 2 E (X - t)^+ - P(X > t).
        terms = np.maximum(2.0 * excess - np.append(above[1:], 0.0), 0.0)
        return above, excess, np.cumsum(terms[::-1])[::-1]

    @property
    def mean(self) -> float:
        """Mean of the sum."""
        above, excess, _ = self._above
        return self.low * float(above[0]) + float(excess[0])

    def excess(self, s: np.ndarray) -> np.ndarray:
        """E (X - s)^+ for whole numbers s."""
        above, excess, _ = self._above
        inside = np.clip(s - self.low, 0, self.high - self.low)
        return (excess[inside] + np.maximum(self.low - s, 0) * above[0]
                + self.dropped * np.maximum(self.most - s, 0))

    def squares(self, s: np.ndarray) -> np.ndarray:
        """E ((X - s)^+)^2 for whole numbers s."""
        above, excess, squares = self._above
        inside = np.clip(s - self.low, 0, self.high - self.low)
        under = np.maximum(self.low - s, 0)
        return (squares[inside] + 2.0 * under * excess[0] + under * under * above[0]
                + self.dropped * np.maximum(self.most - s, 0.0) ** 2)

    def positive(self, shift: int = 0, divisor: int = 1) -> float:
        """E ceil((X + shift) / divisor)^+, exact except for the part dropped."""
        values, largest = -(-(self.values + shift) // divisor), -(-(self.most + shift) // divisor)
        positive = values > 0
        return float(self.p[positive] @ values[positive]) + self.dropped * max(0.0, float(largest))


def _range(p: np.ndarray, lo: int) -> tuple[int, int]:
    """Least and largest value of the sum."""
    if p.shape[0] == 0:
        return 0, 0
    occurs = p > 0
    first = occurs.argmax(axis=1)
    last = p.shape[1] - 1 - occurs[:, ::-1].argmax(axis=1)
    return p.shape[0] * lo + int(first.sum()), p.shape[0] * lo + int(last.sum())


def count_law(p: np.ndarray, limits: Limits) -> SumLaw:
    """Law of the number of objects, the i-th counted with probability p_i."""
    p = np.clip(p[p > 0.0], 0.0, 1.0)
    # 1 - p, not the other memberships: a row may miss 1 by its tolerance.
    return SumLaw(np.column_stack([1.0 - p, p]), 0, limits)


def least_split(first: SumLaw, second: SumLaw) -> float:
    """min over whole s of E (first - s)^+ + E (second + s)^+ (convex in s)."""
    ends = (first.low, first.high, -second.high, -second.low)
    s = np.arange(min(ends), max(ends) + 1)
    return float((first.excess(s) + second.excess(-s)).min())


def chernoff_positive(p: np.ndarray, lo: int = 0, shift: int = 0) -> float:
    """Chernoff's upper bound of E(X + shift)^+ for a sum X as in `SumLaw`.

    E X^+ <= E exp(h X - 1) / h for every h > 0; a good h by a search. It also bounds
    E ceil((X + shift) / d)^+ for d >= 1. Time O(m w), about 20 times.
    """
    from scipy.optimize import minimize_scalar
    values, largest = lo + np.arange(p.shape[1], dtype=float), _range(p, lo)[1] + shift
    if largest <= 0:
        return 0.0
    steepest = math.log(STEEPEST / max(1.0, float(np.abs(values).max())))

    def exponent(t: float) -> float:
        h = math.exp(t)
        return float(np.log(p @ np.exp(h * values)).sum()) + h * shift - 1.0 - t

    minimum = minimize_scalar(exponent, bounds=(steepest - 9.0, steepest), method="bounded",
                            options={"maxiter": 20})
    # The factor covers the rounding of logarithms and products.
    return min(float(largest), math.exp(min(700.0, minimum.fun)) * (1 + 1e-9))


def expected_positive(p: np.ndarray, lo: int, *, limits: Limits, shift: int = 0, divisor: int = 1,
                      enough: float = 0.0) -> float:
    """Upper bound of E ceil((X + shift) / divisor)^+ for a sum X as in `SumLaw`.

    Chernoff's bound when the terms are many and it is at most `enough`; else from the law.
    """
    if _range(p, lo)[1] + shift <= 0:
        return 0.0
    bound = math.inf
    if p.shape[0] > MANY_TERMS and enough > 0:
        bound = chernoff_positive(p, lo, shift)
        limits.check()
        if bound <= enough:
            return bound
    return min(bound, SumLaw(p, lo, limits).positive(shift, divisor))


# -- two labels, one side hard or rough: the joint law of a few counts, then closed forms ---------
#: multiply-adds in about 20 ms
LAW_SLICE = 1 << 24


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoLabels:
    """Counts of the two-label algorithm: objects with a certain effect, and laws of the others.

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


@solver("exact", cost="O(n^3), two labels", cheap=lambda problem: problem.n <= 300,
        fits=lambda problem, limits: few_labels(problem, 2) or limits.too_many(
            problem.kept("two labels", lambda: _two_labels(problem)).n_states))
def two_label_law(problem: Problem, end: str, limits: Limits) -> Finding:
    """Two labels: joint law of the numbers of differing and of open objects, then closed forms."""
    kernels = _kernels.two_labels
    two = problem.kept("two labels", lambda: _two_labels(problem))

    def ends() -> tuple[float, float]:
        j = two.moved.shape[0]
        law = np.zeros((j + 1, j + 1))
        law[0, 0] = 1.0
        spare = np.empty(j + 2)
        first = 0
        while first < j:
            stop = min(j, first + max(1, LAW_SLICE // ((first + 2) * (first + 2))))
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
            lambda a, b: kernels.two_label_ends(law, both, near, two.differ, two.open_, a, b,
                                                rows),
            j + 1, (LAW_SLICE >> 2) // ((j + 1) * (n_open + 1)),
            progress=lambda done, total: limits.check(0.5 + 0.5 * done / total,
                                                      "two labels: ends"))
        return math.fsum(rows[:, 0]), math.fsum(rows[:, 1])

    lower, upper = problem.kept("two label ends", ends)
    return Finding.exact(lower if end == "lower" else upper, n_states=two.n_states)
