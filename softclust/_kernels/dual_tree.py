"""Sums of |bilinear form| over all pairs of points, by pairs of nodes of a tree.

A form is w_i' J w_j with J = diag(1 ... 1, -1 ... -1): `plus` coordinates count positive, the
others negative. Where the ball bounds of two nodes fix its sign, the sum over their pairs of
points is that of their sums. Points lie feature-major (d, n) in the order of the tree.
"""

import numpy as np

from ._jit import fma, inlined, kernel

#: most node pairs that wait at once: three more than taken for each of at most 60 levels
_STACK = 256
#: added to the bounds, far above their rounding
_MARGIN = 1e-12


@inlined
def _form(u, a, v, b, plus):
    """u[a]' J v[b] of rows of (m, d) arrays; equal halves cancel exactly."""
    p, q = 0.0, 0.0
    for k in range(plus):
        p = fma(u[a, k], v[b, k], p)
    for k in range(plus, u.shape[1]):
        q = fma(u[a, k], v[b, k], q)
    return p - q


@kernel
def own_forms(points, plus, out):
    """out[i] = w_i' J w_i."""
    for i in range(points.shape[1]):
        p, q = 0.0, 0.0
        for k in range(plus):
            p = fma(points[k, i], points[k, i], p)
        for k in range(plus, points.shape[0]):
            q = fma(points[k, i], points[k, i], q)
        out[i] = p - q


@kernel
def _direct(points, plus, a0, a1, b0, b1, same, p, q):
    """Sum of |form| over points a0 ... a1 - 1 against b0 ... b1 - 1; only i < j when the same."""
    total = 0.0
    for i in range(a0, a1):
        low = i + 1 if same else b0
        width = b1 - low
        for j in range(width):
            p[j] = 0.0
            q[j] = 0.0
        for k in range(points.shape[0]):
            w = points[k, i]
            x = points[k, low:b1]
            if k < plus:
                for j in range(width):
                    p[j] = fma(w, x[j], p[j])
            else:
                for j in range(width):
                    q[j] = fma(w, x[j], q[j])
        row = 0.0
        for j in range(width):
            row += abs(p[j] - q[j])
        total += row
    return total


@kernel
def node_pairs(points, plus, bounds, children, sums, centres, radii, norms, own, roots, tolerance,
               first, stop, out):
    """out[r] = (low, high, pairs of points visited) for the node pairs roots[first:stop].

    Nodes have points bounds[a, 0] ... bounds[a, 1] - 1, children[a] (-1 for leaves), the sum and
    the mean of their points (nodes, d), the radius of the ball around the mean, the norm of the
    mean within the span of differences of points, and the sum of the forms of their points with
    themselves. Intervals narrower than `tolerance` a pair stay.
    """
    stack = np.empty((_STACK, 2), np.int64)
    leaf = 1
    for a in range(bounds.shape[0]):
        if children[a, 0] < 0:
            leaf = max(leaf, bounds[a, 1] - bounds[a, 0])
    p, q = np.zeros(leaf), np.zeros(leaf)
    for r in range(first, stop):
        low, high, visited = 0.0, 0.0, 0.0
        stack[0, 0], stack[0, 1] = roots[r, 0], roots[r, 1]
        size = 1
        while size > 0:
            size -= 1
            a, b = stack[size, 0], stack[size, 1]
            slack = (radii[a] * norms[b] + radii[b] * norms[a] + radii[a] * radii[b]) + _MARGIN
            middle = abs(_form(centres, a, centres, b, plus))
            count = float(bounds[a, 1] - bounds[a, 0]) * float(bounds[b, 1] - bounds[b, 0])
            if middle >= slack:
                value = _form(sums, a, sums, b, plus)
                if a == b:
                    value = 0.5 * (value - own[a])
                low += abs(value)
                high += abs(value)
            elif a != b and slack - middle <= tolerance:
                # |.| is convex: at most the chord over [middle - slack, middle + slack].
                low += count * middle
                high += count * slack
            elif children[a, 0] < 0 and children[b, 0] < 0:
                value = _direct(points, plus, bounds[a, 0], bounds[a, 1], bounds[b, 0],
                                bounds[b, 1], a == b, p, q)
                low += value
                high += value
                visited += count
            elif a == b:
                left, right = children[a, 0], children[a, 1]
                stack[size, 0], stack[size, 1] = left, left
                stack[size + 1, 0], stack[size + 1, 1] = left, right
                stack[size + 2, 0], stack[size + 2, 1] = right, right
                size += 3
            else:
                # The larger ball is cut.
                cut_a = children[b, 0] < 0 or (children[a, 0] >= 0 and radii[a] >= radii[b])
                for side in range(2):
                    stack[size, 0] = children[a, side] if cut_a else a
                    stack[size, 1] = b if cut_a else children[b, side]
                    size += 1
        out[r, 0] = low
        out[r, 1] = high
        out[r, 2] = visited
