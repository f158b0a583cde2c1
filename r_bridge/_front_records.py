"""Results that cross to R by their fields, with the text and the frame that Python makes of them.

A new function needs one line in `FUNCTIONS` and, in R, a signature with one call. What is a
position is declared in the field of the record (`metadata=POSITION`) and counted from 1 in R.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np

import softclust as sc

from ._front import Encoded, command, strings, verbs
from ._front_fitting import checked, list_of

#: Python's function by the name of the R function without its prefix
FUNCTIONS = {"cluster_test": sc.cluster_test, "compare_versions": sc.compare_versions,
             "interval_mds": sc.interval_mds, "replicate": sc.replicate,
             "tie_range": sc.tie_range}

KINDS = (sc.HardClustering, sc.RoughClustering, sc.FuzzyClustering, sc.PossibilisticClustering,
         sc.EvidentialClustering, sc.CoverClustering)


@command
def record_of(name: str, arguments: Mapping[str, Any], options: Mapping[str, Any],
              kmeans: Mapping[str, Any] | None = None, seed: Any = None) -> dict[str, Any]:
    """Call a function and return its record: fields, summary, frame, tables for broom."""
    function = FUNCTIONS[name]
    given = checked(function, dict(options), f"sc_{name}()", more=("n_resamples",))
    if kmeans is not None:
        from sklearn.cluster import KMeans
        given["estimator"] = KMeans(**{k: int(v) for k, v in kmeans.items()})
    if seed is not None:
        given["rng"] = seed
    found = counted_from_one(function(**arguments, **given))
    table = found.to_frame()
    table = table.reset_index() if table.index.name else table
    for column in table.columns:   # -1 is no position
        if column in ("first", "second"):
            table[column] = table[column].where(table[column] > 0)
    fields = {name: value for name, value in plain(found).items() if name != "clusters"}
    kept = verbs(found)
    kept["verbs"]["frame"] = table
    return fields | kept


def counted_from_one(value: Any) -> Any:
    """Return the record with positions counted from 1; -1, which is none, becomes nan."""
    if isinstance(value, tuple):
        return tuple(map(counted_from_one, value))
    if not dataclasses.is_dataclass(value) or isinstance(value, type):
        return value
    changed = {}
    for field in dataclasses.fields(value):
        old = getattr(value, field.name)
        new = counted_from_one(old)
        key = field.metadata.get("position")
        if isinstance(key, str):   # rows, of which one entry is a position
            new = tuple({**row, key: row[key] + 1} for row in old)
        elif key and old is not None:
            new = ({k: np.asarray(v) + 1 for k, v in old.items()} if isinstance(old, Mapping)
                   else np.asarray(old) + 1)
        if new is not old:
            changed[field.name] = new
    return dataclasses.replace(value, **changed) if changed else value


def plain(value: Any) -> dict[str, Any]:
    """The public fields of a record, records inside as lists of theirs."""
    def of(v: Any) -> Any:
        if isinstance(v, KINDS):
            return v
        if dataclasses.is_dataclass(v) and not isinstance(v, type):
            return plain(v)
        if isinstance(v, (tuple, list)):
            return [of(each) for each in v]
        if isinstance(v, Mapping):
            return {str(k) if isinstance(k, str) else "->".join(map(str, k)): of(each)
                    for k, each in v.items()}
        return v
    return {f.name: of(getattr(value, f.name)) for f in dataclasses.fields(value)
            if not f.name.startswith("_")}


@command
def thin(data: np.ndarray, family: str, options: Mapping[str, Any], seed: Any) -> dict[str, Any]:
    """`softclust.thin`."""
    first, second = sc.thin(data, family, rng=seed, **checked(sc.thin, dict(options), "sc_thin()"))
    return {"first": first, "second": second}


@command
def report(data: Mapping[str, Any], label: str | None, clusters: Any, options: Mapping[str, Any],
           file: str | None, seed: int) -> dict[str, Any]:
    """`softclust.report` of the columns of a data frame; the page is written to `file`."""
    import pandas as pd
    given = checked(sc.report, dict(options), "sc_report()")
    found = sc.report(pd.DataFrame(dict(data)), label=label, seed=seed,
                      clusters=[int(k) for k in list_of(clusters)],
                      **{"pictures": file is not None, **given})
    if file is not None:
        found.to_html(file)
    title, *sentences = str(found).split("\n")
    table = found.to_frame()
    return {"n_clusters": found.n_clusters, "clusterings": table, "verbs": {
        "frame": table, "summary": {
            "title": title, "headers": ["finding"], "columns": [Encoded(strings(sentences))],
            "notes": None}}}
