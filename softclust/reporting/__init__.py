"""A report on the clusters in a table: computed, explained, written as HTML and JSON."""

from .record import Report
from .run import report

__all__ = ["Report", "report"]
