"""Two soft sides: F1 exact, F2 to F6 certificates; F3 to F5 with a rough side as well."""

import itertools
import math
import warnings

import numpy as np
import pytest
from naive.transport import transport_value
from strategies import JIT_OFF
from transport_cases import evidential, find, load_cases

import softclust as sc
from softclust import _kernels
from softclust._transport import (
    couplings,
    soft,
    soft_bounds,
    soft_boxes,
    soft_chords,
    soft_counts,
    soft_exact,
)
from softclust._transport.problem import Limits, Problem, Side
from softclust._transport.solvers import solvers

BASES = ("rand", "partition")
SOFT = ("fuzzy", "possibilistic", "evidential")


def chosen(wanted):
    """Stored cases of these kinds; without JIT a few small ones. Content decides the kind."""
    cases = [case for case in load_cases() if case.expected
             and wanted({Side(case.x).kind, Side(case.y).kind} & {"hard", "rough"})]
    return [case for case in cases if case.n <= 4][::5] if JIT_OFF else cases


SOFT_CASES = chosen(lambda certain: not certain)
#: sides that F3, F4 and F5 also serve
HALF_CASES = chosen(lambda certain: certain == {"rough"})
slow = pytest.mark.skipif(JIT_OFF, reason="150 objects or more: minutes without JIT, and smaller "
                          "ones go the same way")


# -- what the tests need --------------------------------------------------------------------------


def problem(x, y, base="rand", alpha=0.5):
    return Problem(x=Side(x), y=Side(y), base=base, alpha=alpha)


def run(name, p, end="lower", limits=None):
    """A solver called directly; None when it does not serve this problem."""
    s = solvers()[name]
    limits = limits or Limits()
    if p.base not in s.bases or end not in s.ends or s.fits(p, limits):
        return None
    return s.function(p, end, limits)


def random_law(rng, n, c, kind):
    """A small random side as a list over objects of {set of labels: mass}."""
    sets = [frozenset(s) for k in range(1, c + 1) for s in itertools.combinations(range(c), k)]
    if kind == "fuzzy":
        sets = sets[:c]
    rows = []
    for _ in range(n):
        few = [sets[k] for k in rng.permutation(len(sets))[:rng.integers(1, 4)]]
        if kind == "possibilistic":   # nested
            order = rng.permutation(c)
            few = [frozenset(order[:k].tolist()) for k in range(1, rng.integers(1, c + 1) + 1)]
        # Multiples of 1/8 sum to 1 exactly.
        cuts = np.sort(rng.choice(np.arange(1, 8), len(few) - 1, replace=False))
        parts = np.diff(np.concatenate([[0], cuts, [8]])) / 8
        rows.append({s: float(m) for s, m in zip(few, parts)})
    return rows


def tiny_pairs(seed, count, kinds=SOFT):
    rng = np.random.default_rng(seed)
    for _ in range(count):
        n, c = int(rng.integers(2, 5)), int(rng.integers(2, 4))
        yield tuple(random_law(rng, n, c, kinds[rng.integers(len(kinds))]) for _ in range(2)), c


def permuted(z, rng):
    """The same clustering with its labels renamed."""
    if z.kind == "evidential":
        order = rng.permutation(z.n_clusters)
        return sc.EvidentialClustering(z.mass, np.asarray(z.focal_sets)[:, order])
    values = z.membership if z.kind == "fuzzy" else z.typicality
    return type(z)(values[:, rng.permutation(z.n_clusters)])


def assert_bracket(finding, truth, p, what):
    """The certificate holds the truth, up to the allowance for rounding that the walk adds."""
    assert finding.low <= truth * p.most + p.rounding, (what, finding, truth * p.most)
    assert finding.high >= truth * p.most - p.rounding, (what, finding, truth * p.most)


# -- the kernels ----------------------------------------------------------------------------------


def solved(a, b, cost):
    t = _kernels.transport
    m, k = cost.shape
    plan, u, v = np.empty((m, k)), np.empty(m), np.empty(k)
    value = t.small_transport(a, b, cost, plan, u, v, np.empty(t.work_size(m, k)),
                              np.empty(t.marks_size(m, k), dtype=np.int64))
    return value, plan, u, v


@pytest.mark.parametrize("seed", range(30))
def test_small_transport_is_proved_by_its_prices(seed):
    rng = np.random.default_rng(seed)
    m, k = rng.integers(1, 8, 2)
    a, b = rng.dirichlet(np.full(m, 0.5)), rng.dirichlet(np.full(k, 0.5))
    whole = seed % 2 == 0
    cost = rng.integers(-1, 2, (m, k)).astype(float) if whole else rng.random((m, k))
    value, plan, u, v = solved(a, b, cost)
    # Each number is some ten additions away from the data.
    np.testing.assert_allclose(plan.sum(axis=1), a, atol=1e-15)
    np.testing.assert_allclose(plan.sum(axis=0), b, atol=1e-15)
    assert (plan >= 0).all()
    assert (u[:, None] + v <= cost + 1e-15).all()
    assert a @ u + b @ v == pytest.approx(value, abs=1e-14)
    if whole:
        assert (np.rint(u) == u).all()
        assert (np.rint(v) == v).all()


def test_small_transport_of_hard_problems():
    """Permutation matrices and equal costs: degenerate at every step."""
    one = np.full(5, 0.2)
    shifted = 1.0 - np.roll(np.eye(5), 2, axis=1)
    value, plan, _, _ = solved(one, one, shifted)
    assert value == 0.0
    np.testing.assert_array_equal(plan, np.roll(np.eye(5), 2, axis=1) * 0.2)
    assert solved(one, one, np.ones((5, 5)))[0] == pytest.approx(1.0, abs=1e-15)
    assert solved(np.ones(1), np.ones(1), np.full((1, 1), -3.0))[0] == -3.0
    # Masses that rounding left unequal: what remains stays, nothing loops.
    assert solved(np.array([0.5, 0.5]), np.array([0.3, 0.7 - 1e-16]),
                  np.array([[0.0, 1.0], [2.0, 0.0]]))[0] == pytest.approx(0.2, abs=1e-14)


def test_larger_transport_against_linear_programming():
    rng = np.random.default_rng(1)
    m, k = 18, 25
    a, b, cost = rng.dirichlet(np.ones(m)), rng.dirichlet(np.ones(k)), rng.random((m, k))
    from scipy.optimize import linprog
    rows = np.concatenate([np.kron(np.eye(m), np.ones(k)), np.kron(np.ones(m), np.eye(k))])
    other = linprog(cost.ravel(), A_eq=rows, b_eq=np.concatenate([a, b * a.sum() / b.sum()]))
    found = soft_exact.least_cost(a, b, cost, Limits())
    assert found.low == found.high
    assert found.low == pytest.approx(other.fun, abs=1e-7)   # the tolerance of HiGHS


def test_laws_of_sums_against_listing():
    rng = np.random.default_rng(2)
    for _ in range(10):
        n, f = rng.integers(1, 5), rng.integers(1, 4)
        values = rng.integers(-3, 4, (n, f)).astype(float)
        mass = rng.dirichlet(np.ones(f), size=n) * 1.0
        mass[rng.random((n, f)) < 0.2] = 0.0
        mass[:, 0] += 1.0 - mass.sum(axis=1)
        law = couplings.SumLaw(values, mass, Limits())
        s = np.arange(-15, 16)
        listed = np.zeros(s.size)
        for pick in itertools.product(range(f), repeat=int(n)):
            p = math.prod(mass[i, k] for i, k in enumerate(pick))
            total = sum(values[i, k] for i, k in enumerate(pick))
            listed += p * np.maximum(total - s, 0)
        np.testing.assert_allclose(law.excess(s), listed, atol=1e-13)
        assert law.mean == pytest.approx(listed[0] + s[0], abs=1e-13)


@slow
def test_law_keeps_tails_and_drops_nothing_that_counts():
    """1000 fair steps: the tail 15 standard deviations out still has its size."""
    n = 1000
    steps = np.tile([-1.0, 1.0], (n, 1))
    law = couplings.SumLaw(steps, np.full((n, 2), 0.5), Limits())
    expected = sum((2 * k - n) * math.comb(n, k) for k in range(n // 2, n + 1)) / 2 ** n
    assert law.excess(np.array([0]))[0] == pytest.approx(float(expected), rel=1e-12)
    far = sum((2 * k - n - 300) * math.comb(n, k) for k in range(650, n + 1)) / 2 ** n
    assert law.excess(np.array([300]))[0] == pytest.approx(float(far), rel=1e-9)


@slow
def test_sweeps_agree_in_slices():
    """The state between slices is in the arrays: slices of any size give the same bits."""
    case = next(c for c in load_cases() if c.id == "mid-ee-20-70-3-b")
    x, y = soft_bounds.sides(problem(case.x, case.y))
    values = []
    for step in (1000, 7):
        descent = soft.Descent(x, y, Limits())
        descent._step = step
        joint = descent.start((0, 1, 2))
        values.append([descent.sweep(joint) for _ in range(2)])
    assert values[0] == values[1]


# -- F1 -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("base", BASES)
def test_stored_soft_cases_are_exact(base):
    assert len(SOFT_CASES) >= (5 if JIT_OFF else 60)
    rng = np.random.default_rng(0)
    for case in SOFT_CASES:
        order = rng.permutation(case.n)
        for x, y in ((case.x, case.y),
                     (permuted(case.y, rng).subset(order), permuted(case.x, rng).subset(order))):
            result = sc.transport_dissimilarity(x, y, base=base)
            assert result.exact, case.id
            for end, found in (("lower", result.lower), ("upper", result.upper),
                               ("half", result.value)):
                # 1e-12: sums of at most a thousand rounded products
                assert found == pytest.approx(case.expected[base][end], abs=1e-12), (case.id, end)


def test_padding_labels_changes_nothing():
    for case in SOFT_CASES[:12]:
        if case.x.kind != "fuzzy":
            continue
        wide = sc.FuzzyClustering(np.column_stack([np.zeros(case.n), case.x.membership]))
        assert sc.transport_dissimilarity(wide, case.y).value == pytest.approx(
            case.expected["rand"]["half"], abs=1e-12)


def test_random_tiny_pairs_against_the_definition():
    """All soft pairs: F1 equals the definition; every certificate holds it."""
    for (x, y), c in tiny_pairs(5, 5 if JIT_OFF else 60):
        a, b = evidential(x, c), evidential(y, c)
        for base in BASES:
            for end, alpha in (("lower", 0.0), ("upper", 1.0), ("value", 0.3)):
                truth = transport_value(x, y, base, alpha)
                p = problem(a, b, base, alpha)
                exact = run("F1", p, end)
                assert exact.low == exact.high
                # 1e-9: the oracle solves linear programmes
                assert exact.low / p.most == pytest.approx(truth, abs=1e-9), (x, y, base, end)
                for name in ("F2", "F3", "F4", "F5", "F6", "F7", "F8"):
                    found = run(name, p, end)
                    if found is not None and not (name == "F6" and not p.one_end):
                        assert_bracket(found, exact.low / p.most, p, (name, base, end, x, y))


@pytest.mark.parametrize("base", BASES)
def test_counts_of_equal_rows_equal_listing(base):
    """c = 2, few distinct rows: counts against the list of all labellings."""
    rng = np.random.default_rng(7)
    for _ in range(4 if JIT_OFF else 12):
        n = int(rng.integers(3, 6 if JIT_OFF else 9))
        which = rng.integers(0, 3, n)
        sides = [rng.choice([0.0, 0.25, 0.5, 0.7, 1.0], 3)[which] for _ in range(2)]
        for side in sides:
            side[0] = 0.5   # fuzzy, whatever was drawn
        p = problem(*(sc.FuzzyClustering(np.column_stack([u, 1 - u])) for u in sides), base)
        few = soft_counts.groups(p)
        (a, mass), (b, other) = (soft_counts.count_law(few.sizes, u) for u in (few.u, few.v))
        counted = soft_exact.least_cost(
            mass, other, soft_counts.count_costs(a, b, few.sizes, base), Limits())
        first, second = (soft_exact.focal_law(z, 10**6, Limits()) for z in soft_bounds.sides(p))
        cost, _ = soft_exact._costs(first, second, base, Limits())
        listed = soft_exact.least_cost(first.mass, second.mass, cost, Limits())
        # 1e-12 of n^2 / 2 pairs: sums of some hundred rounded products
        assert counted.low == pytest.approx(listed.low, abs=1e-10)


def test_many_objects_with_few_distinct_rows_are_exact():
    half = np.array([[0.5, 0.5]] * 10 + [[1.0, 0.0]] * 20 + [[0.2, 0.8]] * 6)
    other = np.array([[0.25, 0.75]] * 10 + [[1.0, 0.0]] * 20 + [[0.2, 0.8]] * 6)
    result = sc.transport_dissimilarity(half, other)
    assert result.exact
    assert (result.method_lower, result.n_states) == ("F1", (11 * 7) ** 2)
    held = sc.transport_dissimilarity(half, other, method="certified")
    assert held.value_low <= result.value <= held.value_high


def test_identical_fuzzy_sides_are_at_no_distance():
    u = np.random.default_rng(4).dirichlet([1, 1, 1], size=5)
    result = sc.transport_dissimilarity(u, u[:, [2, 0, 1]])
    assert result.exact
    assert result.value == pytest.approx(0.0, abs=1e-15)   # rounded masses of equal clusterings
    large = np.random.default_rng(4).dirichlet([1, 1, 1], size=10 if JIT_OFF else 60)
    p = problem(sc.FuzzyClustering(large), sc.FuzzyClustering(large), "partition")
    assert run("F2", p).high == 0.0


def test_concave_in_alpha_and_between_the_ends():
    for (x, y), c in tiny_pairs(6, 2 if JIT_OFF else 8, ("possibilistic", "evidential")):
        a, b = evidential(x, c), evidential(y, c)
        values = [run("F1", problem(a, b, "rand", alpha), "value").low
                  for alpha in (0.0, 0.25, 0.5, 0.75, 1.0)]
        second = np.diff(values, 2)
        assert (second <= 1e-10).all()   # rounding of sums of some hundred terms
        assert values == sorted(values) or min(np.diff(values)) >= -1e-10


def test_one_transport_stopped_gives_a_bracket():
    rng = np.random.default_rng(3)
    a, b, cost = rng.dirichlet(np.ones(300)), rng.dirichlet(np.ones(300)), rng.random((300, 300))
    if JIT_OFF:
        a, b, cost = a[:60] / a[:60].sum(), b[:60] / b[:60].sum(), cost[:60, :60]
    whole = soft_exact.least_cost(a, b, cost, Limits())
    calls = []

    def stop(fraction, text):
        calls.append(fraction)
        return False
    part = soft_exact.least_cost(a, b, cost, Limits(report=stop))
    if calls:
        assert part.status == "cancelled"
        assert part.low <= whole.low <= part.high
        assert part.low < part.high


# -- the certificates -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["F2", "F3", "F4", "F5", "F7", "F8"])
@pytest.mark.parametrize("base", BASES)
def test_certificates_hold_the_stored_values(name, base):
    held = 0
    for case in SOFT_CASES + HALF_CASES:
        for x, y in ((case.x, case.y), (case.y, case.x))[:2 if case.n <= 6 else 1]:
            for end, key in (("lower", "lower"), ("upper", "upper"), ("value", "half")):
                p = problem(x, y, base)
                found = run(name, p, end)
                if found is not None:
                    assert_bracket(found, case.expected[base][key], p, (case.id, name, end))
                    held += 1
    assert held >= (0 if base not in solvers()[name].bases else 10 if JIT_OFF else 100)


def test_rough_against_random_sides_held():
    """F3, F4, F5 (and F2) with a rough side, against the definition."""
    rng = np.random.default_rng(8)
    for kind in SOFT * (1 if JIT_OFF else 4):
        n, c = int(rng.integers(2, 5)), int(rng.integers(2, 4))
        y = random_law(rng, n, c, kind)
        upper = np.eye(c, dtype=bool)[rng.integers(c, size=n)] | (rng.random((n, c)) < 0.4)
        x = [{frozenset(np.flatnonzero(row).tolist()): 1.0} for row in upper]
        for base in BASES:
            for end, alpha in (("lower", 0.0), ("upper", 1.0), ("value", 0.5)):
                truth = transport_value(x, y, base, alpha)
                p = problem(evidential(x, c), evidential(y, c), base, alpha)
                for name in ("F2", "F3", "F4", "F5", "F7", "F8"):
                    found = run(name, p, end)
                    if found is not None:
                        assert_bracket(found, truth, p, (name, base, end, x, y))


@slow
@pytest.mark.parametrize("id", ["iris-ecm-like-pair", "iris-fcm-2.0-vs-1.7"])
@pytest.mark.parametrize("base", BASES)
def test_iris_intervals_are_as_narrow_as_the_reference(id, base):
    case = next(c for c in load_cases() if c.id == id)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sc.InexactWarning)
        result = sc.transport_dissimilarity(case.x, case.y, base=base)
    for end in ("lower", "upper"):
        low, high = case.reference[base][end]
        ours = getattr(result, f"{end}_low"), getattr(result, f"{end}_high")
        # Both hold the truth; 10% wider is accepted.
        assert ours[0] <= high
        assert low <= ours[1]
        assert ours[1] - ours[0] <= max(1.1 * (high - low), 1e-6)
    assert result.value_low <= result.value <= result.value_high
    assert result.lower_low <= result.value_low


@slow
def test_farthest_pairs_are_enclosed_narrowly():
    """F4, F5, F7, F8 on the stored cases of 40 to 150 objects: most are certain there."""
    widths, closest = [], []
    for case in SOFT_CASES + HALF_CASES:
        p = problem(case.x, case.y)
        if case.group != "mid" or p.one_end or p.kinds == ("rough", "rough"):
            continue
        low, high = run("F4", p, "upper").low, run("F7", p, "upper").high
        widths.append((high - low) / p.most)
        closest.append((run("F5", p).high - run("F8", p).low) / p.most)
    assert len(widths) >= 10
    # Without F7 and F8 the medians are above .1 and .02.
    assert np.median(widths) < 0.015
    assert np.median(closest) < 0.005


def test_chords_lie_above_squares():
    """E max over labels of |r|^2 / 2 - slope r <= constant, by listing; exact for fuzzy sides."""
    rng = np.random.default_rng(14)
    for kind in SOFT * (2 if JIT_OFF else 5):
        n, c = int(rng.integers(2, 5)), int(rng.integers(2, 4))
        rows = random_law(rng, n, c, kind)
        z = couplings.masses(Side(evidential(rows, c)))
        c = z.c
        for spread in (-2.0, *soft_chords.SPREADS, 1.0):
            chord = soft_chords.chord(z, spread, Limits())
            mean = 0.0
            for sets in itertools.product(*(row.items() for row in rows)):
                p = math.prod(m for _, m in sets)
                sizes = [np.bincount(labels, minlength=c)[:c]
                         for labels in itertools.product(*(s for s, _ in sets))]
                mean += p * max(r @ r / 2 - chord.slope @ r for r in sizes)
            assert mean <= chord.constant + 1e-12
            if kind == "fuzzy":
                assert mean == pytest.approx(chord.constant, abs=1e-12)


def test_lines_lie_above_squared_cells():
    """E T_ab^2 below every line of F8 under the worst coupling of all focal clusterings."""
    rng = np.random.default_rng(16)
    for kind in SOFT * (1 if JIT_OFF else 5):
        n, c = 2 if JIT_OFF else int(rng.integers(2, 4)), 2
        x, y = (couplings.masses(Side(evidential(random_law(rng, n, c, k), c)))
                for k in (kind, "evidential"))
        if x.c != 2 or y.c != 2:
            continue
        sure = [z.mass[:, one] @ z.sets[one].astype(float) for z in (x, y)
                for one in [z.sets.sum(axis=1) == 1]]
        states = [list(itertools.product(*(np.flatnonzero(row) for row in z.mass)))
                  for z in (x, y)]
        laws = [np.array([math.prod(z.mass[i, k] for i, k in enumerate(state)) for state in s])
                for z, s in zip((x, y), states)]
        for a, b in itertools.product(range(c), repeat=2):
            # Objects that may, that must have both labels: T^2 - slope T is convex in T.
            ends = [[(sum(x.sets[s, a] and y.sets[t, b] for s, t in zip(u, v)),
                      sum(x.sets[s, a] and y.sets[t, b] and x.sets[s].sum() == y.sets[t].sum() == 1
                          for s, t in zip(u, v))) for v in states[1]] for u in states[0]]
            for slope, constant in soft_boxes.Cell(x, y, tuple(sure), a, b, Limits()).lines():
                gain = (np.array(ends, dtype=float) ** 2 - slope * np.array(ends)).max(axis=2)
                assert -solved(*laws, -gain)[0] <= constant + 1e-12


def test_positive_parts():
    """Attained by two equally likely values of one size; above any other law."""
    assert soft_chords.positive_part(0.0, 1.0) == 0.5
    assert soft_chords.positive_part(-3.0, 0.0) == 0.0
    z = np.random.default_rng(15).normal(0.3, 2.0, 200)
    assert np.maximum(z, 0).mean() <= soft_chords.positive_part(z.mean(), z.var())


def test_f7_with_hard_and_rough_sides():
    """A hard side leaves one coupling and one direction; rough sides leave both."""
    rng = np.random.default_rng(13)
    for kind in ("hard", "rough", "fuzzy", "evidential"):
        for _ in range(1 if JIT_OFF else 4):
            n, c = int(rng.integers(3, 5)), 3
            x = random_law(rng, n, c, "evidential" if kind in ("rough", "hard") else kind)
            if kind in ("rough", "hard"):
                x = [{max(row, key=len): 1.0} for row in x]
            if kind == "hard":
                x = [{frozenset([min(s) for s in row]): 1.0} for row in x]
            y = [{max(row, key=len): 1.0} for row in random_law(rng, n, c, "evidential")]
            for end, alpha in (("upper", 1.0), ("value", 0.4)):
                p = problem(evidential(x, c), evidential(y, c), "rand", alpha)
                found = solvers()["F7"].function(p, end, Limits())
                assert_bracket(found, transport_value(x, y, "rand", alpha), p, (kind, end, x, y))


@slow
def test_two_large_fuzzy_labels_are_nearly_exact():
    """F6 with F5: the width falls like 1/n; the value is held where F1 still runs."""
    rng = np.random.default_rng(9)
    widths = []
    for n in (100, 1600):
        u = np.column_stack([rng.beta(2, 1, n), np.zeros(n)])
        v = np.column_stack([np.clip(u[:, 0] + rng.normal(0, 0.3, n), 0, 1), np.zeros(n)])
        u[:, 1], v[:, 1] = 1 - u[:, 0], 1 - v[:, 0]
        p = problem(sc.FuzzyClustering(u), sc.FuzzyClustering(v))
        low, high = run("F6", p).low / p.most, run("F5", p).high / p.most
        assert low <= high + 1e-12
        widths.append(high - low)
    assert widths[1] < widths[0] / 8
    few = np.full((10, 2), 0.5)
    p = problem(sc.FuzzyClustering(few), sc.FuzzyClustering(few))
    assert run("F6", p).low == 0.0


def test_f6_is_the_formula():
    """Section 8: E D >= psi(h) - sigma^2 - s^2 / (4 (psi(h') - psi(h)))."""
    u, v = np.array([0.9] * 40 + [0.7] * 20), np.array([0.8] * 30 + [0.6] * 30)
    n = 60
    p = problem(*(sc.FuzzyClustering(np.column_stack([z, 1 - z])) for z in (u, v)))
    h, other = sum(abs(u - v)), sum(abs(u + v - 1))
    sigma = math.sqrt(sum(u * (1 - u))) + math.sqrt(sum(v * (1 - v)))
    fourth = [sum(q * (1 - 6 * q)) + 3 * sum(q) ** 2 for q in (u * (1 - u), v * (1 - v))]
    spread = (abs(n - 2 * h) + abs(n - 2 * other)) * sigma + 2 * (
        fourth[0] ** 0.25 + fourth[1] ** 0.25) ** 2
    gap = other * (n - other) - h * (n - h)
    assert gap > 0
    expected = h * (n - h) - sigma ** 2 - spread ** 2 / (4 * gap)
    # 1e-9 of some hundred pairs: sums in another order
    assert run("F6", p).low == pytest.approx(max(0.0, expected), abs=1e-9)
    assert expected > 0


def test_f6_holds_small_values():
    rng = np.random.default_rng(10)
    for _ in range(3 if JIT_OFF else 20):
        n = int(rng.integers(3, 5 if JIT_OFF else 8))
        x, y = (np.round(rng.beta(0.3, 0.3, n) * 8) / 8 for _ in range(2))
        x[0] = y[0] = 0.5   # fuzzy, whatever was drawn
        p = problem(*(sc.FuzzyClustering(np.column_stack([z, 1 - z])) for z in (x, y)))
        truth = run("F1", p)
        assert run("F6", p).low <= truth.low + p.rounding


def test_couplings_too_large_to_hold(monkeypatch):
    """F5 falls back to the couplings of F2, still a bound."""
    monkeypatch.setattr(soft, "MAX_JOINT", 1)
    for case in SOFT_CASES[:10]:
        p = problem(case.x, case.y)
        assert_bracket(run("F5", p), case.expected["rand"]["lower"], p, case.id)


def test_more_labels_than_can_be_listed():
    """c = 8: one relabelling, the pair sum below; still a certificate."""
    rng = np.random.default_rng(11)
    labels = rng.integers(0, 8, 20)
    labels[:8] = np.arange(8)
    mass = np.zeros((20, 9))
    mass[np.arange(20), labels] = 1.0
    mass[:3] *= 0.5
    mass[:3, 8] = 0.5
    sets = np.vstack([np.eye(8, dtype=bool), np.ones((1, 8), dtype=bool)])
    x = sc.EvidentialClustering(mass, sets)
    fuzzy = np.eye(8)[labels]
    fuzzy[-2:] = 0.5 * fuzzy[-2:] + 0.5 * np.roll(fuzzy[-2:], 1, axis=1)
    y = sc.FuzzyClustering(fuzzy)
    for base in BASES:
        exact = sc.transport_dissimilarity(x, y, base=base, method="exact")
        assert exact.exact
        held = sc.transport_dissimilarity(x, y, base=base, method="certified")
        for end in ("lower", "upper", "value"):
            truth = getattr(exact, end)
            assert getattr(held, f"{end}_low") <= truth + 1e-12
            assert getattr(held, f"{end}_high") >= truth - 1e-12


# -- limits ---------------------------------------------------------------------------------------


def test_limits_leave_a_certificate():
    case = find(id="paper-PM")[0]
    for base in BASES:
        expected = case.expected[base]
        for options in ({"max_states": 1}, {"time_limit": 1e-9},
                        {"progress": lambda fraction, text: False}):
            with pytest.warns(sc.InexactWarning):
                result = sc.transport_dissimilarity(case.x, case.y, base=base, **options)
            assert not result.exact
            assert result.status in ("max_states", "time_limit", "cancelled")
            for end, key in (("lower", "lower"), ("upper", "upper"), ("value", "half")):
                assert getattr(result, f"{end}_low") <= expected[key] + 1e-12
                assert getattr(result, f"{end}_high") >= expected[key] - 1e-12


def test_cancelling_is_said_where_states_were_too_many_before():
    """max_states refuses F1 for the lower end; cancelling the upper end is what is told."""
    case = find(id="paper-PM")[0]

    def progress(fraction, text):
        return "upper" not in text
    with pytest.warns(sc.InexactWarning, match="cancelled"):
        result = sc.transport_dissimilarity(case.x, case.y, base="rand", max_states=1,
                                            progress=progress)
    assert result.status == "cancelled"


def test_a_cancelled_certificate_is_still_one():
    """Cancelled after k looks at the clock, for every k: the bracket holds."""
    case = find(id="paper-PM")[0]
    for base, name, end, key in (("partition", "F2", "lower", "lower"),
                                 ("partition", "F3", "upper", "upper"),
                                 ("partition", "F4", "upper", "upper"),
                                 ("rand", "F4", "upper", "upper"),
                                 ("rand", "F7", "upper", "upper"),
                                 ("rand", "F8", "lower", "lower"),
                                 ("rand", "F5", "lower", "lower")):
        for allowed in (0, 2, 5) if JIT_OFF else (0, 1, 2, 3, 5, 8, 13, 40):
            seen = itertools.count()
            p = problem(case.x, case.y, base)
            limits = Limits(report=lambda fraction, text, seen=seen, k=allowed: next(seen) < k)
            found = run(name, p, end, limits)
            assert_bracket(found, case.expected[base][key], p, (name, allowed))
            assert found.status in ("ok", "cancelled")


def test_states_are_counted_before_they_are_listed():
    u = np.random.default_rng(12).dirichlet([1, 1, 1], size=40)
    p = problem(sc.FuzzyClustering(u), sc.FuzzyClustering(np.roll(u, 1, axis=0)))
    assert run("F1", p) is None
    assert "max_states is 2e+06" in solvers()["F1"].fits(p, Limits())
