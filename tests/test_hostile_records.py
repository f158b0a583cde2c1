"""Records from a stranger: read and right, or ClusteringError; never a crash or another error."""

import importlib
import json
import pkgutil
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path

import hostile_records
import numpy as np
import pytest

import softclust
import softclust as sc
from softclust.results import from_json
from softclust.results.records import Storable

SCRIPT = Path(hostile_records.__file__)
#: records that are read by functions of their own, and bases
OTHERS = {"Report"}


def attack(first, count, plot):
    """Use records with the changes of these numbers in a process, again after each that ends it."""
    faults, end = [], first + count
    while first < end:
        done = subprocess.run([sys.executable, SCRIPT, str(first), str(end - first), plot],
                              capture_output=True, text=True, check=False)
        lines = done.stdout.splitlines()
        tried = [line for line in lines if line.startswith("try ")]
        assert tried, done.stderr
        faults += [line for line in lines if line.startswith("raw ")]
        if lines[-1] == "done":
            break
        faults.append(f"ended by signal {-done.returncode}: {tried[-1]} {done.stderr[-200:]}")
        first = int(tried[-1].split()[1]) + 1
    return faults


def test_changed_records_are_right_or_an_error():
    assert attack(0, 25, "no") == []


@pytest.mark.slow
def test_two_thousand_changed_records_with_their_charts():
    assert attack(10_000, 2000, "plot") == []


@cache
def made(name):
    return hostile_records.MAKERS[name]()


@pytest.mark.parametrize("name", hostile_records.MAKERS)
def test_records_equal_those_that_were_written(name):
    record = made(name)
    text = record.to_json()
    again = from_json(text)
    assert again == record
    assert again.to_json() == text
    if type(record).__hash__ is not None:
        assert hash(again) == hash(record)


def test_every_record_is_tried():
    kinds = {kind for info in pkgutil.walk_packages(softclust.__path__, "softclust.")
             if "__main__" not in info.name
             for kind in vars(importlib.import_module(info.name)).values()
             if isinstance(kind, type) and kind.__module__.startswith("softclust.")
             and ("__dataclass_fields__" in vars(kind) or hasattr(kind, "_restored"))}
    names = Counter(kind.__qualname__ for kind in kinds)
    assert max(names.values()) == 1, f"texts name classes without modules: {names.most_common(3)}"
    found = {kind.__name__ for kind in kinds if issubclass(kind, Storable)
             and "__dataclass_fields__" in vars(kind)}
    texts = " ".join(made(name).to_json() for name in hostile_records.MAKERS)
    missing = {name for name in found - OTHERS if f"\"{name}\"" not in texts}
    assert missing == set(), "add a line to MAKERS in tests/hostile_records.py"


# -- what ended the process or never ended ---------------------------------------------------------
def changed(record, change):
    content = json.loads(record.to_json())
    del content["digest"]
    change(content["record"])
    return json.dumps(content)


def stored_array(values, dtype="<i8"):
    import base64
    array = np.array(values, dtype)
    return {"array": base64.b64encode(array.tobytes()).decode(), "dtype": dtype,
            "shape": list(array.shape)}


def test_a_cover_with_clusters_that_it_has_not():
    def change(record):
        fields = dict(record["state"]["mapping"])
        fields["_columns"] = stored_array([0, 10**12, 1, 0])
        record["state"]["mapping"] = [*map(list, fields.items())]
    with pytest.raises(sc.ClusteringError, match="do not fit"):
        from_json(changed(sc.CoverClustering([[1, 1], [0, 1], [1, 0]]), change))


def test_draws_with_a_label_beyond_their_clusters():
    def change(record):
        record["fields"]["_draws"]["fields"]["rows"] = stored_array(
            [[0, 65535, 1, 1], [0, 0, 0, 1]], "<u2")
    record = sc.posterior_partition([[0, 0, 1, 1], [0, 0, 0, 1]], rng=0)
    with pytest.raises(sc.ClusteringError, match=r"Sample\.rows"):
        from_json(changed(record, change))


def test_a_core_with_a_billion_clusters():
    def change(record):
        record["fields"]["labels"] = stored_array([0, 0, 10**9, 1])
    with pytest.raises(sc.ClusteringError, match=r"PartitionCore\.labels"):
        from_json(changed(sc.partition_core([[0, 0, 1, 1], [0, 0, 1, 1]]), change))


@pytest.mark.parametrize("value", [
    {"object": "softclust.__main__:main", "of": {"tuple": []}}, {"record": 3, "fields": {}},
    {"object": "math", "of": {"tuple": []}}, {"object": "rand_index", "of": {"tuple": []}},
    {"record": "from_json", "fields": {}}, {"record": "Fraction", "fields": {}},
    {"range": -5}, {"range": 10**40},
    {"array": "AAAA", "dtype": "O", "shape": [1]}, {"array": "AAAAAAAAAAA=", "dtype": "<f8",
                                                    "shape": [-1]},
    {"array": "AgAAAAAAAAA=", "dtype": "|b1", "shape": [8]}, {"record": "softclust", "fields": {}}])
def test_parts_that_no_record_has(value):
    def change(record):
        record["fields"]["low"] = value
    record = sc.expected_index([0, 0, 1, 1], [[0.9, 0.1], [0.5, 0.5], [0.2, 0.8], [0, 1]],
                               index="jaccard")
    with pytest.raises(sc.ClusteringError):
        from_json(changed(record, change))
