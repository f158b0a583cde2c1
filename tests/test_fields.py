"""Scores of machine learning, linkage, coreference, segmentation and diarization."""

import json
import math
from functools import cache
from itertools import combinations, permutations, product
from pathlib import Path

import numpy as np
import pytest
from naive import covers, relational, soft_pairs
from naive import fields as naive
from together import for_each

import softclust as sc

pytestmark = pytest.mark.filterwarnings("ignore::softclust.UndefinedMeasureWarning")
GOLDEN = json.loads((Path(__file__).parent / "golden" / "fields.json").read_text())


def made(record):
    if record["kind"] == "hard":
        return sc.as_clustering(record["labels"])
    return sc.CoverClustering.from_clusters(record["clusters"], n_objects=record["n"])


# The stored values have nan for an empty response. F is 0 there: a mean over documents is a number.
EMPTY_RESPONSES = {
    "nobody.x conll_index": 0.0,
    "checksum partial partitions of 3 conll_index": {"pairs": 225, "undefined": 56},
}
for record in GOLDEN["cases"]:
    if (corrected := EMPTY_RESPONSES.get(record["id"])) is not None:
        whole = isinstance(corrected, dict)
        record["expected"] = {**record["expected"], **corrected} if whole else corrected
        record.setdefault("abs_tol", 1e-12)

INPUTS = {name: made(record) for name, record in GOLDEN["inputs"].items()}


def cases(*functions, without=()):
    return [c for c in GOLDEN["cases"]
            if (c["function"] in functions if functions else c["function"] not in without)]


OTHERS = ("checksum", "chance_level", "weighted", "word", "explain", "influence",
          "cluster_changes", "nested_rand_index", "adjusted_nested_rand_index",
          "level_agreement", "best_cut")


def close(found, case):
    expected = case["expected"]
    if expected is None:
        return math.isnan(found)
    return abs(found - expected) <= case["abs_tol"]


@for_each("case", cases(without=OTHERS), show=lambda c: c["id"])
def test_values(case):
    x, y = (INPUTS[name] for name in case["args"])
    assert close(getattr(sc, case["function"])(x, y, **case["kwargs"]), case)


def partitions(n):
    return naive.partitions(list(range(n)))


def partial(n):
    return [p for used in product((0, 1), repeat=n)
            for p in naive.partitions([i for i in range(n) if used[i]])]


def as_labels(p, n):
    labels = [0] * n
    for k, cluster in enumerate(p):
        for i in cluster:
            labels[i] = k
    return sc.as_clustering(labels)


@for_each("case", cases("checksum"), show=lambda c: c["id"])
def test_checksums(case):
    measure, over = case["args"]
    group = ([as_labels(p, 4) for p in partitions(4)] if over == "partitions of 4" else
             [sc.CoverClustering.from_clusters(p, n_objects=3) for p in partial(3)])
    values = [getattr(sc, measure)(x, y, **case["kwargs"]) for x in group for y in group]
    known = [v for v in values if not math.isnan(v)]
    expected = case["expected"]
    assert (len(values), len(values) - len(known)) == (expected["pairs"], expected["undefined"])
    assert abs(math.fsum(known) - expected["sum"]) <= case["abs_tol"]


@for_each("case", cases("chance_level"), show=lambda c: c["id"])
def test_chance_levels(case):
    x, y = (INPUTS[name] for name in case["args"])
    assert close(sc.chance_level(x, y, **case["kwargs"]), case)


@for_each("case", cases("weighted"), show=lambda c: c["id"])
def test_weights(case):
    x, y, measure = case["args"]
    labels = [GOLDEN["inputs"][name]["labels"] for name in (x, y)]
    table = sc.contingency_table(*labels, weights=case["weights"])
    assert close(getattr(sc, measure)(table, **case["kwargs"]), case)


@for_each("name", ["muc_index", "lea_index", "cluster_f_index", "ceaf_index", "conll_index",
                   "merge_split_dissimilarity", "orphan_clusters_dissimilarity"])
def test_counts_of_clusters_have_no_weights(name):
    table = sc.contingency_table([0, 0, 1], [0, 1, 1], weights=[1.0, 2.0, 0.5])
    with pytest.raises(sc.ClusteringError, match="weights"):
        getattr(sc, name)(table)


# -- the loops of the definitions -----------------------------------------------------------------
MEASURES = [("pair_f_index", {"part": part, "self_pairs": own}) for part in naive.PARTS
            for own in (False, True)]
MEASURES += [(f"{name}_index", {"part": part}) for part in naive.PARTS
             for name in ("muc", "lea", "blanc", "cluster_f")]
MEASURES += [("cluster_f_index", {"part": part, "threshold": 0.6}) for part in naive.PARTS]
MEASURES += [("ceaf_index", {"part": part, "similarity": kind}) for part in naive.PARTS
             for kind in ("entity", "mention")]
MEASURES += [("panoptic_index", {"part": part}) for part in ("pq", "sq", "rq")]
MEASURES += [("diarization_error_rate", {"part": part})
             for part in ("total", "missed", "false_alarm", "confusion")]
MEASURES += [("jaccard_error_rate", {"mapping": each}) for each in ("jaccard", "overlap")]
MEASURES += [("orphan_clusters_dissimilarity", {})]


@for_each("case", MEASURES)
def test_values_are_those_of_loops_where_objects_are_absent(case):
    name, options = case
    rng = np.random.default_rng(8)
    for _ in range(12):
        n = int(rng.integers(3, 9))
        sides = []
        for _ in "xy":
            labels = rng.integers(-1, 4, n)
            sides.append([np.flatnonzero(labels == k).tolist() for k in range(4)
                          if (labels == k).any()])
        x, y = (sc.CoverClustering.from_clusters(s, n_objects=n) for s in sides)
        found = getattr(sc, name)(x, y, **options)
        expected = getattr(naive, name)(*sides, **options)
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12, equal_nan=True)


def test_identities_of_all_partitions():
    for n in (2, 3, 4, 5):
        group = [as_labels(p, n) for p in partitions(n)]
        for x, y in list(product(group, repeat=2))[::1 if n < 5 else 23]:
            table = sc.contingency_table(x, y)
            hx, hy = sc.conditional_entropy(table), sc.conditional_entropy(y, x)
            assert math.isclose(hx + hy, sc.variation_of_information(table), abs_tol=1e-12)
            nmi = sc.normalized_mutual_information(table)
            assert math.isclose(sc.v_measure_index(table), nmi, abs_tol=1e-12)
            assert math.isclose(sc.completeness_index(table), sc.homogeneity_index(y, x))
            assert sc.ceaf_index(table, similarity="mention") == sc.coclassification_index(table)
            assert math.isclose(sc.diarization_error_rate(table) * n, sc.transfer_distance(table))
            assert sc.van_dongen_distance(table) == (sc.van_dongen_distance(table, side="x")
                                                     + sc.van_dongen_distance(table, side="y"))
            assert math.isclose(sc.van_dongen_distance(table, side="x"),
                                n * (1 - sc.purity_index(table)), abs_tol=1e-12)
            assert (sc.merge_split_dissimilarity(table, cost="pairs")
                    == sc.symmetric_difference_distance(table))
            assert math.isclose(sc.merge_split_dissimilarity(table, cost="information"),
                                n * sc.variation_of_information(table), abs_tol=1e-12)
            assert sc.merge_split_dissimilarity(table) >= sc.lattice_distance(table)
            jaccard, f = sc.jaccard_index(table), sc.pair_f_index(table)
            assert math.isclose(f, 2 * jaccard / (1 + jaccard))
            np.testing.assert_allclose(sc.pair_f_index(table, part="precision"),
                                       sc.wallace_index(table))
            b = [sc.bcubed_index(table, part=part) for part in ("precision", "recall")]
            cover = [sc.bcubed_index(x.to_cover(), y.to_cover(), part=part)
                     for part in ("precision", "recall")]
            np.testing.assert_allclose(b, cover)


ON_PARTITIONS = [("homogeneity_index", {}), ("completeness_index", {}), ("conll_index", {}),
                 ("conditional_entropy", {}), ("conditional_entropy", {"log_base": 2}),
                 *(("v_measure_index", {"beta": beta}) for beta in (0.5, 1.0, 2.0)),
                 *(("merge_split_dissimilarity", {"cost": cost})
                   for cost in ("operations", "pairs", "information"))]


@for_each("case", ON_PARTITIONS)
def test_values_are_those_of_loops_on_all_partitions(case):
    name, options = case
    group = [(p, as_labels(p, 4)) for p in partitions(4)]
    for (p, x), (q, y) in product(group, repeat=2):
        assert math.isclose(getattr(sc, name)(x, y, **options),
                            getattr(naive, name)(p, q, **options), abs_tol=1e-12)


@pytest.mark.parametrize("part", ["total", "split", "merge"])
@pytest.mark.parametrize("cost", ["operations", "pairs", "information"])
def test_chance_of_splits_and_merges_is_the_mean_of_all_orders(cost, part):
    x, y = [0, 0, 1, 1, 2], [0, 0, 0, 1, 1]
    values = [sc.merge_split_dissimilarity(x, order, cost=cost, part=part)
              for order in sorted(set(permutations(y)))]
    assert sc.chance_level(x, y, measure="merge_split_dissimilarity", cost=cost, part=part) == (
        pytest.approx(sum(values) / len(values), rel=1e-12))


def test_the_other_direction_of_merges_is_that_of_splits():
    x, y = INPUTS["random15.2.x"], INPUTS["random15.2.y"]
    for cost in ("operations", "pairs", "information"):
        assert (sc.merge_split_dissimilarity(x, y, cost=cost, part="split")
                == sc.merge_split_dissimilarity(y, x, cost=cost, part="merge"))


def test_objects_in_two_clusters_are_named():
    x = sc.CoverClustering.from_clusters([{"a", "b"}, {"b", "c"}], objects="abc")
    with pytest.raises(sc.ClusteringError, match="x has object 'b' in 2 clusters"):
        sc.muc_index(x, [0, 0, 1])


@pytest.mark.parametrize(("name", "options"), [
    ("pair_f_index", {"part": "f2"}), ("ceaf_index", {"similarity": "phi2"}),
    ("cluster_f_index", {"threshold": 0.3}), ("cluster_f_index", {"threshold": 1}),
    ("panoptic_index", {"threshold": None}), ("v_measure_index", {"beta": -1}),
    ("merge_split_dissimilarity", {"cost": "time"}), ("jaccard_error_rate", {"mapping": "best"}),
    ("conditional_entropy", {"log_base": 1}), ("van_dongen_distance", {"side": "z"})])
def test_unknown_options_raise(name, options):
    with pytest.raises(ValueError, match=next(iter(options))):
        getattr(sc, name)([0, 0, 1], [0, 1, 1], **options)


def test_equal_weights_of_clusters_are_for_hard_sides():
    x = sc.CoverClustering.from_clusters([[0, 1], [2]], n_objects=4)
    with pytest.raises(sc.ClusteringError, match="equal"):
        sc.bcubed_index(x, [0, 0, 1, 1], weights="equal")


def test_matchings_go_component_by_component():
    """10,000 clusters in small components are matched at once."""
    rng = np.random.default_rng(2)
    x = np.repeat(np.arange(5000), 4)
    y = x.copy()
    y[::4] = x[::4] // 3 * 3
    order = rng.permutation(x.size)
    fast = sc.ceaf_index(x[order], y[order], similarity="mention")
    assert fast == sc.coclassification_index(x, y)


# -- objects that only one side has ---------------------------------------------------------------
def test_labels_without_a_cluster_make_covers():
    found = sc.align([0, 0, -1, 1], [0, 0, 1, None], noise="uncovered", missing="uncovered")
    assert [x.kind for x in found] == ["cover", "cover"]
    assert [x.uncovered.tolist() for x in found] == [[2], [3]]
    assert sc.muc_index(*found) == 1.0
    assert sc.ceaf_index(*found, similarity="mention", part="precision") == 2 / 3
    assert "1 missing (uncovered)" in found.header


def test_objects_that_a_cover_lacks_are_in_no_cluster():
    x = sc.CoverClustering.from_clusters({"a": ["p", "q"], "b": ["r"]})
    y = sc.CoverClustering.from_clusters({"a": ["q", "s"]})
    one, other = sc.align(x, y, objects="all")
    assert one.uncovered.tolist() == [3]
    assert other.uncovered.tolist() == [0, 2]
    assert sc.ceaf_index(one, other, similarity="mention") == 2 / 5


def test_only_labels_and_covers_leave_objects_without_a_cluster():
    with pytest.raises(sc.ClusteringError, match="uncovered"):
        sc.align([[0.5, 0.5], [np.nan, np.nan]], [0, 1], missing="uncovered")


def test_small_clusters_are_left_out():
    x = sc.CoverClustering.from_clusters({"a": [0], "b": [1, 2], "c": []}, n_objects=4)
    assert x.drop_small().cluster_names == ("b",)
    assert x.drop_small(1).cluster_names == ("a", "b")
    with pytest.raises(sc.ClusteringError, match="size"):
        x.drop_small(-1)


# -- words of fields ------------------------------------------------------------------------------
@for_each("case", cases("word"), show=lambda c: c["id"])
def test_words_give_the_values_of_their_field(case):
    *sides, word = case["args"]
    row, = sc.compare(*(INPUTS[name] for name in sides), measures=word).rows
    assert close(row.value, case)
    assert row.name == word


def test_words_say_what_they_mean_and_wrong_ones_name_the_nearest():
    meant = sc.measures.measure_of("pairwise_PRECISION")
    assert (meant.name, dict(meant.options), meant.swap) == ("pair_f_index",
                                                             {"part": "precision"}, False)
    assert sc.measures.measure_of("ARI").name == "adjusted_rand_index"
    assert sc.get_measure("MUC").name == "muc_index"
    with pytest.raises(ValueError, match=r"coclassification_index.* or purity_index"):
        sc.measures.measure_of("Meila-Heckerman")
    with pytest.raises(ValueError, match="similar: pairwise precision"):
        sc.measures.measure_of("pairwise precision!")
    with pytest.raises(ValueError, match=r"1 - pair_f_index\(x, y\)"):
        sc.get_measure("adapted Rand error")


def test_no_word_is_a_measure_and_options_are_those_of_the_measure():
    for m in sc.measures.registry().values():
        for word in m.words:
            assert word.word not in sc.measures.registry()
            assert set(word.options) <= set(m.options)
    with pytest.raises(ValueError, match="coreference"):
        sc.measures.list_words("chess")


def test_the_reference_may_be_x():
    x, y = INPUTS["twelve.x"], INPUTS["twelve.y"]
    names = ["homogeneity_index", "purity_index", "rand_index", "VI split"]
    for first, second in ((x, y), (sc.contingency_table(x, y), None)):
        plain, turned = (sc.compare(first, second, measures=names, reference=side)
                         for side in "yx")
        assert turned.rows[0].value == sc.homogeneity_index(y, x)
        assert turned.rows[1].value == sc.purity_index(y, x)
        assert turned.rows[2] == plain.rows[2]
        assert turned.rows[3].value == sc.conditional_entropy(y, x)
        assert "purity_index(y, x)" in turned.rows[1].note


def test_chance_takes_words():
    x, y = INPUTS["twelve.x"], INPUTS["twelve.y"]
    found = sc.chance(x, y, "homogeneity_score", rng=0, n_permutations=9)
    assert found["homogeneity_index"].observed == sc.homogeneity_index(y, x)
    assert found.notes[0] == "homogeneity_score is homogeneity_index(y, x)"
    found = sc.chance(x, y, "pairwise recall", rng=0, n_permutations=9)
    assert found["pair_f_index"].observed == sc.pair_f_index(x, y, part="recall")


def test_limits_are_for_plain_measures():
    x, y = INPUTS["random15.2.x"], INPUTS["random15.2.y"]
    result = sc.compare(x, y, measures=["split-join", "purity_index", "cluster coverage"],
                        ci="jackknife")
    assert result.rows[1].ci.method != "none"
    assert "default options" in result.rows[2].note


def test_pair_f_and_v_have_the_limits_of_the_measures_that_they_are_functions_of():
    rng = np.random.default_rng(3)
    x = rng.integers(0, 4, 300)
    y = np.where(rng.random(300) < 0.8, x, rng.integers(0, 4, 300))
    names = ["pair_f_index", "jaccard_index", "v_measure_index", "normalized_mutual_information"]
    f, jaccard, v, nmi = (row.ci for row in sc.compare(x, y, measures=names, ci="jackknife").rows)
    assert (v.low, v.high) == (nmi.low, nmi.high)
    for ours, other in ((f.low, jaccard.low), (f.high, jaccard.high)):
        assert math.isclose(ours.low, 2 * other.low / (1 + other.low))
    assert f.low.low < sc.pair_f_index(x, y) < f.high.high
    cover = sc.as_clustering(x).to_cover()
    row, = sc.compare(cover, y, measures=["pair_f_index"], ci="jackknife").rows
    assert (row.ci.method, row.ci.note) == (
        "none", "no confidence interval: coverage not simulated")


# -- shares, influence, the ledger ----------------------------------------------------------------
def divided():
    """(measure, options, shares) of every declared way to divide a disagreement of hard sides."""
    return [(m.name, dict(s.options), s) for m in sc.measures.registry().values()
            for s in m.shares if s.base != "pair means"]


@for_each("case", cases("explain"), show=lambda c: c["id"])
def test_shares(case):
    x, y = (INPUTS[name] for name in case["args"])
    found = sc.explain(x, y, **case["kwargs"])
    expected, tol = case["expected"], case["abs_tol"]
    assert abs(found.total - expected["total"]) <= tol
    np.testing.assert_allclose(found.objects, expected["objects"], rtol=0, atol=tol)
    np.testing.assert_allclose(found.x_clusters, expected["x_clusters"], rtol=0, atol=tol)
    np.testing.assert_allclose(found.y_clusters, expected["y_clusters"], rtol=0, atol=tol)
    cells = np.column_stack([found.cells, found.cell_shares])
    np.testing.assert_allclose(cells, expected["cells"], rtol=0, atol=tol)


@cache
def tables_of_five():
    """A pair of labels for each table of two partitions of 5 objects, and the number of pairs.

    What depends on the table alone holds for all pairs if it holds for these.
    """
    group = []
    for p in partitions(5):
        group.append(np.empty(5, int))
        for k, cluster in enumerate(p):
            group[-1][cluster] = k
    pairs = {}
    for x, y in product(group, repeat=2):
        table = np.zeros((5, 5), int)
        np.add.at(table, (x, y), 1)
        pairs.setdefault(table.tobytes(), (x, y))
    return np.array(list(pairs.values())), len(group) ** 2


def terms_of_objects(pairs, shares):
    """Terms of the objects of all pairs at once, by the definition of the base, (pairs, 5)."""
    x, y = (side[:, :, None] == side[:, None, :] for side in (pairs[:, 0], pairs[:, 1]))
    both = x & y
    a, b, t = x.sum(2), y.sum(2), both.sum(2)
    if shares.base == "pairs":
        split, merge = (x & ~y).sum(2) / 2, (y & ~x).sum(2) / 2
    elif shares.base == "information":
        split, merge = np.log(a / t), np.log(b / t)
    elif shares.base == "bcubed":
        split, merge = 1 - t / a, 1 - t / b
    elif shares.base == "element":
        return 1 - t / np.maximum(a, b)
    elif shares.base == "operations":
        # An object is 1/T of its cell.
        split, merge = ((1 - 1 / np.einsum("kij,kj->ki", side, 1 / t)) / t for side in (x, y))
    else:
        # 1 off the largest cell of the cluster, 1 - 1/q where q cells are the largest
        split, merge = (1 - (t == largest) / np.einsum(
            "kij,kij->ki", side & (t[:, None] == largest[:, :, None]), 1 / t[:, None] + 0 * side)
            for side in (x, y) for largest in [np.where(side, t[:, None], 0).max(2)])
    return split * shares.split + merge * shares.merge


def test_shares_add_up_on_all_pairs_of_partitions_of_five():
    pairs, count = tables_of_five()
    assert (count, len(pairs)) == (2704, 737)
    joints = [sc.Joint(x, y) for x, y in pairs]
    divisible = divided()
    for k, (name, options, shares) in enumerate(divisible):
        some = joints[k % 9::9]
        told = [sc.explain(joint, measure=name, **options) for joint in some]
        totals = np.array([e.total for e in told])
        known = ~np.isnan(totals)
        objects = np.array([e.objects for e in told])[known]
        totals = totals[known]
        np.testing.assert_allclose(objects.sum(1), totals, atol=1e-9, err_msg=name)
        assert (objects >= -1e-12).all()
        for side in ("x_clusters", "y_clusters"):
            sums = [getattr(e, side).sum() for e in told]
            np.testing.assert_allclose(np.array(sums)[known], totals, atol=1e-9, err_msg=name)
        parts = np.array([e.split + e.merge for e in told])[known]
        one = np.isnan(parts)
        assert one.all() if shares.base in ("element", "matching") else not one.any()
        np.testing.assert_allclose(parts[~one], totals[~one], atol=1e-9)
        if shares.base == "matching":   # a whole object each: those that do not stay
            moved = np.array([sc.transfer_distance(joint) for joint in some])[known]
            assert ((objects > 0).sum(1) == moved).all()
            np.testing.assert_allclose(objects.max(1), totals / np.maximum(moved, 1))
        else:
            terms = terms_of_objects(pairs[k % 9::9], shares)[known]
            unit = np.divide(totals, terms.sum(1), out=np.zeros_like(totals),
                             where=terms.sum(1) > 0)
            np.testing.assert_allclose(objects, terms * unit[:, None], atol=1e-9, err_msg=name)


def soft_sides(n=6):
    rng = np.random.default_rng(5)
    return rng.dirichlet(np.ones(3), n), rng.dirichlet(np.ones(2), n), rng.integers(0, 3, n)


@for_each("name", ["alpha_rand_index", "credal_rand_index", "concordance_index"])
def test_objects_of_soft_clusterings_have_half_of_their_pairs(name):
    u, v, labels = soft_sides()
    n = len(u)
    index = {"alpha_rand_index": relational.alpha_rand_index,
             "credal_rand_index": relational.credal_rand_index,
             "concordance_index": soft_pairs.concordance_index}[name]
    for x, y in ((u, v), (labels, u)):
        told = sc.explain(x, y, name)
        rows = [np.eye(3)[side] if side.ndim == 1 else side for side in (x, y)]
        read = (lambda p: p.tolist()) if name == "concordance_index" else relational.fuzzy_masses
        expected = np.zeros(n)
        for i, j in combinations(range(n), 2):
            expected[[i, j]] += float(1 - index(*(read(side[[i, j]]) for side in rows))) / 2
        np.testing.assert_allclose(told.objects, expected / math.comb(n, 2), atol=1e-12)
        assert math.isclose(told.objects.sum(), told.total)
    np.testing.assert_allclose(sc.explain(u[:2], v[:2], name).objects.sum(),
                               1 - getattr(sc, name)(u[:2], v[:2]))


def test_objects_of_covers_have_their_element_centric_dissimilarity():
    x = sc.as_clustering([{0, 1, 2}, {2, 3}, {4}], kind="cover")
    y = sc.as_clustering([{0, 1}, {2, 3}, {3, 4}], kind="cover")
    rows = [[[i in c for c in side.clusters] for i in range(5)] for side in (x, y)]
    similar = covers.element_similarities(*rows)
    told = sc.explain(x, y, "ECS")
    np.testing.assert_allclose(told.objects, (1 - np.array(similar)) / 5, atol=1e-12)
    adjusted = sc.explain(x, y, "adjusted_element_centric_index")
    np.testing.assert_allclose(adjusted.objects / adjusted.total, told.objects / told.total)


def test_explain_says_what_exists_for_soft_clusterings():
    u, v, labels = soft_sides()
    with pytest.raises(sc.ClusteringError, match=r"two hard.*fuzzy and hard.*alpha_rand_index"):
        sc.explain(u, labels)
    told = sc.explain(u, v, "alpha_rand_index")
    for what in ("x_clusters", "cells", "changes", "split"):
        with pytest.raises(sc.ClusteringError, match="shares of objects only"):
            getattr(told, what)
    assert "Objects only share the disagreement" in str(told)
    assert told.to_frame("objects")["share"].sum() == pytest.approx(told.total)


@for_each("case", cases("influence"), show=lambda c: c["id"])
def test_influence(case):
    x, y = (INPUTS[name] for name in case["args"])
    found = sc.influence(x, y, **case["kwargs"])
    expected, tol = case["expected"], case["abs_tol"]
    np.testing.assert_allclose(found.leave_out, np.array(expected["leave_out"], float), rtol=0,
                               atol=tol)
    np.testing.assert_allclose(found.gain, expected["gain"], rtol=0, atol=tol)
    for best, wanted in zip(found.best.tolist(), expected["best"]):
        assert wanted is None or best == wanted


@for_each("name", ["adjusted_rand_index", "adjusted_mutual_information", "muc_index",
                   "fowlkes_mallows_index", "variation_of_information"])
def test_influence_is_what_recomputing_gives(name):
    measure = getattr(sc, name)
    x, y = INPUTS["random11.0.x"], INPUTS["random11.0.y"]
    found, value = sc.influence(x, y, name), measure(x, y)
    sign = 1 if sc.get_measure(name).sense == "agreement" else -1
    for i in range(11):
        rest = [j for j in range(11) if j != i]
        assert math.isclose(found.leave_out[i], measure(x.subset(rest), y.subset(rest)) - value,
                            abs_tol=1e-12)
        values = []
        for k in range(6):
            labels = y.labels.copy()
            labels[i] = k
            values.append(sign * (measure(x, labels) - value))
        assert math.isclose(found.gain[i], max(0, *values), abs_tol=1e-12)


@for_each("case", cases("cluster_changes"), show=lambda c: c["id"])
def test_ledgers(case):
    x, y = (INPUTS[name] for name in case["args"])
    found = sc.cluster_changes(x, y, **case["kwargs"])
    expected, tol = case["expected"], case["abs_tol"]
    events = {(tuple(e["x"]), tuple(e["y"])): e for e in expected["events"]}
    assert len(events) == len(found.events)
    for event in found.events:
        e = events[event.x, event.y]
        assert (event.kind, event.count, event.exact) == (e["kind"], e["count"], e["exact"])
        assert abs(event.share - e["share"]) <= tol
    assert sorted(found.moves) == sorted(map(tuple, expected["moves"]))
    assert found.moved == expected["moved"]
    assert abs(found.moved_share - expected["moved_share"]) <= tol
    assert abs(found.total - expected["total"]) <= tol


def test_moves_have_what_events_leave():
    group = [as_labels(p, 5) for p in partitions(5)]
    for x, y in list(product(group, repeat=2))[::11]:
        found = sc.cluster_changes(x, y, measure="variation_of_information")
        events = sum(e.share for e in found.events)
        assert math.isclose(events + found.moved_share, found.total, abs_tol=1e-9)
        changed = sum(e.kind != "kept" for e in found.events)
        first = str(found).splitlines()[0]
        moved = f"{found.moved} object{'' if found.moved == 1 else 's'} moved"
        assert first.endswith(f"{changed} changed, {moved}")
        if x is y:
            assert all(e.kind == "kept" and e.exact for e in found.events)


def test_clusters_without_a_majority_are_told_and_shares_that_are_not_known_are_nan():
    found = sc.cluster_changes([0, 0, 1, 1, 2], [0, 1, 1, 2, 2], measure="transfer_distance")
    assert math.isnan(found.moved_share)
    assert found.sentences() == ["x 1 is dissolved.", "y 1 is assembled from parts.",
                                 "3 objects moved (x 0 to y 1, x 1 to y 1, x 1 to y 2)."]


@for_each("case", [([0, 0, 1, 1], [0, 1, 0, 1], False), ([0, 0, 0, 1], [0, 0, 1, 1], True),
                   (np.repeat(np.arange(30), 30), np.tile(np.arange(30), 30), False)])
def test_several_best_matchings_are_told(case):
    x, y, unique = case
    why = sc.explain(x, y, "transfer_distance")
    assert why.unique == unique == ("Several one-to-one" not in str(why))


def test_sentences():
    x, y = INPUTS["ledger.x"], INPUTS["ledger.y"]
    lines = str(sc.explain(x, y, names=("truth", "found"), top=1)).splitlines()
    assert lines[1:5] == [
        "41 % of the disagreement (1 - ARI = 0.502): truth 1 and 2 are merged in found 2.",
        "31 %: truth 0 is split into found 0 and 1.",
        "24 %: 1 object moved (truth 4 to found 0).", "3 %: other."]
    assert lines[5].startswith("Objects with the largest shares: 19 (")
    table = sc.contingency_table(x, y)
    found = sc.explain(table)
    assert found.to_frame("x")["share"].sum() == pytest.approx(found.total)
    with pytest.raises(sc.ClusteringError, match="objects"):
        found.objects  # noqa: B018
    assert list(sc.explain(x, y).to_frame("changes")["kind"])[:2] == ["merge", "split"]


@for_each("name", ["fowlkes_mallows_index", "ceaf_index", "lea_index", "blanc_index",
                   "panoptic_index"])
def test_measures_without_shares_name_others(name):
    with pytest.raises(ValueError, match=f"{name} has no shares that add up.*_index"):
        sc.explain([0, 0, 1], [0, 1, 1], name)
    with pytest.raises(ValueError, match="under these options"):
        sc.explain([0, 0, 1], [0, 1, 1], "bcubed_index")


def test_pictures():
    pytest.importorskip("matplotlib").use("Agg")
    import matplotlib.pyplot as plt
    x, y = INPUTS["ledger.x"], INPUTS["ledger.y"]
    found = sc.explain(x, y, names=("truth", "found"))
    for kind in ("flows", "table"):
        assert found.plot(kind=kind).get_title(loc="left") == "1 - ARI = 0.502 (darker: more of it)"
    assert found.influence.plot().get_xlabel().startswith("gain of adjusted Rand index")
    told = sc.explain(*soft_sides()[:2], "alpha_rand_index")
    rows = told.plot().get_yticklabels()
    assert [row.get_text() for row in rows] == [str(name) for name, _ in told.top()]
    levels = sc.level_agreement([[0, 0, 0, 1], [0, 1, 1, 2]], [0, 0, 1, 1])
    assert levels.plot().lines[0].get_ydata().tolist() == levels.value.tolist()
    plt.close("all")


# -- nested truth ---------------------------------------------------------------------------------
@for_each("case", cases("nested_rand_index", "adjusted_nested_rand_index"), show=lambda c: c["id"])
def test_nested_truth(case):
    found = getattr(sc, case["function"])(case["levels"], case["y"], **case["kwargs"])
    assert close(found, case)


@for_each("case", cases("level_agreement"), show=lambda c: c["id"])
def test_levels(case):
    found = sc.level_agreement(case["levels"], case["y"], **case["kwargs"])
    np.testing.assert_allclose(found.value, case["expected"], atol=case["abs_tol"])


@for_each("case", cases("best_cut"), show=lambda c: c["id"])
def test_best_cuts(case):
    found = sc.best_cut(case["tree"], case["y"], **case["kwargs"])
    assert abs(found.value - case["expected"]["value"]) <= case["abs_tol"]
    assert abs(found.level_value - case["expected"]["level_value"]) <= case["abs_tol"]


@for_each("name", ["adjusted_rand_index", "fowlkes_mallows_index", "rand_distance",
                   "normalized_mutual_information"])
def test_levels_of_a_dendrogram_are_those_of_its_cuts(name):
    from scipy.cluster.hierarchy import linkage
    rng = np.random.default_rng(7)
    tree = sc.as_dendrogram(linkage(rng.integers(0, 9, (12, 2)), "average"))
    for y in (rng.integers(0, 3, 12), np.zeros(12, int), np.arange(12)):
        found = sc.level_agreement(tree, y, measure=name)
        cuts = [tree.cut(k) for k in tree.k.tolist()]
        np.testing.assert_allclose(found.value, [getattr(sc, name)(cut, y) for cut in cuts],
                                   atol=1e-12)
        np.testing.assert_allclose(found.expected, [sc.chance_level(cut, y, name)
                                                    for cut in cuts], atol=1e-12)
        assert found.to_frame().index.tolist() == found.k.tolist() == tree.k.tolist()


def antichains(tree, node, n):
    below = tree.checked
    kept = [[node]] if tree.kept[node] else []
    if node < n:
        return [[node]]
    left, right = int(below.left[node - n]), int(below.right[node - n])
    return kept + [a + b for a in antichains(tree, left, n) for b in antichains(tree, right, n)]


@for_each("name", ["adjusted_rand_index", "rand_index", "jaccard_index", "pair_f_index",
                   "variation_of_information", "normalized_mutual_information", "rand_distance",
                   "normalized_variation_of_information", "v_measure_index"])
def test_best_cuts_are_the_best_of_all(name):
    from scipy.cluster.hierarchy import linkage
    rng = np.random.default_rng(3)
    measure, sign = getattr(sc, name), 1 if sc.get_measure(name).sense == "agreement" else -1
    for n in (3, 5, 7, 8):
        tree = sc.as_dendrogram(linkage(rng.integers(0, 6, (n, 1)), "complete"))
        for c in (1, 2, 3, n):
            y = np.arange(n) if c == n else rng.integers(0, c, n)
            size, start, order = tree.intervals
            values = []
            for nodes in antichains(tree, 2 * n - 2, n):
                labels = np.empty(n, int)
                for code, node in enumerate(nodes):
                    labels[order[start[node]:start[node] + size[node]]] = code
                values.append(sign * measure(labels, y))
            found = sc.best_cut(tree, y, measure=name)
            assert math.isclose(sign * found.value, np.nanmax(values), abs_tol=1e-9), (n, c)


def test_nested_levels_are_checked():
    with pytest.raises(sc.ClusteringError, match="joins objects 0 and 1"):
        sc.nested_rand_index([[0, 1, 1], [0, 0, 1]], [0, 0, 1])
    with pytest.raises(ValueError, match="credits"):
        sc.nested_rand_index([[0, 0, 1]], [0, 0, 1], credits=[0.5])
    for name in ("muc_index", "fowlkes_mallows_index", "bcubed_index"):
        with pytest.raises(ValueError, match=f"{name} is not a ratio of sums"):
            sc.best_cut([[0, 1, 1.0], [2, 3, 2.0]], [0, 0, 1], measure=name)
    found = sc.best_cut([[0, 1, 1.0], [2, 3, 2.0]], [0, 0, 1]).chance(9, rng=1)
    assert 0.1 <= found.p_value <= 1


# -- the command line -----------------------------------------------------------------------------
@pytest.fixture
def files(tmp_path):
    for side, name in (("x", "truth"), ("y", "found")):
        labels = GOLDEN["inputs"][f"ledger.{side}"]["labels"]
        rows = [f"o{i},{k}" for i, k in enumerate(labels)]
        (tmp_path / f"{name}.csv").write_text("\n".join(["id,cluster", *rows]) + "\n")
    return str(tmp_path / "truth.csv"), str(tmp_path / "found.csv")


def test_the_command_explain(files, capsys, tmp_path):
    from softclust.cli import main
    assert main(["explain", *files, "--measure", "ARI", "--names", "truth,found"]) == 0
    said = capsys.readouterr().out
    assert "41 % of the disagreement (1 - ARI = 0.502): truth 1 and 2 are merged" in said
    assert "o19 (" in said
    assert main(["explain", *files, "--measure", "VI", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert sum(row["share"] for row in data["objects"]) == pytest.approx(data["total"])
    assert data["x"][0] == {"x": 0, "share": pytest.approx(data["x"][0]["share"])}
    assert {tuple(e["x"]) for e in data["changes"]} >= {(1, 2)}
    assert main(["explain", *files, "--measure", "no_such_index"]) == 2
    soft = tmp_path / "soft.csv"
    soft.write_text("id,a,b\n" + "".join(f"o{i},{i / 20},{1 - i / 20}\n" for i in range(20)))
    assert main(["explain", files[0], str(soft), "--measure", "concordance_index", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert "cells" not in data
    assert sum(row["share"] for row in data["objects"]) == pytest.approx(data["total"])


def test_words_on_the_command_line(files, capsys):
    from softclust.cli import main
    assert main(["compare", *files, "--measures", "VI split", "--reference", "a"]) == 0
    assert "conditional_entropy(y, x)" in capsys.readouterr().out
    assert main(["measures", "--words", "--field", "diarization"]) == 0
    assert "jaccard_error_rate" in capsys.readouterr().out


def test_segments_that_spill_into_the_background_are_punished():
    # A predicted segment of 16 pixels over a true one of 8: the overlap is 8/16, which is no match.
    found = [0] * 10 + [1] * 16 + [0] * 6
    truth = [0] * 10 + [5] * 8 + [0] * 14
    for x, y in ((found, truth), (truth, found)):
        sides = sc.align(x, y, noise="uncovered", noise_label=0)
        assert sc.panoptic_index(*sides) == 0
        assert sc.cluster_f_index(*sides, threshold=0.5) == 0
        assert sc.best_match_index(*sides, overlap="jaccard", weights="size", side="y") == 0.5


def test_an_empty_response_has_f_0_and_no_precision():
    key = sc.CoverClustering.from_clusters([[0, 1, 2], [3, 4]], n_objects=5)
    empty = sc.CoverClustering.from_clusters([], n_objects=5)
    for measure in (sc.bcubed_index, sc.lea_index, sc.muc_index, sc.ceaf_index, sc.blanc_index):
        assert measure(empty, key) == 0
        assert measure(empty, key, part="recall") == 0
    assert sc.conll_index(empty, key) == 0
    assert math.isnan(sc.bcubed_index(empty, key, part="precision"))


def test_influence_names_the_cluster_that_an_object_should_join():
    found = sc.influence(list("aabbcc"), list("eefffg"))
    assert [position for _, _, position in found.top()] == [2]
    assert found.cluster_names == ("e", "f", "g")
    assert str(found).splitlines()[4].split()[-1] == "g"
    # all of y is one cluster: the best move is out of it
    alone = sc.influence([0, 0, 0, 1], [5, 5, 5, 5], "rand_index")
    assert alone.top(1)[0][::2] == (3, 1)
    assert "a new one" in str(alone)
    assert "1 object gains by" in repr(alone)
