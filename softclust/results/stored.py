"""Stored results: one format of arrays (npz) and one of text (JSON), each with name and version.

Readers check the form before the content is used. Files of earlier releases stay readable.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, cast

import numpy as np

from .._checks import ClusteringError
from .writing import whole_file


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


def write_npz(path: Any, format: str, version: int, arrays: Mapping[str, Any], *,
              packed: bool = False, **header: Any) -> None:
    """Write arrays with a header; at any moment the file has the old or the new content."""
    content: dict[str, Any] = {name: np.asarray(array) for name, array in arrays.items()}
    head = {"format": format, "version": version, "digest": _digest(content), **header}
    with whole_file(path, "wb") as file:
        (np.savez_compressed if packed else np.savez)(file, header=as_bytes(head), **content)


def read_npz(path: Any, format: str, version: int, advice: str
             ) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Header and arrays of a file that `write_npz` wrote with this format, to this version."""
    with readable(path, _what(format), advice), np.load(path, allow_pickle=False) as file:
        arrays = dict(file)
        header = json.loads(arrays.pop("header").tobytes()) if "header" in arrays else {
            # the replicates and simulations of 0.1
            "format": str(arrays.pop("kind", "")), "version": int(arrays.pop("version", 0)),
            "digest": str(arrays.pop("digest", ""))}
        check_header(header, path, format, version, advice)
        if header.get("digest", "") != _digest(arrays) and (
                "digest" in header):   # tables of 0.1 have none
            raise ClusteringError(f"{path} is damaged: its content is not what was written; "
                                  f"{advice}")
    return header, arrays


def as_bytes(content: Any) -> np.ndarray:
    """JSON as an array."""
    text = json.dumps(content, ensure_ascii=False).encode("utf-8", "surrogatepass")
    return np.frombuffer(text, np.uint8)


def _digest(arrays: Mapping[str, np.ndarray]) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        digest.update(f"{name} {array.dtype.str} {array.shape}".encode())
        digest.update(array.tobytes())
    return digest.hexdigest()


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


def write_json(format: str, version: int, content: Any) -> str:
    """JSON text of the content, with a header and a checksum: one bit could be another number."""
    from .. import __version__
    return json.dumps({"format": format, "version": version, "softclust": __version__,
                       "digest": checksum(content), "record": content}, ensure_ascii=False,
                      allow_nan=False)


def read_json(text: Any, format: str, version: int, advice: str) -> dict[str, Any]:
    """The dict in JSON text with this `format` and at most this `version`."""
    with readable("the text", _what(format), advice):
        content = json.loads(text)
        check_header(content, "the text", format, version, advice)
        if "digest" in content and content["digest"] != checksum(content.get("record")):
            raise ClusteringError(f"the text is damaged: a part of it was changed; {advice}")
    return cast(dict[str, Any], content)


def checksum(content: Any) -> str:
    """Checksum of what JSON text holds."""
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:16]


def _what(format: str) -> str:
    return f"a {format.removeprefix('softclust ')}"


def check_header(header: Any, path: Any, format: str, version: int, advice: str) -> None:
    """Check the format and version stated in a stored result."""
    stated = header.get("format") if isinstance(header, dict) else None
    if isinstance(stated, str) and stated and stated != format:
        raise ClusteringError(f"{path} holds {_what(stated[:50])}, not {_what(format)}; {advice}")
    if stated != format or type(header.get("version")) is not int or header["version"] < 1:
        raise ClusteringError(f"{path} is not {_what(format)}; {advice}")
    if header["version"] > version:
        raise ClusteringError(f"{path} was written by a newer softclust (format "
                              f"{header['version']}, known up to {version}); update softclust")
