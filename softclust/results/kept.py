"""Results as JSON text that later versions read: the fields of a record, nan included.

A record is known by its own name, not by the module of its class, and so is each of its parts; a
part whose class is not public has its name in the module of the record that holds it. The text of
version 1 had modules, which are not looked at.
"""

from __future__ import annotations

import base64
import dataclasses
import math
import sys
from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Any

import numpy as np

from .._checks import ClusteringError
from .declared import check_record
from .stored import read_json, readable, write_json

FORMAT, VERSION = "softclust record", 2
_ADVICE = "one that to_json() of a result wrote is needed"


def to_json(record: Any) -> str:
    """The record as JSON; see `Framed.to_json`."""
    return write_json(FORMAT, VERSION, _written(record, type(record).__name__))


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
    content = read_json(text, FORMAT, VERSION, _ADVICE)
    with readable("the text", "a result", _ADVICE):
        return _read(content["record"], ())


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
    if type(value).__name__ == "_Numbered":   # objects that are called 0, ..., n - 1
        return {"constant": "NUMBERED"}
    if isinstance(value, (tuple, list)):
        values = [_written(v, where) for v in value]
        return values if isinstance(value, list) else {"tuple": values}
    if isinstance(value, range) and value == range(len(value)):
        return {"range": len(value)}
    if isinstance(value, Mapping):
        return {"mapping": [[_written(k, where), _written(v, where)] for k, v in value.items()]}
    if dataclasses.is_dataclass(value) and type(value).__module__.startswith("softclust."):
        name = type(value).__qualname__
        return {"record": name,
                "fields": {f.name: _written(getattr(value, f.name), f"{name}.{f.name}")
                           for f in dataclasses.fields(value) if f.name != "memory"}}
    kind = type(value)
    if kind.__module__.startswith("softclust."):   # clusterings, as they are pickled
        _, arguments, *rest = value.__reduce_ex__(2)
        name = kind.__qualname__
        if rest and isinstance(rest[0], dict):
            return {"object": name, "state": _written(rest[0], where)}
        if hasattr(kind, "_restored"):
            return {"object": name, "of": _written(arguments, where)}
    raise TypeError(f"{where} is a {type(value).__name__}, which cannot be written as JSON; "
                    "to_frame() has the numbers of the result")


def _read(value: Any, holders: tuple[str, ...]) -> Any:
    """A value from JSON; records and clusterings pass the checks of what was made from input.

    `holders` are the modules of the records that hold it, the innermost first.
    """
    if isinstance(value, list):
        return [_read(v, holders) for v in value]
    if not isinstance(value, dict):
        return value
    if "float" in value:
        return float(value["float"])
    if "array" in value:
        dtype, shape = np.dtype(value["dtype"]), value["shape"]
        if dtype.kind not in "biuf" or dtype.itemsize > 8:
            raise ValueError(f"an array has the type {dtype}")
        if not all(type(n) is int and n >= 0 for n in shape):
            raise ValueError(f"an array has the shape {shape}")
        flat = np.frombuffer(base64.b64decode(value["array"], validate=True), dtype)
        if dtype.kind == "b" and (flat.view(np.uint8) > 1).any():
            raise ValueError("an array of booleans holds other bytes than 0 and 1")
        array: np.ndarray = flat.astype(dtype.newbyteorder("="), copy=False).reshape(shape)
        array.setflags(write=False)
        return array
    if "tuple" in value:
        return tuple(_read(v, holders) for v in value["tuple"])
    if "constant" in value:
        return import_module("softclust.clusterings.arrays").NUMBERED
    if "range" in value:
        return range(int(value["range"]))
    if "mapping" in value:
        return MappingProxyType({_read(k, holders): _read(v, holders)
                                 for k, v in value["mapping"]})
    # The class of softclust with this name, if its instances may be in a text.
    name = value["record" if "record" in value else "object"].rpartition(":")[2]
    places = [import_module(f"softclust{room}") for room in ("", ".results")]
    kinds = [getattr(place, name) for place in places if name in place.__all__]
    kinds += [getattr(sys.modules[module], name, None) for module in holders]
    kind: Any = next((kind for kind in kinds if isinstance(kind, type)
                      and kind.__module__.startswith("softclust.") and kind.__qualname__ == name
                      and (dataclasses.is_dataclass(kind) or hasattr(kind, "_restored"))), None)
    if kind is None:
        raise ClusteringError(f"{name} is not a result of softclust")
    holders = (kind.__module__, *holders)
    if "record" not in value:
        return kind._restored(_read(value["state" if "state" in value else "of"], holders))
    made: Any = object.__new__(kind)
    for field in dataclasses.fields(kind):
        if field.name in value["fields"] and field.name != "memory":
            object.__setattr__(made, field.name, _read(value["fields"][field.name], holders))
        elif field.default is not dataclasses.MISSING:
            object.__setattr__(made, field.name, field.default)
        elif field.default_factory is not dataclasses.MISSING:
            object.__setattr__(made, field.name, field.default_factory())
    check_record(made)
    return made

