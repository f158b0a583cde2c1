"""Agreement beyond strata: golden values, all arrangements of few objects, null models."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

import softclust as sc

from .naive import dependence as naive

CASES = json.loads((Path(__file__).parent / "golden" / "dependence.json").read_text())["cases"]


def cases(function):
    return [pytest.param(case, id=case["id"]) for case in CASES if case["function"] == function]


@pytest.mark.parametrize("case", cases("strata_value"))
def test_values(case):
    given = case["input"]
    found = getattr(sc, given["measure"])(given["x"], given["y"], strata=given["strata"],
                                          **case["kwargs"])
    assert found == pytest.approx(case["expected"], abs=case["abs_tol"])


@pytest.mark.parametrize("case", cases("conditional"))
def test_conditional_information(case):
    found = sc.conditional_mutual_information(*case["input"].values())
    assert found == pytest.approx(case["expected"], abs=case["abs_tol"])
    bits = sc.conditional_mutual_information(*case["input"].values(), log_base=2)
    assert bits == pytest.approx(found / math.log(2), abs=1e-15)


@pytest.mark.parametrize("case", cases("strata_parts"))
def test_parts(case):
    found = sc.agreement_by_strata(*case["input"].values())
    for name, expected in case["expected"].items():
        assert getattr(found, name) == pytest.approx(expected, abs=case["abs_tol"]), name


@pytest.mark.parametrize("case", cases("strata_chance") + cases("group_chance"))
def test_chance(case):
    given = dict(case["input"])
    row = sc.chance(given.pop("x"), given.pop("y"), given.pop("measure"), **given,
                    **case["kwargs"])[case["input"]["measure"]]
    for name, expected in case["expected"].items():
        assert getattr(row, name) == pytest.approx(expected, abs=case["abs_tol"]), name
    if case["kwargs"]["method"] == "moments":
        assert math.isnan(row.p_value)


def draw(seed, n, most=3):
    rng = np.random.default_rng(seed)
    return [rng.integers(k, size=n).tolist() for k in (3, most, 3)]


@pytest.mark.parametrize("seed", range(6))
def test_moments_are_those_of_all_arrangements(seed):
    x, y, strata = draw(seed, 7)
    null = [naive.together(x, order) for order in naive.arrangements_within(y, strata)]
    mean, sd = np.mean(null), np.std(null)
    found = sc.agreement_by_strata(x, y, strata)
    assert found.expected_within + found.expected_between == pytest.approx(mean, abs=1e-12)
    assert found.sd == pytest.approx(sd, abs=1e-10)
    row = sc.chance(x, y, "rand_index", strata=strata, method="exact")["rand_index"]
    assert row.p_value == pytest.approx(np.mean(np.array(null) >= naive.together(x, y)))
    level = sc.chance_level(x, y, "mutual_information", strata=strata)
    assert level == pytest.approx(np.mean([
        naive.information(x, order) for order in naive.arrangements_within(y, strata)]), abs=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_the_distance_factorises_and_parts_add(seed):
    x, y, strata = draw(seed, 60, 4)
    found = sc.agreement_by_strata(x, y, strata)
    assert 1 - found.total == pytest.approx((1 - found.from_strata) * (1 - found.adjusted))
    assert found.beyond == found.total - found.from_strata
    assert found.total == pytest.approx(sc.adjusted_rand_index(x, y))
    assert found.adjusted == sc.adjusted_rand_index(x, y, strata=strata)
    assert found.joined_within + found.joined_between == sc.pair_counts(x, y).n11
    assert found.values @ found.weights / found.weights.sum() == pytest.approx(
        sc.adjusted_rand_index(x, y, strata=strata, pairs="within"))
    whole = [f"{a} {s}" for a, s in zip(x, strata)], [f"{b} {s}" for b, s in zip(y, strata)]
    assert sc.conditional_mutual_information(x, y, strata) == pytest.approx(
        sc.mutual_information(*whole) - sc.mutual_information(strata, strata))


def test_one_stratum_is_none_and_strata_of_objects_are_undefined():
    x, y, _ = draw(3, 40)
    for name in ("adjusted_rand_index", "adjusted_mutual_information"):
        measure = getattr(sc, name)
        assert measure(x, y, strata=["s"] * 40) == measure(x, y)
        with pytest.warns(sc.UndefinedMeasureWarning, match="strata determine"):
            assert math.isnan(measure(x, x, strata=range(40)))
        assert measure(x, x, strata=[0, 1] * 20) == pytest.approx(1.0, abs=1e-15)


def test_batches_explain_agreement_that_follows_them():
    rng = np.random.default_rng(1)
    batch = np.repeat([0, 1, 2], 300)
    x, y = (np.where(rng.random(900) < 0.8, batch, rng.integers(3, size=900)) for _ in "xy")
    found = sc.agreement_by_strata(x, y, batch)
    assert found.total > 0.3
    assert abs(found.adjusted) < 0.04
    assert "of the agreement follows the strata" in found.answer
    assert "Corrected within strata" in str(found)
    assert found.to_frame().index.tolist() == ["0", "1", "2"]
    plain = sc.chance(x, y, "rand_index", n_permutations=199, rng=0)["rand_index"]
    inside = sc.chance(x, y, "rand_index", n_permutations=199, strata=batch, rng=0)["rand_index"]
    assert plain.p_value == 0.005
    assert inside.p_value > 0.05


def test_permutations_within_strata_have_the_mean_of_the_tables():
    x, y, strata = draw(2, 60)
    exact = sc.chance(x, y, "rand_index", strata=strata, method="moments")["rand_index"]
    for method in ("tables", "permutations"):
        row = sc.chance(x, y, "rand_index", strata=strata, method=method, rng=0)["rand_index"]
        assert row.mean == pytest.approx(exact.mean, abs=4 * exact.sd / math.sqrt(999))
        assert row.sd == pytest.approx(exact.sd, rel=0.15)
    soft = np.eye(3)[y] * 0.8 + 0.2 / 3
    row = sc.chance(x, soft, "alpha_rand_index", strata=strata, rng=0, n_permutations=99)
    assert row.notes[-1] == "y is permuted within 3 strata"


def test_groups_whose_labels_are_constant_are_permuted_whole():
    groups = np.repeat(np.arange(8), [1, 2, 3, 4, 1, 2, 3, 4])
    treated = np.array([0, 0, 0, 0, 1, 1, 1, 1])[groups]
    x = np.random.default_rng(0).integers(2, size=20)
    found = sc.chance(x, treated, "rand_index", groups=groups, rng=0)
    assert found.method == "permutations"
    assert "labels of y are permuted among 8 groups" in found.notes
    exact = sc.chance(x, treated, "rand_index", groups=groups, method="exact")["rand_index"]
    assert found["rand_index"].mean == pytest.approx(exact.mean, abs=0.01)
    other = sc.chance(treated, x, "rand_index", groups=groups, method="exact")["rand_index"]
    assert other.p_value == pytest.approx(exact.p_value)


@pytest.mark.parametrize(("options", "error", "text"), [
    ({"strata": [0, 1]}, sc.ClusteringError, "strata has 2 labels; one for each of the 6"),
    ({"strata": [0, 0, None, 1, 1, 1]}, sc.ClusteringError, "missing, first of object 2"),
    ({"strata": [0] * 6, "groups": [0] * 6}, sc.ClusteringError, "groups and strata are both"),
    ({"groups": [0, 0, 0, 1, 1, 1]}, sc.ClusteringError, "labels of both sides vary"),
    ({"strata": [0] * 6, "model": "number"}, sc.ClusteringError, 'strata with model="number"'),
    ({"strata": [0] * 6, "indices": [[0, 1, 2, 3, 4, 5]]}, sc.ClusteringError, "indices and"),
    ({"groups": range(6), "method": "tables"}, ValueError, 'method="tables" with groups'),
])
def test_errors(options, error, text):
    x, y = [0, 0, 1, 1, 2, 2], [0, 1, 1, 0, 1, 1]
    with pytest.raises(error, match=text):
        sc.chance(x, y, "rand_index", **options)


def test_errors_of_indices():
    x, y = [0, 0, 1], [0, 1, 1]
    with pytest.raises(ValueError, match="pairs='within' has no effect without strata"):
        sc.adjusted_rand_index(x, y, pairs="within")
    with pytest.raises(sc.ClusteringError, match='strata with model="all"'):
        sc.adjusted_rand_index(x, y, strata=[0, 0, 1], model="all")
    with pytest.raises(sc.ClusteringError, match="the table has no strata: count with strata="):
        sc.adjusted_rand_index(sc.contingency_table(x, y), strata=[0, 0, 1])
    with pytest.raises(sc.ClusteringError, match="y is fuzzy; tables of strata need"):
        sc.agreement_by_strata([0, 0, 1], np.eye(3) * .7 + .1, [0, 0, 1])


# -- limits of strata, and the difference of two ---------------------------------------------------
def two_strata():
    rng = np.random.default_rng(0)
    stratum = np.repeat([0, 1], [60, 80])
    x = rng.integers(3, size=140)
    return x, np.where(rng.random(140) < 0.3, rng.integers(3, size=140), x), stratum


@pytest.mark.parametrize("groups", [None, np.arange(140) // 4])
def test_limits_are_those_of_each_stratum(groups):
    x, y, stratum = two_strata()
    found = sc.agreement_by_strata(x, y, stratum, ci="jackknife", level=0.9, groups=groups)
    (a, la, ua), (b, lb, ub) = ends = [
        (row.value, row.ci_low, row.ci_high) for h in (0, 1) for row in [sc.compare(
            x[stratum == h], y[stratum == h], measures="ARI", ci="jackknife", level=0.9,
            groups=None if groups is None else groups[stratum == h]).rows[0]]]
    np.testing.assert_allclose(np.column_stack([found.values, found.low, found.high]), ends)
    assert found.difference == pytest.approx((
        a - b, a - b - math.sqrt((a - la)**2 + (ub - b)**2),
        a - b + math.sqrt((ua - a)**2 + (b - lb)**2)))
    assert found.to_frame()["ci_low"].tolist() == found.low.tolist()
    assert "0 minus 1: " in str(found)
    assert "90 % CI" in str(found)
    assert sc.agreement_by_strata(x, y, stratum).difference is None


def test_strata_without_limits_say_why():
    x, y, stratum = two_strata()
    found = sc.agreement_by_strata(x, np.where(stratum == 0, x, y), stratum, ci="jackknife")
    assert np.isnan(found.low).tolist() == [True, False]
    assert np.isnan(found.difference[1])
    assert found.notes[0].startswith("0: no confidence interval: all 60 objects agree")
    three = sc.agreement_by_strata(x, y, np.arange(140) % 3, ci="jackknife")
    assert three.difference is None
    assert np.isfinite(three.low).all()
    with pytest.raises(sc.ClusteringError, match="groups within strata"):
        sc.agreement_by_strata(x, y, stratum, ci="jackknife", groups=np.arange(140) % 10)
    with pytest.raises(ValueError, match="ci=None is not known"):
        sc.agreement_by_strata(x, y, stratum, groups=np.arange(140) // 4)


@pytest.mark.slow
@pytest.mark.parametrize("row", [0, 3])
def test_the_difference_is_covered(row, monkeypatch):
    monkeypatch.syspath_prepend(Path(__file__).parent / "benchmarks")
    from strata_coverage import covered
    assert covered(row, 120) >= 0.89   # .95 and three standard errors
