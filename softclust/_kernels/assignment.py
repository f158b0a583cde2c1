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
``scipy.optimize.linear_sum_assignment`` (`statistics.assignment` chooses).
"""

import numpy as np

from ._jit import borrowing

#: what is compiled, in messages
TOPIC = "cluster matching"

#: recursion over subsets up to so many rows and columns
SUBSETS = 4
#: number of columns in each subset of `SUBSETS`
SIZES = np.array([0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4])
#: subsets of up to so many columns fit an int64
WORD = 62
#: scipy is faster for more rows or columns than this
LARGEST = 32


def numbers_size(r, c):
    """Entries of the scratch `numbers`."""
    m = max(r, c)
    return max(1 << SUBSETS, 3 * m) + (m * m if r > c else 0)


def marks_size(r, c):
    """Entries of the scratch `marks`."""
    return 4 * max(r, c)


@borrowing
def assign_max(table, columns, numbers, marks):
    """Columns of the rows with the largest sum; that sum. See the module."""
    r = table.shape[0]
    c = table.shape[1]
    if r == 3 and c == 3:
        most, first, second = of_three(
            table[0, 0], table[0, 1], table[0, 2], table[1, 0], table[1, 1], table[1, 2],
            table[2, 0], table[2, 1], table[2, 2])
        columns[0] = first
        columns[1] = second
        columns[2] = 3 - first - second
        return most
    if max(r, c) <= SUBSETS:
        by_subsets(table, columns, numbers)
    elif r <= c:
        by_paths(table, columns, numbers, marks)
    else:
        by_paths_squared(table, columns, numbers, marks)
    value = table[0, 0] * 0
    for i in range(r):
        if columns[i] >= c:
            columns[i] = -1
        else:
            value += table[i, columns[i]]
    return value


@borrowing
def assign_max_batch(tables, first, last, columns, values, numbers, marks):
    """`assign_max` of tables `first` to `last` - 1."""
    if tables.shape[1] == 3 and tables.shape[2] == 3:   # without a view of each table
        for b in range(first, last):
            most, one, other = of_three(
                tables[b, 0, 0], tables[b, 0, 1], tables[b, 0, 2], tables[b, 1, 0],
                tables[b, 1, 1], tables[b, 1, 2], tables[b, 2, 0], tables[b, 2, 1],
                tables[b, 2, 2])
            columns[b, 0] = one
            columns[b, 1] = other
            columns[b, 2] = 3 - one - other
            values[b] = most
        return
    for b in range(first, last):
        values[b] = assign_max(tables[b], columns[b], numbers, marks)


@borrowing
def of_three(t00, t01, t02, t10, t11, t12, t20, t21, t22):
    """Of the six assignments of three rows the best: its sum, columns of the first two rows."""
    # In lexicographic order; selects instead of branches, which random tables would mislead.
    most = t00 + (t11 + t22)
    first, second = 0, 1
    value = t00 + (t12 + t21)
    better = value > most
    most = value if better else most
    second = 2 if better else second
    value = t01 + (t10 + t22)
    better = value > most
    most = value if better else most
    first = 1 if better else first
    second = 0 if better else second
    value = t01 + (t12 + t20)
    better = value > most
    most = value if better else most
    first = 1 if better else first
    second = 2 if better else second
    value = t02 + (t10 + t21)
    better = value > most
    most = value if better else most
    first = 2 if better else first
    second = 0 if better else second
    value = t02 + (t11 + t20)
    better = value > most
    most = value if better else most
    first = 2 if better else first
    second = 1 if better else second
    return most, first, second


@borrowing
def by_subsets(table, columns, best):
    """best[S]: largest sum of the rows from |S| on when the columns in S are taken.

    Columns from c on stand for "none" and are worth 0.
    """
    r = table.shape[0]
    c = table.shape[1]
    m = max(r, c)
    zero = table[0, 0] * 0
    for taken in range((1 << m) - 1, -1, -1):
        i = SIZES[taken]
        most = zero
        if i < r:
            none = True
            for j in range(m):
                if (taken >> j) & 1 == 0:
                    value = best[taken | (1 << j)]
                    if j < c:
                        value += table[i, j]
                    if none or value > most:
                        most = value
                        none = False
        best[taken] = most
    taken = 0
    for i in range(r):
        for j in range(m):
            if (taken >> j) & 1 == 0:
                value = best[taken | (1 << j)]
                if j < c:
                    value += table[i, j]
                # The same sum as above: the lowest column that reaches the best.
                if value == best[taken]:
                    columns[i] = j
                    taken |= 1 << j
                    break


@borrowing
def by_paths_squared(table, columns, numbers, marks):
    """`by_paths` for more rows than columns: further ones stand for "none", worth 0."""
    r = table.shape[0]
    square = numbers[3 * r:3 * r + r * r].reshape((r, r))
    for i in range(r):
        for j in range(table.shape[1]):
            square[i, j] = table[i, j]
        for j in range(table.shape[1], r):
            square[i, j] = 0
    by_paths(square, columns, numbers, marks)


@borrowing
def by_paths(table, columns, numbers, marks):
    """Shortest augmenting paths on costs -table with prices of rows and columns."""
    r = table.shape[0]
    c = table.shape[1]
    row_price = numbers[:c]
    price = numbers[c:2 * c]      # of columns; 0 while a column is free
    distance = numbers[2 * c:3 * c]
    owner = marks[:c]
    before = marks[c:2 * c]
    queue = marks[2 * c:3 * c]
    begin(table, columns, row_price, price, owner)
    bid(table, columns, row_price, price, owner)
    for start in range(r):
        if columns[start] < 0:
            augment(table, start, columns, row_price, price, distance, owner, before, queue)
    spare = marks[3 * c:4 * c]
    if not is_unique(table, row_price, price, owner, spare):
        lowest_columns(table, columns, row_price, price, owner, before, queue, spare)


@borrowing
def begin(table, columns, row_price, price, owner):
    """Each row takes its best column if that is free."""
    c = table.shape[1]
    zero = table[0, 0] * 0
    for j in range(c):
        price[j] = zero
        owner[j] = -1
    for i in range(table.shape[0]):
        row = table[i]
        most = row[0]
        where = 0
        for j in range(1, c):
            better = row[j] > most
            most = row[j] if better else most
            where = j if better else where
        row_price[i] = -most
        columns[i] = -1
        if owner[where] < 0:
            owner[where] = i
            columns[i] = where


@borrowing
def bid(table, columns, row_price, price, owner):
    """The augmenting row reduction of Jonker and Volgenant.

    A row without a column takes its best from whoever has it and raises the price to where its
    second best is as good; the loser bids next. Few rows are left for a path.
    """
    c = table.shape[1]
    for start in range(table.shape[0]):
        i = start
        for _turn in range(c):
            if columns[i] >= 0:
                break
            row = table[i]
            best = -row[0] - price[0]
            second = best
            where = 0
            for j in range(1, c):
                cost = -row[j] - price[j]
                better = cost < best
                worse = best if better else cost
                second = worse if worse < second or j == 1 else second
                best = cost if better else best
                where = j if better else where
            loser = owner[where]
            row_price[i] = best
            if loser >= 0:
                if not best < second:   # bidding would change nothing: a path decides
                    break
                price[where] -= second - best
                row_price[i] = second
                columns[loser] = -1
            owner[where] = i
            columns[i] = where
            if loser < 0:
                break
            i = loser


@borrowing
def augment(table, start, columns, row_price, price, distance, owner, before, queue):
    """Give row `start` a column by the cheapest alternating path; prices stay optimal.

    queue : the columns passed, then those that are left
    """
    c = table.shape[1]
    row = table[start]
    base = -row_price[start]
    for j in range(c):
        distance[j] = base - row[j] - price[j]
        before[j] = start
        queue[j] = j
    at = 0
    least = distance[0]
    for j in range(1, c):
        better = distance[j] < least
        least = distance[j] if better else least
        at = j if better else at
    passed = 0
    while True:
        sink = queue[at]
        queue[at] = queue[passed]
        queue[passed] = sink
        i = owner[sink]
        if i < 0:
            break
        passed += 1
        base = distance[sink] - row_price[i]
        row = table[i]
        at = passed
        least = distance[queue[passed]]
        for t in range(passed, c):
            j = queue[t]
            length = base - row[j] - price[j]
            shorter = length < distance[j]
            length = length if shorter else distance[j]
            distance[j] = length
            before[j] = i if shorter else before[j]
            # The first one is always chosen here, for `least` is not below its new length.
            better = length < least or t == passed
            at = t if better else at
            least = length if better else least
    total = distance[sink]
    row_price[start] += total
    for t in range(passed):
        j = queue[t]
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


@borrowing
def is_unique(table, row_price, price, owner, adjacent):
    """Whether no other assignment is as good: columns that cost nothing more form no cycle.

    Columns are bits; all free ones count as one, owned by nobody.
    """
    c = table.shape[1]
    if c > WORD:
        return False
    zero = table[0, 0] * 0
    free = 0
    cheap = 0   # owned columns of price 0, which nobody would take as readily
    for k in range(c):
        i = owner[k]
        mask = 0
        if i < 0:
            free |= 1 << k
        else:
            row = table[i]
            for j in range(c):
                mask |= (1 if -row[j] - row_price[i] - price[j] == zero else 0) << j
            cheap |= (1 if price[k] == zero else 0) << k
        adjacent[k] = mask & ~(1 << k)
    left = ((1 << c) - 1) & ~free
    moved = True
    while moved:
        moved = False
        if free != 0 and cheap & left == 0:
            free = 0
            moved = True
        for k in range(c):
            if (left >> k) & 1 == 1 and adjacent[k] & (left | free) == 0:
                left &= ~(1 << k)
                moved = True
    return left == 0


@borrowing
def lowest_columns(table, columns, row_price, price, owner, before, seen, queue):
    """Among equally good assignments the lexicographically smallest.

    Row by row: a lower column is taken if it costs nothing more and its owner, a later row, can
    move on at no cost (breadth first), and so on until the column given up has an owner again.
    A free column is owned by nobody, who takes any column of price 0 as readily.
    """
    c = table.shape[1]
    zero = table[0, 0] * 0
    for i in range(table.shape[0]):
        old = columns[i]
        for j in range(old):
            if -table[i, j] - row_price[i] - price[j] != zero or (0 <= owner[j] < i):
                continue
            for k in range(c):
                seen[k] = 0
            seen[j] = 1
            queue[0] = j
            head = 0
            tail = 1
            while head < tail and seen[old] == 0:
                row = owner[queue[head]]
                for k in range(c):
                    if seen[k] == 1 or (k != old and 0 <= owner[k] < i):
                        continue
                    reduced = -price[k]
                    if row >= 0:
                        reduced -= table[row, k] + row_price[row]
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
