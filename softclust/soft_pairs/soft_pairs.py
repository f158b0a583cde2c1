"""Pairs of soft clusterings (alpha-Rand, credal).

Agreement of soft clusterings on pairs of objects: alpha-Rand and credal Rand indices.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from .._checks import check_alpha, check_choice
from .._types import ClusteringLike, PairMethod, SourceLike
from ..measures import KINDS, Answer, Claim, RCall, Shares, measure, value_of
from ..measures.joint import as_source
from ..measures.limit_rules import PLAIN
from ..measures.record import claims
from ..measures.statistic import Source, interpolated
from ..memberships.joint_table import without_ambiguity
from ..results.records import Interval
from ..running.threads import Progress
from .pair_chance import relational_chance
from .pair_sums import DISTANCES, CredalLoss, PairSums

_REDUCES = Claim(name="reduces-to", target="rand_index")
_ALPHAS = (0.0, 0.2, 0.5, 0.8, 1.0)
_SOURCE = "Campagner, Ciucci, Denoeux 2023, eq. 24"


@dataclass(frozen=True, slots=True, kw_only=True)
class AlphaRandCurve:
    """The alpha-Rand index of two clusterings as a function of alpha.

    Attributes
    ----------
    sums : tuple of float
        Sums over pairs i < j of r_alpha at alpha = 0, 1/2 and 1.
    n_pairs : int
        Number of pairs, n(n-1)/2.
    method : str
        How the sums were computed.
    """

    sums: tuple[float, float, float]
    n_pairs: int
    method: str

    def at(self, alpha: float) -> float:
        """The index at `alpha` in [0, 1]: piecewise linear with its only kink at 1/2."""
        return 1.0 - interpolated(*self.sums, check_alpha(alpha)) / self.n_pairs

    @property
    def interval(self) -> Interval:
        """[index at alpha 1, index at alpha 0]."""
        return Interval(self.at(1.0), self.at(0.0))


def alpha_rand(sums: PairSums, *, alpha: float = 0.5, pairs: str = "distinct") -> Any:
    """1 - mean of r_alpha over distinct pairs, or over all n^2 ordered ones."""
    check_choice("pairs", pairs, ("distinct", "all"))
    n, index = sums.n_objects, 1.0 - interpolated(
        sums.r0, sums.half, sums.r1, check_alpha(alpha)) / sums.n_pairs
    return index if pairs == "distinct" else (n * (n - 1) * index + n) / n**2


@measure(
    PairSums, alpha_rand,
    limits=PLAIN,
    sense="agreement", kinds=KINDS, bounds=(0.0, 1.0), cost="O(n^2 f); O(n f^2) if one is hard "
    "or rough, O(n log n) for two fuzzy ones with 2 clusters", source=_SOURCE,
    properties=(
        *claims("symmetric", "reflexive", "relabelling-invariant", alpha=_ALPHAS),
        Claim(name="pseudo-metric", options={"alpha": (0.5, 0.75, 1.0)},
              condition="alpha >= 1/2"),
        Claim(name="monotone-in-alpha"),
        Claim(name="reduces-to", target="rand_index", options={"alpha": _ALPHAS}),
    ),
    chance=relational_chance,
    weight_degree=0,
    answers=(Answer("share", 3, "the Rand index of soft clusterings; `alpha` prices ambiguity"),),
    place=12,
    shares=(Shares("pairs", options={"pairs": "distinct"}),
            Shares("pair means", options={"pairs": "distinct"}, kinds=KINDS)),
)
def alpha_rand_index(x: SourceLike, y: ClusteringLike | None = None, *, alpha: float = 0.5,
                     pairs: Literal["distinct", "all"] = "distinct", method: PairMethod = "auto",
                     progress: Progress | bool | None = False) -> float:
    r"""Rand index of soft clusterings, with alpha as the cost of ambiguity.

    Parameters
    ----------
    alpha : float
        In [0, 1]. 0 forgives ambiguity (could the two agree?), 1 counts it as an error (do they
        say the same?).
    pairs : {"distinct", "all"}
        "all" divides by n^2 and counts the pairs (i, i) as agreements: it reproduces the
        numbers printed in example 4.2 of the paper and nothing else.
    method : {"auto", "contingency", "logical", "binary", "rows", "pairs"}
        How the sum over pairs is formed, always exactly. "pairs" visits every pair; "auto" finds
        the cheapest way. `alpha_rand_estimate` draws random pairs instead of visiting all.
    progress : bool or callable, optional
        True for a progress bar, or a function (pairs_done, pairs_total).

    Returns
    -------
    float
        In [0, 1]; 1 exactly when all pair masses agree (alpha > 0).

    Raises
    ------
    ClusteringError
        If alpha is outside [0, 1], n differs or is below 2, or `method` does not apply.

    See Also
    --------
    alpha_rand_interval
    adjusted_alpha_rand_index
    credal_rand_index

    Notes
    -----
    .. math:: 1 - \frac{2}{n(n-1)} \sum_{i<j} r_\alpha(i, j)

    with r_alpha the dissimilarity of the two masses on {together, apart} of a pair.

    r_alpha is the minimum transport cost between the two pair masses [eq. 21 to 24]. Its closed
    form for every alpha and any mass on the empty set is softclust's own. Time O(n^2 (f1 + f2))
    for the pair loop, where f counts features (fuzzy: c, possibilistic: 2 c, evidential: focal
    sets); memory O(n (f1 + f2)), never n x n.

    For normalised masses it equals `credal_rand_index` (belief) at alpha = 1/2.

    Theory: docs/theory/soft-pairs.md.

    References
    ----------
    A. Campagner, D. Ciucci, T. Denoeux, "A general framework for evaluating and comparing soft
    clusterings", Information Sciences 623 (2023) 70-93.

    Examples
    --------
    >>> import softclust
    >>> x = softclust.RoughClustering.from_upper([[1, 0], [1, 0], [1, 1], [0, 1]])
    >>> [round(softclust.alpha_rand_index([0, 0, 1, 1], x, alpha=a), 3) for a in (0, 0.5, 1)]
    [1.0, 0.75, 0.5]
    """
    check_alpha(alpha)
    check_choice("pairs", pairs, ("distinct", "all"))
    return value_of(alpha_rand_index, x, y, alpha=alpha, pairs=pairs, method=method,
                    progress=progress)


@measure(
    PairSums, lambda sums, *, pairs="distinct": Interval(
        alpha_rand(sums, alpha=1.0, pairs=pairs), alpha_rand(sums, alpha=0.0, pairs=pairs)),
    limits=PLAIN,
    sense="agreement", kinds=KINDS, bounds=(0.0, 1.0), cost="as alpha_rand_index",
    source=_SOURCE, properties=("symmetric", "relabelling-invariant", _REDUCES),
    weight_degree=0,
    answers=(Answer("ambiguity", 1, "pair by pair, from ambiguity as error to ambiguity forgiven"),
             Answer("fast", 3, "closed form with a hard or rough side")),
    place=13, same_as=without_ambiguity("alpha_rand_index"),
)
def alpha_rand_interval(x: SourceLike, y: ClusteringLike | None = None, *,
                        pairs: Literal["distinct", "all"] = "distinct", method: PairMethod = "auto",
                        progress: Progress | bool | None = False) -> Interval:
    r"""Interval of the alpha-Rand index from alpha = 1 (strict) to alpha = 0 (lenient).

    Parameters
    ----------
    pairs, method, progress
        As in `alpha_rand_index`.

    Returns
    -------
    Interval
        low = index at alpha 1, high = index at alpha 0. A point for hard and for two fuzzy
        clusterings.

    Raises
    ------
    ClusteringError
        As in `alpha_rand_index`.

    See Also
    --------
    alpha_rand_index
    transport_rand_index

    Notes
    -----
    .. math::

        \left[ R_1, R_0 \right], \quad R_\alpha = 1 - \frac{2}{n(n-1)} \sum_{i<j} r_\alpha(i, j)

    with r_alpha the dissimilarity of the two masses on {together, apart} of a pair.

    If one side is hard, or one rough and the other fuzzy, the interval encloses the interval of
    the transport-based Rand index [theorem 4.1, corrected]. For two soft clusterings in general
    it does not.

    Where an object may be in any cluster because its label is missing, this interval is the
    range over all ways to fill in such labels only if the other side is complete: its lower end
    compares sets of clusterings, so that two identical unknowns agree. `completion_bounds` gives
    that range.

    Theory: docs/theory/soft-pairs.md.

    References
    ----------
    A. Campagner, D. Ciucci, T. Denoeux (2023), A general framework for evaluating and comparing
    soft clusterings, Information Sciences 623, 70-93.

    Examples
    --------
    >>> import softclust
    >>> x = softclust.RoughClustering.from_upper([[1, 0], [1, 0], [1, 1], [0, 1]])
    >>> softclust.alpha_rand_interval([0, 0, 1, 1], x)
    Interval(low=0.5, high=1.0)
    """
    return value_of(alpha_rand_interval, x, y, pairs=pairs, method=method, progress=progress)


def alpha_rand_curve(x: SourceLike, y: ClusteringLike | None = None, *, method: PairMethod = "auto",
                     progress: Progress | bool | None = False) -> AlphaRandCurve:
    r"""The alpha-Rand index for every alpha, from one pass over the pairs.

    Parameters
    ----------
    x, y : clustering-like
        As in `alpha_rand_index`.
    method, progress
        As in `alpha_rand_index`.

    Returns
    -------
    AlphaRandCurve
        ``.at(alpha)``, ``.interval``, ``.sums`` and ``.n_pairs``.

    Raises
    ------
    ClusteringError
        As in `alpha_rand_index`.

    See Also
    --------
    alpha_rand_index, alpha_rand_interval

    Notes
    -----
    .. math:: R_\alpha = 1 - \frac{2}{n(n-1)} \sum_{i<j} r_\alpha(i, j)

    Theory: docs/theory/soft-pairs.md.

    References
    ----------
    A. Campagner, D. Ciucci, T. Denoeux (2023), A general framework for evaluating and comparing
    soft clusterings, Information Sciences 623, 70-93.

    Examples
    --------
    >>> import softclust
    >>> x = softclust.RoughClustering.from_upper([[1, 0], [1, 0], [1, 1], [0, 1]])
    >>> curve = softclust.alpha_rand_curve([0, 0, 1, 1], x)
    >>> curve.sums, curve.at(0.25)
    ((0.0, 1.5, 3.0), 0.875)
    """
    sums = as_source(x, y).statistic(PairSums, method=method, progress=progress)
    return AlphaRandCurve(sums=(sums.r0, sums.half, sums.r1), n_pairs=sums.n_pairs,
                          method=sums.method)


def _as_alpha_rand(source: Source, alpha: float | None) -> str:
    """At alpha = 1/2, or without ambiguity; not where two sides have mass on the empty set."""
    kinds = set(source.kinds)
    if not kinds <= {"hard", "fuzzy"} and alpha not in (None, 0.5):
        return ""
    return "alpha_rand_index" if kinds & {"hard", "fuzzy"} or kinds == {"rough"} else ""


def credal(loss: CredalLoss) -> Any:
    return 1.0 - loss.total / loss.n_pairs


@measure(
    CredalLoss, credal,
    limits=PLAIN,
    sense="agreement", kinds=KINDS, bounds=(0.0, 1.0),
    cost='O(n^2 f); "belief" as alpha_rand_index, "conflict" O(n f^2)',
    source="Denoeux, Li, Sriboonchitta 2018; Campagner et al. 2023, eq. 9, 35, 36",
    properties=(
        *claims("symmetric", "relabelling-invariant", distance=DISTANCES),
        Claim(name="reflexive", options={"distance": ("belief", "jousselme")},
              condition="not for conflict"),
        Claim(name="pseudo-metric", options={"distance": ("belief", "jousselme")},
              condition="not for conflict"),
        Claim(name="reduces-to", target="rand_index", options={"distance": DISTANCES}),
    ),
    # as.vector: where package proxy is loaded, credal_RI misreads the dist objects
    r=tuple(RCall("evclust::credal_RI(lapply(evclust::pairwise_mass(x), as.vector), "
                  f"lapply(evclust::pairwise_mass(y), as.vector), type = '{letter}')", options)
            for letter, options in (("b", {}), ("j", {"distance": "jousselme"}),
                                    ("c", {"distance": "conflict"}))),
    chance=lambda source: relational_chance(source, None),
    weight_degree=0,
    from_sums={"distance": ("conflict",)},
    place=15, same_as=_as_alpha_rand,
    shares=(Shares("pairs"), Shares("pair means", kinds=KINDS)),
)
def credal_rand_index(x: SourceLike, y: ClusteringLike | None = None, *,
                      distance: Literal["belief", "jousselme", "conflict"] = "belief",
                      method: PairMethod = "auto", progress: Progress | bool | None = False
                      ) -> float:
    r"""Rand index of credal clusterings from a distance between pair masses.

    Parameters
    ----------
    distance : {"belief", "jousselme", "conflict"}
        Distance between the two pair masses: half the L1 distance of the belief functions
        [eq. 35], Jousselme's [eq. 36], or the degree of conflict.
    method, progress
        As in `alpha_rand_index`.

    Returns
    -------
    float
        In [0, 1]. With "conflict" a soft clustering need not agree with itself.

    Raises
    ------
    ClusteringError
        As in `alpha_rand_index`.
    ValueError
        If `distance` is not known.

    See Also
    --------
    adjusted_credal_rand_index
    alpha_rand_index

    Notes
    -----
    .. math:: 1 - \frac{2}{n(n-1)} \sum_{i<j} d(m_{ij}, m'_{ij})

    Equation 9 of the paper, with d the chosen distance of the two masses of a pair. R:
    ``evclust::credal_RI(pairwise_mass(x), pairwise_mass(y), type)`` with "b", "j", "c". "conflict"
    takes time O(n f1 f2), for f1 and f2 focal sets; the other distances O(n^2 (f1 + f2)), as in
    `alpha_rand_index`.

    Theory: docs/theory/soft-pairs.md.

    References
    ----------
    T. Denoeux, S. Li, S. Sriboonchitta, "Evaluating and comparing soft partitions: an approach
    based on Dempster-Shafer theory", IEEE Trans. Fuzzy Systems 26 (2018) 1231-1244.

    Examples
    --------
    >>> import softclust
    >>> x = softclust.FuzzyClustering([[0.8, 0.2], [0.6, 0.4], [0.1, 0.9]])
    >>> round(softclust.credal_rand_index([0, 0, 1], x), 4)
    0.6267
    """
    return value_of(credal_rand_index, x, y, distance=distance, method=method, progress=progress)
