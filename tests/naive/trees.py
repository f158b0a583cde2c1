"""Two dendrograms by definition: cuts, matrices of all pairs, n x n PageRank. Slow."""

import itertools
import math

import numpy as np


def members(merges):
    """The objects below each node, merges as rows (left, right, height)."""
    n = len(merges) + 1
    below = [{i} for i in range(n)]
    for row in merges:
        below.append(below[int(row[0])] | below[int(row[1])])
    return below


def cut(merges, k):
    """Labels after all but k - 1 merges."""
    n = len(merges) + 1
    labels = list(range(n))
    below = members(merges)
    for t in range(n - k):
        for i in below[n + t]:
            labels[i] = n + t
    return labels


def attained(merges):
    """Numbers of clusters when consecutive equal heights are one step."""
    n = len(merges) + 1
    heights = [row[2] for row in merges]
    return {n} | {n - 1 - t for t in range(n - 1) if t == n - 2 or heights[t] != heights[t + 1]}


def joined_pairs(x, y):
    """n11, n10, n01 of two lists of labels."""
    n11 = n10 = n01 = 0
    for i, j in itertools.combinations(range(len(x)), 2):
        n11 += x[i] == x[j] and y[i] == y[j]
        n10 += x[i] == x[j] and y[i] != y[j]
        n01 += x[i] != x[j] and y[i] == y[j]
    return n11, n10, n01


def fowlkes_mallows(x, y):
    n11, n10, n01 = joined_pairs(x, y)
    return n11 / math.sqrt((n11 + n10) * (n11 + n01))


def moments(x, y):
    """Mean, variance and third central moment of Fowlkes-Mallows over all permutations."""
    values = [fowlkes_mallows(x, [y[i] for i in order])
              for order in itertools.permutations(range(len(y)))]
    mean = sum(values) / len(values)
    return (mean, sum((v - mean) ** 2 for v in values) / len(values),
            sum((v - mean) ** 3 for v in values) / len(values))


def cophenetic(merges):
    """(n, n) heights at which pairs are joined."""
    n = len(merges) + 1
    heights = np.zeros((n, n))
    below = members(merges)
    for row in merges:
        for i in below[int(row[0])]:
            for j in below[int(row[1])]:
                heights[i, j] = heights[j, i] = row[2]
    return heights


def correlation(x, y, method):
    """Correlation of the heights of all pairs."""
    upper = np.triu_indices(len(x) + 1, 1)
    a, b = cophenetic(x)[upper], cophenetic(y)[upper]
    if method in ("kendall", "gamma"):
        c = d = tied_a = tied_b = pairs = 0
        for i, j in itertools.combinations(range(len(a)), 2):
            sign = np.sign(a[i] - a[j]) * np.sign(b[i] - b[j])
            c, d, pairs = c + (sign > 0), d + (sign < 0), pairs + 1
            tied_a, tied_b = tied_a + (a[i] == a[j]), tied_b + (b[i] == b[j])
        if method == "gamma":
            return (c - d) / (c + d) if c + d else math.nan
        return (c - d) / math.sqrt((pairs - tied_a) * (pairs - tied_b))
    if method == "spearman":
        a, b = ([(v < w).sum() + ((v == w).sum() + 1) / 2 for w in v] for v in (a, b))
    return float(np.corrcoef(a, b)[0, 1])


def contracted(merges):
    """Sets of objects of the contracted tree, with their steps from the root and heights."""
    n = len(merges) + 1
    below = members(merges)
    parent, steps = {}, [0] * (n - 1)
    for t, row in enumerate(merges):
        parent[int(row[0])] = parent[int(row[1])] = n + t
        if t:
            steps[t] = steps[t - 1] + (row[2] != merges[t - 1][2])
    kept = [v for v in range(2 * n - 1) if v < n or v not in parent
            or steps[parent[v] - n] != steps[v - n]]
    depth, height = {}, {}
    for v in kept:
        d, u = 0, v
        while u in parent:
            u = parent[u]
            d += u in kept
        depth[v], height[v] = d, merges[v - n][2] if v >= n else 0.0
    return {v: below[v] for v in kept}, depth, height


def element_centric(x, y, r=1.0, damping=0.9, levels="path"):
    """Similarity of each object by n x n PageRank matrices."""
    n = len(x) + 1
    matrices = []
    for merges in (x, y):
        sets, depth, height = contracted(merges)
        most = max(row[2] for row in merges)
        weight = np.zeros((n, len(sets)))
        for column, (v, objects) in enumerate(sets.items()):
            down = max(depth[u] - depth[v] for u, s in sets.items() if s <= objects)
            if levels == "path":
                level = depth[v] / (depth[v] + down) if depth[v] + down else 0.0
            else:
                level = 1.0 if v < n or most == 0 else 1.0 - height[v] / most
            weight[list(objects), column] = math.exp(r * level)
        walk = (weight / weight.sum(axis=1, keepdims=True)) @ (weight / weight.sum(axis=0)).T
        matrices.append((1 - damping) * np.linalg.inv(np.eye(n) - damping * walk))
    return 1 - np.abs(matrices[0] - matrices[1]).sum(axis=1) / (2 * damping)


def cluster_sets(merges):
    """Clusters of the contracted tree with more than one and fewer than n objects."""
    n = len(merges) + 1
    return {frozenset(s) for s in contracted(merges)[0].values() if 1 < len(s) < n}


def inversions(first, second):
    """Pairs of objects whose order differs."""
    place = {v: i for i, v in enumerate(second)}
    return sum(place[a] > place[b] for a, b in itertools.combinations(first, 2))


def leaf_orders(merges):
    """All leaf orders of a binary tree."""
    def of(v):
        n = len(merges) + 1
        if v < n:
            return [[v]]
        a, b = int(merges[v - n][0]), int(merges[v - n][1])
        return [p + q for one, two in ((a, b), (b, a)) for p in of(one) for q in of(two)]
    return of(2 * len(merges))


def proximity(x, y, method):
    """Dissimilarity of two trees by clue's methods, from the two n x n matrices of heights."""
    n = len(x) + 1
    matrices = cophenetic(x), cophenetic(y)
    u, v = ([float(m[i, j]) for i, j in itertools.combinations(range(n), 2)] for m in matrices)
    apart = [abs(a - b) for a, b in zip(u, v)]
    if method == "euclidean":
        return math.sqrt(sum(a * a for a in apart))
    if method == "manhattan":
        return sum(apart)
    if method == "Chebyshev":
        return max(apart)
    if method == "cophenetic":
        return 1 - correlation(x, y, "pearson") ** 2
    if method == "Lyapunov":
        return math.log(max(a / b for a, b in zip(u, v)) / min(a / b for a, b in zip(u, v)))
    if method == "spectral":
        return float(np.linalg.svd(matrices[0] - matrices[1], compute_uv=False)[0])
    if method == "gamma":
        opposite = sum((u[i] - u[j]) * (v[i] - v[j]) < 0
                       for i, j in itertools.permutations(range(len(u)), 2))
        return opposite / math.comb(len(u), 2)   # each pair of pairs counts twice
    if method == "cosine":
        return 1 - sum(a * b for a, b in zip(u, v)) / math.sqrt(
            sum(a * a for a in u) * sum(b * b for b in v))
    first, second = cluster_sets(x), cluster_sets(y)
    if method == "symdiff":
        return len(first ^ second)
    return 1 - 2 * len(first & second) / (len(first) + len(second))   # dice


def between_cuts(x, y, delta):
    """Integral over heights of delta(labels, labels) of the two cuts."""
    n = len(x) + 1
    heights = sorted({0.0} | {row[2] for row in [*x, *y]})
    total = 0.0
    for low, high in itertools.pairwise(heights):
        sides = [cut(m, n - sum(row[2] <= low for row in m)) for m in (x, y)]
        total += (high - low) * delta(*sides)
    return total
