"""Tables I to III of the Prayatul paper, and its claims that fail (spec sections 10 and 11).

Printed cells are compared within 1e-4: four decimals, some of them truncated instead of rounded.
Not reachable, with the reason:

- Table I, Noisy Circles, pairs with KMeans: the author's run was not recovered. The nearest,
  MiniBatchKMeans with seed 189, is within 1e-4 of Table I but .009 off Table II, whose counts
  imply another run; so these cells are held to 1e-4 here and its Table II cells to .01.
- Table I, Noisy Shapes, Spectral over KMeans, sigma .9479: a misprint. The opposite row prints
  -.9474, and no matrix satisfies both.
- Table III and Figure 3 are images without text: computed values are held instead, those of the
  golden file.
- Table II depends on the names of labels; those of KMeans and Spectral are permuted to fit.
"""

import itertools
import json
import math
import warnings
from collections import Counter
from pathlib import Path

import naive
import numpy as np
import pytest

import softclust as sc

FOLDER = Path(__file__).parents[2] / "golden"
GOLDEN = {item["id"]: item for item in json.loads((FOLDER / "prayatul.json").read_text())["items"]}
OTHERS = json.loads((FOLDER / "prayatul-labels.json").read_text())["labels"]
MEASURES = ("comparative_deviation", "polarization", "comparative_rightness",
            "effective_rightness", "effective_superiority")
DATA = ("NC", "NM", "NS")

#: Table I as printed: sigma, alpha, xi_c, xi_e, phi
TABLE_I = """
BIRCH DBSCAN NC -1 .5028 .5028 .0055 .0055
BIRCH DBSCAN NM -1 .8252 .8252 .6505 .6505
BIRCH DBSCAN NS -.9068 .7981 .8005 .6009 .6002
BIRCH KMeans NC .0062 .2538 .6695 .3389 .2545
BIRCH KMeans NM .5565 .6829 .9622 .9244 .7928
BIRCH KMeans NS -.1785 .6962 .8915 .7829 .7021
BIRCH Spectral NC -1 .5028 .5028 .0055 .0055
BIRCH Spectral NM -1 .8252 .8252 .6505 .6505
BIRCH Spectral NS -.9396 .7869 .8095 .6190 .6113
DBSCAN BIRCH NC 1 1 1 1 1
DBSCAN BIRCH NM 1 1 1 1 1
DBSCAN BIRCH NS .9068 .9877 .9902 .9805 .9792
DBSCAN KMeans NC 1 1 1 1 1
DBSCAN KMeans NM 1 1 1 1 1
DBSCAN KMeans NS .8976 .9871 .9909 .9817 .9798
DBSCAN Spectral NC 0 1 1 1 1
DBSCAN Spectral NM 0 1 1 1 1
DBSCAN Spectral NS .2639 .9881 .9899 .9797 .9788
KMeans BIRCH NC -.0062 .2507 .6653 .3307 .2483
KMeans BIRCH NM -.5565 .6016 .8674 .7347 .6301
KMeans BIRCH NS .1785 .7257 .9243 .8487 .7611
KMeans DBSCAN NC -1 .4997 .4997 -.0007 -.0007
KMeans DBSCAN NM -1 .7439 .7439 .4878 .4878
KMeans DBSCAN NS -.8976 .8270 .8305 .6609 .6597
KMeans Spectral NC -1 .4997 .4997 -.0007 -.0007
KMeans Spectral NM -1 .7439 .7439 .4878 .4878
KMeans Spectral NS -.9474 .8149 .8407 .6815 .6719
Spectral BIRCH NC 1 1 1 1 1
Spectral BIRCH NM 1 1 1 1 1
Spectral BIRCH NS .9396 .9693 .9941 .9881 .9758
Spectral KMeans NC 1 1 1 1 1
Spectral KMeans NM 1 1 1 1 1
Spectral KMeans NS .9479 .9676 .9956 .9913 .9774
Spectral DBSCAN NC 0 1 1 1 1
Spectral DBSCAN NM 0 1 1 1 1
Spectral DBSCAN NS -.2639 .9808 .9826 .9652 .9643
"""
PRINTED = {tuple(line.split()[:3]): list(map(float, line.split()[3:]))
           for line in TABLE_I.strip().splitlines()}
MISPRINT = ("Spectral", "KMeans", "NS")

#: Table II as printed: accuracy, precision, recall
TABLE_II = {
    "BIRCH": ((.5393, .5417, .5107), (.0967, .0129, .0107), (.1947, .1361, .1947)),
    "DBSCAN": ((1, 1, 1), (0, 0, 0), (.3253, .2, .3253)),
    "KMeans": ((.5, .5, .5013), (.8493, .8447, .8560), (.25, .2520, .25)),
    "Spectral": ((0, 0, 0), (0, 0, 0), (.3467, .3455, .3467)),
}


def parsed(text):
    return np.array([-1 if c == "n" else int(c) for c in text])


def stored(data):
    labels = GOLDEN[f"table1-{data}"]["input"]["labels"] | OTHERS[data]
    return {name: parsed(labels[name])
            for name in ("truth", "BIRCH", "DBSCAN", "KMeans", "Spectral")}


@pytest.fixture(scope="module")
def tables():
    found = {}
    for data in DATA:
        labels = stored(data)
        truth = labels.pop("truth")
        found[data] = sc.prayatul_all(truth, labels, zero_division=0.0)
    return found


def measures(result):
    return [getattr(result, name) for name in MEASURES]


# -- Table I --------------------------------------------------------------------------------
@pytest.mark.parametrize("cell", PRINTED, ids="-".join)
def test_table_1(tables, cell):
    primary, alternative, data = cell
    found, printed = measures(tables[data][primary, alternative]), list(PRINTED[cell])
    if cell == MISPRINT:
        assert found[0] == pytest.approx(.9474, abs=1e-4)
        printed[0] = found[0]
    np.testing.assert_allclose(found, printed, rtol=0, atol=1e-4)


def test_table_1_rounds_to_the_print_but_for_truncated_cells(tables):
    """Without KMeans 87 of 90 cells are the rounded ones; NM with KMeans all."""
    def rounded(cells):
        return sum(abs(v - p) <= 5e-5 + 1e-12 for cell in cells for v, p in
                   zip(measures(tables[cell[2]][cell[:2]]), PRINTED[cell]))
    assert rounded([c for c in PRINTED if "KMeans" not in c]) == 87
    assert rounded([c for c in PRINTED if "KMeans" in c and c[2] == "NM"]) == 30


def test_the_misprint_contradicts_the_opposite_row():
    """sigma changes its sign with the order; every other printed pair keeps to that."""
    wrong = [cell for cell in PRINTED if abs(
        PRINTED[cell][0] + PRINTED[cell[1], cell[0], cell[2]][0]) > 1.5e-4]
    assert {frozenset(cell) for cell in wrong} == {frozenset(MISPRINT)}


@pytest.mark.parametrize("data", DATA)
def test_stored_matrices_of_table_1(tables, data):
    item = GOLDEN[f"table1-{data}"]
    for pair, expected in item["expected"].items():
        primary, alternative = (name.replace("MiniBatchKMeans337", "KMeans")
                                for name in pair.split("|"))
        result = tables[data][primary, alternative]
        assert list(result.counts) == expected["matrix"]
        np.testing.assert_allclose(measures(result), expected["measures"], rtol=0, atol=1e-9)
        if "se_delta" in expected:
            intervals = result.jackknife()
            assert result.delta == pytest.approx(expected["delta"], abs=1e-9)
            np.testing.assert_allclose(
                intervals.standard_error, [expected["se_delta"], *expected["se_measures"]],
                rtol=0, atol=1e-9)


def test_labels_stored_here_are_those_of_the_golden_file():
    golden = parsed(GOLDEN["table1-NS"]["input"]["labels"]["MiniBatchKMeans337"])
    assert sc.adjusted_rand_index(golden, parsed(OTHERS["NS"]["KMeans"])) == 1.0
    for data in ("NC", "NM"):
        labels = stored(data)
        for name in ("DBSCAN", "Spectral"):
            assert sc.adjusted_rand_index(labels[name], labels["truth"]) == 1.0


def test_spectral_labels_by_the_recipe():
    from sklearn.cluster import SpectralClustering
    data = sc.datasets.anisotropic_blobs()
    found = SpectralClustering(3, eigen_solver="arpack", affinity="nearest_neighbors",
                               n_neighbors=10, random_state=5).fit_predict(data.data)
    assert sc.adjusted_rand_index(found, parsed(OTHERS["NS"]["Spectral"])) == 1.0


def test_noise_as_singletons_misses_the_print():
    labels = stored("NS")
    single = sc.prayatul(labels["truth"], labels["BIRCH"], labels["DBSCAN"], noise="singletons")
    assert single.n_noise == (0, int(np.count_nonzero(labels["DBSCAN"] == -1)))
    missed = np.abs(np.subtract(measures(single), PRINTED["BIRCH", "DBSCAN", "NS"]))
    assert missed.max() > 1e-4


# -- Tables II and III ------------------------------------------------------------------------
def scores(truth, found, binary):
    """Accuracy, precision, recall of raw labels as in Table II."""
    accuracy = float(np.mean(truth == found))
    classes = np.union1d(truth, found)
    hits = {k: np.count_nonzero((truth == k) & (found == k)) for k in classes}
    precision = {k: hits[k] / max(1, np.count_nonzero(found == k)) for k in classes}
    recall = {k: hits[k] / max(1, np.count_nonzero(truth == k)) for k in classes}
    if binary:
        return accuracy, precision[1], recall[1]
    weighted = sum(recall[k] * np.count_nonzero(truth == k) for k in classes) / len(truth)
    return accuracy, float(np.mean(list(precision.values()))), float(weighted)


@pytest.mark.parametrize("name", TABLE_II)
@pytest.mark.parametrize("data", DATA)
def test_table_2(data, name):
    labels = stored(data)
    printed = TABLE_II[name][DATA.index(data)]
    clusters = sorted(set(labels[name].tolist()))
    orders = (itertools.permutations(clusters) if name in ("KMeans", "Spectral")
              else [tuple(clusters)])
    best = min(max(abs(a - b) for a, b in zip(scores(
        labels["truth"], np.array(order)[np.searchsorted(clusters, labels[name])],
        data != "NS"), printed)) for order in orders)
    assert best <= (.01 if (data, name) == ("NC", "KMeans") else 5.1e-5)


def test_table_3():
    for data, rows in GOLDEN["table3"]["expected"].items():
        labels = stored(data)
        for name, expected in rows.items():
            found = [f(labels["truth"], labels[name]) for f in (
                sc.normalized_mutual_information, sc.adjusted_rand_index,
                sc.adjusted_mutual_information)]
            np.testing.assert_allclose(found, expected, rtol=0, atol=1e-6)


# -- claims of the paper that fail ------------------------------------------------------------
@pytest.mark.parametrize("name", ["theorem5-before", "theorem5-after", "theorem5-alpha-before",
                                  "theorem5-alpha-after"])
def test_counterexamples_to_theorem_5(name):
    item = GOLDEN[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sc.UndefinedMeasureWarning)
        result = sc.prayatul(*(item["input"][k] for k in ("truth", "primary", "alternative")))
    assert list(result.counts) == item["expected"]["matrix"]
    np.testing.assert_allclose(measures(result), [
        math.nan if v is None else v for v in item["expected"]["measures"]], atol=1e-9)


def test_a_better_alternative_may_lower_both_wrong_and_the_measures():
    before, after = (GOLDEN[f"theorem5-{k}"]["expected"] for k in ("before", "after"))
    assert after["matrix"][3] < before["matrix"][3]
    assert after["measures"][2] < before["measures"][2]
    assert after["measures"][4] < before["measures"][4]


def test_theorem_2_scale_invariance():
    """sigma of RW, WR scaled by different factors is not the product of two sigmas."""
    def sigma(rw, wr):
        return (rw - wr) / (rw + wr)
    assert sigma(2 * 2, 1 * 5) == pytest.approx(-1 / 9)
    assert sigma(2, 1) * sigma(2, 5) == pytest.approx(-1 / 7)
    item = GOLDEN["replicated-2"]
    base = sc.prayatul(*item["input"]["base"])
    twice = sc.prayatul(*(list(x) * 2 for x in item["input"]["base"]))
    assert list(twice.counts) == item["expected"]["matrix"]
    np.testing.assert_allclose(measures(twice), item["expected"]["measures"], atol=1e-9)
    assert twice.comparative_deviation == base.comparative_deviation
    assert base.polarization == pytest.approx(.678571, abs=1e-6)
    assert twice.polarization == pytest.approx(.7)


@pytest.mark.parametrize(("sizes", "sigma"), [((500, 500), -.0010), ((900, 100), .6396),
                                              ((990, 10), .9604)])
def test_theorem_3_class_imbalance(sizes, sigma):
    truth = np.repeat([0, 1], sizes)
    result = sc.prayatul(truth, np.zeros(1000, int), np.arange(1000))
    assert result.comparative_deviation == pytest.approx(sigma, abs=5e-5)


def test_theorem_6_continuity():
    """One object of 1500 takes sigma from 0 (author's convention) to -1; alpha moves little."""
    truth = stored("NC")["truth"]
    moved = truth.copy()
    moved[0] = 1 - moved[0]
    before = sc.prayatul(truth, truth, truth, zero_division=0.0)
    after = sc.prayatul(truth, moved, truth, zero_division=0.0)
    assert (before.comparative_deviation, after.comparative_deviation) == (0.0, -1.0)
    for name in ("polarization", "effective_superiority"):
        assert abs(getattr(after, name) - getattr(before, name)) <= 4 / 1500 + 1e-12


def test_five_measures_order_as_the_rand_index(tables):
    """No insight beyond the Rand index: the sign of m(p, q) - m(q, p) is that of a - b."""
    for data in DATA:
        for result in tables[data]:
            other = tables[data][result.names[::-1]]
            sign = np.sign(result.right_wrong - result.wrong_right)
            assert (np.sign(np.subtract(measures(result), measures(other))) == sign).all()


def test_effective_rightness_repeats_comparative_rightness(tables):
    for data in DATA:
        for result in tables[data]:
            assert result.effective_rightness == pytest.approx(
                2 * result.comparative_rightness - 1, abs=1e-15)


def test_half_of_the_instances_is_chance():
    """'Almost 50 % are right' on the circles: balanced random labels give as much."""
    truth = stored("NC")["truth"]
    rng = np.random.default_rng(0)
    found = [sc.prayatul(truth, rng.permutation(truth), truth) for _ in range(50)]
    assert np.mean([r.polarization for r in found]) == pytest.approx(.4997, abs=.0005)
    chance = [sc.adjusted_rand_index(truth, rng.permutation(truth)) for _ in range(50)]
    assert abs(np.mean(chance)) < .001


def test_kmeans_is_not_better_than_birch_on_circles_and_moons(tables):
    for data in ("NC", "NM"):
        assert tables[data]["BIRCH", "KMeans"].comparative_deviation > 0


def test_the_double_loop_agrees_on_part_of_table_1(tables):
    labels = stored("NS")
    part = {name: values[:120].tolist() for name, values in labels.items()}
    result = sc.prayatul(part["truth"], part["BIRCH"], part["DBSCAN"])
    assert list(result.counts) == naive.prayatul(part["truth"], part["BIRCH"], part["DBSCAN"])
    assert Counter(part["DBSCAN"])[-1] == result.n_noise[1]
