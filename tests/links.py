"""Checks links, anchors, images and files of Markdown and HTML; nothing is asked of the network."""

import re
import string
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

EXTERNAL = ("http", "https", "mailto")
#: [text](target), ![text](target), also with a title
_INLINE = re.compile(r"!?\[[^\]\[]*(?:\[[^\]]*\][^\]\[]*)*\]"
                     r"\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)")
_REFERENCE = re.compile(r"^\[[^\]]+\]:\s*(\S+)", re.MULTILINE)
_HTML_LINK = re.compile(r"<(?:a|img)\b[^>]*?(?:href|src)=\"([^\"]+)\"")


# -- Markdown -----------------------------------------------------------------------------------
def without_code(text):
    """`text` without fenced blocks and inline code, in which brackets are no links."""
    text = re.sub(r"^(```+).*?^\1[ \t]*$", "", text, flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"(`+)(?:(?!\1).)+?\1", "CODE", text)


def heading_anchors(text):
    """The anchors that GitHub gives to the headings of a Markdown text."""
    text = re.sub(r"^(```+).*?^\1[ \t]*$", "", text, flags=re.MULTILINE | re.DOTALL)
    found = set()
    for heading in re.findall(r"^#{1,6}\s+(.+?)\s*#*$", text, re.MULTILINE):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").replace("*", "")
        slug = "".join(c for c in plain.strip().lower() if c.isalnum() or c in " -_")
        slug = slug.replace(" ", "-")
        number, name = 0, slug
        while name in found:
            number += 1
            name = f"{slug}-{number}"
        found.add(name)
    return found | set(re.findall(r"<a (?:id|name)=\"([^\"]+)\"", text))


def markdown_links(text):
    """Targets of all links and images of a Markdown text."""
    text = without_code(text)
    return [*_INLINE.findall(text), *_REFERENCE.findall(text), *_HTML_LINK.findall(text)]


def check_markdown(path, root):
    """What is wrong with the links of a Markdown file: one line per link."""
    text = path.read_text(encoding="utf-8")
    wrong = []
    for link in markdown_links(text):
        reason = wrong_form(link) if is_external(link) else wrong_target(link, path, root)
        if reason:
            wrong.append(f"{path.relative_to(root)}: {link}: {reason}")
    return wrong


def wrong_target(link, path, root):
    """Why a link inside the repository leads nowhere; empty when it does not."""
    target, _, anchor = unquote(link).partition("#")
    file = (path.parent / target).resolve() if target else path.resolve()
    if not file.is_relative_to(Path(root).resolve()):
        return "leads out of the repository"
    if not file.exists():
        return "no such file"
    if anchor and file.suffix == ".md" and anchor not in heading_anchors(
            file.read_text(encoding="utf-8")):
        return "no such heading"
    return ""


# -- external addresses: form only ---------------------------------------------------------------
def is_external(link):
    """Whether a link has a scheme."""
    return bool(re.match(r"[a-zA-Z][a-zA-Z0-9+.-]*:", link)) or link.startswith("//")


def wrong_form(link):
    """Why an external address cannot be one; empty when it can."""
    parts = urlsplit(link)
    if parts.scheme not in EXTERNAL:
        return f"scheme {parts.scheme!r} is not one of {', '.join(EXTERNAL)}"
    if set(link) - set(string.ascii_letters + string.digits + "-._~:/?#[]@!$&'()*+,;=%"):
        return "a character that an address cannot have"
    if parts.scheme == "mailto":
        return "" if re.fullmatch(r"[^@]+@[^@]+\.[^@]+", parts.path) else "no mail address"
    if not re.fullmatch(r"[a-z0-9-]+(\.[a-z0-9-]+)+(:\d+)?", parts.netloc.lower()):
        return "no host"
    return ""


# -- HTML ---------------------------------------------------------------------------------------
#: elements whose address the browser loads by itself
LOADED = {"img": "src", "script": "src", "iframe": "src", "source": "src", "video": "src",
          "audio": "src", "embed": "src", "object": "data"}


class Page(HTMLParser):
    """Links, loaded files and anchors of an HTML page."""

    def __init__(self, text):
        super().__init__()
        self.links, self.loaded, self.ids, self.images = [], [], set(), []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        if "id" in values:
            self.ids.add(values["id"])
        if tag == "a" and values.get("name"):
            self.ids.add(values["name"])
        if tag == "a" and values.get("href"):
            self.links.append(values["href"])
        if tag == "link" and values.get("href"):
            self.loaded.append(values["href"])
        if tag == "img":
            self.images.append(values)
        if LOADED.get(tag) in values:
            self.loaded.append(values[LOADED[tag]])


def check_html(folder):
    """What is wrong with the pages below `folder`: one line per link."""
    folder = Path(folder).resolve()
    # Templates of the theme lie among its style sheets; they are no pages.
    pages = {file: Page(file.read_text(encoding="utf-8")) for file in sorted(folder.rglob("*.html"))
             if "_static" not in file.relative_to(folder).parts}
    wrong = []
    for file, page in pages.items():
        place = file.relative_to(folder)
        wrong += [f"{place}: loads {link} from the network" for link in page.loaded
                  if is_external(link) and not link.startswith("data:")]
        wrong += [f"{place}: an image without a text" for image in page.images
                  if not image.get("alt")]
        for link in [*page.links, *page.loaded]:
            reason = html_reason(link, file, pages, folder)
            if reason:
                wrong.append(f"{place}: {link}: {reason}")
    return wrong + check_styles(folder)


def html_reason(link, file, pages, folder):
    """Why a link of a page is wrong; empty when it is not."""
    if link.startswith(("data:", "javascript:")):
        return ""
    if is_external(link):
        return wrong_form(link)
    target, _, anchor = unquote(link).partition("#")
    goal = (file.parent / target.split("?")[0]).resolve() if target else file
    if not goal.is_relative_to(folder):
        return "leads out of the guide"
    if not goal.exists():
        return "no such file"
    if anchor and goal in pages and anchor not in pages[goal].ids:
        return "no such anchor"
    return ""


def check_styles(folder):
    """Style sheets and scripts that load something from the network."""
    wrong = []
    for file in sorted(folder.rglob("*.css")):
        text = file.read_text(encoding="utf-8", errors="replace")
        wrong += [f"{file.relative_to(folder)}: loads {link}" for link in
                  re.findall(r"(?:url\(|@import)\s*['\"]?((?:https?:)?//[^'\")\s]+)", text)]
    return wrong
