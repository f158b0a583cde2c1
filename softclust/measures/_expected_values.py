"""Means of indices when the objects of one clustering are permuted at random, exactly."""

from __future__ import annotations

import math

from .._checks import ClusteringError
from .._parallel import Progress
from ..clusterings.focal import is_logical, mass_table
from ..statistics import pair_mass_chance
from ..statistics.base import Source
from ..statistics.concordance import check_pairs
from ..statistics.concordance_loss import REDUCING, crisp_loss, means, row_distances
from ..statistics.moments import MembershipMoments
from ..statistics.pair_counts import PairCounts
from ..statistics.pair_values import mean_gaps_of_pairs

#: pairs a side that may be sorted: some seconds
MAX_PAIRS = 5e7
#: pairs up to which the chance level is computed by sorting them
SORTED = 500_000


def expected_counts(p: PairCounts) -> PairCounts:
    """Pair counts when the objects of one hard clustering are permuted at random."""
    first, second, n = p.n11 + p.n10, p.n11 + p.n01, p.n_pairs
    both = first * second / n
    return PairCounts(n11=both, n10=first - both, n01=second - both,
                      n00=n - first - second + both)


def expected_concordance(source: Source, metric: str, max_pairs: float = MAX_PAIRS,
                         progress: Progress | bool | None = None) -> float:
    """Mean of the concordance index over random permutations of the objects of one side."""
    if source.both_hard:
        p = source.statistic(PairCounts)
        return 1.0 - crisp_loss(source, metric, expected_counts(p)) / p.n_pairs
    if metric in REDUCING and "hard" in source.kinds:
        # A distance of 0 or 1 on one side: |d1 - d2| is linear in the other.
        _, a, b = means(source, metric, progress)
        return 1.0 - (a * (1.0 - b) + (1.0 - a) * b)

    def sort() -> float:
        check_pairs(source.n_pairs, max_pairs, "adjusted_concordance_index")
        x, y = row_distances(source, metric)
        return mean_gaps_of_pairs(x.of_all_pairs(), y.of_all_pairs(), progress)[0]
    return 1.0 - source.kept(("expected concordance", metric), sort)


def expected_relational(source: Source, alpha: float | None, name: str,
                        max_pairs: float = MAX_PAIRS,
                        progress: Progress | bool | None = None) -> float:
    """Mean of the credal Rand index (belief; `alpha` None) or alpha-Rand index over all orders."""
    if source.both_hard:
        p = expected_counts(source.statistic(PairCounts))
        return (p.n11 + p.n00) / p.n_pairs
    joint = source.objects
    x, y = joint.x, joint.y
    for side, other in ((x, y), (y, x)):
        if is_logical(side):
            means_of = pair_mass_chance.mean_masses
            return 1.0 - pair_mass_chance.linear_loss(means_of(side), means_of(other), alpha)
    tables = mass_table(x), mass_table(y)
    if alpha is None:
        terms = pair_mass_chance.belief_terms(*tables)
    else:
        for side_name, table in zip("xy", tables):
            if table.nonempty.size:
                raise ClusteringError(
                    f"{side_name} has mass on the empty set and neither side is hard or rough: the "
                    f"expectation of {name} has no exact form; {side_name}.normalize() removes "
                    'that mass by a named rule, method="sampled" estimates')
        terms = pair_mass_chance.alpha_terms(*tables, alpha)
    check_pairs(source.n_pairs, max_pairs, name)
    return 1.0 - pair_mass_chance.expected_loss(x, y, terms, joint.kept, progress)


def expected_conflict(source: Source) -> float:
    """Mean of the conflict index over all orders, from the mean masses of each side."""
    if source.sums is not None and "possibilistic" not in source.kinds:
        m = source.statistic(MembershipMoments).pairs
        first, second = m.first / m.n_pairs, m.second / m.n_pairs
        return 1.0 - (first * (1.0 - second) + (1.0 - first) * second)
    joint = source.objects
    (s1, n1, _, e1), (s2, n2, _, e2) = (
        pair_mass_chance.mean_masses(z) for z in (joint.x, joint.y))
    return float(1.0 - (e1 + e2 - e1 * e2 + s1 * n2 + n1 * s2))


def relational_chance(source: Source, alpha: float | None = 0.5) -> float:
    """Chance level of the unadjusted index for `compare()`; nan where it is not cheap."""
    if source.both_hard:
        return expected_relational(source, alpha, "the index")
    joint = source.objects
    if not (is_logical(joint.x) or is_logical(joint.y)):
        subnormal = any(mass_table(side).nonempty.size for side in (joint.x, joint.y))
        if source.n_pairs > SORTED or (alpha is not None and subnormal):
            return math.nan
    return expected_relational(source, alpha, "the index")
