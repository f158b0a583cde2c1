"""Random tiny instances of every pair of kinds against enumeration."""

import itertools
import warnings

import numpy as np
import pytest
from strategies import JIT_OFF

import softclust as sc

KINDS = ("hard", "rough", "fuzzy", "possibilistic", "evidential")
DRAWS = 150 if JIT_OFF else 2000


def random_clustering(rng, kind, n, c):
    """A clustering with few ambiguous objects, so that enumeration stays quick."""
    if kind == "hard":
        return sc.HardClustering(rng.integers(0, c, n), n_clusters=c)
    certain = np.eye(c)[rng.integers(0, c, n)]
    open_ = rng.random(n) < 0.6
    if kind == "rough":
        upper = certain.astype(bool)
        upper[open_] |= rng.random((int(open_.sum()), c)) < 0.5
        return sc.RoughClustering.from_upper(upper)
    if kind == "fuzzy":
        rows = certain.copy()
        rows[open_] = rng.dirichlet(np.full(c, 0.7), int(open_.sum()))
        return sc.FuzzyClustering(rows / rows.sum(axis=1, keepdims=True))
    if kind == "possibilistic":
        rows = certain.copy()
        rows[open_] = np.maximum(rows[open_], rng.choice([0.0, 0.25, 0.5, 1.0],
                                                         (int(open_.sum()), c)))
        return sc.PossibilisticClustering(rows)
    sets = [s for r in range(1, c + 1) for s in itertools.combinations(range(c), r)]
    listed = np.array([[k in s for k in range(c)] for s in sets])
    mass = np.zeros((n, len(sets)))
    for i in range(n):
        chosen = rng.choice(len(sets), size=min(len(sets), int(rng.integers(1, 4))),
                            replace=False)
        mass[i, chosen] = rng.dirichlet(np.ones(chosen.size))
    mass /= mass.sum(axis=1, keepdims=True)
    return sc.EvidentialClustering(mass, listed)


@pytest.mark.slow
def test_no_difference_to_enumeration():
    rng = np.random.default_rng(20261120)
    exact = 0
    for draw in range(DRAWS):
        a, b = KINDS[draw % 5], KINDS[(draw // 5) % 5]
        n, c = int(rng.integers(2, 6)), int(rng.integers(1, 4))
        if a in KINDS[2:] and b in KINDS[2:]:
            n = min(n, 4)   # couplings of all focal clusterings on both sides
        x, y = random_clustering(rng, a, n, c), random_clustering(rng, b, n, c)
        base = ("rand", "partition")[draw // 25 % 2]
        alpha = float(rng.choice([0.25, 0.5, 0.75]))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", sc.InexactWarning)
            found = sc.transport_dissimilarity(x, y, base=base, alpha=alpha, n_draws=0)
        truth = sc.transport_dissimilarity(x, y, base=base, alpha=alpha, method="enumerate",
                                           max_states=10**7)
        assert truth.exact
        for end in ("lower", "upper", "value"):
            value = getattr(truth, end)
            # linear programmes on both sides
            assert getattr(found, f"{end}_low") - 1e-9 <= value <= getattr(
                found, f"{end}_high") + 1e-9, (draw, a, b, base, end)
            if getattr(found, f"exact_{end}"):
                exact += 1
                assert getattr(found, end) == pytest.approx(value, abs=1e-9), (draw, a, b, end)
    # nearly all of these are small enough for the exact algorithms
    assert exact >= 0.95 * 3 * DRAWS
