"""The rules of structure: who may import whom, what an import loads, how long files are."""

import ast
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from together import for_each

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "softclust"

#: layers from left to right: a module imports from its own layer and from those to its left
LAYERS = (
    ("_checks", "_types", "running", "results"),
    ("clusterings", "datasets"),
    ("measures", "tables", "soft_pairs", "memberships", "covers", "cluster"),
    ("ensembles",),
    ("comparison",),
    ("selection", "warmup"),
    ("plotting",),
    ("extensions", "reporting", "cli", "__main__"),
)
RANK = {name: rank for rank, layer in enumerate(LAYERS) for name in layer}
#: `.plot()` of a record is a door to the right, opened when it is called
DOORS = {(own, "plotting") for own in ("memberships", "soft_pairs", "covers", "comparison",
                                       "ensembles", "selection")}
#: what the core reads of the extensions: what they say that they offer
DECLARED = {f"softclust.extensions{name}" for name in (
    "", ".declared", ".extensions", ".feature", ".modules")}
HEAVY = ("numba", "pandas", "scipy.stats", "sklearn", "statsmodels", "matplotlib", "rpy2",
         "scipy.optimize", "scipy.sparse")


@cache
def modules(folder=PACKAGE):
    return sorted(folder.rglob("*.py"))


@cache
def parsed(path):
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def nodes(path):
    """All parts of a file; walking takes longer than what is asked of them."""
    return tuple(ast.walk(parsed(path)))


def layer_of(path):
    if path == PACKAGE / "running" / "warmup.py":
        return "warmup"   # it calls what it compiles
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


@cache
def imported(path, *, typing_too=False):
    """Absolute dotted names that a file imports, one a name."""
    skipped = set()
    if not typing_too:
        for node in nodes(path):
            if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
                skipped.update(id(inner) for part in node.body for inner in ast.walk(part))
    parts = list(path.relative_to(ROOT).with_suffix("").parts[:-1])
    names = []
    for node in nodes(path):
        if id(node) in skipped:
            continue
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = parts[:len(parts) - node.level + 1] if node.level else []
            stem = [part for part in [*base, *(node.module or "").split(".")] if part]
            names += [".".join([*stem, alias.name]) for alias in node.names]
    return names


def kernels():
    """Kernels that rooms share, and those of the wings."""
    return [path for path in modules() if path.parent.name == "_kernels"]


@for_each("path", modules())
def test_a_module_imports_only_from_its_left(path):
    own = layer_of(path)
    if own == "__init__":
        return   # the table of public names; its submodules load at their first use
    assert own in RANK, f"{own} has no layer: place it in LAYERS"
    for name in imported(path):
        parts = name.split(".")
        if parts[0] != "softclust" or len(parts) == 1 or parts[1] not in RANK or name in DECLARED:
            continue
        target = parts[1]
        assert RANK[target] <= RANK[own] or (own, target) in DOORS, (
            f"{own} imports {name}, which stands to its right")


def test_the_core_never_names_an_extension():
    names = [path.name for path in (PACKAGE / "extensions").iterdir()
             if (path / "__init__.py").is_file()]
    assert len(names) == 6
    for path in modules():
        own = path.relative_to(PACKAGE).parts
        core = own[0] != "extensions" or len(own) == 2
        for name in imported(path, typing_too=True):
            other = re.match(rf"softclust\.extensions\.({'|'.join(names)})\b", name)
            assert not other or (not core and other[1] == own[1]), f"{path} imports {name}"


@for_each("path", kernels())
def test_kernels_import_numpy_and_the_jit_alone(path):
    if path.name == "__init__.py":
        return
    own = ".".join(path.relative_to(ROOT).parts[:-1]) + "."
    for name in imported(path, typing_too=True):
        assert name.split(".")[0] in ("numpy", "math") or name.startswith(
            ("softclust.running.compiler.", own)), f"{path.name} imports {name}"


def test_kernels_of_a_wing_are_used_in_the_wing_alone():
    for path in modules():
        for name in imported(path, typing_too=True):
            wing, kernel, _ = name.partition("._kernels")
            if kernel and wing != "softclust":
                own = ".".join(("softclust", *path.relative_to(PACKAGE).parts))
                assert own.startswith(f"{wing}."), f"{path} imports {name}"


@for_each("path", modules())
def test_numba_is_set_up_in_one_place(path):
    if path == PACKAGE / "running" / "compiler.py":
        return
    assert not [name for name in imported(path) if name.split(".")[0] == "numba"]
    if path.parent.name != "_kernels":
        return
    words = {getattr(node, "id", getattr(node, "attr", getattr(node, "arg", None)))
             for node in nodes(path)}
    assert not words & {"njit", "jit", "prange", "fastmath", "nogil", "parallel"}


@for_each("path", [path for path in modules() if layer_of(path) != "running"])
def test_work_is_shared_out_in_one_place(path):
    """By `run_chunks` and `run_jobs`."""
    used = {node.attr if isinstance(node, ast.Attribute) else node.id for node in nodes(path)
            if isinstance(node, (ast.Attribute, ast.Name))}
    used |= {name.rpartition(".")[2] for name in imported(path)}
    assert not used & {"submit", "ThreadPoolExecutor", "ProcessPoolExecutor", "Pool", "Parallel",
                       "as_completed"}


def test_warnings_are_given_in_one_place():
    # comparison/permutations.py and comparison/limits.py follow with their redesign.
    for path in modules():
        own = str(path.relative_to(PACKAGE))
        if own in ("running/warnings.py", "comparison/permutations.py", "comparison/limits.py"):
            continue
        calls = [node.func.value for node in nodes(path) if isinstance(node, ast.Call)
                 and isinstance(node.func, ast.Attribute)]
        assert not [call for call in calls if getattr(call, "id", "") == "warnings"], own


def test_files_are_written_in_one_place():
    own = ("results/writing.py", "ensembles/checkpoint.py")
    for path in modules():
        if str(path.relative_to(PACKAGE)) in own:
            continue
        for node in nodes(path):
            if isinstance(node, ast.Call):
                modes = [a.value for a in node.args[1:2] if isinstance(a, ast.Constant)]
                called = getattr(node.func, "attr", "")
                assert called not in ("write_text", "write_bytes"), path
                assert not (getattr(node.func, "id", "") == "open" and modes
                            and str(modes[0])[:1] in "wax"), path


def test_fastmath_true_is_refused():
    from softclust.running.compiler import kernel
    with pytest.raises(ValueError, match="NaN guards"):
        kernel(lambda x: x, flags=("fast",))


def test_nothing_imports_the_bridge():
    for path in modules():
        assert not [n for n in imported(path, typing_too=True) if n.split(".")[0] == "r_bridge"]


def test_the_bridge_uses_public_names_alone():
    import softclust
    # cli is where commands of other packages get the arguments for files, running where a program
    # that holds Python inside, as R does, ends its threads.
    public = {*softclust._public(), "cli", "running"}
    for path in modules(ROOT / "r_bridge"):
        for name in imported(path, typing_too=True):
            parts = name.split(".")
            if parts[0] == "softclust" and len(parts) > 1:
                private = parts[1] not in public or any(p.startswith("_") for p in parts)
                assert not private, f"{path.name} imports {name}"
        aliases = "|".join({"softclust", *re.findall(r"import softclust as (\w+)",
                                                     path.read_text(encoding="utf-8"))})
        for node in nodes(path):
            if (isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
                    and re.fullmatch(aliases, node.value.id)):
                assert node.attr in public, f"{path.name} uses {node.value.id}.{node.attr}"


def tracked():
    git = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True)
    if git.returncode:   # an unpacked source distribution
        return [p for top in ("softclust", "r_bridge", "tests") for p in modules(ROOT / top)]
    return [ROOT / name for name in git.stdout.split("\0") if name and (ROOT / name).is_file()]


def test_no_python_file_is_much_longer_than_800_lines():
    long = {str(p.relative_to(ROOT)): n for p in tracked() if p.suffix == ".py"
            and (n := len(p.read_text(encoding="utf-8").splitlines())) > 850}
    assert not long


def test_no_module_is_called_utils():
    assert not [p for p in tracked() if p.stem in ("utils", "util", "helpers", "misc")]


def loaded_after(code):
    listing = f"{code}\nimport sys; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", listing], capture_output=True, text=True,
                         check=True, cwd=ROOT)
    return set(run.stdout.split())


def test_import_loads_nothing_heavy():
    assert not loaded_after("import softclust") & set(HEAVY)


def test_names_of_clusterings_load_nothing_heavy():
    code = "import softclust as sc; sc.HardClustering; sc.compare; sc.rand_index; dir(sc)"
    assert not loaded_after(code) & set(HEAVY)


def test_command_line_help_loads_nothing_heavy():
    code = ("import contextlib, io\nfrom softclust.cli import main\n"
            "with contextlib.redirect_stdout(io.StringIO()): assert main(['--help']) == 0")
    assert not loaded_after(code) & set(HEAVY)


def test_options_of_the_commands_load_no_clusterers():
    """Options are read from signatures, whose modules import scikit-learn where they use it."""
    code = ("import contextlib, io\nfrom softclust.cli import COMMANDS, main\n"
            "with contextlib.redirect_stdout(io.StringIO()):\n"
            "    for name in COMMANDS:\n"
            "        assert name == 'report' or main([name, '--help']) == 0")
    assert not loaded_after(code) & (set(HEAVY) - {"scipy.sparse"})


def test_data_and_measures_do_not_load_scikit_learn():
    code = ("import softclust as sc; iris = sc.datasets.load_iris()\n"
            "x = sc.FuzzyClustering([[0.2, 0.8], [0.5, 0.5], [1, 0]]); y = [0, 0, 1]\n"
            "sc.adjusted_rand_index(iris.labels, iris.labels); str(sc.compare(x, y)); sc.cluster")
    assert not loaded_after(code) & {"sklearn", "pandas", "matplotlib", "statsmodels", "pyarrow"}


@pytest.mark.parametrize("first", ["tables.contingency", "soft_pairs.moments", "tables.counter",
                                   "memberships.matched_columns", "measures"])
def test_a_module_of_a_room_may_be_the_first_import(first):
    """Rooms and the registry name each other: neither may need to come first."""
    subprocess.run([sys.executable, "-c", f"import softclust.{first}"], check=True, cwd=ROOT)
