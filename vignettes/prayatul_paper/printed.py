"""Values printed in the tables of the paper, and its clusterings as far as they are known."""

from __future__ import annotations

import itertools
import json
from typing import Any

import numpy as np
from show import GOLDEN

#: name in Table I, name of softclust, symbol of softclust
MEASURES = {"σ": "comparative_deviation", "α": "polarization", "ξc": "comparative_rightness",
            "ξe": "effective_rightness", "φ": "effective_superiority"}
DATA = {"NC": "Noisy Circles", "NM": "Noisy Moons", "NS": "Aniso"}
ALGORITHMS = ("BIRCH", "DBSCAN", "KMeans", "Spectral")

#: primary, alternative, data set, then the five measures
_TABLE_I = """
BIRCH DBSCAN NC -1 .5028 .5028 .0055 .0055
BIRCH DBSCAN NM -1 .8252 .8252 .6505 .6505
BIRCH DBSCAN NS -.9068 .7981 .8005 .6009 .6002
BIRCH KMeans NC .0062 .2538 .6695 .3389 .2545
BIRCH KMeans NM .5565 .6829 .9622 .9244 .7928
BIRCH KMeans NS -.1785 .6962 .8915 .7829 .7021
BIRCH Spectral NC -1 .5028 .5028 .0055 .0055
BIRCH Spectral NM -1 .8252 .8252 .6505 .6505
BIRCH Spectral NS -.9396 .7869 .8095 .6190 .6113
DBSCAN BIRCH NC 1 1 1 1 1
DBSCAN BIRCH NM 1 1 1 1 1
DBSCAN BIRCH NS .9068 .9877 .9902 .9805 .9792
DBSCAN KMeans NC 1 1 1 1 1
DBSCAN KMeans NM 1 1 1 1 1
DBSCAN KMeans NS .8976 .9871 .9909 .9817 .9798
DBSCAN Spectral NC 0 1 1 1 1
DBSCAN Spectral NM 0 1 1 1 1
DBSCAN Spectral NS .2639 .9881 .9899 .9797 .9788
KMeans BIRCH NC -.0062 .2507 .6653 .3307 .2483
KMeans BIRCH NM -.5565 .6016 .8674 .7347 .6301
KMeans BIRCH NS .1785 .7257 .9243 .8487 .7611
KMeans DBSCAN NC -1 .4997 .4997 -.0007 -.0007
KMeans DBSCAN NM -1 .7439 .7439 .4878 .4878
KMeans DBSCAN NS -.8976 .8270 .8305 .6609 .6597
KMeans Spectral NC -1 .4997 .4997 -.0007 -.0007
KMeans Spectral NM -1 .7439 .7439 .4878 .4878
KMeans Spectral NS -.9474 .8149 .8407 .6815 .6719
Spectral BIRCH NC 1 1 1 1 1
Spectral BIRCH NM 1 1 1 1 1
Spectral BIRCH NS .9396 .9693 .9941 .9881 .9758
Spectral KMeans NC 1 1 1 1 1
Spectral KMeans NM 1 1 1 1 1
Spectral KMeans NS .9479 .9676 .9956 .9913 .9774
Spectral DBSCAN NC 0 1 1 1 1
Spectral DBSCAN NM 0 1 1 1 1
Spectral DBSCAN NS -.2639 .9808 .9826 .9652 .9643
"""
TABLE_I = {tuple(line.split()[:3]): tuple(map(float, line.split()[3:]))
           for line in _TABLE_I.strip().splitlines()}
#: the cell that contradicts the opposite row
MISPRINT = ("Spectral", "KMeans", "NS", "σ")

#: accuracy, precision, recall on Noisy Circles, Noisy Moons, Aniso
TABLE_II = {
    "BIRCH": ((.5393, .5417, .5107), (.0967, .0129, .0107), (.1947, .1361, .1947)),
    "DBSCAN": ((1, 1, 1), (0, 0, 0), (.3253, .2, .3253)),
    "KMeans": ((.5, .5, .5013), (.8493, .8447, .8560), (.25, .2520, .25)),
    "Spectral": ((0, 0, 0), (0, 0, 0), (.3467, .3455, .3467)),
}
#: objects of (truth, KMeans) on Noisy Circles: the only integers that Table II leaves
KMEANS_COUNTS = np.array([[374, 376], [374, 376]])
#: objects that BIRCH and this KMeans both put into their cluster 0: the one free number
KMEANS_SHARED = 381


def stored(data: str) -> dict[str, np.ndarray]:
    """Labels of the truth and of the clusterings of one data set; -1 is DBSCAN's noise.

    They follow from the recipe in the page. KMeans on the circles is the nearest run that was
    found (MiniBatchKMeans, seed 189), not the author's.
    """
    with open(GOLDEN / "prayatul.json", encoding="utf-8") as file:
        items = {item["id"]: item for item in json.load(file)["items"]}
    with open(GOLDEN / "prayatul-labels.json", encoding="utf-8") as file:
        others = json.load(file)["labels"]
    found = items[f"table1-{data}"]["input"]["labels"] | others[data]
    return {name: np.array([-1 if c == "n" else int(c) for c in found[name]])
            for name in ("truth", *ALGORITHMS)}


def implied_kmeans(truth: np.ndarray, birch: np.ndarray) -> np.ndarray:
    """Labels of KMeans on the circles with `KMEANS_COUNTS` and `KMEANS_SHARED`."""
    found = np.ones_like(truth)
    shared = KMEANS_SHARED
    for label in (0, 1):
        inside, outside = (np.flatnonzero((truth == label) & (birch == b)) for b in (0, 1))
        # as many of the shared objects as this class can take, the rest from the other
        most = min(KMEANS_COUNTS[label, 0], shared if label else shared // 2)
        found[inside[:most]] = 0
        found[outside[:KMEANS_COUNTS[label, 0] - most]] = 0
        shared -= most
    return found


def scores(truth: np.ndarray, found: np.ndarray, binary: bool) -> tuple[float, float, float]:
    """Accuracy, precision, recall of raw labels.

    Binary: of class 1. Otherwise precision is the mean over all labels, recall weighs classes by
    size; that reproduces Table II.
    """
    classes = np.union1d(truth, found)
    hits = {k: np.count_nonzero((truth == k) & (found == k)) for k in classes}
    precision = {k: hits[k] / max(1, np.count_nonzero(found == k)) for k in classes}
    recall = {k: hits[k] / max(1, np.count_nonzero(truth == k)) for k in classes}
    accuracy = float(np.mean(truth == found))
    if binary:
        return accuracy, precision[1], recall[1]
    weighted = sum(recall[k] * np.count_nonzero(truth == k) for k in classes) / len(truth)
    return accuracy, float(np.mean(list(precision.values()))), float(weighted)


def relabelled(truth: np.ndarray, found: np.ndarray, printed: Any, binary: bool) -> np.ndarray:
    """`found` with the names of its clusters that fit the printed scores best."""
    clusters = np.unique(found)
    codes = np.searchsorted(clusters, found)
    return min((np.array(order)[codes] for order in itertools.permutations(clusters)),
               key=lambda labels: max(abs(a - b) for a, b in zip(
                   scores(truth, labels, binary), printed)))
