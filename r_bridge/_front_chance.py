"""Commands of the R package's group "chance": null models."""

from __future__ import annotations

from typing import Any

import numpy as np

import softclust as sc

from ._front import Encoded, command, frame, strings, verbs
from ._front_comparing import Options
from ._front_fitting import checked


@command
def chance(x: Any, measure: Any, options: Options, y: Any = None, indices: Any = None,
           seed: Any = None) -> dict[str, Any]:
    """`softclust.chance`; one row for each number."""
    given = checked(sc.chance, options, "sc_chance()", more=("n_permutations",))
    rng = None if indices is not None or given.get("method") in ("exact", "moments") else seed
    if indices is not None:
        given["indices"] = np.atleast_2d(indices).astype(np.int64) - 1
    found = sc.chance(x, y, measure, rng=rng, **given)
    rows = list(found)
    numbers = ("observed", "mean", "sd", "skewness", "z", "adjusted", "p_value", "p_value_error")
    table = frame({"measure": [row.measure for row in rows], "end": [row.end for row in rows],
                   **{name: np.array([getattr(row, name) for row in rows], dtype=float)
                      for name in numbers},
                   "sense": [row.sense for row in rows]})
    return {"rows": table, "labels": [row.label for row in rows], "null": np.array(found.null),
            "n_permutations": found.n_permutations, "method": found.method, "model": found.model,
            "fixed": found.fixed, "alternative": found.alternative, "kinds": list(found.kinds),
            "n_objects": found.n_objects, "notes": Encoded(strings(found.notes)),
            "drew": rng is not None, **verbs(found)}


@command
def chance_level(x: Any, measure: str, model: str, options: Options, y: Any = None,
                 fixed: Any = None, strata: Any = None) -> float:
    """`softclust.chance_level`."""
    return float(sc.chance_level(x, y, measure, model=model, fixed=fixed, strata=strata,
                                 **options))
