"""Pair dissimilarities summed over pairs of objects: NumPy for few objects, a kernel for many."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .._parallel import Progress
from . import _kernels
from ._features import Side, run_triangle
from .bilinear import column_sums

#: objects up to which no kernel is compiled
SMALL = 512
#: objects at a time, of a block
_ROWS = 32
#: said when all pairs take more than a minute
_ADVICE = ("softclust.alpha_rand_estimate gives the index from random pairs, with its uncertainty, "
           "in seconds.")

Masses = tuple[np.ndarray, np.ndarray, np.ndarray]


def pair_forms(first: Masses, second: Masses) -> list[np.ndarray]:
    """(r_0, r_1/2, r_1, d_belief) of pairs with these masses: same, undetermined, non-empty."""
    (s1, t1, g1), (s2, t2, g2) = first, second
    more = g2 >= g1   # the side with more empty mass is named first, by the sign
    sign = np.where(more, 1.0, -1.0)
    e = np.abs(g2 - g1)
    ds, dt = sign * (s1 - s2), sign * (t1 - t2)
    dn = -(e + ds + dt)
    p = np.maximum(ds, 0.0) + np.maximum(dn, 0.0)
    r = np.maximum(p + dt, 0.0)
    least = np.maximum(np.where(more, t2, t1), 0.0)
    return [e + np.maximum(p - least, 0.0), e + 0.5 * (p + r), e + np.maximum(p, r),
            0.5 * (np.abs(ds) + np.abs(dn) + e)]


def credal_forms(first: Masses, second: Masses) -> list[np.ndarray]:
    """(d_jousselme, conflict) of pairs with these masses [eq. 36; section 2.3.1]."""
    (s1, t1, g1), (s2, t2, g2) = first, second
    n1, n2 = np.maximum(g1 - s1 - t1, 0.0), np.maximum(g2 - s2 - t2, 0.0)
    ds, dt, de = s1 - s2, t1 - t2, g2 - g1
    dn = -(ds + dt + de)
    square = 0.5 * (ds * ds + dn * dn + dt * dt + de * de + (ds + dn) * dt)
    return [np.sqrt(np.maximum(square, 0.0)), 1.0 - g1 * g2 + (s1 * n2 + n1 * s2)]


def forms_of_masses(m1: np.ndarray, m2: np.ndarray) -> list[np.ndarray]:
    """`pair_forms` of masses (..., 4) on same, different, undetermined and the empty set."""
    first, second = ((m[..., 0], m[..., 2], m[..., 0] + m[..., 1] + m[..., 2]) for m in (m1, m2))
    return pair_forms(first, second)


def block_forms(first: Side, second: Side, rows: slice, columns: slice, credal: bool = False
                ) -> list[np.ndarray]:
    """The forms of the pairs of rows and columns."""
    one, two = first.masses(rows, columns), second.masses(rows, columns)
    if first.memberships and second.memberships and not credal:
        return 4 * [np.abs(one[0] - two[0])]
    return pair_forms(one, two) + (credal_forms(one, two) if credal else [])


def pair_rows(first: Side, second: Side, weights: np.ndarray, *, credal: bool = False,
              every: bool = False, objects: int | None = None,
              progress: Progress | bool | None = None) -> np.ndarray:
    """Sums over j > i of w_j times each form, (n, 4); (n, 6) with `credal`.

    With `every` over all j except i, of the first `objects` objects.
    """
    n = weights.shape[0]
    out = np.zeros((n if objects is None else objects, 6))
    if n > SMALL:
        kernels = _kernels.relations

        def work(start: int, stop: int) -> None:
            kernels.relation_rows(*first.arguments, *second.arguments, weights, credal, every,
                                  start, stop, out)

        run_triangle(work, n, kernels.BLOCK, 2 * (first.depth + second.depth) + 20,
                     progress=progress, advice=_ADVICE, objects=out.shape[0] if every else None)
        return out if credal else out[:, :4]
    place = np.arange(n)
    for start in range(0, out.shape[0], _ROWS):
        rows = slice(start, min(start + _ROWS, out.shape[0]))
        columns = slice(0 if every else start, n)
        own, others = place[rows, None], place[columns]
        w = weights[columns] * ((others != own) if every else (others > own))
        for q, form in enumerate(block_forms(first, second, rows, columns, credal)):
            out[rows, q] = (form * w).sum(axis=1)
    return out if credal else out[:, :4]


def pair_totals(first: Side, second: Side, copies: np.ndarray | None = None, *,
                credal: bool = False, progress: Progress | bool | None = None) -> np.ndarray:
    """Sums over all pairs of each form, (4,) or (6,); of copies[i] objects equal to object i."""
    n = first.g.shape[0]
    weights = np.ones(n) if copies is None else copies
    if first.memberships and second.memberships and not credal:
        totals = np.repeat(membership_totals([first, second], [(0, 1)], weights,
                                             progress=progress), 4)
    else:
        rows = pair_rows(first, second, weights, credal=credal, progress=progress)
        totals = column_sums(rows * weights[:, None])
    if copies is None:
        return totals
    # the pairs of equal objects
    one, two = (_own_masses(z) for z in (first, second))
    own = pair_forms(one, two) + (credal_forms(one, two) if credal else [])
    return totals + column_sums(np.column_stack(own) * (0.5 * copies * (copies - 1.0))[:, None])


def _own_masses(z: Side) -> Masses:
    """Masses of each object with another one that is equal."""
    found = [np.concatenate(part) for part in zip(*(
        [m.diagonal() for m in z.masses(slice(i, i + _ROWS), slice(i, i + _ROWS))]
        for i in range(0, z.g.shape[0], _ROWS)))]
    return found[0], found[1], found[2]


def membership_totals(sides: Sequence[Side], pairs: Sequence[tuple[int, int]],
                      weights: np.ndarray, *, progress: Progress | bool | None = None
                      ) -> np.ndarray:
    """Sums over i < j of w_i w_j |s_k - s_l| for the pairs (k, l) of memberships, (P,)."""
    n = weights.shape[0]
    if n <= SMALL:
        totals = np.zeros((-(-n // _ROWS), len(pairs)))
        place = np.arange(n)
        for b, start in enumerate(range(0, n, _ROWS)):
            rows, columns = slice(start, start + _ROWS), slice(start, n)
            w = (weights[rows, None] * weights[columns]
                 * (place[columns] > place[rows, None])).ravel()
            same = [z.masses(rows, columns)[0].ravel() for z in sides]
            for p, (k, m) in enumerate(pairs):
                totals[b, p] = (np.abs(same[k] - same[m]) * w).sum()
        return column_sums(totals)
    kernels = _kernels.relations
    # Each side gets an even number of features.
    depths = [2 * -(-z.same.shape[0] // 2) for z in sides]
    starts = np.concatenate([[0], np.cumsum(depths)]).astype(np.int64)
    x = np.zeros((starts[-1], n))
    for start, z in zip(starts, sides):
        x[start:start + z.same.shape[0]] = z.same
    sums = np.empty((-(-n // kernels.BLOCK), len(pairs)))
    which = np.array(pairs, np.int64).reshape(-1, 2)
    run_triangle(lambda start, stop: kernels.membership_blocks(
        x, starts, which, weights, start, stop, sums), n, kernels.BLOCK,
        x.shape[0] + 3 * len(pairs), progress=progress, advice=_ADVICE)
    return column_sums(sums)
