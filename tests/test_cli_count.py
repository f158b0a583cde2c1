"""The commands ``softclust count`` and ``softclust chance``."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import softclust as sc
from softclust import cli
from softclust.cli import counting

X = ["a", "a", "b", "b", "c", "a"]
Y = ["1", "1", "2", "1", "2", "2"]
W = [1.0, 2.5, 1.0, 3.0, 1.0, 0.5]


@pytest.fixture
def run(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    frame = pd.DataFrame({"x": X, "other": range(6), "y": Y, "w": W, "f": [1, 2, 1, 3, 1, 1]})
    frame.to_csv("labels.csv", index=False)

    def call(*arguments):
        code = cli.main(list(arguments))
        said = capsys.readouterr()
        return code, said.out, said.err
    return call


def values(out):
    return {row["measure"]: row.get("value") for row in json.loads(out)["measures"]}


def test_columns_of_a_file_are_counted_in_parts(run, monkeypatch):
    expected = sc.compare(sc.contingency_table(X, Y))
    for rows in (6, 4, 1):
        monkeypatch.setattr(counting, "ROWS", rows)
        code, out, err = run("count", "labels.csv", "x", "y", "--format", "json")
        assert (code, err) == (0, "")
        found = values(out)
        assert found == {row.name: row.value for row in expected} | {
            name: None for name, value in found.items() if value is None}
    code, out, _ = run("count", "labels.csv", "x", "y", "--measures", "rand_index,ARI")
    assert code == 0
    assert "rand" in out.lower()
    assert "x" in out


@pytest.mark.parametrize(("option", "role", "numbers"), [
    ("--weights", "weights", W), ("--frequencies", "frequencies", [1, 2, 1, 3, 1, 1])])
def test_columns_of_weights_and_frequencies(run, option, role, numbers):
    column = "w" if role == "weights" else "f"
    code, out, _ = run("count", "labels.csv", "x", "y", option, column, "--measures", "rand_index",
                       "--format", "json")
    assert code == 0
    assert values(out)["rand_index"] == sc.rand_index(sc.contingency_table(X, Y, **{role: numbers}))


def test_parquet_and_saved_tables(run):
    pytest.importorskip("pyarrow")
    frame = pd.read_csv("labels.csv", dtype={"y": str})
    Path("parts").mkdir()
    frame[:4].to_parquet("parts/0.parquet")
    frame[4:].to_parquet("parts/1.parquet")
    frame.to_parquet("labels.parquet")
    expected = sc.rand_index(X, Y)
    for data in ("parts", "labels.parquet"):
        code, out, err = run("count", data, "x", "y", "--measures", "rand_index", "--format",
                             "json", "--save", "table.npz")
        assert (code, err) == (0, "softclust: table saved as table.npz\n")
        assert values(out) == {"rand_index": expected}
    assert sc.ContingencyTable.load("table.npz") == sc.contingency_table(X, Y)
    _, out, _ = run("count", "table.npz", "--measures", "rand_index", "--format", "json")
    assert values(out) == {"rand_index": expected}


def test_missing_labels_are_an_error_or_left_out(run):
    Path("gaps.csv").write_text("x,y\na,1\nNA,1\nb,\nb,2\na,2\n", encoding="utf-8")
    code, _, err = run("count", "gaps.csv", "x", "y")
    assert code == 1
    assert "missing" in err
    code, out, err = run("count", "gaps.csv", "x", "y", "--missing", "drop", "--format", "json")
    assert (code, json.loads(out)["n_objects"]) == (0, 3)
    assert "2 objects lack a label" in err


def test_chance_of_two_columns(run):
    table = sc.contingency_table(X, Y)
    for options, keywords in (
            (["--seed", "1"], {"rng": 1}), (["--method", "exact"], {"method": "exact"}),
            (["--model", "number", "--fixed", "x", "--seed", "2", "--draws", "99"],
             {"model": "number", "fixed": "x", "rng": 2, "n_permutations": 99}),
            (["--method", "moments", "--alternative", "two-sided", "--measures", "rand_index"],
             {"method": "moments", "alternative": "two-sided", "measure": "rand_index"})):
        row = sc.chance(table, **{"measure": "adjusted_rand_index", **keywords})
        code, out, _ = run("chance", "labels.csv", "x", "y", *options, "--format", "json")
        assert code == 0
        (found,) = json.loads(out)["measures"]
        assert (found["p_value"], found["mean"]) == (row.p_value[0], row.mean[0])
    code, out, _ = run("chance", "labels.csv", "x", "y", "--method", "exact")
    assert code == 0
    assert "adjusted_rand_index" in out


@pytest.mark.parametrize(("arguments", "code", "message"), [
    (["count", "labels.csv", "x"], 2, "two columns are needed"),
    (["count", "t.npz", "x", "y"], 2, "is a table already"),
    (["count", "labels.csv", "x", "y", "--weights", "w", "--frequencies", "f"], 2, "exclude"),
    (["count", "labels.csv", "x", "y", "--save", "t.csv"], 2, "ends in .npz"),
    (["count", "labels.csv", "x", "y", "--measures", "nothing"], 2, "nothing"),
    (["chance", "labels.csv", "x", "y", "--draws", "0"], 2, "whole number >= 1"),
    (["chance", "labels.csv", "x", "y", "--method", "exact", "--seed", "1"], 2, "no effect"),
    (["count", "labels.csv", "x", "z"], 1, "no column 'z'"),
    (["count", "labels.csv", "x", "y", "--weights", "y2"], 1, "no column 'y2'"),
    (["count", "labels.csv", "x", "y", "--weights", "x"], 1, "must hold numbers"),
    (["count", "nowhere.csv", "x", "y"], 1, "No such file"),
    (["count", "long.csv", "x", "y"], 1, "3 cells in line 3"),
    (["count", "short.csv", "x", "y"], 1, "1 cell in line 2"),
    (["count", "empty.csv", "x", "y"], 1, "at least 2 are needed"),
])
def test_what_is_wrong_is_said_in_one_line(run, arguments, code, message):
    for name, text in (("long", "x,y\na,1\nb,2,3\n"), ("short", "x,y\na\nb,2\n"),
                       ("empty", "x,y\n")):
        Path(f"{name}.csv").write_text(text, encoding="utf-8")
    found, _, err = run(*arguments)
    assert found == code
    assert message in err


def test_many_labels_are_told_apart_by_their_text(run):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"x": rng.integers(0, 9, 500), "y": rng.integers(0, 5, 500)})
    frame.to_csv("many.tsv", sep="\t", index=False)
    _, out, _ = run("count", "many.tsv", "x", "y", "--measures", "ARI", "--format", "json")
    assert values(out)["adjusted_rand_index"] == sc.adjusted_rand_index(frame.x, frame.y)
