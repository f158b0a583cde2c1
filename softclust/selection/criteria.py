"""Criteria for the number of clusters, each written once, in this file.

A criterion is a function under `@criterion`; its record says all that others need to know:
`cluster_number`, its result and chart, the report, R and the table of the guide read it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Literal, TypeVar

import numpy as np

from .._checks import ClusteringError
from ..cluster.batched_kmeans import batched_kmeans
from ..clusterings.object_table import ObjectTable
from ..extensions import modules
from ..running.random_numbers import spawn
from ..soft_pairs.entropies import pairwise_of_rows

F = TypeVar("F", bound=Callable[..., Any])
#: starts of k-means: 10 miss the optimum of K = 5 often, and that of K = 8 nearly always
N_STARTS = 50
#: starts of k-means in each run on half of the data
_RUN_STARTS = 10
#: which value is best under each rule
BEST = {"max": "the largest", "min": "the smallest",
        "1se": "the first within one standard error of the next"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Criterion:
    """A criterion for the number of clusters.

    Attributes
    ----------
    name : str
    score : callable
        Its value, or a pair (value, error). Of ``(x, labels)`` if it needs labels, ``(rows,
        entropies)`` for memberships, the fitted clusterer (None for one cluster), or ``(runs, seed,
        labels)`` for runs on halves of the data.
    needs : {"labels_", "membership_", "fit", "runs", ""}
        What a clusterer must have; "fit": it is the fitted clusterer's own; "runs": labels of many
        halves; "": it runs its own k-means.
    direction : {"largest", "least"}
        Which value is best.
    title : str
        Name with its unit, for tables and the axis of a chart.
    short : str
        Name for sentences.
    looks_at, beware : str
        "how ..." and "favours ...": for the guide and the report.
    clusterer : callable or None
        Default clusterer, from the options `prior_weight` and `n_resamples`.
    clusterer_name : str
        The same in words.
    why_not_one : str
        Why one cluster cannot be assessed; empty if it can.
    rule : str
        How the best is chosen from consecutive numbers of clusters: "max", "min" or "1se".
    options : tuple of str
        Options of `cluster_number` that belong to it.
    distances : bool
        Whether square distances can take the place of the data.
    in_report : bool
        Whether reports show it.
    note : str
        Note below its results.
    """

    name: str
    score: Callable[..., Any]
    needs: str
    direction: Literal["largest", "least"]
    title: str
    short: str
    looks_at: str
    beware: str
    clusterer: Callable[[dict[str, Any]], Any] | None
    clusterer_name: str
    why_not_one: str
    rule: str
    options: tuple[str, ...]
    distances: bool
    in_report: bool
    note: str


#: all criteria by name, in reading order
CRITERIA: dict[str, Criterion] = {}


def _kmeans(n_init: int) -> Callable[[dict[str, Any]], Any]:
    def made(options: dict[str, Any]) -> Any:
        from sklearn.cluster import KMeans
        return KMeans(n_init=n_init)
    return made


def _bayesian(options: dict[str, Any]) -> Any:
    from ..ensembles import BayesianBaggedClustering
    return BayesianBaggedClustering(prior_weight=options["prior_weight"],
                                    n_resamples=options["n_resamples"] or 200)


#: default clusterer and its name, options, and why not one cluster, by what criteria need
_DEFAULTS: dict[str, tuple[Any, str, tuple[str, ...], str]] = {
    "labels_": (_kmeans(N_STARTS), "scikit-learn's KMeans with 50 starts", (),
                "it compares clusters, and is undefined for one"),
    "membership_": (_bayesian, "`BayesianBaggedClustering`", ("n_resamples", "prior_weight",
                                                              "scale"),
                    "one cluster has entropy 0 whatever the data"),
    "fit": (None, "", ("n_resamples",), ""),
    "runs": (_kmeans(_RUN_STARTS), "scikit-learn's KMeans", ("n_resamples",),
             "one cluster always comes back"),
    "": (None, "k-means", (), "")}


def criterion(*, needs: str, direction: Literal["largest", "least"], title: str, short: str,
              looks_at: str, beware: str, rule: str = "", options: tuple[str, ...] = (),
              clusterer: Callable[[dict[str, Any]], Any] | None = None, clusterer_name: str = "",
              distances: bool = False, in_report: bool = False, note: str = ""
              ) -> Callable[[F], F]:
    """Register the decorated function as a criterion and return it untouched."""
    default, default_name, own, why_not_one = _DEFAULTS[needs]

    def register(score: F) -> F:
        CRITERIA[score.__name__] = Criterion(
            name=score.__name__, score=score, needs=needs, direction=direction, title=title,
            short=short, looks_at=looks_at, beware=beware, clusterer=clusterer or default,
            clusterer_name=clusterer_name or default_name, why_not_one=why_not_one,
            rule=rule or {"largest": "max", "least": "min"}[direction],
            options=(*own, *options), distances=distances, in_report=in_report, note=note)
        return score
    return register


def in_words() -> str:
    """Describe all criteria, for the docstring of `cluster_number`."""
    from textwrap import fill
    said: dict[str, list[str]] = {}
    for c in CRITERIA.values():
        said.setdefault(f"Of {c.clusterer_name}", []).append(
            f'"{c.name}", {c.title}, {BEST[c.rule]} is best' + ", can assess 1" * (
                not c.why_not_one))
    text = " ".join(f"{of}: {'; '.join(texts)}." for of, texts in said.items())
    return fill(text, 100, initial_indent=" " * 8, subsequent_indent=" " * 8,
                break_on_hyphens=False).lstrip()


def no_entropies(name: str) -> ClusteringError:
    """The error of what needs both entropies, for a criterion without."""
    which = " or ".join(repr(c.name) for c in CRITERIA.values() if c.needs == "membership_")
    return ClusteringError(f"criterion {name!r} has no entropies; the taxonomy needs "
                           f"criterion={which}")


def table() -> str:
    """Describe all criteria as a table in Markdown, for the guide."""
    rows = [f"| `\"{c.name}\"` | {BEST[c.rule].removeprefix('the ')} | {c.looks_at} | {c.beware} |"
            for c in CRITERIA.values()]
    return "\n".join(["", "| `criterion=` | best is | looks at | beware: it |", "|---|---|---|---|",
                      *rows, ""])


# -- of labels ------------------------------------------------------------------------------------
#: megabytes of distances held at once
_WORKING_MEMORY = 64


@criterion(
    needs="labels_", direction="largest", title="mean silhouette width", short="silhouette",
    looks_at="how much closer objects are to their own cluster than to the nearest other one, from "
    "-1 to 1",
    beware="favours round clusters of similar size, and can be as large for halves of one long "
    "cluster", distances=True, in_report=True)
def silhouette(x: Any, labels: np.ndarray) -> float:
    """Mean over objects of (b - a) / max(a, b), from -1 to 1, for labels of 2 to n - 1 clusters.

    a is the mean distance to the others of its own cluster, b that to the nearest other cluster; an
    object alone in its cluster counts 0, as does one for which a and b are 0. Time O(n^2 (d + K)).
    R: ``cluster::silhouette``.

    References
    ----------
    P. Rousseeuw (1987), Silhouettes, J. Comput. Appl. Math. 20, 53-65.
    """
    from sklearn import config_context
    from sklearn.metrics import silhouette_score
    with config_context(working_memory=_WORKING_MEMORY):
        if isinstance(x, ObjectTable):
            if x.pairwise:
                return float(silhouette_score(np.asarray(x.data), labels, metric="precomputed"))
            x = x.numbers
        # |x|^2 + |y|^2 - 2 x y is exact to the scale of the data.
        return float(silhouette_score(x - x.mean(axis=0), labels))


@criterion(
    needs="labels_", direction="largest", title="Calinski-Harabasz index",
    short="Calinski-Harabasz index",
    looks_at="how much larger the variance between clusters is than that within them, per degree "
    "of freedom",
    beware="favours round clusters of similar size, and grows with the number of objects")
def calinski_harabasz(x: Any, labels: np.ndarray) -> float:
    """Ratio of the mean squares between and within clusters, >= 0.

    References
    ----------
    T. Caliński, J. Harabasz (1974), A dendrite method for cluster analysis, Communications in
    Statistics 3, 1-27.
    """
    from sklearn.metrics import calinski_harabasz_score
    return float(calinski_harabasz_score(_numbers(x), labels))


@criterion(
    needs="labels_", direction="least", title="Davies-Bouldin index",
    short="Davies-Bouldin index",
    looks_at="how wide clusters are for the distance of their means to those of their nearest "
    "rivals",
    beware="sees means and mean distances only: favours round clusters")
def davies_bouldin(x: Any, labels: np.ndarray) -> float:
    """Mean over clusters of the largest (s_i + s_j) / d_ij, >= 0.

    s is the mean distance of the objects of a cluster to its mean, d that of two means.

    References
    ----------
    D. L. Davies, D. W. Bouldin (1979), A cluster separation measure, IEEE PAMI 1, 224-227.
    """
    from sklearn.metrics import davies_bouldin_score
    return float(davies_bouldin_score(_numbers(x), labels))


def _numbers(x: Any) -> np.ndarray:
    return x.numbers if isinstance(x, ObjectTable) else x


# -- the gap statistic: within-cluster dispersion against that of uniform reference data ----------
#: numbers in the reference sets of one block
_BLOCK = 1 << 22


def log_dispersions(x: np.ndarray, n_clusters: int, power: int, rng: np.random.Generator,
                    n_starts: int) -> np.ndarray:
    """Natural logarithms of W for data sets x, (B, n, d) -> (B,), by the best of some k-means.

    W = sum over clusters of (sum of d_ij^power over ordered pairs) / (2 size).
    """
    many, n, d = x.shape
    step = max(1, _BLOCK // (n * d))
    parts: list[Any] = []
    children = spawn(rng, many)
    for start in range(0, many, step):
        part = x[start:start + step]
        uniforms = np.stack([child.random((n_starts, n_clusters))
                             for child in children[start:start + step]])
        fit = batched_kmeans(part, uniforms=uniforms, labels=power != 2)
        parts.append(fit.inertia if fit.labels is None else
                     [dispersion(*each, n_clusters) for each in zip(part, fit.labels)])
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(np.concatenate(parts)))


def dispersion(points: np.ndarray, labels: np.ndarray, n_clusters: int) -> float:
    """Sum over clusters of the mean distance to all members, halved: power 1."""
    from scipy.spatial.distance import cdist
    total = 0.0
    for k in range(n_clusters):
        members = points[labels == k]
        size = members.shape[0]
        step = max(1, _BLOCK // max(1, size))
        inner = sum(float(cdist(members[i:i + step], members).sum())
                    for i in range(0, size, step))
        total += inner / (2 * size) if size else 0.0
    return total


def reference_sets(x: np.ndarray, count: int, kind: str, rng: np.random.Generator) -> np.ndarray:
    """Uniform data (count, n, d) in the box of x, along features or principal axes."""
    n, d = x.shape
    mean = x.mean(axis=0)
    axes = np.eye(d)
    if kind == "pca":
        axes = np.linalg.svd(x - mean, full_matrices=False)[2]
    turned = (x - mean) @ axes.T
    low, high = turned.min(axis=0), turned.max(axis=0)
    drawn = np.stack([child.random((n, axes.shape[0])) for child in spawn(rng, count)])
    return np.asarray((low + (high - low) * drawn) @ axes + mean)


@criterion(
    needs="", direction="largest", title="gap statistic (nats)", short="gap statistic",
    looks_at="how much tighter k-means clusters are than those of points spread evenly over the "
    "same region",
    beware="depends on that region, and long clusters mislead it", rule="1se",
    options=("n_references", "power", "reference", "n_starts", "reference_sets", "rule"),
    in_report=True)
def gap(x: np.ndarray, n_clusters: int, references: np.ndarray, power: int, n_starts: int,
        seed: int) -> tuple[float, float]:
    """Mean log W* - log W of the best of some k-means, and its error sd sqrt(1 + 1/B).

    References
    ----------
    R. Tibshirani, G. Walther, T. Hastie (2001), Estimating the number of clusters in a data set
    via the gap statistic, Journal of the Royal Statistical Society B 63, 411-423.
    """
    if np.unique(x, axis=0).shape[0] <= n_clusters:
        raise ValueError("every cluster is one distinct object: W is 0, so its logarithm and the "
                         "gap are undefined")
    log_w, log_reference = (
        log_dispersions(sets, n_clusters, power, np.random.default_rng(child), n_starts)
        for sets, child in zip((x[None], references), np.random.SeedSequence(seed).spawn(2)))
    error = log_reference.std() * np.sqrt(1 + 1 / log_reference.size)
    return float(log_reference.mean() - log_w[0]), float(error)


# -- of memberships -------------------------------------------------------------------------------
@criterion(
    needs="membership_", direction="least", title="mean membership entropy (bits)",
    short="entropy",
    looks_at="how much refits to resampled data, with a few points drawn from a prior, disagree "
    "about the cluster of an object",
    beware="favours few clusters, which are easier to find again: a stable but wrong number can "
    "win", in_report=True)
def entropy(rows: np.ndarray, entropies: np.ndarray) -> float:
    """Mean entropy of the memberships of objects."""
    return float(np.nanmean(entropies))


@criterion(
    needs="membership_", direction="least", title="largest pairwise entropy (bits)",
    short="pairwise entropy",
    looks_at="the same for the two clusters that are hardest to tell apart",
    beware="equals the entropy at K = 2, and grows slightly with the number of replicates")
def pairwise_entropy(rows: np.ndarray, entropies: np.ndarray) -> float:
    """Largest pairwise entropy of memberships (n, c) without nan."""
    return float(pairwise_of_rows(rows).maximum)


# -- of runs on halves of the data ----------------------------------------------------------------
@criterion(
    needs="runs", direction="least", title="proportion of ambiguous clustering", short="PAC",
    looks_at="the share of pairs of objects that are sometimes together and sometimes apart in "
    "runs on halves of the data",
    beware="has no null value, and decreases with K by itself",
    note="PAC has no null value: it depends on K and on the number of runs even if there are no "
    "clusters.")
def pac(runs: Any, seed: int, labels: Callable[[], np.ndarray]) -> float:
    """Share of pairs of objects that are together in some runs only."""
    from ..ensembles import coassociation
    return float(coassociation(runs, rng=seed).pac())


@criterion(
    needs="runs", direction="least", title="normalized instability of labels",
    short="instability",
    looks_at="how much labels change from run to run, relative to random labels",
    beware="measures stability only: a stable but wrong number can win")
def instability(runs: Any, seed: int, labels: Callable[[], np.ndarray]) -> float:
    """Instability of labels over that of random ones."""
    from ..ensembles import label_instability
    return float(label_instability(runs, rng=seed).normalized)


@criterion(
    needs="runs", direction="largest", title="Jaccard index of the least stable cluster",
    short="Jaccard index", looks_at="how well the least stable cluster is found again",
    beware="is lowered by one unstable cluster")
def jaccard(runs: Any, seed: int, labels: Callable[[], np.ndarray]) -> tuple[float, float]:
    """Mean over runs of the value of the least stable cluster, and its error."""
    from ..ensembles import cluster_stability
    smallest = np.nanmin(cluster_stability(labels(), runs).values, axis=1)
    error = smallest.std(ddof=1) / np.sqrt(smallest.size) if smallest.size > 1 else np.nan
    return float(smallest.mean()), float(error)


for _module in modules("CRITERIA"):   # those of extensions
    import_module(_module)
