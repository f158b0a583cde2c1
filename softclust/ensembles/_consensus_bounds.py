"""How low the objective of a consensus can be: bounds, and branch and bound for SE."""

from __future__ import annotations

import heapq
import math
from itertools import combinations, count, permutations
from typing import Any

import numpy as np

from ._consensus_fits import Manhattan, Members
from ._consensus_search import Matrices, Pairs

#: triples are looked at up to so many clusters and members; branch and bound to so many clusters
_TRIPLE_CLUSTERS, _TRIPLE_MEMBERS, _BRANCH_CLUSTERS = 4, 30, 5
#: multiply-adds for Manhattan distances of all pairs of soft members; beyond, no transport bound
_MANHATTAN_WORK = 5e9


def lower_bound(method: str, matrices: Matrices, pairs: Pairs) -> float:
    """The largest of the bounds that hold for a method; nan for GV1 and DWH."""
    if method not in ("SE", "HE", "SM", "HM"):
        return float("nan")
    members, w = matrices.members, pairs.weights
    n, hard = members.n, members.all_hard
    found = [0.0]
    least = pairs.least()
    euclidean = max(pair_bound(least, w), triple_bound(pairs))
    if pairs.scale is not None:
        # Hard rows: HE, HM and SM have the same least value, SE at most that. Absent objects leave
        # the triangle inequality of the distances on common objects as it is.
        if method == "SE":
            return euclidean
        distances = Pairs.of(matrices, w, scaled=False).least()
        return max(euclidean, transport_bound(distances, w))
    if method in ("SE", "HE"):
        found.append(euclidean)
    spread = float(w @ pairs.squares) / n
    if method in ("HE", "HM"):
        vertex = 2.0 * n * vertex_bound(1.0 - spread + euclidean / n, members.width)
        found.append(vertex - (n * (1.0 - spread) if method == "HE" else 0.0))
    if method in ("SM", "HM") or hard:
        manhattan = least if hard else _manhattan(matrices)
        if manhattan is not None and method != "SE":
            found.append(transport_bound(manhattan, w))
    return max(found)


def pair_bound(least: np.ndarray, weights: np.ndarray) -> float:
    """Every matching pays each pair of members at least its own best."""
    return 0.5 * float(weights @ least @ weights)


def triple_bound(pairs: Pairs) -> float:
    """Each pair lies in B - 2 triples, and each triple pays its own best; 0 where too many."""
    many, width = pairs.squares.size, pairs.matrices.members.width
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
    many, width = pairs.squares.size, pairs.matrices.members.width
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
    found = linprog(-distances.ravel(), A_eq=margins, b_eq=np.concatenate([weights, weights]))
    return -0.5 * float(found.fun) * (1.0 - 1e-9) if found.status == 0 else 0.0


def _manhattan(matrices: Matrices) -> np.ndarray | None:
    members = matrices.members
    many = members.count
    if many * many * members.n * members.width**2 / 2 > _MANHATTAN_WORK:
        return None
    way, found = Manhattan(hard=False), np.zeros((many, many))
    for b, c in combinations(range(many), 2):
        found[b, c] = found[c, b] = way.match(matrices[b], matrices[c], members.width)[1]
    return found


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
    least = costs.min(axis=2)
    order = np.argsort(-least.sum(axis=1), kind="stable")
    costs, least = costs[np.ix_(order, order)], least[np.ix_(order, order)]
    among = [float(np.triu(least[j:, j:], 1).sum()) for j in range(many + 1)]
    first = costs[0, 1:]                                   # the first member stays as it is
    ticket = count()                                       # equal bounds in the order met
    heap: list[tuple[Any, ...]] = [
        (float(first.min(axis=1).sum()) + among[1], next(ticket), 0.0, (0,), first)]
    found, nodes = None, 0
    while heap and nodes < max_nodes:
        bound, _, paid, placed, open_costs = heapq.heappop(heap)
        if bound >= best * (1.0 - 1e-12):
            return best, _columns(found, order, members.width)
        nodes += 1
        j = len(placed)
        for p in range(relative.shape[0]):
            cost = paid + float(open_costs[0, p])
            if j + 1 == many:
                if cost < best - 1e-9 * (1.0 + best):
                    best, found = cost, (*placed, p)
                continue
            rest = open_costs[1:] + costs[j, j + 1:][:, relative[p]]
            value = cost + float(rest.min(axis=1).sum()) + among[j + 1]
            if value < best:
                heapq.heappush(heap, (value, next(ticket), cost, (*placed, p), rest))
    bound = min(best, heap[0][0]) if heap else best
    return bound, _columns(found, order, members.width)


def _columns(found: tuple[int, ...] | None, order: np.ndarray, width: int) -> np.ndarray | None:
    """The matching of placed members, in the members' own order."""
    if found is None:
        return None
    perms = list(permutations(range(width)))
    columns = np.empty((order.size, width), dtype=np.int64)
    columns[order] = [perms[p] for p in found]
    return columns
