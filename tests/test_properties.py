"""Every property that a registered measure claims, tried exhaustively on small clusterings.

Hard measures: all partitions of 2, 3 and 4 objects, so all 3375 triples of partitions of four.
Soft measures: also all rough clusterings of 2 and 3 objects with 2 and 3 clusters (for 3 and 3
one of each set that differs in the names of the clusters only), all fuzzy clusterings with
entries 0, 1/2, 1, possibilistic and evidential ones with such entries, and the kinds mixed. The
quick tests take 10 of a larger group of soft clusterings, the slow ones all pairs.

`CHECKERS` has one function per name in `softclust.measures._registry.PROPERTIES`; each raises
AssertionError when a claim is false. False claims are put to them too.
"""

import dataclasses
from functools import cache
from itertools import permutations, product

import numpy as np
import pytest
from property_cases import (
    BY_ID,
    TOLERANCE,
    affordable,
    canonical,
    defaults,
    dissimilarities,
    groups,
    joined,
    known,
    matrix,
    settings,
    thinned,
    tolerance,
    value,
)
from strategies import (
    KINDS,
    all_rough,
    relabel,
    same_content,
)

import softclust as sc
from softclust.measures._registry import PROPERTIES, Claim
from softclust.memberships.joint_table import WHERE_DEFINED

#: undefined values are nan here, and their warnings are tested with the measures
pytestmark = pytest.mark.filterwarnings("ignore::softclust.UndefinedMeasureWarning")


def tries(m, claim, whole=False):
    """(options, group) for everything a claim speaks of."""
    kinds = m.kinds if claim.kinds is None else claim.kinds
    return [(options, affordable(m, group, whole)) for options in settings(claim)
            for group in groups(tuple(kinds), claim.max_clusters).values()]


# -- one checker per property --------------------------------------------------------------------


def check_symmetric(m, claim, tried):
    for options, group in tried:
        d = matrix(m, group, options)
        np.testing.assert_allclose(d, d.swapaxes(1, 2), rtol=0, atol=tolerance(options))


def check_reflexive(m, claim, tried):
    best = 1 if m.sense == "agreement" else 0
    defined = 0
    for options, group in tried:
        own = np.array([value(m, x, x, **options) for x in group])
        known_ones = own[~np.isnan(own)]
        defined += known_ones.size
        assert (abs(known_ones - best) <= tolerance(options)).all()
    assert defined


def check_triangle(m, claim, tried):
    for options, group in tried:
        for d in dissimilarities(m, group, options):
            for j in range(len(group)):
                excess = d - (d[:, j, None] + d[None, j, :])
                assert not (excess > 3 * tolerance(options)).any()


def check_separating(m, claim, tried):
    for options, group in tried:
        widest = max(x.n_clusters for x in group)
        names = [canonical(x, widest) for x in group]
        classes = np.array([names.index(name) for name in names])
        equal = classes[:, None] == classes[None, :]
        for d in dissimilarities(m, group, options):
            # small clusterings with such entries are either equal or far apart
            assert not (~equal & (d <= 1e-6)).any()


def check_pseudo_metric(m, claim, tried):
    check_symmetric(m, claim, tried)
    check_reflexive(m, claim, tried)
    check_triangle(m, claim, tried)
    for options, group in tried:
        assert (dissimilarities(m, group, options) >= -tolerance(options)).all()


def check_metric(m, claim, tried):
    check_pseudo_metric(m, claim, tried)
    check_separating(m, claim, tried)


def permuted_means(m, group, options):
    """(means, spread): over all orders of the objects of y, for all pairs of a group."""
    over = matrix(m, group, options)[0][:, reordered(group)]  # (g, n!, g)
    return over.mean(axis=1), over


@cache
def reordered(group):
    """Positions (n!, g) in the group of its clusterings under every order of the objects."""
    n = group[0].n_objects
    position = {canonical(y, n): k for k, y in enumerate(group)}
    return np.array([[position[canonical(y.subset(list(order)), n)] for y in group]
                     for order in permutations(range(n))])


def check_chance_corrected(m, claim, tried):
    assert "hard" in m.kinds
    for options in settings(claim):
        for group in groups(("hard",)).values():
            means, over = permuted_means(m, group, options)
            # where every order gives the same value (one cluster, all singletons) it is 0 or 1
            varies = np.ptp(over, axis=1) > TOLERANCE
            assert (abs(means[varies]) <= 1e-10).all()
            assert (np.isin(np.round(means[~varies], 10), [0.0, 1.0])
                    | np.isnan(means[~varies])).all()


@cache
def renamings(x_id):
    """A clustering under every other order of up to three clusters, and 8 orders of more."""
    x = BY_ID[x_id]
    return [relabel(x, order) for order in thinned(list(permutations(range(x.n_clusters)))[1:], 8)]


def check_relabelling_invariant(m, claim, tried):
    for options, group in tried:
        others = [None] if m.arity == 1 else thinned(group, 3)
        found, expected = [], []
        for x in thinned(group, 6):
            plain = [value(m, x, y, **options) for y in others]
            for renamed in renamings(known(x)):
                found += [value(m, renamed, y, **options) for y in others]
                expected += plain
        np.testing.assert_allclose(found, expected, rtol=0, atol=tolerance(options),
                                   equal_nan=True)


def check_monotone_in_alpha(m, claim, tried):
    grid = np.linspace(0, 1, 9)
    rising = 1 if m.sense == "dissimilarity" else -1
    for options, group in tried:
        for x, y in product(thinned(group, 30), repeat=2):
            along = np.array([value(m, x, y, **{**options, "alpha": a}) for a in grid])
            assert (rising * np.diff(along, axis=0) >= -TOLERANCE).all()


@cache
def one_of_each_order(group):
    """The partitions of a group, one of those that differ in the order of the objects only."""
    return [*{tuple(sorted(np.bincount(x.labels))): x for x in group}.values()]


@cache
def dressed(x_id):
    """A hard clustering in all five kinds, and as a cover."""
    return [BY_ID[x_id], *same_content(BY_ID[x_id]), BY_ID[x_id].to_cover()]


def check_reduces_to(m, claim, tried):
    """For all pairs of partitions, each but for the order of the objects."""
    target = sc.get_measure(claim.target)
    kinds = m.kinds if claim.kinds is None else claim.kinds
    for options in settings(claim):
        found, expected = [], []
        for group in groups(("hard",)).values():
            for x, y in product(one_of_each_order(group), group):
                sides = [[z for z in dressed(known(side)) if z.kind in kinds] for side in (x, y)]
                dressings = [*zip(*sides), *zip(sides[0], sides[1][::-1])]
                found += [value(m, u, v, **options) for u, v in dressings]
                expected += [value(target, x, y)[:1]] * len(dressings)
        found, expected = np.array(found), np.array(expected)
        if claim.condition == WHERE_DEFINED:
            # 0/0, where the hard measure is set to a value
            kept = ~(np.isnan(found).all(axis=1) & np.isin(expected[:, 0], (0.0, 1.0)))
            found, expected = found[kept], expected[kept]
        np.testing.assert_allclose(found, np.broadcast_to(expected, found.shape), rtol=0,
                                   atol=tolerance(options), equal_nan=True)


CHECKERS = {
    "symmetric": check_symmetric,
    "reflexive": check_reflexive,
    "metric": check_metric,
    "pseudo-metric": check_pseudo_metric,
    "separating": check_separating,
    "chance-corrected": check_chance_corrected,
    "relabelling-invariant": check_relabelling_invariant,
    "monotone-in-alpha": check_monotone_in_alpha,
    "reduces-to": check_reduces_to,
}

MEASURES = list(sc.list_measures().index)
CLAIMS = [pytest.param(name, claim, id=f"{name}-{claim}")
          for name in MEASURES for claim in sc.get_measure(name).properties]


def test_every_property_has_a_checker():
    assert set(CHECKERS) == set(PROPERTIES)


def check(m, claim, whole=False):
    CHECKERS[claim.name](m, claim, tries(m, claim, whole))


@pytest.mark.parametrize(("name", "claim"), CLAIMS)
def test_claim(name, claim):
    check(sc.get_measure(name), claim)


@pytest.mark.slow
@pytest.mark.parametrize("name", MEASURES)
def test_claims_on_whole_groups(name):
    m = sc.get_measure(name)
    for claim in m.properties:
        check(m, claim, whole=True)


# -- bounds, chance levels -----------------------------------------------------------------------


def option_settings(m):
    """The defaults, and every combination of options that some claim tries."""
    found = [{}]
    for claim in m.properties:
        found.extend(s for s in settings(claim) if s not in found)
    return found


@pytest.mark.parametrize("whole", [False, pytest.param(True, marks=pytest.mark.slow)],
                         ids=["part", "whole"])
@pytest.mark.parametrize("name", MEASURES)
def test_bounds(name, whole):
    m = sc.get_measure(name)
    for group in groups(m.kinds).values():
        group = affordable(m, group, whole)
        low, high = ranges(m, group)
        for options in option_settings(m):
            values = matrix(m, group, options)
            assert not (values < low - TOLERANCE).any()
            assert not (values > high + TOLERANCE).any()


def ranges(m, group):
    """Least and largest values for all pairs of a group, infinite where unbounded."""
    if callable(m.bounds) and m.arity == 2:
        pairs = [[m.range(joined(x, y)) for y in group] for x in group]
    else:
        pairs = [[m.range(joined(group[0], group[0]))]]
    low = [[-np.inf if a is None else a for a, _ in row] for row in pairs]
    high = [[np.inf if b is None else b for _, b in row] for row in pairs]
    return (np.array(low), np.array(high)) if m.arity == 2 else (low[0][0], high[0][0])


@pytest.mark.parametrize("name", [n for n in MEASURES if sc.get_measure(n).chance is not None])
def test_chance_level_is_the_mean_over_all_orders(name):
    m = sc.get_measure(name)
    if "hard" not in m.kinds:
        pytest.fail(f"{name} has a chance level for soft kinds only; extend this test")
    # of LEA the means of precision and recall are known, that of F is not
    options = {"part": "precision"} if name == "lea_index" else {}
    for group in groups(("hard",)).values():
        means, _ = permuted_means(m, group, options)
        for (i, x), (j, y) in product(enumerate(group), repeat=2):
            if not np.isnan(means[i, j]):
                found = m.chance(joined(x, y), **options)
                assert found == pytest.approx(means[i, j], rel=0, abs=1e-10)


# -- false claims are caught ---------------------------------------------------------------------

FALSE_CLAIMS = [
    # 1 - Fowlkes-Mallows: (1,1,2), (1,1,1), (1,2,1) breaks the triangle inequality
    ("fowlkes_mallows_index", Claim(name="metric")),
    ("fowlkes_mallows_index", Claim(name="pseudo-metric")),
    # two objects with memberships (1/2, 1/2) have conflict index 1/2 with themselves
    ("credal_rand_index", Claim(name="reflexive", options={"distance": ("conflict",)})),
    # same - undetermined - different
    ("alpha_rand_index", Claim(name="pseudo-metric", options={"alpha": (0.0,)})),
    ("alpha_rand_index", Claim(name="pseudo-metric", options={"alpha": (0.25,)})),
    ("alpha_rand_index", Claim(name="metric", options={"alpha": (1.0,)})),
    ("alpha_partition_dissimilarity", Claim(name="pseudo-metric", options={"alpha": (0.0,)})),
    ("alpha_partition_dissimilarity", Claim(name="separating", options={"alpha": (0.0,)})),
    ("rand_index", Claim(name="chance-corrected")),
    ("adjusted_rand_index", Claim(name="metric")),
    ("adjusted_rand_index", Claim(name="reduces-to", target="rand_index")),
    ("wallace_index", Claim(name="separating")),
    ("purity_index", Claim(name="symmetric")),
    ("larsen_aone_index", Claim(name="symmetric")),
    ("normalized_accuracy_index", Claim(name="metric")),
    ("pair_sets_index", Claim(name="metric")),
    ("fuzzy_variation_of_information", Claim(name="reflexive")),
    ("rough_purity_index", Claim(name="reflexive")),
]


@pytest.mark.parametrize(("name", "claim"), FALSE_CLAIMS)
def test_false_claims_are_caught(name, claim):
    with pytest.raises(AssertionError):
        check(sc.get_measure(name), claim)


def stronger(name):
    """The properties that imply `name`."""
    return {"pseudo-metric": {"metric", "pseudo-metric"}, "separating": {"metric", "separating"},
            "reflexive": {"reflexive", "metric", "pseudo-metric"}}.get(name, {name})


@pytest.mark.parametrize(("name", "claim"), FALSE_CLAIMS)
def test_false_claims_are_not_made(name, claim):
    m = sc.get_measure(name)
    for made in m.properties:
        if made.name not in stronger(claim.name) or made.target != claim.target:
            continue
        if made.kinds is not None or made.max_clusters is not None:
            continue
        for option, values in claim.options.items():
            if not set(values) & set(made.options.get(option, (defaults(m)[option],))):
                break
        else:
            pytest.fail(f"{name} claims {made}, which is false")


def test_fowlkes_mallows_triangle_by_hand():
    x, y, z = [0, 0, 1], [0, 0, 0], [0, 1, 0]
    xy, yz, xz = (1 - sc.fowlkes_mallows_index(a, b) for a, b in ((x, y), (y, z), (x, z)))
    assert xz == 1
    assert xy + yz == pytest.approx(2 * (1 - 1 / np.sqrt(3)), rel=0, abs=TOLERANCE)
    assert xz > xy + yz


def test_dissimilarity_does_not_separate_four_clusters():
    """All restrictions agree though the masses differ (errata, theorem 4.6)."""
    m = sc.get_measure("alpha_partition_dissimilarity")
    separating = [c for c in m.properties if c.name in ("metric", "separating")]
    assert all(c.max_clusters is not None and c.max_clusters <= 3 for c in separating)
    sets = [[1, 1, 0, 0], [0, 0, 1, 1], [1, 0, 1, 0], [0, 1, 0, 1]]
    x = sc.EvidentialClustering([[1, 0, 0, 0], [0.5, 0.5, 0, 0]], sets)
    y = sc.EvidentialClustering([[1, 0, 0, 0], [0, 0, 0.5, 0.5]], sets)
    assert canonical(x, 4) != canonical(y, 4)
    for alpha in (0.0, 0.5, 1.0):
        assert value(m, x, y, alpha=alpha) == (0.0,)


def test_checkers_notice_a_broken_measure():
    """Every checker fails for a measure that is none of these things."""
    def nonsense(pair, y=None, *, alpha=0.5):
        weights = np.arange(1, len(pair.x) + 1)
        return float((pair.x.labels * weights).sum() * (1 + alpha) - pair.y.labels.sum()) * 0.1

    def first_label(pair, y=None):
        return float(pair.x.labels[0])

    def constant(pair, y=None):
        return 0.123

    m = sc.get_measure("rand_index")
    for name, checker in CHECKERS.items():
        function = {"relabelling-invariant": first_label,
                    "reduces-to": constant}.get(name, nonsense)
        broken, claim = dataclasses.replace(m, function=function), Claim(name=name, target=m.name)
        with pytest.raises(AssertionError):
            checker(broken, claim, tries(broken, claim))


def test_groups_hold_what_the_docstring_says():
    assert len(groups(("hard",))["partitions of 4"])**3 == 3375
    everything = groups(KINDS)
    assert len(everything["rough 3, 2"]) == 27
    assert {x.kind for x in everything["mixed 2, 2"]} == set(KINDS)
    rough = everything["rough 3, 3"]
    assert len({canonical(x, 3) for x in rough}) == len(rough)
    assert {canonical(x, 3) for x in all_rough(3, 3)} == {canonical(x, 3) for x in rough}
