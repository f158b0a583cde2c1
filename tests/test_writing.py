"""Files are whole at any moment."""

import errno
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import softclust as sc
from softclust.results.writing import whole_file


@pytest.fixture
def report():
    iris = sc.datasets.load_iris()
    return sc.report(iris.data[::5], n_clusters=3, algorithms="k-means", quick=True, pictures=False)


def full_disk(_):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize("write", ["to_html", "to_json"])
def test_a_full_disk_leaves_the_old_report(report, tmp_path, monkeypatch, write):
    path = tmp_path / "report"
    path.write_text("the old one")
    monkeypatch.setattr("softclust.results.writing.os.fsync", full_disk)
    with pytest.raises(OSError, match="No space left") as said:
        getattr(report, write)(path)
    assert said.value.filename == str(path)
    assert path.read_text() == "the old one"
    assert os.listdir(tmp_path) == ["report"]


def test_a_chart_and_draws_are_whole_too(tmp_path, monkeypatch):
    pytest.importorskip("matplotlib").use("Agg")
    draws = sc.BootstrapDraws.from_weights([[0.0], [1.0]], [[0.5, 0.5]])
    for name in ("chart.png", "draws.csv"):
        (tmp_path / name).write_text("old")
    monkeypatch.setattr("softclust.results.writing.os.fsync", full_disk)
    with pytest.raises(OSError, match="No space"):
        sc.plotting.save_figure(sc.compare([0, 1], [0, 0]).plot().figure, tmp_path / "chart.png")
    with pytest.raises(OSError, match="No space"):
        draws.save(tmp_path / "draws.csv")
    assert {p.name: p.read_text() for p in tmp_path.iterdir()} == {
        "chart.png": "old", "draws.csv": "old"}


@pytest.mark.parametrize("ending", ["png", "svg", "pdf", "SVG"])
def test_charts_go_by_their_ending(tmp_path, ending):
    pytest.importorskip("matplotlib").use("Agg")
    path = tmp_path / f"chart.{ending}"
    sc.plotting.save_figure(sc.compare([0, 1], [0, 0]).plot().figure, path)
    begin = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}[ending.lower()]
    assert path.read_bytes().startswith(begin)


def test_a_failure_in_the_middle_leaves_the_old_file(tmp_path):
    path = tmp_path / "file"
    path.write_text("old")

    def write():
        with whole_file(path) as file:
            file.write("half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write()
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["file"]


def test_links_and_permissions_stay(tmp_path):
    (tmp_path / "far").mkdir()
    real, link = tmp_path / "far" / "real", tmp_path / "link"
    real.write_text("old")
    real.chmod(0o640)
    link.symlink_to(real)
    with whole_file(link) as file:
        file.write("new")
    assert link.is_symlink()
    assert real.read_text() == "new"
    assert real.stat().st_mode & 0o777 == 0o640


def test_threads_do_not_mix(tmp_path):
    path, together = tmp_path / "file", threading.Barrier(4)

    def write(letter):
        with whole_file(path) as file:
            file.write(letter * 1000)
            together.wait(timeout=20)
            file.write(letter * 1000)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write, "abcd"))
    assert path.read_text() in {letter * 2000 for letter in "abcd"}
    assert os.listdir(tmp_path) == ["file"]


def test_what_is_no_file_is_written_directly():
    with whole_file(os.devnull) as file:
        file.write("gone")
    assert not Path(os.devnull).is_file()
    if Path("/dev/full").exists():
        with pytest.raises(OSError, match="No space") as said, whole_file("/dev/full") as file:
            file.write("x")
        assert said.value.filename == "/dev/full"


def test_folders_are_named(tmp_path):
    for path, error in ((tmp_path / "no" / "file", FileNotFoundError),
                        (tmp_path, IsADirectoryError)):
        with pytest.raises(error, match=r"folder|directory") as said, whole_file(path):
            pass
        assert str(tmp_path) in str(said.value)
