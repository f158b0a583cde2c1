"""Draws the pictures of the guide into docs/pictures as SVG: ``make pictures``."""

import argparse
import doctest
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")

from matplotlib import pyplot as plt
from scipy.cluster.hierarchy import linkage
from sklearn.cluster import AgglomerativeClustering, KMeans

import softclust as sc
from softclust import plotting
from softclust.plotting.figures import MARKERS, PALETTE, TEXT

FOLDER = Path(__file__).parent.parent / "docs" / "pictures"
#: the same bytes in every run, so that git sees changed pictures only
STYLE = {"svg.hashsalt": "softclust", "svg.fonttype": "path", "font.size": 10}


def first_look() -> Any:
    """The picture of the README: a fuzzy clustering and how it agrees with the species."""
    iris = sc.datasets.load_iris()
    fuzzy = sc.cluster.FuzzyCMeans(3, random_state=0).fit(iris.data)
    measures = ["fuzzy_rand_index", "fuzzy_adjusted_rand_index", "frobenius_adjusted_rand_index",
                "concordance_index", "adjusted_concordance_index", "euclidean_membership_index"]
    found = sc.compare(iris.labels, fuzzy, names=("species", "fuzzy c-means"), measures=measures,
                       ci="jackknife")
    figure, axes = plt.subplots(1, 2, figsize=(11, 3.9))
    plotting.plot_objects(iris.data[:, 2:], fuzzy.clustering_, ax=axes[0],
                          centers=fuzzy.cluster_centers_[:, 2:])
    axes[0].set_aspect("auto")
    axes[0].set(xlabel="petal length (cm)", ylabel="petal width (cm)", ylim=(0, 2.7))
    axes[0].set_title("iris flowers, clustered by fuzzy c-means", loc="left", fontsize=10.5)
    found.plot(axes[1])
    figure.tight_layout()
    return figure


def comparison() -> Any:
    """The table of the first page as a chart."""
    truth = ["a", "a", "a", "b", "b", "b"]
    found = [[0.9, 0.1], [1.0, 0.0], [0.6, 0.4], [0.2, 0.8], [0.0, 1.0], [0.0, 1.0]]
    return sc.compare(truth, found, names=("truth", "found")).plot().figure


def four_kinds() -> Any:
    """The same objects clustered by the four algorithms."""
    data = sc.datasets.overlapping_gaussians(300, separation=4.0).data
    # One start for all, so that each cluster has its colour everywhere.
    start = sc.cluster.FuzzyCMeans(3, random_state=0).fit(data).cluster_centers_
    fits = {
        "hard: the most plausible cluster": sc.cluster.FuzzyCMeans(3, init=start),
        "rough: hollow objects may belong to several": sc.cluster.RoughKMeans(
            3, ratio=1.5, init=start),
        "fuzzy: colours mix in shares": sc.cluster.FuzzyCMeans(3, init=start),
        "evidential: pale objects and crosses are far from all": sc.cluster.EvidentialCMeans(
            3, delta=1.7, init=start),
    }
    figure, axes = plt.subplots(2, 2, figsize=(9, 7.4))
    for ax, (title, estimator) in zip(axes.flat, fits.items()):
        estimator.fit(data)
        clustering = estimator.clustering_
        if title.startswith("hard"):
            clustering = clustering.harden()
        plotting.plot_objects(data, clustering, centers=estimator.cluster_centers_, ax=ax)
        ax.set_title(title, loc="left", fontsize=10.5)
        ax.set(xlabel="", ylabel="", xticks=[], yticks=[])
        if ax.get_legend() is not None:
            ax.get_legend().remove()
    figure.tight_layout()
    return figure


def compare_many() -> Any:
    """The matrix and the map of six clusterings."""
    iris = sc.datasets.load_iris()
    several = {
        "species": iris.labels,
        "k-means": KMeans(3, n_init=10, random_state=0).fit(iris.data),
        "average": AgglomerativeClustering(3, linkage="average").fit(iris.data),
        "single": AgglomerativeClustering(3, linkage="single").fit(iris.data),
        "fuzzy": sc.cluster.FuzzyCMeans(3, random_state=0).fit(iris.data),
        "rough": sc.cluster.RoughKMeans(3, ratio=1.5, random_state=0).fit(iris.data),
    }
    matrix = sc.compare_all(several)
    figure, axes = plt.subplots(1, 2, figsize=(11, 4.8))
    matrix.plot(ax=axes[0])
    matrix.mds(rng=0).plot(ax=axes[1])
    figure.tight_layout()
    return figure


def alpha_curve() -> Any:
    """The alpha-Rand index of the truth with a fuzzy, a rough and an evidential clustering."""
    truth = [0, 0, 0, 1, 1, 1]
    several = {
        "fuzzy: a point": sc.FuzzyClustering(
            [[1, 0], [1, 0], [0.5, 0.5], [0.5, 0.5], [0, 1], [0, 1]]),
        "rough: open between 0.4 and 1": sc.RoughClustering.from_upper(
            [[1, 0], [1, 0], [1, 1], [1, 1], [0, 1], [0, 1]]),
        "evidential: some mass on no cluster": sc.EvidentialClustering.from_dicts(
            [{0: 1}, {0: 1}, {0: 0.4, (0, 1): 0.6}, {(0, 1): 1}, {1: 1}, {1: 0.4, (): 0.6}]),
    }
    figure, ax = plt.subplots(figsize=(7, 3.6))
    alphas = [i / 10 for i in range(11)]
    for (name, x), colour, marker in zip(several.items(), PALETTE, MARKERS):
        values = [sc.alpha_rand_index(truth, x, alpha=a) for a in alphas]
        ax.plot(alphas, values, color=colour, marker=marker, markersize=5, lw=1.8, label=name,
                clip_on=False, zorder=3)
    ax.set(xlim=(0, 1), ylim=(0.3, 1.02), ylabel="alpha-Rand index with the truth",
           xlabel="alpha: ambiguity forgiven (0) or counted as error (1)")
    ax.legend(frameon=False, loc="lower left")
    tidy(ax)
    return figure


def cluster_number() -> Any:
    """Both views of a choice of the number of clusters."""
    x = sc.datasets.bbc_gaussians(1, rng=1).data
    found = sc.cluster_number(x, range(2, 7), scale=(1.0, 3.0), n_resamples=500, race=False,
                              rng=0)
    figure, axes = plt.subplots(1, 2, figsize=(10, 4))
    found.plot(axes[0])
    found.plot(axes[1], kind="taxonomy")
    axes[1].set_ylim(bottom=-0.05)   # room for the word in the corner
    figure.tight_layout()
    return figure


def pair_roc() -> Any:
    """Two linkages of the iris flowers."""
    iris = sc.datasets.load_iris()
    curves = {method: sc.pair_roc(iris.labels, linkage(iris.data, method))
              for method in ("average", "single")}
    figure, axes = plt.subplots(1, 2, figsize=(10, 4.6))
    plotting.plot_roc(curves, ax=axes[0])
    plotting.plot_roc_errors(curves, ax=axes[1])
    figure.tight_layout()
    return figure


def simplex() -> Any:
    """Memberships of bagged clusterings, each corner a cluster."""
    x = sc.datasets.bbc_gaussians(3, rng=1).data
    bagged = sc.BaggedClustering(n_clusters=3, n_resamples=500, random_state=0).fit(x)
    return plotting.plot_simplex(bagged.clustering_).figure


def stability() -> Any:
    """Four clusters of wines: which come back, and how often pairs are together."""
    from sklearn.cluster import KMeans
    from sklearn.datasets import load_wine
    from sklearn.preprocessing import StandardScaler
    x = StandardScaler().fit_transform(load_wine().data)
    kmeans = KMeans(4, n_init=5, random_state=0)
    reference = kmeans.fit(x).labels_
    runs = sc.resampled_clusterings(x, kmeans, n_resamples=50, rng=0)
    figure, axes = plt.subplots(1, 2, figsize=(10, 4), width_ratios=(1, 1.15))
    sc.cluster_stability(reference, runs).plot(axes[0])
    sc.coassociation(runs).plot(axes[1], kind="matrix", order=reference)
    figure.tight_layout()
    return figure


def posterior() -> Any:
    """The galaxies of the page on posterior samples; its sampler runs from there."""
    page = (FOLDER.parent / "posterior-samples.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    names: dict[str, Any] = {}
    for example in doctest.DocTestParser().get_examples(blocks[0]):
        exec(example.source, names)
    found = sc.posterior_partition(names["draws"], rng=0)
    figure, axes = plt.subplots(1, 2, figsize=(11, 4.0), width_ratios=(1, 1.45))
    found.plot("matrix", ax=axes[0])
    found.plot("objects", ax=axes[1])
    figure.tight_layout()
    return figure


def noise_policies() -> Any:
    """What HDBSCAN's noise does to the adjusted Rand index, by policy and over all completions."""
    from sklearn.cluster import HDBSCAN
    from sklearn.datasets import make_blobs, make_moons
    sets = {"three blobs": make_blobs(1000, centers=[[-4, 0], [0, 4], [4, 0]],
                                      cluster_std=[1, 1.5, 0.5], random_state=0),
            "two moons": make_moons(1000, noise=0.15, random_state=0)}
    figure, axes = plt.subplots(1, 2, figsize=(9.6, 4.0), sharey=True)
    steps = (5, 10, 25, 50, 100)
    for ax, (title, (x, truth)) in zip(axes, sets.items()):
        rows = []
        for min_samples in steps:
            fit = HDBSCAN(min_cluster_size=15, min_samples=min_samples, copy=True).fit(x)
            ends = sc.completion_bounds(truth, fit.labels_, noise_label=-1)
            rows.append([(fit.labels_ == -1).mean(), ends.low, ends.high,
                         *(sc.adjusted_rand_index(*sc.align(truth, fit, noise=rule))
                           for rule in ("drop", "cluster", "singletons"))])
        share, low, high, *policies = zip(*rows)
        places = range(len(steps))
        ax.fill_between(places, low, high, color="#E3E3E3", lw=0, label="all completions")
        for values, name, colour, mark, inside in zip(
                policies, ("drop", "cluster", "singletons"), (PALETTE[1], PALETTE[0], PALETTE[2]),
                MARKERS, (False, False, True)):
            ax.plot(places, values, marker=mark, color=colour, label=name, lw=1.4,
                    ms=4.5 if inside else 8, mfc="white" if inside else colour,
                    ls="--" if inside else "-")
        ax.set_xticks(places, [f"{k}\n{v:.0%}" for k, v in zip(steps, share)])
        ax.set(xlabel="min_samples, and share of noise", ylim=(0, 1.02))
        ax.set_title(title, loc="left", fontsize=10.5)
        tidy(ax)
    axes[0].set_ylabel("adjusted Rand index with the truth")
    axes[0].legend(frameon=False, fontsize=9, loc="lower left")
    figure.tight_layout()
    return figure


def tidy(ax: Any) -> None:
    """Axes as the charts of the package have them."""
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    ax.tick_params(colors=TEXT)


PICTURES: tuple[Callable[[], Any], ...] = (
    first_look, comparison, four_kinds, compare_many, alpha_curve, cluster_number, pair_roc,
    simplex, stability, posterior, noise_policies)


def main() -> None:
    """All pictures; ``--png FOLDER`` writes them there as PNG, too."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--png", type=Path, help="a folder for the same pictures as PNG")
    parser.add_argument("names", nargs="*", help="these pictures only")
    options = parser.parse_args()
    FOLDER.mkdir(parents=True, exist_ok=True)
    with matplotlib.rc_context(STYLE):
        for draw in PICTURES:
            if options.names and draw.__name__ not in options.names:
                continue
            figure = draw()
            path = FOLDER / f"{draw.__name__}.svg"
            figure.savefig(path, bbox_inches="tight", metadata={"Date": None})
            if options.png:   # to look at them
                figure.savefig(options.png / f"{draw.__name__}.png", bbox_inches="tight", dpi=80)
            plt.close(figure)
            print(path.relative_to(FOLDER.parent.parent))


if __name__ == "__main__":
    main()
