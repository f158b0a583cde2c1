"""The dissimilarity r_alpha of pair masses against its linear programme.

Three witnesses, none of which uses the closed formula: the dual programme solved by enumerating
all its vertices in integers (20,000 pairs, exact), augmenting paths in rational arithmetic
(`naive.transport`, which returns potentials that prove it), and SciPy's HiGHS.
"""

from fractions import Fraction
from functools import cache
from itertools import combinations

import naive
import numpy as np
import pytest
from naive import relational as naive_relational
from naive.relational import statement_costs

from softclust.soft_pairs.pair_rows import forms_of_masses, pair_forms

ALPHAS = tuple(Fraction(a) for a in ("0", "1/5", "1/3", "1/2", "7/10", "1"))
#: a handful of additions of numbers in [0, 1], each rounded to 1.1e-16, on rounded masses
ROUNDING = 2e-15


# -- masses and the dual programme in integers --------------------------------------------------


def integer_masses(rng, count):
    """(counts (count, 4), totals (count,)): masses counts / totals, many entries 0 or 1.

    A third is normalised; supports of one to four statements are equally likely.
    """
    counts = np.zeros((count, 4), dtype=np.int64)
    for row in counts:
        statements = 3 if rng.random() < 1 / 3 else 4
        support = rng.choice(statements, size=rng.integers(1, statements + 1), replace=False)
        chosen = rng.choice(support, size=rng.choice([1, 2, 3, 4, 6, 12, 24, 60]))
        row += np.bincount(chosen, minlength=4)
    return counts, counts.sum(axis=1)


@cache
def spanning_trees():
    """Spanning trees of the complete bipartite graph 4 + 4: the bases of the programme."""
    edges = [(a, b) for a in range(4) for b in range(4)]
    trees = []
    for chosen in combinations(edges, 7):
        reached, order = {0}, []  # nodes 0-3 supply, 4-7 demand
        while True:
            step = next(((a, b) for a, b in chosen if (a in reached) != (b + 4 in reached)), None)
            if step is None:
                break
            order.append(step)
            reached |= {step[0], step[1] + 4}
        if len(reached) == 8:
            trees.append(order)
    assert len(trees) == 4**3 * 4**3  # Cayley's formula for K(4, 4)
    return trees


@cache
def dual_vertices(alpha):
    """All vertices (f, h) of f_a + h_b <= cost, f_0 = 0, times the denominator of alpha."""
    unit = alpha.denominator
    cost = np.array([[int(v * unit) for v in row] for row in statement_costs(alpha)])
    found = set()
    for tree in spanning_trees():
        f, h = {0: 0}, {}
        for a, b in tree:
            if a in f:
                h[b] = int(cost[a, b]) - f[a]
            else:
                f[a] = int(cost[a, b]) - h[b]
        vertex = tuple(f[a] for a in range(4)) + tuple(h[b] for b in range(4))
        if (np.add.outer(vertex[:4], vertex[4:]) <= cost).all():
            found.add(vertex)
    return np.array(sorted(found)), unit


def exact_programme(pairs, alpha):
    """Optimal values for all pairs as (numerators, denominators), by strong duality."""
    (m1, total1), (m2, total2) = pairs
    vertices, unit = dual_vertices(alpha)
    values = (m1 * total2[:, None]) @ vertices[:, :4].T + (m2 * total1[:, None]) @ vertices[:, 4:].T
    return values.max(axis=1), total1 * total2 * unit


def kernel_values(pairs):
    (m1, total1), (m2, total2) = pairs
    return np.transpose(forms_of_masses(m1 / total1[:, None], m2 / total2[:, None])[:3])


def at(alpha, r):
    """r_alpha from its values at 0, 1/2, 1 (the only kink is at 1/2)."""
    a = float(alpha)
    if a <= 0.5:
        return (1 - 2 * a) * r[:, 0] + 2 * a * r[:, 1]
    return (2 - 2 * a) * r[:, 1] + (2 * a - 1) * r[:, 2]


@pytest.fixture(scope="module")
def pairs():
    rng = np.random.default_rng(20230)
    return integer_masses(rng, 8000), integer_masses(rng, 8000)


def fractions(masses, row):
    return tuple(Fraction(int(v), int(masses[1][row])) for v in masses[0][row])


# -- the programme ----------------------------------------------------------------------------


def test_random_masses_cover_the_cases(pairs):
    (m1, total1), (m2, total2) = pairs
    empty1, empty2 = m1[:, 3] / total1, m2[:, 3] / total2
    assert (empty1 > empty2).sum() > 1600
    assert (empty1 < empty2).sum() > 1600
    assert ((empty1 == 0) & (empty2 == 0)).sum() > 800
    assert (m1 == total1[:, None]).any(axis=1).sum() > 800


@pytest.mark.parametrize("alpha", ALPHAS, ids=str)
def test_20000_masses_agree_with_the_linear_programme(pairs, alpha):
    numerators, denominators = exact_programme(pairs, alpha)
    expected = numerators / denominators
    np.testing.assert_allclose(at(alpha, kernel_values(pairs)), expected, rtol=0, atol=ROUNDING)


@pytest.mark.parametrize("alpha", ALPHAS, ids=str)
def test_vertex_enumeration_and_augmenting_paths_agree_exactly(pairs, alpha):
    numerators, denominators = exact_programme(pairs, alpha)
    for row in range(0, 8000, 20):
        m1, m2 = fractions(pairs[0], row), fractions(pairs[1], row)
        cost = statement_costs(alpha)
        solved = naive.transport(m1, m2, cost)
        assert solved.value == Fraction(int(numerators[row]), int(denominators[row]))
        assert [sum(line) for line in solved.plan] == list(m1)
        assert [sum(line) for line in zip(*solved.plan)] == list(m2)
        assert all(v >= 0 for line in solved.plan for v in line)
        assert all(solved.f[a] + solved.h[b] <= cost[a][b] for a in range(4) for b in range(4))
        assert solved.value == sum(u * v for u, v in zip([*solved.f, *solved.h], [*m1, *m2]))


@pytest.mark.parametrize("alpha", ALPHAS[1:5], ids=str)
def test_highs_agrees(pairs, alpha):
    from scipy.optimize import linprog
    from scipy.sparse import csr_array

    (m1, total1), (m2, total2) = pairs
    cost = np.array(statement_costs(alpha), dtype=float)
    one = np.vstack([np.kron(np.eye(4), np.ones(4)), np.kron(np.ones(4), np.eye(4))])
    rows = np.arange(7, 8000, 100)
    # independent programmes stacked into one
    stacked = csr_array(np.kron(np.eye(len(rows)), one))
    right = np.hstack([m1[rows] / total1[rows, None], m2[rows] / total2[rows, None]]).ravel()
    solved = linprog(np.tile(cost.ravel(), len(rows)), A_eq=stacked, b_eq=right, method="highs")
    values = solved.x.reshape(len(rows), 16) @ cost.ravel()
    # HiGHS stops at a primal and dual tolerance of 1e-7
    np.testing.assert_allclose(at(alpha, kernel_values(pairs))[rows], values, rtol=0, atol=1e-7)


def paper_duals(alpha, m1, m2):
    """The dual vectors of the proof, e1 >= e2 and s1 - s2 >= n1 - n2; in the order s, n, t, e."""
    (s1, n1, t1, _), (s2, n2, t2, _) = m1, m2
    zero = Fraction(0)
    p = max(s1 - s2, zero) + max(n1 - n2, zero)
    change = t1 - t2
    rest = max(p + change, zero)
    positive = Fraction(p > 0)
    if rest == 0 and (change < 0 or alpha <= Fraction(1, 2)):
        f = (alpha * (s1 > s2), alpha * (n1 > n2), zero, Fraction(1))
    elif alpha >= Fraction(1, 2) and change >= 0:
        f = (positive, zero, alpha, Fraction(1))
    elif alpha >= Fraction(1, 2):
        f = (Fraction(1), zero, 1 - alpha, Fraction(1))
    elif p > t2:
        return ((Fraction(1), zero, alpha, Fraction(1)),
                (Fraction(-1), zero, alpha - 1, Fraction(-1)))
    else:
        f = (2 * alpha * positive, zero, alpha, Fraction(1))
    return f, tuple(-v for v in f)


@pytest.mark.parametrize("alpha", ALPHAS, ids=str)
def test_dual_vectors_of_the_proof_are_feasible_and_tight(pairs, alpha):
    numerators, denominators = exact_programme(pairs, alpha)
    cost = statement_costs(alpha)
    used = set()
    for row in range(0, 8000, 12):
        m1, m2 = fractions(pairs[0], row), fractions(pairs[1], row)
        if m1[3] < m2[3]:
            m1, m2 = m2, m1
        if m1[0] - m2[0] < m1[1] - m2[1]:
            m1, m2 = (m1[1], m1[0], *m1[2:]), (m2[1], m2[0], *m2[2:])
        f, h = paper_duals(alpha, m1, m2)
        used.add((f, h))
        assert all(f[a] + h[b] <= cost[a][b] for a in range(4) for b in range(4))
        value = sum(u * v for u, v in zip([*f, *h], [*m1, *m2]))
        assert value == Fraction(int(numerators[row]), int(denominators[row]))
    assert len(used) >= 2  # at alpha 0 two of the cases coincide


def test_credal_distances_by_definition(pairs):
    for row in range(0, 8000, 12):
        m1, m2 = fractions(pairs[0], row), fractions(pairs[1], row)
        (s1, n1, t1, _), (s2, n2, t2, _) = (tuple(map(float, m)) for m in (m1, m2))
        sides = np.array([s1, t1, s1 + n1 + t1]), np.array([s2, t2, s2 + n2 + t2])
        belief = pair_forms(*sides)[3]
        jousselme, conflict = pair_forms(*sides, credal=True)[4:]
        assert abs(belief - naive_relational.belief_distance(m1, m2)) <= ROUNDING
        assert abs(conflict - naive_relational.conflict(m1, m2)) <= ROUNDING
        # the square is compared: a root near 0 enlarges rounding errors
        assert abs(jousselme**2 - naive_relational.jousselme_squared(m1, m2)) <= ROUNDING


# -- what follows for the kernel --------------------------------------------------------------


def test_monotone_and_concave_in_alpha(pairs):
    r0, half, r1 = kernel_values(pairs).T
    assert (r0 <= half + ROUNDING).all()
    assert (half <= r1 + ROUNDING).all()
    assert (half >= (r0 + r1) / 2 - ROUNDING).all()
    assert (r0 >= 0).all()
    assert (r1 <= 1 + ROUNDING).all()


def test_exactly_zero_for_equal_masses(pairs):
    first = pairs[0]
    assert (kernel_values((first, first)) == 0).all()


def test_symmetric(pairs):
    np.testing.assert_allclose(kernel_values(pairs), kernel_values(pairs[::-1]),
                               rtol=0, atol=ROUNDING)


def test_same_and_different_may_be_exchanged(pairs):
    order = [1, 0, 2, 3]
    exchanged = tuple((m[:, order], total) for m, total in pairs)
    np.testing.assert_allclose(kernel_values(exchanged), kernel_values(pairs),
                               rtol=0, atol=ROUNDING)


def test_printed_forms_for_normalised_masses(pairs):
    m1, m2 = (m / total[:, None] for m, total in pairs)
    rows = (m1[:, 3] == 0) & (m2[:, 3] == 0)
    r0, half, r1 = kernel_values(pairs)[rows].T
    (s1, n1, t1, _), (s2, n2, t2, _) = m1[rows].T, m2[rows].T
    close = {"rtol": 0, "atol": ROUNDING}
    np.testing.assert_allclose(
        r0, np.maximum(0, np.maximum(s1 + n2 - 1, n1 + s2 - 1)), **close)
    np.testing.assert_allclose(half, (abs(s1 - s2) + abs(n1 - n2)) / 2, **close)
    np.testing.assert_allclose(r1, (abs(s1 - s2) + abs(n1 - n2) + abs(t1 - t2)) / 2, **close)


@pytest.mark.parametrize(("m1", "m2", "r"), [
    ((1/2, 1/4, 1/4, 0), (0, 1/2, 1/2, 0), (0, 3/8, 1/2)),
    ((1/6, 1/12, 5/12, 1/3), (0, 0, 0, 1), (2/3, 2/3, 2/3)),
    ((0, 0, 0, 1), (1, 0, 0, 0), (1, 1, 1)),
    ((0, 0, 0, 1), (0, 0, 1, 0), (1, 1, 1)),
    ((0, 0, 1, 0), (1, 0, 0, 0), (0, 1/2, 1)),
    ((1, 0, 0, 0), (0, 1, 0, 0), (1, 1, 1)),
    ((0, 0, 0, 1), (0, 0, 0, 1), (0, 0, 0)),
])
def test_values_by_hand(m1, m2, r):
    found = forms_of_masses(np.array(m1), np.array(m2))[:3]
    np.testing.assert_allclose(found, r, rtol=0, atol=ROUNDING)


def test_linear_when_one_mass_is_a_point(pairs):
    s, n, t, e = (pairs[0][0] / pairs[0][1][:, None]).T
    for point, linear in enumerate((lambda a: n + e + a * t, lambda a: s + e + a * t,
                                    lambda a: a * (s + n) + e, lambda a: 1 - e)):
        counts = np.zeros_like(pairs[0][0])
        counts[:, point] = 1
        r = kernel_values((pairs[0], (counts, np.ones(len(counts), dtype=np.int64))))
        for alpha in ALPHAS:
            np.testing.assert_allclose(at(alpha, r), linear(float(alpha)) + 0 * s,
                                       rtol=0, atol=ROUNDING)


def test_triangle_inequality_from_alpha_one_half_and_relaxed_below(pairs):
    third = integer_masses(np.random.default_rng(7), 8000)
    xy, yz = kernel_values(pairs), kernel_values((pairs[1], third))
    xz = kernel_values((pairs[0], third))
    for alpha in ALPHAS[1:]:
        rho = max(1.0, 1 / (2 * float(alpha)))
        assert (at(alpha, xz) <= rho * (at(alpha, xy) + at(alpha, yz)) + 4 * ROUNDING).all()


def test_no_triangle_inequality_at_alpha_zero():
    same, different, undetermined = ([1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0])
    r0 = forms_of_masses(np.array([same, undetermined, same], dtype=float),
                         np.array([undetermined, different, different], dtype=float))[0]
    assert r0.tolist() == [0, 0, 1]
