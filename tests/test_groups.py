"""Limits when objects come in groups or strata: golden values, literal deletion, rules."""

import json
import math
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

import softclust as sc
from softclust.comparison.group_limits import grouped
from softclust.results.stored import as_bytes
from softclust.tables.frame_sides import Units

from .naive import dependence as naive

CASES = json.loads((Path(__file__).parent / "golden" / "dependence.json").read_text())["cases"]


def cases(*functions):
    return [pytest.param(case, id=case["id"]) for case in CASES if case["function"] in functions]


def limits_of(case):
    given = dict(case["input"])
    x, y = (sc.FuzzyClustering(side) if isinstance(side[0], list) else side
            for side in (given.pop("x"), given.pop("y")))
    return sc.compare(x, y, measures=given.pop("measure"), ci="jackknife", **given,
                      **case["kwargs"]).rows[0]


@pytest.mark.parametrize("case", cases("group_limits", "soft_group_limits"))
def test_limits(case):
    ci = limits_of(case).ci
    for name, expected in case["expected"].items():
        found = {"low": ci.low.low, "high": ci.high.high}.get(name, getattr(ci, name))
        if isinstance(found, tuple):
            found = found[0]
        assert found == pytest.approx(expected, abs=case["abs_tol"]), name


@pytest.mark.parametrize("case", cases("group_none"))
def test_where_there_are_none(case):
    row = limits_of(case)
    assert row.ci.method == "none"
    assert row.ci.note


@pytest.mark.parametrize("case", cases("singletons"))
def test_groups_of_one_object_change_no_bit(case):
    given = case["input"]
    n = len(given["x"])
    plain, single = (sc.compare(given["x"], given["y"], measures=given["measures"],
                                ci="jackknife", **options)
                     for options in ({}, {"groups": [f"g{k}" for k in range(n)]}))
    for a, b in zip(plain, single):
        assert (a.ci.low, a.ci.high, a.ci.standard_error) == (
            b.ci.low, b.ci.high, b.ci.standard_error)


def draw(seed, n_groups=12, most=6, n_clusters=3):
    rng = np.random.default_rng(seed)
    groups = np.repeat(np.arange(n_groups), rng.integers(1, most, size=n_groups))
    x = rng.integers(n_clusters, size=groups.size)
    y = np.where(rng.random(groups.size) < 0.3, rng.integers(n_clusters, size=groups.size), x)
    return x, y, groups


def between(x, y, groups):
    """Adjusted Rand and Jaccard of pairs of different groups."""
    pairs = [(x[i] == x[j], y[i] == y[j]) for i, j in combinations(range(len(x)), 2)
             if groups[i] != groups[j]]
    both, p, q = (sum(v) for v in ([a and b for a, b in pairs], [a for a, _ in pairs],
                                   [b for _, b in pairs]))
    mean = p * q / len(pairs)
    return (both - mean) / ((p + q) / 2 - mean), both / (p + q - both)


@pytest.mark.parametrize("seed", range(3))
def test_estimates_and_errors_are_those_of_deleted_groups(seed):
    x, y, groups = draw(seed, 7)
    found = sc.compare(x, y, measures=["adjusted_rand_index", "jaccard_index"], ci="jackknife",
                       groups=groups)
    left = np.array([between(*(v[groups != g] for v in (x, y, groups))) for g in range(7)])
    errors = np.sqrt(6 / 7 * ((left - left.mean(axis=0)) ** 2).sum(axis=0))
    for row, value, error in zip(found, between(x, y, groups), errors):
        if row.ci.method != "none":
            assert row.ci.estimate[0] == pytest.approx(value, abs=1e-12)
            assert row.ci.standard_error[0] >= error - 1e-12
            assert row.value == getattr(sc, row.name)(x, y)


@pytest.mark.parametrize("part", ["f1", "precision", "recall"])
def test_bcubed_without_each_group(part):
    """Of fractions: a random mention, and the share of its cluster that it keeps."""
    x, y, groups = draw(4, 7)
    source = grouped(sc.Joint(x, y), Units(groups))
    measure = sc.get_measure("bcubed_index")
    found = measure.replicated(source.without_each(measure.statistic, weights="size"),
                               {"part": part})[:, 0]
    for g in range(7):
        u, v = x[groups != g], y[groups != g]
        sides = [Fraction(0), Fraction(0)]
        for a, b in zip(u, v):
            both = int(((u == a) & (v == b)).sum())
            sides[0] += Fraction(both, int((u == a).sum()) * len(u))
            sides[1] += Fraction(both, int((v == b).sum()) * len(u))
        values = {"precision": sides[0], "recall": sides[1],
                  "f1": 2 * sides[0] * sides[1] / (sides[0] + sides[1])}
        assert found[g] == pytest.approx(float(values[part]), abs=1e-14)
    assert source.without_each(measure.statistic, weights="equal") is None
    x, y, groups = draw(6)
    row = sc.compare(x, y, measures=["bcubed_index"], ci="jackknife", groups=groups).rows[0]
    assert row.ci.method == "jackknife, groups"
    assert row.ci.estimate[0] == row.value == sc.bcubed_index(x, y)


def of_pairs(x, y, groups, within):
    """Rand, adjusted Rand, Jaccard and Wallace of pairs of different groups or within them."""
    counts = {}
    for i, j in combinations(range(len(x)), 2):
        if bool(groups[i] == groups[j]) == within:
            key = groups[i] if within else None
            n11, p, q, m = counts.get(key, (0, 0, 0, 0))
            a, b = bool(x[i] == x[j]), bool(y[i] == y[j])
            counts[key] = n11 + (a and b), p + a, q + b, m + 1
    n11, p, q, m = (Fraction(sum(part)) for part in zip(*counts.values()))
    mean = sum(Fraction(pg * qg, mg) for _, pg, qg, mg in counts.values())
    return [(m - p - q + 2 * n11) / m, (n11 - mean) / ((p + q) / 2 - mean), n11 / (p + q - n11),
            n11 / p]


@pytest.mark.parametrize("within", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_deleted_groups_in_fractions(seed, within):
    x, y, groups = draw(seed + 20, 7, most=9)
    names = ["rand_index", "adjusted_rand_index", "jaccard_index", "wallace_index"]
    rows = sc.compare(x, y, measures=names, ci="jackknife", groups=groups,
                      pairs="within" if within else "all").rows
    left = np.array([[float(v) for v in of_pairs(*(part[groups != g] for part in (x, y, groups)),
                                                 within)] for g in range(7)])
    errors = np.sqrt(6 / 7 * ((left - left.mean(axis=0)) ** 2).sum(axis=0))
    for row, value, error in zip(rows, of_pairs(x, y, groups, within), errors):
        assert row.ci.estimate[0] == pytest.approx(float(value), abs=1e-12)
        if within:
            assert row.value == pytest.approx(float(value), abs=1e-12)
            assert row.ci.standard_error[0] == pytest.approx(error, abs=1e-12)
        else:   # there is a floor
            assert row.ci.standard_error[0] >= error - 1e-12


def test_singletons_within_every_group():
    """No pair is together in x, so the mean of the pairs together in both is 0, and ARI is 0."""
    sizes = [2, 3, 2, 3, 4]
    x, groups = np.concatenate([*map(np.arange, sizes)]), np.repeat(range(5), sizes)
    y = np.array([0, 0, 1, 1, 2, 0, 1, 0, 0, 1, 0, 0, 1, 1])
    for a, b in ((x, y), (y, x)):
        row = sc.compare(a, b, measures=["adjusted_rand_index"], ci="jackknife", groups=groups,
                         pairs="within").rows[0]
        assert row.value == 0.0


def test_pairs_within_groups():
    x, y, groups = draw(31, 30)
    found = sc.compare(x, y, ci="jackknife", groups=groups, pairs="within")
    index = sc.adjusted_rand_index(x, y, strata=groups, pairs="within")
    assert found.value("adjusted_rand_index") == pytest.approx(index, abs=1e-12)
    assert "only pairs of objects of the same group count" in found.notes[-1]
    chances = {row.name: row.chance for row in found}
    assert chances["adjusted_rand_index"] == pytest.approx(0.0, abs=1e-12)
    assert math.isnan(chances["rand_index"])
    # Labels that are exchanged inside one group say the same.
    other = np.where(groups == 3, 7 + x, x)
    again = sc.compare(other, y, ci="jackknife", groups=groups, pairs="within")
    for a, b in zip(found, again):
        if a.name == "adjusted_rand_index":
            assert a.value == pytest.approx(b.value, abs=1e-12)
    sizes = np.bincount(groups)
    pairs = sizes * (sizes - 1) / 2
    row = found.rows[[row.name for row in found].index("adjusted_rand_index")]
    assert row.ci.effective_groups == pytest.approx(min(
        sizes.sum() ** 2 / (sizes**2).sum(), pairs.sum() ** 2 / (pairs**2).sum()))
    assert math.isnan(row.ci.design_effect)


@pytest.mark.parametrize(("options", "error", "text"), [
    ({"groups": None}, ValueError, 'pairs="within" has no effect without groups'),
    ({"groups": range(40)}, ValueError, 'pairs="within" has no effect without groups of several'),
    ({"measures": "mutual_information"}, sc.ClusteringError,
     'mutual_information does not work with pairs="within"'),
    ({"measures": "katz_powell_index"}, sc.ClusteringError,
     'katz_powell_index does not work with pairs="within"'),
    ({"measures": "wallace_index", "reference": "x"}, ValueError, "has y as its reference"),
    ({"pairs": "between"}, ValueError, "pairs='between' is not known"),
])
def test_errors_of_pairs_within(options, error, text):
    x, y, groups = draw(32, 40, most=2)
    groups = np.arange(40) // 4
    with pytest.raises(error, match=text):
        sc.compare(x, y, **{"measures": "rand_index", "ci": "jackknife", "groups": groups,
                            "pairs": "within"} | options)


def test_two_objects_in_one_group_change_little():
    x, y, _ = draw(33, 60, most=2)
    groups = np.arange(60)
    groups[1] = 0
    names = ["adjusted_rand_index", "normalized_mutual_information", "rand_index"]
    for a, b in zip(*(sc.compare(x, y, measures=names, ci="jackknife", groups=g)
                      for g in (None, groups))):
        # One leave-out of two objects in place of two of one: the error changes by some percent,
        # and Student's quantile by its 59th part.
        assert b.ci.standard_error[0] == pytest.approx(a.ci.standard_error[0], rel=0.1)
        assert b.ci.estimate[0] == pytest.approx(a.ci.estimate[0],
                                                 abs=0.25 * a.ci.standard_error[0])
        assert (b.ci.low.low, b.ci.high.high) == pytest.approx((a.ci.low.low, a.ci.high.high),
                                                               abs=0.3 * a.ci.standard_error[0])


def test_threads_change_no_bit_of_limits():
    x, y, groups = draw(34, 70)
    found = []
    for threads in (1, 4):
        sc.set_num_threads(threads)
        found.append([(row.ci.low, row.ci.high) for ci in ("jackknife", "bootstrap")
                      for row in sc.compare(x, y, measures=["rand_index", "adjusted_rand_index"],
                                            ci=ci, groups=groups, rng=1, n_resamples=50)])
    sc.set_num_threads(None)
    assert found[0] == found[1]


def test_limits_of_all_pairs_are_those_of_compare():
    x, y, groups = draw(35, 40)
    runs = {"a": x, "b": y, "c": np.roll(x, 5), "same": x.copy()}
    matrix = sc.compare_all(runs, measure="rand_index", ci="jackknife", groups=groups, level=0.9)
    for i, j in combinations("abc", 2):
        row = sc.compare(runs[i], runs[j], measures="rand_index", ci="jackknife", groups=groups,
                         level=0.9).rows[0]
        at = "abc".index(i), "abc".index(j)
        for place in (at, at[::-1]):
            assert (matrix.ci_low[place], matrix.ci_high[place]) == (row.ci_low, row.ci_high)
    assert np.isnan(np.diagonal(matrix.ci_low)).all()
    assert math.isnan(matrix.ci_high[0, 3])
    assert any(note.startswith("a, same: no confidence interval: all ") for note in matrix.notes)
    assert matrix.notes[-1].startswith("confidence intervals: 40 groups are sampled, ")
    assert "In parentheses: 90 % confidence intervals" in str(matrix)
    assert f"({matrix.ci_low[0, 1]:.3f} to " in str(matrix)
    turned = matrix.ordered(["c", "b", "a", "same"])
    assert turned.ci_low[0, 2] == matrix.ci_low[2, 0]
    frame = matrix.to_frame()
    assert frame.loc[("a", "b"), "ci_high"] == matrix.ci_high[0, 1]
    soft = sc.compare_all({"a": np.eye(3)[x] * 0.9 + 0.1 / 3, "b": np.eye(3)[y] * 0.7 + 0.1},
                          measure="alpha_rand_index", ci="jackknife", groups=groups)
    assert np.isnan(soft.ci_low).all()
    assert "have not been simulated for objects in groups" in soft.notes[0]
    plain = sc.compare_all(runs, measure="rand_index", ci="jackknife")
    assert plain.ci_low[0, 1] == sc.compare(x, y, measures="rand_index",
                                            ci="jackknife").rows[0].ci_low
    with pytest.raises(ValueError, match="groups have no effect without ci"):
        sc.compare_all(runs, groups=groups)


@pytest.mark.parametrize("engine", ["pandas", "polars", "polars lazy"])
def test_groups_and_strata_as_columns(engine):
    x, y, groups = draw(36, 40)
    columns = {"x": x, "y": y, "patient": [f"p{g}" for g in groups],
               "clinic": np.array(["north", "south"])[groups % 2]}
    if engine == "pandas":
        frame = pytest.importorskip("pandas").DataFrame(columns)
    else:
        frame = pytest.importorskip("polars").DataFrame(columns)
        frame = frame.lazy() if engine == "polars lazy" else frame
    names = ["adjusted_rand_index", "purity_index"]
    found = sc.compare(data=frame, x="x", y="y", measures=names, ci="jackknife", groups="patient",
                       strata="clinic")
    plain = sc.compare(x, y, measures=names, ci="jackknife", groups=groups, strata=groups % 2)
    for a, b in zip(found, plain):
        assert (a.ci.low, a.ci.high) == (b.ci.low, b.ci.high)
    assert found.notes[-1].startswith("confidence intervals: 40 groups (patient) in 2 strata")
    row = sc.chance(data=frame, x="x", y="y", measure="rand_index", strata="clinic", rng=0,
                    n_permutations=99)
    other = sc.chance(x, y, "rand_index", strata=groups % 2, rng=0, n_permutations=99)
    assert row["rand_index"].p_value == other["rand_index"].p_value
    assert row.notes[-1] == "y is permuted within 2 strata (clinic)"
    with pytest.raises(sc.ClusteringError, match="data has no column 'person'"):
        sc.compare(data=frame, x="x", y="y", ci="jackknife", groups="person")
    if engine != "polars lazy":
        matrix = sc.compare_all(data=frame, ci="jackknife", groups="patient", strata="clinic",
                                measure="adjusted_rand_index")
        assert matrix.names == ("x", "y")
        assert matrix.ci_low[0, 1] == plain.rows[0].ci_low


def test_names_and_order_of_groups_change_nothing():
    x, y, groups = draw(5, 20)
    order = np.random.default_rng(0).permutation(x.size)
    names = ["adjusted_rand_index", "normalized_mutual_information", "purity_index"]
    first = sc.compare(x, y, measures=names, ci="jackknife", groups=groups)
    other = sc.compare(x[order], y[order], measures=names, ci="jackknife",
                       groups=[f"patient {19 - g}" for g in groups[order]])
    for a, b in zip(first, other):
        assert (a.ci.low.low, a.ci.high.high) == pytest.approx((b.ci.low.low, b.ci.high.high),
                                                              abs=1e-12)


def test_the_note_says_what_is_sampled():
    x, y, groups = draw(7, 40)
    found = sc.compare(x, y, measures="adjusted_rand_index", ci="jackknife", groups=groups)
    assert found.notes[-1].startswith("confidence intervals: 40 groups are sampled, ")
    assert "Intervals for independent" in str(found)
    ci = found.rows[0].ci
    assert (ci.n_groups, ci.method) == (40, "jackknife, groups")
    assert ci.design_effect > 0.0
    drawn = sc.compare(x, y, measures="adjusted_rand_index", ci="bootstrap", groups=groups, rng=0)
    assert "needs 50 effective groups" in drawn.rows[0].note


@pytest.mark.parametrize(("n_groups", "with_errors", "reliable"), [
    (30, 5, True), (29, 5, False), (30, 4, False)])
def test_reliable_intervals_need_30_groups_and_errors_in_5(n_groups, with_errors, reliable):
    groups = np.repeat(np.arange(n_groups), 10)
    x = np.arange(groups.size) % 3
    y = np.where((groups < with_errors) & (np.arange(groups.size) % 2 == 0), (x + 1) % 3, x)
    ci = sc.compare(x, y, measures="rand_index", ci="jackknife", groups=groups).rows[0].ci
    assert (ci.effective_groups, ci.reliable) == (n_groups, reliable)


def test_a_bootstrap_of_groups():
    x, y, groups = draw(3, 90)
    names = ["adjusted_rand_index", "jaccard_index"]
    drawn, left = (sc.compare(x, y, measures=names, ci=ci, groups=groups, rng=0)
                   for ci in ("bootstrap", "jackknife"))
    for a, b in zip(drawn, left):
        assert a.ci.method == "bootstrap, groups"
        assert a.ci.standard_error[0] == pytest.approx(b.ci.standard_error[0], rel=0.2)
        assert a.ci.estimate == b.ci.estimate


@pytest.mark.parametrize("case", cases("rank_groups"))
def test_rankings(case):
    given = case["input"]
    found = sc.rank_clusterings(given["truth"], given["clusterings"], groups=given["groups"],
                                **case["kwargs"])
    for name, expected in case["expected"].items():
        assert list(getattr(found, name)) == pytest.approx(expected, abs=case["abs_tol"]), name


@pytest.mark.parametrize(("options", "error", "text"), [
    ({"groups": [0] * 8}, sc.ClusteringError, "all 8 objects are in group 0"),
    ({"groups": [0] * 7}, sc.ClusteringError, "groups has 7 labels; one for each of the 8"),
    ({"groups": [0, 0, 1, 1, 2, 2, 3, None]}, sc.ClusteringError, "missing, first of object 7"),
    ({"groups": [0, 0, 1, 1, 2, 2, 3, 3], "strata": [0, 1, 0, 0, 1, 1, 1, 1]},
     sc.ClusteringError, "groups must lie within strata; 1 of 4 .* such as 0"),
    ({"strata": [0, 0, 0, 0, 0, 0, 0, "b"]}, sc.ClusteringError,
     "stratum 'b' has a single object; merge it with another"),
    ({"groups": range(8), "ci": None}, ValueError, "groups have no effect without ci"),
])
def test_errors(options, error, text):
    with pytest.raises(error, match=text):
        sc.compare([0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 0, 1, 1, 1, 1, 0], measures="rand_index",
                   **{"ci": "jackknife"} | options)


def test_groups_follow_objects_that_are_dropped():
    x, y, groups = draw(9, 15)
    noisy = x.copy()
    noisy[:3] = -1
    found = sc.compare(noisy, y, measures="rand_index", ci="jackknife", groups=groups,
                       noise="drop").rows[0]
    kept = sc.compare(x[3:], y[3:], measures="rand_index", ci="jackknife",
                      groups=groups[3:]).rows[0]
    assert math.isclose(found.ci.low.low, kept.ci.low.low, abs_tol=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_inflation_is_that_of_loops(seed):
    x, y, groups = draw(seed, 8)
    y = np.where(groups < 3, (x + 1) % 3, y)   # errors sit in three groups
    found = grouped(sc.Joint(x, y), Units(groups)).inflation
    assert found == pytest.approx(naive.inflation(x.tolist(), y.tolist(), groups.tolist()))
    assert found > 1.0


def test_the_command_line_reads_groups_from_a_column(tmp_path, capsys):
    from softclust.cli import main
    x, y, groups = draw(4, 20)
    order = np.random.default_rng(2).permutation(x.size)
    first, second = tmp_path / "a.csv", tmp_path / "b.csv"
    first.write_text("id,cluster,patient\n" + "".join(
        f"o{k},{x[k]},p{groups[k]}\n" for k in range(x.size)))
    second.write_text("id,cluster\n" + "".join(f"o{k},{y[k]}\n" for k in order))
    command = ["compare", str(first), str(second), "--measures", "rand_index"]
    assert main([*command, "--ci", "jackknife", "--groups", "patient"]) == 0
    assert "confidence intervals: 20 groups are sampled" in capsys.readouterr().out
    inside = ["--ci", "jackknife", "--groups", "patient", "--pairs", "within"]
    assert main([*command, *inside, "--format", "json"]) == 0
    [row] = json.loads(capsys.readouterr().out)["measures"]
    assert row["value"] == pytest.approx(of_pairs(x, y, groups, True)[0])
    assert main([*command, "--pairs", "within"]) == 2
    assert "--pairs within needs --groups" in capsys.readouterr().err
    assert main([*command, "--ci", "jackknife", "--groups", "person"]) == 1
    assert "has no column 'person' for groups" in capsys.readouterr().err
    assert main([*command, "--groups", "patient"]) == 2
    assert "--groups has no effect without --ci" in capsys.readouterr().err


def test_a_table_with_parts_gives_the_bits_of_labels(tmp_path):
    import pickle
    rng = np.random.default_rng(6)
    x, y, groups = draw(11, 24)
    strata = np.array(["a", "b"])[groups % 2]
    table = sc.contingency_table(x, y, groups=groups, strata=strata)
    assert table.total() == sc.contingency_table(x, y)
    names = ["adjusted_rand_index", "normalized_mutual_information", "purity_index"]
    for inside, of_table in (({"groups": groups}, {"groups": True}),
                             ({"groups": groups, "strata": strata},
                              {"groups": True, "strata": True})):
        for a, b in zip(sc.compare(x, y, measures=names, ci="jackknife", **inside),
                        sc.compare(table, measures=names, ci="jackknife", **of_table)):
            assert (a.value, a.ci.low, a.ci.high) == (b.value, b.ci.low, b.ci.high)
    assert sc.adjusted_rand_index(table, strata=True) == sc.adjusted_rand_index(x, y,
                                                                                strata=strata)
    a, b = (sc.chance(*sides, measure="rand_index", rng=0, n_permutations=99, strata=given)
            for sides, given in (((x, y), strata), ((table,), True)))
    assert a["rand_index"].p_value == b["rand_index"].p_value
    half = rng.random(x.size) < 0.5
    merged = sc.contingency_table(x[half], y[half], groups=groups[half],
                                  strata=strata[half]).merge(
        sc.contingency_table(x[~half], y[~half], groups=groups[~half], strata=strata[~half]))
    for other in (merged, pickle.loads(pickle.dumps(table)), table.transpose().transpose()):
        assert other.group == table.group
        assert other.stratum == table.stratum
        assert other.part_counts.tolist() == table.part_counts.tolist()
        assert other == table
    import pandas as pd
    frame = pd.DataFrame({"x": x, "y": y, "patient": groups, "batch": strata}).value_counts(
        ).reset_index()
    read = sc.ContingencyTable.from_frame(frame, group="patient", stratum="batch")
    assert read.part_counts.tolist() == table.part_counts.tolist()
    with pytest.raises(sc.ClusteringError, match="the table has no groups: count with groups="):
        sc.compare(sc.contingency_table(x, y), measures=names, ci="jackknife", groups=True)
    table.save(tmp_path / "parts.npz")
    loaded = sc.ContingencyTable.load(tmp_path / "parts.npz")
    assert isinstance(loaded, sc.PartedTable)
    assert (loaded.group, loaded.stratum) == (table.group, table.stratum)
    assert loaded.part_counts.tolist() == table.part_counts.tolist()
    assert loaded == table
    by_stratum = sc.contingency_table(x, y, strata=strata)
    by_stratum.save(tmp_path / "strata.npz")
    loaded = sc.ContingencyTable.load(tmp_path / "strata.npz")
    assert loaded.group is None
    assert loaded.stratum == by_stratum.stratum
    arrays = dict(np.load(tmp_path / "parts.npz"))
    arrays["part_counts"] = arrays["part_counts"] + 1
    np.savez(tmp_path / "wrong.npz", **arrays)
    with pytest.raises(sc.ClusteringError, match="is damaged"):
        sc.ContingencyTable.load(tmp_path / "wrong.npz")
    header = json.loads(arrays["header"].tobytes())
    del header["digest"]
    np.savez(tmp_path / "wrong.npz", **{**arrays, "header": as_bytes(header)})
    with pytest.raises(sc.ClusteringError, match="do not add up"):
        sc.ContingencyTable.load(tmp_path / "wrong.npz")


def test_whole_weights_are_copies_in_the_same_group():
    x, y, groups = draw(41, 20)
    weights = np.random.default_rng(1).integers(1, 4, size=x.size)
    names = ["adjusted_rand_index", "rand_index", "jaccard_index", "wallace_index"]
    copies = np.repeat(np.arange(x.size), weights)
    weighted = sc.compare(x, y, measures=names, ci="jackknife", groups=groups, weights=weights)
    copied = sc.compare(x[copies], y[copies], measures=names, ci="jackknife",
                        groups=groups[copies])
    for a, b in zip(weighted, copied):
        assert a.ci.estimate[0] == pytest.approx(b.ci.estimate[0], abs=1e-12)
        assert a.ci.standard_error[0] == pytest.approx(b.ci.standard_error[0], abs=1e-12)
        assert a.ci.effective_groups == pytest.approx(b.ci.effective_groups)
        assert a.value == getattr(sc, a.name)(sc.contingency_table(x, y, weights=weights))


def test_weights_of_single_objects_are_no_counts():
    """Each object its own group: weights were taken for so many independent objects."""
    x, y, _ = draw(41, 20)
    weights = np.random.default_rng(1).integers(1, 4, size=x.size)
    alone, copies = np.arange(x.size), np.repeat(np.arange(x.size), weights)
    [a] = sc.compare(x, y, measures="ARI", ci="jackknife", groups=alone, weights=weights)
    [b] = sc.compare(x[copies], y[copies], measures="ARI", ci="jackknife", groups=copies)
    assert a.ci.estimate[0] == pytest.approx(b.ci.estimate[0], abs=1e-12)
    assert a.ci.standard_error[0] == pytest.approx(b.ci.standard_error[0], abs=1e-12)
    heavy = np.append(1000.0, np.ones(x.size - 1))
    [c] = sc.compare(x, y, measures="ARI", ci="jackknife", groups=alone, weights=heavy)
    assert c.ci.effective_groups < 2
    assert not c.ci.reliable


def test_equal_weights_change_nothing_and_no_weight_is_no_object():
    x, y, groups = draw(42, 20)
    names = ["adjusted_rand_index", "jaccard_index"]
    weights = np.full(x.size, 2.5)
    plain, equal = (sc.compare(x, y, measures=names, ci="jackknife", groups=groups, **options)
                    for options in ({}, {"weights": weights}))
    for a, b in zip(plain, equal):
        assert (a.ci.low, a.ci.high) == (b.ci.low, b.ci.high)
    frame = pytest.importorskip("pandas").DataFrame({"x": x, "y": y, "w": weights, "g": groups})
    named = sc.compare(data=frame, x="x", y="y", weights="w", measures=names, ci="jackknife",
                       groups="g")
    assert [row.ci.low for row in named] == [row.ci.low for row in equal]
    assert "20 groups (g) are sampled" in named.notes[-1]
    weights[groups == 3] = 0.0
    gone, rest = (sc.compare(*sides, measures=names, ci="jackknife", **options)
                  for sides, options in (
                      ((x, y), {"groups": groups, "weights": weights}),
                      ([v[groups != 3] for v in (x, y)], {"groups": groups[groups != 3]})))
    for a, b in zip(gone, rest):
        assert (a.ci.low.low, a.ci.high.high) == pytest.approx((b.ci.low.low, b.ci.high.high),
                                                              abs=1e-12)
    found = sc.compare(x, y, measures=["purity_index", "mutual_information"], ci="jackknife",
                       groups=groups, weights=np.full(x.size, 2.0))
    for row in found:
        assert "need an index that counts pairs" in row.ci.note
    # A number of pairs is in another unit than its limits would be.
    row = sc.compare(x, y, measures="symmetric_difference_distance", ci="jackknife",
                     groups=groups, weights=np.full(x.size, 2.0)).rows[0]
    assert row.ci.method == "none"
    with pytest.raises(sc.ClusteringError, match='does not work with pairs="within"'):
        sc.compare(np.eye(3)[x] * 0.7 + 0.1, y, ci="jackknife", groups=groups, pairs="within")
    with pytest.raises(sc.ClusteringError, match="needs objects without weights"):
        sc.compare(x, y, ci="jackknife", groups=groups, weights=weights, pairs="within")
    with pytest.raises(sc.ClusteringError, match="need the weight of each object"):
        sc.compare(x, y, ci="jackknife", weights=weights)


@pytest.mark.parametrize("ci", ["jackknife", "bootstrap"])
@pytest.mark.parametrize("measure", ["ARI", "NMI", "rand_index"])
def test_a_table_remembers_its_groups(ci, measure):
    rng = np.random.default_rng(0)
    x = rng.integers(3, size=240)
    y = np.where(rng.random(240) < 0.6, x, rng.integers(3, size=240))
    parts = {"groups": np.repeat(np.arange(80), 3), "strata": np.repeat([0, 1], 120)}
    for known in ({"groups": parts["groups"]}, parts):
        row, by_labels = (sc.compare(*sides, ci=ci, measures=measure, rng=0, **more).rows[0]
                          for sides, more in (((sc.contingency_table(x, y, **known),), {}),
                                              ((x, y), known)))
        np.testing.assert_equal([row.ci_low, row.ci_high], [by_labels.ci_low, by_labels.ci_high])
    assert "do not use the strata" in str(sc.compare(
        sc.contingency_table(x, y, strata=parts["strata"]), ci=ci, measures=measure, rng=0))
