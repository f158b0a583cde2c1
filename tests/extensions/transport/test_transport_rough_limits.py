"""Hard and rough sides: large inputs, many labels, limits that are hit, failures."""

import time
import warnings

import numpy as np
import pytest
from extensions.transport.test_transport_rough import of_sets, problem, random_sets, type_arrays

import softclust as sc
from softclust.extensions.transport import (
    moved_objects,
    rough_sides,
)
from softclust.extensions.transport.problem import Limits, solvers
from softclust.extensions.transport.rough_sides import types_of_masks

BASES = ("rand", "partition")


# -- counting -------------------------------------------------------------------------------------
def test_types_are_counted_once_and_without_pairs_of_objects():
    rng = np.random.default_rng(12)
    n = 200_000
    labels = rng.integers(3, size=n)
    upper = np.eye(3, dtype=bool)[labels] | (rng.random((n, 3)) < 0.1)
    p = problem(sc.HardClustering(labels), sc.RoughClustering.from_upper(upper), "rand")
    types = rough_sides.rough_types(p)
    assert rough_sides.rough_types(p) is types
    assert types.n == n
    assert types.m.sum() == n
    masks = (upper << np.arange(3)).sum(axis=1)
    for a, b, m in zip(types.a, types.b, types.m):
        assert m == np.count_nonzero((1 << labels == a) & (masks == b))


def test_states_bound_the_number_of_count_tables():
    rng = np.random.default_rng(21)
    for _ in range(5):
        types = types_of_masks(*type_arrays(rng, 4, 3, 3, 4))
        formula = rough_sides.states(types)
        tables = rough_sides.enumerate_choices(types, Limits()).n_states
        assert tables <= formula <= 50 * tables


def test_the_enclosure_of_most_pairs():
    # 150 objects, 3 labels, a third of them open on each side: bounds are wide.
    rng = np.random.default_rng(20)
    labels = rng.integers(3, size=150)
    x, y = (of_sets([{int(v)} | ({int(rng.integers(3))} if rng.random() < 0.45 else set())
                     for v in labels], 3) for _ in range(2))
    types = rough_sides.rough_types(problem(x, y, "rand"))
    found = rough_sides.bound_choices(types, Limits())
    assert 0.0 < found.low <= found.high <= 1.65 * found.low


# -- many labels ----------------------------------------------------------------------------------
def test_more_labels_than_a_word_holds():
    rng = np.random.default_rng(13)
    c, n = 66, 68
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
    """What serves where tables of subsets and searches stop, against what they find."""
    rng = np.random.default_rng(14)
    for _ in range(4):
        x, y = (random_sets(rng, 12, 3, single=0.5) for _ in range(2))
        for one in (x, [{min(s)} for s in x]):
            for base in BASES:
                exact = sc.transport_dissimilarity(of_sets(one, 3), of_sets(y, 3), base=base)
                with monkeypatch.context() as few, warnings.catch_warnings():
                    warnings.simplefilter("ignore", sc.InexactWarning)
                    few.setattr(rough_sides, "_MOST_CELLS", 0)
                    few.setattr(moved_objects, "MOST_ENTRIES", 0)
                    for module in (rough_sides, moved_objects):
                        few.setattr(module, "MOST_SUBSET_LABELS", 0)
                    rest = sc.transport_dissimilarity(of_sets(one, 3), of_sets(y, 3), base=base)
                assert rest.lower_low <= exact.lower <= rest.lower_high
                assert rest.upper_low <= exact.upper <= rest.upper_high
                assert rest.method_upper != exact.method_upper or base == "partition"


# -- limits ---------------------------------------------------------------------------------------
def limited(**limit):
    """Truth and finding of each solver on instances that need more than the limit."""
    rng = np.random.default_rng(15)
    for n_types, k, c in ((14, 4, 4), (10, 3, 5), (8, 4, 4)):
        a, b, m = type_arrays(rng, n_types, k, c, 9)
        hard = 1 << (a % k)
        for x, f in ((a, rough_sides.fewest_pairs), (a, moved_objects.fewest_moved),
                     (hard, rough_sides.fewest_pairs), (hard, rough_sides.most_pairs)):
            types = types_of_masks(x, b, m)
            yield f(types, Limits()), f(types, Limits(**limit))


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
    truth = rough_sides.bound_choices(types, Limits())
    cancelled = Limits(report=lambda fraction, text: False)
    for limits in (Limits(max_nodes=1), Limits(deadline=0.0), cancelled):
        found = rough_sides.bound_choices(types, limits)
        assert found.low <= truth.low
        assert truth.high <= found.high
        counted = rough_sides.enumerate_choices(types_of_masks(types.a[:3], types.b[:3],
                                                                      types.m[:3]), limits)
        assert counted.low <= counted.high
    moved = moved_objects.most_moved(types, Limits())
    for limits, status in ((Limits(deadline=0.0), "time_limit"), (cancelled, "cancelled")):
        found = moved_objects.most_moved(types, limits)
        assert found.low <= moved.low == moved.high <= found.high
        assert found.status == (status if found.low < found.high else "ok")


def test_enumeration_is_refused_by_its_number_of_states():
    rng = np.random.default_rng(17)
    x, y = (of_sets(random_sets(rng, 60, 3, single=0.2), 3) for _ in range(2))
    p = problem(x, y, "rand")
    assert "max_states is 10" in solvers()["choice_enumeration"].fits(p, Limits(max_states=10))
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
        moved_objects.least_kept(types, Limits())
