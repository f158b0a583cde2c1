"""Numbers and lists as the sentences of a report write them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ..results.text import both, capital, many, part, percent, small, value, whole

if TYPE_CHECKING:
    from .record import Report

__all__ = ("both", "capital", "many", "part", "percent", "small", "value", "whole")

#: mean silhouette widths above which Kaufman and Rousseeuw speak of a structure, and of a weak one
REASONABLE, WEAK = 0.50, 0.25


def limits(low: float, high: float) -> str:
    """Confidence limits in as many digits as they deserve; empty when there are none."""
    if math.isnan(low) or math.isnan(high):
        return ""
    half = (high - low) / 2
    return f"{value(low, half)} to {value(high, half)}"


def interval(low: float, high: float) -> str:
    """An interval, or a number when both ends read the same."""
    ends = value(low), value(high)
    return ends[0] if ends[0] == ends[1] else f"{ends[0]} to {ends[1]}"


def general(v: float) -> str:
    """A measurement in the units of the user: three significant digits."""
    if v == 0.0 or 1e-3 <= abs(v) < 1e4:
        if v == 0.0:
            return "0"
        return f"{v:.{min(max(0, 2 - math.floor(math.log10(abs(v)))), 5)}f}"
    if 1e4 <= abs(v) < 1e7:
        return f"{float(f'{v:.4g}'):,.0f}"
    return f"{v:.3g}"


def short(name: str, length: int = 24) -> str:
    """A name for a picture: cut where it is long."""
    return name if len(name) <= length else name[:length - 1] + "\u2026"


def option(dashes: bool, name: str, value: object) -> str:
    """An option as the user would write it: --clusters 3, or n_clusters=3 in Python."""
    if not dashes:
        return f"{name}={value!r}"
    return f"--{name.removeprefix('n_').replace('_', '-')} {value}"


def fields(record: Any, *names: str) -> dict[str, Any]:
    """Some attributes of a record, by name."""
    return {name: getattr(record, name) for name in names}


def quoted(names: Iterable[object]) -> str:
    """Names in quotation marks: “a”, “b” and “c”."""
    return both(f"“{name}”" for name in names)


# -- how much speaks for clusters at all: every sentence that weighs it asks here -----------------
#: features from which on silhouettes are small even for clear groups
MANY_FEATURES = 20
#: adjusted Rand index with a label from which on features may leave doubt about clusters
PARTLY = 0.3


def many_features(report: Report) -> bool:
    """Return True if silhouettes are uninformative because there are many features."""
    return len(report.objects.columns) >= MANY_FEATURES


def width(report: Report) -> float:
    """The largest silhouette; nan when it was not computed."""
    chosen = report.criteria.get("silhouette")
    if chosen is None or not chosen.best:
        return math.nan
    return float(chosen.criterion[[*chosen.n_clusters].index(chosen.best), 0])


def unstructured(report: Report) -> bool:
    """Return True if the largest silhouette shows no substantial structure, as it is written."""
    return round(width(report), 2) <= WEAK


def possible(report: Report) -> list[int]:
    """Numbers of clusters that may be best."""
    found = report.choice
    return [] if found is None else [int(found.parameters[i]["n_clusters"])
                                     for i in found.possibly_best]


def doubts(report: Report) -> list[str]:
    """Reasons against clusters of any number; a small silhouette counts if features are few.

    Nothing does where data of one cluster are less separated than these.
    """
    reasons, test, found = [], report.evidence, report.choice
    if test is not None and test.best > 1:
        return []
    if test is None and found is not None and found.p_value is not None:
        if found.best is not None:
            return []
        reasons.append("no number of clusters is more separated than data of one cluster (p = "
                       f"{found.p_value:.2f})")
    if test is not None:
        reasons.append("they are not more separated than data of one cluster, divided in the same "
                       f"way (p = {test.steps[0].p_value:.2f})")
    if unstructured(report) and not many_features(report):
        reasons.append(f"silhouettes ({value(width(report))} at most) show no substantial "
                       "structure")
    return reasons


def at_classes(report: Report) -> dict[str, Any]:
    """Agreement of the label and k-means with as many clusters as groups; empty if unknown."""
    from ..tables.pair_counting import adjusted_rand_index
    from ..tables.set_matching import transfer_distance
    same = report.at_classes
    return {} if same is None else {"adjusted_rand_index": float(adjusted_rand_index(same)),
                                    "n_moved": round(float(transfer_distance(same)))}


def best_ari(report: Report) -> float:
    """The largest adjusted Rand index with the label, also with as many clusters as groups."""
    values = [a.labels.rows[0].low for a in report.against.values()]
    values += [at_classes(report).get("adjusted_rand_index", math.nan)]
    return max((v for v in values if not math.isnan(v)), default=-math.inf)


def doubtful(report: Report) -> bool:
    """Return True if there may be no clusters: doubts not outweighed by known groups."""
    return bool(doubts(report)) and best_ari(report) < PARTLY


def clear(report: Report) -> bool:
    """Return True if no other number may be best and the silhouette is reasonable."""
    test, found = report.evidence, report.choice
    return (test is not None and test.best > 1 and found is not None and found.best is not None
            and possible(report) == [report.n_clusters] and round(width(report), 2) > REASONABLE)
