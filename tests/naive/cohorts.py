"""Carried labels and what is told of each cluster, by loops in fractions."""

from fractions import Fraction


def _square(a, b):
    return sum((Fraction(str(u)) - Fraction(str(v))) ** 2 for u, v in zip(a, b))


def carried(rows, labels, new):
    """Label of the nearest mean, the lowest on ties."""
    means = {}
    for k in sorted(set(labels)):
        inside = [row for row, label in zip(rows, labels) if label == k]
        means[k] = [sum(Fraction(str(v)) for v in column) / len(inside) for column in zip(*inside)]
    return [min(means, key=lambda k: (_mean_square(row, means[k]), k)) for row in new]


def _mean_square(row, mean):
    return sum((Fraction(str(u)) - v) ** 2 for u, v in zip(row, mean))


def cluster(k, labels, own, rows):
    """jaccard, pairs_kept and in_group of carried cluster k; None where undefined."""
    inside = [i for i, label in enumerate(labels) if label == k]
    if not inside:
        return None, None, None
    best = max(Fraction(len([i for i in inside if own[i] == j]),
                        len(set(inside) | {i for i in range(len(own)) if own[i] == j}))
               for j in set(own))
    pairs = [(i, j) for i in inside for j in inside if i < j]
    kept = Fraction(sum(own[i] == own[j] for i, j in pairs), len(pairs)) if pairs else None
    same = 0
    for i in inside:
        others = [j for j in range(len(rows)) if j != i]
        near = min(others, key=lambda j: (_square(rows[i], rows[j]), j))
        same += labels[near] == k
    return best, kept, Fraction(same, len(inside))
