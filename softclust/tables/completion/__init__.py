"""The range of a measure over all ways to fill in missing labels."""

from .bounds import completion_bounds
from .record import CompletionBounds

__all__ = ["CompletionBounds", "completion_bounds"]
