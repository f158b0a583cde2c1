"""`compare(missing="bounds")`: ranges of measures over all ways to fill in missing labels."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from .._checks import ClusteringError, InexactWarning, UndefinedMeasureWarning, shown
from .._parallel import Progress, progress_bar
from .._random import as_generator
from .._warnings import quiet
from ..clusterings import Aligned, Ensemble
from ..clusterings.alignment import Policies, with_gaps
from ..clusterings.ensemble import parts_of
from ..measures import Measure, get_measure, registry
from ..measures.joint import as_source
from ..tables.completion import CompletionBounds, completion_bounds
from ..tables.completion.bounds import has_method
from .record import ComparedMeasure, Comparison

#: policies for noise that leave hard clusterings
_NOISE = ("cluster", "singletons", "drop", "raise")


def compare_completions(x: Any, y: Any, measures: Any,
                        names: tuple[str, str], policies: Policies) -> Comparison:
    """A `Comparison` whose values are ranges."""
    chosen, left_out = _choose(measures)
    sides, found = _open((x, y), names, policies)
    rows, first, bracketed = [], None, set[str]()
    with quiet(InexactWarning, UndefinedMeasureWarning):
        for m in chosen:
            ends = completion_bounds(*sides, measure=m.name, rng=0)
            first = first or ends
            rows.append(_row(m, ends))
            if not ends.exact and not math.isnan(ends.low):
                bracketed.add(m.name)
    assert first is not None
    notes = _absent(found)
    notes += [f"{row.name}: {row.note}" for row in rows if row.name in bracketed]
    if left_out:
        notes.append("left out, for their range is not known: " + ", ".join(left_out))
    missing = first.n_missing
    notes.append(f"missing labels: {missing[0]} of {names[0]} alone, {missing[1]} of {names[1]} "
                 f"alone, {missing[2]} of both, filled in by clusters that occur")
    return Comparison(rows=tuple(rows), names=names, kinds=("hard", "hard"),
                      n_objects=first.n_objects, n_clusters=first.labels.problem().shape,
                      notes=tuple(notes), completed=True, alignment=_told(found))


class Completions:
    """Clusterings with gaps of which each pair gets the range of a measure over completions."""

    def __init__(self, clusterings: Any, names: Iterable[str] | None, drop: str,
                 policies: Policies) -> None:
        if isinstance(clusterings, Ensemble) and not clusterings.is_complete:
            raise ClusteringError('missing="bounds" fills in missing labels, and the absent objects'
                                  " of an Ensemble are left out of each pair: leave missing "
                                  "out, or give a list of runs with None where a label is missing")
        self.sides, labels = parts_of(clusterings, names)
        self.names = tuple(map(str, labels))
        self.policies = policies
        self.alignment: Aligned | None = None
        self.n_objects: int | None = None
        if drop == "listwise":
            self.sides, found = _open(self.sides, self.names, policies)
            self.n_objects, self.alignment = found.n_objects, _told(found)
            self.policies = Policies()

    def ranges(self, m: Measure, symmetric: bool, rng: Any, progress: Progress | bool | None
               ) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[str]]:
        """Both ends and the number of objects of each pair, (n, n), and what is to be said."""
        n = len(self.names)
        lower, upper = np.zeros((n, n)), np.zeros((n, n))
        counts, notes = np.zeros((n, n), dtype=np.int64), []
        pairs = [(i, j) for i in range(n) for j in range(i if symmetric else 0, n)]
        streams = [0] * len(pairs) if rng is None else as_generator(rng).spawn(len(pairs))
        with progress_bar(progress, m.name) as show:
            for done, ((i, j), stream) in enumerate(zip(pairs, streams), 1):
                found = self._range_of(m, i, j, stream)
                for at in {(i, j), (j, i)} if symmetric else {(i, j)}:
                    lower[at], upper[at] = found.interval.low, found.interval.high
                    counts[at] = found.n_objects
                if not found.exact:
                    notes.append(f"{self.names[i]}, {self.names[j]}: {_note(found)}")
                if show is not None:
                    show(done, len(pairs))
        return lower, upper, counts, [
            *notes, "[a, b]: least and greatest value over all ways to fill in missing labels by "
            "clusters that occur; on the diagonal both sides are filled in by themselves"]

    def _range_of(self, m: Measure, i: int, j: int, rng: Any) -> CompletionBounds:
        pair, _ = _open((self.sides[i], self.sides[j]), (self.names[i], self.names[j]),
                        self.policies.of_pair(i, j))
        with quiet(InexactWarning, UndefinedMeasureWarning):
            return completion_bounds(*pair, measure=m.name, rng=rng)


def _open(sides: Sequence[Any], names: Sequence[str], policies: Policies
          ) -> tuple[list[np.ndarray], Aligned]:
    """Labels of the objects kept, nan where they are missing, and what was done to the others."""
    rules = policies.noise
    for rule in rules if isinstance(rules, tuple) else (rules,):
        if rule in ("unknown", "empty"):
            raise ValueError(f'missing="bounds" goes with noise="cluster", "singletons", "drop" and'
                             f' "raise", not {shown(rule)}; completion_bounds(x, y, '
                             "noise_label=...) fills noise in as well")
    found, gaps = with_gaps(sides, names, policies)
    labels = [x.as_hard(name).labels for name, x in zip(names, found)]
    return [np.where(gap, np.nan, codes) for gap, codes in zip(gaps, labels)], found


def _told(found: Aligned) -> Aligned | None:
    """Actions taken, except for gaps, which are reported with ranges."""
    told = replace(found, missing=("bounds",) * len(found))
    gone = found.n_dropped or any(found.n_absent)
    return told if gone or any(n and rule != "cluster" for n, rule in
                               zip(found.n_noise, found.noise)) else None


def _absent(found: Aligned) -> list[str]:
    """What is to be said of objects that one side lacks."""
    if found.objects != "common":
        return []
    # Each side lacks what the other has more.
    return [f"{count} of {n} objects of {name} are left out: they are not in {other}"
            for count, n, name, other in zip(found.n_absent[::-1], found.n_given, found.names,
                                             found.names[::-1]) if count]


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


def _extremes(m: Measure, found: CompletionBounds) -> tuple[float | None, float | None]:
    """The range of the measure; where clusterings set it, the wider one of the two completions."""
    if not callable(m.bounds):
        return m.bounds
    lows, highs = zip(*(m.range(as_source(*found.completions(end))) for end in ("low", "high")))
    return (None if None in lows else min(lows), None if None in highs else max(highs))


def _row(m: Measure, found: CompletionBounds) -> ComparedMeasure:
    low, high = _extremes(m, found)
    return ComparedMeasure(name=m.name, value=found.interval, sense=m.sense,
                           range=(-math.inf if low is None else low,
                                  math.inf if high is None else high),
                           chance=math.nan, source=m.source, note=_note(found))


def _note(found: CompletionBounds) -> str:
    if math.isnan(found.low):
        return "undefined for every completion"
    return "range over completions" if found.exact else (
        "bound on the range over completions, which holds "
        f"[{found.low:.4f}, {found.high:.4f}]")
