"""Sets of clusters as text, such as {a, b}, and back.

A name that could be misread is written in quotes, as in JSON: {"a,b", c}.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from .._checks import ClusteringError

#: a name that needs no quotes: no comma, brace, quote or control character, no space at its ends
_PLAIN = re.compile(r'[^\s,{}"\x00-\x1f\x7f-\x9f\ud800-\udfff]'
                    r'([^,{}"\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]*'
                    r'[^\s,{}"\x00-\x1f\x7f-\x9f\ud800-\udfff])?')
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')


def set_names(names: Sequence[Any], sets: np.ndarray) -> list[str]:
    """The rows of `sets` (f, c) as texts over the names of the clusters.

    Raises
    ------
    ClusteringError
        If two names are the same text, such as 1 and "1".
    """
    texts = [str(name) for name in names]
    if len(set(texts)) < len(texts):
        twice = next(t for t in texts if texts.count(t) > 1)
        raise ClusteringError(f"two clusters are called {twice!r} when their names are written as "
                              "text; give them other names")
    written = [t if _PLAIN.fullmatch(t) else json.dumps(t) for t in texts]
    return ["{" + ", ".join(t for t, inside in zip(written, row) if inside) + "}" for row in sets]


def read_set(text: str) -> list[str]:
    """Names in a set as `set_names` writes it; braces and quotes may be left out.

    Raises
    ------
    ClusteringError
        If a quote is not closed, or is followed by more than a comma.
    """
    inner = text.strip()
    if inner.startswith("{") and inner.endswith("}"):
        inner = inner[1:-1]
    names: list[str] = []
    rest = inner.strip()
    while rest:
        quoted = _QUOTED.match(rest)
        if quoted:
            try:
                names.append(str(json.loads(quoted.group())))
            except json.JSONDecodeError:
                raise _unreadable(text) from None
            rest = rest[quoted.end():].lstrip()
            if rest and not rest.startswith(","):
                raise _unreadable(text)
            rest = rest[1:].lstrip()
            continue
        name, _, rest = rest.partition(",")
        if name.strip():
            names.append(name.strip())
        rest = rest.lstrip()
    if len(set(names)) < len(names):
        raise ClusteringError(f"the set {text!r} names a cluster twice")
    return names


def _unreadable(text: str) -> ClusteringError:
    return ClusteringError(f"{text!r} cannot be read as a set of clusters; write {{a, b}}; names "
                           'with commas, braces or quotes need quotes: {"a,b", c}')
