"""Flip operators and constants at random, one at a time, and see whether the tests notice.

    python tests/benchmarks/mutations.py [COUNT] [SEED] [ROOM ...]

Each mutation is made in a copy of the package; the tests of its room run until the first failure,
then those that name a function of the file or of a file that imports it. What survives is printed
with its line: some survivors are equal in effect (a tolerance, a size of a block), the others need
a test.
"""

import ast
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
#: tests of each room, by the beginning of their names
TESTS = {
    "tables": ("hard_indices", "pair_counting", "information", "partition_distance", "assignment",
               "tables", "chance", "counting", "reduced_information", "null_models"),
    "memberships": ("membership", "matching", "mallows", "rough_measures", "fuzzy_information"),
    "soft_pairs": ("fuzzy_pairs", "frobenius", "concordance", "relational", "golden_relational",
                   "pair_dissimilarity", "pairwise_entropy", "uncertainty", "chance_corrected"),
    "covers": ("cover", "circles", "fields", "coreference"),
    "measures/limit_rules.py": ("limits", "comparison_ci"),
    "ensembles": ("consensus", "pair_consensus", "stability", "together", "bagging"),
    "extensions/transport": ("extensions/transport/test_", "extensions/transport/test_expected"),
    "extensions/trees": ("extensions/trees/test_",),
    "extensions/posterior": ("extensions/posterior/test_",),
}
FLIPS = {ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==",
         ast.Add: "-", ast.Sub: "+", ast.Mult: "/", ast.Div: "*", ast.And: "or", ast.Or: "and"}


def mutations(path):
    """Every flip of a file: the line, columns, and the text that takes their place."""
    text = path.read_text(encoding="utf-8")
    lines = text.split("\n")
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            parts, operator = (node.left, node.comparators[0]), type(node.ops[0])
        elif isinstance(node, ast.BinOp):
            parts, operator = (node.left, node.right), type(node.op)
        elif isinstance(node, ast.BoolOp):
            parts, operator = node.values[:2], type(node.op)
        elif (isinstance(node, ast.Constant) and type(node.value) in (int, float)
              and node.end_lineno == node.lineno):
            yield node.lineno, node.col_offset, node.end_col_offset, repr(node.value + 1)
            continue
        else:
            continue
        one_line = parts[0].end_lineno == parts[1].lineno
        if operator in FLIPS and one_line and lines[parts[1].lineno - 1].isascii():
            between = lines[parts[1].lineno - 1][parts[0].end_col_offset:parts[1].col_offset]
            if "(" not in between and ")" not in between:
                yield (parts[1].lineno, parts[0].end_col_offset, parts[1].col_offset,
                       f" {FLIPS[operator]} ")


def naming(path):
    """Test files that name a function or class of the file, or a public one of its importers."""
    def defined(text, private):
        return {node.name for node in ast.parse(text).body
                if isinstance(node, (ast.FunctionDef, ast.ClassDef))
                and (private or not node.name.startswith("_"))}

    names = defined(path.read_text(encoding="utf-8"), True)
    importing = re.compile(rf"(from|import)\s+\S*\b{path.stem}\b|from \S+ import .*\b{path.stem}\b"
                           rf"|_kernels\.{path.stem}\b")
    for other in (ROOT / "softclust").rglob("*.py"):
        text = other.read_text(encoding="utf-8")
        if other.name != "__init__.py" and importing.search(text):
            names |= defined(text, False)
    named = re.compile(rf"\b({'|'.join(sorted(names) or ['$.'])})\b")
    return sorted(str(test.relative_to(ROOT)) for test in (ROOT / "tests").rglob("test_*.py")
                  if named.search(test.read_text(encoding="utf-8")) and test.name != "test_docs.py")


def survives(copy, path, change, tests):
    """Run the tests on one mutation and take it back."""
    line, begin, end, text = change
    target = copy / path.relative_to(ROOT)
    lines = path.read_text(encoding="utf-8").split("\n")
    old = lines[line - 1]
    lines[line - 1] = old[:begin] + text + old[end:]
    target.write_text("\n".join(lines), encoding="utf-8")
    passed = True
    try:
        for chosen in (tests, [test for test in naming(path) if test not in tests]):
            passed = passed and (not chosen or subprocess.run(
                [sys.executable, "-m", "pytest", "-q", "-x", "-m", "not slow and not r", "-p",
                 "no:cacheprovider", *chosen], cwd=copy, capture_output=True, timeout=900,
                env={**os.environ, "PYTHONPATH": str(copy)}).returncode in (0, 5))
    except subprocess.TimeoutExpired:
        passed = False
    finally:
        shutil.copy2(path, target)
    return passed, old.strip(), lines[line - 1].strip()


def main(count=200, seed=0, *rooms):
    rng = random.Random(int(seed))
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        for name in ("softclust", "tests", "r_bridge", "docs", "scripts"):
            shutil.copytree(ROOT / name, copy / name)
        shutil.copy2(ROOT / "pyproject.toml", copy)
        places = []
        for room, begins in TESTS.items():
            if rooms and room not in rooms:
                continue
            files = [ROOT / "softclust" / room]
            files = files if files[0].suffix else sorted(files[0].rglob("*.py"))
            tests = sorted({str(test.relative_to(ROOT)) for begin in begins for test in (
                ROOT / "tests").glob(f"{begin}*.py" if "/" in begin else f"test_{begin}*.py")})
            places += [(path, change, tests) for path in files for change in mutations(path)]
        alive = 0
        chosen = rng.sample(places, int(count))
        for k, (path, change, tests) in enumerate(chosen, 1):
            lives, old, new = survives(copy, path, change, tests)
            alive += lives
            if lives:
                print(f"{path.relative_to(ROOT)}:{change[0]}\n    {old}\n    {new}", flush=True)
            print(f"{k} of {count}, {alive} survive", file=sys.stderr)
        print(f"{alive} of {count} mutations survive")


if __name__ == "__main__":
    main(*sys.argv[1:])
