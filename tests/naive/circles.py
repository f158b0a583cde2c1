"""Circles for interval dissimilarities, by the definition."""

import math


def interval_stress(lower, upper, weights, centers, radii):
    """Sum over pairs of the squared misses of both bounds."""
    total = 0.0
    for i in range(len(radii)):
        for j in range(i + 1, len(radii)):
            d = math.dist(centers[i], centers[j])
            least = max(0.0, d - radii[i] - radii[j])
            largest = d + radii[i] + radii[j]
            total += weights[i][j] * ((lower[i][j] - least) ** 2 + (upper[i][j] - largest) ** 2)
    return total
