"""Every public name exists, is documented with an example, and takes options by keyword."""

import inspect
import re

import pytest
from together import for_each

import softclust as sc

#: names of the design that exist by now; measures are checked through the registry
PROMISED = (
    "HardClustering", "RoughClustering", "FuzzyClustering", "PossibilisticClustering",
    "EvidentialClustering", "as_clustering", "Ensemble", "Relation", "Interval", "PairCounts",
    "Joint", "compare", "list_measures", "get_measure", "ClusteringError",
    "UndefinedMeasureWarning", "set_num_threads", "get_num_threads", "warmup", "show_versions",
    "datasets", "pair_roc", "pair_roc_partitions", "pair_roc_subsets", "tie_range",
    "BaggedClustering", "BayesianBaggedClustering", "bootstrap_indices", "BootstrapDraws",
    "bayesian_bootstrap_weights", "proper_bayesian_bootstrap", "pairwise_entropy",
    "corrected_entropy", "plotting", "interval_mds", "compare_all", "chance", "prayatul",
    "prayatul_from_counts", "prayatul_all", "expected_index", "margin",
    "dissimilarity_accounted_for", "match_clusters", "match_table", "mmcc",
    "MultipleMatchClustering", "cluster_information_criterion", "reliability_simulation",
)
PROMISED_MEASURES = (
    "rand_index", "adjusted_rand_index", "jaccard_index", "fowlkes_mallows_index", "pair_counts",
    "mutual_information", "normalized_mutual_information", "adjusted_mutual_information",
    "variation_of_information", "partition_distance", "alpha_rand_index", "alpha_rand_interval",
    "alpha_rand_curve", "credal_rand_index", "alpha_partition_dissimilarity",
    "alpha_partition_interval", "pair_nonspecificity", "nonspecificity", "membership_entropy",
)
COMMON = ("kind", "n_objects", "n_clusters", "object_names", "cluster_names", "to_evidential",
          "to_fuzzy", "to_rough", "harden", "plausibility", "belief", "pignistic", "normalize",
          "relation", "subset", "summary", "to_frame")
KIND_CLASSES = PROMISED[:5]


#: what people call, and the classes of results
PUBLIC = {name: getattr(sc, name) for name in sc._public() if not name.startswith("_")}
PUBLIC |= {name: getattr(sc.results, name) for name in sc.results.__all__}
FUNCTIONS = sorted(n for n, value in PUBLIC.items() if inspect.isfunction(value))
CLASSES = sorted(n for n, value in PUBLIC.items() if inspect.isclass(value))


def doc(name):
    return inspect.getdoc(PUBLIC[name]) or ""


def sections(text):
    return re.findall(r"^([A-Z][A-Za-z ]+)\n-{3,}$", text, flags=re.MULTILINE)


@for_each("name", PROMISED + PROMISED_MEASURES)
def test_promised_names_exist(name):
    assert getattr(sc, name) is not None
    assert name in sc._public()


@pytest.mark.parametrize("name", KIND_CLASSES)
@for_each("attribute", COMMON)
def test_clusterings_have_the_common_names(name, attribute):
    assert hasattr(getattr(sc, name), attribute)


def test_names_of_results_say_where_they_are():
    with pytest.raises(AttributeError, match=r"softclust\.results\.Comparison"):
        sc.Comparison  # noqa: B018


def test_unknown_names_raise():
    with pytest.raises(AttributeError, match="no attribute 'rand'"):
        sc.rand  # noqa: B018


@for_each("name", FUNCTIONS + CLASSES)
def test_docstring_begins_with_one_line(name):
    lines = doc(name).splitlines()
    assert lines, f"{name} has no docstring"
    assert lines[0].endswith((".", "?"))
    assert len(lines) == 1 or lines[1] == ""


@for_each("name", FUNCTIONS + CLASSES)
def test_docstring_has_an_example(name):
    if inspect.isclass(PUBLIC[name]) and issubclass(PUBLIC[name], Exception):
        return
    assert "Examples" in sections(doc(name)), f"{name} has no Examples section"
    assert ">>>" in doc(name)


@for_each("name", FUNCTIONS)
def test_docstring_names_every_parameter(name):
    text, signature = doc(name), inspect.signature(PUBLIC[name])
    for parameter in signature.parameters:
        assert re.search(rf"^[\w, *]*\b{parameter}\b[\w, ]* ?(:|$)", text, flags=re.MULTILINE), (
            f"{name}: parameter {parameter!r} is not described")
    if signature.parameters:
        assert "Parameters" in sections(text)
    if signature.return_annotation not in ("None", None):
        assert "Returns" in sections(text)


@for_each("name", sc.list_measures().index)
def test_measures_document_equation_and_cost(name):
    assert "Notes" in sections(doc(name))


@for_each("name", FUNCTIONS)
def test_options_are_keyword_only(name):
    positional = [p.name for p in inspect.signature(PUBLIC[name]).parameters.values()
                  if p.kind not in (p.KEYWORD_ONLY, p.VAR_KEYWORD)]
    # prayatul(truth, primary, alternative) compares two clusterings with a third;
    # chance(x, y, measure) and chance_level need to know what; numbers of clusters are the third;
    # strata are data, and so are the pairs that were looked up, with what was found.
    most = {"sampled_pairs": 4, "prayatul": 3, "chance": 3, "chance_level": 3,
            "prediction_strength": 3, "compare_settings": 3,
            "agreement_by_strata": 3, "explain": 3, "influence": 3,
            "conditional_mutual_information": 3}.get(name, 2)
    assert len(positional) <= most, f"{name} takes {positional} by position"


@for_each("name", CLASSES)
def test_constructors_take_options_by_keyword(name):
    cls = PUBLIC[name]
    if issubclass(cls, Exception):
        return
    # Interval(low, high), a mixture's three parts; otherwise the data, then keywords.
    positional = [p.name for p in inspect.signature(cls).parameters.values()
                  if p.kind not in (p.KEYWORD_ONLY, p.VAR_KEYWORD, p.VAR_POSITIONAL)]
    most = 3 if name == "GaussianMixturePrior" else 2
    assert len(positional) <= most, f"{name} takes {positional} by position"


def test_every_measure_is_an_attribute_of_the_package_of_measures():
    for name, record in sc.measures.registry().items():
        assert getattr(sc.measures, name) is record.function
        assert name in dir(sc.measures)
    with pytest.raises(AttributeError, match="no attribute 'rand_idx'"):
        _ = sc.measures.rand_idx


def test_stub_names_exactly_what_is_public():
    from pathlib import Path
    stub = Path(sc.__file__).with_suffix(".pyi").read_text(encoding="utf-8")
    named = set(re.findall(r" as (\w+)$", stub, flags=re.MULTILINE)) | {"__version__"}
    assert named == set(sc._public())


def test_the_tabulator_key_offers_every_public_name_and_no_other():
    assert set(dir(sc)) == set(sc._public())
    assert set(sc.__all__) == set(sc._public())   # for ``from softclust import *``
    for room in (sc.plotting, sc.cluster, sc.datasets, sc.measures, sc.results):
        own = sc.measures.registry() if room is sc.measures else ()
        assert {name for name in dir(room) if name[0] != "_"} == {*room.__all__, *own}
