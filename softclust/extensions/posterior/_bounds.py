"""Lower bounds on the expected loss of any partition."""

from __future__ import annotations

import math
import time

import numpy as np

from ...ensembles.consensus_search import transport_bound
from ...running.threads import run_chunks
from . import _kernels
from ._draws import Sample
from ._losses import LossRule, between, sums_of_sizes

#: compares of labels for the bound by pairs; objects for that by triangles and that by objects
_PAIR_WORK, _TRIANGLES, _OBJECTS = 2e11, 300, 2000
#: compares that are made also when time is up
_SOON = 1e9
#: draws that are coupled at once; beyond so many, in blocks of so many; the same with weights
_TOGETHER, _BLOCK, _WEIGHTED = 1000, 200, 60
#: entries of a block of rows of the matrix of pairs
_ROWS = 1 << 21


def lower_bound(draws: Sample, rule: LossRule, rng: np.random.Generator,
                deadline: float = math.inf) -> float:
    """The largest of the bounds that hold for a loss; nan for omari."""
    if not rule.triangle:
        return math.nan
    draws = draws.that_count()
    bounds = [0.0]
    work = draws.n_objects**2 * draws.n_distinct
    pairs = work <= (_PAIR_WORK if time.time() < deadline else _SOON)
    if rule.name == "binder" and pairs:
        bounds.append(pair_bound(draws, rule.a))
    if rule.name == "vi" and pairs and draws.n_objects <= _OBJECTS:
        bounds.append(object_bound(draws, rule.a))
    bounds.append(coupling_bound(draws, rule, rng, deadline))
    return max(bounds)


# -- pairs of objects -------------------------------------------------------------------------
def pair_rows(draws: Sample, by_object: np.ndarray, start: int, stop: int) -> np.ndarray:
    """p_ij of the objects i = start, ..., stop - 1, for j > i; else 0; (stop - start, n)."""
    out = np.zeros((stop - start, draws.n_objects))
    if (draws.weights == 1.0).all():
        _kernels.pairs.counted_together(by_object, start, stop, out)
    else:
        _kernels.pairs.together(by_object, draws.weights, start, stop, out)
    return out / float(draws.weights.sum())


def pair_matrix(draws: Sample) -> np.ndarray:
    """p_ij of all pairs, (n, n), diagonal 1."""
    n, by_object = draws.n_objects, np.ascontiguousarray(draws.rows.T)
    out = np.zeros((n, n))

    def work(start: int, stop: int) -> None:
        out[start:stop] = pair_rows(draws, by_object, start, stop)

    run_chunks(work, n, max(1, _ROWS // (n + draws.n_distinct)))
    out += out.T
    np.fill_diagonal(out, 1.0)
    return np.minimum(out, 1.0)


def pair_bound(draws: Sample, a: float) -> float:
    """Binder: each pair pays its less expensive side, and bad triangles more."""
    n = draws.n_objects
    if n <= _TRIANGLES:
        p = pair_matrix(draws)
        excess = np.triu(a * p - (2.0 - a) * (1.0 - p), 1)
        upper = np.triu_indices(n, 1)
        cheapest = math.fsum(np.minimum(a * p[upper], (2.0 - a) * (1.0 - p[upper])))
        return 2.0 * (cheapest + triangles(excess)) / n**2
    by_object = np.ascontiguousarray(draws.rows.T)
    height = max(1, _ROWS // n)
    sums = np.zeros(-(-n // height))

    def work(first: int, last: int) -> None:
        for b in range(first, last):
            start, stop = b * height, min(n, (b + 1) * height)
            rows = pair_rows(draws, by_object, start, stop)
            sums[b] = np.minimum(a * rows, (2.0 - a) * (1.0 - rows)).sum()

    run_chunks(work, sums.size, 1)
    return 2.0 * math.fsum(sums) / n**2


def triangles(excess: np.ndarray) -> float:
    """The contribution of bad triangles, the largest first."""
    none = np.empty(0, np.int64)
    codes = np.empty(_kernels.pairs.bad_triangles(excess, none, np.empty(0)), np.int64)
    surplus = np.empty(codes.size)
    _kernels.pairs.bad_triangles(excess, codes, surplus)
    order = np.argsort(-surplus, kind="stable")
    return float(_kernels.pairs.packed_triangles(excess.copy(), codes[order]))


def object_bound(draws: Sample, a: float) -> float:
    """vi: for each object the cluster that suits it best, by Jensen's inequality."""
    n = draws.n_objects
    p = pair_matrix(draws)
    ordered = np.ascontiguousarray(-np.sort(-p, axis=1))
    out = np.empty(n)
    _kernels.pairs.least_information(ordered, a, out)
    drawn = sums_of_sizes(draws, LossRule("vi", a).f(n))
    return max(0.0, (a * draws.mean(drawn) + math.fsum(out)) / n)


# -- couplings of draws -----------------------------------------------------------------------
def coupling_bound(draws: Sample, rule: LossRule, rng: np.random.Generator,
                   deadline: float = math.inf) -> float:
    """Half the mean loss between coupled draws: an estimate lies between any two of them."""
    plain = rule.plain
    f = plain.f(draws.n_objects)
    drawn = sums_of_sizes(draws, f)

    # Draws that are coupled with each other, and their weights.
    if draws.whole:
        each = np.repeat(np.arange(draws.n_distinct), draws.counts)
        size = each.size if each.size <= _TOGETHER else _BLOCK
        order = each if each.size <= _TOGETHER else rng.permutation(each)
        ones = np.ones(each.size)
    else:
        order = rng.permutation(draws.n_distinct)
        size, ones = _WEIGHTED, draws.weights[order]
    blocks = [(order[lo:lo + size], ones[lo:lo + size]) for lo in range(0, order.size, size)]
    sums = np.zeros(len(blocks))

    def work(first: int, last: int) -> None:
        for b in range(first, last):
            if b and time.time() > deadline:
                return   # left alone, a draw is coupled with itself
            chosen, weights = blocks[b]
            distinct, place = np.unique(chosen, return_inverse=True)
            cost = between(distinct, draws, plain, drawn, f)
            cost = cost[np.ix_(place, place)]
            sums[b] = weights.sum() * transport_bound(cost, weights / weights.sum())

    run_chunks(work, len(blocks), 1)
    return min(rule.a, 2.0 - rule.a) * math.fsum(sums) / math.fsum(draws.weights)
