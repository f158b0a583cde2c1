"""The plane of the pictures, and in words what lies where in it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from . import words as w
from .plan import WIDE

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
