"""Element-centric similarity of two dendrograms: rows of their PageRank matrices."""

import numpy as np

from ..._numba import kernel


@kernel
def page_rank_parts(left, right, size, weight, damping, total, factor, constant, phi):
    """Parts of a row of the PageRank matrix, O(n).

    weight (2n - 1,): of the clusters, 0 for nodes that are none. total (n,): sum of the weights
    of the clusters of each object. Receives constant (2n - 1,), which two objects share whose
    lowest common node it is, and phi (n,): P_ij = (1 - d) phi_i constant[lca] phi_j total_j, and
    1 - d more for i = j. factor (2n - 1,) is scratch. One rank-one update a cluster, bottom up.
    """
    n = left.shape[0] + 1
    mass = np.zeros(2 * n - 1)
    over = np.zeros(2 * n - 1)
    over[2 * n - 2] = weight[2 * n - 2]
    for t in range(n - 2, -1, -1):
        for child in (left[t], right[t]):
            over[child] = over[n + t] + weight[child]
    for i in range(n):
        total[i] = over[i]
    for v in range(2 * n - 1):
        inside = 1.0 / total[v] if v < n else mass[left[v - n]] + mass[right[v - n]]
        factor[v] = 1.0 / (1.0 - damping * weight[v] * inside / size[v])
        mass[v] = inside * factor[v]
    above = np.zeros(2 * n - 1)
    above[2 * n - 2] = 1.0
    constant[2 * n - 2] = damping * weight[2 * n - 2] / size[2 * n - 2] / factor[2 * n - 2]
    for t in range(n - 2, -1, -1):
        for child in (left[t], right[t]):
            above[child] = above[n + t] * factor[n + t]
            constant[child] = constant[n + t] + damping * weight[child] / size[child] / (
                factor[child] * above[child] * above[child])
    for i in range(n):
        phi[i] = factor[i] * above[i] / total[i]


@kernel
def fill_row(i, left, right, size, start, order, parent, constant, phi, total, damping, row):
    """Row i of the PageRank matrix by object; leaves of the ancestors, ring by ring."""
    n = left.shape[0] + 1
    own = (1.0 - damping) * phi[i]
    row[i] = own * constant[i] * phi[i] * total[i] + 1.0 - damping
    v = i
    while parent[v] >= 0:
        up = parent[v]
        other = left[up - n] if right[up - n] == v else right[up - n]
        share = own * constant[up]
        for p in range(start[other], start[other] + size[other]):
            row[order[p]] = share * phi[order[p]] * total[order[p]]
        v = up


@kernel
def row_distances(first, last, left_x, right_x, size_x, start_x, order_x, parent_x, constant_x,
                  phi_x, total_x, left_y, right_y, size_y, start_y, order_y, parent_y, constant_y,
                  phi_y, total_y, damping, out):
    """out[i] = sum_j |P^x_ij - P^y_ij| for objects first, ..., last - 1; O(n) memory."""
    n = left_x.shape[0] + 1
    one, two = np.zeros(n), np.zeros(n)
    for i in range(first, last):
        fill_row(i, left_x, right_x, size_x, start_x, order_x, parent_x, constant_x, phi_x,
                 total_x, damping, one)
        fill_row(i, left_y, right_y, size_y, start_y, order_y, parent_y, constant_y, phi_y,
                 total_y, damping, two)
        apart = 0.0
        for j in range(n):
            apart += abs(one[j] - two[j])
        out[i] = apart
