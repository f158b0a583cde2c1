"""The range over completions: golden values, all completions of small cases, certificates."""

import json
import math
import warnings
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise, product
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from naive import partial
from strategies import all_partitions

import softclust as sc
from softclust.measures import registry

CASES = [c for c in json.loads((Path(__file__).parents[2] / "golden" / "partial-labels.json"
                                ).read_text())["cases"] if c["function"] == "completion_bounds"]
EVERY = ("rand_index", "symmetric_difference_distance", "jaccard_index", "fowlkes_mallows_index",
         "adjusted_rand_index", "mutual_information", "variation_of_information",
         "normalized_mutual_information", "normalized_variation_of_information",
         "transfer_distance", "coclassification_index")


def number(value):
    return float(Fraction(value)) if isinstance(value, str) else float(value)


def bounds(x, y, name, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sc.InexactWarning)
        return sc.completion_bounds(x, y, measure=name, **options)


@pytest.mark.parametrize("case", [pytest.param(c, id=c["id"]) for c in CASES])
def test_golden(case):
    expected = case.get("expected") or {
        name: [ends.get("low"), ends.get("high")] for name, ends in case["expected_ends"].items()}
    for name, (low, high) in expected.items():
        found = bounds(*case["inputs"], name, **case["kwargs"])
        for got, want, exact in ((found.low, low, found.exact_low),
                                 (found.high, high, found.exact_high)):
            if want is not None:
                assert abs(got - number(want)) <= case["abs_tol"], name
                assert exact, name


def check(x, y, names, **options):
    naive = partial.ends(x, y, options.get("clusters") == "any")
    for name in names:
        found = bounds(x, y, name, **options)
        if name not in naive:
            assert math.isnan(found.low)
            continue
        low, high = naive[name]
        if found.exact_low:
            assert abs(found.low - low) < 1e-12, (name, x, y)
        if found.exact_high:
            assert abs(found.high - high) < 1e-12, (name, x, y)
        assert found.low_bound <= low + 1e-12, (name, x, y)
        assert found.high_bound >= high - 1e-12, (name, x, y)
        assert low - 1e-12 <= found.low <= found.high <= high + 1e-12


SMALL = [v for v in product([0, 1, None], repeat=4) if any(k is not None for k in v)]


@pytest.mark.parametrize("step", [229, pytest.param(7, marks=pytest.mark.slow)])
@pytest.mark.parametrize("clusters", ["observed", "any"])
def test_all_completions_of_small_cases(clusters, step):
    pairs = [(a, b) for a, b in product(SMALL, SMALL)
             if clusters == "observed" or sum(v is None for v in a + b) <= 3]
    for k, (a, b) in enumerate(pairs[::step]):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", sc.UndefinedMeasureWarning)
            check(list(a), list(b), EVERY[k % 3::3], clusters=clusters)


def random_case(rng, n, c, x_gaps, y_gaps):
    sides = []
    for gaps in (x_gaps, y_gaps):
        labels = rng.integers(0, c, n).tolist()
        for i in rng.choice(n, gaps, replace=False):
            labels[i] = None
        sides.append(labels)
    return sides


@pytest.mark.parametrize("seed", range(12))
def test_searches_against_all_completions(seed, monkeypatch):
    """Every method, not the list of tables that small cases get."""
    from softclust.extensions.completion import bounds as door
    monkeypatch.setattr(door, "FEW_TABLES", 0)
    if seed % 2:
        monkeypatch.setattr(door, "margins_fit", lambda problem, max_states: False)
    rng = np.random.default_rng(seed)
    x, y = random_case(rng, 8, 3, 3, 0 if seed % 3 else 1)
    if seed % 4 == 0:
        x, y = y, x
    check(x, y, EVERY)


@pytest.mark.parametrize("seed", [0, *(pytest.param(k, marks=pytest.mark.slow) for k in (1, 2))])
def test_certificates_when_nothing_may_be_listed(seed, monkeypatch):
    from softclust.extensions.completion import bounds as door
    monkeypatch.setattr(door, "FEW_TABLES", 0)
    for gaps in (0, 2):
        x, y = random_case(np.random.default_rng(seed), 7, 3, 3, gaps)
        check(x, y, EVERY, max_states=1, n_starts=2)
        check(x, y, EVERY[:6], max_states=1, n_starts=2, clusters="any")


@pytest.mark.parametrize("clusters", ["observed", "any"])
@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(k, marks=pytest.mark.slow)
                                          for k in (2, 3))])
def test_brackets_against_lists(seed, clusters):
    """What is found where nothing may be listed, against margins or tables listed in full."""
    rng = np.random.default_rng(seed)
    n, gaps = (60, 12) if clusters == "observed" else (12, 4)
    x, y = random_case(rng, n, 3, gaps, 0)
    x, y = (y, x) if seed % 2 else (x, y)
    for name in EVERY[:11]:
        exact = bounds(x, y, name, clusters=clusters)
        assert exact.exact
        found = bounds(x, y, name, clusters=clusters, max_states=0, rng=seed)
        assert found.low_bound <= exact.low + 1e-12 <= found.low + 2e-12, name
        assert found.high_bound >= exact.high - 1e-12 >= found.high - 2e-12, name
        # The moves come as far as the lists in nearly all cases.
        near = 0.02 * max(1.0, abs(exact.high))
        assert abs(found.low - exact.low) < near, name
        assert abs(found.high - exact.high) < near, name
        assert found.exact_high or clusters == "observed" or name != "rand_index"


def test_expected_information_is_at_most_what_brackets_assume():
    from softclust.tables.entropy import Information
    from softclust.tables.sums import Sums
    rng = np.random.default_rng(0)
    for _ in range(50):
        r, s = rng.integers(1, 6, 2)
        a = rng.multinomial(40 - r, rng.dirichlet(np.full(r, 0.5))) + 1
        b = rng.multinomial(40 - s, rng.dirichlet(np.full(s, 0.5))) + 1
        sums = Sums(n=40, cells=0.0, rows=0.0, columns=0.0, sizes=(a, b))
        assert Information.from_sums(sums).expected <= (r - 1) * (s - 1) / 39 + 1e-15


def test_bounds_by_pairs_hold_every_division_of_the_pairs():
    """Stationary points were missed: the bound of this one was 0.0679."""
    rng = np.random.default_rng(5)
    for n, k, px, py in ((8, 2, .3, .3), (40, 3, .4, 0), (60, 4, .3, .3)):
        x = rng.integers(k, size=n)
        y = np.where(rng.random(n) < .6, x % 3, rng.integers(3, size=n))
        x, y = ([None if rng.random() < p else int(v) for v in side]
                for side, p in ((x, px), (y, py)))
    found = bounds(x, y, "fowlkes_mallows_index", max_states=0, n_starts=1)
    # All pairs of (same, unknown) are apart in the other, and 350 of the 625 unknown ones.
    assert found.low_bound <= 51 / np.sqrt(800 * 800) < found.low_bound + 1e-6


def divisions(x, y):
    """Every (n11, n10, n01) if each pair that a side does not know is together or apart."""
    sets = {(0, 0, 0)}
    for i, j in combinations(range(len(x)), 2):
        sides = [(True, False) if None in (side[i], side[j]) else (side[i] == side[j],)
                 for side in (x, y)]
        sets = {(a + (p and q), b + (p and not q), c + (q and not p))
                for a, b, c in sets for p, q in product(*sides)}
    return sets


@pytest.mark.parametrize(("x", "y"), [
    ([0, 0, 0, None, 1], [1, None, 0, None, 2]), ([1, None, None, None, 1], [2, None, 1, None, 0]),
    ([None, 1, None, 0, 0], [2, 1, None, None, None]), ([0, 1, 0, 1, 0], [0, 0, 0, None, None])])
def test_bounds_by_pairs_where_some_division_is_undefined(monkeypatch, x, y):
    from softclust.extensions.completion import bounds as door
    monkeypatch.setattr(door, "FEW_TABLES", 0)
    values = [a / math.sqrt((a + b) * (a + c)) for a, b, c in divisions(x, y)
              if (a + b) * (a + c)]
    found = bounds(x, y, "fowlkes_mallows_index", max_states=0, n_starts=1)
    assert found.low_bound == pytest.approx(min(values), abs=1e-9)
    assert found.high_bound == pytest.approx(max(values), abs=1e-9)


FORMULAS = [m for m in registry().values() if m.of_sums]


@cache
def pairs_of_five():
    """A third of the pairs of partitions of five objects, with the sizes of their clusters."""
    joints = [sc.Joint(x, y) for x in all_partitions(5) for y in all_partitions(5)[::3]]
    return [(tuple(tuple(sorted(sizes)) for sizes in (joint.contingency.a, joint.contingency.b)),
             joint) for joint in joints]


@pytest.mark.parametrize("m", FORMULAS, ids=lambda m: m.name)
def test_formulas_on_sums_are_monotone(m):
    """In the sum over the cells, given the cluster sizes, and in pairs that are made to agree."""
    sign = -1 if m.sense == "dissimilarity" else 1
    by_sizes = {}
    for sizes, joint in pairs_of_five():
        total = float(m.statistic.phi.values(joint.contingency.counts).sum())
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            value = sign * float(m.function(joint))
        if not math.isnan(value):
            by_sizes.setdefault(sizes, {})[round(total, 9)] = value
    for values in by_sizes.values():
        rising = [values[total] for total in sorted(values)]
        assert all(a <= b + 1e-12 for a, b in pairwise(rising))
    if m.statistic is not sc.PairCounts:
        return
    rng = np.random.default_rng(0)
    counts = rng.random((4, 2000)) * 10.0 ** rng.integers(-2, 3, (4, 2000))
    for apart, joined in product((1, 2), (0, 3)):
        moved = counts.copy()
        step = 1e-3 * counts[apart]
        moved[apart] -= step
        moved[joined] += step
        before, after = (m.formula(sc.PairCounts(n11=c[0], n10=c[1], n01=c[2], n00=c[3],
                                                 self_pairs=0.0)) for c in (counts, moved))
        assert (sign * (after - before) >= -1e-12 * (1.0 + abs(before))).all()


def test_limits_are_warned_of_and_bracketed():
    rng = np.random.default_rng(0)
    x, y = random_case(rng, 60, 4, 12, 12)
    with pytest.warns(sc.InexactWarning, match="not proved: it lies between value and bound"):
        found = sc.completion_bounds(x, y, max_states=10)
    assert found.status == "bracketed"
    assert not found.exact
    assert found.low_bound <= found.low <= found.high <= found.high_bound
    assert found.interval.low == found.low_bound
    one, two = (bounds(x, y, "adjusted_rand_index", max_states=10, rng=5) for _ in range(2))
    assert (one.low, one.high) == (two.low, two.high)


def test_good_completions_of_many_objects_are_found():
    """Gaps on both sides: moves of many objects at once come as far as few objects do."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 900).astype(float)
    x = np.where(rng.random(900) < 0.6, y, rng.integers(0, 3, 900))
    for side in (x, y):
        side[rng.random(900) < 0.1] = np.nan
    ari = bounds(x, y, "adjusted_rand_index", n_starts=1, rng=0)
    whole = sc.adjusted_rand_index(*bounds(x, y, "rand_index", n_starts=1).completions("high"))
    assert ari.high >= whole - 1e-3
    assert ari.low < sc.adjusted_rand_index(*sc.align(x, y, missing="drop")) - 0.1


def test_tables_and_completions_attain_the_ends():
    rng = np.random.default_rng(3)
    for gaps in ((4, 0), (0, 4), (3, 3)):
        x, y = random_case(rng, 16, 3, *gaps)
        for name, clusters in product(EVERY, ("observed", "any")):
            found = bounds(x, y, name, clusters=clusters, max_states=5_000)
            for end in ("low", "high"):
                a, b = found.completions(end)
                for given, full in ((x, a), (y, b)):
                    names = full.cluster_names
                    assert all(v is None or names[k] == v for v, k in zip(given, full.labels))
                value = float(getattr(sc, name)(a, b))
                assert value == getattr(found, end)
                table = getattr(found, f"{end}_table")
                assert table.sum() == 16
    with pytest.raises(ValueError, match="'low', 'high'"):
        found.completions("middle")


def test_filling_a_gap_shrinks_the_interval_and_any_contains_observed():
    x, y = [0, 0, None, 1, 1, None, 2], [0, 1, 1, 1, 0, None, 0]
    for name in EVERY:
        wide, narrow = bounds(x, y, name), bounds([0, 0, 1, *x[3:]], y, name)
        free = bounds(x, y, name, clusters="any")
        # Equal values may differ in the last digit: clusters stand in another order.
        assert wide.low - 1e-14 <= narrow.low <= narrow.high <= wide.high + 1e-14
        assert free.low <= wide.low + 1e-14
        assert wide.high <= free.high + 1e-14


def test_sides_and_labels_exchanged():
    x, y = [0, 0, None, 1, 1, None, 2], [0, 1, 1, 1, 0, 2, 0]
    other = {0: "c", 1: "a", 2: "b", None: None}
    for name in EVERY:
        one = bounds(x, y, name)
        two = bounds([other[v] for v in y], [other[v] for v in x], name)
        assert abs(one.low - two.low) < 1e-14
        assert abs(one.high - two.high) < 1e-14


def test_three_partition():
    """All ones: any whole assignment has the same W, so the rows must be filled evenly."""
    parts = [4, 5, 6, 4, 5, 6]
    y = [j for j in range(6) for _ in range(2)] + [j for j, c in enumerate(parts) for _ in range(c)]
    x = [k for _ in range(6) for k in range(2)] + [None] * sum(parts)
    found = bounds(x, y, "rand_index", max_states=1)
    assert not found.exact_high
    assert found.high_table.sum(axis=1).tolist() == [21, 21]


def test_objects_missing_on_both_sides_may_have_to_be_split():
    x, y = [1, None, None, None, None, 0, 1], [0, 0, 2, None, None, 0, 0]
    assert bounds(x, y, "adjusted_rand_index").high == pytest.approx(16 / 37, abs=1e-15)


def test_undetermined_twice_is_no_agreement():
    x = [0, 1, None]
    assert bounds(x, x, "rand_index").low == pytest.approx(1 / 3)
    rough = sc.as_clustering(x, missing="unknown")
    assert sc.transport_rand_index(rough, rough).lower == 1.0


def test_noise_counts_as_missing_when_its_label_is_given():
    x, y = [0, 0, -1, 1], [0, 0, 1, 1]
    assert bounds(x, y, "rand_index").n_missing == (0, 0, 0)
    found = bounds(x, y, "rand_index", noise_label=-1)
    assert found.n_missing == (1, 0, 0)
    assert found.high == 1.0


def test_other_measures_are_listed():
    x, y = [0, 0, None, 1, 1], [0, 0, 1, 1, None]
    found = bounds(x, y, "purity_index")
    values = [sc.purity_index(a, b) for a in partial.completions(x)
              for b in partial.completions(y)]
    assert (found.low, found.high) == (min(values), max(values))
    with pytest.raises(sc.ClusteringError, match=r"a method of their own are .*rand_index"):
        bounds(x * 20, y * 20, "purity_index", max_states=10)


def test_forms_names_and_the_record():
    x = pd.Series([0, 0, None, 1], index=list("abcd"))
    found = sc.completion_bounds(x, pd.Series([0, 0, 1, 1], index=list("abcd")))
    assert found.completions("high")[0].object_names == ("a", "b", "c", "d")
    assert "over all completions" in str(found)
    assert found.to_frame()["exact"].all()
    assert found.status == "exact"
    full = sc.completion_bounds([0, 1, 1], [0, 0, 1])
    assert full.low == full.high == sc.adjusted_rand_index([0, 1, 1], [0, 0, 1])
    with pytest.warns(sc.UndefinedMeasureWarning, match="undefined for every completion"):
        assert math.isnan(sc.completion_bounds([0, 1, 2], [0, 0, 0], measure="fowlkes_mallows_index"
                                               ).low)


@pytest.mark.parametrize(("call", "text"), [
    (lambda: sc.completion_bounds([None, None], [0, 1]), 'x has no label at all.*clusters="any"'),
    (lambda: sc.completion_bounds([[0.5, 0.5]] * 2, [0, 1]), "x is fuzzy; labels"),
    (lambda: sc.completion_bounds([0, 1, 1], [0, 1]), "x has 3 objects and y has 2"),
    (lambda: sc.completion_bounds({"a": 0, "b": 1}, {"b": 0, "a": 1}), "in another order"),
    (lambda: sc.completion_bounds([0, 1, None] * 9, [None, 1, 0] * 9, method="enumeration",
                                  max_states=3), "more than max_states=3"),
])
def test_errors(call, text):
    with pytest.raises(sc.ClusteringError, match=text):
        call()


#: share of noise; adjusted Rand index with noise as a cluster, singletons, dropped; bounds
STUDY = {
    ("blobs", 5): (0.012, 0.562, 0.562, 0.571, 0.549, 0.566),
    ("blobs", 25): (0.146, 0.791, 0.782, 0.983, 0.592, 0.985),
    ("blobs", 100): (0.193, 0.769, 0.737, 0.990, 0.506, 0.991),
    ("moons", 5): (0.171, 0.559, 0.558, 0.810, 0.330, 0.832),
    ("moons", 25): (0.237, 0.573, 0.573, 0.984, 0.270, 0.988),
    ("moons", 100): (0.441, 0.294, 0.295, 0.944, 0.009, 0.968),
}


@pytest.mark.slow
@pytest.mark.parametrize(("data", "min_samples"), list(STUDY))
def test_study_of_noise(data, min_samples):
    from sklearn.cluster import HDBSCAN
    from sklearn.datasets import make_blobs, make_moons
    X, truth = (make_moons(1000, noise=0.15, random_state=0) if data == "moons" else
                make_blobs(1000, centers=[[-4, 0], [0, 4], [4, 0]], cluster_std=[1, 1.5, 0.5],
                           random_state=0))
    fit = HDBSCAN(min_cluster_size=15, min_samples=min_samples, copy=True).fit(X)
    found = [float((fit.labels_ == -1).mean())]
    found += [sc.adjusted_rand_index(*sc.align(truth, fit, noise=rule))
              for rule in ("cluster", "singletons", "drop")]
    ends = bounds(truth, fit.labels_, "adjusted_rand_index", noise_label=-1)
    found += [ends.low, ends.high]
    assert np.abs(np.array(found) - STUDY[data, min_samples]).max() < 1.001e-3


def test_compare_shows_the_range_of_each_measure():
    rows = sc.compare([0, 0, 1, 1, None, 2], [0, 0, 1, 2, 2, 2], missing="bounds",
                      measures=["rand_index", "adjusted_rand_index"]).rows
    assert [row.range for row in rows] == [(0.0, 1.0), (-0.5, 1.0)]


def test_without_a_programme_all_objects_but_one_may_move(monkeypatch):
    """When the solver finds nothing in time, the bound is n - 1."""
    monkeypatch.setattr("scipy.optimize.milp", lambda *_, **__: SimpleNamespace(x=None))
    with pytest.warns(sc.InexactWarning, match="high end of transfer_distance"):
        found = sc.completion_bounds([0, 1, None], [0, 1, 2], measure="transfer_distance")
    assert "high  1.0000  2.0000  no" in str(found)
