"""Several comparisons in one table, for publication."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from .._checks import check_whole
from ..measures import measure_of
from ..results.records import Interval
from ..results.summary import SummaryTable
from .comparison_record import ComparedMeasure, Comparison


def tabulate(comparisons: Comparison | Sequence[Comparison] | Mapping[str, Comparison], *,
             names: Sequence[str] | None = None, measures: Sequence[str] | None = None,
             digits: int = 3) -> SummaryTable:
    """Put comparisons side by side: values, confidence intervals and chance levels.

    Parameters
    ----------
    comparisons : Comparison, sequence of these, or mapping from names to these
        Results of `compare`, one column each.
    names : sequence of str, optional
        Column headers; by default the keys of the mapping, else the names of the sides.
    measures : sequence of str, optional
        Measures to show, in this order; by default those of the first comparison, then those that
        each further comparison adds.
    digits : int
        Digits after the decimal point.

    Returns
    -------
    SummaryTable
        Prints as text; ``.as_html()``, ``.as_latex_tabular()``, ``.as_csv()`` and
        ``.as_great_table()`` give the other forms.

    Raises
    ------
    TypeError
        If one of them is not a `Comparison`.
    ValueError
        If there is none, names do not match them, or no comparison has a named measure.

    See Also
    --------
    compare, compare_all

    Examples
    --------
    >>> import softclust
    >>> truth = [0, 1, 2] * 20
    >>> found = {"a": [0, 1, 2] * 15 + [0, 2, 1] * 5, "b": [0, 1, 1] * 20}
    >>> results = {name: softclust.compare(truth, labels, measures="rand_index", ci="jackknife")
    ...            for name, labels in found.items()}
    >>> print(softclust.tabulate(results))
    ==========================================
    measure                  a               b
    ------------------------------------------
    rand_index           0.831           0.774
      95 % CI   0.712 to 0.915  0.671 to 0.865
      chance             0.563           0.483
    objects                 60              60
    ==========================================
    95 % CI: confidence interval when objects are sampled and labels are
      held fixed.
    Chance: mean when objects are permuted at random.
    """
    if isinstance(comparisons, Comparison):
        comparisons = [comparisons]
    results = list(comparisons.values() if isinstance(comparisons, Mapping) else comparisons)
    for result in results:
        if not isinstance(result, Comparison):
            raise TypeError(f"a {type(result).__name__} is among the comparisons; results of "
                            "compare(...) are needed")
    if not results:
        raise ValueError("comparisons is empty; at least one result of compare(...) is needed")
    headers = list(names if names is not None else comparisons
                   if isinstance(comparisons, Mapping) else map(", ".join, (
                       result.names for result in results)))
    if isinstance(names, str) or len(headers) != len(results):
        raise ValueError(f"names has {len(headers)} names for {len(results)} comparisons; give "
                         "one name each")
    columns = [{row.label: row for row in result} for result in results]
    labels = list(dict.fromkeys(label for rows in columns for label in rows))
    if measures is not None:
        labels = []
        for word in [measures] if isinstance(measures, str) else measures:
            name = measure_of(word).name
            of_name = [label for rows in columns for label, row in rows.items()
                       if row.name == name or name in row.also]
            if not of_name:
                raise ValueError(f"no comparison has the measure {name!r}; name it in "
                                 "compare(..., measures=[...])")
            labels += of_name
        labels = list(dict.fromkeys(labels))
    places = check_whole("digits", digits, 0)
    levels = {result.level for result in results if result.ci is not None}
    limits = f"{100 * levels.pop():g} % CI" if len(levels) == 1 else "CI"

    def number(value: float) -> str:
        return "undefined" if math.isnan(value) else f"{round(value, places) + 0.0:.{places}f}"

    def value(row: ComparedMeasure) -> str:
        return (f"[{number(row.low)}, {number(row.high)}]" if isinstance(row.value, Interval)
                else number(row.value))

    def ends(row: ComparedMeasure) -> str:
        return ("" if math.isnan(row.ci_low) and math.isnan(row.ci_high)
                else f"{number(row.ci_low)} to {number(row.ci_high)}")

    def chance(row: ComparedMeasure) -> str:
        return "" if math.isnan(row.chance) else number(row.chance)

    cells: list[list[str]] = []
    forms: tuple[tuple[str, Callable[[ComparedMeasure], str]], ...] = (
        ("", value), (limits, ends), ("chance", chance))
    shown = set()
    for label in labels:
        for what, form in forms:
            texts = [form(rows[label]) if label in rows else "" for rows in columns]
            if any(texts):
                shown.add(what)
                cells.append([f"  {what}" if what else label, *texts])
    cells.append(["objects", *(str(result.n_objects) for result in results)])
    notes = {limits: f"{limits}: confidence interval when objects are sampled and labels are held "
                     "fixed.",
             "chance": "Chance: mean when objects are permuted at random."}
    return SummaryTable(cells, ["measure", *headers], aligns="l" + "r" * len(results),
                        notes=[text for what, text in notes.items() if what in shown])

