"""Confidence limits in `compare`: where there are none, tables, charts, the command line."""

import json
import math

import numpy as np
import pytest

import softclust as sc
from softclust.cli import main
from softclust.comparison import limits
from softclust.measures import limit_rules
from softclust.measures._registry import registry
from softclust.measures.joint import Pair
from softclust.running.random_numbers import Streams

N = 9


def sides(kind, seed, n=N, c=3):
    """A clustering of each kind with empty clusters, equal rows and ambiguity."""
    rng = np.random.default_rng(seed)
    if kind == "hard":
        return sc.HardClustering(rng.permutation(np.arange(n) % c), n_clusters=c + 1)
    if kind == "rough":
        upper = rng.random((n, c)) < 0.5
        upper[np.arange(n), rng.integers(0, c, n)] = True
        return sc.RoughClustering.from_upper(upper)
    if kind == "fuzzy":
        return sc.FuzzyClustering(rng.dirichlet([0.5] * c, n))
    if kind == "possibilistic":
        typicality = rng.random((n, c))
        typicality[::2] /= typicality[::2].max(axis=1, keepdims=True)
        return sc.PossibilisticClustering(typicality)
    focal = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [1, 1, 1]]
    return sc.EvidentialClustering(rng.dirichlet([0.5] * 6, n), focal)


def cheap(x, y):
    """Names of the measures that compare() lists for x and y whatever they are."""
    return [m.name for m in registry().values() if m.arity == 2 and m.in_compare is True
            and m.listed_for == "all" and m.takes(x.kind, y.kind)]


# -- where there are no limits -----------------------------------------------------------------
def test_equal_clusterings_have_no_limits():
    labels = [0, 0, 0, 1, 1, 2, 2, 2]
    for ci in ("jackknife", "bootstrap"):
        result = sc.compare(labels, labels, ci=ci, measures=["rand_index"], rng=0)
        row = result.rows[0]
        assert math.isnan(row.ci_low)
        assert row.ci.method == "none"
        # 8 of 8 objects: (1 - level)/2 = low^8
        assert f"at least {100 * 0.025 ** (1 / 8):.1f} % of all objects do" in result.notes[0]
        assert row.value == 1.0


def test_undefined_measures_have_no_limits():
    result = sc.compare([0, 1, 2, 3], [0, 0, 1, 1], measures="fowlkes_mallows_index",
                        ci="jackknife")
    assert "undefined for these clusterings" in result.rows[0].note
    # defined, but not without object 1
    result = sc.compare([0, 0, 1, 2], [0, 1, 1, 1], measures="fowlkes_mallows_index",
                        ci="jackknife")
    assert "undefined when some object is left out" in result.rows[0].note


def test_resamples_of_a_single_object_are_undefined():
    for seed in range(3):
        row = sc.compare([0, 0, 1, 1, 2], [0, 0, 1, 2, 2], ci="bootstrap", rng=seed,
                         measures="rand_index", n_resamples=2000).rows[0]
        undefined = int(np.isnan(row.ci.replicates).any(axis=1).sum())
        assert row.ci.n_resamples == 2000 - undefined
        assert 0 < undefined < 20   # 2000 * 5 / 5^5 = 3.2
        assert f"undefined in {undefined} of 2000 resamples" in row.note
        assert not math.isnan(row.ci_low)


def test_measures_that_need_the_clusterings(monkeypatch):
    """A measure that asks for more than resampled statistics."""
    from softclust.measures import _registry
    from softclust.measures.limit_rules import PLAIN
    monkeypatch.setattr(_registry, "_REGISTRY", dict(_registry._REGISTRY))

    def alike(source):
        pair = source.objects
        return float((pair.x.membership.argmax(axis=1)
                      == pair.y.membership.argmax(axis=1)).mean())

    @_registry.measure(Pair, alike, sense="agreement", kinds=("fuzzy",), bounds=(0.0, 1.0),
                       cost="O(n)", source="this test", limits=PLAIN)
    def share_alike(x, y=None):
        """Share of the objects whose largest memberships have one number."""
        return _registry.value_of(share_alike, x, y)

    x, y = sides("fuzzy", 1, n=40), sides("fuzzy", 2, n=40)
    jack = sc.compare(x, y, measures="share_alike", ci="jackknife").rows[0]
    assert jack.ci.method == "jackknife, object by object"
    p = jack.value
    assert jack.ci.standard_error[0] == pytest.approx(math.sqrt(p * (1 - p) / 39), rel=1e-9)
    boot = sc.compare(x, y, measures="share_alike", ci="bootstrap", rng=0).rows[0]
    assert "offers no weighted form" in boot.note
    big = sides("fuzzy", 1, n=300), sides("fuzzy", 2, n=300)
    row = sc.compare(*big, measures="share_alike", ci="jackknife").rows[0]
    assert row.ci.method == "jackknife, object by object"   # quick enough
    assert row.ci.n_resamples == 300


def test_measures_of_unforeseeable_cost_have_no_limits():
    x, y = sides("hard", 1), sides("fuzzy", 2)
    for ci in ("jackknife", "bootstrap"):
        row = sc.compare(x, y, measures="transport_rand_index", ci=ci, rng=0).rows[0]
        assert "may be long" in row.note
        assert row.ci.method == "none"


def test_sums_over_objects_count_copies(monkeypatch):
    monkeypatch.setattr(limits, "MOST_OTHER_BIAS", math.inf)
    monkeypatch.setattr(limit_rules, "matching_changes", lambda *arguments: False)
    names = [m.name for m in registry().values() if m.by_object and "fuzzy" in m.kinds]
    x, y = sides("hard", 1, n=30), sides("fuzzy", 2, n=30)
    for name in names:
        row = sc.compare(x, y, measures=name, ci="bootstrap", n_resamples=40, rng=6).rows[0]
        for b in (0, 7):
            drawn = np.sort(Streams(6).generator(b).integers(30, size=30))
            expected = sc.get_measure(name).function(x.subset(drawn), y.subset(drawn))
            assert row.ci.replicates[b, 0] == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(("options", "message"), [
    ({"ci": "normal"}, "ci='normal'"), ({"ci": "bootstrap", "level": 1.0}, "level is 1.0"),
    ({"ci": "bootstrap", "level": 0}, "level is 0"),
    ({"ci": "bootstrap", "n_resamples": 10}, "whole number >= 40"),
    ({"ci": "bootstrap", "n_resamples": 50.5}, "n_resamples is 50.5"),
    ({"rng": 3}, "rng and executor have no effect"),
])
def test_odd_options(options, message):
    with pytest.raises(ValueError, match=message):
        sc.compare([0, 0, 1], [0, 1, 1], **options)


def test_other_odd_input():
    with pytest.raises(TypeError, match="executor is 7"):
        sc.compare([0, 0, 1], [0, 1, 1], ci="bootstrap", executor=7)
    with pytest.raises(sc.ClusteringError, match="2 objects; confidence intervals"):
        sc.compare([0, 1], [0, 1], ci="jackknife")


# -- tables, charts, command line --------------------------------------------------------------
def test_tables_and_frames():
    x, y = sides("hard", 1, n=30), sides("rough", 2, n=30)
    result = sc.compare(x, y, measures=cheap(x, y), ci="jackknife", level=0.9)
    frame = result.to_frame()
    assert frame.columns.tolist()[3:6] == ["ci_low", "ci_high", "ci_method"]
    row = next(r for r in result if r.name == "alpha_rand_interval")
    assert frame.loc[row.name, "ci_low"] == row.ci.low.low == row.ci_low
    assert frame.loc[row.name, "ci_high"] == row.ci.high.high == row.ci_high
    assert row.ci.low != row.ci.high
    text = " ".join(str(result).split())
    assert "90 % CI" in text
    assert "labels are held fixed" in text
    assert f"{row.ci_low:.4f} to {row.ci_high:.4f}" in text
    plain = sc.compare(x, y, measures=cheap(x, y))
    assert plain.rows[0].ci is None
    assert "ci_low" not in plain.to_frame()
    assert "limits" not in str(plain)


def test_chart_has_whiskers():
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    x, y = sides("hard", 1, n=30), sides("hard", 2, n=30)
    result = sc.compare(x, y, ci="jackknife")
    ax = result.plot()
    drawn = {int(line.get_ydata()[0]): line.get_xdata() for line in ax.lines
             if line.get_gid() == "limits"}
    named = [row.name for row in result]
    rand = result.rows[named.index("rand_index")]
    np.testing.assert_allclose(drawn[named.index("rand_index")], [rand.ci_low, rand.ci_high])
    # further right is more alike
    distance = result.rows[named.index("partition_distance")]
    np.testing.assert_allclose(drawn[named.index("partition_distance")],
                               [1 - distance.ci_low, 1 - distance.ci_high])
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert "95 % interval" in labels
    plt.close("all")


def test_command_line(tmp_path, capsys):
    a, b = tmp_path / "a.csv", tmp_path / "b.csv"
    a.write_text("x\n" + "\n".join("pqr"[i % 3] for i in range(30)) + "\n")
    b.write_text("x\n" + "\n".join("pqr"[i % 3 if i < 20 else 0] for i in range(30)) + "\n")
    base = ["compare", str(a), str(b), "--no-id", "--measures", "rand_index"]
    assert main([*base, "--ci", "bootstrap", "--seed", "1", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)["measures"][0]["ci"]
    labels = [[i % 3 for i in range(30)], [i % 3 if i < 20 else 0 for i in range(30)]]
    row = sc.compare(*labels, measures="rand_index", ci="bootstrap", rng=1).rows[0]
    assert found == {"low": row.ci_low, "high": row.ci_high, "level": 0.95, "method": "bootstrap",
                     "estimate": row.value, "reliable": row.ci.reliable}
    assert main([*base, "--ci", "jackknife", "--level", "0.9"]) == 0
    assert "90 % CI" in capsys.readouterr().out
    assert main([*base, "--level", "2"]) == 2
    assert main([*base, "--seed", "1"]) == 2
    assert "--ci bootstrap" in capsys.readouterr().err


def test_what_is_said_of_coverage_names_its_limits():
    said = " ".join(sc.compare.__doc__.split())
    assert "the value that the measure approaches as n grows" in said   # the estimand
    for text in ("about 95 % of samples", "do not cover refitting", "includes its bias",
                 "no sampling error", "have the same population value", "not ``reliable``"):
        assert text in said
