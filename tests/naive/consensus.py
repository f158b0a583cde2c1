"""Consensus by trying all matchings of the members; imports nothing of ours."""

from itertools import permutations, product


def padded(member, width):
    """A member as rows of memberships with `width` columns."""
    rows = []
    for entry in member:
        if isinstance(entry, (int, float)):
            rows.append([1.0 if k == entry else 0.0 for k in range(width)])
        else:
            rows.append([*map(float, entry), *[0.0] * (width - len(entry))])
    return rows


def optimum(members, weights, width, method):
    """The least objective of SE, HE or HM over all matchings, with the best fit to each."""
    total = sum(weights)
    weights = [w / total for w in weights]
    members = [padded(m, width) for m in members]
    names = list(permutations(range(width)))
    best = float("inf")
    for chosen in product([names[0]], *[names] * (len(members) - 1)):
        value = 0.0
        for i in range(len(members[0])):
            rows = [[m[i][k] for k in columns] for m, columns in zip(members, chosen)]
            mean = [sum(w * row[k] for w, row in zip(weights, rows)) for k in range(width)]
            if method != "SE":
                first = mean.index(max(mean))
                mean = [1.0 if k == first else 0.0 for k in range(width)]
            for w, row in zip(weights, rows):
                gaps = [a - b for a, b in zip(mean, row)]
                value += w * sum(abs(g) if method == "HM" else g * g for g in gaps)
        best = min(best, value)
    return best
