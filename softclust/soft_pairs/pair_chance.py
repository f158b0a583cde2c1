"""Means of pair measures when the objects of one clustering are permuted at random."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._checks import ClusteringError, check_choice, check_whole
from ..clusterings import Clustering
from ..clusterings.focal import MassTable
from ..measures.resamples import Draws
from ..measures.statistic import Replicates, Source, Statistic
from ..running.random_numbers import as_generator
from ..running.threads import Progress
from ..tables.pair_counts import PairCounts
from ._sampled import draw_pairs
from .bilinear import disjoint_product, relation_sums
from .moments import MembershipMoments
from .pair_rows import MAX_BYTES, products
from .row_distances import (
    METRICS,
    REDUCING,
    ConcordanceLoss,
    PairValues,
    check_pairs,
    crisp_loss,
    gaps_of_others,
    mean_gaps_of_pairs,
    means,
    row_distances,
)


def check_method(method: str, n_pairs: Any, rng: Any) -> None:
    """Raise unless the options of an index corrected for chance are compatible."""
    check_choice("method", method, ("exact", "sampled"))
    if method == "exact":
        if rng is not None:
            raise ValueError('rng has no effect with method="exact"; leave it out or take '
                             'method="sampled"')
    else:
        check_whole("n_pairs", n_pairs, 8)


# -- differences of distances of pairs, as observed and when objects are permuted at random -------
#: pairs per side that may be sorted, in some seconds
MAX_PAIRS = 5e7
#: up to this many pairs the chance level is computed by default, by sorting them
SORTED = 500_000
#: pairs per side whose distances are kept to leave out each object
_HELD = 1 << 21


@dataclass(frozen=True, slots=True, kw_only=True)
class ConcordanceChance(Statistic):
    """Mean of |d1 - d2| over pairs of objects, and over all pairs of pairs.

    Attributes
    ----------
    mean : float
        Over the pairs i < j, d1 and d2 the distances in x and in y.
    expected : float
        d1 of any pair in x, d2 of any pair in y: the mean over all orders of the objects of y.
    """

    mean: Any
    expected: Any

    @classmethod
    def of(cls, source: Source, *, metric: str = "total_variation", method: str = "exact",
           max_pairs: float = MAX_PAIRS, n_pairs: int = 1_000_000, rng: Any = None,
           progress: Progress | bool | None = False) -> ConcordanceChance:
        """Statistic over all pairs, or estimated from random ones."""
        check_method(method, n_pairs, rng)
        check_choice("metric", metric, tuple(METRICS))
        if method == "sampled":
            pairs = draw_pairs(source.n_objects, int(n_pairs), as_generator(rng))
            first, second = (z.of_pairs(pairs) for z in row_distances(source, metric))
            mean = float(np.abs(first - second).mean())
            return cls(mean=mean, expected=gaps_of_others(first, second)[0])
        expected = expected_loss(source, metric, max_pairs, progress)
        return cls(mean=source.statistic(ConcordanceLoss, metric=metric, progress=progress).mean,
                   expected=expected)

    @classmethod
    def left_out(cls, source: Any, *, metric: str = "total_variation", method: str = "exact",
                 **ignored: Any) -> Replicates | None:
        """Without each object, O(n^2 log n); None where the pairs are too many to hold."""
        if source.both_hard:
            return source.without_each(PairCounts).mapped(cls._crisp(source, metric))
        if method == "sampled" or source.n_pairs > _HELD:
            return None
        n = source.n_objects
        one, two = (z.between(slice(None), slice(None)) for z in row_distances(source, metric))
        one[np.diag_indices(n)] = two[np.diag_indices(n)] = 0.0   # of unit rows 1 - 1, rounded
        left = source.n_pairs - (n - 1)
        whole = source.statistic(ConcordanceLoss, metric=metric).mean * source.n_pairs
        mean = (whole - np.abs(one - two).sum(axis=1)) / left
        if _linear(source, metric):
            a, b = ((z.sum() / 2.0 - z.sum(axis=1)) / left for z in (one, two))
            expected = a * (1.0 - b) + (1.0 - a) * b
        else:
            # All pairs of pairs, minus the terms with i in the first pair, minus those with i in
            # the second, plus those with i in both.
            upper, others = np.triu_indices(n, 1), ~np.eye(n, dtype=bool)
            to_two = _sums_of_gaps(one, np.sort(two[upper]))
            to_one = _sums_of_gaps(two, np.sort(one[upper]))
            of_object = [np.sort(z[others].reshape(n, n - 1), axis=1) for z in (one, two)]
            twice = [_sums_of_gaps(p, q).sum() for p, q in zip(*of_object)]
            first, second = (z.sum(axis=1, where=others) for z in (to_two, to_one))
            expected = (to_two[upper].sum() - first - second + np.array(twice)) / left**2
        return Replicates(times=np.ones(n, np.int64), statistic=cls(mean=mean, expected=expected))

    @classmethod
    def resampled(cls, source: Any, draws: Draws, *, metric: str = "total_variation",
                  **ignored: Any) -> Replicates | None:
        """Statistic of two hard clusterings whose objects are drawn again; None for others."""
        return (source.redrawn(PairCounts, draws).mapped(cls._crisp(source, metric))
                if source.both_hard else None)

    @classmethod
    def _crisp(cls, source: Any, metric: str) -> Callable[[PairCounts], ConcordanceChance]:
        """The statistic of two hard clusterings by their pair counts."""
        return lambda p: cls(mean=crisp_loss(source, metric, p) / p.n_pairs,
                             expected=crisp_loss(source, metric, p.permuted()) / p.n_pairs)


def expected_loss(source: Source, metric: str, max_pairs: float = MAX_PAIRS,
                  progress: Progress | bool | None = False) -> float:
    """Mean of |d1 - d2| over all pairs of pairs."""
    if source.both_hard:
        p = source.statistic(PairCounts)
        return float(crisp_loss(source, metric, p.permuted()) / p.n_pairs)
    if _linear(source, metric):
        _, a, b = means(source, metric, progress)
        return a * (1.0 - b) + (1.0 - a) * b

    def sort() -> float:
        check_pairs(source.n_pairs, max_pairs, "adjusted_concordance_index")
        x, y = row_distances(source, metric)
        return mean_gaps_of_pairs(x.of_all_pairs(), y.of_all_pairs(), progress)[0]
    return source.kept(("expected concordance", metric), sort)


def _linear(source: Source, metric: str) -> bool:
    """Test whether distances of one side are 0 or 1, so that |d1 - d2| is linear in the other's."""
    return metric in REDUCING and "hard" in source.kinds


def _sums_of_gaps(values: np.ndarray, ordered: np.ndarray) -> np.ndarray:
    """Sum of |v - w| over all w of a sorted list, for each v."""
    below = np.concatenate([[0.0], np.cumsum(ordered)])
    count = np.searchsorted(ordered, values)
    return values * (2 * count - ordered.size) - 2.0 * below[count] + below[-1]


# -- expected losses of pair masses when the objects of one side are permuted at random -----------
# A loss of two pair masses that is a sum of |a - b| and max(a - b, 0), a a quantity of the pair
# of x and b of the pair of y, needs the pairs of each side sorted, quantity by quantity. When one
# side puts all mass of each object on one set, the loss is linear in the masses of the other.
#: quantities of a pair: masses on same and different, off the empty set, undetermined, and
#: 1 - mass on different
SAME, DIFFERENT, NONEMPTY, UNDETERMINED, NOT_DIFFERENT = range(5)
#: parts of a - b: |a - b|, max(a - b, 0), max(b - a, 0)
WHOLE, ABOVE, BELOW = range(3)
#: (weight, quantity a of x, quantity b of y, part)
Term = tuple[float, int, int, int]


def mean_masses(x: Clustering) -> np.ndarray:
    """Means over pairs of (same, different, undetermined, conflict), (4,)."""
    return relation_sums(x) / (x.n_objects * (x.n_objects - 1) / 2)


def linear_loss(certain: np.ndarray, other: np.ndarray, alpha: float | None) -> float:
    """Expected loss from the mean masses of both sides when one has certain pairs.

    `certain` (4,) are then shares of pairs. `alpha` None: the belief distance, else r_alpha.
    """
    s, n, t, e = other
    if alpha is None:
        losses = [(1 - s + n + e) / 2, (1 + s - n + e) / 2, (s + n + e) / 2, (1 + s + n - e) / 2]
    else:
        losses = [n + e + alpha * t, s + e + alpha * t, e + alpha * (s + n), 1 - e]
    return float(certain @ np.array(losses))


def belief_terms(x: MassTable, y: MassTable) -> list[Term]:
    """(|ds| + |dn| + |de|)/2."""
    if _no_ambiguity(x) and _no_ambiguity(y):
        return [(1.0, SAME, SAME, WHOLE)]
    terms: list[Term] = [(0.5, SAME, SAME, WHOLE), (0.5, DIFFERENT, DIFFERENT, WHOLE)]
    if x.nonempty.size or y.nonempty.size:
        terms.append((0.5, NONEMPTY, NONEMPTY, WHOLE))
    return terms


def alpha_terms(x: MassTable, y: MassTable, alpha: float) -> list[Term]:
    """r_alpha of masses without empty set, as one-dimensional terms."""
    if _no_ambiguity(x) and _no_ambiguity(y):
        return [(1.0, SAME, SAME, WHOLE)]
    half = min(alpha, 0.5)
    terms: list[Term] = [
        (half, SAME, SAME, WHOLE), (half, DIFFERENT, DIFFERENT, WHOLE),
        (alpha - 0.5, UNDETERMINED, UNDETERMINED, WHOLE),
        (1 - 2 * alpha, SAME, NOT_DIFFERENT, ABOVE),   # (s1 + n2 - 1)+
        (1 - 2 * alpha, NOT_DIFFERENT, SAME, BELOW),   # (n1 + s2 - 1)+
    ]
    return [term for term in terms if term[0] > 0.0]


def _no_ambiguity(table: MassTable) -> bool:
    return table.all_single and not table.nonempty.size


def expected_mass_loss(x: Clustering, y: Clustering, terms: list[Term],
                  keep: Callable[..., tuple[float, float]],
                  progress: Progress | bool | None = False) -> float:
    """Sum of the terms' means over all pairs of x and all pairs of y; `keep(key, compute)`."""
    total = 0.0
    for weight, first, second, part in terms:
        whole, above = keep(("pair gaps", first, second), lambda a=first, b=second:
                            mean_gaps_of_pairs(pair_quantity(x, a), pair_quantity(y, b), progress))
        total += weight * (whole, above, whole - above)[part]
    return total


def pair_quantity(x: Clustering, which: int) -> PairValues:
    """A quantity of all pairs i < j."""
    table = x.mass_table()
    n, f = x.n_objects, table.n_sets
    if 32 * n * f > MAX_BYTES:
        raise ClusteringError(
            f"{f} focal sets of {n} objects need {32e-9 * n * f:.3g} GB for the exact expectation, "
            f"more than {MAX_BYTES / 1e9:.3g} GB: merge sets, or take a .subset of the objects")
    masses = np.ascontiguousarray(table.dense().T)
    singles = masses[table.single]
    nonempty = (table.nonempty if table.nonempty.size else np.ones(n))[None, :]
    if which == SAME:
        left = right = singles
    elif which == NONEMPTY:
        left = right = nonempty
    else:
        apart = disjoint_product(table, masses)
        if which == DIFFERENT:
            left, right = masses, apart
        elif which == UNDETERMINED:
            left = np.concatenate([nonempty, -singles, -masses])
            right = np.concatenate([nonempty, singles, apart])
        else:
            one = np.ones((1, n))
            left, right = np.concatenate([one, -masses]), np.concatenate([one, apart])
    left, right = np.ascontiguousarray(left), np.ascontiguousarray(right)
    return PairValues(n=n, between=lambda rows, columns: products(left[:, rows],
                                                                  right[:, columns]))


# -- means of indices when the objects of one clustering are permuted at random, exactly ----------
def expected_relational(source: Source, alpha: float | None, name: str,
                        max_pairs: float = MAX_PAIRS,
                        progress: Progress | bool | None = False) -> float:
    """Mean of the credal Rand index (belief; `alpha` None) or alpha-Rand index over all orders."""
    if source.both_hard:
        p = source.statistic(PairCounts).permuted()
        return float((p.n11 + p.n00) / p.n_pairs)
    joint = source.objects
    x, y = joint.x, joint.y
    for side, other in ((x, y), (y, x)):
        if side.is_logical:
            return 1.0 - linear_loss(mean_masses(side), mean_masses(other), alpha)
    tables = x.mass_table(), y.mass_table()
    if alpha is None:
        terms = belief_terms(*tables)
    else:
        for side_name, table in zip("xy", tables):
            if table.nonempty.size:
                raise ClusteringError(
                    f"{side_name} has mass on the empty set and neither side is hard or rough: the "
                    f"expectation of {name} has no exact form; {side_name}.normalize() removes "
                    'that mass by a named rule, method="sampled" estimates')
        terms = alpha_terms(*tables, alpha)
    check_pairs(source.n_pairs, max_pairs, name)
    return 1.0 - expected_mass_loss(x, y, terms, joint.kept, progress)


def expected_conflict(source: Source) -> float:
    """Mean of the conflict index over all orders, from the mean masses of each side."""
    if source.sums is not None and "possibilistic" not in source.kinds:
        m = source.statistic(MembershipMoments).pairs
        first, second = m.first / m.n_pairs, m.second / m.n_pairs
        return 1.0 - (first * (1.0 - second) + (1.0 - first) * second)
    joint = source.objects
    (s1, n1, _, e1), (s2, n2, _, e2) = (
        mean_masses(z) for z in (joint.x, joint.y))
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
