"""docs/why-your-tool.md against the tools themselves, where they are installed.

The tools may live in an environment of their own: SOFTCLUST_PEERS names its Python. By default it
is the one that runs the tests.
"""

import json
import math
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import softclust as sc

pytestmark = pytest.mark.slow
PEERS = os.environ.get("SOFTCLUST_PEERS", sys.executable)
PAGE = (Path(__file__).parent.parent / "docs" / "why-your-tool.md").read_text(encoding="utf-8")
X = [0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3]
Y = [0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 2]
#: what the scripts of all tools begin with
COMMON = f"""
import json, warnings
import numpy as np
warnings.simplefilter("ignore")
x, y, alone = {X}, {Y}, list(range(12))
lists = lambda labels: [[i for i, k in enumerate(labels) if k == c] for c in sorted(set(labels))]
"""
#: module, and lines of a script that make a list of numbers `out`
TOOLS = {
    "scikit-learn": ("sklearn", """
from sklearn.metrics import homogeneity_score
out = [homogeneity_score(y, x), homogeneity_score(x, y)]
"""),
    "scikit-image": ("skimage", """
from skimage.metrics import adapted_rand_error, variation_of_information
one = np.array(x) + 1, np.array(y) + 1
alone = np.array(alone) + 1
out = [*adapted_rand_error(one[1], one[0], ignore_labels=()),
       *variation_of_information(one[1], one[0], ignore_labels=()),
       *adapted_rand_error(one[1], alone, ignore_labels=())[1:]]
"""),
    "igraph": ("igraph", """
import igraph
out = [*igraph.split_join_distance(x, y), igraph.compare_communities(x, y, method="vi")]
"""),
    "cdlib": ("cdlib", """
import networkx as nx
from cdlib import NodeClustering, evaluation
graph = nx.complete_graph(12)
sides = [NodeClustering(lists(labels), graph, "labels") for labels in (x, y)]
out = [evaluation.variation_of_information(*sides).score,
       evaluation.normalized_mutual_information(*sides).score]
"""),
    "er-evaluation": ("er_evaluation", """
import pandas as pd
from er_evaluation.metrics import (b_cubed_f, b_cubed_precision, b_cubed_recall,
                                   pairwise_precision)
x, y, alone = map(pd.Series, (x, y, alone))
out = [b_cubed_precision(x, y), b_cubed_recall(x, y), b_cubed_f(x, y),
       pairwise_precision(alone, y)]
"""),
    "clusim": ("clusim", """
from clusim.clustering import Clustering
from clusim import sim
x, y, alone = (Clustering(elm2clu_dict={i: [k] for i, k in enumerate(z)}) for z in (x, y, alone))
out = [sim.purity_index(x, y), sim.purity_index(y, x), sim.vi(x, y), sim.fmeasure(alone, alone)]
"""),
}


def run(tool):
    """The numbers of a tool, and its version; skips where it is not installed."""
    module, lines = TOOLS[tool]
    script = f"""{COMMON}
from importlib.metadata import version
try:
    import {module}
except ImportError as error:
    print(json.dumps([None, str(error)]))
    raise SystemExit
{lines}
print(json.dumps([[float(v) for v in out], version("{tool}")]))
"""
    done = subprocess.run([PEERS, "-c", script], capture_output=True, text=True, timeout=300,
                          check=False)
    assert done.returncode == 0, done.stderr
    values, version = json.loads(done.stdout.splitlines()[-1])
    if values is None:
        # Peers pin old versions of numpy: they live in an environment of their own, if at all.
        pytest.skip(f"{tool} is not installed in {PEERS}: {version}")
    return values, version


def pair_f(x, y, part):
    return sc.pair_f_index(x, y, part=part)


def ours(tool):
    """The same numbers by calls of softclust, as the page has them."""
    vi, bits = sc.variation_of_information(X, Y), math.log(2)
    if tool == "scikit-learn":
        return [sc.homogeneity_index(X, Y), sc.homogeneity_index(Y, X)]
    if tool == "scikit-image":   # precision and recall exchanged
        return [1 - pair_f(X, Y, "f1"), pair_f(X, Y, "recall"), pair_f(X, Y, "precision"),
                sc.conditional_entropy(X, Y, log_base=2), sc.conditional_entropy(Y, X, log_base=2),
                0.0, math.nan]
    if tool == "igraph":
        return [sc.van_dongen_distance(X, Y, side="x"), sc.van_dongen_distance(X, Y, side="y"), vi]
    if tool == "cdlib":
        return [vi / bits, sc.normalized_mutual_information(X, Y)]
    if tool == "er-evaluation":
        return [*(sc.bcubed_index(X, Y, part=part, weights="equal")
                  for part in ("precision", "recall", "f1")), 1.0]
    smaller = sc.purity_index(Y, X)
    return [smaller, smaller, vi / bits, 0.0]


@pytest.mark.parametrize("tool", TOOLS)
def test_the_tool_gives_the_numbers_of_the_page(tool):
    values, version = run(tool)
    assert values == pytest.approx(ours(tool), abs=1e-9, nan_ok=True), f"{tool} {version}"
    assert re.search(rf"^\| {tool} \| [\d.]+ \|", PAGE, re.MULTILINE)
    # Every number of the tool that is not 0, 1 or nan is written on the page.
    for value in values:
        if not math.isnan(value) and value != int(value):
            written = {f"{value:.{digits}f}".removeprefix("0").rstrip("0") for digits in (3, 4)}
            assert any(number in PAGE for number in written), value
