"""A soft clustering and the label with jackknife limits, all objects left out at once.

The same numbers as ``compare(label, clustering, ci="jackknife")``, which calls each measure once
an object: that is minutes for some hundred thousand objects.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from .._joint import Joint
from ..clusterings import Clustering, HardClustering
from ..comparison import Comparison, compare
from ..comparison.limits import jackknife_limits
from ..comparison.resamples import leave_one_out
from ..measures._registry import get_measure
from ..statistics import resampled

MEASURES = ("alpha_rand_index", "alpha_rand_interval", "alpha_partition_interval")
#: objects whose costs are held at a time
ROWS = 50_000
#: objects up to which equally good matchings of clusters are told apart by the solver, object by
#: object; beyond it they count as one, which may change the last bit of a sum
ONE_BY_ONE = 5_000


def compare_soft(label: HardClustering, clustering: Clustering, names: tuple[str, str]
                 ) -> Comparison:
    """The measures of `MEASURES` with jackknife limits."""
    joint = Joint(label, clustering)
    replicates = None if clustering.kind == "hard" else leave_one_out(joint, {"pairs"})
    if replicates is None or replicates.pairs is None:
        # Objects of a cell are alike, or there are too many focal sets.
        return compare(joint, names=names, measures=MEASURES, ci="jackknife")
    found = compare(joint, names=names, measures=MEASURES)
    n = joint.n_objects - 1
    shares = 1.0 - replicates.pairs[:, :3] / (n * (n - 1) // 2)   # at alpha 0, 1/2, 1
    # Rows together, as the sums of the jackknife run over them.
    values = (np.ascontiguousarray(shares[:, (1, 1)]), np.ascontiguousarray(shares[:, (2, 0)]),
              _matched(joint) / (2 * (n - 1)))
    rows = []
    for row, own in zip(found.rows, values):
        limits = jackknife_limits(joint, get_measure(row.name), row.value, own, replicates.times,
                                  found.level)
        rows.append(replace(row, ci=limits, note="; ".join(filter(None, [row.note, limits.note]))))
    return replace(found, rows=tuple(rows), ci="jackknife", notes=tuple(
        f"{row.name}: {row.note}" for row in rows if row.note))


# -- matchings of clusters --------------------------------------------------------------------
def _matched(joint: Joint) -> np.ndarray:
    """Least costs at alpha 0 and 1 of matching clusters one to one without each object, (n, 2).

    One object moves the cost of a matching by little. Where the best matching of all objects is
    better than every other by more than that, it is the best without the object, too; elsewhere
    it is looked for again.
    """
    from scipy.optimize import linear_sum_assignment
    n, ends = joint.n_objects, joint.restriction_costs[[0, 2]]
    best = [linear_sum_assignment(total) for total in ends]
    leads = [_lead(joint, total, *found) for total, found in zip(ends, best)]
    out = np.empty((n, 2))
    for start in range(0, n, ROWS):
        own = np.arange(start, min(start + ROWS, n))
        values = resampled.object_costs(joint.x.subset(own), joint.y.subset(own))
        assert values is not None   # few objects
        values = values.reshape(own.size, 3, *ends.shape[1:])[:, [0, 2]]
        left = np.maximum(ends - values, 0.0)
        for end, (total, (rows, columns), lead) in enumerate(zip(ends, best, leads)):
            costs = np.ascontiguousarray(left[:, end, rows, columns])
            out[own, end] = costs.sum(axis=1)
            margin = lead - 1e-9 * max(1.0, float(total.max()))
            if margin > rows.size * values[:, end].max():
                continue
            # Another matching loses at most the largest change in each row of the table.
            most = values[:, end].max(axis=2).sum(axis=1)
            kept = values[:, end, rows, columns].sum(axis=1)
            for i in np.flatnonzero(margin <= most - kept):
                again = left[i, end]
                out[own[i], end] = again[linear_sum_assignment(again)].sum()
    return out


def _lead(joint: Joint, total: np.ndarray, rows: np.ndarray, columns: np.ndarray) -> float:
    """By how much the best matching is better than every other one.

    The side with fewer clusters has empty ones, which are alike: matchings that only exchange
    them cost the same whatever object is left out. For many objects they count as one matching.
    """
    from scipy.optimize import linear_sum_assignment
    c, best = rows.size, float(total[rows, columns].sum())
    alike = [np.arange(c), np.arange(c)]
    if joint.n_objects > ONE_BY_ONE:
        for same, side in zip(alike, (joint.x, joint.y)):
            same[side.n_clusters:] = c
    forbidden, lead = float(total.sum()) + 1.0, np.inf
    for row, column in zip(rows, columns):
        changed = total.copy()
        changed[np.ix_(alike[0] == alike[0][row], alike[1] == alike[1][column])] = forbidden
        other = float(changed[linear_sum_assignment(changed)].sum())
        if other < forbidden:
            lead = min(lead, other - best)
    return lead


def compare_hard(label: HardClustering, labels: HardClustering, names: tuple[str, str]) -> Any:
    """The measures of labels with jackknife limits; objects of one cell are alike."""
    return compare(label, labels, names=names, ci="jackknife",
                   measures=["adjusted_rand_index", "transfer_distance"])
