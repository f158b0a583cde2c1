"""Flip operators and constants at random, one at a time, and see whether the tests notice.

    python tests/benchmarks/mutations.py FOLDER [COUNT] [SEED] [ROOM ...]

The first run copies the repository to FOLDER and records there which test runs which line (some
minutes); runs with the same FOLDER use it again. Of each room, COUNT mutations are made in the
copy. The tests of the room that run the line come first, then a share of the others; those of
documents, reports and pictures are left out, so are messages, `__repr__` and charts. Compiled
kernels are tried by the tests that run their callers. What survives is printed with its line: some
survivors are equal in effect (a tolerance, a size of a block), the others need a test.
"""

import ast
import importlib
import os
import random
import re
import shutil
import signal
import sys
import time
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).parents[2]
#: tests of each room, by the beginning of their names
TESTS = {
    "tables": ("hard_indices", "pair_counting", "information", "partition_distance", "assignment",
               "tables", "table_", "chance", "counting", "reduced_information", "null_models",
               "groups", "strata", "tally", "cli_count"),
    "memberships": ("membership", "matching", "mallows", "rough_measures", "fuzzy_information"),
    "soft_pairs": ("fuzzy_pairs", "frobenius", "concordance", "relational", "golden_relational",
                   "pair_dissimilarity", "pairwise_entropy", "uncertainty", "chance_corrected",
                   "dissimilarity_increments"),
    "covers": ("cover", "circles", "fields", "coreference"),
    "measures": ("limits", "comparison_ci", "registry", "resampled_statistics"),
    "ensembles": ("consensus", "pair_consensus", "partial", "stability", "together", "bagging",
                  "bagged", "schemes", "criterion", "resampled", "bayesian", "replicates"),
    "cluster": ("cmeans", "evidential_cmeans", "rough_kmeans", "batched_kmeans", "initialisation",
                "estimator_api"),
    "clusterings": ("clusterings", "coercion", "conversion", "ensemble", "labels", "lattice",
                    "matrices", "object", "policies", "alignment", "two_sides", "combination",
                    "many_focal_sets", "neighbours", "door", "frames", "one_clustering", "names"),
    "comparison": ("comparison", "limits", "versions", "cohorts", "chance", "permutation",
                   "sampled_truth", "groups", "strata", "flows", "ranking", "scaling", "null_",
                   "compare_many", "batch_effect", "dependence", "published", "sampling"),
    "selection": ("separation", "settings", "selection", "evidence", "criteria", "gap",
                  "reproducibility", "silhouette"),
    **{f"extensions/{name}": (f"extensions/{name}/test_",) for name in (
        "completion", "posterior", "prayatul", "transport", "trees", "truecluster")},
}
#: tests that say little about numbers, or take long
LEFT_OUT = ("docs", "docstrings", "installed", "vignette", "report", "pictures", "plot", "words",
            "without_jit", "readme", "architecture", "structure", "style", "types", "help_pages",
            "r_must", "project", "recipes", "live_peers", "compiler", "hostile", "guide",
            "customers", "peers_page", "add_a_measure")
FLIPS = {ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==",
         ast.Add: "-", ast.Sub: "+", ast.Mult: "/", ast.Div: "*", ast.And: "or", ast.Or: "and"}
SECONDS = 15, 5, 180   # of the tests of the room and of others; of both until they are stopped


def computing(node):
    """Nodes of a tree outside of messages, `__repr__` and charts."""
    if isinstance(node, (ast.Raise, ast.JoinedStr)) or re.match(
            r"_?(plot|draw)|__(repr|str)__|_repr_|summary$|progress$", getattr(node, "name", None)
            or ""):
        return
    yield node
    for child in ast.iter_child_nodes(node):
        yield from computing(child)


def mutations(path):
    """Every flip of a file: the line, columns, and the text that takes their place."""
    text = path.read_text(encoding="utf-8")
    lines = text.split("\n")
    for node in computing(ast.parse(text)):
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            parts, operator = (node.left, node.comparators[0]), type(node.ops[0])
        elif isinstance(node, ast.BinOp):
            parts, operator = (node.left, node.right), type(node.op)
        elif isinstance(node, ast.BoolOp):
            parts, operator = node.values[:2], type(node.op)
        elif (isinstance(node, ast.Constant) and type(node.value) in (int, float)
              and node.end_lineno == node.lineno):
            if not lines[node.lineno - 1][:node.col_offset].endswith("reshape(-"):   # -2 is as -1
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


class Chosen:
    """A plugin of pytest: run these tests in this order."""

    def __init__(self, names):
        self.rank = {name: k for k, name in enumerate(names)}

    def pytest_collection_modifyitems(self, items):
        items[:] = sorted((item for item in items if item.nodeid in self.rank),
                          key=lambda item: self.rank[item.nodeid])


def pytest_in_copy(copy, arguments, seconds, plugins=()):
    """Run pytest in a fork, which has numba and SciPy already; None when it took too long."""
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        os.setsid()
        os.chdir(copy)
        os.environ["PYTHONPATH"] = str(copy)
        sys.path[:0] = [str(copy)]
        log = os.open(copy.parent / "pytest.log", os.O_CREAT | os.O_WRONLY | os.O_TRUNC)
        os.dup2(log, 1)
        os.dup2(log, 2)
        import pytest
        os._exit(int(pytest.main(["-q", "-m", "not slow and not r and not r_cran", "-p",
                                  "no:cacheprovider", *arguments], plugins=list(plugins))))
    begin = time.monotonic()
    while time.monotonic() - begin < seconds:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(.05)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None


class Coverage:
    """Which tests run a line, and how long they take."""

    def __init__(self, folder):
        import coverage
        self.copy = folder / "copy"
        self.stored = coverage.CoverageData(str(folder / "coverage.db"))
        self.stored.read()
        self.lines, self.seconds, self.failed = {}, {}, set()
        for case in ElementTree.parse(folder / "junit.xml").iter("testcase"):
            key = case.get("classname").replace(".", "/"), case.get("name")
            self.seconds[key] = float(case.get("time"))
            if case.find("failure") is not None or case.find("error") is not None:
                self.failed.add(key)

    @staticmethod
    def key(test):
        """How the file of JUnit names a test."""
        place, _, name = test.partition("::")
        return place.removesuffix(".py"), name

    def cost(self, test):
        return self.seconds.get(self.key(test), .1)

    def of_lines(self, path, first, last=None):
        if path not in self.lines:
            self.lines[path] = self.stored.contexts_by_lineno(str(self.copy / path))
        return {name.rsplit("|", 1)[0] for line in range(first, (last or first) + 1)
                for name in self.lines[path].get(line, ()) if name}

    def tests(self, path, line, seen=()):
        """Tests that run a line; of a kernel or an argument, those that run the function."""
        found = self.of_lines(path, line)
        text = (self.copy / path).read_text(encoding="utf-8")
        within = [node for node in ast.walk(ast.parse(text))
                  if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.end_lineno >= line
                  >= min([node.lineno, *(part.lineno for part in node.decorator_list)])]
        if not found and within:
            node = within[-1]
            found = self.of_lines(path, node.body[0].lineno, node.end_lineno)
            name = re.compile(rf"\b{within[0].name}\b")
            called = re.compile(rf"\b{path.stem}\.{within[0].name}\(")
            if not found and within[0].name not in seen:   # a kernel
                for place in sorted((self.copy / "softclust").rglob("*.py")):
                    other = place.relative_to(self.copy)
                    for k, row in enumerate(place.read_text(encoding="utf-8").split("\n"), 1):
                        if name.search(row) and (other != path or not row.startswith("def ")):
                            found |= (self.tests(path, k, (*seen, within[0].name))
                                      if other == path else self.of_lines(other, k))
                files = {str(place.relative_to(self.copy)).removesuffix(".py")
                         for place in (self.copy / "tests").rglob("test_*.py")
                         if called.search(place.read_text(encoding="utf-8"))}
                found |= {f"{file}.py::{name}" for file, name in self.seconds if file in files}
        if not found and not within:   # a constant of the file
            found = self.of_lines(path, 1, 10_000)
            found = found or {
                name for other in (self.copy / path).parents[1].glob("*.py")
                for name in self.of_lines(other.relative_to(self.copy), 1, 10_000)}
        return found


def attempt(cover, path, change, room):
    """Run the tests on one mutation, take it back, and say how it ended."""
    line, begin, end, text = change
    target = cover.copy / path
    text_before, times = target.read_text(encoding="utf-8"), target.stat()
    lines = text_before.split("\n")
    old = lines[line - 1]
    lines[line - 1] = old[:begin] + text + old[end:]
    begins = [f"tests/{name}" if "/" in name else f"tests/test_{name}" for name in TESTS[room]]
    tests = sorted((test for test in cover.tests(path, line)
                    if cover.key(test) not in cover.failed), key=cover.cost)
    own, others, total = [], [], [0., 0.]
    for test in tests:   # the quickest first
        other = not test.startswith((*begins, f"softclust/{room}"))
        if total[other] < SECONDS[other]:
            (own, others)[other].append(test)
            total[other] += cover.cost(test)
    target.write_text("\n".join(lines), encoding="utf-8")
    compiled = {place: place.read_bytes() for place in target.parent.glob(
        f"__pycache__/{path.stem}.*.nb?")}
    end, seen = "survives", ""
    begun = time.monotonic()
    try:
        for chosen, name in ((own, "room"), (others, "others")):
            if chosen and end == "survives":
                code = pytest_in_copy(
                    cover.copy, ["-x", *sorted({test.split("::")[0] for test in chosen})],
                    SECONDS[2], [Chosen(chosen)])
                end = {0: end, 5: end, 1: name, None: "timeout"}.get(code, f"code {code}")
                seen = re.search(r"^(FAILED|ERROR) .*|^.*Error.*", (
                    cover.copy.parent / "pytest.log").read_text(errors="replace"), re.M)
                seen = seen[0] if seen and end != "survives" else ""
    finally:
        target.write_text(text_before, encoding="utf-8")
        os.utime(target, ns=(times.st_atime_ns, times.st_mtime_ns))
        for place, content in compiled.items():
            place.write_bytes(content)
    print(f"{end:9}{room:24}{path}:{line}  {time.monotonic() - begun:.0f} s, {len(own)} tests "
          f"({sum(map(cover.cost, own)):.0f} s), {len(others)} others\n    {old.strip()}\n"
          f"    {lines[line - 1].strip()}\n    {seen[:150]}", flush=True)
    return end


def main(folder, count=10, seed=0, *rooms):
    folder = Path(folder)
    if not (folder / "junit.xml").exists():
        for name in ("softclust", "tests", "r_bridge", "docs", "scripts", "vignettes"):
            shutil.copytree(ROOT / name, folder / "copy" / name)
        shutil.copy2(ROOT / "pyproject.toml", folder / "copy")
        (folder / "coveragerc").write_text(
            f"[run]\nsource = {folder}/copy/softclust\ndata_file = {folder}/coverage.db\n"
            "core = ctrace\ndisable_warnings = no-data-collected,module-not-imported,"
            "already-imported\n")
        pytest_in_copy(folder / "copy", [
            "--cov", f"--cov-config={folder}/coveragerc", "--cov-context=test", "--cov-report=",
            f"--junitxml={folder}/junit.xml", "--ignore=tests/r", *(
                f"--ignore-glob=*/test_{name}*" for name in LEFT_OUT)], 7200)
    for name in ("numba", "pandas", "scipy.stats", "sklearn.cluster", "sklearn.mixture"):   # once
        importlib.import_module(name)
    cover, ends = Coverage(folder), Counter()
    for room in rooms or TESTS:
        places = [(path.relative_to(cover.copy), change)
                  for path in sorted((cover.copy / "softclust" / room).rglob("*.py"))
                  if not path.name.endswith("_charts.py") for change in mutations(path)]
        for path, change in random.Random(f"{seed} {room}").sample(places, int(count)):
            ends[room, attempt(cover, path, change, room)] += 1
    for (room, end), times in sorted(ends.items()):
        print(f"{room:24}{end:10}{times}")


if __name__ == "__main__":
    main(*sys.argv[1:])
