"""Entropies of memberships: golden values, oracle, properties, messages."""

import json
import math
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from naive.bagging import pairwise_entropy as by_definition

import softclust as sc
from softclust.memberships.matched_columns import restriction_costs
from softclust.soft_pairs.entropies import pairwise_of_rows
from softclust.soft_pairs.uncertainty import row_entropies

GOLDEN = {item["id"]: item for item in json.loads(
    (Path(__file__).parent / "golden" / "bbc.json").read_text(encoding="utf-8"))["items"]}
ENTROPIES = [name for name in GOLDEN if name.startswith("entropies-")]


@pytest.mark.parametrize("name", ENTROPIES)
def test_golden(name):
    u = GOLDEN[name]["input"]["membership"]
    expected = GOLDEN[name]["expected"]
    x = sc.FuzzyClustering(u)
    np.testing.assert_allclose(sc.membership_entropy(x, average=False), expected["entropy"],
                               atol=1e-9)
    assert sc.membership_entropy(x) == pytest.approx(expected["mean_entropy"], abs=1e-9)
    assert sc.membership_entropy(x, log_base=math.e) == pytest.approx(
        expected["mean_entropy_nats"], abs=1e-9)
    for undefined, key in (("zero", "pair_means"), ("drop", "pair_means_undefined_dropped")):
        result = sc.pairwise_entropy(x, undefined=undefined)
        for pair, value in expected[key].items():
            l, m = map(int, pair.split(","))
            assert result.matrix[l, m] == pytest.approx(value, abs=1e-9)
    result = sc.pairwise_entropy(x)
    assert result.maximum == pytest.approx(expected["max_pair_mean"], abs=1e-9)
    assert list(result.pair) == expected["pair"]


def test_table_4_of_the_paper_is_in_nats():
    item = GOLDEN["units"]
    for low, high in item["expected"]["intervals"].values():
        assert low <= 1 / math.log(2) <= high


@pytest.mark.parametrize("c", [2, 3, 5])
def test_oracle_and_properties(c):
    rng = np.random.default_rng(c)
    u = rng.dirichlet(np.full(c, 0.3), 30)
    u[:4] = np.eye(c)[rng.integers(0, c, 4)]
    result = sc.pairwise_entropy(sc.FuzzyClustering(u))
    for drop in (False, True):
        means = by_definition(u.tolist(), drop)
        got = sc.pairwise_entropy(u, undefined="drop" if drop else "zero").matrix
        for (l, m), value in means.items():
            assert got[l, m] == pytest.approx(value, abs=1e-12)
    np.testing.assert_array_equal(result.matrix, result.matrix.T)
    assert not result.matrix.diagonal().any()
    assert result.matrix.max() <= 1 + 1e-12
    if c == 2:
        assert result.maximum == pytest.approx(sc.membership_entropy(u), abs=1e-12)
    # grouping: S(u) >= (u_l + u_m) S_lm(u), row by row
    rows = row_entropies(u)
    for l in range(c):
        for m in range(l + 1, c):
            for i in range(30):
                one = by_definition([u[i].tolist()])[l, m]
                assert rows[i] >= (u[i, l] + u[i, m]) * one - 1e-12
    turned = sc.pairwise_entropy(u[:, ::-1])
    np.testing.assert_allclose(turned.matrix[::-1, ::-1], result.matrix, atol=1e-15)


def test_rows_without_membership_are_left_out():
    u = np.array([[0.5, 0.5], [np.nan, np.nan], [1.0, 0.0]])
    np.testing.assert_array_equal(row_entropies(u), [1.0, np.nan, 0.0])
    assert not np.signbit(row_entropies(np.eye(3))).any()
    many = np.random.default_rng(0).dirichlet(np.full(7, 0.3), 3000)
    np.testing.assert_array_equal(row_entropies(np.asfortranarray(many)), row_entropies(many))
    np.testing.assert_array_equal(row_entropies(many[1234:1235]), row_entropies(many)[1234:1235])
    assert pairwise_of_rows(u).maximum == 0.5


def test_hard_clusterings_and_one_cluster():
    hard = sc.pairwise_entropy([0, 1, 2, 0])
    assert not hard.matrix.any()
    assert (hard.maximum, hard.pair) == (0.0, (0, 1))
    with pytest.warns(sc.UndefinedMeasureWarning, match="no pair"):
        alone = sc.pairwise_entropy([[1.0], [1.0]])
    assert math.isnan(alone.maximum)
    assert alone.pair is None


def test_tables_and_names():
    x = sc.FuzzyClustering([[0.5, 0.25, 0.25]], cluster_names=["a", "b", "c"])
    result = sc.pairwise_entropy(x)
    assert result.to_frame().loc["a", "b"] == result.matrix[0, 1]
    assert str(result.summary()).count("1.0000") == 1


def test_messages():
    with pytest.raises(sc.ClusteringError, match=r"x\.to_fuzzy"):
        sc.pairwise_entropy(sc.PossibilisticClustering([[1.0, 0.5]]))
    with pytest.raises(sc.ClusteringError, match="log_base is 1"):
        sc.pairwise_entropy([[0.5, 0.5]], log_base=1)
    with pytest.raises(ValueError, match="undefined"):
        sc.pairwise_entropy([[0.5, 0.5]], undefined="skip")


def test_one_pass_holds_no_array_of_objects_by_clusters():
    rng = np.random.default_rng(1)
    x, y = (sc.FuzzyClustering(rng.dirichlet(np.ones(10), 60_000)) for _ in range(2))
    u = x.memberships()
    for call in (lambda: row_entropies(u), lambda: pairwise_of_rows(u),
                 lambda: restriction_costs(x, y)):
        call()   # compiles, and keeps the table of masses
        tracemalloc.start()
        call()
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < u.nbytes / 4
