"""Weighted k-means by its definition, with loops: (labels, centres, inertia, passes, status)."""

import itertools
import math


def kmeans(points, weights, centers, max_iter=300, costs=None):
    """Lloyd's iterations from `centers`; labels are -1 where the weight is 0.

    To `costs` the inertia around the new means is added after each pass.
    """
    alive = [i for i, w in enumerate(weights) if w > 0]
    centers = [list(map(float, c)) for c in centers]
    labels, empty = {}, False
    passes = 0
    while passes < max_iter:
        passes += 1
        before, labels = labels, {i: _nearest(points[i], centers) for i in alive}
        if labels == before:
            break
        empty = False
        while len(set(labels.values())) < len(centers):
            k = min(set(range(len(centers))) - set(labels.values()))
            far = max(alive, key=lambda i: _squared(points[i], centers[labels[i]]))
            if _squared(points[far], centers[labels[far]]) == 0:
                empty = True
                break
            centers[k] = list(map(float, points[far]))
            labels = {i: _nearest(points[i], centers) for i in alive}
        if empty:
            break
        for k in range(len(centers)):
            members = [i for i in alive if labels[i] == k]
            mass = math.fsum(weights[i] for i in members)
            centers[k] = [math.fsum(weights[i] * points[i][j] for i in members) / mass
                          for j in range(len(centers[k]))]
        if costs is not None:
            costs.append(math.fsum(weights[i] * _squared(points[i], centers[labels[i]])
                                   for i in alive))
    final = {i: _nearest(points[i], centers) for i in alive}
    inertia = math.fsum(weights[i] * _squared(points[i], centers[final[i]]) for i in alive)
    status = 2 if empty else int(final != labels)
    return [final.get(i, -1) for i in range(len(points))], centers, inertia, passes, status


def best_of_starts(points, weights, starts, ahead):
    """Number and fit of the best start; how many were given up that would have become the best.

    A start is given up if `ahead` passes that gain as much as its last would not make it the best.
    """
    number, best, lost = 0, None, 0
    for s, centers in enumerate(starts):
        costs = []
        fit = kmeans(points, weights, centers, costs=costs)
        if best is not None and fit[2] >= best[2] * (1 - 1e-12):
            continue
        if best is not None and any(after - ahead * (before - after) > best[2]
                                    for before, after in itertools.pairwise(costs[1:])):
            lost += 1
            continue
        number, best = s, fit
    return number, best, lost


def kmeans_plusplus(points, weights, uniforms):
    """Seeds: the first point whose cumulated share exceeds each uniform number."""
    chosen = []
    for u in uniforms:
        shares = list(weights)
        if chosen:
            shares = [w * min(_squared(p, c) for c in chosen) for p, w in zip(points, weights)]
        if not any(shares):
            shares = list(weights)
        target, cumulated = u * math.fsum(shares), 0.0
        for point, share in zip(points, shares):
            cumulated += share
            if cumulated > target:
                chosen.append(point)
                break
    return chosen


def _squared(a, b):
    return sum((float(u) - float(v)) ** 2 for u, v in zip(a, b))


def _nearest(point, centers):
    distances = [_squared(point, c) for c in centers]
    return distances.index(min(distances))


def greedy_kmeans_plusplus(points, weights, uniforms):
    """Seeds: of the points that the uniform numbers of a step draw, the one that leaves least."""
    chosen = []
    for row in uniforms:
        shares = list(weights)
        if chosen:
            shares = [w * min(_squared(p, c) for c in chosen) for p, w in zip(points, weights)]
        drawn = sorted({_drawn(shares, u) for u in (row if chosen else row[:1])})
        left = [math.fsum(w * min(_squared(p, c) for c in (*chosen, points[i]))
                          for p, w in zip(points, weights)) for i in drawn]
        chosen.append(points[drawn[left.index(min(left))]])
    return chosen


def _drawn(shares, uniform):
    target, cumulated = uniform * math.fsum(shares), 0.0
    for i, share in enumerate(shares):
        cumulated += share
        if cumulated > target:
            return i
    raise AssertionError("a uniform number is below 1")
