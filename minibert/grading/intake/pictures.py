"""Keep the pictures that students paste into text answers, as attachments of a cell or as data URIs.

Each picture gets a name made from its content, because different cells use the same names for theirs.
"""

import base64
import binascii
import hashlib
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote

Pictures = dict[str, dict[str, str]]  # name -> {type: base64 data}, like nbformat's attachments of one cell
STARTS = {"image/png": b"\x89PNG", "image/jpeg": b"\xff\xd8\xff", "image/gif": b"GIF8", "image/webp": b"RIFF"}
LIMIT = 4_000_000  # base64 characters of one picture
MOST = 10  # pictures of one answer
PLACE = r"(?:attachment:(?P<name>[^)\s\"]+)|data:(?P<kind>image/\w+);base64,(?P<data>[A-Za-z0-9+/=]+))"
MARKDOWN = re.compile(rf"\({PLACE}\)")
HTML = re.compile(rf"<img\s(?:[^<>]*\s)?src=\"{PLACE}\"[^<>]*>")
NAME = re.compile(r"attachment:([0-9a-f]{16}\.\w+)")


def is_picture(kind: Any, data: Any) -> bool:
    """Return whether base64 text is a picture of a type that a page can show safely."""
    if not isinstance(data, str) or kind not in STARTS or len(data) > LIMIT:
        return False
    try:
        return base64.b64decode(data, validate=True).startswith(STARTS[kind])
    except (binascii.Error, ValueError):
        return False


def with_pictures(source: str, attachments: Any) -> tuple[str, Pictures]:
    """Return a text cell's source, with every picture in it renamed, and the pictures.

    attachments: what the notebook's JSON has as the cell's attachments. Anything else than a picture that
    `is_picture` accepts stays as it is.
    """
    known = attachments if isinstance(attachments, dict) else {}
    pictures: Pictures = {}

    def renamed(found):
        name, kind, data = found["name"], found["kind"], found["data"]
        kinds = {kind: data} if kind else known.get(unquote(name or ""))
        for kind, data in kinds.items() if isinstance(kinds, dict) else ():
            data = "".join("".join(data).split()) if isinstance(data, (str, list)) else data
            if is_picture(kind, data) and len(pictures) < MOST:
                new = f"{hashlib.sha256(data.encode()).hexdigest()[:16]}.{kind.partition('/')[2]}"
                pictures[new] = {kind: data}
                return f"(attachment:{new})"
        return found[0]

    def as_markdown(found):
        written = renamed(found)
        return found[0] if written == found[0] else f"![]{written}"

    return MARKDOWN.sub(renamed, HTML.sub(as_markdown, source)), pictures


def shown_in(source: str, pictures: Mapping[str, dict[str, str]]) -> Pictures:
    """Return the pictures to which a cell's source refers."""
    return {name: pictures[name] for name in NAME.findall(source) if name in pictures}
