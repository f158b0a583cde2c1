"""What a report computes, and on how many objects: fixed by options and sizes alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from numbers import Integral
from typing import Any

import numpy as np

from .._checks import check_choice, shown
from . import words as w

#: key: (title, what an object gets)
ALGORITHMS = {
    "k-means": ("k-means", "hard"),
    "mixture": ("Gaussian mixture", "fuzzy"),
    "fuzzy": ("fuzzy c-means", "fuzzy"),
    "rough": ("rough k-means", "rough"),
    "evidential": ("evidential c-means", "evidential"),
    "possibilistic": ("possibilistic c-means", "possibilistic"),
}
#: objects above which algorithms start less often, and most objects of all resamples together
MANY, RESAMPLED = 100_000, 10_000_000
#: objects above which the criteria make fewer starts, refits and reference sets: they take long
#: and change little
LARGE = 1000
#: criteria for the number of clusters
CRITERIA = ("silhouette", "gap", "entropy")
#: the consensus of refits on resampled data
BAGGED, BAGGED_TITLE = "bagged", "bagged k-means"
#: features above which work that grows faster than their number is left out
WIDE = 500
#: numbers of clusters to choose from; up to one more than a label's groups if these are more, but
#: fewer than the second number
DEFAULT_CLUSTERS, LABEL_CLUSTERS = range(2, 7), 20
#: a sample of every object
ALL = "all"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Options of a report and the sizes that follow from them.

    Attributes
    ----------
    candidates : tuple of int
        Numbers of clusters to choose from.
    algorithms : tuple of str
        Keys of `ALGORITHMS`.
    seed : int
    quick : bool
    pictures : bool
    criteria : tuple of str
        For the number of clusters, of `CRITERIA`.
    wide : bool
        Whether there are more than `WIDE` features.
    n_criteria : int
        Objects on which the criteria for the number of clusters are computed.
    n_pairs : int
        Objects on which clusterings are compared with each other, pair by pair.
    n_drawn : int
        Objects in pictures.
    n_entropy, n_references, n_bagged : int
        Replicates of the entropy criterion, reference sets of the gap, replicates of bagging.
    n_starts : int
        Starts of each algorithm; the best is kept.
    """

    candidates: tuple[int, ...]
    algorithms: tuple[str, ...]
    seed: int
    quick: bool
    pictures: bool
    criteria: tuple[str, ...]
    wide: bool
    n_criteria: int
    n_pairs: int
    n_drawn: int
    n_entropy: int
    n_references: int
    n_bagged: int
    n_starts: int


def make_plan(n: int, candidates: tuple[int, ...], *, algorithms: Iterable[str], seed: int,
              quick: bool, pictures: bool, sample_size: int | str | None = None,
              n_features: int = 1) -> Plan:
    """The plan for n objects; `sample_size` as checked."""
    wide = n_features > WIDE
    # Pairs of objects cost n^2 times the focal sets of evidential c-means.
    few = quick or n > MANY
    pairs = 2000 if quick else (10_000 if max(candidates) <= 6 else 4000)
    criteria = 1000 if quick else 4000
    if sample_size is not None:
        criteria = pairs = n if sample_size == ALL else int(sample_size)
    short = quick or min(n, criteria) > LARGE
    return Plan(
        candidates=candidates, algorithms=tuple(algorithms), seed=seed, quick=quick,
        pictures=pictures, wide=wide,
        # The prior of the entropy criterion has a matrix of features by features.
        criteria=tuple(c for c in CRITERIA if not (wide and c == "entropy")),
        n_criteria=min(n, criteria), n_pairs=min(n, pairs),
        n_drawn=min(n, 3000), n_entropy=40 if quick else 100 if short else 200,
        n_references=20 if quick else 25 if short else 50,
        n_bagged=50 if quick else max(50, min(200, RESAMPLED // n)), n_starts=3 if few else 10)


def check_sample_size(given: Any, candidates: tuple[int, ...], dashes: bool) -> int | str | None:
    """None, "all", or an int larger than any number of clusters."""
    if given is None or (isinstance(given, str) and given == ALL):
        return given
    least = max(candidates) + 1
    if isinstance(given, bool) or not isinstance(given, Integral) or given < least:
        name = "--sample-size" if dashes else "sample_size"
        raise ValueError(f"{name} is {shown(given)}; a whole number >= {least} (more objects than "
                         f"clusters) or {ALL if dashes else repr(ALL)} is needed")
    return int(given)


def check_algorithms(given: str | Iterable[str] | None) -> tuple[str, ...]:
    """Keys in the order of `ALGORITHMS`; k-means is always among them."""
    if given is None:
        return tuple(ALGORITHMS)
    names = [given] if isinstance(given, str) else list(given)
    for name in names:
        if name not in ALGORITHMS:
            near = get_close_matches(str(name), ALGORITHMS, n=1)
            if near:
                raise ValueError(f"algorithm {name!r} is not known; near: {shown(near[0])}")
            check_choice("algorithms", name, ALGORITHMS)
    return tuple(key for key in ALGORITHMS if key in names or key == "k-means")


# -- the plane of the pictures, and in words what lies where in it --------------------------------
#: groups up to which a text says where each lies
PLACED = 6
#: share of a group's objects nearer to another group from which on the two overlap
OVERLAP = 0.05


def principal(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Scores on the first two principal components, (n, 2), and their shares of variance.

    Signs are fixed: the largest weight of each component is positive. Of many features only the
    two components are computed, in time linear in n p.
    """
    centred = x - x.mean(axis=0)
    total = float((centred ** 2).sum()) / max(1, x.shape[0] - 1)
    values, vectors = (_leading(centred) if x.shape[1] > WIDE else
                       np.linalg.eigh(centred.T @ centred / max(1, x.shape[0] - 1)))
    values, vectors = values[::-1][:2], vectors[:, ::-1][:, :2]
    largest = vectors[np.abs(vectors).argmax(axis=0), np.arange(vectors.shape[1])]
    vectors = vectors * np.where(largest < 0.0, -1.0, 1.0)
    scores = centred @ vectors[:, :2]
    if scores.shape[1] < 2:
        # A single feature: heights only keep points apart.
        heights = (np.arange(x.shape[0]) * 0.6180339887498949) % 1.0
        scores = np.column_stack([scores[:, 0], heights * np.ptp(scores[:, 0]) / 4])
    return scores, np.maximum(values, 0.0) / max(total, 1e-300)


def _leading(centred: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The two largest eigenvalues of the covariance, the largest last, and their vectors."""
    from scipy.sparse.linalg import svds
    start = np.linspace(1.0, 2.0, min(centred.shape))
    _, values, rows = svds(centred, k=2, v0=start, return_singular_vectors="vh")
    order = np.argsort(values)
    return values[order] ** 2 / max(1, centred.shape[0] - 1), rows[order].T


def seen(points: np.ndarray, labels: np.ndarray, names: Sequence[str]) -> str:
    """Where groups lie in a scatter plot and which of them overlap there, for alternative texts."""
    sizes = np.bincount(labels, minlength=len(names))
    present = [k for k in range(len(names)) if sizes[k]]
    groups = {k: points[labels == k] for k in present}
    places = {}
    if len(present) <= PLACED:
        low, high = np.quantile(points, (0.02, 0.98), axis=0)
        places = {k: f", {_place(own, low, high)}" for k, own in groups.items()}
    text = "; ".join(f"{names[k]} ({w.many(int(sizes[k]), 'object')}{places.get(k, '')})"
                     for k in present[:3 * PLACED])
    if len(present) > 3 * PLACED:
        text += f"; and {len(present) - 3 * PLACED} more"
    if len(present) < 2:
        return text
    largest = float(np.abs(points).max())
    pairs = [(a, b) for i, a in enumerate(present) for b in present[i + 1:]
             if _overlap(groups[a], groups[b], largest)]
    if not pairs:
        return f"{text}; they lie apart"
    if len(pairs) > 3:
        every = len(present) * (len(present) - 1) // 2
        return f"{text}; {len(pairs)} of {every} pairs overlap" if len(pairs) < every else (
            f"{text}; all overlap")
    return f"{text}; " + "; ".join(f"{names[a]} and {names[b]} overlap" for a, b in pairs)


def _place(own: np.ndarray, low: np.ndarray, high: np.ndarray) -> str:
    """Left, upper middle, ..., of the middle of some points in a frame."""
    at = (np.median(own, axis=0) - low) / np.maximum(high - low, 1e-300)
    across, up = (int(v > 1 / 3) + int(v > 2 / 3) for v in at)
    beside = ("left", "middle", "right")[across]
    return beside if up == 1 else f"{('lower', '', 'upper')[up]} {beside}"


def _overlap(a: np.ndarray, b: np.ndarray, largest: float) -> bool:
    """Whether a line between the means of two groups leaves objects on the wrong side.

    `largest` is the largest coordinate, the scale of rounding.
    """
    means = a.mean(axis=0), b.mean(axis=0)
    within = sum(((g - m).T @ (g - m) for g, m in zip((a, b), means)),
                 start=np.eye(2) * 1e-12 * max(1.0, largest ** 2))
    across = np.linalg.solve(within, means[1] - means[0])
    middle = (means[0] + means[1]) @ across / 2
    wrong = max(float((a @ across > middle).mean()), float((b @ across < middle).mean()))
    return wrong >= OVERLAP
