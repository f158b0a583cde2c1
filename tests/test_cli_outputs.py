"""Outputs of commands: checked before the work, left alone by Ctrl-C; closed streams."""

import subprocess
import sys
import warnings
from functools import wraps
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

import softclust as sc
from softclust import _checks, cli
from softclust.running.interrupts import Interruption

X = np.random.default_rng(0).normal(size=(12, 2))


@pytest.fixture(autouse=True)
def _files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    table = "\n".join(f"{a:.3f},{b:.3f}" for a, b in X)
    for name in ("a.csv", "b.csv"):
        Path(name).write_text(f"u,v\n{table}\n", encoding="utf-8")
    runs = "\n".join(f"{i % 2},{i % 3},{i % 2}" for i in range(12))
    for name in ("x.csv", "y.csv"):
        Path(name).write_text(f"r,s,t\n{runs}\n", encoding="utf-8")
    Path("l.csv").write_text("id,l,m\n" + "\n".join(f"o{i},{i % 2},{i % 3}" for i in range(12)),
                             encoding="utf-8")
    Path("folder").mkdir()


COMMANDS = {
    "replicate": ["replicate", "a.csv", "b.csv", "--clusters", "2"],
    "versions": ["versions", "x.csv", "y.csv"],
    "compare": ["compare", "--data", "l.csv", "--x", "l", "--y", "m"],
    "count": ["count", "l.csv", "l", "m"],
}


@pytest.mark.parametrize(("command", "option", "path", "message"), [
    ("replicate", "--report", "none/r.html", "No such folder"),
    ("replicate", "--json", "folder", "Is a directory"),
    ("replicate", "--plot", "r.xyz", "extension"), ("versions", "--json", "none/r.json", "folder"),
    ("versions", "--plot", "v.csv", "extension"), ("compare", "--plot", "c.nothing", "extension"),
    ("compare", "--plot", "none/c.png", "No such folder"),
    ("count", "--save", "none/t.npz", "No such folder")])
def test_outputs_are_checked_before_the_work(command, option, path, message, capsys, monkeypatch):
    def never():
        raise AssertionError("it computes")
    for module, name in (("softclust.selection", "replicate"), ("softclust.comparison", "compare"),
                         ("softclust.comparison.versions", "compare_versions"),
                         ("softclust.cli.counting", "_table")):
        real = getattr(import_module(module), name)   # its signature gives the options
        monkeypatch.setattr(f"{module}.{name}", wraps(real)(lambda *_, **__: never()))
    assert cli.main([*COMMANDS[command], option, path]) == 2
    found = capsys.readouterr().err
    assert option in found
    assert message in found


@pytest.mark.parametrize("command", ["replicate", "versions"])
def test_seeds_are_called_by_their_option(command, capsys):
    assert cli.main([*COMMANDS[command], "--seed", "-1"]) == 2
    assert "--seed" in capsys.readouterr().err


def test_an_interrupted_command_leaves_a_good_file_alone(capsys, monkeypatch):
    def stopped(*_, **__):
        Interruption("interrupted after 3 of 100 splits").warn()
        raise AssertionError("it goes on")
    monkeypatch.setattr("softclust.selection.replicate", stopped)
    Path("r.html").write_text("whole", encoding="utf-8")
    assert cli.main([*COMMANDS["replicate"], "--report", "r.html"]) == 130
    assert Path("r.html").read_text(encoding="utf-8") == "whole"
    assert capsys.readouterr().err == "softclust: interrupted after 3 of 100 splits\n"


def test_an_interrupted_report_is_written_beside_a_whole_one(capsys, monkeypatch):
    Path("report.html").write_text("whole", encoding="utf-8")
    monkeypatch.setattr("softclust.reporting.record.Report.complete", False)
    monkeypatch.setattr("softclust.reporting.record.Report.interrupted", "stability")
    code = cli.main(["report", "a.csv", "--clusters", "2", "--quick", "--no-pictures",
                     "--algorithms", "k-means"])
    assert code == 130
    assert Path("report.html").read_text(encoding="utf-8") == "whole"
    assert Path("report.unfinished.html").exists()
    assert "report.unfinished.html" in capsys.readouterr().err


@pytest.mark.filterwarnings("default")
def test_warnings_are_lines_without_source(capsys, monkeypatch):
    @wraps(sc.compare)
    def warned(*arguments, **options):
        warnings.warn("from another\npackage", RuntimeWarning, stacklevel=1)
        _checks.warn("ours", _checks.InexactWarning)
        return sc.comparison.several.compare(*arguments, **options)
    monkeypatch.setattr("softclust.comparison.compare", warned)
    assert cli.main(COMMANDS["compare"]) == 0
    lines = [line for line in capsys.readouterr().err.splitlines() if "warning" in line]
    assert lines == ["softclust: warning: from another package", "softclust: warning: ours"]


@pytest.mark.skipif(sys.platform == "win32", reason="a shell of POSIX")
@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-"])
def test_closed_streams(closed):
    command = f"'{sys.executable}' -m softclust {' '.join(COMMANDS['compare'])} {closed}"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert "Traceback" not in done.stdout + done.stderr


# -- arguments that are something else -------------------------------------------------------------
def _function(x, k):
    return np.arange(len(x)) % k


@pytest.mark.parametrize(("call", "message"), [
    (lambda: sc.cluster_number(X, estimator=3), "estimator is a int without fit"),
    (lambda: sc.cluster_test(X, estimator=3), "estimator is a int without fit"),
    (lambda: sc.prediction_strength(X, 3), "estimator is a int without fit"),
    (lambda: sc.replicate({"a": X, "b": X}, 3), "estimator is a int without fit"),
    (lambda: sc.replicate(None, lambda x: _function(x, 2)), "cohorts is a NoneType"),
    (lambda: sc.prediction_strength(X, _function, [2], classifier=[]), "classifier is a list"),
    (lambda: sc.rank_clusterings("a", ["b"], data=3), "data is of type int"),
    (lambda: sc.agreement_by_strata("a", "b", "c", data=3), "data is of type int"),
    (lambda: sc.align([0, 1], [0, 1], noise=np.arange(2)), r"noise=array\(\[0, 1\]\)"),
    (lambda: sc.align([0, 1], [0, 1], objects=np.arange(2)), r"objects=array\(\[0, 1\]\)"),
    (lambda: sc.compare([0, 1], [0, 1], measures=3), "measure"),
])
def test_errors_name_the_argument(call, message):
    with pytest.raises((TypeError, ValueError), match=message):
        call()


@pytest.mark.parametrize("call", [
    lambda n: sc.chance([0, 0, 1, 1], [0, 1, 1, 1], "ARI", n_permutations=n, rng=0),
    lambda n: sc.compare([0, 0, 1, 1], [0, 1, 1, 1], ci="bootstrap", n_resamples=n, rng=0),
    lambda n: sc.cluster_number(X, criterion="pac", n_resamples=n),
    lambda n: sc.BaggedClustering(2, n_resamples=n).fit(X),
    lambda n: sc.BayesianBaggedClustering(2, n_resamples=n).fit(X),
    lambda n: sc.MultipleMatchClustering(2, n_resamples=n).fit(X),
    lambda n: sc.cluster_test(X, n_references=n), lambda n: sc.cluster_number(
        X, criterion="gap", n_references=n),
    lambda n: sc.prediction_strength(X, _function, [2], n_splits=n),
    lambda n: sc.consensus([[0, 1], [1, 1]], n_starts=n),
    lambda n: sc.posterior_partition([[0, 1], [1, 1]], n_starts=n),
    lambda n: sc.bootstrap_indices(5, n_resamples=n)])
def test_counts_that_never_end(call):
    with pytest.raises((TypeError, ValueError), match=r"1,000,000,000|1e\+30"):
        call(10**30)
