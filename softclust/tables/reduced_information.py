"""Reduced information, hard clusterings.

Information that the clusters x tell about a known truth y, less the cost of the table that is
needed to tell it.

M. Jerdee, A. Kirkley, M. E. J. Newman (2024), Mutual information and the encoding of contingency
tables, arXiv 2405.05393.
"""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
from scipy.special import gammaln

from .._checks import check_choice
from .._types import ClusteringLike, SourceLike
from ..measures import Answer, Claim, measure, value_of
from ..measures.statistic import Source
from .contingency import Contingency
from .quotient import quotient

_SOURCE = "Jerdee, Kirkley, Newman (2024)"
_COST = "O(n + r s)"
_AVERAGES = ("arithmetic", "y")
#: values of log alpha tried first, then this many between the neighbours of the best, five times
_FIRST, _NEXT, _ROUNDS = np.linspace(-40.0, 40.0, 41), 21, 5
#: alpha from which the log of a rising factorial is a series: gammaln would lose digits
_SERIES = 32.0


def log_rising(alpha: np.ndarray, t: np.ndarray) -> np.ndarray:
    """log of alpha (alpha + 1) ... (alpha + t - 1) for t >= 1, to 2e-14 t."""
    a, t = np.broadcast_arrays(alpha, np.asarray(t, float))
    z, w = 1.0 / np.maximum(a, _SERIES), 1.0 / (np.maximum(a, _SERIES) + t)
    series = (t * np.log(a) + (a + t - 0.5) * np.log1p(t / a) - t - (z - w) / 12.0
              + (z**3 - w**3) / 360.0 - (z**5 - w**5) / 1260.0)
    return np.where(a < _SERIES, gammaln(a + t) - gammaln(a), series)


def code_length(cells: np.ndarray, sizes: np.ndarray, q: int) -> float:
    """Nats for the labels of q clusters of y, one urn per cluster of x: -L(y|x).

    `cells` are the non-zero counts of the table and `sizes` (r,) those of the clusters of x, none
    empty. The labels of a cluster of x are drawn from an urn of q colours, each of weight alpha; a
    ball goes back with one more of its colour. The minimum over alpha is closed in three cases;
    elsewhere it lies inside and is the only one. Not `scipy.special.betaln`, and not the root of
    the slope: both lose digits for large alpha.
    """
    t, times = np.unique(cells, return_counts=True)
    a, clusters = np.unique(sizes, return_counts=True)
    n = int(sizes.sum())
    if q == 1:
        return 0.0
    if cells.size == sizes.size:   # x refines y: alpha = 0
        return sizes.size * math.log(q)
    within, joined = (sum(k * v * (v - 1) for v, k in zip(values.tolist(), counts.tolist()))
                      for values, counts in ((t, times), (a, clusters)))
    if q * within <= joined:       # the labels of y are spread evenly: alpha infinite
        return n * math.log(q)
    grid, best = _FIRST, n * math.log(q)
    for _ in range(_ROUNDS + 1):
        alpha = np.exp(grid)[:, None]
        lengths = log_rising(q * alpha, a) @ clusters - log_rising(alpha, t) @ times
        k = int(np.argmin(lengths))
        best = min(best, float(lengths[k]))
        grid = np.linspace(grid[max(k - 1, 0)], grid[min(k + 1, grid.size - 1)], _NEXT)
    return best


def _sizes(c: Contingency) -> tuple[np.ndarray, np.ndarray]:
    """Sizes of the clusters of x and of y that are not empty."""
    return c.a[c.a > 0], c.b[c.b > 0]


def _own(sizes: np.ndarray) -> float:
    """RMI(y, y) of a clustering y with these cluster sizes: at least 0."""
    n, q = int(sizes.sum()), sizes.size
    return (code_length(sizes, np.array([n]), q) - q * math.log(q)) / n


def _told(cells: np.ndarray, x: np.ndarray, y: np.ndarray) -> float:
    """RMI of x and the truth y from non-zero counts and cluster sizes."""
    n, q = int(y.sum()), y.size
    return (code_length(y, np.array([n]), q) - code_length(cells, x, q)) / n


def _normalized(c: Contingency, *, average: str = "arithmetic") -> float:
    check_choice("average", average, _AVERAGES)
    x, y = _sizes(c)
    told, own = _told(c.counts, x, y), _own(y)
    if average == "arithmetic":
        told, own = told + _told(c.counts, y, x), own + _own(x)
    return float(quotient(
        told, own, equal=c.same_partition, name="normalized_reduced_mutual_information",
        reason=f"{'y is' if average == 'y' else 'both are'} one cluster or all singletons"))


def _bounds(source: Source) -> tuple[float, float]:
    y = _sizes(source.statistic(Contingency))[1]
    n, q = int(y.sum()), y.size
    return code_length(y, np.array([n]), q) / n - math.log(q), _own(y)


@measure(
    Contingency, lambda c: _told(c.counts, *_sizes(c)),
    sense="agreement", kinds=("hard",), bounds=_bounds, properties=("relabelling-invariant",),
    cost=_COST, source=_SOURCE, in_compare=False, abbreviations=("RMI",),
)
def reduced_mutual_information(x: SourceLike, y: ClusteringLike | None = None) -> float:
    r"""Information that x tells about the truth y, less the cost of the table that tells it.

    Parameters
    ----------
    x, y
        y is the truth.

    Returns
    -------
    float
        In nats per object; times n / log 2 it is the total in bits. 0 where x or y is one cluster
        or y is all singletons; below 0 where the table costs more than it tells, which does not
        mean worse than chance. At most its value for x = y. Never undefined.

    See Also
    --------
    normalized_reduced_mutual_information
    mutual_information, adjusted_mutual_information

    Notes
    -----
    .. math::

        \frac{1}{n} ( \max_\alpha \log P_\alpha(y \mid x) - \max_\alpha \log P_\alpha(y) )

    where the labels of y are drawn from an urn of q colours, each of weight alpha, in which a ball
    goes back with one more of its colour: one urn for all objects, or a fresh one for each cluster
    of x. It tends to the mutual information as n grows and can exceed it. Not symmetric, and
    not corrected for chance: `chance` gives its mean under permutation.

    Both maxima are exact to 1e-9 per object. Time O(n + r s), then milliseconds: only distinct
    counts matter. The package clustering-mi has it in bits for all
    objects, to 1e-3 of these: it searches the maxima on a bounded interval.

    Theory: docs/theory/hard-measures.md.

    References
    ----------
    M. Jerdee, A. Kirkley, M. E. J. Newman (2024), Mutual information and the encoding of
    contingency tables, arXiv 2405.05393.

    Examples
    --------
    >>> import softclust
    >>> truth = [0] * 50 + [1] * 50
    >>> split = [0] * 25 + [2] * 25 + [1] * 50
    >>> round(softclust.reduced_mutual_information(truth, truth), 4)
    0.6793
    >>> round(softclust.reduced_mutual_information(split, truth), 4)
    0.6724
    """
    return value_of(reduced_mutual_information, x, y)


@measure(
    Contingency, _normalized,
    sense="agreement", kinds=("hard",), bounds=(None, 1.0),
    properties=(
        Claim(name="symmetric", options={"average": ("arithmetic",)}, condition='average '
              '"arithmetic"'),
        Claim(name="reflexive", options={"average": _AVERAGES}),
        Claim(name="separating", options={"average": _AVERAGES}),
        Claim(name="relabelling-invariant", options={"average": _AVERAGES}),
    ),
    cost=_COST, source=_SOURCE, in_compare=False, abbreviations=("NRMI",),
    answers=(Answer("told", 1, 'pays for the table that it needs; average="y" forgives splits'),),
)
def normalized_reduced_mutual_information(
        x: SourceLike, y: ClusteringLike | None = None, *,
        average: Literal["arithmetic", "y"] = "arithmetic") -> float:
    r"""Reduced mutual information as a share of what equal clusterings tell.

    The default lowers the value of clusterings that split the truth or merge it. ``average="y"``,
    the form of the authors, asks how much of the truth y is told and forgives splits: of
    clusterings with different numbers of clusters it favours those with many.

    Parameters
    ----------
    x, y
        y is the truth.
    average : {"arithmetic", "y"}, optional
        Divide the sum of both directions by the sum of both own values, or RMI(x, y) by that of y.

    Returns
    -------
    float
        At most 1, and 1 only for equal partitions; no lower bound. Undefined, nan with a warning,
        for unequal partitions where y, or with "arithmetic" both, are one cluster or all
        singletons.

    Raises
    ------
    ValueError
        If `average` is not known.

    See Also
    --------
    reduced_mutual_information
    adjusted_mutual_information
    homogeneity_index

    Notes
    -----
    .. math::

        \frac{R(x, y) + R(y, x)}{R(x, x) + R(y, y)}, \qquad \frac{R(x, y)}{R(y, y)}

    with R the reduced mutual information. 1 minus it is not a metric, and its mean under
    permutation is not 0. Which measure finds the right number of clusters is on the page
    "Which measure should I use?": `adjusted_rand_index` and ``adjusted_mutual_information`` with
    ``average="max"`` do so more often. Time O(n + r s).

    Theory: docs/theory/hard-measures.md.

    References
    ----------
    M. Jerdee, A. Kirkley, M. E. J. Newman (2024), Mutual information and the encoding of
    contingency tables, arXiv 2405.05393.

    Examples
    --------
    >>> import softclust
    >>> truth = [0] * 50 + [1] * 50
    >>> split = [0] * 25 + [2] * 25 + [1] * 50
    >>> round(softclust.normalized_reduced_mutual_information(split, truth), 4)
    0.7768
    >>> round(softclust.normalized_reduced_mutual_information(split, truth, average="y"), 4)
    0.9898
    """
    return value_of(normalized_reduced_mutual_information, x, y, average=average)
