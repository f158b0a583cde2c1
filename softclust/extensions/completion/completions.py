"""`compare(missing="bounds")`: ranges of measures over all ways to fill in missing labels."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..._checks import ClusteringError, InexactWarning, UndefinedMeasureWarning, shown
from ...clusterings import Aligned, Ensemble
from ...clusterings.alignment import Policies, with_gaps
from ...clusterings.ensemble import parts_of
from ...comparison.comparison_record import ComparedMeasure, Comparison
from ...measures import Measure, get_measure, registry
from ...measures.joint import as_source
from ...running.random_numbers import as_generator
from ...running.threads import Progress, progress_bar
from ...running.warnings import quiet
from .bounds import completion_bounds, has_method
from .bounds_record import CompletionBounds


def compare_completions(x: Any, y: Any, measures: Any,
                        names: tuple[str, str], policies: Policies) -> Comparison:
    """Make a `Comparison` whose values are ranges."""
    chosen, left_out = _choose(measures)
    sides, aligned = _read((x, y), names, policies)
    notes: list[str] = []
    if aligned.objects == "common":
        # Each side lacks the additional objects of the other.
        notes = [f"{count} of {n} objects of {name} are left out: they are not in {other}"
                 for count, n, name, other in zip(aligned.n_absent[::-1], aligned.n_given,
                                                  names, names[::-1]) if count]
    rows = []
    with quiet(InexactWarning, UndefinedMeasureWarning):
        for m in chosen:
            bounds = completion_bounds(*sides, measure=m.name, rng=0)
            low, high = _range(m, bounds)
            note = _note(bounds)
            rows.append(ComparedMeasure(
                name=m.name, value=bounds.interval, sense=m.sense, chance=math.nan, note=note,
                range=(-math.inf if low is None else low, math.inf if high is None else high),
                source=m.source))
            if not bounds.exact and not math.isnan(bounds.low):
                notes.append(f"{m.name}: {note}")
    if left_out:
        notes.append("left out, as their range is not known: " + ", ".join(left_out))
    missing = bounds.n_missing
    notes.append(f"missing labels: {missing[0]} in {names[0]} only, {missing[1]} in {names[1]} "
                 f"only, {missing[2]} in both, filled in by existing clusters")
    return Comparison(rows=tuple(rows), names=names, kinds=("hard", "hard"),
                      n_objects=bounds.n_objects, n_clusters=bounds.labels.problem().shape,
                      notes=tuple(notes), completed=True, alignment=_shown_alignment(aligned))


class Completions:
    """Clusterings with missing labels; each pair has a range over all ways to fill them in."""

    def __init__(self, clusterings: Any, names: Iterable[str] | None, drop: str,
                 policies: Policies) -> None:
        if isinstance(clusterings, Ensemble) and not clusterings.is_complete:
            raise ClusteringError('missing="bounds" fills in missing labels, and the absent objects'
                                  " of an Ensemble are left out of each pair: leave missing "
                                  "out, or give a list of runs with None where a label is missing")
        self.sides, labels = parts_of(clusterings, names)
        self.names = tuple(map(str, labels))
        self.kinds = ("hard",) * len(labels)
        self.policies, self.alignment = policies, None
        self.n_objects: int | np.ndarray = np.zeros((len(labels), len(labels)), np.int64)
        self.notes = ["[a, b]: least and greatest value over all ways to fill in missing labels by "
                      "existing clusters; on the diagonal both sides are filled in independently"]
        if drop == "listwise":
            self.sides, aligned = _read(self.sides, self.names, policies)
            self.n_objects, self.alignment = aligned.n_objects, _shown_alignment(aligned)
            self.policies = Policies()

    def entries(self, m: Measure, pairs: list[tuple[int, int]], rng: Any,
                progress: Progress | bool | None
                ) -> Iterator[tuple[float, float, float, list[str]]]:
        """Both ends of each pair; nan, for an interval; and the notes."""
        streams: list[Any] = [0] * len(pairs)
        if rng is not None:
            streams = as_generator(rng).spawn(len(pairs))
        with progress_bar(progress, m.name) as show:
            for done, ((i, j), stream) in enumerate(zip(pairs, streams), 1):
                sides, _ = _read((self.sides[i], self.sides[j]), (self.names[i], self.names[j]),
                                 self.policies.of_pair(i, j))
                with quiet(InexactWarning, UndefinedMeasureWarning):
                    bounds = completion_bounds(*sides, measure=m.name, rng=stream)
                if isinstance(self.n_objects, np.ndarray):
                    self.n_objects[i, j] = self.n_objects[j, i] = bounds.n_objects
                yield (bounds.interval.low, bounds.interval.high, math.nan,
                       [] if bounds.exact else [_note(bounds)])
                if show is not None:
                    show(done, len(pairs))


def _read(sides: Sequence[Any], names: Sequence[str], policies: Policies
          ) -> tuple[list[np.ndarray], Aligned]:
    """Labels of the objects kept, nan where missing, and what was done to the others."""
    rules = policies.noise
    for rule in rules if isinstance(rules, tuple) else (rules,):
        if rule in ("unknown", "empty"):
            raise ValueError(f'missing="bounds" works with noise="cluster", "singletons", "drop" '
                             f'and "raise", not {shown(rule)}; completion_bounds(x, y, '
                             "noise_label=...) fills in noise as well")
    aligned, gaps = with_gaps(sides, names, policies)
    labels = [x.as_hard(name).labels for name, x in zip(names, aligned)]
    return [np.where(gap, np.nan, codes) for gap, codes in zip(gaps, labels)], aligned


def _shown_alignment(aligned: Aligned) -> Aligned | None:
    """Actions taken, except for missing labels, which are reported with ranges."""
    gone = aligned.n_dropped or any(aligned.n_absent)
    changed = any(n and rule != "cluster" for n, rule in zip(aligned.n_noise, aligned.noise))
    return replace(aligned, missing=("bounds",) * len(aligned)) if gone or changed else None


def _choose(measures: Any) -> tuple[list[Measure], list[str]]:
    if measures is not None:
        wanted = [measures] if isinstance(measures, str) or callable(measures) else [*measures]
        if not wanted:
            raise ValueError("measures is empty; name at least one, or leave it out for all")
        return [get_measure(name) for name in wanted], []
    known = [m for m in registry().values()
             if m.in_compare and m.arity == 2 and m.takes("hard", "hard")]
    return ([m for m in known if has_method(m)],
            [m.name for m in known if not has_method(m)])


def _range(m: Measure, bounds: CompletionBounds) -> tuple[float | None, float | None]:
    """The range of the measure; if it depends on the clusterings, the wider of the two completions.
    """
    if not callable(m.bounds):
        return m.bounds
    lows, highs = zip(*(m.range(as_source(*bounds.completions(end))) for end in ("low", "high")))
    return (None if None in lows else min(lows), None if None in highs else max(highs))


def _note(bounds: CompletionBounds) -> str:
    if math.isnan(bounds.low):
        return "undefined for every completion"
    return "range over completions" if bounds.exact else (
        "bound on the range over completions, which contains "
        f"[{bounds.low:.4f}, {bounds.high:.4f}]")
