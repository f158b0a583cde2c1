"""A fixed suite of pairs of clusterings for the algorithms of transport, all kinds and sizes."""

from __future__ import annotations

from typing import Any

import numpy as np

import softclust as sc

#: (objects, labels, how diffuse memberships are, share of objects with open labels)
SIZES = {
    ("hard", "hard"): [(150, 3, 0, 0)],
    ("hard", "fuzzy"): [(8, 5, 1.0, 0), (20, 4, 1.0, 0), (40, 4, 1.0, 0), (150, 2, 1.0, 0),
                        (150, 3, 1.0, 0), (150, 3, 0.2, 0), (150, 8, 0.3, 0),
                        (600, 3, 1.0, 0), (1000, 6, 0.3, 0),
                        (1000, 12, 0.2, 0), (5000, 3, 0.3, 0), (20_000, 2, 1.0, 0),
                        (200_000, 3, 0.2, 0),
                        (1000, 80, 0.2, 0)],
    ("hard", "rough"): [(150, 3, 0, 0.3), (60, 5, 0, 0.5), (150, 4, 0, 0.3), (300, 8, 0, 0.2),
                        (10_000, 3, 0, 0.3), (400, 40, 0, 0.1)],
    ("rough", "rough"): [(150, 2, 0, 0.4), (12, 3, 0, 0.5), (30, 3, 0, 0.4), (60, 4, 0, 0.2),
                         (150, 3, 0, 0.3), (2000, 3, 0, 0.2), (200, 7, 0, 0.1)],
    ("hard", "evidential"): [(6, 3, 1.0, 0), (150, 2, 1.0, 0), (400, 2, 0.3, 0),
                             (150, 3, 0.3, 0), (150, 3, 1.0, 0), (60, 5, 0.3, 0),
                             (1000, 3, 0.3, 0)],
    ("rough", "fuzzy"): [(7, 3, 1.0, 0.4), (150, 2, 1.0, 0.4), (150, 3, 0.3, 0.2),
                         (150, 3, 1.0, 0.3), (60, 5, 0.3, 0.3), (1000, 3, 0.3, 0.2)],
    ("rough", "evidential"): [(4, 3, 1.0, 0.4), (60, 2, 1.0, 0.4), (150, 3, 0.3, 0.2),
                              (60, 3, 1.0, 0.4), (40, 4, 0.3, 0.3), (500, 3, 0.3, 0.2)],
    ("fuzzy", "fuzzy"): [(6, 3, 1.0, 0), (150, 2, 1.0, 0), (150, 3, 0.2, 0), (150, 3, 1.0, 0),
                         (40, 5, 0.3, 0), (3000, 2, 0.5, 0), (60, 8, 0.2, 0)],
    ("fuzzy", "evidential"): [(4, 3, 1.0, 0), (150, 2, 0.3, 0), (150, 3, 0.2, 0),
                              (60, 3, 1.0, 0), (30, 4, 0.3, 0), (1000, 3, 0.2, 0)],
    ("evidential", "evidential"): [(4, 3, 1.0, 0), (150, 2, 0.3, 0), (150, 3, 0.2, 0),
                                   (40, 3, 1.0, 0), (30, 4, 0.3, 0), (1000, 3, 0.2, 0)],
}
#: the same without any relation of the two sides
UNRELATED = {
    ("hard", "fuzzy"): [(150, 2, 1.0, 0), (20_000, 2, 1.0, 0), (400, 3, 1.0, 0), (60, 6, 1.0, 0)],
    ("hard", "rough"): [(60, 5, 0, 0.7)],
    ("hard", "evidential"): [(100, 3, 0.3, 0)],
    ("rough", "rough"): [(60, 3, 0, 0.2)],
    ("rough", "fuzzy"): [(100, 3, 0.3, 0.2)],
    ("rough", "evidential"): [(100, 3, 0.3, 0.2)],
    ("fuzzy", "fuzzy"): [(150, 2, 1.0, 0), (3000, 2, 1.0, 0), (100, 3, 0.3, 0)],
    ("fuzzy", "evidential"): [(100, 3, 0.3, 0)],
    ("evidential", "evidential"): [(100, 3, 0.3, 0)],
}


def suite() -> dict[str, tuple[Any, Any]]:
    """Pairs by name; the same in every run."""
    pairs = {}
    for (first, second), sizes in SIZES.items():
        for size in sizes:
            rng = np.random.default_rng([*map(ord, first[0] + second[0]), size[0], size[1]])
            truth = rng.integers(size[1], size=size[0])
            x, y = _side(first, truth, size, rng), _side(second, truth, size, rng)
            pairs[f"{first}, {second}: n = {size[0]}, c = {size[1]}, "
                  f"{size[2] or size[3]:g} diffuse"] = (x, y)
    for (first, second), sizes in UNRELATED.items():
        for size in sizes:
            rng = np.random.default_rng([*map(ord, first[0] + second[0]), size[0], size[1], 1])
            truth = rng.integers(size[1], size=(2, size[0]))
            pairs[f"{first}, {second}: n = {size[0]}, c = {size[1]}, unrelated"] = (
                _side(first, truth[0], size, rng), _side(second, truth[1], size, rng))
    # Few distinct rows: counts instead of labels are the states.
    u, v = (np.repeat(p, 15)[:, None] * [1, -1] + [0, 1] for p in ([.2, .7], [.4, .6]))
    pairs["fuzzy, fuzzy: n = 30, c = 2, two distinct rows"] = (
        sc.FuzzyClustering(u), sc.FuzzyClustering(v))
    # Classes that prefer one label.
    sets = np.concatenate([np.eye(3), np.ones((1, 3))]).astype(bool)
    pairs["hard, evidential: n = 60, c = 3, one label preferred"] = (
        sc.HardClustering(np.repeat([0, 1, 2], [30, 20, 10])),
        sc.EvidentialClustering(np.tile([.7, .1, .1, .1], (60, 1)), sets))
    return pairs


def _side(kind: str, truth: np.ndarray, size: tuple[int, int, float, float],
          rng: np.random.Generator) -> Any:
    """One clustering near `truth`: one object in ten is elsewhere."""
    n, c, diffuse, share = size
    labels = np.where(rng.random(n) < 0.1, rng.integers(c, size=n), truth)
    if kind == "hard":
        return sc.HardClustering(labels)
    own = np.eye(c, dtype=bool)[labels]
    if kind == "rough":
        wide = (rng.random((n, c)) < 0.5) & (rng.random(n) < share)[:, None]
        return sc.RoughClustering.from_upper(own | wide)
    if kind == "fuzzy":
        return sc.FuzzyClustering(_near(own, diffuse, rng))
    # single labels, pairs of neighbours and the whole frame
    sets = np.concatenate([np.eye(c), np.eye(c) + np.roll(np.eye(c), 1, axis=1),
                           np.ones((1, c))]).clip(0, 1).astype(bool)
    sets = np.unique(sets, axis=0)
    weight = sets[:, labels].T / sets.sum(axis=1) ** 2
    return sc.EvidentialClustering(_near(weight, diffuse, rng), sets)


def _near(weight: np.ndarray, diffuse: float, rng: np.random.Generator) -> np.ndarray:
    """Random rows near `weight`; more diffuse ones are nearly uniform."""
    drawn = rng.dirichlet(np.full(weight.shape[1], 1.0), size=weight.shape[0])
    sharp = 1.0 / (1.0 + 4.0 * diffuse) * rng.random((weight.shape[0], 1)) ** (diffuse / 2)
    mixed = (1.0 - sharp) * drawn * diffuse + sharp * weight
    return mixed / mixed.sum(axis=1, keepdims=True)
