"""Hard and rough sides: the algorithms against stored values, the definition and each other."""

import itertools

import numpy as np
import pytest
from extensions.transport.transport_cases import load_cases, served
from naive.transport_values import transport_value

import softclust as sc
from softclust.extensions.transport import (
    moved_objects,
    rough_sides,
)
from softclust.extensions.transport.monte_carlo import Layout
from softclust.extensions.transport.problem import Limits, Problem, RandomSide, SideParts, solvers
from softclust.extensions.transport.rough_sides import types_of_masks

BASES = ("rand", "partition")
ENDS = ("lower", "upper")
EXACT = ("label_matching", "label_prices", "integer_programs", "type_search", "box_search",
         "choice_enumeration", "two_label_law")
CASES = [case for case in load_cases() if case.expected
         and {RandomSide(case.x).kind, RandomSide(case.y).kind} in ({"hard", "rough"}, {"rough"})]


# -- what the tests need ------------------------------------------------------------------------
def problem(x, y, base):
    return Problem(x=RandomSide(x), y=RandomSide(y), base=base)


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
@pytest.mark.parametrize("seed", [*range(16), *(pytest.param(k, marks=pytest.mark.slow)
                                                for k in range(16, 40))])
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
def fewest_pairs_by_orders(cnt):
    """With a hard side some closest choice lets each class follow an order of the labels."""
    f = cnt.shape[1]
    c = f.bit_length() - 1
    masks = np.arange(f)[:, None] >> np.arange(c) & 1
    rows = [[np.bincount(np.where(masks, order, c).argmin(axis=1), row * (masks.any(axis=1)), c)
             for order in itertools.permutations(range(c))] for row in cnt]
    return int(min((cnt.sum(axis=1)**2).sum() + (sum(t)**2).sum() - 2 * (np.array(t)**2).sum()
                   for t in itertools.product(*rows)) // 2)


def test_rows_and_cells_agree_on_fewest_pairs():
    rng = np.random.default_rng(5)
    for k, c in ((1, 3), (3, 3), (4, 2), (2, 3)):
        cnt = rng.integers(0, 200, (k, 1 << c))
        cnt[:, 0] = 0
        a, b = np.nonzero(cnt)
        cells = rough_sides.fewest_pairs(types_of_masks(1 << a, b, cnt[a, b]), Limits())
        assert fewest_pairs_by_orders(cnt) == cells.low == cells.high


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
    rng = np.random.default_rng(6)
    tables = [np.array(table) for table in NARROW]
    for k, c, top in [(2, 3, 4), (3, 3, 3), (2, 2, 12), (4, 3, 2), (2, 4, 2)] + 40 * [(3, 3, 2)]:
        tables.append(rng.integers(0, top, (k, 1 << c)) * (rng.random((k, 1 << c)) < 0.8))
    for cnt in tables:
        cnt[:, 0] = 0
        search = rough_sides.BoxSearch(*cnt.shape)
        search.begin(cnt)
        search.run(10 ** 6)
        low, high, _ = search.bounds()
        assert low == high == most_pairs_by_states(cnt)


def pairs(labels, others):
    return sum((labels[i] == labels[j]) != (others[i] == others[j])
               for i in range(len(labels)) for j in range(i))


def labels_of(mask):
    return [v for v in range(mask.bit_length()) if mask >> v & 1]


def test_the_search_over_cells_prunes_nothing_better():
    # Begun with one more than the optimum, it has to find the optimum.
    rng = np.random.default_rng(18)
    for _ in range(30):
        a, b, m = type_arrays(rng, 5, 3, 3, 4)
        sets = [masks[:, None] >> np.arange(3) & 1 == 1 for masks in (a, b)]
        cells = [[(x, y) for x in labels_of(int(u)) for y in labels_of(int(v))]
                 for u, v in zip(a, b)]
        best = min(pairs(*zip(*[cell for cell, count in zip(chosen, m) for _ in range(count)]))
                   for chosen in itertools.product(*cells))
        search = rough_sides.TypeSearch(*sets, np.arange(3)[None])
        assert search.started(m[None])[0] >= best
        search.begin(m, best + 1)
        search.run(10 ** 6)
        assert search.finished
        assert search.bounds()[:2] == (best, best)


def test_prices_and_programs_agree_on_most_moved():
    rng = np.random.default_rng(7)
    for k, c in ((3, 3), (2, 4), (4, 2), (4, 4)):
        m = rng.integers(1, 60, 12)
        types = types_of_masks(1 << rng.integers(0, k, 12), rng.integers(1, 1 << c, 12), m)
        hard = types.hard_first()
        first = moved_objects.most_moved(types, Limits())
        least, most, status = moved_objects.least_kept(hard.swapped(), Limits())
        assert status == "ok"
        assert least == most
        assert first.low == first.high == types.n - least


def test_bounds_by_prices_contain_the_program():
    rng = np.random.default_rng(8)
    for k, c in ((3, 3), (2, 3), (4, 3), (4, 4)):
        tables = rng.integers(0, 9, (8, k, 1 << c)) // rng.integers(1, 4, (8, k, 1 << c))
        tables[:, :, 0] = 0
        for table, low, high in zip(tables, *moved_objects.bounds_by_prices(tables)):
            a, b = np.nonzero(table)
            side = types_of_masks(1 << a, b, table[a, b]).hard_first().swapped()
            least, most, _ = moved_objects.least_kept(side, Limits())
            assert low <= table.sum() - least == table.sum() - most <= high


def test_many_tables_at_once_equal_single_ones():
    rng = np.random.default_rng(9)
    tables = rng.integers(0, 6, (6, 3, 8))
    tables[:, :, 0] = 0
    sets = np.arange(8)
    for base, end, single in (("rand", "lower", rough_sides.fewest_pairs),
                              ("rand", "upper", rough_sides.most_pairs),
                              ("partition", "lower", moved_objects.fewest_moved),
                              ("partition", "upper", moved_objects.most_moved)):
        parts = SideParts(fixed=np.zeros(1, int), fixed_sets=np.eye(3, dtype=bool),
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
        found = moved_objects.fewest_moved(types, Limits())
        assert found.low == found.high == want


def test_enumeration_and_enclosure_agree_on_most_pairs():
    rng = np.random.default_rng(11)
    for n_types, k, c in ((5, 3, 3), (4, 3, 4), (6, 2, 3)):
        a, b, m = type_arrays(rng, n_types, k, c, 4)
        types = types_of_masks(a, b, m)
        enclosed = rough_sides.bound_choices(types, Limits())
        counted = rough_sides.enumerate_choices(types, Limits())
        assert counted.low == counted.high
        assert counted.n_states > 0
        assert enclosed.low <= counted.low <= enclosed.high


@pytest.mark.parametrize("cells", [0, 1 << 20])
def test_objects_that_may_have_two_labels_are_counted_by_loops(monkeypatch, cells):
    monkeypatch.setattr(rough_sides, "_DENSE_SETS", cells)
    types = types_of_masks(*type_arrays(np.random.default_rng(12), 10, 3, 4, 9))
    expected = np.zeros((4, 4), int)
    for sx, sy, count in zip(types.x_sets[types.rows], types.y_sets[types.cols], types.m):
        for a, b in itertools.product(np.flatnonzero(sx), np.flatnonzero(sy)):
            expected[a, b] += count
    np.testing.assert_array_equal(rough_sides.meetings(types), expected)
