"""Objects in tiles, and passes of the c-means kernels over them on threads."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .. import _kernels
from .._parallel import run_chunks

#: multiply-adds per chunk: .1 to .2 ms. In an iteration of some ms chunks come out even on
#: threads only if there are many: five of them take two threads a fifth longer than twenty
_WORK_PER_CHUNK = 1 << 20
#: bytes of a line of the cache
LINE = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Tiles:
    """Objects as the kernels take them.

    Attributes
    ----------
    x : (T, p, TILE) float64
        Features in rows; the last tile is filled up with zeros.
    weights : (T, TILE) float64
    n : int
    """

    x: np.ndarray
    weights: np.ndarray
    n: int

    @classmethod
    def of(cls, x: np.ndarray, weights: np.ndarray | None = None) -> Tiles:
        """Tiles of x (n, p); the weights are 1 when None."""
        n, p = x.shape
        width = _kernels.memberships.TILE
        count = -(-n // width)
        tiles = _zeros((count, p, width))
        whole = n // width
        tiles[:whole] = x[:whole * width].reshape(whole, width, p).transpose(0, 2, 1)
        if whole < count:
            tiles[whole, :, :n - whole * width] = x[whole * width:].T
        w = _zeros((count, width))
        w.ravel()[:n] = 1.0 if weights is None else weights
        return cls(x=tiles, weights=w, n=n)

    def run(self, work: Callable[[int, int], object], n_clusters: int) -> None:
        """Call ``work(start, stop)`` on all blocks."""
        kernels = _kernels.memberships
        per_block = kernels.TILES * kernels.TILE * 2 * n_clusters * self.x.shape[1]
        run_chunks(work, self.blocks, max(1, _WORK_PER_CHUNK // per_block))

    @property
    def blocks(self) -> int:
        """Number of blocks of tiles."""
        return -(-self.x.shape[0] // _kernels.memberships.TILES)


def _zeros(shape: tuple[int, ...]) -> np.ndarray:
    """Zeros that begin where a line of the cache does: a vector must not lie in two of them.

    Sums of rough k-means take .65 of the time that they take 16 bytes beside it, where numpy's
    arrays often begin.
    """
    size = math.prod(shape)
    raw = np.zeros(size + LINE // 8)
    skip = -raw.ctypes.data % LINE // 8
    return raw[skip:skip + size].reshape(shape)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pass:
    """What one pass over the objects gives, a_ik being w_i times a membership to the power m.

    Attributes
    ----------
    steps : (c, p) float64
        From the present centres to the next; 0 where `totals` is 0.
    totals : (c,) float64
        Sums of a_ik over the objects.
    costs : (c,) float64
        Terms of the objective, by clusters.
    """

    steps: np.ndarray
    totals: np.ndarray
    costs: np.ndarray

    @property
    def objective(self) -> float:
        """The objective for the present centres."""
        return math.fsum(self.costs)


def fuzzy_pass(tiles: Tiles, centers: np.ndarray, m: float) -> Pass:
    """One pass of fuzzy c-means."""
    return _pass(tiles, centers, lambda start, stop, out: _kernels.memberships.fuzzy_pass(
        tiles.x, tiles.weights, tiles.n, centers, m, start, stop, out))


def possibilistic_pass(tiles: Tiles, centers: np.ndarray, eta: np.ndarray, m: float) -> Pass:
    """One pass of possibilistic c-means with fixed eta (c,)."""
    return _pass(tiles, centers, lambda start, stop, out: _kernels.memberships.possibilistic_pass(
        tiles.x, tiles.weights, tiles.n, centers, eta, m, start, stop, out))


def hard_pass(tiles: Tiles, centers: np.ndarray) -> Pass:
    """One pass of k-means; ties go to the lowest cluster."""
    return _pass(tiles, centers, lambda start, stop, out: _kernels.starts.hard_pass(
        tiles.x, tiles.weights, tiles.n, centers, start, stop, out))


def potentials(tiles: Tiles, seeds: np.ndarray, nearest: np.ndarray
               ) -> tuple[np.ndarray, np.ndarray]:
    """Squared distances to `seeds` (L, p), in tiles, and for each seed the sum over the objects
    of w times the smaller of that and `nearest`, in tiles."""
    squares = np.empty((seeds.shape[0], *tiles.weights.shape))
    out = np.empty((tiles.blocks, seeds.shape[0]))
    tiles.run(lambda start, stop: _kernels.starts.potentials(
        tiles.x, tiles.weights, seeds, nearest, start, stop, squares, out), seeds.shape[0])
    return squares, out.sum(axis=0)


def _pass(tiles: Tiles, centers: np.ndarray,
          kernel: Callable[[int, int, np.ndarray], object]) -> Pass:
    c, p = centers.shape
    out = np.empty((tiles.blocks, c, p + 2))
    tiles.run(lambda start, stop: kernel(start, stop, out), c)
    sums = np.empty(c * (p + 2))
    _kernels.bilinear.neumaier_rows(out.reshape(tiles.blocks, -1), sums)
    sums = sums.reshape(c, p + 2)
    totals = sums[:, p].copy()
    # Nothing near a centre (m close to 1, a bad start): the centre stays.
    steps = np.divide(sums[:, :p], totals[:, None], out=np.zeros((c, p)),
                      where=totals[:, None] > 0)
    return Pass(steps=steps, totals=totals, costs=sums[:, p + 1].copy())


def memberships(tiles: Tiles, centers: np.ndarray, m: float) -> np.ndarray:
    """Fuzzy memberships (n, c) of the objects."""
    out = np.empty((tiles.n, centers.shape[0]))
    tiles.run(lambda start, stop: _kernels.memberships.memberships(
        tiles.x, tiles.n, centers, m, start, stop, out), centers.shape[0])
    return out


def typicalities(tiles: Tiles, centers: np.ndarray, eta: np.ndarray, m: float) -> np.ndarray:
    """Possibilistic typicalities (n, c) of the objects."""
    out = np.empty((tiles.n, centers.shape[0]))
    tiles.run(lambda start, stop: _kernels.memberships.typicalities(
        tiles.x, tiles.n, centers, eta, m, start, stop, out), centers.shape[0])
    return out
