"""Two soft sides: kernels, focal transport, limits; bounds are in test_transport_soft_bounds."""

import itertools
import math

import numpy as np
import pytest
from extensions.transport.transport_cases import evidential, find, load_cases
from extensions.transport.transport_soft_cases import (
    BASES,
    SOFT_CASES,
    assert_bracket,
    permuted,
    problem,
    run,
    slow,
    solved,
    tiny_pairs,
)
from naive.transport_values import transport_value
from strategies import JIT_OFF
from together import SOME_OR_ALL

import softclust as sc
from softclust.extensions.transport import (
    couplings,
    focal_transport,
)
from softclust.extensions.transport.laws import SumLaw
from softclust.extensions.transport.problem import Limits, solvers

BOUNDS = ("coupled_matching", "coupling_bound", "selection_bound", "coupling_descent",
          "size_chords", "cell_chords")


# -- the kernels ----------------------------------------------------------------------------------


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
    found = focal_transport.least_cost(a, b, cost, Limits())
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
        law = SumLaw.of(values, mass, Limits())
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
    law = SumLaw.of(steps, np.full((n, 2), 0.5), Limits())
    expected = sum((2 * k - n) * math.comb(n, k) for k in range(n // 2, n + 1)) / 2 ** n
    assert law.excess(np.array([0]))[0] == pytest.approx(float(expected), rel=1e-12, abs=0)
    far = sum((2 * k - n - 300) * math.comb(n, k) for k in range(650, n + 1)) / 2 ** n
    value, outside = law.excess(np.array([300]))[0], law.dropped * (law.most - 300)
    assert value - outside < far < value   # an upper bound that counts what was dropped
    assert 0 < outside < 2e-4 * far


@slow
def test_sweeps_agree_in_slices():
    """The state between slices is in the arrays: slices of any size give the same bits."""
    case = next(c for c in load_cases() if c.id == "mid-ee-20-70-3-b")
    x, y = couplings.sides(problem(case.x, case.y))
    values = []
    for step in (1000, 7):
        descent = couplings.CouplingDescent(x, y, Limits())
        descent._step = step
        joint = descent.start((0, 1, 2))
        values.append([descent.sweep(joint) for _ in range(2)])
    assert values[0] == values[1]


# -- focal transport ------------------------------------------------------------------------------


@pytest.mark.parametrize("base", BASES)
@SOME_OR_ALL
def test_stored_soft_cases_are_exact(base, whole):
    assert len(SOFT_CASES) >= (5 if JIT_OFF else 60)
    rng = np.random.default_rng(0)
    for case in SOFT_CASES[::1 if whole else 4]:
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


@SOME_OR_ALL
def test_random_tiny_pairs_against_the_definition(whole):
    """All soft pairs: focal transport equals the definition; every certificate holds it."""
    for (x, y), c in tiny_pairs(5, 5 if JIT_OFF else 60 if whole else 15):
        a, b = evidential(x, c), evidential(y, c)
        for base in BASES:
            for end, alpha in (("lower", 0.0), ("upper", 1.0), ("value", 0.3)):
                truth = transport_value(x, y, base, alpha)
                p = problem(a, b, base, alpha)
                exact = run("focal_transport", p, end)
                assert exact.low == exact.high
                # 1e-9: the oracle solves linear programmes
                assert exact.low / p.most == pytest.approx(truth, abs=1e-9), (x, y, base, end)
                for name in BOUNDS:
                    found = run(name, p, end)
                    if found is not None:
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
        few = focal_transport.groups(p)
        (a, mass), (b, other) = (focal_transport.count_law(few.sizes, u) for u in (few.u, few.v))
        counted = focal_transport.least_cost(
            mass, other, focal_transport.count_costs(a, b, few.sizes, base), Limits())
        first, second = (focal_transport.focal_law(z, 10**6, Limits())
                         for z in couplings.sides(p))
        cost, _ = focal_transport._costs(first, second, base, Limits())
        listed = focal_transport.least_cost(first.mass, second.mass, cost, Limits())
        # 1e-12 of n^2 / 2 pairs: sums of some hundred rounded products
        assert counted.low == pytest.approx(listed.low, abs=1e-10)


def test_many_objects_with_few_distinct_rows_are_exact():
    half = np.array([[0.5, 0.5]] * 10 + [[1.0, 0.0]] * 20 + [[0.2, 0.8]] * 6)
    other = np.array([[0.25, 0.75]] * 10 + [[1.0, 0.0]] * 20 + [[0.2, 0.8]] * 6)
    result = sc.transport_dissimilarity(half, other)
    assert result.exact
    assert (result.method_lower, result.n_states) == ("focal_transport", (11 * 7) ** 2)
    held = sc.transport_dissimilarity(half, other, method="certified")
    assert held.value_low <= result.value <= held.value_high


def test_identical_fuzzy_sides_are_at_no_distance():
    u = np.random.default_rng(4).dirichlet([1, 1, 1], size=5)
    result = sc.transport_dissimilarity(u, u[:, [2, 0, 1]])
    assert result.exact
    assert result.value == pytest.approx(0.0, abs=1e-15)   # rounded masses of equal clusterings
    large = np.random.default_rng(4).dirichlet([1, 1, 1], size=10 if JIT_OFF else 60)
    p = problem(sc.FuzzyClustering(large), sc.FuzzyClustering(large), "partition")
    assert run("coupled_matching", p).high == 0.0


def test_concave_in_alpha_and_between_the_ends():
    for (x, y), c in tiny_pairs(6, 2 if JIT_OFF else 8, ("possibilistic", "evidential")):
        a, b = evidential(x, c), evidential(y, c)
        values = [run("focal_transport", problem(a, b, "rand", alpha), "value").low
                  for alpha in (0.0, 0.25, 0.5, 0.75, 1.0)]
        second = np.diff(values, 2)
        assert (second <= 1e-10).all()   # rounding of sums of some hundred terms
        assert values == sorted(values) or min(np.diff(values)) >= -1e-10


def test_one_transport_stopped_gives_a_bracket():
    rng = np.random.default_rng(3)
    a, b, cost = rng.dirichlet(np.ones(300)), rng.dirichlet(np.ones(300)), rng.random((300, 300))
    if JIT_OFF:
        a, b, cost = a[:60] / a[:60].sum(), b[:60] / b[:60].sum(), cost[:60, :60]
    whole = focal_transport.least_cost(a, b, cost, Limits())
    calls = []

    def stop(fraction, text):
        calls.append(fraction)
        return False
    part = focal_transport.least_cost(a, b, cost, Limits(report=stop))
    if calls:
        assert part.status == "cancelled"
        assert part.low <= whole.low <= part.high
        assert part.low < part.high


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
    """max_states refuses the lower end; cancelling the upper end is what is told."""
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
    for base, name, end, key in (("partition", "coupled_matching", "lower", "lower"),
                                 ("partition", "coupling_bound", "upper", "upper"),
                                 ("partition", "selection_bound", "upper", "upper"),
                                 ("rand", "selection_bound", "upper", "upper"),
                                 ("rand", "size_chords", "upper", "upper"),
                                 ("rand", "cell_chords", "lower", "lower"),
                                 ("rand", "coupling_descent", "lower", "lower")):
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
    assert run("focal_transport", p) is None
    assert "max_states is 2e+06" in solvers()["focal_transport"].fits(p, Limits())
