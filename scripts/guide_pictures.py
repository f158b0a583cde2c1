"""Draws the pictures of the README and of the guide into docs/pictures: ``make pictures``."""

import argparse
import contextlib
import doctest
import io
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
from softclust.plotting.figures import MARKERS, PALETTE
from softclust.plotting.figures import STYLE as CHARTS

FOLDER = Path(__file__).parent.parent / "docs" / "pictures"
#: pictures by the names of their files
Figures = dict[str, Any]
#: the same bytes in every run, so that git sees changed pictures only
STYLE = CHARTS | {"svg.hashsalt": "softclust", "svg.fonttype": "path", "font.size": 10}


#: inches of a picture beside another one, or alone on a phone
HALF = (5.2, 4.0)


def first_look() -> Figures:
    """A fuzzy clustering, and how it agrees with the species."""
    iris = sc.datasets.load_iris()
    fuzzy = sc.cluster.FuzzyCMeans(3, random_state=0).fit(iris.data)
    measures = ["fuzzy_rand_index", "fuzzy_adjusted_rand_index", "frobenius_adjusted_rand_index",
                "concordance_index", "adjusted_concordance_index", "euclidean_membership_index"]
    result = sc.compare(iris.labels, fuzzy, names=("species", "fuzzy c-means"), measures=measures,
                       ci="jackknife")

    def flowers(ax: Any) -> None:
        plotting.plot_objects(iris.data[:, 2:], fuzzy.clustering_, ax=ax,
                              centers=fuzzy.cluster_centers_[:, 2:])
        ax.set_aspect("auto")
        ax.set(xlabel="petal length (cm)", ylabel="petal width (cm)", ylim=(0, 2.7))
        ax.set_title("iris flowers, clustered by fuzzy c-means")

    figure, axes = plt.subplots(1, 2, figsize=(11, 3.9))
    flowers(axes[0])
    result.plot(axes[1])
    return {"first_look": figure}


def comparison() -> Figures:
    """The table of the first page as a chart."""
    truth = ["a", "a", "a", "b", "b", "b"]
    fuzzy = [[0.9, 0.1], [1.0, 0.0], [0.6, 0.4], [0.2, 0.8], [0.0, 1.0], [0.0, 1.0]]
    figure, ax = plt.subplots(figsize=(6.4, 5.2), layout="constrained")
    sc.compare(truth, fuzzy, names=("truth", "fuzzy")).plot(ax)
    return {"comparison": figure}


def four_kinds() -> Figures:
    """The same objects clustered by the four algorithms."""
    data = sc.datasets.overlapping_gaussians(300, separation=4.0).data
    # One start for all, so that each cluster has its colour everywhere.
    start = sc.cluster.FuzzyCMeans(3, random_state=0).fit(data).cluster_centers_
    fits = {
        "hard: the most plausible cluster": sc.cluster.FuzzyCMeans(3, init=start),
        "rough: hollow may be in several": sc.cluster.RoughKMeans(
            3, ratio=1.5, init=start),
        "fuzzy: greyer is less certain": sc.cluster.FuzzyCMeans(3, init=start),
        "evidential: crosses are far from all": sc.cluster.EvidentialCMeans(
            3, delta=1.7, init=start),
    }
    figure, axes = plt.subplots(2, 2, figsize=(6.6, 5.6))
    for ax, (title, estimator) in zip(axes.flat, fits.items()):
        estimator.fit(data)
        clustering = estimator.clustering_
        if title.startswith("hard"):
            clustering = clustering.harden()
        plotting.plot_objects(data, clustering, centers=estimator.cluster_centers_, ax=ax)
        ax.set_title(title)
        ax.set(xlabel="", ylabel="", xticks=[], yticks=[])
        if ax.get_legend() is not None:
            ax.get_legend().remove()
    return {"four_kinds": figure}


def clusterers() -> Figures:
    """The same objects clustered by each of the estimators."""
    x = sc.datasets.overlapping_gaussians(400, separation=4.0).data
    fits = {
        "rough_kmeans": sc.cluster.RoughKMeans(3, ratio=1.5, random_state=0),
        "fuzzy_cmeans": sc.cluster.FuzzyCMeans(3, random_state=0),
        "possibilistic_cmeans": sc.cluster.PossibilisticCMeans(3, eta_factor=0.5, random_state=0),
        "evidential_cmeans": sc.cluster.EvidentialCMeans(3, delta=3.0, random_state=0),
    }
    figures = {}
    for name, estimator in fits.items():
        estimator.fit(x)
        ax = plotting.plot_objects(x, estimator.clustering_, centers=estimator.cluster_centers_)
        ax.set_title(type(estimator).__name__)
        figures[name] = ax.figure
    return figures


def compare_many() -> Figures:
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
    matrix = sc.compare_all(several, measure="alpha_rand_interval")
    circles = matrix.mds(rng=0)
    return halves(compare_many=lambda ax: matrix.plot(ax=ax),
                  compare_many_map=lambda ax: circles.plot(ax=ax))


def alpha_curve() -> Figures:
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
    figure, ax = plt.subplots(figsize=(6.2, 3.6))
    alphas = [i / 10 for i in range(11)]
    for (name, x), colour, marker in zip(several.items(), PALETTE, MARKERS):
        values = [sc.alpha_rand_index(truth, x, alpha=a) for a in alphas]
        ax.plot(alphas, values, color=colour, marker=marker, markersize=5, lw=1.8, clip_on=False,
                zorder=3)
        shift = {"rough": 12, "evidential": -12}.get(name.partition(":")[0], 0)
        ax.annotate(name.replace(": ", ":\n"), (1.0, values[-1]), (8, shift), color=colour,
                    va="center", textcoords="offset points", fontsize="small",
                    annotation_clip=False)
    ax.set(xlim=(0, 1), ylim=(0.3, 1.02), ylabel="alpha-Rand index with the truth",
           xlabel="alpha: ambiguity forgiven (0) or counted as error (1)")
    return {"alpha_curve": figure}


def cluster_test() -> Figures:
    """Separation of iris over that of flat data."""
    test = sc.cluster_test(sc.datasets.load_iris().data, rng=0)
    return {"cluster_test": test.plot().figure}


def separation() -> Figures:
    """Which of the ten digits are apart."""
    from sklearn.datasets import load_digits
    from sklearn.decomposition import PCA
    digits = load_digits()
    x = PCA(20, random_state=0).fit_transform(digits.data)
    return {"separation": sc.separation_test(x, digits.target, rng=0).plot().figure}


def versions() -> Figures:
    """Runs of two versions of a pipeline."""
    from sklearn.cluster import KMeans
    x = sc.datasets.load_iris().data
    sides = [sc.resampled_clusterings(x, KMeans(k, n_init=1), scheme="rerun", n_resamples=10, rng=0)
             for k in (3, 4)]
    return {"versions": sc.compare_versions(*sides, paired=True).plot().figure}


def settings() -> Figures:
    """Excess stability of two to six clusters of wines."""
    from sklearn.cluster import KMeans
    from sklearn.datasets import load_wine
    from sklearn.preprocessing import scale
    found = sc.compare_settings(scale(load_wine().data), KMeans(), {"n_clusters": range(2, 7)},
                                rng=0)
    return {"settings": found.plot().figure}


def cohorts() -> Figures:
    """Agreement of two halves of the wines, between ceiling and floor."""
    from sklearn.cluster import KMeans
    from sklearn.datasets import load_wine
    from sklearn.preprocessing import scale
    x = load_wine().data
    found = sc.replicate({"first": scale(x[::2]), "second": scale(x[1::2])}, KMeans(3, n_init=10),
                         n_resamples=50, n_references=39, rng=0)
    return {"cohorts": found.plot().figure}


def cluster_number() -> Figures:
    """Both views of a choice of the number of clusters."""
    x = sc.datasets.bbc_gaussians(1, rng=1).data
    chosen = sc.cluster_number(x, range(2, 7), scale=(1.0, 3.0), n_resamples=500, race=False,
                              rng=0)
    return halves(cluster_number=chosen.plot,
                  cluster_number_taxonomy=lambda ax: chosen.plot(ax, kind="taxonomy"))


def chance() -> Figures:
    """k-means of the iris flowers against the species, and random tables."""
    iris = sc.datasets.load_iris()
    kmeans = KMeans(3, n_init=10, random_state=0).fit(iris.data)
    return halves(chance=sc.chance(iris.labels, kmeans, "adjusted_rand_index", rng=0).plot)


def report() -> None:
    """Two pictures of a report of the customers: report_clusters, report_stability."""
    made = sc.report(sc.datasets.customers_file(), label="segment", auto=True, quick=True, seed=0,
                     missing_values="median",
                     columns=["age", "orders", "basket", "returns", "discount", "channel"])
    for name in ("clusters:k-means", "stability"):
        path = FOLDER / f"report_{name.partition(':')[0]}.svg"
        svg = made.pictures[name]
        path.write_text(svg if "xmlns=" in svg else
                        svg.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1),
                        encoding="utf-8")
        print(path.relative_to(FOLDER.parent.parent))


def pair_roc() -> Figures:
    """Two linkages of the iris flowers."""
    iris = sc.datasets.load_iris()
    curves = {method: sc.pair_roc(iris.labels, linkage(iris.data, method))
              for method in ("average", "single")}
    # The first one is square: the second one gets the same width, and so the same size of text.
    figure, ax = plt.subplots(figsize=(4.0, 4.0), layout="constrained")
    plotting.plot_roc_errors(curves, ax=ax)
    return {**halves(pair_roc=lambda ax: plotting.plot_roc(curves, ax=ax)),
            "pair_roc_errors": figure}


def simplex() -> Figures:
    """Memberships of bagged clusterings, each corner a cluster."""
    x = sc.datasets.bbc_gaussians(3, rng=1).data
    bagged = sc.BaggedClustering(n_clusters=3, n_resamples=500, random_state=0).fit(x)
    return {"simplex": plotting.plot_simplex(bagged.clustering_).figure}


def stability() -> Figures:
    """Four clusters of wines: which come back, and how often pairs are together."""
    from sklearn.cluster import KMeans
    from sklearn.datasets import load_wine
    from sklearn.preprocessing import StandardScaler
    x = StandardScaler().fit_transform(load_wine().data)
    kmeans = KMeans(4, n_init=5, random_state=0)
    reference = kmeans.fit(x).labels_
    runs = sc.resampled_clusterings(x, kmeans, n_resamples=50, rng=0)
    clusters, pairs = sc.cluster_stability(reference, runs), sc.coassociation(runs)
    return halves(stability=clusters.plot,
                  stability_pairs=lambda ax: pairs.plot(ax, kind="matrix", order=reference))


def page(name: str, until: str) -> dict[str, Any]:
    """Variables of a page after the first block of code that contains a text."""
    text = (FOLDER.parent / f"{name}.md").read_text(encoding="utf-8")
    names: dict[str, Any] = {}
    for block in re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        with contextlib.redirect_stdout(io.StringIO()):
            for example in doctest.DocTestParser().get_examples(block):
                exec(example.source, names)
        if until in block:
            return names
    raise ValueError(f"no block of {name} contains {until}")


def customers() -> Figures:
    """The tutorial: its settings, marketing's segments, and how these and the clusters differ."""
    names = page("tutorial", "why = ")
    return halves(customers_settings=names["settings"].plot,
                  customers_separation=names["by_hand"].plot, customers_flow=names["why"].plot)


def coders() -> Figures:
    """Anna's codes and the clusters of a model."""
    return halves(coders_flow=page("coders-and-a-model", "why = ")["why"].plot)


def topics() -> Figures:
    """Agreement of eight fits of a topic model."""
    return halves(topics=page("topic-models", "agreement = ")["agreement"].plot)


def ranking() -> Figures:
    """The ranking of the page on rankings."""
    figure, ax = plt.subplots(figsize=(5.2, 2.4), layout="constrained")
    page("rank-clusterings", "ranking = ")["ranking"].plot(ax)
    return {"ranking": figure}


def explain() -> Figures:
    """The flow of objects of the page on disagreement."""
    return halves(explain=page("which-objects", "why = ")["why"].plot)


def trees() -> Figures:
    """The curve and the tanglegram of the page on trees."""
    names = page("comparing-trees", "orders = ")
    figure, ax = plt.subplots(figsize=(5.2, 5.2), layout="constrained")
    names["orders"].plot(ax)
    return {**halves(dendrogram_curve=names["curve"].plot), "tanglegram": figure}


def posterior() -> Figures:
    """The galaxies of the page on posterior samples; its sampler runs from there."""
    draws = page("posterior-samples", "draws = np.stack")["draws"]
    estimate = sc.posterior_partition(draws, rng=0)
    return halves(posterior=lambda ax: estimate.plot("matrix", ax=ax),
                  posterior_objects=lambda ax: estimate.plot("objects", ax=ax))


def noise_policies() -> Figures:
    """Effect of HDBSCAN's noise on the adjusted Rand index, by policy and over all completions."""
    from sklearn.cluster import HDBSCAN
    from sklearn.datasets import make_blobs, make_moons
    sets = {"three blobs": make_blobs(1000, centers=[[-4, 0], [0, 4], [4, 0]],
                                      cluster_std=[1, 1.5, 0.5], random_state=0),
            "two moons": make_moons(1000, noise=0.15, random_state=0)}
    steps = (5, 10, 25, 50, 100)

    def draw(ax: Any, title: str) -> None:
        x, truth = sets[title]
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
        ax.set(xlabel="min_samples, and share of noise", ylim=(0, 1.02),
               ylabel="adjusted Rand index with the truth")
        ax.set_title(title)
        ax.legend(loc="lower left")

    return halves(noise_policies=lambda ax: draw(ax, "three blobs"),
                  noise_policies_moons=lambda ax: draw(ax, "two moons"))


def halves(**drawn: Callable[[Any], Any]) -> Figures:
    """Two pictures that stand side by side on a desk and one below the other on a phone."""
    figures = {}
    for name, draw in drawn.items():
        figures[name], ax = plt.subplots(figsize=HALF, layout="constrained")
        draw(ax)
    return figures


PICTURES: tuple[Callable[[], Figures], ...] = (
    first_look, comparison, four_kinds, clusterers, compare_many, alpha_curve, cluster_test,
    separation, versions, cohorts, settings,
    cluster_number, chance, pair_roc, simplex, stability, customers, coders, topics, ranking,
    explain, trees, posterior, noise_policies)


def main() -> None:
    """All pictures; ``--png FOLDER`` writes them there as PNG, too."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--png", type=Path, help="a folder for the same pictures as PNG")
    parser.add_argument("names", nargs="*", help="these pictures only")
    options = parser.parse_args()
    FOLDER.mkdir(parents=True, exist_ok=True)
    if not options.names or "report" in options.names:
        report()
    with matplotlib.rc_context(STYLE):
        for draw in PICTURES:
            if options.names and draw.__name__ not in options.names:
                continue
            for name, figure in draw().items():
                path = FOLDER / f"{name}.svg"
                figure.savefig(path, bbox_inches="tight", metadata={"Date": None})
                if options.png:   # to look at them
                    figure.savefig(options.png / f"{name}.png", bbox_inches="tight", dpi=80)
                plt.close(figure)
                print(path.relative_to(FOLDER.parent.parent))


if __name__ == "__main__":
    main()
