"""Show a figure or a table: on the page when a kernel runs it, else as text in the terminal.

``show(figure, "What is to be seen.")`` takes matplotlib's figures and axes, and pandas' frames. As
a plain script a figure is drawn (so that its errors are seen) and closed, a frame is printed.
"""

from __future__ import annotations

import base64
import html
import io
import sys
from pathlib import Path
from typing import Any

#: values that the golden files of the tests hold
GOLDEN = Path(__file__).resolve().parent.parent / "tests" / "golden"


def in_kernel() -> bool:
    """True when Jupyter's kernel runs the page."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return getattr(shell, "kernel", None) is not None


def show(thing: Any, caption: str = "") -> None:
    """Show a figure, axes or a frame with its caption."""
    if hasattr(thing, "to_html"):
        _show_frame(thing, caption)
    else:
        _show_figure(getattr(thing, "figure", None) or thing, caption)


def _show_frame(frame: Any, caption: str) -> None:
    if not in_kernel():
        print(*([caption] if caption else []), frame.to_string(), "", sep="\n")
        return
    # An index that only counts the rows says nothing.
    counts = list(frame.index) == list(range(len(frame)))
    _display("<figure class='frame'>" + _caption(caption)
             + frame.to_html(index=not counts, border=0, na_rep="–") + "</figure>")


def _show_figure(figure: Any, caption: str) -> None:
    import matplotlib.pyplot as plt
    if not in_kernel():
        figure.canvas.draw()
        plt.close(figure)
        return
    picture = io.BytesIO()
    # The same picture gives the same file: no date, no random names of its parts.
    with plt.rc_context({"svg.hashsalt": "softclust"}):
        figure.savefig(picture, format="svg", bbox_inches="tight", metadata={"Date": None})
    width = figure.get_size_inches()[0]
    plt.close(figure)
    data = base64.b64encode(picture.getvalue()).decode()
    _display(f"<figure class='picture'><img style='width:{width:.2f}in' alt='"
             f"{html.escape(caption, quote=True)}' src='data:image/svg+xml;base64,{data}'>"
             + _caption(caption) + "</figure>")


def _caption(caption: str) -> str:
    return f"<figcaption>{html.escape(caption)}</figcaption>" if caption else ""


def _display(text: str) -> None:
    from IPython.display import HTML, display
    display(HTML(text))
