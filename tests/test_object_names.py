"""Clusterings with names of objects are compared object by object, never by position alone."""

import copy
import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.mixture import GaussianMixture

import softclust as sc

SERIES = pd.Series([0, 1, 2] * 100)
SHUFFLED = SERIES.sample(frac=1, random_state=0)
DATA = pd.DataFrame(np.random.default_rng(0).normal(size=(30, 2)))


@pytest.mark.parametrize("other", [SHUFFLED, SERIES.sample(frac=1, random_state=1)[::-1]],
                         ids=["shuffled", "reversed"])
def test_a_default_index_counts_as_names(other):
    with pytest.raises(sc.ClusteringError, match="in another order: object 0 is 0 in x and"):
        sc.adjusted_rand_index(SERIES, other)


def test_parts_of_a_series_are_different_objects():
    with pytest.raises(sc.ClusteringError, match="are different: object 0 is 0 in x and 20 in y"):
        sc.adjusted_rand_index(SERIES.head(60), SERIES.iloc[20:80])


def test_equal_indexes_are_compared_by_position():
    assert sc.adjusted_rand_index(SERIES, SERIES.copy()) == 1.0
    assert sc.adjusted_rand_index(SHUFFLED, SHUFFLED.copy()) == 1.0
    assert sc.adjusted_rand_index(SERIES.iloc[20:80], SERIES.iloc[20:80]) == 1.0


def test_arrays_and_lists_have_no_names():
    value = sc.adjusted_rand_index(SERIES.to_numpy(), SHUFFLED.to_numpy())
    assert abs(value) < 0.02
    assert sc.adjusted_rand_index(SERIES, SHUFFLED.to_numpy()) == value
    some = SHUFFLED.iloc[:100]   # a test set: nothing says that a list has another order
    assert sc.adjusted_rand_index(some, some.tolist()) == 1.0


#: functions of two sides, with a number or an array that depends on the order of the objects
TWO_SIDES = {
    "measure": sc.adjusted_rand_index, "pair_counts": lambda a, b: sc.pair_counts(a, b).n11,
    "cover measure": sc.bcubed_index, "chance_level": lambda a, b: sc.chance_level(a, b, "ARI"),
    "compare": lambda a, b: sc.compare(a, b, measures="ARI").rows[0].value,
    "compare_all": lambda a, b: sc.compare_all({"a": a, "b": b}).lower,
    "rank": lambda a, b: sc.rank_clusterings(a, {"b": b, "c": [0, 1, 2, 0, 1, 2]}).value,
    "match": lambda a, b: sc.match_clusters(a, b).objective,
    "chance": lambda a, b: sc.chance(a, b, "ARI", n_permutations=9, rng=0).observed,
    "changes": lambda a, b: sc.cluster_changes(a, b).moved,
    "explain": lambda a, b: sc.explain(a, b).objects,
    "influence": lambda a, b: sc.influence(a, b, "ARI").leave_out,
    "prayatul": lambda a, b: sc.prayatul(a, b, [0, 0, 1, 1, 2, 2]).to_frame().to_numpy(float),
    "align": lambda a, b: sc.adjusted_rand_index(*sc.align(a, b)),
    "meet": lambda a, b: sc.meet(a, b).labels,
    "Ensemble": lambda a, b: sc.Ensemble([a, b])[0].labels,
    "membership_sums": lambda a, b: sc.fuzzy_rand_index(sc.membership_sums(a, b)),
    "stability": lambda a, b: sc.cluster_stability(a, [b]).values,
    "strata": lambda a, b: sc.agreement_by_strata(a, b, [0, 0, 0, 1, 1, 1]).values,
    "nested": lambda a, b: sc.nested_rand_index([a], b),
}


@pytest.mark.parametrize("call", TWO_SIDES.values(), ids=TWO_SIDES)
def test_a_mapping_is_read_by_its_keys(call):
    first, second = [0, 0, 1, 1, 2, 2], [0, 0, 0, 1, 1, 1]
    order = [3, 0, 5, 1, 4, 2]
    wanted = call(first, second)
    np.testing.assert_array_equal(call({i: first[i] for i in order}, second), wanted)
    np.testing.assert_array_equal(call(first, {i: second[i] for i in order}), wanted)
    with pytest.raises(sc.ClusteringError, match="is a mapping and another side has no names"):
        call(dict(zip("abcdef", first)), second)
    with pytest.raises(sc.ClusteringError, match="order of the names or of the rows"):
        call(pd.Series(first).iloc[order], second)


def test_mappings_with_other_keys_are_matched_by_them():
    assert sc.adjusted_rand_index({"a": 0, "b": 0, "c": 1}, {"a": 5, "b": 5, "c": 6}) == 1.0
    with pytest.raises(sc.ClusteringError, match="in another order"):
        sc.adjusted_rand_index({"a": 0, "b": 0, "c": 1}, {"c": 6, "a": 5, "b": 5})


def test_a_table_of_a_shuffled_series_and_a_list_raises():
    with pytest.raises(sc.ClusteringError, match="order of the names or of the rows"):
        sc.contingency_table(SHUFFLED, SERIES.tolist())


def test_frames_of_memberships_have_names():
    frame = pd.DataFrame([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]])
    assert sc.alpha_rand_index(frame, frame.copy()) == sc.alpha_rand_index(frame.values, frame)
    with pytest.raises(sc.ClusteringError, match="in another order"):
        sc.alpha_rand_index(frame, frame.iloc[[2, 0, 1]])


@pytest.mark.parametrize("call", [
    lambda a, b: sc.compare(a, b), lambda a, b: sc.compare_all({"a": a, "b": b}),
    lambda a, b: sc.Ensemble([a, b]), lambda a, b: sc.chance(a, b, "rand_index", n_permutations=9),
    lambda a, b: sc.prayatul(a, b, [0, 1] * 15), lambda a, b: sc.prayatul(b, [0, 1] * 15, a),
    lambda a, b: sc.match_clusters(a, b), lambda a, b: sc.meet(a, b),
    lambda a, b: sc.is_refinement(a, b), lambda a, b: sc.consensus([a, b]),
], ids=["compare", "compare_all", "Ensemble", "chance", "prayatul", "primary", "match_clusters",
        "meet", "is_refinement", "consensus"])
def test_every_door_looks_at_the_index(call):
    call(SERIES.head(30), SERIES.head(30).copy())
    with pytest.raises(sc.ClusteringError, match=r"another order|different"):
        call(SERIES.head(30), SERIES.head(30).sample(frac=1, random_state=0))


@pytest.mark.parametrize("fit", [
    lambda X: sc.cluster.FuzzyCMeans(2, random_state=0).fit(X).clustering_,
    lambda X: sc.cluster.PossibilisticCMeans(2, random_state=0).fit(X).clustering_,
    lambda X: sc.cluster.EvidentialCMeans(2, random_state=0).fit(X).clustering_,
    lambda X: sc.cluster.RoughKMeans(2, random_state=0).fit(X).clustering_,
    lambda X: sc.cluster.FuzzyCMeans(2, random_state=0).fit(X).assign(X),
    lambda X: sc.BaggedClustering(n_clusters=2, n_resamples=20, random_state=0).fit(X).clustering_,
    lambda X: sc.MultipleMatchClustering(
        n_clusters=2, n_resamples=20, random_state=0).fit(X).clustering_,
    lambda X: sc.as_clustering(GaussianMixture(2, random_state=0).fit(X), X=X),
], ids=["fcm", "pcm", "ecm", "rough", "assign", "bagged", "mmcc", "mixture"])
@pytest.mark.filterwarnings("ignore")
def test_estimators_name_objects_after_the_rows_of_X(fit):
    shuffled = DATA.sample(frac=1, random_state=1)
    fitted = fit(shuffled)
    assert fitted.object_names == tuple(shuffled.index)
    labels = pd.Series(np.arange(30) % 2)
    with pytest.raises(sc.ClusteringError, match="in another order"):
        sc.compare(fitted, labels)
    sc.compare(fitted, labels[shuffled.index])
    assert fit(DATA).object_names is None
    with pytest.raises(sc.ClusteringError, match="in another order"):
        sc.compare(fit(DATA), labels[shuffled.index])


def test_repeated_rows_of_X_are_nameless():
    frame = DATA.set_axis([0] * 30, axis=0)
    assert sc.cluster.FuzzyCMeans(2, random_state=0).fit(frame).clustering_.object_names is None


def test_numbers_stay_with_copies_parts_and_conversions():
    x = sc.HardClustering(SERIES)
    assert x.object_names is None
    for same in (pickle.loads(pickle.dumps(x)), copy.deepcopy(x), x.to_fuzzy(), x.to_evidential(),
                 sc.meet(x, x), sc.consensus([x, x], method="HE").clustering):
        assert same.matched_names == range(300)
    assert x.subset([7, 3]).object_names == (7, 3)
    assert x == sc.HardClustering(SERIES.tolist())
    fit = sc.BaggedClustering(n_clusters=2, n_resamples=20, random_state=0).fit(DATA)
    assert pickle.loads(pickle.dumps(fit)).clustering_.matched_names == range(30)


def test_names_given_by_hand_against_a_default_index():
    named = sc.HardClustering([0, 1], object_names=["a", "b"])
    with pytest.raises(sc.ClusteringError, match=r"default one too; \.to_numpy"):
        sc.rand_index(pd.Series([0, 1]), named)


FEW = pd.Series([0, 1, 2] * 4)
MIXED = FEW.sample(frac=1, random_state=0)


@pytest.mark.parametrize("call", [
    lambda: sc.contingency_table(FEW, MIXED),
    lambda: sc.contingency_table(sc.HardClustering(FEW), MIXED),
    lambda: sc.contingency_table([(FEW[:3], MIXED[:3])]),
    lambda: sc.ContingencyCounter().update(FEW, MIXED),
    lambda: sc.expected_loss(FEW, [MIXED, MIXED]),
    lambda: sc.expected_loss(FEW, sc.Ensemble([MIXED])),
    lambda: sc.credible_ball(FEW, [MIXED, MIXED]),
    lambda: sc.posterior_partition([FEW, MIXED], rng=0),
    lambda: sc.Ensemble.from_runs([FEW, MIXED]),
], ids=range(9))
def test_tables_draws_runs_and_weights_mind_the_index(call):
    with pytest.raises(sc.ClusteringError, match="the object names of "):
        call()


def test_weights_are_put_in_the_order_of_the_objects():
    found = sc.contingency_table(FEW, FEW, weights=MIXED + 1)
    assert found == sc.contingency_table(FEW, FEW, weights=FEW + 1)


def test_equal_indexes_and_bare_arrays_go_by_position():
    plain = sc.contingency_table(FEW.to_numpy(), MIXED.to_numpy())
    assert sc.contingency_table(FEW, MIXED.to_numpy()) == plain
    assert sc.contingency_table(FEW, FEW, weights=FEW + 1).n_objects == 12
    named = FEW.set_axis(list("aabbccddeeff"))   # repeated names are no names to match by
    assert sc.contingency_table(named, named) == sc.contingency_table(FEW, FEW)
    chunks = [(FEW[:5], FEW[:5]), (FEW[5:], FEW[5:])]
    assert sc.contingency_table(chunks) == sc.contingency_table(FEW, FEW)
    assert sc.expected_loss(FEW, [FEW, FEW]) == [0]
    assert sc.expected_loss(FEW.to_numpy(), [MIXED, MIXED]) > 0
    assert sc.Ensemble.from_runs([FEW, FEW.to_numpy()]).n_runs == 2


def test_a_mapping_without_entries_is_no_vector_of_weights():
    with pytest.raises(sc.ClusteringError, match="sample_weight is a mapping and another side"):
        sc.cluster.FuzzyCMeans(2).fit(np.arange(16.0).reshape(8, 2), sample_weight={})
