"""One update of evidential c-means, n = 10,000, 4 clusters, all 16 sets of clusters.

Peers are PyPI's evclust, of which only the loop of updates is counted, and the textbook update
in plain numpy. evclust is not in the extra `bench`: it brings documentation tools and replaces
pandas by an older one. Its update needs neither: ``pip install --no-deps evclust==0.2.1 seaborn``.
"""

import numpy as np
from _ratios import Table, Times, main, need

import softclust as sc
from softclust.cluster import EvidentialCMeans

N, P, C = 10_000, 2, 4
#: our updates of one fit, which also makes masses and labels
UPDATES = 50


def data() -> tuple[np.ndarray, np.ndarray]:
    """Four round groups, and a start beside their centres."""
    rng = np.random.default_rng(1)
    groups = np.array([[0.0, 0.0], [5.0, 0.0], [0.0, 5.0], [5.0, 5.0]])
    return groups[rng.integers(C, size=N)] + rng.normal(size=(N, P)), groups + 0.7


def ours(x: np.ndarray, start: np.ndarray, updates: int, **settings: float) -> EvidentialCMeans:
    """A fit of `updates` updates."""
    import warnings

    from sklearn.exceptions import ConvergenceWarning
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return EvidentialCMeans(C, init=start, tol=0.0, max_iter=updates, **settings).fit(x)


def textbook(x: np.ndarray, centers: np.ndarray, sets: np.ndarray, alpha: float = 1.0,
             beta: float = 2.0, delta: float = 10.0) -> np.ndarray:
    """The next centres, in whole arrays."""
    members = sets[1:].astype(float)
    sizes = members.sum(axis=1)
    points = members @ centers / sizes[:, None]
    d2 = ((x[:, None, :] - points) ** 2).sum(axis=2)
    cost = np.column_stack([np.full(x.shape[0], delta ** 2), sizes ** alpha * d2])
    mass = cost ** (-1 / (beta - 1))
    power = (mass / mass.sum(axis=1, keepdims=True))[:, 1:] ** beta
    left = members.T @ (sizes[:, None] ** (alpha - 2) * power.sum(axis=0)[:, None] * members)
    right = (power * sizes ** (alpha - 1)) @ members
    return np.linalg.solve(left, right.T @ x)


def run(table: Table) -> None:
    """Rows for both peers, two exponents and the number of threads."""
    x, start = data()
    sets = ours(x, start, 1).focal_sets_
    after_one = ours(x, start, 1).cluster_centers_
    assert ours(x, start, UPDATES).n_iter_ == UPDATES
    assert np.allclose(textbook(x, start, sets), after_one, rtol=1e-9)
    functions = {
        "ours": lambda: ours(x, start, UPDATES),
        "ours, beta 1.5": lambda: ours(x, start, UPDATES, beta=1.5),
        "textbook": lambda: textbook(x, start, sets),
        "textbook, beta 1.5": lambda: textbook(x, start, sets, beta=1.5),
    }
    peer = need("evclust")
    if peer:
        from evclust import ecm as module
        module.extractMass = lambda mass, sets, g, **rest: g   # its tables are not the update
        def theirs() -> np.ndarray:
            return module.ecm(x, C, g0=start, epsi=np.inf, disp=False)   # stops after one
        assert np.allclose(theirs(), after_one, rtol=1e-9)
        functions["evclust"] = theirs
    times = Times(functions, rounds=5, once=("evclust",))
    table.section(f"evidential c-means, n = {N}, {C} clusters, {2 ** C} focal sets, one update: "
                  f"{1e3 * times['ours'] / UPDATES:.2f} ms, beta = 1.5 "
                  f"{1e3 * times['ours, beta 1.5'] / UPDATES:.2f} ms, "
                  f"{sc.get_num_threads()} threads")
    if peer:
        table.add("evclust 0.2.1 / EvidentialCMeans", UPDATES * times.ratio("evclust", "ours"),
                  must=20, note=f"one update of evclust, {times['evclust']:.3g} s")
    table.add("textbook in numpy / EvidentialCMeans", UPDATES * times.ratio("textbook", "ours"),
              must=1.5)
    table.add("textbook in numpy / EvidentialCMeans, beta = 1.5", UPDATES * times.ratio(
        "textbook, beta 1.5", "ours, beta 1.5"), must=1.5)


if __name__ == "__main__":
    raise SystemExit(main(run))
