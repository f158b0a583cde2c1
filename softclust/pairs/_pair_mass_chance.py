"""Expected losses of pair masses when the objects of one side are permuted at random.

A loss of two pair masses that is a sum of |a - b| and max(a - b, 0), a a quantity of the pair
of x and b of the pair of y, needs the pairs of each side sorted, quantity by quantity. When one
side puts all mass of each object on one set, the loss is linear in the masses of the other.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .._checks import ClusteringError
from .._parallel import Progress
from ..clusterings import Clustering
from ..clusterings.focal import MassTable
from ..measures.statistic import interpolated
from ._features import MAX_BYTES
from ._pair_values import PairValues, mean_gaps_of_pairs
from ._sampling import sampled_pair_masses
from .bilinear import disjoint_product, relation_sums
from .pair_rows import forms_of_masses
from .row_distances import products_of_all_pairs

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


def expected_loss(x: Clustering, y: Clustering, terms: list[Term],
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
