"""Hard and rough sides: D1 to D7 against stored values, the definition and each other."""

import itertools
import time
import warnings

import numpy as np
import pytest
from naive.transport import transport_value
from transport_cases import load_cases

import softclust as sc
from softclust import _kernels
from softclust._kernels._jit import JIT_ENABLED
from softclust._transport import rough, rough_hausdorff
from softclust._transport.problem import Limits, Problem, Side
from softclust._transport.rough_types import rough_types, types_of_masks
from softclust._transport.solvers import solvers

BASES = ("rand", "partition")
ENDS = ("lower", "upper")
EXACT = ("D1", "D2", "D3", "D4", "D5", "D6", "D7")
CASES = [case for case in load_cases() if case.expected
         and {Side(case.x).kind, Side(case.y).kind} in ({"hard", "rough"}, {"rough"})]


# -- what the tests need ------------------------------------------------------------------------
def problem(x, y, base):
    return Problem(x=Side(x), y=Side(y), base=base)


def of_sets(sets, c):
    """A rough clustering, or a hard one when every set is one label."""
    upper = [[k in s for k in range(c)] for s in sets]
    return sc.RoughClustering.from_upper(upper)


def run(name, p, end, limits=None):
    """A solver called directly; None when it does not serve this problem."""
    s = solvers()[name]
    limits = limits or Limits()
    if p.base not in s.bases or end not in s.ends or s.fits(p, limits):
        return None
    # D2 and D5 are for a hard side, D3 and D6 for two rough ones.
    if (name in ("D2", "D5")) != ("hard" in p.kinds) and name in ("D2", "D3", "D5", "D6",
                                                                  "D6 bounds"):
        return None
    return s.function(p, end, limits)


def assert_all_solvers(x, y, expected):
    """Every solver that fits finds `expected[base][end]`, the bounds enclose it."""
    for base in BASES:
        p = problem(x, y, base)
        for end in ENDS:
            truth = expected[base][end] * p.most
            found = 0
            for name in EXACT:
                finding = run(name, p, end)
                if finding is not None:
                    found += 1
                    assert finding.low == finding.high == pytest.approx(truth, abs=1e-6), (
                        name, base, end)
                    assert finding.status == "ok"
                    assert finding.solver in (name, "D6 bounds")
            assert found
            finding = run("D6 bounds", p, end)
            if finding is not None:
                assert finding.low <= truth + 1e-6
                assert truth - 1e-6 <= finding.high


def random_sets(rng, n, c, most=4, single=0.5):
    """n random label sets."""
    return [frozenset(rng.choice(c, 1 if rng.random() < single else
                                 rng.integers(1, min(c, most) + 1), replace=False).tolist())
            for _ in range(n)]


def permuted(sets, order, labels):
    return [frozenset(int(labels[v]) for v in sets[i]) for i in order]


def definition(x, y):
    laws = [[{s: 1} for s in side] for side in (x, y)]
    return {base: {end: transport_value(*laws, base, float(end == "upper")) for end in ENDS}
            for base in BASES}


def type_arrays(rng, n_types, k, c, most):
    """Random types with many objects."""
    a, b = rng.integers(1, 1 << k, n_types), rng.integers(1, 1 << c, n_types)
    return a, b, rng.integers(1, most, n_types)


# -- stored values --------------------------------------------------------------------------------
@pytest.mark.parametrize("case", CASES, ids=repr)
def test_stored_values_from_every_solver(case):
    assert_all_solvers(case.x, case.y, case.expected)


@pytest.mark.parametrize("case", CASES, ids=repr)
def test_stored_values_through_the_door(case):
    if not JIT_ENABLED and case.n > 50:
        pytest.skip("slow without JIT; its solvers are called directly without it too")
    rng = np.random.default_rng(1)
    order = rng.permutation(case.n)
    for base in BASES:
        for x, y in ((case.x, case.y), (case.y.subset(order), case.x.subset(order))):
            found = sc.transport_dissimilarity(x, y, base=base)
            wanted = case.expected[base]
            assert found.exact
            assert found.status == "ok"
            # Integers scaled once: rounding of one division.
            assert found.lower == pytest.approx(wanted["lower"], abs=1e-12)
            assert found.upper == pytest.approx(wanted["upper"], abs=1e-12)
            assert found.value == pytest.approx(wanted["half"], abs=1e-12)


# -- the definition -------------------------------------------------------------------------------
@pytest.mark.parametrize("seed", range(40))
def test_tiny_instances_against_the_definition(seed):
    rng = np.random.default_rng(seed)
    n, c = int(rng.integers(2, 5)), int(rng.integers(1, 5))
    x = random_sets(rng, n, c, single=1.0 if seed % 2 else 0.4)
    y = random_sets(rng, n, c, single=0.3)
    expected = definition(x, y)
    order, labels, others = rng.permutation(n), rng.permutation(c + 2), rng.permutation(c + 1)
    assert_all_solvers(of_sets(x, c), of_sets(y, c), expected)
    assert_all_solvers(of_sets(y, c), of_sets(x, c), expected)
    # Renamed labels, unused ones among them, and objects in another order.
    assert_all_solvers(of_sets(permuted(x, order, labels), c + 2),
                       of_sets(permuted(y, order, others), c + 1), expected)


def test_equal_sides():
    rng = np.random.default_rng(0)
    for _ in range(10):
        x = of_sets(random_sets(rng, 12, 3), 3)
        for base in BASES:
            found = sc.transport_dissimilarity(x, x, base=base)
            assert found.lower == 0.0
            assert found.exact_lower
            assert found.upper_low == 0.0   # d1 of equal sides is 0
            assert found.upper_high == 0.0


def test_a_wider_mask_forgives_and_counts_more():
    rng = np.random.default_rng(3)
    for _ in range(10):
        labels = rng.integers(3, size=20)
        narrow = random_sets(rng, 20, 3)
        wide = [s | {int(rng.integers(3))} for s in narrow]
        for base in BASES:
            less = sc.transport_dissimilarity(labels, of_sets(narrow, 3), base=base)
            more = sc.transport_dissimilarity(labels, of_sets(wide, 3), base=base)
            assert more.lower <= less.lower <= less.upper <= more.upper


def test_relaxed_triangle_is_attained():
    # errata 1.2: x = 1|2|1, y = 1|2|13, z = 1|2|23 at alpha = 1/2.
    x, y, z = ([{0}, {1}, {0}], [{0}, {1}, {0, 2}], [{0}, {1}, {1, 2}])

    def d(one, other):
        return sc.transport_dissimilarity(of_sets(one, 3), of_sets(other, 3), alpha=0.5).value

    assert d(x, z) == pytest.approx(1.5 * (d(x, y) + d(y, z)))   # rho = (1 + alpha)/(2 alpha)


# -- two algorithms, more objects -----------------------------------------------------------------
def test_rows_and_cells_agree_on_fewest_pairs():
    kernels = _kernels.rough_tables
    rng = np.random.default_rng(5)
    for k, c in ((1, 3), (3, 3), (4, 2), (2, 4), (3, 4)):
        cnt = rng.integers(0, 200, (k, 1 << c))
        cnt[:, 0] = 0
        bel, found = np.zeros_like(cnt), np.zeros((2, 3), np.int64)
        kernels.beliefs(cnt, bel)
        kernels.hard_d0(cnt, bel, kernels.all_orders(c), 10 ** 6, found[0])
        kernels.hard_d0(cnt, bel, np.zeros((0, c), np.int64), 10 ** 6, found[1])
        assert (found[:, :2] == found[0, 0]).all()


def most_pairs_by_states(cnt):
    """D5's oracle: column sums as states of a recursion over classes."""
    f = cnt.shape[1]
    c = f.bit_length() - 1
    states = {(0,) * c: 0}
    for row in cnt:
        rows = {(0,) * c}
        for mask in range(1, f):
            labels = [b for b in range(c) if mask >> b & 1]
            for _ in range(row[mask]):
                rows = {tuple(v + (b == place) for b, v in enumerate(t))
                        for t in rows for place in labels}
        new = {}
        for s, value in states.items():
            for t in rows:
                key = tuple(u + v for u, v in zip(s, t))
                new[key] = max(new.get(key, -10 ** 9), value - 2 * sum(v * v for v in t))
        states = new
    n_a = cnt.sum(axis=1)
    return (int(n_a @ n_a) + max(v + sum(u * u for u in s) for s, v in states.items())) // 2


def test_boxes_find_the_most_pairs_of_a_recursion_over_classes():
    kernels = _kernels.rough_tables
    rng = np.random.default_rng(6)
    for k, c, top in ((2, 3, 4), (3, 3, 3), (2, 2, 12), (4, 3, 2), (2, 4, 2)):
        cnt = rng.integers(0, top, (k, 1 << c))
        cnt[:, 0] = 0
        bel, found = np.zeros_like(cnt), np.zeros(3, np.int64)
        kernels.beliefs(cnt, bel)
        _kernels.rough_sizes.hard_d1(bel, 10 ** 6, found)
        assert found[0] == found[1] == most_pairs_by_states(cnt)


def test_prices_and_programs_agree_on_most_moved():
    rng = np.random.default_rng(7)
    for k, c in ((3, 3), (2, 4), (4, 2), (4, 4)):
        m = rng.integers(1, 60, 12)
        types = types_of_masks(1 << rng.integers(0, k, 12), rng.integers(1, 1 << c, 12), m)
        hard = types.hard_first()
        first = rough.most_moved(types, Limits())
        least, most, status = rough.least_kept(hard.swapped(), Limits())
        assert status == "ok"
        assert least == most
        assert first.low == first.high == types.n - least


def test_certified_most_moved_contain_the_program():
    kernels = _kernels.rough_tables
    rng = np.random.default_rng(8)
    tables = rng.integers(0, 9, (15, 3, 8))
    tables[:, :, 0] = 0
    low, high, _ = rough.inner_hard(tables, kernels.H1, Limits())
    bel, bounds = np.zeros((3, 8), np.int64), np.zeros(2, np.int64)
    for table, settled in zip(tables, low[:, 3]):
        kernels.beliefs(table, bel)
        kernels.hard_h1(table, bel, bounds)
        least, most, _ = rough.least_prices(bel, Limits())
        assert bounds[0] <= table.sum() - least == table.sum() - most <= bounds[1]
        assert settled == table.sum() - least
    assert (low[:, 3] == high[:, 3]).all()


def test_many_tables_at_once_equal_single_ones():
    kernels = _kernels.rough_tables
    rng = np.random.default_rng(9)
    tables = rng.integers(0, 6, (6, 3, 8))
    tables[:, :, 0] = 0
    low, high, _ = rough.inner_hard(tables, 15, Limits())
    assert (low == high).all()
    for table, row in zip(tables, low):
        a, b = np.nonzero(table)
        args = 1 << a, b, table[a, b], Limits()
        singles = [f(*args).low for f in (rough.inner_d0, rough.inner_d1, rough.inner_h0,
                                          rough.inner_h1)]
        assert row.tolist() == singles
    only = rough.inner_hard(tables, kernels.H0, Limits())[0]
    assert (only[:, 2] == low[:, 2]).all()
    assert not only[:, [0, 1, 3]].any()


def test_permutations_find_the_fewest_moved():
    rng = np.random.default_rng(10)
    for k, c in ((4, 4), (5, 4), (4, 5)):
        a, b, m = type_arrays(rng, 10, k, c, 30)
        types = types_of_masks(a, b, m)
        size = max(types.k, types.c)
        want = min(sum(int(count) for sx, sy, count in zip(types.x_sets[types.rows],
                                                           types.y_sets[types.cols], types.m)
                       if not any(sx[x] and tau[x] < types.c and sy[tau[x]]
                                  for x in range(types.k)))
                   for tau in itertools.permutations(range(size)))
        found = rough.fewest_moved(types, Limits())
        assert found.low == found.high == want


def test_enumeration_and_enclosure_agree_on_most_pairs():
    rng = np.random.default_rng(11)
    for n_types, k, c in ((5, 3, 3), (4, 3, 4), (6, 2, 3)):
        a, b, m = type_arrays(rng, n_types, k, c, 4)
        types = types_of_masks(a, b, m)
        enclosed = rough_hausdorff.enclose(types, Limits())
        counted = rough_hausdorff.enumerate_all(types, 0, 10 ** 6, Limits())
        assert counted.low == counted.high
        assert counted.n_states > 0
        assert enclosed.low <= counted.low <= enclosed.high
        primed = rough_hausdorff.enumerate_all(types, int(enclosed.low), int(enclosed.high),
                                               Limits())
        assert primed.low == primed.high == counted.low


def test_orders_are_lexicographic():
    for c in range(1, 6):
        assert _kernels.rough_tables.all_orders(c).tolist() == [
            list(p) for p in itertools.permutations(range(c))]


# -- counting -------------------------------------------------------------------------------------
def test_types_are_counted_once_and_without_pairs_of_objects():
    rng = np.random.default_rng(12)
    n = 200_000
    labels = rng.integers(3, size=n)
    upper = np.eye(3, dtype=bool)[labels] | (rng.random((n, 3)) < 0.1)
    p = problem(sc.HardClustering(labels), sc.RoughClustering.from_upper(upper), "rand")
    types = rough_types(p)
    assert rough_types(p) is types
    assert types.n == n
    assert types.m.sum() == n
    masks = (upper << np.arange(3)).sum(axis=1)
    for a, b, m in zip(types.a, types.b, types.m):
        assert m == np.count_nonzero((1 << labels == a) & (masks == b))


# -- many labels ----------------------------------------------------------------------------------
def test_more_labels_than_a_word_holds():
    rng = np.random.default_rng(13)
    c, n = 70, 140
    labels = np.arange(n) % c
    sets = [{int(v)} if rng.random() < 0.9 else {int(v), int(v + 1) % c} for v in labels]
    for x in (sc.HardClustering(labels), of_sets([{int(v), int(v)} for v in labels], c)):
        for base in BASES:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", sc.InexactWarning)
                found = sc.transport_dissimilarity(x, of_sets(sets, c), base=base)
            assert found.lower_low == 0.0 <= found.lower_high
            assert found.upper_low <= found.upper_high
            if base == "partition":
                assert found.exact_lower
                assert found.exact_upper


def test_bounds_for_many_labels_enclose_those_for_few(monkeypatch):
    rng = np.random.default_rng(14)
    for _ in range(6):
        a, b, m = type_arrays(rng, 6, 3, 3, 9)
        for types in (types_of_masks(a, b, m), types_of_masks(1 << (a % 3), b, m)):
            exact = {name: f(types, Limits()) for name, f in (
                ("d0", rough.fewest_pairs), ("h1", rough.most_moved))}
            exact["d1"] = (rough_hausdorff.enclose(types, Limits()) if types.hard_first() is None
                           else rough.most_pairs(types, Limits()))
            with monkeypatch.context() as few:
                few.setattr(rough, "_MOST_CELLS", 0)
                few.setattr(rough, "MOST_SUBSET_LABELS", 0)
                few.setattr(rough, "_MOST_VARIABLES", 0)
                few.setattr(rough_hausdorff, "MOST_SUBSET_LABELS", 0)
                rest = {"d0": rough.fewest_pairs(types, Limits()),
                        "h1": rough.most_moved(types, Limits()),
                        "d1": rough_hausdorff.enclose(types, Limits())
                        if types.hard_first() is None else rough.most_pairs(types, Limits())}
            for name, finding in rest.items():
                assert finding.low <= exact[name].low <= exact[name].high <= finding.high
                assert finding.status != "ok" or name == "d1" or finding.low == finding.high


# -- limits ---------------------------------------------------------------------------------------
def limited(**limit):
    """Truth and finding of each solver on instances that need more than the limit."""
    rng = np.random.default_rng(15)
    for n_types, k, c in ((14, 4, 4), (10, 3, 5), (8, 4, 4)):
        a, b, m = type_arrays(rng, n_types, k, c, 9)
        hard = 1 << (a % k)
        for x, f in ((a, rough.inner_d0), (a, rough.inner_h0), (hard, rough.inner_d0),
                     (hard, rough.inner_d1)):
            yield f(x, b, m, Limits()), f(x, b, m, Limits(**limit))


@pytest.mark.parametrize("nodes", [1, 2, 5, 20, 100])
def test_few_nodes_leave_an_enclosure(nodes):
    open_ends = 0
    for truth, found in limited(max_nodes=nodes):
        assert truth.low == truth.high
        assert found.low <= truth.low <= found.high
        assert found.status == ("ok" if found.low == found.high else "max_nodes")
        open_ends += found.low < found.high
    assert open_ends or nodes > 5


def test_no_time_leaves_an_enclosure():
    for truth, found in limited(deadline=time.monotonic() - 1.0):
        assert found.low <= truth.low <= found.high
        assert found.status == ("ok" if found.low == found.high else "time_limit")


def test_limits_of_most_pairs_and_most_moved():
    rng = np.random.default_rng(16)
    types = types_of_masks(*type_arrays(rng, 12, 3, 3, 9))
    truth = rough_hausdorff.enclose(types, Limits())
    cancelled = Limits(report=lambda fraction, text: False)
    for limits in (Limits(max_nodes=1), Limits(deadline=0.0), cancelled):
        found = rough_hausdorff.enclose(types, limits)
        assert found.low <= truth.low
        assert truth.high <= found.high
        counted = rough_hausdorff.enumerate_all(types_of_masks(types.a[:3], types.b[:3],
                                                               types.m[:3]), 0, 10 ** 6, limits)
        assert counted.low <= counted.high
    moved = rough.most_moved(types, Limits())
    for limits, status in ((Limits(deadline=0.0), "time_limit"), (cancelled, "cancelled")):
        found = rough.most_moved(types, limits)
        assert found.low <= moved.low == moved.high <= found.high
        assert found.status == (status if found.low < found.high else "ok")


def test_enumeration_is_refused_by_its_number_of_states():
    rng = np.random.default_rng(17)
    x, y = (of_sets(random_sets(rng, 60, 3, single=0.2), 3) for _ in range(2))
    p = problem(x, y, "rand")
    assert "max_states is 10" in solvers()["D6"].fits(p, Limits(max_states=10))
    with pytest.warns(sc.InexactWarning):
        found = sc.transport_dissimilarity(x, y, method="exact", max_states=10)
    assert found.status == "max_states"
    assert not found.exact_upper
    assert found.exact_lower


def test_a_failure_of_the_program_is_not_swallowed(monkeypatch):
    import scipy.optimize

    def broken(*args, **kwargs):
        raise MemoryError("no room")

    monkeypatch.setattr(scipy.optimize, "milp", broken)
    types = types_of_masks(np.array([3, 5, 6]), np.array([6, 3, 5]), np.array([4, 5, 6]))
    with pytest.raises(MemoryError, match="no room"):
        rough.least_kept(types, Limits())
