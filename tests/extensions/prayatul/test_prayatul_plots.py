"""Charts of Prayatul records: what is drawn where."""

import math

import numpy as np
import pytest

import softclust as sc

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")
plt = __import__("matplotlib.pyplot", fromlist=["pyplot"])


@pytest.fixture(autouse=True)
def close():
    yield
    plt.close("all")


def result(n=60, noise=0.3, **options):
    rng = np.random.default_rng(0)
    g = rng.integers(3, size=n)
    p, q = (np.where(rng.random(n) < noise, rng.integers(3, size=n), g) for _ in range(2))
    return sc.prayatul(g, p, q, **options)


def texts(ax):
    legend = ax.get_legend().get_texts() if ax.get_legend() else []
    return [text.get_text() for text in [*ax.texts, *legend]]


def test_areas_are_shares():
    r = result(names=("one", "two"))
    ax = r.plot()
    tiles = {p.get_gid(): p for p in ax.patches}
    assert set(tiles) == {"right-right", "right-wrong", "wrong-right", "wrong-wrong"}
    shares = np.array(r.counts) / r.pairs
    # gaps between tiles take a little of each
    for name, share in zip(("right-right", "right-wrong", "wrong-right", "wrong-wrong"), shares):
        area = tiles[name].get_width() * tiles[name].get_height()
        assert 0.7 * share <= area <= share
    assert ax.get_title(loc="left") == (
        f"one against two, pairs of 60 objects (delta = {r.delta:.4f})")
    # differences of colour are also differences of hatch
    assert len({(p.get_facecolor(), p.get_hatch()) for p in ax.patches}) == 4
    assert len({p.get_hatch() for p in ax.patches}) == 4


def test_every_share_is_written():
    for noise in (0.02, 0.3, 0.9):
        r = result(noise=noise, n=200)
        written = " ".join(texts(r.plot()))
        for count in r.counts:
            share = count / r.pairs
            assert (f"{100 * share:.1f} %" if share >= 0.001 else "< 0.1 %") in written or (
                share == 0 and "none" in written)


def test_empty_tiles_and_given_axes():
    g = [0, 0, 1, 1, 2]
    r = sc.prayatul(g, g, [0, 0, 1, 2, 2])
    _, ax = plt.subplots()
    assert r.plot(ax) is ax
    assert {p.get_gid() for p in ax.patches} == {"right-right", "right-wrong"}
    assert any("only alternative right: none" in text for text in texts(ax))
    huge = sc.prayatul_from_counts([[[10**9, 5], [7, 3]], [[2, 4], [10**9, 10**9]]])
    assert len(huge.plot().patches) == 4


def test_bounds():
    rough = sc.RoughClustering.from_upper([[1, 0], [1, 1], [0, 1], [1, 1]])
    r = sc.prayatul([0, 0, 1, 1], rough, [[.5, .5], [1, 0], [.2, .8], [0, 1]],
                    coupling="evidential")
    ax = r.plot()
    area = sum(p.get_width() * p.get_height() for p in ax.patches)
    assert 0.8 < area <= 1.0
    assert "delta in [" in ax.get_title(loc="left")


def test_table():
    g = np.random.default_rng(1).integers(3, size=(4, 50))
    table = sc.prayatul_all(g[0], {"one": g[1], "two": g[2], "three": g[3]})
    figure = table.plot()
    assert len(figure.axes) == 9
    assert [ax.get_title() for ax in figure.axes[:3]] == ["one", "two", "three"]
    assert len(figure.axes[0].patches) == 0
    assert "Rand index" in figure.axes[0].texts[0].get_text()
    for k, ax in enumerate(figure.axes):
        i, j = divmod(k, 3)
        if i != j:
            r = table[table.names[i], table.names[j]]
            assert len(ax.patches) == 4
            assert f"delta {r.delta:.3f}" in ax.get_xlabel()
    legend = [text.get_text() for text in figure.legends[0].get_texts()]
    assert legend == ["both right", "only row right", "only column right", "both wrong"]
    soft = sc.prayatul_all(g[0], {"one": g[1], "two": g[2]}, coupling="evidential")
    assert "unknown" in [t.get_text() for t in soft.plot().legends[0].get_texts()]


def test_undefined_in_a_table():
    table = sc.prayatul_all([0, 0, 1, 1], {"a": [0, 1, 1, 1], "b": [1, 0, 0, 0]})
    assert "sigma undefined" in table.plot().axes[1].get_xlabel()


def test_intervals():
    found = result().jackknife()
    ax = found.plot()
    bars = [line for line in ax.lines if line.get_gid() == "interval"]
    assert len(bars) == 6
    assert list(bars[0].get_xdata()) == [found["delta"].low, found["delta"].high]
    assert [t.get_text() for t in ax.get_yticklabels()][1] == "comparative deviation (sigma)"
    r = sc.prayatul([0, 0, 0, 1, 1, 1], [0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 0])
    with pytest.warns(sc.UndefinedMeasureWarning):
        certain = r.jackknife()
    ax = certain.plot()
    assert "no interval" in [text.get_text() for text in ax.texts]
    assert len([line for line in ax.lines if line.get_gid() == "interval"]) == 5
    assert math.isfinite(ax.get_xlim()[1])
