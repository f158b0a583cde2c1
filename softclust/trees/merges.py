"""Rooted trees in Newick format as merges."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._checks import ClusteringError, check_choice
from ..clusterings import Clustering
from . import _kernels
from .roc_points import rates

#: ways down that differ by less than this part of the tree's height are equal
ULTRAMETRIC = 1e-6
_TOKEN = re.compile(r"\[[^\]]*\]|'(?:[^']|'')*'|[(),:;]|[^\s(),:;\['][^(),:;\[]*|\s+")


class _Node:
    __slots__ = ("children", "length", "name")

    def __init__(self) -> None:
        self.children: list[_Node] = []
        self.length: float | None = None
        self.name = ""


def merges_of_newick(text: str, use_lengths: bool) -> tuple[np.ndarray, list[str]]:
    """Merges (n - 1, 3) by rising height, and the names of the leaves as they come."""
    nodes = _in_post_order(_parse(text))
    leaves = [node for node in nodes if not node.children]
    if len(leaves) < 2:
        raise ClusteringError("the Newick tree has fewer than 2 leaves")
    height, low = {}, {}
    for node in nodes:
        if not node.children:
            height[id(node)] = low[id(node)] = 0.0
            continue
        ways = [_way(child, use_lengths) for child in node.children]
        height[id(node)] = max(height[id(c)] + w for c, w in zip(node.children, ways))
        low[id(node)] = min(low[id(c)] + w for c, w in zip(node.children, ways))
    most = height[id(nodes[-1])]
    if use_lengths and any(height[id(v)] - low[id(v)] > ULTRAMETRIC * most for v in nodes):
        raise ClusteringError("the Newick tree is not ultrametric: leaves below one node have "
                              "different distances from it; lengths='ignore' reads levels")
    number = {id(leaf): i for i, leaf in enumerate(leaves)}
    inner = sorted((v for v in nodes if v.children), key=lambda v: height[id(v)])
    rows: list[tuple[float, float, float]] = []
    for node in inner:   # sorting is stable: children stand before parents of equal height
        joined = number[id(node.children[0])]
        for child in node.children[1:]:
            rows.append((joined, number[id(child)], height[id(node)]))
            joined = len(leaves) + len(rows) - 1
        number[id(node)] = joined
    return np.array(rows), [leaf.name for leaf in leaves]


def _way(node: _Node, use_lengths: bool) -> float:
    if not use_lengths:
        return 1.0
    if node.length is None:
        raise ClusteringError("a branch of the Newick tree has no length; lengths='ignore' reads "
                              "levels")
    return node.length


def _parse(text: str) -> _Node:
    """The root, without recursion."""
    if not isinstance(text, str):
        raise TypeError(f"text is of type {type(text).__name__}; a string such as "
                        '"((a:1,b:1):1,c:2);" is needed')
    root = node = _Node()
    path: list[_Node] = []
    after_colon = False
    for token in _TOKEN.findall(text.strip()):
        if token.isspace() or token.startswith("["):
            continue
        if token == "(":
            path.append(node)
            node = _Node()
            path[-1].children.append(node)
        elif token in (",", ")"):
            if not path:
                raise ClusteringError(f"the Newick tree has {token!r} outside of parentheses")
            if token == ",":
                node = _Node()
                path[-1].children.append(node)
            else:
                node = path.pop()
        elif token == ":":
            after_colon = True
        elif token == ";":
            break
        elif after_colon:
            try:
                node.length = float(token)
            except ValueError:
                raise ClusteringError(f"{token!r} is not a length in a Newick tree") from None
            after_colon = False
        else:
            quoted = token.startswith("'")
            node.name = token[1:-1].replace("''", "'") if quoted else token.strip()
    if path:
        raise ClusteringError("the Newick tree has an opening parenthesis too many")
    return root


def _in_post_order(root: _Node) -> list[_Node]:
    """Children before parents, leaves from left to right."""
    found, stack = [], [root]
    while stack:
        node = stack.pop()
        found.append(node)
        stack.extend(node.children)
    return found[::-1]


# -- checked merges of a dendrogram, ready to be walked -------------------------------------------
#: heights that differ by less, relative to the largest, are equal
TIE_TOL = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Merges:
    """A checked dendrogram of n objects.

    Attributes
    ----------
    left, right : (n - 1,) int64
        Nodes that each merge joins; merge t makes node n + t.
    heights : (n - 1,) float64
    steps : (g,) int64
        Last merge of each step: blocks of equal heights, or every merge.
    inversions : bool
    ties : str
    """

    left: np.ndarray
    right: np.ndarray
    heights: np.ndarray
    steps: np.ndarray
    inversions: bool
    ties: str

    @property
    def n_objects(self) -> int:
        """Number of objects n."""
        return self.left.shape[0] + 1

    def last_step(self, max_clusters: int) -> int:
        """Steps before the curve begins: k goes from the smallest attained one >= max_clusters."""
        return int(np.searchsorted(self.steps, self.n_objects - max_clusters - 1, side="right"))


def check_merges(merges: Any, n: int, ties: str, tie_tol: float) -> Merges:
    """`merges` of n objects, every id used once and after its creation."""
    check_choice("ties", ties, ("block", "order"))
    if not 0.0 <= tie_tol < 1.0:
        raise ClusteringError(f"tie_tol is {tie_tol}; a number in [0, 1) is needed")
    try:
        table = np.asarray(merges, dtype=np.float64)
    except (TypeError, ValueError):
        raise ClusteringError("merges cannot be read as numbers; the array of "
                              "scipy.cluster.hierarchy.linkage is needed") from None
    if table.ndim != 2 or table.shape[1] not in (3, 4):
        raise ClusteringError(f"merges has shape {table.shape}; (n - 1, 4) as from "
                              "scipy.cluster.hierarchy.linkage, or (n - 1, 3), is needed")
    if table.shape[0] != n - 1:
        raise ClusteringError(f"merges has {table.shape[0]} rows for {n} objects; {n - 1} are "
                              "needed")
    ids = table[:, :2].reshape(-1)
    _refuse(~np.isfinite(table[:, 2]), table, "its height is not finite")
    _refuse(np.repeat(n + np.arange(n - 1), 2) <= ids, table, "it joins a node that is made by it "
            "or later (objects are 0 to n - 1, merge t makes node n + t)", per_row=2)
    _refuse(~((ids >= 0) & (ids == np.floor(ids))), table,
            "nodes are whole numbers >= 0 (R's negative numbers are objects counted from 1)",
            per_row=2)
    nodes = ids.astype(np.int64)
    first = np.full(2 * n - 1, -1, np.int64)
    first[nodes[::-1]] = np.arange(nodes.size)[::-1]
    _refuse(first[nodes] != np.arange(nodes.size), table, "it joins a node that is joined already",
            per_row=2)
    heights = np.ascontiguousarray(table[:, 2])
    change = np.diff(heights)
    equal = tie_tol * float(np.abs(heights).max(initial=0.0))
    steps = np.arange(n - 1)
    if ties == "block":
        steps = np.append(np.flatnonzero(np.abs(change) > equal), n - 2)[:n - 1]
    return Merges(left=np.ascontiguousarray(nodes[::2]), right=np.ascontiguousarray(nodes[1::2]),
                  heights=heights, steps=steps.astype(np.int64),
                  inversions=bool((change < -equal).any()), ties=ties)


def _refuse(bad: np.ndarray, table: np.ndarray, why: str, per_row: int = 1) -> None:
    if bad.any():
        row = int(np.flatnonzero(bad)[0]) // per_row
        shown = ", ".join(f"{v:g}" for v in table[row, :3])
        raise ClusteringError(f"merges row {row} ({shown}): {why}")


class Walk:
    """A dendrogram ready to count joined pairs for any labels."""

    def __init__(self, merges: Merges) -> None:
        n = merges.n_objects
        self.merges = merges
        self._size, self._start = (np.empty(2 * n - 1, np.int64) for _ in range(2))
        self._order = np.empty(n, np.int64)
        self._above, self._light = np.empty(2 * n - 1, np.int64), np.empty(n - 1, np.int64)
        kernels = _kernels.joined
        kernels.leaf_order(merges.left, merges.right, self._size, self._start, self._order)
        kernels.heavy_parents(merges.left, merges.right, self._size, self._above, self._light)

    def joined(self, truth: Clustering, mask: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Same-class and different-class pairs that each merge joins, (n - 1,) both.

        int64 for hard classes; expected numbers, float64, for fuzzy ones.
        """
        n, m = self.merges.n_objects, self.merges
        if (codes := truth.hard_codes) is not None:
            classes = np.where(mask, codes.astype(np.int64), -1)[self._order]
            same, different = (np.empty(n - 1, np.int64) for _ in range(2))
            _kernels.joined.count_joined(
                m.left, m.right, self._size, self._start, self._above, self._light, classes,
                np.zeros(truth.n_clusters, np.int64), np.empty(2 * n - 1, np.int64), same,
                different)
            return same, different
        sums = np.where(mask[:, None], truth.memberships(), 0.0)
        expected = np.empty(n - 1), np.empty(n - 1)
        _kernels.joined.sum_joined(m.left, m.right, np.ascontiguousarray(sums),
                                        mask.astype(np.float64), np.empty(2 * n - 1, np.int64),
                                        *expected)
        return expected

    def errors(self, same: np.ndarray, different: np.ndarray, max_clusters: int
               ) -> tuple[np.ndarray, np.ndarray, np.ndarray, float, float]:
        """k, eps1, eps2 (ascending k) and the numbers of same- and different-class pairs."""
        m = self.merges
        joined_same, joined_different = (np.concatenate([joined[:1] * 0, np.cumsum(joined)])
                                         for joined in (same, different))
        total_same, total_different = joined_same[-1].item(), joined_different[-1].item()
        ends = np.concatenate([[0], m.steps + 1])[m.last_step(max_clusters):][::-1]
        return (m.n_objects - ends, rates(total_same - joined_same[ends], total_same),
                rates(joined_different[ends], total_different), total_same, total_different)
