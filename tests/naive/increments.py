"""Single linkage with isolation tests, as in the pseudocode, with all distances at hand."""

import math


def increment_mean(x, members):
    """Mean increment of a cluster."""
    return sum(increments_of(x, members)) / len(members)


def increments_of(x, members):
    """|d(i, j) - d(j, k)|: j nearest to i, k nearest to j other than i, in the cluster."""
    found = []
    for i in members:
        j = min((math.dist(x[i], x[v]), v) for v in members if v != i)[1]
        k = min((math.dist(x[j], x[v]), v) for v in members if v not in (i, j))[1]
        found.append(abs(math.dist(x[i], x[j]) - math.dist(x[j], x[k])))
    return found


def linkage(x, isolate):
    """Merges as (set of objects, height), and the isolated clusters.

    isolate(x, a, height of a, b, height of b, distance) gives those of a, b to be frozen.
    """
    active = [(frozenset([i]), 0.0) for i in range(len(x))]
    frozen, merges = [], []
    while len(active) > 1:
        d, a, b = _closest(x, active)
        stopped = isolate(x, sorted(a[0]), a[1], sorted(b[0]), b[1], d)
        active = [c for c in active if c not in (a, b)]
        if stopped:
            frozen += [c for c in (a, b) if sorted(c[0]) in stopped]
            active += [c for c in (a, b) if sorted(c[0]) not in stopped]
        else:
            active.append((a[0] | b[0], d))
            merges.append((a[0] | b[0], d))
    isolated = [c[0] for c in frozen]
    active += frozen
    while len(active) > 1:
        d, a, b = _closest(x, active)
        active = [c for c in active if c not in (a, b)] + [(a[0] | b[0], d)]
        merges.append((a[0] | b[0], d))
    return merges, isolated


def gap_test(alpha, min_size):
    def isolate(x, a, height_a, b, height_b, d):
        stopped = []
        for c, h in ((a, height_a), (b, height_b)):
            if len(c) >= min_size:
                mean = increment_mean(x, c)
                if mean > 0 and d - h >= alpha * mean:
                    stopped.append(c)
        return stopped
    return isolate


def length_test(min_size):
    def isolate(x, a, height_a, b, height_b, d):
        if min(len(a), len(b)) < min_size:
            return []
        merged = description(x, sorted(a + b)) <= description(x, a) + description(x, b)
        return [] if merged else [a, b]
    return isolate


def description(x, members):
    mean = increment_mean(x, members)
    logs = [math.log(density(w, mean)) for w in increments_of(x, members)]
    return -sum(logs) + math.log(len(members)) / 2


def density(w, mean):
    b = 2 - math.sqrt(2)
    q = math.pi * b**2 / (4 * mean**2)
    return (q * w * math.exp(-q * w**2)
            + math.pi**2 * b**3 / (8 * math.sqrt(2) * mean**3)
            * (4 * mean**2 / (math.pi * b**2) - w**2) * math.exp(-q * w**2 / 2)
            * math.erfc(math.sqrt(math.pi) * b * w / (2 * math.sqrt(2) * mean)))


def _closest(x, active):
    return min(((min(math.dist(x[i], x[j]) for i in a[0] for j in b[0]), a, b)
                for t, a in enumerate(active) for b in active[:t]), key=lambda c: c[0])
