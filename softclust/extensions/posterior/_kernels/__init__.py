"""Compiled loops of this room; each is imported at its first use, which imports numba."""

from ....running.lazy import lazily

__getattr__ = lazily(__name__)
