"""Soft indices corrected for chance, exactly: (S - E)/(1 - E).

E is the mean of the index S when the objects of one side are permuted at random. Each pair of x
then meets each pair of y equally often, so E is a mean over all pairs of pairs, and where the
loss of a pair is a sum of |a - b| and max(a - b, 0), a of x and b of y, sorting the pairs of
each side gives it in O(M log M), M = n(n-1)/2.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .._checks import ClusteringError, check_choice, warn_undefined
from .._joint import Joint
from .._parallel import Progress
from .._records import PairCounts
from ._memberships import WHERE_DEFINED, ZERO, both_hard
from ._registry import Claim, measure
from .concordance import KINDS as MEMBERSHIPS
from .concordance import (
    METRICS,
    REDUCING,
    checked,
    crisp_loss,
    listed_adjusted,
    means,
    row_distances,
)

#: pairs a side that may be sorted: 16 bytes a pair, 800 MB
MAX_PAIRS = 5e7


def _check_method(method: str, n_pairs: Any, rng: Any) -> None:
    check_choice("method", method, ("exact", "sampled"))
    if method == "exact":
        if rng is not None:
            raise ValueError('rng has no effect with method="exact"; leave it out or take '
                             'method="sampled"')
    elif n_pairs != int(n_pairs) or n_pairs < 8:
        raise ClusteringError(f"n_pairs is {n_pairs}; a whole number >= 8 is needed")


def _drawn(joint: Joint, n_pairs: int, rng: Any) -> np.ndarray:
    from .._random import as_generator
    from .._statistics.sampling import draw_pairs
    return draw_pairs(joint.n_objects, int(n_pairs), as_generator(rng))


def _corrected(name: str, index: float, expected: float) -> float:
    if 1.0 - expected <= ZERO:
        return warn_undefined(name, "the index is 1 for every order of the objects (0/0)")
    return (index - expected) / (1.0 - expected)


def expected_counts(p: PairCounts) -> PairCounts:
    """Pair counts when the objects of one hard clustering are permuted at random."""
    first, second, n = p.n11 + p.n10, p.n11 + p.n01, p.n_pairs
    both = first * second / n
    return PairCounts(n11=both, n10=first - both, n01=second - both,  # type: ignore[arg-type]
                      n00=n - first - second + both)  # type: ignore[arg-type]


def expected_concordance(joint: Joint, metric: str, max_pairs: float = MAX_PAIRS,
                         progress: Progress | bool | None = None) -> float:
    """Mean of the concordance index over random permutations of the objects of one side."""
    from .._statistics.concordance import check_pairs, mean_gaps
    if both_hard(joint):
        p = joint.contingency.pair_counts()
        return 1.0 - crisp_loss(joint, metric, expected_counts(p)) / p.n_pairs
    if metric in REDUCING and "hard" in (joint.x.kind, joint.y.kind):
        # A distance of 0 or 1 on one side: |d1 - d2| is linear in the other.
        _, a, b = means(joint, metric, progress)
        return 1.0 - (a * (1.0 - b) + (1.0 - a) * b)

    def sort() -> float:
        check_pairs(joint.n_pairs, max_pairs, "adjusted_concordance_index")
        x, y = row_distances(joint, metric)
        return mean_gaps(x.of_all_pairs(progress), y.of_all_pairs(progress))[0]
    return 1.0 - joint.kept(("expected concordance", metric), sort)


@measure(
    sense="agreement", kinds=MEMBERSHIPS, bounds=(None, 1.0), cost="O(n^2 (r + s + log n))",
    source="D'Ambrosio et al. 2021; Andrews, Browne, Hvingelby 2022",
    properties=(
        Claim(name="symmetric", options={"metric": METRICS}),
        Claim(name="reflexive", options={"metric": METRICS}),
        Claim(name="relabelling-invariant", options={"metric": METRICS}),
        Claim(name="chance-corrected", options={"metric": METRICS}),
        Claim(name="reduces-to", target="adjusted_rand_index", options={"metric": REDUCING},
              condition=WHERE_DEFINED),
    ),
    r="FARI::aci(x_membership, y_membership)$aci", in_compare=listed_adjusted,
    chance=lambda joint: 0.0,
)
def adjusted_concordance_index(x: Any, y: Any = None, *, metric: str = "total_variation",
                               method: str = "exact", max_pairs: float = MAX_PAIRS,
                               n_pairs: int = 1_000_000, rng: Any = None,
                               progress: Progress | bool | None = None) -> float:
    """Concordance index corrected for chance (ACI), exactly.

    Parameters
    ----------
    x, y : clustering-like
        As in `concordance_index`.
    metric : str
        As in `concordance_index`.
    method : {"exact", "sampled"}
        "sampled" forms index and expectation from random pairs: an estimate, and the only
        choice that is not exact.
    max_pairs : float
        Largest n(n-1)/2 whose pairs are sorted (16 bytes each).
    n_pairs : int
        Pairs drawn by "sampled", with replacement.
    rng : None, int or Generator
        Source of the pairs.
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

    Notes
    -----
    E = 1 - (mean of |d_p - d'_q| over all pairs p of x and q of y), from two sorted lists: time
    O(n^2 (r + s + log n)), memory 8 n^2 bytes (n = 5,000: 200 MB), no random permutation. With a
    hard side and one of the first four metrics E needs two means only: memory O(n (r + s)). Equals
    the adjusted Rand index for two hard clusterings. R: ``FARI::aci`` (exact); ConsRankClass
    permutes at random.

    References
    ----------
    A. D'Ambrosio, S. Amodio, C. Iorio, G. Pandolfo, R. Siciliano (2021), Adjusted concordance
    index, Journal of Classification 38, 112-128.
    J. L. Andrews, R. Browne, C. D. Hvingelby (2022), On assessments of agreement between fuzzy
    partitions, Journal of Classification, doi 10.1007/s00357-021-09407-3.

    Examples
    --------
    >>> import softclust as sc
    >>> x = sc.FuzzyClustering([[0.8, 0.2], [0.6, 0.4], [0.1, 0.9]])
    >>> round(sc.adjusted_concordance_index([0, 0, 1], x), 4)
    0.3478
    """
    name = "adjusted_concordance_index"
    _check_method(method, n_pairs, rng)
    joint = checked(x, y, metric)
    if method == "sampled":
        from .._statistics.concordance import gaps_of_others
        pairs = _drawn(joint, n_pairs, rng)
        first, second = (z.of_pairs(pairs) for z in row_distances(joint, metric))
        index = 1.0 - float(np.abs(first - second).mean())
        return _corrected(name, index, 1.0 - gaps_of_others(first, second)[0])
    expected = expected_concordance(joint, metric, max_pairs, progress)
    if both_hard(joint):
        p = joint.contingency.pair_counts()
        return _corrected(name, 1.0 - crisp_loss(joint, metric, p) / p.n_pairs, expected)
    return _corrected(name, 1.0 - means(joint, metric, progress)[0], expected)
