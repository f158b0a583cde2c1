"""Solvers of transport dissimilarities: two laws of random hard clusterings, one number.

`problem` is what is solved, `solvers` the registry of algorithms with what each guarantees,
`plan` the decision table and the walk along it; the other modules are the algorithms, one a
family. The door is `softclust.measures.transport`.
"""
