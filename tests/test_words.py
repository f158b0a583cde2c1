"""One word, one meaning: names, defaults and errors of options that many functions share."""

import inspect
import math
import subprocess
import sys

import numpy as np
import pytest

import softclust as sc

RUNS = [[0, 0, 1, 1, 2], [0, 0, 1, 1, 1], [0, 0, 1, 2, 2]]
X, Y = [0, 0, 1, 1, 2] * 5, [0, 0, 1, 2, 2] * 5
TREE = np.array([[0, 1, 1.0, 2], [2, 3, 1.5, 2], [4, 5, 3.0, 4]])
POINTS = np.random.default_rng(0).normal(size=(48, 2))


def functions():
    """All public functions and methods of public classes."""
    for name in sc.__all__:
        thing = getattr(sc, name)
        if inspect.isclass(thing):
            yield from ((f"{name}.{key}", each) for key, each in vars(thing).items()
                        if inspect.isfunction(each) and key[0] != "_")
        elif callable(thing):
            yield name, thing


def test_options_have_one_default_and_one_name():
    other = {"max_seconds": "time_limit", "timeout": "time_limit", "confidence_level": "level"}
    wrong = []
    for name, function in functions():
        for key, p in inspect.signature(function).parameters.items():
            if key == "progress" and p.default is not False:
                wrong.append(f"progress of {name} is {p.default!r}")
            if key in other:
                wrong.append(f"{key} of {name}; {other[key]} is the word")
    assert wrong == []


@pytest.mark.parametrize("level", [0, 1.5, "a", True, -0.1, math.nan])
@pytest.mark.parametrize("call", [
    lambda level: sc.compare(X, Y, ci="jackknife", level=level),
    lambda level: sc.compare_all([X, Y, X], ci="jackknife", level=level),
    lambda level: sc.rank_clusterings(X, {"a": X, "b": Y}, level=level),
    lambda level: sc.alpha_rand_estimate(X, Y, level=level, rng=0),
    lambda level: sc.credible_ball(RUNS[0], RUNS, level=level),
    lambda level: sc.partition_core(RUNS, level=level),
    lambda level: sc.coassociation(RUNS).pac_interval(level=level),
    lambda level: sc.coassociation(RUNS).cdf_band(level=level),
    lambda level: sc.dendrogram_curve(TREE, TREE).limit(level),
    lambda level: sc.prayatul([0, 0, 1, 1], [0, 0, 1, 1], [0, 1, 1, 1]).jackknife(level=level),
    lambda level: sc.transport_rand_index([0, 1], [[.5, .5], [1, 0]], level=level),
    lambda level: sc.compare_settings(POINTS, "KMeans", {"n_clusters": [2, 3]}, level=level),
    lambda level: sc.replicate({"a": (POINTS, np.arange(48) % 2), "b": (POINTS, np.arange(48) % 2)},
                               level=level)],
    ids=["compare", "all", "rank", "estimate", "ball", "core", "pac", "cdf", "tree", "prayatul",
         "transport", "settings", "replicate"])
def test_a_bad_level_raises_the_same_error_everywhere(call, level):
    with pytest.raises(sc.ClusteringError, match=r"^level is .*; a number .* is needed$"):
        call(level)


def test_all_draws_may_be_asked_for():
    assert sc.credible_ball(RUNS[0], RUNS, level=1).coverage == 1.0
    assert sc.partition_core(RUNS, level=1).probability == 1.0
    with pytest.raises(sc.ClusteringError, match="level is 1; a number strictly between 0 and 1"):
        sc.compare(X, Y, ci="jackknife", level=1)


def test_results_that_are_one_number():
    fuzzy = [[.5, .5], [1, 0], [0, 1]]
    found = {name: sc.transport_rand_index([0, 0, 1], y)
             for name, y in {"a": [0, 1, 1], "b": [0, 0, 1], "c": fuzzy}.items()}
    assert max(found, key=found.get) == "b"
    assert max(found.values()) is found["b"]
    assert [float(each) for each in sorted(found.values())] == sorted(
        each.value for each in found.values())
    assert found["a"] < found["b"] <= 1.0
    assert found["b"] >= found["a"] and found["b"] > 0.5   # noqa: PT018
    assert float(sc.best_cut(TREE, [0, 0, 1, 1])) == 1.0
    with pytest.raises(TypeError):
        _ = found["a"] < "b"


def test_all_is_a_list_before_anything_is_loaded():
    code = ("import sys, softclust\nassert isinstance(vars(softclust)['__all__'], list)\n"
            "assert 'adjusted_rand_index' in softclust.__all__ and 'numba' not in sys.modules\n"
            "from softclust import *\nassert adjusted_rand_index([0, 1], [0, 1]) == 1")
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)
