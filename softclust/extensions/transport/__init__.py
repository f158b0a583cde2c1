"""Transport dissimilarities: two laws of random hard clusterings, moved at least cost.

`problem` defines the problem and the registry of algorithms with their guarantees; `plan` holds the
decision table and applies it. Each other module has the algorithms of one subject, with kernels in
`_kernels`; docs/theory/transport.md proves them. The public functions are in `measures` and
`expected`.
"""

PUBLIC = {
    "measures": "transport_methods",
    "expected": "expected_index",
    "result": "SamplingBiasWarning",
}
RECORDS = {"expected": "ExpectedIndex", "result": "TransportResult"}
CHARTS = {"transport_charts": "plot_transport plot_expected_index"}
MEASURES = ("measures",)


def warmup() -> None:
    """Compare clusterings as laws of hard ones."""
    import numpy as np

    from ...clusterings import FuzzyClustering, HardClustering, RoughClustering
    from .expected import expected_index
    from .measures import transport_dissimilarity, transport_rand_index
    rng = np.random.default_rng(0)
    hard = HardClustering(rng.integers(0, 3, 8))
    fuzzy = FuzzyClustering(rng.dirichlet(np.ones(3), 8))
    rough = RoughClustering.from_upper(
        np.where(rng.random((8, 1)) < 0.3, 1, np.eye(3, dtype=int)[rng.integers(0, 3, 8)]))
    two = RoughClustering.from_upper([[1, 0], [0, 1], [1, 1], [1, 1], [0, 1], [1, 0]])
    transport_dissimilarity(two, two.subset([1, 0, 2, 4, 3, 5]), rng=0)
    transport_dissimilarity(two, FuzzyClustering(rng.dirichlet(np.ones(2), 6)), rng=0)
    transport_dissimilarity(hard, fuzzy, base="partition", rng=0)
    expected_index(hard.subset(range(6)), fuzzy.subset(range(6)), index="fowlkes_mallows")
    for other in (rough, fuzzy):
        transport_dissimilarity(hard, other, rng=0)
        transport_rand_index(hard, other, rng=0)
        transport_rand_index(rough, other, rng=0)
