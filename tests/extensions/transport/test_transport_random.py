"""Transport values of a hard or rough side against a random one: counts, certificates."""

import math

import naive
import numpy as np
import pytest
from extensions.transport.transport_cases import find, load_cases
from strategies import JIT_OFF, random_clustering
from together import SOME_OR_ALL

import softclust as sc
from softclust.extensions.transport.moved_objects import prices
from softclust.extensions.transport.plan import PLAN
from softclust.extensions.transport.problem import Limits, Problem, RandomSide, Sampling, solvers

BASES = ("rand", "partition")
EXACT, BOUNDS = ("two_label_law", "count_enumeration"), ("matching_bounds", "coupling_descent",
                                                                "selection_bound")
#: sums of up to 1e5 probabilities of states, each right to some 1e-14, times D
RELATIVE = 1e-11
RANDOM = ("fuzzy", "evidential")
#: so that the tests stay short: slow inner problems (rough against evidential) count 400 times
FEW = Limits(max_states=400 if JIT_OFF else 8000)


def problem(x, y, base):
    return Problem(x=RandomSide(x), y=RandomSide(y), base=base)


def expected(case, base, end):
    n = case.n
    return case.expected[base][end] * (n * (n - 1) / 2 if base == "rand" else n - 1)


def rows(names):
    """(case, base, name) wherever the decision table sends a stored case to the algorithm."""
    found = []
    for case in load_cases():
        for base in case.expected:
            made = problem(case.x, case.y, base)
            if not made.point_mass or made.y.kind not in RANDOM:
                continue
            found += [(case, base, name) for name in names
                      if ends_of(made, name) and not solvers()[name].fits(made, FEW)]
    return found


def ends_of(made, name):
    """The ends that the decision table gives to an algorithm."""
    return [end for end, names in PLAN[(*made.kinds, made.base)].items() if name in names]


def found(made, name, end, limits=None):
    return solvers()[name].function(made, end, limits or FEW)


# -- stored cases -----------------------------------------------------------------------------
@pytest.mark.parametrize("name", EXACT)
@SOME_OR_ALL
def test_exact_algorithms_give_the_stored_values(name, whole):
    chosen = rows([name])
    assert len(chosen) > 15
    for case, base, _ in chosen[::1 if whole else 4]:
        for x, y in ((case.x, case.y), (case.y, case.x)):
            made = problem(x, y, base)
            for end in ends_of(made, name):
                value = expected(case, base, end)
                result = found(made, name, end)
                if result.status == "max_states":
                    continue
                assert result.low == result.high
                assert result.status == "ok"
                assert result.low == pytest.approx(value, rel=RELATIVE, abs=1e-12), case


@pytest.mark.parametrize("name", BOUNDS)
def test_certificates_contain_the_stored_values(name):
    chosen = rows([name])
    assert len(chosen) > 30
    for case, base, _ in chosen:
        made = problem(case.x, case.y, base)
        for end in ends_of(made, name):
            result = found(made, name, end)
            value = expected(case, base, end)
            slack = made.rounding
            assert result.low - slack <= value <= result.high + slack, (case, base, end)


@pytest.mark.parametrize("name", [*EXACT, *BOUNDS])
def test_neither_labels_nor_the_order_of_objects_matter(name):
    rng = np.random.default_rng(7)
    for case, base, _ in rows([name])[::9]:
        order = rng.permutation(case.n)
        x, y = relabelled(case.x, rng).subset(order), relabelled(case.y, rng).subset(order)
        one, other = problem(case.x, case.y, base), problem(x, y, base)
        for end in ends_of(one, name):
            first, second = found(one, name, end), found(other, name, end)
            if name in EXACT and first.status == "ok":
                assert second.low == pytest.approx(first.low, rel=RELATIVE, abs=1e-12)
            value = expected(case, base, end)
            assert second.low - other.rounding <= value <= second.high + other.rounding


def relabelled(clustering, rng):
    """The same clustering with its labels permuted and one unused label added."""
    if clustering.kind == "hard":
        names = rng.permutation(clustering.n_clusters + 1)
        return sc.HardClustering(names[clustering.labels], n_clusters=clustering.n_clusters + 1)
    made = clustering.to_evidential()
    sets = np.asarray(made.focal_sets)
    wide = np.column_stack([sets, np.zeros(len(sets), dtype=bool)])
    return sc.EvidentialClustering(made.mass, wide[:, rng.permutation(wide.shape[1])])


# -- random tiny instances against the definition -----------------------------------------------
@pytest.mark.parametrize("seed", [*range(16), *(pytest.param(k, marks=pytest.mark.slow)
                                                for k in range(16, 40))])
def test_tiny_instances_agree_with_the_definition(seed):
    rng = np.random.default_rng(1000 + seed)
    n, c = int(rng.integers(2, 5)), int(rng.integers(2, 4))
    x = random_clustering(rng, ("hard", "rough")[seed % 2], n, c)
    y = random_clustering(rng, ("fuzzy", "possibilistic", "evidential")[seed % 3], n, c)
    if y.kind == "possibilistic":
        y = y.normalize("dempster")
    for base in BASES:
        made = problem(x, y, base)
        if made.y.kind not in RANDOM:
            continue
        for alpha, end in ((0.0, "lower"), (1.0, "upper")):
            value = naive.transport_dissimilarity(x, y, base, alpha) * made.most
            for name in PLAN[(*made.kinds, base)][end]:
                solver = solvers()[name]
                if name not in (*EXACT, *BOUNDS) or solver.fits(made, Limits()):
                    continue
                result = found(made, name, end)
                # The oracle adds floats in another order.
                assert result.low - 1e-9 <= value <= result.high + 1e-9, (name, base, end)
                if name in EXACT and result.status == "ok":
                    assert result.high - result.low <= 1e-12


def some(rng, c, size):
    """A random set of labels."""
    return tuple(sorted(map(int, rng.choice(c, size, replace=False))))


def test_bounds_for_more_labels_than_sets_can_be_listed():
    rng = np.random.default_rng(5)
    n, c = 4, 10
    for _ in range(2):
        labels = rng.permutation(c)[:n]
        masses = [{some(rng, c, 1): 0.5, some(rng, c, 3): 0.25, some(rng, c, 2): 0.25}
                  for _ in range(n)]
        hard = sc.HardClustering(labels, n_clusters=c)
        sets = sorted({s for row in masses for s in row})
        evidential = sc.EvidentialClustering([[row.get(s, 0.0) for s in sets] for row in masses],
                                             [[b in s for b in range(c)] for s in sets])
        rough = sc.RoughClustering.from_upper(
            [[b in (label, (label + 3) % c) for b in range(c)] for label in labels])
        fuzzy = sc.FuzzyClustering(rng.multinomial(4, np.full(c, 1 / c), size=n) / 4)
        for x, y, base, name in ((hard, evidential, "rand", "coupling_descent"),
                                 (hard, evidential, "partition", "matching_bounds"),
                                 (rough, evidential, "partition", "matching_bounds"),
                                 (rough, fuzzy, "partition", "matching_bounds")):
            made = problem(x, y, base)
            assert solvers()[name].fits(made, Limits()) == ""
            for end in ends_of(made, name):
                alpha = float(end == "upper")
                value = naive.transport_dissimilarity(x, y, base, alpha) * made.most
                result = found(made, name, end)
                assert result.low - 1e-9 <= value <= result.high + 1e-9


# -- two labels -------------------------------------------------------------------------------
def test_two_labels_far_beyond_enumeration():
    """Against exact draws: five standard errors, once in two million runs by chance."""
    n = 120
    rng = np.random.default_rng(8)
    x = sc.RoughClustering.from_upper(np.array([[1, 0], [0, 1], [1, 1]])[rng.integers(3, size=n)])
    y = sc.EvidentialClustering(rng.dirichlet(np.ones(3), size=n), [[1, 0], [0, 1], [1, 1]])
    made = Problem(x=RandomSide(x), y=RandomSide(y), base="rand",
                   sampling=Sampling(n_draws=400, rng=0))
    drawn = found(made, "monte_carlo", "lower")
    low, high = (found(made, "two_label_law", end).low for end in ("lower", "upper"))
    assert low == pytest.approx(drawn.estimate, abs=5 * drawn.se)
    assert high > low


def test_a_hard_random_side_counts_like_the_fuzzy_closed_form():
    rng = np.random.default_rng(3)
    u = rng.random(60)
    x = sc.HardClustering(rng.integers(2, size=60), n_clusters=2)
    y = sc.FuzzyClustering(np.column_stack([u, 1 - u]))
    made = problem(x, y, "rand")
    closed = found(made, "expected_pairs", "lower").low
    assert found(made, "two_label_law", "lower").low == pytest.approx(closed, rel=1e-12)


# -- limits -----------------------------------------------------------------------------------
def _enumerable():
    return next(case for case in find(group="mid") if case.expected
                and problem(case.x, case.y, "rand").kinds == ("hard", "evidential")
                and solvers()["two_label_law"].fits(problem(case.x, case.y, "rand"), Limits()) != ""
                and solvers()["count_enumeration"].fits(problem(case.x, case.y, "rand"), FEW) == "")


def test_too_many_states_are_refused_before_anything_is_built():
    case = _enumerable()
    fits = solvers()["count_enumeration"].fits
    reason = fits(problem(case.x, case.y, "rand"), Limits(max_states=1))
    assert "max_states is 1" in reason
    rng = np.random.default_rng(0)
    y = sc.EvidentialClustering(np.full((2000, 7), 1 / 7),
                                [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [1, 0, 1], [0, 1, 1],
                                 [1, 1, 1]])
    x = sc.HardClustering(rng.integers(3, size=2000), n_clusters=3)
    assert "states; max_states" in fits(problem(x, y, "rand"), Limits())


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("calls", [0, 1, 3, 60])
def test_a_stopped_enumeration_leaves_a_true_bracket(base, calls):
    case = _enumerable()
    made = problem(case.x, case.y, base)
    found(made, "count_enumeration", "lower")   # the laws of the groups are kept
    left = [calls]

    def report(fraction, text):
        left[0] -= 1
        return left[0] >= 0

    result = found(made, "count_enumeration", "upper", Limits(report=report))
    value = expected(case, base, "upper")
    assert result.low - made.rounding <= value <= result.high + made.rounding
    assert result.status == ("cancelled" if result.low < result.high else "ok")


@pytest.mark.parametrize(("name", "base"),
                         [("matching_bounds", "partition"), ("count_enumeration", "rand"),
                          ("two_label_law", "rand")])
def test_a_time_limit_of_zero(name, base):
    case = next(c for c, _, _ in rows([name]) if base in c.expected)
    result = sc.transport_dissimilarity
    with pytest.warns(sc.InexactWarning):
        out = result(case.x, case.y, base=base, time_limit=1e-9)
    assert out.status == "time_limit"
    assert not out.exact
    assert out.lower_low - 1e-12 <= case.expected[base]["lower"] <= out.lower_high + 1e-12


# -- pieces -----------------------------------------------------------------------------------
def test_prices_lower_the_bound_where_classes_prefer_one_label():
    """Two classes that prefer one label: prices of 0 leave a wide interval."""
    n = 60
    x = sc.HardClustering([0] * 30 + [1] * 20 + [2] * 10, n_clusters=3)
    mass = np.tile([0.7, 0.1, 0.1, 0.1], (n, 1))
    y = sc.EvidentialClustering(mass, [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]])
    made = problem(x, y, "partition")
    result = found(made, "matching_bounds", "upper")
    assert result.high - result.low < 0.1 * n
    belief = np.zeros((2, 4))
    belief[0, 1:], belief[1, 1:] = (9, 1, 10), (5, 0, 5)
    for units in (1, 1024):
        found_prices = prices(belief, units)
        assert found_prices[0] > found_prices[1]


def test_threads_do_not_change_bits():
    case = _enumerable()
    values = []
    for threads in (1, 2, 8):
        sc.set_num_threads(threads)
        values.append([found(problem(case.x, case.y, base), "count_enumeration", end).low
                       for base in BASES for end in ("lower", "upper")])
    sc.set_num_threads(None)
    assert values[0] == values[1] == values[2]
    assert all(math.isfinite(v) for v in values[0])
