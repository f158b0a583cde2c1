"""Fuzziness, margin, dissimilarity accounted for, tabulated ensembles: oracles, R, odd input."""

import json
import math
from pathlib import Path

import naive
import numpy as np
import pytest

import softclust as sc

FCLUST = json.loads((Path(__file__).parent / "golden" / "r" / "fclust.json").read_text())
MISC = json.loads((Path(__file__).parent / "golden" / "r" / "clue_misc.json").read_text())
METHODS = ("partition_coefficient", "partition_entropy")


def side(given):
    """Labels as they are; printed rows rescaled, since they sum to 1 up to 1e-15 only."""
    if not isinstance(given[0], list):
        return given
    rows = np.array(given, dtype=float)
    return sc.FuzzyClustering(rows / rows.sum(axis=1, keepdims=True))


# -- fuzziness and margin -------------------------------------------------------------------------


@pytest.mark.parametrize("name", list(MISC["partition"]))
def test_stored_values_of_clue(name):
    case = MISC["partition"][name]
    x = side(case["input"])
    for method, short in zip(METHODS, ("PC", "PE")):
        for normalize, tail in ((True, "_normalized"), (False, "")):
            assert sc.fuzziness(x, method=method, normalize=normalize) == pytest.approx(
                case[f"fuzziness_{short}{tail}"], rel=1e-12, abs=1e-13), (method, normalize)
    np.testing.assert_allclose(sc.margin(x), case["margin"], rtol=0, atol=1e-13)


@pytest.mark.parametrize("name", list(FCLUST["crispness"]))
def test_stored_values_of_fclust(name):
    case = FCLUST["crispness"][name]
    x = side(case["membership"])
    assert sc.fuzziness(x, normalize=False) == pytest.approx(case["PC"], rel=1e-12)
    assert 1 - sc.fuzziness(x) == pytest.approx(case["MPC"], rel=1e-12)
    entropy = sc.fuzziness(x, method="partition_entropy", normalize=False)
    assert entropy == pytest.approx(case["PE"], rel=1e-12)
    assert entropy / math.log(2) == pytest.approx(case["PE_base2"], rel=1e-12)


@pytest.mark.parametrize("c", [1, 2, 5])
def test_oracles(c):
    rng = np.random.default_rng(c)
    u = rng.dirichlet(np.full(c, 0.4), size=9)
    u[0] = np.eye(c)[0]
    wide = np.hstack([u, np.zeros((9, 2))])   # empty clusters do not count
    for x in (u, wide) if c > 1 else (u,):
        for method in METHODS:
            for normalize in (True, False):
                assert sc.fuzziness(x, method=method, normalize=normalize) == pytest.approx(
                    naive.fuzziness(x.tolist(), method=method, normalize=normalize), abs=1e-13)
        assert sc.margin(x).tolist() == naive.margin(x.tolist())


@pytest.mark.parametrize("method", METHODS)
def test_ends_of_fuzziness(method):
    assert sc.fuzziness([0, 1, 2], method=method) == 0.0
    assert sc.fuzziness(np.eye(3), method=method) == 0.0
    assert sc.fuzziness(np.full((4, 3), 1 / 3), method=method) == pytest.approx(1.0, abs=1e-15)
    assert sc.fuzziness(np.ones((4, 1)), method=method) == 0.0
    empty = [[0.5, 0.5, 0.0], [1.0, 0.0, 0.0], [0.5, 0.5, 0.0]]   # a column that does not count
    assert sc.fuzziness(empty, method=method) == pytest.approx(2 / 3, abs=1e-15)
    assert sc.fuzziness([0, 1], method="partition_coefficient", normalize=False) == 1.0
    assert sc.fuzziness([0, 1], method="partition_entropy", normalize=False) == 0.0


def test_margins_of_hard_clusterings_and_ties():
    assert sc.margin([0, 1, 1]).tolist() == [1, 1, 1]
    assert sc.margin([[0.5, 0.5], [0.25, 0.75]]).tolist() == [0, 0.5]


@pytest.mark.parametrize("function", [sc.fuzziness, sc.margin])
def test_other_kinds_are_refused(function):
    with pytest.raises(sc.ClusteringError, match=r"x is rough.*x\.to_fuzzy\(\)"):
        function(sc.RoughClustering.from_upper([[1, 1], [1, 0]]))


def test_unknown_method():
    with pytest.raises(ValueError, match="'PC' is not known; choose one of 'partition_coeff"):
        sc.fuzziness([0, 1], method="PC")


# -- dissimilarity accounted for ------------------------------------------------------------------


@pytest.mark.parametrize("name", list(MISC["validity"]))
def test_stored_validity_of_clue(name):
    case = MISC["validity"][name]
    x, d = side(case["membership"]), np.array(case["d"])
    assert sc.dissimilarity_accounted_for(x, d) == pytest.approx(
        case["dissimilarity_accounted_for"], rel=1e-12)


@pytest.mark.parametrize("hard", [True, False])
def test_matrix_and_pairs_against_the_definition(hard):
    rng = np.random.default_rng(7)
    points = rng.normal(size=(8, 2))
    d = np.sqrt(((points[:, None] - points) ** 2).sum(axis=2))
    labels = rng.integers(3, size=8)
    u = np.eye(3)[labels] if hard else rng.dirichlet([1, 1, 1], size=8)
    expected = naive.dissimilarity_accounted_for(u.tolist(), d.tolist())
    x = labels if hard else u
    assert sc.dissimilarity_accounted_for(x, d) == pytest.approx(expected, rel=1e-12)
    pairs = d[np.triu_indices(8, 1)]
    assert sc.dissimilarity_accounted_for(x, pairs) == pytest.approx(expected, rel=1e-12)


def test_ends_of_dissimilarity_accounted_for():
    d = [[0, 0, 3], [0, 0, 3], [3, 3, 0]]
    assert sc.dissimilarity_accounted_for([0, 0, 1], d) == 1.0
    assert sc.dissimilarity_accounted_for([0, 0, 0], d) == pytest.approx(0.0, abs=1e-15)
    with pytest.warns(sc.UndefinedMeasureWarning, match="all dissimilarities are 0"):
        assert math.isnan(sc.dissimilarity_accounted_for([0, 1], [0.0]))


@pytest.mark.parametrize(("d", "message"), [
    (np.zeros((2, 2)), r"shape \(2, 2\) for 3 objects; a matrix \(3, 3\) or 3 pairs"),
    ([0, 1], r"shape \(2,\) for 3 objects"),
    ([[0, 1, 2], [3, 0, 1], [2, 1, 0]], r"not symmetric; \(d \+ d\.T\) / 2"),
    (np.ones((3, 3)), "diagonal entry that is not 0"),
    ([0, -1, 2], "negative, nan or infinite"),
    ([0, math.nan, 2], "negative, nan or infinite"),
    (["a", "b", "c"], "cannot be read as numbers"),
])
def test_wrong_dissimilarities_are_explained(d, message):
    with pytest.raises(sc.ClusteringError, match=message):
        sc.dissimilarity_accounted_for([0, 0, 1], d)


# -- tabulated ensembles --------------------------------------------------------------------------


@pytest.mark.parametrize("name", list(MISC["tabulate"]))
def test_stored_tables_of_clue(name):
    """clue counts relabelled copies apart; here they are one, so its rows may merge."""
    case = MISC["tabulate"][name]
    table = sc.Ensemble(case["members"]).tabulate()
    merged = {}
    for value, count in zip(case["values"], case["counts"]):
        key = tuple(value.index(label) for label in value)
        merged[key] = merged.get(key, 0) + count
    assert table.counts.tolist() == list(merged.values())
    assert table.counts.sum() == len(case["members"])
    for member, place in zip(case["members"], table.index):
        assert sc.rand_distance(member, table.clusterings[int(place)]) == 0


def test_relabelled_copies_and_empty_clusters_count_as_one():
    u = np.array([[0.5, 0.5, 0.0], [1.0, 0.0, 0.0], [0.0, 0.25, 0.75]])
    upper = np.array([[1, 1], [1, 0], [0, 1]], dtype=bool)
    table = sc.Ensemble({
        "a": [0, 0, 1], "b": sc.HardClustering([4, 4, 2], n_clusters=7), "c": [0, 1, 1],
        "u": u, "v": np.hstack([u[:, [2, 0, 1]], np.zeros((3, 1))]),
        "r": sc.RoughClustering.from_upper(upper),
        "s": sc.RoughClustering.from_upper(upper[:, ::-1]),
        "p": sc.PossibilisticClustering(upper.astype(float)),
    }).tabulate()
    assert table.clusterings.names == ("a", "c", "u", "r", "p")
    assert table.counts.tolist() == [2, 1, 2, 2, 1]
    assert table.index.tolist() == [0, 0, 1, 2, 2, 3, 3, 4]
    frame = table.to_frame()
    assert frame.loc["a", "count"] == 2
    assert frame["share"].sum() == pytest.approx(1)
    text = table.summary().as_text()
    assert "5 distinct of 8 clusterings" in text


def test_evidential_members_are_refused():
    x = sc.HardClustering([0, 1]).to_evidential()
    with pytest.raises(sc.ClusteringError, match=r"'1'.* evidential.*\.to_fuzzy\(\)"):
        sc.Ensemble([[0, 1], x]).tabulate()
