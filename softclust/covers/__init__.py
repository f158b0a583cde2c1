"""Overlapping clusterings, and measures around each object."""
