"""Mallows distance and CSSD by trying every vertex of the plans; x and y are membership rows."""

from __future__ import annotations


def least_cost(cost, rows, columns):
    """Least sum of W cost; every vertex is found by filling cells to the full in some order."""
    best, seen = [float("inf")], set()

    def fill(rest_rows, rest_columns, total):
        open_rows = [k for k, w in enumerate(rest_rows) if w > 1e-12]
        open_columns = [m for m, w in enumerate(rest_columns) if w > 1e-12]
        state = tuple(round(w, 12) for w in (*rest_rows, *rest_columns, total))
        if state in seen:
            return
        seen.add(state)
        if not open_rows or not open_columns:
            best[0] = min(best[0], total)
            return
        for k in open_rows:
            for m in open_columns:
                moved = min(rest_rows[k], rest_columns[m])
                fill([w - moved * (i == k) for i, w in enumerate(rest_rows)],
                     [w - moved * (j == m) for j, w in enumerate(rest_columns)],
                     total + moved * cost[k][m])

    fill(list(rows), list(columns), 0.0)
    return best[0]


def mallows_distance(x, y, p=1, weights="uniform"):
    n, r, s = len(x), len(x[0]), len(y[0])
    cost = [[sum(abs(u[k] - v[m]) ** p for u, v in zip(x, y)) for m in range(s)] for k in range(r)]
    if weights == "uniform":
        weights = [1 / r] * r, [1 / s] * s
    elif weights == "mass":
        weights = [sum(column) / n for column in zip(*x)], [sum(column) / n for column in zip(*y)]
    return max(0.0, least_cost(cost, *weights)) ** (1 / p)


def cssd_dissimilarity(x, y, distances, alpha, beta):
    r, s = len(x[0]), len(y[0])
    shared = [[distances[k][m] * sum(u[k] * v[m] for u, v in zip(x, y)) for m in range(s)]
              for k in range(r)]
    gains = [[-shared[k][m] / (alpha[k] + beta[m]) for m in range(s)] for k in range(r)]
    return sum(map(sum, shared)) + 2 * least_cost(gains, alpha, beta)
