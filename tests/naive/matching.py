"""Matching of clusters, votes and the information criterion, by definition.

Exact arithmetic and enumeration; uniform numbers choose among candidates in lexicographic order.
"""

import math
from fractions import Fraction
from itertools import permutations


def scores(table, rows=None, columns=None):
    """sign(T - e) (T - e)^2 / e of the cells of some rows and columns, as a dict."""
    rows = range(len(table)) if rows is None else rows
    columns = range(len(table[0])) if columns is None else columns
    n = sum(Fraction(table[k][j]) for k in rows for j in columns)
    result = {}
    for k in rows:
        for j in columns:
            a = sum(Fraction(table[k][m]) for m in columns)
            b = sum(Fraction(table[m][j]) for m in rows)
            expected = a * b / n if n else 0
            deviation = Fraction(table[k][j]) - expected
            result[k, j] = deviation * abs(deviation) / expected if expected else Fraction(0)
    return result


def matchings(r, s):
    """Columns of the rows (None: no column) of all matchings, in lexicographic order."""
    found = set()
    size = max(r, s)
    for order in permutations(range(size), r):
        columns = tuple(j if j < s else s for j in order)
        if sum(j < s for j in columns) == min(r, s):
            found.add(columns)
    return [tuple(None if j == s else j for j in columns) for columns in sorted(found)]


def objective(columns, values):
    """Sum of the values on the pairs."""
    return sum((values[k, j] for k, j in enumerate(columns) if j is not None), Fraction(0))


def optimal_matchings(values, r, s):
    """Matchings with the largest sum of `values`, in lexicographic order."""
    sums = {columns: objective(columns, values) for columns in matchings(r, s)}
    most = max(sums.values())
    return [columns for columns, total in sums.items() if total == most]


def law(table, method, margins="remaining"):
    """Probability of each possible matching, as a dict of columns."""
    r, s = len(table), len(table[0])
    margins = "none" if method == "trace_heuristic" else margins
    if not method.endswith("heuristic"):
        values = scores(table)
        if method == "trace":
            values = {(k, j): Fraction(table[k][j]) for k in range(r) for j in range(s)}
        best = optimal_matchings(values, r, s)
        return {columns: Fraction(1, len(best)) for columns in best}
    result = {}
    _tree(table, margins, list(range(r)), list(range(s)), {}, Fraction(1), result)
    return result


def _candidates(table, margins, rows, columns):
    values = scores(table, rows, columns) if margins == "remaining" else scores(table)
    values = dict.fromkeys(values, 0) if margins == "none" else values
    ranks = {(k, j): (values[k, j], table[k][j]) for k in rows for j in columns}
    top = max(ranks.values())
    return sorted(cell for cell, rank in ranks.items() if rank == top)


def _tree(table, margins, rows, columns, chosen, probability, result):
    if not rows or not columns:
        key = tuple(chosen.get(k) for k in range(len(table)))
        result[key] = result.get(key, 0) + probability
        return
    cells = _candidates(table, margins, rows, columns)
    for k, j in cells:
        _tree(table, margins, [m for m in rows if m != k], [m for m in columns if m != j],
              {**chosen, k: j}, probability / len(cells), result)


def match(table, method, uniforms, margins="remaining"):
    """The matching that the uniform numbers choose; columns of the rows."""
    r, s = len(table), len(table[0])
    margins = "none" if method == "trace_heuristic" else margins
    if not method.endswith("heuristic"):
        best = list(law(table, method))
        return best[math.floor(uniforms[0] * len(best))]
    rows, columns, chosen = list(range(r)), list(range(s)), {}
    for u in uniforms[:min(r, s)]:
        cells = _candidates(table, margins, rows, columns)
        k, j = cells[math.floor(u * len(cells))]
        chosen[k] = j
        rows.remove(k)
        columns.remove(j)
    return tuple(chosen.get(k) for k in range(r))


def mmcc(members, c, method, uniforms, margins="remaining", weights=None):
    """Votes (n, c) and, for each member, the new name of each of its clusters.

    members: lists of labels, None where an object does not vote; uniforms: n + c a member.
    """
    n = len(members[0])
    votes = [[0.0] * c for _ in range(n)]
    names = []
    for b, labels in enumerate(members):
        weight = 1.0 if weights is None else weights[b]
        rename = list(range(c))
        if b > 0:
            table = [[0] * c for _ in range(c)]
            for i in range(n):
                most = max(votes[i])
                tied = [k for k in range(c) if votes[i][k] == most]
                if labels[i] is not None:
                    table[tied[math.floor(uniforms[b][i] * len(tied))]][labels[i]] += 1
            for k, j in enumerate(match(table, method, uniforms[b][n:], margins)):
                rename[j] = k
        for i in range(n):
            if labels[i] is not None:
                votes[i][rename[labels[i]]] += weight
        names.append(rename)
    return votes, names


def information_criterion(membership, signed=False, divisor=None):
    """Uncertainty, complexity, information and their difference, in bits."""
    n, c = len(membership), len(membership[0])
    shares = [sum(row[k] for row in membership) / n for k in range(c)]
    uncertainty = -sum(p * math.log2(p) for row in membership for p in row if p > 0) / n
    effective = 2 ** -sum(p * math.log2(p) for p in shares if p > 0)
    divisor = n - 1 if divisor is None else divisor
    complexity = (effective - 1) / divisor
    told = 0.0
    for row in membership:
        for p, share in zip(row, shares):
            if p > 0:
                distance = p - share if signed else abs(p - share)
                told += p * abs(math.log2(1 - distance))
    information = (1 - complexity) * told / n
    return uncertainty, complexity, information, information - uncertainty


def best_assignment(table):
    """Largest sum over distinct columns and its lexicographically smallest columns."""
    r, s = len(table), len(table[0])
    values = {(k, j): Fraction(table[k][j]) for k in range(r) for j in range(s)}
    best = optimal_matchings(values, r, s)[0]
    return objective(best, values), best


def prices(table, columns):
    """Prices u, v with u_i + v_j >= T_ij, equal on the pairs: a certificate; or None.

    `table` square, every row matched. Longest paths between columns: they exist unless some
    cycle of exchanges would gain.
    """
    m = len(table)
    owner = {j: i for i, j in enumerate(columns)}
    v = [0] * m
    for _ in range(m + 1):
        moved = False
        for j in range(m):
            i = owner[j]
            for k in range(m):
                if v[j] + table[i][k] - table[i][j] > v[k]:
                    v[k] = v[j] + table[i][k] - table[i][j]
                    moved = True
        if not moved:
            return [table[i][columns[i]] - v[columns[i]] for i in range(m)], v
    return None


def reliability_votes(attempts, ones, n, same_one, same_zero, target, shared, method, samples):
    """Votes (n, 2), accepted and tried samples of the reliability simulation.

    attempts: an iterable of lists of uniform numbers: n draws, n classes, n ties, 1 for the match,
    n for the order of moves.
    """
    votes = [[0, 0] for _ in range(n)]
    accepted = tried = 0
    for numbers in attempts:
        if accepted == samples:
            break
        tried += 1
        objects = [math.floor(u * n) for u in numbers[:n]]
        classes = []
        for t, i in enumerate(objects):
            u = numbers[n + (i if shared else t)]
            truth = 1 if i < ones else 0
            classes.append(truth if u < (same_one if truth else same_zero) else 1 - truth)
        if target is not None:
            draws = list(range(n))
            t = 0
            while sum(classes) != target:
                j = t + math.floor(numbers[3 * n + 1 + t] * (n - t))
                draws[t], draws[j] = draws[j], draws[t]
                big = 1 if sum(classes) > target else 0
                if classes[draws[t]] == big:
                    classes[draws[t]] = 1 - big
                t += 1
        if len(set(classes)) == 1:
            continue
        rename = (0, 1)
        if accepted:
            reference = [1 if one > zero or (one == zero and u >= 0.5) else 0
                         for (zero, one), u in zip(votes, numbers[2 * n:3 * n])]
            table = [[0, 0], [0, 0]]
            for i, k in zip(objects, classes):
                table[reference[i]][k] += 1
            if 0 in (sum(table[0]), sum(table[1])):
                continue
            u = numbers[3 * n]
            columns = match(table, method, [u, u])
            rename = (columns.index(0), columns.index(1))
        accepted += 1
        for i, k in zip(objects, classes):
            votes[i][rename[k]] += 1
    return votes, accepted, tried
