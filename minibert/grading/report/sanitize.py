"""Sanitize submissions, so that feedback and formgrader run none of their scripts.

The templates of nbconvert and formgrader put HTML from a text answer into the page. So an invisible word
joiner is inserted after each `<` that could begin a tag. File paths are shortened.
"""

import base64
import binascii
import re
from collections.abc import Iterable
from typing import Any

JOINER = "\u2060"
TAG = re.compile(r"<(?=[a-zA-Z/!?])")
# Links to anything but the web: `javascript:` has many spellings.
LINK = re.compile(r"\](?=[(:])(?!\((?:https?://|#|attachment:[0-9a-f]{16}\.))")
PATH = re.compile(r"(?<![\w./:<-])(?:[A-Za-z]:)?(?:[/\\][\w.@+~%-]+)+(?=[/\\])([/\\][\w.@+~%-]*)")
# CSI, such as colours; OSC, such as titles and links, possibly without an end; other escapes.
SEQUENCE = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"
    r"|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\n\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?"
    r"|\x1b[ -/]*[0-~]"
)
# C0 and C1, and characters that change the writing direction or are invisible.
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")
IMAGES = ("image/png", "image/jpeg")
NOT_SHOWN = "(an output that is neither text nor an image is not shown)"
SHOWN_LIMIT = 20_000  # characters shown of one answer or output on a page


def sanitized_markdown(text: str) -> str:
    """Disable HTML and links to scripts in Markdown without changing how it looks, even in code."""
    return LINK.sub("]" + JOINER, TAG.sub("<" + JOINER, text))


def sanitized_outputs(outputs: Iterable[Any]) -> list[dict[str, Any]]:
    """Reduce the outputs of a cell to text and images, without HTML, SVG, JavaScript, LaTeX or widgets."""
    kept = []
    for output in outputs:
        output = {
            key: cleaned(value) if key in ("text", "ename", "evalue", "traceback") else value
            for key, value in dict(output).items()
        }
        if "data" in output:
            data = {
                kind: cleaned(value) if kind == "text/plain" else value
                for kind, value in output["data"].items()
                if kind == "text/plain" or kind in IMAGES and is_base64(value)
            }
            output.update(data=data or {"text/plain": NOT_SHOWN}, metadata={})
        kept.append(output)
    return kept


def cleaned(value: Any) -> Any:
    """Make a string, or each string in a list, printable; return other values unchanged."""
    if isinstance(value, list):
        return [cleaned(part) for part in value]
    return printable(value) if isinstance(value, str) else value


def is_base64(value: Any) -> bool:
    """Return whether a value is a non-empty base64 string."""
    try:
        return isinstance(value, str) and bool(base64.b64decode(value.replace("\n", ""), validate=True))
    except (binascii.Error, ValueError):
        return False


def printable(text: str) -> str:
    """Remove terminal escape sequences from `text`, and make other control characters visible."""
    lines = SEQUENCE.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    return CONTROL.sub(lambda found: found[0].encode("unicode_escape").decode(), lines)


def without_paths(text: str) -> str:
    """Make `text` printable, and shorten each absolute path to its last part."""
    return printable(PATH.sub(lambda found: found[1].lstrip("/\\") or "…", text))


def cut(text: str, limit: int = SHOWN_LIMIT) -> str:
    """Cut `text` to its first `limit` characters, and note how many are left out."""
    if len(text) <= limit:
        return text
    return f"{text[:limit]}\n… and {len(text) - limit:,} more characters, not shown."
