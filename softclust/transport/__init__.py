"""Transport dissimilarities: two laws of random hard clusterings, moved at least cost.

`problem` defines the problem and the registry of algorithms with their guarantees; `plan` holds the
decision table and applies it. Each other module has the algorithms of one subject, with kernels in
`_kernels`; docs/theory/transport.md proves them. The public functions are in
`softclust.transport.measures` and `softclust.transport.expected`.
"""
