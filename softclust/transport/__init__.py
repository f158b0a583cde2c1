"""Transport dissimilarities: two laws of random hard clusterings, moved at least cost.

`problem` is what is solved, and the registry of algorithms with what each guarantees,
`plan` the decision table and the walk along it. Each other module holds the algorithms of one
subject, with kernels in `_kernels`; docs/theory/transport.md proves them. The doors are
`softclust.transport.measures` and `softclust.transport.expected`.
"""
