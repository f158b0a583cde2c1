"""Noise and missing labels by the definition: labels rewritten object by object."""


def rewrite(labels, noise, missing, noise_label=-1):
    """Labels with policies applied: a set of possible labels for each object.

    None stands for an object to be dropped, the empty set for one that is in no cluster.
    """
    plain = [v for v in labels if v is not None and v != noise_label]
    result = []
    for i, v in enumerate(labels):
        rule = missing if v is None else noise if v == noise_label else None
        what = "missing" if v is None else "noise"
        if rule is None:
            result.append({v})
        elif rule == "cluster":
            result.append({what})
        elif rule == "singletons":
            result.append({(what, i)})
        elif rule == "drop":
            result.append(None)
        elif rule == "empty":
            result.append(set())
        else:
            result.append("unknown")
    del plain
    return result


def keep(sides):
    """Positions of the objects that no side drops."""
    return [i for i in range(len(sides[0])) if all(side[i] is not None for side in sides)]


def resolve(side, kept):
    """Sets of labels of the objects kept, with what is unknown as all labels that occur."""
    occurring = set().union(*(side[i] for i in kept if side[i] != "unknown"))
    return [occurring if side[i] == "unknown" else side[i] for i in kept]


def pairs_alike(x, y):
    """Share of pairs that x and y treat alike, for sets of one label each."""
    n = len(x)
    same = sum((x[i] == x[j]) == (y[i] == y[j]) for i in range(n) for j in range(i))
    return same / (n * (n - 1) // 2)


def completions(labels, extra=0):
    """All ways to fill the gaps of a list of labels, by those that occur and `extra` new ones."""
    from itertools import product
    gaps = [i for i, v in enumerate(labels) if v is None]
    known = sorted({v for v in labels if v is not None})
    for fill in product([*known, *(f"new {k}" for k in range(extra))], repeat=len(gaps)):
        full = list(labels)
        for i, v in zip(gaps, fill):
            full[i] = v
        yield full


def pair_measures(x, y):
    """Measures of two lists of labels, pair by pair; None where undefined."""
    n = len(x)
    counts = {(a, b): 0 for a in (True, False) for b in (True, False)}
    for i in range(n):
        for j in range(i):
            counts[x[i] == x[j], y[i] == y[j]] += 1
    n11, n10, n01, n00 = (counts[k] for k in ((True, True), (True, False), (False, True),
                                              (False, False)))
    total, p, q = n * (n - 1) // 2, n11 + n10, n11 + n01
    equal = n10 == n01 == 0
    chance = p * q / total
    return {
        "rand_index": (n11 + n00) / total,
        "symmetric_difference_distance": float(n10 + n01),
        "jaccard_index": 1.0 if equal else n11 / (n11 + n10 + n01),
        "fowlkes_mallows_index": 1.0 if equal else n11 / (p * q) ** 0.5 if p * q else None,
        "adjusted_rand_index": 1.0 if equal else (n11 - chance) / ((p + q) / 2 - chance),
        **information_measures(x, y, equal), **matched_measures(x, y),
    }


def information_measures(x, y, equal):
    """Entropies by counting."""
    from collections import Counter
    from math import log
    n = len(x)

    def entropy(values):
        return -sum(c / n * log(c / n) for c in Counter(values).values())

    h_x, h_y, h_xy = entropy(x), entropy(y), entropy(list(zip(x, y)))
    shared = h_x + h_y - h_xy
    return {"mutual_information": shared, "variation_of_information": 2 * h_xy - h_x - h_y,
            "normalized_mutual_information": 1.0 if equal else 2 * shared / (h_x + h_y),
            "normalized_variation_of_information": 0.0 if equal else 1 - shared / h_xy}


def matched_measures(x, y):
    """The transfer distance by trying all ways to match clusters."""
    from itertools import permutations
    n, rows, columns = len(x), sorted(set(x), key=str), sorted(set(y), key=str)
    size = max(len(rows), len(columns))
    cells = {(a, b): sum(u == a and v == b for u, v in zip(x, y)) for a in rows for b in columns}
    padded = columns + [None] * (size - len(columns))
    best = max(sum(cells.get((a, b), 0) for a, b in zip(rows, order))
               for order in permutations(padded, len(rows)))
    return {"transfer_distance": float(n - best), "coclassification_index": best / n}


def ends(x, y, extra=None):
    """Least and greatest value of each measure over all completions."""
    more = (sum(v is None for v in x), sum(v is None for v in y)) if extra else (0, 0)
    found = {}
    for a in completions(x, more[0]):
        for b in completions(y, more[1]):
            for name, value in pair_measures(a, b).items():
                if value is not None:
                    found.setdefault(name, []).append(value)
    return {name: (min(values), max(values)) for name, values in found.items()}
