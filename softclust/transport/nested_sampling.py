"""Nested sampling as in the paper (S-RI, S-PD): for replication only.

Focal rough clusterings are drawn, inside each some labellings, and the extremes and the transport
of what was drawn are taken for those of the whole. Both steps are biased (transport.md, G).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .._random import as_generator, spawn
from .bases import Distance, base_distance, canonical
from .enumerate import extremes
from .focal_transport import least_cost
from .plan import EndState, solve
from .problem import Finding, LimitReached, Limits, Problem, Sampling, Side, status_of


def sample_ends(problem: Problem, base: Any, limits: Limits) -> dict[str, EndState]:
    """Estimates of both ends and the value; certificates from the cheap bounds."""
    states = _certificates(problem, limits)
    distance = base_distance(base)
    for end, draws in _draw(problem, distance, limits).items():
        states[end].draws = draws
        if draws.status != "ok":
            states[end].status = draws.status
    return states


def _certificates(problem: Problem, limits: Limits) -> dict[str, EndState]:
    if problem.base in ("rand", "partition"):
        states = solve(problem, "certified", limits)
        # Ends that share a state must not share what is estimated.
        return {end: EndState(low=s.low, high=s.high, solver=s.solver, notes=list(s.notes),
                              n_nodes=s.n_nodes) for end, s in states.items()}
    return {end: EndState(low=-math.inf, high=math.inf) for end in ("lower", "upper", "value")}


def _draw(problem: Problem, distance: Distance, limits: Limits) -> dict[str, Finding]:
    """The three estimates, in raw units."""
    sampling = problem.sampling
    rng = as_generator(sampling.rng)
    x_rng, y_rng = spawn(rng, 2)
    size = sampling.n_draws or (1000 if problem.point_mass else 100)
    logical = [side.kind in ("hard", "rough") for side in (problem.x, problem.y)]
    status = "ok"
    x = _labellings(problem.x, size if not logical[0] or all(logical) else 1, x_rng, sampling)
    y = _labellings(problem.y, size if not logical[1] or all(logical) else 1, y_rng, sampling)
    if all(logical):
        # Two point masses: one pair of samples, all draws pooled. Extremes need each but once.
        x, y = ([list(dict.fromkeys(u for drawn in side for u in drawn))] for side in (x, y))
    closest, farthest = np.zeros((len(x), len(y))), np.zeros((len(x), len(y)))
    done = 0
    try:
        for i, a in enumerate(x):
            for j, b in enumerate(y):
                limits.check(done / (len(x) * len(y)), "nested sampling")
                closest[i, j], farthest[i, j] = extremes(a, b, distance)
                done += 1
    except (LimitReached, KeyboardInterrupt) as stop:
        status = status_of(stop)
    rows, columns = (done // len(y), len(y)) if len(x) > 1 else (min(done, 1), done)
    closest, farthest = closest[:rows, :columns], farthest[:rows, :columns]
    found = {}
    for end in ("lower", "upper", "value"):
        alpha = problem.alpha_of(end)
        cost = (1.0 - alpha) * closest + alpha * farthest
        estimate = math.nan
        if cost.size:
            p = np.full(cost.shape[0], 1.0 / cost.shape[0])
            q = np.full(cost.shape[1], 1.0 / cost.shape[1])
            estimate = least_cost(p, q, cost, Limits()).high
        found[end] = Finding(solver="nested sampling", estimate=estimate,
                             n_draws=max(cost.shape), status=status)
    return found


def _labellings(side: Side, size: int, rng: np.random.Generator, sampling: Sampling
                ) -> list[list[tuple[int, ...]]]:
    """`size` focal rough clusterings, each as distinct labellings drawn uniformly inside."""
    cumulated = np.cumsum(side.mass, axis=1)
    cumulated[:, -1] = np.inf
    order = np.argsort(~side.sets, axis=1, kind="stable")   # labels of each set first
    sizes = side.sets.sum(axis=1)
    drawn = []
    for child in spawn(rng, size):
        focal = (child.random(side.n)[:, None] >= cumulated).sum(axis=1)
        inner = 1 if bool((sizes[focal] == 1).all()) else sampling.n_inner
        position = (child.random((inner, side.n)) * sizes[focal]).astype(np.int64)
        labels = order[focal[None, :], position]
        drawn.append(list(dict.fromkeys(canonical(row.tolist()) for row in labels)))
    return drawn
