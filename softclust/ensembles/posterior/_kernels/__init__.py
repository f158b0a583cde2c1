"""Compiled loops of this room; each is imported at its first use, which imports numba."""

from ...._lazy import lazily

__getattr__ = lazily(__name__)
