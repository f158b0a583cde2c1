"""The report on large tables: the same numbers by shorter ways, samples that the page tells."""

import re
import time
from html import unescape
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from report_frames import QUICK, frame, write

import softclust as sc
from softclust import cli
from softclust.reporting import (
    command,
    fits,
    run,
)
from softclust.reporting.data import read_objects
from softclust.reporting.plan import make_plan


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


# -- nothing twice ------------------------------------------------------------------------------
def test_kmeans_is_fitted_once_a_number_of_clusters(monkeypatch):
    asked = []

    def counting(x, k, plan):
        asked.append(k)
        return kmeans(x, k, plan)
    kmeans = fits._FITS["k-means"]
    monkeypatch.setitem(fits._FITS, "k-means", counting)
    found = sc.report(frame(), label="species", id="id", n_clusters=[2, 3], algorithms="k-means",
                      quick=True, pictures=False)
    assert sorted(asked) == [2, 3]
    assert found.label_curve[found.n_clusters] == sc.adjusted_rand_index(
        found.objects.label, found.fit("k-means").labels)


@pytest.mark.parametrize("values", [
    ["b", "a"] * 4, [10, 9] * 4, [1.5, 0.5] * 4, pd.Categorical(["y", "x"] * 4),
    np.array([1, "1", True, 1.0] * 2, dtype=object)])
def test_groups_are_the_texts_of_the_values(values):
    table = pd.DataFrame({"f": np.arange(8.0), "g": values})
    label = read_objects(table, label="g", columns=None, drop=None, id=None, scale="none",
                         missing_values="raise").label
    assert [label.cluster_names[k] for k in label.labels] == [str(v) for v in values]


# -- samples ------------------------------------------------------------------------------------
def test_sample_size_sets_what_looks_at_pairs():
    options = {"algorithms": ["k-means"], "seed": 0, "quick": False, "pictures": True}
    by_default, some, every = (make_plan(200_000, (3,), sample_size=s, **options)
                               for s in (None, 500, "all"))
    assert (by_default.n_criteria, by_default.n_pairs) == (4000, 10_000)
    assert (some.n_criteria, some.n_pairs) == (500, 500)
    assert (every.n_criteria, every.n_pairs) == (200_000, 200_000)
    assert make_plan(100, (3,), sample_size=500, **options).n_pairs == 100


def test_the_page_says_how_large_the_samples_are():
    table = sc.datasets.overlapping_gaussians(1050, separation=5.0, rng=1)
    options = {"n_clusters": [2, 3], "algorithms": "k-means", "quick": True, "pictures": False}
    found = sc.report(table.data, sample_size=300, seed=4, **options)
    assert found.matrix.n_objects == found.plan.n_criteria == 300
    found.to_html("r.html")
    text = unescape(re.sub(r"<.*?>", "", Path("r.html").read_text()))
    assert ("Of the 1,050 objects, 300 for the choice and 300 for test and criteria were drawn "
            "at random.") in text
    assert "number of clusters (300) and the agreement among the clusterings (300)" in text
    assert "random samples without replacement were used for" in text
    assert "sample_size='all' uses all objects" in text
    every = sc.report(table.data[:100], sample_size="all", **options)
    assert every.matrix.n_objects == every.plan.n_criteria == 100
    every.to_html("r.html")
    assert "All results use all objects." in Path("r.html").read_text()


def test_the_page_says_that_many_objects_get_fewer_starts(monkeypatch):
    from softclust.reporting import plan
    from softclust.reporting.sections import made
    monkeypatch.setattr(plan, "MANY", 250)
    monkeypatch.setattr(made, "MANY", 250)
    monkeypatch.setattr(plan, "RESAMPLED", 18_000)
    table = sc.datasets.overlapping_gaussians(300, separation=5.0, rng=1)
    found = sc.report(table.data, n_clusters=2, algorithms="k-means", pictures=False)
    assert (found.plan.n_starts, found.plan.n_bagged) == (3, 60)
    assert any("For more than 250 objects the report makes fewer starts (up to 3 instead of 10) "
               "and fewer refits on bootstrap samples (60 instead of 200)" in text
               for text in made.method(found))


@pytest.mark.parametrize("size", [0, 6, -1, 10.5, True, "most"])
def test_wrong_sample_sizes(size):
    with pytest.raises(ValueError, match=r"sample_size is .*>= 7 \(more objects than clusters\)"):
        sc.report(frame(), label="species", id="id", pictures=False, sample_size=size)


def test_sample_size_on_the_command_line(capsys):
    write(frame())
    given = ["report", "d.csv", "--label", "species", "--clusters", "2:3", *QUICK, "--algorithms",
             "k-means", "--no-pictures"]
    assert cli.main([*given, "--sample-size", "30"]) == 0
    page = Path("report.html").read_text()
    assert "--clusters 2:3 --algorithms k-means --sample-size 30 --quick" in page
    assert '<code class="nb">--sample-size all</code>' in page
    assert cli.main([*given, "--sample-size", "all"]) == 0
    assert "All results use all objects." in Path("report.html").read_text()
    for wrong, code, message in (("x", 2, "--sample-size: 'x'"), ("3", 1, "--sample-size is 3")):
        capsys.readouterr()
        assert cli.main([*given, "--sample-size", wrong]) == code
        assert message in capsys.readouterr().err


# -- progress and interruption ------------------------------------------------------------------
def test_the_clock_runs_on_within_a_step(monkeypatch, capsys):
    monkeypatch.setattr(run, "BEAT", 0.05)
    err = ""
    with run.bar(True, "reading the table"):
        for _ in range(600):   # a busy machine may show the clock late
            time.sleep(0.05)
            err += capsys.readouterr().err
            if re.search(r"\[00:[0-5][1-9]\]", err):
                break
    assert "reading the table" in err
    assert re.search(r"\[00:[0-5][1-9]\]", err)
    capsys.readouterr()   # the bar is wiped away
    with run.bar(False, "reading the table"):
        time.sleep(0.1)
    assert capsys.readouterr().err == ""


def test_steps_are_shown(capsys):
    sc.report(frame(), label="species", id="id", n_clusters=3, algorithms="k-means", quick=True,
              pictures=False, progress=True)
    err = capsys.readouterr().err
    for text in ("reading the table", "bagged k-means", "agreement of the clusterings"):
        assert text in err


def test_ctrl_c_while_the_table_is_read(monkeypatch, capsys):
    def interrupted(*given, **options):
        raise KeyboardInterrupt
    monkeypatch.setattr(run, "read_objects", interrupted)
    monkeypatch.setattr(run.Work, "run", lambda *a: pytest.fail("it began to work"))
    write(frame())
    assert cli.main(["report", "d.csv"]) == command.INTERRUPTED
    assert ("interrupted while the table was read; nothing was computed, and report.html was not "
            "written") in capsys.readouterr().err
    assert not Path("report.html").exists()


def test_criteria_on_many_objects_make_fewer_starts_and_refits():
    table = sc.datasets.overlapping_gaussians(1300, separation=5.0, rng=1)
    options = {"algorithms": ["k-means"], "seed": 0, "quick": False, "pictures": True}
    assert [(p.n_entropy, p.n_references) for p in (
        make_plan(1000, (2, 3), **options), make_plan(1300, (2, 3), **options),
        make_plan(1300, (2, 3), sample_size=500, **options))] == [(200, 50), (100, 25), (200, 50)]
    found = fits.CompiledKMeans(3, random_state=1).fit(table.data)
    again = fits.CompiledKMeans(3, random_state=1).fit(table.data)
    np.testing.assert_array_equal(found.labels_, again.labels_)
    assert sc.adjusted_rand_index(found.labels_, table.labels) > 0.9
