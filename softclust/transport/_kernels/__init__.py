"""Compiled kernels of the transport wing, imported at first use like `softclust._kernels`."""

from ..._lazy import lazily

__getattr__ = lazily(__name__)
