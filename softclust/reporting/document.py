"""The numbers of a report as JSON data: version 1 of the schema, all of it made here.

Top level: format, version, softclust, complete, interrupted, date, command, settings, versions,
steps, data, number_of_clusters, clusterings, label_agreement, agreement, stability, objects, text.
Keys are added while the version stays, never changed or removed. Undefined and unreached numbers
are null. Clusters are numbered from 1 in the order of k-means, from the largest to the smallest.
``text`` is for people: its wording may change at any time.
"""

from __future__ import annotations

import dataclasses
import math
from typing import TYPE_CHECKING, Any

import numpy as np

from . import sentences
from .short import in_short

if TYPE_CHECKING:
    from ..comparison.record import ComparedMeasure
    from .fits import Fit
    from .record import Report

FORMAT, VERSION = "softclust-report", 1
#: objects up to which their labels are in the data
LISTED_OBJECTS = 100_000


def as_data(report: Report) -> dict[str, Any]:
    """The report as dicts and lists that JSON can hold."""
    return {
        "format": FORMAT, "version": VERSION, "softclust": report.versions["softclust"],
        "complete": report.complete, "interrupted": report.interrupted or None,
        "date": report.date, "command": report.command or None,
        "settings": _settings(report), "versions": dict(report.versions),
        "steps": [dataclasses.asdict(step) for step in report.steps],
        "data": _data(report), "number_of_clusters": _number(report),
        "clusterings": [_clustering(fit) for fit in report.fits],
        "label_agreement": _label(report), "label_ranking": _ranking(report),
        "agreement": _agreement(report),
        "stability": _stability(report), "objects": _objects(report), "text": _text(report),
    }


def number(value: Any) -> float | None:
    """A finite number, else None: JSON has neither nan nor infinity."""
    return float(value) if math.isfinite(value) else None


def numbers(values: Any) -> list[Any]:
    """Nested lists of `number`."""
    return [numbers(v) if np.ndim(v) else number(v) for v in np.asarray(values)]


def _settings(report: Report) -> dict[str, Any]:
    plan = dataclasses.asdict(report.plan)
    for name in ("candidates", "algorithms", "criteria"):
        plan[name] = list(plan[name])
    return plan | {"scale": report.objects.scale}


def _data(report: Report) -> dict[str, Any]:
    o = report.objects
    label = None
    if o.label is not None:
        names = [str(v) for v in o.label.cluster_names or range(o.label.n_clusters)]
        sizes = np.bincount(o.label.labels, minlength=len(names))
        label = {"column": o.label_name,
                 "groups": [{"name": a, "size": int(b)} for a, b in zip(names, sizes)],
                 "n_without": o.n_objects - o.label.n_objects}
        if (done := o.label_alignment) is not None:
            label |= {"noise": done.noise[1], "n_noise": done.n_noise[1],
                      "missing": done.missing[1], "n_missing": done.n_missing[1]}
    return {
        "source": o.source, "n_objects": o.n_objects, "n_features": len(o.columns),
        "features": [{"name": name, "mean": number(mean), "standard_deviation": number(sd),
                      "min": number(low), "max": number(high)} for name, mean, sd, low, high
                     in zip(o.columns, o.mean, o.deviation, o.least, o.most)],
        "id_column": o.id_column, "id_guessed": o.id_guessed, "label": label,
        "columns_left_out": list(o.left_out), "rows_left_out": o.rows_left_out,
    }


def _number(report: Report) -> dict[str, Any]:
    criteria = {name: {
        "best": c.best, "rule": c.rule,
        "n_clusters": [int(k) for k in c.n_clusters], "value": numbers(c.criterion[:, 0]),
        "standard_error": numbers(c.standard_error[:, 0]), "failures": list(c.failures),
    } for name, c in report.criteria.items()}
    return {"chosen": report.n_clusters, "given": len(report.plan.candidates) == 1,
            "criteria": criteria,
            "label_adjusted_rand_index": {str(k): number(v)
                                          for k, v in report.label_curve.items()},
            "at_number_of_classes": _at_classes(report)}


def _at_classes(report: Report) -> dict[str, Any] | None:
    found = report.at_classes
    if found is None:
        return None
    return {"n_clusters": found.n_clusters, "n_moved": found.n_moved,
            "adjusted_rand_index": number(found.adjusted_rand_index),
            "counts": found.counts.tolist()}


def _clustering(fit: Fit) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "key": fit.key, "title": fit.title, "kind": None, "n_clusters": None, "sizes": None,
        "settings": fit.settings, "warnings": list(fit.notes), "failure": fit.failure or None,
        "fuzziness": None, "nonspecificity": None}
    if fit.clustering is None or fit.labels is None:
        return entry
    from ..measures.uncertainty import fuzziness, nonspecificity
    k = fit.clustering.n_clusters
    entry |= {"kind": fit.clustering.kind, "n_clusters": k,
              "sizes": [int(s) for s in np.bincount(fit.labels.labels, minlength=k)],
              "nonspecificity": number(nonspecificity(fit.clustering))}
    if fit.clustering.kind in ("hard", "fuzzy"):
        entry["fuzziness"] = number(fuzziness(fit.clustering))
    return entry


def _row(row: ComparedMeasure) -> dict[str, Any]:
    low, high = number(row.ci_low), number(row.ci_high)
    return {"measure": row.name, "options": dict(row.options), "sense": row.sense,
            "low": number(row.low), "high": number(row.high), "limits": [low, high],
            "chance": number(row.chance), "range": [number(v) for v in row.range],
            "note": row.note or None}


def _label(report: Report) -> list[dict[str, Any]]:
    return [{"key": key, "limits_level": against.labels.level,
             "limits_method": against.labels.ci,
             "hardened": [_row(row) for row in against.labels],
             "as_it_is": [_row(row) for row in against.soft]}
            for key, against in report.against.items()]


def _ranking(report: Report) -> dict[str, Any] | None:
    ranking = report.ranking
    if ranking is None:
        return None
    return {"measure": ranking.measure, "level": ranking.level, "n_objects": ranking.n_objects,
            "names": list(ranking.names), "gain": numbers(ranking.gain),
            "low": numbers(ranking.low), "high": numbers(ranking.high),
            "possibly_best": [ranking.names[i] for i in ranking.possibly_best]}


def _agreement(report: Report) -> dict[str, Any] | None:
    matrix, circles = report.matrix, report.circles
    if matrix is None:
        return None
    return {
        "measure": matrix.measure, "sense": matrix.sense, "n_objects": matrix.n_objects,
        "names": list(matrix.names), "low": numbers(matrix.lower), "high": numbers(matrix.upper),
        "circles": None if circles is None else {
            "centers": numbers(circles.centers), "radii": numbers(circles.radii),
            "normalized_stress": number(circles.normalized_stress)},
    }


def _stability(report: Report) -> dict[str, Any] | None:
    s = report.stability
    if s is None:
        return None
    return {"n_replicates": s.n_replicates, "mean_share": number(s.share.mean()),
            "mean_entropy_bits": number(s.entropy.mean()),
            "n_below_0.95": int((s.share < 0.95).sum()),
            "share_by_cluster": numbers(s.by_cluster),
            "most_exchanged": [k + 1 for k in s.pair] if s.pair[0] >= 0 else None}


def _objects(report: Report) -> dict[str, Any] | None:
    """Labels by algorithm and stability, one entry an object; None for very many objects."""
    o = report.objects
    if o.n_objects > LISTED_OBJECTS:
        return None
    labels = {fit.key: [int(k) + 1 for k in fit.labels.labels] for fit in report.done_fits
              if fit.labels is not None}
    return {"names": None if o.names is None else list(o.names), "clusters": labels,
            "stable_share": None if report.stability is None
            else [round(v, 6) for v in report.stability.share.tolist()]}


def _text(report: Report) -> dict[str, list[str]]:
    return {"in_short": in_short(report), "number_of_clusters": sentences.number(report),
            "clusterings": [sentences.clustering(fit) for fit in report.fits],
            "profiles": sentences.profiles(report), "label": sentences.label(report),
            "agreement": sentences.agreement(report), "stability": sentences.stability(report)}
