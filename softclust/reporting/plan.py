"""Computations of a report, and their numbers of objects: fixed by options and sizes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from numbers import Integral
from typing import Any

import numpy as np

from .._checks import check_choice, shown
from . import words as w

#: key: title
ALGORITHMS = {"k-means": "k-means", "mixture": "Gaussian mixture", "fuzzy": "fuzzy c-means",
              "rough": "rough k-means", "evidential": "evidential c-means",
              "possibilistic": "possibilistic c-means"}
#: objects above which algorithms start less often, and most objects of all resamples together
MANY, RESAMPLED = 100_000, 10_000_000
#: objects above which the criteria make fewer starts, refits and reference sets: they take long
#: and change little
LARGE = 1000
#: the consensus of refits on resampled data
BAGGED, BAGGED_TITLE = "bagged", "bagged k-means"
#: features above which work that grows faster than their number is left out
WIDE = 500
#: features from which their first principal components, this many, stand for them in the test for
#: clusters and the criteria for their number; of 50 the tests would find clusters in noise too
#: often (p <= .05 in .38 of data sets), of 10 in .07 to .13: tests/benchmarks/components_level.py
FROM_COMPONENTS, COMPONENTS = 200, 10
#: groups of dependent rows, of which tests take one row each; fewer rows show next to nothing
LEAST_GROUPS = 30
#: numbers of clusters to choose from; up to one more than a label's groups if these are more, but
#: fewer than the second number
DEFAULT_CLUSTERS, LABEL_CLUSTERS = range(2, 7), 20
#: largest number of clusters that a report tries by itself
MOST_CLUSTERS = 20
#: a sample of every object
ALL = "all"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportPlan:
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
        For the number of clusters.
    wide : bool
        Whether there are more than `WIDE` features.
    n_criteria : int
        Objects on which the criteria for the number of clusters are computed.
    n_choice : int
        Objects on which numbers of clusters are compared by halves, at most `LARGE`.
    n_pairs : int
        Objects on which clusterings are compared with each other, pair by pair.
    n_drawn : int
        Objects in pictures.
    n_entropy, n_references, n_bagged : int
        Replicates of the entropy criterion, reference sets of the gap, replicates of bagging.
    n_starts : int
        Starts of each algorithm; the best is kept.
    n_evidence : int
        Data sets of one cluster with which the data are compared; 0 for too many features or too
        few groups.
    open_ended : bool
        Whether larger numbers of clusters are tried while the largest one is chosen.
    """

    candidates: tuple[int, ...]
    algorithms: tuple[str, ...]
    seed: int
    quick: bool
    pictures: bool
    criteria: tuple[str, ...]
    wide: bool
    n_criteria: int
    n_choice: int
    n_pairs: int
    n_drawn: int
    n_entropy: int
    n_references: int
    n_bagged: int
    n_starts: int
    n_evidence: int
    open_ended: bool = False

    def sample(self, n: int, size: int, stream: int) -> np.ndarray:
        """Rows of n drawn at random, in order; all when there are no more."""
        if size >= n:
            return np.arange(n)
        rng = np.random.default_rng([self.seed, stream])
        return np.sort(rng.choice(n, size, replace=False))


def make_plan(n: int, candidates: tuple[int, ...], *, algorithms: Iterable[str], seed: int,
              quick: bool, pictures: bool, sample_size: int | str | None = None,
              n_features: int = 1, n_groups: int | None = None,
              open_ended: bool = False) -> ReportPlan:
    """The plan for n objects; `sample_size` as checked, `n_groups` if rows depend on each other."""
    from ..selection.criteria import CRITERIA
    wide = n_features > WIDE
    # Pairs of objects cost n^2 times the focal sets of evidential c-means.
    few = quick or n > MANY
    pairs = 2000 if quick else (10_000 if max(candidates) <= 6 else 4000)
    criteria = 1000 if quick else 4000
    if sample_size is not None:
        criteria = pairs = n if sample_size == ALL else int(sample_size)
    short = quick or min(n, criteria) > LARGE
    return ReportPlan(
        candidates=candidates, algorithms=tuple(algorithms), seed=seed, quick=quick,
        pictures=pictures, wide=wide,
        criteria=tuple(c.name for c in CRITERIA.values() if c.in_report),
        n_criteria=min(n, criteria), n_choice=min(n, criteria, LARGE), n_pairs=min(n, pairs),
        n_drawn=min(n, 3000), n_entropy=40 if quick else 100 if short else 200,
        n_references=20 if quick else 25 if short else 50,
        n_bagged=50 if quick else max(50, min(200, RESAMPLED // n)), n_starts=3 if few else 10,
        n_evidence=0 if wide or (n_groups is not None and n_groups < LEAST_GROUPS) else
        39 if quick else 99, open_ended=open_ended)


def check_sample_size(size: Any, candidates: tuple[int, ...], dashes: bool) -> int | str | None:
    """None, "all", or an int larger than any number of clusters."""
    if size is None or (isinstance(size, str) and size == ALL):
        return size
    fewest = max(candidates) + 1
    if isinstance(size, bool) or not isinstance(size, Integral) or size < fewest:
        name = "--sample-size" if dashes else "sample_size"
        raise ValueError(f"{name} is {shown(size)}; a whole number >= {fewest} (more objects than "
                         f"clusters) or {ALL if dashes else repr(ALL)} is needed")
    return int(size)


def check_algorithms(keys: str | Iterable[str] | None) -> tuple[str, ...]:
    """Keys in the order of `ALGORITHMS`; k-means is always among them."""
    if keys is None:
        return tuple(ALGORITHMS)
    names = [keys] if isinstance(keys, str) else list(keys)
    for name in names:
        if name not in ALGORITHMS:
            near = get_close_matches(str(name), ALGORITHMS, n=1)
            if near:
                raise ValueError(f"algorithm {name!r} is not known; similar: {shown(near[0])}")
            check_choice("algorithms", name, ALGORITHMS)
    return tuple(key for key in ALGORITHMS if key in names or key == "k-means")


# -- the plane of the pictures, and in words what lies where in it --------------------------------
#: groups that an alternative text names
NAMED = 18


def principal(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Scores on the first two principal components, (n, 2), and their shares of variance.

    Signs are fixed: the largest weight of each component is positive. Of many features only the
    two components are computed, in time linear in n p.
    """
    centred = x - x.mean(axis=0)
    total = float((centred ** 2).sum()) / max(1, x.shape[0] - 1)
    if x.shape[1] > WIDE:
        from scipy.sparse.linalg import svds
        start = np.linspace(1.0, 2.0, min(centred.shape))
        _, values, rows = svds(centred, k=2, v0=start, return_singular_vectors="vh")
        order = np.argsort(values)
        values, vectors = values[order] ** 2 / max(1, x.shape[0] - 1), rows[order].T
    else:
        values, vectors = np.linalg.eigh(centred.T @ centred / max(1, x.shape[0] - 1))
    values, vectors = values[::-1][:2], vectors[:, ::-1][:, :2]
    largest = vectors[np.abs(vectors).argmax(axis=0), np.arange(vectors.shape[1])]
    vectors = vectors * np.where(largest < 0.0, -1.0, 1.0)
    scores = centred @ vectors[:, :2]
    if scores.shape[1] < 2:
        # A single feature: heights only keep points apart.
        heights = (np.arange(x.shape[0]) * 0.6180339887498949) % 1.0
        scores = np.column_stack([scores[:, 0], heights * np.ptp(scores[:, 0]) / 4])
    return scores, np.maximum(values, 0.0) / max(total, 1e-300)


def seen(labels: np.ndarray, names: Sequence[str]) -> str:
    """The groups of a scatter plot and their sizes, for alternative texts."""
    sizes = np.bincount(labels, minlength=len(names)).tolist()
    parts = [f"{name} ({w.many(size, 'object')})" for name, size in zip(names, sizes) if size]
    more = len(parts) - NAMED
    return "; ".join(parts[:NAMED]) + (f"; and {more} more" if more > 0 else "")
