"""Confidence limits: literal deletion, corrected entropies, proportions, invariance, refusals."""

import math
from itertools import product

import naive
import numpy as np
import pytest

import softclust as sc
from softclust.comparison import limits as limits_module
from softclust.tables import best_choice
from softclust.tables.corrected_entropies import n_rare
from softclust.tables.table_moments import information_sd, joined_sd

PAIR_COUNTING = ("rand_index", "adjusted_rand_index", "jaccard_index", "fowlkes_mallows_index",
                 "wallace_index")
INFORMATION = ("mutual_information", "variation_of_information", "normalized_mutual_information",
               "normalized_variation_of_information", "normalized_information_distance")
NOISY = [[20, 2, 1], [1, 15, 4], [0, 3, 14]]


def table_of(counts):
    return sc.ContingencyTable.from_counts(counts)


def row_of(counts, measure, **options):
    options = {"ci": "jackknife"} | options
    return sc.compare(table_of(counts), measures=measure, **options).rows[0]


def small_tables(n, seed, count):
    """Random tables of n objects with two or three clusters on each side."""
    rng = np.random.default_rng(seed)
    found = []
    while len(found) < count:
        table = rng.multinomial(n, np.full(6, 1 / 6)).reshape(2, 3)
        if (table.sum(axis=0) > 0).sum() > 1 and (table.sum(axis=1) > 0).all():
            found.append(table[:, table.sum(axis=0) > 0].tolist())
    return found


# -- by deleting every object -----------------------------------------------------------------
def naive_floor(name, x, y, sd):
    c = naive.pair_counts(x, y)
    p, q = c.n11 + c.n10, c.n11 + c.n01
    pairs = sum(c)
    if not p or not q:
        return 0.0
    return sd * {"rand_index": 2 / pairs,
                 "adjusted_rand_index": 1 / ((p + q) / 2 - p * q / pairs),
                 "fowlkes_mallows_index": 1 / math.sqrt(p * q), "wallace_index": 1 / p,
                 "jaccard_index": (p + q) / (p + q - p * q / pairs) ** 2}[name]


def without_each(x, y):
    for i in range(len(x)):
        yield x[:i] + x[i + 1:], y[:i] + y[i + 1:]


@pytest.mark.parametrize("counts", small_tables(6, 0, 8) + small_tables(7, 1, 2))
def test_pair_counting_by_deleting_every_object(counts):
    x, y = naive.labels_of(counts)
    n, used = len(x), (len(set(x)) - 1) * (len(set(y)) - 1)
    sd = naive.sd_of_n11(x, y)
    for name in PAIR_COUNTING:
        oracle = getattr(naive, name)
        values = [float(oracle(*left)) for left in without_each(x, y)]
        row = row_of(counts, name)
        value, floor = float(oracle(x, y)), naive_floor(name, x, y, sd)
        error = max(naive.jackknife_error(values), floor) if not math.isnan(sum(values)) else 0.0
        if math.isnan(sum(values)) or value == 1.0:
            assert row.ci.method == "none", name
            continue
        low, high = row.range
        expected = naive.log_limits(value, error, n=n, level=0.95, best=1.0, floor=floor, df=used,
                                    bounds=(low, high))
        assert row.ci.estimate == pytest.approx((value, value), abs=1e-12)
        assert row.ci.standard_error == pytest.approx((error, error), abs=1e-12)
        assert (row.ci_low, row.ci_high) == pytest.approx(expected, abs=1e-9), name


@pytest.mark.parametrize("name", INFORMATION)
def test_information_by_deleting_every_object(name):
    counts = [[9, 2, 1], [2, 6, 3], [1, 2, 7]]
    x, y = naive.labels_of(counts)
    n = len(x)
    value = naive.corrected_information(name, x, y)
    error = naive.jackknife_error([naive.corrected_information(name, *left)
                                   for left in without_each(x, y)])
    table = table_of(counts)
    scale = {"mutual_information": 1.0, "variation_of_information": 2.0}.get(name)
    if scale is None:
        h_x, h_y = (naive.corrected_entropy([side.count(v) for v in set(side)])
                    for side in (x, y))
        scale = 1 / {"normalized_mutual_information": (h_x + h_y) / 2,
                     "normalized_variation_of_information": h_x + h_y,
                     "normalized_information_distance": max(h_x, h_y)}[name]
    floor = math.sqrt(2 * 4) / (2 * n) * scale
    row = row_of(counts, name)
    larger = row.sense == "agreement"
    best = math.log(3) if name == "mutual_information" else float(larger)
    expected = naive.log_limits(
        value, error, n=n, level=0.95, best=best, larger=larger, floor=floor, df=4,
        bounds=(0.0, math.inf if name == "variation_of_information" else max(best, 1.0)))
    assert row.ci.estimate[0] == pytest.approx(value, abs=1e-12)
    assert row.ci.standard_error[0] == pytest.approx(max(error, floor), abs=1e-12)
    assert (row.ci_low, row.ci_high) == pytest.approx(expected, abs=1e-10)
    assert row.ci.method == "jackknife, corrected"
    assert row.ci.n_rare == naive.rare_objects(counts) == n_rare(table.statistic(
        limits_module.Contingency))
    assert information_sd(table) * scale == pytest.approx(floor)


def test_the_floor_is_the_sd_of_permutations():
    for counts in small_tables(6, 3, 4):
        assert joined_sd(table_of(counts)) == pytest.approx(
            naive.sd_of_n11(*naive.labels_of(counts)), abs=1e-12)
    assert joined_sd(table_of([[2, 1], [0, 1]])) == 0.0   # fewer than 5 objects


# -- corrected entropy ------------------------------------------------------------------------
@pytest.mark.parametrize("counts", [
    [5, 3, 2, 1, 1], [1], [2], [1] * 7, [1, 1, 1, 1, 2], [9] * 3, [1] * 120, [1] * 90 + [4],
    [1, 1, 2, 400], [1] * 300 + [2] * 3, list(range(1, 30)), [60, 61, 200, 1, 2]])
def test_corrected_entropy_equals_the_finite_form(counts):
    assert sc.corrected_entropy(counts) == pytest.approx(naive.corrected_entropy(counts),
                                                         rel=1e-13, abs=1e-14)


@pytest.mark.slow
def test_corrected_entropy_of_a_million_objects():
    counts = [1] * 5 + [2] * 3 + [1_000_000 - 11]
    assert sc.corrected_entropy(counts) == pytest.approx(naive.corrected_entropy(counts, 30),
                                                         rel=1e-11)


def test_corrected_entropy_has_a_plain_form_without_rare_values():
    # no value seen once: Zhang's estimate, here (8/12)(1/8 + ... + 1/11) and so on
    counts = [8, 4]
    zhang = sum(x / 12 * sum(1 / k for k in range(x, 12)) for x in counts)
    assert sc.corrected_entropy(counts) == pytest.approx(zhang, abs=1e-14)
    assert sc.corrected_entropy([0, 4, 0, 8]) == sc.corrected_entropy(counts)


@pytest.mark.parametrize("counts", [[], [0, 0], [1.5], [-1, 2], [[1, 2]], ["a"], 3,
                                    [math.nan, 1]])
def test_odd_counts(counts):
    with pytest.raises(sc.ClusteringError, match="whole numbers"):
        sc.corrected_entropy(counts)


# -- proportions ------------------------------------------------------------------------------
@pytest.mark.parametrize(("kept", "n"), [(17, 20), (0, 9), (9, 9), (50, 50), (1, 30)])
def test_proportions_by_sums_of_binomial_terms(kept, n):
    from softclust.comparison.limits import proportion
    assert proportion(kept, n, 0.95) == pytest.approx(naive.proportion_limits(kept, n, 0.95),
                                                      abs=1e-12)


def test_measures_that_are_shares_have_the_limits_of_the_share():
    counts = [[60, 4], [5, 31]]
    low, high = naive.proportion_limits(91, 100, 0.95)
    for name, of in (("coclassification_index", lambda p: p),
                     ("transfer_distance", lambda p: 100 * (1 - p)),
                     ("partition_distance", lambda p: (1 - p) * 100 / 99),
                     ("normalized_accuracy_index", lambda p: 2 * p - 1),
                     ("manhattan_membership_distance", lambda p: 200 * (1 - p)),
                     ("euclidean_membership_index", lambda p: 1 - math.sqrt(1 - p))):
        row = row_of(counts, name)
        assert row.ci.method == "proportion"
        assert (row.ci_low, row.ci_high) == pytest.approx(sorted((of(low), of(high))), abs=1e-9)
        assert row.ci.estimate[0] == pytest.approx(row.value, abs=1e-12)
        slope = abs(of(0.91 + 1e-6) - of(0.91 - 1e-6)) / 2e-6
        assert row.ci.standard_error[0] == pytest.approx(
            slope * math.sqrt(0.91 * 0.09 / 99), rel=1e-6)


def test_shares_have_limits_where_all_objects_agree():
    row = row_of([[30, 0], [0, 20]], "coclassification_index")
    assert (row.ci_low, row.ci_high) == pytest.approx((0.025 ** (1 / 50), 1.0))
    assert row_of([[30, 0], [0, 20]], "purity_index").ci.method == "proportion"
    other = row_of([[30, 0], [0, 20]], "rand_index")
    assert other.ci.method == "none"
    assert "all 50 objects agree; at level 0.95 at least 92.9 % of all objects do" in other.note


def test_near_ties_lower_the_lower_limit():
    counts = [[10, 9, 1], [2, 12, 8], [9, 3, 10]]
    plain = naive.proportion_limits(32, 64, 0.95)
    row = row_of(counts, "coclassification_index")
    assert row.ci.method == "proportion, split halves"
    assert row.ci_low < plain[0]
    assert row.ci_high == pytest.approx(plain[1])
    # deterministic, unless a seed is given
    assert row_of(counts, "coclassification_index").ci_low == row.ci_low
    lows = {row_of(counts, "coclassification_index", rng=seed).ci_low for seed in range(4)}
    assert len(lows) > 1


def test_no_limits_at_the_best_value_of_an_index_that_is_not_corrected():
    """Classes inside clusters: the Wallace index is 1, though the partitions differ."""
    row = sc.compare([0, 1, 2, 2, 2], [0, 0, 2, 2, 2], measures="wallace_index",
                     ci="jackknife").rows[0]
    assert row.value == 1
    assert row.ci.method == "none"
    assert "the value is the best possible one" in row.note


def test_what_is_nearly_tied():
    def tied(*rows):
        cells = [(k, count) for k, row in enumerate(rows) for count in row if count]
        codes, counts = np.array(cells).T
        return best_choice.nearly_tied(codes, counts)

    assert tied([10, 10])
    assert not tied([60, 4], [5, 31])
    assert tied([60, 4], [18, 31])     # 13 < 2 sqrt(49)
    assert not tied([60, 4], [17, 33])   # 16 > 2 sqrt(50)
    assert not tied([5])               # 5 > 2 sqrt(5)
    assert tied([3])
    assert not tied([4])               # 4 = 2 sqrt(4)


def test_near_ties_that_no_choice_uses_do_not_count():
    counts = [[45, 2, 1, 0], [0, 40, 1, 3]]
    low, high = naive.proportion_limits(85, 92, 0.95)
    for table in (counts, np.array(counts).T):
        row = row_of(table, "coclassification_index")
        assert row.ci.method == "proportion"
        assert (row.ci_low, row.ci_high) == pytest.approx((low, high))


def test_near_ties_are_the_same_for_both_orders_of_the_sides():
    rng = np.random.default_rng(0)
    methods = set()
    for _ in range(40):
        counts = rng.multinomial(60, rng.dirichlet([0.3] * 12)).reshape(3, 4)
        one, two = (row_of(table, "coclassification_index") for table in (counts, counts.T))
        assert one.ci.method == two.ci.method
        methods.add(one.ci.method)
    assert len(methods) == 2


def test_what_only_one_object_shows_is_not_chosen():
    """Fifty clusters of one object: the share of the objects that are alike is unknown."""
    row = row_of(np.eye(50, dtype=int), "purity_index")
    assert row.ci.method == "proportion, split halves"
    assert (row.ci_low, row.ci_high) == (0.0, 1.0)


def test_measures_that_depend_on_clusters_that_may_be_unseen():
    for counts in ([[50]], [[49, 0], [0, 1]], [[30, 1], [0, 20], [0, 1]]):
        row = row_of(counts, "normalized_accuracy_index")
        assert row.ci.method == "none"
        assert "may not show all clusters" in row.note
    assert row_of([[40, 2], [3, 20]], "normalized_accuracy_index").ci.method == "proportion"


def test_limits_stay_in_the_range():
    rng = np.random.default_rng(1)
    names = ("normalized_accuracy_index", "partition_distance", "transfer_distance",
             "euclidean_membership_index", "purity_index")
    for _ in range(12):
        counts = rng.multinomial(12, np.full(9, 1 / 9)).reshape(3, 3)
        for row in sc.compare(table_of(counts), measures=names, ci="jackknife"):
            if row.ci.method != "none":
                low, high = row.range
                assert low <= row.ci_low <= row.ci_high, row.name
                assert row.ci_high <= high or callable(sc.get_measure(row.name).bounds), row.name


def test_halves_choose_on_one_half_and_count_on_the_other():
    table = table_of([[10, 9], [3, 12]])
    halves = best_choice.choose_in_halves(table, "rows", np.random.default_rng(0))
    assert halves.size == 17
    assert halves.matched.shape == (20,)
    assert (halves.matched <= halves.size).all()
    assert halves.changed
    whole = table_of([[40, 0], [0, 27]])
    halves = best_choice.choose_in_halves(whole, "matching", np.random.default_rng(0))
    assert (halves.matched == halves.size).all()
    assert not halves.changed


# -- invariance -------------------------------------------------------------------------------
ALL = (*PAIR_COUNTING, *INFORMATION, "coclassification_index", "purity_index",
       "transfer_distance", "symmetric_difference_distance", "rand_distance",
       "adjusted_fowlkes_mallows_index", "katz_powell_index")
SYMMETRIC = [name for name in ALL if name not in ("wallace_index", "purity_index")]


def bounds_of(counts, names=ALL, **options):
    result = sc.compare(table_of(counts), measures=names, ci="jackknife", **options)
    return np.array([(row.ci_low, row.ci_high) for row in result])


@pytest.mark.parametrize("counts", [NOISY, [[10, 9, 1], [2, 12, 8], [9, 3, 10]]])
def test_order_of_clusters_and_objects_and_sides(counts):
    whole = bounds_of(counts)
    turned = np.array(counts)[::-1, [1, 2, 0]]
    np.testing.assert_allclose(bounds_of(turned), whole, atol=1e-12)
    np.testing.assert_allclose(bounds_of(np.array(counts).T, SYMMETRIC),
                               bounds_of(counts, SYMMETRIC), atol=1e-12)
    x, y = table_of(counts).expand()
    order = np.random.default_rng(0).permutation(len(x))
    result = sc.compare(x[order] * 7, sc.HardClustering(y[order], n_clusters=6), measures=ALL,
                        ci="jackknife")
    np.testing.assert_allclose([(row.ci_low, row.ci_high) for row in result], whole, atol=1e-12)


def test_inside_the_range_and_wider_at_higher_levels():
    levels = [0.5, 0.8, 0.9, 0.95, 0.99]
    found = np.array([bounds_of(NOISY, level=level) for level in levels])
    assert (found[..., 0] <= found[..., 1]).all()
    assert (np.diff(found[..., 0], axis=0) <= 1e-12).all()
    assert (np.diff(found[..., 1], axis=0) >= -1e-12).all()
    for row in sc.compare(table_of([[6, 5], [4, 7]]), measures=ALL, ci="jackknife"):
        if row.name not in INFORMATION and row.ci.method != "none":
            assert row.range[0] <= row.ci_low <= row.ci_high <= row.range[1], row.name


def test_one_population_value_has_one_pair_of_limits():
    rows = {row.name: row for row in sc.compare(table_of(NOISY), ci="jackknife", measures=[
        "normalized_mutual_information", "adjusted_mutual_information", "rand_index",
        "alpha_rand_index", "credal_rand_index", "rand_distance", "concordance_index",
        "fuzzy_rand_index", "symmetric_difference_distance", "fuzzy_normalized_mutual_information",
        "partition_distance", "alpha_partition_dissimilarity", "frobenius_rand_index"])}

    def limits(name):
        return rows[name].ci_low, rows[name].ci_high

    assert limits("adjusted_mutual_information") == limits("normalized_mutual_information")
    assert limits("fuzzy_normalized_mutual_information") == limits("normalized_mutual_information")
    for name in ("alpha_rand_index", "credal_rand_index", "concordance_index", "fuzzy_rand_index",
                 "frobenius_rand_index"):
        assert limits(name) == limits("rand_index")
    assert limits("alpha_partition_dissimilarity") == limits("partition_distance")
    low, high = limits("rand_index")
    assert limits("rand_distance") == pytest.approx((1 - high, 1 - low), abs=1e-12)
    pairs = 60 * 59 / 2
    assert limits("symmetric_difference_distance") == pytest.approx(
        (pairs * (1 - high), pairs * (1 - low)), rel=1e-12)


@pytest.mark.parametrize("ci", ["jackknife", "bootstrap"])
def test_the_same_for_any_number_of_threads(ci):
    options = {"ci": ci, **({"rng": 1, "n_resamples": 60} if ci == "bootstrap" else {})}
    counts = [[10, 9, 1], [2, 12, 8], [9, 3, 10]]
    found = []
    try:
        for threads in (1, 4):
            sc.set_num_threads(threads)
            found.append([(row.ci_low, row.ci_high) for row in sc.compare(
                table_of(counts), measures=["rand_index", *INFORMATION, "purity_index"],
                **options)])
    finally:
        sc.set_num_threads(None)
    np.testing.assert_array_equal(*found)


# -- reliability and refusals -----------------------------------------------------------------
def test_few_rare_objects():
    counts = [[40, 2], [1, 30]]
    rand = row_of(counts, "rand_index")
    assert (rand.ci.n_rare, rand.ci.reliable) == (3, False)
    assert "the interval rests on 3 objects outside" in rand.note
    assert rand.ci_low < rand.value < rand.ci_high
    for ci in ("jackknife", "bootstrap"):
        mutual = row_of(counts, "normalized_mutual_information", ci=ci)
        assert mutual.ci.method == "none"
        assert "3 of 73 objects lie outside the main cells" in mutual.note
        assert "information measures need 5" in mutual.note
    assert row_of(NOISY, "rand_index").ci.reliable
    assert row_of(NOISY, "rand_index").note == ""


def drawn(law, n, seed=0):
    law = np.asarray(law, float)
    return np.random.default_rng(seed).multinomial(n, (law / law.sum()).ravel()).reshape(law.shape)


def noise(sizes, share):
    p = np.array(sizes, float) / np.sum(sizes)
    return (1 - share) * np.diag(p) + share * np.outer(p, p)


@pytest.mark.parametrize(("law", "n", "why"), [
    (noise([1] * 200, 0.15), 1000, "per cluster"),
    (noise([1] * 30, 0.5), 1000, "the correction for bias is"),
    (noise([50] + [1] * 50, 0.15), 2000, "the correction for bias is")])
@pytest.mark.parametrize("ci", ["jackknife", "bootstrap"])
def test_information_has_no_limits_where_bias_may_be_left(law, n, why, ci):
    rows = sc.compare(table_of(drawn(law, n)), measures=INFORMATION, ci=ci,
                      **({"n_resamples": 99} if ci == "bootstrap" else {}))
    for row in rows:
        assert row.ci.method == "none"
        assert why in row.note


@pytest.mark.parametrize(("law", "n"), [
    (noise([1] * 10, 1.0), 1000),    # independent, but every cell has objects
    (noise([1] * 10, 0.15), 500), (noise([3, 2, 1], 0.3), 100)])
def test_information_has_limits_where_clusters_and_cells_are_large(law, n):
    for row in sc.compare(table_of(drawn(law, n)), measures=INFORMATION, ci="jackknife"):
        assert row.ci.method == "jackknife, corrected"


@pytest.mark.parametrize(("clusters", "n", "why"), [
    (40, 200, "5.0 per cluster"), (40, 2000, "times its standard error")])
def test_the_element_centric_index_has_no_limits_with_many_clusters(clusters, n, why):
    law = 0.75 * np.eye(clusters) + 0.25 * np.roll(np.eye(clusters), 1, axis=1)
    name = "adjusted_element_centric_index"
    row = row_of(drawn(law, n), name)
    assert row.ci.method == "none"
    assert why in row.note
    assert row_of(drawn(law[:4, :4], n), name).ci.method == "jackknife"
    assert row_of(drawn(law[:4, :4], n), "element_centric_index").ci.method == "none"


@pytest.mark.parametrize("name", ["bcubed_index", "soft_average_mutual_information"])
def test_no_limits_where_the_bias_is_too_large(name):
    row = row_of(drawn(noise([1] * 40, 0.3), 200), name)
    assert row.ci.method == "none"
    assert "times its standard error" in row.note
    counts = drawn(noise([3, 2], 0.2), 1000)
    x, y = naive.labels_of(drawn(noise([3, 2], 0.2), 60))
    few = row_of(drawn(noise([3, 2], 0.2), 60), name)
    assert row_of(counts, name).ci.method == "jackknife"
    oracle = sc.get_measure(name).function
    if few.ci.method == "jackknife" and name == "bcubed_index":
        values = [oracle(*left) for left in without_each(x, y)]
        assert few.ci.standard_error[0] == pytest.approx(naive.jackknife_error(values), rel=1e-9)


def test_katz_powell_is_judged_without_the_diagonal():
    """With many clusters the diagonal is most of the index, and nothing in the population."""
    counts = drawn(noise([1] * 60, 0.2), 300)
    rows = {name: row_of(counts, name) for name in ("katz_powell_index", "fuzzy_gamma_index")}
    one, two = rows.values()
    assert one.ci.estimate == pytest.approx(two.ci.estimate, rel=1e-12)
    assert one.value > one.ci.estimate[0]
    # copies of an object are no pairs
    one, two = (row_of(counts, name, ci="bootstrap", rng=0, n_resamples=60) for name in rows)
    np.testing.assert_allclose(one.ci.replicates, two.ci.replicates, rtol=1e-12)


def test_the_value_may_lie_outside_limits_around_a_corrected_one():
    rng = np.random.default_rng(0)
    x, y = rng.integers(8, size=(2, 150))
    row = sc.compare(x, y, measures="normalized_mutual_information", ci="jackknife").rows[0]
    assert row.value > row.ci_high
    assert row.ci.estimate[0] < row.value
    assert "the value lies outside the interval" in row.note
    assert row.ci_low == 0.0


@pytest.mark.parametrize("name", ["prediction_strength_index", "pair_sets_index",
                                  "larsen_aone_index", "adjusted_asymmetric_accuracy_index",
                                  "matched_kappa_index", "lattice_distance"])
def test_minima_and_maxima_over_classes_have_none(name):
    row = row_of(NOISY, name)
    assert row.ci.method == "none"
    assert "a minimum or maximum over classes" in row.note
    assert not row.ci.reliable


def test_measures_whose_limits_did_not_cover_have_none():
    rng = np.random.default_rng(0)
    u = rng.dirichlet([1] * 3, 30)
    labels = rng.integers(3, size=30)
    rough = sc.RoughClustering.from_upper(rng.random((30, 3)) < 0.4 + np.eye(3)[labels])
    for name, y in (("anderson_rand_index", u), ("anderson_jaccard_index", u),
                    ("rough_purity_index", rough), ("mutual_information_interval", rough)):
        assert sc.compare(labels, y, measures=name, ci="jackknife").rows[0].ci.method == "none"
        hard = sc.compare(labels, labels[::-1], measures=name, ci="jackknife").rows[0]
        assert hard.ci.method != "none", name


def test_van_dongen_where_nothing_is_tied():
    row = row_of([[60, 4], [5, 31]], "van_dongen_distance")
    assert row.ci.method == "jackknife"
    assert row.ci_low < row.value < row.ci_high
    shares = [2 * (99 - 90) / 198] * 91 + [2 * (99 - 91) / 198] * 9
    error = naive.jackknife_error(shares) * 200
    assert row.ci.standard_error[0] == pytest.approx(error, rel=1e-9)
    tied = row_of([[10, 9], [9, 10]], "van_dongen_distance")
    assert tied.ci.method == "none"
    assert "nearly as good" in tied.note


def test_the_two_ends_are_judged_one_by_one():
    x = [[0], [0], [1], [1], [0, 1], [0, 1]] * 5
    y = [0, 0, 1, 1, 0, 1] * 5
    rough = sc.RoughClustering.from_upper([[k in each for k in range(2)] for each in x])
    row = sc.compare(y, rough, measures="alpha_rand_interval", ci="jackknife").rows[0]
    assert row.value.high == 1.0
    assert math.isnan(row.ci.high.low)
    assert math.isnan(row.ci.standard_error[1])
    assert row.ci.low.low < row.value.low < row.ci.low.high
    assert "no confidence interval of the upper end" in row.note


# -- bootstrap --------------------------------------------------------------------------------
def test_information_is_reflected_at_the_value():
    name = "normalized_mutual_information"
    row = row_of(NOISY, name, ci="bootstrap", rng=0, n_resamples=99, level=0.9)
    assert row.ci.method == "bootstrap, reflected"
    far, others = 1 - row.value, 1 - row.ci.replicates[:, 0]
    others = np.maximum(others, far / 16)
    low, high = np.quantile(others, [0.05, 0.95])
    assert (row.ci_low, row.ci_high) == pytest.approx((1 - far**2 / low, 1 - far**2 / high))
    assert row.ci.estimate == (row.value, row.value)
    assert row_of(NOISY, "rand_index", ci="bootstrap", rng=0).ci.method == "bootstrap"


def test_product_forms_of_resamples_count_no_copies():
    from softclust.running.random_numbers import Streams
    rng = np.random.default_rng(3)
    u, v = rng.dirichlet([1] * 3, 12), rng.dirichlet([1] * 2, 12)
    row = sc.compare(u, v, measures="fuzzy_rand_index", ci="bootstrap", n_resamples=40,
                     rng=5).rows[0]
    assert row.ci.method == "bootstrap"
    for b in (0, 17):
        drawn = Streams(5).generator(b).integers(12, size=12)
        agree = pairs = 0.0
        for i, j in product(range(12), repeat=2):
            a, c = drawn[i], drawn[j]
            if a == c:
                continue
            one, two = u[a] @ u[c], v[a] @ v[c]
            agree += one * two + (1 - one) * (1 - two)
            pairs += 1
        assert row.ci.replicates[b, 0] == pytest.approx(agree / pairs, abs=1e-12)


# -- soft clusterings -------------------------------------------------------------------------
def test_sampled_objects_where_pairs_are_too_many(monkeypatch):
    from softclust.measures import resamples as draws
    rng = np.random.default_rng(0)
    u = rng.dirichlet([1] * 3, 400)
    v = 0.8 * u + 0.2 * rng.dirichlet([1] * 3, 400)
    for name in ("concordance_index", "alpha_rand_index"):
        whole = sc.compare(u, v, measures=name, ci="jackknife").rows[0]
        with monkeypatch.context() as m:
            m.setattr(draws, "MOST_PAIRS", 40_000)
            m.setattr(draws, "FEWEST_SAMPLED", 50)
            part = sc.compare(u, v, measures=name, ci="jackknife").rows[0]
        assert part.ci.method == "jackknife, sampled pairs"
        # 100 of 400 objects: an error of the error of 1 / sqrt(200), twice that is allowed
        assert part.ci.standard_error[0] == pytest.approx(whole.ci.standard_error[0], rel=0.15)


@pytest.mark.parametrize("name", [
    "manhattan_membership_index", "coclassification_index", "matched_cosine_index",
    "alpha_partition_dissimilarity"])
def test_a_matching_that_halves_change_has_no_limits(name):
    rng = np.random.default_rng(0)
    u, v = rng.dirichlet([0.7] * 5, (2, 60))
    row = sc.compare(u, v, measures=name, ci="jackknife").rows[0]
    assert row.ci.method == "none"
    assert "random halves choose it" in row.note
    row = sc.compare(u, 0.9 * u + 0.1 * v, measures=name, ci="jackknife").rows[0]
    assert row.ci.method == "jackknife"


def test_fuzzy_information_of_many_sharp_clusters_has_no_limits():
    rng = np.random.default_rng(0)
    u = 0.1 * rng.dirichlet([1] * 10, 50) + 0.9 * np.eye(10)[rng.integers(10, size=50)]
    v = 0.8 * u + 0.2 * rng.dirichlet([0.2] * 10, 50)
    row = sc.compare(u, v, measures="fuzzy_variation_of_information", ci="jackknife").rows[0]
    assert row.ci.method == "none"
    assert "times its standard error" in row.note


def test_the_matching_is_held_fixed():
    rng = np.random.default_rng(1)
    u = rng.dirichlet([0.5] * 3, 40)
    v = 0.7 * u[:, [2, 0, 1]] + 0.3 * rng.dirichlet([1] * 3, 40)
    row = sc.compare(u, v, measures="manhattan_membership_index", ci="jackknife").rows[0]
    gaps = np.abs(u[:, [2, 0, 1]] - v).sum(axis=1)
    values = [1 - (gaps.sum() - gap) / (2 * 39) for gap in gaps]
    assert row.value == pytest.approx(1 - gaps.sum() / 80)
    assert row.ci.standard_error[0] == pytest.approx(naive.jackknife_error(values), rel=1e-9)


@pytest.mark.parametrize(("name", "degree"), [
    ("manhattan_membership_distance", 1), ("euclidean_membership_distance", 0.5),
    ("gordon_vichi_dissimilarity", 0.5), ("comembership_dissimilarity", 1),
    ("mallows_distance", 1)])
def test_measures_that_grow_with_the_objects_are_those_of_n_objects(name, degree):
    rng = np.random.default_rng(4)
    u = rng.dirichlet([0.5] * 3, 12)
    v = 0.8 * u + 0.2 * rng.dirichlet([1] * 3, 12)
    function = getattr(sc, name)
    left = [function(np.delete(u, i, axis=0), np.delete(v, i, axis=0))
            * (12 / 11) ** degree for i in range(12)]
    row = sc.compare(u, v, measures=name, ci="jackknife").rows[0]
    assert row.ci.standard_error[0] == pytest.approx(naive.jackknife_error(left), rel=1e-9)
