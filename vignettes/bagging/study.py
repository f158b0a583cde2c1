"""The criteria of the paper over many fresh data sets of its kinds."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
from show import in_kernel
from sklearn.cluster import KMeans
from tqdm import tqdm

import softclust as sc

from .printed import K

#: replicates of k-means start from the base solution, which itself has one random start
WARM = {"init": "warm", "base_init": "random", "base_n_init": 1}


def clusterer(reading: str, **options: Any) -> Any:
    """The estimator of a reading of the paper: "warm", "default" or "BagClust1"."""
    if reading == "BagClust1":
        return sc.BaggedClustering(**options)
    return sc.BayesianBaggedClustering(**(WARM if reading == "warm" else {}), **options)


def entropies(number: int, reading: str, count: int, *, bar: Any = None) -> np.ndarray:
    """Mean entropy (nats) and largest pairwise entropy (bits), (count, K, 2), s = 1, w = 0.5."""
    found = np.empty((count, len(K), 2))
    with warnings.catch_warnings():
        # A base cluster of one object, an object that no replicate drew: both are rare here.
        warnings.simplefilter("ignore", sc.ResamplingWarning)
        for r in range(count):
            x = data(number, r)
            for j, k in enumerate(K):
                fit = clusterer(reading, n_clusters=k, random_state=r).fit(x)
                found[r, j] = fit.mean_entropy_ * math.log(2), fit.pairwise_entropy_.maximum
            if bar is not None:
                bar.update()
    return found


def silhouettes(number: int, count: int, *, features: int | None = None) -> np.ndarray:
    """Silhouettes (count, K) of k-means from one random start."""
    return np.array([sc.cluster_number(
        data(number, r)[:, :features], K, criterion="silhouette", rng=r,
        estimator=KMeans(init="random", n_init=1)).criterion[:, 0] for r in range(count)])


def gaps(number: int, count: int, *, features: int | None = None) -> np.ndarray:
    """Gap statistics (count, K) with distances to the power 1 and 50 reference sets."""
    return np.array([sc.cluster_number(
        data(number, r)[:, :features], K, criterion="gap", power=1, n_references=50,
        rng=r).criterion[:, 0] for r in range(count)])


def data(number: int, r: int) -> np.ndarray:
    """Draw r of a data set."""
    return sc.datasets.bbc_gaussians(number, rng=1000 * number + r).data


def progress(total: int, what: str, quiet: bool) -> Any:
    """A bar on the terminal; none in a kernel, whose pages show no messages."""
    return tqdm(total=total, desc=what, disable=quiet or in_kernel())


def iris_table(labels: np.ndarray) -> np.ndarray:
    """Species by cluster, clusters in the order of the species they match."""
    iris = sc.datasets.load_iris()
    clusters = sc.HardClustering(labels, n_clusters=3)
    renamed = sc.match_clusters(iris.labels, clusters, rng=0).permutation[labels]
    table = np.zeros((3, 3), dtype=int)
    np.add.at(table, (iris.labels, renamed), 1)
    return table


def iris_tables(scale: float, confidence: float, count: int) -> list[np.ndarray]:
    """Tables of `count` seeds with the defaults of softclust."""
    x = sc.datasets.load_iris().data
    return [iris_table(sc.BayesianBaggedClustering(
        3, scale=scale, prior_weight=confidence, random_state=seed).fit(x).labels_)
        for seed in range(count)]


def most_frequent(tables: list[np.ndarray]) -> np.ndarray:
    """The table that comes most often."""
    found, counts = np.unique(np.array(tables), axis=0, return_counts=True)
    return found[counts.argmax()]
