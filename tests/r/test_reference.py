"""make_reference.R makes the stored values of R anew, from the stored inputs."""

import json
import math
import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.r

HERE = Path(__file__).parent
GOLDEN = HERE.parent / "golden" / "r"
FILES = ("clue_pairs", "clue_misc", "clue_consensus", "clue_data", "hard_packages")
SPECIAL = {"NaN": math.nan, "NA": math.nan, "Inf": math.inf, "-Inf": -math.inf}
#: R's routines on the same input: the last digits depend on its linear algebra library
SAME = 1e-12
#: roots of differences of squares: near 0 half of the digits are left
ROOTS = 1e-7
#: iterations stop at a relative change of 1.5e-8 (consensus), fuzzy clusterings at 1e-6 (header)
ITERATED = 1e-6
#: ties make them arbitrary (headers); their criteria are compared
ARBITRARY = ("membership", "class_ids", "is_hard", "converged", "objval_reported")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("reference")
    done = subprocess.run(["Rscript", "--vanilla", str(HERE / "make_reference.R"), str(GOLDEN),
                           str(folder)], text=True, capture_output=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return folder


def leaves(value, path=()):
    if isinstance(value, dict):
        for key, each in value.items():
            yield from leaves(each, (*path, key))
    elif isinstance(value, list):
        for index, each in enumerate(value):
            yield from leaves(each, (*path, index))
    else:
        yield path, SPECIAL.get(value, value) if isinstance(value, str) else value


def tolerance(path):
    if {"comemberships", "GV1"} & set(path):
        return ROOTS
    if {"results", "predict", "bagging", "Phonemes_k3", "Phonemes_k2"} & set(path):
        return ITERATED
    return SAME


def arbitrary(path, case):
    """Results that ties decide: those that the case names, hard consensus, SM, hard members."""
    if {"agreement", "agreement_y_x", "dissimilarity"} & set(path):
        return path[-1] in case.get("not_reproducible", ())
    if "results" not in path:
        return False
    key = path[path.index("results") + 1]
    tied = key.split("_")[0] in ("HE", "SM", "HM") or any("hard_" in str(p) for p in path)
    return tied and path[path.index("results") + 2] in ARBITRARY


@pytest.mark.parametrize("name", FILES)
def test_values_are_made_anew(made, name):
    stored = json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))
    new = json.loads((made / f"{name}.json").read_text(encoding="utf-8"))
    for part in stored.keys() - {"header"}:
        old_leaves, new_leaves = dict(leaves(stored[part])), dict(leaves(new[part]))
        assert old_leaves.keys() == new_leaves.keys()
        for path, old in old_leaves.items():
            if arbitrary(path, stored[part][path[0]]):
                continue
            found = new_leaves[path]
            if isinstance(old, (str, bool)) or old is None:
                assert found == old, (name, part, path)
            elif math.isnan(old):
                assert math.isnan(found), (name, part, path)
            else:
                limit = tolerance((part, *path)) * max(1.0, abs(old))
                assert found == old or abs(found - old) <= limit, (name, part, path, old, found)


@pytest.mark.parametrize("name", FILES)
def test_headers_carry_versions(made, name):
    header = json.loads((made / f"{name}.json").read_text(encoding="utf-8"))["header"]
    stored = json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))["header"]
    assert header["R"].count(".") == 2
    assert header["packages"].keys() <= stored["packages"].keys()
    assert all(version[0].isdigit() for version in header["packages"].values())
    assert header["about"] == stored["about"]


def test_numbers_are_written_in_full(made):
    """What was only read and written again has the same bits."""
    for name in FILES:
        stored = json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))
        new = json.loads((made / f"{name}.json").read_text(encoding="utf-8"))
        inputs = ("x", "y", "members", "starts", "d", "X", "newdata", "indices", "input")
        for part in stored.keys() - {"header"}:
            again = dict(leaves(new[part]))
            for path, value in leaves(stored[part]):
                if set(path) & set(inputs):
                    assert again[path] == value, path


def test_it_needs_two_folders(tmp_path):
    done = subprocess.run(["Rscript", "--vanilla", str(HERE / "make_reference.R"), str(tmp_path)],
                          text=True, capture_output=True, timeout=60)
    assert done.returncode != 0
    assert "two existing folders are needed" in done.stderr
