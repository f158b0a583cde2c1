"""Fuzzy and possibilistic c-means by their equations, with loops."""

import math


def squared_distance(a, b):
    """Sum of squared differences."""
    return sum((float(s) - float(t)) ** 2 for s, t in zip(a, b))


def fuzzy_memberships(x, centers, m):
    """1 / sum_l (d2_k / d2_l)^(1/(m-1)); an object on centres belongs evenly to those."""
    rows = []
    for a in x:
        d2 = [squared_distance(a, v) for v in centers]
        on = [d == 0 for d in d2]
        if any(on):
            rows.append([hit / sum(on) for hit in on])
        else:
            rows.append([1 / sum((d / e) ** (1 / (m - 1)) for e in d2) for d in d2])
    return rows


def relative_degrees(x, centers, m):
    """1 / (d_k / sum_l d_l + .001)^m; 0 / 0 is 0."""
    rows = []
    for a in x:
        d = [math.sqrt(squared_distance(a, v)) for v in centers]
        rows.append([1 / ((e / sum(d) if sum(d) else 0.0) + 0.001) ** m for e in d])
    return rows


def possibilistic_typicalities(x, centers, eta, m):
    """1 / (1 + (d2_k / eta_k)^(1/(m-1)))."""
    return [[1 / (1 + (squared_distance(a, v) / e) ** (1 / (m - 1)))
             for v, e in zip(centers, eta)] for a in x]


def fuzzy_objective(x, centers, u, m, weights):
    """sum_i w_i sum_k u_ik^m d2_ik."""
    return math.fsum(w * row[k] ** m * squared_distance(a, v)
                     for a, w, row in zip(x, weights, u) for k, v in enumerate(centers))


def possibilistic_objective(x, centers, t, eta, m, weights):
    """sum_ik w_i t_ik^m d2_ik + sum_k eta_k sum_i w_i (1 - t_ik)^m."""
    return fuzzy_objective(x, centers, t, m, weights) + math.fsum(
        e * w * (1 - row[k]) ** m for w, row in zip(weights, t) for k, e in enumerate(eta))


def weighted_centers(x, u, m, weights):
    """sum_i w_i u_ik^m x_i / sum_i w_i u_ik^m."""
    centers = []
    for k in range(len(u[0])):
        a = [w * row[k] ** m for w, row in zip(weights, u)]
        centers.append([math.fsum(s * float(row[f]) for s, row in zip(a, x)) / math.fsum(a)
                        for f in range(len(x[0]))])
    return centers


def etas(x, centers, u, m, weights, factor=1.0):
    """factor sum_i w_i u_ik^m d2_ik / sum_i w_i u_ik^m."""
    result = []
    for k, v in enumerate(centers):
        a = [w * row[k] ** m for w, row in zip(weights, u)]
        spread = math.fsum(s * squared_distance(row, v) for s, row in zip(a, x))
        result.append(factor * spread / math.fsum(a))
    return result
