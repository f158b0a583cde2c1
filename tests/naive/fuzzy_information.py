"""Information of fuzzy clusterings by sums over objects; x and y are membership rows."""

from __future__ import annotations

import math


def joint_table(x, y, weights=None):
    """Mean over the objects of u_ik v_il, by loops."""
    weights = [1.0] * len(x) if weights is None else weights
    total = sum(weights)
    return [[sum(w * u[k] * v[m] for u, v, w in zip(x, y, weights)) / total
             for m in range(len(y[0]))] for k in range(len(x[0]))]


def table_entropies(table):
    """Entropies of the rows, of the columns, of the cells."""
    def entropy(shares):
        return -sum(p * math.log(p) for p in shares if p > 0)
    return (entropy(map(sum, table)), entropy(map(sum, zip(*table))),
            entropy(cell for row in table for cell in row))


def fuzzy_mutual_information(x, y, weights=None):
    h_x, h_y, h_xy = table_entropies(joint_table(x, y, weights))
    return h_x + h_y - h_xy


def fuzzy_normalized_mutual_information(x, y, average="arithmetic", weights=None):
    h_x, h_y, h_xy = table_entropies(joint_table(x, y, weights))
    divisor = {"arithmetic": (h_x + h_y) / 2, "geometric": math.sqrt(max(0.0, h_x * h_y)),
               "max": max(h_x, h_y), "min": min(h_x, h_y), "joint": h_xy}[average]
    return (h_x + h_y - h_xy) / divisor if divisor > 1e-12 else math.nan


def fuzzy_variation_of_information(x, y, weights=None):
    h_x, h_y, h_xy = table_entropies(joint_table(x, y, weights))
    return 2 * h_xy - h_x - h_y
