"""Whatever has objects is matched by their names: the order of a second thing changes nothing."""

import numpy as np
import pandas as pd
import pytest
from scipy.cluster.hierarchy import linkage
from sklearn.cluster import KMeans
from together import for_each

import softclust as sc
from softclust.selection.references import draw_references

N = 24
NAMES = [f"o{i:02d}" for i in range(N)]
ORDER = np.random.default_rng(3).permutation(N)
_rng = np.random.default_rng(1)
POINTS = pd.DataFrame(_rng.normal(size=(N, 2)) + 3 * (np.arange(N) % 3)[:, None], index=NAMES)
X = pd.Series(np.arange(N) % 3, index=NAMES)
Y = pd.Series(np.where(_rng.random(N) < 0.7, np.arange(N) % 3, _rng.integers(3, size=N)),
              index=NAMES)
GROUPS = pd.Series(np.arange(N) // 3, index=NAMES)
STRATA = pd.Series(np.arange(N) // 12, index=NAMES)
BLOCKS = pd.Series(np.arange(N) // 2, index=NAMES)
OF_BLOCKS = pd.Series(np.repeat(_rng.integers(3, size=N // 2), 2), index=NAMES)
WEIGHTS = pd.Series(_rng.random(N), index=NAMES)
COUNTS = pd.Series(_rng.integers(1, 5, size=N), index=NAMES)
PARTLY = pd.Series([k if k < 2 else None for k in np.arange(N) % 3], index=NAMES, dtype=object)
DISTANCES = pd.DataFrame(np.abs(POINTS.to_numpy()[:, None] - POINTS.to_numpy()[None]).sum(axis=2),
                         index=NAMES, columns=NAMES)
TREE = linkage(POINTS, "average")


def tree_of(points):
    return sc.Dendrogram(linkage(points, "average"), object_names=points.index)


#: each function with a second thing that has objects, and that thing in the order of the first
SECOND = {
    "compare, strata": (lambda s: sc.compare(X, Y, strata=s, ci="jackknife").to_frame(), STRATA),
    "compare, groups": (lambda g: sc.compare(X, Y, groups=g, ci="jackknife").to_frame(), GROUPS),
    "compare, groups and weights": (lambda w: sc.compare(
        X, Y, measures=["rand_index"], groups=GROUPS, weights=w, ci="jackknife").to_frame(),
        WEIGHTS),
    "compare without missing, groups": (lambda g: sc.compare(
        X, PARTLY, missing="drop", groups=g, ci="jackknife").to_frame(), GROUPS),
    "compare, weights": (lambda w: sc.compare(X, Y, weights=w).to_frame(), WEIGHTS),
    "contingency_table, frequencies": (lambda w: sc.contingency_table(X, Y, frequencies=w), COUNTS),
    "contingency_table, strata": (lambda s: sc.adjusted_rand_index(
        sc.contingency_table(X, Y, strata=s), strata=True), STRATA),
    "adjusted_rand_index": (lambda s: sc.adjusted_rand_index(X, Y, strata=s), STRATA),
    "adjusted_mutual_information": (
        lambda s: sc.adjusted_mutual_information(X, Y, strata=s), STRATA),
    "agreement_by_strata": (lambda s: sc.agreement_by_strata(X, Y, s).to_frame(), STRATA),
    "conditional_mutual_information": (
        lambda s: sc.conditional_mutual_information(X, Y, s), STRATA),
    "chance, strata": (lambda s: sc.chance(X, Y, "rand_index", strata=s, n_permutations=19,
                                           method="permutations", rng=0).to_frame(), STRATA),
    "chance, groups": (lambda g: sc.chance(X, OF_BLOCKS, "rand_index", groups=g,
                                           n_permutations=19, rng=0).to_frame(), BLOCKS),
    "chance_level": (lambda s: sc.chance_level(X, Y, measure="rand_index", strata=s), STRATA),
    "compare_all": (lambda g: sc.compare_all({"x": X, "y": Y}, groups=g, ci="jackknife"
                                             ).to_frame(), GROUPS),
    "rank_clusterings": (lambda g: sc.rank_clusterings(
        X, {"a": Y, "b": STRATA}, groups=g, n_draws=2000).to_frame(), GROUPS),
    "prayatul": (lambda w: sc.prayatul(X, Y, STRATA, weights=w).matrix, WEIGHTS),
    "sampled_truth": (lambda t: sc.sampled_truth(X, t, design="clusters", probabilities=0.5
                                                 ).to_frame(), PARTLY),
    "sampled_truth, probabilities": (lambda p: sc.sampled_truth(
        X, PARTLY, design="clusters", probabilities=p).to_frame(),
        pd.Series(np.where(np.arange(N) % 3, 0.5, 0.25), index=NAMES)),
    "pair_roc": (lambda x: sc.pair_roc(x, tree_of(POINTS)).auc, X),
    "pair_roc_subsets": (lambda p: sc.pair_roc_subsets(
        X, tree_of(p), fractions=[0.5], n_draws=5, rng=0).mean, POINTS),
    "tie_range": (lambda p: sc.tie_range(X, p, n_draws=2, rng=0).given, POINTS),
    "best_cut": (lambda x: sc.best_cut(tree_of(POINTS), x).value, X),
    "level_agreement": (lambda x: sc.level_agreement(tree_of(POINTS), x).to_frame(), X),
    "level_agreement, cut by cut": (lambda x: sc.level_agreement(
        tree_of(POINTS), x, measure="nmi").to_frame(), X),
    "cophenetic_correlation": (lambda p: sc.cophenetic_correlation(tree_of(POINTS), tree_of(p)),
                               POINTS),
    "dendrogram_curve": (lambda p: sc.dendrogram_curve(tree_of(POINTS), tree_of(p)).value, POINTS),
    "dissimilarity_accounted_for": (lambda d: sc.dissimilarity_accounted_for(X, d), DISTANCES),
    "plot_objects": (lambda x: sc.plotting.plot_objects(POINTS, x).collections[0].get_offsets(), X),
    "bagging, base": (lambda b: sc.BaggedClustering(3, n_resamples=5, random_state=0).fit(
        POINTS, base=b).membership_, X),
    "c-means, weights": (lambda w: sc.cluster.FuzzyCMeans(3, random_state=0).fit(
        POINTS, sample_weight=w).cluster_centers_, WEIGHTS),
    "replicate, labels": (lambda x: sc.replicate([(POINTS, x), (POINTS, X)]).agreement, X),
    "separation_test": (lambda x: sc.separation_test(POINTS, x, n_references=39, min_size=5,
                                                     rng=0).to_frame(), X),
    "draw_references": (lambda x: draw_references(POINTS, x, rng=0), X),
    "compare": (lambda y: sc.compare(X, y).to_frame(), Y),
    "align": (lambda y: sc.rand_index(*sc.align(X, y, objects="common")), Y),
    "Ensemble": (lambda y: sc.Ensemble([X, y]).labels, Y),
    "explain": (lambda y: sc.explain(X, y).to_frame(), Y),
    "cluster_stability": (lambda x: sc.cluster_stability(x, sc.resampled_clusterings(
        POINTS, KMeans(3, n_init=1), n_resamples=5, rng=0)).values, X),
}


def equal(a, b):
    if isinstance(a, pd.DataFrame):
        pd.testing.assert_frame_equal(a, b)
    elif isinstance(a, sc.ContingencyTable):
        assert a == b
    else:
        np.testing.assert_allclose(a, b, rtol=1e-12)


def shuffled(thing):
    """The same objects in another order, rows and columns of distances in two others."""
    if thing is DISTANCES:
        return thing.iloc[ORDER, ORDER[::-1]]
    return thing.iloc[ORDER]


@pytest.mark.filterwarnings("ignore")
@for_each("called", SECOND)
def test_another_order_of_named_objects_changes_nothing(called):
    function, thing = SECOND[called]
    if called in ("compare", "Ensemble", "explain", "cluster_stability"):
        with pytest.raises(sc.ClusteringError, match=r"another order: .*align"):
            function(shuffled(thing))   # clusterings side by side are matched by align
    else:
        equal(function(shuffled(thing)), function(thing))


@pytest.mark.filterwarnings("ignore")
@for_each("called", SECOND)
def test_other_objects_are_an_error(called):
    function, thing = SECOND[called]
    if called == "align":
        return   # objects="common"
    other = thing.rename(index={NAMES[0]: "another"})
    if thing is DISTANCES:
        other = other.rename(columns={NAMES[0]: "another"})
    with pytest.raises(sc.ClusteringError, match=r"different|not those of the objects"):
        function(other)
