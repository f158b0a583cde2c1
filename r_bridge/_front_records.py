"""Functions that R calls by their names; a record crosses by the fields in `FIELDS`.

A new function needs a line in `FIELDS` and, in R, a signature with one call. What is a position
is declared in the record (`metadata=POSITION`) and counted from 1 in R. A record without a line
crosses with all its fields, records inside as lists, and with the frame that Python makes of it.
"""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable, Collection, Mapping
from types import SimpleNamespace
from typing import Any

import numpy as np

import softclust as sc
from softclust.results.records import Record
from softclust.results.text import counting_from

from ._front import (
    DECODERS,
    Encoded,
    FrontError,
    command,
    crossing,
    decode,
    framed,
    from_zero,
    named,
    names_from_one,
    numbers,
    public,
    strings,
)
from ._words import spelled

Options = Mapping[str, Any]

#: parameters that hold positions, if they hold numbers; R counts them from 1
POSITIONS = ("base", "i", "indices", "j", "labelled", "order", "pairs", "reference", "sample",
             "x_order", "y_order")

#: what Python says without the name of an argument
_UNNAMED = re.compile(
    r"object cannot be interpreted as|object is not (?:iterable|callable|subscriptable)|could not "
    r"convert|cannot convert|not supported (?:between|for)|(?:int|float)\(\) argument|invalid "
    r"literal|has no attribute|unhashable type|ufunc|must be real number|unsupported operand")
#: kinds of values, and words in the annotations of parameters that take them
_ALLOWED: list[tuple[Any, str]] = [
    (bool, "bool|int|float"), ((int, float), "int|float|Array|RNG"), (str, "str|Literal|[^y]Like"),
    (type(None), "None"), (Mapping, "Mapping|Frame|[^y]Like"),
    ((list, tuple, np.ndarray), "Sequence|Iterable|Collection|Array|Like|tuple")]
#: what is needed, by a word in the annotation
_NEEDED = {"Sequence|Iterable|Collection|Array|tuple": "a vector", "float": "a number",
           "int": "a whole number", "bool": "True or False", "str|Literal": "a name",
           "": "another value"}
#: types of parameters that are vectors; one value of R is a vector, too
_SEVERAL = ("ArrayLike", "Sequence", "Iterable", "Collection")
KINDS = (sc.HardClustering, sc.RoughClustering, sc.FuzzyClustering, sc.PossibilisticClustering,
         sc.EvidentialClustering, sc.CoverClustering)
NUMBERS = (int, float, list, np.ndarray)
#: what objects of the R package have made in Python (`made` in R): what R sends may come from a
#: file of a stranger, so it names nothing else
MADE = ("ContingencyTable.from_counts", "Ensemble.from_runs", "MembershipSums.from_json",
        "PairCounts", "contingency_table")
#: functions that have another name in R
NAMES = {"cluster_information_criterion": "cic", "match_clusters": "match",
         "membership_entropy": "entropy", "pairwise_entropy": "entropy"}

#: what R gets of fitted estimators
_TREE = "clustering=clustering_ labels=labels_@# merges=merges_ isolated=isolated_@#"
_CENTERS = ("clustering=clustering_ labels=labels_@# centers=cluster_centers_ "
            "objective=objective_ history=objective_history_ n_iter=n_iter_ converged=converged_")
_BAGGED = ("membership=membership_ labels=labels_@# entropy=entropy_ votes=votes_ "
           "n_resamples=n_resamples_ clustering failures centers")
_PAIRED = ("n_selected=n_selected_ mean_entropy pairwise_entropy=pairwise_entropy_.matrix "
           "base_labels=base_labels_@# base_centers=base_centers_ n_overlap_ties=n_overlap_ties_")
#: what R gets of a record, by its class (`crossing`); "*" is all that is public, "-x" not x. Behind
#: a bar: its frame is as.data.frame() in R, too, and what is done with its columns (`framed`)
FIELDS = {
    "Aligned": "* object_names! header | rows",
    "BaggedClustering": f"{_BAGGED} {_PAIRED}",
    "BayesianBaggedClustering": f"{_BAGGED} {_PAIRED}",
    "BatchEffect": "* -by_class answer |",
    "BestCut": "* -nodes",
    "Chance": "rows=to_frame labels null n_permutations method model fixed alternative kinds "
              "n_objects notes | -standard_error -n_permutations",
    "ClusterChanges": "rows sentences total moved moved_share operations transfers measure names",
    "ClusterNumber": "title sentence rule n_clusters# scale mc_error best_by_scale# entropy "
                     "pairwise_entropy n_resamples failures missing# notes pair# best# "
                     "criterion=method value=criterion given_up=behind | n_clusters# "
                     "value=criterion -pair",
    "ClusterStability": "values jaccard standard_error dissolved recovered absent consensus "
                        "objects limits n_runs sizes=reference.sizes | cluster@",
    "ClusterTest": "* -clusters | first+ second+",
    "Coassociation": "mean area n_pairs never_together exact n_draws least_held median_held "
                     "histogram pac pac_limits=pac_interval value=values count=counts "
                     "band=cdf_band n_runs=runs.n_runs n_objects=runs.n_objects |",
    "Comparison": "* -completed",
    "ComparisonMatrix": "* -ci_low -ci_high -level -alignment interval_valued",
    "CompletionBounds": "* exact completions | rows",
    "Consensus": "* -interrupted permutations# membership gap optimal quality labels# "
                 "entropy=entropies",
    "ContingencyTable": "counts=dense sentence x_names y_names n_objects n_dropped weighted",
    "CredibleBall": "loss level radius coverage n_inside n_draws distances center# horizontal "
                    "upper lower",
    "DendrogramCurve": "* -trees |",
    "DendrogramMap": "*",
    "ElementCentric": "x y values index expected adjusted",
    "ElementConsistency": "values index agreement n_pairs n_sampled",
    "Ensemble": "labels@# counts n_clusters names | rows",
    "Estimate": "value half_width level n_pairs n_controls bound",
    "EvidentialCMeans": f"{_CENTERS} focal_sets=focal_sets_",
    "Explanation": "measure value total label unique objects names",
    "FlowOrder": "orders# crossings exact",
    "FuzzyCMeans": _CENTERS,
    "Influence": "measure value side leave_out gain best",
    "LabelInstability": "value null null_error normalized n_clusters n_objects n_runs n_pairs |",
    "LevelAgreement": "measure rows=to_frame | k# -level",
    "Matching": "x_clusters y_clusters table score matched_table objective diagonal n_optimal "
                "method margins pairs# permutation# row_order column_order",
    "Medoid": "* index#",
    "MembershipSums": "n_objects kinds x_names! y_names! cross x_products y_products x_totals "
                      "y_totals gaps exact=to_json",
    "MultipleMatchClustering": f"{_BAGGED} cic=cic_ n_attempts=n_attempts_ n_dropped=n_dropped_ "
                                "converged=converged_ mean_entropy history=history_",
    "PairCounts": "n11 n10 n01 n00 n_pairs self_pairs",
    "PairRoc": "* -n_runs k# pair_error | k# -n_runs",
    "PairwiseEntropy": "matrix maximum pair",
    "PartitionClusters": "* -interrupted membership labels#",
    "PartitionCore": "probability n_objects n_draws interrupted objects# labels#",
    "PartitionRepresentatives": "* labels# assignment#",
    "PossibilisticCMeans": f"{_CENTERS} eta=eta_",
    "PosteriorPartition": "* labels# gap optimal quality",
    "PrayatulTable": "names n notes |",
    "PredictionStrength": "best# n_clusters# mean standard_error values threshold | n_clusters#",
    "Ranking": "* answer | rows -rank",
    "Replication": "* -clusters | cluster+",
    "RoughKMeans": _CENTERS, "SLAGLO": _TREE, "SLDID": _TREE,
    "SampledTruth": "* -share -rows rows=to_frame title |",
    "SeparationTest": "* sentence n_groups# | group+",
    "SettingsComparison": "* -half_labels -p -one_cluster_sets answer | plateau+",
    "StrataAgreement": "* -names -sizes -values -expected -weights -low -high answer "
                       "rows=to_frame |",
    "TieRange": "* -clusters | repeat+",
    "TransportResult": "* | rows",
    "TreeOrders": "x_order# y_order# crossings entanglement",
    "VersionComparison": "* -clusters -events sentence | cluster+",
}
#: what stands where a measure has no limits
_NO_LIMITS = SimpleNamespace(standard_error=(math.nan, math.nan), reliable=False,
                             estimate=(math.nan, math.nan))
#: functions of a record and the arguments that it was computed from
Extra = Callable[[Any, Mapping[str, Any]], dict[str, Any]]
EXTRAS: dict[str, Extra] = {}

#: objects up to which the matrix of all pairs goes to R
_PAIRS = 500


def beside(kind: str) -> Callable[[Extra], Extra]:
    """Register what R gets beside the fields of a record of this class."""
    def register(function: Extra) -> Extra:
        EXTRAS[kind] = function
        return function
    return register


@command
def run(name: str, arguments: Options | None = None, options: Options | None = None,
        sides: Any = (), kmeans: Options | None = None, seed: Any = None, then: str | None = None,
        after: Options | None = None, what: str | None = None) -> Any:
    """Call a function of softclust with `sides` and `arguments`; of the value `then` with `after`.

    `options` are those of R's dots, `kmeans` says how k-means is made, the clusterer, and `what`
    has the options in messages.
    """
    function = named(name)
    parameters = inspect.signature(function).parameters
    own = dict(options or {})
    given = dict(arguments or {})
    if kmeans is not None:
        from sklearn.cluster import KMeans
        chosen = {**kmeans, "n_init": own.pop("n_init", kmeans.get("n_init", 10))}
        given["estimator"] = KMeans(**{k: int(v) for k, v in chosen.items()})
    elsewhere = ["n_init"] if kmeans is not None else []
    if then == "fit" and "sample_weight" in inspect.signature(function.fit).parameters:
        elsewhere.append("sample_weight")
    given |= checked(function, own, what or f"sc_{NAMES.get(name, name)}()", elsewhere,
                     given=[*given, *[*parameters][:len(sides)]])
    given = _positions(several(parameters, given))
    given |= ruled(given)
    # The share of all objects; R has one type of numbers.
    if np.ndim(given.get("size")) == 0 and given.get("size") == 1:
        given["size"] = 1.0
    if seed is not None and "uniforms" not in given:
        given["random_state" if "random_state" in parameters else "rng"] = seed
    found = drawing(function, sides, given)
    if then is not None:
        found = getattr(found, then)(**_positions(after or {}))
    return fields_of(found, given)


def drawing(function: Any, sides: Any, given: dict[str, Any]) -> Any:
    """Call a function; without `rng`, which then leaves `given`, where the method takes none.

    What Python itself says of a value of a wrong type gets the name of the argument.
    """
    try:
        return function(*sides, **given)
    except (AttributeError, OverflowError, TypeError, ValueError) as error:
        if "rng" not in given or not all(word in str(error) for word in ("rng", "leave")):
            if _UNNAMED.search(str(error)):
                check_types(function, given)
            raise
    del given["rng"]
    return function(*sides, **given)


def check_types(function: Any, given: Options) -> None:
    """Raise TypeError for an argument that the annotation of its parameter does not allow."""
    parameters = inspect.signature(function).parameters
    known = {name: str(parameters[name].annotation) for name in given if name in parameters}
    for texts in (False, True):   # labels are texts, and other arrays may not be
        for name, wanted in known.items():
            value = given[name]
            allowed = next((words for kinds, words in _ALLOWED if isinstance(value, kinds)), ".")
            if isinstance(value, float) and not value.is_integer():
                allowed = allowed.replace("int|", "")
            if re.search(f"Any|{allowed}", wanted) and not (
                    texts and isinstance(value, list) and wanted.startswith("ArrayLike")):
                continue
            needed = next(words for kind, words in _NEEDED.items() if re.search(kind, wanted))
            shown = "a list" if isinstance(value, Mapping | list) else repr(value)[:100]
            raise TypeError(f"{name} is {shown}; {needed} is needed") from None


def _made(value: Options) -> Any:
    """Call one of `MADE` with the arguments that R sent."""
    name = value.get("name")
    if not isinstance(name, str) or name not in MADE:
        raise FrontError("an object was changed, or is not of this package: it names a function "
                         "that such objects do not use; compute it again")
    return named(name)(**_positions({k: decode(v) for k, v in value.items()
                                     if k not in (".t", "name")}))


DECODERS["of"] = _made


def _positions(given: Options) -> dict[str, Any]:
    return {key: from_zero(value, key) if key in POSITIONS and isinstance(value, NUMBERS)
            else value for key, value in given.items()}


@command
def as_clusterings(sides: Any, names: Any = None, options: Options | None = None) -> Any:
    """`softclust.as_clustering` of each side, which errors call by its name."""
    given = dict(options or {})
    return [sc.as_clustering(side, name=name, **{**given, **ruled(given)})
            for side, name in zip(sides, names or [None] * len(sides))]


def ruled(given: Options) -> dict[str, Any]:
    """Rules for the sides, of which each may have its own, as tuples."""
    rules = {name: tuple(given[name]) for name in ("names", "noise", "missing")
             if isinstance(given.get(name), list)}
    for name in ("partitions", "merges"):
        if isinstance(given.get(name), list):
            rules[name] = list(map(tuple, given[name]))
    if given.get("reference_sets"):
        rules["reference_sets"] = {tuple(pair): sets for pair, sets in given["reference_sets"]}
    measure = given.get("measure")
    if isinstance(measure, list) and not all(isinstance(name, str) for name in measure):
        raise TypeError("a list of measures needs their names, as in "
                        "list(alpha_rand_index = list(alpha = 0.2))")
    if isinstance(measure, Mapping):   # list() of R has no entries and no names
        rules["measure"] = {name: dict(options) for name, options in measure.items()}
    if "param_grid" in given:   # numbers of R, of which whole ones are int
        rules["param_grid"] = {name: [int(v) if isinstance(v, float) and v == int(v) else v
                                      for v in np.atleast_1d(values).tolist()]
                               for name, values in given["param_grid"].items()}
    if isinstance(given.get("method"), str):   # what hclust() calls it
        rules["method"] = given["method"].replace("ward.D2", "ward")
    label = given.get("noise_label")
    if isinstance(label, list):
        each = any(isinstance(v, list) or v is None for v in label)
        rules["noise_label"] = tuple(v and frozenset(v) for v in label) if each else frozenset(
            label)
    return rules


def words_of(kind: type) -> list[str]:
    """The words of `FIELDS` for records of a class, with all names."""
    words = FIELDS.get(kind.__name__, "* -clusters").partition("|")[0].split()
    if "*" not in words:
        return words
    names = public(kind, " ".join(word[1:] for word in words if word[0] == "-"))
    return [*names.split(), *(word for word in words if word[0] not in "*-")]


def fields_of(found: Any, given: Options) -> Any:
    """Return what R gets of a record; other values stay what they are."""
    kind = type(found).__name__
    if kind not in FIELDS and (not isinstance(found, Record) or isinstance(found, KINDS)):
        return found
    words = words_of(type(found))
    more = EXTRAS[kind](found, given) if kind in EXTRAS else {}
    _, bar, columns = FIELDS.get(kind, "|").partition("|")
    table = framed(found.to_frame(), columns) if bar else None
    if "rows=to_frame" in words:
        return crossing(found, " ".join(words), {**more, "rows": table})
    kept = crossing(found, " ".join(words), more)
    if table:
        kept["verbs"]["frame"] = table
    return kept


#: parameters of Python that R takes by itself or not at all
_NOT_OPTIONS = {"self", "X", "n_clusters", "criterion", "random_state", "rng", "executor",
                "estimator", "clusterer", "warm_start", "keep_estimators", "checkpoint", "prior",
                "data", "on"}


def checked(function: Any, options: Options, what: str, elsewhere: Collection[str] = (),
            given: Any = ()) -> dict[str, Any]:
    """Check that `function` takes all `options`; the error uses R's names.

    `elsewhere` are options that reach Python by another way, `given` arguments and no options.
    """
    called = {"method": "matching"} if '"mmcc"' in what else {}   # R takes `method` for itself
    parameters = inspect.signature(function).parameters
    if any(p.kind is p.VAR_KEYWORD for p in parameters.values()):
        return several(parameters, options)   # options of a measure, which checks them
    allowed = [name for name in parameters if name not in _NOT_OPTIONS and name not in given]
    for name in options:
        if name not in allowed:
            shown = sorted([*(called.get(v, v) for v in allowed), *elsewhere])
            raise TypeError(f"{what} has no option {called.get(name, name)!r}; "
                            + (f"its options are {', '.join(shown)}" if shown else "it has none"))
    return several(parameters, options)


def several(parameters: Mapping[str, inspect.Parameter], given: Options) -> dict[str, Any]:
    """The arguments, where one value for a parameter that is a vector is a vector, too."""
    return {key: ([value] if isinstance(value, str) else np.array([value]))
            if isinstance(value, (str, int, float)) and key in parameters and key != "probabilities"
            and str(parameters[key].annotation).startswith(_SEVERAL[isinstance(value, str):])
            else value for key, value in given.items()}


# -- what R gets beside the fields ---------------------------------------------------------------
@beside("BaggedClustering")
@beside("BayesianBaggedClustering")
@beside("MultipleMatchClustering")
def _bagged(fit: Any, given: Options) -> dict[str, Any]:
    import pandas as pd
    unknown = bool(np.isnan(fit.membership_).any())
    kept = {"failures": Encoded(strings([f"resample {f.replicate + 1}: {f.reason}"
                                         for f in fit.failures_])),
            "clustering": None if unknown else fit.clustering_,
            "centers": None if "estimator" in given else fit.cluster_centers_}
    if hasattr(fit, "mean_entropy_"):
        return kept | {"mean_entropy": fit.mean_entropy_}
    return kept | {"mean_entropy": float(np.nanmean(fit.entropy_)),
                   "cic": crossing(fit.cic_, public(fit.cic_)),
                   "history": pd.DataFrame(fit.history_)}


@beside("Chance")
def _chance(found: Any, given: Options) -> dict[str, Any]:
    drew = "indices" not in given and found.method in ("tables", "permutations")
    return {"labels": [row.label for row in found], "drew": drew}


@beside("ClusterChanges")
def _changes(found: Any, given: Options) -> dict[str, Any]:
    rows = found.to_frame()
    for side in ("x", "y"):
        rows[side] = [" + ".join(names_from_one(each)) for each in rows[side]]
    with counting_from(1):
        sentences = found.sentences()
    return {"sentences": Encoded(strings(sentences)), "rows": framed(rows, "-exact")}


@beside("Coassociation")
def _coassociation(found: Any, given: Options) -> dict[str, Any]:
    return {"drew": not found.exact}


@beside("Comparison")
def _comparison(found: Any, given: Options) -> dict[str, Any]:
    import pandas as pd
    left_out = {"measure": list(found.left_out), "why": list(found.left_out.values())}
    return {"rows": _rows(found), "left_out": pd.DataFrame(left_out, dtype=object),
            "alignment": found.alignment and {"header": found.alignment.header}}


def _rows(found: Any) -> Any:
    """The frame of a comparison, and what R has beside it."""
    table, rows = found.to_frame().reset_index(), found.rows
    wide = [isinstance(row.value, sc.Interval) for row in rows]
    table["value"] = table["value"].mask(wide)
    table["options"] = [", ".join(f"{k} = {_r_text(v)}" for k, v in row.options.items())
                        for row in rows]
    table.insert(table.columns.get_loc("options"), "interval", wide)
    if found.ci is not None:
        limits = [row.ci or _NO_LIMITS for row in rows]
        for name, values in {"se_high": [v.standard_error[1] for v in limits],
                             "se_low": [v.standard_error[0] for v in limits],
                             "reliable": [v.reliable for v in limits],
                             "estimate": [v.estimate[0] for v in limits]}.items():
            table.insert(table.columns.get_loc("ci_method") + 1, name, values)
    return framed(table)


def _r_text(value: Any) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)


@beside("ComparisonMatrix")
def _matrix(found: Any, given: Options) -> dict[str, Any]:
    bounds = sc.get_measure(found.measure).bounds
    best = None if callable(bounds) else bounds[1]
    return {"best": math.nan if best is None else best, "drew": "rng" in given}


@beside("CompletionBounds")
def _completions(found: Any, given: Options) -> dict[str, Any]:
    return {"completions": {end: list(found.completions(end)) for end in ("low", "high")}}


@beside("ElementCentric")
def _element_centric(found: Any, given: Options) -> dict[str, Any]:
    if isinstance(given["x"], sc.Dendrogram):
        return {"x": None, "y": None}
    return {side: found.by_cluster(side).to_numpy() for side in ("x", "y")}


@beside("ElementConsistency")
def _consistency(found: Any, given: Options) -> dict[str, Any]:
    return {"drew": found.n_sampled < found.n_pairs}


@beside("Explanation")
def _explanation(found: Any, given: Options) -> dict[str, Any]:
    if not found.has_cells:
        return {}
    names = [Encoded(strings(names_from_one(side))) for side in found.cluster_names]
    return {name: getattr(found, name) for name in ("split", "merge", "x_clusters", "y_clusters")
            } | {"x_names": names[0], "y_names": names[1], "changes": fields_of(found.changes, {}),
                 "cells": framed(found.to_frame("cells"), "x@ y@")}


@beside("Matching")
def _matching(found: Any, given: Options) -> dict[str, Any]:
    names = [range(count) if names is None else names for names, count in zip(
        (found.row_names, found.column_names), found.table.shape)]
    on_pairs = found.table[found.pairs[:, 0], found.pairs[:, 1]]
    # Ties between matchings and in the order of the pairs are broken at random.
    drew = bool(found.n_optimal != 1 or np.unique(on_pairs).size < on_pairs.size)
    kept = {"drew": drew, "x_clusters": names_from_one(names[0]),
            "y_clusters": names_from_one(names[1])}
    return kept | {"clustering": found.apply(given["y"])} if "y" in given else kept


@beside("SampledTruth")
def _sampled(found: Any, given: Options) -> dict[str, Any]:
    return {"totals": Encoded(numbers(list(found.totals.values()), list(found.totals)))}


@beside("TreeOrders")
def _untangled(found: Any, given: Options) -> dict[str, Any]:
    return {"drew": given.get("fixed") is None}


@beside("PosteriorPartition")
def _posterior(found: Any, given: Options) -> dict[str, Any]:
    clusters = found.clusters()
    clusters.index += 1
    return {"clusters": framed(clusters), "objects": framed(found.objects(), "label+ other+"),
            "matrix": found.matrix() if found.labels.size <= _PAIRS else None}


# -- several calls in one ------------------------------------------------------------------------
@command
def dendrogram_curve(x: Any, y: Any, measure: str, level: float) -> dict[str, Any]:
    """`softclust.dendrogram_curve` with limits."""
    found = sc.dendrogram_curve(x, y, measure=measure)
    return {"limit": found.limit(level), "level": level} | fields_of(found, {})


@command
def best_cut(tree: Any, y: Any, measure: str, n_permutations: int = 0, seed: Any = None
             ) -> dict[str, Any]:
    """`softclust.best_cut`, and its p-value if permutations are wanted."""
    cut = sc.best_cut(tree, y, measure=measure)
    chance = cut.chance(n_permutations, rng=seed) if n_permutations else None
    kept = fields_of(cut, {})
    kept["verbs"]["summary"]["notes"] = [
        "The best of very many cuts, so not a test; `n_permutations` gives a p-value."
        if chance is None else f"p = {chance.p_value:.2g} ({n_permutations} permutations of y)."]
    return kept | {"p_value": chance and chance.p_value, "null": chance and chance.null}


@command
def report(data: Options, ids: Any, label: str | None, n_clusters: Any, options: Options,
           file: str | None, seed: int) -> dict[str, Any]:
    """`softclust.report` of the columns of a data frame; the page is written to `file`."""
    import pandas as pd
    own = {"pictures": file is not None, **checked(sc.report, options, "sc_report()")}
    found = sc.report(pd.DataFrame(dict(data), index=ids), label=label,
                      n_clusters=n_clusters.tolist(), seed=seed, **own)
    if file is not None:
        found.to_html(file)
    title, *sentences = str(found).split("\n")
    table = found.to_frame()
    return {"n_clusters": found.n_clusters, "clusterings": table, "verbs": {
        "frame": table, "summary": {"title": spelled(title), "headers": ["finding"], "columns": [
            Encoded(strings(sentences))], "notes": None}}}
