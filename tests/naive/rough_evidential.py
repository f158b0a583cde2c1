"""Rough k-means and evidential c-means by their definitions, with loops.

Starts are given; every result belongs to the returned centres.
"""

import math

import numpy as np


def squared_distance(a, b):
    return sum((u - v) ** 2 for u, v in zip(a, b))


def mean(x, members, weights):
    """Weighted mean of the rows `members`, None when they have no weight."""
    total = sum(weights[i] for i in members)
    if total == 0:
        return None
    return [sum(weights[i] * x[i][j] for i in members) / total for j in range(len(x[0]))]


def possible_clusters(x, centers, ratio):
    """T_i of every object."""
    result = []
    for row in x:
        d2 = [squared_distance(row, v) for v in centers]
        result.append({k for k, d in enumerate(d2) if d <= ratio ** 2 * max(min(d2), 1e-99)})
    return result


def force_lower(x, centers, sets, weights):
    """Every cluster gets one object for certain: the nearest pair first."""
    objects = {i for i, w in enumerate(weights) if w > 0}
    clusters = set(range(len(centers)))
    while clusters:
        _, k, i = min((squared_distance(x[i], centers[k]), k, i)
                      for i in objects for k in clusters)
        sets[i] = {k}
        objects.remove(i)
        clusters.remove(k)


def rough_centers(x, sets, centers, variant, lower_weight, weights):
    result = []
    for k, old in enumerate(centers):
        upper = [i for i, t in enumerate(sets) if k in t]
        lower = [i for i in upper if len(sets[i]) == 1]
        boundary = [i for i in upper if len(sets[i]) > 1]
        if variant == "peters-2014":
            shares = [w / len(t) for w, t in zip(weights, sets)]
            new = mean(x, upper, shares)
        else:
            one = mean(x, lower, weights)
            other = mean(x, boundary if variant == "lingras-west" else upper, weights)
            if one is None or other is None:
                new = one or other
            else:
                new = [lower_weight * a + (1 - lower_weight) * b for a, b in zip(one, other)]
        result.append(list(old) if new is None else new)
    return result


def rough_criterion(x, sets, centers, weights):
    return sum(w / len(t) * sum(squared_distance(row, centers[k]) for k in t)
               for row, t, w in zip(x, sets, weights))


def rough_kmeans(x, centers, *, variant="peters-2014", ratio=1.1, lower_weight=0.7,
                 guarantee_lower=None, weights=None, max_iter=100):
    """(sets, centres, criterion, updates, converged); sets that came back end a circle."""
    weights = [1.0] * len(x) if weights is None else weights
    if guarantee_lower is None:
        guarantee_lower = variant != "lingras-west"
    states = []
    while True:
        sets = possible_clusters(x, centers, ratio)
        if guarantee_lower:
            force_lower(x, centers, sets, weights)
        states.append((sets, centers, rough_criterion(x, sets, centers, weights)))
        updates = len(states) - 1
        if updates and states[-2][0] == sets:
            return *states[-1], updates, True
        same = [t for t in range(updates) if states[t][0] == sets]
        if same:
            return *min(states[same[0] + 1:], key=lambda state: state[2]), updates, False
        if updates == max_iter:
            return *states[-1], updates, False
        centers = rough_centers(x, sets, centers, variant, lower_weight, weights)


def credal_masses(x, centers, sets, alpha, beta, delta):
    """Masses in the log domain; `sets` are tuples of clusters, the empty one for outliers."""
    centers = np.asarray(centers, dtype=float)
    result = []
    for row in np.asarray(x, dtype=float):
        costs = [delta ** 2 if not a else
                 len(a) ** alpha * squared_distance(row, centers[list(a)].mean(axis=0))
                 for a in sets]
        if min(costs) == 0:
            raw = [float(cost == 0) for cost in costs]
        else:
            logs = [-math.log(cost) / (beta - 1) for cost in costs]
            raw = [math.exp(v - max(logs)) for v in logs]
        result.append([v / sum(raw) for v in raw])
    return np.array(result)


def credal_objective(x, centers, mass, sets, alpha, beta, delta, weights):
    centers = np.asarray(centers, dtype=float)
    total = 0.0
    for row, masses, w in zip(np.asarray(x, dtype=float), mass, weights):
        for a, m in zip(sets, masses):
            cost = delta ** 2
            if a:
                cost = len(a) ** alpha * squared_distance(row, centers[list(a)].mean(axis=0))
            total += w * cost * m ** beta
    return total


def evidential_cmeans(x, centers, sets, *, alpha=1.0, beta=2.0, delta=10.0, weights=None,
                      n_iter=1):
    """(masses, centres, objective) after `n_iter` updates; centres by least squares."""
    x, centers = np.asarray(x, dtype=float), np.asarray(centers, dtype=float)
    weights = np.ones(len(x)) if weights is None else np.asarray(weights, dtype=float)
    c, p = centers.shape
    for _ in range(n_iter):
        mass = credal_masses(x, centers, sets, alpha, beta, delta)
        left, right = np.zeros((c, c)), np.zeros((c, p))
        for i, row in enumerate(x):
            for a, m in zip(sets, mass[i]):
                for k in a:
                    right[k] += weights[i] * len(a) ** (alpha - 1) * m ** beta * row
                    for l in a:
                        left[k, l] += weights[i] * len(a) ** (alpha - 2) * m ** beta
        centers = centers + np.linalg.lstsq(left, right - left @ centers, rcond=None)[0]
    mass = credal_masses(x, centers, sets, alpha, beta, delta)
    return mass, centers, credal_objective(x, centers, mass, sets, alpha, beta, delta, weights)
