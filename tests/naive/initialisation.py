"""Divisive starts by their definition: (centres, parts as lists of indices)."""

import numpy as np


def var_part(x, weights, k):
    def axis(rows, w):
        p = len(rows[0])
        means = [sum(v * r[j] for v, r in zip(w, rows)) / sum(w) for j in range(p)]
        variances = [sum(v * (r[j] - means[j]) ** 2 for v, r in zip(w, rows)) for j in range(p)]
        best = variances.index(max(variances))
        return [float(j == best) for j in range(p)]
    return _split(x, weights, k, axis)


def pca_part(x, weights, k):
    def axis(rows, w):
        centred = np.array(rows) - np.average(rows, axis=0, weights=w)
        first = np.linalg.svd(np.sqrt(w)[:, None] * centred)[2][0]
        return list(first * np.sign(first[np.argmax(abs(first))]))
    return _split(x, weights, k, axis)


def _split(x, weights, k, axis):
    parts = [[i for i, w in enumerate(weights) if w > 0]]
    while len(parts) < k:
        squares = [_squares(x, weights, part) for part in parts]
        t = squares.index(max(squares))
        if squares[t] == 0:
            break
        mean = _mean(x, weights, parts[t])
        a = axis([x[i] for i in parts[t]], [weights[i] for i in parts[t]])
        side = [sum((v - m) * e for v, m, e in zip(x[i], mean, a)) <= 0 for i in parts[t]]
        parts.append([i for i, left in zip(parts[t], side) if not left])
        parts[t] = [i for i, left in zip(parts[t], side) if left]
    return [_mean(x, weights, part) for part in parts], parts


def _mean(x, weights, part):
    total = sum(weights[i] for i in part)
    return [sum(weights[i] * x[i][j] for i in part) / total for j in range(len(x[0]))]


def _squares(x, weights, part):
    mean = _mean(x, weights, part)
    return sum(weights[i] * (v - m) ** 2 for i in part for v, m in zip(x[i], mean))
