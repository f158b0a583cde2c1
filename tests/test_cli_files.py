"""Files as they come: missing entries, other objects, odd forms; one reader for all commands."""

import gzip
import json
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import softclust as sc
from softclust import cli
from softclust.cli.files import read_table

HARD = "id,cluster\na,s\nb,s\nc,t\nd,t\ne,t\n"


@pytest.fixture
def run(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def call(*arguments):
        code = cli.main([str(a) for a in arguments])
        said = capsys.readouterr()
        return code, said.out, said.err
    return call


def write(**texts):
    for name, text in texts.items():
        Path(f"{name}.csv").write_text(text, encoding="utf-8")


def value(out, name="rand_index"):
    return next(row["value"] for row in json.loads(out)["measures"] if row["measure"] == name)


def test_several_columns_with_text_ask_for_the_labels(run):
    write(a=HARD, b="id,group,size\na,class6,1\nb,class6,2\nc,class1,3\nd,class1,4\ne,class1,5\n")
    code, _, err = run("compare", "a.csv", "b.csv")
    assert code == 1
    assert "b.csv has 2 columns besides ids, and 'group' is not a number" in err
    assert "--column group" in err
    assert run("compare", "a.csv", "b.csv", "--column-b", "group")[0] == 0


# -- missing labels and ids -------------------------------------------------------------------
def test_ids_that_one_file_lacks_can_be_left_out(run):
    write(a=HARD, b="id,cluster\nx,0\ne,1\nd,1\nc,0\nb,0\n")
    code, out, err = run("compare", "a.csv", "b.csv")
    assert (code, out) == (1, "")
    assert "--objects common" in err
    code, out, err = run("compare", "a.csv", "b.csv", "--objects", "common", "--format", "json")
    assert code == 0
    found = json.loads(out)
    assert found["n_objects"] == 4
    assert value(out) == sc.rand_index([0, 1, 1, 1], [0, 0, 1, 1])
    assert found["left_out"] == [
        "1 of 5 objects of a.csv are left out: they are not in the other file ('a')",
        "1 of 5 objects of b.csv are left out: they are not in the other file ('x')"]
    assert "note: 1 of 5 objects of a.csv are left out" in err


def test_missing_labels_can_be_left_out(run):
    write(a=HARD.replace("b,s", "b,"), b="id,cluster,other\na,0,\nb,0,1\nc,1,1\nd,,1\ne,1,1\n")
    code, out, err = run("compare", "a.csv", "b.csv", "--column-b", "cluster")
    assert (code, out) == (1, "")
    assert "1 of 5 objects lack an entry in a.csv ('b')" in err
    assert "--missing drop" in err
    code, out, err = run("compare", "a.csv", "b.csv", "--column-b", "cluster", "--missing", "drop",
                         "--format", "json")
    assert code == 0
    # The empty cell of a column that is not used costs nothing.
    assert json.loads(out)["n_objects"] == 3
    assert value(out) == sc.rand_index([0, 1, 1], [0, 1, 1])
    assert err.count("are left out") == 2


def test_missing_labels_without_ids(run):
    write(a="c\n0\n\n1\n1\n", b="c\n0\n0\n1\n\n\n")
    code, _, err = run("compare", "a.csv", "b.csv")
    assert code == 1   # b has three rows: what follows its last entry is not a row
    write(b="c\n0\n0\n1\n1\n\n\n")
    code, _, err = run("compare", "a.csv", "b.csv")
    assert code == 1
    assert "1 of 4 objects lack an entry in a.csv (data row 2)" in err
    code, out, _ = run("compare", "a.csv", "b.csv", "--missing", "drop")
    assert code == 0
    assert "3 objects" in out
    assert "1 of 4 objects lack an entry in a.csv" in " ".join(out.split())


def test_nothing_left_is_said(run):
    write(a="id,c\na,\nb,1\n", b="id,c\na,1\nb,\n", c="id,c\nx,1\ny,2\n")
    code, _, err = run("compare", "a.csv", "b.csv", "--missing", "drop")
    assert code == 1
    assert "nothing is left" in err
    code, _, err = run("compare", "a.csv", "c.csv", "--objects", "common")
    assert code == 1
    assert "no id in common" in err


# -- forms ------------------------------------------------------------------------------------
@pytest.mark.parametrize("blank", ["\n", "\n\n\r\n", "\ufeff", "\ufeff\n"])
def test_blank_lines_before_the_header(run, blank):
    write(a=blank + HARD)
    table = read_table("a.csv")
    assert table.id_column == "id"
    assert table.frame["cluster"].tolist() == list("ssttt")


@pytest.mark.parametrize(("text", "message"), [
    ("id,c\na,0,9\nb,1,9\n", "3 cells in line 2 and 2 column names"),
    ("id,c\na,0\nb,1,9\n", "3 cells in line 3 and 2 column names"),
    ("id,c\na,0\nb\n", "1 cell in line 3 and 2 column names"),
    ("\n\nid,c\na,0\n\nb\n", "1 cell in line 6"),
    ('id,c\na,"0\nb,1\n', "quot"),
    ("id,c\na," + "x" * 200_000 + "\nb,1\n", "a cell of 200,000 characters in data row 1"),
    ("x" * 200_000 + ",c\na,0\n", "field larger than field limit"),
    ("c\td\n0\t1\n1\t1\n", "separated by tabs; if so, use --separator 'tab'"),
    ("c|d\n0|1\n1|1\n", "separated by bars"),
    ("c d\n0 1\n1 1\n", "separated by spaces"),
])
@pytest.mark.parametrize("command", ["compare", "report"])
def test_tables_that_lose_something_are_errors(run, command, text, message):
    write(a=text)
    more = ["a.csv"] if command == "compare" else ["--clusters", "2"]
    code, out, err = run(command, "a.csv", *more)
    assert (code, out) == (1, "")
    assert message in err
    assert len(err) < 2500


def test_separators_at_the_ends_of_lines_do_no_harm(run):
    write(a="id,c,\na,0,\nb,1,\n", b="id,c\na,0,\nb,1,\n", c="c\nmy group\nother group\n")
    for name in "ab":
        assert read_table(f"{name}.csv").frame.to_dict("list") == {"c": [0, 1]}
    assert read_table("c.csv").frame["c"].tolist() == ["my group", "other group"]


def test_long_integers_are_text(run):
    write(a=f"id,c\na,{'1' * 400}\nb,{'1' * 400}\nc,2\n", b="id,c\na,0\nb,0\nc,1\n")
    code, out, _ = run("compare", "a.csv", "b.csv", "--format", "json")
    assert code == 0
    assert value(out) == 1.0
    write(a="v,w\n" + "".join(f"{'1' * 400},{k}\n" for k in range(9)))
    code, _, err = run("report", "a.csv", "--clusters", "2", "--no-id")
    assert code == 1
    assert "'v'" in err
    assert len(err) < 2500


@pytest.mark.parametrize("ending", ["tsv.gz", "tab", "tsv.zip", "csv.xz", "csv.bz2", "TSV"])
def test_packed_and_tab_separated_files(run, ending):
    text = HARD if "csv" in ending else HARD.replace(",", "\t")
    path = Path(f"a.{ending}")
    if ending.endswith("zip"):
        with zipfile.ZipFile(path, "w") as folder:
            folder.writestr("a.tsv", text)
    elif ending.endswith(("gz", "xz", "bz2")):
        import bz2
        import lzma
        opener = {"gz": gzip.open, "xz": lzma.open, "bz2": bz2.open}[ending.rsplit(".")[-1]]
        with opener(path, "wt") as file:
            file.write(text)
    else:
        path.write_text(text)
    assert read_table(str(path)).frame["cluster"].tolist() == list("ssttt")


def test_damaged_and_other_files_are_named(run):
    write(b=HARD)
    Path("a.csv.gz").write_bytes(gzip.compress(HARD.encode() * 50)[:-20])
    Path("c.csv.gz").write_bytes(b"no gzip")
    Path("d.xlsx").write_bytes(b"PK")
    with zipfile.ZipFile("e.zip", "w") as folder:
        folder.writestr("a.csv", HARD)
        folder.writestr("b.csv", HARD)
    for name, message in (("a.csv.gz", "cannot be unpacked"), ("c.csv.gz", "cannot be unpacked"),
                          ("d.xlsx", "save the table as CSV"), ("e.zip", "contains 2 files")):
        code, _, err = run("compare", name, "b.csv")
        assert code == 1
        assert message in err
        assert name in err


def flipped(content):
    """All the ways to spoil some bytes in the middle and the first and last ones."""
    for i in [*range(4, len(content), 97), len(content) - 6]:
        yield content[:i] + bytes([content[i] ^ 0x55]) + content[i + 1:]
    yield content[:-30]


def test_files_with_damage_inside_are_named(run):
    """A bad bz2, an encrypted zip, an unknown method and a flipped parquet were called bugs."""
    write(b=HARD)
    Path("a.csv.bz2").write_bytes(b"BZh9" + bytes(90))
    with zipfile.ZipFile("whole.zip", "w") as folder:
        folder.writestr("a.csv", HARD)
    whole = Path("whole.zip").read_bytes()
    where = whole.rindex(b"PK\x01\x02")
    for name, flags, method in (("secret.csv.zip", 1, 0), ("odd.csv.zip", 0, 77)):
        raw = bytearray(whole)
        raw[6] = raw[where + 8] = flags
        raw[8] = raw[where + 10] = method
        Path(name).write_bytes(raw)
    for name in ("a.csv.bz2", "secret.csv.zip", "odd.csv.zip"):
        code, _, err = run("compare", name, "b.csv")
        assert code == 1
        assert f"{name} cannot be unpacked" in err
    pytest.importorskip("pyarrow")
    pd.DataFrame({"id": list("abcde"), "cluster": list("ssttt")}).to_parquet("whole.parquet")
    for content in flipped(Path("whole.parquet").read_bytes()):
        Path("a.parquet").write_bytes(content)
        for arguments in ("compare a.parquet b.csv", "count a.parquet id cluster"):
            code, _, err = run(*arguments.split())
            assert "may be a bug" not in err
            assert code == 0 or "a.parquet" in err or "ids differ" in err


def test_too_large_for_memory(run, monkeypatch):
    def no_memory(*_, **__):
        raise MemoryError
    write(a=HARD)
    monkeypatch.setattr(pd, "read_csv", no_memory)
    code, _, err = run("compare", "a.csv", "a.csv")
    assert code == 1
    assert "a.csv does not fit into memory" in err


def test_compare_takes_separators_and_decimals(run):
    write(a="id;one;two\na;0,25;0,75\nb;1,0;0,0\n", b="id;c\na;0\nb;1\n")
    code, out, _ = run("compare", "a.csv", "b.csv", "--separator", ";", "--decimal", ",",
                       "--format", "json")
    assert code == 0
    assert json.loads(out)["x"]["kind"] == "fuzzy"
    assert run("compare", "a.csv", "b.csv", "--separator", "ab")[0] == 2


def test_report_and_json_need_two_names(run):
    frame = pd.DataFrame(np.random.default_rng(0).normal(size=(20, 2)), columns=["a", "b"])
    frame.to_csv("a.csv", index=False)
    for name in ("o.html", "./o.html"):
        code, _, err = run("report", "a.csv", "--out", "o.html", "--json", name)
        assert code == 2
        assert "give two names" in err
    assert not Path("o.html").exists()


# -- one file for both sides, and columns of objects -------------------------------------------
ROWS = [{"id": i, "found": "abc"[i % 3], "truth": "pqr"[i * 7 // 5 % 3], "w": 1 + i % 4,
         "part": i // 6, "site": i // 20} for i in range(60)]


def write_rows(name, *columns):
    lines = [",".join(columns), *(",".join(str(row[c]) for c in columns) for row in ROWS)]
    write(**{name: "\n".join(lines) + "\n"})


def column(name):
    return [row[name] for row in ROWS]


def test_columns_of_one_file_are_compared(run):
    write_rows("one", "id", "found", "truth", "w", "part")
    sides = column("found"), column("truth")
    asked = ("compare", "--data", "one.csv", "--x", "found", "--y", "truth", "--format", "json",
             "--measures", "adjusted_rand_index")
    code, out, _ = run(*asked)
    assert code == 0
    assert value(out, "adjusted_rand_index") == sc.adjusted_rand_index(*sides)
    assert json.loads(out)["x"]["name"] == "found"
    weighted = sc.contingency_table(*sides, weights=column("w"))
    assert value(run(*asked, "--weights", "w")[1], "adjusted_rand_index") == (
        sc.adjusted_rand_index(weighted))
    _, out, _ = run(*asked, "--groups", "part", "--ci", "jackknife")
    row = sc.compare(*sides, measures="adjusted_rand_index", groups=column("part"),
                     ci="jackknife").rows[0]
    assert json.loads(out)["measures"][0]["ci"]["low"] == row.ci_low
    _, out, _ = run(*asked, "--groups", "part", "--ci", "jackknife", "--pairs", "within")
    row = sc.compare(*sides, measures="adjusted_rand_index", groups=column("part"),
                     ci="jackknife", pairs="within").rows[0]
    assert value(out, "adjusted_rand_index") == row.value
    code, _, err = run("compare", "--data", "one.csv", "--x", "found", "--y", "nothing")
    assert code == 1
    assert "no column 'nothing'" in err


def test_a_ranking_with_groups_of_the_objects_of_the_truth(run):
    write_rows("truth", "id", "truth", "part")
    write_rows("found", "id", "found")
    write_rows("site", "id", "site")
    code, out, _ = run("compare", "truth.csv", "found.csv", "site.csv", "--rank", "--groups",
                       "part", "--format", "json")
    assert code == 0
    expected = sc.rank_clusterings(column("truth"), {"found": column("found"),
                                                     "site": column("site")},
                                   groups=column("part"))
    assert [row["low"] for row in json.loads(out)["clusterings"]] == expected.low.tolist()


def test_chance_within_strata(run):
    write_rows("one", "id", "found", "truth", "site")
    code, out, _ = run("chance", "one.csv", "found", "truth", "--strata", "site", "--seed", "1",
                       "--format", "json")
    assert code == 0
    expected = sc.chance(column("found"), column("truth"), "adjusted_rand_index",
                         strata=column("site"), rng=1, method="tables")["adjusted_rand_index"]
    [row] = json.loads(out)["measures"]
    assert (row["mean"], row["p_value"]) == (expected.mean, expected.p_value)


def test_columns_with_several_labels_are_covers(run):
    write(a="id,codes\nt1,joy;fear\nt2,joy\nt3,\nt4,fear; calm\nt5,calm\n",
          b="id,codes\nt1,joy\nt2,joy\nt3,calm\nt4,fear;calm\nt5,calm\n")
    asked = ["compare", "a.csv", "b.csv", "--split", ";", "--measures", "omega_index",
             "--format", "json"]
    code, _, err = run(*asked)
    assert code == 1
    assert "a.csv ('t3'): fill it in, or give --missing drop" in err
    x = sc.CoverClustering.from_labels(
        {"t1": ["joy", "fear"], "t2": ["joy"], "t3": [], "t4": ["fear", "calm"], "t5": ["calm"]})
    y = sc.CoverClustering.from_labels(
        {"t1": ["joy"], "t2": ["joy"], "t3": ["calm"], "t4": ["fear", "calm"], "t5": ["calm"]})
    code, out, _ = run(*asked, "--missing", "drop")
    kept = [0, 1, 3, 4]
    assert value(out, "omega_index") == sc.omega_index(x.subset(kept), y.subset(kept))
    code, out, _ = run(*asked, "--missing", "uncovered")   # no code
    assert code == 0
    assert value(out, "omega_index") == sc.omega_index(x, y)


def test_common_objects_leave_no_emptied_columns(run):
    write(a="id,p,q,r\na,1,0,0\nb,1,0,0\nc,0,1,0\nd,0,0,1\n", b="id,p,q\na,1,0\nb,1,0\nc,0,1\n")
    code, out, _ = run("compare", "a.csv", "b.csv", "--objects", "common", "--measures",
                       "mallows_distance", "--format", "json")
    assert code == 0
    assert value(out, "mallows_distance") == 0.0
