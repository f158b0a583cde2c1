"""`batch_effect`: shares by hand, by loops and by scikit-learn, exact p-values, what it says."""

import json
from itertools import permutations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import homogeneity_score

import softclust as sc

from .naive import dependence as naive

TYPE, BATCH = np.repeat([0, 1, 2], 40), np.tile([0, 1], 60)


def random_case(seed, n=60):
    rng = np.random.default_rng(seed)
    return [rng.integers(k, size=n).tolist() for k in (4, 3, 2)]


@pytest.mark.parametrize("seed", range(5))
def test_the_share(seed):
    clusters, batch, within = random_case(seed)
    found = sc.batch_effect(clusters, batch, within=within, rng=0)
    assert found.share == pytest.approx(naive.batch_share(clusters, batch, within), abs=1e-14)
    for row in found.by_class:
        rows = np.flatnonzero(np.array(within) == row["class"])
        assert row["size"] == rows.size
        assert row["share"] == pytest.approx(homogeneity_score(
            np.array(batch)[rows], np.array(clusters)[rows]), abs=1e-14)
    whole = sc.batch_effect(clusters, batch, rng=0)
    assert whole.share == pytest.approx(homogeneity_score(batch, clusters), abs=1e-14)
    assert whole.by_class[0]["share"] == pytest.approx(whole.share)


def test_the_p_value_is_that_of_all_permutations():
    clusters, batch, within = [0, 0, 0, 1, 1, 2, 2, 2], [0, 0, 1, 1, 1, 0, 1, 1], [0] * 5 + [1] * 3
    own = naive.batch_share(clusters, batch, within)
    all_shares = [naive.batch_share(clusters, [*first, *batch[5:]], within)
                  for first in permutations(batch[:5])]   # one cluster in the second class
    exact = np.mean(np.array(all_shares) >= own - 1e-12)
    found = sc.batch_effect(clusters, batch, within=within, n_permutations=99_999, rng=1)
    assert found.p_value == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / 99_999))
    assert found.expected == pytest.approx(np.mean(all_shares), abs=0.005)
    assert found.by_class[0]["p_value"] == pytest.approx(found.p_value, abs=1e-12)
    assert found.by_class[1]["p_value"] == 1.0   # a single cluster tells nothing


def test_types_that_are_split_by_batch():
    found = sc.batch_effect(2 * TYPE + BATCH, BATCH, within=TYPE, rng=0)
    assert (found.share, found.p_value, found.follows) == (pytest.approx(1), 0.001, True)
    assert [row["p_value"] for row in found.by_class] == [0.001] * 3
    assert found.answer.startswith("The clusters follow the batch within classes: 100 % of the")
    assert found.answer.endswith("In 3 of 3 classes by themselves (familywise): 0, 1, 2.")
    # The agreement with the types has nothing to say about it.
    assert sc.agreement_by_strata(TYPE, 2 * TYPE + BATCH, BATCH).from_strata < 0.01
    rng = np.random.default_rng(0)
    noisy = np.where(rng.random(120) < 0.02, rng.integers(3, size=120), TYPE)
    found = sc.batch_effect(noisy, BATCH, within=TYPE, rng=0)
    assert found.follows is False
    assert found.answer.startswith("No evidence that the clusters follow the batch within classes")


def test_one_class_that_follows_is_named():
    found = sc.batch_effect(np.where(TYPE == 1, 3 + BATCH, TYPE), BATCH, within=TYPE, rng=0)
    assert found.share == pytest.approx(1 / 3)
    assert [row["p_value"] <= 0.05 for row in found.by_class] == [False, True, False]


def test_types_that_come_from_one_batch_do_not_follow_it():
    # Without the types the clusters tell the batch, since the types do.
    batch = np.where(np.random.default_rng(1).random(120) < 0.1, 1 - (TYPE > 0), TYPE > 0)
    assert sc.batch_effect(TYPE, batch, rng=0).follows is True
    assert sc.batch_effect(TYPE, batch, within=TYPE, rng=0).follows is False
    never = sc.batch_effect(TYPE, TYPE, within=TYPE, rng=0)
    assert (never.follows, np.isnan(never.share)) == (None, True)
    assert never.answer == ("Cannot tell whether the clusters follow the batch: each class has one "
                            "batch only.")


def test_names_frames_and_seeds():
    frame = pd.DataFrame({"found": 2 * TYPE + BATCH, "plate": BATCH, "type": TYPE},
                         index=[f"cell {i}" for i in range(120)])
    found = sc.batch_effect("found", "plate", within="type", data=frame, rng=3)
    again = sc.batch_effect(frame["found"], frame["plate"], within=TYPE, rng=3)
    assert found.to_frame().equals(again.to_frame())
    assert sc.results.from_json(found.to_json()) == found
    json.loads(found.to_json())
    assert found.tidy()["estimate"].tolist() == pytest.approx([1, 1, 1])


def test_an_interrupt_keeps_the_finished_permutations(monkeypatch):
    monkeypatch.setattr("softclust.comparison.batch._HELD", 80)

    def stop(done, total):
        if done >= 100:
            raise KeyboardInterrupt

    with pytest.warns(sc.IncompleteWarning, match="of 999 permutations"):
        found = sc.batch_effect(2 * TYPE + BATCH, BATCH, within=TYPE, rng=0, progress=stop)
    assert found.n_permutations == 100
    assert found.p_value == 1 / 101
    assert found.notes == ("interrupted after 100 of 999 permutations",)


@pytest.mark.parametrize(("arguments", "options", "error", "message"), [
    ((TYPE, BATCH), {"n_permutations": 10}, sc.ClusteringError, ">= 19, for significance 0.05"),
    ((TYPE, BATCH), {"level": 0.95}, TypeError, "significance=0.05"),
    ((TYPE, BATCH), {"within": TYPE[1:]}, sc.ClusteringError, "within has 119 labels"),
    ((pd.Series([0, 1], list("ab")), pd.Series([0, 1], list("ba"))), {}, sc.ClusteringError,
     "another order"),
    ((TYPE, BATCH[1:]), {}, sc.ClusteringError, "same objects"),
    ((np.eye(2) * 0.5 + 0.25, [0, 1]), {}, sc.ClusteringError, "need two hard clusterings"),
])
def test_wrong_input(arguments, options, error, message):
    with pytest.raises(error, match=message):
        sc.batch_effect(*arguments, **options)


# -- level and power, in short: docs/confounders.md ----------------------------------------------
@pytest.mark.slow
@pytest.mark.parametrize(("row", "low", "high"), [
    (0, 0.0, 0.11), (1, 0.0, 0.11), (3, 0.82, 1.0)], ids=["the types", "at random", "40 %"])
def test_level_and_power(row, low, high, monkeypatch):
    monkeypatch.syspath_prepend(Path(__file__).parent / "benchmarks")
    from batch_effect_level import followed
    assert low <= followed(row, 120, 120)[0] <= high   # three standard errors of 120 sets
