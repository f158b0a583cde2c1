"""Level and power of `compare_versions` and `replicate`, for the theory pages, as Markdown.

``python tests/benchmarks/versions_cohorts_level.py [SETS [cohorts]]`` (100 sets:
some twenty minutes on two cores). The data of set b of a row depend on the row and b only.
"""

import sys
import warnings

import numpy as np
from sklearn.cluster import KMeans

import softclust as sc

# -- versions: runs that reassign some objects at random --------------------------------------
TRUTH = np.arange(150) % 5
SIZES = np.maximum(1, (np.arange(1, 31)**-0.8 / (np.arange(1, 31)**-0.8).sum() * 600).astype(int))
MANY = np.repeat(np.arange(30), SIZES)


def run(truth, rng, share=0.15):
    return np.where(rng.random(truth.size) < share, rng.permutation(truth), truth)


def moved(rng):
    other = TRUTH.copy()
    other[rng.choice(150, 8, replace=False)] = rng.integers(5, size=8)
    return other


#: truth of the old version, and of the new one
CHANGES = {
    "no change": (TRUTH, lambda rng: TRUTH),
    "two of five clusters merged": (TRUTH, lambda rng: np.where(TRUTH == 4, 3, TRUTH)),
    "8 of 150 objects moved for good": (TRUTH, moved),
    "two small ones of 30 clusters merged": (MANY, lambda rng: np.where(MANY == 29, 28, MANY)),
}
#: numbers of runs, and what is known of the seeds
RUNS = ((5, 5, "other seeds"), (10, 10, "other seeds"), (19, 1, "other seeds"),
        (6, 6, "same seeds, paired"), (10, 10, "same seeds, paired"),
        (10, 10, "same seeds, not declared"))


def answers(row, column, sets):
    """Shares of the sets with a change seen, and where it cannot be told, for a row of RUNS and a
    column of CHANGES."""
    (old, new, seeds), (truth, change) = RUNS[row], list(CHANGES.values())[column]
    share, found = 0.1 if truth is MANY else 0.15, []
    for b in range(sets):
        rng = np.random.default_rng([row, column, b])
        after = change(rng)

        def runs(truth, count, first, rng=rng, b=b):
            return [run(truth, rng if seeds == "other seeds" else
                        np.random.default_rng([row, column, b, k]), share)
                    for k in range(first, first + count)]
        found.append(sc.compare_versions(
            runs(truth, old, 0), runs(after, new, 0), n_permutations=199, objects=False,
            paired=seeds.endswith("paired"), rng=b).changed)
    return found.count(True) / sets, found.count(None) / sets


def versions(sets):
    print("| old and new runs | " + " | ".join(CHANGES) + " |\n|---|" + "---|" * len(CHANGES))
    for row, (old, new, seeds) in enumerate(RUNS):
        cells = []
        for column in range(len(CHANGES)):
            seen, unknown = answers(row, column, sets)
            cells.append(f"{seen:.2f}" + (f" (cannot tell {unknown:.2f})" if unknown else ""))
        print(f"| {old} and {new}, {seeds} | " + " | ".join(cells) + " |", flush=True)


# -- cohorts: 100 objects each ----------------------------------------------------------------
def clusters(*centers):
    """Draws unit Gaussian clusters, a random one for each object."""
    centers = np.array(centers, dtype=float)
    return lambda rng: (rng.normal(size=(100, centers.shape[1]))
                        + centers[rng.integers(len(centers), size=100)])


def three(distance, shift=0.0):
    return clusters(*(np.array([[0, 0], [distance, 0], [distance / 2, 0.866 * distance]])
                      + [[0, 0], [0, 0], [0, shift]]))


def long(rng):
    return rng.normal(size=(100, 2)) * [4, 1]


#: a name, the number of clusters asked, and what draws each cohort
COHORTS = [
    ("two clusters, 20 sd apart", 2, clusters([0, 0], [20, 0]), clusters([0, 0], [20, 0])),
    ("two clusters, 6 sd apart", 2, clusters([0, 0], [6, 0]), clusters([0, 0], [6, 0])),
    ("two clusters, 4 sd apart", 2, clusters([0, 0], [4, 0]), clusters([0, 0], [4, 0])),
    ("two clusters along different axes", 2, clusters([0, 0], [8, 0]), clusters([0, 0], [0, 8])),
    ("two clusters in the first only", 2, clusters([0, 0], [8, 0]), long),
    ("three clusters, 6 sd apart", 3, three(6), three(6)),
    ("three clusters, 4 sd apart", 3, three(4), three(4)),
    ("the same, one shifted by 1 sd", 3, three(4), three(4, 1)),
    ("the same, one shifted by 2 sd", 3, three(4), three(4, -2)),
    ("one long cluster (sd 4 and 1)", 2, long, long),
    ("the same", 3, long, long),
    ("one long box (4:1)", 2, *[lambda rng: rng.uniform(size=(100, 2)) * [4, 1]] * 2),
    ("one ball in four dimensions", 3, *[lambda rng: rng.normal(size=(100, 4))] * 2),
    ("lognormal in three dimensions", 2, *[lambda rng: rng.lognormal(size=(100, 3))] * 2),
]
#: shares of the verdicts in the table
VERDICTS = ("as well", "less well", "elsewhere", "no clusters")


def means_of_cohorts(row, sets):
    """Means over the sets of a row of COHORTS: between, ceiling, floor, p, and the verdicts."""
    (_, k, *draws), values = COHORTS[row], []
    for b in range(sets):
        rng = np.random.default_rng([99, row, b])
        found = sc.replicate({name: draw(rng) for name, draw in zip("AB", draws)},
                             KMeans(k, n_init=3), n_resamples=20, n_splits=5, n_references=19,
                             rng=b)
        verdict = found.verdict("A", "B")
        values.append((found.agreement[0, 1], found.ceiling[1], found.floor[0, 1],
                       found.p_value[0, 1] <= 0.05 + 1e-12, found.replicated("A", "B"),
                       *(verdict == name for name in VERDICTS)))
    return np.mean(values, axis=0)


def cohorts(sets):
    print("\n| two cohorts of | K | between | ceiling | floor | p <= .05 | found again | "
          + " | ".join(VERDICTS) + " |\n|---|---|---|---|---|---|---|" + "---|" * len(VERDICTS))
    for row, (name, k, *_) in enumerate(COHORTS):
        print(f"| {name} | {k} | " + " | ".join(f"{v:.2f}" for v in means_of_cohorts(row, sets))
              + " |", flush=True)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    if "cohorts" not in sys.argv:
        versions(count)
    cohorts(count)
