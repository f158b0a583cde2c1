"""The stored cases of transport values, as clusterings."""

import json
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np

import softclust as sc
from softclust.extensions.transport.plan import PLAN

GOLDEN = Path(__file__).parents[2] / "golden" / "transport.json"


def served(name, base, end):
    """Whether some row of the decision table has the algorithm for this base and end.

    Hard and fuzzy sides have one end, the lower one.
    """
    return any(row_base == base and name in row.get(end, ())
               and (end == "lower" or not {first, second} <= {"hard", "fuzzy"})
               for (first, second, row_base), row in PLAN.items())


@dataclass(frozen=True)
class Case:
    """One case: clusterings x and y, exact `expected` values, or a certified `reference`."""

    id: str
    group: str
    x: sc.HardClustering
    y: sc.HardClustering
    x_law: list
    y_law: list
    expected: dict
    reference: dict
    expected_index: dict
    note: str

    @property
    def n(self):
        return self.x.n_objects

    def __repr__(self):
        return self.id


def law(side):
    """A stored side as a list over objects of {frozenset of labels: Fraction}."""
    kind = side["kind"]
    if kind == "hard":
        return [{frozenset([label]): Fraction(1)} for label in side["labels"]]
    if kind == "rough":
        return [{frozenset(map(int, text)): Fraction(1)} for text in side["sets"]]
    if kind == "fuzzy":
        return [{frozenset([k]): Fraction(u) for k, u in enumerate(row) if Fraction(u)}
                for row in side["membership"]]
    if kind == "evidential":
        return [{frozenset(map(int, text)): Fraction(m) for text, m in row.items()}
                for row in side["mass"]]
    rows = []
    for row in side["typicality"]:
        levels = [Fraction(t) for t in row]
        steps = sorted({v for v in levels if v}, reverse=True)
        rows.append({frozenset(k for k, t in enumerate(levels) if t >= v): v - below
                     for v, below in zip(steps, [*steps[1:], Fraction(0)])})
    return rows


def clustering(side, c):
    """A stored side as a clustering with c clusters."""
    kind = side["kind"]
    if kind == "hard":
        return sc.HardClustering(side["labels"], n_clusters=c)
    if kind == "rough":
        upper = [[str(k) in text for k in range(c)] for text in side["sets"]]
        return sc.RoughClustering.from_upper(upper)
    if kind in ("fuzzy", "possibilistic"):
        rows = side["membership" if kind == "fuzzy" else "typicality"]
        values = np.array([[float(Fraction(u)) for u in row] for row in rows])
        padded = np.zeros((len(rows), c))
        padded[:, :values.shape[1]] = values
        make = sc.FuzzyClustering if kind == "fuzzy" else sc.PossibilisticClustering
        return make(padded)
    return evidential(law(side), c)


def evidential(rows, c):
    """An evidential clustering from `law` rows."""
    sets = sorted({s for row in rows for s in row}, key=sorted)
    mass = [[float(row.get(s, 0)) for s in sets] for row in rows]
    return sc.EvidentialClustering(mass, [[k in s for k in range(c)] for s in sets])


@cache
def load_cases():
    """All stored cases, in order."""
    cases = []
    for item in json.loads(GOLDEN.read_text())["cases"]:
        c = item["c"]
        expected = {base: {end: float(Fraction(v)) for end, v in values.items()}
                    for base, values in item.get("expected", {}).items()}
        cases.append(Case(
            id=item["id"], group=item["group"], x=clustering(item["x"], c),
            y=clustering(item["y"], c), x_law=law(item["x"]), y_law=law(item["y"]),
            expected=expected, reference=item.get("reference", {}),
            expected_index={name: float(Fraction(v)) for name, v
                            in item.get("expected_index", {}).items()},
            note=item.get("note", "")))
    return cases


def find(**wanted):
    """Cases whose attributes have the values given, such as group="small"."""
    return [case for case in load_cases()
            if all(getattr(case, name) == value for name, value in wanted.items())]
