"""Matching of clusters: stored tables, enumeration, ties, the record, messages."""

import json
import re
from itertools import product
from pathlib import Path

import naive.matching as oracle
import numpy as np
import pytest
from strategies import JIT_OFF

import softclust as sc
from softclust.tables.matching import match_columns, method_code, n_choices

ITEMS = {item["id"]: item for item in json.loads(
    (Path(__file__).parent / "golden" / "truecluster.json").read_text(encoding="utf-8"))["items"]}
TABLES = [name for name, item in ITEMS.items() if "table" in item["input"]]
RULES = ("trace", "truematch", "truematch_heuristic/remaining", "truematch_heuristic/all")
EVERY = (*RULES, "trace_heuristic")
SOFT = ("soft-1", "soft-3")
#: printed with so many digits
STORED = 1e-9


def rule_of(name):
    method, _, margins = name.partition("/")
    return {"method": method, "margins": margins or "remaining"}


def columns_of(matching):
    """Column of each row, None for none."""
    found = dict(matching.pairs.tolist())
    return tuple(found.get(k) for k in range(len(matching.table)))


def as_columns(pairs, r):
    found = dict(pairs)
    return tuple(found.get(k) for k in range(r))


# -- stored tables --------------------------------------------------------------------------


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("name", TABLES)
def test_stored_matchings(name, rule):
    item = ITEMS[name]
    table = item["input"]["table"]
    r, s = len(table), len(table[0])
    expected = {as_columns(e["pairs"], r): e["probability"] for e in item["expected"][rule]}
    m = min(r, s)
    choices = n_choices(method_code(**rule_of(rule)), r, s)
    count = 60   # a multiple of all numbers of candidates here
    seen = {}
    for t in range(count):
        uniforms = [(t + 0.5) / count, *[0.3] * (choices - 1 + m)]
        found = columns_of(sc.match_table(table, uniforms=uniforms, **rule_of(rule)))
        seen[found] = seen.get(found, 0) + 1
    assert set(seen) <= set(expected)
    if choices == 1:
        # evenly spread numbers fall on each optimum equally often
        assert seen == {key: pytest.approx(p * count) for key, p in expected.items()}
        matching = sc.match_table(table, rng=0, **rule_of(rule))
        assert matching.n_optimal == len(expected)
        assert matching.objective == pytest.approx(item["expected"][f"{rule}_objective"],
                                                   rel=STORED, abs=STORED)


@pytest.mark.parametrize("name", [name for name in TABLES if "score" in ITEMS[name]["expected"]])
def test_stored_scores(name):
    matching = sc.match_table(ITEMS[name]["input"]["table"])
    assert np.allclose(matching.score, ITEMS[name]["expected"]["score"], rtol=0, atol=STORED)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("name", TABLES)
def test_tie_frequencies(name, rule):
    item = ITEMS[name]
    table = item["input"]["table"]
    expected = {as_columns(e["pairs"], len(table)): e["probability"]
                for e in item["expected"][rule]}
    runs = 500 if len(expected) > 1 else 20
    seen = dict.fromkeys(expected, 0)
    for seed in range(runs):
        seen[columns_of(sc.match_table(table, rng=seed, **rule_of(rule)))] += 1
    for key, p in expected.items():
        assert abs(seen[key] / runs - p) <= 4.5 * np.sqrt(p * (1 - p) / runs), seen


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("name", SOFT)
def test_stored_soft_matchings(name, rule):
    item = ITEMS[name]
    x, y = (sc.FuzzyClustering(item["input"][side]) for side in "UV")
    matching = sc.match_clusters(x, y, rng=0, **rule_of(rule))
    assert columns_of(matching) == as_columns(item["expected"][rule], x.n_clusters)
    assert np.allclose(matching.table, item["expected"]["table"], rtol=0, atol=STORED)
    assert np.allclose(matching.score, item["expected"]["score"], rtol=0, atol=STORED)
    if rule == "truematch":
        assert matching.n_optimal == 1
        assert matching.objective == pytest.approx(item["expected"]["truematch_objective"],
                                                   abs=STORED)


def test_pairs_of_equal_counts_come_in_random_order():
    first = [sc.match_table([[98, 1], [1, 0]], method="truematch", rng=seed).pairs[0].tolist()
             for seed in range(200)]
    assert 60 < first.count([0, 1]) < 140   # 5.6 standard errors
    assert sc.match_table([[98, 1], [1, 0]]).pairs.tolist() == [[0, 0], [1, 1]]


def test_indices_of_matched_tables():
    for name, table in ITEMS["table-6"]["input"].items():
        # the tables are matched already: count them by labels and keep the names
        kappa, diagonal = _indices(table)
        expected = ITEMS["table-6"]["expected"][name]
        assert kappa == pytest.approx(expected["kappa"], abs=STORED)
        assert diagonal == pytest.approx(expected["diagonal"], abs=STORED)
        x, y = _labels(table)
        assert sc.rand_index(x, y) == pytest.approx(expected["rand"], abs=STORED)
        assert sc.adjusted_rand_index(x, y) == pytest.approx(expected["corrected_rand"],
                                                             abs=STORED)


def _indices(table):
    """Kappa and diagonal of a table whose pairs are on its diagonal."""
    matching = next(m for seed in range(50) for method in ("trace", "truematch")
                    if (m := sc.match_table(table, method=method, rng=seed))
                    .permutation.tolist() == [0, 1])
    return matching.kappa, matching.diagonal


def _labels(table):
    cells = [(k, j) for k, row in enumerate(table) for j, t in enumerate(row) for _ in range(t)]
    return [k for k, _ in cells], [j for _, j in cells]


@pytest.mark.parametrize("method", ["trace", "truematch"])
@pytest.mark.parametrize("name", ["expected-100-1", "expected-50-2"])
def test_expected_matched_tables_of_independent_partitions(name, method):
    """The overlap of the small clusters is hypergeometric; both orders of equal counts."""
    from scipy.stats import hypergeom
    n, m = ITEMS[name]["input"]["n"], ITEMS[name]["input"]["m"]
    expected = ITEMS[name]["expected"][method]
    table, diagonal, kappa = np.zeros((2, 2)), 0.0, 0.0
    for j in range(m + 1):
        count = np.array([[n - 2 * m + j, m - j], [m - j, j]])
        probability = hypergeom.pmf(j, n, m, m)
        draws = [(u, order) for u in (0.25, 0.75) for order in ((0.1, 0.9), (0.9, 0.1))]
        for u, order in draws:
            found = sc.match_table(count, method=method, uniforms=[u, *order])
            table += probability / len(draws) * found.matched_table
            diagonal += probability / len(draws) * found.diagonal
            kappa += probability / len(draws) * found.kappa
    assert np.allclose(table, expected["table"], rtol=0, atol=0.005)   # printed to .01
    assert diagonal == pytest.approx(expected["diagonal"], abs=STORED)
    assert kappa == pytest.approx(expected["kappa"], abs=STORED)


# -- by definition --------------------------------------------------------------------------


def compare_with_oracle(table, rule, uniforms):
    code = method_code(**rule_of(rule))
    columns, n_optimal = match_columns(table, code, uniforms)
    method, margins = rule_of(rule).values()
    expected = oracle.match(table.tolist(), method, uniforms.tolist(), margins)
    assert tuple(None if j < 0 else j for j in columns.tolist()) == expected, (table, rule)
    if n_optimal is not None:
        assert n_optimal == len(oracle.law(table.tolist(), method, margins))


@pytest.mark.parametrize("shape", [(1, 1), (1, 2), (2, 1), (2, 2), (1, 3), (3, 1)])
@pytest.mark.parametrize("rule", EVERY)
def test_every_small_table(shape, rule):
    rng = np.random.default_rng(sum(shape))
    for cells in product(range(3), repeat=shape[0] * shape[1]):
        if any(cells):
            compare_with_oracle(np.array(cells).reshape(shape), rule, rng.random(3))


@pytest.mark.slow
@pytest.mark.parametrize("rule", EVERY)
def test_every_table_of_three_rows(rule):
    rng = np.random.default_rng(1)
    for shape in ((2, 3), (3, 2)):
        for cells in product(range(3), repeat=6):
            if any(cells):
                compare_with_oracle(np.array(cells).reshape(shape), rule, rng.random(3))
    for number, cells in enumerate(product(range(3), repeat=9)):
        # one in four here; all 19,683 agreed when this was written
        if any(cells) and number % 4 == 3:
            compare_with_oracle(np.array(cells).reshape(3, 3), rule, rng.random(3))


@pytest.mark.parametrize("rule", EVERY)
def test_random_tables(rule):
    rng = np.random.default_rng(7)
    for _ in range(60 if not JIT_OFF else 8):
        r, s = rng.integers(1, 5, 2)
        table = rng.poisson(rng.gamma(0.5, 6.0, (r, s)))
        if table.any():
            compare_with_oracle(table, rule, rng.random(4))


@pytest.mark.parametrize("rule", EVERY)
def test_large_counts_are_decided_exactly(rule):
    rng = np.random.default_rng(2)
    for _ in range(25 if not JIT_OFF else 4):
        # nearly independent tables of many objects: float64 alone cannot order their scores
        a, b = rng.integers(1000, 9000, (2, 3))
        table = np.multiply.outer(a, b) + rng.integers(0, 2, (3, 3))
        compare_with_oracle(table, rule, rng.random(3))
    for name in TABLES:
        # equal scores stay equal; their squares no longer fit a float64
        for scale in (1453, 1_000_003, 7_654_321):
            table = np.array(ITEMS[name]["input"]["table"]) * scale
            if table.sum() < 2 * 10**9 and table.size < 16:
                compare_with_oracle(table, rule, rng.random(4))
    # a common denominator beyond int64
    compare_with_oracle(rng.poisson(300, (4, 4)), rule, rng.random(4))
    huge = np.array([[3, 1], [1, 2]]) * 10**12 + np.array([[1, 0], [0, 0]])
    compare_with_oracle(huge, rule, rng.random(2))


@pytest.mark.parametrize("block", [(0, -2, 1, -1), (0, -1, -1, -2), (0, 1, -1, 0), (0, 1, 1, 2)])
def test_sums_that_float64_cannot_tell_apart(block):
    """Two matchings differ by some 1e-15 of their scores: one is optimal."""
    table = np.zeros((3, 3), dtype=np.int64)
    table[0, 0] = 10**7
    table[1:, 1:] = 10**7 + np.array(block).reshape(2, 2)
    for u in (0.1, 0.9):
        compare_with_oracle(table, "truematch", np.array([u]))
    assert sc.match_table(table, method="truematch", rng=0).n_optimal == 1


@pytest.mark.parametrize("rule", EVERY)
def test_tables_of_counts_and_of_shares_are_matched_alike(rule):
    rng = np.random.default_rng(12)
    for _ in range(40 if not JIT_OFF else 5):
        table = rng.integers(0, 30, (3, 4))
        found = sc.match_table(table, rng=0, **rule_of(rule))
        shares = sc.match_table(table / 1024 + 0.0, rng=0, **rule_of(rule))   # exact
        law = oracle.law(table.tolist(), *rule_of(rule).values())
        assert columns_of(shares) in law
        assert columns_of(found) in law
        if found.n_optimal is not None:
            assert shares.n_optimal == len(law)


@pytest.mark.parametrize("rule", EVERY)
def test_rounding_of_an_independent_table_decides_nothing(rule):
    shares = np.multiply.outer([0.1, 0.2, 0.7], [0.3, 0.3, 0.4])
    table = np.asfortranarray(shares) * 7
    seen = {columns_of(sc.match_table(table, rng=seed, **rule_of(rule))) for seed in range(60)}
    if rule == "truematch":
        assert len(seen) == 6
    elif rule == "trace":
        assert seen == {(0, 1, 2), (1, 0, 2)}
    else:
        assert seen == {(0, 1, 2), (1, 0, 2)}   # scores all 0: by count


def test_two_by_two_is_decided_by_the_determinant():
    rng = np.random.default_rng(0)
    for _ in range(500 if not JIT_OFF else 40):
        (a, b), (c, d) = table = rng.integers(0, 12, (2, 2))
        if not table.any():
            continue
        for u in (0.25, 0.75):
            for rule in RULES[1:]:
                columns, _ = match_columns(table, method_code(**rule_of(rule)), np.full(2, u))
                if a * d != b * c:
                    assert columns.tolist() == ([0, 1] if a * d > b * c else [1, 0])
                elif rule == "truematch":
                    assert columns.tolist() == ([0, 1] if u < 0.5 else [1, 0])


@pytest.mark.parametrize("method", ["trace", "truematch"])
def test_x_against_itself_is_the_identity(method):
    rng = np.random.default_rng(5)
    for _ in range(20 if not JIT_OFF else 3):
        x = sc.FuzzyClustering(rng.dirichlet(np.full(4, 0.4), 30))
        matching = sc.match_clusters(x, x, method=method, rng=0)
        diagonal = (matching.table if method == "trace" else matching.score).diagonal().sum()
        assert matching.objective == pytest.approx(diagonal, rel=1e-12)   # sums of 4 numbers


@pytest.mark.parametrize("method", ["trace", "truematch"])
def test_many_clusters(method):
    rng = np.random.default_rng(6)
    table = rng.integers(0, 40, (14, 17))
    matching = sc.match_table(table, method=method, rng=1)
    assert matching.n_optimal is None
    assert np.array_equal(matching.pairs, sc.match_table(table, method=method, rng=1).pairs)
    square = np.zeros((17, 17))
    square[:14] = table if method == "trace" else matching.score
    from scipy.optimize import linear_sum_assignment
    i, j = linear_sum_assignment(square, maximize=True)
    # sums of 14 numbers
    assert matching.objective == pytest.approx(square[i, j].sum(), rel=1e-12)


def test_twelve_clusters_are_counted():
    table = np.ones((5, 12), dtype=int) if JIT_OFF else np.ones((12, 12), dtype=int)
    r = table.shape[0]
    expected = 1
    for k in range(r):
        expected *= 12 - k
    assert sc.match_table(table, rng=0).n_optimal == expected


@pytest.mark.parametrize("rule", EVERY)
def test_random_numbers_are_always_taken(rule):
    """Tied or not, a generator moves on by the same amount."""
    states = []
    for table in ([[5, 0], [0, 5]], [[3, 3], [3, 3]]):
        rng = np.random.default_rng(3)
        sc.match_table(table, rng=rng, **rule_of(rule))
        states.append(rng.random())
    assert states[0] == states[1]


# -- the record -----------------------------------------------------------------------------


def test_permutation_and_apply():
    x = sc.HardClustering(["a"] * 4 + ["b"] * 2)
    y = sc.HardClustering([2, 2, 2, 0, 1, 1])
    matching = sc.match_clusters(x, y)
    assert matching.permutation.tolist() == [2, 1, 0]
    renamed = matching.apply(y)
    assert renamed.cluster_names == ("a", "b", 0)
    assert renamed.labels.tolist() == [0, 0, 0, 2, 1, 1]
    assert sc.rand_index(y, renamed) == 1
    fuzzy = matching.apply(y.to_fuzzy())
    assert np.array_equal(fuzzy.membership, renamed.to_fuzzy().membership)
    assert list(matching.to_frame().index) == ["a", "b"]
    assert list(matching.to_frame().columns) == [2, 1, 0]
    wide = sc.match_clusters(y, x)
    assert wide.pairs.tolist() == [[2, 0], [1, 1]]
    assert wide.apply(x).labels.tolist() == [2] * 4 + [1] * 2
    assert wide.matched_table.tolist() == [[3, 0], [0, 2], [1, 0]]


def test_text_and_pictures():
    matching = sc.match_table([[0, 2, 0], [7, 1, 0], [0, 0, 0], [10, 7, 1]],
                              method="truematch_heuristic", rng=0,
                              row_names="abcd", column_names=["x", "y", "z"])
    text = str(matching)
    assert "truematch_heuristic, remaining margins" in text
    assert "(a, y)" in text
    assert "<table" in matching._repr_html_()
    assert "tabular" in matching.summary().as_latex_tabular()
    assert re.search(r"3 pairs of 4 and 3 clusters", repr(matching))
    pytest.importorskip("matplotlib").use("Agg")
    import matplotlib.pyplot as plt
    ax = matching.plot()
    assert next(t.get_text() for t in ax.get_yticklabels()) in "abcd"
    assert len(ax.patches) == 3
    plt.close(ax.figure)


def test_kappa_of_one_cell_is_undefined():
    with pytest.warns(sc.UndefinedMeasureWarning, match="one cell holds all"):
        assert np.isnan(sc.match_table([[5]]).kappa)
    assert sc.match_table([[5, 0], [0, 3], [0, 2]]).kappa == pytest.approx(
        (0.8 - 0.4) / (1 - 0.4))


# -- messages -------------------------------------------------------------------------------


@pytest.mark.parametrize(("table", "message"), [
    ([1, 2], "shape"), ([[]], "shape"), ([[-1, 2]], r"table\[0, 0\] is -1"),
    ([[1.0, np.nan]], "nan"), ([[0, 0]], "zero everywhere"), ([["a"]], "numbers"),
    ([[2**53, 1]], "2\\*\\*53"),
])
def test_tables_that_are_none(table, message):
    with pytest.raises(sc.ClusteringError, match=message):
        sc.match_table(table)


def test_whole_shares_are_counts_below_a_limit():
    """Above it a float64 table holds shares: their sums need not be exact."""
    large = sc.match_table([[0.0, 2.0**52], [2.0**52, 0.0]])
    assert (large.permutation.tolist(), large.objective) == ([1, 0], 2.0**53)


def test_options_that_are_none():
    with pytest.raises(ValueError, match="'trace', 'truematch', 'truematch_heuristic'"):
        sc.match_table([[1]], method="hungarian")
    with pytest.raises(ValueError, match="margins"):
        sc.match_table([[1]], margins="some")
    with pytest.raises(sc.ClusteringError, match="tie_tol"):
        sc.match_table([[1]], tie_tol=-1)
    with pytest.raises(sc.ClusteringError, match=r"shape \(1,\); \(3,\) is needed"):
        sc.match_table([[1, 2], [3, 4]], uniforms=[0.5])
    with pytest.raises(sc.ClusteringError, match=r"\[0, 1\)"):
        sc.match_table([[1]], uniforms=[0.5, 1.0])
    with pytest.raises(TypeError, match="not both"):
        sc.match_table([[1]], uniforms=[0.5, 0.5], rng=1)
    with pytest.raises(sc.ClusteringError, match="2 names for 1 clusters"):
        sc.match_table([[1]], row_names=["a", "b"])


def test_other_kinds_are_refused():
    rough = sc.RoughClustering.from_upper([[1, 0], [1, 1]])
    with pytest.raises(sc.ClusteringError, match=r"y is rough.*y\.to_fuzzy\(\) or y\.harden\(\)"):
        sc.match_clusters([0, 1], rough)
    matching = sc.match_clusters([0, 1], [0, 1])
    with pytest.raises(sc.ClusteringError, match=r"y\.to_fuzzy"):
        matching.apply(rough)
    with pytest.raises(sc.ClusteringError, match="3 clusters and this matching is for 2"):
        matching.apply([0, 1, 2])


def test_policies_need_both_clusterings():
    for source in (sc.Joint([0, 1, -1], [0, 1, 1]), sc.contingency_table([0, 1, -1], [0, 1, 1])):
        assert sc.match_clusters(source).alignment is None
        for policy in ({"noise": "drop"}, {"missing": "drop"}, {"objects": "common"}):
            with pytest.raises(TypeError, match="whose objects are fixed"):
                sc.match_clusters(source, **policy)


@pytest.mark.parametrize("method", ["trace", "truematch", "truematch_heuristic"])
@pytest.mark.parametrize("factor", [1e-200, 1e200])
def test_masses_whose_products_are_no_floats_are_refused(method, factor):
    """Products of margins ran under or over: all matchings tied, or a score of nan."""
    table = np.array([[3.0, 1.0], [1.0, 3.5]])
    with pytest.raises(sc.ClusteringError, match="multiply it by a constant"):
        sc.match_table(table * factor, method=method)
    for allowed in (1e-90, 1e90):
        assert sc.match_table(table * allowed, method=method).permutation.tolist() == [0, 1]


def test_masked_tables_and_names_that_are_none():
    with pytest.raises(sc.ClusteringError, match="masked entries"):
        sc.match_table(np.ma.masked_array([[1, 2], [3, 4]], [[False, True], [False, False]]))
    with pytest.raises(TypeError, match="row_names is 3; a sequence of 2 names"):
        sc.match_table([[1, 2], [3, 4]], row_names=3)


def test_trace_heuristic_takes_the_largest_counts():
    found = sc.match_table([[5, 4], [4, 0]], method="trace_heuristic", rng=0)
    assert found.pairs.tolist() == [[0, 0], [1, 1]]
    assert (found.objective, found.diagonal, found.n_optimal) == (5, 5 / 13, None)
    assert "method trace_heuristic" in str(found.summary())
    rng = np.random.default_rng(3)
    for _ in range(50):   # at least half the largest trace
        table = rng.poisson(rng.gamma(0.5, 6.0, rng.integers(1, 6, 2))) + 1
        best = sc.match_table(table, rng=0).objective
        assert 2 * sc.match_table(table, method="trace_heuristic", rng=0).objective >= best
