"""Transfer distance over all completions: one matching for the low end, one integer programme for
the high end.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .problem import IncompleteTable


@dataclass(frozen=True, slots=True, kw_only=True)
class Transfer:
    """An end of the transfer distance: a table, and the certificate."""

    table: np.ndarray
    bound: float
    exact: bool


def transfer_of(table: np.ndarray) -> int:
    """Objects outside the best matching of rows and columns."""
    from scipy.optimize import linear_sum_assignment
    rows, columns = linear_sum_assignment(-table)
    return int(table.sum() - table[rows, columns].sum())


def least_transfer(problem: IncompleteTable, any_cluster: bool) -> Transfer:
    """Smallest transfer distance: every gap is filled so that it counts in a best matching."""
    from scipy.optimize import linear_sum_assignment
    r, s = problem.shape
    reachable = problem.table if any_cluster else (
        problem.table + problem.rows[:, None] + problem.columns[None])
    i, j = linear_sum_assignment(-reachable)
    full = problem.grown() if any_cluster else problem
    table = full.table.copy()
    partner_of_row, partner_of_column = dict(zip(i.tolist(), j.tolist())), dict(
        zip(j.tolist(), i.tolist()))
    new_row, new_column = r, s
    for k in np.flatnonzero(problem.rows).tolist():
        column = partner_of_row.get(k)
        if column is None:
            column, new_column = (new_column, new_column + 1) if any_cluster else (0, new_column)
        table[k, column] += problem.rows[k]
    for m in np.flatnonzero(problem.columns).tolist():
        row = partner_of_column.get(m)
        if row is None:
            row, new_row = (new_row, new_row + 1) if any_cluster else (0, new_row)
        table[row, m] += problem.columns[m]
    if problem.both:
        k, m = (int(i[0]), int(j[0])) if i.size else (new_row, new_column)
        table[k, m] += problem.both
    return Transfer(table=table, bound=transfer_of(table), exact=True)


def most_transfer(problem: IncompleteTable, time_limit: float | None) -> Transfer:
    """Largest transfer distance over the completions with clusters that occur.

    By duality it is the least sum of u and v >= 0 with u_k + v_l >= N_kl: an integer programme
    in u, v and what each gap adds to N.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import coo_array
    r, s = problem.shape
    size = r * s
    parts = [name for name, some in (("rows", problem.rows.any()), ("columns",
             problem.columns.any()), ("both", problem.both > 0)) if some]
    if not parts:
        return Transfer(table=problem.table, bound=transfer_of(problem.table), exact=True)
    width = size * len(parts)
    cells = np.arange(size)
    rows, columns, values = [cells, cells], [width + cells // s, width + r + cells % s], [1.0, 1.0]
    equal: list[tuple[np.ndarray, np.ndarray]] = []
    totals: list[int] = []
    for p, name in enumerate(parts):
        rows.append(cells)
        columns.append(p * size + cells)
        values.append(-1.0)
        groups = {"rows": cells // s, "columns": cells % s, "both": cells * 0}[name]
        wanted = {"rows": problem.rows, "columns": problem.columns,
                  "both": np.array([problem.both])}[name]
        equal.append((len(totals) + groups, p * size + cells))
        totals += wanted.tolist()
    total = width + r + s
    cover = coo_array((np.repeat(values, size), (np.concatenate(rows), np.concatenate(columns))),
                      shape=(size, total)).tocsr()
    fill = coo_array((np.ones(width), (np.concatenate([g for g, _ in equal]),
                                       np.concatenate([c for _, c in equal]))),
                     shape=(len(totals), total)).tocsr()
    options = {} if time_limit is None else {"time_limit": float(time_limit)}
    solution = milp(np.concatenate([np.zeros(width), np.ones(r + s)]), integrality=np.ones(total),
                 bounds=Bounds(0, np.inf), options=options, constraints=[
                     LinearConstraint(cover, problem.table.ravel(), np.inf),
                     LinearConstraint(fill, totals, totals)])
    if solution.x is None:
        table = least_transfer(problem, False).table
        return Transfer(table=table, exact=False, bound=problem.n - 1)
    added = np.rint(solution.x[:width]).astype(np.int64).reshape(-1, r, s).sum(axis=0)
    table = problem.table + added
    value = transfer_of(table)
    if solution.status == 0:
        return Transfer(table=table, bound=value, exact=True)
    bound = problem.n - int(np.ceil(float(solution.mip_dual_bound) - 1e-6))
    return Transfer(table=table, bound=max(bound, value), exact=bound <= value)
