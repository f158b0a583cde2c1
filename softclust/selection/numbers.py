"""`cluster_number()`: a criterion over numbers of clusters, in one record."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from concurrent.futures import Executor
from dataclasses import dataclass
from itertools import pairwise
from operator import index as as_index
from typing import TYPE_CHECKING, Any

import numpy as np

from .._checks import ClusteringError, IncompleteWarning, check_choice, frozen
from .._parallel import progress_bar
from .._random import as_generator
from .._warnings import warn
from ..resampling._replicates import check_executor
from .cells import CellValue, EntropyCell, GapCell, InformationCell, SilhouetteCell
from .checks import (
    check_options,
    numbers_of_clusters,
    ready_references,
    scales_of_prior,
    table_of_objects,
)
from .gap import reference_sets as draw_references

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from statsmodels.iolib.table import SimpleTable

#: criteria with what is best
CRITERIA = {"entropy": "least", "pairwise_entropy": "least", "cic": "largest",
            "silhouette": "largest", "gap": "largest"}
_TITLES = {"entropy": "mean membership entropy (bits)",
           "pairwise_entropy": "largest pairwise entropy (bits)",
           "cic": "cluster information criterion (bits)", "silhouette": "mean silhouette width",
           "gap": "gap statistic (nats)"}
Cell = Callable[[np.ndarray], CellValue]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ClusterNumber:
    """A criterion for each number of clusters (and each prior scale); made by `cluster_number`.

    Attributes
    ----------
    method : str
        "entropy", "pairwise_entropy", "cic", "silhouette" or "gap".
    n_clusters : (m,) int64
        Numbers of clusters K, in the order given.
    scale : (s,) float64
        Scales of the prior; a single nan for criteria without one.
    criterion : (m, s) float64
        The criterion; nan where a fit failed or was not reached, see `failures`.
    standard_error : (m, s) float64
        Entropies: delete-one jackknife over 20 blocks of replicates. Gap: sd sqrt(1 + 1/B).
        nan elsewhere.
    best : int
        K with the best criterion at the first scale (by `rule`), the first on ties.
    best_by_scale : (s,) int64
        The same for every scale; -1 where nothing was computed.
    entropy, pairwise_entropy : (m, s) float64
        Both entropies in bits, whichever is the criterion; nan for other criteria.
    pair : (m, s, 2) int64
        The two clusters of the largest pairwise entropy; -1 for other criteria.
    rule : str
        "max", "min" or "1se".
    failures : tuple of str
        What went wrong where.

    Examples
    --------
    >>> import softclust as sc
    >>> x = sc.datasets.bbc_gaussians(1, rng=1).data
    >>> found = sc.cluster_number(x, criterion="silhouette", rng=0)
    >>> found.best, found.n_clusters.tolist()
    (3, [2, 3, 4, 5, 6])
    """

    method: str
    n_clusters: np.ndarray
    scale: np.ndarray
    criterion: np.ndarray
    standard_error: np.ndarray
    best: int
    best_by_scale: np.ndarray
    entropy: np.ndarray
    pairwise_entropy: np.ndarray
    pair: np.ndarray
    rule: str
    failures: tuple[str, ...] = ()

    def __repr__(self) -> str:
        ks = self.n_clusters
        return (f"ClusterNumber({self.method}, best={self.best} of "
                f"{', '.join(str(k) for k in ks)})")

    def __str__(self) -> str:
        return self.summary().as_text()

    def _repr_html_(self) -> str:
        return self.summary().as_html()

    @property
    def title(self) -> str:
        """The criterion in words, with its unit."""
        return _TITLES[self.method]

    @property
    def has_entropies(self) -> bool:
        """Whether both entropies were computed."""
        return not bool(np.isnan(self.pairwise_entropy).all())

    def summary(self) -> SimpleTable:
        """One row a number of clusters: criterion and standard error for each scale.

        Returns
        -------
        statsmodels.iolib.table.SimpleTable
            The best value of each scale is marked ``*``.

        Examples
        --------
        >>> import softclust as sc
        >>> x = sc.datasets.bbc_gaussians(1, rng=1).data
        >>> print(sc.cluster_number(x, [2, 3], criterion="silhouette", rng=0).summary())
        Number of clusters by mean silhouette width: 3
        ...
        """
        from .._summary import NotedTable
        headers, rows = ["clusters"], [[str(k)] for k in self.n_clusters]
        for s, scale in enumerate(self.scale):
            headers += [self.method if math.isnan(scale) else f"s = {scale:g}", "se"]
            for j, row in enumerate(rows):
                star = "*" if self.n_clusters[j] == self.best_by_scale[s] else ""
                error = self.standard_error[j, s]
                row += [f"{self.criterion[j, s]:.4f}{star}",
                        "" if math.isnan(error) else f"{error:.4f}"]
        if self.has_entropies:
            headers.append("blurred pair")
            for j, row in enumerate(rows):
                row.append(" ".join(f"{a},{b}" for a, b in self.pair[j]))
        notes = [f"* best ({CRITERIA[self.method]} value, rule {self.rule})."]
        return NotedTable(rows, headers, aligns="r" * len(headers),
                          title=f"Number of clusters by {self.title}: {self.best}",
                          notes=notes + [f"Failed: {text}." for text in self.failures])

    def taxonomy(self) -> SimpleTable:
        """Both entropies side by side: which kind of doubt each number of clusters has.

        Returns
        -------
        statsmodels.iolib.table.SimpleTable
            One row a scale and number of clusters. The least value of each entropy at a scale is
            marked ``*``; the notes say how to read the four corners.

        Raises
        ------
        ValueError
            If the criterion has no entropies.

        Examples
        --------
        >>> import softclust as sc
        >>> x = sc.datasets.bbc_gaussians(1, rng=1).data
        >>> print(sc.cluster_number(x, [2, 3, 4], n_resamples=100, rng=0).taxonomy())
        Taxonomy: mean membership entropy against largest pairwise entropy (bits)
        ...
        """
        from .._summary import NotedTable
        if not self.has_entropies:
            raise ValueError(f"criterion {self.method!r} has no entropies; the taxonomy needs "
                             "criterion='entropy' or 'pairwise_entropy'")
        rows = []
        for s, scale in enumerate(self.scale):
            columns = (self.entropy[:, s], self.pairwise_entropy[:, s])
            least = [int(np.nanargmin(c)) if not np.isnan(c).all() else -1 for c in columns]
            for j, k in enumerate(self.n_clusters):
                shown = [f"{c[j]:.4f}" + ("*" if j == best else "")
                         for c, best in zip(columns, least)]
                rows.append([*([f"{scale:g}"] if len(self.scale) > 1 else []), str(k), *shown,
                             ",".join(str(v) for v in self.pair[j, s])])
        headers = [*(["scale"] if len(self.scale) > 1 else []), "clusters", "mean entropy",
                   "pairwise entropy", "blurred pair"]
        return NotedTable(rows, headers, aligns="r" * len(headers),
                          title="Taxonomy: mean membership entropy against largest pairwise "
                                "entropy (bits)",
                          notes=["* least at its scale. Both low: clear clusters. Mean entropy "
                                 "high alone: many small doubts. Pairwise entropy high: the "
                                 "blurred pair is better joined.", *(
                                     f"Failed: {text}." for text in self.failures)])

    def to_frame(self) -> pd.DataFrame:
        """One row a number of clusters and scale.

        Returns
        -------
        pandas.DataFrame
            Columns n_clusters, scale, criterion, standard_error, entropy, pairwise_entropy,
            pair, best.
        """
        import pandas as pd
        return pd.DataFrame([
            {"n_clusters": int(k), "scale": float(scale), "criterion": self.criterion[j, s],
             "standard_error": self.standard_error[j, s], "entropy": self.entropy[j, s],
             "pairwise_entropy": self.pairwise_entropy[j, s],
             "pair": tuple(int(v) for v in self.pair[j, s]),
             "best": bool(k == self.best_by_scale[s])}
            for s, scale in enumerate(self.scale) for j, k in enumerate(self.n_clusters)])

    def plot(self, ax: Axes | None = None, *, kind: str = "curves") -> Axes:
        """The criterion over numbers of clusters, or both entropies against each other.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw; a new figure by default.
        kind : {"curves", "taxonomy"}, optional
            "curves": a line for each scale. "taxonomy": mean entropy against pairwise entropy, a
            point for each K.

        Returns
        -------
        matplotlib.axes.Axes
        """
        check_choice("kind", kind, ("curves", "taxonomy"))
        from ..plotting import plot_cluster_number, plot_taxonomy
        return (plot_cluster_number if kind == "curves" else plot_taxonomy)(self, ax=ax)


def cluster_number(X: Any, n_clusters: Iterable[int] = range(2, 7), *,
                   criterion: str = "entropy", clusterer: Any = None, scale: Any = 1.0,
                   confidence: float = 0.5, n_resamples: int | None = None,
                   n_references: int = 100, power: int = 2, reference: str = "pca",
                   rule: str | None = None, reference_sets: Any = None, rng: Any = None,
                   executor: Executor | None = None, progress: bool = False) -> ClusterNumber:
    """Choose the number of clusters by one of five criteria.

    Parameters
    ----------
    X : array-like, shape (n, d)
        Finite numbers.
    n_clusters : iterable of int, optional
        Numbers of clusters to try.
    criterion : {"entropy", "pairwise_entropy", "cic", "silhouette", "gap"}, optional
        Mean entropy of bagged memberships, or their largest pairwise entropy (least is best);
        cluster information criterion of multiple match cluster count; mean silhouette width;
        gap statistic (largest is best).
    clusterer : estimator, optional
        Instead of the default: for the entropies any estimator with `entropy_` and
        `membership_` (default `BayesianBaggedClustering`), for "cic" one with `cic_`
        (`MultipleMatchClustering`), for "silhouette" one with `labels_` or ``predict``
        (scikit-learn's KMeans). Its ``n_clusters`` (or ``n_components``) is set, and that of
        the clusterer it wraps.
    scale : float or sequence of float, optional
        Scales of the prior covariances, a curve each; entropies with the default clusterer, or
        one with a parameter ``scale``.
    confidence : float in [0, 1), optional
        Weight of the prior, for the default clusterer of the entropies.
    n_resamples : int, optional
        Replicates of each fit of a default clusterer (200; 1000 for "cic").
    n_references, power, reference : optional
        Gap: number of uniform reference sets; power of the distances in W (2: within sum of
        squares, 1: as R's clusGap); box along the principal axes ("pca") or the features ("box").
    rule : {"max", "1se"}, optional
        Gap: the largest value, or the first K with gap(K) >= gap(K+1) - s_(K+1). A K that
        leaves every cluster one distinct object has no gap: it fails.
    reference_sets : array, shape (B, n, d), optional
        Gap: ready reference data.
    rng : None, int or numpy Generator, optional
    executor : concurrent.futures.Executor, optional
        Runs the cells (a number of clusters at a scale each) in its workers; results do not
        depend on it.
    progress : bool, optional
        Show a progress bar over cells.

    Returns
    -------
    ClusterNumber

    Raises
    ------
    ClusteringError
        If X is no table of finite numbers, a K exceeds the number of distinct rows, or K = 1
        with a criterion that cannot judge it.
    ValueError
        If an option is out of range, or belongs to another criterion.

    Warns
    -----
    IncompleteWarning
        If a fit failed, or Ctrl-C stopped the search; finished cells are kept.

    Notes
    -----
    At one K every scale uses the same seed, so curves differ by the scale alone. K = 1 has
    entropy 0 whatever the data, so only the gap statistic takes it. "cic" is inferred from
    published values; its defining article is not public. Time: a fit per cell; gap O(B n d K
    passes) and, for power 1, O(B n^2 d). R: ``cluster::clusGap(d.power = )`` has log W lower
    by log 2 and the same gaps.

    References
    ----------
    F. M. Quetti, S. Figini, E. Ballante, A Bayesian approach to clustering via the proper
    Bayesian bootstrap. R. Tibshirani, G. Walther, T. Hastie (2001), Estimating the number of
    clusters in a data set via the gap statistic, JRSS B 63, 411-423. P. Rousseeuw (1987),
    Silhouettes, J. Comput. Appl. Math. 20, 53-65.

    Examples
    --------
    >>> import softclust as sc
    >>> x = sc.datasets.bbc_gaussians(1, rng=1).data
    >>> sc.cluster_number(x, [2, 3, 4], n_resamples=100, rng=0).best
    3
    """
    check_choice("criterion", criterion, CRITERIA)
    check_executor(executor)
    check_options(criterion, clusterer, n_resamples=n_resamples, confidence=confidence,
                  n_references=n_references, power=power, reference=reference,
                  reference_sets=reference_sets, rule=rule)
    x = table_of_objects(X)
    ks = numbers_of_clusters(n_clusters, criterion, x)
    scales = scales_of_prior(scale, criterion)
    if rule is not None:
        check_choice("rule", rule, ("max", "1se"))
    seeds = as_generator(rng).integers(0, 2**63 - 1, size=len(ks) + 1).tolist()
    if criterion == "gap":
        if clusterer is not None:
            raise ValueError("criterion='gap' is that of k-means; leave clusterer out")
        cells = _gap_cells(x, ks, seeds, n_references, power, reference, reference_sets)
    else:
        cells = [_cell(criterion, clusterer, k, s, seed, confidence, n_resamples)
                 for k, seed in zip(ks, seeds) for s in scales]
    rule = rule or ("min" if CRITERIA[criterion] == "least" else "max")
    names = [f"K = {k}" + ("" if math.isnan(s) else f", scale {s:g}") for k in ks for s in scales]
    values, failures = _evaluate(cells, names, x, executor, progress)
    return _record(criterion, ks, scales, values, failures, rule)


# -- cells ------------------------------------------------------------------------------------
def _cell(criterion: str, clusterer: Any, k: int, scale: float, seed: int, confidence: float,
          n_resamples: int | None) -> Cell:
    from sklearn.base import clone
    if clusterer is None:
        if criterion == "silhouette":
            from sklearn.cluster import KMeans
            estimator: Any = KMeans(n_init=50)   # 10 starts often miss the optimum of K = 5
        elif criterion == "cic":
            from ..resampling import MultipleMatchClustering
            estimator = MultipleMatchClustering(
                n_resamples=1000 if n_resamples is None else n_resamples, tol=None)
        else:
            from ..resampling import BayesianBaggedClustering
            estimator = BayesianBaggedClustering(
                confidence=confidence, n_resamples=200 if n_resamples is None else n_resamples)
    else:
        estimator = clone(clusterer)
    parameters = estimator.get_params()
    settings: dict[str, Any] = {_counted(estimator): k}
    inner = parameters.get("estimator")
    if hasattr(inner, "get_params"):   # bagging leaves a clusterer its own number
        settings[f"estimator__{_counted(inner)}"] = k
    if not math.isnan(scale) and (clusterer is None or scale != 1.0 or "scale" in parameters):
        if "scale" not in parameters:
            raise ValueError(f"{type(estimator).__name__} has no parameter scale; leave scale out")
        settings["scale"] = scale
    if "random_state" in parameters:
        # scikit-learn takes seeds below 2^32.
        settings["random_state"] = seed % 2**32
    estimator.set_params(**settings)
    if criterion == "silhouette":
        return SilhouetteCell(estimator=estimator)
    if criterion == "cic":
        return InformationCell(estimator=estimator)
    return EntropyCell(criterion=criterion, estimator=estimator)


def _counted(estimator: Any) -> str:
    """The parameter that is the number of clusters."""
    parameters = estimator.get_params()
    for name in ("n_clusters", "n_components"):
        if name in parameters:
            return name
    raise ValueError(f"{type(estimator).__name__} has no parameter n_clusters or n_components; "
                     "the number of clusters cannot be set")


def _gap_cells(x: np.ndarray, ks: list[int], seeds: list[int], n_references: Any, power: Any,
               reference: str, ready: Any) -> list[Cell]:
    check_choice("reference", reference, ("pca", "box"))
    if power not in (1, 2):
        raise ValueError(f"power is {power!r}; 1 or 2 is needed")
    if ready is None:
        count = as_index(n_references)
        if count < 2:
            raise ValueError(f"n_references is {count}; at least 2 are needed")
        references = draw_references(x, count, reference, np.random.default_rng(seeds[-1]))
    else:
        references = ready_references(ready, x)
    return [GapCell(n_clusters=k, references=references, power=int(power), seed=seed)
            for k, seed in zip(ks, seeds)]


def _evaluate(cells: list[Cell], names: list[str], x: np.ndarray, executor: Executor | None,
              progress: bool) -> tuple[list[CellValue | None], list[str]]:
    """Values in order; a failed or missing cell is None. Finished cells survive Ctrl-C."""
    values: list[CellValue | None] = [None] * len(cells)
    failures: list[str] = []
    interrupted: KeyboardInterrupt | None = None
    running = [] if executor is None else [executor.submit(cell, x) for cell in cells]
    with progress_bar(progress, "number of clusters") as show:
        try:
            for j, cell in enumerate(cells):
                try:
                    values[j] = running[j].result() if running else cell(x)
                except Exception as error:
                    why = str(error) or "the executor did not run it"
                    failures.append(f"{names[j]}: {type(error).__name__}: {why}")
                if show is not None:
                    show(j + 1, len(cells))
        except KeyboardInterrupt as stop:
            interrupted = stop
            for j, future in enumerate(running):
                if not future.cancel() and future.done() and future.exception() is None:
                    values[j] = future.result()
    if not any(values):
        if interrupted is not None:
            raise interrupted
        raise ClusteringError("every fit failed: " + "; ".join(failures[:3]))
    if interrupted is not None:
        missing = [name for name, value in zip(names, values) if value is None]
        failures.append("interrupted before " + ", ".join(missing))
    if failures:
        warn("not every number of clusters was evaluated: " + "; ".join(failures[:3]),
             IncompleteWarning, stacklevel=3)
    return values, failures


def _record(criterion: str, ks: list[int], scales: list[float],
            values: list[CellValue | None], failures: list[str], rule: str) -> ClusterNumber:
    shape = len(ks), len(scales)
    missing = CellValue(criterion=math.nan)
    filled = [missing if value is None else value for value in values]

    def table(name: str) -> np.ndarray:
        return frozen(np.array([getattr(v, name) for v in filled], dtype=float).reshape(shape))

    numbers, errors = table("criterion"), table("standard_error")
    best = np.array([_best(ks, numbers[:, s], errors[:, s], rule) for s in range(shape[1])])
    return ClusterNumber(
        method=criterion, n_clusters=frozen(np.array(ks)), scale=frozen(np.array(scales)),
        criterion=numbers, standard_error=errors, best=int(best[0]),
        best_by_scale=frozen(best), entropy=table("entropy"),
        pairwise_entropy=table("pairwise_entropy"),
        pair=frozen(np.array([v.pair for v in filled]).reshape(*shape, 2)), rule=rule,
        failures=tuple(failures))


def _best(ks: list[int], values: np.ndarray, errors: np.ndarray, rule: str) -> int:
    """The first best number of clusters, -1 without any value."""
    if np.isnan(values).all():
        return -1
    if rule == "1se":
        order = [j for j in np.argsort(ks) if not np.isnan(values[j])]
        for j, following in pairwise(order):
            if values[j] >= values[following] - errors[following]:
                return ks[j]
        return ks[order[-1]]
    return ks[int(np.nanargmin(values) if rule == "min" else np.nanargmax(values))]
