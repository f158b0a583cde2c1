"""Two clusterings of the same objects, and the statistics they share, each computed once."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

import numpy as np

from .._checks import ClusteringError
from .._types import ClusteringLike, PairMethod
from ..clusterings import Aligned, Clustering, HardClustering, as_clustering
from ..clusterings.alignment import Policies, settled
from ..clusterings.objects import check_object_names, matching_hint
from ..memberships.matched_columns import restriction_costs
from ..running.threads import Progress
from ..soft_pairs.bilinear import pair_table
from ..soft_pairs.pair_sums import PairSums
from ..tables.contingency import Contingency
from .statistic import Replicates, Source, Statistic

T = TypeVar("T")


class Joint(Source):
    """Two clusterings of the same objects and the statistics they share.

    Parameters
    ----------
    x, y : clustering-like
        Anything `as_clustering` takes, with the same n >= 2 objects. When both carry object
        names these must agree in order.

    Attributes
    ----------
    x, y : Clustering
        The two clusterings.

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
    >>> import softclust
    >>> joint = softclust.Joint([0, 0, 1, 1], [0, 0, 1, 2])
    >>> softclust.rand_index(joint), softclust.adjusted_rand_index(joint)
    (0.8333333333333334, 0.5714285714285714)
    """

    x: Clustering
    y: Clustering
    kinds: tuple[str, str] = ("", "")
    n_objects: int = 0
    n_clusters: tuple[int, int] = (0, 0)
    both_hard: bool = False
    has_objects: bool = True
    weighted: bool = False
    sums: Any = None

    def __init__(self, x: ClusteringLike, y: ClusteringLike) -> None:
        x = as_clustering(x, name="x")
        y = x if y is x else as_clustering(y, name="y")
        n, m = x.n_objects, y.n_objects
        if n != m:
            raise ClusteringError(f"x has {n} objects and y has {m}; "
                                  "two clusterings of the same objects are needed"
                                  + matching_hint(x, y))
        if n < 2:
            raise ClusteringError("x and y have 1 object; at least 2 are needed to compare")
        if x.matched_names is not None or y.matched_names is not None:
            check_object_names((("x", x), ("y", y)))
        self._take(x, y, None, None)

    @classmethod
    def of_checked(cls, x: Clustering, y: Clustering, of_x: dict[Hashable, Any] | None = None,
                   of_y: dict[Hashable, Any] | None = None) -> Joint:
        """The Joint of clusterings that were checked already.

        `of_x` and `of_y` cache what `of_side` computes; Joints with a clustering in common share
        them.
        """
        joint = cls.__new__(cls)
        joint._take(x, y, of_x, of_y)
        return joint

    @classmethod
    def _restored(cls, sides: tuple[Clustering, Clustering]) -> Joint:
        """The pair of two clusterings that were read from a text."""
        x, y = sides
        if not isinstance(x, Clustering) or not isinstance(y, Clustering):
            raise ClusteringError("a stored pair has two clusterings")
        return cls(x, y)

    def _take(self, x: Clustering, y: Clustering, of_x: dict[Hashable, Any] | None,
              of_y: dict[Hashable, Any] | None) -> None:
        first: dict[Hashable, Any] = {} if of_x is None else of_x
        second = (first if y is x else {}) if of_y is None else of_y
        self.x, self.y, self.memory = x, y, {}
        self._sides = {"x": first, "y": second}
        self.kinds = x.kind, y.kind
        self.both_hard = self.kinds == ("hard", "hard")
        self.n_objects, self.n_clusters = x.n_objects, (x.n_clusters, y.n_clusters)

    def __reduce__(self) -> Any:
        # Caches are not pickled: some of their content cannot be, and all can be recomputed.
        return Joint.of_checked, (self.x, self.y)

    def __repr__(self) -> str:
        return f"Joint(x={self.x!r}, y={self.y!r})"

    @property
    def objects(self) -> Joint:
        """The pair itself."""
        return self

    def of_side(self, name: str, key: Hashable, compute: Callable[[Clustering], T]) -> T:
        """Cached result of ``compute(clustering)`` for side "x" or "y" under `key`.

        Joints that share a clustering share these results.
        """
        memory = self._sides[name]
        if key not in memory:
            memory[key] = compute(self.x if name == "x" else self.y)
        return memory[key]

    # -- statistics that users ask for by name ------------------------------------------------
    @property
    def contingency(self) -> Contingency:
        """Counts of objects by cluster of x and cluster of y; both must be hard."""
        return self.statistic(Contingency)

    def pair_sums(self, *, method: PairMethod = "auto", jousselme: bool = False,
                  progress: Progress | bool | None = False) -> PairSums:
        """Sums of the pair dissimilarities over all pairs of objects."""
        return self.statistic(PairSums, method=method, jousselme=jousselme, progress=progress)

    @property
    def pair_table(self) -> np.ndarray:
        """Expected pair counts (4, 4): same, different, undetermined, conflict in x by y."""
        return self.kept("pair table", lambda: pair_table(self.x, self.y))

    @property
    def restriction_costs(self) -> np.ndarray:
        """Sums over objects of r between single clusters at alpha = 0, 1/2, 1, (3, c, c)."""
        return self.kept("restriction costs", lambda: restriction_costs(self.x, self.y))

    # -- other pairs --------------------------------------------------------------------------
    def permuted(self, order: np.ndarray, of_x: dict[Hashable, Any] | None = None) -> Joint:
        """x and y with the objects of y in another order."""
        return Joint.of_checked(self.x, self.y.subset(order), of_x)

    def subset(self, objects: np.ndarray) -> Joint:
        """Both clusterings of some of the objects, which may repeat."""
        return Joint.of_checked(self.x.subset(objects), self.y.subset(objects))

    @property
    def codes(self) -> tuple[np.ndarray, np.ndarray]:
        """Codes of the clusters of two hard clusterings."""
        x, y = self.x.hard_codes, self.y.hard_codes
        if x is None or y is None:
            return self.x.as_hard("x").codes, self.y.as_hard("y").codes
        return x, y


class Pair(Statistic):
    """The source itself, for formulas that combine statistics or need the objects.

    Such a formula takes from the source what it needs; ``source.objects`` is the Joint, and raises
    for a table.
    """

    @classmethod
    def of(cls, source: Source) -> Source:
        """The source, unchanged."""
        return source

    @classmethod
    def left_out(cls, source: Source) -> Replicates | None:
        """Tables without an object of each cell; None where the objects are left out one by one.
        """
        if not source.both_hard:
            return None
        return source.without_each(Contingency)

    @classmethod
    def resampled(cls, source: Source, draws: Any) -> Replicates | None:
        """Tables of objects drawn again; None for other than hard clusterings."""
        if not source.both_hard:
            return None
        return source.redrawn(Contingency, draws)


def as_source(x: Any, y: Any = None) -> Source:
    """The source that measures read: x if it is a `Joint` or a table, else the Joint of x and y."""
    if isinstance(x, Source):
        if y is not None:
            what = ("a Joint" if isinstance(x, Joint) else "the sums of both clusterings"
                    if x.sums is not None else "a table of both clusterings")
            raise TypeError(f"x is {what} already; leave out y")
        if x.n_objects < 2:
            what = "the table has" if x.sums is None else "the sums are of"
            raise ClusteringError(f"{what} {x.n_objects} object{'' if x.n_objects == 1 else 's'}; "
                                  "at least 2 are needed to compare")
        return x
    if isinstance(x, Statistic) or isinstance(y, Statistic):
        raise ClusteringError(f"{type(x if isinstance(x, Statistic) else y).__name__} is not a "
                              "clustering: pair counts have no objects; give both clusterings, or "
                              "call a measure on pair counts, as adjusted_rand_index(counts)")
    if y is None:
        counts = len(getattr(x, "shape", ())) == 2
        raise TypeError("y is missing; give two clusterings, a Joint, or a contingency table" + (
            ": ContingencyTable.from_counts(x) makes one from a matrix of counts, such as of "
            "pandas.crosstab" if counts else ""))
    return Joint(x, y)


def settled_source(x: Any, y: Any, names: tuple[str, str], policies: Policies
                   ) -> tuple[Source, Aligned | None]:
    """The source of x and y after policies, and what these changed (None for nothing)."""
    if y is not None:
        (x, y), alignment = settled((x, y), names, policies)
        return as_source(x, y), alignment
    if not policies.usual:
        raise TypeError("x is a Joint or a table, whose objects are fixed; give both "
                        "clusterings, or Joint(*align(x, y, ...))")
    return as_source(x), None


def as_joint(x: Any, y: Any = None) -> Joint:
    """`x` itself when it is a Joint (then y must be None), else the Joint of x and y."""
    return as_source(x, y).objects


def plain_labels(x: Any, y: Any) -> tuple[np.ndarray, np.ndarray] | None:
    """x and y as arrays of integers of one length >= 2, as kernels read them, or None.

    Arrays and lists of whole numbers are plain; all else is read by `as_clustering`.
    """
    a = _plain_array(x)
    b = None if a is None else _plain_array(y)
    return None if a is None or b is None or a.shape != b.shape or a.shape[0] < 2 else (a, b)


def _plain_array(labels: Any) -> np.ndarray | None:
    if type(labels) is list:
        try:
            return np.array(labels, np.int64) if set(map(type, labels)) == {int} else None
        except OverflowError:
            return None
    plain = (type(labels) is np.ndarray and labels.ndim == 1 and labels.flags.c_contiguous
             and labels.dtype in (np.dtype(np.int64), np.dtype(np.int32)))
    return labels if plain else None


def hard(name: str, clustering: Clustering) -> HardClustering:
    """Return `clustering` if it is hard, else raise ClusteringError."""
    return clustering.as_hard(name)
