"""No circles of imports inside a room: each file can be read after those that it imports."""

import pytest
from test_architecture import PACKAGE, imported, modules

#: rooms that are free of circles
ROOMS = ("clusterings",)


def graph(folder):
    """Files of a room and the files of it that each imports, also within functions."""
    found = {}
    for path in modules(folder):
        own = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
        found[own] = set(imported(path))
    return {own: {target for name in names for target in found
                  if target != own and (name == target or name.startswith(f"{target}."))
                  and not target.endswith("__init__")}
            for own, names in found.items()}


def circle(edges):
    """Files that reach themselves."""
    reach = {own: set(targets) for own, targets in edges.items()}
    for middle in edges:
        for own in edges:
            if middle in reach[own]:
                reach[own] |= reach[middle]
    return sorted(own for own in edges if own in reach[own])


@pytest.mark.parametrize("room", ROOMS)
def test_no_circle_of_imports(room):
    edges = graph(PACKAGE / room)
    assert any(edges.values())
    assert circle(edges) == []


def test_a_circle_is_found():
    assert circle({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}) == ["a", "b", "c"]
