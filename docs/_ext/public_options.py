"""Options of public functions: the values that their annotations list."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from typing import Any

from softclust.cli.options import annotated


def parameters(function: Callable[..., Any]) -> Iterator[tuple[str, str]]:
    """Names and annotations of the parameters, without `**options`."""
    for p in inspect.signature(function).parameters.values():
        if p.name not in ("self", "cls") and p.kind is not p.VAR_KEYWORD:
            yield p.name, (p.annotation if isinstance(p.annotation, str)
                           else inspect.formatannotation(p.annotation))


def choices(function: Callable[..., Any], parameter: str) -> list[str]:
    """Values of the Literals in the annotation of a parameter."""
    return [part for part in annotated(function, parameter) if isinstance(part, str)]


def add_choices(app: Any, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Add the values of options to entries of a docstring that do not list them."""
    function = inspect.unwrap(obj.__init__ if isinstance(obj, type) else obj)
    function = getattr(function, "__func__", function)
    if not inspect.isfunction(function) or "Parameters" not in lines:
        return
    values = {parameter: choices(function, parameter) for parameter, _ in parameters(function)}
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
