"""Search for a consensus over matchings of the members, one member at a time."""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass, field
from itertools import combinations, count, permutations
from typing import Any, Protocol

import numpy as np

from ..tables.counting import sweep_tables
from ..tables.matching import best_assignments
from .consensus_fits import Manhattan, Members, assigned

#: starts by members, least and most starts of a search, and how often its best must be reached
_BY_MEMBERS, LEAST, _MOST, _HITS = 10, 40, 1000, 3
#: starts after which it suffices that the best was reached from near the best
_PATIENT = 100
#: numbers that one sweep of each start reads, all together: beyond it only `LEAST` starts run
_BUDGET = 1.2e8
#: sweeps of one start; each lowers the objective, so this is never reached in practice
_SWEEPS = 1000
#: objects of all pairs of members from which on hard ones are counted by a kernel
COUNTED = 200_000
#: members times clusters up to which inner products of all pairs are kept
_GRAM = 2000


@dataclass(slots=True, kw_only=True)
class Pairs:
    """Inner products of the members' columns; all that SE needs.

    Attributes
    ----------
    gram : (B, B, K, K) float64, or None where it would be large
        Y_b' D Y_c, D the diagonal of `scale`.
    norms : (B, B) float64
        |Y_b|^2 + |Y_c|^2 on the objects of both, scaled too.
    squares : (B,) float64
        |Y_b|^2.
    weights : (B,) float64
    scale : (n, 1) float64 or None
        What the rows weigh: 1 over the weight of the members that hold an object; None for 1.
    """

    gram: np.ndarray | None
    norms: np.ndarray
    squares: np.ndarray
    weights: np.ndarray
    scale: np.ndarray | None
    members: Members

    @classmethod
    def of(cls, members: Members, weights: np.ndarray, *, scaled: bool = True) -> Pairs:
        """Inner products of all pairs of members; if not `scaled`, all rows have weight 1."""
        count, width, matrix = members.count, members.width, members.matrix
        totals = members.totals(weights)
        scale = None if totals is None or not scaled else 1.0 / totals[:, None]
        squares = np.array([float((matrix(b) ** 2).sum()) for b in range(count)])
        norms = squares[:, None] + squares
        if totals is not None:   # hard rows of length 1
            held = np.stack([matrix(b).sum(axis=1) for b in range(count)], axis=1)
            norms = 2.0 * (held if scale is None else held * scale).T @ held
        pairs = cls(gram=None, norms=norms, squares=squares, weights=weights, scale=scale,
                    members=members)
        if count * width <= _GRAM:
            pairs.gram = (None if scale is not None else tables_of_all(members))
            if pairs.gram is None:
                gram = pairs.gram = np.empty((count, count, width, width))
                for b in range(count):
                    left = pairs.scaled(matrix(b))
                    for c in range(b, count):
                        gram[b, c] = left.T @ matrix(c)
                        gram[c, b] = gram[b, c].T
        return pairs

    def scaled(self, rows: np.ndarray) -> np.ndarray:
        """`rows` (n, K) times their weights."""
        return rows if self.scale is None else rows * self.scale

    def product(self, b: int, c: int) -> np.ndarray:
        """Y_b' D Y_c."""
        return (self.gram[b, c] if self.gram is not None
                else self.scaled(self.members.matrix(b)).T @ self.members.matrix(c))

    def least(self) -> np.ndarray:
        """Squared Euclidean distances of matched members, (B, B)."""
        count = self.squares.size
        distances = np.zeros((count, count))
        for b in range(count - 1):
            products = (self.gram[b, b + 1:] if self.gram is not None else
                        np.stack([self.product(b, c) for c in range(b + 1, count)]))
            columns = best_assignments(products)[0]
            matched = np.take_along_axis(products, columns[:, :, None], axis=2)[:, :, 0].sum(axis=1)
            distances[b, b + 1:] = np.maximum(0.0, self.norms[b, b + 1:] - 2.0 * matched)
            distances[b + 1:, b] = distances[b, b + 1:]
        return distances


def tables_of_all(members: Members) -> np.ndarray | None:
    """Tables of counts of all pairs of hard members, (B, B, K, K); None for others."""
    count, width = members.count, members.width
    if members.codes is None or count * count * members.n < COUNTED:
        return None
    first, second = np.triu_indices(count)
    gram = np.zeros((count, count, width, width))

    def use(start: int, tables: np.ndarray) -> None:
        b, c = (side[start:start + tables.shape[0]] for side in (first, second))
        k = tables.shape[1]
        gram[b, c, :k, :k] = tables
        gram[c, b, :k, :k] = tables.transpose(0, 2, 1)

    counted = sweep_tables(members.codes, np.column_stack([first, second]), use)
    return gram if counted else None


def most_starts(members: Members) -> int:
    """Most starts of a search: fewer where a start takes long."""
    numbers = float(members.count * members.width) ** 2
    return int(min(_MOST, max(LEAST, _BUDGET // numbers)))


class Sweeper(Protocol):
    """Rematches members to the rest until nothing changes."""

    def __call__(self, columns: np.ndarray) -> np.ndarray: ...


class EuclideanSweeps:
    """SE: the gains of member b are sum over c != b of w_c (Y_c P_c)' Y_b."""

    def __init__(self, pairs: Pairs) -> None:
        self.pairs = pairs

    def __call__(self, columns: np.ndarray) -> np.ndarray:
        columns, count = columns.copy(), columns.shape[0]
        gram, w = self.pairs.gram, self.pairs.weights
        assert gram is not None
        members = np.arange(count)
        for _ in range(_SWEEPS):
            changed = False
            for b in range(count):
                rows = gram[members[:, None], b, columns]      # (B, K, K): matched rows of c
                gain = np.tensordot(w, rows, axes=1) - w[b] * rows[b]
                better = _better(gain, columns[b])
                if better is not None:
                    columns[b], changed = better, True
            if not changed:
                break
        return columns


def _better(gain: np.ndarray, present: np.ndarray) -> np.ndarray | None:
    """The best matching, where it gains more than the present one."""
    matching = assigned(gain)
    rows = np.arange(matching.size)
    now, then = gain[rows, present].sum(), gain[rows, matching].sum()
    return matching if then > now + 1e-12 * (1.0 + abs(now)) else None


class VoteSweeps:
    """HE and HM: the sum of the largest weighted votes of the objects grows.

    Exact for hard members; soft ones are matched to the rest's largest votes, and keep the new
    matching where the sum grows. With `squares` as `EuclideanSweeps`, without inner products.
    """

    def __init__(self, pairs: Pairs, *, squares: bool = False) -> None:
        self.pairs, self.members, self.weights = pairs, pairs.members, pairs.weights
        self.squares = squares

    def __call__(self, columns: np.ndarray) -> np.ndarray:
        columns, count, w = columns.copy(), columns.shape[0], self.weights
        votes = sum(w[b] * self.members.matrix(b)[:, columns[b]] for b in range(count))
        for _ in range(_SWEEPS):
            changed = False
            for b in range(count):
                y = self.members.matrix(b)
                rest = votes - w[b] * y[:, columns[b]]
                better = self._match(rest, y, w[b], columns[b])
                if better is not None:
                    columns[b], changed = better, True
                    votes = rest + w[b] * y[:, better]
            if not changed:
                break
        return columns

    def _match(self, rest: np.ndarray, y: np.ndarray, weight: float, present: np.ndarray
               ) -> np.ndarray | None:
        if self.squares:
            return _better(self.pairs.scaled(rest).T @ y, present)
        used = rest[:, :self.members.k]
        largest = used.max(axis=1, keepdims=True)
        gain = np.zeros((rest.shape[1], y.shape[1]))
        if self.members.codes is not None:
            gain[:self.members.k] = np.maximum(0.0, used + weight - largest).T @ y
            return _better(gain, present)
        first = np.zeros_like(used)
        first[np.arange(used.shape[0]), used.argmax(axis=1)] = 1.0
        gain[:self.members.k] = first.T @ y
        matching = assigned(gain)

        def total(columns: np.ndarray) -> float:
            return float((used + weight * y[:, columns[:self.members.k]]).max(axis=1).sum())

        now = total(present)
        return matching if total(matching) > now + 1e-12 * (1.0 + abs(now)) else None


@dataclass(slots=True)
class Progress:
    """Progress of a search: the best value, when it was found and how often.

    `hits` counts the starts that ended at the best value, but not those that began near it: that
    the best matching, changed a little, comes back proves less.
    """

    most: int = _MOST
    best: float = np.inf
    last: int = 0
    values: list[float] = field(default_factory=list)
    other: list[bool] = field(default_factory=list)

    def add(self, value: float, *, again: bool = False) -> None:
        """Note the value of one more start, `again` from near the best."""
        if value < self.best - 1e-9 * (1.0 + abs(value)) or not self.values:
            self.last = len(self.values)
        self.best = min(self.best, value)
        self.values.append(value)
        self.other.append(not again)

    @property
    def _at_best(self) -> np.ndarray:
        return np.array(self.values) <= self.best + 1e-9 * (1.0 + abs(self.best))

    @property
    def hits(self) -> int:
        """Starts from elsewhere that ended at the best value."""
        return int(np.array(self.other)[self._at_best].sum()) if self.values else 0

    @property
    def enough(self) -> bool:
        """Return True if more starts are unlikely to find anything better."""
        count, reached = len(self.values), int(self._at_best.sum())
        return count >= self.most or (count >= max(LEAST, 2 * self.last) and reached >= _HITS
                                  and (self.hits >= _HITS or count >= _PATIENT))


class Starts:
    """Matchings to start from, one after the other.

    First all members matched to one of them; then in turns a random matching, and the best one so
    far with some members matched at random.
    """

    def __init__(self, members: Members, rng: np.random.Generator) -> None:
        self.members, self.rng = members, rng
        self.count, self.width = members.count, members.width
        self.order = rng.permutation(self.count)[:_BY_MEMBERS]
        self.made, self.again = 0, False

    def next(self, best: np.ndarray | None) -> np.ndarray:
        """The matching of the next start, (B, K): columns of each member."""
        s, child = self.made, self.rng.spawn(1)[0]
        self.made, self.again = s + 1, False
        if s < self.order.size:
            matrix = self.members.matrix
            reference = matrix(int(self.order[s])).T
            return np.array([assigned(reference @ matrix(b)) for b in range(self.count)])
        if (s - self.order.size) % 2 == 0 or best is None:
            return np.array([child.permutation(self.width) for _ in range(self.count)])
        columns, self.again = best.copy(), True
        for b in child.permutation(self.count)[:max(2, self.count // 3)]:
            columns[b] = child.permutation(self.width)
        return columns


def named_by_first(columns: np.ndarray, k: int) -> np.ndarray:
    """A matching with its clusters in the order of the first member's, where names are free."""
    if k < columns.shape[1]:   # the first k columns are the consensus: not any name will do
        return columns
    return columns[:, np.argsort(columns[0])]


# -- how low the objective of a consensus can be: bounds, and branch and bound for SE -------------
#: triples are looked at up to this many clusters and members; branch and bound to so many clusters
_TRIPLE_CLUSTERS, _TRIPLE_MEMBERS, _BRANCH_CLUSTERS = 4, 30, 5
#: multiply-adds for Manhattan distances of all pairs of soft members; beyond, no transport bound
_MANHATTAN_WORK = 5e9


def lower_bound(method: str, pairs: Pairs) -> float:
    """The largest of the bounds that hold for a method; nan for GV1 and DWH."""
    if method not in ("SE", "HE", "SM", "HM"):
        return float("nan")
    members, w = pairs.members, pairs.weights
    n, hard = members.n, members.codes is not None
    bounds = [0.0]
    squared = pairs.least()
    euclidean = max(pair_bound(squared, w), triple_bound(pairs))
    if pairs.scale is not None:
        # Hard rows: HE, HM and SM have the same least value, SE at most that. Absent objects leave
        # the triangle inequality of the distances on common objects as it is.
        if method == "SE":
            return euclidean
        distances = Pairs.of(members, w, scaled=False).least()
        return max(euclidean, transport_bound(distances, w))
    if method in ("SE", "HE"):
        bounds.append(euclidean)
    spread = float(w @ pairs.squares) / n
    if method in ("HE", "HM"):
        vertex = 2.0 * n * vertex_bound(1.0 - spread + euclidean / n, members.width)
        bounds.append(vertex - (n * (1.0 - spread) if method == "HE" else 0.0))
    many = members.count
    if hard and method != "SE":
        bounds.append(transport_bound(squared, w))
    elif not hard and method in ("SM", "HM") and (
            many * many * n * members.width**2 / 2 <= _MANHATTAN_WORK):
        way, distances = Manhattan(hard=False), np.zeros((many, many))
        for b, c in combinations(range(many), 2):
            distances[b, c] = distances[c, b] = way.match(members.matrix(b), members.matrix(c),
                                                          members.width)[1]
        bounds.append(transport_bound(distances, w))
    return max(bounds)


def pair_bound(distances: np.ndarray, weights: np.ndarray) -> float:
    """Every matching pays each pair of members at least its own best."""
    return 0.5 * float(weights @ distances @ weights)


def triple_bound(pairs: Pairs) -> float:
    """Each pair lies in B - 2 triples, and each triple pays its own best; 0 where too many."""
    many, width = pairs.squares.size, pairs.members.width
    if width > _TRIPLE_CLUSTERS or not 3 <= many <= _TRIPLE_MEMBERS:
        return 0.0
    costs, relative = matching_costs(pairs)
    total = 0.0
    for b, c, d in combinations(range(many), 3):
        both = costs[b, c][:, None] + costs[b, d][None, :] + costs[c, d][relative]
        total += both.min()
    return float(total / (many - 2))


def matching_costs(pairs: Pairs) -> tuple[np.ndarray, np.ndarray]:
    """w_b w_c |Y_b P_b - Y_c P_c|^2, rows scaled as in `Pairs`, (B, B, K!), by the matching of c
    relative to b; and the number of that matching for two others, (K!, K!)."""
    many, width = pairs.squares.size, pairs.members.width
    perms = np.array(list(permutations(range(width))))
    # number of p^-1 then q: columns of c for the columns 0, 1, ... of b
    codes = {tuple(p): j for j, p in enumerate(perms.tolist())}
    inverse = np.argsort(perms, axis=1)
    relative = np.array([[codes[tuple(q[back])] for q in perms] for back in inverse])
    rows = np.arange(width)
    costs = np.empty((many, many, perms.shape[0]))
    for b in range(many):
        for c in range(many):
            matched = pairs.product(b, c)[rows, perms].sum(axis=1)
            costs[b, c] = np.maximum(0.0, pairs.norms[b, c] - 2.0 * matched)
    return costs * (pairs.weights[:, None] * pairs.weights)[:, :, None], relative


def vertex_bound(scatter: float, width: int) -> float:
    """The least 1 - max p of a distribution p on `width` clusters with 1 - sum p^2 = scatter."""
    if width == 1:
        return 0.0
    top = (width - 1) / width
    return top * (1.0 - math.sqrt(max(0.0, 1.0 - min(max(scatter, 0.0), top) / top)))


def transport_bound(distances: np.ndarray, weights: np.ndarray) -> float:
    """Half the largest mean distance over couplings of the members with themselves."""
    many = weights.size
    if np.allclose(weights, 1.0 / many, rtol=1e-12, atol=0.0):
        from scipy.optimize import linear_sum_assignment
        rows, columns = linear_sum_assignment(distances, maximize=True)
        return float(distances[rows, columns].sum() / (2 * many))
    from scipy.optimize import linprog
    from scipy.sparse import eye, kron, vstack
    ones, unit = np.ones((1, many)), eye(many)
    margins = vstack([kron(unit, ones), kron(ones, unit)]).tocsr()
    solution = linprog(-distances.ravel(), A_eq=margins, b_eq=np.concatenate([weights, weights]))
    return -0.5 * float(solution.fun) * (1.0 - 1e-9) if solution.status == 0 else 0.0


# -- branch and bound -------------------------------------------------------------------------
def branch(pairs: Pairs, members: Members, best: float, max_nodes: int
           ) -> tuple[float, np.ndarray | None]:
    """A bound on SE by at most `max_nodes` nodes, and a matching better than `best` if one is met.

    Members are placed one after the other, those that differ most first. A node pays the pairs
    among the placed ones; each open member costs at least its best matching to the placed ones,
    and each open pair its own best.
    """
    many = members.count
    if members.width > _BRANCH_CLUSTERS or many < 2:
        return 0.0, None
    costs, relative = matching_costs(pairs)
    minima = costs.min(axis=2)
    order = np.argsort(-minima.sum(axis=1), kind="stable")
    costs, minima = costs[np.ix_(order, order)], minima[np.ix_(order, order)]
    among = [float(np.triu(minima[j:, j:], 1).sum()) for j in range(many + 1)]
    first = costs[0, 1:]                                   # the first member stays as it is
    ticket = count()                                       # equal bounds in the order met
    heap: list[tuple[Any, ...]] = [
        (float(first.min(axis=1).sum()) + among[1], next(ticket), 0.0, (0,), first)]
    matching, nodes = None, 0
    while heap and nodes < max_nodes:
        bound, _, paid, placed, open_costs = heapq.heappop(heap)
        if bound >= best * (1.0 - 1e-12):
            return best, _columns(matching, order, members.width)
        nodes += 1
        j = len(placed)
        for p in range(relative.shape[0]):
            cost = paid + float(open_costs[0, p])
            if j + 1 == many:
                if cost < best - 1e-9 * (1.0 + best):
                    best, matching = cost, (*placed, p)
                continue
            rest = open_costs[1:] + costs[j, j + 1:][:, relative[p]]
            value = cost + float(rest.min(axis=1).sum()) + among[j + 1]
            if value < best:
                heapq.heappush(heap, (value, next(ticket), cost, (*placed, p), rest))
    bound = min(best, heap[0][0]) if heap else best
    return bound, _columns(matching, order, members.width)


def _columns(placed: tuple[int, ...] | None, order: np.ndarray, width: int) -> np.ndarray | None:
    """The matching of placed members, in the members' own order."""
    if placed is None:
        return None
    perms = list(permutations(range(width)))
    columns = np.empty((order.size, width), dtype=np.int64)
    columns[order] = [perms[p] for p in placed]
    return columns
