"""Numbers and lists as the sentences of a report write them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ..results.text import both as both

if TYPE_CHECKING:
    from .record import Report

#: mean silhouette widths above which Kaufman and Rousseeuw speak of a structure, and of a weak one
REASONABLE, WEAK = 0.50, 0.25
_SMALL = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def value(v: float, half_width: float = math.nan) -> str:
    """Two decimals; three where limits are narrow, or two would say 1 or 0 and it is not."""
    if math.isnan(v):
        return "undefined"
    fine = half_width < 0.005 or 0.995 <= abs(v) < 1.0 or 0.0 < abs(v) < 0.01
    if 0.9995 <= abs(v) < 1.0:
        return "nearly 1" if v > 0 else "nearly -1"
    if 0.0 < abs(v) < 0.0005:
        return "nearly 0"
    text = f"{v:.{3 if fine else 2}f}"
    return text if float(text) else text.lstrip("-")


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


def error(v: float) -> str:
    """An error in one significant digit."""
    return "undefined" if math.isnan(v) else f"{v:.1g}"


def whole(count: int) -> str:
    """1,234."""
    return f"{count:,}"


def small(count: int) -> str:
    """two; 11."""
    return _SMALL[count] if 0 <= count < len(_SMALL) else whole(count)


def many(count: int, what: str) -> str:
    """1 object; 150 objects."""
    return f"{whole(count)} {what}{'' if count == 1 else 's'}"


def percent(share: float) -> str:
    """8 %; 0.4 %; below 0.1 %."""
    p = 100.0 * share
    if p == 0.0 or p == 100.0:
        return f"{p:.0f} %"
    if p < 0.1:
        return "below 0.1 %"
    if p > 99.9:
        return "more than 99.9 %"
    return f"{p:.1f} %" if p < 1.0 or p > 99.0 else f"{p:.0f} %"


def part(count: int, of: int, what: str = "object") -> str:
    """12 of 150 objects (8 %); none of 150 objects; all 150 objects."""
    if count in (0, of):
        return f"{'none of' if count == 0 else 'all'} {many(of, what)}"
    return f"{whole(count)} of {many(of, what)} ({percent(count / of)})"


def short(name: str, length: int = 24) -> str:
    """A name for a picture: cut where it is long."""
    return name if len(name) <= length else name[:length - 1] + "\u2026"


def option(dashes: bool, name: str, value: object) -> str:
    """An option as the user would write it: --clusters 3, or n_clusters=3 in Python."""
    if not dashes:
        return f"{name}={value!r}"
    return f"--{name.removeprefix('n_').replace('_', '-')} {value}"


def capital(text: str) -> str:
    """The text with a large first letter."""
    # k-means begins with a small letter everywhere.
    return text if text.startswith("k-") else text[:1].upper() + text[1:]


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


def at_best(report: Report, name: str) -> tuple[int, float, float]:
    """The choice of a criterion, its value there and the Monte Carlo error."""
    chosen = report.criteria[name]
    assert chosen.best is not None   # unfinished criteria are not asked
    at = list(chosen.n_clusters).index(chosen.best)
    return chosen.best, float(chosen.criterion[at, 0]), float(chosen.mc_error[at, 0])


def width(report: Report) -> float:
    """The largest silhouette; nan when it was not computed."""
    chosen = report.criteria.get("silhouette")
    return at_best(report, "silhouette")[1] if chosen is not None and chosen.best else math.nan


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


def best_ari(report: Report) -> float:
    """The largest adjusted Rand index with the label, also with as many clusters as groups."""
    values = [a.labels.rows[0].low for a in report.against.values()]
    if report.at_classes is not None:
        values.append(report.at_classes.adjusted_rand_index)
    return max((v for v in values if not math.isnan(v)), default=-math.inf)


def doubtful(report: Report) -> bool:
    """Return True if there may be no clusters: doubts not outweighed by known groups."""
    return bool(doubts(report)) and best_ari(report) < PARTLY


def clear(report: Report) -> bool:
    """Return True if no other number may be best and the silhouette is reasonable."""
    test, found = report.evidence, report.choice
    return (test is not None and test.best > 1 and found is not None and found.best is not None
            and possible(report) == [report.n_clusters] and round(width(report), 2) > REASONABLE)
