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
