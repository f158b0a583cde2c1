"""Concordance of pairs.

Concordance of the distances between memberships (Huellermeier et al. 2012).
"""

from __future__ import annotations

import math

from .._checks import check_choice
from .._types import ClusteringLike, MembershipDistance, SourceLike
from ..measures import Claim, Shares, measure, value_of
from ..measures.limit_rules import PLAIN
from ..measures.record import claims
from ..measures.statistic import Source
from ..running.threads import Progress
from .pair_chance import SORTED, expected_loss
from .row_distances import METRICS as DISTANCES
from .row_distances import REDUCING, ConcordanceLoss

KINDS = ("hard", "fuzzy")
METRICS = tuple(DISTANCES)
POSSIBILISTIC = ("maximum", "manhattan", "euclidean_cube")
#: objects up to which `compare()` lists measures that visit every pair
_LISTED = 10_000
MORE_KINDS = {"metric": dict.fromkeys(POSSIBILISTIC, ("possibilistic",))}


def _listed(source: Source) -> str:
    if source.n_objects > _LISTED:
        return f"visits all pairs of more than {_LISTED} objects"
    return ""


def listed_adjusted(source: Source) -> str:
    """Reason why `compare()` leaves out the adjusted index."""
    if source.n_pairs > SORTED and "hard" not in source.kinds:
        return "sorts all pairs of many objects"
    return _listed(source)


def _chance(source: Source) -> float:
    if listed_adjusted(source) and not source.both_hard:
        return math.nan
    return 1.0 - expected_loss(source, "total_variation")


@measure(
    ConcordanceLoss, lambda loss: 1.0 - loss.mean,
    more_kinds=MORE_KINDS,
    limits=PLAIN,
    sense="agreement", kinds=KINDS, bounds=(0.0, 1.0), cost="O(n^2 (r + s))",
    source="Huellermeier, Rifqi, Henzgen, Senge 2012",
    properties=(
        *claims("symmetric", "pseudo-metric", "relabelling-invariant", metric=METRICS),
        Claim(name="metric", kinds=("hard",), options={"metric": REDUCING},
              condition="hard clusterings"),
        Claim(name="reduces-to", target="rand_index", options={"metric": REDUCING}),
    ),
    r="FARI::aci(x_membership, y_membership)$ndc", chance=_chance,
    in_compare=_listed, listed_for="soft",
    abbreviations=("NDC",),
    shares=(*(Shares("pairs", options={"metric": metric}) for metric in REDUCING),
            Shares("pair means", kinds=(*KINDS, "possibilistic"))),
)
def concordance_index(x: SourceLike, y: ClusteringLike | None = None, *,
                      metric: MembershipDistance = "total_variation",
                      progress: Progress | bool | None = False) -> float:
    r"""Agreement of two fuzzy clusterings on how alike each pair of objects is (NDC).

    Parameters
    ----------
    x, y : clustering-like
        Hard or fuzzy clusterings of the same n >= 2 objects, for the metrics "maximum",
        "manhattan" and "euclidean_cube" also possibilistic ones; or a `Joint` as x and no y.
    metric : str
        Distance of two rows of memberships: "total_variation" sum |u - v|/2, "maximum"
        max |u - v|, "euclidean" ||u - v||/sqrt 2, "cosine" 1 - cosine; "manhattan"
        sum |u - v|/c and "euclidean_cube" ||u - v||/sqrt c for rows in [0, 1]^c.
    progress : bool or callable, optional
        True for a progress bar, or a function (pairs_done, pairs_total).

    Returns
    -------
    float
        1 - (mean over i < j of |d(u_i, u_j) - d(v_i, v_j)|), in [0, 1]; 1 for a clustering
        against itself. Different memberships can reach 1.

    Raises
    ------
    ValueError
        If `metric` is not known.

    See Also
    --------
    adjusted_concordance_index
    fuzzy_rand_index
    frobenius_rand_index

    Notes
    -----
    .. math:: 1 - \frac{2}{n(n-1)} \sum_{i<j} | d(u_i, u_j) - d(v_i, v_j) |

    Equation 8 of the paper. 1 - index is a pseudo-metric. The first four metrics give the Rand
    index of hard clusterings, the last two do not. Pairs are visited in blocks, O(n^2 (r + s))
    time, O(n (r + s)) memory; two hard clusterings O(n). R: ``FARI::aci``.

    Theory: docs/theory/soft-measures.md.

    References
    ----------
    E. Huellermeier, M. Rifqi, S. Henzgen, R. Senge (2012), Comparing fuzzy partitions: a
    generalization of the Rand index and related measures, IEEE Trans. Fuzzy Systems 20, 546-556.

    Examples
    --------
    >>> import softclust
    >>> x = softclust.FuzzyClustering([[0.8, 0.2], [0.6, 0.4], [0.1, 0.9]])
    >>> round(softclust.concordance_index([0, 0, 1], x), 4)
    0.6667
    """
    check_choice("metric", metric, METRICS)
    return value_of(concordance_index, x, y, metric=metric, progress=progress)


