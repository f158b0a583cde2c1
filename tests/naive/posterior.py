"""Losses of partitions and what follows from them by definition; imports nothing of ours."""

from functools import cache
from itertools import combinations
from math import log


def partitions(n):
    """All partitions of n objects, labels by first appearance."""
    def extend(head):
        if len(head) == n:
            yield tuple(head)
            return
        for k in range(max(head, default=-1) + 2):
            yield from extend([*head, k])
    return list(extend([]))


def by_appearance(labels):
    names = {}
    return tuple(names.setdefault(v, len(names)) for v in labels)


def entropy(labels):
    n = len(labels)
    return -sum(labels.count(k) / n * log(labels.count(k) / n) for k in set(labels))


def loss(name, c, z, a=1.0):
    """Loss of the estimate c at the draw z."""
    return one_loss(name, by_appearance(c), by_appearance(z), a)


@cache
def one_loss(name, c, z, a):
    n = len(c)
    if name == "binder":
        total = 0.0
        for i, j in combinations(range(n), 2):
            if z[i] == z[j] and c[i] != c[j]:
                total += a
            if z[i] != z[j] and c[i] == c[j]:
                total += 2.0 - a
        return 2.0 * total / n**2
    if name == "omari":
        if by_appearance(c) == by_appearance(z):
            return 0.0
        pairs = list(combinations(range(n), 2))
        both = sum(c[i] == c[j] and z[i] == z[j] for i, j in pairs)
        x, y = (sum(v[i] == v[j] for i, j in pairs) for v in (c, z))
        chance = x * y / len(pairs)
        return 1.0 - (both - chance) / ((x + y) / 2 - chance)
    h, g, joint = entropy(c), entropy(z), entropy(list(zip(c, z)))
    shared = h + g - joint
    if name == "vi":
        return a * (joint - g) + (2.0 - a) * (joint - h)
    if name == "id":
        return max(h, g) - shared
    top = joint if name == "nvi" else max(h, g)
    return 1.0 - shared / top if top > 1e-14 else 0.0


def expected(name, c, draws, a=1.0, weights=None):
    weights = weights or [1.0] * len(draws)
    return sum(w * loss(name, c, z, a) for w, z in zip(weights, draws)) / sum(weights)


def optimum(name, draws, a=1.0, weights=None, most=None):
    """The least expected loss, and all partitions that have it."""
    values = {c: expected(name, c, draws, a, weights) for c in partitions(len(draws[0]))
              if most is None or max(c) < most}
    least = min(values.values())
    return least, [c for c, v in values.items() if v < least + 1e-10]


def two_representatives(name, draws):
    """The least mean loss from the nearer of two partitions."""
    every = partitions(len(draws[0]))
    losses = [[loss(name, c, z) for z in draws] for c in every]
    return min(sum(map(min, x, y)) for x, y in combinations(losses, 2)) / len(draws)


def core_shares(draws):
    """For each number of objects the largest share of draws that part some so many alike."""
    n = len(draws[0])
    best = []
    for size in range(1, n + 1):
        most = 0
        for chosen in combinations(range(n), size):
            parts = [by_appearance([z[i] for i in chosen]) for z in draws]
            most = max(most, max(parts.count(p) for p in set(parts)))
        best.append(most / len(draws))
    return best
