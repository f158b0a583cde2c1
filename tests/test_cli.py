"""The command line: files, ids, formats, messages and exit codes."""

import json
import os
import re
import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pandas as pd
import pytest

import softclust as sc
from softclust import cli
from softclust.cli import demo
from softclust.cli.output import FORMATS
from softclust.datasets import customers_file

ROOT = Path(__file__).parent.parent

HARD = "id,cluster\na,s\nb,s\nc,t\nd,t\n"
FUZZY = "id,one,two\nd,0.0,1.0\nc,0.25,0.75\nb,1.0,0.0\na,0.875,0.125\n"
X = sc.HardClustering(["s", "s", "t", "t"])
Y = sc.FuzzyClustering([[.875, .125], [1, 0], [.25, .75], [0, 1]])


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A working folder with files by name and text."""
    monkeypatch.chdir(tmp_path)

    def write(**texts):
        for name, text in texts.items():
            Path(f"{name}.csv").write_text(text, encoding="utf-8")
    write(hard=HARD, fuzzy=FUZZY)
    return write


@pytest.fixture
def run(capsys):
    def call(*arguments):
        code = cli.main([str(a) for a in arguments])
        said = capsys.readouterr()
        return code, said.out, said.err
    return call


def values(out):
    return {row["measure"]: row.get("value") for row in json.loads(out)["measures"]}


# -- compare ------------------------------------------------------------------------------------
def test_rows_are_matched_by_id(folder, run):
    code, out, err = run("compare", "hard.csv", "fuzzy.csv", "--format", "json")
    assert code == 0
    found = json.loads(out)
    assert found["x"] == {"name": "hard.csv", "kind": "hard", "n_clusters": 2}
    assert found["y"]["kind"] == "fuzzy"
    assert values(out)["alpha_rand_index"] == sc.alpha_rand_index(X, Y)
    assert "note: column 'id' of hard.csv is used as id" in err


def test_without_ids_rows_are_matched_by_position(folder, run):
    folder(a="cluster\ns\ns\nt\nt\n", b="one,two\n.875,.125\n1,0\n.25,.75\n0,1\n")
    code, out, err = run("compare", "a.csv", "b.csv", "--format", "json")
    assert (code, err) == (0, "")
    assert values(out)["alpha_rand_index"] == sc.alpha_rand_index(X, Y)


@pytest.mark.parametrize(("columns", "is_id"), [
    ("id,label", True), ("ID,label", True), ("flower_id,label", True), (",label", True),
    ("name,label", True), ("weight,label", False),
])
def test_the_id_rule_reads_the_header(folder, columns, is_id):
    from softclust.cli.files import read_table
    folder(a=f"{columns}\n1,0\n2,0\n3,1\n")
    assert (read_table("a.csv").id_column is not None) == is_id


def test_the_id_rule_takes_text_that_differs_in_every_row(folder):
    from softclust.cli.files import read_table
    folder(a="flower,label\nx,0\ny,0\n", b="species,label\nx,0\nx,0\n")
    assert read_table("a.csv").id_column == "flower"
    assert read_table("b.csv").id_column is None
    assert read_table("b.csv", has_id=False).guessed is False


def test_ids_are_text(folder):
    from softclust.cli.files import read_table
    folder(a="id,label\n007,0\nNA,1\n7,1\n")
    assert list(read_table("a.csv").frame.index) == ["007", "NA", "7"]


def test_ids_that_look_like_numbers_are_text(folder):
    from softclust.cli.files import read_table
    folder(a="id,label\n007,0\n7,1\n")
    assert list(read_table("a.csv").frame.index) == ["007", "7"]


def test_a_nameless_id_column_is_noted(folder, run):
    folder(a=",label\na,0\nb,0\nc,1\nd,1\n")
    assert "the first column of a.csv, which has no name, is used as id" in run(
        "compare", "a.csv", "hard.csv")[2]


def test_numbers_in_a_first_column_stay_numbers(folder):
    from softclust.cli.files import read_table
    folder(a="one,two\n0.25,0.75\n1,0\n", b="one,two\nTrue,False\nFalse,True\n")
    assert read_table("a.csv").frame["one"].tolist() == [0.25, 1.0]
    assert read_table("b.csv").frame["one"].dtype == bool


@pytest.mark.parametrize(("texts", "arguments", "message"), [
    ({"b": "id,label\na,0\nb,0\nc,1\nx,1\n"}, [], "only in hard.csv: 'd'; only in b.csv: 'x'"),
    ({"b": "id,label\na,0\nb,0\nc,1\nc,1\n"}, [], "has the id 'c' in column 'id' more than once"),
    ({"b": "id,label\na,0\nb,0\nc,1\n,1\n"}, [], "b.csv has no id in data row 4"),
    ({"b": "label\n0\n0\n1\n1\n"}, [], "hard.csv has an id column ('id') and b.csv has none"),
    ({"b": "label\n0\n0\n1\n1\n"}, ["--id"], "b.csv has one column, 'label'; with --id"),
    ({"b": ""}, [], "b.csv is empty"),
    ({"b": "id,label\n"}, [], "b.csv has no rows"),
    ({"b": "0\n0\n1\n1\n"}, [], "--header if these are column names, --no-header if they are"),
    ({"b": "id,u,u\na,1,0\n"}, [], "two columns called 'u'"),
    ({"b": "id,p,q\na,1,0\nb,1,0\nc,0,1\nd,.5,.4\n"}, [], "kind"),
    ({"b": "id,p,q\na,1,0\nb,1,0\nc,0,1\nd,.5,.4\n"}, ["--kind-b", "fuzzy"], "sums to 0.9"),
    ({"b": "id,p,q\na,1,0\nb,1,0\nc,0,1\nd,.5,\n"}, ["--kind-b", "fuzzy"], "--missing drop"),
    ({"b": "id,label\na,0\nb,0\nc,1\nd,\n"}, [],
     "1 of 4 objects lack an entry in b.csv ('d'): fill it in, or give --missing drop"),
    ({"b": "id,p,q\na,1,0\nb,1,0\nc,0,1\nd,1,0\n"}, ["--kind-b", "hard"], "--column ('p', 'q')"),
    ({"b": "id,p,q\na,1,0\nb,1,0\nc,0,1\nd,1,0\n"}, ["--column-b", "r"], "no column 'r'"),
    ({"b": "id,p,q\na,1,0\nb,1,0\nc,0,1\nd,1,0\n"}, ["--kind-b", "fuzzy", "--column-b", "p"],
     "columns of labels are for hard"),
])
def test_data_errors_are_one_line_and_exit_1(folder, run, texts, arguments, message):
    folder(**texts)
    code, out, err = run("compare", "hard.csv", "b.csv", *arguments)
    assert (code, out) == (1, "")
    assert message in err
    assert "Traceback" not in err
    assert err.splitlines()[-1].startswith("softclust: ")


def test_missing_file(folder, run):
    code, _, err = run("compare", "hard.csv", "nowhere.csv")
    assert code == 1
    assert "nowhere.csv" in err
    assert "No such file" in err


def test_debug_lets_the_traceback_through(folder):
    with pytest.raises(FileNotFoundError):
        cli.main(["compare", "--debug", "hard.csv", "nowhere.csv"])
    with pytest.raises(FileNotFoundError):
        cli.main(["--debug", "compare", "hard.csv", "nowhere.csv"])


def test_columns_of_labels(folder, run):
    folder(a="id,truth,found\na,0,x\nb,0,x\nc,1,y\nd,1,x\n")
    code, out, _ = run("compare", "a.csv", "a.csv", "--column-a", "truth", "--column-b", "found",
                       "--format", "json")
    assert code == 0
    assert values(out)["rand_index"] == sc.rand_index([0, 0, 1, 1], [0, 0, 1, 0])
    code, out, _ = run("compare", "a.csv", "hard.csv", "--column", "truth", "--column-b",
                       "cluster", "--format", "json")
    assert code == 0
    assert values(out)["rand_index"] == 1.0


def test_files_without_header(folder, run):
    folder(a="0\n0\n1\n1\n", b="0\n1\n1\n1\n")
    code, out, _ = run("compare", "a.csv", "b.csv", "--no-header", "--format", "json")
    assert code == 0
    assert json.loads(out)["n_objects"] == 4
    code, out, _ = run("compare", "a.csv", "b.csv", "--header", "--format", "json")
    assert json.loads(out)["n_objects"] == 3


def test_tab_separated_and_parquet(folder, run):
    Path("b.tsv").write_text(FUZZY.replace(",", "\t"))
    wanted = sc.alpha_rand_index(X, Y)
    _, out, _ = run("compare", "hard.csv", "b.tsv", "--format", "json")
    assert values(out)["alpha_rand_index"] == wanted
    pytest.importorskip("pyarrow")
    frame = pd.read_csv("fuzzy.csv")
    frame.to_parquet("plain.parquet")
    frame.set_index("id").to_parquet("indexed.parquet")
    for path in ("plain.parquet", "indexed.parquet"):
        code, out, _ = run("compare", "hard.csv", path, "--format", "json")
        assert code == 0
        assert values(out)["alpha_rand_index"] == wanted


@pytest.mark.parametrize("kind", ["rough", "fuzzy", "possibilistic", "evidential"])
def test_frames_of_soft_clusterings_come_back_from_csv(folder, kind):
    from softclust.cli.files import read_table, to_clustering
    given = {
        "rough": sc.RoughClustering.from_upper([[1, 0], [1, 1]], object_names=["a", "b"],
                                               cluster_names=["u", "v"]),
        "fuzzy": sc.FuzzyClustering([[1, 0], [.5, .5]], object_names=["a", "b"]),
        "possibilistic": sc.PossibilisticClustering([[1, 0], [.5, .25]],
                                                    object_names=["a", "b"]),
        "evidential": sc.EvidentialClustering.from_dicts(
            [{"u": .5, (): .5}, {("u", "v"): 1.0}], object_names=["a", "b"]),
    }[kind]
    given.to_frame().to_csv("c.csv", index_label="id")
    again = to_clustering(read_table("c.csv"), kind=kind)
    assert again.kind == kind
    assert again.object_names == ("a", "b")
    for field in given._fields:
        assert (getattr(again, field) == getattr(given, field)).all()


def test_formats(folder, run):
    outputs = {form: run("compare", "hard.csv", "fuzzy.csv", "--format", form)[1]
               for form in FORMATS}
    assert outputs["text"].startswith("Comparison of hard.csv (hard, 2 clusters) and fuzzy.csv")
    assert outputs["csv"].startswith("measure,value,low,high,sense,")
    assert "<table" in outputs["html"]
    assert r"\begin{tabular}" in outputs["latex"]
    interval = next(row for row in json.loads(outputs["json"])["measures"]
                    if row["measure"] == "transport_dissimilarity")
    assert {"low", "high"} <= set(interval)
    alpha = next(row for row in json.loads(outputs["json"])["measures"]
                 if row["measure"] == "alpha_rand_index")
    assert "alpha_rand_interval" in alpha["also"]


def test_undefined_values_are_null_in_json(folder, run):
    folder(a="label\n0\n1\n2\n", b="label\n0\n0\n1\n")
    code, out, _ = run("compare", "a.csv", "b.csv", "--format", "json")
    assert code == 0
    assert values(out)["fowlkes_mallows_index"] is None


def test_measures_and_alpha(folder, run):
    code, out, _ = run("compare", "hard.csv", "fuzzy.csv", "--measures",
                       "alpha_rand_index,alpha_rand_interval", "--alpha", "0.25",
                       "--format", "json")
    assert code == 0
    assert [row["measure"] for row in json.loads(out)["measures"]] == [
        "alpha_rand_index", "alpha_rand_interval"]
    assert json.loads(out)["measures"][0]["options"] == {"alpha": 0.25}


def test_chart(folder, run):
    pytest.importorskip("matplotlib")
    code, _, err = run("compare", "hard.csv", "fuzzy.csv", "--plot", "chart.png")
    assert code == 0
    assert Path("chart.png").read_bytes().startswith(b"\x89PNG")
    assert "chart saved as chart.png" in err
    code, _, err = run("compare", "hard.csv", "fuzzy.csv", "--plot", "chart.nonsense")
    assert code == 2
    assert "nonsense" in err


# -- usage --------------------------------------------------------------------------------------
@pytest.mark.parametrize(("arguments", "message"), [
    (["compare", "hard.csv"], "two files are needed"),
    (["compare", "--data", "hard.csv", "--x", "id"], "--data needs --x COLUMN and --y COLUMN"),
    (["compare", "hard.csv", "--data", "hard.csv"], "leave out A and B"),
    (["compare", "hard.csv", "fuzzy.csv", "--x", "id"], "name columns of --data"),
    (["compare", "hard.csv", "fuzzy.csv", "--groups", "id"], "--groups has no effect"),
    (["compare", "hard.csv", "fuzzy.csv", "--pairs", "within"], "--pairs within needs --groups"),
    (["chance", "hard.csv", "x", "y", "--strata", "s", "--frequencies", "f"], "one row per"),
    (["compare", "hard.csv", "fuzzy.csv", "--alpha", "2"], "--alpha is 2; a number from 0 to 1"),
    (["compare", "hard.csv", "fuzzy.csv", "--alpha", "much"], "--alpha"),
    (["compare", "hard.csv", "fuzzy.csv", "--measures", "rand"], "similar: "),
    (["compare", "hard.csv", "fuzzy.csv", "--kind-a", "crisp"], "--kind-a"),
    (["compare", "hard.csv", "fuzzy.csv", "--nonsense"], "--nonsense"),
    (["dance"], "dance"),
])
def test_wrong_usage_exits_2(folder, run, arguments, message):
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert "Traceback" not in err


def test_no_command_prints_help(run):
    code, out, _ = run()
    assert code == 2
    assert "compare" in out


def test_only_a_process_of_its_own_changes_the_garbage_collector(run, monkeypatch):
    changed = []
    monkeypatch.setattr(cli, "_collect_seldom", lambda: changed.append(True))
    run("--version")
    assert not changed
    monkeypatch.setattr(sys, "argv", ["softclust", "--version"])
    cli.main()
    assert changed == [True]


def test_version(run):
    assert run("--version") == (0, f"softclust {sc.__version__}\n", "")
    code, out, err = run("--version", "--verbose")
    assert (code, err) == (0, "")
    lines = dict(re.split(r"  +", line, maxsplit=1) for line in out.splitlines())
    assert lines["softclust"] == sc.__version__
    assert {"Python", "numba", "compiled kernels", "threads", "linear algebra", "R"} <= set(lines)
    assert lines["threads"] == str(sc.get_num_threads())


@pytest.mark.parametrize("command", ["demo", "compare", "measures"])
def test_every_command_has_help(run, command):
    code, out, _ = run(command, "--help")
    assert code == 0
    assert "--debug" in out


def test_help_states_the_rule_for_ids(run):
    assert "text that differs in every row" in " ".join(run("compare", "--help")[1].split())


def test_measures_lists_the_registry(run):
    code, out, _ = run("measures")
    assert code == 0
    assert "alpha_rand_interval" in out
    names = [row["name"] for row in json.loads(run("measures", "--format", "json")[1])]
    assert names == list(sc.list_measures().index)
    assert run("measures", "--format", "csv")[1].startswith("name,family,")
    assert "<table" in run("measures", "--format", "html")[1]
    assert "tabular" in run("measures", "--format", "latex")[1]


def test_interrupt_exits_130(monkeypatch, run):
    def interrupted(options, parser):
        raise KeyboardInterrupt
    monkeypatch.setattr("softclust.cli.measures._run_measures", interrupted)
    code, _, err = run("measures")
    assert code == 130
    assert "interrupted" in err


def test_unforeseen_errors_are_said_in_one_line(monkeypatch, run):
    def broken(options, parser):
        raise RuntimeError("oh")
    monkeypatch.setattr("softclust.cli.measures._run_measures", broken)
    code, _, err = run("measures")
    assert code == 1
    assert "unexpected RuntimeError: oh" in err
    assert "--debug" in err


def test_a_reader_that_goes_away_is_no_error():
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as pipe:
        run = subprocess.run([sys.executable, "-m", "softclust", "measures"], stdout=pipe,
                             stderr=subprocess.PIPE, text=True)
    assert run.stderr == ""
    assert run.returncode == 141


def test_other_packages_add_commands(monkeypatch, run):
    entry = EntryPoint(name="greet", group=cli.COMMAND_GROUP, value="builtins:len")
    monkeypatch.setattr(cli, "entry_points", lambda group: [entry])
    assert run("greet", "a", "b")[0] == 2   # len(["a", "b"])
    assert "further commands: greet" in " ".join(run("--help")[1].split())


def test_in_a_process_of_its_own(folder):
    run = subprocess.run([sys.executable, "-m", "softclust", "compare", "hard.csv",
                          "nowhere.csv"], capture_output=True, text=True)
    assert run.returncode == 1
    assert run.stdout == ""
    assert run.stderr.splitlines()[-1] == "softclust: nowhere.csv: No such file or directory"


# -- demo ---------------------------------------------------------------------------------------
def test_demo(folder, run):
    """It tells the story of docs/tutorial.md: the same numbers, in the same order."""
    pytest.importorskip("matplotlib")
    code, out, _ = run("demo", "--out", "pictures")
    assert code == 0
    assert Path("pictures/customers.png").read_bytes().startswith(b"\x89PNG")
    assert Path("pictures/customers.csv").read_bytes() == customers_file().read_bytes()
    tutorial = " ".join((ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8").split())
    found = " ".join(out.split())
    place = 0
    for sentence in (
            "Evidence for 3 clusters (k-means, p = 0.010)", "1 of 5 settings may be best",
            "All 3 clusters are apart from each other.", "family and family plus are one.",
            "0.77 (0.68 to 0.84)", "family and family plus are merged in cluster deals",
            "1 % by chance (p = 0.41)", "adjusted Rand index 0.98 (0.90 to 1.00)",
            "Objects that changed: 6 of 300"):
        assert sentence in tutorial
        place = found.index(sentence, place)
    assert "5 of 300 are not: C050, C102, C115, C117, C206." in found
    assert "deals 84%, frequent 37%, quiet 74% renewed" in found


def test_demo_without_picture(folder, run, monkeypatch):
    monkeypatch.setattr(demo, "tell", lambda results, progress: iter([("Why?", "f(x)", "So.")]))
    code, out, _ = run("demo", "--no-plot")
    assert code == 0
    assert out.startswith("Why?\n  f(x)\n  So.\n")
    assert [path.name for path in Path("demo-output").iterdir()] == ["customers.csv"]


def test_an_unwritable_folder_is_said_before_the_work(folder, run):
    Path("taken").write_text("")
    code, out, err = run("demo", "--out", "taken")
    assert (code, out) == (1, "")
    assert "taken" in err


def test_files_that_are_no_text_are_named(folder, run):
    Path("binary.csv").write_bytes(b"id,cluster\na,\xff\xfe\n")
    code, out, err = run("compare", "hard.csv", "binary.csv")
    assert (code, out) == (1, "")
    assert "binary.csv is not text in UTF-8 (it has the byte 0xff)" in err
    folder(ragged="id,cluster\na,s\nb,s,t,u\n")
    code, _, err = run("compare", "hard.csv", "ragged.csv")
    assert code == 1
    assert "ragged.csv" in err
