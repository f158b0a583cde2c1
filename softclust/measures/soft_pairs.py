"""Agreement of soft clusterings on pairs of objects: alpha-Rand and credal Rand indices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .._checks import ClusteringError, check_alpha, check_choice
from .._joint import Joint, as_joint
from .._parallel import Progress
from .._records import Interval
from ._registry import KINDS, Claim, RCall, measure
from ._sampled import Estimate, alpha_rand_estimate

if TYPE_CHECKING:
    from ..statistics.pairs import PairSums

_REDUCES = Claim(name="reduces-to", target="rand_index")
_ALPHAS = (0.0, 0.2, 0.5, 0.8, 1.0)
_SOURCE = "Campagner, Ciucci, Denoeux 2023, eq. 24"


def _alpha_chance(joint: Joint, alpha: float = 0.5) -> float:
    from .chance_corrected import relational_chance
    return relational_chance(joint, alpha)


def _belief_chance(joint: Joint) -> float:
    from .chance_corrected import relational_chance
    return relational_chance(joint, None)


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
        alpha = check_alpha(alpha)
        r0, half, r1 = self.sums
        if alpha <= 0.5:
            total = (1 - 2 * alpha) * r0 + 2 * alpha * half
        else:
            total = (2 - 2 * alpha) * half + (2 * alpha - 1) * r1
        return 1.0 - total / self.n_pairs

    @property
    def interval(self) -> Interval:
        """[index at alpha 1, index at alpha 0]."""
        return Interval(self.at(1.0), self.at(0.0))


def _finish(total: float, joint: Joint, pairs: str) -> float:
    """1 - mean of r over distinct pairs, or over all n^2 ordered ones."""
    n = joint.n_objects
    index = 1.0 - total / joint.n_pairs
    return index if pairs == "distinct" else (n * (n - 1) * index + n) / n**2


def _sums(x: Any, y: Any, pairs: str, method: str, progress: Progress | bool | None
          ) -> tuple[Joint, PairSums]:
    check_choice("pairs", pairs, ("distinct", "all"))
    joint = as_joint(x, y)
    return joint, joint.pair_sums(method=method, progress=progress)


@measure(
    sense="agreement", kinds=KINDS, bounds=(0.0, 1.0), cost="O(n^2 f); O(n f^2) if one is hard "
    "or rough, O(n log n) for two fuzzy ones with 2 clusters", source=_SOURCE,
    properties=(
        Claim(name="symmetric", options={"alpha": _ALPHAS}),
        Claim(name="reflexive", options={"alpha": _ALPHAS}),
        Claim(name="relabelling-invariant", options={"alpha": _ALPHAS}),
        Claim(name="pseudo-metric", options={"alpha": (0.5, 0.75, 1.0)},
              condition="alpha >= 1/2"),
        Claim(name="monotone-in-alpha"),
        Claim(name="reduces-to", target="rand_index", options={"alpha": _ALPHAS}),
    ),
    chance=_alpha_chance,
)
def alpha_rand_index(x: Any, y: Any = None, *, alpha: float = 0.5, pairs: str = "distinct",
                     method: str = "auto", rng: Any = None,
                     progress: Progress | bool | None = None) -> float | Estimate:
    """Rand index of soft clusterings, with alpha as the cost of ambiguity.

    Parameters
    ----------
    x, y : clustering-like
        Any kinds, the same n >= 2 objects; x may be a `Joint` (then without y).
    alpha : float
        In [0, 1]. 0 forgives ambiguity (could the two agree?), 1 counts it as an error (do they
        say the same?).
    pairs : {"distinct", "all"}
        "all" divides by n^2 and counts the pairs (i, i) as agreements: it reproduces the
        numbers printed in example 4.2 of the paper and nothing else.
    method : {"auto", "contingency", "logical", "binary", "rows", "pairs", "generated", "tree", \
"sample"}
        How the sum over pairs is formed. All but the last are exact. "pairs" visits every pair;
        "generated" does so with a kernel compiled for the numbers of focal sets (some seconds,
        once; the same bits); "tree" leaves out pairs of groups of objects whose sign is sure
        (normalised masses of few sets, from about 100,000 objects on); "auto" finds the cheapest
        of the others. "sample" is `alpha_rand_estimate`, never chosen but by name.
    rng : None, int or Generator, optional
        For "sample": source of the pairs.
    progress : bool or callable, optional
        True for a progress bar, or a function (pairs_done, pairs_total).

    Returns
    -------
    float
        In [0, 1]; 1 exactly when all pair masses agree (alpha > 0). With "sample" an `Estimate`:
        value, half width and level.

    Raises
    ------
    ClusteringError
        If alpha is outside [0, 1], n differs or is below 2, or `method` does not apply.
    TypeError
        If `rng` is given to a method that does not draw.

    Notes
    -----
    1 - (mean over i < j of r_alpha), r_alpha the least transport cost between the two pair
    masses [eq. 21 to 24]; its closed form for every alpha and any mass on the empty set is
    softclust's own. Time O(n^2 (f1 + f2)) for the pair loop, where f counts features (fuzzy: c,
    possibilistic: 2 c, evidential: focal sets); memory O(n (f1 + f2)), never n x n.

    For normalised masses it equals `credal_rand_index` (belief) at alpha = 1/2.

    References
    ----------
    A. Campagner, D. Ciucci, T. Denoeux, "A general framework for evaluating and comparing soft
    clusterings", Information Sciences 623 (2023) 70-93.

    Examples
    --------
    >>> import softclust as sc
    >>> x = sc.RoughClustering.from_upper([[1, 0], [1, 0], [1, 1], [0, 1]])
    >>> [round(sc.alpha_rand_index([0, 0, 1, 1], x, alpha=a), 3) for a in (0, 0.5, 1)]
    [1.0, 0.75, 0.5]
    """
    alpha = check_alpha(alpha)
    if method == "sample" and pairs == "distinct":
        return alpha_rand_estimate(x, y, alpha=alpha, rng=rng)
    if rng is not None:
        raise TypeError(f'method={method!r} draws nothing; leave out rng, or take method="sample"')
    joint, sums = _sums(x, y, pairs, method, progress)
    return _finish(sums.at(alpha), joint, pairs)


@measure(
    sense="agreement", kinds=KINDS, bounds=(0.0, 1.0), cost="as alpha_rand_index",
    source=_SOURCE, properties=("symmetric", "relabelling-invariant", _REDUCES),
)
def alpha_rand_interval(x: Any, y: Any = None, *, pairs: str = "distinct", method: str = "auto",
                        progress: Progress | bool | None = None) -> Interval:
    """Interval of the alpha-Rand index from alpha = 1 (strict) to alpha = 0 (lenient).

    Parameters
    ----------
    x, y : clustering-like
        As in `alpha_rand_index`.
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

    Notes
    -----
    If one side is hard, or one rough and the other fuzzy, the interval encloses the interval of
    the transport-based Rand index [theorem 4.1, corrected]. For two soft clusterings in general
    it does not.

    Examples
    --------
    >>> import softclust as sc
    >>> x = sc.RoughClustering.from_upper([[1, 0], [1, 0], [1, 1], [0, 1]])
    >>> sc.alpha_rand_interval([0, 0, 1, 1], x)
    Interval(low=0.5, high=1.0)
    """
    joint, sums = _sums(x, y, pairs, method, progress)
    return Interval(_finish(sums.r1, joint, pairs), _finish(sums.r0, joint, pairs))


def alpha_rand_curve(x: Any, y: Any = None, *, method: str = "auto",
                     progress: Progress | bool | None = None) -> AlphaRandCurve:
    """The alpha-Rand index for every alpha, from one pass over the pairs.

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

    Examples
    --------
    >>> import softclust as sc
    >>> x = sc.RoughClustering.from_upper([[1, 0], [1, 0], [1, 1], [0, 1]])
    >>> curve = sc.alpha_rand_curve([0, 0, 1, 1], x)
    >>> curve.sums, curve.at(0.25)
    ((0.0, 1.5, 3.0), 0.875)
    """
    joint, sums = _sums(x, y, "distinct", method, progress)
    return AlphaRandCurve(sums=(sums.r0, sums.half, sums.r1), n_pairs=joint.n_pairs,
                          method=sums.method)


@measure(
    sense="agreement", kinds=KINDS, bounds=(0.0, 1.0),
    cost='O(n^2 f); "belief" as alpha_rand_index, "conflict" O(n f^2)',
    source="Denoeux, Li, Sriboonchitta 2018; Campagner et al. 2023, eq. 9, 35, 36",
    properties=(
        Claim(name="symmetric", options={"distance": ("belief", "jousselme", "conflict")}),
        Claim(name="relabelling-invariant",
              options={"distance": ("belief", "jousselme", "conflict")}),
        Claim(name="reflexive", options={"distance": ("belief", "jousselme")},
              condition="not for conflict"),
        Claim(name="pseudo-metric", options={"distance": ("belief", "jousselme")},
              condition="not for conflict"),
        Claim(name="reduces-to", target="rand_index",
              options={"distance": ("belief", "jousselme", "conflict")}),
    ),
    # as.vector: where package proxy is loaded, credal_RI misreads the dist objects
    r=tuple(RCall("evclust::credal_RI(lapply(evclust::pairwise_mass(x), as.vector), "
                  f"lapply(evclust::pairwise_mass(y), as.vector), type = '{letter}')", options)
            for letter, options in (("b", {}), ("j", {"distance": "jousselme"}),
                                    ("c", {"distance": "conflict"}))),
    chance=_belief_chance,
)
def credal_rand_index(x: Any, y: Any = None, *, distance: str = "belief", method: str = "auto",
                      progress: Progress | bool | None = None) -> float:
    """Rand index of credal clusterings from a distance between pair masses.

    Parameters
    ----------
    x, y : clustering-like
        As in `alpha_rand_index`.
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

    Notes
    -----
    1 - (mean over i < j of the distance) [eq. 9]. R: ``evclust::credal_RI(pairwise_mass(x),
    pairwise_mass(y), type)`` with "b", "j", "c". "conflict" needs moments only, O(n f1 f2).

    References
    ----------
    T. Denoeux, S. Li, S. Sriboonchitta, "Evaluating and comparing soft partitions: an approach
    based on Dempster-Shafer theory", IEEE Trans. Fuzzy Systems 26 (2018) 1231-1244.

    Examples
    --------
    >>> import softclust as sc
    >>> x = sc.FuzzyClustering([[0.8, 0.2], [0.6, 0.4], [0.1, 0.9]])
    >>> round(sc.credal_rand_index([0, 0, 1], x), 4)
    0.6267
    """
    check_choice("distance", distance, ("belief", "jousselme", "conflict"))
    joint = as_joint(x, y)
    total: float | None
    if distance == "conflict":
        total = _conflict(joint, method, progress)
    else:
        sums = joint.pair_sums(method=method, jousselme=distance == "jousselme",
                               progress=progress)
        total = sums.belief if distance == "belief" else sums.jousselme
    assert total is not None
    return 1.0 - total / joint.n_pairs


def _conflict(joint: Joint, method: str, progress: Progress | bool | None) -> float:
    if method != "auto":
        sums = joint.pair_sums(method=method, jousselme=True, progress=progress)
        if sums.conflict is None:
            raise ClusteringError(f'method="{method}" does not give the conflict; "auto", "rows" '
                                  'and "pairs" do')
        return sums.conflict
    from ..statistics.pairs import conflict_sum
    return conflict_sum(joint.x, joint.y, lambda: joint.pair_table, progress)
