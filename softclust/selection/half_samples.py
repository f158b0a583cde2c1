"""Balanced half-samples of objects, agreement of clusterings of them, and its error.

Theory: docs/theory/settings.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .._checks import ClusteringError, frozen, shown
from ..clusterings import Ensemble
from ..ensembles.clusterers import NOISE
from ..tables.pair_counts import PairCounts, adjusted_rand
from ..tables.sums import Sums

#: numbers of blocks G for which a balanced design exists: G - 1 is a prime = 3 mod 4
BLOCKS = (8, 12, 20, 24, 32, 44, 48, 60, 68, 72, 80, 84)
#: label of an object that a half does not hold
ABSENT = -2
#: cells of a table that is counted whole
_CELLS = 1 << 22


def design(n_blocks: int) -> np.ndarray:
    """Blocks of the 2(G - 1) halves, (2(G - 1), G) bool; halves 2p and 2p + 1 are complements.

    Every half has G/2 blocks, and two that are no complements share G/4 (Paley 1933).
    """
    q = n_blocks - 1
    squares = sorted({r * r % q for r in range(1, q)})
    halves = np.zeros((2 * q, n_blocks), np.bool_)
    for p in range(q):
        halves[2 * p, [q, *((p + r) % q for r in squares)]] = True
    halves[1::2] = ~halves[::2]
    return halves


def blocks_of(n: int, n_blocks: Any, blocks: Any, groups: Any, rng: np.random.Generator
              ) -> np.ndarray:
    """The block of each object, (n,): dealt at random, by groups, or given."""
    if n_blocks not in BLOCKS:
        near = sorted(BLOCKS, key=lambda g: abs(g - n_blocks) if isinstance(n_blocks, int) else g)
        raise ValueError(f"n_blocks is {shown(n_blocks)}; balanced halves exist for "
                         f"{min(near[:2])} and {max(near[:2])}, among others")
    if blocks is not None:
        given = np.asarray(blocks)
        if given.shape != (n,):
            raise ClusteringError(f"blocks has {given.size} entries for {n} objects")
        if given.dtype.kind not in "iu" or given.min() < 0 or given.max() >= n_blocks:
            raise ClusteringError(f"blocks are whole numbers from 0 to {n_blocks - 1}")
        unused = np.setdiff1d(np.arange(n_blocks), given)
        if unused.size:
            raise ClusteringError(f"no object is in block {unused[0]} of {n_blocks}")
        return given.astype(np.int64)
    units = np.arange(n)
    if groups is not None:
        values = np.asarray(groups)
        if values.shape != (n,):
            raise ClusteringError(f"groups has {values.size} entries for {n} objects")
        units = np.unique(values, return_inverse=True)[1].reshape(-1)
        if units.max() + 1 < n_blocks:
            raise ClusteringError(f"{units.max() + 1} groups cannot be dealt into {n_blocks} "
                                  "blocks; give fewer blocks")
    elif n < 2 * n_blocks:
        fits = [g for g in BLOCKS if 2 * g <= n]
        way = f"n_blocks={fits[-1]}" if fits else f"at least {2 * BLOCKS[0]} objects are needed"
        raise ValueError(f"{n_blocks} blocks need {2 * n_blocks} objects; X has {n}: {way}")
    places = rng.permutation(units.max() + 1)
    dealt = np.empty(places.size, np.int64)
    dealt[places] = np.arange(places.size) % n_blocks
    return dealt[units]


def coded(labels: np.ndarray, noise: str) -> np.ndarray:
    """Labels with noise as one more cluster, or as single objects; absent ones as they are."""
    codes = labels.astype(np.int64)
    noisy, top = labels == NOISE, max(int(labels.max(initial=0)), 0) + 1
    codes[noisy] = top + (np.arange(np.count_nonzero(noisy)) if noise == "singletons" else 0)
    return codes


def agreement(x: np.ndarray, y: np.ndarray, undefined: float = 0.0) -> float:
    """Adjusted Rand index of codes of the same objects; `undefined` where it is 0/0."""
    n, columns = x.size, int(y.max(initial=0)) + 1
    cells = x * columns + y
    if (int(x.max(initial=0)) + 1) * columns > _CELLS:
        cells = np.unique(cells, return_inverse=True)[1].reshape(-1)

    def squares(codes: np.ndarray) -> int:
        counts = np.bincount(codes)
        return int(counts @ counts)

    over, under = adjusted_rand(PairCounts.from_sums(Sums(
        n=n, cells=squares(cells), rows=squares(x), columns=squares(y))))
    return over / under if under else undefined


def stabilities(labels: np.ndarray, noise: str) -> np.ndarray:
    """Mean agreement of each half with all but its complement, (H,), of labels (H, n)."""
    codes = [coded(row, noise) for row in labels]
    held = labels != ABSENT
    sums = np.zeros(len(codes))
    for a in range(len(codes)):
        for b in range(2 * (a // 2 + 1), len(codes)):
            both = held[a] & held[b]
            value = agreement(codes[a][both], codes[b][both])
            sums[a] += value
            sums[b] += value
    return sums / (len(codes) - 2)


def of_one_cluster(family: np.ndarray, clusters: np.ndarray, at: np.ndarray,
                   stability: np.ndarray) -> np.ndarray:
    """Stability of references cut into as many parts, (B', S).

    `at` (S,) are the mean numbers of clusters of references, `clusters` (S,) those to look up.
    """
    made = np.empty_like(stability)
    for first in np.unique(family):
        own = np.flatnonzero(family == first)
        order = own[np.argsort(at[own], kind="stable")]
        parts = np.split(order, np.flatnonzero(np.diff(at[order]) > 1e-9) + 1)
        places = [at[part].mean() for part in parts]
        for b, values in enumerate(stability):
            made[b, own] = np.interp(clusters[own], places, [values[part].mean() for part in parts])
            if np.isnan(values[own]).any():
                made[b, own] = np.nan
    return made


@dataclass(frozen=True, slots=True, kw_only=True)
class HalvesError:
    """Errors of excess stability from halves and references, for S settings.

    Attributes
    ----------
    influence : (S, G) float64
        Influence of each block, sum 0.
    raw : (S, S) float64
        Squared errors of differences by the infinitesimal jackknife over blocks, without `even`
        and the references.
    difference : (S, S) float64
        Standard errors of differences of the excess.
    single : (S,) float64
        Standard errors of the excess.
    """

    influence: np.ndarray
    raw: np.ndarray
    difference: np.ndarray
    single: np.ndarray

    @classmethod
    def of(cls, halves: np.ndarray, means: np.ndarray, references: np.ndarray) -> HalvesError:
        """Errors from the design (H, G), agreements of halves (S, H) and of references (B, S)."""
        q, count = halves.shape[0] // 2, means.shape[0]
        odd, even = means[:, ::2] - means[:, 1::2], means[:, ::2] + means[:, 1::2]
        influence = odd @ np.where(halves[::2], 1.0, -1.0)
        both = np.vstack([influence, np.zeros(influence.shape[1])])   # the last: against nothing
        scale = influence.shape[1] * q

        def squared(gaps: np.ndarray, sums: np.ndarray, refs: np.ndarray) -> tuple[float, float]:
            raw, kept = float(gaps @ gaps) / scale, refs[~np.isnan(refs)]
            noise = float(sums.var(ddof=1))
            more = float(kept.var(ddof=1)) / kept.size if kept.size > 1 else 0.0
            return raw, max(raw - noise, raw / 4) + more

        values = np.zeros((2, count, count + 1))
        sums = np.vstack([even, np.zeros(q)])
        refs = np.column_stack([references, np.zeros(len(references))])
        for s in range(count):
            for t in range(count + 1):
                if s != t:
                    values[:, s, t] = squared(both[s] - both[t], sums[s] - sums[t],
                                              refs[:, s] - refs[:, t])
        errors = np.sqrt(values[1])
        return cls(influence=frozen(influence), raw=values[0, :, :count],
                   difference=frozen(errors[:, :count]), single=frozen(errors[:, count]))


def ensemble_of_halves(labels: np.ndarray, noise: str, names: Any = None) -> Ensemble:
    """The clusterings of the halves as runs."""
    return Ensemble.from_runs(np.array([coded(row, noise) for row in labels]),
                              absent_label=ABSENT, object_names=names)
