"""Draws the pictures of the README into docs/pictures: ``make pictures``."""

from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import softclust as sc
from softclust import plotting

FOLDER = Path(__file__).parent.parent / "docs" / "pictures"


def main() -> None:
    """One picture an algorithm, on the same 400 objects."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    x = sc.datasets.overlapping_gaussians(400, separation=4.0).data
    fits = {
        "rough_kmeans": sc.cluster.RoughKMeans(3, ratio=1.5, random_state=0),
        "fuzzy_cmeans": sc.cluster.FuzzyCMeans(3, random_state=0),
        "possibilistic_cmeans": sc.cluster.PossibilisticCMeans(3, eta_factor=0.5, random_state=0),
        "evidential_cmeans": sc.cluster.EvidentialCMeans(3, delta=3.0, random_state=0),
    }
    for name, estimator in fits.items():
        estimator.fit(x)
        ax = plotting.plot_objects(x, estimator.clustering_, centers=estimator.cluster_centers_)
        ax.set_title(type(estimator).__name__, loc="left", fontsize=10.5)
        path = FOLDER / f"{name}.png"
        plotting.save_figure(ax.figure, path, dpi=140)
        print(path.relative_to(FOLDER.parent.parent))


if __name__ == "__main__":
    main()
