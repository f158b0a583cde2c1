"""What a user gets: wheel and sdist, each installed where nothing else is."""

import glob
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
# A hard and a soft measure by hand; then what was installed.
USE = """
import importlib.metadata, softclust as sc
assert "site-packages" in sc.__file__, sc.__file__
assert abs(sc.rand_index([0, 0, 1, 1], [0, 0, 1, 2]) - 5 / 6) < 1e-12
assert abs(sc.frobenius_rand_index([[.5, .5], [1, 0]], [[.5, .5], [1, 0]]) - 1) < 1e-12
files = importlib.metadata.files("softclust")
print(*sorted(str(f) for f in files if "dist-info" not in str(f) and f.suffix != ".pyc"), sep="\\n")
"""


def interpreters():
    found = {f"3.{sys.version_info.minor}": sys.executable}
    for minor in ("3.11", "3.12", "3.13"):
        for path in [*glob.glob(os.path.expanduser(f"~/.pyenv/versions/{minor}.*/bin/python")),
                     f"/usr/bin/python{minor}", f"/usr/local/bin/python{minor}"]:
            if os.path.exists(path):
                found.setdefault(minor, path)
    return found


def run(*command, cwd):
    """Standard output; without the variables by which this checkout could be found instead."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    done = subprocess.run([str(c) for c in command], cwd=cwd, env=clean, text=True, timeout=600,
                          capture_output=True)
    assert done.returncode == 0, f"{command}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
    return done.stdout


def environment(python, folder):
    run(python, "-m", "venv", folder, cwd=folder.parent)
    return folder / "bin" / "python"


@pytest.fixture(scope="module")
def distributions(tmp_path_factory):
    """The sdist, and the wheel that is built from it."""
    folder = tmp_path_factory.mktemp("built")
    builder = environment(sys.executable, folder / "builder")
    run(builder, "-m", "pip", "install", "-q", "hatchling", cwd=folder)
    run(builder, "-m", "hatchling", "build", "-t", "sdist", "-d", folder / "dist", cwd=ROOT)
    sdist, = (folder / "dist").glob("*.tar.gz")
    run(builder, "-m", "pip", "wheel", "-q", "--no-deps", "-w", folder / "dist", sdist, cwd=folder)
    wheel, = (folder / "dist").glob("*.whl")
    return wheel, sdist


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="folders of a POSIX system")
@pytest.mark.parametrize(("minor", "python"), interpreters().items(), ids=interpreters())
def test_wheel_and_sdist_in_an_empty_environment(minor, python, distributions, tmp_path):
    wheel, sdist = distributions
    there = environment(python, tmp_path / "there")
    run(there, "-m", "pip", "install", "-q", wheel, cwd=tmp_path)
    files = run(there, "-c", USE, cwd=tmp_path)
    assert {"softclust/py.typed", "softclust/__init__.pyi"} <= set(files.split())
    assert not [f for f in files.split() if f.startswith(("tests", "docs"))]
    (tmp_path / "labels.csv").write_text("a,b\nx,x\nx,x\ny,y\ny,z\n")
    shown = run(there.parent / "softclust", "count", "labels.csv", "a", "b", cwd=tmp_path)
    assert "adjusted_rand_index             0.5714" in shown   # by hand: (1 - 2/6) / (3/2 - 2/6)
    run(there, "-m", "pip", "install", "-q", "--no-deps", "--force-reinstall", sdist, cwd=tmp_path)
    assert run(there, "-c", USE, cwd=tmp_path) == files   # the same files by both
