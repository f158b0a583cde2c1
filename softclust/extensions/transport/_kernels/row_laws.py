"""Laws of tables of independent objects: sums of integers, rows of counts, largest matchings.

``add_terms`` convolves term after term, ``row_law`` is the Poisson-multinomial law of one row
of a table, ``pair_maxima`` the two rows of a 3 x 3 table that Laplace's expansion of the largest
matching takes together. All work in slices, so that callers can stop between them.
"""

from ....running.compiler import kernel

#: laws drop what is smaller: products of small probabilities would crawl as subnormal numbers
FLUSH = 1e-290


@kernel
def add_terms(p, at, budget, tiny, laws, window, dropped):
    """Convolve the law of a sum with terms `at`, `at` + 1, ...; the first term not done.

    Term i is j with probability p[i, j]. laws (2, sums): row i % 2 holds the law of the first i
    terms at window[0], ..., window[1] - 1. Ends below `tiny` are cut off and added to
    dropped[0]. Stops after about `budget` multiplications.
    """
    width = p.shape[1]
    begin = window[0]
    end = window[1]
    done = 0
    while at < p.shape[0] and done < budget:
        old = laws[at % 2]
        new = laws[1 - at % 2]
        for k in range(begin, end + width - 1):
            new[k] = 0.0
        for j in range(width):
            a = p[at, j]
            if a > 0.0:
                for k in range(begin, end):
                    new[k + j] += a * old[k]
        done += (end - begin) * width
        end += width - 1
        while begin < end - 1 and new[begin] < tiny:
            dropped[0] += new[begin]
            begin += 1
        while begin < end - 1 and new[end - 1] < tiny:
            dropped[0] += new[end - 1]
            end -= 1
        at += 1
    window[0] = begin
    window[1] = end
    return at


@kernel
def row_law(u, strides, start, stop, laws):
    """Counts of labels of objects `start` to `stop` - 1 join those of the objects before.

    u : (m, K) probabilities of the labels
    strides : (K,) index step of one more object with each label; the last is 0
    laws : (2, cells); row `start` % 2 holds the law so far, row `stop` % 2 gets the new one
    """
    for i in range(start, stop):
        old = laws[i % 2]
        new = laws[1 - i % 2]
        reached = i * strides[0] + 1    # indices below may be positive so far
        room = min(reached + strides[0], new.shape[0])
        last = u[i, u.shape[1] - 1]
        for k in range(reached):
            new[k] = last * old[k]
        for k in range(reached, room):
            new[k] = 0.0
        for b in range(u.shape[1] - 1):
            p = u[i, b]
            step = strides[b]
            if p > 0.0:
                for k in range(reached):
                    new[k + step] += p * old[k]
        for k in range(room):
            new[k] = 0.0 if new[k] < FLUSH else new[k]


@kernel
def pair_maxima(rows, row_p, others, other_p, start, stop, first0, first1, hist):
    """Largest pairs of cells of two rows of a 3 x 3 table, one label left out; E without 2.

    a_l is the larger sum of two cells, one per row, in the columns other than l. The probability of
    (a_0 - a_2, a_1 - a_2) is added to hist[a_0 - a_2 - first0, a_1 - a_2 - first1]; returned is the
    sum of probability times a_2 over rows[start:stop] and all `others`.

    rows, others : (k, 3) counts
    row_p, other_p : their probabilities
    """
    base = 0.0
    for r in range(start, stop):
        x = rows[r, 0]
        y = rows[r, 1]
        z = rows[r, 2]
        part = 0.0
        for s in range(others.shape[0]):
            a0 = max(y + others[s, 2], z + others[s, 1])
            a1 = max(x + others[s, 2], z + others[s, 0])
            a2 = max(x + others[s, 1], y + others[s, 0])
            weight = row_p[r] * other_p[s]
            part += weight * a2
            hist[a0 - a2 - first0, a1 - a2 - first1] += weight
        base += part
    return base


@kernel
def add_shifted(source, pad, offsets, weights, start, stop, out):
    """out[offset + k] += weight * source[pad + k], for the cells `start` to `stop` - 1.

    `source` has `pad` zeros on both sides; `offsets` ascend. Four cells whose offsets differ by
    at most `pad` are added in one pass.
    """
    span = source.shape[0] - 2 * pad
    c = start
    while c < stop:
        first = offsets[c]
        if c + 3 < stop and offsets[c + 3] - first <= pad:
            spread = offsets[c + 3] - first
            w0 = weights[c]
            w1 = weights[c + 1]
            w2 = weights[c + 2]
            w3 = weights[c + 3]
            s0 = source[pad:]
            s1 = source[pad - (offsets[c + 1] - first):]
            s2 = source[pad - (offsets[c + 2] - first):]
            s3 = source[pad - spread:]
            target = out[first:]
            for k in range(span + spread):
                target[k] += ((w0 * s0[k] + w1 * s1[k]) + (w2 * s2[k] + w3 * s3[k]))
            c += 4
        else:
            weight = weights[c]
            s0 = source[pad:]
            target = out[first:]
            for k in range(span):
                target[k] += weight * s0[k]
            c += 1
