"""Soft pair indices from their definitions, with loops; x and y are membership rows."""

from itertools import combinations, permutations
from math import sqrt

from .relational import alpha_rand_index, credal_rand_index


def dot(u, v):
    return sum(a * b for a, b in zip(u, v))


def length(u):
    return sqrt(dot(u, u))


# -- Frobenius and Anderson indices --------------------------------------------------------------


def scaled_comembership(x):
    """(S/q) UU', S the sum of its entries, q the sum of their squares."""
    rows = [[dot(u, v) for v in x] for u in x]
    whole = sum(map(sum, rows))
    squares = sum(e * e for row in rows for e in row)
    return [[e * whole / squares for e in row] for row in rows]


def frobenius_rand_index(x, y):
    n = len(x)
    a, b = scaled_comembership(x), scaled_comembership(y)
    return 1 - sum((a[i][j] - b[i][j]) ** 2 for i in range(n) for j in range(n)) / (n * (n - 1))


def adjusted(index, x, y, *options):
    """(S - E)/(1 - E), E the mean over every order of the objects of y."""
    values = [index(x, [y[i] for i in order], *options) for order in permutations(range(len(y)))]
    mean = sum(values) / len(values)
    return (index(x, y, *options) - mean) / (1 - mean)


def frobenius_adjusted_rand_index(x, y):
    return adjusted(frobenius_rand_index, x, y)


def anderson_counts(x, y, scale):
    table = [[dot(u, v) for v in zip(*y)] for u in zip(*x)]
    n = len(x)
    if scale == "possibilistic":
        whole = sum(map(sum, table))
        table = [[n * e / whole for e in row] for row in table]
    total = sum(map(sum, table))
    squares = sum(e * e for row in table for e in row)
    rows = sum(sum(row) ** 2 for row in table)
    columns = sum(sum(column) ** 2 for column in zip(*table))
    return ((squares - total) / 2, (rows - squares) / 2, (columns - squares) / 2,
            (n * n + squares - rows - columns) / 2, (rows - total) / 2, (columns - total) / 2,
            n * (n - 1) / 2)


def anderson_rand_index(x, y, scale="none"):
    a, _, _, d, _, _, pairs = anderson_counts(x, y, scale)
    return (a + d) / pairs


def anderson_adjusted_rand_index(x, y, scale="none"):
    a, _, _, _, first, second, pairs = anderson_counts(x, y, scale)
    chance = first * second / pairs
    return (a - chance) / ((first + second) / 2 - chance)


def anderson_jaccard_index(x, y, scale="none"):
    a, b, c, *_ = anderson_counts(x, y, scale)
    return a / (a + b + c)


# -- fuzzy pair counts ---------------------------------------------------------------------------

T_NORMS = {"minimum": min, "product": lambda a, b: a * b,
           "lukasiewicz": lambda a, b: max(0, a + b - 1),
           "drastic": lambda a, b: min(a, b) if 1 in (a, b) else 0}
T_CONORMS = {"maximum": max, "bounded_sum": lambda a, b: min(1, a + b),
             "drastic_sum": lambda a, b: max(a, b) if 0 in (a, b) else 1,
             "probabilistic_sum": lambda a, b: a + b - a * b}


def degrees(u, v, relation, t_norm, t_conorm):
    """How far two objects are together, and apart."""
    if relation == "product":
        return dot(u, v), 1 - dot(u, v)
    if relation == "cosine":
        cosine = dot(u, v) / (length(u) * length(v))
        return cosine, 1 - cosine
    norm, conorm = T_NORMS[t_norm], T_CONORMS[t_conorm]
    same = different = 0
    for k in range(len(u)):
        for q in range(len(u)):
            if k == q:
                same = conorm(same, norm(u[k], v[q]))
            else:
                different = conorm(different, norm(u[k], v[q]))
    return same, different


def fuzzy_pair_counts(x, y, relation="product", t_norm="minimum", t_conorm="maximum"):
    norm = T_NORMS[t_norm] if relation == "t_norm" else T_NORMS["product"]
    counts = [0.0] * 4
    for i, j in combinations(range(len(x)), 2):
        first = degrees(x[i], x[j], relation, t_norm, t_conorm)
        second = degrees(y[i], y[j], relation, t_norm, t_conorm)
        for k, (p, q) in enumerate(((0, 0), (0, 1), (1, 0), (1, 1))):
            counts[k] += norm(first[p], second[q])
    return tuple(counts)


def fuzzy_rand_index(x, y, **options):
    a, b, c, d = fuzzy_pair_counts(x, y, **options)
    return (a + d) / (a + b + c + d)


def fuzzy_adjusted_rand_index(x, y, **options):
    a, b, c, d = fuzzy_pair_counts(x, y, **options)
    return 2 * (a * d - b * c) / (b**2 + c**2 + 2 * a * d + (a + d) * (b + c))


def fuzzy_jaccard_index(x, y, **options):
    a, b, c, _ = fuzzy_pair_counts(x, y, **options)
    return a / (a + b + c)


def fuzzy_fowlkes_mallows_index(x, y, **options):
    a, b, c, _ = fuzzy_pair_counts(x, y, **options)
    return a / sqrt((a + b) * (a + c))


def fuzzy_gamma_index(x, y, **options):
    a, b, c, d = fuzzy_pair_counts(x, y, **options)
    n = a + b + c + d
    return (n * a - (a + b) * (a + c)) / sqrt((a + b) * (a + c) * (n - a - b) * (n - a - c))


def fuzzy_minkowski_dissimilarity(x, y, **options):
    a, b, c, _ = fuzzy_pair_counts(x, y, **options)
    return sqrt((b + c) / (a + b))


def rough_rand_index(x, y):
    """x and y are 0/1 rows of possible clusters."""
    shares = [[[entry / sum(row) for entry in row] for row in side] for side in (x, y)]
    return fuzzy_rand_index(*shares)


# -- concordance ---------------------------------------------------------------------------------

DISTANCES = {
    "total_variation": lambda u, v: sum(abs(a - b) for a, b in zip(u, v)) / 2,
    "maximum": lambda u, v: max(abs(a - b) for a, b in zip(u, v)),
    "euclidean": lambda u, v: sqrt(sum((a - b) ** 2 for a, b in zip(u, v)) / 2),
    "cosine": lambda u, v: 1 - dot(u, v) / (length(u) * length(v)),
    "manhattan": lambda u, v: sum(abs(a - b) for a, b in zip(u, v)) / len(u),
    "euclidean_cube": lambda u, v: sqrt(sum((a - b) ** 2 for a, b in zip(u, v)) / len(u)),
}


def concordance_index(x, y, metric="total_variation"):
    d, pairs = DISTANCES[metric], list(combinations(range(len(x)), 2))
    return 1 - sum(abs(d(x[i], x[j]) - d(y[i], y[j])) for i, j in pairs) / len(pairs)


def adjusted_concordance_index(x, y, metric="total_variation"):
    return adjusted(concordance_index, x, y, metric)


# -- relational indices; x and y are mass functions ----------------------------------------------


def adjusted_credal_rand_index(x, y, distance="belief"):
    return adjusted(lambda a, b: float(credal_rand_index(a, b, distance=distance)), x, y)


def adjusted_alpha_rand_index(x, y, alpha=0.5):
    return adjusted(lambda a, b: float(alpha_rand_index(a, b, alpha=alpha)), x, y)
