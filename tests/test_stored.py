"""Stored results that are damaged, tampered with or something else: one clear error."""

import contextlib
import gzip
import io
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import hostile_records
import numpy as np
import pytest

import softclust as sc
from softclust.ensembles.checkpoint import read_arrays, write_arrays
from softclust.results import from_json
from softclust.results.stored import check_arrays, read_npz, write_npz

X, Y = [0, 0, 1, 1, 2], [0, 1, 1, 1, 0]
SOFT = [[0.8, 0.2], [0.6, 0.4], [0.1, 0.9], [0.5, 0.5], [0.3, 0.7]]
#: what a field may hold that does not belong there
FOREIGN = [None, True, -1, 1.5, 1e300, 10**30, "x", "", [], [[]], {}, [1, 2], ["a", "a"],
           "1" * 5000]


TABLE = "softclust contingency table"
#: files that softclust 0.1 wrote
OLD = Path(__file__).parent / "golden" / "stored-0.1"


def table(path, **options):
    sc.contingency_table(X, Y, **options).save(path)
    return path


def header_of(shape, dtype="<i8"):
    """An array of this shape as npy, with eight bytes of content."""
    head = f"{{'descr': '{dtype}', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little") + head.encode() + bytes(8)


def repacked(path, changed):
    """Write the npz file again with some parts replaced, or taken out (None)."""
    with zipfile.ZipFile(path) as folder:
        parts = {name: folder.read(name) for name in folder.namelist()}
    parts |= {f"{name}.npy": content for name, content in changed.items()}
    with zipfile.ZipFile(path, "w") as folder:
        for name, content in parts.items():
            if content is not None:
                folder.writestr(name, content)


def npy(array):
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def read_or_none(load, path):
    """What is loaded; None after the one error that there may be."""
    try:
        return load(path)
    except sc.ClusteringError as error:
        if path.name not in str(error):
            raise AssertionError from error


def text(content):
    return npy(np.frombuffer(json.dumps(content).encode(), np.uint8))


# -- files of arrays --------------------------------------------------------------------------
@pytest.mark.parametrize("shape", ["(10**12,)", "(1000000000000,)", "(-1,)", "(2,)", "(3, -5)",
                                   "(1 << 70,)", "(1180591620717411303424,)", "1", "(1.5,)"])
def test_nothing_is_allocated_before_the_header_is_believed(tmp_path, shape):
    path = table(tmp_path / "a.npz")
    repacked(path, {"counts": header_of(shape)})
    with pytest.raises(sc.ClusteringError, match=r"a\.npz (cannot be read as a contingency table|"
                       "does not fit into memory)"):
        sc.ContingencyTable.load(path)


def test_sizes_of_the_archive_are_not_believed_either(tmp_path):
    path = table(tmp_path / "a.npz")
    raw = bytearray(path.read_bytes())
    where = raw.rindex(b"PK\x01\x02")
    raw[where + 20:where + 28] = b"\xfe\xff\xff\xff" * 2   # packed and unpacked size: 4 GiB
    path.write_bytes(raw)
    loaded = read_or_none(sc.ContingencyTable.load, path)
    assert loaded is None or loaded == sc.contingency_table(X, Y)


@pytest.mark.parametrize("content", [b"", b"PK", b"\x93NUMPY\x01\x00", b"no archive", bytes(400)])
def test_files_that_are_something_else(tmp_path, content):
    path = tmp_path / "a.npz"
    path.write_bytes(content)
    for load in (sc.ContingencyTable.load, sc.load_reliability_simulation):
        with pytest.raises(sc.ClusteringError, match=r"a\.npz cannot be read as"):
            load(path)
    with pytest.raises(FileNotFoundError):
        sc.ContingencyTable.load(tmp_path / "b.npz")


def test_objects_of_python_are_not_loaded(tmp_path):
    np.savez(tmp_path / "a.npz", a=np.array([{}], object))
    with pytest.raises(sc.ClusteringError, match="allow_pickle=False"):
        read_npz(tmp_path / "a.npz", "test", 1, "name another")


def test_arrays_come_back_as_they_were(tmp_path):
    arrays = {"a": np.arange(6.0).reshape(2, 3), "b": np.asfortranarray(np.arange(6).reshape(2, 3)),
              "c": np.array("word"), "d": np.empty((0, 4)), "e": np.array([("a", 1)], "U1,i8")}
    write_npz(tmp_path / "a.npz", "test", 2, arrays, packed=True, more=[1, "é"])
    header, found = read_npz(tmp_path / "a.npz", "test", 2, "name another")
    assert (header["format"], header["version"], header["more"]) == ("test", 2, [1, "é"])
    assert found.keys() == arrays.keys()
    for name, array in arrays.items():
        np.testing.assert_array_equal(found[name], array)
        assert found[name].dtype == array.dtype
        assert found[name].flags.writeable
    assert check_arrays(found, a="f n m", b="i n m", d="f k 4") == {"n": 2, "m": 3, "k": 0}
    for forms in ({"a": "i n m"}, {"a": "f n"}, {"a": "f n n"}, {"a": "f 3 m"}, {"z": "f"}):
        with pytest.raises(ValueError, match=r"type|lacks"):
            check_arrays(found, **forms)


@pytest.mark.parametrize("weights", [None, [0.5, 1, 2, 1, 1]])
def test_tables_that_were_tampered_with(tmp_path, weights):
    path = table(tmp_path / "a.npz", weights=weights)
    header, found = read_npz(path, TABLE, 2, "")
    del header["digest"]   # it would see changed arrays
    repacked(path, {"header": text(header)})
    whole = path.read_bytes()
    changes = [{"header": text({**header, name: value})} for name in header for value in FOREIGN]
    changes += [{"header": text({k: v for k, v in header.items() if k != name})} for name in header]
    changes += [{"header": text(value)} for value in FOREIGN]
    changes += [{"header": npy(np.frombuffer(b"[" * 100_000, np.uint8))}, {"header": None}]
    changes += [{name: text(value)} for name in ("x_names", "y_names") for value in FOREIGN]
    for name in found.keys() - {"x_names", "y_names"}:
        a = found[name]
        changes += [{name: value if value is None else npy(value)} for value in (
            None, a - 100, a + 2**40, a[:-1], a[None], np.array(3), a.astype(float), a * 0 - 1,
            a.astype(str), a[::-1] - 1)]
    for change in changes:
        path.write_bytes(whole)
        repacked(path, change)
        loaded = read_or_none(sc.ContingencyTable.load, path)
        # Some numbers could have been there.
        assert loaded is None or 0 <= sc.rand_index(loaded) <= 1, change.keys()


def test_weighted_tables_of_version_1_say_what_to_do(tmp_path):
    path = table(tmp_path / "a.npz", weights=[0.5, 1, 2, 1, 1])
    header, _ = read_npz(path, TABLE, 2, "")
    del header["digest"]
    repacked(path, {"header": text({**header, "version": 1}), "counts": None})
    with pytest.raises(sc.ClusteringError, match="older softclust"):
        sc.ContingencyTable.load(path)


def test_simulations_that_were_tampered_with(tmp_path):
    path = tmp_path / "a.npz"
    kind = "reliability simulation"
    sc.reliability_simulation([0.5], [1.0], n_resamples=5, rng=0, resume=path)
    found = read_arrays(path, kind, ())
    for name, a in found.items():
        for value in (a[None], a[:0], np.array(3), a[:-1], np.full(a.shape, -7), a.astype("U30"),
                      np.full(a.shape, np.nan), np.full(a.shape, 2**40), a.astype("U30")[::-1]):
            write_arrays(path, kind, {**found, name: value})
            loaded = read_or_none(sc.load_reliability_simulation, path)
            assert loaded is None or name in ("values", "sizes") or np.array_equal(value, a), name


def test_checkpoints_that_were_tampered_with(tmp_path):
    path = tmp_path / "a.npz"
    kind = "replicates of MultipleMatchClustering"
    x = np.random.default_rng(0).normal(size=(12, 2))

    def fit():
        return sc.MultipleMatchClustering(2, n_resamples=3, random_state=1, tol=None,
                                          checkpoint=path).fit(x)

    fit()
    found = read_arrays(path, kind, ())
    words = json.loads(str(found["words"]))
    for name, a in found.items():
        values = [a[None], np.array(3), np.full(a.shape, -7), np.full(a.shape, "x")]
        if name == "words":
            values = [np.array(json.dumps(value)) for value in (
                [], {}, *({**words, key: value} for key in words
                          for value in (None, [1], "x", -1)))]
        for value in values:
            write_arrays(path, kind, {**found, name: value})
            try:
                fit()
            except sc.ClusteringError:
                pass
            else:
                assert name in ("words", "centers", "majorities")


# -- files of 0.1 -----------------------------------------------------------------------------
def without_modules(old):
    """A record of version 1 as version 2 writes it."""
    if isinstance(old, list):
        return [without_modules(v) for v in old]
    if not isinstance(old, dict):
        return old
    return {key: value.rpartition(":")[2] if key in ("record", "object") else
            without_modules(value) for key, value in old.items() if key != "made"}


#: fields that 0.1 had not, with what a record of 0.1 gets
NEW_FIELDS = {"medoid": {"names": {"tuple": []}}, "separation": {"invalid": ""},
              "cluster test": {"invalid": ""}, "replication": {"invalid": {"mapping": []}}}


def test_records_of_the_last_release_are_read():
    records = json.loads(gzip.decompress((OLD / "records.json.gz").read_bytes()))
    for name, content in records.items():
        if name == "sums":
            continue
        again = json.loads(from_json(json.dumps(content)).to_json())
        assert content["version"] == 1
        assert again["version"] == 2
        old = without_modules(content["record"])
        if name in NEW_FIELDS:
            assert not NEW_FIELDS[name].keys() & old["fields"].keys()
            old["fields"] |= NEW_FIELDS[name]
        if name == "replication":
            for test in old["fields"]["evidence"]["tuple"]:
                test["fields"] |= NEW_FIELDS["cluster test"]
        assert again["record"] == old, name
    sums = sc.MembershipSums.from_json(json.dumps(records["sums"]))
    assert sums == sc.membership_sums(hostile_records.FUZZY, hostile_records.TRUTH)
    assert json.loads(sums.to_json())["record"]["object"] == "MembershipSums"


def test_a_new_process_finds_the_parts_of_every_record():
    """By the modules of what holds them, whatever was imported before."""
    code = ("import gzip, json, sys\nfrom softclust.results import from_json\n"
            "records = json.loads(gzip.open(sys.argv[1]).read())\ndel records['sums']\n"
            "print(len([from_json(json.dumps(each)) for each in records.values()]))")
    done = subprocess.run([sys.executable, "-c", code, OLD / "records.json.gz"],
                          capture_output=True, text=True, check=True)
    assert int(done.stdout) == 76


def test_arrays_of_the_last_release_are_read(tmp_path):
    x, y = [0, 0, 1, 1, 2], ["a", "b", "b", "b", "a"]
    options = {"weighted-table": {"weights": [0.5, 1, 2, 1, 1]}, "table": {},
               "parted-table": {"groups": [0, 0, 1, 1, 1], "strata": [True] * 3 + [False] * 2}}
    for name, given in options.items():
        assert sc.ContingencyTable.load(OLD / f"{name}.npz") == sc.contingency_table(x, y, **given)
    old = sc.load_reliability_simulation(OLD / "simulation.npz")
    assert old == sc.reliability_simulation([0.5], [0.5, 0.9], n_objects=12, n_resamples=5, rng=0)
    old.save(tmp_path / "new.npz")
    assert sc.load_reliability_simulation(tmp_path / "new.npz") == old


# -- text -------------------------------------------------------------------------------------
def test_sums_that_were_tampered_with():
    found = json.loads(sc.membership_sums(SOFT, SOFT).to_json())
    del found["digest"]
    parts, kinds, *names = found["record"]["of"]["tuple"]
    fields = parts["fields"]
    made = [{**parts, "fields": {**fields, name: value}} for name in fields for value in FOREIGN]
    made += [{**parts, "fields": {k: v for k, v in fields.items() if k != name}} for name in fields]
    changed = [[each, kinds, *names] for each in made] + [
        [*(parts, kinds, *names)[:k], value, *(parts, kinds, *names)[k + 1:]]
        for k in range(4) for value in FOREIGN]
    texts = [json.dumps({**found, "record": {"object": "MembershipSums", "of": {"tuple": each}}})
             for each in changed]
    texts += [json.dumps({**found, name: value}) for name in found for value in FOREIGN]
    texts += [json.dumps({k: v for k, v in found.items() if k != name}) for name in found]
    texts += [json.dumps(value) for value in FOREIGN] + ["", "{", "[" * 100_000, None, 3]
    for tampered in texts:
        try:
            sums = sc.MembershipSums.from_json(tampered)
        except sc.ClusteringError:
            continue
        assert np.isfinite(sums.cross).all()


@pytest.mark.parametrize("line", [
    "0,0,1e300,1,1", "0,0,nan,1,1", "nan,0,1,1,1", "1e300,0,1,1,1", "-1,0,1,1,1", "0,0,1,1",
    "0,0,1,1,1,1", "0,0,1,inf,1", "0,0,1,-1,1", "0,0,1,0,1", "0,0,-2,1,1", "0,0.5,1,1,1"])
def test_draws_that_were_tampered_with(tmp_path, line):
    path = tmp_path / "a.csv"
    path.write_text("replicate,draw,source,weight,x1\n" + line + "\n")
    with pytest.raises(sc.ClusteringError):
        sc.BootstrapDraws.load(path)


def test_draws_that_lack_their_last_replicates(tmp_path):
    path = tmp_path / "draws.csv"
    draws = sc.BootstrapDraws.from_indices([[0.0], [5.0]], [[0, 0], [1, 0], [1, 1]])
    draws.save(path)
    again = sc.BootstrapDraws.load(path)
    np.testing.assert_array_equal(again.points, draws.points)
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:-2]))   # the last replicate has two draws
    with pytest.raises(sc.ClusteringError, match="2 of 3 replicates; it is cut off"):
        sc.BootstrapDraws.load(path)


def test_single_changed_bits_of_sums_are_seen():
    rng = np.random.default_rng(0)
    sums = sc.membership_sums(rng.dirichlet(np.ones(2), size=9), rng.dirichlet(np.ones(3), size=9))
    text = sums.to_json().encode()
    assert sc.MembershipSums.from_json(text.decode()) == sums
    for at in rng.choice(len(text), 60, replace=False):
        changed = bytearray(text)
        changed[at] ^= 1 << int(rng.integers(7))
        with contextlib.suppress(sc.ClusteringError):   # the last digit of a number may not matter
            assert sc.MembershipSums.from_json(changed.decode("latin-1")) == sums


def test_what_a_killed_process_left_is_removed_by_the_next_save(tmp_path):
    old, fresh = (tmp_path / f".draws.csv.{name}.part" for name in ("0123456789ab", "ba9876543210"))
    other = tmp_path / ".else.csv.0123456789ab.part"
    for left in (old, fresh, other):
        left.write_text("half")
        if left is not fresh:
            os.utime(left, (0, 0))
    sc.BootstrapDraws.from_indices([[0.0]], [[0]]).save(tmp_path / "draws.csv")
    assert not old.exists()
    assert fresh.exists()
    assert other.exists()
