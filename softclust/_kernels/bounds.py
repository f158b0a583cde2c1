"""Passes of k-means that leave out what cannot have changed, for points in tiles.

For a tile and a centre, the margin bounds from below how much farther that centre is than its own,
for each point of the tile that is not the centre's. When centres move, margins shrink by the way
of the centre and the longest way of an own centre. While a margin is positive the centre is
nearest to none of those points, so its distances need not be found (Elkan's triangle inequality,
here for eight points at once). After some passes most tiles need none.

Margins only say which distances are found: those found are the same to the bit, and so are labels.
`guard` is above all that rounding can do to a margin and to a comparison of distances.

Points are put in the order of their labels first, so that tiles have few own centres.

Reference: C. Elkan, Using the triangle inequality to accelerate k-means, ICML 2003.
"""

import math

from ._jit import borrowing
from ._tile_rows import turn_chosen
from ._tiles import TILE, settle_tile, shrink_margins
from .seeding import BLOCK

#: what is compiled, in messages
TOPIC = "k-means"

#: multiply-adds for a tile and all centres from which keeping margins costs little beside them
LEAST_WORK = 64
#: clusters from which it is worth it
LEAST_CLUSTERS = 3
#: relative rounding of a number, and what squares of tiny numbers may lose
EPSILON, TINY = 2.0**-52, 1e-150
#: squares beyond which nothing is left out
HUGE = 1e300


@borrowing
def worth_bounds(clusters, features):
    """Whether passes of such a problem may be shortened by margins."""
    return clusters >= LEAST_CLUSTERS and clusters * features >= LEAST_WORK


@borrowing
def order_by_label(labels, m, counts, before, order):
    """Put points in the order of their labels, which follow; `before` keeps the old labels.

    Up to a whole tile the last point is repeated.
    """
    for k in range(counts.shape[0]):
        counts[k] = 0
    for t in range(m):
        k = labels[t // BLOCK, t % BLOCK]
        before[t // BLOCK, t % BLOCK] = k
        counts[k] += 1
    start = 0
    for k in range(counts.shape[0]):
        start += counts[k]
        counts[k] = start - counts[k]
    for t in range(m):
        k = before[t // BLOCK, t % BLOCK]
        order[counts[k]] = t
        labels[counts[k] // BLOCK, counts[k] % BLOCK] = k
        counts[k] += 1
    for t in range(m, (m + TILE - 1) // TILE * TILE):
        order[t] = order[m - 1]
        labels[t // BLOCK, t % BLOCK] = labels[(m - 1) // BLOCK, (m - 1) % BLOCK]


@borrowing
def restore_order(labels, nearest, m, order, before, spare):
    """Undo the order of points; `before` and `spare` are scratch."""
    for t in range(m):
        before[t // BLOCK, t % BLOCK] = labels[t // BLOCK, t % BLOCK]
        spare[t // BLOCK, t % BLOCK] = nearest[t // BLOCK, t % BLOCK]
    for t in range(m):
        at = order[t]
        labels[at // BLOCK, at % BLOCK] = before[t // BLOCK, t % BLOCK]
        nearest[at // BLOCK, at % BLOCK] = spare[t // BLOCK, t % BLOCK]
    for t in range(m):
        order[t] = t


@borrowing
def list_moved(bits, t, m, moved, count):
    """List the points of tile t whose bits are set, after `count` of them; how many there are."""
    for i in range(min(TILE, m - t * TILE)):
        # Written always, counted sometimes: see `gather`.
        moved[count] = t * TILE + i
        count += (bits >> i) & 1
    return count


@borrowing
def find_guard(m, max_iter, centers, nearest):
    """What a margin must exceed.

    No point is farther from a mean of points than the diameter of all, at most twice the largest
    distance to the first centre. A distance has a relative error of d + 4 roundings or less, a
    margin one of two roundings of its size a pass.
    """
    d = centers.shape[1]
    most = 0.0
    for t in range(m):
        most = max(most, nearest[t // BLOCK, t % BLOCK])
    away = 0.0
    for k in range(centers.shape[0]):
        square = 0.0
        for j in range(d):
            e = centers[k, j] - centers[0, j]
            square += e * e
        away = max(away, square)
    diameter = 2.0 * (math.sqrt(most) + math.sqrt(away))
    if not diameter * diameter < HUGE:
        return math.inf   # squares may not be finite: every distance is found
    return (8.0 * (d + 8.0) + 8.0 * max_iter) * EPSILON * diameter + TINY


@borrowing
def find_drift(old, centers, drift):
    """How far each centre has moved, rounded up."""
    d = centers.shape[1]
    for k in range(centers.shape[0]):
        square = 0.0
        for j in range(d):
            e = centers[k, j] - old[k, j]
            square += e * e
        drift[k] = math.sqrt(square) * (1.0 + (d + 8.0) * EPSILON) + TINY
    for k in range(centers.shape[0], drift.shape[0]):
        drift[k] = 0.0


@borrowing
def mark_own(labels, t, marks, clusters, chosen):
    """The marked centres and those that are nearest in tile t, in order; how many."""
    b = t * TILE // BLOCK
    start = t * TILE - b * BLOCK
    for i in range(start, start + TILE):
        marks[labels[b, i]] = 1
    count = 0
    for k in range(clusters):
        # Written always, counted sometimes: see `gather`.
        chosen[count] = k
        count += marks[k]
    return count


@borrowing
def assign_bounded(m, centers, labels, nearest, guard, bounds, everywhere):
    """A pass that finds the distances that margins do not rule out; how many labels changed.

    `nearest` is then right in some tiles only, unless distances to the own centres are found
    `everywhere`.
    """
    margins, marks, chosen = bounds.margins, bounds.marks, bounds.chosen
    clusters = centers.shape[0]
    changed = 0
    for t in range((m + TILE - 1) // TILE):
        if shrink_margins(margins, t, bounds.drift, labels, guard, marks) == 0 and not everywhere:
            continue
        count = mark_own(labels, t, marks, clusters, chosen)
        bits = settle_tile(bounds.tiles, t, centers, chosen, count, labels, nearest,
                           bounds.squares, margins)
        if bits != 0:
            changed = list_moved(bits, t, m, bounds.moved, changed)
    return changed


@borrowing
def begin_bounds(rows, m, centers, labels, nearest, bounds):
    """Tiles of ordered points, a pass over all centres, and margins; how many labels changed."""
    margins = bounds.margins
    for k in range(bounds.drift.shape[0]):
        bounds.drift[k] = 0.0
    for t in range((m + TILE - 1) // TILE):
        turn_chosen(rows, bounds.order, t, bounds.tiles)
        for k in range(margins.shape[1]):
            margins[t, k] = -math.inf if k < centers.shape[0] else math.inf
    return assign_bounded(m, centers, labels, nearest, 0.0, bounds, False)


@borrowing
def find_nearest(m, centers, labels, nearest, bounds):
    """Distances to the own centres, where `assign_bounded` has left them out."""
    for k in range(bounds.drift.shape[0]):
        bounds.drift[k] = 0.0
    assign_bounded(m, centers, labels, nearest, -math.inf, bounds, True)
