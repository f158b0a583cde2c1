"""Proved bounds of expected indices when exact laws are too large.

An index of pair counts is a smooth function f(q, w) of q = n11 and w = n_y. Around the means
|E f - f(mean)| is at most the second-order term with the largest second derivatives in a box
that (q, w) leaves with probability `OUTSIDE` at most (McDiarmid), plus what may happen outside;
variances are bounded by Efron and Stein. The width is O(1/n).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .index_laws import Classes, Expectation

OUTSIDE = 1e-12
METHOD = "moments"


@dataclass(frozen=True, slots=True, kw_only=True)
class PairCount:
    """A random number of pairs: mean, bound of its variance, interval it leaves rarely."""

    mean: float
    variance: float
    low: float
    high: float


def _pair_count(groups: list[np.ndarray], most: float) -> PairCount:
    """Pairs of objects with equal labels within the groups; memberships (n_a, c) each."""
    mean, variance, changes = 0.0, 0.0, 0.0
    for u in groups:
        sums, spread = u.sum(axis=0), (u * (1.0 - u)).sum(axis=0)
        mean += (float(sums @ sums) - float(np.sum(u * u))) / 2
        others = sums - u                      # mean number of other objects with each label
        centre = np.sum(u * others, axis=1, keepdims=True)
        # The count moves with object i by the others with its label.
        variance += float(np.sum(u * (spread - u * (1.0 - u) + (others - centre) ** 2)))
        free = int((u < 1.0).all(axis=1).sum())
        changes += free * float(u.shape[0] - 1) ** 2
    reach = math.sqrt(changes * math.log(4.0 / OUTSIDE) / 2)
    return PairCount(mean=mean, variance=variance * (1 + 1e-9), low=max(0.0, mean - reach),
                     high=min(most, mean + reach))


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """f at the means: value, gradient, largest second derivatives in the box."""

    value: float
    gradient: tuple[float, float]
    bends: tuple[float, float, float]


def _jaccard(x: float, pairs: float, q: PairCount, w: PairCount) -> Shape:
    """f = q/(x + w - q)."""
    d, least = x + w.mean - q.mean, x + w.low - q.high
    return Shape(value=q.mean / d, gradient=((x + w.mean) / d ** 2, -q.mean / d ** 2),
                 bends=(2 * (x + w.low) / least ** 3, (x + w.low + q.high) / least ** 3,
                        2 * q.high / least ** 3))


def _fowlkes_mallows(x: float, pairs: float, q: PairCount, w: PairCount) -> Shape:
    """f = q/sqrt(x w)."""
    root, least = math.sqrt(x * w.mean), math.sqrt(x * w.low)
    return Shape(value=q.mean / root, gradient=(1 / root, -q.mean / (2 * root * w.mean)),
                 bends=(0.0, 1 / (2 * least * w.low), 0.75 * q.high / (least * w.low ** 2)))


def _adjusted_rand(x: float, pairs: float, q: PairCount, w: PairCount) -> Shape | None:
    """f = (q - k w)/(x/2 + h w), k = x/pairs, h = 1/2 - k."""
    k = x / pairs
    h = 0.5 - k
    d, least = x / 2 + h * w.mean, x / 2 + min(h * w.low, h * w.high)
    if least <= 0:
        return None
    return Shape(value=(q.mean - k * w.mean) / d,
                 gradient=(1 / d, -(k * x / 2 + h * q.mean) / d ** 2),
                 bends=(0.0, abs(h) / least ** 2,
                        2 * abs(h) * (k * x / 2 + abs(h) * q.high) / least ** 3))


_SHAPES: dict[str, tuple[Callable[[float, float, PairCount, PairCount], Shape | None], float]] = {
    "jaccard": (_jaccard, 0.0), "fowlkes_mallows": (_fowlkes_mallows, 0.0),
    "adjusted_rand": (_adjusted_rand, -1.0)}


def pair_index_bounds(index: str, classes: Classes) -> Expectation:
    """Bounds of the expected index of pair counts called `index`; time O(n c)."""
    shape_of, least = _SHAPES[index]
    x = float(classes.pairs_x)
    groups = [classes.members(a) for a in range(classes.sizes.shape[0])]
    q = _pair_count(groups, x)
    w = _pair_count([classes.membership], float(classes.pairs))
    trivial = Expectation(low=least, high=1.0, value=(least + 1.0) / 2, method=METHOD)
    if min(x, w.low, x + w.low - q.high) <= 0:
        return trivial
    shape = shape_of(x, float(classes.pairs), q, w)
    if shape is None:
        return trivial
    dq, dw = math.sqrt(q.variance), math.sqrt(w.variance)
    error = ((shape.bends[0] * dq * dq + 2 * shape.bends[1] * dq * dw
              + shape.bends[2] * dw * dw) / 2
             + (abs(shape.gradient[0]) * dq + abs(shape.gradient[1]) * dw) * math.sqrt(OUTSIDE)
             + 2 * OUTSIDE + 1e-12 + 32.0 * classes.n * 2.0 ** -53)
    if not error < 1.0 - least:
        return trivial
    low, high = max(least, shape.value - error), min(1.0, shape.value + error)
    return Expectation(low=low, high=high, value=min(high, max(low, shape.value)), method=METHOD)


def count_index_bounds(index: str, classes: Classes) -> Expectation:
    """Bounds of the expected index of single counts called `index`, that always hold."""
    share = classes.sizes / classes.n
    entropy = -float(np.sum(share * np.log(share)))
    low, high = {"mutual_information": (0.0, entropy),
                 "variation_of_information": (0.0, entropy + math.log(classes.n_labels)),
                 "purity": (float(share.max()), 1.0)}[index]
    return Expectation(low=low, high=high, value=(low + high) / 2, method="range")
