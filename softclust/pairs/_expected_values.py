"""Means of indices when the objects of one clustering are permuted at random, exactly."""

from __future__ import annotations

import math

from .._checks import ClusteringError
from .._parallel import Progress
from ..measures.statistic import Source
from ..tables.pair_counts import PairCounts
from . import _pair_mass_chance as pair_mass_chance
from .concordance_chance import MAX_PAIRS, SORTED, expected_loss
from .moments import MembershipMoments
from .row_distances import check_pairs


def expected_concordance(source: Source, metric: str, max_pairs: float = MAX_PAIRS,
                         progress: Progress | bool | None = None) -> float:
    """Mean of the concordance index over random permutations of the objects of one side."""
    return 1.0 - expected_loss(source, metric, max_pairs, progress)


def expected_relational(source: Source, alpha: float | None, name: str,
                        max_pairs: float = MAX_PAIRS,
                        progress: Progress | bool | None = None) -> float:
    """Mean of the credal Rand index (belief; `alpha` None) or alpha-Rand index over all orders."""
    if source.both_hard:
        p = source.statistic(PairCounts).permuted()
        return float((p.n11 + p.n00) / p.n_pairs)
    joint = source.objects
    x, y = joint.x, joint.y
    for side, other in ((x, y), (y, x)):
        if side.is_logical:
            means_of = pair_mass_chance.mean_masses
            return 1.0 - pair_mass_chance.linear_loss(means_of(side), means_of(other), alpha)
    tables = x.mass_table(), y.mass_table()
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
    if not (joint.x.is_logical or joint.y.is_logical):
        subnormal = any(side.mass_table().nonempty.size for side in (joint.x, joint.y))
        if source.n_pairs > SORTED or (alpha is not None and subnormal):
            return math.nan
    return expected_relational(source, alpha, "the index")
