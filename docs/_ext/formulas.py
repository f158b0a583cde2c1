"""Formulas as pictures drawn by matplotlib: pages that load nothing from the network."""

import base64
import html
import io
import re
from functools import cache

#: what TeX has and mathtext calls otherwise
REPLACED = {r"\le": r"\leq", r"\ge": r"\geq", r"\tfrac": r"\frac", r"\textstyle": "",
            r"\bigl": "", r"\bigr": "", r"\Bigl": "", r"\Bigr": ""}
#: points of a formula's letters
SIZE = 11


@cache
def picture(tex):
    """An <img> with the formula inside, on the line of the text around it."""
    from matplotlib import mathtext, rc_context
    from matplotlib.font_manager import FontProperties
    text = re.sub(r"\s+", " ", tex).strip()
    for name, other in REPLACED.items():
        text = re.sub(re.escape(name) + r"(?![A-Za-z])", lambda _, other=other: other, text)
    out = io.BytesIO()
    with rc_context({"mathtext.fontset": "stix", "svg.hashsalt": "formulas"}):
        depth = mathtext.math_to_image(f"${text}$", out, prop=FontProperties(size=SIZE), dpi=72,
                                       format="svg")
    data = base64.b64encode(out.getvalue()).decode()
    return (f'<img class="formula" style="vertical-align:-{depth:.1f}pt" '
            f'alt="{html.escape(tex, quote=True)}" src="data:image/svg+xml;base64,{data}">')


def inline(self, node):
    from docutils.nodes import SkipNode
    self.body.append(picture(node.astext()))
    raise SkipNode


def block(self, node):
    from docutils.nodes import SkipNode
    self.body.append(f'<p class="formula">{picture(node.astext())}</p>\n')
    raise SkipNode


def setup(app):
    app.add_html_math_renderer("mathtext", (inline, None), (block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
