"""Consensus and medoid: stored values of clue, optimality of fits, properties, odd input."""

import json
import warnings
from functools import cache
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from naive import membership_matching as naive
from sklearn.exceptions import ConvergenceWarning

import softclust as sc
from softclust.ensembles import consensus_fits as fits
from softclust.ensembles import consensus_search as search

GOLDEN = Path(__file__).parent / "golden" / "r" / "clue_consensus.json"
METHODS = ("SE", "HE", "SM", "HM", "GV1", "DWH")


@cache
def stored():
    return json.loads(GOLDEN.read_text())["ensembles"]


def members(name):
    """The members of a stored ensemble: printed memberships sum to 1 up to 1e-15."""
    made = []
    for member in stored()[name]["members"]:
        rows = np.array(member, dtype=float)
        made.append(rows if rows.ndim == 1 else rows / rows.sum(axis=1, keepdims=True))
    return sc.Ensemble(made)


CASES = [(name, key) for name in json.loads(GOLDEN.read_text())["ensembles"]
         for key in json.loads(GOLDEN.read_text())["ensembles"][name]["results"]
         if key.split("_")[0] in METHODS]


def options(name, key):
    ensemble, result = stored()[name], stored()[name]["results"][key]
    method, _, variant = key.partition("_")
    found = {"method": method, "max_iter": 1000}
    if variant == "weights":
        found["weights"] = ensemble["weights"]
    if variant in ("k2", "kplus1"):
        found["n_clusters"] = 2 if variant == "k2" else ensemble["k_max"] + 1
    if method == "DWH":
        found["order"] = [v - 1 for v in result["order"]] if "order" in result else None
    else:
        found["start"] = ([np.array(s) for s in ensemble["starts"]] if variant == "2starts" else
                          np.array(result.get("start", ensemble["starts"][0])))
    return found


@pytest.mark.parametrize(("name", "key"), CASES)
def test_clue_is_reached_from_the_same_starts(name, key):
    result = stored()[name]["results"][key]
    given = options(name, key)
    found = sc.consensus(members(name), **given)
    clue = result["objval_recomputed"]
    if given["method"] in ("SE", "GV1"):
        assert found.objective <= clue + 1e-6
    else:
        # Ties decide where these end: the best of 20 starts must not be worse.
        if found.objective > clue + 1e-6:
            assert given["method"] != "DWH"
            given.pop("start")
            found = sc.consensus(members(name), n_starts=20, rng=0, **given)
        assert found.objective <= clue + 1e-6
    assert found.converged


@pytest.mark.parametrize("key", ["SE", "SE_weights", "SE_2starts", "GV1", "GV1_weights",
                                 "DWH_order", "DWH_weights"])
def test_memberships_equal_those_of_clue_up_to_order(key):
    name = "fuzzy_n20_k3_B5"
    found = sc.consensus(members(name), **options(name, key))
    clue = np.array(stored()[name]["results"][key]["membership"])
    # 1e-7: clue stops when its objective moves by less than 1.5e-8 of itself
    assert min(np.abs(found.membership - clue[:, list(order)]).max()
               for order in permutations(range(3))) < 1e-7


@pytest.mark.parametrize("name", list(json.loads(GOLDEN.read_text())["ensembles"]))
def test_dissimilarities_and_medoid_equal_those_of_clue(name):
    ensemble = members(name)
    for key, measure in (("euclidean", "euclidean_membership_distance"),
                         ("manhattan", "manhattan_membership_distance"),
                         ("comemberships", "comembership_dissimilarity")):
        clue = np.array(stored()[name]["dissimilarity"][key])
        # 1e-7: roots of sums that cancel in clue
        assert sc.compare_all(ensemble, measure=measure).value == pytest.approx(clue, abs=1e-7)
    assert sc.medoid(ensemble).index + 1 == stored()[name]["medoid_euclidean"]


# -- the fits ---------------------------------------------------------------------------------


def fit_l1(values, weights):
    """One row of SM: values (k, B)."""
    return fits.fit_rows_l1(values[None], weights[None])[0]


def loss_l1(values, weights, m):
    return float((weights * np.abs(values - m[:, None])).sum())


def best_by_programme(values, weights):
    """Least loss of a row on the simplex, by linear programming."""
    from scipy.optimize import linprog
    k, many = values.shape
    cost = np.concatenate([np.zeros(k), np.tile(weights, k)])
    above = np.hstack([np.repeat(np.eye(k), many, axis=0), -np.eye(k * many)])
    below = np.hstack([-np.repeat(np.eye(k), many, axis=0), -np.eye(k * many)])
    solved = linprog(cost, A_ub=np.vstack([above, below]),
                     b_ub=np.concatenate([values.ravel(), -values.ravel()]),
                     A_eq=np.concatenate([np.ones(k), np.zeros(k * many)])[None], b_eq=[1.0])
    return solved.fun


def test_rows_of_sm_are_optimal():
    rng = np.random.default_rng(1)
    for trial in range(60):
        k, many = int(rng.integers(1, 5)), int(rng.integers(1, 7))
        values = (rng.dirichlet(np.ones(k), many) if trial % 2
                  else np.eye(k)[rng.integers(0, k, many)]).T
        if trial % 5 == 0 and k > 1:
            values = values[:-1]   # fewer clusters than the members have
        weights = rng.integers(1, 4, many).astype(float)
        weights /= weights.sum()
        m = fit_l1(values, weights)
        assert m.sum() == pytest.approx(1, abs=1e-12)
        assert (m >= 0).all()
        # 1e-9: tolerance of HiGHS
        assert loss_l1(values, weights, m) <= best_by_programme(values, weights) + 1e-9
        order = rng.permutation(many)
        assert fit_l1(values[:, order], weights[order]) == pytest.approx(m, abs=1e-12)


def test_rows_of_gv1_are_optimal():
    from scipy.optimize import minimize
    rng = np.random.default_rng(4)
    for trial in range(40):
        k = int(rng.integers(1, 5))
        mean = rng.random((3, k)) * (1.2 if trial % 2 else 2 / k)
        alpha = rng.random(k) + 0.05
        if trial % 3 == 0 and k > 1:
            alpha[0], mean[:, 0] = 0.0, 0.0
        fitted = fits.nearest_weighted(mean, alpha)
        assert fitted.sum(axis=1) == pytest.approx(1, abs=1e-12)
        assert (fitted >= 0).all()
        for row, target in zip(fitted, mean):
            def loss(m, target=target, alpha=alpha):
                return float((alpha * (m - target) ** 2).sum())
            best = minimize(loss, np.full(k, 1 / k), bounds=[(0, 1)] * k, method="SLSQP",
                            constraints={"type": "eq", "fun": lambda m: m.sum() - 1},
                            options={"ftol": 1e-14, "maxiter": 500})
            assert loss(row) <= best.fun + 1e-7   # SLSQP's accuracy


def test_projection_onto_fewer_columns_is_exact():
    rng = np.random.default_rng(6)
    mean = rng.dirichlet(np.ones(5), size=8)
    fitted = fits.onto_first(mean, 3)[:, :3]
    assert fitted.sum(axis=1) == pytest.approx(1, abs=1e-12)
    for other in rng.dirichlet(np.ones(3), size=200):
        assert (((fitted - mean[:, :3]) ** 2).sum(axis=1)
                <= ((other - mean[:, :3]) ** 2).sum(axis=1) + 1e-12).all()


# -- properties ---------------------------------------------------------------------------------


def an_ensemble(seed, n=30, widths=(3, 4, 2, 3, 3)):
    rng = np.random.default_rng(seed)
    base = rng.integers(0, 3, n)
    made = []
    for k in widths:
        if k == 2:
            made.append(np.where(base == 2, 1, base))
        else:
            rows = 0.7 * np.eye(k)[rng.permutation(k)[base]] + 0.3 * rng.dirichlet(np.ones(k), n)
            made.append(rows / rows.sum(axis=1, keepdims=True))
    return made


@pytest.mark.parametrize("method", ["SE", "HE", "SM", "HM", "GV1"])
@pytest.mark.parametrize("k", [None, 2, 5])
def test_the_objective_never_rises_and_is_that_of_the_result(method, k):
    given = an_ensemble(3)
    result = sc.consensus(given, method=method, n_clusters=k, rng=1, max_iter=200)
    # HE and HM match by the trace, which orders hard m as its distance does
    assert (np.diff(result.history) <= 1e-9 * abs(result.history[0])).all()
    measure, power = {"E": ("euclidean_membership_distance", 2),
                      "M": ("manhattan_membership_distance", 1),
                      "1": ("gordon_vichi_dissimilarity", 2)}[method[-1]]
    value = np.mean([getattr(sc, measure)(result.clustering, m) ** power for m in given])
    assert result.objective == pytest.approx(value, rel=1e-9)
    assert result.clustering.kind == ("hard" if method[0] == "H" else "fuzzy")
    assert result.clustering.n_clusters == (k or 4)


@pytest.mark.parametrize("method", ["SE", "SM", "GV1", "DWH"])
def test_weights_are_repeated_members(method):
    given = an_ensemble(5)
    start = {} if method == "DWH" else {"start": an_ensemble(9)[1]}
    twice = [m for m in given for _ in range(2)]
    weights = [1, 2, 3, 1, 1]
    repeated = [m for m, w in zip(given, weights) for _ in range(w)]
    base = sc.consensus(given, method=method, **start)
    if method != "DWH":   # which meets its members one after the other
        assert sc.consensus(twice, method=method, **start).membership == pytest.approx(
            base.membership, abs=1e-9)
        assert sc.consensus(repeated, method=method, **start).objective == pytest.approx(
            sc.consensus(given, method=method, weights=weights, **start).objective, abs=1e-9)
    without = sc.consensus([m for k, m in enumerate(given) if k != 2], method=method,
                           n_clusters=4, **start)
    zero = sc.consensus(given, method=method, weights=[1, 1, 0, 1, 1], n_clusters=4, **start)
    assert zero.membership == pytest.approx(without.membership, abs=1e-9)


@pytest.mark.parametrize("method", ["SE", "SM", "GV1"])
def test_order_of_members_and_columns_changes_nothing(method):
    given = an_ensemble(7)
    start = an_ensemble(11)[1]
    base = sc.consensus(given, method=method, start=start)
    rng = np.random.default_rng(0)
    shuffled = [given[k] for k in rng.permutation(len(given))]
    renamed = [m[:, rng.permutation(m.shape[1])] if m.ndim == 2 else 1 - m for m in given]
    for other in (shuffled, renamed):
        again = sc.consensus(other, method=method, start=start)
        assert again.membership == pytest.approx(base.membership, abs=1e-9)


@pytest.mark.parametrize("method", METHODS)
def test_one_member_is_its_own_consensus(method):
    labels = [0, 0, 1, 2, 2]
    result = sc.consensus([labels], method=method, rng=3, n_starts=1 if method == "DWH" else 30)
    assert result.objective == pytest.approx(0, abs=1e-12)
    assert sc.rand_index(result.labels, labels) == 1
    called = result.permutations[0]
    assert (called[labels] == result.labels).all()


@pytest.mark.parametrize("method", METHODS)
def test_permutations_call_members_after_the_consensus(method):
    given = [np.array([0, 0, 1, 1, 2, 2]), np.array([2, 2, 0, 0, 1, 1]),
             np.array([1, 1, 2, 2, 0, 0])]
    result = sc.consensus(given, method=method, rng=0,
                          n_starts=1 if method == "DWH" else 20)
    for labels, called in zip(given, result.permutations):
        assert (called[labels] == result.labels).all()


def test_threads_change_no_bit():
    given = an_ensemble(2, n=3000)
    found = []
    for threads in (1, 3):
        sc.set_num_threads(threads)
        try:
            found.append(sc.consensus(given, method="SM", rng=4).membership)
        finally:
            sc.set_num_threads(None)
    assert (found[0] == found[1]).all()


def test_best_start_is_returned():
    given = an_ensemble(8)
    starts = [an_ensemble(k)[1] for k in range(4)]
    single = [sc.consensus(given, method="SM", start=s).objective for s in starts]
    best = sc.consensus(given, method="SM", start=starts)
    assert best.objective == min(single)
    assert best.start_index == int(np.argmin(single))


def test_interrupt_returns_the_best_so_far(monkeypatch):
    given = an_ensemble(8)
    calls = []
    true_fit = fits.Euclidean.fit

    def fit(self, *arguments):
        calls.append(1)
        if len(calls) == 4:
            raise KeyboardInterrupt
        return true_fit(self, *arguments)

    monkeypatch.setattr(fits.Euclidean, "fit", fit)
    with pytest.warns(sc.IncompleteWarning, match="interrupted after . of 5 starts; .* again"):
        result = sc.consensus(given, rng=0, n_starts=5, tol=0.0, max_iter=3)
    assert not result.converged
    assert "of 5 starts" in repr(result)
    assert "Interrupted after" in str(result)
    assert np.isfinite(result.objective)


def test_not_converged_warns():
    start = np.random.default_rng(0).dirichlet([1] * 4, 30)
    with pytest.warns(ConvergenceWarning, match="max_iter=1"):
        result = sc.consensus(an_ensemble(1), max_iter=1, start=start)
    assert not result.converged


@pytest.mark.parametrize(("given", "message"), [
    ({"method": "XX"}, "choose one of 'SE'"),
    ({"weights": [1, 2]}, "one number >= 0 for each of the 5"),
    ({"weights": [0] * 5}, "weights are all 0"),
    ({"weights": [1, 1, 1, 1, -1]}, r"weights\[4\] is -1"),
    ({"n_clusters": 0}, "n_clusters is 0"),
    ({"n_starts": 0}, "n_starts is 0"),
    ({"order": [0, 1, 2, 3, 4]}, "order= needs method DWH"),
    ({"method": "DWH", "order": [0, 0, 1, 2, 3]}, "once is needed"),
    ({"method": "DWH", "n_starts": 3}, "takes no start"),
    ({"start": [0] * 29}, "29 objects"),
    ({"start": list(range(30)), "n_starts": 1}, "at most 4 clusters"),
    ({"start": [0] * 30, "n_starts": 2}, "belongs to random starts"),
    ({"max_iter": 0}, "max_iter is 0"),
    ({"max_iter": 2.5}, r"max_iter is 2\.5; a whole number"),
    ({"max_iter": "a"}, "max_iter is 'a'; a whole number"),
    ({"n_clusters": 2.5}, r"n_clusters is 2\.5; a whole number"),
    ({"n_starts": "many"}, "n_starts is 'many'; a whole number"),
    ({"tol": "x"}, "tol is 'x'; a number >= 0"), ({"tol": np.nan}, "tol is nan"),
    ({"weights": "abc"}, "weights cannot be read as numbers"),
    ({"weights": [1, 1, 1, 1, np.inf]}, r"weights\[4\] is inf; finite numbers"),
])
def test_bad_options(given, message):
    with pytest.raises(ValueError, match=message):
        sc.consensus(an_ensemble(0), **given)


def test_other_kinds_are_refused():
    rough = sc.RoughClustering.from_upper([[1, 0], [1, 1]])
    with pytest.raises(sc.ClusteringError, match=r"member 'b' is rough.*to_fuzzy"):
        sc.consensus({"a": [0, 1], "b": rough})
    with pytest.raises(sc.ClusteringError, match="empty"):
        sc.consensus([])


# -- medoid ---------------------------------------------------------------------------------------


def test_medoid_by_hand():
    given = {"a": [0, 0, 1, 1], "b": [0, 0, 0, 1], "c": [0, 1, 0, 1], "d": [0, 0, 0, 1]}
    found = sc.medoid(given)
    totals = [sum(sc.euclidean_membership_distance(x, y) for y in given.values())
              for x in given.values()]
    assert found.totals == pytest.approx(totals)
    assert (found.index, found.name) == (1, "b")
    assert found.total == min(totals)
    assert found.names == tuple(given)
    order = np.argsort(found.totals, kind="stable")
    assert [row[0] for row in found.summary().rows] == [found.names[i] for i in order]
    heavy = sc.medoid(given, weights=[10, 1, 1, 1])
    assert heavy.name == "a"
    assert sc.medoid(given, measure="rand_index").name == "b"


def test_medoid_refuses_what_has_no_least_sum():
    with pytest.raises(ValueError, match="gives intervals"):
        sc.medoid([[0, 1], [0, 0]], measure="alpha_rand_interval")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sc.UndefinedMeasureWarning)
        with pytest.raises(ValueError, match="undefined for members"):
            sc.medoid([[0, 1, 2], [0, 0, 0]], measure="fowlkes_mallows_index")


@pytest.mark.parametrize("method", METHODS)
def test_object_names_stay(method):
    names = ["p", "q", "r", "s"]
    runs = [sc.HardClustering([0, 0, 1, 1], object_names=names), [0, 1, 1, 1]]
    assert sc.consensus(runs, method=method, rng=0).clustering.object_names == tuple(names)


def test_weights_whose_sum_is_no_float():
    members = an_ensemble(0)
    huge = sc.consensus(members, weights=[1e308, 1e308, 5e307, 1e308, 1e308], rng=0)
    plain = sc.consensus(members, weights=[2, 2, 1, 2, 2], rng=0)
    np.testing.assert_allclose(huge.membership, plain.membership, rtol=0, atol=1e-12)


def test_medoid_names_its_weights():
    with pytest.raises(ValueError, match="weights cannot be read as numbers"):
        sc.medoid([[0, 1], [0, 0]], weights="abc")


# -- counts in place of sums ------------------------------------------------------------------
@pytest.mark.parametrize("method", ["SE", "HE", "SM", "HM"])
@pytest.mark.parametrize("kind", ["complete", "partial", "fewer clusters"])
def test_counts_of_hard_members_change_no_bit(method, kind, monkeypatch):
    rng = np.random.default_rng(1)
    labels = rng.integers(0, 4, (6, 40))
    if kind == "partial":
        labels = sc.Ensemble.from_runs(np.where(rng.random((6, 40)) < 0.9, labels, -1))
    else:
        labels = list(labels)
    given = {"method": method, "rng": 0, "n_starts": 3,
             "n_clusters": 2 if kind == "fewer clusters" else None}
    plain = sc.consensus(labels, **given)
    monkeypatch.setattr(search, "COUNTED", 1)
    counted = sc.consensus(labels, **given)
    np.testing.assert_array_equal(counted.membership, plain.membership)
    np.testing.assert_array_equal(counted.permutations, plain.permutations)
    assert (counted.objective, counted.bound) == (plain.objective, plain.bound)


@pytest.mark.parametrize("k", [2, 4])
def test_the_most_voted_are_the_medians_of_hard_members(k):
    rng = np.random.default_rng(k)
    for weights in (np.full(6, 1 / 6), rng.dirichlet(np.ones(6))):
        members = fits.Members([sc.HardClustering(x) for x in rng.integers(0, 4, (6, 200))], k)
        columns = np.array([rng.permutation(members.width) for _ in range(6)])
        votes = fits.weighted_mean(members, weights, columns)
        np.testing.assert_array_equal(fits.most_voted(votes, k),
                                      fits.medians_on_simplex(members, weights, columns))


@pytest.mark.parametrize(("method", "seed"), [("SM", 355), ("SM", 394), ("HM", 350), ("HM", 394)])
def test_a_consensus_of_soft_members_is_no_worse_than_a_member(method, seed):
    g = np.random.default_rng(seed)
    n, k, count = int(g.integers(4, 12)), int(g.integers(2, 4)), int(g.integers(3, 6))
    members = [g.dirichlet(np.full(k, 0.3), n) for _ in range(count)]
    centers = members if method == "SM" else [np.eye(k)[y.argmax(axis=1)] for y in members]
    least = min(np.mean([naive.manhattan_membership_distance(x.tolist(), y.tolist())
                         for y in members]) for x in centers)
    found = sc.consensus([sc.FuzzyClustering(y) for y in members], method=method, n_starts=1,
                         rng=seed)
    assert found.objective <= least * (1 + 1e-12)
    # One start ended above it, the next began there.
    assert found.n_starts == 2
