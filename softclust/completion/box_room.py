"""What a search of boxes is given, and what it works in; the kernels take both as they are."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

#: what `counts` of the room holds: open boxes, free places, nodes
OPEN, FREE, NODES = 0, 1, 2


class Task(NamedTuple):
    """What is filled: `table` (r, s), `fill` (s,), `a` (r,) sums of the rows before.

    `phis` and `steps` hold phi(t) and phi(t + 1) - phi(t) of cells for t ln t, and are empty for
    t^2. `root` is 0 where the objective is beta X - W. `outside` is W of other columns.
    """

    table: np.ndarray
    fill: np.ndarray
    a: np.ndarray
    phis: np.ndarray
    steps: np.ndarray
    beta: float
    root: float
    n: float
    outside: float
    margin: float


class Room(NamedTuple):
    """What a search works in: open boxes, a heap of them by bound, the best filling so far."""

    lows: np.ndarray
    highs: np.ndarray
    sums: np.ndarray
    bounds: np.ndarray
    heap: np.ndarray
    free: np.ndarray
    added: np.ndarray
    best_added: np.ndarray
    best: np.ndarray
    counts: np.ndarray
    lines: np.ndarray
    ends: np.ndarray


def new_room(r: int, s: int, boxes: int) -> Room:
    """Room for so many open boxes."""
    lows, highs, sums = np.zeros((3, boxes, r), dtype=np.int64)
    added, best_added = np.zeros((2, r, s), dtype=np.int64)
    return Room(
        lows=lows, highs=highs, sums=sums, bounds=np.zeros(boxes),
        heap=np.zeros(boxes, dtype=np.int64), free=np.arange(boxes)[::-1].copy(), added=added,
        best_added=best_added, best=np.full(1, -np.inf),
        counts=np.array([0, boxes, 0], dtype=np.int64), lines=np.zeros((5, r)),
        ends=np.zeros((3, r), dtype=np.int64))


def grown_room(room: Room) -> Room:
    """Twice the room."""
    old = room.bounds.shape[0]
    free = np.zeros(2 * old, dtype=np.int64)
    count = int(room.counts[FREE])
    free[:count] = room.free[:count]
    free[count:count + old] = np.arange(2 * old - 1, old - 1, -1)
    room.counts[FREE] += old
    twice = {name: np.concatenate([getattr(room, name), np.zeros_like(getattr(room, name))])
             for name in ("lows", "highs", "sums", "bounds", "heap")}
    return room._replace(free=free, **twice)
