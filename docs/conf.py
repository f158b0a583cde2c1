"""Sphinx: the user guide, built offline by ``make docs`` into docs/_build/html."""

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "_ext"))

import softclust  # noqa: E402

project = "softclust"
author = "The softclust developers"
copyright = author
version = release = softclust.__version__

extensions = ["myst_parser", "numpydoc", "sphinx.ext.autodoc", "sphinx.ext.autosummary",
              "sphinx_design", "guide", "formulas", "pictures", "replications"]
exclude_patterns = ["_build", "_ext"]
templates_path = ["_templates"]
default_role = "name"   # _ext/guide.py

# -- Markdown ---------------------------------------------------------------------------------
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
html_math_renderer = "mathml"   # _ext/formulas.py: nothing from the network
myst_heading_anchors = 3   # the same anchors as GitHub's

# -- API reference ----------------------------------------------------------------------------
autosummary_generate = True
autosummary_imported_members = True
toc_object_entries_show_parents = "hide"
autodoc_typehints = "none"   # numpydoc has the types in words
autodoc_member_order = "bysource"
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False
numpydoc_use_plots = False

# -- HTML: nothing is loaded from the network -------------------------------------------------
html_theme = "pydata_sphinx_theme"
html_title = f"softclust {version}"
html_static_path = ["_static"]
html_css_files = ["guide.css"]
html_js_files = ["guide.js"]
html_show_sourcelink = False
html_copy_source = False
html_last_updated_fmt = None
html_permalinks_icon = "#"
html_context = {"default_mode": "light"}
html_theme_options = {
    "logo": {"text": "softclust"},
    "navbar_center": [],
    "navbar_end": [],
    "navbar_persistent": ["search-button-field"],
    "show_prev_next": True,
    "show_toc_level": 2,
    # Wide tables need the room.
    "secondary_sidebar_items": {"**": ["page-toc"], "measures": [], "index": []},
    "article_header_start": [],
    "footer_start": ["copyright"],
    "footer_end": [],
    "pygments_light_style": "a11y-high-contrast-light",
}
html_sidebars = {"**": ["guide-nav"]}


def keep_generated_pages_true() -> None:
    """Remove pages of names that no longer exist: they would be pages without a place."""
    for page in (HERE / "reference" / "generated").glob("softclust.*.rst"):
        where = softclust
        for part in page.stem.split(".")[1:]:
            where = getattr(where, part, None)
        if where is None:
            page.unlink()


keep_generated_pages_true()
# Doctest flags are for the tests, not for readers.
trim_doctest_flags = True
