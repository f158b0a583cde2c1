"""``softclust demo``: the iris flowers, clustered hard and soft, compared with the species."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..clusterings import (
    Clustering,
    Ensemble,
    FuzzyClustering,
    HardClustering,
)
from ..comparison import compare
from ..comparison.matrix import ComparisonMatrix, compare_all
from ..measures.joint import Joint
from ..results.summary import SummaryTable
from ..soft_pairs.soft_pairs import alpha_rand_index, alpha_rand_interval
from ..soft_pairs.uncertainty import nonspecificity
from ..tables.set_matching import alpha_partition_interval
from .options import Table, add_options, chosen

if TYPE_CHECKING:
    from ..datasets import Dataset

SEED = 0
_OPTIONS: Table = {"out": {"metavar": "DIR"}, "plot": {"help": "make no picture"}}
SPECIES = "species"
READING = """\
How to read an interval. A rough, possibilistic or evidential clustering leaves open where some
flowers belong. The alpha-Rand interval runs from the agreement when each ambiguity counts as an
error (alpha = 1) to the agreement when it is forgiven (alpha = 0). A narrow interval means that
the ambiguity hardly matters, a wide one that the clustering says little. Hard and fuzzy
clusterings leave nothing open, so their interval is a point. For the partition dissimilarity,
small values mean alike.
"""


def add_demo(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command to its parser."""
    parser.description = ("Cluster the iris flowers by six algorithms, hard and soft, compare them "
                          "with the species and with each other.")
    add_options(parser, run_demo, _OPTIONS)
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    run_demo(**chosen(options, _OPTIONS))
    return 0


def run_demo(out: str = "demo-output", *, plot: bool = True) -> ComparisonMatrix:
    """Run the demo, and print its tables.

    Parameters
    ----------
    out : str
        Folder for the picture iris.png.
    plot : bool
        Make the picture.
    """
    start = time.perf_counter()
    from ..datasets import load_iris
    iris = load_iris()
    if plot:
        # Before the computation: report a missing matplotlib or an unwritable folder at once.
        from .. import plotting
        plotting.without_window()
        Path(out).mkdir(parents=True, exist_ok=True)
    progress = sys.stderr.isatty()
    sides = cluster_iris(iris)
    print(f"{iris.name}: {iris.data.shape[0]} flowers, {iris.data.shape[1]} measurements each, "
          f"{len(iris.label_names)} species ({iris.source})\n")
    hard = compare(Joint(sides[SPECIES], sides["k-means"]), names=(SPECIES, "k-means"),
                   progress=progress)
    print(hard.summary(), end="\n\n", flush=True)
    print(against_species(sides), end="\n\n", flush=True)
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

    from ..cluster import EvidentialCMeans, FuzzyCMeans, PossibilisticCMeans, RoughKMeans
    x = iris.data
    # With 150 flowers more threads only wait for each other, on a busy machine for minutes.
    with threadpool_limits(1):
        kmeans = KMeans(n_clusters=3, n_init=10, random_state=SEED).fit(x)
        mixture = GaussianMixture(n_components=3, n_init=5, random_state=SEED).fit(x)
        membership = mixture.predict_proba(x)
        # A smaller eta keeps the possibilistic centres apart; they do not repel each other.
        possibilistic = PossibilisticCMeans(3, eta_factor=0.1, random_state=SEED).fit(x)
        return {
            SPECIES: HardClustering(iris.labels, cluster_names=iris.label_names),
            "k-means": HardClustering(kmeans.labels_),
            "mixture": FuzzyClustering(membership),
            "rough k-means": RoughKMeans(3, random_state=SEED).fit(x).clustering_,
            "fuzzy c-means": FuzzyCMeans(3, random_state=SEED).fit(x).clustering_,
            "possibilistic": possibilistic.clustering_.normalize("maximum"),
            "evidential": EvidentialCMeans(3, alpha=2.0, random_state=SEED).fit(x).clustering_,
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
                     f"{clustering.empty_mass.mean():.4f}"])
    return SummaryTable(
        rows, ["", "kind", "alpha-Rand, 1/2", "alpha-Rand interval",
               "partition dissimilarity", "nonspecificity", "empty mass"],
        aligns="llrrrrr", title="Each clustering against the species",
        notes=["Typicalities of possibilistic c-means are divided by their largest value per row."])


def save_picture(matrix: ComparisonMatrix, path: Any) -> None:
    """Intervals against the species, the matrix, and the clusterings as circles."""
    from ..plotting import plot_against, plot_circles, plot_matrix, pyplot, save_figure
    figure = pyplot().figure(figsize=(14, 8.6), layout="constrained")
    grid = figure.add_gridspec(2, 2, width_ratios=(1, 1.45), height_ratios=(1, 1.5))
    plot_against(matrix, SPECIES, ax=figure.add_subplot(grid[0, 0]))
    plot_circles(matrix.mds(n_init=20, rng=SEED), ax=figure.add_subplot(grid[1, 0]))
    plot_matrix(matrix, ax=figure.add_subplot(grid[:, 1]))
    figure.suptitle("Clusterings of the iris flowers", fontsize=13, fontweight="bold")
    save_figure(figure, path)
