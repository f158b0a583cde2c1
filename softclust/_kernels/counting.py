"""Contingency tables of small integer codes.

Two codes of an object become one cell number in a block that stays in the first-level cache;
then the cells are counted. Three things make counting fast and exact:

- Counters are one byte wide (a table of 1000 by 1000 clusters fits the second-level cache); a
  counter that passes 255 starts again at 0 and adds one carry, worth 256, to `carries`.
- Four tables take the objects in turn where equal cells follow each other: a counter can be
  read again only some cycles after it was written.
- Where a table has few cells, two (four, eight ...) objects are folded into one number and
  counted at once: `cells` numbers become `cells ** 2`, half as many have to be counted.
"""

import numpy as np

from ._jit import kernel

#: objects per block; cell numbers of a block stay in the first-level cache
BLOCK = 8192


@kernel
def number_cells(x, y, s, numbers):
    """``numbers[i] = x[i] * s + y[i]``."""
    for i in range(x.shape[0]):
        numbers[i] = int(x[i]) * s + int(y[i])


@kernel
def number_labels(x, y, low_x, low_y, r, s, mask, numbers):
    """The same of labels from low_x to low_x + r - 1 and low_y to low_y + s - 1.

    Returns a negative number when a label is outside; the numbers are good for nothing then.
    mask: the largest value of the type of `numbers`.
    """
    outside = 0
    for i in range(x.shape[0]):
        u = int(x[i]) - low_x
        v = int(y[i]) - low_y
        outside |= u | v | (r - 1 - u) | (s - 1 - v)
        numbers[i] = (u * s + v) & mask
    return outside


@kernel
def fold_in_two(numbers, half, cells):
    """Number i and number i + half become one: ``numbers[i] * cells + numbers[i + half]``."""
    left = numbers[:half]
    right = numbers[half:2 * half]
    for i in range(half):
        left[i] = int(left[i]) * cells + int(right[i])


@kernel
def count_in_one(numbers, table, carries):
    """Add 1 to the byte counter of every number; the number of carries."""
    carried = 0
    for i in range(numbers.shape[0]):
        cell = int(numbers[i])
        count = (int(table[cell]) + 1) & 255
        table[cell] = count
        if count == 0:
            carries[cell] += 1
            carried += 1
    return carried


@kernel
def count_in_four(numbers, tables, carries):
    """The same in four tables by turns; the length of `numbers` is a multiple of 4."""
    carried = 0
    quarter = numbers.shape[0] // 4
    n0 = numbers[:quarter]
    n1 = numbers[quarter:2 * quarter]
    n2 = numbers[2 * quarter:3 * quarter]
    n3 = numbers[3 * quarter:]
    t0 = tables[0]
    t1 = tables[1]
    t2 = tables[2]
    t3 = tables[3]
    for i in range(quarter):
        cell = int(n0[i])
        count = (int(t0[cell]) + 1) & 255
        t0[cell] = count
        if count == 0:
            carries[cell] += 1
            carried += 1
        cell = int(n1[i])
        count = (int(t1[cell]) + 1) & 255
        t1[cell] = count
        if count == 0:
            carries[cell] += 1
            carried += 1
        cell = int(n2[i])
        count = (int(t2[cell]) + 1) & 255
        t2[cell] = count
        if count == 0:
            carries[cell] += 1
            carried += 1
        cell = int(n3[i])
        count = (int(t3[cell]) + 1) & 255
        t3[cell] = count
        if count == 0:
            carries[cell] += 1
            carried += 1
    return carried


@kernel
def count_block(numbers, length, cells, folds, tables, carries):
    """Count the first `length` numbers, below `cells`, of a block; the number of carries.

    folds: how often the numbers are folded in two. Results are added to tables (4, w) or (1, w)
    uint8 and carries (w,) uint32, w = cells ** (2 ** folds); one table is for folds = 0 only.
    With four tables the block, its length a multiple of ``4 << folds``, is filled up with cell
    0: the caller takes these counts off again.
    """
    if tables.shape[0] == 1:
        return count_in_one(numbers[:length], tables[0], carries)
    size = numbers.shape[0]
    for i in range(length, size):
        numbers[i] = 0
    for _ in range(folds):
        size //= 2
        fold_in_two(numbers, size, cells)
        cells *= cells
    return count_in_four(numbers[:size], tables, carries)


@kernel
def count_codes(x, y, s, cells, folds, numbers, tables, carries, start, stop):
    """Count the blocks `start` to `stop` of the pairs of codes; the number of carries.

    x, y (n,) unsigned codes; s: number of codes of y. Scratch: numbers (block,), uint16 or
    uint32; its length is the number of objects per block. The others as in `count_block`.
    """
    carried = 0
    size = numbers.shape[0]
    for b in range(start, stop):
        first = b * size
        last = min(x.shape[0], first + size)
        number_cells(x[first:last], y[first:last], s, numbers)
        carried += count_block(numbers, last - first, cells, folds, tables, carries)
    return carried


@kernel
def count_labels(x, y, low_x, low_y, r, s, mask, folds, numbers, tables, carries, start, stop):
    """The same of integer labels (see `number_labels`); -1 as soon as a label is outside."""
    carried = 0
    size = numbers.shape[0]
    for b in range(start, stop):
        first = b * size
        last = min(x.shape[0], first + size)
        if number_labels(x[first:last], y[first:last], low_x, low_y, r, s, mask, numbers) < 0:
            return -1
        carried += count_block(numbers, last - first, r * s, folds, tables, carries)
    return carried


@kernel
def add_counts(tables, total):
    """Add the byte counters of all tables to `total` (w,)."""
    for k in range(tables.shape[0]):
        table = tables[k]
        for i in range(total.shape[0]):
            total[i] += int(table[i])


@kernel
def add_carries(carries, total):
    """Add 256 times the carries to `total` (w,)."""
    for i in range(total.shape[0]):
        total[i] += int(carries[i]) * 256


@kernel
def describe_table(table, a, b):
    """Margins of `table` (r, s) into a (r,), b (s,), zeros on entry.

    Returns the number of non-zero cells and the sum of the squared counts (exact for a total
    below 3e9).
    """
    occupied = 0
    squares = 0
    for k in range(table.shape[0]):
        row = table[k]
        total = 0
        for m in range(row.shape[0]):
            count = int(row[m])
            total += count
            squares += count * count
            occupied += count != 0
            b[m] += count
        a[k] = total
    return occupied, squares


@kernel
def list_cells(table, rows, columns, counts):
    """The non-zero cells of `table` in row-major order."""
    place = 0
    for k in range(table.shape[0]):
        row = table[k]
        for m in range(row.shape[0]):
            if row[m] != 0:
                rows[place] = k
                columns[place] = m
                counts[place] = row[m]
                place += 1


@kernel
def add_margins(rows, columns, counts, a, b):
    """Add the counts of a list of cells to their margins a (r,), b (s,)."""
    for i in range(counts.shape[0]):
        a[rows[i]] += counts[i]
        b[columns[i]] += counts[i]


@kernel
def sort_pairs(x, r, y, s, moved, keys):
    """``keys = sort(x * s + y)`` of codes x < r and y < s, by counting: first by y, then by x.

    O(n + r + s); three to five times as fast as a sort that compares, from n = 1e4 to 1e7.
    moved, keys (n,) int64 are written.
    """
    n = x.shape[0]
    starts = np.zeros(max(r, s) + 1, np.int64)
    for i in range(n):
        starts[int(y[i]) + 1] += 1
    for k in range(s):
        starts[k + 1] += starts[k]
    for i in range(n):
        m = int(y[i])
        moved[starts[m]] = int(x[i]) * s + m
        starts[m] += 1
    starts[:] = 0
    for i in range(n):
        starts[int(x[i]) + 1] += 1
    for k in range(r):
        starts[k + 1] += starts[k]
    for i in range(n):
        k = moved[i] // s
        keys[starts[k]] = moved[i]
        starts[k] += 1


@kernel
def count_runs(keys):
    """Number of distinct values of the sorted, non-empty `keys`."""
    runs = 1
    for i in range(1, keys.shape[0]):
        runs += keys[i] != keys[i - 1]
    return runs


@kernel
def list_runs(keys, s, rows, columns, counts):
    """The distinct values k * s + m of the sorted `keys` as cells (k, m) with their counts."""
    n = keys.shape[0]
    place = 0
    first = 0
    for i in range(1, n + 1):
        if i == n or keys[i] != keys[first]:
            key = int(keys[first])
            rows[place] = key // s
            columns[place] = key - key // s * s
            counts[place] = i - first
            place += 1
            first = i
