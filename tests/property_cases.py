"""Small clusterings by groups, and values of measures on all their pairs, for property tests."""

import inspect
from functools import cache
from itertools import permutations, product

import numpy as np
from strategies import all_covers, all_fuzzy, all_partitions, all_rough, naive_masses

import softclust as sc

#: values are sums of a few numbers of order 1
TOLERANCE = 1e-12
#: a root near 0 (Jousselme's distance) turns 1e-16 into 1e-8
ROOT_TOLERANCE = 1e-7


# -- small clusterings ---------------------------------------------------------------------------


def canonical(x, n_clusters):
    """The masses of x, or the clusters of a cover; the same for all names of the clusters."""
    if x.kind == "cover":
        return "cover", tuple(sorted(tuple(c.tolist()) for c in x.clusters if c.size))
    rows = naive_masses(x)

    def named(order):
        return tuple(tuple(sorted((tuple(sorted(order[k] for k in focal)), value)
                                  for focal, value in row.items())) for row in rows)

    return min(named(order) for order in permutations(range(n_clusters)))


def one_of_each(clusterings):
    """One clustering for each class of clusterings that differ in cluster names only."""
    found = {}
    for x in clusterings:
        found.setdefault(canonical(x, x.n_clusters), x)
    return list(found.values())


def thinned(clusterings, count):
    """`count` of them, the same ones in every run."""
    if len(clusterings) <= count:
        return list(clusterings)
    chosen = np.random.default_rng(4).choice(len(clusterings), size=count, replace=False)
    return [clusterings[i] for i in sorted(chosen)]


@cache
def small_possibilistic():
    rows = list(product((0.0, 0.5, 1.0), repeat=2))
    return [sc.PossibilisticClustering(list(chosen)) for chosen in product(rows, repeat=2)]


@cache
def small_evidential():
    points = np.eye(4)
    rows = [*points, *((a + b) / 2 for a, b in product(points, repeat=2) if tuple(a) < tuple(b))]
    sets = [[0, 0], [1, 0], [0, 1], [1, 1]]
    return [sc.EvidentialClustering(np.array(chosen), sets) for chosen in product(rows, repeat=2)]


@cache
def groups(kinds, max_clusters=None):
    """Lists of clusterings of the same number of objects, by name."""
    if max_clusters is not None:
        few = {name: [x for x in group if x.n_clusters <= max_clusters]
               for name, group in groups(kinds).items()}
        return {name: group if len(few[name]) == len(group) else Group(few[name])
                for name, group in groups(kinds).items() if few[name]}
    found = {name: group for kind in BY_KIND if kind in kinds
             for name, group in of_kind(kind).items()}
    if len([k for k in kinds if k != "hard"]) > 1:
        pools = {"hard": [sc.HardClustering(p, n_clusters=2) for p in all_partitions(2)],
                 "rough": all_rough(2, 2), "fuzzy": all_fuzzy(2, 2),
                 "possibilistic": small_possibilistic(), "evidential": small_evidential(),
                 "cover": all_covers(2, 2)}
        found["mixed 2, 2"] = Group(x for k in kinds for x in thinned(pools[k], 10))
    return found


BY_KIND = {
    "hard": {f"partitions of {n}": lambda n=n: map(sc.HardClustering, all_partitions(n))
             for n in (2, 3, 4)},
    "rough": {"rough 2, 2": lambda: all_rough(2, 2), "rough 3, 2": lambda: all_rough(3, 2),
              "rough 2, 3": lambda: one_of_each(all_rough(2, 3)),
              "rough 3, 3": lambda: one_of_each(all_rough(3, 3))},
    "fuzzy": {"fuzzy 3, 2": lambda: all_fuzzy(3, 2),
              "fuzzy 2, 3": lambda: one_of_each(all_fuzzy(2, 3))},
    "possibilistic": {"possibilistic 2, 2": lambda: one_of_each(small_possibilistic())},
    "evidential": {"evidential 2, 2": lambda: one_of_each(small_evidential())},
    "cover": {"covers of 3": lambda: all_covers(3, 3)},
}


@cache
def of_kind(kind):
    """The groups of one kind, the same for all measures: they share what was computed of them."""
    return {name: Group(made()) for name, made in BY_KIND[kind].items()}


@cache
def joint(x_id, y_id):
    return sc.Joint.of_checked(BY_ID[x_id], BY_ID[y_id], of_one(x_id), of_one(y_id))


@cache
def of_one(x_id):
    """What the pairs of a clustering share: what was computed of it alone."""
    return {}


BY_ID = {}


def known(x):
    """The id of x as a key; x is kept, so the id stays its own."""
    BY_ID[id(x)] = x
    return id(x)


def joined(x, y):
    """The Joint of two clusterings, kept: measures and options share its statistics."""
    return joint(known(x), known(y))


# -- values --------------------------------------------------------------------------------------


def numbers(result):
    """The numbers of a result: a float, the ends of an Interval, a curve at three alphas."""
    if isinstance(result, (int, float)):
        return (float(result),)
    if isinstance(result, sc.Interval):
        return result.low, result.high
    if isinstance(result, sc.results.TransportResult):
        return (result.value,)
    if isinstance(result, sc.PairCounts):
        return result.n11, result.n10, result.n01, result.n00
    return tuple(result.at(alpha) for alpha in (0.0, 0.5, 1.0))


def value(m, x, y=None, **options):
    """Numbers of a measure; undefined ones are nan."""
    return numbers(m.function(x if m.arity == 1 else joined(x, y), **options))


def matrix(m, group, options):
    """Values (q, g, g) of all ordered pairs of a group; (q, g) for measures of one clustering."""
    key = m.function, group, tuple(sorted({**defaults(m), **options}.items()))
    if key not in MATRICES:
        if m.arity == 1:
            values = np.array([value(m, x, **options) for x in group]).T
        else:
            rows = [[value(m, x, y, **options) for y in group] for x in group]
            values = np.moveaxis(np.array(rows, dtype=float), 2, 0)
        MATRICES[key] = values
    return MATRICES[key]


def defaults(m):
    """Default values of the options of a measure."""
    parameters = inspect.signature(m.function).parameters.values()
    return {p.name: p.default for p in parameters if p.kind is p.KEYWORD_ONLY}


class Group(tuple):
    """Clusterings of the same number of objects; equal only to itself, so it can be a key."""

    __slots__ = ()
    __hash__ = object.__hash__

    def __eq__(self, other):
        return self is other


MATRICES = {}


def dissimilarities(m, group, options):
    """As `matrix`; agreements a as 1 - a."""
    values = matrix(m, group, options)
    return 1 - values if m.sense == "agreement" else values


def settings(claim):
    """Every combination of the option values of a claim."""
    names = list(claim.options)
    return [dict(zip(names, chosen)) for chosen in product(*claim.options.values())]


def tolerance(options):
    return ROOT_TOLERANCE if options.get("distance") == "jousselme" else TOLERANCE


#: measures that refuse mass on the empty set for two soft clusterings
NO_EMPTY_SET = ("adjusted_alpha_rand_index",)
#: measures that take about a millisecond, for which a part of each group must do
SLOW = ("adjusted_credal_rand_index", "element_centric_index", "adjusted_element_centric_index",
        "overlapping_normalized_mutual_information")


def affordable(m, group, whole):
    """The group, or 10 of it; of measures with records (milliseconds each, no empty set) fewer."""
    if "cover" in m.kinds and not takes_overlaps(m.name):
        group = disjoint(group)
    if m.shown is not None or m.name in NO_EMPTY_SET:
        return few(group, 12 if whole else 8)
    if whole and m.name not in SLOW:
        return group
    return part(group, 16 if whole else 10)


@cache
def takes_overlaps(name):
    """Whether a measure of covers takes clusters that share objects."""
    x = sc.CoverClustering.from_clusters([[0, 1], [1, 2]], n_objects=3)
    try:
        value(sc.get_measure(name), x, x)
    except sc.ClusteringError as error:
        if "disjoint clusters are needed" not in str(error):
            raise
        return False
    return True


@cache
def disjoint(group):
    """The hard clusterings of a group, and the covers whose clusters share no object."""
    return Group(x for x in group if x.kind == "hard" or x.multiplicity.max() <= 1)


@cache
def part(group, count):
    return group if len(group) <= 16 else Group(thinned(group, count))


@cache
def few(group, count):
    return Group(thinned([x for x in group if not x.to_evidential().empty_mass.any()], count))
