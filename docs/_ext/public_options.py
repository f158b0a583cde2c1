"""Options of public functions: the values that their annotations list."""

from __future__ import annotations

import builtins
import inspect
import re
import types
from collections.abc import Callable, Iterator
from typing import Any, Literal, Union, get_args, get_origin

from softclust import _types


class Names(dict[str, Any]):
    """Names of a module; those that only type checkers import are Any."""

    def __missing__(self, name: str) -> Any:
        return Any


def parameters(function: Callable[..., Any]) -> Iterator[tuple[str, str]]:
    """Names and annotations of the parameters, without `**options`."""
    for p in inspect.signature(function).parameters.values():
        if p.name not in ("self", "cls") and p.kind is not p.VAR_KEYWORD:
            yield p.name, (p.annotation if isinstance(p.annotation, str)
                           else inspect.formatannotation(p.annotation))


def choices(function: Callable[..., Any], annotation: str) -> list[Any]:
    """Values of the Literals in an annotation of the function."""
    names = Names({**vars(builtins), **vars(_types), **function.__globals__})
    return [value for part in parts(eval(annotation, {}, names)) if get_origin(part) is Literal
            for value in get_args(part)]


def parts(annotation: Any) -> list[Any]:
    """Members of a union."""
    if get_origin(annotation) in (Union, types.UnionType):
        return [part for each in get_args(annotation) for part in parts(each)]
    return [annotation]


def add_choices(app: Any, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Add the values of options to entries of a docstring that do not list them."""
    function = inspect.unwrap(obj.__init__ if isinstance(obj, type) else obj)
    function = getattr(function, "__func__", function)
    if not inspect.isfunction(function) or "Parameters" not in lines:
        return
    values = {parameter: choices(function, annotation)
              for parameter, annotation in parameters(function)}
    start = lines.index("Parameters") + 2
    end = next((i for i in range(start, len(lines)) if lines[i].startswith("---")), len(lines) + 1)
    entries = [i for i in range(start, end - 1) if re.match(r"\w", lines[i])]
    for first, after in reversed([*zip(entries, [*entries[1:], end - 1])]):
        text = "\n".join(lines[first:after])
        named, _, kind = lines[first].partition(" : ")
        missing = {parameter: ", ".join(f'"{value}"' for value in values[parameter])
                   for parameter in named.split(", ") if len(values.get(parameter, ())) > 1
                   and not all(f'"{value}"' in text for value in values[parameter])}
        if missing and kind in ("str", "optional", "str, optional") and "," not in named:
            lines[first] = f"{named} : {{{missing[named]}}}, optional"
        elif missing:
            told = "; of ".join(f"`{parameter}`: {each}" for parameter, each in missing.items())
            while not lines[after - 1].strip():
                after -= 1
            lines.insert(after, f"    Choices of {told}.")
