"""Each extension can be taken out by deleting its folder: the rest works as before."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from together import for_each

import softclust
from softclust.extensions import declared, extensions, feature, modules

ROOT = Path(softclust.__file__).parent
NAMES = sorted(path.parent.name for path in (ROOT / "extensions").glob("*/__init__.py"))
#: what is left, printed: names, measures, records, charts, and values of calls that use the core
REST = """
import softclust as sc, softclust.plotting as plotting
from softclust.extensions import extensions
table = sc.compare([0, 0, 1, 1, 2], [0, 0, 1, 2, 2])
assert abs(table["adjusted_rand_index"].value - 0.375) < 1e-12
runs = sc.Ensemble([[0, 0, 1, 1], [0, 0, 1, 1], [0, 1, 1, 1]])
assert sc.consensus(runs, rng=0).labels.tolist() == [0, 0, 1, 1]
names = sc._public()
for name in names:
    getattr(sc, name)
for place in (sc.results, plotting):
    for name in place.__all__:
        getattr(place, name)
data = sc.datasets.load_iris().data
report = sc.report(data[::3], quick=True, pictures=False)
print(*extensions())
"""


def test_each_folder_is_an_extension():
    assert sorted(extensions()) == NAMES
    assert len(NAMES) == 6
    for what in ("PUBLIC", "RECORDS", "CHARTS"):
        homes = declared(what)
        assert {home.split(".")[1] for home in homes} == set(NAMES), what
    assert modules("MEASURES") == ["softclust.extensions.transport.measures"]


def test_a_feature_that_nobody_offers_says_so():
    with pytest.raises(ImportError, match=r"forecast is part of an extension .* only completion, "):
        feature("forecast")


@pytest.mark.slow
@for_each("name", NAMES)
def test_the_rest_works_without_it(name, tmp_path):
    copy = tmp_path / name
    shutil.copytree(ROOT, copy / "softclust")
    shutil.rmtree(copy / "softclust" / "extensions" / name)
    run = subprocess.run([sys.executable, "-c", REST], capture_output=True, text=True,
                         cwd=copy, env={"PATH": "", "PYTHONPATH": str(copy)})
    assert run.returncode == 0, run.stderr[-2000:]
    assert run.stdout.split() == [each for each in NAMES if each != name]


def test_the_rest_works_without_transport(tmp_path):
    """One of them in every run; `make test-slow` tries them all."""
    skip = shutil.ignore_patterns("transport", "__pycache__")
    shutil.copytree(ROOT, tmp_path / "softclust", ignore=skip)
    code = ("import softclust as sc\nassert 'transport_rand_index' not in sc._public()\n"
            "print(sc.compare([0, 0, 1], [0, 0, 1])['rand_index'].value, len(sc._public()))")
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                         cwd=tmp_path, env={"PATH": "", "PYTHONPATH": str(tmp_path)}, check=True)
    value, count = run.stdout.split()
    lost = sum(name.startswith(("transport_", "expected_index", "SamplingBias"))
               for name in softclust._public())
    assert float(value) == 1.0
    assert int(count) == len(softclust._public()) - lost
