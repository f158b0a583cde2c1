"""Pictures of the built guide, as seen on a desk and on a phone: a part of ``make screenshots``.

``python scripts/screenshots.py docs/_build/html OUT`` writes OUT/<page>-<width>.png for every page
outside ``reference/generated`` (``--all``: these too) and names each page that is wider than its
window, with the elements that stick out. Needs Debian's ``chromium`` and nothing from the network.
Exit code 1 if a page is too wide.
"""

import argparse
import html
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

WIDTHS = (1280, 400)
#: no picture is higher: a browser draws no more
MOST_PIXELS = 16_000
FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync",
         "--hide-scrollbars", "--allow-file-access-from-files", "--disable-web-security")
#: shows each page in a frame of the width and writes down height and what sticks out
MEASURE = """<!doctype html><meta charset="utf-8"><body><pre id="found"></pre><script>
const pages = PAGES, found = [];
function outside(el, view) {
  // the theme lets the article scroll: that is the page itself
  for (let at = el; !at.matches("body, .bd-article-container"); at = at.parentElement) {
    const style = view.getComputedStyle(at);
    if (at !== el && /auto|scroll|hidden|clip/.test(style.overflowX)) return false;
    if (style.position === "fixed" || style.visibility === "hidden") return false;
  }
  return true;
}
async function run() {
  for (const [name, address, width] of pages) {
    const frame = document.createElement("iframe");
    frame.style.cssText = `width:${width}px;height:900px;border:0`;
    await new Promise(done => { frame.onload = done; frame.src = address;
                                document.body.append(frame); });
    const view = frame.contentWindow, page = frame.contentDocument;
    const wide = [...page.querySelectorAll("body *")].filter(el => {
      const box = el.getBoundingClientRect();
      return box.width && box.height && box.right > width + 2 && outside(el, view);
    }).map(el => `${el.tagName.toLowerCase()}.${el.className} ` +
                 `"${(el.textContent || "").trim().slice(0, 40)}"`);
    found.push([name, width, page.documentElement.scrollHeight, wide.slice(-3)]);
    frame.remove();
  }
  document.getElementById("found").textContent = "FOUND" + JSON.stringify(found) + "END";
}
run();
</script>"""


def browse(*args: str, seconds: int) -> str:
    """Output of chromium for these arguments, with a fresh profile."""
    with tempfile.TemporaryDirectory() as profile:
        return subprocess.run(["chromium", *FLAGS, f"--user-data-dir={profile}", *args],
                              capture_output=True, text=True, check=True, timeout=seconds).stdout


def measured(pages: dict[str, Path], folder: Path) -> list[tuple[str, int, int, list[str]]]:
    """Name, width, height and what sticks out, of each page in each width."""
    asked = [(name, path.as_uri(), width) for name, path in pages.items() for width in WIDTHS]
    wrapper = folder / "measure.html"
    wrapper.write_text(MEASURE.replace("PAGES", json.dumps(asked)), encoding="utf-8")
    dom = browse("--dump-dom", "--virtual-time-budget=10000000", "--window-size=1300,1000",
                 wrapper.as_uri(), seconds=30 + 5 * len(asked))
    wrapper.unlink()
    text = re.search(r"FOUND(.*?)END</pre>", dom, re.DOTALL)
    if not text:
        raise SystemExit("chromium did not show the pages")
    return [tuple(row) for row in json.loads(html.unescape(text[1]))]


def shot(path: Path, width: int, height: int, target: Path) -> None:
    """A picture of the whole page at this width: in a frame, for no window is so narrow."""
    with tempfile.NamedTemporaryFile("w", suffix=".html", dir=target.parent) as frame:
        frame.write(f'<!doctype html><body style="margin:0"><iframe src="{path.as_uri()}" style="'
                    f'width:{width}px;height:{height}px;border:0;display:block"></iframe>')
        frame.flush()
        browse(f"--screenshot={target}", f"--window-size={width},{height}",
               "--virtual-time-budget=2000", Path(frame.name).as_uri(), seconds=120)


def main() -> int:
    """Measure, draw, and say which pages are too wide."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("guide", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--all", action="store_true", help="the pages of each function too")
    parser.add_argument("--only", default="", help="pages whose name holds this")
    parser.add_argument("--measure", action="store_true", help="no pictures")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    root = args.guide.resolve()
    pages = {path.relative_to(root).with_suffix("").as_posix().replace("/", "--"): path
             for path in sorted(root.rglob("*.html")) if "_static" not in path.parts
             and (args.all or "generated" not in path.parts) and args.only in path.name}
    wide = 0
    for name, width, height, elements in measured(pages, args.out.resolve()):
        if elements:
            wide += 1
            print(f"{name} is wider than {width} pixels: {'; '.join(elements)}")
        if not args.measure:
            shot(pages[name], width, min(height, MOST_PIXELS),
                 args.out.resolve() / f"{name}-{width}.png")
    return 1 if wide else 0


if __name__ == "__main__":
    sys.exit(main())
