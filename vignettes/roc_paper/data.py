"""The four data sets of Table 1 that are known.

crabs and biopsy come with R's MASS, whose files are not copied here. Their dendrograms (orders of
merges) and classes are stored, so Table 1 needs no R; k-means and ranges of ties need the
measurements and R.
"""

from __future__ import annotations

import csv
import functools
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.cluster.hierarchy import linkage
from show import GOLDEN

import softclust as sc

_CRABS = """function() list(x = unname(as.matrix(MASS::crabs[, c("FL", "RW", "CL", "CW", "BD")])),
                         classes = substr(as.character(MASS::crabs$sex), 1, 1))"""
_BREAST = """function() {
  complete <- MASS::biopsy[stats::complete.cases(MASS::biopsy), ]
  list(x = unname(as.matrix(complete[, paste0("V", 1:9)])) * 1.0,
       classes = substr(as.character(complete$class), 1, 1))
}"""


@dataclass(frozen=True)
class Known:
    """A data set of Table 1: classes, dendrograms, and measurements where they are at hand."""

    name: str
    sizes: tuple[int, int, int]
    truth: list[str]
    x: np.ndarray | None
    stored: dict[str, list[list[int]]]

    def merges(self, method: str) -> np.ndarray:
        """(n - 1, 3): the dendrogram; stored ones have the number of the merge as height."""
        if method in self.stored:
            order = np.array(self.stored[method], dtype=float)
            return np.column_stack([order, np.arange(1.0, len(order) + 1)])
        return linkage(self.x, method)[:, :3]


def known() -> dict[str, Known]:
    """iris, crabs, ecoli, breast: without R's measurements."""
    iris = sc.datasets.load_iris()
    with open(GOLDEN / "data" / "ecoli3.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    features = [name for name in rows[0] if name not in ("name", "class")]
    ecoli = np.array([[float(row[f]) for f in features] for row in rows])
    found = [("iris", np.asarray(iris.data, dtype=float), [str(k) for k in iris.labels]),
             ("ecoli", ecoli, [row["class"] for row in rows])]
    sets = {name: Known(name, (*x.shape, len(set(truth))), truth, x, {})
            for name, x, truth in found}
    with open(Path(__file__).parent / "merges.json", encoding="utf-8") as file:
        stored = json.load(file)
    for name in ("crabs", "breast"):
        kept = stored[name]
        truth = list(kept["classes"])
        sets[name] = Known(name, (kept["n"], kept["features"], len(set(truth))), truth, None,
                           kept["merges"])
    return {name: sets[name] for name in ("iris", "crabs", "ecoli", "breast")}


@functools.cache
def measured(name: str) -> np.ndarray | None:
    """Measurements of crabs or breast from R; None without R."""
    import r_bridge
    try:
        found: Any = r_bridge.call(_CRABS if name == "crabs" else _BREAST)
    except (ImportError, r_bridge.RError):
        return None
    assert list(found["classes"]) == known()[name].truth
    return np.asarray(found["x"], dtype=float)
