"""Expected values of indices of a hard clustering against random labels.

The labels are independent, object i has label b with probability u[i, b]. Sums of functions of
single counts (mutual information, variation of information, purity) need only Poisson-binomial
laws. Indices of pair counts are functions f(n11, n_y): Fowlkes-Mallows and adjusted Rand are linear
in n11 for fixed column sums, Jaccard is (n_x + n_y)/(n_x + n_y - n11) - 1 and 1/z a sum of
exponentials of z, under whose expectation the classes factorise.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..._checks import ClusteringError, InexactWarning, check_choice, check_whole, shown
from ..._types import ClusteringLike
from ...clusterings import Clustering
from ...measures.joint import as_joint
from ...results.records import Columns, Drawn, Record, Valued
from ...results.summary import SummaryTable, right
from ...results.text import number
from ...running.warnings import warn
from . import _kernels
from .hard_and_random import Cells, likely_cells
from .laws import SumLaw, count_law
from .problem import LimitReached, Limits, RandomSide, Report, reporting

#: total probability that the laws of all rows may drop
DROP = 1e-15
#: multiplications between two checks of the clock, about 20 ms
SLICE = 1 << 25
#: cells whose offsets differ by at most this are added together
PAD = 32
#: multiplications per allowed state: 2e6 states take some seconds
STEPS_PER_STATE = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Expectation:
    """A proved interval of an expected index and how it was found."""

    low: float
    high: float
    value: float
    method: str
    n_states: int = 0


class Classes:
    """The objects of each class of the hard side with their memberships in the labels in use."""

    def __init__(self, labels: np.ndarray, membership: np.ndarray) -> None:
        _, codes = np.unique(labels, return_inverse=True)
        used = np.flatnonzero((membership > 0).any(axis=0))
        self.membership = np.ascontiguousarray(membership[:, used])
        self.codes = codes.ravel()
        self.sizes = np.bincount(self.codes)
        self.n = int(labels.shape[0])
        self.n_labels = int(used.shape[0])
        self.pairs = self.n * (self.n - 1) // 2
        #: pairs of objects of one class
        self.pairs_x = int((self.sizes * (self.sizes - 1) // 2).sum())

    def members(self, a: int) -> np.ndarray:
        """Memberships of the objects of class a."""
        return self.membership[self.codes == a]

    def count(self, a: int | None, b: int, limits: Limits) -> SumLaw:
        """The law of the number of objects of class a (None: of all) with label b."""
        u = self.membership if a is None else self.members(a)
        return count_law(u[:, b], limits)


# -- sums of functions of single counts ---------------------------------------------------------
def _entropy_term(t: np.ndarray, n: int) -> np.ndarray:
    """-(t/n) log(t/n), 0 at 0."""
    share = t / n
    return -share * np.log(np.where(share > 0, share, 1.0))


def _entropies(classes: Classes, limits: Limits) -> tuple[float, float, float]:
    """Entropy of the classes, expected entropy of the labels, expected joint entropy; nats."""
    def mean(law: SumLaw) -> float:
        return float(law.p @ _entropy_term(law.values, classes.n))

    labels = range(classes.n_labels)
    of_x = float(_entropy_term(classes.sizes, classes.n).sum())
    of_y = math.fsum(mean(classes.count(None, b, limits)) for b in labels)
    joint = math.fsum(mean(classes.count(a, b, limits))
                      for a in range(classes.sizes.shape[0]) for b in labels)
    return of_x, of_y, joint


def _rounded(value: float, classes: Classes, scale: float) -> Expectation:
    """An exact result >= 0 with a margin for rounding, relative to `scale`."""
    slack = 16.0 * classes.n * 2.0 ** -53 * scale
    value = max(value, 0.0)
    return Expectation(low=max(0.0, value - slack), high=value + slack, value=value,
                       method="laws of counts", n_states=classes.n + 1)


def mutual_information(classes: Classes, limits: Limits) -> Expectation:
    """Expected mutual information, nats."""
    of_x, of_y, joint = _entropies(classes, limits)
    return _rounded(of_x + of_y - joint, classes, 1.0 + joint)


def variation_of_information(classes: Classes, limits: Limits) -> Expectation:
    """Expected variation of information, nats."""
    of_x, of_y, joint = _entropies(classes, limits)
    return _rounded(2 * joint - of_x - of_y, classes, 1.0 + joint)


def purity(classes: Classes, limits: Limits) -> Expectation:
    """Expected share of objects that belong to the largest class of their label."""
    total = 0.0
    for b in range(classes.n_labels):
        below = np.ones(int(classes.sizes.max()) + 1)   # P(all counts <= t)
        for a in range(classes.sizes.shape[0]):
            law = classes.count(a, b, limits)
            cumulative = np.ones_like(below)
            cumulative[:law.low] = 0.0
            cumulative[law.low:law.low + law.p.shape[0]] = np.cumsum(law.p)
            below *= cumulative
        total += float(np.sum(1.0 - below))
    expectation = _rounded(total / classes.n, classes, 1.0)
    return replace(expectation, high=min(1.0, expectation.high),
                   value=min(1.0, expectation.value))


# -- indices of pair counts ---------------------------------------------------------------------
class ColumnSums:
    """Sums over the joint law of all rows, sorted by column sums.

    A column sum vector is one index of a flat array: its first c - 1 digits, minus their least
    values, in a mixed radix. Convolving two laws is adding indices.
    """

    def __init__(self, classes: Classes, limits: Limits) -> None:
        self.classes, self.limits = classes, limits
        order = np.argsort(-classes.sizes, kind="stable")
        self.rows: list[Cells] = []
        for a in order:
            self.rows.append(likely_cells(classes.members(int(a)), limits, DROP / order.shape[0]))
        self.kept = math.prod(math.fsum(p) for _, p in self.rows)
        digits = classes.n_labels - 1
        offsets = [counts[:, :digits].min(axis=0) for counts, _ in self.rows]
        spans = [counts[:, :digits].max(axis=0) - low for (counts, _), low
                 in zip(self.rows, offsets)]
        radix = np.sum(spans, axis=0).astype(np.int64) + 1
        self.length = math.prod(radix.tolist())
        if self.length > limits.max_states:
            return   # nothing that long is built
        stride = np.append(np.cumprod(radix[::-1])[::-1][1:], 1).astype(np.int64)[:digits]
        self.offsets = [(counts[:, :digits] - low) @ stride if digits else
                        np.zeros(counts.shape[0], dtype=np.int64)
                        for (counts, _), low in zip(self.rows, offsets)]
        sums = np.array(np.unravel_index(np.arange(self.length), tuple(radix))
                        if digits else np.zeros((0, 1), dtype=np.int64))
        sums = sums + np.sum(offsets, axis=0)[:, None]
        last = classes.n - sums.sum(axis=0)
        #: pairs of objects with one label; column sums that cannot occur get 0
        self.pairs_y = np.where(last < 0, 0, (sums * (sums - 1) // 2).sum(axis=0)
                                + last * (last - 1) // 2)
        #: pairs of one class and label in each cell
        self.joint_pairs = [(counts * (counts - 1) // 2).sum(axis=1) for counts, _ in self.rows]

    def steps(self) -> float:
        """Multiplications of one convolution of all rows."""
        total, span = 0.0, 1
        for offsets in self.offsets:
            total += float(span) * offsets.shape[0]
            span += int(offsets[-1])
        return total

    def product(self, weights: list[np.ndarray]) -> np.ndarray:
        """The law of the column sums when the cells of row a weigh weights[a]."""
        law, span = np.ones(1), 1
        for offsets, weight in zip(self.offsets, weights):
            law, span = self._add(law, span, offsets, weight), span + int(offsets[-1])
        return self._full(law)

    def _full(self, law: np.ndarray) -> np.ndarray:
        full = np.zeros(self.length)
        full[:law.shape[0]] = law
        return full

    def _add(self, law: np.ndarray, span: int, offsets: np.ndarray, weight: np.ndarray
             ) -> np.ndarray:
        out = np.zeros(span + int(offsets[-1]))
        padded = np.zeros(span + 2 * PAD)
        padded[PAD:PAD + span] = law
        step = max(4, SLICE // span)
        for start in range(0, offsets.shape[0], step):
            _kernels.row_laws.add_shifted(
                padded, PAD, offsets, weight, start, min(start + step, offsets.shape[0]), out)
            self.limits.check()
        return out

    def moments(self) -> tuple[np.ndarray, np.ndarray]:
        """P(column sums) and E(n11; column sums)."""
        law, mean, span = np.ones(1), np.zeros(1), 1
        for offsets, (_, p), pairs in zip(self.offsets, self.rows, self.joint_pairs):
            mean = (self._add(mean, span, offsets, p)
                    + self._add(law, span, offsets, p * pairs))
            law = self._add(law, span, offsets, p)
            span += int(offsets[-1])
        return self._full(law), self._full(mean)


def _states(classes: Classes) -> float:
    """Cells of all row laws and of the column sums, at most, known beforehand."""
    digits = classes.n_labels - 1
    free = [int((u < 1.0).all(axis=1).sum()) for u in
            (classes.members(a) for a in range(classes.sizes.shape[0]))]
    return sum(float(m + 1) ** digits for m in free)


def _column_sums(classes: Classes, limits: Limits, convolutions: int) -> ColumnSums | str:
    """The column sums, or the reason why they are too many."""
    states = _states(classes)
    if states <= limits.max_states:
        sums = ColumnSums(classes, limits)
        states = float(sums.length)
        if states <= limits.max_states:
            states = sums.steps() * convolutions / STEPS_PER_STATE
        if states <= limits.max_states:
            return sums
    return limits.too_many(states)


def _linear(classes: Classes, limits: Limits, slope: Callable[[np.ndarray], np.ndarray],
            offset: Callable[[np.ndarray], np.ndarray], method: str) -> Expectation | str:
    """E(slope(n_y) n11 + offset(n_y))."""
    sums = _column_sums(classes, limits, 3)
    if isinstance(sums, str):
        return sums
    law, mean = sums.moments()
    occurs = law > 0
    pairs_y = sums.pairs_y[occurs].astype(float)
    value = float(slope(pairs_y) @ mean[occurs] + offset(pairs_y) @ law[occurs])
    return _with_error(sums, value, 0.0, method)


def _with_error(sums: ColumnSums, value: float, error: float, method: str) -> Expectation:
    """Widen by `error`, by the probability dropped (indices lie in [-1, 1]) and by rounding."""
    error += (1.0 - min(1.0, sums.kept)) + 32.0 * sums.classes.n * 2.0 ** -53
    return Expectation(low=max(-1.0, value - error), high=min(1.0, value + error),
                       value=min(1.0, value), method=method, n_states=sums.length)


def fowlkes_mallows(classes: Classes, limits: Limits) -> Expectation | str:
    """Expected Fowlkes-Mallows index; 0 if one clustering has no pairs, 1 if both have none."""
    x = float(classes.pairs_x)

    def slope(y: np.ndarray) -> np.ndarray:
        return np.where((y > 0) & (x > 0), 1.0 / np.sqrt(np.maximum(1.0, x * y)), 0.0)

    def offset(y: np.ndarray) -> np.ndarray:
        return np.where((y == 0) & (x == 0), 1.0, 0.0)

    return _linear(classes, limits, slope, offset, "column sums")


def adjusted_rand(classes: Classes, limits: Limits) -> Expectation | str:
    """Expected adjusted Rand index; 1 where it is 0/0."""
    x, n = float(classes.pairs_x), float(classes.pairs)

    def slope(y: np.ndarray) -> np.ndarray:
        room = (x + y) / 2 - x * y / n
        trivial = (x == y) & ((y == 0) | (y == n))
        return np.where(trivial, 0.0, 1.0 / np.where(trivial, 1.0, room))

    def offset(y: np.ndarray) -> np.ndarray:
        trivial = (x == y) & ((y == 0) | (y == n))
        return np.where(trivial, 1.0, -slope(y) * (x * y / n))

    return _linear(classes, limits, slope, offset, "column sums")


#: step of the trapezoidal rule for 1/z; relative error below 2e-14 by Poisson's formula
_NODE_STEP = 0.28


def jaccard(classes: Classes, limits: Limits) -> Expectation | str:
    """Expected Jaccard index; 1 if no clustering has a pair.

    z = (n_x + n_y - n11)/n_x is at least 1, and 1/z is the integral of exp(y - z exp(y)): the
    trapezoidal rule is a sum of exponentials of z. Nodes below `low` are summed up in closed
    form, exp(-v) as 1 - v.
    """
    x = float(classes.pairs_x)
    if x == 0:
        return _linear(classes, limits, np.zeros_like, lambda y: np.where(y == 0, 1.0, 0.0),
                       "column sums")
    largest = 1.0 + classes.pairs / x
    h = _NODE_STEP
    low = -math.log(largest) - 10.3
    rates = np.exp(np.arange(low, math.log(45.0), h))
    sums = _column_sums(classes, limits, rates.shape[0] + 3)
    if isinstance(sums, str):
        return sums
    law, mean = sums.moments()
    pairs_y = sums.pairs_y / x
    head = h * rates[0] / math.expm1(h)
    bend = h * rates[0] ** 2 / math.expm1(2 * h)
    inverse = head * law - bend * ((1.0 + pairs_y) * law - mean / x)   # E(1/z; column sums)
    apart = [(int(counts[0].sum()) * (int(counts[0].sum()) - 1) // 2 - joint) / x
             for (counts, _), joint in zip(sums.rows, sums.joint_pairs)]
    for k, rate in enumerate(rates):
        limits.check(k / rates.shape[0], "expected jaccard")
        part = sums.product([p * np.exp(-rate * v) for (_, p), v in zip(sums.rows, apart)])
        inverse += h * rate * np.exp(-rate * pairs_y) * part
    value = max(0.0, float(np.sum((1.0 + pairs_y) * inverse)) - float(np.sum(law)))
    # 1/z within 2e-14 relative, the closed form within exp(-30.9)/6, the upper end exp(-45).
    return _with_error(sums, value, 5e-14 * (2.0 + value), "column sums, exponentials")


PAIR_INDICES: dict[str, Callable[[Classes, Limits], Expectation | str]] = {
    index.__name__: index for index in (jaccard, fowlkes_mallows, adjusted_rand)}
COUNT_INDICES: dict[str, Callable[[Classes, Limits], Expectation]] = {
    index.__name__: index for index in (mutual_information, variation_of_information, purity)}


# -- proved bounds of expected indices when exact laws are too large ------------------------------
# An index of pair counts is a smooth function f(q, w) of q = n11 and w = n_y. Around the means
# |E f - f(mean)| is at most the second-order term with the largest second derivatives in a box
# that (q, w) leaves with probability `OUTSIDE` at most (McDiarmid), plus what may happen outside;
# variances are bounded by Efron and Stein. The width is O(1/n).
OUTSIDE = 1e-12
METHOD = "moments"


@dataclass(frozen=True, slots=True, kw_only=True)
class PairCount:
    """A random number of pairs: mean, bound of its variance, interval it leaves rarely."""

    mean: float
    variance: float
    low: float
    high: float


def _pair_count(groups: list[np.ndarray], max_pairs: float) -> PairCount:
    """Pairs of objects with equal labels within the groups; memberships (n_a, c) each."""
    mean, variance, changes = 0.0, 0.0, 0.0
    for u in groups:
        sums, spread = u.sum(axis=0), (u * (1.0 - u)).sum(axis=0)
        mean += (float(sums @ sums) - float(np.sum(u * u))) / 2
        others = sums - u                      # mean number of other objects with each label
        centre = np.sum(u * others, axis=1, keepdims=True)
        # The count moves with object i by the others with its label.
        variance += float(np.sum(u * (spread - u * (1.0 - u) + (others - centre) ** 2)))
        free = int((u < 1.0).all(axis=1).sum())
        changes += free * float(u.shape[0] - 1) ** 2
    reach = math.sqrt(changes * math.log(4.0 / OUTSIDE) / 2)
    return PairCount(mean=mean, variance=variance * (1 + 1e-9), low=max(0.0, mean - reach),
                     high=min(max_pairs, mean + reach))


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """f at the means: value, gradient, largest second derivatives in the box."""

    value: float
    gradient: tuple[float, float]
    bends: tuple[float, float, float]


def _jaccard(x: float, pairs: float, q: PairCount, w: PairCount) -> Shape:
    """f = q/(x + w - q)."""
    d, smallest = x + w.mean - q.mean, x + w.low - q.high
    return Shape(value=q.mean / d, gradient=((x + w.mean) / d ** 2, -q.mean / d ** 2),
                 bends=(2 * (x + w.low) / smallest ** 3, (x + w.low + q.high) / smallest ** 3,
                        2 * q.high / smallest ** 3))


def _fowlkes_mallows(x: float, pairs: float, q: PairCount, w: PairCount) -> Shape:
    """f = q/sqrt(x w)."""
    root, smallest = math.sqrt(x * w.mean), math.sqrt(x * w.low)
    return Shape(value=q.mean / root, gradient=(1 / root, -q.mean / (2 * root * w.mean)),
                 bends=(0.0, 1 / (2 * smallest * w.low), 0.75 * q.high / (smallest * w.low ** 2)))


def _adjusted_rand(x: float, pairs: float, q: PairCount, w: PairCount) -> Shape | None:
    """f = (q - k w)/(x/2 + h w), k = x/pairs, h = 1/2 - k."""
    k = x / pairs
    h = 0.5 - k
    d, smallest = x / 2 + h * w.mean, x / 2 + min(h * w.low, h * w.high)
    if smallest <= 0:
        return None
    return Shape(value=(q.mean - k * w.mean) / d,
                 gradient=(1 / d, -(k * x / 2 + h * q.mean) / d ** 2),
                 bends=(0.0, abs(h) / smallest ** 2,
                        2 * abs(h) * (k * x / 2 + abs(h) * q.high) / smallest ** 3))


_SHAPES: dict[str, tuple[Callable[[float, float, PairCount, PairCount], Shape | None], float]] = {
    "jaccard": (_jaccard, 0.0), "fowlkes_mallows": (_fowlkes_mallows, 0.0),
    "adjusted_rand": (_adjusted_rand, -1.0)}


def pair_index_bounds(index: str, classes: Classes) -> Expectation:
    """Bounds of the expected index of pair counts called `index`; time O(n c)."""
    shape_of, smallest = _SHAPES[index]
    x = float(classes.pairs_x)
    groups = [classes.members(a) for a in range(classes.sizes.shape[0])]
    q = _pair_count(groups, x)
    w = _pair_count([classes.membership], float(classes.pairs))
    trivial = Expectation(low=smallest, high=1.0, value=(smallest + 1.0) / 2, method=METHOD)
    if min(x, w.low, x + w.low - q.high) <= 0:
        return trivial
    shape = shape_of(x, float(classes.pairs), q, w)
    if shape is None:
        return trivial
    dq, dw = math.sqrt(q.variance), math.sqrt(w.variance)
    error = ((shape.bends[0] * dq * dq + 2 * shape.bends[1] * dq * dw
              + shape.bends[2] * dw * dw) / 2
             + (abs(shape.gradient[0]) * dq + abs(shape.gradient[1]) * dw) * math.sqrt(OUTSIDE)
             + 2 * OUTSIDE + 1e-12 + 32.0 * classes.n * 2.0 ** -53)
    if not error < 1.0 - smallest:
        return trivial
    low, high = max(smallest, shape.value - error), min(1.0, shape.value + error)
    return Expectation(low=low, high=high, value=min(high, max(low, shape.value)), method=METHOD)


def count_index_bounds(index: str, classes: Classes) -> Expectation:
    """Bounds of the expected index of single counts called `index`, that always hold."""
    share = classes.sizes / classes.n
    entropy = -float(np.sum(share * np.log(share)))
    low, high = (float(share.max()), 1.0) if index == purity.__name__ else (0.0, entropy)
    if index == variation_of_information.__name__:
        high += math.log(classes.n_labels)
    return Expectation(low=low, high=high, value=(low + high) / 2, method="range")


# -- the public function --------------------------------------------------------------------------
INDICES = (*PAIR_INDICES, *COUNT_INDICES)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ExpectedIndex(Valued, Drawn, Record):
    """Expected value of an index with proved bounds; ``float(result)`` is `value`.

    Attributes
    ----------
    index : str
    value : float
        The expected value; when `exact` is False, a number between `low` and `high`.
    low, high : float
        Proved bounds. When `exact`, they allow for rounding and probabilities below 1e-15, and are
        about 1e-14 n wide.
    exact : bool
        Whether the value was computed from exact laws.
    method : str
        "laws of counts", "column sums", "column sums, exponentials"; not exact: "moments",
        "range".
    n_states : int
        Cells of the law that was built.
    seconds : float
        Time of the call.
    status : str
        "ok", or the limit that was hit: "max_states", "time_limit", "cancelled".
    n_objects : int

    Notes
    -----
    ``to_frame()``: one row: value, low, high, exact, method, n_states, seconds, status. Indexed by
    the name of the index.

    Examples
    --------
    >>> import softclust
    >>> result = softclust.expected_index([0, 1, 1], [[1, 0], [.5, .5], [0, 1]], index="purity")
    >>> round(float(result), 6), result.low <= result.value <= result.high
    (0.833333, True)
    """

    _chart = "plot_expected_index"

    index: str
    value: float
    low: float
    high: float
    exact: bool
    method: str
    n_states: int
    seconds: float
    status: str
    n_objects: int

    def _table(self) -> SummaryTable:
        notes = [] if self.status == "ok" else [
            f"Stopped by {self.status}: the bounds are proved; the value is a number between them."]
        return SummaryTable.of(
            {"index": [self.index], "expected": right([self.value], number),
             "is": ["exact" if self.exact else "bounded"],
             "bounds": right(["" if self.exact else f"[{number(self.low)}, {number(self.high)}]"]),
             "method": [self.method]},
            title=f"Expected index, hard and fuzzy, {self.n_objects} objects, "
                  f"{self.seconds:.3g} s", notes=notes)

    def _frame(self) -> Columns:
        return Columns({name: [getattr(self, name)] for name in (
            "value", "low", "high", "exact", "method", "n_states", "seconds", "status")},
            {"index": [self.index]})


def expected_index(truth: ClusteringLike, fuzzy: ClusteringLike | None = None, *, index: str,
                   max_states: int = 2_000_000, time_limit: float | None = None,
                   progress: Report | bool | None = False) -> ExpectedIndex:
    r"""Expected index of a hard clustering against labels drawn from a fuzzy one.

    Every object independently draws its label from its memberships; the index of the drawn
    clustering against `truth` is averaged over all possible draws, exactly and without sampling.

    Parameters
    ----------
    truth : clustering-like
        A hard clustering; or a `Joint` and no `fuzzy`.
    fuzzy : clustering-like
        A fuzzy clustering of the same n >= 2 objects. A clustering of any kind whose masses are all
        on single clusters counts as fuzzy.
    index : str
        "jaccard", "fowlkes_mallows", "adjusted_rand", "mutual_information",
        "variation_of_information" (both in nats) or "purity": the share of objects in the class
        of `truth` that is most frequent under their drawn label.
    max_states : int, optional
        Largest number of cells of a distribution of counts that may be built.
    time_limit : float, optional
        Seconds after which the bounds proved so far are returned.
    progress : bool or callable, optional
        True for a bar; or ``progress(fraction, text)``, which cancels by returning False.

    Returns
    -------
    ExpectedIndex
        Exact value with bounds on rounding; ``float(result)`` is the value. Jaccard and
        adjusted Rand count 0/0 as 1; Fowlkes-Mallows is 0 when one clustering has no pair, 1
        when both have none.

    Raises
    ------
    ClusteringError
        If `truth` is not hard or `fuzzy` is not fuzzy (neither is converted), or the objects
        differ.
    ValueError
        If an option is out of range.

    Warns
    -----
    InexactWarning
        If a limit was hit: `low` and `high` are proved, the value is a number between them.

    See Also
    --------
    transport_rand_index, adjusted_rand_index, chance

    Notes
    -----
    .. math:: \mathrm{E} \, S(x, Z), \quad Z_i \sim u_i \text{ independently}

    This solves an open problem of the paper for a hard and a fuzzy side. Mutual information,
    variation of information and purity are sums over single counts of the contingency table, which
    are Poisson-binomial: O(n^1.5 c) time. The others depend on the joint pairs n11 and the column
    sums s. For given s Fowlkes-Mallows and adjusted Rand are linear in n11, so P(s) and E(n11; s),
    convolved over the classes, suffice; Jaccard is (n_x + n_y)/(n_x + n_y - n11) - 1, and 1/z =
    sum_k w_k exp(-r_k z) to 14 digits, which factorises over the classes: about 60 convolutions.
    Time O(n^4) with a tiny constant for three clusters, O(n^2) for two. Problems too large for
    `max_states` are bounded by means and variances of the pair counts, with width O(1/n). The
    expected Rand index is the value of `transport_rand_index`. No R package computes these values.

    Theory: docs/theory/transport.md.

    References
    ----------
    A. Campagner, D. Ciucci, T. Denoeux (2023), A general framework for evaluating and comparing
    soft clusterings, Information Sciences 623, 70-93.

    Examples
    --------
    >>> import softclust
    >>> truth = [0, 1, 1, 2, 0]
    >>> fuzzy = [[1, 0, 0], [0, 1, 0], [0, .5, .5], [0, 0, 1], [.25, .5, .25]]
    >>> result = softclust.expected_index(truth, fuzzy, index="jaccard")
    >>> round(result.value, 6), result.exact
    (0.270833, True)
    """
    start = time.monotonic()
    check_choice("index", index, INDICES)
    limits = _limits(max_states, time_limit, start)
    joint = as_joint(truth, fuzzy)
    classes = Classes(_side("truth", joint.x, "hard").labels,
                      _side("fuzzy", joint.y, "fuzzy").membership)
    with reporting(progress) as limits.report:
        expectation, status = _solve(index, classes, limits)
    if status != "ok":
        warn(
            f"{index}: stopped by {status}; the expected value is proved to lie in "
            f"[{expectation.low:.6g}, {expectation.high:.6g}]", InexactWarning, stacklevel=2)
    return ExpectedIndex(
        index=index, value=expectation.value, low=expectation.low, high=expectation.high,
        exact=status == "ok", method=expectation.method, n_states=expectation.n_states,
        seconds=time.monotonic() - start, status=status, n_objects=joint.n_objects)


def _solve(index: str, classes: Classes, limits: Limits) -> tuple[Expectation, str]:
    """The expectation and "ok"; or its bounds and the limit that was hit."""
    try:
        limits.check(text=f"expected {index}")
        if index in COUNT_INDICES:
            return COUNT_INDICES[index](classes, limits), "ok"
        result = PAIR_INDICES[index](classes, limits)
        if isinstance(result, Expectation):
            return result, "ok"
        status = "max_states"
    except LimitReached as stop:
        status = stop.status
    except KeyboardInterrupt:
        status = "cancelled"
    bounds = count_index_bounds if index in COUNT_INDICES else pair_index_bounds
    return bounds(index, classes), status


def _limits(max_states: Any, time_limit: Any, start: float) -> Limits:
    if time_limit is not None and not time_limit > 0:
        raise ValueError(f"time_limit is {shown(time_limit)}; seconds > 0 or None are needed")
    return Limits(max_states=check_whole("max_states", max_states),
                  deadline=math.inf if time_limit is None else start + float(time_limit))


def _side(name: str, clustering: Clustering, needed: str) -> RandomSide:
    """The clustering as independent random labels, when its content is of the kind needed."""
    kind = clustering.kind
    if clustering.mass_table().nonempty.size == 0:    # no mass on the empty set
        side = RandomSide(clustering)
        if side.kind == "hard" or side.kind == needed:
            return side
        kind = side.kind if kind in ("fuzzy", "rough") else kind
    advice = ("exchange the two if the other one is hard, or harden it yourself"
              if needed == "hard" else
              "transport_dissimilarity takes every kind; to_fuzzy() makes memberships by a rule")
    raise ClusteringError(f"{name} is {kind}; a {needed} clustering is needed ({advice})")
