"""Two rough clusterings as counted types of objects: (label set of x, label set of y)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import permutations

import numpy as np

from ...tables.contingency import contingency
from . import _kernels
from .problem import MAX_MASK_LABELS, Finding, LimitReached, Limits, Problem, as_masks, solver

#: up to this many labels tables of all subsets of labels are made
MOST_SUBSET_LABELS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class RoughTypes:
    """Numbers of objects with each pair of label sets; unused labels are left out.

    Attributes
    ----------
    n : int
        Number of objects.
    k, c : int
        Labels in use by x and by y, renumbered.
    x_sets, y_sets : (f, k) and (g, c) bool
        The distinct sets of each side.
    rows, cols, m : (t,) int64
        The types: set of x, set of y, number of objects (above 0).
    """

    n: int
    k: int
    c: int
    x_sets: np.ndarray
    y_sets: np.ndarray
    rows: np.ndarray
    cols: np.ndarray
    m: np.ndarray

    @property
    def masked(self) -> bool:
        """True if the sets of both sides fit one word."""
        return max(self.k, self.c) <= MAX_MASK_LABELS

    @property
    def a(self) -> np.ndarray:
        """Set of x of each type as a bit mask, (t,) int64."""
        return as_masks(self.x_sets)[self.rows]

    @property
    def b(self) -> np.ndarray:
        """Set of y of each type as a bit mask, (t,) int64."""
        return as_masks(self.y_sets)[self.cols]

    @property
    def n_cells(self) -> int:
        """Pairs of labels that types may have, summed over the types."""
        return int((self.x_sets.sum(axis=1)[self.rows] * self.y_sets.sum(axis=1)[self.cols]).sum())

    @property
    def x_hard(self) -> bool:
        """True if every set of x is one label."""
        return bool((self.x_sets.sum(axis=1) == 1).all())

    @property
    def y_hard(self) -> bool:
        """True if every set of y is one label."""
        return bool((self.y_sets.sum(axis=1) == 1).all())

    def swapped(self) -> RoughTypes:
        """The types with x and y exchanged; all distances are symmetric."""
        return RoughTypes(n=self.n, k=self.c, c=self.k, x_sets=self.y_sets, y_sets=self.x_sets,
                          rows=self.cols, cols=self.rows, m=self.m)

    def hard_first(self) -> RoughTypes | None:
        """The types with a hard side in front, the one with more open sets behind; or None."""
        if self.x_hard:
            return self
        return self.swapped() if self.y_hard else None

    def counts_by_mask(self) -> np.ndarray:
        """x hard: objects by label of x and set of y, (k, 2^c) int64; c <= 10."""
        table = np.zeros((self.k, 1 << self.c), np.int64)
        np.add.at(table, (self.x_sets.argmax(axis=1)[self.rows], self.b), self.m)
        return table


def types_of_masks(a: np.ndarray, b: np.ndarray, m: np.ndarray) -> RoughTypes:
    """Types from bit masks a, b (t,) int64 and counts m (t,) int64; equal types are joined."""
    occupied = m > 0
    x_masks, rows = np.unique(a[occupied], return_inverse=True)
    y_masks, cols = np.unique(b[occupied], return_inverse=True)
    table = np.zeros((x_masks.shape[0], y_masks.shape[0]), np.int64)
    np.add.at(table, (rows.reshape(-1), cols.reshape(-1)), m[occupied])
    return _packed(_sets(x_masks), _sets(y_masks), *_cells(table))


def rough_types(problem: Problem) -> RoughTypes:
    """Types of a problem with two hard or rough sides; counted once, in O(n)."""
    def count() -> RoughTypes:
        x, y = problem.x, problem.y
        cells = contingency(x.code, x.sets.shape[0], y.code, y.sets.shape[0])
        return _packed(x.sets, y.sets, cells.rows, cells.cols, cells.counts)
    return problem.kept("rough types", count)


def _cells(table: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rows, cols = np.nonzero(table)
    return rows, cols, table[rows, cols]


def _packed(x_sets: np.ndarray, y_sets: np.ndarray, rows: np.ndarray, cols: np.ndarray,
            m: np.ndarray) -> RoughTypes:
    """Leave out sets and labels that no object has."""
    x_used, rows = np.unique(rows, return_inverse=True)
    y_used, cols = np.unique(cols, return_inverse=True)
    x_sets, y_sets = x_sets[x_used], y_sets[y_used]
    x_sets, y_sets = x_sets[:, x_sets.any(axis=0)], y_sets[:, y_sets.any(axis=0)]
    return RoughTypes(n=int(m.sum()), k=x_sets.shape[1], c=y_sets.shape[1], x_sets=x_sets,
                      y_sets=y_sets, rows=rows.reshape(-1).astype(np.int64),
                      cols=cols.reshape(-1).astype(np.int64),
                      m=np.ascontiguousarray(m, dtype=np.int64))


def _sets(masks: np.ndarray) -> np.ndarray:
    """Bit masks as rows of booleans."""
    return ((masks[:, None] >> np.arange(MAX_MASK_LABELS, dtype=np.int64)) & 1).astype(bool)


def few_subsets(problem: Problem, limits: Limits) -> str:
    """Reason why tables of all subsets of labels are not made, or ""."""
    types = rough_types(problem)
    if max(types.k, types.c) > MOST_SUBSET_LABELS:
        return f"{max(types.k, types.c)} labels; tables of subsets stop at {MOST_SUBSET_LABELS}"
    return ""


def many_subsets(problem: Problem, limits: Limits) -> str:
    """Opposite of `few_subsets`, for general bounds where tables are too large."""
    fits = problem.whole and not few_subsets(problem, limits)
    return "tables of subsets are used" if fits else ""


# -- rough clusterings of any number of labels: relabellings, and bounds that follow from them ----
#: a matrix of sets of x by sets of y may have this many cells
_DENSE_SETS = 1 << 20


def meetings(types: RoughTypes, chosen: np.ndarray | None = None) -> np.ndarray:
    """W[a, b] = objects of the `chosen` types that may have labels a and b, padded square."""
    m = types.m if chosen is None else np.where(chosen, types.m, 0)
    shape = types.x_sets.shape[0], types.y_sets.shape[0]
    size = max(types.k, types.c)
    table = np.zeros((size, size), np.int64)
    if shape[0] * shape[1] <= _DENSE_SETS:
        joint = np.zeros(shape, np.int64)
        joint[types.rows, types.cols] = m
        overlaps = types.x_sets.T.astype(np.int64) @ joint @ types.y_sets
    else:
        from scipy.sparse import csr_array
        joint = csr_array((m, (types.rows, types.cols)), shape=shape)
        overlaps = (csr_array(types.x_sets.astype(np.int64)).T @ joint
                 @ csr_array(types.y_sets.astype(np.int64))).toarray()
    table[:types.k, :types.c] = overlaps
    return table


def best_relabelling(types: RoughTypes) -> np.ndarray:
    """The permutation of the larger number of labels that meets most labels, (size,)."""
    from scipy.optimize import linear_sum_assignment
    return np.asarray(linear_sum_assignment(meetings(types), maximize=True)[1], dtype=np.int64)


def moved_by(types: RoughTypes, columns: np.ndarray) -> int:
    """Objects whose sets do not meet when label a becomes columns[a] (>= c: none)."""
    in_use = columns < types.c
    images = np.zeros((types.x_sets.shape[0], types.c), dtype=bool)
    images[:, columns[in_use]] = types.x_sets[:, in_use]
    meet = (images[types.rows] & types.y_sets[types.cols]).any(axis=1)
    return types.n - int(types.m[meet].sum())


def moved_bounds(types: RoughTypes) -> tuple[int, int]:
    """Bounds of the most moved objects, from the best relabelling.

    Above: labels follow it wherever they may, so at most m objects move, m the larger number of
    sets of one side that reach outside the other's. Below: labels whose partner the other side
    cannot have are chosen first, and the best matching of what the other side may answer.
    """
    from scipy.optimize import linear_sum_assignment
    low, high = 0, 0
    for side in (types, types.swapped()):
        columns, m = best_relabelling(side)[:side.k], side.m[:, None]
        inside = np.zeros((side.m.shape[0], side.k), dtype=bool)
        inside[:, columns < side.c] = side.y_sets[side.cols][:, columns[columns < side.c]]
        mine = side.x_sets[side.rows]
        high = max(high, int(side.m[(mine & ~inside).any(axis=1)].sum()))
        price = np.where(mine, inside.astype(np.int64), 2)
        table = np.zeros((side.k, side.c), np.int64)
        np.add.at(table, price.argmin(axis=1), m * side.y_sets[side.cols])
        rows, columns = linear_sum_assignment(table, maximize=True)
        low = max(low, side.n - int(table[rows, columns].sum()))
    return low, high


def near_labels(types: RoughTypes) -> np.ndarray:
    """A label of y for each type that the best relabelling makes one of x where possible."""
    b = types.y_sets.argmax(axis=1)[types.cols]
    for x, y in enumerate(best_relabelling(types)[:types.k].tolist()):
        if y < types.c:
            b[types.x_sets[types.rows, x] & types.y_sets[types.cols, y]] = y
    return b


# -- fewest disagreeing pairs of two hard or rough sides: a branch and bound over types -----------
# A type is a pair of label sets with the objects that have it. Some minimiser puts every type in
# one pair of labels.
#: elementary steps of a slice, about 30 ms
SLICE = 20_000_000
#: a type may have this many cells, and all types together
_MOST_CELLS = 200_000
#: and there may be so many types
_MOST_TYPES = 4000
#: all relabellings begin searches up to this many labels
_MOST_STARTED = 4


def _few_types(problem: Problem, limits: Limits) -> str:
    types = rough_types(problem)
    if types.masked and types.n_cells <= _MOST_CELLS and types.m.shape[0] <= _MOST_TYPES:
        return ""
    return (f"{max(types.k, types.c)} labels and {types.m.shape[0]} types are too many for a "
            "branch and bound")


@solver("exact", cost="O(n), branch and bound over types", fits=_few_types,
        cheap=lambda p: p.c <= 3)
def type_search(problem: Problem, end: str, limits: Limits) -> Finding:
    """Fewest disagreeing pairs of two hard or rough sides, one cell for each type."""
    return fewest_pairs(rough_types(problem), limits)


def fewest_pairs(types: RoughTypes, limits: Limits) -> Finding:
    """Fewest disagreeing pairs of types."""
    search = TypeSearch(types.x_sets[types.rows], types.y_sets[types.cols],
                        best_relabelling(types)[None, :types.k])
    search.begin(types.m, int(search.started(types.m[None])[0]))
    status = in_slices(search.run, lambda: search.finished,
                       max(1, SLICE // (4 * types.n_cells + 100)), limits,
                       "fewest disagreeing pairs")
    low, high, nodes = search.bounds()
    return Finding.integers(low, high, status, n_nodes=nodes)


def all_relabellings(k: int, c: int) -> np.ndarray:
    """Labels of y for those of x: all ways for few labels, else all turns; (ways, k)."""
    size = max(k, c)
    if size <= _MOST_STARTED:
        return np.array(list(permutations(range(size))), dtype=np.int64)[:, :k]
    return np.asarray((np.arange(size)[:, None] + np.arange(k)) % size, dtype=np.int64)


class TypeSearch:
    """A search over types with label sets x (t, k), y (t, c), and its arrays; see the kernel.

    relabellings (ways, k) : a label of y for each label of x; the search begins with choices of
    cells that follow one of them.
    """

    def __init__(self, x: np.ndarray, y: np.ndarray, relabellings: np.ndarray) -> None:
        met = (x[:, :, None] & y[:, None, :])
        kinds, a, b = np.nonzero(met)
        self.shape = met.shape[1:]
        self.first = np.concatenate([[0], np.cumsum(np.bincount(kinds, minlength=len(x)))])
        self.cells = np.stack([a, b])
        follows = np.zeros((len(relabellings), *self.shape), dtype=bool)
        labels = np.arange(self.shape[0])
        for way, columns in zip(follows, relabellings):
            inside = columns < self.shape[1]
            way[labels[inside], columns[inside]] = True
        # The first cell of each type that follows, else its first one; (ways, t)
        best = (met.reshape(1, len(x), -1) * (1 + follows.reshape(len(follows), 1, -1)))
        self.choices = best.argmax(axis=2)

        # The arrays of a search.
        t, many = self.first.size - 1, self.cells.shape[1]
        self.table = np.zeros(self.shape, np.int64)
        self.margins = [np.zeros(size, np.int64) for size in self.shape]
        self.scratch = (np.empty(t, np.int64), np.empty(many, np.int64), np.empty(many, np.int64),
                        np.empty(t + 1, np.int64))
        self.state = np.zeros(6, np.int64)

    def started(self, counts: np.ndarray, *, each: bool = False) -> np.ndarray:
        """Fewest disagreeing pairs of the choices that follow a relabelling; counts (m, t).

        `each`: those of each choice, (ways, m).
        """
        size = self.shape[0] * self.shape[1]
        pairs = []
        for choice in self.choices:
            tables = (counts @ np.eye(size, dtype=np.int64)[choice]).reshape(-1, *self.shape)
            pairs.append(((tables.sum(axis=1)**2).sum(axis=1) + (tables.sum(axis=2)**2).sum(axis=1)
                          - 2 * (tables**2).sum(axis=(1, 2))) // 2)
        return np.array(pairs) if each else np.min(pairs, axis=0)

    def begin(self, counts: np.ndarray, best: int) -> None:
        """Restart with counts (t,) of the types; `best` is reached by some choice."""
        self.counts = np.array(counts)
        for array in (self.table, *self.margins, self.state):
            array.fill(0)
        self.state[1] = best

    def run(self, until: int) -> None:
        """Search until this many nodes."""
        _kernels.type_search.search_types(self.counts, self.first, self.cells, self.table,
                                          *self.margins, *self.scratch, self.state, until)

    @property
    def finished(self) -> bool:
        return bool(self.state[0] < 0)

    def bounds(self) -> tuple[int, int, int]:
        """Proved bounds and number of nodes: low, high, nodes."""
        best, root = int(self.state[1]), int(self.state[5])
        return best if self.finished else min(best, root), best, int(self.state[3])


def in_slices(run: Callable[[int], object], finished: Callable[[], bool], step: int,
              limits: Limits, text: str) -> str:
    """Call ``run(until)`` with growing numbers of nodes until ``finished()``; the status."""
    done = 0
    try:
        while True:
            done = min(done + step, limits.max_nodes)
            run(done)
            if finished():
                return "ok"
            if done >= limits.max_nodes:
                return "max_nodes"
            limits.check(text=f"{text}, {done} nodes")
    except LimitReached as stop:
        return stop.status


# -- most disagreeing pairs of a hard and a rough side: a branch and bound over cluster sizes -----
# Boxes of sizes of the rough side; the chord of the squared sizes decouples the classes and
# bounds a box.
#: boxes on one path of the search are at most this many times labels: each split leaves at most
#: three quarters of a range below 2^31
_SPLITS = 80


@solver("exact", cost="O(n), branch and bound over cluster sizes", fits=few_subsets,
        cheap=lambda p: p.c <= 3)
def box_search(problem: Problem, end: str, limits: Limits) -> Finding:
    """Most disagreeing pairs of a hard and a rough side, by boxes of cluster sizes."""
    return most_pairs(rough_types(problem), limits)


def most_pairs(types: RoughTypes, limits: Limits) -> Finding:
    """Most disagreeing pairs of types: by boxes with a hard side, else by choices of labels."""
    hard = types.hard_first()
    if hard is None:
        many = states(types) > limits.max_states
        return (bound_choices if many else enumerate_choices)(types, limits)
    cnt = hard.counts_by_mask()
    search = BoxSearch(*cnt.shape)
    search.begin(cnt)
    step = max(1, SLICE // (8 * cnt.size * hard.c))
    status = in_slices(search.run, lambda: search.finished, step, limits, "most disagreeing pairs")
    low, high, nodes = search.bounds()
    return Finding.integers(low, high, status, n_nodes=nodes)


def beliefs(cnt: np.ndarray) -> np.ndarray:
    """Counts (..., 2^c) by label set summed over subsets: objects whose set lies within each."""
    bel = np.array(cnt, dtype=np.int64)
    bit = 1
    while bit < bel.shape[-1]:
        view = bel.reshape(*bel.shape[:-1], -1, 2, bit)
        view[..., 1, :] += view[..., 0, :]
        bit *= 2
    return bel


class BoxSearch:
    """A search and its arrays, for tables (k, f) of classes by label sets; see the kernel."""

    def __init__(self, k: int, f: int) -> None:
        c = f.bit_length() - 1
        self.boxes = np.empty((_SPLITS * c + 2, 2, c), np.int64)
        self.limits = np.empty(_SPLITS * c + 2, np.int64)
        self.state = np.zeros(4, np.int64)
        self.rows = np.zeros((k, c), np.int64)
        self.scratch = (np.empty((4, c), np.int64), np.empty((k, c), np.int64), self.rows,
                        np.empty((c + 1, 3), np.int64), np.zeros(f, np.int64))

    def begin(self, cnt: np.ndarray) -> None:
        """Restart with a table of counts."""
        self.bel = beliefs(cnt)
        sizes = self.bel[:, -1]
        n = int(sizes.sum())
        singles = 1 << np.arange(self.rows.shape[1])
        self.boxes[0] = self.bel[:, singles].sum(axis=0), n - self.bel[:, -1 - singles].sum(axis=0)
        self.limits[0] = 2 * n * n
        self.state[:] = 1, -2 * n * n - 1, 0, n
        self.squares = int((sizes**2).sum())

    def run(self, until: int) -> None:
        """Search until this many nodes."""
        _kernels.box_search.search_boxes(self.bel, self.boxes, self.limits, self.state,
                                         *self.scratch, until)

    @property
    def finished(self) -> bool:
        return bool(self.state[0] == 0)

    def bounds(self) -> tuple[int, int, int]:
        """Proved bounds in disagreeing pairs, and number of nodes: low, high, nodes."""
        best = int(self.state[1])
        high = max([best, *self.limits[:self.state[0]].tolist()])
        return max(0, (self.squares + best) // 2), (self.squares + high) // 2, int(self.state[2])


# -- most disagreeing pairs of two rough sides (Hausdorff): every table of choices of labels ------
# Where there are too many, a few choices of one side bound them from below, and a fixed answer to
# all choices from above.
#: tables of a block
_BLOCK = 512
#: all orders of labels are tried up to this many labels
_MOST_ORDERED = 5
#: nodes of a search for the answer to one choice, and for the choice farthest from one answer
_NODES, _MOST_NODES = 2000, 20_000


def states(types: RoughTypes) -> int:
    """Count tables of both sides, by formula (at most: different choices may give one table)."""
    return _states_of_x(types) + _states_of_x(types.swapped())


def _states_of_x(types: RoughTypes) -> int:
    total = 1
    x_size = types.x_sets.sum(axis=1)[types.rows]
    for group in range(types.y_sets.shape[0]):
        chosen = (types.cols == group) & (x_size > 1)
        separate = 1
        for m, size in zip(types.m[chosen].tolist(), x_size[chosen].tolist()):
            separate *= math.comb(m + size - 1, size - 1)
        union = int(types.x_sets[types.rows[chosen]].any(axis=0).sum())
        m_all = int(types.m[chosen].sum())
        total *= min(separate, math.comb(m_all + union - 1, union - 1) if union else 1)
    return total


def _enumeration_fits(problem: Problem, limits: Limits) -> str:
    # With more labels the search inside each state takes about 20 times as long.
    types = rough_types(problem)
    return few_subsets(problem, limits) or limits.too_many(
        states(types) * (1 if max(types.k, types.c) <= 3 else 20))


@solver("exact", cost="count tables of both sides", fits=_enumeration_fits)
def choice_enumeration(problem: Problem, end: str, limits: Limits) -> Finding:
    """Most disagreeing pairs of two rough sides (Hausdorff), all count tables enumerated."""
    return enumerate_choices(rough_types(problem), limits)


@solver("certificate", cost="O(n), some small searches", fits=few_subsets,
        cheap=lambda p: p.c <= 3)
def choice_bounds(problem: Problem, end: str, limits: Limits) -> Finding:
    """Most disagreeing pairs of two rough sides, between some choices and one answer to all."""
    return bound_choices(rough_types(problem), limits)


def bound_choices(types: RoughTypes, limits: Limits) -> Finding:
    """Bounds of types: choices by orders of the labels, and answers near the other side."""
    limits = replace(limits, max_nodes=min(limits.max_nodes, _MOST_NODES))
    finding, low, high = Finding(), 0, 0
    try:
        for side in (types, types.swapped()):
            labels = np.arange(side.k)
            orders = permutations(labels) if side.k <= _MOST_ORDERED else (
                np.roll(labels, turn) for turn in labels)
            for order in orders:
                chosen = np.where(side.x_sets, np.array(order), side.k).argmin(axis=1)[side.rows]
                tables = np.bincount(chosen * side.y_sets.shape[0] + side.cols, side.m,
                                     side.k * side.y_sets.shape[0]).astype(np.int64)
                low = max(low, _farthest_answer(side, tables[None], limits)[0])
            # Every choice of x has this choice of y among its answers: max of min <= max.
            fixed = types_of_masks(side.a, 1 << near_labels(side), side.m)
            answered = most_pairs(fixed, limits)
            high = max(high, int(answered.high))
            finding.n_nodes += answered.n_nodes
            if answered.status not in ("ok", "max_nodes"):
                finding.status = answered.status
    except LimitReached as stop:
        finding.status, high = stop.status, types.n * (types.n - 1) // 2
    finding.low, finding.high = float(low), float(high)
    return finding


def enumerate_choices(types: RoughTypes, limits: Limits) -> Finding:
    """The enumeration on types."""
    low, high, done, status = 0, 0, 0, "ok"
    try:
        for side in (types, types.swapped()):
            parts = [_columns(side, np.flatnonzero(side.cols == g))
                     for g in range(side.y_sets.shape[0])]
            total = math.prod(len(p) for p in parts)
            for first in range(0, total, _BLOCK):
                limits.check(first / total, f"{total} count tables")
                rest = np.arange(first, min(total, first + _BLOCK))
                tables = np.empty((rest.size, side.k, len(parts)), np.int64)
                for g, part in reversed(list(enumerate(parts))):
                    rest, row = np.divmod(rest, len(part))
                    tables[:, :, g] = part[row]
                below, above = _farthest_answer(side, tables.reshape(len(tables), -1), limits)
                low, high, done = max(low, below), max(high, above), done + len(tables)
    except LimitReached as stop:
        high, status = types.n * (types.n - 1) // 2, stop.status
    if status == "ok" and low < high:
        status = "max_nodes"   # of an inner search
    return Finding(low=float(low), high=float(high), n_states=done, status=status)


def _farthest_answer(types: RoughTypes, tables: np.ndarray, limits: Limits) -> tuple[int, int]:
    """Bounds of the largest fewest pairs of tables (m, k g): labels of x by sets of y."""
    x = np.repeat(np.eye(types.k, dtype=bool), len(types.y_sets), axis=0)
    search = TypeSearch(x, np.tile(types.y_sets, (types.k, 1)), all_relabellings(types.k, types.c))
    low = high = 0
    for table, start in zip(tables, search.started(tables).tolist()):
        if start <= low:
            continue   # no table is farther than some answer to it
        search.begin(table, start)
        search.run(min(_NODES if types.c > 3 else 1 << 20, limits.max_nodes))
        below, above, _ = search.bounds()
        low, high = max(low, below), max(high, above)
    return low, max(low, high)


def _columns(types: RoughTypes, members: np.ndarray) -> np.ndarray:
    """Distinct counts of labels of x among the objects of some types, (v, k)."""
    vectors = np.zeros((1, types.k), np.int64)
    for i in members.tolist():
        labels = np.flatnonzero(types.x_sets[types.rows[i]])
        choices = np.zeros((math.comb(int(types.m[i]) + len(labels) - 1, len(labels) - 1),
                            types.k), np.int64)
        choices[:, labels] = _compositions(int(types.m[i]), len(labels))
        vectors = np.unique((vectors[:, None] + choices[None]).reshape(-1, types.k), axis=0)
    return vectors


def _compositions(total: int, parts: int) -> np.ndarray:
    """All ways to write `total` as an ordered sum of `parts` numbers >= 0."""
    if parts == 1:
        return np.full((1, 1), total, np.int64)
    choices = [np.column_stack([np.full(rest.shape[0], first), rest])
             for first in range(total + 1) for rest in [_compositions(total - first, parts - 1)]]
    return np.concatenate(choices)
