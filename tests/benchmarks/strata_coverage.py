"""Coverage of the difference of two strata by `agreement_by_strata(ci=)`, as Markdown.

``python tests/benchmarks/strata_coverage.py [SETS]`` (1000 sets: three minutes). The data of set b
of a row depend on the row and b only.
"""

import sys

import numpy as np

import softclust as sc

#: objects of both strata, the share of each whose second label is random, and objects of a group
ROWS = [((100, 100), (0.1, 0.3), 1), ((200, 60), (0.2, 0.2), 1), ((400, 300), (0.6, 0.1), 1),
        ((200, 200), (0.2, 0.4), 5)]


def sample(sizes, shares, per_group, rng):
    """Two labellings, the stratum and the group of each object; a group is random as a whole."""
    stratum = np.repeat([0, 1], sizes)
    group = np.arange(stratum.size) // per_group
    x = rng.integers(4, size=group.max() + 1)[group]
    flipped = (rng.random(group.max() + 1) < np.repeat(shares, np.array(sizes) // per_group))[group]
    return x, np.where(flipped, rng.integers(4, size=group.max() + 1)[group], x), stratum, group


def truth(shares, rng):
    """The difference of very large samples."""
    x, y, stratum, _ = sample((1_000_000, 1_000_000), shares, 1, rng)
    return np.subtract(*(sc.adjusted_rand_index(x[stratum == h], y[stratum == h]) for h in (0, 1)))


def covered(row, sets):
    """Share of the sets whose interval holds the true difference; none counts as not covered."""
    sizes, shares, per_group = ROWS[row]
    true, found = truth(shares, np.random.default_rng(row)), []
    for b in range(sets):
        x, y, stratum, group = sample(sizes, shares, per_group, np.random.default_rng([row, b]))
        _, low, high = sc.agreement_by_strata(x, y, stratum, ci="jackknife",
                                              groups=group if per_group > 1 else None).difference
        found.append(low <= true <= high)
    return np.mean(found)


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    print("| objects | random labels | groups of | covered |\n|---|---|---|---|")
    for row, (sizes, shares, per_group) in enumerate(ROWS):
        share = covered(row, count)
        print(f"| {sizes[0]} and {sizes[1]} | {shares[0]:.0%} and {shares[1]:.0%} | {per_group} | "
              f"{share:.3f} |".replace("%", " %"), flush=True)
