"""Pair errors of every cut of a dendrogram, by labels and loops over pairs."""

from itertools import combinations, pairwise


def pair_errors(labels, truth):
    """(separated same-class pairs, joined different-class pairs, S, D)."""
    separated = joined = same = different = 0
    for i, j in combinations(range(len(truth)), 2):
        if truth[i] == truth[j]:
            same += 1
            separated += labels[i] != labels[j]
        else:
            different += 1
            joined += labels[i] == labels[j]
    return separated, joined, same, different


def cuts(merges, n):
    """{k: labels}: the merges applied to a label vector one after the other."""
    labels = list(range(n))
    found = {n: list(labels)}
    for t, row in enumerate(merges):
        labels = [n + t if label in (row[0], row[1]) else label for label in labels]
        found[n - t - 1] = list(labels)
    return found


def pair_roc(merges, truth, labelled=None):
    """Rows (k, eps1, eps2), k ascending, in the order of the merges."""
    n = len(truth)
    chosen = range(n) if labelled is None else [i for i in range(n) if labelled[i]]
    rows = []
    for k, labels in sorted(cuts(merges, n).items()):
        separated, joined, same, different = pair_errors([labels[i] for i in chosen],
                                                         [truth[i] for i in chosen])
        rows.append((k, separated / same, joined / different))
    return rows


def area(points):
    """Signed area below points (eps1, eps2) in order of k, with both end points."""
    path = [(0.0, 1.0), *points, (1.0, 0.0)]
    return sum((u - x) * (v + y) / 2 for (x, y), (u, v) in pairwise(path))


def closed_form(merges, truth):
    """P(a different-class pair is joined before a same-class pair) + P(same merge) / 2."""
    n = len(truth)
    members = {i: [i] for i in range(n)}
    steps = []
    for t, row in enumerate(merges):
        left, right = members[int(row[0])], members[int(row[1])]
        same = sum(truth[i] == truth[j] for i in left for j in right)
        steps.append((same, len(left) * len(right) - same))
        members[n + t] = left + right
    total_same, total_different = (sum(step[q] for step in steps) for q in (0, 1))
    before = found = 0
    for same, different in steps:
        found += same * (2 * before + different)
        before += different
    return found / (2 * total_same * total_different)


def expected_errors(partition, truth):
    """The same numbers as `pair_errors`, expected over independent labels (memberships)."""
    separated = joined = same = different = 0.0
    for i, j in combinations(range(len(truth)), 2):
        s = sum(a * b for a, b in zip(truth[i], truth[j]))
        t = sum(a * b for a, b in zip(partition[i], partition[j]))
        same += s
        different += 1 - s
        separated += s * (1 - t)
        joined += (1 - s) * t
    return separated, joined, same, different
