"""Votes of ready ensembles: stored ones, the naive loop, table 7, odd input, messages."""

import json
import signal
from pathlib import Path

import naive.matching as oracle
import numpy as np
import pytest
from strategies import JIT_OFF

import softclust as sc

ITEMS = {item["id"]: item for item in json.loads(
    (Path(__file__).parents[2] / "golden" / "truecluster.json").read_text())["items"]}
RULES = ("trace", "truematch", "truematch_heuristic/remaining", "truematch_heuristic/all")
TABLE_7 = [name for name in ITEMS if name.startswith("t7-")
           and ITEMS[name]["input"]["matching"] != "DWH"]


def rule_of(name):
    method, _, margins = name.partition("/")
    return {"method": method, "margins": margins or "remaining"}


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("name", ["ensemble-14", "ensemble-15-weighted"])
def test_stored_votes(name, rule):
    given = ITEMS[name]["input"]
    options = {"weights": given["weights"], "rng": 0, **rule_of(rule)}
    expected = np.array(ITEMS[name]["expected"]["votes"][rule])
    result = sc.mmcc(np.array(given["labels"]), **options)
    assert np.array_equal(result.votes, expected)
    members = [sc.HardClustering(labels, n_clusters=3) for labels in given["labels"]]
    again = sc.mmcc(members, **options)
    assert np.array_equal(again.votes, expected)
    assert np.array_equal(again.permutations, result.permutations)
    # exact too when members vote in fractions of 1 and 0
    soft = sc.mmcc([m.to_fuzzy() for m in members], **options)
    assert np.array_equal(soft.votes, expected)


def random_members(rng, count, n, c, silent=False):
    base = rng.integers(0, c, n)
    members = np.where(rng.random((count, n)) < 0.3, rng.integers(0, c, (count, n)), base)
    members = np.array([rng.permutation(c)[m] for m in members])
    if silent:
        members[rng.random((count, n)) < 0.2] = -1
    return members


@pytest.mark.parametrize("rule", RULES)
def test_naive_loop_bit_for_bit(rule):
    rng = np.random.default_rng(1)
    method, margins = rule_of(rule).values()
    for case in range(8 if not JIT_OFF else 3):
        n, c = int(rng.integers(1, 13)), int(rng.integers(1, 5))
        members = random_members(rng, 7, n, c, silent=case % 2 == 1)
        members[0] = np.maximum(members[0], 0)   # so that everyone has a vote
        weights = rng.integers(1, 9, 7) / 8 if case % 3 == 0 else None
        uniforms = rng.random((7, n + c))
        result = sc.mmcc(members, n_clusters=c, weights=weights, uniforms=uniforms,
                         **rule_of(rule))
        lists = [[None if k < 0 else int(k) for k in m] for m in members]
        votes, names = oracle.mmcc(lists, c, method, uniforms.tolist(), margins, weights)
        assert np.array_equal(result.votes, votes)
        assert result.permutations.tolist() == names


def test_bits_do_not_depend_on_blocks_or_threads(monkeypatch):
    members = random_members(np.random.default_rng(2), 40, 30, 3)
    whole = sc.mmcc(members, rng=5)
    monkeypatch.setattr("softclust.extensions.truecluster.multiple_match._NUMBERS", 33 * 7)
    try:
        sc.set_num_threads(1)
        pieces = sc.mmcc(members, rng=5)
    finally:
        sc.set_num_threads(None)
    assert np.array_equal(whole.votes, pieces.votes)
    assert np.array_equal(whole.permutations, pieces.permutations)


def test_an_interrupt_returns_the_votes_of_whole_members(monkeypatch):
    members = random_members(np.random.default_rng(2), 40, 30, 3)
    # 7 members at once
    monkeypatch.setattr("softclust.extensions.truecluster.multiple_match._NUMBERS", 33 * 7)

    def stop(done, total):
        if done == 14:
            raise KeyboardInterrupt

    with pytest.warns(sc.IncompleteWarning, match="interrupted after 14 of 40 members"):
        part = sc.mmcc(members, n_clusters=3, rng=5, progress=stop)
    whole = sc.mmcc(members[:14], n_clusters=3, rng=5)
    assert part.n_members == 14
    assert np.array_equal(part.votes, whole.votes)
    assert np.array_equal(part.permutations, whole.permutations)
    assert "interrupted after 14 of 40 members" in repr(part)
    members[:, 0] = -1
    members[-1] = 0
    with pytest.raises(KeyboardInterrupt, match="some objects have no vote yet"):
        sc.mmcc(members, n_clusters=3, rng=5, progress=stop)


def test_a_signal_leaves_no_vote_by_half(monkeypatch):
    """Ctrl-C while a member is matched is answered before it votes."""
    from softclust.extensions.truecluster import multiple_match as _voting
    members = random_members(np.random.default_rng(2), 40, 30, 3)
    calls = []

    def match(*arguments, **options):
        calls.append(1)
        if len(calls) == 15:
            signal.raise_signal(signal.SIGINT)
        return match_columns(*arguments, **options)

    match_columns = _voting.match_columns
    monkeypatch.setattr(_voting, "match_columns", match)
    with pytest.warns(sc.IncompleteWarning, match="interrupted after 15 of 40 members"):
        part = sc.mmcc(members, n_clusters=3, rng=5)
    monkeypatch.undo()
    assert np.array_equal(part.votes, sc.mmcc(members[:15], n_clusters=3, rng=5).votes)


@pytest.mark.parametrize("rule", RULES)
def test_tied_matches_are_chosen_evenly(rule):
    # The second member says that both objects belong together: with which of the two names?
    runs = 1000 if not JIT_OFF else 200
    first = sum(sc.mmcc(np.array([[0, 1], [0, 0]]), n_clusters=2, rng=seed,
                        **rule_of(rule)).votes[0, 0] == 2 for seed in range(runs))
    assert abs(first / runs - 0.5) <= 4.5 * 0.5 / np.sqrt(runs)


def test_tied_majorities_are_chosen_by_the_given_numbers():
    """Number floor(u N) of the N tied clusters, afresh for each member."""
    from softclust.ensembles.consensus_record import majorities
    votes = np.array([[1, 1, 1]] * 5 + [[0, 2, 2]])
    labels = majorities(votes, np.array([0.0, 0.33, 0.34, 0.67, 0.99, 0.5]))
    assert labels.tolist() == [0, 0, 1, 2, 2, 2]


def ensemble(sizes, justified, rng, count):
    """Members of fixed sizes under random names; `justified` keeps the first cluster."""
    base = np.repeat(np.arange(len(sizes)), sizes)
    members = np.tile(base, (count, 1))
    moving = members[:, sizes[0]:] if justified else members
    moving[...] = rng.permuted(moving, axis=1)
    names = rng.permuted(np.tile(np.arange(len(sizes)), (count, 1)), axis=1)
    return np.take_along_axis(names, members, axis=1)


@pytest.mark.skipif(JIT_OFF, reason="ten thousand replicates")
@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.slow] * (i > 0))
                                  for i, name in enumerate(TABLE_7)])   # 2 s each
def test_table_7(name):
    """One ensemble: its chance error is below a third of the tolerances."""
    given, expected = ITEMS[name]["input"], ITEMS[name]["expected"]
    members = ensemble(given["sizes"], given["justified_first_cluster"],
                       np.random.default_rng(0), given["n_resamples"])
    cic = sc.mmcc(members, method=given["matching"], rng=0).cic
    for part, tolerance in ITEMS[name]["tolerance"].items():
        assert abs(getattr(cic, part) - expected[part]) <= tolerance, part


@pytest.mark.parametrize("sizes", [[100], [50, 50]])
def test_what_is_justified_stays_crisp(sizes):
    rng = np.random.default_rng(0)
    base = np.repeat(np.arange(len(sizes)), sizes)
    members = np.array([rng.permutation(len(sizes))[base] for _ in range(60)])
    result = sc.mmcc(members, rng=1)
    assert result.entropies.max() == 0
    assert sc.rand_index(result.labels, base) == 1
    expected = 0.0 if len(sizes) == 1 else 98 / 99   # (1 - 1/99) log2 2
    assert result.cic.criterion == pytest.approx(expected, abs=1e-12)


# -- odd input ------------------------------------------------------------------------------


def test_members_of_unequal_numbers_of_clusters():
    members = [[0, 0, 1, 1], [0, 1, 2, 2], [0, 0, 0, 0]]
    result = sc.mmcc(members, rng=0)
    assert result.clustering.n_clusters == 3
    assert result.votes.sum(axis=1).tolist() == [3, 3, 3, 3]
    assert sc.mmcc(members, n_clusters=5, rng=0).votes.shape == (4, 5)


def test_more_clusters_than_are_counted():
    """Above 12 clusters SciPy decides; an exact repetition still finds itself."""
    rng = np.random.default_rng(3)
    base = np.repeat(np.arange(14), 3)
    members = np.array([rng.permutation(14)[base] for _ in range(4)])
    for method in ("trace", "truematch", "truematch_heuristic"):
        result = sc.mmcc(members, method=method, rng=0)
        assert result.votes.max(axis=1).min() == 4


def test_one_object_one_member():
    assert sc.mmcc([[0]], rng=0).votes.tolist() == [[1.0]]
    single = sc.mmcc([["b", "a", "b"]], rng=0)
    assert single.membership.tolist() == [[0, 1], [1, 0], [0, 1]]
    assert single.n_members == 1


def test_fuzzy_and_hard_members_mix():
    fuzzy = sc.FuzzyClustering([[0.75, 0.25], [0.5, 0.5], [0.0, 1.0]])
    result = sc.mmcc([[0, 0, 1], fuzzy, [1, 1, 0]], rng=0)
    assert result.votes.tolist() == [[2.75, 0.25], [2.5, 0.5], [0, 3]]


def test_object_names_are_kept():
    x = sc.HardClustering([0, 1], object_names=["u", "v"])
    assert sc.mmcc([x, [1, 0]], rng=0).to_frame().index.tolist() == ["u", "v"]


def test_the_record():
    result = sc.mmcc(random_members(np.random.default_rng(0), 20, 15, 3), rng=0)
    assert "mmcc, truematch_heuristic" in str(result)
    assert "20 members" in repr(result)
    assert np.allclose(result.membership.sum(axis=1), 1)
    assert np.isnan(result.objective)
    pytest.importorskip("matplotlib").use("Agg")
    import matplotlib.pyplot as plt
    ax = result.plot()
    assert ax.get_ylim() == (0, 1)
    plt.close(ax.figure)


@pytest.mark.parametrize(("arguments", "message"), [
    ({"ensemble": [[0, 1], [0, 1, 1]]}, "3 objects"),
    ({"ensemble": [[0, 1, 2]], "n_clusters": 2}, "a member has 3 clusters"),
    ({"ensemble": [[0, 1]], "n_clusters": 2.5}, "whole number"),
    ({"ensemble": [[0, 1]], "weights": [1, 2]}, r"weights has shape \(2,\); one number"),
    ({"ensemble": [[0, 1]], "weights": [-1]}, "finite numbers >= 0"),
    ({"ensemble": [[0, 1]], "weights": [0]}, "weights are all 0"),
    ({"ensemble": [[0, 1]], "uniforms": [[0.1]]}, r"uniforms has shape \(1, 1\); \(1, 4\)"),
    ({"ensemble": [[0, 1]], "uniforms": [[0.1, 1, 0, 0]]}, r"\[0, 1\)"),
    ({"ensemble": np.array([[0, -1], [0, -1]])}, "object 1 gets no vote"),
    ({"ensemble": np.array([[0, -2]])}, "-1 for"),
    ({"ensemble": np.array([[-1, -1]])}, "no object has a label"),
    ({"ensemble": [[0, None]]}, "missing"),
    ({"ensemble": [sc.RoughClustering.from_upper([[1, 1], [1, 0]])]}, r"is rough.*to_fuzzy"),
])
def test_messages(arguments, message):
    with pytest.raises(sc.ClusteringError, match=message):
        sc.mmcc(arguments.pop("ensemble"), **arguments)


def test_weights_of_any_size():
    runs = [[0, 0, 1], [0, 1, 1]]
    found = sc.mmcc(runs, weights=[1e308, 1e308], rng=0).clustering.membership
    assert (found == sc.mmcc(runs, weights=[1, 1], rng=0).clustering.membership).all()


def test_either_numbers_or_a_generator():
    with pytest.raises(TypeError, match="not both"):
        sc.mmcc([[0, 1]], rng=0, uniforms=[[0, 0, 0, 0]])
