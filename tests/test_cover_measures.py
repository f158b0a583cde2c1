"""Measures of covers: stored values, definitions with loops, claims on all small covers."""

import itertools
import json
import math
from functools import cache
from pathlib import Path

import naive
import numpy as np
import pytest
import scipy.stats
from strategies import all_covers, random_clustering

import softclust as sc
from softclust.comparison import limits
from softclust.covers import cover_overlaps as covers
from softclust.covers import walks as elements

STORED = json.loads((Path(__file__).parent / "golden" / "covers.json").read_text())
# The stored values have nan for an empty response. F is 0 there: a mean over documents is a number.
for record in STORED["cases"]:
    if record["id"] == "bcubed_index(nothing.x,nothing.y,part=f1)":
        record["expected"] = 0.0
    if record["id"] == "checksum(bcubed_index,{'covers': 3, 'clusters': 3},part=f1)":
        record["expected"]["undefined"] = 0   # 126 before; zeros do not change the sum
MEASURES = ("omega_index", "cover_rand_index", "overlapping_normalized_mutual_information",
            "best_match_index", "bcubed_index", "element_centric_index",
            "adjusted_element_centric_index")


def given(name):
    stored = STORED["inputs"][name]
    if stored["kind"] == "cover":
        return sc.CoverClustering.from_clusters(stored["clusters"], n_objects=stored["n"])
    if stored["kind"] == "fuzzy":
        return sc.FuzzyClustering(stored["membership"])
    return sc.HardClustering(stored["labels"])


def same(value, case):
    wanted = case["expected"]
    if wanted is None:
        return math.isnan(value)
    return np.allclose(value, wanted, rtol=0, atol=case["abs_tol"])


@pytest.mark.filterwarnings("ignore::softclust.UndefinedMeasureWarning")
@pytest.mark.parametrize("case", [c for c in STORED["cases"] if c["function"] in MEASURES],
                         ids=lambda c: c["id"])
def test_stored_values(case):
    value = getattr(sc, case["function"])(*map(given, case["args"]), **case["kwargs"])
    assert same(value, case), value


@pytest.mark.parametrize("case", [c for c in STORED["cases"] if c["function"] == "element_centric"],
                         ids=lambda c: c["id"])
def test_stored_similarities_of_objects(case):
    found = sc.element_centric(*map(given, case["args"]), **case["kwargs"])
    wanted = case["expected"]
    for name, value in (wanted.items() if isinstance(wanted, dict) else [("values", wanted)]):
        assert getattr(found, name) == pytest.approx(value, abs=case["abs_tol"], nan_ok=True)


# -- definitions -----------------------------------------------------------------------------------
OPTIONS = {
    "cover_rand_index": [{}], "omega_index": [{}],
    "overlapping_normalized_mutual_information": [{"average": a}
                                                  for a in ("max", "arithmetic", "lfk")],
    "best_match_index": [{"overlap": o, "weights": w, "side": s} for o in ("f1", "jaccard")
                         for w in ("equal", "size") for s in ("both", "x", "y")],
    "bcubed_index": [{"part": p} for p in ("f1", "precision", "recall")],
    "element_centric_index": [{"damping": d} for d in (0.3, 0.9)],
}


def rows_of(x):
    if x.kind == "fuzzy":
        return x.membership.tolist()
    cover = x.to_cover() if x.kind == "hard" else x
    return cover.membership.toarray().astype(int).tolist()


def hostile(rng, n):
    """A random cover with equal, empty and universal clusters and objects in none."""
    c = int(rng.integers(0, 7))
    rows = rng.random((n, c)) < rng.random() * 0.7
    if c > 2:
        rows[:, 0] = rows[:, 1]
        rows[:, rng.integers(c)] = rng.random() < 0.5
    if rng.random() < 0.5:
        rows[rng.integers(n)] = False
    if not c:
        return sc.CoverClustering.from_clusters([], n_objects=n)
    return sc.CoverClustering(rows)


def pairs_of(seed, count=25, n_max=20):
    rng = np.random.default_rng(seed)
    for _ in range(count):
        n = int(rng.integers(2, n_max))
        yield hostile(rng, n), (hostile(rng, n) if rng.random() < 0.7 else
                                sc.HardClustering(rng.integers(0, 3, n)))


@pytest.mark.filterwarnings("ignore::softclust.UndefinedMeasureWarning")
@pytest.mark.parametrize("name", OPTIONS)
def test_definitions(name):
    for x, y in pairs_of(len(name)):
        for options in OPTIONS[name]:
            for u, v in ((x, y), (y, x), (x, x)):
                assert getattr(sc, name)(u, v, **options) == pytest.approx(
                    getattr(naive, name)(rows_of(u), rows_of(v), **options), abs=1e-10,
                    nan_ok=True), (options, rows_of(u), rows_of(v))


@pytest.mark.filterwarnings("ignore::softclust.UndefinedMeasureWarning")
def test_purity_of_covers_counts_what_is_in_a_cluster():
    for x, y in pairs_of(7):
        assert sc.purity_index(x, y) == pytest.approx(
            naive.purity_of_covers(rows_of(x), rows_of(y)), abs=1e-12, nan_ok=True)
    found, truth = of([0, 1, 2, 3], [4, 5], n=10), of([0, 1], [2, 3, 4], n=10)   # 6 to 9: silence
    assert sc.purity_index(found, truth) == 0.5


@pytest.mark.filterwarnings("ignore::softclust.UndefinedMeasureWarning")
@pytest.mark.parametrize("name", ["cover_rand_index", "omega_index", "bcubed_index"])
def test_distinct_rows_and_members_agree(name, monkeypatch):
    for x, y in pairs_of(7, count=10):
        wanted = getattr(sc, name)(x, y)
        with monkeypatch.context() as patch:
            patch.setattr(covers, "_FEW", -1)
            assert getattr(sc, name)(x, y) == pytest.approx(wanted, abs=1e-14, nan_ok=True)


@pytest.mark.parametrize("name", ["omega_index", "bcubed_index"])
def test_pairs_that_hundreds_of_clusters_hold(name):
    rng = np.random.default_rng(6)
    x, y = (sc.CoverClustering(rng.random((6, 400)) < share) for share in (0.97, 0.9))
    assert getattr(sc, name)(x, y) == pytest.approx(
        getattr(naive, name)(rows_of(x), rows_of(y)), abs=1e-12)


def test_fuzzy_rows():
    rng = np.random.default_rng(5)
    for _ in range(10):
        x, y = (random_clustering(rng, "fuzzy", 9, 3) for _ in range(2))
        hard = sc.HardClustering(rng.integers(0, 3, 9))
        for u, v in ((x, y), (x, hard), (hard, hostile(rng, 9)), (x, hostile(rng, 9))):
            found = sc.element_centric(u, v)
            np.testing.assert_allclose(
                found.values, naive.element_similarities(rows_of(u), rows_of(v)), atol=1e-12)


# -- chance ----------------------------------------------------------------------------------------
@pytest.mark.filterwarnings("ignore::softclust.UndefinedMeasureWarning")
def test_expectations_are_means_over_all_orders():
    rng = np.random.default_rng(8)
    for n in (3, 4, 5):
        for _ in range(4 if n < 5 else 1):
            kinds = [hostile(rng, n), random_clustering(rng, "fuzzy", n, 2),
                     sc.HardClustering(rng.integers(0, 3, n)), hostile(rng, n)]
            for x, y in itertools.combinations(kinds, 2):
                assert sc.adjusted_element_centric_index(x, y) == pytest.approx(
                    naive.adjusted_element_centric_index(rows_of(x), rows_of(y)), abs=1e-10,
                    nan_ok=True)
            x, y = kinds[0], kinds[3]
            orders = list(itertools.permutations(range(n)))
            mean = np.mean([sc.cover_rand_index(x, y.subset(o)) for o in orders])
            assert sc.get_measure("cover_rand_index").chance(sc.Joint(x, y)) == pytest.approx(mean)
            omegas = [sc.omega_index(x, y.subset(o)) for o in orders]
            if not np.isnan(omegas).any() and np.ptp(omegas) > 1e-12:
                assert np.mean(omegas) == pytest.approx(0.0, abs=1e-12)


def test_too_many_numbers_to_sort_raise():
    x = sc.FuzzyClustering(np.random.default_rng(0).dirichlet([1, 1], 10))
    with pytest.raises(sc.ClusteringError, match=r"sorts 100 numbers of x .*max_pairs is 50"):
        sc.adjusted_element_centric_index(x, x.subset(range(9, -1, -1)), max_pairs=50)


# -- all small covers ------------------------------------------------------------------------------
@cache
def small_joints():
    """All pairs of covers of three objects with up to three clusters: measures share what they
    compute of a cover."""
    covers = all_covers(3, 3)
    return [[sc.Joint(x, y) for y in covers] for x in covers]


@cache
def all_values(name, *options):
    """Values of all pairs of covers of three objects with up to three clusters."""
    return np.array([[getattr(sc, name)(joint, **dict(options)) for joint in row]
                     for row in small_joints()])


@pytest.mark.filterwarnings("ignore::softclust.UndefinedMeasureWarning")
@pytest.mark.parametrize("case", [
    pytest.param(c, marks=[pytest.mark.slow] * ("mutual" in c["id"]), id=c["id"])   # 3 s each
    for c in STORED["cases"] if c["function"] == "checksum"])
def test_checksums_over_all_covers_of_three_objects(case):
    name, _ = case["args"]
    values = all_values(name, *case["kwargs"].items())
    wanted = case["expected"]
    assert (values.size, int(np.isnan(values).sum())) == (wanted["pairs"], wanted["undefined"])
    assert np.nansum(values) == pytest.approx(wanted["sum"], abs=case["abs_tol"])


def of(*clusters, n):
    return sc.CoverClustering.from_clusters(clusters, n_objects=n)


@pytest.mark.parametrize("n_clusters", [255, 256])
def test_pairs_in_very_many_clusters(n_clusters):
    """Counts of pairs in dense covers are of one byte, up to 255."""
    x, y = of(*[[0, 1]] * n_clusters, [2], n=3), of([0, 2], [1], n=3)
    assert sc.cover_rand_index(x, y) == pytest.approx(1 / 3)
    assert sc.omega_index(x, y) == pytest.approx(
        naive.omega_index(*(z.membership.toarray().tolist() for z in (x, y))))


@pytest.mark.filterwarnings("ignore::softclust.UndefinedMeasureWarning")
def test_claims_by_hand():
    # The least omega, and covers that differ where it is 1.
    assert sc.omega_index(of([0, 1, 2], n=4), of([0, 3], [1, 3], [2, 3], n=4)) == -1.0
    six = list(itertools.combinations(range(4), 2))
    assert sc.omega_index(of(*six, [0, 1], n=4), of([0, 1, 2, 3], [0, 1], n=4)) == 1.0
    assert math.isnan(sc.omega_index(of([0, 1, 2], n=3), of([0, 1], [0, 2], [1, 2], n=3)))
    # Tied clusters count as related; clusters of all objects are seen with "lfk" alone.
    onmi = sc.overlapping_normalized_mutual_information
    assert onmi(of([0, 1], [0, 1, 2, 3], n=4), of([0, 1], n=4)) == 1.0
    assert onmi(of([0, 1], [0, 1, 2, 3], n=4), of([0, 1, 2, 3], [1, 0], n=4), average="lfk") == 1.0
    assert onmi([0, 0, 1, 1], [0, 0, 1, 2], average="lfk") == pytest.approx(0.622, abs=1e-3)
    # The triangle breaks, by .137.
    a, b, c = of([0], [0, 2], n=3), of([0], [0, 1], n=3), of([1], [0, 1], n=3)
    gaps = [1 - onmi(u, v) for u, v in ((a, b), (b, c), (a, c))]
    assert gaps[2] - gaps[0] - gaps[1] == pytest.approx(0.137, abs=1e-3)
    a, b, c = of([0], n=2), of([0], [0, 1], n=2), of([1], n=2)
    gaps = [1 - sc.best_match_index(u, v) for u, v in ((a, b), (b, c), (a, c))]
    assert gaps[2] > gaps[0] + gaps[1]
    # BCubed and walks do not separate covers.
    singles = of([0], [1], [2], [0, 1, 2], n=3)
    assert sc.bcubed_index(singles, of([0, 1], [0, 2], [1, 2], n=3)) == 1.0
    walks = of([0, 1], [0, 2], [1, 2], [0], [1], [2], n=3)
    assert sc.element_centric_index(singles, walks) == pytest.approx(1.0, abs=1e-14)
    assert sc.element_centric_index(of([0], n=2), of([0], [1], n=2)) == 1.0
    # Every object alone against all together.
    assert sc.element_centric_index([0] * 5, range(5)) == pytest.approx(1 / 5)


def test_partitions_have_closed_forms():
    rng = np.random.default_rng(3)
    for _ in range(10):
        x, y = rng.integers(0, 4, (2, 15))
        for d in (0.0, 0.5, 0.99):
            assert sc.element_centric_index(x, y, damping=d) == pytest.approx(
                naive.element_centric_index(rows_of(sc.HardClustering(x)),
                                            rows_of(sc.HardClustering(y)), d or 1e-6), abs=1e-6)
        assert sc.element_centric_index(x, y) <= min(
            sc.bcubed_index(x, y, part=p) for p in ("precision", "recall")) + 1e-12
        covers = [sc.HardClustering(z).to_cover() for z in (x, y)]
        for name in (*OPTIONS, "adjusted_element_centric_index"):
            function = getattr(sc, name)
            assert function(*covers) == pytest.approx(function(x, y), abs=1e-12)
        assert sc.adjusted_element_centric_index(x, y) == pytest.approx(
            sc.adjusted_element_centric_index(sc.FuzzyClustering(np.eye(4)[x]), y), abs=1e-12)


@pytest.mark.parametrize("name", ["cover_rand_index", "element_centric_index"])
def test_triangle_on_all_covers_of_three_objects(name):
    d = 1 - all_values(name)
    assert (d[:, None, :] <= d[:, :, None] + d[None] + 1e-12).all()
    assert np.abs(d - d.T).max() < 1e-12


def test_large_components_are_solved_sparse(monkeypatch):
    x, y = hostile(np.random.default_rng(1), 30), hostile(np.random.default_rng(2), 30)
    wanted = sc.element_centric(x, y).values
    monkeypatch.setattr(elements, "MOST_DENSE", 1)
    np.testing.assert_allclose(sc.element_centric(x, y).values, wanted, atol=1e-12)


# -- where measures are used -----------------------------------------------------------------------
def test_compare_lists_covers():
    x, y = of([0, 1], [1, 2], n=5), of([0, 1], [2, 4], n=5)
    names = {row.name for row in sc.compare(x, y)}
    assert names >= {"omega_index", "cover_rand_index", "bcubed_index", "best_match_index",
                     "overlapping_normalized_mutual_information",
                     "adjusted_element_centric_index"}
    assert "rand_index" not in names
    hard = {row.name for row in sc.compare([0, 0, 1], [0, 1, 1])}
    assert "omega_index" not in hard
    assert "adjusted_element_centric_index" in hard
    # Two of ten pairs are joined in each.
    row = sc.compare(x, y, measures="cover_rand_index").rows[0]
    assert row.chance == pytest.approx(0.2 * 0.2 + 0.8 * 0.8)


def test_limits_of_hard_clusterings_go_by_cell():
    rng = np.random.default_rng(0)
    x = rng.integers(0, 3, 250)
    y = np.where(rng.random(250) < 0.2, rng.integers(0, 3, 250), x)
    for name in ("adjusted_element_centric_index", "bcubed_index"):
        row = sc.compare(x, y, measures=name, ci="jackknife").rows[0]
        assert row.ci.method == "jackknife"
        values = [getattr(sc, name)(np.delete(x, i), np.delete(y, i)) for i in range(0, 250, 50)]
        assert row.ci_low < min(values) <= max(values) < row.ci_high
    sides = [sc.CoverClustering(np.eye(3, dtype=bool)[labels[:60]]
                                | (np.arange(60)[:, None] % 7 == np.arange(3)))
             for labels in (x, y)]
    small = sc.compare(*sides, measures="element_centric_index", ci="jackknife").rows[0]
    assert small.ci.method == "jackknife, object by object"


def omega_of_rows(first, second):
    """Omega of 0/1 rows by its definition: equally many common clusters, over all pairs."""
    above = np.triu_indices(len(first), 1)
    a, b = ((m.astype(int) @ m.T.astype(int))[above] for m in (first, second))
    levels = range(first.shape[1] + 1)
    by_chance = sum((a == k).mean() * (b == k).mean() for k in levels)
    return ((a == b).mean() - by_chance) / (1 - by_chance)


def two_covers(n, seed=0):
    g = np.random.default_rng(seed)
    first = g.random((n, 4)) < 0.35
    return first, np.where(g.random((n, 4)) < 0.3, g.random((n, 4)) < 0.35, first)


def test_limits_of_large_covers_leave_out_objects_or_random_groups(monkeypatch):
    first, second = two_covers(230)
    x, y = sc.CoverClustering(first), sc.CoverClustering(second)
    value = omega_of_rows(first, second)
    units = {1e9: [[i] for i in range(230)],
             0.0: np.array_split(np.random.default_rng(20120904).permutation(230), 100)}
    for longest, left_out in units.items():
        monkeypatch.setattr(limits, "LONGEST", longest)
        row = sc.compare(x, y, measures="omega_index", ci="jackknife").rows[0]
        values = np.array([omega_of_rows(np.delete(first, unit, axis=0),
                                         np.delete(second, unit, axis=0)) for unit in left_out])
        count = len(left_out)
        error = np.sqrt((count - 1) / count * ((values - values.mean())**2).sum())
        assert row.ci.n_resamples == count
        assert row.ci.standard_error[0] == pytest.approx(error, rel=1e-9)
        reach = np.exp(scipy.stats.t.ppf(0.975, count - 1) * error / (1 - value))
        assert row.ci_low == pytest.approx(1 - (1 - value) * reach, rel=1e-9)
        assert row.ci_high == pytest.approx(1 - (1 - value) / reach, rel=1e-9)
        assert row.ci.method == ("jackknife, object by object" if count == 230 else
                                 "jackknife, 100 random groups")
    table = sc.compare_all([x, y], measure="omega_index", ci="jackknife")
    assert (table.ci_low[0, 1], table.ci_high[0, 1]) == (row.ci_low, row.ci_high)


def test_random_groups_are_left_out_where_they_were_simulated(monkeypatch):
    """Of a measure and kinds whose coverage is not known there are no limits, and a reason."""
    monkeypatch.setattr(limits, "LONGEST", 0.0)
    g = np.random.default_rng(0)
    x, y = (sc.FuzzyClustering(g.dirichlet([0.3] * 3, 203)) for _ in range(2))
    names = ["adjusted_element_centric_index", "mallows_distance"]
    unknown, known = sc.compare(x, y, measures=names, ci="jackknife").rows
    assert unknown.ci.method == "none"
    assert "203 objects take too long one by one" in unknown.note
    assert "not been simulated for this measure of fuzzy clusterings" in unknown.note
    assert known.ci.method == "jackknife, 100 random groups"
    with pytest.raises(sc.ClusteringError, match=r"not been simulated.*at most 200 objects"):
        sc.rank_clusterings(x, [y, x], measure="adjusted_element_centric_index")
    first, second = two_covers(203)
    covers = sc.CoverClustering(first), sc.CoverClustering(second)
    assert not np.isnan(sc.compare(*covers, measures="element_centric_index",
                                   ci="jackknife").rows[0].ci_low)
    within = [part.subset(range(200)) for part in (x, y)]
    assert sc.compare(*within, measures="adjusted_element_centric_index", ci="jackknife").rows[
        0].ci.method == "jackknife, object by object"


def test_a_ranking_leaves_out_the_same_random_groups(monkeypatch):
    first, second = two_covers(230)
    third = two_covers(230, seed=3)[0]
    truth, *members = map(sc.CoverClustering, (first, second, third))
    takes_long = iter([True, False, True, True])   # by the clock, only the second is quick
    monkeypatch.setattr(limits.Estimated, "_takes_long", lambda self, n: next(takes_long))
    found = sc.rank_clusterings(truth, dict(zip("pq", members)), measure="omega_index")
    alone = [sc.compare(truth, each, measures="omega_index", ci="jackknife").rows[0]
             for each in members]
    assert found.standard_error.tolist() == pytest.approx(
        [row.ci.standard_error[0] for row in alone], rel=1e-12)
    assert found.possibly_best == (0,)
    assert "p: jackknife, 100 random groups" in found.notes


def test_values_that_grow_with_n_are_scaled_without_groups_too(monkeypatch):
    g = np.random.default_rng(0)
    x, y = (sc.FuzzyClustering(g.dirichlet([0.3] * 3, 203)) for _ in range(2))
    monkeypatch.setattr(limits, "LONGEST", 0.0)
    row = sc.compare(x, y, measures="mallows_distance", ci="jackknife").rows[0]
    groups = np.array_split(np.random.default_rng(20120904).permutation(203), 100)
    kept = [np.setdiff1d(np.arange(203), unit) for unit in groups]
    values = np.array([sc.mallows_distance(x.subset(k), y.subset(k)) * 203 / k.size
                       for k in kept])
    error = np.sqrt(99 / 100 * ((values - values.mean())**2).sum())
    assert row.ci.standard_error[0] == pytest.approx(error, rel=1e-9)


def test_chance_and_matrices_take_covers():
    x, y = hostile(np.random.default_rng(1), 12), hostile(np.random.default_rng(2), 12)
    found = sc.chance(x, y, ["omega_index", "element_centric_index"], n_permutations=99, rng=0)
    assert found["omega_index"].observed == sc.omega_index(x, y)
    everything = sc.compare_all([x, y, [0, 1] * 6], measure="omega_index")
    assert everything["0", "1"] == sc.omega_index(x, y)


def test_one_and_eight_threads_have_the_same_bits():
    rng = np.random.default_rng(4)
    x, y = (sc.CoverClustering(rng.random((900, 30)) < 0.15) for _ in range(2))
    before = sc.get_num_threads()
    try:
        found = []
        for threads in (1, 8):
            sc.set_num_threads(threads)
            joint = sc.Joint(x, y)
            found.append([sc.omega_index(joint), sc.bcubed_index(joint),
                          sc.element_centric_index(joint)])
            assert found[-1] == [sc.omega_index(x, y), sc.bcubed_index(x, y),
                                 sc.element_centric_index(x, y)]
    finally:
        sc.set_num_threads(before)
    assert found[0] == found[1]


@pytest.mark.filterwarnings("ignore::softclust.UndefinedMeasureWarning")
def test_names_and_order_of_clusters_do_not_matter():
    rng = np.random.default_rng(6)
    x, y = hostile(rng, 15), hostile(rng, 15)
    order = rng.permutation(x.n_clusters)
    other = sc.CoverClustering(x.membership.toarray()[:, order])
    for name in OPTIONS:
        function = getattr(sc, name)
        assert function(other, y) == pytest.approx(function(x, y), abs=1e-12, nan_ok=True)


# -- records and bad input -------------------------------------------------------------------------
def test_clusters_of_a_record():
    x = of([0, 1], [1, 2], [], n=4)
    found = sc.element_centric(x, sc.HardClustering(["a", "a", "b", "b"]))
    means = found.by_cluster()
    assert means.iloc[:2].tolist() == pytest.approx([found.values[:2].mean(),
                                                     found.values[1:3].mean()])
    assert math.isnan(means.iloc[2])
    assert found.by_cluster("y").index.tolist() == ["a", "b"]
    fuzzy = sc.FuzzyClustering([[0.5, 0.5], [1, 0], [0, 1], [0, 1]])
    shares = sc.element_centric(fuzzy, x)
    assert shares.by_cluster("x")[0] == pytest.approx(
        (0.5 * shares.values[0] + shares.values[1]) / 1.5)
    assert len(found.to_frame()) == 4
    assert "adjusted" in found.summary().as_text()
    with pytest.raises(ValueError, match='"x" or "y"'):
        found.by_cluster("z")


@pytest.mark.parametrize("damping", [-0.1, 1.0, True, "a", None, math.nan])
def test_damping_is_checked(damping):
    with pytest.raises(sc.ClusteringError, match="damping is"):
        sc.element_centric_index([0, 1], [0, 1], damping=damping)


def test_rough_clusterings_are_told_the_way():
    rough = sc.RoughClustering.from_upper([[1, 1], [0, 1]])
    with pytest.raises(sc.ClusteringError, match=r"x is rough.*kind=\"cover\""):
        sc.omega_index(rough, [0, 1])
    with pytest.raises(sc.ClusteringError, match=r"x is fuzzy.*to_cover\(threshold"):
        sc.omega_index(sc.FuzzyClustering([[0.5, 0.5], [0, 1]]), [0, 1])


# -- runs ------------------------------------------------------------------------------------------
@pytest.mark.parametrize("case", [c for c in STORED["cases"]
                                  if c["function"] == "element_consistency"], ids=lambda c: c["id"])
def test_stored_consistency(case):
    found = sc.element_consistency([given(name) for name in case["args"][0]], **case["kwargs"])
    for name, value in case["expected"].items():
        assert getattr(found, name) == pytest.approx(value, abs=1e-12)


def test_consistency_of_runs_of_several_kinds():
    rng = np.random.default_rng(9)
    runs = [hostile(rng, 12), random_clustering(rng, "fuzzy", 12, 3),
            sc.HardClustering(rng.integers(0, 3, 12)), sc.HardClustering(rng.integers(0, 2, 12))]
    pairs = [naive.element_similarities(rows_of(a), rows_of(b), 0.5)
             for a, b in itertools.combinations(runs, 2)]
    found = sc.element_consistency(runs, damping=0.5)
    np.testing.assert_allclose(found.values, np.mean(pairs, axis=0), atol=1e-12)
    against = sc.element_consistency({str(i): x for i, x in enumerate(runs)}, reference="1")
    np.testing.assert_allclose(
        against.values, np.mean([sc.element_centric(runs[1], runs[b]).values for b in (0, 2, 3)],
                                axis=0), atol=1e-12)
    covers = [x.to_cover() for x in runs[2:]]
    assert sc.element_consistency(covers).index == pytest.approx(
        sc.element_consistency(runs[2:]).index)
    with pytest.raises(sc.ClusteringError, match="x is rough"):
        sc.element_consistency([sc.RoughClustering.from_upper([[1, 1], [0, 1]]), [0, 1]])
    with pytest.raises(sc.ClusteringError, match="at least 2"):
        sc.element_consistency([covers[0]])
    with pytest.raises(sc.ClusteringError, match="damping is 1"):
        sc.element_consistency(covers, damping=1)


def test_shares_are_stored_too():
    case = next(c for c in STORED["cases"] if c["function"] == "to_fuzzy")
    found = given(case["args"][0]).to_fuzzy(**case["kwargs"])
    assert found.membership == pytest.approx(np.array(case["expected"]), abs=1e-12)
