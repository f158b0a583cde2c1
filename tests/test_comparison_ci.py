"""Confidence limits of compare(): leaving out objects, resampling them, coverage, odd input."""

import math
import warnings
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from itertools import combinations

import naive
import numpy as np
import pytest

import softclust as sc
from softclust.comparison import limits
from softclust.measures import limit_rules
from softclust.measures._registry import registry
from softclust.measures.limit_rules import NoLimits
from softclust.measures.resamples import Draws
from softclust.running.random_numbers import Streams
from softclust.soft_pairs import pair_rows as resampled_pairs
from softclust.soft_pairs.pair_rows import pair_rows
from softclust.soft_pairs.pair_sums import PairSums
from softclust.tables.contingency import Contingency
from softclust.tables.pair_counts import PairCounts

N = 9


def sides(kind, seed, n=N, c=3):
    """A clustering of each kind with empty clusters, equal rows and ambiguity."""
    rng = np.random.default_rng(seed)
    if kind == "hard":
        return sc.HardClustering(rng.permutation(np.arange(n) % c), n_clusters=c + 1)
    if kind == "rough":
        upper = rng.random((n, c)) < 0.5
        upper[np.arange(n), rng.integers(0, c, n)] = True
        return sc.RoughClustering.from_upper(upper)
    if kind == "fuzzy":
        return sc.FuzzyClustering(rng.dirichlet([0.5] * c, n))
    if kind == "possibilistic":
        typicality = rng.random((n, c))
        typicality[::2] /= typicality[::2].max(axis=1, keepdims=True)
        return sc.PossibilisticClustering(typicality)
    focal = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [1, 1, 1]]
    return sc.EvidentialClustering(rng.dirichlet([0.5] * 6, n), focal)


KINDS = ("hard", "rough", "fuzzy", "possibilistic", "evidential")
KIND_PAIRS = [*combinations(KINDS, 2), *((k, k) for k in KINDS), ("fuzzy", "hard"),
              ("evidential", "rough")]


def ends(value):
    return (value.low, value.high) if isinstance(value, sc.Interval) else (value, value)


def shown(m, joint):
    """A measure as compare() lists it; nan where it raises or is undefined."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = m.function(joint, **m.compare_options)
    return m.shown(result) if m.shown else result


def cheap(x, y):
    """Names of the measures that compare() lists for x and y whatever they are."""
    return [m.name for m in registry().values() if m.arity == 2 and m.in_compare is True
            and m.listed_for == "all" and m.takes(x.kind, y.kind)]


def limited(x, y):
    """Names of all measures that may have limits for x and y, asked for or not."""
    names = [m.name for m in registry().values()
             if m.arity == 2 and m.takes(x.kind, y.kind) and not m.no_limits]
    if any(z.kind in ("possibilistic", "evidential") for z in (x, y)):
        names.remove("adjusted_alpha_rand_index")   # mass on the empty set: no exact expectation
    return names


#: their matching is held fixed, which leaving out objects literally does not
FIXED = ("euclidean_membership_distance", "euclidean_membership_index",
         "manhattan_membership_distance", "manhattan_membership_index", "matched_cosine_index",
         "coclassification_index", "gordon_vichi_dissimilarity")

#: these grow as the number of objects
GROWING = ("comembership_dissimilarity", "mallows_distance")


@pytest.mark.parametrize(("one", "two"), [p for p in KIND_PAIRS if p != ("hard", "hard")])
def test_the_jackknife_leaves_out_each_object_literally(one, two, monkeypatch):
    """Every measure that can have limits, against the measure of the other objects."""
    monkeypatch.setattr(limits, "MOST_OTHER_BIAS", math.inf)
    monkeypatch.setattr(limit_rules, "matching_changes", lambda *arguments: False)
    x, y = sides(one, 1), sides(two, 2)
    result = sc.compare(x, y, measures=limited(x, y), ci="jackknife")
    assert result.ci == "jackknife"
    others = [np.delete(np.arange(N), i) for i in range(N)]
    joints = [sc.Joint(x.subset(kept), y.subset(kept)) for kept in others]
    for row in result:
        m = sc.get_measure(row.name)
        if row.name in FIXED:
            continue
        values = np.array([ends(shown(m, joint)) for joint in joints])
        values *= N / (N - 1) if row.name in GROWING else 1.0
        if row.ci.method == "none":
            undefined = np.isnan(row.low) or np.isnan(values).any()
            refused = isinstance(m.limit_rule(sc.Joint(x, y)), NoLimits)
            assert undefined or refused or np.ptp(values, axis=0).max() < 1e-9
            continue
        for k, (end, found) in enumerate(zip(ends(row.value), (row.ci.low, row.ci.high))):
            if np.ptp(values[:, k]) < 1e-12:
                assert math.isnan(found.low), "an end that never varies has no limits"
                assert math.isnan(row.ci.standard_error[k])
                assert f"no confidence interval of the {('lower', 'upper')[k]} end" in row.ci.note
                continue
            error = naive.jackknife_error(values[:, k].tolist())
            # sums of some hundred terms, total less a part against the rest alone
            np.testing.assert_allclose(row.ci.standard_error[k], error, atol=1e-10,
                                       err_msg=row.name)
            low, high = row.range
            best = high if row.sense == "agreement" else low
            expected = naive.log_limits(
                end, error, n=N, level=0.95, best=best if math.isfinite(best) else None,
                larger=row.sense == "agreement",
                bounds=(low, math.inf if callable(m.bounds) else high))
            np.testing.assert_allclose((found.low, found.high), expected, atol=1e-9,
                                       err_msg=row.name)


def alone(x, y, i):
    """The Joint of all objects but i."""
    kept = np.delete(np.arange(x.n_objects), i)
    return sc.Joint(x.subset(kept), y.subset(kept))


def replicate_of_object(joint, found):
    """Which replicate leaves out each object: objects of one cell are alike."""
    n = joint.n_objects
    if found.times.size == n and not joint.both_hard:
        return list(range(n))
    table = joint.statistic(Contingency)
    cells = list(zip(table.rows.tolist(), table.cols.tolist()))
    return [cells.index(cell) for cell in zip(joint.x.codes.tolist(), joint.y.codes.tolist())]


PAIR_MEASURES = ("alpha_rand_index", "alpha_rand_interval", "credal_rand_index",
                 "alpha_partition_dissimilarity", "alpha_partition_interval")


@pytest.mark.parametrize(("one", "two"), KIND_PAIRS)
def test_leave_one_out_values_themselves(one, two):
    x, y = sides(one, 3), sides(two, 4)
    joint = sc.Joint(x, y)
    for name in PAIR_MEASURES:
        m = sc.get_measure(name)
        found = joint.without_each(m.statistic)
        assert found.times.sum() == N
        values = m.replicated(found, {})
        for i, b in enumerate(replicate_of_object(joint, found)):
            expected = ends(m.function(alone(x, y, i)))
            np.testing.assert_allclose(values[b], expected, atol=1e-11, err_msg=f"{name} {i}")


@pytest.mark.parametrize("name", ["anderson_rand_index", "anderson_adjusted_rand_index",
                                  "anderson_jaccard_index"])
def test_products_of_memberships_without_each_object(name):
    """Only of two hard clusterings: those of others have no limits."""
    joint, m = sc.Joint(sides("hard", 3), sides("hard", 4)), sc.get_measure(name)
    found = joint.without_each(m.statistic)
    values = m.replicated(found, {})[:, 0]
    for i, b in enumerate(replicate_of_object(joint, found)):
        assert values[b] == pytest.approx(m.function(alone(joint.x, joint.y, i)), abs=1e-13)
    assert sc.Joint(sides("hard", 3), sides("fuzzy", 4)).without_each(m.statistic) is None
    assert m.limits(sc.Joint(sides("hard", 3), sides("fuzzy", 4))).reason.startswith("its value")


def plain_draws(count, n=N, seed=5):
    """Resamples formed here, in one piece."""
    return Draws(n_objects=n, count=count, seeds=Streams(seed),
                 run=lambda work, stop, what: [work(0, stop)])


def drawn(b, n=N, seed=5):
    """The objects of resample b, drawn as numpy draws them."""
    return Streams(seed).generator(b).integers(n, size=n)


def replicated(joint, name, draws, **options):
    m = sc.get_measure(name)
    given = m.options_of("statistic", options)
    given.pop("progress", None)
    return m.replicated(joint.redrawn(m.statistic, draws, **given), options)


@pytest.mark.parametrize(("one", "two"), KIND_PAIRS)
def test_bootstrap_replicates_count_distinct_objects_alone(one, two):
    """Against a loop over drawn positions that skips pairs of copies of one object."""
    x, y = sides(one, 5), sides(two, 6)
    joint, draws = sc.Joint(x, y), plain_draws(12)
    sums = joint.redrawn(PairSums, draws).statistic
    alphas = (0.0, 0.5, 1.0)
    values = [replicated(joint, "alpha_rand_index", draws, alpha=a)[:, 0] for a in alphas]
    distances = replicated(joint, "alpha_partition_dissimilarity", draws)[:, 0]
    apart = np.zeros((N, N, 3))
    for u, v in combinations(range(N), 2):
        pair = sc.Joint(x.subset([u, v]), y.subset([u, v]))
        apart[u, v] = apart[v, u] = [1 - sc.alpha_rand_index(pair, alpha=a) for a in alphas]
    for b in range(12):
        totals, pairs = np.zeros(3), 0
        for u, v in combinations(drawn(b).tolist(), 2):
            if u == v:
                continue   # two copies of one object are no pair
            pairs += 1
            totals += apart[u, v]
        assert sums.n_pairs[b] == pairs
        assert np.ravel(sums.n_objects)[0] == N
        found = [sums.r0[b], sums.half[b], sums.r1[b]]
        if one == two == "hard":
            np.testing.assert_array_equal(found, totals)
        np.testing.assert_allclose(found, totals, atol=1e-12)
        np.testing.assert_allclose([v[b] for v in values], 1 - totals / pairs, atol=1e-12)
        copies = np.sort(drawn(b))
        distance = sc.alpha_partition_dissimilarity(x.subset(copies), y.subset(copies))
        assert distances[b] == pytest.approx(distance, abs=1e-12)


def test_bootstrap_of_hard_pairs_by_the_definition():
    x, y = sides("hard", 5), sides("hard", 6)
    joint, draws = sc.Joint(x, y), plain_draws(20)
    counts = joint.redrawn(PairCounts, draws).statistic
    names = ("partition_distance", "mutual_information", "variation_of_information",
             "normalized_mutual_information", "adjusted_mutual_information")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        values = {name: replicated(joint, name, draws) for name in names}
    for b in range(20):
        n11 = n10 = n01 = n00 = 0
        for u, v in combinations(drawn(b).tolist(), 2):
            if u == v:
                continue
            in_x, in_y = x.labels[u] == x.labels[v], y.labels[u] == y.labels[v]
            n11 += in_x and in_y
            n10 += in_x and not in_y
            n01 += in_y and not in_x
            n00 += not (in_x or in_y)
        assert (counts.n11[b], counts.n10[b], counts.n01[b], counts.n00[b]) == (n11, n10, n01, n00)
        # a mean over objects: copies are objects
        copies = np.sort(drawn(b))
        for name in names:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                expected = sc.get_measure(name).function(x.subset(copies), y.subset(copies))
            assert values[name][b, 0] == pytest.approx(expected, abs=1e-12, nan_ok=True), name


def test_plain_resampling_would_add_spurious_pairs():
    """Copies would agree with themselves: n(n-1)/2 / n pairs on average."""
    joint = sc.Joint(sides("hard", 1, n=60), sides("hard", 2, n=60))
    pairs = joint.redrawn(PairCounts, plain_draws(200, n=60)).statistic.n_pairs
    spurious = 60 * 59 / 2 - np.mean(pairs)
    assert spurious == pytest.approx(59 / 2, rel=0.1)   # its standard deviation is 5.4 / sqrt(200)


def test_percentile_limits_and_replicates():
    x, y = sides("hard", 1, n=40), sides("hard", 2, n=40)
    row = sc.compare(x, y, measures="rand_index", ci="bootstrap", n_resamples=99, level=0.9,
                     rng=3).rows[0]
    values = row.ci.replicates[:, 0]
    assert values.shape == (99,)
    assert (row.ci_low, row.ci_high) == tuple(np.quantile(values, [0.05, 0.95]))
    assert row.ci.standard_error[0] == pytest.approx(values.std(ddof=1), rel=1e-12)
    assert (row.ci.method, row.ci.n_resamples, row.ci.level) == ("bootstrap", 99, 0.9)
    assert row.ci.low == row.ci.high


def test_the_first_order_form_is_close_and_says_so(monkeypatch):
    x, y = sides("fuzzy", 1, n=120), sides("evidential", 2, n=120)
    exact = sc.compare(x, y, measures=["alpha_rand_index"], ci="bootstrap", rng=1,
                       n_resamples=200).rows[0]
    monkeypatch.setattr(resampled_pairs, "FORMS_AT_MOST", 0.0)
    close = sc.compare(x, y, measures=["alpha_rand_index"], ci="bootstrap", rng=1,
                       n_resamples=200).rows[0]
    assert exact.ci.method == "bootstrap"
    assert exact.note == ""
    assert close.ci.method == "bootstrap, first order"
    assert "first-order form" in close.note
    width = exact.ci_high - exact.ci_low
    # the second-order part is smaller by sqrt(n)
    assert abs(close.ci_low - exact.ci_low) < 0.15 * width
    assert abs(close.ci_high - exact.ci_high) < 0.15 * width


def test_logical_rows_equal_the_sums_pair_by_pair():
    for one in ("hard", "rough"):
        for two in KINDS:
            x, y = sides(one, 7, n=30), sides(two, 8, n=30)
            rows = resampled_pairs.logical_rows(x.mass_table(), y.mass_table())
            plain = pair_rows(*resampled_pairs.feature_sides(x, y), np.ones(30), every=True)
            np.testing.assert_allclose(rows, plain, atol=1e-11)
            sums = sc.Joint(x, y).statistic(PairSums)
            np.testing.assert_allclose(rows.sum(axis=0) / 2,
                                       [sums.r0, sums.half, sums.r1, sums.belief], atol=1e-10)


@pytest.mark.parametrize(("one", "two"), [("hard", "hard"), ("hard", "fuzzy"), ("fuzzy", "rough"),
                                          ("fuzzy", "evidential")])
def test_the_same_bits_for_any_threads_and_workers(one, two, monkeypatch):
    monkeypatch.setattr(limits, "MOST_OTHER_BIAS", math.inf)
    monkeypatch.setattr(limit_rules, "matching_changes", lambda *arguments: False)
    x, y = sides(one, 1, n=70), sides(two, 2, n=70)

    def replicates(**options):
        # of two hard clusterings the latter has limits of a proportion
        named = ["alpha_rand_interval", "alpha_partition_interval"][:1 if one == two else 2]
        result = sc.compare(x, y, measures=named, ci="bootstrap", n_resamples=60, rng=11, **options)
        return np.column_stack([row.ci.replicates for row in result])

    sc.set_num_threads(1)
    try:
        first = replicates()
        sc.set_num_threads(8)
        np.testing.assert_array_equal(first, replicates())
    finally:
        sc.set_num_threads(None)
    with ThreadPoolExecutor(3) as pool:
        np.testing.assert_array_equal(first, replicates(executor=pool))


@pytest.mark.slow
def test_processes_give_the_same_bits():
    x, y = sides("hard", 1, n=70), sides("fuzzy", 2, n=70)
    options = {"measures": "alpha_rand_index", "ci": "bootstrap", "n_resamples": 40, "rng": 2}
    import multiprocessing
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        far = sc.compare(x, y, executor=pool, **options)
    near = sc.compare(x, y, **options)
    np.testing.assert_array_equal(far.rows[0].ci.replicates, near.rows[0].ci.replicates)


def test_the_same_seed_draws_the_same_limits_whatever_else_is_asked():
    x, y = sides("fuzzy", 1, n=40), sides("rough", 2, n=40)
    alone = sc.compare(x, y, measures="alpha_rand_index", ci="bootstrap", n_resamples=50, rng=4)
    among = sc.compare(x, y, measures=cheap(x, y), ci="bootstrap", n_resamples=50, rng=4)
    assert alone.rows[0].ci_low == next(
        row.ci_low for row in among if row.name == "alpha_rand_index")


def test_coverage_of_the_rand_index_of_noisy_labels():
    """Two copies of a truth with independent label noise: the mean over samples is the target."""
    rng = np.random.default_rng(0)
    n, samples = 200, 300

    def noisy(truth, share):
        wrong = rng.random(n) < share
        return np.where(wrong, rng.integers(0, 3, n), truth)

    found = []
    for _ in range(samples):
        truth = rng.integers(0, 3, n)
        row = sc.compare(noisy(truth, 0.2), noisy(truth, 0.3), measures="rand_index",
                         ci="jackknife").rows[0]
        found.append((row.value, row.ci_low, row.ci_high))
    value, low, high = np.array(found).T
    # given distinct objects the Rand index is unbiased: its mean over many samples is the target
    target = value.mean()
    coverage = ((low <= target) & (target <= high)).mean()
    # 95 % of 300 has standard deviation 1.3 %
    assert 0.90 <= coverage <= 0.98
