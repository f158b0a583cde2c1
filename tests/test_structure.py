"""What the code does not do: hide errors, pretend to be what it is not, reach into other rooms."""

import ast
from graphlib import CycleError, TopologicalSorter

import pytest
from test_architecture import PACKAGE, imported, layer_of, modules, nodes

from softclust.measures import registry

#: where any error may be caught and not raised again, and why
CAUGHT = {
    "_checks.py": "the repr of a value of the user's",
    "cli/__init__.py": "the outermost door",
    "reporting/fits.py": "algorithms of other packages",
    "running/jobs.py": "estimators and measures of the user's",
    "selection/settings.py": "estimators of the user's",
    "running/threads.py": "raised again on the thread that asked",
    "extensions/transport/moved_objects.py": "raised again on the thread that asked",
}


def files():
    for path in modules():
        yield path.relative_to(PACKAGE).as_posix(), nodes(path)


def catches_everything(handler):
    caught = {ast.unparse(part) for part in (
        handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type])
        if part is not None}
    return handler.type is None or bool(caught & {"Exception", "BaseException"})


def raises_at_last(handler):
    return isinstance(handler.body[-1], ast.Raise)


def swallows(parts):
    return any(isinstance(node, ast.ExceptHandler) and catches_everything(node)
               and not raises_at_last(node) for node in parts)


def test_errors_are_caught_by_name():
    """`except Exception` finds nothing out about our own code."""
    found = {name for name, parts in files() if swallows(parts)}
    assert found <= set(CAUGHT), f"catch what is expected by name: {sorted(found - set(CAUGHT))}"


@pytest.mark.parametrize(("code", "expected"), [
    ("except:\n pass", True), ("except Exception:\n pass", True),
    ("except (ValueError, Exception) as e:\n f(e)", True),
    ("except BaseException:\n f()\n raise", False), ("except ValueError:\n pass", False)])
def test_the_check_of_errors(code, expected):
    assert swallows(ast.walk(ast.parse(f"try:\n f()\n{code}"))) is expected


def test_no_class_makes_up_attributes():
    """What an object has is written down: no `__getattr__` but that of packages, for their names.
    """
    for name, parts in files():
        for node in parts:
            if isinstance(node, ast.ClassDef):
                own = {part.name for part in node.body if isinstance(part, ast.FunctionDef)}
                assert not own & {"__getattr__", "__getattribute__"}, f"{name}: {node.name}"
            elif isinstance(node, ast.FunctionDef) and node.name == "__getattr__":
                assert name.endswith("__init__.py"), name


def test_no_module_can_be_called():
    found = {name for name, parts in files() for node in parts
             if isinstance(node, ast.ClassDef)
             and any(ast.unparse(base).endswith("ModuleType") for base in node.bases)}
    found |= {name for name, parts in files() for node in parts
              if isinstance(node, ast.Assign)
              and any(isinstance(t, ast.Attribute) and t.attr == "__class__"
                      for t in node.targets)}
    assert not found


def private_part(name):
    """``room.module`` or ``room.module._name`` of a private name in a room; "" for others."""
    parts = name.split(".")[1:]
    if parts[0] == "_kernels" or not (PACKAGE / parts[0]).is_dir():
        return ""
    for depth, part in enumerate(parts[1:], 2):
        if part.startswith("_"):
            return ".".join(parts[:depth])
    return ""


def test_rooms_keep_their_private_names():
    found = {private_part(name) for path in modules() for name in imported(path, typing_too=True)
             if name.startswith("softclust.") and layer_of(path) != name.split(".")[1]} - {""}
    assert not found, f"private names of other rooms: {sorted(found)}"


def module_of(name, known):
    """The module that a dotted name is, or lies in; "" for names of other packages."""
    while name and name not in known:
        name = name.rpartition(".")[0]
    return name


def import_graph():
    """What each module imports, also inside functions; but not the doors to plots."""
    def dotted(path):
        return ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
    known = {dotted(path).removesuffix(".__init__"): path for path in modules()}
    graph = {}
    for own, path in known.items():
        found = {module_of(name, known) for name in imported(path)}
        graph[own] = {name for name in found - {own, "", "softclust"}
                      if not (name.startswith("softclust.plotting")
                              and not own.startswith("softclust.plotting"))}
    return graph


def test_imports_have_no_circles():
    """A module that is reached from itself cannot be read, moved or tested alone."""
    try:
        tuple(TopologicalSorter(import_graph()).static_order())
    except CycleError as error:
        pytest.fail(f"circle of imports: {' -> '.join(error.args[1])}")


def test_nothing_waits_for_the_end_of_python():
    """reticulate never runs what `atexit` keeps; only the command line leaves something for it."""
    found = {str(path.relative_to(PACKAGE)) for path in modules()
             if "atexit" in imported(path, typing_too=True)}
    assert found <= {"cli/__init__.py"}


def test_the_records_alone_know_measures_by_name():
    """No list of measures elsewhere: a list drifts, and a new measure is not in it."""
    names = set(registry())
    families = {m.function.__module__ for m in registry().values()}
    found = []
    for path in modules():
        module = ".".join(("softclust", *path.relative_to(PACKAGE).with_suffix("").parts))
        if module in families:
            continue
        for node in nodes(path):
            parts = (node.elts if isinstance(node, (ast.Tuple, ast.List, ast.Set)) else
                     [*node.keys, *node.values] if isinstance(node, ast.Dict) else [])
            named = {part.value for part in parts if isinstance(part, ast.Constant)} & names
            if len(named) > 1:
                found.append(f"{path.relative_to(PACKAGE)}:{node.lineno} {sorted(named)}")
    assert not found, found


def test_a_class_name_stands_in_one_room():
    """One name, one thing: a reader who looks for a class finds it once."""
    rooms = {}
    for path in modules():
        for node in nodes(path):
            if isinstance(node, ast.ClassDef):
                rooms.setdefault(node.name, set()).add(layer_of(path))
    assert {name: found for name, found in rooms.items() if len(found) > 1} == {}
