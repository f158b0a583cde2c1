"""Assignment of tiny tables: distinct columns for the rows, largest sum.

From another kernel (``from .assignment import assign_max``)::

    value = assign_max(table, columns, numbers, marks)

`table` (r, c) int64 or float64, C order; `columns` (r,) int64 receives the column of each row,
-1 for the r - c rows that stay without one; the sum of the chosen cells is returned. min(r, c)
pairs are always formed, negative cells too. `numbers` (of the table's type) and `marks` (int64)
are scratch of at least ``numbers_size(r, c)`` and ``marks_size(r, c)`` entries. To minimise,
negate the table.

Ties: among the optimal assignments the one whose columns, read from row 0 on, are
lexicographically smallest (a row without a column counts as c). For int64 that is exact; for
float64 sums are compared as they round.

``assign_max_batch(tables, first, last, columns, values, numbers, marks)`` does tables
first, ..., last - 1 of (B, r, c). Up to `SUBSETS` rows and columns a recursion over subsets of
columns, 2^m m steps; above, shortest augmenting paths, O(m^3). Above `LARGEST` callers take
``scipy.optimize.linear_sum_assignment`` (`_statistics.assignment` chooses).
"""

from ._jit import kernel

#: recursion over subsets up to so many rows and columns
SUBSETS = 4
#: scipy is faster for more rows or columns than this
LARGEST = 32


def numbers_size(r, c):
    """Entries of the scratch `numbers`."""
    return max(1 << SUBSETS, 3 * max(r, c))


def marks_size(r, c):
    """Entries of the scratch `marks`."""
    return 4 * max(r, c)


@kernel
def assign_max(table, columns, numbers, marks):
    """Columns of the rows with the largest sum; that sum. See the module."""
    r = table.shape[0]
    c = table.shape[1]
    if max(r, c) <= SUBSETS:
        by_subsets(table, columns, numbers)
    else:
        by_paths(table, columns, numbers, marks)
    value = table[0, 0] * 0
    for i in range(r):
        if columns[i] >= c:
            columns[i] = -1
        else:
            value += table[i, columns[i]]
    return value


@kernel
def assign_max_batch(tables, first, last, columns, values, numbers, marks):
    """`assign_max` of tables `first` to `last` - 1."""
    for b in range(first, last):
        values[b] = assign_max(tables[b], columns[b], numbers, marks)


@kernel
def by_subsets(table, columns, best):
    """best[S]: largest sum of the rows from |S| on when the columns in S are taken.

    Columns from c on stand for "none" and are worth 0.
    """
    r = table.shape[0]
    c = table.shape[1]
    m = max(r, c)
    zero = table[0, 0] * 0
    for taken in range((1 << m) - 1, -1, -1):
        i = 0
        for j in range(m):
            i += (taken >> j) & 1
        best[taken] = zero
        if i >= r:
            continue
        none = True
        for j in range(m):
            if (taken >> j) & 1 == 0:
                value = best[taken | (1 << j)] + (table[i, j] if j < c else zero)
                if none or value > best[taken]:
                    best[taken] = value
                    none = False
    taken = 0
    for i in range(r):
        for j in range(m):
            # The same sum as above: the lowest column that reaches the best.
            if ((taken >> j) & 1 == 0 and best[taken | (1 << j)]
                    + (table[i, j] if j < c else zero) == best[taken]):
                columns[i] = j
                taken |= 1 << j
                break


@kernel
def by_paths(table, columns, numbers, marks):
    """Shortest augmenting paths on costs -table with prices of rows and columns."""
    r = table.shape[0]
    c = table.shape[1]
    m = max(r, c)
    zero = table[0, 0] * 0
    row_price = numbers[:m]
    price = numbers[m:2 * m]      # of columns; 0 while a column is free
    distance = numbers[2 * m:3 * m]
    owner = marks[:m]
    before = marks[m:2 * m]
    done = marks[2 * m:3 * m]
    for j in range(m):
        price[j] = zero
        owner[j] = -1
    for i in range(r):   # cheapest column first; where it is free no path is needed
        cheapest = 0
        most = table[i, 0]
        for j in range(1, c):
            if table[i, j] > most:
                most = table[i, j]
                cheapest = j
        if r > c and zero > most:
            most = zero
            cheapest = c
            while cheapest < m - 1 and owner[cheapest] >= 0:
                cheapest += 1
        row_price[i] = -most
        columns[i] = -1
        if owner[cheapest] < 0:
            owner[cheapest] = i
            columns[i] = cheapest
    for start in range(r):
        if columns[start] < 0:
            augment(table, start, columns, row_price, price, distance, owner, before, done)
    lowest_columns(table, columns, row_price, price, owner, before, done, marks[3 * m:4 * m])


@kernel
def augment(table, start, columns, row_price, price, distance, owner, before, done):
    """Give row `start` a column by the cheapest alternating path; prices stay optimal."""
    c = table.shape[1]
    m = price.shape[0]
    zero = table[0, 0] * 0
    for j in range(m):
        cell = table[start, j] if j < c else zero
        distance[j] = -cell - row_price[start] - price[j]
        before[j] = start
        done[j] = 0
    while True:
        sink = -1
        for j in range(m):
            if done[j] == 0 and (sink < 0 or distance[j] < distance[sink]):
                sink = j
        if owner[sink] < 0:
            break
        done[sink] = 1
        i = owner[sink]
        base = distance[sink] - row_price[i]
        for j in range(m):
            if done[j] == 0:
                cell = table[i, j] if j < c else zero
                length = base - cell - price[j]
                if length < distance[j]:
                    distance[j] = length
                    before[j] = i
    total = distance[sink]
    row_price[start] += total
    for j in range(m):
        if done[j] == 1:
            price[j] += distance[j] - total
            row_price[owner[j]] -= distance[j] - total
    j = sink
    while True:
        i = before[j]
        owner[j] = i
        last = columns[i]
        columns[i] = j
        if i == start:
            break
        j = last


@kernel
def lowest_columns(table, columns, row_price, price, owner, before, seen, queue):
    """Among equally good assignments the lexicographically smallest.

    Row by row: a lower column is taken if it costs nothing more and its owner, a later row, can
    move on at no cost (breadth first), and so on until the column given up has an owner again.
    A free column is owned by nobody, who takes any column of price 0 as readily.
    """
    r = table.shape[0]
    c = table.shape[1]
    m = price.shape[0]
    zero = table[0, 0] * 0
    for i in range(r):
        old = columns[i]
        for j in range(min(old, c)):
            if -table[i, j] - row_price[i] - price[j] != zero or (0 <= owner[j] < i):
                continue
            for k in range(m):
                seen[k] = 0
            seen[j] = 1
            queue[0] = j
            head = 0
            tail = 1
            while head < tail and seen[old] == 0:
                row = owner[queue[head]]
                for k in range(m):
                    if seen[k] == 1 or (k != old and 0 <= owner[k] < i):
                        continue
                    reduced = -price[k]
                    if row >= 0:
                        reduced -= (table[row, k] if k < c else zero) + row_price[row]
                    if reduced == zero:
                        seen[k] = 1
                        before[k] = queue[head]
                        queue[tail] = k
                        tail += 1
                head += 1
            if seen[old] == 0:
                continue
            end = old
            while end != j:   # move the owners on, from the column given up back to j
                row = owner[before[end]]
                owner[end] = row
                if row >= 0:
                    columns[row] = end
                end = before[end]
            owner[j] = i
            columns[i] = j
            break
