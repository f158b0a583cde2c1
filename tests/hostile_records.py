"""Changes of stored records, and the process in which changed records are used.

``python hostile_records.py FIRST COUNT PLOT`` makes the changes with these numbers; it writes the
number of each before it is used, and a line for each that ends neither as it should be nor with
ClusteringError.
"""

import base64
import copy
import functools
import inspect
import json
import resource
import signal
import sys
import warnings

import numpy as np

import softclust as sc
from softclust.results import from_json

#: bytes and seconds of the processor that one changed record may take
MEMORY, SECONDS = 3 << 30, 10
TRUTH = [0, 0, 1, 1, 2, 2, 0, 1]
OTHER = [0, 0, 1, 1, 1, 2, 2, 0]
THIRD = [0, 1, 1, 1, 2, 2, 0, 0]
FUZZY = [[0.9, 0.1], [0.6, 0.4], [0.2, 0.8], [0.0, 1.0], [0.5, 0.5], [0.7, 0.3], [1.0, 0.0],
         [0.3, 0.7]]
POINTS = np.random.default_rng(0).normal(size=(24, 2)) + np.repeat([[0, 0], [9, 0], [0, 9]], 8, 0)
GROUPS = np.repeat([0, 1, 2], 8)
TREE = [[0, 1, 1.0], [2, 3, 1.5], [8, 9, 2.0], [4, 5, 2.5], [10, 11, 3.0], [6, 7, 3.5],
        [12, 13, 4.0]]
RUNS = [TRUTH, OTHER, THIRD]


def _kmeans():
    from sklearn.cluster import KMeans
    return KMeans(2, n_init=1, random_state=0)


def _named(labels):
    import pandas as pd
    return pd.Series(labels, index=list("abcdefgh"))


MAKERS = {
    "hard": lambda: sc.HardClustering(["a", "a", "b"], object_names=["x", "y", "z"]),
    "fuzzy": lambda: sc.FuzzyClustering(FUZZY),
    "possibilistic": lambda: sc.PossibilisticClustering(FUZZY),
    "rough": lambda: sc.RoughClustering.from_upper([[1, 0], [1, 1]]),
    "evidential": lambda: sc.FuzzyClustering(FUZZY).to_evidential(),
    "cover": lambda: sc.as_clustering([[1, 1], [0, 1], [1, 0]], kind="cover"),
    "ensemble": lambda: sc.Ensemble([TRUTH, FUZZY], names=["truth", "fuzzy"]),
    "runs of a frame": lambda: sc.Ensemble(_frame(), missing="absent"),
    "core of a frame": lambda: sc.partition_core(_frame(8).iloc[:, 1:].astype(int)),
    "runs": lambda: sc.Ensemble([[0, 0, 1, None], [None, 5, 5, 2]], missing="absent"),
    "tabulation": lambda: sc.Ensemble(RUNS).tabulate(),
    "aligned": lambda: sc.align([0, 0, 1, None], [0, 1, 1, -1], noise="singletons",
                                missing="drop"),
    "matching": lambda: sc.match_clusters(_named(TRUTH), _named(OTHER), rng=0),
    "chance": lambda: sc.chance(TRUTH, OTHER, ["ARI", "NMI"], n_permutations=19, rng=0),
    "changes": lambda: sc.cluster_changes(TRUTH, OTHER),
    "explanation": lambda: sc.explain(TRUTH, OTHER),
    "explanation of a table": lambda: sc.explain(sc.contingency_table(TRUTH, OTHER)),
    "explanation of objects": lambda: sc.explain(
        sc.FuzzyClustering(FUZZY), TRUTH, measure="alpha_rand_index"),
    "flows": lambda: sc.order_flows(RUNS),
    "influence": lambda: sc.influence(TRUTH, OTHER),
    "matrix": lambda: sc.compare_all(RUNS, ci="jackknife"),
    "medoid": lambda: sc.medoid(RUNS, measure="rand_index"),
    "prayatul": lambda: sc.prayatul(TRUTH, OTHER, THIRD),
    "prayatul with weights": lambda: sc.prayatul(TRUTH, OTHER, THIRD, weights=np.arange(1.0, 9.0)),
    "soft prayatul": lambda: sc.prayatul(TRUTH, sc.FuzzyClustering(FUZZY), THIRD),
    "minimum prayatul": lambda: sc.prayatul(TRUTH, sc.FuzzyClustering(FUZZY), THIRD,
                                            coupling="minimum"),
    "evidential prayatul": lambda: sc.prayatul(
        TRUTH, sc.RoughClustering.from_upper(np.eye(3)[TRUTH] + np.eye(3)[OTHER] > 0), THIRD,
        coupling="evidential"),
    "prayatul intervals": lambda: sc.prayatul(TRUTH, OTHER, THIRD).jackknife(),
    "prayatul objects": lambda: sc.prayatul(TRUTH, OTHER, THIRD).objects(),
    "prayatul parts": lambda: sc.prayatul(TRUTH, OTHER, THIRD).parts(),
    "prayatul table": lambda: sc.prayatul_all(TRUTH, {"a": OTHER, "b": THIRD}),
    "ranking": lambda: sc.rank_clusterings(TRUTH, {"a": OTHER, "b": THIRD}),
    "comparison": lambda: sc.compare(TRUTH, OTHER, ci="jackknife"),
    "sampled truth": lambda: sc.sampled_truth(OTHER, TRUTH, design="objects",
                                              probabilities=0.75, sample=[*range(6)]),
    "circles": lambda: sc.interval_mds(
        *[1 - sc.compare_all(RUNS, measure="rand_index").value] * 2, rng=0),
    "batch": lambda: sc.batch_effect(TRUTH, [0, 1, 0, 1, 0, 1, 0, 1], within=[*"aaaabbbb"],
                                     n_permutations=19, rng=0),
    "strata": lambda: sc.agreement_by_strata(TRUTH, OTHER, [0, 0, 0, 0, 1, 1, 1, 1]),
    "versions": lambda: sc.compare_versions(RUNS[:2], RUNS[1:]),
    "element centric": lambda: sc.element_centric(TRUTH, OTHER),
    "clusters of clusterings": lambda: sc.pclust([*RUNS, *RUNS], 2, rng=0),
    "separation": lambda: sc.separation_test(POINTS, GROUPS, min_size=5, n_references=59,
                                             rng=0),
    "settings": lambda: sc.compare_settings(
        POINTS, _kmeans(), {"n_clusters": [2, 3]}, n_blocks=8, n_references=3, level=0.75, rng=0),
    "consensus": lambda: sc.consensus(RUNS, rng=0),
    "consistency": lambda: sc.element_consistency(RUNS),
    "instability": lambda: sc.label_instability(RUNS, rng=0),
    "posterior": lambda: sc.posterior_partition(RUNS, rng=0),
    "posterior of chains": lambda: sc.posterior_partition(
        np.array([RUNS, RUNS[::-1]]), weights=[1, 2, 3, 1, 2, 3], rng=0),
    "ball": lambda: sc.credible_ball(TRUTH, RUNS),
    "core": lambda: sc.partition_core(RUNS),
    "representatives": lambda: sc.partition_representatives(RUNS, 2, rng=0),
    "reliability": lambda: sc.reliability_simulation([0.3], [0.8], n_objects=20, n_resamples=5,
                                                     rng=0),
    "draws": lambda: sc.BootstrapDraws.from_indices(POINTS, np.arange(24)[None]),
    "stability": lambda: sc.cluster_stability(TRUTH, RUNS),
    "coassociation": lambda: sc.coassociation(RUNS),
    "estimate": lambda: sc.alpha_rand_estimate(FUZZY, FUZZY[::-1], n_pairs=20, rng=0),
    "pairwise entropy": lambda: sc.pairwise_entropy(sc.FuzzyClustering(FUZZY)),
    "criterion": lambda: sc.cluster_information_criterion(sc.FuzzyClustering(FUZZY)),
    "cluster test": lambda: sc.cluster_test(POINTS, [2, 3], n_references=19, rng=0),
    "cluster number": lambda: sc.cluster_number(POINTS, range(2, 4), n_resamples=5, rng=0),
    "replication": lambda: sc.replicate({"a": POINTS, "b": POINTS + 1}, _kmeans(),
                                        n_references=19, n_resamples=20, n_splits=3, rng=0),
    "prediction strength": lambda: sc.prediction_strength(POINTS, _kmeans(), range(2, 4),
                                                          n_splits=3, rng=0),
    "completions": lambda: sc.completion_bounds([0, 0, 1, None], [0, 1, 1, 1]),
    "expected": lambda: sc.expected_index(TRUTH, sc.FuzzyClustering(FUZZY), index="jaccard"),
    "transport": lambda: sc.transport_rand_index(TRUTH, sc.FuzzyClustering(FUZZY)),
    "curve": lambda: sc.dendrogram_curve(_tree(), _tree()),
    "map": lambda: sc.dendrogram_map(_tree(), _tree()),
    "levels": lambda: sc.level_agreement([[0] * 8, TRUTH], OTHER),
    "best cut": lambda: sc.best_cut(_tree(), TRUTH),
    "cut chance": lambda: sc.best_cut(_tree(), TRUTH).chance(19, rng=0),
    "tree orders": lambda: sc.untangle(_tree(), _tree(), rng=0),
    "roc": lambda: sc.pair_roc(TRUTH, _tree()),
    "roc subsets": lambda: sc.pair_roc_subsets(TRUTH, _tree(), fractions=[0.5, 1.0], n_draws=3,
                                              rng=0),
    "ties": lambda: sc.tie_range(TRUTH, np.arange(8.0)[:, None], method="single", n_draws=3,
                                 rng=0),
    "table": lambda: sc.contingency_table(TRUTH, OTHER),
    "table with weights": lambda: sc.contingency_table(TRUTH, OTHER, weights=np.arange(1.0, 9.0)),
    "table of strata": lambda: sc.contingency_table(TRUTH, OTHER, strata=list("aabbaabb")),
    "sums": lambda: sc.membership_sums(FUZZY, TRUTH),
}


def _frame(n=4):
    import pandas as pd
    return pd.DataFrame({"a": [0, 0, 1, None, 1, 1, 0, 0][:n], "b": [1, 0, 1, 2, 2, 1, 0, 0][:n],
                         "c": [1, 1, 1, 2, 0, 1, 0, 0][:n]})


def _tree():
    return sc.Dendrogram(TREE)


# -- changes -------------------------------------------------------------------------------------
NUMBERS = [-1, 0, 1, 2, 7, 65535, 10**9, 10**30, -2**63, 0.5, -0.5, 1e300, 5e-324,
           {"float": "nan"}, {"float": "inf"}]
FOREIGN = [None, True, False, "", "x", "rand_index", "hard", [], [[]], {}, {"tuple": []},
           {"tuple": ["a", "a"]}, {"mapping": []}, {"range": 10**12}, {"array": "", "dtype": "<f8",
           "shape": [0]}, {"record": "softclust.results.records:Interval",
           "fields": {"low": 2, "high": 1}}, {"object": "os:system", "of": {"tuple": ["true"]}}]


def nodes_of(value, path=()):
    """The paths to all parts of a JSON value."""
    yield path
    inner = value.items() if isinstance(value, dict) else (
        enumerate(value) if isinstance(value, list) else ())
    for key, part in inner:
        yield from nodes_of(part, (*path, key))


def changed_array(value, rng):
    """An array with another type, another shape or other numbers."""
    array = np.frombuffer(base64.b64decode(value["array"]), value["dtype"]).reshape(value["shape"])
    array, way = array.copy(), rng.integers(8)
    if way == 0:
        array = array.astype(rng.choice(["<f8", "<i8", "|b1", "<u2", ">i4", "|i1"]))
    elif way == 1 and array.ndim:
        array = array[:-1]
    elif way == 2:
        array = array[None]
    elif way == 3 and array.ndim:
        array = np.concatenate([array, array])
    elif way == 4:
        array = array.ravel()
    elif way == 5:
        array = array.astype(float) * np.nan
    elif array.size:
        number = NUMBERS[rng.integers(len(NUMBERS) - 2)]
        with np.errstate(all="ignore"):
            flat = array.reshape(-1)
            try:
                flat[rng.integers(flat.size)] = number
            except OverflowError:
                flat[rng.integers(flat.size)] = 100
    return {"array": base64.b64encode(array.tobytes()).decode(), "dtype": array.dtype.str,
            "shape": list(array.shape)}


def changed(record, rng):
    """A copy of a stored record with one part changed."""
    record = copy.deepcopy(record)
    paths = [path for path in nodes_of(record) if path]
    path = paths[rng.integers(len(paths))]
    parent = functools.reduce(lambda value, key: value[key], path[:-1], record)
    value, way = parent[path[-1]], rng.integers(8)
    if isinstance(value, dict) and "array" in value and way < 6:
        parent[path[-1]] = changed_array(value, rng)
    elif way == 0 and len(path) > 1:
        del parent[path[-1]]
    elif way == 1 and isinstance(value, list):
        parent[path[-1]] = value + value
    elif way == 2:   # another part of the same record
        other = paths[rng.integers(len(paths))]
        parent[path[-1]] = copy.deepcopy(functools.reduce(lambda v, key: v[key], other, record))
    elif way == 3 or not isinstance(value, (int, float)):
        parent[path[-1]] = FOREIGN[rng.integers(len(FOREIGN))]
    else:
        parent[path[-1]] = NUMBERS[rng.integers(len(NUMBERS))]
    return record, "/".join(map(str, path))


# -- what is done with a record --------------------------------------------------------------------
def used(record, plot):
    """Call all methods of a record that need no argument, and yield their names and errors."""
    names = [name for name in dir(type(record)) if not name.startswith("_")]
    for name in [*names, "__repr__", "__str__", "__eq__", "__hash__", "_repr_html_"]:
        if (name == "plot" and not plot) or name in ("save", "to_html"):
            continue
        try:
            value = getattr(record, name)
            if name == "__eq__":
                value(copy.copy(record))
            elif callable(value) and not any(
                    p.default is p.empty and p.kind not in (p.VAR_KEYWORD, p.VAR_POSITIONAL)
                    for p in inspect.signature(value).parameters.values()):
                value()
        except Exception as error:
            yield name, error


@functools.cache
def stored(name, plot):
    """The content of a record, and the errors of its methods, before it is changed."""
    content = json.loads(MAKERS[name]().to_json())
    del content["digest"]   # it would see every change
    return content, {(method, type(error)) for method, error in used(
        from_json(json.dumps(content)), plot)}


def main(first, count, plot):
    warnings.simplefilter("ignore")
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    names = sorted(MAKERS)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.signal(signal.SIGPROF, signal.SIG_DFL)   # ends a kernel that runs for ever, too
    for number in range(first, first + count):
        rng = np.random.default_rng(number)
        name = names[rng.integers(len(names))]
        signal.setitimer(signal.ITIMER_PROF, 0)
        content, usual = stored(name, plot)
        record, where = changed(content["record"], rng)
        print("try", number, name, where, flush=True)
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        try:
            again = from_json(json.dumps({**content, "record": record}))
        except sc.ClusteringError:
            continue
        except Exception as error:
            print("raw", number, name, where, "from_json", repr(error)[:200], flush=True)
            continue
        for method, error in used(again, plot):
            if not isinstance(error, sc.ClusteringError) and (method, type(error)) not in usual:
                print("raw", number, name, where, method, repr(error)[:200], flush=True)
        pyplot.close("all")
    signal.setitimer(signal.ITIMER_PROF, 0)
    print("done", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3] == "plot")
