"""Names that people use for measures beside their own: abbreviations, clue's names, near misses."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .._checks import shown

if TYPE_CHECKING:
    from .record import Measure

_ENDINGS = ("index", "distance", "dissimilarity", "score", "interval")


def full_name(name: Any, known: Mapping[str, Measure]) -> str:
    """The name of the registered measure that `name` means.

    Parameters
    ----------
    name : str
        A name, an abbreviation (``"ARI"``), or a method of R's clue under which its number is the
        same (``"cRand"``). Case, "_", "-" and spaces do not matter.
    known : mapping
        The registered measures by name.

    Returns
    -------
    str

    Raises
    ------
    ValueError
        If there is none, or if several are called so; the message names them.
    """
    meant: list[str] = []
    if isinstance(name, str):
        if name in known:
            return name
        meant = sorted(_meanings(known).get(_plain(name), ()))
        if len(meant) == 1:
            return meant[0]
    near = meant or _near(str(name), known)
    hint = f"; near: {', '.join(near)}" if near else ""
    raise ValueError(f"there is no measure {shown(name)}{hint} "
                     "(softclust.list_measures() lists all)")


def _meanings(known: Mapping[str, Measure]) -> dict[str, set[str]]:
    """Plain spelling -> measures, from abbreviations, clue's methods and shortened names."""
    found: dict[str, set[str]] = {}
    for record in known.values():
        for short in record.abbreviations:
            found.setdefault(_plain(short), set()).add(record.name)
    settled = set(found)
    for record in known.values():
        for each in record.r_calls:
            method = re.fullmatch(r"clue::cl_\w+\(x, y, method = '([\w/]+)'\)", each.code)
            short = _plain(method[1]) if method else ""
            if method and not each.options and short not in settled:
                found.setdefault(short, set()).add(record.name)
    for own in known:
        stem, _, ending = own.rpartition("_")
        found.setdefault(_plain(own), set()).add(own)
        if ending in _ENDINGS and _plain(stem) not in settled:
            found.setdefault(_plain(stem), set()).add(own)
    return found


def _plain(name: str) -> str:
    return re.sub(r"[\s_.-]", "", name).casefold()


def _near(name: str, known: Mapping[str, Measure]) -> list[str]:
    """Up to three measures whose name, or another name for them, is spelled nearly so."""
    spelled: dict[str, set[str]] = {}
    for short, full in _meanings(known).items():
        spelled.setdefault(short, set()).update(full)
    close = difflib.get_close_matches(_plain(name), list(spelled), n=6, cutoff=0.5)
    found = dict.fromkeys(full for short in close for full in sorted(spelled[short]))
    return list(found)[:3]
