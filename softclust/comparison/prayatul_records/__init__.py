"""Parts of the Prayatul matrix: inputs, counts, rates, records, inference.

The door is `softclust.comparison.prayatul`.
"""
