"""HTML of a text answer: paragraphs, lists, tables, code, web links, formulas; nothing that runs or loads.

Formulas become MathML, which every current browser draws by itself: no script, no font, no network. Of that
markup only known elements pass, almost without attributes; a formula that cannot be converted is shown as it
was written.
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
PLAIN = {"mathvariant": "normal", "stretchy": "false", "display": "block"}  # attributes that pass
FORMULA_LIMIT = 500  # characters
OPEN, CLOSE = "\ue000", "\ue001"  # around the number of a formula, while the rest is made
PLACE = re.compile(f"{OPEN}(\\d+){CLOSE}")


class WithFormulas(mistune.HTMLRenderer):
    """Renders Markdown with a place for each formula, whose HTML is in `formulas`."""

    def __init__(self) -> None:
        super().__init__(escape=True)
        self.formulas: list[str] = []

    def keep(self, written: str, tex: str, block: bool) -> str:
        """Keep a formula; returns its place."""
        self.formulas.append(mathml(tex, block) or f"<code>{escape(written)}</code>")
        return f"{OPEN}{len(self.formulas) - 1}{CLOSE}"

    def inline_math(self, text: str) -> str:
        """The place of a formula in a line; what ends in a blank is no formula: from $5 to $6."""
        return str(escape(f"${text}$")) if text[-1:].isspace() else self.keep(f"${text}$", text, False)

    def block_math(self, text: str) -> str:
        """The place of a formula that stands alone."""
        return f"<p>{self.keep(f'$${text}$$', text, True)}</p>\n"


def html_of_markdown(text: str) -> str:
    """HTML of a text answer that may be put into a page."""
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
    """MathML of a formula; empty if it is too long, wrong, or has anything but mathematics in it."""
    tex = tex.replace(JOINER, "").strip()
    if not 0 < len(tex) <= FORMULA_LIMIT:
        return ""
    try:
        root = ElementTree.fromstring(convert(tex, display="block" if block else "inline"))
    except Exception:  # a student may write anything, and the converter has many kinds of errors
        return ""
    for element in root.iter():
        element.tag = element.tag.removeprefix(NAMESPACE)
        if element.tag not in MATH:
            return ""
        element.attrib = {key: value for key, value in element.attrib.items() if PLAIN.get(key) == value}
    return ElementTree.tostring(root, encoding="unicode")
