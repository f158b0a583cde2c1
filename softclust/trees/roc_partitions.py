"""Any partitions, one or several for each number of clusters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from .._checks import ClusteringError, frozen
from ..clusterings import Clustering, Ensemble
from ..measures.joint import Joint
from ..tables.pair_counts import PairCounts
from .roc_points import (
    as_labels,
    check_criterion,
    check_labelled,
    make_roc,
    rates,
    say_undefined,
)
from .roc_records import PairRoc


def pair_roc_partitions(truth: Any, partitions: Any, *, labelled: Any = None,
                        criterion: str = "sum", expected: bool = False) -> PairRoc:
    r"""ROC curve of partitions over their numbers of clusters, against known classes.

    For k-means and other methods that are not nested, with one run or several at each k.

    Parameters
    ----------
    truth : clustering-like
        Classes of the n objects; hard, or fuzzy with ``expected=True``.
    partitions : mapping or sequence of pairs
        From the number of clusters k to its partition, or to a list of runs: ``{2: labels, 3:
        [run, run]}``, or ``[(2, labels), (3, ...)]``. A run is anything `as_clustering` takes; a
        list of lists or a two-dimensional array of integers is runs, one a row. Gaps in k are
        allowed and joined by a straight line. A run may have fewer non-empty clusters than its k.
    labelled, criterion : as in `pair_roc`
    expected : bool
        Allow fuzzy partitions and a fuzzy truth: errors are those expected when every object
        draws its cluster and its class independently by its memberships.

    Returns
    -------
    PairRoc
        Errors at each k are means over its runs; ``auc`` is the signed area of the mean curve
        (not the mean of the runs' areas), ``proper`` says whether the curve turns back.

    Raises
    ------
    ClusteringError
        If there is no partition, a k is repeated or below 1, the objects differ, or a clustering
        is not as above.

    Warns
    -----
    UndefinedMeasureWarning
        If the truth has no pair of one class, or none of different classes.

    See Also
    --------
    pair_roc, compare_all

    Notes
    -----
    .. math::

        \varepsilon_1 = \frac{n_{10}}{n_{11} + n_{10}}, \quad \varepsilon_2 = \frac{n_{01}}{n_{01}
        + n_{00}}

    The counts are those of pairs in the truth and a run. Errors are averaged at each k, then there
    is one area [section 2.3]. Points come in order of k; steps backwards subtract from the area,
    so the area of an improper curve may leave [0, 1]. Time O(n + r s) for each run (fuzzy: O(n r
    s)), memory O(n).

    Theory: docs/theory/roc.md.

    References
    ----------
    H. Aidos, R. P. W. Duin, A. Fred (2013), The area under the ROC curve as a criterion for
    clustering evaluation, ICPRAM, 276-280.

    Examples
    --------
    >>> import softclust
    >>> truth = [0, 0, 1, 1, 2, 2]
    >>> runs = {1: [0] * 6, 2: [[0, 0, 1, 1, 1, 1], [0, 0, 0, 0, 1, 1]], 3: [0, 0, 1, 1, 2, 2]}
    >>> roc = softclust.pair_roc_partitions(truth, runs)
    >>> roc.auc, roc.k_best, roc.eps2.round(3)
    (0.0, 3, array([1.   , 0.333, 0.   ]))
    """
    check_criterion(criterion)
    classes = as_labels(truth, "truth", expected)
    n = classes.n_objects
    if n < 2:
        raise ClusteringError("truth has 1 object; at least 2 are needed")
    mask = check_labelled(labelled, n)
    counter = _Counter(classes, mask)
    points: dict[int, tuple[float, float, int]] = {}
    soft = classes.kind != "hard"
    for k, entry in _entries(partitions):
        if k in points:
            raise ClusteringError(f"partitions has k = {k} twice; give the runs of one k as a "
                                  "list: {k: [run, run]}")
        runs = [as_labels(run, f"partitions[{k}]", expected) for run in _runs(entry)]
        soft |= any(run.kind != "hard" for run in runs)
        errors = np.array([counter.errors(run, k) for run in runs])
        points[k] = (float(errors[:, 0].mean()), float(errors[:, 1].mean()), len(runs))
    if not points:
        raise ClusteringError("partitions is empty; give at least one, {k: labels}")
    k_all = np.array(sorted(points))
    eps1, eps2 = (np.array([points[k][q] for k in k_all.tolist()]) for q in (0, 1))
    say_undefined("pair_roc_partitions", counter.same, counter.different)
    return make_roc(k=k_all, eps1=eps1, eps2=eps2, same=counter.same, different=counter.different,
                    criterion=criterion, max_clusters=int(k_all[-1]),
                    max_clusters_used=int(k_all[-1]), ties=None,
                    inversions=False, n_objects=n, n_labelled=int(mask.sum()),
                    n_runs=frozen(np.array([points[k][2] for k in k_all.tolist()])), expected=soft)


class _Counter:
    """Errors of partitions on the pairs of the labelled objects."""

    def __init__(self, truth: Clustering, mask: np.ndarray) -> None:
        self._n, self._mask = truth.n_objects, mask
        self._all = bool(mask.all())
        self._some = int(mask.sum()) >= 2
        self._truth = truth if self._all or not self._some else truth.subset(mask)
        self.same: float = 0
        self.different: float = 0
        if self._some:
            self.same, self.different = self._pairs()

    def _pairs(self) -> tuple[float, float]:
        truth = self._truth
        if truth.kind == "hard":
            counts = Joint(truth, truth).statistic(PairCounts)
            return counts.n11, counts.n00
        from ..pairs.bilinear import relation_sums
        same, different = relation_sums(truth)[:2].tolist()
        return same, different

    def errors(self, partition: Clustering, k: int) -> tuple[float, float]:
        """(eps1, eps2) of one partition."""
        if partition.n_objects != self._n:
            raise ClusteringError(f"partitions[{k}] has {partition.n_objects} objects and truth "
                                  f"has {self._n}; partitions of the same objects are needed (a "
                                  "fuzzy one: as an array of floats or a FuzzyClustering)")
        if not self._some:
            return float("nan"), float("nan")
        joint = Joint(partition if self._all else partition.subset(self._mask), self._truth)
        separated: float
        joined: float
        if partition.kind == "hard" and self._truth.kind == "hard":
            counts = joint.statistic(PairCounts)
            separated, joined = counts.n01, counts.n10
        else:
            table = joint.pair_table
            separated, joined = max(float(table[1, 0]), 0.0), max(float(table[0, 1]), 0.0)
        return (float(rates(np.array(separated), self.same)),
                float(rates(np.array(joined), self.different)))


def _entries(partitions: Any) -> Iterator[tuple[int, Any]]:
    """Pairs (k, partition or runs), k checked."""
    items: Iterable[Any]
    if isinstance(partitions, Mapping):
        items = partitions.items()
    else:
        try:
            items = list(partitions)
        except TypeError:
            raise ClusteringError("partitions is not a mapping {k: labels} nor pairs "
                                  "(k, labels)") from None
    for item in items:
        if not isinstance(item, tuple) or len(item) != 2:
            raise ClusteringError("partitions is not a mapping {k: labels} nor pairs (k, labels)")
        k, entry = item
        if isinstance(k, bool) or not isinstance(k, (int, np.integer)) or k < 1:
            raise ClusteringError(f"partitions has k = {k!r}; whole numbers >= 1 are needed")
        yield int(k), entry


def _runs(entry: Any) -> list[Any]:
    """The runs of one k: several, or the one partition itself."""
    if isinstance(entry, Ensemble):
        return list(entry.complete())
    if isinstance(entry, np.ndarray) and entry.ndim == 2 and entry.dtype.kind in "iu":
        return list(entry)
    if isinstance(entry, (list, tuple)) and entry and not np.isscalar(entry[0]):
        return list(entry)
    return [entry]
