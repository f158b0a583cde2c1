"""Mean distance between the labels of two runs, compared with random labels."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from .._checks import ClusteringError, check_whole
from .._types import RNG, EnsembleLike
from ..results.records import Columns, Drawn, Record, Valued
from ..results.summary import SummaryTable, right
from ..running.random_numbers import as_generator
from ..running.threads import progress_bar
from ..tables.counting import cross_counts
from .together import as_runs

#: entries of tables drawn at once
_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LabelInstability(Valued, Drawn, Record):
    """Mean distance between the labels of two runs; made by `label_instability`.

    Attributes
    ----------
    value : float
        Mean over pairs of runs of the share of common objects that must change clusters to make
        the two runs equal.
    null : float
        The same for two independent uniform labellings.
    null_error : float
        Standard error of `null`; 0 if it is exact.
    n_clusters, n_objects : int
        Numbers of clusters and objects of the null labellings: medians over runs and pairs of runs.
    n_runs, n_pairs : int
        Number of runs, and of pairs of runs with a common object.

    Notes
    -----
    ``to_frame()``: one row. Columns value, null, null_error, normalized, n_clusters, n_objects,
    n_runs, n_pairs.

    Examples
    --------
    >>> import softclust
    >>> found = softclust.label_instability([[0, 0, 1, 1], [0, 0, 1, 1], [0, 1, 1, 1]])
    >>> round(found.value, 4), found.null, round(found.normalized, 4)
    (0.1667, 0.3125, 0.5333)
    >>> len(softclust.label_instability([[0, 0, 1], [0, 1, 1]]).to_frame())
    1
    >>> print(softclust.label_instability([[0, 0, 1, 1], [0, 1, 1, 1]]).summary())
    Instability of labels, 2 runs
    ...
    """

    _chart = "plot_instability"

    value: float
    null: float
    null_error: float
    n_clusters: int
    n_objects: int
    n_runs: int
    n_pairs: int

    @property
    def normalized(self) -> float:
        """value / null: 1 for random labels; nan if the null is 0."""
        return self.value / self.null if self.null > 0.0 else math.nan

    def _frame(self) -> Columns:
        return Columns({name: [getattr(self, name)] for name in (
            "value", "null", "null_error", "normalized", "n_clusters", "n_objects", "n_runs",
            "n_pairs")})

    def _table(self) -> SummaryTable:
        how = "exact" if self.null_error == 0.0 else f"standard error {self.null_error:.2g}"
        values = {"mean share of objects to move": self.value,
                  "of two random labellings": self.null, "normalized": self.normalized}
        return SummaryTable.of(
            {"quantity": values, "value": right(values.values(), ".4f")},
            title=f"Instability of labels, {self.n_runs} runs",
            notes=[f"Random: {self.n_clusters} clusters, {self.n_objects} objects, {how}."]
            + stable_by_definition(self.value == 0.0, self.n_clusters, self.n_objects))


def stable_by_definition(same: bool, n_clusters: int, n_objects: int) -> list[str]:
    """Return a note if runs are the `same` because no object has a choice; else nothing."""
    if not same or 1 < n_clusters < n_objects:
        return []
    what = "one cluster" if n_clusters == 1 else "singletons"
    return [f"A clustering of {what} never changes, by definition: this is no sign of stable "
            "clusters."]


def label_instability(runs: EnsembleLike, *, n_draws: int = 1000, rng: RNG = None
                      ) -> LabelInstability:
    r"""Mean distance between the labels of two runs, compared with that of random labels.

    Parameters
    ----------
    runs : Ensemble, or anything that `Ensemble` takes
        Two or more hard clusterings of the same objects, or of some of them.
    n_draws : int, optional
        Number of pairs of random labellings for the null value; none are needed for 2 clusters.
    rng : None, int or numpy Generator, optional
        Seed or generator for these draws.

    Returns
    -------
    LabelInstability
        ``.value``, ``.null``, ``.null_error``, ``.normalized``.

    Raises
    ------
    ClusteringError
        If there is one run only, no two runs have a common object, a run is not hard, or labels
        are negative.

    See Also
    --------
    cluster_number, coassociation, transfer_distance

    Notes
    -----
    .. math:: \frac{2}{B(B-1)} \sum_{a<b} \frac{d(a, b)}{n_{ab}}

    d(a, b) is the smallest number of common objects that must change clusters to make the two runs
    equal (the transfer distance), and n_ab the number of these objects. `value` is the mean over
    pairs of runs (Lange et al. 2004). The null value is that of two independent labellings that
    put each of n objects into one of k clusters with equal probability, where k is the median
    number of clusters of the runs and n the median of n_ab. For k = 2 it is 1/2 - C(n-1,
    floor(n/2))/2^n, exactly; otherwise it is simulated. Time O(n + k^3) per pair of runs.

    Theory: docs/theory/ensembles.md.

    References
    ----------
    T. Lange, V. Roth, M. L. Braun, J. M. Buhmann (2004), Stability-based validation of clustering
    solutions, Neural Computation 16, 1299-1323.

    Examples
    --------
    >>> import softclust
    >>> runs = softclust.Ensemble.from_runs([[0, 0, 1, 1, -1], [0, 1, 1, 1, 0], [-1, 0, 1, 1, 0]])
    >>> round(softclust.label_instability(runs).value, 4)
    0.1667
    """
    ensemble = as_runs(runs, minimum=2)
    n_draws = check_whole("n_draws", n_draws, 2)
    shares, sizes = [], []
    count = ensemble.n_runs
    with progress_bar(False, "label_instability") as show:
        for t, (b, c) in enumerate(combinations(range(count), 2)):
            table = cross_counts(ensemble.labels[b], ensemble.labels[c], ensemble.n_clusters[b],
                                 ensemble.n_clusters[c])
            n = int(table.sum())
            if n:
                shares.append(transfer(table) / n)
                sizes.append(n)
            if show is not None:
                show(t + 1, count * (count - 1) // 2)
    if not shares:
        raise ClusteringError("no two runs have a common object; nothing can be compared")
    k, n = _middle(ensemble.n_clusters), _middle(sizes)
    null, error = null_instability(k, n, n_draws, as_generator(rng))
    return LabelInstability(value=math.fsum(shares) / len(shares), null=null, null_error=error,
                            n_clusters=k, n_objects=n, n_runs=count, n_pairs=len(shares))


def transfer(table: np.ndarray) -> int:
    """Number of objects outside the best matching of rows and columns."""
    from scipy.optimize import linear_sum_assignment
    rows, columns = linear_sum_assignment(table, maximize=True)
    return int(table.sum() - table[rows, columns].sum())


def null_instability(k: int, n: int, n_draws: int, rng: np.random.Generator
                     ) -> tuple[float, float]:
    """Mean share of n objects to move between two random labellings, and its standard error."""
    if k == 1:
        return 0.0, 0.0
    if k == 2:
        return 0.5 - math.comb(n - 1, n // 2) / 2**n, 0.0
    shares: list[float] = []
    step = max(1, _BLOCK // (k * k))
    while len(shares) < n_draws:
        count = min(step, n_draws - len(shares))
        tables = rng.multinomial(n, np.full(k * k, 1.0 / (k * k)), size=count)
        shares += [transfer(table) / n for table in tables.reshape(-1, k, k)]
    drawn = np.array(shares)
    return float(drawn.mean()), float(drawn.std(ddof=1) / math.sqrt(drawn.size))


def _middle(values: Any) -> int:
    """The median as a whole number; halves go up."""
    return math.floor(float(np.median(values)) + 0.5)
