"""Stress of circles whose distances should lie in given intervals, and its gradient."""

import math

from ._jit import kernel


@kernel
def stress_and_gradient(lower, upper, weights, centers, radii, by_center, by_radius):
    """Raw stress; fills its derivatives by centre (n, p) and by radius (n,).

    Where two centres coincide the direction of their distance is undefined: these terms are 0.
    """
    n, p = centers.shape
    for i in range(n):
        by_radius[i] = 0.0
        for q in range(p):
            by_center[i, q] = 0.0
    total = 0.0
    for i in range(n):
        row = 0.0
        for j in range(i + 1, n):
            square = 0.0
            for q in range(p):
                step = centers[i, q] - centers[j, q]
                square += step * step
            distance = math.sqrt(square)
            gap = distance - radii[i] - radii[j]
            apart = gap > 0.0
            low = lower[i, j] - (gap if apart else 0.0)
            high = upper[i, j] - (distance + radii[i] + radii[j])
            weight = weights[i, j]
            row += weight * (low * low + high * high)
            if not apart:
                low = 0.0
            turn = -2.0 * weight * (high - low)
            by_radius[i] += turn
            by_radius[j] += turn
            if distance > 0.0:
                pull = -2.0 * weight * (high + low) / distance
                for q in range(p):
                    step = pull * (centers[i, q] - centers[j, q])
                    by_center[i, q] += step
                    by_center[j, q] -= step
        total += row
    return total
