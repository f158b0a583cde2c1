"""The range of a measure over all ways to fill in missing labels."""

PUBLIC = {"bounds": "completion_bounds"}
RECORDS = {"bounds_record": "CompletionBounds"}
CHARTS = {"completion_charts": "plot_completion"}
FEATURES = {"completions": "compare_completions Completions"}
