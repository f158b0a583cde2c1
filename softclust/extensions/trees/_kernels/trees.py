"""Loops over dendrograms: pairs that merges join, two trees merged at once, walks of objects.

Nodes 0, ..., n - 1 are objects, node n + t is made by merge t of left[t] and right[t]; node v is
the interval start[v] to start[v] + size[v] of positions in a leaf order.
"""

import numpy as np

from ....running.compiler import kernel


# -- pairs of objects joined by each merge, by class ----------------------------------------------
@kernel
def leaf_order(left, right, size, start, order):
    """Number the objects so that each node is an interval of positions.

    Node v holds the positions start[v] to start[v] + size[v] (2n - 1,); object order[p] (n,)
    stands at position p. Children keep their order: left before right.
    """
    n = left.shape[0] + 1
    for i in range(n):
        size[i] = 1
    for t in range(n - 1):
        size[n + t] = size[left[t]] + size[right[t]]
    start[2 * n - 2] = 0
    for t in range(n - 2, -1, -1):
        start[left[t]] = start[n + t]
        start[right[t]] = start[n + t] + size[left[t]]
    for i in range(n):
        order[start[i]] = i


@kernel
def heavy_parents(left, right, size, above, light):
    """Heavy paths: above[larger child] = merge, light[merge] = smaller child.

    above (2n - 1,) is -1 for the smaller children and the root: there a heavy path ends.
    """
    for v in range(above.shape[0]):
        above[v] = -1
    for t in range(left.shape[0]):
        if size[left[t]] >= size[right[t]]:
            above[left[t]] = t
            light[t] = right[t]
        else:
            above[right[t]] = t
            light[t] = left[t]


@kernel
def count_joined(left, right, size, start, above, light, classes, counts, labelled, same,
                 different):
    """same[t], different[t]: pairs of one class, of two classes, that merge t joins.

    classes (n,) by position, -1 for an object without label; counts (C,) zeros, as on return;
    labelled (2n - 1,) scratch. Each heavy path is followed upwards from its object with the
    class counts of its objects; only the smaller child of a merge is visited, so every object
    is visited at most log2(n) times: O(n log n) for any number of classes.
    """
    n = left.shape[0] + 1
    for i in range(n):
        labelled[i] = 1 if classes[start[i]] >= 0 else 0
    for t in range(n - 1):
        labelled[n + t] = labelled[left[t]] + labelled[right[t]]
    for i in range(n):
        v = i
        if classes[start[i]] >= 0 and above[i] >= 0:
            counts[classes[start[i]]] += 1
        while above[v] >= 0:
            t = above[v]
            u = light[t]
            joined = 0
            for p in range(start[u], start[u] + size[u]):
                if classes[p] >= 0:
                    joined += int(counts[classes[p]])
            same[t] = joined
            different[t] = int(labelled[v]) * int(labelled[u]) - joined
            v = n + t
            if above[v] >= 0:
                for p in range(start[u], start[u] + size[u]):
                    if classes[p] >= 0:
                        counts[classes[p]] += 1
        # Counted on the way up: all objects of the top of the path, or all but its last light
        # child.
        for p in range(start[v], start[v] + size[v]):
            if classes[p] >= 0:
                counts[classes[p]] = 0


@kernel
def sum_joined(left, right, sums, weight, row, same, different):
    """Sum the expected pairs that merges join, when labels are drawn independently by degrees.

    sums (n, C): memberships of each object, 0 throughout without label, overwritten; weight
    (n,): 1 with a label, else 0, overwritten; row (2n - 1,) scratch. O(n C).
    """
    n = left.shape[0] + 1
    for i in range(n):
        row[i] = i
    for t in range(n - 1):
        u = row[left[t]]
        v = row[right[t]]
        joined = 0.0
        for c in range(sums.shape[1]):
            joined += sums[u, c] * sums[v, c]
            sums[u, c] += sums[v, c]
        same[t] = joined
        different[t] = max(weight[u] * weight[v] - joined, 0.0)
        weight[u] += weight[v]
        row[n + t] = u


# -- two dendrograms merged at the same time: joint counts, crossings, sums over pairs ------------
@kernel
def home_of(key, mask):
    """Slot where a key belongs; no overflow for keys below 2^60."""
    return ((key & 1073741823) * 1540483477 + (key >> 30) * 2654435761 >> 11) & mask


@kernel
def find(keys, key):
    """Slot of `key` in a table of linear probing, or the empty slot (-1) where it belongs."""
    mask = keys.shape[0] - 1
    at = home_of(key, mask)
    while keys[at] != -1 and keys[at] != key:
        at = (at + 1) & mask
    return at


@kernel
def forget(keys, counts, at):
    """Empty a slot and move back what was pushed behind it."""
    mask = keys.shape[0] - 1
    hole = at
    look = (at + 1) & mask
    while keys[look] != -1:
        home = home_of(keys[look], mask)
        if ((look - home) & mask) >= ((look - hole) & mask):
            keys[hole] = keys[look]
            counts[hole] = counts[look]
            hole = look
        look = (look + 1) & mask
    keys[hole] = -1


@kernel
def move_leaves(order, first, count, labels, other, target, step, across, keys, counts):
    """Give `count` leaves from position `first` on the label `target`; growth of sum T^2.

    labels, other (n,): those of each object on this side and on the other; the key of a cell is
    labels * step + other * across.
    """
    gained = 0
    for p in range(first, first + count):
        i = order[p]
        old = labels[i] * step + other[i] * across
        new = target * step + other[i] * across
        at = find(keys, old)
        gained -= 2 * counts[at] - 1
        counts[at] -= 1
        if counts[at] == 0:
            forget(keys, counts, at)
        at = find(keys, new)
        if keys[at] == -1:
            keys[at] = new
            counts[at] = 0
        gained += 2 * counts[at] + 1
        counts[at] += 1
        labels[i] = target
    return gained


@kernel
def merge_both(left_x, right_x, size_x, start_x, order_x, left_y, right_y, size_y, start_y,
               order_y, keys, counts, squares):
    """squares[t]: sum of squared counts of the contingency table after merge t of both sides.

    The smaller child of a merge takes the label of the larger one, so every object moves at most
    log2(n) times per side. keys, counts: a table of more than 2n slots, a power of 2.
    """
    n, one = left_x.shape[0] + 1, np.int64(1)
    rows, columns = np.empty(n, np.int64), np.empty(n, np.int64)
    label_x, label_y = np.empty(2 * n - 1, np.int64), np.empty(2 * n - 1, np.int64)
    for k in range(keys.shape[0]):
        keys[k] = -1
    for i in range(n):
        rows[i], columns[i], label_x[i], label_y[i] = i, i, i, i
        at = find(keys, i * n + i)
        keys[at] = i * n + i
        counts[at] = 1
    total = n
    for t in range(n - 1):
        small, large = left_x[t], right_x[t]
        if size_x[small] > size_x[large]:
            small, large = large, small
        label_x[n + t] = label_x[large]
        total += move_leaves(order_x, start_x[small], size_x[small], rows, columns,
                             label_x[large], n, one, keys, counts)
        small, large = left_y[t], right_y[t]
        if size_y[small] > size_y[large]:
            small, large = large, small
        label_y[n + t] = label_y[large]
        total += move_leaves(order_y, start_y[small], size_y[small], columns, rows,
                             label_y[large], one, n, keys, counts)
        squares[t] = total


@kernel
def count_crossings(left, right, size, start, above, light, position, tree, crossings):
    """crossings[t]: pairs of leaves of left[t] and right[t] whose positions are reversed.

    position (n,) by leaf position of this tree: where the other side has the object. tree (n + 1,)
    zeros, as on return: a Fenwick tree of the positions held; above, light: heavy paths.
    """
    n = left.shape[0] + 1
    for i in range(n):
        v = i
        held = 0
        if above[i] >= 0:
            add_at(tree, position[start[i]], 1.0)
            held = 1
        while above[v] >= 0:
            t = above[v]
            u = light[t]
            before = 0.0   # a whole number
            for p in range(start[u], start[u] + size[u]):
                before += sum_to(tree, position[p])
            # Held leaves before those of u: reversed if u is the left child.
            crossings[t] = int(before if u == left[t] else held * size[u] - before)
            v = n + t
            if above[v] >= 0:
                for p in range(start[u], start[u] + size[u]):
                    add_at(tree, position[p], 1.0)
                held += size[u]
        if held * 20 > n:
            for k in range(tree.shape[0]):
                tree[k] = 0.0
        elif held > 0:
            clear_path(v, size, start, left, right, above, position, tree, held)


@kernel
def clear_path(v, size, start, left, right, above, position, tree, held):
    """Take the held leaves out of the tree: all of v, or all but its last light child."""
    n = left.shape[0] + 1
    first, last = start[v], start[v] + size[v]
    if size[v] > held:
        t = v - n
        heavy = left[t] if above[left[t]] == t else right[t]
        first, last = start[heavy], start[heavy] + size[heavy]
    for p in range(first, last):
        add_at(tree, position[p], -1.0)


@kernel
def add_at(tree, k, amount):
    """Add to entry k of a Fenwick tree."""
    k += 1
    while k < tree.shape[0]:
        tree[k] += amount
        k += k & -k


@kernel
def sum_to(tree, k):
    """Sum of the entries before k."""
    total = 0.0
    while k > 0:
        total += tree[k]
        k -= k & -k
    return total


@kernel
def path_positions(left, right, size, top, place):
    """Heavy paths as intervals: place (2n - 1,) numbers the nodes from the root down, the nodes
    of a path one after the other; top (2n - 1,) is the first node of each one's path."""
    n = left.shape[0] + 1
    root = 2 * n - 2
    top[root] = root
    free = 0
    stack = np.empty(n, np.int64)
    many = 1
    stack[0] = root
    while many > 0:
        many -= 1
        v = stack[many]
        head = v
        while True:
            top[v] = head
            place[v] = free
            free += 1
            if v < n:
                break
            a, b = left[v - n], right[v - n]
            if size[a] < size[b]:
                a, b = b, a
            stack[many] = b
            many += 1
            v = a


@kernel
def sum_products(left, right, size, start, order, above, light, value, top, place, parent, fall,
                 prefix, root_value, tree, weighted):
    """Sum over pairs of objects of value_x(their merge in x) * value_y(their merge in y).

    value (n - 1,): of the merges of x. Of y: top, place as of `path_positions`, parent (2n - 1,),
    fall (2n - 1,) by place, the value of the parent minus its own (0 for the root and for
    leaves), prefix (2n,) its running sums by place. tree, weighted (2n,) zeros: Fenwick trees of
    how many held leaves stand below each place.
    """
    n = left.shape[0] + 1
    total = 0.0
    for i in range(n):
        v = i
        held = 0
        if above[i] >= 0:
            hold(order[start[i]], 1.0, top, place, parent, prefix, tree, weighted)
            held = 1
        while above[v] >= 0:
            t = above[v]
            u = light[t]
            inner = 0.0
            for p in range(start[u], start[u] + size[u]):
                inner += held * root_value - below(order[p], top, place, parent, prefix, tree,
                                                   weighted)
            total += value[t] * inner
            v = n + t
            if above[v] >= 0:
                for p in range(start[u], start[u] + size[u]):
                    hold(order[p], 1.0, top, place, parent, prefix, tree, weighted)
                held += size[u]
        if held > 0:
            first, last = start[v], start[v] + size[v]
            if size[v] > held:
                heavy = left[v - n] if above[left[v - n]] == v - n else right[v - n]
                first, last = start[heavy], start[heavy] + size[heavy]
            if held * 4 > n:   # anew, so that no rounding is carried along
                for k in range(tree.shape[0]):
                    tree[k] = 0.0
                    weighted[k] = 0.0
            else:
                for p in range(first, last):
                    hold(order[p], -1.0, top, place, parent, prefix, tree, weighted)
    return total


@kernel
def hold(leaf, amount, top, place, parent, prefix, tree, weighted):
    """Add a leaf to the counts of all nodes above it."""
    v = leaf
    while v >= 0:
        head = top[v]
        first, after = place[head], place[v] + 1
        add_at(tree, first, amount)
        add_at(weighted, first, amount * prefix[first])
        if after < tree.shape[0] - 1:
            add_at(tree, after, -amount)
            add_at(weighted, after, -amount * prefix[after])
        v = parent[head]


@kernel
def below(leaf, top, place, parent, prefix, tree, weighted):
    """Sum over the nodes above a leaf of fall * (held leaves below the node)."""
    total = 0.0
    v = leaf
    while v >= 0:
        head = top[v]
        first, after = place[head], place[v] + 1
        total += prefix[after] * sum_to(tree, after) - sum_to(weighted, after)
        if first > 0:
            total -= prefix[first] * sum_to(tree, first) - sum_to(weighted, first)
        v = parent[head]
    return total


@kernel
def concordance(left, right, size, start, order, level_x, by_level, place_y, table, level_y,
                before, here, out):
    """out[0], out[1]: concordant and discordant pairs of pairs of objects, O(n^2).

    level_x, level_y (n - 1,): rank of the height of each merge; by_level (n - 1,) merges of x by
    rising level; before, here (levels of y,) zeros.
    place_y (n,): leaf position of each object in y; table[j, p]: latest of the
    merges of y that join its positions p, ..., p + 2^j.
    """
    n = left.shape[0] + 1
    many_y = before.shape[0]
    done = 0
    while done < n - 1:
        level = level_x[by_level[done]]
        for k in range(many_y):
            here[k] = 0
        while done < n - 1 and level_x[by_level[done]] == level:
            t = by_level[done]
            a, b = left[t], right[t]
            for p in range(start[a], start[a] + size[a]):
                for q in range(start[b], start[b] + size[b]):
                    u, v = place_y[order[p]], place_y[order[q]]
                    if u > v:
                        u, v = v, u
                    j = 0
                    while 2 << j <= v - u:
                        j += 1
                    joined = max(table[j, u], table[j, v - (1 << j)])
                    here[level_y[joined]] += 1
            done += 1
        lower = 0
        upper = 0
        for k in range(many_y):
            upper += before[k]
        for k in range(many_y):
            upper -= before[k]
            out[0] += float(here[k]) * float(lower)
            out[1] += float(here[k]) * float(upper)
            lower += before[k]
        for k in range(many_y):
            before[k] += here[k]


# -- heights at which two trees join all pairs ----------------------------------------------------
@kernel
def fill_heights(i, left, right, size, start, order, parent, heights, row):
    """Row i of the matrix of heights: ring by ring, as `fill_row`."""
    n = left.shape[0] + 1
    v = i
    while parent[v] >= 0:
        up = parent[v]
        other = left[up - n] if right[up - n] == v else right[up - n]
        for p in range(start[other], start[other] + size[other]):
            row[order[p]] = heights[up - n]
        v = up


@kernel
def height_differences(first, last, left_x, right_x, size_x, start_x, order_x, parent_x, heights_x,
                       left_y, right_y, size_y, start_y, order_y, parent_y, heights_y, out):
    """Heights u, v of object i with all j > i, for i = first, ..., last - 1, in O(n) memory.

    out[i]: sums of |u - v| and (u - v)^2, largest |u - v|, smallest and largest u / v; these two
    are nan where a pair has u = v = 0.
    """
    n = left_x.shape[0] + 1
    one, two = np.zeros(n), np.zeros(n)
    for i in range(first, last):
        fill_heights(i, left_x, right_x, size_x, start_x, order_x, parent_x, heights_x, one)
        fill_heights(i, left_y, right_y, size_y, start_y, order_y, parent_y, heights_y, two)
        total = squares = largest = 0.0
        low, high = np.inf, -np.inf
        for j in range(i + 1, n):
            apart = abs(one[j] - two[j])
            total += apart
            squares += apart * apart
            largest = max(largest, apart)
            low = np.minimum(low, one[j] / two[j])     # unlike min(), it keeps nan
            high = np.maximum(high, one[j] / two[j])
        out[i, 0], out[i, 1], out[i, 2], out[i, 3], out[i, 4] = total, squares, largest, low, high


@kernel
def add_product(left, right, heights, vector, out):
    """Add the matrix of heights (0 on its diagonal) times vector to out, in O(n)."""
    n = left.shape[0] + 1
    below, above = np.empty(2 * n - 1), np.zeros(2 * n - 1)
    below[:n] = vector
    for t in range(n - 1):
        below[n + t] = below[left[t]] + below[right[t]]
    for t in range(n - 2, -1, -1):
        above[left[t]] = above[n + t] + heights[t] * below[right[t]]
        above[right[t]] = above[n + t] + heights[t] * below[left[t]]
    for i in range(n):
        out[i] += above[i]


# -- element-centric similarity: rows of PageRank matrices ----------------------------------------
@kernel
def page_rank_parts(left, right, size, weight, damping, total, factor, constant, phi):
    """Parts of a row of the PageRank matrix, O(n).

    weight (2n - 1,): of the clusters, 0 for nodes that are none. total (n,): sum of the weights of
    the clusters of each object. Receives constant (2n - 1,), shared by the pairs of objects with
    that lowest common node, and phi (n,): P_ij = (1 - d) phi_i constant[lca] phi_j total_j, and 1 -
    d more for i = j. factor (2n - 1,) is scratch. One rank-one update per cluster, bottom up.
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
    scale = (1.0 - damping) * phi[i]
    row[i] = scale * constant[i] * phi[i] * total[i] + 1.0 - damping
    v = i
    while parent[v] >= 0:
        up = parent[v]
        other = left[up - n] if right[up - n] == v else right[up - n]
        share = scale * constant[up]
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
