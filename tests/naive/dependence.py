"""Oracles for dependent objects and sampled truth: plain loops over objects and pairs."""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations, permutations


# -- sampled truth ----------------------------------------------------------------------------
def cluster_numbers(predicted, truth, cluster):
    """n11, P, Q, a, c, hit, B-cubed numerators of one true cluster, object by object."""
    inside = [k for k, e in enumerate(truth) if e == cluster]
    fellows = {k: [m for m in range(len(predicted)) if predicted[m] == predicted[k]]
               for k in inside}
    joined = sum(predicted[k] == predicted[m] for k, m in combinations(inside, 2))
    linked = sum(len(fellows[k]) - 1 for k in inside) / 2
    both = {k: sum(truth[m] == cluster for m in fellows[k]) for k in inside}
    hit = all(sorted(fellows[k]) == inside for k in inside)
    a = len(inside)
    return {"n11": joined, "P": a * (a - 1) / 2, "Q": linked, "a": a,
            "c": sum(1 / len(fellows[k]) for k in inside), "hit": float(hit),
            "bp": sum(both[k] / len(fellows[k]) for k in inside),
            "br": sum(both[k] / a for k in inside), "one": 1.0}


def estimate(name, totals, n):
    """A measure of estimated totals."""
    t = totals
    if name == "adjusted_rand_index":
        scale, pairs = n / t["a"], n * (n - 1) / 2
        both, p, q = (scale * t[k] for k in ("n11", "P", "Q"))
        return (both - p * q / pairs) / ((p + q) / 2 - p * q / pairs)
    errors = t["P"] + t["Q"] - 2 * t["n11"]
    over, under = {
        "pair_precision": (t["n11"], t["Q"]), "pair_recall": (t["n11"], t["P"]),
        "pair_f1": (2 * t["n11"], t["P"] + t["Q"]),
        "jaccard_index": (t["n11"], t["P"] + t["Q"] - t["n11"]),
        "rand_index": (t["a"] * (n - 1) / 2 - errors, t["a"] * (n - 1) / 2),
        "bcubed_precision": (t["bp"], t["a"]), "bcubed_recall": (t["br"], t["a"]),
        "cluster_precision": (t["hit"], t["c"]), "cluster_recall": (t["hit"], t["one"]),
        "cluster_f1": (2 * t["hit"], t["c"] + t["one"]),
    }[name]
    return over / under


def sampled(name, predicted, truth, units, probabilities):
    """Value and standard error; units are (true cluster, share of it) with their probabilities.

    The derivative with respect to each unit's weight is taken numerically.
    """
    n, rows = len(predicted), []
    for cluster, share in units:
        numbers = cluster_numbers(predicted, truth, cluster)
        rows.append({k: v * share for k, v in numbers.items()})

    def value(weights):
        return estimate(name, {k: sum(w * row[k] for w, row in zip(weights, rows))
                               for k in rows[0]}, n)

    weights = [1 / p for p in probabilities]
    total, k = 0.0, len(rows)
    for u in range(k):
        step = 1e-5 * weights[u]
        up, down = (weights[:u] + [weights[u] + s] + weights[u + 1:] for s in (step, -step))
        slope = (value(up) - value(down)) / (2 * step)
        total += (1 - probabilities[u]) * (weights[u] * slope) ** 2
    return value(weights), math.sqrt(k / (k - 1) * total)


# -- strata -----------------------------------------------------------------------------------
def together(x, y):
    """Pairs joined in both."""
    return sum(x[i] == x[j] and y[i] == y[j] for i, j in combinations(range(len(x)), 2))


def arrangements_within(y, strata):
    """All orders of y that keep each label in its stratum, equally likely, with repeats."""
    members = {h: [k for k, s in enumerate(strata) if s == h] for h in strata}
    orders = [list(y)]
    for inside in members.values():
        made = []
        for order in orders:
            for moved in permutations([order[k] for k in inside]):
                new = list(order)
                for k, label in zip(inside, moved):
                    new[k] = label
                made.append(new)
        orders = made
    return orders


def information(x, y):
    n = len(x)
    return sum(c / n * math.log(c * n / (list(x).count(a) * list(y).count(b)))
               for (a, b), c in Counter(zip(x, y)).items())


# -- groups -----------------------------------------------------------------------------------
def inflation(x, y, groups):
    """How much groups inflate squared deviations from independence, at least 1."""
    n = len(x)
    rows, cols = sorted(set(x)), sorted(set(y))
    p = {k: list(x).count(k) / n for k in rows}
    q = {k: list(y).count(k) / n for k in cols}

    def spread(units):
        z = []
        for unit in units:
            z.append({(k, m): sum(((x[i] == k) - p[k]) * ((y[i] == m) - q[m]) for i in unit)
                      for k in rows for m in cols})
        mean = {cell: sum(each[cell] for each in z) / n for cell in z[0]}
        g = len(units)
        return g / (g - 1) * sum((each[cell] - len(unit) * mean[cell]) ** 2
                                 for unit, each in zip(units, z) for cell in mean)

    inside = [[i for i in range(n) if groups[i] == g] for g in sorted(set(groups))]
    return max(1.0, spread(inside) / spread([[i] for i in range(n)]))


def batch_share(clusters, batch, within):
    """I(clusters; batch | within) / H(batch | within) by loops over classes and cells."""
    mutual = most = 0.0
    for name in set(within):
        rows = [i for i, w in enumerate(within) if w == name]
        m = len(rows)
        for b in {batch[i] for i in rows}:
            in_b = sum(batch[i] == b for i in rows)
            most -= in_b * math.log(in_b / m)
            for c in {clusters[i] for i in rows}:
                in_c = sum(clusters[i] == c for i in rows)
                both = sum(batch[i] == b and clusters[i] == c for i in rows)
                if both:
                    mutual += both * math.log(both * m / (in_b * in_c))
    return mutual / most
