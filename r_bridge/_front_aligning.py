"""Commands of the R package's group "aligning": noise, missing labels, different objects."""

from __future__ import annotations

from typing import Any

import numpy as np

import softclust as sc

from ._front import command, verbs
from ._front_comparing import Options, record
from ._front_fitting import checked
from ._sides import rules_of, side_from_r


@command
def align(sides: list[Any], names: list[str], noise: list[str] | None, noise_label: list[Any],
          missing: list[str], objects: str) -> dict[str, Any]:
    """`softclust.align`; each side is a clustering, or labels or rows with gaps."""
    found = sc.align(*map(side_from_r, sides), noise=rules_of(noise), missing=tuple(missing),
                     noise_label=tuple(frozenset(v) for v in noise_label), objects=objects,
                     names=names)
    places = np.column_stack(found.positions).astype(float) + 1.0
    return {"clusterings": list(found), "names": list(found.names),
            "n_objects": found.n_objects, "n_dropped": found.n_dropped,
            "object_names": None if found.object_names is None else
            [str(v) for v in found.object_names],
            "positions": np.where(places > 0, places, np.nan),
            "n_given": list(found.n_given), "n_noise": list(found.n_noise),
            "n_missing": list(found.n_missing), "n_absent": list(found.n_absent),
            "noise_share": list(found.noise_share),
            "noise": list(found.noise), "missing": list(found.missing), "objects": objects,
            "header": found.header, **verbs(found)}


@command
def one_side(side: Any, noise_label: list[Any], missing: str, kind: Any = None,
             noise: Any = None) -> Any:
    """`softclust.as_clustering` with rules for noise and missing labels."""
    return sc.as_clustering(side_from_r(side), kind, noise=noise,
                            noise_label=frozenset(noise_label), missing=missing)


@command
def completion_bounds(sides: list[Any], noise_label: Any, measure: str, clusters: str,
                      options: Options, seed: Any = None) -> dict[str, Any]:
    """`softclust.completion_bounds`."""
    given = checked(sc.completion_bounds, options, "sc_completion_bounds()")
    if noise_label is not None:
        given["noise_label"] = frozenset(noise_label)
    x, y = map(side_from_r, sides)
    found = sc.completion_bounds(x, y, measure=measure, clusters=clusters, rng=seed, **given)
    fields = record(found, skip=("labels",))
    return fields | {"exact": found.exact, "n_missing": list(found.n_missing),
                     "completions": {end: list(found.completions(end)) for end in ("low", "high")},
                     **verbs(found)}
