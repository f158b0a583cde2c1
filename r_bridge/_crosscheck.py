"""softclust's measures against the R calls that their records name, on the user's own data.

Trees are compared by the R calls of `TREES`, which belong to no record.
"""

from __future__ import annotations

import json
import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

import softclust as sc
from softclust.measures import RCall

from ._crosscheck_r import Answer, ask_r
from ._declared import declared
from .clue._arguments import partition, same_objects

if TYPE_CHECKING:
    import pandas as pd

DEFAULT_TOLERANCE = 1e-9
FORMATS = ("text", "csv", "json")
#: files read as trees by the command line
NEWICK = (".nwk", ".newick", ".tree")
#: R calls for two trees, by function
TREES = {
    "dendrogram_proximity": [
        *[RCall(f"clue::cl_dissimilarity(x, y, '{method}')", {"method": method})
          for method in ("euclidean", "manhattan", "cophenetic", "gamma", "Chebyshev", "Lyapunov",
                         "spectral", "symdiff")],
        RCall("clue::cl_dissimilarity(x, y, 'BO', delta = 'Rand')",
              {"method": "BO", "delta": "rand_distance"}),
        *[RCall(f"clue::cl_agreement(x, y, '{method}')", {"method": method, "sense": "agreement"})
          for method in ("euclidean", "manhattan", "cophenetic", "gamma", "angle")]],
    "cophenetic_correlation": [
        RCall(f"stats::cor(stats::cophenetic(x), stats::cophenetic(y), method = '{method}')",
              {"method": method}) for method in ("pearson", "spearman", "kendall")],
}


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossCheckRow:
    """One R call of a measure, in softclust and in R.

    Attributes
    ----------
    measure : str
    options : mapping
        Options of the measure under which the R call is recorded; empty: its defaults.
    package : str
        R package called.
    code : str
        The R call.
    softclust, r : float
        The two values; `r` is nan when R gave none.
    difference : float
        ``abs(softclust - r)``; 0 when both are nan or the same infinity, nan when R gave none.
    note : str
        Empty, R's error, what is missing, what R cannot hold, by how much the values differ, or
        the number of a declared difference (README.md). Never empty where `failed` is true.
    failed : bool
        Beyond the tolerance, or R stopped, and no declared difference explains it.
    compared : bool
        R gave a value (nan counts).
    """

    measure: str
    options: Mapping[str, Any]
    package: str
    code: str
    softclust: float
    r: float
    difference: float
    note: str
    failed: bool
    compared: bool

    @property
    def label(self) -> str:
        """Measure with its options."""
        options = ", ".join(f"{name}={value!r}" for name, value in self.options.items())
        return f"{self.measure}({options})" if options else self.measure


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
        """One row per R call: softclust, R, difference, failed, note, package.

        Returns
        -------
        pandas.DataFrame
            Indexed by measure, with its options where they are not the defaults.
        """
        import pandas as pd
        return pd.DataFrame(
            {"softclust": [row.softclust for row in self.rows],
             "R": [row.r for row in self.rows],
             "difference": [row.difference for row in self.rows],
             "failed": [row.failed for row in self.rows],
             "note": [row.note for row in self.rows],
             "package": [row.package for row in self.rows]},
            index=pd.Index([row.label for row in self.rows], name="measure"))

    def summary(self) -> sc.results.SummaryTable:
        """The rows as a table that prints as text; ``.as_html()``, ``.as_latex_tabular()``.

        Returns
        -------
        SummaryTable
            Calls that R could not be asked (its package is not installed, cannot hold the
            clusterings, or is for other kinds) are counted, not listed.
        """
        data = [[row.label, row.package, f"{row.softclust:.10g}", f"{row.r:.10g}",
                 f"{row.difference:.1e}",
                 ("FAILED: " if row.failed else "") + row.note.split("\n", 1)[0][:60]]
                for row in self.rows if row.compared or row.failed]
        title = f"softclust and R: {sum(row.compared for row in self.rows)} of " \
                f"{len(self.rows)} compared, {len(self.failures)} failed"
        left = [row for row in self.rows if not row.compared and not row.failed]
        for why in _REASONS:
            names = sorted({row.package for row in left if _reason(row) == why})
            if names:
                title += f"; {why}: {', '.join(names)}"
        return sc.results.SummaryTable(
            data, ["measure", "package", "softclust", "R", "difference", "note"], title=title,
            aligns="llrrrl")

    def __str__(self) -> str:
        return self.summary().as_text()


#: why R was not asked, as the summary says it
_REASONS = ("not installed", "cannot hold these clusterings", "for other kinds")


def _reason(row: CrossCheckRow) -> str:
    if "is not installed" in row.note:
        return _REASONS[0]
    return _REASONS[2] if "which a" in row.note else _REASONS[1]


def crosscheck(x: Any, y: Any = None, measures: Sequence[str] | None = None, *,
               tol: float = DEFAULT_TOLERANCE) -> CrossCheck:
    """Compare softclust with R on two clusterings or two trees, measure by measure.

    Parameters
    ----------
    x, y : clustering-like, or Dendrogram
        Two clusterings, or two trees (an hclust as a mapping, too), of the same objects. Without
        `y`: measures of one clustering.
    measures : sequence of str, optional
        Names of measures; by default all that take both kinds and record an R call. Of trees:
        "dendrogram_proximity", "cophenetic_correlation".
    tol : float
        Differences up to ``tol * max(1, abs(value))`` are rounding; more where the record says
        that R approximates (aricode's AMI: 1e-6).

    Returns
    -------
    CrossCheck
        ``.to_frame()``, ``.summary()``, ``.max_difference``, ``.failures``.

    Raises
    ------
    RUnavailableError
        If R cannot be used at all. A missing R package only leaves a note.
    ValueError
        If a measure has no recorded R call or does not take these kinds, or `tol` is negative.
    ClusteringError
        If only one side is a tree, or a tree has falling heights, which clue does not take.

    Notes
    -----
    A recorded call sees x and y (hard and fuzzy: clue partitions; where it calls evclust: credal
    partitions), ``x_labels`` (hard, from 1) and ``x_membership`` (hard and fuzzy), the same of y.
    A measure has a row for each recorded call: other packages, other options. Seen: 3e-16 for
    hard, 8e-12 for fuzzy clusterings.

    Examples
    --------
    >>> import r_bridge
    >>> r_bridge.crosscheck([0, 0, 1], [0, 1, 1]).failures
    ()
    """
    if not tol >= 0:
        raise ValueError(f"tol is {tol}; a number >= 0 is needed")
    sides = {"x": _side(x, "x")}
    if y is not None:
        sides["y"] = _side(y, "y")
    if any(isinstance(side, sc.Dendrogram) for side in sides.values()):
        return _compare_trees(sides, measures, tol)
    chosen = [(record, each) for record in _chosen(tuple(s.kind for s in sides.values()), measures)
              for each in record.r_calls]
    joint = sc.Joint(sides["x"], sides["y"]) if y is not None else None
    answers = ask_r([each for _, each in chosen], sides)
    rows = []
    for (record, each), answer in zip(chosen, answers):
        try:
            ours = _ours(record, each, joint, sides)
        except sc.ClusteringError as error:   # such as pairs of a single object
            ours, answer = math.nan, Answer(note=f"softclust: {error}", absent=True)
        rows.append(_row(record, each, ours, answer, sides, tol))
    return CrossCheck(rows=tuple(rows), tol=tol)


def _side(value: Any, name: str) -> Any:
    """A clustering of any kind, or a tree."""
    tree = isinstance(value, Mapping) and {"merge", "height"} <= set(value)
    return (partition(value, name) if tree or isinstance(value, sc.Dendrogram)
            else sc.as_clustering(value, name=name))


def _compare_trees(sides: dict[str, Any], names: Sequence[str] | None, tol: float) -> CrossCheck:
    if len(sides) < 2:
        raise sc.ClusteringError("x is a tree; give another one as y")
    same_objects(sides["x"], sides["y"])
    for name, tree in sides.items():
        if (np.diff(tree.heights) < 0.0).any():
            raise sc.ClusteringError(f"the heights of {name} fall from merge to merge; clue does "
                                     "not take such a tree")
    unknown = [name for name in names or () if name not in TREES]
    if unknown:
        raise ValueError(f"measure {unknown[0]!r} records no R call for trees; those are "
                         f"{', '.join(TREES)}")
    chosen = [(name, each) for name in names or TREES for each in TREES[name]]
    rows = []
    for (name, each), answer in zip(chosen, ask_r([each for _, each in chosen], sides)):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", sc.UndefinedMeasureWarning)
            ours = float(getattr(sc, name)(sides["x"], sides["y"], **each.options))
        rows.append(_row(SimpleNamespace(name=name, sense=None), each, ours, answer, sides, tol))
    return CrossCheck(rows=tuple(rows), tol=tol)


def _chosen(kinds: tuple[str, ...], names: Sequence[str] | None) -> list[Any]:
    if names is None:
        records = [sc.get_measure(name) for name in sc.list_measures().index]
        return [m for m in records if m.r_calls and m.takes(*kinds)]
    records = [sc.get_measure(name) for name in names]
    for record in records:
        if not record.r_calls:
            raise ValueError(f"measure {record.name!r} records no R call; leave it out")
        if not record.takes(*kinds):
            raise ValueError(f"measure {record.name!r} does not take {' and '.join(kinds)} "
                             "clusterings; leave it out")
    return records


def _ours(record: Any, each: Any, joint: Any, sides: dict[str, Any]) -> float:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sc.UndefinedMeasureWarning)
        return float(record.function(sides["x"] if joint is None else joint, **each.options))


def _row(record: Any, each: Any, ours: float, answer: Answer, sides: dict[str, Any], tol: float
         ) -> CrossCheckRow:
    difference, note = math.nan, answer.note
    if answer.given:
        same = ours == answer.value or (math.isnan(ours) and math.isnan(answer.value))
        difference = 0.0 if same else abs(ours - answer.value)
    size = max(1.0, abs(ours)) if math.isfinite(ours) else 1.0
    agrees = difference <= max(tol, each.inexact) * size
    failed = not agrees and not answer.absent
    if failed:
        number = declared(record, ours, answer, sides)
        if number is not None:
            failed, note = False, f"declared difference {number}"
        elif not note:
            note = _why(difference, max(tol, each.inexact) * size)
    return CrossCheckRow(measure=record.name, options=each.options,
                         package=(each.packages or ("base",))[0], code=each.code,
                         softclust=ours, r=answer.value, difference=difference, note=note,
                         failed=failed, compared=answer.given)


def _why(difference: float, allowed: float) -> str:
    if math.isnan(difference):
        return "one of the two values is nan"
    return f"the values differ by {difference:.1e}, more than {allowed:.1e}"


# -- command line -------------------------------------------------------------------------------
def main(argv: Sequence[str] | None = None) -> int:
    """``softclust crosscheck A.csv B.csv``: exit code 1 when a measure differs from R.

    Parameters
    ----------
    argv : sequence of str, optional

    Returns
    -------
    int
        0 all agree, 1 a failure. Wrong usage ends with 2.
    """
    import argparse

    from softclust import cli
    parser = argparse.ArgumentParser(
        prog="softclust crosscheck",
        description="Compute the measures for two clusterings in softclust and in R, and say "
                    "where they differ. Files are read as by softclust compare; two files that "
                    "end in .nwk, .newick or .tree are trees in Newick format.",
        epilog="exit codes: 0 no measure differs, 1 one does (or the data or R do not allow it), "
               "2 wrong usage, 130 interrupted")
    cli.add_file_arguments(parser)
    cli.add_options(parser, crosscheck, {
        "measures": {"metavar": "NAME[,NAME]", "action": "append",
                     "help": "measures, joined by commas (default: all with an R call)"},
        "tol": {"help": "relative difference that counts as rounding (default: %(default)g)"}})
    parser.add_argument("--format", choices=FORMATS, default="text",
                        help="of the output; csv and json list calls of missing packages too "
                             "(default: %(default)s)")
    options = parser.parse_args(argv)
    if not options.tol >= 0:
        parser.error(f"--tol is {options.tol:g}; a number >= 0 is needed")
    names = [name for text in options.measures or [] for name in text.split(",") if name] or None
    trees = [Path(path).suffix.lower() in NEWICK for path in (options.a, options.b)]
    for name in names or [] if not any(trees) else []:
        try:
            found = sc.get_measure(name)
        except ValueError as error:
            parser.error(str(error))
        if not found.r_calls:
            parser.error(f"measure {name!r} records no R call")
    x, y = ([sc.Dendrogram.from_newick(Path(path).read_text(encoding="utf-8"))
             for path in (options.a, options.b)] if all(trees) else cli.read_clusterings(options))
    result = crosscheck(x, y, names, tol=options.tol)
    texts = {"text": lambda: str(result), "csv": lambda: result.to_frame().to_csv().rstrip("\n"),
             "json": lambda: json.dumps(_as_data(result), indent=2, allow_nan=False,
                                        ensure_ascii=False)}
    print(texts[options.format]())
    return 1 if result.failures else 0


def _as_data(result: CrossCheck) -> dict[str, Any]:
    """Return the rows for JSON, where nan and infinity become null."""
    def finite(value: float) -> float | None:
        return value if math.isfinite(value) else None
    return {"softclust": sc.__version__, "tol": result.tol, "failures": len(result.failures),
            "rows": [{"measure": row.measure, "options": dict(row.options),
                      "package": row.package, "r_call": row.code,
                      "softclust": finite(row.softclust), "r": finite(row.r),
                      "difference": finite(row.difference), "note": row.note,
                      "failed": row.failed, "compared": row.compared} for row in result.rows]}
