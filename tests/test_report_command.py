"""The report: the command, its messages, and what Ctrl-C leaves."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from report_frames import QUICK, frame, write

import softclust as sc
from softclust import cli
from softclust.reporting import command
from softclust.reporting import run as steps
from softclust.reporting.sections.agreement import Agreement
from softclust.reporting.sections.clusterings import Clusterings
from softclust.reporting.sections.number import Number
from softclust.reporting.sections.stability import StabilitySection


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(capsys):
    def call(*arguments):
        code = cli.main(["report", *map(str, arguments)])
        said = capsys.readouterr()
        return code, said.out, said.err
    return call


# -- interruption -------------------------------------------------------------------------------
@pytest.mark.parametrize(("section", "method"), [
    (Number, "criterion"), (Clusterings, "fit"), (StabilitySection, "bag"), (Agreement, "compute")])
def test_what_is_finished_survives_ctrl_c(monkeypatch, run, section, method):
    def interrupted(self, *given):
        raise KeyboardInterrupt
    monkeypatch.setattr(section, method, interrupted)
    write(frame())
    code, out, err = run("d.csv", "--label", "species", "--clusters", "2:3", *QUICK, "--json",
                         "r.json", "--algorithms", "k-means")
    assert code == 130
    assert "interrupted; what was finished is in report.html" in err
    assert err.index("interrupted during: ") < err.index("interrupted; what was finished")
    assert "This report is incomplete" in out
    page = Path("report.html").read_text()
    assert "Not reached before the interruption: " in page
    data = json.loads(Path("r.json").read_text())
    assert data["complete"] is False
    states = [step["state"] for step in data["steps"]]
    assert states.count("interrupted") == 1
    at = states.index("interrupted")
    assert set(states[:at]) <= {"done"}
    assert set(states[at + 1:]) <= {"not reached"}
    assert data["interrupted"] == data["steps"][at]["title"]


def test_an_interrupted_report_in_python_warns(monkeypatch):
    def interrupted(self, work):
        raise KeyboardInterrupt
    monkeypatch.setattr(StabilitySection, "bag", interrupted)
    with pytest.warns(sc.IncompleteWarning, match="bagged k-means"):
        found = sc.report(frame(), label="species", id="id", n_clusters=3, pictures=False,
                          quick=True, algorithms="k-means")
    assert found.fit("k-means") is not None


def test_an_interrupted_criterion_ends_the_work(monkeypatch):
    """cluster_number keeps what it has and does not raise."""
    from softclust.selection import numbers
    calls = []

    def once(self, x):
        calls.append(1)
        if len(calls) > 1:
            raise KeyboardInterrupt
        return numbers.CellValue(criterion=0.5)
    monkeypatch.setattr(numbers.LabelsCell, "__call__", once)
    with pytest.warns(sc.IncompleteWarning):
        found = sc.report(frame(), label="species", id="id", pictures=False, quick=True)
    assert found.criteria["silhouette"].best is None
    assert found.criteria["silhouette"].missing == (3, 4, 5, 6)
    assert found.n_clusters == 2   # chosen before
    found.to_html("r.html")
    found.to_json("r.json")


@pytest.mark.slow
def test_ctrl_c_in_a_process_of_its_own():
    """A real signal: a partial report, exit code 130, no traceback."""
    table = sc.datasets.overlapping_gaussians(100_000, separation=4.0, rng=1)
    write(pd.DataFrame(table.data, columns=["a", "b"]))
    code = """if True:
        import sys
        from softclust.cli import main
        from dataclasses import replace
        from softclust.reporting.run import Work
        tasks = Work.tasks
        def told(task):
            def run():
                print("a step begins", file=sys.stderr, flush=True)
                task.run()
            return replace(task, run=run)
        Work.tasks = lambda self: [told(task) for task in tasks(self)]
        sys.exit(main(["report", "d.csv", "--no-pictures"]))
    """
    process = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE, text=True,
                               stdout=subprocess.DEVNULL)
    # The first step, the search for a number of clusters, takes seconds on any machine.
    assert process.stderr.readline() == "a step begins\n"
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert "interrupted" in err
    assert "Traceback" not in err


# -- command line -------------------------------------------------------------------------------
def test_one_command(run):
    write(frame())
    code, out, err = run("d.csv", "--label", "species", "--clusters", "3", *QUICK, "--json",
                         "r.json", "--algorithms", "k-means,mixture", "--threads", "1")
    sc.set_num_threads(None)
    assert code == 0
    assert "50 objects with 4 features" in out
    assert "note: column 'id' is taken as id (--no-id: it is data)" in err
    assert "report written to report.html and r.json" in err
    data = json.loads(Path("r.json").read_text())
    assert data["command"] == ("softclust report d.csv --label species --clusters 3 --algorithms "
                               "k-means,mixture --quick --seed 0")
    assert data["command"] in Path("report.html").read_text()
    assert [c["key"] for c in data["clusterings"]] == ["k-means", "mixture", "bagged"]


def test_numbers_to_standard_output_and_an_older_report_is_replaced(run):
    write(frame())
    Path("other.html").write_text("old")
    code, out, _ = run("d.csv", "--label", "species", "--clusters", "2", *QUICK, "--json", "-",
                       "--algorithms", "k-means", "--no-pictures", "--out", "other.html")
    assert code == 0
    assert json.loads(out)["number_of_clusters"]["chosen"] == 2
    assert Path("other.html").read_text().startswith("<!DOCTYPE html>")


@pytest.mark.parametrize(("out", "message"), [
    ("nowhere/r.html", "No such folder"), (".", "Is a directory"), ("d.csv", "is the data file"),
])
def test_targets_are_checked_before_the_work(run, monkeypatch, out, message):
    write(frame())
    monkeypatch.setattr(steps.Work, "run", lambda *a: pytest.fail("it began to work"))
    for option in ("--out", "--json"):
        code, _, err = run("d.csv", option, out, "--label", "species")
        assert code == 1
        assert message in err


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_an_unwritable_folder(run, tmp_path):
    write(frame())
    (tmp_path / "shut").mkdir(mode=0o500)
    assert "Permission denied" in run("d.csv", "--out", "shut/r.html")[2]


@pytest.mark.parametrize(("arguments", "message"), [
    ([], "required: DATA"),
    (["d.csv", "--clusters", "1"], "a number >= 2"),
    (["d.csv", "--clusters", "6:2"], "a range such as 2:6"),
    (["d.csv", "--clusters", "two"], "a number >= 2 such as 3, a range such as 2:6"),
    (["d.csv", "--clusters", "2:3:4"], "a range such as 2:6"),
    (["d.csv", "--clusters", "2,2"], "a list such as 2,4,8"),
    (["d.csv", "--algorithms", "kmeans"], "similar: 'k-means'"),
    (["d.csv", "--columns", "a", "--drop", "b"], "not allowed with argument"),
    (["d.csv", "--id", "a", "--no-id"], "not allowed with argument"),
    (["d.csv", "--columns", ","], "names nothing"),
    (["d.csv", "--seed", "-1"], "argument --seed: '-1'; a whole number >= 0"),
    (["d.csv", "--threads", "0"], "argument --threads: '0'; a whole number >= 1"),
    (["d.csv", "--sample-size", "x"], "argument --sample-size: 'x'; a whole number or all"),
    (["d.csv", "--separator", "::"], "one character"),
    (["d.csv", "--scale", "log"], "invalid choice"),
])
def test_wrong_usage_exits_2(run, arguments, message):
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert message in err


def test_missing_file(run):
    code, _, err = run("nowhere.csv")
    assert code == 1
    assert "nowhere.csv: No such file or directory" in err


def test_help(run):
    code, out, _ = run("--help")
    assert code == 0
    text = " ".join(out.split())
    for part in ("--label", "--clusters", "2:6", "nothing is left out", "Ctrl-C", "--debug"):
        assert part in text


def test_lists_and_ranges():
    assert command.numbers_of("3") == [3]
    assert command.numbers_of("2:6") == [2, 3, 4, 5, 6]
    assert command.numbers_of("2,4,8") == [2, 4, 8]
    assert command.names(" a, b,") == ["a", "b"]


# -- what analysts ask for next -----------------------------------------------------------------
def test_the_clusters_are_written(run):
    write(frame())
    code, _, err = run("d.csv", "--clusters", "3", *QUICK, "--algorithms", "k-means", "--drop",
                       "species", "--no-pictures", "--clusters-out", "c.csv")
    assert code == 0
    assert "written to report.html and c.csv" in err
    table = pd.read_csv("c.csv")
    assert table.columns.tolist() == ["id", "cluster"]
    assert table["id"].tolist() == frame()["id"].tolist()
    assert set(table["cluster"]) == {1, 2, 3}
    code, _, err = run("d.csv", "--clusters-out", "c.csv", "--json", "c.csv")
    assert code == 2
    assert "--json and --clusters-out are both c.csv" in err


def test_long_tails_and_many_features_are_named():
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"income": rng.lognormal(0, 1.5, size=90),
                          "age": rng.normal(50, 9, size=90)})
    found = sc.report(table, n_clusters=2, algorithms="k-means", quick=True, pictures=False)
    assert "“income” has a long tail of large values" in found.summary()
    assert "“age”" not in found.summary().partition("long tail")[0].rpartition("\n")[2]
    wide = sc.report(rng.normal(size=(60, 200)), n_clusters=[2, 3], algorithms="k-means",
                     quick=True, pictures=False)
    assert "There are 200 features." in wide.summary()
    assert "compute principal components first" in wide.summary()
    assert wide.evidence.reference_variances.size == 10


def test_what_to_do_when_test_and_choice_differ():
    found = sc.report(sc.datasets.load_iris().data[::2], n_clusters=range(3, 5), quick=True,
                      algorithms="k-means", pictures=False)
    assert found.evidence.best == 2
    k = found.n_clusters
    assert (f"The test finds evidence of 2 clusters, and the report goes on with {k}: take 2 "
            f"(n_clusters=2) if every two clusters must be separated, and {k} (n_clusters={k}) "
            "to divide the objects into useful parts") in found.summary()
