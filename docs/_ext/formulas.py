"""Formulas as MathML, which browsers draw themselves: pages load nothing from the network."""

import re

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml

#: MathML finds sizes itself
SIZES = re.compile(r"\\[bB]ig[lr]?(?![A-Za-z])")
REPLACED = {r"\tfrac": r"\frac", r"\dfrac": r"\frac", r"\dots": r"\ldots",
            r"\textstyle": ""}


def mathml(tex, as_block):
    """The formula as one <math> element, with its TeX for those who copy it."""
    text = SIZES.sub("", re.sub(r"\s+", " ", tex).strip())
    for name, other in REPLACED.items():
        text = re.sub(re.escape(name) + r"(?![A-Za-z])", lambda _, other=other: other, text)
    return re.sub(r"\n\s*", "", tex2mathml(text, as_block=as_block))


def inline(self, node):
    self.body.append(mathml(node.astext(), as_block=False))
    raise nodes.SkipNode


def block(self, node):
    self.body.append(f'<div class="formula">{mathml(node.astext(), as_block=True)}</div>\n')
    raise nodes.SkipNode


def setup(app):
    app.add_html_math_renderer("mathml", (inline, None), (block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
