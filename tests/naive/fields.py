"""Scores of linkage, coreference, segmentation and diarization by loops over their definitions.

A side is a list of disjoint clusters, lists of objects; objects in none are absent from it.
"""

import math
from itertools import combinations, permutations

PARTS = ("f1", "precision", "recall")


def partitions(objects):
    if not objects:
        return [[]]
    first, rest = objects[0], objects[1:]
    found = []
    for p in partitions(rest):
        found += [[[first, *c] if k == j else c for k, c in enumerate(p)] for j in range(len(p))]
        found.append([[first], *p])
    return found


def same(x, y):
    return sorted(map(sorted, x)) == sorted(map(sorted, y))


def pairs(x, own=False):
    return ({(i, j) for c in x for i in c for j in c} if own else
            {pair for c in x for pair in combinations(sorted(c), 2)})


def share(part, both, of_x, of_y, x, y):
    over, under = {"f1": (2 * both, of_x + of_y), "precision": (both, of_x),
                   "recall": (both, of_y)}[part]
    if under == 0:
        return 1.0 if same(x, y) else math.nan
    return over / under


def harmonic(part, p, r, x, y):
    if same(x, y):
        return 1.0
    if part == "precision":
        return p
    if part == "recall":
        return r
    if 0 in (p, r):
        return 0.0   # 2 tp/(2 tp + fp + fn), also where the other part is 0/0
    return 2 * p * r / (p + r) if p + r else p + r


def pair_f_index(x, y, part="f1", self_pairs=False):
    of_x, of_y = pairs(x, self_pairs), pairs(y, self_pairs)
    return share(part, len(of_x & of_y), len(of_x), len(of_y), x, y)


def jaccard(c, d):
    return len(set(c) & set(d)) / len(set(c) | set(d))


def cluster_f_index(x, y, part="f1", threshold=None):
    hits = sum(any(set(c) == set(d) if threshold is None else jaccard(c, d) > threshold
                   for d in y) for c in x)
    return share(part, hits, len(x), len(y), x, y)


def panoptic_index(x, y, part="pq", threshold=0.5):
    found = [jaccard(c, d) for c in x for d in y if jaccard(c, d) > threshold]
    if same(x, y):
        return 1.0
    if part == "sq":
        return sum(found) / len(found) if found else math.nan
    return (sum(found) if part == "pq" else len(found)) / ((len(x) + len(y)) / 2)


def kept_links(x, y):
    """Links of a cluster kept by the other side: size less parts, absent objects parts of one."""
    total = 0
    for c in x:
        parts = sum(bool(set(c) & set(d)) for d in y)
        parts += sum(all(i not in d for d in y) for i in c)
        total += len(c) - parts
    return total


def muc_index(x, y, part="f1"):
    links = [sum(len(c) - 1 for c in side) for side in (x, y)]
    kept = kept_links(x, y)
    assert kept == kept_links(y, x)
    return share(part, kept, *links, x, y)


def matchings(x, y):
    """All one-to-one maps of the smaller side into the larger."""
    if len(x) <= len(y):
        for order in permutations(range(len(y)), len(x)):
            yield list(zip(range(len(x)), order))
    else:
        for order in permutations(range(len(x)), len(y)):
            yield list(zip(order, range(len(y))))


def best(x, y, score):
    return max((sum(score(x[k], y[j]) for k, j in m) for m in matchings(x, y)), default=0)


def overlap(c, d):
    return len(set(c) & set(d))


def ceaf_index(x, y, part="f1", similarity="entity"):
    if similarity == "mention":
        return share(part, best(x, y, overlap), sum(map(len, x)), sum(map(len, y)), x, y)
    found = best(x, y, lambda c, d: 2 * overlap(c, d) / (len(c) + len(d)))
    return share(part, found, len(x), len(y), x, y)


def links_of(x, y):
    total = weight = 0
    for c in x:
        if len(c) == 1:
            resolution = float(any(set(d) == set(c) for d in y))
        else:
            kept = pairs([c]) & pairs(y)
            resolution = len(kept) / math.comb(len(c), 2)
        total += len(c) * resolution
        weight += len(c)
    return total / weight if weight else math.nan


def lea_index(x, y, part="f1"):
    return harmonic(part, links_of(x, y), links_of(y, x), x, y)


def blanc_index(x, y, part="f1"):
    if same(x, y):
        return 1.0
    values = []
    joined = [pairs(side) for side in (x, y)]
    every = [set(combinations(sorted(i for c in side for i in c), 2)) for side in (x, y)]
    for of_x, of_y in (joined, [e - j for e, j in zip(every, joined)]):
        if of_y:
            both = len(of_x & of_y)
            values.append({"recall": both / len(of_y),
                           "precision": both / len(of_x) if of_x else 0.0,
                           "f1": 2 * both / (len(of_x) + len(of_y))}[part])
    return sum(values) / len(values) if values else math.nan


def diarization_error_rate(x, y, part="total"):
    frames = {i for side in (x, y) for c in side for i in c}
    of_x, of_y = ({i: sum(i in c for c in side) for i in frames} for side in (x, y))
    missed = sum(max(0, of_y[i] - of_x[i]) for i in frames)
    false_alarm = sum(max(0, of_x[i] - of_y[i]) for i in frames)
    confusion = sum(min(of_x[i], of_y[i]) for i in frames) - best(x, y, overlap)
    total = {"total": missed + false_alarm + confusion, "missed": missed,
             "false_alarm": false_alarm, "confusion": confusion}[part]
    scored = sum(map(len, y))
    if not scored:
        return 0.0 if same(x, y) else math.nan
    return total / scored


def jaccard_error_rate(x, y, mapping="jaccard"):
    if not y:
        return math.nan if x else 0.0
    sums = [(sum(overlap(x[k], y[j]) for k, j in m) if mapping == "overlap" else 0,
             sum(jaccard(x[k], y[j]) for k, j in m)) for m in matchings(x, y)]
    return 1 - max(sums)[1] / len(y)


def orphan_clusters_dissimilarity(x, y):
    counts = []
    for side, other in ((x, y), (y, x)):
        reached = set()
        for c in side:
            top = max((jaccard(c, d) for d in other), default=0)
            reached |= {j for j, d in enumerate(other) if top and jaccard(c, d) == top}
        counts.append(len(other) - len(reached))
    return max(counts)


# -- of hard clusterings --------------------------------------------------------------------------
def conditional_entropy(x, y, log_base=math.e):
    n = sum(map(len, x))
    return sum(-overlap(c, d) / n * math.log(overlap(c, d) / len(d), log_base)
               for c in x for d in y if overlap(c, d))


def entropy(x):
    return conditional_entropy(x, [[i for c in x for i in c]])


def homogeneity_index(x, y):
    return 1 - conditional_entropy(y, x) / entropy(y) if len(y) > 1 else 1.0


def completeness_index(x, y):
    return homogeneity_index(y, x)


def v_measure_index(x, y, beta=1.0):
    h, c = homogeneity_index(x, y), completeness_index(x, y)
    return (1 + beta) * h * c / (beta * h + c) if h * c else 0.0


def conll_index(x, y):
    def of_objects(side, other):
        members = [(set(c), i) for c in side for i in c]
        values = [len(c & next((set(d) for d in other if i in d), set())) / len(c)
                  for c, i in members]
        return sum(values) / len(values) if values else math.nan

    b = harmonic("f1", of_objects(x, y), of_objects(y, x), x, y)
    return (muc_index(x, y) + b + ceaf_index(x, y)) / 3


def merge_split_dissimilarity(x, y, cost="operations"):
    """Split clusters of x object by object off, in the order of y, then merge."""
    h = {"operations": lambda v: -1, "pairs": lambda v: v * (v - 1) // 2,
         "information": lambda v: v * math.log(v)}[cost]
    total = 0
    for side, other in ((x, y), (y, x)):
        for c in side:
            rest = len(c)
            for part in [overlap(c, d) for d in other if overlap(c, d)][:-1]:
                total += h(rest) - h(part) - h(rest - part)
                rest -= part
    return total
