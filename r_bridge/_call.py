"""Call R functions given by their source; list what is available, with versions."""

from __future__ import annotations

import warnings
from importlib import metadata
from typing import Any

from . import RUnavailableError, RWarning
from ._gate import CRAN_PACKAGES, DEBIAN_PACKAGES, Gate
from ._start import start


# -- public -------------------------------------------------------------------------------------
def call(code: str, /, *args: Any, seed: int | None = None, **kwargs: Any) -> Any:
    """Call an R function given by its source and return plain Python.

    Parameters
    ----------
    code : str
        Text of an R function. It sees base R only: write ``pkg::name`` for anything else. It is
        compiled once and kept by its text.
    *args, **kwargs
        Its arguments: numbers, strings, arrays, lists, dicts, None, clusterings, ensembles
        (README.md lists what becomes what).
    seed : int, optional
        Sets R's random numbers (Mersenne-Twister, Inversion, Rejection) for this call;
        ``.Random.seed`` is restored afterwards.

    Returns
    -------
    object
        Arrays (always; a number is an array of length 1), lists of str, None, dicts, lists,
        clusterings.

    Raises
    ------
    RUnavailableError
        If R, rpy2 or an R package is missing, with the remedy.
    RError
        If R stops; ``.call`` and ``.classes`` say where and how.
    RConversionError
        If an argument or the value has no counterpart.
    KeyboardInterrupt
        On Ctrl-C; R stays usable.

    Warns
    -----
    RWarning
        Once for each warning of R. Messages and printed output of R are dropped.

    Notes
    -----
    Threads take turns; the lock covers conversion and call. The first call starts R (0.2 to 1 s),
    a small one then takes 0.1 to 0.3 ms, arrays 2 ms per MB. Compiled code that never looks for
    interrupts cannot be stopped. Call R code that waits (Sys.sleep, sockets) from the main thread
    only: in another one Ctrl-C aborts the process, because R jumps between threads.

    Examples
    --------
    >>> import numpy as np, r_bridge
    >>> r_bridge.call("function(x, p) stats::quantile(x, p)", np.array([1.0, 2.0]), p=0.25)
    array([1.25])
    """
    from . import _convert
    if not isinstance(code, str):
        raise TypeError(f"code is {type(code).__name__}; the text of an R function is needed")
    r_seed = None if seed is None else _check_seed(seed)
    warned: list[str] = []
    try:
        with Gate() as gate:
            return _inside(gate, _convert, code, args, kwargs, r_seed, warned)
    finally:
        for text in warned:
            warnings.warn(text, RWarning, stacklevel=2)


def _inside(gate: Gate, convert: Any, code: str, args: tuple[Any, ...], kwargs: dict[str, Any],
            seed: int | None, warned: list[str]) -> Any:
    # Every R object of a call is a local of this frame or of those below.
    value = gate.run(code, [convert.to_sexp(gate, a) for a in args],
                     [(k, convert.to_sexp(gate, v)) for k, v in kwargs.items()],
                     seed=seed, warned=warned)
    return convert.from_sexp(gate, value)


def _check_seed(seed: Any) -> int:
    import operator
    try:
        value = operator.index(seed)
    except TypeError:
        raise TypeError(f"seed is {seed!r}; a whole number is needed") from None
    if not -2**31 < value < 2**31:
        raise ValueError(f"seed is {value}; R takes whole numbers with absolute value below 2^31")
    return value


def available() -> bool:
    """Return True if R can be called from this process, and start it.

    Returns
    -------
    bool
        False when R, rpy2 or the combination does not work; `versions` then raises the reason.
    """
    try:
        start()
    except RUnavailableError:
        return False
    return True


def versions() -> dict[str, str | None]:
    """Versions of R, rpy2 and the R packages that softclust can be compared with.

    Returns
    -------
    dict
        From name to version; None for an R package that is not installed.

    Raises
    ------
    RUnavailableError
        If R cannot be used.
    """
    names = [*DEBIAN_PACKAGES, *CRAN_PACKAGES]
    found = call("""function(names) c(
        paste(R.version$major, R.version$minor, sep = "."),
        vapply(names, function(name) if (length(find.package(name, quiet = TRUE)))
          as.character(utils::packageVersion(name)) else "", ""))""", names)
    result: dict[str, str | None] = {"R": found[0]}
    for name in ("rpy2-rinterface", "rpy2-robjects"):
        try:
            result[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            result[name] = None
    result.update({name: version or None for name, version in zip(names, found[1:])})
    return result
