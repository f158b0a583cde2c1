"""Fits, files and frames as users have them; every print says what was left out."""

import json
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.cluster import DBSCAN, HDBSCAN, OPTICS
from sklearn.datasets import make_moons
from sklearn.metrics import adjusted_rand_score
from sklearn.mixture import GaussianMixture

import softclust as sc
from softclust.cli import main

X, TRUTH = make_moons(150, noise=0.15, random_state=0)
DENSITY = {"hdbscan": HDBSCAN(min_cluster_size=8, copy=True), "dbscan": DBSCAN(eps=0.15),
           "optics": OPTICS(min_samples=6)}


def text(found):
    return " ".join(str(found).split())


@pytest.mark.parametrize("name", list(DENSITY))
def test_density_fits(name):
    fit = DENSITY[name].fit(X)
    noise = fit.labels_ == -1
    assert 0 < noise.sum() < 100
    by_hand = {"cluster": (TRUTH, fit.labels_), "drop": (TRUTH[~noise], fit.labels_[~noise]),
               "singletons": (TRUTH, np.where(noise, 100 + np.arange(150), fit.labels_))}
    for rule, sides in by_hand.items():
        found = sc.compare(TRUTH, fit, measures="adjusted_rand_index", noise=rule)
        assert found.value("adjusted_rand_index") == pytest.approx(adjusted_rand_score(*sides),
                                                                   abs=1e-12)
        if rule != "cluster":
            assert f"y: {noise.sum()} noise ({rule})" in text(found)
            assert f"{found.n_objects} of 150 objects compared" in text(found)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sc.InexactWarning)
        ends = sc.completion_bounds(TRUTH, fit, noise_label=-1)
    filled = sc.adjusted_rand_index(TRUTH, np.where(noise, 0, fit.labels_))
    assert ends.low <= filled <= ends.high
    assert f"{noise.sum()} in y only" in text(ends)
    for kind, rule in (("rough", "unknown"), ("evidential", "empty")):
        assert sc.align(TRUTH, fit, noise=rule)[1].kind == kind


def test_every_function_of_several_says_what_was_left_out():
    fits = {name: fit.fit(X) for name, fit in DENSITY.items()}
    kept = int(np.logical_and.reduce([fit.labels_ >= 0 for fit in fits.values()]).sum())
    line = f"{kept} of 150 objects compared"
    assert line in text(sc.compare_all(fits, measure="rand_index", noise="drop"))
    assert "56 noise (one more cluster)" in repr(sc.prayatul_all(TRUTH, fits).alignment)
    two = fits["hdbscan"], fits["dbscan"]
    both = int((two[0].labels_ >= 0)[two[1].labels_ >= 0].sum())
    line = f"{both} of 150 objects compared"
    assert line in text(sc.match_clusters(*two, noise="drop", rng=0))
    assert line in text(sc.chance(*two, "rand_index", noise="drop", n_permutations=9, rng=0))
    assert line in text(sc.prayatul(TRUTH, *two, noise="drop"))
    runs = sc.Ensemble(fits, noise="drop")
    assert runs.n_objects == kept == runs.alignment.n_objects


def test_a_mixture():
    fit = GaussianMixture(2, random_state=0).fit(X)
    soft = sc.as_clustering(fit, X=X)
    assert soft.kind == "fuzzy"
    labels = sc.compare(TRUTH, fit.predict(X), measures="adjusted_rand_index")
    assert labels.value("adjusted_rand_index") == pytest.approx(
        adjusted_rand_score(TRUTH, fit.predict(X)))
    with pytest.raises(sc.ClusteringError, match=r"as_clustering\(estimator, X=X\)"):
        sc.compare(TRUTH, fit)


@pytest.fixture
def files(tmp_path):
    """Two files with ids of which some are in one alone, empty cells, and noise."""
    labels = DENSITY["hdbscan"].fit(X).labels_
    found = pd.DataFrame({"id": [f"a{i}" for i in range(150)], "label": labels}, dtype=object)
    found.loc[20:29, "label"] = None
    known = pd.DataFrame({"id": [f"a{i}" for i in range(10, 155)],
                          "label": [*TRUTH[10:], 0, 0, 1, 1, 1]})
    paths = [tmp_path / "found.csv", tmp_path / "known.csv"]
    found.to_csv(paths[0], index=False)
    known.sample(frac=1, random_state=0).to_csv(paths[1], index=False)
    return [str(path) for path in paths]


def test_files_and_frames_with_other_ids_and_empty_cells(files, capsys):
    def run(*options):
        code = main(["compare", *files, "--measures", "adjusted_rand_index", *options])
        said = capsys.readouterr()
        return code, " ".join(said.out.split()), said.err

    assert run()[0] == 1
    assert "--objects common" in run()[2]
    code, _, error = run("--objects", "common")
    assert code == 1
    assert "--missing drop" in error
    code, out, _ = run("--objects", "common", "--missing", "drop", "--noise", "drop")
    assert code == 0
    assert "10 of 150 objects of" in out
    assert "noise (drop)" in out
    sides = [pd.read_csv(path, index_col="id")["label"] for path in files]
    assert sides[0].dtype == float   # gaps make whole numbers floats
    found = sc.compare(*sides, objects="common", missing="drop", noise="drop",
                       measures="adjusted_rand_index")
    joined = pd.concat(sides, axis=1, keys=["x", "y"]).dropna()
    joined = joined[joined["x"] >= 0]
    assert found.n_objects == len(joined)
    expected = adjusted_rand_score(joined["x"], joined["y"])
    assert found.value("adjusted_rand_index") == pytest.approx(expected, abs=1e-12)
    assert "10 absent" in text(found)
    code, out, _ = run("--objects", "common", "--missing", "drop", "--noise", "drop", "--format",
                       "json")
    assert json.loads(out)["measures"][0]["value"] == pytest.approx(expected, abs=1e-12)
    code, out, _ = run("--objects", "common", "--missing", "bounds")
    assert "missing labels: 10 in" in out
