"""Laws of sums of independent integers, and how much of them lies above zero.

Certificates of transport values need E(X)^+ of sums X of independent integers. All bounds here
are upper bounds: what was cut off counts as if it had the largest value.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from . import _kernels
from .problem import Limits

#: ends of a law below this are cut off; 1e6 terms lose some 1e-24
TINY = 1e-30
#: multiplications between two looks at the clock: some 20 ms
SLICE = 1 << 24
#: from this many terms on Chernoff's bound is tried before the law
MANY_TERMS = 1000
#: largest exponent of one term in a moment generating function
STEEPEST = 20.0
_GOLDEN = (math.sqrt(5.0) - 1.0) / 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Law:
    """The law of a bounded random integer.

    Attributes
    ----------
    p : (k,) float64
        Probabilities of the values `first`, `first` + 1, ...
    first : int
    dropped : float
        Probability outside `p`, at most.
    least, most : int
        Range of the integer.
    """

    p: np.ndarray
    first: int
    dropped: float
    least: int
    most: int

    @property
    def values(self) -> np.ndarray:
        """The values that `p` belongs to, (k,) int64."""
        return np.arange(self.first, self.first + self.p.shape[0])

    def positive(self, shift: float = 0, divisor: int = 1) -> float:
        """Upper bound of E ceil((X + shift) / divisor)^+, exact but for what was dropped.

        A shift that is not whole asks for `divisor` 1 and is not rounded up.
        """
        values = self.values + shift
        most = self.most + shift
        if divisor != 1:
            values = -((-values) // divisor)
            most = -((-most) // divisor)
        positive = values > 0
        return float(self.p[positive] @ values[positive]) + self.dropped * max(0.0, float(most))


def law_of_sum(p: np.ndarray, lo: int = 0, limits: Limits | None = None) -> Law:
    """The law of a sum of independent terms; term i is lo + j with probability p[i, j].

    Parameters
    ----------
    p : (m, w) float64, C order
        Rows sum to 1; zeros at the ends of a row cost nothing.
    lo : int
    limits : Limits, optional
        Asked between slices.
    """
    terms, width = p.shape
    least, most = _range(p, lo)
    pad = width - 1
    laws = np.zeros((2, terms * pad + 1 + 2 * pad))
    laws[0, pad] = 1.0
    state = np.array([0, pad, pad + 1, 0], dtype=np.int64)
    dropped = np.zeros(1)
    at = 0
    while at < terms:
        at = _kernels.row_laws.add_terms(p, at, SLICE, TINY, laws, state, dropped)
        if limits is not None and at < terms:
            limits.check()
    row, begin, end, base = (int(v) for v in state)
    return Law(p=laws[row, begin:end].copy(), first=terms * lo + base + begin - pad,
               dropped=float(dropped[0]), least=least, most=most)


def _range(p: np.ndarray, lo: int) -> tuple[int, int]:
    """Least and largest value of the sum."""
    if p.shape[0] == 0:
        return 0, 0
    occurs = p > 0
    first = occurs.argmax(axis=1)
    last = p.shape[1] - 1 - occurs[:, ::-1].argmax(axis=1)
    return p.shape[0] * lo + int(first.sum()), p.shape[0] * lo + int(last.sum())


def log_moments(p: np.ndarray, lo: int, steps: np.ndarray) -> np.ndarray:
    """log E exp(h X) of a sum X as in `law_of_sum`, for every h of `steps`.

    h times the largest absolute value of one term must be at most `STEEPEST`.
    """
    values = lo + np.arange(p.shape[1], dtype=float)
    return np.array([_kernels.row_laws.log_moments(p, np.exp(h * values)) for h in steps])


def chernoff_positive(p: np.ndarray, lo: int = 0, shift: float = 0.0) -> float:
    """Chernoff's upper bound of E(X + shift)^+ for a sum X as in `law_of_sum`.

    E X^+ <= E exp(h X - 1) / h for every h > 0; the best h by golden section. It also bounds
    E ceil((X + shift) / d)^+ for whole shifts and d >= 1. Time O(m w), 25 times.
    """
    values = lo + np.arange(p.shape[1], dtype=float)
    _, most = _range(p, lo)
    if most + shift <= 0:
        return 0.0
    steepest = STEEPEST / max(1.0, float(np.abs(values).max()))

    def exponent(t: float) -> float:
        h = math.exp(t)
        return (_kernels.row_laws.log_moments(p, np.exp(h * values)) + h * shift
                - 1.0 - t)

    low, high = math.log(1e-4 * steepest), math.log(steepest)
    left, right = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
    at_left, at_right = exponent(left), exponent(right)
    for _ in range(18):
        if at_left <= at_right:
            high, right, at_right = right, left, at_left
            left = high - _GOLDEN * (high - low)
            at_left = exponent(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + _GOLDEN * (high - low)
            at_right = exponent(right)
    # The factor covers the rounding of logarithms and products.
    return min(float(most + shift), math.exp(min(700.0, min(at_left, at_right))) * (1 + 1e-9))


def expected_positive(p: np.ndarray, lo: int = 0, *, shift: float = 0, divisor: int = 1,
                      enough: float = 0.0, limits: Limits | None = None) -> float:
    """Upper bound of E ceil((X + shift) / divisor)^+ for a sum X as in `law_of_sum`.

    Chernoff's bound when the terms are many and it is at most `enough`; else from the law.
    """
    if _range(p, lo)[1] + shift <= 0:
        return 0.0
    bound = math.inf
    if p.shape[0] > MANY_TERMS and enough > 0:
        bound = chernoff_positive(p, lo, shift)
        if limits is not None:
            limits.check()
        if bound <= enough:
            return bound
    return min(bound, law_of_sum(p, lo, limits).positive(shift, divisor))
