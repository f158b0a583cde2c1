"""Public types: mypy accepts a script of forty calls and rejects misspelled options."""

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("mypy")
HERE = Path(__file__).parent

#: calls with one wrong option each
WRONG = ['compare([0, 1], [0, 1], ci="jacknife")', 'compare([0, 1], [0, 1], objects="both")',
         'consensus([[0, 1]], method="se")', 'cluster_number([[0.0]], criterion="silhuette")',
         'BaggedClustering(scheme="boot")', 'posterior_partition([[0, 1]], loss="vl")',
         'chance([0, 1], [0, 1], "rand_index", method="exakt")', 'align([0], [0], noise="dropp")',
         'HardClustering([0, 1]).harden("max_beleif")']


@pytest.mark.slow
def test_strict_scripts(tmp_path):
    wrong = tmp_path / "wrong.py"
    wrong.write_text("\n".join(["import softclust as sc", *(f"sc.{call}" for call in WRONG), ""]))
    options = ["--strict", "--ignore-missing-imports", "--follow-imports=silent",
               "--config-file", str(tmp_path / "none.ini")]
    (tmp_path / "none.ini").write_text("[mypy]\n")
    done = subprocess.run([sys.executable, "-m", "mypy", *options, str(HERE / "typed_script.py"),
                           str(wrong)], capture_output=True, text=True, cwd=HERE.parent)
    errors = [line for line in done.stdout.splitlines() if "error:" in line]
    assert [line for line in errors if "typed_script" in line] == []
    lines = {int(line.split(":")[1]) for line in errors if "wrong.py" in line}
    assert lines == set(range(2, len(WRONG) + 2)), done.stdout
