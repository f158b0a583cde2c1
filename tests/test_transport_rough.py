"""Hard and rough sides: the algorithms against stored values, the definition and each other."""

import itertools

import numpy as np
import pytest
from naive.transport_values import transport_value
from transport_cases import load_cases, served

import softclust as sc
from softclust._kernels._jit import JIT_ENABLED
from softclust.transport import (
    _kernels,
    box_search,
    choice_bounds,
    choice_enumeration,
    integer_programs,
    label_matching,
    label_prices,
    type_search,
)
from softclust.transport.count_tables import Layout
from softclust.transport.parts import Parts
from softclust.transport.problem import Limits, Problem, Side
from softclust.transport.rough_types import types_of_masks
from softclust.transport.solvers import solvers

BASES = ("rand", "partition")
ENDS = ("lower", "upper")
EXACT = ("label_matching", "label_prices", "integer_programs", "type_search", "box_search",
         "choice_enumeration", "two_label_law")
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
    if not served(name, p.base, end) or s.fits(p, limits):
        return None
    one_hard, two_rough = ("label_prices", "box_search"), (
        "integer_programs", "choice_enumeration", "choice_bounds")
    if (name in one_hard and "hard" not in p.kinds) or (name in two_rough and "hard" in p.kinds):
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
            assert found
            finding = run("choice_bounds", p, end)
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
    rng = np.random.default_rng(5)
    for k, c in ((1, 3), (3, 3), (4, 2), (2, 3)):
        cnt = rng.integers(0, 200, (k, 1 << c))
        cnt[:, 0] = 0
        bel = np.zeros_like(cnt)
        orders = choice_bounds.list_orders(c)
        _kernels.hard_tables.beliefs(cnt, bel)
        found = _kernels.choices.closest_rows(bel, orders, np.zeros((k, len(orders), c), int),
                                              np.zeros(k, int))
        a, b = np.nonzero(cnt)
        cells = type_search.fewest_pairs(types_of_masks(1 << a, b, cnt[a, b]), Limits())
        assert found == cells.low == cells.high


def most_pairs_by_states(cnt):
    """The oracle of the box search: column sums as states of a recursion over classes."""
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


#: tables with an optimum that one column sum alone gives, next to a split of the box
NARROW = ([[0, 0, 0, 0, 1, 1, 0, 0], [0, 0, 0, 0, 0, 0, 1, 0], [0, 0, 0, 0, 0, 0, 1, 0]],
          [[0, 0, 0, 0, 0, 0, 1, 0], [0, 0, 0, 1, 0, 0, 0, 0], [0, 1, 0, 1, 0, 0, 0, 0]])


def test_boxes_find_the_most_pairs_of_a_recursion_over_classes():
    kernels = _kernels.hard_tables
    rng = np.random.default_rng(6)
    tables = [np.array(table) for table in NARROW]
    for k, c, top in [(2, 3, 4), (3, 3, 3), (2, 2, 12), (4, 3, 2), (2, 4, 2)] + 40 * [(3, 3, 2)]:
        tables.append(rng.integers(0, top, (k, 1 << c)) * (rng.random((k, 1 << c)) < 0.8))
    for cnt in tables:
        cnt[:, 0] = 0
        bel, found = np.zeros_like(cnt), np.zeros(3, np.int64)
        kernels.beliefs(cnt, bel)
        _kernels.box_search.hard_d1(bel, 10 ** 6, found)
        assert found[0] == found[1] == most_pairs_by_states(cnt)


def pairs(labels, others):
    return sum((labels[i] == labels[j]) != (others[i] == others[j])
               for i in range(len(labels)) for j in range(i))


def labels_of(mask):
    return [v for v in range(mask.bit_length()) if mask >> v & 1]


def test_the_search_over_cells_prunes_nothing_better():
    # Begun with one more than the optimum, it has to find the optimum.
    kernels = _kernels.type_search
    rng = np.random.default_rng(18)
    for _ in range(30):
        a, b, m = type_arrays(rng, 5, 3, 3, 4)
        search, _ = kernels.d0_begin(a, b, m, 3, 3, np.arange(3)[None])
        fixed, _, _, counts, first, cell_a, cell_b = search[:7]
        best = min(pairs([cell_a[j] for j in objects] + [x for x, y in settled],
                         [cell_b[j] for j in objects] + [y for x, y in settled])
                   for settled in [[(x, y) for x, y in np.argwhere(fixed >= 0)
                                    for _ in range(fixed[x, y])]]
                   for cells in itertools.product(*(range(u, v) for u, v
                                                    in itertools.pairwise(first)))
                   for objects in [np.repeat(np.array(cells, int), counts)])
        state = search[11]
        state[kernels.BEST] = best + 1
        kernels.d0_search(*search, 10 ** 6)
        assert state[kernels.FINISHED] == 1
        assert state[kernels.BEST] == best


def test_the_bound_of_a_policy_is_the_most_pairs_over_all_choices():
    kernels = _kernels.choices
    rng = np.random.default_rng(19)
    for _ in range(15):
        a, b = rng.integers(1, 8, 5), rng.integers(1, 8, 5)
        masks, group = np.unique(b, return_inverse=True)
        policy = np.array([[rng.choice(labels_of(int(mask))) for mask in masks]
                           for _ in range(3)])
        most = max(pairs(labels, [policy[x, g] for x, g in zip(labels, group)])
                   for labels in itertools.product(*(labels_of(int(mask)) for mask in a)))
        args = a, group, np.ones(5, np.int64), policy, 3, 3
        spent = np.zeros(1, np.int64)
        assert kernels.most_of_policy(*args, 100, 9, 10 ** 6, spent) == most
        assert kernels.most_of_policy(*args, max(most - 1, 0), 9, 10 ** 6, spent) == max(most - 1,
                                                                                         0)
        assert kernels.most_of_policy(*args, 100, 9, 1, spent) >= most
        assert kernels.most_of_policy(*args, 100, 1, 10 ** 6, spent) in (-1, most)


def test_bounds_of_what_every_table_keeps():
    kernels = _kernels.hard_tables
    rng = np.random.default_rng(20)
    for k, c in ((3, 3), (2, 3), (4, 3), (4, 4)):
        for top in (2, 5):
            cnt = rng.integers(0, top, (k, 1 << c))
            cnt[:, 0] = 0
            bel = np.zeros_like(cnt)
            kernels.beliefs(cnt, bel)
            a, b = np.nonzero(cnt)
            side = types_of_masks(1 << a, b, cnt[a, b]).hard_first().swapped()
            least, most, _ = integer_programs.least_kept(side, Limits())
            assert least == most
            for rounds in (1, 2, 10, 40):
                assert kernels.mixed_bound(cnt, max(k, c), rounds, 10 ** 6) <= least
            assert -(-cnt.sum() // max(k, c)) <= kernels.even_bound(bel, k, max(k, c)) <= least


def test_prices_and_programs_agree_on_most_moved():
    rng = np.random.default_rng(7)
    for k, c in ((3, 3), (2, 4), (4, 2), (4, 4)):
        m = rng.integers(1, 60, 12)
        types = types_of_masks(1 << rng.integers(0, k, 12), rng.integers(1, 1 << c, 12), m)
        hard = types.hard_first()
        first = label_prices.most_moved(types, Limits())
        least, most, status = integer_programs.least_kept(hard.swapped(), Limits())
        assert status == "ok"
        assert least == most
        assert first.low == first.high == types.n - least


def test_certified_most_moved_contain_the_program():
    kernels = _kernels.hard_tables
    rng = np.random.default_rng(8)
    tables = rng.integers(0, 9, (15, 3, 8))
    tables[:, :, 0] = 0
    bel, bounds = np.zeros((3, 8), np.int64), np.zeros(2, np.int64)
    for table in tables:
        kernels.beliefs(table, bel)
        kernels.hard_h1(table, bel, bounds)
        a, b = np.nonzero(table)
        side = types_of_masks(1 << a, b, table[a, b]).hard_first().swapped()
        least, most, _ = integer_programs.least_kept(side, Limits())
        assert bounds[0] <= table.sum() - least == table.sum() - most <= bounds[1]


def test_many_tables_at_once_equal_single_ones():
    rng = np.random.default_rng(9)
    tables = rng.integers(0, 6, (6, 3, 8))
    tables[:, :, 0] = 0
    sets = np.arange(8)
    for base, end, single in (("rand", "lower", type_search.fewest_pairs),
                              ("rand", "upper", box_search.most_pairs),
                              ("partition", "lower", label_matching.fewest_moved),
                              ("partition", "upper", label_prices.most_moved)):
        parts = Parts(fixed=np.zeros(1, int), fixed_sets=np.eye(3, dtype=bool),
                      random_sets=(sets[:, None] >> np.arange(3) & 1).astype(bool),
                      mass=np.ones((1, 8)), n_labels=3, hard="fixed")
        solved = Layout(parts, base).solve(tables.reshape(6, -1), end, Limits())
        assert (solved.low == solved.high).all()
        for table, low in zip(tables, solved.low):
            a, b = np.nonzero(table)
            assert low == single(types_of_masks(1 << a, b, table[a, b]), Limits()).low


def test_programs_find_the_fewest_moved():
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
        found = label_matching.fewest_moved(types, Limits())
        assert found.low == found.high == want


def test_enumeration_and_enclosure_agree_on_most_pairs():
    rng = np.random.default_rng(11)
    for n_types, k, c in ((5, 3, 3), (4, 3, 4), (6, 2, 3)):
        a, b, m = type_arrays(rng, n_types, k, c, 4)
        types = types_of_masks(a, b, m)
        enclosed = choice_bounds.enclose(types, Limits())
        counted = choice_enumeration.enumerate_all(types, 0, 10 ** 6, Limits())
        assert counted.low == counted.high
        assert counted.n_states > 0
        assert enclosed.low <= counted.low <= enclosed.high
        primed = choice_enumeration.enumerate_all(types, int(enclosed.low), int(enclosed.high),
                                               Limits())
        assert primed.low == primed.high == counted.low
