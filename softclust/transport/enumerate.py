"""The definition by brute force: every focal rough clustering, every labelling, plain Python.

For tiny inputs and for tests. Any base distance that does not depend on label names will do.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice, product
from typing import Any

import numpy as np

from .bases import Distance, Labels, base_distance, canonical
from .focal_transport import least_cost
from .plan import EndState
from .problem import LimitReached, Limits, Problem, Side, status_of

Rough = frozenset[Labels]
#: combinations handled between two looks at the clock
_SLICE = 2000


def enumerate_ends(problem: Problem, base: Any, limits: Limits) -> dict[str, EndState]:
    """Both ends and the value by listing everything; a bracket [0, most] when it is too much."""
    states = {end: EndState(low=0.0, high=float(problem.most), solver="enumerate")
              for end in ("lower", "upper", "value")}
    predicted = max(_count(problem.x), _count(problem.y))
    try:
        if predicted > limits.max_states:
            raise LimitReached("max_states")
        x, y = _law(problem.x, limits), _law(problem.y, limits)
        predicted = len(x) * len(y)
        if predicted > limits.max_states:
            raise LimitReached("max_states")
        values = _values(problem, x, y, base_distance(base), limits)
    except (LimitReached, KeyboardInterrupt) as stop:
        if problem.base not in ("rand", "partition"):
            # No bracket is known for such a base: half an answer would be none.
            if isinstance(stop, KeyboardInterrupt):
                raise
            raise ValueError(
                f"enumeration would visit {float(predicted):.3g} choices of labels and was "
                f"stopped by {stop.status}; raise that limit, or use method='sample'") from None
        status = status_of(stop)
        for state in states.values():
            state.status = status
            state.notes.append(f"enumerate: {float(predicted):.3g} choices of labels, "
                               f"max_states is {float(limits.max_states):.3g}")
        return states
    return {end: EndState(low=value, high=value, solver="enumerate", n_states=len(x) * len(y))
            for end, value in values.items()}


def _count(side: Side) -> int:
    """Choices of a focal set and a label in it, over all objects."""
    sizes = side.sets.sum(axis=1)
    return math.prod(int(sizes[row > 0].sum()) for row in side.mass)


def _law(side: Side, limits: Limits) -> dict[Rough, float]:
    """Probability of every set of compatible hard clusterings."""
    members = [tuple(np.flatnonzero(row).tolist()) for row in side.sets]
    focal = [[(members[k], float(row[k])) for k in np.flatnonzero(row)] for row in side.mass]
    law: dict[Rough, float] = {}
    chosen: Iterator[Any] = product(*focal)
    while block := list(islice(chosen, _SLICE)):
        limits.check(text="listing focal clusterings")
        for sets in block:
            compatible = frozenset(map(canonical, product(*(labels for labels, _ in sets))))
            law[compatible] = law.get(compatible, 0.0) + math.prod(m for _, m in sets)
    return law


def _values(problem: Problem, x: dict[Rough, float], y: dict[Rough, float], distance: Distance,
            limits: Limits) -> dict[str, float]:
    kept = cache(distance)
    ends = cache(lambda a, b: extremes(a, b, kept))
    closest, farthest = np.zeros((len(x), len(y))), np.zeros((len(x), len(y)))
    for i, a in enumerate(x):
        limits.check(i / len(x), "enumerating")
        for j, b in enumerate(y):
            closest[i, j], farthest[i, j] = ends(a, b)
    p, q = np.array(list(x.values())), np.array(list(y.values()))
    p, q = p / p.sum(), q / q.sum()
    value = (1.0 - problem.alpha) * closest + problem.alpha * farthest
    return {end: least_cost(p, q, cost, limits).low
            for end, cost in (("lower", closest), ("upper", farthest), ("value", value))}


def extremes(a: Iterable[Labels], b: Iterable[Labels], distance: Distance) -> tuple[float, float]:
    """Closest and Hausdorff distance of two sets of labellings."""
    table = [[distance(u, v) for v in b] for u in a]
    return min(map(min, table)), max(max(map(min, table)), max(map(min, zip(*table))))
