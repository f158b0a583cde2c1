"""The most alike completion for the Fowlkes-Mallows index, when y is complete.

With w and x twice the pairs together in both and in x, a table beats the level l when
l sqrt(x) - w < 0. The square root lies above its chord on an interval of x, and where beta <= 1 the
table of least beta x - w keeps types whole: its slope bounds l sqrt(x) - w on the interval.
"""

from __future__ import annotations

import math

import numpy as np

from .problem import Problem
from .ratios import Costs
from .whole import Found, Limits, WholeTypes

#: of bounds, as a share of n^2: sums of doubles are not exact
MARGIN = 1e-14


def most_alike_by_root(problem: Problem, limits: Limits, any_cluster: bool) -> Found | None:
    """The table of the greatest index; None where whole types are not proved best."""
    a = problem.table.sum(axis=1)
    square = _pairs(problem.table.sum(axis=0) + problem.columns)
    gaps = int(problem.columns.sum())
    most = max((_pairs(np.append(np.delete(a, k), a[k] + gaps)) for k in range(a.size)),
               default=gaps * (gaps - 1))
    if not (problem.one_side and square):
        return None
    best, level, nodes = None, 0.0, 0
    intervals = [(_pairs(a), max(most, gaps * (gaps - 1)))]
    while intervals:
        u, v = intervals.pop()
        beta = level / (math.sqrt(u) + math.sqrt(v)) if v else 1.0
        if beta > 1.0:
            return None
        search = WholeTypes(problem, any_cluster, Costs(alpha=1.0, beta=beta or 0.5, pairs=True),
                            limits)
        table = search.run()
        nodes += search.n_nodes
        x, w = _pairs(table.sum(axis=1)), _pairs(table)
        if x and (best is None or w / math.sqrt(x) > level * (1.0 + 1e-15)):
            best, level = table, w / math.sqrt(x)
            intervals.append((u, v))   # once more, with the higher level
            continue
        if best is None:
            return None
        if not search.finished:
            return Found(table=best, level=level / math.sqrt(square), exact=False, n_nodes=nodes)
        low = level * math.sqrt(u) + beta * (x - u) - w
        if low < -MARGIN * problem.n**2 and u < v:
            middle = min(max(x, u), v - 1)
            intervals += [(u, middle), (middle + 1, v)]
    if best is None:
        return None
    return Found(table=best, level=level / math.sqrt(square), exact=True, n_nodes=nodes)


def _pairs(counts: np.ndarray) -> int:
    return int((counts * (counts - 1)).sum())
