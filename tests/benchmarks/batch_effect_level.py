"""Level and power of `batch_effect`, for the page about confounders, as Markdown.

``python tests/benchmarks/batch_effect_level.py [SETS]`` (1000 sets: two minutes). The data of set b
of a row depend on the row and b only.
"""

import sys

import numpy as np

import softclust as sc

#: probability that an object of a type is of the first batch: batches have other types
FIRST = np.array([0.8, 0.5, 0.2])


def data(n, rng):
    """Types and batches of n objects."""
    kind = rng.integers(3, size=n)
    return kind, (rng.random(n) < FIRST[kind]).astype(int)


def noisy(rng, kind, batch):
    """The types, a tenth of them at random."""
    return np.where(rng.random(kind.size) < 0.1, rng.integers(3, size=kind.size), kind)


def split(share, types=3):
    """A share of each of the first types is divided by batch, the rest at random."""
    def clusters(rng, kind, batch):
        side = np.where(rng.random(kind.size) < share, batch, rng.integers(2, size=kind.size))
        return 2 * kind + np.where(kind < types, side, 0)
    return clusters


ROWS = [("the types, 10 % of them random", noisy), ("types divided at random", split(0.0)),
        ("20 % divided by batch", split(0.2)), ("40 % divided by batch", split(0.4)),
        ("one type, 40 % by batch", split(0.4, 1)), ("one type, 80 % by batch", split(0.8, 1))]
SIZES = (60, 120, 400)


def followed(row, n, sets):
    """Share of the sets that follow the batch within types, and without the types."""
    seen = []
    for b in range(sets):
        rng = np.random.default_rng([row, n, b])
        kind, batch = data(n, rng)
        clusters = ROWS[row][1](rng, kind, batch)
        seen.append([sc.batch_effect(clusters, batch, within=within, n_permutations=99,
                                     rng=b).follows for within in (kind, None)])
    return np.mean(seen, axis=0)


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    print("| clusters | " + " | ".join(f"n = {n}" for n in SIZES)
          + f" | without the types, n = {SIZES[-1]} |\n|---|" + "---|" * (len(SIZES) + 1))
    for row, (name, _) in enumerate(ROWS):
        found = [followed(row, n, count) for n in SIZES]
        print(f"| {name} | " + " | ".join(f"{within:.3f}" for within, _ in found)
              + f" | {found[-1][1]:.3f} |", flush=True)
