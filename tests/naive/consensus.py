"""Consensus by trying all matchings of the members; imports nothing of ours."""

from itertools import permutations, product


def padded(member, width):
    """A member as rows of memberships with `width` columns."""
    rows = []
    for entry in member:
        if isinstance(entry, (int, float)):
            rows.append([1.0 if k == entry else 0.0 for k in range(width)])
        else:
            rows.append([*map(float, entry), *[0.0] * (width - len(entry))])
    return rows


def optimum(members, weights, width, method):
    """The least objective of SE, HE or HM over all matchings, with the best fit to each."""
    total = sum(weights)
    weights = [w / total for w in weights]
    members = [padded(m, width) for m in members]
    names = list(permutations(range(width)))
    best = float("inf")
    for chosen in product([names[0]], *[names] * (len(members) - 1)):
        value = 0.0
        for i in range(len(members[0])):
            rows = [[m[i][k] for k in columns] for m, columns in zip(members, chosen)]
            mean = [sum(w * row[k] for w, row in zip(weights, rows)) for k in range(width)]
            if method != "SE":
                first = mean.index(max(mean))
                mean = [1.0 if k == first else 0.0 for k in range(width)]
            for w, row in zip(weights, rows):
                gaps = [a - b for a, b in zip(mean, row)]
                value += w * sum(abs(g) if method == "HM" else g * g for g in gaps)
        best = min(best, value)
    return best


def partial_optimum(runs, weights, width, method):
    """The same for runs with None where an object is absent, which then costs nothing."""
    total = sum(weights)
    weights = [w / total for w in weights]
    names = list(permutations(range(width)))
    best = float("inf")
    for chosen in product([names[0]], *[names] * (len(runs) - 1)):
        value = 0.0
        for i in range(len(runs[0])):
            votes = [0.0] * width
            for run, columns, w in zip(runs, chosen, weights):
                if run[i] is not None:
                    votes[columns[run[i]]] += w
            held = sum(votes)
            if method == "SE":
                mean = [v / held for v in votes]
            else:
                first = votes.index(max(votes))
                mean = [1.0 if k == first else 0.0 for k in range(width)]
            for k, v in enumerate(votes):   # v of the weight is at the vertex k
                gaps = [m - (j == k) for j, m in enumerate(mean)]
                value += v * sum(abs(g) if method == "HM" else g * g for g in gaps)
        best = min(best, value)
    return best


def partial_pairs_bound(runs, weights, width):
    """Sum over pairs of runs of the least that the pair costs in SE, objects by 1/weight held."""
    total = sum(weights)
    weights = [w / total for w in weights]
    n = len(runs[0])
    held = [sum(w for run, w in zip(runs, weights) if run[i] is not None) for i in range(n)]
    bound = 0.0
    for b, first in enumerate(runs):
        for c in range(b):
            both = [i for i in range(n) if first[i] is not None and runs[c][i] is not None]
            bound += weights[b] * weights[c] * min(
                sum(2.0 / held[i] for i in both if columns[first[i]] != runs[c][i])
                for columns in permutations(range(width)))
    return bound


# -- by pairs of objects --------------------------------------------------------------------------
def pair_objective(members, weights, m, method):
    """GV3 and symmetric differences of rows of memberships, over all ordered pairs."""
    width = max([len(m[0]), *(1 + max(y) for y in members if isinstance(y[0], int)),
                 *(len(y[0]) for y in members if not isinstance(y[0], int))])
    m, value = padded(m, width), 0.0
    for w, member in zip(weights, members):
        y = padded(member, width)
        for i in range(len(m)):
            for j in range(len(m)):
                gap = sum(a * b for a, b in zip(m[i], m[j])) - sum(
                    a * b for a, b in zip(y[i], y[j]))
                value += w / sum(weights) * (gap * gap if method == "GV3" else abs(gap) / 2)
    return value


def pair_medians(members, weights):
    """Weighted sum of distances of co-memberships to the best value of each ordered pair, / 2."""
    n, value = len(members[0]), 0.0
    for i in range(n):
        for j in range(n):
            shares = [sum(a * b for a, b in zip(y[i], y[j])) for y in members]
            value += min(sum(w / sum(weights) * abs(share - best)
                             for w, share in zip(weights, shares)) for best in shares) / 2
    return value


def partitions(n):
    """All partitions of n objects, by first appearance."""
    if n == 0:
        yield []
        return
    for rest in partitions(n - 1):
        for label in range(max(rest, default=-1) + 2):
            yield [*rest, label]


def best_hard(members, weights, n_clusters=None):
    """The least sum of symmetric differences of all partitions."""
    n = len(members[0])
    best = float("inf")
    for z in partitions(n):
        if n_clusters is None or max(z) < n_clusters:
            best = min(best, sum(
                w * sum((z[i] == z[j]) != (y[i] == y[j]) for i in range(n) for j in range(i))
                for w, y in zip(weights, members)) / sum(weights))
    return best
