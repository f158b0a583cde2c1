"""Evaluate the recorded R calls of measures in a single call of R."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any

import numpy as np

import softclust as sc

from . import RError, RUnavailableError
from ._call import call
from ._gate import how_to_install

#: what an R call may name; x and y are bound as r_bridge converts clusterings
VARIABLES = ("x", "y", "x_labels", "y_labels", "x_membership", "y_membership")

# One R call evaluates all expressions; each fails alone. Four vectors come back, not a list a call.
_BATCH = """function({arguments}) {{
  safely <- function(value) tryCatch(
    list(value = suppressWarnings(as.double(value)), text = "", package = ""),
    error = function(e) list(
      value = NaN, text = conditionMessage(e),
      package = if (inherits(e, "packageNotFoundError")) e$package else ""))
  found <- list({expressions})
  list(value = vapply(found, function(f) if (length(f$value)) f$value[1L] else NaN, 0),
       count = vapply(found, function(f) length(f$value), 0L),
       text = vapply(found, `[[`, "", "text"), package = vapply(found, `[[`, "", "package"))
}}"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """R's answer to one call.

    Attributes
    ----------
    value : float
        nan when there is none, or when R says so.
    note : str
        Why there is none: R's error, or what is missing.
    given : bool
        Whether R gave a value.
    absent : bool
        Nothing can be said about R: a package or a variable is missing, or R cannot hold one of
        the clusterings.
    """

    value: float = math.nan
    note: str = ""
    given: bool = False
    absent: bool = False


def ask_r(calls: list[Any], sides: dict[str, Any]) -> list[Answer]:
    """The answers to `calls` (softclust's records of R calls) for the clusterings `sides`.

    Parameters
    ----------
    calls : list
        Each with ``code`` and ``packages``.
    sides : dict
        Clusterings or trees by name, "x" and perhaps "y".

    Returns
    -------
    list of Answer

    Raises
    ------
    RUnavailableError
        If R cannot be used at all.
    """
    answers = [Answer()] * len(calls)
    for credal in (False, True):
        group = [i for i, each in enumerate(calls) if ("evclust" in each.packages) == credal]
        if not group:
            continue
        bound = {name: c.to_evidential() if credal else c for name, c in sides.items()}
        values = _variables(bound, sides)
        able = []
        for i in group:
            lacking = [v for v in _needed(calls[i].code) if v not in values]
            if lacking:
                answers[i] = Answer(
                    note=f"the R call needs {lacking[0]}, which a {sides[lacking[0][0]].kind} "
                         "clustering has not", absent=True)
            else:
                able.append(i)
        for i, found in zip(able, _evaluate([calls[i] for i in able], values)):
            answers[i] = found
    return answers


def _variables(bound: dict[str, Any], sides: dict[str, Any]) -> dict[str, Any]:
    values: dict[str, Any] = dict(bound)
    for name, clustering in sides.items():
        if isinstance(clustering, sc.Dendrogram):
            continue
        if clustering.kind == "hard":
            values[f"{name}_labels"] = clustering.labels + 1
            values[f"{name}_membership"] = np.eye(clustering.n_clusters)[clustering.labels]
        elif clustering.kind == "fuzzy":
            values[f"{name}_membership"] = clustering.membership
    return values


def _needed(expression: str) -> list[str]:
    return [v for v in VARIABLES
            if re.search(rf"(?<![\w.:$]){v}(?![\w.:]|\s*=[^=])", expression)]


def _evaluate(calls: list[Any], values: dict[str, Any]) -> list[Answer]:
    if not calls:
        return []
    needed = _needed_by(calls)
    code = _BATCH.format(arguments=", ".join(needed),
                         expressions=",\n".join(f"safely({each.code})" for each in calls))
    try:
        found = call(code, **{v: values[v] for v in needed})
    except RUnavailableError as error:
        # A package that the conversion needs; R itself missing concerns everything.
        call("function() 0")
        return [Answer(note=str(error), absent=True)] * len(calls)
    except RError:
        # The calls themselves are guarded, so R could not make an object of a clustering.
        return _without_refused(calls, {v: values[v] for v in needed})
    return [_answer(*each) for each in zip(found["value"], found["count"], found["text"],
                                           found["package"])]


def _needed_by(calls: list[Any]) -> list[str]:
    return [v for v in VARIABLES if any(v in _needed(each.code) for each in calls)]


def _without_refused(calls: list[Any], values: dict[str, Any]) -> list[Answer]:
    """Answers if R cannot convert at least one of `values`."""
    unable = {}
    for name, value in values.items():
        try:
            call("function(v) NULL", value)
        except RError as error:
            unable[name] = f"R cannot hold {name}: {error}"
    if not unable:
        raise RuntimeError("R stopped outside the recorded calls; one of them is not an R "
                           "expression")
    able = [i for i, each in enumerate(calls) if not unable.keys() & set(_needed(each.code))]
    answers = [Answer(note=" ".join(unable[v] for v in _needed(each.code) if v in unable),
                      absent=True) for each in calls]
    kept = {name: value for name, value in values.items() if name not in unable}
    for i, found in zip(able, _evaluate([calls[i] for i in able], kept)):
        answers[i] = found
    return answers


def _answer(value: float, count: int, text: str, package: str) -> Answer:
    if package:
        return Answer(note=f"the R package {package} is not installed: "
                           + how_to_install(package), absent=True)
    if text:
        return Answer(note=text)
    if count != 1:
        return Answer(note=f"the R call gave {count} numbers; one is needed")
    return Answer(value=float(value), given=True)
