"""Pictures of the charts: each page of a chart and the gallery show what its example draws.

``python docs/_ext/pictures.py FOLDER`` writes all of them as PNG, to look at.
"""

from __future__ import annotations

import doctest
import inspect
import sys
from pathlib import Path
from typing import Any

#: where the pictures are made, beside the pages that show them
FOLDER = Path("reference", "generated", "pictures")
#: what stands in the source of the gallery
PLACE = "<!-- the pictures of all charts stand here when the guide is built -->"
#: the modules that draw, and headings of the gallery in the order of the questions
ROOMS = {
    "objects": "Objects and maps",
    "selection": "Are there clusters, which setting, which are real, do they replicate",
    "runs": "How certain: stability", "clusterings": "Clusterings and memberships",
    "comparisons": "How well they agree, rankings, chance, batches",
    "flows": "Flows, and where clusterings disagree", "matrix": "Heat maps, tables, versions",
    "values": "Single values with bounds", "completion_charts": "Missing labels",
    "prayatul_charts": "Two clusterings against a truth", "posterior_charts": "Posterior samples",
    "tree_charts": "Dendrograms", "transport_charts": "Transport and expected values",
    "truecluster_charts": "Reliability"}
#: the same bytes in every build
STYLE = {"svg.hashsalt": "softclust", "svg.fonttype": "path", "font.size": 10}


def charts() -> dict[str, list[str]]:
    """Names of the charts by module, in the order of `softclust.plotting`."""
    from softclust import plotting
    found: dict[str, list[str]] = {room: [] for room in ROOMS}
    for name in plotting.__all__:
        if name.startswith("plot_"):
            home = inspect.unwrap(getattr(plotting, name)).__module__.rpartition(".")[2]
            found[home].append(name)
    return found


def draw(name: str, path: Path) -> None:
    """Run the example of a chart and write the last figure that it made.

    Raises
    ------
    AssertionError
        If the example prints something else than its docstring, or draws nothing.
    """
    import matplotlib
    from matplotlib import pyplot as plt

    from softclust import plotting
    plt.switch_backend("Agg")
    doc = inspect.getdoc(getattr(plotting, name)) or ""
    test = doctest.DocTestParser().get_doctest(doc, {}, name, name, 0)
    told: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    with matplotlib.rc_context(STYLE):
        assert test.examples, f"{name} has no example"
        runner.run(test, out=told.append)
        assert not runner.failures, "".join(told)
        assert plt.get_fignums(), f"the example of {name} draws nothing"
        plt.gcf().savefig(path, bbox_inches="tight", dpi=80,
                          metadata={"Date": None} if path.suffix == ".svg" else None)
    plt.close("all")


def draw_all(app: Any) -> None:
    """Draw the charts whose pictures are missing or older than the package."""
    from softclust import plotting
    folder = Path(app.srcdir) / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    for names in charts().values():
        for name in names:
            source = Path(inspect.getfile(inspect.unwrap(getattr(plotting, name))))
            path = folder / f"{name}.svg"
            if not path.exists() or path.stat().st_mtime < source.stat().st_mtime:
                draw(name, path)


def show_picture(app: Any, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Put the picture below the signature of a chart."""
    chart = name.removeprefix("softclust.plotting.")
    if chart.startswith("plot_") and chart != name:
        first = next(i for i, line in enumerate(lines) if line)
        end = lines.index("", first)
        lines[end:end] = ["", f".. image:: /{(FOLDER / chart).as_posix()}.svg",
                          f"   :alt: {' '.join(lines[first:end])}", ""]


def fill_gallery(app: Any, docname: str, source: list[str]) -> None:
    """Put a card for each chart into the gallery."""
    if PLACE not in source[0]:
        return
    from softclust import plotting
    lines: list[str] = []
    for room, names in charts().items():
        lines += [f"## {ROOMS[room]}", "", "::::{grid} 1 2 2 2", ":gutter: 3", ""]
        for name in names:
            says = (inspect.getdoc(getattr(plotting, name)) or "").partition("\n")[0]
            lines += [f":::{{grid-item-card}} {name}",
                      f":img-top: {(FOLDER / name).as_posix()}.svg",
                      f":img-alt: {says}", f":link: reference/generated/softclust.plotting.{name}",
                      ":link-type: doc", "", says, ":::", ""]
        lines += ["::::", ""]
    source[0] = source[0].replace(PLACE, "\n".join(lines))


def setup(app: Any) -> dict[str, bool]:
    """Called by Sphinx."""
    app.connect("builder-inited", draw_all, priority=400)   # before autosummary writes its pages
    app.connect("autodoc-process-docstring", show_picture, priority=900)   # after numpydoc
    app.connect("source-read", fill_gallery)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    for chart_name in sys.argv[2:] or [name for names in charts().values() for name in names]:
        try:
            draw(chart_name, target / f"{chart_name}.png")
        except AssertionError as error:
            print(f"{chart_name}: {error}")
