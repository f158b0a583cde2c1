"""`compare(missing="bounds")`: ranges of measures over all ways to fill in missing labels."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from .._checks import InexactWarning, UndefinedMeasureWarning, shown
from .._warnings import quiet
from ..clusterings.alignment import align
from ..completion import CompletionBounds, completion_bounds
from ..completion.values import MEASURES
from ..measures import Measure, get_measure, registry
from .record import ComparedMeasure, Comparison


def compare_completions(x: Any, y: Any, measures: str | Iterable[str] | None,
                        names: tuple[str, str], noise: Any, noise_label: Any, objects: str
                        ) -> Comparison:
    """A `Comparison` whose values are ranges.

    Noise is a cluster (or an error): other policies are for `align`, before this.
    """
    if noise not in ("cluster", "raise"):
        raise ValueError(f'missing="bounds" goes with noise="cluster", not {shown(noise)}; '
                         "completion_bounds(x, y, noise_label=...) fills noise in as well")
    chosen, left_out = _choose(measures)
    absent: list[str] = []
    if objects != "same" or noise == "raise":
        x, y, absent = _matched(x, y, names, noise, noise_label, objects)
    rows, first = [], None
    with quiet(InexactWarning, UndefinedMeasureWarning):
        for m in chosen:
            found = completion_bounds(x, y, measure=m.name, rng=0)
            first = first or found
            rows.append(_row(m, found))
    assert first is not None
    shape = first.labels.problem().shape
    notes = absent + [f"{row.name}: {row.note}" for row in rows if row.note.startswith("bound")]
    if left_out:
        notes.append("left out, for their range is not known: " + ", ".join(left_out))
    missing = first.n_missing
    notes.append(f"missing labels: {missing[0]} of {names[0]} alone, {missing[1]} of {names[1]} "
                 f"alone, {missing[2]} of both, filled in by clusters that occur")
    return Comparison(rows=tuple(rows), names=names, kinds=("hard", "hard"),
                      n_objects=first.n_objects, n_clusters=shape, notes=tuple(notes),
                      completed=True)


def _choose(measures: str | Iterable[str] | None) -> tuple[list[Measure], list[str]]:
    if measures is not None:
        wanted = [measures] if isinstance(measures, str) else list(measures)
        if not wanted:
            raise ValueError("measures is empty; name at least one, or leave it out for all")
        return [get_measure(name) for name in wanted], []
    known = [m for m in registry().values()
             if m.in_compare and m.arity == 2 and m.takes("hard", "hard")]
    return ([m for m in known if m.name in MEASURES],
            [m.name for m in known if m.name not in MEASURES])


def _row(m: Measure, found: CompletionBounds) -> ComparedMeasure:
    note = "range over completions" if found.exact else (
        "bound on the range over completions, which holds "
        f"[{found.low:.4f}, {found.high:.4f}]")
    if math.isnan(found.low):
        note = "undefined for every completion"
    # A range that depends on the clusterings is not known before they are complete.
    low, high = (None, None) if callable(m.bounds) else m.bounds
    return ComparedMeasure(name=m.name, value=found.interval, sense=m.sense,
                           range=(-math.inf if low is None else low,
                                  math.inf if high is None else high),
                           chance=math.nan, source=m.source, note=note)


def _matched(x: Any, y: Any, names: tuple[str, str], noise: Any, noise_label: Any, objects: str
             ) -> tuple[Any, Any, list[str]]:
    """Labels of the objects matched, with gaps as None, and what is to be said of others."""
    found = align(x, y, noise=noise, noise_label=noise_label, missing="cluster", objects=objects,
                  names=names)
    sides = []
    for clustering in found:
        sides.append([None if name == "missing" else name for name in (
            clustering.cluster_names[k] for k in clustering.labels)])   # type: ignore[attr-defined]
    # Each side lacks what the other has more.
    left_out = [f"{count} of {n} objects of {name} are left out: they are not in {other}"
                for count, n, name, other in zip(found.n_absent[::-1], found.n_given, names,
                                                 names[::-1]) if count and objects == "common"]
    return sides[0], sides[1], left_out
