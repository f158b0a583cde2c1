"""The energy statistic of runs and its p-values, by loops over all splits."""

import math
from itertools import combinations, permutations, product


def statistic(old, new, d):
    def mean(pairs):
        pairs = list(pairs)
        return sum(d(a, b) for a, b in pairs) / len(pairs) if pairs else 0.0

    return (2 * mean((a, b) for a in old for b in new) - mean(combinations(old, 2))
            - mean(combinations(new, 2)))


def splits(count, m):
    for chosen in combinations(range(count), m):
        yield chosen, [k for k in range(count) if k not in chosen]


def p_value(runs, m, d):
    """Of runs by index: the first m are old."""
    values = [statistic(*parts, lambda a, b: d(runs[a], runs[b]))
              for parts in splits(len(runs), m)]
    return sum(v >= values[0] - 1e-12 for v in values) / len(values)


def object_distance(i):
    def d(a, b):
        inside, other = ({j for j, k in enumerate(run) if k == run[i]} for run in (a, b))
        return math.sqrt(1 - len(inside & other) / max(len(inside), len(other)))
    return d


def objects(runs, m):
    """Statistic of each object, and the share of splits whose largest is at least as large."""
    n, tables = len(runs[0]), []
    for parts in splits(len(runs), m):
        tables.append([statistic(*([runs[k] for k in side] for side in parts), object_distance(i))
                       for i in range(n)])
    own = tables[0]
    return own, [sum(max(row) >= own[i] - 1e-12 for row in tables) / len(tables)
                 for i in range(n)]


# -- runs in pairs of one seed ---------------------------------------------------------------------
def paired_statistic(old, new, d):
    """Partners are left out of the mean between versions."""
    m = len(old)
    pairs = [(i, j) for i in range(m) for j in range(m) if i != j]

    def mean(a, b):
        return sum(d(a[i], b[j]) for i, j in pairs) / len(pairs)

    return 2 * mean(old, new) - mean(old, old) - mean(new, new)


def paired_p(old, new, d):
    """Over all exchanges of partners."""
    values = []
    for turned in product((False, True), repeat=len(old)):
        sides = [(b, a) if turn else (a, b) for a, b, turn in zip(old, new, turned)]
        values.append(paired_statistic(*zip(*sides), d))
    return sum(v >= values[0] - 1e-12 for v in values) / len(values)


def seeds_p(old, new, d):
    """Share of matchings whose partners are at least as close as in the order given."""
    m = len(old)
    sums = [sum(d(old[i], new[j]) for i, j in enumerate(order))
            for order in permutations(range(m))]
    return sum(v <= sums[0] + 1e-12 for v in sums) / len(sums)


def clusters(runs, m, reference):
    """Size, statistic and p-value of each cluster of a clustering."""
    members = {k: [i for i, label in enumerate(reference) if label == k] for k in set(reference)}
    tables = []
    for parts in splits(len(runs), m):
        sides = [[runs[k] for k in side] for side in parts]
        of_object = [statistic(*sides, object_distance(i)) for i in range(len(reference))]
        tables.append({k: sum(of_object[i] for i in inside) / len(inside)
                       for k, inside in members.items()})
    return {k: (len(members[k]), own, sum(max(row.values()) >= own - 1e-12 for row in tables)
                / len(tables)) for k, own in tables[0].items()}
