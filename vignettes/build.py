"""Run the vignettes and write them as HTML: ``python vignettes/build.py [--fast] [PAGE ...]``.

A page is a py:percent script in this folder (``# %% [markdown]`` and ``# %%`` cells) that ends with
`CLAIMS`, a `claims.Claims`. Pages import `claims` and `show` from this folder; ``show(figure,
caption)`` and ``show(frame, caption)`` work in a kernel and in a plain script. Formulas in
``$...$`` become pictures (matplotlib's mathtext). Whatever a page writes to stderr is an error
here: a page shows no warnings.

Written: ``html/PAGE.html`` as soon as a page is done, ``html/index.html``, and, unless ``--fast``,
the state of every claim in ``README.md``. Ctrl-C keeps what is written. Exit code: 0 all done; 1 a
page failed, has a false claim or wrote to stderr; 2 wrong arguments; 130 interrupted.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path
from typing import Any

import pages as html_pages
import states
from claims import FAST_VARIABLE

#: in the order of the index
PAGES = ("transport_measures", "transport_errata", "transport_bounds", "transport_experiments",
         "prayatul", "truecluster", "pair_roc", "bayesian_bagging")
HERE = Path(__file__).resolve().parent
#: type of the output that carries the claims from the kernel to here
_MIME = "application/vnd.softclust.claims+json"
_BEFORE = """
%config InlineBackend.figure_formats = ["svg"]
import pandas
pandas.set_option("display.max_rows", None, "display.max_colwidth", None,
                  "display.max_columns", None, "display.width", 110)
"""
_AFTER = f"""
from IPython.display import publish_display_data
publish_display_data({{{_MIME!r}: {{"paper": CLAIMS.paper, "records": CLAIMS.records()}},
                       "text/plain": "claims"}})
"""


class PageError(Exception):
    """A page that could not be run to its end."""


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Run the vignettes and write them as HTML.")
    parser.add_argument("pages", nargs="*", metavar="PAGE", help=f"among {', '.join(PAGES)}; all")
    parser.add_argument("--fast", action="store_true",
                        help="few replicates, as in the tests; README.md is not written")
    parser.add_argument("--out", type=Path, default=HERE / "html", help="folder; html/ here")
    given = parser.parse_args(arguments)
    unknown = sorted(set(given.pages) - set(PAGES))
    if unknown:
        parser.error(f"there is no page {unknown[0]!r}; pages are {', '.join(PAGES)}")
    names = [page for page in PAGES if page in given.pages or not given.pages]
    for page in [page for page in names if not (HERE / f"{page}.py").exists()]:
        print(f"{page}: not written yet, left out")
        names.remove(page)
    os.environ[FAST_VARIABLE] = "1" if given.fast else "0"
    # The user's choice of a window or of Agg is not for the kernel.
    os.environ["MPLBACKEND"] = "module://matplotlib_inline.backend_inline"
    # Without: debugpy warns about frozen modules in every kernel.
    os.environ.setdefault("PYDEVD_DISABLE_FILE_VALIDATION", "1")
    given.out.mkdir(parents=True, exist_ok=True)
    done, troubles, interrupted = build(names, given.out, given.fast)
    # Pages that are in the folder from earlier runs stay in the index.
    index(done, given.out, given.fast)
    if not given.fast and done:
        troubles += write_states(done)
    print(*(f"trouble: {text}" for text in troubles), sep="\n", end="\n" if troubles else "")
    print(f"{given.out / 'index.html'}: {len(done)} of {len(names)} pages written"
          + (", interrupted" if interrupted else ""))
    return 130 if interrupted else int(bool(troubles))


def build(names: list[str], out: Path, fast: bool) -> tuple[dict[str, Any], list[str], bool]:
    """Run the pages one by one: page to (paper, records); what went wrong; whether interrupted."""
    done: dict[str, Any] = {}
    troubles: list[str] = []
    for number, page in enumerate(names, start=1):
        start = time.monotonic()
        try:
            notebook, messages = run(page, f"{page} [{number}/{len(names)}]")
            paper, records = taken(notebook, page)
        except PageError as error:
            troubles.append(f"{page}: {error}")
            continue
        except KeyboardInterrupt:
            return done, troubles, True
        seconds = time.monotonic() - start
        listed = [p for p in PAGES if p in names or (out / f"{p}.html").exists()]
        write(out / f"{page}.html", html_pages.page_html(
            exported(notebook), page=page, pages=listed, records=records,
            footer=footer(fast, f"; {seconds:.0f} seconds")))
        done[page] = (paper, records)
        troubles += [f"{page}: writes to stderr: {text}" for text in messages]
        troubles += [f"{page}: {r['place']}: {r['status']}, published {r['published']}, ours "
                     f"{r['ours']}" for r in records if r["status"] not in states.STATUSES]
    return done, troubles, False


def run(page: str, label: str) -> tuple[Any, list[str]]:
    """Return the executed notebook of a page and the messages of its cells on stderr."""
    import jupytext
    import nbformat
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError, DeadKernelError
    from tqdm import tqdm
    notebook = jupytext.read(HERE / f"{page}.py", fmt="py:percent")
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            try:
                cell.source = html_pages.formulas(cell.source)
            except ValueError as error:
                raise PageError(str(error)) from None
    notebook.cells = [nbformat.v4.new_code_cell(_BEFORE), *notebook.cells,
                      nbformat.v4.new_code_cell(_AFTER)]
    code = sum(cell.cell_type == "code" for cell in notebook.cells)
    with tqdm(total=code, desc=label, unit="cell", mininterval=0) as bar:
        client = NotebookClient(notebook, timeout=None, kernel_name="python3",
                                # no log lines of the kernel between the lines of progress
                                extra_arguments=["--IPKernelApp.log_level=40"],
                                resources={"metadata": {"path": str(HERE)}},
                                on_cell_executed=lambda **_: bar.update())
        try:
            execute(client)
        except CellExecutionError as error:
            raise PageError(f"{error.ename}: {error.evalue}") from None
        except (DeadKernelError, RuntimeError) as error:
            raise PageError(f"its kernel died ({error})") from None
    for cell in notebook.cells:
        if "outputs" in cell:   # announcements of compiling and of waiting are not for readers
            cell.outputs = [output for output in cell.outputs
                            if not output.get("text", "").startswith("softclust: ")]
    messages = [output.text.strip().splitlines()[0] for cell in notebook.cells
                for output in cell.get("outputs", ())
                if output.output_type == "stream" and output.name == "stderr"]
    return notebook, messages


def execute(client: Any) -> None:
    """Run the cells in a thread: so Ctrl-C comes here, where it is KeyboardInterrupt.

    In the main thread nbclient catches the signal itself and ends in an AssertionError.
    """
    import asyncio
    import signal
    from concurrent.futures import ThreadPoolExecutor
    with ThreadPoolExecutor(1) as thread:
        running = thread.submit(lambda: asyncio.run(client.async_execute()))
        try:
            running.result()
        except KeyboardInterrupt:
            # The thread ends when it finds its kernel dead; leaving "with" waits for that.
            if client.km is not None and client.km.has_kernel:
                os.kill(client.km.provisioner.pid, signal.SIGKILL)
            raise


def taken(notebook: Any, page: str) -> tuple[str, list[dict[str, Any]]]:
    """The claims of an executed notebook; the cells that were added are taken out."""
    last = notebook.cells.pop()
    notebook.cells.pop(0)
    found = [output.data[_MIME] for output in last.outputs if _MIME in output.get("data", ())]
    if not found:
        raise PageError("ends without CLAIMS")
    return found[0]["paper"], found[0]["records"]


def exported(notebook: Any) -> str:
    """The cells and their outputs as HTML."""
    from nbconvert import HTMLExporter
    exporter = HTMLExporter(template_name="basic", exclude_input_prompt=True,
                            exclude_output_prompt=True, exclude_anchor_links=True)
    return str(exporter.from_notebook_node(notebook)[0])


def footer(fast: bool, more: str = "") -> str:
    import platform
    from importlib.metadata import version
    versions = ", ".join(f"{name} {version(name)}"
                         for name in ("softclust", "numpy", "scipy", "scikit-learn"))
    mode = "fast mode: few replicates" if fast else "full mode"
    return f"{versions}, Python {platform.python_version()}; {mode}{more}."


def index(done: dict[str, Any], out: Path, fast: bool) -> None:
    listed = [page for page in PAGES if page in done or (out / f"{page}.html").exists()]
    known = earlier() | done
    write(out / "index.html", html_pages.index_html(known, pages=listed, footer=footer(fast)))


def earlier() -> dict[str, Any]:
    readme = HERE / "README.md"
    return states.read(readme.read_text(encoding="utf-8")) if readme.exists() else {}


def write_states(done: dict[str, Any]) -> list[str]:
    """README.md with the claims of `done`, those of other pages as they were."""
    settled = {page: found for page, found in done.items()
               if not any(record["needs"] for record in found[1])}
    troubles = [f"{page}: README.md keeps its old state, as the page needs "
                + next(r["needs"] for r in done[page][1] if r["needs"])
                for page in done if page not in settled]
    known = earlier() | settled
    write(HERE / "README.md", states.written({p: known[p] for p in PAGES if p in known}))
    return troubles


def write(path: Path, text: str) -> None:
    """Whole or not at all: Ctrl-C never leaves half a page."""
    part = path.with_suffix(".part")
    part.write_text(text, encoding="utf-8")
    part.replace(path)


if __name__ == "__main__":
    sys.exit(main())
