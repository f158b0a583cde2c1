"""Count tables of a random side and the exact base distances of many of them.

How many objects have each pair (fixed set, random set) is all that the inner problems need.
Tables are flat rows of counts, laid out for the kernel that solves them:

- "labels", both sets single labels: contingency tables;
- "hard", one of them a single label: classes by sets (bit masks) of the other side;
- "types": fixed sets by random sets.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import permutations

import numpy as np
from scipy.optimize import linear_sum_assignment

from .._parallel import run_chunks
from . import choice_enumeration
from .box_search import BoxSearch, most_pairs
from .label_matching import fewest_moved
from .label_prices import bounds_by_prices, most_moved
from .parts import MAX_ORDER_LABELS, Parts
from .problem import Finding, LimitReached, Limits
from .rough_types import RoughTypes, types_of_masks
from .type_search import TypeSearch, all_relabellings, fewest_pairs

#: nodes of one search before it is continued in slices
_FEW_NODES = 4096
#: tables of a chunk
_CHUNK = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Solved:
    """Bounds of many tables, equal when solved; (m,) int64 each."""

    low: np.ndarray
    high: np.ndarray
    nodes: np.ndarray


class Layout:
    """Where the counts of a problem stand, and how its inner problems are solved."""

    def __init__(self, parts: Parts, base: str) -> None:
        self.base = base
        fixed, random = parts.fixed_masks, parts.random_masks
        self.name = {"both": "labels", "": "types"}.get(parts.hard, "hard")
        owners, sets = (random, fixed) if parts.hard == "random" else (fixed, random)
        self.k, self.c = _labels(owners), _labels(sets)
        rows, columns = owners, sets
        if self.name != "types":
            rows = 1 << np.arange(self.k)
            columns = 1 << np.arange(self.c) if self.name == "labels" else np.arange(1 << self.c)
        self.shape = rows.size, columns.size
        self.left, self.right = np.repeat(rows, columns.size), np.tile(columns, rows.size)
        row, column = ((masks[:, None] == places).argmax(axis=1)
                       for masks, places in ((owners, rows), (sets, columns)))
        cell = row[:, None] * columns.size + column
        self.cell = np.ascontiguousarray(cell.T if parts.hard == "random" else cell)

    @property
    def cells(self) -> int:
        """Entries of a table."""
        return self.shape[0] * self.shape[1]

    def slow(self, end: str) -> bool:
        """Whether an end has no kernel: each inner problem takes milliseconds."""
        return self.name == "types" and end == "upper"

    @cached_property
    def keeps(self) -> np.ndarray:
        """(cells, r) float64 of 0 and 1: a table times this has the objects that may be kept.

        By pair of labels where one side has single labels; else under each one-to-one map.
        """
        size = max(self.k, self.c)
        bits = (self.left[:, None] >> np.arange(size)) & 1
        if self.name != "types":
            held = ((self.right[:, None] >> np.arange(self.c)) & 1)[:, None, :]
            return (bits[:, :self.k, None] * held).reshape(self.cells, -1).astype(np.float64)
        assert size <= MAX_ORDER_LABELS
        images = np.stack([(bits << order).sum(axis=1) for order in permutations(range(size))])
        return (images & self.right != 0).T.astype(np.float64)

    def solve(self, tables: np.ndarray, end: str, limits: Limits, text: str = "",
              max_nodes: int = 0) -> Solved:
        """Bounds of the end's distance of the rows of `tables` (m, cells).

        With `max_nodes`, searches stop there; else they go on in slices, up to the limits.
        """
        m = tables.shape[0]
        low, nodes = np.zeros((2, m), dtype=np.int64)
        high = np.full(m, 1 << 62)
        if not self.slow(end):
            until = max_nodes or min(limits.max_nodes, _FEW_NODES)
            run_chunks(lambda first, last: self._solve(tables, end, until, low, high, nodes, first,
                                                       last), m, _CHUNK,
                       progress=lambda done, total: limits.check(text=text))
        if self.slow(end) or not (max_nodes and self.base == "rand"):
            self._finish(tables, end, limits, low, high, nodes)
        return Solved(low=low, high=high, nodes=nodes)

    def _solve(self, tables: np.ndarray, end: str, until: int, low: np.ndarray, high: np.ndarray,
               nodes: np.ndarray, first: int, last: int) -> None:
        """Bounds of the tables `first` to `last` - 1, searched until so many nodes."""
        part = tables[first:last]
        shaped = part.reshape(-1, *self.shape)
        if end == "lower" and self.base == "partition":
            kept = (part @ self.keeps).astype(np.int64)   # whole: in any order
            best = kept.max(axis=1)
            if self.name != "types":
                best = np.array([table[linear_sum_assignment(table, maximize=True)].sum()
                                 for table in kept.reshape(-1, self.k, self.c)])
            low[first:last] = high[first:last] = part.sum(axis=1) - best
        elif self.base == "partition":
            low[first:last], high[first:last] = bounds_by_prices(shaped)
        elif end == "upper":
            boxes = BoxSearch(*self.shape)
            for i, cnt in enumerate(shaped, first):
                boxes.begin(cnt)
                boxes.run(until)
                low[i], high[i], nodes[i] = boxes.bounds()
        else:
            types = self.types()
            for i, best in enumerate(types.started(part).tolist(), first):
                types.begin(tables[i], best)
                types.run(until)
                low[i], high[i], nodes[i] = types.bounds()

    def types(self) -> TypeSearch:
        """A search over the entries of a table; sets that no object has do not matter."""
        labels = np.arange(max(self.k, self.c))
        left, right = (masks[:, None] >> labels[:size] & 1 == 1
                       for masks, size in ((self.left, self.k), (self.right, self.c)))
        return TypeSearch(left, right, all_relabellings(self.k, self.c))

    def _finish(self, tables: np.ndarray, end: str, limits: Limits, low: np.ndarray,
                high: np.ndarray, nodes: np.ndarray) -> None:
        """Solve what the kernels left open, one table after the other, in slices."""
        inner = _INNER[self.base, end]
        known: dict[bytes, tuple[int, int]] = {}
        for i in np.flatnonzero(low < high):
            key = tables[i].tobytes()
            if key not in known:
                limits.check(text="inner problems")
                used = np.flatnonzero(tables[i])
                found = inner(types_of_masks(self.left[used], self.right[used], tables[i][used]),
                              limits)
                if found.status in ("time_limit", "cancelled"):
                    raise LimitReached(found.status)
                nodes[i] += found.n_nodes
                known[key] = int(found.low), int(found.high)
            low[i], high[i] = max(low[i], known[key][0]), min(high[i], known[key][1])


def _most_pairs(types: RoughTypes, limits: Limits) -> Finding:
    """Most disagreeing pairs of types, neither side hard unless that happens."""
    if types.hard_first() is not None:
        return most_pairs(types, limits)
    if choice_enumeration.states(types) > limits.max_states:
        return choice_enumeration.bound_choices(types, limits)
    return choice_enumeration.enumerate_choices(types, limits)


_INNER = {("rand", "lower"): fewest_pairs, ("rand", "upper"): _most_pairs,
          ("partition", "lower"): fewest_moved, ("partition", "upper"): most_moved}


def _labels(masks: np.ndarray) -> int:
    return int(np.bitwise_or.reduce(masks)).bit_length()
