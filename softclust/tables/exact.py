"""Exact sums: of products of whole numbers, and of floats in any order."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

#: sums in double precision below which those of int64 do not overflow
_FITS = 2.0**62
#: bits of the limbs of a weight, objects added at once in double precision
_HALF = 26
_OBJECTS = 1 << 22


def exact_dot(u: np.ndarray, v: np.ndarray) -> int:
    """Sum of u * v of whole numbers from 0 to 2^63 - 1, as an exact Python integer."""
    if not u.size or float(u.max()) * v.sum(dtype=np.float64) < _FITS:
        return int(np.dot(u.astype(np.int64), v.astype(np.int64)))
    return int(np.dot(u.astype(object), v.astype(object)))


def exact_total(values: np.ndarray) -> int:
    """Sum of whole numbers from 0 to 2^63 - 1, as an exact Python integer."""
    if values.sum(dtype=np.float64) < _FITS:
        return int(values.sum(dtype=np.int64))
    return int(values.astype(object).sum())


# -- floats -----------------------------------------------------------------------------------
class FloatSums(NamedTuple):
    """Exact sums of weights w and of w^2 by group and exponent, which add up in any order.

    Attributes
    ----------
    group : ndarray, shape (k,), int64
    exponent : ndarray, shape (k,), int64
        Weights with an odd numerator times 2^exponent.
    limbs : ndarray, shape (k, 7), int64
        Number of objects; numerators in limbs of 2^0, 2^26; squared numerators in limbs of 2^0,
        2^26, 2^52, 2^78.
    """

    group: np.ndarray
    exponent: np.ndarray
    limbs: np.ndarray


def float_sums(group: np.ndarray, weights: np.ndarray) -> FloatSums:
    """Sums of positive finite weights (n,) by group (n,) int64, numbered from 0."""
    parts = [_sums_of(group[i:i + _OBJECTS], weights[i:i + _OBJECTS])
             for i in range(0, weights.shape[0], _OBJECTS)]
    return added(parts)


def added(parts: list[FloatSums]) -> FloatSums:
    """The sums of several sets of objects."""
    if len(parts) == 1:
        return parts[0]
    group = np.concatenate([p.group for p in parts])
    exponent = np.concatenate([p.exponent for p in parts])
    limbs = np.concatenate([p.limbs for p in parts])
    order = np.lexsort((exponent, group))
    group, exponent = group[order], exponent[order]
    new = np.ones(group.shape[0], bool)
    new[1:] = (group[1:] != group[:-1]) | (exponent[1:] != exponent[:-1])
    starts = np.flatnonzero(new)
    if not starts.size:
        return FloatSums(group, exponent, limbs)
    return FloatSums(group[starts], exponent[starts],
                     np.add.reduceat(limbs[order], starts, axis=0))


def _sums_of(group: np.ndarray, weights: np.ndarray) -> FloatSums:
    fraction, exponent = np.frexp(weights.astype(np.float64))
    whole = (fraction * 2.0**53).astype(np.int64)
    lowest = whole & -whole
    zeros = np.frexp(lowest.astype(np.float64))[1].astype(np.int64) - 1
    whole >>= zeros
    exponent = exponent.astype(np.int64) - 53 + zeros
    mask = (1 << _HALF) - 1
    low, high = whole & mask, whole >> _HALF
    # The square of low + 2^26 high, carried on.
    square = low * low
    middle = 2 * low * high + (square >> _HALF)
    top = high * high + (middle >> _HALF)
    columns = [np.ones_like(whole), low, high, square & mask, middle & mask, top & mask,
               top >> _HALF]
    first = int(exponent.min()) if exponent.size else 0
    width = int(exponent.max()) - first + 1 if exponent.size else 1
    keys, places = np.unique(group * width + (exponent - first), return_inverse=True)
    places = places.reshape(-1)
    # Limbs are below 2^29: sums of up to 2^22 are exact in double precision.
    limbs = np.column_stack([np.bincount(places, column, minlength=keys.shape[0])
                             for column in columns]).astype(np.int64).reshape(-1, 7)
    return FloatSums(keys // width, keys % width + first, limbs)


class WholeSums(NamedTuple):
    """Sums of weights as whole numbers of a unit.

    Attributes
    ----------
    exponent : int
        The unit is 2^exponent.
    weights, squares : list of int
        Sums of w in this unit, and of w^2 in its square, by group.
    objects : ndarray, int64
        Number of objects of each group.
    """

    exponent: int
    weights: list[int]
    squares: list[int]
    objects: np.ndarray

    def floats(self) -> np.ndarray:
        """The sums of weights, each rounded once."""
        return np.array([scaled(w, self.exponent) for w in self.weights])

    def shortened(self, bits: int) -> WholeSums:
        """Sums that are below 2^bits together: exact where they fit, else rounded."""
        shift = max(0, sum(self.weights).bit_length() - bits)
        if not shift:
            return self
        half, half_square = 1 << (shift - 1), 1 << (2 * shift - 1)
        return WholeSums(self.exponent + shift,
                         [max(1, (w + half) >> shift) for w in self.weights],
                         [(q + half_square) >> 2 * shift for q in self.squares], self.objects)

    def changed_from(self, exact: WholeSums) -> float:
        """Largest share by which a sum of weights of another unit was rounded."""
        shift = self.exponent - exact.exponent
        return max((abs((short << shift) - w) / w for short, w in zip(self.weights, exact.weights)),
                   default=0.0) if shift else 0.0


def whole_sums(sums: FloatSums, groups: int) -> WholeSums:
    """The sums of groups 0, ..., groups - 1; the unit is 1 where all weights are whole."""
    unit = min(0, int(sums.exponent.min())) if sums.exponent.size else 0
    weights, squares = [0] * groups, [0] * groups
    objects = np.zeros(groups, np.int64)
    np.add.at(objects, sums.group, sums.limbs[:, 0])
    for k, e, row in zip(sums.group.tolist(), sums.exponent.tolist(), sums.limbs.tolist()):
        _, low, high, q0, q1, q2, q3 = row
        weights[k] += (low + (high << _HALF)) << (e - unit)
        squares[k] += (q0 + (q1 << _HALF) + (q2 << 2 * _HALF) + (q3 << 3 * _HALF)) << 2 * (e - unit)
    return WholeSums(unit, weights, squares, objects)


def scaled(value: int, exponent: int) -> float:
    """value * 2^exponent, rounded once."""
    excess = max(0, abs(value).bit_length() - 1000)
    return math.ldexp(float(value >> excess), exponent + excess)
