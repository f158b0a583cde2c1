"""Oracles of the Prayatul matrix: the paper's double loop and its soft forms, pair by pair.

Labels are plain lists, memberships and masses rows of numbers. With Fractions the results are
exact.
"""

from __future__ import annotations

import math
from itertools import combinations, product


def prayatul(truth, primary, alternative, weights=None):
    """[BR, RW, WR, BW] by Algorithm 1: every pair looked at."""
    counts = [0, 0, 0, 0]
    for i, j in combinations(range(len(truth)), 2):
        same = truth[i] == truth[j]
        p = (primary[i] == primary[j]) == same
        q = (alternative[i] == alternative[j]) == same
        w = 1 if weights is None else weights[i] * weights[j]
        counts[2 * (not p) + (not q)] += w
    return counts


def prayatul_measures(counts):
    """The five measures, eq. 5 to 9; nan for 0/0."""
    br, rw, wr, bw = counts
    pairs = br + rw + wr + bw

    def divided(a, b):
        return a / b if b else math.nan

    return [divided(rw - wr, rw + wr), divided(br + rw - bw, pairs),
            divided(br + rw, br + rw + wr), divided(br + rw - wr, br + rw + wr),
            divided(br + rw - wr, pairs)]


def prayatul_rows(truth, primary, alternative):
    """The matrix counted over the pairs with object i, for each i."""
    n = len(truth)
    rows = []
    for i in range(n):
        row = [0, 0, 0, 0]
        for j in range(n):
            if j != i:
                pair = prayatul(*([x[i], x[j]] for x in (truth, primary, alternative)))
                row = [a + b for a, b in zip(row, pair)]
        rows.append(row)
    return rows


def prayatul_parts(truth, primary, alternative):
    """The matrix over pairs of one class, and over the others."""
    same, different = [0] * 4, [0] * 4
    for i, j in combinations(range(len(truth)), 2):
        pair = prayatul(*([x[i], x[j]] for x in (truth, primary, alternative)))
        part = same if truth[i] == truth[j] else different
        for k in range(4):
            part[k] += pair[k]
    return same, different


def expected_prayatul(truth, primary, alternative):
    """Mean of the matrix over all labels that the memberships allow, by enumeration."""
    n = len(truth)
    total = [0, 0, 0, 0]
    # Labels of a pair matter only through the two objects: 2 x 3 independent draws.
    for i, j in combinations(range(n), 2):
        sides = (truth, primary, alternative)
        choices = [range(len(x[k])) for x in sides for k in (i, j)]
        for gi, gj, pi, pj, qi, qj in product(*choices):
            chance = (truth[i][gi] * truth[j][gj] * primary[i][pi] * primary[j][pj]
                      * alternative[i][qi] * alternative[j][qj])
            if chance:
                pair = prayatul([gi, gj], [pi, pj], [qi, qj])
                total = [a + chance * b for a, b in zip(total, pair)]
    return total


def minimum_prayatul(truth, primary, alternative, weights=None):
    """Pair by pair: as much right in both as the degrees of rightness allow."""
    total = [0, 0, 0, 0]
    for i, j in combinations(range(len(truth)), 2):
        g, p, q = (sum(a * b for a, b in zip(x[i], x[j]))
                   for x in (truth, primary, alternative))
        cp, cq = 1 - abs(p - g), 1 - abs(q - g)
        w = 1 if weights is None else weights[i] * weights[j]
        pair = (min(cp, cq), max(cp - cq, 0), max(cq - cp, 0), 1 - max(cp, cq))
        total = [a + w * b for a, b in zip(total, pair)]
    return total


def evidential_prayatul(truth, primary, alternative, weights=None):
    """(3, 3) right, wrong, unknown; sides are lists of {frozenset: mass}, the truth labels."""
    matrix = [[0] * 3 for _ in range(3)]
    for i, j in combinations(range(len(truth)), 2):
        states = []
        for side in (primary, alternative):
            same = different = 0
            for (a, m), (b, other) in product(side[i].items(), side[j].items()):
                if a and b and not a & b:
                    different += m * other
                elif len(a) == 1 and a == b:
                    same += m * other
            right, wrong = (same, different) if truth[i] == truth[j] else (different, same)
            states.append((right, wrong, 1 - right - wrong))
        w = 1 if weights is None else weights[i] * weights[j]
        for a, b in product(range(3), repeat=2):
            matrix[a][b] += w * states[0][a] * states[1][b]
    return matrix


def prayatul_jackknife(truth, primary, alternative):
    """Standard errors of delta and the five measures: every object left out in turn."""
    n = len(truth)

    def values(keep):
        counts = prayatul(*([x[i] for i in keep] for x in (truth, primary, alternative)))
        return [(counts[1] - counts[2]) / sum(counts), *prayatul_measures(counts)]

    left = [values([j for j in range(n) if j != i]) for i in range(n)]
    errors = []
    for column in zip(*left):
        mean = sum(column) / n
        errors.append(math.sqrt((n - 1) / n * sum((v - mean) ** 2 for v in column)))
    return errors
