"""A hard or rough side against a random one: what is fixed and what is random."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .problem import Problem

#: algorithms that list sets of labels, permutations of labels
MAX_SET_LABELS = 8
MAX_ORDER_LABELS = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """Each object's fixed and random part, labels renumbered within each side.

    Attributes
    ----------
    fixed : (n,) int64
        Which of `fixed_masks` each object has.
    fixed_sets, random_sets : (G, c1), (f, c2) bool
        Sets of labels.
    mass : (n, f) float64
        Probabilities of the random sets.
    n_labels : int
        Labels of the side that uses more.
    hard : str
        Which part is always a single label: "fixed", "random", "both" or "".
    """

    fixed: np.ndarray
    fixed_sets: np.ndarray
    random_sets: np.ndarray
    mass: np.ndarray
    n_labels: int
    hard: str

    @property
    def n(self) -> int:
        return int(self.fixed.shape[0])

    @property
    def fixed_masks(self) -> np.ndarray:
        """The fixed sets as bit masks, (G,) int64; at most 62 labels."""
        return as_masks(self.fixed_sets)

    @property
    def random_masks(self) -> np.ndarray:
        """The random sets as bit masks, (f,) int64; at most 62 labels."""
        return as_masks(self.random_sets)


def parts_of(problem: Problem) -> Parts:
    """The parts of a problem whose first side is hard or rough; kept."""
    return problem.kept("parts", lambda: _parts(problem))


def _parts(problem: Problem) -> Parts:
    used, fixed = np.unique(problem.x.code, return_inverse=True)
    fixed_sets, random_sets = (sets[:, sets.any(axis=0)]
                               for sets in (problem.x.sets[used], problem.y.sets))
    hard = {(True, True): "both", (True, False): "fixed", (False, True): "random",
            (False, False): ""}[problem.x.kind == "hard", problem.y.kind == "fuzzy"]
    return Parts(fixed=np.ascontiguousarray(fixed.reshape(-1).astype(np.int64)),
                 fixed_sets=fixed_sets, random_sets=random_sets, mass=problem.y.mass,
                 n_labels=max(fixed_sets.shape[1], random_sets.shape[1]), hard=hard)


def as_masks(sets: np.ndarray) -> np.ndarray:
    """Rows of booleans as bit masks; at most 62 columns."""
    return (sets.astype(np.int64) << np.arange(sets.shape[1], dtype=np.int64)).sum(axis=1)


def used_labels(problem: Problem) -> int:
    """Labels of the side that uses more (cheaper than `parts_of`, any number of labels)."""
    return problem.kept("used labels", lambda: max(
        int(problem.x.sets[np.unique(problem.x.code)].any(axis=0).sum()),
        int(problem.y.sets.any(axis=0).sum())))


def few_labels(problem: Problem, most: int) -> str:
    """"" or why an algorithm that lists something of the labels does not fit."""
    c = used_labels(problem)
    return "" if c <= most else f"{c} labels; at most {most}"


def group_mass(parts: Parts) -> np.ndarray:
    """Mass by fixed and random set, (G, f)."""
    return np.stack([np.bincount(parts.fixed, parts.mass[:, k], len(parts.fixed_sets))
                     for k in range(len(parts.random_sets))], axis=1)
