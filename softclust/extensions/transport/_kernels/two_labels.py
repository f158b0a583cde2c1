"""Two labels, one side hard or rough: the joint law of two counts, and expected distances.

Sums of probabilities are sums of positive terms only, so their relative error is a few units
in the last place for each object.
"""

from ....running.compiler import kernel


@kernel
def two_label_steps(law, spare, moved, opened, first, stop):
    """Carry the law of (p, q) over objects `first` to `stop` - 1, in place.

    law (J + 1, J + 1): law[p, q] for p + q <= first on entry; moved, opened (J,): probabilities
    that the object adds 1 to p or to q; spare (J + 1,)
    """
    for j in range(first, stop):
        move = moved[j]
        open_ = opened[j]
        stay = max(0.0, 1.0 - move - open_)
        for p in range(j + 1, -1, -1):
            row = law[p]
            width = j + 2 - p   # q = 0, ..., j + 1 - p; the last one is still 0
            for q in range(width):
                spare[q] = row[q]
            row[0] = stay * spare[0]
            for q in range(1, width):
                row[q] = stay * spare[q] + open_ * spare[q - 1]
            if p > 0:
                before = law[p - 1]
                for q in range(width):
                    row[q] += move * before[q]


@kernel
def two_label_ends(law, both, near, differ, alone, first, stop, out):
    """Expected ends d0, d1 from the laws; rows p of `law` from `first` to `stop` - 1.

    both (Q + 1,): law of the number of objects open on both sides, of Q that are open on the fixed
    side; near (n + 1,): distance of two clusterings that differ in this many labels; differ, alone:
    objects that surely differ, that surely are open on the random side only; out (rows, 2)
    """
    n = near.shape[0] - 1
    n_open = both.shape[0] - 1
    for row in range(first, stop):
        smallest = 0.0
        largest = 0.0
        p = differ + row
        for column in range(law.shape[1] - row):
            weight = law[row, column]
            if weight == 0.0:
                continue
            q = alone + column
            smallest += weight * min(near[p], near[p + q + n_open])
            # Farthest over k in a range of the smaller distance at k and at k + free: the middle.
            k = min(max((n - n_open) // 2, p), p + q)
            back = min(near[k], near[k + n_open])
            inner = 0.0
            for q3 in range(n_open + 1):
                if both[q3] > 0.0:
                    k = min(max((n - q - q3) // 2, p), p + n_open - q3)
                    inner += both[q3] * max(back, min(near[k], near[k + q + q3]))
            largest += weight * inner
        out[row, 0] = smallest
        out[row, 1] = largest
