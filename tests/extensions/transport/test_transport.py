"""The door of the transport measures: options, record, limits, listing, replication methods."""

import itertools
import math
import pickle
import warnings
from fractions import Fraction

import numpy as np
import pytest
from extensions.transport.transport_cases import evidential, find, law, load_cases
from naive.transport_values import nested_transport_value, transport_value
from together import SOME_OR_ALL

import softclust as sc
from softclust.extensions.transport import plan
from softclust.extensions.transport.problem import solvers

TRUTH = [0, 1, 1, 2, 0]
ROUGH = sc.RoughClustering.from_upper([[1, 0, 0], [0, 1, 0], [0, 1, 1], [0, 0, 1], [1, 1, 1]])
FUZZY = sc.FuzzyClustering([[1, 0, 0], [0, 1, 0], [0, .5, .5], [0, 0, 1], [.25, .5, .25]])
SMALL = [case for case in load_cases() if case.n <= 5 and case.expected]


def quietly(call):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sc.InexactWarning)
        warnings.simplefilter("ignore", sc.SamplingBiasWarning)
        return call()


# -- the oracle and enumeration ----------------------------------------------------------------


@pytest.mark.parametrize("base", ["rand", "partition"])
@SOME_OR_ALL
def test_oracle_and_enumeration_reproduce_the_stored_cases(base, whole):
    assert len(SMALL) >= 100
    for case in SMALL[::1 if whole else 4]:
        result = sc.transport_dissimilarity(case.x, case.y, base=base, method="enumerate")
        expected = case.expected[base]
        assert result.exact
        for end, alpha, found in (("lower", 0.0, result.lower), ("upper", 1.0, result.upper),
                                  ("half", 0.5, result.value)):
            # 1e-9: linear programmes
            assert found == pytest.approx(expected[end], abs=1e-9), (case.id, end)
            assert transport_value(case.x_law, case.y_law, base, alpha) == pytest.approx(
                expected[end], abs=1e-9), (case.id, end)


def test_enumeration_takes_registered_measures_and_functions():
    by_name = sc.transport_dissimilarity(TRUTH, FUZZY, base="rand_index", method="enumerate")
    by_function = sc.transport_dissimilarity(
        TRUTH, FUZZY, base=lambda a, b: 1 - sc.rand_index(a, b), method="enumerate")
    exact = sc.transport_dissimilarity(TRUTH, FUZZY, method="enumerate")
    assert by_name.value == pytest.approx(exact.value, abs=1e-12)
    assert by_function.value == pytest.approx(exact.value, abs=1e-12)
    assert (by_name.base, by_function.base) == ("rand_index", "<lambda>")
    vi = sc.transport_dissimilarity(TRUTH, FUZZY, base="variation_of_information",
                                    method="enumerate")
    by_hand = sum(m * sc.variation_of_information(TRUTH, [0, 1, b, 2, e])
                  for b, p in ((1, .5), (2, .5)) for e, q in ((0, .25), (1, .5), (2, .25))
                  for m in [p * q])
    assert vi.value == pytest.approx(by_hand, abs=1e-12)


def test_enumeration_that_is_too_long_gives_the_trivial_bracket():
    with pytest.warns(sc.InexactWarning, match="max_states"):
        result = sc.transport_dissimilarity(TRUTH, ROUGH, method="enumerate", max_states=3)
    assert (result.lower_low, result.upper_high) == (0, 1)
    assert not result.exact_lower
    assert not result.exact_value
    with pytest.raises(ValueError, match=r"stopped by max_states.*'sample'"):
        sc.transport_dissimilarity(TRUTH, ROUGH, base="jaccard_index", method="enumerate",
                                   max_states=3)


@pytest.mark.parametrize("base", ["jaccard_index", "adjusted_rand_index"])
def test_draws_of_an_agreement_lie_in_their_interval(base):
    """1 - agreement has the range from 1 - its largest to 1 - its least value."""
    fuzzy = sc.FuzzyClustering(np.eye(3)[[0, 0, 1, 2, 2]] * 0.97 + 0.01)
    found = sc.transport_dissimilarity([0, 0, 1, 1, 2], fuzzy, base=base, method="sample", rng=0,
                                       n_draws=20)
    assert found.value_ci[0] < found.value < found.value_ci[1] < 1


# -- nested sampling as in the paper ------------------------------------------------------------


def test_nested_sampling_warns_and_is_biased_as_said():
    """Identical fuzzy clusterings: 0 by definition, far above 0 by nested sampling."""
    u = np.random.default_rng(3).dirichlet([1, 1, 1], size=30)
    with pytest.warns(sc.SamplingBiasWarning, match="biased upwards"):
        result = sc.transport_dissimilarity(u, u, method="sample", n_draws=30, rng=1)
    assert result.value > 0.2
    assert not result.exact_value
    assert result.value_ci is None
    assert math.isnan(result.value_se)
    again = quietly(lambda: sc.transport_dissimilarity(u, u, method="sample", n_draws=30, rng=1))
    assert again.value == result.value


def test_nested_sampling_of_a_point_mass_nears_the_mean():
    exact = sc.transport_dissimilarity(TRUTH, FUZZY, method="enumerate").value
    sampled = quietly(lambda: sc.transport_dissimilarity(
        TRUTH, FUZZY, method="sample", n_draws=2000, rng=5))
    # standard error of 2000 draws of values within [0, 0.5] is below .006; 5 of them
    assert sampled.value == pytest.approx(exact, abs=0.03)


def test_inner_draws_are_too_narrow():
    """x hard: sampled d0 >= d0 and sampled d1 <= d1 (transport.md, G)."""
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 3, 40)
    upper = np.eye(3, dtype=bool)[rng.integers(0, 3, 40)] | (rng.random((40, 3)) < 0.3)
    rough = sc.RoughClustering.from_upper(upper)
    low = sc.alpha_rand_interval(labels, rough)
    sampled = quietly(lambda: sc.transport_dissimilarity(
        labels, rough, method="sample", n_draws=20, rng=1))
    assert sampled.upper <= 1 - low.low
    assert sampled.upper - sampled.lower < 0.5 * low.width


def test_pooled_draws_are_measured_once_each():
    """Two logical sides: a thousand draws of the same four labellings are four distances."""
    calls = []

    def distance(a, b):
        calls.append(1)
        return 1 - sc.rand_index(a, b)

    rough = sc.RoughClustering.from_upper([[1, 0], [1, 1], [0, 1], [1, 1], [0, 1]])
    quietly(lambda: sc.transport_dissimilarity([0, 0, 1, 1, 1], rough, base=distance,
                                               method="sample", rng=0))
    assert len(calls) == 4


# -- any base distance ----------------------------------------------------------------------------


def test_auto_enumerates_any_base_where_that_is_quick():
    for base in ("jaccard_index", "variation_of_information", lambda a, b: 1 - sc.rand_index(a, b)):
        for y in (FUZZY, ROUGH, TRUTH[::-1]):
            found = sc.transport_dissimilarity(TRUTH, y, base=base)
            listed = sc.transport_dissimilarity(TRUTH, y, base=base, method="enumerate")
            assert (found.lower, found.upper, found.value) == (
                listed.lower, listed.upper, listed.value)
            assert found.exact


def test_auto_draws_any_base_without_bias_where_one_coupling_exists():
    rng = np.random.default_rng(4)
    labels, u = rng.integers(3, size=60), rng.dirichlet([1, 1, 1], size=60)
    found = sc.transport_dissimilarity(labels, u, base="rand_index", rng=1)
    exact = sc.transport_dissimilarity(labels, u).value
    assert not found.exact
    assert found.method_lower == "listed draws"
    # the mean of 1000 draws, four standard errors
    assert abs(found.value - exact) < 4 * found.value_se
    assert found.value_se < 1e-3
    low, high = found.value_ci
    assert (high - low) / 2 == pytest.approx(1.959964 * found.value_se, rel=1e-6)
    agreement = sc.transport_rand_index(u, labels, base="rand_index", rng=1)
    assert agreement.value == pytest.approx(1 - found.value, abs=1e-15)
    assert "Bounds" not in str(found.summary())
    with pytest.raises(ValueError, match="stopped by max_states"):
        sc.transport_dissimilarity(labels, u, base="rand_index", n_draws=0)


def test_auto_lists_the_labellings_of_drawn_sets():
    """Two open objects in each drawn clustering: extremes are exact, means within their error."""
    rng = np.random.default_rng(5)
    labels, mass = rng.integers(3, size=20), np.tile([0.4, 0.6, 0], (20, 1))
    mass[:2] = 0, 0, 1
    y = sc.EvidentialClustering(mass, [[1, 0, 0], [0, 1, 0], [1, 1, 1]])
    for end in ("lower", "upper"):
        found = sc.transport_dissimilarity(labels, y, base="rand_index", rng=2)
        exact = sc.transport_dissimilarity(labels, y, method="exact")
        assert abs(getattr(found, end) - getattr(exact, end)) < 4 * getattr(found, f"{end}_se")
        assert not found.warnings


def test_auto_warns_where_draws_are_biased():
    u = np.random.default_rng(6).dirichlet([1, 1, 1], size=30)
    with pytest.warns(sc.SamplingBiasWarning, match="biased upwards; method='enumerate' is exact"):
        found = sc.transport_dissimilarity(u, u, base="rand_index", rng=0, n_draws=20)
    assert found.value > 0.2
    assert found.value_ci is None
    assert "biased estimate" in str(found.summary())


def test_sides_of_a_base_that_is_not_symmetric_keep_their_places():
    x, y = [0, 0, 0, 1, 1], sc.RoughClustering.from_upper([[1, 0], [1, 0], [0, 1], [0, 1], [0, 1]])
    u = [[1, 0, 0], [1, 0, 0], [0, 1, 0], [0, .5, .5], [0, 0, 1]]
    for a, b in ((x, u), (u, x), (u, y), (y, u)):
        found = sc.transport_rand_index(a, b, base="wallace_index")
        mean = sum(sc.wallace_index(*(
            [0, 0, 1, k, 2] if side is u else [0, 0, 1, 1, 1] if side is y else side
            for side in (a, b))) for k in (1, 2)) / 2
        assert found.value == pytest.approx(mean, abs=1e-12)


@pytest.mark.slow
def test_limits_of_drawn_bases_cover():
    """200 seeds, two cases: 95 % limits cover within four standard errors of that share."""
    rng = np.random.default_rng(7)
    for concentration in (0.2, 2.0):
        labels, u = rng.integers(2, size=12), rng.dirichlet([concentration] * 2, size=12)
        exact = sc.transport_dissimilarity(labels, u, base="jaccard_index", method="enumerate")
        hit = 0
        for seed in range(200):
            drawn = sc.transport_dissimilarity(labels, u, base="jaccard_index", method="sample",
                                               n_draws=200, rng=seed)
            hit += drawn.value_ci[0] <= exact.value <= drawn.value_ci[1]
        assert hit >= 178


# -- two readings of a possibilistic clustering ---------------------------------------------------


@SOME_OR_ALL
def test_nested_reading_follows_its_definition(whole):
    rng = np.random.default_rng(8)
    for case in range(30 if whole else 9):
        n, c = (int(v) for v in rng.integers(2, 4, size=2))
        sides, degrees = [], []
        for kind in (("hard", "rough", "possibilistic")[case % 3], "possibilistic"):
            t = rng.integers(0, 5, size=(n, c)) / 4
            t[np.arange(n), rng.integers(c, size=n)] = 1.0
            if kind == "hard":
                t = np.eye(c)[rng.integers(c, size=n)]
            t = (t > 0.4) * 1.0 if kind == "rough" else t
            made = (sc.RoughClustering.from_upper(t > 0) if kind == "rough" else
                    sc.HardClustering(t.argmax(axis=1)) if kind == "hard" else
                    sc.PossibilisticClustering(t))
            sides.append(made)
            degrees.append([[Fraction(v) for v in row] for row in t.tolist()])
        for base in ("rand", "partition"):
            for x, y in (sides, sides[::-1]):
                found = sc.transport_dissimilarity(x, y, base=base, possibilistic="nested")
                assert found.exact
                for value, alpha in ((found.lower, 0), (found.upper, 1), (found.value, 0.5)):
                    # linear programmes
                    assert value == pytest.approx(
                        nested_transport_value(*degrees, base, alpha), abs=1e-9)
        again = sc.transport_dissimilarity(*sides, base="rand_index", possibilistic="nested")
        assert again.value == pytest.approx(
            sc.transport_dissimilarity(*sides, possibilistic="nested").value, abs=1e-12)


def test_readings_differ_where_two_objects_are_ambiguous():
    """Equation 13 gives .5, equation 11 .25; with one open object, as in the paper, both agree."""
    two = sc.PossibilisticClustering([[1, 0.5], [1, 0.5]])
    values = {reading: sc.transport_rand_index([0, 0], two, possibilistic=reading).lower
              for reading in ("independent", "nested")}
    assert values == {"independent": 0.25, "nested": 0.5}
    # example 3.3: C against P
    example = sc.PossibilisticClustering([[1, 0, 0], [0, 1, 0], [0, 1, 1], [0, 0, 1], [1, 1, .8]])
    for reading in ("independent", "nested"):
        found = sc.transport_dissimilarity(TRUTH, example, possibilistic=reading)
        assert (found.lower, round(found.upper, 12)) == (0, 0.48)
    with pytest.raises(sc.ClusteringError, match="a side is fuzzy, whose objects draw"):
        sc.transport_dissimilarity(TRUTH, FUZZY, possibilistic="nested")
    low = sc.PossibilisticClustering([[0.5, 0.25], [1, 0]])
    with pytest.raises(sc.ClusteringError, match="row maxima below 1"):
        sc.transport_dissimilarity([0, 0], low, possibilistic="nested")
    assert sc.transport_dissimilarity([0, 0], low, possibilistic="nested",
                                      normalize="dempster").upper == 0.5


# -- options, messages ----------------------------------------------------------------------------


@pytest.mark.parametrize(("options", "message"), [
    ({"alpha": 1.5}, "alpha is 1.5"),
    ({"method": "best"}, "choose one of 'auto', 'exact', 'certified'"),
    ({"base": "jaccard_index", "method": "exact"}, "need method='auto', 'enumerate' or 'sample'"),
    ({"possibilistic": "joint"}, "choose one of 'independent', 'nested'"),
    ({"possibilistic": "nested", "method": "sample"}, "draws each object by itself"),
    ({"base": "no_such", "method": "enumerate"}, "there is no measure 'no_such'"),
    ({"base": "alpha_rand_interval", "method": "enumerate"}, None),
    ({"base": "nonspecificity", "method": "enumerate"}, "not a measure of two hard clusterings"),
    ({"normalize": "maximum"}, "choose one of 'error', 'dempster', 'yager'"),
    ({"n_draws": -1}, "n_draws is -1"),
    ({"n_inner": 0}, "n_inner is 0"),
    ({"max_states": 0}, "max_states is 0"),
    ({"max_nodes": 1.5}, "max_nodes is 1.5"),
    ({"time_limit": 0}, "time_limit is 0"),
    ({"tol": -1}, "tol is -1"),
    ({"level": 1.0}, "level is 1.0"),
    ({"target_se": 0}, "target_se is 0"),
    ({"uniforms": np.zeros((3, 4))}, "one row per draw and 5 columns"),
    ({"uniforms": np.ones((3, 5))}, "must lie in"),
    ({"method": "montecarlo"}, "nothing is random"),
])
def test_wrong_options_say_what_is_allowed(options, message):
    with pytest.raises((ValueError, TypeError), match=message):
        sc.transport_dissimilarity(TRUTH, ROUGH, **options)


def test_montecarlo_refuses_what_would_be_biased():
    u = np.full((5, 2), 0.5)
    with pytest.raises(ValueError, match="biased upwards"):
        sc.transport_dissimilarity(u, u, method="montecarlo")


def test_base_must_be_a_name_or_a_function():
    with pytest.raises(TypeError, match="base is 3"):
        sc.transport_dissimilarity(TRUTH, ROUGH, base=3)


def test_progress_must_be_callable():
    with pytest.raises(TypeError, match="progress is 5"):
        sc.transport_dissimilarity(TRUTH, ROUGH, progress=5)


def test_empty_mass_is_refused_until_normalised():
    possibilistic = sc.PossibilisticClustering([[1, .5], [.8, 0], [0, 1]])
    with pytest.raises(sc.ClusteringError, match=r"y has row maxima below 1.*normalize='dempster'"):
        sc.transport_dissimilarity([0, 0, 1], possibilistic)
    empty = sc.EvidentialClustering.from_dicts(
        [{(): .5, "a": .5}, {"a": 1.}, {("a", "b"): .5, "b": .5}])
    with pytest.raises(sc.ClusteringError, match="x has mass on the empty set"):
        sc.transport_dissimilarity(empty, [0, 0, 1])
    by_rule = [sc.transport_dissimilarity([0, 0, 1], empty, normalize=rule, method="enumerate")
               for rule in ("dempster", "yager")]
    expected = [sc.transport_dissimilarity([0, 0, 1], empty.normalize(rule), method="enumerate")
                for rule in ("dempster", "yager")]
    assert [r.value for r in by_rule] == [e.value for e in expected]
    assert by_rule[0].value != by_rule[1].value


@pytest.mark.parametrize("bad", [[], [0], [[0.5, 0.6]], [float("nan"), 1.0], None])
def test_what_is_no_clustering_is_refused(bad):
    with pytest.raises((sc.ClusteringError, TypeError)):
        sc.transport_dissimilarity(bad, TRUTH)


def test_unequal_numbers_of_objects():
    with pytest.raises(sc.ClusteringError, match="5 objects and y has 3"):
        sc.transport_dissimilarity(TRUTH, [0, 1, 1])


# -- the record -----------------------------------------------------------------------------------


def test_agreement_is_one_minus_dissimilarity_with_ends_exchanged():
    d = sc.transport_dissimilarity(TRUTH, ROUGH)
    a = sc.transport_rand_index(TRUTH, ROUGH)
    assert (a.lower, a.upper, a.value) == (1 - d.upper, 1 - d.lower, 1 - d.value)
    assert (a.method_lower, a.method_upper) == (d.method_upper, d.method_lower)
    assert a.sense == "agreement"


def test_record_reads_pickles_and_frames():
    result = sc.transport_rand_index(TRUTH, ROUGH)
    text = str(result.summary())
    assert "ambiguity counted as error" in text
    assert "exact" in text
    again = pickle.loads(pickle.dumps(result))
    assert (repr(again), again.notes) == (repr(result), result.notes)
    assert again.to_frame().equals(result.to_frame())
    frame = result.to_frame()
    assert list(frame.index) == ["lower", "upper", "value"]
    assert frame.loc["lower", "value"] == result.lower
    assert "<table" in result._repr_html_()
    with pytest.raises(AttributeError):
        result.value = 0.0


def test_content_decides_the_kind():
    labels = [0, 1, 1, 2, 0]
    one_hot = sc.FuzzyClustering(np.eye(3)[labels])
    result = sc.transport_dissimilarity(one_hot, sc.EvidentialClustering(np.eye(3)[labels],
                                                                         np.eye(3, dtype=bool)))
    assert (result.value, result.method_lower) == (0.0, "contingency_table")


def test_unused_labels_change_nothing():
    wide = sc.HardClustering(TRUTH, n_clusters=60)
    assert sc.transport_dissimilarity(wide, ROUGH).value == sc.transport_dissimilarity(
        TRUTH, ROUGH).value


def test_two_hard_clusterings_of_very_many_clusters():
    labels = np.arange(100_000)
    result = sc.transport_dissimilarity(labels, np.zeros_like(labels), base="partition")
    assert result.value == 1.0


# -- the decision table ---------------------------------------------------------------------------


def test_the_table_names_every_solver():
    planned = {name for row in plan.PLAN.values() for names in row.values() for name in names}
    assert planned == set(solvers())


def test_methods_are_listed():
    table = sc.transport_methods()
    assert set(table.guarantee) == {"exact", "certificate", "unbiased"}
    assert (table.meaning.str.len() > 10).all()
    assert (table.cost.str.len() > 3).all()


# -- limits ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("limit", [
    {"max_states": 1}, {"max_nodes": 1}, {"time_limit": 1e-9},
    {"progress": lambda fraction, text: False}])
@pytest.mark.parametrize("most", [1, pytest.param(100, marks=pytest.mark.slow)])
def test_limits_leave_a_bracket_that_holds(limit, most):
    stopped = 0
    cases = {}
    for case in find(group="small"):   # so many of each pair of kinds
        same = cases.setdefault(frozenset((case.x.kind, case.y.kind)), [])
        same[:] = [*same, case][-most:]
    assert len(cases) == 15
    for case in itertools.chain(*cases.values()):
        for base in ("rand", "partition"):
            result = quietly(lambda case=case, base=base: sc.transport_dissimilarity(
                case.x, case.y, base=base, n_draws=0, **limit))
            expected = case.expected[base]
            for end, name in (("lower", "lower"), ("upper", "upper"), ("half", "value")):
                low, high = getattr(result, f"{name}_low"), getattr(result, f"{name}_high")
                assert low - 1e-9 <= expected[end] <= high + 1e-9, (case.id, base, end)
            if result.status != "ok":
                stopped += 1
                assert not result.exact
                assert result.warnings
    assert stopped or "max_nodes" in limit


def test_cancelling_says_so():
    with pytest.warns(sc.InexactWarning, match="cancelled"):
        result = sc.transport_dissimilarity(TRUTH, ROUGH, progress=lambda fraction, text: False)
    assert result.status == "cancelled"
    assert (result.lower_low, result.lower_high) == (0.0, 1.0)


def test_interrupt_keeps_what_is_proved(monkeypatch):
    def interrupt(problem, end, limits):
        raise KeyboardInterrupt

    import dataclasses
    broken = dataclasses.replace(solvers()["box_search"], function=interrupt)
    monkeypatch.setitem(solvers(), "box_search", broken)
    with pytest.warns(sc.InexactWarning, match="cancelled"):
        result = sc.transport_dissimilarity(TRUTH, ROUGH)
    assert result.status == "cancelled"
    assert result.exact_lower
    assert not result.exact_upper


# -- compare() ------------------------------------------------------------------------------------


def test_compare_lists_cheap_intervals_only():
    rows = {row.label: row for row in sc.compare(TRUTH, ROUGH)}
    assert rows["transport_rand_index"].value == sc.Interval(0.5, 1.0)
    assert rows["transport_dissimilarity (base=partition)"].value == sc.Interval(0.0, 0.5)
    names = [row.name for row in sc.compare(TRUTH, [0, 0, 1, 1, 2])]
    assert "transport_rand_index" not in names
    u = np.random.default_rng(0).dirichlet([1, 1, 1], size=60)
    assert "transport_rand_index" not in [r.name for r in sc.compare(u, u[::-1])]


def test_compare_leaves_out_empty_mass():
    empty = sc.EvidentialClustering.from_dicts([{(): .5, "a": .5}, {"a": 1.}, {("a", "b"): 1.}])
    assert "transport_rand_index" not in [row.name for row in sc.compare([0, 0, 1], empty)]


def test_compare_all_shows_intervals():
    matrix = sc.compare_all({"truth": TRUTH, "rough": ROUGH, "fuzzy": FUZZY},
                            measure="transport_rand_index")
    assert matrix["truth", "rough"] == sc.Interval(0.5, 1.0)
    value = sc.transport_rand_index(TRUTH, FUZZY).value
    assert matrix["truth", "fuzzy"] == sc.Interval(value, value)
    assert matrix["rough", "rough"].high == 1.0


def test_evidential_rows_round_trip_through_the_oracle():
    case = find(id="small-ee-01")[0]
    assert law({"kind": "hard", "labels": [1]}) == [{frozenset([1]): 1}]
    assert evidential(case.x_law, 3).n_objects == case.n
