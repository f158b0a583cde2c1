"""Naive oracles: every measure under its own name, by its definition, with loops.

Imports nothing of softclust. An oracle is found by its name: every function of a module in this
folder is an attribute of the package, so a new one is listed nowhere. A name that two modules use
for helpers of their own stays inside these modules.
"""

import pkgutil
from importlib import import_module

_found: dict = {}
for _module in pkgutil.iter_modules(__path__):
    for _name, _value in vars(import_module(f"{__name__}.{_module.name}")).items():
        if (callable(_value) and not _name.startswith("_")
                and getattr(_value, "__module__", "") == f"{__name__}.{_module.name}"):
            _found.setdefault(_name, []).append(_value)

# An oracle may share the name of its module; the name then means the oracle.
_own = {_name: _values[0] for _name, _values in _found.items() if len(_values) == 1}
globals().update(_own)
__all__ = sorted(_own)
