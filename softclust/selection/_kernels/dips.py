"""Dips of pairs of clusters on the line through their means (Hartigan and Hartigan 1985)."""

import numpy as np

from ...running.compiler import kernel


@kernel
def separate_pairs(points, labels, means, objects, dips):
    """Dip of every two clusters of every data set, in the balanced window between them.

    points (B, n, d); labels (B, n) in 0, ..., K - 1; means (B, K, d), which are overwritten with
    the means of the clusters. For clusters i < j in the order (0, 1), (0, 2), ..., (1, 2), ...:
    objects (B, P) is the number of values in the window, 2 min(n_i, n_j), and dips (B, P) their
    dip; 0 and 0 if a cluster is empty. The values are the places of the objects on the line
    through both means: of cluster i the largest, of j the smallest, equally many.
    """
    count, n, d = points.shape
    clusters = means.shape[1]
    sizes = np.empty(clusters, np.int64)
    way = np.empty(d)
    first, second, both = np.empty(n), np.empty(n), np.empty(n)
    values, below, upto = np.empty(n), np.empty(n), np.empty(n)
    lower, upper = np.empty(n), np.empty(n)
    minorant, majorant = np.empty(n, np.int64), np.empty(n, np.int64)
    for b in range(count):
        sizes[:] = 0
        means[b, :, :] = 0.0
        for i in range(n):
            k = labels[b, i]
            sizes[k] += 1
            for f in range(d):
                means[b, k, f] += points[b, i, f]
        for k in range(clusters):
            for f in range(d):
                means[b, k, f] /= max(sizes[k], 1)
        pair = 0
        for i in range(clusters):
            for j in range(i + 1, clusters):
                objects[b, pair], dips[b, pair] = 0, 0.0
                if sizes[i] and sizes[j]:
                    for f in range(d):
                        way[f] = means[b, j, f] - means[b, i, f]
                    in_i, in_j = 0, 0
                    for o in range(n):
                        if labels[b, o] == i or labels[b, o] == j:
                            place = 0.0
                            for f in range(d):
                                place += way[f] * points[b, o, f]
                            if labels[b, o] == i:
                                first[in_i] = place
                                in_i += 1
                            else:
                                second[in_j] = place
                                in_j += 1
                    m = min(in_i, in_j)
                    both[:m] = np.sort(first[:in_i])[in_i - m:]
                    both[m:2 * m] = np.sort(second[:in_j])[:m]
                    if both[m - 1] > both[m]:
                        both[:2 * m] = np.sort(both[:2 * m])
                    objects[b, pair] = 2 * m
                    dips[b, pair] = dip(both[:2 * m], values, below, upto, lower, upper, minorant,
                                        majorant)
                pair += 1


@kernel
def dip(sample, values, below, upto, lower, upper, minorant, majorant):
    """Dip of a sorted sample: its distance from the nearest unimodal distribution function.

    The other arrays are scratch, as long as the sample. On the modal interval, at first that of all
    values, g is the greatest convex minorant of the shares below the distinct values and h the
    least concave majorant of the shares up to them. Where h - g is largest the interval shrinks,
    until what is outside costs more than any mode inside. 1/(2N) to 1/4.
    """
    size = sample.shape[0]
    m = 0
    for i in range(size):   # distinct values, with the shares below them and up to them
        if i == 0 or sample[i] != sample[i - 1]:
            values[m], below[m] = sample[i], i / size
            m += 1
        upto[m - 1] = (i + 1) / size
    low, high = np.int64(0), m - 1   # plain 0 would compile `hull` a second time
    error = 1.0 / size
    while True:
        n_g = hull(values, below, low, high, minorant, lower, 1.0)
        n_h = hull(values, upto, low, high, majorant, upper, -1.0)
        largest, new_low, new_high = -1.0, low, high
        at = 0
        for t in range(n_g):
            v = minorant[t]
            while majorant[at] < v:
                at += 1
            if upper[v] - lower[v] > largest:
                largest, new_low, new_high = upper[v] - lower[v], v, majorant[at]
        at = 0
        for t in range(n_h):
            v = majorant[t]
            while at + 1 < n_g and minorant[at + 1] <= v:
                at += 1
            if upper[v] - lower[v] > largest:
                largest, new_low, new_high = upper[v] - lower[v], minorant[at], v
        if largest <= error:
            break
        for v in range(low, new_low):
            error = max(error, upto[v] - lower[v])
        for v in range(new_high + 1, high + 1):
            error = max(error, upper[v] - below[v])
        if new_low == low and new_high == high:
            break
        low, high = new_low, new_high
    return error / 2.0


@kernel
def hull(values, shares, low, high, vertices, heights, sign):
    """Lower hull (sign 1) or upper hull (sign -1) of points from `low` to `high`.

    Fills `vertices`, their positions in order, and `heights`, the hull at every position; returns
    the number of vertices.
    """
    count = 0
    for v in range(low, high + 1):
        while count > 1:
            a, b = vertices[count - 2], vertices[count - 1]
            turn = ((shares[b] - shares[a]) * (values[v] - values[a])
                    - (shares[v] - shares[a]) * (values[b] - values[a]))
            if sign * turn < 0.0:
                break
            count -= 1
        vertices[count] = v
        count += 1
    for t in range(count - 1):
        a, b = vertices[t], vertices[t + 1]
        slope = (shares[b] - shares[a]) / (values[b] - values[a])
        for v in range(a, b):
            heights[v] = shares[a] + slope * (values[v] - values[a])
    heights[high] = shares[high]
    return count
