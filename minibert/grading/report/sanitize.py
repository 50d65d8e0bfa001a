"""What a submission shows, made harmless: no script of it runs in the feedback or in formgrader, and no path
stands in it.

nbconvert's templates, formgrader's among them, put a text answer's HTML into the page as it is. So the
notebook that they get holds none: a word joiner, which nobody sees, stands behind each `<` that could begin a
tag, whatever parser reads it.
"""
import base64
import binascii
import re

import bleach
import mistune

JOINER = "\u2060"
TAG = re.compile(r"<(?=[a-zA-Z/!?])")
# a link to anything but the web: javascript: has many spellings
LINK = re.compile(r"\](?=[(:])(?!\((?:https?://|#))")
PATH = re.compile(r"(?<![\w./:<-])(?:[A-Za-z]:)?(?:[/\\][\w.@+~%-]+)+(?=[/\\])([/\\][\w.@+~%-]*)")
IMAGES = ("image/png", "image/jpeg")
NOT_SHOWN = "(an output that is neither text nor an image is not shown)"
SHOWN_LIMIT = 20_000    # characters of one text, answer or output on a page
TAGS = frozenset("p em strong del code pre ul ol li h1 h2 h3 h4 h5 h6 blockquote br hr table thead tbody tr "
                 "th td a".split())
markdown = mistune.create_markdown(escape=True, plugins=["table", "strikethrough"])


def inert_markdown(text):
    """Markdown without HTML and without links to scripts: it reads the same, also where it is code."""
    return LINK.sub("]" + JOINER, TAG.sub("<" + JOINER, text))


def inert_outputs(outputs):
    """The outputs of a cell as text and pixels: HTML, SVG, JavaScript, LaTeX and widgets are left out."""
    kept = []
    for output in outputs:
        output = dict(output)
        if "data" in output:
            data = {kind: value for kind, value in output["data"].items()
                    if kind == "text/plain" or kind in IMAGES and is_base64(value)}
            output.update(data=data or {"text/plain": NOT_SHOWN}, metadata={})
        kept.append(output)
    return kept


def is_base64(value):
    try:
        return isinstance(value, str) and bool(base64.b64decode(value.replace("\n", ""), validate=True))
    except (binascii.Error, ValueError):
        return False


def without_paths(text):
    """The text with each absolute path cut down to its last part."""
    return PATH.sub(lambda found: found[1].lstrip("/\\") or "…", text)


def cut(text, limit=SHOWN_LIMIT):
    """The first `limit` characters, and a sentence where there are more."""
    return text if len(
        text) <= limit else f"{text[:limit]}\n… and {len(text) - limit:,} more characters, not shown."


def html_of_markdown(text):
    """HTML of a text answer: paragraphs, lists, tables, code and links to the web; nothing that runs or
    loads.
    """
    try:
        made = markdown(cut(text))
    except RecursionError:
        made = f"<pre>{bleach.clean(cut(text), tags=())}</pre>"
    return bleach.clean(made, tags=TAGS, attributes={"a": ["href"]}, protocols={"http", "https", "mailto"},
                        strip=True)
