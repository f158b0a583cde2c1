"""softclust's measures against the R calls that their records name, on the user's own data."""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

import softclust as sc

from . import RUnavailableError
from ._call import call
from ._gate import how_to_install

if TYPE_CHECKING:
    import pandas as pd
    from statsmodels.iolib.table import SimpleTable

DEFAULT_TOLERANCE = 1e-9
#: what an R call may name; x and y are bound as r_bridge converts clusterings
_VARIABLES = ("x", "y", "x_labels", "y_labels", "x_membership", "y_membership")

# One R call evaluates all expressions; each fails alone.
_BATCH = """function({arguments}) {{
  safely <- function(value) tryCatch(
    list(value = suppressWarnings(as.double(value)), text = "", package = ""),
    error = function(e) list(
      value = NaN, text = conditionMessage(e),
      package = if (inherits(e, "packageNotFoundError")) e$package else ""))
  list({expressions})
}}"""


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossCheckRow:
    """One measure in softclust and in R.

    Attributes
    ----------
    measure : str
    softclust, r : float
        The two values; `r` is nan when R gave none.
    difference : float
        ``abs(softclust - r)``; 0 when both are nan or the same infinity, nan when R gave none.
    note : str
        Empty, R's error, what is missing, or the number of a declared difference (README.md).
    failed : bool
        Beyond the tolerance, or R stopped, and no declared difference explains it.
    compared : bool
        R gave a value (nan counts).
    """

    measure: str
    softclust: float
    r: float
    difference: float
    note: str
    failed: bool
    compared: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossCheck:
    """Result of `crosscheck`.

    Attributes
    ----------
    rows : tuple of CrossCheckRow
    tol : float
        Tolerance times max(1, abs(value)).
    """

    rows: tuple[CrossCheckRow, ...]
    tol: float

    @property
    def failures(self) -> tuple[CrossCheckRow, ...]:
        """Rows that differ beyond the tolerance without a declared difference."""
        return tuple(row for row in self.rows if row.failed)

    @property
    def max_difference(self) -> float:
        """Largest difference among compared rows without a note; nan when there is none."""
        found = [row.difference for row in self.rows if row.compared and not row.note]
        return max(found) if found else math.nan

    def to_frame(self) -> pd.DataFrame:
        """One row per measure: softclust, R, difference, note.

        Returns
        -------
        pandas.DataFrame
        """
        import pandas as pd
        return pd.DataFrame(
            {"softclust": [row.softclust for row in self.rows],
             "R": [row.r for row in self.rows],
             "difference": [row.difference for row in self.rows],
             "note": [row.note for row in self.rows]},
            index=pd.Index([row.measure for row in self.rows], name="measure"))

    def summary(self) -> SimpleTable:
        """The rows as a table that prints as text; ``.as_html()``, ``.as_latex_tabular()``.

        Returns
        -------
        statsmodels.iolib.table.SimpleTable
        """
        from statsmodels.iolib.table import SimpleTable
        data = [[row.measure, f"{row.softclust:.10g}", f"{row.r:.10g}", f"{row.difference:.1e}",
                 ("FAILED: " if row.failed else "") + row.note.split("\n", 1)[0][:60]]
                for row in self.rows]
        count = sum(row.compared for row in self.rows)
        title = f"softclust and R: {count} of {len(self.rows)} compared, " \
                f"{len(self.failures)} failed"
        return SimpleTable(data, headers=["measure", "softclust", "R", "difference", "note"],
                           title=title)

    def __str__(self) -> str:
        return str(self.summary())


def crosscheck(x: Any, y: Any = None, measures: Sequence[str] | None = None, *,
               tol: float = DEFAULT_TOLERANCE) -> CrossCheck:
    """Compare softclust with R on two clusterings, measure by measure.

    Parameters
    ----------
    x, y : clustering-like
        Two clusterings of the same objects. Without `y`: measures of one clustering.
    measures : sequence of str, optional
        Names of measures; by default all that take both kinds and record an R call.
    tol : float
        Differences up to ``tol * max(1, abs(value))`` are rounding.

    Returns
    -------
    CrossCheck
        ``.to_frame()``, ``.summary()``, ``.max_difference``, ``.failures``.

    Raises
    ------
    RUnavailableError
        If R cannot be used at all. A missing R package only leaves a note.
    ValueError
        If a measure has no recorded R call or does not take these kinds.

    Notes
    -----
    A recorded call sees x and y (hard and fuzzy: clue partitions; where it calls evclust: credal
    partitions), ``x_labels`` (hard, from 1) and ``x_membership`` (hard and fuzzy), the same of y.
    Default options of the measure hold. Seen: 3e-16 for hard, 8e-12 for fuzzy clusterings.

    Examples
    --------
    >>> import r_bridge
    >>> r_bridge.crosscheck([0, 0, 1], [0, 1, 1]).failures
    ()
    """
    sides = {"x": sc.as_clustering(x, name="x")}
    if y is not None:
        sides["y"] = sc.as_clustering(y, name="y")
    chosen = _chosen(tuple(side.kind for side in sides.values()), measures)
    joint = sc.Joint(sides["x"], sides["y"]) if y is not None else None
    answers = _ask_r(chosen, sides)
    rows = [_row(record, _ours(record, joint, sides), answers[record.name], sides, tol)
            for record in chosen]
    return CrossCheck(rows=tuple(rows), tol=tol)


def _chosen(kinds: tuple[str, ...], names: Sequence[str] | None) -> list[Any]:
    if names is None:
        records = [sc.get_measure(name) for name in sc.measures().index]
        return [m for m in records if m.r is not None and m.takes(*kinds)]
    records = [sc.get_measure(name) for name in names]
    for record in records:
        if record.r is None:
            raise ValueError(f"measure {record.name!r} records no R call; leave it out")
        if not record.takes(*kinds):
            raise ValueError(f"measure {record.name!r} does not take {' and '.join(kinds)} "
                             "clusterings; leave it out")
    return records


def _ours(record: Any, joint: Any, sides: dict[str, Any]) -> float:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sc.UndefinedMeasureWarning)
        value = record.function(sides["x"]) if joint is None else record.function(joint)
    return float(value)


# -- the R side ---------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class _Answer:
    value: float = math.nan
    note: str = ""
    given: bool = False
    #: nothing can be said about R: a package or a variable is missing
    absent: bool = False


def _ask_r(records: list[Any], sides: dict[str, Any]) -> dict[str, _Answer]:
    answers: dict[str, _Answer] = {}
    for credal in (False, True):
        group = [m for m in records if ("evclust::" in m.r) == credal]
        bound = {name: c.to_evidential() if credal else c for name, c in sides.items()}
        values = _variables(bound, sides)
        able = []
        for record in group:
            lacking = [v for v in _needed(record.r) if v not in values]
            if lacking:
                answers[record.name] = _Answer(
                    note=f"the R call needs {lacking[0]}, which a {sides[lacking[0][0]].kind} "
                         "clustering has not", absent=True)
            else:
                able.append(record)
        answers |= _evaluate(able, values)
    return answers


def _variables(bound: dict[str, Any], sides: dict[str, Any]) -> dict[str, Any]:
    values: dict[str, Any] = dict(bound)
    for name, clustering in sides.items():
        if clustering.kind == "hard":
            values[f"{name}_labels"] = clustering.labels + 1
            values[f"{name}_membership"] = np.eye(clustering.n_clusters)[clustering.labels]
        elif clustering.kind == "fuzzy":
            values[f"{name}_membership"] = clustering.membership
    return values


def _needed(expression: str) -> list[str]:
    return [v for v in _VARIABLES
            if re.search(rf"(?<![\w.:$]){v}(?![\w.:]|\s*=[^=])", expression)]


def _evaluate(records: list[Any], values: dict[str, Any]) -> dict[str, _Answer]:
    if not records:
        return {}
    needed = [v for v in _VARIABLES if any(v in _needed(m.r) for m in records)]
    code = _BATCH.format(arguments=", ".join(needed),
                         expressions=",\n".join(f"safely({m.r})" for m in records))
    try:
        found = call(code, **{v: values[v] for v in needed})
    except RUnavailableError as error:
        # A package that the conversion needs; R itself missing concerns everything.
        call("function() 0")
        return {m.name: _Answer(note=str(error), absent=True) for m in records}
    return {m.name: _answer(f) for m, f in zip(records, found)}


def _answer(found: dict[str, Any]) -> _Answer:
    text, package, value = found["text"][0], found["package"][0], found["value"]
    if package:
        return _Answer(note=f"the R package {package} is not installed: "
                            + how_to_install(package), absent=True)
    if text:
        return _Answer(note=text)
    if value.size != 1:
        return _Answer(note=f"the R call gave {value.size} numbers; one is needed")
    return _Answer(value=float(value[0]), given=True)


# -- judging ------------------------------------------------------------------------------------
def _row(record: Any, ours: float, answer: _Answer, sides: dict[str, Any], tol: float
         ) -> CrossCheckRow:
    difference, note = math.nan, answer.note
    if answer.given:
        same = ours == answer.value or (math.isnan(ours) and math.isnan(answer.value))
        difference = 0.0 if same else abs(ours - answer.value)
    agrees = difference <= tol * max(1.0, abs(ours) if math.isfinite(ours) else 1.0)
    failed = not agrees and not answer.absent
    if failed:
        number = next((n for n, holds in DECLARED.items()
                       if holds(record, ours, answer, sides)), None)
        if number is not None:
            failed, note = False, f"declared difference {number}"
    return CrossCheckRow(measure=record.name, softclust=ours, r=answer.value,
                         difference=difference, note=note, failed=failed, compared=answer.given)


def _zero_by_zero(record: Any, ours: float, answer: _Answer, sides: dict[str, Any]) -> bool:
    """R gives NaN or Inf for 0/0; softclust the best value if they are equal, else nan."""
    if not answer.given or math.isfinite(answer.value):
        return False
    if math.isnan(ours):
        return True
    best = 1.0 if record.sense == "agreement" else 0.0
    return ours == best and _equal_partitions(sides)


def _equal_partitions(sides: dict[str, Any]) -> bool:
    if len(sides) < 2 or any(side.kind != "hard" for side in sides.values()):
        return False
    a, b = sides["x"].labels, sides["y"].labels
    both = np.unique(np.stack([a, b]), axis=1).shape[1]
    return both == np.unique(a).size == np.unique(b).size


#: rows of the table of declared differences (README.md) that a row of `crosscheck` may meet
DECLARED: dict[int, Callable[[Any, float, _Answer, dict[str, Any]], bool]] = {5: _zero_by_zero}


# -- command line -------------------------------------------------------------------------------
def main(argv: Sequence[str] | None = None) -> int:
    """``softclust crosscheck A.csv B.csv``: exit code 1 when a measure differs from R.

    Parameters
    ----------
    argv : sequence of str, optional

    Returns
    -------
    int
        0 all agree, 1 a failure.
    """
    import argparse

    from softclust import cli
    parser = argparse.ArgumentParser(
        prog="softclust crosscheck",
        description="Compute the measures for two clusterings in softclust and in R.")
    cli.add_file_arguments(parser)
    parser.add_argument("--measures", metavar="NAME[,NAME]",
                        help="measures, joined by commas (default: all with an R call)")
    parser.add_argument("--tol", type=float, default=DEFAULT_TOLERANCE, metavar="NUMBER",
                        help="relative difference that counts as rounding (default: %(default)g)")
    options = parser.parse_args(argv)
    x, y = cli.read_clusterings(options)
    names = options.measures.split(",") if options.measures else None
    result = crosscheck(x, y, names, tol=options.tol)
    print(result.summary())
    return 1 if result.failures else 0
