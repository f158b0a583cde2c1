"""Types of arguments that are trees."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, Union

from ..._types import ArrayLike

if TYPE_CHECKING:
    from .dendrogram import Dendrogram


class FittedTree(Protocol):
    """A fitted estimator with merges."""

    @property
    def children_(self) -> Any:
        """Two clusters per merge."""


#: merges of a tree: of SciPy, of a fitted estimator, of an hclust in R
DendrogramLike: TypeAlias = Union["Dendrogram", ArrayLike, FittedTree, Mapping[str, Any]]
