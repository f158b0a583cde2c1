"""Expected indices of a hard clustering against random labels, by listing all labels."""

from collections import Counter
from itertools import combinations, product
from math import log, sqrt


def expected_index(truth, membership, index):
    """Mean of `index` over all labellings, each with the product of its memberships."""
    of = {"jaccard": jaccard, "fowlkes_mallows": fowlkes_mallows,
          "adjusted_rand": adjusted_rand, "mutual_information": _mutual_information,
          "variation_of_information": _variation_of_information, "purity": purity}[index]
    total = 0
    for labels in product(*(range(len(row)) for row in membership)):
        probability = 1
        for row, label in zip(membership, labels):
            probability = probability * row[label]
        if probability:
            total += probability * of(list(truth), list(labels))
    return total


def _pairs(x, y):
    """Pairs together in both, in x, in y, and all."""
    pairs = list(combinations(range(len(x)), 2))
    in_x = sum(x[i] == x[j] for i, j in pairs)
    in_y = sum(y[i] == y[j] for i, j in pairs)
    both = sum(x[i] == x[j] and y[i] == y[j] for i, j in pairs)
    return both, in_x, in_y, len(pairs)


def jaccard(x, y):
    """Pairs together in both by pairs together in either; 0/0 is 1."""
    both, in_x, in_y, _ = _pairs(x, y)
    return both / (in_x + in_y - both) if in_x + in_y else 1


def fowlkes_mallows(x, y):
    """Pairs together in both by the geometric mean; 0/0 is 1, n/0 is 0."""
    both, in_x, in_y, _ = _pairs(x, y)
    if in_x == 0 or in_y == 0:
        return int(in_x == in_y)
    return both / sqrt(in_x * in_y)


def adjusted_rand(x, y):
    """(n11 - expected) / (mean - expected); 0/0 is 1."""
    both, in_x, in_y, pairs = _pairs(x, y)
    expected = in_x * in_y / pairs
    room = (in_x + in_y) / 2 - expected
    if in_x == in_y and in_x in (0, pairs):
        return 1
    return (both - expected) / room


def entropy(labels):
    """Entropy of the shares, nats."""
    n = len(labels)
    return -sum(k / n * log(k / n) for k in Counter(labels).values())


def _mutual_information(x, y):
    """H(x) + H(y) - H(x, y)."""
    return entropy(x) + entropy(y) - entropy(list(zip(x, y)))


def _variation_of_information(x, y):
    """2 H(x, y) - H(x) - H(y)."""
    return 2 * entropy(list(zip(x, y))) - entropy(x) - entropy(y)


def purity(x, y):
    """Share of objects in the most frequent class of their label."""
    return sum(max(Counter(a for a, b in zip(x, y) if b == label).values())
               for label in set(y)) / len(x)
