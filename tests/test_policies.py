"""The keywords of align in functions that compare: they act first, and the records say so."""

import numpy as np
import pandas as pd
import pytest

import softclust as sc

X = [0, 0, 0, 1, 1, 1, None, -1]
Y = [0, 0, 1, 1, 1, -1, 0, 0]
LINE = "x: 1 noise (singletons), 1 missing (drop); y: 1 noise (singletons), 0 missing; 7 of 8 obj"
OPTIONS = {"noise": "singletons", "missing": "drop"}


def test_compare():
    found = sc.compare(X, Y, **OPTIONS)
    a, b = sc.align(X, Y, **OPTIONS)
    plain = sc.compare(a, b)
    assert [row.value for row in found] == [row.value for row in plain]
    assert found.n_objects == 7
    assert found.alignment.n_dropped == 1
    assert plain.alignment is None
    assert " ".join(str(found).split()).count(LINE) == 1
    assert sc.compare([0, 1, -1], [0, 1, 1]).alignment is None
    limits = sc.compare(X, Y, measures="rand_index", ci="jackknife", **OPTIONS)
    assert limits.rows[0].ci.n_resamples == 7
    with pytest.raises(TypeError, match="x is a Joint"):
        sc.compare(sc.Joint(a, b), noise="drop")


def test_objects_in_compare():
    s = pd.Series([0, 0, 1, 1, 2])
    found = sc.compare(s, s.sample(frac=1, random_state=0)[:4], objects="common",
                       measures="rand_index")
    assert found.value("rand_index") == 1.0
    assert found.n_objects == 4
    assert "1 absent" in str(found)


def test_compare_all_and_ensemble():
    members = {"a": X, "b": Y, "c": [0, 1] * 4}
    matrix = sc.compare_all(members, measure="rand_index", **OPTIONS)
    a, b, c = sc.align(*members.values(), **OPTIONS)
    assert matrix["a", "b"] == sc.rand_index(a, b)
    assert matrix["b", "c"] == sc.rand_index(b, c)
    assert "7 of 8 objects compared" in " ".join(str(matrix).split())
    runs = sc.Ensemble(members, **OPTIONS)
    assert runs.n_objects == 7
    assert runs.alignment.names == ("a", "b", "c")
    assert sc.Ensemble([[0, 1]]).alignment is None
    assert runs == sc.Ensemble(list(runs), names=runs.names)
    assert sc.consensus(runs, method="HE").clustering.n_objects == 7


def test_pairs_on_their_own_objects():
    """Labels missing here and there: each pair drops its own, and the numbers need be no metric."""
    members = {"a": [0, 0, 0, 1], "b": [0, 0, None, 1], "c": [0, 0, 1, None]}
    found = sc.compare_all(members, measure="rand_distance", missing="drop", drop="pair")
    assert found.n_objects.tolist() == [[4, 3, 3], [3, 3, 2], [3, 2, 3]]
    for x, y in (("a", "b"), ("a", "c"), ("b", "c"), ("c", "c")):
        assert found[x, y] == sc.rand_distance(*sc.align(members[x], members[y], missing="drop"))
    assert found["a", "c"] == pytest.approx(2 / 3)
    assert found["a", "b"] == found["b", "c"] == 0.0   # 2/3 > 0 + 0
    text = " ".join(str(found).split())
    assert "2 to 3 objects per pair" in text
    assert "need not obey the triangle inequality" in text
    assert "b: 1 missing (drop), of 4" in text
    assert found.ordered(["c", "a", "b"]).n_objects[0].tolist() == [3, 3, 2]
    assert sc.compare_all(members, measure="rand_distance", missing="drop").n_objects == 2
    assert sc.compare_all(members, missing="drop", drop="pair", executor=None).names == tuple("abc")
    soft = {"f": sc.FuzzyClustering(np.full((3, 2), 0.5), object_names=list("pqr")),
            "g": {"q": 1, "r": 0, "s": 1}, "h": {"s": 1}}
    common = sc.compare_all(soft, objects="common", drop="pair")
    assert common.kinds == ("fuzzy", "hard", "hard")
    assert common.n_objects[0].tolist() == [3, 2, 0]
    assert np.isnan(common.lower[0, 2])
    assert "f, h; g, h; h, h: fewer than 2 objects in common" in common.notes
    with pytest.raises(ValueError, match="'listwise', 'pair'"):
        sc.compare_all(members, missing="drop", drop="each")
    with pytest.raises(sc.ClusteringError, match='missing="drop"'):
        sc.compare_all(members, drop="pair")


def test_pairs_on_workers():
    from concurrent.futures import ThreadPoolExecutor
    members = {"a": [0, 0, 0, 1, 1], "b": [0, 0, None, 1, 0], "c": [0, 0, 1, None, 1]}
    options = {"measure": "rand_index", "missing": "drop", "drop": "pair"}
    with ThreadPoolExecutor(2) as pool:
        found = sc.compare_all(members, executor=pool, **options)
    assert np.array_equal(found.value, sc.compare_all(members, **options).value)
    runs = sc.Ensemble.from_runs([[0, 0, 0, 1, 1], [0, 0, -1, 1, 0], [0, 0, 1, -1, 1]],
                              names=list("abc"))
    partial = sc.compare_all(runs, measure="rand_index")
    assert np.array_equal(found.value, partial.value)
    assert np.array_equal(found.n_objects, partial.n_objects)


def test_the_costliest_members_are_named():
    gaps = {"a": [0, None, 1, 1], "b": [None, 0, None, None], "c": [0, 1, None, None]}
    with pytest.raises(sc.ClusteringError, match=r"most objects are lost by b \(3\) and c \(2\)"):
        sc.Ensemble(gaps, missing="drop")
    sides = {"a": {"p": 0, "q": 1}, "b": {"r": 0, "s": 1, "t": 1}, "c": {"q": 0, "r": 1}}
    with pytest.raises(sc.ClusteringError, match=r'lost by a \(3\).*drop="pair"'):
        sc.Ensemble(sides, objects="common")


def test_parts_of_an_ensemble_keep_the_record():
    import pickle
    runs = sc.Ensemble({"a": X, "b": Y, "c": [0, 1] * 4}, **OPTIONS)
    part = runs.subset([0, 2, 5])
    assert part.alignment.n_objects == part.n_objects == 3
    assert part.alignment.header.endswith("3 of 8 objects compared")
    assert part.alignment.positions[1].tolist() == [0, 2, 5]
    assert runs.subset(np.arange(7) < 2).alignment.n_dropped == 6
    assert runs[1:].alignment.names == ("b", "c")
    assert runs[1:].alignment.n_noise == (1, 0)
    again = pickle.loads(pickle.dumps(runs))
    assert again == runs
    assert again.alignment.header == runs.alignment.header
    assert sc.Ensemble([[0, 1], [1, 1]]).subset([0, 1]).alignment is None


def test_records_print_what_was_done():
    for found in (sc.match_clusters(X, Y, rng=0, **OPTIONS),
                  sc.prayatul([0, 0, 0, 1, 1, 1, 1, -1], X, Y, coupling="evidential",
                              noise="empty", missing="drop"),
                  sc.prayatul_all([0, 0, 0, 1, 1, 1, 1, -1], {"x": X, "y": Y}, **OPTIONS)):
        assert found.alignment is not None
        assert "7 of 8 objects compared" in " ".join(str(found).split()), type(found)


def test_chance():
    found = sc.chance(X, Y, "rand_index", n_permutations=19, rng=0, **OPTIONS)
    plain = sc.chance(*sc.align(X, Y, **OPTIONS), "rand_index", n_permutations=19, rng=0)
    assert np.array_equal(found.null, plain.null)
    assert found.alignment.n_objects == 7
    assert "7 of 8 objects" in " ".join(str(found).split())


def test_match_clusters():
    found = sc.match_clusters(X, Y, rng=0, **OPTIONS)
    assert found.table.sum() == 7


def test_prayatul():
    truth = [0, 0, 0, 1, 1, 1, 1, -1]
    found = sc.prayatul(truth, X, Y, **OPTIONS)
    aligned = sc.align(truth, X, Y, noise=("cluster", "singletons", "singletons"), missing="drop")
    plain = sc.prayatul(*aligned)
    assert found.counts == plain.counts
    assert found.n == 7
    assert found.alignment.n_missing == (0, 1, 0)
    assert "1 missing (drop)" in " ".join(str(found).split())
    named = [dict(zip("abcdefgh", side)) for side in (truth, [0, 0, 0, 1, 1, 1, 0, 0], Y)]
    shuffled = dict(reversed(named[1].items()))
    assert sc.prayatul(named[0], shuffled, named[2], objects="common").counts == sc.prayatul(
        truth, [0, 0, 0, 1, 1, 1, 0, 0], Y).counts
    bounds = sc.prayatul(truth, [0, 0, 0, 1, 1, 1, 0, -1], Y, coupling="evidential",
                         noise="unknown")
    assert bounds.kinds == ("hard", "rough", "rough")


def test_ranges_over_completions():
    found = sc.compare(X, Y, missing="bounds")
    names = [row.name for row in found]
    assert "rand_index" in names
    assert "purity_index" not in names
    for row in found:
        single = sc.completion_bounds(X, Y, measure=row.name)
        assert (row.low, row.high) == (single.low, single.high)
        assert row.note == "range over completions"
    assert "least and greatest value over all ways" in " ".join(str(found).split())
    assert any("1 in x only, 0 in y only, 0 in both" in note for note in found.notes)
    one = sc.compare(pd.Series([0, 0, None, 1]), pd.Series([0, 0, 1, 1])[::-1], objects="common",
                     missing="bounds", measures="rand_index")
    assert (one.rows[0].low, one.rows[0].high) == (0.5, 1.0)
    some = sc.compare({"a": 0, "b": None, "c": 1, "d": 1}, {"b": 0, "c": 1, "d": 1, "e": 0},
                      objects="common", missing="bounds", measures="rand_index")
    assert some.n_objects == 3
    assert some.notes[:2] == ("1 of 4 objects of x are left out: they are not in y",
                              "1 of 4 objects of y are left out: they are not in x")
    with pytest.raises(ValueError, match="no confidence interval and no alpha"):
        sc.compare(X, Y, missing="bounds", ci="jackknife")
    with pytest.raises(ValueError, match='works with noise="cluster"'):
        sc.compare(X, Y, missing="bounds", noise="empty")
    with pytest.raises(ValueError, match="alpha_rand_interval does not give a number"):
        sc.compare(X, Y, missing="bounds", measures="alpha_rand_interval")


def test_ranges_over_completions_with_a_policy_for_noise():
    for noise in ("singletons", "drop"):
        found = sc.compare(X, Y, missing="bounds", noise=noise,
                           measures=["rand_index", "mutual_information"])
        kept = range(8) if noise == "singletons" else [0, 1, 2, 3, 4, 6]
        a, b = ([None if side[i] is None else 10 + i if side[i] == -1 else side[i]
                 for i in kept] for side in (X, Y))
        for row in found:
            assert row.value == sc.completion_bounds(a, b, measure=row.name).interval
        assert found.rows[1].range[0] == 0
        assert found.rows[1].range[1] < 2
        assert found.alignment.noise == (noise, noise)


def test_a_label_called_missing_is_a_label():
    x = {"a": "missing", "b": "missing", "c": None, "d": "u"}
    y = {"d": 0, "a": 1, "b": 0, "c": 1}
    for objects in ("common", "all"):
        found = sc.compare(x, y, missing="bounds", objects=objects, measures="rand_index")
        assert found.value("rand_index") == sc.completion_bounds(
            list(x.values()), [y[name] for name in x], measure="rand_index").interval


def test_matrix_of_ranges_over_completions():
    runs = {"a": [0, 0, 1, 1, 1, -1], "b": [0, 0, 1, 1, None, 1], "c": [0, -1, None, 1, 1, 0]}
    found = sc.compare_all(runs, missing="bounds", measure="rand_index")
    for a in runs:
        for b in runs:
            ends = sc.completion_bounds(runs[a], runs[b], measure="rand_index")
            assert found[a, b] == ends.interval
    assert found.interval_valued
    assert found.alignment is None
    pairs = sc.compare_all(runs, missing="bounds", measure="rand_index", noise="drop", drop="pair")
    assert pairs.n_objects.tolist() == [[5, 5, 4], [5, 6, 5], [4, 5, 5]]
    assert pairs["a", "c"] == sc.completion_bounds([0, 1, 1, 1], [0, None, 1, 1],
                                                   measure="rand_index").interval
    whole = sc.compare_all(runs, missing="bounds", measure="rand_index", noise="drop")
    assert whole.n_objects == 4
    assert "missing (bounds)" in " ".join(str(whole).split())
    assert sc.compare_all(runs, missing="bounds").measure == "adjusted_rand_index"
    with pytest.raises(ValueError, match="leave out alpha"):
        sc.compare_all(runs, missing="bounds", alpha=0.5)
    with pytest.raises(sc.ClusteringError, match="absent objects of an Ensemble"):
        sc.compare_all(sc.Ensemble.from_runs([[0, 1, -1], [0, 0, 1]]), missing="bounds",
                       measure="rand_index")
    with pytest.raises(sc.ClusteringError, match="is fuzzy"):
        sc.compare_all([[[0.5, 0.5], [1, 0]], [0, 1]], missing="bounds", measure="rand_index")


def test_several_noise_labels_in_a_list():
    found = sc.align([0, 1, -1, -2], [0, 0, 1, 1], noise="singletons", noise_label=[-1, -2])
    assert found.n_noise == (2, 0)


def test_errors_name_the_way_out():
    with pytest.raises(sc.ClusteringError, match=r'x: 1 label is missing.*missing="drop"'):
        sc.compare(X, Y)
    with pytest.raises(sc.ClusteringError, match="at least 2 are needed"):
        sc.compare([0, -1], [0, 1], noise="drop")


def test_on_the_command_line(tmp_path, capsys):
    import json

    from softclust.cli import main
    paths = []
    for name, labels in (("x", X), ("y", Y)):
        path = tmp_path / f"{name}.csv"
        pd.DataFrame({"id": list("abcdefgh"), "label": labels}).to_csv(path, index=False)
        paths.append(str(path))

    def run(*options):
        code = main(["compare", *paths, "--measures", "rand_index", "--format", "json", *options])
        out = capsys.readouterr()
        return (json.loads(out.out)["measures"][0] if code == 0 else out.err), code

    error, code = run()
    assert code == 1
    assert "--missing drop" in error
    for noise in ("cluster", "singletons", "drop"):
        for missing in ("drop", "cluster", "singletons"):
            row, _ = run("--noise", noise, "--missing", missing)
            expected = sc.rand_index(*sc.align(X, Y, noise=noise, missing=missing))
            assert row["value"] == expected, (noise, missing)
    main(["compare", *paths, "--format", "json", "--missing", "singletons", "--noise", "drop"])
    said = json.loads(capsys.readouterr().out)["alignment"]
    assert "1 noise (drop), 1 missing (singletons)" in said
    assert "6 of 8 objects compared" in said
    row, _ = run("--missing", "bounds")
    found = sc.completion_bounds(X, Y, measure="rand_index")
    assert (row["low"], row["high"]) == (found.low, found.high)
    row, _ = run("--missing", "drop", "--noise", "drop", "--noise-label", "1")
    assert row["value"] == sc.rand_index(*sc.align(X, Y, noise="drop", missing="drop",
                                                   noise_label=1))


@pytest.mark.parametrize("container", [
    list, np.array, pd.Series, pd.Categorical, pd.Index,
    lambda v: pd.Series(v, dtype="category"), lambda v: pd.Series(v, dtype="string"),
    pytest.importorskip("polars").Series, pytest.importorskip("pyarrow").array,
    lambda v: dict(zip("uvwxy", v)),
], ids=["list", "array", "Series", "Categorical", "Index", "category", "string", "polars", "arrow",
        "mapping"])
def test_noise_written_as_text_is_noise(container):
    x, y = ["-1", "a", "a", "b", "b"], ["a", "a", "a", "b", "b"]
    numbers = sc.align([-1, 0, 0, 1, 1], [0, 0, 0, 1, 1], noise="drop")
    for noise in ("drop", "singletons", "unknown", "empty", "uncovered"):
        both = sc.align(container(x), container(y), noise=noise)
        assert both.n_noise == (1, 0)
        assert both.n_objects == sc.align([-1, 0, 0, 1, 1], y, noise=noise).n_objects
    both = sc.align(container(x), container(y), noise="drop")
    assert sc.adjusted_rand_index(*both) == sc.adjusted_rand_index(*numbers)
    with pytest.raises(sc.ClusteringError, match="1 object is noise"):
        sc.align(container(x), container(y), noise="raise")


@pytest.mark.parametrize(("labels", "noise", "names", "sizes"), [
    ([-1, None, 0, 1, 0], "uncovered", (0, 1), [2, 1]),
    ([-1, None, 0, 1, 0], "cluster", (-1, 0, 1), [1, 2, 1]),
    ([-1, None, 0, 1, 0], "singletons", (0, 1, "noise 0"), [2, 1, 1]),
    ([-1, None, -1, -1, -1], "uncovered", (), [])])
def test_objects_in_no_cluster_leave_no_empty_cluster(labels, noise, names, sizes):
    x = sc.align(labels, [0, 1, 1, 0, 1], noise=noise, missing="uncovered")[0]
    assert x.cluster_names == names
    assert x.sizes.tolist() == sizes
    assert x.uncovered.tolist() == [i for i, label in enumerate(labels)
                                    if label is None or (label == -1 and noise == "uncovered")]
    with pytest.raises(sc.ClusteringError, match='"unknown" says that an object is in one'):
        sc.align([-1, None, 0, 1, 0], [0, 1, 1, 0, 1], noise="unknown", missing="uncovered")


def test_a_policy_for_noise_says_that_there_is_none():
    result = sc.compare([0, 0, 1, 1], [0, 0, 1, 1], noise="drop", measures="ARI")
    assert "x: 0 noise, 0 missing; y: 0 noise, 0 missing" in str(result)
