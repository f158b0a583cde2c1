"""Transport between two soft clusterings: seconds against the paper's printed ones.

The paper (table 3: Iris, 150 objects, three clusters) samples; its seconds are of another
machine, so a ratio of 1000 says "interactive instead of minutes" and no more. The golden file's
pairs on Iris stand for its evidential and fuzzy clusterings; the paper compares them with the
species, which is easier.
"""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

import numpy as np
from _ratios import Table, Times, main

import softclust as sc

#: seconds that the paper prints: evidential, fuzzy c-means; base rand, partition
PRINTED = {("evidential", "rand"): 1395.0, ("evidential", "partition"): 432.0,
           ("fuzzy", "rand"): 784.0, ("fuzzy", "partition"): 185.0}
PAIRS = {"evidential": "iris-ecm-like-pair", "fuzzy": "iris-fcm-2.0-vs-1.7"}


def iris(table: Table) -> None:
    """Both ends and the value, certified, of the pairs on Iris."""
    sys.path.insert(0, str(Path(__file__).parent.parent))
    from transport_cases import find
    table.section("two soft clusterings of Iris: printed seconds / ours")
    for (kind, base), seconds in PRINTED.items():
        case = find(id=PAIRS[kind])[0]

        def call(case=case, base=base):  # type: ignore[no-untyped-def]
            return sc.transport_dissimilarity(case.x, case.y, base=base)
        ours = Times({"ours": call})["ours"]
        result = call()
        table.add(f"{kind} pair, {base}", seconds / ours, must=500, goal=1e4,
                  note=f"{1000 * ours:.3g} ms; d0 in [{result.lower_low:.4f}, "
                       f"{result.lower_high:.4f}], d1 in [{result.upper_low:.4f}, "
                       f"{result.upper_high:.4f}]")


def exact(table: Table) -> None:
    """Few focal clusterings: the exact algorithm against the certificates."""
    table.section("exact transport: times longer than the certificates")
    rng = np.random.default_rng(0)
    u, v = rng.dirichlet([1, 1, 1], size=(2, 7))
    sets = np.array([[k >> j & 1 for j in range(3)] for k in range(1, 8)], dtype=bool)
    x, y = (sc.EvidentialClustering(rng.dirichlet(np.ones(7), size=4), sets) for _ in range(2))
    for name, a, b in (("fuzzy pair, n = 7, 3 labels", u, v),
                       ("evidential pair, n = 4, 7 sets", x, y)):
        times = Times({method: (lambda method=method, a=a, b=b: sc.transport_dissimilarity(
            a, b, method=method)) for method in ("exact", "certified")})
        table.add(f"{name}, rand", times.ratio("exact", "certified"), must=200, least=False,
                  note=f"exact {1000 * times['exact']:.3g} ms")


def many(table: Table) -> None:
    """Ten times the objects: about ten times the seconds, as pairs are few beside transports."""
    table.section("10,000 objects / 1,000 objects, seconds")
    rng = np.random.default_rng(1)
    for base in ("rand", "partition"):
        calls = {}
        for n in (1_000, 10_000):
            labels = rng.integers(0, 3, n)
            u, v = (0.7 * np.eye(3)[labels] + 0.3 * rng.dirichlet([1, 1, 1], size=n)
                    for _ in range(2))
            calls[str(n)] = lambda u=u, v=v, base=base: sc.transport_dissimilarity(u, v, base=base)
        times = Times(calls, rounds=3)
        table.add(f"fuzzy pair, {base}", times.ratio("10000", "1000"), must=100, goal=20,
                  least=False, note=f"{times['10000']:.3g} s at 10,000")


def run(table: Table) -> None:
    """All of it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sc.InexactWarning)
        iris(table)
        exact(table)
        many(table)


if __name__ == "__main__":
    raise SystemExit(main(run))
