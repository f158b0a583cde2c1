"""Commands of the R package's group "comparing": measures come from the registry at run time."""

from __future__ import annotations

import dataclasses
import inspect
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

import softclust as sc

from ._front import Encoded, command, crossing, frame, strings, verbs
from ._sides import rules_of, side_from_r

Options = Mapping[str, Any]


class Draws:
    """A generator that tells whether anything was drawn from it.

    R draws a seed before it knows whether one is needed, and takes it back when it was not. A
    measure draws the same from this generator as from the seed; functions that give each
    replicate a child do not, and get the seed itself.
    """

    def __init__(self, seed: int | None) -> None:
        self.rng = None if seed is None else np.random.default_rng(int(seed))
        self._before = self._state()

    def _state(self) -> Any:
        if self.rng is None:
            return None
        bits = self.rng.bit_generator
        return bits.state, bits.seed_seq.n_children_spawned  # type: ignore[attr-defined]

    @property
    def used(self) -> bool:
        """True if the generator has been drawn from or has children."""
        return bool(self._state() != self._before)


def record(value: Any, skip: tuple[str, ...] = ()) -> dict[str, Any]:
    """The public fields of a result; tuples of strings stay character vectors when empty."""
    fields = {f.name: getattr(value, f.name) for f in dataclasses.fields(value)
              if f.repr and not f.name.startswith("_") and f.name not in skip}
    return {name: Encoded(strings(v)) if name in ("notes", "warnings") else v
            for name, v in fields.items()}


def checked(m: Any, options: Options) -> dict[str, Any]:
    """Check `options` of the measure `m`; `rng` and `progress` are not options in R."""
    allowed = [name for name in m.options if name != "rng"]
    for name in options:
        if name not in allowed:
            raise TypeError(f"{m.name} has no option {name!r}; " + (
                f"its options are {', '.join(allowed)}" if allowed else "it has none"))
    return dict(options)


# -- the registry -------------------------------------------------------------------------------
@command
def measures() -> Any:
    """All measures; low and high are infinite where unbounded, nan where they depend."""
    from softclust import list_measures
    from softclust.measures import registry
    found = [registry()[name] for name in list_measures().index]
    ends = [(math.nan, math.nan) if callable(m.bounds) else
            (-math.inf if m.bounds[0] is None else m.bounds[0],
             math.inf if m.bounds[1] is None else m.bounds[1]) for m in found]
    return frame({
        "name": [m.name for m in found], "family": [m.family for m in found],
        "arity": np.array([float(m.arity) for m in found]),
        "sense": [m.sense for m in found], "kinds": [", ".join(m.kinds) for m in found],
        "low": np.array([low for low, _ in ends], dtype=float),
        "high": np.array([high for _, high in ends], dtype=float),
        "properties": ["; ".join(map(str, m.properties)) for m in found],
        "options": [", ".join(v for v in m.options if v != "rng") for m in found],
        "draws": np.array(["rng" in m.options for m in found]),
        "cost": [m.cost for m in found], "source": [m.source for m in found],
        "r": [m.r for m in found], "meaning": [m.meaning for m in found]})


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
    given = {**word.options, **checked(m, options)}
    if word.swap:
        x, y = (x.transpose(), None) if y is None else (y, x)
    draws = Draws(seed if "rng" in m.options else None)
    if draws.rng is not None and "uniforms" not in given:
        given["rng"] = draws.rng
    sides = [x] if y is None else [x, y]
    try:
        value = m.function(*sides, **given)
    except (TypeError, ValueError) as error:
        if "rng" not in given or not _draws_nothing(error):
            raise
        del given["rng"]
        value = m.function(*sides, **given)
    if word.complement:
        value = 1.0 - value
    if not dataclasses.is_dataclass(value) or isinstance(value, sc.Interval):
        return {"value": value, "drew": draws.used, "class": None}
    return {"value": record(value) | verbs(value), "drew": draws.used, "class": _class(value)}


def _draws_nothing(error: Exception) -> bool:
    """Return True if the error says that the chosen method takes no generator."""
    return all(word in str(error) for word in ("rng", "leave"))


def _class(value: Any) -> str:
    return {"TransportResult": "sc_transport"}.get(
        type(value).__name__, f"sc_{type(value).__name__.lower()}")


@command
def pair_counts(x: Any, y: Any = None, i: Any = None, j: Any = None) -> Any:
    """`softclust.pair_counts`; positions i, j are counted from 0."""
    found = sc.pair_counts(x, y, pairs=None if i is None else (np.atleast_1d(i), np.atleast_1d(j)))
    return {name: getattr(found, name) for name in (
        "n11", "n10", "n01", "n00", "n_pairs", "self_pairs")}


@command
def membership_sums(x: Any, y: Any) -> dict[str, Any]:
    """`softclust.membership_sums`; the exact sums are passed as text."""
    return _sums_to_r(sc.membership_sums(x, y))


@command
def merge_sums(first: Any, second: Any) -> dict[str, Any]:
    """Add the sums of two parts."""
    return _sums_to_r(first + second)


def _sums_to_r(sums: Any) -> dict[str, Any]:
    return {"n_objects": sums.n_objects, "kinds": list(sums.kinds),
            "x_names": Encoded(strings(_names_in_r(sums.x_names))),
            "y_names": Encoded(strings(_names_in_r(sums.y_names))),
            "cross": sums.cross, "x_products": sums.x_products, "y_products": sums.y_products,
            "x_totals": sums.x_totals, "y_totals": sums.y_totals, "gaps": sums.gaps,
            "exact": sums.to_json()}


def _names_in_r(names: Any) -> list[str]:
    """Names of clusters; R counts those without a name from 1."""
    plain = tuple(names) == tuple(range(len(names)))
    return [str(v + 1 if plain else v) for v in names]


# -- compare ------------------------------------------------------------------------------------
@command
def compare(x: Any, y: Any, names: list[str], options: Options, gaps: Any = None,
            seed: Any = None) -> dict[str, Any]:
    """`softclust.compare`; rows as a data frame."""
    given = dict(options)
    if gaps is not None:
        x, y = side_from_r(x), side_from_r(y)
        given |= {"missing": "bounds", "noise": rules_of(gaps["noise"]), "objects": gaps["objects"],
                  "noise_label": tuple(frozenset(v) for v in gaps["noise_label"])}
    drew = given.get("ci") == "bootstrap"
    if drew:
        given["rng"] = seed
    found = sc.compare(x, y, names=(names[0], names[1]), **given)
    rows = found.rows
    columns: dict[str, Any] = {
        "measure": [row.name for row in rows],
        "value": _floats(math.nan if isinstance(row.value, sc.Interval) else row.value
                         for row in rows),
        "low": _floats(row.low for row in rows), "high": _floats(row.high for row in rows)}
    if found.ci is not None:
        columns |= {"ci_low": _floats(row.ci_low for row in rows),
                    "ci_high": _floats(row.ci_high for row in rows),
                    "ci_method": ["" if row.ci is None else row.ci.method for row in rows],
                    "estimate": _floats(math.nan if row.ci is None else row.ci.estimate[0]
                                        for row in rows),
                    "reliable": np.array([row.ci is not None and row.ci.reliable for row in rows],
                                         dtype=bool),
                    "se_low": _floats(_error(row, 0) for row in rows),
                    "se_high": _floats(_error(row, 1) for row in rows)}
    columns |= {
        "sense": [row.sense for row in rows],
        "range_low": _floats(row.range[0] for row in rows),
        "range_high": _floats(row.range[1] for row in rows),
        "chance": _floats(row.chance for row in rows),
        "interval": np.array([isinstance(row.value, sc.Interval) for row in rows], dtype=bool),
        "options": [", ".join(f"{k} = {_r_text(v)}" for k, v in row.options.items())
                    for row in rows],
        "also": [", ".join(row.also) for row in rows],
        "source": [row.source for row in rows], "note": [row.note for row in rows]}
    return {"rows": frame(columns), "names": list(found.names), "kinds": list(found.kinds),
            "n_objects": found.n_objects, "n_clusters": np.array(found.n_clusters, dtype=float),
            "notes": Encoded(strings(found.notes)), "ci": found.ci, "level": found.level,
            "alignment": None if found.alignment is None else {"header": found.alignment.header},
            "left_out": frame({"measure": list(found.left_out),
                               "why": list(found.left_out.values())}),
            "drew": drew, **verbs(found)}


def _floats(values: Any) -> np.ndarray:
    return np.array([float(v) for v in values], dtype=np.float64)


def _error(row: Any, end: int) -> float:
    return math.nan if row.ci is None else float(row.ci.standard_error[end])


def _r_text(value: Any) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)


@command
def compare_all(ensemble: Any, measure: str | None, options: Options, seed: Any = None,
                pairs: Any = None) -> dict[str, Any]:
    """`softclust.compare_all`; `pairs` holds sides with gaps and their rules."""
    m = None if measure is None else sc.get_measure(measure)
    given = dict(options) if m is None else checked(m, options)
    if pairs is not None:
        ensemble, rules = _sides_and_rules(pairs)
        given |= rules
    # The seed itself, not a generator: it is the root of one child a pair.
    drew = seed is not None and m is not None and "rng" in m.options
    root = {"rng": seed} if drew else {}
    try:
        found = sc.compare_all(ensemble, measure=measure, **given, **root)
    except (TypeError, ValueError) as error:
        if not drew or not _draws_nothing(error):
            raise
        drew = False
        found = sc.compare_all(ensemble, measure=measure, **given)
    bounds = sc.get_measure(found.measure).bounds
    best = None if callable(bounds) else bounds[1]
    return {"names": list(found.names), "kinds": list(found.kinds), "measure": found.measure,
            "options": dict(found.options), "sense": found.sense, "symmetric": found.symmetric,
            "lower": found.lower, "upper": found.upper, "value": found.value,
            "n_objects": found.n_objects, "notes": Encoded(strings(found.notes)),
            "interval_valued": found.interval_valued,
            "best": math.nan if best is None else best, "drew": drew, **verbs(found)}


def _sides_and_rules(pairs: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Sides by name, and the rules for their noise and missing labels."""
    sides = dict(zip(pairs["names"], map(side_from_r, pairs["sides"])))
    missing = "bounds" if "bounds" in pairs["missing"] else tuple(pairs["missing"])
    return sides, {"drop": pairs["drop"], "noise": rules_of(pairs["noise"]), "missing": missing,
                   "noise_label": tuple(frozenset(v) for v in pairs["noise_label"]),
                   "objects": pairs["objects"]}


@command
def rank_clusterings(truth: Any, ensemble: Any, measure: str, options: Options, level: float,
                     n_draws: int, critical: Any = None, groups: Any = None, strata: Any = None
                     ) -> dict[str, Any]:
    """`softclust.rank_clusterings`; positions count from 1 in R."""
    given = checked(sc.get_measure(measure), options)
    found = sc.rank_clusterings(
        truth, ensemble, measure=measure, level=level, n_draws=int(n_draws),
        critical=None if critical is None else np.atleast_1d(critical), groups=groups,
        strata=strata, **given)
    return {"names": list(found.names)} | crossing(
        found, "measure sense level n_objects value estimate standard_error gain low high critical "
        "root_standard_error p_values answer notes", "possibly_best order")


@command
def corrected_entropy(counts: Any) -> float:
    """`softclust.corrected_entropy`."""
    return sc.corrected_entropy(np.atleast_1d(counts))


# -- records ------------------------------------------------------------------------------------
@command
def transport(x: Any, y: Any, base: str, alpha: float, method: str, sense: str,
              options: Options, seed: Any = None) -> dict[str, Any]:
    """`softclust.transport_dissimilarity`, or the index for sense "agreement"."""
    name = "transport_rand_index" if sense == "agreement" else "transport_dissimilarity"
    return measure(name, x, {"base": base, "alpha": alpha, "method": method, **options}, y, seed)


@command
def prayatul(truth: Any, primary: Any, alternative: Any, names: list[str], objects: bool,
             options: Options, ci: str | None = None, level: float = 0.95,
             n_resamples: int = 1000, seed: Any = None) -> dict[str, Any]:
    """`softclust.prayatul` with its objects, parts and intervals."""
    given = dict(options)
    if "noise_label" in given:
        given["noise_label"] = str(given["noise_label"])
    else:
        given["noise_label"] = "-1"
    found = sc.prayatul(truth, primary, alternative, names=(names[0], names[1]), **given)
    if found.coupling == "evidential":
        if ci is not None:
            raise TypeError('coupling="evidential" gives bounds and has no confidence intervals')
        fields = record(found, skip=("positions", "object_names"))
        return {"value": {**fields, "matrix": found.matrix, **verbs(found)}, "bounds": True,
                "drew": False}
    fields = record(found, skip=("positions", "empty"))
    fields["positions"] = None if found.positions is None else found.positions + 1
    fields["matrix"] = np.asarray(found.matrix, dtype=np.float64)
    try:
        parts = found.parts()
        fields["same_class"] = np.asarray(parts.same_class, dtype=np.float64)
        fields["different_class"] = np.asarray(parts.different_class, dtype=np.float64)
    except sc.ClusteringError:   # pairs of one class in part only
        fields["same_class"] = fields["different_class"] = None
    fields["objects"] = _objects(found) if objects else None
    fields["intervals"] = None
    if ci is not None:
        limits = (found.jackknife(level) if ci == "jackknife" else
                  found.bootstrap(seed, n_resamples=n_resamples, level=level))
        fields["intervals"] = limits.to_frame()
        fields |= {"ci": ci, "level": level, "p_value": limits.p_value}
    fields |= verbs(found)
    return {"value": fields, "bounds": False, "drew": ci == "bootstrap"}


def _objects(found: Any) -> Any:
    rows = found.objects()
    columns = {"both_right": rows.rows[:, 0], "right_wrong": rows.rows[:, 1],
               "wrong_right": rows.rows[:, 2], "both_wrong": rows.rows[:, 3],
               "right_primary": rows.right_primary, "right_alternative": rows.right_alternative,
               "advantage": rows.advantage}
    if found.object_names is not None:
        return frame(columns, rows.labels)
    # Positions count from 1 in R.
    return frame(columns, None if found.positions is None
                 else [str(i + 1) for i in rows.labels])
