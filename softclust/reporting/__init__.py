"""A report on the clusters in a table: computed, explained, written as HTML and JSON."""
