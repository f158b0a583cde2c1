"""Expected values of indices: a hard clustering against labels drawn from memberships."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import Any

from .._checks import ClusteringError, InexactWarning, check_choice, check_whole, shown
from .._records import Columns, Drawn, Record
from .._summary import SummaryTable, right
from .._text import number
from .._warnings import warn
from ..clusterings import Clustering
from ..measures.joint import as_joint
from .index_laws import (
    COUNT_INDICES,
    PAIR_INDICES,
    Classes,
    Expectation,
    count_index_bounds,
    pair_index_bounds,
)
from .problem import LimitReached, Limits, Side, reporting

INDICES = (*PAIR_INDICES, *COUNT_INDICES)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedIndex(Drawn, Record):
    """The expected value of an index with what is proved of it; ``float(result)`` is `value`.

    Attributes
    ----------
    index : str
    value : float
        The expected value; when `exact` is False, a number between `low` and `high`.
    low, high : float
        Proved bounds. When `exact`, they hold what rounding and probabilities below 1e-15 can
        do: about 1e-14 n wide.
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

    def __float__(self) -> float:
        return self.value

    def _table(self) -> SummaryTable:
        notes = [] if self.status == "ok" else [
            f"Stopped by {self.status}: the bounds are proved, the value is a number between."]
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


def expected_index(truth: Any, fuzzy: Any = None, *, index: str, max_states: int = 2_000_000,
                   time_limit: float | None = None, progress: Any = None) -> ExpectedIndex:
    r"""Expected index of a hard clustering against labels drawn from a fuzzy one.

    Every object draws its label from its memberships, independently; the index of the drawn
    clustering against `truth` is averaged over all draws, exactly and without drawing.

    Parameters
    ----------
    truth : clustering-like
        A hard clustering; or a `Joint` and no `fuzzy`.
    fuzzy : clustering-like
        A fuzzy clustering of the same n >= 2 objects. The content decides: a clustering of any
        kind whose masses are all on single clusters is fuzzy.
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
        Exact value with bounds of rounding; ``float(result)`` is the value. Jaccard and
        adjusted Rand count 0/0 as 1; Fowlkes-Mallows is 0 when one clustering has no pair, 1
        when both have none.

    Raises
    ------
    ClusteringError
        If `truth` is not hard or `fuzzy` is not fuzzy (nothing is hardened), or the objects
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

    An open problem of the paper, solved for a hard and a fuzzy side. Mutual information,
    variation of information and purity are sums over single counts of the contingency table,
    which are Poisson-binomial: O(n^1.5 c) time. The others depend on the joint pairs n11 and
    the column sums s. For given s Fowlkes-Mallows and adjusted Rand are linear in n11, so
    P(s) and E(n11; s), convolved over the classes, suffice; Jaccard is
    (n_x + n_y)/(n_x + n_y - n11) - 1, and 1/z = sum_k w_k exp(-r_k z) to 14 digits, which
    factorises over the classes: some 60 convolutions. Time O(n^4) with a tiny constant for three
    clusters, O(n^2) for two. What is too large for `max_states` is bounded by means and
    variances of the pair counts, with width O(1/n). The expected Rand index is
    ``transport_rand_index(truth, fuzzy).value``. No R package computes these values.

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
        found, status = _solve(index, classes, limits)
    if status != "ok":
        warn(
            f"{index}: stopped by {status}; the expected value is proved to lie in "
            f"[{found.low:.6g}, {found.high:.6g}]", InexactWarning, stacklevel=2)
    return ExpectedIndex(
        index=index, value=found.value, low=found.low, high=found.high, exact=status == "ok",
        method=found.method, n_states=found.n_states, seconds=time.monotonic() - start,
        status=status, n_objects=joint.n_objects)


def _solve(index: str, classes: Classes, limits: Limits) -> tuple[Expectation, str]:
    """The expectation and "ok"; or its bounds and the limit that was hit."""
    try:
        limits.check(text=f"expected {index}")
        if index in COUNT_INDICES:
            return COUNT_INDICES[index](classes, limits), "ok"
        found = PAIR_INDICES[index](classes, limits)
        if isinstance(found, Expectation):
            return found, "ok"
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


def _side(name: str, clustering: Clustering, needed: str) -> Side:
    """The clustering as independent random labels, when its content is of the kind needed."""
    found = clustering.kind
    if clustering.mass_table().nonempty.size == 0:    # no mass on the empty set
        side = Side(clustering)
        if side.kind == "hard" or side.kind == needed:
            return side
        found = side.kind if found in ("fuzzy", "rough") else found
    advice = ("exchange the two if the other one is hard, or harden it yourself"
              if needed == "hard" else
              "transport_dissimilarity takes every kind; to_fuzzy() makes memberships by a rule")
    raise ClusteringError(f"{name} is {found}; a {needed} clustering is needed ({advice})")
