"""Parts of the page `truecluster.py`."""
