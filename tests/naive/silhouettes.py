"""Silhouette widths by the definition, with loops; imports nothing of ours."""

from math import dist


def widths(points, labels):
    """(b - a) / max(a, b) of each object; 0 for one alone in its cluster, and for a = b = 0."""
    found = []
    for i, point in enumerate(points):
        mean = {}
        for k in set(labels):
            others = [dist(point, q) for j, q in enumerate(points) if j != i and labels[j] == k]
            mean[k] = sum(others) / len(others) if others else None
        a, b = mean.pop(labels[i]), min(v for v in mean.values() if v is not None)
        found.append(0.0 if a is None or max(a, b) == 0.0 else (b - a) / max(a, b))
    return found
