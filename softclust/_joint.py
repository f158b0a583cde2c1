"""What two clusterings of the same objects share; each statistic is computed once.

Measures ask a `Joint` for statistics and never for arrays, so `compare()` pays for one pass.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from ._checks import ClusteringError
from .clusterings import Clustering, HardClustering, as_clustering
from .clusterings._objects import check_object_names

if TYPE_CHECKING:
    from .statistics.counting import Contingency
    from .statistics.pairs import PairSums

T = TypeVar("T")


class Joint:
    """Two clusterings of the same objects and the statistics they share.

    Parameters
    ----------
    x, y : clustering-like
        Anything `as_clustering` takes, with the same n >= 2 objects. When both carry object
        names these must agree in order.

    Raises
    ------
    ClusteringError
        If the numbers of objects differ, are below 2, or object names differ.

    Notes
    -----
    Any measure takes a Joint as its first argument, without a second: several measures of the
    same pair then share the work.

    Examples
    --------
    >>> import softclust as sc
    >>> joint = sc.Joint([0, 0, 1, 1], [0, 0, 1, 2])
    >>> sc.rand_index(joint), sc.adjusted_rand_index(joint)
    (0.8333333333333334, 0.5714285714285714)
    """

    def __init__(self, x: Any, y: Any) -> None:
        self.x: Clustering = as_clustering(x, name="x")
        self.y: Clustering = self.x if y is x else as_clustering(y, name="y")
        _check_same_objects(self.x, self.y)

    def __repr__(self) -> str:
        return f"Joint(x={self.x!r}, y={self.y!r})"

    @property
    def n_objects(self) -> int:
        """Number of objects n >= 2."""
        return self.x.n_objects

    @property
    def n_pairs(self) -> int:
        """Number of pairs of distinct objects, n(n-1)/2."""
        return self.n_objects * (self.n_objects - 1) // 2

    @cached_property
    def contingency(self) -> Contingency:
        """Counts of objects by cluster of x and cluster of y; both must be hard."""
        from .statistics.counting import contingency
        x, y = hard("x", self.x), hard("y", self.y)
        return contingency(x.codes, x.n_clusters, y.codes, y.n_clusters)

    def pair_sums(self, *, method: str = "auto", jousselme: bool = False,
                  progress: Callable[[int, int], object] | bool | None = None) -> PairSums:
        """Sums of the pair dissimilarities over all pairs, cached per method."""
        from .statistics.pairs import pair_sums
        return self.kept(("pair_sums", method, jousselme), lambda: pair_sums(
            self.x, self.y, method=method, jousselme=jousselme, progress=progress))

    def kept(self, key: Hashable, compute: Callable[[], T]) -> T:
        """What `compute` returned when `key` was asked for first."""
        if key not in self._kept:
            self._kept[key] = compute()
        return self._kept[key]

    def of_side(self, name: str, key: Hashable, compute: Callable[[Clustering], T]) -> T:
        """What ``compute(clustering)`` returned for side "x" or "y" when `key` was first asked for.

        `compare_all` and `chance` hand the results of one clustering on to all its Joints.
        """
        kept = self._sides[name]
        if key not in kept:
            kept[key] = compute(self.x if name == "x" else self.y)
        return kept[key]

    @cached_property
    def _sides(self) -> dict[str, dict[Hashable, Any]]:
        of_x: dict[Hashable, Any] = {}
        return {"x": of_x, "y": of_x if self.y is self.x else {}}

    @cached_property
    def pair_table(self) -> np.ndarray:
        """Expected pair counts (4, 4): same, different, undetermined, conflict in x by y."""
        from .statistics.bilinear import pair_table
        return pair_table(self.x, self.y)

    @cached_property
    def restriction_costs(self) -> np.ndarray:
        """(3, c, c): sums over objects of r at alpha 0, 1/2, 1 between single clusters."""
        from .statistics.restriction import restriction_costs
        return restriction_costs(self.x, self.y)

    @cached_property
    def _kept(self) -> dict[Hashable, Any]:
        return {}


def as_joint(x: Any, y: Any) -> Joint:
    """The Joint of x and y; x itself when it is one already (then y must be None)."""
    if isinstance(x, Joint):
        if y is not None:
            raise TypeError("x is a Joint already; leave out y")
        return x
    if y is None:
        raise TypeError("y is missing; give two clusterings, or a Joint")
    if _is_plain(x) and _is_plain(y) and x.shape == y.shape and x.shape[0] >= 2:
        return _LabelJoint(x, y)
    return Joint(x, y)


def _is_plain(labels: Any) -> bool:
    """Whether `labels` is an array of integers as kernels read it."""
    return (type(labels) is np.ndarray and labels.ndim == 1 and labels.flags.c_contiguous
            and labels.dtype in (np.dtype(np.int64), np.dtype(np.int32)))


class _LabelJoint(Joint):
    """The Joint of two arrays of labels for the time of one call of a measure.

    Measures that need the contingency alone read the arrays once; clusterings are made when
    they are asked for.
    """

    def __init__(self, x: np.ndarray, y: np.ndarray) -> None:
        self._labels = {"x": x, "y": y}

    def __getattr__(self, name: str) -> Any:
        if name not in ("x", "y"):
            raise AttributeError(name)
        clustering = as_clustering(self._labels[name], name=name)
        setattr(self, name, clustering)
        return clustering

    @property
    def n_objects(self) -> int:
        return int(self._labels["x"].shape[0])

    @cached_property
    def contingency(self) -> Contingency:
        from .statistics.counting import contingency, contingency_of_labels
        counted = contingency_of_labels(self._labels["x"], self._labels["y"])
        if counted is None:
            x, y = hard("x", self.x), hard("y", self.y)
            counted = contingency(x.codes, x.n_clusters, y.codes, y.n_clusters)
        return counted


def hard(name: str, clustering: Clustering) -> HardClustering:
    """`clustering` when it is hard, else ClusteringError with the way out."""
    if not isinstance(clustering, HardClustering):
        raise ClusteringError(f"{name} is {clustering.kind}; a hard clustering is needed: "
                              f"{name}.harden() makes one by a named rule")
    return clustering


def _check_same_objects(x: Clustering, y: Clustering) -> None:
    if x.n_objects != y.n_objects:
        raise ClusteringError(f"x has {x.n_objects} objects and y has {y.n_objects}; "
                              "two clusterings of the same objects are needed")
    if x.n_objects < 2:
        raise ClusteringError("x and y have 1 object; at least 2 are needed to compare")
    check_object_names((("x", x), ("y", y)))
