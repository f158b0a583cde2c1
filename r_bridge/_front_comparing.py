"""Commands of the R package's group "comparing": measures come from the registry at run time."""

from __future__ import annotations

import contextlib
import inspect
import math
from typing import Any

import numpy as np

import softclust as sc
from softclust.results.records import Record

from ._front import command, crossing, framed, names_from_one, public
from ._front_records import Options, checked, drawing, fields_of


# -- the registry -------------------------------------------------------------------------------
@command
def measures() -> Any:
    """All measures; low and high are infinite where unbounded, nan where they depend."""
    table = sc.list_measures().reset_index()
    found = [sc.get_measure(name) for name in table["name"]]
    table["options"] = [", ".join(v for v in m.options if v != "rng") for m in found]
    table.insert(table.columns.get_loc("family") + 1, "arity", [m.arity for m in found])
    table.insert(table.columns.get_loc("cost"), "draws", ["rng" in m.options for m in found])
    for name, end in (("low", -math.inf), ("high", math.inf)):
        table[name] = [end if v is None else math.nan if isinstance(v, str) else v
                       for v in table[name]]
    return framed(table, "-abbreviations")


@command
def about(name: str) -> dict[str, Any]:
    """Facts about a measure that sc_method() and sc_measure() need before they call it."""
    m = sc.get_measure(name)
    parameters = inspect.signature(m.function).parameters
    # Whose mean divides is the one rule by which numbers of one name differ between packages.
    words = {name: parameters[name].default for name in m.options if name == "average"}
    return {"name": m.name, "arity": m.arity, "sense": m.sense, "draws": "rng" in m.options,
            "words": words}


# -- one measure --------------------------------------------------------------------------------
@command
def measure(name: str, x: Any, options: Options, y: Any = None, seed: Any = None
            ) -> dict[str, Any]:
    """Any registered measure."""
    word = sc.measures.measure_of(name)
    m = sc.get_measure(word.name)
    if m.arity == 1 and y is not None:
        raise TypeError(f"{m.name} is a measure of one clustering; leave out y")
    if m.arity == 2 and y is None and not isinstance(x, (
            sc.ContingencyTable, sc.MembershipSums, sc.PairCounts)):
        raise TypeError(f"{m.name} compares two clusterings; give y")
    given = {**word.options, **checked(m.function, options, m.name, given=("x", "y"))}
    if word.swap:
        x, y = (x.transpose(), None) if y is None else (y, x)
    rng = None if seed is None or "rng" not in m.options else np.random.default_rng(int(seed))
    before = _state(rng)
    if rng is not None and "uniforms" not in given:
        given["rng"] = rng
    value = drawing(m.function, [x] if y is None else [x, y], given)
    if word.complement:
        value = 1.0 - value
    kind = type(value).__name__ if isinstance(value, Record) else None
    return {"value": fields_of(value, {}), "drew": bool(_state(rng) != before),
            "class": kind and {"TransportResult": "sc_transport"}.get(kind, f"sc_{kind.lower()}")}


def _state(rng: Any) -> Any:
    """Differs from before if anything was drawn from a generator, or from its children.

    R draws a seed before it knows whether one is needed, and takes it back when it was not.
    """
    return rng and (rng.bit_generator.state, rng.bit_generator.seed_seq.n_children_spawned)


# -- several ------------------------------------------------------------------------------------
@command
def prayatul(truth: Any, primary: Any, alternative: Any, names: list[str], objects: bool,
             options: Options, ci: str | None = None, level: float = 0.95,
             n_resamples: int = 1000, seed: Any = None) -> dict[str, Any]:
    """`softclust.prayatul` with its objects, parts and intervals."""
    given = {**options, "noise_label": str(options.get("noise_label", -1))}
    found = sc.prayatul(truth, primary, alternative, names=(names[0], names[1]), **given)
    if found.coupling == "evidential":
        if ci is not None:
            raise TypeError('coupling="evidential" gives bounds and has no confidence intervals')
        return crossing(found, public(found, "positions object_names") + " matrix")
    more = {"same_class": None, "different_class": None, "intervals": None,
            "objects": _objects(found) if objects else None}
    with contextlib.suppress(sc.ClusteringError):   # pairs of one class in part only
        parts = found.parts()
        more |= {name: np.asarray(getattr(parts, name)) for name in ("same_class",
                                                                     "different_class")}
    if ci is not None:
        limits = (found.jackknife(level) if ci == "jackknife" else
                  found.bootstrap(seed, n_resamples=n_resamples, level=level))
        more |= {"intervals": limits.to_frame(), "ci": ci, "level": level,
                 "p_value": limits.p_value}
    return crossing(found, public(found, "empty") + " matrix", more)


def _objects(found: Any) -> Any:
    table = found.objects().to_frame()[
        ["both_right", "right_wrong", "wrong_right", "both_wrong", "right_primary",
         "right_alternative", "advantage"]]
    if found.object_names is None and found.positions is None:
        return table.reset_index(drop=True)
    return table.set_axis(names_from_one(table.index))
