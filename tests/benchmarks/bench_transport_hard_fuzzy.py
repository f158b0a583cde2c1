"""Transport values of a hard against a fuzzy clustering, and expected indices.

Iris against fuzzy c-means at fuzzifier 5 (the stored memberships): ratios to the seconds that
Campagner, Ciucci and Denoeux (2023, Table 2) print for their enumeration, on other hardware,
and to our own enumeration of all labellings, extrapolated from few objects. Then 10,000 objects
in 3 clusters, both bases: how many times they fit into the time aimed at.
"""

import sys
from pathlib import Path

import numpy as np
from _ratios import Table, Times, main

import softclust as sc

sys.path.insert(0, str(Path(__file__).parent.parent))
from transport_cases import find

#: printed seconds of T-RI and T-PD for fuzzy c-means
PRINTED = {"rand": 784.0, "partition": 185.0}
#: objects that are enumerated, and the seconds that both bases of 10,000 objects may take
FEW, N, MUST, GOAL = 7, 10_000, 0.1, 0.02


def large() -> sc.Joint:
    """10,000 objects, 3 classes, memberships of some 0.6 for the own class."""
    rng = np.random.default_rng(1)
    labels = rng.integers(3, size=N)
    u = rng.random((N, 3))
    u[np.arange(N), labels] += 1.0
    return sc.Joint(labels, sc.FuzzyClustering(u / u.sum(axis=1, keepdims=True)))


def run(table: Table) -> None:
    """Rows for Iris, for many objects and for indices."""
    case = next(c for c in find(group="iris") if c.id == "iris-fcm-5.0")
    iris, many = sc.Joint(case.x, case.y), large()
    few = sc.Joint(case.x.subset(np.arange(0, 150, 22)), case.y.subset(np.arange(0, 150, 22)))
    assert few.n_objects == FEW

    def transport(joint: sc.Joint, base: str, method: str = "auto") -> sc.TransportResult:
        return sc.transport_dissimilarity(joint, base=base, method=method, n_draws=0)

    def certificate() -> object:
        from softclust.transport.matching_bounds import matching_bounds
        from softclust.transport.problem import Limits, Problem, Side
        return matching_bounds(
            Problem(x=Side(case.x), y=Side(case.y), base="partition"), "lower", Limits())

    assert transport(iris, "rand").exact
    assert transport(iris, "partition").exact
    functions = {
        "rand": lambda: transport(iris, "rand"),
        "partition": lambda: transport(iris, "partition"),
        "matching_bounds": certificate,
        "certified": lambda: transport(iris, "partition", "certified"),
        "many": lambda: [transport(many, base) for base in ("rand", "partition")],
        "jaccard": lambda: sc.expected_index(iris, index="jaccard"),
        "adjusted_rand": lambda: sc.expected_index(iris, index="adjusted_rand"),
        "mutual_information": lambda: sc.expected_index(iris, index="mutual_information"),
        "enumerate rand": lambda: transport(few, "rand", "enumerate"),
        "enumerate partition": lambda: transport(few, "partition", "enumerate"),
    }
    times = Times(functions, rounds=5, once=("enumerate rand", "enumerate partition"))

    def ms(name: str) -> str:
        return f"{1e3 * times[name]:.3g} ms"

    table.section("hard against fuzzy, Iris (150 objects, 3 clusters), whole calls")
    table.add("printed 784 s / T-RI", PRINTED["rand"] / times["rand"],
              must=PRINTED["rand"] / 1e-3, goal=PRINTED["rand"] / 2e-4, note=ms("rand"))
    table.add("printed 185 s / T-PD, exact", PRINTED["partition"] / times["partition"],
              must=PRINTED["partition"] / 0.1, goal=PRINTED["partition"] / 0.03,
              note=ms("partition"))
    table.add("printed 185 s / T-PD, bounds by one matching",
              PRINTED["partition"] / times["matching_bounds"], must=PRINTED["partition"] / 2e-2,
              goal=PRINTED["partition"] / 5e-3, note=ms("matching_bounds"))
    table.add("printed 185 s / T-PD, bounds within 1e-6",
              PRINTED["partition"] / times["certified"], note=ms("certified"))
    for base in ("rand", "partition"):
        ratio = times.ratio(f"enumerate {base}", base) * 3.0 ** (150 - FEW)
        table.add(f"all 3^150 labellings, extrapolated / exact, {base}", ratio, must=1e50)
    table.section(f"hard against fuzzy, {N} objects, 3 clusters, both bases, whole calls")
    table.add("0.1 s / time", MUST / times["many"], must=1, goal=MUST / GOAL, note=ms("many"))
    table.section("expected indices, Iris")
    for index, seconds in (("jaccard", 0.3), ("adjusted_rand", 0.3), ("mutual_information", 0.3)):
        table.add(f"{index}: 0.3 s / time", seconds / times[index], must=0.1, goal=1,
                  note=ms(index))


if __name__ == "__main__":
    raise SystemExit(main(run))
