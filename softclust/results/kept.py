"""Results as JSON text that later versions read: the fields of a record, nan included."""

from __future__ import annotations

import base64
import dataclasses
import json
import math
from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Any

import numpy as np

from .._checks import ClusteringError
from .stored import read_json, readable

FORMAT, VERSION = "softclust record", 1
#: class methods that make pairs and ensembles again
_MAKERS = ("of_checked", "_made")
_ADVICE = "one that to_json() of a result wrote is needed"


def to_json(record: Any) -> str:
    """The record as JSON; see `Framed.to_json`."""
    from .. import __version__
    return json.dumps({"format": FORMAT, "version": VERSION, "softclust": __version__,
                       "record": _written(record, type(record).__name__)}, ensure_ascii=False,
                      allow_nan=False)


def from_json(text: str) -> Any:
    """Read a result that its `to_json` wrote.

    Parameters
    ----------
    text : str

    Returns
    -------
    record
        Equal to the one that was written, nan included.

    Raises
    ------
    ClusteringError
        If the text was not written by `to_json`, or by a newer version.

    See Also
    --------
    compare

    Examples
    --------
    >>> import softclust
    >>> from softclust.results import from_json
    >>> result = softclust.compare([0, 0, 1, 1], [0, 0, 1, 2])
    >>> from_json(result.to_json()) == result
    True
    """
    content = read_json(text, "result", FORMAT, VERSION, _ADVICE)
    with readable("the text", "a result", _ADVICE):
        return _read(content["record"])


def _written(value: Any, where: str) -> Any:
    """A value as JSON: plain ones as they are, others as an object with one key that tells what."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else {"float": str(value)}
    if isinstance(value, np.ndarray) and value.dtype.kind in "biuf":
        return {"array": base64.b64encode(np.ascontiguousarray(value).tobytes()).decode(),
                "dtype": value.dtype.str, "shape": list(value.shape)}
    if isinstance(value, (tuple, list)):
        values = [_written(v, where) for v in value]
        return values if isinstance(value, list) else {"tuple": values}
    if isinstance(value, Mapping):
        return {"mapping": [[_written(k, where), _written(v, where)] for k, v in value.items()]}
    if dataclasses.is_dataclass(value) and type(value).__module__.startswith("softclust."):
        name = type(value).__qualname__
        return {"record": f"{type(value).__module__}:{name}",
                "fields": {f.name: _written(getattr(value, f.name), f"{name}.{f.name}")
                           for f in dataclasses.fields(value)}}
    kind = type(value)
    if kind.__module__.startswith("softclust."):   # clusterings, as they are pickled
        make, arguments, *rest = value.__reduce_ex__(2)
        name = f"{kind.__module__}:{kind.__qualname__}"
        if getattr(make, "__name__", "") in _MAKERS:
            return {"object": name, "made": make.__name__, "of": _written(arguments, where)}
        if rest and isinstance(rest[0], dict):
            return {"object": name, "state": _written(rest[0], where)}
    raise TypeError(f"{where} is a {type(value).__name__}, which cannot be written as JSON; "
                    "to_frame() has the numbers of the result")


def _read(value: Any) -> Any:
    if isinstance(value, list):
        return [_read(v) for v in value]
    if not isinstance(value, dict):
        return value
    if "float" in value:
        return float(value["float"])
    if "array" in value:
        flat = np.frombuffer(base64.b64decode(value["array"]), np.dtype(value["dtype"]))
        array = flat.reshape(value["shape"])
        array.setflags(write=False)
        return array
    if "tuple" in value:
        return tuple(_read(v) for v in value["tuple"])
    if "mapping" in value:
        return MappingProxyType({_read(k): _read(v) for k, v in value["mapping"]})
    module, _, name = value["record" if "record" in value else "object"].partition(":")
    kind = getattr(import_module(module), name, None) if module.startswith("softclust.") else None
    if not isinstance(kind, type) or kind.__module__ != module:
        raise ClusteringError(f"{module}:{name} is not a result of softclust")
    if value.get("made") in _MAKERS:
        return getattr(kind, value["made"])(*_read(value["of"]))
    made: Any = object.__new__(kind)
    if "state" in value:
        state = dict(_read(value["state"]))
        if hasattr(made, "__setstate__"):
            made.__setstate__(state)
        else:   # dendrograms
            made.__dict__.update(state)
        return made
    known = {f.name for f in dataclasses.fields(kind)}
    for field, content in value["fields"].items():
        if field in known:
            object.__setattr__(made, field, _read(content))
    return made
