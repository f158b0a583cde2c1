"""Transport values of a hard against a fuzzy clustering: every algorithm, every certificate."""

import itertools
import math
import warnings

import numpy as np
import pytest
from extensions.transport.transport_cases import load_cases
from naive.transport_values import transport_value
from scipy.linalg import block_diag
from strategies import JIT_OFF

import softclust as sc
from softclust.extensions.transport import hard_and_random
from softclust.extensions.transport.hard_and_random import random_table
from softclust.extensions.transport.laws import SumLaw, chernoff_positive, expected_positive
from softclust.extensions.transport.plan import PLAN
from softclust.extensions.transport.problem import (
    LimitReached,
    Limits,
    Problem,
    RandomSide,
    solvers,
)

NAMES = ("expected_pairs", "poisson_binomial", "row_laws", "matching_bounds", "subset_recursion")
#: rounding of sums of up to 1e6 positive terms
CLOSE = 1e-12


def problem(x, y, base="partition"):
    return Problem(x=RandomSide(x), y=RandomSide(y), base=base)


CASES = [case for case in load_cases() if case.expected
         and problem(case.x, case.y).kinds == ("hard", "fuzzy")
         and case.n <= (45 if JIT_OFF else 1000)]


def random_pair(rng, n, c, sharp=0.0, classes=None):
    labels = rng.integers(classes or c, size=n)
    u = rng.random((n, c)) ** 2
    u[np.arange(n), labels % c] += sharp
    return sc.HardClustering(labels), sc.FuzzyClustering(u / u.sum(axis=1, keepdims=True))


def run(name, given, **limits):
    """Finding of a solver and its registered record; None when it does not fit."""
    solver, limits = solvers()[name], Limits(**limits)
    if name not in PLAN[(*given.kinds, given.base)]["lower"] or solver.fits(given, limits):
        return None
    return solver.function(given, "lower", limits)


def check(name, given, expected):
    """The finding, if there is one, holds the expected value in [0, 1]."""
    finding = run(name, given)
    if finding is None:
        return False
    slack = given.rounding / given.most + 1e-14
    low, high = finding.low / given.most, finding.high / given.most
    assert low - slack <= expected <= high + slack, name
    if solvers()[name].guarantee == "exact":
        assert low == high
        assert low == pytest.approx(expected, abs=CLOSE), name
    return True


# -- values -----------------------------------------------------------------------------------
@pytest.mark.parametrize("case", CASES, ids=str)
def test_stored_values(case):
    rng = np.random.default_rng(case.n)
    order = rng.permutation(case.n)
    exchanged = (case.x.subset(order), case.y.subset(order))
    for base, expected in case.expected.items():
        for x, y in ((case.x, case.y), (case.y, case.x), exchanged):
            result = sc.transport_dissimilarity(x, y, base=base, tol=1e-13)
            slack = 1e-12 if result.exact else 1e-6
            for name in ("lower", "upper", "value"):
                assert getattr(result, name) == pytest.approx(expected["lower"], abs=slack)
                assert (getattr(result, f"{name}_low") - 1e-14 <= expected["lower"]
                        <= getattr(result, f"{name}_high") + 1e-14)
            assert result.exact or base == "partition"


@pytest.mark.parametrize("case", CASES, ids=str)
def test_every_algorithm_on_stored_cases(case):
    for base, expected in case.expected.items():
        given = problem(case.x, case.y, base)
        ran = [name for name in NAMES if check(name, given, expected["lower"])]
        assert ran


@pytest.mark.parametrize("c", [2, 3, 4])
def test_every_algorithm_against_the_definition(c):
    rng = np.random.default_rng(c)
    ran = set()
    for _ in range(4 if JIT_OFF else 25):
        n = int(rng.integers(2, 6))
        labels, u = rng.integers(int(rng.integers(1, 4)), size=n), rng.random((n, c))
        u *= rng.random((n, c)) < 0.7
        u[np.arange(n), rng.integers(c, size=n)] += rng.random(n)
        x, y = sc.HardClustering(labels), sc.FuzzyClustering(u / u.sum(axis=1, keepdims=True))
        laws = ([{frozenset([int(g)]): 1} for g in labels],
                [{frozenset([k]): v for k, v in enumerate(row) if v} for row in y.membership])
        for base in ("rand", "partition"):
            expected = transport_value(*laws, base, 0.5)
            given = problem(x, y, base)
            if given.kinds == ("hard", "fuzzy"):
                ran |= {name for name in NAMES if check(name, given, expected)}
    assert {"expected_pairs", "matching_bounds", "subset_recursion"} <= ran
    assert c != 3 or "row_laws" in ran


@pytest.mark.parametrize(("n", "c", "sharp", "classes"), [
    (60, 3, 0.0, 3), (90, 3, 1.0, 2), (14, 4, 0.2, 3), (10, 5, 0.5, 4)])
def test_exact_algorithms_agree_and_certificates_hold(n, c, sharp, classes):
    if JIT_OFF and n > 20:
        n = 15
    rng = np.random.default_rng(n)
    given = problem(*random_pair(rng, n, c, sharp, classes))
    found = {name: run(name, given) for name in NAMES}
    exact = [f.low for name, f in found.items() if f and solvers()[name].guarantee == "exact"]
    assert exact
    assert max(exact) - min(exact) < CLOSE * n
    for finding in filter(None, found.values()):
        assert finding.low - given.rounding <= exact[0] <= finding.high + given.rounding


def test_certain_labels_cost_no_states():
    rng = np.random.default_rng(0)
    x, y = random_pair(rng, 12, 4, classes=4)
    u = np.concatenate([y.membership, np.eye(4)[rng.integers(4, size=100)]])
    labels = np.concatenate([x.labels, rng.integers(4, size=100)])
    given = problem(sc.HardClustering(labels), sc.FuzzyClustering(u))
    exact, bounds = run("subset_recursion", given), run("matching_bounds", given)
    assert bounds.low - given.rounding <= exact.low <= bounds.high + given.rounding


def test_prices_make_bounds_narrow_where_classes_want_the_same_label():
    u = np.repeat([[0.9, 0.1, 0.0], [0.7, 0.3, 0.0]], 60, axis=0)
    u[::7] = [0.5, 0.0, 0.5]
    given = problem(sc.HardClustering(np.repeat([0, 1], 60)), sc.FuzzyClustering(u))
    exact = run("subset_recursion", given).low
    # Four more classes of three objects, certain of labels of their own: too many orders of labels
    # to couple, so the prices alone bound what other matchings gain.
    more = problem(sc.HardClustering(np.repeat(range(6), (60, 60, 3, 3, 3, 3))),
                   sc.FuzzyClustering(block_diag(u, np.repeat(np.eye(4), 3, axis=0))))
    for each in (given, more):
        found = run("matching_bounds", each)
        assert found.low - each.rounding <= exact <= found.high + each.rounding
        # Without prices class 1 would lose E(T[1, 0] - T[1, 1]), some 25 objects.
        assert found.high - found.low < 1.0


@pytest.mark.skipif(JIT_OFF, reason="3000 objects are many without JIT")
def test_many_objects_with_two_labels_by_chernoff():
    rng = np.random.default_rng(1)
    for sharp in (0.0, 0.02, 1.0):
        given = problem(*random_pair(rng, 3000, 2, sharp))
        exact = run("poisson_binomial", given)
        found = run("matching_bounds", given)
        assert found.low - given.rounding <= exact.low <= found.high + given.rounding


@pytest.mark.skipif(JIT_OFF, reason="400 objects are many without JIT")
def test_more_than_300_objects_with_three_labels():
    given = problem(*random_pair(np.random.default_rng(2), 330, 3, 0.05))
    table = random_table(given)
    exact = hard_and_random.expected_largest(
        [hard_and_random.likely_cells(table.members(a), Limits()) for a in range(3)], Limits())
    for name in ("row_laws", "matching_bounds"):
        found = run(name, given)
        assert found.low - given.rounding <= given.n - exact <= found.high + given.rounding, name
    assert 0 <= run("row_laws", given).high - run("row_laws", given).low <= given.rounding
    result = sc.transport_dissimilarity(given.x.labels, given.y.membership, base="partition",
                                        method="exact")
    assert result.exact
    assert result.value * given.most == pytest.approx(given.n - exact, abs=given.rounding)


def test_names_padding_and_order_change_nothing():
    rng = np.random.default_rng(3)
    x, y = random_pair(rng, 20, 3)
    order = rng.permutation(20)
    u = np.column_stack([np.zeros(20), y.membership[:, [2, 0, 1]], np.zeros(20)])[order]
    renamed = np.array([4, 0, 2])[x.labels[order]]
    for base in ("rand", "partition"):
        plain = sc.transport_dissimilarity(x, y, base=base)
        other = sc.transport_dissimilarity(sc.FuzzyClustering(u), renamed, base=base)
        assert other.value == pytest.approx(plain.value, abs=CLOSE)
        assert sc.transport_rand_index(x, y, base=base).value == pytest.approx(
            1 - plain.value, abs=CLOSE)


def test_the_expected_rand_index_is_the_pair_sum():
    # Rand_alpha = 1 - d for hard against fuzzy.
    x, y = random_pair(np.random.default_rng(4), 30, 4, 0.3)
    assert sc.transport_dissimilarity(x, y).value == pytest.approx(
        1 - sc.alpha_rand_index(x, y), abs=CLOSE)


def test_the_alpha_partition_dissimilarity_is_an_upper_bound():
    # Both memberships (2/3, 1/3) against one class: 4/9 < 2/3 (Jensen).
    result = sc.transport_dissimilarity([0, 0], [[2 / 3, 1 / 3]] * 2, base="partition")
    assert result.value == pytest.approx(4 / 9, abs=CLOSE)


# -- limits -----------------------------------------------------------------------------------
@pytest.mark.parametrize(("n", "c"), [(20, 2), (20, 3), (8, 5)])
def test_limits_leave_proved_bounds(n, c):
    x, y = random_pair(np.random.default_rng(c), n, c, 0.1)
    truth = sc.transport_dissimilarity(x, y, base="partition", method="exact")
    assert truth.exact
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sc.InexactWarning)
        for options in ({"max_states": 1}, {"time_limit": 1e-9},
                        {"progress": lambda *_: False}, {"method": "exact", "max_states": 1},
                        {"method": "certified"}):
            found = sc.transport_dissimilarity(x, y, base="partition", n_draws=0, **options)
            assert not found.exact
            assert found.value_low <= found.value <= found.value_high
            assert found.value_low - 1e-14 <= truth.value <= found.value_high + 1e-14


class Stops(Limits):
    """Limits that stop at the k-th question."""

    def __init__(self, k):
        super().__init__()
        self.k = k

    def check(self, fraction=math.nan, text=""):
        self.k -= 1
        if self.k < 0:
            raise LimitReached("time_limit")


@pytest.mark.parametrize(("name", "c"), [("row_laws", 3), ("matching_bounds", 3),
                                         ("matching_bounds", 4), ("subset_recursion", 3)])
def test_a_stop_on_the_way_leaves_proved_bounds(name, c):
    given = problem(*random_pair(np.random.default_rng(7), 12, c, 0.2))
    exact = run("subset_recursion", given)
    statuses = set()
    for k in range(6):
        found = solvers()[name].function(given, "lower", Stops(k))
        statuses.add(found.status)
        assert 0 <= found.low <= exact.low + given.rounding
        assert exact.low - given.rounding <= found.high
    assert "time_limit" in statuses


def test_pairs_bound_moved_objects_tightly():
    # One class against nearly certain, all different labels: all objects but one move.
    for n in (2, 3, 4):
        u = np.eye(n) * (1 - 1e-9 * n) + 1e-9
        given = problem(sc.HardClustering([0] * n), sc.FuzzyClustering(u))
        exact = run("subset_recursion", given)
        found = solvers()["subset_recursion"].function(given, "lower", Stops(0))
        assert found.status == "time_limit"
        assert exact.low - 1e-3 <= found.low <= exact.low + 1e-14
        assert exact.low <= found.high + 1e-14


def test_a_stop_of_one_long_law(monkeypatch):
    monkeypatch.setattr("softclust.extensions.transport.laws.SLICE", 10)
    given = problem(*random_pair(np.random.default_rng(8), 15, 2))
    exact = run("poisson_binomial", given)
    found = solvers()["poisson_binomial"].function(given, "lower", Stops(3))
    assert found.status == "time_limit"
    assert found.low <= exact.low <= found.high
    assert found.high < given.most


def test_the_states_of_subsets_stay_below_the_prediction():
    rng = np.random.default_rng(9)
    for c in (3, 4):
        given = problem(*random_pair(rng, 9, c))
        table = random_table(given)
        rows = [hard_and_random.likely_cells(table.members(a), Limits())
                for a in np.argsort(table.free)]
        _, states = hard_and_random.largest_by_subsets(rows, Limits())
        assert states <= (c - 1) * hard_and_random.predicted_states(table.free)[0]


# -- laws -------------------------------------------------------------------------------------
def listed_law(p, lo):
    law = {}
    for chosen in itertools.product(range(p.shape[1]), repeat=p.shape[0]):
        probability = math.prod(float(row[j]) for row, j in zip(p, chosen))
        value = sum(chosen) + lo * p.shape[0]
        law[value] = law.get(value, 0.0) + probability
    return law


@pytest.mark.parametrize("lo", [-3, -1, 0, 1])
def test_laws_of_sums_by_listing(lo):
    rng = np.random.default_rng(lo + 3)
    for _ in range(25):
        m, width = int(rng.integers(0, 5)), int(rng.integers(1, 6))
        p = rng.random((m, width)) * (rng.random((m, width)) < 0.7)
        p[np.arange(m), rng.integers(width, size=m)] += 0.01
        p /= p.sum(axis=1, keepdims=True)
        law, listed = SumLaw(p, lo, Limits()), listed_law(p, lo)
        found = dict(zip(law.values.tolist(), law.p))
        possible = [v for v, q in listed.items() if q > 0]
        assert (law.least, law.most) == (min(possible), max(possible))
        assert all(found.get(v, 0.0) == pytest.approx(q, abs=1e-15) for v, q in listed.items())
        for shift, divisor in ((0, 1), (2, 1), (1, 3), (-1, 2)):
            expected = sum(q * max(0, -(-(v + shift) // divisor)) for v, q in listed.items())
            assert law.positive(shift, divisor) == pytest.approx(expected, abs=1e-14)
            assert expected <= chernoff_positive(p, lo, shift) + 1e-14


def test_what_is_cut_off_counts_as_the_largest_value(monkeypatch):
    from scipy.stats import binom
    n = 200 if JIT_OFF else 2000
    p = np.tile([0.7, 0.3], (n, 1))
    far = round(0.3 * n + 5.5 * math.sqrt(0.21 * n))   # where less than TINY is left
    exact = math.fsum(binom.pmf(k, n, 0.3) * (k - far) for k in range(far, n + 1))
    fine = SumLaw(p, 0, Limits())
    assert fine.p.sum() == pytest.approx(1.0, abs=1e-12)
    assert fine.positive(-far) == pytest.approx(exact, rel=1e-9, abs=0)
    assert exact <= chernoff_positive(p, 0, -far)
    monkeypatch.setattr("softclust.extensions.transport.laws.TINY", 1e-6)
    coarse = SumLaw(p, 0, Limits())
    assert 0 < coarse.dropped < 1e-2
    assert coarse.p.shape[0] < fine.p.shape[0]
    assert coarse.positive(-far) >= exact
    assert coarse.p.sum() + coarse.dropped == pytest.approx(1.0, abs=1e-12)


def test_chernoff_is_taken_when_it_is_enough():
    p = np.tile([0.9, 0.0, 0.1], (1200, 1))
    assert expected_positive(p, -1, enough=1.0, limits=Limits()) == chernoff_positive(p, -1)


def test_row_laws_by_listing():
    rng = np.random.default_rng(6)
    for size in (1, 2, 3, 4):
        u = rng.random((4, size))
        u /= u.sum(axis=1, keepdims=True)
        u[1] = np.eye(size)[0]
        listed = {}
        for chosen in itertools.product(range(size), repeat=4):
            cell = tuple(chosen.count(b) for b in range(size))
            listed[cell] = listed.get(cell, 0.0) + math.prod(u[i, b] for i, b in enumerate(chosen))
        counts, p = hard_and_random.likely_cells(u, Limits())
        found = {tuple(row): q for row, q in zip(counts.tolist(), p)}
        assert all(found.get(cell, 0.0) == pytest.approx(q, abs=1e-15)
                   for cell, q in listed.items())
        kept, q = hard_and_random.likely_cells(u, Limits(), 0.05)
        assert kept.shape[0] <= counts.shape[0]
        assert 0.95 <= q.sum() <= 1.0 + 1e-12
