"""Stored results: one reader, which checks the form of a file before it uses the content."""

from __future__ import annotations

import json
import math
import os
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, BinaryIO, cast

import numpy as np

from .._checks import ClusteringError

#: maximum number of bytes that a compressed byte of an npz file may stand for
_EXPANSION = 1032


@contextmanager
def readable(path: Any, what: str, advice: str = "") -> Iterator[None]:
    """Turn any error of reading into one ClusteringError that names the file.

    Parameters
    ----------
    path : str or path
    what : str
        Expected content of the file.
    advice : str
        Advice to the user, as a clause.
    """
    try:
        yield
    except ClusteringError:
        raise
    except MemoryError:
        raise ClusteringError(f"{path} does not fit into memory (compressed files grow when they "
                              "are read)") from None
    except Exception as error:   # readers raise anything for damaged bytes
        if isinstance(error, ImportError) or (isinstance(error, OSError)
                                              and error.errno is not None):
            raise   # no reader, no such file, no permission: not about the content
        text = " ".join(str(error).split())[:200]
        if not isinstance(error, (ValueError, OSError)):
            text = f"{type(error).__name__}: {text}"
        raise ClusteringError(f"{path} cannot be read as {what}: {text}"
                              + (f"; {advice}" if advice else "")) from error


def read_npz(path: Any, what: str, advice: str = "") -> dict[str, np.ndarray]:
    """The arrays of an npz file with `what`; none is larger than the file can contain."""
    with readable(path, what, advice), zipfile.ZipFile(path) as folder:
        size = os.stat(path).st_size
        return {part.filename.removesuffix(".npy"): _array(folder, part, size)
                for part in folder.infolist()}


def _array(folder: zipfile.ZipFile, part: zipfile.ZipInfo, size: int) -> np.ndarray:
    if part.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise ValueError(f"{part.filename} is packed in an unknown way")
    if part.compress_size > size or part.file_size > _EXPANSION * (part.compress_size + 1):
        raise ValueError(f"{part.filename} cannot have the size stated in the file")
    with folder.open(part) as file:
        stream = cast(BinaryIO, file)
        version = np.lib.format.read_magic(stream)
        if version not in ((1, 0), (2, 0)):
            raise ValueError(f"{part.filename} has an unknown version")
        read = (np.lib.format.read_array_header_1_0 if version == (1, 0)
                else np.lib.format.read_array_header_2_0)
        shape, fortran, dtype = read(stream)
        if dtype.hasobject:
            raise ValueError(f"{part.filename} contains Python objects")
        # No more bytes than the header asks for, and only if the file says that it has them.
        size = math.prod(shape) * dtype.itemsize
        if min(shape, default=0) < 0 or size > part.file_size:
            raise ValueError(f"{part.filename} has {part.file_size} bytes, not an array of shape "
                             f"{shape} and type {dtype}")
        content = file.read(size + 1)
        if len(content) != size:
            raise ValueError(f"{part.filename} has another number of bytes than an array of shape "
                             f"{shape} and type {dtype}")
    array: np.ndarray = np.ndarray(shape, dtype, bytearray(content),
                                   order="F" if fortran else "C")
    return array


def check_arrays(arrays: Mapping[str, np.ndarray], **forms: str) -> dict[str, int]:
    """Check types and shapes: ``check_arrays(found, keys="i n 4", words="U 3")``.

    Parameters
    ----------
    arrays : mapping
    **forms : str
        Kind of the dtype and lengths of each array; equal letters are equal lengths.

    Returns
    -------
    dict
        Length for each letter.

    Raises
    ------
    ValueError
        If an array is missing or has another form.
    """
    lengths: dict[str, int] = {}
    for name, form in forms.items():
        if name not in arrays:
            raise ValueError(f"it lacks {name}")
        array, (kind, *sizes) = arrays[name], form.split()
        if array.dtype.kind != kind or array.ndim != len(sizes) or any(
                length != (int(size) if size.isdecimal() else lengths.setdefault(size, length))
                for size, length in zip(sizes, array.shape)):
            raise ValueError(f"{name} has type {array.dtype} and shape {array.shape}")
    return lengths


def read_json(text: Any, what: str, format: str, version: int, advice: str) -> dict[str, Any]:
    """The dict in JSON text with this `format` and at most this `version`."""
    with readable("the text", what, advice):
        content = json.loads(text)
    check_header(content, "the text", what, format, version, advice)
    return cast(dict[str, Any], content)


def check_header(header: Any, path: Any, what: str, format: str, version: int, advice: str
                 ) -> None:
    """Check the format and version stated in a stored result."""
    known = isinstance(header, dict) and header.get("format") == format
    if not known or type(header.get("version")) is not int or header["version"] < 1:
        raise ClusteringError(f"{path} is not a {what}; {advice}")
    if header["version"] > version:
        raise ClusteringError(f"{path} was written by a newer softclust (format "
                              f"{header['version']}, known up to {version}); update softclust")
