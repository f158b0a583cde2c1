"""Rooted trees in Newick format as merges."""

from __future__ import annotations

import re

import numpy as np

from .._checks import ClusteringError

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
                raise ClusteringError(f"{token!r} is no length in a Newick tree") from None
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
