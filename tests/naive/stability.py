"""Stability of runs by the definitions, with loops and fractions; imports nothing of ours.

A run is a list with None where an object is absent.
"""

from fractions import Fraction
from itertools import combinations, permutations, product


def pair_shares(runs, weights=None):
    """{(i, j): share of the runs that hold both and join them}, and pairs that no run holds."""
    weights = weights or [1] * len(runs)
    shares, never = {}, 0
    for i, j in combinations(range(len(runs[0])), 2):
        both = [(run, Fraction(w)) for run, w in zip(runs, weights)
                if run[i] is not None and run[j] is not None and w > 0]
        if both:
            joined = sum(w for run, w in both if run[i] == run[j])
            shares[i, j] = joined / sum(w for _, w in both)
        else:
            never += 1
    return shares, never


def pac(shares, lower=0.1, upper=0.9, *, open_end=False):
    """Share of pairs between two limits, compared as floats."""
    inside = [v for v in shares.values()
              if lower < float(v) and (float(v) < upper if open_end else float(v) <= upper)]
    return Fraction(len(inside), len(shares))


def area_under_cdf(shares):
    """Integral from 0 to 1 of the share of pairs with at most t."""
    ordered = sorted(shares.values())
    return sum((Fraction(1) - v for v in ordered), Fraction(0)) / len(ordered)


def best_jaccard(reference, run, k):
    """Largest Jaccard index of cluster k, on the run's objects, with a cluster of the run."""
    held = {i for i, label in enumerate(run) if label is not None}
    own = {i for i in held if reference[i] == k}
    if not own:
        return None
    return max(Fraction(len(own & other), len(own | other))
               for other in ({i for i in held if run[i] == label}
                             for label in {run[i] for i in held}))


def pooled_consensus(reference, runs, k):
    """Share of the pairs of cluster k, in all runs that hold them, that are together."""
    together = total = 0
    for run in runs:
        for i, j in combinations([i for i, v in enumerate(reference) if v == k], 2):
            if run[i] is not None and run[j] is not None:
                total += 1
                together += run[i] == run[j]
    return Fraction(together, total) if total else None


def mean_of_pairs(reference, runs, k):
    """Mean over pairs of cluster k of each pair's own share."""
    own = [i for i, v in enumerate(reference) if v == k]
    shares, _ = pair_shares([[run[i] for i in own] for run in runs]) if len(own) > 1 else ({}, 0)
    return sum(shares.values()) / len(shares) if shares else None


def company(reference, runs, i, q):
    """How often object i is together with the other objects of cluster q."""
    together = total = 0
    for run in runs:
        if run[i] is None:
            continue
        for j, cluster in enumerate(reference):
            if cluster == q and j != i and run[j] is not None:
                total += 1
                together += run[j] == run[i]
    return Fraction(together, total) if total else None


def walk_similarity(x, y, damping=0.9):
    """Element-centric similarity of complete labels by random walks, by object.

    From an object on to one of its cluster at random; PageRank with restart at the object.
    """
    def ranks(labels):
        n = len(labels)
        step = [[(labels[i] == labels[j]) / labels.count(labels[i]) for j in range(n)]
                for i in range(n)]
        rows = []
        for start in range(n):
            row = [float(j == start) for j in range(n)]
            for _ in range(400):
                row = [(1 - damping) * (j == start) + damping * sum(
                    row[i] * step[i][j] for i in range(n)) for j in range(n)]
            rows.append(row)
        return rows
    return [1 - sum(abs(a - b) for a, b in zip(p, q)) / (2 * damping)
            for p, q in zip(ranks(x), ranks(y))]


def consistency(runs, damping=0.9):
    """Mean similarity of each object over pairs of runs, on their common objects."""
    found = [[] for _ in runs[0]]
    for x, y in combinations(runs, 2):
        both = [i for i in range(len(x)) if x[i] is not None and y[i] is not None]
        for i, value in zip(both, walk_similarity([x[i] for i in both], [y[i] for i in both],
                                                  damping)):
            found[i].append(value)
    return [sum(v) / len(v) if v else None for v in found]


def transfer_share(x, y):
    """Least share of common objects outside of a matching of labels, by trying all matchings."""
    both = [(a, b) for a, b in zip(x, y) if a is not None and b is not None]
    rows, columns = sorted({a for a, _ in both}), sorted({b for _, b in both})
    width = max(len(rows), len(columns))
    columns = columns + [("none", k) for k in range(width - len(columns))]
    best = max(sum((a, b) in set(zip(rows, chosen)) for a, b in both)
               for chosen in permutations(columns, len(rows)))
    return Fraction(len(both) - best, len(both))


def instability(runs):
    """Mean of `transfer_share` over pairs of runs with a common object."""
    shares = [transfer_share(x, y) for x, y in combinations(runs, 2)
              if any(a is not None and b is not None for a, b in zip(x, y))]
    return sum(shares) / len(shares)


def null_instability(k, n):
    """Mean share to move between two uniform labellings, over all pairs of them."""
    labels = list(product(range(k), repeat=n))
    total = sum((transfer_share(x, y) for x in labels for y in labels), Fraction(0))
    return total / len(labels) ** 2
