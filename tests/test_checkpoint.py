"""Files that runs go on from: whole or not at all, checked, errors that lose nothing."""

import json
import os
import threading
import warnings

import numpy as np
import pytest

import softclust as sc
from softclust.ensembles import checkpoint
from softclust.ensembles.checkpoint import Checkpoint, read_arrays, write_arrays
from softclust.results.stored import as_bytes

X = np.random.default_rng(0).normal(size=(18, 2))
FIT = {"n_clusters": 2, "n_resamples": 30, "tol": None, "n_init": 1, "random_state": 1}
CELLS = {"fractions": [0.3, 0.5], "reliabilities": [0.5, 1.0], "n_resamples": 5, "n_objects": 10,
         "rng": 1}
STATE = {"a": np.arange(3), "b": np.array(["x"])}


def rewritten(path, change):
    """The file with its stored arrays changed, digest and all others as they were."""
    with np.load(path) as stored:
        arrays = dict(stored)
    header = json.loads(arrays.pop("header").tobytes())
    change(arrays, header)
    np.savez(path, header=as_bytes(header), **arrays)


def test_round_trip(tmp_path):
    path = tmp_path / "a.npz"
    write_arrays(path, "test", STATE)
    found = read_arrays(path, "test", ("a", "b"))
    assert found.keys() == STATE.keys()
    assert all(np.array_equal(found[name], STATE[name]) for name in STATE)
    assert [p.name for p in tmp_path.iterdir()] == ["a.npz"]


@pytest.mark.parametrize(("change", "message"), [
    (lambda s, h: (s.pop("a"), h.pop("digest")), "lacks a; remove it or name another"),
    (lambda s, h: s.pop("a"), "is damaged"),
    (lambda s, h: s.update(a=s["a"] + 1), "is damaged"),
    (lambda s, h: s.update(a=s["a"].astype(np.float64)), "is damaged"),
    (lambda s, h: h.pop("version"), "is not a test; remove it or name another"),
    (lambda s, h: h.update(version=5), r"newer softclust \(format 5, known up to 4\)"),
    (lambda s, h: h.update(format="b"), "holds a b, not a test; remove it or name another"),
])
def test_what_does_not_fit_is_named(tmp_path, change, message):
    path = tmp_path / "a.npz"
    write_arrays(path, "test", STATE)
    rewritten(path, change)
    with pytest.raises(sc.ClusteringError, match=message):
        read_arrays(path, "test", STATE)


@pytest.mark.parametrize(("name", "start"), [
    ("votes", lambda path: sc.MultipleMatchClustering(checkpoint=path, **FIT).fit(X)),
    ("values", lambda path: sc.reliability_simulation(**CELLS, resume=path)),
])
def test_a_file_without_an_array_says_which(tmp_path, name, start):
    path = tmp_path / "state.npz"
    start(path)
    rewritten(path, lambda arrays, header: (arrays.pop(name), header.pop("digest")))
    with pytest.raises(sc.ClusteringError, match=f"lacks {name}"):
        start(path)


def test_a_run_goes_on_from_a_file_of_the_last_release(tmp_path):
    path = tmp_path / "state.npz"
    fit = sc.MultipleMatchClustering(checkpoint=path, **FIT | {"n_resamples": 10}).fit(X)
    with np.load(path) as stored:
        arrays = dict(stored)
    header = json.loads(arrays.pop("header").tobytes())
    np.savez(path, kind=np.array(header["format"]), version=np.array(3),   # as 0.1 wrote it
             digest=np.array(header["digest"]), **arrays)
    more = sc.MultipleMatchClustering(checkpoint=path, **FIT).fit(X)
    whole = sc.MultipleMatchClustering(**FIT).fit(X)
    np.testing.assert_array_equal(more.membership_, whole.membership_)
    assert not np.array_equal(fit.membership_, whole.membership_)


def test_a_link_stays_one(tmp_path):
    (tmp_path / "far").mkdir()
    link, file = tmp_path / "link.npz", tmp_path / "far" / "file.npz"
    link.symlink_to(file)
    write_arrays(link, "test", STATE)
    assert link.is_symlink()
    assert file.exists()
    assert read_arrays(link, "test", STATE).keys() == STATE.keys()


def test_threads_write_one_file(tmp_path, monkeypatch):
    """Drafts were named after the process: the second thread wrote into that of the first."""
    path, both = tmp_path / "a.npz", threading.Barrier(2)
    drafts, errors = [], []
    true_fsync = os.fsync

    def fsync(number):
        true_fsync(number)
        both.wait(20)   # until both drafts are there
        drafts.extend(p.name for p in tmp_path.glob(".*"))
        both.wait(20)

    def write(value):
        try:
            write_arrays(path, "test", {"a": np.full(1000, value)})
        except Exception as error:
            errors.append(error)

    monkeypatch.setattr(os, "fsync", fsync)
    threads = [threading.Thread(target=write, args=(value,)) for value in (1, 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    assert len(set(drafts)) == 2
    assert set(read_arrays(path, "test", ("a",))["a"].tolist()) in ({1}, {2})


# -- a full disk ----------------------------------------------------------------------------


def full(*_):
    raise OSError(28, "No space left on device")


def test_a_writing_that_fails_is_said_once_and_tried_again(tmp_path, monkeypatch):
    monkeypatch.setattr(checkpoint, "_SECONDS", 0.0)
    monkeypatch.setattr(checkpoint, "_TIMES", 0.0)
    file = Checkpoint(tmp_path / "a.npz", "test")
    with monkeypatch.context() as broken:
        broken.setattr(os, "fsync", full)
        with pytest.warns(sc.IncompleteWarning, match="No space left.*run continues and this is "
                          "tried again"):
            file.keep(lambda: STATE)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            file.keep(lambda: STATE)
    file.keep(lambda: STATE)
    assert (tmp_path / "a.npz").exists()


def test_a_fit_whose_file_cannot_be_written_keeps_its_votes(tmp_path, monkeypatch):
    whole = sc.MultipleMatchClustering(**FIT).fit(X)
    path = tmp_path / "votes.npz"
    fit = sc.MultipleMatchClustering(checkpoint=path, warm_start=True, **FIT)
    with monkeypatch.context() as broken:
        broken.setattr(os, "fsync", full)
        with pytest.raises(OSError, match=r"votes.npz could not be written .*No space left.* all "
                           "30 replicates are kept and .*warm_start=True"):
            fit.fit(X)
    assert fit.n_resamples_ == 30
    assert np.array_equal(fit.votes_, whole.votes_)
    assert not path.exists()
    fit.set_params(n_resamples=40).fit(X)
    assert np.array_equal(fit.votes_, sc.MultipleMatchClustering(
        **{**FIT, "n_resamples": 40}).fit(X).votes_)
    assert path.exists()


def test_an_interrupted_fit_whose_file_cannot_be_written_says_both(tmp_path, monkeypatch):
    def stop(done, total):
        raise KeyboardInterrupt

    fit = sc.MultipleMatchClustering(checkpoint=tmp_path / "votes.npz", progress=stop, **FIT)
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(KeyboardInterrupt, match=r"of 30 replicates, which are kept: .*could not be "
                       "written"):
        fit.fit(X)
    assert fit.n_resamples_ > 0


def test_cells_that_cannot_be_written_are_returned(tmp_path, monkeypatch):
    whole = sc.reliability_simulation(**CELLS)
    monkeypatch.setattr(os, "fsync", full)
    with pytest.warns(sc.IncompleteWarning, match="cells.npz could not be written .* save it"):
        found = sc.reliability_simulation(**CELLS, resume=tmp_path / "cells.npz")
    assert np.array_equal(found.criterion, whole.criterion, equal_nan=True)
