"""Separation of given clusters by its definition: lists and loops; numpy for eigenvectors only."""

import math
from itertools import combinations

import numpy as np

from .evidence import dip, window


def distance(a, b):
    return math.sqrt(sum((u - v) ** 2 for u, v in zip(a, b)))


def mean(rows):
    return [sum(column) / len(rows) for column in zip(*rows)]


def places(first, second):
    """Places of both sides on the line through their means."""
    way = [v - u for u, v in zip(mean(first), mean(second))]
    return [[round(sum(w * c for w, c in zip(way, row)), 12) for row in rows]
            for rows in (first, second)]


def separation(first, second):
    """Dip in the balanced window, and the objects in it."""
    inside = window(*places(first, second))
    return dip(inside), len(inside)


def order(first, second):
    """max over t of F_i(t) - F_j(t)."""
    if mean(first) == mean(second):
        return 0.0
    of_i, of_j = places(first, second)
    return max(sum(v <= t for v in of_i) / len(of_i) - sum(v <= t for v in of_j) / len(of_j)
               for t in of_i + of_j)


def cut(rows, sides):
    """k-means in two from given sides."""
    for _ in range(300):
        means = [mean([row for row, s in zip(rows, sides) if s == side]) for side in (0, 1)]
        moved = [int(distance(row, means[1]) < distance(row, means[0])) for row in rows]
        if moved == sides:
            break
        sides = moved
    return sides


def reference(rows, curved):
    """The largest separation over the cuts of one reference."""
    centre = mean(rows)
    centred = np.array([[c - m for c, m in zip(row, centre)] for row in rows])
    values, vectors = np.linalg.eigh(centred.T @ centred)
    best = 0.0
    for a in range(min(3, len(centre))):
        if values[-1 - a] <= 1e-12 * values[-1]:
            break
        axis = vectors[:, -1 - a]
        at = max(range(len(axis)), key=lambda f: (abs(axis[f]), -f))
        scores = [float(row @ axis) * (1 if axis[at] > 0 else -1) for row in centred]
        cuts = [cut(rows, [int(s > 0) for s in scores])]
        if curved and a == 0:
            rising = sorted(range(len(rows)), key=lambda o: (scores[o], o))
            least = max(1, len(rows) // 3)
            cuts += [[int(rising.index(o) >= t) for o in range(len(rows))]
                     for t in range(least, len(rows) - least + 1)]
        for sides in cuts:
            d, size = separation(*([row for row, s in zip(rows, sides) if s == side]
                                   for side in (0, 1)))
            best = max(best, math.sqrt(size) * d)
    return best


def members(x, labels, clusters, curved):
    """Rows of each cluster; objects of no cluster in the nearest one."""
    centres = {g: mean([row for row, k in zip(x, labels) if k == g]) for g in clusters}
    rows = {g: [] for g in clusters}
    for i, (row, k) in enumerate(zip(x, labels)):
        if k not in clusters and curved:
            known = [j for j, other in enumerate(labels) if other in clusters]
            k = labels[min(known, key=lambda j: (distance(row, x[j]), j))]
        elif k not in clusters:
            k = min(clusters, key=lambda g: (distance(row, centres[g]), clusters.index(g)))
        rows[k].append(i)
    return centres, rows


def neighbours(x, centres, clusters):
    """Pairs that are nearest to some object, and the edges of the smallest spanning tree."""
    pairs = set()
    for row in x:
        near = sorted(clusters, key=lambda g: (distance(row, centres[g]), clusters.index(g)))[:2]
        pairs.add(tuple(sorted(near, key=clusters.index)))
    part = {g: {g} for g in clusters}
    for i, j in sorted(combinations(clusters, 2),
                       key=lambda e: distance(centres[e[0]], centres[e[1]])):
        if part[i] is not part[j]:
            pairs.add((i, j))
            joined = part[i] | part[j]
            for g in joined:
                part[g] = joined
    return sorted(pairs, key=lambda e: (clusters.index(e[0]), clusters.index(e[1])))


def compared(x, first, second, size):
    """Rows of both sides, or those nearest to the middle of the closest pair."""
    if size == "whole":
        return first, second
    a, b = min(((i, j) for i in first for j in second), key=lambda e: distance(x[e[0]], x[e[1]]))
    middle = [(u + v) / 2 for u, v in zip(x[a], x[b])]
    m = min(size, len(first), len(second))
    return tuple(sorted(rows, key=lambda i: distance(x[i], middle))[:m] for rows in (first, second))


def pairs_of(x, labels, sets, size="whole", min_size=2):
    """For each compared pair: objects in the window, order, separation, references, p."""
    known = [k for k in labels if k is not None and k != -1]
    clusters = sorted(k for k in set(known) if known.count(k) >= min_size)
    centres, rows = members(x, labels, clusters, size != "whole")
    listed = neighbours(x, centres, clusters) if size == "whole" else [*combinations(clusters, 2)]
    found = {}
    for i, j in listed:
        first, second = ([x[r] for r in side] for side in compared(x, rows[i], rows[j], size))
        d, objects = separation(first, second)
        a = order(first, second)
        s = math.sqrt(objects) * d if a >= 0.8 - 1e-12 else 0.0
        values = [reference(each, size != "whole") for each in sets(i, j, len(first + second))]
        p = (1 + sum(v >= s - 1e-12 for v in values)) / (1 + len(values))
        found[i, j] = {"objects": objects, "order": a, "dip": d, "separation": s, "p_value": p,
                       "references": values}
    return found


def components(clusters, edges):
    """The group of each cluster, numbered by the first one."""
    group = {g: g for g in clusters}
    for _ in clusters:
        for i, j in edges:
            group[i] = group[j] = min(group[i], group[j])
    numbers = sorted(set(group.values()))
    return [numbers.index(group[g]) for g in clusters]


def all_groups(k, p, level):
    """Groups by every maximum spanning tree of the p-values of pairs, by Holm's step-down."""
    best, answers = -1.0, set()
    for edges in combinations(p, k - 1):
        if len(set(components(range(k), edges))) > 1:
            continue
        total = round(sum(p[e] for e in edges), 9)
        if total > best + 1e-9:
            best, answers = total, set()
        if total < best - 1e-9:
            continue
        rising, kept = sorted(edges, key=lambda e: p[e]), []
        for r, e in enumerate(rising):
            if kept or (k - 1 - r) * p[e] > level + 1e-12:
                kept.append(e)
        answers.add(tuple(components(range(k), kept)))
    return answers
