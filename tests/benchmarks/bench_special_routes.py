"""Special routes to numbers that another route gives, too: what each is worth.

A route that is worth less than 2 (vector code: 1.3) on every instance has no place. Each row is
the time of the other route over that of the special one.
"""

import os
import subprocess
import sys
import tempfile
import time

import numpy as np
from _ratios import Table, main

import softclust as sc
from softclust.statistics.dual_tree import tree_sums
from softclust.statistics.pairs import pair_sums

#: a route must save half of the time, vector instructions a quarter
ROUTE, VECTORS = 2.0, 1.3
#: objects, clusters, crispness of the memberships, tolerance of the enclosure: what must be gained
TREES = [(200_000, 3, 0.99, 1e-2, ROUTE), (200_000, 3, 0.9, 5e-2, ROUTE),
         (20_000, 3, 0.9, 0.0, None)]
#: batched k-means with and without instructions that are written out, in a process with a cache
#: of its own: kernels keep the constants that they were compiled with
_KMEANS = """
import sys, time
import numpy as np
from softclust._kernels import _lanes, _tiles
if sys.argv[1] == "without lanes":
    _lanes.CLUSTERS = (99, 99)
if sys.argv[1] == "without tiles":
    _tiles.FEATURES = (1, 9999)
if sys.argv[1] == "without margins":
    from softclust._kernels import bounds
    bounds.LEAST_CLUSTERS = 9999
import softclust as sc
from softclust.cluster.batched_kmeans import batched_kmeans
sc.set_num_threads(1)
rng = np.random.default_rng(0)
if sys.argv[2] == "plane":
    x = rng.normal(size=(300, 2)) + 1.5 * np.array([[1, 0], [-1, 0], [0, 3**0.5]])[
        np.arange(300) % 3]
    draws, uniforms = rng.integers(0, 300, (2000, 300)), rng.random((2000, 1, 3))
else:
    from sklearn.datasets import load_digits, make_blobs
    x = load_digits().data if sys.argv[2] == "digits" else make_blobs(
        20_000, 200, centers=20, cluster_std=8.0, random_state=0)[0]
    count, clusters = (40, 10) if sys.argv[2] == "digits" else (4, 20)
    draws, uniforms = rng.integers(0, len(x), (count, len(x))), rng.random((count, 1, clusters))
batched_kmeans(x, indices=draws[:9], uniforms=uniforms[:9])
seconds = []
for _ in range(7):
    start = time.process_time()
    batched_kmeans(x, indices=draws, uniforms=uniforms)
    seconds.append(time.process_time() - start)
print(min(seconds))
"""


def run(table: Table) -> None:
    """Rows for the dual tree and for written-out vector instructions."""
    table.section("dual tree: all pairs of objects / the tree")
    for n, c, crisp, tolerance, must in TREES:
        x, y = (memberships(n, c, crisp, seed) for seed in (1, 2))
        few = np.arange(200)
        tree_sums(x.subset(few), y.subset(few))
        pair_sums(x.subset(few), y.subset(few), method="pairs")
        pairs = seconds(lambda x=x, y=y: pair_sums(x, y, method="pairs"))
        tree = seconds(lambda x=x, y=y, t=tolerance: tree_sums(x, y, tolerance=t))
        what = f"bounds within {tolerance:g}" if tolerance else "exact"
        table.add(f"{what}, n = {n}, {c} clusters, crispness {crisp}", pairs / tree, must=must)
    table.section("k-means: loops left to the compiler / vector instructions written out")
    table.add("2000 replicates, n = 300, d = 2, K = 3",
              kmeans("without lanes", "plane") / kmeans("with", "plane"), must=VECTORS)
    times = {data: kmeans("with", data) for data in ("digits", "blobs")}
    plain = {data: kmeans("without margins", data) for data in times}
    table.add("tiles: digits, K = 10", kmeans("without tiles", "digits") / plain["digits"],
              must=VECTORS)
    table.section("k-means: passes that find all distances / those that margins do not rule out")
    table.add("digits, K = 10", plain["digits"] / times["digits"])
    table.add("20,000 objects, 200 features, K = 20", plain["blobs"] / times["blobs"], must=ROUTE)


def memberships(n: int, c: int, crisp: float, seed: int) -> sc.FuzzyClustering:
    """Two such differ in a tenth of their labels and in their noise."""
    rng = np.random.default_rng(seed)
    labels = np.random.default_rng(7).integers(0, c, n)
    labels = np.where(rng.random(n) < 0.1, rng.integers(0, c, n), labels)
    rows = crisp * np.eye(c)[labels] + (1 - crisp) * rng.dirichlet(np.ones(c), n)
    return sc.FuzzyClustering(rows / rows.sum(axis=1, keepdims=True))


def seconds(call) -> float:
    """Of all threads, of one call."""
    start = time.process_time()
    call()
    return time.process_time() - start


def kmeans(how: str, data: str) -> float:
    """Seconds in a process of its own."""
    with tempfile.TemporaryDirectory() as cache:
        done = subprocess.run([sys.executable, "-c", _KMEANS, how, data], check=True, text=True,
                              capture_output=True, env={
                                  **os.environ, "XDG_CACHE_HOME": cache,
                                  "SOFTCLUST_COMPILE": "always"})
    return float(done.stdout)


if __name__ == "__main__":
    raise SystemExit(main(run))
