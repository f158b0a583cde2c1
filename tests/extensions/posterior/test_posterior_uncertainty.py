"""Credible balls, representatives and cores of posterior draws; their charts."""

import itertools
import json
from pathlib import Path

import naive.posterior as oracle
import numpy as np
import pytest

import softclust as sc
from softclust.extensions.posterior import core as core_module
from softclust.extensions.posterior._draws import read_draws

CASES = json.loads((Path(__file__).parents[2] / "golden" / "posterior.json").read_text(
    encoding="utf-8"))["cases"]


def cases(what):
    return [pytest.param(case, id=case["id"]) for case in CASES
            if case["function"] == f"PosteriorPartition.{what}"]


def rows(strings):
    return np.array([[int(digit) for digit in text] for text in strings])


def noisy(n, many, seed, clusters=3, noise=0.25):
    rng = np.random.default_rng(seed)
    base = rng.integers(0, clusters, n)
    return np.where(rng.random((many, n)) < noise, rng.integers(0, clusters + 1, (many, n)), base)


# -- balls ------------------------------------------------------------------------------------
@pytest.mark.parametrize("case", cases("ball"))
def test_stored_balls(case):
    given, wanted, tol = case["input"], case["expected"], case["abs_tol"]
    ball = sc.credible_ball(rows([given["center"]])[0], rows(given["draws"]), loss=given["loss"],
                            level=given["level"])
    assert ball.radius == pytest.approx(wanted["radius"], abs=tol)
    assert ball.coverage == pytest.approx(wanted["coverage"], abs=tol)
    assert ball.n_inside == wanted["n_inside"]
    for name, bound in ball.bounds.items():
        assert bound.distance == pytest.approx(wanted[name]["distance"], abs=tol)
        found = {"".join(map(str, row)) for row in bound.labels.tolist()}
        assert found == set(wanted[name]["partitions"])


@pytest.mark.parametrize("level", [0.1, 0.5, 0.8, 0.95, 1.0])
def test_a_ball_holds_its_level_and_all_ties(level):
    draws = noisy(8, 40, 0)
    found = sc.posterior_partition(draws, rng=0)
    ball = found.ball(level)
    assert ball.coverage >= level - 1e-12
    assert ball.n_inside == (found.distances <= ball.radius + 1e-12).sum()
    assert (found.distances < ball.radius - 1e-12).mean() < level
    rng = np.random.default_rng(1)
    renamed = np.array([rng.permutation(9)[row] for row in draws])[rng.permutation(40)]
    again = sc.credible_ball(found.labels, renamed, level=level)
    assert again.radius == pytest.approx(ball.radius, abs=1e-14)
    for name, bound in ball.bounds.items():
        other = again.bounds[name]
        assert other.labels.tolist() == bound.labels.tolist()
        assert other.counts.tolist() == bound.counts.tolist()
        assert len(np.unique(bound.labels, axis=0)) == len(bound.labels)
    clusters = [len(set(z)) for z, d in zip(draws.tolist(), found.distances)
                if d <= ball.radius + 1e-12]
    assert (ball.upper.n_clusters, ball.lower.n_clusters) == (min(clusters), max(clusters))


def test_mcclust_counts_clusters_by_labels_and_keeps_too_few_draws():
    """The errors of mcclust.ext's credibleball that the docstring names."""
    draws = np.array([[5, 5, 9, 5]] * 3 + [[0, 0, 1, 0]] * 4 + [[0, 1, 2, 3]] * 3)
    ball = sc.credible_ball([0, 0, 1, 0], draws, level=0.7)
    assert ball.n_inside == 7
    assert ball.upper.n_clusters == 2
    assert ball.upper.labels.tolist() == [[0, 0, 1, 0]]
    assert ball.upper.counts.tolist() == [7]


def test_balls_need_a_metric():
    for options in ({"loss": "omari"},):
        with pytest.raises(ValueError, match="not a metric, so it has no balls; 'vi' has"):
            sc.credible_ball([0, 0, 1], [[0, 0, 1], [0, 1, 1]], **options)
    with pytest.raises(ValueError, match=r"'vi \(a = 0.5\)' is not a metric.*'vi' with a = 1 has"):
        sc.posterior_partition([[0, 0, 1], [0, 1, 1]], a=0.5, rng=0).ball()
    for level in (0, 1.5, "x", None, float("nan")):
        with pytest.raises(ValueError, match=r"level is .*above 0 and at most 1"):
            sc.credible_ball([0, 0, 1], [[0, 0, 1]], level=level)
    with pytest.raises(sc.ClusteringError, match="center has 2 objects and the draws have 3"):
        sc.credible_ball([0, 0], [[0, 0, 1]])
    with pytest.raises(sc.ClusteringError, match="center holds 2 clusterings; one is needed"):
        sc.credible_ball([[0, 0, 1], [0, 1, 1]], [[0, 0, 1]])
    with pytest.raises(sc.ClusteringError, match="center"):
        sc.credible_ball(None, [[0, 0, 1]])


def test_a_ball_in_frames():
    runs = sc.Ensemble([sc.HardClustering(z, object_names=["a", "b", "c"])
                        for z in ([0, 0, 1], [0, 1, 1], [0, 1, 0])])
    frame = sc.credible_ball([0, 0, 1], runs).to_frame()
    assert frame.index.tolist() == ["a", "b", "c"]
    assert frame.columns.tolist() == ["center", "horizontal", "horizontal_2", "upper", "upper_2",
                                      "lower", "lower_2"]


# -- representatives --------------------------------------------------------------------------
@pytest.mark.parametrize("case", cases("representatives"))
def test_stored_representatives(case):
    given = case["input"]
    found = sc.partition_representatives(rows(given["draws"]), given["k"], loss=given["loss"],
                                         rng=0)
    assert found.distance == pytest.approx(case["expected"]["distance"], abs=case["abs_tol"])


@pytest.mark.parametrize("name", ["vi", "binder", "nid"])
def test_enumerated_representatives(name):
    draws = np.concatenate([noisy(5, 5, 0, noise=0.15), noisy(5, 4, 3, noise=0.15)])
    found = sc.partition_representatives(draws, 2, loss=name, rng=0)
    assert found.distance == pytest.approx(oracle.two_representatives(name, draws.tolist()))
    losses = np.array([sc.expected_loss(found.labels, [z], loss=name) for z in draws])
    assert found.assignment.tolist() == losses.argmin(axis=1).tolist()
    assert found.distance == pytest.approx(losses.min(axis=1).mean())
    for q in range(2):
        held = found.assignment == q
        assert found.weights[q] == pytest.approx(held.mean())
        assert found.within[q] == pytest.approx(losses[held, q].mean())


@pytest.mark.parametrize(("seed", "name"), [(24, "vi"), (100, "vi"), (151, "nvi")])
def test_representatives_that_spread_out_draws_did_not_lead_to(seed, name):
    """Starts from spread-out draws alone missed these enumerated optima, twenty of twenty."""
    rng = np.random.default_rng(seed)
    n, count = int(rng.integers(4, 7)), int(rng.integers(4, 13))
    draws = rng.integers(0, 3, (count, n))
    found = sc.partition_representatives(draws, 2, loss=name, rng=0)
    assert found.distance == pytest.approx(oracle.two_representatives(name, draws.tolist()))


def test_one_representative_is_the_estimate():
    draws = noisy(9, 20, 2)
    whole = sc.posterior_partition(draws, rng=0)
    one = whole.representatives(1, rng=1)
    assert one.labels.tolist() == [whole.labels.tolist()]
    assert one.distance == pytest.approx(whole.expected_loss)
    assert one.weights.tolist() == [1.0]


def test_every_draw_is_its_own_representative():
    draws = [[0, 0, 1], [0, 1, 1], [0, 1, 0]]
    found = sc.partition_representatives(draws, 3, rng=0)
    assert found.distance == 0.0
    assert sorted(found.assignment) == [0, 1, 2]
    with pytest.raises(sc.ClusteringError, match="k is 4, but only 3 of the draws differ"):
        sc.partition_representatives(draws, 4)
    for k in (0, 1.5, True):
        with pytest.raises(ValueError, match="a whole number >= 1"):
            sc.partition_representatives(draws, k)


# -- cores ------------------------------------------------------------------------------------
@pytest.mark.parametrize("case", cases("core"))
@pytest.mark.parametrize("share", [1.0, 0.95, 0.8, 0.5, 0.3])
def test_stored_cores(case, share):
    draws, stored = rows(case["input"]["draws"]), case["expected"]["largest_probability_by_size"]
    core = sc.partition_core(draws, level=share)
    size = max(m + 1 for m, largest in enumerate(stored) if largest >= share - 1e-12)
    assert core.objects.size == size
    assert core.probability == pytest.approx(stored[size - 1], abs=case["abs_tol"])


@pytest.mark.parametrize("seed", range(4))
def test_enumerated_cores(seed):
    draws = noisy(6, 15, seed)
    shares = oracle.core_shares(draws.tolist())
    for share in (0.9, 0.6):
        core = sc.partition_core(draws, level=share)
        assert core.objects.size == max(m + 1 for m, s in enumerate(shares) if s >= share)
        kept = [oracle.by_appearance(z[core.objects]) == tuple(core.labels) for z in draws]
        assert core.probability == pytest.approx(np.mean(kept))


def test_cores_from_random_pairs(monkeypatch):
    draws = noisy(12, 30, 1, noise=0.05)
    whole = sc.partition_core(draws)
    monkeypatch.setattr(core_module, "_ALL", 5)
    found = [sc.partition_core(draws, rng=3) for _ in range(2)]
    assert found[0].objects.tolist() == found[1].objects.tolist()
    assert found[0].objects.size == whole.objects.size
    assert sc.partition_core([[0], [1]]).objects.tolist() == [0]
    assert "there may be one" in str(whole)


def test_ctrl_c_keeps_the_largest_core_so_far(monkeypatch):
    draws, calls = noisy(8, 20, 3), []
    run = core_module.run_chunks

    def interrupted(work, count, size):
        run(lambda start, stop: calls.append(work(start, stop)), 5, size)
        raise KeyboardInterrupt

    monkeypatch.setattr(core_module, "run_chunks", interrupted)
    with pytest.warns(sc.IncompleteWarning, match="interrupted after 5 of 28 parts"):
        core = sc.partition_core(draws, level=0.5)
    assert core.interrupted
    assert "The search was interrupted" in " ".join(str(core).split())
    kept = [oracle.by_appearance(z[core.objects]) == tuple(core.labels) for z in draws]
    assert core.probability == pytest.approx(np.mean(kept))


def test_weights_and_copies_are_alike():
    draws, counts = noisy(6, 5, 2), [3, 1, 2, 1, 1]
    many = np.repeat(draws, counts, axis=0)
    for function in (lambda z, w: sc.partition_core(z, level=0.6, weights=w).probability,
                     lambda z, w: sc.credible_ball(draws[0], z, weights=w, level=0.6).radius,
                     lambda z, w: sc.partition_representatives(z, 2, weights=w, rng=0).distance):
        assert function(many, None) == pytest.approx(function(draws, counts), abs=1e-12)


# -- charts -----------------------------------------------------------------------------------
@pytest.fixture
def plt():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot as pyplot
    yield pyplot
    pyplot.close("all")


def test_charts_show_the_numbers_of_the_record(plt):
    draws = noisy(12, 30, 4)
    found = sc.posterior_partition(draws, rng=0)
    p = (draws[:, :, None] == draws[:, None, :]).mean(axis=0)
    image = found.plot("matrix").images[0].get_array()
    sizes = np.bincount(found.labels)
    start = 0
    for k, size in enumerate(sizes):
        held = found.labels == k
        part = image[start:start + size, start:start + size]
        assert sorted(np.ravel(part)) == pytest.approx(sorted(np.ravel(p[held][:, held])))
        start += size
    ax = found.plot("objects")
    drawn = np.concatenate([c.get_offsets()[:, 1] for c in ax.collections[1:]])
    assert sorted(drawn) == pytest.approx(sorted(found.objects()["own"]), nan_ok=True)
    ball = found.ball(0.8)
    ax = found.plot("ball", level=0.8)
    table = np.zeros((found.n_clusters, ball.upper.labels[0].max() + 1), dtype=int)
    np.add.at(table, (found.labels, ball.upper.labels[0]), 1)
    written = [t.get_text() for t in ax.texts]
    assert sum(text == str(table.max()) for text in written)
    assert [text.split(":")[0] for text in written if ":" in text] == list(ball.bounds)
    with pytest.raises(sc.ClusteringError, match=r"raise it, or use \.objects"):
        found.plot("matrix", max_objects=11)
    with pytest.raises(ValueError, match="kind='x' is not known"):
        found.plot("x")


def test_a_ball_of_many_clusters_is_drawn_without_numbers(plt):
    draws = np.array([np.arange(30), np.arange(30) // 2])
    ax = sc.credible_ball(draws[0], draws, level=1).plot()
    assert not [t for t in ax.texts if t.get_text().isdigit()]
    assert len(list(itertools.chain(ax.images))) == 3


def test_drawn_pairs_are_any_two_objects(monkeypatch):
    """Of many objects the search of a core starts from random pairs i < j, in order of i."""
    monkeypatch.setattr(core_module, "_ALL", 3)
    draws = read_draws([[0, 0, 1, 1], [0, 1, 1, 1]])
    first, second = core_module._pairs(draws, np.random.default_rng(0))
    drawn = list(zip(first.tolist(), second.tolist()))
    assert drawn == sorted(drawn)
    assert {*drawn} == {*itertools.combinations(range(4), 2)}
