"""``softclust demo``: the iris flowers, clustered hard and soft, compared with the species."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ._summary import SummaryTable
from .clusterings import (
    Clustering,
    Ensemble,
    FuzzyClustering,
    HardClustering,
)
from .comparison import compare
from .comparison.matrix import ComparisonMatrix, compare_all
from .measures.joint import Joint
from .pairs.soft_pairs import alpha_rand_index, alpha_rand_interval
from .pairs.uncertainty import nonspecificity
from .tables.set_matching import alpha_partition_interval
from .transport.measures import transport_dissimilarity, transport_rand_index

if TYPE_CHECKING:
    from .datasets import Dataset
    from .transport.result import TransportResult

SEED = 0
SPECIES = "species"
#: names in tables and pictures, with what they stand for
ALGORITHMS = {
    "KM": "k-means (scikit-learn)",
    "GMM": "Gaussian mixture (scikit-learn)",
    "RKM": "rough k-means",
    "FCM": "fuzzy c-means",
    "PCM": "possibilistic c-means, row maximum 1",
    "ECM": "evidential c-means",
}

READING = """\
How to read an interval. A rough, possibilistic or evidential clustering leaves open where some
flowers belong. The alpha-Rand interval runs from the agreement when each ambiguity counts as an
error (alpha = 1) to the agreement when it is forgiven (alpha = 0): narrow means that the
ambiguity hardly matters, wide that the clustering says little. Two hard or fuzzy clusterings
leave nothing open: their interval is a point. For the partition dissimilarity small is alike.
"""


def run_demo(out: str, *, plot: bool = True) -> ComparisonMatrix:
    """Run the demo, print its tables and save ``iris.png`` in the folder `out`."""
    start = time.perf_counter()
    from .datasets import load_iris
    iris = load_iris()
    if plot:
        # Before the work: a missing matplotlib or an unwritable folder is said at once.
        from . import plotting
        plotting.without_window()
        Path(out).mkdir(parents=True, exist_ok=True)
    progress = sys.stderr.isatty()
    sides = cluster_iris(iris)
    print(f"{iris.name}: {iris.data.shape[0]} flowers, {iris.data.shape[1]} lengths, "
          f"{len(iris.label_names)} species ({iris.source})\n")
    hard = compare(Joint(sides[SPECIES], sides["KM"]), names=(SPECIES, "k-means"),
                   progress=progress)
    print(hard.summary(), end="\n\n", flush=True)
    print(against_species(sides), end="\n\n", flush=True)
    print(transported(sides), end="\n\n", flush=True)
    matrix = compare_all(Ensemble(list(sides.values()), names=list(sides)),
                         measure="alpha_rand_interval", progress=progress)
    print(matrix.summary(), end="\n\n", flush=True)
    print(READING)
    if plot:
        path = Path(out) / "iris.png"
        save_picture(matrix, path)
        print(f"picture: {path}")
    print(f"done in {time.perf_counter() - start:.1f} s")
    return matrix


def cluster_iris(iris: Dataset) -> dict[str, Clustering]:
    """The species and six clusterings of the flowers, by name."""
    from sklearn.cluster import KMeans
    from sklearn.mixture import GaussianMixture
    from threadpoolctl import threadpool_limits

    from .cluster import EvidentialCMeans, FuzzyCMeans, PossibilisticCMeans, RoughKMeans
    x = iris.data
    # On 150 flowers more threads only wait for each other, on a busy machine for minutes.
    with threadpool_limits(1):
        kmeans = KMeans(n_clusters=3, n_init=10, random_state=SEED).fit(x)
        mixture = GaussianMixture(n_components=3, n_init=5, random_state=SEED).fit(x)
        membership = mixture.predict_proba(x)
        # A smaller eta keeps the possibilistic centres apart; they do not repel each other.
        possibilistic = PossibilisticCMeans(3, eta_factor=0.1, random_state=SEED).fit(x)
        return {
            SPECIES: HardClustering(iris.labels, cluster_names=iris.label_names),
            "KM": HardClustering(kmeans.labels_),
            "GMM": FuzzyClustering(membership),
            "RKM": RoughKMeans(3, random_state=SEED).fit(x).clustering_,
            "FCM": FuzzyCMeans(3, random_state=SEED).fit(x).clustering_,
            "PCM": possibilistic.clustering_.normalize("maximum"),
            "ECM": EvidentialCMeans(3, alpha=2.0, random_state=SEED).fit(x).clustering_,
        }


def against_species(sides: dict[str, Clustering]) -> Any:
    """Table of intervals of every clustering against the species."""
    rows = []
    for name, clustering in sides.items():
        if name == SPECIES:
            continue
        joint = Joint(sides[SPECIES], clustering)
        rows.append([name, clustering.kind, f"{alpha_rand_index(joint):.4f}",
                     f"{alpha_rand_interval(joint):.4f}",
                     f"{alpha_partition_interval(joint):.4f}",
                     f"{nonspecificity(clustering):.4f}",
                     f"{empty_mass(clustering):.4f}"])
    return SummaryTable(
        rows, ["", "kind", "alpha-Rand, 1/2", "alpha-Rand interval",
               "partition dissimilarity", "nonspecificity", "empty mass"],
        aligns="llrrrrr", title="Each clustering against the species",
        notes=["; ".join(f"{name}: {text}" for name, text in ALGORITHMS.items()) + "."])


def transported(sides: dict[str, Clustering]) -> Any:
    """Table of transport intervals of every clustering against the species, with their time."""
    rows = []
    for name, clustering in sides.items():
        if name == SPECIES:
            continue
        joint = Joint(sides[SPECIES], clustering)
        ways = {"rand": (alpha_rand_interval(joint), transport_rand_index),
                "partition": (alpha_partition_interval(joint), transport_dissimilarity)}
        for base, (interval, measure) in ways.items():
            # 4000 draws, the default, make the limits a third as wide and the demo twice as long.
            options: dict[str, Any] = {"base": base, "normalize": "dempster", "n_draws": 500,
                                       "rng": SEED}
            measure(joint, **options)   # compiles, where nothing is on disk yet
            result = measure(joint, **options)
            rows.append([name if base == "rand" else "", base, f"{interval:.4f}",
                         f"[{result.lower:.4f}, {result.upper:.4f}]", guarantee(result),
                         f"{1e3 * result.seconds:.1f}"])
    return SummaryTable(
        rows, ["", "base", "alpha interval", "transport interval", "is", "ms"], aligns="llrrlr",
        title="Transport intervals against the species",
        notes=["Base rand: agreement, 1 - distance; base partition: dissimilarity. Masses on the "
               "empty set are first divided out (Dempster). Times are of a second call: the first "
               "one may compile code."])


def guarantee(result: TransportResult) -> str:
    """What stands behind both ends of a transport interval, in words."""
    if result.exact_lower and result.exact_upper:
        return "exact"
    limits = [ci for ci, exact in ((result.lower_ci, result.exact_lower),
                                   (result.upper_ci, result.exact_upper)) if ci and not exact]
    if limits:
        return f"drawn, 95 % +- {max(high - low for low, high in limits) / 2:.0e}"
    width = max(result.lower_high - result.lower_low, result.upper_high - result.upper_low)
    return f"proved to {width:.0e}"


def empty_mass(clustering: Clustering) -> float:
    """Mean mass on the empty set."""
    return float(clustering.empty_mass.mean())


def save_picture(matrix: ComparisonMatrix, path: Any) -> None:
    """Intervals against the species, the matrix, and the clusterings as circles."""
    from .plotting import plot_against, plot_circles, plot_matrix, pyplot, save_figure
    figure = pyplot().figure(figsize=(14, 8.6), layout="constrained")
    grid = figure.add_gridspec(2, 2, width_ratios=(1, 1.45), height_ratios=(1, 1.5))
    plot_against(matrix, SPECIES, ax=figure.add_subplot(grid[0, 0]))
    plot_circles(matrix.mds(n_init=20, rng=SEED), ax=figure.add_subplot(grid[1, 0]))
    plot_matrix(matrix, ax=figure.add_subplot(grid[:, 1]))
    figure.suptitle("Clusterings of the iris flowers", fontsize=13, fontweight="bold")
    save_figure(figure, path)
