"""Estimates of pair measures from random pairs, for clusterings too large for all pairs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from .._checks import ClusteringError, check_alpha, check_choice, check_level, check_whole
from .._types import RNG, ArrayLike, ClusteringLike
from ..clusterings import Clustering
from ..measures.joint import as_joint
from ..measures.statistic import interpolated
from ..results.records import Interval, Record, Valued
from ..results.summary import SummaryTable
from ..results.text import number
from ..running.random_numbers import as_generator
from .bilinear import MAX_CELLS, pair_table, relation_masses
from .pair_rows import forms_of_masses

#: sampled pairs that fit the control coefficients, at most
_FIT = 1000
#: fitting pairs per control below which controls are left out
_PER_CONTROL = 3
#: (same, different, undetermined, conflict) to (same, different, non-empty)
_TO_BASIS = np.array([[1.0, 0, 0, 0], [0, 1, 0, 0], [1, 1, 1, 0]])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Estimate(Valued, Record):
    """An estimate with its half width.

    Attributes
    ----------
    value : float
        The estimate; it may leave the range of the measure by its own error.
    half_width : float
        value - half_width to value + half_width covers the exact value with probability `level`.
    level : float
        Nominal ("normal") or guaranteed ("bernstein") coverage.
    n_pairs : int
        Pairs that enter the estimate.
    n_controls : int
        Independent control variates used.
    bound : str
        "normal" or "bernstein".
    entropy : int or tuple or None
        Seed of the generator that drew the pairs; None for ready pairs.

    Examples
    --------
    >>> import softclust
    >>> estimate = softclust.alpha_rand_estimate([0, 0, 1, 1] * 50, [0, 0, 1, 2] * 50, rng=0)
    >>> estimate.level, estimate.bound, estimate.half_width < 0.01
    (0.95, 'normal', True)
    """

    value: float
    half_width: float
    level: float
    n_pairs: int
    n_controls: int
    bound: str
    entropy: Any

    def _table(self) -> SummaryTable:
        low, high = self.interval.low, self.interval.high
        return SummaryTable.of(
            {"value": [number(self.value)],
             f"{100 * self.level:g} %": [f"{number(low)} to {number(high)}"]},
            title=f"Estimate from {self.n_pairs} pairs of objects",
            notes=[f"The interval is {'guaranteed' if self.bound == 'bernstein' else 'approximate'}"
                   f" ({self.bound})."])

    @property
    def interval(self) -> Interval:
        """[value - half_width, value + half_width]."""
        return Interval(self.value - self.half_width, self.value + self.half_width)


def alpha_rand_estimate(x: ClusteringLike, y: ClusteringLike | None = None, *, alpha: float = 0.5,
                        n_pairs: int = 100_000, level: float = 0.95,
                        bound: Literal["normal", "bernstein"] = "normal",
                        indices: ArrayLike | None = None, rng: RNG = None) -> Estimate:
    r"""Estimate of the alpha-Rand index from random pairs of objects, with its uncertainty.

    For soft clusterings with so many objects that visiting all pairs takes too long;
    `alpha_rand_index` never chooses it by itself.

    Parameters
    ----------
    x, y : clustering-like
        As in `alpha_rand_index`.
    alpha : float
        In [0, 1].
    n_pairs : int
        Number of pairs drawn, with replacement, at least 8.
    level : float
        Coverage of the interval, strictly between 0 and 1.
    bound : {"normal", "bernstein"}
        "normal" uses control variates and the t distribution; "bernstein" is guaranteed for any
        sample size, and wider.
    indices : array-like of int, shape (m, 2), optional
        Ready pairs of different objects instead of drawn ones.
    rng : None, int or Generator
        Seed or Generator of the pairs.

    Returns
    -------
    Estimate

    Raises
    ------
    ClusteringError
        If alpha, level, n_pairs or indices are not as described above; see also `alpha_rand_index`.

    See Also
    --------
    alpha_rand_index

    Notes
    -----
    .. math:: R_\alpha = 1 - \frac{2}{n(n-1)} \sum_{i<j} r_\alpha(i, j)

    The masses of both sides and all their products serve as control variates: their exact means
    over all pairs need no pair loop. Their coefficients come from the first tenth to quarter of the
    pairs, which are then left out, so the estimate is unbiased. Where r is a rare event (alpha = 0,
    nearly equal clusterings) the normal interval covers less often than its level; use "bernstein"
    there. Time O(n f^2 + m f^2), memory O(n f + m).

    Theory: docs/theory/soft-pairs.md.

    References
    ----------
    J.-Y. Audibert, R. Munos, C. Szepesvari (2009), Exploration-exploitation tradeoff using
    variance estimates in multi-armed bandits, Theoretical Computer Science 410, 1876-1902.

    Examples
    --------
    >>> import numpy as np
    >>> import softclust
    >>> rng = np.random.default_rng(0)
    >>> x, y = rng.dirichlet([1, 1, 1], 2000), rng.dirichlet([1, 1, 1], 2000)
    >>> estimate = softclust.alpha_rand_estimate(x, y, n_pairs=20_000, rng=1)
    >>> softclust.alpha_rand_index(x, y) in estimate.interval
    True
    """
    alpha = check_alpha(alpha)
    check_choice("bound", bound, ("normal", "bernstein"))
    level = check_level(level)
    joint = as_joint(x, y)
    entropy = None
    if indices is None:
        n_pairs = check_whole("n_pairs", n_pairs, 8)
        generator = as_generator(rng)
        entropy = getattr(generator.bit_generator.seed_seq, "entropy", None)
        pairs = draw_pairs(joint.n_objects, n_pairs, generator)
    else:
        pairs, n = np.asarray(indices), joint.n_objects
        if pairs.ndim != 2 or pairs.shape[1:] != (2,) or pairs.dtype.kind not in "iu":
            raise ClusteringError(f"indices has shape {pairs.shape} and dtype {pairs.dtype}; whole "
                                  "numbers of shape (m, 2) are needed")
        if pairs.shape[0] < 8:
            raise ClusteringError(f"indices has {pairs.shape[0]} pairs; at least 8 are needed")
        pairs = pairs.astype(np.int64)
        if pairs.min() < 0 or pairs.max() >= n:
            raise ClusteringError(f"indices reach from {pairs.min()} to {pairs.max()} for {n} "
                                  f"objects (0 to {n - 1})")
        if (same := np.flatnonzero(pairs[:, 0] == pairs[:, 1])).size:
            raise ClusteringError(f"indices[{same[0]}] pairs object {pairs[same[0], 0]} with "
                                  "itself")
    x, y = joint.x, joint.y
    m1, m2 = sampled_pair_masses(x, pairs), sampled_pair_masses(y, pairs)
    r0, half, r1, _ = forms_of_masses(m1, m2)
    r, n_controls = interpolated(r0, half, r1, alpha), 0
    if bound == "bernstein":   # of numbers in [0, 1] (Audibert, Munos, Szepesvari 2009)
        log = math.log(3 / (1 - level))
        width = math.sqrt(2 * r.var() * log / r.size) + 3 * log / r.size
    else:
        from scipy.stats import t
        r, n_controls = _controlled(r, x, y, m1, m2)
        width = t.ppf((1 + level) / 2, r.size - 1) * r.std(ddof=1) / math.sqrt(r.size)
    return Estimate(value=1.0 - float(r.mean()), half_width=float(width), level=level,
                    n_pairs=r.size, n_controls=n_controls, bound=bound, entropy=entropy)


def draw_pairs(n: int, m: int, rng: np.random.Generator) -> np.ndarray:
    """m pairs of different objects, uniform and with replacement, (m, 2) int64."""
    i = rng.integers(n, size=m)
    j = rng.integers(n - 1, size=m)
    return np.column_stack([i, j + (j >= i)])


def sampled_pair_masses(x: Clustering, pairs: np.ndarray) -> np.ndarray:
    """Pair masses of the listed pairs, (m, 4): same, different, undetermined, conflict."""
    s, d, g = relation_masses(x.mass_table(), pairs[:, 0], pairs[:, 1]).T
    return np.column_stack([s, d, np.maximum(g - s - d, 0.0), 1.0 - g])


def _controlled(r: np.ndarray, x: Clustering, y: Clustering, m1: np.ndarray, m2: np.ndarray
                ) -> tuple[np.ndarray, int]:
    """Values minus what control variates explain, and the number of controls.

    Controls are s, n, g of both sides and all their products. Coefficients come from pairs that do
    not enter the mean, so it stays unbiased.
    """
    a, b = np.triu_indices(6)
    fit = min(_FIT, r.size // 4)
    if (max(x.mass_table().n_sets, y.mass_table().n_sets) ** 2 > MAX_CELLS
            or fit < _PER_CONTROL * (6 + a.size)):
        return r, 0
    z = np.concatenate([m1 @ _TO_BASIS.T, m2 @ _TO_BASIS.T], axis=1)
    controls = np.concatenate([z, z[:, a] * z[:, b]], axis=1)

    # their exact means over all pairs
    n_pairs = x.n_objects * (x.n_objects - 1) / 2
    blocks = [[_TO_BASIS @ pair_table(u, v) @ _TO_BASIS.T for v in (x, y)] for u in (x, y)]
    second = np.block(blocks) / n_pairs
    margins = [_TO_BASIS @ pair_table(u, v).sum(axis=1) / n_pairs for u, v in ((x, y), (y, x))]
    exact = np.concatenate([*margins, second[a, b]])

    centred = controls[:fit] - exact
    beta, _, used, _ = np.linalg.lstsq(centred - centred.mean(axis=0), r[:fit] - r[:fit].mean(),
                                       rcond=1e-10)
    return r[fit:] - (controls[fit:] - exact) @ beta, int(used)
