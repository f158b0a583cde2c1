"""Prose: the check of `make lint` sees what it should, and finds nothing."""

import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SPEC = importlib.util.spec_from_file_location("style", ROOT / "scripts" / "style.py")
style = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(style)


@pytest.mark.parametrize(("text", "number"), [
    ("it refuses soft clusterings", 1), ("One row an object, one column a cluster", 2),
    ("this shall be", 1), ("a dear loop", 1), ("least possible value", 1), ("shallow dearth", 0),
    ("one row per object", 0), ("as `spec/" + "limits.md` says", 1), ("one line a time", 0),
    ("it refuses  # style: ok", 0), ("", 0), ("x is no matrix of numbers", 1),
    ("where there is no matrix", 0), ("at most so many labels", 1), ("so many that it hurts", 0),
    ('    """Of what a user gave, checked."""', 1), ('"""What the objects are called."""', 1),
    ("nothing is dropped in silence", 1), ("silence is in no cluster", 0),
    ("frames go in as they are", 1), ("95 % limits are to cover the value", 1), ("are to be", 0),
    ("Where a decision hangs on the number", 1), ("After this page you can", 1),
    ('"""What a report says first."""', 1), ('"""Whatever it is."""', 0),
    ("they differ by rounding alone", 1),
])
def test_it_sees(text, number):
    assert len(style.found(text)) == number


@pytest.mark.slow   # `make check` and CI's lint ask as well
@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="lists files by git")
def test_the_prose_has_none():
    found = [f"{path.relative_to(ROOT)}:{line}: {words}" for path in style.files()
             for line, words, _ in style.found(path.read_text(encoding="utf-8"))]
    assert not found, "\n".join(found)
