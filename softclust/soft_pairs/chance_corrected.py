"""Soft indices of pairs, corrected for chance.

Soft indices corrected for chance, exactly: (S - E)/(1 - E).

E is the mean of the index S when the objects of one side are permuted at random. Each pair of x
then meets each pair of y equally often, so E is a mean over all pairs of pairs, and where the
loss of a pair is a sum of |a - b| and max(a - b, 0), a of x and b of y, sorting the pairs of
each side gives it in O(M log M), M = n(n-1)/2.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from .._checks import check_alpha, check_choice, warn_undefined
from .._types import RNG, ClusteringLike, MembershipDistance, SourceLike
from ..measures import KINDS, Answer, Claim, measure, value_of
from ..measures.joint import Pair
from ..measures.limit_rules import PLAIN, LogScale
from ..measures.record import USED_LESS_OFTEN, claims
from ..measures.statistic import Source, interpolated
from ..memberships.joint_table import WHERE_DEFINED, ZERO, zero_where_defined
from ..running.random_numbers import as_generator
from ..running.threads import Progress
from ..tables.quotient import quotient
from ._sampled import draw_pairs, sampled_pair_masses
from .concordance import KINDS as MEMBERSHIPS
from .concordance import METRICS, MORE_KINDS, listed_adjusted
from .frobenius import KINDS as PRODUCTS
from .pair_chance import (
    MAX_PAIRS,
    SORTED,
    ConcordanceChance,
    check_method,
    expected_conflict,
    expected_relational,
)
from .pair_rows import forms_of_masses
from .pair_sums import CredalLoss, PairSums
from .row_distances import REDUCING
from .soft_pairs import alpha_rand, credal

#: orders of the sampled pairs of one side against the other
_SHIFTS = 16
_CORRECTED = ("symmetric", "relabelling-invariant", "chance-corrected")
_CERTAIN = "the index is 1 for every order of the objects (0/0)"


def _corrected(name: str, index: float, expected: float) -> float:
    if 1.0 - expected <= ZERO:
        return warn_undefined(name, _CERTAIN)
    return (index - expected) / (1.0 - expected)


def _adjusted_concordance(loss: ConcordanceChance) -> Any:
    """(S - E)/(1 - E), where S and E are 1 minus the loss and its mean."""
    index, expected = 1.0 - loss.mean, 1.0 - loss.expected
    return quotient(index - expected, 1.0 - expected, name="adjusted_concordance_index",
                    reason=_CERTAIN, zero=ZERO)


@measure(
    ConcordanceChance, _adjusted_concordance,
    more_kinds=MORE_KINDS,
    limits=PLAIN,
    sense="agreement", kinds=MEMBERSHIPS, bounds=(None, 1.0), cost="O(n^2 (r + s + log n))",
    source="D'Ambrosio et al. 2021; Andrews, Browne, Hvingelby 2022",
    properties=(
        *claims(*_CORRECTED, "reflexive", metric=METRICS),
        Claim(name="reduces-to", target="adjusted_rand_index", options={"metric": REDUCING},
              condition=WHERE_DEFINED),
    ),
    r="FARI::aci(x_membership, y_membership)$aci", in_compare=listed_adjusted,
    listed_for="soft",
    chance=zero_where_defined(ConcordanceChance, _adjusted_concordance),
    abbreviations=("ACI",),
    answers=(Answer("corrected", 4, "compares how alike the objects of each pair are"),),
    place=5,
)
def adjusted_concordance_index(x: SourceLike, y: ClusteringLike | None = None, *,
                               metric: MembershipDistance = "total_variation",
                               method: Literal["exact", "sampled"] = "exact",
                               max_pairs: float = MAX_PAIRS, n_pairs: int = 1_000_000,
                               rng: RNG = None, progress: Progress | bool | None = False) -> float:
    r"""Concordance index corrected for chance (ACI), exactly.

    Parameters
    ----------
    x, y : clustering-like
        As in `concordance_index`.
    metric : str
        As in `concordance_index`.
    method : {"exact", "sampled"}
        "exact", or "sampled": index and expectation are estimated from random pairs.
    max_pairs : float
        Largest number of pairs n(n-1)/2 that "exact" sorts; at the default this takes seconds.
    n_pairs : int
        Pairs drawn by "sampled", with replacement.
    rng : None, int or Generator
        Seed or Generator of the pairs.
    progress : bool or callable, optional
        True for a progress bar, or a function (pairs_done, pairs_total).

    Returns
    -------
    float
        (S - E)/(1 - E): 1 for a clustering against itself, 0 on average over all permutations
        of the objects; no lower bound. nan, with a warning, when 1 - E = 0.

    Raises
    ------
    ClusteringError
        As in `concordance_index`; or if there are more than `max_pairs` pairs to sort.

    See Also
    --------
    concordance_index
    frobenius_adjusted_rand_index
    fuzzy_adjusted_rand_index

    Notes
    -----
    .. math:: \frac{S - E}{1 - E}

    with E the mean of the index S over all permutations of the objects.

    E = 1 - (mean of |d_p - d'_q| over all pairs p of x and q of y), from two sorted lists: time
    O(n^2 (r + s + log n)), no random permutation. Pairs are sorted by ranges of their values, so
    memory stays near 100 MB for any n, unless very many pairs have equal values. With a hard side
    and one of the first four metrics, E needs only two means: memory O(n (r + s)). Equals the
    adjusted Rand index for two hard clusterings. R: ``FARI::aci`` (exact); ConsRankClass permutes
    at random.

    Theory: docs/theory/soft-pairs.md.

    References
    ----------
    A. D'Ambrosio, S. Amodio, C. Iorio, G. Pandolfo, R. Siciliano (2021), Adjusted concordance
    index, Journal of Classification 38, 112-128.
    J. L. Andrews, R. Browne, C. D. Hvingelby (2022), On assessments of agreement between fuzzy
    partitions, Journal of Classification, doi 10.1007/s00357-021-09407-3.

    Examples
    --------
    >>> import softclust
    >>> x = softclust.FuzzyClustering([[0.8, 0.2], [0.6, 0.4], [0.1, 0.9]])
    >>> round(softclust.adjusted_concordance_index([0, 0, 1], x), 4)
    0.3478
    """
    return value_of(adjusted_concordance_index, x, y, metric=metric, method=method,
                    max_pairs=max_pairs, n_pairs=n_pairs, rng=rng, progress=progress)


# -- masses of pairs ------------------------------------------------------------------------------
def _losses(first: np.ndarray, second: np.ndarray, alpha: float | None) -> np.ndarray:
    if alpha is None:
        return 0.5 * np.abs(first - second)[:, [0, 1, 3]].sum(axis=1)
    r0, half, r1, _ = forms_of_masses(first, second)
    return np.asarray(interpolated(r0, half, r1, alpha))


def _adjusted(source: Source, name: str, alpha: float | None, method: str, max_pairs: float,
              n_pairs: int, rng: Any, progress: Progress | bool | None) -> float:
    """The credal index (belief; `alpha` None) or alpha-Rand index, corrected."""
    if method == "sampled":
        # random pairs, and the pairs of one side shifted against the other
        joint, pairs = source.objects, draw_pairs(source.n_objects, int(n_pairs), as_generator(rng))
        first, second = sampled_pair_masses(joint.x, pairs), sampled_pair_masses(joint.y, pairs)
        shifts = min(_SHIFTS, pairs.shape[0] - 1)
        moved = [float(_losses(first, np.roll(second, k + 1, axis=0), alpha).mean())
                 for k in range(shifts)]
        index = 1.0 - float(_losses(first, second, alpha).mean())
        return _corrected(name, index, 1.0 - sum(moved) / shifts)
    expected = expected_relational(source, alpha, name, max_pairs, progress)
    index = (credal(source.statistic(CredalLoss, progress=progress)) if alpha is None else
             alpha_rand(source.statistic(PairSums, progress=progress), alpha=alpha))
    return _corrected(name, index, expected)


def _adjusted_credal(source: Source, *, distance: str = "belief", method: str = "exact",
                     max_pairs: float = MAX_PAIRS, n_pairs: int = 1_000_000, rng: Any = None,
                     progress: Progress | bool | None = False) -> float:
    name = "adjusted_credal_rand_index"
    if distance == "jousselme":
        raise ValueError('distance="jousselme" has no separable form, so no exact expectation; '
                         'choose "belief" or "conflict", or take the mean of credal_rand_index '
                         "over random permutations")
    check_choice("distance", distance, ("belief", "conflict"))
    check_method(method, n_pairs, rng)
    if distance == "belief":
        return _adjusted(source, name, None, method, max_pairs, n_pairs, rng, progress)
    if method == "sampled":
        raise ValueError('method="sampled" is for distance="belief": "conflict" is exact in '
                         "O(n f^2)")
    expected = (expected_relational(source, None, name) if source.both_hard
                else expected_conflict(source))
    loss = source.statistic(CredalLoss, distance="conflict", progress=progress)
    return _corrected(name, credal(loss), expected)


@measure(
    Pair, _adjusted_credal,
    limits=LogScale(in_groups=("fuzzy", "rough", "evidential")),
    sense="agreement", kinds=KINDS, bounds=(None, 1.0),
    cost='O(n^2 (f + log n)); O(n f^2) if one is hard or rough and for "conflict"',
    source="Denoeux, Li, Sriboonchitta 2018; expectation: softclust",
    properties=(
        *claims(*_CORRECTED, distance=("belief", "conflict")),
        Claim(name="reflexive", options={"distance": ("belief",)}, condition="not for conflict"),
        Claim(name="reduces-to", target="adjusted_rand_index",
              options={"distance": ("belief", "conflict")}, condition=WHERE_DEFINED),
    ),
    in_compare=False, chance=zero_where_defined(Pair, _adjusted_credal),
    weight_degree=0,
    from_sums={"distance": ("conflict",)},
    answers=(Answer("corrected", 6, "compares beliefs about pairs of objects"),),
)
def adjusted_credal_rand_index(x: SourceLike, y: ClusteringLike | None = None, *,
                               distance: Literal["belief", "conflict"] = "belief",
                               method: Literal["exact", "sampled"] = "exact",
                               max_pairs: float = MAX_PAIRS, n_pairs: int = 1_000_000,
                               rng: RNG = None, progress: Progress | bool | None = False) -> float:
    r"""Credal Rand index corrected for chance, exactly.

    Parameters
    ----------
    distance : {"belief", "conflict"}
        As in `credal_rand_index`; "jousselme" has no separable form and so no exact expectation.
    method, max_pairs, n_pairs, rng, progress
        As in `adjusted_concordance_index`. "sampled" is for "belief" only.

    Returns
    -------
    float
        (S - E)/(1 - E): 0 on average over all permutations of the objects, at most 1, and 1 for
        a clustering against itself with "belief". nan, with a warning, when 1 - E = 0.

    Raises
    ------
    ClusteringError
        If the objects differ, or there are more than `max_pairs` pairs to sort.
    ValueError
        If an option is not allowed.

    See Also
    --------
    credal_rand_index
    adjusted_alpha_rand_index

    Notes
    -----
    .. math:: \frac{S - E}{1 - E}

    with E the mean of the index S over all permutations of the objects.

    For "belief", E = 1 - (mean |s_p - s'_q| + mean |n_p - n'_q| + mean |e_p - e'_q|)/2, where p
    runs over the pairs of objects in x and q over those in y, and s, n, e are the masses of a pair
    on same, different and the empty set. These means come from sorted pair masses: time O(n^2 (f +
    log n)), memory near 100 MB. With a hard or rough side, and for "conflict", E follows from the
    mean pair masses, O(n f^2). For fuzzy clusterings "belief" is `adjusted_alpha_rand_index` for
    every alpha. Equals the adjusted Rand index for two hard clusterings.

    Theory: docs/theory/soft-pairs.md.

    References
    ----------
    T. Denoeux, S. Li, S. Sriboonchitta (2018), Evaluating and comparing soft partitions: an
    approach based on Dempster-Shafer theory, IEEE Trans. Fuzzy Systems 26, 1231-1244.

    Examples
    --------
    >>> import softclust
    >>> x = softclust.FuzzyClustering([[0.8, 0.2], [0.6, 0.4], [0.1, 0.9]])
    >>> round(softclust.adjusted_credal_rand_index([0, 0, 1], x), 4)
    0.2075
    """
    return value_of(adjusted_credal_rand_index, x, y, distance=distance, method=method,
                    max_pairs=max_pairs, n_pairs=n_pairs, rng=rng, progress=progress)


_ALPHAS = (0.0, 0.25, 0.5, 1.0)


def _listed(source: Source) -> str:
    """Reason why `compare()` leaves it out: memberships have a cheaper corrected index."""
    if set(source.kinds) <= set(PRODUCTS):
        return USED_LESS_OFTEN
    joint = source.objects
    if any(side.is_logical for side in (joint.x, joint.y)):
        return ""
    if any(side.mass_table().nonempty.size for side in (joint.x, joint.y)):
        return "a side has mass on the empty set"
    return "sorts all pairs of many objects" if source.n_pairs > SORTED else ""


def _adjusted_alpha_rand(source: Source, *, alpha: float = 0.5, method: str = "exact",
                         max_pairs: float = MAX_PAIRS, n_pairs: int = 1_000_000,
                         rng: Any = None, progress: Progress | bool | None = False) -> float:
    check_method(method, n_pairs, rng)
    return _adjusted(source, "adjusted_alpha_rand_index", check_alpha(alpha), method, max_pairs,
                     n_pairs, rng, progress)


@measure(
    Pair, _adjusted_alpha_rand,
    limits=LogScale(in_groups=("fuzzy", "rough", "evidential")),
    sense="agreement", kinds=KINDS, bounds=(None, 1.0),
    cost="O(n^2 (f + log n)); O(n f^2) if one is hard or rough",
    source="Campagner, Ciucci, Denoeux 2023, eq. 24; expectation: softclust",
    properties=(
        *claims(*_CORRECTED, "reflexive", alpha=_ALPHAS),
        Claim(name="reduces-to", target="adjusted_rand_index", options={"alpha": _ALPHAS},
              condition=WHERE_DEFINED),
    ),
    in_compare=_listed, chance=zero_where_defined(Pair, _adjusted_alpha_rand),
    weight_degree=0,
    answers=(Answer("corrected", 5, "takes every kind; `alpha` prices ambiguity"),),
    place=4,
)
def adjusted_alpha_rand_index(x: SourceLike, y: ClusteringLike | None = None, *, alpha: float = 0.5,
                              method: Literal["exact", "sampled"] = "exact",
                              max_pairs: float = MAX_PAIRS, n_pairs: int = 1_000_000,
                              rng: RNG = None, progress: Progress | bool | None = False) -> float:
    r"""Alpha-Rand index corrected for chance, exactly.

    Parameters
    ----------
    x, y
        Unless one side is hard or rough, without mass on the empty set.
    alpha : float
        In [0, 1], the cost of ambiguity, as in `alpha_rand_index`.
    method, max_pairs, n_pairs, rng, progress
        As in `adjusted_concordance_index`. "sampled" takes any masses.

    Returns
    -------
    float
        (S - E)/(1 - E): 0 on average over all permutations of the objects, at most 1, and 1 for
        a clustering against itself. nan, with a warning, when 1 - E = 0.

    Raises
    ------
    ClusteringError
        If both sides are soft beyond rough and one has mass on the empty set; if the objects
        differ, or there are more than `max_pairs` pairs to sort.

    See Also
    --------
    alpha_rand_index
    adjusted_credal_rand_index

    Notes
    -----
    .. math:: \frac{S - E}{1 - E}

    with E the mean of the index S over all permutations of the objects.

    Let s, n and t be the masses of a pair on same, different and undetermined, s', n', t' those of
    the other clustering, and ds = s - s'. Then r_alpha is a sum of one-dimensional terms: (|ds| +
    |dn|)/2 + (alpha - 1/2)|dt| for alpha >= 1/2, else (1 - 2 alpha)((s + n' - 1)+ + (n + s' - 1)+)
    + alpha (|ds| + |dn|). Each mean over all pairs of pairs comes from two sorted lists: time
    O(n^2 (f + log n)), memory near 100 MB. With a hard or rough side E follows from the mean pair
    masses in time O(n f^2), whatever the masses of the other side. It equals the adjusted Rand
    index for two hard clusterings.

    Theory: docs/theory/soft-pairs.md.

    References
    ----------
    A. Campagner, D. Ciucci, T. Denoeux (2023), A general framework for evaluating and comparing
    soft clusterings, Information Sciences 623, 70-93.

    Examples
    --------
    >>> import softclust
    >>> x = softclust.RoughClustering.from_upper([[1, 0], [1, 0], [1, 1], [0, 1]])
    >>> [round(softclust.adjusted_alpha_rand_index([0, 0, 1, 1], x, alpha=a), 3)
    ...  for a in (0, 0.5, 1)]
    [1.0, 0.471, 0.308]
    """
    return value_of(adjusted_alpha_rand_index, x, y, alpha=alpha, method=method,
                    max_pairs=max_pairs, n_pairs=n_pairs, rng=rng, progress=progress)
