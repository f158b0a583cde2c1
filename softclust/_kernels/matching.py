"""Match the clusters of tables: the largest trace, truematch, and the truematch heuristic.

Tables have r rows (clusters of the reference) and s columns; `columns[k]` becomes the column of
row k, -1 for the r - s rows that stay without one. A cell's score is
sign(D) D^2 / (n a_k b_l), D = n T_kl - a_k b_l, and 0 where a margin is 0. Counts are compared
exactly: in int64 where that suffices; otherwise in float64, and when two candidates are nearer
than `NEAR` the kernel returns `UNSETTLED` and the driver decides in Python's integers.

Equal candidates are numbered in lexicographic order of their columns, a row without one counting
as s, and number floor(u N) of N is taken with the uniform u that the caller gives.
"""

import numpy as np

from ._jit import borrowing
from .nearest import BLOCK, assign
from .random import load, step

#: what is compiled, in messages
TOPIC = "cluster matching"

TRACE, TRUEMATCH, REMAINING, ALL = 0, 1, 2, 3
#: two candidates are too near for float64
UNSETTLED = -1
#: relative difference below which float64 decides nothing
NEAR = 1e-12
#: up to this many objects two scores compare in int64: (n^2/4)^2 (n/2)^2 / 4 < 2^63
EXACT_OBJECTS = 2298
#: sums of scores over a common denominator stay below this in int64
FITS = 4e18
#: optima are counted over subsets of at most so many columns
COUNTED = 12


def scratch(r, s, method):
    """What `match_counts` and `match_masses` work in; counted methods need s <= `COUNTED`."""
    states = (r + 1, 1 << s) if method in (TRACE, TRUEMATCH) else (1, 1)
    return (np.empty(states, np.int64), np.empty(states), np.empty(states, np.int64),
            np.empty((r, s), np.int64), np.empty((r, s)), np.empty(r, np.int64),
            np.empty(s, np.int64), np.empty(r), np.empty(s), np.empty(r, np.int64),
            np.empty(s, np.int64))


@borrowing
def match_counts(table, method, uniforms, columns, work):
    """Match a table of counts; number of optima (1 for the heuristic), or `UNSETTLED`.

    `uniforms`: one, for the heuristic one a round.
    """
    best, rough, count, exact, values, a, b, _, _, rows_left, columns_left = work
    if method == TRACE:
        return optimal(table, 0, uniforms[0], columns, best, count)
    if method == TRUEMATCH:
        n = margins(table, a, b)
        if whole_scores(table, n, a, b, exact):
            return optimal(exact, 0, uniforms[0], columns, best, count)
        largest = float_scores(table, n, a, b, values)
        found = optimal(values, NEAR * largest, uniforms[0], columns, rough, count)
        return found if found == 1 else UNSETTLED
    return heuristic_counts(table, method == REMAINING, uniforms, columns, a, b, rows_left,
                            columns_left)


@borrowing
def match_masses(table, method, tolerance, uniforms, columns, work):
    """`match_counts` for real-valued tables; ties within `tolerance` of the largest."""
    _, best, count, _, values, _, _, a, b, rows_left, columns_left = work
    n = masses(table, a, b)
    if method == TRACE:
        largest = 0.0
        for k in range(table.shape[0]):
            for j in range(table.shape[1]):
                largest = max(largest, abs(table[k, j]))
        return optimal(table, tolerance * largest, uniforms[0], columns, best, count)
    largest = mass_scores(table, n, a, b, values)
    # Scores are squares: rounding of an independent table leaves some 1e-32 n, which is nothing.
    near = max(tolerance * largest, tolerance * tolerance * n)
    if method == TRUEMATCH:
        return optimal(values, near, uniforms[0], columns, best, count)
    return heuristic_masses(table, method == REMAINING, near, tolerance, uniforms, columns,
                            values, a, b, rows_left, columns_left)


@borrowing
def optimal(values, near, uniform, columns, best, count):
    """An assignment with the largest sum, chosen uniformly; the number of them.

    best[i, S]: largest sum of rows i, ..., r - 1 when the columns in S are taken; count[i, S]:
    in how many ways it is reached, up to `near` at each row.
    """
    r = values.shape[0]
    s = values.shape[1]
    skips = max(0, r - s)   # rows that stay without a column
    for i in range(r, -1, -1):
        for taken in range(1 << s):
            size = 0
            rest = taken
            while rest > 0:
                rest &= rest - 1
                size += 1
            if size > i or size < i - skips or (i == r and size < min(r, s)):
                continue
            if i == r:
                best[i, taken] = 0
                count[i, taken] = 1
                continue
            none = True
            most = values[0, 0] * 0
            for j in range(s + 1):
                if not may_take(i, size, taken, j, s, skips):
                    continue
                value = sum_after(values, best, i, taken, j)
                if none or value > most:
                    most = value
                    none = False
            ways = 0
            for j in range(s + 1):
                if (may_take(i, size, taken, j, s, skips)
                        and sum_after(values, best, i, taken, j) >= most - near):
                    ways += count[i + 1, taken | (1 << j) if j < s else taken]
            best[i, taken] = most
            count[i, taken] = ways
    total = count[0, 0]
    number = min(int(uniform * total), total - 1)
    taken = 0
    size = 0
    for i in range(r):
        for j in range(s + 1):
            if (not may_take(i, size, taken, j, s, skips)
                    or sum_after(values, best, i, taken, j) < best[i, taken] - near):
                continue
            after = taken | (1 << j) if j < s else taken
            ways = count[i + 1, after]
            if number < ways:
                columns[i] = j if j < s else -1
                size += 1 if j < s else 0
                taken = after
                break
            number -= ways
    return total


@borrowing
def may_take(i, size, taken, j, s, skips):
    """Whether row i may have column j (s: none) when `size` columns are taken."""
    if j < s:
        return (taken >> j) & 1 == 0
    return i - size < skips


@borrowing
def sum_after(values, best, i, taken, j):
    """Largest sum of the rows from i on when row i takes column j (the last: none)."""
    if j < values.shape[1]:
        return best[i + 1, taken | (1 << j)] + values[i, j]
    return best[i + 1, taken]


# -- scores ---------------------------------------------------------------------------------
@borrowing
def margins(table, a, b):
    """Row and column sums; n."""
    n = 0
    for j in range(table.shape[1]):
        b[j] = 0
    for k in range(table.shape[0]):
        a[k] = 0
        for j in range(table.shape[1]):
            a[k] += table[k, j]
            b[j] += table[k, j]
        n += a[k]
    return n


@borrowing
def masses(table, a, b):
    """`margins` of a real-valued table."""
    n = 0.0
    for j in range(table.shape[1]):
        b[j] = 0.0
    for k in range(table.shape[0]):
        a[k] = 0.0
        for j in range(table.shape[1]):
            a[k] += table[k, j]
            b[j] += table[k, j]
        n += a[k]
    return n


@borrowing
def float_scores(table, n, a, b, values):
    """n times the scores of counts; the largest size. D is exact, the rest rounds."""
    largest = 0.0
    for k in range(table.shape[0]):
        for j in range(table.shape[1]):
            values[k, j] = 0.0
            if a[k] > 0 and b[j] > 0:
                d = float(n * table[k, j] - a[k] * b[j])
                values[k, j] = d * abs(d) / (float(a[k]) * float(b[j]))
                largest = max(largest, abs(values[k, j]))
    return largest


@borrowing
def whole_scores(table, n, a, b, values):
    """n times the scores over the common denominator prod a prod b; False if int64 is short."""
    denominator = 1.0
    for k in range(table.shape[0]):
        denominator *= float(max(a[k], 1))
    for j in range(table.shape[1]):
        denominator *= float(max(b[j], 1))
    if denominator > FITS:
        return False
    largest = 0.0
    for k in range(table.shape[0]):
        for j in range(table.shape[1]):
            d = float(n * table[k, j] - a[k] * b[j])
            largest = max(largest, d * d * denominator / (float(max(a[k], 1))
                                                          * float(max(b[j], 1))))
    if largest * min(table.shape[0], table.shape[1]) > FITS:
        return False
    rows = 1
    cols = 1
    for k in range(table.shape[0]):
        rows *= max(a[k], 1)
    for j in range(table.shape[1]):
        cols *= max(b[j], 1)
    for k in range(table.shape[0]):
        for j in range(table.shape[1]):
            d = n * table[k, j] - a[k] * b[j]   # 0 where a margin is 0
            values[k, j] = d * abs(d) * (rows // max(a[k], 1)) * (cols // max(b[j], 1))
    return True


@borrowing
def mass_scores(table, n, a, b, values):
    """The scores of a real-valued table; the largest size."""
    largest = 0.0
    for k in range(table.shape[0]):
        for j in range(table.shape[1]):
            values[k, j] = 0.0
            expected = a[k] * b[j] / n if n > 0.0 else 0.0
            if expected > 0.0:
                d = table[k, j] - expected
                values[k, j] = d * abs(d) / expected
                largest = max(largest, abs(values[k, j]))
    return largest


# -- the heuristic --------------------------------------------------------------------------
@borrowing
def remaining_counts(table, rows_left, columns_left, a, b):
    """Margins of the remaining table; its n."""
    n = 0
    for j in range(table.shape[1]):
        b[j] = 0
    for k in range(table.shape[0]):
        a[k] = 0
        if rows_left[k] == 1:
            for j in range(table.shape[1]):
                if columns_left[j] == 1:
                    a[k] += table[k, j]
                    b[j] += table[k, j]
            n += a[k]
    return n


@borrowing
def compare_scores(d1, w1, d2, w2, exact):
    """Sign of d1|d1|/w1 - d2|d2|/w2; 2 when float64 cannot tell."""
    if d1 == 0 or d2 == 0 or (d1 > 0) != (d2 > 0):
        return 1 if d1 > d2 else (-1 if d1 < d2 else 0)
    if exact:
        left = d1 * abs(d1) * w2
        right = d2 * abs(d2) * w1
        return 1 if left > right else (-1 if left < right else 0)
    if d1 == d2 and w1 == w2:
        return 0
    x = float(d1) * abs(float(d1)) / float(w1)
    y = float(d2) * abs(float(d2)) / float(w2)
    if abs(x - y) <= NEAR * max(abs(x), abs(y)):
        return 2
    return 1 if x > y else -1


@borrowing
def heuristic_counts(table, remaining, uniforms, columns, a, b, rows_left, columns_left):
    """Round by round the largest score, then the largest count, then chance."""
    r = table.shape[0]
    s = table.shape[1]
    for k in range(r):
        rows_left[k] = 1
        columns[k] = -1
    for j in range(s):
        columns_left[j] = 1
    n = remaining_counts(table, rows_left, columns_left, a, b)
    for turn in range(min(r, s)):
        if remaining and turn > 0:
            n = remaining_counts(table, rows_left, columns_left, a, b)
        exact = n <= EXACT_OBJECTS
        ties = 0
        top_d, top_w, top_count = 0, 1, 0
        for k in range(r):
            for j in range(s):
                if rows_left[k] == 0 or columns_left[j] == 0:
                    continue
                d = n * table[k, j] - a[k] * b[j]
                w = max(a[k] * b[j], 1)
                order = 1 if ties == 0 else compare_scores(d, w, top_d, top_w, exact)
                if order == 2:
                    return UNSETTLED
                if order == 1 or (order == 0 and table[k, j] > top_count):
                    ties = 1
                    top_d, top_w, top_count = d, w, table[k, j]
                elif order == 0 and table[k, j] == top_count:
                    ties += 1
        number = min(int(uniforms[turn] * ties), ties - 1)
        for k in range(r):
            for j in range(s):
                if (number < 0 or rows_left[k] == 0 or columns_left[j] == 0
                        or table[k, j] != top_count):
                    continue
                d = n * table[k, j] - a[k] * b[j]
                order = compare_scores(d, max(a[k] * b[j], 1), top_d, top_w, exact)
                if order == 2:
                    return UNSETTLED
                if order == 0:
                    if number == 0:
                        columns[k] = j
                        rows_left[k] = 0
                        columns_left[j] = 0
                    number -= 1
    return 1


@borrowing
def heuristic_masses(table, remaining, near, tolerance, uniforms, columns, values, a, b,
                     rows_left, columns_left):
    """`heuristic_counts` for a real-valued table: scores within `near` are equal."""
    r = table.shape[0]
    s = table.shape[1]
    largest = 0.0
    for k in range(r):
        rows_left[k] = 1
        columns[k] = -1
        for j in range(s):
            largest = max(largest, abs(table[k, j]))
    for j in range(s):
        columns_left[j] = 1
    for turn in range(min(r, s)):
        if remaining and turn > 0:
            remaining_scores(table, rows_left, columns_left, a, b, values)
        none = True
        top, top_mass = 0.0, 0.0
        for k in range(r):
            for j in range(s):
                if rows_left[k] == 1 and columns_left[j] == 1 and (none or values[k, j] > top):
                    top = values[k, j]
                    none = False
        none = True
        for k in range(r):
            for j in range(s):
                if (rows_left[k] == 1 and columns_left[j] == 1 and values[k, j] >= top - near
                        and (none or table[k, j] > top_mass)):
                    top_mass = table[k, j]
                    none = False
        floor = top_mass - tolerance * largest
        ties = 0
        for k in range(r):
            for j in range(s):
                if (rows_left[k] == 1 and columns_left[j] == 1 and values[k, j] >= top - near
                        and table[k, j] >= floor):
                    ties += 1
        number = min(int(uniforms[turn] * ties), ties - 1)
        for k in range(r):
            for j in range(s):
                if (number >= 0 and rows_left[k] == 1 and columns_left[j] == 1
                        and values[k, j] >= top - near and table[k, j] >= floor):
                    if number == 0:
                        columns[k] = j
                        rows_left[k] = 0
                        columns_left[j] = 0
                    number -= 1
    return 1


@borrowing
def remaining_scores(table, rows_left, columns_left, a, b, values):
    """Scores of the remaining table of real values."""
    n = 0.0
    for j in range(table.shape[1]):
        b[j] = 0.0
    for k in range(table.shape[0]):
        a[k] = 0.0
        if rows_left[k] == 1:
            for j in range(table.shape[1]):
                if columns_left[j] == 1:
                    a[k] += table[k, j]
                    b[j] += table[k, j]
            n += a[k]
    mass_scores(table, n, a, b, values)


# -- votes ----------------------------------------------------------------------------------
@borrowing
def majority(votes, i, uniform):
    """The cluster with most votes of object i, number floor(u N) of N tied ones."""
    most = votes[i, 0]
    ties = 1
    cluster = 0
    for k in range(1, votes.shape[1]):
        if votes[i, k] > most:
            most = votes[i, k]
            ties = 1
            cluster = k
        elif votes[i, k] == most:
            ties += 1
    if ties > 1:
        number = min(int(uniform * ties), ties - 1)
        for k in range(votes.shape[1]):
            if votes[i, k] == most:
                if number == 0:
                    cluster = k
                number -= 1
    return cluster


@borrowing
def majorities(votes, uniforms, labels):
    """`majority` of every object."""
    for i in range(votes.shape[0]):
        labels[i] = majority(votes, i, uniforms[i])


@borrowing
def vote(first, last, anonymous, matched, labels, weights, votes, uniforms, method, table,
         columns, permutations, work):
    """Match replicates `first` to `last` - 1 to the votes so far and let them vote, in order.

    labels : (B, n) int32, -1 for objects that do not vote; `uniforms` (B, n + c): majority
    ties, then the match. Replicate `anonymous` votes as it is. When `matched`, `columns` is the
    match of replicate `first` already. Returns `last`, or the replicate whose match is unsettled,
    its contingency in `table`.
    """
    n = votes.shape[0]
    c = votes.shape[1]
    for t in range(first, last):
        if t == anonymous:
            for k in range(c):
                columns[k] = k
        elif t > first or not matched:
            for k in range(c):
                for j in range(c):
                    table[k, j] = 0
            for i in range(n):
                if labels[t, i] >= 0:
                    table[majority(votes, i, uniforms[t, i]), labels[t, i]] += 1
            if c > COUNTED and method <= TRUEMATCH:
                return t
            if match_counts(table, method, uniforms[t, n:], columns, work) == UNSETTLED:
                return t
        for k in range(c):
            permutations[t, columns[k]] = k
        for i in range(n):
            if labels[t, i] >= 0:
                votes[i, permutations[t, labels[t, i]]] += weights[t]
    return last


@borrowing
def draw_uniforms(states, first, last, uniforms):
    """Uniform numbers of replicates `first` to `last` - 1, a row from each state."""
    for t in range(first, last):
        a, b, c, d = load(states[t])
        for i in range(uniforms.shape[1]):
            u, a, b, c, d = step(a, b, c, d)
            uniforms[t, i] = u


@borrowing
def label_replicates(first, last, points, n, centers, labels, current, nearest, total, new):
    """Nearest centre of every object in replicates `first` to `last` - 1, the lowest on ties.

    points : in blocks or tiles, see `seeding`; the arrays from `current` on are scratch.
    """
    for t in range(first, last):
        assign(points, n, centers[t], current, nearest, total, new)
        for i in range(n):
            labels[t, i] = current[i // BLOCK, i % BLOCK]
