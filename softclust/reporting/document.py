"""The numbers of a report as JSON data: version 1 of the schema.

Top level: format, version, softclust, complete, interrupted, date, command, settings, versions,
steps, then the keys of the sections (data, number_of_clusters, clusterings, label_agreement,
label_ranking, agreement, stability), objects, text. Keys are added while the version stays, never
changed or removed. Undefined and unreached numbers are null. Clusters are numbered from 1 in the
order of k-means, from the largest to the smallest. ``text`` is for people: its wording may change
at any time.
"""

from __future__ import annotations

import dataclasses
import math
from typing import TYPE_CHECKING, Any

import numpy as np

from .section import in_short, sections

if TYPE_CHECKING:
    from .record import Report

FORMAT, VERSION = "softclust-report", 1
#: objects up to which their labels are in the data
LISTED_OBJECTS = 100_000


def as_data(report: Report) -> dict[str, Any]:
    """The report as dicts and lists that JSON can hold."""
    found: dict[str, Any] = {
        "format": FORMAT, "version": VERSION, "softclust": report.versions["softclust"],
        "complete": report.complete, "interrupted": report.interrupted or None,
        "date": report.date, "command": report.command or None,
        "settings": _settings(report), "versions": dict(report.versions),
        "steps": [dataclasses.asdict(step) for step in report.steps]}
    text: dict[str, list[str]] = {"in_short": in_short(report)}
    for section in sections():
        found |= section.data(report)
        text |= section.text(report)
    return found | {"objects": _objects(report), "text": text}


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
