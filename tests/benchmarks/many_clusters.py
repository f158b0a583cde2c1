"""Which measures favour many clusters? The two tables of the guide's page "Which measure".

``python tests/benchmarks/many_clusters.py [SETS]`` prints them in Markdown (200 sets: some ten
minutes with SMI and SRI). The data of set b of a column depend on the column and b only.
"""

import sys
import warnings

import numpy as np
from sklearn.cluster import KMeans

import softclust as sc

NUMBERS = (2, 3, 4, 5, 6, 8, 10, 15)
DRAWS = 5000
MEASURES = {
    "adjusted Rand": sc.adjusted_rand_index,
    'AMI "max"': lambda x, y: sc.adjusted_mutual_information(x, y, average="max"),
    "AMI": sc.adjusted_mutual_information,
    "NRMI": sc.normalized_reduced_mutual_information,
    "NMI": sc.normalized_mutual_information,
    'NRMI "y"': lambda x, y: sc.normalized_reduced_mutual_information(x, y, average="y"),
    "SRI": lambda x, y: sc.chance(x, y, "rand_index", method="moments")["rand_index"].z,
}
#: drawn tables take a second each: in a quarter of the sets
SMI = {"SMI": lambda x, y: sc.chance(x, y, "mutual_information", n_permutations=DRAWS, rng=0,
                                     progress=False)["mutual_information"].z}
#: (sizes of the four clusters, distance of neighbours in standard deviations)
COLUMNS = {"distance 4": ((50,) * 4, 4.0), "distance 2.5": ((50,) * 4, 2.5),
           "sizes 140, 30, 20, 10": ((140, 30, 20, 10), 4.0)}


def normal_clusters(sizes, distance, rng):
    """Points around the corners of a square, and the corner of each."""
    truth = np.repeat(np.arange(4), sizes)
    corners = distance * np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    return rng.normal(size=(truth.size, 2)) + corners[truth], truth


def nearest_numbers(column, sets, measures):
    """Number of clusters that is nearest to the truth, by measure, a list over data sets."""
    best = {name: [] for name in measures}
    for b in range(sets):
        rng = np.random.default_rng([b, list(COLUMNS).index(column)])
        points, truth = normal_clusters(*COLUMNS[column], rng)
        runs = [KMeans(k, n_init=10, random_state=b).fit(points).labels_ for k in NUMBERS]
        for name, measure in measures.items():
            best[name].append(NUMBERS[int(np.argmax([measure(run, truth) for run in runs]))])
    return best


def counted(chosen):
    """In how many sets 4 is the nearest; fewer; more."""
    return (sum(k == 4 for k in chosen), sum(k < 4 for k in chosen), sum(k > 4 for k in chosen))


def examples():
    """Values for a truth of four clusters of 50 objects."""
    truth, rng = np.repeat(np.arange(4), 50), np.random.default_rng(0)
    wrong = rng.permutation(200)[:20]
    noisy = truth.copy()
    noisy[wrong] = rng.integers(4, size=20)
    sides = {"each cluster split in 2": np.arange(200) // 25, "in 10": np.arange(200) // 5,
             "all singletons": np.arange(200), "two of four merged": np.maximum(truth, 1),
             "10 % random labels": noisy, "40 random clusters": rng.integers(40, size=200)}
    columns = {"NMI": MEASURES["NMI"], "AMI": MEASURES["AMI"], 'AMI "max"': MEASURES['AMI "max"'],
               "homogeneity": sc.homogeneity_index, "adjusted Rand": MEASURES["adjusted Rand"],
               'NRMI "y"': MEASURES['NRMI "y"'], "NRMI": MEASURES["NRMI"]}
    return columns, {name: [measure(side, truth) for measure in columns.values()]
                     for name, side in sides.items()}


def main(sets):
    warnings.simplefilter("ignore")
    columns, rows = examples()
    print("|  | " + " | ".join(columns) + " |\n|" + "---|" * (len(columns) + 1))
    for name, values in rows.items():
        print(f"| {name} | " + " | ".join(f"{v + 0.0:.2f}" for v in values) + " |")
    found = {column: nearest_numbers(column, sets, MEASURES) for column in COLUMNS}
    print("\n|  | " + " | ".join(COLUMNS) + " |\n|" + "---|" * (len(COLUMNS) + 1))
    for name in MEASURES:
        print(f"| {name} | " + " | ".join(
            "; ".join(map(str, counted(best[name]))) for best in found.values()) + " |", flush=True)
    drawn = [counted(nearest_numbers(column, sets // 4, SMI)["SMI"]) for column in COLUMNS]
    print(f"| SMI, {sets // 4} sets | " + " | ".join("; ".join(map(str, c)) for c in drawn) + " |")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
