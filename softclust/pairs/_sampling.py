"""Unbiased estimates of means over pairs from a random sample of pairs (spec section 10)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._checks import check_choice, check_whole
from ..clusterings import Clustering
from ..measures.statistic import interpolated
from .bilinear import MAX_CELLS, pair_table, relation_masses
from .pair_rows import forms_of_masses

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
