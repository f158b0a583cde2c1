"""Printed tables, clusterings and pictures of the page `prayatul.py`."""
