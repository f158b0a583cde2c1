"""The pictures of the guide: each example of a chart runs, says what it says, and draws."""

import importlib.util
from pathlib import Path
from types import SimpleNamespace

import pytest

import softclust as sc

pytest.importorskip("matplotlib")

SOURCE = Path(__file__).parent.parent / "docs" / "_ext" / "pictures.py"
spec = importlib.util.spec_from_file_location("pictures", SOURCE)
pictures = importlib.util.module_from_spec(spec)
spec.loader.exec_module(pictures)

CHARTS = [name for names in pictures.charts().values() for name in names]


def test_every_chart_is_in_the_gallery():
    assert sorted(CHARTS) == sorted(n for n in sc.plotting.__all__ if n.startswith("plot_"))


@pytest.mark.parametrize("name", CHARTS)
def test_the_example_of_a_chart_draws_its_picture(name, tmp_path):
    path = tmp_path / f"{name}.svg"
    pictures.draw(name, path)
    drawn = path.read_text(encoding="utf-8")
    assert drawn.count("<path") > 5, "an empty figure"


def test_charts_are_drawn_where_their_picture_is_missing(monkeypatch, tmp_path):
    """Those of extensions, too, whose modules stand elsewhere."""
    drawn = []
    monkeypatch.setattr(pictures, "draw", lambda name, path: drawn.append(name) or path.touch())
    for _ in range(2):   # the second time nothing is missing
        pictures.draw_all(SimpleNamespace(srcdir=tmp_path))
        assert drawn == CHARTS


def test_an_example_that_prints_something_else_is_an_error(monkeypatch, tmp_path):
    def plot_nothing():
        """Nothing.

        >>> 1 + 1
        3
        """
    monkeypatch.setattr(sc.plotting, "plot_nothing", plot_nothing, raising=False)
    with pytest.raises(AssertionError, match="Expected"):
        pictures.draw("plot_nothing", tmp_path / "nothing.svg")
