"""Parts of the page `bayesian_bagging.py`."""
