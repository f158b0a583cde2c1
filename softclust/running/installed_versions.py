"""The environment: versions, the cache of compiled kernels, threads, linear algebra, R."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path

from .threads import get_num_threads

_NEEDED = ("numpy", "scipy", "numba", "statsmodels", "scikit-learn", "tqdm",
           "narwhals")
_OPTIONAL = ("pandas", "polars", "matplotlib", "jinja2", "pyarrow", "distributed",
             "rpy2-rinterface", "rpy2-robjects")


def show_versions() -> None:
    """Print versions and settings, for bug reports.

    Versions of softclust, Python and the packages it uses; the place and size of the cache of
    compiled kernels; the number of threads; the library for linear algebra; R. The command line
    shows the same: ``softclust --version --verbose``.

    See Also
    --------
    warmup, get_num_threads

    Examples
    --------
    >>> import softclust
    >>> softclust.show_versions()
    softclust ...
    """
    print(versions_text())


def versions_text() -> str:
    """The lines of `show_versions`."""
    from .. import __version__
    rows = [("softclust", __version__), ("place", str(Path(__file__).parent)),
            ("Python", f"{platform.python_version()} ({sys.executable})"),
            ("system", platform.platform()), ("processors", str(os.cpu_count()))]
    rows += [(name, version_of(name) or "missing") for name in _NEEDED]
    rows += [(name, version) for name in _OPTIONAL if (version := version_of(name))]
    rows += [("compiled kernels", _kernels()), ("threads", str(get_num_threads())),
             ("linear algebra", _linear_algebra()), ("R", _r())]
    width = max(len(name) for name, _ in rows)
    return "\n".join(f"{name:<{width}}  {value}" for name, value in rows)


def version_of(name: str) -> str | None:
    """Version of a package; None if it is not installed."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _kernels() -> str:
    from .compiler import cache_place
    return cache_place()


def _linear_algebra() -> str:
    import numpy.linalg  # noqa: F401
    import scipy.linalg  # noqa: F401
    from threadpoolctl import threadpool_info  # comes with scikit-learn
    libraries = {f"{lib['internal_api']} {lib.get('version')} ({lib['num_threads']} threads)"
             for lib in threadpool_info()}
    return ", ".join(sorted(libraries)) or "unknown"


def _r() -> str:
    rscript = shutil.which("Rscript")
    if rscript is None:
        return "missing"
    try:
        shown = subprocess.run(
            [rscript, "--vanilla", "-e", "cat(as.character(getRversion()))"],
            capture_output=True, text=True, timeout=20, check=True).stdout
    except (OSError, subprocess.SubprocessError):
        return f"does not start ({rscript})"
    return f"{shown.strip()} ({rscript})"
