"""Largest differences between softclust and R packages, as the table of docs/peers.md.

``python tests/r/peers.py [pairs]`` asks every R package that is installed (R_LIBS may name a
library of its own) and prints a row for each; pytest does not collect this file.
"""

import itertools
import math
import sys
import warnings
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent))

from r_cases import KINDS, clustering

import r_bridge
import softclust as sc
from r_bridge import call, crosscheck, evclust

SIZES = (5, 40, 300)
#: R calls that no measure records, with the same number from softclust; x and y are labels
MORE = {
    "flexclust": {
        "ARI": sc.adjusted_rand_index, "RI": sc.rand_index, "J": sc.jaccard_index,
        "FM": sc.fowlkes_mallows_index},
    "mclustcomp": {
        "adjrand": sc.adjusted_rand_index, "rand": sc.rand_index, "jaccard": sc.jaccard_index,
        "fmi": sc.fowlkes_mallows_index, "mirkin": lambda x, y: 2 * (
            sc.pair_counts(x, y).n10 + sc.pair_counts(x, y).n01),
        "mi": lambda x, y: sc.mutual_information(x, y) / math.log(2),
        "nmi1": lambda x, y: sc.normalized_mutual_information(x, y, average="geometric"),
        "vdm": sc.van_dongen_distance,
        "vi": lambda x, y: sc.variation_of_information(x, y) / math.log(2)},
}
_MORE_CODE = {
    "flexclust": "function(x, y, type) as.double(flexclust::comPart(x, y, type = type))",
    "mclustcomp": "function(x, y, type) mclustcomp::mclustcomp(x, y, types = type)$scores",
}
FIELDS = {
    "pl": lambda c: c.plausibility(), "bel": lambda c: c.belief(),
    "betp": lambda c: c.normalize("dempster").pignistic(), "conflict": lambda c: c.empty_mass,
}
VARIANTS = {"LW": "lingras-west", "PE": "peters-2006", "PI": "peters-2014"}


class Tally:
    """Comparisons and largest relative difference of each package, with where it was."""

    def __init__(self):
        self.count, self.worst, self.where = {}, {}, {}

    def add(self, package, ours, theirs, what):
        if not (math.isfinite(ours) and math.isfinite(theirs)):
            return   # 0/0 is each package's own affair
        difference = abs(ours - theirs) / max(1.0, abs(ours))
        self.count[package] = self.count.get(package, 0) + 1
        if difference >= self.worst.get(package, -1.0):
            self.worst[package], self.where[package] = difference, what


def recorded(tally, pairs):
    """Every recorded call, for all pairs of kinds."""
    for (a, b), n in itertools.product(itertools.product(KINDS, repeat=2), SIZES):
        for seed in range(pairs):
            compare(tally, a, b, n, seed)
    for kind, n, seed in itertools.product(KINDS, SIZES, range(pairs)):
        for row in crosscheck(clustering(kind, n, np.random.default_rng([n, seed]))).rows:
            if row.compared and "declared" not in row.note:
                tally.add(row.package, row.softclust, row.r, row.label)


def compare(tally, a, b, n, seed):
    """One pair of clusterings of the kinds `a` and `b`."""
    rng = np.random.default_rng([n, KINDS.index(a), KINDS.index(b), seed])
    for row in crosscheck(clustering(a, n, rng), clustering(b, n, rng)).rows:
        if row.compared and "declared" not in row.note:
            tally.add(row.package, row.softclust, row.r, row.label)


def more(tally, pairs, installed):
    """Hard measures of packages that no record names."""
    for package, types in MORE.items():
        if not installed(package):
            continue
        for n, seed in itertools.product(SIZES, range(5 * pairs)):
            rng = np.random.default_rng([n, seed, 3])
            x, y = (clustering("hard", n, rng).labels for _ in range(2))
            for name, ours in types.items():
                theirs = call(_MORE_CODE[package], x + 1, y + 1, name)[0]
                tally.add(package, float(ours(x, y)), theirs, f"{package}, {name}")


def credal_fields(tally, pairs):
    """What evclust derives from a credal partition."""
    for kind, n, seed in itertools.product(("fuzzy", "rough", "evidential"), SIZES, range(pairs)):
        x = clustering(kind, n, np.random.default_rng([n, seed, 4])).to_evidential()
        found = evclust.fields(x)
        for name, ours in FIELDS.items():
            theirs = getattr(found, "betp_normalized" if name == "betp" else name)
            for a, b in zip(np.ravel(ours(x)), np.ravel(theirs)):
                tally.add("evclust", float(a), float(b), f"field {name}")


def rough_k_means(tally, pairs):
    """Centres and sets of rough k-means from the same start."""
    for variant, seed in itertools.product(VARIANTS, range(5 * pairs)):
        rng = np.random.default_rng([seed, 6])
        x = np.vstack([rng.normal(m, 1.0, (30, 2)) for m in (0.0, 4.0)])
        start = x[[0, 30]]
        weight = "" if variant == "PI" else ", weightLower = 0.7"
        found = call(f"""function(x, start) {{
          fit <- SoftClustering::RoughKMeans_{variant}(x, start, 2, 100, 1.2{weight})
          list(upper = as.matrix(fit$upperApprox) + 0, centers = as.matrix(fit$clusterMeans) + 0)
        }}""", x, start)
        fit = sc.cluster.RoughKMeans(2, variant=VARIANTS[variant], ratio=1.2, init=start).fit(x)
        assert np.array_equal(fit.upper_, found["upper"] == 1)
        for a, b in zip(np.ravel(fit.cluster_centers_), np.ravel(found["centers"])):
            tally.add("SoftClustering", float(a), float(b), f"centres, RoughKMeans_{variant}")


def main(pairs=3):
    warnings.simplefilter("ignore")
    tally = Tally()
    version = {name: call("""function(p) if (length(find.package(p, quiet = TRUE)))
      as.character(utils::packageVersion(p)) else ''""", name)[0]
        for name in (*r_bridge.versions(), *MORE) if name != "R" and "rpy2" not in name}
    recorded(tally, pairs)
    more(tally, pairs, version.get)
    if version["evclust"]:
        credal_fields(tally, pairs)
    if version["SoftClustering"]:
        rough_k_means(tally, pairs)
    print("| R package | version | values compared | largest difference | where |")
    print("|---|---|---|---|---|")
    for package in sorted(tally.count, key=str.lower):
        print(f"| {package} | {version[package]} | {tally.count[package]:,} | "
              f"{tally.worst[package]:.1e} | {tally.where[package]} |")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
