"""Concordance of the distances between memberships (Huellermeier et al. 2012)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from .._checks import check_choice
from .._parallel import Progress
from ..statistics.base import Pair, Source
from ..statistics.moments import sides
from ..statistics.pair_counts import PairCounts
from ._memberships import unless_both_hard
from ._registry import Claim, measure, value_of

if TYPE_CHECKING:
    from ..statistics.concordance import Distances

KINDS = ("hard", "fuzzy")
METRICS = ("total_variation", "maximum", "euclidean", "cosine", "manhattan", "euclidean_cube")
#: metrics in which objects of different hard clusters are at distance 1
REDUCING = METRICS[:4]
POSSIBILISTIC = ("maximum", "manhattan", "euclidean_cube")
#: objects up to which `compare()` lists measures that visit every pair
_LISTED = 10_000
#: pairs up to which the chance level is computed by sorting them
SORTED = 500_000
_ALL = {"metric": METRICS}
MORE_KINDS = {"metric": dict.fromkeys(POSSIBILISTIC, ("possibilistic",))}


def crisp_distance(metric: str, n_clusters: int) -> float:
    """Distance of objects in two different hard clusters."""
    if metric in REDUCING:
        return 1.0
    ratio = 2.0 / n_clusters
    return ratio if metric == "manhattan" else math.sqrt(ratio)


def crisp_loss(source: Source, metric: str, p: PairCounts) -> float:
    """Sum of |d1 - d2| for two hard clusterings with (expected) pair counts p."""
    first, second = (crisp_distance(metric, c) for c in source.n_clusters)
    return p.n10 * second + p.n01 * first + p.n00 * abs(first - second)


def row_distances(source: Source, metric: str) -> tuple[Distances, Distances]:
    """Rows of both sides with the metric."""
    from ..statistics.concordance import distances
    x, y = sides(source)
    return distances(x, metric), distances(y, metric)


def means(source: Source, metric: str, progress: Progress | bool | None = None
          ) -> tuple[float, float, float]:
    """Means over i < j of |d1 - d2|, d1, d2."""
    check_choice("metric", metric, METRICS)
    from ..statistics.concordance import concordance_sums
    sums = source.kept(("concordance", metric), lambda: concordance_sums(
        *row_distances(source, metric), progress))
    a, b, c = (value / source.n_pairs for value in sums)
    return a, b, c


def concordance(source: Source, *, metric: str = "total_variation",
                progress: Progress | bool | None = None) -> float:
    """1 - mean of |d1 - d2|; of two hard clusterings from the pair counts."""
    check_choice("metric", metric, METRICS)
    if source.both_hard:
        p = source.statistic(PairCounts)
        return 1.0 - crisp_loss(source, metric, p) / p.n_pairs
    return 1.0 - means(source, metric, progress)[0]


def _listed(source: Source) -> str:
    if source.n_objects > _LISTED:
        return f"visits all pairs of more than {_LISTED} objects"
    return unless_both_hard(source)


def listed_adjusted(source: Source) -> str:
    """Why `compare()` leaves out the adjusted index."""
    if source.n_pairs > SORTED and "hard" not in source.kinds:
        return "sorts all pairs of many objects"
    return _listed(source)


def _chance(source: Source) -> float:
    from .chance_corrected import expected_concordance
    if listed_adjusted(source) and not source.both_hard:
        return math.nan
    return expected_concordance(source, "total_variation")


@measure(
    Pair, concordance,
    more_kinds=MORE_KINDS,
    sense="agreement", kinds=KINDS, bounds=(0.0, 1.0), cost="O(n^2 (r + s))",
    source="Huellermeier, Rifqi, Henzgen, Senge 2012",
    properties=(
        Claim(name="symmetric", options=_ALL), Claim(name="pseudo-metric", options=_ALL),
        Claim(name="relabelling-invariant", options=_ALL),
        Claim(name="metric", kinds=("hard",), options={"metric": REDUCING},
              condition="hard clusterings"),
        Claim(name="reduces-to", target="rand_index", options={"metric": REDUCING}),
    ),
    r="FARI::aci(x_membership, y_membership)$ndc", in_compare=_listed, chance=_chance,
)
def concordance_index(x: Any, y: Any = None, *, metric: str = "total_variation",
                      progress: Progress | bool | None = None) -> float:
    """Agreement of two fuzzy clusterings on how alike each pair of objects is (NDC).

    Parameters
    ----------
    x, y : clustering-like
        Hard or fuzzy clusterings of the same n >= 2 objects, for the metrics "maximum",
        "manhattan" and "euclidean_cube" also possibilistic ones; or x a `Joint` and no y.
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
    ClusteringError
        If a side is of another kind, or the objects differ.
    ValueError
        If `metric` is not known.

    Notes
    -----
    Equation 8 of the paper. 1 - index is a pseudo-metric. The first four metrics give the Rand
    index of hard clusterings, the last two do not. Pairs are visited in blocks, O(n^2 (r + s))
    time, O(n (r + s)) memory; two hard clusterings O(n). R: ``FARI::aci``.

    References
    ----------
    E. Huellermeier, M. Rifqi, S. Henzgen, R. Senge (2012), Comparing fuzzy partitions: a
    generalization of the Rand index and related measures, IEEE Trans. Fuzzy Systems 20, 546-556.

    Examples
    --------
    >>> import softclust as sc
    >>> x = sc.FuzzyClustering([[0.8, 0.2], [0.6, 0.4], [0.1, 0.9]])
    >>> round(sc.concordance_index([0, 0, 1], x), 4)
    0.6667
    """
    check_choice("metric", metric, METRICS)
    return value_of(concordance_index, x, y, metric=metric, progress=progress)


