"""``softclust demo``: the iris flowers, clustered hard and soft, compared with the species."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ._joint import Joint
from .clusterings import Clustering, FuzzyClustering, HardClustering, RoughClustering
from .comparison import Comparison, compare

if TYPE_CHECKING:
    from .datasets import Dataset

#: a cluster is possible for a flower from this membership on
POSSIBLE = 0.05
SEED = 0

READING = f"""\
How to read an interval. In the rough clustering a flower may belong to every cluster in which
its membership of the mixture is at least {POSSIBLE}; {{ambiguous}} of {{n}} flowers have several
such clusters. The alpha-Rand interval runs from the agreement when each ambiguity counts as an
error (alpha = 1) to the agreement when it is forgiven (alpha = 0): narrow means that the
ambiguity hardly matters. A fuzzy clustering against a hard or a fuzzy one leaves nothing open:
its interval is a point.
"""


def run_demo(out: str, *, plot: bool = True) -> list[Comparison]:
    """Run the demo, print its tables and save ``iris.png`` in the folder `out`."""
    start = time.perf_counter()
    from .datasets import load_iris
    iris = load_iris()
    if plot:
        # Before the work: a missing matplotlib or an unwritable folder is said at once.
        from . import plotting
        plotting.without_window()
        Path(out).mkdir(parents=True, exist_ok=True)
    sides = cluster_iris(iris)
    print(f"{iris.name}: {iris.data.shape[0]} flowers, {iris.data.shape[1]} lengths, "
          f"{len(iris.label_names)} species ({iris.source})\n")
    results = []
    for a, b in PAIRS:
        result = compare(Joint(sides[a], sides[b]), names=(a, b),
                         progress=sys.stderr.isatty())
        table = result.summary()
        if (a, b) != PAIRS[-1]:
            table.notes = list(result.notes)   # the explanations once, below the last table
        print(table, end="\n\n", flush=True)
        results.append(result)
    rough = sides["rough mixture"]
    assert isinstance(rough, RoughClustering)
    ambiguous = int((rough.upper.sum(axis=1) > 1).sum())
    print(READING.format(ambiguous=ambiguous, n=rough.n_objects))
    if plot:
        path = Path(out) / "iris.png"
        save_picture(results, path)
        print(f"picture: {path}")
    print(f"done in {time.perf_counter() - start:.1f} s")
    return results


PAIRS = (("species", "k-means"), ("species", "mixture"), ("k-means", "mixture"),
         ("species", "rough mixture"))


def cluster_iris(iris: Dataset) -> dict[str, Clustering]:
    """The species and three clusterings of the flowers, by name."""
    from sklearn.cluster import KMeans
    from sklearn.mixture import GaussianMixture
    from threadpoolctl import threadpool_limits
    # On 150 flowers more threads only wait for each other, on a busy machine for minutes.
    with threadpool_limits(1):
        kmeans = KMeans(n_clusters=3, n_init=10, random_state=SEED).fit(iris.data)
        mixture = GaussianMixture(n_components=3, n_init=5, random_state=SEED).fit(iris.data)
        membership = mixture.predict_proba(iris.data)
    return {
        "species": HardClustering(iris.labels, cluster_names=iris.label_names),
        "k-means": HardClustering(kmeans.labels_),
        "mixture": FuzzyClustering(membership),
        "rough mixture": RoughClustering.from_upper(membership >= POSSIBLE),
    }


def save_picture(results: list[Comparison], path: Any) -> None:
    """All comparisons, one panel each, as a picture."""
    from .plotting import plot_comparisons, save_figure
    save_figure(plot_comparisons(results, title="Clusterings of the iris flowers"), path)
