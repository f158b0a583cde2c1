"""Two dendrograms: stored values, the definitions, claims and bad input."""

import itertools
import json
import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from naive import trees as naive

import softclust as sc
from softclust.extensions.trees.curve import FALLING, falling_sums, joined_moments
from softclust.extensions.trees.dendrogram import as_dendrogram

CLUE = json.loads((Path(__file__).parents[2] / "golden" / "clue_trees.json").read_text())
GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "trees.json").read_text())


def merges(name):
    return GOLDEN["inputs"][name]["merges"]


def close(found, wanted, tolerance):
    if wanted is None:
        return math.isnan(found)
    if isinstance(wanted, list):
        return len(found) == len(wanted) and all(
            close(a, b, tolerance) for a, b in zip(found, wanted))
    return abs(found - wanted) <= tolerance


@pytest.mark.filterwarnings("ignore:.*is undefined")
@pytest.mark.parametrize("case", GOLDEN["cases"], ids=lambda case: case["id"])
def test_stored_values(case):
    sides = [] if case["function"] == "entanglement" else map(merges, case["args"])
    found = getattr(sc, case["function"])(*sides, **case["kwargs"])
    wanted = case["expected"]
    if not isinstance(wanted, dict):
        wanted, found = {"value": wanted}, {"value": found}
    else:   # untangle with fixed="x": the order that x keeps
        found = {key: getattr(found, {"order": "x_order"}.get(key, key)) for key in wanted}
    for key, value in wanted.items():
        assert close(np.asarray(found[key]).tolist(), value, case["abs_tol"]), key


def random_tree(rng, n, ties=0):
    """Merges of a random tree; with `ties`, heights in so many levels."""
    free, rows = list(range(n)), []
    heights = np.sort(rng.integers(1, ties + 1, n - 1) if ties else rng.random(n - 1))
    for t in range(n - 1):
        a, b = (free.pop(rng.integers(len(free))) for _ in range(2))
        rows.append([a, b, float(heights[t])])
        free.append(n + t)
    return rows


def all_trees(n):
    """All ranked binary trees of n objects."""
    def grow(free, rows):
        if len(free) == 1:
            yield rows
        for a, b in itertools.combinations(free, 2):
            rest = [v for v in free if v not in (a, b)]
            yield from grow([*rest, n + len(rows)], [*rows, [a, b, len(rows) + 1.0]])
    return list(grow(list(range(n)), []))


@pytest.mark.parametrize(("n", "count"), [(2, 1), (3, 3), (4, 18), (5, 180)])
def test_all_small_trees(n, count):
    trees = all_trees(n)
    assert len(trees) == count
    for x in trees[::max(1, count // 18)]:
        for y in trees[::max(1, count // 18)]:
            curve = sc.dendrogram_curve(x, y)
            for k, value in zip(curve.k, curve.value):
                assert value == pytest.approx(naive.fowlkes_mallows(naive.cut(x, k),
                                                                    naive.cut(y, k)))
            sets = naive.cluster_sets(x), naive.cluster_sets(y)
            assert sc.cluster_set_distance(x, y) == len(sets[0] ^ sets[1])
            found = sc.untangle(x, y, fixed="x")
            fixed = found.x_order.tolist()
            assert found.crossings == naive.inversions(fixed, found.y_order.tolist())
            assert found.crossings == min(naive.inversions(fixed, o) for o in naive.leaf_orders(y))


@pytest.mark.parametrize("ties", [0, 4])
@pytest.mark.filterwarnings("ignore:.*is undefined")
def test_larger_trees_by_definition(ties):
    rng = np.random.default_rng(ties)
    for n in (6, 11, 17):
        x, y = random_tree(rng, n, ties), random_tree(rng, n, ties)
        curve = sc.dendrogram_curve(x, y, measure="rand_index")
        common = sorted(naive.attained(x) & naive.attained(y) - {1, n})
        assert curve.k.tolist() == common
        for k, value in zip(curve.k, curve.value):
            _, n10, n01 = naive.joined_pairs(naive.cut(x, k), naive.cut(y, k))
            assert value == pytest.approx(1 - (n10 + n01) / math.comb(n, 2))
        for method in ("pearson", "spearman", "kendall", "gamma"):
            assert sc.cophenetic_correlation(x, y, method=method) == pytest.approx(
                naive.correlation(x, y, method), abs=1e-10, nan_ok=True), method
        for options in ({}, {"r": 3.0}, {"damping": 0.3}, {"levels": "height"}):
            assert sc.dendrogram_element_centric(x, y, **options).values == pytest.approx(
                naive.element_centric(x, y, **options), abs=1e-10), options
        sets = naive.cluster_sets(x), naive.cluster_sets(y)
        assert sc.cluster_set_distance(x, y) == len(sets[0] ^ sets[1])
        for k in sc.Dendrogram(x).k:
            assert sc.rand_index(sc.Dendrogram(x).cut(k), naive.cut(x, int(k))) == 1.0


PROXIMITIES = ("euclidean", "manhattan", "cophenetic", "gamma", "Chebyshev", "Lyapunov",
               "spectral", "symdiff", "cosine", "dice")


@pytest.mark.parametrize("n", [3, 4, 9, 45])
@pytest.mark.parametrize("ties", [0, 4])
@pytest.mark.filterwarnings("ignore:.*is undefined")
def test_proximities_by_definition(n, ties):
    rng = np.random.default_rng([n, ties])
    x, y = random_tree(rng, n, ties), random_tree(rng, n, ties)
    for method in PROXIMITIES[3:] if n < 5 else PROXIMITIES:
        if n == 45 and method == "gamma":
            continue   # a million pairs of pairs
        if method == "dice" and not naive.cluster_sets(x) | naive.cluster_sets(y):
            continue
        found = sc.dendrogram_proximity(x, y, method=method)
        assert found == pytest.approx(naive.proximity(x, y, method), rel=1e-12, abs=1e-12), method
        assert found == pytest.approx(sc.dendrogram_proximity(y, x, method=method), rel=1e-12,
                                      abs=1e-12)
        assert sc.dendrogram_proximity(x, x, method=method) == pytest.approx(0, abs=1e-12)
    for delta in ("rand_distance", "transfer_distance"):
        function = getattr(sc, delta)
        assert sc.dendrogram_proximity(x, y, method="BO", delta=delta) == pytest.approx(
            naive.between_cuts(x, y, function), rel=1e-12)
    manhattan = sc.dendrogram_proximity(x, y, method="manhattan")
    assert sc.dendrogram_proximity(x, y, method="BO") == pytest.approx(manhattan, rel=1e-12)
    assert sc.dendrogram_proximity(x, y, method="manhattan",
                                   sense="agreement") == 1 / (1 + manhattan)
    for method, other in (("gamma", "gamma"), ("dice", "dice"), ("angle", "cosine")):
        assert sc.dendrogram_proximity(x, y, method=method, sense="agreement") == pytest.approx(
            1 - sc.dendrogram_proximity(x, y, method=other), abs=1e-15)


@pytest.mark.parametrize("case", CLUE["cases"], ids=lambda case: f"{case['n']} {case['linkage']}")
def test_proximities_stored_from_clue(case):
    for sense in ("dissimilarity", "agreement"):
        for method, value in case[sense].items():
            options = {"delta": "rand_distance"} if method == "BO" else {}
            assert sc.dendrogram_proximity(case["x"], case["y"], method=method, sense=sense,
                                           **options) == pytest.approx(value, rel=1e-12, abs=1e-13)


def test_proximities_at_height_zero_and_bad_methods():
    zero, other = [[0, 1, 0.0], [2, 3, 1.0]], [[0, 2, 1.0], [1, 3, 2.0]]
    assert sc.dendrogram_proximity(zero, other, method="Lyapunov") == math.inf
    for method in ("Lyapunov", "cophenetic", "cosine"):
        flat = [[0, 1, 0.0], [2, 3, 0.0]]
        with pytest.warns(sc.UndefinedMeasureWarning):
            assert math.isnan(sc.dendrogram_proximity(flat, flat, method=method))
    with pytest.warns(sc.UndefinedMeasureWarning):
        assert math.isnan(sc.dendrogram_proximity([[0, 1, 1.0]], [[0, 1, 2.0]], method="gamma"))
    falling = [[0, 1, 2.0], [2, 3, 1.0]]
    assert sc.dendrogram_proximity(falling, other, method="Chebyshev") == 1.0
    with pytest.raises(sc.ClusteringError, match="inversion"):
        sc.dendrogram_proximity(falling, other, method="BO")
    with pytest.raises(ValueError, match="'angle'"):
        sc.dendrogram_proximity(zero, other, method="Chebyshev", sense="agreement")
    with pytest.raises(ValueError, match="no dissimilarity"):
        sc.dendrogram_proximity(zero, other, method="BO", delta="rand_index")


def test_moments_are_those_of_all_permutations():
    rng = np.random.default_rng(3)
    for n in (3, 4, 5, 6):
        x, y = random_tree(rng, n), random_tree(rng, n)
        curve = sc.dendrogram_curve(x, y)
        sides = [falling_sums(t, n - curve.k, FALLING) for t in curve.trees]
        _, sd, skew = joined_moments(n, *sides, third=True)
        for i, k in enumerate(curve.k):
            mean, variance, third = naive.moments(naive.cut(x, k), naive.cut(y, k))
            assert curve.expected[i] == pytest.approx(mean)
            assert curve.sd[i] ** 2 == pytest.approx(variance, abs=1e-12)
            assert skew[i] == pytest.approx(third / variance ** 1.5 if sd[i] else 0.0, abs=1e-9)
        assert (curve.limit() >= curve.expected).all()
        assert (curve.limit() <= 1 + 1e-12).all()
    assert np.isnan(sc.dendrogram_curve(x, y, measure="jaccard_index").expected).all()


def test_falling_sums_beyond_64_bits_are_exact():
    """One cluster grows by one object at a time: 1,500 falling 6 is 1.1e19, above 2^63."""
    n = 1500
    rows = [[0, 1, 1.0], *([n + i - 1, i + 1, i + 1.0] for i in range(1, n - 1))]
    sums = falling_sums(as_dendrogram(rows), np.array([0, 700, n - 1]), FALLING)
    assert sums.tolist() == [[0, math.perm(701, j), math.perm(n, j)] for j in FALLING]


@pytest.mark.parametrize(("measure", "scale"), [
    ("rand_distance", lambda n: 1.0), ("symmetric_difference_distance", lambda n: n * (n - 1) / 2)])
def test_the_band_of_a_distance_is_that_of_the_rand_index(measure, scale):
    rng = np.random.default_rng(8)
    x, y = random_tree(rng, 12), random_tree(rng, 12)
    index, distance = (sc.dendrogram_curve(x, y, measure=m) for m in ("rand_index", measure))
    assert distance.expected == pytest.approx((1.0 - index.expected) * scale(12))
    assert distance.sd == pytest.approx(index.sd * scale(12))
    assert distance.limit() == pytest.approx((1.0 - index.limit()) * scale(12))


def test_limits_are_values_that_pairs_can_have():
    rng = np.random.default_rng(4)
    x, y = random_tree(rng, 40), random_tree(rng, 40)
    curve = sc.dendrogram_curve(x, y)
    assert curve.limit().min() == curve.limit()[-1] == 0.0
    # One pair of 780 in each cut: that they are the same has probability 1/780.
    adjusted = sc.dendrogram_curve(x, y, measure="adjusted_rand_index")
    assert adjusted.limit()[-1] == pytest.approx(-1 / 779)


def test_the_map_holds_the_curve():
    rng = np.random.default_rng(4)
    x, y = random_tree(rng, 25), random_tree(rng, 25)
    for measure in ("fowlkes_mallows_index", "adjusted_rand_index"):
        found = sc.dendrogram_map(x, y, max_clusters=8, measure=measure)
        curve = sc.dendrogram_curve(x, y, measure=measure)
        assert np.diag(found.value) == pytest.approx(curve.value[:7])
        assert found.to_frame().shape == (7, 7)


def test_only_pearson_and_height_levels_see_heights():
    rng = np.random.default_rng(5)
    x, y = random_tree(rng, 14), random_tree(rng, 14)
    bent = [[a, b, h ** 3] for a, b, h in x]
    for method in ("spearman", "kendall", "gamma"):
        assert sc.cophenetic_correlation(x, y, method=method) == sc.cophenetic_correlation(
            bent, y, method=method)
    assert sc.cophenetic_correlation(x, y) != sc.cophenetic_correlation(bent, y)
    plain, other = (sc.dendrogram_element_centric(t, y) for t in (x, bent))
    assert (plain.values == other.values).all()
    assert (sc.dendrogram_element_centric(x, y, levels="height").index
            != sc.dendrogram_element_centric(bent, y, levels="height").index)


def test_equal_trees_and_symmetry():
    rng = np.random.default_rng(6)
    x, y = random_tree(rng, 20), random_tree(rng, 20, ties=5)
    assert (sc.dendrogram_curve(x, x).value == 1.0).all()
    assert sc.cophenetic_correlation(x, x) == pytest.approx(1.0)
    assert sc.dendrogram_element_centric(x, x).index == pytest.approx(1.0)
    assert sc.cluster_set_distance(x, x) == sc.untangle(x, x).crossings == 0
    assert sc.cluster_set_distance(x, y) == sc.cluster_set_distance(y, x)
    assert sc.cophenetic_correlation(x, y) == pytest.approx(sc.cophenetic_correlation(y, x))
    assert 0 <= sc.cluster_set_distance(x, y, normalize=True) <= 1


def test_threads_change_no_bits():
    rng = np.random.default_rng(7)
    x, y = random_tree(rng, 60), random_tree(rng, 60)
    before = sc.get_num_threads()
    try:
        found = []
        for threads in (1, 8):
            sc.set_num_threads(threads)
            found.append(sc.dendrogram_element_centric(x, y).values)
    finally:
        sc.set_num_threads(before)
    assert (found[0] == found[1]).all()


def test_untangling_both_sides_is_no_worse():
    rng = np.random.default_rng(8)
    x, y = random_tree(rng, 30), random_tree(rng, 30)
    one, both = sc.untangle(x, y, fixed="x"), sc.untangle(x, y, rng=0)
    assert both.crossings <= one.crossings
    assert both.crossings == naive.inversions(both.x_order.tolist(), both.y_order.tolist())
    again = sc.untangle(x, y, rng=0)
    assert (again.x_order == both.x_order).all()
    kept = sc.untangle(x, y, fixed="y", y_order=one.y_order)
    assert (kept.y_order == one.y_order).all()
    assert sc.entanglement([0, 1, 2, 3], [3, 2, 1, 0]) == 1.0


# -- dendrograms ----------------------------------------------------------------------------------


def test_cuts_and_ties():
    tree = sc.Dendrogram(merges("ties6.x"))
    assert tree.k.tolist() == sorted(naive.attained(merges("ties6.x")))
    assert tree.cut(3).labels.tolist() == [0, 1, 2, 2, 0, 0]
    assert tree.cut_height(1.5).labels.tolist() == tree.cut(3).labels.tolist()
    assert tree.cut_height(-1).n_clusters == 6
    with pytest.raises(sc.ClusteringError, match="the nearest numbers are 3 and 6"):
        tree.cut(4)
    assert sc.Dendrogram(merges("ties6.x"), ties="order").k.tolist() == [1, 2, 3, 4, 5, 6]


def test_trees_of_other_types():
    for given in (None, 5, ["a"], pd.DataFrame()):
        with pytest.raises(TypeError, match="text is of type"):
            sc.Dendrogram.from_newick(given)
    with pytest.raises(sc.ClusteringError, match="cannot be read"):
        sc.as_dendrogram([[0, 1], [2, 3, 1.0]])


def test_newick():
    tree = sc.Dendrogram.from_newick("(('a b':1,b:1)x:1.5,(c:2,d:2,e:2):0.5)root;")
    assert tree.object_names == ("a b", "b", "c", "d", "e")
    assert tree.heights.tolist() == [1.0, 2.0, 2.0, 2.5]
    assert tree.k.tolist() == [1, 2, 4, 5]
    levels = sc.Dendrogram.from_newick("((a,b),c);", lengths="ignore")
    assert levels.heights.tolist() == [1.0, 2.0]
    with pytest.raises(sc.ClusteringError, match="not ultrametric"):
        sc.Dendrogram.from_newick("((a:1,b:2):1,c:2);")
    for bad, message in (("((a,b);", "opening parenthesis"), ("(a,b));", "outside"),
                         ("(a:x,b:1);", "not a length"), ("(a,b);", "has no length"),
                         ("a;", "fewer than 2")):
        with pytest.raises(sc.ClusteringError, match=message):
            sc.Dendrogram.from_newick(bad)


def test_names_put_trees_in_order():
    rng = np.random.default_rng(9)
    x, y = random_tree(rng, 7), random_tree(rng, 7)
    order = rng.permutation(7)
    names = [f"o{i}" for i in range(7)]
    where = np.argsort(order)
    moved = [[where[int(v)] if v < 7 else v for v in row[:2]] + [row[2]] for row in y]
    one = sc.Dendrogram(x, object_names=names)
    two = sc.Dendrogram(moved, object_names=[names[i] for i in order])
    assert sc.cophenetic_correlation(one, two) == sc.cophenetic_correlation(x, y)
    assert (sc.dendrogram_curve(one, two).value == sc.dendrogram_curve(x, y).value).all()
    with pytest.raises(sc.ClusteringError, match="object 6 is 'o6' in x and 'z' in y"):
        sc.cophenetic_correlation(one, sc.Dendrogram(moved, object_names=[*names[:6], "z"]))


def test_estimators():
    from sklearn.cluster import AgglomerativeClustering
    data = np.random.default_rng(10).normal(size=(12, 2))
    with pytest.raises(sc.ClusteringError, match="compute_distances=True"):
        sc.as_dendrogram(AgglomerativeClustering().fit(data))
    fitted = AgglomerativeClustering(compute_distances=True).fit(data)
    assert sc.as_dendrogram(fitted).n_objects == 12


@pytest.mark.parametrize(("call", "message"), [
    (lambda x: sc.dendrogram_element_centric(x, x, damping=0.0), "damping is 0.0"),
    (lambda x: sc.dendrogram_element_centric(x, x, damping=1.0), "damping is 1.0"),
    (lambda x: sc.cophenetic_correlation(x, x[:1]), "must have the same objects"),
    (lambda x: sc.untangle(x, x, x_order=[0, 2, 1, 3]), "not a leaf order"),
    (lambda x: sc.untangle(x, x, x_order=[0, 0, 1, 3]), "each of the 4 objects once"),
    (lambda x: sc.dendrogram_curve(x, x).limit(1.0), "level is 1.0"),
    (lambda x: sc.Dendrogram(x, object_names=["a"]), "1 names for 4 objects"),
    (lambda x: sc.Dendrogram([]), "n >= 2 objects"),
    (lambda x: sc.entanglement([0, 1], [0, 2]), "the same objects")])
def test_bad_input(call, message):
    with pytest.raises(sc.ClusteringError, match=message):
        call([[0, 1, 1.0], [2, 3, 2.0], [4, 5, 3.0]])


def test_measures_that_need_more_than_pairs():
    x = [[0, 1, 1.0], [2, 3, 2.0], [4, 5, 3.0]]
    with pytest.raises(ValueError, match="needs more than pair counts"):
        sc.dendrogram_curve(x, x, measure="mutual_information")


def test_a_side_without_variance_is_undefined():
    flat = [[0, 1, 1.0], [2, 4, 1.0], [3, 5, 1.0]]
    with pytest.warns(sc.UndefinedMeasureWarning):
        assert math.isnan(sc.cophenetic_correlation(flat, flat))


# -- trees of R ------------------------------------------------------------------------------------
class RList:
    """What as_dendrogram reads of a list of rpy2."""

    rclass = ("hclust",)

    def __init__(self, **parts):
        self.parts, self.names = parts, list(parts)

    def rx2(self, name):
        return self.parts[name]


@pytest.mark.parametrize("form", [dict, RList])
def test_hclust_of_r_is_a_dendrogram(form):
    parts = {"merge": [[-1, -3], [-2, 1]], "height": [1.0, 2.5], "labels": ["a", "b", "c"]}
    tree = sc.as_dendrogram(form(**parts))
    assert tree.merges.tolist() == [[0, 2, 1.0], [1, 3, 2.5]]
    assert tree.object_names == ("a", "b", "c")
    assert sc.dendrogram_curve(form(**parts), tree).value.tolist() == [1.0]
    assert sc.as_dendrogram(form(merge=parts["merge"], height=[1, 2.5])).object_names is None


@pytest.mark.parametrize(("parts", "message"), [
    ({"merge": [[-1, -2]]}, "has no height"), ({"height": [1.0]}, "has no merge"),
    ({"merge": [[-1, -2]], "height": [1.0, 2.0]}, r"shape \(1, 2\) for 2 heights"),
    ({"merge": [[0, -2]], "height": [1.0]}, "-1 to -2 for objects"),
    ({"merge": [["a", "b"]], "height": [1.0]}, "cannot be read as numbers"),
])
def test_bad_hclust(parts, message):
    with pytest.raises(sc.ClusteringError, match=message):
        sc.as_dendrogram(parts)
