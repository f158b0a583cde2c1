"""How much speaks for clusters at all: every sentence that weighs it asks here."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from . import words as w

if TYPE_CHECKING:
    from .record import Report

#: features from which on silhouettes are small even for clear groups
MANY_FEATURES = 20
#: adjusted Rand indices: moderate agreement (Steinley), and some that is no accident
MATCHED, PARTLY = 0.65, 0.3


def many_features(report: Report) -> bool:
    """Whether silhouettes say little because there are many features."""
    return len(report.objects.columns) >= MANY_FEATURES


def at_best(report: Report, name: str) -> tuple[int, float, float]:
    """The choice of a criterion, its value there and the standard error."""
    chosen = report.criteria[name]
    assert chosen.best is not None   # unfinished criteria are not asked
    at = list(chosen.n_clusters).index(chosen.best)
    return chosen.best, float(chosen.criterion[at, 0]), float(chosen.standard_error[at, 0])


def width(report: Report) -> float:
    """The largest silhouette; nan when it was not computed."""
    chosen = report.criteria.get("silhouette")
    return at_best(report, "silhouette")[1] if chosen is not None and chosen.best else math.nan


def doubts(report: Report) -> list[str]:
    """What speaks against clusters of any number; a small silhouette does where features are few.
    """
    said = []
    gap = report.criteria.get("gap")
    if w.silhouette(width(report)).startswith("no") and not many_features(report):
        said.append(f"the largest silhouette, {w.value(width(report))}, means no substantial "
                    "structure")
    if gap is not None and gap.best == 1:
        said.append("the gap statistic prefers a single cluster")
    return said


def best_ari(report: Report) -> float:
    """The largest adjusted Rand index with the label, also with as many clusters as groups."""
    values = [a.labels.rows[0].low for a in report.against.values()]
    if report.at_classes is not None:
        values.append(report.at_classes.adjusted_rand_index)
    return max((v for v in values if not math.isnan(v)), default=-math.inf)


def doubtful(report: Report) -> bool:
    """Whether there may be no clusters: doubts that no known groups outweigh."""
    return bool(doubts(report)) and best_ari(report) < PARTLY


def clear(report: Report) -> bool:
    """Whether all criteria prefer the same number and the silhouette is reasonable."""
    bests = {c.best for c in report.criteria.values()}
    return bests == {report.n_clusters} and round(width(report), 2) > w.REASONABLE
