"""The energy statistic of runs and its p-values, by loops over all splits."""

import math
from itertools import combinations


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
