"""Most disagreeing pairs of a hard and a rough side, by boxes of cluster sizes.

Twice the disagreeing pairs of a table T are |r|^2 + |s|^2 - 2 |T|^2, with r the sizes of the
classes, which are fixed, and s those of the clusters of the rough side. Row a of T is a whole
point of a base polytope, t(S) >= bel(a, S), where ``bel`` (k, 2^c) counts the objects of a class
whose label set lies within S. In a box of s the chords of |s|^2 decouple the rows, each of which is
solved exactly, and branch and bound splits the box. Everything is in whole numbers.
"""

from ....running.compiler import kernel

WAITING, BEST, NODES, OBJECTS = 0, 1, 2, 3


@kernel
def search_boxes(bel, boxes, limits, state, vectors, rows, best_rows, todo, sums, until):
    """Most |s|^2 - 2 |T|^2, until `until` nodes.

    boxes (many, 2, c) : stack of boxes, low and high; limits (many,) a bound for each
    state (4,) : boxes waiting, best, nodes, n
    best_rows (k, c) : the best table found
    vectors (4, c), rows (k, c), todo (c + 1, 3), sums (2^c,) : scratch; sums[0] = 0
    """
    k, f = bel.shape
    c = rows.shape[1]
    slope, s, first, t = vectors[0], vectors[1], vectors[2], vectors[3]
    n = state[OBJECTS]
    waiting, best, nodes = state[WAITING], state[BEST], state[NODES]
    while waiting > 0 and nodes < until:
        waiting -= 1
        if limits[waiting] <= best:
            continue
        low, high = boxes[waiting, 0], boxes[waiting, 1]
        nodes += 1
        lows, highs = 0, 0
        for b in range(c):
            lows += low[b]
            highs += high[b]
        empty = lows > n or highs < n
        bound = 0
        for b in range(c):
            new_low = max(low[b], n - highs + high[b])
            new_high = min(high[b], n - lows + low[b])
            low[b], high[b] = new_low, new_high
            empty = empty or new_low > new_high
            # The chord: s_b^2 <= (l + h) s_b - l h.
            slope[b] = new_low + new_high
            bound -= new_low * new_high
        if empty:
            continue
        turn = 0
        while True:
            # Largest slope . t - 2 |t|^2 over each row's polytope, by the decomposition algorithm:
            # forget the sets, split at the most violated one.
            value = 0
            for b in range(c):
                s[b] = 0
            for a in range(k):
                todo[0, 0] = f - 1
                todo[0, 1] = 0
                todo[0, 2] = bel[a, f - 1]
                left_to_do = 1
                while left_to_do > 0:
                    left_to_do -= 1
                    labels, below, amount = (todo[left_to_do, 0], todo[left_to_do, 1],
                                             todo[left_to_do, 2])
                    size, total = 0, 0
                    for b in range(c):
                        if labels >> b & 1:
                            size += 1
                            total += slope[b]
                    shift, left = 4 * amount - total, amount
                    for b in range(c):
                        if labels >> b & 1:
                            t[b] = (size * slope[b] + shift) // (4 * size)
                            left -= t[b]
                    # The missing units go to the largest remainders, each label at most one.
                    n_taken = 0
                    while left > 0:
                        largest, where = -1, 0
                        for b in range(c):
                            if labels >> b & 1 and not n_taken >> b & 1:
                                remainder = (size * slope[b] + shift) % (4 * size)
                                if remainder > largest:
                                    largest, where = remainder, b
                        t[where] += 1
                        n_taken |= 1 << where
                        left -= 1
                    worst, part = 0, 0
                    if size > 1:
                        for b in range(c):
                            for q in range(1 << b):
                                sums[q | 1 << b] = sums[q] + t[b]
                        q = (labels - 1) & labels
                        while q > 0:
                            lack = bel[a, q | below] - bel[a, below] - sums[q]
                            if lack > worst:
                                worst, part = lack, q
                            q = (q - 1) & labels
                    if worst > 0:
                        needed = bel[a, part | below] - bel[a, below]
                        todo[left_to_do, 0] = part
                        todo[left_to_do, 2] = needed
                        todo[left_to_do + 1, 0] = labels & ~part
                        todo[left_to_do + 1, 1] = below | part
                        todo[left_to_do + 1, 2] = amount - needed
                        left_to_do += 2
                    else:
                        for b in range(c):
                            if labels >> b & 1:
                                rows[a, b] = t[b]
                                s[b] += t[b]
                                value += (slope[b] - 2 * t[b]) * t[b]
            if turn == 0:
                bound += value
                bound = min(bound - ((bound - n) & 1), limits[waiting])   # it has the parity of n
                for b in range(c):
                    first[b] = s[b]
            for b in range(c):
                value += s[b] * (s[b] - slope[b])
            if value <= best:
                break
            # Follow the tangent of |s|^2 while the value rises.
            best = value
            for b in range(c):
                slope[b] = 2 * s[b]
                for a in range(k):
                    best_rows[a, b] = rows[a, b]
            turn += 1
        if bound <= best:
            continue
        # Split where the chord is farthest from the parabola, at the size found.
        widest, where = 0, 0
        for b in range(c):
            gap = (first[b] - low[b]) * (high[b] - first[b])
            if gap > widest:
                widest, where = gap, b
        quarter = (high[where] - low[where]) // 4
        middle = min(max(first[where], low[where] + quarter), high[where] - 1 - quarter)
        for b in range(c):
            boxes[waiting + 1, 0, b] = low[b]
            boxes[waiting + 1, 1, b] = high[b]
        high[where] = middle
        boxes[waiting + 1, 0, where] = middle + 1
        limits[waiting] = bound
        limits[waiting + 1] = bound
        waiting += 2
    state[WAITING], state[BEST], state[NODES] = waiting, best, nodes
