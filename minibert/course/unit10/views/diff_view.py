"""Show a side-by-side diff of two short texts, such as code before and after a paper's change."""

import difflib
import html
import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from minibert.course.widgets.view import DARK_THEME

WORD = re.compile(r"\w+|\s+|[^\w\s]")
GONE, NEW = "light-dark(#FBD9C6, #5A2E14)", "light-dark(#CBE6F8, #123F5C)"  # under ink
LOUD = {"−": "light-dark(#F3A77C, #8A4720)", "+": "light-dark(#8CC8EE, #185A86)"}
CSS = f"""{DARK_THEME}
.mb-diff {{ container-type: inline-size; font: 12px/1.5 var(--jp-code-font-family, monospace); }}
.mb-diff > div {{ display: grid; grid-template-columns: 1fr 1fr; border: 1px solid #8888;
  border-radius: 6px; }}
.mb-diff > div > div {{ white-space: pre-wrap; overflow-wrap: anywhere; padding: 0 8px 0 calc(8px + 4ch);
  text-indent: -2ch; min-height: 1.5em; min-width: 0; overflow: hidden; }}
.mb-diff > div > div:nth-child(odd) {{ border-right: 1px solid #8888; }}
.mb-diff .mb-diff-name {{ font-weight: bold; padding: 4px 8px; text-indent: 0; }}
@container (max-width: 36rem) {{
  .mb-diff > div {{ grid-template-columns: 1fr; }}
  .mb-diff > div > div:nth-child(odd) {{ border-right: 0; }}
  .mb-diff > div > .mb-diff-again {{ display: none; }}
}}"""
Line = tuple[str, str]  # (sign, HTML)


def diff_html(names: tuple[str, str], left: str, right: str) -> str:
    """Return a diff of two texts as HTML, with lines that occur in only one of them marked with − or +.

    names: the texts' names. Within a changed line, the words that differ are highlighted. The texts are side
    by side, or in one column on a narrow page.
    """
    rows = list(paired(left.splitlines(), right.splitlines()))
    gone, new = (
        sum(line is not None and line[0] != " " for line in side)
        for side in ([one for one, _ in rows], [other for _, other in rows])
    )
    said = f"Removed or changed: {gone} lines of {names[0]}. Added or changed: {new} lines of {names[1]}."
    heads = "".join(f'<div class="mb-diff-name">{html.escape(name)}</div>' for name in names)
    cells = "".join(cell(one, GONE) + cell(other, NEW, again=True) for one, other in rows)
    return (
        f'<style>{CSS}</style><div class="minibert-figure"><p role="status"><small>{html.escape(said)}'
        f'</small></p><div class="mb-diff"><div>{heads}{cells}</div></div></div>'
    )


def paired(left: Sequence[str], right: Sequence[str]) -> Iterator[tuple[Line | None, Line | None]]:
    """Yield pairs of lines to show side by side, with None where a text has no corresponding line."""
    for kind, a, b, c, d in difflib.SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        for one, other in zip_longest(left[a:b], right[c:d]):
            if kind == "equal":
                yield (" ", html.escape(one)), (" ", html.escape(other))
            else:
                yield marked(one, other, "−"), marked(other, one, "+")


def marked(line: str | None, other: str | None, sign: str) -> Line | None:
    """Return a line (or None) with the mark `sign` and its differences from `other` highlighted."""
    if line is None:
        return None
    words, others = WORD.findall(line), WORD.findall(other or "")
    if other is None or difflib.SequenceMatcher(None, words, others).ratio() < 0.5:  # another line
        return sign, html.escape(line)
    shown = ""
    for kind, a, b, _, _ in difflib.SequenceMatcher(None, words, others, autojunk=False).get_opcodes():
        part = html.escape("".join(words[a:b]))
        shown += part if kind == "equal" or not part else f'<b style="background:{LOUD[sign]}">{part}</b>'
    return sign, shown


def cell(line: Line | None, fill: str, again: bool = False) -> str:
    """Return one line of a diff as HTML.

    fill: the background of marked lines. again: True on the right side, where unmarked lines are hidden on a
    narrow page.
    """
    sign, text = line or (" ", "")
    marked_as = f' style="background:{fill}"' if sign != " " else ""
    twice = ' class="mb-diff-again"' if sign == " " and (again or line is None) else ""
    return f"<div{twice}{marked_as}>{sign} {text}</div>"
