"""Unbiased estimates of means over pairs from a random sample of pairs (spec section 10)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._checks import ClusteringError, check_choice, check_whole
from .._parallel import Progress
from .._random import as_generator
from ..clusterings import Clustering
from ..clusterings.focal import MassTable
from ..measures.draws import Draws
from ..measures.statistic import Replicates, Source, Statistic, interpolated
from ..tables.pair_counts import PairCounts
from .bilinear import MAX_CELLS, disjoint_product, pair_table, relation_masses, relation_sums
from .moments import MembershipMoments
from .pair_rows import MAX_BYTES, forms_of_masses
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
    products_of_all_pairs,
    row_distances,
)

#: sampled pairs that fit the control coefficients, at most
_FIT = 1000
#: fitting pairs per control below which controls are left out
_PER_CONTROL = 3
#: (same, different, undetermined, conflict) to (same, different, non-empty)
_TO_BASIS = np.array([[1.0, 0, 0, 0], [0, 1, 0, 0], [1, 1, 1, 0]])


@dataclass(frozen=True, slots=True, kw_only=True)
class SampledMean:
    """Mean of r_alpha over pairs, estimated.

    Attributes
    ----------
    mean, half_width : float
    n_pairs : int
        Pairs that enter the mean.
    n_controls : int
        Independent control variates used; 0 for a plain mean.
    """

    mean: float
    half_width: float
    n_pairs: int
    n_controls: int


def sampled_pair_masses(x: Clustering, pairs: np.ndarray) -> np.ndarray:
    """Pair masses of the listed pairs, (m, 4): same, different, undetermined, conflict."""
    s, d, g = relation_masses(x.mass_table(), pairs[:, 0], pairs[:, 1]).T
    return np.column_stack([s, d, np.maximum(g - s - d, 0.0), 1.0 - g])


def check_method(method: str, n_pairs: Any, rng: Any) -> None:
    """Raise unless the options of an index corrected for chance go together."""
    check_choice("method", method, ("exact", "sampled"))
    if method == "exact":
        if rng is not None:
            raise ValueError('rng has no effect with method="exact"; leave it out or take '
                             'method="sampled"')
    else:
        check_whole("n_pairs", n_pairs, 8)


def draw_pairs(n: int, m: int, rng: np.random.Generator) -> np.ndarray:
    """m pairs of different objects, uniform and with replacement, (m, 2) int64."""
    i = rng.integers(n, size=m)
    j = rng.integers(n - 1, size=m)
    return np.column_stack([i, j + (j >= i)])


def sampled_mean(x: Clustering, y: Clustering, alpha: float, pairs: np.ndarray, level: float,
                 bound: str) -> SampledMean:
    """Mean of r_alpha over all pairs from the listed ones, with its half width."""
    m1, m2 = sampled_pair_masses(x, pairs), sampled_pair_masses(y, pairs)
    r0, half, r1, _ = forms_of_masses(m1, m2)
    r = interpolated(r0, half, r1, alpha)
    if bound == "bernstein":
        return _bernstein(r, level)
    controls, exact = _controls(x, y, m1, m2)
    return _with_controls(r, controls, exact, level)


def _bernstein(r: np.ndarray, level: float) -> SampledMean:
    """Empirical Bernstein bound for numbers in [0, 1] (Audibert, Munos, Szepesvari 2009)."""
    log = math.log(3 / (1 - level))
    width = math.sqrt(2 * r.var() * log / r.size) + 3 * log / r.size
    return SampledMean(mean=float(r.mean()), half_width=width, n_pairs=r.size, n_controls=0)


def _controls(x: Clustering, y: Clustering, m1: np.ndarray, m2: np.ndarray
              ) -> tuple[np.ndarray, np.ndarray]:
    """s, n, g of both sides and all their products for each pair, and their exact means."""
    f1, f2 = x.mass_table().n_sets, y.mass_table().n_sets
    if max(f1, f2) ** 2 > MAX_CELLS:
        return np.zeros((m1.shape[0], 0)), np.zeros(0)
    z = np.concatenate([m1 @ _TO_BASIS.T, m2 @ _TO_BASIS.T], axis=1)
    n_pairs = x.n_objects * (x.n_objects - 1) / 2
    blocks = [[_TO_BASIS @ pair_table(u, v) @ _TO_BASIS.T for v in (x, y)] for u in (x, y)]
    second = np.block(blocks) / n_pairs
    margins = [_TO_BASIS @ pair_table(u, v).sum(axis=1) / n_pairs for u, v in ((x, y), (y, x))]
    a, b = np.triu_indices(6)
    return (np.concatenate([z, z[:, a] * z[:, b]], axis=1),
            np.concatenate([*margins, second[a, b]]))


def _with_controls(r: np.ndarray, controls: np.ndarray, exact: np.ndarray, level: float
                   ) -> SampledMean:
    from scipy.stats import t
    fit = min(_FIT, r.size // 4)
    used = 0
    if controls.shape[1] and fit >= _PER_CONTROL * controls.shape[1]:
        # Coefficients come from pairs that do not enter the mean, so it stays unbiased.
        centred = controls[:fit] - exact
        beta, _, used, _ = np.linalg.lstsq(centred - centred.mean(axis=0),
                                           r[:fit] - r[:fit].mean(), rcond=1e-10)
        r = r[fit:] - (controls[fit:] - exact) @ beta
    width = t.ppf((1 + level) / 2, r.size - 1) * r.std(ddof=1) / math.sqrt(r.size)
    return SampledMean(mean=float(r.mean()), half_width=float(width), n_pairs=r.size,
                       n_controls=int(used))


# -- differences of distances of pairs, as observed and when objects are permuted at random -------
#: pairs a side that may be sorted: some seconds
MAX_PAIRS = 5e7
#: pairs up to which the chance level is computed by sorting them without being asked
SORTED = 500_000
#: pairs a side whose distances are held to leave out each object
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
           progress: Progress | bool | None = None) -> ConcordanceChance:
        """Over all pairs, or estimated from random ones."""
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
    def left_out(cls, source: Source, *, metric: str = "total_variation", method: str = "exact",
                 **ignored: Any) -> Replicates | None:
        """Without each object, O(n^2 log n); None where the pairs are too many to hold."""
        if source.both_hard:
            return cls._crisp(source, metric, source.without_each(PairCounts))
        if method == "sampled" or source.n_pairs > _HELD:
            return None
        n = source.n_objects
        one, two = (_square(z.of_all_pairs().make(0, -(-n // z.of_all_pairs().block)), n)
                    for z in row_distances(source, metric))
        left = source.n_pairs - (n - 1)
        whole = source.statistic(ConcordanceLoss, metric=metric).mean * source.n_pairs
        mean = (whole - np.abs(one - two).sum(axis=1)) / left
        if _linear(source, metric):
            a, b = ((z.sum() / 2.0 - z.sum(axis=1)) / left for z in (one, two))
            expected = a * (1.0 - b) + (1.0 - a) * b
        else:
            expected = _expected_without_each(one, two) / left**2
        return Replicates(times=np.ones(n, np.int64), statistic=cls(mean=mean, expected=expected))

    @classmethod
    def resampled(cls, source: Source, draws: Draws, *, metric: str = "total_variation",
                  **ignored: Any) -> Replicates | None:
        """Statistic of two hard clusterings whose objects are drawn again; None for others."""
        return (cls._crisp(source, metric, source.redrawn(PairCounts, draws))
                if source.both_hard else None)

    @classmethod
    def _crisp(cls, source: Source, metric: str, found: Replicates | None) -> Replicates | None:
        if found is None or found.lacking:
            return found
        p = found.statistic
        return Replicates(times=found.times, first_order=found.first_order, statistic=cls(
            mean=crisp_loss(source, metric, p) / p.n_pairs,
            expected=crisp_loss(source, metric, p.permuted()) / p.n_pairs))


def expected_loss(source: Source, metric: str, max_pairs: float = MAX_PAIRS,
                  progress: Progress | bool | None = None) -> float:
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
    """Whether distances of one side are 0 or 1, so that |d1 - d2| is linear in the other's."""
    return metric in REDUCING and "hard" in source.kinds


def _square(values: np.ndarray, n: int) -> np.ndarray:
    """The distances of all pairs i < j in a symmetric matrix (n, n)."""
    out = np.zeros((n, n))
    out[np.triu_indices(n, 1)] = values
    return out + out.T


def _expected_without_each(one: np.ndarray, two: np.ndarray) -> np.ndarray:
    """Sums of |d1 - d2| over all pairs of pairs without object i, (n,).

    From the sum over all pairs of pairs goes what has i in the first pair, and what has it in the
    second; what has it in both was taken twice.
    """
    n = one.shape[0]
    upper = np.triu_indices(n, 1)
    a, b = np.sort(one[upper]), np.sort(two[upper])
    to_second, to_first = _sums_of_gaps(one, b), _sums_of_gaps(two, a)
    others = ~np.eye(n, dtype=bool)
    of_object = [np.sort(z[others].reshape(n, n - 1), axis=1) for z in (one, two)]
    twice = [_sums_of_gaps(p, q).sum() for p, q in zip(*of_object)]
    whole = to_second[upper].sum()
    first, second = (z.sum(axis=1, where=others) for z in (to_second, to_first))
    return whole - first - second + np.array(twice)


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
#: orders of the sampled pairs of one side against the other
_SHIFTS = 16

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
                  kept: Callable[..., tuple[float, float]],
                  progress: Progress | bool | None = None) -> float:
    """Sum of the terms' means over all pairs of x and all pairs of y; `kept(key, compute)`."""
    total = 0.0
    for weight, first, second, part in terms:
        whole, above = kept(("pair gaps", first, second), lambda a=first, b=second:
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
    return products_of_all_pairs(np.ascontiguousarray(left), np.ascontiguousarray(right))


def sampled_losses(x: Clustering, y: Clustering, pairs: np.ndarray, alpha: float | None
                   ) -> tuple[float, float]:
    """(mean loss, expected loss) from sampled pairs (m, 2), independent of each other.

    For the expectation the pairs of y are moved along the list, so that each pair of x meets
    others than its own.
    """
    first, second = sampled_pair_masses(x, pairs), sampled_pair_masses(y, pairs)
    shifts = min(_SHIFTS, pairs.shape[0] - 1)
    moved = [float(_losses(first, np.roll(second, k + 1, axis=0), alpha).mean())
             for k in range(shifts)]
    return float(_losses(first, second, alpha).mean()), sum(moved) / shifts


def _losses(first: np.ndarray, second: np.ndarray, alpha: float | None) -> np.ndarray:
    if alpha is None:
        return 0.5 * np.abs(first - second)[:, [0, 1, 3]].sum(axis=1)
    r0, half, r1, _ = forms_of_masses(first, second)
    return np.asarray(interpolated(r0, half, r1, alpha))


# -- means of indices when the objects of one clustering are permuted at random, exactly ----------
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
            means_of = mean_masses
            return 1.0 - linear_loss(means_of(side), means_of(other), alpha)
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
