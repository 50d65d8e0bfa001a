"""Convert a text answer to HTML with lists, tables, code, links and formulas.

The HTML runs no code and loads no files. Formulas become MathML, which every current browser renders
natively. Only known elements and a few attributes are kept. A formula that cannot be converted is shown as
written.
"""

import re
from xml.etree import ElementTree

import bleach
import mistune
from latex2mathml.converter import convert
from markupsafe import escape

from .sanitize import JOINER, cut, printable

TAGS = frozenset(
    "p em strong del code pre ul ol li h1 h2 h3 h4 h5 h6 blockquote br hr table thead tbody tr "
    "th td a".split()
)
MATH = frozenset(
    "math mrow mi mn mo mtext mspace msqrt mroot mfrac msub msup msubsup munder mover "
    "munderover mtable mtr mtd mstyle mpadded mphantom".split()
)
NAMESPACE = "{http://www.w3.org/1998/Math/MathML}"
PLAIN = {"mathvariant": "normal", "stretchy": "false", "display": "block"}  # attributes that are kept
FORMULA_LIMIT = 500  # characters of a formula
OPEN, CLOSE = "\ue000", "\ue001"  # enclose a formula's number while the rest is rendered
PLACE = re.compile(f"{OPEN}(\\d+){CLOSE}")


class WithFormulas(mistune.HTMLRenderer):
    """A Markdown renderer that replaces each formula with a placeholder and keeps its HTML in `formulas`."""

    def __init__(self) -> None:
        super().__init__(escape=True)
        self.formulas: list[str] = []

    def keep(self, written: str, tex: str, block: bool) -> str:
        """Store the HTML of a formula, and return the placeholder for it."""
        self.formulas.append(mathml(tex, block) or f"<code>{escape(written)}</code>")
        return f"{OPEN}{len(self.formulas) - 1}{CLOSE}"

    def inline_math(self, text: str) -> str:
        """Return the placeholder for an inline formula.

        Text that ends in a space, as in "from $5 to $6", is not a formula and is returned unchanged.
        """
        return str(escape(f"${text}$")) if text[-1:].isspace() else self.keep(f"${text}$", text, False)

    def block_math(self, text: str) -> str:
        """Return a paragraph with the placeholder for a display formula."""
        return f"<p>{self.keep(f'$${text}$$', text, True)}</p>\n"


def html_of_markdown(text: str) -> str:
    """Render a text answer as HTML that is safe to insert into a page."""
    text = cut(printable(text).translate({ord(OPEN): None, ord(CLOSE): None}))
    renderer = WithFormulas()
    markdown = mistune.create_markdown(renderer=renderer, plugins=["table", "strikethrough", "math"])
    try:
        made = str(markdown(text))
    except RecursionError:
        made = f"<pre>{escape(text)}</pre>"
    clean = bleach.clean(
        made, tags=TAGS, attributes={"a": ["href"]}, protocols={"http", "https", "mailto"}, strip=True
    )
    return PLACE.sub(lambda found: renderer.formulas[int(found[1])], clean)


def mathml(tex: str, block: bool = False) -> str:
    """Convert a formula to MathML, or return an empty string if it is invalid or too long."""
    tex = tex.replace(JOINER, "").strip()
    if not 0 < len(tex) <= FORMULA_LIMIT:
        return ""
    try:
        root = ElementTree.fromstring(convert(tex, display="block" if block else "inline"))
    except Exception:  # the converter has many kinds of errors
        return ""
    for element in root.iter():
        element.tag = element.tag.removeprefix(NAMESPACE)
        if element.tag not in MATH:
            return ""
        element.attrib = {key: value for key, value in element.attrib.items() if PLAIN.get(key) == value}
    return ElementTree.tostring(root, encoding="unicode")
