"""Criteria of labels by their definitions, with loops; imports nothing of ours."""

from math import dist


def _means(points, labels):
    members = {k: [p for p, own in zip(points, labels) if own == k] for k in sorted(set(labels))}
    return members, {k: [sum(v) / len(v) for v in zip(*rows)] for k, rows in members.items()}


def calinski_harabasz(points, labels):
    """(B / (K - 1)) / (W / (n - K)), sums of squares between and within clusters."""
    members, means = _means(points, labels)
    centre = [sum(v) / len(v) for v in zip(*points)]
    between = sum(len(rows) * dist(means[k], centre) ** 2 for k, rows in members.items())
    within = sum(dist(p, means[k]) ** 2 for k, rows in members.items() for p in rows)
    return between / (len(members) - 1) / (within / (len(points) - len(members)))


def davies_bouldin(points, labels):
    """Mean over clusters of the largest (s_i + s_j) / d_ij."""
    members, means = _means(points, labels)
    spread = {k: sum(dist(p, means[k]) for p in rows) / len(rows) for k, rows in members.items()}
    worst = [max((spread[i] + spread[j]) / dist(means[i], means[j]) for j in means if j != i)
             for i in means]
    return sum(worst) / len(worst)
