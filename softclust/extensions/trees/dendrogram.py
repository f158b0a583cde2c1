"""Dendrograms: checked merges with heights, names and cuts."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated, Any, Literal, cast

import numpy as np

from ..._checks import ClusteringError, check_choice, frozen
from ..._types import ArrayLike, Ties
from ...clusterings import HardClustering
from ...clusterings.neighbours import vertex_names
from ...clusterings.objects import matched
from . import _kernels
from .types import DendrogramLike

#: heights that differ by less, relative to the largest, are equal
TIE_TOL = 1e-9
#: distances to leaves that differ by less than this part of the tree's height are equal
ULTRAMETRIC = 1e-6
_TOKEN = re.compile(r"\[[^\]]*\]|'(?:[^']|'')*'|[(),:;]|[^\s(),:;\['][^(),:;\[]*|\s+")


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

    left: Annotated[np.ndarray, "i m"]
    right: Annotated[np.ndarray, "i m"]
    heights: Annotated[np.ndarray, "f m finite"]
    steps: Annotated[np.ndarray, "i g <left"]
    inversions: bool
    ties: str

    def _check(self) -> None:
        if self.ties not in ("block", "order") or not self.steps.size or (
                self.steps[-1] != self.left.size - 1) or (np.diff(self.steps) <= 0).any():
            raise ClusteringError("the steps of a stored dendrogram do not fit its merges")

    @property
    def n_objects(self) -> int:
        """Number of objects n."""
        return self.left.shape[0] + 1


def check_merges(merges: Any, ties: str, tie_tol: float) -> Merges:
    """`merges` of n objects, every id used once and after its creation."""
    check_choice("ties", ties, ("block", "order"))
    if not 0.0 <= tie_tol < 1.0:
        raise ClusteringError(f"tie_tol is {tie_tol}; a number in [0, 1) is needed")
    try:
        table = np.asarray(merges, dtype=np.float64)
    except (TypeError, ValueError):
        raise ClusteringError("merges cannot be read as numbers; the array of "
                              "scipy.cluster.hierarchy.linkage is needed, each row (a, b, height) "
                              "or (a, b, height, size)") from None
    if table.ndim != 2 or table.shape[1] not in (3, 4) or not table.shape[0]:
        raise ClusteringError(f"merges has shape {table.shape}; (n - 1, 4) as from "
                              "scipy.cluster.hierarchy.linkage, or (n - 1, 3), is needed for "
                              "n >= 2 objects")
    n = table.shape[0] + 1
    ids = table[:, :2].reshape(-1)
    _check_rows(~np.isfinite(table[:, 2]), table, "its height is not finite")
    _check_rows(np.repeat(n + np.arange(n - 1), 2) <= ids, table,
                "it joins a node that is made by it or later (objects are 0 to n - 1, merge t "
                "makes node n + t)", per_row=2)
    _check_rows(~((ids >= 0) & (ids == np.floor(ids))), table,
                "nodes are whole numbers >= 0 (R's negative numbers are objects counted from 1)",
                per_row=2)
    nodes = ids.astype(np.int64)
    first = np.full(2 * n - 1, -1, np.int64)
    first[nodes[::-1]] = np.arange(nodes.size)[::-1]
    _check_rows(first[nodes] != np.arange(nodes.size), table,
                "it joins a node that is joined already", per_row=2)
    heights = np.ascontiguousarray(table[:, 2])
    change = np.diff(heights)
    equal = tie_tol * float(np.abs(heights).max(initial=0.0))
    steps = np.arange(n - 1)
    if ties == "block":
        steps = np.append(np.flatnonzero(np.abs(change) > equal), n - 2)[:n - 1]
    return Merges(left=np.ascontiguousarray(nodes[::2]), right=np.ascontiguousarray(nodes[1::2]),
                  heights=heights, steps=steps.astype(np.int64),
                  inversions=bool((change < -equal).any()), ties=ties)


def _check_rows(bad: np.ndarray, table: np.ndarray, why: str, per_row: int = 1) -> None:
    if bad.any():
        row = int(np.flatnonzero(bad)[0]) // per_row
        shown = ", ".join(f"{v:g}" for v in table[row, :3])
        raise ClusteringError(f"merges row {row} ({shown}): {why}")



class Dendrogram:
    """A dendrogram of n objects.

    Parameters
    ----------
    merges : array-like, shape (n - 1, 4) or (n - 1, 3)
        Merges in order: the two nodes joined, the height; as
        `scipy.cluster.hierarchy.linkage` returns them.
    object_names : sequence, optional
        Names of the objects.
    ties : {"block", "order"}
        "block": consecutive merges of equal height are one step; "order": merges come as given.
    tie_tol : float
        Heights that differ by less than this part of the largest are equal.

    Attributes
    ----------
    merges : (n - 1, 3) float64
        Two nodes and the height of each merge.
    k : (g,) int64
        Numbers of clusters that cuts can have, rising, from 1 to n.
    order : (n,) int64
        Objects in the order of the leaves, left before right.
    heights : (n - 1,) float64
    ties : str
    object_names : tuple or None

    Raises
    ------
    ClusteringError
        If `merges` is not a dendrogram; the message names the row.

    Examples
    --------
    >>> import softclust
    >>> tree = softclust.Dendrogram([[0, 1, 1.0], [2, 3, 1.0], [4, 5, 2.0]])
    >>> tree.k.tolist(), tree.cut(2).labels.tolist()
    ([1, 2, 4], [0, 0, 1, 1])
    """

    def __init__(self, merges: ArrayLike, *, object_names: Collection[Any] | None = None,
                 ties: Ties = "block", tie_tol: float = TIE_TOL) -> None:
        self.checked: Merges = check_merges(merges, ties, tie_tol)
        self.object_names = None if object_names is None else tuple(object_names)
        if self.object_names is not None and len(self.object_names) != self.n_objects:
            raise ClusteringError(f"object_names has {len(self.object_names)} names for "
                                  f"{self.n_objects} objects")
        if self.object_names is not None and len(set(self.object_names)) != self.n_objects:
            raise ClusteringError("object_names has a name twice; names must differ")

    def __getstate__(self) -> dict[str, Any]:
        # What is cached is computed again.
        return {"checked": self.checked, "object_names": self.object_names}

    @classmethod
    def _restored(cls, state: Mapping[str, Any]) -> Dendrogram:
        """The tree of a state that was read from a text."""
        merges = state["checked"]
        if not isinstance(merges, Merges):
            raise ClusteringError("a stored dendrogram has no merges")
        new = cls(np.column_stack([merges.left, merges.right, merges.heights]),
                  object_names=state["object_names"])
        new.checked = merges
        return new

    @classmethod
    def from_newick(cls, text: str, *, lengths: Literal["use", "ignore"] = "use") -> Dendrogram:
        """Read a rooted tree in Newick format.

        Parameters
        ----------
        text : str
            Such as ``"((a:1,b:1):1,c:2);"``.
        lengths : {"use", "ignore"}
            "use": heights are distances to the leaves by branch lengths, which must agree within
            1e-6 of the height of the tree; "ignore": numbers of levels.

        Returns
        -------
        Dendrogram
            Nodes with more than two children become several merges of one height.

        Examples
        --------
        >>> import softclust
        >>> tree = softclust.Dendrogram.from_newick("((a:1,b:1):1,c:2);")
        >>> tree.object_names, tree.heights.tolist()
        (('a', 'b', 'c'), [1.0, 2.0])
        """
        check_choice("lengths", lengths, ("use", "ignore"))
        merges, names = merges_of_newick(text, lengths == "use")
        return cls(merges, object_names=names)

    def __repr__(self) -> str:
        return f"Dendrogram(n_objects={self.n_objects}, steps={self.checked.steps.size})"

    @property
    def n_objects(self) -> int:
        """Number of objects n."""
        return self.checked.n_objects

    @property
    def heights(self) -> np.ndarray:
        """Heights of the merges, (n - 1,) float64."""
        return frozen(self.checked.heights[:])

    @property
    def ties(self) -> str:
        """Rule for equal heights, "block" or "order"."""
        return self.checked.ties

    @property
    def merges(self) -> np.ndarray:
        """Two nodes and the height of each merge, (n - 1, 3) float64."""
        m = self.checked
        return frozen(np.column_stack([m.left, m.right, m.heights]))

    @cached_property
    def k(self) -> np.ndarray:
        """Numbers of clusters that cuts can have, rising, (g,) int64."""
        return frozen(np.append(self.n_objects - 1 - self.checked.steps[::-1],
                                self.n_objects).astype(np.int64))

    @cached_property
    def step(self) -> np.ndarray:
        """Step to which each merge belongs, (n - 1,) int64."""
        return np.searchsorted(self.checked.steps, np.arange(self.n_objects - 1))

    @cached_property
    def parent(self) -> np.ndarray:
        """Node above each node, (2n - 1,) int64; -1 for the root."""
        n = self.n_objects
        parent = np.full(2 * n - 1, -1, dtype=np.int64)
        parent[self.checked.left] = parent[self.checked.right] = n + np.arange(n - 1)
        return parent

    @cached_property
    def kept(self) -> np.ndarray:
        """Mask of the nodes that are clusters of the contracted tree, (2n - 1,) bool.

        A node of the same step as its parent is part of it.
        """
        n = self.n_objects
        step = np.concatenate([np.full(n, -1), self.step])
        above = np.where(self.parent < 0, -2, step[self.parent])
        return step != above

    @cached_property
    def intervals(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """size and start (2n - 1,) of each node in the leaf order, and that order (n,)."""
        n, m = self.n_objects, self.checked
        size, start = np.empty(2 * n - 1, np.int64), np.empty(2 * n - 1, np.int64)
        order = np.empty(n, np.int64)
        _kernels.trees.leaf_order(m.left, m.right, size, start, order)
        return size, start, order

    @cached_property
    def heavy(self) -> tuple[np.ndarray, np.ndarray]:
        """Heavy paths: merge above the larger children (2n - 1,), the smaller ones (n - 1,)."""
        n, m = self.n_objects, self.checked
        above, light = np.empty(2 * n - 1, np.int64), np.empty(n - 1, np.int64)
        _kernels.trees.heavy_parents(m.left, m.right, self.intervals[0], above, light)
        return above, light

    def extent(self, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Smallest and largest value of the objects below each node, (2n - 1,) both."""
        low, high = values.tolist(), values.tolist()
        for a, b in zip(self.checked.left.tolist(), self.checked.right.tolist()):
            low.append(min(low[a], low[b]))
            high.append(max(high[a], high[b]))
        return np.array(low), np.array(high)

    @property
    def order(self) -> np.ndarray:
        """Objects in the order of the leaves, (n,) int64."""
        return frozen(self.intervals[2][:])

    def cut(self, k: int) -> HardClustering:
        """The clustering into k clusters, numbered by first appearance.

        Parameters
        ----------
        k : int
            One of `k`: there is no cut inside a block of equal heights.

        Returns
        -------
        HardClustering
        """
        if k not in self.k:
            below, above = self.k[self.k < k], self.k[self.k > k]
            near = " and ".join(str(int(v)) for v in [*below[-1:], *above[:1]])
            raise ClusteringError(f"no cut has {k} clusters; the nearest numbers are {near}")
        return self._after(self.n_objects - int(k))

    def cut_height(self, height: float) -> HardClustering:
        """The clustering after all steps up to `height`.

        Parameters
        ----------
        height : float

        Returns
        -------
        HardClustering
        """
        m = self.checked
        above = np.flatnonzero(m.heights[m.steps] > height)
        steps = int(above[0]) if above.size else m.steps.size
        return self._after(int(m.steps[steps - 1]) + 1 if steps else 0)

    def _after(self, merges: int) -> HardClustering:
        n, m = self.n_objects, self.checked
        label = np.arange(2 * n - 1)
        for t in range(merges - 1, -1, -1):
            label[m.left[t]] = label[m.right[t]] = label[n + t]
        _, first, codes = np.unique(label[:n], return_index=True, return_inverse=True)
        rank = np.argsort(np.argsort(first))
        return HardClustering(rank[codes.reshape(-1)], object_names=self.object_names)


def as_dendrogram(obj: DendrogramLike, *, ties: Ties = "block", tie_tol: float = TIE_TOL
                  ) -> Dendrogram:
    """Make a dendrogram from merges, a fitted estimator or an hclust of R.

    Parameters
    ----------
    obj : Dendrogram, array, fitted estimator or hclust
        Merges as from `scipy.cluster.hierarchy.linkage`; a fitted
        `sklearn.cluster.AgglomerativeClustering` with distances; an ``hclust`` of R through rpy2,
        or a mapping with its ``merge``, ``height`` and optionally ``labels``; a dendrogram of
        igraph, whose merges have the heights 1, 2, 3, ...
    ties, tie_tol : as in `Dendrogram`
        For everything that is not a `Dendrogram` yet; by default equal heights are one step.

    Returns
    -------
    Dendrogram

    Raises
    ------
    ClusteringError
        If the estimator has no distances, the numbers of an hclust do not fit, or `obj` is of
        another type.

    See Also
    --------
    dendrogram_curve, pair_roc, untangle

    Notes
    -----
    Theory: docs/theory/covers-and-trees.md.

    Examples
    --------
    >>> import softclust
    >>> softclust.as_dendrogram([[0, 1, 1.0], [2, 3, 2.0]]).n_objects
    3
    """
    if isinstance(obj, Dendrogram):
        return obj
    children = getattr(obj, "children_", None)
    if children is not None:
        distances = getattr(obj, "distances_", None)
        if distances is None:
            raise ClusteringError("the estimator has no distances_; fit it with "
                                  "compute_distances=True")
        if len(children) != len(getattr(obj, "labels_", ())) - 1:
            raise ClusteringError("the estimator stopped before one cluster; fit it with "
                                  "compute_full_tree=True")
        return Dendrogram(np.column_stack([children, distances]), ties=ties, tie_tol=tie_tol)
    if hasattr(obj, "merges") and hasattr(obj, "optimal_count"):   # igraph
        tree = cast(Any, obj)
        merges = np.asarray(tree.merges, dtype=np.float64).reshape(-1, 2)
        cut = tree.as_clustering()
        n = len(cut.membership)
        if len(merges) != n - 1:
            raise ClusteringError(f"this dendrogram of igraph has {len(merges)} merges of {n} "
                                  "vertices, so its tree is not complete: take a connected graph")
        return Dendrogram(np.column_stack([merges, np.arange(1, n)]),
                          object_names=vertex_names(cut.graph), ties=ties, tie_tol=tie_tol)
    if isinstance(obj, Mapping):
        return _of_hclust(obj, ties, tie_tol)
    if hasattr(obj, "rclass") and hasattr(obj, "names") and hasattr(obj, "rx2"):   # of rpy2
        named = cast(Any, obj)
        return _of_hclust({str(name): named.rx2(str(name)) for name in named.names}, ties, tie_tol)
    return Dendrogram(cast(Any, obj), ties=ties, tie_tol=tie_tol)


def _of_hclust(parts: Mapping[str, Any], ties: Ties, tie_tol: float) -> Dendrogram:
    """Convert an hclust of R, in which objects are -1, ..., -n and merges are 1, ..., n - 1."""
    for name in ("merge", "height"):
        if name not in parts:
            raise ClusteringError(f"this has no {name}; an hclust of R has merge and height")
    try:
        merge = np.asarray(parts["merge"], dtype=np.float64)
        height = np.asarray(parts["height"], dtype=np.float64).reshape(-1)
    except (TypeError, ValueError):
        raise ClusteringError("merge and height of the hclust cannot be read as numbers") from None
    n = height.size + 1
    if merge.shape != (n - 1, 2):
        raise ClusteringError(f"merge of the hclust has shape {merge.shape} for {height.size} "
                              f"heights; ({n - 1}, 2) is needed")
    if not ((merge != 0) & (merge == np.floor(merge)) & (merge >= -n) & (merge < n)).all():
        raise ClusteringError(f"merge of an hclust of {n} objects has -1 to -{n} for objects and 1 "
                              f"to {n - 1} for merges")
    labels = parts.get("labels")
    names = None if labels is None or len(labels) != n else [str(name) for name in labels]
    nodes = np.where(merge < 0, -merge - 1, n - 1 + merge)
    return Dendrogram(np.column_stack([nodes, height]), object_names=names, ties=ties,
                      tie_tol=tie_tol)


def two_dendrograms(x: Any, y: Any) -> tuple[Dendrogram, Dendrogram]:
    """Both as dendrograms of the same objects; y in the order of x's names where both have some."""
    x, y = as_dendrogram(x), as_dendrogram(y)
    if x.n_objects != y.n_objects:
        raise ClusteringError(f"x is a dendrogram of {x.n_objects} objects, y of {y.n_objects}; "
                              "both must have the same objects")
    return x, renumbered(y, x.object_names, called=("x", "y"))


def renumbered(tree: Dendrogram, names: Sequence[Any] | None, *, called: tuple[str, str]
               ) -> Dendrogram:
    """The tree with its leaves in the order of the named objects; see `matched`."""
    order = matched(names, tree.object_names, called=called)
    if order is None or names is None:
        return tree
    n, m = tree.n_objects, tree.checked
    number = np.concatenate([np.argsort(order), np.arange(n, 2 * n - 1)])
    same = Dendrogram.__new__(Dendrogram)
    same.checked = replace(m, left=number[m.left], right=number[m.right])
    same.object_names = tuple(names)
    return same


# -- Newick ---------------------------------------------------------------------------------------
class _Node:
    __slots__ = ("children", "length", "name")

    def __init__(self) -> None:
        self.children: list[_Node] = []
        self.length: float | None = None
        self.name = ""


def merges_of_newick(text: str, use_lengths: bool) -> tuple[np.ndarray, list[str]]:
    """Merges (n - 1, 3) by rising height, and the names of the leaves as they come."""
    # Children before parents, leaves from left to right.
    nodes, stack = [], [_parse(text)]
    while stack:
        nodes.append(stack.pop())
        stack.extend(nodes[-1].children)
    nodes.reverse()
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
    slack = ULTRAMETRIC * height[id(nodes[-1])]
    if use_lengths and any(height[id(v)] - low[id(v)] > slack for v in nodes):
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
    """Parse the text without recursion and return the root."""
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
        raise ClusteringError("the Newick tree has one opening parenthesis too many")
    return root
