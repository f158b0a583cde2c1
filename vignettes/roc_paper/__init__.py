"""Printed numbers, data and pictures of the page `pair_roc.py`."""
