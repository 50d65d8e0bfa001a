"""Convert a text answer to HTML with lists, tables, code, links, formulas and pictures.

The HTML runs no code and loads no files, and pictures are part of it. Formulas become MathML, which every
current browser renders natively. Only known elements and a few attributes are kept. A formula that cannot be
converted is shown as written.
"""

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from xml.etree import ElementTree

import bleach
import mistune
from latex2mathml.converter import convert
from markupsafe import escape

from ..bounded import LimitError, Limits, within
from ..intake.pictures import is_picture
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
LIMITS = Limits(seconds=4)  # of rendering one answer
FORMULA_LIMIT = 500  # characters of a formula
OPEN, CLOSE = "\ue000", "\ue001"  # enclose the number of a formula or picture while the rest is rendered
PLACE = re.compile(f"{OPEN}(\\d+){CLOSE}")


class WithFormulas(mistune.HTMLRenderer):
    """A Markdown renderer that replaces formulas and pictures by placeholders, and keeps their HTML."""

    def __init__(self, pictures: Mapping[str, Mapping[str, str]]) -> None:
        super().__init__(escape=True)
        self.pictures = pictures
        self.kept: list[str] = []

    def image(self, text: str, url: str, title: str | None = None) -> str:
        """Return the placeholder for a picture of the notebook; any other is shown as written."""
        for kind, data in self.pictures.get(url.removeprefix("attachment:"), {}).items():
            if is_picture(kind, data):
                return self.place(f'<img alt="{escape(text)}" src="data:{kind};base64,{data}">')
        return str(escape(f"![{text}]({url})"))

    def place(self, html: str) -> str:
        """Store some HTML, and return the placeholder for it."""
        self.kept.append(html)
        return f"{OPEN}{len(self.kept) - 1}{CLOSE}"

    def keep(self, written: str, tex: str, block: bool) -> str:
        """Store the HTML of a formula, and return the placeholder for it."""
        return self.place(mathml(tex, block) or f"<code>{escape(written)}</code>")

    def inline_math(self, text: str) -> str:
        """Return the placeholder for an inline formula.

        Text that ends in a space, as in "from $5 to $6", is not a formula and is returned unchanged.
        """
        return str(escape(f"${text}$")) if text[-1:].isspace() else self.keep(f"${text}$", text, False)

    def block_math(self, text: str) -> str:
        """Return a paragraph with the placeholder for a display formula."""
        return f"<p>{self.keep(f'$${text}$$', text, True)}</p>\n"


@lru_cache(maxsize=4096)
def bounded_html(text: str, pictures: str = "null") -> str:
    """Render a text answer as `html_of_markdown` does, or as plain text if that exceeds `LIMITS`.

    pictures: the attachments of its cell in JSON.
    """
    try:
        return within(LIMITS, html_of_markdown, text, json.loads(pictures))
    except LimitError:
        return f"<pre>{escape(cut(printable(text)))}</pre>"


def html_of_markdown(text: str, pictures: Mapping[str, Mapping[str, str]] | None = None) -> str:
    """Render a text answer as HTML that is safe to insert into a page.

    pictures: the attachments of its cell, {name: {type: base64 data}}.
    """
    text = cut(printable(text).translate({ord(OPEN): None, ord(CLOSE): None}))
    renderer = WithFormulas(pictures or {})
    markdown = mistune.create_markdown(renderer=renderer, plugins=["table", "strikethrough", "math"])
    clean = bleach.clean(
        str(markdown(text)),
        tags=TAGS,
        attributes={"a": ["href"]},
        protocols={"http", "https", "mailto"},
        strip=True,
    )
    return PLACE.sub(lambda found: renderer.kept[int(found[1])], clean)


def mathml(tex: str, block: bool = False) -> str:
    """Convert a formula to MathML, or return an empty string if it is invalid or too long."""
    tex = tex.replace(JOINER, "").replace("{aligned}", "{align*}").strip()  # the converter knows only these
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
