"""Transport between hard and rough clusterings: all ends and both bases, through the door.

The goals are those of the specification, in seconds, so rows read "time allowed / time taken".
The paper's printed times are from other hardware; the plain enumeration is ours.
"""

import json
import warnings
from fractions import Fraction
from pathlib import Path

import numpy as np
from _ratios import Table, Times, main

import softclust as sc

BASES = ("rand", "partition")
GOLDEN = Path(__file__).parent.parent / "golden" / "transport.json"
#: printed seconds of T-RI and T-PD of rough k-means on Iris (2,000 draws each)
PRINTED = {"rand": 0.802, "partition": 0.803}


def sample(n: int, c: int, share: float, seed: int) -> tuple[np.ndarray, sc.RoughClustering]:
    """Labels, and a rough clustering close to them with a `share` of wider sets."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(c, size=n)
    near = np.where(rng.random(n) < 0.1, rng.integers(c, size=n), labels)
    upper = np.eye(c, dtype=bool)[near] | (rng.random((n, c)) < share / c)
    return labels, sc.RoughClustering.from_upper(upper)


def iris() -> tuple[sc.HardClustering, sc.RoughClustering, dict[str, dict[str, Fraction]]]:
    """Species, rough k-means, and the stored values."""
    case = next(c for c in json.loads(GOLDEN.read_text())["cases"]
                if c["group"] == "iris" and c["y"]["kind"] == "rough")
    upper = [[str(k) in text for k in range(case["c"])] for text in case["y"]["sets"]]
    values = {base: {end: Fraction(v) for end, v in ends.items()}
              for base, ends in case["expected"].items()}
    return sc.HardClustering(case["x"]["labels"]), sc.RoughClustering.from_upper(upper), values


def both(x: object, y: object) -> list[sc.TransportResult]:
    """All four values; two rough sides may leave a proved interval."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sc.InexactWarning)
        return [sc.transport_dissimilarity(x, y, base=base) for base in BASES]


def run(table: Table) -> None:
    """Hard against rough, rough against rough, Iris, enumeration."""
    species, rough, stored = iris()
    for base in BASES:
        found = sc.transport_dissimilarity(species, rough, base=base)
        assert found.exact
        assert abs(found.lower - stored[base]["lower"]) < 1e-12
        assert abs(found.upper - stored[base]["upper"]) < 1e-12
    sides = {(n, share): sample(n, 3, share, 1) for n in (10_000, 1_000_000)
             for share in (0.2, 0.6)}
    large = sample(10_000, 3, 0.6, 2)[1], sample(10_000, 3, 0.6, 3)[1]
    few = np.arange(12) % 3
    tiny = few, sc.RoughClustering.from_upper(np.eye(3, dtype=bool)[few]
                                              | np.eye(3, dtype=bool)[(few + 1) % 3])
    mid = sample(150, 3, 0.3, 4)[1], sample(150, 3, 0.3, 5)[1]
    functions = {f"{n}, {share}": (lambda pair=pair: both(*pair))
                 for (n, share), pair in sides.items()}
    functions |= {
        "iris rand": lambda: sc.transport_dissimilarity(species, rough),
        "iris partition": lambda: sc.transport_dissimilarity(species, rough, base="partition"),
        "rough 150": lambda: both(*mid),
        "rough 10000": lambda: both(*large),
        "tiny": lambda: both(*tiny),
        "enumerate": lambda: [sc.transport_dissimilarity(*tiny, base=base, method="enumerate")
                              for base in BASES],
    }
    for pair in sides.values():
        assert all(found.exact for found in both(*pair))
    times = Times(functions, rounds=5, once=("enumerate",))
    table.section("transport, hard against rough, 3 labels: time allowed / time taken")
    for (n, share), _ in sides.items():
        name = f"{n}, {share}"
        table.add(f"n = {n}, sets wider by {share}: both ends, both bases; 50 ms a 10,000 objects",
                  0.05 * n / 10_000 / times[name], must=1, goal=10,
                  note=f"{1e3 * times[name]:.3g} ms")
    for base in BASES:
        table.add(f"Iris, rough k-means, base {base}: 1 ms", 1e-3 / times[f"iris {base}"], goal=1,
                  note=f"{1e3 * times[f'iris {base}']:.3g} ms")
        table.add(f"Iris, rough k-means, base {base}: the paper's printed {PRINTED[base]} s",
                  PRINTED[base] / times[f"iris {base}"], must=100, goal=1000,
                  note="other hardware")
    table.section("transport, rough against rough, 3 labels")
    for n in (150, 10000):
        name = f"rough {n}"
        table.add(f"n = {n}: 50 ms", 0.05 / times[name], note=f"{1e3 * times[name]:.3g} ms")
    table.section("transport, plain enumeration of the definition")
    table.add("hard against rough, n = 12: enumeration / ours", times.ratio("enumerate", "tiny"),
              must=30, goal=100)


if __name__ == "__main__":
    raise SystemExit(main(run))
