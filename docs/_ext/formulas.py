"""Formulas as MathML, which browsers draw themselves: pages load nothing from the network."""

import re

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml

#: MathML finds sizes itself
SIZES = re.compile(r"\\[bB]ig[lr]?(?![A-Za-z])")
REPLACED = {r"\tfrac": r"\frac", r"\dfrac": r"\frac", r"\dots": r"\ldots",
            r"\textstyle": "", r"\setminus": r"\backslash"}
#: MathML has no space around the name of a function without brackets: before it, and after it
_AFTER = re.compile(r"(?<=[\w})])\s*\\(log|ln)(?![A-Za-z])")
_FUNCTION = re.compile(r"\\(log|ln)(?![A-Za-z])\s*(?=[A-Za-z])")
#: white space that sets displayed formulas apart
_QUAD = re.compile(r"\\q?quad(?![A-Za-z])\s*")
#: where one of them may go on in the next line of a narrow window
_RELATION = re.compile(r"(?<![<>=&])=|\\(?:ge|le)(?![A-Za-z])")
_OPERATOR = re.compile(_RELATION.pattern + r"|(?<!\\[gl]e)(?<=[\w)}\]|!'])\s*[+-]")


def mathml(tex, as_block):
    """The formula as MathML; a displayed one in pieces, between which a line may end."""
    if not as_block:
        return _element(tex)
    groups = ("<wbr>".join(_element(piece) for piece in _pieces(group)) for group in _groups(tex))
    shown = " ".join(f"<span>{group}</span>" for group in groups)
    # an operator that leads a piece keeps the space around it
    shown = re.sub(r"(<wbr><math[^>]*><mo)>", r'\1 form="infix">', shown)
    return shown.replace("<math", '<math displaystyle="true"')


def _element(tex):
    text = SIZES.sub("", re.sub(r"\s+", " ", tex).strip())
    text = _FUNCTION.sub(r"\\\1\\,", _AFTER.sub(r"\\,\\\1", text))
    for name, other in REPLACED.items():
        text = re.sub(re.escape(name) + r"(?![A-Za-z])", lambda _, other=other: other, text)
    whole = re.sub(r"\n\s*", "", tex2mathml(text, as_block=False))
    # sets and norms are as high as the text, but for \left and \right, which make a row of them
    return re.sub("(?<!<mrow>)<mo>([{}‖])</mo>(?!</mrow>)", r'<mo stretchy="false">\1</mo>', whole)


def _groups(tex):
    """The formulas of a display: \\quad stands between them."""
    places = _outside(_QUAD, tex)
    starts, ends = [0, *(m.end() for m in places)], [*(m.start() for m in places), len(tex)]
    return [tex[a:b] for a, b in zip(starts, ends)]


def _pieces(tex):
    """A formula cut before each sum and relation that follows its first relation."""
    first = next((m.start() for m in _outside(_RELATION, tex)), 0)
    starts = [0, *(m.start() for m in _outside(_OPERATOR, tex) if m.start() > first)]
    return [tex[a:b] for a, b in zip(starts, [*starts[1:], len(tex)])]


def _outside(pattern, tex):
    """The places of `pattern` that are in no braces, brackets, bars or environment."""
    def inside(before):
        opened = len(re.findall(r"[({\[]|\\left|\\begin", before))
        return opened != len(re.findall(r"[)}\]]|\\right|\\end", before)) or before.count("|") % 2
    return [match for match in pattern.finditer(tex) if not inside(tex[:match.start()])]


def inline(self, node):
    self.body.append(mathml(node.astext(), as_block=False))
    raise nodes.SkipNode


def block(self, node):
    self.body.append(f'<div class="formula">{mathml(node.astext(), as_block=True)}</div>\n')
    raise nodes.SkipNode


def setup(app):
    app.add_html_math_renderer("mathml", (inline, None), (block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
