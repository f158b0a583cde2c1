"""Half-samples, agreement and errors of settings, by loops from the definitions."""

import math


def halves(n_blocks):
    """Blocks of each half: block q with p + nonzero squares mod q, and the others."""
    q = n_blocks - 1
    squares = {r * r % q for r in range(1, q)}
    made = []
    for p in range(q):
        first = {q} | {(p + r) % q for r in squares}
        made += [first, set(range(n_blocks)) - first]
    return made


def adjusted_rand(a, b, undefined=0.0):
    """Of two lists, from all pairs of objects."""
    n = len(a)
    both = x = y = 0
    for i in range(n):
        for j in range(i):
            both += a[i] == a[j] and b[i] == b[j]
            x += a[i] == a[j]
            y += b[i] == b[j]
    total = n * (n - 1) / 2
    over = both - x * y / total if total else 0.0
    under = (x + y) / 2 - x * y / total if total else 0.0
    return undefined if abs(under) < 1e-12 else over / under


def mean_agreements(labels):
    """r_a of each half; labels are dicts object -> cluster, noise already coded."""
    means = []
    for a in range(len(labels)):
        values = []
        for b in range(len(labels)):
            if b // 2 != a // 2:
                common = sorted(set(labels[a]) & set(labels[b]))
                values.append(adjusted_rand([labels[a][i] for i in common],
                                            [labels[b][i] for i in common]))
        means.append(sum(values) / len(values))
    return means


def influence(means, n_blocks):
    """U of each block."""
    made = halves(n_blocks)
    return [sum((means[2 * p] - means[2 * p + 1]) * (1 if g in made[2 * p] else -1)
                for p in range(n_blocks - 1)) for g in range(n_blocks)]


def variance(values):
    mean = sum(values) / len(values)
    return sum((v - mean) ** 2 for v in values) / (len(values) - 1)


def difference_se(s, t, refs_s, refs_t, n_blocks):
    """Standard error of a difference of two settings' excess from their r and references."""
    q = n_blocks - 1
    raw = sum((a - b) ** 2 for a, b in zip(influence(s, n_blocks), influence(t, n_blocks))) / (
        n_blocks * q)
    even = variance([(s[2 * p] + s[2 * p + 1]) - (t[2 * p] + t[2 * p + 1]) for p in range(q)])
    ref = variance([a - b for a, b in zip(refs_s, refs_t)]) / len(refs_s)
    return math.sqrt(max(raw - even, raw / 4) + ref)


def interpolated(at, points):
    """Linear between points (m, value), constant outside; equal m are averaged."""
    places = sorted({m for m, _ in points})
    values = [sum(v for m, v in points if m == place) / sum(m == place for m, _ in points)
              for place in places]
    if at <= places[0]:
        return values[0]
    for k in range(1, len(places)):
        if at <= places[k]:
            share = (at - places[k - 1]) / (places[k] - places[k - 1])
            return values[k - 1] + share * (values[k] - values[k - 1])
    return values[-1]


def with_noise(x, labels):
    """Labels with noise, -1, in the cluster with the nearest mean."""
    clusters = sorted(set(labels) - {-1})
    centres = [[sum(v) / len(v) for v in zip(*(row for row, k in zip(x, labels) if k == c))]
               for c in clusters]
    return [k if k >= 0 else clusters[min(range(len(clusters)), key=lambda c: math.dist(
        row, centres[c]))] for row, k in zip(x, labels)]


def as_many(clusters, references):
    """The largest separation of the settings (clusters, separation) of one reference with the
    number of clusters, two at least, nearest to that of the data; nan if all find one."""
    known = [(abs(k - clusters), value) for k, value in references if k > 1]
    nearest = min((gap for gap, _ in known), default=None)
    return max((value for gap, value in known if gap == nearest), default=math.nan)


def p_values(data, references):
    """p of the largest centred value, and of each, jointly."""
    count, settings = len(references), range(len(data))
    centre = [(data[s] + sum(row[s] for row in references)) / (1 + count) for s in settings]
    largest = [max(row[s] - centre[s] for s in settings) for row in references]

    def p(value):
        return (1 + sum(m >= value - 1e-12 for m in largest)) / (1 + count)
    own = [data[s] - centre[s] for s in settings]
    return p(max(own)), [p(v) for v in own]
